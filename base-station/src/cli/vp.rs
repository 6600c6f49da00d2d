//! `byestand vp --scale wbf --boards 14 --imps 8`: what a match is worth in victory points.

use std::io::Write;

use clap::ValueEnum;
use clap::builder::PossibleValue;
use serde::Serialize;

use super::{CliError, number, write_json};
use crate::scoring::{Percent, VpScale, VpShare};

/// Victory points for a match.
#[derive(Debug, clap::Args)]
#[command(allow_negative_numbers = true)]
pub struct Arguments {
    /// Which scale the event uses
    #[arg(long, value_enum, default_value_t = ScaleName(VpScale::Wbf))]
    scale: ScaleName,
    /// How many boards the match had
    #[arg(long, value_name = "NUMBER")]
    boards: Option<String>,
    /// The winner's margin in IMPs
    #[arg(long, value_name = "MARGIN", conflicts_with = "percent")]
    imps: Option<String>,
    /// A side's percentage, where the scale takes one
    #[arg(long, value_name = "PERCENT")]
    percent: Option<String>,
    /// A Butler match: uses the column of the teams scale for seven tenths of the boards
    #[arg(long)]
    butler: bool,
    /// What the loser gets on the ITC scale: 35 less the margin, or what is left of 70
    #[arg(long, value_enum, default_value_t = Loser::Floor)]
    loser: Loser,
    /// Answer as JSON
    #[arg(long)]
    json: bool,
}

/// A scale by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ScaleName(VpScale);

impl ValueEnum for ScaleName {
    fn value_variants<'a>() -> &'a [Self] {
        const ALL: [ScaleName; VpScale::ALL.len()] = {
            let mut all = [ScaleName(VpScale::Wbf); VpScale::ALL.len()];
            let mut at = 0;
            while at < all.len() {
                all[at] = ScaleName(VpScale::ALL[at]);
                at += 1;
            }
            all
        };
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let (name, about) = self.0.name();
        Some(PossibleValue::new(name).help(about))
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Loser {
    /// 35 less the margin, not below 0
    Floor,
    /// What the winner leaves of 70
    Complement,
}

#[derive(Serialize)]
struct Answer {
    boards: Option<u16>,
    #[serde(flatten)]
    share: VpShare,
}

/// Answers with both sides' victory points.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), CliError> {
    let scale = arguments.scale.scale(arguments.loser);
    let boards = boards(arguments)?;
    let share = share(arguments, scale, boards)?;
    if arguments.json {
        return write_json(out, &Answer { boards, share });
    }
    writeln!(out, "{} - {}", share.winner, share.loser)?;
    Ok(())
}

/// The column of the scale; `None` for a scale that does not ask for boards.
fn boards(arguments: &Arguments) -> Result<Option<u16>, CliError> {
    let Some(text) = &arguments.boards else {
        return match arguments.scale.0 {
            VpScale::Abf12 => Ok(Some(12)),
            VpScale::Ipc | VpScale::Itc | VpScale::ItcComplement => Ok(None),
            _ => Err(CliError::input(
                "how many boards? this scale needs --boards with the number of boards in the match",
            )),
        };
    };
    let boards: u16 = text
        .parse()
        .ok()
        .filter(|&boards| boards > 0)
        .ok_or_else(|| {
            CliError::argument(
                "--boards",
                text,
                "expected a number of boards from 1 to 999",
            )
        })?;
    Ok(Some(if arguments.butler {
        VpScale::butler_boards(boards)
    } else {
        boards
    }))
}

fn share(arguments: &Arguments, scale: VpScale, boards: Option<u16>) -> Result<VpShare, CliError> {
    let column = boards.unwrap_or_default();
    match (&arguments.imps, &arguments.percent) {
        (Some(text), _) => {
            let margin = text.parse().map_err(|_| {
                let expected = "expected the winner's margin, a whole number from 0";
                CliError::argument("--imps", text, expected)
            })?;
            scale.by_imps(column, margin).map_err(CliError::input)
        }
        (None, Some(text)) => {
            let percent = number::hundredths(text).map(Percent).ok_or_else(|| {
                CliError::argument("--percent", text, "expected a percentage such as 56.25")
            })?;
            scale.by_percent(column, percent).map_err(CliError::input)
        }
        (None, None) => Err(CliError::input(match scale {
            VpScale::Ipc | VpScale::MatchpointSwiss => {
                "by how much? this scale needs --percent with one side's percentage"
            }
            _ => "by how much? this scale needs --imps with the winner's margin",
        })),
    }
}

impl ScaleName {
    /// The scale itself.
    pub(super) fn scale(self, loser: Loser) -> VpScale {
        match (self.0, loser) {
            (VpScale::Itc, Loser::Complement) => VpScale::ItcComplement,
            (scale, Loser::Floor | Loser::Complement) => scale,
        }
    }
}
