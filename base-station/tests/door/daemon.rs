//! The real daemon as a process that does not outlive its test.

use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use bench_parts::{Program, request};
use serde_json::Value;
use tempfile::TempDir;

/// The director's password.
pub(crate) const PASSWORD: &str = "three small clubs";

/// A running base station.
pub(crate) struct Daemon {
    program: Program,
    pub(crate) address: SocketAddr,
    pub(crate) data: TempDir,
}

impl Daemon {
    /// Starts it in a new folder with a password, listening everywhere.
    pub(crate) fn start(more: &[&str]) -> Self {
        let data = tempfile::tempdir().expect("a folder");
        set_password(data.path());
        let mut program = Program::start(
            Command::new(env!("CARGO_BIN_EXE_byestand"))
                .args(["serve", "--listen", "0.0.0.0:0", "--radio", "none"])
                .args(more)
                .arg("--data")
                .arg(data.path()),
        );
        let page = program.wait_for_page();
        let port = page.rsplit(':').next().and_then(|port| port.parse().ok());
        Self {
            program,
            address: SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port.expect("a port")),
            data,
        }
    }

    /// What it said before it was ready.
    pub(crate) fn first_words(&self) -> &str {
        self.program.said()
    }

    /// The same page at the laptop's address in the local network, where it has one.
    pub(crate) fn address_outside(&self) -> Option<SocketAddr> {
        let outside = base_station::web::local_network()?;
        Some(SocketAddr::new(outside, self.address.port()))
    }

    /// What the system says of the process, in kilobytes: `VmHWM`, `VmRSS`.
    pub(crate) fn kilobytes(&self, what: &str) -> u64 {
        self.program.kilobytes(what)
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

/// One request on a connection of its own.
pub(crate) fn ask(address: SocketAddr, method: &str, path: &str, body: &str) -> String {
    let answer = request(&address.to_string(), method, path, &[], body);
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
