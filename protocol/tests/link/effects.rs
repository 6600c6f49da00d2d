//! Both ends of the link, frame by frame: what has an effect and what has none.

use crate::common::{CLUB, Pair, entry, large_traveller, received, welcome};
use protocol::frame::{BaseNonce, ClubKey, NetworkId};
use protocol::link::{Hub, Modem, PadEvent, Port, Timing};
use protocol::message::{CheckIn, Down, EntryNumber, Up, Welcome};
use protocol::time::Span;
use protocol::words::{Percentage, RoundNumber, SessionId};

#[test]
fn a_result_and_its_answer_are_as_short_as_promised() {
    let mut pair = Pair::associated();
    pair.frames.clear();
    pair.two_results();
    let lengths: Vec<usize> = pair.frames.iter().map(|frame| frame.bytes.len()).collect();
    // Both answers fit twice into the base's window, so they are sent twice.
    let promised = "promised: 32, 20, 32, 24";
    assert_eq!(lengths, [26, 20, 20, 26, 22, 22], "{promised}");
    // Where frame counters and entry numbers are large the frames are not longer.
    pair.send(&entry(60_000));
    pair.run_until_call();
    pair.answer(vec![received(60_000, Percentage::whole(62))]);
    pair.run_for(Span::from_secs(2));
    assert_eq!(pair.frames.last().unwrap().bytes.len(), 22);
}

#[test]
fn a_flipped_bit_anywhere_has_no_effect_and_is_counted() {
    let mut pair = Pair::associated();
    pair.send(&entry(1));
    let frame = pair.next_frame_unheard();
    let before = pair.hub.tally();
    let mut turned_away = 0;
    for bit in 8..(frame.len() - 1) * 8 {
        let mut flipped = frame.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        pair.hub.handle_receive(Port(0), &flipped, pair.now);
        pair.hub.handle_receive(Port(0), &[0], pair.now);
        turned_away += 1;
        assert_eq!(pair.hub.poll_call(), None, "bit {bit}");
    }
    let after = pair.hub.tally();
    assert_eq!(after.accepted, before.accepted);
    let counted =
        after.forged + after.garbled + after.other_network + after.strangers + after.old_epoch
            - before.strangers;
    assert!(
        counted >= turned_away * 9 / 10,
        "{counted} of {turned_away}"
    );
    pair.hub.handle_receive(Port(0), &frame, pair.now);
    assert!(
        pair.hub.poll_call().is_some(),
        "the true frame still counts"
    );
}

#[test]
fn a_replayed_frame_has_no_effect_and_is_counted() {
    let mut pair = Pair::associated();
    pair.send(&entry(1));
    let frame = pair.next_frame_unheard();
    pair.hub.handle_receive(Port(0), &frame, pair.now);
    assert!(pair.hub.poll_call().is_some());
    pair.answer(vec![received(1, None)]);
    for times in 1..=50 {
        pair.hub.handle_receive(Port(0), &frame, pair.now);
        assert_eq!(pair.hub.poll_call(), None);
        assert_eq!(pair.hub.tally().replayed, times);
    }
}

#[test]
fn two_events_in_one_room_never_mix() {
    let mut pair = Pair::associated();
    let nonce = BaseNonce([9; 8]);
    let mut other = Hub::new(CLUB, NetworkId::new(2), Timing::COMMON, nonce);
    pair.send(&entry(1));
    let frame = pair.next_frame_unheard();
    other.handle_receive(Port(0), &frame, pair.now);
    assert_eq!(other.poll_call(), None);
    assert_eq!(other.poll_timeout(), None, "it does not even answer");
    assert_eq!(other.tally().other_network, 1);
}

