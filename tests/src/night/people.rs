//! A table: its players, the pad in their hands, and what they remember having played.

use std::collections::BTreeMap;

use air::{Air, Station};
use fastrand::Rng;
use pad::Key;
use pad::app::Flow;
use protocol::link::{Modem, Port, Timing};
use protocol::message::RefusalReason;
use protocol::time::{Instant, Span};
use protocol::words::{
    BoardNumber, BoardResult, Deal, PadId, PlayerNumber, RoundNumber, SectionLetter, TableNumber,
};
use virtual_pad::fingers::{Fingers, Next, digits};
use virtual_pad::{HostFlash, Setup, VirtualPad, players};

use super::base::{CLUB, NETWORK, PIN};
use super::witness::Witness;

/// People retry a refused log-on after this long.
const RETRY: Span = Span::from_secs(20);

/// A table of the room.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a question of its own; no two exclude each other"
)]
pub(super) struct Table {
    pub(super) number: TableNumber,
    pub(super) fingers: Fingers,
    pub(super) handheld: Handheld,
    /// When somebody presses the next key.
    pub(super) acts_at: Instant,
    /// What they played, whether the pad knows it or not.
    pub(super) memory: BTreeMap<(RoundNumber, BoardNumber), BoardResult>,
    pub(super) second_thoughts: bool,
    /// They have no business at this table.
    pub(super) is_rival: bool,
    /// What they said first about the board that they correct.
    said_first: Option<BoardResult>,
    pub(super) finished: bool,
    /// Since when they can't go on, and the longest that ever was.
    blocked_since: Option<Instant>,
    pub(super) blocked_longest: Span,
    playing: Option<(RoundNumber, BoardNumber)>,
    /// They are about to type a board that is not theirs.
    pub(super) stray: bool,
    /// Until then they wait for the director's answer about it.
    patient_until: Instant,
    /// The last round that is drawn, where rounds are.
    pub(super) drawn: Option<RoundNumber>,
}

/// A pad with or without its battery.
pub(super) struct Handheld {
    pub(super) id: PadId,
    pub(super) station: Station,
    /// It is a phone, and this is its line to the base.
    pub(super) line: Option<Port>,
    /// Switched on.
    pub(super) pad: Option<VirtualPad>,
    /// Without its battery.
    off: Option<VirtualPad>,
}

impl Handheld {
    /// A pad from the cupboard, with the club's key in it.
    pub(super) fn new(
        id: PadId,
        flash: HostFlash,
        air: &mut Air,
        timing: Timing,
        now: Instant,
    ) -> Self {
        let setup = Setup::of(&CLUB, id, NETWORK, timing);
        Self {
            id,
            station: air.add_pad(),
            line: None,
            pad: Some(VirtualPad::with_flash(setup, flash, now)),
            off: None,
        }
    }

    /// A phone that has joined.
    pub(super) fn phone(id: PadId, line: Port, air: &mut Air, now: Instant) -> Self {
        let flash = HostFlash::new(u64::from(id.get()));
        Self {
            line: Some(line),
            ..Self::new(id, flash, air, Timing::LINE, now)
        }
    }

    /// Battery in.
    pub(super) fn start(&mut self, now: Instant) {
        if let Some(pad) = self.off.take() {
            self.pad = Some(pad.restart(now));
        }
    }

    /// Battery out.
    pub(super) fn stop(&mut self, air: &mut Air, now: Instant) {
        self.off = self.pad.take().or(self.off.take());
        air.set_power(self.station, false, now);
    }

    /// Lets the pad do what is due, and puts its frames on the air.
    pub(super) fn pump(&mut self, air: &mut Air, now: Instant) -> Option<Vec<u8>> {
        let pad = self.pad.as_mut()?;
        if pad.poll_timeout(now).is_some_and(|at| at <= now) {
            pad.handle_timeout(now);
        }
        // A pad whose battery has just fallen out says nothing any more.
        if !pad.flash().has_power() {
            return None;
        }
        if self.line.is_some() {
            return pad.poll_transmit(now).map(|frame| frame.to_vec());
        }
        air.set_power(self.station, pad.modem() == Modem::On, now);
        let frame = pad.poll_transmit(now)?;
        air.send(self.station, &frame, now);
        Some(frame.to_vec())
    }

    pub(super) fn poll_timeout(&self, now: Instant) -> Option<Instant> {
        self.pad.as_ref()?.poll_timeout(now)
    }

    /// Whether the battery has fallen out within a write.
    pub(super) fn has_lost_power(&mut self) -> bool {
        self.pad
            .as_mut()
            .is_some_and(|pad| !pad.flash().has_power())
    }
}

impl Table {
    pub(super) fn new(number: TableNumber, handheld: Handheld, rng: &mut Rng) -> Self {
        let player = |seat: u32| PlayerNumber::new(1000 + u32::from(number.get()) * 10 + seat);
        let players = [1, 2, 3, 4].map(|seat| player(seat).unwrap_or(PlayerNumber::VISITOR));
        Self {
            number,
            fingers: Fingers::new(SectionLetter::A, number, players),
            handheld,
            acts_at: Instant::from_millis(rng.u64(1_000..60_000)),
            memory: BTreeMap::new(),
            second_thoughts: false,
            is_rival: false,
            said_first: None,
            finished: false,
            blocked_since: None,
            blocked_longest: Span::ZERO,
            playing: None,
            stray: false,
            patient_until: Instant::ZERO,
            drawn: None,
        }
    }

