//! The answers of `byestand movement` as text, CSV or JSON.

use std::io::Write;

use protocol::words::{PairNumber, RoundNumber, TableNumber};
use serde::Serialize;

use super::{Arguments, CliError, write_json};
use crate::movement::draw::{Draw, Match, TroikaTable};
use crate::movement::seeding::SeedPlace;
use crate::movement::{Choice, Family, Instruction, Kind, Movement, Seating, Summary};

/// A line of the schedule; a missing pair is 0.
#[derive(Serialize)]
struct Row {
    round: u8,
    table: TableNumber,
    ns: u16,
    ew: u16,
    board_lo: u8,
    board_hi: u8,
    board_copy: u8,
}

#[derive(Serialize)]
struct Answer {
    #[serde(flatten)]
    summary: Summary,
    instructions: Vec<Instruction>,
    schedule: Vec<Row>,
}

fn rows(movement: &Movement) -> Vec<Row> {
    let row = |(round, table, seating): (RoundNumber, TableNumber, &Seating)| Row {
        round: round.get(),
        table,
        ns: seating.ns.map_or(0, PairNumber::get),
        ew: seating.ew.map_or(0, PairNumber::get),
        board_lo: seating.boards.lowest().map_or(0, Into::into),
        board_hi: seating.boards.highest().map_or(0, Into::into),
        board_copy: seating.copy,
    };
    movement.seatings().map(row).collect()
}

/// A movement the way the user asked for it.
pub(super) fn movement(
    arguments: &Arguments,
    kind: Option<Kind>,
    movement: &Movement,
    out: &mut impl Write,
) -> Result<(), CliError> {
    if arguments.json {
        let answer = Answer {
            summary: movement.summary(),
            instructions: movement.instructions(),
            schedule: rows(movement),
        };
        return write_json(out, &answer);
    }
    if arguments.csv {
        // Whoever reads the table with a program should still hear that it is not what was asked.
        let nearest = |note: &&Instruction| matches!(note, Instruction::NearestMitchell { .. });
        for note in movement.notes.iter().filter(nearest) {
            let _ = writeln!(std::io::stderr(), "byestand: {note}");
        }
        return csv(kind, movement, out);
    }
    if arguments.text {
        return Ok(out.write_all(movement.to_text().as_bytes())?);
    }
    if arguments.cards {
        for card in movement.table_cards() {
            writeln!(out, "{}", card.to_text())?;
        }
        return Ok(());
    }
    for_people(movement, out)
}

