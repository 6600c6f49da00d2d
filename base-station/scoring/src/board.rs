//! One board: from the rows of its traveller to the points of every pair.

use protocol::words::{Score, Side};

use super::datum::Datum;
use super::exact::Fraction;
use super::few;
use super::points::PercentsOf;
use super::row::{Award, Contestant, Form, Outcome, Row};
use super::tally::{BoardSize, Bucket, Tally};
use super::{Fault, Method, Percent, Points, Rules, Trimming, irregular};

/// What a board is worth to everybody who played it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardScores {
    /// The best possible; nothing at IMPs.
    pub top: Points,
    /// The average that the scores were compared with, at Butler.
    pub datum: Option<Datum>,
    /// Where the board was fouled, the average of each of its forms.
    pub forms: Vec<(Form, Datum)>,
    /// In the order of the rows.
    pub rows: Vec<RowScores>,
}

impl BoardScores {
    /// What the scores of a form were compared with, at Butler.
    pub fn datum_of(&self, form: Form) -> Option<Datum> {
        if self.forms.is_empty() {
            return self.datum;
        }
        let mut forms = self.forms.iter();
        let own = forms.find(|(known, _)| *known == form);
        own.map(|(_, datum)| *datum)
    }

    /// The percentages of North-South and East-West in every row; none at IMPs.
    pub fn percentages(&self) -> impl Iterator<Item = [Option<Percent>; 2]> {
        let percent = |score: Option<PairScore>| score?.points.percent_of(self.top);
        let percents = PercentsOf::new(self.top);
        self.rows.iter().map(move |row| match (row.ns, row.ew) {
            (Some(ns), Some(ew)) if ns.points + ew.points == self.top => percents.both(ns.points),
            (ns, ew) => [percent(ns), percent(ew)],
        })
    }
}

/// What a row is worth to its two pairs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RowScores {
    /// To North-South; `None` when the board does not count for them.
    pub ns: Option<PairScore>,
    /// To East-West.
    pub ew: Option<PairScore>,
}

/// What a row is worth to a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairScore {
    /// Matchpoints or IMPs.
    pub points: Points,
    /// Whether the pair's other boards can still change them.
    pub own_average: OwnAverage,
}

/// Whether an award gives way to what the pair earns on its other boards (Laws 12C2 and 88).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OwnAverage {
    /// No: the points stand.
    #[default]
    Never,
    /// When that is more.
    IfMore,
    /// When that is less.
    IfLess,
}

/// Scores boards one after the other with one set of rules.
#[derive(Clone, Debug)]
pub struct Scorer {
    rules: Rules,
    tally: Tally,
    /// The last board, kept so that the next one needs no new memory.
    scores: BoardScores,
}

/// Scores one board that is a field of its own. Whoever scores many keeps a [`Scorer`].
pub fn score_board<C: Contestant>(rows: &[Row<C>], rules: &Rules) -> BoardScores {
    score_board_in(rows, rules, 0)
}

/// Scores one board of an event whose boards have at most `most` results.
pub fn score_board_in<C: Contestant>(rows: &[Row<C>], rules: &Rules, most: usize) -> BoardScores {
    let mut scorer = Scorer::new(rules.clone());
    scorer.board_in(rows, most);
    scorer.scores
}

/// One score of a matchpointed board beside the others, where everybody has a real result and all
/// played the same form: what it is worth needs no look at theirs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// Results below it.
    pub below: u32,
    /// Results equal to it, itself among them.
    pub equal: u32,
    /// All results.
    pub results: usize,
}

impl Compared {
    /// Its share of the top on a board of an event whose boards have at most `most` results; `None`
    /// at IMPs, and where no other result is there.
    pub fn percent(self, rules: &Rules, most: usize) -> Option<Percent> {
        if rules.method != Method::Matchpoints || self.results < 2 {
            return None;
        }
        let size = BoardSize {
            counted: self.results,
            field: rules.field(self.results, most),
        };
        let points = size.matchpoints(self.below, self.equal, self.results, rules);
        points.percent_of(rules.top(size.field))
    }
}

