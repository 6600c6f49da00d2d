//! A scoring program that works with a session: what it calls things, and how far it has read.
//!
//! # Evolution
//! As in [`super::Event`]: append variants, never change the meaning of a field, give new fields a
//! default.

use connector::Queue;
use protocol::words::{SectionLetter, SessionId};
use serde::{Deserialize, Serialize};

use super::stored::QueueForm;
use super::{Club, Event, Refused, Seq, State, Who};
use telling::{Told, tell};

/// Under this name a scoring program stands in the journal.
const PROGRAM: &str = "the scoring program";

/// What a scoring program does, and how far it has read. Stored for ever inside
/// [`super::Event::Connector`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ConnectorEvent {
    /// A session was set up by a program, or it has other sections now.
    Linked {
        /// Which.
        session: SessionId,
        /// What the program calls its parts.
        link: Link,
    },
    /// The program has everything of a queue up to this record.
    Accepted {
        /// The session, as the program calls it.
        guid: String,
        /// What the queue is about.
        #[serde(with = "QueueForm")]
        queue: Queue,
        /// The last record.
        upto: Seq,
    },
    /// Programs may come, or not.
    Switched {
        /// They may.
        on: bool,
    },
}

/// What a scoring program asks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ConnectorCommand {
    /// The chosen session is what the program calls so.
    Link(Link),
    /// Everything of a queue up to a record has arrived.
    Accept {
        /// The session, as the program calls it.
        guid: String,
        /// What the queue is about.
        #[serde(with = "QueueForm")]
        queue: Queue,
        /// The last record.
        upto: Seq,
    },
    /// Let programs come, or not.
    Switch {
        /// They may.
        on: bool,
    },
}

/// What a program calls a session and its parts. All its sessions of one event are one session
/// here, because they are played in one room at one time.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    /// The event.
    pub event: String,
    /// Its sessions.
    pub sessions: Vec<LinkedSession>,
    /// Player numbers are written with so many digits there, zeros first; 0 for as many as needed.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub digits: u8,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde asks with a reference"
)]
pub(super) const fn is_zero(digits: &u8) -> bool {
    *digits == 0
}

/// A session of the program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkedSession {
    /// What it is called by.
    pub guid: String,
    /// Its sections.
    pub sections: Vec<LinkedSection>,
}

/// A section of the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkedSection {
    /// Here.
    pub section: SectionLetter,
    /// There: one to three letters.
    pub letters: String,
    /// The scoring group it belongs to there.
    pub group: u32,
    /// How that is scored there.
    pub method: u8,
    /// Pairs or teams, as a number of the wire.
    pub game: u8,
}

impl Link {
    /// A session by what the program calls it.
    pub fn session(&self, guid: &str) -> Option<&LinkedSession> {
        self.sessions.iter().find(|session| session.guid == guid)
    }

    /// Every section.
    pub fn sections(&self) -> impl Iterator<Item = &LinkedSection> {
        self.sessions.iter().flat_map(|session| &session.sections)
    }
}

impl LinkedSession {
    /// A section by the program's letters.
    pub fn section(&self, letters: &str) -> Option<&LinkedSection> {
        self.sections
            .iter()
            .find(|section| section.letters == letters)
    }

    /// A section by our letter.
    pub fn letters(&self, section: SectionLetter) -> Option<&LinkedSection> {
        self.sections.iter().find(|known| known.section == section)
    }
}

impl Who {
    /// A scoring program.
    pub fn program() -> Self {
        Self::Director(PROGRAM.to_owned())
    }

    /// Whether it was a scoring program.
    pub fn is_program(&self) -> bool {
        matches!(self, Self::Director(name) if name == PROGRAM)
    }
}

impl Club {
    /// The session that a program calls by this event, the latest where there are several.
    pub fn linked_event(&self, event: &str) -> Option<SessionId> {
        let mut links = self.links.iter().rev();
        links.find_map(|(session, link)| (link.event == event).then_some(*session))
    }
}

pub(super) fn decide(state: &State, command: &ConnectorCommand) -> Result<Vec<Event>, Refused> {
    let session = || {
        state
            .session
            .as_ref()
            .ok_or_else(|| Refused::because(tell!(Connector::NoSessionChosenChoose)))
    };
    let event = match command {
        ConnectorCommand::Link(link) => ConnectorEvent::Linked {
            session: session()?.id,
            link: link.clone(),
        },
        ConnectorCommand::Accept { guid, queue, upto } => {
            let known = session()?.accepted.get(&(guid.clone(), *queue));
            if known.is_some_and(|known| known >= upto) {
                return Ok(Vec::new());
            }
            if *upto > state.seq {
                return Err(Refused::because(tell!(Connector::ThereNoItemQueue {
                    upto
                })));
            }
            ConnectorEvent::Accepted {
                guid: guid.clone(),
                queue: *queue,
                upto: *upto,
            }
        }
        ConnectorCommand::Switch { on } if *on == state.club.connector_on => {
            return Ok(Vec::new());
        }
        ConnectorCommand::Switch { on } => ConnectorEvent::Switched { on: *on },
    };
    Ok(vec![Event::Connector(event)])
}

impl ConnectorEvent {
    /// What happened, for the club's and the session's history.
    pub fn sentence(&self) -> Told {
        match self {
            Self::Linked { link, .. } => {
                let letters: Vec<&str> = (link.sections())
                    .map(|section| section.letters.as_str())
                    .collect();
                tell!(Connector::ScoringProgramWorksWith { section: letters })
            }
            Self::Accepted { upto, .. } => {
                tell!(Connector::ScoringProgramEverythingUp { upto })
            }
            Self::Switched { on: true } => tell!(Connector::ScoringProgramsMayConnect),
            Self::Switched { on: false } => tell!(Connector::ScoringProgramsMayNo),
        }
    }
}
