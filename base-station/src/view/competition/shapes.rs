//! What the page gets to know of a competition.

use season::{
    Contestants, GroupKind, Groups, Hundredths, Measure, Partners, Rules, Substitutes, TieOrder,
    Total,
};
use serde::{Deserialize, Serialize};
use telling::Told;
use utoipa::ToSchema;

use crate::session::{EventId, Takes};

/// A competition over several sessions.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct CompetitionView {
    /// Its number.
    pub id: u32,
    /// What it is called.
    pub name: String,
    /// It is put away.
    pub away: bool,
    /// Its rules in plain words.
    #[schema(value_type = Vec<String>)]
    pub says: Vec<Told>,
    /// The same as they were set.
    pub rules: RulesForm,
    /// Which sessions belong to it without being named.
    pub takes: TakesForm,
    /// Its sessions in order, those to come included.
    pub sessions: Vec<SessionLine>,
    /// Sessions that were taken out one by one.
    pub left_out: Vec<SessionLine>,
    /// Those with a place first, then those on the way to one, then those who can have none.
    pub lines: Vec<CompetitionLine>,
    /// Winners of categories or strata.
    pub groups: Vec<GroupView>,
    /// Who is in which.
    pub grouping: GroupsForm,
    /// Nominated pairs.
    pub entries: Vec<EntryLine>,
    /// Handicaps of players.
    pub handicaps: Vec<HandicapLine>,
    /// What the director should look at.
    #[schema(value_type = Vec<String>)]
    pub problems: Vec<Told>,
}

/// What counts.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RulesForm {
    /// `nominated-pairs`, `pairs` or `players`.
    #[schema(value_type = String, example = "pairs")]
    pub contestants: Contestants,
    /// `percent`, `victory-points` or `imps`.
    #[schema(value_type = String, example = "percent")]
    pub measure: Measure,
    /// `sum` or `mean`.
    #[schema(value_type = String, example = "mean")]
    pub total: Total,
    /// Sessions in the competition, those to come included.
    #[schema(example = 6)]
    pub sessions: u16,
    /// Whoever played fewer has no place.
    #[schema(example = 5)]
    pub to_qualify: u16,
    /// The best so many count.
    #[schema(example = 5)]
    pub to_count: u16,
    /// A nominated pair plays at least so many without a substitute.
    #[serde(default)]
    pub own: u16,
    /// `any`, `once-each` or `must-change`.
    #[serde(default)]
    #[schema(value_type = String, example = "any")]
    pub partners: Partners,
    /// `capped`, `as-scored` or `not-counted`.
    #[serde(default)]
    #[schema(value_type = String, example = "capped")]
    pub substitutes: Substitutes,
    /// Whether handicaps are added.
    #[serde(default)]
    pub handicap: bool,
    /// Only players of the club's list.
    #[serde(default)]
    pub members_only: bool,
    /// Totals no further apart are level: 0.03, for instance.
    #[serde(default)]
    pub level_within: f64,
    /// `shared`, `sabf-pairs`, `best-session` or `last-session`.
    #[serde(default)]
    #[schema(value_type = String, example = "shared")]
    pub ties: TieOrder,
}

impl From<Rules> for RulesForm {
    fn from(rules: Rules) -> Self {
        Self {
            contestants: rules.contestants,
            measure: rules.measure,
            total: rules.total,
            sessions: rules.sessions,
            to_qualify: rules.to_qualify,
            to_count: rules.to_count,
            own: rules.own,
            partners: rules.partners,
            substitutes: rules.substitutes,
            handicap: rules.handicap,
            members_only: rules.members_only,
            level_within: rules.level_within.to_f64(),
            ties: rules.ties,
        }
    }
}

impl RulesForm {
    /// The rules, where totals are level within so much.
    pub fn rules(self, level_within: Hundredths) -> Rules {
        Rules {
            contestants: self.contestants,
            measure: self.measure,
            total: self.total,
            sessions: self.sessions,
            to_qualify: self.to_qualify,
            to_count: self.to_count,
            own: self.own,
            partners: self.partners,
            substitutes: self.substitutes,
            handicap: self.handicap,
            members_only: self.members_only,
            level_within,
            ties: self.ties,
        }
    }
}

