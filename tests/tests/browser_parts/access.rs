//! A director's password, and people who may only look.

use std::process::Command;

use base_station::daemon::fingerprint;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bench_parts::Program;
use serde_json::json;
use tests::browser::{DESKTOP, PHONE, Page, Room};
use tests::daemon::binary;

const PASSWORD: &str = "spades are trumps";

/// What a page without the password gets for trying to change something.
const TRY_TO_STOP: &str = "
    const done = arguments[arguments.length - 1];
    fetch('/api/gate', { method: 'POST', headers: { 'content-type': 'application/json', 'x-byestand-csrf': 'guessed' }, body: JSON.stringify({ open: false }) }).then((answer) => done(answer.status))";

pub(crate) async fn sign_in_and_look() {
    let room = Room::start();
    super::large_room::plan(&room, 5).await;
    let mut director = Page::open("access", DESKTOP).await;
    director.go(&format!("{}/#/more", room.address)).await;
    director.sees("main", "No password is set").await;
    director.fill("New password", PASSWORD).await;
    director.click("Set password").await;
    director.sees("main", "Sign in to see the room").await;
    director.shown("sign-in").await;
    sign_in(&director, "not the password").await;
    director
        .sees(".refusal", "not the director's password")
        .await;
    director.shown("sign-in-refused").await;
    sign_in(&director, PASSWORD).await;
    director.click("More").await;
    director.sees("main", "A director's password is set").await;
    director.shown("more-signed-in").await;

    let mut player = Page::open("access", PHONE).await;
    player.go(&room.address).await;
    player.sees("main", "Sign in to see the room").await;
    director
        .click_on("#access label.choice input[type=checkbox]")
        .await;
    director.sees("#toast", "Saved").await;
    player.go(&room.address).await;
    player.sees(".grid", "A5").await;
    player.shown("room-to-look-at").await;
    assert_eq!(player.text(".top button").await, "", "nothing to stop");
    player.click_on("[data-key='A1.1']").await;
    player.sees("dialog", "Table A1, round 1").await;
    let actions = "return document.querySelectorAll('dialog [data-action]').length";
    assert_eq!(player.script(actions, vec![]).await, json!(0));
    let status = player.client.execute_async(TRY_TO_STOP, vec![]).await;
    let status = status.expect("an answer");
    assert!([json!(401), json!(403)].contains(&status), "{status}");
    let open = "return document.querySelector('.gate-lamp').textContent";
    assert_eq!(director.script(open, vec![]).await, json!("Pads may send"));
    director.assert_no_barriers();
    player.assert_no_barriers();
    player.close().await;
    director.close().await;
}

async fn sign_in(page: &Page, password: &str) {
    page.fill("Your name", "Erika").await;
    page.fill("Director's password", password).await;
    page.click_on("form.login button").await;
}

/// The club's own certificate: what stands in the window where the base station was started, what
/// the page says under *More*, and what the browser was given are one fingerprint.
pub(crate) async fn one_fingerprint_everywhere() {
    let data = tempfile::tempdir().expect("a folder");
    let mut daemon = Program::start(
        Command::new(binary())
            .args([
                "serve",
                "--radio",
                "none",
                "--listen",
                "127.0.0.1:0",
                "--tls",
            ])
            .arg("--data")
            .arg(data.path()),
    );
    let address = daemon.wait_for_page();
    let mut said = daemon.said().lines();
    said.find(|line| line.ends_with("Its SHA-256 fingerprint is"));
    let printed = said.next().expect("the fingerprint").to_owned();
    let mut page = Page::open("fingerprint", DESKTOP).await;
    // The director has looked at the browser's warning, compared, and goes on.
    page.devtools(
        "Security.setIgnoreCertificateErrors",
        json!({ "ignore": true }),
    )
    .await;
    // The browser keeps certificates only of what it was watched loading.
    page.devtools("Network.enable", json!({})).await;
    page.go(&format!("{address}/#/more")).await;
    let lines = "return [...document.querySelectorAll('.certificate code')].map((it) => it.textContent).join(':')";
    page.sees(".certificate", "SHA-256").await;
    assert_eq!(page.script(lines, vec![]).await, json!(printed));
    page.shown("more-with-fingerprint").await;
    let asked = page
        .devtools("Network.getCertificate", json!({ "origin": address }))
        .await;
    let given = asked["value"]["tableNames"][0].as_str();
    let given = STANDARD.decode(given.expect("a certificate"));
    let given = given.expect("base64");
    assert_eq!(fingerprint(&given.into()), printed);
    page.assert_no_barriers();
    page.close().await;
}
