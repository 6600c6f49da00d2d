//! What somebody can do who has one pad's flash, and what he can't; and who speaks version 1.

use std::collections::BTreeSet;

use crate::client::{Client, Wire, body, framed, tag_of};
use crate::common::{CLUB, Pair, entry, received};
use protocol::frame::{AssociationNumber, NetworkId};
use protocol::link::{Hub, PadEvent, PadIdentity, PadLink, Policy, Port, Timing};
use protocol::message::{
    CheckIn, Down, EntryNumber, FirmwareVersion, LogOn, RefusalReason, Up, WIRE_VERSION,
};
use protocol::time::{Instant, Span};
use protocol::wire::Message;
use protocol::words::{PadId, RoundNumber, SectionLetter, TableNumber};

/// The pad of [`Pair`].
const VICTIM: u32 = 0x00C0_FFEE;
const STOLEN: u32 = 0x0BAD_0001;

fn pad(id: u32) -> PadId {
    PadId::new(id).unwrap()
}

/// The base hears a frame; what it answers in its next window.
fn answers(pair: &mut Pair, frame: &[u8]) -> Vec<Vec<u8>> {
    pair.hub.handle_receive(Port(0), frame, pair.now);
    let mut answers = Vec::new();
    if let Some(at) = pair.hub.poll_timeout() {
        pair.now = pair.now.max(at);
        while let Some((_, frame)) = pair.hub.poll_transmit(pair.now) {
            answers.push(frame.to_vec());
        }
    }
    answers
}

#[test]
fn a_thief_of_a_pad_cannot_speak_for_the_base() {
    let mut pair = Pair::new(&CLUB);
    pair.send(&entry(1));
    let hello = pair.next_frame_unheard();
    // Made with the stolen pad's own key, and with what all pads of version 1 share.
    let victim = Client::new(VICTIM, Wire::Two);
    for (wire, kind) in [(Wire::Two, 0xF0), (Wire::One, 0x70)] {
        let thief = Client::new(STOLEN, wire);
        for claimed in [victim.pad, thief.pad] {
            let forged = thief.forge_stranger(victim.head(kind), &hello, claimed);
            pair.let_pad_listen();
            let before = pair.pad.tally();
            pair.pad.handle_receive(&forged, pair.now);
            assert_eq!(pair.pad.tally().forged, before.forged + 1);
            assert_eq!(pair.pad.tally().accepted, before.accepted);
        }
    }
    // It is not silenced: its result arrives.
    pair.run_until_call();
    pair.answer(vec![received(1, None)]);
    pair.run_for(Span::from_secs(2));
    assert!(pair.events.contains(&PadEvent::Answered));
}

#[test]
fn a_thief_of_a_pad_cannot_speak_for_another_pad() {
    let mut pair = Pair::associated();
    let before = pair.hub.tally();
    let mut thief = Client::new(STOLEN, Wire::Two);
    thief.pad = VICTIM.to_le_bytes();
    let frames = [thief.hello([5; 8]), thief.open(&[0x0A])];
    for frame in frames {
        assert_eq!(answers(&mut pair, &frame), Vec::<Vec<u8>>::new());
    }
    assert_eq!(pair.hub.poll_call(), None);
    let after = pair.hub.tally();
    assert_eq!(after.accepted, before.accepted);
    assert_eq!(
        after.forged + after.replayed,
        before.forged + before.replayed + 2
    );
}

#[test]
fn a_call_with_a_copied_tag_draws_nothing_that_a_pad_believes() {
    for version_1 in [false, true] {
        let mut pair = Pair::associated();
        let policy = Policy {
            version_1,
            ..Policy::default()
        };
        pair.hub.set_policy(policy);
        pair.send(&entry(1));
        let call = pair.next_frame_unheard();
        let victim = Client::new(VICTIM, Wire::Two);
        for (kind, rest) in [(0x80, 2), (0x00, 2), (0xA0, 9), (0x20, 7)] {
            let mut copied = victim.head(kind).to_vec();
            copied.extend([9].repeat(rest));
            if rest > 2 {
                copied[4..8].copy_from_slice(&victim.pad);
            }
            copied.extend(tag_of(&call));
            let drawn = answers(&mut pair, &framed(&copied));
            if kind & 0x80 != 0 {
                assert!(drawn.is_empty(), "{kind:02x} draws {drawn:?}");
            }
            for frame in drawn {
                pair.let_pad_listen();
                let before = pair.pad.tally();
                pair.pad.handle_receive(&frame, pair.now);
                assert_eq!(pair.pad.tally().accepted, before.accepted, "{kind:02x}");
            }
        }
        pair.run_until_call();
        pair.answer(vec![received(1, None)]);
        pair.run_for(Span::from_secs(3));
        assert!(pair.events.contains(&PadEvent::Answered));
    }
}

