//! Why a deal file is refused, in sentences for the person who made it.

use std::fmt;

use protocol::words::{BoardNumber, Card, Seat, Vulnerability};

use super::FILE_LEN_MAX;

/// Where in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// From 1.
    pub line: usize,
    /// In characters, from 1.
    pub column: usize,
}

/// Where in any deal file: texts have lines, the files of dealing machines have bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// In a text.
    Text(Place),
    /// In a file that is no text: so many bytes from its beginning, from 1.
    Byte(usize),
    /// The file as a whole.
    File,
}

impl From<Place> for At {
    fn from(place: Place) -> Self {
        Self::Text(place)
    }
}

/// A deal file that cannot be used. Nothing of it is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct DealFileError {
    /// Where.
    pub at: At,
    /// On which board, as far as that is known.
    pub board: Option<BoardNumber>,
    /// What.
    pub problem: Problem,
}

/// What is wrong in a deal file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// Zero bytes: UTF-16, or not a text at all.
    #[error(
        "this is not a plain text file; save it from the dealing program as PBN in UTF-8 or Latin-1"
    )]
    NotText,
    /// None of the formats that we know.
    #[error(
        "this is no deal file that Byestand knows; expected one of PBN, LIN, RBN, DUP, DLM, BRI, DGE, CSV, BER, BHG, CDS or RZD"
    )]
    UnknownFormat,
    /// More than any session needs.
    #[error("the file has {0} bytes; expected a deal file of at most {FILE_LEN_MAX}")]
    TooLong(usize),
    /// The file stops inside a board.
    #[error(
        "the file ends in the middle of a board; it was probably cut short, so export it again"
    )]
    BoardCutShort,
    /// The file says itself that it has more boards.
    #[error(
        "the file says that it has {said} boards, but there are only {there}; it was probably cut short, so export it again"
    )]
    FewerBoards {
        /// As the file says.
        said: usize,
        /// As many as there are.
        there: usize,
    },
    /// The letters don't give the number behind them.
    #[error(
        "the check number of the board is {file}, but its cards give {cards}; the file is damaged, so export it again"
    )]
    CheckNumber {
        /// In the file.
        file: String,
        /// As it should be.
        cards: u8,
    },
    /// The file says the cards twice, and not the same.
    #[error(
        "the two lists of cards that the file has for this board differ; it is damaged, so export it again"
    )]
    ListsDiffer,
    /// Something that is not a card in this format.
    #[error("{0:?} is not a card in this kind of file")]
    BadCard(String),
    /// A piece that can't be where it is.
    #[error("{0:?} was not expected here; the file is damaged, so export it again")]
    Damaged(String),
    /// Boards in an order that we can't be sure of.
    #[error("the file counts its boards backwards; save it from the dealing program as PBN")]
    Backwards,
    /// No deal at all.
    #[error(
        "there is no deal in this file; expected tags such as [Board \"1\"] and [Deal \"N:...\"]"
    )]
    NoDeals,
    /// The file ends inside a tag.
    #[error("the file ends in the middle of a tag; it was probably cut short, so export it again")]
    CutShort,
    /// A tag that is not `[Name "value"]`.
    #[error("expected a tag such as [Board \"5\"]")]
    BadTag,
    /// A comment in braces without end.
    #[error("the comment that begins here with {{ is never closed with }}")]
    OpenComment,
    /// Not a board number.
    #[error("{0:?} is not a board number; expected 1 to 255")]
    BadBoard(String),
    /// A board without a deal.
    #[error("the board has no [Deal] tag, so its cards are unknown")]
    NoDeal,
    /// Two deals with the same number.
    #[error("the board is in the file twice; it was first seen in line {first_line}")]
    Twice {
        /// Where it was first.
        first_line: usize,
    },
    /// The deal is not four hands.
    #[error("the deal has {0} hands; expected four, such as N:AK2.QJ3.T98.7654 and so on")]
    Hands(usize),
    /// The deal doesn't say whose hand comes first.
    #[error("expected the deal to begin with the seat of its first hand: N:, E:, S: or W:")]
    FirstSeat,
    /// `-` in place of a hand.
    #[error("the cards of {0} are left out; a hand record needs all four hands")]
    HandLeftOut(Seat),
    /// Not four suits.
    #[error("the hand of {seat} has {suits} suits; expected four with a dot between, spades first")]
    Suits {
        /// Whose hand.
        seat: Seat,
        /// How many.
        suits: usize,
    },
    /// Not a rank.
    #[error("{letter:?} in the hand of {seat} is not a card; expected A K Q J T 9 to 2")]
    BadRank {
        /// Whose hand.
        seat: Seat,
        /// What stood there.
        letter: char,
    },
    /// More or fewer than 13.
    #[error("{seat} has {cards} cards; expected 13")]
    CardCount {
        /// Whose hand.
        seat: Seat,
        /// How many.
        cards: u32,
    },
    /// A card that two players hold, or one twice.
    #[error("{card} is dealt twice, to {first} and to {second}")]
    CardTwice {
        /// Which card.
        card: Card,
        /// Who had it first.
        first: Seat,
        /// And who again.
        second: Seat,
    },
    /// Not a seat.
    #[error("{0:?} is not a dealer; expected N, E, S or W")]
    BadDealer(String),
    /// The dealer of another board number.
    #[error(
        "the file says that {file} deals, but on this board {board} does; is the board number right?"
    )]
    Dealer {
        /// In the file.
        file: Seat,
        /// By the number.
        board: Seat,
    },
    /// Not a vulnerability.
    #[error("{0:?} is not a vulnerability; expected None, NS, EW or All")]
    BadVulnerability(String),
    /// The vulnerability of another board number.
    #[error(
        "the file says {file} vulnerable, but on this board it is {board}; is the board number right?"
    )]
    Vulnerable {
        /// In the file.
        file: Vulnerability,
        /// By the number.
        board: Vulnerability,
    },
    /// Double-dummy tricks that can't be read.
    #[error("{0:?} is not a list of double-dummy tricks; expected 20 digits from 0 to d")]
    BadTricks(String),
    /// A par score that can't be read.
    #[error("{0:?} is not an optimum score; expected something like NS 420")]
    BadPar(String),
}

impl fmt::Display for DealFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let comma = match self.at {
            At::Text(Place { line, column }) => {
                write!(f, "line {line}, column {column}")?;
                ", "
            }
            At::Byte(byte) => {
                write!(f, "byte {byte}")?;
                ", "
            }
            At::File => "",
        };
        if let Some(board) = self.board {
            write!(f, "{comma}board {board}")?;
        } else if comma.is_empty() {
            return write!(f, "{}", self.problem);
        }
        write!(f, ": {}", self.problem)
    }
}

/// Deals that lack a board of tonight's session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub struct DoesNotFit {
    /// The first board of the session that is not in the file.
    pub missing: BoardNumber,
    /// The file's lowest board.
    pub first: Option<BoardNumber>,
    /// The file's highest board.
    pub last: Option<BoardNumber>,
}

impl fmt::Display for DoesNotFit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "board {} of this session is not in the deal file",
            self.missing
        )?;
        if let (Some(first), Some(last)) = (self.first, self.last) {
            write!(f, ", which has boards {first} to {last}")?;
        }
        f.write_str("; choose the file that was dealt for tonight")
    }
}
