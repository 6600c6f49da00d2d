//! Rooms of one congress: rounds that are drawn over all of them, with pads on the simulated air.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use bench_parts::Organiser;
use serde_json::{Value, json};
use tests::daemon::Daemon;
use tests::room::{Agreed, BAUD, Room, play_until};

use super::{Centre, PASSWORD, wait_until};

const ROOMS: [&str; 4] = ["Green room", "Blue room", "Red room", "White room"];
const TABLES: u16 = 2;
const ROUNDS: u8 = 4;
const BOARDS: u8 = 2;

/// How long a round may take on a machine that does other things: a pad whose base is away rests for
/// longer and longer before it calls again.
const ROUND: Duration = Duration::from_mins(6);

/// A laptop in a room, with an evening that has no section yet.
fn laptop(room: &Room) -> Daemon {
    let daemon = Daemon::start(&[Path::new(room.radio())], BAUD);
    daemon.choose_pin();
    let event = json!({"name": "Congress", "date": "2026-11-16"});
    daemon.do_as_director("calendar/events", &event);
    daemon
}

/// A congress of these rooms; answers with its number and the rooms' codes.
fn congress(organiser: &Organiser, rooms: &[&str], tables: u16) -> (i32, Vec<String>) {
    let event = organiser.swiss("Spring congress", ROUNDS, BOARDS);
    let lines: Vec<String> = rooms.iter().map(|it| format!("{it}; {tables}")).collect();
    let codes = organiser.clubs(event, &lines.join("\n"));
    let pairs = 1..=rooms.len() * usize::from(tables) * 2;
    let pairs: Vec<String> = pairs.map(|n| format!("North {n}; South {n}")).collect();
    organiser.pairs(event, &pairs.join("\n")).expect("entered");
    (event, codes)
}

/// Whether every match of a round has all its boards.
pub(super) fn is_played(centre: &Centre, event: i32, round: u8) -> bool {
    let page = page(centre, &format!("event/{event}/round/{round}"));
    !page.contains('…')
}

/// Waits until a base has taken a round.
pub(super) fn has_taken(daemon: &Daemon, round: u8) {
    let told = format!("Round {round} was drawn at the centre");
    daemon.wait_for("history", |it| it.to_string().contains(&told).then_some(()));
}

fn page(centre: &Centre, path: &str) -> String {
    let asked = ureq::get(format!("{}{path}", centre.address)).call();
    let mut answer = asked.expect("the centre answers");
    answer.body_mut().read_to_string().expect("a page")
}

fn has(centre: &Centre, path: &str) -> bool {
    ureq::get(format!("{}{path}", centre.address))
        .call()
        .is_ok()
}

/// Where a pair sits, as the page of a round says it.
fn room_of(page: &str, pair: usize) -> &'static str {
    let named = format!("<td>{pair} · North {pair} – South {pair}</td><td>");
    let room = page.split(&named).skip(1).find_map(|behind| {
        let mut rooms = ROOMS.into_iter();
        rooms.find(|room| behind.starts_with(room))
    });
    room.expect("a room")
}

/// What the base has of a board.
fn line(daemon: &Daemon, own: &Agreed) -> Value {
    let sheet = daemon.get(&format!("tables/A{}/rounds/{}", own.table, own.round));
    let lines = sheet["lines"].as_array().expect("lines").iter();
    let mut of_board = lines.filter(|it| it["board"] == own.board.get());
    of_board.next().cloned().unwrap_or_default()
}

/// Whether a base has received anything of a round.
fn has_result(daemon: &Daemon, round: u8) -> bool {
    let tables = (1..=TABLES).map(|table| daemon.get(&format!("tables/A{table}/rounds/{round}")));
    let mut sheets = tables.filter_map(|it| it["lines"].as_array().cloned());
    sheets.any(|lines| lines.iter().any(|line| line["score"].is_i64()))
}

/// North-South's score, as players count it.
fn score(own: &Agreed) -> i16 {
    own.result.score(own.board).expect("it was played").0
}

#[test]
fn a_congress_of_four_rooms_has_every_agreed_score_though_a_laptop_is_destroyed_in_round_3() {
    let centre = Centre::start();
    let organiser = Organiser::sign_in(&centre.address, PASSWORD).expect("signed in");
    let (event, codes) = congress(&organiser, &ROOMS, TABLES);
    let mut rooms: Vec<Room> = (1..=4).map(|number| Room::new(number, TABLES)).collect();
    let mut laptops: Vec<Daemon> = rooms.iter().map(laptop).collect();
    for (daemon, code) in laptops.iter().zip(&codes) {
        let wanted = json!({"address": centre.address, "code": code, "copy": true});
        let joined = daemon.post("centre", &wanted);
        assert_eq!(joined["joined"], true, "{joined}");
    }
    let mut seats = Vec::new();
    for round in 1..=ROUNDS {
        let drawn = organiser.draw(event, round);
        assert!(!drawn.contains("not finished"), "{drawn}");
        organiser.publish(event, &drawn).expect("published");
        let drawn = format!("event/{event}/round/{round}");
        wait_until(|| has(&centre, &drawn));
        seats.push(page(&centre, &drawn));
        for daemon in &laptops {
            has_taken(daemon, round);
            if round == 1 {
                daemon.do_as_director("open", &json!({}));
            }
        }
        if round == 3 {
            // The blue room's laptop falls to the floor with some of the round in it.
            play_until(&mut rooms, ROUND, |_| has_result(&laptops[1], round));
            laptops[1].kill();
            let from = format!("{}#{}", centre.address, ROOMS[1]);
            let words = ["--restore-from", from.as_str()];
            laptops[1] = Daemon::start_with(&[Path::new(rooms[1].radio())], BAUD, &words);
        }
        play_until(&mut rooms, ROUND, |_| is_played(&centre, event, round));
    }
    let mut all = 0;
    for (room, daemon) in rooms.iter().zip(&laptops) {
        for own in room.agreed() {
            let known = line(daemon, own);
            assert_eq!(known["score"], score(own), "{own:?} is {known}");
            all += 1;
        }
    }
    let tables = ROOMS.len() * usize::from(TABLES);
    assert_eq!(all, tables * usize::from(ROUNDS * BOARDS));
    let counted = "SELECT count(DISTINCT (club, text::json->'said'->'line'->'place')::text)
        FROM record JOIN club USING (base) WHERE text LIKE '%\"line\"%'";
    assert_eq!(centre.postgres.ask(counted), all.to_string());
    let standing = centre.ranking(event)["standing"].clone();
    let standing = standing.as_array().expect("a standing").clone();
    assert!(
        standing.iter().all(|it| it["matches"] == ROUNDS),
        "{standing:?}"
    );
    let vp: i64 = standing.iter().filter_map(|it| it["vp"].as_i64()).sum();
    assert_eq!(vp, i64::from(ROUNDS) * 2_000 * 8);
    let pairs = 1..=tables * 2;
    let changes = pairs.filter(|pair| {
        let rooms = seats.iter().map(|page| room_of(page, *pair));
        rooms.collect::<BTreeSet<&str>>().len() > 1
    });
    assert!(changes.count() > 2, "pairs change rooms");
}
