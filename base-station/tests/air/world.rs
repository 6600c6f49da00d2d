//! The room: pads with people at them, the channel, the hub and the session, in virtual time.

use air::{Air, Channel, Eavesdropper, Heard, Station};
use base_station::session::plan::{Ruling, SectionPlan};
use base_station::session::{
    Cell, Command, Event, Keeper, Moment, Outcome, Presence, Request, Session, State, TableId, Who,
};
use base_station::store::{FILE_NAME, Store};
use pad::Key;
use protocol::frame::{BaseNonce, ClubKey, NetworkId};
use protocol::link::{Hub, Modem, Port, Timing};
use protocol::time::{Instant, Span};
use protocol::words::{
    BoardNumber, BoardResult, PadId, PlayerNumber, RoundNumber, SectionLetter, TableNumber,
};
use tempfile::TempDir;
use virtual_pad::fingers::{Fingers, Next, digits};
use virtual_pad::{Setup, VirtualPad};

pub(crate) const SECTION: SectionLetter = SectionLetter::A;

/// The director's menu, tonight's PIN, Replace.
pub(crate) const REPLACE: [Key; 6] = [
    Key::Director,
    Key::Seven,
    Key::Three,
    Key::One,
    Key::Six,
    Key::Four,
];

const SECRET: [u8; 32] = [0x42; 32];
const CLUB: ClubKey = ClubKey::new(SECRET);
const NETWORK: NetworkId = NetworkId::new(5);
const BAUD: u32 = 9_600;

/// Ten in the morning, some day.
const MORNING: Moment = Moment(1_794_823_200_000);

/// Between two keys.
const KEY_PAUSE: Span = Span::from_millis(400);

/// As the daemon does: without it a quiet minute looks like a clock that was moved.
const LOOK_ROUND_EVERY: Span = Span::from_secs(10);

/// Whatever takes longer than this does not happen.
const PATIENCE: Span = Span::from_secs(300);

struct Table {
    pad: Option<VirtualPad>,
    station: Station,
    fingers: Fingers,
}

pub(crate) struct World {
    air: Air,
    antenna: Station,
    hub: Hub,
    keeper: Keeper<Store>,
    /// The laptop's data.
    folder: TempDir,
    /// Starts of a base so far: each draws a nonce of its own.
    starts: u8,
    /// Hears everything.
    eavesdropper: Eavesdropper,
    tables: Vec<Table>,
    now: Instant,
    looks_round_at: Instant,
    pads: u32,
    timing: Timing,
}

pub(crate) fn table(number: u16) -> TableId {
    TableId {
        section: SECTION,
        table: TableNumber::new(number).expect("a table"),
    }
}

impl World {
    /// An open session with people and a pad at every table.
    pub(crate) fn open(plan: &SectionPlan, tables: u16) -> Self {
        let timing = Timing::at_baud(BAUD);
        let mut air = Air::new(Channel::clear(timing), 1);
        let antenna = air.add_base();
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::open(folder.path()).expect("a journal");
        let keeper = Keeper::open(store, MORNING).expect("an empty journal opens");
        let mut world = Self {
            air,
            antenna,
            hub: Hub::new(CLUB, NETWORK, timing, BaseNonce([1; 8])),
            keeper,
            folder,
            starts: 1,
            eavesdropper: Eavesdropper::new(SECRET),
            tables: Vec::new(),
            now: Instant::from_millis(1),
            looks_round_at: Instant::from_millis(1),
            pads: 0,
            timing,
        };
        world.command(Command::CreateEvent {
            name: "Real".to_owned(),
            date: "2026-11-16".to_owned(),
            title: String::new(),
        });
        world.command(Command::PlanSection {
            section: SECTION,
            plan: plan.clone(),
        });
        world.command(Command::SetDirectorPin {
            pin: protocol::message::Pin(7316),
        });
        world.command(Command::Open);
        for number in 1..=tables {
            let (pad, station) = world.pad_from_the_cupboard();
            world.tables.push(Table {
                pad: Some(pad),
                station,
                fingers: Fingers::new(SECTION, table(number).table, [PlayerNumber::VISITOR; 4]),
            });
        }
        world
    }

    fn pad_from_the_cupboard(&mut self) -> (VirtualPad, Station) {
        self.pads += 1;
        let id = PadId::new(0xB0A3_0000 + self.pads).expect("a pad");
        let setup = Setup {
            seed: u64::from(self.pads),
            ..Setup::of(&CLUB, id, NETWORK, self.timing)
        };
        (VirtualPad::new(setup, self.now), self.air.add_pad())
    }

    pub(crate) const fn now(&self) -> Instant {
        self.now
    }

    pub(crate) fn moment(&self) -> Moment {
        MORNING.plus_ms(self.now.as_millis())
    }

    pub(crate) const fn state(&self) -> &State {
        self.keeper.state()
    }

    pub(crate) const fn presence(&self) -> &Presence {
        self.keeper.presence()
    }

    pub(crate) fn session(&self) -> &Session {
        self.state().session.as_ref().expect("a session")
    }

