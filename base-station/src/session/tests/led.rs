//! Rounds that are drawn elsewhere, over all rooms of a congress.

use super::*;
use crate::movement::BoardSet;
use crate::session::LedRound;
use crate::session::plan::{Partner, Sitting};

/// A round of two tables, with boards of its own.
fn led(of: u8, version: u32, pairs: [(u16, u16); 2]) -> Command {
    let boards = BoardSet::new(vec![board(2 * of - 1), board(2 * of)]);
    let sittings = (1..).zip(pairs).map(|(table, (ns, ew))| Sitting {
        round: round(of),
        table: table_number(table),
        ns: Some(pair_number(ns)),
        ew: Some(pair_number(ew)),
        boards: boards.clone(),
        arrow_switched: false,
    });
    let named = |pair: u16| {
        (
            pair_number(pair),
            [format!("North {pair}"), format!("South {pair}")],
        )
    };
    Command::TakeRound(LedRound {
        section: SectionLetter::A,
        round: round(of),
        rounds_total: round(3),
        version,
        sittings: sittings.collect(),
        players: pairs
            .into_iter()
            .flat_map(|(ns, ew)| [ns, ew])
            .map(named)
            .collect(),
    })
}

fn open() -> Room {
    let mut room = Room::new();
    room.direct(led(1, 1, [(1, 2), (13, 14)]));
    room.direct(PIN);
    room.direct(Command::Open);
    room
}

/// The name of a pair's first player.
fn first_of(room: &Room, pair: &str) -> String {
    let (state, pair) = (room.keeper.state(), pair.parse().expect("a pair"));
    let roster = &room.session().roster;
    roster.name(&state.club, pair, Partner::First, round(1))
}

fn waits_for(downs: &[Down]) -> Option<(u8, u8)> {
    downs.iter().find_map(|down| match down {
        Down::NotDrawn { from, rounds_total } => Some((from.get(), rounds_total.get())),
        _ => None,
    })
}

#[test]
fn pads_wait_for_each_round_and_get_it_when_it_is_taken() {
    let mut room = open();
    let downs = room.says(pad_id(7), None, Up::LogOn(claim(1)));
    assert_eq!(waits_for(&downs), Some((2, 3)));
    let mut pad = PadAtTable::welcomed(pad_id(7), &downs);
    for board in [1, 2] {
        assert!(is_received(&pad.enters(&mut room, 1, board, "3NT S =")));
    }
    room.mail.clear();
    room.direct(led(2, 1, [(1, 14), (5, 2)]));
    let mail: Vec<Down> = room.mail.drain(..).map(|it| it.1).collect();
    assert_eq!(waits_for(&mail), Some((3, 3)));
    assert!(is_received(&pad.enters(&mut room, 2, 3, "3NT S =")));
    let line = room.line(cell(1, 2, 3));
    let pairs = [line.ns, line.ew].map(|it| it.expect("a pair").to_string());
    assert_eq!(pairs, ["A1", "A14"]);
    room.mail.clear();
    room.direct(led(3, 1, [(1, 5), (2, 13)]));
    let mail: Vec<Down> = room.mail.drain(..).map(|it| it.1).collect();
    assert_eq!(waits_for(&mail), None, "no round is left to be drawn");
}

#[test]
fn a_round_is_drawn_again_until_somebody_has_played_it() {
    let mut room = open();
    let mut pad = room.log_on(7, 1);
    room.direct(led(1, 2, [(13, 14), (1, 2)]));
    assert!(is_received(&pad.enters(&mut room, 1, 1, "3NT S =")));
    let line = room.line(cell(1, 1, 1));
    assert_eq!(line.ns.expect("a pair").to_string(), "A13");
    let refused = room.refused(led(1, 3, [(1, 2), (13, 14)]));
    assert!(refused.contains("round 1 has results"), "{refused}");
    // What is the same at the tables that have played may be taken.
    room.direct(led(1, 3, [(13, 14), (2, 1)]));
}

#[test]
fn names_are_taken_where_nobody_has_named_a_player() {
    let mut room = open();
    assert_eq!(first_of(&room, "A13"), "North 13");
    room.direct(Command::NamePlayer {
        pair: "A13".parse().expect("a pair"),
        partner: Partner::First,
        number: None,
        name: "Nora Nash".to_owned(),
        from: round(1),
        digits: 0,
    });
    room.direct(led(2, 1, [(13, 1), (2, 14)]));
    assert_eq!(first_of(&room, "A13"), "Nora Nash");
    assert_eq!(first_of(&room, "A2"), "North 2");
}

#[test]
fn a_section_that_the_director_has_set_up_is_not_taken_and_a_taken_round_is_not_undone() {
    let mut room = Room::playing(Kind::Mitchell, 4, 8);
    let refused = room.refused(led(1, 1, [(1, 2), (3, 4)]));
    assert!(refused.contains("section A is set up already"), "{refused}");
    let mut room = open();
    room.direct(led(2, 1, [(1, 14), (13, 2)]));
    let records = room.session().records.iter();
    let revised =
        records.filter(|it| matches!(it.event, crate::session::Event::MovementRevised { .. }));
    let change = revised.last().expect("a revision").seq;
    let why = "I would rather not".to_owned();
    room.refused(Command::Undo { change, why });
}
