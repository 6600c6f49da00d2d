//! The bars for the watchful base, on a bounded number of seeded evenings. The whole evaluation
//! is `cargo run --release -p tests --bin watchful -- --seeds 200`.

use std::collections::BTreeMap;

use tests::watchful::mistakes::Mistake;
use tests::watchful::rooms;
use tests::watchful::tally::{Share, Tally};

/// In thousandths, so that nothing is rounded in our favour.
fn thousandths(part: usize, whole: usize) -> usize {
    part * 1000 / whole
}

#[test]
fn a_clean_evening_is_left_in_peace() {
    let mut tally = Tally::default();
    tally.play_clean(1_000_000, 3_000);
    assert!(
        tally.false_alarms() * 200 <= tally.clean_results,
        "{:?} on {} clean results",
        tally.alarms,
        tally.clean_results
    );
}

#[test]
fn every_lead_that_the_leader_does_not_hold_is_flagged_and_a_wrong_declarer_named_first() {
    let kinds = [
        Mistake::WrongLead,
        Mistake::DeclarersPartner,
        Mistake::DeclarersOpponent,
    ];
    let mut tally = Tally::default();
    tally.play_spoiled(0, &kinds, 100, true);
    for kind in kinds {
        let Share { made, found, .. } = tally.share(kind);
        assert_eq!(made, found, "{kind:?}");
    }
    let [partner, opponent] = [kinds[1], kinds[2]].map(|kind| tally.share(kind));
    let named = thousandths(
        partner.named_first + opponent.named_first,
        partner.made + opponent.made,
    );
    assert!(named >= 990, "{named} in a thousand");
}

#[test]
fn boards_outside_the_round_swapped_pads_and_shifted_boards_are_found() {
    let kinds = [
        Mistake::BoardOutsideTheRound,
        Mistake::PadsSwapped,
        Mistake::BoardsShifted,
    ];
    let mut tally = Tally::default();
    tally.play_spoiled(0, &kinds, 60, true);
    for kind in kinds {
        let Share { made, found, .. } = tally.share(kind);
        assert!(
            thousandths(found, made) >= 950,
            "{kind:?}: {found} of {made}"
        );
    }
}

#[test]
fn without_pair_confirmation_only_what_the_documentation_says_is_hidden() {
    let hidden = [Mistake::EastWestElsewhere, Mistake::ArrowSwitchMissed];
    let mut tally = Tally::default();
    tally.play_spoiled(0, &hidden, 10, false);
    for kind in hidden {
        assert_eq!(tally.share(kind).found, 0, "{kind:?}");
    }
    let seen = [Mistake::BoardOutsideTheRound, Mistake::ScoreMissing];
    tally.play_spoiled(0, &seen, 10, false);
    for kind in seen {
        assert_eq!(tally.share(kind).found, tally.share(kind).made, "{kind:?}");
    }
}

#[test]
fn every_movement_mistake_is_diagnosed_in_the_round_in_which_it_happens() {
    let mut shares: BTreeMap<_, (usize, usize)> = BTreeMap::new();
    let mut imagined = 0;
    for (movement, seed) in rooms::movements().iter().zip(0..) {
        for verdict in rooms::play_every_mistake(movement, seed) {
            let share = shares.entry(verdict.made).or_default();
            share.0 += 1;
            share.1 += usize::from(verdict.said == Some(verdict.made));
        }
        imagined += rooms::imagined(movement, seed);
    }
    assert!(shares.len() >= 9, "{shares:?}");
    for (mistake, (made, right)) in shares {
        assert!(
            thousandths(right, made) >= 900,
            "{mistake:?}: {right} of {made}"
        );
    }
    assert!(imagined <= 4, "{imagined} clean rounds were called wrong");
}
