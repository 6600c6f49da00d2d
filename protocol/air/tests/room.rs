//! Evenings on the simulated channel. A failing test prints its seed; the same seed fails again.

use std::collections::BTreeMap;

use air::capacity::{CHECK_IN, Scenario, Scorer, entry, measure};
use air::room::Room;
use air::{Channel, mutate};
use protocol::frame::ClubKey;
use protocol::link::{PadEvent, Timing};
use protocol::time::Span;

/// A room of tables that all have something to say.
fn room(channel: Channel, tables: usize, seed: u64) -> Room<Scorer> {
    let mut room = Room::new(channel, Scorer::default(), seed);
    for _ in 0..tables {
        let table = room.add_table();
        let now = room.now();
        room.tables[table].link.report(Some(CHECK_IN), now);
    }
    room
}

/// The entries that reached the base's application, by pad, each the first time.
fn arrived(room: &Room<Scorer>) -> BTreeMap<u32, Vec<u16>> {
    let mut arrived: BTreeMap<u32, Vec<u16>> = BTreeMap::new();
    for (pad, number, _) in &room.desk.entries {
        let numbers = arrived.entry(*pad).or_default();
        if !numbers.contains(&number.0) {
            numbers.push(number.0);
        }
    }
    arrived
}

/// Every table plays so many boards, a few minutes each, and every result must arrive in order.
fn play_evening(mut room: Room<Scorer>, boards: u16, seed: u64) -> Room<Scorer> {
    for board in 1..=boards {
        for table in 0..room.tables.len() {
            room.tables[table].outbox.push_back(entry(board));
            room.run_for(Span::from_millis(1_700));
        }
        room.run_for(Span::from_secs(100));
    }
    room.run_for(Span::from_secs(120));
    let expected: Vec<u16> = (1..=boards).collect();
    let arrived = arrived(&room);
    assert_eq!(arrived.len(), room.tables.len(), "seed {seed}");
    for (pad, numbers) in arrived {
        assert_eq!(numbers, expected, "pad {pad:x}, seed {seed}");
    }
    assert!(
        room.tables.iter().all(|table| table.outbox.is_empty()),
        "every pad knows that its results were received, seed {seed}"
    );
    room
}

#[test]
fn a_whole_evening_with_a_fifth_of_all_frames_lost_brings_every_score_in_order() {
    for seed in 1..=3 {
        let channel = Channel {
            loss_permille: 200,
            hidden_permille: 300,
            ..Channel::clear(Timing::COMMON)
        };
        let room = play_evening(room(channel, 12, seed), 26, seed);
        assert_eq!(room.desk.entries.len(), 12 * 26, "none twice, seed {seed}");
    }
}

#[test]
fn everything_that_can_go_wrong_on_the_air_loses_nothing() {
    for seed in 1..=3 {
        let channel = Channel {
            loss_permille: 50,
            flip_permille: 100,
            repeat_permille: 100,
            delay_permille: 100,
            hidden_permille: 500,
            garbles_first_byte: true,
            ..Channel::clear(Timing::COMMON)
        };
        let room = play_evening(room(channel, 12, seed), 10, seed);
        let tally = room.hub.as_ref().unwrap().tally();
        assert!(tally.replayed > 0, "{tally:?}");
        assert_eq!(room.desk.entries.len(), 12 * 10, "none twice, seed {seed}");
    }
}

#[test]
fn a_table_in_a_dead_spot_catches_up_when_it_is_moved() {
    let mut room = room(Channel::clear(Timing::COMMON), 3, 1);
    let station = room.tables[0].station;
    room.air.set_dead_spot(station, true);
    room.tables[0].outbox.extend([entry(1), entry(2)]);
    room.tables[1].outbox.push_back(entry(1));
    room.run_for(Span::from_secs(90));
    assert_eq!(arrived(&room).len(), 1, "the others are not held up");
    let waiting = |room: &Room<Scorer>| {
        room.events
            .iter()
            .any(|(_, table, event)| (*table, event) == (0, &PadEvent::Waiting))
    };
    assert!(waiting(&room), "players see that it waits");
    room.air.set_dead_spot(station, false);
    room.run_for(Span::from_secs(60));
    assert_eq!(arrived(&room)[&room.tables[0].pad.get()], [1, 2]);
}

