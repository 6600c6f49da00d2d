//! A cat on the keypad: nothing panics, nobody is trapped, and nothing is sent that East has not
//! accepted.

mod room;

use std::collections::BTreeSet;

use fastrand::Rng;
use pad::{Key, ScreenId};
use protocol::message::{
    Acceptance, BoardChoice, Down, Feedback, FeedbackLevel, Language, LeadEntry, PairCheck,
    PlayerNumbers, RefusalReason, ResultStyle, Settings,
};
use protocol::time::Span;
use room::Room;

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
        language: one(rng, &[Language::English, Language::German]),
        ..Settings::CLUB_EVENING
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
        _ => ["OK", "BACK", "ACCEPT", "►", "▼", "DIRECTOR"][rng.usize(..6)].to_owned(),
    }
}

/// Something of the room around the pad.
fn happen(room: &mut Room, rng: &mut Rng) {
    match rng.u8(..24) {
        0 => room.in_range = !room.in_range,
        1 => room.restart(),
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
        _ => room.wait(Span::from_secs(rng.u64(1..90))),
    }
    if rng.u8(..3) == 0 {
        room.in_range = true;
        room.base.refuses = None;
        room.base.refuses_entries = None;
    }
}

#[test]
#[expect(clippy::print_stdout, reason = "how much was tried")]
fn a_hundred_thousand_random_keys_never_trap_a_player_nor_send_what_was_not_agreed() {
    let seed = 0x0BEE_57A7;
    let mut rng = Rng::with_seed(seed);
    let mut room = Room::with(settings(&mut rng));
    let mut results = 0;
    let mut accepted = BTreeSet::new();
    let mut shown = BTreeSet::new();
    while room.presses < KEYS {
        for name in keys(&room, &mut rng).split_whitespace() {
            let before = room.id();
            let highest = room.app.sheet().number_reached();
            let key = room::key(name);
            room.key(key);
            let is_new = room.app.sheet().number_reached() > highest;
            if is_new {
                // Only these screens can agree anything, and only East's key does.
                let asked = [ScreenId::Check, ScreenId::AcceptPin, ScreenId::SitOut];
                assert!(asked.contains(&before), "seed {seed}: agreed on {before:?}");
                let east = key == Key::Accept || before == ScreenId::AcceptPin;
                assert!(east, "seed {seed}: agreed by {key:?}");
                results += 1;
            }
            if is_new {
                let lines = room.app.sheet().lines();
                accepted.extend(lines.map(|line| (line.entry.number, line.entry.board)));
            }
            for entry in room.base.newly_received() {
                let known = accepted.contains(&(entry.number, entry.board));
                assert!(known, "seed {seed}: got {entry:?}");
            }
        }
        if rng.u8(..8) == 0 {
            happen(&mut room, &mut rng);
        }
        shown.extend(room.screens.iter().copied());
    }
    assert!(results >= AGREED_MIN, "seed {seed}: only {results} results");
    let missed: Vec<_> = ScreenId::ALL
        .into_iter()
        .filter(|id| !shown.contains(id))
        .collect();
    assert_eq!(missed, [], "seed {seed}: never seen");
    println!("{} keys, {results} results agreed", room.presses);
    assert_can_leave(&mut room);
}

/// From wherever the pad is, a few presses of BACK and OK lead to the start or to a board.
fn assert_can_leave(room: &mut Room) {
    room.in_range = true;
    room.base.refuses = None;
    room.base.refuses_entries = None;
    for _ in 0..8 {
        room.press("BACK");
    }
    assert!(!room.app.flow().is_directors());
}
