//! A line of a score sheet in words, and what opens when a cell is clicked.

use protocol::message::Source;
use protocol::words::{BoardNumber, BoardResult, Percentage, RoundNumber, Score};
use serde::Serialize;
use utoipa::ToSchema;

use crate::session::plan::{PenaltyAmount, Ruling, SideAward, WeightedScore};
use crate::session::{Cell, Line, Moment, PairId, Session, TableId};
use telling::{All, Decimal, Letter, Told, tell};

/// One board at one table.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct LineView {
    /// The board.
    #[schema(value_type = u8)]
    pub board: BoardNumber,
    /// The round.
    #[schema(value_type = u8)]
    pub round: RoundNumber,
    /// The table, as `A7`.
    #[schema(value_type = String, example = "A7")]
    pub table: TableId,
    /// North-South.
    #[schema(value_type = Option<String>, example = "A12NS")]
    pub ns: Option<PairId>,
    /// East-West.
    #[schema(value_type = Option<String>, example = "A12EW")]
    pub ew: Option<PairId>,
    /// What became of it.
    pub result: ResultView,
    /// Points from North-South's view.
    pub score: Option<i16>,
    /// North-South's matchpoints or IMPs.
    pub ns_points: Option<f64>,
    /// East-West's.
    pub ew_points: Option<f64>,
    /// North-South's percentage.
    pub ns_percent: Option<f64>,
    /// East-West's percentage, which need not be the rest.
    pub ew_percent: Option<f64>,
    /// The director said so, not the table.
    pub changed: bool,
    /// Others than the movement's pairs played it.
    pub pairs_corrected: bool,
    /// The form of the board that was played, `A` unless it was fouled.
    #[schema(value_type = String)]
    pub form: char,
    /// When it was last changed.
    #[schema(value_type = Option<u64>)]
    pub at_ms: Option<Moment>,
}

/// What became of a board, in words.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct ResultView {
    /// Which of the different things it is.
    pub kind: ResultKind,
    /// `4SX`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contract: Option<String>,
    /// `S`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub declarer: Option<char>,
    /// `=`, `+1`, `-2`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub made: Option<String>,
    /// All the tricks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tricks: Option<u8>,
    /// `HK`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lead: Option<String>,
    /// What North-South are awarded, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub ns: Option<Told>,
    /// What East-West are awarded, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub ew: Option<Told>,
    /// All of it in one line.
    #[schema(value_type = String)]
    pub text: Told,
}

/// The different things that can become of a board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub enum ResultKind {
    /// Nothing has arrived.
    #[default]
    Nothing,
    /// Bid and played.
    Played,
    /// Four passes.
    PassedOut,
    /// Not played at this table.
    NotPlayed,
    /// Nobody to play against.
    SitOut,
    /// The director awarded something.
    Adjusted,
    /// To be played later.
    LatePlay,
    /// It is in, and not shown until everybody has played the board.
    Hidden,
    /// A score from paper without its contract.
    Written,
}

/// A result in one line: `4SX by S -1, lead HK`.
pub fn result_text(result: BoardResult) -> Told {
    match result {
        BoardResult::Played(played) => {
            let contract = played.contract;
            let made = made(contract.over(played.tricks));
            let declarer = Letter(contract.declarer);
            match played.lead {
                None => tell!(Game::Result {
                    contract,
                    declarer,
                    made
                }),
                Some(lead) => {
                    tell!(Game::ResultWithLead {
                        contract,
                        declarer,
                        made,
                        lead
                    })
                }
            }
        }
        BoardResult::PassedOut => tell!(Game::PassedOut),
        BoardResult::NotPlayed => tell!(Game::NotPlayed),
        BoardResult::SitOut => tell!(Game::SitOut),
        BoardResult::Adjusted { ns, ew } => {
            tell!(Game::Adjusted {
                ns: percent_text(ns),
                ew: percent_text(ew)
            })
        }
    }
}

/// A ruling in one line.
pub fn ruling_text(ruling: &Ruling) -> Told {
    ResultView::of(ruling).text
}

/// `=`, `+1`, `-2`.
pub fn made(over: i8) -> String {
    match over {
        0 => "=".to_owned(),
        over => format!("{over:+}"),
    }
}

/// `60%`, `52.08%`.
pub(super) fn percent_text(percentage: Percentage) -> Told {
    tell!(Game::Percent {
        n: Decimal::percent(percentage)
    })
}

/// `+620 (contract not known)`.
fn written_text(score: Score) -> Told {
    tell!(Game::ContractNotKnown {
        score: format!("{:+}", score.0)
    })
}

/// A score from paper that names no contract is no adjustment to whoever reads it.
fn awards_text(ns: &SideAward, ew: &SideAward) -> Told {
    match (ns, ew) {
        (SideAward::Score(one), SideAward::Score(other)) if one == other => written_text(*one),
        _ => tell!(Game::Adjusted {
            ns: award_text(ns),
            ew: award_text(ew)
        }),
    }
}

