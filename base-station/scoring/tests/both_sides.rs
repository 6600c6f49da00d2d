//! What one side has, the other side lacks: whoever sits North-South, whatever the method.

mod any;

use any::{TRIMMINGS, award};
use proptest::prelude::*;
use protocol::words::{BoardNumber, PairNumber, Score, SectionLetter, TableNumber};
use scoring::{
    Adjustment, Award, DatumRounding, DatumRules, Field, Form, Method, Outcome, Pair, Points,
    Rounding, Row, Rules, Trimming, WeightedScore,
};

fn score() -> impl Strategy<Value = Score> {
    // Fives of a datum come from few and small differences.
    prop_oneof![
        4 => (-15_i16..=15).prop_map(|tens| tens * 10),
        1 => (-760_i16..=760).prop_map(|tens| tens * 10),
    ]
    .prop_map(Score)
}

fn outcome() -> impl Strategy<Value = Outcome> {
    prop_oneof![
        12 => score().prop_map(Outcome::Score),
        1 => Just(Outcome::NotPlayed),
        2 => (award(score), award(score)).prop_map(|(ns, ew)| Outcome::adjusted(ns, ew)),
    ]
}

fn imps() -> impl Strategy<Value = Method> {
    let rarer = [
        Trimming::Each(0),
        Trimming::Each(3),
        Trimming::FouledSabf,
        Trimming::FouledAbf,
    ];
    let trimmings = [&TRIMMINGS[..], &rarer].concat();
    let roundings = vec![
        DatumRounding::HalfAwayFromZero,
        DatumRounding::HalfEven,
        DatumRounding::Exact,
    ];
    prop_oneof![
        1 => Just(Method::CrossImps),
        2 => (prop::sample::select(trimmings), prop::sample::select(roundings)).prop_map(
            |(trimming, rounding)| Method::Butler(DatumRules { trimming, rounding })
        ),
    ]
}

fn rounding() -> impl Strategy<Value = Rounding> {
    prop::sample::select(vec![
        Rounding::Tenth,
        Rounding::Hundredth,
        Rounding::TenThousandth,
    ])
}

fn pair(number: u16) -> PairNumber {
    PairNumber::new(number).expect("a pair")
}

fn board(number: u8) -> BoardNumber {
    BoardNumber::new(number).expect("a board")
}

/// The same award for whoever sits the other way.
fn turned_award(award: &Award) -> Award {
    match award {
        Award::Assigned(scores) => Award::Assigned(
            scores
                .iter()
                .map(|it| WeightedScore {
                    score: -it.score,
                    ..*it
                })
                .collect(),
        ),
        award => award.clone(),
    }
}

/// The same table with its pairs in each other's chairs.
fn turned(row: &Row) -> Row {
    let outcome = match &row.outcome {
        Outcome::Score(score) => Outcome::Score(-*score),
        Outcome::Adjusted(adjustment) => {
            let Adjustment { ns, ew } = adjustment.as_ref();
            Outcome::adjusted(turned_award(ew), turned_award(ns))
        }
        other => other.clone(),
    };
    Row {
        ns: row.ew,
        ew: row.ns,
        outcome,
        ..row.clone()
    }
}

/// Boards whose rows are outcomes and whether another form was played.
fn boards() -> impl Strategy<Value = Vec<Vec<Row>>> {
    let row = (outcome(), prop::bool::weighted(0.05));
    let rows = prop::collection::vec(row, 1..12).prop_map(|rows| {
        (1..)
            .zip(rows)
            .map(|(number, (outcome, fouled))| Row {
                table: TableNumber::new(number),
                form: Form(u8::from(fouled)),
                ..Row::numbered_through(SectionLetter::A, pair(number), pair(number + 100), outcome)
            })
            .collect()
    });
    prop::collection::vec(rows, 1..6)
}

