//! The open Butler in three stages: four sessions in two fields by net IMPs, ten of each field in two
//! fields by victory points, five of each in a round robin with 10, 8, 6, 4 and 2 brought along. The
//! sessions are added up from their own rankings, the matches from what was typed.

use super::naive::pair_of;
use super::stages::{Totals, butler, coming, final_places, in_order};
use super::*;

/// Net IMPs of a session in hundredths, by players' numbers.
type Imps = BTreeMap<[u32; 2], i64>;

impl Site {
    /// A session of twelve tables scored by Butler; who sits North-South is of the first field.
    async fn butler_session(&self, date: &str, seed: u64) -> Imps {
        self.next_session_of("Open Butler", date).await;
        let mut settings = self.reads("/api/settings").await;
        settings["scoring"]["method"] = json!("Butler");
        self.puts("/api/settings", settings).await;
        let room = json!({"section": "A", "colour": "Red", "pairs": 24, "boards_min": 24, "boards_max": 24});
        self.does("/api/setup/sections", room).await;
        let names = self.reads("/api/names").await;
        let mut next = [1001, 1101];
        for pair in names["pairs"].as_array().expect("pairs") {
            let id = pair["pair"].as_str().expect("a pair");
            let field = usize::from(id.ends_with("EW"));
            for partner in ["First", "Second"] {
                let player = json!({"pair": id, "partner": partner, "number": next[field]});
                self.does("/api/names", player).await;
                next[field] += 1;
            }
        }
        assert_eq!(next, [1025, 1125], "twelve pairs in each field");
        self.open_for_log_on().await;
        self.plays(seed).await;
        self.releases().await;
        let ranking = self.reads("/api/ranking").await;
        let lists = ranking["lists"].as_array().expect("lists").iter();
        let lines = lists.flat_map(|list| list["lines"].as_array().expect("lines"));
        lines
            .map(|line| {
                let names = line["names"].as_str().expect("names");
                (pair_of(names), hundredths(&line["points"]))
            })
            .collect()
    }
}

/// The pairs of a field by their sums, the best session where those are equal.
fn by_sum(nights: &[Imps], of: impl Fn(&[u32; 2]) -> bool) -> Vec<([u32; 2], i64)> {
    let who = nights[0].keys().filter(|it| of(it));
    let mut all: Vec<(i64, Vec<i64>, [u32; 2])> = who
        .map(|pair| {
            let mut own: Vec<i64> = nights.iter().map(|night| -night[pair]).collect();
            own.sort_unstable();
            (own.iter().sum(), own, *pair)
        })
        .collect();
    all.sort();
    all.into_iter().map(|(sum, _, pair)| (pair, -sum)).collect()
}