/// Which sessions belong to a competition without being named; with nothing said, none.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TakesForm {
    /// Those of this event of the calendar.
    pub event: Option<u32>,
    /// From this day on.
    #[schema(example = "2026-09-01")]
    pub from: Option<String>,
    /// Until this day.
    #[schema(example = "2026-12-31")]
    pub until: Option<String>,
}

impl From<&Takes> for TakesForm {
    fn from(takes: &Takes) -> Self {
        Self {
            event: takes.event.map(|event| event.0),
            from: takes.from.clone(),
            until: takes.until.clone(),
        }
    }
}

impl From<TakesForm> for Takes {
    fn from(form: TakesForm) -> Self {
        let day = |day: Option<String>| day.filter(|it| !it.trim().is_empty());
        Self {
            event: form.event.map(EventId),
            from: day(form.from),
            until: day(form.until),
        }
    }
}

/// A session of a competition.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SessionLine {
    /// Its number in the calendar.
    pub id: u32,
    /// Its day.
    pub date: String,
    /// The event it belongs to.
    pub event: String,
    /// What people call it.
    pub title: String,
    /// `counts`, `being-played` (not over, or not released), `to-come`, `no-figures` or `left-out`.
    pub state: &'static str,
    /// It was put in or taken out by name.
    pub by_hand: bool,
}

/// A contestant's line.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct CompetitionLine {
    /// `1`, `2=`; empty for who has no place.
    pub place: String,
    /// The nominated pair's number.
    pub entry: Option<u16>,
    /// Numbers, or names of those who have none.
    pub players: Vec<String>,
    /// As printed.
    pub names: String,
    /// What it has.
    pub total: f64,
    /// The same without handicaps.
    pub raw_total: f64,
    /// Its place without handicaps.
    pub raw_place: String,
    /// Sessions played.
    pub sessions: u16,
    /// Of these without a substitute.
    pub own: u16,
    /// `qualified`, `on-the-way` or `out`.
    pub standing: &'static str,
    /// Why it has no place, or what it still needs.
    #[schema(value_type = Option<String>)]
    pub why: Option<Told>,
    /// What separates it from the one before, where both are level.
    #[schema(value_type = Option<String>)]
    pub decided_by: Option<Told>,
    /// One for each session that counts, in order.
    pub cells: Vec<CompetitionCell>,
}

/// What a session is to a contestant.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct CompetitionCell {
    /// Which.
    pub session: u32,
    /// `own`, `substitute`, `by-others`, `unexcused`, `same-partner`, `away`, `missed`, `unclear`.
    pub played: &'static str,
    /// What was scored.
    pub scored: Option<f64>,
    /// What it is worth.
    pub counted: Option<f64>,
    /// It is one of the best that count.
    pub in_total: bool,
    /// A player's partner.
    pub partner: Option<String>,
    /// What is special about it.
    #[schema(value_type = Option<String>)]
    pub note: Option<Told>,
}

/// A category or stratum.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct GroupView {
    /// Its name.
    pub name: String,
    /// The best first.
    pub places: Vec<PlaceInGroup>,
}

/// A place in it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PlaceInGroup {
    /// `1`, `2=`.
    pub place: String,
    /// Who.
    pub names: String,
    /// What it has.
    pub total: f64,
}

/// Categories or strata.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct GroupsForm {
    /// `categories` or `strata`.
    #[schema(value_type = String, example = "categories")]
    pub kind: GroupKind,
    /// What each is called; strata from the strongest.
    pub names: Vec<String>,
    /// Player and group's name.
    pub players: Vec<(String, String)>,
}

impl From<&Groups> for GroupsForm {
    fn from(groups: &Groups) -> Self {
        let players = groups.of.iter().filter_map(|(player, at)| {
            let name = groups.names.get(*at)?;
            Some((player.to_string(), name.clone()))
        });
        Self {
            kind: groups.kind,
            names: groups.names.clone(),
            players: players.collect(),
        }
    }
}

/// A nominated pair.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct EntryLine {
    /// Its number in the competition.
    pub number: u16,
    /// Numbers, or names of those who have none.
    pub players: [String; 2],
    /// As printed.
    pub names: String,
    /// It plays no more.
    pub withdrawn: bool,
    /// It plays along without a place.
    pub non_contending: bool,
}

/// A player's handicap.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct HandicapLine {
    /// Number, or name of who has none.
    pub player: String,
    /// As printed.
    pub name: String,
    /// In percent.
    pub handicap: f64,
}
