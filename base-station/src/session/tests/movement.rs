//! Changing the movement in the middle: late pairs, pairs that leave, and what is shown before.

use std::collections::BTreeSet;

use super::*;
use crate::movement::change::Manner;
use crate::session::{Repair, Section};

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
    for boards in [24, 26, 27] {
        joins_mitchell(boards);
    }
}

fn joins_mitchell(boards: u8) {
    let mut room = Room::playing(Kind::Mitchell, 10, boards);
    let mut pads: Vec<PadAtTable> = (1..=10).map(|n| room.log_on(n.into(), n)).collect();
    play_round_one(&mut room, &mut pads);
    let lines = room.session().lines.clone();
    let before = room.session().sections[&SectionLetter::A].clone();
    room.mail.clear();
    room.direct(revise(late_pair(None)));
    let after = room.session().sections[&SectionLetter::A].clone();
    assert_sound(&after);
    assert_eq!(after.tables().count(), 11, "of {boards} boards");
    let rounds = rounds_of(&after, 11, true);
    assert_eq!(rounds.first(), Some(&2), "of {boards} boards");
    // East-West 11 plays every round but the one in which it is back at its own table.
    let last = after.last_round().get();
    assert!(
        rounds.len() >= usize::from(last) - 2,
        "{rounds:?} of {last}"
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
    every_pad_hears(&room, &pads);
    let new = room.log_on(11, 11);
    assert_eq!(
        new.welcome.round,
        round(2),
        "the new table begins with round 2"
    );
    let mut pad = pads.swap_remove(0);
    let second = room.session().expected(table_a(1), round(2))[0].board.get();
    assert!(is_received(&pad.enters(&mut room, 2, second, "2H E =")));
    let line = room.line(cell(1, 2, second));
    assert_eq!(line.ew.map(|pair| pair.number), Some(pair_number(11)));
}

/// Every table plays its first board.
fn play_round_one(room: &mut Room, pads: &mut [PadAtTable]) {
    for (pad, table) in pads.iter_mut().zip(1..) {
        let expected = room.session().expected(table_a(table), round(1));
        let Some(first) = expected.first() else {
            continue;
        };
        let downs = pad.enters(room, 1, first.board.get(), "3NT N =");
        assert!(is_received(&downs));
    }
}

fn every_pad_hears(room: &Room, pads: &[PadAtTable]) {
    for pad in pads {
        let told = |wanted: fn(&Down) -> bool| {
            let mut mail = room.mail.iter();
            mail.any(|(to, down)| *to == pad.pad && wanted(down))
        };
        assert!(
            told(|down| matches!(down, Down::Schedule { .. })),
            "every pad hears of the new schedule"
        );
        assert!(
            !told(|down| matches!(down, Down::Welcome(_))),
            "no pad goes back to the start"
        );
    }
}

fn revise(repair: Repair) -> Command {
    Command::ReviseMovement {
        section: SectionLetter::A,
        repair,
        why: "it happened".to_owned(),
    }
}

const fn late_pair(manner: Option<Manner>) -> Repair {
    Repair::LatePair { from: None, manner }
}

#[test]
fn a_late_pair_joins_a_full_six_table_howell_after_round_one() {
    let mut room = Room::playing(Kind::Howell, 6, 27);
    let mut pads: Vec<PadAtTable> = (1..=6).map(|n| room.log_on(n.into(), n)).collect();
    room.direct(Command::NamePlayer {
        pair: "A2".parse().expect("a pair"),
        partner: crate::session::plan::Partner::First,
        number: None,
        name: "Ruth".to_owned(),
        from: round(1),
        digits: 0,
    });
    play_round_one(&mut room, &mut pads);
    let before = room.session().clone();
    room.mail.clear();
    let change = room.direct(revise(late_pair(None)));
    let section = room.session().sections[&SectionLetter::A].clone();
    assert_sound(&section);
    // The manual's rule: the newcomer takes over pair 2's card, the old pair 2 is pair 13.
    let last = section.last_round().get();
    assert_eq!(rounds_of(&section, 2, false).first(), Some(&2));
    assert_eq!(
        rounds_of(&section, 13, false),
        (1..=last).collect::<Vec<u8>>()
    );
    assert_eq!(room.session().lines.len(), before.lines.len());
    for (cell, line) in &before.lines {
        let now = room.line(*cell);
        assert_eq!((&now.ruling, now.entry), (&line.ruling, line.entry));
        let renumbered = |pair: Option<PairId>| {
            pair.map(|pair| match pair.number.get() {
                2 => PairId {
                    number: pair_number(13),
                    ..pair
                },
                _ => pair,
            })
        };
        assert_eq!((now.ns, now.ew), (renumbered(line.ns), renumbered(line.ew)));
    }
    let club = &room.keeper.state().club;
    let name = |pair: &str| {
        let pair = pair.parse().expect("a pair");
        let roster = &room.session().roster;
        roster.name(club, pair, crate::session::plan::Partner::First, round(1))
    };
    assert_eq!(
        (name("A13"), name("A2")),
        ("Ruth".to_owned(), String::new())
    );
    every_pad_hears(&room, &pads);
    room.direct(Command::Undo {
        change,
        why: "they went home again".to_owned(),
    });
    assert_eq!(room.session().sections, before.sections);
    assert_eq!(room.session().lines, before.lines);
    assert_eq!(room.session().roster, before.roster);
}

#[test]
fn a_late_pair_is_a_guest_where_no_table_can_be_added() {
    // Tables 1 and 10 share boards in round 1, so that no larger Mitchell begins like this.
    let mut room = Room::playing(Kind::Mitchell, 10, 30);
    let mut pads: Vec<PadAtTable> = (1..=10).map(|n| room.log_on(n.into(), n)).collect();
    play_round_one(&mut room, &mut pads);
    let last = room.session().sections[&SectionLetter::A].last_round();
    let preview = room
        .keeper
        .state()
        .preview(&revise(late_pair(Some(Manner::Guest))), room.now)
        .expect("a preview");
    assert_eq!(preview.rounds_before, preview.rounds_after);
    assert!(
        preview
            .sentences
            .iter()
            .any(|it| it.to_string().starts_with("Pair EW 11:"))
    );
    room.direct(revise(late_pair(None)));
    let after = &room.session().sections[&SectionLetter::A];
    assert_sound(after);
    assert_eq!((after.tables().count(), after.last_round()), (10, last));
    assert_eq!(
        rounds_of(after, 11, true),
        (2..=last.get()).collect::<Vec<u8>>()
    );
    let offered = room.session().repairs(SectionLetter::A);
    let howell = offered
        .iter()
        .find(|choice| choice.repair == late_pair(Some(Manner::TakesOverACard)));
    let howell = howell.expect("every manner is listed");
    assert!(!howell.possible && howell.sentence.to_string().contains("Howell"));
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
        room.direct(revise(Repair::PairLeaves {
            pair: missing.parse().expect("a pair"),
            from: None,
        }));
        let mut pads: Vec<PadAtTable> = (1..=tables)
            .map(|number| room.log_on(number.into(), number))
            .collect();
        play_round_one(&mut room, &mut pads);
        room.direct(revise(late_pair(None)));
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
fn rounds_that_have_begun_are_not_changed() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    let mut pad = room.log_on(1, 1);
    pad.enters(&mut room, 1, 1, "4S N =");
    pad.enters(&mut room, 2, 6, "4S N =");
    let cut = |last| revise(Repair::CutShort { last: round(last) });
    assert!(room.refused(cut(1)).ends_with("that round has begun"));
    assert!(room.refused(cut(5)).contains("anyway"));
    let leaves = |from| {
        revise(Repair::PairLeaves {
            pair: "A1NS".parse().expect("a pair"),
            from: Some(round(from)),
        })
    };
    assert!(room.refused(leaves(2)).ends_with("that round has begun"));
    room.direct(leaves(3));
    room.direct(cut(4));
    let section = &room.session().sections[&SectionLetter::A];
    assert_eq!(section.last_round(), round(4));
}

#[test]
fn a_change_of_movement_is_shown_before_it_is_made() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    let seq = room.keeper.state().seq;
    let withdraw = revise(Repair::PairLeaves {
        pair: "A3EW".parse().expect("a pair"),
        from: Some(round(2)),
    });
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
    assert!(preview.warnings.is_empty(), "{:?}", preview.warnings);
    assert_eq!(preview.what, "Pair EW 3 leaves after round 1.");
    assert_eq!(
        preview.sentences,
        [
            "Pair EW 3: round 2: no seat (before: table 4 EW), round 3: no seat (before: table 5 EW), \
             round 4: no seat (before: table 1 EW), round 5: no seat (before: table 2 EW)."
        ]
    );
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
        instructions: Vec::new(),
        why: String::new(),
    };
    let preview = room
        .keeper
        .state()
        .preview(&stuck, room.now)
        .expect("a preview");
    assert_eq!(preview.warnings.len(), 50, "ten pairs, five boards");
    assert!(
        preview.warnings[0]
            .to_string()
            .ends_with("in rounds 2 and 3")
    );
    assert!(
        room.keeper
            .state()
            .preview(&Command::EndPlay, room.now)
            .is_err()
    );
    room.later(1);
}
