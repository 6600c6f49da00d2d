//! Point 9: a board out of range. Points 11 and 14, as far as the base station has to do with them.

use super::*;
use crate::session::{OpenPointKind, checklist};
use protocol::message::{Down, Players, Question};
use protocol::words::PlayerNumber;

fn wants(number: u8) -> Up {
    Up::BoardWanted {
        round: round(1),
        board: board(number),
    }
}

fn refusal(downs: &[Down]) -> Option<RefusalReason> {
    downs.iter().find_map(|down| match down {
        Down::BoardRefused { reason, .. } => Some(*reason),
        _ => None,
    })
}

#[test]
fn point_9_a_pad_hears_yes_or_no_only_when_the_director_has_decided() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    let pad = room.log_on(1, 1);
    for _ in 0..3 {
        assert_eq!(pad.says(&mut room, wants(22)), []);
        assert_eq!(pad.says(&mut room, wants(23)), []);
    }
    let wanted: Vec<Cell> = room.session().wanted.keys().copied().collect();
    assert_eq!(wanted, [cell(1, 1, 22), cell(1, 1, 23)], "asked once each");
    room.direct(Command::RefuseBoard {
        cell: cell(1, 1, 22),
    });
    room.direct(Command::AllowBoard {
        cell: cell(1, 1, 23),
    });
    let told = |down: &Down| room.mail.contains(&(pad.pad, down.clone()));
    assert!(told(&cell(1, 1, 22).refused(RefusalReason::NotAllowed)));
    assert!(told(&Down::BoardAllowed {
        round: round(1),
        board: board(23)
    }));
    // Who asks again hears the same, and the director is left in peace.
    let answer = pad.says(&mut room, wants(22));
    assert_eq!(refusal(&answer), Some(RefusalReason::NotAllowed));
    assert!(room.session().wanted.is_empty());
    assert!(
        room.refused(Command::RefuseBoard {
            cell: cell(1, 1, 24)
        })
        .contains("nobody waits")
    );
    // On second thoughts the director allows it all the same.
    room.direct(Command::AllowBoard {
        cell: cell(1, 1, 22),
    });
    assert!(room.session().refused.is_empty());
}

#[test]
fn point_9_a_board_that_is_not_of_the_session_cannot_be_allowed() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    let pad = room.log_on(1, 1);
    let no = Some(RefusalReason::BoardNotOfSession);
    assert_eq!(refusal(&pad.says(&mut room, wants(47))), no);
    assert!(room.session().wanted.is_empty(), "nobody is bothered");
    let here = Up::BoardAllowedHere {
        round: round(1),
        board: board(47),
    };
    assert_eq!(refusal(&pad.says(&mut room, here)), no);
    let by_director = room.refused(Command::AllowBoard {
        cell: cell(1, 1, 47),
    });
    assert!(
        by_director.contains("nobody plays board 47"),
        "{by_director}"
    );
    assert!(room.session().allowed.is_empty());
    // The director at the pad is heard, where there is such a board.
    let here = Up::BoardAllowedHere {
        round: round(1),
        board: board(22),
    };
    assert_eq!(
        pad.says(&mut room, here),
        [Down::BoardAllowed {
            round: round(1),
            board: board(22)
        }]
    );
}

#[test]
fn point_9_a_board_of_an_earlier_round_has_its_own_sentence() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    let mut pad = room.log_on(1, 1);
    pad.enters(&mut room, 1, 1, "4S N =");
    let again = Up::BoardWanted {
        round: round(2),
        board: board(1),
    };
    let answer = pad.says(&mut room, again);
    assert_eq!(refusal(&answer), Some(RefusalReason::BoardOfEarlierRound));
}

#[test]
fn point_9_a_pad_hears_after_a_restart_of_the_base_what_was_decided() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    let pad = room.log_on(1, 1);
    pad.says(&mut room, wants(22));
    room.direct(Command::RefuseBoard {
        cell: cell(1, 1, 22),
    });
    let told = room.keeper.state().refresh(pad.pad, room.now);
    assert!(told.contains(&cell(1, 1, 22).refused(RefusalReason::NotAllowed)));
}

