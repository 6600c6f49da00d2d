//! Pads' lives: log-on, table in use, replaced, silent, moved, swapped, remembered.

use super::*;
use crate::session::{Event, Fate, SILENT_AFTER_MS, Standing};

#[test]
fn a_table_that_is_logged_on_refuses_a_second_pad() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    room.log_on(1, 3);
    let refused = room.says(pad_id(2), None, Up::LogOn(claim(3)));
    assert_eq!(reason(&refused), Some(RefusalReason::TableInUse));
    let nowhere = room.says(pad_id(2), None, Up::LogOn(claim(6)));
    assert_eq!(reason(&nowhere), Some(RefusalReason::NoSuchTable));
    let mut other_section = claim(1);
    other_section.section = SectionLetter::new('C').expect("C");
    let nowhere = room.says(pad_id(2), None, Up::LogOn(other_section));
    assert_eq!(reason(&nowhere), Some(RefusalReason::NoSuchSection));
}

#[test]
fn an_entry_sent_a_thousand_times_is_the_same_as_once() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    let mut pad = room.log_on(1, 1);
    let entry = pad.agree(1, 1, played("4S N ="));
    assert!(is_received(&pad.says(&mut room, Up::Entry(entry))));
    let seq = room.keeper.state().seq;
    for _ in 0..1000 {
        assert!(is_received(&pad.says(&mut room, Up::Entry(entry))));
    }
    assert_eq!(room.keeper.state().seq, seq, "nothing more was written");
}

#[test]
fn a_pad_that_dies_mid_round_is_replaced_and_keeps_every_score() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    let mut old = room.log_on(1, 2);
    old.enters(&mut room, 1, 6, "4S N =");
    old.enters(&mut room, 1, 7, "3NT E -1");
    // Agreed on the old pad and never sent.
    let unsent = old.agree(1, 8, played("2H S +1"));

    let (mut new, downs) = room.replace(9, 2);
    assert!(new.epoch() > old.epoch());
    let recorded: Vec<(u8, Option<protocol::words::Outcome>)> = downs
        .iter()
        .filter_map(|down| match down {
            Down::History(lines) => Some(lines),
            _ => None,
        })
        .flatten()
        .map(|line| (line.board.get(), line.result))
        .collect();
    let line = |text| Some(protocol::words::Outcome::Result(played(text)));
    assert_eq!(recorded, [(6, line("4S N =")), (7, line("3NT E -1"))]);
    assert_eq!(usize::from(new.welcome.recorded), 2);
    assert!(room.mail.contains(&(old.pad, Down::Replaced)));

    // The table enters board 8 again on the new pad, a little differently.
    new.enters(&mut room, 1, 8, "2H S =");
    // The dead pad wakes up: it changes nothing, and is told.
    let answer = old.says(&mut room, Up::Entry(unsent));
    assert_eq!(reason(&answer), Some(RefusalReason::Replaced));
    assert!(answer.contains(&Down::Replaced));
    assert!(is_received(&old.says(&mut room, Up::Held(unsent))));
    assert_eq!(room.line(cell(2, 1, 8)).result(), Some(played("2H S =")));

    // The director is offered it once, and uses it.
    let waiting: Vec<Seq> = room.session().kept.keys().copied().collect();
    assert_eq!(waiting.len(), 1);
    room.direct(Command::UseKept { kept: waiting[0] });
    assert_eq!(room.line(cell(2, 1, 8)).result(), Some(played("2H S +1")));
    assert_eq!(room.session().kept[&waiting[0]].fate, Fate::Used);
    let told = room.mail.iter().any(|(pad, down)| {
        *pad == new.pad && matches!(down, Down::Recorded(line) if line.board == board(8))
    });
    assert!(told, "the table's pad shows what counts now");
}

#[test]
fn what_a_destroyed_pad_had_not_sent_is_named_to_the_director() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    let mut old = room.log_on(1, 2);
    old.enters(&mut room, 1, 6, "4S N =");
    room.replace(9, 2);
    room.direct(Command::EndRound {
        section: SectionLetter::A,
        table: Some(table_a(2)),
        round: round(1),
    });
    let missing: Vec<String> = room
        .session()
        .missing(room.now)
        .into_iter()
        .map(|(cell, _)| cell.to_string())
        .collect();
    let expected = [7, 8, 9, 10].map(|board| format!("table A2 round 1 board {board}"));
    assert_eq!(missing, expected);
    assert_eq!(room.session().advise_replacing(room.now), [table_a(2)]);
}

