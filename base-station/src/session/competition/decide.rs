//! What a director's command about a competition leads to, or why it is refused.

use std::collections::BTreeSet;

use protocol::words::SessionId;
use season::{
    Contestants, Entry, EntryNumber, GroupKind, Groups, Hundredths, Note, PlayerKey, RulesRefused,
};
use serde::{Deserialize, Serialize};
use telling::{Told, tell};

use super::{Competition, CompetitionEvent, CompetitionId, CompetitionPlan, Takes};
use crate::session::decide::{Decided, NAME_LEN_MAX, calendar_day, refuse, tidy_needed};
use crate::session::{Club, Event, EventId, Refused};

/// Nominated pairs of one competition.
const ENTRIES_MAX: usize = 500;

/// Handicaps in one go: every member of a large club.
const HANDICAPS_MAX: usize = 5_000;

/// A handicap of more would not be one.
const HANDICAP_MOST: Hundredths = Hundredths::whole(50);

/// Categories of one competition.
const GROUPS_MAX: usize = 20;

/// What a director can ask for about competitions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CompetitionCommand {
    /// A new one.
    Begin {
        /// Its name and rules.
        plan: CompetitionPlan,
    },
    /// Another name, or other rules.
    Change {
        /// Which.
        competition: CompetitionId,
        /// Its name and rules from now on.
        plan: CompetitionPlan,
    },
    /// A session is in it, or out of it.
    SetSession {
        /// Which competition.
        competition: CompetitionId,
        /// Which session.
        session: SessionId,
        /// In or out; `None` as its plan says.
        counts: Option<bool>,
    },
    /// A pair enters.
    Enter {
        /// Which competition.
        competition: CompetitionId,
        /// Its two players.
        players: [PlayerKey; 2],
    },
    /// A pair's entry is put right.
    ChangeEntry {
        /// Which competition.
        competition: CompetitionId,
        /// Which pair.
        entry: EntryNumber,
        /// What it is from now on.
        pair: Entry,
    },
    /// Say who played for a nominated pair, or why it was away.
    Note {
        /// Which competition.
        competition: CompetitionId,
        /// Which session.
        session: SessionId,
        /// Which pair.
        entry: EntryNumber,
        /// What; `None` as the session tells.
        note: Option<Note>,
    },
    /// Give players handicaps.
    SetHandicaps {
        /// Which competition.
        competition: CompetitionId,
        /// By player; `None` for none.
        handicaps: Vec<(PlayerKey, Option<Hundredths>)>,
    },
    /// Give categories or strata winners of their own.
    Group {
        /// Which competition.
        competition: CompetitionId,
        /// Who is in which.
        groups: Groups,
    },
    /// Put it away, or back.
    PutAway {
        /// Which.
        competition: CompetitionId,
        /// Whether it is away.
        away: bool,
    },
    /// Something about a knock-out.
    KnockOut(super::KnockOutCommand),
    /// Something about a championship.
    Championship(super::ChampionshipCommand),
}

pub(in crate::session) fn decide(club: &Club, command: &CompetitionCommand) -> Decided {
    let event = match command {
        CompetitionCommand::Begin { plan } => {
            let last = club.competitions.get_max().map_or(0, |(last, _)| last.0);
            CompetitionEvent::Begun {
                competition: CompetitionId(last + 1),
                plan: checked_plan(club, None, plan)?,
            }
        }
        CompetitionCommand::Change { competition, plan } => {
            known(club, *competition)?;
            CompetitionEvent::Changed {
                competition: *competition,
                plan: checked_plan(club, Some(*competition), plan)?,
            }
        }
        CompetitionCommand::SetSession {
            competition,
            session,
            counts,
        } => {
            known(club, *competition)?;
            if !club.sessions.contains_key(session) {
                return refuse(tell!(Refused::ThereNoSessionCalendar { session }));
            }
            CompetitionEvent::SessionSet {
                competition: *competition,
                session: *session,
                counts: *counts,
            }
        }
        CompetitionCommand::Enter {
            competition,
            players,
        } => entered(club, *competition, players)?,
        CompetitionCommand::ChangeEntry {
            competition,
            entry,
            pair,
        } => {
            let known = known(club, *competition)?;
            has_entry(known, *entry)?;
            may_enter(club, known, Some(*entry), pair)?;
            CompetitionEvent::Entered {
                competition: *competition,
                entry: *entry,
                pair: pair.clone(),
            }
        }
        CompetitionCommand::Note {
            competition,
            session,
            entry,
            note,
        } => noted(club, *competition, *session, *entry, note.as_ref())?,
        CompetitionCommand::SetHandicaps {
            competition,
            handicaps,
        } => handicaps_set(club, *competition, handicaps)?,
        CompetitionCommand::Group {
            competition,
            groups,
        } => {
            known(club, *competition)?;
            CompetitionEvent::Grouped {
                competition: *competition,
                groups: checked_groups(groups)?,
            }
        }
        CompetitionCommand::KnockOut(command) => {
            CompetitionEvent::KnockOut(super::knockout::decide(club, command)?)
        }
        CompetitionCommand::Championship(command) => {
            CompetitionEvent::Championship(super::championship::decide(club, command)?)
        }
        CompetitionCommand::PutAway { competition, away } => {
            if !club.competitions.contains_key(competition) {
                return none(*competition);
            }
            CompetitionEvent::PutAway {
                competition: *competition,
                away: *away,
            }
        }
    };
    Ok(vec![Event::Competition(event)])
}

