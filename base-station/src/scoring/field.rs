//! A whole event, kept up to date one result at a time.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use protocol::words::{BoardNumber, PairNumber, SectionLetter, Side};

use super::board::{OwnAverage, Regular, RowScores, evaluate};
use super::datum::Datum;
use super::ranking::{Award, Ranking, SessionAdjustments, Total};
use super::row::{Contestant, Form, Outcome, Row};
use super::tally::{Bucket, Tally};
use super::{Method, Points, Rules, Winners, irregular};

/// All boards of an event. A new or changed result costs a count; its board is worked out when
/// somebody looks at it, and only boards that changed are added up again for a ranking.
#[derive(Clone, Debug)]
pub struct Field {
    rules: Rules,
    /// Keyed by section, too, unless all sections are one field.
    boards: BTreeMap<(Option<SectionLetter>, BoardNumber), Traveller>,
    contestants: Vec<Contestant>,
    index: HashMap<Contestant, usize>,
    totals: Vec<Total>,
    adjustments: SessionAdjustments,
}

/// Why a result or a ranking was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FieldError {
    /// Nobody plays a board twice.
    #[error(
        "pair {pair} ({side}) of section {section} already has a result on board {board}; remove that one first, or correct the pair numbers"
    )]
    PlayedTwice {
        /// The pair.
        pair: PairNumber,
        /// Where it sits in the second result.
        side: Side,
        /// Its section.
        section: SectionLetter,
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
pub struct BoardView<'a> {
    /// The best possible.
    pub top: Points,
    /// What the scores are compared with, at Butler.
    pub datum: Option<Datum>,
    /// The lines of the traveller, in no particular order.
    pub rows: &'a [Row],
    /// What they are worth, in the same order.
    pub scores: &'a [RowScores],
}

/// A missing pair has no place in the ranking.
const NOBODY: usize = usize::MAX;

#[derive(Clone, Debug)]
struct Traveller {
    rows: Vec<Row>,
    /// The two contestants of every row.
    who: Vec<[usize; 2]>,
    /// The row of every contestant, plus one.
    place: Vec<u32>,
    tally: Tally,
    counted: usize,
    /// Rows that need the long way.
    irregular: usize,
    forms: BTreeMap<Form, usize>,
    top: Points,
    datum: Option<Datum>,
    scores: Vec<RowScores>,
    /// Whether `scores` is older than `rows`.
    stale: bool,
    /// What is already in the totals.
    applied: Vec<RowScores>,
    applied_weight: Points,
    unapplied: bool,
}

impl Field {
    /// An event without results.
    pub fn new(rules: Rules) -> Self {
        Self {
            rules,
            boards: BTreeMap::new(),
            contestants: Vec::new(),
            index: HashMap::new(),
            totals: Vec::new(),
            adjustments: SessionAdjustments::default(),
        }
    }

    /// How it is scored.
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Penalties, handicaps and carry-over, which only the ranking knows.
    pub const fn adjustments_mut(&mut self) -> &mut SessionAdjustments {
        &mut self.adjustments
    }

    /// Takes a new result, or another one for a table that already has one on this board.
    pub fn set(&mut self, board: BoardNumber, row: Row) -> Result<(), FieldError> {
        let who = Side::BOTH.map(|side| self.contestant(&row, side));
        let key = self.key(row.section, board);
        let traveller = self.boards.entry(key).or_insert_with(Traveller::new);
        match traveller.same_table(who) {
            Ok(Some(place)) => traveller.remove(place, &mut self.totals),
            Ok(None) => {}
            Err(side) => {
                return Err(FieldError::PlayedTwice {
                    pair: row.pair(side).unwrap_or(PairNumber::MIN),
                    side,
                    section: row.section,
                    board,
                });
            }
        }
        traveller.push(row, who);
        Ok(())
    }

