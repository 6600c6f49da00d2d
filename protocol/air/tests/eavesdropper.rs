//! The listener that guards nonces must notice when one is used twice, or it is worth nothing.

use air::{Eavesdropper, Heard};
use protocol::frame::{AssociationNumber, BaseNonce, ClubKey, NetworkId};
use protocol::link::{Hub, PadEvent, PadIdentity, PadLink, Port, Timing};
use protocol::message::{Entry, EntryNumber, Up};
use protocol::time::{Instant, Span};
use protocol::words::{BoardNumber, BoardResult, PadId, RoundNumber};

const CLUB: [u8; 32] = [7; 32];

/// A pad and a base meet, and the pad says one thing; somebody listens.
fn meet(listener: &mut Eavesdropper, base: u8, reserved: u32, board: u8) {
    let club = ClubKey::new(CLUB);
    let pad = PadId::new(0x00C0_FFEE).expect("a pad");
    let identity = PadIdentity {
        pad,
        network: NetworkId::new(1),
        keys: club.for_pad(pad),
    };
    let timing = Timing::COMMON;
    let seed = u64::from(reserved) << 32 | u64::from(board);
    let mut link = PadLink::new(identity, timing, AssociationNumber(reserved), seed);
    let mut hub = Hub::new(club, NetworkId::new(1), timing, BaseNonce([base; 8]));
    let mut now = Instant::ZERO;
    let message = Up::Entry(Entry {
        number: EntryNumber(1),
        round: RoundNumber::FIRST,
        agreed_in: RoundNumber::FIRST,
        board: BoardNumber::new(board).expect("a board"),
        result: BoardResult::PassedOut,
        correction: false,
        by_director: false,
    });
    link.send(&message, now).expect("it is ready");
    let mut on_air: Vec<(Instant, bool, Vec<u8>)> = Vec::new();
    while !link.is_ready() {
        assert!(now < Instant::ZERO + Span::from_secs(20), "they never met");
        now += Span::from_millis(1);
        while let Some(event) = link.poll_event() {
            if let PadEvent::Reserve(number) = event {
                link.reserved(number);
            }
        }
        link.handle_timeout(now);
        while let Some(call) = hub.poll_call() {
            hub.answer(call.pad, [], now);
        }
        let from_pad = link.poll_transmit(now).map(|frame| (true, frame));
        let from_base = hub.poll_transmit(now).map(|(_, frame)| (false, frame));
        for (up, frame) in from_pad.into_iter().chain(from_base) {
            listener.hear_frame(&frame);
            let heard = now + timing.turnaround + timing.airtime(frame.len());
            on_air.push((heard, up, frame.to_vec()));
        }
        on_air.retain(|(heard, up, frame)| {
            match (*heard <= now, up) {
                (true, true) => hub.handle_receive(Port(0), frame, now),
                (true, false) => link.handle_receive(frame, now),
                (false, _) => return true,
            }
            false
        });
    }
}

fn heard(meetings: &[(u8, u32, u8)]) -> Heard {
    let mut listener = Eavesdropper::new(CLUB);
    for (base, reserved, board) in meetings {
        meet(&mut listener, *base, *reserved, *board);
    }
    listener.heard()
}

#[test]
fn a_restarted_pad_and_a_restarted_base_use_no_nonce_twice() {
    let heard = heard(&[(1, 0, 1), (2, 16, 2), (3, 16, 3), (3, 32, 4)]);
    assert_eq!((heard.twice.len(), heard.twice_empty.len()), (0, 0));
    assert_eq!(heard.unread, 0);
    assert_eq!((heard.bases, heard.associations), (3, 4));
}

#[test]
fn a_base_without_a_new_nonce_and_a_pad_that_forgot_its_numbers_are_noticed() {
    let heard = heard(&[(1, 0, 1), (1, 0, 2)]);
    assert!(!heard.twice.is_empty(), "{heard:?}");
}
