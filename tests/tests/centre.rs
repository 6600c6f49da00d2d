//! Clubs with real daemons join a real centre with a real `PostgreSQL`: what is agreed at their tables
//! is one field.

#[path = "centre_parts/congress.rs"]
mod congress;
#[path = "centre_parts/rooms.rs"]
mod rooms;

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use bench_parts::{Organiser, Postgres, Program};
use serde_json::{Value, json};
use tests::daemon::{Daemon, binary};

const PASSWORD: &str = "the seven of diamonds";

/// From a table to the centre and back, on a machine that does other things as well.
const PATIENCE: Duration = Duration::from_mins(1);

/// A centre as a process of its own.
struct Centre {
    postgres: Postgres,
    process: Program,
    address: String,
}

impl Centre {
    fn start() -> Self {
        let postgres = Postgres::start();
        set_password(&postgres);
        let (process, address) = serve(&postgres, "127.0.0.1:0");
        Self {
            postgres,
            process,
            address,
        }
    }

    fn start_again(&mut self) {
        let place = self.address.trim_start_matches("http://");
        let place = place.trim_end_matches('/').to_owned();
        (self.process, _) = serve(&self.postgres, &place);
    }

    fn ranking(&self, event: i32) -> Value {
        let asked = ureq::get(format!("{}event/{event}/ranking.json", self.address)).call();
        asked.map_or(Value::Null, |mut answer| {
            answer.body_mut().read_json().expect("a ranking")
        })
    }
}

fn set_password(postgres: &Postgres) {
    use std::io::Write as _;
    let mut setting = Command::new(binary())
        .args(["centre", "--set-password", "--database"])
        .arg(postgres.address())
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .expect("the program starts");
    let mut keyboard = setting.stdin.take().expect("a keyboard");
    writeln!(keyboard, "{PASSWORD}").expect("typed");
    drop(keyboard);
    assert!(setting.wait().is_ok_and(|it| it.success()));
}

fn serve(postgres: &Postgres, listen: &str) -> (Program, String) {
    let mut command = Command::new(binary());
    command.args(["centre", "--listen", listen]);
    // Where no list of processes shows it.
    command.env("BYESTAND_DATABASE", postgres.address());
    let mut process = Program::start(command.stdin(Stdio::null()));
    let address = process.wait_for("The centre is ready: ");
    (process, address)
}

/// A club with one section of four tables, without pads: what it says is typed in.
fn club() -> Daemon {
    let daemon = Daemon::start_with(&[], 19_200, &["--radio", "none"]);
    daemon.open_evening(8);
    daemon
}

/// Table A1 has played board 1.
fn agreed(daemon: &Daemon, contract: &str, result: &str) -> Value {
    let played = json!({"kind": "Played", "contract": contract, "declarer": "S", "result": result});
    let line = json!({"table": "A1", "round": 1, "board": 1, "result": played});
    let answer = daemon.post("lines/rule", &line);
    assert!(answer["seq"].is_u64(), "refused: {answer}");
    answer["seq"].clone()
}

fn join(daemon: &Daemon, address: &str, code: &str) -> Value {
    let wanted = json!({"address": address, "code": code});
    daemon.post("centre", &wanted)
}

/// Percentages of a club's pairs in the field, the better one first.
fn percentages(daemon: &Daemon, expected: [f64; 2]) {
    daemon.wait_for("centre", |told| {
        let pairs = told["field"]["pairs"].as_array()?;
        let mut percents = pairs.iter().map(|pair| pair["percent"].as_f64());
        let percents = [percents.next()??, percents.next()??];
        let mut both = percents.iter().zip(expected);
        both.all(|(told, own)| (told - own).abs() < 0.005)
            .then_some(())
    });
}

