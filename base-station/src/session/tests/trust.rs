//! Pads that the club trusts, pads that it does not, and who may take a table from a pad that
//! works.

use super::*;
use crate::session::{DeviceKind, Event, Joined, OwnPhone, SILENT_AFTER_MS, Standing, Trust};

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
fn fall_silent(room: &mut Room) {
    for _ in 0..=SILENT_AFTER_MS / 10_000 {
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

/// Night 311 of the simulated ones: a thief waited until a table was carried out of reach.
#[test]
fn nobody_gets_a_table_by_waiting_until_its_pad_is_silent() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    let old = room.log_on(1, 2);
    fall_silent(&mut room);
    assert_eq!(
        reason(&room.says(pad_id(9), None, Up::Replace(claim(2)))),
        ASKING
    );
    assert_eq!(room.session().holder(table_a(2)), Some(old.pad));
    // It is dead indeed, and the director says so.
    room.direct(answer(2, 9, true));
    let downs = room.says(pad_id(9), None, Up::Replace(claim(2)));
    let new = PadAtTable::welcomed(pad_id(9), &downs);
    assert_eq!(room.session().pads[&old.pad].standing, Standing::Replaced);
    assert_eq!(room.session().holder(table_a(2)), Some(new.pad));
    assert!(room.session().tables[&table_a(2)].asking.is_empty());
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

fn joins(room: &Room, pad: u32, table: u16, number: u16) -> Joined {
    Joined {
        pad: pad_id(pad),
        session: room.session().id,
        table: table_a(table),
        number,
        device: u64::from(pad),
        kind: DeviceKind::Phone,
    }
}

#[test]
fn a_code_makes_one_phone_a_pad_and_the_next_phone_needs_the_next_code() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    let join = |joined| Command::ChangeTrust(Trust::PhoneJoined(joined));
    let first = joins(&room, 0x0F01, 2, 0);
    room.direct(join(first));
    let mut phone = room.log_on(0x0F01, 2);
    phone.enters(&mut room, 1, 6, "4S N =");
    let again = room.refused(join(joins(&room, 0x0F02, 2, 0)));
    assert!(again.contains("has been used"), "{again}");
    let ahead = room.refused(join(joins(&room, 0x0F02, 2, 2)));
    assert!(ahead.contains("has been used"), "{ahead}");
    let nowhere = room.refused(join(joins(&room, 0x0F02, 9, 0)));
    assert!(nowhere.contains("no table A9"), "{nowhere}");
    // The second phone is a pad like any other: the table has one that works.
    let second = joins(&room, 0x0F02, 2, 1);
    room.direct(join(second));
    let downs = room.says(pad_id(0x0F02), None, Up::Replace(claim(2)));
    assert_eq!(reason(&downs), ASKING);
    room.direct(answer(2, 0x0F02, true));
    let (new, _) = room.replace(0x0F02, 2);
    assert_eq!(usize::from(new.welcome.recorded), 1, "with every score");
    // A pad that is known already is nobody else.
    let twice = room.refused(join(joins(&room, 0x0F01, 3, 0)));
    assert!(twice.contains("already"), "{twice}");
}

#[test]
fn a_phone_of_an_earlier_session_does_not_get_a_table() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    let old = Joined {
        session: protocol::words::SessionId::new(room.session().id.get() + 7).expect("a number"),
        ..joins(&room, 0x0F03, 2, 0)
    };
    let refused = room.refused(Command::ChangeTrust(Trust::PhoneJoined(old)));
    assert!(refused.contains("another session"), "{refused}");
    let joined = joins(&room, 0x0F03, 2, 0);
    room.direct(Command::ChangeTrust(Trust::PhoneJoined(joined)));
    room.log_on(0x0F03, 2);
    assert_eq!(room.session().holder(table_a(2)), Some(pad_id(0x0F03)));
}

