//! Rooms of one congress without pads: what their director does is typed in.

use std::process::{Command, Stdio};

use bench_parts::{Organiser, Postgres, Program};
use serde_json::{Value, json};
use tests::daemon::{Daemon, binary};
use tests::pads::Pads;

use super::congress::{has_taken, is_played};
use super::{Centre, PASSWORD, join, wait_until};

const BAUD: u32 = 19_200;

/// A laptop with an evening that has no section yet.
fn laptop() -> Daemon {
    let daemon = Daemon::start_with(&[], BAUD, &["--radio", "none"]);
    daemon.choose_pin();
    let event = json!({"name": "Congress", "date": "2026-11-16"});
    daemon.do_as_director("calendar/events", &event);
    daemon
}

/// The pairs at a room's table in a round, as soon as they are there.
fn pairs(daemon: &Daemon, round: u8) -> Vec<String> {
    has_taken(daemon, round);
    let sheet = daemon.get(&format!("tables/A1/rounds/{round}"));
    let names = [&sheet["ns_name"], &sheet["ew_name"]];
    let names = names.map(|it| it.as_str().expect("a name").to_owned());
    names.into()
}

fn plays(daemon: &Daemon, round: u8, board: u8, contract: &str) {
    let played = json!({"kind": "Played", "contract": contract, "declarer": "S", "result": "="});
    let line = json!({"table": "A1", "round": round, "board": board, "result": played});
    let answer = daemon.post("lines/rule", &line);
    assert!(answer["seq"].is_u64(), "refused: {answer}");
}

#[test]
fn a_call_from_a_room_is_settled_on_the_page_of_all_rooms() {
    let centre = Centre::start();
    let organiser = Organiser::sign_in(&centre.address, PASSWORD).expect("signed in");
    let event = organiser.congress("Spring congress");
    let codes = organiser.clubs(event, "Green room");
    let mut pads = Pads::new(1, BAUD);
    let green = Daemon::start(&[std::path::Path::new(pads.radio())], BAUD);
    green.open_evening(8);
    let joined = join(&green, &centre.address, &codes[0]);
    assert_eq!(joined["joined"], true, "{joined}");
    pads.enter(1, 1, 1, bench_parts::played("3NT S ="));
    pads.play_until(1, std::time::Duration::from_mins(1));
    pads.call(1);
    let calls = |daemon: &Daemon| {
        daemon
            .get("view")
            .to_string()
            .contains("\"calling_since_ms\":1")
    };
    wait_until(|| {
        pads.play_for(std::time::Duration::from_millis(300));
        organiser.rooms(event).contains("rooms/settled")
    });
    assert!(calls(&green), "{}", green.get("view"));
    assert_eq!(organiser.settle_calls(event), 1);
    wait_until(|| {
        pads.play_for(std::time::Duration::from_millis(300));
        organiser.rooms(event).contains("Nobody calls the director") && !calls(&green)
    });
}

