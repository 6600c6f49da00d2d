//! A pad at the cable: from its box to its first score, without a typed key.

use bench_parts::Wire;
use pad::Key;
use protocol::link::Timing;
use serde_json::{Value, json};
use tests::daemon::Daemon;
use tests::emulator::{Airwaves, EmulatedPad};

use crate::evening::{FOUR_SPADES, log_on, wait_for_results};

/// The one pad at the cable, as soon as `found` sees what it looks for.
fn plugged<T>(base: &Daemon, found: impl Fn(&Value) -> Option<T>) -> T {
    base.wait_for("cable", |cable| found(cable["pads"].get(0)?))
}

#[test]
fn a_new_pad_comes_from_the_cable_to_its_first_score_through_the_page() {
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

    // The page knows it, and that it is new.
    let name = plugged(&base, |pad| {
        (pad["belongs"] == "New").then(|| pad["pad"].as_str().map(str::to_owned))?
    });
    let given = base.post(
        &format!("cable/{name}/welcome"),
        &json!({"number": null, "language": "de"}),
    );
    assert_eq!(given["number"], 1, "{given}");
    let worn = plugged(&base, |pad| (pad["belongs"] == "Ours").then(|| pad.clone()));
    assert_eq!(
        (&worn["number"], &worn["language"]),
        (&json!(1), &json!("de"))
    );
    pad.wait_for_screen(&["Start", "Pad 1"]);

    // Its radio is tested, and a key.
    base.do_as_director(&format!("cable/{name}/test"), &json!({"part": "radio"}));
    plugged(&base, |pad| (pad["answered"] == true).then_some(()));
    base.do_as_director(&format!("cable/{name}/test"), &json!({"part": "keys"}));
    pad.wait_for_screen(&["Test"]);
    pad.press(&[Key::Accept]);
    plugged(&base, |pad| {
        let missing = pad["missing_keys"].as_array()?;
        (missing.len() == 35 && !missing.contains(&json!("ACCEPT"))).then_some(())
    });
    let seen = json!({"pixels": true, "sound": true});
    let protocol = base.post(&format!("cable/{name}/protocol"), &seen);
    assert_eq!(protocol["radio"]["passed"], true, "{protocol}");
    assert_eq!(protocol["keys"]["passed"], false, "35 were not pressed");
    assert_eq!(protocol["passed"], false);
    pad.wait_for_screen(&["Start"]);

    // The first evening. The pad learns the club's language with its table.
    base.open_evening(10);
    log_on(&mut pad, Key::One);
    pad.press(&FOUR_SPADES);
    let found = wait_for_results(&base, "A1", 1);
    assert_eq!(found, [(1, "4S by S =, lead DK".to_owned())]);
    let pads = base.get("club/pads");
    let known = &pads["pads"][0];
    assert_eq!((&known["number"], &known["pad"]), (&json!(1), &json!(name)));
    assert_eq!(
        known["batteries"].as_array().map(Vec::len),
        Some(1),
        "{pads}"
    );
}