    /// Takes a result away; false if there was none.
    pub fn remove(
        &mut self,
        board: BoardNumber,
        section: SectionLetter,
        side: Side,
        pair: PairNumber,
    ) -> bool {
        let contestant = Contestant {
            section,
            direction: self.direction(side),
            pair,
        };
        let Some(&contestant) = self.index.get(&contestant) else {
            return false;
        };
        let key = self.key(section, board);
        let Some(traveller) = self.boards.get_mut(&key) else {
            return false;
        };
        let Some(place) = traveller.place_of(contestant) else {
            return false;
        };
        traveller.remove(place, &mut self.totals);
        true
    }

    /// The boards that have results, with the section they belong to (`None` across sections).
    pub fn boards(&self) -> impl Iterator<Item = (Option<SectionLetter>, BoardNumber)> {
        self.boards
            .iter()
            .filter(|(_, traveller)| !traveller.rows.is_empty())
            .map(|(&key, _)| key)
    }

    /// A board as it stands. Across sections the section does not matter.
    pub fn board(&mut self, section: SectionLetter, board: BoardNumber) -> Option<BoardView<'_>> {
        let key = self.key(section, board);
        let traveller = self.boards.get_mut(&key)?;
        traveller.refresh(&self.rules);
        Some(BoardView {
            top: traveller.top,
            datum: traveller.datum,
            rows: &traveller.rows,
            scores: &traveller.scores,
        })
    }

    /// The ranking as it stands.
    pub fn ranking(&mut self) -> Ranking {
        let mut awards = Vec::new();
        let mut tables = 0;
        for (&(_, board), traveller) in &mut self.boards {
            traveller.refresh(&self.rules);
            traveller.apply(&self.rules, &mut self.totals);
            traveller.collect_awards(board, &mut awards);
            tables = tables.max(traveller.rows.len());
        }
        Ranking::new(
            &self.rules,
            &self.contestants,
            &self.totals,
            awards,
            self.rules.top(tables),
            &self.adjustments,
        )
    }

    /// Refuses a field across sections that did not play the same boards. Meant for the end of an
    /// event: while it lasts, sections are never quite level.
    pub fn check_sections(&self) -> Result<(), FieldError> {
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

    fn direction(&self, side: Side) -> Option<Side> {
        (self.rules.winners == Winners::Two).then_some(side)
    }

    fn contestant(&mut self, row: &Row, side: Side) -> usize {
        let Some(pair) = row.pair(side) else {
            return NOBODY;
        };
        let contestant = Contestant {
            section: row.section,
            direction: self.direction(side),
            pair,
        };
        *self.index.entry(contestant).or_insert_with(|| {
            self.contestants.push(contestant);
            self.totals.push(Total::default());
            self.contestants.len() - 1
        })
    }
}

impl Traveller {
    fn new() -> Self {
        Self {
            rows: Vec::new(),
            who: Vec::new(),
            place: Vec::new(),
            tally: Tally::new(),
            counted: 0,
            irregular: 0,
            forms: BTreeMap::new(),
            top: Points::ZERO,
            datum: None,
            scores: Vec::new(),
            stale: true,
            applied: Vec::new(),
            applied_weight: Points::ZERO,
            unapplied: true,
        }
    }

    fn place_of(&self, contestant: usize) -> Option<usize> {
        let place = *self.place.get(contestant)?;
        usize::try_from(place).ok()?.checked_sub(1)
    }

    /// The row that a new result of these two replaces: the one of the same North-South pair, or
    /// of the same two pairs with their directions exchanged. The side of a pair that has its
    /// result on another row is the refusal.
    fn same_table(&self, who: [usize; 2]) -> Result<Option<usize>, Side> {
        let [ns, ew] = who.map(|contestant| self.place_of(contestant));
        let own = ns.or(ew.filter(|&place| self.who[place][0] == who[0]));
        match (own, ew) {
            (Some(own), Some(ew)) if own != ew => Err(Side::EastWest),
            (None, Some(_)) => Err(Side::EastWest),
            (Some(own), None) if self.who[own][0] != who[0] => Err(Side::NorthSouth),
            (own, _) => Ok(own),
        }
    }

