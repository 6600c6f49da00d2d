//! The watchful base: it knows the movement, the deals, the field and the clock, and says what
//! went wrong and what to do.
//!
//! Everything here is pure: a [`Room`] goes in, [`Finding`]s come out. [`Watch`] keeps them over
//! an evening. Nothing ever stops a player; each check can be on, quiet or off.
//!
//! # What can't be seen
//! With pair confirmation off ([`PairCheck::Off`](protocol::message::PairCheck)), the base hears
//! only of boards. Then these leave no trace: East-West at the wrong table
//! ([`Kind::EastWestElsewhere`]), a missed arrow switch ([`Kind::ArrowSwitchMissed`]), and every
//! mistake of the room that moves pairs and not boards: skip early or late, special move early
//! or late, East-West too far, staying or going the wrong way.
//! Swapped pads are then seen only if the players ask
//! for the boards that lie on their table; if they enter results under the numbers that the pad
//! proposes, only leads and contracts that don't fit the cards tell.
//!
//! Whatever the settings, a double that was forgotten on a contract that made or went one or two
//! down is a result like any other.

mod belonging;
mod clock;
mod contract;
pub mod doctor;
mod exchanged;
mod finding;
mod lead;
mod opponents;
mod plausible;
mod possible;
mod repeats;
mod room;
mod seating;
mod settings;
mod sign;
mod unplayed;
mod watch;
mod what;
mod written;

#[cfg(test)]
mod tests;

use protocol::words::{BoardNumber, BoardResult, RoundNumber};

pub use doctor::{Diagnosis, Mistake};
pub use finding::{Confidence, Finding, FindingId, Kind, Remedy};
pub use possible::scores as possible_scores;
pub use room::{Line, LineId, Moment, PairsSeen, Room};
pub use settings::{Attention, CheckSettings};
pub use watch::Watch;
pub use what::{PassedBecause, What};
pub use written::{WrittenFault, judge_contract, judge_score};

use plausible::{Field, Judge};

/// Every result of a board: a new result can make an old one look odd, or explain it.
pub fn check_board(room: &Room, board: BoardNumber) -> Vec<Finding> {
    let field = Field::of(room, board);
    let dealt = room.dealt(board);
    let mut findings: Vec<Finding> = room
        .traveller(board)
        .flat_map(|(id, line)| {
            let judge = Judge {
                dealt,
                field: field.without(line.result),
            };
            check_line(room, id, line, &judge)
        })
        .collect();
    findings.extend(repeats::check(room, board));
    findings
}

fn check_line(room: &Room, id: LineId, line: &Line, judge: &Judge) -> Vec<Finding> {
    let of_result = match line.result {
        BoardResult::Played(played) => lead::check(room, id, played, judge)
            .or_else(|| contract::check(room, id, played, judge))
            .or_else(|| sign::check(room, id, line, &judge.field)),
        BoardResult::NotPlayed => unplayed::not_played(room, id, judge),
        BoardResult::PassedOut => unplayed::passed_out(room, id, judge),
        BoardResult::SitOut | BoardResult::Adjusted { .. } => {
            sign::check(room, id, line, &judge.field)
        }
    };
    of_result
        .into_iter()
        .chain(written::check(room, id, line))
        .chain(opponents::check(room, id, line))
        .collect()
}

/// Boards and pairs that are not where they should be in a round.
pub fn check_round(room: &Room, round: RoundNumber) -> Vec<Finding> {
    seating::check(room, round)
}
