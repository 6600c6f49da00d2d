//! PBN 2.1 with results: a game for each board, with its score table, and the totals in the first.

use std::fmt::Write as _;

use protocol::words::Side;

use super::evening::{Said, plain, plain_percent};
use super::{BoardSheet, Evening, LineSheet, PairSheet, SectionSheet};
use crate::scoring::Points;
use crate::session::PairId;
use crate::session::plan::Method;

pub(super) fn write(evening: &Evening) -> String {
    let mut text =
        "% PBN 2.1\r\n% EXPORT\r\n% Content-type: text/x-pbn; charset=UTF-8\r\n".to_owned();
    let mut first = true;
    for section in &evening.sections {
        for (at, sheet) in section.boards.iter().enumerate() {
            text.push_str("\r\n");
            game(&mut text, evening, section, sheet, first);
            if at == 0 {
                totals(&mut text, evening, section);
            }
            scores(&mut text, evening, sheet);
            first = false;
        }
    }
    text
}

fn tag(text: &mut String, name: &str, value: &str) {
    let value: String = value
        .chars()
        .filter(|letter| !letter.is_control())
        .flat_map(|letter| match letter {
            '"' | '\\' => vec!['\\', letter],
            letter => vec![letter],
        })
        .collect();
    // A string grows.
    let _ = write!(text, "[{name} \"{value}\"]\r\n");
}

fn game(
    text: &mut String,
    evening: &Evening,
    section: &SectionSheet,
    sheet: &BoardSheet,
    first: bool,
) {
    let once = |value: &str| {
        if first {
            value.to_owned()
        } else {
            "#".to_owned()
        }
    };
    let title = [evening.event.as_str(), evening.title.as_str()];
    let title: Vec<&str> = title.into_iter().filter(|it| !it.is_empty()).collect();
    tag(text, "Event", &once(&title.join(", ")));
    tag(text, "Site", &once(""));
    tag(text, "Date", &once(&evening.date.replace('-', ".")));
    tag(text, "Board", &sheet.board.to_string());
    for seat in ["West", "North", "East", "South"] {
        tag(text, seat, "");
    }
    let dealt = evening.deals.board(sheet.board);
    let known = dealt.map(crate::deals::DealtBoard::pbn_tags);
    let tags = known.unwrap_or_else(|| {
        let board = sheet.board;
        vec![
            ("Dealer", board.dealer().to_string()),
            ("Vulnerable", board.vulnerability().to_string()),
            // Four hands that nobody knows.
            ("Deal", "N:- - - -".to_owned()),
        ]
    });
    for (name, value) in tags.iter().filter(|(name, _)| *name != "Board") {
        let value = match (*name, value.as_str()) {
            ("Vulnerable", "none") => "None",
            ("Vulnerable", "both") => "All",
            (_, value) => value,
        };
        tag(text, name, value);
    }
    let scoring = match evening.method {
        Method::Matchpoints => "MatchPoints;MP2",
        Method::CrossImps => "IMP;Cross1",
        Method::Butler => "IMP;Butler-1",
    };
    for name in ["Declarer", "Contract", "Result"] {
        tag(text, name, "");
    }
    tag(text, "Scoring", scoring);
    tag(text, "Competition", "Pairs");
    tag(
        text,
        "Generator",
        concat!("Byestand ", env!("CARGO_PKG_VERSION")),
    );
    if evening.sections.len() > 1 {
        tag(text, "Section", &section.letter.to_string());
    }
}

/// Writes a table: its tag with the widths of the columns, then its lines.
fn table(text: &mut String, name: &str, columns: &[(&str, char)], rows: &[Vec<String>]) {
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells
            .map(|cell| cell.chars().count())
            .max()
            .unwrap_or(1)
            .max(1)
    };
    let heads: Vec<String> = (columns.iter().enumerate())
        .map(|(at, (name, side))| format!("{name}\\{}{side}", width(at)))
        .collect();
    // The backslashes of a table's heads are not doubled.
    let _ = write!(text, "[{name} \"{}\"]\r\n", heads.join(";"));
    for row in rows {
        let cells: Vec<String> = (row.iter().zip(columns).enumerate())
            .map(|(at, (cell, (_, side)))| {
                let width = width(at);
                if *side == 'R' {
                    format!("{cell:>width$}")
                } else {
                    format!("{cell:<width$}")
                }
            })
            .collect();
        let _ = write!(text, "{}\r\n", cells.join(" ").trim_end());
    }
}

/// A cell that is one word, as the notation asks for.
fn word(text: &str) -> String {
    let text: String = (text.chars())
        .filter(|letter| !letter.is_control() && *letter != '"')
        .collect();
    if text.is_empty() {
        "-".to_owned()
    } else if text.contains(' ') {
        format!("\"{text}\"")
    } else {
        text
    }
}

/// `7`, or `7NS` where both directions count from 1.
fn pair_id(pair: PairId) -> String {
    let side = pair.side.map_or_else(String::new, |side| side.to_string());
    format!("{}{side}", pair.number)
}

