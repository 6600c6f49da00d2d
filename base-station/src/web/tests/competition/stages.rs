//! Events with stages from their entries to the winner, checked by sums over what was typed.

use super::*;
use crate::web::tests::contest::naive::{naive_imps, naive_vp, score};

/// The same results as [`TYPED`], for whoever adds them up by hand.
const RESULTS: [&str; 9] = [
    "4S N =", "4S S -1", "3NT E =", "3NT W -2", "2H S +1", "5DX N -3", "1NT W +2", "6C S =",
    "3S E -1",
];

/// Totals in hundredths of a victory point.
pub(super) type Totals = BTreeMap<u64, i64>;

impl Site {
    pub(super) async fn championship(&self, number: u64) -> Value {
        self.reads(&format!("/api/championships/{number}")).await
    }

    pub(super) async fn begins_stages(&self, plan: Value) -> u64 {
        let begun = self.does("/api/championships", plan).await;
        begun["championship"].as_u64().expect("a number")
    }

    /// The matches of a round of the only section: number, home, away.
    async fn met(&self, round: usize) -> Vec<(u64, u64, u64)> {
        let all = self.reads("/api/contest").await;
        let matches = all["contests"][0]["rounds"][round - 1]["matches"].clone();
        let number = |value: &Value| value.as_u64().expect("a number");
        (matches.as_array().expect("matches").iter())
            .map(|it| {
                (
                    number(&it["number"]),
                    number(&it["home"]["contestant"]),
                    number(&it["away"]["contestant"]),
                )
            })
            .collect()
    }

    /// Draws and plays rounds of a teams stage of six boards each; answers with what was played:
    /// home, away and home's IMPs.
    async fn plays_teams(&self, rounds: u8, seed: u64) -> Vec<(u64, u64, i64)> {
        let mut dice = fastrand::Rng::with_seed(seed);
        let mut played = Vec::new();
        for round in 1..=rounds {
            let draw = json!({"section": "A", "seed": 5});
            self.does("/api/contest/draw", draw).await;
            if round == 1 {
                self.opens().await;
            }
            for (number, home, away) in self.met(usize::from(round)).await {
                let tables = [2 * number - 1, 2 * number].map(|at| format!("A{at}"));
                let mut imps = 0;
                for board in (round - 1) * 6 + 1..=round * 6 {
                    let here = dice.i64(-6..=6);
                    imps += here;
                    let tables = [tables[0].as_str(), tables[1].as_str()];
                    self.swings(tables, round, board, here).await;
                }
                played.push((home, away, imps));
            }
        }
        played
    }

    pub(super) async fn opens(&self) {
        if self.reads("/api/view").await["session"]["phase"] == "SettingUp" {
            let pin = json!({"pin": "7316"});
            self.ask("PUT", "/api/rules/director-pin", Some(pin)).await;
            self.does("/api/open", json!({})).await;
        }
    }
}

/// Victory points by the printed column of six boards.
pub(super) fn totals(played: &[(u64, u64, i64)]) -> Totals {
    let mut totals = Totals::new();
    for (home, away, imps) in played {
        *totals.entry(*home).or_default() += naive_vp("6", *imps);
        *totals.entry(*away).or_default() += naive_vp("6", -imps);
    }
    totals
}

/// The best first; nobody is level in these stories.
pub(super) fn in_order(totals: &Totals) -> Vec<u64> {
    let mut order: Vec<(i64, u64)> = totals.iter().map(|(who, vp)| (-vp, *who)).collect();
    order.sort_unstable();
    let level = order.windows(2).any(|two| two[0].0 == two[1].0);
    assert!(!level, "choose another seed: {order:?}");
    order.into_iter().map(|(_, who)| who).collect()
}

pub(super) fn team(number: u64) -> String {
    format!("Team {number}")
}

pub(super) fn coming(view: &Value, stage: usize) -> Vec<(u64, i64)> {
    let coming = view["stages"][stage - 1]["coming"]
        .as_array()
        .expect("who comes");
    coming
        .iter()
        .map(|it| {
            (
                it["number"].as_u64().expect("a number"),
                hundredths(&it["vp"]),
            )
        })
        .collect()
}