fn award_text(award: &SideAward) -> Told {
    match award {
        SideAward::Score(score) => Told::as_written(format!("{:+}", score.0)),
        SideAward::Weighted(outcomes) => {
            let shares = outcomes.iter().map(|WeightedScore { score, weight }| {
                tell!(Game::OfAnd {
                    share: percent_text(*weight),
                    score: format!("{:+}", score.0)
                })
            });
            tell!(Game::Alone {
                what: All(shares.collect())
            })
        }
        SideAward::Percent(percent) => percent_text(*percent),
        SideAward::AveragePlus => tell!(Game::AveragePlus),
        SideAward::Average => tell!(Game::Average),
        SideAward::AverageMinus => tell!(Game::AverageMinus),
    }
}

impl ResultView {
    /// A ruling in words.
    pub fn of(ruling: &Ruling) -> Self {
        match ruling {
            Ruling::Result(result) => Self::of_result(*result),
            Ruling::LatePlay => Self {
                kind: ResultKind::LatePlay,
                text: tell!(Game::LatePlay),
                ..Self::default()
            },
            Ruling::Award { ns, ew } => Self {
                kind: ResultKind::Adjusted,
                text: awards_text(ns, ew),
                ns: Some(award_text(ns)),
                ew: Some(award_text(ew)),
                ..Self::default()
            },
            Ruling::Written(score) => Self {
                kind: ResultKind::Written,
                text: written_text(*score),
                ..Self::default()
            },
            Ruling::TakenAway => Self::default(),
        }
    }

    fn of_result(result: BoardResult) -> Self {
        let text = result_text(result);
        match result {
            BoardResult::Played(played) => Self {
                kind: ResultKind::Played,
                contract: Some(played.contract.to_string()),
                declarer: Some(played.contract.declarer.letter()),
                made: Some(made(played.contract.over(played.tricks))),
                tricks: Some(played.tricks.get()),
                lead: played.lead.map(|lead| lead.to_string()),
                text,
                ..Self::default()
            },
            BoardResult::PassedOut => Self::plain(ResultKind::PassedOut, text),
            BoardResult::NotPlayed => Self::plain(ResultKind::NotPlayed, text),
            BoardResult::SitOut => Self::plain(ResultKind::SitOut, text),
            BoardResult::Adjusted { ns, ew } => Self {
                ns: Some(percent_text(ns)),
                ew: Some(percent_text(ew)),
                ..Self::plain(ResultKind::Adjusted, text)
            },
        }
    }

    fn plain(kind: ResultKind, text: Told) -> Self {
        Self {
            kind,
            text,
            ..Self::default()
        }
    }
}

impl LineView {
    /// The line as it stands, with the movement's pairs where nothing has arrived. Points are
    /// filled in by whoever has scored the board.
    pub fn of(session: &Session, cell: Cell) -> Self {
        let table = cell.table_id();
        let line = session.lines.get(&cell);
        let sitting = session.sitting(table, cell.round);
        let planned = |side: protocol::words::Side| {
            let sitting = sitting?;
            let number = match side {
                protocol::words::Side::NorthSouth => sitting.ns,
                protocol::words::Side::EastWest => sitting.ew,
            }?;
            Some(session.pair_id(cell.section, side, number))
        };
        Self {
            board: cell.board,
            round: cell.round,
            table,
            ns: line.map_or_else(
                || planned(protocol::words::Side::NorthSouth),
                |line| line.ns,
            ),
            ew: line.map_or_else(|| planned(protocol::words::Side::EastWest), |line| line.ew),
            result: line
                .map(|line| ResultView::of(&line.ruling))
                .unwrap_or_default(),
            score: line
                .and_then(|line| line.score(cell.board))
                .map(|score| score.0),
            ns_points: None,
            ew_points: None,
            ns_percent: None,
            ew_percent: None,
            changed: line.is_some_and(|line| {
                line.source == Source::Director && session.is_changed(table, line)
            }),
            pairs_corrected: line.is_some_and(|line| line.pairs_corrected),
            form: line.map_or(Line::USUAL_FORM, |line| line.form),
            at_ms: line.map(|line| line.at),
        }
    }
}

/// What an offence costs, in words.
pub fn amount_text(amount: PenaltyAmount) -> Told {
    let hundredths = |points: u32| Decimal::new(f64::from(points) / 100.0, 2);
    match amount {
        PenaltyAmount::Warning => tell!(History::Warning),
        PenaltyAmount::PercentOfTop(share) => tell!(History::MinusTop {
            amount: percent_text(share)
        }),
        PenaltyAmount::PercentOfSession(share) => {
            tell!(History::MinusSession {
                amount: percent_text(share)
            })
        }
        PenaltyAmount::Matchpoints(points) => tell!(History::MinusMatchpoints {
            n: hundredths(points)
        }),
        PenaltyAmount::VictoryPoints(points) => {
            tell!(History::MinusVictoryPoints {
                n: hundredths(points)
            })
        }
        PenaltyAmount::Imps(imps) => tell!(History::MinusImps { imps }),
    }
}
