//! An evening that an earlier Byestand wrote, as its journal, its backup and its session file, and
//! everything that it showed of it then.
//!
//! The three files under `tests/kept` are never written again: they stand for what lies on clubs'
//! disks. `cargo run -p tests --bin kept -- --answers` writes down what is shown of them now, for a
//! sheet or an answer that was changed on purpose; the journals stay.

pub mod story;

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode};
use base_station::daemon::{self, Clock, Owner};
use base_station::exchange::{About, Format, export};
use base_station::reports::{Language, SHEETS, Sheet};
use base_station::session::{Moment, Presence, Session, State};
use base_station::store::{FILE_NAME, HEAD_NAME, Store, replay_archive};
use base_station::view::{self, ChangeView, Lamp, LampState, Lamps, View};
use base_station::watch;
use base_station::web::{Desk, Reach, router};
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use protocol::words::SessionId;
use tempfile::TempDir;
use tower::ServiceExt;

/// The data folder's journal, after a clean end.
pub const JOURNAL: &str = "journal.sqlite.gz";
/// What stands beside it and knows where it ends.
pub const HEAD: &str = "journal.head.gz";
/// A backup of it, made on the page.
pub const BACKUP: &str = "backup.sqlite.gz";
/// The evening alone, as the calendar saves it.
pub const SESSION: &str = "session.jsonl.gz";
/// What was shown.
pub const ANSWERS: &str = "answers.txt.gz";

/// The pages are looked at this long after the last record.
const LOOKED_AT_LATER_MS: u64 = 90_000;

/// What is asked for by one address.
const ADDRESSES: [&str; 10] = [
    "/api/calendar",
    "/api/checklist",
    "/api/contest",
    "/api/history",
    "/api/names",
    "/api/ranking",
    "/api/settings",
    "/api/export/ranking.csv",
    "/api/export/results.csv",
    "/api/export/deals.pbn",
];

/// An answer and what it answers.
pub type Answer = (String, String);

/// Where the kept files are.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("kept")
}

/// A kept file as it was before it was packed.
pub fn unpacked(name: &str) -> Vec<u8> {
    let file = fs::File::open(folder().join(name)).expect("a kept file");
    let mut bytes = Vec::new();
    GzDecoder::new(file)
        .read_to_end(&mut bytes)
        .expect("packed whole");
    bytes
}

/// Packs a file to be kept.
pub fn keep(name: &str, bytes: &[u8]) {
    let file = fs::File::create(folder().join(name)).expect("can be written");
    let mut packed = GzEncoder::new(file, flate2::Compression::best());
    packed.write_all(bytes).expect("written");
    packed.finish().expect("written");
}

/// A clock that stands still.
#[derive(Clone, Copy)]
struct Stopped(Moment);

impl Clock for Stopped {
    fn now(&self) -> Moment {
        self.0
    }
}

/// A base station on a kept journal.
struct Base {
    owner: Owner,
    site: Router,
    now: Moment,
    _folder: TempDir,
}

impl Base {
    fn open(journal: &[u8], head: Option<&[u8]>) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join(FILE_NAME), journal).expect("written");
        if let Some(head) = head {
            fs::write(folder.path().join(HEAD_NAME), head).expect("written");
        }
        let store = Store::open(folder.path()).expect("it opens");
        let state = State::replay(&store).expect("it can be read");
        let last = state.session.as_ref().and_then(|it| it.records.last());
        let now = last.map_or(Moment(0), |last| last.at.plus_ms(LOOKED_AT_LATER_MS));
        let owner = daemon::start(store, Stopped(now)).expect("an owner");
        let site = router(Desk::from(owner.handle.clone()), Reach::default());
        Self {
            owner,
            site,
            now,
            _folder: folder,
        }
    }

    async fn get(&self, path: &str) -> Answer {
        let request = Request::builder()
            .uri(path)
            .header("host", "127.0.0.1:8080")
            .body(Body::empty())
            .expect("a request");
        let answer = self.site.clone().oneshot(request).await;
        let answer = answer.expect("an answer");
        let status = answer.status();
        let body = axum::body::to_bytes(answer.into_body(), 64 * 1024 * 1024).await;
        let body = String::from_utf8(body.expect("a body").to_vec());
        let mut body = body.expect("text");
        if status != StatusCode::OK {
            body = format!("{status}\n{body}");
        }
        (path.to_owned(), body)
    }
}

/// Everything that is shown of the kept journal.
pub async fn shown_of_journal() -> Vec<Answer> {
    shown(Base::open(&unpacked(JOURNAL), Some(&unpacked(HEAD)))).await
}

