//! The night itself: a loop over moments at which something happens.

use std::collections::VecDeque;

use air::{Air, Channel, Eavesdropper, Station};
use base_station::movement::{Kind, Setup, generate};
use base_station::session::plan::SectionPlan;
use base_station::session::{Command, Session};
use fastrand::Rng;
use pad::app::Flow;
use protocol::link::Timing;
use protocol::time::{Instant, Span};
use protocol::words::{BoardNumber, Deal, PadId, SectionLetter, TableNumber};
use virtual_pad::players;

use super::agenda::{Agenda, Mishap};
use super::base::{Laptop, PIN, SECRET};
use super::checkers;
use super::cupboard::worn_flash;
use super::disk::Mood;
use super::matches::after_the_draw;
use super::network::Network;
use super::page::Page;
use super::people::{Handheld, Table};
use super::report::{self, Night};
use super::thief::Thief;
use super::witness::Witness;
use super::{Broken, Evening, Options};

/// Frames that an attacker has recorded.
const TAPE_LEN_MAX: usize = 200;

/// After the last fault and the last card, everything must have come right within this time.
const SETTLES_WITHIN: Span = Span::from_secs(20 * 60);

/// No night is longer than this; one that is has gone round in circles.
const NIGHT_MAX: Span = Span::from_secs(5 * 3600);

/// Plays a night and judges it.
pub fn play(options: &Options) -> Night {
    let mut world = World::new(options, None);
    world.whole_night();
    world.judge()
}

/// Plays so many nights of one event of matches in one journal, and judges each.
pub fn play_event(options: &Options, nights: u8) -> Vec<Night> {
    let mut before: Option<super::matches::NightBefore> = None;
    let mut judged = Vec::new();
    for night in 0..nights {
        let options = Options {
            seed: options
                .seed
                .wrapping_mul(1_000)
                .wrapping_add(u64::from(night)),
            event: Some((options.seed, nights, options.tables)),
            // Nobody sits at a table whose pair went home for good.
            tables: before
                .as_ref()
                .map_or(options.tables, super::matches::NightBefore::tables),
            ..*options
        };
        let mut world = World::new(&options, before.take());
        world.whole_night();
        before = world.hands_on();
        let whole = before.is_some();
        judged.push(world.judge());
        if !whole {
            // What was not finished can't be gone on from; the night says why.
            break;
        }
    }
    judged
}

pub(super) struct World {
    pub(super) options: Options,
    pub(super) now: Instant,
    pub(super) rng: Rng,
    pub(super) air: Air,
    pub(super) antenna: Station,
    pub(super) timing: Timing,
    pub(super) laptop: Laptop,
    /// Between the phones and the laptop.
    pub(super) network: Network,
    pub(super) tables: Vec<Table>,
    /// Replaced pads that still exist.
    pub(super) ghosts: Vec<Handheld>,
    /// Spare pads at a table that is not theirs.
    pub(super) rivals: Vec<Table>,
    pub(super) deals: Vec<Deal>,
    pub(super) agenda: Agenda,
    pub(super) receiver_plugged: bool,
    pub(super) tape: VecDeque<Vec<u8>>,
    pub(super) spares: u32,
    /// Somebody with a stolen pad.
    pub(super) thief: Option<Thief>,
    pub(super) witness: Witness,
    /// Knows the club's key and hears every frame that a pad or the base sends.
    pub(super) eavesdropper: Eavesdropper,
    /// The director's page, open all night.
    pub(super) page: Page,
    pub(super) night: Night,
    /// Draws of a night of matches, as they were published.
    pub(super) published: super::matches::Published,
    /// Tables that had not finished when the night had to end, and where they were.
    pub(super) stuck: Vec<(TableNumber, Option<Flow>)>,
}

impl World {
    fn whole_night(&mut self) {
        self.set_up();
        self.run();
        self.director_fills_gaps();
        self.settle();
    }

