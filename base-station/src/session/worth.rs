//! What results are worth: [`Session::scores`] works everything out at once. Whatever shows a
//! figure, pads, pages, sheets, files and the ranking, has it from there.

use std::collections::{BTreeMap, BTreeSet};

use protocol::words::{BoardNumber, Percentage, SectionLetter};

use super::plan::{Method, Ruling, SideAward};
use super::{
    Cell, Line, PairId, Penalty, PenaltyEffect, Scores, Session, Standings, Traveller,
    TravellerLine,
};
use crate::scoring::{
    self, Award, BoardScores, Compared, Field, Form, Outcome, OwnAverage, Points, Ranking, Row,
    RowScores, score_board_in,
};
use telling::tell;

impl Session {
    /// Everything that the results are worth.
    pub fn scores(&self) -> Scores {
        let mut field = Field::new(self.rules());
        let mut problems = Vec::new();
        let mut left_out = Vec::new();
        for board in self.boards_with_lines() {
            let (counted, doubled) = self.counted_lines(board);
            for (cell, row) in counted {
                if field.set(cell.board, row).is_err() {
                    left_out.push(cell);
                }
            }
            left_out.extend(doubled);
        }
        for cell in &left_out {
            problems.push(tell!(Refused::NotCountedOneIts { cell }));
        }
        for penalty in self.penalties.values() {
            if let Some(amount) = self.counted_amount(penalty.amount) {
                let pair = (self.ranked_as(penalty.pair), amount);
                field.adjustments_mut().penalties.push(pair);
            }
        }
        let gone = self.gone.iter().map(|pair| self.ranked_as(*pair));
        field.adjustments_mut().gone.extend(gone);
        let ranking = field.ranking();
        let keys: Vec<_> = field.boards().collect();
        let mut boards: BTreeMap<_, _> = keys
            .into_iter()
            .filter_map(|(section, board)| {
                let lines = self.settled_lines(&mut field, &ranking, section, board)?;
                Some(((section, board), lines))
            })
            .collect();
        let across = self.scoring.across_sections;
        for cell in left_out {
            let key = ((!across).then_some(cell.section), cell.board);
            let line = self.lines.get(&cell);
            if let (Some(traveller), Some(line)) = (boards.get_mut(&key), line) {
                traveller
                    .lines
                    .push(TravellerLine::without_worth(cell, line));
            }
        }
        Scores {
            standings: Standings {
                lists: self.lists(&ranking),
                problems,
            },
            whole_top: field.whole_top(),
            across,
            boards,
        }
    }

    /// The boards that have lines, each in the field in which it is compared.
    fn boards_with_lines(&self) -> BTreeSet<(Option<SectionLetter>, BoardNumber)> {
        let across = self.scoring.across_sections;
        let cells = self.lines.keys();
        cells
            .map(|cell| ((!across).then_some(cell.section), cell.board))
            .collect()
    }

    /// Whether several sections are compared as one field.
    pub(super) fn is_one_field(&self) -> bool {
        self.scoring.across_sections && self.sections.len() > 1
    }

    /// The lines that those of a section are compared with on a board, its own among them.
    pub(super) fn lines_beside(
        &self,
        section: SectionLetter,
        board: BoardNumber,
    ) -> impl Iterator<Item = (&Cell, &Line)> {
        self.lines_on(((!self.scoring.across_sections).then_some(section), board))
    }

    fn lines_on(
        &self,
        (section, board): (Option<SectionLetter>, BoardNumber),
    ) -> impl Iterator<Item = (&Cell, &Line)> {
        let sections: Vec<SectionLetter> = section.map_or_else(
            || self.sections.keys().copied().collect(),
            |section| vec![section],
        );
        sections
            .into_iter()
            .flat_map(move |section| self.board_lines(section, board))
    }

