//! The worked examples that concern competitions, through the interface: sessions in which every board
//! is awarded, so that pairs have exactly the percentages of the example.

use super::*;

/// The worked examples of a kind.
fn examples(kind: &str) -> Vec<Value> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/golden/examples.json");
    let text = std::fs::read_to_string(path).expect("the examples");
    let all: Vec<Value> = serde_json::from_str(&text).expect("a list");
    all.into_iter().filter(|it| it["kind"] == kind).collect()
}

fn example(kind: &str, id: &str) -> Value {
    let mut all = examples(kind).into_iter();
    all.find(|it| it["id"] == id).expect("the example")
}

impl Site {
    /// A session of three tables in which these pairs, and two or more others, get exactly so many
    /// hundredths of a percent.
    async fn awarded(&self, date: &str, own: &[([u32; 2], i64)]) -> u64 {
        let others = OTHERS.iter().take(6 - own.len()).copied();
        let pairs: Vec<([u32; 2], i64)> = own.iter().copied().chain(others).collect();
        let seats: Seats = pairs.iter().map(|it| it.0).collect();
        let session = self.sits_down(date, &seats).await;
        // Nothing is lost of a hundredth of a percent.
        let mut settings = self.reads("/api/settings").await;
        settings["scoring"]["rounding"] = json!("TenThousandth");
        self.puts("/api/settings", settings).await;
        let names = self.reads("/api/names").await;
        let numbers: Vec<String> = (names["pairs"].as_array().expect("pairs").iter())
            .map(|it| it["pair"].as_str().expect("a pair").to_owned())
            .collect();
        let of = |number: &Value, side: &str| {
            let plain = format!("A{number}");
            let with_side = format!("A{number}{side}");
            let mut all = numbers.iter();
            let at = all.position(|it| *it == plain || *it == with_side);
            pairs[at.expect("a pair")].1
        };
        let view = self.reads("/api/view").await;
        for cell in view["cells"].as_array().expect("cells") {
            for board in cell["boards"].as_array().expect("boards") {
                let award = |hundredths: i64| {
                    let value = format!("{}.{:02}", hundredths / 100, hundredths % 100);
                    json!({"kind": "Percent", "value": value})
                };
                let [ns, ew] = [of(&cell["ns"], "NS"), of(&cell["ew"], "EW")].map(award);
                let ruled = json!({"table": cell["table"], "round": cell["round"], "board": board,
                    "result": {"kind": "Adjusted", "ns": ns, "ew": ew}, "why": "the example"});
                self.does("/api/lines/rule", ruled).await;
            }
        }
        self.releases().await;
        let brought = self.brought().await;
        for (pair, percent) in pairs {
            assert_eq!(brought[&pair], percent, "{pair:?}");
        }
        session
    }
}

const OTHERS: [([u32; 2], i64); 5] = [
    ([1011, 1012], 5_000),
    ([1013, 1014], 5_000),
    ([1015, 1016], 5_000),
    ([1017, 1018], 5_000),
    ([1019, 1020], 5_000),
];

#[tokio::test]
async fn a_session_with_a_substitute_counts_what_the_worked_examples_print() {
    let site = Site::open().await;
    members(&site).await;
    let all = examples("substitute");
    assert_eq!(all.len(), 5);
    for (at, example) in (1..).zip(&all) {
        let number = |of: &str, key: &str| hundredths(&example[of][key]);
        let average = number("input", "nominated_average");
        let scored = number("input", "score_with_substitute");
        let first = format!("2026-01-{:02}", 2 * at);
        let second = format!("2026-01-{:02}", 2 * at + 1);
        site.awarded(&first, &[([1001, 1002], average)]).await;
        site.awarded(&second, &[([1001, 1103], scored)]).await;
        let mut rules =
            site.reads("/api/competitions/presets").await["presets"][0]["rules"].clone();
        for (key, value) in [
            ("sessions", 2),
            ("to_qualify", 0),
            ("to_count", 2),
            ("own", 0),
        ] {
            rules[key] = json!(value);
        }
        let plan = json!({"name": format!("Example {at}"), "rules": rules,
            "takes": {"from": first, "until": second}});
        let number_of = site.begins(plan).await;
        let entries = format!("/api/competitions/{number_of}/entries");
        site.does(&entries, json!({"pairs": [["1001", "1002"]]}))
            .await;
        let now = site.competition(number_of).await;
        let line = line_of(&now, &named([1001, 1002]));
        let cell = &line["cells"][1];
        assert_eq!(cell["played"], "substitute", "{now}");
        assert_eq!(hundredths(&cell["scored"]), scored);
        let counted = number("expected", "counted");
        assert_eq!(hundredths(&cell["counted"]), counted, "{example}");
        assert_eq!(hundredths(&line["total"]), average + counted);
    }
}

