//! Every worked example of the regulations that is about scoring, read from the golden file and
//! put through the library or the command line. `expected` is right even where a source is not.

mod boards;
mod events;

use serde_json::Value;

use super::support::data;

/// A worked example.
pub(crate) struct Example {
    pub(crate) id: String,
    pub(crate) input: Value,
    pub(crate) expected: Value,
    pub(crate) note: String,
}

impl Example {
    /// A number of the input.
    pub(crate) fn input(&self, key: &str) -> f64 {
        number(&self.input[key], &self.id)
    }

    /// A number that is expected.
    pub(crate) fn expected(&self, key: &str) -> f64 {
        number(&self.expected[key], &self.id)
    }

    /// Compares with a number that is expected.
    pub(crate) fn expect(&self, key: &str, got: f64) {
        let expected = self.expected(key);
        let close = super::support::close(got, expected);
        assert!(close, "{}: {key} is {expected}, got {got}", self.id);
    }
}

pub(crate) fn number(value: &Value, what: &str) -> f64 {
    value
        .as_f64()
        .unwrap_or_else(|| panic!("{what}: {value} is no number"))
}

/// Hundredths of a number in the file.
pub(crate) fn hundredths(number: f64) -> i32 {
    format!("{:.0}", number * 100.0).parse().expect("small")
}

#[test]
fn every_worked_example_comes_out_right() {
    let examples: Vec<Value> = serde_json::from_str(&data("golden/examples.json")).expect("JSON");
    let mut checked = 0;
    for example in examples {
        let kind = example["kind"].as_str().expect("a kind").to_owned();
        let text = |key: &str| example[key].as_str().unwrap_or_default().to_owned();
        let example = Example {
            id: text("id"),
            note: text("note"),
            input: example["input"].clone(),
            expected: example["expected"].clone(),
        };
        match kind.as_str() {
            "matchpoint" => boards::tops(&example),
            "matchpoint_adjusted" => boards::adjusted_by_hand(&example),
            "fouled_board" => boards::fouled(&example),
            "weighted" => boards::weighted(&example),
            "split" => boards::split(&example),
            "contract" => boards::contract(&example),
            "imps" => boards::imps(&example),
            "datum" => boards::datum(&example),
            // Several boards are played in `web/tests/contest/examples.rs`.
            "average_plus" if example.id == "multiple_average_plus" => continue,
            "average_plus" => boards::average_plus(&example),
            "penalty" => events::penalty(&example),
            "vp" => events::victory_points(&example),
            "handicap" => events::handicap(&example),
            "masterpoints" => events::masterpoints(&example),
            "substitute" => events::substitute(&example),
            "tie" => events::tie(&example),
            "forfeit" => events::forfeit(&example),
            "carryover" => events::carry_over(&example),
            "swiss" => events::entry_score(&example),
            "ruling" => events::ruling(&example),
            // Round times belong to the movements.
            "timing" => continue,
            other => panic!("no test knows examples of the kind {other}"),
        }
        checked += 1;
    }
    assert!(checked > 70, "only {checked} examples were read");
}