impl Scorer {
    /// With these rules.
    pub fn new(rules: Rules) -> Self {
        Self {
            rules,
            tally: Tally::new(),
            scores: BoardScores {
                top: Points::ZERO,
                datum: None,
                forms: Vec::new(),
                rows: Vec::new(),
            },
        }
    }

    /// Scores a board that is a field of its own.
    pub fn board<C: Contestant>(&mut self, rows: &[Row<C>]) -> &BoardScores {
        self.board_in(rows, 0)
    }

    /// Scores a board of an event whose boards have at most `most` results.
    pub fn board_in<C: Contestant>(&mut self, rows: &[Row<C>], most: usize) -> &BoardScores {
        let scores = &mut self.scores;
        scores.forms.clear();
        if let Some(scored) = few::evaluate(rows, most, &self.rules, &mut scores.rows) {
            (scores.top, scores.datum) = scored;
            return &self.scores;
        }
        self.tally.clear();
        let mut form = None;
        let mut counted = 0;
        for row in rows {
            match Regular::of(row) {
                Some(Regular::Score(bucket)) if *form.get_or_insert(row.form) == row.form => {
                    self.tally.add(bucket);
                    counted += 1;
                }
                Some(Regular::Award) => counted += 1,
                Some(Regular::Nothing) => {}
                _ => {
                    self.scores = irregular::score(rows, &self.rules, most).0;
                    return &self.scores;
                }
            }
        }
        let scores = &mut self.scores;
        let field = self.rules.field(counted, most);
        (scores.top, scores.datum) = evaluate(
            &mut self.tally,
            rows,
            BoardSize { counted, field },
            &self.rules,
            &mut scores.rows,
        );
        scores
    }
}

/// What a row needs when no assigned score and no second form is about.
pub(super) enum Regular {
    Score(Bucket),
    Award,
    Nothing,
}

impl Regular {
    /// `None` when the row needs the long way.
    pub(super) fn of<C>(row: &Row<C>) -> Option<Self> {
        match &row.outcome {
            Outcome::Score(score) => Bucket::of(*score).map(Self::Score),
            Outcome::NotPlayed | Outcome::SitOut => Some(Self::Nothing),
            Outcome::Adjusted(adjustment) => match (&adjustment.ns, &adjustment.ew) {
                (Award::Assigned(_), _) | (_, Award::Assigned(_)) => None,
                _ => Some(Self::Award),
            },
        }
    }
}

/// Fills `scores` from a tally that already holds the results of `rows`.
pub(super) fn evaluate<C: Contestant>(
    tally: &mut Tally,
    rows: &[Row<C>],
    size: BoardSize,
    rules: &Rules,
    scores: &mut Vec<RowScores>,
) -> (Points, Option<Datum>) {
    let top = rules.top(size.field);
    let datum = tally.evaluate(size, rules, swiss_datum(rows, rules));
    scores.clear();
    scores.extend(rows.iter().map(|row| match &row.outcome {
        Outcome::Score(score) => {
            let points = Bucket::of(*score).map_or(Points::ZERO, |bucket| tally.points(bucket));
            RowScores {
                ns: Some(PairScore::of(points)),
                ew: Some(PairScore::of(top - points)),
            }
        }
        Outcome::NotPlayed | Outcome::SitOut => RowScores::default(),
        Outcome::Adjusted(adjustment) => RowScores {
            ns: artificial(&adjustment.ns, top, rules),
            ew: artificial(&adjustment.ew, top, rules),
        },
    }));
    (top, datum)
}

