//! The real daemon, as its own process: started with its command line, asked through its API, and
//! ended with it or against its will.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use bench_parts::Program;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::emulator::target_directory;

/// The key of the club that all tests belong to.
pub const CLUB_KEY: &str = "00112233445566778899aabbccddeeff0123456789abcdef0123456789abcdef";

/// What opens the director's menu on the pads of that club.
pub const DIRECTOR_PIN: &str = "7316";

/// How long something may take to arrive at the daemon. A pad that got no answer rests for up to
/// 24 seconds before it calls again, and on a bad channel more than once.
const PATIENCE: Duration = Duration::from_secs(150);

/// A running base station with a data folder of its own.
#[derive(Debug)]
pub struct Daemon {
    data: TempDir,
    radios: Vec<PathBuf>,
    baud: u32,
    /// Other words of its command line.
    words: Vec<String>,
    running: Option<Running>,
}

#[derive(Debug)]
struct Running {
    process: Program,
    page: String,
    token: String,
}

impl Running {
    fn start(command: &mut Command) -> Self {
        let mut process = Program::start(command);
        let page = process.wait_for("Byestand is ready: ");
        let login = fetch(ureq::get(format!("{page}api/login")).call());
        let token = login["csrf"].as_str().expect("a token").to_owned();
        Self {
            process,
            page,
            token,
        }
    }
}

impl Daemon {
    /// Starts with an empty data folder and these receivers.
    pub fn start(radios: &[&Path], baud: u32) -> Self {
        Self::start_with(radios, baud, &[])
    }

    /// The same, with other words of the command line.
    pub fn start_with(radios: &[&Path], baud: u32, words: &[&str]) -> Self {
        let data = tempfile::Builder::new()
            .prefix("base")
            .tempdir()
            .expect("a folder for the daemon");
        std::fs::write(data.path().join("club.key"), CLUB_KEY).expect("the key is written");
        let mut daemon = Self {
            data,
            radios: radios.iter().map(|path| path.to_path_buf()).collect(),
            baud,
            words: words.iter().map(|word| (*word).to_owned()).collect(),
            running: None,
        };
        daemon.start_again();
        daemon
    }

    /// The demonstration, which brings its own evening and its own players.
    pub fn demonstration() -> Self {
        let data = tempfile::tempdir().expect("a folder nobody needs");
        let mut command = Command::new(binary());
        let running = Running::start(command.arg("demo").stdin(Stdio::null()));
        Self {
            data,
            radios: Vec::new(),
            baud: 0,
            words: Vec::new(),
            running: Some(running),
        }
    }

    /// Starts with the data folder as it is.
    pub fn start_again(&mut self) {
        self.start_later(0);
    }

    /// The same, so many days later by the machine's clock.
    pub fn start_later(&mut self, days: u32) {
        self.kill();
        let mut command = Command::new(binary());
        if days > 0 {
            command
                .env("LD_PRELOAD", moved_clock())
                .env("FAKETIME", format!("+{days}d"))
                .env("FAKETIME_DONT_FAKE_MONOTONIC", "1");
        }
        command
            .arg("serve")
            .arg("--data")
            .arg(self.data.path())
            // The key is brought here on purpose.
            .arg("--new-journal")
            .args(["--baud", &self.baud.to_string()])
            .args(&self.words)
            .stdin(Stdio::null());
        // Where it is served is said, unless that is what the test is about.
        if !self.words.iter().any(|word| word == "--port") {
            command.args(["--listen", "127.0.0.1:0"]);
        }
        for radio in &self.radios {
            command.arg("--radio").arg(radio);
        }
        self.running = Some(Running::start(&mut command));
    }

    /// It has been told to start again by itself: waits until it has.
    pub fn wait_until_ready_again(&mut self) {
        let running = self.running.as_mut().expect("the daemon runs");
        running.page = running.process.wait_for("Byestand is ready: ");
        let login = fetch(ureq::get(format!("{}api/login", running.page)).call());
        login["csrf"]
            .as_str()
            .expect("a token")
            .clone_into(&mut running.token);
    }

    /// It has been told to end by itself: waits until it has, and says whether it ended well.
    pub fn ended_well(&mut self) -> bool {
        let running = self.running.take();
        running.expect("the daemon runs").process.ended_well()
    }

    /// Where the page is, with a slash at the end.
    pub fn page(&self) -> &str {
        &self.running().page
    }

    /// A file that the page offers.
    pub fn download(&self, path: &str) -> Vec<u8> {
        let answer = ureq::get(format!("{}api/{path}", self.running().page)).call();
        let mut answer = answer.expect("the daemon answers");
        answer.body_mut().read_to_vec().expect("a file")
    }

    /// Gives the page a file.
    pub fn upload(&self, path: &str, file: &[u8]) -> Value {
        let running = self.running();
        let request = ureq::post(format!("{}api/{path}", running.page))
            .header("x-byestand-csrf", &running.token)
            .header("content-type", "application/octet-stream")
            .config()
            .http_status_as_error(false)
            .build();
        fetch(request.send(file))
    }

    /// `kill -9`.
    pub fn kill(&mut self) {
        self.running = None;
    }

