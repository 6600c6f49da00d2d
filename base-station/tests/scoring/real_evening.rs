//! A real club evening, against what another program made of it.

use std::fmt::Write;

use super::support::{close, data, session};

/// The evening's results with the columns that the calculator knows.
pub(crate) fn results() -> String {
    let text = data("real/club_session_results.csv");
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let mut csv =
        String::from("section,table,round,board,pair_ns,pair_ew,declarer,contract,result\n");
    for record in reader.records() {
        let record = record.expect("a row");
        let wanted: Vec<&str> = record.iter().skip(1).take(9).collect();
        writeln!(csv, "{}", wanted.join(",")).expect("text");
    }
    csv
}

fn number(text: &str) -> u64 {
    text.parse().expect("a number")
}

#[test]
fn a_real_evening_is_ranked_as_the_club_saw_it() {
    let answer = session(&results(), &[]).expect("scored");
    assert_eq!(answer["boards"].as_array().map(Vec::len), Some(27));
    let expected = data("real/club_session_ranking.csv");
    let mut reader = csv::Reader::from_reader(expected.as_bytes());
    let ranking = answer["ranking"].as_array().expect("a ranking");
    let mut pairs = 0;
    for row in reader.records() {
        let row = row.expect("a row");
        let line = ranking
            .iter()
            .find(|line| line["direction"] == row[0] && line["pair"] == number(&row[1]))
            .expect("the pair is ranked");
        assert_eq!(line["matchpoints"].to_string(), row[2], "{row:?}");
        let percent: f64 = row[3].parse().expect("a percentage");
        assert!(
            close(line["percent"].as_f64().expect("percent"), percent),
            "{row:?}"
        );
        assert_eq!(line["boards"], 27);
        assert_eq!(line["section"], "A");
        let better = ranking.iter().filter(|other| {
            other["direction"] == line["direction"]
                && other["percent"].as_f64() > line["percent"].as_f64()
        });
        assert_eq!(line["rank"], better.count() + 1, "{row:?}");
        pairs += 1;
    }
    assert_eq!(pairs, ranking.len());
}

#[test]
fn imps_of_the_same_evening_balance() {
    for method in ["butler", "ximp"] {
        let answer = session(&results(), &["--method", method]).expect("scored");
        for board in answer["boards"].as_array().expect("boards") {
            assert_eq!(board["datum"].is_number(), method == "butler");
            let mut sum = 0.0;
            for row in board["rows"].as_array().expect("rows") {
                let imps = row["imps_ns"].as_f64().expect("IMPs");
                let other = row["imps_ew"].as_f64().expect("IMPs");
                assert!(close(imps, -other), "{row}");
                sum += imps;
            }
            // Cross-IMPs balance over the board but for rounding to hundredths.
            assert!(method == "butler" || f64::abs(sum) < 0.06, "{board}");
        }
    }
}
