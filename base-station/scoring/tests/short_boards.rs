//! Boards with fewer results than others.

use protocol::words::{BoardNumber, PairNumber, Score, SectionLetter};
use scoring::{
    AdjustedRows, Award, Field, FouledBoards, Outcome, Pair, Percent, Row, Rules, ShortBoards,
};

fn pair(number: u16) -> PairNumber {
    PairNumber::new(number).expect("a pair")
}

fn board(number: u8) -> BoardNumber {
    BoardNumber::new(number).expect("a board")
}

fn put(field: &mut Field, number: u8, scores: &[(u16, Outcome)]) {
    for (ns, outcome) in scores {
        let row =
            Row::numbered_through(SectionLetter::A, pair(*ns), pair(ns + 100), outcome.clone());
        field.set(board(number), row).expect("plays once");
    }
}

fn results(scores: &[i16]) -> Vec<(u16, Outcome)> {
    (1..)
        .zip(scores)
        .map(|(ns, score)| (ns, Outcome::Score(Score(*score))))
        .collect()
}

fn field(short_boards: ShortBoards) -> Field {
    Field::new(Rules {
        short_boards,
        ..Rules::default()
    })
}

fn shown(field: &mut Field, number: u8) -> (String, Vec<String>) {
    let ranking = field.ranking();
    let sheet = field.settled(&ranking, SectionLetter::A, board(number));
    let sheet = sheet.expect("played");
    let ns = |row: &scoring::RowScores| row.ns.expect("scored").points.to_string();
    (sheet.top.to_string(), sheet.rows.iter().map(ns).collect())
}

#[test]
fn point_2_a_short_board_is_brought_to_the_common_top_by_neuberg() {
    let mut field = field(ShortBoards::CommonTop);
    put(&mut field, 1, &results(&[620, 420, 170, 140, -50]));
    put(&mut field, 2, &results(&[620, 420, 170, -50]));
    // (M + 1) x 5/4 - 1 for M of 6, 4, 2 and 0.
    let expected = ["7.75", "5.25", "2.75", "0.25"].map(str::to_owned).to_vec();
    assert_eq!(shown(&mut field, 2), ("8".to_owned(), expected));
    assert_eq!(shown(&mut field, 1).1, ["8", "6", "4", "2", "0"]);
}

#[test]
fn point_2_with_its_own_top_a_short_board_weighs_less() {
    let mut field = field(ShortBoards::OwnTop);
    put(&mut field, 1, &results(&[620, 420, 170, 140, -50]));
    put(&mut field, 2, &results(&[620, 420, 170, -50]));
    assert_eq!(shown(&mut field, 2).0, "6");
    assert_eq!(shown(&mut field, 2).1, ["6", "4", "2", "0"]);
}

#[test]
fn point_2_one_result_more_elsewhere_changes_what_a_board_is_worth() {
    let mut field = field(ShortBoards::CommonTop);
    put(&mut field, 1, &results(&[620, 420]));
    put(&mut field, 2, &results(&[620, 420]));
    assert_eq!(
        shown(&mut field, 2),
        ("2".to_owned(), vec!["2".to_owned(), "0".to_owned()])
    );
    put(&mut field, 1, &[(3, Outcome::Score(Score(0)))]);
    let expected = vec!["3.5".to_owned(), "0.5".to_owned()];
    assert_eq!(shown(&mut field, 2), ("4".to_owned(), expected));
    // And it is taken back with that result.
    let of = |number| Pair {
        section: SectionLetter::A,
        direction: None,
        number: pair(number),
    };
    assert!(field.remove(board(1), of(3)));
    assert_eq!(shown(&mut field, 2).0, "2");
    let ranking = field.ranking();
    assert_eq!(
        ranking.find(of(1)).expect("ranked").percent,
        Some(Percent::whole(100))
    );
}

#[test]
fn point_2_awards_and_fouled_forms_of_a_short_board_come_to_the_common_top_too() {
    for adjusted in [AdjustedRows::Neuberg, AdjustedRows::Manual] {
        for fouled in [FouledBoards::ByForm, FouledBoards::Quick] {
            let mut field = Field::new(Rules {
                adjusted,
                fouled,
                ..Rules::default()
            });
            put(
                &mut field,
                1,
                &results(&[10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110]),
            );
            let mut short = results(&[10, 20, 30, 40, 50, 60, 70, 80]);
            short.push((
                9,
                Outcome::adjusted(Award::AveragePlus, Award::AverageMinus),
            ));
            put(&mut field, 2, &short);
            let (top, rows) = shown(&mut field, 2);
            assert_eq!(top, "20");
            assert_eq!(
                rows.last().map(String::as_str),
                Some("16"),
                "the pair's own 80%"
            );
            // Every pair of real results still shares a top, and together they share them all.
            let points: f64 = rows
                .iter()
                .take(8)
                .map(|it| it.parse::<f64>().expect("points"))
                .sum();
            assert!((points - 80.0).abs() < 0.05, "{points}");
        }
    }
}
