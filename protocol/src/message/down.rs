//! From the base to a pad.

use heapless::{String, Vec};
use serde::{Deserialize, Serialize};

use super::{EntryNumber, Feedback, MatchAtTable, Name, Settings, Slip};
use crate::frame::PadKeys;
use crate::time::Span;
use crate::words::{
    BoardNumber, Epoch, Outcome, PairNumber, Percentage, RoundNumber, SectionLetter, SessionId,
    Side, TableNumber,
};

/// Rounds of a table's schedule in one message; longer schedules come in several.
pub const SCHEDULE_ROUNDS_MAX: usize = 8;

/// Lines of a table's history in one message, so that it fills one frame; longer histories come
/// in several.
pub const HISTORY_LINES_MAX: usize = 14;

/// The longest message from the director in bytes: three lines of the pad's display.
pub const NOTICE_LEN_MAX: usize = 96;

/// What the director tells the table.
pub type Notice = String<NOTICE_LEN_MAX>;

/// Everything the base can say.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Down {
    /// The table is yours. Schedule, names and history follow.
    Welcome(Welcome),
    /// The entry is in the journal on disk. Only now may the pad say "received".
    Received {
        /// Which.
        number: EntryNumber,
        /// North-South's percentage on the board so far, where the settings show it.
        percentage: Option<Percentage>,
    },
    /// The base will not do that.
    Refused {
        /// The entry it is about; `None` for a log-on or a question.
        number: Option<EntryNumber>,
        /// Why, in a form that the pad turns into words.
        reason: RefusalReason,
    },
    /// The director lets this table enter that board.
    BoardAllowed {
        /// In this round.
        round: RoundNumber,
        /// This board.
        board: BoardNumber,
    },
    /// Part of the table's schedule; replaces what the pad knew of these rounds.
    Schedule {
        /// How many rounds the session has.
        rounds_total: RoundNumber,
        /// Some of them.
        rounds: Vec<RoundSheet, SCHEDULE_ROUNDS_MAX>,
    },
    /// Who sits here.
    Names(PairNames),
    /// Replaces the settings.
    Settings(Settings),
    /// Answers a question.
    Feedback(Feedback),
    /// A line of this table's score sheet as the base has it: history for a replacement pad,
    /// or a correction by the director.
    Recorded(Recorded),
    /// Time of day and round clock.
    Clock(Clock),
    /// The director stops (`false`) or starts (`true`) the pads. Stopped pads keep entries.
    Gate {
        /// Whether results may be sent.
        open: bool,
    },
    /// A message from the director.
    Notice(Notice),
    /// Another pad has taken this table: send what you still hold, then fall silent.
    Replaced,
    /// The base has lost something (an old backup was opened): send the whole game again.
    PleaseResend,
    /// The session is over; the pad may show the end screen.
    SessionOver,
    /// Many lines of this table's score sheet at once, for a pad that takes a table over: each is
    /// like [`Self::Recorded`].
    History(Vec<Recorded, HISTORY_LINES_MAX>),
    /// No to a board that this table wanted: the director's, or because it can't be.
    BoardRefused {
        /// In this round.
        round: RoundNumber,
        /// This board.
        board: BoardNumber,
        /// [`RefusalReason::NotAllowed`] is the director's own word.
        reason: RefusalReason,
    },
    /// Answers [`super::Up::DirectorPin`].
    PinJudged {
        /// It is the director's number.
        right: bool,
        /// Nothing more is judged for so many seconds: somebody is guessing.
        rest_s: u16,
    },
    /// These player numbers are not in the club's list: is that right?
    UnknownPlayers {
        /// The round they were typed in.
        round: RoundNumber,
        /// By seat from North clockwise.
        seats: [bool; 4],
    },
    /// The director has been at this table, or is on the way: the call is settled.
    CallSettled,
    /// Rounds from this one on are not drawn yet: they come by themselves. Replaces the number of
    /// rounds that the schedule before it told.
    NotDrawn {
        /// The first that nobody knows yet.
        from: RoundNumber,
        /// How many rounds the session will have.
        rounds_total: RoundNumber,
    },
    /// The match that this table plays in a round.
    Match(MatchAtTable),
    /// All boards of the match are in: this is what it came to.
    Slip(Slip),
    /// The club has a new key, and this is the pad's part of it: keep it, and speak under it from
    /// now on.
    NewKey(PadKeys),
}

