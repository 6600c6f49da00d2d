//! Examples about whole sessions, matches and events.

use base_station::scoring::regulations::{
    CarryOver, ClubPoints, EntryScore, Forfeit, MatchRecord, Order, SpoiltBoards, TeamNumber,
    TeamRecord, aggregates_tied, counted_with_substitute, pair_handicap, psyche_imps,
    psyche_percent, rank_teams, rating_points, share_of_session,
};
use base_station::scoring::{Percent, Points, Rules, VictoryPoints, of_a_top};
use serde_json::Value;

use super::super::support::{json, tsv};
use super::{Example, hundredths, number};

fn whole(number: f64) -> u32 {
    u32::try_from(hundredths(number) / 100).expect("not negative")
}

fn vp(number: f64) -> VictoryPoints {
    VictoryPoints(hundredths(number))
}

fn shown(points: VictoryPoints) -> f64 {
    f64::from(points.0) / 100.0
}

fn imps(points: Option<Points>) -> f64 {
    points.expect("the rule gives IMPs").to_f64()
}

pub(super) fn penalty(example: &Example) {
    match example.id.as_str() {
        "procedural_penalty_13t26b" => {
            let top = Rules::default().top(whole(example.input("tables")) as usize);
            let percent = Percent(hundredths(example.input("pct_of_top")));
            let boards = whole(example.input("boards"));
            example.expect("top", top.to_f64());
            example.expect("mp", of_a_top(percent, top).to_f64());
            example.expect("session_mp", top.to_f64() * f64::from(boards));
            example.expect("session_pct", share_of_session(percent, boards).to_f64());
        }
        "penalty_table" => {
            // The table itself is checked cell by cell in `figures`.
            let file = example.expected["file"].as_str().expect("a file");
            assert_eq!(tsv(file).len(), 22);
        }
        "penalty_law91_25boards" => {
            let boards = whole(example.input("boards"));
            let share = |percent| share_of_session(Percent::whole(percent), boards).to_f64();
            example.expect("board_share_pct", share(100));
            example.expect("10pct", share(10));
            example.expect("25pct", share(25));
            example.expect("50pct", share(50));
        }
        other => panic!("no test knows {other}"),
    }
}

pub(super) fn victory_points(example: &Example) {
    match example.id.as_str() {
        "vp_6_boards" => {
            let boards = example.input["boards"].to_string();
            for (margin, expected) in example.expected.as_object().expect("margins") {
                let answer = json(&["vp", "--boards", &boards, "--imps", margin]);
                assert_eq!(answer["winner"], expected[0], "{margin}");
                assert_eq!(answer["loser"], expected[1], "{margin}");
            }
        }
        "itc_vp" => {
            let margins = example.input["margins"].as_array().expect("margins");
            for (index, margin) in margins.iter().enumerate() {
                let answer = json(&["vp", "--scale", "itc", "--imps", &margin.to_string()]);
                for side in ["winner", "loser"] {
                    let expected = number(&example.expected[side][index], side);
                    assert_eq!(answer[side].as_f64(), Some(expected), "{margin}");
                }
            }
        }
        "wrong_direction_teams" => {
            example.expect("each_vp", shown(SpoiltBoards::same_direction(false)));
            example.expect(
                "before_2013-10-01",
                shown(SpoiltBoards::same_direction(true)),
            );
        }
        "vp_running_totals" => running_totals(example),
        other => panic!("no test knows {other}"),
    }
}

fn running_totals(example: &Example) {
    let mut records = Vec::new();
    for (name, matches) in example.input.as_object().expect("teams") {
        let team = TeamNumber(name.trim_start_matches("team").parse().expect("a number"));
        let matches: Vec<MatchRecord> = matches
            .as_array()
            .expect("matches")
            .iter()
            .map(|points| MatchRecord {
                opponent: TeamNumber(99),
                vp: vp(number(points, "vp")),
                opponent_vp: vp(20.0 - number(points, "vp")),
                imps: Points::ZERO,
                scored: Points::ZERO,
                conceded: Points::ZERO,
            })
            .collect();
        let mut total = VictoryPoints(0);
        for (index, it) in matches.iter().enumerate() {
            total = total + it.vp;
            let expected = number(&example.expected[name][index], name);
            assert_eq!(shown(total), expected, "{name} after {}", index + 1);
        }
        records.push(TeamRecord {
            team,
            matches,
            fines: VictoryPoints(0),
            carry_over: VictoryPoints(0),
        });
    }
    let ranked = rank_teams(&records, Order::ClubRoundRobin);
    for (name, place) in example.expected["place"].as_object().expect("places") {
        let team = TeamNumber(name.trim_start_matches("team").parse().expect("a number"));
        let rank = ranked.iter().find(|(_, it)| *it == team).expect("ranked").0;
        assert_eq!(f64::from(rank), number(place, name));
    }
}