#[test]
fn a_pairs_own_phone_joins_once_for_each_code_and_is_no_pad() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    let own = |room: &Room, phone: u32, pair: &str, number: u16| {
        Command::ChangeTrust(Trust::OwnPhoneJoined(OwnPhone {
            phone: pad_id(phone),
            session: room.session().id,
            pair: pair.parse().expect("a pair"),
            number,
            device: u64::from(phone),
            kind: DeviceKind::Phone,
        }))
    };
    let first = own(&room, 0x0A01, "A2EW", 0);
    room.direct(first);
    let used = own(&room, 0x0A02, "A2EW", 0);
    let used = room.refused(used);
    assert!(used.contains("has been used"), "{used}");
    let nobody = own(&room, 0x0A02, "A9EW", 0);
    let nobody = room.refused(nobody);
    assert!(nobody.contains("no pair EW A9"), "{nobody}");
    let twice = own(&room, 0x0A01, "A3EW", 0);
    let twice = room.refused(twice);
    assert!(twice.contains("already"), "{twice}");
    let partner = own(&room, 0x0A02, "A2EW", 1);
    room.direct(partner);
    // It can't take a table: it has no part in the game but to accept.
    let downs = room.says(pad_id(0x0A01), None, Up::LogOn(claim(2)));
    assert_eq!(reason(&downs), Some(RefusalReason::NotAllowed));
    assert_eq!(room.session().holder(table_a(2)), None);
}

fn trust(trust: Trust) -> Command {
    Command::ChangeTrust(trust)
}

fn welcomed(pad: PadId, number: u8) -> Command {
    trust(Trust::PadWelcomed {
        pad,
        number,
        channel: 0,
    })
}

#[test]
fn the_club_knows_its_pads_from_evening_to_evening() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    let (pad, number) = (pad_id(1), 12);
    let welcome = |pad, channel| {
        trust(Trust::PadWelcomed {
            pad,
            number,
            channel,
        })
    };
    room.direct(welcome(pad, 5));
    let _ = room.log_on(1, 2);
    let known = room.keeper.state().club.pads.clone();
    assert_eq!(known.of_number(12), Some(pad));
    assert_eq!(known.free_number(), 1);
    let one = known.known.get(&pad).expect("known");
    assert_eq!(one.seen, Some(room.now));
    assert_eq!((one.channel, known.usual_channel()), (5, 5));
    assert_eq!(one.batteries.len(), 1, "its cells are remembered");
    assert!(one.firmware.is_some());
    // The sticker is put on another pad.
    let other = pad_id(9);
    room.now = room.now.plus_ms(1000);
    room.direct(welcome(other, 3));
    let known = &room.keeper.state().club.pads;
    assert_eq!(known.of_number(12), Some(other));
    assert_eq!(known.known.get(&pad).map(|pad| pad.number), Some(0));
    assert_eq!(known.usual_channel(), 3, "the next one goes there, too");
    assert_eq!(known.channel_for(pad), 5, "and this one stays where it was");
}

#[test]
fn a_stolen_pad_is_not_welcomed_before_it_is_trusted_again() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    room.direct(revoke(3));
    let pad = pad_id(3);
    let refused = room.refused(welcomed(pad, 1));
    assert!(refused.contains("is revoked: trust it again"), "{refused}");
}

#[test]
fn while_the_key_is_renewed_the_club_knows_who_has_the_new_one() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    let (one, other) = (pad_id(1), pad_id(2));
    for (pad, number) in [(one, 1), (other, 2)] {
        room.direct(welcomed(pad, number));
    }
    let refused = room.refused(trust(Trust::OldKeyEnded));
    assert!(refused.contains("is not being renewed"), "{refused}");
    room.now = room.now.plus_ms(1000);
    room.direct(trust(Trust::KeyRenewed));
    let has_it = |room: &Room, pad| room.keeper.state().club.pads.has_new_key(pad);
    assert!(!has_it(&room, one) && !has_it(&room, other));
    room.now = room.now.plus_ms(1000);
    room.direct(trust(Trust::PadRenewed { pad: one }));
    assert!(has_it(&room, one) && !has_it(&room, other));
    let policy = room.keeper.state().club.policy();
    assert_eq!(policy.renewed.into_iter().collect::<Vec<_>>(), [one]);
    // The other was in the cupboard: it gets the new key by cable.
    room.direct(welcomed(other, 2));
    assert!(has_it(&room, other));
    room.direct(trust(Trust::OldKeyEnded));
    assert_eq!(room.keeper.state().club.pads.renewing, None);
    assert!(room.keeper.state().club.policy().renewed.is_empty());
}