    /// The rows of a board, and the lines that can't count because one of their pairs has a result
    /// on the board already. What was not played counts for nobody, so it gives way.
    fn counted_lines(
        &self,
        key: (Option<SectionLetter>, BoardNumber),
    ) -> (Vec<(Cell, Row<PairId>)>, Vec<Cell>) {
        let mut lines: Vec<_> = self.lines_on(key).collect();
        lines.sort_by_key(|(_, line)| !line.counts());
        let mut seen = BTreeSet::new();
        let (mut rows, mut doubled) = (Vec::new(), Vec::new());
        for (cell, line) in lines {
            let Some(row) = self.row_of(*cell, line) else {
                continue;
            };
            let pairs = [line.ns, line.ew].into_iter().flatten();
            if pairs.clone().any(|pair| seen.contains(&pair)) {
                if line.counts() {
                    doubled.push(*cell);
                }
            } else {
                seen.extend(pairs);
                rows.push((*cell, row));
            }
        }
        (rows, doubled)
    }

    /// A board as it counts in the ranking, best for North-South first.
    fn settled_lines(
        &self,
        field: &mut Field<PairId>,
        ranking: &Ranking<PairId>,
        section: Option<SectionLetter>,
        board: BoardNumber,
    ) -> Option<Traveller> {
        let letter = section.unwrap_or(SectionLetter::A);
        let settled = field.settled(ranking, letter, board)?;
        let view = field.board(letter, board)?;
        let rows = view.rows.iter().zip(&settled.rows);
        let lines = rows.filter_map(|(row, scores)| {
            let cell = Cell {
                section: row.section,
                board,
                round: row.round?,
                table: row.table?,
            };
            let line = self.lines.get(&cell)?;
            Some(TravellerLine::worth(cell, line, *scores, settled.top))
        });
        Some(Traveller::sorted(board, settled.top, lines.collect()))
    }

    /// The results of a board, with what they are worth.
    pub fn traveller(&self, section: SectionLetter, board: BoardNumber) -> Traveller {
        self.scores().traveller(section, board)
    }

    /// The same without looking at every other board, which is what a pad's answer has time for. An
    /// award that depends on them is rare; then they are all looked at.
    pub(super) fn board_so_far(&self, section: SectionLetter, board: BoardNumber) -> Traveller {
        let Some((lines, scores)) = self.by_itself(section, board) else {
            return self.traveller(section, board);
        };
        let worth = |((cell, line), row): ((&Cell, &Line), &RowScores)| {
            TravellerLine::worth(*cell, line, *row, scores.top)
        };
        let lines = lines.into_iter().zip(&scores.rows).map(worth).collect();
        Traveller::sorted(board, scores.top, lines)
    }

    /// The lines of a board and what they are worth, where that does not depend on other boards.
    fn by_itself(
        &self,
        section: SectionLetter,
        board: BoardNumber,
    ) -> Option<(Vec<(&Cell, &Line)>, BoardScores)> {
        if !self.doubled.is_empty() {
            return None;
        }
        let across = self.scoring.across_sections;
        let key = ((!across).then_some(section), board);
        let (lines, rows): (Vec<_>, Vec<Row<PairId>>) = self
            .lines_on(key)
            .filter_map(|(cell, line)| Some(((cell, line), self.row_of(*cell, line)?)))
            .unzip();
        let scores = score_board_in(&rows, &self.rules(), self.most_results(section));
        let depends = |score: Option<scoring::PairScore>| {
            score.is_some_and(|score| score.own_average != OwnAverage::Never)
        };
        let mut rows = scores.rows.iter();
        let depends = rows.any(|row| depends(row.ns) || depends(row.ew));
        (!depends).then_some((lines, scores))
    }

    /// What a board's results are compared with at Butler.
    pub fn datum(&self, section: SectionLetter, board: BoardNumber) -> Option<scoring::Datum> {
        self.board_by_form(section, board).datum
    }

    /// The same of each form of a fouled board, by its letter.
    pub fn datums_of_forms(
        &self,
        section: SectionLetter,
        board: BoardNumber,
    ) -> Vec<(char, scoring::Datum)> {
        let forms = self.board_by_form(section, board).forms.into_iter();
        forms
            .map(|(form, datum)| (char::from(b'A'.saturating_add(form.0)), datum))
            .collect()
    }

