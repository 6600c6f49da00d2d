//! A room for one pad: its flash, a base that answers like the real one, and keys by their names.
#![expect(
    dead_code,
    unreachable_pub,
    reason = "every test uses its own part of the room"
)]

pub mod gallery;

use std::collections::{BTreeMap, BTreeSet};

use pad::{App, Effects, Input, Key, LinkStatus, Screen, ScreenId, Store};
use protocol::message::{
    Down, Entry, EntryNumber, Feedback, HandRecord, NextPlace, PackedDeal, PairNames, Par,
    Question, RankingLine, Recorded, RefusalReason, RoundSheet, Settings, Source, TravellerLine,
    TricksTable, Up, Welcome,
};
use protocol::time::{Instant, Span};
use protocol::words::{
    BoardNumber, Contract, Doubling, Epoch, Level, PadId, PairNumber, Percentage, RoundNumber,
    Score, Seat, SessionId, Side, Strain, TableNumber, Tricks,
};
use virtual_pad::{FIRMWARE, HostFlash, block_on, players};

/// Rounds of the evening, and boards of a round.
pub const ROUNDS: u8 = 10;
pub const BOARDS: u8 = 3;

pub fn board(number: u8) -> BoardNumber {
    BoardNumber::new(number).expect("a board number")
}

pub fn round(number: u8) -> RoundNumber {
    RoundNumber::new(number).expect("a round number")
}

fn pair(number: u16) -> Option<PairNumber> {
    PairNumber::new(number)
}

/// A base that answers at once and keeps what it is told.
#[derive(Clone, Debug)]
pub struct Base {
    pub settings: Settings,
    pub session: u32,
    pub epoch: u16,
    /// Refuses every log-on with this.
    pub refuses: Option<RefusalReason>,
    /// Refuses every entry with this.
    pub refuses_entries: Option<RefusalReason>,
    pub sheets: Vec<RoundSheet>,
    pub journal: BTreeMap<EntryNumber, Entry>,
    /// The session that the pad speaks of; `None` for this one.
    pub bound: Option<u32>,
    /// What came of earlier sessions: the director's to decide about.
    pub kept: Vec<Entry>,
    pub repeated: u32,
    new: Vec<Entry>,
    pub heard: Vec<Up>,
}

impl Base {
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            session: 7,
            epoch: 1,
            refuses: None,
            refuses_entries: None,
            sheets: (1..=ROUNDS).map(sheet).collect(),
            journal: BTreeMap::new(),
            bound: None,
            kept: Vec::new(),
            repeated: 0,
            new: Vec::new(),
            heard: Vec::new(),
        }
    }

    /// What the base has of a board.
    pub fn of_board(&self, number: u8) -> Vec<Entry> {
        let of_board = |entry: &&Entry| entry.board.get() == number;
        self.journal.values().filter(of_board).copied().collect()
    }

    /// What came in since this was asked last.
    pub fn newly_received(&mut self) -> Vec<Entry> {
        std::mem::take(&mut self.new)
    }

    pub fn answer(&mut self, up: &Up) -> Vec<Down> {
        self.heard.push(up.clone());
        match up {
            Up::LogOn(_) | Up::Replace(_) | Up::Recover(_) if self.refuses.is_some() => {
                let reason = self.refuses.expect("just seen");
                vec![Down::Refused {
                    number: None,
                    reason,
                }]
            }
            Up::LogOn(log_on) => self.welcome(log_on.table, false),
            Up::Replace(log_on) | Up::Recover(log_on) => self.welcome(log_on.table, true),
            Up::Entry(entry) | Up::Held(entry) if self.refuses_entries.is_some() => {
                let (number, reason) = (Some(entry.number), self.refuses_entries);
                let reason = reason.expect("just seen");
                vec![Down::Refused { number, reason }]
            }
            Up::Entry(entry) => {
                let number = entry.number;
                if self.bound.is_some_and(|session| session != self.session) {
                    self.kept.push(*entry);
                    self.new.push(*entry);
                    let percentage = None;
                    return vec![Down::Received { number, percentage }];
                }
                match self.journal.insert(number, *entry) {
                    Some(before) => {
                        assert_eq!(before, *entry, "one number for two entries");
                        self.repeated += 1;
                    }
                    None => self.new.push(*entry),
                }
                let percentage = Percentage::new(6250);
                vec![Down::Received { number, percentage }]
            }
            Up::Held(entry) => {
                self.kept.push(*entry);
                let (number, percentage) = (entry.number, None);
                vec![Down::Received { number, percentage }]
            }
            Up::Ask(Question::Traveller(board)) => vec![Down::Feedback(traveller(*board))],
            Up::Ask(Question::HandRecord(board)) => vec![Down::Feedback(hand_record(*board))],
            Up::Ask(Question::Ranking) => vec![Down::Feedback(ranking())],
            _ => Vec::new(),
        }
    }

    fn welcome(&mut self, table: TableNumber, with_history: bool) -> Vec<Down> {
        self.epoch += 1;
        let journal = self.journal.values().copied();
        let history: Vec<Entry> = journal.filter(|_| with_history).collect();
        let reached = history.iter().map(|entry| entry.round).max();
        let mut downs = vec![Down::Welcome(Welcome {
            session: SessionId::new(self.session).expect("a session"),
            epoch: Epoch::new(self.epoch).expect("an epoch"),
            section: protocol::words::SectionLetter::A,
            table,
            event: "Tuesday pairs".try_into().expect("a short name"),
            round: reached.unwrap_or(RoundNumber::FIRST),
            rounds_total: round(ROUNDS),
            next_entry: self
                .journal
                .keys()
                .max()
                .map_or(EntryNumber::FIRST, |last| last.next()),
            recorded: u8::try_from(history.len()).expect("a short evening"),
            settings: self.settings,
        })];
        for sheets in self.sheets.chunks(8) {
            downs.push(Down::Schedule {
                rounds_total: round(ROUNDS),
                rounds: sheets.try_into().expect("at most eight"),
            });
        }
        downs.push(Down::Names(names()));
        downs.extend(history.iter().map(|entry| {
            Down::Recorded(Recorded {
                round: entry.round,
                board: entry.board,
                result: Some(entry.result),
                source: Source::Table,
            })
        }));
        downs
    }
}

