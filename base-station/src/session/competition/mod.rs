//! Competitions over several sessions: what the director decided about them. Where anybody stands
//! is worked out from the sessions by the package `season` and kept nowhere.
//!
//! # Evolution
//! As in [`super::Event`]: append variants, never change the meaning of a field, give new fields a
//! default.

#![deny(
    clippy::wildcard_enum_match_arm,
    clippy::match_wildcard_for_single_variants
)]

mod championship;
mod decide;
mod knockout;
mod night;
mod seeds;
mod sentences;

use std::collections::BTreeMap;

use imbl::OrdMap;
use protocol::words::{PlayerNumber, SessionId};
use season::{Entry, EntryNumber, Groups, Hundredths, NoPlayer, Note, PlayerKey, Rules};
use serde::{Deserialize, Serialize};

use super::decide::calendar_day;
use super::{Club, EventId, Refused, Scheduled};

pub use championship::{
    Championship, ChampionshipCommand, ChampionshipEvent, ChampionshipId, ChampionshipPlan,
    FieldAt, FromStage, StageAt, StagePlan, Taken,
};
pub use decide::CompetitionCommand;
pub(super) use decide::decide;
pub use knockout::{
    KnockOut, KnockOutCommand, KnockOutEvent, KnockOutId, KnockOutPlan, Meeting, PlayedAt,
};
pub use night::{MatchPart, NightPlayed, People};
pub use seeds::seeds_by_lot;

/// A competition's number in the club.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CompetitionId(pub u32);

/// What a competition is called, what counts, and in which sessions it is played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CompetitionPlan {
    /// "Autumn Ladder".
    pub name: String,
    /// What counts.
    pub rules: Rules,
    /// Sessions that belong to it without being named.
    #[serde(default)]
    pub takes: Takes,
}

/// Which sessions belong to a competition. With nothing said, only those that are named one by one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Takes {
    /// Those of an event of the calendar.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<EventId>,
    /// From this day on, as 2026-11-16.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Until this day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
}

/// What can happen to competitions. Stored for ever inside [`super::Event::Competition`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CompetitionEvent {
    /// There is a new one.
    Begun {
        /// Its number.
        competition: CompetitionId,
        /// Its name and rules.
        plan: CompetitionPlan,
    },
    /// It is called otherwise, or counts otherwise.
    Changed {
        /// Which.
        competition: CompetitionId,
        /// Its name and rules from now on.
        plan: CompetitionPlan,
    },
    /// A session is in it, or out of it.
    SessionSet {
        /// Which competition.
        competition: CompetitionId,
        /// Which session.
        session: SessionId,
        /// In or out; `None` as its plan says.
        counts: Option<bool>,
    },
    /// A pair entered, or its entry was put right.
    Entered {
        /// Which competition.
        competition: CompetitionId,
        /// The pair's number in it.
        entry: EntryNumber,
        /// Who.
        pair: Entry,
    },
    /// Who played for a nominated pair, or why it was away.
    Noted {
        /// Which competition.
        competition: CompetitionId,
        /// Which session.
        session: SessionId,
        /// Which pair.
        entry: EntryNumber,
        /// What; `None` as the session tells.
        note: Option<Note>,
    },
    /// Handicaps of players.
    HandicapsSet {
        /// Which competition.
        competition: CompetitionId,
        /// By player; `None` for none.
        handicaps: Vec<(PlayerKey, Option<Hundredths>)>,
    },
    /// Categories or strata with winners of their own.
    Grouped {
        /// Which competition.
        competition: CompetitionId,
        /// Who is in which.
        groups: Groups,
    },
    /// It is put away, or back again.
    PutAway {
        /// Which.
        competition: CompetitionId,
        /// Whether it is.
        away: bool,
    },
    /// Something about a knock-out.
    KnockOut(KnockOutEvent),
    /// Something about a championship.
    Championship(ChampionshipEvent),
}

/// A competition as its journal tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Competition {
    /// Its name and rules.
    pub plan: CompetitionPlan,
    /// Sessions that are in or out whatever the plan says.
    pub sessions: OrdMap<SessionId, bool>,
    /// Nominated pairs.
    pub entries: BTreeMap<EntryNumber, Entry>,
    /// What was said about their sessions.
    pub notes: BTreeMap<(SessionId, EntryNumber), Note>,
    /// By player.
    pub handicaps: BTreeMap<PlayerKey, Hundredths>,
    /// Categories or strata.
    pub groups: Groups,
    /// It was put away.
    pub away: bool,
}

impl CompetitionEvent {
    /// Which competition it is about; none where it is about a knock-out or a championship.
    const fn competition(&self) -> Option<CompetitionId> {
        Some(match self {
            Self::KnockOut(_) | Self::Championship(_) => return None,
            Self::Begun { competition, .. }
            | Self::Changed { competition, .. }
            | Self::SessionSet { competition, .. }
            | Self::Entered { competition, .. }
            | Self::Noted { competition, .. }
            | Self::HandicapsSet { competition, .. }
            | Self::Grouped { competition, .. }
            | Self::PutAway { competition, .. } => *competition,
        })
    }
}

impl Competition {
    fn new(plan: CompetitionPlan) -> Self {
        Self {
            plan,
            sessions: OrdMap::new(),
            entries: BTreeMap::new(),
            notes: BTreeMap::new(),
            handicaps: BTreeMap::new(),
            groups: Groups::default(),
            away: false,
        }
    }

