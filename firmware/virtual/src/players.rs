//! People at the table, for demonstrations and simulations: they are dealt real cards, bid to a
//! sensible contract, lead a card that they hold and take about as many tricks as they should.
//!
//! Nobody is fooled into thinking that this is good bridge. It is *plausible* bridge: a field of
//! tables agrees on most boards, differs by a trick on many and by a game on some, which is what
//! travellers, rankings and the watchful base need in order to look like a club night.

use std::cmp::Ordering;

use fastrand::Rng;
use protocol::words::{
    BoardResult, Card, Contract, Deal, Doubling, Hand, Level, Played, Rank, Seat, Side, Strain,
    Suit, Tricks,
};

/// Deals the 52 cards.
pub fn deal(rng: &mut Rng) -> Deal {
    let mut pack: Vec<u8> = (0..52).collect();
    rng.shuffle(&mut pack);
    let mut hands = [Hand::EMPTY; 4];
    for (at, card) in pack.into_iter().filter_map(Card::from_index).enumerate() {
        hands[at % 4].insert(card);
    }
    Deal::new(hands).expect("52 different cards, thirteen to each seat")
}

/// What one table makes of a deal.
pub fn play(deal: &Deal, rng: &mut Rng) -> BoardResult {
    let points = |side| high_card_points(deal, side);
    let (ours, theirs) = (points(Side::NorthSouth), points(Side::EastWest));
    // Two balanced halves of the pack are sometimes thrown in.
    if ours.abs_diff(theirs) <= 2 && rng.u8(..12) == 0 {
        return BoardResult::PassedOut;
    }
    let side = match ours.cmp(&theirs) {
        Ordering::Greater => Side::NorthSouth,
        Ordering::Less => Side::EastWest,
        Ordering::Equal => *rng.choice(&Side::BOTH).unwrap_or(&Side::NorthSouth),
    };
    let (strain, fit) = choose_strain(deal, side, rng);
    let expected = expected_tricks(ours.max(theirs), fit, strain);
    let level = choose_level(expected, strain, rng);
    let tricks = (expected + wobble(rng)).clamp(3, 13);
    let down = i16::from(level.tricks_needed()) - tricks;
    let doubling = if down >= 2 && rng.u8(..3) == 0 {
        Doubling::Doubled
    } else {
        Doubling::Undoubled
    };
    let contract = Contract {
        level,
        strain,
        doubling,
        declarer: declarer(deal, side, strain, rng),
    };
    BoardResult::Played(Played {
        contract,
        tricks: u8::try_from(tricks)
            .ok()
            .and_then(Tricks::new)
            .unwrap_or(Tricks::MIN),
        lead: Some(opening_lead(deal.hand(contract.leader()), strain, rng)),
    })
}

/// Four for an ace, three for a king, two for a queen, one for a jack.
fn high_card_points(deal: &Deal, side: Side) -> u8 {
    seats(side)
        .into_iter()
        .flat_map(|seat| {
            Suit::ALL
                .into_iter()
                .flat_map(move |suit| deal.hand(seat).suit(suit))
        })
        .map(|rank| rank.get().saturating_sub(Rank::TEN.get()))
        .sum()
}

const fn seats(side: Side) -> [Seat; 2] {
    match side {
        Side::NorthSouth => [Seat::North, Seat::South],
        Side::EastWest => [Seat::East, Seat::West],
    }
}

fn length(hand: Hand, suit: Suit) -> u8 {
    u8::try_from(hand.suit(suit).count()).unwrap_or(13)
}

/// A major with eight cards, else usually no-trump, else the longest suit; and how many trumps.
fn choose_strain(deal: &Deal, side: Side, rng: &mut Rng) -> (Strain, u8) {
    let [one, other] = seats(side).map(|seat| deal.hand(seat));
    let fit = |suit| length(one, suit) + length(other, suit);
    let major = [Suit::Spades, Suit::Hearts]
        .into_iter()
        .max_by_key(|&suit| fit(suit));
    let longest = Suit::ALL.into_iter().max_by_key(|&suit| fit(suit));
    match (major, longest) {
        (Some(suit), _) if fit(suit) >= 8 && rng.u8(..8) != 0 => (suit.into(), fit(suit)),
        (_, Some(suit)) if fit(suit) >= 9 && rng.bool() => (suit.into(), fit(suit)),
        _ => (Strain::NoTrump, 8),
    }
}

