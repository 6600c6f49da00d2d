//! `byestand draw standings.csv`: who meets whom in the next round.

use std::collections::{BTreeMap, HashMap};
use std::io::Write;
use std::path::PathBuf;

use clap::ValueEnum;
use protocol::words::TableNumber;
use serde::Serialize;
use serde_json::Value;

use super::table::{Line, Table};
use super::{CliError, number, table, write_json};
use crate::contest::ContestantNumber;
use crate::contest::draw::{
    Drawn, Entrant, Meeting, Method, OddField, Rematches, Stationary, Wish, draw,
};
use crate::scoring::VictoryPoints;

/// What a file may contain, for `--help`.
const FILE_HELP: &str = "\
The file has a header row with the columns contestant (a number or a name) and
vp. Where needed it also has
  opponents     whom they met, in the order of the rounds: 3;7;12
  bye           how often they had no opponent (or yes)
  forbidden     whom they may not meet: 4;9
  stationary    the table that they keep because they can't move (or yes)
Equal scores are separated by lot; the seed is told, and --seed repeats a draw.";

/// The columns a file can have.
const COLUMNS: [&str; 6] = [
    "contestant",
    "vp",
    "opponents",
    "bye",
    "forbidden",
    "stationary",
];

/// Draws the next round.
#[derive(Debug, clap::Args)]
#[command(after_help = FILE_HELP)]
pub struct Arguments {
    /// The file with the standing, or - for standard input
    file: PathBuf,
    /// How opponents are found
    #[arg(long, value_enum, default_value_t)]
    method: MethodName,
    /// The seed of the lots; without it a new one is taken and told
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,
    /// What becomes of an odd field
    #[arg(long, value_enum, default_value_t)]
    odd: OddName,
    /// Answer as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum MethodName {
    /// As close in score as possible over the whole field, without a rematch
    #[default]
    Swiss,
    /// The highest against the next highest not met yet, repaired from the bottom
    Classical,
    /// The highest against the next highest, met or not
    Danish,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum OddName {
    /// The lowest who had none yet has a bye
    #[default]
    Bye,
    /// Three of similar score outside the top half play each other
    Triangle,
}

#[derive(Serialize)]
struct Answer {
    method: Method,
    seed: u64,
    matches: Vec<Match>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bye: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    triangle: Option<[Value; 3]>,
    reasons: Vec<String>,
}

#[derive(Serialize)]
struct Match {
    table: TableNumber,
    home: Value,
    away: Value,
    rematch: bool,
}

/// Draws and answers with the matches and what gave way.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), CliError> {
    let (name, text) = table::read(&arguments.file)?;
    let field = read(&name, &text)?;
    let seed = table::seed(arguments.seed);
    let rounds = field.entrants.iter().map(|it| it.met.len()).max();
    let method = match arguments.method {
        MethodName::Swiss => Method::Swiss,
        MethodName::Classical => Method::Classical,
        MethodName::Danish => Method::Danish,
    };
    let wish = Wish {
        round: u16::try_from(rounds.unwrap_or_default() + 1).unwrap_or(u16::MAX),
        method,
        rematches: Rematches::Avoided,
        odd: match arguments.odd {
            OddName::Bye => OddField::Bye,
            OddName::Triangle => OddField::Triangle,
        },
        seed,
    };
    let drawn = draw(&field.entrants, &wish)
        .map_err(|refused| CliError::input(format!("{name}: {refused}")))?;
    let shown = |number: ContestantNumber| field.shown(number);
    let answer = Answer {
        method,
        seed,
        matches: drawn
            .draw
            .matches
            .iter()
            .map(|it| Match {
                table: it.table,
                home: shown(it.home),
                away: shown(it.away),
                rematch: it.rematch,
            })
            .collect(),
        bye: drawn.draw.bye.map(shown),
        triangle: drawn.draw.triangle.map(|three| three.map(shown)),
        reasons: drawn.sentences(|number| field.name(number)),
    };
    if arguments.json {
        return write_json(out, &answer);
    }
    print(&field, &drawn, &answer, out)
}

fn print(
    field: &Field,
    drawn: &Drawn,
    answer: &Answer,
    out: &mut impl Write,
) -> Result<(), CliError> {
    let names = field.names.values().map(|name| name.chars().count());
    let wide = names.max().unwrap_or_default().max(4);
    writeln!(out, "table  {:>wide$}  {:>wide$}", "home", "away")?;
    for it in &drawn.draw.matches {
        let again = if it.rematch { "  again" } else { "" };
        writeln!(
            out,
            "{:>5}  {:>wide$}  {:>wide$}{again}",
            it.table,
            field.name(it.home),
            field.name(it.away)
        )?;
    }
    for reason in &answer.reasons {
        writeln!(out, "{reason}")?;
    }
    writeln!(out, "Lots drawn with --seed {}", answer.seed)?;
    Ok(())
}

