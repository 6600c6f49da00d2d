//! Evenings on the radio that one can buy.

use air::capacity::{CHECK_IN, Scenario, Scorer, Which, entry, measure};
use air::room::Room;
use air::{Channel, Model};
use protocol::link::{Port, Spread, Timing};
use protocol::time::Span;

fn hc12(loss_permille: u32) -> Channel {
    Channel {
        loss_permille,
        hidden_permille: 300,
        model: Model::hc12(Timing::COMMON),
        ..Channel::clear(Timing::COMMON)
    }
}

fn room(channel: Channel, tables: usize, seed: u64) -> Room<Scorer> {
    let mut room = Room::new(channel, Scorer::default(), seed);
    for _ in 0..tables {
        let table = room.add_table();
        let now = room.now();
        room.tables[table].link.report(Some(CHECK_IN), now);
    }
    room
}

/// Every table sends so many results; all of them arrive, none twice.
fn play(room: &mut Room<Scorer>, boards: u16, what: &str) {
    for board in 1..=boards {
        for table in 0..room.tables.len() {
            room.tables[table].outbox.push_back(entry(board));
            room.run_for(Span::from_millis(1_900));
        }
        room.run_for(Span::from_secs(60));
    }
    room.run_for(Span::from_secs(180));
    let tables = room.tables.len();
    let arrived = room.desk.entries.len();
    assert_eq!(arrived, tables * usize::from(boards), "{what}");
    let settled = room.tables.iter().all(|table| table.outbox.is_empty());
    assert!(settled, "{what}: every pad knows");
}

#[test]
fn a_club_of_thirty_tables_on_the_worst_of_radios_waits_less_than_five_seconds() {
    for seed in 1..=2 {
        let figures = measure(Scenario {
            tables: 30,
            baud: 19_200,
            loss_permille: 200,
            hidden_permille: 300,
            model: Some(Model::hc12(Timing::COMMON)),
            channels: 1,
            link: Which::Fitting,
            seed,
        });
        let p99 = figures.percentile(99);
        assert!(p99 < Span::from_secs(5), "seed {seed}: {p99:?}");
        assert_eq!((figures.lost, figures.twice), (0, 0), "seed {seed}");
    }
}

#[test]
fn a_bad_radio_is_noticed_and_a_good_one_is_left_alone() {
    let mut bad = room(hc12(50), 12, 1);
    bad.run_for(Span::from_secs(120));
    let fit = bad.hub.as_ref().unwrap().fit(Port(0));
    assert!(fit.at_once && fit.up > Spread::NARROW, "{fit:?}");
    let follow = |table: &air::room::Table| table.link.measured().1 == fit;
    let following = bad.tables.iter().filter(|table| follow(table)).count();
    assert!(following >= 10, "{following} pads follow {fit:?}");

    let mut good = room(Channel::clear(Timing::COMMON), 12, 1);
    good.run_for(Span::from_secs(120));
    let fit = good.hub.as_ref().unwrap().fit(Port(0));
    assert!(!fit.at_once && fit.up == Spread::NARROW, "{fit:?}");
}

#[test]
fn a_radio_that_becomes_bad_in_mid_session_loses_nothing_and_neither_does_one_that_recovers() {
    let mut room = room(Channel::clear(Timing::COMMON), 8, 3);
    play(&mut room, 1, "good");
    room.air.channel_mut().model = Model::hc12(Timing::COMMON);
    room.desk.entries.clear();
    play(&mut room, 3, "bad");
    assert!(room.hub.as_ref().unwrap().fit(Port(0)).at_once);
    room.air.channel_mut().model = Model::exact(Timing::COMMON);
    room.desk.entries.clear();
    play(&mut room, 3, "good again");
    room.run_for(Span::from_secs(900));
    let fit = room.hub.as_ref().unwrap().fit(Port(0));
    assert!(!fit.at_once, "{fit:?}");
}

#[test]
fn pads_from_before_there_were_fits_play_on_among_those_that_follow_them() {
    let mut room = room(hc12(50), 10, 5);
    for table in 0..4 {
        room.make_old_pad(table);
        let now = room.now();
        room.tables[table].link.report(Some(CHECK_IN), now);
    }
    play(&mut room, 4, "old pads among new ones");
}

#[test]
fn a_base_that_restarts_on_a_bad_radio_finds_everybody_again() {
    let mut room = room(hc12(100), 10, 7);
    play(&mut room, 1, "before");
    room.stop_base();
    room.run_for(Span::from_secs(20));
    room.start_base();
    room.desk.entries.clear();
    play(&mut room, 2, "after");
}

#[test]
fn four_channels_carry_four_times_the_tables_in_one_base() {
    let figures = measure(Scenario {
        tables: 160,
        baud: 19_200,
        loss_permille: 50,
        hidden_permille: 300,
        model: None,
        channels: 4,
        link: Which::Fitting,
        seed: 1,
    });
    let p99 = figures.percentile(99);
    assert!(p99 < Span::from_secs(2), "{p99:?}");
    assert_eq!((figures.lost, figures.twice), (0, 0));
}
