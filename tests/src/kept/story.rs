//! The evening that is kept: eight tables with pads, cards and everything that goes wrong in a
//! room, and three tables that play on paper. It was played once; see [`super`].

use std::path::Path;

use base_station::checks::{Attention, Kind as Check};
use base_station::movement::{Kind, Setup, Variant, generate};
use base_station::session::plan::{
    Fault, Partner, PenaltyAmount, Ruling, SectionPlan, SideAward, Timing,
};
use base_station::session::{
    Cell, Command, Keeper, Moment, Outcome, PairId, Request, Seq, Session, TableId, Who,
};
use base_station::store::{FILE_NAME, HEAD_NAME, Store, export_session};
use base_station::view;
use fastrand::Rng;
use protocol::link::Binding;
use protocol::message::{
    CheckIn, Down, Entry, EntryNumber, FirmwareVersion, HandRecord, LogOn, Pin, Up, WIRE_VERSION,
};
use protocol::words::{
    BoardNumber, BoardResult, Card, Contract, PadId, PairNumber, Percentage, Played, PlayerNumber,
    RoundNumber, Score, Seat, SectionLetter, TableNumber,
};

/// A Monday of some years ago: every clock is behind it.
const EVENING: Moment = Moment(1_578_340_800_000);

const TABLES: u16 = 8;

struct Pad {
    id: PadId,
    binding: Option<Binding>,
    next: EntryNumber,
}

struct Room {
    keeper: Keeper<Store>,
    now: Moment,
    rng: Rng,
    pads: Vec<Pad>,
}

/// Plays it in an empty folder; answers with journal, its head, backup and session file.
pub fn play(data: &Path) -> [Vec<u8>; 4] {
    let store = Store::open(data).expect("a journal");
    let mut room = Room {
        keeper: Keeper::open(store, EVENING).expect("an empty journal opens"),
        now: EVENING,
        rng: Rng::with_seed(16),
        pads: Vec::new(),
    };
    room.set_up();
    for round in 1..=4 {
        room.round(round);
        room.mishaps(round);
    }
    room.forgotten_skip();
    room.corrections();
    room.answers();
    room.on_paper();
    room.now = room.now.plus_ms(60_000);
    let copy = data.join("copy.sqlite");
    let store = room.keeper.journal();
    store.backup(&copy, room.now).expect("a backup");
    let mut file = Vec::new();
    let id = room.session().id;
    export_session(store, &room.keeper.state().club, id, &mut file).expect("a file");
    let mut store = room.keeper.into_journal();
    store.fold().expect("folded");
    drop(store);
    let bytes = |path: &Path| std::fs::read(path).expect("written");
    let [journal, head] = [FILE_NAME, HEAD_NAME].map(|name| bytes(&data.join(name)));
    [journal, head, bytes(&copy), file]
}

impl Room {
    fn session(&self) -> &Session {
        self.keeper.state().session.as_ref().expect("a session")
    }

    fn ask(&mut self, request: Request) -> Outcome {
        self.now = self.now.plus_ms(700);
        let mut batch = self.keeper.deal_with(request, self.now);
        batch.outcomes.pop().expect("an outcome")
    }

    fn direct(&mut self, command: Command) -> Seq {
        let told = format!("{command:?}");
        let (command, who) = (Box::new(command), Who::Director("Dora".to_owned()));
        match self.ask(Request::Command { command, who }) {
            Outcome::Done(seq) => seq,
            other => panic!("{told}: {other:?}"),
        }
    }

    fn says(&mut self, at: u16, message: Up) -> Vec<Down> {
        let pad = &self.pads[usize::from(at) - 1];
        let (id, binding) = (pad.id, pad.binding);
        self.pad_says(id, binding, message)
    }

    fn pad_says(&mut self, pad: PadId, binding: Option<Binding>, message: Up) -> Vec<Down> {
        let message = Box::new(message);
        let said = Request::Pad {
            pad,
            binding,
            message,
        };
        match self.ask(said) {
            Outcome::Answer(downs) => downs,
            other => panic!("a pad gets an answer, not {other:?}"),
        }
    }

    fn section(&mut self, section: SectionLetter, kind: Kind, setup: Setup) {
        let movement = generate(kind, setup).expect("the movement exists");
        let plan = SectionPlan::of(&movement, "red");
        self.direct(Command::PlanSection { section, plan });
    }

