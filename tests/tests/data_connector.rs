//! A scoring program and the base station: the vendor's own client drives the real daemon, which
//! hears pads over a serial line and is killed in between. `tests/install programs` gets the client.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use protocol::words::{BoardResult, Contract, Doubling, Level, Played, Seat, Strain, Tricks};
use serde_json::{Value, json};
use tests::daemon::Daemon;
use tests::pads::Pads;
use tests::scoring_program::{Heard, INTERVAL_S, Place, Program, free_address};

const BAUD: u32 = 19_200;
const TABLES: u16 = 12;
const ROUNDS: u8 = 13;
const BOARDS: usize = 26;

/// From this round on the scoring program has another movement.
const CHANGED_FROM: u8 = 9;

/// Two pairs that exchange their places then.
const EXCHANGED: [i64; 2] = [5, 6];

/// How long all results of some rounds may take.
const PATIENCE: Duration = Duration::from_mins(4);

/// The first board of a table in a round, as the program's script has it.
fn first_board(table: u16, round: u8) -> u8 {
    let set = (table + u16::from(round) - 2) % u16::from(ROUNDS);
    u8::try_from(2 * set + 1).expect("26 boards")
}

/// East-West's number there.
fn east_west(table: i64, round: i64) -> i64 {
    let pair = (table - round).rem_euclid(i64::from(ROUNDS)) + 1;
    match EXCHANGED {
        [one, other] if round >= i64::from(CHANGED_FROM) && pair == one => other,
        [one, other] if round >= i64::from(CHANGED_FROM) && pair == other => one,
        _ => pair,
    }
}

fn result(table: u16, round: u8, board: u8) -> BoardResult {
    if (table + u16::from(board)).is_multiple_of(17) {
        return BoardResult::PassedOut;
    }
    let mix = u16::from(board) * 7 + table * 5 + u16::from(round);
    let small = |limit: u16| u8::try_from(mix % limit).expect("small");
    BoardResult::Played(Played {
        contract: Contract {
            level: Level::new(small(7) + 1).expect("a level"),
            strain: Strain::ALL[usize::from(small(5))],
            doubling: [Doubling::Undoubled, Doubling::Doubled, Doubling::Redoubled]
                [usize::from(small(3))],
            declarer: Seat::from_index(small(4)),
        },
        tricks: Tricks::new(small(14)).expect("tricks"),
        lead: None,
    })
}

/// What the program must hear of a result.
fn expected(place: Place) -> Value {
    let (table, round, board) = place;
    let (ns, ew) = (table, east_west(table, round));
    let small = |number: i64| u8::try_from(number).expect("small");
    let table = u16::try_from(table).expect("a table");
    let mut score = json!({
        "SectionLetters": "A", "ScoringDirection": 3, "IsDeleted": false,
        "PairNorthSouth": ns, "PairEastWest": ew, "DeclaringPair": ns, "Level": 0,
    });
    if let BoardResult::Played(played) = result(table, small(round), small(board)) {
        let contract = played.contract;
        let seat = contract.declarer.index();
        score["DeclaringPair"] = json!(if seat.is_multiple_of(2) { ns } else { ew });
        score["DeclarerDirection"] = json!(seat + 1);
        score["Level"] = json!(contract.level.get());
        score["Denomination"] = json!(contract.strain as u8 + 1);
        score["Stake"] = json!(contract.doubling as u8);
        score["TotalTricks"] = json!(played.tricks.get());
    }
    score
}

fn says(score: &Value, expected: &Value) -> bool {
    let fields = expected.as_object().expect("fields");
    fields.iter().all(|(name, value)| score[name] == *value)
}

fn enter(pads: &mut Pads, rounds: std::ops::RangeInclusive<u8>) {
    for round in rounds {
        for table in 1..=TABLES {
            let first = first_board(table, round);
            for board in [first, first + 1] {
                pads.enter(table, round, board, result(table, round, board));
            }
        }
    }
}

