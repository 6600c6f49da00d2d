//! Commands about the calendar, the list of players and the page's password.

use protocol::words::{PadId, PlayerNumber, SessionId};

use super::{Decided, NAME_LEN_MAX, not_here, refuse, tidy, tidy_needed};
use crate::session::concerns::{
    evening_commands, movement_commands, pad_commands, result_commands,
};
use crate::session::director_pin::may_be_chosen;
use crate::session::plan::Scoring;
use crate::session::{
    Command, Event, EventId, Joined, OwnPhone, Phase, Refused, Session, State, Trust,
};
use telling::tell;

pub(super) fn decide(state: &State, command: &Command) -> Decided {
    let club = &state.club;
    match command {
        Command::CreateEvent { name, date, title } => create_event(state, name, date, title),
        Command::RenameEvent { event, name } => known_event(state, *event)
            .and_then(|()| event_name(state, name))
            .map(|name| {
                vec![Event::EventRenamed {
                    event: *event,
                    name,
                }]
            }),
        Command::AddSession { event, date, title } => known_event(state, *event)
            .and_then(|()| session_added(state, *event, date, title))
            .map(|added| vec![added, how_it_is_scored()]),
        Command::RenameSession {
            session,
            date,
            title,
        } => known_session(state, *session)
            .and_then(|()| session_renamed(*session, date, title))
            .map(|renamed| vec![renamed]),
        Command::ChooseSession { session } => known_session(state, *session)
            .map(|()| vec![Event::SessionChosen { session: *session }]),
        Command::ListMembers { members, digits } => list_members(members, digits),
        Command::RenameMember { number, name } => {
            tidy_needed(name, tell!(Contest::Name), NAME_LEN_MAX).and_then(|name| {
                if club.members.contains_key(number) {
                    let number = *number;
                    Ok(vec![Event::MemberRenamed { number, name }])
                } else {
                    refuse(tell!(Refused::PlayerNumberNotClubs { number }))
                }
            })
        }
        Command::NameClub { name } => tidy_needed(name, tell!(Refused::ClubsName), NAME_LEN_MAX)
            .map(|name| vec![Event::ClubNamed(name)]),
        Command::SetDirectorPin { pin } => {
            may_be_chosen(*pin).map(|()| vec![Event::DirectorPinSet(*pin)])
        }
        Command::SetPassword { hash } => Ok(vec![Event::PasswordSet { hash: hash.clone() }]),
        Command::AllowReading { without_password } => Ok(vec![Event::ReadingAllowed {
            without_password: *without_password,
        }]),
        Command::SetCheck { kind, attention } => Ok(vec![Event::CheckSet {
            kind: *kind,
            attention: *attention,
        }]),
        Command::SetLocalTime { minutes_east } => local_time(*minutes_east),
        Command::SetCorrectionPeriod { hours } => correction_period(*hours),
        Command::OpenBackup { made } => Ok(vec![Event::BackupOpened { made: *made }]),
        Command::ChangeTrust(trust) => change_trust(state, *trust),
        Command::Competition(command) => crate::session::competition::decide(club, command),
        Command::Connector(command) => crate::session::connector::decide(state, command),
        // Its parts are decided one by one, see `State::decide`.
        Command::Together(_) => not_here(),
        evening_commands!() | pad_commands!() | result_commands!() | movement_commands!() => {
            not_here()
        }
    }
}