#[test]
fn version_1_is_taken_only_while_the_club_allows_it() {
    let mut pair = Pair::new(&CLUB);
    let allow = |version_1| Policy {
        version_1,
        ..Policy::default()
    };
    let mut old = Client::new(STOLEN, Wire::One);
    // Not allowed unless somebody says so: it learns that it is too old, and no more.
    let hello = old.hello([1; 8]);
    let told = answers(&mut pair, &hello);
    assert_eq!(old.believes(&told[0], &hello), Some(2));
    assert_eq!(answers(&mut pair, &old.open(&[0x0A])).len(), 1);
    assert_eq!(pair.hub.tally().old_version, 2);
    assert_eq!(pair.hub.poll_call(), None);

    pair.hub.set_policy(allow(true));
    let hello = old.hello([2; 8]);
    let told = answers(&mut pair, &hello);
    assert_eq!(old.believes(&told[0], &hello), Some(1));
    let open = old.open(&[0x0A]);
    pair.hub.handle_receive(Port(0), &open, pair.now);
    let call = pair.hub.poll_call().expect("an old pad is understood");
    assert_eq!((call.pad, call.message), (pad(STOLEN), Up::CallDirector));
    pair.hub.answer(pad(STOLEN), [], pair.now);

    // In the middle of the evening the director ends it.
    pair.hub.set_policy(allow(false));
    let counted = pair.hub.tally().old_version;
    pair.hub
        .handle_receive(Port(0), &old.open(&[0x0B]), pair.now);
    assert_eq!(pair.hub.poll_call(), None);
    assert_eq!(pair.hub.tally().old_version, counted + 1);
}

#[test]
fn a_pad_that_speaks_version_2_does_not_go_back() {
    let mut pair = Pair::associated();
    pair.hub.set_policy(Policy {
        version_1: true,
        ..Policy::default()
    });
    let mut downgraded = Client::new(VICTIM, Wire::One);
    for frame in [downgraded.hello([3; 8]), downgraded.open(&[0x0A])] {
        assert_eq!(answers(&mut pair, &frame), Vec::<Vec<u8>>::new());
    }
    assert_eq!(pair.hub.poll_call(), None);
    assert_eq!(pair.hub.tally().old_version, 2);
}

#[test]
fn a_revoked_pad_has_no_effect_and_is_counted_and_comes_back_when_it_is_found() {
    let mut pair = Pair::associated();
    let policy = |revoked: &[u32]| Policy {
        revoked: revoked.iter().map(|id| pad(*id)).collect::<BTreeSet<_>>(),
        ..Policy::default()
    };
    pair.hub.set_policy(policy(&[VICTIM]));
    let before = pair.hub.tally();
    let frames = pair.frames.len();
    pair.send(&entry(1));
    pair.run_for(Span::from_secs(120));
    assert_eq!(pair.hub.poll_call(), None);
    let after = pair.hub.tally();
    let said = u32::try_from(pair.frames.len() - frames).unwrap();
    assert!(said > 3, "it goes on trying");
    assert_eq!(after.revoked, said, "and nobody answers: {after:?}");
    assert_eq!(after.accepted, before.accepted);
    pair.hub.set_policy(policy(&[STOLEN]));
    pair.run_until_call();
    pair.answer(vec![received(1, None)]);
    pair.run_for(Span::from_secs(3));
    assert!(pair.events.contains(&PadEvent::Answered));
}

