//! A room for one pad: its flash, a base that answers like the real one, and keys by their names.
#![expect(
    dead_code,
    unreachable_pub,
    reason = "every test uses its own part of the room"
)]

mod base;
pub mod gallery;
mod told;

use std::collections::BTreeSet;

use pad::{App, Effects, Input, Key, LinkStatus, Screen, ScreenId, Store};
use protocol::frame::ClubKey;
use protocol::message::{Down, Settings};
use protocol::time::{Instant, Span};
use protocol::words::{BoardNumber, PadId, RoundNumber};
use virtual_pad::{HostFlash, block_on};

pub use base::Base;
pub use told::{hand_record, matching, names, sheet, slip, traveller};

/// Rounds of the evening, and boards of a round.
pub const ROUNDS: u8 = 10;
pub const BOARDS: u8 = 3;

pub fn board(number: u8) -> BoardNumber {
    BoardNumber::new(number).expect("a board number")
}

pub fn round(number: u8) -> RoundNumber {
    RoundNumber::new(number).expect("a round number")
}

/// A moment of an evening, to come back to.
#[derive(Clone)]
pub struct Moment {
    app: App,
    flash: HostFlash,
    base: Base,
    now: Instant,
}

/// A pad in the room.
pub struct Room {
    pub app: App,
    pub store: Store<HostFlash>,
    pub base: Base,
    pub now: Instant,
    pub in_range: bool,
    pub screens: BTreeSet<ScreenId>,
    pub last: Effects,
    pub presses: u32,
}

impl Room {
    /// A pad fresh from the box, and a club evening.
    pub fn new() -> Self {
        Self::with(Settings::CLUB_EVENING)
    }

    pub fn with(settings: Settings) -> Self {
        let store = Store::new(HostFlash::new(1), 0).expect("a page");
        let mut room = Self {
            app: App::new(PadId::new(0x00C0_FFEE).expect("an identity"), pad::FIRMWARE),
            store,
            base: Base::new(settings),
            now: Instant::from_millis(1_000),
            in_range: true,
            screens: BTreeSet::new(),
            last: Effects::default(),
            presses: 0,
        };
        // A pad of the club, which has never been at a table.
        let keys = ClubKey::new([7; 32]).for_pad(room.app.pad());
        let effects = room.app.provision(keys, pad::app::Radio::FACTORY);
        block_on(room.store.save(&room.app, effects.persist)).expect("a flash with power");
        room.app.resume(room.now);
        room.look();
        room
    }

    /// Logged on at A5, everything confirmed, at the first board of the first round.
    pub fn at_first_board(settings: Settings) -> Self {
        let mut room = Self::with(settings);
        room.log_on();
        room.press("OK");
        room
    }

    /// From the start screen to "is this you?".
    pub fn log_on(&mut self) {
        self.press("OK A 5 OK");
        while self.id() == ScreenId::Players {
            self.press("0 OK");
        }
        assert_eq!(self.id(), ScreenId::RoundStart);
    }

    /// Presses keys by what is printed on them; A K Q J T are the small legends.
    pub fn press(&mut self, keys: &str) -> &mut Self {
        for name in keys.split_whitespace() {
            self.key(key(name));
        }
        self
    }

    pub fn key(&mut self, key: Key) {
        self.now += Span::from_millis(300);
        self.presses += 1;
        self.handle(Input::Key(key));
    }

    /// The base says something of its own accord.
    pub fn say(&mut self, down: &Down) {
        self.handle(Input::Down(down));
    }

    /// Time passes.
    pub fn wait(&mut self, span: Span) {
        self.now += span;
        self.handle(Input::Tick);
    }

    pub fn screen(&self) -> Screen {
        self.app.screen(self.now)
    }

    pub fn id(&self) -> ScreenId {
        self.app.flow().screen_id()
    }

