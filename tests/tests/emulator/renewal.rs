//! The club gets a new key: a pad in the room takes it over the air, one that lies in the cupboard for
//! a week takes it when it comes back, and one that comes after the old key was ended has no effect
//! until it has been at the cable.

use bench_parts::Wire;
use pad::Key;
use protocol::link::Timing;
use serde_json::{Value, json};
use tests::daemon::Daemon;
use tests::emulator::{Airwaves, EmulatedPad, Faults};

use crate::evening::{FOUR_SPADES, PASSED_OUT, log_on, pad_in_range, wait_for_results};

fn put_battery_in(air: &Airwaves, number: u32, pad: &mut EmulatedPad) {
    pad.insert_battery();
    air.join(number, &pad.radio());
}

fn with_old_key(base: &Daemon) -> usize {
    let club = base.get("club/pads");
    let pads = club["pads"].as_array().expect("pads").iter();
    pads.filter(|pad| pad["new_key"] == false).count()
}

/// What a pad with the club's present key says of itself.
fn club_line(base: &Daemon) -> String {
    let club = base.get("club/pads");
    let check = club["key_check"].as_str().expect("a check value");
    format!("club {check} network 0")
}

#[test]
fn a_new_key_reaches_pads_that_were_away_for_a_week_and_the_old_one_has_no_effect_once_it_is_ended()
{
    let air = Airwaves::new(Timing::COMMON);
    let wire = Wire::new();
    let port = wire.far_end.clone();
    let words = ["--pad-port", port.as_str()];
    let mut base = Daemon::start_with(&[air.base()], Timing::COMMON.baud, &words);
    base.open_evening(10);
    let [mut here, mut away, mut late] = [1, 2, 3].map(|number| pad_in_range(&air, number));
    late.wait_for(&club_line(&base), 1);
    late.pull_battery();
    log_on(&mut here, Key::One);
    log_on(&mut away, Key::Two);
    away.press(&FOUR_SPADES);
    away.wait_for_screen(&["received"]);
    // Into the cupboard with a result that nobody has received.
    air.suffer(Faults::QUIET);
    away.press(&PASSED_OUT);
    away.wait_for_screen(&["to send"]);
    away.pull_battery();
    air.suffer(Faults::CLEAR);

    base.do_as_director("club/key/renew", &json!({}));
    let new = club_line(&base);
    here.press(&FOUR_SPADES);
    here.wait_for(&new, 1);
    wait_for_results(&base, "A1", 1);

    base.start_later(7);
    put_battery_in(&air, 2, &mut away);
    away.wait_for(&new, 1);
    wait_for_results(&base, "A2", 2);
    away.wait_for_screen(&["received"]);
    base.wait_for("club/pads", |_| (with_old_key(&base) == 0).then_some(()));

    // The last one is even later.
    base.do_as_director("club/key/end-old", &json!({}));
    let counted = |radio: &Value| radio["frames"]["other_club"].as_u64();
    let before = counted(&base.get("radio"));
    put_battery_in(&air, 3, &mut late);
    late.wait_for_screen(&["Start"]);
    late.press(&[Key::Ok, Key::Double, Key::Three, Key::Ok]);
    late.wait_for_screen(&["LogOnRefused"]);
    base.wait_for("radio", |radio| (counted(radio) > before).then_some(()));
    let tables = base.get("view");
    let table = tables["tables"].as_array().expect("tables").iter();
    let mut table = table.filter(|table| table["table"] == "A3");
    assert!(table.all(|table| table["pad"].is_null()), "{tables:#}");

    late.connect_computer(wire);
    let name = base.wait_for("cable", |cable| {
        let pad = &cable["pads"][0];
        (pad["belongs"] == "Other").then(|| pad["pad"].as_str().map(str::to_owned))?
    });
    let welcomed = base.post(&format!("cable/{name}/welcome"), &json!({"language": "en"}));
    assert!(welcomed["number"].is_u64(), "{welcomed}");
    late.press(&[Key::Back, Key::Back]);
    late.wait_for_screen(&["Start"]);
    log_on(&mut late, Key::Three);
    late.press(&FOUR_SPADES);
    wait_for_results(&base, "A3", 1);
}
