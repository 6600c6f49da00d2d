//! Whether a movement can be played: nobody plays a board twice, nobody sits in two places.

use std::collections::BTreeMap;
use std::fmt;

use protocol::words::{BoardNumber, RoundNumber, Side, TableNumber};
use serde::Serialize;

use super::{Lists, Movement, PairId, Place};

/// Something that makes a movement unplayable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "fault")]
pub enum Fault {
    /// A pair would meet the same board again.
    BoardTwice {
        /// Who.
        pair: PairId,
        /// What.
        board: BoardNumber,
        /// The first time and the second time.
        rounds: (RoundNumber, RoundNumber),
    },
    /// A pair is expected at two tables, or on both sides of one.
    TwoPlaces {
        /// Who.
        pair: PairId,
        /// When.
        round: RoundNumber,
        /// Where.
        places: (Place, Place),
    },
    /// One physical board would have to lie on tables that are not meant to share it.
    TooManySharing {
        /// When.
        round: RoundNumber,
        /// What.
        board: BoardNumber,
        /// Where.
        tables: Vec<TableNumber>,
    },
    /// A round has more or fewer tables than round 1.
    OtherTables {
        /// Which round.
        round: RoundNumber,
    },
    /// Nothing to play at all.
    Empty,
}

/// How often pairs meet.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Meetings {
    /// For every two pairs that meet: how many rounds.
    #[serde(skip)]
    pub between: BTreeMap<(PairId, PairId), usize>,
    /// How many twosomes meet once, twice and so on.
    pub histogram: BTreeMap<usize, usize>,
    /// How many twosomes that could meet never do.
    pub never: usize,
}

/// How evenly pairs of one ranking list compete with each other.
///
/// On a board of `n` results two opponents take `n - 1` comparisons from each other, two pairs
/// that sit the same way compete for one, and two that sit opposite ways at different tables
/// help each other by one. The sum over all boards should be the same for any two pairs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Balance {
    /// The least competition between any two pairs.
    pub least: i64,
    /// The most.
    pub most: i64,
    /// The mean.
    pub mean: f64,
    /// Standard deviation over all twosomes, in comparisons.
    pub deviation: f64,
}

/// What the check found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// What makes it unplayable; empty means sound.
    pub faults: Vec<Fault>,
    /// Who meets whom how often.
    pub meetings: Meetings,
    /// Fewest and most boards that a pair plays.
    pub boards_played: (usize, usize),
    /// Fewest and most rounds that a pair sits out.
    pub sit_outs: (usize, usize),
    /// Rounds and tables that have to pass one set of boards to and fro.
    pub sharing: Vec<Sharing>,
    /// Competition within a ranking list.
    pub balance: Balance,
}

/// A round, and the tables that pass a set to and fro in it.
pub type Sharing = (RoundNumber, Vec<TableNumber>);

/// Which boards a pair plays, and in which round.
type BoardsPlayed = BTreeMap<BoardNumber, RoundNumber>;

/// A set on more tables than this at once can't be passed round in the time of a round.
const TABLES_SHARING_MAX: usize = 3;

impl Report {
    /// Whether it can be played.
    pub fn is_sound(&self) -> bool {
        self.faults.is_empty()
    }
}

impl Movement {
    /// Plays the movement through on paper and reports everything a director would want to know.
    pub fn check(&self) -> Report {
        let (faults, sharing, played) = self.play_through();
        let sit_outs = self.sit_outs_by_pair();
        Report {
            faults,
            meetings: self.meetings(),
            boards_played: least_and_most(played.values().map(BTreeMap::len)),
            sit_outs: least_and_most(sit_outs.values().copied()),
            sharing,
            balance: self.balance(),
        }
    }

    /// What makes the movement unplayable, without the rest of the report.
    pub fn faults(&self) -> Vec<Fault> {
        self.play_through().0
    }

