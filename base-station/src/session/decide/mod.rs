//! What a director's command leads to: events, or a refusal in words. Judged from the state
//! alone; nothing is changed here.

mod club;
mod evening;
mod movement;
mod pads;
mod results;

use protocol::words::SessionId;

use super::{Command, Event, Moment, NewRecord, Phase, Refused, Session, State, Who};

pub(in crate::session) use evening::PAIR_NUMBER_MAX;
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
        let events = if let Some(events) = club::decide(self, command) {
            events?
        } else {
            let session = self.session.as_ref().ok_or_else(|| {
                Refused::because("no session is chosen: create an event or choose a session first")
            })?;
            decide_in_session(self, session, command, now)?
        };
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
    events
        .into_iter()
        .map(|event| NewRecord {
            at: now,
            who: who.clone(),
            session: session.filter(|_| !event.is_about_the_club()),
            event,
        })
        .collect()
}

fn decide_in_session(state: &State, session: &Session, command: &Command, now: Moment) -> Decided {
    if let Some(decided) = evening::decide(state, session, command, now) {
        return decided;
    }
    if let Some(decided) = pads::decide(state, session, command) {
        return decided;
    }
    if let Some(decided) = results::decide(session, command) {
        return decided;
    }
    movement::decide(session, command)
        .unwrap_or_else(|| refuse("this is not something that can be done in a session"))
}

fn refuse<T>(sentence: impl Into<String>) -> Result<T, Refused> {
    Err(Refused::because(sentence))
}

/// A text that people typed: no control characters, no doubled or outer spaces, not too long.
fn tidy(text: &str, what: &str, len_max: usize) -> Result<String, Refused> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let tidy = words.join(" ");
    if tidy.chars().count() > len_max {
        return refuse(format!("{what} is too long: at most {len_max} characters"));
    }
    if tidy.chars().any(is_unprintable) {
        return refuse(format!("{what} has characters that can't be printed"));
    }
    Ok(tidy)
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
fn tidy_needed(text: &str, what: &str, len_max: usize) -> Result<String, Refused> {
    let tidy = tidy(text, what, len_max)?;
    if tidy.is_empty() {
        return refuse(format!("{what} is missing"));
    }
    Ok(tidy)
}

/// The longest name of an event, a player or a movement.
const NAME_LEN_MAX: usize = 80;

/// The longest name of a movement, with all that became of it.
const MOVEMENT_LEN_MAX: usize = 300;

/// The longest reason.
const WHY_LEN_MAX: usize = 400;

/// Results can't be changed while they are published.
fn not_released(session: &Session) -> Result<(), Refused> {
    if session.phase == Phase::Released {
        return refuse("the result is released: reopen the session first, then correct it");
    }
    Ok(())
}
