//! Matches and standings by hand.

use protocol::words::{BoardNumber, PairNumber, Score, SectionLetter};
use scoring::regulations::{Criterion, SpoiltBoards};
use scoring::{Award, Outcome, Percent, Points, Row, VictoryPoints};

use crate::ContestantNumber;
use crate::irregular::{Decision, is_spoiled};
use crate::pairs::{PairsSheet, ScoredBoard};
use crate::rules::{Column, Comparison, Regulation, Rules, Ties};
use crate::standing::{
    DecidedBy, Entry, ScoredMatch, Separated, SideScore, separate, settle, standing,
};
use crate::teams::{TeamsSheet, TwoTables};

fn number(number: u16) -> ContestantNumber {
    ContestantNumber::new(number).expect("a contestant")
}

fn board(number: u8) -> BoardNumber {
    BoardNumber::new(number).expect("a board")
}

fn row(ns: u16, ew: u16, score: i16) -> Row {
    let pair = |number| PairNumber::new(number).expect("a pair");
    Row::numbered_through(
        SectionLetter::A,
        pair(ns),
        pair(ew),
        Outcome::Score(Score(score)),
    )
}

#[test]
fn a_butler_match_is_added_up_against_the_datum_of_the_field() {
    let rules = Rules::of(Regulation::NewZealandClub, Comparison::Butler);
    let field = ScoredBoard::of(
        &[
            row(1, 2, 620),
            row(3, 4, -100),
            row(5, 6, 170),
            row(7, 8, 140),
        ],
        &rules,
    )
    .expect("pairs");
    // Without the top and the bottom score: 155, which is 160 in tens.
    assert_eq!(field.datum(0), Some(160.0));
    let sheet = PairsSheet::of(&[(board(1), Some((&field, 0))), (board(2), None)], &rules);
    assert_eq!(sheet.totals, [Points::whole(10), Points::whole(-10)]);
    assert_eq!(sheet.missing, [board(2)]);
    let vp = sheet.victory_points(&rules, 9).expect("a scale");
    let eight = scoring::VpScale::Wbf.by_imps(8, 10).expect("a scale");
    assert_eq!(vp, [eight.winner, eight.loser]);
}

#[test]
fn a_matchpoint_match_goes_by_its_percentage() {
    let rules = Rules::of(Regulation::Sabf, Comparison::Matchpoints);
    let fields: Vec<ScoredBoard> = [[620, 600, 170], [50, 50, -100]]
        .iter()
        .filter_map(|scores| {
            let rows = scores.iter().zip([1, 3, 5]);
            let rows: Vec<Row> = rows.map(|(&score, ns)| row(ns, ns + 1, score)).collect();
            ScoredBoard::of(&rows, &rules)
        })
        .collect();
    let own = [
        (board(1), Some((&fields[0], 0))),
        (board(2), Some((&fields[1], 0))),
    ];
    let sheet = PairsSheet::of(&own, &rules);
    // Four of four, three of four.
    assert_eq!(sheet.percents, Some([Percent(8_750), Percent(1_250)]));
    let vp = sheet.victory_points(&rules, 9).expect("a scale");
    assert_eq!(vp, [VictoryPoints::whole(20), VictoryPoints::whole(0)]);
}

#[test]
fn every_scale_takes_the_matches_that_its_regulation_plays() {
    for (regulation, comparison, boards) in [
        (Regulation::NewZealandClub, Comparison::Butler, 9),
        (Regulation::NewZealandClub, Comparison::CrossImps, 9),
        (Regulation::NewZealandClub, Comparison::TeamsImps, 12),
        (Regulation::NewZealandClub, Comparison::BoardAMatch, 12),
        (Regulation::Sabf, Comparison::Butler, 10),
        (Regulation::Sabf, Comparison::TeamsImps, 14),
        (Regulation::Sabf, Comparison::Matchpoints, 9),
        (Regulation::AbfChampionships, Comparison::Butler, 12),
        (Regulation::AbfChampionships, Comparison::TeamsImps, 16),
        (Regulation::AbfChampionships, Comparison::Matchpoints, 9),
        (Regulation::Gnot, Comparison::TeamsImps, 14),
        (Regulation::Gnot, Comparison::Butler, 8),
    ] {
        let rules = Rules::of(regulation, comparison);
        assert_eq!(rules.check(boards), Ok(()), "{regulation:?} {comparison:?}");
        let text = serde_json::to_string(&rules).expect("JSON");
        assert_eq!(serde_json::from_str::<Rules>(&text).expect("rules"), rules);
    }
    let gnot = Rules::of(Regulation::Gnot, Comparison::TeamsImps);
    assert!(gnot.check(9).is_err());
    let nearest = |scale| Rules {
        scale,
        column: Column::NearestEven,
        ..gnot
    };
    let any = nearest(scoring::VpScale::Wbf);
    let even = [1, 3, 5, 7, 9, 11, 13].map(|boards| any.column(boards));
    assert_eq!(even, [2, 2, 4, 6, 8, 10, 12]);
    // A scale without a column of six.
    assert_eq!(
        [7, 9].map(|boards| nearest(gnot.scale).column(boards)),
        [8, 8]
    );
    assert_eq!(Column::NearestEven.of(10), 10);
    assert_eq!(Column::SevenTenths.of(10), 7);
}

#[test]
fn a_board_that_one_team_spoiled_is_worth_what_each_was_awarded() {
    let rules = Rules::of(Regulation::NewZealandClub, Comparison::TeamsImps);
    let tables = TwoTables {
        board: board(1),
        open: Some(Outcome::adjusted(Award::AveragePlus, Award::AverageMinus)),
        closed: Some(Outcome::Score(Score(420))),
    };
    let sheet = TeamsSheet::of(&[tables], &rules);
    assert_eq!(sheet.result.margins, [Points::whole(3), Points::whole(-3)]);
    assert_eq!(sheet.counted, 1);
}

