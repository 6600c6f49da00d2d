//! The DDS engine behind our own words.

use contract_bridge::{
    Builder, Card as TheirCard, FullDeal, Rank as TheirRank, Seat as TheirSeat,
    Strain as TheirStrain, Suit as TheirSuit,
};
use protocol::message::TricksTable;
use protocol::words::{Deal, Seat, Strain, Suit, Tricks};

use super::Engine;

/// One solver, which keeps its memory from deal to deal.
#[derive(Default)]
pub(super) struct Dds {
    solver: dds_bridge::Solver,
}

impl Engine for Dds {
    fn tricks(&mut self, deal: &Deal) -> TricksTable {
        let found = self.solver.solve_deal(their_deal(deal));
        TricksTable::from_fn(|declarer, strain| {
            let taken = found[their_strain(strain)].get(their_seat(declarer));
            Tricks::new(u8::from(taken)).unwrap_or(Tricks::MIN)
        })
    }
}

fn their_deal(deal: &Deal) -> FullDeal {
    let mut builder = Builder::new();
    for seat in Seat::ALL {
        for suit in Suit::ALL {
            for rank in deal.hand(seat).suit(suit) {
                builder[their_seat(seat)].insert(TheirCard {
                    suit: their_suit(suit),
                    rank: TheirRank::new(rank.get()),
                });
            }
        }
    }
    builder
        .build_full()
        .expect("a deal of ours has thirteen different cards in each hand")
}

const fn their_seat(seat: Seat) -> TheirSeat {
    match seat {
        Seat::North => TheirSeat::North,
        Seat::East => TheirSeat::East,
        Seat::South => TheirSeat::South,
        Seat::West => TheirSeat::West,
    }
}

const fn their_suit(suit: Suit) -> TheirSuit {
    match suit {
        Suit::Clubs => TheirSuit::Clubs,
        Suit::Diamonds => TheirSuit::Diamonds,
        Suit::Hearts => TheirSuit::Hearts,
        Suit::Spades => TheirSuit::Spades,
    }
}

const fn their_strain(strain: Strain) -> TheirStrain {
    match strain {
        Strain::Clubs => TheirStrain::Clubs,
        Strain::Diamonds => TheirStrain::Diamonds,
        Strain::Hearts => TheirStrain::Hearts,
        Strain::Spades => TheirStrain::Spades,
        Strain::NoTrump => TheirStrain::Notrump,
    }
}

/// What the engine takes on one core when nothing of ours but the cards is involved.
#[cfg(test)]
pub(super) fn seconds_a_deal_without_us(deals: &[Deal]) -> f64 {
    let deals: Vec<FullDeal> = deals.iter().map(their_deal).collect();
    let mut solver = dds_bridge::Solver::default();
    let started = std::time::Instant::now();
    for deal in &deals {
        std::hint::black_box(solver.solve_deal(*deal));
    }
    started.elapsed().as_secs_f64() / f64::from(u32::try_from(deals.len()).unwrap_or(u32::MAX))
}
