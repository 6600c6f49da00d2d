//! A whole event, kept up to date one result at a time.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use protocol::words::{BoardNumber, SectionLetter, Side};

use super::board::{BoardScores, OwnAverage, PairScore, RowScores};
use super::datum::Datum;
use super::ranking::{Ranking, SessionAdjustments, Total};
use super::row::{Contestant, Form, Pair, Row};
use super::traveller::{NOBODY, Traveller};
use super::{Points, Rules};

/// All boards of an event. A new or changed result costs a count; its board is worked out when
/// somebody looks at it, and only boards that changed are added up again for a ranking.
#[derive(Clone, Debug)]
pub struct Field<C = Pair> {
    rules: Rules,
    /// Keyed by section, too, unless all sections are one field.
    boards: BTreeMap<(Option<SectionLetter>, BoardNumber), Traveller<C>>,
    contestants: Vec<C>,
    index: HashMap<C, usize>,
    totals: Vec<Total>,
    adjustments: SessionAdjustments<C>,
    most: BTreeMap<Option<SectionLetter>, Most>,
}

/// How many results the boards played most have, and how many boards these are.
#[derive(Clone, Copy, Debug, Default)]
struct Most {
    results: usize,
    boards: usize,
}

/// Why a result or a ranking was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FieldError<C: Contestant = Pair> {
    /// Nobody plays a board twice.
    #[error(
        "{pair} already has a result on board {board}; remove that one first, or correct the pair numbers"
    )]
    PlayedTwice {
        /// Who.
        pair: C,
        /// Where it sits in the second result.
        side: Side,
        /// The board.
        board: BoardNumber,
    },
    /// A field across sections must have played the same boards.
    #[error(
        "sections {first} and {other} cannot be ranked together: only one of them played board {board}; rank each section by itself"
    )]
    DifferentBoards {
        /// A section.
        first: SectionLetter,
        /// Another one.
        other: SectionLetter,
        /// A board that one of them did not play.
        board: BoardNumber,
    },
}

/// A board as it stands.
#[derive(Clone, Copy, Debug)]
pub struct BoardView<'a, C = Pair> {
    /// The best possible.
    pub top: Points,
    /// What the scores are compared with, at Butler.
    pub datum: Option<Datum>,
    /// Where the board was fouled, the average of each of its forms.
    pub forms: &'a [(Form, Datum)],
    /// The lines of the traveller, in no particular order.
    pub rows: &'a [Row<C>],
    /// What they are worth, in the same order.
    pub scores: &'a [RowScores],
}

impl<C: Contestant> Field<C> {
    /// An event without results.
    pub fn new(rules: Rules) -> Self {
        Self {
            rules,
            boards: BTreeMap::new(),
            contestants: Vec::new(),
            index: HashMap::new(),
            totals: Vec::new(),
            adjustments: SessionAdjustments::default(),
            most: BTreeMap::new(),
        }
    }

    /// How it is scored.
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Penalties, handicaps and carry-over, which only the ranking knows.
    pub const fn adjustments_mut(&mut self) -> &mut SessionAdjustments<C> {
        &mut self.adjustments
    }

    /// Takes a new result, or another one for a table that already has one on this board.
    pub fn set(&mut self, board: BoardNumber, row: Row<C>) -> Result<(), FieldError<C>> {
        let who = Side::BOTH.map(|side| self.place(row.contestant(side)));
        let key = self.key(row.section, board);
        let traveller = self.boards.entry(key).or_insert_with(Traveller::new);
        let before = traveller.counted;
        match traveller.same_table(who) {
            Ok(Some(place)) => traveller.remove(place, &mut self.totals),
            Ok(None) => {}
            Err(side) => {
                // A side that nobody sits at has no other row.
                return match row.contestant(side) {
                    Some(pair) => Err(FieldError::PlayedTwice { pair, side, board }),
                    None => Ok(()),
                };
            }
        }
        traveller.push(row, who);
        let now = traveller.counted;
        self.count_most(key.0, before, now);
        Ok(())
    }

    /// Takes a result away; false if there was none.
    pub fn remove(&mut self, board: BoardNumber, pair: C) -> bool {
        let Some(&contestant) = self.index.get(&pair) else {
            return false;
        };
        let key = self.key(pair.section(), board);
        let Some(traveller) = self.boards.get_mut(&key) else {
            return false;
        };
        let Some(place) = traveller.place_of(contestant) else {
            return false;
        };
        let before = traveller.counted;
        traveller.remove(place, &mut self.totals);
        let now = traveller.counted;
        self.count_most(key.0, before, now);
        true
    }

    /// One board of a field has another number of results.
    fn count_most(&mut self, field: Option<SectionLetter>, before: usize, now: usize) {
        if before == now {
            return;
        }
        let most = self.most.entry(field).or_default();
        if before == most.results {
            most.boards = most.boards.saturating_sub(1);
        }
        if now == most.results {
            most.boards += 1;
        } else if now > most.results {
            (most.results, most.boards) = (now, 1);
        }
        if most.boards == 0 {
            let counted = |results: usize| {
                let of_field = self.boards.iter().filter(|((own, _), _)| *own == field);
                of_field
                    .filter(|(_, traveller)| traveller.counted == results)
                    .count()
            };
            let of_field = self.boards.iter().filter(|((own, _), _)| *own == field);
            let results = of_field.map(|(_, traveller)| traveller.counted).max();
            most.results = results.unwrap_or_default();
            most.boards = counted(most.results);
        }
    }