/// 1 beat 2 by 15 to 5, 3 beat 4 by 12 to 8; then 1 met 3, and 4 did not come against 2.
fn matches(last: Option<Decision>) -> Vec<ScoredMatch> {
    let one = |round, home, away, vp: i32, margin: i64, decision: Option<Decision>| ScoredMatch {
        round,
        home: number(home),
        away: number(away),
        boards: 8,
        sides: [
            SideScore {
                vp: VictoryPoints::whole(vp),
                scored: Points::whole(margin.max(0)),
                margin: Points::whole(margin),
            },
            SideScore {
                vp: VictoryPoints::whole(20 - vp),
                scored: Points::whole((-margin).max(0)),
                margin: Points::whole(-margin),
            },
        ],
        decision,
        complete: decision.is_none(),
        begun: decision.is_none(),
    };
    vec![
        one(1, 1, 2, 15, 20, None),
        one(1, 3, 4, 12, 6, None),
        one(2, 1, 3, 10, 0, None),
        one(2, 2, 4, 10, 0, last),
    ]
}

fn entries() -> Vec<Entry> {
    (1..=4)
        .map(|own| Entry {
            number: number(own),
            carry_over: VictoryPoints(0),
            fines: VictoryPoints(0),
            byes: Vec::new(),
        })
        .collect()
}

#[test]
fn a_forfeit_counts_twelve_for_the_draw_and_the_best_mean_at_the_end() {
    let rules = Rules::of(Regulation::NewZealandClub, Comparison::TeamsImps);
    let forfeit = Decision::Forfeit { by: number(4) };
    let interim = settle(&matches(Some(forfeit)), &rules, false);
    assert_eq!(interim[3].sides[0].vp, VictoryPoints::whole(12));
    assert_eq!(interim[3].sides[1].vp, VictoryPoints(0));
    // 4's other opponent got 12, 2 itself has a mean of 5: still 12. With a better opponent more.
    let mut better = matches(Some(forfeit));
    better[1].sides[0].vp = VictoryPoints::whole(17);
    let end = settle(&better, &rules, true);
    assert_eq!(end[3].sides[0].vp, VictoryPoints::whole(17));
}

#[test]
fn other_irregular_matches_are_worth_what_the_manual_says() {
    let rules = Rules::of(Regulation::NewZealandClub, Comparison::TeamsImps);
    let vp = |decision| {
        let settled = settle(&matches(Some(decision)), &rules, true);
        settled[3].sides.map(|side| side.vp.0)
    };
    assert_eq!(vp(Decision::SameDirection), [800, 800]);
    assert_eq!(vp(Decision::BothForfeit), [0, 0]);
    assert_eq!(vp(Decision::Cancelled), [1_200, 1_200]);
    assert_eq!(
        vp(Decision::Awarded {
            home: 1_350,
            away: 400
        }),
        [1_350, 400]
    );
    assert!(is_spoiled(&rules, 5, 8) && !is_spoiled(&rules, 4, 8));
    assert_eq!(SpoiltBoards::same_direction(false).0, 800);
}

#[test]
fn a_standing_says_what_each_place_rests_on() {
    let rules = Rules {
        ties: Ties::SwissPoints,
        ..Rules::of(Regulation::NewZealandClub, Comparison::TeamsImps)
    };
    let mut entries = entries();
    entries[0].fines = VictoryPoints::whole(3);
    entries[3].byes.push(3);
    let lines = standing(&entries, &matches(None), &rules, false);
    let told: Vec<(u32, u16, i32)> = lines
        .iter()
        .map(|line| (line.place, line.contestant.get(), line.vp.0))
        .collect();
    // 4 has 8 + 10 + a bye of 12; 1 and 3 have 22 each, 1 after a penalty of 3.
    assert_eq!(
        told,
        [(1, 4, 3_000), (2, 3, 2_200), (3, 1, 2_200), (4, 2, 1_500)]
    );
    assert_eq!(
        lines[2].decided_by,
        Some(DecidedBy::Figure(Criterion::SwissPoints))
    );
    assert_eq!(lines[1].ties[0].name, Criterion::SwissPoints);
    // 3's opponents 4 and 1 won 22 and 15 without their matches against 3.
    assert_eq!(lines[1].ties[0].value, "37.00");
    assert_eq!(lines[2].fines, VictoryPoints::whole(3));
}

#[test]
fn who_shares_a_place_is_separated_by_the_last_word_about_all_of_them() {
    let rules = Rules {
        ties: Ties::NetImps,
        ..Rules::of(Regulation::NewZealandClub, Comparison::TeamsImps)
    };
    let before = standing(&entries(), &[], &rules, false);
    assert!(before.iter().all(|line| line.place == 1));
    let numbers = |all: [u16; 4]| all.map(number).to_vec();
    let first = Separated {
        order: numbers([4, 3, 2, 1]),
        by: DecidedBy::Lot,
    };
    let last = Separated {
        order: numbers([2, 1, 4, 3]),
        by: DecidedBy::PlayOff,
    };
    // It says nothing about 1.
    let part = Separated {
        order: [3, 4, 2].map(number).to_vec(),
        by: DecidedBy::Rescored,
    };
    let mut lines = before;
    separate(&mut lines, &[first, last, part]);
    let told: Vec<(u32, u16)> = lines
        .iter()
        .map(|line| (line.place, line.contestant.get()))
        .collect();
    assert_eq!(told, [(1, 2), (2, 1), (3, 4), (4, 3)]);
    assert_eq!(lines[0].decided_by, None);
    assert_eq!(lines[3].decided_by, Some(DecidedBy::PlayOff));
}