#[test]
fn point_15_an_entry_that_cannot_be_understood_is_refused_to_a_client_that_knows_only_the_page() {
    // A kind of result that does not exist, and one that only the director gives (*awarded*).
    for result in [&[7][..], &[6, 0, 0, 0]] {
        let mut pair = Pair::new(&CLUB);
        let mut client = Client::new(STOLEN, Wire::Two);
        let hello = client.hello([4; 8]);
        let told = answers(&mut pair, &hello);
        assert_eq!(client.believes(&told[0], &hello), Some(2));
        // Entry 3, round 1, board 5.
        let open = client.open(&[&[0x80, 3, 0, 1, 1, 5], result].concat());
        let answer = answers(&mut pair, &open);
        let body = body(&answer[0]);
        let info: [&[u8]; 3] = [b"byestand 2 down", &[1], &[1, 0, 0, 0]];
        let key = crate::client::derive(&crate::client::BASE, &client.key, &info);
        let counter = [body[3], 0, 0, 0];
        let nonce = crate::client::nonce(&[&[0x90], &client.pad, &[1, 0, 0, 0], &counter]);
        let content = crate::client::opened(key, nonce, &body, 5).expect("it is for us");
        let refused = Down::Refused {
            number: Some(EntryNumber(3)),
            reason: RefusalReason::Impossible,
        };
        // Taken, and an urgent unit follows.
        assert_eq!(content[0] & 0b1001_0000, 0b0001_0000);
        assert_eq!(Down::decode(&content[1..]), Some(refused));
    }
}

fn link(reserved: u32, seed: u64) -> PadLink {
    let identity = PadIdentity {
        pad: pad(VICTIM),
        network: NetworkId::new(1),
        keys: CLUB.for_pad(pad(VICTIM)),
    };
    PadLink::new(identity, Timing::COMMON, AssociationNumber(reserved), seed)
}

/// The first frame of a pad that wants to say something.
fn first_frame(link: &mut PadLink, flash_works: bool) -> Option<Vec<u8>> {
    let mut now = Instant::ZERO;
    link.send(&Up::CallDirector, now).unwrap();
    for _ in 0..50 {
        while let Some(event) = link.poll_event() {
            match event {
                PadEvent::Reserve(number) if flash_works => link.reserved(number),
                _ => {}
            }
        }
        if let Some(frame) = link.poll_transmit(now) {
            return Some(frame.to_vec());
        }
        now = now.max(link.poll_timeout()?);
        link.handle_timeout(now);
    }
    None
}

#[test]
fn no_two_hellos_have_the_same_salt_and_none_goes_before_flash_has_seen_the_start() {
    let salt = |frame: Option<Vec<u8>>| body(&frame.expect("a hello"))[10..18].to_vec();
    // The same chip, the same seed, and nothing but the number in flash tells two starts apart.
    let salts: BTreeSet<Vec<u8>> = (0..50)
        .map(|start| salt(first_frame(&mut link(start * 16, 1), true)))
        .collect();
    assert_eq!(salts.len(), 50);
    assert_eq!(first_frame(&mut link(0, 1), false), None);
}

#[test]
fn association_numbers_neither_run_out_in_silence_nor_repeat() {
    // Near the end a pad asks for a key, once, and goes on.
    let near = AssociationNumber::NEAR_END.0;
    for (reserved, asks) in [(near - 1, false), (near, true), (u32::MAX - 1, true)] {
        let mut pad = link(reserved, 1);
        let events: Vec<_> = (0..10).filter_map(|_| pad.poll_event()).collect();
        let asked = events.iter().filter(|it| **it == PadEvent::KeyRunsLow);
        assert_eq!(asked.count(), usize::from(asks), "{reserved}: {events:?}");
        assert!(!events.contains(&PadEvent::KeyUsedUp));
    }
    let mut last = link(u32::MAX - 1, 1);
    assert!(first_frame(&mut last, true).is_some(), "there is one more");
    let mut spent = link(u32::MAX, 1);
    let mut events = Vec::new();
    for _ in 0..10 {
        events.extend(spent.poll_event());
    }
    assert_eq!(events, [PadEvent::KeyUsedUp], "and it says so once");
    assert_eq!(first_frame(&mut spent, true), None);
}

/// The base is started again, with its journal or without.
fn start_again(pair: &mut Pair, expects: bool) {
    let nonce = protocol::frame::BaseNonce([2; 8]);
    pair.hub = Hub::new(CLUB, NetworkId::new(1), Timing::COMMON, nonce);
    pair.hub.expect(expects.then_some(pad(VICTIM)));
}

