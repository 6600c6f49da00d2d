//! A club that is part of a larger field: what its pads show.

use std::sync::Arc;

use protocol::message::{Feedback, Question, RankingLine, Settings};
use protocol::words::SessionId;

use super::*;
use crate::session::LargeField;

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
            places: places.collect(),
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
