//! Reads BWS: the database between scoring programs and table terminals, of Access 97 or 2000.
//!
//! Columns are found by their names, and what is missing has its default: programs leave columns
//! out, and add others of their own.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Cursor;

use jetdb::{PageReader, Value, find_table, read_catalog, read_table_def, read_table_rows};
use protocol::message::TricksTable;
use protocol::words::{
    BoardNumber, BoardResult, Card, Contract, Deal, Hand, PairNumber, Percentage, Played,
    PlayerNumber, Rank, Seat, SectionLetter, Side, Strain, Suit, Tricks,
};

use super::{NotTaken, PairKey, Taken, TakenLine, TakenSection};
use crate::deals::{Deals, DealtBoard};
use crate::session::plan::{Method, Ruling};
use telling::{Told, tell};

/// How such a file begins.
pub(in crate::exchange) const MAGIC: &[u8] = b"\x00\x01\x00\x00Standard Jet DB";

/// Rows of one table, each by the names of its columns.
type Rows = Vec<Row>;

/// A row by the names of its columns.
pub(in crate::exchange) struct Row(BTreeMap<String, Value>);

impl Row {
    /// Of our own reader.
    pub(in crate::exchange) fn of(stored: &jet::Stored) -> Self {
        let values = stored.values.iter().map(|(name, value)| {
            let value = match value {
                jet::Value::Bit(bit) => Value::Bool(*bit),
                jet::Value::Int(number) => Value::Int(*number),
                jet::Value::Long(number) => Value::Long(*number),
                jet::Value::Date(days) => Value::Timestamp(*days),
                jet::Value::Text(text) => Value::Text(text.clone()),
                jet::Value::Null | jet::Value::Binary(_) => Value::Null,
            };
            (name.clone(), value)
        });
        Self(values.collect())
    }

    /// Whether its table has this column at all.
    pub(in crate::exchange) fn has(&self, column: &str) -> bool {
        self.0.contains_key(column)
    }

    pub(in crate::exchange) fn number(&self, column: &str) -> i64 {
        match self.0.get(column) {
            Some(Value::Int(number)) => i64::from(*number),
            Some(Value::Long(number)) => i64::from(*number),
            Some(Value::Byte(number)) => i64::from(*number),
            _ => 0,
        }
    }

    pub(in crate::exchange) fn text(&self, column: &str) -> &str {
        match self.0.get(column) {
            Some(Value::Text(text)) => text.trim(),
            _ => "",
        }
    }

    pub(in crate::exchange) fn is(&self, column: &str) -> bool {
        matches!(self.0.get(column), Some(Value::Bool(true)))
    }

    /// As 2026-11-16.
    pub(in crate::exchange) fn day(&self, column: &str) -> Option<String> {
        let Some(Value::Timestamp(days)) = self.0.get(column) else {
            return None;
        };
        #[expect(clippy::cast_possible_truncation, reason = "checked before")]
        let days = Some(days.floor()).filter(|days| (20_000.0..80_000.0).contains(days))? as i64;
        let first = jiff::civil::date(1899, 12, 30);
        let day = first.checked_add(jiff::SignedDuration::from_hours(days * 24));
        day.ok().map(|day| day.to_string())
    }
}