#[test]
fn two_clubs_with_real_daemons_are_one_field_whatever_is_corrected_or_cut_off() {
    let mut centre = Centre::start();
    let organiser = Organiser::sign_in(&centre.address, PASSWORD).expect("signed in");
    let event = organiser.event("Simultaneous pairs");
    let codes = organiser.clubs(event, "Riverside; North\nHillside; South");
    let (mut river, hill) = (club(), club());
    agreed(&river, "4S", "=");
    let refused = join(&river, &centre.address, "AAAA-BBBB-CCCC-DDDD");
    let told = refused["problem"].as_str().expect("a sentence");
    assert!(told.contains("ask the organiser for a new one"), "{told}");
    for (daemon, code) in [(&river, &codes[0]), (&hill, &codes[1])] {
        let joined = join(daemon, &centre.address, code);
        assert_eq!(joined["joined"], true, "{joined}");
        assert_eq!(joined["event"], "Simultaneous pairs");
    }
    // Both made ten tricks; one of them had bid game.
    agreed(&hill, "3S", "+1");
    percentages(&river, [100.0, 0.0]);
    percentages(&hill, [100.0, 0.0]);
    let ns = best_of(&centre, event, "Riverside").expect("it has played");

    // A correction flows, and so does its undoing.
    let corrected = agreed(&river, "4S", "-1");
    let best = |centre: &Centre| best_of(centre, event, "Riverside");
    wait_until(|| best(&centre).is_some_and(|best| best != ns));
    river.do_as_director(
        "undo",
        &json!({"change": corrected, "why": "the wrong table"}),
    );
    wait_until(|| best(&centre).as_ref() == Some(&ns));

    // The centre is away: the club plays on, and nothing is lost.
    centre.process.kill();
    agreed(&river, "2S", "-3");
    river.wait_for("centre", |told| told["problem"].is_string().then_some(()));
    river.start_again();
    centre.start_again();
    wait_until(|| best(&centre).is_some_and(|best| best != ns));
    river.wait_for("centre", |told| {
        (told["sent"] == told["all"] && told["problem"].is_null()).then_some(())
    });
    let counted = centre
        .postgres
        .ask("SELECT count(*), count(DISTINCT (base, seq)) FROM record");
    let (all, different) = counted.split_once('|').expect("two numbers");
    assert_eq!(all, different, "nothing is there twice");
}

fn wait_until(mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < PATIENCE, "it becomes so");
        std::thread::sleep(Duration::from_millis(200));
    }
}

/// The better one of a club's two pairs.
fn best_of(centre: &Centre, event: i32, club: &str) -> Option<String> {
    let ranking = centre.ranking(event);
    let pairs = ranking["pairs"].as_array()?;
    let best = pairs
        .iter()
        .find(|pair| pair["club_name"] == club && pair["rank"] == 1);
    Some(best?["pair"].as_str()?.to_owned())
}

#[test]
fn a_base_whose_folder_went_back_is_told_and_one_whose_laptop_was_lost_is_replaced() {
    let centre = Centre::start();
    let organiser = Organiser::sign_in(&centre.address, PASSWORD).expect("signed in");
    let event = organiser.event("Simultaneous pairs");
    let codes = organiser.clubs(event, "Riverside");
    let mut river = club();
    agreed(&river, "4S", "=");
    let joined = join(&river, &centre.address, &codes[0]);
    assert_eq!(joined["joined"], true, "{joined}");
    let all_is_there =
        |told: &Value| (told["all"] != 0 && told["sent"] == told["all"]).then_some(());
    river.wait_for("centre", all_is_there);
    // What was written for the centre goes back to what it was this morning.
    let records = river.data().join("centre/records");
    let old = std::fs::read(&records).expect("it was written");
    agreed(&river, "4S", "-1");
    river.wait_for("centre", |told| {
        let more = told["all"].as_u64()? > 3;
        (more && told["sent"] == told["all"]).then_some(())
    });
    river.kill();
    std::fs::write(&records, old).expect("it is put back");
    river.start_again();
    let problem = river.wait_for("centre", |told| told["problem"].as_str().map(str::to_owned));
    assert!(
        problem.contains("another copy of this data folder"),
        "{problem}"
    );

    // The director asks for a new code, and all that the club has counts again.
    let club = centre.postgres.ask("SELECT club FROM club");
    let code = organiser.new_code(event, club.parse().expect("a number"));
    let refused = join(&river, &centre.address, &code);
    assert!(
        refused["problem"].is_string(),
        "it has to leave first: {refused}"
    );
    let left = river.remove("centre");
    assert_eq!(left["joined"], false, "{left}");
    let joined = join(&river, &centre.address, &code);
    assert_eq!(joined["joined"], true, "{joined}");
    river.wait_for("centre", all_is_there);
    assert_eq!(
        centre
            .postgres
            .ask("SELECT count(*) FROM base WHERE retired IS NULL"),
        "1"
    );
    wait_until(|| {
        centre.ranking(event)["pairs"]
            .as_array()
            .is_some_and(|it| it.len() == 2)
    });
}

