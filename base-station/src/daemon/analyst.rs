//! Finds double-dummy tricks and par for the session's deals in the background, a board at a time.
//!
//! What is found goes into the journal, so that it is found once. A build without an engine takes
//! tricks from the deal file and finds only par.

use std::time::Duration;

use protocol::message::HandRecord;
use protocol::words::Deal;

use super::SessionHandle;
use crate::double_dummy::{Engine, engine, par};
use crate::session::{Command, State, Who};

/// The disk is full or the session another one: there is no hurry.
const AGAIN_AFTER: Duration = Duration::from_secs(5);

/// Works until the session's owner is gone.
pub(crate) async fn analyse(session: SessionHandle) {
    let mut engine = engine();
    let mut views = session.watch();
    loop {
        let next = next_board(&views.borrow_and_update().state, engine.is_some());
        let Some((record, deal)) = next else {
            if views.changed().await.is_err() {
                return;
            }
            continue;
        };
        let looking = tokio::task::spawn_blocking(move || {
            let mut engine = engine;
            let record = analysed(record, &deal, engine.as_deref_mut());
            (engine, record)
        });
        let Ok((back, record)) = looking.await else {
            return;
        };
        engine = back;
        match session
            .command(Command::AnalyseDeal { record }, Who::Base)
            .await
        {
            Ok(seq) => {
                if views.wait_for(|view| view.state.seq >= seq).await.is_err() {
                    return;
                }
            }
            Err(_) => tokio::time::sleep(AGAIN_AFTER).await,
        }
    }
}

/// The next board that lacks something which can be found here.
fn next_board(state: &State, finds_tricks: bool) -> Option<(HandRecord, Deal)> {
    let mut deals = state
        .session
        .iter()
        .flat_map(|session| session.deals.values());
    deals.find_map(|record| {
        let lacks = match record.tricks {
            None => finds_tricks,
            Some(_) => record.par.is_none(),
        };
        let deal = Deal::try_from(record.deal).ok()?;
        lacks.then(|| (record.clone(), deal))
    })
}

fn analysed(
    mut record: HandRecord,
    deal: &Deal,
    engine: Option<&mut (dyn Engine + 'static)>,
) -> HandRecord {
    if record.tricks.is_none() {
        record.tricks = engine.map(|engine| engine.tricks(deal));
    }
    if let Some(tricks) = &record.tricks {
        let board = record.board;
        // A file's own par is kept: its program may count otherwise.
        record.par = record
            .par
            .or_else(|| Some(par(tricks, board.dealer(), board.vulnerability())));
    }
    record
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::daemon::{SystemClock, start};
    use crate::store::Store;

    #[tokio::test]
    async fn par_is_found_in_the_background_and_kept_in_the_journal() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::open(folder.path()).expect("a journal");
        let owner = start(store, SystemClock).expect("an owner");
        let path = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../tests/real/club_session_deals.pbn"
        );
        let file = std::fs::read(path).expect("the real deals");
        let read = crate::deals::read_pbn(&file).expect("deals");
        let deals: Vec<HandRecord> = read
            .iter()
            .map(|dealt| HandRecord {
                par: None,
                ..HandRecord::from(dealt)
            })
            .collect();
        let known = deals.iter().filter(|deal| deal.tricks.is_some()).count();
        assert!(known > 20, "the file has tricks");
        let who = Who::Base;
        let command = Command::CreateEvent {
            name: "Monday".to_owned(),
            date: "2026-11-16".to_owned(),
            title: String::new(),
        };
        owner
            .handle
            .command(command, who.clone())
            .await
            .expect("an event");
        let command = Command::AttachDeals {
            file: "monday.pbn".to_owned(),
            deals,
        };
        owner.handle.command(command, who).await.expect("deals");
        let work = tokio::spawn(analyse(owner.handle.clone()));
        let found = |state: &State| {
            let deals = state
                .session
                .iter()
                .flat_map(|session| session.deals.values());
            deals.filter(|deal| deal.par.is_some()).count()
        };
        let mut views = owner.handle.watch();
        let all = views.wait_for(|view| found(&view.state) == known);
        let all = tokio::time::timeout(Duration::from_mins(1), all).await;
        assert!(all.is_ok_and(|all| all.is_ok()), "every par is found");
        work.abort();
        let _ = work.await;
        let store = owner.join().expect("the journal");
        let again = State::replay(&store).expect("it can be read");
        assert_eq!(found(&again), known, "it need not be found again");
    }
}
