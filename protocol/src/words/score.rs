//! What a contract is worth (Law 77).

use core::fmt;
use core::ops::Neg;

use serde::{Deserialize, Serialize};

use super::{Contract, Doubling, Side, Strain, Tricks, Vulnerability};

/// Points from North-South's view: negative when East-West scored.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Score(pub i16);

impl Neg for Score {
    type Output = Self;

    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// The score of a contract from North-South's view.
pub const fn score_of(contract: Contract, tricks: Tricks, vulnerability: Vulnerability) -> Score {
    let side = contract.declarer.side();
    let points = declarers_score(contract, tricks, vulnerability.of(side));
    Score(match side {
        Side::NorthSouth => points,
        Side::EastWest => -points,
    })
}

const fn declarers_score(contract: Contract, tricks: Tricks, vulnerable: bool) -> i16 {
    let over = contract.over(tricks);
    if over < 0 {
        -undertricks(-over as i16, contract.doubling, vulnerable)
    } else {
        made(contract, over as i16, vulnerable)
    }
}

const fn made(contract: Contract, over: i16, vulnerable: bool) -> i16 {
    let level = contract.level.get() as i16;
    let (each, first_extra) = match contract.strain {
        Strain::Clubs | Strain::Diamonds => (20, 0),
        Strain::Hearts | Strain::Spades => (30, 0),
        Strain::NoTrump => (30, 10),
    };
    // Doubling multiplies what was bid, and pays an "insult" for making it.
    let (times, insult) = match contract.doubling {
        Doubling::Undoubled => (1, 0),
        Doubling::Doubled => (2, 50),
        Doubling::Redoubled => (4, 100),
    };
    let bid = (level * each + first_extra) * times;
    let game = match (bid >= 100, vulnerable) {
        (false, _) => 50,
        (true, false) => 300,
        (true, true) => 500,
    };
    let slam = match (level, vulnerable) {
        (6, false) => 500,
        (6, true) => 750,
        (7, false) => 1000,
        (7, true) => 1500,
        _ => 0,
    };
    let overtrick = match (contract.doubling, vulnerable) {
        (Doubling::Undoubled, _) => each,
        (Doubling::Doubled, false) => 100,
        (Doubling::Doubled, true) | (Doubling::Redoubled, false) => 200,
        (Doubling::Redoubled, true) => 400,
    };
    bid + game + slam + insult + over * overtrick
}

const fn undertricks(down: i16, doubling: Doubling, vulnerable: bool) -> i16 {
    let doubled = match (vulnerable, down) {
        (false, 1) => 100,
        (false, 2) => 300,
        (false, _) => 300 * down - 400,
        (true, _) => 300 * down - 100,
    };
    match (doubling, vulnerable) {
        (Doubling::Undoubled, false) => 50 * down,
        (Doubling::Undoubled, true) => 100 * down,
        (Doubling::Doubled, _) => doubled,
        (Doubling::Redoubled, _) => 2 * doubled,
    }
}
