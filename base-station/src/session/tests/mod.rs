//! Stories of the room. Every story ends by reading its journal again: what comes out must be
//! what the room lived through.

mod corrections;
mod interclub;
mod large_field;
mod led;
mod lost_laptop;
mod matches;
mod movement;
mod names;
mod pads;
mod point_10;
mod point_12;
mod point_9;
mod real_evening;
mod repairs;
mod setting_up;
mod sheets;
mod stored;
mod trust;
mod undoing;
mod warnings;

use bench_parts::played;
use protocol::link::Binding;
use protocol::message::{
    CheckIn, Down, Entry, EntryNumber, FirmwareVersion, LogOn, RefusalReason, Up, WIRE_VERSION,
    Welcome,
};
use protocol::words::{
    BoardNumber, BoardResult, Epoch, PadId, PairNumber, RoundNumber, SectionLetter, TableNumber,
};

use super::plan::{Ruling, SectionPlan};
use super::{
    Batch, Cell, Command, Keeper, Line, MemoryJournal, Moment, Outcome, PairId, Request, Seq,
    Session, State, TableId, Who,
};
use crate::movement::{Kind, Setup, generate};

/// Nine in the evening, some day.
const EVENING: Moment = Moment(1_794_862_800_000);

/// The director's number of the club.
const PIN: Command = Command::SetDirectorPin {
    pin: protocol::message::Pin(7316),
};

/// A room with a base station, and pads that say what the story wants them to.
struct Room {
    keeper: Keeper<MemoryJournal>,
    now: Moment,
    /// What waits for each pad, in order.
    mail: Vec<(PadId, Down)>,
}

impl Room {
    /// A club with an event and its first session.
    fn new() -> Self {
        let mut room = Self {
            keeper: Keeper::open(MemoryJournal::new(), EVENING).expect("an empty journal opens"),
            now: EVENING,
            mail: Vec::new(),
        };
        room.direct(Command::CreateEvent {
            name: "Monday Pairs".to_owned(),
            date: "2026-11-16".to_owned(),
            title: String::new(),
        });
        room
    }

    /// The same with an open section A that plays a movement.
    fn playing(kind: Kind, tables: u16, boards: u8) -> Self {
        let mut room = Self::new();
        let setup = Setup::new(table_number(tables), board(boards));
        let movement = generate(kind, setup).expect("the movement exists");
        room.direct(Command::PlanSection {
            section: SectionLetter::A,
            plan: SectionPlan::of(&movement, "red"),
        });
        room.direct(PIN);
        room.direct(Command::Open);
        room
    }

    fn session(&self) -> &Session {
        self.keeper
            .state()
            .session
            .as_ref()
            .expect("a session is chosen")
    }

    fn later(&mut self, minutes: u64) {
        self.now = self.now.plus_ms(minutes * 60_000);
    }

    fn ask(&mut self, request: Request) -> Outcome {
        let mut batch: Batch = self.keeper.deal_with(request, self.now);
        assert!(batch.failure.is_none(), "the journal takes everything");
        self.mail.append(&mut batch.posts);
        batch.outcomes.pop().expect("a request has an outcome")
    }

    fn try_direct(&mut self, command: Command) -> Result<Seq, String> {
        let command = Box::new(command);
        let who = Who::Director("Anna".to_owned());
        match self.ask(Request::Command { command, who }) {
            Outcome::Done(seq) => Ok(seq),
            Outcome::Refused(refused) => Err(refused.0.to_string()),
            Outcome::Answer(_) => unreachable!("a command has no answer for a pad"),
        }
    }

    fn direct(&mut self, command: Command) -> Seq {
        let name = format!("{command:?}");
        self.try_direct(command)
            .unwrap_or_else(|refused| panic!("{name} was refused: {refused}"))
    }

    fn refused(&mut self, command: Command) -> String {
        let name = format!("{command:?}");
        self.try_direct(command)
            .expect_err(&format!("{name} should be refused"))
    }

    fn says(&mut self, pad: PadId, binding: Option<Binding>, message: Up) -> Vec<Down> {
        match self.ask(Request::of_pad(pad, binding, message)) {
            Outcome::Answer(downs) => downs,
            other => panic!("a pad gets an answer, not {other:?}"),
        }
    }

    /// A pad logs on; the story goes on with what it holds then.
    fn log_on(&mut self, pad: u32, table: u16) -> PadAtTable {
        let downs = self.says(pad_id(pad), None, Up::LogOn(claim(table)));
        PadAtTable::welcomed(pad_id(pad), &downs)
    }

