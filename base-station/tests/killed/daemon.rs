//! The real daemon as a process that does not outlive its test, and its page over plain HTTP.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

#[cfg(feature = "moved-clock")]
use bench_parts::open_request;
use bench_parts::{Program, body_of, request};

use crate::BAUD;

/// Whatever the page does not answer within this time it does not answer.
const PATIENCE: Duration = Duration::from_secs(20);

/// A running base station. A test that fails drops it, and it ends.
pub(crate) struct Daemon {
    program: Program,
    /// Where the page is, as `127.0.0.1:40000`.
    address: String,
    /// Its data folder, as the test sees it.
    data: PathBuf,
}

impl Daemon {
    /// Starts it as a director would.
    pub(crate) fn start(folder: &Path, radio: &str) -> Self {
        Self::ready(Command::new(env!("CARGO_BIN_EXE_byestand")), folder, radio)
    }

    /// How it is started so that a file-size limit is an error to it, not its end. Its log is on
    /// the same disk, and full as soon as the limit comes.
    pub(crate) fn start_patient(folder: &Path, radio: &str) -> Self {
        let log = folder.join("byestand.log");
        std::fs::write(&log, "earlier evenings\n".repeat(1000)).expect("a log");
        let log = std::fs::OpenOptions::new().append(true).open(&log);
        let mut shell = Command::new("sh");
        shell.args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\""]);
        shell.arg(env!("CARGO_BIN_EXE_byestand"));
        shell.stderr(log.expect("the log"));
        Self::ready(shell, folder, radio)
    }

    /// Starts it on a disk of its own with three megabytes, which nobody else sees and which goes
    /// when it ends. `None` where this user may not mount one.
    pub(crate) fn start_on_small_disk(folder: &Path, radio: &str) -> Option<Self> {
        let unshare = || {
            let mut unshare = Command::new("unshare");
            unshare.args(["--user", "--map-root-user", "--mount"]);
            unshare
        };
        let may = unshare().arg("true").stderr(Stdio::null()).status();
        may.ok().filter(std::process::ExitStatus::success)?;
        let disk = folder.join("disk");
        std::fs::create_dir(&disk).expect("a folder");
        let mut shell = unshare();
        shell.args(["sh", "-c"]);
        shell.arg(
            "mount -t tmpfs -o size=3m tmpfs \"$1/disk\" && cp \"$1\"/*.* \"$1/disk\" && shift && \
             exec \"$0\" \"$@\"",
        );
        shell.arg(env!("CARGO_BIN_EXE_byestand")).arg(folder);
        let mut daemon = Self::ready(shell, &disk, radio);
        let inside = disk.strip_prefix("/").expect("a whole path");
        daemon.data = Path::new("/proc")
            .join(daemon.id().to_string())
            .join("root")
            .join(inside);
        Some(daemon)
    }

    /// Starts it with `--rescue`, and gives what it said before it was ready.
    pub(crate) fn start_with_rescue(folder: &Path, radio: &str) -> (Self, String) {
        let command = Command::new(env!("CARGO_BIN_EXE_byestand"));
        let daemon = Self::ready_with(command, folder, radio, &["--rescue"]);
        let said = daemon.program.said().to_owned();
        (daemon, said)
    }

    /// Starts it and waits until it says that it is ready.
    pub(crate) fn ready(command: Command, folder: &Path, radio: &str) -> Self {
        Self::ready_with(command, folder, radio, &[])
    }

    fn ready_with(mut command: Command, folder: &Path, radio: &str, words: &[&str]) -> Self {
        let mut program = Program::start(
            command
                .args(["serve", "--listen", "127.0.0.1:0", "--radio", radio])
                .args(words)
                .args(["--baud", &BAUD.to_string(), "--data"])
                .arg(folder),
        );
        Self {
            address: plain(&program.wait_for_page()),
            program,
            data: folder.to_owned(),
        }
    }

    /// `kill -9`.
    pub(crate) fn kill(&mut self) {
        self.program.kill();
    }

    /// Its data folder, as the test sees it.
    pub(crate) fn data(&self) -> &Path {
        &self.data
    }

    pub(crate) fn id(&self) -> u32 {
        self.program.id()
    }

    /// Asks the page and gives the body of the answer.
    pub(crate) fn get(&self, path: &str) -> Vec<u8> {
        body_of(&request(&self.address, "GET", path, &[], ""))
    }

    /// Does something as the director.
    #[cfg(feature = "moved-clock")]
    pub(crate) fn post(&self, path: &str, body: &str) -> serde_json::Value {
        let login: serde_json::Value =
            serde_json::from_slice(&self.get("/api/login")).expect("it says who is asking");
        let token = login["csrf"].as_str().expect("a token").to_owned();
        let headers = [("x-byestand-csrf", token.as_str())];
        let answer = request(&self.address, "POST", path, &headers, body);
        serde_json::from_slice(&body_of(&answer)).expect("JSON")
    }

    /// The connection on which the answer comes; it is closed after it.
    #[cfg(feature = "moved-clock")]
    pub(crate) fn ask(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> TcpStream {
        open_request(&self.address, method, path, headers, body)
    }
}

/// `127.0.0.1:40000` of the address of a page.
fn plain(page: &str) -> String {
    let address = page.strip_prefix("http://").expect("a plain page");
    address.trim_end_matches('/').to_owned()
}

/// A base station that asks something before it starts.
pub(crate) struct Asking(Daemon);

impl Asking {
    /// Starts it and waits for its question.
    pub(crate) fn start(folder: &Path, radio: &str) -> Self {
        let mut program = Program::start(
            Command::new(env!("CARGO_BIN_EXE_byestand"))
                .args(["serve", "--listen", "127.0.0.1:0", "--radio", radio])
                .args(["--baud", &BAUD.to_string(), "--data"])
                .arg(folder),
        );
        Self(Daemon {
            address: plain(&program.wait_for("Answer on this machine at ")),
            program,
            data: folder.to_owned(),
        })
    }

    /// The page with the question.
    pub(crate) fn page(&self, language: &str) -> String {
        self.ask(&format!(
            "GET / HTTP/1.1\r\nhost: {}\r\naccept-language: {language}\r\nconnection: close\r\n\r\n",
            self.0.address
        ))
    }

    /// What the page carries, so that only it can answer.
    pub(crate) fn token(&self) -> String {
        let page = self.page("en");
        let rest = page
            .split("name=\"token\" value=\"")
            .nth(1)
            .expect("a token");
        rest.split('"').next().expect("a token").to_owned()
    }

    /// Presses a button.
    pub(crate) fn answer(&self, answer: &str, token: &str) -> String {
        let body = format!("token={token}&answer={answer}");
        self.ask(&format!(
            "POST /answer HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\
             content-type: application/x-www-form-urlencoded\r\ncontent-length: {}\r\n\r\n{body}",
            self.0.address,
            body.len()
        ))
    }

    fn ask(&self, request: &str) -> String {
        let mut page = TcpStream::connect(&self.0.address).expect("the page is there");
        page.set_read_timeout(Some(PATIENCE)).expect("set");
        page.write_all(request.as_bytes()).expect("asked");
        let mut answer = String::new();
        page.read_to_string(&mut answer).expect("the page answers");
        answer
    }

    /// The answer was what it needed: it starts.
    pub(crate) fn ready(self) -> Daemon {
        let Self(mut daemon) = self;
        daemon.address = plain(&daemon.program.wait_for_page());
        daemon
    }
}