fn none<T>(competition: CompetitionId) -> Result<T, Refused> {
    refuse(tell!(Competition::NoSuchCompetition { n: competition.0 }))
}

/// A competition that is not put away.
fn known(club: &Club, competition: CompetitionId) -> Result<&Competition, Refused> {
    match club.competitions.get(&competition) {
        None => none(competition),
        Some(known) if known.away => refuse(tell!(Competition::PutAwayAlready {
            name: &*known.plan.name
        })),
        Some(known) => Ok(known),
    }
}

fn checked_plan(
    club: &Club,
    own: Option<CompetitionId>,
    plan: &CompetitionPlan,
) -> Result<CompetitionPlan, Refused> {
    let name = tidy_needed(&plan.name, tell!(Competition::ItsName), NAME_LEN_MAX)?;
    let mut others = club.competitions.iter();
    if others.any(|(number, it)| Some(*number) != own && !it.away && it.plan.name == name) {
        return refuse(tell!(Competition::NameTaken { name }));
    }
    plan.rules
        .check()
        .map_err(|refused| Refused::because(of_rules(refused)))?;
    let Takes { event, from, until } = &plan.takes;
    if let Some(EventId(event)) = event.filter(|event| !club.events.contains_key(event)) {
        return refuse(tell!(Refused::ThereNoEventCalendar { event }));
    }
    let day = |day: &Option<String>| day.as_deref().map(calendar_day).transpose();
    let (from, until) = (day(from)?, day(until)?);
    if let (Some(from), Some(until)) = (&from, &until)
        && from > until
    {
        return refuse(tell!(Competition::EndsBeforeBegins { from, until }));
    }
    Ok(CompetitionPlan {
        name,
        rules: plan.rules,
        takes: Takes {
            event: *event,
            from,
            until,
        },
    })
}

/// Why rules make no sense.
fn of_rules(refused: RulesRefused) -> Told {
    match refused {
        RulesRefused::Sessions { most } => tell!(Competition::SessionsFrom1 { most }),
        RulesRefused::ToCount { sessions } => tell!(Competition::ToCountFrom1 { n: sessions }),
        RulesRefused::ToQualify { sessions } => tell!(Competition::ToQualifyAtMost { n: sessions }),
        RulesRefused::Own { to_qualify } => tell!(Competition::OwnAtMost { n: to_qualify }),
        RulesRefused::Partners => tell!(Competition::PartnersOfPlayers),
        RulesRefused::Caps => tell!(Competition::CapsArePercentages),
        RulesRefused::Handicap => tell!(Competition::HandicapsArePercentages),
        RulesRefused::LevelWithin => tell!(Competition::LevelWithinOne),
    }
}

fn entered(
    club: &Club,
    competition: CompetitionId,
    players: &[PlayerKey; 2],
) -> Result<CompetitionEvent, Refused> {
    let known = known(club, competition)?;
    let pair = Entry {
        players: players.clone(),
        withdrawn: false,
        non_contending: false,
    };
    may_enter(club, known, None, &pair)?;
    if known.entries.len() >= ENTRIES_MAX {
        return refuse(tell!(Competition::TooManyEntries { most: ENTRIES_MAX }));
    }
    let last = known.entries.keys().next_back().map_or(0, |last| last.0);
    Ok(CompetitionEvent::Entered {
        competition,
        entry: EntryNumber(last + 1),
        pair,
    })
}

