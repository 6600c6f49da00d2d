//! The watchful base over a whole session: what it finds as results come in, and what a click on
//! its answers does.

mod any_order;
mod room;

use base_station::session::plan::Ruling;
use base_station::session::{Cell, Command, Repair};
use base_station::view::{self, WarningKind, WarningView};
use protocol::words::{BoardResult, Score, Seat};
use room::{Room, played, round, table};

/// The first warning of a check that is not settled yet.
fn of_check<'a>(warnings: &'a [WarningView], check: &str) -> Option<&'a WarningView> {
    warnings
        .iter()
        .find(|warning| !warning.answered && warning.check.as_deref() == Some(check))
}

#[test]
fn looking_only_at_what_is_new_finds_the_same_as_looking_at_everything() {
    let mut room = Room::skip_mitchell(8, 24);
    room.attach_real_deals();
    for number in 1..=4 {
        for at in 1..=8 {
            // Two tables say they are each other; one board is entered with a lead of nobody's.
            let astray = if number == 3 && at < 3 { 3 - at } else { at };
            let (ns, ew) = room.planned(astray, number);
            room.pairs_seen(at, number, (if number == 3 { Some(at) } else { ns }, ew));
            room.enter_round(at, number);
            room.look_both_ways();
        }
    }
    let line = *room.session().lines.keys().next().expect("a line");
    room.direct(Command::Rule {
        cell: line,
        ruling: Ruling::TakenAway,
        why: String::new(),
    });
    room.look_both_ways();
    let last = room.session().records.last().expect("a record").seq;
    room.direct(Command::Undo {
        change: last,
        why: String::new(),
    });
    room.look_both_ways();
    room.direct(Command::ReviseMovement {
        section: room::SECTION,
        repair: Repair::CutShort { last: round(7) },
        why: String::new(),
    });
    room.look_both_ways();
    assert!(!room.look().is_empty());
}

#[test]
fn a_forgotten_skip_is_diagnosed_and_its_remedy_previewed_and_applied() {
    let mut room = Room::skip_mitchell(8, 24);
    for number in 1..=4 {
        for at in 1..=8 {
            let (ns, ew) = room.planned(at, number);
            room.pairs_seen(at, number, (ns, ew));
            room.enter_round(at, number);
        }
    }
    // Round 5 begins, and East-West have gone up one table instead of two.
    for at in 1..=8 {
        let (ns, _) = room.planned(at, 5);
        let (_, came) = room.planned(if at == 1 { 8 } else { at - 1 }, 4);
        room.pairs_seen(at, 5, (ns, came));
    }
    let warnings = room.look();
    let found = of_check(&warnings, "movement-mistake").expect("the doctor speaks up");
    assert!(found.text.to_string().contains("skip"), "{}", found.text);
    assert!(
        !warnings.iter().any(|it| it.kind == WarningKind::OtherPairs),
        "the diagnosis explains every table's pairs"
    );
    let remedy = found.answers.iter().position(|it| it.changes_movement);
    let remedy = remedy.expect("a remedy is offered");
    let command = room.answered(found, remedy).expect("it does something");
    let preview = room.state().preview(&command, room.now).expect("a preview");
    assert!(!preview.changes.is_empty() && !preview.instructions.is_empty());
    room.direct(command);
    let still = room.look();
    assert!(of_check(&still, "movement-mistake").is_none());
}

#[test]
fn pairs_at_the_wrong_table_are_booked_where_they_sit_with_one_click() {
    let mut room = Room::skip_mitchell(8, 24);
    for at in 1..=8 {
        let (ns, ew) = room.planned(at, 1);
        room.pairs_seen(at, 1, (ns, ew));
        room.enter_round(at, 1);
    }
    let (ns, _) = room.planned(3, 2);
    let (_, other) = room.planned(6, 2);
    room.pairs_seen(3, 2, (ns, other));
    room.enter_first(3, 2);
    let warnings = room.look();
    let found = of_check(&warnings, "east-west-elsewhere").expect("it is seen");
    let mut booked = (0..found.answers.len()).filter_map(|at| room.answered(found, at));
    let booked = booked.next().expect("a click books it");
    room.direct(booked);
    room.enter_rest(3, 2);
    let lines = room.session().lines.iter();
    let here: Vec<_> = lines
        .filter(|(cell, _)| cell.table_id() == table(3) && cell.round == round(2))
        .collect();
    assert_eq!(here.len(), 3);
    for (cell, line) in here {
        assert_eq!(line.ew.map(|pair| pair.number), other, "{cell}");
    }
}