    /// When each entry came, in the order of the journal.
    pub(crate) fn order_of_arrival(&self) -> Vec<u64> {
        let records = self.session().records.iter();
        let entered = records.filter(|record| matches!(record.event, Event::Entered { .. }));
        entered.map(|record| record.at.0).collect()
    }

    pub(crate) fn command(&mut self, command: Command) {
        let told = format!("{command:?}");
        let (command, who) = (Box::new(command), Who::Director("Dora".to_owned()));
        let outcome = self.deal_with(Request::Command { command, who });
        assert!(matches!(outcome, Outcome::Done(_)), "{told}: {outcome:?}");
    }

    /// The director decides a line.
    pub(crate) fn rule(&mut self, cell: Cell, ruling: Ruling) {
        self.command(Command::Rule {
            cell,
            ruling,
            why: "late play".to_owned(),
        });
    }

    fn deal_with(&mut self, request: Request) -> Outcome {
        let moment = self.moment();
        let mut batch = self.keeper.deal_with(request, moment);
        for (pad, news) in batch.posts {
            self.hub.post(pad, news, self.now);
        }
        batch.outcomes.pop().expect("a request has an outcome")
    }

    /// Lets time pass, from one thing that happens to the next.
    pub(crate) fn run_until(&mut self, end: Instant) {
        while self.now < end {
            self.settle();
            let pads = self.tables.iter().filter_map(|table| table.pad.as_ref());
            let due = pads.filter_map(|pad| pad.poll_timeout(self.now));
            let next = due
                .chain(self.hub.poll_timeout())
                .chain(self.air.poll_timeout())
                .chain([self.looks_round_at])
                .min()
                .unwrap_or(end);
            // What is due at this very moment has been handled: time must go on.
            self.now = next.max(self.now + Span::from_micros(50)).min(end);
            for delivery in self.air.poll_receive(self.now) {
                if delivery.to == self.antenna {
                    self.hub.handle_receive(Port(0), &delivery.bytes, self.now);
                    continue;
                }
                let mut tables = self.tables.iter_mut();
                let there = tables.find(|table| table.station == delivery.to);
                if let Some(pad) = there.and_then(|table| table.pad.as_mut()) {
                    pad.handle_receive(&delivery.bytes, self.now);
                }
            }
        }
    }

    fn settle(&mut self) {
        let now = self.now;
        if self.looks_round_at <= now {
            self.looks_round_at = now + LOOK_ROUND_EVERY;
            let outcome = self.deal_with(Request::LookRound);
            assert!(matches!(outcome, Outcome::Done(_)), "{outcome:?}");
        }
        for table in &mut self.tables {
            let Some(pad) = &mut table.pad else {
                continue;
            };
            if pad.poll_timeout(now).is_some_and(|at| at <= now) {
                pad.handle_timeout(now);
            }
            self.air
                .set_power(table.station, pad.modem() == Modem::On, now);
            if let Some(frame) = pad.poll_transmit(now) {
                self.eavesdropper.hear_frame(&frame);
                self.air.send(table.station, &frame, now);
            }
        }
        self.hub.handle_timeout(now);
        while let Some(call) = self.hub.poll_call() {
            let outcome = self.deal_with(Request::Pad {
                pad: call.pad,
                binding: call.binding,
                message: Box::new(call.message),
            });
            if let Outcome::Answer(answer) = outcome {
                self.hub.answer(call.pad, answer, now);
            }
        }
        while let Some((_, frame)) = self.hub.poll_transmit(now) {
            self.eavesdropper.hear_frame(&frame);
            self.air.send(self.antenna, &frame, now);
        }
    }

    /// A copy of the journal, made while it is in use.
    pub(crate) fn backup(&self) -> TempDir {
        let elsewhere = tempfile::tempdir().expect("a folder");
        let to = elsewhere.path().join(FILE_NAME);
        let copied = self.keeper.journal().backup(&to, self.moment());
        copied.expect("a copy");
        elsewhere
    }

    /// The program starts again with these data.
    pub(crate) fn start_base(&mut self, folder: Option<TempDir>) {
        if let Some(folder) = folder {
            self.folder = folder;
        }
        let moment = self.moment();
        self.starts += 1;
        let nonce = BaseNonce([self.starts; 8]);
        self.hub = Hub::new(CLUB, NETWORK, self.timing, nonce);
        // The lock on the old file must be gone before it is opened again.
        let aside = tempfile::tempdir().expect("a folder");
        let nothing = Store::open(aside.path()).expect("an empty journal");
        self.keeper = Keeper::open(nothing, moment).expect("it opens");
        let store = Store::open(self.folder.path()).expect("the journal opens");
        let made = store.backup_mark().expect("it can be read");
        self.keeper = Keeper::open(store, moment).expect("it opens");
        if let Some(made) = made {
            self.command(Command::OpenBackup { made });
            let journal = self.keeper.journal_mut();
            journal.clear_backup_mark().expect("written");
        }
    }

