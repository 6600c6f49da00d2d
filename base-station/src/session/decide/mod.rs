//! What a director's command leads to: events, or a refusal in words. Judged from the state
//! alone; nothing is changed here.

#![deny(
    clippy::wildcard_enum_match_arm,
    clippy::match_wildcard_for_single_variants
)]

mod club;
mod evening;
mod movement;
mod pads;
mod results;

use std::sync::Arc;

use protocol::words::SessionId;

use super::concerns::{
    club_commands, evening_commands, movement_commands, pad_commands, result_commands,
};
use super::{
    Command, Event, Moment, NewRecord, Penalty, Phase, Record, Refused, Rehearsal, Seq, Session,
    State, Who,
};
use telling::{Told, tell};

pub(in crate::session) use club::calendar_day;
pub(in crate::session) use evening::{PAIR_NUMBER_MAX, check_sittings};
pub(in crate::session) use pads::epoch_for;
pub use results::can_be_undone;

/// A decision's events, each with the history it belongs to.
pub(super) type Decided = Result<Vec<Event>, Refused>;

impl State {
    /// The records that a command leads to.
    pub fn decide(
        &self,
        command: &Command,
        who: &Who,
        now: Moment,
    ) -> Result<Vec<NewRecord>, Refused> {
        let chosen = || {
            self.session
                .as_ref()
                .ok_or_else(|| Refused::because(tell!(Refused::NoSessionChosenCreate)))
        };
        if let Command::Together(commands) = command {
            let mut rehearsal = Rehearsal::of(self, who, now);
            for command in commands {
                rehearsal.tell(command)?;
            }
            return Ok(rehearsal.into_records());
        }
        let events = match command {
            club_commands!() => club::decide(self, command),
            evening_commands!() => evening::decide(self, chosen()?, command, now),
            pad_commands!() => pads::decide(self, chosen()?, command),
            result_commands!() => results::decide(chosen()?, command),
            movement_commands!() => movement::decide(chosen()?, command, now),
        }?;
        if let Some(session) = &self.session {
            what_was_chosen_holds(session, &events, now)?;
        }
        let session = self.session.as_ref().map(|session| session.id);
        Ok(records(events, session, who, now))
    }
}

/// Puts events into the history they belong to.
pub(super) fn records(
    events: Vec<Event>,
    session: Option<SessionId>,
    who: &Who,
    now: Moment,
) -> Vec<NewRecord> {
    let mut belongs_to = session;
    events
        .into_iter()
        .map(|event| {
            // What follows a new session is about that one.
            if let Event::SessionAdded { session, .. } = &event {
                belongs_to = Some(*session);
            }
            NewRecord {
                at: now,
                who: who.clone(),
                session: belongs_to.filter(|_| !event.is_about_the_club()),
                event,
            }
        })
        .collect()
}

/// For the commands of the other groups, which [`State::decide`] never brings.
fn not_here() -> Decided {
    refuse(tell!(Refused::NotSomethingCanDone))
}

/// What no order of choosing and taking back may lead to: one field with two sets of boards, or a
/// penalty that this scoring can't count.
fn what_was_chosen_holds(session: &Session, events: &[Event], now: Moment) -> Result<(), Refused> {
    let may_matter = |event: &Event| {
        matches!(
            event,
            Event::SectionPlanned { .. }
                | Event::SectionRemoved { .. }
                | Event::ScoringChosen(_)
                | Event::MovementChanged { .. }
                | Event::MovementRevised { .. }
                | Event::Undone { .. }
        )
    };
    if !events.iter().any(may_matter) {
        return Ok(());
    }
    let mut after = session.clone();
    let mut seq = session.records.last().map_or(Seq(0), |last| last.seq);
    for event in events {
        seq = seq.next();
        after.apply(&Arc::new(Record {
            seq,
            at: now,
            who: Who::Base,
            session: Some(session.id),
            event: event.clone(),
        }));
    }
    every_penalty_still_counts(session, &after)?;
    if session.one_field_is_possible().is_err() {
        return Ok(());
    }
    after.one_field_is_possible()
}

/// A penalty that has an effect keeps it. One that had none in an old journal is nobody's fault now.
fn every_penalty_still_counts(before: &Session, after: &Session) -> Result<(), Refused> {
    let counts = |session: &Session, penalty: &Penalty| {
        session.can_count(penalty.pair.section, penalty.amount)
    };
    let lost = after.penalties.iter().find(|(change, penalty)| {
        let known = before.penalties.get(*change);
        !counts(after, penalty) && known.is_none_or(|known| counts(before, known))
    });
    let Some((change, penalty)) = lost else {
        return Ok(());
    };
    let pair = penalty.pair;
    refuse(if before.penalties.contains_key(change) {
        tell!(Refused::PairPenaltyCouldNot { pair })
    } else {
        tell!(Refused::PairWouldPenaltyScoring { pair })
    })
}

pub(super) fn refuse<T>(why: impl Into<Told>) -> Result<T, Refused> {
    Err(Refused::because(why))
}

/// A text that people typed: no control characters, no doubled or outer spaces, not too long.
pub(super) fn tidy(text: &str, what: impl Into<Told>, len_max: usize) -> Result<String, Refused> {
    let what = what.into();
    let words: Vec<&str> = text.split_whitespace().collect();
    let tidy = words.join(" ");
    if tidy.chars().count() > len_max {
        return refuse(tell!(Refused::TooLongAtMost { what, len_max }));
    }
    if tidy.chars().any(is_unprintable) {
        return refuse(tell!(Refused::CharactersCantPrinted { what }));
    }
    Ok(tidy)
}

/// Whether a letter may stand in a text that people typed.
pub const fn is_printable(letter: char) -> bool {
    !is_unprintable(letter)
}

/// Control characters, and those that turn the text around them: a name could pose as another.
const fn is_unprintable(letter: char) -> bool {
    matches!(
        letter,
        '\0'..='\u{1F}'
            | '\u{7F}'..='\u{9F}'
            | '\u{200B}'..='\u{200F}'
            | '\u{202A}'..='\u{202E}'
            | '\u{2060}'..='\u{2069}'
            | '\u{FEFF}'
    )
}

/// The same, where something must be written.
pub(super) fn tidy_needed(
    text: &str,
    what: impl Into<Told>,
    len_max: usize,
) -> Result<String, Refused> {
    let what = what.into();
    let tidy = tidy(text, what.clone(), len_max)?;
    if tidy.is_empty() {
        return refuse(tell!(Refused::Missing { what }));
    }
    Ok(tidy)
}

/// Whether a player may be called so, and how that is written.
pub fn check_name(name: &str) -> Result<String, Refused> {
    tidy_needed(name, tell!(Contest::Name), NAME_LEN_MAX)
}

/// The longest name of an event, a player or a movement.
pub(super) const NAME_LEN_MAX: usize = 80;

/// The longest name of a movement, with all that became of it.
const MOVEMENT_LEN_MAX: usize = 300;

/// The longest reason.
pub(super) const WHY_LEN_MAX: usize = 400;

/// Results can't be changed while they are published.
pub(super) fn not_released(session: &Session) -> Result<(), Refused> {
    if session.phase == Phase::Released {
        return refuse(tell!(Refused::ResultReleasedReopenSession));
    }
    Ok(())
}
