//! A table of the demonstration: its players, their mistakes, and the pad in their hands.

use air::{Air, Station};
use fastrand::Rng;
use pad::Key;
use protocol::frame::ClubKey;
use protocol::link::{Modem, Timing};
use protocol::time::{Instant, Span};
use protocol::words::{
    BoardNumber, BoardResult, Deal, PadId, Played, RoundNumber, SectionLetter, TableNumber,
};
use virtual_pad::fingers::{Fingers, Next};
use virtual_pad::{Setup, VirtualPad, players};

use super::director::{PIN, player_number};
use super::{BAUD, NETWORK};

/// A key takes this long, in milliseconds.
const KEY_MS: std::ops::Range<u64> = 120..320;

/// A board takes this long, in milliseconds: these are quick players.
const BOARD_MS: std::ops::Range<u64> = 1_800..3_600;

/// How long people leave the pad to a visitor of the page who has pressed a key on it.
const HANDS_OFF: Span = Span::from_secs(30);

/// A mistake that somebody makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mistake {
    /// A card is entered as the lead that the leader does not hold.
    WrongLead,
    /// The declarer is entered one seat round.
    WrongDeclarer,
    /// The board is entered as not played.
    Forgotten,
    /// The pad dies before this board.
    PadDies,
}

/// A table of the room.
pub(super) struct Table {
    pub(super) number: TableNumber,
    pub(super) station: Station,
    pub(super) pad: VirtualPad,
    fingers: Fingers,
    pub(super) acts_at: Instant,
    playing: Option<(RoundNumber, BoardNumber)>,
    mistake: Option<(RoundNumber, Mistake)>,
    /// A visitor plays here with a phone.
    left: bool,
}

impl Table {
    pub(super) fn new(
        number: TableNumber,
        key: &ClubKey,
        mistake: Option<(RoundNumber, Mistake)>,
        air: &mut Air,
        rng: &mut Rng,
    ) -> Self {
        let players = [0, 1, 2, 3].map(|seat| player_number(number, seat));
        Self {
            number,
            station: air.add_pad(),
            pad: new_pad(key, rng, Instant::ZERO),
            fingers: Fingers::new(SectionLetter::A, number, players),
            acts_at: Instant::from_millis(rng.u64(1_500..4_500)),
            playing: None,
            mistake,
            left: false,
        }
    }

    /// The pad goes back into its box: a visitor has joined with a phone.
    pub(super) fn leave(&mut self, air: &mut Air, now: Instant) {
        self.left = true;
        air.set_power(self.station, false, now);
    }

    /// Whether its pad is in the box.
    pub(super) const fn has_left(&self) -> bool {
        self.left
    }

    /// A visitor of the page presses a key; the players let go for a while.
    pub(super) fn press(&mut self, key: Key, now: Instant) {
        self.fingers.interrupt();
        self.acts_at = now + HANDS_OFF;
        self.pad.press(key, now);
    }

    /// Somebody does the next thing.
    pub(super) fn act(
        &mut self,
        deals: &[Deal],
        key: &ClubKey,
        air: &mut Air,
        rng: &mut Rng,
        now: Instant,
    ) {
        self.acts_at = now + Span::from_millis(rng.u64(KEY_MS));
        if self.left {
            self.acts_at = now + HANDS_OFF;
            return;
        }
        match self.fingers.next(self.pad.app()) {
            Next::Press(key) => self.pad.press(key, now),
            Next::Play(round, board) if self.playing != Some((round, board)) => {
                self.playing = Some((round, board));
                self.acts_at = now + Span::from_millis(rng.u64(BOARD_MS));
            }
            Next::Play(round, board) => match self.mistake.take_if(|(when, _)| *when == round) {
                Some((_, Mistake::PadDies)) => self.replace_pad(key, air, rng, now),
                mistake => self.enter(board, mistake.map(|(_, what)| what), deals, rng),
            },
            Next::Wait | Next::Finished => self.acts_at = now + Span::from_millis(500),
            Next::Stuck => {
                self.acts_at = now + Span::from_secs(2);
                self.fingers.press_blindly([Key::Ok]);
            }
        }
    }

    /// Lets the pad do what is due, and puts its frames on the air.
    pub(super) fn pump(&mut self, air: &mut Air, now: Instant) {
        if self.left {
            return;
        }
        if self.pad.poll_timeout(now).is_some_and(|at| at <= now) {
            self.pad.handle_timeout(now);
        }
        air.set_power(self.station, self.pad.modem() == Modem::On, now);
        while let Some(frame) = self.pad.poll_transmit(now) {
            air.send(self.station, &frame, now);
        }
    }

    fn enter(
        &mut self,
        board: BoardNumber,
        mistake: Option<Mistake>,
        deals: &[Deal],
        rng: &mut Rng,
    ) {
        let Some(deal) = deals.get(usize::from(board.get()) - 1) else {
            return;
        };
        let result = players::play(deal, rng);
        let result = match (mistake, result) {
            (Some(Mistake::Forgotten), _) => BoardResult::NotPlayed,
            (Some(mistake), BoardResult::Played(played)) => {
                BoardResult::Played(spoil(mistake, played, deal))
            }
            (_, result) => result,
        };
        self.fingers.enter(&result, self.pad.app().settings());
    }

    /// The pad is dead. Somebody fetches a spare, and the director says Replace on it.
    fn replace_pad(&mut self, key: &ClubKey, air: &mut Air, rng: &mut Rng, now: Instant) {
        air.set_power(self.station, false, now);
        self.station = air.add_pad();
        self.pad = new_pad(key, rng, now);
        self.fingers.replace(PIN);
        self.playing = None;
        self.acts_at = now + Span::from_secs(8);
    }
}

fn new_pad(key: &ClubKey, rng: &mut Rng, now: Instant) -> VirtualPad {
    let id = PadId::new(rng.u32(..)).unwrap_or(PadId::MIN);
    let setup = Setup {
        seed: rng.u64(..),
        ..Setup::of(key, id, NETWORK, Timing::at_baud(BAUD))
    };
    VirtualPad::new(setup, now)
}

/// What is typed instead of what was played.
fn spoil(mistake: Mistake, mut played: Played, deal: &Deal) -> Played {
    match mistake {
        Mistake::WrongLead => {
            // Declarer's own card: the leader can't have it.
            let declarer = deal.hand(played.contract.declarer);
            let mut cards = (0..52).filter_map(protocol::words::Card::from_index);
            played.lead = cards.find(|card| declarer.holds(*card));
        }
        Mistake::WrongDeclarer => played.contract.declarer = played.contract.declarer.left(),
        Mistake::Forgotten | Mistake::PadDies => {}
    }
    played
}
