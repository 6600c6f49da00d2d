//! What a request of a scoring program would change, command by command, before anything is done.

use connector::{Answer, DataType, ErrorType, Fault};

use crate::session::{Command, Link, Moment, Refused, Rehearsal, Session, State, Who};
use telling::{Told, Voice, tell};

/// The most notes of one answer; the rest are counted.
const NOTES_MAX: usize = 20;

/// What would be done.
#[derive(Debug)]
pub(super) struct Draft {
    rehearsal: Rehearsal,
    commands: Vec<Command>,
    notes: Vec<Told>,
}

impl Draft {
    /// Nothing yet.
    pub(super) fn of(state: &State, now: Moment) -> Self {
        Self {
            rehearsal: Rehearsal::of(state, &Who::program(), now),
            commands: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// How things would stand.
    pub(super) const fn state(&self) -> &State {
        self.rehearsal.state()
    }

    /// The session that is being played.
    pub(super) fn session(&self) -> Result<&Session, Fault> {
        let session = self.state().session.as_ref();
        session.ok_or_else(|| Fault::new(ErrorType::EntryUnknown, "no session is being played"))
    }

    /// What the program calls it.
    pub(super) fn link(&self) -> Result<&Link, Fault> {
        let link = self.state().club.links.get(&self.session()?.id);
        link.ok_or_else(|| {
            Fault::new(
                ErrorType::EntryUnknown,
                "the session that is being played was not set up by a scoring program",
            )
        })
    }

    /// The same, if it has a session of this name.
    pub(super) fn linked(&self, guid: &str) -> Result<Link, Fault> {
        let link = self.link()?;
        if link.session(guid).is_none() {
            return Err(Fault::new(
                ErrorType::EntryUnknown,
                "this session is not the one that Byestand plays: continue its event, or set it up",
            ));
        }
        Ok(link.clone())
    }

    /// Something that can't be rehearsed: the history of another session is in the journal.
    pub(super) fn alone(&mut self, command: Command) {
        self.commands.push(command);
    }

    /// One more thing that the session decides by itself.
    pub(super) fn decided(&mut self, command: Command) -> Result<(), Fault> {
        self.try_to(command)
            .map_err(|Refused(why)| Fault::invalid(why.to_string()))
    }

    /// One more thing that has to be.
    pub(super) fn must(&mut self, command: Command) -> Result<(), Fault> {
        self.try_to(command)
            .map_err(|Refused(why)| Fault::new(ErrorType::Movement, why.to_string()))
    }

    /// One more thing, if it can be.
    pub(super) fn try_to(&mut self, command: Command) -> Result<(), Refused> {
        self.rehearsal.tell(&command)?;
        self.commands.push(command);
        Ok(())
    }

    /// Something that the program should know.
    pub(super) fn note(&mut self, sentence: Told) {
        if !self.notes.contains(&sentence) {
            self.notes.push(sentence);
        }
    }

    /// That it is done, with what the program should know.
    pub(super) fn answer(&self, done: &str) -> Answer {
        let english = |told: &Told| told.in_words(Voice::default());
        let mut sentences = vec![done.to_owned()];
        sentences.extend(self.notes.iter().take(NOTES_MAX).map(english));
        if self.notes.len() > NOTES_MAX {
            let n = self.notes.len() - NOTES_MAX;
            sentences.push(english(&tell!(Connector::MoreNotes { n })));
        }
        Answer::with(DataType::Ok, 0, &sentences.join("; "))
    }

    /// What is to be done, all of it or nothing, and the notes.
    pub(super) fn into_parts(self) -> (Option<Command>, Vec<Told>) {
        let mut commands = self.commands;
        let command = match commands.len() {
            0 => None,
            1 => commands.pop(),
            _ => Some(Command::Together(commands)),
        };
        (command, self.notes)
    }
}