    fn push(&mut self, row: Row, who: [usize; 2]) {
        self.count(&row, true);
        let place = u32::try_from(self.rows.len() + 1).unwrap_or(u32::MAX);
        self.seat(who, place);
        self.rows.push(row);
        self.who.push(who);
        self.applied.push(RowScores::default());
    }

    /// Takes a row away; the last row moves into its place.
    fn remove(&mut self, at: usize, totals: &mut [Total]) {
        self.add_up(at, self.applied[at], self.applied_weight, -1, totals);
        let row = self.rows.swap_remove(at);
        self.count(&row, false);
        self.applied.swap_remove(at);
        let who = self.who.swap_remove(at);
        self.seat(who, 0);
        if let Some(&moved) = self.who.get(at) {
            self.seat(moved, u32::try_from(at + 1).unwrap_or(u32::MAX));
        }
    }

    fn seat(&mut self, who: [usize; 2], place: u32) {
        for contestant in who.into_iter().filter(|&contestant| contestant != NOBODY) {
            if self.place.len() <= contestant {
                self.place.resize(contestant + 1, 0);
            }
            self.place[contestant] = place;
        }
    }

    /// Counts a row in, or out again.
    fn count(&mut self, row: &Row, into: bool) {
        self.stale = true;
        self.unapplied = true;
        let change = |count: &mut usize| if into { *count += 1 } else { *count -= 1 };
        if row.outcome.counts() {
            change(&mut self.counted);
        }
        if let Outcome::Score(score) = row.outcome {
            let tables = self.forms.entry(row.form).or_default();
            change(tables);
            if *tables == 0 {
                self.forms.remove(&row.form);
            }
            if let Some(bucket) = Bucket::of(score) {
                if into {
                    self.tally.add(bucket);
                } else {
                    self.tally.remove(bucket);
                }
            }
        }
        if Regular::of(row).is_none() {
            change(&mut self.irregular);
        }
    }

    fn refresh(&mut self, rules: &Rules) {
        if !self.stale {
            return;
        }
        if self.irregular == 0 && self.forms.len() <= 1 {
            let counted = self.counted;
            let scores = &mut self.scores;
            (self.top, self.datum) = evaluate(&mut self.tally, &self.rows, counted, rules, scores);
        } else {
            let board = irregular::score(&self.rows, rules);
            (self.top, self.datum, self.scores) = (board.top, board.datum, board.rows);
        }
        self.stale = false;
    }

    /// Brings the totals up to what the board is worth now.
    fn apply(&mut self, rules: &Rules, totals: &mut [Total]) {
        if !self.unapplied {
            return;
        }
        let weight = match rules.method {
            Method::Matchpoints => self.top,
            // At IMPs every board weighs the same.
            Method::Butler(_) | Method::CrossImps => Points::whole(1),
        };
        for at in 0..self.rows.len() {
            self.add_up(at, self.applied[at], self.applied_weight, -1, totals);
            self.add_up(at, self.scores[at], weight, 1, totals);
        }
        self.applied.clone_from(&self.scores);
        self.applied_weight = weight;
        self.unapplied = false;
    }

    fn add_up(
        &self,
        at: usize,
        scores: RowScores,
        weight: Points,
        sign: i64,
        totals: &mut [Total],
    ) {
        for (&contestant, score) in self.who[at].iter().zip([scores.ns, scores.ew]) {
            if let (Some(total), Some(score)) = (totals.get_mut(contestant), score) {
                total.add(score, weight, sign);
            }
        }
    }

    fn collect_awards(&self, board: BoardNumber, awards: &mut Vec<Award>) {
        // Only adjusted and fouled boards have any: most boards are passed over at once.
        if self.irregular == 0 && self.forms.len() <= 1 && self.counted == self.tally.results() {
            return;
        }
        for (who, scores) in self.who.iter().zip(&self.scores) {
            for (&contestant, score) in who.iter().zip([scores.ns, scores.ew]) {
                if let Some(score) = score
                    && score.own_average != OwnAverage::Never
                    && contestant != NOBODY
                {
                    awards.push(Award {
                        board,
                        contestant,
                        score,
                        weight: self.applied_weight,
                    });
                }
            }
        }
    }
}
