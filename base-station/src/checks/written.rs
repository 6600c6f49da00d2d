//! Scores that a person wrote down: a paper slip, a file from elsewhere. Pads compute theirs.

use protocol::words::{
    BoardNumber, Contract, Doubling, Level, Score, Seat, Strain, Tricks, Vulnerability, score_of,
};

use super::finding::{Answer, Confidence, Finding, Kind};
use super::room::{Line, LineId, Room};
use super::{finding, possible};

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
    let (kind, why, answer) = match fault {
        WrittenFault::Impossible => (
            Kind::ImpossibleScore,
            "no contract gives that score".to_owned(),
            None,
        ),
        WrittenFault::Vulnerability => (
            Kind::VulnerabilityError,
            format!(
                "that score needs another vulnerability (here it is {})",
                id.board.vulnerability()
            ),
            None,
        ),
        WrittenFault::NotThisContract {
            gives,
            other_vulnerability,
        } => (
            if other_vulnerability {
                Kind::VulnerabilityError
            } else {
                Kind::ImpossibleScore
            },
            format!(
                "the contract gives {gives} with {} vulnerable",
                id.board.vulnerability()
            ),
            Some(Answer::UseScore { score: gives }),
        ),
    };
    let visit = Answer::Visit { table: id.table };
    Some(Finding {
        id: finding::line(room, kind, id),
        sentence: format!(
            "Table {}, board {}: {stated} was written, but {why}.",
            id.table, id.board
        ),
        confidence: Confidence::CERTAIN,
        answers: answer
            .into_iter()
            .chain([visit, Answer::ItIsRight])
            .collect(),
    })
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
