//! Worked examples of the regulations that are matches, played through the interface.

use super::naive::{golden, naive_imps};
use super::stage::Stage;
use super::*;

fn examples() -> Vec<Value> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/golden/examples.json");
    let text = std::fs::read_to_string(path).expect("the examples");
    serde_json::from_str(&text).expect("a list")
}

pub(super) fn example(id: &str) -> Value {
    let mut all = examples().into_iter();
    all.find(|it| it["id"] == id)
        .unwrap_or_else(|| panic!("no example {id}"))
}

#[tokio::test]
async fn boards_of_the_manual_are_worth_what_it_prints() {
    let stage = Stage::open(json!({"size": 2, "format": "head-to-head", "rounds": 1,
        "boards": 4, "comparison": "teams-imps"}))
    .await;
    // On board 1 nobody is vulnerable, on board 4 all are.
    for (id, board) in [("teams_3D_vs_3NT", 1), ("teams_eg1_overtrick", 4)] {
        let example = example(id);
        let ns = example["input"]["ns_score"].to_string();
        let ew = example["input"]["ew_score"].as_i64().expect("a score");
        stage.types(1, 1, board, &ns).await;
        stage.types(2, 1, board, &(-ew).to_string()).await;
        let sheet = stage.sheet(1, 1).await;
        let lines = sheet["lines"].as_array().expect("boards");
        let line = lines
            .iter()
            .find(|it| it["board"] == board)
            .expect("the board");
        let net = line["home"].as_f64().zip(line["away"].as_f64());
        let net = net.map(|(home, away)| home - away);
        assert_eq!(net, example["expected"]["imps"].as_f64(), "{id}");
    }
    let down = example("teams_eg1_down");
    stage.types(1, 1, 4, "600").await;
    stage.types(2, 1, 4, "-100").await;
    let line = stage.sheet(1, 1).await["lines"][3].clone();
    assert_eq!(line["home"].as_f64(), down["expected"]["imps"].as_f64());
}

#[tokio::test]
async fn running_totals_are_those_of_the_summary() {
    let example = example("vp_running_totals");
    let stage = Stage::set_up(
        json!({"size": 8, "format": "swiss", "rounds": 6, "boards": 4,
        "comparison": "teams-imps"}),
    )
    .await;
    let earned = |team: &str, round: usize| example["input"][team][round].as_i64();
    for round in 1..=6_u8 {
        let at = usize::from(round - 1);
        // 1 and 2 meet the others in turn; 3 meets 1 first, then 2.
        let opponents = [3_u64, 4, 5, 6, 7, 8];
        let (first, second) = (opponents[at], opponents[(at + 5) % 6]);
        let left: Vec<u64> = opponents
            .into_iter()
            .filter(|it| *it != first && *it != second)
            .collect();
        let pairs = json!([{"home": 1, "away": first}, {"home": 2, "away": second},
            {"home": left[0], "away": left[1]}, {"home": left[2], "away": left[3]}]);
        stage
            .draw(json!({"matches": pairs, "allow_rematches": true}))
            .await;
        if round == 1 {
            stage.site.open_for_log_on().await;
        }
        for (number, team, opponent) in [(1_u8, "team1", first), (2, "team2", second)] {
            let own = earned(team, at).expect("points") * 100;
            let third = if opponent == 3 {
                earned("team3", at).unwrap_or(0) * 100
            } else {
                0
            };
            let award = json!({"round": round, "number": number, "why": "as printed",
                "decision": {"kind": "awarded", "home": own, "away": third}});
            stage.post("/api/contest/match", award).await;
        }
        let now = standing(&stage.now().await);
        for (team, number) in [("team1", 1), ("team2", 2), ("team3", 3)] {
            if let Some(total) = example["expected"][team][at].as_i64() {
                assert_eq!(now[&number], total * 100, "{team} after round {round}");
            }
        }
    }
    let end = stage.now().await;
    let place = |number: u64| {
        let lines = end["standing"].as_array().expect("a standing");
        let line = lines.iter().find(|it| it["contestant"] == number);
        line.expect("a line")["place"].clone()
    };
    let printed = &example["expected"]["place"];
    assert_eq!(
        (&place(2), &place(1)),
        (&printed["team2"], &printed["team1"])
    );
}