#[test]
fn a_base_that_was_restored_from_a_backup_takes_nothing_from_before() {
    let mut pair = Pair::associated();
    pair.send(&entry(1));
    let frame = pair.next_frame_unheard();
    pair.hub = Hub::new(CLUB, NetworkId::new(1), Timing::COMMON, BaseNonce([2; 8]));
    pair.hub.handle_receive(Port(0), &frame, pair.now);
    assert_eq!(pair.hub.poll_call(), None);
    assert_eq!(pair.hub.tally().strangers, 1);
    // The pad finds out by itself, and the result arrives all the same.
    pair.run_until_call();
    pair.answer(vec![received(1, None)]);
    pair.run_for(Span::from_secs(2));
    assert!(pair.events.contains(&PadEvent::Answered));
}

#[test]
fn a_pad_of_another_club_says_so() {
    let mut pair = Pair::new(&ClubKey::new([8; 32]));
    pair.send(&entry(1));
    pair.run_for(Span::from_secs(2));
    assert!(pair.events.contains(&PadEvent::AnotherClub));
    assert!(pair.hub.tally().other_club >= 1);
    assert_eq!(pair.hub.tally().accepted, 0);
}

#[test]
fn a_modem_that_spoils_its_first_byte_does_no_harm() {
    for spoilt in [1, 0x13, 0x7F, 0xFF] {
        let mut pair = Pair::associated();
        pair.send(&entry(1));
        let mut frame = pair.next_frame_unheard();
        frame[0] = spoilt;
        pair.hub.handle_receive(Port(0), &frame, pair.now);
        assert!(pair.hub.poll_call().is_some(), "{spoilt}");
    }
}

#[test]
fn what_a_replaced_pad_says_is_marked_with_its_epoch_and_counted() {
    let mut pair = Pair::associated();
    pair.send(&Up::CallDirector);
    let call = pair.run_until_call();
    assert_eq!(call.binding, None, "nobody has welcomed it yet");
    pair.answer(vec![welcome(5)]);
    pair.run_for(Span::from_secs(3));
    pair.send(&entry(1));
    let call = pair.run_until_call();
    assert_eq!(call.binding.unwrap().epoch.get(), 5);
    assert_eq!(pair.hub.tally().old_epoch, 0);
    let taken = pair.hub.tally().accepted;
    pair.answer(vec![Down::Replaced]);
    assert_eq!(
        pair.hub.tally().old_epoch,
        1,
        "the first one after a restart"
    );
    assert_eq!(pair.hub.tally().accepted, taken - 1);
    pair.run_for(Span::from_secs(2));
    pair.send(&entry(2));
    pair.run_until_call();
    assert_eq!(pair.hub.tally().old_epoch, 2);
}

#[test]
fn a_replayed_hello_or_open_is_counted_and_draws_at_most_an_answer_that_nobody_believes() {
    let mut pair = Pair::new(&CLUB);
    pair.send(&entry(1));
    pair.run_until_call();
    pair.answer(vec![received(1, None)]);
    pair.run_for(Span::from_secs(2));
    let heard: Vec<Vec<u8>> = pair.frames.iter().map(|sent| sent.bytes.clone()).collect();
    let knows = |pair: &Pair| pair.hub.pads().collect::<Vec<_>>();
    let before = (pair.hub.tally(), knows(&pair));
    for frame in &heard {
        pair.hub.handle_receive(Port(0), frame, pair.now);
        assert_eq!(pair.hub.poll_call(), None, "it says nothing new");
    }
    let after = pair.hub.tally();
    assert_eq!(after.accepted, before.0.accepted);
    assert_eq!(knows(&pair), before.1, "and nothing is known anew");
    assert!(after.strangers > before.0.strangers, "the hello is counted");
    assert!(after.replayed > before.0.replayed, "and so is the open");
    // The pad's own conversation goes on under the keys it has.
    pair.events.clear();
    let sent = pair.frames.len();
    pair.send(&entry(2));
    pair.run_until_call();
    pair.answer(vec![received(2, None)]);
    pair.run_for(Span::from_secs(2));
    assert!(pair.events.contains(&PadEvent::Answered));
    let call = &pair.frames[sent..].iter().find(|it| it.bytes.len() == 26);
    assert!(
        call.is_some(),
        "no hello in between: {:?}",
        &pair.frames[sent..]
    );
}

