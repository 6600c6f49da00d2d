//! What pads hear of the boards of a match.

use super::*;
use crate::contest::rules::Column;
use crate::contest::{Comparison, Regulation, Rules};
use crate::session::{
    AtTables, ContestCommand, ContestPlan, ContestantPlan, DrawAsked, DrawWish, Format, MatchOver,
};

/// Two teams, two stanzas, each of one set of boards that both tables share.
fn one_set(boards: u8) -> Room {
    in_stanzas(2, boards, true)
}

/// Teams in twos, two stanzas.
fn in_stanzas(teams: u16, boards: u8, one_set: bool) -> Room {
    let mut room = Room::new();
    let section = SectionLetter::A;
    let plan = ContestPlan {
        name: "Final".to_owned(),
        colour: String::new(),
        contestants: (1..=teams)
            .map(|number| ContestantPlan::numbered(pair_number(number)))
            .collect(),
        format: Format::HeadToHead,
        rounds: 2,
        boards,
        first_board: 1,
        rules: Rules {
            column: Column::Boards,
            ..Rules::of(Regulation::NewZealandClub, Comparison::TeamsImps)
        },
        other_table_shown: false,
        earlier: None,
        play_offs: Vec::new(),
        rounds_in_all: None,
        at_tables: AtTables {
            one_set,
            ..AtTables::default()
        },
    };
    room.direct(Command::Contest(ContestCommand::Plan { section, plan }));
    draws(&mut room);
    room.direct(PIN);
    room.direct(Command::Open);
    room
}

fn draws(room: &mut Room) {
    let section = SectionLetter::A;
    let proposal = room
        .session()
        .propose_draw(section, &DrawWish::default(), 1)
        .expect("a draw");
    room.direct(Command::Contest(ContestCommand::Publish {
        section,
        round: proposal.round,
        draw: proposal.drawn.draw,
        wish: proposal.wish,
        asked: DrawAsked::default(),
        rematches: true,
        why: String::new(),
    }));
}

#[test]
fn the_closed_room_begins_in_the_middle_and_has_the_whole_set_on_its_sheet() {
    let mut room = one_set(24);
    let closed = room.log_on(2, 2);
    // The next stanza is drawn while this one is played.
    draws(&mut room);
    for (of, first) in [(1, 1), (2, 25)] {
        let session = room.session();
        let sitting = session.sitting(table_a(2), round(of)).expect("a sitting");
        let begins = sitting.boards.iter().next();
        assert_eq!(begins, Some(board(first + 12)), "stanza {of}");
        let sheet = session.round_sheet(table_a(2), sitting);
        assert_eq!((sheet.first_board, sheet.boards), (board(first), 24));
    }
    let beyond = |(pad, down): &(PadId, Down)| {
        *pad == closed.pad && matches!(down, Down::BoardAllowed { .. })
    };
    assert!(
        !room.mail.iter().any(beyond),
        "nothing that a pad could forget"
    );
}

#[test]
fn a_table_that_comes_late_to_a_round_hears_of_the_board_that_replaced_another() {
    let mut room = one_set(8);
    let mut open = room.log_on(1, 1);
    draws(&mut room);
    // It still plays the first stanza when a board of the second is replaced.
    room.direct(Command::Contest(ContestCommand::ReplaceBoard {
        section: SectionLetter::A,
        round: round(2),
        table: table_number(1),
        board: board(16),
        with: board(40),
        why: "a card was face up".to_owned(),
    }));
    let heard = |room: &mut Room| {
        let mail = std::mem::take(&mut room.mail);
        let loose =
            |down: &Down| matches!(down, Down::BoardAllowed { board, .. } if board.get() == 40);
        mail.iter().filter(|(_, down)| loose(down)).count()
    };
    heard(&mut room);
    for of in 1..=8 {
        open.enters(&mut room, 1, of, "3NT N =");
    }
    heard(&mut room);
    open.enters(&mut room, 2, 9, "3NT N =");
    assert_eq!(heard(&mut room), 1, "with the first result of the round");
    open.enters(&mut room, 2, 10, "3NT N =");
    assert_eq!(heard(&mut room), 0, "once is enough");
}