#[tokio::test]
async fn averages_in_imps_go_by_the_regulation_and_several_by_the_square_root() {
    // The table of several averages: totals of 1 to 12 boards.
    let printed = example("multiple_average_plus")["expected"]["rows"].clone();
    let printed = printed.as_array().expect("rows");
    let plus =
        json!({"kind": "Adjusted", "ns": {"kind": "AveragePlus"}, "ew": {"kind": "AverageMinus"}});
    let minus =
        json!({"kind": "Adjusted", "ns": {"kind": "AverageMinus"}, "ew": {"kind": "AveragePlus"}});
    let teams = Stage::open(json!({"size": 2, "format": "head-to-head", "rounds": 1,
        "boards": 16, "comparison": "teams-imps", "regulation": "abf-championships"}))
    .await;
    let pairs = Stage::open(json!({"size": 4, "format": "round-robin", "rounds": 1,
        "boards": 12, "comparison": "butler", "regulation": "abf-championships"}))
    .await;
    let shares = Stage::open(json!({"size": 4, "format": "round-robin", "rounds": 1,
        "boards": 12, "comparison": "matchpoints", "regulation": "abf-championships"}))
    .await;
    for board in 1..=12 {
        pairs.types(1, 1, board, "0").await;
        pairs.types(2, 1, board, "0").await;
        shares.types(2, 1, board, "0").await;
    }
    let gained = |sheet: &Value| -> f64 {
        let lines = sheet["lines"].as_array().expect("boards").iter();
        lines.filter_map(|line| line["home"].as_f64()).sum()
    };
    for (board, row) in (1_u8..).zip(printed) {
        teams.rules(1, 1, board, plus.clone()).await;
        teams.rules(2, 1, board, minus.clone()).await;
        pairs.rules(1, 1, board, plus.clone()).await;
        let rounded = |sum: f64| (sum + 0.5).floor();
        let shown = rounded(gained(&teams.sheet(1, 1).await));
        assert_eq!(
            Some(shown),
            row["teams_total"].as_f64(),
            "{board} boards of teams"
        );
        let shown = rounded(gained(&pairs.sheet(1, 1).await));
        assert_eq!(
            Some(shown),
            row["pairs_total"].as_f64(),
            "{board} boards of pairs"
        );
        // 50 and a tenth of a hundred by the root, of a top of 2.
        shares.rules(1, 1, board, plus.clone()).await;
        let boards = f64::from(board);
        let percent = gained(&shares.sheet(1, 1).await) / boards * 50.0;
        let printed = row["mp_per_board_pct"].as_f64().expect("a percentage");
        assert!(
            (percent - printed).abs() < 0.01,
            "{board} boards: {percent}"
        );
    }
    // Each regulation's own for one board.
    for (regulation, boards, worth) in [
        ("abf-championships", 16, Some(3.0)),
        ("gnot", 8, Some(0.0)),
        ("new-zealand-club", 8, Some(3.0)),
    ] {
        let stage = Stage::open(json!({"size": 2, "format": "head-to-head", "rounds": 1,
            "boards": boards, "comparison": "teams-imps", "regulation": regulation}))
        .await;
        stage.rules(1, 1, 1, plus.clone()).await;
        stage.rules(2, 1, 1, minus.clone()).await;
        assert_eq!(
            Some(gained(&stage.sheet(1, 1).await)),
            worth,
            "{regulation}"
        );
    }
}

#[tokio::test]
async fn who_drops_in_starts_with_what_the_knock_outs_rule_gives() {
    for (id, rule) in [
        ("swiss_entry_002", "gnot2006"),
        ("swiss_entry_004", "gnot2012"),
    ] {
        let example = example(id);
        let leader = example["input"]["leader_vp"].as_i64().expect("points") * 100;
        let stage = Stage::set_up(
            json!({"size": 4, "format": "swiss", "rounds": 3, "boards": 8,
            "comparison": "teams-imps"}),
        )
        .await;
        for (round, share) in [(1, leader / 2), (2, leader - leader / 2)] {
            let pairs = if round == 1 {
                [(1, 2), (3, 4)]
            } else {
                [(1, 3), (2, 4)]
            };
            let pairs = pairs.map(|(home, away)| json!({"home": home, "away": away}));
            stage.draw(json!({"matches": pairs})).await;
            if round == 1 {
                stage.site.open_for_log_on().await;
            }
            let award = json!({"round": round, "number": 1, "why": "as in the example",
                "decision": {"kind": "awarded", "home": share, "away": 0}});
            stage.post("/api/contest/match", award).await;
        }
        let late = json!({"why": "lost", "entry": rule, "contestant": {"number": 9}});
        stage.post("/api/contest/join", late).await;
        let entered = example["expected"]["enter_vp"].as_i64().expect("points") * 100;
        assert_eq!(standing(&stage.now().await)[&9], entered, "{id}");
    }
}

