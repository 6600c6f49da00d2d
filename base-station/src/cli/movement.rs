//! `byestand movement`: prints, checks and suggests movements.

mod print;
#[cfg(test)]
mod tests;

use std::io::Write;
use std::path::PathBuf;

use clap::ValueEnum;
use clap::builder::PossibleValue;
use protocol::words::{BoardNumber, PairNumber, Side, TableNumber};

use super::{CliError, write_json};
use crate::movement::{
    Kind, Movement, Numbering, PairId, PhantomAdvice, Place, Refused, Room, Setup, Variant, draw,
    generate, seeding, suggest,
};

/// Print, check or suggest a movement.
#[derive(Debug, clap::Args)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each one is a flag of the command line"
)]
#[command(allow_negative_numbers = true)]
pub struct Arguments {
    /// Which movement
    movement: Name,
    /// Tables in the room; 10.5 means ten tables and a lone pair
    #[arg(long)]
    tables: Option<String>,
    /// Boards in play, such as 26; for suggest a range such as 24..28
    #[arg(long)]
    boards: Option<String>,
    /// Boards a round
    #[arg(long)]
    per_round: Option<String>,
    /// Teams, for the movements of teams
    #[arg(long)]
    teams: Option<String>,
    /// Pairs, for a Butler draw
    #[arg(long)]
    pairs: Option<String>,
    /// Sections, for a seeding
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=2))]
    sections: u8,
    /// A Mitchell with a skip half-way
    #[arg(long)]
    skip: bool,
    /// A Mitchell with a shared set and a bye-stand
    #[arg(long, conflicts_with = "skip")]
    share: bool,
    /// A Mitchell with more sets than tables
    #[arg(long, conflicts_with_all = ["skip", "share"])]
    feed_in: bool,
    /// How a Hesitation numbers its pairs
    #[arg(long)]
    numbering: Option<NumberingName>,
    /// Who is missing: ns:12 is the pair that starts NS at table 12, 7 is pair 7 of one list
    #[arg(long)]
    phantom: Option<String>,
    /// The file of a custom movement
    #[arg(long)]
    file: Option<PathBuf>,
    /// Answer as CSV
    #[arg(long)]
    csv: bool,
    /// Answer as JSON
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print the table cards
    #[arg(long, conflicts_with_all = ["csv", "json"])]
    cards: bool,
    /// Print the movement as a file that can be edited and read again
    #[arg(long, conflicts_with_all = ["csv", "json", "cards"])]
    text: bool,
}

/// What can be asked for by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Name {
    /// A movement of pairs or teams that is generated.
    Generated(Kind),
    RoundRobin,
    Troika,
    ButlerDraw,
    ItcDraw,
    Seeding,
    Custom,
    Suggest,
}

