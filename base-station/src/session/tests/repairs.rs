//! Mistakes in the room, and pairs that go: each repair through the session, and back again.

use super::*;
use crate::movement::change::RelayMistake;
use crate::movement::{Movement, Variant};
use crate::session::{Repair, Section};

/// A room that plays this Mitchell, with a pad at every table.
fn mitchell(tables: u16, boards: u8, variant: Option<Variant>) -> (Room, Vec<PadAtTable>) {
    let mut room = Room::new();
    let setup = Setup {
        variant,
        ..Setup::new(table_number(tables), board(boards))
    };
    let movement = generate(Kind::Mitchell, setup).expect("the movement exists");
    room.direct(Command::PlanSection {
        section: SectionLetter::A,
        plan: SectionPlan::of(&movement, "red"),
    });
    room.direct(PIN);
    room.direct(Command::Open);
    let pads = (1..=tables)
        .map(|number| room.log_on(number.into(), number))
        .collect();
    (room, pads)
}

fn section(room: &Room) -> &Section {
    &room.session().sections[&SectionLetter::A]
}

fn revise(repair: Repair) -> Command {
    Command::ReviseMovement {
        section: SectionLetter::A,
        repair,
        why: "it happened".to_owned(),
    }
}

/// Every table enters the first board of a round.
fn play(room: &mut Room, pads: &mut [PadAtTable], in_round: u8) {
    for (pad, table) in pads.iter_mut().zip(1..) {
        let expected = room.session().expected(table_a(table), round(in_round));
        let Some(first) = expected.first() else {
            continue;
        };
        let downs = pad.enters(room, in_round, first.board.get(), "3NT N =");
        assert!(is_received(&downs), "table {table}: {downs:?}");
    }
}

/// Makes the change, sees that every pad hears of it and none starts again, and that taking it
/// back gives the same sheets and lines as before. Then makes it again.
fn make(room: &mut Room, pads: &[PadAtTable], repair: Repair) {
    let (sections, lines) = (
        room.session().sections.clone(),
        room.session().lines.clone(),
    );
    room.mail.clear();
    let change = room.direct(revise(repair));
    for pad in pads {
        let mut mail = room.mail.iter().filter(|(to, _)| *to == pad.pad);
        assert!(mail.any(|(_, down)| matches!(down, Down::Schedule { .. })));
    }
    let again = |(_, down): &(PadId, Down)| matches!(down, Down::Welcome(_));
    assert!(
        !room.mail.iter().any(again),
        "no pad goes back to the start"
    );
    room.direct(Command::Undo {
        change,
        why: String::new(),
    });
    assert_eq!(room.session().sections, sections);
    assert_eq!(room.session().lines, lines);
    room.direct(revise(repair));
}

fn sound(room: &Room) -> Movement {
    let movement = section(room).as_movement();
    let twice = movement
        .faults()
        .into_iter()
        .find(|fault| !matches!(fault, crate::movement::Fault::TooManySharing { .. }));
    assert_eq!(twice, None);
    movement
}

#[test]
fn two_late_pairs_get_a_table_of_their_own() {
    let (mut room, mut pads) = mitchell(9, 27, None);
    play(&mut room, &mut pads, 1);
    let lines = room.session().lines.clone();
    make(&mut room, &pads, Repair::LateTable { from: None });
    assert_eq!(room.session().lines, lines);
    let movement = sound(&room);
    assert_eq!((movement.table_count(), movement.pairs().len()), (10, 20));
    assert!(room.session().expected(table_a(10), round(1)).is_empty());
    assert!(!room.session().expected(table_a(10), round(2)).is_empty());
}

#[test]
fn the_pairs_of_a_table_go_home_and_nobody_else_moves() {
    let (mut room, mut pads) = mitchell(9, 27, None);
    play(&mut room, &mut pads, 1);
    let lines = room.session().lines.clone();
    let table = table_number(3);
    make(&mut room, &pads, Repair::TableLeaves { table, from: None });
    assert_eq!(room.session().lines, lines);
    sound(&room);
    for number in 2..=9 {
        let here = section(&room).sittings.get(&(table, round(number)));
        assert_eq!(here.and_then(|sitting| sitting.ns), None);
        let everywhere = section(&room).sittings.values();
        let mut later = everywhere.filter(|sitting| sitting.round == round(number));
        assert!(later.all(|sitting| sitting.ew != Some(pair_number(3))));
    }
    assert_eq!(room.session().missing(room.now), []);
}

