//! The laptop is lost: a backup that is ten minutes old is opened on another one, and the pads
//! themselves bring what came after it.

use base_station::session::{Cell, Command};
use protocol::time::Span;
use protocol::words::{BoardNumber, BoardResult, RoundNumber};

use crate::world::{World, table};
use crate::{measured, number, plan};
use bench_parts::{real_result, real_rows};

const TABLES: u16 = 11;

/// Rounds of the real evening that are played here.
const ROUNDS: u8 = 4;

fn play_round(world: &mut World, round: RoundNumber, results: &[Vec<String>]) {
    for row in results
        .iter()
        .filter(|row| number::<RoundNumber>(&row[3]) == round)
    {
        let (at, board) = (number::<u16>(&row[2]), number::<BoardNumber>(&row[4]));
        world.agree(at, round, board, real_result(row));
    }
}

/// How many boards of the first rounds the base has.
fn there(world: &World, results: &[Vec<String>], rounds: u8) -> (usize, usize) {
    let wanted: Vec<Cell> = results
        .iter()
        .filter(|row| number::<u8>(&row[3]) <= rounds)
        .map(|row| Cell::new(table(number(&row[2])), number(&row[3]), number(&row[4])))
        .collect();
    let session = world.session();
    let there = wanted.iter().filter(|cell| session.is_in(**cell)).count();
    (there, wanted.len())
}

fn wait_for_all(world: &mut World, results: &[Vec<String>], rounds: u8) -> Span {
    let since = world.now();
    loop {
        let (there, wanted) = there(world, results, rounds);
        if there == wanted {
            return world.now().since(since);
        }
        let so_long = world.now().since(since);
        assert!(
            so_long < Span::from_secs(300),
            "only {there} of {wanted} came"
        );
        world.run_until(world.now() + Span::from_secs(1));
    }
}

#[test]
fn a_ten_minute_old_backup_and_the_pads_give_the_same_ranking_and_no_nonce_is_used_twice() {
    let mut world = World::open(&plan(), TABLES);
    let mut results = real_rows("club_session_results.csv");
    // Every table enters its boards in order; the one late play of that evening is a story of its own.
    results.sort_by_key(|row| (number::<u8>(&row[3]), number::<u8>(&row[4])));
    let round = |round: u8| RoundNumber::new(round).expect("a round");
    play_round(&mut world, round(1), &results);
    wait_for_all(&mut world, &results, 1);
    world.run_until(world.now() + Span::from_secs(60));
    // A plain restart first: the same disk, the same pads, new keys.
    world.start_base(None);
    play_round(&mut world, round(2), &results);
    wait_for_all(&mut world, &results, 2);
    let backup = world.backup();
    let backed_up = (world.now(), there(&world, &results, ROUNDS).0);
    play_round(&mut world, round(3), &results);
    wait_for_all(&mut world, &results, 3);
    world.run_until(backed_up.0 + Span::from_secs(600));
    let before = world.session().standings();
    let had = there(&world, &results, ROUNDS).0;

    world.start_base(Some(backup));
    assert_eq!(there(&world, &results, ROUNDS).0, backed_up.1);
    assert_ne!(world.session().standings(), before, "something is missing");
    let took = wait_for_all(&mut world, &results, 3);
    assert_eq!(
        world.session().standings(),
        before,
        "the ranking is identical"
    );
    // And the evening goes on, with every board that follows.
    play_round(&mut world, round(ROUNDS), &results);
    wait_for_all(&mut world, &results, ROUNDS);
    let corrected = Cell::new(table(1), round(1), number(&results[0][4]));
    world.rule(
        corrected,
        base_station::session::plan::Ruling::Result(BoardResult::PassedOut),
    );
    world.command(Command::SetGate { open: false });
    world.run_until(world.now() + Span::from_secs(120));

    let heard = world.heard();
    assert_eq!(heard.twice, [""; 0], "a nonce was used twice");
    assert_eq!(heard.twice_empty, [""; 0], "a nonce was used twice");
    let unread = (heard.unread, heard.unread_empty);
    assert_eq!(unread, (0, 0), "the listener knows every frame");
    assert_eq!(heard.bases, 3);
    measured(&format!(
        "laptop lost with {had} results, backup of ten minutes ago with {}: ranking identical \
         {} s after it was opened, {} frames under {} associations, no nonce twice",
        backed_up.1,
        took.as_millis() / 1000,
        heard.opened,
        heard.associations
    ));
}
