//! Pulling the battery at any moment loses nothing that was agreed, and the flash lasts for years.

mod room;

use pad::app::Flow;
use pad::{App, RecordKey, RecordSet, ScreenId, Store};
use protocol::message::{Down, Entry, Recorded, RoundSheet, Settings, Source};
use protocol::words::{Award, BoardNumber, Outcome, PadId, RoundNumber, Score, TableNumber};
use room::{BOARDS, Moment, ROUNDS, Room};
use virtual_pad::{HostFlash, block_on};

/// The keys of an evening of thirty results with a correction in each third round.
fn keys_of_an_evening() -> Vec<&'static str> {
    let mut keys = vec!["OK A 5 OK 0 OK 0 OK 0 OK 0 OK"];
    for number in 1..=ROUNDS {
        keys.push("OK");
        keys.extend(["4 ♠ S ♦ K = OK ACCEPT"; BOARDS as usize]);
        if number % 3 == 0 {
            keys.push("BACK ▲ ▲ ▲ OK 4 ♠ X S ♦ K = OK ACCEPT");
        }
        keys.push("OK");
    }
    let split = |keys: &'static str| keys.split_whitespace();
    keys.into_iter().flat_map(split).collect()
}

fn play(room: &mut Room) {
    for key in keys_of_an_evening() {
        room.press(key);
    }
    room.is_at(ScreenId::SessionEnd);
}

/// The board that the players are at, if they are at one.
fn board_of(flow: &Flow) -> Option<(RoundNumber, BoardNumber)> {
    match flow {
        Flow::Entry(typing) => Some((typing.round, typing.board)),
        Flow::Check { draft, .. } => Some((draft.round, draft.board)),
        _ => None,
    }
}

/// The newest entry of every board that was agreed is on the sheet.
fn assert_nothing_is_lost(app: &App, agreed: &[Entry], step: u64) {
    for entry in agreed {
        let line = app.sheet().line(entry.round, entry.board);
        let line = line.unwrap_or_else(|| panic!("step {step}: lost {entry:?}"));
        assert!(
            line.entry.number >= entry.number,
            "step {step}: old {entry:?}"
        );
    }
}

/// A pad with this flash, on the evening of this session.
fn evening(flash: HostFlash, session: u32) -> Room {
    let mut room = Room::new();
    room.base.session = session;
    room.store = Store::new(flash, 0).expect("a page");
    room.restart();
    room
}

/// A flash after so many evenings, each ended as it should be.
fn used_flash(evenings: u32) -> HostFlash {
    let mut flash = HostFlash::new(1);
    for session in 1..=evenings {
        let mut room = evening(flash, session);
        play(&mut room);
        room.press("OK");
        flash = room.store.into_flash();
    }
    flash
}

/// Every step of an evening is one word written or one page erased. The power is cut inside each,
/// inside an erasure in forty ways; says how many words and erasures there were.
fn cut_inside_every_step(evenings_before: u32) -> (u64, u64) {
    let mut room = evening(used_flash(evenings_before), evenings_before + 1);
    let (mut words, mut erasures) = (0, 0);
    let mut agreed = Vec::new();
    for key in keys_of_an_evening() {
        let moment = room.moment();
        let first = room.store.flash().steps();
        room.press(key);
        for step in first..room.store.flash().steps() {
            let erasure = room.store.flash().erasure_steps().contains(&step);
            *(if erasure { &mut erasures } else { &mut words }) += 1;
            for tear in 0..if erasure { 40 } else { 1 } {
                cut(&moment, key, step, tear, &agreed);
            }
        }
        if key == "ACCEPT" {
            agreed.push(room.app.sheet().newest().expect("just agreed").entry);
        }
    }
    assert_eq!(agreed.len(), 33, "thirty results and three corrections");
    (words, erasures)
}

/// Presses the key, cuts the power inside this step, gives it back, and looks.
fn cut(moment: &Moment, key: &str, step: u64, tear: u64, agreed: &[Entry]) {
    let mut room = Room::back_to(moment);
    let before = board_of(room.app.flow());
    room.store.flash().tear_with(step << 8 | tear);
    room.store.flash().cut_power_at(step);
    room.press(key);
    assert!(!room.is_alive(), "step {step} comes with this key");
    let after = board_of(room.app.flow());
    room.restart();
    assert_nothing_is_lost(&room.app, agreed, step);
    // At the board where the key was pressed, or at the one that this key led to.
    if let (Some(before), Some(now)) = (before, board_of(room.app.flow())) {
        let same = now == before || Some(now) == after;
        assert!(same, "step {step}: {before:?} became {now:?}");
    }
    // The pad works, and takes up the evening.
    if room.id() == ScreenId::Entry {
        room.press("1 NT N = OK ACCEPT");
        let mut agreed = agreed.to_vec();
        agreed.push(room.app.sheet().newest().expect("just agreed").entry);
        room.restart();
        assert_nothing_is_lost(&room.app, &agreed, step);
    }
}

