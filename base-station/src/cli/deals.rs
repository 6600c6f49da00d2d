//! `byestand deals FILE`: reads a deal file of any format and writes it as PBN or JSON.

use std::collections::BTreeMap;
use std::io::{Read as _, Write};
use std::path::PathBuf;

use protocol::words::{Seat, Strain};
use serde::Serialize;

use super::{CliError, write_json};
use crate::deals::{DealtBoard, FILE_LEN_MAX, read, write_pbn};

/// Read a deal file of any format: PBN, LIN, RBN, DUP, DLM, BRI, DGE, CSV, BER, BHG, CDS or RZD,
/// known by its content.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The deal file
    file: PathBuf,
    /// Write the deals as PBN
    #[arg(long, conflicts_with = "json")]
    pbn: bool,
    /// Answer as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Answer {
    format: String,
    boards: Vec<Dealt>,
}

#[derive(Serialize)]
struct Dealt {
    board: u8,
    dealer: String,
    vulnerable: String,
    /// As PBN writes it.
    deal: String,
    /// By declarer, then by strain.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    tricks: BTreeMap<String, BTreeMap<String, u8>>,
    /// North-South's.
    #[serde(skip_serializing_if = "Option::is_none")]
    par: Option<i16>,
}

impl Dealt {
    fn of(dealt: &DealtBoard) -> Self {
        let strains = |seat: Seat| {
            let tricks = |strain: Strain| {
                let tricks = dealt.tricks?.get(seat, strain)?;
                Some((strain.to_string(), tricks.get()))
            };
            Strain::ALL.into_iter().filter_map(tricks).collect()
        };
        Self {
            board: dealt.board.get(),
            dealer: dealt.board.dealer().to_string(),
            vulnerable: dealt.board.vulnerability().to_string(),
            deal: dealt.deal_text(),
            tricks: Seat::ALL
                .into_iter()
                .map(|seat| (seat.to_string(), strains(seat)))
                .filter(|(_, strains): &(_, BTreeMap<_, _>)| !strains.is_empty())
                .collect(),
            par: dealt.par.map(|par| par.score.0),
        }
    }
}

/// Reads the file and writes what is in it.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), CliError> {
    let name = arguments.file.display();
    let unreadable = |fault| CliError::input(format!("{name}: {fault}"));
    let file = std::fs::File::open(&arguments.file).map_err(unreadable)?;
    // A little more than may be, so that a longer file is refused without being held.
    let limit = FILE_LEN_MAX as u64 + 1;
    let mut bytes = Vec::new();
    file.take(limit)
        .read_to_end(&mut bytes)
        .map_err(unreadable)?;
    let (format, deals) =
        read(&bytes).map_err(|refusal| CliError::input(format!("{name}: {refusal}")))?;
    if arguments.pbn {
        return Ok(out.write_all(write_pbn(&deals).as_bytes())?);
    }
    if arguments.json {
        let answer = Answer {
            format: format.to_string(),
            boards: deals.iter().map(Dealt::of).collect(),
        };
        return write_json(out, &answer);
    }
    writeln!(out, "{format}, {} boards", deals.len())?;
    for dealt in deals.iter() {
        writeln!(out, "{:>3}  {}", dealt.board, dealt.deal_text())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::cli::{CliError, Invocation, parse, run};

    fn says(arguments: &[&str]) -> Result<String, CliError> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/deals");
        let file = folder.join(arguments[0]).display().to_string();
        let words = ["byestand", "deals", file.as_str()];
        let words = words.into_iter().chain(arguments[1..].iter().copied());
        let Invocation::Run(arguments) = parse(words)? else {
            panic!("expected a command");
        };
        let mut out = Vec::new();
        run(arguments, &mut out)?;
        Ok(String::from_utf8(out).expect("text"))
    }

    #[test]
    fn a_file_of_a_dealing_machine_becomes_pbn_or_json_on_the_command_line() {
        let pbn = says(&["test.dup", "--pbn"]).expect("PBN");
        assert!(pbn.contains("[Board \"16\"]"), "{pbn}");
        assert_eq!(pbn, says(&["test.cds", "--pbn"]).expect("PBN"));
        let json = says(&["test-jfr.pbn", "--json"]).expect("JSON");
        let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
        assert_eq!(json["format"], "PBN");
        assert_eq!(json["boards"][0]["tricks"]["E"]["S"], 10);
        assert_eq!(json["boards"][0]["par"], -420);
        assert!(
            says(&["test.bhg"])
                .expect("a list")
                .starts_with("BHG, 16 boards\n")
        );
        let refused = says(&["LICENSE"]).expect_err("no deal file").to_string();
        assert!(refused.contains("this is no deal file"), "{refused}");
    }
}
