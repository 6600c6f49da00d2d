//! How a message becomes bytes and is read back.
//!
//! Most messages are encoded by postcard: the first byte is the variant's place in its enum.
//! Those that travel all evening are packed by hand; their first byte is 0x80 or more, which no
//! postcard message begins with, and their postcard form is refused, so that a message has one
//! form. `protocol/README.md` has the table.

mod packed;

use heapless::Vec;

use crate::message::{
    Down, Entry, EntryNumber, HISTORY_LINES_MAX, MESSAGE_LEN_MAX, Recorded, Source, Up,
};
use crate::words::{BoardNumber, Outcome, Percentage, RoundNumber};

/// An encoded message.
pub type MessageBytes = Vec<u8, MESSAGE_LEN_MAX>;

/// The longest message that travels ahead of downloads, in one frame.
pub const URGENT_LEN_MAX: usize = 32;

const ENTRY: u8 = 0x80;
const HELD: u8 = 0x81;
const RECEIVED: u8 = 0x80;
const RECEIVED_WITH_PERCENTAGE: u8 = 0x81;
const RECORDED: u8 = 0x82;
const HISTORY: u8 = 0x83;

/// The top bit of a round number is free, because rounds go to 99.
const FLAG: u8 = 0x80;

/// Which of the two queues of a direction a message takes. Each keeps its order; urgent messages
/// pass downloads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    /// One frame, ahead of downloads.
    Urgent,
    /// Cut into fragments.
    Bulk,
}

/// A message that can go over the air.
pub trait Message: Sized {
    /// The bytes; `None` if they would be more than [`MESSAGE_LEN_MAX`].
    fn encode(&self) -> Option<MessageBytes>;

    /// The message of exactly these bytes; `None` if they are none, or of a later version.
    fn decode(bytes: &[u8]) -> Option<Self>;

    /// Which queue it takes.
    fn lane(&self) -> Lane;
}

impl Message for Up {
    fn encode(&self) -> Option<MessageBytes> {
        match self {
            Self::Entry(entry) => encode_entry(ENTRY, entry),
            Self::Held(entry) => encode_entry(HELD, entry),
            other => encode_plain(other),
        }
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        match bytes.split_first()? {
            (&ENTRY, rest) => decode_entry(rest).map(Self::Entry),
            (&HELD, rest) => decode_entry(rest).map(Self::Held),
            _ => decode_plain(bytes)
                .filter(|message| !matches!(message, Self::Entry(_) | Self::Held(_))),
        }
    }

    /// Nothing that a pad says is long.
    fn lane(&self) -> Lane {
        Lane::Urgent
    }
}

impl Message for Down {
    fn encode(&self) -> Option<MessageBytes> {
        let mut bytes = MessageBytes::new();
        match *self {
            Self::Received { number, percentage } => {
                bytes
                    .push(match percentage {
                        None => RECEIVED,
                        Some(_) => RECEIVED_WITH_PERCENTAGE,
                    })
                    .ok()?;
                bytes.extend_from_slice(&number.0.to_le_bytes()).ok()?;
                if let Some(percentage) = percentage {
                    bytes
                        .extend_from_slice(&percentage.get().to_le_bytes())
                        .ok()?;
                }
                Some(bytes)
            }
            Self::Recorded(recorded) => {
                bytes.push(RECORDED).ok()?;
                push_recorded(&mut bytes, recorded)?;
                Some(bytes)
            }
            Self::History(ref lines) => {
                bytes.push(HISTORY).ok()?;
                for recorded in lines {
                    push_recorded(&mut bytes, *recorded)?;
                }
                Some(bytes)
            }
            ref other => encode_plain(other),
        }
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        match *bytes {
            [RECEIVED, low, high] => Some(Self::Received {
                number: EntryNumber(u16::from_le_bytes([low, high])),
                percentage: None,
            }),
            [
                RECEIVED_WITH_PERCENTAGE,
                low,
                high,
                percent_low,
                percent_high,
            ] => {
                let percentage = u16::from_le_bytes([percent_low, percent_high]);
                Some(Self::Received {
                    number: EntryNumber(u16::from_le_bytes([low, high])),
                    percentage: Some(Percentage::new(percentage)?),
                })
            }
            [RECORDED, ref rest @ ..] => decode_recorded(rest).map(Self::Recorded),
            [HISTORY, ref rest @ ..] => decode_history(rest).map(Self::History),
            _ => decode_plain(bytes).filter(|message| {
                !matches!(
                    message,
                    Self::Received { .. } | Self::Recorded(_) | Self::History(_)
                )
            }),
        }
    }