pub(super) fn handicap(example: &Example) {
    let players = &example.input["players"];
    let percent = |value: &Value| Percent(hundredths(number(value, "handicap")));
    let handicap = pair_handicap([percent(&players[0]), percent(&players[1])]);
    example.expect("pair_handicap", handicap.to_f64());
    // Through the ranking: two pairs of which one has raw_pct of the matchpoints.
    let with = |handicap: Percent, raw: i32| {
        let raw_ew = 100 - raw;
        let csv = format!(
            "board,pair_ns,pair_ew,score_ns,adjust\n1,1,1,,{raw}/{raw_ew}\n1,2,2,,{raw_ew}/{raw}\n"
        );
        let option = format!("NS1={handicap}");
        let answer = super::super::support::session(&csv, &["--handicap", &option]);
        let answer = answer.expect("scored");
        let mut ranking = answer["ranking"].as_array().expect("a ranking").iter();
        let line = ranking.find(|it| it["direction"] == "NS" && it["pair"] == 1);
        number(&line.expect("ranked")["percent"], "percent")
    };
    let raw = hundredths(example.input("raw_pct")) / 100;
    example.expect("final", with(handicap, raw));
    example.expect(
        "both_-9_60",
        with(pair_handicap([Percent::whole(-9); 2]), 60),
    );
    example.expect(
        "both_+9_40",
        with(pair_handicap([Percent::whole(9); 2]), 40),
    );
}

pub(super) fn masterpoints(example: &Example) {
    match example.id.as_str() {
        "rating_points" => {
            let (previous, earned) = (example.input("previous"), example.input("earned"));
            example.expect(
                "new",
                f64::from(rating_points(whole(previous), whole(earned))),
            );
        }
        "c_points" => {
            for (contestants, places) in example.expected["table"].as_object().expect("a table") {
                let club = ClubPoints {
                    contestants: contestants.parse().expect("a number"),
                    deals: 24,
                };
                let expected: Vec<Value> = places.as_array().expect("places").clone();
                let awards: Vec<u32> = (1..=club.places()).map(|it| club.award(it, 1)).collect();
                assert_eq!(Value::from(awards), Value::from(expected), "{contestants}");
            }
            let half = ClubPoints {
                contestants: 8,
                deals: 14,
            };
            assert_eq!(
                [half.award(1, 1), half.award(3, 1), half.award(4, 1)],
                [20, 7, 0]
            );
            let full = ClubPoints {
                contestants: 8,
                deals: 20,
            };
            // Second and third tied: 27 + 13 shared; third tied with two who get nothing.
            assert_eq!([full.award(2, 2), full.award(3, 3)], [20, 6]);
            assert_eq!(ClubPoints::for_match_won(7), 14);
        }
        "c_conv" => {
            assert_eq!(example.expected["100C"], "1B");
            assert_eq!(ClubPoints::C_IN_A_B, 100);
        }
        "boards_min_session" => {
            let boards = whole(example.expected("min_boards_for_40C"));
            let award = |deals| {
                ClubPoints {
                    contestants: 6,
                    deals,
                }
                .award(1, 1)
            };
            assert_eq!([award(boards), award(boards - 1)], [40, 20]);
        }
        other => panic!("no test knows {other}"),
    }
}

pub(super) fn substitute(example: &Example) {
    let percent = |key| Percent(hundredths(example.input(key)));
    let counted = counted_with_substitute(
        percent("score_with_substitute"),
        percent("nominated_average"),
    );
    example.expect("counted", counted.to_f64());
}

pub(super) fn tie(example: &Example) {
    let listed = example.input["aggregates"].as_array().expect("aggregates");
    let aggregates: Vec<Percent> = listed
        .iter()
        .map(|it| Percent(hundredths(number(it, "aggregate"))))
        .collect();
    let rule = example.expected["tied"].as_str().expect("a rule");
    let within = rule
        .split(' ')
        .find_map(|word| word.parse().ok())
        .expect("a number");
    let groups = aggregates_tied(&aggregates, Percent(hundredths(within)));
    // The first two; the third is within reach of the second, but not of the first.
    assert_eq!(groups, [&aggregates[..2], &aggregates[2..]]);
}

