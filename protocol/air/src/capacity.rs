//! How many tables one channel carries: the end of a round, measured.

use std::collections::BTreeMap;

use protocol::link::{Call, PadEvent, Timing};
use protocol::message::{CheckIn, Down, Entry, EntryNumber, Up};
use protocol::time::{Instant, Span};
use protocol::words::{
    BoardNumber, BoardResult, Contract, Percentage, Played, RoundNumber, Seat, Tricks,
};

use crate::room::{Desk, Room};
use crate::{Channel, Currents, Model, Random};

/// Boards that a table finishes in an hour, for the energy of an hour.
const BOARDS_AN_HOUR: f64 = 8.0;

/// Bytes on the air of a full result with lead, and of its answer with the percentage.
const RESULT_BYTES: usize = 26;
const ANSWER_BYTES: usize = 22;

/// Pads associate and check in for this long before the burst.
const BEFORE: Span = Span::from_secs(180);

/// Everybody sends one result within this time.
const BURST: Span = Span::from_secs(60);

/// What to measure.
#[derive(Clone, Copy, Debug)]
pub struct Scenario {
    /// How many tables.
    pub tables: usize,
    /// At which baud rate.
    pub baud: u32,
    /// How many frames of a thousand are lost.
    pub loss_permille: u32,
    /// How many pairs of pads of a thousand cannot hear each other.
    pub hidden_permille: u32,
    /// What modems, adapter and host do; nothing is a modem exactly as the link reckons with.
    pub model: Option<Model>,
    /// Over how many channels the tables are spread, each with a receiver of its own.
    pub channels: u8,
    /// The same seed gives the same figures.
    pub seed: u64,
}

/// What was measured.
#[derive(Clone, Debug)]
pub struct Figures {
    /// From agreed to received, as the pad knows it, shortest first.
    pub waits: Vec<Span>,
    /// Results that had not arrived three minutes after the burst. Pads go on trying.
    pub lost: usize,
    /// Results that the base's application was given twice.
    pub twice: usize,
    /// Share of the burst in which somebody was on the air.
    pub utilisation: f64,
    /// Exchanges made in the burst as a share of what a perfect schedule would carry.
    pub of_limit: f64,
    /// Milliamp-seconds that a pad's modem spends on a result.
    pub mas_a_result: f64,
    /// Milliamp-seconds that a pad's modem spends in an hour of play, check-ins included.
    pub mas_an_hour: f64,
    /// The longest that a modem had power for one result.
    pub modem_on_max: Span,
    /// From the start of a new base until it has heard from every pad.
    pub after_restart: Option<Span>,
}

impl Figures {
    /// Several runs as one: all waits, the worst of what must be bounded, means of the rest.
    pub fn pooled(runs: &[Self]) -> Self {
        let number = count(runs.len());
        let mean = |of: fn(&Self) -> f64| runs.iter().map(of).sum::<f64>() / number;
        let mut waits: Vec<Span> = runs.iter().flat_map(|run| run.waits.clone()).collect();
        waits.sort_unstable();
        let restarts: Option<Vec<Span>> = runs.iter().map(|run| run.after_restart).collect();
        Self {
            waits,
            lost: runs.iter().map(|run| run.lost).sum(),
            twice: runs.iter().map(|run| run.twice).sum(),
            utilisation: mean(|run| run.utilisation),
            of_limit: mean(|run| run.of_limit),
            mas_a_result: mean(|run| run.mas_a_result),
            mas_an_hour: mean(|run| run.mas_an_hour),
            modem_on_max: runs
                .iter()
                .map(|run| run.modem_on_max)
                .max()
                .unwrap_or_default(),
            after_restart: restarts.and_then(|restarts| restarts.into_iter().max()),
        }
    }

    /// The wait that so many of a hundred results stay within.
    pub fn percentile(&self, percent: usize) -> Span {
        let last = self.waits.len().saturating_sub(1);
        self.waits
            .get((self.waits.len() * percent / 100).min(last))
            .copied()
            .unwrap_or_default()
    }
}

/// The base's application: receives every entry and gives fifty percent.
#[derive(Debug, Default)]
pub struct Scorer {
    /// What was received: from which pad, which entry, when.
    pub entries: Vec<(u32, EntryNumber, Instant)>,
    /// How many check-ins were heard.
    pub check_ins: usize,
}

impl Desk for Scorer {
    fn call(&mut self, call: &Call, now: Instant) -> Vec<Down> {
        match call.message {
            Up::Entry(entry) => {
                self.entries.push((call.pad.get(), entry.number, now));
                vec![Down::Received {
                    number: entry.number,
                    percentage: Percentage::whole(50),
                }]
            }
            Up::CheckIn(_) => {
                self.check_ins += 1;
                vec![]
            }
            _ => vec![],
        }
    }
}

/// An ordinary result: four spades doubled by North, made, the king of hearts led.
///
/// # Panics
/// Never: all of its words exist.
pub fn entry(number: u16) -> Up {
    let result = || {
        Some(BoardResult::Played(Played {
            contract: Contract::parse("4SX", Seat::North).ok()?,
            tricks: Tricks::new(10)?,
            lead: Some("HK".parse().ok()?),
        }))
    };
    Up::Entry(Entry {
        number: EntryNumber(number),
        round: RoundNumber::FIRST,
        agreed_in: RoundNumber::FIRST,
        board: BoardNumber::MIN,
        result: result().unwrap_or(BoardResult::PassedOut),
        correction: false,
        by_director: false,
    })
}

