//! The draws against the charts of the regulations.

use std::collections::BTreeMap;

use super::{Match, butler_draw, butler_seeds, interstate_draw, round_robin, troika};

fn lines(file: &str) -> Vec<Vec<String>> {
    let path = format!("{}/../../tests/golden/{file}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path)
        .unwrap_or_else(|fault| panic!("{path}: {fault}"))
        .lines()
        .skip(1)
        .map(|line| line.split('\t').map(str::to_owned).collect())
        .collect()
}

/// The lines of a chart by their first column, which is left out.
fn charts(file: &str) -> BTreeMap<u16, Vec<Vec<String>>> {
    let mut charts: BTreeMap<u16, Vec<Vec<String>>> = BTreeMap::new();
    for line in lines(file) {
        charts
            .entry(line[0].parse().unwrap())
            .or_default()
            .push(line[1..].to_vec());
    }
    charts
}

fn numbers(contest: &Match) -> [String; 3] {
    match contest {
        Match::Versus(one, other) => [one.to_string(), other.to_string(), String::new()],
        Match::Troika(teams) => teams.map(|team| team.to_string()),
    }
}

#[test]
fn teams_of_a_round_robin_meet_as_the_manual_says() {
    for (teams, chart) in charts("movement_round_robin_003.tsv") {
        let draw = round_robin(teams).unwrap();
        let ours: Vec<Vec<String>> = draw
            .rounds
            .iter()
            .flat_map(|round| {
                round.matches.iter().zip(1..).map(move |(contest, place)| {
                    let place = match contest {
                        Match::Versus(..) => place.to_string(),
                        Match::Troika(_) => "troika".to_owned(),
                    };
                    let mut line = vec![round.round.to_string(), place];
                    line.extend(numbers(contest));
                    line
                })
            })
            .collect();
        assert_eq!(ours, chart, "{teams} teams");
    }
}

#[test]
fn pairs_of_a_butler_meet_as_the_regulations_say() {
    for (pairs, chart) in charts("movement_butler_rr_000.tsv") {
        let ours: Vec<Vec<String>> = butler_draw(pairs)
            .unwrap()
            .rounds
            .iter()
            .flat_map(|round| {
                round.matches.iter().zip(1..).map(move |(contest, table)| {
                    let [ns, ew, _] = numbers(contest);
                    vec![round.round.to_string(), table.to_string(), ns, ew]
                })
            })
            .collect();
        assert_eq!(ours, chart, "{pairs} pairs");
    }
    for (pairs, chart) in charts("movement_butler_rr_seedmap_000.tsv") {
        let ours: Vec<Vec<String>> = butler_seeds(pairs)
            .unwrap()
            .iter()
            .zip(1..)
            .map(|(number, seed)| vec![seed.to_string(), number.to_string()])
            .collect();
        assert_eq!(ours, chart, "{pairs} pairs");
    }
}

#[test]
fn interstate_teams_meet_as_the_regulations_say() {
    for (teams, chart) in charts("movement_itc_rr_001.tsv") {
        let ours: Vec<Vec<String>> = interstate_draw(teams)
            .unwrap()
            .rounds
            .iter()
            .flat_map(|round| {
                round.matches.iter().map(move |contest| {
                    let [first, second, _] = numbers(contest);
                    vec![
                        round.draw.clone().unwrap(),
                        round.round.to_string(),
                        round
                            .repeated
                            .map_or(String::new(), |later| later.to_string()),
                        first,
                        second,
                    ]
                })
            })
            .collect();
        assert_eq!(ours, chart, "{teams} teams");
    }
}

#[test]
fn three_bottom_teams_play_a_troika() {
    let ours: Vec<Vec<String>> = troika()
        .into_iter()
        .map(|spot| {
            vec![
                spot.round.to_string(),
                spot.table.to_string(),
                spot.ns_team.to_string(),
                spot.ew_team.to_string(),
                spot.board_set.to_string(),
            ]
        })
        .collect();
    assert_eq!(ours, lines("movement_troika_003.tsv"));
}

#[test]
fn nobody_meets_twice_in_any_draw() {
    let even = (4..=40).step_by(2).chain([7, 9, 11]);
    for draw in even
        .map(|teams| round_robin(teams).unwrap())
        .chain([12, 14].map(|pairs| butler_draw(pairs).unwrap()))
        .chain([6, 8].map(|teams| interstate_draw(teams).unwrap()))
    {
        assert_eq!(draw.fault(), None, "{}", draw.name);
    }
    assert!(round_robin(13).is_err());
}