fn csv(kind: Option<Kind>, movement: &Movement, out: &mut impl Write) -> Result<(), CliError> {
    if kind == Some(Kind::AmericanWhist) {
        writeln!(out, "round,table,ns_team,ew_team,set_started_at_table")?;
        let per_round = u8::try_from(movement.boards_per_round())
            .unwrap_or(1)
            .max(1);
        for row in rows(movement) {
            let set = row.board_hi / per_round;
            writeln!(
                out,
                "{},{},{},{},{set}",
                row.round, row.table, row.ns, row.ew
            )?;
        }
        return Ok(());
    }
    let copies = match kind {
        Some(kind) => kind == Kind::Web,
        None => movement.board_copies() > 1,
    };
    write!(out, "round,table,ns,ew,board_lo,board_hi")?;
    writeln!(out, "{}", if copies { ",board_copy" } else { "" })?;
    for row in rows(movement) {
        write!(
            out,
            "{},{},{},{},{},{}",
            row.round, row.table, row.ns, row.ew, row.board_lo, row.board_hi
        )?;
        if copies {
            write!(out, ",{}", row.board_copy)?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn for_people(movement: &Movement, out: &mut impl Write) -> Result<(), CliError> {
    let sheet = movement.summary();
    writeln!(out, "{}", movement.name)?;
    for line in movement.instructions() {
        writeln!(out, "{line}")?;
    }
    if movement.family != Family::Of(Kind::AmericanWhist) {
        let lists = if sheet.lists == 1 {
            "one winner"
        } else {
            "two winners"
        };
        writeln!(out, "Ranking: {lists}. A missing pair: {}.", sheet.phantom)?;
    }
    let meet: Vec<String> = sheet
        .meet_histogram
        .iter()
        .map(|(times, count)| format!("{count} {times}x"))
        .collect();
    writeln!(
        out,
        "Checked: nobody plays a board twice or sits in two places. Meetings: {}, never {}.",
        meet.join(", "),
        sheet.pairs_never_meeting
    )?;
    if sheet.lists == 1 {
        writeln!(
            out,
            "Balance: any two pairs compete {:.1} times on average (from {} to {}).",
            sheet.balance.mean, sheet.balance.least, sheet.balance.most
        )?;
    }
    let cell = |seating: &Seating| {
        let pair =
            |pair: Option<PairNumber>| pair.map_or_else(|| "-".to_owned(), |pair| pair.to_string());
        format!(
            "{}v{} {}",
            pair(seating.ns),
            pair(seating.ew),
            seating.boards
        )
    };
    let cells: Vec<Vec<String>> = movement
        .rounds
        .iter()
        .map(|round| round.seatings.iter().map(cell).collect())
        .collect();
    let width = cells.iter().flatten().map(String::len).max().unwrap_or(0);
    write!(out, "\nround")?;
    for table in 1..=movement.table_count() {
        write!(out, "  {:<width$}", format!("table {table}"))?;
    }
    writeln!(out)?;
    for (number, round) in cells.iter().enumerate() {
        let line: Vec<String> = round.iter().map(|cell| format!("{cell:<width$}")).collect();
        writeln!(out, "{:>5}  {}", number + 1, line.join("  ").trim_end())?;
    }
    Ok(())
}

/// What the adviser found, best first.
pub(super) fn choices(csv: bool, choices: &[Choice], out: &mut impl Write) -> Result<(), CliError> {
    if csv {
        writeln!(
            out,
            "rank,score,tables,boards,rounds,per_round,minutes,phantom,name"
        )?;
    }
    for (rank, choice) in (1..).zip(choices) {
        let phantom = choice.phantom.as_deref().unwrap_or_default();
        if csv {
            writeln!(
                out,
                "{rank},{},{},{},{},{},{},{phantom},\"{}\"",
                choice.score,
                choice.tables,
                choice.boards,
                choice.rounds,
                choice.per_round,
                choice.minutes,
                choice.name
            )?;
            continue;
        }
        writeln!(
            out,
            "{rank}. {}: about {:.0} minutes of play",
            choice.name, choice.minutes
        )?;
        if !phantom.is_empty() {
            writeln!(out, "   missing pair: {phantom}")?;
        }
        for reason in &choice.reasons {
            writeln!(out, "   + {reason}")?;
        }
        for drawback in &choice.drawbacks {
            writeln!(out, "   - {drawback}")?;
        }
    }
    Ok(())
}

fn contestants(contest: &Match) -> [String; 3] {
    match contest {
        Match::Versus(one, other) => [one.to_string(), other.to_string(), String::new()],
        Match::Troika(teams) => teams.map(|team| team.to_string()),
    }
}

/// A draw round by round, for people.
fn draw_for_people(draw: &Draw, out: &mut impl Write) -> Result<(), CliError> {
    writeln!(out, "{}", draw.name)?;
    for round in &draw.rounds {
        let matches: Vec<String> = round
            .matches
            .iter()
            .map(|contest| match contest {
                Match::Versus(one, other) => format!("{one} v {other}"),
                Match::Troika([one, two, three]) => format!("troika {one}, {two}, {three}"),
            })
            .collect();
        let again = round
            .repeated
            .map_or_else(String::new, |later| format!(" (again in round {later})"));
        writeln!(out, "round {}{again}: {}", round.round, matches.join("; "))?;
    }
    for note in &draw.notes {
        writeln!(out, "{note}")?;
    }
    Ok(())
}

/// A draw the way the user asked for it; each kind has a table of its own.
pub(super) fn draw<W: Write>(
    arguments: &Arguments,
    draw: &Draw,
    csv: fn(&Draw, &mut W) -> Result<(), CliError>,
    out: &mut W,
) -> Result<(), CliError> {
    if arguments.csv {
        csv(draw, out)
    } else if arguments.json {
        write_json(out, draw)
    } else {
        draw_for_people(draw, out)
    }
}

/// A round robin of teams as a table.
pub(super) fn round_robin(draw: &Draw, out: &mut impl Write) -> Result<(), CliError> {
    writeln!(out, "round,table_pair,team_a,team_b,team_c_troika")?;
    for round in &draw.rounds {
        for (place, contest) in (1..).zip(&round.matches) {
            let [one, two, three] = contestants(contest);
            let place = match contest {
                Match::Versus(..) => place.to_string(),
                Match::Troika(_) => "troika".to_owned(),
            };
            writeln!(out, "{},{place},{one},{two},{three}", round.round)?;
        }
    }
    Ok(())
}

/// The interstate draws as a table.
pub(super) fn interstate(draw: &Draw, out: &mut impl Write) -> Result<(), CliError> {
    writeln!(out, "draw,round_first,round_repeat,team_first,team_second")?;
    for round in &draw.rounds {
        for contest in &round.matches {
            let [one, two, _] = contestants(contest);
            let name = round.draw.as_deref().unwrap_or_default();
            let again = round
                .repeated
                .map_or_else(String::new, |later| later.to_string());
            writeln!(out, "{name},{},{again},{one},{two}", round.round)?;
        }
    }
    Ok(())
}

/// A Butler draw with its seeds.
pub(super) fn butler(
    arguments: &Arguments,
    draw: &Draw,
    seeds: &[PairNumber],
    out: &mut impl Write,
) -> Result<(), CliError> {
    if arguments.json {
        let answer = serde_json::json!({
            "name": draw.name,
            "rounds": draw.rounds,
            "pair_number_by_seed": seeds,
        });
        return write_json(out, &answer);
    }
    if !arguments.csv {
        draw_for_people(draw, out)?;
        let seeds: Vec<String> = seeds.iter().map(ToString::to_string).collect();
        writeln!(
            out,
            "Pair numbers of the seeds from 1: {}",
            seeds.join(", ")
        )?;
        return Ok(());
    }
    writeln!(out, "round,table,ns,ew")?;
    for round in &draw.rounds {
        for (table, contest) in (1..).zip(&round.matches) {
            let [ns, ew, _] = contestants(contest);
            writeln!(out, "{},{table},{ns},{ew}", round.round)?;
        }
    }
    Ok(())
}

/// Where the seeds sit.
pub(super) fn seeding(
    arguments: &Arguments,
    places: &[SeedPlace],
    out: &mut impl Write,
) -> Result<(), CliError> {
    if arguments.json {
        return write_json(out, &serde_json::json!({ "seeds": places }));
    }
    if arguments.csv {
        writeln!(out, "seed,section,session,direction")?;
    }
    for place in places {
        for (session, side) in (1..).zip(&place.sides) {
            if arguments.csv {
                writeln!(out, "{},{},{session},{side}", place.seed, place.section)?;
            } else if session == 1 {
                write!(out, "seed {:>2}: ", place.seed)?;
                if arguments.sections > 1 {
                    write!(out, "section {}, ", place.section)?;
                }
                write!(out, "{side}")?;
            } else {
                write!(out, ", then {side}")?;
            }
        }
        if !arguments.csv {
            writeln!(out)?;
        }
    }
    Ok(())
}

/// Three teams over two rounds.
pub(super) fn troika(
    arguments: &Arguments,
    tables: &[TroikaTable],
    out: &mut impl Write,
) -> Result<(), CliError> {
    if arguments.json {
        return write_json(
            out,
            &serde_json::json!({ "name": "Troika", "tables": tables }),
        );
    }
    if arguments.csv {
        writeln!(out, "round,table,ns_team,ew_team,board_set")?;
    }
    for spot in tables {
        let (round, table, set) = (spot.round, spot.table, spot.board_set);
        let (ns, ew) = (spot.ns_team, spot.ew_team);
        if arguments.csv {
            writeln!(out, "{round},{table},{ns},{ew},{set}")?;
        } else {
            writeln!(
                out,
                "round {round}, table {table}: team {ns} NS against team {ew}, set {set}"
            )?;
        }
    }
    Ok(())
}