#[test]
fn what_waits_is_sent_before_a_club_leaves_and_when_it_goes_on_with_another_session() {
    let mut centre = Centre::start();
    let organiser = Organiser::sign_in(&centre.address, PASSWORD).expect("signed in");
    let event = organiser.event("Simultaneous pairs");
    let codes = organiser.clubs(event, "Riverside\nHillside");
    let (river, hill) = (club(), club());
    for (daemon, code) in [(&river, &codes[0]), (&hill, &codes[1])] {
        agreed(daemon, "4S", "=");
        let joined = join(daemon, &centre.address, code);
        assert_eq!(joined["joined"], true, "{joined}");
        daemon.wait_for("centre", |told| {
            (told["all"] != 0 && told["sent"] == told["all"]).then_some(())
        });
    }
    centre.process.kill();
    for daemon in [&river, &hill] {
        agreed(daemon, "4S", "-1");
        daemon.wait_for("centre", |told| {
            let waits = told["sent"].as_u64()? < told["all"].as_u64()?;
            (waits && told["problem"].is_string()).then_some(())
        });
    }
    // Whoever leaves now would leave without saying something.
    let refused = river.remove("centre");
    let told = refused["problem"].as_str().expect("a sentence");
    assert!(told.contains("not reached the centre"), "{told}");
    // The other one goes on with another session.
    let next = json!({"name": "Tuesday", "date": "2026-11-17"});
    hill.do_as_director("calendar/events", &next);
    centre.start_again();
    for daemon in [&river, &hill] {
        daemon.wait_for("centre", |told| (told["sent"] == told["all"]).then_some(()));
    }
    let corrected = centre
        .postgres
        .ask("SELECT count(*) FROM record WHERE text LIKE '%\"score\":-%'");
    assert_eq!(corrected, "2");
    hill.wait_for("centre", |told| {
        let problem = told["problem"].as_str()?;
        problem.contains("nother session").then_some(())
    });
    let left = river.remove("centre");
    assert_eq!(left["joined"], false, "{left}");

    // A club that the organiser takes out is told so.
    let club = centre
        .postgres
        .ask("SELECT club FROM club WHERE name = 'Hillside'");
    organiser.withdraw(event, club.parse().expect("a number"));
    hill.wait_for("centre", |told| {
        let problem = told["problem"].as_str()?;
        problem.contains("out of the event").then_some(())
    });
}

#[test]
fn a_stolen_laptop_is_replaced_from_the_sealed_copy_at_the_centre_within_a_minute() {
    let centre = Centre::start();
    let organiser = Organiser::sign_in(&centre.address, PASSWORD).expect("signed in");
    let event = organiser.event("Simultaneous pairs");
    let codes = organiser.clubs(event, "Riverside");
    let mut river = club();
    let wanted = json!({"address": centre.address, "code": codes[0], "copy": true});
    let joined = river.post("centre", &wanted);
    assert_eq!(joined["copy"], true, "{joined}");
    agreed(&river, "4S", "=");
    let journal = river.get("view")["seq"].as_u64().expect("a place");
    let reaches = || {
        let upto = centre
            .postgres
            .ask("SELECT coalesce(max(upto), 0) FROM copy");
        upto.parse::<u64>().expect("a place") >= journal
    };
    wait_until(reaches);
    let pieces = centre
        .postgres
        .ask("SELECT string_agg(sealed, ' ') FROM copy_piece");
    assert!(is_sealed(&pieces), "the centre's operator reads nothing");

    // The laptop is gone. Somebody without the club's key gets nothing.
    river.kill();
    let stranger = tempfile::tempdir().expect("a folder");
    std::fs::write(stranger.path().join("club.key"), "11".repeat(32)).expect("a key");
    let refused = Command::new(binary())
        .args(["serve", "--radio", "none", "--listen", "127.0.0.1:0"])
        .args(["--restore-from", &centre.address, "--data"])
        .arg(stranger.path())
        .output()
        .expect("it ends");
    let told = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(!refused.status.success());
    assert!(told.contains("no copy that this club key opens"), "{told}");

    // With it, a new one is there at once, with everything.
    let begun = Instant::now();
    let words = ["--radio", "none", "--restore-from", &centre.address];
    let second = Daemon::start_with(&[], 19_200, &words);
    assert!(
        begun.elapsed() < Duration::from_mins(1),
        "{:?}",
        begun.elapsed()
    );
    let told = second.get("tables/A1/rounds/1").to_string();
    assert!(told.contains("\"score\":420"), "{told}");
    second.wait_for("centre", |told| {
        let all = told["joined"] == true && told["all"] != 0;
        (all && told["sent"] == told["all"]).then_some(())
    });
    agreed(&second, "4S", "-1");
    let negative = "SELECT count(*) FROM record WHERE text LIKE '%\"score\":-%'";
    wait_until(|| centre.postgres.ask(negative) == "1");

    // The first one turns up again: it is told, and changes nothing.
    river.start_again();
    agreed(&river, "4S", "-3");
    let problem = river.wait_for("centre", |told| told["problem"].as_str().map(str::to_owned));
    assert!(problem.contains("taken this one's place"), "{problem}");
    assert_eq!(centre.postgres.ask(negative), "1");
    let upto = centre.postgres.ask("SELECT upto FROM copy");
    std::thread::sleep(Duration::from_secs(6));
    let later = second.get("view")["seq"].as_u64().expect("a place");
    wait_until(|| centre.postgres.ask("SELECT upto FROM copy") == later.to_string());
    assert!(upto.parse::<u64>().is_ok_and(|upto| upto <= later));
    let page = organiser.page(event);
    assert!(
        page.contains("a base station that was replaced still sends"),
        "{page}"
    );
}

