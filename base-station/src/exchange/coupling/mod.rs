//! A BWS file that a scoring program made, and the session that is played from it: what the session
//! lacks of the file, and what the file lacks of the session. Pure; who reads and writes the file is
//! the daemon.
//!
//! Nothing is remembered here. What is to be taken and what is to be put follows from the file and
//! the journal each time, so that a base station that was killed goes on where it was, and each
//! result stands in the file once.

mod put;
mod take;

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use protocol::message::{FeedbackLevel, LeadEntry, Pin, PlayerNumbers, ResultStyle, Settings};
use protocol::words::{
    BoardNumber, BoardResult, PairNumber, PlayerNumber, RoundNumber, Seat, SectionLetter, Side,
    TableNumber,
};

use super::import::bws::{Database, Row, board, deals, key, latest, letters, line, two_lists};
use super::import::{FILE_LEN_MAX, NotTaken, PairKey};
use crate::deals::Deals;
use crate::movement::BoardSet;
use crate::session::plan::{Partner, Ruling, Sitting};
use telling::{Told, tell};

pub use put::{Put, put};
pub use take::{Missing, missing};

/// What a scoring program put into its file.
#[derive(Clone, Debug)]
pub struct Ordered {
    /// The session's name there; may be empty.
    pub event: String,
    /// As 2026-11-16.
    pub date: Option<String>,
    /// What tells this file from the one of another evening under the same name.
    pub identity: String,
    /// By letter.
    pub sections: BTreeMap<SectionLetter, OrderedSection>,
    /// The cards.
    pub deals: Deals,
    /// Number and name of everybody in its list.
    pub members: Vec<(PlayerNumber, String)>,
    /// What pads are to show and to ask.
    pub settings: Option<OrderedSettings>,
    /// What is not understood, sentence by sentence.
    pub notes: Vec<Told>,
}

/// A section of it.
#[derive(Clone, Debug)]
pub struct OrderedSection {
    /// Its number in the file.
    pub id: i64,
    /// Whether both directions are ranked together.
    pub one_winner: bool,
    /// Who sits where when.
    pub sittings: Vec<Sitting>,
    /// The program asks to read the movement again from this round on.
    pub from: Option<RoundNumber>,
    /// Who plays.
    pub players: Vec<OrderedPlayer>,
    /// What stands in the file.
    pub results: Vec<OrderedResult>,
}

/// A player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderedPlayer {
    /// Of this pair.
    pub pair: PairKey,
    /// Which of the two.
    pub partner: Partner,
    /// In the program's list.
    pub number: Option<PlayerNumber>,
    /// May be empty.
    pub name: String,
}

/// A result that stands in the file.
#[derive(Clone, Debug, PartialEq)]
pub struct OrderedResult {
    /// Where.
    pub table: TableNumber,
    /// When.
    pub round: RoundNumber,
    /// Of which board.
    pub board: BoardNumber,
    /// North-South.
    pub ns: PairKey,
    /// East-West.
    pub ew: PairKey,
    /// What.
    pub ruling: Ruling,
    /// The scoring program has changed it.
    pub external: bool,
}

/// The settings that mean something for us; `None` where the file does not say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OrderedSettings {
    /// Whether others' results are shown after a board.
    pub results: Option<bool>,
    /// Whether the own percentage is.
    pub percentage: Option<bool>,
    /// Whether the lead is asked for.
    pub lead: Option<bool>,
    /// Whether numbers are asked for, and whether in every round.
    pub numbers: Option<bool>,
    /// The same, in every round.
    pub each_round: Option<bool>,
    /// 0 for tricks above the contract, 1 for all tricks of it.
    pub total_tricks: Option<bool>,
    /// Whether the cards can be looked at.
    pub hands: Option<bool>,
    /// What opens the director's menu.
    pub pin: Option<Pin>,
}

impl OrderedSettings {
    fn of(row: &Row) -> Self {
        let bit = |column: &str| row.has(column).then(|| row.is(column));
        let number = |column: &str| row.has(column).then(|| row.number(column));
        let pin = row.text("BM2PINcode").parse().ok();
        let pin = pin.or_else(|| u16::try_from(row.number("BM2PINcode")).ok());
        Self {
            results: bit("ShowResults"),
            percentage: bit("ShowPercentage"),
            lead: bit("LeadCard"),
            numbers: bit("MemberNumbers"),
            each_round: bit("BM2NumberEntryEachRound"),
            total_tricks: number("EnterResultsMethod").map(|method| method == 1),
            hands: bit("BM2ViewHandRecord"),
            pin: pin.map(Pin).filter(|pin| pin.is_chosen() && pin.0 != 0),
        }
    }