pub(super) fn forfeit(example: &Example) {
    match example.id.as_str() {
        "forfeit_003" => {
            let own = vp(example.input("own_average"));
            let opponents = vp(example.input("opponents_average_vs_forfeiter"));
            let settled = Forfeit::Club { before_2013: false }.settle(own, opponents);
            let settled = settled.expect("a rule");
            example.expect("winner_vp", shown(settled.other));
            example.expect("forfeiter_vp", shown(settled.offender));
            example.expect("forfeiter_imps", imps(settled.offender_imps));
        }
        "forfeit_001_itc" => {
            let interim = Forfeit::Itc.interim().expect("a rule");
            example.expect("interim", shown(interim.other));
            let own = vp(example.input("team_average"));
            let offender = vp(example.input("offender_average"));
            let settled = Forfeit::Itc
                .settle_by_offender(own, offender)
                .expect("a rule");
            example.expect("final", shown(settled.other));
            example.expect("imps_non_offender", imps(settled.other_imps));
            example.expect("offender_vp", shown(settled.offender));
            example.expect("offender_imps", imps(settled.offender_imps));
        }
        "forfeit_002" => {
            let interim = Forfeit::Gnot2006.interim().expect("a rule");
            example.expect("draw_vp", shown(interim.other));
            example.expect("draw_imps", imps(interim.other_imps));
            example.expect("offender_vp", shown(interim.offender));
            example.expect("offender_imps", imps(interim.offender_imps));
            let own = vp(example.input("own_mean"));
            let offender = vp(example.input("offender_mean"));
            let settled = Forfeit::Gnot2006.settle_by_offender(own, offender);
            example.expect("final_vp", shown(settled.expect("a rule").other));
        }
        "double_unplayable_003" => {
            assert_eq!(
                example.expected["each_vp"],
                "max(12, average of other matches)"
            );
            assert!(
                SpoiltBoards::Club.spoils_match(5, 8) && !SpoiltBoards::Club.spoils_match(4, 8)
            );
            assert_eq!(SpoiltBoards::Club.each(vp(9.0)), Ok(vp(12.0)));
            assert_eq!(SpoiltBoards::Club.each(vp(14.5)), Ok(vp(14.5)));
        }
        "double_unplayable_001" => {
            assert_eq!(example.input["comparable_share"], "<1/2");
            assert!(
                SpoiltBoards::Abf.spoils_match(9, 16) && !SpoiltBoards::Abf.spoils_match(8, 16)
            );
            assert_eq!(SpoiltBoards::Abf.each(vp(40.0)), Ok(vp(56.5)));
        }
        other => panic!("no test knows {other}"),
    }
}

pub(super) fn carry_over(example: &Example) {
    match example.id.as_str() {
        "carry_003" => {
            let [leader, other] = [0, 1].map(|at| vp(number(&example.input["vp"][at], "vp")));
            let lead = CarryOver::Difference.lead(leader, other);
            example.expect("carry", lead.to_f64());
            let wide = CarryOver::WideSpread.lead(leader, other).to_f64();
            example.expect("wide_range_pct", wide / lead.to_f64() * 100.0);
        }
        "carry_001_itc" => {
            let margin = vp(example.input("vp_margin"));
            let lead = CarryOver::ItcFinal.lead(margin, VictoryPoints(0));
            example.expect("imps", lead.to_f64());
        }
        "carry_001_open" => {
            let places = example.expected["places_1_to_5"]
                .as_array()
                .expect("places");
            for (place, expected) in (1..).zip(places) {
                assert_eq!(shown(CarryOver::open_pairs(place)), number(expected, "vp"));
            }
            example.expect("replacement", shown(CarryOver::open_pairs(0)));
            assert_eq!(CarryOver::open_pairs(6), VictoryPoints(0));
        }
        other => panic!("no test knows {other}"),
    }
}

pub(super) fn entry_score(example: &Example) {
    let leader = vp(example.input("leader_vp"));
    match example.id.as_str() {
        "swiss_entry_002" => {
            let rounds = u16::try_from(whole(example.input("rounds"))).expect("a few");
            let entry = EntryScore::Gnot2006 { rounds };
            example.expect("enter_vp", shown(entry.victory_points(leader)));
            example.expect("enter_imps_cap", imps(entry.imps_cap()));
            let imps = Points::whole(i64::from(whole(example.input("leader_imps"))));
            assert_eq!(entry.imps(imps), Some(imps));
        }
        "swiss_entry_004" => {
            let available = vp(example.input("available_vp"));
            let entry = EntryScore::Gnot2012 { available };
            example.expect("enter_vp", shown(entry.victory_points(leader)));
        }
        other => panic!("no test knows {other}"),
    }
}

pub(super) fn ruling(example: &Example) {
    match example.id.as_str() {
        // A double shot has no numbers of its own: it is a split score, see `split`.
        "double_shot" => assert!(example.note.contains("no numbers")),
        "psyche_000" => {
            let actual = Percent(hundredths(example.input("opponent_actual_pct")));
            let [offenders, opponents] = psyche_percent(actual);
            example.expect("offenders_pct", offenders.to_f64());
            example.expect("opponents_pct", opponents.to_f64());
            let [_, least] = psyche_percent(Percent(0));
            example.expect("min_opponents_pct", least.to_f64());
            example.expect("imps_offenders", psyche_imps(Points::ZERO)[0].to_f64());
        }
        other => panic!("no test knows {other}"),
    }
}
