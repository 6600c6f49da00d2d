//! Stories of a centre with a real `PostgreSQL`, asked over HTTP as bases and browsers do.

#[path = "../examples/clubs/base.rs"]
mod base;
#[path = "database/served.rs"]
mod served;

use std::time::{Duration, Instant};

use base::{Base, join, send};
use bench_parts::Organiser;
use centre::{Became, Line, Outcome, PairSaid, Phase, Refused, Said};
use ed25519_dalek::SigningKey;
use serde_json::Value;
use served::{Centre, serve};

const PASSWORD: &str = "the seven of diamonds";

/// How long a result may take from a base to a ranking, on a machine that does other things.
const PATIENCE: Duration = Duration::from_secs(30);

fn line(table: u16, board: u8, score: i16) -> Said {
    let place = format!("[\"A\",{table},1,{board}]");
    Said::Line(Line {
        place: serde_json::from_str(&place).expect("a place"),
        ns: Some(format!("A{table}NS").parse().expect("a pair")),
        ew: Some(format!("A{table}EW").parse().expect("a pair")),
        became: Became::Score(score),
        form: 0,
        fault: [scoring::Fault::None; 2],
    })
}

fn names(pair: &str, names: [&str; 2]) -> Said {
    Said::Pair(about(pair, names))
}

fn about(pair: &str, names: [&str; 2]) -> PairSaid {
    PairSaid {
        pair: pair.parse().expect("a pair"),
        players: Some(names.map(str::to_owned)),
        category: None,
        gone: false,
        penalties: Vec::new(),
    }
}

fn taken(base: &mut Base, centre: &Centre) {
    let outcome = base.push(&centre.agent, &centre.address);
    assert!(matches!(outcome, Some(Outcome::Taken(_))), "{outcome:?}");
    assert_eq!(base.sent, base.texts.len());
}

#[test]
fn two_clubs_are_one_field_and_a_correction_changes_both() {
    let centre = Centre::with("Riverside; North\nHillside; South");
    let mut river = centre.join(&centre.codes[0], 1);
    let mut hill = centre.join(&centre.codes[1], 2);
    river.say(line(1, 1, 620));
    taken(&mut river, &centre);
    hill.say(line(1, 1, 170));
    hill.say(names("A1EW", ["Ash", "Birch"]));
    taken(&mut hill, &centre);
    centre.ranks(&[
        ("Riverside A1NS", 1, 100.0),
        ("Hillside A1EW", 1, 100.0),
        ("Riverside A1EW", 3, 0.0),
        ("Hillside A1NS", 3, 0.0),
    ]);
    river.say(line(1, 1, -100));
    taken(&mut river, &centre);
    centre.ranks(&[
        ("Riverside A1EW", 1, 100.0),
        ("Hillside A1NS", 1, 100.0),
        ("Riverside A1NS", 3, 0.0),
        ("Hillside A1EW", 3, 0.0),
    ]);
    let (_, page) = centre.get(&format!("event/{}", centre.event));
    assert!(
        page.contains("Ash – Birch") && page.contains("Riverside"),
        "{page}"
    );
    let (_, page) = centre.get(&format!("event/{}?region=South", centre.event));
    assert!(page.contains("Ash – Birch") && !page.contains("Pair NS A1</td><td>Riverside"));
}