    fn set_up(&mut self) {
        self.direct(Command::CreateEvent {
            name: "Kept Pairs".to_owned(),
            date: "2020-01-06".to_owned(),
            title: "first evening".to_owned(),
        });
        let members = (1..=24).filter_map(|number| {
            let name = format!("Player {}", char::from(b'A' + number));
            Some((PlayerNumber::new(700 + u32::from(number))?, name))
        });
        let (members, digits) = (members.collect(), Vec::new());
        self.direct(Command::ListMembers { members, digits });
        let skip = Setup {
            variant: Some(Variant::Skip),
            ..Setup::new(table(TABLES).table, board(24))
        };
        self.section(SectionLetter::A, Kind::Mitchell, skip);
        let small = Setup::new(table(3).table, board(10));
        self.section(letter_b(), Kind::Howell, small);
        self.direct(Command::ChooseTiming(Timing {
            minutes_a_board: 7,
            minutes_to_move: 1,
            warning_minutes: 3,
        }));
        let pin = Pin(7316);
        self.direct(Command::SetDirectorPin { pin });
        let deals = concat!(env!("CARGO_MANIFEST_DIR"), "/real/club_session_deals.pbn");
        let deals = std::fs::read(deals).expect("the real deals");
        let deals = base_station::deals::read_pbn(&deals).expect("deals");
        self.direct(Command::AttachDeals {
            file: "real.pbn".to_owned(),
            deals: deals.iter().map(HandRecord::from).collect(),
        });
        for (kind, attention) in [
            (Check::MissingDouble, Attention::Quiet),
            (Check::TableBehind, Attention::Off),
        ] {
            self.direct(Command::SetCheck { kind, attention });
        }
        self.direct(Command::Open);
        for (pair, number) in [("A1NS", 701), ("A2NS", 702), ("A3EW", 702), ("B1", 709)] {
            self.direct(Command::NamePlayer {
                pair: pair.parse().expect("a pair"),
                partner: Partner::First,
                number: PlayerNumber::new(number),
                name: String::new(),
                from: RoundNumber::FIRST,
                digits: 0,
            });
        }
        for at in 1..=TABLES {
            self.log_on(at, 100 + u32::from(at), Up::LogOn);
        }
        self.direct(Command::StartClock { round: round(1) });
    }

    fn log_on(&mut self, at: u16, id: u32, how: impl Fn(LogOn) -> Up) -> Vec<Down> {
        let id = PadId::new(id).expect("a pad");
        let claim = how(LogOn {
            section: SectionLetter::A,
            table: table(at).table,
            wire_version: WIRE_VERSION,
            firmware: FirmwareVersion(1, 4, 2),
            state: state(150, 0),
        });
        let downs = self.pad_says(id, None, claim);
        let welcome = downs.iter().find_map(|down| match down {
            Down::Welcome(welcome) => Some(welcome.clone()),
            _ => None,
        });
        if let Some(welcome) = welcome {
            let pad = Pad {
                id,
                binding: Some(Binding {
                    session: welcome.session,
                    epoch: welcome.epoch,
                }),
                next: welcome.next_entry,
            };
            let place = usize::from(at) - 1;
            if place < self.pads.len() {
                self.pads[place] = pad;
            } else {
                self.pads.push(pad);
            }
        }
        downs
    }

    fn entry(&mut self, at: u16, number: u8, of: BoardNumber, result: BoardResult) -> Entry {
        let pad = &mut self.pads[usize::from(at) - 1];
        let entry = Entry {
            number: pad.next,
            round: round(number),
            agreed_in: round(number),
            board: of,
            result,
            correction: false,
            by_director: false,
        };
        pad.next = pad.next.next();
        entry
    }

    fn enters(&mut self, at: u16, number: u8, of: u8, result: BoardResult) {
        let entry = self.entry(at, number, board(of), result);
        self.says(at, Up::Entry(entry));
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        *self.rng.choice(from).expect("something")
    }

