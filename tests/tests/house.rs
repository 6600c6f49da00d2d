//! The base station on its machine: first start, copies brought back on the page or on another laptop, a
//! practice evening, what is told to a helper, and a key that is renewed.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use bench_parts::Program;
use serde_json::{Value, json};
use tempfile::TempDir;
use tests::daemon::{CLUB_KEY, Daemon, binary};

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
    // Its folder goes when it ends: it does not offer to start with the machine.
    let house = ureq::get(format!("{page}api/house")).call();
    let house: Value = house
        .expect("it runs")
        .body_mut()
        .read_json()
        .expect("JSON");
    assert!(house["autostart"].is_null(), "{house}");
    assert!(base.get("house")["autostart"].is_boolean());
    let again = base.post("house/practice", &json!({}));
    assert_eq!(again["page"], page.as_str(), "the same one");
    assert_eq!(
        base.get("house")["first_start"],
        true,
        "nothing touches the club"
    );
}

#[test]
fn whoever_has_no_window_to_close_ends_it_on_the_page() {
    let mut base = base();
    name(&base, "Bridge Club Northbank");
    let practice = base.post("house/practice", &json!({}));
    let page = practice["page"].as_str().unwrap_or_default();
    assert_eq!(base.post("house/end", &json!({}))["ended"], true);
    assert!(base.ended_well());
    wait_until_gone(page);
    base.start_again();
    assert_eq!(base.get("house")["club"], "Bridge Club Northbank");
}

#[test]
fn a_practice_evening_ends_with_its_base_station_even_if_that_is_killed() {
    let mut base = base();
    let practice = base.post("house/practice", &json!({}));
    let page = practice["page"].as_str().expect("a page").to_owned();
    base.kill();
    wait_until_gone(&page);
}

