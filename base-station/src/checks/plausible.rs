//! How likely a contract and its tricks are on a board, from the cards and from the field.
//!
//! All numbers are natural logarithms of shares, so that evidence adds up. They were set after
//! the results of a real club evening (295 contracts: half of them take exactly the double-dummy
//! tricks, all but three are within two), with longer tails because many clubs play less well.

use protocol::words::{
    BoardNumber, BoardResult, Card, Contract, Doubling, Seat, Side, Strain, Suit, Tricks,
};

use super::room::Room;
use crate::deals::DealtBoard;

/// What the other tables did with a board, in counts.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Field {
    /// By declarer and strain.
    declared: [[u16; 5]; 4],
    /// Sum of tricks by side and strain.
    tricks: [[u16; 5]; 2],
    /// Contracts that were doubled and failed, by side, strain and level.
    doubled_down: [[[u8; 7]; 5]; 2],
    /// All contracts.
    pub(super) played: u16,
    /// Boards passed out.
    pub(super) passed_out: u16,
}

impl Field {
    /// Everybody who has played the board so far.
    pub(super) fn of(room: &Room, board: BoardNumber) -> Self {
        let mut field = Self::default();
        for (_, line) in room.traveller(board) {
            field.count(line.result, |count, by| *count += by);
        }
        field
    }

    /// The field as one of its tables sees it: everybody else.
    pub(super) fn without(mut self, own: BoardResult) -> Self {
        self.count(own, |count, by| *count = count.saturating_sub(by));
        self
    }

    fn count(&mut self, result: BoardResult, mut change: impl FnMut(&mut u16, u16)) {
        match result {
            BoardResult::Played(played) => {
                let contract = played.contract;
                let seat = usize::from(contract.declarer.index());
                let side = contract.declarer.side() as usize;
                let strain = contract.strain as usize;
                change(&mut self.declared[seat][strain], 1);
                change(&mut self.tricks[side][strain], played.tricks.get().into());
                if contract.doubling != Doubling::Undoubled && contract.over(played.tricks) < 0 {
                    let level = usize::from(contract.level.get()) - 1;
                    let count = &mut self.doubled_down[side][strain][level];
                    let mut wide = u16::from(*count);
                    change(&mut wide, 1);
                    *count = u8::try_from(wide).unwrap_or(u8::MAX);
                }
                change(&mut self.played, 1);
            }
            BoardResult::PassedOut => change(&mut self.passed_out, 1),
            BoardResult::NotPlayed | BoardResult::SitOut | BoardResult::Adjusted { .. } => {}
        }
    }

    pub(super) fn by_seat(&self, seat: Seat, strain: Strain) -> u16 {
        self.declared[usize::from(seat.index())][strain as usize]
    }

    pub(super) fn by_side(&self, side: Side, strain: Strain) -> u16 {
        let [first, second] = seats(side);
        self.by_seat(first, strain) + self.by_seat(second, strain)
    }

    /// Tables at which this contract, or a lower one in the same strain by the same side, was
    /// doubled and failed.
    pub(super) fn doubled_down(&self, contract: Contract) -> u16 {
        let side = contract.declarer.side() as usize;
        let levels = &self.doubled_down[side][contract.strain as usize];
        let up_to = usize::from(contract.level.get());
        levels
            .iter()
            .take(up_to)
            .map(|count| u16::from(*count))
            .sum()
    }

    fn mean_tricks(&self, side: Side, strain: Strain) -> Option<f64> {
        /// Fewer say nothing about a usual number of tricks.
        const TABLES_MIN: u16 = 3;
        let tables = self.by_side(side, strain);
        (tables >= TABLES_MIN)
            .then(|| f64::from(self.tricks[side as usize][strain as usize]) / f64::from(tables))
    }
}

pub(super) const fn seats(side: Side) -> [Seat; 2] {
    match side {
        Side::NorthSouth => [Seat::North, Seat::South],
        Side::EastWest => [Seat::East, Seat::West],
    }
}

/// Judges results of one board for one table.
#[derive(Clone, Copy)]
pub(super) struct Judge<'a> {
    /// The cards, where they are known.
    pub(super) dealt: Option<&'a DealtBoard>,
    /// The other tables.
    pub(super) field: Field,
}

