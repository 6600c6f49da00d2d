//! Somebody who has stolen a pad of the club, has read all of its flash, and hears everything. He
//! answers hellos in the base's name, calls in the name of other pads, claims their tables and
//! enters results for them, all night.

use std::collections::VecDeque;

use air::{Air, Forger, Station};
use base_station::session::{Command, TableId, Trust};
use fastrand::Rng;
use protocol::frame::AssociationNumber;
use protocol::link::{Binding, Modem, PadEvent, PadIdentity, PadLink, Timing};
use protocol::message::{
    CheckIn, Entry, EntryNumber, FirmwareVersion, LogOn, Players, Up, WIRE_VERSION,
};
use protocol::time::{Instant, Span};
use protocol::words::{BoardNumber, BoardResult, PadId, RoundNumber, SectionLetter};

use super::Broken;
use super::base::{CLUB, NETWORK, SECRET};
use super::world::{World, handhelds};

/// The stolen pad.
pub(super) const STOLEN: u32 = 0xB0A2_FFFF;

/// His frames for others are there when the frame that he heard has just ended.
const QUICK: Span = Span::from_millis(3);

/// The room logs on in peace; a thief who came first would hold free tables until the director
/// sends him away.
const BEGINS: Instant = Instant::from_millis(4 * 60_000);

/// From one thing that he says to the next.
const PAUSE_S: std::ops::Range<u64> = 15..60;

/// He does not forge an answer to every call, or the base's window would be full of his.
const CALLS_COPIED_ONE_IN: u32 = 8;

/// The thief and his pad.
#[derive(Debug)]
pub(super) struct Thief {
    forger: Forger,
    link: PadLink,
    pub(super) station: Station,
    /// What he wants to say, and for whom he gives himself out.
    says: VecDeque<(Option<Binding>, Up)>,
    next: Instant,
    /// Frames of his own making: when they are heard, and whether by the base.
    forged: VecDeque<(Instant, bool, Vec<u8>)>,
    calls: u32,
    turn: usize,
    rng: Rng,
    /// A table that a pad held, and that he was given all the same.
    pub(super) took: Vec<String>,
}

impl Thief {
    pub(super) fn new(seed: u64, broken: Broken, air: &mut Air, timing: Timing) -> Self {
        let pad = stolen();
        let identity = PadIdentity {
            pad,
            network: NETWORK,
            keys: CLUB.for_pad(pad),
        };
        let forger = Forger::new(SECRET, STOLEN);
        Self {
            forger: match broken {
                Broken::PadsShareAKey => forger.with_every_key(SECRET),
                _ => forger,
            },
            link: PadLink::new(identity, timing, AssociationNumber(0), seed),
            station: air.add_pad(),
            says: VecDeque::new(),
            next: BEGINS,
            forged: VecDeque::new(),
            calls: 0,
            turn: 0,
            rng: Rng::with_seed(seed ^ 0x7411_EF00),
            took: Vec::new(),
        }
    }

    pub(super) fn poll_timeout(&self) -> Option<Instant> {
        let forged = self.forged.iter().map(|(at, _, _)| *at).min();
        [Some(self.next), forged, self.link.poll_timeout()]
            .into_iter()
            .flatten()
            .min()
    }

    /// A pad has sent this frame.
    pub(super) fn overhear(&mut self, frame: &[u8], timing: &Timing, now: Instant) {
        let (for_pads, for_base) = self.forger.forge(frame);
        let at = now + timing.turnaround + timing.airtime(frame.len()) + QUICK;
        self.forged
            .extend(for_pads.into_iter().map(|frame| (at, false, frame)));
        if !for_base.is_empty() {
            self.calls += 1;
            if self.calls.is_multiple_of(CALLS_COPIED_ONE_IN) {
                self.forged
                    .extend(for_base.into_iter().map(|frame| (at, true, frame)));
            }
        }
    }

    pub(super) fn handle_receive(&mut self, bytes: &[u8], now: Instant) {
        self.link.handle_receive(bytes, now);
    }

    /// Lets his pad do what is due; gives the frame that it sent.
    pub(super) fn pump(&mut self, air: &mut Air, now: Instant) -> Option<Vec<u8>> {
        self.link.handle_timeout(now);
        while let Some(event) = self.link.poll_event() {
            if let PadEvent::Reserve(number) = event {
                self.link.reserved(number);
            }
        }
        if self.link.is_ready()
            && let Some((binding, up)) = self.says.pop_front()
        {
            self.link.bind(binding);
            let _ = self.link.send(&up, now);
        }
        let frame = self.link.poll_transmit(now);
        air.set_power(self.station, self.link.modem() == Modem::On, now);
        let frame = frame?;
        air.send(self.station, &frame, now);
        Some(frame.to_vec())
    }

