//! The choices of `byestand matchpoint`, turned into rules.

use clap::ValueEnum;
use protocol::words::{PairNumber, SectionLetter, Side};

use super::super::{CliError, number};
use crate::scoring::{
    AdjustedRows, DatumRules, Field, FouledBoards, Method, Pair, Penalty, Percent, Points,
    Rounding, Rules, Scale, ShortBoards, Trimming,
};

/// How the session is scored.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Options {
    /// What results are turned into
    #[arg(long, value_enum, default_value_t)]
    method: MethodName,
    /// All sections are one field, with one ranking
    #[arg(long)]
    across: bool,
    /// How real results are matchpointed beside adjusted ones
    #[arg(long, value_enum, default_value_t)]
    adjusted: AdjustedName,
    /// What boards with fewer results than others are worth
    #[arg(long, value_enum, default_value_t)]
    short_boards: ShortBoardsName,
    /// How the forms of a fouled board are matchpointed
    #[arg(long, value_enum, default_value_t)]
    fouled: FouledName,
    /// To what computed points are rounded
    #[arg(long, value_enum, default_value_t)]
    rounding: RoundingName,
    /// One point for a win instead of two
    #[arg(long)]
    single: bool,
    /// Whose rule for the Butler datum
    #[arg(long, value_enum, default_value_t)]
    datum: DatumName,
    /// All pairs in one list, numbered through
    #[arg(long)]
    one_winner: bool,
    /// Takes a share of a top off: NS3=10 is ten percent, or ten IMPs where IMPs are scored
    /// (B:NS3=10 in section B, 3=10 with one winner)
    #[arg(long, value_name = "PAIR=AMOUNT")]
    penalty: Vec<String>,
    /// Adds to the percentage: NS3=-7.5
    #[arg(long, value_name = "PAIR=PERCENT")]
    handicap: Vec<String>,
    /// Adds matchpoints or IMPs from an earlier stage: NS3=12.5
    #[arg(long, value_name = "PAIR=POINTS")]
    carry_over: Vec<String>,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum MethodName {
    /// Two for every worse result, one for an equal one
    #[default]
    Matchpoints,
    /// IMPs against the datum
    Butler,
    /// IMPs against every other table, averaged
    Ximp,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum AdjustedName {
    /// Every adjusted row counts as a tie
    Manual,
    /// Real results are stretched to the whole field
    #[default]
    Neuberg,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum ShortBoardsName {
    /// As much as any: stretched by Neuberg to the results of the boards played most
    #[default]
    CommonTop,
    /// Their own, smaller top, as the club manual does it
    OwnTop,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum FouledName {
    /// Each form by itself, stretched to the field; small forms get fixed percentages
    #[default]
    ByForm,
    /// Each form by itself, and a tie with every result of the other forms
    Quick,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum RoundingName {
    #[value(name = "0.1")]
    Tenth,
    #[default]
    #[value(name = "0.01")]
    Hundredth,
    #[value(name = "0.0001")]
    TenThousandth,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum DatumName {
    /// SABF round robin: a sixth off at each end from 6 results on
    #[value(name = "sabf")]
    Sabf,
    /// SABF Swiss: as the round robin in rounds 1 and 2, then the top twelve tables without two at each end
    #[value(name = "sabf-swiss")]
    SabfSwiss,
    /// ABF championships: one, two, or a tenth at each end
    #[value(name = "abf")]
    Abf,
    /// ABF championships, open pairs, first stage: three at each end
    #[value(name = "abf-open")]
    AbfOpen,
    /// GNOT: two at each end
    #[value(name = "gnot")]
    Gnot,
    /// Club manual: the top and the bottom score
    #[default]
    #[value(name = "club")]
    Club,
}

impl Options {
    /// The rules these choices mean.
    pub fn rules(&self) -> Rules {
        Rules {
            method: match self.method {
                MethodName::Matchpoints => Method::Matchpoints,
                MethodName::Butler => Method::Butler(DatumRules::new(self.datum.trimming())),
                MethodName::Ximp => Method::CrossImps,
            },
            scale: if self.single {
                Scale::Single
            } else {
                Scale::Double
            },
            adjusted: match self.adjusted {
                AdjustedName::Manual => AdjustedRows::Manual,
                AdjustedName::Neuberg => AdjustedRows::Neuberg,
            },
            short_boards: match self.short_boards {
                ShortBoardsName::CommonTop => ShortBoards::CommonTop,
                ShortBoardsName::OwnTop => ShortBoards::OwnTop,
            },
            fouled: match self.fouled {
                FouledName::ByForm => FouledBoards::ByForm,
                FouledName::Quick => FouledBoards::Quick,
            },
            rounding: match self.rounding {
                RoundingName::Tenth => Rounding::Tenth,
                RoundingName::Hundredth => Rounding::Hundredth,
                RoundingName::TenThousandth => Rounding::TenThousandth,
            },
            across: self.across,
            ..Rules::default()
        }
    }

    /// Whether all pairs are in one list.
    pub(super) const fn one_winner(&self) -> bool {
        self.one_winner
    }

    /// Gives the field its penalties, handicaps and carry-over.
    pub(super) fn adjust(&self, field: &mut Field) -> Result<(), CliError> {
        let read = |option: &str, text: &String| {
            assignment(text, self.one_winner).ok_or_else(|| {
                let expected = if self.one_winner {
                    "expected a pair and a number, such as 3=10 or B:4=2.5"
                } else {
                    "expected a pair and a number, such as NS3=10 or B:EW4=2.5"
                };
                CliError::argument(option, text, expected)
            })
        };
        for text in &self.penalty {
            let (contestant, hundredths) = read("--penalty", text)?;
            let penalty = match field.rules().method {
                Method::Matchpoints => Penalty::OfATop(Percent(hundredths)),
                Method::Butler(_) | Method::CrossImps => Penalty::Points(points(hundredths)),
            };
            let adjustments = field.adjustments_mut();
            adjustments.penalties.push((contestant, penalty));
        }
        for text in &self.handicap {
            let (contestant, hundredths) = read("--handicap", text)?;
            let adjustments = field.adjustments_mut();
            adjustments
                .handicaps
                .insert(contestant, Percent(hundredths));
        }
        for text in &self.carry_over {
            let (contestant, hundredths) = read("--carry-over", text)?;
            let adjustments = field.adjustments_mut();
            adjustments
                .carry_over
                .insert(contestant, points(hundredths));
        }
        Ok(())
    }
}

impl DatumName {
    fn trimming(self) -> Trimming {
        match self {
            Self::Sabf => Trimming::Sixth,
            Self::SabfSwiss => Trimming::SwissTopTwelve,
            Self::Abf => Trimming::Tenth,
            Self::AbfOpen => Trimming::Each(3),
            Self::Gnot => Trimming::Each(2),
            Self::Club => Trimming::Each(1),
        }
    }
}

fn points(hundredths: i32) -> Points {
    Points::from_ten_thousandths(i64::from(hundredths) * 100)
}

/// Reads `B:NS3=10`.
fn assignment(text: &str, one_winner: bool) -> Option<(Pair, i32)> {
    let (who, amount) = text.split_once('=')?;
    let (section, who) = match who.split_once(':') {
        Some((section, who)) => (section.parse().ok()?, who.trim()),
        None => (SectionLetter::A, who.trim()),
    };
    let (direction, number) = if one_winner {
        (None, who)
    } else {
        let (direction, number) = who.split_at_checked(2)?;
        let direction = direction.to_ascii_uppercase().parse::<Side>().ok()?;
        (Some(direction), number)
    };
    let contestant = Pair {
        section,
        direction,
        number: number.parse::<PairNumber>().ok()?,
    };
    Some((contestant, number::hundredths(amount)?))
}