/// The tables that we want, as far as they are there.
pub(in crate::exchange) struct Database(BTreeMap<&'static str, Rows>);

const TABLES: [&str; 10] = [
    "Session",
    "Settings",
    "Tables",
    "Section",
    "RoundData",
    "ReceivedData",
    "PlayerNumbers",
    "PlayerNames",
    "HandRecord",
    "HandEvaluation",
];

impl Database {
    pub(in crate::exchange) fn read(bytes: &[u8]) -> Result<Self, NotTaken> {
        let broken = |fault: jetdb::FileError| {
            NotTaken::because(tell!(Exchange::DatabaseDamaged {
                fault: fault.to_string()
            }))
        };
        let mut reader = PageReader::open_reader(Cursor::new(bytes.to_vec())).map_err(broken)?;
        let catalogue = read_catalog(&mut reader).map_err(broken)?;
        let mut tables = BTreeMap::new();
        for name in TABLES {
            let Ok(entry) = find_table(&catalogue, name) else {
                continue;
            };
            let page = entry.table_page;
            let table = read_table_def(&mut reader, name, page).map_err(broken)?;
            let read = read_table_rows(&mut reader, &table).map_err(broken)?;
            if read.skipped_rows > 0 {
                return Err(NotTaken::because(tell!(Exchange::RowsUnreadable {
                    n: read.skipped_rows,
                    name
                })));
            }
            let columns = || table.columns.iter().map(|column| column.name.clone());
            let rows = read.rows.into_iter();
            let rows = rows.map(|row| Row(columns().zip(row).collect()));
            tables.insert(name, rows.collect());
        }
        Ok(Self(tables))
    }

    pub(in crate::exchange) fn rows(&self, table: &str) -> &[Row] {
        self.0.get(table).map_or(&[], Vec::as_slice)
    }
}

pub(super) fn read(bytes: &[u8]) -> Result<Taken, NotTaken> {
    let file = Database::read(bytes)?;
    let session = file.rows("Session").first();
    let day = session.and_then(|row| row.day("Date"));
    let played = || {
        file.rows("ReceivedData")
            .iter()
            .find_map(|row| row.day("DateLog"))
    };
    let mut taken = Taken {
        format: "BWS",
        event: session
            .map(|row| row.text("Name"))
            .unwrap_or_default()
            .to_owned(),
        date: day
            .or_else(played)
            .unwrap_or_else(|| "2000-01-01".to_owned()),
        // The file does not say more than that terminals should show percentages.
        method: Method::Matchpoints,
        single: false,
        across_sections: false,
        sections: BTreeMap::new(),
        deals: deals(&file),
        notes: Vec::new(),
    };
    for (id, letter) in letters(&file) {
        let section = section(&file, id, &mut taken.notes);
        taken.sections.insert(letter, section);
    }
    Ok(taken)
}

/// The letter of each section; sections that are only numbers get the next free one.
pub(in crate::exchange) fn letters(file: &Database) -> BTreeMap<i64, SectionLetter> {
    let mut letters = BTreeMap::new();
    let mut used = BTreeSet::new();
    let named = file.rows("Section").iter().map(|row| {
        let letter = row.text("Letter").chars().next();
        (row.number("ID"), letter.and_then(SectionLetter::new))
    });
    let others = file
        .rows("ReceivedData")
        .iter()
        .map(|row| (row.number("Section"), None));
    for (id, letter) in named.chain(others) {
        if letters.contains_key(&id) {
            continue;
        }
        let free = || ('A'..='Z').filter_map(SectionLetter::new);
        let letter = letter.filter(|letter| !used.contains(letter));
        if let Some(letter) = letter.or_else(|| free().find(|letter| !used.contains(letter))) {
            used.insert(letter);
            letters.insert(id, letter);
        }
    }
    letters
}

fn section(file: &Database, id: i64, notes: &mut Vec<Told>) -> TakenSection {
    let of_section = |table: &str| {
        let rows = file.rows(table).iter();
        rows.filter(|row| row.number("Section") == id)
            .collect::<Vec<_>>()
    };
    let winners = file
        .rows("Section")
        .iter()
        .find(|row| row.number("ID") == id);
    let one_winner = match winners.map_or(0, |row| row.number("Winners")) {
        1 => true,
        2 => false,
        _ => !two_lists(&of_section("RoundData")),
    };
    let mut section = TakenSection {
        one_winner,
        ..TakenSection::default()
    };
    let latest = latest(of_section("ReceivedData"));
    for row in latest.into_values() {
        if row.text("Remarks").eq_ignore_ascii_case("not played") {
            continue;
        }
        match line(row, one_winner) {
            Some(line) => section.lines.push(line),
            None => notes.push(tell!(Exchange::BoardResultPairsCould {
                board: row.number("Board"),
                ns: row.number("PairNS"),
                ew: row.number("PairEW")
            })),
        }
    }
    let seats = of_section("RoundData");
    for row in of_section("PlayerNumbers") {
        name(file, row, &seats, &mut section);
    }
    section
}

/// The row that counts of each table, round and board. A correction is a later row, and the earlier
/// one may or may not be marked.
pub(in crate::exchange) fn latest(mut received: Vec<&Row>) -> BTreeMap<(i64, i64, i64), &Row> {
    let mut latest: BTreeMap<(i64, i64, i64), &Row> = BTreeMap::new();
    received.sort_by_key(|row| row.number("ID"));
    for row in received {
        let place = (
            row.number("Table"),
            row.number("Round"),
            row.number("Board"),
        );
        if row.is("Erased") {
            // What was there before is gone as well, if it is the same.
            latest.remove(&place);
        } else {
            latest.insert(place, row);
        }
    }
    latest
}

/// In one round the same number sits both ways, or the two directions share no number at all.
pub(in crate::exchange) fn two_lists(rounds: &[&Row]) -> bool {
    let mut north_south = BTreeSet::new();
    let mut east_west = BTreeSet::new();
    for row in rounds {
        let round = row.number("Round");
        let pairs = [row.number("NSPair"), row.number("EWPair")];
        if pairs[0] > 0 {
            north_south.insert((round, pairs[0]));
        }
        if pairs[1] > 0 {
            east_west.insert((round, pairs[1]));
        }
    }
    let numbers =
        |pairs: &BTreeSet<(i64, i64)>| pairs.iter().map(|(_, pair)| *pair).collect::<BTreeSet<_>>();
    north_south.intersection(&east_west).next().is_some()
        || numbers(&north_south).is_disjoint(&numbers(&east_west))
}

pub(in crate::exchange) fn key(number: i64, side: Side, one_winner: bool) -> Option<PairKey> {
    Some(PairKey {
        side: (!one_winner).then_some(side),
        number: u16::try_from(number).ok().and_then(PairNumber::new)?,
    })
}

pub(in crate::exchange) fn line(row: &Row, one_winner: bool) -> Option<TakenLine> {
    let (ns, ew) = if row.text("Remarks").eq_ignore_ascii_case("wrong direction") {
        (Side::EastWest, Side::NorthSouth)
    } else {
        (Side::NorthSouth, Side::EastWest)
    };
    let table = u16::try_from(row.number("Table")).ok()?;
    let round = u8::try_from(row.number("Round")).ok()?;
    Some(TakenLine {
        board: board(row)?,
        ns: key(row.number("PairNS"), ns, one_winner)?,
        ew: key(row.number("PairEW"), ew, one_winner)?,
        place: Some((table.try_into().ok()?, round.try_into().ok()?)),
        ruling: ruling(row)?,
        both: None,
    })
}

pub(in crate::exchange) fn board(row: &Row) -> Option<BoardNumber> {
    let number = u8::try_from(row.number("Board")).ok()?;
    BoardNumber::new(number)
}

fn ruling(row: &Row) -> Option<Ruling> {
    let remarks = row.text("Remarks");
    if let Some((ns, ew)) = remarks.split_once('-').filter(|_| remarks.contains('%')) {
        let share = |text: &str| Percentage::whole(text.trim().trim_end_matches('%').parse().ok()?);
        let (ns, ew) = (share(ns)?, share(ew)?);
        return Some(Ruling::Result(BoardResult::Adjusted { ns, ew }));
    }
    let contract = row.text("Contract");
    if contract.eq_ignore_ascii_case("pass") {
        return Some(Ruling::Result(BoardResult::PassedOut));
    }
    let declarer: Seat = row.text("NS/EW").parse().ok()?;
    let contract = Contract::parse(contract, declarer).ok()?;
    let tricks = contract.level.tricks_from_text(row.text("Result")).ok()?;
    let lead: Option<Card> = row.text("LeadCard").parse().ok();
    Some(Ruling::Result(BoardResult::Played(Played {
        contract,
        tricks,
        lead,
    })))
}

/// Players are named where they sat in the first round.
fn name(file: &Database, row: &Row, seats: &[&Row], section: &mut TakenSection) {
    let direction: Option<Seat> = row.text("Direction").parse().ok();
    let Some(direction) = direction.filter(|_| row.number("Round") <= 1) else {
        return;
    };
    let first = seats
        .iter()
        .find(|seat| seat.number("Table") == row.number("Table") && seat.number("Round") == 1);
    let side = direction.side();
    let column = match side {
        Side::NorthSouth => "NSPair",
        Side::EastWest => "EWPair",
    };
    let number = first.map_or(0, |seat| seat.number(column));
    let Some(key) = key(number, side, section.one_winner) else {
        return;
    };
    let at = usize::from(matches!(direction, Seat::South | Seat::West));
    let number: Option<PlayerNumber> = row.text("Number").parse().ok();
    let number = number.filter(|number| *number != PlayerNumber::VISITOR);
    let listed = || {
        let wanted = number?.to_string();
        let mut names = file.rows("PlayerNames").iter();
        names
            .find(|known| known.text("strID") == wanted || known.number("ID").to_string() == wanted)
    };
    let name = match row.text("Name") {
        "" => listed().map_or("", |known| known.text("Name")),
        name => name,
    };
    let pair = section.pairs.entry(key).or_default();
    pair.players[at] = (name.to_owned(), number);
}

const SEATS: [(Seat, &str); 4] = [
    (Seat::North, "North"),
    (Seat::East, "East"),
    (Seat::South, "South"),
    (Seat::West, "West"),
];

pub(in crate::exchange) fn deals(file: &Database) -> Deals {
    let tricks: BTreeMap<BoardNumber, TricksTable> = (file.rows("HandEvaluation").iter())
        .filter_map(|row| Some((board(row)?, evaluation(row)?)))
        .collect();
    let mut deals = Deals::default();
    for row in file.rows("HandRecord") {
        if let Some(dealt) = cards(row, &tricks)
            && deals.board(dealt.board).is_none()
        {
            deals.put(dealt);
        }
    }
    deals
}

fn cards(row: &Row, tricks: &BTreeMap<BoardNumber, TricksTable>) -> Option<DealtBoard> {
    let board = board(row)?;
    let mut hands = [Hand::EMPTY; 4];
    for (seat, name) in SEATS {
        for (suit, of_suit) in [
            (Suit::Spades, "Spades"),
            (Suit::Hearts, "Hearts"),
            (Suit::Diamonds, "Diamonds"),
            (Suit::Clubs, "Clubs"),
        ] {
            let ranks = row.text(&format!("{name}{of_suit}")).replace("10", "T");
            for letter in ranks.chars() {
                let rank = Rank::from_char(letter)?;
                hands[usize::from(seat.index())].insert(Card { suit, rank });
            }
        }
    }
    Some(DealtBoard {
        board,
        deal: Deal::new(hands)?,
        tricks: tricks.get(&board).copied(),
        par: None,
    })
}

fn evaluation(row: &Row) -> Option<TricksTable> {
    let mut found = BTreeMap::new();
    for (seat, name) in SEATS {
        for (strain, of_strain) in [
            (Strain::Spades, "Spades"),
            (Strain::Hearts, "Hearts"),
            (Strain::Diamonds, "Diamonds"),
            (Strain::Clubs, "Clubs"),
            (Strain::NoTrump, "Notrump"),
        ] {
            let number = row.number(&format!("{name}{of_strain}"));
            let tricks = u8::try_from(number).ok().and_then(Tricks::new)?;
            found.insert((seat.index(), strain as u8), tricks);
        }
    }
    Some(TricksTable::from_fn(|seat, strain| {
        let tricks = found.get(&(seat.index(), strain as u8));
        tricks.copied().unwrap_or(Tricks::MIN)
    }))
}

/// Numbers and names of everybody whom the file knows.
pub(super) fn player_names(bytes: &[u8]) -> Result<Vec<[String; 2]>, NotTaken> {
    let file = Database::read(bytes)?;
    let rows = file.rows("PlayerNames").iter();
    let names = rows.map(|row| {
        let number = match row.text("strID") {
            "" => row.number("ID").to_string(),
            number => number.to_owned(),
        };
        [number, row.text("Name").to_owned()]
    });
    Ok(names.collect())
}