    fn replace(&mut self, pad: u32, table: u16) -> (PadAtTable, Vec<Down>) {
        let replace = Up::Replace(claim(table));
        let mut downs = self.says(pad_id(pad), None, replace.clone());
        if reason(&downs) == Some(RefusalReason::AskingDirector) {
            // The director stands at the base and says yes.
            self.direct(Command::AnswerReplace {
                table: table_a(table),
                pad: pad_id(pad),
                allowed: true,
            });
            downs = self.says(pad_id(pad), None, replace);
        }
        (PadAtTable::welcomed(pad_id(pad), &downs), downs)
    }

    fn line(&self, cell: Cell) -> &Line {
        self.session()
            .lines
            .get(&cell)
            .expect("there is such a line")
    }

    fn percent_of(&self, pair: &str) -> f64 {
        let pair: PairId = pair.parse().expect("a pair");
        let standings = self.session().standings();
        let mut places = standings.lists.iter().flat_map(|list| &list.places);
        let place = places
            .find(|place| place.pair == pair)
            .expect("the pair is ranked");
        place
            .percent
            .expect("matchpoints have percentages")
            .to_f64()
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        let again = State::replay(self.keeper.journal()).expect("the journal can be read");
        assert_eq!(&again, self.keeper.state(), "replay gives the same state");
    }
}

/// A pad that holds (or held) a table, with its own counter.
#[derive(Clone, Debug)]
struct PadAtTable {
    pad: PadId,
    welcome: Welcome,
    next: EntryNumber,
}

impl PadAtTable {
    fn welcomed(pad: PadId, downs: &[Down]) -> Self {
        let welcome = downs.iter().find_map(|down| match down {
            Down::Welcome(welcome) => Some(welcome.clone()),
            _ => None,
        });
        let welcome = welcome.unwrap_or_else(|| panic!("expected a welcome in {downs:?}"));
        let next = welcome.next_entry;
        Self { pad, welcome, next }
    }

    fn binding(&self) -> Binding {
        Binding {
            session: self.welcome.session,
            epoch: self.welcome.epoch,
        }
    }

    fn epoch(&self) -> Epoch {
        self.welcome.epoch
    }

    fn says(&self, room: &mut Room, message: Up) -> Vec<Down> {
        room.says(self.pad, Some(self.binding()), message)
    }

    /// The next entry, agreed in the round it belongs to.
    fn agree(&mut self, round_of: u8, board_of: u8, result: BoardResult) -> Entry {
        let number = self.next;
        self.next = number.next();
        Entry {
            number,
            round: round(round_of),
            agreed_in: round(round_of),
            board: board(board_of),
            result,
            correction: false,
            by_director: false,
        }
    }

    fn enters(&mut self, room: &mut Room, round: u8, board: u8, result: &str) -> Vec<Down> {
        let entry = self.agree(round, board, played(result));
        self.says(room, Up::Entry(entry))
    }
}

fn is_received(downs: &[Down]) -> bool {
    downs
        .iter()
        .any(|down| matches!(down, Down::Received { .. }))
}

fn reason(downs: &[Down]) -> Option<RefusalReason> {
    downs.iter().find_map(|down| match down {
        Down::Refused { reason, .. } => Some(*reason),
        _ => None,
    })
}

fn claim(table: u16) -> LogOn {
    LogOn {
        section: SectionLetter::A,
        table: table_number(table),
        wire_version: WIRE_VERSION,
        firmware: FirmwareVersion(1, 2, 3),
        state: state(150, 0),
    }
}

fn state(battery_20_mv: u8, unsent: u8) -> CheckIn {
    CheckIn {
        battery_20_mv,
        signal_minus_dbm: 70,
        unsent,
        round: RoundNumber::FIRST,
    }
}

fn ruling(text: &str) -> Ruling {
    Ruling::Result(played(text))
}

fn board(number: u8) -> BoardNumber {
    BoardNumber::new(number).expect("a board")
}

fn round(number: u8) -> RoundNumber {
    RoundNumber::new(number).expect("a round")
}

fn table_number(number: u16) -> TableNumber {
    TableNumber::new(number).expect("a table")
}

fn pair_number(number: u16) -> PairNumber {
    PairNumber::new(number).expect("a pair")
}

fn pad_id(number: u32) -> PadId {
    PadId::new(number).expect("a pad")
}

fn table_a(number: u16) -> TableId {
    TableId {
        section: SectionLetter::A,
        table: table_number(number),
    }
}

fn cell(table: u16, in_round: u8, of_board: u8) -> Cell {
    Cell::new(table_a(table), round(in_round), board(of_board))
}