#[test]
fn a_scoring_program_hears_every_result_of_an_evening_once_whatever_is_killed() {
    let mut pads = Pads::new(TABLES, BAUD);
    let address = free_address();
    let radio = Path::new(pads.radio()).to_owned();
    let words = ["--data-connector", &address];
    let mut daemon = Daemon::start_with(&[&radio], BAUD, &words);
    let mut program = Program::start(&format!("http://{address}"));
    for order in [json!({"do": "connect"}), json!({"do": "ping"})] {
        assert_eq!(program.ask(&order)["type"], 1, "{order}");
    }
    let done = program.ask(&json!({"do": "initialize", "pin": "7316"}));
    assert_eq!(done["data"], "the event is set up", "{done}");
    program.ask(&json!({"do": "poll", "on": true}));

    // Eight rounds; the base is killed after the fourth.
    let all = usize::from(TABLES) * BOARDS;
    enter(&mut pads, 1..=CHANGED_FROM - 1);
    pads.play_until(96, PATIENCE);
    daemon.kill();
    pads.play_for(Duration::from_secs(1));
    daemon.start_again();
    pads.play_until(usize::from(TABLES) * 16, PATIENCE);
    assert_eq!(program.ask(&json!({"do": "continue"}))["type"], 1);

    // Two pairs exchange their places for the rest of the evening.
    let order = json!({"do": "exchange", "from": CHANGED_FROM, "pairs": EXCHANGED});
    let changed = program.ask(&order);
    assert_eq!(changed["type"], 14, "{changed}");
    for table in changed["data"]["Tables"].as_array().expect("tables") {
        for round in table["Rounds"].as_array().expect("rounds") {
            assert!(round["RoundNumber"].as_i64() >= Some(CHANGED_FROM.into()));
            let pair = round["PairEW"].as_i64().expect("a pair");
            assert!(EXCHANGED.contains(&pair), "{round}");
        }
    }
    enter(&mut pads, CHANGED_FROM..=ROUNDS);
    pads.play_until(260, PATIENCE);
    daemon.kill();
    daemon.start_again();
    pads.play_until(all, PATIENCE);
    let places = |heard: &[Heard]| heard.iter().map(|it| it.place).collect::<BTreeSet<_>>();
    program.listen(Duration::from_mins(1), |heard| places(heard).len() >= all);
    let came = places(&program.heard).len();
    assert_eq!(came, all, "{}", daemon.get("data-connector"));
    // Nothing comes again.
    program.listen(Duration::from_secs(2), |_| false);

    let mut repeated = 0;
    for sent in pads.received() {
        let place = (
            i64::from(sent.table.get()),
            i64::from(sent.entry.round.get()),
            i64::from(sent.entry.board.get()),
        );
        let heard = program.of(place);
        // What came again had not been accepted, or nobody could say so before the kill.
        let (last, before) = heard.split_last().expect("every result came");
        assert!(before.iter().all(|it| !it.accepted), "{place:?} came twice");
        repeated += before.len();
        assert!(says(&last.score, &expected(place)), "{last:?}");
    }
    tell_times(&pads, &program, repeated);

    at_the_base(&daemon, &mut program);
    calls(&daemon, &mut pads, &mut program);
    from_the_program(&daemon, &mut program);
}

