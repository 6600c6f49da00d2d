//! What a room did wrong with its boards and pairs, and how it puts that right.

use protocol::words::TableNumber;
use telling::{Told, tell};

use crate::checks::Mistake;

/// What the room did wrong.
pub(super) fn happened(
    mistake: Mistake,
    since: u8,
    stand: Option<(TableNumber, TableNumber)>,
) -> Told {
    let belongs = stand.map_or_else(
        || tell!(Doctor::WhereShould),
        |(lower, upper)| {
            tell!(Doctor::BetweenTables {
                table: lower,
                other: upper
            })
        },
    );
    match mistake {
        Mistake::SkipEarly => tell!(Doctor::EastWestSkippedTable),
        Mistake::SkipLate => tell!(Doctor::EastWestShouldSkipped),
        Mistake::SpecialMoveEarly => {
            tell!(Doctor::EastWestMadeSpecial)
        }
        Mistake::SpecialMoveLate => {
            tell!(Doctor::EastWestShouldMade)
        }
        Mistake::EastWestTooFar => tell!(Doctor::EastWestGoneUp),
        Mistake::EastWestStayed => tell!(Doctor::EastWestStayedAt),
        Mistake::EastWestWrongWay => tell!(Doctor::EastWestGoneDown),
        Mistake::RelayTooLow => {
            tell!(Doctor::ByeStandOneTable {
                since,
                place: belongs
            })
        }
        Mistake::RelayTooHigh => {
            tell!(Doctor::ByeStandOneTableToo {
                since,
                place: belongs
            })
        }
        Mistake::FeedInsOutOfOrder => tell!(Doctor::SetsAtHighestTable { since }),
        Mistake::BoardsWrongWay => tell!(Doctor::BoardsGoneUpInstead),
        Mistake::BoardsStayed => tell!(Doctor::BoardsStayedWhereThey),
        Mistake::ShareMissing => {
            tell!(Doctor::HighestTableKeptIts)
        }
    }
}

/// How the room puts its mistake right.
pub(super) fn put_right(mistake: Mistake, stand: Option<(TableNumber, TableNumber)>) -> Told {
    match mistake {
        Mistake::SkipEarly | Mistake::EastWestTooFar => {
            tell!(Doctor::EastWestGoBack)
        }
        Mistake::SkipLate => tell!(Doctor::EastWestGoUp),
        Mistake::EastWestStayed => tell!(Doctor::EastWestGoUpOne),
        Mistake::EastWestWrongWay => tell!(Doctor::EastWestGoUpTwo),
        Mistake::SpecialMoveEarly => {
            tell!(Doctor::EastWestGoBackTheir)
        }
        Mistake::SpecialMoveLate => {
            tell!(Doctor::EastWestGoBackOne)
        }
        Mistake::RelayTooLow => match stand {
            Some((lower, upper)) => tell!(Doctor::TablesExchangeTheirBoards {
                table: lower.get().saturating_sub(1),
                lower,
                upper
            }),
            None => tell!(Doctor::ByeStandGoesUp),
        },
        Mistake::RelayTooHigh => match stand {
            Some((lower, upper)) => tell!(Doctor::TablesExchangeTheirBoardsBye { lower, upper }),
            None => tell!(Doctor::ByeStandGoesDown),
        },
        Mistake::FeedInsOutOfOrder => {
            tell!(Doctor::HighestTablePutsIts)
        }
        Mistake::BoardsWrongWay => tell!(Doctor::AllBoardsGoDown),
        Mistake::BoardsStayed => tell!(Doctor::AllBoardsGoDownOne),
        Mistake::ShareMissing => tell!(Doctor::HighestTableHandsIts),
    }
}
