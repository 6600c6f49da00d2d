//! What was expected of a text or a number, as messages.

use protocol::words::Refusal;

use crate::{Told, tell};

/// The words of the game refuse what is none of them with one of these, without any part. A
/// refusal that is not here (a pad's own, about its program) stays as it is.
impl From<Refusal> for Told {
    fn from(refusal: Refusal) -> Self {
        let known = [
            tell!(Game::ExpectedBoardNumber),
            tell!(Game::ExpectedCard),
            tell!(Game::ExpectedContract),
            tell!(Game::ExpectedDirection),
            tell!(Game::ExpectedLevel),
            tell!(Game::ExpectedTricks),
            tell!(Game::ExpectedPad),
            tell!(Game::ExpectedPairNumber),
            tell!(Game::ExpectedPercentage),
            tell!(Game::ExpectedPlayerNumber),
            tell!(Game::ExpectedResult),
            tell!(Game::ExpectedRound),
            tell!(Game::ExpectedSeat),
            tell!(Game::ExpectedSection),
            tell!(Game::ExpectedSession),
            tell!(Game::ExpectedTable),
            tell!(Game::ExpectedVulnerability),
            tell!(Game::ExpectedSectionLetterTable),
            tell!(Game::ExpectedPairSuchAs),
            tell!(Game::ResultWouldNeedFewer),
        ];
        let same = known.into_iter().find(|told| *told == *refusal.0);
        same.unwrap_or_else(|| Self::as_written(refusal.0))
    }
}
