//! `byestand match results.csv`: IMPs of a teams match board by board, and its victory points.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

use clap::ValueEnum;
use protocol::words::{BoardNumber, Score};
use serde::Serialize;

use super::table::Table;
use super::vp::{Loser, ScaleName};
use super::{CliError, table, write_json};
use crate::contest::rules::{Column, Comparison, Fraction, Regulation, Rules};
use crate::contest::teams::{Room, TeamsSheet, TwoTables};
use crate::scoring::{Points, VictoryPoints, VpScale};

/// What a file may contain, for `--help`.
const FILE_HELP: &str = "\
The file has a header row with the columns board, room (open or closed) and
either contract, declarer, result or score_ns, as in matchpoint. The home team
sits North-South in the open room. A column adjust may say
  NP            not played: the board does not count
  A+/A+         average plus to both sides (A, A- as well), in IMPs by --regulation
  =-110/=120    a split score: each side's, from North-South's view
  =650@25;680@75  a weighted score";

/// The columns a file can have.
const COLUMNS: [&str; 7] = [
    "board", "room", "contract", "declarer", "result", "score_ns", "adjust",
];

/// Adds a teams match up.
#[derive(Debug, clap::Args)]
#[command(after_help = FILE_HELP)]
pub struct Arguments {
    /// The file of results, or - for standard input
    file: PathBuf,
    /// Which scale turns the margin into victory points; none without it
    #[arg(long, value_enum)]
    scale: Option<ScaleName>,
    /// Boards of the match as planned, where the file has fewer or more
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(1..=999))]
    boards: Option<u16>,
    /// What boards are turned into
    #[arg(long, value_enum, default_value_t)]
    method: MethodName,
    /// Uses the column of the nearest even number of boards (nine use eight)
    #[arg(long)]
    even: bool,
    /// What averages are worth, and how fractions of an IMP are rounded
    #[arg(long, value_enum, default_value_t)]
    regulation: RegulationName,
    /// What the loser gets on the ITC scale
    #[arg(long, value_enum, default_value_t = Loser::Floor)]
    loser: Loser,
    /// Answer as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum MethodName {
    /// International match points
    #[default]
    Imps,
    /// Two for a board won, one for a tie
    BoardAMatch,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum RegulationName {
    /// New Zealand clubs
    #[default]
    Club,
    /// SABF
    Sabf,
    /// ABF championships
    Abf,
    /// GNOT
    Gnot,
}

#[derive(Serialize)]
struct Answer {
    boards: Vec<Line>,
    imps: Totals<Points>,
    #[serde(skip_serializing_if = "Option::is_none")]
    vp: Option<Totals<VictoryPoints>>,
    /// Tables whose result is not in the file.
    missing: Vec<Missing>,
}

#[derive(Serialize)]
struct Line {
    board: BoardNumber,
    open: Option<Score>,
    closed: Option<Score>,
    /// From home's view: what the board added to its margin.
    imps: Option<Points>,
    home: Option<Points>,
    away: Option<Points>,
}

#[derive(Serialize)]
struct Totals<T> {
    home: T,
    away: T,
    #[serde(skip_serializing_if = "Option::is_none")]
    margin: Option<T>,
}

#[derive(Serialize)]
struct Missing {
    board: BoardNumber,
    room: Room,
}

/// Reads the file and answers with every board, the totals and the victory points.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), CliError> {
    let (name, text) = table::read(&arguments.file)?;
    answer(&name, &text, arguments, out)
}

fn answer(
    name: &str,
    text: &[u8],
    arguments: &Arguments,
    out: &mut impl Write,
) -> Result<(), CliError> {
    let rules = arguments.rules();
    let boards = read(name, text)?;
    let sheet = TeamsSheet::of(&boards, &rules);
    let length = match arguments.boards {
        Some(boards) => boards,
        None => u16::try_from(boards.len()).unwrap_or(u16::MAX),
    };
    let vp = arguments
        .scale
        .map(|scale| victory_points(&sheet, &rules, scale, arguments, length))
        .transpose()?;
    let answer = Answer {
        boards: sheet
            .lines
            .iter()
            .map(|line| Line {
                board: line.board,
                open: line.open,
                closed: line.closed,
                imps: line.home.zip(line.away).map(|(home, away)| home - away),
                home: line.home,
                away: line.away,
            })
            .collect(),
        imps: Totals {
            home: sheet.result.first,
            away: sheet.result.second,
            margin: Some(sheet.result.margins[0]),
        },
        vp: vp.map(|[home, away]| Totals {
            home,
            away,
            margin: None,
        }),
        missing: sheet
            .missing
            .iter()
            .map(|&(board, room)| Missing { board, room })
            .collect(),
    };
    if arguments.json {
        return write_json(out, &answer);
    }
    print(&answer, arguments.method, out)
}

