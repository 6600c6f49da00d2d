//! The golden charts through the command line, and what it says to bad input.

use std::collections::BTreeMap;

use crate::cli::{self, CliError, Invocation};

/// Runs `byestand movement ...` as the binary would.
fn ask(line: &str) -> Result<String, CliError> {
    let arguments = ["byestand", "movement"]
        .into_iter()
        .chain(line.split_whitespace());
    let Invocation::Run(arguments) = cli::parse(arguments)? else {
        panic!("{line} asked for help");
    };
    let mut out = Vec::new();
    cli::run(arguments, &mut out)?;
    Ok(String::from_utf8(out).unwrap())
}

fn golden(file: &str) -> String {
    let path = format!("{}/../tests/golden/{file}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|fault| panic!("{path}: {fault}"))
}

/// A golden file as CSV texts with their header, by the values of its selector columns.
fn charts(file: &str, selectors: usize) -> BTreeMap<Vec<String>, String> {
    let text = golden(file);
    let mut lines = text.lines();
    let rest = |line: &str| -> (Vec<String>, String) {
        let fields: Vec<String> = line.split('\t').map(str::to_owned).collect();
        (fields[..selectors].to_vec(), fields[selectors..].join(","))
    };
    let (_, header) = rest(lines.next().unwrap());
    let mut charts = BTreeMap::new();
    for line in lines {
        let (key, row) = rest(line);
        let chart = charts.entry(key).or_insert_with(|| format!("{header}\n"));
        chart.push_str(&row);
        chart.push('\n');
    }
    charts
}

#[test]
fn every_golden_chart_comes_out_of_the_command_line() {
    let mut asked = 0;
    let mut compare =
        |file: &str, selectors: usize, question: &dyn Fn(&[String], &str) -> String| {
            for (key, chart) in charts(file, selectors) {
                let line = question(&key, &chart);
                assert_eq!(ask(&format!("{line} --csv")).unwrap(), chart, "{line}");
                asked += 1;
            }
        };
    compare("movement_mitchell_expanded_003.tsv", 2, &|key, _| {
        format!("mitchell --tables {} --boards {}", key[0], key[1])
    });
    compare("movement_howell_003.tsv", 1, &|key, chart| {
        let boards = chart
            .lines()
            .filter_map(|line| line.rsplit(',').next()?.parse::<u8>().ok())
            .max();
        format!("howell --tables {} --boards {}", key[0], boards.unwrap())
    });
    let fixed = [
        (
            "movement_chart_10t24b_003.tsv",
            "mitchell --tables 10 --boards 24",
        ),
        (
            "movement_bowman_ewing15_003.tsv",
            "bowman-ewing --tables 15 --boards 26",
        ),
        ("movement_rover14_003.tsv", "rover --tables 14 --boards 26"),
        ("movement_web20_003.tsv", "web --tables 20 --boards 26"),
        (
            "movement_hesitation12_003.tsv",
            "hesitation --tables 12 --boards 26 --numbering ns-first",
        ),
        ("movement_troika_003.tsv", "troika"),
    ];
    for (file, line) in fixed {
        compare(file, 0, &|_, _| line.to_owned());
    }
    let by_size = [
        ("movement_american_whist_003.tsv", "american-whist --teams"),
        ("movement_round_robin_003.tsv", "round-robin --teams"),
        ("movement_butler_rr_000.tsv", "butler-draw --pairs"),
        ("movement_itc_rr_001.tsv", "itc-draw --teams"),
    ];
    for (file, line) in by_size {
        compare(file, 1, &|key, _| format!("{line} {}", key[0]));
    }
    assert_eq!(asked, 18 + 4 + 6 + 5 + 7 + 2 + 2);
}

#[test]
fn a_missing_pair_is_printed_as_nought() {
    let chart = ask("mitchell --tables 12 --boards 24 --phantom ns:12 --csv").unwrap();
    let missing = chart.lines().filter(|line| line.contains(",12,0,")).count();
    assert_eq!(missing, 12);
    let half = ask("mitchell --tables 11.5 --boards 24 --csv").unwrap();
    assert_eq!(half, chart);
    let howell = ask("howell --tables 5 --boards 27 --phantom 10 --csv").unwrap();
    assert_eq!(
        howell.lines().filter(|line| line.contains(",3,0,")).count(),
        9
    );
}

#[test]
fn moving_pairs_of_a_hesitation_have_the_low_numbers() {
    let chart = ask("hesitation --tables 12 --boards 26 --csv").unwrap();
    let round_1: Vec<&str> = chart.lines().skip(1).take(12).collect();
    assert_eq!(round_1[0], "1,1,14,1,1,2");
    assert_eq!(round_1[11], "1,12,13,12,1,2");
}

#[test]
fn a_movement_that_is_not_listed_is_answered_with_the_nearest_by_name() {
    let answer = ask("mitchell --tables 9 --boards 24").unwrap();
    assert!(
        answer.contains("this is the nearest one, with 26 boards"),
        "{answer}"
    );
    let json: serde_json::Value =
        serde_json::from_str(&ask("mitchell --tables 10 --boards 28 --json").unwrap()).unwrap();
    assert_eq!(json["rounds"], 14);
    assert_eq!(json["feed_in_sets"], 3);
    assert_eq!(json["schedule"].as_array().unwrap().len(), 140);
}

#[test]
fn bad_questions_get_a_sentence_and_exit_code_2() {
    let questions = [
        ("mitchell --tables 12", "--boards is missing"),
        ("mitchell --boards 24", "--tables is missing"),
        (
            "mitchell --tables 0 --boards 24",
            "expected a number of tables",
        ),
        (
            "mitchell --tables x --boards 24",
            "expected a number of tables",
        ),
        (
            "mitchell --tables 12 --boards 999",
            "expected a number of boards",
        ),
        ("mitchell --tables 2 --boards 24", "at least 3 tables"),
        (
            "mitchell --tables 9 --boards 27 --skip",
            "even number of tables",
        ),
        ("mitchell --tables 99 --boards 24", "no sound Mitchell"),
        (
            "mitchell --tables 12 --boards 24 --phantom ns:13",
            "--phantom",
        ),
        (
            "mitchell --tables 12 --boards 24 --phantom west",
            "--phantom",
        ),
        (
            "mitchell --tables 12 --boards 24 --skip --share",
            "cannot be used with",
        ),
        (
            "mitchell --tables 12 --boards 24 --numbering ns-first",
            "only a Hesitation",
        ),
        ("howell --tables 5 --boards 26", "9 rounds of 3"),
        (
            "howell --tables 20 --boards 26",
            "more tables play a Mitchell",
        ),
        ("hesitation --tables 12 --boards 24", "26 boards"),
        ("web --tables 17 --boards 26", "even number of tables"),
        (
            "american-whist --teams 8 --boards 24",
            "odd number of teams",
        ),
        ("round-robin --teams 13", "6 to 12 teams"),
        ("butler-draw --pairs 13", "12 and 14 pairs"),
        ("itc-draw --teams 7", "6 and 8 teams"),
        ("suggest --tables 1 --boards 24..28", "at least 3 tables"),
        ("suggest --tables 10 --boards 28..24", "24..28"),
        ("custom", "--file is missing"),
        ("waltz --tables 10", "invalid value"),
    ];
    for (line, sentence) in questions {
        match ask(line) {
            Err(CliError::Input(said)) => {
                assert!(said.contains(sentence), "{line}: {said}");
                assert!(!said.contains('\n'), "{line}: {said}");
            }
            other => panic!("{line}: {other:?}"),
        }
    }
}

#[test]
fn the_adviser_ranks_what_a_room_can_play() {
    let answer: serde_json::Value =
        serde_json::from_str(&ask("suggest --tables 10.5 --boards 24..28 --json").unwrap())
            .unwrap();
    let choices = answer["choices"].as_array().unwrap();
    assert!(choices.len() > 2);
    for pair in choices.windows(2) {
        assert!(pair[0]["score"].as_i64() >= pair[1]["score"].as_i64());
    }
    assert!(
        choices
            .iter()
            .all(|choice| choice["tables"] == 11 && choice["phantom"].is_string())
    );
}
