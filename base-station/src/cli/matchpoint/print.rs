//! Writes a scored session, for people and for programs.

use std::collections::BTreeMap;
use std::io::Write;

use protocol::words::{BoardNumber, PairNumber, Score, SectionLetter, Side};
use serde::Serialize;

use super::super::{CliError, write_json};
use crate::scoring::{
    Datum, Field, Form, Method, Outcome, Pair, Percent, Points, Ranking, Rules, Standing,
};

#[derive(Serialize)]
struct Answer {
    boards: Vec<Traveller>,
    ranking: Vec<Place>,
}

#[derive(Serialize)]
struct Traveller {
    board: BoardNumber,
    section: Option<char>,
    #[serde(skip_serializing_if = "Option::is_none")]
    top: Option<Points>,
    #[serde(skip_serializing_if = "Option::is_none")]
    datum: Option<f64>,
    /// Where the board was fouled, by form.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    datums: BTreeMap<char, f64>,
    rows: Vec<Line>,
}

#[derive(Serialize)]
struct Line {
    section: char,
    pair_ns: Option<PairNumber>,
    pair_ew: Option<PairNumber>,
    score_ns: Option<Score>,
    #[serde(flatten)]
    points: LinePoints,
}

#[derive(Serialize)]
#[serde(untagged)]
enum LinePoints {
    Matchpoints {
        mp_ns: Option<Points>,
        mp_ew: Option<Points>,
        percent_ns: Option<Percent>,
        percent_ew: Option<Percent>,
    },
    Imps {
        imps_ns: Option<Points>,
        imps_ew: Option<Points>,
    },
}

#[derive(Serialize)]
struct Place {
    section: char,
    direction: Option<String>,
    pair: PairNumber,
    boards: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    matchpoints: Option<Points>,
    #[serde(skip_serializing_if = "Option::is_none")]
    imps: Option<Points>,
    #[serde(skip_serializing_if = "Option::is_none")]
    percent: Option<Percent>,
    rank: u32,
}

/// As JSON.
pub(super) fn json(
    field: &mut Field,
    ranking: &Ranking,
    out: &mut impl Write,
) -> Result<(), CliError> {
    let imps = field.rules().method != Method::Matchpoints;
    let place = |standing: &Standing| Place {
        section: standing.contestant.section.letter(),
        direction: standing.contestant.direction.map(|side| side.to_string()),
        pair: standing.contestant.number,
        boards: standing.boards,
        matchpoints: (!imps).then_some(standing.points),
        imps: imps.then_some(standing.points),
        percent: standing.percent,
        rank: standing.rank.unwrap_or_default(),
    };
    let answer = Answer {
        boards: boards(field, ranking),
        ranking: ranking.standings.iter().map(place).collect(),
    };
    write_json(out, &answer)
}

/// As tables: the ranking first, then every board.
pub(super) fn text(
    field: &mut Field,
    ranking: &Ranking,
    out: &mut impl Write,
) -> Result<(), CliError> {
    let rules = field.rules().clone();
    let mut list = None;
    for standing in &ranking.standings {
        let contestant = standing.contestant;
        let own = (
            (!rules.across).then_some(contestant.section),
            contestant.direction,
        );
        if list != Some(own) {
            list = Some(own);
            writeln!(out, "{}", title(contestant, &rules))?;
            writeln!(out, "  rank  pair  boards     points  percent")?;
        }
        let pair = if rules.across {
            format!("{}{}", contestant.section, contestant.number)
        } else {
            contestant.number.to_string()
        };
        let percent = standing
            .percent
            .map(|it| it.to_string())
            .unwrap_or_default();
        writeln!(
            out,
            "  {:>4}  {pair:>4}  {:>6}  {:>9}  {percent:>7}",
            standing.rank.unwrap_or_default(),
            standing.boards,
            standing.points
        )?;
    }
    for board in boards(field, ranking) {
        write_board(&board, out)?;
    }
    Ok(())
}