#[tokio::test]
async fn interim_forfeits_have_the_points_and_imps_of_their_regulation() {
    for (regulation, boards, vp, imps) in [
        ("gnot", 14, [1_800, 0], [Some(28.0), Some(-67.0)]),
        (
            "abf-championships",
            16,
            [5_650, 0],
            [Some(21.5), Some(-35.0)],
        ),
    ] {
        let stage = Stage::open(json!({"size": 4, "format": "swiss", "rounds": 2,
            "boards": boards, "comparison": "teams-imps", "regulation": regulation}))
        .await;
        let away = matches(&stage.now().await)[0].3;
        let forfeit = json!({"round": 1, "number": 1, "why": "did not come",
            "decision": {"kind": "forfeit", "by": away}});
        stage.post("/api/contest/match", forfeit).await;
        let own = stage.now().await["rounds"][0]["matches"][0].clone();
        let sides = ["home", "away"];
        let points = sides.map(|side| own[side]["vp"].as_f64().map(|it| it * 100.0));
        assert_eq!(points, vp.map(|it| Some(f64::from(it))), "{regulation}");
        assert_eq!(
            sides.map(|side| own[side]["margin"].as_f64()),
            imps,
            "{regulation}"
        );
    }
}

/// Datums: how many results each regulation leaves out at each end of so many.
#[tokio::test]
async fn each_regulation_leaves_out_its_own_number_of_results_from_the_datum() {
    let counts: Vec<Value> = examples()
        .into_iter()
        .filter(|it| {
            it["id"]
                .as_str()
                .is_some_and(|id| id.starts_with("datum_count_"))
        })
        .collect();
    assert!(counts.len() > 5);
    for example in counts {
        let tables = example["input"]["results"].as_u64().expect("results");
        for (datum, key) in [
            ("sabf", "000_round_robin_each_end"),
            ("abf", "001_each_end"),
            ("gnot", "002_each_end"),
            ("club", ""),
            ("abf-open", ""),
        ] {
            let dropped = match datum {
                "club" => Some(1),
                "abf-open" => Some(3),
                _ => example["expected"][key].as_u64(),
            };
            let dropped = usize::try_from(dropped.expect("a number")).expect("small");
            datum_is(tables, datum, dropped).await;
        }
    }
    // SABF's Swiss: the top twelve tables from the third round on.
    assert_eq!(naive_imps(450), 10);
}

/// Scores that nobody vulnerable can make, all different in their effect.
fn spread(table: u64) -> i64 {
    let scores = [
        -50, 70, 90, 110, 120, 140, 150, 170, 400, 420, 430, 450, -100, -150, 80, 300, -90, -110,
    ];
    scores[usize::try_from(table - 1).expect("small") % scores.len()]
}

async fn datum_is(tables: u64, datum: &str, dropped: usize) {
    let stage = Stage::open(json!({"size": tables * 2, "format": "swiss", "rounds": 1,
        "boards": 1, "comparison": "butler", "datum": datum, "column": "nearest-even"}))
    .await;
    for table in 1..=tables {
        let at = u16::try_from(table).expect("small");
        stage.types(at, 1, 1, &spread(table).to_string()).await;
    }
    let mut scores: Vec<i64> = (1..=tables).map(spread).collect();
    scores.sort_unstable();
    // Somebody is left in the middle of a small field.
    let dropped = dropped.min((scores.len() - 1) / 2);
    let kept = &scores[dropped..scores.len() - dropped];
    let (sum, count) = (
        kept.iter().sum::<i64>(),
        i64::try_from(kept.len()).expect("small"),
    );
    // To tens, halves away from zero.
    let tens = (2 * sum.abs() + 10 * count) / (20 * count) * 10 * sum.signum();
    let shown = stage.sheet(1, 1).await["lines"][0]["datum"].as_f64();
    #[expect(clippy::cast_precision_loss, reason = "a few hundred")]
    let expected = tens as f64;
    assert_eq!(shown, Some(expected), "{tables} tables by {datum}");
    // The printed traveller has the same, with IMPs.
    let (_, page) = stage
        .site
        .ask("GET", "/print/travellers?language=en", None)
        .await;
    let page = page.as_str().expect("a page");
    assert!(
        page.contains(&format!("Datum: {expected:+}")),
        "{datum}: {page}"
    );
    assert!(!golden("imp_scale.tsv").is_empty());
}

