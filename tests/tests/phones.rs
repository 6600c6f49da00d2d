//! Phones as pads against the real daemon, with everything that happens to phones.

use std::net::SocketAddr;
use std::time::Duration;

use air::Eavesdropper;
use pad::app::Flow;
use serde_json::{Value, json};
use tests::daemon::{CLUB_KEY, DIRECTOR_PIN, Daemon};
use tests::phones::{Cable, Hand, WiredPad, inject, join, link, set_up};

const SOON: Duration = Duration::from_mins(1);

fn results(view: &Value) -> usize {
    let cells = view["cells"].as_array().expect("cells");
    let results = cells.iter().filter_map(|cell| cell["in"].as_u64());
    usize::try_from(results.sum::<u64>()).expect("a few")
}

/// The page shows `expected` results and no more. A phone knows that a result is received before
/// pages are told, so this waits for the page, and then looks once more whether any came twice.
fn results_are(daemon: &Daemon, expected: usize) {
    daemon.wait_for("view", |view| (results(view) >= expected).then_some(()));
    std::thread::sleep(Duration::from_millis(200));
    assert_eq!(results(&daemon.get("view")), expected, "each result once");
}

fn frames(daemon: &Daemon) -> Value {
    // What the radio counts is told every two seconds.
    std::thread::sleep(Duration::from_millis(2_500));
    daemon.get("radio")["frames"].clone()
}

fn pin() -> u16 {
    DIRECTOR_PIN.parse().expect("four digits")
}

/// The device that waits for the director's yes before it replaces one that was heard a moment ago.
fn who_asks(view: &Value) -> Option<String> {
    let warnings = view["warnings"].as_array()?;
    let asked = warnings.iter().find(|it| it["kind"] == "ReplaceAsked")?;
    asked["key"].as_str()?.rsplit(':').next().map(str::to_owned)
}

fn say_yes(daemon: &Daemon, pad: &str) {
    let yes = json!({"pad": pad, "allowed": true});
    daemon.do_as_director("tables/A1/replace", &yes);
}

