//! The base station on its machine: first start, copies brought back on the page, a practice
//! evening, what is told to a helper, and a key that is renewed.

use serde_json::{Value, json};
use tests::daemon::{CLUB_KEY, Daemon};

const BAUD: u32 = 19_200;

/// A base station without a receiver and without cables.
fn base() -> Daemon {
    Daemon::start_with(&[], BAUD, &["--radio", "none", "--pad-port", "none"])
}

fn name(base: &Daemon, name: &str) {
    let done = base.put("house/club", &json!({"name": name}));
    assert!(done["seq"].is_u64(), "{done}");
}

#[test]
fn a_first_start_asks_until_the_club_has_a_name() {
    let base = base();
    assert_eq!(base.get("house")["first_start"], true);
    name(&base, "Bridge Club Northbank");
    let house = base.get("house");
    assert_eq!(house["first_start"], false);
    assert_eq!(house["club"], "Bridge Club Northbank");
}

#[test]
fn a_copy_that_was_saved_is_brought_back_on_the_page() {
    let mut base = base();
    name(&base, "As it was");
    let copy = base.download("backup");
    name(&base, "Spoilt by mistake");
    let refused = base.upload("backups/upload", b"no copy at all");
    assert!(refused["problem"].is_string(), "{refused}");
    assert_eq!(base.get("house")["club"], "Spoilt by mistake");

    let restoring = base.upload("backups/upload", &copy);
    assert!(restoring["records"].is_u64(), "{restoring}");
    base.wait_until_ready_again();
    assert_eq!(base.get("house")["club"], "As it was");
    let kept = std::fs::read_dir(base.data()).expect("a folder");
    let aside = kept.filter_map(|it| it.ok()?.file_name().into_string().ok());
    let aside: Vec<String> = aside.filter(|it| it.starts_with("replaced-")).collect();
    assert_eq!(aside.len(), 1, "what was there is kept");
    // And it stays so.
    base.start_again();
    assert_eq!(base.get("house")["club"], "As it was");
}

#[test]
fn a_practice_evening_is_played_beside_the_club() {
    let base = base();
    let practice = base.post("house/practice", &json!({}));
    let page = practice["page"].as_str().expect("a page").to_owned();
    let view = ureq::get(format!("{page}api/view")).call();
    let view: Value = view.expect("it runs").body_mut().read_json().expect("JSON");
    assert!(view["tables"].is_array(), "{view}");
    let again = base.post("house/practice", &json!({}));
    assert_eq!(again["page"], page.as_str(), "the same one");
    assert_eq!(
        base.get("house")["first_start"],
        true,
        "nothing touches the club"
    );
}

#[test]
fn what_a_helper_is_told_has_neither_names_nor_keys() {
    let base = base();
    name(&base, "Northbank");
    let told = base.get("house/diagnostics");
    let text = told["text"].as_str().expect("a text");
    assert!(
        text.contains("wire version: 2") && text.contains("log"),
        "{text}"
    );
    for secret in ["Northbank", CLUB_KEY] {
        assert!(!text.contains(secret), "{secret} in {text}");
    }
}

#[test]
fn a_renewal_that_was_cut_off_before_the_journal_knew_goes_on() {
    let mut base = base();
    base.kill();
    let key = base.data().join("club.key");
    std::fs::copy(&key, base.data().join("club.key.old")).expect("the old one first");
    std::fs::write(&key, "07".repeat(32)).expect("then the new one");
    base.start_again();
    assert!(base.get("club/pads")["renewing_since_ms"].is_u64());
    base.do_as_director("club/key/end-old", &json!({}));
    assert!(base.get("club/pads")["renewing_since_ms"].is_null());
}

#[test]
fn the_clubs_key_is_renewed_and_the_old_one_ended_over_restarts() {
    let mut base = base();
    let key = |base: &Daemon| {
        let file = std::fs::read_to_string(base.data().join("club.key")).expect("a key");
        file.trim().to_owned()
    };
    assert_eq!(key(&base), CLUB_KEY);
    base.do_as_director("club/key/renew", &json!({}));
    let new = key(&base);
    assert_ne!(new, CLUB_KEY);
    let again = base.post("club/key/renew", &json!({}));
    assert!(again["problem"].is_string(), "one at a time: {again}");
    base.start_again();
    assert!(base.get("club/pads")["renewing_since_ms"].is_u64());
    base.do_as_director("club/key/end-old", &json!({}));
    base.start_again();
    assert_eq!(key(&base), new, "no question is asked about it");
    assert!(base.get("club/pads")["renewing_since_ms"].is_null());
}