    /// What its pad asks for; `None` while it has no battery.
    pub(super) fn flow(&self) -> Option<Flow> {
        self.handheld.pad.as_ref().map(|pad| *pad.app().flow())
    }

    /// Takes a spare pad and says Replace.
    pub(super) fn replace_pad(&mut self, spare: Handheld, now: Instant) -> Handheld {
        self.fingers.replace(PIN);
        self.finished = false;
        self.playing = None;
        self.acts_at = now + Span::from_secs(30);
        std::mem::replace(&mut self.handheld, spare)
    }

    /// Somebody does the next thing.
    pub(super) fn act(
        &mut self,
        deals: &[Deal],
        witness: &mut Witness,
        rng: &mut Rng,
        now: Instant,
    ) {
        self.acts_at = now + Span::from_millis(rng.u64(300..1_500));
        let Some(pad) = &mut self.handheld.pad else {
            return;
        };
        let waits = matches!(pad.app().flow(), Flow::OutOfRange { refused: None, .. });
        if waits && now < self.patient_until {
            self.acts_at = now + Span::from_secs(2);
            return;
        }
        witness.look_at(pad, now);
        let next = self.fingers.next(pad.app());
        self.note_blocked(next, witness, now);
        let Some(pad) = &mut self.handheld.pad else {
            return;
        };
        match next {
            Next::Press(key) => {
                pad.press(key, now);
                if pad.flash().has_power() {
                    witness.look_at(pad, now);
                }
            }
            Next::Play(round, board) => self.play(round, board, deals, rng, now),
            Next::Wait => self.acts_at = now + Span::from_secs(1),
            Next::Stuck => {
                self.acts_at = now + RETRY;
                let in_use = RefusalReason::TableInUse;
                let in_use = matches!(*pad.app().flow(), Flow::LogOnRefused { reason, .. } if reason == Some(in_use));
                if in_use && !self.is_rival {
                    // A spare that lost its battery before it was logged on: the director again.
                    self.fingers.replace(PIN);
                } else {
                    self.fingers.press_blindly([Key::Ok]);
                }
            }
            Next::Finished => self.finished = true,
        }
    }

    /// Plays the board (or remembers what was played) and types the result.
    fn play(
        &mut self,
        round: RoundNumber,
        board: BoardNumber,
        deals: &[Deal],
        rng: &mut Rng,
        now: Instant,
    ) {
        let place = (round, board);
        let Some(pad) = &self.handheld.pad else {
            return;
        };
        let again = pad.app().sheet().line(round, board).is_some();
        if std::mem::take(&mut self.stray) && !again {
            let boards = u8::try_from(deals.len()).unwrap_or(u8::MAX);
            let other = (board.get() + boards / 2 - 1) % boards + 1;
            let mut keys = vec![Key::Back];
            keys.extend(digits(u32::from(other)));
            keys.push(Key::Ok);
            self.patient_until = now + Span::from_secs(600);
            self.fingers.press_blindly(keys);
            return;
        }
        if self.second_thoughts && !again {
            let earlier = pad.app().sheet().lines().find(|line| {
                line.entry.round == round && self.memory.contains_key(&(round, line.entry.board))
            });
            if let Some(line) = earlier {
                self.second_thoughts = false;
                let mut keys = vec![Key::Back];
                keys.extend(digits(u32::from(line.entry.board.get())));
                keys.push(Key::Ok);
                self.said_first = self.memory.remove(&(round, line.entry.board));
                self.fingers.press_blindly(keys);
                return;
            }
        }
        if !self.memory.contains_key(&place) && !again && self.playing != Some(place) {
            // The cards take their time; the pad lies on the table.
            self.playing = Some(place);
            self.acts_at = now + Span::from_secs(rng.u64(270..480));
            return;
        }
        if pad.app().allowed_boards().any(|allowed| allowed == board) {
            // The director let them have it, and now they see that it is not theirs.
            self.memory.entry(place).or_insert(BoardResult::NotPlayed);
        }
        let deal = &deals[usize::from(board.get() - 1)];
        let said_first = self.said_first;
        let result = *self.memory.entry(place).or_insert_with(|| {
            let mut result = players::play(deal, rng);
            while Some(result) == said_first {
                result = players::play(deal, rng);
            }
            result
        });
        self.said_first = None;
        self.fingers.enter(&result, pad.app().settings());
    }

    /// Notes how long people have been unable to go on, whatever they press. Time in which the
    /// base or the pad could not do its part is the fault's, not the system's.
    fn note_blocked(&mut self, next: Next, witness: &Witness, now: Instant) {
        let asks = matches!(
            self.flow(),
            Some(Flow::LoggingOn { .. } | Flow::LogOnRefused { .. })
        );
        // A round that nobody has drawn yet keeps nobody from playing.
        let round = self.handheld.pad.as_ref().map(|pad| pad.app().round());
        let undrawn =
            self.flow() == Some(Flow::RoundStart) && self.drawn.is_some() && round > self.drawn;
        if undrawn {
            self.blocked_since = None;
        } else if asks || matches!(next, Next::Wait | Next::Stuck) {
            let since = *self.blocked_since.get_or_insert(now);
            let since = witness.clear_since(self.handheld.id, since);
            self.blocked_longest = self.blocked_longest.max(now.since(since));
        } else {
            self.blocked_since = None;
        }
    }

    /// The pad has been switched on again.
    pub(super) fn pick_up_again(&mut self, now: Instant) {
        self.fingers.interrupt();
        self.acts_at = now + Span::from_secs(5);
    }
}