fn victory_points(
    sheet: &TeamsSheet,
    rules: &Rules,
    scale: ScaleName,
    arguments: &Arguments,
    boards: u16,
) -> Result<[VictoryPoints; 2], CliError> {
    let scale = scale.scale(arguments.loser);
    let column = rules.column(boards);
    let share = match sheet.percent(rules) {
        Some(percent) => scale
            .by_percent(column, percent)
            .map(|share| [share.winner, share.loser]),
        None => sheet
            .result
            .victory_points(scale, column, rules.fraction.rule()),
    };
    share.map_err(|fault| CliError::input(format!("--scale: {fault}")))
}

fn print(answer: &Answer, method: MethodName, out: &mut impl Write) -> Result<(), CliError> {
    let shown = |text: Option<String>| text.unwrap_or_else(|| "-".into());
    writeln!(out, " board    open  closed   home   away")?;
    for line in &answer.boards {
        // Nobody looks for a nought in the column of the side that gained nothing.
        let gained = |points: Option<Points>| {
            let points = points.filter(|points| *points != Points::ZERO);
            points.map(|it| it.to_string()).unwrap_or_default()
        };
        let (home, away) = match (line.home, line.away) {
            (None, None) => ("-".to_owned(), "-".to_owned()),
            (home, away) => (gained(home), gained(away)),
        };
        writeln!(
            out,
            "{:>6}  {:>6}  {:>6}  {home:>5}  {away:>5}",
            line.board,
            shown(line.open.map(|score| score.to_string())),
            shown(line.closed.map(|score| score.to_string())),
        )?;
    }
    let what = match method {
        MethodName::Imps => "IMPs",
        MethodName::BoardAMatch => "points",
    };
    writeln!(
        out,
        "{what}: home {}, away {}",
        answer.imps.home, answer.imps.away
    )?;
    if let Some(vp) = &answer.vp {
        writeln!(out, "VPs: home {}, away {}", vp.home, vp.away)?;
    }
    for missing in &answer.missing {
        let room = match missing.room {
            Room::Open => "open",
            Room::Closed => "closed",
        };
        writeln!(
            out,
            "Board {}: no result from the {room} room, so it does not count yet.",
            missing.board
        )?;
    }
    Ok(())
}

/// The boards of the file, in their order.
fn read(name: &str, text: &[u8]) -> Result<Vec<TwoTables>, CliError> {
    let table = Table::of(name, text, &COLUMNS)?;
    table.needs(&["board", "room"])?;
    if !table.has(&["score_ns"]) && !table.has(&["contract", "declarer", "result"]) {
        return Err(
            table.header_fault("expected the columns contract, declarer and result, or score_ns")
        );
    }
    let mut boards: BTreeMap<BoardNumber, TwoTables> = BTreeMap::new();
    for line in table.lines() {
        let board: BoardNumber = line.word("board")?;
        let room = match line.text("room").to_ascii_lowercase().as_str() {
            "open" | "o" => Room::Open,
            "closed" | "c" => Room::Closed,
            _ => return Err(line.fault("room", "expected open or closed")),
        };
        let outcome = line.outcome(board)?;
        let tables = boards.entry(board).or_insert_with(|| TwoTables {
            board,
            open: None,
            closed: None,
        });
        let place = match room {
            Room::Open => &mut tables.open,
            Room::Closed => &mut tables.closed,
        };
        if place.replace(outcome).is_some() {
            let sentence = format!("board {board} is there twice in this room");
            return Err(line.fault("room", sentence));
        }
    }
    if boards.is_empty() {
        return Err(CliError::at(
            name,
            2,
            1,
            "expected a result; the file has none",
        ));
    }
    Ok(boards.into_values().collect())
}

impl Arguments {
    fn rules(&self) -> Rules {
        let comparison = match self.method {
            MethodName::Imps => Comparison::TeamsImps,
            MethodName::BoardAMatch => Comparison::BoardAMatch,
        };
        let (regulation, fraction) = match self.regulation {
            RegulationName::Club => (Regulation::NewZealandClub, Fraction::HalfUp),
            RegulationName::Sabf => (Regulation::Sabf, Fraction::HalfUp),
            RegulationName::Abf => (Regulation::AbfChampionships, Fraction::HalfUp),
            RegulationName::Gnot => (Regulation::Gnot, Fraction::HalfDown),
        };
        Rules {
            column: if self.even {
                Column::NearestEven
            } else {
                Column::Boards
            },
            fraction,
            scale: VpScale::Wbf,
            ..Rules::of(regulation, comparison)
        }
    }
}
