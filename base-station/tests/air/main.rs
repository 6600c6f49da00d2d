//! Virtual pads, a simulated channel at 9,600 baud and the session, all in virtual time: the real
//! evening in its order of arrival, a pad that is destroyed and replaced, a laptop that is lost.

mod lost_laptop;
mod world;

use std::collections::BTreeMap;
use std::io::Write;

use base_station::movement::Movement;
use base_station::session::plan::{Ruling, SectionPlan};
use base_station::session::{Cell, Command, PairId, TableId};
use base_station::view::{self, WarningKind};
use bench_parts::{real_movement_file, real_result, real_rows};
use protocol::time::Span;
use protocol::words::{BoardNumber, BoardResult, RoundNumber};
use world::{REPLACE, SECTION, World, table};

fn number<T: std::str::FromStr>(text: &str) -> T {
    let number = text.trim().parse().ok();
    number.unwrap_or_else(|| panic!("expected a number, not {text}"))
}

/// The real evening's movement.
fn plan() -> SectionPlan {
    let movement = Movement::from_text(&real_movement_file()).expect("a movement");
    SectionPlan::of(&movement, "red")
}

/// A figure for the report of the tests.
fn measured(figure: &str) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "measured: {figure}");
}

/// `10:13:19` as a span since midnight.
fn time_of_day(text: &str) -> Span {
    let parts: Vec<u64> = text.split(':').map(number).collect();
    Span::from_secs(parts[0] * 3600 + parts[1] * 60 + parts[2])
}

#[test]
fn the_real_evening_through_virtual_pads_gives_the_ranking_of_an_independent_program() {
    let mut world = World::open(&plan(), 11);
    let results = real_rows("club_session_results.csv");
    assert_eq!(results.len(), 297);
    let began = time_of_day(&results[0][10]);
    let is_late = |row: &[String]| {
        let (arrival, of_table, round) = (number::<u16>(&row[0]), &row[2], number::<u8>(&row[3]));
        results.iter().any(|other| {
            other[2] == *of_table
                && number::<u16>(&other[0]) < arrival
                && number::<u8>(&other[3]) > round
        })
    };
    let first = world.now() + Span::from_secs(60);
    for row in &results {
        let at = number::<u16>(&row[2]);
        let (round, board): (RoundNumber, BoardNumber) = (number(&row[3]), number(&row[4]));
        let since = time_of_day(&row[10]).as_micros() - began.as_micros();
        world.run_until(first + Span::from_micros(since));
        let cell = Cell::new(table(at), round, board);
        if is_late(row) {
            // One board was played after the next round had begun: the director enters it.
            world.rule(cell, Ruling::Result(real_result(row)));
            continue;
        }
        for late in results.iter().filter(|late| is_late(late)) {
            let place = Cell::new(table(number(&late[2])), number(&late[3]), number(&late[4]));
            if place.table_id() == table(at) && place.round < round && !world.session().is_in(place)
            {
                world.rule(place, Ruling::LatePlay);
            }
        }
        world.enter(at, round, board, real_result(row));
        let line = &world.session().lines[&Cell::new(table(at), round, board)];
        assert_eq!(line.ns.expect("a pair").number, number(&row[5]));
        assert_eq!(line.ew.expect("a pair").number, number(&row[6]));
    }
    let order: Vec<u64> = world.order_of_arrival();
    assert!(order.is_sorted(), "in the order in which they came");
    let lists = world.session().standings().lists;
    let places = lists.iter().flat_map(|list| &list.places);
    let ranked: BTreeMap<PairId, i64> = places
        .map(|place| (place.pair, place.points.ten_thousandths()))
        .collect();
    let published = real_rows("club_session_ranking.csv")
        .into_iter()
        .map(|row| {
            let pair = format!("A{}{}", row[1], row[0]).parse().expect("a pair");
            (pair, number::<i64>(&row[2]) * 10_000)
        });
    assert_eq!(ranked, published.collect());
}

#[test]
fn a_pad_destroyed_in_mid_round_is_replaced_with_every_received_result_within_ten_seconds() {
    let mut world = World::open(&plan(), 11);
    let at = 7;
    let played = |round: RoundNumber| -> Vec<BoardNumber> {
        let sitting = plan()
            .sittings
            .into_iter()
            .find(|sitting| sitting.round == round && sitting.table.get() == at);
        sitting.expect("the table plays").boards.iter().collect()
    };
    for round in (1..=8).filter_map(RoundNumber::new) {
        for board in played(round) {
            world.enter(at, round, board, BoardResult::PassedOut);
        }
    }
    let last = RoundNumber::new(9).expect("a round");
    let boards = played(last);
    world.enter(at, last, boards[0], BoardResult::PassedOut);
    // The second board is agreed, but the pad lies in a dead spot; then it falls into the tea.
    world.lose_contact(at);
    // It takes its time: the base does not ask for boards that nobody can have played yet.
    world.run_until(world.now() + Span::from_secs(90));
    world.agree(at, last, boards[1], BoardResult::PassedOut);
    assert!(!world.session().is_in(Cell::new(table(at), last, boards[1])));
    world.destroy(at);
    let received = world.session().lines.len();
    assert_eq!(received, 25);
    let took = world.replace(at, &REPLACE, received);
    measured(&format!(
        "{received} results on the new pad after {} ms at 9,600 baud",
        took.as_millis()
    ));
    assert!(
        took < Span::from_secs(10),
        "it took {} ms",
        took.as_millis()
    );

    let warnings = view::warnings(world.state(), world.presence(), world.moment());
    let told = warnings.iter().find(|warning| {
        warning.kind == WarningKind::BoardMissing && warning.table == Some(table(at))
    });
    let told = told.expect("the director is told what to ask for");
    assert!(
        told.text
            .to_string()
            .contains(&format!("board {}", boards[1])),
        "{}",
        told.text
    );
    assert!(
        told.text.to_string().contains("Ask the table"),
        "{}",
        told.text
    );
    // The players type it again, and all is well.
    for board in boards.into_iter().skip(1) {
        world.enter(at, last, board, BoardResult::PassedOut);
    }
    let here = TableId {
        section: SECTION,
        table: table(at).table,
    };
    let missing = world.session().missing(world.moment());
    assert!(missing.iter().all(|(cell, _)| cell.table_id() != here));
    world.command(Command::EndPlay);
}
