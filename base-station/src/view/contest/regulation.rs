//! What a regulation sets, in plain words, before anybody chooses it.

use contest::draw::Method;
use contest::offence::{Cost, InMatch, Offence};
use contest::rules::{Column, DatumOf, Fraction, Level, Ties};
use contest::{Comparison, Regulation, Rules};
use serde::Serialize;
use telling::{All, Decimal, Told, tell};
use utoipa::ToSchema;

use crate::scoring::{Points, VictoryPoints, VpScale};
use crate::session::of_criterion;

/// What a regulation sets for such matches: each point as it can be chosen by itself, and what else
/// follows from it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct RegulationView {
    /// The scale of victory points.
    #[schema(value_type = String, example = "wbf")]
    pub scale: VpScale,
    /// Its column.
    #[schema(value_type = String, example = "boards")]
    pub column: Column,
    /// The datum of a pairs match.
    #[schema(value_type = String, example = "club")]
    pub datum: DatumOf,
    /// What separates who has as many victory points.
    #[schema(value_type = String, example = "swiss-points")]
    pub ties: Ties,
    /// A match in stanzas that ends level.
    #[schema(value_type = String, example = "shared")]
    pub level: Level,
    /// Fractions of IMPs.
    #[schema(value_type = String, example = "half-up")]
    pub fraction: Fraction,
    /// How a Swiss is drawn.
    #[schema(value_type = String, example = "swiss")]
    pub method: Method,
    /// Whether penalties count in a Swiss draw.
    pub penalties_in_draw: bool,
    /// Victory points of a bye.
    pub bye: f64,
    /// Minutes of a match of so many boards.
    pub minutes: u16,
    /// No board is begun in the last so many.
    pub no_new_board: u16,
    /// Appeals are heard for so many after a match.
    pub appeal_minutes: u16,
    /// Everything else, in sentences.
    #[schema(value_type = Vec<String>)]
    pub lines: Vec<Told>,
}

/// Minutes late that people ask about.
const LATE: [u16; 4] = [5, 12, 20, 35];

impl RegulationView {
    /// What it sets for matches of so many boards; `by_imps` for matches in stanzas.
    pub fn of(regulation: Regulation, comparison: Comparison, boards: u16, by_imps: bool) -> Self {
        let rules = Rules::of(regulation, comparison);
        let time = rules.time(boards);
        let in_match = InMatch { boards, by_imps };
        Self {
            scale: rules.scale,
            column: rules.column,
            datum: rules.datum,
            ties: rules.ties,
            level: rules.level,
            fraction: rules.fraction,
            method: regulation.method(),
            penalties_in_draw: rules.penalties_in_draw,
            bye: f64::from(rules.bye) / 100.0,
            minutes: time.minutes,
            no_new_board: time.no_new_board,
            appeal_minutes: rules.appeal_minutes(),
            lines: lines(&rules, in_match),
        }
    }
}

fn lines(rules: &Rules, own: InMatch) -> Vec<Told> {
    let boards = own.boards;
    let mut lines = Vec::new();
    let column = rules.column(boards);
    match rules.scale.by_imps(column, 10) {
        Ok(share) => lines.push(tell!(Regulation::TenImps {
            boards,
            winner: in_vp(share.winner),
            loser: in_vp(share.loser)
        })),
        Err(_) if rules.scale.goes_by_percent() => {}
        Err(_) => lines.push(tell!(Regulation::NoColumn { boards })),
    }
    let order = rules.ties.order().criteria().iter().skip(1);
    let order: Vec<Told> = order.map(|it| of_criterion(*it)).collect();
    lines.push(tell!(Regulation::Ties { order: All(order) }));
    if let Ok(forfeit) = rules.forfeit(boards).interim() {
        lines.push(tell!(Regulation::Forfeit {
            vp: in_vp(forfeit.other)
        }));
    }
    let plus = rules.average_plus();
    if rules.method().is_some() || rules.comparison.is_teams() {
        lines.push(if by_percent(rules.comparison) {
            tell!(Regulation::PlusPercent {
                percent: Decimal::new(f64::from(plus.percent.0) / 100.0, 0)
            })
        } else {
            tell!(Regulation::PlusImps {
                imps: in_imps(plus.imps)
            })
        });
    }
    for minutes in LATE {
        let late = Offence::Late { minutes, boards: 0 };
        let [first, later] = [0, 1].map(|before| cost(late.cost(rules, own, before)));
        lines.push(tell!(Regulation::Late {
            minutes,
            first,
            later
        }));
    }
    let score = [0, 1].map(|before| cost(Offence::Score.cost(rules, own, before)));
    let [first, later] = score;
    lines.push(tell!(Regulation::Score { first, later }));
    lines
}

const fn by_percent(comparison: Comparison) -> bool {
    matches!(
        comparison,
        Comparison::Matchpoints | Comparison::BoardAMatch
    )
}

fn in_vp(points: VictoryPoints) -> Decimal {
    Decimal::new(f64::from(points.0) / 100.0, 2)
}

fn in_imps(points: Points) -> Decimal {
    Decimal::new(points.to_f64(), 0)
}

fn cost(cost: Cost) -> Told {
    match cost {
        Cost::Warning => tell!(Regulation::CostWarning),
        Cost::Vp(points) => tell!(Regulation::CostVps { vp: in_vp(points) }),
        Cost::Imps(points) => tell!(Regulation::CostImps {
            imps: in_imps(points)
        }),
        Cost::Forfeit => tell!(Regulation::CostMatch),
        Cost::SeatingRights => tell!(Regulation::CostSeating),
        Cost::ByHand => tell!(Regulation::CostDirector),
    }
}