fn field(rules: &Rules, boards: &[Vec<Row>]) -> Field {
    let mut field = Field::new(rules.clone());
    for (number, rows) in (1..).zip(boards) {
        for row in rows {
            field.set(board(number), row.clone()).expect("plays once");
        }
    }
    field
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn point_3_exchanging_all_sides_negates_every_imp(
        method in imps(),
        rounding in rounding(),
        boards in boards(),
    ) {
        let rules = Rules { method, rounding, ..Rules::default() };
        let mut before = field(&rules, &boards);
        let turned: Vec<Vec<Row>> = boards.iter().map(|rows| rows.iter().map(turned).collect()).collect();
        let mut after = field(&rules, &turned);
        let (ranking, other) = (before.ranking(), after.ranking());
        for (number, rows) in (1..).zip(&boards) {
            let one = before.settled(&ranking, SectionLetter::A, board(number)).expect("played");
            let two = after.settled(&other, SectionLetter::A, board(number)).expect("played");
            for ((one, two), row) in one.rows.iter().zip(&two.rows).zip(rows) {
                prop_assert_eq!(one.ns, two.ew, "{:?}", row);
                prop_assert_eq!(one.ew, two.ns, "{:?}", row);
                if let (Outcome::Score(_), Some(ns), Some(ew)) = (&row.outcome, one.ns, one.ew) {
                    let split = rows.iter().any(|row| matches!(row.outcome, Outcome::Adjusted(_)));
                    prop_assert!(split || ns.points == -ew.points, "{:?}", row);
                }
            }
        }
        for standing in &ranking.standings {
            let there = other.find(standing.contestant).expect("the same pairs");
            prop_assert_eq!(standing.points, there.points);
        }
    }

    #[test]
    fn point_1_the_rows_of_all_boards_add_up_to_the_ranking(
        method in prop_oneof![Just(Method::Matchpoints), imps()],
        rounding in rounding(),
        own_top in any::<bool>(),
        boards in boards(),
    ) {
        let short_boards = if own_top { scoring::ShortBoards::OwnTop } else { scoring::ShortBoards::CommonTop };
        let rules = Rules { method, rounding, short_boards, ..Rules::default() };
        let mut field = field(&rules, &boards);
        let ranking = field.ranking();
        for standing in &ranking.standings {
            let (mut points, mut tops, mut count) = (Points::ZERO, Points::ZERO, 0_i64);
            for (number, rows) in (1..).zip(&boards) {
                let sheet = field.settled(&ranking, SectionLetter::A, board(number)).expect("played");
                for (row, scores) in rows.iter().zip(&sheet.rows) {
                    for (who, score) in [(row.ns, scores.ns), (row.ew, scores.ew)] {
                        if let Some(score) = score.filter(|_| who == Some(standing.contestant)) {
                            points += score.points;
                            tops += sheet.top;
                            count += 1;
                        }
                    }
                }
            }
            prop_assert_eq!(i64::from(standing.boards), count);
            if method == Method::Matchpoints {
                prop_assert_eq!((points, tops), (standing.points, standing.top));
            } else {
                // Rows are rounded to be shown, the total is rounded once.
                let unit = match rounding {
                    Rounding::Tenth => 1_000,
                    Rounding::Hundredth => 100,
                    Rounding::TenThousandth => 1,
                };
                let off = (points - standing.points).ten_thousandths().abs();
                prop_assert!(2 * off <= (count + 1) * unit, "{} is not {}", points, standing.points);
            }
        }
    }
}

#[test]
fn point_3_an_exact_five_of_a_datum_goes_away_from_zero() {
    // The middle two of four average 115 for one side and minus 115 for the other.
    let butler = Method::Butler(DatumRules::new(Trimming::Each(1)));
    let rules = Rules {
        method: butler,
        ..Rules::default()
    };
    let datum = |scores: [i16; 4]| {
        let rows: Vec<Row> = (1..)
            .zip(scores)
            .map(|(number, score)| {
                let outcome = Outcome::Score(Score(score));
                Row::numbered_through(SectionLetter::A, pair(number), pair(number + 100), outcome)
            })
            .collect();
        let board = scoring::score_board(&rows, &rules);
        board.datum.expect("Butler has one").to_f64().to_string()
    };
    assert_eq!(datum([420, 120, 110, -50]), "120");
    assert_eq!(datum([-420, -120, -110, 50]), "-120");
}

#[test]
fn point_3_totals_of_imps_are_added_up_exactly_and_rounded_once() {
    // A third of an IMP on each of three boards of four tables is one IMP, not 0.99.
    let rules = Rules {
        method: Method::CrossImps,
        ..Rules::default()
    };
    let boards: Vec<Vec<Row>> = (0..3)
        .map(|_| {
            let scores = [110, 90, 110, 110];
            (1..)
                .zip(scores)
                .map(|(number, score)| {
                    let outcome = Outcome::Score(Score(score));
                    Row::numbered_through(
                        SectionLetter::A,
                        pair(number),
                        pair(number + 100),
                        outcome,
                    )
                })
                .collect()
        })
        .collect();
    let mut field = field(&rules, &boards);
    let ranking = field.ranking();
    let of = |number| {
        let contestant = Pair {
            section: SectionLetter::A,
            direction: None,
            number: pair(number),
        };
        ranking.find(contestant).expect("ranked").points.to_string()
    };
    assert_eq!((of(1), of(101)), ("1".to_owned(), "-1".to_owned()));
    assert_eq!((of(2), of(102)), ("-3".to_owned(), "3".to_owned()));
    let sheet = field.settled(&ranking, SectionLetter::A, board(1));
    let first = sheet.expect("played").rows[0].ns.expect("scored");
    assert_eq!(first.points.to_string(), "0.33");
}