    /// Our settings with theirs over them.
    pub fn over(&self, settings: Settings) -> Settings {
        let feedback = match (self.results, self.percentage) {
            (Some(true), _) => FeedbackLevel::Traveller,
            (Some(false), Some(true)) => FeedbackLevel::Percentage,
            (Some(false), _) => FeedbackLevel::None,
            (None, _) => settings.feedback,
        };
        let lead = match self.lead {
            Some(true) => LeadEntry::Required,
            Some(false) => LeadEntry::Off,
            None => settings.lead,
        };
        let player_numbers = match (self.numbers, self.each_round) {
            (Some(true), Some(true)) => PlayerNumbers::EveryRound,
            (Some(true), _) => PlayerNumbers::Once,
            (Some(false), _) => PlayerNumbers::Off,
            (None, _) => settings.player_numbers,
        };
        let result_style = match self.total_tricks {
            Some(true) => ResultStyle::TotalTricks,
            Some(false) => ResultStyle::OverUnder,
            None => settings.result_style,
        };
        Settings {
            feedback,
            lead,
            player_numbers,
            result_style,
            hand_record: self.hands.unwrap_or(settings.hand_record),
            ..settings
        }
    }
}

impl Ordered {
    /// Reads the file.
    pub fn read(bytes: &[u8]) -> Result<Self, NotTaken> {
        if bytes.len() > FILE_LEN_MAX {
            return Err(NotTaken::too_long(bytes));
        }
        if !bytes.starts_with(super::import::bws::MAGIC) {
            return Err(NotTaken::because(tell!(Bws::NoBwsFileExpected)));
        }
        let file = Database::read(bytes)?;
        let session = file.rows("Session").first();
        let text = |column: &str| session.map_or("", |row| row.text(column)).to_owned();
        let mut ordered = Self {
            event: text("Name"),
            date: session.and_then(|row| row.day("Date")),
            identity: String::new(),
            sections: BTreeMap::new(),
            deals: deals(&file),
            members: members(&file),
            settings: file.rows("Settings").first().map(OrderedSettings::of),
            notes: Vec::new(),
        };
        for (id, letter) in letters(&file) {
            if let Some(section) = section(&file, id, letter, &mut ordered.notes)? {
                ordered.sections.insert(letter, section);
            }
        }
        if ordered.sections.is_empty() {
            return Err(NotTaken::because(tell!(Bws::ThereNoMovementFile)));
        }
        let day = ordered.date.clone().unwrap_or_default();
        let sections: Vec<String> = (ordered.sections.iter())
            .map(|(letter, section)| format!("{letter}{}", section.id))
            .collect();
        ordered.identity = format!(
            "{day}|{}|{}|{}",
            ordered.event,
            text("GUID"),
            sections.join(",")
        );
        Ok(ordered)
    }

    /// How many tables there are.
    pub fn tables(&self) -> usize {
        let sections = self.sections.iter();
        let tables = sections.flat_map(|(letter, section)| {
            let tables = section.sittings.iter();
            tables.map(move |sitting| (*letter, sitting.table))
        });
        tables.collect::<BTreeSet<_>>().len()
    }

    /// How many rounds there are.
    pub fn rounds(&self) -> u8 {
        let sittings = self.sections.values().flat_map(|it| &it.sittings);
        sittings.map(|it| it.round.get()).max().unwrap_or(0)
    }
}

fn members(file: &Database) -> Vec<(PlayerNumber, String)> {
    let members = file.rows("PlayerNames").iter().filter_map(|row| {
        let number: Option<PlayerNumber> = row.text("strID").parse().ok();
        let number = number.or_else(|| row.number("ID").to_string().parse().ok())?;
        let name = row.text("Name");
        (number != PlayerNumber::VISITOR && !name.is_empty()).then(|| (number, name.to_owned()))
    });
    members.collect()
}