#[test]
#[expect(clippy::print_stdout, reason = "the figures that README.md names")]
fn a_power_cut_inside_any_word_of_a_new_pad_s_evening_loses_nothing_agreed() {
    let (words, _) = cut_inside_every_step(0);
    println!("cut inside each of {words} words");
    assert!(words > 300, "{words} words are no evening");
}

#[test]
#[expect(clippy::print_stdout, reason = "the figures that README.md names")]
fn a_power_cut_inside_any_word_or_erasure_of_a_used_pad_s_evening_loses_nothing_agreed() {
    let (words, erasures) = cut_inside_every_step(7);
    println!("cut inside each of {words} words and {erasures} erasures");
    assert!(
        words > 300 && erasures > 0,
        "{words} words, {erasures} erasures"
    );
}

#[test]
fn the_battery_is_pulled_at_every_key_of_a_round_and_the_board_is_the_same() {
    let keys =
        "4 ♠ S ♦ K = OK ACCEPT 3 NT N OK + 1 OK ACCEPT PASS OK ACCEPT OK OK 2 ♣ W = OK ACCEPT";
    let count = keys.split_whitespace().count();
    for pulled_after in 0..count {
        let mut room = Room::at_first_board(Settings::CLUB_EVENING);
        for name in keys.split_whitespace().take(pulled_after) {
            room.press(name);
        }
        let (before, lines) = (board_of(room.app.flow()), room.app.sheet().clone());
        let id = room.id();
        room.restart();
        assert_eq!(room.app.sheet(), &lines);
        match before {
            Some(board) => assert_eq!(board_of(room.app.flow()), Some(board), "{pulled_after}"),
            None => assert_eq!(room.id(), id, "{pulled_after}"),
        }
    }
}

/// Everything a pad can ever hold at one time, each record as long as it gets.
fn fullest_pad() -> (App, RecordSet) {
    let mut app = App::new(PadId::MAX, pad::FIRMWARE);
    let mut room = Room::new();
    room.log_on();
    std::mem::swap(&mut app, &mut room.app);
    let now = room.now;
    for number in (1..=u8::try_from(pad::ROUNDS_MAX).expect("few")).filter_map(RoundNumber::new) {
        let rounds = [RoundSheet {
            round: number,
            boards_to: Some(TableNumber::MAX),
            ..room::sheet(1)
        }];
        let schedule = Down::Schedule {
            rounds_total: number,
            rounds: rounds.into_iter().collect(),
        };
        let _ = app.handle(pad::Input::Down(&schedule), now);
    }
    for number in 1..=u8::try_from(pad::LINES_MAX).expect("few") {
        let recorded = Recorded {
            round: RoundNumber::FIRST,
            board: room::board(number),
            result: Some(Outcome::Awarded {
                ns: Award::Score(Score(-7600)),
                ew: Award::Score(Score(7600)),
            }),
            source: Source::Director,
        };
        let _ = app.handle(pad::Input::Down(&Down::Recorded(recorded)), now);
    }
    let mut all = RecordSet::EMPTY;
    RecordKey::in_order().for_each(|key| all.insert(key));
    (app, all)
}

#[test]
fn the_fullest_pad_fits_its_journal_however_often_it_is_rewritten() {
    let (app, all) = fullest_pad();
    assert_eq!(app.sheet().lines().count(), pad::LINES_MAX);
    let mut store = Store::new(HostFlash::new(5), 0).expect("a page");
    for _ in 0..40 {
        block_on(store.save(&app, all)).expect("room for everything");
    }
    let mut again = App::new(PadId::MAX, pad::FIRMWARE);
    block_on(store.load(&mut again, protocol::time::Instant::ZERO)).expect("readable");
    assert_eq!(again.sheet(), app.sheet());
}

/// What the flash of an STM32L475 endures: "10 kcycles" (data sheet DS10969, flash memory
/// endurance and data retention).
const ERASURES_MAX: u32 = 10_000;

/// Ten years of five sessions a week.
const SESSIONS: u32 = 10 * 52 * 5;

#[test]
#[expect(clippy::print_stdout, reason = "the figures that README.md names")]
fn the_journal_pages_last_ten_years_of_five_sessions_a_week() {
    const MEASURED: u32 = 40;
    let mut room = Room::new();
    for session in 1..=MEASURED {
        room.base.session = 100 + session;
        room.base.journal.clear();
        play(&mut room);
        room.press("OK");
    }
    let worst = room
        .store
        .flash()
        .erasures()
        .iter()
        .copied()
        .max()
        .expect("pages");
    let in_ten_years = worst * SESSIONS / MEASURED;
    println!("worst page: {worst} erasures in {MEASURED} evenings, {in_ten_years} in ten years");
    assert!(in_ten_years <= ERASURES_MAX, "{in_ten_years}");
    let readme = include_str!("../README.md");
    let stated = format!("{in_ten_years} erasures in ten years");
    assert!(readme.contains(&stated), "README.md should say: {stated}");
}
