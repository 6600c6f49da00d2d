//! What is shown is what counts: sheets, places, penalties, fouled boards.

use protocol::message::Recorded;
use protocol::words::{Award, Outcome, Percentage, Score};

use super::*;
use crate::reports::{Language, Sheet};
use crate::session::plan::{Fault, Method, PenaltyAmount, Scoring, ShortBoards, SideAward};
use crate::session::{Below, Event, PenaltyEffect, Repair};

fn rule(room: &mut Room, at: Cell, ruling: Ruling) {
    room.direct(Command::Rule {
        cell: at,
        ruling,
        why: "so it was".to_owned(),
    });
}

fn pair(text: &str) -> PairId {
    text.parse().expect("a pair")
}

/// Boards 1 and 2 at all five tables of a Mitchell; North-South 1 is best on board 2.
fn two_boards_everywhere(room: &mut Room) {
    let places = [(1, 1), (5, 2), (4, 3), (3, 4), (2, 5)];
    for (which, results) in [
        (1, ["3S N =", "4S N =", "2S N =", "1S N -1", "1S N -2"]),
        (2, ["4S N =", "3S N =", "2S N =", "1S N -1", "1S N -2"]),
    ] {
        for ((table, in_round), text) in places.into_iter().zip(results) {
            rule(room, cell(table, in_round, which), ruling(text));
        }
    }
}

fn points(room: &Room, at: Cell) -> (String, String) {
    let scores = room.session().scores();
    let line = scores.line(at).expect("a line");
    let text = |points: Option<crate::scoring::Points>| {
        points.map_or_else(String::new, |points| points.to_string())
    };
    (text(line.ns), text(line.ew))
}

#[test]
fn point_1_both_sides_are_shown_as_they_count_in_the_ranking() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    two_boards_everywhere(&mut room);
    let sixty = || SideAward::Percent(Percentage::whole(60).expect("60%"));
    let award = |ns, ew| Ruling::Award { ns, ew };
    rule(&mut room, cell(1, 1, 1), award(sixty(), sixty()));
    assert_eq!(points(&room, cell(1, 1, 1)), ("4.8".into(), "4.8".into()));
    // North-South 1 has a top on its other board, so its average plus is one too.
    let (plus, minus) = (SideAward::AveragePlus, SideAward::AverageMinus);
    rule(&mut room, cell(1, 1, 1), award(plus, minus));
    assert_eq!(points(&room, cell(1, 1, 1)), ("8".into(), "0".into()));
    assert!((room.percent_of("A1NS") - 100.0).abs() < 0.001);
    let told = room.session().recorded(cell(1, 1, 1));
    let Some(Down::Recorded(told)) = told else {
        panic!("a pad is told {told:?}");
    };
    let whole = |percent| Percentage::whole(percent).expect("a percentage");
    let expected = BoardResult::Adjusted {
        ns: whole(100),
        ew: whole(0),
    };
    let expected = Some(Outcome::Result(expected));
    assert_eq!(told.result, expected, "pads show the same");
}