pub(super) fn final_places(view: &Value) -> Vec<(String, String)> {
    let places = view["places"].as_array().expect("places").iter();
    let text = |value: &Value| value.as_str().expect("text").to_owned();
    places
        .map(|it| (text(&it["place"]), text(&it["name"])))
        .collect()
}

fn swiss(section: &str, stage: &Value) -> Value {
    let teams: Vec<Value> = (1..=8)
        .map(|number| json!({"number": number, "name": team(number)}))
        .collect();
    json!({"section": section, "name": "Stage", "format": "swiss", "rounds": 3, "boards": 6,
        "comparison": "teams-imps", "column": "boards", "contestants": teams, "stage": stage})
}

#[tokio::test]
async fn state_teams_go_from_two_swiss_stages_by_points_for_places_into_a_final_five() {
    let site = Site::open().await;
    let number = site
        .begins_stages(json!({"name": "State Teams", "stages": [
            {"name": "First Swiss"},
            {"name": "Second Swiss"},
            {"name": "Final five", "knock_out": "final-five",
                "from": {"stage": 2, "take": 5, "by_places": true}}]}))
        .await;
    let own = format!("/api/championships/{number}");
    let mut stages = Vec::new();
    for (stage, seed) in [(1, 11), (2, 12)] {
        let now = site.championship(number).await;
        assert_eq!(now["stages"][stage - 1]["state"], "ready", "{now}");
        site.refuses("POST", &format!("{own}/stages/3/draw"), json!({}))
            .await;
        site.next_session(&format!("2026-11-{}", 9 + stage)).await;
        let which = json!({"championship": number, "stage": stage});
        site.does("/api/contest", swiss("A", &which)).await;
        let playing = site.championship(number).await;
        assert_eq!(playing["stages"][stage - 1]["state"], "playing");
        stages.push(totals(&site.plays_teams(3, seed).await));
        site.ends().await;
    }
    // Points for places, then the victory points of both stages.
    let mut points: BTreeMap<u64, (i64, i64)> = BTreeMap::new();
    for stage in &stages {
        for (who, worth) in in_order(stage).into_iter().zip([6, 4, 3, 2, 1, 0, 0, 0]) {
            let own = points.entry(who).or_default();
            own.0 += worth;
            own.1 += stage[&who];
        }
    }
    let mut order: Vec<(i64, i64, u64)> = points
        .iter()
        .map(|(who, own)| (-own.0, -own.1, *who))
        .collect();
    order.sort_unstable();
    assert!(order[4].0 < 0, "five have points: {order:?}");
    let five: Vec<u64> = order[..5].iter().map(|own| own.2).collect();
    let now = site.championship(number).await;
    let names: Vec<&str> = (now["stages"][2]["coming"].as_array().expect("five").iter())
        .filter_map(|it| it["name"].as_str())
        .collect();
    assert_eq!(names, five.iter().map(|it| team(*it)).collect::<Vec<_>>());
    assert!(
        now["next"]
            .as_str()
            .is_some_and(|it| it.contains("5 go on")),
        "{now}"
    );
    site.does(&format!("{own}/stages/3/draw"), json!({})).await;
    // Weeks of the final five: whoever has the lower number of a team wins, by the printed table.
    let drawn = site.championship(number).await["stages"][2]["drawn"].clone();
    let cup = format!("/api/knockouts/{drawn}");
    for week in 0..4 {
        site.next_session(&format!("2026-12-{}", 10 + week)).await;
        let play = json!({"section": "A", "stanzas": 1, "boards": 4});
        site.does(&format!("{cup}/play"), play).await;
        site.opens().await;
        for (at, seed_of_home, seed_of_away) in site.met(1).await {
            let who = |seed: u64| five[usize::try_from(seed).expect("a few") - 1];
            let imps = if who(seed_of_home) < who(seed_of_away) {
                5
            } else {
                -5
            };
            let tables = [2 * at - 1, 2 * at].map(|at| format!("A{at}"));
            for board in 1..=4 {
                let here = if board == 1 { imps } else { 0 };
                site.swings([&tables[0], &tables[1]], 1, board, here).await;
            }
        }
        site.ends().await;
    }
    let won = |one: u64, other: u64| (one.min(other), one.max(other));
    let [s1, s2, s3, s4, s5] = [five[0], five[1], five[2], five[3], five[4]];
    let (qf1, fifth) = won(s4, s5);
    let (qf2, lost2) = won(s2, s3);
    let (sf1, fourth) = won(qf1, lost2);
    let (sf2, to_pf) = won(s1, qf2);
    let (pf, third) = won(to_pf, sf1);
    let (champion, second) = won(sf2, pf);
    let end = site.championship(number).await;
    assert_eq!(end["stages"][2]["state"], "over", "{end}");
    let mut expected: Vec<u64> = vec![champion, second, third, fourth, fifth];
    expected.extend(
        in_order(&stages[1])
            .into_iter()
            .filter(|it| !five.contains(it)),
    );
    let told = final_places(&end);
    let names: Vec<&String> = told.iter().map(|(_, name)| name).collect();
    let expected: Vec<String> = expected.into_iter().map(team).collect();
    assert_eq!(names, expected.iter().collect::<Vec<_>>(), "{end}");
    let places: Vec<&String> = told.iter().map(|(place, _)| place).collect();
    assert_eq!(places, ["1", "2", "3", "4", "5", "6", "7", "8"]);
    assert!(
        end["next"]
            .as_str()
            .is_some_and(|it| it.contains("Everything"))
    );
}