fn seat(daemon: &Daemon, address: SocketAddr, table: u16) -> Hand {
    let link = link(daemon, &format!("A{table}"));
    Hand::join(address, &link, table, u64::from(table) << 24 | 1)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn phones_play_and_lose_their_network_their_tab_and_their_base_and_no_result() {
    let mut daemon = Daemon::start(&[], 19_200);
    set_up(&daemon, 6, 18);
    let cable = Cable::new(40, daemon.address()).await;
    let mut one = seat(&daemon, daemon.address(), 1);
    let mut two = seat(&daemon, cable.address, 2);
    one.play(1, SOON).await;
    two.play(1, SOON).await;
    results_are(&daemon, 2);

    // The network goes away without a word, in the middle of the evening; entry goes on.
    cable.pull();
    two.enter(2, SOON).await;
    assert_eq!(two.face().unsent, 2, "agreed, and waiting to be sent");
    results_are(&daemon, 2);
    // The tab is killed meanwhile.
    let mut two = two.reload(77);
    assert_eq!(two.face().unsent, 2, "what is agreed is still there");
    cable.plug();
    two.run(SOON, |hand| hand.face().unsent == 0).await;
    results_are(&daemon, 4);

    // The base is killed between two boards, and comes back somewhere else.
    daemon.kill();
    one.enter(1, SOON).await;
    daemon.start_again();
    cable.lead_to(daemon.address());
    one.lead_to(daemon.address());
    one.run(SOON, |hand| hand.face().unsent == 0).await;
    results_are(&daemon, 5);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_network_that_is_gone_for_ten_minutes_in_mid_board_costs_nothing() {
    let daemon = Daemon::start(&[], 19_200);
    set_up(&daemon, 6, 18);
    let cable = Cable::new(41, daemon.address()).await;
    let mut hand = seat(&daemon, cable.address, 1);
    hand.play(1, SOON).await;
    hand.begin_board(SOON).await;
    assert_eq!(hand.face().screen, "Entry");
    let typed = hand.face().lines.clone();
    cable.pull();
    hand.pass(Duration::from_mins(10)).await;
    assert_eq!(hand.face().screen, "Entry", "nobody is thrown out");
    assert_eq!(hand.face().lines, typed, "and nothing that was typed");
    hand.run(SOON, |hand| hand.face().unsent == 1).await;
    results_are(&daemon, 1);
    cable.plug();
    hand.run(SOON, |hand| hand.face().unsent == 0).await;
    assert_eq!(hand.received(), 2);
    results_are(&daemon, 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tab_killed_at_any_step_between_accept_and_received_loses_and_doubles_nothing() {
    let daemon = Daemon::start(&[], 19_200);
    set_up(&daemon, 6, 18);
    let mut hand = seat(&daemon, daemon.address(), 1);
    let (mut not_agreed, mut agreed) = (0, 0);
    for step in 0..40 {
        let before = hand.received();
        hand.dies_after(step);
        // Somebody accepts; a tab that dies ends this early.
        hand.play(1, SOON).await;
        if !hand.is_dead() {
            assert!(not_agreed > 0 && agreed > 2, "{not_agreed} and {agreed}");
            results_are(&daemon, usize::from(before) + 1);
            return;
        }
        hand = hand.reload(u64::from(step) << 8 | 3);
        let kept = u16::from(hand.face().unsent) + hand.received();
        if kept == before {
            // It was killed before anything was kept: East was not shown that it is agreed.
            not_agreed += 1;
            hand.play(1, SOON).await;
        } else {
            assert_eq!(kept, before + 1, "killed at step {step}");
            agreed += 1;
            hand.run(SOON, |hand| hand.face().unsent == 0).await;
        }
        assert_eq!(hand.received(), before + 1, "killed at step {step}");
        results_are(&daemon, usize::from(before) + 1);
    }
    panic!("there is no end to the steps");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_phone_that_a_pad_replaced_while_it_was_away_changes_nothing_when_it_is_back() {
    const BAUD: u32 = 19_200;
    let mut spare = WiredPad::new(0x0BAD_0001, 1, BAUD);
    let radio = std::path::PathBuf::from(spare.radio());
    let daemon = Daemon::start(&[&radio], BAUD);
    set_up(&daemon, 6, 18);
    let cable = Cable::new(42, daemon.address()).await;
    let mut phone = seat(&daemon, cable.address, 1);
    phone.play(1, SOON).await;
    let table = |daemon: &Daemon| daemon.get("view")["tables"][0].clone();
    assert_eq!(table(&daemon)["device"], json!("Computer"), "no browser");
    cable.pull();
    phone.enter(1, SOON).await;

    // A pad takes the table over, with everything that the base has received.
    spare.replace(pin());
    let asked = daemon.wait_for("view", |view| {
        // The phone was heard a moment ago: the pad waits for the director's yes.
        spare.run_for(Duration::from_secs(2));
        who_asks(view)
    });
    say_yes(&daemon, &asked);
    spare.run(SOON, |app| app.sheet().lines().count() == 1);
    assert_eq!(table(&daemon)["device"], Value::Null, "a pad");
    spare.enter(1);
    spare.run(SOON, |app| {
        app.sheet().lines().count() == 2 && app.sheet().unsent() == 0
    });
    results_are(&daemon, 2);

    // The phone comes back: what it held is kept for the director, and counts for nothing.
    cable.plug();
    phone
        .run(SOON, |hand| hand.face().screen == "Replaced")
        .await;
    let held = daemon.wait_for("view", |view| {
        let warnings = view["warnings"].as_array()?;
        let held = |it: &&Value| it["kind"] == "EntryKept" || it["kind"] == "LostWithPad";
        warnings.iter().find(held).cloned()
    });
    assert_eq!(held["table"], json!("A1"), "{held}");
    results_are(&daemon, 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_phone_takes_over_from_a_pad_that_died_and_the_pad_changes_nothing_when_it_wakes() {
    const BAUD: u32 = 19_200;
    let mut pad = WiredPad::new(0x0BAD_0002, 1, BAUD);
    let radio = std::path::PathBuf::from(pad.radio());
    let daemon = Daemon::start(&[&radio], BAUD);
    set_up(&daemon, 6, 18);
    pad.enter(2);
    pad.run(SOON, |app| {
        app.sheet().lines().count() == 2 && app.sheet().unsent() == 0
    });
    results_are(&daemon, 2);

    // Its batteries are empty. Somebody scans the code of the table, and is not let in: it has a pad.
    let mut phone = seat(&daemon, daemon.address(), 1);
    phone
        .run(SOON, |hand| hand.face().screen == "LogOnRefused")
        .await;
    // The director says Replace on the phone, and yes at the base: the pad was heard a moment ago.
    phone.replace(pin());
    let deadline = std::time::Instant::now() + SOON;
    let asked = loop {
        phone.linger(Duration::from_millis(500)).await;
        if let Some(asked) = who_asks(&daemon.get("view")) {
            break asked;
        }
        let face = phone.face();
        assert!(
            std::time::Instant::now() < deadline,
            "nobody asks: {face:?}"
        );
    };
    say_yes(&daemon, &asked);
    phone.press_ok();
    phone.run(SOON, |hand| hand.lines() == 2).await;
    phone.play(1, SOON).await;
    results_are(&daemon, 3);
    let table = daemon.get("view")["tables"][0].clone();
    assert_eq!(table["device"], json!("Computer"), "no pad: {table}");

    // New batteries: the pad goes on as if nothing were, and its board is kept for the director.
    pad.enter(1);
    pad.run(SOON, |app| matches!(app.flow(), Flow::Replaced));
    results_are(&daemon, 3);
    phone.play(1, SOON).await;
    results_are(&daemon, 4);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_observer_of_the_lines_sees_the_protocol_of_the_air() {
    let mut daemon = Daemon::start(&[], 19_200);
    set_up(&daemon, 4, 12);
    let mut hands = vec![
        seat(&daemon, daemon.address(), 1),
        seat(&daemon, daemon.address(), 2),
    ];
    for hand in &mut hands {
        hand.play(2, SOON).await;
    }
    daemon.kill();
    daemon.start_again();
    for hand in &mut hands {
        hand.lead_to(daemon.address());
        hand.play(1, SOON).await;
    }
    // Somebody who has the club's key and the description of the air, and none of our code.
    let digits = |at: usize| u8::from_str_radix(&CLUB_KEY[at * 2..at * 2 + 2], 16);
    let club: Vec<u8> = (0..32).map(|at| digits(at).expect("digits")).collect();
    let mut observer = Eavesdropper::new(club.try_into().expect("32 bytes"));
    for frame in hands.iter().flat_map(|hand| &hand.overheard) {
        observer.hear_frame(frame);
    }
    let heard = observer.heard();
    assert!(heard.opened > 20, "{heard:?}");
    assert_eq!((heard.unread, heard.bases), (0, 2), "{heard:?}");
    assert!(heard.twice.is_empty(), "no nonce is used twice: {heard:?}");
    results_are(&daemon, 6);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_visitor_sits_down_at_a_table_of_the_demonstration_with_a_phone() {
    let demonstration = Daemon::demonstration();
    let link = demonstration.wait_for("phones", |phones| {
        let tables = phones["tables"].as_array()?;
        let last = tables.iter().find(|it| it["table"] == json!("A9"))?;
        last["link"].as_str().map(str::to_owned)
    });
    let mut visitor = Hand::join(demonstration.address(), &link, 9, 99);
    visitor.play(1, SOON).await;
    let view = demonstration.get("view");
    let tables = view["tables"].as_array().expect("tables");
    let mine = tables.iter().find(|it| it["table"] == json!("A9"));
    assert_eq!(mine.expect("table 9")["device"], json!("Computer"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_code_is_good_for_one_phone_and_the_director_can_revoke_it() {
    let daemon = Daemon::start(&[], 19_200);
    set_up(&daemon, 4, 12);
    let address = daemon.address();
    let used = link(&daemon, "A1");
    let mut first = Hand::join(address, &used, 1, 5);
    first.play(1, SOON).await;
    // The same phone that asks again, because the answer got lost, is the same pad.
    let again = join(address, &used, &format!("{:032x}", 5));
    assert!(again["sealed"].is_string(), "{again}");
    let other = join(address, &used, &format!("{:032x}", 6));
    let problem = other["problem"].as_str().expect("a refusal");
    assert!(problem.contains("has been used"), "{problem}");
    // Somebody who guesses the secret.
    let (name, _) = link(&daemon, "A1")
        .rsplit_once('-')
        .map(|(a, b)| (a.to_owned(), b.to_owned()))
        .expect("a link");
    let guessed = join(
        address,
        &format!("{name}-{}", "0".repeat(32)),
        &format!("{:032x}", 7),
    );
    assert!(guessed["problem"].is_string(), "{guessed}");

    // The second phone at a table is a Replace with all its rules: the table has a pad.
    let mut second = Hand::join(address, &link(&daemon, "A1"), 1, 8);
    second
        .run(SOON, |hand| hand.face().screen == "LogOnRefused")
        .await;
    let pad = format!("{:08X}", first.pad().get());
    let phones = daemon.get("phones");
    assert_eq!(
        phones["phones"].as_array().map(Vec::len),
        Some(2),
        "{phones}"
    );
    daemon.do_as_director(&format!("pads/{pad}/revoke"), &json!({}));
    // Nothing that the first one says has an effect any more; the second one may have the table.
    first.enter(1, SOON).await;
    first.linger(Duration::from_secs(2)).await;
    second.press_ok();
    second.run(SOON, |hand| hand.face().table.is_some()).await;
    second.play(1, SOON).await;
    assert!(frames(&daemon)["revoked"].as_u64() > Some(0));
    results_are(&daemon, 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn forged_and_replayed_frames_on_a_line_have_no_effect_and_are_counted() {
    let daemon = Daemon::start(&[], 19_200);
    set_up(&daemon, 4, 12);
    let address = daemon.address();
    let mut hand = seat(&daemon, address, 1);
    hand.play(2, SOON).await;
    let (before, was) = (frames(&daemon), results(&daemon.get("view")));
    inject(address, &hand.frames).await;
    let forged = hand.frames.iter().map(|frame| {
        let mut frame = frame.clone();
        let at = frame.len() / 2;
        frame[at] = frame[at].wrapping_add(3).max(1);
        frame
    });
    inject(address, &forged.collect::<Vec<_>>()).await;
    inject(address, &[vec![0xA5; 400], vec![], vec![0; 64]]).await;
    let after = frames(&daemon);
    let grew = |what: &str| after[what].as_u64() > before[what].as_u64();
    assert!(grew("replayed"), "{before} then {after}");
    assert!(grew("forged") || grew("garbled"), "{before} then {after}");
    assert_eq!(after["accepted"], before["accepted"]);
    results_are(&daemon, was);
    hand.play(1, SOON).await;
    results_are(&daemon, was + 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn twenty_four_phones_on_one_base_know_at_once_that_a_result_is_there() {
    let daemon = Daemon::start(&[], 19_200);
    set_up(&daemon, 24, 24);
    let address = daemon.address();
    let hands: Vec<Hand> = (1..=24)
        .map(|table| seat(&daemon, address, table))
        .collect();
    let players = hands.into_iter().map(|mut hand| {
        tokio::spawn(async move {
            hand.play(2, SOON).await;
            hand.waits
        })
    });
    let mut waits = Vec::new();
    for player in players.collect::<Vec<_>>() {
        waits.extend(player.await.expect("played"));
    }
    waits.sort_unstable();
    assert_eq!(waits.len(), 48);
    results_are(&daemon, 48);
    // The full proof is `cargo run --release -p tests --bin phones`.
    let median = waits[waits.len() / 2];
    assert!(median < Duration::from_secs(1), "{waits:?}");
}
