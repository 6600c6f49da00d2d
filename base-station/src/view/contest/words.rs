//! What the page says about matches.

use crate::contest::irregular::Decision;
use crate::session::{MatchFinding, NextStep};

/// Hundredths as a number.
pub(super) fn f64_of(hundredths: i64) -> f64 {
    i32::try_from(hundredths).map_or(0.0, f64::from) / 100.0
}

/// What to do next.
pub(super) fn step_text(step: &NextStep) -> String {
    match step {
        NextStep::Draw(round) => format!("Draw round {round}."),
        NextStep::Open => "Open the session for log-on.".to_owned(),
        NextStep::Release => "All matches are in. Release the result.".to_owned(),
        NextStep::Missing {
            round,
            tables,
            draw,
        } => {
            let missing = match tables.as_slice() {
                [(table, boards)] => {
                    let boards: Vec<String> = boards.iter().map(ToString::to_string).collect();
                    format!(
                        "Round {round}: table {table} is missing boards {}.",
                        boards.join(", ")
                    )
                }
                _ => format!("Round {round}: {} tables are playing.", tables.len()),
            };
            match draw {
                Some(next) => format!("{missing} Then draw round {next}, or draw it now."),
                None => missing,
            }
        }
    }
}

/// What looks wrong, and where to look.
pub(super) fn finding_text(finding: &MatchFinding) -> String {
    match finding {
        MatchFinding::Strangers(cell) => {
            format!("{cell} was not played by the two sides of this match and does not count.")
        }
        MatchFinding::SameWay(board) => format!(
            "Board {board}: both pairs of a team sat the same way, so there is nothing to compare."
        ),
        MatchFinding::Swing(board, imps) => {
            format!("Look at board {board}: a swing of {} IMPs.", imps.to_f64())
        }
        MatchFinding::Half(table, board) => {
            format!("Only board {board} at table {table} is missing.")
        }
        MatchFinding::OtherSet(cell) => format!("{cell} is a board of another set."),
    }
}

/// What the director decided.
pub(super) fn decision_text(decision: Decision) -> String {
    match decision {
        Decision::Forfeit { by } => format!("forfeit by {by}"),
        Decision::BothForfeit => "forfeit by both".to_owned(),
        Decision::SameDirection => "both pairs sat the same way".to_owned(),
        Decision::Cancelled => "cancelled".to_owned(),
        Decision::Awarded { .. } => "awarded by the director".to_owned(),
    }
}