    /// Mostly what good players would do with the cards, sometimes not.
    fn result(&mut self) -> BoardResult {
        match self.rng.u8(0..30) {
            0 => BoardResult::PassedOut,
            1 => BoardResult::NotPlayed,
            _ => {
                let contract =
                    self.pick(&["1NT", "2S", "2H", "3NT", "3NT", "4S", "4H", "4HX", "5D"]);
                let declarer = self.pick(&Seat::ALL);
                let over = self.pick(&["=", "=", "+1", "+2", "-1", "-2", "-4"]);
                let lead = self.pick(&[None, None, Some("SA"), Some("H4"), Some("DK")]);
                played(contract, declarer, over, lead)
            }
        }
    }

    fn pairs_seen(&mut self, at: u16, number: u8, ns: Option<PairNumber>, ew: Option<PairNumber>) {
        let round = round(number);
        self.says(at, Up::PairsSeen { round, ns, ew });
    }

    fn planned(&self, at: u16, number: u8) -> (Option<PairNumber>, Option<PairNumber>) {
        let sitting = self.session().sitting(table(at), round(number));
        sitting.map_or((None, None), |it| (it.ns, it.ew))
    }

    fn round(&mut self, number: u8) {
        for at in 1..=TABLES {
            let (ns, ew) = self.planned(at, number);
            // In round 3 two tables say that they have each other's pairs.
            let (ns, ew) = match (number, at) {
                (3, 6) => (ns, self.planned(2, 3).1),
                (2, 7) => (ew, ns),
                _ => (ns, ew),
            };
            self.pairs_seen(at, number, ns, ew);
            let cells = self.session().expected(table(at), round(number));
            for (index, cell) in cells.into_iter().enumerate() {
                // Table 4 leaves the last board of a round out.
                if at == 4 && index == 2 && number < 4 {
                    continue;
                }
                let result = self.result();
                let entry = self.entry(at, number, cell.board, result);
                self.says(at, Up::Entry(entry));
            }
        }
    }

    fn mishaps(&mut self, number: u8) {
        match number {
            1 => {
                self.says(3, Up::CallDirector);
                self.direct(Command::SettleCall { table: table(3) });
                let (round, board) = (round(2), board(22));
                self.says(3, Up::BoardWanted { round, board });
                self.direct(Command::AllowBoard {
                    cell: Cell::new(table(3), round, board),
                });
                self.enters(3, 2, 22, played("3NT", Seat::North, "=", None));
                self.says(2, Up::CheckIn(state(100, 0)));
            }
            2 => {
                // The pad of table 5 is replaced while it works, and still held something.
                let result = self.result();
                let held = self.entry(5, 2, board(9), result);
                let old = self.pads[4].binding;
                let old_id = self.pads[4].id;
                self.log_on(5, 205, Up::Replace);
                self.direct(Command::AnswerReplace {
                    table: table(5),
                    pad: PadId::new(205).expect("a pad"),
                    allowed: true,
                });
                self.log_on(5, 205, Up::Replace);
                self.pad_says(old_id, old, Up::Held(held));
                let other = Entry {
                    number: held.number.next(),
                    board: board(10),
                    ..held
                };
                self.pad_says(old_id, old, Up::Held(other));
                let kept: Vec<Seq> = self.session().kept.keys().copied().collect();
                if let [first, _] = kept[..] {
                    self.direct(Command::IgnoreKept { kept: first });
                }
            }
            3 => {
                // Another pad asks for table 1 and is not answered.
                self.log_on(1, 201, Up::Replace);
                let (round, board) = (round(4), board(3));
                self.says(8, Up::BoardWanted { round, board });
            }
            _ => {
                // Everybody but table 7 is heard for half an hour.
                for _ in 0..8 {
                    self.now = self.now.plus_ms(4 * 60_000);
                    for at in (1..=TABLES).filter(|at| *at != 7) {
                        self.says(at, Up::CheckIn(state(140, 0)));
                    }
                    self.ask_to_look();
                }
            }
        }
    }

    fn ask_to_look(&mut self) {
        self.keeper.deal_with(Request::LookRound, self.now);
    }

    /// East-West should skip before round 5 and go up one table.
    fn forgotten_skip(&mut self) {
        for at in 1..=TABLES {
            let (ns, _) = self.planned(at, 5);
            let (_, came) = self.planned(if at == 1 { TABLES } else { at - 1 }, 4);
            self.pairs_seen(at, 5, ns, came);
        }
    }

