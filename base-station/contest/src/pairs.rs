//! A match of two pairs at one table, compared with the field.

use protocol::words::{BoardNumber, Score, Side};
use scoring::{
    BoardScores, Contestant, Form, Outcome, OwnAverage, PairScore, Percent, Points, Rounding, Row,
    Several, VictoryPoints, VpError, divided_by_root, score_board,
};
use serde::Serialize;

use crate::rules::{Comparison, Rules};

/// A board of the field, scored.
#[derive(Clone, Debug)]
pub struct ScoredBoard {
    outcomes: Vec<Outcome>,
    forms: Vec<Form>,
    scores: BoardScores,
}

impl ScoredBoard {
    /// Scores a board from all its rows; `None` where the stage is not one of pairs.
    pub fn of<C: Contestant>(rows: &[Row<C>], rules: &Rules) -> Option<Self> {
        let rules = scoring::Rules {
            method: rules.method()?,
            average_plus: rules.average_plus(),
            ..scoring::Rules::default()
        };
        Some(Self {
            outcomes: rows.iter().map(|row| row.outcome.clone()).collect(),
            forms: rows.iter().map(|row| row.form).collect(),
            scores: score_board(rows, &rules),
        })
    }

    /// The average that the score of a row is compared with: that of its form, where the board was
    /// fouled.
    pub(crate) fn datum(&self, row: usize) -> Option<f64> {
        let form = self.forms.get(row)?;
        self.scores.datum_of(*form).map(scoring::Datum::to_f64)
    }
}

/// A board of a match sheet.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PairsLine {
    /// Which.
    pub board: BoardNumber,
    /// North-South's score.
    pub score: Option<Score>,
    /// What it was compared with, at Butler.
    pub datum: Option<f64>,
    /// What home got, IMPs or matchpoints.
    pub home: Option<Points>,
    /// What away got.
    pub away: Option<Points>,
}

/// A match added up.
#[derive(Clone, Debug, PartialEq)]
pub struct PairsSheet {
    /// In the order of the boards.
    pub lines: Vec<PairsLine>,
    /// What home and away have together.
    pub totals: [Points; 2],
    /// Percentages, at matchpoints.
    pub percents: Option<[Percent; 2]>,
    /// Boards whose result is not in.
    pub missing: Vec<BoardNumber>,
    /// Boards that counted.
    pub counted: u16,
    /// Boards that were not played.
    pub lost: u16,
    /// Matchpoints that there were to gain on those that counted.
    pub top: Points,
}

/// A board of a match: the field's score of it, and which of its rows is the match's own; none
/// while its result is not in.
pub type OwnRow<'a> = (BoardNumber, Option<(&'a ScoredBoard, usize)>);

impl PairsSheet {
    /// Adds a match up. Home sits North-South.
    pub fn of(boards: &[OwnRow<'_>], rules: &Rules) -> Self {
        let several = rules.average_plus().several == Several::SquareRoot;
        let score_of = |own: &OwnRow<'_>, side: Side| -> Option<(PairScore, Points)> {
            let (field, row) = own.1?;
            let score = field.scores.rows.get(row)?.side(side)?;
            Some((score, field.scores.top))
        };
        let pluses = Side::BOTH.map(|side| {
            let plus = |own: &&OwnRow<'_>| {
                score_of(own, side)
                    .is_some_and(|(score, _)| score.own_average == OwnAverage::IfMore)
            };
            boards.iter().filter(plus).count()
        });
        let points = |own: &OwnRow<'_>, side: Side, pluses: usize| {
            let (score, top) = score_of(own, side)?;
            if several && score.own_average == OwnAverage::IfMore {
                let middle = top.share(Percent::AVERAGE, Rounding::TenThousandth);
                let above = score.points - middle;
                return Some(middle + divided_by_root(above, pluses, Rounding::TenThousandth));
            }
            Some(score.points)
        };
        let mut sheet = Self {
            lines: Vec::with_capacity(boards.len()),
            totals: [Points::ZERO; 2],
            percents: None,
            missing: Vec::new(),
            counted: 0,
            lost: 0,
            top: Points::ZERO,
        };
        for own in boards {
            let (board, row) = own;
            let Some((field, at)) = row else {
                sheet.missing.push(*board);
                sheet.lines.push(PairsLine {
                    board: *board,
                    score: None,
                    datum: None,
                    home: None,
                    away: None,
                });
                continue;
            };
            let home = points(own, Side::NorthSouth, pluses[0]);
            let away = points(own, Side::EastWest, pluses[1]);
            if home.is_some() || away.is_some() {
                sheet.counted += 1;
                sheet.top += field.scores.top;
            } else {
                sheet.lost += 1;
            }
            sheet.totals[0] += home.unwrap_or_default();
            sheet.totals[1] += away.unwrap_or_default();
            sheet.lines.push(PairsLine {
                board: *board,
                score: match field.outcomes.get(*at) {
                    Some(Outcome::Score(score)) => Some(*score),
                    _ => None,
                },
                datum: field.datum(*at),
                home,
                away,
            });
        }
        sheet.compare_with_top(rules);
        sheet
    }

    /// Percentages, at matchpoints.
    pub(crate) fn compare_with_top(&mut self, rules: &Rules) {
        if rules.comparison == Comparison::Matchpoints {
            let [home, away] = self.totals;
            let home = home.percent_of(self.top);
            self.percents = home.zip(away.percent_of(self.top)).map(Into::into);
        }
    }

    /// The victory points of home and away, in a match of so many boards.
    pub fn victory_points(
        &self,
        rules: &Rules,
        boards: u16,
    ) -> Result<[VictoryPoints; 2], VpError> {
        let column = rules.column(boards);
        let scale = rules.scale;
        if rules.comparison == Comparison::Matchpoints {
            let [home, away] = self.percents.unwrap_or([Percent::AVERAGE; 2]);
            let share = scale.by_percent(column, home)?;
            // Two percentages that mirror each other share the scale's sum.
            if (9_999..=10_001).contains(&(home.0 + away.0)) {
                return Ok([share.winner, share.loser]);
            }
            return Ok([share.winner, scale.by_percent(column, away)?.winner]);
        }
        let [home, away] = self.totals.map(|total| rules.fraction.rule().whole(total));
        if self.totals[0] == -self.totals[1] {
            // Rounded once, so that both sides read the same margin.
            return scale.by_each_margin(column, home, -home);
        }
        scale.by_each_margin(column, home, away)
    }
}
