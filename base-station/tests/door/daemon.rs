//! The real daemon as a process that does not outlive its test.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

/// The director's password.
pub(crate) const PASSWORD: &str = "three small clubs";

/// A running base station.
pub(crate) struct Daemon {
    child: Child,
    _said: BufReader<ChildStdout>,
    /// What it said before it was ready.
    pub(crate) first_words: String,
    pub(crate) address: SocketAddr,
    pub(crate) data: TempDir,
}

impl Daemon {
    /// Starts it in a new folder with a password, listening everywhere.
    pub(crate) fn start(more: &[&str]) -> Self {
        let data = tempfile::tempdir().expect("a folder");
        set_password(data.path());
        let mut child = Command::new(env!("CARGO_BIN_EXE_byestand"))
            .args(["serve", "--listen", "0.0.0.0:0", "--radio", "none"])
            .args(more)
            .arg("--data")
            .arg(data.path())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the daemon starts");
        let mut said = BufReader::new(child.stdout.take().expect("its output"));
        let mut first_words = String::new();
        let port = loop {
            let from = first_words.len();
            let read = said.read_line(&mut first_words).expect("a line");
            assert!(read > 0, "it ended: {first_words}");
            let line = first_words.get(from..).unwrap_or_default();
            if let Some(page) = line.trim().strip_prefix("Byestand is ready: ") {
                let port = page.trim_end_matches('/').rsplit(':').next();
                break port.and_then(|port| port.parse().ok()).expect("a port");
            }
        };
        Self {
            child,
            _said: said,
            first_words,
            address: SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port),
            data,
        }
    }

    /// The same page at the laptop's address in the local network, where it has one.
    pub(crate) fn address_outside(&self) -> Option<SocketAddr> {
        let outside = base_station::web::local_network()?;
        Some(SocketAddr::new(outside, self.address.port()))
    }

    /// What the system says of the process, in kilobytes: `VmHWM`, `VmRSS`.
    pub(crate) fn kilobytes(&self, what: &str) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()));
        let status = status.expect("it runs");
        let line = status.lines().find_map(|line| line.strip_prefix(what));
        let number = line.and_then(|line| line.trim_start_matches(':').split_whitespace().next());
        number.and_then(|it| it.parse().ok()).expect("a number")
    }

    /// Asks the page from the laptop itself; how long that took, and the whole answer.
    pub(crate) fn get(&self, path: &str) -> (Duration, String) {
        let begin = Instant::now();
        let answer = ask(self.address, "GET", path, "");
        (begin.elapsed(), answer)
    }

    pub(crate) fn login(&self) -> Value {
        let body = self.get("/api/login").1;
        let body = body.split("\r\n\r\n").nth(1).expect("a body");
        serde_json::from_str(body).expect("JSON")
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// One request on a connection of its own.
pub(crate) fn ask(address: SocketAddr, method: &str, path: &str, body: &str) -> String {
    let mut page = TcpStream::connect(address).expect("the page is there");
    let patience = Some(Duration::from_secs(20));
    page.set_read_timeout(patience).expect("set");
    let length = body.len();
    write!(
        page,
        "{method} {path} HTTP/1.0\r\nHost: {address}\r\nContent-Type: application/json\r\n\
         Content-Length: {length}\r\n\r\n{body}"
    )
    .expect("asked");
    let mut answer = Vec::new();
    page.read_to_end(&mut answer).expect("the page answers");
    String::from_utf8_lossy(&answer).into_owned()
}

fn set_password(folder: &Path) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_byestand"))
        .args(["password", "--data"])
        .arg(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .expect("it starts");
    let mut keyboard = child.stdin.take().expect("its input");
    writeln!(keyboard, "{PASSWORD}").expect("typed");
    drop(keyboard);
    assert!(child.wait().expect("it ends").success());
}
