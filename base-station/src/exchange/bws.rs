//! BWS: the database between scoring programs and table terminals, as a file of any session.
//!
//! Tables, columns and values are those that scoring programs know from the vendor's own program.

pub(super) mod fixed;
mod words;

use jet::{Column, Kind, Table, Value, Version};
use protocol::words::{BoardNumber, Rank, RoundNumber, Seat, SectionLetter, Side, Strain, Suit};

use self::fixed::{PLAYER_COLUMNS, empty_tables, received_columns, settings};
use self::words::words;
use super::evening::Said;
use super::{Evening, ExportError, LineSheet};
use crate::movement::BoardSet;
use crate::session::plan::{Partner, seat_of};
use crate::session::{Club, Moment, PairId, Session};

/// Days from the database's first day to 1970.
const DAYS_TO_1970: f64 = 25_569.0;

/// Characters of a name there.
pub(super) const NAME_LEN: usize = 18;

const INT: Kind = Kind::Int;
const BIT: Kind = Kind::Bit;

pub(super) fn write(
    club: &Club,
    session: &Session,
    evening: &Evening,
) -> Result<Vec<u8>, ExportError> {
    let file = Bws {
        club,
        session,
        evening,
    };
    let mut tables = vec![
        file.clients(),
        file.sessions(),
        file.sections(),
        file.tables(),
        file.rounds(),
        file.received(),
        file.player_numbers(),
        file.player_names(),
        file.hand_records(),
        file.hand_evaluations(),
        settings(),
    ];
    tables.extend(empty_tables());
    Ok(jet::write(Version::Jet4, &tables)?)
}

pub(super) fn table(name: &str, columns: &[(&str, Kind)], rows: Vec<Vec<Value>>) -> Table {
    Table {
        name: name.to_owned(),
        columns: (columns.iter())
            .map(|(name, kind)| Column::new(name, *kind))
            .collect(),
        rows,
    }
}

fn int(number: impl Into<i64>) -> Value {
    Value::Int(i16::try_from(number.into()).unwrap_or(i16::MAX))
}

fn text(text: impl Into<String>) -> Value {
    Value::Text(text.into())
}

const NO: Value = Value::Bit(false);
const YES: Value = Value::Bit(true);

/// A session that becomes rows.
pub(super) struct Bws<'a> {
    pub(super) club: &'a Club,
    pub(super) session: &'a Session,
    pub(super) evening: &'a Evening,
}

