//! A line of a score sheet in words, and what opens when a cell is clicked.

use protocol::message::Source;
use protocol::words::{BoardNumber, BoardResult, Percentage, RoundNumber, Score};
use serde::Serialize;
use utoipa::ToSchema;

use crate::session::plan::{Ruling, SideAward, WeightedScore};
use crate::session::{Cell, Line, Moment, PairId, Session, TableId};

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
    pub ns: Option<String>,
    /// What East-West are awarded, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ew: Option<String>,
    /// All of it in one line.
    pub text: String,
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
pub fn result_text(result: BoardResult) -> String {
    match result {
        BoardResult::Played(played) => {
            let made = made(played.contract.over(played.tricks));
            let lead = played
                .lead
                .map_or_else(String::new, |lead| format!(", lead {lead}"));
            format!(
                "{} by {} {made}{lead}",
                played.contract, played.contract.declarer
            )
        }
        BoardResult::PassedOut => "passed out".to_owned(),
        BoardResult::NotPlayed => "not played".to_owned(),
        BoardResult::SitOut => "sit-out".to_owned(),
        BoardResult::Adjusted { ns, ew } => {
            format!("adjusted {} / {}", percent_text(ns), percent_text(ew))
        }
    }
}

/// A ruling in one line.
pub fn ruling_text(ruling: &Ruling) -> String {
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
pub(super) fn percent_text(percentage: Percentage) -> String {
    let (whole, parts) = (percentage.get() / 100, percentage.get() % 100);
    if parts == 0 {
        format!("{whole}%")
    } else {
        format!("{whole}.{parts:02}%")
    }
}

/// `+620 (contract not known)`.
fn written_text(score: Score) -> String {
    format!("{:+} (contract not known)", score.0)
}

/// A score from paper that names no contract is no adjustment to whoever reads it.
fn awards_text(ns: &SideAward, ew: &SideAward) -> String {
    match (ns, ew) {
        (SideAward::Score(one), SideAward::Score(other)) if one == other => written_text(*one),
        _ => format!("adjusted {} / {}", award_text(ns), award_text(ew)),
    }
}

fn award_text(award: &SideAward) -> String {
    match award {
        SideAward::Score(score) => format!("{:+}", score.0),
        SideAward::Weighted(outcomes) => outcomes
            .iter()
            .map(|WeightedScore { score, weight }| {
                format!("{} of {:+}", percent_text(*weight), score.0)
            })
            .collect::<Vec<_>>()
            .join(" and "),
        SideAward::Percent(percent) => percent_text(*percent),
        SideAward::AveragePlus => "average plus".to_owned(),
        SideAward::Average => "average".to_owned(),
        SideAward::AverageMinus => "average minus".to_owned(),
    }
}

impl ResultView {
    /// A ruling in words.
    pub fn of(ruling: &Ruling) -> Self {
        match ruling {
            Ruling::Result(result) => Self::of_result(*result),
            Ruling::LatePlay => Self {
                kind: ResultKind::LatePlay,
                text: "late play".to_owned(),
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

    fn plain(kind: ResultKind, text: String) -> Self {
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
            changed: line.is_some_and(|line| line.source == Source::Director),
            pairs_corrected: line.is_some_and(|line| line.pairs_corrected),
            form: line.map_or(Line::USUAL_FORM, |line| line.form),
            at_ms: line.map(|line| line.at),
        }
    }
}
