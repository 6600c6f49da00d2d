//! Examples about one board.

use std::fmt::Write;

use base_station::scoring::regulations::weighted_mean;
use base_station::scoring::{
    AveragePlus, Award, Datum, DatumRounding, DatumRules, Fault, Field, Form, Outcome, Percent,
    Points, Rounding, Row, Rules, Scorer, Trimming, score_board,
};
use protocol::words::{BoardNumber, PairNumber, Score, SectionLetter, Side};
use serde_json::Value;

use super::super::support::{close, json, session};
use super::{Example, hundredths, number};

fn pair(number: usize) -> PairNumber {
    u16::try_from(number)
        .ok()
        .and_then(PairNumber::new)
        .expect("a pair")
}

fn row(number: usize, outcome: Outcome) -> Row {
    Row::new(SectionLetter::A, pair(number), pair(number), outcome)
}

fn scores(points: impl IntoIterator<Item = i16>) -> Vec<Row> {
    let numbered = points.into_iter().enumerate();
    numbered
        .map(|(index, points)| row(index + 1, Outcome::Score(Score(points))))
        .collect()
}

pub(super) fn tops(example: &Example) {
    let tables = hundredths(example.input("tables")) / 100;
    let tens = i16::try_from(tables).expect("a few");
    let mut rows = scores((0..tens).map(|table| table * 10));
    let board = score_board(&rows, &Rules::default());
    example.expect("top", board.top.to_f64());
    let seven_beaten = board.rows[7];
    assert_eq!(seven_beaten.ns.map(|it| it.points), Some(Points::whole(14)));
    let other = seven_beaten.ew.expect("played").points;
    example.expect("ns_14_gives_ew", other.to_f64());
    let last = rows.len() - 1;
    rows[last].outcome = rows[last - 1].outcome.clone();
    let tied = score_board(&rows, &Rules::default()).rows[last];
    example.expect(
        "two_tied_for_top_each",
        tied.ns.expect("played").points.to_f64(),
    );
    rows[0].outcome = Outcome::SitOut;
    let board = score_board(&rows, &Rules::default());
    example.expect("top_after_one_phantom", board.top.to_f64());
}