    fn new(options: &Options, before: Option<super::matches::NightBefore>) -> Self {
        let mut rng = Rng::with_seed(options.seed);
        let timing = Timing::at_baud(options.baud);
        let channel = Channel {
            loss_permille: options.loss_permille,
            flip_permille: options.flip_permille,
            repeat_permille: options.repeat_permille,
            hidden_permille: options.hidden_permille,
            model: options.model(timing),
            ..Channel::clear(timing)
        };
        let mut air = Air::new(channel, options.seed);
        let antenna = air.add_base();
        let length = Span::from_secs(u64::from(options.boards) * 380);
        let agenda = Agenda::draw(options, length, &mut rng);
        let deals = (0..options.boards)
            .map(|_| players::deal(&mut rng))
            .collect();
        let mut world = Self {
            options: *options,
            now: Instant::ZERO,
            rng,
            air,
            antenna,
            timing,
            laptop: match &before {
                Some(before) => Laptop::over(before.disk.clone(), options.broken, timing),
                None => Laptop::new(options.broken, timing),
            },
            network: Network::new(options.seed),
            tables: Vec::new(),
            ghosts: Vec::new(),
            rivals: Vec::new(),
            deals,
            agenda,
            receiver_plugged: true,
            tape: VecDeque::new(),
            spares: 0,
            thief: None,
            witness: Witness::default(),
            eavesdropper: Eavesdropper::new(SECRET),
            page: Page::default(),
            night: Night::new(*options),
            published: super::matches::Published::after(before),
            stuck: Vec::new(),
        };
        for number in (1..=options.tables).filter_map(TableNumber::new) {
            let handheld = if number.get() <= options.phones {
                world.phone_from_a_pocket()
            } else {
                world.pad_from_the_cupboard()
            };
            let table = Table::new(number, handheld, &mut world.rng);
            world.tables.push(table);
        }
        world.thief = options
            .thief
            .then(|| Thief::new(options.seed, options.broken, &mut world.air, world.timing));
        world
    }

    /// The session, as the base has it now.
    pub(super) fn session(&self) -> Option<&Session> {
        self.laptop.state()?.session.as_ref()
    }

    pub(super) fn pad_from_the_cupboard(&mut self) -> Handheld {
        self.spares += 1;
        let id = PadId::new(0xB0A2_0000 + self.spares).expect("every number is a pad's");
        let mut flash = worn_flash(&mut self.rng);
        if self.options.broken == Broken::FlashLosesOnWrap {
            flash.forget_pages_on_wrap();
        }
        Handheld::new(id, flash, &mut self.air, self.timing, self.now)
    }

    /// The director sets the session up, as on every evening.
    fn set_up(&mut self) {
        self.start_laptop();
        let setup = Setup::new(
            TableNumber::new(self.options.tables).expect("at least one table"),
            BoardNumber::new(self.options.boards).expect("at least one board"),
        );
        let movement = generate(Kind::Mitchell, setup).expect("a Mitchell for this room");
        let plan = SectionPlan::of(&movement, "blue");
        self.director_does(Command::CreateEvent {
            name: self.published.event_name(),
            date: "2026-11-16".to_owned(),
            title: String::new(),
        });
        if self.options.evening == Evening::Mitchell {
            self.director_does(Command::PlanSection {
                section: SectionLetter::A,
                plan,
            });
        } else {
            self.set_up_matches();
        }
        self.director_does(Command::SetDirectorPin { pin: PIN });
        self.director_does(Command::Open);
        self.agenda
            .add(Instant::from_millis(30_000), Mishap::LookRound);
    }

    fn director_does(&mut self, command: Command) {
        let shown = format!("{command:?}");
        assert!(
            self.laptop.command(command, self.now),
            "set-up refused: {shown:.60}"
        );
    }

    /// Until every table has finished, or the night has gone on for too long.
    fn run(&mut self) {
        let plays = |table: &Table| !table.finished;
        while self.tables.iter().any(plays) && self.now <= Instant::ZERO + NIGHT_MAX {
            if !self.step() {
                break;
            }
        }
        let stuck = self.tables.iter().filter(|table| plays(table));
        self.stuck = stuck.map(|table| (table.number, table.flow())).collect();
    }

