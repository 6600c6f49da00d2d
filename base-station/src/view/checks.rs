//! The checks of the watchful base: how loudly each speaks, and how often it was wrong tonight.

use serde::Serialize;
use telling::{Told, tell};
use utoipa::ToSchema;

use crate::checks::Kind;
use crate::session::{Settled, State};
use crate::watch::Warning;

/// One check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct CheckView {
    /// Its name.
    #[schema(example = "lead-not-held")]
    pub kind: String,
    /// What it watches for.
    #[schema(value_type = String)]
    pub what: Told,
    /// `on`, `quiet` or `off`.
    #[schema(example = "on")]
    pub attention: String,
    /// Warnings that wait for the director.
    pub open: usize,
    /// Warnings of tonight that the director has settled, false alarms among them.
    pub answered: usize,
    /// Those of which the director said that nothing was wrong.
    pub false_alarms: usize,
}

/// Every check, in the order of the settings page.
pub fn checks(state: &State, warnings: &[Warning]) -> Vec<CheckView> {
    let answers: Vec<(Kind, bool)> = state
        .session
        .iter()
        .flat_map(|session| &session.answers)
        .filter_map(|(id, said)| Some((id.check()?, *said == Settled::NothingWrong)))
        .collect();
    Kind::ALL
        .into_iter()
        .map(|kind| {
            let of_kind = |warning: &&Warning| warning.id.check() == Some(kind);
            let open = warnings.iter().filter(of_kind);
            let settled = answers.iter().filter(|(of, _)| *of == kind);
            CheckView {
                what: watched_for(kind),
                attention: state.club.checks.of(kind).to_string(),
                open: open.filter(|warning| !warning.is_settled()).count(),
                answered: settled.clone().count(),
                false_alarms: settled.filter(|(_, none)| *none).count(),
                kind: kind.to_string(),
            }
        })
        .collect()
}

/// What a check watches for.
fn watched_for(kind: Kind) -> Told {
    match kind {
        Kind::LeadNotHeld => tell!(Finding::OpeningLeadNotLeaders),
        Kind::ImpossibleScore => tell!(Finding::WrittenScoreNoContract),
        Kind::VulnerabilityError => tell!(Finding::WrittenScoreOtherVulnerability),
        Kind::WrongSide => tell!(Finding::ContractFitsOtherSide),
        Kind::TricksOfOtherSide => tell!(Finding::TricksCountedDefenders),
        Kind::MissingDouble => tell!(Finding::ContractSurelyDoubled),
        Kind::NotPlayedWasPassedOut => tell!(Finding::NotPlayedWherePassed),
        Kind::PassedOutWasNotPlayed => tell!(Finding::PassedOutWhereCant),
        Kind::BoardNotHere => tell!(Finding::BoardTableShouldNot),
        Kind::BoardTwice => tell!(Finding::BoardEnteredTwiceAt),
        Kind::PairPlayedAlready => tell!(Finding::PairPlayedBoardBefore),
        Kind::BoardsExchanged => tell!(Finding::TwoBoardsEnteredUnder),
        Kind::BoardsShifted => tell!(Finding::BoardNumbersOneOr),
        Kind::ScoreMissing => tell!(Finding::BoardMissing),
        Kind::TableBehind => tell!(Finding::TableRoundBehindRoom),
        Kind::PadSilent => tell!(Finding::PadSilent),
        Kind::PadsSwapped => tell!(Finding::TwoTablesWithEach),
        Kind::EastWestElsewhere => tell!(Finding::PairsAtWrongTable),
        Kind::ArrowSwitchMissed => tell!(Finding::PairsSitOtherWay),
        Kind::MovementMistake => tell!(Finding::RoomMovedOtherwiseThan),
        Kind::PairMissing => tell!(Finding::ResultAtTableWhere),
        Kind::DealsDoNotFit => tell!(Finding::DealFileBelongsOther),
        Kind::SignAlone => tell!(Finding::ScoreWhoseSignStands),
    }
}