fn totals(text: &mut String, evening: &Evening, section: &SectionSheet) {
    let mut pairs: Vec<&PairSheet> = section.pairs.iter().collect();
    pairs.sort_by_key(|pair| {
        (
            pair.id.side == Some(Side::EastWest),
            pair.rank,
            pair.id.number,
        )
    });
    let matchpoints = evening.method == Method::Matchpoints;
    let total = if matchpoints {
        "TotalScoreMP"
    } else {
        "TotalScoreIMP"
    };
    let mut columns = vec![
        ("Rank", 'R'),
        ("RankTie", 'R'),
        ("PairId", 'R'),
        ("Direction", 'R'),
        (total, 'R'),
        ("TotalPercentage", 'R'),
        ("Names", 'L'),
        ("NrBoards", 'R'),
        ("MemberID1", 'R'),
        ("MemberID2", 'R'),
    ];
    if !matchpoints {
        columns.retain(|(name, _)| *name != "TotalPercentage");
    }
    let rows: Vec<Vec<String>> = (pairs.into_iter())
        .map(|pair| {
            let direction = match pair.id.side {
                Some(Side::NorthSouth) => "N-S",
                Some(Side::EastWest) => "E-W",
                None => "-",
            };
            let member = |at: usize| {
                let player = pair.players.get(at).filter(|it| it.number.is_some());
                player.map_or_else(|| "-".to_owned(), |player| player.written.clone())
            };
            let tie = if pair.shared { "=" } else { "-" };
            let percent = pair.percent.filter(|_| matchpoints);
            let mut row = vec![
                pair.rank.to_string(),
                tie.to_owned(),
                pair_id(pair.id),
                direction.to_owned(),
                plain(pair.points),
            ];
            row.extend(percent.map(plain_percent));
            row.extend([
                word(&pair.names(" & ")),
                pair.boards.to_string(),
                member(0),
                member(1),
            ]);
            row
        })
        .collect();
    table(text, "TotalScoreTable", &columns, &rows);
}

fn scores(text: &mut String, evening: &Evening, sheet: &BoardSheet) {
    let matchpoints = evening.method == Method::Matchpoints;
    let (ns, ew) = if matchpoints {
        ("MP_NS", "MP_EW")
    } else {
        ("IMP_NS", "IMP_EW")
    };
    let mut columns = vec![
        ("Table", 'R'),
        ("Round", 'R'),
        ("PairId_NS", 'R'),
        ("PairId_EW", 'R'),
        ("Contract", 'L'),
        ("Declarer", 'R'),
        ("Result", 'R'),
        ("Lead", 'L'),
        ("Score_NS", 'R'),
        ("Score_EW", 'R'),
        (ns, 'R'),
        (ew, 'R'),
    ];
    if matchpoints {
        columns.extend([("Percentage_NS", 'R'), ("Percentage_EW", 'R')]);
    }
    let rows: Vec<Vec<String>> = (sheet.lines.iter())
        .filter_map(|line| {
            let said = line.said()?;
            let mut row = vec![
                line.cell.table.to_string(),
                line.cell.round.to_string(),
                pair_id(line.ns),
                pair_id(line.ew),
            ];
            row.extend(result(line, &said));
            let points = |points: Option<Points>| points.map_or_else(|| "-".to_owned(), plain);
            row.extend([points(line.ns_points), points(line.ew_points)]);
            if matchpoints {
                let percents = [line.ns_percent, line.ew_percent];
                row.extend(percents.map(|it| it.map_or_else(|| "-".to_owned(), plain_percent)));
            }
            Some(row)
        })
        .collect();
    table(text, "ScoreTable", &columns, &rows);
}

/// Contract, declarer, tricks, lead and both scores. An award is written as its percentages,
/// `A60`, where a score would stand.
fn result(line: &LineSheet, said: &Said) -> [String; 6] {
    let none = || "-".to_owned();
    let both = |score: i16| [score.to_string(), (-i32::from(score)).to_string()];
    match said {
        Said::Played(played) => {
            let [ns, ew] = both(line.score.unwrap_or_default().0);
            [
                played.contract.to_string(),
                played.contract.declarer.to_string(),
                played.tricks.to_string(),
                played.lead.map_or_else(none, |lead| lead.to_string()),
                ns,
                ew,
            ]
        }
        Said::PassedOut => ["Pass", "-", "-", "-", "0", "0"].map(str::to_owned),
        Said::Score(score) => {
            let [ns, ew] = both(score.0);
            [none(), none(), none(), none(), ns, ew]
        }
        Said::Awarded(percents) => {
            let [ns, ew] = percents.map(|percent| {
                percent.map_or_else(none, |it| {
                    let percent = crate::scoring::Percent(i32::from(it));
                    format!("A{}", plain_percent(percent))
                })
            });
            [none(), none(), none(), none(), ns, ew]
        }
    }
}