#[test]
fn a_base_of_another_start_that_expects_the_pad_is_met_within_one_contact() {
    let mut pair = Pair::associated();
    start_again(&mut pair, true);
    pair.frames.clear();
    pair.send(&entry(1));
    let before = pair.now;
    pair.run_until_call();
    assert!(pair.now.since(before) < Span::from_millis(2_100));
    assert!(!pair.events.contains(&PadEvent::Waiting));
    let is_hello = |frame: &[u8]| body(frame)[0] & 0xF0 == 0x40;
    let asked = pair.frames.iter().any(|frame| is_hello(&frame.bytes));
    assert!(!asked, "nobody had to ask who is there");
}

#[test]
fn a_base_that_does_not_expect_the_pad_is_met_all_the_same() {
    // Who claims a table asks first; whoever has only a result to send finds out later.
    let claim = Up::LogOn(LogOn {
        section: SectionLetter::A,
        table: TableNumber::new(1).unwrap(),
        wire_version: WIRE_VERSION,
        firmware: FirmwareVersion(1, 0, 0),
        state: CheckIn {
            battery_20_mv: 150,
            signal_minus_dbm: 60,
            unsent: 0,
            round: RoundNumber::FIRST,
        },
    });
    for (message, within) in [(claim, 3), (entry(1), 90)] {
        let mut pair = Pair::associated();
        start_again(&mut pair, false);
        pair.send(&message);
        let before = pair.now;
        pair.run_until_call();
        assert!(pair.now.since(before) < Span::from_secs(within), "{within}");
    }
}

/// A pad that was out of touch finds its base again, and the answer to its result is lost: it calls
/// again soon, instead of asking in every contact who is there.
#[test]
fn a_pad_that_has_just_met_its_base_again_says_its_result_soon_and_asks_nobody_anew() {
    let kind = |frame: &[u8]| body(frame)[0] & 0xF0;
    let mut pair = Pair::associated();
    pair.send(&entry(1));
    let asks = |pair: &Pair| pair.frames.last().is_some_and(|it| kind(&it.bytes) == 0x40);
    pair.run_unheard_until(asks);
    // The base hears the next question and answers it; the call behind it is heard by nobody.
    let asked = pair.frames.len();
    let met = |pair: &Pair| {
        let since = &pair.frames[asked..];
        let met = since.iter().position(|it| kind(&it.bytes) == 0xF0);
        met.is_some_and(|at| since[at..].iter().any(|it| kind(&it.bytes) == 0x80))
    };
    pair.run_until(met);
    let (called, at) = (pair.frames.len(), pair.now);
    pair.lose_everything_for(Span::from_millis(2_500));
    pair.run_until_call();
    let waited = pair.now.since(at);
    assert!(
        waited < Span::from_secs(8),
        "after {} ms",
        waited.as_millis()
    );
    let since = pair.frames[called..].iter();
    assert!(
        since.clone().all(|it| kind(&it.bytes) != 0x40),
        "nobody is asked again"
    );
}

#[test]
fn what_a_new_base_says_to_an_expected_pad_is_for_the_frame_it_answers_alone() {
    let mut pair = Pair::associated();
    start_again(&mut pair, true);
    pair.send(&entry(1));
    let call = pair.next_frame_unheard();
    let victim = Client::new(VICTIM, Wire::Two);
    // Somebody calls in its name, with a tag of his own.
    let mut forged = victim.head(0x80).to_vec();
    forged.extend([9; 10]);
    let drawn = answers(&mut pair, &framed(&forged));
    assert_eq!(drawn.len(), 1, "the base can't tell who called");
    pair.let_pad_listen();
    let before = pair.pad.tally();
    pair.pad.handle_receive(&drawn[0], pair.now);
    assert_eq!(pair.pad.tally().accepted, before.accepted);
    // The pad's own frame draws the same, and that it believes, once.
    let drawn = answers(&mut pair, &call);
    pair.let_pad_listen();
    pair.pad.handle_receive(&drawn[0], pair.now);
    assert_eq!(pair.pad.tally().accepted, before.accepted + 1);
    pair.pad.handle_receive(&drawn[0], pair.now);
    assert_eq!(pair.pad.tally().accepted, before.accepted + 1);
    // A revoked pad is told nothing.
    start_again(&mut pair, true);
    pair.hub.set_policy(Policy {
        revoked: BTreeSet::from([pad(VICTIM)]),
        ..Policy::default()
    });
    assert_eq!(answers(&mut pair, &call), Vec::<Vec<u8>>::new());
}
