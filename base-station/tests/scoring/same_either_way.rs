//! Whatever happens in a room, scoring it result by result is scoring it at once, and nobody
//! gains or loses by the order of the rows.

use crate::any::{TRIMMINGS, award};
use base_station::scoring::{
    AdjustedRows, Award, DatumRules, Field, Form, FouledBoards, Method, Outcome, Pair, Points,
    Rounding, Row, RowScores, Rules, Scale, score_board,
};
use proptest::prelude::*;
use protocol::words::{BoardNumber, PairNumber, Score, SectionLetter, Side};

fn score() -> impl Strategy<Value = Score> {
    let usual = vec![-620, -420, -110, -50, 0, 50, 110, 140, 420, 620];
    prop_oneof![
        4 => prop::sample::select(usual),
        1 => (-760_i16..=760).prop_map(|tens| tens * 10),
    ]
    .prop_map(Score)
}

fn outcome() -> impl Strategy<Value = Outcome> {
    prop_oneof![
        16 => score().prop_map(Outcome::Score),
        1 => Just(Outcome::NotPlayed),
        1 => Just(Outcome::SitOut),
        2 => (award(score), award(score)).prop_map(|(ns, ew)| Outcome::adjusted(ns, ew)),
    ]
}

fn method() -> impl Strategy<Value = Method> {
    prop_oneof![
        3 => Just(Method::Matchpoints),
        1 => Just(Method::CrossImps),
        1 => prop::sample::select(TRIMMINGS.to_vec())
            .prop_map(|trimming| Method::Butler(DatumRules::new(trimming))),
    ]
}

prop_compose! {
    fn rules()(
        method in method(),
        scale in prop::sample::select(vec![Scale::Double, Scale::Single]),
        adjusted in prop::sample::select(vec![AdjustedRows::Neuberg, AdjustedRows::Manual]),
        fouled in prop::sample::select(vec![FouledBoards::ByForm, FouledBoards::Quick]),
        rounding in prop::sample::select(vec![
            Rounding::Tenth, Rounding::Hundredth, Rounding::TenThousandth,
        ]),
        across in any::<bool>(),
    ) -> Rules {
        Rules { method, scale, adjusted, fouled, rounding, across, ..Rules::default() }
    }
}

/// Something a director or a pad does.
#[derive(Clone, Debug)]
enum Change {
    Set(u8, Row),
    Remove(u8, Pair),
    Look(u8),
    Rank,
}

fn section() -> impl Strategy<Value = SectionLetter> {
    prop::sample::select(vec!['A', 'B']).prop_map(|it| SectionLetter::new(it).expect("a letter"))
}

fn pair() -> impl Strategy<Value = PairNumber> {
    (1_u16..=9).prop_map(|it| PairNumber::new(it).expect("a pair"))
}

fn change() -> impl Strategy<Value = Change> {
    let row = (
        section(),
        pair(),
        pair(),
        outcome(),
        prop::bool::weighted(0.03),
    );
    let row = row.prop_map(|(section, ns, ew, outcome, fouled)| {
        let mut row = Row::new(section, ns, ew, outcome);
        row.form = Form(u8::from(fouled));
        row
    });
    prop_oneof![
        20 => (1_u8..=5, row).prop_map(|(board, row)| Change::Set(board, row)),
        3 => (1_u8..=5, section(), pair())
            .prop_map(|(board, section, number)| {
                let direction = Some(Side::NorthSouth);
                Change::Remove(board, Pair { section, direction, number })
            }),
        1 => (1_u8..=5).prop_map(Change::Look),
        1 => Just(Change::Rank),
    ]
}

fn board(number: u8) -> BoardNumber {
    BoardNumber::new(number).expect("a board")
}

/// The rows of all boards, kept the simple way.
#[derive(Default)]
struct Book(Vec<(u8, Row)>);

impl Book {
    fn remove(&mut self, board: u8, ns: Pair) {
        self.0
            .retain(|(on, row)| (*on, row.ns) != (board, Some(ns)));
    }

    /// All at once, in another order.
    fn field(&self, rules: &Rules) -> Field {
        let mut field = Field::new(rules.clone());
        for (number, row) in self.0.iter().rev() {
            field
                .set(board(*number), row.clone())
                .expect("nobody plays twice");
        }
        field
    }
}

/// A board's rows with what they are worth, in an order that does not depend on their history.
fn sorted(field: &mut Field, number: u8, section: SectionLetter) -> Vec<(Row, RowScores)> {
    let Some(view) = field.board(section, board(number)) else {
        return Vec::new();
    };
    let rows = view.rows.iter().cloned().zip(view.scores.iter().copied());
    let mut rows: Vec<_> = rows.collect();
    rows.sort_by_key(|(row, _)| (row.section, row.ns));
    rows
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn a_thousand_changes_leave_the_field_as_if_scored_at_once(
        rules in rules(),
        changes in prop::collection::vec(change(), 1_000),
    ) {
        let mut field = Field::new(rules.clone());
        let mut book = Book::default();
        for change in changes {
            match change {
                Change::Set(number, row) => {
                    if field.set(board(number), row.clone()).is_ok() {
                        book.remove(number, row.ns.expect("a pair"));
                        book.0.push((number, row));
                    }
                }
                Change::Remove(number, ns) => {
                    let before = book.0.len();
                    book.remove(number, ns);
                    let removed = field.remove(board(number), ns);
                    prop_assert_eq!(removed, book.0.len() < before);
                }
                Change::Look(number) => drop(sorted(&mut field, number, SectionLetter::A)),
                Change::Rank => drop(field.ranking()),
            }
        }
        let mut fresh = book.field(&rules);
        let (ranking, expected) = (field.ranking(), fresh.ranking());
        prop_assert_eq!(ranking.standings, expected.standings);
        for number in 1..=5 {
            for section in ['A', 'B'].map(|it| SectionLetter::new(it).expect("a letter")) {
                let rows = sorted(&mut field, number, section);
                prop_assert_eq!(rows, sorted(&mut fresh, number, section));
            }
        }
    }
}