fn players(numbers: [u32; 4]) -> Up {
    Up::Players(Players {
        round: round(1),
        seats: numbers.map(PlayerNumber::new),
    })
}

#[test]
fn point_11_an_unknown_number_asks_back_and_stands_in_the_checklist_with_its_table() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    let number = |number| PlayerNumber::new(number).expect("a number");
    room.direct(Command::ListMembers {
        members: [11, 12, 13, 14]
            .map(|n| (number(n), format!("Player {n}")))
            .into(),
        digits: Vec::new(),
    });
    let pad = room.log_on(1, 3);
    let asked = Down::UnknownPlayers {
        round: round(1),
        seats: [false, true, false, false],
    };
    let answer = pad.says(&mut room, players([11, 21, 0, 14]));
    assert!(answer.contains(&asked), "{answer:?}");
    let unknown = |room: &Room| {
        let points = checklist(&room.keeper.state().club, room.session(), room.now);
        let unknown = points
            .into_iter()
            .filter(|point| matches!(point.kind, OpenPointKind::UnknownNumber(..)));
        unknown.map(|point| point.sentence).collect::<Vec<_>>()
    };
    assert_eq!(
        unknown(&room),
        ["table A3, E: player number 21 is not in the club's list"]
    );
    // The table types it again while the round lasts.
    let answer = pad.says(&mut room, players([11, 12, 0, 14]));
    assert!(
        !answer
            .iter()
            .any(|it| matches!(it, Down::UnknownPlayers { .. }))
    );
    assert_eq!(unknown(&room), [""; 0]);
    // The director names whoever the club does not know, at any time.
    pad.says(&mut room, players([11, 12, 99, 14]));
    assert_eq!(unknown(&room).len(), 1);
    room.direct(Command::NamePlayer {
        pair: "A3NS".parse().expect("a pair"),
        partner: crate::session::plan::Partner::Second,
        number: Some(number(99)),
        name: "A visitor from afar".to_owned(),
        from: round(1),
        digits: 0,
    });
    assert_eq!(unknown(&room), [""; 0]);
}

#[test]
fn point_14_no_deal_file_is_said_as_it_is() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    let settings = protocol::message::Settings {
        hand_record: true,
        ..room.session().settings
    };
    room.direct(Command::ChangeSettings(settings));
    let mut pad = room.log_on(1, 1);
    let ask = Up::Ask(Question::HandRecord(board(1)));
    let early = pad.says(&mut room, ask.clone());
    assert_eq!(reason(&early), Some(RefusalReason::NotAllowed));
    pad.enters(&mut room, 1, 1, "4S N =");
    let answer = pad.says(&mut room, ask);
    assert_eq!(reason(&answer), Some(RefusalReason::NoDealFile));
}

#[test]
fn point_14_a_call_that_the_director_settles_is_settled_on_the_pad() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    let pad = room.log_on(1, 1);
    pad.says(&mut room, Up::CallDirector);
    room.direct(Command::SettleCall { table: table_a(1) });
    assert!(room.mail.contains(&(pad.pad, Down::CallSettled)));
}

#[test]
fn point_14_a_pad_of_last_week_that_types_fast_is_not_told_that_tonight_is_over() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    let pad = room.log_on(1, 1);
    room.direct(Command::CreateEvent {
        name: "Tuesday".to_owned(),
        date: "2026-11-17".to_owned(),
        title: String::new(),
    });
    // It logs off from the old session while the players already ask for a table of tonight.
    for message in [Up::LogOff, Up::CheckIn(state(150, 0))] {
        let answer = pad.says(&mut room, message);
        assert_eq!(
            reason(&answer),
            None,
            "nothing that could be taken for an answer"
        );
        assert_eq!(answer, [Down::SessionOver]);
    }
}
