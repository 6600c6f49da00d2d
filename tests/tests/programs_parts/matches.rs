//! Swiss pairs and teams as USEBIO, valid for a reader that is not ours.

use std::process::Command;

use serde_json::{Value, json};
use tests::daemon::Daemon;

use crate::{export, here, run};

/// A stage of matches with two rounds, typed in by the director.
fn played(contest: &Value) -> Daemon {
    let daemon = Daemon::start(&[], 19_200);
    daemon.choose_pin();
    let event = json!({"name": "Tuesday", "date": "2026-11-17"});
    daemon.do_as_director("calendar/events", &event);
    daemon.do_as_director("contest", contest);
    let typed = ["4SS+1", "3NTE-1", "2HN=", "5DXW-2", "1NTS+1", "P", "6CE="];
    let mut results = 0;
    for round in 1..=2 {
        let draw = json!({"section": "A", "seed": round});
        daemon.do_as_director("contest/draw", &draw);
        if round == 1 {
            daemon.do_as_director("open", &json!({}));
        }
        let view = daemon.get("view");
        let cells = view["cells"].as_array().expect("cells");
        for cell in cells.iter().filter(|cell| cell["round"] == round) {
            for board in cell["boards"].as_array().expect("boards") {
                let line = json!({
                    "table": cell["table"], "round": round, "board": board,
                    "typed": typed[results % typed.len()],
                });
                daemon.do_as_director("lines/typed", &line);
                results += 1;
            }
        }
    }
    daemon
}

#[test]
fn matches_of_pairs_and_teams_are_valid_usebio_with_every_board() {
    let pairs = json!({"section": "A", "name": "Swiss pairs", "size": 9, "format": "swiss",
        "rounds": 2, "boards": 4, "comparison": "butler", "odd": "bye"});
    let teams = json!({"section": "A", "name": "Club teams", "size": 4, "format": "round-robin",
        "boards": 4, "comparison": "teams-imps"});
    let dtd = here().join("programs/usebio-observed.dtd");
    let folder = tempfile::tempdir().expect("a folder");
    // Nine pairs play four matches a round on one table each, four teams two on two tables.
    for (contest, kind, matches, lines) in [
        (&pairs, "SWISS_PAIRS", 8, 32),
        (&teams, "SWISS_TEAMS", 4, 32),
    ] {
        let daemon = played(contest);
        let standing = daemon.get("contest")["contests"][0]["standing"].clone();
        for format in ["usebio", "usebio-myabf"] {
            let path = folder.path().join(format);
            let file = export(&daemon, format, &path);
            let mut xmllint = Command::new("xmllint");
            run(xmllint
                .args(["--nonet", "--noout", "--dtdvalid"])
                .arg(&dtd)
                .arg(&path));
            let text = String::from_utf8(file).expect("text");
            assert!(text.contains(&format!("EVENT_TYPE=\"{kind}\"")), "{text}");
            assert_eq!(text.matches("<MATCH>").count(), matches, "{text}");
            assert_eq!(text.matches("<TRAVELLER_LINE>").count(), lines, "{text}");
            // The winner's total, as the page shows it.
            let first = &standing[0];
            let vp = first["vp"].as_f64().expect("victory points");
            let total = format!("<TOTAL_SCORE>{vp}</TOTAL_SCORE><PLACE>1");
            assert!(text.replace('\n', "").contains(&total), "{total} in {text}");
        }
    }
}
