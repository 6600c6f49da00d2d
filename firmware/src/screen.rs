//! A screen as a value: what is to be read, not how it is painted.
//!
//! Tests and the virtual pad read it; [`crate::draw()`] paints it.

use heapless::{String, Vec};
use protocol::message::HandRecord;

/// Rows that one screen can hold; more do not fit the display.
pub const ROWS_MAX: usize = 7;

/// Pixels that the rows of a screen can fill, between the title and the hints.
pub const BODY_HEIGHT: u32 = 160;

/// Bytes of a row: 33 characters of the smallest type, and suit symbols take three bytes.
pub const ROW_LEN_MAX: usize = 64;

/// The text of a row, with suit symbols as the characters they are.
pub type RowText = String<ROW_LEN_MAX>;

/// The text of a hint at the foot of the screen.
pub type Hint = String<24>;

/// Everything that the display shows at one time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Screen {
    /// Which screen this is.
    pub id: ScreenId,
    /// The line at the top.
    pub status: Status,
    /// What the screen is about.
    pub title: RowText,
    /// What is to be read.
    pub body: Body,
    /// What the keys at the foot do: BACK at the left, further keys in the middle, OK or ACCEPT
    /// at the right. Empty where a key does nothing.
    pub hints: [Hint; 3],
}

/// What is to be read.
#[expect(
    clippy::large_enum_variant,
    reason = "a screen lives on the stack while it is painted; there is no heap to box into"
)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Body {
    /// Rows from top to bottom.
    Rows(Vec<Row, ROWS_MAX>),
    /// Four hands.
    Hands(HandRecord),
}

/// One row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// What it says.
    pub text: RowText,
    /// How large, and whether it stands out.
    pub style: RowStyle,
}

/// How a row is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowStyle {
    /// Names, and what was before: 33 characters.
    Small,
    /// What is to be read: 22 characters.
    Normal,
    /// The same, white on black: the own result, the chosen line of a list.
    Inverse,
    /// What is being typed, and what East checks: 20 characters, the largest suit symbols.
    Large,
}

impl RowStyle {
    /// Characters that fit into a row. A suit symbol is as wide as a letter.
    pub const fn columns(self) -> usize {
        match self {
            Self::Small => 33,
            Self::Normal | Self::Inverse => 22,
            Self::Large => 20,
        }
    }

    /// Pixels from one row to the next.
    pub const fn height(self) -> u32 {
        match self {
            Self::Small => 25,
            Self::Normal | Self::Inverse => 32,
            Self::Large => 42,
        }
    }
}

/// The line at the top of every screen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Status {
    /// Table, round, and minutes left where a clock runs.
    pub place: RowText,
    /// What is not as it should be, the most important first; empty when all is well.
    pub alert: RowText,
}

/// Which screen it is. Every one is reached by a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(
    missing_docs,
    reason = "the flow of the same name says what happens on it"
)]
pub enum ScreenId {
    Start,
    Section,
    Table,
    LoggingOn,
    LogOnRefused,
    OldResults,
    Players,
    RoundStart,
    WrongTable,
    PairTyped,
    ChoosePin,
    SitOut,
    BoardTyped,
    Entry,
    Check,
    AcceptPin,
    RoundSummary,
    OutOfRange,
    RoundEnd,
    Traveller,
    HandRecord,
    Par,
    Ranking,
    CallDirector,
    Notice,
    EntryRefused,
    Replaced,
    SessionEnd,
    DirectorPin,
    Menu,
    CurrentGame,
    Results,
    ResultDetail,
    Adjust,
    AllowBoard,
    ResendConfirm,
    RecoverConfirm,
    NewGameConfirm,
    ForgetOld,
    Radio,
    ClubKey,
    Service,
    RestartConfirm,
}

impl ScreenId {
    /// All of them.
    pub const ALL: [Self; 43] = [
        Self::Start,
        Self::Section,
        Self::Table,
        Self::LoggingOn,
        Self::LogOnRefused,
        Self::OldResults,
        Self::Players,
        Self::RoundStart,
        Self::WrongTable,
        Self::PairTyped,
        Self::ChoosePin,
        Self::SitOut,
        Self::BoardTyped,
        Self::Entry,
        Self::Check,
        Self::AcceptPin,
        Self::RoundSummary,
        Self::OutOfRange,
        Self::RoundEnd,
        Self::Traveller,
        Self::HandRecord,
        Self::Par,
        Self::Ranking,
        Self::CallDirector,
        Self::Notice,
        Self::EntryRefused,
        Self::Replaced,
        Self::SessionEnd,
        Self::DirectorPin,
        Self::Menu,
        Self::CurrentGame,
        Self::Results,
        Self::ResultDetail,
        Self::Adjust,
        Self::AllowBoard,
        Self::ResendConfirm,
        Self::RecoverConfirm,
        Self::NewGameConfirm,
        Self::ForgetOld,
        Self::Radio,
        Self::ClubKey,
        Self::Service,
        Self::RestartConfirm,
    ];
}

/// Characters that fit into the status line, and into the hints at the foot.
pub(crate) const LINE_COLUMNS: usize = 31;

/// How many columns a text takes: suit symbols are larger than letters.
pub fn columns_of(text: &str) -> usize {
    let wide = |letter: char| "♠♥♦♣".contains(letter);
    text.chars()
        .map(|letter| if wide(letter) { 2 } else { 1 })
        .sum()
}

impl Screen {
    /// What does not fit on the display; empty on every screen the pad can show.
    pub fn overflow(&self) -> Option<&str> {
        let height: u32 = self.rows().iter().map(|row| row.style.height()).sum();
        if height > BODY_HEIGHT {
            return Some("rows");
        }
        if self.title.chars().count() > RowStyle::Normal.columns() {
            return Some(&self.title);
        }
        if columns_of(&self.status.place) + columns_of(&self.status.alert) > LINE_COLUMNS {
            return Some("status");
        }
        let hints: usize = self.hints.iter().map(|hint| columns_of(hint)).sum();
        if hints > LINE_COLUMNS {
            return Some("hints");
        }
        let long_row = self
            .rows()
            .iter()
            .find(|row| columns_of(&row.text) > row.style.columns());
        long_row.map(|row| row.text.as_str())
    }

    /// The rows, where the body is made of rows.
    pub fn rows(&self) -> &[Row] {
        match &self.body {
            Body::Rows(rows) => rows,
            Body::Hands(_) => &[],
        }
    }

    /// Whether a row, the title or a hint contains this text: for tests and for searching.
    pub fn says(&self, text: &str) -> bool {
        self.title.contains(text)
            || self.rows().iter().any(|row| row.text.contains(text))
            || self.hints.iter().any(|hint| hint.contains(text))
    }
}
