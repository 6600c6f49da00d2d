//! A club that is part of a larger field: what its pads show.

use std::collections::BTreeMap;
use std::sync::Arc;

use protocol::message::{Feedback, FeedbackLevel, Question, RankingLine, Settings};
use protocol::words::{Percentage, Score, SessionId};

use super::*;
use crate::session::{LargeBoard, LargeField};

#[test]
fn pads_show_places_in_the_large_field_while_its_centre_answers_and_the_clubs_own_otherwise() {
    let mut room = Room::playing(Kind::Mitchell, 3, 9);
    room.direct(Command::ChangeSettings(Settings {
        ranking: true,
        ..room.session().settings
    }));
    let pad = room.log_on(1, 1);
    let planned = room.session().sections[&SectionLetter::A].clone();
    for sitting in planned.sittings.values() {
        let at = TableId {
            section: SectionLetter::A,
            table: sitting.table,
        };
        for board in sitting.boards.iter() {
            let result = ["1S N =", "2S N =", "3S N -1"][usize::from(sitting.table.get()) % 3];
            room.direct(Command::Rule {
                cell: Cell::new(at, sitting.round, board),
                ruling: ruling(result),
                why: String::new(),
            });
        }
    }
    let ranking = |room: &mut Room| {
        let downs = pad.says(room, Up::Ask(Question::Ranking));
        match &downs[..] {
            [Down::Feedback(Feedback::Ranking { lines })] => lines.to_vec(),
            other => panic!("a ranking, not {other:?}"),
        }
    };
    let own = ranking(&mut room);
    assert!(own.len() > 2, "{own:?}");
    let id = room.session().id;
    let large = |lines: &[RankingLine], session| {
        let pair = |line: &RankingLine| PairId {
            section: SectionLetter::A,
            number: line.pair,
            side: line.side,
        };
        let places = lines.iter().zip(100..);
        let places = places.map(|(line, rank)| (pair(line), (rank, 4_321)));
        Some(Arc::new(LargeField {
            session,
            pairs_in_all: 400,
            places: places.collect(),
            boards: BTreeMap::new(),
        }))
    };
    // A field that does not know all of them, or is another session's, changes nothing.
    room.keeper.hear_of_field(large(&own[1..], id));
    assert_eq!(ranking(&mut room), own);
    let other = SessionId::try_from(id.get() + 1).expect("a session");
    room.keeper.hear_of_field(large(&own, other));
    assert_eq!(ranking(&mut room), own);
    room.keeper.hear_of_field(large(&own, id));
    let lines = ranking(&mut room);
    assert_eq!(lines.len(), own.len());
    let is_there = |line: &RankingLine| line.rank >= 100 && line.percentage.get() == 4_321;
    assert!(lines.iter().all(is_there), "{lines:?}");
    // The centre is silent.
    room.keeper.hear_of_field(None);
    assert_eq!(ranking(&mut room), own);
}

#[test]
fn a_pad_hears_what_its_board_is_worth_in_the_large_field_and_in_the_club_where_the_centre_is_silent()
 {
    let mut room = Room::playing(Kind::Mitchell, 3, 9);
    let settings = Settings {
        feedback: FeedbackLevel::Traveller,
        ..room.session().settings
    };
    room.direct(Command::ChangeSettings(settings));
    let mut pad = room.log_on(1, 1);
    let id = room.session().id;
    let board = BoardNumber::MIN;
    // Seventy other tables: ten are worse than ours, twenty as good, forty better.
    let scores = [
        (Score(450), 40, 8_000),
        (Score(420), 20, 3_000),
        (Score(-50), 10, 500),
    ];
    let over = LargeBoard {
        scores: scores.to_vec(),
        ..LargeBoard::default()
    };
    let field = |over: LargeBoard| {
        Some(Arc::new(LargeField {
            session: id,
            pairs_in_all: 140,
            places: BTreeMap::new(),
            boards: BTreeMap::from([(board, over)]),
        }))
    };
    room.keeper.hear_of_field(field(over.clone()));
    let percentage = |downs: &[Down]| match downs {
        [Down::Received { percentage, .. }, ..] => percentage.map(Percentage::get),
        other => panic!("received, not {other:?}"),
    };
    let entered = pad.enters(&mut room, 1, board.get(), "4S N =");
    // (2 x 10 + 20) of 140.
    assert_eq!(percentage(&entered), Some(2_857));
    let (cell, _) = room.session().lines.iter().next().expect("a line");
    let cell = *cell;
    // The centre has it: its own figure counts, and the traveller is the field's.
    let mut over = over;
    over.scores[1] = (Score(420), 21, 2_900);
    over.counted.insert(cell);
    room.keeper.hear_of_field(field(over));
    let downs = pad.says(&mut room, Up::Ask(Question::Traveller(board)));
    let lines = match &downs[..] {
        [Down::Feedback(Feedback::Traveller { lines, .. })] => lines.to_vec(),
        other => panic!("a traveller, not {other:?}"),
    };
    let told: Vec<_> = lines
        .iter()
        .map(|it| (it.score.0, it.times, it.own))
        .collect();
    assert_eq!(told, [(450, 40, false), (420, 21, true), (-50, 10, false)]);
    assert_eq!(lines[1].ns_percentage.map(Percentage::get), Some(2_900));
    // The centre is silent: our own table is alone.
    room.keeper.hear_of_field(None);
    let downs = pad.says(&mut room, Up::Ask(Question::Traveller(board)));
    match &downs[..] {
        [Down::Feedback(Feedback::Traveller { lines, .. })] => assert_eq!(lines.len(), 1),
        other => panic!("a traveller, not {other:?}"),
    }
}
