//! Matches that end level and teams that knock each other out, by each regulation's order.

use base_station::scoring::regulations::{
    KnockOut, LevelMatch, PoolTeam, Settled, TeamNumber, TrialsEntry, rank_double_knock_out,
    rank_entering_swiss, rank_single_knock_out, rank_trials_entries, rank_triangle,
};
use base_station::scoring::{Points, TeamsBoard};
use protocol::words::Score;

/// A board by the first team's scores at its two tables.
fn board(home: i16, away: i16) -> TeamsBoard {
    TeamsBoard::Played {
        home: Score(home),
        away: Score(away),
    }
}

/// Ten IMPs each way, but the first team won two of the three boards, with 20 points less.
fn level() -> Vec<TeamsBoard> {
    vec![board(420, 10), board(-420, -30), board(110, -100)]
}

#[test]
fn a_final_that_is_level_is_played_on_until_somebody_leads() {
    let nothing = [board(110, -110)];
    let won = [board(50, 0)];
    let lost = [board(-50, 0)];
    let stories: [(LevelMatch, &[&[TeamsBoard]], Settled); 9] = [
        (LevelMatch::SabfFinal, &[], Settled::PlayOff(4)),
        (LevelMatch::SabfFinal, &[&nothing], Settled::PlayOff(4)),
        (LevelMatch::SabfFinal, &[&nothing, &lost], Settled::Second),
        (LevelMatch::SabfGrandFinal, &[], Settled::PlayOff(6)),
        (LevelMatch::Gnot2006, &[], Settled::PlayOff(2)),
        (LevelMatch::Gnot2006, &[&nothing], Settled::PlayOff(1)),
        (LevelMatch::Gnot2012FinalPlace, &[], Settled::PlayOff(4)),
        (
            LevelMatch::Gnot2012FinalPlace,
            &[&nothing],
            Settled::PlayOff(1),
        ),
        (LevelMatch::Gnot2012FinalPlace, &[&won], Settled::First),
    ];
    for (rule, play_offs, expected) in stories {
        assert_eq!(
            rule.settle(&level(), play_offs),
            expected,
            "{rule:?} {play_offs:?}"
        );
    }
}

#[test]
fn a_shorter_match_is_rescored_by_boards_won_then_total_points_then_a_lot() {
    let rescored = LevelMatch::Gnot2012Rescored;
    assert_eq!(rescored.settle(&level(), &[]), Settled::First);
    // A board each: 10 more total points decide, and nothing does when they are equal too.
    let by_points = [board(420, 20), board(-420, -10)];
    assert_eq!(rescored.settle(&by_points, &[]), Settled::First);
    let equal = [board(420, 20), board(-420, -20)];
    assert_eq!(rescored.settle(&equal, &[]), Settled::Lot);
    // In the second half one more board is played, and counts in the rescoring.
    let second_half = LevelMatch::Gnot2012SecondHalf;
    assert_eq!(second_half.settle(&equal, &[]), Settled::PlayOff(1));
    let ten_more = [board(110, -120)];
    assert_eq!(second_half.settle(&equal, &[&ten_more]), Settled::Second);
    let long = LevelMatch::Gnot2012Long;
    assert_eq!(long.settle(&equal, &[]), Settled::PlayOff(2));
    assert_eq!(long.settle(&equal, &[&ten_more]), Settled::Second);
    // A match with a winner needs none of it.
    assert_eq!(long.settle(&[board(50, 0)], &[]), Settled::First);
}

#[test]
fn three_level_teams_of_a_pool_play_a_triangle() {
    let team = |team, boards: &[TeamsBoard], triangle: &[TeamsBoard]| PoolTeam {
        team: TeamNumber(team),
        boards: boards.to_vec(),
        triangle: triangle.to_vec(),
    };
    let ranks = |teams: &[PoolTeam]| -> Vec<(u32, u16)> {
        let ranked = rank_triangle(teams).into_iter();
        ranked.map(|(rank, team)| (rank, team.0)).collect()
    };
    let before = [team(1, &level(), &[]), team(2, &[], &[]), team(3, &[], &[])];
    assert_eq!(ranks(&before), [(1, 1), (1, 2), (1, 3)]);
    let flat = board(0, 0);
    let after = [
        team(1, &[board(10, 0)], &[board(-50, 0), flat]),
        team(2, &[board(0, 0)], &[board(50, 0), flat]),
        team(3, &[board(-10, 0)], &[flat, flat]),
    ];
    assert_eq!(ranks(&after), [(1, 2), (2, 3), (3, 1)]);
    let rescored = [
        team(1, &[board(10, 0)], &[flat, flat]),
        team(2, &[board(0, 0)], &[flat, flat]),
        team(3, &[board(0, 0)], &[flat, flat]),
    ];
    assert_eq!(ranks(&rescored), [(1, 1), (2, 2), (2, 3)]);
}

#[test]
fn losers_and_winners_of_a_knock_out_are_put_in_order() {
    let team = |team, scored, conceded, play_off| KnockOut {
        team: TeamNumber(team),
        scored: Points::whole(scored),
        conceded: Points::whole(conceded),
        play_off,
    };
    let numbers = |ranked: Vec<(u32, TeamNumber)>| -> Vec<(u32, u16)> {
        ranked
            .into_iter()
            .map(|(rank, team)| (rank, team.0))
            .collect()
    };
    let losers = [
        team(1, 20, 30, None),
        team(2, 40, 50, None),
        team(3, 10, 12, None),
        team(4, 33, 33, Some(false)),
    ];
    // The lost play-off, then the smallest margin; 50 to 40 is a smaller quotient than 30 to 20.
    let order = [(1, 4), (2, 3), (3, 2), (4, 1)];
    assert_eq!(numbers(rank_entering_swiss(&losers)), order);
    let winners = [
        team(5, 50, 40, None),
        team(6, 30, 20, None),
        team(7, 60, 10, None),
        team(8, 30, 20, None),
    ];
    let order = [(1, 7), (2, 6), (2, 8), (4, 5)];
    assert_eq!(numbers(rank_double_knock_out(&winners)), order);
    let all: Vec<KnockOut> = winners.iter().chain(&losers).copied().collect();
    let order = [
        (1, 4),
        (2, 3),
        (3, 2),
        (4, 1),
        (5, 7),
        (6, 6),
        (6, 8),
        (8, 5),
    ];
    assert_eq!(numbers(rank_single_knock_out(&all)), order);
}

#[test]
fn entries_for_the_trials_go_by_points_then_places_then_the_butler_doubled() {
    let entry = |team, places, butler_points| TrialsEntry {
        team: TeamNumber(team),
        places,
        butler_points,
    };
    let ranked = rank_trials_entries(&[
        entry(1, [0, 1, 0, 1, 0], 0),
        entry(2, [1, 0, 0, 0, 0], 0),
        entry(3, [0, 1, 0, 1, 0], 4),
        entry(4, [1, 0, 0, 0, 1], 0),
        entry(5, [0, 1, 0, 1, 0], 0),
    ]);
    let ranked: Vec<(u32, u16)> = ranked
        .into_iter()
        .map(|(rank, team)| (rank, team.0))
        .collect();
    assert_eq!(ranked, [(1, 4), (2, 2), (3, 3), (4, 1), (4, 5)]);
}