    /// Goes to the next moment at which something happens.
    fn step(&mut self) -> bool {
        let now = self.now;
        let people = self.tables.iter().chain(&self.rivals);
        let acts = people
            .clone()
            .filter(|table| !table.finished)
            .map(|table| table.acts_at);
        let pads = people.map(|table| &table.handheld).chain(&self.ghosts);
        let pads = pads.filter_map(|handheld| handheld.poll_timeout(now));
        let rest = [
            self.air.poll_timeout(),
            self.network.poll_timeout(),
            self.laptop.poll_timeout(),
            self.agenda.next_at(),
            self.thief.as_ref().and_then(Thief::poll_timeout),
        ];
        let Some(next) = acts.chain(pads).chain(rest.into_iter().flatten()).min() else {
            return false;
        };
        self.now = self.now.max(next);
        self.note_hindrances();
        self.deliver();
        self.deliver_lines();
        while let Some(mishap) = self.agenda.pop_due(self.now) {
            self.happen(mishap);
        }
        self.people_act();
        self.thief_acts();
        self.pump();
        true
    }

    /// What has stood in the way of results until now.
    fn note_hindrances(&mut self) {
        let session = self.session();
        let stopped = session.is_some_and(|session| !session.gate_open);
        if !self.receiver_plugged || !self.laptop.takes_results() || stopped {
            self.witness.base_is_hindered(self.now);
        }
        let people = self.tables.iter().chain(&self.rivals);
        for handheld in people.map(|table| &table.handheld).chain(&self.ghosts) {
            let station = handheld.station;
            let away = self.air.is_in_dead_spot(station) || self.is_elsewhere(station);
            if handheld.pad.is_none() || away {
                self.witness.pad_is_hindered(handheld.id, self.now);
            }
        }
    }

    /// Bytes that come out of modems.
    fn deliver(&mut self) {
        let now = self.now;
        for delivery in self.air.poll_receive(now) {
            if delivery.to == self.antenna {
                if self.receiver_plugged {
                    self.laptop.handle_receive(&delivery.bytes, now);
                }
                continue;
            }
            if let Some(thief) = self.thief.as_mut().filter(|it| it.station == delivery.to) {
                thief.handle_receive(&delivery.bytes, now);
                continue;
            }
            let mut handhelds = handhelds(&mut self.tables, &mut self.rivals, &mut self.ghosts);
            let holder = handhelds.find(|handheld| handheld.station == delivery.to);
            if let Some(pad) = holder.and_then(|handheld| handheld.pad.as_mut()) {
                pad.handle_receive(&delivery.bytes, now);
                if pad.flash().has_power() {
                    self.witness.look_at(pad, now);
                }
            }
        }
    }

    fn people_act(&mut self) {
        for table in self.tables.iter_mut().chain(&mut self.rivals) {
            if !table.finished && table.acts_at <= self.now {
                table.act(&self.deals, &mut self.witness, &mut self.rng, self.now);
            }
        }
    }

    /// Everybody does what is due and sends what there is to send.
    fn pump(&mut self) {
        let now = self.now;
        let held = match &self.thief {
            Some(_) => self.laptop.holders(),
            None => Vec::new(),
        };
        if self.laptop.work(now) {
            self.base_died();
        }
        self.watch_thief(&held);
        while let Some((port, frame)) = self.laptop.poll_transmit(now) {
            if Network::is_line(port) {
                self.eavesdropper.hear_frame(&frame);
                if !self.is_cut(port) {
                    self.network.send(port, false, frame.clone(), now);
                }
                record(&mut self.tape, frame);
                continue;
            }
            if self.receiver_plugged {
                self.air.send(self.antenna, &frame, now);
                self.night.imprint(&now.as_micros().to_le_bytes());
                self.night.imprint(&frame);
                self.eavesdropper.hear_frame(&frame);
                record(&mut self.tape, frame);
            }
        }
        if self.laptop.is_dying() {
            self.laptop.crash();
            self.base_died();
        }
        let (mut without_power, mut on_lines) = (Vec::new(), Vec::new());
        for handheld in handhelds(&mut self.tables, &mut self.rivals, &mut self.ghosts) {
            while let Some(frame) = handheld.pump(&mut self.air, now) {
                self.night.imprint(&now.as_micros().to_le_bytes());
                self.night.imprint(&frame);
                self.eavesdropper.hear_frame(&frame);
                if let Some(line) = handheld.line {
                    on_lines.push((line, frame.clone()));
                } else if let Some(thief) = &mut self.thief {
                    thief.overhear(&frame, &self.timing, now);
                }
                record(&mut self.tape, frame);
            }
            if handheld.has_lost_power() {
                handheld.stop(&mut self.air, now);
                without_power.push(handheld.id);
            }
        }
        for (line, frame) in on_lines {
            if !self.is_cut(line) {
                self.network.send(line, true, frame, now);
            }
        }
        if let Some(frame) = self
            .thief
            .as_mut()
            .and_then(|it| it.pump(&mut self.air, now))
        {
            self.night.imprint(&frame);
            self.eavesdropper.hear_frame(&frame);
        }
        for id in without_power {
            let table = self.tables.iter().position(|table| table.handheld.id == id);
            if let Some(table) = table {
                self.agenda
                    .add(now + Span::from_secs(20), Mishap::PadIsStartedAgain(table));
            }
        }
    }