/// Everything that is shown of the kept backup.
pub async fn shown_of_backup() -> Vec<Answer> {
    shown(Base::open(&unpacked(BACKUP), None)).await
}

async fn shown(base: Base) -> Vec<Answer> {
    let state = base.owner.handle.view().state.clone();
    let session = state.session.as_ref().expect("a session").clone();
    let mut answers = pictures(&state, &session, base.now);
    answers.extend(sheets(&state, &session));
    for path in ADDRESSES {
        answers.push(base.get(path).await);
    }
    let mut boards: Vec<_> = (session.lines.keys())
        .map(|cell| (cell.section, cell.board))
        .collect();
    boards.sort_unstable();
    boards.dedup();
    for (section, board) in boards {
        let path = format!("/api/sections/{section}/boards/{board}");
        answers.push(base.get(&path).await);
    }
    for (letter, section) in &session.sections {
        for (table, round) in section.sittings.keys() {
            let path = format!("/api/tables/{letter}{table}/rounds/{round}");
            answers.push(without_warnings(base.get(&path).await));
        }
    }
    answers
}

/// The warnings of the live picture are those of the laptop's clock; they are in `view` as of then.
fn without_warnings((path, text): Answer) -> Answer {
    let mut answer: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    if let Some(fields) = answer.as_object_mut() {
        fields.remove("warnings");
    }
    (path, answer.to_string())
}

/// What is shown of the evening when its file alone is replayed.
pub fn shown_of_file() -> Vec<Answer> {
    let id = SessionId::new(1).expect("a session");
    let session = replay_archive(&mut &*unpacked(SESSION), id).expect("it can be read");
    let state = State {
        session: Some(session.clone()),
        ..State::default()
    };
    let answers = sheets(&state, &session).into_iter();
    answers
        .map(|(name, text)| (format!("{name}{OF_THE_FILE}"), text))
        .collect()
}

/// How the name of an answer ends that is of the session file.
pub const OF_THE_FILE: &str = " of the file";

fn lamps() -> Lamps {
    let lamp = || Lamp {
        state: LampState::Good,
        text: telling::Told::nothing(),
    };
    Lamps {
        receiver: lamp(),
        journal: lamp(),
        watch: lamp(),
    }
}

/// The director's page and everybody's, with warnings as of a moment; nobody has been heard since.
fn pictures(state: &State, session: &Session, now: Moment) -> Vec<Answer> {
    let presence = Presence::new(now);
    let warnings = watch::warnings(state, &presence, now);
    let checks = view::checks(state, &warnings);
    let whole = View::of(
        state,
        &presence,
        lamps(),
        view::shown(state, &warnings),
        now,
    );
    let story: Vec<ChangeView> = (session.records.iter())
        .map(|record| ChangeView::of(&state.club, Some(session), record))
        .collect();
    let text = |value: serde_json::Result<String>| value.expect("can be written");
    vec![
        ("view".to_owned(), text(serde_json::to_string(&whole))),
        (
            "view for everybody".to_owned(),
            text(serde_json::to_string(&whole.for_everybody())),
        ),
        ("checks".to_owned(), text(serde_json::to_string(&checks))),
        ("story".to_owned(), text(serde_json::to_string(&story))),
    ]
}

/// Every sheet and every file for other programs, printed at no particular time.
fn sheets(state: &State, session: &Session) -> Vec<Answer> {
    let sheet = Sheet::on_paper(state, session, Language::English);
    let about = About {
        club: "Club".to_owned(),
        ..About::default()
    };
    let mut answers: Vec<Answer> = (SHEETS.iter())
        .map(|kind| (format!("sheet {}", kind.name), kind.page(&sheet)))
        .collect();
    for format in [Format::Usebio, Format::Pbn, Format::NzXml, Format::Csv] {
        let file = export(format, state, session, &about).map_err(|fault| fault.to_string());
        let text = file.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        answers.push((format!("file {format:?}"), text.unwrap_or_else(|said| said)));
    }
    answers
}

/// The line before each answer.
const MARK: &str = "\u{1E} ";

/// Answers as one text.
pub fn written(answers: &[Answer]) -> String {
    let mut all = String::new();
    for (name, text) in answers {
        for part in [MARK, name, "\n", text, "\n"] {
            all.push_str(part);
        }
    }
    all
}

/// The answers of such a text.
pub fn read(text: &str) -> Vec<Answer> {
    let parts = text.split(MARK).skip(1);
    parts
        .filter_map(|part| {
            let (name, text) = part.split_once('\n')?;
            Some((name.to_owned(), text.strip_suffix('\n')?.to_owned()))
        })
        .collect()
}
