//! `byestand draw` and `byestand match`.

use std::fs;
use std::process::Command;

use serde_json::{Value, json};

use super::support::answer;

/// Answers to a command with a file of this text.
fn with_file(command: &str, csv: &str, options: &[&str]) -> Result<String, String> {
    let dir = tempfile::tempdir().expect("a directory");
    let file = dir.path().join("file.csv");
    fs::write(&file, csv).expect("written");
    let file = file.to_str().expect("UTF-8").to_owned();
    let mut arguments = vec![command, &file];
    arguments.extend(options);
    answer(&arguments)
}

fn as_json(command: &str, csv: &str, options: &[&str]) -> Value {
    let mut options = options.to_vec();
    options.push("--json");
    let text = with_file(command, csv, &options).expect("an answer");
    serde_json::from_str(&text).expect("JSON")
}

/// The pairs of a draw, the smaller number first.
fn pairs(draw: &Value) -> Vec<(u64, u64)> {
    let matches = draw["matches"].as_array().expect("matches");
    matches
        .iter()
        .map(|it| {
            let (home, away) = (it["home"].as_u64(), it["away"].as_u64());
            let (home, away) = (home.expect("a number"), away.expect("a number"));
            (home.min(away), home.max(away))
        })
        .collect()
}

const SIX: &str = "contestant,vp,opponents\n1,60,2\n2,50,1\n3,40,\n4,30,\n5,20,6\n6,10,5\n";

#[test]
fn the_next_round_is_drawn_from_a_file_with_the_standing() {
    let swiss = as_json("draw", SIX, &["--seed", "1"]);
    // 20 + 30 + 20 apart, squared, is less than any other draw without a rematch.
    assert_eq!(pairs(&swiss), [(1, 3), (2, 5), (4, 6)]);
    let classical = as_json("draw", SIX, &["--method", "classical", "--seed", "1"]);
    assert_eq!(pairs(&classical), [(1, 3), (2, 5), (4, 6)]);
    assert_eq!(classical["seed"], 1);
    let tables: Vec<&Value> = classical["matches"]
        .as_array()
        .expect("matches")
        .iter()
        .map(|it| &it["table"])
        .collect();
    assert_eq!(tables, [&json!(1), &json!(2), &json!(3)]);
    assert!(classical["bye"].is_null());
    let danish = as_json("draw", SIX, &["--method", "danish", "--seed", "1"]);
    assert_eq!(pairs(&danish), [(1, 2), (3, 4), (5, 6)]);
    assert_eq!(danish["matches"][0]["rematch"], true);
    assert_eq!(danish["matches"][1]["rematch"], false);
    let text = with_file("draw", SIX, &["--seed", "1"]).expect("text");
    assert!(text.contains("met in round 1"), "{text}");
    assert!(text.contains("--seed 1"), "{text}");
}

#[test]
fn an_odd_field_has_a_bye_or_a_triangle() {
    let csv = "contestant,vp,bye\nA,50,\nB,40,\nC,30,\nD,20,\nE,10,1\n";
    let bye = as_json("draw", csv, &["--seed", "3"]);
    assert_eq!(bye["bye"], "D");
    assert_eq!(bye["matches"].as_array().map(Vec::len), Some(2));
    let triangle = as_json("draw", csv, &["--seed", "3", "--odd", "triangle"]);
    let three = triangle["triangle"].as_array().expect("three");
    assert_eq!(three.len(), 3);
    assert!(triangle["bye"].is_null());
    assert_eq!(triangle["matches"].as_array().map(Vec::len), Some(1));
}

#[test]
fn forbidden_pairs_and_those_who_cannot_move_are_respected() {
    let csv = "contestant;vp;forbidden;stationary\n1;40;2;\n2;40;;2\n3;40;;\n4;40;;1\n";
    let drawn = as_json("draw", csv, &["--seed", "9"]);
    assert!(!pairs(&drawn).contains(&(1, 2)), "{drawn}");
    // Two who keep different tables can't meet either, so there is one draw.
    assert_eq!(pairs(&drawn), [(1, 4), (2, 3)]);
    assert_eq!(drawn["matches"][0]["table"], 1);
}

#[test]
fn a_match_is_scored_from_the_results_of_both_rooms() {
    let csv = "board,room,contract,declarer,result,score_ns\n\
               1,open,3D,N,+1,\n1,closed,3NT,N,=,400\n\
               2,open,,,,620\n2,closed,,,,-100\n\
               3,open,,,,PASS\n";
    let sheet = as_json("match", csv, &["--scale", "wbf", "--boards", "6"]);
    assert_eq!(sheet["boards"][0]["imps"], -7);
    assert_eq!(sheet["boards"][0]["open"], 130);
    assert_eq!(sheet["boards"][0]["closed"], 400);
    assert_eq!(sheet["boards"][1]["imps"], 12);
    assert_eq!(sheet["boards"][2]["imps"], Value::Null);
    assert_eq!(sheet["missing"], json!([{"board": 3, "room": "closed"}]));
    assert_eq!(sheet["imps"], json!({"home": 12, "away": 7, "margin": 5}));
    let five = answer(&["vp", "--boards", "6", "--imps", "5", "--json"]).expect("a scale");
    let five: Value = serde_json::from_str(&five).expect("JSON");
    assert_eq!(sheet["vp"]["home"], five["winner"]);
    assert_eq!(sheet["vp"]["away"], five["loser"]);
    let text = with_file("match", csv, &[]).expect("text");
    assert!(text.contains("IMPs: home 12, away 7"), "{text}");
    assert!(!text.contains("VPs"), "{text}");
    assert!(
        text.contains("Board 3: no result from the closed room"),
        "{text}"
    );
    let won = as_json("match", csv, &["--method", "board-a-match"]);
    assert_eq!(won["imps"], json!({"home": 2, "away": 2, "margin": 2}));
}

