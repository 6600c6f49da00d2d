//! A file of a scoring program, played from.

use jet::{Database, Kind, Value, Version};
use protocol::message::{CheckIn, FirmwareVersion, LogOn, Up, WIRE_VERSION};
use protocol::words::{BoardResult, PadId, SectionLetter};

use super::*;

mod made;

use crate::session::plan::Ruling as Line;
use crate::session::{
    Cell, Command, Keeper, MemoryJournal, Moment, Outcome, Request, State, TableId, Who,
};
use made::{int, made, round, table, text};

const NOW: Moment = Moment(1_794_850_000_000);

struct Evening {
    keeper: Keeper<MemoryJournal>,
    file: Vec<u8>,
}

fn who() -> Who {
    Who::Base
}

impl Evening {
    fn of(file: Vec<u8>) -> Self {
        let keeper = Keeper::open(MemoryJournal::new(), NOW).expect("a journal");
        let mut evening = Self { keeper, file };
        evening.tell(Command::SetDirectorPin { pin: Pin(7316) });
        evening.tell(Command::CreateEvent {
            name: "Monday".to_owned(),
            date: "2026-11-16".to_owned(),
            title: String::new(),
        });
        evening.look();
        evening
    }

    fn tell(&mut self, command: Command) {
        let command = Box::new(command);
        let request = Request::Command {
            command,
            who: who(),
        };
        let outcome = self.keeper.deal_with(request, NOW).outcomes.pop();
        assert!(!matches!(outcome, Some(Outcome::Refused(_))), "{outcome:?}");
    }

    fn state(&self) -> &State {
        self.keeper.state()
    }

    /// Both ways, as the daemon does it; whether anything was put.
    fn look(&mut self) -> bool {
        let ordered = Ordered::read(&self.file).expect("it is read");
        loop {
            let found = missing(&ordered, self.state(), &who(), NOW);
            assert!(found.refused.is_empty(), "{:?}", found.refused);
            if found.commands.is_empty() {
                break;
            }
            for command in found.commands {
                self.tell(command);
            }
        }
        let state = self.state();
        let session = state.session.as_ref().expect("a session");
        let done = put(self.file.clone(), &ordered, &state.club, session, NOW).expect("it is put");
        let changed = done.file.is_some();
        self.file = done.file.unwrap_or_else(|| self.file.clone());
        changed
    }

    fn types(&mut self, cell: Cell, typed: &str) {
        let ruling = match typed {
            "" => Line::TakenAway,
            "P" => Line::Result(BoardResult::PassedOut),
            _ => Line::Result(BoardResult::Played(typed_result(typed))),
        };
        let why = String::new();
        self.tell(Command::Rule { cell, ruling, why });
    }

    /// Erased or not, board, contract and result of each row.
    fn received(&self) -> Vec<(bool, i64, String)> {
        let file = Database::open(self.file.clone()).expect("a database");
        let rows = file.rows("ReceivedData").expect("rows").expect("there");
        let rows = rows.iter().map(Row::of);
        rows.map(|row| {
            let said = format!(
                "{} {} {}",
                row.text("Contract"),
                row.text("NS/EW"),
                row.text("Result")
            );
            (
                row.is("Erased"),
                row.number("Board"),
                said.trim().to_owned(),
            )
        })
        .collect()
    }

    fn set(&mut self, table: &str, at: usize, values: &[(&str, Value)]) {
        let mut file = Database::open(self.file.clone()).expect("a database");
        let rows = file.rows(table).expect("rows").expect("there");
        file.set(table, rows[at].place, values).expect("set");
        self.file = file.into_bytes();
    }
}

/// `4SS+1`: contract, declarer, result.
fn typed_result(typed: &str) -> protocol::words::Played {
    let (contract, rest) = typed.split_at(2);
    let (seat, result) = rest.split_at(1);
    let contract = protocol::words::Contract::parse(contract, seat.parse().expect("a seat"));
    let contract = contract.expect("a contract");
    protocol::words::Played {
        contract,
        tricks: contract.level.tricks_from_text(result).expect("tricks"),
        lead: None,
    }
}

fn cell(table: u16, round: u8, board: u8) -> Cell {
    let table = TableId {
        section: SectionLetter::A,
        table: table.try_into().expect("a table"),
    };
    let round = round.try_into().expect("a round");
    Cell::new(table, round, BoardNumber::new(board).expect("a board"))
}

