//! What the file lacks of the session, as rows.

use std::collections::{BTreeMap, BTreeSet};

use jet::{Database, JetError, Place, Stored, Value};
use protocol::words::{PlayerNumber, RoundNumber, Seat, SectionLetter, Side};

use super::take::{known_cells, same_from};
use super::{Ordered, OrderedSection, result};
use crate::exchange::bws::Bws;
use crate::exchange::bws::fixed::received_columns;
use crate::exchange::import::bws::Row;
use crate::exchange::{Evening, LineSheet};
use crate::session::plan::{Partner, Ruling, seat_of};
use crate::session::{Cell, Club, Moment, PairId, Player, Session, TableId};
use telling::{Told, tell};

/// A file with the session's results in it.
#[derive(Clone, Debug)]
pub struct Put {
    /// Its bytes; `None` where the file says it all already.
    pub file: Option<Vec<u8>>,
    /// How many results stand in it.
    pub results: usize,
    /// What has no place in it, sentence by sentence.
    pub notes: Vec<Told>,
}

/// The columns in which two rows of the same board may differ.
const SAID: [&str; 8] = [
    "PairNS", "PairEW", "Declarer", "NS/EW", "Contract", "Result", "LeadCard", "Remarks",
];

/// Puts into the file what it lacks of the session. As the terminals' own program does it: a
/// correction marks the old row as erased and adds a new one, a deletion marks it.
pub fn put(
    bytes: Vec<u8>,
    ordered: &Ordered,
    club: &Club,
    session: &Session,
    now: Moment,
) -> Result<Put, JetError> {
    let evening = Evening::of(club, session);
    let mut work = Work {
        file: Database::open(bytes)?,
        ordered,
        rows: Bws {
            club,
            session,
            evening: &evening,
        },
        now,
        changed: false,
        notes: Vec::new(),
    };
    for letter in session.sections.keys() {
        if !ordered.sections.contains_key(letter) {
            work.notes
                .push(tell!(Bws::SectionNotBwsFile { section: letter }));
        }
    }
    let results = work.results()?;
    work.players()?;
    work.tables()?;
    let Work {
        file,
        changed,
        notes,
        ..
    } = work;
    Ok(Put {
        file: changed.then(|| file.into_bytes()),
        results,
        notes,
    })
}

struct Work<'a> {
    file: Database,
    ordered: &'a Ordered,
    rows: Bws<'a>,
    now: Moment,
    changed: bool,
    notes: Vec<Told>,
}

/// Section, table, round, board.
type Key = (i64, i64, i64, i64);

