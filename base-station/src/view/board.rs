//! One board: its traveller and its cards.

use protocol::message::HandRecord;
use protocol::words::{BoardNumber, Deal, Hand, Seat, SectionLetter, Strain, Suit, Vulnerability};
use serde::Serialize;
use std::collections::BTreeMap;
use utoipa::ToSchema;

use super::line::LineView;
use crate::session::plan::{Method, Rounding};
use crate::session::{Cell, Scores, Session, TravellerLine};

/// A board with its results and its cards.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct BoardView {
    /// The board.
    #[schema(value_type = u8)]
    pub board: BoardNumber,
    /// Who dealt.
    #[schema(value_type = String)]
    pub dealer: char,
    /// `None`, `NorthSouth`, `EastWest` or `Both`.
    #[schema(value_type = String)]
    pub vulnerable: Vulnerability,
    /// The most matchpoints a pair can have on it.
    pub top: f64,
    /// With how many decimals points are shown, so that what is shown adds up.
    pub decimals: u8,
    /// What scores are compared with, at Butler.
    pub datum: Option<f64>,
    /// The same of each form of a fouled board.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[schema(value_type = std::collections::BTreeMap<String, f64>)]
    pub datums: BTreeMap<char, f64>,
    /// Every result, best for North-South first, then what is still expected.
    pub lines: Vec<LineView>,
    /// The cards.
    pub hand: Option<HandView>,
}

/// The cards of a board, by seat (`N`, `E`, `S`, `W`) and suit (`S`, `H`, `D`, `C`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct HandView {
    /// Cards by seat and suit, highest first.
    #[serde(flatten)]
    #[schema(value_type = std::collections::BTreeMap<String, std::collections::BTreeMap<String, String>>)]
    pub seats: BTreeMap<char, BTreeMap<char, String>>,
    /// Double-dummy tricks by declarer and strain.
    #[schema(value_type = Option<std::collections::BTreeMap<String, std::collections::BTreeMap<String, u8>>>)]
    pub tricks: Option<BTreeMap<char, BTreeMap<String, u8>>>,
    /// The optimum.
    pub par: Option<ParView>,
}

/// The optimum of a board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ParView {
    /// For North-South.
    pub score: i16,
    /// A contract that gives it: `4SX S`.
    pub contract: Option<String>,
}

impl BoardView {
    /// The board as it stands in a section.
    pub fn of(session: &Session, section: SectionLetter, board: BoardNumber) -> Self {
        Self::scored(session, &session.scores(), section, board)
    }

    /// The same, where the session has been scored already.
    pub fn scored(
        session: &Session,
        scores: &Scores,
        section: SectionLetter,
        board: BoardNumber,
    ) -> Self {
        let traveller = scores.traveller(section, board);
        let mut lines: Vec<LineView> = traveller
            .lines
            .iter()
            .map(|line| LineView::scored(session, line))
            .collect();
        let expected = expected(session, section, board);
        lines.extend(
            expected
                .into_iter()
                .filter(|cell| !traveller.lines.iter().any(|line| line.cell == *cell))
                .map(|cell| LineView::of(session, cell)),
        );
        Self {
            board,
            dealer: board.dealer().letter(),
            vulnerable: board.vulnerability(),
            top: traveller.top.to_f64(),
            decimals: decimals(session),
            datum: session
                .datum(section, board)
                .filter(|_| session.scoring.method == Method::Butler)
                .map(crate::scoring::Datum::to_f64),
            datums: session
                .datums_of_forms(section, board)
                .into_iter()
                .filter(|_| session.scoring.method == Method::Butler)
                .map(|(form, datum)| (form, datum.to_f64()))
                .collect(),
            lines,
            hand: session.deals.get(&board).and_then(HandView::of),
        }
    }
}

/// The lines that the movement plans for a board, in all sections where they are one field.
fn expected(session: &Session, section: SectionLetter, board: BoardNumber) -> Vec<Cell> {
    let across = session.scoring.across_sections;
    let here = session
        .sections
        .iter()
        .filter(|(letter, _)| across || **letter == section);
    let mut cells: Vec<Cell> = here
        .flat_map(|(letter, plan)| plan.sittings.values().map(move |it| (*letter, it)))
        .filter(|(_, sitting)| {
            sitting.is_played() && sitting.boards.iter().any(|there| there == board)
        })
        .map(|(section, sitting)| Cell {
            section,
            board,
            round: sitting.round,
            table: sitting.table,
        })
        .collect();
    cells.sort();
    cells
}

/// With how many decimals points are shown: as many as they are rounded to.
pub fn decimals(session: &Session) -> u8 {
    match session.scoring.rounding {
        Rounding::Tenth | Rounding::Hundredth => 2,
        Rounding::TenThousandth => 4,
    }
}

impl LineView {
    /// The line as it stands, with what it is worth where it is worth something.
    pub fn now(session: &Session, scores: &Scores, cell: Cell) -> Self {
        let line = scores.line(cell);
        line.map_or_else(
            || Self::of(session, cell),
            |line| Self::scored(session, line),
        )
    }

    /// A line with what it is worth.
    pub fn scored(session: &Session, line: &TravellerLine) -> Self {
        Self {
            ns_points: line.ns.map(crate::scoring::Points::to_f64),
            ew_points: line.ew.map(crate::scoring::Points::to_f64),
            ns_percent: line.ns_percent.map(crate::scoring::Percent::to_f64),
            ew_percent: line.ew_percent.map(crate::scoring::Percent::to_f64),
            ..Self::of(session, line.cell)
        }
    }
}

impl HandView {
    /// The cards of a record, if they are whole.
    pub fn of(record: &HandRecord) -> Option<Self> {
        let deal = Deal::try_from(record.deal).ok()?;
        let suits = |hand: Hand| {
            Suit::ALL
                .into_iter()
                .map(|suit| {
                    let ranks = hand.suit(suit).map(protocol::words::Rank::letter);
                    (suit.letter(), ranks.collect())
                })
                .collect()
        };
        Some(Self {
            seats: Seat::ALL
                .into_iter()
                .map(|seat| (seat.letter(), suits(deal.hand(seat))))
                .collect(),
            tricks: record.tricks.map(|tricks| {
                Seat::ALL
                    .into_iter()
                    .map(|seat| {
                        let by_strain = Strain::ALL.into_iter().filter_map(|strain| {
                            Some((strain.to_string(), tricks.get(seat, strain)?.get()))
                        });
                        (seat.letter(), by_strain.collect())
                    })
                    .collect()
            }),
            par: record.par.map(|par| ParView {
                score: par.score.0,
                contract: par
                    .contract
                    .map(|contract| format!("{contract} {}", contract.declarer)),
            }),
        })
    }
}