/// A table handed to a pad.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Welcome {
    /// The session.
    pub session: SessionId,
    /// This pad's epoch at the table.
    pub epoch: Epoch,
    /// The section.
    pub section: SectionLetter,
    /// The table.
    pub table: TableNumber,
    /// The event's name.
    pub event: Name,
    /// The round the table is in.
    pub round: RoundNumber,
    /// How many rounds there are.
    pub rounds_total: RoundNumber,
    /// The number of the pad's next entry.
    pub next_entry: EntryNumber,
    /// How many [`Recorded`] lines follow.
    pub recorded: u8,
    /// How the club plays.
    pub settings: Settings,
}

/// One round at one table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct RoundSheet {
    /// Which round.
    pub round: RoundNumber,
    /// North-South; `None` is a phantom.
    pub ns: Option<PairNumber>,
    /// East-West; `None` is a phantom.
    pub ew: Option<PairNumber>,
    /// The first board.
    pub first_board: BoardNumber,
    /// How many boards follow each other from there; 0 where the table stands empty.
    pub boards: u8,
    /// Where North-South go afterwards.
    pub ns_next: NextPlace,
    /// Where East-West go afterwards.
    pub ew_next: NextPlace,
    /// The table that the boards go to; `None` for the bye-stand or the end.
    pub boards_to: Option<TableNumber>,
}

/// Where a pair goes after a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum NextPlace {
    /// Remain in your seats.
    Stay,
    /// To this table and these seats.
    Go(TableNumber, Side),
    /// Nobody to play against in the next round.
    SitOut,
    /// It was the last round.
    Finished,
}

/// Names by seat from North clockwise, for "is this you?".
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairNames {
    /// From which round on.
    pub round: RoundNumber,
    /// Empty where the base knows none.
    pub seats: [Name; 4],
}

/// A line of the table's score sheet as the base has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Recorded {
    /// The round the board belongs to.
    pub round: RoundNumber,
    /// The board.
    pub board: BoardNumber,
    /// What the base has; `None` where the director took a result away.
    pub result: Option<Outcome>,
    /// Who said so.
    pub source: Source,
}

/// Where a recorded line comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Source {
    /// Agreed at the table.
    Table,
    /// Entered or changed by the director.
    Director,
}

/// Time of day and the round's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Clock {
    /// Seconds since local midnight.
    pub time_of_day_s: u32,
    /// The round the room is in.
    pub round: RoundNumber,
    /// Seconds until the round ends; negative when it should be over.
    pub left_s: i16,
    /// Whether the clock runs.
    pub state: ClockState,
}

impl Clock {
    /// The same clock, so much later.
    #[must_use]
    pub fn after(self, span: Span) -> Self {
        const DAY_S: u64 = 24 * 3600;
        let passed = span.as_millis() / 1000;
        let time_of_day = (u64::from(self.time_of_day_s) + passed) % DAY_S;
        let left = match self.state {
            ClockState::Running => {
                let passed = i64::try_from(passed).unwrap_or(i64::MAX);
                let left = i64::from(self.left_s).saturating_sub(passed);
                i16::try_from(left).unwrap_or(i16::MIN)
            }
            ClockState::Off | ClockState::Held => self.left_s,
        };
        Self {
            time_of_day_s: u32::try_from(time_of_day).unwrap_or_default(),
            left_s: left,
            ..self
        }
    }
}

/// Whether the round clock runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum ClockState {
    /// No clock tonight, or not yet.
    Off,
    /// Counting down.
    Running,
    /// Held by the director.
    Held,
}

/// Why the base refuses, for the pad to put into words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum RefusalReason {
    /// The director has not opened the session yet.
    SessionNotOpen,
    /// Another pad holds this table.
    TableInUse,
    /// No such section tonight.
    NoSuchSection,
    /// No such table in that section.
    NoSuchTable,
    /// Another pad has taken over.
    Replaced,
    /// The board is not played at this table in that round.
    BoardOutOfRange,
    /// The round is over; only the director can change it now.
    RoundOver,
    /// The director has stopped the pads for a moment.
    Stopped,
    /// A result that cannot be.
    Impossible,
    /// The session is over.
    SessionOver,
    /// The pad and the base speak versions too far apart.
    VersionTooOld,
    /// Not for this table, or not yet.
    NotAllowed,
    /// The base cannot write to its disk; the pad keeps the entry and tries again.
    DiskFailed,
    /// The table's own pad is there and talks: the director has been asked whether it is to be
    /// replaced. The claim is made again until there is an answer.
    AskingDirector,
    /// Nobody plays this board in this session.
    BoardNotOfSession,
    /// This table played the board in an earlier round.
    BoardOfEarlierRound,
    /// No deal file has the cards of this board.
    NoDealFile,
}
