//! The final of GNOT 2006 from its 58 teams to the winner: a knock-out, nine rounds of a Swiss into
//! which its losers drop, the repechage, semi-finals and the final. Checked by a bracket of lines
//! that add up, and by the printed scale.

use std::collections::BTreeSet;

use super::stages::{coming, final_places, team};
use super::*;
use crate::web::tests::contest::naive::golden;

/// Boards of a set of the knock-out, and of a match of the Swiss: enough to decide, and a column of
/// the printed scale.
const SET: u8 = 2;
const MATCH: u8 = 8;

/// A match: number in its draw, home, away.
type Met = (u64, u64, u64);

impl Site {
    /// The matches of a round of a section.
    pub(super) async fn met_in(&self, section: &str, round: u8) -> Vec<Met> {
        let all = self.reads("/api/contest").await;
        let mut contests = all["contests"].as_array().expect("contests").iter();
        let own = contests.find(|it| it["section"] == section);
        let rounds = &own.unwrap_or_else(|| panic!("no {section}"))["rounds"];
        let matches = rounds[usize::from(round) - 1]["matches"].as_array();
        let number = |value: &Value| value.as_u64().expect("a number");
        (matches.expect("matches").iter())
            .map(|it| {
                let side = |side: &str| number(&it[side]["contestant"]);
                (number(&it["number"]), side("home"), side("away"))
            })
            .collect()
    }

    /// Types a round of a section, so many boards a match; `margin` says by how much home wins each
    /// match. Answers with home, away and that.
    pub(super) async fn plays_round(
        &self,
        section: &str,
        (round, boards): (u8, u8),
        mut margin: impl FnMut(u64, u64) -> i64,
    ) -> Vec<(u64, u64, i64)> {
        let mut played = Vec::new();
        for (number, home, away) in self.met_in(section, round).await {
            let imps = margin(home, away);
            let tables = [2 * number - 1, 2 * number].map(|at| format!("{section}{at}"));
            let mut left = imps.abs();
            for board in (round - 1) * boards + 1..=round * boards {
                let here = left.min(6);
                left -= here;
                let tables = [tables[0].as_str(), tables[1].as_str()];
                self.swings(tables, round, board, here * imps.signum())
                    .await;
            }
            assert_eq!(left, 0);
            played.push((home, away, imps));
        }
        played
    }

    async fn drops_in(&self, cup: &str, round: u8, more: &Value) -> Vec<(u64, i64)> {
        let mut body = json!({"section": "S", "round": round, "entry": "gnot2006", "why": "lost"});
        if let (Some(body), Some(more)) = (body.as_object_mut(), more.as_object()) {
            body.extend(more.clone());
        }
        let dropped = self.does(&format!("{cup}/drop-in"), body).await;
        let all = dropped["contestants"].as_array().expect("who drops in");
        let one = |it: &Value| {
            let number = it["number"].as_u64().expect("a number");
            (number, hundredths(&it["vp"]))
        };
        all.iter().map(one).collect()
    }
}

/// Victory points by the printed scale.
fn printed_vp(imps: i64) -> i64 {
    for row in golden("vp_2006_25scale_002.tsv") {
        let number = |at: usize| row[at].parse::<i64>().ok();
        let high = number(2).unwrap_or(i64::MAX);
        let low = number(1).expect("IMPs");
        if row[0] == MATCH.to_string() && (low..=high).contains(&imps.abs()) {
            let at = if imps < 0 { 4 } else { 3 };
            return number(at).expect("victory points") * 100;
        }
    }
    panic!("{imps} IMPs are not on the scale")
}

/// The event as somebody follows it with a pencil.
struct Pencil {
    dice: fastrand::Rng,
    /// Of everybody who has not lost: the line of the bracket that it holds.
    lines: BTreeMap<u64, u64>,
    /// Lines of the bracket in the next round.
    bracket: u64,
    /// Who met whom, anywhere.
    met: BTreeSet<(u64, u64)>,
    swiss: BTreeMap<u64, i64>,
    rounds: i64,
}

impl Pencil {
    fn meet(&mut self, one: u64, other: u64) {
        let pair = (one.min(other), one.max(other));
        assert!(self.met.insert(pair), "{one} and {other} meet again");
    }