impl<'a> Work<'a> {
    fn session(&self) -> &'a Session {
        self.rows.session
    }

    fn letter(&self, id: i64) -> Option<(SectionLetter, &'a OrderedSection)> {
        let mut sections = self.ordered.sections.iter();
        let found = sections.find(|(_, section)| section.id == id);
        found.map(|(letter, section)| (*letter, section))
    }

    fn set(&mut self, table: &str, place: Place, values: &[(&str, Value)]) -> Result<(), JetError> {
        self.changed = true;
        self.file.set(table, place, values).map(drop)
    }

    fn results(&mut self) -> Result<usize, JetError> {
        let stored = self.file.rows("ReceivedData")?.unwrap_or_default();
        let can_erase = stored
            .first()
            .is_none_or(|row| row.get("Erased") != &Value::Null);
        // A row that is erased counts no more; of the others the last one does.
        let mut standing: BTreeMap<Key, Vec<(Place, Row)>> = BTreeMap::new();
        let mut sorted: Vec<(Place, Row)> = (stored.iter())
            .map(|stored| (stored.place, Row::of(stored)))
            .collect();
        sorted.sort_by_key(|(_, row)| row.number("ID"));
        for (place, row) in sorted.into_iter().filter(|(_, row)| !row.is("Erased")) {
            standing.entry(key(&row)).or_default().push((place, row));
        }
        let wanted = self.wanted();
        let known: BTreeSet<Key> = (known_cells(self.session()).into_iter())
            .filter_map(|cell| self.key_of(cell))
            .collect();
        let mut gone = Vec::new();
        for (at, rows) in &standing {
            let Some((place, last)) = rows.last() else {
                continue;
            };
            let same = wanted.get(at).is_some_and(|line| self.same(line, last));
            if same && last.is("ExternalUpdate") {
                let taken = [("ExternalUpdate", Value::Bit(false))];
                self.set("ReceivedData", *place, &taken)?;
            }
            // What the scoring program has changed and we could not take stays as it is.
            let theirs = last.is("ExternalUpdate") || !known.contains(at);
            if !same && !theirs {
                gone.extend(rows.iter().map(|(place, _)| *place));
            }
        }
        let mut new: Vec<(&Key, &LineSheet)> = (wanted.iter())
            .filter(|(at, line)| {
                let last = standing.get(*at).and_then(|rows| rows.last());
                last.is_none_or(|(_, row)| !self.same(line, row) && !row.is("ExternalUpdate"))
            })
            .map(|(at, line)| (at, *line))
            .collect();
        new.sort_by_key(|(_, line)| (line.at, line.cell));
        let new: Vec<_> = new
            .into_iter()
            .map(|(at, line)| self.received(*at, line))
            .collect();
        for place in gone {
            if can_erase {
                self.set("ReceivedData", place, &[("Erased", Value::Bit(true))])?;
            } else {
                self.changed = true;
                self.file.delete("ReceivedData", place)?;
            }
        }
        for row in &new {
            let row: Vec<(&str, Value)> = (row.iter())
                .map(|(name, value)| (*name, value.clone()))
                .collect();
            self.changed = true;
            self.file.append("ReceivedData", &row)?;
        }
        Ok(wanted.len())
    }

    /// The lines that belong into the file.
    fn wanted(&self) -> BTreeMap<Key, &'a LineSheet> {
        let lines = self.rows.evening.lines();
        let lines = lines.filter(|line| !matches!(line.ruling, Ruling::TakenAway));
        lines
            .filter_map(|line| Some((self.key_of(line.cell)?, line)))
            .collect()
    }

    fn key_of(&self, cell: Cell) -> Option<Key> {
        let section = self.ordered.sections.get(&cell.section)?;
        Some((
            section.id,
            i64::from(cell.table.get()),
            i64::from(cell.round.get()),
            i64::from(cell.board.get()),
        ))
    }

    /// A row of ours, by the names of its columns; its number is the database's.
    fn received(&self, at: Key, line: &LineSheet) -> Vec<(&'static str, Value)> {
        let values = self.rows.result(line, 0);
        let columns = received_columns(true).into_iter().zip(values);
        let mut row: Vec<_> = columns.map(|((name, _), value)| (name, value)).collect();
        row.retain(|(name, _)| *name != "ID");
        for (name, value) in &mut row {
            if *name == "Section" {
                *value = int(at.0);
            }
        }
        row
    }

    /// Whether a row says what a line says, word by word or in its own words.
    fn same(&self, line: &LineSheet, row: &Row) -> bool {
        let at = key(row);
        let ours = self.received(at, line);
        let word_by_word = ours
            .iter()
            .filter(|(name, _)| SAID.contains(name) && row.has(name))
            .all(|(name, value)| match value {
                Value::Int(number) => i64::from(*number) == row.number(name),
                Value::Text(text) => text.trim() == row.text(name),
                _ => true,
            });
        word_by_word
            || self.letter(at.0).is_some_and(|(letter, section)| {
                let pair = |key: super::PairKey| PairId {
                    section: letter,
                    side: key.side,
                    number: key.number,
                };
                result(row, section.one_winner).is_some_and(|theirs| {
                    (pair(theirs.ns), pair(theirs.ew)) == (line.ns, line.ew)
                        && theirs.ruling == line.ruling
                })
            })
    }

    /// Who plays: at the first round's table, and substitutes where they begin.
    fn players(&mut self) -> Result<(), JetError> {
        let Some(stored) = self.file.rows("PlayerNumbers")? else {
            return Ok(());
        };
        let columns = self.file.columns("PlayerNumbers")?.unwrap_or_default();
        let letters = |name: &str| {
            let column = columns.iter().find(|it| it.name.eq_ignore_ascii_case(name));
            column.map_or(0, |column| column.letters)
        };
        let (number_len, name_len) = (letters("Number"), letters("Name"));
        for seat in self.seats() {
            let cut = |text: String, len: usize| text.chars().take(len).collect::<String>();
            let number = seat.player.number.map(|number| number.to_string());
            let number = number.map(|number| cut(number, number_len));
            let name = cut(seat.player.name_from(self.rows.club), name_len);
            let row = stored.iter().find(|row| seat.is(row));
            let same = row.map(Row::of).is_some_and(|row| {
                let written: Option<PlayerNumber> = row.text("Number").parse().ok();
                let same_number = seat.player.number.is_none() || written == seat.player.number;
                same_number && (name.is_empty() || name.trim() == row.text("Name"))
            });
            if same {
                continue;
            }
            let [_, time] = self.rows.when(self.now);
            let mut values = vec![("Processed", Value::Bit(false)), ("TimeLog", time)];
            values.extend(number.map(|number| ("Number", Value::Text(number))));
            if !name.is_empty() {
                values.push(("Name", Value::Text(name)));
            }
            if let Some(row) = row {
                values.push(("Updated", Value::Bit(true)));
                self.set("PlayerNumbers", row.place, &values)?;
            } else {
                values.extend([
                    ("Section", int(seat.section)),
                    ("Table", int(seat.table)),
                    ("Direction", Value::Text(seat.direction.to_string())),
                    ("Round", int(seat.round)),
                ]);
                self.changed = true;
                self.file.append("PlayerNumbers", &values)?;
            }
        }
        Ok(())
    }

    fn seats(&self) -> Vec<SeatOf> {
        let session = self.session();
        let mut seats = Vec::new();
        for (letter, ordered) in &self.ordered.sections {
            let Some(section) = session.sections.get(letter) else {
                continue;
            };
            for sitting in section.sittings.values() {
                for (side, number) in [(Side::NorthSouth, sitting.ns), (Side::EastWest, sitting.ew)]
                {
                    let Some(number) = number else { continue };
                    let pair = session.pair_id(*letter, side, number);
                    for partner in [Partner::First, Partner::Second] {
                        let begins = session.roster.all_of(pair, partner);
                        let mut begins = begins.map(|(from, _)| from);
                        let first = sitting.round == RoundNumber::FIRST;
                        let substitute = begins.any(|from| from == sitting.round && !first);
                        let player = session.roster.at(pair, partner, sitting.round);
                        let Some(player) = player.filter(|_| first || substitute) else {
                            continue;
                        };
                        seats.push(SeatOf {
                            section: ordered.id,
                            table: i64::from(sitting.table.get()),
                            round: if first {
                                0
                            } else {
                                i64::from(sitting.round.get())
                            },
                            direction: seat_of(side, partner),
                            player: player.clone(),
                        });
                    }
                }
            }
        }
        seats.sort_by_key(|seat| (seat.round, seat.section, seat.table));
        seats
    }

    /// Which tables are logged on, where they are, and that a changed movement was read.
    fn tables(&mut self) -> Result<(), JetError> {
        let stored = self.file.rows("Tables")?.unwrap_or_default();
        let mut latest: BTreeMap<TableId, (Moment, Cell)> = BTreeMap::new();
        for (cell, line) in &self.session().lines {
            let last = latest.entry(cell.table_id()).or_insert((line.at, *cell));
            *last = (*last).max((line.at, *cell));
        }
        for row in &stored {
            let place = row.place;
            let row = Row::of(row);
            let Some((letter, ordered)) = self.letter(row.number("Section")) else {
                continue;
            };
            let table = u16::try_from(row.number("Table"))
                .ok()
                .and_then(|it| it.try_into().ok());
            let Some(table) = table else { continue };
            let id = TableId {
                section: letter,
                table,
            };
            let held = self.session().tables.get(&id);
            let held = held.is_some_and(|table| table.holder.is_some());
            let mut wanted = vec![("LogOnOff", if held { 1 } else { 2 })];
            if let Some((_, cell)) = latest.get(&id) {
                wanted.push(("CurrentRound", i64::from(cell.round.get())));
                wanted.push(("CurrentBoard", i64::from(cell.board.get())));
            }
            let asked = u8::try_from(row.number("UpdateFromRound")).ok();
            let read = asked
                .and_then(RoundNumber::new)
                .is_some_and(|from| same_from(self.session(), letter, ordered, from));
            if read {
                wanted.push(("UpdateFromRound", 0));
            }
            wanted.retain(|(name, value)| row.has(name) && row.number(name) != *value);
            if !wanted.is_empty() {
                let values: Vec<_> = (wanted.into_iter())
                    .map(|(name, value)| (name, int(value)))
                    .collect();
                self.set("Tables", place, &values)?;
            }
        }
        Ok(())
    }
}

/// Somebody at a table.
struct SeatOf {
    section: i64,
    table: i64,
    /// 0 from the beginning.
    round: i64,
    direction: Seat,
    player: Player,
}

impl SeatOf {
    fn is(&self, row: &Stored) -> bool {
        let row = Row::of(row);
        let round = row.number("Round");
        row.number("Section") == self.section
            && row.number("Table") == self.table
            && row.text("Direction") == self.direction.to_string()
            && (round == self.round || (self.round == 0 && round == 1))
    }
}

fn key(row: &Row) -> Key {
    (
        row.number("Section"),
        row.number("Table"),
        row.number("Round"),
        row.number("Board"),
    )
}

fn int(number: i64) -> Value {
    Value::Int(i16::try_from(number).unwrap_or(i16::MAX))
}