    fn lane(&self) -> Lane {
        match self {
            Self::Received { .. }
            | Self::Refused { .. }
            | Self::BoardAllowed { .. }
            | Self::BoardRefused { .. }
            | Self::PinJudged { .. }
            | Self::Gate { .. }
            | Self::Replaced
            | Self::PleaseResend => Lane::Urgent,
            // A welcome and all that follows it must stay in order, so they share a lane.
            Self::Welcome(_)
            | Self::Schedule { .. }
            | Self::Names(_)
            | Self::Settings(_)
            | Self::Feedback(_)
            | Self::Recorded(_)
            | Self::History(_)
            | Self::Clock(_)
            | Self::Notice(_)
            | Self::UnknownPlayers { .. }
            | Self::CallSettled
            | Self::NotDrawn { .. }
            | Self::Match(_)
            | Self::Slip(_)
            | Self::NewKey(_)
            | Self::SessionOver => Lane::Bulk,
        }
    }
}

/// The number of an entry that can't be read as a whole: who can't be understood is refused by
/// number, and does not say it again for ever. `None` for everything that is no entry.
#[cfg(feature = "hub")]
pub(crate) fn number_of_entry(bytes: &[u8]) -> Option<EntryNumber> {
    match *bytes {
        [ENTRY | HELD, low, high, ..] => Some(EntryNumber(u16::from_le_bytes([low, high]))),
        _ => None,
    }
}

fn encode_plain(message: &impl serde::Serialize) -> Option<MessageBytes> {
    let mut bytes = MessageBytes::new();
    bytes.resize_default(MESSAGE_LEN_MAX).ok()?;
    let length = postcard::to_slice(message, &mut bytes).ok()?.len();
    bytes.truncate(length);
    Some(bytes)
}

fn decode_plain<M: serde::de::DeserializeOwned>(bytes: &[u8]) -> Option<M> {
    match (bytes.first(), postcard::take_from_bytes(bytes)) {
        (Some(0..FLAG), Ok((message, []))) => Some(message),
        _ => None,
    }
}

fn encode_entry(code: u8, entry: &Entry) -> Option<MessageBytes> {
    let [low, high] = entry.number.0.to_le_bytes();
    let mut bytes = MessageBytes::from_slice(&[
        code,
        low,
        high,
        flagged(entry.round, entry.correction),
        flagged(entry.agreed_in, entry.by_director),
        entry.board.get(),
    ])
    .ok()?;
    packed::push_outcome(&mut bytes, Some(Outcome::Result(entry.result)))?;
    Some(bytes)
}

fn decode_entry(bytes: &[u8]) -> Option<Entry> {
    let [low, high, round, agreed_in, board, result @ ..] = bytes else {
        return None;
    };
    let (round, correction) = unflagged(*round)?;
    let (agreed_in, by_director) = unflagged(*agreed_in)?;
    Some(Entry {
        number: EntryNumber(u16::from_le_bytes([*low, *high])),
        round,
        agreed_in,
        board: BoardNumber::new(*board)?,
        result: match packed::line(result)? {
            packed::Line::Outcome(Outcome::Result(result)) => result,
            // Awards are the director's, at the base.
            packed::Line::Outcome(Outcome::Awarded { .. }) | packed::Line::Nothing => return None,
        },
        correction,
        by_director,
    })
}

fn push_recorded(bytes: &mut MessageBytes, recorded: Recorded) -> Option<()> {
    bytes
        .extend_from_slice(&[
            flagged(recorded.round, recorded.source == Source::Director),
            recorded.board.get(),
        ])
        .ok()?;
    packed::push_outcome(bytes, recorded.result)
}

/// Lines back to back; each result says by its first byte how long it is.
fn decode_history(mut bytes: &[u8]) -> Option<Vec<Recorded, HISTORY_LINES_MAX>> {
    let mut lines = Vec::new();
    while let [_, _, first, ..] = *bytes {
        let (line, rest) = bytes.split_at_checked(2 + packed::length(first)?)?;
        lines.push(decode_recorded(line)?).ok()?;
        bytes = rest;
    }
    bytes.is_empty().then_some(lines)
}

fn decode_recorded(bytes: &[u8]) -> Option<Recorded> {
    let [round, board, result @ ..] = bytes else {
        return None;
    };
    let (round, by_director) = unflagged(*round)?;
    Some(Recorded {
        round,
        board: BoardNumber::new(*board)?,
        result: match packed::line(result)? {
            packed::Line::Outcome(outcome) => Some(outcome),
            packed::Line::Nothing => None,
        },
        source: if by_director {
            Source::Director
        } else {
            Source::Table
        },
    })
}

const fn flagged(round: RoundNumber, flag: bool) -> u8 {
    round.get() | if flag { FLAG } else { 0 }
}

fn unflagged(byte: u8) -> Option<(RoundNumber, bool)> {
    Some((RoundNumber::new(byte & !FLAG)?, byte & FLAG != 0))
}
