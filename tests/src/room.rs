//! A room of a congress: pads on the simulated air, their players, and the serial line to a real
//! daemon, in real time. A laptop that is put in another one's place hears the same air.

use std::time::{Duration, Instant as Wall};

use air::{Air, Channel, Station};
use bench_parts::Wire;
use fastrand::Rng;
use protocol::frame::{ClubKey, NetworkId};
use protocol::link::{Modem, Timing};
use protocol::time::{Instant, Span};
use protocol::words::{
    BoardNumber, BoardResult, PadId, PlayerNumber, RoundNumber, SectionLetter, TableNumber,
};
use virtual_pad::fingers::{Fingers, Next};
use virtual_pad::{Setup, VirtualPad, players};

use crate::daemon::CLUB_KEY;

/// What the receiver and the pads speak at.
pub const BAUD: u32 = 19_200;

/// A key takes so long, and a board so much longer: these are quick players.
const KEY: Span = Span::from_millis(40);
const BOARD: Span = Span::from_millis(400);

/// A result that was agreed at a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agreed {
    /// Where.
    pub table: TableNumber,
    /// When.
    pub round: RoundNumber,
    /// Which board.
    pub board: BoardNumber,
    /// What.
    pub result: BoardResult,
}

/// The room.
pub struct Room {
    wire: Wire,
    air: Air,
    antenna: Station,
    began: Wall,
    tables: Vec<Table>,
    rng: Rng,
}

struct Table {
    number: TableNumber,
    station: Station,
    pad: VirtualPad,
    fingers: Fingers,
    acts_at: Instant,
    agreed: Vec<Agreed>,
}

impl Room {
    /// So many tables, a pad on each. One frame in fifty is not heard.
    pub fn new(number: u32, tables: u16) -> Self {
        let mut rng = Rng::with_seed(number.into());
        let mut channel = Channel::clear(Timing::at_baud(BAUD));
        channel.loss_permille = 20;
        let mut air = Air::new(channel, number.into());
        let antenna = air.add_base();
        let club: ClubKey = CLUB_KEY.parse().expect("the tests' key is one");
        let tables = (1..=tables).map(|table| {
            let pad = PadId::new(number * 100 + u32::from(table)).expect("a pad");
            let setup = Setup::of(&club, pad, NetworkId::new(0), Timing::at_baud(BAUD));
            let number = TableNumber::new(table).expect("a table");
            let visitors = [0; 4].map(|_| PlayerNumber::new(0).expect("a visitor"));
            Table {
                number,
                station: air.add_pad(),
                pad: VirtualPad::new(setup, Instant::from_millis(1_000)),
                fingers: Fingers::new(SectionLetter::A, number, visitors),
                acts_at: Instant::from_millis(1_000 + rng.u64(..3_000)),
                agreed: Vec::new(),
            }
        });
        Self {
            tables: tables.collect(),
            wire: Wire::new(),
            antenna,
            air,
            began: Wall::now(),
            rng,
        }
    }

    /// The name of the base's port.
    pub fn radio(&self) -> &str {
        &self.wire.far_end
    }

    /// Everything that East has accepted at its tables.
    pub fn agreed(&self) -> impl Iterator<Item = &Agreed> {
        self.tables.iter().flat_map(|table| &table.agreed)
    }

    /// Lets everybody do what is due.
    pub fn step(&mut self) {
        let micros = u64::try_from(self.began.elapsed().as_micros()).expect("a short evening");
        let now = Instant::from_micros(1_000_000 + micros);
        let said = self.wire.hear();
        if !said.is_empty() {
            self.air.send(self.antenna, &said, now);
        }
        loop {
            let deliveries = self.air.poll_receive(now);
            if deliveries.is_empty() {
                break;
            }
            for delivery in deliveries {
                if delivery.to == self.antenna {
                    self.wire.say(&delivery.bytes);
                } else if let Some(table) =
                    self.tables.iter_mut().find(|it| it.station == delivery.to)
                {
                    table.pad.handle_receive(&delivery.bytes, now);
                }
            }
        }
        for table in &mut self.tables {
            if table.acts_at <= now {
                table.act(now, &mut self.rng);
            }
            table.pump(&mut self.air, now);
        }
    }
}

impl Table {
    fn act(&mut self, now: Instant, rng: &mut Rng) {
        self.acts_at = now + KEY;
        match self.fingers.next(self.pad.app()) {
            Next::Press(key) => self.pad.press(key, now),
            Next::Play(round, board) => {
                let known = |it: &Agreed| (it.round, it.board) == (round, board);
                // It is asked for again where something came between typing and accepting.
                let before = self.agreed.iter().find(|it| known(it)).map(|it| it.result);
                let result = before.unwrap_or_else(|| {
                    let result = without_lead(players::play(&players::deal(rng), rng));
                    self.agreed.push(Agreed {
                        table: self.number,
                        round,
                        board,
                        result,
                    });
                    result
                });
                let settings = *self.pad.app().settings();
                self.fingers.enter(&result, &settings);
                self.acts_at = now + BOARD;
            }
            Next::Stuck => self.fingers.press_blindly([pad::Key::Ok]),
            Next::Wait | Next::Finished => {}
        }
    }

    fn pump(&mut self, air: &mut Air, now: Instant) {
        if self.pad.poll_timeout(now).is_some_and(|at| at <= now) {
            self.pad.handle_timeout(now);
        }
        air.set_power(self.station, self.pad.modem() == Modem::On, now);
        while let Some(frame) = self.pad.poll_transmit(now) {
            air.send(self.station, &frame, now);
        }
    }
}

/// The tests' evenings ask for no lead.
fn without_lead(result: BoardResult) -> BoardResult {
    match result {
        BoardResult::Played(mut played) => {
            played.lead = None;
            BoardResult::Played(played)
        }
        other => other,
    }
}

/// Lets all rooms go on until something is so, which is looked for twice a second.
pub fn play_until(rooms: &mut [Room], at_most: Duration, mut enough: impl FnMut(&[Room]) -> bool) {
    let begun = Wall::now();
    let mut looked = Wall::now();
    loop {
        for room in rooms.iter_mut() {
            room.step();
        }
        if looked.elapsed() > Duration::from_millis(500) {
            if enough(rooms) {
                return;
            }
            assert!(begun.elapsed() < at_most, "the rooms came to a standstill");
            looked = Wall::now();
        }
        std::thread::sleep(Duration::from_micros(500));
    }
}
