//! "Not played" and "passed out" lie next to each other on the pad and are two different things.

use protocol::words::{Rank, Seat, Suit};

use super::finding::{Confidence, Finding, Remedy};
use super::plausible::Judge;
use super::room::{LineId, Room};
use super::what::{PassedBecause, What};
use crate::deals::DealtBoard;

/// High cards and the two longest suits together: below this, boards are passed out now and
/// then. (The two of the real evening had 20 and 22.)
const OPENS_FROM: u32 = 22;

/// From here on everybody opens.
const SURELY_OPENS_FROM: u32 = 23;

/// A board that was left out although there was time for the next one is more likely passed
/// out even with a good hand about.
const OPENS_WITH_TIME_FROM: u32 = 25;

/// "Not played" on a board that was probably passed out.
pub(super) fn not_played(room: &Room, id: LineId, judge: &Judge) -> Option<Finding> {
    let passed_elsewhere = judge.field.passed_out;
    let strongest = judge.dealt.map(strongest);
    let nobody_opens = strongest.is_some_and(|(_, strength)| strength < OPENS_FROM);
    let played_on = later_boards_entered(room, id);
    let (confidence, why) = if passed_elsewhere > 0 {
        (85, PassedBecause::Elsewhere(passed_elsewhere))
    } else if nobody_opens {
        (65, PassedBecause::NobodyOpens)
    } else if played_on && strongest.is_some_and(|(_, strength)| strength < OPENS_WITH_TIME_FROM) {
        (50, PassedBecause::TimeForMore)
    } else {
        return None;
    };
    Some(Finding::line(
        room,
        id,
        What::NotPlayedWasPassedOut(why),
        Confidence::percent(confidence),
        vec![
            Remedy::PassedOut,
            Remedy::Visit { table: id.table },
            Remedy::ItIsRight,
        ],
    ))
}

/// "Passed out" on a board that somebody must have opened.
pub(super) fn passed_out(room: &Room, id: LineId, judge: &Judge) -> Option<Finding> {
    let (seat, strength) = strongest(judge.dealt?);
    if strength < SURELY_OPENS_FROM || judge.field.passed_out > 0 {
        return None;
    }
    Some(Finding::line(
        room,
        id,
        What::PassedOutWasNotPlayed { opener: seat },
        Confidence::percent(80),
        vec![
            Remedy::NotPlayed,
            Remedy::Visit { table: id.table },
            Remedy::ItIsRight,
        ],
    ))
}

fn later_boards_entered(room: &Room, id: LineId) -> bool {
    let Some(seating) = room.seating(id.table, id.round) else {
        return false;
    };
    let seen = room.boards_seen(id.table, id.round);
    seating
        .boards
        .iter()
        .skip_while(|board| *board != id.board)
        .skip(1)
        .any(|board| seen.contains(&board))
}

/// The player with the best opening, and how good it is.
fn strongest(dealt: &DealtBoard) -> (Seat, u32) {
    Seat::ALL
        .into_iter()
        .map(|seat| (seat, opening_strength(dealt, seat)))
        .max_by_key(|(_, strength)| *strength)
        .unwrap_or((Seat::North, 0))
}

fn opening_strength(dealt: &DealtBoard, seat: Seat) -> u32 {
    let hand = dealt.deal.hand(seat);
    let mut points = 0;
    let mut lengths = [0u32; 4];
    for suit in Suit::ALL {
        for rank in hand.suit(suit) {
            points += u32::from(rank.get().saturating_sub(Rank::TEN.get()));
            lengths[suit as usize] += 1;
        }
    }
    lengths.sort_unstable();
    points + lengths[3] + lengths[2]
}
