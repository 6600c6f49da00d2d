//! The bars for the watchful base, on a bounded number of seeded evenings. The whole evaluation
//! is `cargo run --release -p tests --bin watchful -- --seeds 200`.

use std::collections::BTreeMap;

use base_station::checks::{Kind, Line};
use base_station::deals::{Deals, DealtBoard};
use protocol::words::{BoardNumber, BoardResult};
use tests::watchful::doubles::Doubles;
use tests::watchful::evening::{Evening, News, clean};
use tests::watchful::material::hundred_deals;
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
    let seen = [Mistake::BoardOutsideTheRound, Mistake::TableBehind];
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

/// Checks that look at the cards.
const OF_CARDS: [Kind; 7] = [
    Kind::LeadNotHeld,
    Kind::WrongSide,
    Kind::TricksOfOtherSide,
    Kind::NotPlayedWasPassedOut,
    Kind::PassedOutWasNotPlayed,
    Kind::BoardsExchanged,
    Kind::MissingDouble,
];

/// The evening's deals with other board numbers.
fn shifted(deals: &Deals, by: u8) -> Deals {
    let count = u8::try_from(deals.iter().count()).expect("a few dozen");
    let shift = |dealt: &DealtBoard| DealtBoard {
        board: BoardNumber::new((dealt.board.get() - 1 + by) % count + 1).expect("a board"),
        ..*dealt
    };
    deals.iter().map(shift).collect()
}

/// Another club's file.
fn another_file(deals: &Deals) -> Deals {
    let renumbered = deals.iter().zip(hundred_deals());
    renumbered
        .map(|(own, other)| DealtBoard {
            board: own.board,
            ..*other
        })
        .collect()
}

/// Everybody sits a place further than the file has it.
fn turned(evening: &mut Evening) {
    for (_, news) in &mut evening.news {
        if let News::Result(_, Line { result, .. }) = news
            && let BoardResult::Played(played) = result
        {
            played.contract.declarer = played.contract.declarer.left();
        }
    }
}

#[test]
fn point_17_a_deal_file_that_does_not_belong_is_one_warning_and_no_proposals() {
    let real = clean(0);
    let mut turned_evening = real.clone();
    turned(&mut turned_evening);
    let with = |deals: Deals| Evening {
        deals,
        ..real.clone()
    };
    let stories = [
        ("one number further", with(shifted(&real.deals, 1))),
        ("three numbers further", with(shifted(&real.deals, 3))),
        ("another file", with(another_file(&real.deals))),
        ("turned by a seat", turned_evening),
    ];
    for (story, evening) in stories {
        let (raised, watch) = Tally::default().play_and_watch(&evening, true);
        let doubts = watch
            .findings()
            .filter(|it| it.id.kind == Kind::DealsDoNotFit);
        assert_eq!(doubts.count(), 1, "{story}");
        let left = watch.findings().filter(|it| OF_CARDS.contains(&it.id.kind));
        let left: Vec<_> = left.map(|it| it.id.to_string()).collect();
        // What the field alone makes odd may stay.
        assert!(left.len() <= 2, "{story}: {left:?}");
        let before = raised
            .iter()
            .take_while(|it| it.id.kind != Kind::DealsDoNotFit);
        let proposals = before.filter(|it| OF_CARDS.contains(&it.id.kind)).count();
        assert!(
            proposals <= 20,
            "{story}: {proposals} before it was noticed"
        );
    }
    let (raised, _) = Tally::default().play_and_watch(&real, true);
    assert!(raised.iter().all(|it| it.id.kind != Kind::DealsDoNotFit));
}

#[test]
#[expect(clippy::print_stdout, reason = "how many it found")]
fn point_17_a_score_typed_for_the_other_side_is_flagged_where_its_sign_stands_alone() {
    let kind = Mistake::ScoreOfOtherSide;
    let mut tally = Tally::default();
    tally.play_spoiled(0, &[kind], 60, true);
    let Share { made, found, .. } = tally.share(kind);
    println!("{found} of {made}");
    // Elsewhere the field has both signs, and nothing tells.
    assert!(thousandths(found, made) >= 200, "{found} of {made}");
}

/// `BYESTAND_EVENINGS=200` plays the full number.
#[test]
fn point_17_no_deal_file_that_belongs_is_ever_doubted() {
    let evenings = std::env::var("BYESTAND_EVENINGS").ok();
    let evenings = evenings
        .and_then(|number| number.parse().ok())
        .unwrap_or(20);
    for seed in 0..evenings {
        let raised = Tally::default().play(&clean(seed), true);
        let doubted = raised.iter().any(|it| it.id.kind == Kind::DealsDoNotFit);
        assert!(!doubted, "evening {seed}");
    }
}

#[test]
#[expect(clippy::print_stdout, reason = "the figures of the readme")]
fn point_18_half_of_the_forgotten_doubles_can_not_be_found_at_this_rate_of_false_alarms() {
    let doubles = Doubles::count(1_000_000, 20_000);
    let learned = Doubles::count(2_000_000, 20_000);
    let [found, alarms] = doubles.rule;
    let best = doubles.best(&learned, alarms);
    println!(
        "{} results, failed doubled and not {:?}; the rule finds {found} with {alarms} false \
         alarms; best {best} in 1000; half costs {}",
        doubles.results,
        doubles.failed,
        doubles.alarms_for(&learned, 500)
    );
    assert!(best < 500, "{best} in a thousand can be found: do it");
}