#[tokio::test]
#[expect(
    clippy::too_many_lines,
    reason = "one championship, from its entries to the winner"
)]
async fn the_open_butler_goes_from_four_sessions_in_two_fields_to_a_round_robin_of_ten() {
    let site = Site::open().await;
    members(&site).await;
    let mut nights = Vec::new();
    for (at, seed) in (1..).zip([41, 42, 43, 44]) {
        nights.push(site.butler_session(&format!("2026-07-0{at}"), seed).await);
    }
    let rules = json!({"contestants": "nominated-pairs", "measure": "imps", "total": "sum",
        "sessions": 4, "to_qualify": 4, "to_count": 4, "substitutes": "as-scored",
        "ties": "best-session"});
    let plan = json!({"name": "Open, stage 1", "rules": rules, "takes": {"event": 1, "until": "2026-07-04"}});
    let first = site.begins(plan).await;
    let pairs: Vec<[String; 2]> = nights[0]
        .keys()
        .map(|it| it.map(|it| it.to_string()))
        .collect();
    let entries = format!("/api/competitions/{first}/entries");
    site.does(&entries, json!({"pairs": pairs})).await;
    let field = |from: u32, name: &str| {
        let players = (from..from + 24).map(|it| json!([it.to_string(), name]));
        players.collect::<Vec<Value>>()
    };
    let players = [field(1001, "North-South"), field(1101, "East-West")].concat();
    let groups = json!({"kind": "categories", "names": ["North-South", "East-West"],
        "players": players});
    site.puts(&format!("/api/competitions/{first}/groups"), groups)
        .await;
    let number = site
        .begins_stages(json!({"name": "Open Butler", "stages": [
            {"name": "Stage 1"},
            {"name": "Stage 2", "from": {"stage": 1, "take": 10, "each_field": true}},
            {"name": "Stage 3",
                "from": {"stage": 2, "take": 5, "each_field": true, "carry": "open-pairs"}}]}))
        .await;
    let stage1 = format!("/api/championships/{number}/stages/1");
    let ladder = json!({"contestants": "pairs", "measure": "percent", "total": "sum", "sessions": 4,
        "to_qualify": 0, "to_count": 4});
    let ladder = site
        .begins(json!({"name": "Ladder", "rules": ladder}))
        .await;
    let no = site
        .refuses("PUT", &stage1, json!({"competition": ladder}))
        .await;
    assert!(no.contains("by name"), "{no}");
    site.puts(&stage1, json!({"competition": first})).await;

    // Both fields by their sums of net IMPs.
    let fields = [
        by_sum(&nights, |pair| pair[0] < 1100),
        by_sum(&nights, |pair| pair[0] > 1100),
    ];
    let now = site.championship(number).await;
    assert_eq!(now["stages"][0]["state"], "over", "{now}");
    for (at, field) in fields.iter().enumerate() {
        let lines = now["stages"][0]["fields"][at]["lines"]
            .as_array()
            .expect("lines");
        let shown: Vec<(String, i64)> = (lines.iter())
            .map(|it| {
                (
                    it["name"].as_str().expect("a name").to_owned(),
                    hundredths(&it["vp"]),
                )
            })
            .collect();
        let expected: Vec<(String, i64)> = field.iter().map(|it| (named(it.0), it.1)).collect();
        assert_eq!(shown, expected);
    }
    // A pair that does not contend leaves its place to the eleventh.
    let third = &now["stages"][0]["fields"][1]["lines"][2]["contestant"];
    let passed = json!({"field": 2, "contestant": third, "how": "not-contending"});
    site.puts(&format!("{stage1}/passed-over"), passed).await;
    let mut east_west: Vec<[u32; 2]> = fields[1].iter().map(|it| it.0).collect();
    east_west.remove(2);
    let north_south = fields[0].iter().map(|it| it.0);
    let twenty: Vec<[u32; 2]> = north_south
        .zip(east_west)
        .take(10)
        .flat_map(|(one, other)| [one, other])
        .collect();
    let now = site.championship(number).await;
    let names: Vec<&str> = (now["stages"][1]["coming"]
        .as_array()
        .expect("twenty")
        .iter())
    .filter_map(|it| it["name"].as_str())
    .collect();
    assert_eq!(
        names,
        twenty.iter().map(|it| named(*it)).collect::<Vec<_>>()
    );

    // Ten stay, ten move; who is of which field is told by its number.
    site.next_session_of("Open Butler", "2026-07-05").await;
    let second = json!({"section": "A", "name": "Stage 2", "format": "two-fields", "boards": 9,
        "comparison": "butler", "stage": {"championship": number, "stage": 2}});
    site.does("/api/contest", second).await;
    let totals = butler(&site, 10).await;
    let met = site.met_in("A", 4).await;
    assert_eq!(met.len(), 10);
    assert!(
        met.iter().all(|it| it.1 % 2 == 1 && it.2.is_multiple_of(2)),
        "{met:?}"
    );
    site.ends().await;
    let of_field = |odd: u64| -> Totals {
        let own = totals.iter().filter(|(who, _)| *who % 2 == odd);
        own.map(|(who, vp)| (*who, *vp)).collect()
    };
    let [one, other] = [in_order(&of_field(1)), in_order(&of_field(0))];
    let five: Vec<u64> = (one.iter().zip(&other).take(5))
        .flat_map(|(one, other)| [*one, *other])
        .collect();
    let now = site.championship(number).await;
    let brought = [1_000, 1_000, 800, 800, 600, 600, 400, 400, 200, 200];
    let expected: Vec<(u64, i64)> = (1..).zip(brought).collect();
    assert_eq!(coming(&now, 3), expected);

    // The round robin of ten.
    site.next_session_of("Open Butler", "2026-07-06").await;
    let third = json!({"section": "A", "name": "Stage 3", "format": "round-robin", "boards": 9,
        "comparison": "butler", "stage": {"championship": number, "stage": 3}});
    site.does("/api/contest", third).await;
    let mut end = butler(&site, 9).await;
    for (who, vp) in (1..).zip(brought) {
        *end.entry(who).or_default() += vp;
    }
    site.ends().await;
    let place = |seed: u64| usize::try_from(seed).expect("a few") - 1;
    let by_hand: Vec<String> = in_order(&end)
        .into_iter()
        .map(|seed| named(twenty[place(five[place(seed)])]))
        .collect();
    let told = final_places(&site.championship(number).await);
    let shown: Vec<&String> = told.iter().take(10).map(|it| &it.1).collect();
    assert_eq!(shown, by_hand.iter().collect::<Vec<_>>());
    assert_eq!(told.len(), 24, "everybody has a place");
}
