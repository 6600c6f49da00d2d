//! The room of the demonstration: tables, pads and the simulated air, in real time.

use air::{Air, Channel as AirChannel, Station};
use fastrand::Rng;
use pad::Key;
use protocol::frame::ClubKey;
use protocol::link::Timing;
use protocol::time::{Instant, Span};
use protocol::words::{Deal, RoundNumber, TableNumber};
use tokio::sync::{mpsc, oneshot};
use virtual_pad::{Pixels, players};

use super::table::{Mistake, Table};
use super::{BAUD, BOARDS, TABLES};
use crate::daemon::{Channel, Heard};

/// Frames and bytes that may wait between the base and the air: far more than the air carries.
const WAITING_MAX: usize = 256;

/// The air is never left alone for longer than this.
const STEP_MAX: Span = Span::from_millis(50);

/// Who makes which mistake in which round.
const MISTAKES: [(u16, u8, Mistake); 4] = [
    (3, 2, Mistake::WrongLead),
    (5, 3, Mistake::WrongDeclarer),
    (4, 4, Mistake::PadDies),
    (7, 6, Mistake::Forgotten),
];

/// What a visitor of the page wants of a pad.
pub(super) enum Wish {
    /// To see its display.
    See(TableNumber, oneshot::Sender<Pixels>),
    /// To press a key.
    Press(TableNumber, Key),
    /// To sit down there with a phone.
    Take(TableNumber),
}

/// The room.
pub(super) struct Room {
    key: ClubKey,
    air: Air,
    antenna: Station,
    tables: Vec<Table>,
    deals: Vec<Deal>,
    rng: Rng,
    to_base: mpsc::Sender<Heard>,
    from_base: mpsc::Receiver<Vec<u8>>,
    wishes: mpsc::Receiver<Wish>,
}

impl Room {
    /// A room, the base's receiver in it, and the way in for visitors of the page.
    pub(super) fn new(key: &ClubKey, seed: u64) -> (Self, Channel, mpsc::Sender<Wish>) {
        let mut rng = Rng::with_seed(seed);
        let mut channel = AirChannel::clear(Timing::at_baud(BAUD));
        // A room full of people: one frame in fifty is not heard.
        channel.loss_permille = 20;
        let mut air = Air::new(channel, seed);
        let antenna = air.add_base();
        let mistake = |table: TableNumber| {
            let mut found = MISTAKES.into_iter().filter(|(at, ..)| *at == table.get());
            found.find_map(|(_, round, what)| Some((RoundNumber::new(round)?, what)))
        };
        let tables = (1..=TABLES)
            .filter_map(TableNumber::new)
            .map(|number| Table::new(number, key, mistake(number), &mut air, &mut rng))
            .collect();
        let deals = (0..BOARDS).map(|_| players::deal(&mut rng)).collect();
        let (to_base, received) = mpsc::channel(WAITING_MAX);
        let (frames, from_base) = mpsc::channel(WAITING_MAX);
        let (hands, wishes) = mpsc::channel(WAITING_MAX);
        let key = key.clone();
        let room = Self {
            key,
            air,
            antenna,
            tables,
            deals,
            rng,
            to_base,
            from_base,
            wishes,
        };
        let name = "simulated radio".to_owned();
        (
            room,
            Channel {
                name,
                received,
                send: frames,
                errands: None,
                connected: true,
                told: true,
                channel: 0,
            },
            hands,
        )
    }

    /// The cards of the evening.
    pub(super) fn deals(&self) -> Vec<Deal> {
        self.deals.clone()
    }

    /// Plays, and then leaves the pads on the tables until the base station ends.
    pub(super) async fn play(mut self) {
        let started = tokio::time::Instant::now();
        loop {
            let now = Instant::from_micros(micros_since(started));
            let wake = self.wakes_at(now).min(now + STEP_MAX).max(now);
            let sleep = tokio::time::sleep_until(
                started + std::time::Duration::from_micros(wake.as_micros()),
            );
            tokio::select! {
                frame = self.from_base.recv() => {
                    let Some(frame) = frame else { return };
                    let now = Instant::from_micros(micros_since(started));
                    self.air.send(self.antenna, &frame, now);
                }
                Some(wish) = self.wishes.recv() => {
                    self.grant(wish, Instant::from_micros(micros_since(started)));
                }
                () = sleep => {}
            }
            if !self.step(Instant::from_micros(micros_since(started))).await {
                return;
            }
        }
    }

    fn wakes_at(&self, now: Instant) -> Instant {
        let people = self.tables.iter().map(|table| table.acts_at);
        let pads = self
            .tables
            .iter()
            .filter(|table| !table.has_left())
            .filter_map(|table| table.pad.poll_timeout(now));
        people
            .chain(pads)
            .chain(self.air.poll_timeout())
            .min()
            .unwrap_or(now)
    }

    /// False when the base station has ended.
    async fn step(&mut self, now: Instant) -> bool {
        loop {
            let deliveries = self.air.poll_receive(now);
            if deliveries.is_empty() {
                break;
            }
            for delivery in deliveries {
                if delivery.to == self.antenna {
                    if self
                        .to_base
                        .send(Heard::Bytes(delivery.bytes))
                        .await
                        .is_err()
                    {
                        return false;
                    }
                } else if let Some(table) = self
                    .tables
                    .iter_mut()
                    .find(|table| table.station == delivery.to)
                {
                    table.pad.handle_receive(&delivery.bytes, now);
                }
            }
        }
        for table in &mut self.tables {
            if table.acts_at <= now {
                table.act(&self.deals, &self.key, &mut self.air, &mut self.rng, now);
            }
            table.pump(&mut self.air, now);
        }
        true
    }

    fn grant(&mut self, wish: Wish, now: Instant) {
        let (Wish::See(number, _) | Wish::Press(number, _) | Wish::Take(number)) = &wish;
        let Some(table) = self.tables.iter_mut().find(|table| table.number == *number) else {
            return;
        };
        match wish {
            Wish::See(_, reply) => {
                let _ = reply.send(table.pad.pixels(now));
            }
            Wish::Press(_, key) => table.press(key, now),
            Wish::Take(_) => table.leave(&mut self.air, now),
        }
    }
}

fn micros_since(started: tokio::time::Instant) -> u64 {
    u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX)
}