    fn board_by_form(&self, section: SectionLetter, board: BoardNumber) -> BoardScores {
        let key = ((!self.scoring.across_sections).then_some(section), board);
        let (counted, _) = self.counted_lines(key);
        let rows: Vec<Row<PairId>> = counted.into_iter().map(|(_, row)| row).collect();
        score_board_in(&rows, &self.rules(), 0)
    }

    /// How many results the boards played most have in the field of a section.
    fn most_results(&self, section: SectionLetter) -> usize {
        let most = if self.scoring.across_sections {
            let mut boards: BTreeMap<BoardNumber, u32> = BTreeMap::new();
            for ((_, board), results) in &self.results {
                *boards.entry(*board).or_default() += results;
            }
            boards.into_values().max()
        } else {
            let all = (section, BoardNumber::MIN)..=(section, BoardNumber::MAX);
            self.results.range(all).map(|(_, results)| *results).max()
        };
        most.map_or(0, |most| usize::try_from(most).unwrap_or(usize::MAX))
    }

    /// The form of its board that a table plays.
    pub(super) fn form_of(&self, cell: Cell) -> Form {
        form_of(self.form_at(cell).0)
    }

    /// What the scoring modules must know of a line; `None` where there is nothing.
    pub(super) fn row_of(&self, cell: Cell, line: &Line) -> Option<Row<PairId>> {
        let outcome = match &line.ruling {
            Ruling::Result(result) => Outcome::of(result, cell.board),
            Ruling::LatePlay => Outcome::NotPlayed,
            Ruling::Award { ns, ew } => Outcome::adjusted(award(ns), award(ew)),
            Ruling::Written(score) => Outcome::Score(*score),
            Ruling::TakenAway => return None,
        };
        Some(Row {
            section: cell.section,
            table: Some(cell.table),
            round: Some(cell.round),
            ns: line.ns.map(|pair| self.ranked_as(pair)),
            ew: line.ew.map(|pair| self.ranked_as(pair)),
            outcome,
            form: form_of(line.form),
            fault: line.fault,
        })
    }

    /// A result beside the others of its board, which is all that most matchpoints need: a pad waits
    /// for its percentage. `None` where more than that is to be looked at.
    fn compared(&self, cell: Cell) -> Option<Compared> {
        if !self.doubled.is_empty() || self.scoring.method != Method::Matchpoints {
            return None;
        }
        let score = |line: &Line| match &line.ruling {
            Ruling::Result(result) => Some(Outcome::of(result, cell.board)),
            Ruling::LatePlay | Ruling::TakenAway => Some(Outcome::NotPlayed),
            Ruling::Award { .. } | Ruling::Written(_) => None,
        };
        let line = self.lines.get(&cell)?;
        let Outcome::Score(own) = score(line)? else {
            return None;
        };
        let key = (
            (!self.scoring.across_sections).then_some(cell.section),
            cell.board,
        );
        let mut compared = Compared::default();
        for (_, other) in self.lines_on(key) {
            match score(other)? {
                Outcome::Score(score) if other.form == line.form => {
                    compared.below += u32::from(score < own);
                    compared.equal += u32::from(score == own);
                    compared.results += 1;
                }
                Outcome::NotPlayed | Outcome::SitOut => {}
                Outcome::Score(_) | Outcome::Adjusted(_) => return None,
            }
        }
        Some(compared)
    }

    /// North-South's percentage on a board so far; `None` at IMPs and before there is a field.
    pub fn percentage(&self, cell: Cell) -> Option<Percentage> {
        let percent = if let Some(compared) = self.compared(cell) {
            compared.percent(&self.rules(), self.most_results(cell.section))?
        } else if let Some((lines, scores)) = self.by_itself(cell.section, cell.board) {
            if !is_a_field(scores.rows.iter().map(|row| row.ns.is_some())) {
                return None;
            }
            let own = lines.iter().position(|(known, _)| **known == cell)?;
            let points = scores.rows.get(own)?.ns?.points;
            points.percent_of(scores.top)?
        } else {
            let traveller = self.traveller(cell.section, cell.board);
            if !traveller.has_a_field() {
                return None;
            }
            let line = traveller.lines.iter().find(|line| line.cell == cell)?;
            line.ns_percent?
        };
        Percentage::new(u16::try_from(percent.0.clamp(0, 10_000)).ok()?)
    }
}

