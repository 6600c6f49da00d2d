//! A virtual pad and the base's end of the link on a quiet channel: a pad gets its key, and an
//! evening arrives.

mod quiet;
#[path = "../../tests/room/mod.rs"]
mod room;

use pad::{BatteryGauge, ScreenId};
use protocol::time::Span;
use quiet::{Quiet, SECOND, log_on, play_evening};
use room::BOARDS;
use virtual_pad::VirtualPad;

#[test]
fn a_pad_without_a_key_gets_it_at_the_service_port_and_logs_on() {
    let mut quiet = Quiet::with(VirtualPad::without_key);
    let membership = |pad: &VirtualPad| {
        let mut line = String::new();
        pad::service::membership(pad.app(), &mut line).expect("room enough");
        line
    };
    let refused = |quiet: &mut Quiet, why: &str| {
        quiet.press("OK A 5 OK", SECOND);
        quiet.run(Span::from_secs(10));
        assert_eq!(quiet.id(), ScreenId::LogOnRefused);
        let mut page = String::new();
        pad::service::mirror(&quiet.pad.screen(quiet.now), &mut page).expect("room enough");
        // A sentence is read across the rows it was broken into.
        let words: Vec<&str> = page.split_whitespace().collect();
        assert!(words.join(" ").contains(why), "{page}");
        quiet.press("BACK BACK", SECOND);
    };
    assert_eq!(membership(&quiet.pad), "club none\n");
    refused(&mut quiet, "needs a club key");
    assert_eq!(quiet.modem_on, Span::ZERO, "it has nothing to seal with");
    let give = |quiet: &mut Quiet, key: &str| {
        let command = format!("club {} 0 0", key.repeat(32));
        let taken = quiet.pad.type_on_service_port(&command, quiet.now);
        taken.expect("a key");
    };
    // The key of another club first, then what is in this club's key file.
    give(&mut quiet, "55");
    refused(&mut quiet, "belongs to another club");
    give(&mut quiet, "07");
    assert_eq!(membership(&quiet.pad), "club 897E network 0 channel 0\n");
    log_on(&mut quiet);
    // Once is enough.
    let pad = std::mem::replace(&mut quiet.pad, Quiet::new().pad);
    quiet.pad = pad.restart(quiet.now);
    assert_eq!(membership(&quiet.pad), "club 897E network 0 channel 0\n");
    quiet.press("4 ♠ S ♦ K = OK ACCEPT", SECOND);
    quiet.run(Span::from_secs(10));
    assert_eq!(quiet.base.journal.len(), 1);
}

#[test]
fn an_evening_over_the_real_link_arrives_whole() {
    let mut quiet = Quiet::new();
    log_on(&mut quiet);
    play_evening(&mut quiet);
    quiet.run(Span::from_secs(60));
    assert_eq!(quiet.id(), ScreenId::SessionEnd);
    assert_eq!(quiet.base.journal.len(), 30);
    assert_eq!(quiet.pad.app().sheet().unsent(), 0);
}

#[test]
fn a_pad_out_of_range_all_evening_catches_up_over_the_real_link() {
    let mut quiet = Quiet::new();
    log_on(&mut quiet);
    quiet.in_range = false;
    play_evening(&mut quiet);
    assert_eq!(quiet.id(), ScreenId::SessionEnd);
    assert_eq!(quiet.pad.app().sheet().unsent(), 30);
    let pad = std::mem::replace(&mut quiet.pad, Quiet::new().pad);
    quiet.pad = pad.restart(quiet.now);
    quiet.in_range = true;
    quiet.run(Span::from_secs(15 * 60));
    assert_eq!(quiet.base.journal.len(), 30);
    assert_eq!(quiet.pad.app().sheet().unsent(), 0);
}

#[test]
fn a_pad_whose_flash_dies_goes_on_scoring_and_says_so() {
    let mut quiet = Quiet::new();
    log_on(&mut quiet);
    let step = quiet.pad.flash().steps();
    quiet.pad.flash().cut_power_at(step);
    for _ in 0..BOARDS {
        quiet.press("4 ♠ S ♦ K = OK ACCEPT", SECOND);
    }
    assert!(!quiet.pad.flash().has_power(), "it can't write");
    quiet.run(Span::from_secs(60));
    assert_eq!(quiet.id(), ScreenId::RoundEnd);
    let screen = quiet.pad.screen(quiet.now);
    assert_eq!(screen.status.alert, "CANNOT SAVE");
    assert_eq!(quiet.base.journal.len(), usize::from(BOARDS));
}

#[test]
fn weak_cells_are_told_and_a_missing_gauge_is_not_weak_cells() {
    let mut quiet = Quiet::new();
    log_on(&mut quiet);
    for (gauge, alert) in [(150, ""), (104, "BATTERY LOW"), (0, "")] {
        quiet.pad.set_battery(BatteryGauge(gauge), quiet.now);
        let screen = quiet.pad.screen(quiet.now);
        assert_eq!(screen.status.alert, alert, "{gauge}");
    }
}