#[tokio::test]
async fn handicaps_are_added_as_the_worked_example_prints() {
    let printed = example("handicap", "handicap");
    let site = Site::open().await;
    members(&site).await;
    let raw = hundredths(&printed["input"]["raw_pct"]);
    let pairs = [
        ([1001, 1002], raw),
        ([1003, 1004], 6_000),
        ([1005, 1006], 4_000),
    ];
    site.awarded("2026-02-01", &pairs).await;
    let rules = json!({"contestants": "pairs", "measure": "percent", "total": "mean", "sessions": 1,
        "to_qualify": 1, "to_count": 1, "handicap": true});
    let plan = json!({"name": "Handicaps", "rules": rules, "takes": {"event": 1}});
    let number = site.begins(plan).await;
    let own = &printed["input"]["players"];
    let given = [
        ("1001", own[0].clone()),
        ("1002", own[1].clone()),
        ("1003", json!(-9)),
        ("1004", json!(-9)),
        ("1005", json!(9)),
        ("1006", json!(9)),
    ];
    let handicaps: Vec<Value> = given
        .iter()
        .map(|(player, handicap)| json!({"player": player, "handicap": handicap}))
        .collect();
    let path = format!("/api/competitions/{number}/handicaps");
    site.puts(&path, json!({"handicaps": handicaps})).await;
    let now = site.competition(number).await;
    let expected = &printed["expected"];
    for (pair, key) in [
        ([1001, 1002], "final"),
        ([1003, 1004], "both_-9_60"),
        ([1005, 1006], "both_+9_40"),
    ] {
        let line = line_of(&now, &named(pair));
        assert_eq!(
            hundredths(&line["total"]),
            hundredths(&expected[key]),
            "{key}"
        );
    }
    let line = line_of(&now, &named([1001, 1002]));
    let difference = hundredths(&line["total"]) - hundredths(&line["raw_total"]);
    assert_eq!(difference, hundredths(&expected["pair_handicap"]));
}

#[tokio::test]
async fn totals_within_three_hundredths_of_the_best_share_its_place() {
    let printed = example("tie", "tie_within_003");
    let sums: Vec<i64> = (printed["input"]["aggregates"]
        .as_array()
        .expect("three")
        .iter())
    .map(hundredths)
    .collect();
    assert_eq!(sums, [16_542, 16_540, 16_538]);
    let site = Site::open().await;
    members(&site).await;
    let who = [[1001, 1002], [1003, 1004], [1005, 1006]];
    for session in 0..3 {
        // A third of the sum in each session, and what is left over in the last ones.
        let third = |at: usize| {
            let left = sums[at] % 3;
            sums[at] / 3 + i64::from(session >= 3 - left)
        };
        let own = [0, 1, 2].map(|at| (who[at], third(at)));
        let date = format!("2026-03-0{}", session + 1);
        site.awarded(&date, &own).await;
    }
    let mut rules = site.reads("/api/competitions/presets").await["presets"][0]["rules"].clone();
    for (key, value) in [
        ("sessions", 3),
        ("to_qualify", 3),
        ("to_count", 3),
        ("own", 2),
    ] {
        rules[key] = json!(value);
    }
    assert_eq!(rules["level_within"], 0.03);
    let plan = json!({"name": "Pairs", "rules": rules, "takes": {"event": 1}});
    let number = site.begins(plan).await;
    let pairs: Vec<[String; 2]> = who.iter().map(|it| it.map(|it| it.to_string())).collect();
    let entries = format!("/api/competitions/{number}/entries");
    site.does(&entries, json!({"pairs": pairs})).await;
    let now = site.competition(number).await;
    let got = placed(&now);
    for (pair, sum) in who.iter().zip(&sums) {
        assert_eq!(got[&named(*pair)].1, *sum);
    }
    // 165.38 is within 0.03 of 165.40 and not of the best.
    let places: Vec<&str> = who.iter().map(|it| got[&named(*it)].0.as_str()).collect();
    assert_eq!(places, ["1=", "1=", "3"]);
}
