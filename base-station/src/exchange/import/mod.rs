//! Sessions of other programs, taken in so that they can be scored again.
//!
//! A file is read into [`Taken`], and that is played through in a journal of its own: the result
//! is a session file as Byestand saves it, which any journal takes in as a new session. Nothing of
//! the evening that is going on is touched.

mod build;
pub(in crate::exchange) mod bws;
mod pbn;
mod usebio;

use std::collections::BTreeMap;

use protocol::words::{
    BoardNumber, PairNumber, PlayerNumber, RoundNumber, SectionLetter, Side, TableNumber,
};

use crate::deals::Deals;
use crate::session::plan::{Method, Ruling};
use telling::{Told, tell};

pub use build::session_file;

/// Whether a file is the database between scoring programs and table terminals.
pub(super) fn is_bws(bytes: &[u8]) -> bool {
    bytes.starts_with(bws::MAGIC)
}

/// Everybody whom such a file knows: number and name.
pub(super) fn player_names(bytes: &[u8]) -> Result<Vec<[String; 2]>, NotTaken> {
    bws::player_names(bytes)
}

/// The longest file that is taken in: a large event has two megabytes.
pub const FILE_LEN_MAX: usize = 32 * 1024 * 1024;

/// A session of another program.
#[derive(Clone, Debug, PartialEq)]
pub struct Taken {
    /// What the file is.
    pub format: &'static str,
    /// The event's name.
    pub event: String,
    /// As 2026-11-16.
    pub date: String,
    /// How it was scored.
    pub method: Method,
    /// One matchpoint for each pair beaten, not two.
    pub single: bool,
    /// All sections were one field.
    pub across_sections: bool,
    /// By letter.
    pub sections: BTreeMap<SectionLetter, TakenSection>,
    /// The cards, where the file has them.
    pub deals: Deals,
    /// What was not understood, sentence by sentence.
    pub notes: Vec<Told>,
}

/// A section of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TakenSection {
    /// Whether both directions are ranked together.
    pub one_winner: bool,
    /// Who played.
    pub pairs: BTreeMap<PairKey, TakenPair>,
    /// What they scored.
    pub lines: Vec<TakenLine>,
}

/// A pair within its section.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PairKey {
    /// Its direction where there are two winners.
    pub side: Option<Side>,
    /// Its number.
    pub number: PairNumber,
}

/// What the file says of a pair.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TakenPair {
    /// Name and number of each player.
    pub players: [(String, Option<PlayerNumber>); 2],
    /// Penalties in hundredths of a point, less than nothing for a loss.
    pub adjustment: i64,
    /// Its place there.
    pub place: String,
}

/// A result.
#[derive(Clone, Debug, PartialEq)]
pub struct TakenLine {
    /// The board.
    pub board: BoardNumber,
    /// North-South.
    pub ns: PairKey,
    /// East-West.
    pub ew: PairKey,
    /// Where and when, if the file says so.
    pub place: Option<(TableNumber, RoundNumber)>,
    /// What became of it.
    pub ruling: Ruling,
    /// Worth to both sides together, as the file says, in ten-thousandths.
    pub both: Option<i64>,
}

/// Why a file is not taken in.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NotTaken(pub Told);

impl NotTaken {
    pub(in crate::exchange) const fn because(why: Told) -> Self {
        Self(why)
    }

    /// A file that is longer than any session.
    pub(in crate::exchange) fn too_long(bytes: &[u8]) -> Self {
        Self(tell!(Exchange::FileTooLong {
            n: bytes.len(),
            most: FILE_LEN_MAX
        }))
    }
}

fn no_board_number(given: &str) -> NotTaken {
    NotTaken::because(tell!(Exchange::NoBoardNumber { given }))
}

/// Reads a session of another program, known by its content.
pub fn read(bytes: &[u8]) -> Result<Taken, NotTaken> {
    if bytes.len() > FILE_LEN_MAX {
        return Err(NotTaken::too_long(bytes));
    }
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(4096)]);
    let mut taken = if head.contains("<USEBIO") || head.contains("!DOCTYPE USEBIO") {
        usebio::read(bytes)?
    } else if crate::deals::recognise(bytes) == Some(crate::deals::Format::Pbn) {
        pbn::read(bytes)?
    } else if bytes.starts_with(bws::MAGIC) {
        bws::read(bytes)?
    } else {
        return Err(NotTaken::because(tell!(Exchange::NoSessionByestandCan)));
    };
    taken
        .sections
        .retain(|_, section| !section.lines.is_empty());
    if taken.sections.is_empty() {
        return Err(NotTaken::because(tell!(Exchange::ThereNoResultsFile)));
    }
    taken.guess_scale();
    Ok(taken)
}

impl Taken {
    /// How many matchpoints a board has in all shows what the other program counted by.
    fn guess_scale(&mut self) {
        if self.method != Method::Matchpoints {
            return;
        }
        let mut results: BTreeMap<(Option<SectionLetter>, BoardNumber), i64> = BTreeMap::new();
        for (letter, section) in &self.sections {
            for line in &section.lines {
                *results.entry((Some(*letter), line.board)).or_default() += 1;
                *results.entry((None, line.board)).or_default() += 1;
            }
        }
        let (mut single, mut across) = (0_i32, 0_i32);
        let top = |tables: i64| (tables - 1) * 10_000;
        for (letter, section) in &self.sections {
            for line in &section.lines {
                let of = |key| results.get(&(key, line.board)).copied().map_or(0, top);
                let (here, all) = (of(Some(*letter)), of(None));
                let Some(both) = line.both.filter(|_| here > 0) else {
                    continue;
                };
                single += i32::from(both == here || both == all);
                single -= i32::from(both == 2 * here || both == 2 * all);
                if all != here {
                    across += i32::from(both == all || both == 2 * all);
                    across -= i32::from(both == here || both == 2 * here);
                }
            }
        }
        self.single = single > 0;
        self.across_sections = across > 0;
    }

    /// How many results there are.
    pub fn results(&self) -> usize {
        self.sections
            .values()
            .map(|section| section.lines.len())
            .sum()
    }
}
