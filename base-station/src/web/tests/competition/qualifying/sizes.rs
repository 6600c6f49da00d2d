//! The sizes of the event, each with the stages of its weeks.

use super::*;

#[tokio::test]
async fn twenty_four_teams_qualify_by_pools_a_double_knock_out_with_choices_and_a_swiss() {
    let third = |first: u16| json!({"stage": 1, "first": first, "take": 1, "each_field": true, "ranked": true});
    let stages = vec![
        json!({"name": "Pools"}),
        stage("2", &[third(1)], FIRST_OF_8),
        stage("2a", &[third(2), third(3)], NOBODY),
        stage("2b", &[winners(3, 8)], TWO_OF_8),
        stage("3", &[winners(2, 4)], ONE_OF_4),
        stage("3a", &[losers(2), winners(4, 4)], TWO_OF_8),
        stage("3b", &[winners(6, 4)], ONE_OF_4),
        stage("4", &[winners(5, 2)], NOBODY),
        stage("4a", &[losers(5), winners(7, 2)], ONE_OF_4),
        stage("4b", &[winners(9, 2)], NOBODY),
        stage("5", &[losers(8), winners(10, 1)], NOBODY),
        json!({"name": "Swiss", "from": {"stage": 3, "losers_of": 1}}),
    ];
    let mut event = begun(24, stages).await;
    event.week("2012-02-20", 0, 7).await;
    let [first, second, third] = pools(&mut event).await;
    event.week("2012-02-27", 1, 7).await;
    event.play(2, &[first]).await;
    event.play(3, &[second, third]).await;
    event.begins_swiss(12, 3, 1).await;
    event.swiss_round(8, false).await;
    let of_2a = event.ranked(3, true);
    event.play(4, &[of_2a]).await;
    let numbers = Numbers {
        dko: [2, 5, 8],
        b2: Some(4),
        first_losers: 3,
        a3: 6,
        b3: 7,
        a4: 9,
        b4: 10,
        five: 11,
        swiss: 12,
    };
    from_week_three(&mut event, 24, &numbers, 7).await;
}

#[tokio::test]
async fn sixteen_teams_qualify_by_matches_of_two_a_double_knock_out_and_a_swiss() {
    let stages = vec![
        stage("1", &[], None),
        stage("2", &[winners(1, 8)], FIRST_OF_8),
        stage("2a", &[losers(1)], NOBODY),
        stage("3", &[winners(2, 4)], ONE_OF_4),
        stage("3a", &[losers(2), winners(3, 4)], TWO_OF_8),
        stage("3b", &[winners(5, 4)], ONE_OF_4),
        stage("4", &[winners(4, 2)], NOBODY),
        stage("4a", &[losers(4), winners(6, 2)], ONE_OF_4),
        stage("4b", &[winners(8, 2)], NOBODY),
        stage("5", &[losers(7), winners(9, 1)], NOBODY),
        json!({"name": "Swiss", "from": {"stage": 3, "losers_of": 1}}),
    ];
    let mut event = begun(16, stages).await;
    event.week("2012-02-20", 0, 6).await;
    // The first half against the second.
    let teams: Vec<String> = (1..=8).flat_map(|at| [team(at), team(at + 8)]).collect();
    let draw = format!("{}/draw", event.stage_path(1));
    event.site.does(&draw, json!({"entrants": teams})).await;
    event.plays_out(1).await;
    event.week("2012-02-27", 0, 6).await;
    let first = event.ranked(1, true);
    event.play(2, &[first]).await;
    let beaten = event.ranked(1, false);
    event.play(3, &[beaten]).await;
    let numbers = Numbers {
        dko: [2, 4, 7],
        b2: None,
        first_losers: 3,
        a3: 5,
        b3: 6,
        a4: 8,
        b4: 9,
        five: 10,
        swiss: 11,
    };
    from_week_three(&mut event, 16, &numbers, 6).await;
}