    fn corrections(&mut self) {
        let cells: Vec<Cell> = self.session().lines.keys().copied().collect();
        let why = || "as they say".to_owned();
        let rulings = [
            Ruling::Result(played("6NT", Seat::East, "-3", None)),
            Ruling::LatePlay,
            Ruling::Award {
                ns: SideAward::AveragePlus,
                ew: SideAward::Percent(Percentage::new(4_000).expect("a share")),
            },
            Ruling::Written(Score(430)),
            Ruling::Written(Score(-620)),
            Ruling::TakenAway,
        ];
        for (cell, ruling) in cells.iter().skip(11).step_by(9).zip(rulings) {
            let why = why();
            let cell = *cell;
            self.direct(Command::Rule { cell, ruling, why });
        }
        self.direct(Command::WriteIn {
            cell: cells[2],
            result: played("4S", Seat::South, "=", None),
            stated: Score(430),
        });
        let (cell, why_turned) = (cells[20], why());
        self.direct(Command::TurnLine {
            cell,
            why: why_turned,
        });
        let (fouled, other) = (cells[30], cells[31]);
        if fouled.board == other.board {
            self.direct(Command::SetFouled {
                section: fouled.section,
                board: fouled.board,
                groups: vec![(fouled, 'B')],
                faults: vec![(fouled, Fault::Partly, Fault::None)],
                why: why(),
            });
        }
        let pair: PairId = "A3NS".parse().expect("a pair");
        for amount in [
            PenaltyAmount::Warning,
            PenaltyAmount::PercentOfTop(Percentage::new(1_000).expect("a share")),
        ] {
            self.direct(Command::Penalise {
                pair,
                amount,
                why: "late".to_owned(),
                public: true,
            });
        }
        let last = self.direct(Command::Rule {
            cell: cells[40],
            ruling: Ruling::Result(BoardResult::NotPlayed),
            why: why(),
        });
        self.direct(Command::Undo {
            change: last,
            why: "misheard".to_owned(),
        });
    }

    /// Every third warning is settled with its last answer in words.
    fn answers(&mut self) {
        let (state, presence) = (self.keeper.state(), self.keeper.presence());
        let warnings = view::warnings(state, presence, self.now);
        for warning in warnings.iter().step_by(3) {
            if let Some(answer) = warning.answers.last() {
                self.direct(Command::AnswerWarning {
                    warning: warning.key.clone().into(),
                    answer: answer.label.to_string().into(),
                });
            }
        }
        self.direct(Command::AnswerWarning {
            warning: "lead A7 3 12".to_owned().into(),
            answer: "what the first version wrote".to_owned().into(),
        });
    }

    fn on_paper(&mut self) {
        let sittings: Vec<_> = self.session().sections[&letter_b()]
            .sittings
            .values()
            .filter(|it| it.is_played() && it.round < round(3))
            .cloned()
            .collect();
        for sitting in sittings {
            for board in sitting.boards.iter() {
                let place = TableId {
                    section: letter_b(),
                    table: sitting.table,
                };
                let ruling = Ruling::Result(self.result());
                self.direct(Command::Rule {
                    cell: Cell::new(place, sitting.round, board),
                    ruling,
                    why: String::new(),
                });
            }
        }
        self.direct(Command::SendNotice {
            tables: Vec::new(),
            text: "Coffee is ready.".to_owned(),
        });
        self.direct(Command::AddMinutes { minutes: 3 });
    }
}

fn played(contract: &str, declarer: Seat, over: &str, lead: Option<&str>) -> BoardResult {
    let contract = Contract::parse(contract, declarer).expect("a contract");
    let tricks = contract.level.tricks_from_text(over).expect("a result");
    let lead = lead.map(|card| card.parse::<Card>().expect("a card"));
    BoardResult::Played(Played {
        contract,
        tricks,
        lead,
    })
}

fn state(battery_20_mv: u8, unsent: u8) -> CheckIn {
    CheckIn {
        battery_20_mv,
        signal_minus_dbm: 60,
        unsent,
        round: RoundNumber::FIRST,
    }
}

fn letter_b() -> SectionLetter {
    SectionLetter::new('B').expect("a letter")
}

fn board(number: u8) -> BoardNumber {
    BoardNumber::new(number).expect("a board")
}

fn round(number: u8) -> RoundNumber {
    RoundNumber::new(number).expect("a round")
}

fn table(number: u16) -> TableId {
    TableId {
        section: SectionLetter::A,
        table: TableNumber::new(number).expect("a table"),
    }
}