/// Waits until the practice evening with this page has ended.
fn wait_until_gone(page: &str) {
    let is_gone = || ureq::get(format!("{page}api/login")).call().is_err();
    let until = Instant::now() + Duration::from_secs(20);
    while !is_gone() {
        assert!(Instant::now() < until, "it plays on for nobody");
        std::thread::sleep(Duration::from_millis(100));
    }
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

#[test]
fn a_club_moves_to_another_laptop_with_its_key_and_a_copy() {
    let lost = base();
    name(&lost, "Northbank");
    // Another key than every base of these tests begins with.
    lost.do_as_director("club/key/renew", &json!({}));
    lost.do_as_director("club/key/end-old", &json!({}));
    let key = String::from_utf8(lost.download("club/key/file")).expect("a text");
    let copy = lost.download("backup");
    drop(lost);

    let mut new = base();
    let refused = new.post("club/key/take", &json!({"key": "no key at all"}));
    assert!(refused["problem"].is_string(), "{refused}");
    new.do_as_director("club/key/take", &json!({"key": key}));
    let restoring = new.upload("backups/upload", &copy);
    assert!(restoring["records"].is_u64(), "{restoring}");
    new.wait_until_ready_again();
    assert_eq!(new.get("house")["club"], "Northbank");
    assert_eq!(new.download("club/key/file"), key.as_bytes());
    // No question is asked the next day, and nobody puts another key in its place.
    new.open_evening(10);
    new.start_again();
    let refused = new.post("club/key/take", &json!({"key": CLUB_KEY}));
    assert!(refused["problem"].is_string(), "{refused}");
    assert_eq!(new.download("club/key/file"), key.as_bytes());
}

#[test]
fn a_copy_comes_to_another_laptop_without_its_key_and_the_director_is_asked() {
    let lost = base();
    name(&lost, "Northbank");
    lost.do_as_director("club/key/renew", &json!({}));
    lost.do_as_director("club/key/end-old", &json!({}));
    let copy = lost.download("backup");
    let mut new = base();
    new.upload("backups/upload", &copy);
    let asks = |page: &str| {
        let answer = ureq::get(page).call().ok()?.body_mut().read_to_string();
        let answer = answer.ok()?;
        let token = answer.split_once("name=\"token\" value=\"")?.1;
        Some(token.split_once('"')?.0.to_owned())
    };
    let until = Instant::now() + Duration::from_secs(20);
    let token = loop {
        if let Some(token) = asks(new.page()) {
            break token;
        }
        assert!(Instant::now() < until, "nobody asks");
        std::thread::sleep(Duration::from_millis(100));
    };
    let answer = ureq::post(format!("{}answer", new.page()))
        .header("content-type", "application/x-www-form-urlencoded")
        .send(format!("token={token}&answer=new"));
    answer.expect("answered");
    new.wait_until_ready_again();
    assert_eq!(new.get("house")["club"], "Northbank");
}

/// A base station on whose command line nobody has said where its page is served.
struct Unsaid {
    data: TempDir,
    port: u16,
    running: Option<Program>,
}

impl Unsaid {
    fn start() -> Self {
        let free = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let mut unsaid = Self {
            data: tempfile::tempdir().expect("a folder"),
            port: free.local_addr().expect("an address").port(),
            running: None,
        };
        drop(free);
        unsaid.start_again();
        unsaid
    }

    fn start_again(&mut self) -> String {
        self.running = None;
        let mut command = Command::new(binary());
        command
            .args(["serve", "--radio", "none", "--pad-port", "none", "--port"])
            .arg(self.port.to_string())
            .arg("--data")
            .arg(self.data.path())
            .stdin(Stdio::null());
        let mut running = Program::start(&mut command);
        let page = running.wait_for_page();
        self.running = Some(running);
        page
    }

    fn wait_until_ready_again(&mut self) -> String {
        let running = self.running.as_mut().expect("it runs");
        running.wait_for_page()
    }

    /// Whether it answers at another address of this machine than the one that is always there.
    fn lets_others_in(&self) -> bool {
        let address = format!("127.0.0.2:{}", self.port);
        std::net::TcpStream::connect(address).is_ok()
    }

    /// Asks for another door, as the director who has signed in with this, or where none is needed.
    fn ask(&self, password: Option<&str>, wish: &Value) -> Value {
        let page = format!("http://127.0.0.1:{}/api", self.port);
        let (cookie, me) = match password {
            None => (String::new(), ureq::get(format!("{page}/login")).call()),
            Some(password) => {
                let signed_in = ureq::post(format!("{page}/login"))
                    .send_json(json!({"name": "Anna", "password": password}))
                    .expect("signed in");
                let cookie = signed_in.headers().get("set-cookie").expect("a cookie");
                let cookie = cookie.to_str().expect("a text").to_owned();
                (cookie, Ok(signed_in))
            }
        };
        let me: Value = me
            .expect("it answers")
            .body_mut()
            .read_json()
            .expect("JSON");
        let answer = ureq::put(format!("{page}/house/door"))
            .header("x-byestand-csrf", me["csrf"].as_str().expect("a token"))
            .header("cookie", cookie.split(';').next().unwrap_or_default())
            .config()
            .http_status_as_error(false)
            .build()
            .send_json(wish);
        answer
            .expect("it answers")
            .body_mut()
            .read_json()
            .expect("JSON")
    }
}

#[test]
fn phones_are_let_in_on_the_page_with_a_password_and_shut_out_again() {
    const PASSWORD: &str = "one of our own";
    let mut base = Unsaid::start();
    assert!(!base.lets_others_in(), "nobody, until somebody says so");
    let refused = base.ask(None, &json!({"door": "plain"}));
    assert!(refused["problem"].is_string(), "{refused}");
    let wish = json!({"door": "plain", "password": PASSWORD});
    let done = base.ask(None, &wish);
    let page = format!("http://127.0.0.1:{}/", base.port);
    assert_eq!(done["page"], page.as_str(), "{done}");
    base.wait_until_ready_again();
    assert!(base.lets_others_in());
    base.start_again();
    assert!(base.lets_others_in(), "and the next day");

    base.ask(Some(PASSWORD), &json!({"door": "encrypted"}));
    let encrypted = base.wait_until_ready_again();
    assert!(encrypted.starts_with("https://"), "{encrypted}");
    assert!(base.lets_others_in());
    std::fs::write(base.data.path().join("other-machines"), "plain").expect("written");
    base.start_again();
    base.ask(Some(PASSWORD), &json!({"door": "shut"}));
    base.wait_until_ready_again();
    assert!(!base.lets_others_in(), "shut");
    // Whoever has said it on the command line has said it.
    let named = self::base();
    let refused = named.put("house/door", &json!({"door": "plain"}));
    assert!(refused["problem"].is_string(), "{refused}");
}

#[test]
fn two_base_stations_never_share_one_journal() {
    let mut first = base();
    name(&first, "Northbank");
    let quiet = ["serve", "--listen", "127.0.0.1:0", "--radio", "none"];
    // A new journal, and one whose base station was killed.
    for _ in 0..2 {
        let said = first.command(&quiet);
        let sentence = String::from_utf8_lossy(&said.stderr).into_owned();
        assert_eq!(said.status.code(), Some(2), "{sentence}");
        assert!(sentence.contains("in use"), "{sentence}");
        first.start_again();
    }
    assert_eq!(first.get("house")["club"], "Northbank");
}