pub(super) fn adjusted_by_hand(example: &Example) {
    let mut csv = String::from("board,pair_ns,pair_ew,score_ns,adjust\n");
    for line in example.input["rows"].as_array().expect("rows") {
        let (score, adjust) = match &line[2] {
            Value::String(adjust) => (String::new(), adjust.as_str()),
            score => (score.to_string(), ""),
        };
        writeln!(csv, "1,{},{},{score},{adjust}", line[0], line[1]).expect("text");
    }
    let board = |options: &[&str]| {
        let answer = session(&csv, options).expect("scored");
        answer["boards"][0].clone()
    };
    let manual = board(&["--adjusted", "manual"]);
    example.expect("top", number(&manual["top"], "top"));
    let expected = example.expected["rows"].as_array().expect("rows");
    let rows = manual["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), expected.len());
    let (mut best, mut worst) = (f64::MIN, f64::MAX);
    for (row, expected) in rows.iter().zip(expected) {
        assert_eq!(row["pair_ns"], expected["ns"]);
        for (got, wanted) in [
            ("mp_ns", "mp_ns"),
            ("mp_ew", "mp_ew"),
            ("percent_ns", "pct_ns"),
            ("percent_ew", "pct_ew"),
        ] {
            let (got, wanted) = (row[got].as_f64(), expected[wanted].as_f64());
            assert_eq!(got.is_some(), wanted.is_some(), "{row}");
            let (got, wanted) = (got.unwrap_or_default(), wanted.unwrap_or_default());
            assert!(close(got, wanted), "{row} is not {expected}");
        }
        if row["score_ns"].is_number() {
            best = best.max(number(&row["mp_ns"], "mp"));
            worst = worst.min(number(&row["mp_ns"], "mp"));
        }
    }
    example.expect("top_real", best);
    example.expect("bottom_real", worst);
    neuberg_of_the_note(example, &board(&[]));
}

/// The note tells what Neuberg would give: `{1: 9.29, 2: 5.43, ...}` by North-South pair.
fn neuberg_of_the_note(example: &Example, board: &Value) {
    let listed = example.note.split(['{', '}']).nth(1).expect("a list");
    for entry in listed.split(',') {
        let (pair, points) = entry.split_once(':').expect("pair: points");
        let mut rows = board["rows"].as_array().expect("rows").iter();
        let row = rows.find(|row| row["pair_ns"] == pair.trim().parse::<u64>().expect("a pair"));
        let got = number(&row.expect("the pair")["mp_ns"], "mp");
        assert!(
            close(got, points.trim().parse().expect("points")),
            "{entry}: {got}"
        );
    }
}

pub(super) fn fouled(example: &Example) {
    match example.id.as_str() {
        "fouled_formula_F" => fouled_formula(example),
        "fouled_small_group" => fouled_small_group(example),
        "wrong_board" => wrong_board(example),
        other => panic!("no test knows {other}"),
    }
}

/// `form` results of one form among `field`, all different, from the lowest.
fn form_of(form: usize, field: usize) -> Vec<Row> {
    let mut rows = scores((0..i16::try_from(field).expect("few")).map(|table| table * 10));
    for row in rows.iter_mut().skip(form) {
        row.form = Form(1);
    }
    rows
}

fn fouled_formula(example: &Example) {
    let rules = Rules {
        rounding: Rounding::Tenth,
        ..Rules::default()
    };
    for key in example.expected.as_object().expect("figures").keys() {
        let numbers: Vec<usize> = key
            .split(|letter: char| !letter.is_ascii_digit())
            .filter_map(|digits| digits.parse().ok())
            .collect();
        if let Some(rest) = key.strip_prefix("sum_check_") {
            let board = score_board(&form_of(numbers[1], numbers[0]), &rules);
            let form = board.rows.iter().take(numbers[1]);
            let sum: Points = form.map(|row| row.ns.expect("played").points).sum();
            assert!(rest.starts_with('E'));
            example.expect(key, sum.to_f64());
        } else {
            let &[won, field, form] = numbers.as_slice() else {
                panic!("{key} is not M, E and A");
            };
            let board = score_board(&form_of(form, field), &rules);
            let points = board.rows[won / 2].ns.expect("played").points;
            example.expect(key, points.to_f64());
        }
    }
}

fn fouled_small_group(example: &Example) {
    let percents = |rows: &[Row], form: usize| -> Vec<f64> {
        let board = score_board(rows, &Rules::default());
        let form = board.rows.iter().take(form).rev();
        form.map(|row| row.ns.expect("played").points.percent_of(board.top))
            .map(|percent| percent.expect("a top").to_f64())
            .collect()
    };
    for form in 1..=3 {
        let expected = example.expected[form.to_string()]
            .as_array()
            .expect("percentages");
        let expected: Vec<f64> = expected.iter().map(|it| number(it, "percent")).collect();
        for (fault, key) in [
            (Fault::None, "indemnity_not_at_fault"),
            (Fault::Partly, "partly_at_fault"),
            (Fault::Responsible, "responsible"),
        ] {
            let mut rows = form_of(form, 13);
            for row in &mut rows {
                row.fault = [fault; 2];
            }
            let extra = example.expected(key);
            let expected: Vec<f64> = expected.iter().map(|it| it + extra).collect();
            assert_eq!(percents(&rows, form), expected);
        }
    }
    // Those who tie share the difference.
    for (form, expected) in [(2, vec![50.0, 50.0]), (3, vec![55.0, 55.0, 40.0])] {
        let mut rows = form_of(form, 13);
        rows[form - 2].outcome = rows[form - 1].outcome.clone();
        for row in &mut rows {
            row.fault = [Fault::Partly; 2];
        }
        assert_eq!(percents(&rows, form), expected);
    }
}

/// The pair that played a board too early keeps its score there; who should have met them gets
/// 60/60, which rises to their own average, and the board they missed is 40/60.
fn wrong_board(example: &Example) {
    let (ns, ew) = (example.input("ns"), example.input("actual_ew"));
    let index = |number: f64| pair(usize::try_from(hundredths(number) / 100).expect("a pair"));
    let score = i16::try_from(hundredths(example.input("score")) / 100).expect("points");
    let expected = &example.expected["board9"][1];
    assert_eq!(expected["award"], "60/60");
    let innocent = index(number(&expected["ns"], "pair"));
    let mut field = Field::new(Rules::default());
    let board = |number: u8| BoardNumber::new(number).expect("a board");
    let row = |ns, ew, outcome| Row::new(SectionLetter::A, ns, ew, outcome);
    let both = Outcome::adjusted(Award::AveragePlus, Award::AveragePlus);
    let scheduled = index(example.input("scheduled_ew"));
    let result = Outcome::Score(Score(score));
    field
        .set(board(9), row(index(ns), index(ew), result))
        .expect("new");
    field
        .set(board(9), row(innocent, scheduled, both))
        .expect("new");
    // Elsewhere the innocent North-South pair wins everything, East-West nothing.
    for (number, points) in [(2, 100), (3, 100)] {
        let win = Outcome::Score(Score(points));
        let loss = Outcome::Score(Score(-points));
        field
            .set(board(number), row(innocent, scheduled, win))
            .expect("new");
        field
            .set(board(number), row(index(ns), index(ew), loss))
            .expect("new");
    }
    let ranking = field.ranking();
    let award = |side, pair| {
        let mut lines = ranking.standings.iter();
        let line =
            lines.find(|it| it.contestant.direction == Some(side) && it.contestant.number == pair);
        line.and_then(|line| line.average_plus).expect("an award")
    };
    assert_eq!(award(Side::NorthSouth, innocent), Percent::whole(100));
    assert_eq!(award(Side::EastWest, scheduled), Percent::whole(60));
}

pub(super) fn weighted(example: &Example) {
    let outcomes = example.input["outcomes"].as_array().expect("outcomes");
    let parts: Vec<(Points, Percent)> = outcomes
        .iter()
        .map(|it| {
            let points = i64::from(hundredths(number(&it["mp"], "mp")));
            let weight = hundredths(number(&it["weight_pct"], "weight"));
            (Points::from_ten_thousandths(points * 100), Percent(weight))
        })
        .collect();
    for (part, expected) in parts
        .iter()
        .zip(example.expected["parts"].as_array().expect("parts"))
    {
        let got = weighted_mean(&[*part], Rounding::TenThousandth).to_f64();
        assert!(close(got, number(expected, "part")), "{got}");
    }
    example.expect(
        "total",
        weighted_mean(&parts, Rounding::TenThousandth).to_f64(),
    );
    example.expect("total_1dp", weighted_mean(&parts, Rounding::Tenth).to_f64());
}

pub(super) fn split(example: &Example) {
    // "2S by W making 8 tricks"
    let ns_score = |key: &str| {
        let words: Vec<&str> = example.input[key]
            .as_str()
            .expect("words")
            .split(' ')
            .collect();
        let level: i8 = words[0][..1].parse().expect("a level");
        let tricks: i8 = words[4].parse().expect("tricks");
        let result = format!("{:+}", tricks - level - 6);
        let answer = json(&["score", words[0], words[2], &result, "--vul", "none"]);
        number(&answer["ns_score"], "score")
    };
    example.expect("ns", ns_score("ns_keeps"));
    example.expect("ew", -ns_score("ew_assigned"));
    // Each side is compared with its own score.
    let csv = "board,pair_ns,pair_ew,score_ns,adjust\n8,1,1,,=-110/=120\n8,2,2,110,\n8,3,3,-120,\n";
    let answer = session(csv, &[]).expect("scored");
    let rows = &answer["boards"][0]["rows"];
    assert_eq!([&rows[0]["mp_ns"], &rows[0]["mp_ew"]], [2, 0]);
    assert_eq!([&rows[1]["mp_ns"], &rows[1]["mp_ew"]], [4, 2]);
    assert_eq!([&rows[2]["mp_ns"], &rows[2]["mp_ew"]], [0, 4]);
}

pub(super) fn contract(example: &Example) {
    let doubled = ["", "X", "XX"]
        [usize::try_from(hundredths(example.input("doubled")) / 100).expect("0 to 2")];
    let level = hundredths(example.input("level")) / 100;
    let strain = example.input["strain"].as_str().expect("a strain");
    let over = hundredths(example.input("tricks")) / 100 - level - 6;
    let contract = format!("{level}{strain}{doubled}");
    let vul = if example.input("vul") > 0.0 {
        "both"
    } else {
        "none"
    };
    let answer = json(&["score", &contract, "S", &format!("{over:+}"), "--vul", vul]);
    example.expect("score_declarer", number(&answer["ns_score"], "score"));
}

pub(super) fn imps(example: &Example) {
    let other = if example.input["ew_score"].is_number() {
        example.input["ew_score"].to_string()
    } else {
        // "3NT-1 same vulnerability": the 600 of the other table is a vulnerable game.
        let text = example.input["other_table"].as_str().expect("a contract");
        let (contract, rest) = text.split_once('-').expect("a contract that went down");
        let result = format!("-{}", &rest[..1]);
        let answer = json(&["score", contract, "E", &result, "--vul", "both"]);
        example.expect("ew_score_if_vul", number(&answer["ns_score"], "score"));
        answer["ns_score"].to_string()
    };
    let answer = json(&["imp", &example.input["ns_score"].to_string(), &other]);
    example.expect("total", number(&answer["total"], "total"));
    example.expect("imps", number(&answer["imps"], "imps"));
}

pub(super) fn datum(example: &Example) {
    if let Some(results) = example.input["results"].as_u64() {
        let results = usize::try_from(results).expect("a few");
        for (key, trimming) in [
            ("000_round_robin_each_end", Trimming::Sixth),
            ("001_each_end", Trimming::Tenth),
            ("002_each_end", Trimming::Each(2)),
        ] {
            let dropped = u32::try_from(trimming.each_end(results)).expect("a few");
            example.expect(key, f64::from(dropped));
        }
        return;
    }
    let (trimming, preset) = match example.id.as_str() {
        "datum_003_12" => (Trimming::Each(1), "club"),
        "datum_000rr_12" => (Trimming::Sixth, "sabf"),
        "datum_002_12" => (Trimming::Each(2), "gnot"),
        other => panic!("no test knows {other}"),
    };
    let listed = example.input["ns_scores"].as_array().expect("scores");
    let points = |it: &Value| i16::try_from(it.as_i64().expect("points")).expect("a score");
    let mut sorted: Vec<i16> = listed.iter().map(points).collect();
    sorted.sort_unstable();
    let dropped = u32::try_from(trimming.each_end(sorted.len())).expect("a few");
    example.expect("dropped_each_end", f64::from(dropped));
    let used = u32::try_from(sorted.len()).expect("a few") - 2 * dropped;
    example.expect("used", f64::from(used));
    let mut rules = DatumRules::new(trimming);
    let counted = || sorted.iter().map(|&score| (i32::from(score), 1));
    let rounded = Datum::of(counted(), sorted.len(), rules).expect("scores");
    example.expect("datum_nearest_10", rounded.to_f64());
    rules.rounding = DatumRounding::Exact;
    let exact = Datum::of(counted(), sorted.len(), rules).expect("scores");
    example.expect("mean", exact.to_f64());
    // The whole board says the same, and so does the command line.
    let lines = listed.iter().enumerate();
    let lines = lines.map(|(index, score)| format!("1,{0},{0},{score}\n", index + 1));
    let csv = format!(
        "board,pair_ns,pair_ew,score_ns\n{}",
        lines.collect::<String>()
    );
    let answer = session(&csv, &["--method", "butler", "--datum", preset]).expect("scored");
    let printed = number(&answer["boards"][0]["datum"], "datum");
    example.expect("datum_nearest_10", printed);
    let mut scorer = Scorer::new(Rules {
        method: base_station::scoring::Method::Butler(rules),
        ..Rules::default()
    });
    assert_eq!(scorer.board(&scores(sorted.clone())).datum, Some(exact));
}

pub(super) fn average_plus(example: &Example) {
    for (key, plus) in [
        ("001_teams_itc_cwf", AveragePlus::ABF_TEAMS),
        ("001_butler_imp_pairs", AveragePlus::ABF_PAIRS),
        ("000_butler_cancelled", AveragePlus::SABF),
        ("002_gnot_fouled", AveragePlus::GNOT_2006),
    ] {
        example.expect(key, plus.imps.to_f64());
    }
    example.expect(
        "001_matchpoints_pct",
        AveragePlus::ABF_PAIRS.percent.to_f64(),
    );
    assert_eq!(
        example.expected["000_matchpoint_fouled_innocent"],
        "max(60, session average)"
    );
    let awards = [Award::AveragePlus, Award::Average, Award::AverageMinus];
    for (award, key) in awards.into_iter().zip(["avg_plus", "avg", "avg_minus"]) {
        let mut rows = scores([10, 20]);
        rows.push(row(3, Outcome::adjusted(award.clone(), award)));
        let board = score_board(&rows, &Rules::default());
        let percent = board.rows[2]
            .ns
            .and_then(|it| it.points.percent_of(board.top));
        let expected = number(&example.expected["003_pairs"][key], key);
        assert_eq!(percent.map(Percent::to_f64), Some(expected));
    }
}
