//! Reads PBN with results: a score table for each board, and the totals where they are.

use std::collections::BTreeMap;

use protocol::words::{
    BoardNumber, BoardResult, Card, Contract, Percentage, Played, Score, Seat, SectionLetter, Side,
    Tricks,
};

use super::{NotTaken, PairKey, Taken, TakenLine, TakenPair, no_board_number};
use crate::deals::{PbnGame, read_pbn, read_pbn_games};
use crate::session::plan::{Method, Ruling, SideAward};
use crate::view::of_deal_file;
use telling::tell;

pub(super) fn read(bytes: &[u8]) -> Result<Taken, NotTaken> {
    let games = read_pbn_games(bytes).map_err(|refusal| NotTaken(of_deal_file(&refusal)))?;
    let value = |name: &str| {
        let mut values = games.iter().filter_map(|game| game.value(name));
        values.find(|value| !value.is_empty()).unwrap_or_default()
    };
    let mut taken = Taken {
        format: "PBN",
        event: value("Event").to_owned(),
        date: date(value("Date")),
        method: method(value("Scoring"))?,
        single: false,
        across_sections: false,
        sections: BTreeMap::new(),
        // Results without cards are no deals, and no fault of the file.
        deals: read_pbn(bytes).unwrap_or_default(),
        notes: Vec::new(),
    };
    let two_winners = games.iter().any(says_two_winners);
    let mut letter = SectionLetter::A;
    for game in &games {
        if let Some(named) = game.value("Section") {
            let named = named.trim().chars().next().and_then(SectionLetter::new);
            letter = named.unwrap_or(letter);
        }
        let section = taken.sections.entry(letter).or_default();
        section.one_winner = !two_winners;
        if let Some(totals) = game.table("TotalScoreTable") {
            for row in Rows::of(&totals) {
                if let Some((key, pair)) = total(&row, two_winners) {
                    section.pairs.insert(key, pair);
                }
            }
        }
        let Some(table) = game.table("ScoreTable") else {
            continue;
        };
        let number = game.value("Board").unwrap_or_default();
        let board: BoardNumber = number.parse().map_err(|_| no_board_number(number))?;
        for row in Rows::of(&table) {
            if row.get("Score_NS").eq_ignore_ascii_case("bye") {
                continue;
            }
            match line(&row, board, two_winners) {
                Some(line) => section.lines.push(line),
                None => taken.notes.push(tell!(Exchange::BoardResultPairsCould {
                    board,
                    ns: row.get("PairId_NS"),
                    ew: row.get("PairId_EW")
                })),
            }
        }
    }
    Ok(taken)
}

/// `2026.11.16`; a day that is not known is one.
fn date(text: &str) -> String {
    let parts: Vec<u16> = text
        .split('.')
        .filter_map(|part| part.parse().ok())
        .collect();
    match parts.as_slice() {
        [year, month, day] => format!("{year:04}-{month:02}-{day:02}"),
        _ => "2000-01-01".to_owned(),
    }
}

fn method(scoring: &str) -> Result<Method, NotTaken> {
    let scoring = scoring.to_ascii_lowercase();
    if scoring.is_empty() || scoring.contains("matchpoint") || scoring.starts_with("mp") {
        Ok(Method::Matchpoints)
    } else if scoring.contains("butler") {
        Ok(Method::Butler)
    } else if scoring.contains("cross") || scoring == "imp" {
        Ok(Method::CrossImps)
    } else {
        Err(NotTaken::because(tell!(Exchange::ScoredOtherwise {
            given: scoring
        })))
    }
}

/// A table of a PBN game, a row at a time.
struct Rows {
    columns: Vec<String>,
    rows: std::vec::IntoIter<String>,
}

struct Row {
    cells: BTreeMap<String, String>,
}

impl Rows {
    /// The head is `Rank\1R;PairId\3R;Names`.
    fn of((head, lines): &(String, Vec<String>)) -> Self {
        let name = |column: &str| {
            column
                .split('\\')
                .next()
                .unwrap_or_default()
                .trim()
                .to_owned()
        };
        Self {
            columns: head.split(';').map(name).collect(),
            rows: lines.clone().into_iter(),
        }
    }
}

impl Iterator for Rows {
    type Item = Row;

    fn next(&mut self) -> Option<Row> {
        let line = self.rows.next()?;
        let cells = self.columns.iter().cloned().zip(words(&line)).collect();
        Some(Row { cells })
    }
}

impl Row {
    /// Empty where the table has no such column.
    fn get(&self, column: &str) -> &str {
        self.cells.get(column).map_or("", String::as_str)
    }
}

/// Words of a line; those in quotes may have spaces.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = line.trim_start();
    while !rest.is_empty() {
        let (word, after) = match rest.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => rest.split_once(char::is_whitespace).unwrap_or((rest, "")),
        };
        words.push(word.to_owned());
        rest = after.trim_start();
    }
    words
}

