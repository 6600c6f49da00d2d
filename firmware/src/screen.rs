//! A screen as a value: what is to be read, not how it is painted.
//!
//! Tests and the virtual pad read it; [`crate::draw()`] paints it.

use heapless::{String, Vec};
use protocol::message::{HandRecord, Language};

use crate::draw::{GAP, LINE_WIDTH, Type, body_height, width};

/// Rows that one screen can hold; more do not fit the display.
pub const ROWS_MAX: usize = 7;

/// Bytes of a row: the longest name and what stands beside it; suit symbols take three bytes.
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
    Hands(HandRecord, Language),
    /// Nothing to read: the factory looks at the glass.
    Picture(Picture),
}

/// What the factory looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Picture {
    /// Every pixel is ink.
    Black,
    /// None is.
    White,
    /// Every other one: neighbours that hang together show.
    Chequers,
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
    /// What is to be read: capitals of 24 pixels, 3.5 mm.
    Normal,
    /// The same, white on black: the own result, the chosen line of a list.
    Inverse,
    /// What is being typed, and what East checks: capitals of 34 pixels, 5 mm.
    Large,
}

impl RowStyle {
    /// How large its letters are.
    pub(crate) const fn size(self) -> Type {
        match self {
            Self::Normal | Self::Inverse => Type::Normal,
            Self::Large => Type::Large,
        }
    }

    /// Pixels from one row to the next.
    pub const fn height(self) -> u32 {
        match self {
            Self::Normal | Self::Inverse => 32,
            Self::Large => 44,
        }
    }

    /// Whether a row has room for a text.
    pub fn fits(self, text: &str) -> bool {
        let columns = i32::try_from(text.split('\t').count()).unwrap_or(i32::MAX);
        let widths = text.split('\t').map(|cell| width(cell, self.size()));
        match columns {
            1 | 2 => widths.sum::<i32>() + (columns - 1) * GAP <= LINE_WIDTH,
            _ => widths.max() <= Some(LINE_WIDTH / columns),
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
    UnknownPlayers,
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
    Slip,
    Test,
}

impl ScreenId {
    /// Whether it does without the status line, to have room for what East checks.
    pub const fn is_tall(self) -> bool {
        matches!(self, Self::Check | Self::Par)
    }

    /// All of them.
    pub const ALL: [Self; 46] = [
        Self::Start,
        Self::Section,
        Self::Table,
        Self::LoggingOn,
        Self::LogOnRefused,
        Self::OldResults,
        Self::Players,
        Self::UnknownPlayers,
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
        Self::Slip,
        Self::Test,
    ];
}

/// Whether texts stand beside each other in one line.
pub(crate) fn fit(texts: &[impl AsRef<str>]) -> bool {
    let shown = texts.iter().map(AsRef::as_ref).filter(|it| !it.is_empty());
    let widths = shown.map(|it| width(it, Type::Normal) + GAP);
    widths.sum::<i32>() - GAP <= LINE_WIDTH
}

impl Status {
    /// Whether both ends fit into the line.
    pub fn fits(&self) -> bool {
        fit(&[self.place.as_str(), self.alert.as_str()])
    }
}

impl Screen {
    /// What does not fit on the display; empty on every screen the pad can show.
    pub fn overflow(&self) -> Option<&str> {
        let height: u32 = self.rows().iter().map(|row| row.style.height()).sum();
        if height > body_height(self.id.is_tall()) {
            return Some("rows");
        }
        if !RowStyle::Normal.fits(&self.title) {
            return Some(&self.title);
        }
        if !self.id.is_tall() && !self.status.fits() {
            return Some("status");
        }
        if !fit(&self.hints) {
            return Some("hints");
        }
        let long_row = self.rows().iter().find(|row| !row.style.fits(&row.text));
        long_row.map(|row| row.text.as_str())
    }

    /// The rows, where the body is made of rows.
    pub fn rows(&self) -> &[Row] {
        match &self.body {
            Body::Rows(rows) => rows,
            Body::Hands(..) | Body::Picture(_) => &[],
        }
    }

    /// Whether a row, the title or a hint contains this text: for tests and for searching.
    pub fn says(&self, text: &str) -> bool {
        self.title.contains(text)
            || self.rows().iter().any(|row| row.text.contains(text))
            || self.hints.iter().any(|hint| hint.contains(text))
    }
}
