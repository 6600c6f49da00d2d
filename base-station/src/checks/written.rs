//! Scores that a person wrote down: a paper slip, a file from elsewhere. Pads compute theirs.

use protocol::words::{
    BoardNumber, Contract, Doubling, Level, Score, Seat, Strain, Tricks, Vulnerability, score_of,
};

use super::finding::{Confidence, Finding, Kind, Remedy};
use super::possible;
use super::room::{Line, LineId, Room};
use super::what::What;

/// What is wrong with a written score, if anything is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WrittenFault {
    /// No contract on any board gives it.
    Impossible,
    /// It needs the other vulnerability.
    Vulnerability,
    /// It is possible, but not what the contract written beside it gives.
    NotThisContract {
        /// What that gives.
        gives: Score,
        /// The written score is what it gives at the other vulnerability.
        other_vulnerability: bool,
    },
}

impl WrittenFault {
    /// The check that finds it.
    pub(super) const fn kind(self) -> Kind {
        match self {
            Self::Vulnerability
            | Self::NotThisContract {
                other_vulnerability: true,
                ..
            } => Kind::VulnerabilityError,
            Self::Impossible | Self::NotThisContract { .. } => Kind::ImpossibleScore,
        }
    }
}

/// Judges a score that stands without a contract.
pub fn judge_score(board: BoardNumber, score: Score) -> Option<WrittenFault> {
    if possible::scores(board.vulnerability()).contains(&score) {
        return None;
    }
    let elsewhere = possible::ALL_VULNERABILITIES
        .into_iter()
        .any(|vulnerability| possible::scores(vulnerability).contains(&score));
    Some(if elsewhere {
        WrittenFault::Vulnerability
    } else {
        WrittenFault::Impossible
    })
}

/// Judges a score that stands beside its contract.
pub fn judge_contract(
    board: BoardNumber,
    contract: Contract,
    tricks: Tricks,
    score: Score,
) -> Option<WrittenFault> {
    let vulnerability = board.vulnerability();
    let gives = score_of(contract, tricks, vulnerability);
    if gives == score {
        return None;
    }
    let side = contract.declarer.side();
    let other = if vulnerability.of(side) {
        Vulnerability::None
    } else {
        Vulnerability::Both
    };
    Some(WrittenFault::NotThisContract {
        gives,
        other_vulnerability: score_of(contract, tricks, other) == score,
    })
}

pub(super) fn check(room: &Room, id: LineId, line: &Line) -> Option<Finding> {
    use protocol::words::BoardResult;
    let stated = line.stated?;
    let fault = match &line.result {
        BoardResult::Played(played) => {
            judge_contract(id.board, played.contract, played.tricks, stated)
        }
        _ => judge_score(id.board, stated),
    }?;
    let remedy = match fault {
        WrittenFault::Impossible | WrittenFault::Vulnerability => None,
        WrittenFault::NotThisContract { gives, .. } => Some(Remedy::UseScore { score: gives }),
    };
    let rest = [Remedy::Visit { table: id.table }, Remedy::ItIsRight];
    Some(Finding::line(
        room,
        id,
        What::Written { stated, fault },
        Confidence::CERTAIN,
        remedy.into_iter().chain(rest).collect(),
    ))
}

/// Every contract there is, for the list of possible scores.
pub(super) fn contracts() -> impl Iterator<Item = Contract> {
    Seat::ALL.into_iter().flat_map(|declarer| {
        Strain::ALL.into_iter().flat_map(move |strain| {
            (1..=7).filter_map(Level::new).flat_map(move |level| {
                [Doubling::Undoubled, Doubling::Doubled, Doubling::Redoubled]
                    .into_iter()
                    .map(move |doubling| Contract {
                        level,
                        strain,
                        doubling,
                        declarer,
                    })
            })
        })
    })
}
