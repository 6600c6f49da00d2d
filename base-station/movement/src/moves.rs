//! What happens between two rounds: where pairs and boards go, and what the director calls.

use std::fmt;
use std::str::FromStr;

use protocol::words::{RoundNumber, Side, TableNumber};
use serde::Serialize;

use super::{BoardSet, Movement, NoSuchSentence, Place, Seating, SpecialMove};

/// Where a pair goes when a round is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PairGoes {
    /// To this place, which may be the one it has.
    To(Place),
    /// It sits out the next round.
    SitsOut,
    /// Home: the movement is over.
    Home,
}

/// Where the boards of a table go when a round is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum BoardsGo {
    /// To these tables (two when they share).
    To(Vec<TableNumber>),
    /// Onto the bye-stand or the stack; they are needed again in this round.
    Rest {
        /// The round in which somebody takes them.
        until: RoundNumber,
    },
    /// Nobody plays them any more.
    Done,
}

/// The whole move of one table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NextMove {
    /// Where NS go.
    pub ns: Option<PairGoes>,
    /// Where EW go.
    pub ew: Option<PairGoes>,
    /// Where the boards go.
    pub boards: BoardsGo,
}

/// Something the director says to the room at the end of a round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "call")]
pub enum Announcement {
    /// EW miss a table.
    Skip {
        /// How many tables they go up.
        forward: u8,
    },
    /// EW subtract their table number.
    Subtract {
        /// From this.
        from: TableNumber,
    },
    /// The round that begins now is the last one.
    LastRound,
    /// The movement is over.
    GameOver,
}

impl Movement {
    /// Where everything on a table goes when `round` is over.
    pub fn next_move(&self, round: RoundNumber, table: TableNumber) -> Option<NextMove> {
        let seating = self.seating(round, table)?;
        let goes = |side: Side| {
            seating
                .pair(side)
                .map(|number| self.pair_goes(self.pair_id(side, number), round))
        };
        Some(NextMove {
            ns: goes(Side::NorthSouth),
            ew: goes(Side::EastWest),
            boards: self.boards_go(seating, round),
        })
    }

    /// Where a pair goes when `round` is over.
    pub fn pair_goes(&self, pair: super::PairId, round: RoundNumber) -> PairGoes {
        match round.next().filter(|&next| self.round(next).is_some()) {
            None => PairGoes::Home,
            Some(next) => self
                .where_is(pair, next)
                .map_or(PairGoes::SitsOut, PairGoes::To),
        }
    }

    fn boards_go(&self, seating: &Seating, round: RoundNumber) -> BoardsGo {
        let needed_in = |number: RoundNumber| -> Vec<TableNumber> {
            self.round(number)
                .into_iter()
                .flat_map(super::Round::tables)
                .filter(|(_, other)| {
                    other.boards == seating.boards
                        && other.copy == seating.copy
                        && !seating.boards.is_empty()
                })
                .map(|(table, _)| table)
                .collect()
        };
        let later = self
            .numbered_rounds()
            .map(|(number, _)| number)
            .filter(|&number| number > round)
            .find(|&number| !needed_in(number).is_empty());
        match later {
            None => BoardsGo::Done,
            Some(number) if round.next() == Some(number) => BoardsGo::To(needed_in(number)),
            Some(until) => BoardsGo::Rest { until },
        }
    }

    /// Whose boards a table shares in a round: the other tables with the same set.
    pub fn shares_with(&self, round: RoundNumber, table: TableNumber) -> Vec<TableNumber> {
        let Some(here) = self.seating(round, table).filter(|here| here.is_played()) else {
            return Vec::new();
        };
        self.round(round)
            .into_iter()
            .flat_map(super::Round::tables)
            .filter(|&(other, seating)| {
                other != table
                    && seating.is_played()
                    && seating.copy == here.copy
                    && seating.boards == here.boards
            })
            .map(|(other, _)| other)
            .collect()
    }

    /// The sets in play, each once, in the order of their lowest board.
    pub fn board_sets(&self) -> Vec<BoardSet> {
        let mut sets: Vec<BoardSet> = self
            .rounds
            .iter()
            .flat_map(|round| &round.seatings)
            .map(|seating| seating.boards.clone())
            .filter(|boards| !boards.is_empty())
            .collect();
        sets.sort();
        sets.dedup();
        sets
    }

    /// What the director calls when `round` is over.
    pub fn announcements(&self, round: RoundNumber) -> Vec<Announcement> {
        let mut calls = Vec::new();
        match self.special {
            Some(SpecialMove::Skip {
                after_round,
                forward,
            }) if after_round == round => calls.push(Announcement::Skip { forward }),
            Some(SpecialMove::Subtract { after_round, from }) if after_round == round => {
                calls.push(Announcement::Subtract { from });
            }
            _ => {}
        }
        match self.round_count().checked_sub(usize::from(round.get())) {
            Some(1) => calls.push(Announcement::LastRound),
            Some(0) => calls.push(Announcement::GameOver),
            _ => {}
        }
        calls
    }
}

impl fmt::Display for Announcement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Skip { forward } => write!(
                f,
                "Skip now: East-West go up {forward} tables instead of one. Boards go down one table as always."
            ),
            Self::Subtract { from } => write!(
                f,
                "Special move now: East-West subtract their table number from {from} and go to that table \
                 (from table 1 to table {}, from table 2 to table {}). Boards go down one table as always.",
                from.get().saturating_sub(1),
                from.get().saturating_sub(2)
            ),
            Self::LastRound => f.write_str("This is the last round."),
            Self::GameOver => f.write_str("That was the last round: the session is over."),
        }
    }
}

impl FromStr for Announcement {
    type Err = NoSuchSentence;

    fn from_str(text: &str) -> Result<Self, NoSuchSentence> {
        let number = |before: &str| {
            let rest = text.strip_prefix(before)?;
            rest.split(' ').next()?.parse::<u16>().ok()
        };
        let skip = number("Skip now: East-West go up ")
            .and_then(|forward| u8::try_from(forward).ok())
            .map(|forward| Self::Skip { forward });
        let subtract = number("Special move now: East-West subtract their table number from ")
            .and_then(TableNumber::new)
            .map(|from| Self::Subtract { from });
        let calls = skip.into_iter().chain(subtract);
        calls
            .chain([Self::LastRound, Self::GameOver])
            .find(|call| call.to_string() == text)
            .ok_or(NoSuchSentence)
    }
}

impl fmt::Display for PairGoes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::To(place) => fmt::Display::fmt(place, f),
            Self::SitsOut => f.write_str("sits out"),
            Self::Home => f.write_str("home"),
        }
    }
}