impl Scores {
    /// The results of a board, with what they are worth.
    pub fn traveller(&self, section: SectionLetter, board: BoardNumber) -> Traveller {
        let key = ((!self.across).then_some(section), board);
        self.boards.get(&key).cloned().unwrap_or(Traveller {
            board,
            top: Points::ZERO,
            lines: Vec::new(),
        })
    }

    /// A line with what it is worth, if it counts or was adjusted.
    pub fn line(&self, cell: Cell) -> Option<&TravellerLine> {
        let key = ((!self.across).then_some(cell.section), cell.board);
        let mut lines = self.boards.get(&key)?.lines.iter();
        lines.find(|line| line.cell == cell)
    }

    /// The best possible on a board.
    pub fn top(&self, cell: Cell) -> Points {
        let key = ((!self.across).then_some(cell.section), cell.board);
        self.boards
            .get(&key)
            .map_or(Points::ZERO, |board| board.top)
    }

    /// What a penalty takes off.
    pub fn effect(&self, session: &Session, penalty: &Penalty) -> PenaltyEffect {
        match session.counted_amount(penalty.amount) {
            None => PenaltyEffect::Nothing,
            Some(scoring::Penalty::OfATop(share)) => {
                PenaltyEffect::Points(scoring::of_a_top(share, self.whole_top))
            }
            Some(scoring::Penalty::Points(points)) => PenaltyEffect::Points(points),
            Some(scoring::Penalty::Percent(percent)) => PenaltyEffect::Percent(percent),
        }
    }
}

impl Traveller {
    /// Whether there are results to compare.
    pub(super) fn has_a_field(&self) -> bool {
        is_a_field(self.lines.iter().map(|line| line.ns.is_some()))
    }

    fn sorted(board: BoardNumber, top: Points, mut lines: Vec<TravellerLine>) -> Self {
        lines.sort_by_key(|line| (std::cmp::Reverse(line.ns), line.cell));
        Self { board, top, lines }
    }
}

impl TravellerLine {
    fn worth(cell: Cell, line: &Line, scores: RowScores, top: Points) -> Self {
        let share = |score: Option<scoring::PairScore>| {
            let points = score.map(|score| score.points);
            (points, points.and_then(|points| points.percent_of(top)))
        };
        let ((ns, ns_percent), (ew, ew_percent)) = (share(scores.ns), share(scores.ew));
        Self {
            cell,
            line: line.clone(),
            ns,
            ew,
            ns_percent,
            ew_percent,
        }
    }

    fn without_worth(cell: Cell, line: &Line) -> Self {
        Self::worth(cell, line, RowScores::default(), Points::ZERO)
    }
}

/// Whether enough results count to be compared; one by itself has its share of the common top,
/// which says nothing about how well it was played.
fn is_a_field(counts: impl Iterator<Item = bool>) -> bool {
    counts.filter(|counts| *counts).count() >= 2
}

/// The form of a board that is called by a letter.
fn form_of(letter: char) -> Form {
    let number = u32::from(letter).saturating_sub(u32::from(Line::USUAL_FORM));
    Form(u8::try_from(number).unwrap_or_default())
}

fn award(award: &SideAward) -> Award {
    match award {
        SideAward::Score(score) => Award::score(*score),
        SideAward::Weighted(outcomes) => Award::Assigned(outcomes.clone()),
        SideAward::Percent(percentage) => Award::Percentage(*percentage),
        SideAward::AveragePlus => Award::AveragePlus,
        SideAward::Average => Award::Average,
        SideAward::AverageMinus => Award::AverageMinus,
    }
}
