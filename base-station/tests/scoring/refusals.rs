//! Bad input: one sentence on standard error, exit code 2, and where it went wrong.

use std::process::Command;

use super::support::{answer, session};

/// Runs the real program.
fn byestand(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_byestand"))
        .args(arguments)
        .output()
        .expect("runs");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (
        output.status.code(),
        text(output.stdout),
        text(output.stderr),
    )
}

#[test]
fn the_program_answers_on_standard_output_and_complains_on_standard_error() {
    let (code, out, err) = byestand(&["score", "4SX", "S", "-1", "--board", "7", "--json"]);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert!(out.contains("\"ns_score\":-200"), "{out}");
    let (code, out, err) = byestand(&["score", "4SX", "S", "-1"]);
    assert_eq!((code, out.as_str()), (Some(2), ""));
    assert_eq!(err.lines().count(), 1, "{err}");
    assert!(err.contains("--board") && err.contains("--vul"), "{err}");
    let (code, out, _) = byestand(&["imp", "130", "-400", "--json"]);
    assert_eq!(code, Some(0));
    assert!(out.contains("\"imps\":-7"), "{out}");
    let (code, _, err) = byestand(&["matchpoint", "no-such-file.csv"]);
    assert_eq!((code, err.lines().count()), (Some(2), 1), "{err}");
    let (code, out, _) = byestand(&["vp", "--help"]);
    assert_eq!(code, Some(0));
    assert!(out.contains("--butler"), "{out}");
}

#[test]
fn arguments_that_make_no_sense_are_refused_with_a_reason() {
    for (arguments, reason) in [
        (
            &["score", "8S", "N", "=", "--board", "1"][..],
            "expected a contract",
        ),
        (
            &["score", "4Z", "N", "=", "--board", "1"],
            "expected a contract",
        ),
        (
            &["score", "4S", "Q", "=", "--board", "1"],
            "expected a seat",
        ),
        (
            &["score", "4S", "N", "+4", "--board", "1"],
            "more than 13 tricks",
        ),
        (&["score", "4S", "N", "-11", "--board", "1"], "fewer than 0"),
        (&["score", "4S", "--board", "1"], "declarer and the result"),
        (&["score", "PASS", "N", "--board", "1"], "passed out"),
        (&["score", "4S", "N", "=", "--board", "0"], "board number"),
        (&["imp", "ten"], "expected points"),
        (&["vp", "--boards", "14"], "--imps"),
        (&["vp", "--imps", "8"], "--boards"),
        (&["vp", "--boards", "14", "--imps", "-8"], "margin"),
        (&["vp", "--boards", "0", "--imps", "8"], "boards"),
        (&["vp", "--boards", "14", "--percent", "60"], "IMPs"),
        (&["vp", "--scale", "ipc", "--percent", "101"], "0 to 100"),
        (&["vp", "--scale", "ipc", "--imps", "3"], "percentage"),
        (
            &["vp", "--scale", "gnot2006", "--boards", "9", "--imps", "3"],
            "8 or 14",
        ),
        (
            &["vp", "--scale", "bam", "--boards", "9", "--imps", "3"],
            "wbf",
        ),
    ] {
        let error = answer(arguments).expect_err(&format!("{arguments:?}"));
        assert!(error.contains(reason), "{arguments:?}: {error}");
        assert!(!error.contains('\n'), "{error}");
    }
}

#[test]
fn a_file_that_is_wrong_is_refused_with_line_and_column() {
    let contracts = "board,pair_ns,pair_ew,contract,declarer,result\n1,1,1,4S,N,=\n";
    let scores = "section,board,pair_ns,pair_ew,score_ns,adjust\nA,1,1,1,420,\n";
    for (start, line, place, reason) in [
        (contracts, "1,2,2,8S,N,=", "line 3, column 4", "contract"),
        (contracts, "1,2,2,4S,X,=", "line 3, column 5", "seat"),
        (contracts, "1,2,2,4S,N,+4", "line 3, column 6", "13 tricks"),
        (contracts, "1,2,2,4S,N,", "line 3, column 6", "result"),
        (contracts, "1,2,2,PASS,,=", "line 3, column 6", "passed out"),
        (
            contracts,
            "1,2,2,,,",
            "line 3, column 4",
            "expected a result",
        ),
        (contracts, "0,2,2,4S,N,=", "line 3, column 1", "board"),
        (contracts, "1,0,2,4S,N,=", "line 3, column 2", "pair"),
        (contracts, "1,1,2,4S,N,=", "line 3, column 2", "twice"),
        (contracts, "1,2,1,4S,N,=", "line 3, column 3", "twice"),
        (contracts, "1,2,2,4S,N", "line 3, column 6", "columns"),
        (
            scores,
            "A,1,2,2,415,",
            "line 3, column 5",
            "no contract gives 415",
        ),
        (scores, "A,1,2,2,many,", "line 3, column 5", "points"),
        (scores, "1,1,2,2,420,", "line 3, column 1", "section"),
        (scores, "A,1,2,2,,60/140", "line 3, column 6", "60/40"),
        (scores, "A,1,2,2,,60", "line 3, column 6", "60/40"),
        (
            scores,
            "A,1,2,2,,=100@50;200@40",
            "line 3, column 6",
            "60/40",
        ),
        (
            "board,pair_ns,pair_ew,score_ns,mood\n",
            "",
            "line 1, column 5",
            "mood",
        ),
        (
            "board,pair_ns,score_ns\n",
            "",
            "line 1, column 4",
            "pair_ew",
        ),
        (
            "board,pair_ns,pair_ew\n",
            "",
            "line 1, column 4",
            "score_ns",
        ),
        (
            "board,pair_ns,pair_ew,board\n",
            "",
            "line 1, column 4",
            "twice",
        ),
    ] {
        let error = session(&format!("{start}{line}\n"), &[]).expect_err(line);
        assert!(error.contains(place), "{line}: {error}");
        assert!(error.contains(reason), "{line}: {error}");
        assert!(!error.contains('\n'), "{error}");
    }
}

#[test]
fn sections_that_played_different_boards_are_not_ranked_together() {
    let csv = "section,board,pair_ns,pair_ew,score_ns\nA,1,1,1,420\nA,2,1,1,50\nB,1,1,1,420\n";
    let error = session(csv, &["--across"]).expect_err("refused");
    assert!(
        error.contains("sections A and B") && error.contains("board 2"),
        "{error}"
    );
    assert!(session(csv, &[]).is_ok());
    let csv = format!("{csv}B,2,1,1,-50\n");
    let answer = session(&csv, &["--across"]).expect("scored");
    assert_eq!(answer["boards"][0]["top"], 2);
    assert_eq!(answer["ranking"].as_array().map(Vec::len), Some(4));
    assert_eq!(answer["ranking"][0]["section"], "A");
}

#[test]
fn a_pair_of_a_howell_cannot_play_a_board_in_both_directions() {
    let csv = "board,pair_ns,pair_ew,score_ns\n1,1,2,420\n1,3,1,50\n";
    assert!(session(csv, &[]).is_ok());
    let error = session(csv, &["--one-winner"]).expect_err("refused");
    assert!(
        error.contains("line 3, column 3") && error.contains("twice"),
        "{error}"
    );
}
