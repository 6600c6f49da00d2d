//! What packages of their own say, as messages of the catalogue.
//!
//! `contest`, `movement` and `scoring` know no languages: what they refuse or report is a value,
//! and each value has its message here. The compiler names a value that has none.

mod movement;
mod room;

use contest::draw::{PassedOver, Reason, Why};
use telling::{Told, tell};

use super::Refused;
use crate::contest::points::Apart;
use crate::contest::standing::DecidedBy;
use crate::scoring::regulations::Criterion;
use crate::scoring::{Columns, VpError};

pub(super) use movement::of_outcome;
pub use movement::{of_movement_file, of_refused_movement};
pub(super) use room::of_announcement;
pub use room::{of_instruction, of_reason_of_movement};

impl From<contest::Refused> for Refused {
    fn from(refused: contest::Refused) -> Self {
        Self(of_draw(refused))
    }
}

impl From<crate::movement::Refused> for Refused {
    fn from(refused: crate::movement::Refused) -> Self {
        Self(of_refused_movement(&refused))
    }
}

/// Why a round can't be drawn so.
fn of_draw(refused: contest::Refused) -> Told {
    use contest::Refused as No;
    match refused {
        No::OddField { size } => tell!(Contest::DrawOddNumber { n: size }),
        No::MayNotMeet { one, other } => tell!(Contest::DrawMayNotMeet { one, other }),
        No::SeededStartOver => tell!(Contest::DrawSeededStartOver),
        No::TooFewForSeededStart { size } => tell!(Contest::DrawSeededTooFew { n: size }),
        No::TriangleNeedsThree => tell!(Contest::DrawTriangleThree),
        No::ScoresTooFarApart => tell!(Contest::DrawScoresApart),
        No::TooFew => tell!(Contest::DrawTooFew),
        No::TooMany { most } => tell!(Contest::DrawTooMany { most }),
        No::Twice { contestant } => tell!(Contest::DrawTwice { contestant }),
        No::MeetsItself { contestant } => tell!(Contest::DrawMeetsItself { contestant }),
        No::NoSuchContestant { contestant } => tell!(Contest::ThereNoContestant { contestant }),
        No::TwoMatches { contestant } => tell!(Contest::DrawTwoMatches { contestant }),
        No::LeftOut { contestant } => tell!(Contest::DrawLeftOut { contestant }),
    }
}

/// What had to give way in a draw.
pub fn of_reason_of_draw(reason: &Reason) -> Told {
    match reason {
        Reason::MeetAgain { higher, lower } => tell!(Contest::MeetAgain {
            who: higher,
            other: lower
        }),
        Reason::PassedOver {
            higher,
            lower,
            others,
        } => {
            let others: Vec<Told> = others.iter().copied().map(of_passed_over).collect();
            tell!(Contest::MeetsNot {
                who: higher,
                other: lower,
                others
            })
        }
        Reason::Bye(who) => tell!(Contest::Bye { who }),
        Reason::Triangle([one, two, three]) => tell!(Contest::Triangle { one, two, three }),
    }
}

fn of_passed_over(passed: PassedOver) -> Told {
    let why = match passed.why {
        Why::Met { round } => tell!(Contest::WhyMet { round }),
        Why::Forbidden => tell!(Contest::WhyForbidden),
        Why::OneClub => tell!(Contest::WhyOneClub),
        Why::BothStationary => tell!(Contest::WhyNeitherMoves),
        Why::NotDrawn => tell!(Contest::WhyNotDrawn),
        Why::ForTheOthers => tell!(Contest::WhyForOthers),
    };
    tell!(Contest::PassedOver {
        who: passed.contestant,
        why
    })
}

/// What tied contestants are compared by.
pub fn of_criterion(criterion: Criterion) -> Told {
    match criterion {
        Criterion::Vp => tell!(Contest::Vps),
        Criterion::VpWithoutFines => tell!(Contest::VpsWithoutPenalties),
        Criterion::VpWithoutCarryOver => tell!(Contest::VpsWithoutCarryOver),
        Criterion::OpponentsVp => tell!(Contest::OpponentsVps),
        Criterion::SwissPoints => tell!(Contest::SwissPoints),
        Criterion::OpponentsImps => tell!(Contest::OpponentsImps),
        Criterion::MatchesWon => tell!(Contest::MatchesWon),
        Criterion::WinsAndDraws => tell!(Contest::WinsAndDraws),
        Criterion::WinsInVp => tell!(Contest::WinsVps),
        Criterion::NetImps => tell!(Contest::NetImps),
        Criterion::ImpQuotient => tell!(Contest::ImpQuotient),
        Criterion::HeadToHead => tell!(Contest::ImpsBetweenThem),
    }
}

/// What separates two who have equal victory points.
pub fn of_decided_by(by: DecidedBy) -> Told {
    match by {
        DecidedBy::Figure(criterion) => of_criterion(criterion),
        DecidedBy::Lot => tell!(Contest::ByLot),
        DecidedBy::PlayOff => tell!(Contest::ByPlayOff),
        DecidedBy::OwnBoards => tell!(Contest::ByOwnBoards),
        DecidedBy::Rescored => tell!(Contest::ByBoardsWon),
    }
}

/// What separates two pairs that have as many points for places.
pub fn of_apart(apart: Apart) -> Told {
    match apart {
        Apart::Places(place) => tell!(Contest::PlacesOften { place }),
        Apart::ButlerTwice => tell!(Contest::ButlerTwice),
        Apart::Lot => tell!(Contest::ByLot),
    }
}

/// What a scale of victory points can't do.
pub(super) fn of_scale(fault: VpError) -> Told {
    match fault {
        VpError::NeedsImps => tell!(Contest::ScaleByImps),
        VpError::NeedsPercent => tell!(Contest::ScaleByPercent),
        VpError::NotAPercentage => tell!(Contest::ScalePercentage),
        VpError::Boards => tell!(Contest::ScaleBoards),
        VpError::OnlyFor(Columns::Only(boards)) => tell!(Contest::ScaleMadeBoards { boards }),
        VpError::OnlyFor(Columns::Either(one, other)) => tell!(Contest::ScaleMadeBoards {
            boards: tell!(Contest::ScaleColumnsEither { one, other })
        }),
        VpError::OnlyFor(Columns::Range(first, last)) => tell!(Contest::ScaleMadeBoards {
            boards: tell!(Contest::ScaleColumnsRange { first, last })
        }),
    }
}