impl Bws<'_> {
    /// Sections are numbers there, and their letters a name.
    fn section(&self, letter: SectionLetter) -> Value {
        let at = self.session.sections.keys().position(|it| *it == letter);
        int(i64::try_from(at.unwrap_or(0) + 1).unwrap_or(1))
    }

    /// The day, and the time of the first day that the database knows.
    pub(super) fn when(&self, at: Moment) -> [Value; 2] {
        let minutes = i64::from(self.club.minutes_east);
        let seconds = (at.0 / 1000).saturating_add_signed(minutes * 60);
        let days = u32::try_from(seconds / 86_400).unwrap_or_default();
        let time = u32::try_from(seconds % 86_400).unwrap_or_default();
        [
            Value::Date(f64::from(days) + DAYS_TO_1970),
            Value::Date(f64::from(time) / 86_400.0),
        ]
    }

    fn clients(&self) -> Table {
        let columns = [("ID", Kind::AutoNumber), ("Computer", Kind::Text(255))];
        let name = if self.evening.event.is_empty() {
            ""
        } else {
            "Byestand"
        };
        table("Clients", &columns, vec![vec![Value::Long(1), text(name)]])
    }

    fn sessions(&self) -> Table {
        let columns = [
            ("ID", INT),
            ("Name", Kind::Text(40)),
            ("Date", Kind::Date),
            ("Time", Kind::Date),
            ("GUID", Kind::Text(80)),
            ("Status", INT),
            ("ShowInApp", BIT),
            ("PairsMoveAcrossField", BIT),
            ("EWReturnHome", BIT),
        ];
        let day: Option<jiff::civil::Date> = self.evening.date.parse().ok();
        let since = day.map(|day| day.since(jiff::civil::date(1899, 12, 30)));
        let days = since.and_then(Result::ok).map_or(0, |span| span.get_days());
        let name: String = self.evening.event.chars().take(40).collect();
        let row = vec![
            int(1),
            text(name),
            Value::Date(f64::from(days)),
            Value::Date(0.0),
            text(""),
            int(0),
            NO,
            NO,
            NO,
        ];
        table("Session", &columns, vec![row])
    }

    fn sections(&self) -> Table {
        let columns = [
            ("ID", INT),
            ("Letter", Kind::Text(3)),
            ("Tables", INT),
            ("MissingPair", INT),
            ("EWMoveBeforePlay", INT),
            ("Session", INT),
            ("ScoringType", INT),
            ("Winners", INT),
            ("OnlineEventGUID", Kind::Text(80)),
            ("OnlineEventRoundDuration", INT),
        ];
        let rows = (self.session.sections.iter())
            .map(|(letter, section)| {
                let tables = section
                    .tables()
                    .map(protocol::words::TableNumber::get)
                    .max();
                vec![
                    self.section(*letter),
                    text(format!("{letter:<3}", letter = letter.to_string())),
                    int(tables.unwrap_or(0)),
                    int(0),
                    int(0),
                    int(1),
                    int(1),
                    int(if section.one_winner { 1 } else { 2 }),
                    Value::Null,
                    int(0),
                ]
            })
            .collect();
        table("Section", &columns, rows)
    }

    fn tables(&self) -> Table {
        let columns = [
            ("Section", INT),
            ("Table", INT),
            ("ComputerID", INT),
            ("Status", INT),
            ("LogOnOff", INT),
            ("CurrentRound", INT),
            ("CurrentBoard", INT),
            ("UpdateFromRound", INT),
            ("Group", INT),
        ];
        let mut rows = Vec::new();
        for (letter, section) in &self.session.sections {
            for number in section.tables() {
                let id = crate::session::TableId {
                    section: *letter,
                    table: number,
                };
                let held = self.session.tables.get(&id);
                let held = held.is_some_and(|table| table.holder.is_some());
                rows.push(vec![
                    self.section(*letter),
                    int(number.get()),
                    int(1),
                    int(0),
                    int(if held { 1 } else { 2 }),
                    int(0),
                    int(0),
                    int(0),
                    int(0),
                ]);
            }
        }
        table("Tables", &columns, rows)
    }

    fn rounds(&self) -> Table {
        let columns = [
            ("Section", INT),
            ("Table", INT),
            ("Round", INT),
            ("NSPair", INT),
            ("EWPair", INT),
            ("LowBoard", INT),
            ("HighBoard", INT),
            ("CustomBoards", Kind::Text(255)),
        ];
        let mut rows = Vec::new();
        for (letter, section) in &self.session.sections {
            for sitting in section.sittings.values() {
                let pair = |pair: Option<protocol::words::PairNumber>| {
                    int(pair.map_or(0, protocol::words::PairNumber::get))
                };
                let board = |board: Option<BoardNumber>| int(board.map_or(0, BoardNumber::get));
                rows.push(vec![
                    self.section(*letter),
                    int(sitting.table.get()),
                    int(sitting.round.get()),
                    pair(sitting.ns),
                    pair(sitting.ew),
                    board(sitting.boards.lowest()),
                    board(sitting.boards.highest()),
                    custom_boards(&sitting.boards),
                ]);
            }
        }
        table("RoundData", &columns, rows)
    }

    fn received(&self) -> Table {
        let mut lines: Vec<&LineSheet> = self.evening.lines().collect();
        lines.sort_by_key(|line| (line.at, line.cell));
        let rows = (lines.into_iter().zip(1..))
            .map(|(line, id)| self.result(line, id))
            .collect();
        table("ReceivedData", &received_columns(true), rows)
    }

    pub(super) fn result(&self, line: &LineSheet, id: i32) -> Vec<Value> {
        let cell = line.cell;
        let [contract, result, lead, remark] = words(line);
        let declarer = match line.said() {
            Some(Said::Played(played)) => Some(played.contract.declarer),
            _ => None,
        };
        let declaring = declarer.map(|seat| match seat.side() {
            Side::NorthSouth => line.ns,
            Side::EastWest => line.ew,
        });
        let turned = |pair: PairId, side| pair.side.is_some_and(|own| own != side);
        let wrong_way = turned(line.ns, Side::NorthSouth) || turned(line.ew, Side::EastWest);
        let remark = if remark.is_empty() && wrong_way {
            "Wrong direction".to_owned()
        } else {
            remark
        };
        let [date, time] = self.when(line.at);
        let mut row = vec![
            Value::Long(id),
            self.section(cell.section),
            int(cell.table.get()),
            int(cell.round.get()),
            int(cell.board.get()),
            int(line.ns.number.get()),
            int(line.ew.number.get()),
            int(declaring.map_or(0, |pair| pair.number.get())),
            text(declarer.map(|seat| seat.to_string()).unwrap_or_default()),
            text(contract),
            text(result),
            text(lead),
            text(remark),
            date,
            time,
        ];
        row.extend(std::iter::repeat_n(NO, 7));
        row.push(int(0));
        row
    }

    fn player_numbers(&self) -> Table {
        let mut rows = Vec::new();
        for (letter, section) in &self.session.sections {
            let first = section.sittings.values();
            for sitting in first.filter(|it| it.round == RoundNumber::FIRST) {
                let sides = [(Side::NorthSouth, sitting.ns), (Side::EastWest, sitting.ew)];
                for (side, number) in sides {
                    let Some(number) = number else { continue };
                    let pair = self.session.pair_id(*letter, side, number);
                    for (partner, at) in [(Partner::First, 0), (Partner::Second, 1)] {
                        let known = self.evening.pairs().find(|it| it.id == pair);
                        let player = known.and_then(|pair| pair.players.get(at));
                        let number = player.and_then(|player| player.number);
                        let name = player.map(|player| short(&player.name));
                        rows.push(vec![
                            self.section(*letter),
                            int(sitting.table.get()),
                            text(seat_of(side, partner).to_string()),
                            text(number.map(|number| number.to_string()).unwrap_or_default()),
                            text(name.unwrap_or_default()),
                            int(0),
                            NO,
                            NO,
                            Value::Null,
                        ]);
                    }
                }
            }
        }
        table("PlayerNumbers", &PLAYER_COLUMNS, rows)
    }

    fn player_names(&self) -> Table {
        let columns = [
            ("ID", Kind::Long),
            ("Name", Kind::Text(18)),
            ("strID", Kind::Text(18)),
        ];
        let players = self.evening.pairs().flat_map(|pair| &pair.players);
        let mut known: Vec<(u32, String)> = players
            .filter_map(|player| Some((player.number?.get(), short(&player.name))))
            .collect();
        known.sort();
        known.dedup_by_key(|(number, _)| *number);
        let rows = (known.into_iter())
            .map(|(number, name)| {
                let id = i32::try_from(number).unwrap_or(i32::MAX);
                vec![Value::Long(id), text(name), text(number.to_string())]
            })
            .collect();
        table("PlayerNames", &columns, rows)
    }

    /// Every board's cards in every section that plays it.
    fn dealt(&self) -> impl Iterator<Item = (SectionLetter, &crate::deals::DealtBoard)> {
        self.evening.sections.iter().flat_map(|section| {
            let boards = section.boards.iter().map(|sheet| sheet.board);
            let dealt = boards.filter_map(|board| self.evening.deals.board(board));
            dealt.map(|dealt| (section.letter, dealt))
        })
    }

    fn hand_records(&self) -> Table {
        let mut columns = vec![("Section".to_owned(), INT), ("Board".to_owned(), INT)];
        for seat in SEATS {
            for suit in SUITS {
                let name = format!("{}{}", seat.1, suit.1);
                columns.push((name, Kind::Text(13)));
            }
        }
        let rows = self.dealt().map(|(letter, dealt)| {
            let mut row = vec![self.section(letter), int(dealt.board.get())];
            for (seat, _) in SEATS {
                for (suit, _) in SUITS {
                    let ranks = dealt.deal.hand(seat).suit(suit).map(Rank::letter);
                    row.push(text(ranks.collect::<String>()));
                }
            }
            row
        });
        let rows = rows.collect();
        let columns: Vec<_> = columns
            .iter()
            .map(|(name, kind)| (name.as_str(), *kind))
            .collect();
        table("HandRecord", &columns, rows)
    }

    fn hand_evaluations(&self) -> Table {
        let mut columns = vec!["Section".to_owned(), "Board".to_owned()];
        for (_, seat) in SEATS {
            columns.extend(STRAINS.map(|(_, strain)| format!("{seat}{strain}")));
        }
        columns.extend(SEATS.map(|(_, seat)| format!("{seat}Hcp")));
        let rows = self.dealt().filter_map(|(letter, dealt)| {
            let tricks = dealt.tricks?;
            let mut row = vec![self.section(letter), int(dealt.board.get())];
            for (seat, _) in SEATS {
                for (strain, _) in STRAINS {
                    row.push(int(tricks.get(seat, strain)?.get()));
                }
            }
            for (seat, _) in SEATS {
                let hand = dealt.deal.hand(seat);
                let ranks = Suit::ALL.into_iter().flat_map(|suit| hand.suit(suit));
                row.push(int(ranks
                    .map(|rank| rank.get().saturating_sub(10))
                    .sum::<u8>()));
            }
            Some(row)
        });
        let rows = rows.collect();
        let columns: Vec<_> = columns.iter().map(|name| (name.as_str(), INT)).collect();
        table("HandEvaluation", &columns, rows)
    }
}

const SEATS: [(Seat, &str); 4] = [
    (Seat::North, "North"),
    (Seat::East, "East"),
    (Seat::South, "South"),
    (Seat::West, "West"),
];

const SUITS: [(Suit, &str); 4] = [
    (Suit::Spades, "Spades"),
    (Suit::Hearts, "Hearts"),
    (Suit::Diamonds, "Diamonds"),
    (Suit::Clubs, "Clubs"),
];

const STRAINS: [(Strain, &str); 5] = [
    (Strain::Spades, "Spades"),
    (Strain::Hearts, "Hearts"),
    (Strain::Diamonds, "Diamonds"),
    (Strain::Clubs, "Clubs"),
    (Strain::NoTrump, "Notrump"),
];

fn short(name: &str) -> String {
    name.chars().take(NAME_LEN).collect()
}

/// Boards that do not follow each other.
fn custom_boards(boards: &BoardSet) -> Value {
    let numbers: Vec<u8> = boards.iter().map(BoardNumber::get).collect();
    let follow = numbers
        .windows(2)
        .all(|two| two[0].checked_add(1) == Some(two[1]));
    if follow {
        return Value::Null;
    }
    let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    text(numbers.join(",").chars().take(255).collect::<String>())
}