    /// Asks the API, for instance for `view`.
    pub fn get(&self, path: &str) -> Value {
        let running = self.running();
        fetch(ureq::get(format!("{}api/{path}", running.page)).call())
    }

    /// Sets something as the director.
    pub fn put(&self, path: &str, body: &Value) -> Value {
        let running = self.running();
        let request = ureq::put(format!("{}api/{path}", running.page))
            .header("x-byestand-csrf", &running.token)
            .config()
            .http_status_as_error(false)
            .build();
        fetch(request.send_json(body))
    }

    /// Does something as the director.
    pub fn post(&self, path: &str, body: &Value) -> Value {
        let running = self.running();
        let request = ureq::post(format!("{}api/{path}", running.page))
            .header("x-byestand-csrf", &running.token)
            .config()
            .http_status_as_error(false)
            .build();
        fetch(request.send_json(body))
    }

    /// Takes something away as the director.
    pub fn remove(&self, path: &str) -> Value {
        let running = self.running();
        let request = ureq::delete(format!("{}api/{path}", running.page))
            .header("x-byestand-csrf", &running.token)
            .config()
            .http_status_as_error(false)
            .build();
        fetch(request.call())
    }

    /// Does something as the director that must not be refused.
    pub fn do_as_director(&self, path: &str, body: &Value) {
        let answer = self.post(path, body);
        assert!(answer["problem"].is_null(), "{path} was refused: {answer}");
    }

    /// Where it listens.
    pub fn address(&self) -> std::net::SocketAddr {
        let page = self.running().page.trim_end_matches('/');
        let address = page.split_once("://").expect("an address").1;
        address.parse().expect("an address")
    }

    /// Bytes of memory that the process holds.
    pub fn memory(&self) -> u64 {
        self.running().process.kilobytes("VmRSS") * 1024
    }

    /// Bytes of the journal on disk, its write-ahead log included.
    pub fn journal_len(&self) -> u64 {
        let files = ["journal.sqlite", "journal.sqlite-wal"];
        let lengths = files.map(|file| std::fs::metadata(self.data.path().join(file)));
        lengths.into_iter().flatten().map(|file| file.len()).sum()
    }

    /// The club chooses what opens the director's menu on its pads.
    pub fn choose_pin(&self) {
        let answer = self.put("rules/director-pin", &json!({"pin": DIRECTOR_PIN}));
        assert!(answer["seq"].is_u64(), "the PIN was refused: {answer}");
    }

    /// An evening with one section A of so many pairs, open for pads.
    pub fn open_evening(&self, pairs: u16) {
        self.choose_pin();
        let event = json!({"name": "Monday", "date": "2026-11-16"});
        let section = json!({"section": "A", "pairs": pairs, "boards_min": 20, "boards_max": 30});
        for (path, body) in [
            ("calendar/events", event),
            ("setup/sections", section),
            ("open", json!({})),
        ] {
            let answer = self.post(path, &body);
            assert!(answer["seq"].is_u64(), "{path} was refused: {answer}");
        }
    }

    /// Waits until `found` sees what it looks for in the answer at `path`.
    pub fn wait_for<T>(&self, path: &str, mut found: impl FnMut(&Value) -> Option<T>) -> T {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let answer = self.get(path);
            if let Some(result) = found(&answer) {
                return result;
            }
            assert!(Instant::now() < deadline, "{path} still says: {answer:#}");
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    /// Its data folder.
    pub fn data(&self) -> &Path {
        self.data.path()
    }

    /// Runs another command of the program with this data folder; answers with what it said.
    pub fn command(&self, arguments: &[&str]) -> std::process::Output {
        Command::new(binary())
            .args(arguments)
            .arg("--data")
            .arg(self.data.path())
            .stdin(Stdio::null())
            .output()
            .expect("the program starts")
    }

    fn running(&self) -> &Running {
        self.running.as_ref().expect("the daemon runs")
    }
}

fn fetch(answer: Result<ureq::http::Response<ureq::Body>, ureq::Error>) -> Value {
    answer
        .expect("the daemon answers")
        .body_mut()
        .read_json()
        .expect("the daemon answers in JSON")
}

/// The daemon's program: the one that `BYESTAND_PROGRAM` names, or our own, built if it is not up
/// to date and with optimisation where the caller is.
pub fn binary() -> &'static Path {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    BINARY.get_or_init(|| {
        if let Some(program) = std::env::var_os("BYESTAND_PROGRAM") {
            return PathBuf::from(program);
        }
        let (profile, folder) = if cfg!(debug_assertions) {
            ("dev", "debug")
        } else {
            ("release", "release")
        };
        let built = Command::new(env!("CARGO"))
            .args(["build", "--quiet", "--profile", profile])
            .args(["-p", "base-station", "--bin", "byestand"])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .status()
            .expect("cargo runs");
        assert!(built.success(), "the daemon does not compile");
        target_directory().join(folder).join("byestand")
    })
}

/// Debian's library that moves a program's clock.
fn moved_clock() -> PathBuf {
    let folders = std::fs::read_dir("/usr/lib").into_iter().flatten();
    let mut places = folders
        .filter_map(|folder| Some(folder.ok()?.path().join("faketime/libfaketimeMT.so.1")))
        .filter(|place| place.is_file());
    places
        .next()
        .expect("libfaketime is installed: tests/install clock")
}