impl ValueEnum for Name {
    fn value_variants<'a>() -> &'a [Self] {
        const ALL: [Name; Kind::ALL.len() + 7] = {
            let mut all = [Name::Suggest; Kind::ALL.len() + 7];
            let mut at = 0;
            while at < Kind::ALL.len() {
                all[at] = Name::Generated(Kind::ALL[at]);
                at += 1;
            }
            all[at] = Name::RoundRobin;
            all[at + 1] = Name::Troika;
            all[at + 2] = Name::ButlerDraw;
            all[at + 3] = Name::ItcDraw;
            all[at + 4] = Name::Seeding;
            all[at + 5] = Name::Custom;
            all
        };
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let (name, about) = match self {
            Self::Generated(kind) => (kind.name(), kind.about()),
            Self::RoundRobin => ("round-robin", "Teams, everybody plays everybody"),
            Self::Troika => ("troika", "Three teams over two rounds"),
            Self::ButlerDraw => ("butler-draw", "The Butler draws of 12 and 14 pairs"),
            Self::ItcDraw => ("itc-draw", "The interstate draws of 6 and 8 teams"),
            Self::Seeding => ("seeding", "Where the seeds of an event of two sessions sit"),
            Self::Custom => ("custom", "A movement from a file"),
            Self::Suggest => ("suggest", "Which movement to play"),
        };
        Some(PossibleValue::new(name).help(about))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum NumberingName {
    /// Moving pairs first
    EwFirst,
    /// NS by their tables first
    NsFirst,
}

impl From<Refused> for CliError {
    fn from(refused: Refused) -> Self {
        Self::input(refused)
    }
}

/// Answers with the movement.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), CliError> {
    let kind = match arguments.movement {
        Name::Generated(kind) => kind,
        Name::RoundRobin => {
            let draw = draw::round_robin(arguments.contestants("teams")?)?;
            return print::draw(arguments, &draw, print::round_robin, out);
        }
        Name::ItcDraw => {
            let draw = draw::interstate_draw(arguments.contestants("teams")?)?;
            return print::draw(arguments, &draw, print::interstate, out);
        }
        Name::ButlerDraw => {
            let pairs = arguments.contestants("pairs")?;
            let seeds = draw::butler_seeds(pairs)?;
            return print::butler(arguments, &draw::butler_draw(pairs)?, &seeds, out);
        }
        Name::Seeding => {
            let places = seeding::seeding(arguments.contestants("pairs")?, arguments.sections)?;
            return print::seeding(arguments, &places, out);
        }
        Name::Troika => return print::troika(arguments, &draw::troika(), out),
        Name::Custom => return print::movement(arguments, None, &arguments.read_file()?, out),
        Name::Suggest => return arguments.suggest(out),
    };
    let (setup, half) = arguments.setup(kind)?;
    let movement = generate(kind, setup)?;
    let movement = arguments.with_phantom(movement, half)?;
    print::movement(arguments, Some(kind), &movement, out)
}

impl Arguments {
    fn setup(&self, kind: Kind) -> Result<(Setup, bool), CliError> {
        let (tables, half, manual_boards) = if kind == Kind::AmericanWhist {
            let teams = self.contestants("teams")?;
            (teams, false, whist_boards(teams))
        } else {
            let pairs = self.pairs_in_room()?;
            (pairs.div_ceil(2), !pairs.is_multiple_of(2), None)
        };
        let tables = TableNumber::new(tables)
            .ok_or_else(|| CliError::input("--tables: expected a number of tables from 1"))?;
        let boards = match (&self.boards, manual_boards) {
            (None, Some(boards)) => BoardNumber::new(boards),
            (None, None) => {
                return Err(CliError::input("--boards is missing, such as --boards 26"));
            }
            (Some(text), _) => Some(text.parse().map_err(|_| {
                CliError::argument(
                    "--boards",
                    text,
                    "expected a number of boards from 1 to 255",
                )
            })?),
        }
        .ok_or_else(|| CliError::input("--boards is missing, such as --boards 26"))?;
        let per_round = match &self.per_round {
            None => None,
            Some(text) => Some(text.parse().map_err(|_| {
                CliError::argument("--per-round", text, "expected boards a round from 1 to 255")
            })?),
        };
        let variant = match (self.skip, self.share, self.feed_in) {
            (true, _, _) => Some(Variant::Skip),
            (_, true, _) => Some(Variant::Share),
            (_, _, true) => Some(Variant::FeedIn),
            _ => None,
        };
        let numbering = self.numbering.map(|numbering| match numbering {
            NumberingName::EwFirst => Numbering::EwFirst,
            NumberingName::NsFirst => Numbering::NsFirst,
        });
        let setup = Setup {
            per_round,
            variant,
            numbering,
            ..Setup::new(tables, boards)
        };
        Ok((setup, half))
    }

    /// Twice the tables: `10.5` is 21 pairs.
    fn pairs_in_room(&self) -> Result<u16, CliError> {
        let text = self
            .tables
            .as_deref()
            .ok_or_else(|| CliError::input("--tables is missing, such as --tables 12"))?;
        let (whole, half) = match text.trim().split_once('.') {
            Some((whole, "5")) => (whole, 1),
            Some((whole, "0")) => (whole, 0),
            _ => (text.trim(), 0),
        };
        whole
            .parse::<u16>()
            .ok()
            .filter(|tables| (1..=1000).contains(tables))
            .map(|tables| 2 * tables + half)
            .ok_or_else(|| {
                CliError::argument(
                    "--tables",
                    text,
                    "expected a number of tables such as 12 or 10.5",
                )
            })
    }

