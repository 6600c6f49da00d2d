//! What became of a board, as a line of a file says it.

use std::collections::HashSet;
use std::sync::OnceLock;

use protocol::words::{
    BoardNumber, Contract, Doubling, Level, Percentage, Refusal, Score, Seat, Strain, Tricks,
    Vulnerability, score_of,
};

use super::score::is_pass;
use super::table::Line;
use super::{CliError, number};
use crate::scoring::{Award, Outcome, WeightedScore};

impl Line<'_> {
    /// From the columns contract, declarer and result, or `score_ns`, or `adjust`.
    pub(super) fn outcome(&self, board: BoardNumber) -> Result<Outcome, CliError> {
        let adjust = self.text("adjust");
        if !adjust.is_empty() {
            return adjustment(adjust).ok_or_else(|| {
                self.fault(
                    "adjust",
                    "expected NP, PH, percentages such as 60/40, A+/A-, or scores such as =-110/=120",
                )
            });
        }
        let contract = (!self.text("contract").is_empty())
            .then(|| self.contract_score(board.vulnerability()))
            .transpose()?;
        let written = (!self.text("score_ns").is_empty())
            .then(|| self.written_score())
            .transpose()?;
        match (contract, written) {
            (Some(score), Some(written)) if score != written => Err(self.fault(
                "score_ns",
                format!("the contract is worth {score}, not {written}"),
            )),
            (Some(score), _) | (None, Some(score)) => Ok(Outcome::Score(score)),
            (None, None) => {
                let column = if self.has("contract") {
                    "contract"
                } else {
                    "score_ns"
                };
                Err(self.fault(
                    column,
                    "expected a result; NP in column adjust if there is none",
                ))
            }
        }
    }

    fn contract_score(&self, vulnerability: Vulnerability) -> Result<Score, CliError> {
        let contract = self.text("contract");
        if is_pass(contract) {
            // Scorers fill in a declarer all the same; tricks would be a contradiction.
            return if self.text("result").is_empty() {
                Ok(Score(0))
            } else {
                Err(self.fault("result", "a board that was passed out has no result"))
            };
        }
        let refused = |column: &'static str| move |refusal: Refusal| self.fault(column, refusal);
        Contract::parse(contract, Seat::North).map_err(refused("contract"))?;
        let declarer = self.text("declarer").parse().map_err(refused("declarer"))?;
        let contract = Contract::parse(contract, declarer).map_err(refused("contract"))?;
        let tricks = contract
            .level
            .tricks_from_text(self.text("result"))
            .map_err(refused("result"))?;
        Ok(score_of(contract, tricks, vulnerability))
    }

    fn written_score(&self) -> Result<Score, CliError> {
        let text = self.text("score_ns");
        if is_pass(text) {
            return Ok(Score(0));
        }
        let expected = "expected North-South's points, such as 420 or -50";
        let score = points(text).ok_or_else(|| self.fault("score_ns", expected))?;
        if possible().contains(&score) {
            Ok(score)
        } else {
            Err(self.fault("score_ns", format!("no contract gives {score} points")))
        }
    }
}

/// What the director wrote: `NP`, `PH`, `60/40`, `A+/A-`, `=-110/=120`.
fn adjustment(text: &str) -> Option<Outcome> {
    if text.eq_ignore_ascii_case("NP") {
        return Some(Outcome::NotPlayed);
    }
    if text.eq_ignore_ascii_case("PH") {
        return Some(Outcome::SitOut);
    }
    let (ns, ew) = match text.split_once('/') {
        Some((ns, ew)) => (ns, ew),
        // One assigned score for both sides.
        None if text.starts_with('=') => (text, text),
        None => return None,
    };
    Some(Outcome::adjusted(award(ns)?, award(ew)?))
}

fn award(text: &str) -> Option<Award> {
    let text = text.trim();
    if let Some(scores) = text.strip_prefix('=') {
        return assigned(scores);
    }
    match text.to_ascii_uppercase().as_str() {
        "A+" | "AV+" => return Some(Award::AveragePlus),
        "A" | "AV" => return Some(Award::Average),
        "A-" | "AV-" => return Some(Award::AverageMinus),
        _ => {}
    }
    let percent = text.strip_prefix(['A', 'a']).unwrap_or(text);
    let hundredths = u16::try_from(number::hundredths(percent)?).ok()?;
    Percentage::new(hundredths).map(Award::Percentage)
}

/// `-110`, or `650@25;680@75`.
fn assigned(text: &str) -> Option<Award> {
    if !text.contains('@') {
        return points(text).map(Award::score);
    }
    let scores = text
        .split(';')
        .map(|part| {
            let (score, weight) = part.split_once('@')?;
            let weight = u16::try_from(number::hundredths(weight)?).ok()?;
            Some(WeightedScore {
                score: points(score)?,
                weight: Percentage::new(weight)?,
            })
        })
        .collect::<Option<Vec<_>>>()?;
    Award::weighted(scores)
}

fn points(text: &str) -> Option<Score> {
    text.trim().replace('\u{2212}', "-").parse().ok().map(Score)
}

/// Every score that some contract can give. Vulnerability is left out of it: a file need not
/// follow the numbers printed on the boards.
fn possible() -> &'static HashSet<Score> {
    static SCORES: OnceLock<HashSet<Score>> = OnceLock::new();
    SCORES.get_or_init(|| {
        let mut scores = HashSet::from([Score(0)]);
        for level in (1..=7).filter_map(Level::new) {
            for strain in Strain::ALL {
                for doubling in [Doubling::Undoubled, Doubling::Doubled, Doubling::Redoubled] {
                    let contract = Contract {
                        level,
                        strain,
                        doubling,
                        declarer: Seat::North,
                    };
                    for tricks in (0..=13).filter_map(Tricks::new) {
                        for vulnerability in [Vulnerability::None, Vulnerability::Both] {
                            let score = score_of(contract, tricks, vulnerability);
                            scores.extend([score, -score]);
                        }
                    }
                }
            }
        }
        scores
    })
}
