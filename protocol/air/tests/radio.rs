//! Evenings on the radio that one can buy.

use air::capacity::{CHECK_IN, Scenario, Scorer, entry, measure};
use air::room::Room;
use air::{Channel, Model};
use protocol::link::{Port, Timing};
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
            seed,
        });
        let p99 = figures.percentile(99);
        assert!(p99 < Span::from_secs(5), "seed {seed}: {p99:?}");
        assert_eq!((figures.lost, figures.twice), (0, 0), "seed {seed}");
    }
}

#[test]
fn a_radio_that_becomes_bad_in_mid_session_loses_nothing_and_neither_does_one_that_recovers() {
    let mut room = room(Channel::clear(Timing::COMMON), 8, 3);
    play(&mut room, 1, "good");
    room.air.channel_mut().model = Model::hc12(Timing::COMMON);
    room.desk.entries.clear();
    play(&mut room, 3, "bad");
    room.air.channel_mut().model = Model::exact(Timing::COMMON);
    room.desk.entries.clear();
    play(&mut room, 3, "good again");
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
        seed: 1,
    });
    let p99 = figures.percentile(99);
    assert!(p99 < Span::from_secs(2), "{p99:?}");
    assert_eq!((figures.lost, figures.twice), (0, 0));
}

/// Half of the room goes to another receiver's channel and back again, results under way.
#[test]
fn pads_that_are_moved_to_another_channel_in_mid_session_lose_nothing() {
    let mut room = room(hc12(50), 10, 11);
    room.add_receiver(3);
    play(&mut room, 1, "on one channel");
    room.desk.entries.clear();
    for table in 0..5 {
        room.tables[table].outbox.push_back(entry(1));
        room.tune(table, 3);
    }
    room.run_for(Span::from_secs(120));
    assert_eq!(room.desk.entries.len(), 5, "what was under way");
    room.desk.entries.clear();
    play(&mut room, 2, "on two channels");
    for table in 0..5 {
        room.tune(table, 0);
    }
    room.desk.entries.clear();
    play(&mut room, 1, "back on one");
}

#[test]
fn a_base_says_of_each_pad_how_many_frames_were_lost_either_way() {
    let mut room = room(Channel::clear(Timing::COMMON), 3, 13);
    let far = room.tables[2].station;
    room.air.set_loss(far, 500);
    for board in 1..=20 {
        for table in 0..3 {
            room.tables[table].outbox.push_back(entry(board));
            room.run_for(Span::from_millis(1_900));
        }
        room.run_for(Span::from_secs(60));
    }
    let known = |room: &Room<Scorer>, table: usize| {
        let (hub, pad) = (room.hub.as_ref().unwrap(), room.tables[table].pad);
        let status = hub.pads().find(|it| it.pad == pad).unwrap();
        status.quality
    };
    let good = known(&room, 0);
    assert!(
        good.heard >= 40 && good.missed + good.repeated <= 2,
        "{good:?}"
    );
    let far = known(&room, 2);
    let sent = far.heard + far.missed;
    assert!((40..75).contains(&(far.missed * 100 / sent)), "{far:?}");
    assert!(far.repeated >= 3, "answers are lost, too: {far:?}");
}

/// A result waits on its pad while the law allows the base no more, and is received afterwards.
#[test]
fn a_base_is_on_the_air_no_more_than_the_law_allows_and_loses_nothing_by_it() {
    let mut room = room(Channel::clear(Timing::COMMON), 30, 17);
    play(&mut room, 2, "without a limit");
    let share = |room: &Room<Scorer>| room.hub.as_ref().unwrap().share(Port(0), room.now());
    let usual = share(&room);
    assert!((1..20).contains(&usual), "{usual} thousandths of an hour");
    room.hub.as_mut().unwrap().set_share(Some(usual));
    for table in 0..30 {
        room.tables[table].outbox.push_back(entry(3));
    }
    room.run_for(Span::from_secs(600));
    let waiting = room.tables.iter().filter(|it| !it.outbox.is_empty());
    assert!(waiting.count() > 20, "the base is silent");
    assert!(share(&room) <= usual + 1, "{}", share(&room));
    let held_back = |room: &Room<Scorer>| {
        let hub = room.hub.as_ref().unwrap();
        hub.held_back(Port(0), room.now())
    };
    assert!(held_back(&room) > 20, "it says so: {}", held_back(&room));
    room.hub.as_mut().unwrap().set_share(Some(100));
    room.run_for(Span::from_secs(120));
    assert!(room.tables.iter().all(|table| table.outbox.is_empty()));
    assert_eq!(room.desk.entries.len(), 90);
}
