//! Results that are put right: other opponents, exchanged directions, weighted scores.

use base_station::scoring::{Field, FieldError, Outcome, Pair, Row, Rules};
use protocol::words::{BoardNumber, PairNumber, Score, SectionLetter, Side};

use super::support::session;

fn pair(number: u16) -> PairNumber {
    PairNumber::new(number).expect("a pair")
}

/// Where each direction counts from 1.
fn mitchell(ns: u16, ew: u16, points: i16) -> Row {
    let outcome = Outcome::Score(Score(points));
    Row::new(SectionLetter::A, pair(ns), pair(ew), outcome)
}

/// Where pairs are numbered through.
fn howell(ns: u16, ew: u16, points: i16) -> Row {
    let outcome = Outcome::Score(Score(points));
    Row::numbered_through(SectionLetter::A, pair(ns), pair(ew), outcome)
}

fn field(result: fn(u16, u16, i16) -> Row) -> Field {
    let mut field = Field::new(Rules::default());
    field.set(board(), result(1, 2, 420)).expect("new");
    field.set(board(), result(3, 4, -50)).expect("new");
    field
}

fn board() -> BoardNumber {
    BoardNumber::new(7).expect("a board")
}

/// Who met whom with what, in the order of the North-South pairs.
fn seen(field: &mut Field) -> Vec<(u16, u16, i16)> {
    let view = field.board(SectionLetter::A, board()).expect("played");
    let number = |pair: Option<Pair>| pair.expect("a pair").number.get();
    let mut rows: Vec<_> = view
        .rows
        .iter()
        .map(|row| match row.outcome {
            Outcome::Score(score) => (number(row.ns), number(row.ew), score.0),
            _ => panic!("only scores here"),
        })
        .collect();
    rows.sort_unstable();
    rows
}

#[test]
fn a_corrected_result_replaces_the_one_of_its_table() {
    let result = mitchell;
    let mut field = field(result);
    field.set(board(), result(1, 2, 450)).expect("corrected");
    assert_eq!(seen(&mut field), [(1, 2, 450), (3, 4, -50)]);
    field
        .set(board(), result(1, 5, 450))
        .expect("other opponents");
    assert_eq!(seen(&mut field), [(1, 5, 450), (3, 4, -50)]);
    // In a Mitchell, pair 2 North-South is not pair 2 East-West.
    field
        .set(board(), result(2, 1, 100))
        .expect("another table");
    assert_eq!(field.ranking().standings.len(), 6);
}

#[test]
fn directions_can_be_exchanged_but_nobody_plays_a_board_twice() {
    let result = howell;
    let mut field = field(result);
    field
        .set(board(), result(2, 1, -420))
        .expect("they sat the other way");
    assert_eq!(seen(&mut field), [(2, 1, -420), (3, 4, -50)]);
    let of = |number| Pair {
        section: SectionLetter::A,
        direction: None,
        number: pair(number),
    };
    let refused = |side, number| {
        Err(FieldError::PlayedTwice {
            pair: of(number),
            side,
            board: board(),
        })
    };
    // Pair 4 has its result at the other table, whoever it is said to have met.
    assert_eq!(
        field.set(board(), result(2, 4, 100)),
        refused(Side::EastWest, 4)
    );
    assert_eq!(
        field.set(board(), result(5, 4, 100)),
        refused(Side::EastWest, 4)
    );
    assert_eq!(
        field.set(board(), result(4, 5, 100)),
        refused(Side::NorthSouth, 4)
    );
    assert_eq!(seen(&mut field), [(2, 1, -420), (3, 4, -50)]);
    assert!(field.remove(board(), of(4)));
    assert!(!field.remove(board(), of(4)));
    assert_eq!(field.set(board(), result(4, 5, 100)), Ok(()));
}

#[test]
fn a_weighted_score_is_compared_by_its_weights_both_ways() {
    // Three quarters of 620, a quarter of -100, against 170: one and a half matchpoints of two.
    let csv = "board,pair_ns,pair_ew,score_ns,adjust\n2,1,1,,=620@75;-100@25\n2,2,2,170,\n";
    let answer = session(csv, &[]).expect("scored");
    let rows = &answer["boards"][0]["rows"];
    assert_eq!([&rows[0]["mp_ns"], &rows[0]["mp_ew"]], [1.5, 0.5]);
    assert_eq!([&rows[1]["mp_ns"], &rows[1]["mp_ew"]], [0.5, 1.5]);
    assert!(rows[0]["score_ns"].is_null());
    // At IMPs: 450 is worth 10, -270 is worth -7.
    let answer = session(csv, &["--method", "ximp"]).expect("scored");
    let rows = &answer["boards"][0]["rows"];
    assert_eq!(rows[0]["imps_ns"], 10.0 * 0.75 - 7.0 * 0.25);
    assert_eq!(rows[0]["imps_ew"], -5.75);
}