/// Pairs of both directions that have the same number, or numbers that name their direction.
fn says_two_winners(game: &PbnGame) -> bool {
    let Some(totals) = game.table("TotalScoreTable") else {
        return false;
    };
    let ids: Vec<String> = Rows::of(&totals)
        .map(|row| row.get("PairId").to_owned())
        .collect();
    let repeated = |id: &String| ids.iter().filter(|other| *other == id).count() > 1;
    ids.iter()
        .any(|id| id.ends_with("NS") || id.ends_with("EW"))
        || ids.iter().any(repeated)
}

fn key(text: &str, two_winners: bool, side: Option<Side>) -> Option<PairKey> {
    let (digits, named) = if let Some(digits) = text.strip_suffix("NS") {
        (digits, Some(Side::NorthSouth))
    } else if let Some(digits) = text.strip_suffix("EW") {
        (digits, Some(Side::EastWest))
    } else {
        (text, None)
    };
    Some(PairKey {
        side: named.or(side).filter(|_| two_winners),
        number: digits.trim().parse().ok()?,
    })
}

fn total(row: &Row, two_winners: bool) -> Option<(PairKey, TakenPair)> {
    let side = row.get("Direction").replace('-', "").parse::<Side>().ok();
    let key = key(row.get("PairId"), two_winners, side)?;
    let names = row.get("Names");
    let mut names = [" & ", " - ", " – ", "&", "/"]
        .into_iter()
        .find(|between| names.contains(between))
        .map_or_else(|| vec![names], |between| names.splitn(2, between).collect())
        .into_iter();
    let mut player = |number: &str| {
        let name = names.next().unwrap_or_default().trim();
        let name = if name == "-" { "" } else { name };
        (name.to_owned(), row.get(number).parse().ok())
    };
    let players = [player("MemberID1"), player("MemberID2")];
    let pair = TakenPair {
        players,
        adjustment: 0,
        place: row.get("Rank").to_owned(),
    };
    Some((key, pair))
}

fn line(row: &Row, board: BoardNumber, two_winners: bool) -> Option<TakenLine> {
    let side = |column, side| key(row.get(column), two_winners, Some(side));
    let place = row
        .get("Table")
        .parse()
        .ok()
        .zip(row.get("Round").parse().ok());
    Some(TakenLine {
        board,
        ns: side("PairId_NS", Side::NorthSouth)?,
        ew: side("PairId_EW", Side::EastWest)?,
        place,
        ruling: ruling(row)?,
        both: both(row),
    })
}

/// Matchpoints of both sides together, in ten-thousandths.
fn both(row: &Row) -> Option<i64> {
    let points = |column| {
        let (whole, parts) = row
            .get(column)
            .split_once('.')
            .unwrap_or((row.get(column), ""));
        let parts: String = parts.chars().chain("0000".chars()).take(4).collect();
        let whole: i64 = whole
            .parse()
            .ok()
            .filter(|it| (0..10_000_000).contains(it))?;
        Some(whole * 10_000 + parts.parse::<i64>().ok()?)
    };
    Some(points("MP_NS")? + points("MP_EW")?)
}

fn ruling(row: &Row) -> Option<Ruling> {
    let contract = row.get("Contract");
    if contract.eq_ignore_ascii_case("pass") {
        return Some(Ruling::Result(BoardResult::PassedOut));
    }
    if !matches!(contract, "" | "-") {
        let declarer: Seat = row.get("Declarer").parse().ok()?;
        let contract = Contract::parse(contract, declarer).ok()?;
        let tricks: Tricks = row.get("Result").parse().ok()?;
        let lead: Option<Card> = row.get("Lead").parse().ok();
        return Some(Ruling::Result(BoardResult::Played(Played {
            contract,
            tricks,
            lead,
        })));
    }
    let (ns, ew) = (row.get("Score_NS"), row.get("Score_EW"));
    if let (Some(ns), Some(ew)) = (ns.strip_prefix('A'), ew.strip_prefix('A')) {
        let share = |text: &str| {
            let (whole, parts) = text.split_once('.').unwrap_or((text, ""));
            let parts: String = parts.chars().chain("00".chars()).take(2).collect();
            let hundredths = whole.parse::<u16>().ok()?.checked_mul(100)?;
            Percentage::new(hundredths.checked_add(parts.parse().ok()?)?)
        };
        let (ns, ew) = (share(ns)?, share(ew)?);
        return Some(Ruling::Result(BoardResult::Adjusted { ns, ew }));
    }
    let score = ns.parse().ok().map(Score)?;
    Some(Ruling::Award {
        ns: SideAward::Score(score),
        ew: SideAward::Score(score),
    })
}
