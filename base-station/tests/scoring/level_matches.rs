//! Matches that end level and teams that knock each other out, by each regulation's order.

use base_station::scoring::regulations::{
    KnockOut, LevelMatch, Rescored, Settled, TeamNumber, rank_double_knock_out,
    rank_entering_swiss, rank_single_knock_out,
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
fn boards_of_earlier_nights_are_rescored_with_those_of_tonight() {
    let rule = LevelMatch::Gnot2012Rescored;
    let equal = [board(420, 20), board(-420, -20)];
    for (won, points, expected) in [
        (1, -500, Settled::First),
        (0, -10, Settled::Second),
        (0, 0, Settled::Lot),
    ] {
        let before = Rescored { won, points };
        assert_eq!(rule.go_on(before, &equal, &[]), expected, "{before:?}");
    }
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
