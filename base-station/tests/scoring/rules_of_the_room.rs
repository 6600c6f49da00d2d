//! What directors rely on: Neuberg, fouled boards, sit-outs, average plus, ties, matches.

use std::fmt::Write;

use base_station::scoring::regulations::{
    Amount, CarryOver, Forfeit, LateArrival, Lateness, MatchRecord, Order, SlowPlay, TeamNumber,
    TeamRecord, rank_sessions, rank_teams,
};
use base_station::scoring::{
    AveragePlus, Award, Field, Form, FouledBoards, FractionOfImp, MatchResult, Outcome, Pair,
    Percent, Points, Rounding, Row, Rules, Scale, Several, TeamsBoard, VictoryPoints, VpScale,
    score_board,
};
use protocol::words::{BoardNumber, PairNumber, Percentage, Score, SectionLetter, Side};
use serde_json::Value;

use super::support::{data, session};

fn row(number: u16, outcome: Outcome) -> Row {
    let pair = PairNumber::new(number).expect("a pair");
    Row::new(SectionLetter::A, pair, pair, outcome)
}

fn result(number: u16, points: i16) -> Row {
    row(number, Outcome::Score(Score(points)))
}

fn adjusted(number: u16, ns: u8, ew: u8) -> Row {
    let award = |percent| Award::Percentage(Percentage::whole(percent).expect("a percentage"));
    row(number, Outcome::adjusted(award(ns), award(ew)))
}

/// That many different results, the lowest first.
fn ladder(tables: u16) -> Vec<Row> {
    let points = |number: u16| i16::try_from(number * 10).expect("few");
    (1..=tables)
        .map(|number| result(number, points(number)))
        .collect()
}

fn ns_points(rows: &[Row], rules: &Rules) -> Vec<String> {
    let board = score_board(rows, rules);
    let scored = board.rows.iter().filter_map(|row| row.ns);
    scored.map(|it| it.points.to_string()).collect()
}

#[test]
fn ten_results_of_eleven_are_stretched_by_neuberg() {
    let mut rows = ladder(10);
    rows.push(adjusted(11, 60, 40));
    let points = ns_points(&rows, &Rules::default());
    let expected = [
        "0.1", "2.3", "4.5", "6.7", "8.9", "11.1", "13.3", "15.5", "17.7", "19.9",
    ];
    assert_eq!(points[..10], expected);
    assert_eq!(points[10], "12");
}

#[test]
fn six_results_of_seven_keep_four_decimals_if_asked_to() {
    // Four and nine of ten among the six: ties in the right places.
    let mut rows = [10, 20, 30, 30, 50, 50]
        .map(Score)
        .map(Outcome::Score)
        .to_vec();
    rows[2] = Outcome::Score(Score(30));
    let mut rows: Vec<Row> = (1..)
        .zip(rows)
        .map(|(number, it)| row(number, it))
        .collect();
    rows.push(adjusted(7, 50, 50));
    let rules = Rules {
        rounding: Rounding::TenThousandth,
        ..Rules::default()
    };
    // Within the six: 0, 2, 5, 5, 9, 9.
    let points = ns_points(&rows, &rules);
    assert_eq!(
        points,
        ["0.1667", "2.5", "6", "6", "10.6667", "10.6667", "6"]
    );
    rows[2] = result(3, 25);
    // Within the six: 0, 2, 4, 6, 9, 9.
    let points = ns_points(&rows, &rules);
    assert_eq!(
        points,
        [
            "0.1667", "2.5", "4.8333", "7.1667", "10.6667", "10.6667", "6"
        ]
    );
}

#[test]
fn a_fouled_board_of_three_and_four_has_two_tops() {
    let mut rows = ladder(7);
    for row in rows.iter_mut().take(3) {
        row.form = Form(1);
    }
    let board = score_board(
        &rows,
        &Rules {
            rounding: Rounding::TenThousandth,
            ..Rules::default()
        },
    );
    let percent = |row: usize| {
        let points = board.rows[row].ns.expect("played").points;
        points.percent_of(board.top).expect("a top").to_string()
    };
    assert_eq!([percent(2), percent(6)], ["88.89", "93.75"]);
    // By the quick method, every result of the other form is a tie.
    let quick = Rules {
        fouled: FouledBoards::Quick,
        ..Rules::default()
    };
    assert_eq!(
        ns_points(&rows, &quick),
        ["4", "6", "8", "3", "5", "7", "9"]
    );
}