#[test]
fn averages_of_a_match_follow_the_regulation() {
    let csv = "board,room,score_ns,adjust\n1,open,,A+/A+\n1,closed,420,\n\
               2,open,,A+/A+\n2,closed,,NP\n3,open,50,\n3,closed,50,\n";
    // Three IMPs each in a club; together three times the root of two at the ABF's.
    let club = as_json("match", csv, &["--scale", "wbf", "--boards", "14"]);
    assert_eq!(club["imps"]["home"], 6);
    assert_eq!(club["imps"]["away"], 6);
    let abf = as_json("match", csv, &["--regulation", "abf", "--scale", "itc"]);
    assert_eq!(abf["imps"]["home"], 4.2426);
    // 4.24 rounds to 4: 39 each.
    assert_eq!(abf["vp"], json!({"home": 39.0, "away": 39.0}));
    let gnot = as_json("match", csv, &["--regulation", "gnot"]);
    assert_eq!(gnot["imps"]["home"], 0);
    // A split score: each side by its own.
    let csv = "board,room,score_ns,adjust\n1,open,,=620/=-100\n1,closed,620,\n";
    let split = as_json("match", csv, &[]);
    assert_eq!(split["boards"][0]["home"], 0);
    assert_eq!(split["boards"][0]["away"], 12);
}

#[test]
fn nine_boards_use_the_column_of_eight_where_the_club_says_so() {
    let lines: Vec<String> = (1..=9)
        .map(|board| format!("{board},open,420\n{board},closed,400"))
        .collect();
    let csv = format!("board,room,score_ns\n{}\n", lines.join("\n"));
    let even = as_json("match", &csv, &["--scale", "wbf", "--even"]);
    let eight = answer(&["vp", "--boards", "8", "--imps", "9", "--json"]).expect("a scale");
    let eight: Value = serde_json::from_str(&eight).expect("JSON");
    assert_eq!(even["vp"]["home"], eight["winner"]);
    assert_ne!(
        as_json("match", &csv, &["--scale", "wbf"])["vp"],
        even["vp"]
    );
}

#[test]
fn a_file_that_cannot_be_drawn_or_scored_is_refused_with_line_and_column() {
    for (command, csv, place, reason) in [
        (
            "draw",
            "contestant,vp\n1,ten\n2,5\n",
            "line 2, column 2",
            "victory points",
        ),
        (
            "draw",
            "contestant,vp\n1,10\n1,5\n",
            "line 3, column 1",
            "twice",
        ),
        (
            "draw",
            "contestant,vp,opponents\n1,10,7\n2,5,\n",
            "line 2, column 3",
            "no contestant 7",
        ),
        (
            "draw",
            "contestant,vp,opponents\n1,10,1\n2,5,\n",
            "line 2, column 3",
            "itself",
        ),
        (
            "draw",
            "contestant,points\n1,10\n",
            "line 1, column 2",
            "unknown column",
        ),
        ("draw", "contestant\n1\n2\n", "line 1, column 2", "\"vp\""),
        (
            "draw",
            "contestant,vp,stationary\n1,1,3\n2,1,3\n",
            "line 3, column 3",
            "keeps table 3",
        ),
        (
            "match",
            "board,room,score_ns\n1,open,420\n1,open,420\n",
            "line 3, column 2",
            "twice",
        ),
        (
            "match",
            "board,room,score_ns\n1,kitchen,420\n",
            "line 2, column 2",
            "open or closed",
        ),
        (
            "match",
            "board,room,score_ns\n1,open,425\n",
            "line 2, column 3",
            "no contract gives",
        ),
        (
            "match",
            "board,room,score_ns\n0,open,420\n",
            "line 2, column 1",
            "board",
        ),
        (
            "match",
            "board,room\n1,open\n",
            "line 1, column 3",
            "score_ns",
        ),
    ] {
        let error = with_file(command, csv, &[]).expect_err(csv);
        assert!(error.contains(place), "{csv}: {error}");
        assert!(error.contains(reason), "{csv}: {error}");
        assert!(!error.contains('\n'), "{error}");
    }
    let alone = with_file("draw", "contestant,vp\n1,10\n", &[]).expect_err("nobody to meet");
    assert!(alone.contains("at least two contestants"), "{alone}");
    let csv = "board,room,score_ns\n1,open,420\n1,closed,420\n";
    let wrong = with_file("match", csv, &["--scale", "gnot2006"]).expect_err("one board");
    assert!(wrong.contains("8 or 14"), "{wrong}");
    let output = Command::new(env!("CARGO_BIN_EXE_byestand"))
        .args(["draw", "no-such-file.csv"])
        .output()
        .expect("runs");
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
}