    /// `--teams` or `--pairs`; `--tables` is taken for teams, one table a team.
    fn contestants(&self, what: &str) -> Result<u16, CliError> {
        let (teams, pairs) = (self.teams.as_deref(), self.pairs.as_deref());
        let text = teams
            .or(pairs)
            .or(self.tables.as_deref())
            .ok_or_else(|| CliError::input(format!("--{what} is missing, such as --{what} 12")))?;
        text.trim()
            .parse()
            .ok()
            .filter(|count| (1..=1000).contains(count))
            .ok_or_else(|| CliError::argument(&format!("--{what}"), text, "expected a number"))
    }

    fn read_file(&self) -> Result<Movement, CliError> {
        let file = self
            .file
            .as_ref()
            .ok_or_else(|| CliError::input("--file is missing: the file of the movement"))?;
        let text = std::fs::read_to_string(file)
            .map_err(|fault| CliError::input(format!("{}: {fault}", file.display())))?;
        let movement = Movement::from_text(&text)
            .map_err(|fault| CliError::input(format!("{}: {fault}", file.display())))?;
        self.with_phantom(movement, false)
    }

    /// Leaves out the pair that is missing; in a room with a half table the one that does the
    /// least harm.
    fn with_phantom(&self, movement: Movement, half: bool) -> Result<Movement, CliError> {
        let missing = match &self.phantom {
            Some(text) => missing_pair(&movement, text)?,
            None if half => {
                let place = best_place(&movement);
                match movement.starts_at(place) {
                    Some(pair) => pair,
                    None => return Ok(movement),
                }
            }
            None => return Ok(movement),
        };
        Ok(movement.without_pair(missing)?)
    }

    fn suggest(&self, out: &mut impl Write) -> Result<(), CliError> {
        let text = self.boards.as_deref().unwrap_or("24..28");
        let (fewest, most) = text.split_once("..").unwrap_or((text, text));
        let read = |number: &str| {
            number
                .trim()
                .trim_start_matches('=')
                .parse::<u8>()
                .map_err(|_| {
                    CliError::argument("--boards", text, "expected boards such as 26 or 24..28")
                })
        };
        let room = Room {
            pairs: self.pairs_in_room()?,
            boards: read(fewest)?..=read(most)?,
            phantom: None,
        };
        let choices = suggest(&room)?;
        if self.json {
            return write_json(out, &serde_json::json!({ "choices": choices }));
        }
        print::choices(self.csv, &choices, out)
    }
}

/// The boards that the manual lays out for American Whist.
fn whist_boards(teams: u16) -> Option<u8> {
    match teams {
        5 => Some(30),
        7 => Some(28),
        9 => Some(27),
        11 => Some(33),
        13 => Some(26),
        _ => None,
    }
}

fn best_place(movement: &Movement) -> Place {
    let top = u16::try_from(movement.table_count())
        .ok()
        .and_then(TableNumber::new)
        .unwrap_or(TableNumber::MIN);
    match movement.phantom_advice() {
        PhantomAdvice::At { tables, sides } => Place {
            table: tables.last().copied().unwrap_or(top),
            side: sides.first().copied().unwrap_or(Side::NorthSouth),
        },
        PhantomAdvice::Anywhere { .. } => Place {
            table: top,
            side: Side::NorthSouth,
        },
    }
}

/// Reads `ns:12` (who starts there) or `7` (a pair of the only list).
fn missing_pair(movement: &Movement, text: &str) -> Result<PairId, CliError> {
    let expected = || {
        CliError::argument(
            "--phantom",
            text,
            "expected a direction and a table of this movement such as ns:12, or a pair number where there is one list",
        )
    };
    if let Some((side, table)) = text.split_once(':') {
        let place = Place {
            table: table.parse().map_err(|_| expected())?,
            side: side.parse().map_err(|_| expected())?,
        };
        return movement.starts_at(place).ok_or_else(expected);
    }
    let number: PairNumber = text.parse().map_err(|_| expected())?;
    let pair = PairId { line: None, number };
    movement
        .pairs()
        .contains(&pair)
        .then_some(pair)
        .ok_or_else(expected)
}
