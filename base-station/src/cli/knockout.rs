//! `byestand knockout results.csv`: in which order teams of a knock-out go on.

use std::io::Write;
use std::path::PathBuf;

use clap::ValueEnum;
use serde::Serialize;

use super::table::{Line, Table};
use super::{CliError, number, table, write_json};
use crate::contest::Lot;
use crate::scoring::Points;
use crate::scoring::regulations::{
    KnockOut, TeamNumber, rank_double_knock_out, rank_entering_swiss, rank_single_knock_out,
};

/// What a file may contain, for `--help`.
const FILE_HELP: &str = "\
The file has a header row with the columns contestant (a number or a name),
scored and conceded (IMPs of the match). Where a match was level it also has
  play_off      won or lost
Equals are separated by lot; the seed is told, and --seed repeats it.";

/// The columns a file can have.
const COLUMNS: [&str; 4] = ["contestant", "scored", "conceded", "play_off"];

/// Orders the teams of a knock-out by how their matches ended.
#[derive(Debug, clap::Args)]
#[command(after_help = FILE_HELP)]
pub struct Arguments {
    /// The file with the matches, or - for standard input
    file: PathBuf,
    /// Which order
    #[arg(long, value_enum, default_value_t)]
    order: OrderName,
    /// The seed of the lots; without it a new one is taken and told
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,
    /// Answer as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum OrderName {
    /// Losers who drop into a Swiss: a lost play-off, then the smallest loss
    #[default]
    EnteringSwiss,
    /// Winners of a double knock-out: the largest win first
    Double,
    /// A single knock-out: the smallest loss first, then winners by the largest win
    Single,
}

#[derive(Serialize)]
struct Answer {
    seed: u64,
    order: Vec<Ranked>,
}

#[derive(Serialize)]
struct Ranked {
    place: u32,
    contestant: String,
    margin: f64,
    /// Nothing but a lot put it there.
    lot: bool,
}

/// Orders them and says who owes the place to a lot.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), CliError> {
    let (name, text) = table::read(&arguments.file)?;
    answer(&name, &text, arguments, table::seed(arguments.seed), out)
}

fn answer(
    name: &str,
    text: &[u8],
    arguments: &Arguments,
    seed: u64,
    out: &mut impl Write,
) -> Result<(), CliError> {
    let table = Table::of(name, text, &COLUMNS)?;
    table.needs(&["contestant", "scored", "conceded"])?;
    let mut names: Vec<String> = Vec::new();
    let mut ended = Vec::new();
    for (line, at) in table.lines().zip(0..) {
        let own = line.text("contestant");
        if own.is_empty() || names.iter().any(|name| name == own) {
            return Err(line.fault("contestant", "expected a number or a name, each once"));
        }
        names.push(own.to_owned());
        ended.push(read(&line, TeamNumber(at), arguments.order)?);
    }
    let mut ranked = match arguments.order {
        OrderName::EnteringSwiss => rank_entering_swiss(&ended),
        OrderName::Double => rank_double_knock_out(&ended),
        OrderName::Single => rank_single_knock_out(&ended),
    };
    let mut lot = Lot::new(seed);
    let mut order = Vec::new();
    for level in ranked.chunk_by_mut(|one, other| one.0 == other.0) {
        lot.shuffle(level);
        for &(_, team) in &*level {
            let at = usize::from(team.0);
            let own = ended[at];
            order.push(Ranked {
                place: u32::try_from(order.len() + 1).unwrap_or(u32::MAX),
                contestant: names[at].clone(),
                margin: (own.scored - own.conceded).to_f64(),
                lot: level.len() > 1,
            });
        }
    }
    let answer = Answer { seed, order };
    if arguments.json {
        return write_json(out, &answer);
    }
    let lots = answer.order.iter().any(|it| it.lot);
    for it in &answer.order {
        let by = if it.lot { "  by lot" } else { "" };
        writeln!(
            out,
            "{:>3}  {}  {:+}{by}",
            it.place, it.contestant, it.margin
        )?;
    }
    if lots {
        writeln!(out, "Lots drawn with --seed {seed}")?;
    }
    Ok(())
}