    /// Asserts what the players read.
    #[track_caller]
    pub fn reads(&self, text: &str) {
        let screen = self.screen();
        // A sentence is read across the rows it was broken into.
        let rows: Vec<&str> = screen.rows().iter().map(|row| row.text.as_str()).collect();
        let reads = screen.says(text) || rows.join(" ").contains(text);
        assert!(reads, "not on the screen: {text:?}\n{screen:#?}");
    }

    #[track_caller]
    pub fn is_at(&self, id: ScreenId) {
        assert_eq!(self.id(), id, "{:#?}", self.screen());
    }

    /// Everything as it is now.
    pub fn moment(&mut self) -> Moment {
        Moment {
            app: self.app.clone(),
            flash: self.store.flash().clone(),
            base: self.base.clone(),
            now: self.now,
        }
    }

    /// Everything as it was then.
    pub fn back_to(moment: &Moment) -> Self {
        let mut room = Self::new();
        room.store = Store::new(moment.flash.clone(), 0).expect("a page");
        room.app = moment.app.clone();
        room.base = moment.base.clone();
        room.now = moment.now;
        room
    }

    /// The battery is pulled and put back.
    pub fn restart(&mut self) {
        let fresh = Store::new(HostFlash::new(1), 0).expect("a page");
        let mut flash = std::mem::replace(&mut self.store, fresh).into_flash();
        flash.restore_power();
        self.store = Store::new(flash, 0).expect("a page");
        self.app = App::new(PadId::new(0x00C0_FFEE).expect("an identity"), pad::FIRMWARE);
        block_on(self.store.load(&mut self.app, self.now)).expect("a readable flash");
        self.look();
    }

    /// Whether the flash still has power.
    pub fn is_alive(&mut self) -> bool {
        self.store.flash().has_power()
    }

    fn handle(&mut self, input: Input<'_>) {
        self.last = self.take(input);
        self.exchange();
    }

    /// One input, as a shell does it: write first, then look.
    fn take(&mut self, input: Input<'_>) -> Effects {
        let effects = self.app.handle(input, self.now);
        let saved = block_on(self.store.save(&self.app, effects.persist));
        assert!(
            saved.is_ok() || !self.is_alive(),
            "a flash with power did not take {:?}",
            effects.persist
        );
        if self.is_alive() {
            self.look();
        }
        effects
    }

    /// Everything the pad has to say, and every answer.
    pub fn exchange(&mut self) {
        for _ in 0..500 {
            if !self.is_alive() {
                return;
            }
            let Some(outgoing) = self.app.outgoing(self.now) else {
                return;
            };
            if !self.in_range {
                self.take(Input::Link(LinkStatus::NoAnswer));
                return;
            }
            self.take(Input::Link(LinkStatus::Answered {
                signal_minus_dbm: 77,
            }));
            self.base.bound = self.app.binding().map(|bound| bound.session.get());
            self.app.carries(outgoing.ticket);
            for down in self.base.answer(&outgoing.up) {
                self.take(Input::Down(&down));
            }
            self.take(Input::Delivered(outgoing.ticket));
        }
        panic!(
            "the pad never falls silent: {:?}",
            self.app.outgoing(self.now)
        );
    }

    fn look(&mut self) {
        let screen = self.screen();
        assert_eq!(screen.overflow(), None, "{screen:#?}");
        self.screens.insert(screen.id);
    }
}

/// A key by what is printed on it.
pub fn key(name: &str) -> Key {
    let small = |key: &&Key| {
        key.rank()
            .is_some_and(|rank| rank.letter().to_string() == name)
    };
    let by_legend = Key::ALL.iter().find(|key| key.legend() == name);
    let by_rank = Key::ALL
        .iter()
        .filter(|key| key.digit().is_none())
        .find(small);
    let by_letter = Key::ALL.iter().find(|key| {
        key.letter()
            .is_some_and(|letter| letter.to_string() == name)
    });
    by_legend
        .or(by_rank)
        .or(by_letter)
        .copied()
        .unwrap_or_else(|| panic!("no key {name}"))
}
