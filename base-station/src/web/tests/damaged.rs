//! Damage to the journal as the director sees it: the lamp, and the sheet about a rescue.

use std::fs;
use std::time::Duration;

use super::*;
use crate::session::Moment;
use crate::store::{Checked, FILE_NAME, Guards, StoreError, rescue};

/// How soon the lamp must tell.
const TOLD_MAX: Duration = Duration::from_secs(20);

/// Every journal is long, and all of it is compared while the room plays.
const LATER: Guards = Guards {
    chain: true,
    head: true,
    index: true,
    at_once_max: 0,
    newest_at_once: 0,
};

impl Site {
    async fn journal_lamp(&self) -> Value {
        let (_, view) = self.ask("GET", "/api/view", None).await;
        view["lamps"]["journal"].clone()
    }

    async fn until_lamp(&self, state: &str) -> Value {
        let told = async {
            loop {
                let lamp = self.journal_lamp().await;
                if lamp["state"] == state {
                    return lamp;
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        let told = tokio::time::timeout(TOLD_MAX, told).await;
        told.unwrap_or_else(|_| panic!("the lamp never shows {state}"))
    }

    async fn sheet(&self, path: &str) -> (StatusCode, String) {
        let (status, page) = self.ask("GET", path, None).await;
        (status, page.as_str().unwrap_or_default().to_owned())
    }

    /// Ends the base station; its folder stays.
    fn end(self) -> TempDir {
        let Self {
            router,
            session,
            _owner: owner,
            _folder: folder,
            ..
        } = self;
        drop((router, session));
        // The page's own tasks hold the session until the runtime is gone: not waited for.
        drop(owner);
        folder
    }
}

/// An evening with some results whose journal is closed.
fn played() -> TempDir {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    let site = runtime.block_on(async {
        let site = Site::open().await;
        site.set_up().await;
        for board in 1..=2 {
            let typed = json!({"table": "A1", "round": 1, "board": board, "typed": "4SS="});
            site.does("/api/lines/typed", typed).await;
        }
        site
    });
    let folder = site.end();
    drop(runtime);
    folder
}

/// The journal can be opened when the last owner's thread has let go of it.
fn opened(folder: &std::path::Path, guards: Guards) -> Result<Store, StoreError> {
    for _ in 0..200 {
        match Store::open_guarded(folder, guards) {
            Err(StoreError::InUse(_)) => std::thread::sleep(Duration::from_millis(20)),
            opened => return opened,
        }
    }
    Store::open_guarded(folder, guards)
}

/// Changes a letter of a record, as a disk might.
fn hit(folder: &std::path::Path, text: &[u8]) {
    let path = folder.join(FILE_NAME);
    let mut bytes = fs::read(&path).expect("read");
    let at = bytes.windows(text.len()).rposition(|found| found == text);
    bytes[at.expect("it is there")] ^= 1;
    fs::write(&path, bytes).expect("damaged");
}

#[test]
fn damage_that_is_found_while_the_room_plays_turns_the_lamp_red_and_the_next_start_asks() {
    let folder = played();
    drop(opened(folder.path(), LATER).expect("sound, and its log is folded in"));
    hit(folder.path(), b"Monday pairs");
    let store = opened(folder.path(), LATER).expect("it is not read through");
    assert!(matches!(store.checked(), Checked::Underway(_)));
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    let Err(fault) = daemon::start(store, SystemClock) else {
        panic!("the evening can't be read without that record");
    };
    assert!(fault.to_string().contains("is damaged"), "{fault}");

    // In the index, which the evening is not read by.
    let folder = played();
    drop(opened(folder.path(), LATER).expect("sound"));
    let path = folder.path().join(FILE_NAME);
    let mut bytes = fs::read(&path).expect("read");
    let mark = |page: &[u8]| page.first() == Some(&10);
    let index = bytes.chunks(4096).rposition(mark).expect("an index");
    // The entry that was written last stands at the end of what is free: its record's number.
    let count = index * 4096 + 3;
    bytes[count + 1] -= 1;
    fs::write(&path, &bytes).expect("damaged");
    let store = opened(folder.path(), LATER).expect("it is not read through");
    let folder = runtime.block_on(async {
        let site = Site::over(folder, store).await;
        let lamp = site.until_lamp("Bad").await;
        let text = lamp["text"].as_str().expect("a text").to_owned();
        assert!(text.contains("the journal is damaged"), "{text}");
        site.end()
    });
    drop(runtime);
    let refused = opened(folder.path(), LATER).expect_err("asked about");
    assert!(matches!(refused, StoreError::Damaged { .. }), "{refused}");
    let rescued = rescue(folder.path(), Moment(1_900_000_000_000)).expect("saved");
    assert!(rescued.lost.is_empty(), "{rescued}");
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_head_that_can_not_be_written_turns_the_lamp_red_until_it_can() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut store = Store::open(folder.path()).expect("a journal");
    let refusing = fs::File::options().write(true).open("/dev/full");
    store.write_head_to(refusing.expect("a disk that is full"));
    let site = Site::over(folder, store).await;
    assert_eq!(site.journal_lamp().await["state"], "Good");
    let event = json!({"name": "Monday pairs", "date": "2026-11-16"});
    site.does("/api/calendar/events", event).await;
    let lamp = site.until_lamp("Bad").await;
    let text = lamp["text"].as_str().expect("a text");
    assert!(text.contains("journal.head can't be written"), "{text}");
}

#[tokio::test]
async fn the_sheet_about_a_rescue_names_files_strangers_and_every_missing_board() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut store = Store::open(folder.path()).expect("a journal");
    let told = crate::session::NewRecord {
        at: Moment(1_794_862_800_000),
        who: crate::session::Who::Base,
        session: None,
        event: crate::session::Event::JournalRescued(crate::session::Salvage {
            saved: 41,
            sources: vec![("journal.sqlite".to_owned(), 41)],
            lost: "12 to 14".to_owned(),
            strange: Some(7),
            doubtful: "9 to 11".to_owned(),
            damaged: vec!["damaged-5-journal.sqlite".to_owned()],
        }),
    };
    crate::session::Journal::append(&mut store, &[told]).expect("written");
    let site = Site::over(folder, store).await;
    // No session is chosen yet.
    let (status, page) = site.sheet("/print/rescue").await;
    assert_eq!(status, StatusCode::OK, "{page}");
    for words in [
        "41 records",
        "12 to 14",
        "7 records belong to another journal",
        "Records 9 to 11 fit",
        "damaged-5-journal.sqlite",
    ] {
        assert!(page.contains(words), "{words}: {page}");
    }
    site.set_up().await;
    let typed = json!({"table": "A1", "round": 1, "board": 2, "typed": "4SS="});
    site.does("/api/lines/typed", typed).await;
    let (_, page) = site.sheet("/print/rescue").await;
    assert!(
        page.contains("<td>A1</td><td>1</td><td>1, 3</td>"),
        "{page}"
    );
    assert!(page.contains("<td>A2</td><td>1</td>"), "{page}");
}
