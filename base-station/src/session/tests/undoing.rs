//! Every change can be taken back, and the taking back too.

use super::*;
use crate::session::Repair;
use crate::session::plan::PenaltyAmount;

#[test]
fn a_correction_undone_brings_the_tables_own_result_back() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    let mut pad = room.log_on(1, 1);
    pad.enters(&mut room, 1, 1, "4S N =");
    let before = room.line(cell(1, 1, 1)).clone();
    let change = room.direct(Command::Rule {
        cell: cell(1, 1, 1),
        ruling: ruling("4S N -1"),
        why: String::new(),
    });
    room.mail.clear();
    let undoing = room.direct(Command::Undo {
        change,
        why: "misheard".to_owned(),
    });
    assert_eq!(room.line(cell(1, 1, 1)), &before);
    let told = room.mail.iter().any(|(to, down)| {
        *to == pad.pad && matches!(down, Down::Recorded(line) if line.result == before.result().map(protocol::words::Outcome::Result))
    });
    assert!(told, "the pad hears of it");
    let again = Command::Undo {
        change,
        why: String::new(),
    };
    assert!(room.refused(again).contains("already"));
    room.direct(Command::Undo {
        change: undoing,
        why: "it was right after all".to_owned(),
    });
    assert_eq!(room.line(cell(1, 1, 1)).result(), Some(played("4S N -1")));
}

#[test]
fn what_was_taken_back_while_the_base_died_reaches_the_pad_after_the_restart() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    let mut pad = room.log_on(1, 1);
    pad.enters(&mut room, 1, 1, "4S N =");
    pad.enters(&mut room, 1, 2, "3NT E =");
    let entered = room.keeper.state().seq;
    let corrected = room.direct(Command::Rule {
        cell: cell(1, 1, 1),
        ruling: ruling("4S N -1"),
        why: String::new(),
    });
    let late = room.direct(Command::Rule {
        cell: cell(1, 1, 3),
        ruling: ruling("2H S +1"),
        why: String::new(),
    });
    for change in [entered, corrected, late] {
        let why = "misheard".to_owned();
        room.direct(Command::Undo { change, why });
    }
    // The pad has not called since, and what waited for it goes with the process.
    room.keeper = Keeper::open(room.keeper.journal().clone(), room.now).expect("it opens");
    let told: Vec<_> = pad
        .says(&mut room, Up::CheckIn(state(150, 0)))
        .into_iter()
        .filter_map(|down| match down {
            Down::Recorded(line) => Some((line.board.get(), line.result)),
            _ => None,
        })
        .collect();
    let first = protocol::words::Outcome::Result(played("4S N ="));
    assert_eq!(told, [(1, Some(first)), (2, None), (3, None)]);
}

#[test]
fn a_pair_that_stayed_after_all_keeps_what_it_played() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    let mut pads: Vec<_> = (1..=5).map(|n| room.log_on(n.into(), n)).collect();
    for (pad, table) in pads.iter_mut().zip(1..) {
        let first = room
            .session()
            .sitting(cell(table, 1, 1).table_id(), round(1));
        let board = first.and_then(|it| it.boards.iter().next());
        pad.enters(&mut room, 1, board.expect("a board").get(), "4S N =");
    }
    let pair: PairId = "A1EW".parse().expect("a pair");
    let leaves = room.direct(Command::ReviseMovement {
        section: SectionLetter::A,
        repair: Repair::PairLeaves { pair, from: None },
        why: "does not feel well".to_owned(),
    });
    let undo = |change| Command::Undo {
        change,
        why: "better again".to_owned(),
    };
    let stays = room.direct(undo(leaves));
    // East-West pair 1 is at table 2 in the second round.
    let there = room.session().sitting(cell(2, 2, 1).table_id(), round(2));
    let there = there.expect("a sitting");
    assert_eq!(there.ew, Some(pair.number));
    let board = there.boards.iter().next().expect("a board");
    let played = cell(2, 2, board.get());
    pads[1].enters(&mut room, 2, board.get(), "3NT E =");
    let refused = room.refused(undo(stays));
    assert!(refused.contains("played since"), "{refused}");
    assert_eq!(room.line(played).ew, Some(pair));
    // Who played it can be said, and taken back, all the same.
    let nobody = room.direct(Command::CorrectPairs {
        cell: played,
        ns: room.line(played).ns,
        ew: None,
        why: "nobody knows".to_owned(),
    });
    let somebody = room.direct(undo(nobody));
    assert_eq!(room.line(played).ew, Some(pair));
    room.direct(undo(somebody));
    assert_eq!(room.line(played).ew, None);
}

#[test]
fn an_entry_undone_does_not_count_again_when_the_pad_repeats_it() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    let mut pad = room.log_on(1, 1);
    let entry = pad.agree(1, 1, played("4S N ="));
    pad.says(&mut room, Up::Entry(entry));
    let change = room.keeper.state().seq;
    room.direct(Command::Undo {
        change,
        why: "entered at the wrong table".to_owned(),
    });
    assert!(!room.session().is_in(cell(1, 1, 1)));
    assert!(is_received(&pad.says(&mut room, Up::Entry(entry))));
    assert!(!room.session().is_in(cell(1, 1, 1)));
}

#[test]
fn penalties_movements_settings_and_names_can_be_undone() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    let mut pad = room.log_on(1, 1);
    pad.enters(&mut room, 1, 1, "4S N =");
    let pair = "A1NS".parse().expect("a pair");
    let mut settings = room.session().settings;
    settings.ranking = true;
    let commands = [
        Command::Penalise {
            pair,
            amount: PenaltyAmount::Matchpoints(200),
            why: "slow play".to_owned(),
            public: false,
        },
        Command::ReviseMovement {
            section: SectionLetter::A,
            repair: crate::session::Repair::CutShort { last: round(3) },
            why: "the bar closes".to_owned(),
        },
        Command::ChangeSettings(settings),
        Command::NamePlayer {
            pair,
            partner: crate::session::plan::Partner::First,
            number: None,
            name: "Ruth".to_owned(),
            from: round(1),
            digits: 0,
        },
    ];
    for command in commands {
        let before = told(room.session());
        let change = room.direct(command);
        assert_ne!(told(room.session()), before);
        room.direct(Command::Undo {
            change,
            why: String::new(),
        });
        assert_eq!(told(room.session()), before);
    }
}

/// A session without the story of how it came to be so.
fn told(session: &Session) -> Session {
    let mut told = session.clone();
    told.records.clear();
    told.undone.clear();
    told
}

#[test]
fn what_pads_and_people_have_gone_on_from_is_not_undone() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    let opened = room.keeper.state().seq;
    let undo = |change| Command::Undo {
        change,
        why: String::new(),
    };
    assert!(
        room.refused(undo(opened))
            .starts_with("that can't be taken back")
    );
    room.log_on(1, 1).enters(&mut room, 1, 1, "4S N =");
    // The club's PIN was chosen in between.
    let planned = Seq(opened.0 - 2);
    assert!(
        room.refused(undo(planned))
            .starts_with("section A has results")
    );
    assert!(
        room.refused(undo(Seq(999)))
            .starts_with("there is no change")
    );
}
