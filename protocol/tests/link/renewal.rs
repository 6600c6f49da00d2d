//! The club's key is renewed: pads in contact take the new one under the old, a revoked one never
//! does, and the old one has no effect once it is ended.

use std::collections::BTreeSet;

use protocol::frame::{AssociationNumber, ClubKey};
use protocol::link::{PadEvent, PadIdentity, PadLink, Policy, Timing};
use protocol::message::{Down, Up};
use protocol::time::Span;

use crate::common::{CLUB, Pair, entry, received};

const NEW: ClubKey = ClubKey::new([9; 32]);

/// Does what a pad does when it hears of the new key: keeps it, and begins anew under it.
fn take_new_key(pair: &mut Pair) -> bool {
    let keys = pair.messages().find_map(|message| match message {
        Down::NewKey(keys) => Some(keys.clone()),
        _ => None,
    });
    let Some(keys) = keys else {
        return false;
    };
    assert!(keys == NEW.for_pad(pair.pad_id()), "its own part");
    let identity = PadIdentity {
        keys,
        ..pair.pad.identity().clone()
    };
    pair.pad = PadLink::new(identity, Timing::COMMON, AssociationNumber(64), 5);
    true
}

/// The pad says something, and the base has it.
fn delivers(pair: &mut Pair, number: u16) {
    pair.send_when_ready(&entry(number));
    let call = pair.run_until_call();
    assert_eq!(call.message, entry(number));
    pair.answer(vec![received(number, None)]);
    pair.run_for(Span::from_secs(3));
    assert!(pair.events.contains(&PadEvent::Answered));
}

#[test]
fn a_pad_in_contact_takes_the_new_key_under_the_old_and_goes_on_scoring() {
    let mut pair = Pair::associated();
    pair.hub.set_keys(NEW, Some(CLUB));
    delivers(&mut pair, 1);
    pair.run_for(Span::from_secs(30));
    assert!(take_new_key(&mut pair), "told while it was in contact");
    assert_eq!(
        pair.hub.poll_renewed(),
        None,
        "not before it has come with it"
    );
    pair.events.clear();
    delivers(&mut pair, 2);
    assert_eq!(pair.hub.poll_renewed(), Some(pair.pad_id()));
    pair.hub.set_keys(NEW, None);
    pair.events.clear();
    delivers(&mut pair, 3);
}

#[test]
fn a_pad_that_was_away_for_a_week_comes_with_the_old_key_and_is_given_the_new_one() {
    let mut pair = Pair::new(&CLUB);
    pair.hub.set_keys(NEW, Some(CLUB));
    pair.lose_everything_for(Span::from_secs(7 * 24 * 3600));
    delivers(&mut pair, 1);
    pair.run_for(Span::from_secs(30));
    assert!(take_new_key(&mut pair));
    pair.events.clear();
    delivers(&mut pair, 2);
    assert_eq!(pair.hub.poll_renewed(), Some(pair.pad_id()));
}

#[test]
fn once_it_is_ended_the_old_key_has_no_effect_and_is_counted() {
    let mut pair = Pair::associated();
    pair.hub.set_keys(NEW, Some(CLUB));
    pair.hub.set_keys(NEW, None);
    let before = pair.hub.tally();
    pair.send(&entry(1));
    pair.run_for(Span::from_secs(180));
    assert_eq!(pair.hub.poll_call(), None);
    let after = pair.hub.tally();
    assert_eq!(after.accepted, before.accepted);
    assert!(after.other_club > before.other_club, "{after:?}");
    assert!(pair.events.contains(&PadEvent::AnotherClub));
}

#[test]
fn a_revoked_pad_never_learns_the_new_key() {
    let mut pair = Pair::associated();
    pair.hub.set_policy(Policy {
        revoked: BTreeSet::from([pair.pad_id()]),
        ..Policy::default()
    });
    pair.hub.set_keys(NEW, Some(CLUB));
    pair.send(&Up::CallDirector);
    pair.run_for(Span::from_secs(180));
    assert!(pair.messages().all(|it| !matches!(it, Down::NewKey(_))));
    assert!(pair.hub.tally().revoked > 3);
    assert_eq!(pair.hub.poll_renewed(), None);
}