#[test]
fn a_session_is_set_up_from_the_file_and_opened() {
    for version in [Version::Jet3, Version::Jet4] {
        let evening = Evening::of(made(version));
        let state = evening.state();
        let session = state.session.as_ref().expect("a session");
        assert_eq!(session.phase, crate::session::Phase::Open);
        let section = &session.sections[&SectionLetter::A];
        assert_eq!((section.sittings.len(), section.one_winner), (4, true));
        assert_eq!(session.settings.feedback, FeedbackLevel::None);
        assert_eq!(session.settings.lead, LeadEntry::Required);
        let pair = session.pair_id(SectionLetter::A, Side::NorthSouth, 1.try_into().expect("1"));
        let name = session
            .roster
            .name(&state.club, pair, Partner::First, RoundNumber::FIRST);
        assert_eq!(name, "Anna Ash");
    }
}

#[test]
fn results_corrections_and_deletions_stand_in_the_file_as_the_terminals_write_them() {
    for version in [Version::Jet3, Version::Jet4] {
        let mut evening = Evening::of(made(version));
        evening.types(cell(1, 1, 1), "4SS+1");
        evening.types(cell(2, 1, 1), "P");
        assert!(evening.look());
        let first = vec![
            (false, 1, "4 S S +1".to_owned()),
            (false, 1, "PASS".to_owned()),
        ];
        assert_eq!(evening.received(), first);
        assert!(!evening.look(), "each result once");

        evening.types(cell(1, 1, 1), "4SS=");
        evening.types(cell(2, 1, 1), "");
        assert!(evening.look());
        let then = vec![
            (true, 1, "4 S S +1".to_owned()),
            (true, 1, "PASS".to_owned()),
            (false, 1, "4 S S =".to_owned()),
        ];
        assert_eq!(evening.received(), then);
        assert!(!evening.look());

        // Taken back altogether, the correction is gone as well.
        let records = &evening.state().session.as_ref().expect("a session").records;
        let last = records.iter().rev().nth(1).expect("the correction").seq;
        evening.tell(Command::Undo {
            change: last,
            why: String::new(),
        });
        assert!(evening.look());
        let standing: Vec<_> = evening
            .received()
            .into_iter()
            .filter(|(erased, ..)| !erased)
            .collect();
        assert_eq!(standing, vec![(false, 1, "4 S S +1".to_owned())]);
        assert!(!evening.look());
    }
}

#[test]
fn a_new_base_station_takes_the_results_from_the_file_and_writes_none_twice() {
    let mut evening = Evening::of(made(Version::Jet3));
    evening.types(cell(1, 1, 1), "4SS+1");
    evening.types(cell(2, 1, 2), "3HE-2");
    evening.look();
    let rows = evening.received();
    let mut other = Evening::of(evening.file);
    assert_eq!(other.received(), rows);
    assert!(!other.look());
    assert_eq!(
        other
            .state()
            .session
            .as_ref()
            .expect("a session")
            .lines
            .len(),
        2
    );
}

#[test]
fn what_the_scoring_program_changes_is_taken_and_its_mark_removed() {
    let mut evening = Evening::of(made(Version::Jet4));
    evening.types(cell(1, 1, 1), "4SS+1");
    evening.look();
    let changed = [("Result", text("-1")), ("ExternalUpdate", Value::Bit(true))];
    evening.set("ReceivedData", 0, &changed);
    assert!(evening.look());
    let session = evening.state().session.as_ref().expect("a session");
    let expected = Line::Result(BoardResult::Played(typed_result("4SS-1")));
    assert_eq!(session.lines[&cell(1, 1, 1)].ruling, expected);
    let file = Database::open(evening.file.clone()).expect("a database");
    let rows = file.rows("ReceivedData").expect("rows").expect("there");
    assert_eq!(rows[0].get("ExternalUpdate"), &Value::Bit(false));
    // From here on it is a line like any other.
    evening.types(cell(1, 1, 1), "4SS=");
    evening.look();
    assert_eq!(evening.received().len(), 2);
}

#[test]
fn rounds_that_a_swiss_adds_are_taken_and_a_cut_is_not_taken_back() {
    for version in [Version::Jet3, Version::Jet4] {
        let mut evening = Evening::of(made(version));
        evening.types(cell(1, 1, 1), "4SS+1");
        evening.look();
        let columns = [
            "Section",
            "Table",
            "Round",
            "NSPair",
            "EWPair",
            "LowBoard",
            "HighBoard",
        ];
        let mut file = Database::open(evening.file.clone()).expect("a database");
        for row in round(3, [[2, 3], [1, 4]]) {
            let row: Vec<_> = columns.into_iter().zip(row).collect();
            file.append("RoundData", &row).expect("added");
        }
        evening.file = file.into_bytes();
        evening.look();
        let rounds = |evening: &Evening| {
            let session = evening.state().session.as_ref().expect("a session");
            session.sections[&SectionLetter::A].last_round().get()
        };
        assert_eq!(rounds(&evening), 3);

        // The director cuts the last round off; the file is only asked when it asks.
        let last = 2_u8.try_into().expect("a round");
        evening.tell(Command::ReviseMovement {
            section: SectionLetter::A,
            repair: crate::session::Repair::CutShort { last },
            why: String::new(),
        });
        evening.look();
        assert_eq!(rounds(&evening), 2);
        evening.set("Tables", 0, &[("UpdateFromRound", int(3))]);
        assert!(evening.look());
        assert_eq!(rounds(&evening), 3);
        let file = Database::open(evening.file.clone()).expect("a database");
        let rows = file.rows("Tables").expect("rows").expect("there");
        assert_eq!(rows[0].get("UpdateFromRound"), &int(0));
    }
}

