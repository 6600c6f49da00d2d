//! Winners of their own: categories and strata.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Line, PlayerKey};

/// What groups mean to each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GroupKind {
    /// Each stands for itself: a pair is in it if both its players are.
    #[default]
    Categories,
    /// The strongest first: a pair is as strong as the stronger of its players, and competes in its
    /// own stratum and in all above it.
    Strata,
}

/// Groups of players.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Groups {
    /// What they mean to each other.
    pub kind: GroupKind,
    /// What each is called; strata from the strongest.
    pub names: Vec<String>,
    /// Who is where, by its place in `names`. Others are in no category, and in the highest
    /// stratum.
    pub of: Vec<(PlayerKey, usize)>,
}

/// A group's own ranking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupList {
    /// What it is called.
    pub name: String,
    /// Place in the group, and whose line it is in the standing.
    pub places: Vec<(u32, usize)>,
}

/// Every group's own ranking, of those who have a place.
pub fn group_lists(lines: &[Line], groups: &Groups) -> Vec<GroupList> {
    let of: BTreeMap<&PlayerKey, usize> = groups.of.iter().map(|(who, at)| (who, *at)).collect();
    let belongs = |line: &Line, group: usize| match groups.kind {
        GroupKind::Categories => line.players.iter().all(|it| of.get(it) == Some(&group)),
        GroupKind::Strata => {
            let strength = |player| of.get(player).copied().unwrap_or_default();
            line.players.iter().map(strength).min() >= Some(group)
        }
    };
    let list = |(group, name): (usize, &String)| {
        let own = lines
            .iter()
            .enumerate()
            .filter(|(_, line)| line.place.is_some() && belongs(line, group));
        let mut places: Vec<(u32, usize)> = Vec::new();
        let mut before = None;
        for (count, (at, line)) in (1..).zip(own) {
            let place = match places.last() {
                Some((place, _)) if before == line.place => *place,
                _ => count,
            };
            before = line.place;
            places.push((place, at));
        }
        let name = name.clone();
        GroupList { name, places }
    };
    groups.names.iter().enumerate().map(list).collect()
}
