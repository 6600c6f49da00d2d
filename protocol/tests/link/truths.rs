//! What a pad is told is so when it is told; what has no effect is counted.

use crate::common::{Pair, entry, received};
use protocol::link::Port;
use protocol::message::{Clock, ClockState, Down, Up};
use protocol::time::Span;
use protocol::words::RoundNumber;

const CLOCK: Clock = Clock {
    time_of_day_s: 24 * 3600 - 60,
    round: RoundNumber::FIRST,
    left_s: 600,
    state: ClockState::Running,
};

/// What the pad hears when it calls next.
fn hears(pair: &mut Pair) -> Vec<Down> {
    pair.events.clear();
    pair.send_when_ready(&Up::CancelCall);
    pair.run_until_call();
    pair.answer(vec![]);
    pair.run_for(Span::from_secs(5));
    pair.messages().cloned().collect()
}

#[test]
fn point_15_a_clock_that_waited_is_told_as_it_is_when_it_is_sent() {
    let mut pair = Pair::associated();
    let pad = pair.pad_id();
    pair.hub.post(pad, Down::Clock(CLOCK), pair.now);
    pair.now += Span::from_secs(90);
    let heard = hears(&mut pair);
    let [Down::Clock(clock)] = heard[..] else {
        panic!("one clock expected: {heard:?}");
    };
    assert!((505..=510).contains(&clock.left_s), "{clock:?}");
    let past_midnight = 30..=35;
    assert!(past_midnight.contains(&clock.time_of_day_s), "{clock:?}");
}

#[test]
fn a_clock_that_was_lost_on_the_air_is_told_anew_and_a_held_one_stands_still() {
    for (state, left) in [
        (ClockState::Running, 470..=480),
        (ClockState::Held, 600..=600),
    ] {
        let mut pair = Pair::associated();
        let pad = pair.pad_id();
        let clock = Clock { state, ..CLOCK };
        pair.hub.post(pad, Down::Clock(clock), pair.now);
        pair.send_when_ready(&entry(1));
        pair.run_until_call();
        pair.answer(vec![received(1, None)]);
        // The receipt comes; then somebody walks through the line of sight for two minutes.
        pair.run_until(|pair| !pair.messages().collect::<Vec<_>>().is_empty());
        let told = pair.messages().any(|down| matches!(down, Down::Clock(_)));
        assert!(!told, "the clock comes after the receipt");
        pair.lose_everything_for(Span::from_secs(120));
        let heard = hears(&mut pair);
        let clock = heard.iter().find_map(|down| match down {
            Down::Clock(clock) => Some(*clock),
            _ => None,
        });
        let clock = clock.unwrap_or_else(|| panic!("a clock expected: {heard:?}"));
        assert!(left.contains(&clock.left_s), "{clock:?}");
    }
}

#[test]
fn point_15_of_gates_and_clocks_that_waited_only_the_last_is_told() {
    let mut pair = Pair::associated();
    let pad = pair.pad_id();
    for (open, left_s) in [(false, 600), (true, 900), (false, 300)] {
        pair.hub.post(pad, Down::Gate { open }, pair.now);
        let held = Clock {
            left_s,
            state: ClockState::Held,
            ..CLOCK
        };
        pair.hub.post(pad, Down::Clock(held), pair.now);
    }
    let heard = hears(&mut pair);
    let [Down::Gate { open: false }, Down::Clock(clock)] = heard[..] else {
        panic!("one gate and one clock expected: {heard:?}");
    };
    assert_eq!(clock.left_s, 300);
}

#[test]
fn point_15_a_frame_that_is_too_long_is_counted() {
    let mut pair = Pair::associated();
    let before = pair.hub.tally();
    let mut noise = vec![0xA5; 300];
    noise.push(0);
    pair.hub.handle_receive(Port(0), &noise, pair.now);
    assert_eq!(pair.hub.tally().garbled, before.garbled + 1);
}

#[test]
fn what_another_base_says_on_our_network_is_counted() {
    let mut pair = Pair::associated();
    let own: Vec<Vec<u8>> = pair.frames.iter().map(|it| it.bytes.clone()).collect();
    let before = pair.hub.tally();
    for frame in &own {
        pair.hub.handle_receive(Port(0), frame, pair.now);
    }
    let tally = pair.hub.tally();
    let counted = tally.other_base - before.other_base + tally.replayed - before.replayed
        + tally.strangers
        - before.strangers;
    assert_eq!(usize::try_from(counted), Ok(own.len()), "{tally:?}");
    assert!(tally.other_base > before.other_base);
    assert_eq!(tally.accepted, before.accepted);
}