/// A revoked pad gives up its table, so that another can log on there.
fn change_trust(state: &State, trust: Trust) -> Decided {
    let club = &state.club;
    let name = |pad: PadId| format!("{:08X}", pad.get());
    match trust {
        Trust::PadRevoked { pad } if club.revoked.contains(&pad) => {
            return refuse(tell!(Refused::PadRevokedAlready { pair: name(pad) }));
        }
        Trust::PadRestored { pad } if !club.revoked.contains(&pad) => {
            return refuse(tell!(Refused::PadNotRevoked { pair: name(pad) }));
        }
        Trust::PhoneJoined(joined) => may_join(state, joined)?,
        Trust::OwnPhoneJoined(own) => may_be_own(state, own)?,
        Trust::PadWelcomed { pad, .. } if club.revoked.contains(&pad) => {
            return refuse(tell!(Refused::PadRevokedTrustFirst { pad: name(pad) }));
        }
        Trust::OldKeyEnded if club.pads.renewing.is_none() => {
            return refuse(tell!(Refused::ClubsKeyNotRenewed));
        }
        Trust::PadRevoked { .. }
        | Trust::PadRestored { .. }
        | Trust::OldPads { .. }
        | Trust::PadWelcomed { .. }
        | Trust::PadTested { .. }
        | Trust::KeyRenewed
        | Trust::PadRenewed { .. }
        | Trust::OldKeyEnded => {}
    }
    let mut events = vec![Event::TrustChanged(trust)];
    if let Trust::PadRevoked { pad } = trust
        && let Some(session) = &state.session
    {
        let held = session.holders().find(|(_, holder)| *holder == pad);
        events.extend(held.map(|(table, pad)| Event::TableFreed { table, pad }));
    }
    Ok(events)
}

/// A code counts in its own session, at a table that is played at, and once.
fn may_join(state: &State, joined: Joined) -> Result<(), Refused> {
    let Joined {
        pad,
        session,
        table,
        number,
        ..
    } = joined;
    let now = session_of_code(state, session)?;
    if !now.all_tables().any(|it| it == table) {
        return Err(Refused::because(tell!(Refused::ThereNoTableTonight {
            table
        })));
    }
    is_nobody_yet(state, pad)?;
    if state.club.next_code(session, table) != number {
        return Err(Refused::because(tell!(Refused::CodeUsed { table })));
    }
    Ok(())
}

/// A pair's code counts in its own session, for a pair that plays, and once.
fn may_be_own(state: &State, own: OwnPhone) -> Result<(), Refused> {
    let OwnPhone {
        phone,
        session,
        pair,
        number,
        ..
    } = own;
    let now = session_of_code(state, session)?;
    if !now.pairs().contains(&pair) {
        return Err(Refused::because(tell!(Refused::ThereNoPairSession {
            pair
        })));
    }
    is_nobody_yet(state, phone)?;
    if state.club.next_own_code(session, pair) != number {
        return Err(Refused::because(tell!(Refused::OwnCodeUsed { pair })));
    }
    Ok(())
}

/// The session that a code is of, while it is played.
fn session_of_code(state: &State, session: SessionId) -> Result<&Session, Refused> {
    let Some(now) = state.session.as_ref().filter(|now| now.id == session) else {
        return Err(Refused::because(tell!(Refused::CodeOfAnotherSession)));
    };
    if matches!(now.phase, Phase::Ended | Phase::Released) {
        return Err(Refused::because(tell!(Refused::CodeSessionOver)));
    }
    Ok(now)
}

/// A new phone has a name that no pad and no phone of the club has.
fn is_nobody_yet(state: &State, pad: PadId) -> Result<(), Refused> {
    let club = &state.club;
    let known = club.epochs.keys().any(|(it, _)| *it == pad)
        || club.phones.contains_key(&pad)
        || club.own_phones.contains_key(&pad);
    if known {
        return Err(Refused::because(tell!(Refused::PadKnownAlready {
            pair: format!("{:08X}", pad.get())
        })));
    }
    Ok(())
}

/// From the date line to the date line.
fn local_time(minutes_east: i16) -> Decided {
    if (-12 * 60..=14 * 60).contains(&minutes_east) {
        Ok(vec![Event::LocalTimeSet { minutes_east }])
    } else {
        refuse(tell!(Refused::ClockWallAtMost))
    }
}

/// Longer than a year is a slip of the finger.
const CORRECTION_HOURS_MAX: u16 = 366 * 24;

fn correction_period(hours: u16) -> Decided {
    if (1..=CORRECTION_HOURS_MAX).contains(&hours) {
        Ok(vec![Event::CorrectionPeriodSet { hours }])
    } else {
        refuse(tell!(Refused::CorrectionPeriod1Hours {
            n: CORRECTION_HOURS_MAX
        }))
    }
}

