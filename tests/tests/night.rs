//! Simulated nights, a few of them: the same seed is the same night. Many of them, and the broken
//! base stations that must be caught, are `cargo run --release -p tests --bin night`.

use tests::night::{Broken, Evening, Night, Options, Promise, play, play_event};

/// A small room, so that a night is over soon without optimisation too.
fn small(options: Options) -> Options {
    Options {
        tables: 4,
        boards: 12,
        ..options
    }
}

#[test]
fn a_replayed_seed_is_the_same_night_bit_for_bit() {
    let first = play(&small(Options::faulty(7)));
    let again = play(&small(Options::faulty(7)));
    assert_eq!(first.fingerprint(), again.fingerprint());
    assert_eq!(first.told(), again.told());
    let other = play(&small(Options::faulty(8)));
    assert_ne!(first.print, other.print, "another seed is another night");
}

#[test]
fn a_night_with_everything_that_can_fail_keeps_every_promise() {
    for seed in 1..=4 {
        let options = small(Options::faulty(seed));
        let night = play(&options);
        assert!(night.violations.is_empty(), "{:?}", night.violations);
        assert!(night.boards.0 > 0, "something was played");
        assert_eq!(night.boards.0, night.boards.1, "every board has a result");
    }
}

#[test]
fn nights_on_the_modems_that_one_can_buy_keep_every_promise() {
    for seed in 1..=3 {
        let options = Options {
            hc12: true,
            receivers_replaced: 1,
            forgetful_modems: 2,
            channel_moves: 1,
            ..small(Options::faulty(seed))
        };
        let night = play(&options);
        assert!(night.violations.is_empty(), "{:?}", night.violations);
        assert_eq!(night.boards.0, night.boards.1, "every board has a result");
    }
}

#[test]
fn a_base_that_drops_the_counter_does_not_get_through_a_night() {
    let broken = Broken::DropsTheCounter;
    let caught = (1..=8).any(|seed| {
        let options = small(Options::faulty(seed));
        let night = play(&Options { broken, ..options });
        !night.violations.is_empty()
    });
    assert!(caught, "the checkers notice nothing");
}

#[test]
fn every_promise_has_a_deliberate_mistake_that_breaks_it() {
    for promise in Promise::all() {
        let mut mistakes = Broken::ALL.into_iter();
        let tried = mistakes.any(|broken| broken.breaks().contains(&promise));
        assert!(tried, "nobody knows whether {promise:?} is ever noticed");
    }
}

#[test]
fn a_thief_of_a_pad_who_knows_all_of_its_flash_takes_nothing_in_a_whole_night() {
    for seed in 1..=2 {
        let options = Options {
            thief: true,
            ..small(Options::faulty(seed))
        };
        let night = play(&options);
        assert!(night.violations.is_empty(), "{:?}", night.violations);
        assert_eq!(night.boards.0, night.boards.1, "every board has a result");
    }
}

#[test]
fn a_base_that_answers_for_the_director_is_noticed_whether_it_says_yes_or_no() {
    for broken in [Broken::SpeaksForTheDirector, Broken::AllowsForTheDirector] {
        let caught = (1..=6).any(|seed| {
            let options = small(Options::faulty(seed));
            let wrong = play(&Options { broken, ..options }).violations;
            let promise = Promise::ThePadNeverSpeaksForTheDirector;
            wrong.iter().any(|it| it.promise == promise)
        });
        assert!(caught, "{broken:?}");
    }
}

#[test]
fn a_thief_is_noticed_where_the_director_is_not_asked_or_pads_share_a_key() {
    for broken in [Broken::ReplacesWithoutAsking, Broken::PadsShareAKey] {
        let caught = (1..=3).any(|seed| {
            let options = Options {
                thief: true,
                broken,
                ..small(Options::quiet(seed))
            };
            let wrong = play(&options).violations;
            wrong
                .iter()
                .any(|it| it.promise == Promise::ThievesTakeNothing)
        });
        assert!(caught, "{broken:?}");
    }
}

#[test]
fn nights_of_matches_keep_every_promise() {
    for evening in [Evening::Swiss, Evening::Teams, Evening::RoundRobin] {
        for seed in 1..=2 {
            let night = play(&small(Options::matches(seed, evening)));
            assert!(
                night.violations.is_empty(),
                "{evening:?}: {:?}",
                night.violations
            );
            assert_eq!(night.boards.0, night.boards.1, "every board has a result");
        }
    }
}

#[test]
fn a_draw_that_changes_by_itself_and_an_old_standing_are_noticed() {
    for broken in [Broken::ChangesADraw, Broken::RemembersAStanding] {
        let caught = (1..=3).any(|seed| {
            let options = small(Options::matches(seed, broken.evening()));
            let wrong = play(&Options { broken, ..options }).violations;
            let named = |promise| wrong.iter().any(|it| it.promise == promise);
            broken.breaks().iter().copied().all(named)
        });
        assert!(caught, "{broken:?}");
    }
}

#[test]
fn an_event_over_two_nights_adds_up() {
    for (night, at) in play_event(&small(Options::matches(5, Evening::Swiss)), 2)
        .iter()
        .zip(1..)
    {
        assert!(
            night.violations.is_empty(),
            "night {at}: {:?}",
            night.violations
        );
        assert_eq!(night.boards.0, night.boards.1, "every board has a result");
    }
}

/// Nights of an event that nothing is wrong with; results and corrections that came after a draw.
fn adds_up(nights: &[Night]) -> (usize, usize, u32) {
    let mut came = (0, 0, 0);
    for (night, at) in nights.iter().zip(1..) {
        assert!(
            night.violations.is_empty(),
            "night {at}: {:?}",
            night.violations
        );
        assert_eq!(night.boards.0, night.boards.1, "every board has a result");
        came.0 += night.late_results;
        came.1 += night.late_corrections;
        came.2 += night.faults.get("pair went home").copied().unwrap_or(0);
    }
    came
}

#[test]
fn twenty_two_pairs_play_a_swiss_of_three_nights_in_the_room() {
    let options = Options {
        tables: 11,
        boards: 27,
        ..Options::club_event(1, Evening::Swiss)
    };
    let nights = play_event(&options, 3);
    assert_eq!(nights.len(), 3);
    let (late, corrected, gone) = adds_up(&nights);
    assert!(
        late > 0 && corrected > 0,
        "{late} late, {corrected} changed"
    );
    assert_eq!(gone, 3, "somebody goes home every night");
}

#[test]
fn eight_teams_play_a_round_robin_in_the_room() {
    let options = Options {
        tables: 8,
        boards: 28,
        ..Options::club_event(1, Evening::RoundRobin)
    };
    let (late, corrected, gone) = adds_up(&[play(&options)]);
    assert!(
        late > 0 && corrected > 0,
        "{late} late, {corrected} changed"
    );
    assert_eq!(gone, 1);
}
