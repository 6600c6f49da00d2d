//! A pad at the cable, and the page in a browser: from its box to its first score without a typed
//! key, through the factory's test, revoked when it is lost and trusted again when it is found.

use bench_parts::Wire;
use pad::Key;
use protocol::link::Timing;
use serde_json::json;
use tests::browser::{DESKTOP, Page};
use tests::daemon::Daemon;
use tests::emulator::{Airwaves, EmulatedPad};

use crate::evening::{FOUR_SPADES, PASSED_OUT, log_on, wait_for_results};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_new_pad_comes_from_the_cable_to_its_first_score_through_the_page() {
    let air = Airwaves::new(Timing::COMMON);
    let wire = Wire::new();
    let port = wire.far_end.clone();
    let words = ["--pad-port", port.as_str()];
    let base = Daemon::start_with(&[air.base()], Timing::COMMON.baud, &words);
    let mut page = Page::open("cable", DESKTOP).await;
    page.go(&format!("{}#/cable", base.page())).await;
    page.sees("#club-pads", "The club has no pads yet.").await;
    let mut pad = EmulatedPad::new(1);
    air.join(1, &pad.radio());
    pad.wait_for_screen(&["Start"]);
    pad.connect_computer(wire);

    page.sees("#plugged", "A new pad").await;
    page.shown("new").await;
    page.fill("Language of the pad", "de").await;
    page.fill("Channel of its modem", "5").await;
    page.click("Make it one of the club's").await;
    page.sees("#toast", "Write 1 on its sticker").await;
    page.sees("#plugged", "one of the club's").await;
    page.sees("#plugged", "network 0, channel 5").await;
    let worn = base.get("cable")["pads"][0].clone();
    assert_eq!(
        (&worn["belongs"], &worn["number"], &worn["language"]),
        (&json!("Ours"), &json!(1), &json!("de"))
    );
    pad.wait_for(" network 0 channel 5", 1);
    let club = base.get("club/pads");
    assert_eq!(club["pads"][0]["channel"], 5, "{club}");
    assert_eq!(base.get("cable")["usual_channel"], 5);
    pad.wait_for_screen(&["Start", "Pad 1"]);

    factory_test(&mut page, &mut pad).await;

    // The first evening. The pad learns the club's language with its table.
    base.open_evening(10);
    log_on(&mut pad, Key::One);
    pad.press(&FOUR_SPADES);
    let found = wait_for_results(&base, "A1", 1);
    assert_eq!(found, [(1, "4S by S =, lead DK".to_owned())]);
    page.go(&format!("{}#/more", base.page())).await;
    page.click("Pads by cable").await;
    page.sees("#club-pads", "0.2.0").await;
    page.sees("#club-pads", "good").await;
    page.shown("listed").await;

    // Lost: its table is free, and nothing that it says counts. Found again: it is trusted.
    page.click("Revoke").await;
    page.click("Revoke 1").await;
    page.sees("#club-pads", "revoked").await;
    pad.press(&PASSED_OUT);
    base.wait_for("radio", |radio| {
        (radio["frames"]["revoked"].as_u64()? > 1).then_some(())
    });
    assert_eq!(wait_for_results(&base, "A1", 1), found, "no effect");
    page.shown("revoked").await;
    page.click("Found again").await;
    base.wait_for("radio", |radio| {
        radio["revoked"].as_array()?.is_empty().then_some(())
    });
    page.assert_no_barriers();
    page.close().await;
}

/// Every key, every pixel, the buzzer, the cells and the radio; what only eyes and ears can tell is
/// asked on the page.
async fn factory_test(page: &mut Page, pad: &mut EmulatedPad) {
    page.click("Test this pad").await;
    page.sees("#plugged", "Press every key of the pad once")
        .await;
    pad.wait_for_screen(&["Test"]);
    pad.press(&Key::ALL[1..]);
    page.sees("#plugged", "1 key is missing").await;
    page.shown("test-keys").await;
    pad.press(&Key::ALL[..1]);
    page.sees("#plugged", "Every key works.").await;
    page.click("Go on").await;
    for (question, picture) in [
        ("Is the whole display black?", "picture Black"),
        ("Is the whole display white?", "picture White"),
        ("Is the whole display evenly grey?", "picture Chequers"),
    ] {
        page.sees("#plugged", question).await;
        pad.wait_for_screen(&["Test", picture]);
        page.click("Yes").await;
    }
    page.sees("#plugged", "Did the pad beep three times?").await;
    page.click("Yes").await;
    page.sees("#plugged", "The base has heard it.").await;
    page.click("Finish the test").await;
    page.sees("#plugged", "Everything is as it should be.")
        .await;
    page.sees("#plugged", "Keep this protocol").await;
    let kept = "return document.querySelector('#plugged a[download]').download";
    let kept = page.script(kept, vec![]).await;
    let kept = kept.as_str().unwrap_or_default().to_owned();
    assert!(kept.starts_with("pad-"), "{kept}");
    page.shown("test-protocol").await;
    pad.wait_for_screen(&["Start"]);
}