    /// A round of the knock-out, which the boards decide; answers with its losers.
    async fn knock_out(&mut self, site: &Site, cup: &str, section: &str, sets: u8) -> Vec<u64> {
        let play = json!({"section": section, "stanzas": sets, "boards": SET, "regulation": "gnot",
            "goes_on": false});
        site.does(&format!("{cup}/play"), play).await;
        site.opens().await;
        let mut sums: BTreeMap<(u64, u64), i64> = BTreeMap::new();
        for set in 1..=sets {
            if set > 1 {
                let draw = json!({"section": section});
                site.does("/api/contest/draw", draw).await;
            }
            let dice = &mut self.dice;
            // The last set leaves nobody level.
            let margin = |home: u64, away: u64| {
                let before = sums.get(&(home, away)).copied().unwrap_or_default();
                let here = dice.i64(-9..=9);
                let level = before + here == 0 && set == sets;
                if level { here + 1 } else { here }
            };
            let played = site.plays_round(section, (set, SET), margin).await;
            for (home, away, imps) in played {
                *sums.entry((home, away)).or_default() += imps;
            }
        }
        let mut losers = Vec::new();
        for ((home, away), imps) in sums {
            self.meet(home, away);
            let lines = self.lines[&home] + self.lines[&away];
            assert_eq!(lines, self.bracket + 1, "{home} meets {away}");
            let (winner, loser) = if imps > 0 { (home, away) } else { (away, home) };
            let best = self.lines[&home].min(self.lines[&away]);
            self.lines.remove(&loser);
            self.lines.insert(winner, best);
            losers.push(loser);
        }
        self.bracket /= 2;
        assert_eq!(self.lines.len() as u64, self.bracket);
        losers
    }

    /// A round of the Swiss.
    async fn swiss(&mut self, site: &Site, round: u8) -> Vec<(u64, u64)> {
        let draw = json!({"section": "S", "seed": 7});
        site.does("/api/contest/draw", draw).await;
        site.opens().await;
        let dice = &mut self.dice;
        let margin = |_, _| dice.i64(-24..=24);
        let played = site.plays_round("S", (round, MATCH), margin).await;
        assert_eq!(played.len() * 2, self.swiss.len());
        for (home, away, imps) in &played {
            self.meet(*home, *away);
            *self.swiss.get_mut(home).expect("home") += printed_vp(*imps);
            *self.swiss.get_mut(away).expect("away") += printed_vp(-imps);
        }
        self.rounds += 1;
        played
            .into_iter()
            .map(|(home, away, _)| (home, away))
            .collect()
    }

    /// What those bring along who drop in now: what the leader has, but 20 a round at most.
    fn enter(&mut self, mut dropped: Vec<(u64, i64)>, mut losers: Vec<u64>) {
        let leader = self.swiss.values().max().copied().expect("a leader");
        let entry = leader.min(2_000 * self.rounds);
        dropped.sort_unstable();
        losers.sort_unstable();
        let expected: Vec<(u64, i64)> = losers.iter().map(|it| (*it, entry)).collect();
        assert_eq!(dropped, expected);
        self.swiss.extend(expected);
    }
}