impl Judge<'_> {
    /// The logarithm of how likely this result is, up to a constant of the board.
    pub(super) fn plausibility(&self, contract: Contract, tricks: Tricks) -> f64 {
        let from_cards = self.dealt.map_or(0.0, |dealt| {
            trump_fit(dealt, contract) + declarer_fit(dealt, contract)
        });
        let from_tricks = self.expected_tricks(contract).map_or(0.0, |expected| {
            tricks_fit(f64::from(tricks.get()) - expected)
                + bid_fit(
                    f64::from(contract.level.tricks_needed()) - expected,
                    contract.doubling,
                )
        });
        from_cards + from_tricks + self.field_fit(contract)
    }

    /// The same with the lead: it must be the leader's card.
    pub(super) fn plausibility_with_lead(
        &self,
        contract: Contract,
        tricks: Tricks,
        lead: Option<Card>,
    ) -> f64 {
        /// One lead in fifty is typed wrongly.
        const LEAD_WRONG: f64 = -3.9;
        let held = |lead| {
            self.dealt
                .is_none_or(|dealt| dealt.deal.hand(contract.leader()).holds(lead))
        };
        let lead_fit = match lead {
            Some(lead) if !held(lead) => LEAD_WRONG,
            _ => 0.0,
        };
        self.plausibility(contract, tricks) + lead_fit
    }

    /// Double-dummy tricks, or else what the field takes.
    pub(super) fn expected_tricks(&self, contract: Contract) -> Option<f64> {
        let double_dummy = self
            .dealt
            .and_then(|dealt| dealt.tricks?.get(contract.declarer, contract.strain));
        match double_dummy {
            Some(tricks) => Some(f64::from(tricks.get())),
            None => self
                .field
                .mean_tricks(contract.declarer.side(), contract.strain),
        }
    }

    fn field_fit(&self, contract: Contract) -> f64 {
        let side = self
            .field
            .by_side(contract.declarer.side(), contract.strain);
        let seat = self.field.by_seat(contract.declarer, contract.strain);
        // The constants stand for what a field of nobody would do: any of ten contracts (five
        // strains, two sides), either partner.
        let of_field = (f64::from(side) + 0.5) / (f64::from(self.field.played) + 5.0);
        let of_side = (f64::from(seat) + 1.0) / (f64::from(side) + 2.0);
        of_field.ln() + of_side.ln()
    }
}

/// Tricks above or below what was expected.
fn tricks_fit(away: f64) -> f64 {
    /// Each further trick is a fifth as likely.
    const EACH_FURTHER: f64 = -1.6;
    let away = away.abs();
    match away {
        ..0.5 => -0.75,
        0.5..1.5 => -1.65,
        1.5..2.5 => -3.1,
        _ => -3.1 + (away - 2.0) * EACH_FURTHER,
    }
}

/// How far a contract is above the tricks that the side can take.
fn bid_fit(too_high: f64, doubling: Doubling) -> f64 {
    let each = match doubling {
        Doubling::Undoubled => 0.9,
        // What is doubled was bid to go down.
        Doubling::Doubled | Doubling::Redoubled => 0.5,
    };
    if too_high > 1.0 {
        -(too_high - 1.0) * each
    } else if too_high < -2.0 {
        (too_high + 2.0) * 0.9
    } else {
        0.0
    }
}

/// Nobody plays in a suit that the side does not hold.
fn trump_fit(dealt: &DealtBoard, contract: Contract) -> f64 {
    match trumps(dealt, contract) {
        None | Some(8..) => 0.0,
        Some(7) => -0.9,
        Some(6) => -2.3,
        Some(5) => -4.5,
        Some(_) => -7.0,
    }
}

/// The trumps of declarer and dummy; `None` in no trump.
pub(super) fn trumps(dealt: &DealtBoard, contract: Contract) -> Option<usize> {
    let suit = contract.strain.trumps()?;
    let [first, second] = seats(contract.declarer.side());
    Some(length(dealt, first, suit) + length(dealt, second, suit))
}

/// The partner with more trumps usually bid them first.
fn declarer_fit(dealt: &DealtBoard, contract: Contract) -> f64 {
    let Some(suit) = contract.strain.trumps() else {
        return 0.0;
    };
    let own = length(dealt, contract.declarer, suit);
    let dummys = length(dealt, contract.declarer.partner(), suit);
    match dummys.saturating_sub(own) {
        0 => 0.0,
        1 => -0.6,
        _ => -1.2,
    }
}

fn length(dealt: &DealtBoard, seat: Seat, suit: Suit) -> usize {
    dealt.deal.hand(seat).suit(suit).count()
}