#[tokio::test]
async fn thirty_two_teams_qualify_by_pools_of_four_a_double_knock_out_and_a_swiss() {
    let stages = vec![
        stage("Pools, first half", &[], None),
        stage("Pools, winners", &[json!({"stage": 1, "take": 16})], None),
        stage(
            "Pools, losers",
            &[json!({"stage": 1, "losers_of": 1})],
            None,
        ),
        stage("2", &[winners(2, 8)], FIRST_OF_8),
        stage("2a", &[losers(2), winners(3, 8)], NOBODY),
        stage("2b", &[winners(5, 8)], TWO_OF_8),
        stage("3", &[winners(4, 4)], ONE_OF_4),
        stage("3a", &[losers(4), winners(6, 4)], TWO_OF_8),
        stage("3b", &[winners(8, 4)], ONE_OF_4),
        stage("4", &[winners(7, 2)], NOBODY),
        stage("4a", &[losers(7), winners(9, 2)], ONE_OF_4),
        stage("4b", &[winners(11, 2)], NOBODY),
        stage("5", &[losers(10), winners(12, 1)], NOBODY),
        json!({"name": "Swiss", "from": {"stage": 3, "losers_of": 1}}),
    ];
    let mut event = begun(32, stages).await;
    event.week("2012-02-20", 0, 8).await;
    // Pool k: k against 33 - k, and 8 + k against 25 - k.
    let pool = |at: u64| [at, 33 - at, 8 + at, 25 - at];
    let teams: Vec<String> = (1..=8).flat_map(pool).map(team).collect();
    let draw = format!("{}/draw", event.stage_path(1));
    event.site.does(&draw, json!({"entrants": teams})).await;
    event.plays_out(1).await;
    for (stage, winner) in [(2, true), (3, false)] {
        // Pool mates meet: by hand, in the order of the pools.
        let now = event.site.championship(event.number).await;
        let coming = now["stages"][usize::from(stage) - 1]["coming"].clone();
        let mut order = Vec::new();
        for at in 1..=8 {
            let mates: Vec<String> = pool(at).into_iter().map(team).collect();
            let own = coming.as_array().expect("who comes").iter();
            let own = own.filter(|it| mates.iter().any(|mate| it["name"] == **mate));
            order.extend(own.map(|it| it["number"].clone()));
        }
        assert_eq!(order.len(), 16, "{winner}");
        let path = event.stage_path(stage);
        let wrong = json!({"order": order[..15]});
        event
            .site
            .refuses("POST", &format!("{path}/draw"), wrong)
            .await;
        event
            .site
            .does(&format!("{path}/draw"), json!({"order": order}))
            .await;
        event.plays_out(stage).await;
    }
    event.week("2012-02-27", 2, 8).await;
    event.begins_swiss(14, 3, 2).await;
    event.swiss_round(8, false).await;
    let first = event.site.championship(event.number).await;
    let list = |stage: usize, at: std::ops::Range<usize>| -> Vec<String> {
        let coming = first["stages"][stage - 1]["coming"]
            .as_array()
            .expect("who comes");
        coming[at]
            .iter()
            .filter_map(|it| it["name"].as_str().map(str::to_owned))
            .collect()
    };
    // With margins from 1 to 8 no two of a list are level.
    let winners = event.ranked(2, true);
    assert_eq!(list(4, 0..8), winners);
    event.play(4, &[winners]).await;
    let lists = [event.ranked(2, false), event.ranked(3, true)];
    event.play(5, &lists).await;
    event.drops_in_from(5).await;
    event.swiss_round(16, true).await;
    let of_2a = event.ranked(5, true);
    event.play(6, &[of_2a]).await;
    let numbers = Numbers {
        dko: [4, 7, 10],
        b2: Some(6),
        first_losers: 3,
        a3: 8,
        b3: 9,
        a4: 11,
        b4: 12,
        five: 13,
        swiss: 14,
    };
    from_week_three(&mut event, 32, &numbers, 8).await;
}