fn title(contestant: Pair, rules: &Rules) -> String {
    let section = if rules.across {
        "All sections".into()
    } else {
        format!("Section {}", contestant.section)
    };
    match contestant.direction {
        Some(Side::NorthSouth) => format!("{section}, North-South"),
        Some(Side::EastWest) => format!("{section}, East-West"),
        None => section,
    }
}

/// The letter of a form; none where the file has none.
fn letter_of(form: Form) -> char {
    match form.0 {
        0 => '-',
        letter => char::from(letter),
    }
}

fn write_board(board: &Traveller, out: &mut impl Write) -> Result<(), CliError> {
    write!(out, "Board {}", board.board)?;
    if let Some(section) = board.section {
        write!(out, ", section {section}")?;
    }
    if let Some(top) = board.top {
        write!(out, ", top {top}")?;
    }
    if let Some(datum) = board.datum.filter(|_| board.datums.is_empty()) {
        write!(out, ", datum {datum}")?;
    }
    for (form, datum) in &board.datums {
        write!(out, ", datum of form {form} {datum}")?;
    }
    writeln!(out, "\n    NS    EW   score         NS         EW")?;
    let shown = |text: Option<String>| text.unwrap_or_else(|| "-".into());
    for line in &board.rows {
        let (ns, ew) = match line.points {
            LinePoints::Matchpoints { mp_ns, mp_ew, .. } => (mp_ns, mp_ew),
            LinePoints::Imps { imps_ns, imps_ew } => (imps_ns, imps_ew),
        };
        writeln!(
            out,
            "  {:>4}  {:>4}  {:>6}  {:>9}  {:>9}",
            shown(line.pair_ns.map(|pair| pair.to_string())),
            shown(line.pair_ew.map(|pair| pair.to_string())),
            shown(line.score_ns.map(|score| score.to_string())),
            shown(ns.map(|points| points.to_string())),
            shown(ew.map(|points| points.to_string())),
        )?;
    }
    Ok(())
}

fn boards(field: &mut Field, ranking: &Ranking) -> Vec<Traveller> {
    let rules = field.rules().clone();
    let keys: Vec<_> = field.boards().collect();
    keys.into_iter()
        .filter_map(|(section, number)| {
            let letter = section.unwrap_or(SectionLetter::A);
            let settled = field.settled(ranking, letter, number)?;
            let view = field.board(letter, number)?;
            let lines = view.rows.iter().zip(&settled.rows);
            Some(Traveller {
                board: number,
                section: section.map(SectionLetter::letter),
                top: (rules.method == Method::Matchpoints).then_some(view.top),
                datum: view.datum.map(Datum::to_f64),
                datums: settled
                    .forms
                    .iter()
                    .map(|(form, datum)| (letter_of(*form), datum.to_f64()))
                    .collect(),
                rows: lines
                    .map(|(row, scores)| {
                        let points = |side| scores.side(side).map(|score| score.points);
                        let (ns, ew) = (points(Side::NorthSouth), points(Side::EastWest));
                        Line {
                            section: row.section.letter(),
                            pair_ns: row.ns.map(|pair| pair.number),
                            pair_ew: row.ew.map(|pair| pair.number),
                            score_ns: match row.outcome {
                                Outcome::Score(score) => Some(score),
                                _ => None,
                            },
                            points: LinePoints::of(ns, ew, view.top, &rules),
                        }
                    })
                    .collect(),
            })
        })
        .collect()
}

impl LinePoints {
    fn of(ns: Option<Points>, ew: Option<Points>, top: Points, rules: &Rules) -> Self {
        if rules.method == Method::Matchpoints {
            Self::Matchpoints {
                mp_ns: ns,
                mp_ew: ew,
                percent_ns: ns.and_then(|points| points.percent_of(top)),
                percent_ew: ew.and_then(|points| points.percent_of(top)),
            }
        } else {
            Self::Imps {
                imps_ns: ns,
                imps_ew: ew,
            }
        }
    }
}