#[test]
fn rounds_are_drawn_over_two_rooms_and_the_next_session_goes_on_from_the_first() {
    let centre = Centre::start();
    let organiser = Organiser::sign_in(&centre.address, PASSWORD).expect("signed in");
    let event = organiser.swiss("Saturday", 2, 1);
    let refused = organiser.draw(event, 1);
    assert!(refused.contains("at least two pairs"), "{refused}");
    let codes = organiser.clubs(event, "Green room; 1\nBlue room; 1");
    let refused = organiser.pairs(event, "Ann Ash").expect_err("one player");
    assert!(refused.contains("Ann Ash; Bert Birch"), "{refused}");
    let entered = "Ann Ash; Bert Birch; Riverside\nCara Cole; Dan Dale\nEve Elm; Fay Fir; Riverside\nGus Gale; Hal Holt";
    organiser.pairs(event, entered).expect("entered");
    organiser
        .pairs(event, "4; Gus Gale; Hal Heath")
        .expect("put right");
    let laptops = [laptop(), laptop()];
    for (daemon, code) in laptops.iter().zip(&codes) {
        let joined = join(daemon, &centre.address, code);
        assert_eq!(joined["joined"], true, "{joined}");
    }
    let mut met = Vec::new();
    for round in 1..=2 {
        let drawn = organiser.draw(event, round);
        assert!(
            drawn.contains("Hal Heath") && drawn.contains("Blue room"),
            "{drawn}"
        );
        organiser.publish(event, &drawn).expect("published");
        for daemon in &laptops {
            met.push(pairs(daemon, round));
            if round == 1 {
                daemon.do_as_director("open", &json!({}));
            }
        }
        // Nobody has begun: it may be drawn again, and the rooms follow.
        if round == 1 {
            let again = organiser.draw(event, 1);
            organiser.publish(event, &again).expect("published again");
            let version = "SELECT max(version) FROM draw";
            assert_eq!(centre.postgres.ask(version), "2");
            met.clear();
            for daemon in &laptops {
                let taken = |it: &Value| it.to_string().matches("drawn at the centre").count();
                daemon.wait_for("history", |it| (taken(it) == 2).then_some(()));
                met.push(pairs(daemon, 1));
            }
        }
        plays(&laptops[0], round, round, "3NT");
        plays(&laptops[1], round, round, "1NT");
        wait_until(|| is_played(&centre, event, round));
        let refused = organiser.draw(event, round);
        assert!(refused.contains("has results already"), "{refused}");
    }
    let named: String = met.iter().flatten().cloned().collect();
    for player in ["Ann Ash", "Dan Dale", "Fay Fir", "Hal Heath"] {
        assert!(named.contains(player), "{named}");
    }
    for daemon in &laptops {
        daemon.do_as_director("end-play", &json!({}));
        daemon.do_as_director("release", &json!({"despite_checklist": true}));
    }
    wait_until(|| organiser.make_final(event).0 == 303);
    let before = centre.ranking(event)["standing"].clone();
    let (next, codes) = organiser.next_session(event, "Sunday");
    assert_eq!(codes.len(), 2);
    wait_until(|| centre.ranking(next)["standing"] == before);
    let drawn = organiser.draw(next, 1);
    organiser.publish(next, &drawn).expect("published");
    // Four pairs have met two of their three opponents: only one draw is left without a rematch.
    let laptops = [laptop(), laptop()];
    for (daemon, code) in laptops.iter().zip(&codes) {
        assert_eq!(join(daemon, &centre.address, code)["joined"], true);
        met.push(pairs(daemon, 1));
    }
    for two in &mut met {
        two.sort();
    }
    met.sort();
    met.dedup();
    assert_eq!(met.len(), 6, "everybody has met everybody: {met:?}");
}

#[test]
fn a_database_on_another_machine_is_reached_encrypted_and_only_one_that_is_trusted() {
    let mut postgres = Postgres::start();
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).expect("made");
    let certificate = made.cert.pem();
    let address = postgres.encrypt(&certificate, &made.signing_key.serialize_pem());
    let trusted = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(trusted.path(), &certificate).expect("written");
    let centre = || {
        let mut command = Command::new(binary());
        command.args(["centre", "--listen", "127.0.0.1:0"]);
        command
            .env("BYESTAND_DATABASE", &address)
            .stdin(Stdio::null());
        command
    };
    // Whoever is not trusted gets not even a name.
    let stranger = tempfile::NamedTempFile::new().expect("a file");
    let other = rcgen::generate_simple_self_signed(["localhost".to_owned()]).expect("made");
    std::fs::write(stranger.path(), other.cert.pem()).expect("written");
    let refused = centre().env("SSL_CERT_FILE", stranger.path()).output();
    let refused = refused.expect("it ends");
    let told = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(
        !refused.status.success() && told.contains("certificate"),
        "{told}"
    );
    let mut running = Program::start(centre().env("SSL_CERT_FILE", trusted.path()));
    running.wait_for("The centre is ready: ");
    let encrypted = "SELECT bool_and(ssl), count(*) > 0 FROM pg_stat_ssl
        JOIN pg_stat_activity USING (pid) WHERE application_name = 'byestand centre'";
    assert_eq!(postgres.ask(encrypted), "t|t");
}
