//! How a pad comes to hold a table.

use protocol::message::{LogOn, RefusalReason, WIRE_VERSION_MIN};
use serde::{Deserialize, Serialize};

use super::decide::epoch_for;
use super::pad_says::{Decision, Reply, Speech};
use super::{Event, Phase, Replacing, Session, TableId};

/// How a pad came to hold a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Admission {
    /// The table was free.
    LoggedOn,
    /// In the place of another pad.
    Replaced,
    /// The same pad, which had lost its game.
    Recovered,
}

impl Speech<'_> {
    pub(super) fn log_on(&self, claim: &LogOn, how: Admission) -> Decision {
        let Some(session) = &self.state.session else {
            return self.refuse(RefusalReason::SessionNotOpen);
        };
        let table = TableId {
            section: claim.section,
            table: claim.table,
        };
        if let Err(reason) = self.may_log_on(session, claim, table, how) {
            return self.refuse(reason);
        }
        if how == Admission::Recovered && !self.had(session, table) {
            return self.refuse(RefusalReason::NotAllowed);
        }
        if let Some(asking) = self.must_ask(session, table, how) {
            return asking;
        }
        match epoch_for(self.state, session, self.pad, table, claim.wire_version) {
            Err(_) => self.refuse(RefusalReason::NotAllowed),
            Ok((epoch, given)) => {
                let mut events = vec![
                    given,
                    Event::PadAdmitted {
                        pad: self.pad,
                        table,
                        epoch,
                        how,
                        firmware: claim.firmware,
                    },
                ];
                events.extend(self.battery(claim.state, table));
                self.decision(events, vec![Reply::Welcome(table)])
            }
        }
    }

    fn may_log_on(
        &self,
        session: &Session,
        claim: &LogOn,
        table: TableId,
        how: Admission,
    ) -> Result<(), RefusalReason> {
        if claim.wire_version < WIRE_VERSION_MIN {
            return Err(RefusalReason::VersionTooOld);
        }
        match session.phase {
            Phase::SettingUp => return Err(RefusalReason::SessionNotOpen),
            Phase::Open => {}
            // A pad that lost its game at the very end may still fetch it and send the rest.
            Phase::Ended if how != Admission::LoggedOn => {}
            Phase::Ended | Phase::Released => return Err(RefusalReason::SessionOver),
        }
        let section = session
            .sections
            .get(&claim.section)
            .ok_or(RefusalReason::NoSuchSection)?;
        if section.sheets(claim.table).next().is_none() {
            return Err(RefusalReason::NoSuchTable);
        }
        let holder = session.tables.get(&table).and_then(|table| table.holder);
        match holder {
            Some((holder, _)) if holder != self.pad && how != Admission::Replaced => {
                Err(RefusalReason::TableInUse)
            }
            _ => Ok(()),
        }
    }

    /// A table whose own pad is there and talks changes hands only if the director says yes at the
    /// base: whoever has a pad and the PIN could take it otherwise. A pad that has died is replaced
    /// as soon as it has missed a check-in, but not by a pad that the director has turned away from
    /// any table tonight: that one asks every time.
    fn must_ask(&self, session: &Session, table: TableId, how: Admission) -> Option<Decision> {
        let known = session.tables.get(&table)?;
        let (holder, _) = known.holder.filter(|(holder, _)| *holder != self.pad)?;
        let pad = self.pad;
        let turned_away = |table: &super::Table| table.asking.get(&pad) == Some(&Some(false));
        let is_suspect = session.tables.values().any(turned_away);
        if how != Admission::Replaced || !(is_suspect || self.presence.may_be_talking(holder)) {
            return None;
        }
        let (events, reason) = match known.asking.get(&pad) {
            Some(Some(true)) => return None,
            Some(Some(false)) => (Vec::new(), RefusalReason::NotAllowed),
            Some(None) => (Vec::new(), RefusalReason::AskingDirector),
            None => {
                let asked = Event::Replacing(Replacing::Asked { pad, table });
                (vec![asked], RefusalReason::AskingDirector)
            }
        };
        let mut decision = self.refuse(reason);
        decision.records = self.decision(events, Vec::new()).records;
        Some(decision)
    }

    /// Whether the pad once held this table tonight. After an old backup was opened the journal
    /// may not know it: then the pad's own word counts.
    fn had(&self, session: &Session, table: TableId) -> bool {
        let known = session.pads.get(&self.pad).map(|pad| pad.table);
        let forgotten = known.is_none() && self.state.club.backup.is_some();
        known == Some(table) || forgotten
    }
}
