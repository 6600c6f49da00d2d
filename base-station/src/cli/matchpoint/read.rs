//! Reads a file of results, and says where it is wrong.

use std::collections::{HashMap, HashSet};
use std::fmt::Display;
use std::sync::OnceLock;

use csv::StringRecord;
use protocol::words::{
    BoardNumber, Contract, Doubling, Level, PairNumber, Percentage, Refusal, Score, Seat,
    SectionLetter, Side, Strain, Tricks, Vulnerability, score_of,
};

use super::super::score::is_pass;
use super::super::{CliError, number};
use crate::scoring::{Award, Fault, Form, Outcome, Row, WeightedScore, Winners};

/// The columns a file can have.
const COLUMNS: [&str; 14] = [
    "board", "pair_ns", "pair_ew", "contract", "declarer", "result", "score_ns", "section",
    "table", "round", "adjust", "group", "fault_ns", "fault_ew",
];

/// All rows of the file, in its order.
pub(super) fn rows(
    name: &str,
    text: &[u8],
    winners: Winners,
) -> Result<Vec<(BoardNumber, Row)>, CliError> {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(delimiter(text))
        .trim(csv::Trim::All)
        .from_reader(text);
    let columns = header(name, reader.headers().map_err(|it| broken(name, &it))?)?;
    let mut seen = HashSet::new();
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|it| broken(name, &it))?;
        if record.iter().all(str::is_empty) {
            continue;
        }
        let line = Line {
            name,
            number: record.position().map_or(0, csv::Position::line),
            record: &record,
            columns: &columns,
        };
        let (board, row) = line.read()?;
        for side in Side::BOTH {
            let Some(pair) = row.pair(side) else { continue };
            let direction = (winners == Winners::Two).then_some(side);
            if !seen.insert((board, row.section, direction, pair)) {
                let column = match side {
                    Side::NorthSouth => "pair_ns",
                    Side::EastWest => "pair_ew",
                };
                return Err(line.fault(
                    column,
                    format!(
                        "pair {pair} plays board {board} twice in section {}",
                        row.section
                    ),
                ));
            }
        }
        rows.push((board, row));
    }
    Ok(rows)
}

/// A comma, unless the header is written with semicolons or tabs.
fn delimiter(text: &[u8]) -> u8 {
    let header = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
    [b',', b';', b'\t']
        .into_iter()
        .find(|delimiter| header.contains(delimiter))
        .unwrap_or(b',')
}

fn broken(name: &str, error: &csv::Error) -> CliError {
    match (error.kind(), error.position()) {
        (
            csv::ErrorKind::UnequalLengths {
                expected_len, len, ..
            },
            Some(position),
        ) => {
            let column = usize::try_from(*expected_len.min(len)).unwrap_or_default() + 1;
            let sentence = format!("expected {expected_len} columns as in the header, found {len}");
            CliError::at(name, position.line(), column, sentence)
        }
        (_, Some(position)) => CliError::at(name, position.line(), 1, "this is not text in UTF-8"),
        _ => CliError::input(format!("{name}: {error}")),
    }
}

/// Where each column stands.
fn header(name: &str, header: &StringRecord) -> Result<HashMap<&'static str, usize>, CliError> {
    let mut columns = HashMap::new();
    for (index, title) in header.iter().enumerate() {
        let known = COLUMNS.iter().find(|it| it.eq_ignore_ascii_case(title));
        let Some(known) = known else {
            let known = COLUMNS.join(", ");
            let sentence = format!("unknown column \"{title}\"; expected some of {known}");
            return Err(CliError::at(name, 1, index + 1, sentence));
        };
        if columns.insert(*known, index).is_some() {
            let sentence = format!("column \"{title}\" is there twice");
            return Err(CliError::at(name, 1, index + 1, sentence));
        }
    }
    let has = |wanted: &[&str]| wanted.iter().all(|column| columns.contains_key(column));
    let missing = ["board", "pair_ns", "pair_ew"]
        .into_iter()
        .find(|it| !has(&[it]));
    if let Some(missing) = missing {
        let sentence = format!("expected a column \"{missing}\"");
        return Err(CliError::at(name, 1, header.len() + 1, sentence));
    }
    if !has(&["score_ns"]) && !has(&["contract", "declarer", "result"]) {
        let sentence = "expected the columns contract, declarer and result, or score_ns";
        return Err(CliError::at(name, 1, header.len() + 1, sentence));
    }
    Ok(columns)
}

/// A line of the file.
struct Line<'a> {
    name: &'a str,
    number: u64,
    record: &'a StringRecord,
    columns: &'a HashMap<&'static str, usize>,
}

impl Line<'_> {
    fn read(&self) -> Result<(BoardNumber, Row), CliError> {
        let board = self.word("board")?;
        let outcome = self.outcome(board)?;
        let may_miss = outcome == Outcome::SitOut;
        let row = Row {
            section: self.optional("section")?.unwrap_or(SectionLetter::A),
            table: self.optional("table")?,
            round: self.optional("round")?,
            ns: self.pair("pair_ns", may_miss)?,
            ew: self.pair("pair_ew", may_miss)?,
            outcome,
            form: self.form()?,
            fault: [self.fault_of("fault_ns")?, self.fault_of("fault_ew")?],
        };
        Ok((board, row))
    }

    fn outcome(&self, board: BoardNumber) -> Result<Outcome, CliError> {
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
                let column = if self.columns.contains_key("contract") {
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

    fn pair(&self, column: &'static str, may_miss: bool) -> Result<Option<PairNumber>, CliError> {
        if may_miss && matches!(self.text(column), "" | "0") {
            return Ok(None);
        }
        self.word(column).map(Some)
    }

    fn form(&self) -> Result<Form, CliError> {
        match self.optional::<SectionLetter>("group") {
            Ok(letter) => Ok(Form(letter.map_or(0, u8::from))),
            Err(_) => Err(self.fault("group", "expected a letter from A to Z")),
        }
    }

    fn fault_of(&self, column: &'static str) -> Result<Fault, CliError> {
        match self.text(column).to_ascii_lowercase().as_str() {
            "" | "none" => Ok(Fault::None),
            "partly" => Ok(Fault::Partly),
            "responsible" => Ok(Fault::Responsible),
            _ => Err(self.fault(column, "expected none, partly or responsible")),
        }
    }

    fn optional<T: std::str::FromStr<Err = Refusal>>(
        &self,
        column: &'static str,
    ) -> Result<Option<T>, CliError> {
        let written = !self.text(column).is_empty();
        written.then(|| self.word(column)).transpose()
    }

    fn word<T: std::str::FromStr<Err = Refusal>>(
        &self,
        column: &'static str,
    ) -> Result<T, CliError> {
        let word = self.text(column).parse();
        word.map_err(|refusal| self.fault(column, refusal))
    }

    fn text(&self, column: &str) -> &str {
        let index = self.columns.get(column);
        index
            .and_then(|&index| self.record.get(index))
            .unwrap_or_default()
    }

    /// Something wrong in a column of this line.
    fn fault(&self, column: &str, sentence: impl Display) -> CliError {
        let index = self.columns.get(column).copied().unwrap_or_default();
        let written = self.text(column);
        let sentence = format!("{column} \"{written}\": {sentence}");
        CliError::at(self.name, self.number, index + 1, sentence)
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
