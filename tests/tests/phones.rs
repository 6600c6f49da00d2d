//! Phones as pads against the real daemon, with everything that happens to phones.

use std::net::SocketAddr;
use std::time::Duration;

use serde_json::{Value, json};
use tests::daemon::Daemon;
use tests::phones::{Cable, Hand, inject, join, link, set_up};

const SOON: Duration = Duration::from_mins(1);

fn results(daemon: &Daemon) -> usize {
    let view = daemon.get("view");
    let cells = view["cells"].as_array().expect("cells");
    let results = cells.iter().filter_map(|cell| cell["in"].as_u64());
    usize::try_from(results.sum::<u64>()).expect("a few")
}

fn frames(daemon: &Daemon) -> Value {
    // What the radio counts is told every two seconds.
    std::thread::sleep(Duration::from_millis(2_500));
    daemon.get("radio")["frames"].clone()
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
    assert_eq!(results(&daemon), 2);

    // The network goes away without a word, in the middle of the evening; entry goes on.
    cable.pull();
    two.enter(2, SOON).await;
    assert_eq!(two.face().unsent, 2, "agreed, and waiting to be sent");
    assert_eq!(results(&daemon), 2);
    // The tab is killed meanwhile.
    let mut two = two.reload(77);
    assert_eq!(two.face().unsent, 2, "what is agreed is still there");
    cable.plug();
    two.run(SOON, |hand| hand.face().unsent == 0).await;
    assert_eq!(results(&daemon), 4, "each once");

    // The base is killed between two boards, and comes back somewhere else.
    daemon.kill();
    one.enter(1, SOON).await;
    daemon.start_again();
    cable.lead_to(daemon.address());
    one.lead_to(daemon.address());
    one.run(SOON, |hand| hand.face().unsent == 0).await;
    assert_eq!(results(&daemon), 5);
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
    assert_eq!(results(&daemon), 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn forged_and_replayed_frames_on_a_line_have_no_effect_and_are_counted() {
    let daemon = Daemon::start(&[], 19_200);
    set_up(&daemon, 4, 12);
    let address = daemon.address();
    let mut hand = seat(&daemon, address, 1);
    hand.play(2, SOON).await;
    let (before, was) = (frames(&daemon), results(&daemon));
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
    assert_eq!(results(&daemon), was);
    hand.play(1, SOON).await;
    assert_eq!(results(&daemon), was + 1, "and the phone goes on");
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
    assert_eq!(results(&daemon), 48);
    // The full proof is `cargo run --release -p tests --bin phones`.
    let median = waits[waits.len() / 2];
    assert!(median < Duration::from_secs(1), "{waits:?}");
}
