//! What the director writes about competitions.

use std::collections::BTreeMap;

use season::{Absence, Contestants, GroupKind, Groups, Hundredths, Note, PlayerKey};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{pair, player};
use crate::session::{Club, CompetitionPlan};
use crate::view::{RulesForm, TakesForm};
use crate::web::Problem;
use telling::tell;

/// All competitions.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct Competitions {
    pub(super) competitions: Vec<CompetitionLineShort>,
}

/// A competition in a line.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct CompetitionLineShort {
    pub(super) id: u32,
    pub(super) name: String,
    /// `nominated-pairs`, `pairs` or `players`.
    #[schema(value_type = String)]
    pub(super) contestants: Contestants,
    /// It is put away.
    pub(super) away: bool,
    /// Sessions that belong to it now.
    pub(super) sessions: usize,
    /// Sessions that its rules speak of.
    pub(super) planned: u16,
}

/// Kinds to begin with.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct KindsToBegin {
    pub(super) presets: Vec<Preset>,
}

/// A kind of competition with the numbers that are usual.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub(super) struct Preset {
    /// `championship`, `pairs-ladder`, `players-ladder`, `handicap-ladder`, `change-partner`.
    pub(super) name: &'static str,
    pub(super) rules: RulesForm,
}

/// A competition's name, rules and sessions.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PlanInput {
    #[schema(example = "Autumn Ladder")]
    name: String,
    rules: RulesForm,
    /// Sessions that belong to it without being named; left out, none.
    #[serde(default)]
    takes: TakesForm,
}

impl PlanInput {
    pub(super) fn plan(self) -> Result<CompetitionPlan, Problem> {
        let within = hundredths(self.rules.level_within)?;
        Ok(CompetitionPlan {
            name: self.name,
            rules: self.rules.rules(within),
            takes: self.takes.into(),
        })
    }
}

/// The competition that was begun.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub(super) struct Begun {
    /// Its number.
    pub(super) competition: u32,
}

/// A session in or out.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SessionInput {
    pub(super) session: u32,
    pub(super) counts: InOrOut,
}

/// Whether a session belongs to a competition.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) enum InOrOut {
    In,
    Out,
    AsPlanned,
}

impl InOrOut {
    pub(super) const fn read(self) -> Option<bool> {
        match self {
            Self::In => Some(true),
            Self::Out => Some(false),
            Self::AsPlanned => None,
        }
    }
}

/// Pairs that enter.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewEntries {
    /// Two players each, by number or name.
    pub(super) pairs: Vec<[String; 2]>,
}

/// What an entry is.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct EntryInput {
    /// By number or name.
    pub(super) players: [String; 2],
    #[serde(default)]
    pub(super) withdrawn: bool,
    #[serde(default)]
    pub(super) non_contending: bool,
}

/// What is said about a session of a nominated pair.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NoteInput {
    pub(super) session: u32,
    pub(super) entry: u16,
    pub(super) note: SaidOfSession,
}

/// Who played, or why nobody did.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, tag = "kind", rename_all = "kebab-case")]
pub(super) enum SaidOfSession {
    /// As the session itself tells.
    AsPlayed,
    /// Nobody played for the pair.
    Nobody,
    /// It was away with leave.
    Away {
        /// `representing`, `other-championship` or `play-offs-day`.
        #[schema(value_type = String, example = "representing")]
        absence: Absence,
    },
    /// These two played for it.
    PlayedBy {
        /// By number or name, as they stand in the session's ranking.
        players: [String; 2],
        /// Both players were excused.
        #[serde(default)]
        excused: bool,
    },
}

impl SaidOfSession {
    pub(super) fn read(self, club: &Club) -> Result<Option<Note>, Problem> {
        Ok(match self {
            Self::AsPlayed => None,
            Self::Nobody => Some(Note::Nobody),
            Self::Away { absence } => Some(Note::Away(absence)),
            Self::PlayedBy { players, excused } => Some(Note::PlayedBy {
                players: pair(club, &players)?,
                excused,
            }),
        })
    }
}

/// Handicaps of players.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct HandicapsInput {
    handicaps: Vec<HandicapInput>,
}

/// A player's handicap.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct HandicapInput {
    /// By number or name.
    #[schema(example = "1001")]
    player: String,
    /// In percent, less than 0 for strong players; left out for none.
    #[schema(example = -6)]
    handicap: Option<f64>,
}

impl HandicapsInput {
    pub(super) fn read(self, club: &Club) -> Result<Vec<(PlayerKey, Option<Hundredths>)>, Problem> {
        let read = |input: HandicapInput| {
            let handicap = input.handicap.map(hundredths).transpose()?;
            Ok((player(club, &input.player)?, handicap))
        };
        self.handicaps.into_iter().map(read).collect()
    }
}

/// Categories or strata.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct GroupsInput {
    /// `categories` or `strata`.
    #[schema(value_type = String, example = "categories")]
    kind: GroupKind,
    /// What each is called; strata from the strongest.
    names: Vec<String>,
    /// Player (number or name) and the group's name.
    players: Vec<(String, String)>,
}

impl GroupsInput {
    pub(super) fn read(self, club: &Club) -> Result<Groups, Problem> {
        let at: BTreeMap<&str, usize> = (0..)
            .zip(&self.names)
            .map(|(at, name)| (name.trim(), at))
            .collect();
        let of = self.players.iter().map(|(who, name)| {
            // One that nobody named is refused with the others.
            let at = at.get(name.trim()).copied().unwrap_or(usize::MAX);
            Ok((player(club, who)?, at))
        });
        let of = of.collect::<Result<Vec<_>, Problem>>()?;
        Ok(Groups {
            kind: self.kind,
            of,
            names: self.names,
        })
    }
}

/// Put away or not.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Away {
    pub(super) away: bool,
}

/// A number with at most two decimals.
pub(super) fn hundredths(number: f64) -> Result<Hundredths, Problem> {
    let whole = (number * 100.0).round();
    if !number.is_finite() || number.abs() > 100.0 || (whole / 100.0 - number).abs() > 1e-9 {
        return Err(Problem::unreadable(tell!(Competition::NumberTooLarge)));
    }
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a whole number from -10000 to 10000"
    )]
    Ok(Hundredths(whole as i32))
}