/// Corrections, deletions and awards of the director.
fn at_the_base(daemon: &Daemon, program: &mut Program) {
    let line =
        |table: i64, board: u8| json!({"table": format!("A{table}"), "round": 1, "board": board});
    let rule = |mut place: Value, result: Value, program: &mut Program| {
        place["result"] = result;
        place["why"] = json!("seen at the table");
        let before = program.heard.len();
        daemon.do_as_director("lines/rule", &place);
        program.listen(Duration::from_secs(5), |heard| heard.len() > before);
        program.heard.get(before).map(|it| it.score.clone())
    };
    let played = json!({"kind": "Played", "contract": "3NTX", "declarer": "E", "result": "-2"});
    let corrected = rule(line(1, 1), played, program).expect("the correction comes");
    let wanted = json!({"Level": 3, "Denomination": 5, "Stake": 1, "TotalTricks": 7, "DeclarerDirection": 2});
    assert!(says(&corrected, &wanted), "{corrected}");
    let deleted = rule(line(1, 1), json!({"kind": "TakenAway"}), program);
    assert_eq!(deleted.expect("it comes")["IsDeleted"], true);
    let plus = json!({"kind": "AveragePlus"});
    let minus = json!({"kind": "AverageMinus"});
    let averages = json!({"kind": "Adjusted", "ns": plus, "ew": minus});
    let averages = rule(line(1, 2), averages, program).expect("it comes");
    assert_eq!(averages["Level"], -7, "{averages}");
    // There are no words for a weighted score: the board is missing there, and the page says so.
    let weighted = json!({"kind": "Weighted", "value": "60% 420, 40% -50"});
    let weighted = json!({"kind": "Adjusted", "ns": weighted, "ew": weighted});
    let weighted = rule(line(2, 3), weighted, program).expect("it comes");
    assert_eq!(weighted["IsDeleted"], true, "{weighted}");
    let state = daemon.get("data-connector");
    let losses = state["losses"].to_string();
    assert!(losses.contains("Board 3 at table A2"), "{losses}");
    // Whoever sat the other way round: the declarer's pair says so.
    let turned = json!({"table": "A3", "round": 2, "board": 7, "why": ""});
    let before = program.heard.len();
    daemon.do_as_director("lines/turn", &turned);
    program.listen(Duration::from_secs(5), |heard| heard.len() > before);
    let turned = &program.heard.last().expect("it comes").score;
    let as_entered = expected((3, 2, 7));
    for same in [
        "PairNorthSouth",
        "PairEastWest",
        "DeclarerDirection",
        "Level",
    ] {
        assert_eq!(turned[same], as_entered[same], "{turned}");
    }
    assert_ne!(turned["DeclaringPair"], as_entered["DeclaringPair"]);
}

fn calls(daemon: &Daemon, pads: &mut Pads, program: &mut Program) {
    pads.call(3);
    pads.play_for(Duration::from_secs(3));
    let called = program.ask(&json!({"do": "calls"}));
    let first = &called["calls"][0];
    let wanted = json!({"SectionLetters": "A", "TableNumber": 3, "Status": 1});
    assert!(says(first, &wanted), "{called}");
    daemon.do_as_director("tables/A3/call-settled", &json!({}));
    let settled = program.ask(&json!({"do": "calls"}));
    assert_eq!(settled["calls"][0]["Status"], 3, "{settled}");
    assert_eq!(program.ask(&json!({"do": "calls"}))["calls"], json!([]));
}

/// What the program sends is so at the base, and does not come back as news.
fn from_the_program(daemon: &Daemon, program: &mut Program) {
    let place = json!({"SectionLetters": "A", "TableNumber": 4, "RoundNumber": 1, "BoardNumber": 7,
        "ScoringDirection": 3, "PairNorthSouth": 4, "PairEastWest": 4, "DeclaringPair": 4});
    let mut score = place.clone();
    score["Level"] = json!(-5);
    let done = program.ask(&json!({"do": "results", "results": [score]}));
    assert_eq!(done["type"], 1, "{done}");
    let before = program.heard.len();
    program.listen(Duration::from_secs(2), |_| false);
    assert_eq!(program.heard.len(), before, "its own result came back");
    let all = program.ask(&json!({"do": "all"}));
    let all = all["results"].as_array().expect("results");
    let there = |one: &&Value| {
        says(
            one,
            &json!({"TableNumber": 4, "RoundNumber": 1, "BoardNumber": 7}),
        )
    };
    let there = all.iter().find(there).expect("it is there");
    assert_eq!(there["Level"], -5, "{there}");
    // A result at a table that does not exist changes nothing.
    let mut wrong = place;
    wrong["TableNumber"] = json!(99);
    let done = program.ask(&json!({"do": "results", "results": [wrong]}));
    assert_eq!(
        (&done["type"], &done["error"]),
        (&json!(4), &json!(4)),
        "{done}"
    );
    let state = daemon.get("data-connector");
    assert_eq!(state["club"], "Tea and Bridge", "{state}");
    assert_eq!(
        (&state["on"], &state["linked"]),
        (&json!(true), &json!(true))
    );
}

