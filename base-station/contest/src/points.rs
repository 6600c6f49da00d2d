//! Points for places in several events: who has most of them may enter (SABF, open trials).

use std::cmp::Reverse;

use serde::{Deserialize, Serialize};

use crate::Lot;

/// What the places of an event are worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ForPlaces {
    /// A stage of the state teams.
    StateTeamsStage,
    /// The Swiss pairs championship, and qualifying for the open trials.
    SwissPairs,
    /// A phase of the open teams, and qualifying for the grand national teams.
    OpenTeams,
    /// The final of the state teams.
    StateTeamsFinal,
    /// The state pairs.
    StatePairs,
    /// The autumn national teams, for players of the state.
    NationalTeams,
    /// The Butler pairs at the national championships.
    NationalButler,
    /// The open pairs of the national championships.
    OpenPairs,
    /// The mixed pairs of the national championships.
    MixedPairs,
}

impl ForPlaces {
    /// From the first place on.
    pub const fn points(self) -> &'static [i32] {
        match self {
            Self::StateTeamsStage => &[6, 4, 3, 2, 1],
            Self::SwissPairs => &[60, 45, 40, 35, 30, 25, 20, 15, 10, 5],
            Self::OpenTeams => &[60, 40, 30, 20, 15, 10, 5],
            Self::StateTeamsFinal => &[60, 40, 20, 15],
            Self::StatePairs => &[30, 20, 10],
            Self::NationalTeams => &[60, 40],
            Self::NationalButler => &[20, 14, 10],
            Self::OpenPairs => &[45, 40, 35, 25, 20, 15, 10, 8, 6],
            Self::MixedPairs => &[24, 21, 18, 12, 10, 8, 6, 4, 2],
        }
    }

    /// Hundredths of a point for a place that so many share: they share the points of their places.
    pub fn of(self, place: u32, sharing: usize) -> i32 {
        let first = usize::try_from(place).unwrap_or(usize::MAX);
        let places = self.points().iter().skip(first.saturating_sub(1));
        let sum: i32 = places.take(sharing).sum();
        100 * sum / i32::try_from(sharing.max(1)).unwrap_or(i32::MAX)
    }

    /// Whether it is for teams, who get less where they are five or six.
    const fn is_for_teams(self) -> bool {
        match self {
            Self::OpenTeams | Self::StateTeamsFinal | Self::NationalTeams => true,
            Self::StateTeamsStage
            | Self::SwissPairs
            | Self::StatePairs
            | Self::NationalButler
            | Self::OpenPairs
            | Self::MixedPairs => false,
        }
    }
}

/// An event whose places are worth points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// What they are worth.
    pub worth: ForPlaces,
    /// It is one of the Butler qualifying events, which decide between those who are level.
    pub butler: bool,
    /// Everybody who has a place.
    pub placed: Vec<Placed>,
}

/// Somebody in an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    /// From 1.
    pub place: u32,
    /// So many share it.
    pub sharing: usize,
    /// Who played, by their names.
    pub players: Vec<String>,
}

/// A pair that wants to enter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its players.
    pub players: [String; 2],
    /// From 1.
    pub place: u32,
    /// Hundredths of a point from each event; none where neither of them played.
    pub points: Vec<Option<i32>>,
    /// How often the two came first, second, third, fourth and fifth together.
    pub places: [u32; 5],
    /// Of its points those of the Butler.
    pub butler: i32,
    /// What put it behind the one before; none where points do.
    pub decided_by: Option<Apart>,
}

/// What separates pairs that have as many points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Apart {
    /// Who came more often on this place.
    Places(u8),
    /// Who has more points when those of the Butler count twice.
    ButlerTwice,
    /// A lot.
    Lot,
}

impl Entry {
    /// All points, in hundredths.
    pub fn total(&self) -> i32 {
        self.points.iter().flatten().sum()
    }

    fn figures(&self) -> (i32, [u32; 5], i32) {
        (self.total(), self.places, self.total() + self.butler)
    }

    /// What puts it behind another one.
    fn behind(&self, other: &Self) -> Option<Apart> {
        if self.total() != other.total() {
            return None;
        }
        let mut places = (1..).zip(self.places.iter().zip(&other.places));
        if let Some((place, _)) = places.find(|(_, (own, other))| own != other) {
            return Some(Apart::Places(place));
        }
        Some(if self.butler == other.butler {
            Apart::Lot
        } else {
            Apart::ButlerTwice
        })
    }
}

/// Puts pairs into the order in which they may enter. What the two won together counts in full, what
/// either won with others half. Who is level in everything is put in order by a lot.
pub fn entries(pairs: &[[String; 2]], events: &[Event], seed: u64) -> Vec<Entry> {
    let mut all: Vec<Entry> = pairs.iter().map(|pair| entry(pair, events)).collect();
    // From their names, so that the seed alone says who is first.
    all.sort_by(|one, other| one.players.cmp(&other.players));
    all.sort_by_key(|own| Reverse(own.figures()));
    let mut lot = Lot::new(seed);
    for level in all.chunk_by_mut(|one, other| one.figures() == other.figures()) {
        lot.shuffle(level);
    }
    for at in 0..all.len() {
        let before = at.checked_sub(1).and_then(|before| all.get(before));
        let apart = before.and_then(|before| all[at].behind(before));
        all[at].place = u32::try_from(at + 1).unwrap_or(u32::MAX);
        all[at].decided_by = apart;
    }
    all
}