/// The contestants, and what the file calls them.
struct Field {
    entrants: Vec<Entrant>,
    names: BTreeMap<ContestantNumber, String>,
}

impl Field {
    fn name(&self, number: ContestantNumber) -> String {
        self.names.get(&number).cloned().unwrap_or_default()
    }

    /// A number where the file has numbers.
    fn shown(&self, number: ContestantNumber) -> Value {
        let name = self.name(number);
        match name.parse::<u64>() {
            Ok(number) if number.to_string() == name => number.into(),
            _ => name.into(),
        }
    }
}

fn read(name: &str, text: &[u8]) -> Result<Field, CliError> {
    let table = Table::of(name, text, &COLUMNS)?;
    table.needs(&["contestant", "vp"])?;
    // Numbers stay what they are, so that the order of the lines does not matter; names are
    // numbered as they come.
    let numbered = table
        .lines()
        .all(|line| line.word::<ContestantNumber>("contestant").is_ok());
    let mut numbers: HashMap<String, ContestantNumber> = HashMap::new();
    let mut names = BTreeMap::new();
    for line in table.lines() {
        let written = line.text("contestant");
        if written.is_empty() {
            return Err(line.fault("contestant", "expected a number or a name"));
        }
        let next = u16::try_from(names.len() + 1).ok();
        let number = if numbered {
            Some(line.word("contestant")?)
        } else {
            next.and_then(ContestantNumber::new)
        };
        let Some(number) = number else {
            return Err(line.fault("contestant", "these are too many for one draw"));
        };
        if names.insert(number, written.to_owned()).is_some() || numbers.contains_key(written) {
            return Err(line.fault("contestant", "this contestant is there twice"));
        }
        numbers.insert(written.to_owned(), number);
    }
    // A column of nothing but yes and no may be written with 1 and 0.
    let flags = table
        .lines()
        .all(|line| matches!(line.text("stationary"), "" | "0" | "1"))
        && table
            .lines()
            .filter(|line| line.text("stationary") == "1")
            .count()
            > 1;
    let mut kept: HashMap<TableNumber, String> = HashMap::new();
    let mut entrants = Vec::new();
    for line in table.lines() {
        let own = line.text("contestant");
        let number = numbers[own];
        let vp = number::hundredths(line.text("vp"))
            .ok_or_else(|| line.fault("vp", "expected victory points such as 57 or 57.25"))?;
        let met = others(&line, "opponents", number, &numbers)?;
        let stationary = stationary(&line, flags)?;
        if let Stationary::At(table) = stationary
            && let Some(other) = kept.insert(table, own.to_owned())
        {
            let sentence = format!("{other} keeps table {table} already");
            return Err(line.fault("stationary", sentence));
        }
        entrants.push(Entrant {
            vp: VictoryPoints(vp),
            met: met
                .into_iter()
                .zip(1..)
                .filter_map(|(opponent, round)| {
                    opponent.map(|opponent| Meeting { opponent, round })
                })
                .collect(),
            byes: byes(&line)?,
            forbidden: others(&line, "forbidden", number, &numbers)?
                .into_iter()
                .flatten()
                .collect(),
            stationary,
            ..Entrant::new(number)
        });
    }
    Ok(Field { entrants, names })
}

/// `3;7;12`: each must be in the file, or be a bye.
fn others(
    line: &Line<'_>,
    column: &'static str,
    own: ContestantNumber,
    numbers: &HashMap<String, ContestantNumber>,
) -> Result<Vec<Option<ContestantNumber>>, CliError> {
    let written = line.text(column);
    if written.is_empty() {
        return Ok(Vec::new());
    }
    let word = |word: &str| match numbers.get(word) {
        Some(&other) if other == own => {
            Err(line.fault(column, format!("{word} is this contestant itself")))
        }
        Some(&other) => Ok(Some(other)),
        None if word.is_empty() || word == "-" || word.eq_ignore_ascii_case("bye") => Ok(None),
        None => Err(line.fault(
            column,
            format!("there is no contestant {word} in this file; expected such as 3;7;12"),
        )),
    };
    written.split(';').map(|it| word(it.trim())).collect()
}

fn byes(line: &Line<'_>) -> Result<u16, CliError> {
    match line.text("bye").to_ascii_lowercase().as_str() {
        "" | "no" | "false" | "-" => Ok(0),
        "yes" | "y" | "x" | "true" => Ok(1),
        number => number
            .parse()
            .map_err(|_| line.fault("bye", "expected how often, such as 1, or yes")),
    }
}

fn stationary(line: &Line<'_>, flags: bool) -> Result<Stationary, CliError> {
    match line.text("stationary").to_ascii_lowercase().as_str() {
        "" | "no" | "false" | "0" | "-" => Ok(Stationary::No),
        "yes" | "y" | "x" | "true" => Ok(Stationary::Anywhere),
        "1" if flags => Ok(Stationary::Anywhere),
        _ => line.word("stationary").map(Stationary::At),
    }
}