#[test]
fn sit_outs_and_boards_not_played_shrink_the_top_but_a_passed_out_board_is_a_result() {
    let csv = "board,pair_ns,pair_ew,contract,declarer,result,adjust\n\
        5,1,1,4 S x,N,-1,\n5,2,2,3 NT,e,+2,\n5,3,3,PASS,,,\n5,4,4,,,,NP\n5,5,0,,,,PH\n5,6,,,,,PH\n";
    let answer = session(csv, &[]).expect("scored");
    let board = &answer["boards"][0];
    assert_eq!(board["top"], 4);
    let column = |key: &str| -> Vec<Value> {
        let rows = board["rows"].as_array().expect("rows").iter();
        rows.map(|row| row[key].clone()).collect()
    };
    let null = Value::Null;
    assert_eq!(
        column("score_ns")[..3],
        [Value::from(-200), Value::from(-460), Value::from(0)]
    );
    assert_eq!(
        column("mp_ns")[..4],
        [Value::from(2), Value::from(0), Value::from(4), null.clone()]
    );
    assert_eq!(
        column("percent_ew")[2..],
        [Value::from(0.0), null.clone(), null.clone(), null]
    );
    // Who has no board to count is not ranked.
    assert_eq!(answer["ranking"].as_array().map(Vec::len), Some(6));
}

#[test]
fn single_matchpoints_are_half_of_double_ones() {
    let rules = Rules {
        scale: Scale::Single,
        ..Rules::default()
    };
    let mut rows = ladder(4);
    rows[1] = result(2, 10);
    assert_eq!(ns_points(&rows, &rules), ["0.5", "0.5", "2", "3"]);
    rows.push(adjusted(5, 60, 40));
    // Neuberg on the single scale: (M + 1/2) * 5/4 - 1/2.
    assert_eq!(
        ns_points(&rows, &rules),
        ["0.75", "0.75", "2.63", "3.88", "2.4"]
    );
}

#[test]
fn pairs_that_sat_out_are_ranked_by_percentage() {
    let csv = "board,pair_ns,pair_ew,score_ns,adjust\n\
        1,1,1,50,\n1,2,2,100,\n1,3,3,150,\n2,1,2,50,\n2,2,3,100,\n2,3,0,,PH\n3,1,3,50,\n3,2,1,50,\n";
    let common = session(csv, &[]).expect("scored");
    assert_eq!(
        common["boards"][1]["top"], 4,
        "the common top is what is usual"
    );
    assert_eq!(common["boards"][1]["rows"][0]["mp_ns"], 0.5);
    let answer = session(csv, &["--short-boards", "own-top"]).expect("scored");
    assert_eq!(answer["boards"][1]["top"], 2);
    let ranking = answer["ranking"].as_array().expect("a ranking");
    let ns: Vec<_> = ranking
        .iter()
        .filter(|it| it["direction"] == "NS")
        .collect();
    let line = |at: usize| (&ns[at]["pair"], &ns[at]["boards"], &ns[at]["matchpoints"]);
    assert_eq!(line(0), (&Value::from(3), &Value::from(1), &Value::from(4)));
    assert_eq!(line(1), (&Value::from(2), &Value::from(3), &Value::from(5)));
    assert_eq!(ns[1]["percent"], 62.5);
}

#[test]
fn equal_pairs_share_a_rank_and_the_next_one_is_skipped() {
    let csv = "board,pair_ns,pair_ew,score_ns\n1,1,1,50\n1,2,2,50\n1,3,3,-100\n";
    let answer = session(csv, &[]).expect("scored");
    let ranks: Vec<_> = answer["ranking"]
        .as_array()
        .expect("ranking")
        .iter()
        .map(|it| it["rank"].clone())
        .collect();
    assert_eq!(ranks, [1, 1, 3, 1, 2, 2]);
    let answer = session(csv, &["--one-winner"]).expect_err("one pair cannot sit in both seats");
    assert!(answer.contains("twice"), "{answer}");
}