#[test]
fn pads_forget_a_board_that_another_one_is_played_for_and_a_mistake_is_taken_back() {
    let mut room = one_set(8);
    let pads = [room.log_on(1, 1), room.log_on(2, 2)].map(|it| it.pad);
    let forgets = |room: &mut Room, forgotten: u8| {
        let mail = std::mem::take(&mut room.mail);
        pads.map(|pad| {
            let mut own = mail.iter().filter(|(to, _)| *to == pad);
            own.any(|(_, down)| {
                matches!(down, Down::BoardRefused { board, .. } if board.get() == forgotten)
            })
        })
    };
    let replace = |of: u8, by: u8| {
        Command::Contest(ContestCommand::ReplaceBoard {
            section: SectionLetter::A,
            round: round(1),
            table: table_number(1),
            board: board(of),
            with: board(by),
            why: "a card was face up".to_owned(),
        })
    };
    room.direct(replace(3, 40));
    assert_eq!(forgets(&mut room, 3), [true, true]);
    // The other one is spoiled, too.
    let second = room.direct(replace(40, 41));
    assert_eq!(forgets(&mut room, 40), [true, true]);
    let why = "it was not".to_owned();
    room.direct(Command::Undo {
        change: second,
        why,
    });
    assert_eq!(forgets(&mut room, 41), [true, true]);
    let boards = |room: &Room, table: u16| -> Vec<u8> {
        let expected = room.session().expected(table_a(table), round(1));
        expected.iter().map(|cell| cell.board.get()).collect()
    };
    assert_eq!(boards(&room, 1), [1, 2, 4, 5, 6, 7, 8, 40]);
    assert_eq!(boards(&room, 2), [5, 6, 7, 8, 1, 2, 4, 40]);
}

#[test]
fn two_matches_share_a_section_and_pads_of_the_level_one_alone_play_on() {
    let mut room = in_stanzas(4, 2, false);
    let mut pads: Vec<_> = (1..=4_u16).map(|at| room.log_on(at.into(), at)).collect();
    let opponents = |room: &Room, table: u16| {
        let sitting = room.session().sitting(table_a(table), round(1));
        let sitting = sitting.expect("a sitting");
        (
            sitting.ns.map(contest::ContestantNumber::get),
            sitting.ew.map(contest::ContestantNumber::get),
        )
    };
    assert_eq!(opponents(&room, 2), (Some(2), Some(1)));
    assert_eq!(opponents(&room, 3), (Some(3), Some(4)));
    // 3 is ahead after the first stanza; 1 and 2 are level to the end.
    for of in [1, 2] {
        for (pad, table) in pads.iter_mut().zip(1..) {
            let better = table == 3 && of == 1;
            pad.enters(&mut room, 1, of, if better { "4S N =" } else { "2S N +2" });
        }
    }
    let ended = |room: &Room| -> Vec<bool> {
        let matches = room.session().contest_matches(SectionLetter::A);
        let contest = &room.session().contests[&SectionLetter::A];
        matches
            .iter()
            .map(|it| it.over(contest).is_some())
            .collect()
    };
    assert_eq!(ended(&room), [false, false], "a stanza is to come");
    let halves = room.session().contest_matches(SectionLetter::A);
    assert!(halves.iter().all(|it| it.ending.is_none()), "{halves:?}");
    draws(&mut room);
    for of in [3, 4] {
        for pad in &mut pads {
            pad.enters(&mut room, 2, of, "2S N +2");
        }
    }
    assert_eq!(ended(&room), [true, true]);
    let play_on = ContestCommand::PlayOff {
        section: SectionLetter::A,
        boards: Some(1),
        why: "level".to_owned(),
    };
    room.direct(Command::Contest(play_on));
    draws(&mut room);
    let plays = |room: &Room, table: u16| {
        let sitting = room.session().sitting(table_a(table), round(3));
        sitting.is_some_and(crate::session::plan::Sitting::is_played)
    };
    let playing = [1, 2, 3, 4].map(|table| plays(&room, table));
    assert_eq!(playing, [true, true, false, false]);
    assert_eq!(ended(&room), [false, true], "the level one goes on");
    for (pad, result) in pads.iter_mut().zip(["4S N =", "2S N +2"]) {
        pad.enters(&mut room, 3, 5, result);
    }
    let matches = room.session().contest_matches(SectionLetter::A);
    let contest = &room.session().contests[&SectionLetter::A];
    let over: Vec<_> = matches.iter().map(|it| it.over(contest)).collect();
    assert_eq!(over, [Some(MatchOver::Home); 2]);
    let slip = room.session().slip_for_tests(table_a(1), round(3));
    assert_eq!(slip.and_then(|it| it.total), Some(100), "ten IMPs more");
}