    fn due(&mut self, now: Instant) -> Vec<(bool, Vec<u8>)> {
        let due = self.forged.iter().filter(|(at, _, _)| *at <= now);
        let due = due.map(|(_, base, frame)| (*base, frame.clone())).collect();
        self.forged.retain(|(at, _, _)| *at > now);
        due
    }
}

pub(super) fn stolen() -> PadId {
    PadId::new(STOLEN).expect("every number is a pad's")
}

impl World {
    /// What the thief does of himself.
    pub(super) fn thief_acts(&mut self) {
        let now = self.now;
        let Some(mut thief) = self.thief.take() else {
            return;
        };
        for (for_base, frame) in thief.due(now) {
            if for_base {
                self.laptop.handle_receive(&frame, now);
            } else {
                for handheld in handhelds(&mut self.tables, &mut self.rivals, &mut self.ghosts) {
                    if let Some(pad) = &mut handheld.pad {
                        pad.handle_receive(&frame, now);
                    }
                }
            }
        }
        if thief.next <= now {
            thief.next = now + Span::from_secs(thief.rng.u64(PAUSE_S));
            self.thief_thinks_of_something(&mut thief);
        }
        self.thief = Some(thief);
    }

    fn thief_thinks_of_something(&self, thief: &mut Thief) {
        let Some(session) = self.session() else {
            return;
        };
        let at = thief.rng.usize(..self.tables.len());
        let id = TableId {
            section: SectionLetter::A,
            table: self.tables[at].number,
        };
        let Some((_, epoch)) = session.tables.get(&id).and_then(|table| table.holder) else {
            return;
        };
        let as_holder = Some(Binding {
            session: session.id,
            epoch,
        });
        let round = session.table_round(id);
        let entry = Entry {
            number: EntryNumber(thief.rng.u16(1..200)),
            round,
            agreed_in: round,
            board: BoardNumber::new(thief.rng.u8(1..=24)).unwrap_or(BoardNumber::MIN),
            result: BoardResult::PassedOut,
            correction: thief.rng.bool(),
            by_director: thief.rng.bool(),
        };
        let claim = LogOn {
            section: id.section,
            table: id.table,
            wire_version: WIRE_VERSION,
            firmware: FirmwareVersion(9, 9, 9),
            state: CheckIn {
                battery_20_mv: 150,
                signal_minus_dbm: 0,
                unsent: 0,
                round: RoundNumber::FIRST,
            },
        };
        thief.turn += 1;
        let said = match thief.turn % 8 {
            0 => Up::Entry(entry),
            1 => Up::Held(entry),
            2 => Up::BoardAllowedHere {
                round,
                board: entry.board,
            },
            3 => Up::LogOff,
            4 => Up::LogOn(claim),
            5 => Up::Recover(claim),
            6 => Up::Players(Players {
                round,
                seats: [None; 4],
            }),
            _ => Up::Replace(claim),
        };
        thief.says.push_back((as_holder, said));
    }

    /// The director at the page: spares that he has brought may have their tables; whoever else
    /// asks is told no, or is revoked for good.
    pub(super) fn director_answers_pads(&mut self) {
        let Some(session) = self.session() else {
            return;
        };
        let asking = session.tables.iter().flat_map(|(table, story)| {
            let open = story.asking.iter().filter(|(_, answer)| answer.is_none());
            open.map(move |(pad, _)| (*table, *pad))
        });
        let asking: Vec<(TableId, PadId)> = asking.collect();
        let revokes = self.options.seed % 2 == 1;
        for (table, pad) in asking {
            let holds = |it: &&super::people::Table| it.number == table.table;
            let spare = self.tables.iter().find(holds).map(|it| it.handheld.id);
            let allowed = spare == Some(pad);
            let command = if !allowed && revokes {
                Command::ChangeTrust(Trust::PadRevoked { pad })
            } else {
                Command::AnswerReplace {
                    table,
                    pad,
                    allowed,
                }
            };
            self.laptop.command(command, self.now);
        }
    }

    /// Notes when the thief holds a table that a pad held before.
    pub(super) fn watch_thief(&mut self, held: &[(TableId, PadId)]) {
        let Some(thief) = &mut self.thief else {
            return;
        };
        let Some(session) = self.laptop.state().and_then(|state| state.session.as_ref()) else {
            return;
        };
        for (table, pad) in held {
            if session.holder(*table) == Some(stolen()) && *pad != stolen() {
                thief.took.push(format!(
                    "the stolen pad got table {table}, which pad {:08X} held",
                    pad.get()
                ));
            }
        }
    }
}
