//! The first start on a club's machine, its copies and its key, with the program itself behind the
//! page.

use bench_parts::Wire;
use serde_json::json;
use tests::browser::{DESKTOP, PHONE, Page, Size};
use tests::daemon::Daemon;

/// A base station without a receiver and without cables, as it comes out of its package.
fn base() -> Daemon {
    Daemon::start_with(&[], 19_200, &["--radio", "none", "--pad-port", "none"])
}

pub(crate) async fn first_start() {
    let base = base();
    let mut page = Page::open("first-start", DESKTOP).await;
    page.go(base.page()).await;
    page.sees("main", "Welcome to Byestand").await;
    page.shown("questions").await;
    page.click("Begin a practice evening").await;
    page.sees("main", "Open the practice evening").await;
    let practice = "return document.querySelector('main a.button.primary').href";
    let practice = page.script(practice, vec![]).await;
    let practice = practice.as_str().expect("an address").to_owned();

    page.fill("What is your club called?", "Bridge Club Northbank")
        .await;
    page.click("our first evening").await;
    page.sees(".refusal", "PIN").await;
    page.fill("The director's PIN", "7316").await;
    page.click("our first evening").await;
    page.until("set-up", "return location.hash === '#/setup'")
        .await;
    let house = base.get("house");
    assert_eq!(
        (&house["club"], &house["first_start"]),
        (&json!("Bridge Club Northbank"), &json!(false))
    );
    page.go(&practice).await;
    page.sees(".grid", "A9").await;
    // The second start asks nothing.
    page.go(base.page()).await;
    page.until("set-up", "return location.hash === '#/setup'")
        .await;
    page.assert_no_barriers();
    page.close().await;
}

pub(crate) async fn help_on_the_telephone() {
    let mut base = base();
    let named = base.put("house/club", &json!({"name": "Northbank"}));
    assert!(named["seq"].is_u64(), "{named}");
    let mut page = Page::open("help", PHONE).await;
    page.go(&format!("{}#/more", base.page())).await;
    page.click("Copy diagnostics").await;
    page.sees("#house pre", "wire version").await;
    let shown = page.text("#house pre").await;
    assert!(!shown.contains("Northbank"), "{shown}");
    page.shown("diagnostics").await;
    // A browser that copies nothing says so; one that does, says that.
    let withheld = "Object.defineProperty(navigator, 'clipboard', { value: undefined })";
    page.script(withheld, vec![]).await;
    page.click("Copy diagnostics").await;
    page.sees("#toast", "Copying is not possible here").await;
    // Pads that are not heard: which network is ours, and is a receiver there?
    page.go(&format!("{}#/pads", base.page())).await;
    page.sees("#radio-frames", "Network").await;
    page.sees("#radio-frames", "none in use").await;
    page.sees("#radio-frames", "A pad tells its network and channel")
        .await;
    page.shown("radio").await;

    page.go(&format!("{}#/cable", base.page())).await;
    page.sees("#plugged", "No pad is plugged in").await;
    page.click("Give the club a new key").await;
    page.sees("#club-key", "The club has had a new key since")
        .await;
    page.shown("new-key").await;
    page.click("End the old key").await;
    page.sees("#club-key", "Give the club a new key").await;

    page.go(&format!("{}#/more", base.page())).await;
    page.click("End Byestand").await;
    page.shown("end").await;
    page.click("Yes, end it").await;
    page.sees("#page", "Byestand has ended").await;
    assert!(base.ended_well());
    page.assert_no_barriers();
    page.close().await;
}

pub(crate) async fn bring_a_copy_back() {
    let mut base = base();
    let name = |base: &Daemon, name: &str| {
        let named = base.put("house/club", &json!({"name": name}));
        assert!(named["seq"].is_u64(), "{named}");
    };
    name(&base, "As it was");
    let copy = base.download("backup");
    let file = base.data().join("saved.sqlite");
    std::fs::write(&file, copy).expect("written");
    name(&base, "Spoilt by mistake");
    let mut page = Page::open("copies", DESKTOP).await;
    page.go(&format!("{}#/calendar", base.page())).await;
    page.sees("main", "Bring back").await;
    page.shown("copies").await;
    let chosen = page.find("#backup input[type=file]").await;
    chosen
        .send_keys(file.to_str().expect("a plain path"))
        .await
        .expect("chosen");
    page.click("Yes, bring it back").await;
    base.wait_until_ready_again();
    assert_eq!(base.get("house")["club"], "As it was");
    // The page has waited for it.
    page.until("set-up", "return location.hash === '#/setup'")
        .await;
    page.assert_no_barriers();
    page.close().await;
}

pub(crate) async fn let_phones_in() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = free.local_addr().expect("an address").port().to_string();
    drop(free);
    let words = ["--radio", "none", "--pad-port", "none", "--port", &port];
    let mut base = Daemon::start_with(&[], 19_200, &words);
    let named = base.put("house/club", &json!({"name": "Northbank"}));
    assert!(named["seq"].is_u64(), "{named}");
    let mut page = Page::open("door", DESKTOP).await;
    page.go(&format!("{}#/phones", base.page())).await;
    page.sees("#door", "served for this laptop only").await;
    page.fill("How phones come in", "plain").await;
    page.click("Let phones in").await;
    page.sees("#door", "Choose a director's password first")
        .await;
    page.fill("New password", "one of our own").await;
    page.shown("shut").await;
    page.click("Let phones in").await;
    base.wait_until_ready_again();
    // The page has come back, and asks who is there.
    page.until(
        "asked who is there",
        "return document.querySelector('input[type=password]') !== null && !document.querySelector('#door')",
    )
    .await;
    page.shown("open").await;
    let elsewhere = format!("127.0.0.2:{port}");
    assert!(
        std::net::TcpStream::connect(elsewhere).is_ok(),
        "others get in"
    );
    page.assert_no_barriers();
    page.close().await;
}

/// A receiver whose modem is silent: what is wrong stands beside it, and its dialog says what to do.
pub(crate) async fn a_silent_modem(size: Size) {
    let wire = Wire::new();
    let country = ["--pad-port", "none", "--country", "DE", "--channel", "3"];
    let base = Daemon::start_with(&[std::path::Path::new(&wire.far_end)], 9_600, &country);
    let mut page = Page::open("modem", size).await;
    page.go(&format!("{}#/pads", base.page())).await;
    page.sees("#radio-frames", "its modem does not answer")
        .await;
    page.shown("silent").await;
    page.click("Modem 1").await;
    page.sees("dialog", "Listen to the channels").await;
    page.sees("dialog", "the modem measures no signal").await;
    page.shown("dialog").await;
    page.click("Set the modem").await;
    page.sees("dialog [role=status]", "check power, wires and the SET pin")
        .await;
    page.shown("not-set").await;
    page.assert_no_barriers();
    page.close().await;
}
