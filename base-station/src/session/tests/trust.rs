//! Pads that the club trusts, pads that it does not, and who may take a table from a pad that
//! works.

use super::*;
use crate::session::{CHECK_IN_MS, Event, Standing, Trust};

fn revoke(pad: u32) -> Command {
    let pad = pad_id(pad);
    Command::ChangeTrust(Trust::PadRevoked { pad })
}

fn answer(table: u16, pad: u32, allowed: bool) -> Command {
    Command::AnswerReplace {
        table: table_a(table),
        pad: pad_id(pad),
        allowed,
    }
}

/// Time passes, and the base station looks round as it does.
fn miss_a_check_in(room: &mut Room) {
    for _ in 0..=CHECK_IN_MS / 10_000 {
        room.now = room.now.plus_ms(10_000);
        room.ask(Request::LookRound);
    }
}

const ASKING: Option<RefusalReason> = Some(RefusalReason::AskingDirector);

#[test]
fn a_pad_that_works_is_replaced_only_if_the_director_says_yes() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    let mut old = room.log_on(1, 2);
    old.enters(&mut room, 1, 6, "4S N =");
    for _ in 0..3 {
        let downs = room.says(pad_id(9), None, Up::Replace(claim(2)));
        assert_eq!(reason(&downs), ASKING);
    }
    let asked = |room: &Room| {
        let records = room.session().records.iter();
        records
            .filter(|it| matches!(it.event, Event::Replacing(_)))
            .count()
    };
    assert_eq!(asked(&room), 1, "the director is asked once");
    // Meanwhile the table plays on with its own pad.
    old.enters(&mut room, 1, 7, "3NT E -1");
    assert_eq!(room.session().holder(table_a(2)), Some(old.pad));

    room.direct(answer(2, 9, true));
    let (new, _) = room.replace(9, 2);
    assert_eq!(room.session().holder(table_a(2)), Some(new.pad));
    assert_eq!(usize::from(new.welcome.recorded), 2);
    assert!(room.mail.contains(&(old.pad, Down::Replaced)));
    let refused = room.refused(answer(2, 9, true));
    assert!(refused.contains("does not ask"), "{refused}");
}

#[test]
fn a_pad_that_the_director_turns_down_does_not_get_the_table() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    let old = room.log_on(1, 2);
    assert_eq!(
        reason(&room.says(pad_id(9), None, Up::Replace(claim(2)))),
        ASKING
    );
    room.direct(answer(2, 9, false));
    let not_allowed = Some(RefusalReason::NotAllowed);
    for _ in 0..3 {
        let downs = room.says(pad_id(9), None, Up::Replace(claim(2)));
        assert_eq!(reason(&downs), not_allowed);
    }
    assert_eq!(room.session().holder(table_a(2)), Some(old.pad));
}

#[test]
fn a_pad_that_is_dead_is_replaced_at_once() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    let old = room.log_on(1, 2);
    // It has just died, and nobody can know: as soon as a check-in is missing, its table is free.
    assert_eq!(
        reason(&room.says(pad_id(9), None, Up::Replace(claim(2)))),
        ASKING
    );
    miss_a_check_in(&mut room);
    let downs = room.says(pad_id(9), None, Up::Replace(claim(2)));
    let new = PadAtTable::welcomed(pad_id(9), &downs);
    assert_eq!(room.session().pads[&old.pad].standing, Standing::Replaced);
    assert_eq!(room.session().holder(table_a(2)), Some(new.pad));
    assert!(room.session().tables[&table_a(2)].asking.is_empty());
}

#[test]
fn a_pad_that_was_turned_away_once_gets_no_table_by_waiting_for_its_pad_to_die() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    room.log_on(1, 2);
    let other = room.log_on(3, 4);
    room.says(pad_id(9), None, Up::Replace(claim(2)));
    room.direct(answer(2, 9, false));
    miss_a_check_in(&mut room);
    // The pad of table 4 is dead, too: whoever else asks would get the table at once.
    let downs = room.says(pad_id(9), None, Up::Replace(claim(4)));
    assert_eq!(reason(&downs), ASKING);
    assert_eq!(room.session().holder(table_a(4)), Some(other.pad));
    room.direct(answer(4, 9, true));
    let downs = room.says(pad_id(9), None, Up::Replace(claim(4)));
    PadAtTable::welcomed(pad_id(9), &downs);
}

