//! A cat on the keypad: nothing panics, nobody is trapped, and nothing is sent that East has not
//! accepted.

mod room;

use std::collections::{BTreeSet, HashSet};

use fastrand::Rng;
use pad::app::{Draft, Flow, Test};
use pad::{Input, Key, RECORD_LEN_MAX, RecordKey, ScreenId};
use protocol::message::{
    Acceptance, BoardChoice, Down, Entry, Feedback, FeedbackLevel, Language, LeadEntry, PairCheck,
    Pin, PlayerNumbers, RefusalReason, ResultStyle, Settings,
};
use protocol::time::Span;
use protocol::words::BoardResult;
use room::Room;

const SEED: u64 = 0x0BEE_57A7;

const KEYS: u32 = 100_000;
const AGREED_MIN: u32 = 500;

fn settings(rng: &mut Rng) -> Settings {
    fn one<T: Copy>(rng: &mut Rng, all: &[T]) -> T {
        all[rng.usize(..all.len())]
    }
    Settings {
        board_choice: one(rng, &[BoardChoice::Proposed, BoardChoice::Typed]),
        lead: one(
            rng,
            &[LeadEntry::Off, LeadEntry::Optional, LeadEntry::Required],
        ),
        result_style: one(
            rng,
            &[
                ResultStyle::OverUnder,
                ResultStyle::TotalTricks,
                ResultStyle::American,
            ],
        ),
        acceptance: one(
            rng,
            &[Acceptance::Plain, Acceptance::Plain, Acceptance::Pin],
        ),
        pair_check: one(rng, &[PairCheck::Off, PairCheck::Confirm, PairCheck::Typed]),
        feedback: one(
            rng,
            &[
                FeedbackLevel::None,
                FeedbackLevel::Percentage,
                FeedbackLevel::Traveller,
                FeedbackLevel::TravellerAtRoundEnd,
            ],
        ),
        hand_record: rng.bool(),
        ranking: rng.bool(),
        player_numbers: one(
            rng,
            &[
                PlayerNumbers::Off,
                PlayerNumbers::Once,
                PlayerNumbers::EveryRound,
            ],
        ),
        language: one(rng, &Language::ALL),
        director_pin: Pin(2580),
    }
}

/// A key that makes sense where the pad is, nine times in ten.
fn keys(room: &Room, rng: &mut Rng) -> String {
    const RANKS: [&str; 6] = ["A", "K", "Q", "J", "T", "2"];
    if rng.u8(..10) == 0 {
        return Key::ALL[rng.usize(..Key::ALL.len())].legend().to_owned();
    }
    match room.id() {
        ScreenId::Start => "OK A 5 OK".to_owned(),
        ScreenId::Players => "0 OK".to_owned(),
        ScreenId::PairTyped => "1 2 OK".to_owned(),
        ScreenId::ChoosePin | ScreenId::AcceptPin => "1 2 3 4 OK".to_owned(),
        ScreenId::BoardTyped => format!("{} OK", rng.u8(1..9)),
        ScreenId::DirectorPin => "2 5 8 0".to_owned(),
        ScreenId::Menu => match rng.u8(..11) {
            10 => "▲ OK".to_owned(),
            digit => digit.to_string(),
        },
        ScreenId::SitOut | ScreenId::Check => "ACCEPT".to_owned(),
        ScreenId::Entry => {
            let level = rng.u8(1..8);
            let strain = ["♣", "♦", "♥", "♠", "NT"][rng.usize(..5)];
            let seat = ["N", "E", "S", "W"][rng.usize(..4)];
            let rank = RANKS[rng.usize(..RANKS.len())];
            match rng.u8(..12) {
                0 => "PASS OK".to_owned(),
                1 => "NP OK".to_owned(),
                2 => "BACK".to_owned(),
                3 => "▼".to_owned(),
                _ => format!("{level} {strain} {seat} ♦ {rank} = OK"),
            }
        }
        ScreenId::LoggingOn | ScreenId::LogOnRefused => ["OK", "BACK"][rng.usize(..2)].to_owned(),
        ScreenId::OldResults => "DIRECTOR 2 5 8 0".to_owned(),
        ScreenId::ResultDetail => ["►", "OK", "BACK"][rng.usize(..3)].to_owned(),
        ScreenId::Adjust => format!("{} 0 OK {} ► 5 OK", rng.u8(1..10), rng.u8(..10)),
        _ => ["OK", "BACK", "ACCEPT", "►", "▼", "DIRECTOR"][rng.usize(..6)].to_owned(),
    }
}

