//! Emulated pads and the real daemon, with nothing between them but the radio channel.

use std::time::{Duration, Instant};

use air::Model;
use pad::Key;
use protocol::link::Timing;
use serde_json::Value;
use tests::daemon::{CLUB_KEY, Daemon};
use tests::emulator::{Airwaves, EmulatedPad, Faults};

/// What the stack may take of the RAM. The bench shim's own use is in the measure.
const STACK_BYTES_MAX: u64 = 20 * 1024;

/// Four spades by South, lead the king of diamonds, just made, accepted: eight keys.
pub(crate) const FOUR_SPADES: [Key; 8] = [
    Key::Four,
    Key::Spades,
    Key::South,
    Key::Diamonds,
    Key::Redouble,
    Key::Equal,
    Key::Ok,
    Key::Accept,
];

/// Three no-trumps by West without a lead, one down.
pub(crate) const THREE_NO_TRUMPS: [Key; 8] = [
    Key::Three,
    Key::NoTrump,
    Key::West,
    Key::Ok,
    Key::Minus,
    Key::One,
    Key::Ok,
    Key::Accept,
];

pub(crate) const PASSED_OUT: [Key; 3] = [Key::Pass, Key::Ok, Key::Accept];

/// A base station with an open evening of five tables, three boards a round.
pub(crate) fn open_room() -> (Airwaves, Daemon) {
    open_room_on(Airwaves::new(Timing::COMMON))
}

/// The same on modems of some kind.
fn open_room_on(air: Airwaves) -> (Airwaves, Daemon) {
    let base = Daemon::start(&[air.base()], Timing::COMMON.baud);
    base.open_evening(10);
    (air, base)
}

/// A pad of the club, in range and not yet logged on.
pub(crate) fn pad_in_range(air: &Airwaves, number: u32) -> EmulatedPad {
    let mut pad = EmulatedPad::new(number);
    air.join(number, &pad.radio());
    pad.wait_for_screen(&["Start"]);
    pad.type_on_service_port(&format!("club {CLUB_KEY} 0 0\n"));
    pad
}

/// Logs the pad on, with visitors in all seats, up to its first board.
pub(crate) fn log_on(pad: &mut EmulatedPad, table: Key) {
    pad.press(&[Key::Ok, Key::Double, table, Key::Ok]);
    // On a bad channel, or a busy machine, players are told that nobody answers, and try again.
    while pad
        .wait_for_screen_of(&["Players", "LogOnRefused"])
        .contains("OK: again")
    {
        pad.press(&[Key::Ok]);
        pad.wait_for_screen_of(&["LoggingOn", "Players"]);
    }
    for seat in ["North:", "East:", "South:", "West:"] {
        pad.wait_for_screen(&["Players", seat]);
        pad.press(&[Key::Zero, Key::Ok]);
    }
    pad.wait_for_screen(&["RoundStart", "Boards"]);
    pad.press(&[Key::Ok]);
    pad.wait_for_screen(&["Entry", "Contract?"]);
}

/// Nothing that the pad did since its battery was put in took more stack than it may.
#[expect(clippy::print_stdout, reason = "the figure that tests/run shows")]
pub(crate) fn assert_stack(pad: &mut EmulatedPad) {
    let used = pad.stack_used();
    println!(
        "measured: stack: {used} of {STACK_BYTES_MAX} B used at most, the bench's part included"
    );
    assert!((256..STACK_BYTES_MAX).contains(&used), "{used} bytes");
}

/// Puts a battery in, within range.
fn revive(pad: &mut EmulatedPad, air: &Airwaves, number: u32) {
    pad.insert_battery();
    air.join(number, &pad.radio());
}

/// What the base has of a table's boards, those without a result left out.
fn results(table: &Value) -> Vec<(u64, String)> {
    let lines = table["lines"].as_array().expect("a table has lines");
    lines
        .iter()
        .filter(|line| line["result"]["kind"] != "Nothing")
        .map(|line| {
            let text = line["result"]["text"].as_str().unwrap_or_default();
            (line["board"].as_u64().unwrap_or(0), text.to_owned())
        })
        .collect()
}

pub(crate) fn wait_for_results(base: &Daemon, table: &str, count: usize) -> Vec<(u64, String)> {
    base.wait_for(&format!("tables/{table}"), |answer| {
        Some(results(answer)).filter(|found| found.len() == count)
    })
}

#[test]
fn a_result_goes_from_the_keys_to_the_journal_and_outlives_the_battery() {
    let (air, mut base) = open_room();
    let mut pad = pad_in_range(&air, 1);
    log_on(&mut pad, Key::One);
    pad.press(&FOUR_SPADES);
    pad.wait_for_screen(&["Board 2", "1: 4♠ S = +420 received"]);
    let found = wait_for_results(&base, "A1", 1);
    assert_eq!(found, [(1, "4S by S =, lead DK".to_owned())]);

    pad.pull_battery();
    revive(&mut pad, &air, 1);
    pad.wait_for_screen(&["Board 2", "1: 4♠ S = +420 received"]);

    base.start_again();
    assert_eq!(wait_for_results(&base, "A1", 1), found);
}

