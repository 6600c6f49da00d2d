//! How a pad comes to hold a table.

use protocol::message::{LogOn, RefusalReason, WIRE_VERSION_MIN};
use serde::{Deserialize, Serialize};

use super::decide::epoch_for;
use super::pad_says::{Decision, Reply, Speech};
use super::{Event, GivenEpoch, Phase, Replacing, Session, TableId};

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
                let given = GivenEpoch {
                    firmware: Some(claim.firmware),
                    battery_20_mv: Some(claim.state.battery_20_mv),
                    ..given
                };
                let mut events = vec![
                    Event::EpochGiven(given),
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
        // A phone's keys are made for one session.
        let phone = self.state.club.phones.get(&self.pad);
        if phone.is_some_and(|phone| phone.session != session.id) {
            return Err(RefusalReason::NotAllowed);
        }
        // A pair's own phone is no pad, whatever it says.
        if self.state.club.own_phones.contains_key(&self.pad) {
            return Err(RefusalReason::NotAllowed);
        }
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
        // Sections are let in one after the other, so that nobody types another one's letter.
        if holder.is_none() && how == Admission::LoggedOn && session.closed.contains(&claim.section)
        {
            return Err(RefusalReason::SessionNotOpen);
        }
        match holder {
            Some((holder, _)) if holder != self.pad && how != Admission::Replaced => {
                Err(RefusalReason::TableInUse)
            }
            _ => Ok(()),
        }
    }

    /// A table that a pad holds changes hands only if the director says yes at the base: whoever
    /// has a pad and the PIN could take it otherwise, and would only have to wait until its own is
    /// carried out of reach. Who has freed the table on the page has said yes before.
    fn must_ask(&self, session: &Session, table: TableId, how: Admission) -> Option<Decision> {
        let known = session.tables.get(&table)?;
        known.holder.filter(|(holder, _)| *holder != self.pad)?;
        if how != Admission::Replaced {
            return None;
        }
        let pad = self.pad;
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
