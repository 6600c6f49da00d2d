//! Every figure of the golden tables, through the command line where it has a command.

use base_station::scoring::regulations::instant_matchpoints;
use base_station::scoring::{Percent, Rules, VpScale, of_a_top};
use protocol::words::{BoardNumber, Score};

use super::support::{close, json, tsv};

#[test]
fn every_contract_is_worth_what_the_laws_say() {
    for row in tsv("contract_scores.tsv") {
        let doubled = row["doubled"].trim_matches('-').to_uppercase();
        let contract = format!("{}{}{doubled}", row["level"], row["strain"]);
        for (seat, sign) in [("N", 1), ("W", -1)] {
            let vul = match (row["vul"].as_str(), seat) {
                ("0", "N") | ("1", "W") => "ew",
                _ => "ns",
            };
            let answer = json(&["score", &contract, seat, &row["result"], "--vul", vul]);
            let expected: i64 = row["score_declarer"].parse().expect("a score");
            assert_eq!(answer["ns_score"], sign * expected, "{row:?}");
            assert_eq!(answer["tricks"].to_string(), row["tricks"], "{row:?}");
        }
    }
}

#[test]
fn every_board_says_who_deals_and_who_is_vulnerable() {
    for row in tsv("board_dealer_vul.tsv") {
        let board: BoardNumber = row["board"].parse().expect("a board");
        assert_eq!(board.dealer().to_string(), row["dealer"], "{row:?}");
        let vulnerable = board.vulnerability().to_string().to_uppercase();
        let expected = row["vul"].replace("NIL", "NONE").replace("ALL", "BOTH");
        assert_eq!(vulnerable, expected, "{row:?}");
        let answer = json(&["score", "PASS", "--board", &row["board"]]);
        assert_eq!(answer["ns_score"], 0);
    }
}

#[test]
fn every_swing_is_worth_its_imps() {
    for row in tsv("imp_scale.tsv") {
        let low: i32 = row["diff_lo"].parse().expect("points");
        let high = row["diff_hi"].parse().unwrap_or(low + 5_000);
        let imps: i64 = row["imps"].parse().expect("IMPs");
        for difference in (low..=high).step_by(10) {
            // As one result, and as two that add up, from both views.
            let whole = json(&["imp", &difference.to_string(), "0"]);
            assert_eq!(whole["imps"], imps, "{difference}");
            let lost = json(&["imp", "-1000", &(1000 - difference).to_string()]);
            assert_eq!(lost["imps"], -imps, "{difference}");
        }
    }
}

/// The scale, the file, and the columns that say margin or percentage, boards and the two answers.
fn check_vp(scale: &str, file: &str, by: [&str; 2], boards: Option<&str>, expected: [&str; 2]) {
    for row in tsv(file) {
        let mut arguments = vec!["vp", "--scale", scale, by[0], &row[by[1]]];
        if let Some(boards) = boards {
            arguments.extend(["--boards", row.get(boards).map_or(boards, String::as_str)]);
        }
        let answer = json(&arguments);
        for (key, column) in ["winner", "loser"].into_iter().zip(expected) {
            let Some(column) = row.get(column) else {
                continue;
            };
            let expected: f64 = column.parse().expect("victory points");
            let got = answer[key].as_f64().expect("a number");
            assert!(close(got, expected), "{file} {row:?}: {key} {got}");
        }
    }
}

#[test]
fn every_scale_by_margin_gives_its_victory_points() {
    let vps = ["vp_winner", "vp_loser"];
    let by = ["--imps", "imps"];
    check_vp(
        "wbf-formula",
        "vp_wbf_continuous_000.tsv",
        by,
        Some("boards"),
        vps,
    );
    check_vp("wbf", "vp_wbf_continuous_003.tsv", by, Some("boards"), vps);
    check_vp("abf12", "vp_abf_swiss_pairs12_001.tsv", by, Some("12"), vps);
    for edge in ["imp_lo", "imp_hi"] {
        for (scale, file) in [
            ("wbf-discrete", "vp_wbf_discrete_003.tsv"),
            ("gnot2006", "vp_2006_25scale_002.tsv"),
        ] {
            check_bands(scale, file, edge);
        }
    }
}

/// The last band has no upper edge: there, any larger margin will do.
fn check_bands(scale: &str, file: &str, edge: &str) {
    for row in tsv(file) {
        let margin = if row[edge].is_empty() {
            "300"
        } else {
            &row[edge]
        };
        let boards = &row["boards"];
        let answer = json(&["vp", "--scale", scale, "--boards", boards, "--imps", margin]);
        let sides = ["winner", "loser"].map(|side| answer[side].as_f64());
        let written = ["vp_winner", "vp_loser"].map(|column| row[column].parse().ok());
        assert_eq!(sides, written, "{row:?}");
    }
}