/// Something of the room around the pad.
fn happen(room: &mut Room, rng: &mut Rng) {
    match rng.u8(..24) {
        0 => room.in_range = !room.in_range,
        1 => {
            let before = in_flash(room);
            room.restart();
            assert_eq!(in_flash(room), before, "seed {SEED}: kept, and not written");
        }
        2 => room.say(&Down::Notice("Hello".try_into().expect("short"))),
        3 => room.say(&Down::Replaced),
        4 => room.say(&Down::SessionOver),
        5 => room.say(&Down::PleaseResend),
        6 => room.base.refuses = Some(RefusalReason::TableInUse).filter(|_| rng.u8(..3) == 0),
        7 => {
            room.base.refuses_entries = Some(RefusalReason::RoundOver).filter(|_| rng.u8(..3) == 0);
        }
        8 => {
            room.base.session += 1;
            room.base.journal.clear();
        }
        9 => {
            let settings = settings(rng);
            room.base.settings = settings;
            room.say(&Down::Settings(settings));
        }
        10 => room.say(&Down::Gate { open: rng.bool() }),
        11 => room.base.sheets[0].ew = room.base.sheets[0].ew.xor(room.base.sheets[1].ew),
        12 => {
            let lines = heapless::Vec::new();
            let board = room::board(rng.u8(1..40));
            room.say(&Down::Feedback(Feedback::Traveller { board, lines }));
        }
        13 => room.say(&Down::UnknownPlayers {
            round: room::round(1),
            seats: [true, false, rng.bool(), false],
        }),
        14 => room.say(&Down::BoardRefused {
            round: room::round(rng.u8(1..4)),
            board: room::board(rng.u8(1..40)),
            reason: RefusalReason::NotAllowed,
        }),
        15 => room.say(&Down::CallSettled),
        16 => room.say(&Down::NotDrawn {
            from: room::round(rng.u8(1..12)),
            rounds_total: room::round(10),
        }),
        17 => {
            let round = room.app.round_sheet().map_or(room::round(1), |it| it.round);
            room.say(&room::matching(round));
            room.say(&Down::Slip(room::slip(round, rng.u16(..4))));
        }
        18 => test_by_cable(room, rng),
        _ => room.wait(Span::from_secs(rng.u64(1..90))),
    }
    if rng.u8(..3) == 0 {
        room.in_range = true;
        room.base.refuses = None;
        room.base.refuses_entries = None;
    }
}

/// Somebody tests the pad by cable in the middle of it all: keys do nothing but count, and the
/// evening is where it was.
fn test_by_cable(room: &mut Room, rng: &mut Rng) {
    let (before, number) = (*room.app.flow(), room.app.sheet().number_reached());
    let _ = room.app.test(Test::Keys, room.now);
    for _ in 0..rng.u8(1..6) {
        room.key(Key::ALL[rng.usize(..Key::ALL.len())]);
        assert_eq!(room.id(), ScreenId::Test, "seed {SEED}: from {before:?}");
    }
    let _ = room.app.test(Test::Black, room.now);
    let _ = room.app.test(Test::End, room.now);
    assert_ne!(room.id(), ScreenId::Test, "seed {SEED}: from {before:?}");
    assert_eq!(room.app.sheet().number_reached(), number, "seed {SEED}");
}

/// Every record as it would be written now. Which board was chosen is not among them: it is
/// forgotten without a word when the board is agreed.
fn in_flash(room: &Room) -> Vec<(RecordKey, Vec<u8>)> {
    let records = RecordKey::in_order().filter(|key| *key != RecordKey::Progress);
    let encoded = |key| {
        let mut buffer = [0; RECORD_LEN_MAX];
        let record = room.app.encode(key, &mut buffer)?;
        Some((key, record.to_vec()))
    };
    records.filter_map(encoded).collect()
}

/// What the screen asks East to accept.
fn asked(flow: &Flow) -> Option<Draft> {
    match flow {
        Flow::Check { draft, .. } | Flow::AcceptPin { draft, .. } => Some(*draft),
        _ => None,
    }
}