    fn base_died(&mut self) {
        let down = Span::from_secs(self.rng.u64(2..120));
        self.agenda.add(self.now + down, Mishap::BaseIsStartedAgain);
        self.tell("The base station dies.");
    }

    pub(super) fn start_laptop(&mut self) {
        let nonce = self.rng.u64(..).to_le_bytes();
        self.laptop.start(nonce, self.now);
    }

    /// From now on nothing fails any more.
    pub(super) fn heal(&mut self) {
        self.agenda = Agenda::default();
        self.agenda
            .add(self.now + Span::from_secs(30), Mishap::LookRound);
        self.receiver_plugged = true;
        self.laptop.set_disk(Mood::Well);
        self.laptop.crash_at = None;
        if !self.laptop.is_running() {
            self.start_laptop();
        }
        self.laptop
            .command(Command::SetGate { open: true }, self.now);
        let channel = self.air.channel_mut();
        (
            channel.loss_permille,
            channel.flip_permille,
            channel.repeat_permille,
        ) = (0, 0, 0);
        for handheld in handhelds(&mut self.tables, &mut self.rivals, &mut self.ghosts) {
            let channel = self.air.channel_of(self.antenna);
            self.air.tune(handheld.station, channel, self.now);
            self.air.set_dead_spot(handheld.station, false);
        }
        for at in 0..self.tables.len() {
            if let Some(pad) = &mut self.tables[at].handheld.pad {
                pad.flash().restore_power();
            }
            self.start_pad_again(at);
        }
        for ghost in &mut self.ghosts {
            ghost.start(self.now);
        }
    }

    /// Waits until every pad and the base agree.
    fn settle(&mut self) {
        let since = self.now;
        while self.now.since(since) < SETTLES_WITHIN && !checkers::has_converged(self) {
            self.go_on_for(Span::from_secs(1));
        }
        let settled_after = self.now.since(since);
        self.night.settled_after = self.night.settled_after.max(settled_after);
        self.page.wake_up();
        self.laptop.publish(&mut self.page, self.now);
    }

    pub(super) fn go_on_for(&mut self, span: Span) {
        let until = self.now + span;
        while self.now < until && self.step() {}
    }

    fn judge(mut self) -> Night {
        self.witness.end(self.now);
        self.night.violations.extend(checkers::check(&self));
        self.night.longest_wait = self.witness.longest_wait;
        self.night.longest_unhindered_wait = self.witness.longest_unhindered_wait.clone();
        let session = self.session();
        self.night.boards = session.map(checkers::boards).unwrap_or_default();
        self.night.scores = self.witness.received.len();
        self.night.agreed = self.witness.agreed.len();
        self.night.frames = self.air.sent();
        self.night.collisions = self.air.collisions();
        let records = self.laptop.records();
        self.night.log = report::log(&records);
        let session = self.session().map(|it| it.id);
        (self.night.late_results, self.night.late_corrections) = after_the_draw(&records, session);
        self.night.records = records.len();
        self.night.imprint(format!("{records:?}").as_bytes());
        self.night
    }
}

/// Every pad in the room.
pub(super) fn handhelds<'a>(
    tables: &'a mut [Table],
    rivals: &'a mut [Table],
    ghosts: &'a mut [Handheld],
) -> impl Iterator<Item = &'a mut Handheld> {
    tables
        .iter_mut()
        .chain(rivals)
        .map(|table| &mut table.handheld)
        .chain(ghosts)
}

fn record(tape: &mut VecDeque<Vec<u8>>, frame: Vec<u8>) {
    tape.push_back(frame);
    if tape.len() > TAPE_LEN_MAX {
        tape.pop_front();
    }
}