#[test]
fn a_club_reads_how_its_own_pairs_stand_and_no_board_that_it_has_not_played() {
    let centre = Centre::with("Riverside\nHillside");
    let mut river = centre.join(&centre.codes[0], 1);
    let mut hill = centre.join(&centre.codes[1], 2);
    river.say(line(1, 1, 620));
    river.say(line(2, 1, 170));
    hill.say(line(1, 1, 170));
    hill.say(line(1, 2, 50));
    taken(&mut river, &centre);
    taken(&mut hill, &centre);
    let ask = |base: &Base, token: &str| {
        let asked = format!("{}api/field?base={}", centre.address, base.joined.base);
        let asked = centre.agent.get(asked);
        let asked = asked.header("authorization", format!("Bearer {token}"));
        let mut answer = asked.call().expect("the centre answers");
        let field: Value = answer.body_mut().read_json().expect("a field");
        (answer.status().as_u16(), field)
    };
    let begun = Instant::now();
    let field = loop {
        let (status, field) = ask(&river, &river.joined.token);
        assert_eq!(status, 200);
        if field["pairs_in_all"] == 6 {
            break field;
        }
        assert!(begun.elapsed() < PATIENCE, "{field}");
        std::thread::sleep(Duration::from_millis(50));
    };
    let boards = field["boards"].as_array().expect("boards");
    assert_eq!(boards.len(), 1, "only what Riverside has played: {field}");
    assert_eq!(boards[0]["scores"][0]["score"], 620);
    assert_eq!(boards[0]["scores"][1]["times"], 2);
    assert_eq!(boards[0]["lines"][0][1], 10_000);
    assert_eq!(boards[0]["lines"][1][1], 2_500);
    let pairs = field["pairs"].as_array().expect("pairs");
    assert_eq!(pairs.len(), 4);
    // Somebody else's token opens nothing.
    assert_eq!(ask(&river, &hill.joined.token).0, 401);
    // Nobody sees a board while somebody still plays it.
    let board = format!("event/{}/board/1", centre.event);
    assert_eq!(centre.get(&board).0, 409);
    for base in [&mut river, &mut hill] {
        base.say(Said::Phase(Phase::Over));
        taken(base, &centre);
    }
    let begun = Instant::now();
    while centre.get(&board).0 != 200 {
        assert!(begun.elapsed() < PATIENCE, "the last club has played");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_copy_that_goes_on_elsewhere_changes_nothing_and_the_organiser_is_told() {
    let centre = Centre::with("Riverside");
    let mut river = centre.join(&centre.codes[0], 1);
    river.say(line(1, 1, 620));
    taken(&mut river, &centre);
    let mut copy = river.clone();
    river.say(line(2, 1, 170));
    taken(&mut river, &centre);
    copy.say(line(2, 1, -800));
    let outcome = copy.push(&centre.agent, &centre.address);
    assert_eq!(outcome, Some(Outcome::Refused(Refused::Fork { at: 2 })));
    let page = centre.organiser.page(centre.event);
    assert!(page.contains("two copies of its base station"), "{page}");
    // The organiser decides for the copy: a new code, and all that it has counts instead.
    let code = centre.organiser.new_code(centre.event, river.joined.club);
    let mut fresh = centre.join(&code, 2);
    fresh.say(line(1, 1, 620));
    fresh.say(line(2, 1, -800));
    taken(&mut fresh, &centre);
    river.say(line(2, 1, 1100));
    let outcome = river.push(&centre.agent, &centre.address);
    assert_eq!(outcome, Some(Outcome::Retired));
    centre.ranks(&[
        ("Riverside A1NS", 1, 100.0),
        ("Riverside A2EW", 1, 100.0),
        ("Riverside A2NS", 3, 0.0),
        ("Riverside A1EW", 3, 0.0),
    ]);
    let page = centre.organiser.page(centre.event);
    assert!(
        page.contains("a base station that was replaced still sends"),
        "{page}"
    );
}

#[test]
fn nobody_speaks_for_another_base_and_a_code_counts_once() {
    let centre = Centre::with("Riverside\nHillside");
    let mut river = centre.join(&centre.codes[0], 1);
    river.say(line(1, 1, 620));
    let stranger = SigningKey::from_bytes(&[9; 32]);
    let forged = send(
        &centre.agent,
        &centre.address,
        &stranger,
        &river.batch(0, 1),
    );
    assert_eq!(forged, Some(Outcome::NotSigned));
    taken(&mut river, &centre);
    let page = centre.organiser.page(centre.event);
    assert!(page.contains("has not signed"), "{page}");
    let again = join(
        &centre.agent,
        &centre.address,
        &centre.codes[0],
        stranger.clone(),
    );
    assert!(again.is_err_and(|told| told.contains("used already")));
    // Who lost the answer asks again with the same key, and is the same base.
    let same = centre.join(&centre.codes[0], 1);
    assert_eq!(same.joined.base, river.joined.base);
    assert!(Organiser::sign_in(&centre.address, "the six of diamonds").is_err());
    let keeps = centre
        .postgres
        .ask("SELECT count(*) FROM setting WHERE value LIKE '%diamonds%'");
    assert_eq!(keeps, "0", "no password is kept");
}

#[test]
fn a_result_is_final_when_every_club_has_released_and_then_stays_as_it_is() {
    let centre = Centre::with("Riverside\nHillside");
    let mut river = centre.join(&centre.codes[0], 1);
    let mut hill = centre.join(&centre.codes[1], 2);
    for (base, score) in [(&mut river, 620), (&mut hill, 170)] {
        base.say(line(1, 1, score));
        taken(base, &centre);
    }
    river.say(Said::Phase(Phase::Released));
    taken(&mut river, &centre);
    let (status, page) = centre.organiser.make_final(centre.event);
    assert_eq!(status, 409);
    assert!(page.contains("1 have not (Hillside)"), "{page}");
    hill.say(Said::Phase(Phase::Released));
    taken(&mut hill, &centre);
    assert_eq!(centre.organiser.make_final(centre.event).0, 303);
    hill.say(line(1, 1, 1100));
    let outcome = hill.push(&centre.agent, &centre.address);
    assert_eq!(outcome, Some(Outcome::Final));
    let (_, text) = centre.get(&format!("event/{}/final.json", centre.event));
    let signed: Value = serde_json::from_str(&text).expect("a result");
    let result = signed["result"].as_str().expect("a text");
    assert!(result.contains("\"rank\":1"), "{result}");
    assert!(is_signed(result, &signed["signature"], &signed["key"]));
    assert!(!is_signed(
        &result.replace("100.0", "99.0"),
        &signed["signature"],
        &signed["key"]
    ));
}

/// As an outsider checks it.
fn is_signed(text: &str, signature: &Value, key: &Value) -> bool {
    use base64::Engine as _;
    let bytes = |value: &Value| {
        let text = value.as_str().expect("base64");
        let engine = base64::engine::general_purpose::URL_SAFE_NO_PAD;
        engine.decode(text).expect("base64")
    };
    let key: [u8; 32] = bytes(key).try_into().expect("a key");
    let key = ed25519_dalek::VerifyingKey::from_bytes(&key).expect("a key");
    let signature: [u8; 64] = bytes(signature).try_into().expect("a signature");
    let said = format!("byestand centre 1\n{text}");
    key.verify_strict(
        said.as_bytes(),
        &ed25519_dalek::Signature::from_bytes(&signature),
    )
    .is_ok()
}

#[test]
fn two_centres_and_a_database_that_dies_lose_nothing() {
    let mut centre = Centre::with("Riverside");
    let other = serve(centre.postgres.address());
    let mut river = centre.join(&centre.codes[0], 1);
    river.say(line(1, 1, 620));
    taken(&mut river, &centre);
    centre.postgres.kill();
    river.say(line(2, 1, 170));
    let outcome = river.push(&centre.agent, &centre.address);
    assert_eq!(outcome, Some(Outcome::NotNow));
    centre.postgres.start_again();
    let begun = Instant::now();
    while !matches!(river.push(&centre.agent, &other), Some(Outcome::Taken(_))) {
        assert!(begun.elapsed() < PATIENCE, "the other one takes it");
        std::thread::sleep(Duration::from_millis(100));
    }
    // The first one hears of it, too.
    centre.ranks(&[
        ("Riverside A1NS", 1, 100.0),
        ("Riverside A2EW", 1, 100.0),
        ("Riverside A2NS", 3, 0.0),
        ("Riverside A1EW", 3, 0.0),
    ]);
    assert_eq!(centre.postgres.ask("SELECT count(*) FROM record"), "2");
}

#[test]
fn a_club_that_is_withdrawn_counts_no_more_and_all_that_it_said_counts_when_it_is_taken_back() {
    let centre = Centre::with("Riverside\nHillside");
    let mut river = centre.join(&centre.codes[0], 1);
    let mut hill = centre.join(&centre.codes[1], 2);
    river.say(line(1, 1, 620));
    taken(&mut river, &centre);
    hill.say(line(1, 1, 170));
    taken(&mut hill, &centre);
    let both = [
        ("Riverside A1NS", 1, 100.0),
        ("Hillside A1EW", 1, 100.0),
        ("Riverside A1EW", 3, 0.0),
        ("Hillside A1NS", 3, 0.0),
    ];
    centre.ranks(&both);
    centre.organiser.withdraw(centre.event, hill.joined.club);
    let begun = Instant::now();
    while centre.ranking()["pairs"].as_array().map_or(0, Vec::len) != 2 {
        assert!(begun.elapsed() < PATIENCE, "{}", centre.ranking());
        std::thread::sleep(Duration::from_millis(50));
    }
    // What it says meanwhile is taken, and waits.
    hill.say(line(1, 1, -800));
    hill.say(line(1, 1, 170));
    taken(&mut hill, &centre);
    centre.organiser.withdraw(centre.event, hill.joined.club);
    centre.ranks(&both);
}

#[test]
fn a_page_is_made_once_for_all_its_readers_and_whoever_has_it_is_told_only_of_what_is_later() {
    let centre = Centre::with("Riverside");
    let mut river = centre.join(&centre.codes[0], 1);
    river.say(line(1, 1, 620));
    river.say(line(2, 1, 170));
    taken(&mut river, &centre);
    centre.ranks(&[
        ("Riverside A1NS", 1, 100.0),
        ("Riverside A2EW", 1, 100.0),
        ("Riverside A2NS", 3, 0.0),
        ("Riverside A1EW", 3, 0.0),
    ]);
    let page = format!("{}event/{}", centre.address, centre.event);
    let get = |tag: &str| {
        let asked = centre.agent.get(&page).header("if-none-match", tag);
        let mut answer = asked.call().expect("the centre answers");
        let tag = answer
            .headers()
            .get("etag")
            .map(|it| it.to_str().map(str::to_owned));
        let tag = tag.expect("a tag").expect("letters");
        let body = answer.body_mut().read_to_string().expect("a page");
        (answer.status().as_u16(), tag, body)
    };
    let (status, tag, body) = get("");
    assert_eq!(status, 200);
    let stamp = body.split_once("data-stamp=\"").expect("a stamp").1;
    let stamp = stamp.split_once('"').expect("a stamp").0.to_owned();
    let (status, _, body) = get(&tag);
    assert_eq!((status, body.as_str()), (304, ""));

    // The page hears nothing of what it has, and of the next moment at once.
    let events = format!("{page}/events?after={stamp}");
    let stream = centre.agent.get(events).call().expect("a stream");
    let mut lines = std::io::BufReader::new(stream.into_body().into_reader());
    river.say(line(2, 1, 660));
    taken(&mut river, &centre);
    let mut told = String::new();
    while !told.starts_with("data:") {
        told.clear();
        std::io::BufRead::read_line(&mut lines, &mut told).expect("a line");
    }
    let later = told.trim_start_matches("data:").trim();
    assert_ne!(later, stamp);
    assert_eq!(get(&tag).0, 200);
    // Whoever comes back says what it heard last, whatever its page began with.
    let events = format!("{page}/events?after={stamp}");
    let asked = centre.agent.get(events).header("last-event-id", later);
    let asked = asked
        .config()
        .timeout_recv_body(Some(Duration::from_secs(4)))
        .build();
    let stream = asked.call().expect("a stream");
    let mut lines = std::io::BufReader::new(stream.into_body().into_reader());
    let mut told = String::new();
    while let Ok(len) = std::io::BufRead::read_line(&mut lines, &mut told) {
        assert!(len > 0 && !told.contains("data:"), "{told}");
    }
}

#[test]
fn a_category_has_a_ranking_of_its_own_and_the_whole_event_is_a_file_for_other_programs() {
    let centre = Centre::with("Riverside; North\nHillside; South");
    let mut river = centre.join(&centre.codes[0], 1);
    let mut hill = centre.join(&centre.codes[1], 2);
    river.say(line(1, 1, 620));
    hill.say(line(1, 1, 170));
    hill.say(Said::Pair(PairSaid {
        category: Some("Seniors".to_owned()),
        ..about("A1EW", ["Ash", "Birch"])
    }));
    hill.say(Said::Pair(PairSaid {
        category: Some("Seniors".to_owned()),
        ..about("A1NS", ["Cedar", "Elm & Sons"])
    }));
    taken(&mut river, &centre);
    taken(&mut hill, &centre);
    centre.ranks(&[
        ("Riverside A1NS", 1, 100.0),
        ("Hillside A1EW", 1, 100.0),
        ("Riverside A1EW", 3, 0.0),
        ("Hillside A1NS", 3, 0.0),
    ]);
    let (_, page) = centre.get(&format!("event/{}?category=Seniors", centre.event));
    let (ranking, _) = page
        .split_once("<table class=\"clubs\"")
        .expect("two lists");
    assert!(ranking.contains("Ash – Birch") && ranking.contains("Cedar"));
    assert!(!ranking.contains("Riverside"), "{ranking}");
    let file = format!("event/{}/usebio.xml", centre.event);
    assert_eq!(centre.get(&file).0, 409, "boards are still played");
    for base in [&mut river, &mut hill] {
        base.say(Said::Phase(Phase::Over));
        taken(base, &centre);
    }
    let begun = Instant::now();
    let xml = loop {
        let (status, xml) = centre.get(&file);
        if status == 200 {
            break xml;
        }
        assert!(begun.elapsed() < PATIENCE, "the last club has played");
        std::thread::sleep(Duration::from_millis(50));
    };
    assert_eq!(xml.matches("<PAIR>").count(), 4, "{xml}");
    assert_eq!(xml.matches("<TRAVELLER_LINE>").count(), 2, "{xml}");
    assert!(
        xml.contains("<PLAYER_NAME>Elm &amp; Sons</PLAYER_NAME>"),
        "{xml}"
    );
    assert!(
        xml.contains("<NS_MATCH_POINTS>2</NS_MATCH_POINTS>"),
        "{xml}"
    );
    assert!(xml.contains("<PERCENTAGE>100.00</PERCENTAGE>"), "{xml}");
}
