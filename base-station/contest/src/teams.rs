//! A match of two teams, board by board from its two tables.

use std::cmp::Ordering;

use protocol::words::{BoardNumber, Score, Side};
use scoring::regulations::{Rescored, Settled};
use scoring::{
    Adjustment, Award, Imps, MatchResult, Outcome, Percent, Points, Rounding, Several, TeamsBoard,
    VictoryPoints, VpError, WeightedScore, divided_by_root,
};
use serde::Serialize;

use crate::rules::{Comparison, Level, Rules};
use crate::standing::DecidedBy;

/// Which of the two tables of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Room {
    /// The home team sits North-South.
    Open,
    /// The away team sits North-South.
    Closed,
}

/// A board at the two tables; `None` where no result is in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TwoTables {
    /// Which.
    pub board: BoardNumber,
    /// Home North-South.
    pub open: Option<Outcome>,
    /// Away North-South.
    pub closed: Option<Outcome>,
}

/// A board of a match sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct SheetLine {
    /// Which.
    pub board: BoardNumber,
    /// North-South's score in the open room.
    pub open: Option<Score>,
    /// North-South's score in the closed room.
    pub closed: Option<Score>,
    /// What the home team got: IMPs, or 2, 1, 0 for a board won, halved, lost.
    pub home: Option<Points>,
    /// What the away team got.
    pub away: Option<Points>,
}

/// A match added up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TeamsSheet {
    /// In the order of the boards.
    pub lines: Vec<SheetLine>,
    /// The sums.
    pub result: MatchResult,
    /// What each board that could be compared is worth, in the same order.
    pub compared: Vec<TeamsBoard>,
    /// Tables whose result is not in.
    pub missing: Vec<(BoardNumber, Room)>,
    /// Boards that counted.
    pub counted: u16,
    /// Boards that both tables had and that could not be compared.
    pub lost: u16,
    /// The boards of earlier nights counted again, for home.
    pub(crate) before: Rescored,
}

/// How a match goes on whose boards left it level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Something else than its boards decided it.
    Won {
        /// For home, or for away.
        by_home: bool,
        /// What.
        by: DecidedBy,
    },
    /// So many more boards are to be played.
    PlayOff(u8),
    /// A lot decides.
    Lot,
    /// It ends so.
    Level,
}

impl Ending {
    /// Whether somebody has won.
    pub const fn is_won(self) -> bool {
        matches!(self, Self::Won { .. })
    }
}