    /// Whether a session of the calendar belongs to it.
    pub fn takes(&self, session: SessionId, scheduled: &Scheduled) -> bool {
        let Takes { event, from, until } = &self.plan.takes;
        let by_plan = || {
            let said = event.is_some() || from.is_some() || until.is_some();
            said && event.is_none_or(|event| event == scheduled.event)
                && from.as_ref().is_none_or(|from| *from <= scheduled.date)
                && until.as_ref().is_none_or(|until| scheduled.date <= *until)
        };
        self.sessions.get(&session).copied().unwrap_or_else(by_plan)
    }

    fn change(&mut self, event: &CompetitionEvent) {
        match event {
            CompetitionEvent::Begun { .. }
            | CompetitionEvent::KnockOut(_)
            | CompetitionEvent::Championship(_) => {}
            CompetitionEvent::Changed { plan, .. } => self.plan = plan.clone(),
            CompetitionEvent::SessionSet {
                session, counts, ..
            } => {
                match counts {
                    Some(counts) => self.sessions.insert(*session, *counts),
                    None => self.sessions.remove(session),
                };
            }
            CompetitionEvent::Entered { entry, pair, .. } => {
                self.entries.insert(*entry, pair.clone());
            }
            CompetitionEvent::Noted {
                session,
                entry,
                note,
                ..
            } => {
                match note {
                    Some(note) => self.notes.insert((*session, *entry), note.clone()),
                    None => self.notes.remove(&(*session, *entry)),
                };
            }
            CompetitionEvent::HandicapsSet { handicaps, .. } => {
                for (player, handicap) in handicaps {
                    match handicap {
                        Some(handicap) => self.handicaps.insert(player.clone(), *handicap),
                        None => self.handicaps.remove(player),
                    };
                }
            }
            CompetitionEvent::Grouped { groups, .. } => self.groups = groups.clone(),
            CompetitionEvent::PutAway { away, .. } => self.away = *away,
        }
    }
}

impl Club {
    pub(super) fn compete(&mut self, event: &CompetitionEvent) {
        if let CompetitionEvent::KnockOut(event) = event {
            self.knock_out(event);
        }
        if let CompetitionEvent::Championship(event) = event {
            self.championship(event);
        }
        let Some(number) = event.competition() else {
            return;
        };
        if let CompetitionEvent::Begun { plan, .. } = event {
            self.competitions
                .insert(number, Competition::new(plan.clone()));
        }
        if let Some(competition) = self.competitions.get_mut(&number) {
            competition.change(event);
        }
    }

    /// The sessions of a competition, in order of their days.
    pub fn sessions_of(&self, competition: &Competition) -> Vec<SessionId> {
        let mut sessions: Vec<(&str, SessionId)> = self
            .sessions
            .iter()
            .filter(|(session, scheduled)| competition.takes(**session, scheduled))
            .map(|(session, scheduled)| (scheduled.date.as_str(), *session))
            .collect();
        sessions.sort();
        sessions.into_iter().map(|(_, session)| session).collect()
    }

    /// The sessions from one day to another, both included, in order.
    pub fn sessions_between(
        &self,
        from: Option<&str>,
        until: Option<&str>,
    ) -> Result<Vec<SessionId>, Refused> {
        let (from, until) = (from.map(calendar_day), until.map(calendar_day));
        let (from, until) = (from.transpose()?, until.transpose()?);
        let mut sessions: Vec<(&str, SessionId)> = self
            .sessions
            .iter()
            .map(|(session, scheduled)| (scheduled.date.as_str(), *session))
            .filter(|(date, _)| {
                from.as_deref().is_none_or(|from| from <= *date)
                    && until.as_deref().is_none_or(|until| *date <= until)
            })
            .collect();
        sessions.sort();
        Ok(sessions.into_iter().map(|(_, session)| session).collect())
    }

    /// Whether the club's list has this player.
    pub fn lists_player(&self, player: &PlayerKey) -> bool {
        matches!(player, PlayerKey::Number(number) if self.members.contains_key(number))
    }

    /// A player by number or name: a name of the club's list stands for its number.
    pub fn player(&self, text: &str) -> Result<PlayerKey, NoPlayer> {
        Ok(match text.parse()? {
            PlayerKey::Name(name) => self
                .known_as(&name)
                .map_or(PlayerKey::Name(name), PlayerKey::Number),
            number @ PlayerKey::Number(_) => number,
        })
    }

    /// The one member of this name.
    fn known_as(&self, name: &str) -> Option<PlayerNumber> {
        let lower = name.to_lowercase();
        let mut known = self
            .members
            .iter()
            .filter(|(_, known)| known.to_lowercase() == lower);
        match (known.next(), known.next()) {
            (Some((number, _)), None) => Some(*number),
            _ => None,
        }
    }

    /// What a player is called; the number where the list has no name for it.
    pub fn called(&self, player: &PlayerKey) -> String {
        match player {
            PlayerKey::Number(number) => {
                let name = self.members.get(number);
                name.cloned().unwrap_or_else(|| self.written(*number))
            }
            PlayerKey::Name(name) => name.clone(),
        }
    }
}