/// Board 1 is average plus for pair 1; on the others it wins `wins` of two comparisons.
fn with_average_plus(award: &str, wins: &[i16]) -> (f64, f64) {
    let mut csv = format!("board,pair_ns,pair_ew,score_ns,adjust\n1,1,1,,{award}\n1,2,2,50,\n");
    for (board, score) in (2..).zip(wins) {
        writeln!(csv, "{board},1,1,{score},\n{board},2,2,0,").expect("text");
    }
    let answer = session(&csv, &["--rounding", "0.0001"]).expect("scored");
    let mut ranking = answer["ranking"].as_array().expect("a ranking").iter();
    let line = ranking.find(|it| it["direction"] == "NS" && it["pair"] == 1);
    let percent = line.expect("ranked")["percent"]
        .as_f64()
        .expect("a percentage");
    let shown = answer["boards"][0]["rows"][0]["percent_ns"].as_f64();
    (shown.expect("a percentage"), percent)
}

#[test]
fn average_plus_rises_to_what_the_pair_earns_elsewhere() {
    // Three of four comparisons won elsewhere: 75% is more than 60%.
    let wins = [50, 50, 50, -50];
    assert_eq!(with_average_plus("A+/A-", &wins), (75.0, 75.0));
    // One of four: 60% stands.
    let wins = [50, -50, -50, -50];
    assert_eq!(with_average_plus("A+/A-", &wins), (60.0, 32.0));
    // A plain 60/40 never rises, and average minus can only fall.
    assert_eq!(with_average_plus("60/40", &[50, 50, 50, -50]).0, 60.0);
    assert_eq!(with_average_plus("A-/A+", &[50, -50, -50, -50]).0, 25.0);
    assert_eq!(with_average_plus("A-/A+", &[50, 50, 50, -50]).0, 40.0);
}

#[test]
fn several_average_pluses_can_be_worth_the_square_root() {
    let mut field = Field::new(Rules {
        average_plus: AveragePlus {
            several: Several::SquareRoot,
            ..AveragePlus::BUTLER
        },
        ..Rules::default()
    });
    let both = || Outcome::adjusted(Award::AveragePlus, Award::AveragePlus);
    for board in (1..=4).filter_map(BoardNumber::new) {
        field.set(board, row(1, both())).expect("new");
        field.set(board, result(2, 50)).expect("new");
    }
    let contestant = Pair {
        section: SectionLetter::A,
        direction: Some(Side::NorthSouth),
        number: PairNumber::MIN,
    };
    let line = *field.ranking().find(contestant).expect("ranked");
    // Four boards: 50% and a half of the 10%.
    assert_eq!(line.average_plus, Some(Percent::whole(55)));
    assert_eq!(line.percent, Some(Percent::whole(55)));
}

#[test]
fn penalties_and_carry_over_move_a_pair_in_the_ranking() {
    let csv = "board,pair_ns,pair_ew,score_ns\n1,1,1,50\n1,2,2,0\n1,3,3,-50\n2,1,1,50\n2,2,2,0\n2,3,3,-50\n";
    let options = [
        "--penalty",
        "NS1=10",
        "--carry-over",
        "NS2=1.5",
        "--handicap",
        "EW3=-5",
    ];
    let answer = session(csv, &options).expect("scored");
    let mut ranking = answer["ranking"].as_array().expect("a ranking").iter();
    let ranking: Vec<_> = ranking
        .by_ref()
        .map(|it| (it["matchpoints"].as_f64(), it["percent"].as_f64()))
        .collect();
    assert_eq!(ranking[0], (Some(7.6), Some(95.0)));
    assert_eq!(ranking[1], (Some(5.5), Some(68.75)));
    assert_eq!(ranking[3], (Some(8.0), Some(95.0)));
    let error = session(csv, &["--penalty", "1=10"]).expect_err("no direction");
    assert!(error.contains("NS3=10"), "{error}");
}

#[test]
fn a_match_is_added_up_and_turned_into_victory_points() {
    let played = |home, away| TeamsBoard::Played {
        home: Score(home),
        away: Score(away),
    };
    let three = Points::whole(3);
    let mut boards = vec![played(130, -400), played(600, 100), played(-50, 50)];
    let result = MatchResult::of(&boards);
    assert_eq!(
        [result.first, result.second],
        [Points::whole(12), Points::whole(7)]
    );
    let vp = result
        .victory_points(VpScale::Wbf, 6, FractionOfImp::HalfUp)
        .expect("a scale");
    let won_by_five = VpScale::Wbf.by_imps(6, 5).expect("a scale");
    assert_eq!(vp, [won_by_five.winner, won_by_five.loser]);
    boards.push(TeamsBoard::Awarded {
        first: three,
        second: three,
    });
    boards.push(TeamsBoard::Cancelled);
    let result = MatchResult::of(&boards);
    assert_eq!(result.margins, [Points::whole(8), Points::whole(-2)]);
}