    fn play_through(&self) -> (Vec<Fault>, Vec<Sharing>, BTreeMap<PairId, BoardsPlayed>) {
        let mut faults = Vec::new();
        let mut sharing = Vec::new();
        if self.pairs().is_empty() {
            faults.push(Fault::Empty);
        }
        for (number, round) in self.numbered_rounds() {
            if round.seatings.len() != self.table_count() {
                faults.push(Fault::OtherTables { round: number });
            }
            self.find_two_places(number, &mut faults);
            self.find_sharing(number, &mut faults, &mut sharing);
        }
        let played = self.boards_by_pair(&mut faults);
        (faults, sharing, played)
    }

    fn find_two_places(&self, number: RoundNumber, faults: &mut Vec<Fault>) {
        let mut seen: BTreeMap<PairId, Place> = BTreeMap::new();
        for (pair, place) in self
            .round(number)
            .into_iter()
            .flat_map(|round| self.seated(round))
        {
            if let Some(first) = seen.insert(pair, place) {
                faults.push(Fault::TwoPlaces {
                    pair,
                    round: number,
                    places: (first, place),
                });
            }
        }
    }

    fn find_sharing(
        &self,
        number: RoundNumber,
        faults: &mut Vec<Fault>,
        sharing: &mut Vec<Sharing>,
    ) {
        let mut lying: BTreeMap<(u8, BoardNumber), Vec<TableNumber>> = BTreeMap::new();
        for (table, seating) in self
            .round(number)
            .into_iter()
            .flat_map(super::Round::tables)
        {
            if seating.is_played() {
                for board in seating.boards.iter() {
                    lying.entry((seating.copy, board)).or_default().push(table);
                }
            }
        }
        for ((_, board), tables) in lying.into_iter().filter(|(_, tables)| tables.len() > 1) {
            if tables.len() > TABLES_SHARING_MAX {
                faults.push(Fault::TooManySharing {
                    round: number,
                    board,
                    tables,
                });
            } else if !sharing.contains(&(number, tables.clone())) {
                sharing.push((number, tables));
            }
        }
    }

    /// Which boards each pair plays in which round.
    fn boards_by_pair(&self, faults: &mut Vec<Fault>) -> BTreeMap<PairId, BoardsPlayed> {
        let mut played: BTreeMap<PairId, BoardsPlayed> = self
            .pairs()
            .into_iter()
            .map(|pair| (pair, BTreeMap::new()))
            .collect();
        for (number, round) in self.numbered_rounds() {
            for (pair, place) in self.seated(round) {
                let Some(seating) = round.at(place.table).filter(|seating| seating.is_played())
                else {
                    continue;
                };
                let boards = played.entry(pair).or_default();
                for board in seating.boards.iter() {
                    if let Some(first) = boards.insert(board, number) {
                        faults.push(Fault::BoardTwice {
                            pair,
                            board,
                            rounds: (first, number),
                        });
                    }
                }
            }
        }
        played
    }

    fn sit_outs_by_pair(&self) -> BTreeMap<PairId, usize> {
        let mut sit_outs: BTreeMap<PairId, usize> =
            self.pairs().into_iter().map(|pair| (pair, 0)).collect();
        for (number, _) in self.numbered_rounds() {
            for pair in self.sitting_out(number) {
                *sit_outs.entry(pair).or_default() += 1;
            }
        }
        sit_outs
    }

    /// Who meets whom in how many rounds.
    pub fn meetings(&self) -> Meetings {
        let mut between: BTreeMap<(PairId, PairId), usize> = BTreeMap::new();
        for seating in self.rounds.iter().flat_map(|round| &round.seatings) {
            if let (Some(ns), Some(ew)) = (seating.ns, seating.ew) {
                let ns = self.pair_id(Side::NorthSouth, ns);
                let ew = self.pair_id(Side::EastWest, ew);
                *between.entry((ns.min(ew), ns.max(ew))).or_default() += 1;
            }
        }
        let mut histogram: BTreeMap<usize, usize> = BTreeMap::new();
        for &times in between.values() {
            *histogram.entry(times).or_default() += 1;
        }
        let pairs = self.pairs();
        let possible = match self.lists {
            Lists::One => pairs.len() * pairs.len().saturating_sub(1) / 2,
            Lists::Two => {
                let ns = pairs
                    .iter()
                    .filter(|pair| pair.line == Some(Side::NorthSouth))
                    .count();
                ns * (pairs.len() - ns)
            }
        };
        let never = possible.saturating_sub(between.len());
        Meetings {
            between,
            histogram,
            never,
        }
    }