/// Round r has boards 3r - 2 to 3r, pair 5 against pair r + 10.
pub fn sheet(number: u8) -> RoundSheet {
    RoundSheet {
        round: round(number),
        ns: pair(5),
        ew: pair(u16::from(number) + 10),
        first_board: board(number * BOARDS - BOARDS + 1),
        boards: BOARDS,
        ns_next: match number {
            ROUNDS => NextPlace::Finished,
            _ => NextPlace::Stay,
        },
        ew_next: match number {
            ROUNDS => NextPlace::Finished,
            _ => NextPlace::Go(TableNumber::new(6).expect("a table"), Side::EastWest),
        },
        boards_to: match number {
            ROUNDS => None,
            _ => TableNumber::new(4),
        },
    }
}

pub fn names() -> PairNames {
    let name = |name: &str| name.try_into().expect("a short name");
    PairNames {
        round: RoundNumber::FIRST,
        seats: [
            name("Nora Nordqvist"),
            name("Elisa Eggers-Östlund"),
            name("Sam Southgate"),
            name("Wim Westerveld"),
        ],
    }
}

fn contract(level: u8, strain: Strain, declarer: Seat) -> Contract {
    Contract {
        level: Level::new(level).expect("a level"),
        strain,
        doubling: Doubling::Undoubled,
        declarer,
    }
}

pub fn traveller(board: BoardNumber) -> Feedback {
    let line = |score, times, percent, own, played| TravellerLine {
        score: Score(score),
        times,
        ns_percentage: Percentage::new(percent).expect("a percentage"),
        own,
        played,
    };
    let tricks = |tricks| Tricks::new(tricks).expect("tricks");
    let spades = contract(4, Strain::Spades, Seat::South);
    let no_trump = contract(3, Strain::NoTrump, Seat::North);
    Feedback::Traveller {
        board,
        lines: [
            line(450, 1, 10_000, false, Some((spades, tricks(11)))),
            line(420, 4, 6250, true, None),
            line(400, 1, 3750, false, Some((no_trump, tricks(9)))),
            line(170, 2, 2500, false, None),
            line(-50, 1, 1250, false, Some((spades, tricks(9)))),
            line(-100, 1, 0, false, Some((spades, tricks(8)))),
        ]
        .into_iter()
        .collect(),
    }
}

pub fn hand_record(board: BoardNumber) -> Feedback {
    let deal = players::deal(&mut fastrand::Rng::with_seed(3));
    Feedback::HandRecord(HandRecord {
        board,
        deal: PackedDeal::from(&deal),
        tricks: Some(TricksTable::from_fn(|seat, strain| {
            Tricks::new(seat.index() * 2 + strain as u8).expect("tricks")
        })),
        par: Some(Par {
            score: Score(-1100),
            contract: Some(Contract {
                doubling: Doubling::Doubled,
                ..contract(5, Strain::Diamonds, Seat::North)
            }),
        }),
    })
}

fn ranking() -> Feedback {
    let line = |rank: u16| RankingLine {
        rank,
        pair: PairNumber::new(rank + 3).expect("a pair"),
        side: Some(Side::NorthSouth),
        percentage: Percentage::new(6500 - rank * 333).expect("a percentage"),
        name: "Nora & Sam".try_into().expect("a short name"),
    };
    Feedback::Ranking {
        lines: (1..=8).map(line).collect(),
    }
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
            app: App::new(PadId::new(0x00C0_FFEE).expect("an identity"), FIRMWARE),
            store,
            base: Base::new(settings),
            now: Instant::from_millis(1_000),
            in_range: true,
            screens: BTreeSet::new(),
            last: Effects::default(),
            presses: 0,
        };
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
        self.app = App::new(PadId::new(0x00C0_FFEE).expect("an identity"), FIRMWARE);
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
