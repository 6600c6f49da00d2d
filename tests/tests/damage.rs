//! Damage to the data folder, on a bounded number of seeded places. The whole bench is
//! `cargo run --release -p tests --bin damage`.

use base_station::store::Guards;
use tests::damage::{Outcome, Plan, run, whole_older_folder};

const SMALL: Plan = Plan {
    earlier_len: 0,
    flips: 54,
    index_flips: 20,
    cuts: 18,
    guards: Guards {
        chain: true,
        head: true,
        index: true,
    },
    heals: true,
};

/// For those that do not look: what they find need not be healed.
const WEAKENED: Plan = Plan {
    heals: false,
    ..SMALL
};

#[test]
fn no_damage_is_opened_in_silence_and_no_result_is_lost_that_a_copy_or_a_pad_still_has() {
    let tally = run(&SMALL, 1);
    assert!(tally.bad.is_empty(), "{tally}");
    assert!(tally.count(Outcome::SavedWhole) > 10, "{tally}");
    assert!(tally.count(Outcome::Unharmed) > 5, "{tally}");
    assert!(tally.count(Outcome::Asked) > 3, "{tally}");
}

#[test]
fn a_base_that_does_not_look_at_the_head_is_caught() {
    let guards = Guards {
        head: false,
        ..SMALL.guards
    };
    let tally = run(
        &Plan {
            guards,
            flips: 30,
            cuts: 20,
            ..WEAKENED
        },
        2,
    );
    assert!(tally.count(Outcome::Silent) > 5, "{tally}");
}

#[test]
fn a_base_that_does_not_compare_the_chain_is_caught() {
    let guards = Guards {
        chain: false,
        ..SMALL.guards
    };
    let tally = run(
        &Plan {
            guards,
            flips: 0,
            cuts: 0,
            ..WEAKENED
        },
        3,
    );
    assert!(tally.count(Outcome::Silent) > 3, "{tally}");
}

#[test]
fn a_base_that_does_not_compare_the_index_is_caught() {
    let guards = Guards {
        index: false,
        ..SMALL.guards
    };
    let tally = run(
        &Plan {
            guards,
            flips: 0,
            index_flips: 60,
            cuts: 0,
            ..WEAKENED
        },
        4,
    );
    assert!(tally.count(Outcome::Silent) > 0, "{tally}");
}

#[test]
fn a_whole_older_folder_opens_where_no_pad_can_tell() {
    let (older, all) = whole_older_folder();
    assert!(older > 0 && older < all);
}