/// What a healthy pad reports.
pub const CHECK_IN: CheckIn = CheckIn {
    battery_20_mv: 150,
    signal_minus_dbm: 70,
    unsent: 0,
    round: RoundNumber::FIRST,
};

/// Plays the end of a round, then restarts the base.
pub fn measure(scenario: Scenario) -> Figures {
    let timing = Timing::at_baud(scenario.baud);
    let channel = Channel {
        loss_permille: scenario.loss_permille,
        hidden_permille: scenario.hidden_permille,
        model: scenario.model.unwrap_or(Model::exact(timing)),
        ..Channel::clear(timing)
    };
    let mut room = Room::new(channel, Scorer::default(), scenario.seed);
    let mut random = Random::new(scenario.seed ^ 0xA6_4EED);
    for channel in 1..scenario.channels {
        room.add_receiver(channel);
    }
    for number in 0..scenario.tables {
        let table = room.add_table();
        let channel = number % usize::from(scenario.channels.max(1));
        room.tune(table, u8::try_from(channel).unwrap_or_default());
        let now = room.now();
        room.tables[table].link.report(Some(CHECK_IN), now);
    }
    room.run_for(BEFORE);
    let idle_from = energy(&room);
    room.run_for(BURST);
    let idle = energy(&room) - idle_from;

    let mut burst = Burst::default();
    let (busy, check_ins) = (room.air.busy(), room.desk.check_ins);
    burst.play(&mut room, &mut random);
    let busy = room.air.busy() - busy;
    let exchanges = room.desk.check_ins - check_ins + room.desk.entries.len();
    burst.drain(&mut room);

    let model = channel.model;
    let turnarounds = model.delay.0 + model.delay.1;
    let exchange = match model.air_rate {
        None => timing.airtime(RESULT_BYTES) + timing.airtime(ANSWER_BYTES),
        Some(_) => timing.bytes(RESULT_BYTES) + timing.bytes(ANSWER_BYTES),
    } + turnarounds;
    let tables = count(scenario.tables);
    let mas_a_result = burst.energy / tables;
    let idle_an_hour = idle / tables * 3600.0 / seconds(BURST);
    let mut figures = Figures {
        lost: scenario.tables - burst.waits.len(),
        twice: room.desk.entries.len().saturating_sub(scenario.tables),
        utilisation: seconds(busy) / seconds(BURST),
        of_limit: count(exchanges) * seconds(exchange) / seconds(BURST),
        mas_a_result,
        mas_an_hour: idle_an_hour + mas_a_result * BOARDS_AN_HOUR,
        modem_on_max: burst.on_max,
        after_restart: restart(&mut room),
        waits: burst.waits,
    };
    figures.waits.sort_unstable();
    figures
}

/// The results of the burst and what they cost.
#[derive(Default)]
struct Burst {
    /// By table: when it was agreed, and how long the modem had had power and sent before.
    agreed: BTreeMap<usize, (Instant, Span, Span)>,
    waits: Vec<Span>,
    energy: f64,
    on_max: Span,
}

impl Burst {
    fn play(&mut self, room: &mut Room<Scorer>, random: &mut Random) {
        room.events.clear();
        let start = room.now();
        let mut moments: Vec<(Instant, usize)> = (0..room.tables.len())
            .map(|table| {
                let after = Span::from_micros(random.below(BURST.as_micros()));
                (start + after, table)
            })
            .collect();
        moments.sort_unstable();
        for (at, table) in moments {
            room.run_until(at);
            self.collect(room);
            let (on, sent) = room.air.on_time(room.tables[table].station, at);
            self.agreed.insert(table, (at, on, sent));
            room.tables[table].outbox.push_back(entry(1));
        }
        room.run_until(start + BURST);
    }

    fn drain(&mut self, room: &mut Room<Scorer>) {
        room.run_for(BURST.times(3));
        self.collect(room);
    }

    fn collect(&mut self, room: &mut Room<Scorer>) {
        for (at, table, event) in std::mem::take(&mut room.events) {
            if event != PadEvent::Answered {
                continue;
            }
            if let Some((agreed, on_before, sent_before)) = self.agreed.get(&table) {
                self.waits.push(at.since(*agreed));
                let (on, sent) = room.tables[table].on_when_answered;
                let (on, sent) = (on - *on_before, sent - *sent_before);
                self.energy += charge(on, sent);
                self.on_max = self.on_max.max(on);
            }
        }
    }
}

/// From a new base to the last pad's word.
fn restart(room: &mut Room<Scorer>) -> Option<Span> {
    room.stop_base();
    room.run_for(Span::from_secs(5));
    room.start_base();
    let start = room.now();
    for _ in 0..240 {
        room.run_for(Span::from_millis(500));
        let heard = room.hub.as_ref().map_or(0, |hub| hub.pads().count());
        if heard == room.tables.len() {
            return Some(room.now().since(start));
        }
    }
    None
}

fn energy(room: &Room<Scorer>) -> f64 {
    room.tables
        .iter()
        .map(|table| {
            let (on, sent) = room.air.on_time(table.station, room.now());
            charge(on, sent)
        })
        .sum()
}

fn charge(on: Span, sent: Span) -> f64 {
    let currents = Currents::COMMON;
    seconds(on - sent) * currents.receive_ma + seconds(sent) * currents.send_ma
}

#[expect(clippy::cast_precision_loss, reason = "hours, not centuries")]
fn seconds(span: Span) -> f64 {
    span.as_micros() as f64 / 1e6
}

#[expect(clippy::cast_precision_loss, reason = "hundreds of tables")]
fn count(number: usize) -> f64 {
    number as f64
}
