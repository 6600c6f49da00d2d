//! Results put right: by players while the round lasts, by the director at any time.

use super::*;
use crate::session::plan::{Outcome as Weighed, PenaltyAmount, SideAward};
use crate::session::{Fate, checklist};
use protocol::message::Source;
use protocol::words::{Percentage, Score};

#[test]
fn players_correct_a_result_while_the_round_lasts_and_not_later() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    let mut pad = room.log_on(1, 1);
    pad.enters(&mut room, 1, 1, "4S N =");
    let mut correction = pad.agree(1, 1, played("4S N +1"));
    correction.correction = true;
    assert!(is_received(&pad.says(&mut room, Up::Entry(correction))));
    assert_eq!(room.line(cell(1, 1, 1)).result(), Some(played("4S N +1")));

    pad.enters(&mut room, 2, 6, "2C W =");
    let mut too_late = pad.agree(1, 1, played("4S N -1"));
    too_late.correction = true;
    too_late.agreed_in = round(2);
    let answer = pad.says(&mut room, Up::Entry(too_late));
    assert_eq!(reason(&answer), Some(RefusalReason::RoundOver));
    assert_eq!(room.line(cell(1, 1, 1)).result(), Some(played("4S N +1")));
    assert_eq!(
        room.session().kept.len(),
        1,
        "it is offered to the director all the same"
    );
}

#[test]
fn a_correction_agreed_in_time_counts_even_if_it_arrives_after_the_round() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    let mut pad = room.log_on(1, 1);
    pad.enters(&mut room, 1, 1, "4S N =");
    let mut correction = pad.agree(1, 1, played("4S N +1"));
    correction.correction = true;
    // The next round's first result overtakes it.
    pad.enters(&mut room, 2, 6, "2C W =");
    assert!(is_received(&pad.says(&mut room, Up::Entry(correction))));
    assert_eq!(room.line(cell(1, 1, 1)).result(), Some(played("4S N +1")));
}

#[test]
fn the_directors_correction_is_marked_and_sent_back_to_the_pad() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    let mut pad = room.log_on(1, 1);
    pad.enters(&mut room, 1, 1, "4S N =");
    room.direct(Command::Rule {
        cell: cell(1, 1, 1),
        ruling: ruling("4S S ="),
        why: "declarer was South".to_owned(),
    });
    let line = room.line(cell(1, 1, 1));
    assert_eq!((line.source, line.history.len()), (Source::Director, 2));
    let corrected = protocol::words::Outcome::Result(played("4S S ="));
    let sent = room.mail.iter().any(|(to, down)| {
        *to == pad.pad
            && matches!(down, Down::Recorded(line)
                if line.result == Some(corrected) && line.source == Source::Director)
    });
    assert!(sent);
    // The table's own later correction does not override the director without being asked.
    let mut theirs = pad.agree(1, 1, played("4S N -1"));
    theirs.correction = true;
    let answer = pad.says(&mut room, Up::Entry(theirs));
    assert_eq!(reason(&answer), Some(RefusalReason::RoundOver));
    assert_eq!(room.line(cell(1, 1, 1)).result(), Some(played("4S S =")));
}

#[test]
fn a_board_out_of_range_waits_for_the_director_and_is_not_lost() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    let mut pad = room.log_on(1, 1);
    let wanted = Up::BoardWanted {
        round: round(1),
        board: board(22),
    };
    let answer = pad.says(&mut room, wanted);
    assert_eq!(answer, [], "the director has not decided");
    let answer = pad.enters(&mut room, 1, 22, "3NT N =");
    assert_eq!(reason(&answer), Some(RefusalReason::BoardOutOfRange));
    assert!(room.session().wanted.contains_key(&cell(1, 1, 22)));
    // Allowing the board lets the result that waits for it count.
    room.direct(Command::AllowBoard {
        cell: cell(1, 1, 22),
    });
    assert_eq!(room.line(cell(1, 1, 22)).result(), Some(played("3NT N =")));
    assert!(
        room.session()
            .kept
            .values()
            .all(|kept| kept.fate == Fate::Used)
    );
    let allowed = Down::BoardAllowed {
        round: round(1),
        board: board(22),
    };
    assert!(room.mail.contains(&(pad.pad, allowed)));
}