#[test]
fn a_base_that_has_just_been_started_does_not_take_everybody_for_dead() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    room.log_on(1, 2);
    room.later(30);
    let journal = std::mem::replace(
        &mut room.keeper,
        Keeper::open(MemoryJournal::new(), EVENING).expect("an empty journal opens"),
    )
    .into_journal();
    room.keeper = Keeper::open(journal, room.now).expect("the journal opens");
    assert_eq!(
        reason(&room.says(pad_id(9), None, Up::Replace(claim(2)))),
        ASKING
    );
    miss_a_check_in(&mut room);
    let (new, _) = room.replace(9, 2);
    assert_eq!(room.session().holder(table_a(2)), Some(new.pad));
}

#[test]
fn a_revoked_pad_gives_up_its_table_and_is_refused_whatever_it_says() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    let mut stolen = room.log_on(1, 2);
    stolen.enters(&mut room, 1, 6, "4S N =");
    room.direct(revoke(1));
    assert_eq!(room.session().holder(table_a(2)), None);
    assert_eq!(room.line(cell(2, 1, 6)).result(), Some(played("4S N =")));
    let seq = room.keeper.state().seq;
    let entry = stolen.agree(1, 7, played("7NT N ="));
    let not_allowed = Some(RefusalReason::NotAllowed);
    for message in [
        Up::Entry(entry),
        Up::Held(entry),
        Up::LogOn(claim(2)),
        Up::Replace(claim(3)),
        Up::Recover(claim(2)),
        Up::CallDirector,
    ] {
        let downs = stolen.says(&mut room, message);
        assert_eq!(reason(&downs), not_allowed);
    }
    assert_eq!(room.keeper.state().seq, seq, "nothing was written");
    assert!(
        room.keeper
            .state()
            .club
            .policy()
            .revoked
            .contains(&stolen.pad)
    );
    // Another pad takes the table, and the stolen one is found and trusted again.
    room.log_on(9, 2);
    assert!(room.refused(revoke(1)).contains("already"));
    let pad = stolen.pad;
    room.direct(Command::ChangeTrust(Trust::PadRestored { pad }));
    assert!(room.keeper.state().club.policy().revoked.is_empty());
    room.log_on(1, 3);
}

#[test]
fn old_pads_are_taken_where_the_club_has_them_until_the_director_ends_it() {
    let takes = |room: &Room| room.keeper.state().club.policy().version_1;
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    assert!(!takes(&room), "a new club begins with version 2");
    room.log_on(1, 1);
    assert!(!takes(&room));
    // A journal from before versions were told has pads of version 1.
    let old = LogOn {
        wire_version: 1,
        ..claim(2)
    };
    room.says(pad_id(2), None, Up::LogOn(old));
    assert!(takes(&room));
    let allow = |allowed| Command::ChangeTrust(Trust::OldPads { allowed });
    room.direct(allow(false));
    assert!(!takes(&room));
    room.direct(allow(true));
    assert!(takes(&room));
}

#[test]
fn the_director_is_asked_in_words_and_answers_with_one_click() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    room.log_on(1, 2);
    room.says(pad_id(9), None, Up::Replace(claim(2)));
    let (state, presence) = (room.keeper.state(), room.keeper.presence());
    let warnings = crate::view::warnings(state, presence, room.now);
    let warning = warnings
        .iter()
        .find(|it| it.kind == crate::view::WarningKind::ReplaceAsked)
        .expect("the director is asked");
    assert!(
        warning.text.to_string().contains("00000009") && warning.text.to_string().contains("A2")
    );
    let labels: Vec<String> = warning
        .answers
        .iter()
        .map(|it| it.label.to_string())
        .collect();
    assert_eq!(
        labels,
        ["Yes, replace the pad", "No", "No, and revoke that pad"]
    );
    let warnings = crate::watch::warnings(state, presence, room.now);
    let key = warning.key.clone().into();
    let yes = crate::watch::Settlement::of(&warnings, &key, "replace").expect("it is offered");
    let yes = yes.command().expect("an answer does something").clone();
    room.direct(yes);
    let (new, _) = room.replace(9, 2);
    assert_eq!(room.session().holder(table_a(2)), Some(new.pad));
}