fn create_event(state: &State, name: &str, date: &str, title: &str) -> Decided {
    let event = state.club.next_event();
    let name = event_name(state, name)?;
    let added = session_added(state, event, date, title)?;
    let Event::SessionAdded { session, .. } = added else {
        return Ok(Vec::new());
    };
    let mut events = vec![
        Event::EventCreated { event, name },
        added,
        how_it_is_scored(),
        Event::SessionChosen { session },
    ];
    // A number that was chosen for one session, before it was the club's, stays with the club.
    let chosen = state.director_pin();
    let kept =
        chosen.filter(|pin| state.club.director_pin.is_none() && may_be_chosen(*pin).is_ok());
    events.extend(kept.map(Event::DirectorPinSet));
    Ok(events)
}

/// A session says from the beginning how it is scored: what it means to say nothing is fixed by
/// those that were stored earlier.
const fn how_it_is_scored() -> Event {
    Event::ScoringChosen(Scoring::CLUB_EVENING)
}

fn event_name(state: &State, name: &str) -> Result<String, Refused> {
    let name = tidy_needed(name, tell!(Refused::EventsName), NAME_LEN_MAX)?;
    if state.club.events.values().any(|known| *known == name) {
        return refuse(tell!(Refused::ThereAlreadyEventCalled { name }));
    }
    Ok(name)
}

fn known_event(state: &State, event: EventId) -> Result<(), Refused> {
    if state.club.events.contains_key(&event) {
        Ok(())
    } else {
        refuse(tell!(Refused::ThereNoEventCalendar { event: event.0 }))
    }
}

fn known_session(state: &State, session: SessionId) -> Result<(), Refused> {
    if state.club.sessions.contains_key(&session) {
        Ok(())
    } else {
        refuse(tell!(Refused::ThereNoSessionCalendar { session }))
    }
}

fn session_renamed(session: SessionId, date: &str, title: &str) -> Result<Event, Refused> {
    Ok(Event::SessionRenamed {
        session,
        date: calendar_day(date)?,
        title: tidy(title, tell!(Refused::SessionsName), NAME_LEN_MAX)?,
    })
}

fn session_added(state: &State, event: EventId, date: &str, title: &str) -> Result<Event, Refused> {
    Ok(Event::SessionAdded {
        session: state.club.next_session(),
        event,
        date: calendar_day(date)?,
        title: tidy(title, tell!(Refused::SessionsName), NAME_LEN_MAX)?,
    })
}

/// A day as 2026-11-16.
pub(in crate::session) fn calendar_day(date: &str) -> Result<String, Refused> {
    let expected = || Refused::because(tell!(Refused::ExpectedDaySuchAs));
    let parts: Vec<&str> = date.trim().split('-').collect();
    let [year, month, day] = parts.as_slice() else {
        return Err(expected());
    };
    let number = |text: &str, len: usize| {
        let all_digits = text.len() == len && text.bytes().all(|byte| byte.is_ascii_digit());
        all_digits.then(|| text.parse::<u16>().ok()).flatten()
    };
    let (Some(year), Some(month), Some(day)) = (number(year, 4), number(month, 2), number(day, 2))
    else {
        return Err(expected());
    };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        1..=12 => 31,
        _ => 0,
    };
    if (1..=days).contains(&day) {
        Ok(date.trim().to_owned())
    } else {
        refuse(tell!(Refused::NotDayCalendar { given: date.trim() }))
    }
}

fn list_members(members: &[(PlayerNumber, String)], digits: &[(PlayerNumber, u8)]) -> Decided {
    let members = members
        .iter()
        .map(|(number, name)| {
            let what = tell!(Refused::NameOfPlayer { number });
            tidy_needed(name, what, NAME_LEN_MAX).map(|name| (*number, name))
        })
        .collect::<Result<Vec<_>, _>>()?;
    if members.is_empty() {
        return refuse(tell!(People::ListPlayersEmpty));
    }
    let digits = digits.to_vec();
    Ok(vec![Event::MembersListed { members, digits }])
}