/// Frames late by up to 80 ms, in packets with pauses, and an adapter that hands over every 16 ms.
#[test]
fn two_pads_play_on_modems_that_one_can_buy() {
    let model = Model::hc12(Timing::COMMON);
    let (air, base) = open_room_on(Airwaves::with(Timing::COMMON, model));
    let mut pads = [pad_in_range(&air, 1), pad_in_range(&air, 2)];
    for (pad, table) in pads.iter_mut().zip([Key::One, Key::Two]) {
        log_on(pad, table);
    }
    for pad in &mut pads {
        pad.press(&FOUR_SPADES);
        pad.wait_for_screen(&["4♠ S =", "received"]);
        pad.press(&THREE_NO_TRUMPS);
        pad.wait_for_screen(&["3NT W", "received"]);
    }
    for table in ["A1", "A2"] {
        wait_for_results(&base, table, 2);
    }
}

#[test]
fn a_pad_that_panics_or_hangs_in_a_board_is_back_at_that_board() {
    let (air, base) = open_room();
    let mut pad = pad_in_range(&air, 1);
    log_on(&mut pad, Key::One);
    pad.press(&FOUR_SPADES);
    pad.wait_for_screen(&["Board 2", "1: 4♠ S = +420 received"]);
    for (starts, fault) in [(2, "panic\n"), (3, "hang\n")] {
        pad.press(&[Key::Three, Key::NoTrump]);
        pad.wait_for_screen(&["3NT_"]);
        pad.type_on_service_port(fault);
        pad.wait_for("Byestand pad ", starts);
        pad.wait_for_screen(&["Entry", "Board 2", "Contract?", "1: 4♠ S = +420"]);
    }
    pad.press(&THREE_NO_TRUMPS);
    wait_for_results(&base, "A1", 2);
}

#[test]
fn a_whole_round_is_played_while_the_base_is_away_and_arrives_once() {
    let (air, mut base) = open_room();
    let mut pad = pad_in_range(&air, 2);
    log_on(&mut pad, Key::Two);
    base.kill();
    pad.press(&FOUR_SPADES);
    pad.wait_for_screen(&["1 to send"]);
    pad.press(&THREE_NO_TRUMPS);
    pad.wait_for_screen(&["2 to send"]);
    // Agreed is agreed: also without a base and with a new battery.
    pad.pull_battery();
    revive(&mut pad, &air, 2);
    pad.wait_for_screen(&["2 to send"]);
    pad.press(&PASSED_OUT);
    pad.wait_for_screen(&["3 to send"]);
    base.start_again();
    let found = wait_for_results(&base, "A2", 3);
    assert_eq!(found.len(), 3, "{found:?}");
    assert_stack(&mut pad);
}

#[test]
#[expect(clippy::print_stdout, reason = "the figure of the readme")]
fn point_10_a_pad_dies_and_a_spare_that_never_saw_tonights_session_carries_on_within_60_s() {
    let (air, base) = open_room();
    let mut pad = pad_in_range(&air, 1);
    log_on(&mut pad, Key::One);
    pad.press(&FOUR_SPADES);
    pad.wait_for_screen(&["Board 2", "1: 4♠ S = +420 received"]);
    // A spare from the box: it has the club's key, and has never heard of tonight nor of its PIN.
    let mut spare = pad_in_range(&air, 9);
    pad.pull_battery();
    let begun = Instant::now();
    spare.press(&[Key::Director, Key::Seven, Key::Three, Key::One, Key::Six]);
    spare.wait_for_screen_of(&["Menu"]);
    spare.press(&[Key::Four, Key::Double, Key::One, Key::Ok]);
    // The base asks its director, who has just handed out the spare and says yes on the page.
    let asked = base.wait_for("view", |view| {
        let warnings = view["warnings"].as_array()?;
        let asked = warnings.iter().find(|it| it["kind"] == "ReplaceAsked")?;
        asked["key"].as_str()?.rsplit(':').next().map(str::to_owned)
    });
    let yes = serde_json::json!({"pad": asked, "allowed": true});
    base.do_as_director("tables/A1/replace", &yes);
    while spare
        .wait_for_screen_of(&["RoundStart", "LogOnRefused"])
        .contains("OK: again")
    {
        spare.press(&[Key::Ok]);
        spare.wait_for_screen_of(&["LoggingOn", "RoundStart"]);
    }
    // The welcome comes first, then the round.
    spare.wait_for_screen(&["RoundStart", "Boards"]);
    spare.press(&[Key::Ok]);
    spare.wait_for_screen(&["Entry", "Board 2", "Contract?"]);
    let took = begun.elapsed();
    println!("measured: a spare carries on after {} ms", took.as_millis());
    assert!(took < Duration::from_mins(1), "{took:?}");
    spare.press(&THREE_NO_TRUMPS);
    let found = wait_for_results(&base, "A1", 2);
    assert_eq!(found.len(), 2, "{found:?}");
}

#[test]
fn four_pads_on_a_bad_channel_lose_nothing() {
    let (air, base) = open_room();
    air.suffer(Faults {
        lost_percent: 10,
        garbled_percent: 10,
        seed: 4,
    });
    let tables = [
        (1, Key::One),
        (2, Key::Two),
        (3, Key::Three),
        (4, Key::Four),
    ];
    let mut pads: Vec<_> = tables
        .iter()
        .map(|(number, _)| pad_in_range(&air, *number))
        .collect();
    std::thread::scope(|room| {
        for (pad, (_, table)) in pads.iter_mut().zip(tables) {
            room.spawn(move || {
                log_on(pad, table);
                pad.press(&FOUR_SPADES);
                pad.press(&THREE_NO_TRUMPS);
            });
        }
    });
    for table in ["A1", "A2", "A3", "A4"] {
        wait_for_results(&base, table, 2);
    }
}