    /// How many results the boards played most have in the field of this section.
    pub fn most_results(&self, section: SectionLetter) -> usize {
        let (field, _) = self.key(section, BoardNumber::MIN);
        self.most.get(&field).map_or(0, |most| most.results)
    }

    /// The boards that have results, with the section they belong to (`None` across sections).
    pub fn boards(&self) -> impl Iterator<Item = (Option<SectionLetter>, BoardNumber)> {
        self.boards
            .iter()
            .filter(|(_, traveller)| !traveller.rows.is_empty())
            .map(|(&key, _)| key)
    }

    /// A board as it stands. Across sections the section does not matter.
    pub fn board(
        &mut self,
        section: SectionLetter,
        board: BoardNumber,
    ) -> Option<BoardView<'_, C>> {
        let key = self.key(section, board);
        let most = self.most_results(section);
        let traveller = self.boards.get_mut(&key)?;
        traveller.refresh(&self.rules, most);
        Some(BoardView {
            top: traveller.top,
            datum: traveller.datum,
            forms: &traveller.datums,
            rows: &traveller.rows,
            scores: &traveller.scores,
        })
    }

    /// A board as it counts in this ranking of the same field, both sides of every row: an average
    /// plus is what the pair earned elsewhere where that is more. What the rows of all boards give a
    /// pair, added up, is what it has before penalties and carry-over.
    pub fn settled(
        &mut self,
        ranking: &Ranking<C>,
        section: SectionLetter,
        board: BoardNumber,
    ) -> Option<BoardScores> {
        let view = self.board(section, board)?;
        let worth = |row: &Row<C>, scores: &RowScores, side: Side| {
            let score = scores.side(side)?;
            let contestant = row.contestant(side);
            let settled = contestant.and_then(|contestant| ranking.award(contestant, board));
            match score.own_average {
                OwnAverage::Never => Some(score),
                _ => Some(settled.map_or(score, PairScore::of)),
            }
        };
        let rows = view.rows.iter().zip(view.scores);
        Some(BoardScores {
            top: view.top,
            datum: view.datum,
            forms: view.forms.to_vec(),
            rows: rows
                .map(|(row, scores)| RowScores {
                    ns: worth(row, scores, Side::NorthSouth),
                    ew: worth(row, scores, Side::EastWest),
                })
                .collect(),
        })
    }

    /// A top of the whole field, sit-outs or not: what a penalty is a share of.
    pub fn whole_top(&self) -> Points {
        let tables = self.boards.values().map(|traveller| traveller.rows.len());
        self.rules.top(tables.max().unwrap_or_default())
    }

    /// The ranking as it stands.
    pub fn ranking(&mut self) -> Ranking<C> {
        let mut awards = Vec::new();
        for (&(field, board), traveller) in &mut self.boards {
            let most = self.most.get(&field).map_or(0, |most| most.results);
            traveller.refresh(&self.rules, most);
            traveller.apply(&self.rules, &mut self.totals);
            traveller.collect_awards(board, &mut awards);
        }
        Ranking::new(
            &self.rules,
            &self.contestants,
            &self.totals,
            awards,
            self.whole_top(),
            &self.adjustments,
        )
    }

    /// Refuses a field across sections that did not play the same boards. Meant for the end of an
    /// event: while it lasts, sections are never quite level.
    pub fn check_sections(&self) -> Result<(), FieldError<C>> {
        let mut played: BTreeMap<SectionLetter, BTreeSet<BoardNumber>> = BTreeMap::new();
        for (&(_, board), traveller) in &self.boards {
            for row in &traveller.rows {
                played.entry(row.section).or_default().insert(board);
            }
        }
        let mut sections = played.iter();
        let Some((&first, boards)) = sections.next() else {
            return Ok(());
        };
        match sections.find_map(|(&other, others)| {
            let &board = boards.symmetric_difference(others).next()?;
            Some((other, board))
        }) {
            Some((other, board)) => Err(FieldError::DifferentBoards {
                first,
                other,
                board,
            }),
            None => Ok(()),
        }
    }

    fn key(
        &self,
        section: SectionLetter,
        board: BoardNumber,
    ) -> (Option<SectionLetter>, BoardNumber) {
        ((!self.rules.across).then_some(section), board)
    }

    /// Where a contestant is counted.
    fn place(&mut self, contestant: Option<C>) -> usize {
        let Some(contestant) = contestant else {
            return NOBODY;
        };
        *self.index.entry(contestant).or_insert_with(|| {
            self.contestants.push(contestant);
            self.totals.push(Total::default());
            self.contestants.len() - 1
        })
    }
}