#[test]
fn point_1_at_imps_pads_are_told_what_was_awarded_and_no_percentage_that_nobody_gave() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    two_boards_everywhere(&mut room);
    let told = |room: &Room, at| match room.session().recorded(at) {
        Some(Down::Recorded(told)) => told.result.expect("something stands there"),
        other => panic!("a pad is told {other:?}"),
    };
    let at = cell(1, 1, 1);
    let score = Award::Score(Score(620));
    let typed = Outcome::Awarded {
        ns: score,
        ew: score,
    };
    rule(&mut room, at, Ruling::Written(Score(620)));
    assert_eq!(told(&room, at), typed, "a score does not grow old");
    let butler = Scoring {
        method: Method::Butler,
        ..Scoring::CLUB_EVENING
    };
    room.direct(Command::ChooseScoring(butler));
    assert_eq!(told(&room, at), typed);
    let (plus, minus) = (SideAward::AveragePlus, SideAward::AverageMinus);
    rule(
        &mut room,
        at,
        Ruling::Award {
            ns: plus,
            ew: minus,
        },
    );
    let words = Outcome::Awarded {
        ns: Award::AveragePlus,
        ew: Award::AverageMinus,
    };
    assert_eq!(told(&room, at), words);
    // A pad from before there were awards reads the rest of its history all the same.
    let history = room.session().history(at.table_id());
    let apart = history.iter().filter(|down| match down {
        Down::History(lines) => {
            let awarded = |line: &Recorded| matches!(line.result, Some(Outcome::Awarded { .. }));
            assert!(!lines.iter().any(awarded));
            false
        }
        down => matches!(down, Down::Recorded(line) if line.result == Some(words)),
    });
    assert_eq!(apart.count(), 1);
    let share = |percent| SideAward::Percent(Percentage::whole(percent).expect("a percentage"));
    let (ns, ew) = (share(70), share(20));
    rule(&mut room, at, Ruling::Award { ns, ew });
    let whole = |percent| Percentage::whole(percent).expect("a percentage");
    let (ns, ew) = (whole(70), whole(20));
    let given = Outcome::Result(BoardResult::Adjusted { ns, ew });
    assert_eq!(told(&room, at), given, "percentages were given");
}

#[test]
fn point_2_an_old_session_keeps_its_own_tops_and_a_new_one_says_that_it_has_the_common_one() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    assert_eq!(room.session().scoring.short_boards, ShortBoards::CommonTop);
    two_boards_everywhere(&mut room);
    rule(
        &mut room,
        cell(2, 5, 1),
        Ruling::Result(BoardResult::NotPlayed),
    );
    // (M + 1) x 5/4 - 1 for the best of four.
    assert_eq!(points(&room, cell(5, 2, 1)), ("7.75".into(), "0.25".into()));
    // As it was stored before there was a choice.
    let stored = r#"{"ScoringChosen":{"method":"Matchpoints","single":false,"across_sections":false,"adjusted_rows":"Neuberg","rounding":"Hundredth"}}"#;
    let Ok(Event::ScoringChosen(old)) = serde_json::from_str(stored) else {
        panic!("an old event is read");
    };
    assert_eq!(old, Scoring::UNSAID);
    assert_eq!(crate::session::Session::new(room.session().id).scoring, old);
    room.direct(Command::ChooseScoring(old));
    assert_eq!(points(&room, cell(5, 2, 1)), ("6".into(), "0".into()));
}

#[test]
fn point_4_a_score_typed_alone_is_a_score_like_any_other() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    two_boards_everywhere(&mut room);
    let before = room.session().scores();
    let line = room.line(cell(1, 1, 1));
    let score = line.score(board(1)).expect("played");
    rule(&mut room, cell(1, 1, 1), Ruling::Written(score));
    assert_eq!(room.line(cell(1, 1, 1)).score(board(1)), Some(score));
    let after = room.session().scores();
    assert_eq!(before.standings, after.standings);
    let butler = Scoring {
        method: Method::Butler,
        ..Scoring::CLUB_EVENING
    };
    room.direct(Command::ChooseScoring(butler));
    let written = room.session().standings();
    rule(&mut room, cell(1, 1, 1), ruling("3S N ="));
    assert_eq!(
        room.session().standings(),
        written,
        "it is in the datum too"
    );
}

