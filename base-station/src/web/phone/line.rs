//! A phone's line to the base: the pad's frames, and notes beside them.
//!
//! The base begins with a number for this line. A phone that wants notes answers with its name and a
//! number of its own; from then on every text is a sealed note. Who does not speak frames that count
//! and has not proven with a note who it is, is in the way of others.

use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::extract::State;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::http::{HeaderMap, Uri, header};
use axum::response::{IntoResponse, Response};
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};
use protocol::frame::FRAME_LEN_MAX;
use protocol::phone::{End, LineSalt, Notes};
use protocol::words::{PadId, from_hexadecimal};
use rand::RngExt;
use telling::{Suits, Voice, tell};
use tokio::sync::mpsc;
use tokio::time::Instant;

use super::screens::{LineNumber, NOTES_WAITING_MAX, OpenLine, Screens};
use super::{digits, hexadecimal};
use crate::daemon::Phones;
use crate::web::voice::voice_of;
use crate::web::{Problem, Web};

/// Messages a second that a line may bring. A pad sends a few a minute; after a while without
/// network perhaps ten at once.
const MESSAGES_A_SECOND: NonZeroU32 = NonZeroU32::new(20).expect("20 is not zero");

/// How often a line is asked whether it is still there.
const PING_EVERY: Duration = Duration::from_secs(20);

/// A line from which nothing came for so long is gone, whatever the system says.
const SILENCE_MAX: Duration = Duration::from_secs(65);

/// How long a line may be there without a word.
const FIRST_WORD_MAX: Duration = Duration::from_secs(20);

/// A note is at most the lines of a screen, as hexadecimal digits.
const MESSAGE_LEN_MAX: usize = 16 * 1024;

static LINES: AtomicU64 = AtomicU64::new(0);

pub(super) async fn line(
    State(web): State<Web>,
    uri: Uri,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, axum::extract::ws::rejection::WebSocketUpgradeRejection>,
) -> Response {
    let Some(phones) = web.phones().cloned() else {
        return Problem::not_found(tell!(Asked::NoReceiverForPhones)).into_response();
    };
    // Somebody else's page has no keys; it has no business here either.
    let text = |name| headers.get(name).and_then(|it| it.to_str().ok());
    let origin = text(header::ORIGIN).and_then(|origin| Some(origin.split_once("://")?.1));
    if origin.is_some() && origin != text(header::HOST) {
        return Problem::forbidden(tell!(Asked::OnlyPadsPageOpensLine)).into_response();
    }
    let voice = Voice {
        suits: Suits::Symbols,
        ..voice_of(&uri, &headers)
    };
    match upgrade {
        Ok(upgrade) => upgrade
            .max_message_size(MESSAGE_LEN_MAX)
            .max_frame_size(MESSAGE_LEN_MAX)
            .on_upgrade(move |socket| carry(socket, Line::new(web, phones, voice))),
        Err(_) => Problem::unreadable(tell!(Asked::PhonesLineIsWebsocket)).into_response(),
    }
}

/// A line and what is known about its other end.
struct Line {
    web: Web,
    phones: Phones,
    voice: Voice,
    number: LineNumber,
    salt: LineSalt,
    since: Instant,
    /// The way to the radio task, once a frame has come.
    frames: Option<Frames>,
    notes: Option<Talk>,
}

/// Where a pad's frames go, and where the base's come from.
type Frames = (mpsc::Sender<Vec<u8>>, mpsc::Receiver<Vec<u8>>);

/// Who says to be there, and the keys of the line.
struct Talk {
    phone: PadId,
    /// What its keys can be; one, once it has proven who it is.
    notes: Vec<Notes>,
    /// Where notes for it come from, once it has proven who it is.
    coming: Option<mpsc::Receiver<String>>,
}

impl Line {
    fn new(web: Web, phones: Phones, voice: Voice) -> Self {
        Self {
            web,
            phones,
            voice,
            number: LineNumber(LINES.fetch_add(1, Ordering::Relaxed)),
            salt: rand::rng().random(),
            since: Instant::now(),
            frames: None,
            notes: None,
        }
    }

    fn screens(&self) -> Option<&Screens> {
        self.web.screens()
    }

    fn is_used(&self) -> bool {
        let proven = self.notes.as_ref().is_some_and(|it| it.coming.is_some());
        self.frames.is_some() || proven
    }

    /// A frame of a pad; false where the line ends.
    async fn frame(&mut self, frame: Vec<u8>) -> bool {
        if frame.len() > FRAME_LEN_MAX * 4 {
            return false;
        }
        if self.frames.is_none() {
            self.frames = self.phones.open().await;
        }
        match &self.frames {
            Some((to_base, _)) => to_base.send(frame).await.is_ok(),
            None => false,
        }
    }

    /// A word beside the frames; false where the line ends.
    async fn word(&mut self, text: &str) -> bool {
        match &mut self.notes {
            None => {
                self.notes = self.introduced(text);
                self.notes.is_some()
            }
            Some(talk) => match talk.open(text) {
                Some(note) => self.noted(&note).await,
                None => false,
            },
        }
    }

