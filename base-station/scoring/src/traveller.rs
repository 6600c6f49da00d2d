//! One board of an event: its rows, what they are worth, and what of that is in the totals.

use std::collections::BTreeMap;

use protocol::words::{BoardNumber, Side};

use super::board::{self, OwnAverage, Regular, RowScores, evaluate};
use super::datum::Datum;
use super::exact::Fraction;
use super::ranking::{Award, Total};
use super::row::{Contestant, Form, Outcome, Row};
use super::tally::{BoardSize, Bucket, Tally};
use super::{Method, Points, Rules, irregular};

/// A missing pair has no place in the ranking.
pub(super) const NOBODY: usize = usize::MAX;

#[derive(Clone, Debug)]
pub(super) struct Traveller<C> {
    pub(super) rows: Vec<Row<C>>,
    /// The two contestants of every row.
    who: Vec<[usize; 2]>,
    /// The row of every contestant, plus one.
    place: Vec<u32>,
    tally: Tally,
    pub(super) counted: usize,
    /// Rows that need the long way.
    irregular: usize,
    forms: BTreeMap<Form, usize>,
    pub(super) top: Points,
    pub(super) datum: Option<Datum>,
    /// The averages of the forms of a fouled board.
    pub(super) datums: Vec<(Form, Datum)>,
    pub(super) scores: Vec<RowScores>,
    /// At IMPs the same without rounding.
    exact: Vec<[Fraction; 2]>,
    /// The most results of any board when `scores` was worked out.
    most: usize,
    /// Whether `scores` is older than `rows`.
    stale: bool,
    /// What is already in the totals.
    applied: Vec<RowScores>,
    applied_exact: Vec<[Fraction; 2]>,
    applied_weight: Points,
    unapplied: bool,
}

impl<C: Contestant> Traveller<C> {
    pub(super) fn new() -> Self {
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
            datums: Vec::new(),
            scores: Vec::new(),
            exact: Vec::new(),
            most: 0,
            stale: true,
            applied: Vec::new(),
            applied_exact: Vec::new(),
            applied_weight: Points::ZERO,
            unapplied: true,
        }
    }

    pub(super) fn place_of(&self, contestant: usize) -> Option<usize> {
        let place = *self.place.get(contestant)?;
        usize::try_from(place).ok()?.checked_sub(1)
    }

    /// The row that a new result of these two replaces: the one of the same North-South pair, or
    /// of the same two pairs with their directions exchanged. The side of a pair that has its
    /// result on another row is the refusal.
    pub(super) fn same_table(&self, who: [usize; 2]) -> Result<Option<usize>, Side> {
        let [ns, ew] = who.map(|contestant| self.place_of(contestant));
        let own = ns.or(ew.filter(|&place| self.who[place][0] == who[0]));
        match (own, ew) {
            (Some(own), Some(ew)) if own != ew => Err(Side::EastWest),
            (None, Some(_)) => Err(Side::EastWest),
            (Some(own), None) if self.who[own][0] != who[0] => Err(Side::NorthSouth),
            (own, _) => Ok(own),
        }
    }

    pub(super) fn push(&mut self, row: Row<C>, who: [usize; 2]) {
        self.count(&row, true);
        let place = u32::try_from(self.rows.len() + 1).unwrap_or(u32::MAX);
        self.seat(who, place);
        self.rows.push(row);
        self.who.push(who);
        self.applied.push(RowScores::default());
        if self.applied_exact.len() + 1 == self.applied.len() {
            self.applied_exact.push([Fraction::default(); 2]);
        }
    }

    /// Takes a row away; the last row moves into its place.
    pub(super) fn remove(&mut self, at: usize, totals: &mut [Total]) {
        self.take_off(at, totals);
        let row = self.rows.swap_remove(at);
        self.count(&row, false);
        self.applied.swap_remove(at);
        if at < self.applied_exact.len() {
            self.applied_exact.swap_remove(at);
        }
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
    fn count(&mut self, row: &Row<C>, into: bool) {
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

    /// Works the board out, unless that is done: `most` is how many results the boards played most
    /// have.
    pub(super) fn refresh(&mut self, rules: &Rules, most: usize) {
        let field = rules.field(self.counted, most);
        if !self.stale && rules.field(self.counted, self.most) == field {
            return;
        }
        let at_imps = rules.method != Method::Matchpoints;
        if self.irregular == 0 && self.forms.len() <= 1 {
            let counted = self.counted;
            let size = BoardSize { counted, field };
            let scores = &mut self.scores;
            (self.top, self.datum) = evaluate(&mut self.tally, &self.rows, size, rules, scores);
            self.datums.clear();
            if at_imps {
                self.exact = board::exact(&self.tally, &self.rows, rules);
            }
        } else {
            let (board, exact) = irregular::score(&self.rows, rules, most);
            (self.top, self.datum, self.scores) = (board.top, board.datum, board.rows);
            self.datums = board.forms;
            self.exact = exact;
        }
        self.most = most;
        self.stale = false;
        self.unapplied = true;
    }

    /// Brings the totals up to what the board is worth now.
    pub(super) fn apply(&mut self, rules: &Rules, totals: &mut [Total]) {
        if !self.unapplied {
            return;
        }
        let (weight, at_imps) = match rules.method {
            Method::Matchpoints => (self.top, false),
            // At IMPs every board weighs the same.
            Method::Butler(_) | Method::CrossImps => (Points::whole(1), true),
        };
        for at in 0..self.rows.len() {
            self.take_off(at, totals);
            let exact = self.exact.get(at).filter(|_| at_imps);
            self.add_up(at, self.scores[at], exact, weight, totals);
        }
        self.applied.clone_from(&self.scores);
        if at_imps {
            self.applied_exact.clone_from(&self.exact);
        }
        self.applied_weight = weight;
        self.unapplied = false;
    }

    fn add_up(
        &self,
        at: usize,
        scores: RowScores,
        exact: Option<&[Fraction; 2]>,
        weight: Points,
        totals: &mut [Total],
    ) {
        for (index, (&contestant, score)) in
            self.who[at].iter().zip([scores.ns, scores.ew]).enumerate()
        {
            if let (Some(total), Some(score)) = (totals.get_mut(contestant), score) {
                total.add(score, weight);
                if let Some(exact) = exact {
                    total.add_exact(score, exact[index]);
                }
            }
        }
    }

    /// Takes what a row has in the totals out of them.
    fn take_off(&self, at: usize, totals: &mut [Total]) {
        let scores = self.applied[at];
        let exact = self.applied_exact.get(at);
        for (index, (&contestant, score)) in
            self.who[at].iter().zip([scores.ns, scores.ew]).enumerate()
        {
            if let (Some(total), Some(score)) = (totals.get_mut(contestant), score) {
                total.take_off(score, self.applied_weight);
                if let Some(exact) = exact {
                    total.add_exact(score, exact[index].negated());
                }
            }
        }
    }

    pub(super) fn collect_awards(&self, board: BoardNumber, awards: &mut Vec<Award>) {
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