#[test]
fn a_download_does_not_hold_up_a_result() {
    let mut pair = Pair::associated();
    let pad = pair.pad_id();
    pair.hub.post(pad, large_traveller(), pair.now);
    pair.send(&Up::CallDirector);
    pair.run_until_call();
    pair.answer(vec![]);
    pair.run_until(|pair| pair.frames.iter().filter(|frame| frame.is_long()).count() == 2);
    pair.send_when_ready(&entry(1));
    pair.run_until_call();
    pair.answer(vec![received(1, None)]);
    pair.run_for(Span::from_secs(8));
    let place = |wanted: fn(&Down) -> bool| pair.messages().position(wanted).expect("it came");
    let result = place(
        |message| matches!(message, Down::Received { number, .. } if *number == EntryNumber(1)),
    );
    let traveller = place(|message| matches!(message, Down::Feedback(_)));
    assert!(result < traveller);
    assert!(pair.messages().any(|message| *message == large_traveller()));
}

#[test]
fn a_message_that_was_taken_back_does_not_swallow_the_next() {
    let mut pair = Pair::associated();
    pair.send(&entry(1));
    pair.run_until_call();
    // The base has it, but its answer never comes; the players go on to something else.
    pair.pad.withdraw();
    pair.answer(vec![]);
    pair.send(&entry(2));
    let call = pair.run_until_call();
    assert_eq!(call.message, entry(2));
}

#[test]
fn a_download_that_is_broken_off_goes_on_and_the_modem_rests_meanwhile() {
    let mut pair = Pair::associated();
    let state = CheckIn {
        battery_20_mv: 140,
        signal_minus_dbm: 0,
        unsent: 0,
        round: RoundNumber::FIRST,
    };
    pair.pad.report(Some(state), pair.now);
    pair.send_when_ready(&entry(1));
    pair.run_until_call();
    pair.answer(vec![received(1, None), large_traveller()]);
    pair.run_until(|pair| pair.events.contains(&PadEvent::Answered) && pair.pad.is_ready());
    // Somebody walks through the line of sight just now.
    pair.run_unheard_until(|pair| pair.pad.modem() == Modem::Off);
    pair.run_for(Span::from_secs(90));
    assert!(pair.messages().any(|message| *message == large_traveller()));
}

#[test]
fn a_base_whose_program_is_scheduled_late_still_gets_a_traveller_through() {
    for baud in [9_600, 19_200, 57_600, 115_200, 230_400, 460_800, 921_600] {
        let mut pair = Pair::on_a_line(&CLUB, Timing::at_baud(baud));
        pair.base_is_late = Span::from_millis(3);
        let pad = pair.pad_id();
        pair.hub.post(pad, large_traveller(), pair.now);
        pair.send(&Up::CallDirector);
        pair.run_until_call();
        pair.answer(vec![]);
        pair.run_for(Span::from_secs(10));
        let came = pair.messages().any(|message| *message == large_traveller());
        assert!(came, "at {baud} baud: {:?}", pair.events);
    }
}

#[test]
fn what_waited_since_last_week_is_not_told_after_a_new_welcome() {
    let mut pair = Pair::associated();
    let pad = pair.pad_id();
    let welcome_to = |session| match welcome(1) {
        Down::Welcome(welcome) => Down::Welcome(Welcome {
            session: SessionId::new(session).expect("a session"),
            ..welcome
        }),
        other => other,
    };
    for (session, waiting) in [(1, vec![large_traveller()]), (2, vec![])] {
        pair.send_when_ready(&entry(1));
        pair.run_until_call();
        pair.events.clear();
        pair.answer(vec![welcome_to(session)]);
        pair.run_for(Span::from_secs(30));
        let heard: Vec<Down> = pair.messages().cloned().collect();
        assert_eq!(heard, [welcome_to(session)]);
        for message in waiting {
            pair.hub.post(pad, message, pair.now);
        }
    }
}