fn expected_tricks(points: u8, trumps: u8, strain: Strain) -> i16 {
    // About three points make a trick above the seven that half the pack takes.
    let strength = (i16::from(points) - 20) * 10 / 27;
    let shape = if strain == Strain::NoTrump {
        0
    } else {
        i16::from(trumps) - 7
    };
    7 + strength + shape
}

/// Players stop low, or go on to the game or slam that their cards seem to be worth.
fn choose_level(expected: i16, strain: Strain, rng: &mut Rng) -> Level {
    let game = match strain {
        Strain::NoTrump => 3,
        Strain::Hearts | Strain::Spades => 4,
        Strain::Clubs | Strain::Diamonds => 5,
    };
    let hoped = expected - 6 + i16::from(rng.u8(..6) == 0);
    let bid = match hoped {
        7.. => 7,
        6 => 6,
        hoped if hoped >= game => game,
        hoped if hoped == game - 1 && rng.bool() => game,
        hoped => (hoped - i16::from(rng.u8(..3) == 0)).max(1),
    };
    u8::try_from(bid)
        .ok()
        .and_then(Level::new)
        .unwrap_or(Level::MIN)
}

fn wobble(rng: &mut Rng) -> i16 {
    match rng.u8(..10) {
        0 => -2,
        1..=2 => -1,
        8..=9 => 1,
        _ => 0,
    }
}

/// Whoever of the side is longer in the strain, most of the time.
fn declarer(deal: &Deal, side: Side, strain: Strain, rng: &mut Rng) -> Seat {
    let [one, other] = seats(side);
    let longer = match strain.trumps() {
        Some(suit) if length(deal.hand(one), suit) >= length(deal.hand(other), suit) => one,
        Some(_) => other,
        None => *rng.choice(&[one, other]).unwrap_or(&one),
    };
    if rng.u8(..8) == 0 {
        longer.partner()
    } else {
        longer
    }
}

/// The top of a sequence, or the fourth highest of the longest suit that is not trumps.
fn opening_lead(hand: Hand, strain: Strain, rng: &mut Rng) -> Card {
    let suit = Suit::ALL
        .into_iter()
        .filter(|&suit| Some(suit) != strain.trumps() && length(hand, suit) > 0)
        .max_by_key(|&suit| (length(hand, suit), rng.u8(..4)))
        .or(strain.trumps())
        .unwrap_or(Suit::Clubs);
    let ranks: Vec<Rank> = hand.suit(suit).collect();
    let touching = matches!(ranks.as_slice(), [top, next, ..]
        if *top >= Rank::JACK && next.get() + 1 == top.get());
    let rank = if touching {
        ranks.first()
    } else {
        ranks.get(3).or(ranks.last())
    };
    Card {
        suit,
        rank: rank.copied().unwrap_or(Rank::TWO),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_leads_a_card_that_somebody_else_holds() {
        let mut rng = Rng::with_seed(1);
        for _ in 0..2_000 {
            let deal = deal(&mut rng);
            let BoardResult::Played(played) = play(&deal, &mut rng) else {
                continue;
            };
            let lead = played.lead.expect("these players always enter the lead");
            assert_eq!(deal.holder(lead), played.contract.leader());
        }
    }

    #[test]
    fn a_field_mostly_agrees_and_contracts_make_more_often_than_not() {
        let mut rng = Rng::with_seed(2);
        let (mut made, mut all, mut passed) = (0, 0, 0);
        for _ in 0..2_000 {
            match play(&deal(&mut rng), &mut rng) {
                BoardResult::Played(played) => {
                    all += 1;
                    made += u32::from(played.contract.over(played.tricks) >= 0);
                }
                _ => passed += 1,
            }
        }
        assert!(
            (50..85).contains(&(made * 100 / all)),
            "{made} of {all} made"
        );
        assert!((1..100).contains(&passed), "{passed} passed out");
    }
}
