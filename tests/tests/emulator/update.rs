//! A pad at the cable gets the next program through the page and the old one back, is cut off on the
//! way and before its new program was heard, and never forgets what nobody has received.

use bench_parts::Wire;
use pad::Key;
use protocol::link::Timing;
use protocol::message::FirmwareVersion;
use serde_json::{Value, json};
use tests::browser::{DESKTOP, Page};
use tests::daemon::Daemon;
use tests::emulator::{Airwaves, EmulatedPad, Faults};

use crate::evening::{FOUR_SPADES, PASSED_OUT, log_on, wait_for_results};

const NOW: FirmwareVersion = pad::FIRMWARE;
const NEXT: FirmwareVersion = FirmwareVersion(0, 3, 0);

/// What the page is told of the one pad at the cable, once `found` sees what it looks for.
fn wait_for_pad<T>(base: &Daemon, mut found: impl FnMut(&Value) -> Option<T>) -> T {
    base.wait_for("cable", |cable| found(&cable["pads"][0]))
}

fn wait_for_step(base: &Daemon, step: &str) {
    wait_for_pad(base, |pad| (pad["update"]["step"] == step).then_some(()));
}

/// How many hundredths of the program have arrived when the battery is pulled.
fn cuts() -> Vec<u64> {
    let full = std::env::var("BYESTAND_CUTS").is_ok_and(|wish| wish == "full");
    if full { vec![1, 40, 90] } else { vec![1, 5] }
}

/// New batteries, and the pad is at its board with one result that nobody has received.
fn change_battery(air: &Airwaves, pad: &mut EmulatedPad) {
    pad.pull_battery();
    pad.insert_battery();
    air.join(1, &pad.radio());
    pad.wait_for("firmware 0.2.0", 1);
    pad.wait_for(" unsent 1 ", 1);
}

async fn choose(page: &Page, base: &Daemon, pad: &EmulatedPad, version: FirmwareVersion) {
    let FirmwareVersion(_, minor, _) = version;
    let file = base.data().join(format!("pads-{minor}.update"));
    std::fs::write(&file, pad.image().update(version)).expect("written");
    let chosen = page.find("#pad-program input[type=file]").await;
    let path = file.to_str().expect("a plain path");
    chosen.send_keys(path).await.expect("chosen");
    let ready = format!("Version 0.{minor}.0 is ready");
    page.sees("#pad-program", &ready).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pad_gets_the_next_program_and_the_old_one_back_through_the_page_and_loses_nothing() {
    let air = Airwaves::new(Timing::COMMON);
    let wire = Wire::new();
    let port = wire.far_end.clone();
    let base = Daemon::start_with(
        &[air.base()],
        Timing::COMMON.baud,
        &["--pad-port", port.as_str()],
    );
    let mut pad = EmulatedPad::new(1);
    air.join(1, &pad.radio());
    pad.wait_for_screen(&["Start"]);
    pad.connect_computer(wire);
    let name = wait_for_pad(&base, |pad| pad["pad"].as_str().map(str::to_owned));
    let welcomed = base.post(&format!("cable/{name}/welcome"), &json!({"language": "en"}));
    assert_eq!(welcomed["number"], 1, "{welcomed}");
    base.open_evening(10);
    log_on(&mut pad, Key::One);
    pad.press(&FOUR_SPADES);
    pad.wait_for_screen(&["Board 2", "received"]);

    // Out of range, a second result is agreed.
    air.suffer(Faults::QUIET);
    pad.press(&PASSED_OUT);
    let mut page = Page::open("update", DESKTOP).await;
    page.go(&format!("{}#/cable", base.page())).await;
    choose(&page, &base, &pad, NEXT).await;

    // The battery is pulled on the way, and once more when the new program runs and nobody has
    // heard it yet.
    for percent in cuts() {
        page.click("Update to 0.3.0").await;
        page.sees("#plugged", "on its way").await;
        wait_for_pad(&base, |pad| {
            (pad["update"]["percent"].as_u64()? >= percent).then_some(())
        });
        change_battery(&air, &mut pad);
        wait_for_step(&base, "Failed");
    }
    page.shown("failed").await;
    page.click("Update to 0.3.0").await;
    wait_for_step(&base, "Proving");
    pad.wait_for("program B on trial", 1);
    page.shown("proving").await;
    change_battery(&air, &mut pad);
    pad.wait_for("program A proven", 1);
    wait_for_step(&base, "Failed");

    // Heard, it is kept, and brings what its predecessor had not sent.
    page.click("Update to 0.3.0").await;
    wait_for_step(&base, "Proving");
    air.suffer(Faults::CLEAR);
    wait_for_step(&base, "Kept");
    page.sees("#plugged", "has reached this base station and is kept")
        .await;
    page.sees("#plugged", "0.3.0").await;
    wait_for_results(&base, "A1", 2);
    pad.wait_for_screen(&["Board 3", "received"]);
    page.shown("kept").await;

    // And back, with a result that was agreed under the new one.
    air.suffer(Faults::QUIET);
    pad.press(&PASSED_OUT);
    choose(&page, &base, &pad, NOW).await;
    page.click("Go back to 0.2.0").await;
    wait_for_step(&base, "Proving");
    air.suffer(Faults::CLEAR);
    wait_for_step(&base, "Kept");
    wait_for_results(&base, "A1", 3);
    page.sees("#plugged", "0.2.0").await;
    page.assert_no_barriers();
    page.close().await;
}
