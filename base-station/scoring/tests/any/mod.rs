//! What a director may give, for tests that draw it by lot.

use proptest::prelude::*;
use protocol::words::{Percentage, Score};
use scoring::{Award, Trimming, WeightedScore};

/// Datums that every method knows.
pub(crate) const TRIMMINGS: [Trimming; 5] = [
    Trimming::Sixth,
    Trimming::SwissTopTwelve,
    Trimming::Tenth,
    Trimming::Each(1),
    Trimming::Each(2),
];

/// What one side may be given, with scores of this kind.
pub(crate) fn award<S: Strategy<Value = Score> + 'static>(
    score: fn() -> S,
) -> impl Strategy<Value = Award> {
    let percentage = |it| Percentage::new(it).expect("in range");
    let weighted = move |(first, second, part)| {
        let weighted = |score, part| WeightedScore {
            score,
            weight: percentage(part),
        };
        let scores = vec![weighted(first, part), weighted(second, 10_000 - part)];
        Award::weighted(scores).expect("100%")
    };
    prop_oneof![
        (0_u16..=10_000).prop_map(move |it| Award::Percentage(percentage(it))),
        Just(Award::AveragePlus),
        Just(Award::Average),
        Just(Award::AverageMinus),
        score().prop_map(Award::score),
        (score(), score(), 0_u16..=10_000).prop_map(weighted),
    ]
}