    /// A phone of the club says its name and its number for this line.
    fn introduced(&self, text: &str) -> Option<Talk> {
        let (name, salt) = text.split_once(' ')?;
        let phone = PadId::new(u32::from_str_radix(name, 16).ok()?)?;
        let club = self.web.desk().state().club;
        let known = club.phones.contains_key(&phone) || club.own_phones.contains_key(&phone);
        if !known || club.revoked.contains(&phone) {
            return None;
        }
        let salt = digits(salt)?;
        let keys = self.phones.keys_of(phone).into_iter();
        let notes = keys.map(|keys| Notes::new(&keys, &self.salt, &salt, End::Base));
        Some(Talk {
            phone,
            notes: notes.collect(),
            coming: None,
        })
    }

    /// Its first note proves that it has the keys; the others are for the room.
    async fn noted(&mut self, note: &[u8]) -> bool {
        let (number, voice) = (self.number, self.voice);
        let Some(screens) = self.web.screens() else {
            return false;
        };
        let Some(talk) = &mut self.notes else {
            return false;
        };
        if talk.coming.is_some() {
            return screens.said(talk.phone, number, note).await;
        }
        let (notes, coming) = mpsc::channel(NOTES_WAITING_MAX);
        talk.coming = Some(coming);
        let line = OpenLine {
            number,
            voice,
            notes,
        };
        screens.came(talk.phone, line).await;
        true
    }

    async fn end(&self) {
        if let (Some(screens), Some(talk)) = (self.screens(), &self.notes) {
            screens.left(talk.phone, self.number).await;
        }
    }
}

impl Talk {
    fn open(&mut self, text: &str) -> Option<Vec<u8>> {
        let sealed: Vec<u8> = from_hexadecimal(text).collect::<Option<_>>()?;
        let (note, tag) = sealed.split_last_chunk::<8>()?;
        let candidates = std::mem::take(&mut self.notes);
        candidates.into_iter().find_map(|mut notes| {
            let mut note = note.to_vec();
            notes.open(&mut note, tag)?;
            self.notes = vec![notes];
            Some(note)
        })
    }

    fn seal(&mut self, note: String) -> Option<String> {
        let mut note = note.into_bytes();
        let tag = self.notes.first_mut()?.seal(&mut note)?;
        note.extend(tag);
        Some(hexadecimal(&note))
    }
}

/// What happens next on a line.
enum Next {
    Said(Option<Message>),
    Frame(Option<Vec<u8>>),
    Note(Option<String>),
    Ping,
}

async fn carry(mut socket: WebSocket, mut line: Line) {
    let pace: DefaultDirectRateLimiter = RateLimiter::direct(Quota::per_second(MESSAGES_A_SECOND));
    let mut ping = tokio::time::interval(PING_EVERY);
    let mut heard = Instant::now();
    let hello = Message::Text(hexadecimal(&line.salt).into());
    let mut goes_on = socket.send(hello).await.is_ok();
    while goes_on {
        let next = tokio::select! {
            message = socket.recv() => Next::Said(message.and_then(Result::ok)),
            frame = next_of(line.frames.as_mut().map(|it| &mut it.1)) => Next::Frame(frame),
            note = next_of(line.notes.as_mut().and_then(|it| it.coming.as_mut())) => Next::Note(note),
            _ = ping.tick() => Next::Ping,
        };
        if matches!(next, Next::Said(Some(_))) {
            heard = Instant::now();
        }
        if matches!(
            next,
            Next::Said(Some(Message::Binary(_) | Message::Text(_)))
        ) && pace.check().is_err()
        {
            // Whoever sends more is slowed down, alone.
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        goes_on = match next {
            Next::Said(Some(Message::Binary(frame))) => line.frame(frame.to_vec()).await,
            Next::Said(Some(Message::Text(text))) => line.word(&text).await,
            Next::Said(Some(Message::Ping(_) | Message::Pong(_))) => true,
            Next::Said(Some(Message::Close(_)) | None) | Next::Frame(None) | Next::Note(None) => {
                false
            }
            Next::Frame(Some(frame)) => socket.send(Message::Binary(frame.into())).await.is_ok(),
            Next::Note(Some(note)) => match line.notes.as_mut().and_then(|it| it.seal(note)) {
                Some(sealed) => socket.send(Message::Text(sealed.into())).await.is_ok(),
                None => false,
            },
            Next::Ping => {
                let silent = heard.elapsed() >= SILENCE_MAX
                    || (!line.is_used() && line.since.elapsed() >= FIRST_WORD_MAX);
                let asked = Message::Ping(axum::body::Bytes::new());
                !silent && socket.send(asked).await.is_ok()
            }
        };
    }
    line.end().await;
}

/// The next of something that is not there never comes.
async fn next_of<T>(of: Option<&mut mpsc::Receiver<T>>) -> Option<T> {
    match of {
        Some(of) => of.recv().await,
        None => std::future::pending().await,
    }
}