#[test]
fn a_bye_stand_one_table_out_is_put_right_and_what_was_played_counts() {
    for mistake in [RelayMistake::TooLow, RelayMistake::TooHigh] {
        let (mut room, mut pads) = mitchell(8, 24, Some(Variant::Share));
        let really = section(&room).as_movement().with_relay_put_right(mistake);
        let really = really.expect("a share-and-relay").movement;
        // Four rounds as they really were: one table has boards that are not on its sheet.
        for (number, planned) in really.numbered_rounds().take(4) {
            for (table, seating) in planned.tables() {
                let pad = &mut pads[usize::from(table.get()) - 1];
                let first = seating.boards.lowest().expect("every table plays");
                let cell = cell(table.get(), number.get(), first.get());
                if !room
                    .session()
                    .expected(cell.table_id(), number)
                    .contains(&cell)
                {
                    room.direct(Command::AllowBoard { cell });
                }
                let downs = pad.enters(&mut room, number.get(), first.get(), "3NT N =");
                assert!(is_received(&downs), "{cell}: {downs:?}");
            }
        }
        let before = room.session().lines.len();
        make(&mut room, &pads, Repair::ByeStandOut { mistake });
        assert_eq!(room.session().lines.len(), before);
        sound(&room);
        for (cell, _) in &room.session().lines {
            let sheet = room.session().sitting(cell.table_id(), cell.round);
            assert!(
                sheet.is_some_and(|sheet| sheet.boards.contains(cell.board)),
                "{cell}"
            );
        }
    }
}

#[test]
fn a_skip_made_a_round_early_books_results_for_the_pairs_that_played() {
    let (mut room, mut pads) = mitchell(8, 24, Some(Variant::Skip));
    for number in 1..=3 {
        play(&mut room, &mut pads, number);
    }
    // East-West have skipped after round 3 instead of 4, and round 4 has begun.
    play(&mut room, &mut pads, 4);
    make(&mut room, &pads, Repair::SkipMade { after: round(3) });
    sound(&room);
    let of_round = |number| {
        let lines = room.session().lines.iter();
        lines.filter(move |(cell, _)| cell.round == round(number))
    };
    for (cell, line) in of_round(3) {
        let began = (cell.table.get() + 8 - 2 - 1) % 8 + 1;
        assert_eq!(line.ew.map(|pair| pair.number), Some(pair_number(began)));
    }
    for (cell, line) in of_round(4) {
        let began = (cell.table.get() + 8 - 4 - 1) % 8 + 1;
        assert_eq!(
            line.ew.map(|pair| pair.number),
            Some(pair_number(began)),
            "{cell}"
        );
    }
}

#[test]
fn a_skip_that_was_forgotten_costs_the_round_in_which_it_shows() {
    let (mut room, mut pads) = mitchell(8, 24, Some(Variant::Skip));
    for number in 1..=5 {
        play(&mut room, &mut pads, number);
    }
    let repair = Repair::SkipMade { after: round(5) };
    let preview = room.keeper.state().preview(&revise(repair), room.now);
    let preview = preview.expect("a preview");
    assert_eq!(preview.not_played.len(), 8, "one board at each table");
    assert!(
        preview
            .sentences
            .iter()
            .any(|it| it.to_string().contains("does not count"))
    );
    make(&mut room, &pads, repair);
    sound(&room);
    let not_played = Ruling::Result(BoardResult::NotPlayed);
    for (cell, line) in &room.session().lines {
        assert_eq!(line.ruling == not_played, cell.round == round(5), "{cell}");
    }
    let repair = Repair::SkipMade { after: round(4) };
    assert!(
        room.refused(revise(repair))
            .contains("the skip belongs after round 4")
    );
}

#[test]
fn the_room_goes_home_two_rounds_early() {
    let (mut room, mut pads) = mitchell(9, 27, None);
    play(&mut room, &mut pads, 1);
    make(&mut room, &pads, Repair::CutShort { last: round(7) });
    assert_eq!(section(&room).last_round(), round(7));
    let sent = room.mail.iter().rev().find_map(|(_, down)| match down {
        Down::Schedule { rounds_total, .. } => Some(*rounds_total),
        _ => None,
    });
    assert_eq!(sent, Some(round(7)));
}
