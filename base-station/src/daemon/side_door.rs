//! A way in for the command line of the same user: while the base station runs, it alone has the
//! journal, so that `byestand export` asks it.
//!
//! It listens on this machine only, at a port of its own. Where, and the secret that opens it, is
//! in a file of the data folder that nobody but its owner can read: whoever can read that can read
//! the journal as well, so that nothing is given away which isn't theirs.

use std::io::Write as _;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};

use axum::extract::{DefaultBodyLimit, Path as Named, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use protocol::words::SessionId;
use rand::RngExt;
use serde::{Deserialize, Serialize};
use tokio::net::TcpListener;

use super::{Clock, HandleError, SessionHandle, SystemClock};
use crate::exchange::import::{NotTaken, read, session_file};
use crate::exchange::{self, About, Evening, Format};
use crate::reports::{Language, Paper};
use crate::session::{Moment, Session, State as Known, Who};
use crate::store::replay_archive;
use telling::{Told, tell};

/// The file in the data folder.
pub const FILE_NAME: &str = "byestand-side-door.json";

/// The longest file that is taken in.
const FILE_LEN_MAX: usize = exchange::import::FILE_LEN_MAX / 3 * 4 + 1024;

/// Where the side door is, and what opens it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SideDoor {
    /// On this machine.
    pub address: SocketAddr,
    /// 256 random bits.
    pub secret: String,
}

/// The file, for as long as the base station runs.
#[derive(Debug)]
pub(crate) struct Sign(PathBuf);

impl Drop for Sign {
    fn drop(&mut self) {
        // A sign that stays behind leads nowhere, and the next start writes it anew.
        let _ = std::fs::remove_file(&self.0);
    }
}

/// What the command line asks for.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Wish {
    /// Another session than the chosen one.
    #[serde(default)]
    pub session: Option<u32>,
    /// The club's name.
    #[serde(default)]
    pub club: String,
    /// Its number in the federation.
    #[serde(default)]
    pub club_number: String,
    /// `en` or `de`.
    #[serde(default)]
    pub language: Option<Language>,
    /// For PDF.
    #[serde(default)]
    pub paper: Paper,
    /// For PDF: one sheet of all.
    #[serde(default)]
    pub sheet: String,
}

/// A session of another program that is to be taken in.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ToTake {
    /// In Base64.
    pub file: String,
}

/// What became of it.
#[derive(Clone, Debug, Serialize, Deserialize, utoipa::ToSchema)]
pub struct TakenIn {
    /// Its number in the calendar.
    pub session: u32,
    /// What the file was.
    pub format: String,
    /// How many results it had.
    pub results: usize,
    /// What was left out, sentence by sentence.
    #[schema(value_type = Vec<String>)]
    pub notes: Vec<Told>,
}

/// A file that was made, and what it does not say.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Made {
    /// Sentences.
    pub losses: Vec<String>,
    /// In Base64.
    pub file: String,
}

impl Wish {
    /// For the writers.
    pub fn about(&self) -> About {
        About {
            club: self.club.clone(),
            club_number: self.club_number.clone(),
            language: self.language.unwrap_or_default(),
            made: SystemClock.now(),
            paper: self.paper,
            sheet: self.sheet.clone(),
        }
    }
}

/// Opens the side door, and says in the data folder where it is.
pub(crate) async fn open(data: &Path, session: SessionHandle) -> std::io::Result<Sign> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    let (one, other): (u128, u128) = rand::rng().random();
    let door = SideDoor {
        address: listener.local_addr()?,
        secret: format!("{one:032x}{other:032x}"),
    };
    let path = data.join(FILE_NAME);
    write_private(&path, &serde_json::to_vec(&door)?)?;
    let sign = Sign(path);
    let room = Room {
        session,
        secret: door.secret,
    };
    let router = Router::new()
        .route("/export/{format}", get(export))
        .route("/import", post(import))
        .layer(DefaultBodyLimit::max(FILE_LEN_MAX))
        .with_state(room);
    tokio::spawn(async move { axum::serve(listener, router).await });
    Ok(sign)
}

/// Nobody else may read it, from the first byte on.
fn write_private(path: &Path, content: &[u8]) -> std::io::Result<()> {
    let _ = std::fs::remove_file(path);
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    options.open(path)?.write_all(content)
}

#[derive(Clone)]
struct Room {
    session: SessionHandle,
    secret: String,
}

type Refusal = (StatusCode, String);