#[test]
fn ties_are_broken_in_the_order_of_the_regulation() {
    let record = |team: u16, results: &[(u16, i32, i64)], fines: i32| TeamRecord {
        team: TeamNumber(team),
        matches: results
            .iter()
            .map(|&(opponent, vp, imps)| MatchRecord {
                opponent: TeamNumber(opponent),
                vp: VictoryPoints::whole(vp),
                opponent_vp: VictoryPoints::whole(20 - vp),
                imps: Points::whole(imps),
                scored: Points::whole(imps.max(0)),
                conceded: Points::whole((-imps).max(0)),
            })
            .collect(),
        fines: VictoryPoints::whole(fines),
        carry_over: VictoryPoints(0),
    };
    let teams = [
        record(1, &[(2, 12, 5), (3, 10, 0), (4, 11, 9)], 0),
        record(2, &[(1, 8, -5), (3, 13, 8), (4, 14, 10)], 2),
        record(3, &[(1, 10, 0), (2, 7, -8), (4, 16, 20)], 0),
        record(4, &[(1, 9, -9), (2, 6, -10), (3, 4, -20)], 0),
    ];
    let ranked = |order| -> Vec<(u32, u16)> {
        let ranked = rank_teams(&teams, order).into_iter();
        ranked.map(|(rank, team)| (rank, team.0)).collect()
    };
    // Teams 1, 2 (after its fine) and 3 all have 33: what comes next decides.
    let by_fines_then_wins = [(1, 2), (2, 1), (3, 3), (4, 4)];
    assert_eq!(ranked(Order::SabfTeams), by_fines_then_wins);
    assert_eq!(ranked(Order::SabfButlerTrials), by_fines_then_wins);
    let by_net_imps = [(1, 1), (2, 2), (3, 3), (4, 4)];
    for order in [
        Order::Itc,
        Order::ClubRoundRobin,
        Order::ClubHeadToHead,
        Order::ClubSwiss,
    ] {
        assert_eq!(ranked(order), by_net_imps, "{order:?}");
    }
    assert_eq!(ranked(Order::GnotLast), [(1, 3), (2, 1), (3, 2), (4, 4)]);
    // Nothing is left to separate them: they share the place.
    assert_eq!(ranked(Order::ItcFinal), [(1, 1), (1, 2), (1, 3), (4, 4)]);
}

#[test]
fn sums_of_sessions_within_a_few_hundredths_are_tied_and_then_separated() {
    let pair = |sessions: &[i32]| sessions.iter().map(|&it| Percent(it)).collect::<Vec<_>>();
    let ranks = rank_sessions(&[
        pair(&[5_500, 5_502]),
        pair(&[6_100, 4_900]),
        pair(&[5_600, 5_401]),
        pair(&[5_500, 5_400]),
    ]);
    // All but the last are within 0.03: one has a session above 60, one of the others above 55
    // twice (55.02 counts, 55.00 does not).
    assert_eq!(ranks, [2, 1, 2, 4]);
}