#[test]
fn point_15_an_entry_that_nobody_can_place_is_refused_for_good_with_its_number() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    let mut pad = room.log_on(1, 1);
    let refused = |number| Down::Refused {
        number: Some(EntryNumber(number)),
        reason: RefusalReason::NotAllowed,
    };
    // A pad that says for no table at all.
    let entry = pad.agree(1, 1, played("4S N ="));
    for message in [Up::Entry(entry), Up::Held(entry)] {
        let downs = room.says(pad_id(7), None, message);
        assert_eq!(downs, [refused(entry.number.0)]);
    }
    // The last number is taken; what can't be told from it is not called received.
    let numbered = |number| Entry {
        number: EntryNumber(number),
        ..entry
    };
    assert!(is_received(
        &pad.says(&mut room, Up::Entry(numbered(65_534)))
    ));
    for number in [65_535, 0] {
        let downs = pad.says(&mut room, Up::Entry(numbered(number)));
        assert_eq!(downs, [refused(number)]);
        let downs = pad.says(&mut room, Up::Held(numbered(number)));
        assert_eq!(downs, [refused(number)]);
    }
}

#[test]
fn point_15_recover_restores_only_a_game_that_the_pad_had() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    room.log_on(1, 1);
    let not_allowed = Some(RefusalReason::NotAllowed);
    let downs = room.says(pad_id(2), None, Up::Recover(claim(2)));
    assert_eq!(reason(&downs), not_allowed, "it never was at that table");
    let downs = room.says(pad_id(1), None, Up::Recover(claim(2)));
    assert_eq!(reason(&downs), not_allowed, "its own is another");
    let downs = room.says(pad_id(2), None, Up::Recover(claim(1)));
    assert_eq!(reason(&downs), Some(RefusalReason::TableInUse));
    let downs = room.says(pad_id(1), None, Up::Recover(claim(1)));
    PadAtTable::welcomed(pad_id(1), &downs);
}

#[test]
fn point_15_a_traveller_with_one_result_has_no_percentage() {
    use protocol::message::{Feedback, FeedbackLevel, Question, Settings};
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    room.direct(Command::ChangeSettings(Settings {
        feedback: FeedbackLevel::Traveller,
        ..room.session().settings
    }));
    let percentages = |room: &mut Room, pad: &PadAtTable| -> Vec<Option<u16>> {
        let downs = pad.says(room, Up::Ask(Question::Traveller(board(1))));
        let [Down::Feedback(Feedback::Traveller { lines, .. })] = &downs[..] else {
            panic!("a traveller expected: {downs:?}");
        };
        let percentage = |line: &protocol::message::TravellerLine| {
            line.ns_percentage.map(protocol::words::Percentage::get)
        };
        lines.iter().map(percentage).collect()
    };
    let mut first = room.log_on(1, 1);
    first.enters(&mut room, 1, 1, "4S N =");
    assert_eq!(percentages(&mut room, &first), [None]);
    // Nor where another board has more results, whose top this one is brought to.
    for (table, in_round) in [(1, 1), (5, 2)] {
        room.direct(Command::Rule {
            cell: cell(table, in_round, 2),
            ruling: ruling("3S N ="),
            why: String::new(),
        });
    }
    assert_eq!(percentages(&mut room, &first), [None]);
    room.direct(Command::Rule {
        cell: cell(2, 5, 1),
        ruling: Ruling::Result(played("4S N -1")),
        why: String::new(),
    });
    assert_eq!(percentages(&mut room, &first), [Some(10_000), Some(0)]);
}

