//! What the page says about matches.

use telling::{Told, tell};

use crate::contest::irregular::Decision;
use crate::session::NextStep;

/// Hundredths as a number.
pub(super) fn f64_of(hundredths: i64) -> f64 {
    i32::try_from(hundredths).map_or(0.0, f64::from) / 100.0
}

/// What to do next.
pub(super) fn step_text(step: &NextStep) -> Told {
    match step {
        NextStep::Draw(round) => tell!(Contest::DrawRound { round }),
        NextStep::Open => tell!(Contest::OpenSessionLog),
        NextStep::PlayOff(boards) => tell!(Contest::StepPlayOff { n: boards }),
        NextStep::Lot => tell!(Contest::StepLot),
        NextStep::Release => tell!(Contest::AllMatchesReleaseResult),
        NextStep::Missing {
            round,
            tables,
            draw,
        } => {
            let missing = match tables.as_slice() {
                [(table, boards)] => tell!(Contest::RoundTableMissingBoards {
                    round,
                    table,
                    boards
                }),
                _ => tell!(Contest::RoundTablesPlaying {
                    round,
                    n: tables.len()
                }),
            };
            let then = draw.map(|round| tell!(Contest::ThenDrawRoundNow { round }));
            Told::sentences([missing].into_iter().chain(then))
        }
    }
}

/// What the director decided.
pub(super) fn decision_text(decision: Decision) -> Told {
    match decision {
        Decision::Forfeit { by } => tell!(Contest::ForfeitBy { who: by.get() }),
        Decision::BothForfeit => tell!(Contest::ForfeitByBoth),
        Decision::SameDirection => tell!(Contest::BothPairsSatSame),
        Decision::Cancelled => tell!(Contest::Cancelled),
        Decision::Awarded { .. } => tell!(Contest::AwardedByDirector),
        Decision::BoardsIn => tell!(Contest::BoardsInCount),
        Decision::Mismatch { .. } => tell!(Contest::OthersMet),
    }
}