/// What a table makes of a board.
fn at(round: u8, table: u64, board: u8) -> usize {
    let spread = u64::from(round) * 7 + table * 5 + u64::from(board) * 3;
    // Mixed well: nobody is to be level in these stories.
    let mixed = spread.wrapping_mul(0x9E37_79B9_7F4A_7C1F) >> 40;
    usize::try_from(mixed % 9).expect("a few")
}

/// A Butler stage of nine boards a round, and what it comes to by hand: the datum without the top
/// and the bottom score, to tens, and the printed column of eight.
pub(super) async fn butler(site: &Site, rounds: u8) -> Totals {
    let mut totals = Totals::new();
    for round in 1..=rounds {
        let draw = json!({"section": "A", "seed": 5});
        site.does("/api/contest/draw", draw).await;
        if round == 1 {
            site.opens().await;
        }
        let met = site.met(usize::from(round)).await;
        let mut net: BTreeMap<u64, i64> = BTreeMap::new();
        for board in (round - 1) * 9 + 1..=round * 9 {
            let made = |table: u64| {
                let result = bench_parts::played(RESULTS[at(round, table, board)]);
                score(result, board)
            };
            let mut scores: Vec<i64> = met.iter().map(|it| made(it.0)).collect();
            scores.sort_unstable();
            let kept = &scores[1..scores.len() - 1];
            let count = i64::try_from(kept.len()).expect("a few");
            // To tens, an exact five away from zero.
            let sum: i64 = kept.iter().sum();
            let datum = (2 * sum.abs() + 10 * count) / (20 * count) * 10 * sum.signum();
            for (table, ..) in &met {
                *net.entry(*table).or_default() += naive_imps(made(*table) - datum);
                let line = json!({"table": format!("A{table}"), "round": round, "board": board,
                    "typed": TYPED[at(round, *table, board)]});
                site.does("/api/lines/typed", line).await;
            }
        }
        for (table, home, away) in met {
            *totals.entry(home).or_default() += naive_vp("8", net[&table]);
            *totals.entry(away).or_default() += naive_vp("8", -net[&table]);
        }
    }
    totals
}

