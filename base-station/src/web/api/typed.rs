//! One line of a score sheet as a scorer types it: `4SS=`, `4SS=/420`, `620`, `-50`, `0`, `A60/40`,
//! `NP`.

use protocol::words::{BoardNumber, BoardResult, Score};

use super::input::{percentage, played, score};
use crate::checks::{WrittenFault, judge_score};
use crate::session::plan::{Ruling, SideAward};
use crate::web::Problem;
use telling::tell;

/// Reads a typed line, and the score that is written beside a contract. Whether the two fit is
/// for the checks to say: the line stands meanwhile.
pub(super) fn read(typed: &str, board: BoardNumber) -> Result<(Ruling, Option<Score>), Problem> {
    let between = |letter: char| letter == '/' || letter.is_whitespace();
    if let Some((line, beside)) = typed.trim().rsplit_once(between)
        && is_score(beside)
        && let Ok(ruling @ Ruling::Result(BoardResult::Played(_))) = read_alone(line, board)
    {
        return Ok((ruling, Some(score(beside)?)));
    }
    Ok((read_alone(typed, board)?, None))
}

/// At least two digits: the number of overtricks in `4 S S + 1` has one.
fn is_score(text: &str) -> bool {
    let digits = text.trim_start_matches(['+', '-', '\u{2212}']);
    digits.len() >= 2 && digits.bytes().all(|digit| digit.is_ascii_digit())
}

fn read_alone(typed: &str, board: BoardNumber) -> Result<Ruling, Problem> {
    let text: String = typed
        .chars()
        .filter(|letter| !letter.is_whitespace())
        .collect::<String>()
        .to_ascii_uppercase();
    match text.as_str() {
        "" => return Err(expected()),
        "0" | "PO" | "P" | "PASS" => return Ok(Ruling::Result(BoardResult::PassedOut)),
        "NP" => return Ok(Ruling::Result(BoardResult::NotPlayed)),
        "LP" => return Ok(Ruling::LatePlay),
        _ => {}
    }
    if let Some(percentages) = text.strip_prefix('A') {
        return adjusted(percentages);
    }
    if is_contract(&text) {
        return contract(&text);
    }
    let points = score(&text)?;
    if let Some(fault) = judge_score(board, points) {
        let where_to_look = match fault {
            WrittenFault::Vulnerability => tell!(Asked::NeedsAnotherVulnerabilityCheck),
            _ => tell!(Asked::CheckScoreItsSign),
        };
        return Err(Problem::unreadable(tell!(
            Asked::NoContractGivesNorthSouth {
                points: format!("{:+}", points.0),
                board,
                vulnerability: board.vulnerability(),
                where_to_look
            }
        )));
    }
    // A score alone names no contract; it counts like any other.
    Ok(Ruling::Written(points))
}

fn expected() -> Problem {
    Problem::unreadable(tell!(Asked::ExpectedContractSuchAs))
}

fn adjusted(text: &str) -> Result<Ruling, Problem> {
    let (ns, ew) = text
        .split_once(['/', '-'])
        .ok_or_else(|| Problem::unreadable(tell!(Asked::ExpectedTwoPercentagesSuch)))?;
    Ok(Ruling::Award {
        ns: SideAward::Percent(percentage(ns)?),
        ew: SideAward::Percent(percentage(ew)?),
    })
}

/// A digit and then a letter; a score has no letters.
fn is_contract(text: &str) -> bool {
    let mut letters = text.chars();
    letters.next().is_some_and(|first| first.is_ascii_digit())
        && letters
            .next()
            .is_some_and(|second| !second.is_ascii_digit() && second != '.')
}

/// `4SS=`, `3NTE-1`, `5DXW+1`, `4SSHK=` is not read: the lead is not on travellers.
fn contract(text: &str) -> Result<Ruling, Problem> {
    let end = text
        .find(['=', '+', '-', '\u{2212}'])
        .ok_or_else(|| Problem::unreadable(tell!(Asked::ExpectedResultBehindContract)))?;
    let (bid, result) = text.split_at(end);
    let declarer = bid.chars().next_back().ok_or_else(expected)?;
    let contract = bid.strip_suffix(declarer).unwrap_or_default();
    let played = played(contract, &declarer.to_string(), result, "")?;
    Ok(Ruling::Result(BoardResult::Played(played)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::ResultView;

    fn board(number: u8) -> BoardNumber {
        BoardNumber::new(number).expect("a board")
    }

    #[test]
    fn a_scorer_types_a_traveller_as_clubs_always_did() {
        for (typed, said) in [
            ("4SS=", "4S by S ="),
            ("3nte-1", "3NT by E -1"),
            ("3NE-1", "3NT by E -1"),
            ("5DXW+1", "5DX by W +1"),
            (" 2 H N + 2 ", "2H by N +2"),
            ("0", "passed out"),
            ("NP", "not played"),
            ("LP", "late play"),
            ("A60/40", "adjusted 60% / 40%"),
            ("420", "+420 (contract not known)"),
            ("-50", "-50 (contract not known)"),
        ] {
            let (ruling, stated) = read(typed, board(1)).expect(typed);
            assert_eq!(ResultView::of(&ruling).text, said, "{typed}");
            assert_eq!(stated, None, "{typed}");
        }
    }

    #[test]
    fn the_score_on_paper_is_read_beside_its_contract() {
        for (typed, said, stated) in [
            ("4SS= 420", "4S by S =", 420),
            ("4SS=/420", "4S by S =", 420),
            ("4 S S = 620", "4S by S =", 620),
            ("3NTE-1 +50", "3NT by E -1", 50),
            ("2HW+1 -140", "2H by W +1", -140),
        ] {
            let (ruling, beside) = read(typed, board(1)).expect(typed);
            assert_eq!(ResultView::of(&ruling).text, said, "{typed}");
            assert_eq!(beside, Some(Score(stated)), "{typed}");
        }
    }

    #[test]
    fn a_score_that_no_contract_gives_is_refused_with_the_vulnerability() {
        let refused = read("620", board(1)).expect_err("nobody is vulnerable on board 1");
        assert!(
            refused.sentence().to_string().contains("none vulnerable"),
            "{refused:?}"
        );
        assert!(
            read("620", board(2)).is_ok(),
            "North-South are vulnerable on board 2"
        );
        for typed in [
            "", "4S", "8SS=", "4SQ=", "4SS=9", "A60", "A60/140", "425", "99999", "xyz",
        ] {
            assert!(read(typed, board(1)).is_err(), "{typed} was taken");
        }
    }
}
