//! Scoring, against the figures of the regulations, a real evening, and itself.
#![expect(
    clippy::float_cmp,
    reason = "the numbers in the files and the answers are decimals written the same way"
)]

#[path = "../../scoring/tests/any/mod.rs"]
mod any;
mod corrections;
mod examples;
mod figures;
mod level_matches;
mod matches;
mod real_evening;
mod refusals;
mod rules_of_the_room;
mod same_either_way;
mod support;
