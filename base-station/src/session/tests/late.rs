//! Changing the movement in the middle: late pairs, withdrawn pairs, fewer rounds.

use std::collections::BTreeSet;

use super::*;
use crate::session::Section;

/// Every pair plays every board at most once and sits in one place a round.
fn assert_sound(section: &Section) {
    let mut seats = BTreeSet::new();
    let mut boards = BTreeSet::new();
    for sitting in section
        .sittings
        .values()
        .filter(|sitting| sitting.is_played())
    {
        for (side, pair) in [("NS", sitting.ns), ("EW", sitting.ew)] {
            let side = if section.one_winner { "" } else { side };
            assert!(
                seats.insert((sitting.round, side, pair)),
                "{pair:?}{side} sits twice in round {}",
                sitting.round
            );
            for board in sitting.boards.iter() {
                assert!(
                    boards.insert((side, pair, board)),
                    "{pair:?}{side} plays {board} twice"
                );
            }
        }
    }
}

fn rounds_of(section: &Section, pair: u16, east_west_only: bool) -> Vec<u8> {
    let wanted = Some(pair_number(pair));
    let mut rounds: Vec<u8> = section
        .sittings
        .values()
        .filter(|it| it.is_played() && (it.ew == wanted || !east_west_only && it.ns == wanted))
        .map(|sitting| sitting.round.get())
        .collect();
    rounds.sort_unstable();
    rounds
}

#[test]
fn a_late_pair_joins_a_full_ten_table_mitchell_after_round_one() {
    for boards in [24, 26, 27, 30] {
        joins_mitchell(boards);
    }
}

fn joins_mitchell(boards: u8) {
    let mut room = Room::playing(Kind::Mitchell, 10, boards);
    let mut pads: Vec<PadAtTable> = (1..=10).map(|n| room.log_on(n.into(), n)).collect();
    for (pad, table) in pads.iter_mut().zip(1..) {
        let first = room.session().expected(table_a(table), round(1))[0]
            .board
            .get();
        assert!(is_received(&pad.enters(&mut room, 1, first, "3NT N =")));
    }
    let lines = room.session().lines.clone();
    let before = room.session().sections[&SectionLetter::A].clone();
    room.mail.clear();
    room.direct(Command::SeatLatePair {
        section: SectionLetter::A,
        from: round(2),
        pair: pair_number(11),
    });
    let after = &room.session().sections[&SectionLetter::A];
    assert_sound(after);
    let last = before.last_round().get();
    let rounds = rounds_of(after, 11, true);
    assert_eq!(
        rounds,
        (2..=last).collect::<Vec<u8>>(),
        "of {boards} boards"
    );
    assert_eq!(
        room.session().lines,
        lines,
        "nothing already played has changed"
    );
    for ((table, in_round), sitting) in &before.sittings {
        if in_round.get() == 1 {
            assert_eq!(after.sittings.get(&(*table, *in_round)), Some(sitting));
        }
    }
    for pad in &pads {
        let schedules = room
            .mail
            .iter()
            .filter(|(to, down)| *to == pad.pad && matches!(down, Down::Schedule { .. }));
        assert!(
            schedules.count() >= 1,
            "every pad hears of the new schedule"
        );
        assert!(
            !room
                .mail
                .iter()
                .any(|(to, down)| *to == pad.pad && matches!(down, Down::Welcome(_))),
            "no pad goes back to the start"
        );
    }
}

#[test]
fn a_late_pair_joins_a_full_six_table_howell_after_round_one() {
    let mut room = Room::playing(Kind::Howell, 6, 27);
    let section = room.session().sections[&SectionLetter::A].clone();
    assert!(section.one_winner);
    room.direct(Command::SeatLatePair {
        section: SectionLetter::A,
        from: round(2),
        pair: pair_number(13),
    });
    let after = &room.session().sections[&SectionLetter::A];
    assert_sound(after);
    assert_eq!(
        rounds_of(after, 13, false),
        (2..=after.last_round().get()).collect::<Vec<u8>>()
    );
}