fn entry(pair: &[String; 2], events: &[Event]) -> Entry {
    let mut own = Entry {
        players: pair.clone(),
        place: 0,
        points: Vec::with_capacity(events.len()),
        places: [0; 5],
        butler: 0,
        decided_by: None,
    };
    for event in events {
        let [one, other] = pair
            .each_ref()
            .map(|name| event.placed.iter().position(|it| it.has(name)));
        let together = one.is_some() && one == other;
        let worth = |at: usize| event.placed.get(at).map_or(0, |it| event.worth_of(it));
        let points = if together {
            one.map(worth)
        } else {
            let apart = [one, other].into_iter().flatten();
            apart.map(|at| worth(at) / 2).reduce(|sum, more| sum + more)
        };
        if let Some(placed) = one.filter(|_| together).and_then(|at| event.placed.get(at)) {
            let at = usize::try_from(placed.place).unwrap_or(usize::MAX);
            if let Some(times) = own.places.get_mut(at.wrapping_sub(1)) {
                *times += 1;
            }
        }
        if event.butler {
            own.butler += points.unwrap_or_default();
        }
        own.points.push(points);
    }
    own
}

impl Event {
    /// What a place is worth to those who have it: teams of five lose a fifth, of six a third.
    fn worth_of(&self, placed: &Placed) -> i32 {
        let whole = self.worth.of(placed.place, placed.sharing);
        match placed.players.len() {
            5 if self.worth.is_for_teams() => whole * 4 / 5,
            6.. if self.worth.is_for_teams() => whole * 2 / 3,
            _ => whole,
        }
    }
}

impl Placed {
    fn has(&self, name: &str) -> bool {
        let name = name.trim().to_lowercase();
        let mut players = self.players.iter();
        players.any(|player| player.trim().to_lowercase() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(worth: ForPlaces, butler: bool, placed: &[(u32, &str)]) -> Event {
        let placed = placed.iter().map(|(place, players)| Placed {
            place: *place,
            sharing: placed.iter().filter(|(other, _)| other == place).count(),
            players: players.split(' ').map(str::to_owned).collect(),
        });
        Event {
            worth,
            butler,
            placed: placed.collect(),
        }
    }

    fn order(pairs: &[&str], events: &[Event]) -> Vec<(String, i32, Option<Apart>)> {
        let pairs: Vec<[String; 2]> = pairs
            .iter()
            .filter_map(|pair| pair.split_once(' '))
            .map(|(one, other)| [one.to_owned(), other.to_owned()])
            .collect();
        let all = entries(&pairs, events, 5).into_iter();
        all.map(|it| (it.players.join(" "), it.total(), it.decided_by))
            .collect()
    }

    #[test]
    fn points_won_apart_count_half_and_large_teams_get_less() {
        let events = [
            event(
                ForPlaces::SwissPairs,
                false,
                &[(1, "ann bob"), (2, "cleo dan"), (3, "eve fay")],
            ),
            event(
                ForPlaces::OpenTeams,
                false,
                &[(1, "ann dan eve gus"), (2, "bob cleo hal ida joe")],
            ),
        ];
        let all = order(&["Ann Bob", "Cleo Dan", "Eve Fay"], &events);
        // 60 and half of 60 and of 32; 45 and the same halves; 40 and half of 60.
        let expected = [
            ("Ann Bob", 6_000 + 3_000 + 1_600),
            ("Cleo Dan", 4_500 + 1_600 + 3_000),
            ("Eve Fay", 4_000 + 3_000),
        ];
        let expected = expected.map(|(who, points)| (who.to_owned(), points, None));
        assert_eq!(all, expected);
    }

    #[test]
    fn who_is_level_is_separated_by_places_then_by_the_butler_then_by_a_lot() {
        // 60 points each: a first; twice 30; twice 30, once of them in the Butler.
        let events = [
            event(
                ForPlaces::SwissPairs,
                false,
                &[(1, "ann bob"), (5, "cleo dan"), (5, "eve fay")],
            ),
            event(ForPlaces::StatePairs, true, &[(1, "eve fay")]),
            event(ForPlaces::StatePairs, false, &[(1, "cleo dan")]),
            event(
                ForPlaces::StatePairs,
                false,
                &[(1, "gus hal"), (1, "ida joe")],
            ),
        ];
        let all = order(
            &["cleo dan", "ida joe", "gus hal", "eve fay", "ann bob"],
            &events,
        );
        let names: Vec<&str> = all.iter().map(|(who, ..)| who.as_str()).collect();
        // Two share the fifth place: 27.5 each, and 30 for a first.
        assert_eq!(names[..3], ["ann bob", "eve fay", "cleo dan"]);
        assert_eq!(all[1], ("eve fay".to_owned(), 5_750, None));
        assert_eq!(all[2].2, Some(Apart::ButlerTwice));
        assert_eq!(all[4].2, Some(Apart::Lot));
        let more = [
            event(
                ForPlaces::StatePairs,
                false,
                &[(1, "ann bob"), (2, "cleo dan")],
            ),
            event(ForPlaces::StatePairs, false, &[(3, "cleo dan")]),
        ];
        let level = order(&["cleo dan", "ann bob"], &more);
        assert_eq!(level[1].2, Some(Apart::Places(1)));
    }
}
