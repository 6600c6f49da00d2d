//! The opening lead must be the leader's card. If it is not, its holder tells what went wrong.
//!
//! A card of the leader's partner means that the partner of the declarer entered really
//! declared; a card of declarer or dummy means that the other side did; or the card itself was
//! typed wrongly. Which of them is likelier follows from the tricks, the trumps and the field.

use protocol::words::{BoardNumber, Card, Contract, Played, Rank, Seat, Suit};

use super::finding::{Confidence, Finding, Remedy};
use super::plausible::{Field, Judge};
use super::room::{LineId, Room};
use super::what::What;

/// The evidence against a wrong declarer must be this strong before the lead is blamed first:
/// a wrong declarer changes scores, a wrong lead changes none. Partners are confused most often,
/// and the cards tell least about them.
const PARTNER_FIRST: f64 = 4.0;

/// The same where the other side would have declared.
const OPPONENT_FIRST: f64 = 1.0;

/// Cards that a slip of the finger turns into others, at most this many are offered.
const SLIPS_MAX: usize = 2;

/// The finding about the lead, if it is not the leader's card.
pub(super) fn check(room: &Room, id: LineId, played: Played, judge: &Judge) -> Option<Finding> {
    let dealt = judge.dealt?;
    let lead = played.lead?;
    let contract = played.contract;
    let leader = contract.leader();
    if dealt.deal.hand(leader).holds(lead) {
        return None;
    }
    let holder = dealt.deal.holder(lead);
    let suspect = Contract {
        declarer: holder.right(),
        ..contract
    };
    let gain =
        judge.plausibility(suspect, played.tricks) - judge.plausibility(contract, played.tricks);
    let slips = slips(judge, leader, lead);
    let declarer_odds = gain
        + if suspect.declarer == contract.declarer.partner() {
            PARTNER_FIRST
        } else {
            OPPONENT_FIRST
        };
    let declarer_first = declarer_odds > 0.0;
    let change_declarer = Remedy::ChangeDeclarer {
        declarer: suspect.declarer,
    };
    let mut remedies = Vec::new();
    if declarer_first {
        remedies.push(change_declarer.clone());
    }
    if let Some(board) = other_board(room, id, played, judge) {
        remedies.push(Remedy::ExchangeBoards { with: board });
    }
    remedies.extend(slips.iter().map(|&lead| Remedy::ChangeLead { lead }));
    remedies.push(Remedy::LeaveLeadEmpty);
    if !declarer_first {
        remedies.push(change_declarer);
    }
    remedies.push(Remedy::ItIsRight);
    Some(Finding::line(
        room,
        id,
        What::LeadNotHeld {
            lead,
            contract,
            holder,
            declarer_first,
        },
        Confidence::from_log_odds(declarer_odds.abs()),
        remedies,
    ))
}

/// Cards of the leader that differ from the entered one by one key: another suit, or a
/// neighbouring rank.
fn slips(judge: &Judge, leader: Seat, lead: Card) -> Vec<Card> {
    let near_rank = [-1i8, 1].into_iter().filter_map(|step| {
        let rank = Rank::new(lead.rank.get().checked_add_signed(step)?)?;
        Some(Card { rank, ..lead })
    });
    let other_suit = Suit::ALL.into_iter().map(|suit| Card { suit, ..lead });
    near_rank
        .chain(other_suit)
        .filter(|card| {
            judge
                .dealt
                .is_some_and(|dealt| dealt.deal.hand(leader).holds(*card))
        })
        .take(SLIPS_MAX)
        .collect()
}

/// Another board of this round on which everything would be right.
fn other_board(room: &Room, id: LineId, played: Played, judge: &Judge) -> Option<BoardNumber> {
    /// Everything fits there this much better, besides the lead.
    const BETTER_BY: f64 = 2.0;
    let here = judge.plausibility(played.contract, played.tricks);
    let boards = &room.seating(id.table, id.round)?.boards;
    boards.iter().find(|&board| {
        let dealt = room.dealt(board);
        let holds =
            |card| dealt.is_some_and(|dealt| dealt.deal.hand(played.contract.leader()).holds(card));
        let there = Judge {
            dealt,
            field: Field::of(room, board),
        };
        board != id.board
            && played.lead.is_some_and(holds)
            && there.plausibility(played.contract, played.tricks) > here + BETTER_BY
    })
}