    /// How evenly pairs of one ranking list compete.
    pub fn balance(&self) -> Balance {
        let mut results: BTreeMap<BoardNumber, Vec<(PairId, PairId)>> = BTreeMap::new();
        for seating in self.rounds.iter().flat_map(|round| &round.seatings) {
            if let (Some(ns), Some(ew), true) = (seating.ns, seating.ew, seating.is_played()) {
                let sides = (
                    self.pair_id(Side::NorthSouth, ns),
                    self.pair_id(Side::EastWest, ew),
                );
                for board in seating.boards.iter() {
                    results.entry(board).or_default().push(sides);
                }
            }
        }
        let mut competition: BTreeMap<(PairId, PairId), i64> = BTreeMap::new();
        let pairs: Vec<PairId> = self.pairs().into_iter().collect();
        for (index, &one) in pairs.iter().enumerate() {
            for &other in pairs.iter().skip(index + 1) {
                if one.line == other.line {
                    competition.insert((one, other), 0);
                }
            }
        }
        let mut add = |one: PairId, other: PairId, weight: i64| {
            if let Some(sum) = competition.get_mut(&(one.min(other), one.max(other))) {
                *sum += weight;
            }
        };
        for rows in results.values() {
            let top = i64::try_from(rows.len()).unwrap_or(i64::MAX) - 1;
            for (index, &(ns, ew)) in rows.iter().enumerate() {
                add(ns, ew, top);
                for &(other_ns, other_ew) in rows.iter().skip(index + 1) {
                    add(ns, other_ns, 1);
                    add(ew, other_ew, 1);
                    add(ns, other_ew, -1);
                    add(ew, other_ns, -1);
                }
            }
        }
        Balance::over(competition.values().copied())
    }
}

impl Balance {
    #[expect(
        clippy::cast_precision_loss,
        reason = "comparisons of one session are far below 2^52"
    )]
    fn over(sums: impl Iterator<Item = i64> + Clone) -> Self {
        let count = sums.clone().count();
        if count == 0 {
            return Self::default();
        }
        let mean = sums.clone().sum::<i64>() as f64 / count as f64;
        let variance = sums
            .clone()
            .map(|sum| (sum as f64 - mean).powi(2))
            .sum::<f64>()
            / count as f64;
        Self {
            least: sums.clone().min().unwrap_or(0),
            most: sums.max().unwrap_or(0),
            mean,
            deviation: variance.sqrt(),
        }
    }
}

fn least_and_most(numbers: impl Iterator<Item = usize> + Clone) -> (usize, usize) {
    (
        numbers.clone().min().unwrap_or(0),
        numbers.max().unwrap_or(0),
    )
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BoardTwice {
                pair,
                board,
                rounds: (first, second),
            } => write!(
                f,
                "pair {pair} would play board {board} in round {first} and again in round {second}"
            ),
            Self::TwoPlaces {
                pair,
                round,
                places: (one, other),
            } => write!(
                f,
                "pair {pair} is expected at {one} and at {other} in round {round}"
            ),
            Self::TooManySharing {
                round,
                board,
                tables,
            } => write!(
                f,
                "board {board} would have to lie on {} tables at once in round {round}",
                tables.len()
            ),
            Self::OtherTables { round } => {
                write!(f, "round {round} has another number of tables than round 1")
            }
            Self::Empty => f.write_str("nobody plays anything"),
        }
    }
}