fn travellers() -> impl Strategy<Value = Vec<Outcome>> {
    prop::collection::vec(outcome(), 1..24)
}

fn rows(outcomes: &[Outcome]) -> Vec<Row> {
    (1..)
        .zip(outcomes)
        .map(|(number, outcome)| {
            let pair = PairNumber::new(number).expect("a pair");
            Row::new(SectionLetter::A, pair, pair, outcome.clone())
        })
        .collect()
}

proptest! {
    #[test]
    fn the_two_pairs_of_a_table_share_one_top(rules in rules(), outcomes in travellers()) {
        let rows = rows(&outcomes);
        let board = score_board(&rows, &rules);
        for (scores, percents) in board.rows.iter().zip(board.percentages()) {
            let percent = |side| scores.side(side)?.points.percent_of(board.top);
            prop_assert_eq!(percents, Side::BOTH.map(percent));
        }
        for (row, scores) in rows.iter().zip(&board.rows) {
            match row.outcome {
                Outcome::Score(_) if outcomes.iter().all(balanced) => {
                    let (ns, ew) = (scores.ns.expect("scored"), scores.ew.expect("scored"));
                    prop_assert_eq!(ns.points + ew.points, board.top);
                }
                Outcome::NotPlayed | Outcome::SitOut => {
                    prop_assert_eq!(*scores, RowScores::default());
                }
                Outcome::Score(_) | Outcome::Adjusted(_) => {
                    prop_assert!(scores.ns.is_some() && scores.ew.is_some());
                }
            }
        }
    }

    #[test]
    fn matchpoints_of_a_board_add_up_to_half_a_top_a_pair(
        rules in rules(),
        scores in prop::collection::vec(score(), 1..40),
    ) {
        let rules = Rules { method: Method::Matchpoints, ..rules };
        let outcomes: Vec<Outcome> = scores.into_iter().map(Outcome::Score).collect();
        let board = score_board(&rows(&outcomes), &rules);
        let sum: Points = board.rows.iter().map(|row| row.ns.expect("scored").points).sum();
        let tables = i64::try_from(outcomes.len()).expect("few");
        prop_assert_eq!(2 * sum.ten_thousandths(), tables * board.top.ten_thousandths());
    }

    #[test]
    fn the_order_of_the_rows_changes_nothing(
        rules in rules(),
        (outcomes, shuffled) in travellers().prop_flat_map(|outcomes| {
            let numbered: Vec<usize> = (0..outcomes.len()).collect();
            (Just(outcomes), Just(numbered).prop_shuffle())
        }),
    ) {
        let rows = rows(&outcomes);
        let moved: Vec<Row> = shuffled.iter().map(|&at| rows[at].clone()).collect();
        // The twelve top tables are known by their numbers, not by the order of the rows.
        let seated = |rows: &[Row]| -> Vec<Row> {
            let seat = |row: &Row| {
                let number = row.ns.expect("a pair").number.get();
                Row { table: protocol::words::TableNumber::new(number), ..row.clone() }
            };
            rows.iter().map(seat).collect()
        };
        let (board, other) = (score_board(&seated(&rows), &rules), score_board(&seated(&moved), &rules));
        prop_assert_eq!((board.top, board.datum), (other.top, other.datum));
        for (place, &at) in shuffled.iter().enumerate() {
            prop_assert_eq!(board.rows[at], other.rows[place]);
        }
    }

    #[test]
    fn an_assigned_score_is_worth_what_the_same_result_is(
        rules in rules(),
        scores in prop::collection::vec(score(), 2..24),
    ) {
        // A Butler datum counts table results only, so there the two do differ.
        prop_assume!(!matches!(rules.method, Method::Butler(_)));
        let mut outcomes: Vec<Outcome> = scores.iter().copied().map(Outcome::Score).collect();
        let plain = score_board(&rows(&outcomes), &rules);
        outcomes[0] = Outcome::adjusted(Award::score(scores[0]), Award::score(scores[0]));
        prop_assert_eq!(score_board(&rows(&outcomes), &rules), plain);
    }
}

/// Whether both sides are compared with the same results.
fn balanced(outcome: &Outcome) -> bool {
    match outcome {
        Outcome::Adjusted(adjustment) => {
            let is_assigned = |award: &Award| matches!(award, Award::Assigned(_));
            adjustment.ns == adjustment.ew
                || !is_assigned(&adjustment.ns) && !is_assigned(&adjustment.ew)
        }
        _ => true,
    }
}
