//! A score whose sign stands alone on its board: no cards are needed to see that.
//!
//! A sign alone is no mistake by itself. On the real evening three scores of 295 stood alone at
//! the end, and all were right: a slam that failed, a game that went down, a part score that the
//! other side was let play. So a contract is doubted only if the other side made the same trumps
//! its own everywhere else; a score that was typed without its contract, always.

use std::cmp::Ordering;

use protocol::words::{BoardResult, Played, Score, Seat};

use super::finding::{Confidence, Finding, Remedy};
use super::plausible::{Field, seats};
use super::room::{Line, LineId, Room};
use super::what::What;

/// Other tables that must agree before one stands alone.
const OTHERS_MIN: usize = 4;

pub(super) fn check(room: &Room, id: LineId, line: &Line, field: &Field) -> Option<Finding> {
    let own = score(id, line).filter(|score| score.0 != 0)?;
    let mut others = 0;
    for (other, its) in room.traveller(id.board).filter(|(other, _)| *other != id) {
        match score(other, its).map(|its| its.0.cmp(&0)) {
            Some(Ordering::Equal) | None => {}
            Some(sign) if sign == own.0.cmp(&0) => return None,
            Some(_) => others += 1,
        }
    }
    if others < OTHERS_MIN {
        return None;
    }
    let suspect = match line.result {
        BoardResult::Played(played) => Some(declarer_elsewhere(played, field)?),
        _ => None,
    };
    let put_right = suspect.map(|declarer| Remedy::ChangeDeclarer { declarer });
    let rest = [Remedy::Visit { table: id.table }, Remedy::ItIsRight];
    let what = What::SignAlone {
        score: own,
        others,
        declarer_elsewhere: suspect,
    };
    let remedies = put_right.into_iter().chain(rest).collect();
    let confidence = Confidence::percent(80);
    Some(Finding::line(room, id, what, confidence, remedies))
}

fn score(id: LineId, line: &Line) -> Option<Score> {
    line.result.score(id.board).or(line.stated)
}

/// The player of the other side who declared in the same trumps at most of the other tables,
/// where nobody of this side did.
fn declarer_elsewhere(played: Played, field: &Field) -> Option<Seat> {
    let (strain, side) = (played.contract.strain, played.contract.declarer.side());
    let [first, second] = seats(played.contract.declarer.left().side());
    let usual = [first, second]
        .into_iter()
        .max_by_key(|seat| field.by_seat(*seat, strain))?;
    let there = field.by_side(usual.side(), strain);
    (field.by_side(side, strain) == 0 && there * 2 >= field.played).then_some(usual)
}
