//! A room whose pads say what the story wants, and the watch over it.

use base_station::checks::{Attention, Kind};
use base_station::movement::{Kind as MovementKind, Setup, Variant, generate};
use base_station::session::plan::SectionPlan;
use base_station::session::{
    Command, Keeper, MemoryJournal, Moment, Outcome, Request, Seq, Session, State, TableId, Who,
};
use base_station::view::{self, WarningView};
use base_station::watch::{Settlement, Warning, Watchful};
use protocol::link::Binding;
use protocol::message::{Down, Entry, EntryNumber, HandRecord, Up};
use protocol::words::{
    BoardNumber, BoardResult, Card, Contract, PadId, PairNumber, Played, RoundNumber, Seat,
    SectionLetter, TableNumber,
};

pub(crate) const SECTION: SectionLetter = SectionLetter::A;

/// Nine in the evening, some day.
const EVENING: Moment = Moment(1_794_862_800_000);

pub(crate) struct Room {
    keeper: Keeper<MemoryJournal>,
    bindings: Vec<Binding>,
    next: Vec<EntryNumber>,
    watchful: Watchful,
    pub(crate) now: Moment,
}

impl Room {
    pub(crate) fn skip_mitchell(tables: u16, boards: u8) -> Self {
        let keeper = Keeper::open(MemoryJournal::new(), EVENING).expect("an empty journal opens");
        let mut room = Self {
            keeper,
            bindings: Vec::new(),
            next: Vec::new(),
            watchful: Watchful::default(),
            now: EVENING,
        };
        room.direct(Command::CreateEvent {
            name: "Monday Pairs".to_owned(),
            date: "2026-11-16".to_owned(),
            title: String::new(),
        });
        let tables_of = TableNumber::new(tables).expect("a table");
        let setup = Setup {
            variant: Some(Variant::Skip),
            ..Setup::new(tables_of, BoardNumber::new(boards).expect("a board"))
        };
        let movement = generate(MovementKind::Mitchell, setup).expect("the movement exists");
        room.direct(Command::PlanSection {
            section: SECTION,
            plan: SectionPlan::of(&movement, "red"),
        });
        room.direct(Command::SetDirectorPin {
            pin: protocol::message::Pin(7316),
        });
        room.direct(Command::Open);
        for at in 1..=tables {
            room.log_on(at);
        }
        room
    }

    fn log_on(&mut self, at: u16) {
        let claim = bench_parts::claim(SECTION, table(at).table);
        let downs = self.says(at, None, Up::LogOn(claim));
        let welcome = downs.into_iter().find_map(|down| match down {
            Down::Welcome(welcome) => Some(welcome),
            _ => None,
        });
        let welcome = welcome.expect("a welcome");
        self.bindings.push(Binding {
            session: welcome.session,
            epoch: welcome.epoch,
        });
        self.next.push(welcome.next_entry);
    }

    pub(crate) fn attach_real_deals(&mut self) {
        self.attach_deals_from(1);
    }

