//! Several commands in a row, each judged by what those before it lead to; nothing is written.

use std::sync::Arc;

use protocol::words::SessionId;

use telling::tell;

use super::{Command, Event, Moment, NewRecord, Refused, Seq, Session, State, Who};

/// What commands would lead to.
#[derive(Debug)]
pub struct Rehearsal {
    state: State,
    decided: Vec<NewRecord>,
    who: Who,
    now: Moment,
}

impl Rehearsal {
    /// As things stand.
    pub fn of(state: &State, who: &Who, now: Moment) -> Self {
        Self {
            state: state.clone(),
            decided: Vec::new(),
            who: who.clone(),
            now,
        }
    }

    /// What would be so after a command. A refused one leads to nothing.
    pub fn tell(&mut self, command: &Command) -> Result<(), Refused> {
        let before = self.decided.len();
        self.decided
            .extend(self.state.decide(command, &self.who, self.now)?);
        for at in before..self.decided.len() {
            let Some(record) = self.decided.get(at) else {
                continue;
            };
            let placed = Arc::new(record.clone().at_place(self.state.seq.next()));
            self.state.apply(&placed);
            if let Event::SessionChosen { session } = placed.event {
                let begun = self.begun(session, at);
                self.state.session = Some(begun?);
            }
        }
        Ok(())
    }

    /// How things would stand.
    pub const fn state(&self) -> &State {
        &self.state
    }

    /// What would be written.
    pub(super) fn into_records(self) -> Vec<NewRecord> {
        self.decided
    }

    /// A session that was added in this row. The history of an older one is in the journal.
    fn begun(&self, id: SessionId, upto: usize) -> Result<Session, Refused> {
        let decided = self.decided.get(..=upto).unwrap_or_default();
        let added = |record: &NewRecord| matches!(record.event, Event::SessionAdded { session, .. } if session == id);
        if !decided.iter().any(added) {
            return Err(Refused::because(tell!(Refused::ChooseSessionFirst)));
        }
        let own = decided.iter().filter(|record| record.session == Some(id));
        // Places are given when it is written; here only their order counts.
        let placed = own.zip(1..);
        let placed = placed.map(|(record, at)| Arc::new(record.clone().at_place(Seq(at))));
        Ok(Session::folded(id, placed))
    }
}