#[tokio::test]
#[expect(
    clippy::too_many_lines,
    reason = "one event, from its entries to the winner"
)]
async fn gnot_of_58_teams_is_played_from_the_knock_out_through_swiss_and_repechage_to_its_winner() {
    let site = Site::open().await;
    let number = site
        .begins_stages(json!({"name": "GNOT", "stages": [
            {"name": "Knock-out", "knock_out": "single-knock-out", "left": 2},
            {"name": "Swiss", "from": {"stage": 1, "losers_of": 1}},
            {"name": "Finals", "knock_out": "single-knock-out", "from": {"stage": 1, "take": 2},
                "also": [{"stage": 1, "first": 3, "take": 2}, {"stage": 2, "take": 2}]}]}))
        .await;
    let own = format!("/api/championships/{number}");
    let teams: Vec<String> = (1..=58).map(team).collect();
    site.does(&format!("{own}/stages/1/draw"), json!({"entrants": teams}))
        .await;
    let drawn = site.championship(number).await["stages"][0]["drawn"].clone();
    let cup = format!("/api/knockouts/{drawn}");
    let bracket = site.reads(&cup).await;
    let first = bracket["matches"].as_array().expect("matches").iter();
    let byes = first.filter(|it| it["stage"] == 1 && it["bye"] == true);
    let byes: BTreeSet<u64> = byes
        .flat_map(|it| [0, 1].map(|at| it["sides"][at]["seed"].as_u64()))
        .flatten()
        .collect();
    assert_eq!(byes, (1..=6).collect());
    let mut pencil = Pencil {
        dice: fastrand::Rng::with_seed(2006),
        lines: (1..=58).map(|seed| (seed, seed)).collect(),
        bracket: 64,
        met: BTreeSet::new(),
        swiss: BTreeMap::new(),
        rounds: 0,
    };

    // Friday: three rounds of the knock-out, four of the Swiss.
    let friday = site.next_session("2026-02-03").await;
    let early = json!({"section": "S", "round": 1, "why": "too early"});
    site.refuses("POST", &format!("{cup}/drop-in"), early).await;
    let losers = pencil.knock_out(&site, &cup, "A", 1).await;
    assert_eq!(losers.len(), 26);
    let swiss = json!({"section": "S", "name": "Swiss", "format": "swiss", "rounds": 4, "nights": 2,
        "boards": MATCH, "comparison": "teams-imps", "regulation": "gnot",
        "stage": {"championship": number, "stage": 2}});
    site.does("/api/contest", swiss).await;
    pencil.swiss = losers.into_iter().map(|it| (it, 0)).collect();
    for round in 1..=2 {
        pencil.swiss(&site, round).await;
    }
    let losers = pencil.knock_out(&site, &cup, "B", 2).await;
    let dropped = site.drops_in(&cup, 2, &json!({})).await;
    pencil.enter(dropped, losers);
    let again = json!({"section": "S", "round": 2, "why": "again"});
    site.refuses("POST", &format!("{cup}/drop-in"), again).await;
    for round in 3..=4 {
        pencil.swiss(&site, round).await;
    }
    let third = pencil.knock_out(&site, &cup, "C", 2).await;
    site.ends().await;

    // Saturday: two more rounds of the knock-out, five of the Swiss.
    site.next_session("2026-02-04").await;
    let further = json!({"section": "S", "from_session": friday, "from_section": "S",
        "rounds": 5, "rounds_in_all": 9});
    site.does("/api/contest/continue", further).await;
    let dropped = site.drops_in(&cup, 3, &json!({})).await;
    pencil.enter(dropped, third);
    for round in 1..=2 {
        pencil.swiss(&site, round).await;
    }
    let losers = pencil.knock_out(&site, &cup, "A", 2).await;
    let dropped = site.drops_in(&cup, 4, &json!({"apart": true})).await;
    pencil.enter(dropped, losers.clone());
    assert_eq!(pencil.swiss.len(), 54);
    for round in 3..=5 {
        let met = pencil.swiss(&site, round).await;
        let together = |(one, other): &(u64, u64)| losers.contains(one) && losers.contains(other);
        assert!(round > 3 || !met.iter().any(together), "{met:?}");
    }
    let beaten = pencil.knock_out(&site, &cup, "B", 3).await;
    site.ends().await;

    // Sunday and Monday: the best two of the Swiss against those who lost last, and so on.
    let unbeaten: BTreeSet<u64> = pencil.lines.keys().copied().collect();
    let now = site.championship(number).await;
    assert_eq!(now["stages"][2]["state"], "ready", "{now}");
    let six: Vec<u64> = coming(&now, 3).into_iter().map(|it| it.0).collect();
    assert_eq!(six, [1, 2, 3, 4, 5, 6], "numbered as seeds");
    let name = |at: usize| {
        now["stages"][2]["coming"][at]["name"]
            .as_str()
            .map(str::to_owned)
    };
    // Who is level in the Swiss is parted by its order of ties.
    let of_swiss = |at: usize| name(at).expect("a name")["Team ".len()..].parse::<u64>();
    let best = BTreeSet::from([4, 5].map(|at| of_swiss(at).expect("a number")));
    let least = best.iter().map(|who| pencil.swiss[who]).min().expect("two");
    let others = pencil.swiss.iter().filter(|(who, _)| !best.contains(who));
    assert!(others.into_iter().all(|(_, vp)| *vp <= least));
    let two = |at: usize| BTreeSet::from([name(at), name(at + 1)]);
    let named = |who: &BTreeSet<u64>| -> BTreeSet<Option<String>> {
        who.iter().map(|it| Some(team(*it))).collect()
    };
    let beaten: BTreeSet<u64> = beaten.into_iter().collect();
    assert_eq!(
        [two(0), two(2), two(4)],
        [named(&unbeaten), named(&beaten), named(&best)]
    );
    site.does(&format!("{own}/stages/3/draw"), json!({"seed": 3}))
        .await;
    let drawn = site.championship(number).await["stages"][2]["drawn"].clone();
    let finals = format!("/api/knockouts/{drawn}");
    let bracket = site.reads(&finals).await;
    let seeds: Vec<u64> = (bracket["entrants"].as_array().expect("six").iter())
        .map(|it| it.as_str().expect("a name")["Team ".len()..].parse())
        .map(|it| it.expect("a number"))
        .collect();
    let mut out = Vec::new();
    let mut left: BTreeSet<u64> = seeds.iter().copied().collect();
    for (at, (day, section, sets)) in [
        ("2026-02-05", "A", 2),
        ("2026-02-05", "B", 4),
        ("2026-02-06", "A", 4),
    ]
    .into_iter()
    .enumerate()
    {
        if at != 1 {
            site.next_session(day).await;
        }
        let play =
            json!({"section": section, "stanzas": sets, "boards": SET, "regulation": "gnot"});
        site.does(&format!("{finals}/play"), play).await;
        site.opens().await;
        let mut beaten = Vec::new();
        for set in 1..=sets {
            if set > 1 {
                let draw = json!({"section": section});
                site.does("/api/contest/draw", draw).await;
            }
            // The higher number of the 58 wins every set by one.
            let margin = |home: u64, away: u64| {
                let of = |seed: u64| seeds[usize::try_from(seed).expect("a few") - 1];
                if of(home) > of(away) { 1 } else { -1 }
            };
            let played = site.plays_round(section, (set, SET), margin).await;
            beaten = (played.iter())
                .map(|(home, away, imps)| if *imps > 0 { *away } else { *home })
                .map(|seed| seeds[usize::try_from(seed).expect("a few") - 1])
                .collect();
            if at == 0 && set == 1 {
                let is = |who: &BTreeSet<u64>, seed: &u64| {
                    who.contains(&seeds[usize::try_from(*seed).expect("a few") - 1])
                };
                let of_both = |it: &(u64, u64, i64)| is(&best, &it.0) != is(&best, &it.1);
                assert!(played.iter().all(of_both), "a team of the Swiss in each");
            }
        }
        left.retain(|it| !beaten.contains(it));
        out.push(beaten);
        if at != 0 {
            site.ends().await;
        }
    }
    let end = site.championship(number).await;
    assert_eq!(end["stages"][2]["state"], "over", "{end}");
    let told = final_places(&end);
    assert_eq!(told.len(), 58);
    let of = |place: &str| -> BTreeSet<String> {
        let own = told.iter().filter(|it| it.0 == place);
        own.map(|it| it.1.clone()).collect()
    };
    let teams = |who: &[u64]| -> BTreeSet<String> { who.iter().map(|it| team(*it)).collect() };
    let champion: Vec<u64> = left.into_iter().collect();
    assert_eq!(
        [of("1"), of("2"), of("3="), of("5=")],
        [
            teams(&champion),
            teams(&out[2]),
            teams(&out[1]),
            teams(&out[0])
        ]
    );
    // Everybody else by the Swiss.
    let rest: Vec<i64> = (told[6..].iter())
        .map(|(_, name)| name["Team ".len()..].parse::<u64>().expect("a number"))
        .map(|who| pencil.swiss[&who])
        .collect();
    assert_eq!(rest.len(), 52);
    assert!(rest.windows(2).all(|two| two[0] >= two[1]), "{rest:?}");
    // Players and the wall have it all, under an address that stays.
    let page = site.reads(&format!("/championships/{number}")).await;
    let page = page.as_str().expect("a page").to_owned();
    for name in [team(champion[0]), team(58), team(1)] {
        assert!(page.contains(&name), "{name}");
    }
    assert_eq!(
        page.matches("<svg").count(),
        2,
        "both knock-outs as pictures"
    );
    let paper = site
        .reads(&format!("/print/championships/{number}?language=fr"))
        .await;
    assert!(
        paper
            .as_str()
            .is_some_and(|it| it.contains("@page { size: a4"))
    );
    let honours = site.reads("/api/competitions/honours?year=2026").await;
    assert_eq!(honours["events"][0]["name"], "GNOT", "{honours}");
    assert_eq!(
        honours["events"][0]["places"][0]["names"],
        team(champion[0])
    );
    let none = site.reads("/api/competitions/honours?year=2025").await;
    assert_eq!(none["events"], json!([]));
    let page = site.reads("/competitions/honours?year=2026").await;
    assert!(
        page.as_str()
            .is_some_and(|it| it.contains(&team(champion[0])))
    );
    let all = site.reads("/competitions").await;
    assert!(
        all.as_str()
            .is_some_and(|it| it.contains("/championships/1"))
    );
}
