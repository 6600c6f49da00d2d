//! Eight teams on four nights as clubs play it: everybody against everybody, then a championship and a
//! plate of four each, and a last phase of both with three tenths of what everybody has.

use super::stages::{Totals, final_places, in_order, team, totals};
use super::*;

/// Boards of a match.
const BOARDS: u8 = 6;

/// Plays rounds of a section by its own draws, or by these; answers with what everybody got.
async fn rounds(
    site: &Site,
    section: &str,
    rounds: u8,
    by_hand: Option<[[u64; 2]; 2]>,
    dice: &mut fastrand::Rng,
) -> Totals {
    let mut played = Vec::new();
    for round in 1..=rounds {
        let mut draw = json!({"section": section});
        if let Some(pairs) = by_hand {
            let pairs = pairs.map(|[home, away]| json!({"home": home, "away": away}));
            draw["matches"] = json!(pairs);
            draw["allow_rematches"] = json!(true);
        }
        site.does("/api/contest/draw", draw).await;
        site.opens().await;
        let margin = |_, _| dice.i64(-30..=30);
        played.extend(site.plays_round(section, (round, BOARDS), margin).await);
    }
    totals(&played)
}

/// What somebody has, and what it wins.
fn sum(before: &Totals, won: &Totals) -> Totals {
    let both = before.iter();
    both.filter_map(|(who, vp)| Some((*who, vp + won.get(who)?)))
        .collect()
}

#[tokio::test]
async fn eight_teams_end_in_a_championship_and_a_plate_with_a_last_phase_of_each() {
    let site = Site::open().await;
    let number = site
        .begins_stages(json!({"name": "Club Teams", "stages": [
            {"name": "Round robin"},
            {"name": "Champions", "from": {"stage": 1, "take": 4, "carry": "all"}},
            {"name": "Plate", "from": {"stage": 1, "first": 5, "take": 4, "carry": "all"}},
            {"name": "Champions, end", "from": {"stage": 2, "take": 4, "carry": "wide-spread"}},
            {"name": "Plate, end", "from": {"stage": 3, "take": 4, "carry": "wide-spread"}}]}))
        .await;
    let mut dice = fastrand::Rng::with_seed(88);
    let entries: Vec<Value> = (1..=8)
        .map(|number| json!({"number": number, "name": team(number)}))
        .collect();
    let stage = |section: &str, at: u8, format: &str, rounds: u8| {
        json!({"section": section, "name": format!("Stage {at}"), "format": format,
            "rounds": rounds, "boards": BOARDS, "comparison": "teams-imps", "column": "boards",
            "stage": {"championship": number, "stage": at}})
    };
    site.next_session("2026-05-04").await;
    let mut first = stage("A", 1, "round-robin", 7);
    first["contestants"] = json!(entries);
    site.does("/api/contest", first).await;
    let all = rounds(&site, "A", 7, None, &mut dice).await;
    site.ends().await;
    let order = in_order(&all);
    let (top, bottom) = order.split_at(4);
    site.next_session("2026-05-11").await;
    let mut halves = Vec::new();
    for (section, at, who) in [("A", 2, top), ("B", 3, bottom)] {
        let body = stage(section, at, "round-robin", 3);
        site.does("/api/contest", body).await;
        let won = rounds(&site, section, 3, None, &mut dice).await;
        assert_eq!(won.keys().copied().collect::<Vec<_>>(), {
            let mut who = who.to_vec();
            who.sort_unstable();
            who
        });
        halves.push(sum(&all, &won));
    }
    site.ends().await;
    // Three tenths of ten rounds, then two rounds of the first two and the last two of each half.
    site.next_session("2026-05-18").await;
    let mut expected = Vec::new();
    for ((section, at), half) in [("A", 4), ("B", 5)].into_iter().zip(&halves) {
        let body = stage(section, at, "swiss", 2);
        site.does("/api/contest", body).await;
        let order = in_order(half);
        let pairs = [[order[0], order[1]], [order[2], order[3]]];
        let won = rounds(&site, section, 2, Some(pairs), &mut dice).await;
        let kept: Totals = (half.iter())
            .map(|(who, vp)| (*who, (vp * 30 + 50).div_euclid(100)))
            .collect();
        expected.extend(in_order(&sum(&kept, &won)));
    }
    site.ends().await;
    let end = site.championship(number).await;
    let told = final_places(&end);
    let names: Vec<&String> = told.iter().map(|it| &it.1).collect();
    let expected: Vec<String> = expected.into_iter().map(team).collect();
    assert_eq!(names, expected.iter().collect::<Vec<_>>(), "{end}");
    assert!(
        end["next"]
            .as_str()
            .is_some_and(|it| it.contains("Everything"))
    );
}