#[test]
fn a_result_entered_for_the_wrong_board_is_moved_to_the_right_one() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    let mut pad = room.log_on(1, 1);
    pad.enters(&mut room, 1, 2, "3NT N =");
    room.direct(Command::MoveLine {
        from: cell(1, 1, 2),
        to: cell(1, 1, 1),
        why: "typed 2 for 1".to_owned(),
    });
    assert!(!room.session().is_in(cell(1, 1, 2)));
    assert_eq!(room.line(cell(1, 1, 1)).result(), Some(played("3NT N =")));
    pad.enters(&mut room, 1, 2, "1C S =");
    assert!(
        room.session().is_in(cell(1, 1, 2)),
        "the emptied line takes the real result"
    );
}

#[test]
fn a_late_play_is_not_played_until_its_result_comes() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    let mut pad = room.log_on(1, 1);
    room.direct(Command::Rule {
        cell: cell(1, 1, 5),
        ruling: Ruling::LatePlay,
        why: "slow round".to_owned(),
    });
    let open = checklist(&room.keeper.state().club, room.session(), room.now);
    assert!(
        open.iter()
            .any(|point| point.sentence.to_string().contains("late play"))
    );
    let mut entry = pad.agree(1, 5, played("3NT N ="));
    entry.agreed_in = round(3);
    assert!(is_received(&pad.says(&mut room, Up::Entry(entry))));
    assert_eq!(room.line(cell(1, 1, 5)).result(), Some(played("3NT N =")));
}

/// Board 1 at five tables of a Mitchell: NS 1 has +420, the others less and less.
fn board_one_everywhere(room: &mut Room) {
    // In a five-table Mitchell the boards of table 1 go down a table each round.
    let results = [
        (1, 1, "4S N ="),
        (5, 2, "3S N ="),
        (4, 3, "2S N ="),
        (3, 4, "1S N -1"),
        (2, 5, "1S N -2"),
    ];
    for (table, in_round, text) in results {
        room.direct(Command::Rule {
            cell: cell(table, in_round, 1),
            ruling: ruling(text),
            why: String::new(),
        });
    }
}

#[test]
fn each_side_is_adjusted_by_itself() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    board_one_everywhere(&mut room);
    assert!((room.percent_of("A1NS") - 100.0).abs() < 0.001);
    let adjust = |ns, ew| Command::Rule {
        cell: cell(1, 1, 1),
        ruling: Ruling::Award { ns, ew },
        why: "misinformation".to_owned(),
    };
    let cases = [
        (SideAward::Average, SideAward::AveragePlus, 50.0, 60.0),
        (SideAward::AverageMinus, SideAward::AverageMinus, 40.0, 40.0),
        (
            SideAward::Percent(Percentage::new(2_500).expect("25%")),
            SideAward::Percent(Percentage::whole(90).expect("90%")),
            25.0,
            90.0,
        ),
    ];
    for (ns, ew, ns_percent, ew_percent) in cases {
        room.direct(adjust(ns, ew));
        assert!((room.percent_of("A1NS") - ns_percent).abs() < 0.001);
        assert!((room.percent_of("A1EW") - ew_percent).abs() < 0.001);
    }
    // A split score: NS keep their bottom, EW get the table's score.
    room.direct(adjust(
        SideAward::Score(Score(-300)),
        SideAward::Score(Score(420)),
    ));
    assert!(room.percent_of("A1NS") < 1.0);
    assert!(room.percent_of("A1EW") < 1.0);
    let half = |score, share| Weighed {
        score: Score(score),
        share: Percentage::new(share).expect("a share"),
    };
    let weighted = SideAward::Weighted(vec![half(420, 5_000), half(-50, 4_000)]);
    let sentence = room.refused(adjust(weighted, SideAward::Average));
    assert_eq!(
        sentence,
        "the shares of a weighted score add up to 100%, not to 90.00%"
    );
    let sentence = room.refused(adjust(SideAward::Score(Score(425)), SideAward::Average));
    assert_eq!(sentence, "425 is not a score that a contract can give");
}