#[test]
fn a_check_can_be_quiet_or_off_and_its_false_alarms_are_counted() {
    let mut room = Room::skip_mitchell(8, 24);
    room.attach_real_deals();
    room.enter(1, 1, 1, lead_of_nobody(&room));
    let warnings = room.look();
    let found = of_check(&warnings, "lead-not-held")
        .expect("it is seen")
        .clone();
    assert!(!found.quiet && found.confidence.is_some());
    let count = |room: &mut Room| {
        let warnings = room.warned();
        let checks = view::checks(room.state(), &warnings);
        let check = checks.into_iter().find(|it| it.kind == "lead-not-held");
        let check = check.expect("every check is listed");
        (
            check.attention,
            check.open,
            check.answered,
            check.false_alarms,
        )
    };
    assert_eq!(count(&mut room), ("on".to_owned(), 1, 0, 0));
    room.set_check("lead-not-held", "quiet");
    assert!(of_check(&room.look(), "lead-not-held").is_some_and(|it| it.quiet));
    room.set_check("lead-not-held", "off");
    assert!(of_check(&room.look(), "lead-not-held").is_none());
    room.set_check("lead-not-held", "on");
    let none = found.answers.iter().find(|answer| answer.false_alarm);
    let answered = room.direct(Command::AnswerWarning {
        warning: found.key.clone().into(),
        answer: none
            .expect("it can be called right")
            .label
            .to_string()
            .into(),
    });
    assert_eq!(count(&mut room), ("on".to_owned(), 0, 1, 1));
    room.direct(Command::Undo {
        change: answered,
        why: String::new(),
    });
    assert_eq!(count(&mut room), ("on".to_owned(), 1, 0, 0));
}

/// A result on board 1 whose opening lead is in dummy's hand.
fn lead_of_nobody(room: &Room) -> BoardResult {
    let record = room.session().deals.values().next().expect("board 1");
    let deal = protocol::words::Deal::try_from(record.deal).expect("whole");
    let hand = deal.hand(Seat::South);
    let card = protocol::words::Suit::ALL.into_iter().find_map(|suit| {
        let rank = hand.suit(suit).next()?;
        Some(protocol::words::Card { suit, rank })
    });
    played("3NT", Seat::North, card)
}

#[test]
fn a_score_on_paper_that_its_contract_does_not_give_is_flagged_and_settled_with_one_click() {
    let mut room = Room::skip_mitchell(8, 24);
    let boards = room.session().sitting(table(3), round(1));
    let board = boards.and_then(|sitting| sitting.boards.lowest());
    let cell = Cell::new(table(3), round(1), board.expect("they play"));
    let result = played("4S", Seat::South, None);
    let right = result.score(cell.board).expect("a score");
    for (stated, check) in [
        (Score(right.0 + 10), "impossible-score"),
        (
            Score(if right.0 == 420 { 620 } else { 420 }),
            "vulnerability-error",
        ),
    ] {
        room.direct(Command::WriteIn {
            cell,
            result,
            stated,
        });
        let warnings = room.look();
        let found = of_check(&warnings, check).expect("it is flagged");
        assert!(
            found.text.to_string().contains(&right.to_string()),
            "{}",
            found.text
        );
        let command = room.answered(found, 0).expect("one click does it");
        room.direct(command);
        assert!(of_check(&room.look(), check).is_none(), "it is settled");
        assert_eq!(room.session().lines[&cell].result(), Some(result));
    }
}