#[test]
fn a_late_pair_takes_the_phantoms_place() {
    for (kind, tables, boards, phantom) in [(Kind::Howell, 6, 27, 12), (Kind::Mitchell, 10, 27, 10)]
    {
        let mut room = Room::playing(kind, tables, boards);
        let one_winner = room.session().sections[&SectionLetter::A].one_winner;
        let full = room.session().sections[&SectionLetter::A].clone();
        let missing = if one_winner {
            format!("A{phantom}")
        } else {
            format!("A{phantom}EW")
        };
        room.direct(Command::WithdrawPair {
            pair: missing.parse().expect("a pair"),
            from: round(1),
            why: "did not come".to_owned(),
        });
        let mut pad = room.log_on(1, 1);
        let expected = room.session().expected(table_a(1), round(1));
        if let Some(first) = expected.first() {
            assert!(is_received(&pad.enters(
                &mut room,
                1,
                first.board.get(),
                "3NT N ="
            )));
        }
        room.direct(Command::SeatLatePair {
            section: SectionLetter::A,
            from: round(2),
            pair: pair_number(phantom),
        });
        let after = &room.session().sections[&SectionLetter::A];
        assert_sound(after);
        let from_two = |section: &Section| {
            let later = section.sittings.iter().filter(|((_, it), _)| it.get() >= 2);
            later
                .map(|(key, it)| (*key, it.clone()))
                .collect::<Vec<_>>()
        };
        assert_eq!(
            from_two(after),
            from_two(&full),
            "as if they had been there all along"
        );
    }
}

#[test]
fn a_number_that_is_taken_is_refused() {
    let mut room = Room::playing(Kind::Mitchell, 10, 27);
    let sentence = room.refused(Command::SeatLatePair {
        section: SectionLetter::A,
        from: round(2),
        pair: pair_number(10),
    });
    assert_eq!(
        sentence,
        "there is already a pair 10: give the late pair another number"
    );
}

#[test]
fn rounds_that_have_begun_are_not_cut() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    let mut pad = room.log_on(1, 1);
    pad.enters(&mut room, 1, 1, "4S N =");
    pad.enters(&mut room, 2, 6, "4S N =");
    let cut = |last| Command::CutShort {
        section: SectionLetter::A,
        last: round(last),
        why: "late".to_owned(),
    };
    assert!(room.refused(cut(1)).ends_with("that round has begun"));
    assert!(room.refused(cut(5)).contains("anyway"));
    room.direct(cut(4));
    let section = &room.session().sections[&SectionLetter::A];
    assert_eq!(section.last_round(), round(4));
}

#[test]
fn a_change_of_movement_is_shown_before_it_is_made() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    let seq = room.keeper.state().seq;
    let withdraw = Command::WithdrawPair {
        pair: "A3EW".parse().expect("a pair"),
        from: round(2),
        why: "ill".to_owned(),
    };
    let preview = room
        .keeper
        .state()
        .preview(&withdraw, room.now)
        .expect("a preview");
    assert_eq!(preview.changes.len(), 4, "one table in each of four rounds");
    assert!(preview.changes.iter().all(|change| {
        let ew = |sitting: &Option<crate::session::plan::Sitting>| {
            sitting.as_ref().and_then(|sitting| sitting.ew)
        };
        ew(&change.before) == Some(pair_number(3)) && ew(&change.after).is_none()
    }));
    assert_eq!(preview.warnings, Vec::<String>::new());
    assert_eq!(room.keeper.state().seq, seq, "nothing has happened");

    // Round 2 played again as round 3: everybody would meet the same boards twice.
    let section = &room.session().sections[&SectionLetter::A];
    let again = section
        .sittings
        .values()
        .filter(|sitting| sitting.round == round(2));
    let sittings = again.map(|sitting| crate::session::plan::Sitting {
        round: round(3),
        ..sitting.clone()
    });
    let stuck = Command::ChangeMovement {
        section: SectionLetter::A,
        from: round(3),
        movement: "stuck".to_owned(),
        sittings: sittings.collect(),
        why: String::new(),
    };
    let preview = room
        .keeper
        .state()
        .preview(&stuck, room.now)
        .expect("a preview");
    assert_eq!(preview.warnings.len(), 50, "ten pairs, five boards");
    assert!(preview.warnings[0].ends_with("in rounds 2 and 3"));
    assert!(
        room.keeper
            .state()
            .preview(&Command::EndPlay, room.now)
            .is_err()
    );
    room.later(1);
}
