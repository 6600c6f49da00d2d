//! What pads and base station say to each other.
//!
//! [`Up`] goes from a pad to the base, [`Down`] from the base to a pad. A pad begins every
//! contact; what the base has to say waits until the pad calls. The link delivers each message
//! once and in order within an epoch, cut into fragments where it is long.
//!
//! # Evolution
//! The encoding is postcard's, so the order of variants and fields *is* the format.
//! - Append variants at the end of an enum; never reorder, remove or reuse one.
//! - Never change the fields of a released variant: add a new variant beside it.
//! - A receiver answers a variant that it does not know with silence and a count, and goes on.
//! - A change that an older end could misread raises [`WIRE_VERSION`]; the base accepts every
//!   version from [`WIRE_VERSION_MIN`] on.

mod down;
mod feedback;
mod language;
mod matches;
mod settings;
mod up;

pub use down::{
    Clock, ClockState, Down, HISTORY_LINES_MAX, NOTICE_LEN_MAX, NextPlace, Notice, PairNames,
    Recorded, RefusalReason, RoundSheet, SCHEDULE_ROUNDS_MAX, Source, Welcome,
};
pub use feedback::{
    Feedback, HandRecord, PackedDeal, Par, RANKING_LINES_MAX, RankingLine, TRAVELLER_LINES_MAX,
    TravellerLine, TricksTable,
};
pub use language::Language;
pub use matches::{MatchAtTable, SLIP_LINES_MAX, Slip, SlipLine};
pub use settings::{
    Acceptance, BoardChoice, FeedbackLevel, LeadEntry, PairCheck, Pin, PlayerNumbers, ResultStyle,
    Settings,
};
pub use up::{CheckIn, Entry, EntryNumber, FirmwareVersion, LogOn, Players, Question, Up};

/// The version of the wire format that this crate speaks.
pub const WIRE_VERSION: u8 = 2;

/// The oldest version that the base still understands, where the club allows it.
pub const WIRE_VERSION_MIN: u8 = 1;

/// The longest encoded message in bytes: a traveller of forty lines. Both ends keep one buffer
/// of this size for each direction.
pub const MESSAGE_LEN_MAX: usize = 544;

/// A name as pads show it. Longer names are cut by the base.
pub type Name = heapless::String<24>;
