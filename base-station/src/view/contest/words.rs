//! What the page says about matches.

use protocol::words::RoundNumber;
use telling::{Told, tell};

use crate::contest::irregular::Decision;
use crate::session::NextStep;

/// Hundredths as a number.
pub(super) fn f64_of(hundredths: i64) -> f64 {
    i32::try_from(hundredths).map_or(0.0, f64::from) / 100.0
}

/// What to do next, in rounds of the event: so many were played before tonight.
pub(super) fn step_text(step: &NextStep, before: u8) -> Told {
    let of_event = |round: RoundNumber| u16::from(before) + u16::from(round.get());
    match step {
        NextStep::Draw(round) => tell!(Contest::DrawRound {
            round: of_event(*round)
        }),
        NextStep::Open => tell!(Contest::OpenSessionLog),
        NextStep::PlayOff(boards) => tell!(Contest::StepPlayOff { n: boards }),
        NextStep::Lot => tell!(Contest::StepLot),
        NextStep::Release => tell!(Contest::AllMatchesReleaseResult),
        NextStep::Missing {
            round,
            tables,
            draw,
        } => {
            let (round, draw) = (of_event(*round), draw.map(of_event));
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