/// From East's accept to the program, beside the time that the radio takes.
#[expect(clippy::print_stdout, reason = "the figures that tests/run shows")]
fn tell_times(pads: &Pads, program: &Program, repeated: usize) {
    let mut firsts: BTreeMap<Place, f64> = BTreeMap::new();
    for heard in &program.heard {
        let first = firsts.entry(heard.place).or_insert(heard.at_s);
        *first = first.min(heard.at_s);
    }
    let since = |moment: SystemTime| {
        let since = moment.duration_since(UNIX_EPOCH);
        since.expect("after 1970").as_secs_f64()
    };
    let (mut to_program, mut to_base) = (Vec::new(), Vec::new());
    for sent in pads.received() {
        let place = (
            i64::from(sent.table.get()),
            i64::from(sent.entry.round.get()),
            i64::from(sent.entry.board.get()),
        );
        to_program.push(firsts[&place] - since(sent.agreed_at));
        to_base.push(since(sent.at) - since(sent.agreed_at));
    }
    let share = |times: &mut Vec<f64>, percent: usize| {
        times.sort_by(f64::total_cmp);
        times[(times.len() - 1) * percent / 100]
    };
    println!(
        "measured: {} results of {TABLES} pads at {BAUD} baud, the scoring program asking every \
         {INTERVAL_S} s, the base killed twice: from East's accept to the program {:.2} s (median), \
         {:.2} s (90%), {:.2} s (99%); of that until the pad knows it received {:.2} s (median), \
         {:.2} s (90%); {repeated} came again because their acceptance was cut off",
        to_program.len(),
        share(&mut to_program, 50),
        share(&mut to_program, 90),
        share(&mut to_program, 99),
        share(&mut to_base, 50),
        share(&mut to_base, 90),
    );
}