#[test]
fn point_5_a_pair_that_went_home_or_played_too_little_stands_below_the_line() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    let enter = |room: &mut Room, table: u16, in_round: u8, boards: &[u8]| {
        for which in boards {
            rule(room, cell(table, in_round, *which), ruling("1S N ="));
        }
    };
    for table in 1..=5_u8 {
        let first = (table - 1) * 5 + 1;
        let boards: Vec<u8> = (first..first + 5).collect();
        // At table 5 one board was played, and the rest was not.
        let played = if table == 5 {
            &boards[..1]
        } else {
            &boards[..]
        };
        enter(&mut room, table.into(), 1, played);
    }
    let below = |room: &Room, name: &str| {
        let standings = room.session().standings();
        let mut places = standings.lists.into_iter().flat_map(|list| list.places);
        let place = places.find(|place| place.pair == pair(name));
        let place = place.expect("everybody is in the list");
        assert_eq!(place.rank.is_none(), place.below.is_some());
        (place.below, place.boards)
    };
    assert_eq!(below(&room, "A5NS"), (Some(Below::FewBoards), 1));
    assert_eq!(below(&room, "A1NS"), (None, 5));
    let results = room
        .session()
        .scores()
        .traveller(SectionLetter::A, board(21));
    assert_eq!(results.lines.len(), 1, "its result still counts");
    room.direct(Command::ChooseScoring(Scoring {
        least_share_percent: 20,
        ..Scoring::CLUB_EVENING
    }));
    assert_eq!(below(&room, "A5NS"), (None, 1));
    let left = room.direct(Command::ReviseMovement {
        section: SectionLetter::A,
        repair: Repair::PairLeaves {
            pair: pair("A1EW"),
            from: None,
        },
        why: "not well".to_owned(),
    });
    assert_eq!(below(&room, "A1EW"), (Some(Below::WentHome), 5));
    room.direct(Command::Undo {
        change: left,
        why: "is back".to_owned(),
    });
    assert_eq!(below(&room, "A1EW"), (None, 5));
}

fn penalise(amount: PenaltyAmount) -> Command {
    Command::Penalise {
        pair: pair("A1NS"),
        amount,
        why: "late".to_owned(),
        public: true,
    }
}

#[test]
fn point_6_a_penalty_that_this_scoring_cannot_count_is_refused() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    two_boards_everywhere(&mut room);
    let ten = Percentage::whole(10).expect("10%");
    for amount in [PenaltyAmount::Imps(3), PenaltyAmount::VictoryPoints(100)] {
        let sentence = room.refused(penalise(amount));
        assert!(sentence.contains("scored by matchpoints"), "{sentence}");
    }
    let given = room.direct(penalise(PenaltyAmount::PercentOfTop(ten)));
    let penalty = room.session().penalties.values().next().expect("given");
    let effect = room.session().scores().effect(room.session(), penalty);
    let expected = crate::scoring::Points::from_ten_thousandths(8_000);
    assert_eq!(effect, PenaltyEffect::Points(expected), "a tenth of 8");
    let imps = Scoring {
        method: Method::CrossImps,
        ..Scoring::CLUB_EVENING
    };
    let sentence = room.refused(Command::ChooseScoring(imps));
    assert!(sentence.contains("take it back first"), "{sentence}");
    room.direct(Command::Undo {
        change: given,
        why: String::new(),
    });
    room.direct(Command::ChooseScoring(imps));
    for amount in [
        PenaltyAmount::PercentOfTop(ten),
        PenaltyAmount::PercentOfSession(ten),
        PenaltyAmount::Matchpoints(100),
        PenaltyAmount::VictoryPoints(100),
    ] {
        let sentence = room.refused(penalise(amount));
        assert!(sentence.contains("scored by IMPs"), "{sentence}");
    }
    room.direct(penalise(PenaltyAmount::Imps(3)));
}

#[test]
fn point_6_no_undo_leaves_a_penalty_that_this_scoring_cannot_count() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    two_boards_everywhere(&mut room);
    let undo = |change| Command::Undo {
        change,
        why: String::new(),
    };
    let imps = Command::ChooseScoring(Scoring {
        method: Method::CrossImps,
        ..Scoring::CLUB_EVENING
    });
    // A penalty in IMPs, and then the choice of IMPs is taken back.
    let chosen = room.direct(imps.clone());
    let given = room.direct(penalise(PenaltyAmount::Imps(3)));
    let sentence = room.refused(undo(chosen));
    assert!(sentence.contains("take it back first"), "{sentence}");
    room.direct(undo(given));
    room.direct(undo(chosen));
    // A penalty in percent that was taken back comes again when the session is scored by IMPs.
    let ten = Percentage::whole(10).expect("10%");
    let given = room.direct(penalise(PenaltyAmount::PercentOfTop(ten)));
    let taken_back = room.direct(undo(given));
    room.direct(imps);
    let sentence = room.refused(undo(taken_back));
    assert!(sentence.contains("give another one"), "{sentence}");
    assert!(room.session().penalties.is_empty());
}