#[test]
fn a_pad_that_took_its_word_back_in_a_dead_spot_and_called_for_an_hour_is_heard_again() {
    let mut room = room(Channel::clear(Timing::COMMON), 1, 1);
    room.tables[0].outbox.push_back(entry(1));
    room.run_for(Span::from_secs(60));
    let station = room.tables[0].station;
    room.air.set_dead_spot(station, true);
    room.tables[0].outbox.push_back(entry(2));
    room.run_for(Span::from_secs(10));
    // The players correct the result before it could be sent: it goes under new keys.
    room.tables[0].withdraw();
    room.tables[0].outbox.push_back(entry(3));
    room.run_for(Span::from_secs(3600));
    room.air.set_dead_spot(station, false);
    room.run_for(Span::from_secs(120));
    assert_eq!(arrived(&room)[&room.tables[0].pad.get()], [1, 3]);
}

#[test]
fn a_pad_that_the_base_hears_but_that_cannot_hear_the_base_is_not_told_it_was_received() {
    let mut room = room(Channel::clear(Timing::COMMON), 1, 1);
    room.run_for(Span::from_secs(60));
    let base = room.base();
    let station = room.tables[0].station;
    room.air.set_deaf(station, base, true);
    room.events.clear();
    room.tables[0].outbox.push_back(entry(1));
    room.run_for(Span::from_secs(30));
    assert_eq!(
        room.desk.entries.len(),
        1,
        "handed over once, however often it was sent"
    );
    assert!(
        !room
            .events
            .iter()
            .any(|(_, _, event)| *event == PadEvent::Answered)
    );
    room.air.set_deaf(station, base, false);
    room.run_for(Span::from_secs(60));
    assert!(
        room.events
            .iter()
            .any(|(_, _, event)| *event == PadEvent::Answered)
    );
    assert_eq!(room.desk.entries.len(), 1);
}

#[test]
fn a_pad_whose_cells_are_changed_goes_on() {
    let mut room = room(Channel::clear(Timing::COMMON), 2, 1);
    for restarts in 1..=20 {
        room.tables[0].outbox.push_back(entry(restarts));
        room.run_for(Span::from_millis(180 + u64::from(restarts) * 17));
        room.restart_pad(0);
        room.run_for(Span::from_secs(5));
    }
    let expected: Vec<u16> = (1..=20).collect();
    assert_eq!(arrived(&room)[&room.tables[0].pad.get()], expected);
}

#[test]
fn a_base_that_restarts_hears_from_every_table_within_a_minute() {
    let channel = Channel {
        loss_permille: 50,
        hidden_permille: 300,
        ..Channel::clear(Timing::COMMON)
    };
    let mut room = room(channel, 64, 4);
    room.run_for(Span::from_secs(180));
    room.stop_base();
    room.run_for(Span::from_secs(20));
    room.start_base();
    room.run_for(Span::from_secs(60));
    assert_eq!(room.hub.as_ref().unwrap().pads().count(), 64);
}

#[test]
fn a_distant_pad_gets_its_turn() {
    let mut room = room(Channel::clear(Timing::COMMON), 32, 1);
    let station = room.tables[7].station;
    room.air.set_loss(station, 300);
    room.run_for(Span::from_secs(120));
    for board in 1..=10 {
        for table in 0..32 {
            room.tables[table].outbox.push_back(entry(board));
        }
        room.run_for(Span::from_secs(45));
    }
    let expected: Vec<u16> = (1..=10).collect();
    assert_eq!(arrived(&room)[&room.tables[7].pad.get()], expected);
}

#[test]
fn a_pad_of_another_club_changes_nothing() {
    let mut room = room(Channel::clear(Timing::COMMON), 2, 1);
    room.rekey_pad(1, &ClubKey::new([1; 32]));
    room.tables[1].outbox.push_back(entry(1));
    room.run_for(Span::from_secs(20));
    assert!(arrived(&room).is_empty());
    assert!(room.hub.as_ref().unwrap().tally().other_club > 0);
}

#[test]
fn the_same_seed_gives_the_same_evening() {
    let scenario = Scenario {
        tables: 24,
        baud: 19_200,
        loss_permille: 50,
        hidden_permille: 300,
        model: None,
        channels: 1,
        seed: 11,
    };
    let (first, second) = (measure(scenario), measure(scenario));
    assert_eq!(first.waits, second.waits);
    assert_eq!((first.lost, first.twice), (0, 0));
    assert!(first.percentile(50) < Span::from_millis(500));
    assert!(first.modem_on_max < Span::from_secs(3));
}

#[test]
fn mutated_frames_have_no_effect() {
    let outcome = mutate::throw(50_000, 1);
    assert_eq!(outcome.frames, 50_000);
    assert_eq!(outcome.pads, 1, "only the true pad is known");
    assert_eq!(outcome.calls, 0);
}