/// What was tried.
#[derive(Default)]
struct Tried {
    results: u32,
    adjusted: u32,
    recovered: u32,
    accepted: HashSet<String>,
    shown: BTreeSet<ScreenId>,
}

impl Tried {
    /// One key, and everything that must hold after it.
    fn key(&mut self, room: &mut Room, key: Key) {
        let before = *room.app.flow();
        let highest = room.app.sheet().number_reached();
        room.key(key);
        if room.app.sheet().number_reached() > highest {
            let line = *room.app.sheet().newest().expect("it is new");
            // Only these screens can agree anything, only East's key does, and what is agreed is
            // what was shown.
            let east = key == Key::Accept || before.screen_id() == ScreenId::AcceptPin;
            assert!(east, "seed {SEED}: agreed by {key:?} on {before:?}");
            let agreed = (line.entry.round, line.entry.board, line.entry.result);
            match asked(&before) {
                Some(draft) => assert_eq!((draft.round, draft.board, draft.result), agreed),
                None => assert_eq!(before, Flow::SitOut, "seed {SEED}"),
            }
            self.results += 1;
            let adjusted = matches!(line.entry.result, BoardResult::Adjusted { .. });
            self.adjusted += u32::from(adjusted);
            // A sit-out agrees to all boards of the round at once.
            let lines = room.app.sheet().lines();
            let new = lines.filter(|line| line.entry.number > highest);
            self.accepted.extend(new.map(|line| name(&line.entry)));
        }
        let recovers = before == Flow::RecoverConfirm && key == Key::Accept;
        self.recovered += u32::from(recovers && room.app.sheet().lines().next().is_some());
        for entry in room.base.newly_received() {
            let known = self.accepted.contains(&name(&entry));
            assert!(known, "seed {SEED}: got {entry:?}");
        }
        self.shown.extend(room.screens.iter().copied());
    }
}

/// An entry with everything that East saw of it.
fn name(entry: &Entry) -> String {
    let Entry {
        number,
        round,
        board,
        result,
        ..
    } = entry;
    format!("{number:?} {round} {board} {result:?}")
}

#[test]
#[expect(clippy::print_stdout, reason = "how much was tried")]
fn a_hundred_thousand_random_keys_never_trap_a_player_nor_send_what_was_not_agreed() {
    let mut rng = Rng::with_seed(SEED);
    let mut room = Room::with(settings(&mut rng));
    let mut tried = Tried::default();
    while room.presses < KEYS {
        for name in keys(&room, &mut rng).split_whitespace() {
            tried.key(&mut room, room::key(name));
        }
        if rng.u8(..8) == 0 {
            happen(&mut room, &mut rng);
        }
        if rng.u8(..16) == 0 {
            assert_can_leave(&room);
        }
    }
    let missed: Vec<_> = ScreenId::ALL
        .into_iter()
        .filter(|id| !tried.shown.contains(id))
        .collect();
    assert_eq!(missed, [], "seed {SEED}: never seen");
    let Tried {
        results,
        adjusted,
        recovered,
        ..
    } = tried;
    let summary = format!(
        "{} keys, {results} results agreed, {adjusted} of them adjusted by the director, {recovered} games recovered",
        room.presses
    );
    println!("{summary}");
    assert!(results >= AGREED_MIN, "seed {SEED}: only {summary}");
    assert!(
        adjusted >= 20 && recovered >= 20,
        "seed {SEED}: only {summary}"
    );
}

/// Digits that BACK takes back first: those of a club key.
const BACKS_MAX: u32 = 80;

/// From wherever the pad is, presses of BACK lead out of the director's menu and of what
/// lies over the evening, and a screen on which BACK does nothing has another way out.
fn assert_can_leave(room: &Room) {
    let mut app = room.app.clone();
    for _ in 0..BACKS_MAX {
        if app.flow().is_over() {
            app.handle(Input::Key(Key::Back), room.now);
        }
    }
    assert!(!app.flow().is_over(), "seed {SEED}: {:?}", app.flow());
    let stays = |key: &Key| {
        let mut app = app.clone();
        let before = app.screen(room.now);
        app.handle(Input::Key(*key), room.now);
        app.screen(room.now) == before
    };
    let trapped = Key::ALL.iter().all(stays);
    assert!(!trapped, "seed {SEED}: {:?}", app.flow());
}
