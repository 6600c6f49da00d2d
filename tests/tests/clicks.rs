//! What a click starts, and what it says where it can't: the page, a practice evening, an older program
//! before the data of a newer one.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use bench_parts::Program;
use serde_json::json;
use tempfile::TempDir;
use tests::daemon::{Daemon, binary};

/// A base station without a receiver and without cables, of a club with a name.
fn named_base() -> Daemon {
    let base = Daemon::start_with(&[], 19_200, &["--radio", "none", "--pad-port", "none"]);
    let done = base.put("house/club", &json!({"name": "Northbank"}));
    assert!(done["seq"].is_u64(), "{done}");
    base
}

/// Every file of a data folder but the log.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(folder) = waiting.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                waiting.push(path);
            } else if path.file_name().is_some_and(|name| name != "byestand.log") {
                found.insert(path.clone(), std::fs::read(path).expect("a file"));
            }
        }
    }
    found
}

/// What a later version might have made of the journal: another layout, and a head that says so.
fn make_newer(data: &Path) {
    let journal = rusqlite::Connection::open(data.join("journal.sqlite")).expect("opens");
    journal
        .execute_batch("ALTER TABLE journal ADD COLUMN robot TEXT; PRAGMA user_version = 9;")
        .expect("changed");
    drop(journal);
    let head = data.join("journal.head");
    let said = std::fs::read_to_string(&head).expect("a head");
    let lines = said.lines().filter_map(|line| {
        let (text, _) = line.rsplit_once(' ')?;
        let rest = text.trim_end().strip_prefix("byestand-head ")?;
        let (_, rest) = rest.split_once(' ')?;
        let text = format!("byestand-head 9 {rest}");
        let mut sum = flate2::Crc::new();
        sum.update(text.as_bytes());
        Some(format!("{text:<118} {:08x}\n", sum.sum()))
    });
    let lines: String = lines.collect();
    assert!(!lines.is_empty(), "{said}");
    std::fs::write(head, lines).expect("written");
}

#[test]
fn an_older_program_refuses_the_data_of_a_newer_one_and_touches_nothing() {
    let mut base = named_base();
    base.kill();
    make_newer(base.data());
    let before = files(base.data());
    assert!(before.len() > 2, "{:?}", before.keys());
    let quiet = ["serve", "--listen", "127.0.0.1:0", "--radio", "none"];
    for more in ["--new-journal", "--rescue", "--new-club-key"] {
        let words = [&quiet[..], &[more]].concat();
        let said = base.command(&words);
        let sentence = String::from_utf8_lossy(&said.stderr).into_owned();
        assert_eq!(said.status.code(), Some(2), "{sentence}");
        assert!(
            sentence.contains("was written by a newer Byestand: install that version"),
            "{sentence}"
        );
        assert!(files(base.data()) == before, "{more} touches something");
    }
    let saved = std::fs::read(base.data().join("journal.sqlite")).expect("a journal");
    base.kill();
    let other = named_base();
    let refused = other.upload("backups/upload", &saved);
    let sentence = refused["problem"].as_str().expect("refused");
    assert!(sentence.contains("newer Byestand"), "{sentence}");
}

/// A desktop on which a double click starts the program and something else shows pages.
struct Desktop {
    folder: TempDir,
    listen: String,
}

impl Desktop {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let opener = folder.path().join("xdg-open");
        let script = "#!/bin/sh\necho \"$1\" >>\"$OPENED\"\n";
        std::fs::write(&opener, script).expect("written");
        std::fs::set_permissions(&opener, PermissionsExt::from_mode(0o755)).expect("a program");
        let free = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let listen = free.local_addr().expect("an address").to_string();
        Self { folder, listen }
    }

    fn click(&self, data: &Path) -> Command {
        let mut command = self.entry("serve");
        command
            .args(["--radio", "none", "--pad-port", "none"])
            .args(["--listen", &self.listen, "--data"])
            .arg(data);
        command
    }

    /// What an entry of the menu starts.
    fn entry(&self, what: &str) -> Command {
        let mut command = Command::new(binary());
        command
            .args([what, "--open"])
            .env("PATH", self.folder.path())
            .env("OPENED", self.folder.path().join("opened"))
            .env("TMPDIR", self.folder.path())
            .env("LANG", "de_DE.UTF-8")
            .stdin(Stdio::null());
        command
    }

    /// What was opened, once it is so much.
    fn opened(&self, count: usize) -> Vec<String> {
        let until = Instant::now() + Duration::from_secs(20);
        loop {
            let said = std::fs::read_to_string(self.folder.path().join("opened"));
            let said: Vec<String> = said
                .unwrap_or_default()
                .lines()
                .map(str::to_owned)
                .collect();
            if said.len() >= count {
                return said;
            }
            assert!(Instant::now() < until, "only {said:?} was opened");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

#[test]
fn a_double_click_opens_the_page_and_a_second_one_shows_it_again() {
    let desktop = Desktop::new();
    let data = desktop.folder.path().join("data");
    let mut base = Program::start(&mut desktop.click(&data));
    let page = base.wait_for_page();
    assert_eq!(desktop.opened(1).pop(), Some(page.clone()));
    let again = desktop.click(&data).output().expect("it starts");
    assert!(again.status.success(), "{again:?}");
    assert_eq!(desktop.opened(2).pop(), Some(format!("{page}/")));
}

#[test]
fn a_practice_evening_from_the_menu_opens_its_page_and_leaves_the_clubs_own_address_alone() {
    let desktop = Desktop::new();
    let mut practice = Program::start(&mut desktop.entry("demo"));
    let page = practice.wait_for_page();
    assert_eq!(desktop.opened(1).pop(), Some(page.clone()));
    assert!(!page.ends_with(":7373"), "{page}");
}

#[test]
fn whoever_clicks_on_an_older_program_reads_in_the_browser_why_it_does_not_start() {
    let mut base = named_base();
    base.kill();
    make_newer(base.data());
    let desktop = Desktop::new();
    let ended = desktop.click(base.data()).output().expect("it starts");
    assert!(!ended.status.success(), "{ended:?}");
    let shown = desktop.opened(1).pop().expect("a page");
    let shown = std::fs::read_to_string(shown).expect("a file");
    assert!(shown.contains("ist von einem neueren Byestand"), "{shown}");
    assert!(shown.contains("lang=\"de\""), "{shown}");
}