#[tokio::test]
#[expect(
    clippy::too_many_lines,
    reason = "one championship, from its first stage to a correction"
)]
async fn mixed_pairs_carry_from_seven_down_to_one_into_the_second_stage_and_a_correction_is_told() {
    let site = Site::open().await;
    let number = site
        .begins_stages(json!({"name": "Mixed Butler", "stages": [
            {"name": "Qualifying"},
            {"name": "Final", "from": {"stage": 1, "take": 10, "carry": "mixed-pairs"}}]}))
        .await;
    let first = site.next_session("2026-11-10").await;
    let pairs: Vec<Value> = (1..=14_u32)
        .map(|number| {
            let names = [2 * number - 1, 2 * number].map(|it| format!("Player {it}"));
            json!({"number": number, "players": names})
        })
        .collect();
    let qualifying = json!({"section": "A", "name": "Qualifying", "format": "swiss", "rounds": 2,
        "boards": 9, "comparison": "butler", "contestants": pairs,
        "stage": {"championship": number, "stage": 1}});
    site.does("/api/contest", qualifying).await;
    let stage = butler(&site, 2).await;
    let order = in_order(&stage);
    let now = site.championship(number).await;
    let (highest, lowest) = (stage[&order[0]], stage[&order[9]]);
    let range = highest - lowest;
    let brings = |own: i64| 100 + (2 * 600 * (own - lowest) + range).div_euclid(2 * range);
    let expected: Vec<(u64, i64)> = order[..10]
        .iter()
        .map(|who| (*who, brings(stage[who])))
        .collect();
    assert_eq!(coming(&now, 2), expected);
    assert_eq!((expected[0].1, expected[9].1), (700, 100));
    // The third withdraws: the eleventh comes in with nothing, and the others bring the same.
    let withdrawn = json!({"contestant": order[2], "how": "withdrawn", "why": "a train"});
    let passed = format!("/api/championships/{number}/stages/1/passed-over");
    site.puts(&passed, withdrawn).await;
    let mut with_another: Vec<(u64, i64)> = expected.clone();
    with_another.remove(2);
    with_another.push((order[10], 0));
    assert_eq!(coming(&site.championship(number).await, 2), with_another);
    site.puts(&passed, json!({"contestant": order[2]})).await;
    site.refuses(
        "PUT",
        &passed,
        json!({"contestant": 99, "how": "withdrawn"}),
    )
    .await;
    site.ends().await;
    // The final, with everybody under their own numbers.
    site.next_session("2026-11-17").await;
    let last = json!({"section": "A", "name": "Final", "format": "round-robin", "rounds": 3,
        "boards": 9, "comparison": "butler", "stage": {"championship": number, "stage": 2}});
    let knock_out = json!({"section": "A", "name": "Final", "format": "swiss", "rounds": 3, "boards": 9,
        "comparison": "butler", "stage": {"championship": number, "stage": 3}});
    site.refuses("POST", "/api/contest", knock_out).await;
    site.does("/api/contest", last).await;
    let entries = site.reads("/api/contest").await["contests"][0]["entries"].clone();
    let names = |who: u64| format!("Player {} – Player {}", 2 * who - 1, 2 * who);
    assert_eq!(entries[0]["name"], names(order[0]));
    let mut end = butler(&site, 3).await;
    for (who, brought) in &expected {
        *end.entry(*who).or_default() += brought;
    }
    let placed = in_order(&end);
    site.ends().await;
    let told = site.championship(number).await;
    assert_eq!(told["stages"][1]["state"], "over", "{told}");
    let by_hand: Vec<String> = (placed.iter().chain(&order[10..]))
        .map(|who| names(*who))
        .collect();
    let shown: Vec<String> = final_places(&told)
        .into_iter()
        .map(|(_, name)| name)
        .collect();
    assert_eq!(shown, by_hand);
    let lines = told["stages"][1]["fields"][0]["lines"]
        .as_array()
        .expect("lines");
    let vp: Totals = lines
        .iter()
        .map(|it| {
            (
                it["contestant"].as_u64().expect("a number"),
                hundredths(&it["vp"]),
            )
        })
        .collect();
    assert_eq!(vp, end);
    assert_eq!(told["stages"][1]["otherwise"], json!([]));
    // A board of the qualifying is corrected by 1700: what was taken over stays, and it is told what
    // would be different.
    site.does("/api/calendar/choose", json!({"session": first}))
        .await;
    site.does("/api/reopen", json!({"why": "a wrong score"}))
        .await;
    let tables = site.met(1).await;
    let (table, ..) = tables
        .iter()
        .find(|it| it.1 == order[9] || it.2 == order[9])
        .expect("its table");
    let home = tables.iter().any(|it| it.1 == order[9]);
    let declarer = if home { "E" } else { "N" };
    for board in 1..=4 {
        let corrected = json!({"table": format!("A{table}"), "round": 1, "board": board,
            "result": {"kind": "Played", "contract": "7NT", "declarer": declarer, "result": "="},
            "why": "the slip"});
        site.does("/api/lines/rule", corrected).await;
    }
    site.releases_anew().await;
    let after = site.championship(number).await;
    let otherwise = after["stages"][1]["otherwise"]
        .as_array()
        .expect("what would differ");
    assert!(!otherwise.is_empty(), "{after}");
    let text = otherwise[0].as_str().expect("a sentence");
    assert!(text.contains("by the results as they are now"), "{text}");
    let still = after["stages"][1]["fields"][0]["lines"]
        .as_array()
        .expect("lines")
        .len();
    assert_eq!(still, 10, "nobody is moved");
}