#[test]
fn player_numbers_go_into_the_rows_of_their_seats() {
    for version in [Version::Jet3, Version::Jet4] {
        let mut evening = Evening::of(made(version));
        let session = evening.state().session.as_ref().expect("a session");
        let pair = |number: u16| {
            session.pair_id(
                SectionLetter::A,
                Side::NorthSouth,
                number.try_into().expect("a pair"),
            )
        };
        let (first, third) = (pair(1), pair(3));
        let name = |pair, partner, name: &str, from: u8| Command::NamePlayer {
            pair,
            partner,
            number: Some("77".parse().expect("a number")),
            name: name.to_owned(),
            from: from.try_into().expect("a round"),
            digits: 0,
        };
        evening.tell(name(first, Partner::Second, "Ben Bell", 1));
        evening.tell(name(third, Partner::First, "Cleo Carr", 2));
        evening.look();
        let file = Database::open(evening.file.clone()).expect("a database");
        let rows = file.rows("PlayerNumbers").expect("rows").expect("there");
        let said: Vec<String> = (rows.iter().map(Row::of))
            .map(|row| {
                let [direction, number, name] =
                    ["Direction", "Number", "Name"].map(|it| row.text(it));
                format!(
                    "{}{direction} {number} {name} {} {}",
                    row.number("Table"),
                    row.number("Round"),
                    row.is("Updated")
                )
            })
            .collect();
        let expected = [
            "1N 0042 Anna Ash 0 false",
            "1S 77 Ben Bell 0 true",
            "2N 77 Cleo Carr 0 false",
            "1E 77 Cleo Carr 2 false",
        ];
        assert_eq!(said, expected);
        assert!(!evening.look());
    }
}

#[test]
fn a_table_is_logged_on_in_the_file_when_a_pad_holds_it_and_off_when_it_is_freed() {
    let mut evening = Evening::of(made(Version::Jet3));
    let tables = |evening: &Evening| {
        let file = Database::open(evening.file.clone()).expect("a database");
        let rows = file.rows("Tables").expect("rows").expect("there");
        let rows = rows.iter().map(Row::of);
        rows.map(|row| (row.number("LogOnOff"), row.number("CurrentRound")))
            .collect::<Vec<_>>()
    };
    assert_eq!(tables(&evening), [(2, 0), (2, 0)]);
    let table = cell(2, 1, 1).table_id();
    let state = CheckIn {
        battery_20_mv: 150,
        signal_minus_dbm: 70,
        unsent: 0,
        round: RoundNumber::FIRST,
    };
    let request = Request::Pad {
        pad: PadId::new(7).expect("a pad"),
        binding: None,
        message: Box::new(Up::LogOn(LogOn {
            section: table.section,
            table: table.table,
            wire_version: WIRE_VERSION,
            firmware: FirmwareVersion(1, 2, 3),
            state,
        })),
    };
    evening.keeper.deal_with(request, NOW);
    evening.types(cell(2, 1, 1), "P");
    assert!(evening.look());
    assert_eq!(tables(&evening), [(2, 0), (1, 1)]);
    evening.tell(Command::FreeTable { table });
    evening.look();
    assert_eq!(tables(&evening), [(2, 0), (2, 1)]);
}

#[test]
fn a_file_without_a_movement_or_of_individuals_is_refused_with_a_sentence() {
    let empty = jet::write(
        Version::Jet4,
        &[table("Section", &[("ID", Kind::Int)], Vec::new())],
    );
    let refused = Ordered::read(&empty.expect("a file")).expect_err("refused");
    assert!(
        refused.to_string().contains("there is no movement"),
        "{refused}"
    );
    let columns = [
        "Section", "Table", "Round", "NSPair", "EWPair", "South", "West",
    ];
    let columns = columns.map(|name| (name, Kind::Int));
    let row = [1, 1, 1, 1, 2, 3, 4].map(int).into();
    let single = jet::write(
        Version::Jet3,
        &[
            table("Section", &[("ID", Kind::Int)], vec![vec![int(1)]]),
            table("RoundData", &columns, vec![row]),
        ],
    );
    let refused = Ordered::read(&single.expect("a file")).expect_err("refused");
    assert!(refused.to_string().contains("individual"), "{refused}");
}