    /// What somebody heard who listened from the beginning.
    pub(crate) fn heard(&self) -> Heard {
        self.eavesdropper.heard()
    }

    fn table_mut(&mut self, at: u16) -> &mut Table {
        &mut self.tables[usize::from(at) - 1]
    }

    /// Somebody does the next thing; true when the pad asks for the result of a board.
    fn act(&mut self, at: u16) -> Option<(RoundNumber, BoardNumber)> {
        let now = self.now;
        let table = self.table_mut(at);
        let pad = table.pad.as_mut()?;
        match table.fingers.next(pad.app()) {
            Next::Press(key) => pad.press(key, now),
            Next::Play(round, board) => return Some((round, board)),
            Next::Wait | Next::Finished => {}
            Next::Stuck => panic!("table {at} is stuck: {:?}", pad.app().flow()),
        }
        self.run_until(now + KEY_PAUSE);
        None
    }

    /// The people of a table type a result and accept it.
    pub(crate) fn agree(
        &mut self,
        at: u16,
        round: RoundNumber,
        board: BoardNumber,
        result: BoardResult,
    ) {
        let until = self.now + PATIENCE;
        loop {
            assert!(self.now < until, "table {at} never came to board {board}");
            match self.act(at) {
                Some(place) if place == (round, board) => break,
                // The director has just dealt with a board; the pad hears it at its next contact.
                Some((earlier, _)) if earlier != round => {
                    self.run_until(self.now + Span::from_secs(5));
                }
                Some(_) => {
                    // They have played another board first.
                    let mut keys = vec![Key::Back];
                    keys.extend(digits(u32::from(board.get())));
                    keys.push(Key::Ok);
                    self.table_mut(at).fingers.press_blindly(keys);
                }
                None => {}
            }
        }
        let table = self.table_mut(at);
        if let Some(pad) = &table.pad {
            table.fingers.enter(&result, pad.app().settings());
        }
        while self.agreed(at, round, board).is_none() {
            assert!(self.now < until, "table {at} could not agree board {board}");
            self.act(at);
        }
    }

    fn agreed(&self, at: u16, round: RoundNumber, board: BoardNumber) -> Option<()> {
        let pad = self.tables[usize::from(at) - 1].pad.as_ref()?;
        pad.app().sheet().line(round, board).map(|_| ())
    }

    /// The same, and the base has it.
    pub(crate) fn enter(
        &mut self,
        at: u16,
        round: RoundNumber,
        board: BoardNumber,
        result: BoardResult,
    ) {
        self.agree(at, round, board, result);
        let until = self.now + PATIENCE;
        while !self.session().is_in(Cell::new(table(at), round, board)) {
            assert!(self.now < until, "table {at} board {board} never came");
            self.run_until(self.now + KEY_PAUSE);
        }
    }

    /// The pad of a table can't be heard any more.
    pub(crate) fn lose_contact(&mut self, at: u16) {
        let station = self.table_mut(at).station;
        self.air.set_dead_spot(station, true);
    }

    /// The pad of a table is gone for good.
    pub(crate) fn destroy(&mut self, at: u16) {
        let now = self.now;
        let table = self.table_mut(at);
        table.pad = None;
        let station = table.station;
        self.air.set_power(station, false, now);
    }

    /// The director lets the pad have the table that asks for it.
    fn say_yes(&mut self, table: TableId) {
        let asking = self
            .session()
            .tables
            .get(&table)
            .map(|it| it.asking.clone());
        let open = |(pad, answer): (PadId, Option<bool>)| answer.is_none().then_some(pad);
        let pad = asking.into_iter().flatten().find_map(open);
        if let Some(pad) = pad {
            self.command(Command::AnswerReplace {
                table,
                pad,
                allowed: true,
            });
        }
    }

    /// The director brings another pad, says Replace and says yes at the base; how long it takes from
    /// the moment in which it has the table until it has as many results as the base.
    pub(crate) fn replace(&mut self, at: u16, keys: &[Key], results: usize) -> Span {
        let here = table(at);
        let dead = self.session().holder(here);
        let (pad, station) = self.pad_from_the_cupboard();
        let table = self.table_mut(at);
        table.pad = Some(pad);
        table.station = station;
        table.fingers.interrupt();
        table.fingers.press_blindly(keys.iter().copied());
        let mut since = self.now;
        let until = self.now + PATIENCE;
        loop {
            assert!(self.now < until, "the new pad never got its game");
            self.say_yes(here);
            if self.session().holder(here) == dead {
                since = self.now;
            }
            let table = self.table_mut(at);
            let app = table.pad.as_ref().expect("the new pad").app();
            if app.sheet().lines().count() >= results {
                return self.now.since(since);
            }
            match table.fingers.next(app) {
                Next::Press(key) => {
                    let now = self.now;
                    let table = self.table_mut(at);
                    table.pad.as_mut().expect("the new pad").press(key, now);
                    self.run_until(now + Span::from_millis(100));
                }
                _ => self.run_until(self.now + Span::from_millis(20)),
            }
        }
    }
}
