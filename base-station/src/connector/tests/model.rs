//! News against the whole, for random evenings.

use protocol::words::{BoardResult, Score, Seat};
use serde_json::{Value, json};

use super::stories::{cell, played};
use super::{Base, GUID};
use crate::session::Command;
use crate::session::plan::Ruling;

/// Whatever happens at the base and whenever it is killed: who adds up the news has the whole.
#[test]
fn a_program_that_only_hears_news_ends_with_the_whole_picture() {
    for seed in 0..60 {
        let mut dice = fastrand::Rng::with_seed(seed);
        let mut base = Base::playing();
        let mut picture: std::collections::BTreeMap<String, Value> =
            std::collections::BTreeMap::new();
        let mut hear = |items: &[Value]| {
            for item in items {
                let place = ["TableNumber", "RoundNumber", "BoardNumber"].map(|it| &item[it]);
                let place = format!("{place:?}");
                if item["IsDeleted"] == true {
                    picture.remove(&place);
                } else {
                    picture.insert(place, item.clone());
                }
            }
        };
        for _ in 0..40 {
            let (table, round) = (dice.u16(1..=2), dice.u8(1..=3));
            let board = 2 * u8::try_from((table + u16::from(round)) % 4).expect("small") + 1;
            let at = cell('A', table, round, board + dice.u8(..2));
            let ruling = match dice.u8(..5) {
                0 => Ruling::TakenAway,
                1 => Ruling::Written(Score(420)),
                2 => Ruling::Result(BoardResult::PassedOut),
                _ => played("3H", Seat::from_index(dice.u8(..4)), dice.u8(..14)),
            };
            let why = String::new();
            match dice.u8(..9) {
                0 => base.restart(),
                1 => {
                    let upto = base.state().seq.0;
                    let change = crate::session::Seq(dice.u64(1..=upto));
                    let _ = base.does(Command::Undo { change, why }, anna());
                }
                2 => {
                    let _ = base.does(Command::TurnLine { cell: at, why }, anna());
                }
                3 => hear(&base.results()),
                // Heard, and not accepted before something happened.
                4 => hear(
                    base.ask_about(19, GUID, "")
                        .data
                        .as_array()
                        .expect("a list"),
                ),
                5 => {
                    // The program knows what it sent.
                    let score = json!({"SessionGuid": GUID, "SectionLetters": "A",
                        "TableNumber": table, "RoundNumber": round, "BoardNumber": at.board.get(),
                        "ScoringDirection": 3, "PairNorthSouth": table,
                        "PairEastWest": (table + u16::from(round)) % 2 + 1,
                        "DeclaringPair": table, "Level": -5});
                    if base.ask(10, &json!([score])).kind == 1 {
                        let all = base.ask_about(23, GUID, "").data;
                        let names = ["TableNumber", "RoundNumber", "BoardNumber"];
                        let sent = all.as_array().expect("a list").iter();
                        let sent = sent.filter(|it| names.iter().all(|at| it[at] == score[at]));
                        hear(&sent.cloned().collect::<Vec<_>>());
                    }
                }
                _ => {
                    let rule = Command::Rule {
                        cell: at,
                        ruling,
                        why,
                    };
                    let _ = base.does(rule, anna());
                }
            }
        }
        hear(&base.results());
        let all = base.ask_about(23, GUID, "").data;
        let mut whole: Vec<Value> = all.as_array().expect("a list").clone();
        whole.retain(|item| item["IsDeleted"] == false);
        let mut heard: Vec<Value> = picture.into_values().collect();
        let by_place = |it: &Value| {
            ["TableNumber", "RoundNumber", "BoardNumber"].map(|name| it[name].as_i64())
        };
        whole.sort_by_key(by_place);
        heard.sort_by_key(by_place);
        assert_eq!(heard, whole, "seed {seed}");
    }
}

fn anna() -> crate::session::Who {
    crate::session::Who::Director("Anna".to_owned())
}
