//! The real evening of the project's test data, entered in its order of arrival.

use bench_parts::{real_movement_file, real_result, real_rows};

use super::*;
use crate::movement::Movement;

fn number<T: std::str::FromStr<Err: std::fmt::Debug>>(text: &str) -> T {
    text.parse().expect("a number")
}

fn movement() -> SectionPlan {
    let movement = Movement::from_text(&real_movement_file()).expect("a movement");
    SectionPlan::of(&movement, "red")
}

#[test]
fn the_real_evening_gives_the_ranking_of_an_independent_program() {
    let mut room = Room::new();
    room.direct(Command::PlanSection {
        section: SectionLetter::A,
        plan: movement(),
    });
    room.direct(PIN);
    room.direct(Command::Open);
    let mut pads: Vec<PadAtTable> = (1..=11).map(|n| room.log_on(n.into(), n)).collect();
    let results = real_rows("club_session_results.csv");
    assert_eq!(results.len(), 297);
    for row in &results {
        let pad = &mut pads[number::<usize>(&row[2]) - 1];
        let entry = pad.agree(number(&row[3]), number(&row[4]), real_result(row));
        assert!(
            is_received(&pad.says(&mut room, Up::Entry(entry))),
            "{row:?}"
        );
        let cell = Cell::new(table_a(number(&row[2])), number(&row[3]), number(&row[4]));
        let line = room.line(cell);
        assert_eq!(line.ns.expect("a pair").number, number(&row[5]));
        assert_eq!(line.ew.expect("a pair").number, number(&row[6]));
        // What the pad is told of this board alone is what the whole evening's scores say.
        let traveller = room.session().traveller(cell.section, cell.board);
        let mut lines = traveller.lines.iter();
        let own = lines.find(|it| it.cell == cell).expect("it counts");
        let share = own.ns_percent.filter(|_| traveller.lines.len() > 1);
        let told = room.session().percentage(cell);
        assert_eq!(told.map(|it| i32::from(it.get())), share.map(|it| it.0));
    }
    assert_eq!(room.session().missing(room.now), []);
    let standings = room.session().standings();
    assert!(standings.problems.is_empty(), "{:?}", standings.problems);
    let ranking = real_rows("club_session_ranking.csv");
    let places: Vec<_> = standings
        .lists
        .iter()
        .flat_map(|list| &list.places)
        .collect();
    assert_eq!(places.len(), ranking.len());
    for row in ranking {
        let pair: PairId = format!("A{}{}", row[1], row[0]).parse().expect("a pair");
        let place = places
            .iter()
            .find(|place| place.pair == pair)
            .expect("ranked");
        let points = place.points.ten_thousandths();
        assert_eq!(points, number::<i64>(&row[2]) * 10_000, "{pair}");
        let percent = place.percent.expect("matchpoints").to_f64();
        assert!(
            (percent - number::<f64>(&row[3])).abs() < 0.0001,
            "{pair}: {percent}"
        );
    }
}