/// The datum where it depends on more than the scores: on the tables, and on the round.
pub(super) fn swiss_datum<C: Contestant>(rows: &[Row<C>], rules: &Rules) -> Option<Datum> {
    let Method::Butler(mut datum_rules) = rules.method else {
        return None;
    };
    if datum_rules.trimming != Trimming::SwissTopTwelve {
        return None;
    }
    let mut tables: Vec<_> = rows
        .iter()
        .filter_map(|row| match row.outcome {
            Outcome::Score(score) => {
                Some((row.table.is_none(), row.table, row.section, row.ns, score))
            }
            _ => None,
        })
        .collect();
    let is_early = |row: &Row<C>| row.round.is_some_and(|round| round.get() <= 2);
    if rows.iter().any(is_early) {
        datum_rules.trimming = Trimming::Sixth;
    } else {
        // Sections may have a table 1 each, and a file may name no tables: pairs keep the order.
        tables.sort_unstable();
        tables.truncate(12);
    }
    let mut scores: Vec<Score> = tables.into_iter().map(|(.., score)| score).collect();
    scores.sort_unstable();
    let sorted = scores.iter().map(|score| (i32::from(score.0), 1));
    Datum::of(sorted, scores.len(), datum_rules)
}

/// What an artificial award is worth; `None` for an assigned score, which is none.
pub(super) fn artificial(award: &Award, top: Points, rules: &Rules) -> Option<PairScore> {
    let plus = rules.average_plus.percent;
    let (percent, own_average) = match award {
        Award::Percentage(percentage) => ((*percentage).into(), OwnAverage::Never),
        Award::AveragePlus => (plus, OwnAverage::IfMore),
        Award::Average => (Percent::AVERAGE, OwnAverage::Never),
        Award::AverageMinus => (Percent(10_000 - plus.0), OwnAverage::IfLess),
        Award::Assigned(_) => return None,
    };
    Some(PairScore {
        points: rules.artificial_points(percent, top),
        own_average,
    })
}

impl Rules {
    /// A percentage as points: of the top at matchpoints; at IMPs as many as average plus is
    /// worth for the distance between it and average.
    pub(super) fn artificial_points(&self, percent: Percent, top: Points) -> Points {
        match self.method {
            Method::Matchpoints => top.share(percent, self.rounding),
            Method::Butler(_) | Method::CrossImps => {
                self.artificial_imps(percent).rounded(self.rounding)
            }
        }
    }

    fn artificial_imps(&self, percent: Percent) -> Fraction {
        let above = i128::from(percent.0 - Percent::AVERAGE.0);
        let plus = i128::from(self.average_plus.percent.0 - Percent::AVERAGE.0).max(1);
        let imps = i128::from(self.average_plus.imps.ten_thousandths());
        Fraction::new(above * imps, plus * i128::from(Points::UNIT))
    }
}

/// What the rows of a board are worth in IMPs without any rounding, after [`evaluate`].
pub(super) fn exact<C>(tally: &Tally, rows: &[Row<C>], rules: &Rules) -> Vec<[Fraction; 2]> {
    let imps = tally.exact_imps(rules);
    rows.iter()
        .map(|row| match &row.outcome {
            Outcome::Score(score) => {
                let exact = imps.get(score).copied().unwrap_or_default();
                [exact, exact.negated()]
            }
            Outcome::NotPlayed | Outcome::SitOut => [Fraction::default(); 2],
            Outcome::Adjusted(adjustment) => [&adjustment.ns, &adjustment.ew]
                .map(|award| artificial_exact(award, rules).unwrap_or_default()),
        })
        .collect()
}

/// The same for an artificial award; `None` for an assigned score, which is none.
pub(super) fn artificial_exact(award: &Award, rules: &Rules) -> Option<Fraction> {
    match award {
        Award::Percentage(percentage) => Some(rules.artificial_imps((*percentage).into())),
        award => artificial(award, Points::ZERO, rules).map(|score| score.points.into()),
    }
}

impl Fault {
    /// What is added to a fixed percentage in a small group of a fouled board.
    pub(super) const fn indemnity(self) -> Percent {
        match self {
            Self::None => Percent::whole(10),
            Self::Partly => Percent(0),
            Self::Responsible => Percent::whole(-10),
        }
    }
}

impl PairScore {
    pub(super) const fn of(points: Points) -> Self {
        Self {
            points,
            own_average: OwnAverage::Never,
        }
    }
}

impl RowScores {
    /// What that side gets.
    pub const fn side(&self, side: Side) -> Option<PairScore> {
        match side {
            Side::NorthSouth => self.ns,
            Side::EastWest => self.ew,
        }
    }
}