/// Whatever arrives at the real door is answered, and the base station stays.
#[test]
fn a_program_that_sends_rubbish_is_told_so() {
    let address = free_address();
    let daemon = Daemon::start_with(&[], BAUD, &["--data-connector", &address]);
    let page = format!("http://{address}");
    let post = |body: &[u8], origin: Option<&str>| {
        let mut request = ureq::post(format!("{page}/dc-scoringprogram"))
            .header("content-type", "application/json");
        if let Some(origin) = origin {
            request = request.header("origin", origin);
        }
        let request = request.config().http_status_as_error(false).build();
        request.send(body).expect("an answer")
    };
    let guid = "FEDCBA9876543210FEDCBA9876543210";
    let envelope = |command: Value, data: &str| {
        let request = json!({"Command": command, "SessionGuid": guid, "SerializedData": data});
        request.to_string().into_bytes()
    };
    let mut bodies: Vec<Vec<u8>> = vec![
        Vec::new(),
        b"{".to_vec(),
        b"null".to_vec(),
        b"[1,2]".to_vec(),
        vec![0xFF; 4096],
        "[".repeat(100_000).into_bytes(),
        envelope(json!("five"), ""),
        envelope(json!(5), "not JSON"),
        envelope(json!(5), "{\"Sessions\": 7}"),
        envelope(json!(10), &"[".repeat(200)),
        envelope(json!(19), ""),
        envelope(json!(27), "\"last\""),
        envelope(json!(1e30), ""),
    ];
    bodies.extend((-3..60).map(|command| envelope(json!(command), "{\"A\":[]}")));
    let mut chance = fastrand::Rng::with_seed(7);
    for _ in 0..300 {
        let mut body = envelope(
            json!(chance.i64(1..40)),
            "[{\"Level\": 4, \"Letters\": \"A\"}]",
        );
        for _ in 0..=chance.usize(..4) {
            let at = chance.usize(..body.len());
            body[at] = chance.u8(..);
        }
        bodies.push(body);
    }
    for body in &bodies {
        let shown = String::from_utf8_lossy(&body[..body.len().min(200)]).into_owned();
        let mut answer = post(body, None);
        assert_eq!(answer.status().as_u16(), 200, "{shown}");
        let said: Value = answer.body_mut().read_json().expect("JSON");
        assert!(
            said["DataType"].is_i64() && said["ErrorType"].is_i64(),
            "{shown}: {said}"
        );
        let data = said["SerializedData"].as_str().expect("a string");
        assert!(data.len() < 2_000, "{shown}: {said}");
    }
    // Too long: whatever the client makes of a door that shuts, the next one is served.
    let long = ureq::post(format!("{page}/dc-scoringprogram"))
        .config()
        .http_status_as_error(false)
        .build()
        .send(vec![b' '; 20 * 1024 * 1024]);
    if let Ok(mut answer) = long {
        let said: Value = answer.body_mut().read_json().expect("JSON");
        assert_eq!(said["ErrorType"], 5, "{said}");
    }
    // Pages in a browser are not scoring programs.
    let right = envelope(json!(4), "\"17\"");
    let page_in_browser = post(&right, Some("http://elsewhere.example"));
    assert_eq!(page_in_browser.status().as_u16(), 403);
    let said: Value = post(&right, None).body_mut().read_json().expect("JSON");
    assert_eq!(
        (&said["DataType"], &said["SerializedData"]),
        (&json!(1), &json!("\"17\""))
    );
    assert_eq!(daemon.get("calendar")["sessions"], json!([]));
}

/// The switch on the page, its state after a kill, and what it refuses.
#[test]
fn the_door_is_shut_until_it_is_switched_on_and_stays_as_it_was() {
    // The usual port may be taken on this machine: then the page says so.
    let mut daemon = Daemon::start(&[], BAUD);
    let state = daemon.get("data-connector");
    assert_eq!(
        (&state["on"], &state["by_command_line"]),
        (&json!(false), &json!(false))
    );
    let on = daemon.put("data-connector", &json!({"on": true}));
    assert!(on["seq"].is_u64(), "{on}");
    let answers = |daemon: &Daemon| {
        daemon.wait_for("data-connector", |state| {
            let page = state["address"].as_str()?.to_owned();
            if state["fault"].is_string() {
                return Some(false);
            }
            let greeting = ureq::get(format!("{page}/")).call().ok()?;
            let text = greeting.into_body().read_to_string().ok()?;
            Some(text.contains("Bridgemate dataconnector service version"))
        })
    };
    let served = answers(&daemon);
    daemon.kill();
    daemon.start_again();
    assert_eq!(daemon.get("data-connector")["on"], true);
    assert_eq!(answers(&daemon), served);
    let off = daemon.put("data-connector", &json!({"on": false}));
    assert!(off["seq"].is_u64(), "{off}");
    if served {
        daemon.wait_for("data-connector", |state| {
            let gone = ureq::get("http://127.0.0.1:5079/").call().is_err();
            (gone && state["on"] == false).then_some(())
        });
    }
    // Other machines only with a password, and the command line's word is not changed by the page.
    let words = ["serve", "--listen", "127.0.0.1:0", "--radio", "none"];
    let open = ["--data-connector", "0.0.0.0:0"];
    daemon.kill();
    let refused = daemon.command(&[&words[..], &open[..]].concat());
    assert!(!refused.status.success());
    let why = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(why.contains("there is no director's password yet"), "{why}");
    let address = free_address();
    let named = Daemon::start_with(&[], BAUD, &["--data-connector", &address]);
    let refused = named.put("data-connector", &json!({"on": false}));
    assert!(refused["problem"].is_string(), "{refused}");
}