#[test]
fn a_pads_ranking_names_each_pair_once_with_a_figure_that_it_has() {
    use protocol::message::{Feedback, Question, Settings};

    use crate::session::plan::{Method, Scoring};
    let mut room = Room::new();
    let setup = Setup::new(table_number(3), board(9));
    let movement = generate(Kind::Mitchell, setup).expect("there is one");
    for letter in ['A', 'B'] {
        room.direct(Command::PlanSection {
            section: SectionLetter::new(letter).expect("a letter"),
            plan: SectionPlan::of(&movement, "red"),
        });
    }
    room.direct(PIN);
    room.direct(Command::Open);
    room.direct(Command::ChangeSettings(Settings {
        ranking: true,
        ..room.session().settings
    }));
    let pad = room.log_on(1, 1);
    let sections = room.session().sections.clone();
    for (section, planned) in &sections {
        for ((table, _), sitting) in &planned.sittings {
            let at = TableId {
                section: *section,
                table: *table,
            };
            for of in sitting.boards.iter() {
                room.direct(Command::Rule {
                    cell: Cell::new(at, sitting.round, of),
                    ruling: ruling(["1S N =", "2S N =", "3S N -1"][usize::from(table.get()) % 3]),
                    why: String::new(),
                });
            }
        }
    }
    let ranking = |room: &mut Room, pad: &PadAtTable| {
        let downs = pad.says(room, Up::Ask(Question::Ranking));
        match &downs[..] {
            [Down::Feedback(Feedback::Ranking { lines })] => Ok(lines.to_vec()),
            _ => Err(reason(&downs)),
        }
    };
    let choose = |scoring| Command::ChooseScoring(scoring);
    let across = Scoring {
        across_sections: true,
        ..Scoring::CLUB_EVENING
    };
    for scoring in [Scoring::CLUB_EVENING, across] {
        room.direct(choose(scoring));
        let lines = ranking(&mut room, &pad).expect("a ranking");
        let mut pairs: Vec<_> = lines.iter().map(|line| (line.side, line.pair)).collect();
        pairs.dedup();
        assert_eq!(pairs.len(), 6, "every pair of the section once: {pairs:?}");
        let standings = room.session().standings();
        for line in &lines {
            let mut places = standings.lists.iter().flat_map(|list| &list.places);
            let pair = PairId {
                section: SectionLetter::A,
                number: line.pair,
                side: line.side,
            };
            let place = places.find(|place| place.pair == pair).expect("ranked");
            assert_eq!(Some(u32::from(line.rank)), place.rank);
            let percent = place.percent.expect("matchpoints").0;
            assert_eq!(i32::from(line.percentage.get()), percent);
        }
    }
    // IMPs are no percentages: the pad is told that there is no ranking to ask for.
    room.mail.clear();
    let imps = room.direct(choose(Scoring {
        method: Method::CrossImps,
        ..Scoring::CLUB_EVENING
    }));
    let told = |room: &Room| {
        let settings = room.mail.iter().rev().find_map(|(_, down)| match down {
            Down::Settings(settings) => Some(settings.ranking),
            _ => None,
        });
        settings.expect("settings")
    };
    assert!(!told(&room));
    assert_eq!(
        ranking(&mut room, &pad),
        Err(Some(RefusalReason::NotAllowed))
    );
    room.direct(Command::Undo {
        change: imps,
        why: String::new(),
    });
    assert!(told(&room));
}

/// Time passes, and the base station looks round every ten seconds.
fn pass(room: &mut Room, mut ms: u64) {
    while ms > 0 {
        let step = ms.min(10_000);
        ms -= step;
        room.now = room.now.plus_ms(step);
        room.ask(Request::LookRound);
    }
}

#[test]
fn a_clock_that_is_moved_makes_nobody_silent_and_hides_nobody_who_is() {
    let hour_ms = 3_600_000;
    let forward = |now: Moment| now.plus_ms(hour_ms);
    let back = |now: Moment| Moment(now.0 - hour_ms);
    let moves: [&dyn Fn(Moment) -> Moment; 2] = [&forward, &back];
    for moved in moves {
        let mut room = Room::playing(Kind::Mitchell, 5, 25);
        let (speaks, silent) = (room.log_on(1, 1), room.log_on(2, 2));
        let is_silent = |room: &Room, pad: PadId| room.session().pads[&pad].silent.is_some();
        pass(&mut room, 100_000);
        room.now = moved(room.now);
        room.ask(Request::LookRound);
        assert!(!is_silent(&room, speaks.pad) && !is_silent(&room, silent.pad));
        speaks.says(&mut room, Up::CheckIn(state(150, 0)));
        pass(&mut room, SILENT_AFTER_MS - 100_000);
        assert!(!is_silent(&room, silent.pad), "the hour does not count");
        pass(&mut room, 10_000);
        assert!(is_silent(&room, silent.pad), "three check-ins were missed");
        assert!(!is_silent(&room, speaks.pad));
    }
}

#[test]
fn a_base_without_its_receiver_calls_nobody_silent() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    let pad = room.log_on(1, 1);
    let is_silent = |room: &Room| room.session().pads[&pad.pad].silent.is_some();
    for _ in 0..60 {
        room.now = room.now.plus_ms(10_000);
        room.ask(Request::CannotHear);
    }
    pass(&mut room, SILENT_AFTER_MS);
    assert!(
        !is_silent(&room),
        "it has had its time since the receiver came"
    );
    pass(&mut room, 1);
    assert!(is_silent(&room), "now it could have been heard");
}

#[test]
fn a_pad_not_heard_for_three_check_ins_is_silent_until_it_speaks() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    let pad = room.log_on(1, 1);
    pad.says(&mut room, Up::CheckIn(state(150, 2)));
    pass(&mut room, SILENT_AFTER_MS);
    assert!(room.session().pads[&pad.pad].silent.is_none());
    pass(&mut room, 1);
    let seq = room.keeper.state().seq;
    let story = room
        .session()
        .records
        .last()
        .expect("a record")
        .event
        .clone();
    assert!(matches!(story, Event::PadSilent { unsent: 2, .. }));
    room.ask(Request::LookRound);
    assert_eq!(room.keeper.state().seq, seq, "it is said once");
    pad.says(&mut room, Up::CheckIn(state(150, 0)));
    assert!(room.session().pads[&pad.pad].silent.is_none());
}

