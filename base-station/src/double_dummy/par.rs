//! Par: the score that both sides reach when each bids as well as the cards and the other side
//! allow. A contract that fails is doubled, one that makes is not.
//!
//! The auction is a game of perfect information: a side that speaks either lets the last bid
//! stand or bids higher. Its value is found from 7NT downwards. The dealer matters where both
//! sides could open the same profitable bid: whoever speaks first gets it.

use protocol::message::{Par, TricksTable};
use protocol::words::{
    Contract, Doubling, Level, Score, Seat, Side, Strain, Tricks, Vulnerability, score_of,
};

/// Bids from 1C to 7NT.
const BIDS: usize = 35;

/// The optimum of a deal with these tricks.
pub fn par(tricks: &TricksTable, dealer: Seat, vulnerability: Vulnerability) -> Par {
    // `best[bid][side]`: where the auction ends once `side` has made this bid.
    let mut best = [[PASSED_OUT; 2]; BIDS];
    for bid in (0..BIDS).rev() {
        for side in Side::BOTH {
            let stands = bid_by(tricks, vulnerability, side, bid);
            let answer = highest(&best, side.other(), bid + 1);
            best[bid][side as usize] = match answer {
                Some(answer) if better(side.other(), answer, stands) => answer,
                _ => stands,
            };
        }
    }
    let mut outcome = PASSED_OUT;
    // The opponents of a side that would rather pass may open; then the dealer's side has
    // another chance with the third hand. Neither gains by waiting.
    for side in [dealer.side(), dealer.side().other()] {
        if let Some(opening) = highest(&best, side, 0)
            && better(side, opening, PASSED_OUT)
        {
            outcome = opening;
            break;
        }
    }
    outcome
}

const PASSED_OUT: Par = Par {
    score: Score(0),
    contract: None,
};

fn better(side: Side, this: Par, than: Par) -> bool {
    match side {
        Side::NorthSouth => this.score > than.score,
        Side::EastWest => this.score < than.score,
    }
}

/// The bid from `lowest` on with the best end for the side; the cheapest of equals.
fn highest(best: &[[Par; 2]; BIDS], side: Side, lowest: usize) -> Option<Par> {
    let mut found: Option<Par> = None;
    for ends in best.iter().skip(lowest) {
        let end = ends[side as usize];
        if found.is_none_or(|found| better(side, end, found)) {
            found = Some(end);
        }
    }
    found
}

/// The bid played by the partner who does better in it.
fn bid_by(tricks: &TricksTable, vulnerability: Vulnerability, side: Side, bid: usize) -> Par {
    let strain = Strain::ALL[bid % Strain::ALL.len()];
    let level = u8::try_from(bid / Strain::ALL.len() + 1)
        .ok()
        .and_then(Level::new)
        .unwrap_or(Level::MAX);
    let taken = |seat| tricks.get(seat, strain).unwrap_or(Tricks::MIN);
    let (first, second) = match side {
        Side::NorthSouth => (Seat::North, Seat::South),
        Side::EastWest => (Seat::East, Seat::West),
    };
    let declarer = if taken(second) > taken(first) {
        second
    } else {
        first
    };
    let made = taken(declarer).get() >= level.tricks_needed();
    let contract = Contract {
        level,
        strain,
        doubling: if made {
            Doubling::Undoubled
        } else {
            Doubling::Doubled
        },
        declarer,
    };
    Par {
        score: score_of(contract, taken(declarer), vulnerability),
        contract: Some(contract),
    }
}