fn has_entry(known: &Competition, entry: EntryNumber) -> Result<(), Refused> {
    if known.entries.contains_key(&entry) {
        return Ok(());
    }
    refuse(tell!(Competition::NoSuchEntry { n: entry.0 }))
}

fn may_enter(
    club: &Club,
    known: &Competition,
    own: Option<EntryNumber>,
    pair: &Entry,
) -> Result<(), Refused> {
    if known.plan.rules.contestants != Contestants::NominatedPairs {
        return refuse(tell!(Competition::NobodyEnters {
            name: &*known.plan.name
        }));
    }
    let [one, other] = &pair.players;
    if one == other {
        return refuse(tell!(Competition::TwoDifferentPlayers));
    }
    if pair.withdrawn {
        return Ok(());
    }
    let others = known
        .entries
        .iter()
        .filter(|(number, it)| Some(**number) != own && !it.withdrawn);
    for (number, entry) in others {
        if let Some(player) = pair.players.iter().find(|it| entry.players.contains(it)) {
            return refuse(tell!(Competition::EnteredAlready {
                player: club.called(player),
                n: number.0
            }));
        }
    }
    Ok(())
}

fn noted(
    club: &Club,
    competition: CompetitionId,
    session: SessionId,
    entry: EntryNumber,
    note: Option<&Note>,
) -> Result<CompetitionEvent, Refused> {
    let known = known(club, competition)?;
    has_entry(known, entry)?;
    let scheduled = club.sessions.get(&session);
    if !scheduled.is_some_and(|scheduled| known.takes(session, scheduled)) {
        return refuse(tell!(Competition::SessionNotInIt { n: session.get() }));
    }
    if let Some(Note::PlayedBy { players, .. }) = note
        && players[0] == players[1]
    {
        return refuse(tell!(Competition::TwoDifferentPlayers));
    }
    Ok(CompetitionEvent::Noted {
        competition,
        session,
        entry,
        note: note.cloned(),
    })
}

fn handicaps_set(
    club: &Club,
    competition: CompetitionId,
    handicaps: &[(PlayerKey, Option<Hundredths>)],
) -> Result<CompetitionEvent, Refused> {
    let known = known(club, competition)?;
    if !known.plan.rules.handicap {
        return refuse(tell!(Competition::NoHandicapsIn {
            name: &*known.plan.name
        }));
    }
    if handicaps.is_empty() || handicaps.len() > HANDICAPS_MAX {
        return refuse(tell!(Competition::HandicapsFrom1 {
            most: HANDICAPS_MAX
        }));
    }
    let most = HANDICAP_MOST.0;
    let too_much = |it: &Hundredths| !(-most..=most).contains(&it.0);
    let mut given = handicaps.iter();
    if let Some((player, _)) = given.find(|(_, it)| it.as_ref().is_some_and(too_much)) {
        return refuse(tell!(Competition::HandicapTooMuch {
            player: club.called(player),
            most: most / 100
        }));
    }
    Ok(CompetitionEvent::HandicapsSet {
        competition,
        handicaps: handicaps.to_vec(),
    })
}

fn checked_groups(groups: &Groups) -> Result<Groups, Refused> {
    let names = groups
        .names
        .iter()
        .map(|name| tidy_needed(name, tell!(Competition::GroupsName), NAME_LEN_MAX))
        .collect::<Result<Vec<_>, _>>()?;
    if names.len() > GROUPS_MAX {
        return refuse(tell!(Competition::TooManyGroups { most: GROUPS_MAX }));
    }
    let different: BTreeSet<&String> = names.iter().collect();
    if different.len() < names.len() {
        return refuse(tell!(Competition::GroupTwice));
    }
    let least = if groups.kind == GroupKind::Strata {
        2
    } else {
        0
    };
    if names.len() < least {
        return refuse(tell!(Competition::StrataFrom2));
    }
    let players: BTreeSet<&PlayerKey> = groups.of.iter().map(|(player, _)| player).collect();
    if players.len() < groups.of.len() || groups.of.iter().any(|(_, at)| *at >= names.len()) {
        return refuse(tell!(Competition::PlayerInOneGroup));
    }
    Ok(Groups {
        names,
        ..groups.clone()
    })
}
