//! The way in for JavaScript: one call, with JSON in a buffer on the way in and on the way out.
//!
//! A plain C interface needs no tool that would have to be installed to build it. The page asks
//! [`byestand_room`] for a buffer, writes its request there, calls [`byestand_ask`] with the
//! length, and reads as many bytes as that answers from [`byestand_answer`].

use std::sync::{Mutex, MutexGuard, PoisonError};

use pad::Key;
use protocol::frame::PadKeys;
use protocol::phone::{End, Notes};
use protocol::time::Instant;
use protocol::words::PadId;
use serde::Deserialize;

use crate::join::{bytes, digits};
use crate::shell::hexadecimal;
use crate::{Phone, Request, Start};

/// The longest request is a note with the score card of an evening, or the start with all pages of
/// the flash.
const REQUEST_LEN_MAX: usize = 256 * 1024;

static ROOM: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static ANSWER: Mutex<String> = Mutex::new(String::new());
static PHONE: Mutex<Option<Phone>> = Mutex::new(None);
static NOTES: Mutex<Option<Notes>> = Mutex::new(None);

/// What the page says. Moments are in milliseconds by its clock.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Asked {
    Proof {
        secret: String,
        device: String,
    },
    Joined {
        secret: String,
        device: String,
        sealed: String,
    },
    Start {
        now_ms: f64,
        pad: u32,
        seed: String,
        stored: Vec<(usize, String)>,
        given: Option<(String, u8)>,
    },
    Press {
        now_ms: f64,
        key: usize,
    },
    Receive {
        now_ms: f64,
        frame: String,
    },
    Tick {
        now_ms: f64,
    },
    LineIsUp {
        now_ms: f64,
    },
    Written {
        now_ms: f64,
        done: bool,
    },
    LogOn {
        now_ms: f64,
        section: String,
        table: u16,
    },
    /// A line for which the base has drawn this: with these keys, or with the pad's own.
    Notes {
        keys: Option<String>,
        base: String,
        phone: String,
    },
    SealNote {
        text: String,
    },
    OpenNote {
        sealed: String,
    },
}

/// Does what the page says; `None` where that can't be understood.
pub fn ask(request: &str) -> Option<String> {
    let mut phone = lock(&PHONE);
    let (request, now_ms) = match serde_json::from_str(request).ok()? {
        Asked::Proof { secret, device } => {
            return serde_json::to_string(&crate::proof(&secret, &device)?).ok();
        }
        Asked::Joined {
            secret,
            device,
            sealed,
        } => return serde_json::to_string(&crate::joined(&secret, &device, &sealed)?).ok(),
        Asked::Notes {
            keys,
            base,
            phone: salt,
        } => {
            let keys = match keys {
                Some(keys) => PadKeys::from_bytes(&digits(&keys)?),
                None => phone.as_ref()?.app().keys()?.clone(),
            };
            let notes = Notes::new(&keys, &digits(&base)?, &digits(&salt)?, End::Phone);
            *lock(&NOTES) = Some(notes);
            return Some("true".to_owned());
        }
        Asked::SealNote { text } => return serde_json::to_string(&seal_note(text)?).ok(),
        Asked::OpenNote { sealed } => return serde_json::to_string(&open_note(&sealed)?).ok(),
        Asked::Start {
            now_ms,
            pad,
            seed,
            stored,
            given,
        } => {
            let pages = stored.into_iter();
            let stored = pages.map(|(page, text)| Some((page, bytes(&text)?)));
            let given = match given {
                None => None,
                Some((keys, network)) => Some((PadKeys::from_bytes(&digits(&keys)?), network)),
            };
            let start = Start {
                pad: PadId::new(pad)?,
                seed: u64::from_le_bytes(digits(&seed)?),
                stored: stored.collect::<Option<_>>()?,
                given,
            };
            let now = moment(now_ms);
            let begun = phone.insert(Phone::start(start, now)?);
            return serde_json::to_string(&begun.settle(now)).ok();
        }
        Asked::Press { now_ms, key } => (Request::Press(*Key::ALL.get(key)?), now_ms),
        Asked::Receive { now_ms, frame } => (Request::Receive(bytes(&frame)?), now_ms),
        Asked::Tick { now_ms } => (Request::Tick, now_ms),
        Asked::LineIsUp { now_ms } => (Request::LineIsUp, now_ms),
        Asked::Written { now_ms, done } => (Request::Written(done), now_ms),
        Asked::LogOn {
            now_ms,
            section,
            table,
        } => {
            let section = section.parse().ok()?;
            let table = table.try_into().ok()?;
            (Request::LogOn(section, table), now_ms)
        }
    };
    let reply = phone.as_mut()?.ask(request, moment(now_ms));
    serde_json::to_string(&reply).ok()
}

fn seal_note(text: String) -> Option<String> {
    let mut note = text.into_bytes();
    let tag = lock(&NOTES).as_mut()?.seal(&mut note)?;
    note.extend(tag);
    Some(hexadecimal(&note))
}

fn open_note(sealed: &str) -> Option<String> {
    let mut sealed = bytes(sealed)?;
    let (note, tag) = sealed.split_last_chunk_mut()?;
    lock(&NOTES).as_mut()?.open(note, tag)?;
    String::from_utf8(note.to_vec()).ok()
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a moment of the page's clock is a positive number far below the limit"
)]
fn moment(now_ms: f64) -> Instant {
    Instant::from_micros((now_ms * 1_000.0).max(0.0) as u64)
}

fn lock<T>(what: &Mutex<T>) -> MutexGuard<'_, T> {
    // There is one thread.
    what.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The functions that the page calls by name.
///
/// Giving a function the name that it is called by is what the language calls unsafe here: another
/// function could have the same one. None of them reads or writes through a pointer.
#[expect(
    unsafe_code,
    reason = "a function that is called by name needs its name kept"
)]
mod exported {
    use super::{ANSWER, REQUEST_LEN_MAX, ROOM, ask, lock};

    /// Where the page puts a request of so many bytes.
    #[unsafe(no_mangle)]
    pub extern "C" fn byestand_room(len: usize) -> *mut u8 {
        let mut room = lock(&ROOM);
        room.resize(len.min(REQUEST_LEN_MAX), 0);
        room.as_mut_ptr()
    }

    /// Does what was put there; so many bytes are the answer.
    #[unsafe(no_mangle)]
    pub extern "C" fn byestand_ask() -> usize {
        let request = std::mem::take(&mut *lock(&ROOM));
        let answer = std::str::from_utf8(&request).ok().and_then(ask);
        let mut place = lock(&ANSWER);
        *place = answer.unwrap_or_else(|| "null".to_owned());
        place.len()
    }

    /// Where the answer is.
    #[unsafe(no_mangle)]
    pub extern "C" fn byestand_answer() -> *const u8 {
        lock(&ANSWER).as_ptr()
    }
}

pub use exported::{byestand_answer, byestand_ask, byestand_room};
