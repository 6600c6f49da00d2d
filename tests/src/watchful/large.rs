//! A room of 256 tables: what looking at one result costs when everybody has played everything.

use std::time::Duration;

use base_station::checks::{LineId, Moment, PairsSeen, Room, Watch};
use base_station::movement::{BoardSet, Family, Layout, Lists, Movement, Round, Seating};
use protocol::words::{BoardNumber, PairNumber, RoundNumber, SectionLetter};
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;

use super::evening::Evening;
use super::material::{real_evening, real_results};

/// As many as the base is built for.
pub const TABLES: u16 = 256;

/// Nine rounds of three boards, the boards of the real evening.
const ROUNDS: u8 = 9;

/// Boards of a set.
const SET: u8 = 3;

/// What the checks of one result took.
#[derive(Clone, Copy, Debug)]
pub struct Times {
    /// Half of the results took less.
    pub middle: Duration,
    /// Ninety-nine in a hundred took less.
    pub slow: Duration,
}

/// Plays the whole evening and times every result, pair confirmation on, with something odd going
/// on in every round: one East-West pair is somewhere else.
pub fn play() -> Times {
    let movement = movement();
    let evening = Evening {
        movement: movement.clone(),
        deals: real_evening().deals.clone(),
        news: Vec::new(),
    };
    let room = Room::new(SectionLetter::A, movement.clone(), evening.deals.clone());
    let mut watch = Watch::new(room);
    watch.look();
    let mut rng = StdRng::seed_from_u64(256);
    let mut times = Vec::new();
    for (round, planned) in (1..).filter_map(RoundNumber::new).zip(&movement.rounds) {
        for (table, seating) in planned.tables() {
            let astray = table.get() == 100;
            let ew = if astray {
                planned.seatings[0].ew
            } else {
                seating.ew
            };
            let ns = seating.ns;
            watch.pairs(table, round, Some(PairsSeen { ns, ew }));
            watch.look();
            for board in seating.boards.iter() {
                let id = LineId {
                    board,
                    round,
                    table,
                };
                let result = *real_results()[&board].choose(&mut rng).expect("results");
                let at = Moment(u64::from(round.get()) * 1000 + u64::from(table.get()));
                let line = evening.line(id, result, at);
                let started = busy();
                watch.line(id, Some(line));
                watch.look();
                times.push(busy().saturating_sub(started));
            }
        }
    }
    times.sort_unstable();
    Times {
        middle: times[times.len() / 2],
        slow: times[times.len() * 99 / 100],
    }
}

/// What this thread has worked so far: other programs on the machine don't count.
fn busy() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

/// North-South sit, East-West go up, boards go down, many copies of the boards.
fn movement() -> Movement {
    let seating = |round: u8, table: u16| {
        let moving = (table + TABLES - u16::from(round)) % TABLES + 1;
        let set = u8::try_from((table + u16::from(round)) % u16::from(ROUNDS)).expect("below 9");
        let board = |number| BoardNumber::new(number).expect("1 to 27");
        Seating {
            ns: PairNumber::new(table + 1),
            ew: PairNumber::new(moving),
            boards: BoardSet::range(board(set * SET + 1), board(set * SET + SET)),
            copy: 1,
        }
    };
    Movement {
        name: "256 tables".to_owned(),
        family: Family::Custom,
        lists: Lists::Two,
        rounds: (0..ROUNDS)
            .map(|round| Round {
                seatings: (0..TABLES).map(|table| seating(round, table)).collect(),
            })
            .collect(),
        layout: Layout::default(),
        special: None,
        notes: Vec::new(),
    }
}
