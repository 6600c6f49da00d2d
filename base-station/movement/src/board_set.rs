//! A set of boards that travels together.

use std::fmt;
use std::str::FromStr;

use protocol::words::BoardNumber;
use serde::{Deserialize, Serialize};

use super::Refused;

/// The boards on a table in one round, in the order in which they are played.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct BoardSet(Vec<BoardNumber>);

impl BoardSet {
    /// The boards in the order given.
    pub fn new(boards: Vec<BoardNumber>) -> Self {
        Self(boards)
    }

    /// `first` to `last`, both included.
    pub fn range(first: BoardNumber, last: BoardNumber) -> Self {
        Self(
            (first.get()..=last.get())
                .filter_map(BoardNumber::new)
                .collect(),
        )
    }

    /// In the order in which they are played.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = BoardNumber> + '_ {
        self.0.iter().copied()
    }

    /// Whether this board is one of them.
    pub fn contains(&self, board: BoardNumber) -> bool {
        self.0.contains(&board)
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Nothing to play.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The lowest number.
    pub fn lowest(&self) -> Option<BoardNumber> {
        self.0.iter().min().copied()
    }

    /// The highest number.
    pub fn highest(&self) -> Option<BoardNumber> {
        self.0.iter().max().copied()
    }
}

impl fmt::Display for BoardSet {
    /// `7-9`, or `7, 9, 12-14` when numbers are missing.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut runs: Vec<(u8, u8)> = Vec::new();
        for board in self.iter().map(BoardNumber::get) {
            match runs.last_mut() {
                Some((_, last)) if last.checked_add(1) == Some(board) => *last = board,
                _ => runs.push((board, board)),
            }
        }
        let runs: Vec<String> = runs
            .into_iter()
            .map(|(first, last)| {
                if first == last {
                    first.to_string()
                } else {
                    format!("{first}-{last}")
                }
            })
            .collect();
        f.pad(&runs.join(", "))
    }
}

impl FromStr for BoardSet {
    type Err = Refused;

    /// Reads `7-9` and `7,9,12-14`; `-` alone is an idle table.
    fn from_str(text: &str) -> Result<Self, Refused> {
        let expected = || Refused::ExpectedBoards {
            given: text.to_owned(),
        };
        if text.trim() == "-" {
            return Ok(Self::default());
        }
        let mut boards = Vec::new();
        for run in text.split(',') {
            let (first, last) = run.split_once('-').unwrap_or((run, run));
            let first: BoardNumber = first.parse().map_err(|_| expected())?;
            let last: BoardNumber = last.parse().map_err(|_| expected())?;
            if first > last {
                return Err(expected());
            }
            boards.extend(Self::range(first, last).iter());
        }
        Ok(Self(boards))
    }
}