fn read(line: &Line<'_>, team: TeamNumber, order: OrderName) -> Result<KnockOut, CliError> {
    let imps = |column: &'static str| {
        let read = number::hundredths(line.text(column)).filter(|it| *it >= 0);
        read.map(|hundredths| Points::from_ten_thousandths(i64::from(hundredths) * 100))
            .ok_or_else(|| line.fault(column, "expected IMPs such as 41"))
    };
    let (scored, conceded) = (imps("scored")?, imps("conceded")?);
    let play_off = match line.text("play_off").to_ascii_lowercase().as_str() {
        "" | "-" => None,
        "won" => Some(true),
        "lost" => Some(false),
        _ => return Err(line.fault("play_off", "expected won, lost or nothing")),
    };
    if (scored == conceded) != play_off.is_some() {
        let sentence = "a level match has a play-off that was won or lost, and no other has one";
        return Err(line.fault("play_off", sentence));
    }
    let won = play_off.unwrap_or(scored > conceded);
    match order {
        OrderName::EnteringSwiss if won => {
            Err(line.fault("scored", "only who lost drops into a Swiss"))
        }
        OrderName::Double if !won => Err(line.fault(
            "scored",
            "only who won goes on in a double knock-out: order the losers with --order single",
        )),
        OrderName::EnteringSwiss | OrderName::Double | OrderName::Single => Ok(KnockOut {
            team,
            scored,
            conceded,
            play_off,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ordered(order: OrderName, text: &str) -> Result<String, String> {
        let arguments = Arguments {
            file: PathBuf::from("-"),
            order,
            seed: Some(17),
            json: false,
        };
        let mut out = Vec::new();
        let told = answer("ko.csv", text.as_bytes(), &arguments, 17, &mut out);
        told.map_err(|fault| fault.to_string())?;
        Ok(String::from_utf8(out).expect("text"))
    }

    #[test]
    fn losers_drop_in_by_the_smallest_loss_and_a_lost_play_off_comes_first() {
        // Hawks and Kites lost by as much: 41 for 38 is the smaller quotient of the two.
        let text = "contestant,scored,conceded,play_off\nOwls,20,41,\nHawks,38,41,\n\
            Kites,10,13,\nEagles,30,30,lost\n";
        let told = ordered(OrderName::EnteringSwiss, text).expect("an order");
        let names: Vec<&str> = told
            .lines()
            .filter_map(|line| line.split_whitespace().nth(1))
            .collect();
        assert_eq!(names, ["Eagles", "Hawks", "Kites", "Owls"]);
        assert!(!told.contains("lot"), "{told}");
    }

    #[test]
    fn a_single_knock_out_has_its_losers_first_and_equals_draw_a_lot_that_is_told() {
        let text = "contestant,scored,conceded\n1,50,20\n2,20,25\n3,60,20\n4,20,25\n";
        let told = ordered(OrderName::Single, text).expect("an order");
        let lines: Vec<&str> = told.lines().collect();
        assert!(lines[0].ends_with("-5  by lot") && lines[1].ends_with("-5  by lot"));
        assert!(
            lines[2].contains("3  +40") && lines[3].contains("1  +30"),
            "{told}"
        );
        assert_eq!(lines[4], "Lots drawn with --seed 17");
        assert_eq!(ordered(OrderName::Single, text), Ok(told));
    }

    #[test]
    fn a_file_that_cannot_be_so_is_refused_with_its_line() {
        for (order, text, why) in [
            (OrderName::EnteringSwiss, "1,50,20,", "only who lost"),
            (OrderName::Double, "1,20,50,", "only who won"),
            (OrderName::Single, "1,20,20,", "a level match has"),
            (OrderName::Single, "1,20,19,won", "a level match has"),
            (OrderName::Single, "1,many,19,", "expected IMPs"),
            (OrderName::Single, "1,20,19,\n1,19,20,", "each once"),
        ] {
            let text = format!("contestant,scored,conceded,play_off\n{text}\n");
            let told = ordered(order, &text).expect_err("a fault");
            assert!(told.contains(why), "{text}: {told}");
        }
    }
}
