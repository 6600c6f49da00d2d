//! Fuzz targets: whatever bytes come, no decoder panics, and what decodes can be said again.
//!
//! As ordinary tests they try a bounded number of inputs. `cargo bolero test -p air --test fuzz
//! NAME` (cargo-bolero, a nightly compiler) lets libFuzzer look for new ones as long as it may.

use std::sync::Mutex;

use air::capacity::{CHECK_IN, entry};
use air::mutate::{ends, originals};
use bolero::check;
use protocol::frame::{Deframer, Header};
use protocol::link::Port;
use protocol::message::{Down, Up};
use protocol::time::{Instant, Span};
use protocol::wire::Message;

const INPUTS: usize = 100_000;

/// Each of these costs a decryption or two.
const BOTH_ENDS: usize = 50_000;

#[test]
fn any_bytes_as_frames_decode_to_a_header_or_nothing() {
    check!().with_iterations(INPUTS).for_each(|bytes: &[u8]| {
        let mut deframer = Deframer::default();
        let delimited = bytes.iter().chain(&[0]);
        for collected in delimited.filter_map(|&byte| deframer.push(byte)) {
            assert!(collected.air_len() <= bytes.len() + 2);
            for body in collected.bodies() {
                if let Some((header, sealed)) = Header::decode(&body) {
                    assert!(sealed.len() <= body.len(), "{header:?}");
                }
            }
        }
    });
}

#[test]
fn any_bytes_as_messages_decode_to_something_that_can_be_said_again() {
    check!().with_iterations(INPUTS).for_each(|bytes: &[u8]| {
        if let Some(up) = Up::decode(bytes) {
            let encoded = up.encode().expect("what came in one message fits one");
            assert_eq!(Up::decode(&encoded), Some(up));
        }
        if let Some(down) = Down::decode(bytes) {
            let encoded = down.encode().expect("what came in one message fits one");
            assert_eq!(Down::decode(&encoded), Some(down));
        }
    });
}

/// The input is a list of changes to a true frame: which frame, then where and what.
#[test]
fn true_frames_with_changed_bytes_have_no_effect_at_either_end() {
    let (mut hub, mut pad) = ends();
    let originals = originals(&mut hub, &mut pad);
    let ends = Mutex::new((hub, pad, Instant::from_millis(60_000)));
    check!()
        .with_iterations(BOTH_ENDS)
        .for_each(|bytes: &[u8]| {
            let (hub, pad, now) = &mut *ends.lock().expect("no panic before");
            *now += Span::from_micros(500);
            let (which, changes) = bytes.split_first().unwrap_or((&0, &[]));
            let mut frame = originals[usize::from(*which) % originals.len()].clone();
            for change in changes.chunks_exact(2) {
                let at = usize::from(change[0]) % frame.len();
                frame[at] ^= change[1];
            }
            hub.handle_receive(Port(0), &frame, *now);
            pad.check_in_now(*now);
            pad.handle_receive(&frame, *now);
            while hub.poll_transmit(*now).is_some() {}
            while pad.poll_event().is_some() {}
            // All originals have been heard, so that not even an unchanged one counts.
            assert!(hub.poll_call().is_none(), "{frame:02x?}");
        });
}

#[test]
fn the_targets_begin_with_messages_that_are_true() {
    for up in [entry(1), Up::CheckIn(CHECK_IN)] {
        let bytes = up.encode().expect("short");
        assert_eq!(Up::decode(&bytes), Some(up));
    }
}
