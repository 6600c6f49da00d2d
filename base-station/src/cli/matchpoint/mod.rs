//! `byestand matchpoint results.csv`: scores a session from a file, board by board, and ranks it.

mod options;
mod print;
mod read;

use std::io::Write;
use std::path::PathBuf;

use super::{CliError, table};
use crate::scoring::Field;

pub use options::Options;

/// What a file may contain, for `--help`.
const FILE_HELP: &str = "\
The file has a header row with the columns board, pair_ns, pair_ew and either
contract, declarer, result or score_ns. Where needed it also has section,
table, round, group (a letter for every form of a fouled board), fault_ns and
fault_ew (none, partly, responsible) and adjust, which is one of
  NP            not played
  PH            a sit-out: one pair met the phantom
  60/40         percentages for North-South and East-West
  A+/A-         average plus (at least 60%, or the pair's own average), minus
  =-110/=120    a split score: each side's, from North-South's view
  =650@25;680@75  a weighted score";

/// Scores a session from a file of results.
#[derive(Debug, clap::Args)]
#[command(allow_negative_numbers = true, after_help = FILE_HELP)]
pub struct Arguments {
    /// The file of results, or - for standard input
    file: PathBuf,
    #[command(flatten)]
    options: Options,
    /// Answer as JSON
    #[arg(long)]
    json: bool,
}

/// Scores the file and answers with boards and ranking.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), CliError> {
    let (name, text) = table::read(&arguments.file)?;
    answer(&name, &text, &arguments.options, arguments.json, out)
}

/// Scores the text of a file; `name` is what errors call it.
pub fn answer(
    name: &str,
    text: &[u8],
    options: &Options,
    json: bool,
    out: &mut impl Write,
) -> Result<(), CliError> {
    let rules = options.rules();
    let mut field = Field::new(rules.clone());
    for (board, row) in read::rows(name, text, options.one_winner())? {
        field.set(board, row).map_err(CliError::input)?;
    }
    if rules.across {
        field.check_sections().map_err(CliError::input)?;
    }
    options.adjust(&mut field)?;
    let ranking = field.ranking();
    if json {
        print::json(&mut field, &ranking, out)
    } else {
        print::text(&mut field, &ranking, out)
    }
}