impl TeamsSheet {
    /// Compares the tables.
    pub fn of(boards: &[TwoTables], rules: &Rules) -> Self {
        let pluses = Side::BOTH.map(|team| {
            let plus = |it: &&TwoTables| matches!(artificial(it, team), Some(Award::AveragePlus));
            boards.iter().filter(plus).count()
        });
        let mut lines = Vec::with_capacity(boards.len());
        let mut added = Vec::with_capacity(boards.len());
        let (mut missing, mut counted, mut lost) = (Vec::new(), 0, 0);
        for tables in boards {
            let compared = compare(tables, rules, pluses);
            let (home, away) = compared.map_or((None, None), |board| {
                let one = MatchResult::of(&[board]);
                (Some(one.first), Some(one.second))
            });
            let absent = [
                (tables.open.is_none(), Room::Open),
                (tables.closed.is_none(), Room::Closed),
            ];
            missing.extend(
                absent
                    .into_iter()
                    .filter(|(absent, _)| *absent)
                    .map(|(_, room)| (tables.board, room)),
            );
            match compared {
                Some(TeamsBoard::Cancelled) => lost += 1,
                Some(_) => counted += 1,
                None => {}
            }
            let cancelled = compared == Some(TeamsBoard::Cancelled);
            lines.push(SheetLine {
                board: tables.board,
                open: score(tables.open.as_ref()),
                closed: score(tables.closed.as_ref()),
                home: home.filter(|_| !cancelled),
                away: away.filter(|_| !cancelled),
            });
            added.extend(compared);
        }
        Self {
            lines,
            result: MatchResult::of(&added),
            compared: added,
            missing,
            counted,
            lost,
            before: Rescored::default(),
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
        if rules.scale.goes_by_percent() {
            let home = self.percent(rules).unwrap_or(Percent::AVERAGE);
            let share = scale.by_percent(column, home)?;
            return Ok([share.winner, share.loser]);
        }
        self.result
            .victory_points(scale, column, rules.fraction.rule())
    }

    /// How a match of two teams ends that has all its boards: `None` where somebody has won by them, or
    /// boards are missing.
    pub fn ending(&self, play_offs: &[Self], rules: &Rules) -> Option<Ending> {
        let lead = |sheet: &Self| sheet.result.margins[0].cmp(&sheet.result.margins[1]);
        let is_in = |sheet: &Self| sheet.missing.is_empty();
        if rules.comparison != Comparison::TeamsImps
            || !is_in(self)
            || lead(self).is_ne()
            || !play_offs.iter().all(is_in)
        {
            return None;
        }
        let won = |order: Ordering, by| Ending::Won {
            by_home: order.is_gt(),
            by,
        };
        if let Some(order) = play_offs.iter().map(lead).find(|it| it.is_ne()) {
            return Some(won(order, DecidedBy::PlayOff));
        }
        if rules.level == Level::WithoutCarryOver {
            let boards = self.result.first.cmp(&self.result.second);
            let alone = boards.is_ne().then(|| won(boards, DecidedBy::OwnBoards));
            return alone.or(Some(Ending::Level));
        }
        let Some(rule) = rules.level.rule() else {
            return Some(Ending::Level);
        };
        let more: Vec<&[TeamsBoard]> = play_offs.iter().map(|it| &it.compared[..]).collect();
        Some(match rule.go_on(self.before, &self.compared, &more) {
            Settled::First => won(Ordering::Greater, DecidedBy::Rescored),
            Settled::Second => won(Ordering::Less, DecidedBy::Rescored),
            Settled::PlayOff(boards) => Ending::PlayOff(boards),
            Settled::Lot => Ending::Lot,
        })
    }

    /// The share of boards that the home team won, at board-a-match.
    pub fn percent(&self, rules: &Rules) -> Option<Percent> {
        if rules.comparison != Comparison::BoardAMatch {
            return None;
        }
        let top = Points::whole(2 * i64::from(self.counted));
        self.result.first.percent_of(top)
    }
}

fn score(outcome: Option<&Outcome>) -> Option<Score> {
    match outcome {
        Some(Outcome::Score(score)) => Some(*score),
        _ => None,
    }
}

/// What the director awarded a team at one of the tables instead of a score. North-South stands
/// for the home team.
fn artificial(tables: &TwoTables, team: Side) -> Option<Award> {
    let at = |outcome: &Option<Outcome>, side: Side| match outcome {
        Some(Outcome::Adjusted(adjustment)) => match adjustment.award(side) {
            Award::Assigned(_) => None,
            award => Some(award.clone()),
        },
        _ => None,
    };
    at(&tables.open, team).or_else(|| at(&tables.closed, other(team)))
}

const fn other(side: Side) -> Side {
    match side {
        Side::NorthSouth => Side::EastWest,
        Side::EastWest => Side::NorthSouth,
    }
}

/// What a board is worth; `None` while a table is missing.
fn compare(tables: &TwoTables, rules: &Rules, pluses: [usize; 2]) -> Option<TeamsBoard> {
    let (open, closed) = (tables.open.as_ref()?, tables.closed.as_ref()?);
    let awards = Side::BOTH.map(|team| artificial(tables, team));
    if let [Some(home), Some(away)] = &awards {
        return Some(TeamsBoard::Awarded {
            first: awarded(home, rules, pluses[0]),
            second: awarded(away, rules, pluses[1]),
        });
    }
    if matches!(open, Outcome::NotPlayed | Outcome::SitOut)
        || matches!(closed, Outcome::NotPlayed | Outcome::SitOut)
    {
        return Some(TeamsBoard::Cancelled);
    }
    if let (Outcome::Score(home), Outcome::Score(away), Comparison::TeamsImps) =
        (open, closed, rules.comparison)
    {
        return Some(TeamsBoard::Played {
            home: *home,
            away: -*away,
        });
    }
    // Assigned scores: each team by its own, which need not mirror the other's.
    let sides = [Side::NorthSouth, Side::EastWest].map(|team| {
        let own = |outcome: &Outcome, side: Side| match outcome {
            Outcome::Score(score) => vec![(*score, 10_000)],
            Outcome::Adjusted(adjustment) => weighted(adjustment, side),
            Outcome::NotPlayed | Outcome::SitOut => Vec::new(),
        };
        expected(&own(open, team), &own(closed, other(team)), team, rules)
    });
    let [first, second] = sides;
    Some(match rules.comparison {
        Comparison::BoardAMatch => TeamsBoard::Awarded { first, second },
        _ => TeamsBoard::Assigned { first, second },
    })
}

/// What an artificial award is worth in a teams match.
fn awarded(award: &Award, rules: &Rules, pluses: usize) -> Points {
    let plus = rules.average_plus();
    if rules.comparison == Comparison::BoardAMatch {
        let percent = match award {
            Award::AveragePlus => plus.percent,
            Award::AverageMinus => Percent(10_000 - plus.percent.0),
            Award::Percentage(percentage) => (*percentage).into(),
            Award::Average | Award::Assigned(_) => Percent::AVERAGE,
        };
        return Points::whole(2).share(percent, Rounding::TenThousandth);
    }
    match award {
        Award::AveragePlus if plus.several == Several::SquareRoot => {
            divided_by_root(plus.imps, pluses, Rounding::TenThousandth)
        }
        Award::AveragePlus => plus.imps,
        Award::AverageMinus => -plus.imps,
        Award::Average | Award::Assigned(_) => Points::ZERO,
        Award::Percentage(percentage) => {
            let above = i128::from(percentage.get()) - i128::from(Percent::AVERAGE.0);
            let step = i128::from(plus.percent.0 - Percent::AVERAGE.0).max(1);
            Points::ratio(
                above * i128::from(plus.imps.ten_thousandths()),
                step * i128::from(Points::UNIT),
                Rounding::TenThousandth,
            )
        }
    }
}

/// Scores with their weights in hundredths of a percent.
fn weighted(adjustment: &Adjustment, side: Side) -> Vec<(Score, i64)> {
    match adjustment.award(side) {
        Award::Assigned(scores) => scores
            .iter()
            .map(|WeightedScore { score, weight }| (*score, i64::from(weight.get())))
            .collect(),
        _ => Vec::new(),
    }
}

/// What a team can expect from its possible scores at both tables.
fn expected(open: &[(Score, i64)], closed: &[(Score, i64)], team: Side, rules: &Rules) -> Points {
    let mut sum = 0_i128;
    for &(here, weight_here) in open {
        for &(there, weight_there) in closed {
            let home = i32::from(here.0) - i32::from(there.0);
            let own = match team {
                Side::NorthSouth => home,
                Side::EastWest => -home,
            };
            let worth = match rules.comparison {
                Comparison::BoardAMatch => i64::from(own.signum()) + 1,
                _ => i64::from(Imps::of_difference(own).0),
            };
            sum += i128::from(worth) * i128::from(weight_here) * i128::from(weight_there);
        }
    }
    Points::ratio(sum, 100_000_000, Rounding::TenThousandth)
}
