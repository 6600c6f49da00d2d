//! What a phone shows and sends before and after the browser's storage has what it must keep.

use pad::Key;
use phone::{Page, Phone, Reply, Request, Settled, Start};
use protocol::frame::ClubKey;
use protocol::time::{Instant, Span};
use protocol::words::{PadId, SectionLetter, TableNumber};

const NOW: Instant = Instant::from_millis(1_000);

fn fresh() -> (Phone, Reply) {
    let pad = PadId::new(0x0F00_0007).unwrap();
    let start = Start {
        pad,
        seed: 7,
        stored: Vec::new(),
        given: Some((ClubKey::new([5; 32]).for_pad(pad), 3)),
    };
    let mut phone = Phone::start(start, NOW).expect("a phone");
    let reply = phone.settle(NOW);
    (phone, reply)
}

/// Says that all is written until the phone is settled; collects what was written.
fn write_all(phone: &mut Phone, mut reply: Reply, pages: &mut Vec<Page>) -> Settled {
    for _ in 0..50 {
        match reply {
            Reply::Settled(settled) => return *settled,
            Reply::Write(more) => {
                pages.extend(more);
                reply = phone.ask(Request::Written(true), NOW);
            }
        }
    }
    panic!("it never settles");
}

/// Logs the table on, and waits until the phone calls.
fn logs_on(phone: &mut Phone, pages: &mut Vec<Page>) -> Settled {
    let reply = phone.ask(log_on(), NOW);
    let mut settled = write_all(phone, reply, pages);
    for _ in 0..3 {
        if settled.frames.is_empty() {
            let reply = phone.ask(Request::Tick, NOW);
            settled = write_all(phone, reply, pages);
        }
    }
    settled
}

fn log_on() -> Request {
    Request::LogOn(SectionLetter::A, TableNumber::new(12).unwrap())
}

#[test]
fn a_phone_says_nothing_before_its_keys_and_numbers_are_kept() {
    let (mut phone, reply) = fresh();
    assert!(matches!(reply, Reply::Write(_)), "the keys come first");
    let mut pages = Vec::new();
    let settled = write_all(&mut phone, reply, &mut pages);
    assert_eq!(settled.face.screen, "Start");
    assert!(settled.frames.is_empty());
    assert!(
        pages.len() > 1,
        "and then a number for the link is reserved"
    );
    let settled = logs_on(&mut phone, &mut pages);
    assert_eq!(settled.face.screen, "LoggingOn");
    assert_eq!(settled.frames.len(), 1, "and then it calls");
}

#[test]
fn a_phone_whose_storage_takes_nothing_says_so_and_sends_nothing() {
    let (mut phone, mut reply) = fresh();
    let mut refusals = 0;
    while matches!(reply, Reply::Write(_)) {
        reply = phone.ask(Request::Written(false), NOW);
        refusals += 1;
        assert!(refusals < 20, "it does not ask for ever");
    }
    let Reply::Settled(settled) = reply else {
        panic!("settled");
    };
    assert_eq!(settled.face.alert, "CANNOT SAVE");
    let mut reply = phone.ask(log_on(), NOW);
    for _ in 0..20 {
        if let Reply::Write(_) = reply {
            reply = phone.ask(Request::Written(false), NOW);
        }
    }
    let Reply::Settled(settled) = reply else {
        panic!("settled");
    };
    assert!(settled.frames.is_empty(), "no number is reserved");
}

#[test]
fn a_phone_whose_storage_has_room_again_keeps_everything_and_goes_on() {
    let (mut phone, mut reply) = fresh();
    while matches!(reply, Reply::Write(_)) {
        reply = phone.ask(Request::Written(false), NOW);
    }
    let Reply::Settled(settled) = reply else {
        panic!("settled");
    };
    assert!(!settled.kept && settled.frames.is_empty());
    // It is asked again by itself, for all that it owes.
    let reply = phone.ask(Request::Tick, NOW);
    assert!(matches!(reply, Reply::Write(_)));
    let mut pages = Vec::new();
    let settled = write_all(&mut phone, reply, &mut pages);
    assert!(settled.kept && !pages.is_empty());
    assert_eq!(settled.face.alert, "", "nothing is wrong any more");
    let settled = logs_on(&mut phone, &mut pages);
    assert_eq!(settled.frames.len(), 1, "and it calls");
}

#[test]
fn a_tab_that_was_killed_comes_back_with_what_was_written() {
    let (mut phone, reply) = fresh();
    let mut pages = Vec::new();
    write_all(&mut phone, reply, &mut pages);
    let stored = pages
        .into_iter()
        .map(|page| {
            let digits = page.bytes.as_bytes().chunks(2);
            let bytes = digits.map(|it| u8::from_str_radix(std::str::from_utf8(it).unwrap(), 16));
            (page.page, bytes.map(Result::unwrap).collect())
        })
        .collect();
    let start = Start {
        pad: PadId::new(0x0F00_0007).unwrap(),
        seed: 8,
        stored,
        given: None,
    };
    let later = NOW + Span::from_secs(3_600);
    let mut again = Phone::start(start, later).expect("a phone");
    assert!(again.app().keys().is_some(), "it still has its keys");
    assert_eq!(again.app().radio().network, 3);
    let reply = again.settle(later);
    let settled = write_all(&mut again, reply, &mut Vec::new());
    let keys: Vec<&str> = settled.face.keys.iter().map(|key| &*key.label).collect();
    assert_eq!(keys, ["OK: start", "DIRECTOR"], "only what means something");
}

#[test]
fn rubbish_through_the_door_is_answered_with_nothing_and_harms_nobody() {
    for rubbish in [
        "",
        "{}",
        "null",
        "{\"press\":{\"now_ms\":1,\"key\":99}}",
        "[1]",
    ] {
        assert_eq!(phone::door::ask(rubbish), None, "{rubbish}");
    }
    let (mut phone, reply) = fresh();
    write_all(&mut phone, reply, &mut Vec::new());
    phone.ask(Request::Receive(vec![0, 1, 2, 3, 0]), NOW);
    phone.ask(Request::Press(Key::Seven), NOW);
    assert!(matches!(
        phone.ask(Request::Tick, NOW),
        Reply::Settled(_) | Reply::Write(_)
    ));
}
