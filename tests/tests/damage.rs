//! Damage to the data folder, on a bounded number of seeded places. The whole bench is
//! `cargo run --release -p tests --bin damage`.

use base_station::store::Guards;
use tests::damage::{Outcome, Plan, Tally, run, run_first_layout, whole_older_folder};

const SMALL: Plan = Plan {
    earlier_len: 0,
    tables: 12,
    flips: 42,
    small_flips: 20,
    index_flips: 12,
    lagging: 6,
    cuts: 12,
    strange_pages: 0,
    rest: false,
    guards: Guards {
        chain: true,
        head: true,
        index: true,
        at_once_max: u64::MAX,
        newest_at_once: 4_000,
    },
    heals: true,
};

/// For those that do not look: what they find need not be healed.
const WEAKENED: Plan = Plan {
    heals: false,
    ..SMALL
};

/// None of the usual wounds, for those that are to get others.
const SPARED: Plan = Plan {
    flips: 0,
    small_flips: 0,
    index_flips: 0,
    lagging: 0,
    cuts: 0,
    ..SMALL
};

/// No wound at all, for those that are to get one kind.
const NOTHING: Plan = Plan {
    flips: 0,
    small_flips: 0,
    cuts: 0,
    ..WEAKENED
};

fn keeps_its_promises(tally: &Tally) {
    assert!(tally.bad.is_empty(), "{tally}");
}

#[test]
fn no_damage_is_opened_in_silence_and_no_result_is_lost_that_a_copy_or_a_pad_still_has() {
    let tally = run(&SMALL, 1);
    keeps_its_promises(&tally);
    assert!(tally.count(Outcome::SavedWhole) > 10, "{tally}");
    assert!(tally.count(Outcome::Unharmed) > 5, "{tally}");
    assert!(tally.count(Outcome::Asked) > 3, "{tally}");
}

#[test]
fn files_that_are_gone_older_mixed_or_damaged_together_are_found_and_healed() {
    let plan = Plan {
        rest: true,
        ..SPARED
    };
    let tally = run(&plan, 1);
    keeps_its_promises(&tally);
    assert!(tally.count(Outcome::SavedWhole) > 10, "{tally}");
    assert!(tally.count(Outcome::SavedWithPads) > 3, "{tally}");
    assert!(tally.count(Outcome::Asked) > 3, "{tally}");
}

#[test]
fn pages_of_the_same_journal_as_it_went_on_elsewhere_are_left_out() {
    let plan = Plan {
        strange_pages: 40,
        ..SPARED
    };
    let tally = run(&plan, 1);
    keeps_its_promises(&tally);
    assert!(tally.places() > 10, "{tally}");
}

#[test]
fn a_long_journal_is_compared_while_the_room_plays_and_nothing_is_missed() {
    let plan = Plan {
        flips: 24,
        small_flips: 0,
        cuts: 6,
        guards: Guards {
            at_once_max: 0,
            // Some are hit in what is compared at once, some in the rest.
            newest_at_once: 100,
            ..SMALL.guards
        },
        ..SMALL
    };
    keeps_its_promises(&run(&plan, 5));
}

#[test]
fn damage_to_a_journal_from_before_the_chain_is_found_and_what_is_left_is_saved() {
    let tally = run_first_layout(40, 10, 1);
    keeps_its_promises(&tally);
    assert!(tally.count(Outcome::SavedWhole) > 1, "{tally}");
    assert!(tally.count(Outcome::SavedInPart) > 1, "{tally}");
}

/// How many wounds a base with these guards lets pass.
fn unseen(guards: Guards, plan: Plan, seed: u64) -> usize {
    let tally = run(&Plan { guards, ..plan }, seed);
    tally.count(Outcome::Silent)
}

#[test]
fn a_base_that_does_not_look_at_the_head_is_caught() {
    let guards = Guards {
        head: false,
        ..SMALL.guards
    };
    let plan = Plan {
        flips: 30,
        small_flips: 0,
        cuts: 20,
        rest: true,
        ..WEAKENED
    };
    assert!(unseen(guards, plan, 2) > 5);
}

#[test]
fn a_base_that_does_not_compare_the_chain_is_caught() {
    let guards = Guards {
        chain: false,
        ..SMALL.guards
    };
    let plan = Plan {
        strange_pages: 40,
        ..NOTHING
    };
    assert!(unseen(guards, plan, 3) > 3);
}

#[test]
fn a_base_that_does_not_compare_the_index_is_caught() {
    let guards = Guards {
        index: false,
        ..SMALL.guards
    };
    let plan = Plan {
        lagging: 0,
        index_flips: 60,
        ..NOTHING
    };
    assert!(unseen(guards, plan, 4) > 0);
}

#[test]
fn a_whole_older_folder_opens_where_no_pad_can_tell() {
    let (older, all) = whole_older_folder();
    assert!(older > 0 && older < all);
}