#[test]
fn low_cells_are_reported_once() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    let pad = room.log_on(1, 1);
    for _ in 0..3 {
        pad.says(&mut room, Up::CheckIn(state(105, 0)));
    }
    let warnings = room.session().records.iter();
    let warnings = warnings.filter(|it| matches!(it.event, Event::BatteryLow { .. }));
    assert_eq!(warnings.count(), 1);
}

#[test]
fn stopped_pads_keep_their_entries_and_send_them_later() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    let mut pad = room.log_on(1, 1);
    room.direct(Command::SetGate { open: false });
    let entry = pad.agree(1, 1, played("4S N ="));
    let answer = pad.says(&mut room, Up::Entry(entry));
    assert_eq!(reason(&answer), Some(RefusalReason::Stopped));
    room.direct(Command::SetGate { open: true });
    assert!(is_received(&pad.says(&mut room, Up::Entry(entry))));
}

#[test]
fn pads_that_were_mixed_up_are_swapped_with_all_they_entered() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    let mut one = room.log_on(1, 1);
    let mut two = room.log_on(2, 2);
    one.enters(&mut room, 1, 1, "4S N =");
    two.enters(&mut room, 1, 6, "1NT W -1");
    room.direct(Command::SwapPads {
        one: table_a(1),
        other: table_a(2),
    });
    assert_eq!(room.session().holder(table_a(1)), Some(two.pad));
    assert_eq!(room.line(cell(2, 1, 1)).result(), Some(played("4S N =")));
    assert_eq!(room.line(cell(1, 1, 6)).result(), Some(played("1NT W -1")));
    // The pad's next words still carry its old epoch: it is welcomed at its new table.
    let answer = one.says(&mut room, Up::CheckIn(state(150, 0)));
    let welcome = PadAtTable::welcomed(one.pad, &answer);
    assert_eq!(welcome.welcome.table, table_number(2));
    assert!(welcome.epoch() > one.epoch());
}

#[test]
fn a_pad_logged_on_at_the_wrong_table_moves_to_the_right_one() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    let mut pad = room.log_on(1, 4);
    pad.enters(&mut room, 1, 16, "4S N =");
    room.direct(Command::MovePad {
        from: table_a(4),
        to: table_a(5),
    });
    assert_eq!(room.session().holder(table_a(4)), None);
    assert_eq!(room.session().holder(table_a(5)), Some(pad.pad));
    assert!(!room.session().lines.contains_key(&cell(4, 1, 16)));
    room.log_on(2, 4);
    assert!(
        room.refused(Command::MovePad {
            from: table_a(4),
            to: table_a(5)
        })
        .contains("swap")
    );
}

#[test]
fn an_epoch_is_never_given_twice_to_a_pad_or_a_table() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    let mut seen = std::collections::BTreeSet::new();
    let mut last = None;
    for turn in 0..40_u32 {
        let pad = turn % 3;
        let (at, _) = room.replace(pad, 1 + u16::try_from(turn % 2).expect("small"));
        assert!(
            seen.insert((at.pad, at.epoch())),
            "a pad had this epoch before"
        );
        if turn % 2 == 0 {
            assert!(Some(at.epoch()) > last, "table 1 had this epoch before");
            last = Some(at.epoch());
        }
    }
}

#[test]
fn a_pad_with_results_of_last_week_hands_them_in_before_it_forgets_them() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    let mut pad = room.log_on(1, 1);
    let unsent = pad.agree(1, 1, played("4S N ="));
    let last_week = room.session().id;
    room.direct(Command::CreateEvent {
        name: "Tuesday".to_owned(),
        date: "2026-11-17".to_owned(),
        title: String::new(),
    });
    assert!(is_received(&pad.says(&mut room, Up::Entry(unsent))));
    assert_eq!(
        room.keeper.state().club.sessions[&last_week].late_entries,
        1
    );
    room.direct(Command::ChooseSession { session: last_week });
    let kept: Vec<_> = room.session().kept.values().cloned().collect();
    assert_eq!(kept.len(), 1);
    assert_eq!(kept[0].entry, unsent);
    let standing = room.session().pads[&pad.pad].standing;
    assert_eq!(standing, Standing::Holds);
}

#[test]
fn a_pad_that_logged_on_after_the_backup_was_made_is_asked_for_everything() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    let stranger = Binding {
        session: room.session().id,
        epoch: Epoch::new(7).expect("an epoch"),
    };
    let mut made_up = room.log_on(1, 1);
    let entry = made_up.agree(1, 1, played("4S N ="));
    let answer = room.says(pad_id(5), Some(stranger), Up::Entry(entry));
    assert!(answer.contains(&Down::PleaseResend));
    assert!(
        !is_received(&answer),
        "the pad keeps it until it has a table again"
    );
}
