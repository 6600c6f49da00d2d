//! The real evening of the project's test data, entered in its order of arrival.

use super::*;
use crate::movement::BoardSet;
use crate::session::plan::Sitting;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/real/");

fn rows(file: &str) -> Vec<Vec<String>> {
    let mut reader = csv::Reader::from_path(format!("{FOLDER}{file}")).expect("the file is there");
    reader
        .records()
        .map(|record| record.expect("a row").iter().map(str::to_owned).collect())
        .collect()
}

fn number<T: std::str::FromStr<Err: std::fmt::Debug>>(text: &str) -> T {
    text.parse().expect("a number")
}

fn movement() -> SectionPlan {
    let sittings = rows("club_session_rounds.csv")
        .iter()
        .map(|row| Sitting {
            round: number(&row[1]),
            table: number(&row[0]),
            ns: Some(number(&row[2])),
            ew: Some(number(&row[3])),
            boards: BoardSet::range(number(&row[4]), number(&row[5])),
            arrow_switched: false,
        })
        .collect();
    SectionPlan {
        colour: "red".to_owned(),
        movement: "the club's own".to_owned(),
        one_winner: false,
        sittings,
        announcements: Vec::new(),
    }
}

fn result_of(row: &[String]) -> BoardResult {
    if row[8] == "PASS" {
        return BoardResult::PassedOut;
    }
    let contract: String = row[8].split_whitespace().collect();
    played(&format!("{contract} {} {}", row[7], row[9]))
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
    let results = rows("club_session_results.csv");
    assert_eq!(results.len(), 297);
    for row in &results {
        let pad = &mut pads[number::<usize>(&row[2]) - 1];
        let entry = pad.agree(number(&row[3]), number(&row[4]), result_of(row));
        assert!(
            is_received(&pad.says(&mut room, Up::Entry(entry))),
            "{row:?}"
        );
        let line = room.line(Cell::new(
            table_a(number(&row[2])),
            number(&row[3]),
            number(&row[4]),
        ));
        assert_eq!(line.ns.expect("a pair").number, number(&row[5]));
        assert_eq!(line.ew.expect("a pair").number, number(&row[6]));
    }
    assert_eq!(room.session().missing(room.now), []);
    let standings = room.session().standings();
    assert!(standings.problems.is_empty(), "{:?}", standings.problems);
    let ranking = rows("club_session_ranking.csv");
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