    /// The real deals, the first one under the number of this board; none from 0.
    pub(crate) fn attach_deals_from(&mut self, first: u64) {
        let path = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../tests/real/club_session_deals.pbn"
        );
        let file = std::fs::read(path).expect("the real deals");
        let deals = base_station::deals::read_pbn(&file).expect("deals");
        let mut deals: Vec<HandRecord> = deals.iter().map(HandRecord::from).collect();
        let count = deals.len();
        let numbers: Vec<BoardNumber> = deals.iter().map(|it| it.board).collect();
        for (at, deal) in deals.iter_mut().enumerate() {
            let by = usize::try_from(first).expect("small") + count - 1;
            deal.board = numbers[(at + by) % count];
        }
        if first == 0 {
            deals.clear();
        }
        let file = "real.pbn".to_owned();
        self.direct(Command::AttachDeals { file, deals });
    }

    pub(crate) const fn state(&self) -> &State {
        self.keeper.state()
    }

    pub(crate) fn session(&self) -> &Session {
        self.state().session.as_ref().expect("a session")
    }

    fn ask(&mut self, request: Request) -> Outcome {
        self.now = self.now.plus_ms(1000);
        let mut batch = self.keeper.deal_with(request, self.now);
        batch.outcomes.pop().expect("a request has an outcome")
    }

    pub(crate) fn direct(&mut self, command: Command) -> Seq {
        let told = format!("{command:?}");
        let (command, who) = (Box::new(command), Who::Director("Anna".to_owned()));
        match self.ask(Request::Command { command, who }) {
            Outcome::Done(seq) => seq,
            other => panic!("{told}: {other:?}"),
        }
    }

    /// A command that may be refused.
    pub(crate) fn try_direct(&mut self, command: Command) -> bool {
        let (command, who) = (Box::new(command), Who::Director("Anna".to_owned()));
        let outcome = self.ask(Request::Command { command, who });
        matches!(outcome, Outcome::Done(_))
    }

    pub(crate) fn wait_minutes(&mut self, minutes: u64) {
        self.now = self.now.plus_ms(minutes * 60_000);
        self.keeper.deal_with(Request::LookRound, self.now);
    }

    pub(crate) fn set_check(&mut self, kind: &str, attention: &str) {
        let attention = match attention {
            "on" => Attention::On,
            "quiet" => Attention::Quiet,
            _ => Attention::Off,
        };
        let kind = Kind::named(kind).expect("a check");
        self.direct(Command::SetCheck { kind, attention });
    }

    fn says(&mut self, at: u16, binding: Option<Binding>, message: Up) -> Vec<Down> {
        let pad = PadId::new(at.into()).expect("a pad");
        match self.ask(Request::of_pad(pad, binding, message)) {
            Outcome::Answer(downs) => downs,
            other => panic!("a pad gets an answer, not {other:?}"),
        }
    }

    /// Who should sit at a table in a round.
    pub(crate) fn planned(&self, at: u16, number: u8) -> (Option<u16>, Option<PairNumber>) {
        let sitting = self.session().sitting(table(at), round(number));
        let sitting = sitting.expect("the table plays");
        (sitting.ns.map(PairNumber::get), sitting.ew)
    }

    pub(crate) fn pairs_seen(
        &mut self,
        at: u16,
        number: u8,
        (ns, ew): (Option<u16>, Option<PairNumber>),
    ) {
        let seen = Up::PairsSeen {
            round: round(number),
            ns: ns.and_then(PairNumber::new),
            ew,
        };
        let binding = Some(self.bindings[usize::from(at) - 1]);
        self.says(at, binding, seen);
    }

    pub(crate) fn enter(&mut self, at: u16, number: u8, board: u8, result: BoardResult) {
        let index = usize::from(at) - 1;
        let entry = Entry {
            number: self.next[index],
            round: round(number),
            agreed_in: round(number),
            board: BoardNumber::new(board).expect("a board"),
            result,
            correction: false,
            by_director: false,
        };
        self.next[index] = entry.number.next();
        let binding = Some(self.bindings[index]);
        let downs = self.says(at, binding, Up::Entry(entry));
        let received = |down: &Down| matches!(down, Down::Received { .. });
        assert!(downs.iter().any(received), "{downs:?}");
    }

    /// The same, whatever becomes of it.
    pub(crate) fn tries_to_enter(
        &mut self,
        at: u16,
        number: u8,
        board: BoardNumber,
        result: BoardResult,
    ) {
        let index = usize::from(at) - 1;
        let entry = Entry {
            number: self.next[index],
            round: round(number),
            agreed_in: round(number),
            board,
            result,
            correction: false,
            by_director: false,
        };
        self.next[index] = entry.number.next();
        self.tells(at, Up::Entry(entry));
    }

    /// The pad of a table says something.
    pub(crate) fn tells(&mut self, at: u16, message: Up) {
        let binding = Some(self.bindings[usize::from(at) - 1]);
        self.says(at, binding, message);
    }

    fn enter_some(&mut self, at: u16, number: u8, which: impl Fn(usize) -> bool) {
        let cells = self.session().expected(table(at), round(number));
        for (index, cell) in cells.into_iter().enumerate().filter(|(it, _)| which(*it)) {
            let declarer = Seat::ALL[(usize::from(at) + index) % 4];
            let card = (index == 1).then(|| "SA".parse().expect("a card"));
            self.enter(at, number, cell.board.get(), played("3NT", declarer, card));
        }
    }

    pub(crate) fn enter_round(&mut self, at: u16, number: u8) {
        self.enter_some(at, number, |_| true);
    }

    pub(crate) fn enter_first(&mut self, at: u16, number: u8) {
        self.enter_some(at, number, |index| index == 0);
    }

    pub(crate) fn enter_rest(&mut self, at: u16, number: u8) {
        self.enter_some(at, number, |index| index > 0);
    }

    /// What the watch that has followed everything says.
    pub(crate) fn look(&mut self) -> Vec<WarningView> {
        let (state, presence) = (self.keeper.state(), self.keeper.presence());
        self.watchful.shown(state, presence, self.now)
    }

    /// The same as values.
    pub(crate) fn warned(&mut self) -> Vec<Warning> {
        let (state, presence) = (self.keeper.state(), self.keeper.presence());
        self.watchful.warnings(state, presence, self.now)
    }

    /// What the base does when the director gives this answer.
    pub(crate) fn answered(&mut self, warning: &WarningView, answer: usize) -> Option<Command> {
        let warnings = self.warned();
        let answer = &warning.answers[answer].answer;
        let settlement = Settlement::of(&warnings, &warning.key.clone().into(), answer);
        settlement.expect("it is offered").command().cloned()
    }

    /// The same as a look that begins anew.
    pub(crate) fn look_both_ways(&mut self) {
        let followed = self.look();
        let anew = view::warnings(self.keeper.state(), self.keeper.presence(), self.now);
        let keys = |warnings: &[WarningView]| -> Vec<String> {
            warnings.iter().map(|it| it.key.clone()).collect()
        };
        assert_eq!(keys(&followed), keys(&anew));
        assert!(followed == anew, "the same warnings say the same");
    }
}

pub(crate) fn played(contract: &str, declarer: Seat, lead: Option<Card>) -> BoardResult {
    let contract = Contract::parse(contract, declarer).expect("a contract");
    let tricks = contract.level.tricks_from_text("=").expect("a result");
    BoardResult::Played(Played {
        contract,
        tricks,
        lead,
    })
}

pub(crate) fn round(number: u8) -> RoundNumber {
    RoundNumber::new(number).expect("a round")
}

pub(crate) fn table(number: u16) -> TableId {
    TableId {
        section: SECTION,
        table: TableNumber::new(number).expect("a table"),
    }
}