impl Room {
    fn admit(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let given = headers.get(header::AUTHORIZATION);
        let given = given.and_then(|given| given.to_str().ok());
        let given = given.and_then(|given| given.strip_prefix("Bearer "));
        let same = given.is_some_and(|given| {
            let pairs = given.bytes().zip(self.secret.bytes());
            let differences = pairs.fold(0, |sum, (one, other)| sum | (one ^ other));
            given.len() == self.secret.len() && differences == 0
        });
        if same {
            return Ok(());
        }
        Err((StatusCode::FORBIDDEN, "the secret is wrong".to_owned()))
    }
}

/// The session that is asked for, as it stands.
pub async fn known_session(
    handle: &SessionHandle,
    wanted: Option<SessionId>,
) -> Result<(Known, Session), HandleError> {
    let state = handle.view().state.clone();
    let Some(wanted) = wanted else {
        let chosen = state.session.clone();
        let none = || HandleError::File(tell!(Exchange::NoSessionChosen));
        return Ok((state, chosen.ok_or_else(none)?));
    };
    if let Some(session) = state.session.clone().filter(|it| it.id == wanted) {
        return Ok((state, session));
    }
    if !state.club.sessions.contains_key(&wanted) {
        let sessions: Vec<SessionId> = state.club.sessions.keys().copied().collect();
        return Err(HandleError::File(tell!(Exchange::NoSuchSession {
            session: wanted,
            sessions
        })));
    }
    let file = handle.export(wanted).await?;
    let session = replay_archive(&mut file.as_slice(), wanted)
        .map_err(|fault| HandleError::File(fault.told()))?;
    Ok((state, session))
}

async fn export(
    State(room): State<Room>,
    headers: HeaderMap,
    Named(format): Named<Format>,
    Query(wish): Query<Wish>,
) -> Response {
    if let Err(refusal) = room.admit(&headers) {
        return refusal.into_response();
    }
    let wanted = wish.session.map(SessionId::try_from).transpose();
    let Ok(wanted) = wanted else {
        return (StatusCode::BAD_REQUEST, "expected a session number").into_response();
    };
    let (state, session) = match known_session(&room.session, wanted).await {
        Ok(known) => known,
        Err(fault) => return (StatusCode::CONFLICT, fault.to_string()).into_response(),
    };
    match exchange::export(format, &state, &session, &wish.about()) {
        Ok(file) => {
            use base64::Engine as _;
            let losses = Evening::of(&state.club, &session).losses(format);
            let calling = |loss| session.calling(&state.club, loss).to_string();
            let losses = losses.into_iter().map(calling).collect();
            let file = base64::engine::general_purpose::STANDARD.encode(file);
            Json(Made { losses, file }).into_response()
        }
        Err(fault) => (StatusCode::CONFLICT, fault.to_string()).into_response(),
    }
}

/// Takes in a session of another program as a new session of the calendar.
pub async fn take_in(
    handle: &SessionHandle,
    file: Vec<u8>,
    who: Who,
    now: Moment,
) -> Result<TakenIn, HandleError> {
    // A large event takes a moment, and pads must not wait for it.
    let reading = move || {
        let taken = read(&file)?;
        let session_file = session_file(&taken, now)?;
        Ok::<_, NotTaken>((taken, session_file))
    };
    let done = tokio::task::spawn_blocking(reading).await;
    let done = done.map_err(|fault| HandleError::File(Told::as_written(fault.to_string())))?;
    let (taken, session_file) = done.map_err(|refusal| HandleError::File(refusal.0))?;
    let session = handle.import(session_file, who, now).await?;
    Ok(TakenIn {
        session: session.get(),
        format: taken.format.to_owned(),
        results: taken.results(),
        notes: taken.notes,
    })
}

async fn import(
    State(room): State<Room>,
    headers: HeaderMap,
    Json(taken): Json<ToTake>,
) -> Response {
    use base64::Engine as _;
    if let Err(refusal) = room.admit(&headers) {
        return refusal.into_response();
    }
    let Ok(file) = base64::engine::general_purpose::STANDARD.decode(&taken.file) else {
        return (StatusCode::BAD_REQUEST, "expected a file in Base64").into_response();
    };
    let who = Who::Director("command line".to_owned());
    match take_in(&room.session, file, who, SystemClock.now()).await {
        Ok(taken) => Json(taken).into_response(),
        Err(fault) => (StatusCode::CONFLICT, fault.to_string()).into_response(),
    }
}