fn section(
    file: &Database,
    id: i64,
    letter: SectionLetter,
    notes: &mut Vec<Told>,
) -> Result<Option<OrderedSection>, NotTaken> {
    let of_section = |table: &str| {
        let rows = file.rows(table).iter();
        rows.filter(|row| row.number("Section") == id)
            .collect::<Vec<_>>()
    };
    let rounds = of_section("RoundData");
    if rounds.is_empty() {
        notes.push(tell!(Bws::SectionNoMovementFile { section: letter }));
        return Ok(None);
    }
    if rounds.iter().any(|row| row.number("South") > 0) {
        return Err(NotTaken::because(tell!(Bws::SectionPlaysIndividualWhich {
            section: letter
        })));
    }
    let described = (file.rows("Section").iter()).find(|row| row.number("ID") == id);
    let number = |column: &str| described.map_or(0, |row| row.number(column));
    let one_winner = match number("Winners") {
        1 => true,
        2 => false,
        _ => !two_lists(&rounds),
    };
    let missing = number("MissingPair");
    let sittings: Vec<Sitting> = (rounds.iter())
        .filter_map(|row| sitting(row, missing))
        .collect();
    if sittings.len() < rounds.len() {
        let lost = rounds.len() - sittings.len();
        notes.push(tell!(Bws::SectionLinesItsMovement {
            section: letter,
            lost
        }));
    }
    let from = (of_section("Tables").iter())
        .filter_map(|row| RoundNumber::new(u8::try_from(row.number("UpdateFromRound")).ok()?))
        .min();
    let players = (of_section("PlayerNumbers").into_iter())
        .filter_map(|row| player(file, row, &sittings, one_winner))
        .collect();
    let results = (latest(of_section("ReceivedData")).into_values())
        .filter_map(|row| result(row, one_winner))
        .collect();
    Ok(Some(OrderedSection {
        id,
        one_winner,
        sittings,
        from,
        players,
        results,
    }))
}

fn sitting(row: &Row, missing: i64) -> Option<Sitting> {
    let pair = |column: &str| {
        let number = Some(row.number(column)).filter(|it| *it != missing || missing == 0)?;
        u16::try_from(number).ok().and_then(PairNumber::new)
    };
    let numbered = |number: i64| u8::try_from(number).ok().and_then(BoardNumber::new);
    let custom: Vec<BoardNumber> = (row.text("CustomBoards").split([',', ';', ' ']))
        .filter_map(|number| number.trim().parse().ok())
        .collect();
    let boards = if custom.is_empty() {
        let ends = numbered(row.number("LowBoard")).zip(numbered(row.number("HighBoard")));
        ends.map_or_else(BoardSet::default, |(low, high)| BoardSet::range(low, high))
    } else {
        BoardSet::new(custom)
    };
    Some(Sitting {
        round: u8::try_from(row.number("Round")).ok()?.try_into().ok()?,
        table: u16::try_from(row.number("Table")).ok()?.try_into().ok()?,
        ns: pair("NSPair"),
        ew: pair("EWPair"),
        boards,
        arrow_switched: false,
    })
}

/// Players are named where they sit in the first round.
fn player(
    file: &Database,
    row: &Row,
    sittings: &[Sitting],
    one_winner: bool,
) -> Option<OrderedPlayer> {
    let direction: Seat = row.text("Direction").parse().ok()?;
    if row.number("Round") > 1 {
        return None;
    }
    let table = u16::try_from(row.number("Table")).ok()?;
    let first =
        (sittings.iter()).find(|it| it.table.get() == table && it.round == RoundNumber::FIRST)?;
    let side = direction.side();
    let number = match side {
        Side::NorthSouth => first.ns,
        Side::EastWest => first.ew,
    };
    let written = row.text("Number");
    let listed = || {
        let mut names = file.rows("PlayerNames").iter();
        let known = names.find(|known| {
            known.text("strID") == written || known.number("ID").to_string() == written
        });
        known.map_or("", |known| known.text("Name"))
    };
    let name = match row.text("Name") {
        "" if !written.is_empty() => listed(),
        name => name,
    };
    let number_of_player: Option<PlayerNumber> = written.parse().ok();
    if name.is_empty() && number_of_player.is_none() {
        return None;
    }
    Some(OrderedPlayer {
        pair: key(i64::from(number?.get()), side, one_winner)?,
        partner: match direction {
            Seat::North | Seat::East => Partner::First,
            Seat::South | Seat::West => Partner::Second,
        },
        number: number_of_player,
        name: name.to_owned(),
    })
}

/// A result as the file has it; nothing where only the scoring program knows what it means.
fn result(row: &Row, one_winner: bool) -> Option<OrderedResult> {
    let not_played = row.text("Remarks").eq_ignore_ascii_case("not played");
    let line = if not_played {
        let key = |column: &str, side| key(row.number(column), side, one_winner);
        let table = u16::try_from(row.number("Table")).ok()?;
        let round = u8::try_from(row.number("Round")).ok()?;
        super::import::TakenLine {
            board: board(row)?,
            ns: key("PairNS", Side::NorthSouth)?,
            ew: key("PairEW", Side::EastWest)?,
            place: Some((table.try_into().ok()?, round.try_into().ok()?)),
            ruling: Ruling::Result(BoardResult::NotPlayed),
            both: None,
        }
    } else {
        line(row, one_winner)?
    };
    let (table, round) = line.place?;
    Some(OrderedResult {
        table,
        round,
        board: line.board,
        ns: line.ns,
        ew: line.ew,
        ruling: line.ruling,
        external: row.is("ExternalUpdate"),
    })
}
