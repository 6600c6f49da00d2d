//! `byestand score 4SX S -1 --board 7`: what a contract is worth.

use std::io::Write;

use protocol::words::{BoardNumber, Contract, Score, Seat, Tricks, Vulnerability, score_of};
use serde::Serialize;

use super::{CliError, write_json};

/// What a contract is worth to North-South.
#[derive(Debug, clap::Args)]
#[command(allow_negative_numbers = true)]
pub struct Arguments {
    /// The contract: 4S, 3NT (or 3N), 4SX doubled, 4SXX redoubled, or PASS
    contract: String,
    /// Who played it: N, E, S or W (not for PASS)
    declarer: Option<String>,
    /// = for just made, +1 for an overtrick, -2 for two down (not for PASS)
    result: Option<String>,
    /// The board's number, which says who is vulnerable
    #[arg(long, conflicts_with = "vul", value_name = "NUMBER")]
    board: Option<BoardNumber>,
    /// Who is vulnerable: none, ns, ew or both
    #[arg(long, value_name = "WHO")]
    vul: Option<Vulnerability>,
    /// Answer as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Answer {
    contract: String,
    declarer: Option<char>,
    tricks: Option<u8>,
    vulnerable: String,
    ns_score: Score,
}

/// Answers with the score from North-South's view.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), CliError> {
    let vulnerability = match (arguments.board, arguments.vul) {
        (Some(board), _) => board.vulnerability(),
        (None, Some(vulnerability)) => vulnerability,
        (None, None) => {
            return Err(CliError::input(
                "who is vulnerable? give --board with the board's number, or --vul none, ns, ew or both",
            ));
        }
    };
    let played = read(arguments)?;
    let answer = Answer {
        contract: played.map_or("PASS".into(), |(contract, _)| contract.to_string()),
        declarer: played.map(|(contract, _)| contract.declarer.letter()),
        tricks: played.map(|(_, tricks)| tricks.get()),
        vulnerable: vulnerability.to_string(),
        ns_score: played.map_or(Score(0), |(contract, tricks)| {
            score_of(contract, tricks, vulnerability)
        }),
    };
    if arguments.json {
        return write_json(out, &answer);
    }
    match played {
        None => writeln!(out, "Passed out: 0")?,
        Some((contract, tricks)) => writeln!(
            out,
            "{contract} by {}, {tricks} tricks, vulnerable {vulnerability}: NS {:+}",
            contract.declarer, answer.ns_score.0
        )?,
    }
    Ok(())
}

/// The contract and its tricks, or `None` when everybody passed.
fn read(arguments: &Arguments) -> Result<Option<(Contract, Tricks)>, CliError> {
    let given = [&arguments.declarer, &arguments.result];
    if is_pass(&arguments.contract) {
        return match given.into_iter().flatten().find(|text| !text.is_empty()) {
            None => Ok(None),
            Some(text) => Err(CliError::argument(
                "PASS with",
                text,
                "a board that was passed out has no declarer and no result",
            )),
        };
    }
    let contract = &arguments.contract;
    // The contract is judged first, so that a wrong one is not reported as a missing declarer.
    Contract::parse(contract, Seat::North)
        .map_err(|refusal| CliError::argument("contract", contract, refusal))?;
    let [Some(declarer), Some(result)] = given else {
        return Err(CliError::argument(
            "contract",
            contract,
            "expected the declarer and the result after it, such as 4S S +1",
        ));
    };
    let seat = declarer
        .parse()
        .map_err(|refusal| CliError::argument("declarer", declarer, refusal))?;
    let contract = Contract::parse(contract, seat)
        .map_err(|refusal| CliError::argument("contract", contract, refusal))?;
    let tricks = contract
        .level
        .tricks_from_text(result)
        .map_err(|refusal| CliError::argument("result", result, refusal))?;
    Ok(Some((contract, tricks)))
}

/// The ways in which people write that nobody bid.
pub(super) fn is_pass(contract: &str) -> bool {
    ["PASS", "PASSED", "PASSED OUT", "P", "AP", "PO"]
        .iter()
        .any(|word| contract.trim().eq_ignore_ascii_case(word))
}
