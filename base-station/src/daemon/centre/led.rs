//! What a room does because the centre says so: rounds that were drawn over all rooms are played at
//! its tables, and a call that was settled on the page of all rooms is settled.

use ::centre::{Field, RoundHere, TableHere};
use protocol::words::{RoundNumber, SectionLetter, SessionId};
use telling::{Told, tell};

use super::{Work, not_done};
use crate::movement::BoardSet;
use crate::session::plan::Sitting;
use crate::session::{Command, LedRound, Moment, Session, TableId, Who};

impl Work {
    /// Does what is new of it; what the journal has is not done again.
    pub(super) async fn do_as_told(&self, field: &Field) -> Result<(), Told> {
        let Some(outbox) = self.outbox.as_ref() else {
            return Ok(());
        };
        let wanted = SessionId::try_from(outbox.identity.session).ok();
        let who = || Who::Director(outbox.identity.joined.event_name.clone());
        for here in &field.rounds {
            let state = self.session.view().state.clone();
            let played = state.session.as_ref().filter(|it| Some(it.id) == wanted);
            let Some((played, led)) = played.zip(led_round(here)) else {
                continue;
            };
            if played.has_taken(&led) {
                continue;
            }
            let taken = self.session.command(Command::TakeRound(led), who()).await;
            taken.map_err(|fault| {
                let (round, why) = (here.round, not_done(fault));
                tell!(Centre::RoundNotTaken { round, why })
            })?;
        }
        let state = self.session.view().state.clone();
        let played = state.session.as_ref().filter(|it| Some(it.id) == wanted);
        for table in played.map_or_else(Vec::new, |played| settled(played, field)) {
            // Whoever settled it here in the meantime was faster.
            let _ = self
                .session
                .command(Command::SettleCall { table }, who())
                .await;
        }
        Ok(())
    }
}

/// Tables that still call and whose call was settled elsewhere.
fn settled(session: &Session, field: &Field) -> Vec<TableId> {
    let tables = field.settled.iter().filter_map(|(name, called)| {
        let table = TableId {
            section: name.section,
            table: name.table,
        };
        let calls = session.tables.get(&table)?.called;
        (calls == Some(Moment(*called))).then_some(table)
    });
    tables.collect()
}

/// A round as the session takes it.
fn led_round(here: &RoundHere) -> Option<LedRound> {
    let boards = BoardSet::new(here.boards.clone());
    let sitting = |at: &TableHere| {
        let pairs = at.ns.as_ref().zip(at.ew.as_ref());
        Sitting {
            round: here.round,
            table: at.table,
            ns: pairs.map(|it| it.0.number),
            ew: pairs.map(|it| it.1.number),
            boards: pairs.map_or_else(BoardSet::default, |_| boards.clone()),
            arrow_switched: false,
        }
    };
    let pairs = here.tables.iter().flat_map(|it| [&it.ns, &it.ew]).flatten();
    Some(LedRound {
        section: SectionLetter::A,
        round: here.round,
        rounds_total: RoundNumber::new(here.rounds_total)?,
        version: here.version,
        sittings: here.tables.iter().map(sitting).collect(),
        players: pairs.map(|it| (it.number, it.players.clone())).collect(),
    })
}