#[test]
fn a_new_laptop_is_made_from_the_sealed_copy_on_its_page() {
    let centre = Centre::start();
    let organiser = Organiser::sign_in(&centre.address, PASSWORD).expect("signed in");
    let event = organiser.event("Simultaneous pairs");
    let codes = organiser.clubs(event, "Riverside");
    let mut river = club();
    agreed(&river, "4S", "=");
    let wanted = json!({"address": centre.address, "code": codes[0], "copy": true});
    assert_eq!(river.post("centre", &wanted)["joined"], true);
    river.wait_for("centre", |told| told["copied_ms"].as_u64());
    river.kill();
    let mut second = Daemon::start_with(&[], 19_200, &["--radio", "none"]);
    let at = json!({"address": centre.address});
    let back = second.post("centre/restore", &at);
    assert!(back["records"].as_u64().is_some_and(|it| it > 3), "{back}");
    second.wait_until_ready_again();
    let told = second.get("tables/A1/rounds/1").to_string();
    assert!(told.contains("\"score\":420"), "{told}");
    second.wait_for("centre", |told| {
        (told["joined"] == true && told["sent"] == told["all"] && told["all"] != 0).then_some(())
    });
}

/// Whether nothing of what is in a journal can be read in the pieces, sealed in base64 each.
fn is_sealed(pieces: &str) -> bool {
    use base64::Engine as _;
    let engine = base64::engine::general_purpose::URL_SAFE_NO_PAD;
    let words: [&[u8]; 4] = [b"rows", b"journal", b"section", b"Monday"];
    let mut pieces = pieces.split_whitespace().peekable();
    pieces.peek().is_some()
        && pieces.all(|piece| {
            let bytes = engine.decode(piece).expect("base64");
            let has = |word: &[u8]| bytes.windows(word.len()).any(|part| part == word);
            !words.iter().any(|word| has(word))
        })
}

#[test]
fn the_director_of_a_congress_sees_all_rooms_and_their_categories() {
    let centre = Centre::start();
    let organiser = Organiser::sign_in(&centre.address, PASSWORD).expect("signed in");
    let event = organiser.congress("Spring congress");
    let codes = organiser.clubs(event, "Green room\nBlue room");
    let (green, blue) = (club(), club());
    for (daemon, code) in [(&green, &codes[0]), (&blue, &codes[1])] {
        let joined = join(daemon, &centre.address, code);
        assert_eq!(joined["joined"], true, "{joined}");
    }
    agreed(&green, "4S", "=");
    agreed(&blue, "4S", "-1");
    wait_until(|| {
        let page = organiser.rooms(event);
        let rooms = page.contains("Green room") && page.contains("Blue room");
        rooms && page.matches("round 1 <span>1/").count() == 2
    });
    let page = organiser.rooms(event);
    assert!(page.contains("Nobody calls the director"), "{page}");
    let refused = green.put("centre/categories", &json!({"categories": "Seniors"}));
    let told = refused["problem"].as_str().expect("a sentence");
    assert!(told.contains("A7NS Seniors"), "{told}");
    let pair = green.wait_for("centre", |told| {
        Some(told["field"]["pairs"][0]["pair"].as_str()?.to_owned())
    });
    let typed = json!({"categories": format!("{pair} Seniors\n")});
    let set = green.put("centre/categories", &typed);
    assert!(set["problem"].is_null(), "{set}");
    wait_until(|| {
        centre
            .ranking(event)
            .to_string()
            .contains("\"category\":\"Seniors\"")
    });
}