#[test]
fn point_6_sections_with_different_boards_are_never_one_field() {
    let plan = |boards: u8| {
        let setup = Setup::new(table_number(5), board(boards));
        let movement = generate(Kind::Mitchell, setup).expect("there is one");
        SectionPlan::of(&movement, "red")
    };
    let section = |letter| SectionLetter::new(letter).expect("a letter");
    let put = |letter, boards| Command::PlanSection {
        section: section(letter),
        plan: plan(boards),
    };
    let across = Command::ChooseScoring(Scoring {
        across_sections: true,
        ..Scoring::CLUB_EVENING
    });
    // The sections first.
    let mut room = Room::new();
    room.direct(put('A', 25));
    room.direct(put('B', 20));
    assert!(room.refused(across.clone()).contains("different boards"));
    // The scoring first.
    let mut room = Room::new();
    room.direct(across.clone());
    room.direct(put('A', 25));
    assert!(room.refused(put('B', 20)).contains("different boards"));
    room.direct(put('B', 25));
    // And by a way round about.
    let apart = room.direct(Command::ChooseScoring(Scoring::CLUB_EVENING));
    room.direct(put('B', 20));
    let undo = Command::Undo {
        change: apart,
        why: String::new(),
    };
    assert!(room.refused(undo).contains("different boards"));
}

#[test]
fn point_7_whose_fault_a_fouled_board_is_counts_and_tables_can_be_named_in_advance() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    // Table 2 plays board 1 in the last round, and is named before.
    let fouled = |faults: Vec<(Cell, Fault, Fault)>| Command::SetFouled {
        section: SectionLetter::A,
        board: board(1),
        groups: vec![(cell(2, 5, 1), 'B')],
        faults,
        why: "cards exchanged after round 4".to_owned(),
    };
    room.direct(fouled(Vec::new()));
    two_boards_everywhere(&mut room);
    assert_eq!(room.line(cell(2, 5, 1)).form, 'B');
    let at = cell(2, 5, 1);
    // One table by itself is average, and 10% more for those without fault; both are below 60%
    // elsewhere. The sides' own percentages can only raise that.
    let percent = |room: &Room| {
        let scores = room.session().scores();
        let line = scores.line(at).expect("a line").clone();
        (
            line.ns_percent.expect("a share").to_string(),
            line.ew_percent.expect("a share").to_string(),
        )
    };
    let shown = |ns: &str, ew: &str| (ns.to_owned(), ew.to_owned());
    assert_eq!(percent(&room), shown("60.00", "100.00"));
    room.direct(fouled(vec![(at, Fault::Responsible, Fault::None)]));
    assert_eq!(percent(&room), shown("40.00", "100.00"));
    room.direct(fouled(vec![(at, Fault::Partly, Fault::Partly)]));
    assert_eq!(percent(&room), shown("50.00", "50.00"));
    // The traveller says who played which form.
    let sheet = Sheet::on_paper(room.keeper.state(), room.session(), Language::English);
    let printed = crate::reports::travellers(&sheet).into_string();
    let marked = |form: &str| printed.matches(&format!(">form {form}<")).count();
    assert_eq!((marked("A"), marked("B")), (4, 1));
    let elsewhere = Command::SetFouled {
        section: SectionLetter::A,
        board: board(1),
        groups: vec![(cell(2, 1, 1), 'B')],
        faults: Vec::new(),
        why: "by mistake".to_owned(),
    };
    assert!(room.refused(elsewhere).contains("has no result yet"));
}