#[test]
fn penalties_are_taken_off_and_warnings_are_not() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    board_one_everywhere(&mut room);
    let before = room.percent_of("A1NS");
    let penalise = |amount| Command::Penalise {
        pair: "A1NS".parse().expect("a pair"),
        amount,
        why: "late arrival".to_owned(),
        public: false,
    };
    room.direct(penalise(PenaltyAmount::Warning));
    assert!((room.percent_of("A1NS") - before).abs() < 0.001);
    room.direct(penalise(PenaltyAmount::PercentOfSession(
        Percentage::whole(2).expect("2%"),
    )));
    assert!((room.percent_of("A1NS") - (before - 2.0)).abs() < 0.001);
    let nothing = penalise(PenaltyAmount::Matchpoints(0));
    assert!(room.refused(nothing).contains("give a warning instead"));
}

#[test]
fn pairs_who_sat_the_wrong_way_round_get_what_they_earned() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    board_one_everywhere(&mut room);
    room.direct(Command::TurnLine {
        cell: cell(1, 1, 1),
        why: "NS 1 sat East-West".to_owned(),
    });
    // +420 for the North-South cards belongs to the pair called 1 EW now.
    assert!((room.percent_of("A1EW") - 100.0).abs() < 0.001);
    assert!(room.percent_of("A1NS").abs() < 0.001);
}

#[test]
fn a_fouled_board_is_compared_within_its_form() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    board_one_everywhere(&mut room);
    let groups = vec![(cell(2, 5, 1), 'B'), (cell(3, 4, 1), 'B')];
    room.direct(Command::SetFouled {
        section: SectionLetter::A,
        board: board(1),
        groups,
        faults: Vec::new(),
        why: "cards exchanged after round 3".to_owned(),
    });
    assert_eq!(room.line(cell(3, 4, 1)).form, 'B');
    assert!(room.percent_of("A3NS") > 50.0, "best of its form");
}

#[test]
fn other_pairs_than_the_movement_says_can_have_played() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    board_one_everywhere(&mut room);
    let correct = |ew: &str| Command::CorrectPairs {
        cell: cell(1, 1, 1),
        ns: Some("A1NS".parse().expect("a pair")),
        ew: Some(ew.parse().expect("a pair")),
        why: "EW 2 sat at table 1".to_owned(),
    };
    assert!(
        room.refused(correct("A9EW"))
            .contains("does not play tonight")
    );
    assert!(room.refused(correct("A2")).contains("two lists"));
    room.direct(correct("A2EW"));
    let line = room.line(cell(1, 1, 1));
    assert_eq!(line.ew, Some("A2EW".parse().expect("a pair")));
    assert!(line.pairs_corrected);
}

#[test]
fn a_released_result_can_be_taken_back_only_within_the_correction_period() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    let reopen = || Command::Reopen {
        why: "a wrong score".to_owned(),
    };
    room.direct(Command::SetCorrectionPeriod { hours: 24 });
    room.direct(Command::EndPlay);
    room.direct(Command::Release {
        despite_checklist: true,
    });
    room.later(23 * 60);
    room.direct(reopen());
    room.direct(Command::Release {
        despite_checklist: true,
    });
    room.later(24 * 60);
    assert_eq!(
        room.refused(reopen()),
        "the correction period of 24 hours is over: the result was released 24 hours ago and stands"
    );
    assert!(
        room.refused(Command::SetCorrectionPeriod { hours: 0 })
            .contains("1 to")
    );
}

#[test]
fn pads_show_the_time_of_the_clock_on_the_wall() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    room.log_on(1, 1);
    let shown = |room: &mut Room, minutes_east| {
        room.direct(Command::SetLocalTime { minutes_east });
        room.direct(Command::StartClock { round: round(1) });
        let mut mail = room.mail.drain(..).rev();
        mail.find_map(|(_, down)| match down {
            Down::Clock(clock) => Some(clock.time_of_day_s / 60),
            _ => None,
        })
    };
    let universal = shown(&mut room, 0).expect("a clock");
    assert_eq!(shown(&mut room, 90), Some((universal + 90) % 1440));
    assert_eq!(
        shown(&mut room, -300),
        Some((universal + 1440 - 300) % 1440)
    );
    assert!(
        room.refused(Command::SetLocalTime { minutes_east: 900 })
            .contains("14 ahead")
    );
}