#[test]
fn presets_for_penalties_are_those_of_the_regulations() {
    let regulations: Vec<Value> =
        serde_json::from_str(&data("golden/regulations.json")).expect("JSON");
    let rule = |id: &str| {
        let mut rules = regulations.iter();
        rules.find(|it| it["id"] == id).expect(id)["rule"].clone()
    };
    for (id, preset) in [
        ("R020", LateArrival::SabfPairs),
        ("R021", LateArrival::SabfTeams),
        ("R022", LateArrival::SabfFinals),
        ("R024", LateArrival::Itc),
        ("R025", LateArrival::SwissPairs),
    ] {
        for band in rule(id)["table"].as_array().expect("a table") {
            let minutes = band["min"]
                .as_str()
                .expect("minutes")
                .rsplit(['-', '<'])
                .next();
            let mut minutes: u16 = minutes.and_then(|it| it.parse().ok()).expect("a number");
            if band["min"].as_str().is_some_and(|it| it.starts_with('<')) {
                minutes -= 1;
            }
            // "warning, later 3 (3)": the number before the brackets.
            let text = band["penalty"].to_string();
            let text = text.trim_matches('"').trim_start_matches("warning, later ");
            let expected: f64 = text
                .split(' ')
                .next()
                .and_then(|it| it.parse().ok())
                .expect("a number");
            let got = match preset.penalty(minutes, true) {
                Lateness::Penalty(Amount::OfATop(percent)) => percent.to_f64(),
                Lateness::Penalty(Amount::Vp(points)) => f64::from(points.0) / 100.0,
                Lateness::Penalty(Amount::Imps(points)) => points.to_f64(),
                other => panic!("{id}: {other:?}"),
            };
            assert_eq!(got, expected, "{id} {band}");
            if text.len() != band["penalty"].to_string().trim_matches('"').len() {
                assert_eq!(preset.penalty(minutes, false), Lateness::Warning);
            }
        }
    }
    assert_eq!(
        LateArrival::SabfFinals.penalty(31, false),
        Lateness::Forfeit
    );
    let vp = |points| Some(Amount::Vp(VictoryPoints::whole(points)));
    assert_eq!(SlowPlay::Itc.penalty(3, 0, true), vp(15));
    assert_eq!(SlowPlay::SwissPairs.penalty(1, 0, true), vp(1));
    assert_eq!(SlowPlay::SabfTeams.penalty(2, 0, true), None);
    assert_eq!(SlowPlay::SabfTrials.penalty(0, 11, false), vp(6));
    assert_eq!(
        SlowPlay::GnotHeadToHead.penalty(2, 4, false),
        Some(Amount::Imps(Points::whole(10)))
    );
}

#[test]
fn the_rules_hold_for_figures_that_no_table_lists() {
    let vp = |points: f64| VictoryPoints(format!("{:.0}", points * 100.0).parse().expect("small"));
    // 000: +12 IMPs in 14 boards, unless a mean is better.
    let least = VpScale::WbfFormula.by_imps(14, 12).expect("a scale").winner;
    let sabf = Forfeit::Sabf { boards: 14 };
    assert_eq!(
        sabf.settle_by_offender(vp(9.0), vp(12.0))
            .expect("a rule")
            .other,
        least
    );
    assert_eq!(
        sabf.settle_by_offender(vp(9.0), vp(2.0))
            .expect("a rule")
            .other,
        vp(18.0)
    );
    assert_eq!(
        Forfeit::Club { before_2013: true }.nobody_at_fault(vp(1.0)),
        Ok(vp(18.0))
    );
    // 001's mixed pairs carry 1 to 7.
    assert_eq!(
        CarryOver::mixed_pairs(vp(110.0), vp(100.0), vp(130.0)),
        vp(3.0)
    );
    for boards in 1..=64 {
        let scale = |margin| {
            VpScale::Wbf
                .by_imps(boards, margin)
                .expect("a scale")
                .winner
                .0
        };
        let steps: Vec<i32> = (0..200)
            .map(|margin| scale(margin + 1) - scale(margin))
            .collect();
        assert!(
            steps.is_sorted_by(|before, after| before >= after),
            "{boards} boards: {steps:?}"
        );
        assert_eq!((scale(0), scale(200)), (1_000, 2_000));
    }
}

#[test]
fn each_form_of_a_fouled_board_has_its_own_datum() {
    let csv = "board,pair_ns,pair_ew,score_ns,group\n\
        1,1,1,110,\n1,2,2,140,\n1,3,3,170,\n1,4,4,400,B\n1,5,5,430,B\n1,6,6,460,B\n";
    let answer = session(csv, &["--method", "butler"]).expect("scored");
    let board = &answer["boards"][0];
    let of_form = |form: &str| board["datums"][form].as_f64();
    assert_eq!((of_form("-"), of_form("B")), (Some(140.0), Some(430.0)));
    let imps = |row: usize| board["rows"][row]["imps_ns"].as_f64();
    assert_eq!(
        [imps(0), imps(1), imps(3), imps(4)],
        [-1.0, 0.0, -1.0, 0.0].map(Some)
    );
}