#[tokio::test]
async fn stages_that_make_no_sense_are_refused_and_a_plate_takes_whom_the_final_leaves() {
    let site = Site::open().await;
    let with = |stages: Value| json!({"name": "Odd", "stages": stages});
    let from =
        |stage: u8, take: u16| json!({"name": "Final", "from": {"stage": stage, "take": take}});
    for plan in [
        with(json!([])),
        with(json!([{"name": " "}])),
        with(json!([from(1, 4)])),
        with(json!([{"name": "One"}, from(2, 4)])),
        with(json!([{"name": "One"}, from(0, 4)])),
        with(json!([{"name": "One"}, from(1, 1)])),
        with(json!([{"name": "One"}, {"name": "Two", "from": {"stage": 1, "losers_of": 1}}])),
        with(json!([{"name": "One"}, {"name": "Two", "also": [{"stage": 1, "take": 2}]}])),
        json!({"name": "", "stages": [{"name": "One"}]}),
    ] {
        site.refuses("POST", "/api/championships", plan).await;
    }
    let number = site
        .begins_stages(json!({"name": "Club Teams", "stages": [
            {"name": "Qualifying"},
            {"name": "Champions", "from": {"stage": 1, "take": 4, "carry": "wide-spread"}},
            {"name": "Plate", "from": {"stage": 1, "first": 5, "take": 4, "carry": "wide-spread"}}]}))
        .await;
    let again = json!({"name": "Club Teams", "stages": [{"name": "One"}]});
    site.refuses("POST", "/api/championships", again).await;
    site.next_session("2026-11-10").await;
    let which = json!({"championship": number, "stage": 1});
    site.does("/api/contest", swiss("A", &which)).await;
    let early = json!({"section": "B", "name": "Plate", "format": "round-robin", "boards": 4,
        "comparison": "teams-imps", "column": "boards", "stage": {"championship": number, "stage": 3}});
    let no = site.refuses("POST", "/api/contest", early.clone()).await;
    assert!(no.contains("Qualifying is not over"), "{no}");
    let stage = totals(&site.plays_teams(3, 21).await);
    let order = in_order(&stage);
    let now = site.championship(number).await;
    // Three tenths of what each has.
    let share = |who: &u64| (*who, (stage[who] * 30 + 50).div_euclid(100));
    assert_eq!(
        coming(&now, 2),
        order[..4].iter().map(share).collect::<Vec<_>>()
    );
    assert_eq!(
        coming(&now, 3),
        order[4..].iter().map(share).collect::<Vec<_>>()
    );
    site.does("/api/contest", early).await;
    let plate = site.reads("/api/contest").await["contests"][1]["entries"].clone();
    let in_plate: Vec<u64> = (plate.as_array().expect("entries").iter())
        .filter_map(|it| it["contestant"].as_u64())
        .collect();
    assert_eq!(in_plate, order[4..]);
    // Whoever does not contend leaves its place to the next one.
    let passed = format!("/api/championships/{number}/stages/1/passed-over");
    site.puts(
        &passed,
        json!({"contestant": order[0], "how": "not-contending"}),
    )
    .await;
    let without = site.championship(number).await;
    let who: Vec<u64> = coming(&without, 2).into_iter().map(|it| it.0).collect();
    assert_eq!(who, order[1..5]);
    let no_draw = format!("/api/championships/{number}/stages/2/draw");
    let refused = site.refuses("POST", &no_draw, json!({})).await;
    assert!(refused.contains("played in matches"), "{refused}");
    for nowhere in ["/api/championships/9", "/api/championships/x"] {
        let (status, _) = site.ask("GET", nowhere, None).await;
        assert!(status.is_client_error());
    }
    let away = format!("/api/championships/{number}/away");
    site.puts(&away, json!({"away": true})).await;
    site.refuses("PUT", &passed, json!({"contestant": order[0]}))
        .await;
}