#[test]
fn the_inter_state_scales_give_their_victory_points() {
    let by = ["--imps", "imp_margin"];
    for row in tsv("vp_itc_001.tsv") {
        for (loser, column) in [
            ("floor", "vp_loser_A_35_plus_net_floor0"),
            ("complement", "vp_loser_B_complement_of_70"),
        ] {
            let margin = &row[by[1]];
            let answer = json(&["vp", "--scale", "itc", by[0], margin, "--loser", loser]);
            let sides = ["winner", "loser"].map(|side| answer[side].as_f64());
            let written = ["vp_winner", column].map(|column| row[column].parse().ok());
            assert_eq!(sides, written, "{row:?}");
        }
    }
    for row in tsv("vp_ipc_001.tsv") {
        let answer = json(&["vp", "--scale", "ipc", "--percent", &row["pct_rounded_2dp"]]);
        let expected: f64 = row["vp_2dp_half_up_ASSUMED"].parse().expect("points");
        assert!(
            close(answer["winner"].as_f64().expect("points"), expected),
            "{row:?}"
        );
        let sum = answer["winner"].as_f64().zip(answer["loser"].as_f64());
        assert!(
            sum.is_some_and(|(winner, loser)| close(winner + loser, 20.0)),
            "{row:?}"
        );
    }
}

#[test]
fn a_matchpoint_swiss_goes_by_percentage_up_to_and_with_the_edge() {
    for row in tsv("vp_matchpoint_swiss_000.tsv") {
        let winner: i32 = row["vp_winner"].parse().expect("points");
        for boards in [&row["boards_lo"], &row["boards_hi"]] {
            let vp = |percent: i32| {
                let scale = VpScale::MatchpointSwiss;
                let share = scale.by_percent(boards.parse().expect("boards"), Percent(percent));
                share.expect("in the scale").winner.0 / 100
            };
            if row["max_pct_inclusive"].is_empty() {
                assert_eq!(vp(10_000), 20);
                continue;
            }
            let edge = &row["max_pct_inclusive"];
            let command = [
                "vp",
                "--scale",
                "matchpoint-swiss",
                "--percent",
                edge,
                "--boards",
            ];
            let answer = json(&[&command[..], &[boards]].concat());
            assert_eq!(
                answer["winner"].as_f64(),
                Some(f64::from(winner)),
                "{row:?}"
            );
            assert_eq!(
                answer["loser"].as_f64(),
                Some(f64::from(20 - winner)),
                "{row:?}"
            );
            let hundredths: i32 = edge.replace('.', "").parse().expect("a percentage");
            assert_eq!(vp(hundredths + 1), winner + 1, "{row:?}");
            assert_eq!(
                vp(10_000 - hundredths),
                20 - winner,
                "the other side of {row:?}"
            );
        }
    }
}

#[test]
fn a_butler_match_uses_the_column_of_seven_tenths_of_its_boards() {
    for row in tsv("vp_butler_equivalence_000.tsv") {
        let (boards, column) = (&row["butler_boards"], &row["teams_column_boards"]);
        let scale = ["vp", "--scale", "wbf-formula", "--imps", "9", "--boards"];
        let butler = json(&[&scale[..], &[boards, "--butler"]].concat());
        let teams = json(&[&scale[..], &[column]].concat());
        assert_eq!(butler, teams, "{row:?}");
    }
}

#[test]
fn a_penalty_is_a_share_of_the_fields_top() {
    for row in tsv("penalty_mp_table_003.tsv") {
        let top = Rules::default().top(row["tables"].parse().expect("tables"));
        for percent in (5..=50).step_by(5) {
            let expected: f64 = row[&format!("pct{percent}")].parse().expect("matchpoints");
            let got = of_a_top(Percent::whole(percent), top).to_f64();
            assert!(close(got, expected), "{row:?} {percent}%: {got}");
        }
    }
}

#[test]
fn instant_matchpoints_follow_their_table() {
    for row in tsv("instant_matchpoints_003.tsv") {
        let low: i16 = row["score_lo"].parse().expect("points");
        let high = row["score_hi"].parse().unwrap_or(low + 4_000);
        for points in (low..=high).step_by(10) {
            let [plus, minus] = instant_matchpoints(Score(points));
            assert_eq!(plus.to_string(), row["mp_plus_side"], "{points}");
            assert_eq!(minus.to_string(), row["mp_minus_side"], "{points}");
            assert_eq!(instant_matchpoints(Score(-points)), [minus, plus]);
        }
    }
}