/// A round robin of four teams with these margins, every team brought level by what it carries over.
async fn level(ties: &str) -> (Value, Vec<(u64, u64, i64, [i64; 2])>) {
    let margins = [[5_i64, -12], [20, 3], [-9, 1]];
    let play = async |carried: Option<&BTreeMap<u64, i64>>| -> Value {
        let entries: Vec<Value> = (1..=4_u64)
            .map(|number| {
                let carried = carried.map_or(0, |all| 10_000 - all[&number]);
                #[expect(clippy::cast_precision_loss, reason = "a few thousand")]
                let points = carried as f64 / 100.0;
                json!({"number": number, "carry_over": points})
            })
            .collect();
        let stage = Stage::open(json!({"contestants": entries, "format": "round-robin",
            "boards": 6, "comparison": "teams-imps", "ties": ties}))
        .await;
        for (round, of) in (1_u8..).zip(margins) {
            if round > 1 {
                stage.draw(json!({})).await;
            }
            for (number, margin) in (1_u16..).zip(of) {
                stage.wins(number, round, 6, margin).await;
            }
        }
        stage.now().await
    };
    let first = play(None).await;
    let level = play(Some(&standing(&first))).await;
    let mut played = Vec::new();
    for (round, number, home, away) in matches(&level) {
        let own = &level["rounds"][usize::from(round) - 1]["matches"][usize::from(number) - 1];
        let vp =
            ["home", "away"].map(|side| super::stage::hundredths(&own[side]["vp"].to_string()));
        let margin = margins[usize::from(round) - 1][usize::from(number) - 1];
        played.push((home, away, margin, vp));
    }
    (level, played)
}

#[tokio::test]
async fn ties_are_separated_in_the_order_of_each_regulation() {
    for ties in [
        "net-imps",
        "head-to-head",
        "swiss-points",
        "sabf-teams",
        "abf-stage",
        "itc",
        "gnot-last",
        "sabf-state-teams",
        "sabf-trials",
        "itc-final",
        "gnot2012-pool",
        "gnot2012-swiss",
    ] {
        let (level, played) = level(ties).await;
        let of = |team: u64| {
            played
                .iter()
                .filter_map(move |&(home, away, margin, vp)| match team {
                    it if it == home => Some((away, margin, vp[0], vp[1])),
                    it if it == away => Some((home, -margin, vp[1], vp[0])),
                    _ => None,
                })
        };
        let total = |team: u64| of(team).map(|it| it.2).sum::<i64>();
        let net = |team: u64| of(team).map(|it| it.1).sum::<i64>();
        let won = |team: u64| i64::try_from(of(team).filter(|it| it.1 > 0).count()).expect("few");
        let opponents = |team: u64| of(team).map(|it| total(it.0)).sum::<i64>();
        let theirs = |team: u64| of(team).map(|it| it.3).sum::<i64>();
        let opponents_imps = |team: u64| of(team).map(|it| net(it.0)).sum::<i64>();
        let key = |team: u64| -> Vec<i64> {
            match ties {
                "net-imps" | "head-to-head" | "sabf-state-teams" | "gnot2012-swiss" => {
                    vec![net(team)]
                }
                // Everybody is level with what is carried over, and not without it.
                "itc-final" => vec![total(team)],
                "swiss-points" => vec![opponents(team) - theirs(team), net(team)],
                "sabf-teams" | "abf-stage" => vec![opponents(team), won(team), net(team)],
                "itc" | "sabf-trials" | "gnot2012-pool" => vec![won(team), net(team)],
                _ => vec![opponents(team), opponents_imps(team)],
            }
        };
        let lines = level["standing"].as_array().expect("a standing");
        assert!(lines.iter().all(|line| line["vp"] == 100.0), "{lines:?}");
        let order: Vec<u64> = lines
            .iter()
            .filter_map(|line| line["contestant"].as_u64())
            .collect();
        for two in order.windows(2) {
            assert!(key(two[0]) >= key(two[1]), "{ties}: {order:?}");
        }
        let named = lines[1]["decided_by"].as_str().unwrap_or_default();
        assert!(!named.is_empty(), "{ties}: the reason of a place is told");
        assert!(!lines[0]["ties"].as_array().expect("columns").is_empty());
    }
}
