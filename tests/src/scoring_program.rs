//! A scoring program: the vendor's own Data Connector client in a process of its own, driven line by
//! line. `tests/install programs` gets the client.

use std::io::{BufRead, BufReader, Write as _};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use serde_json::Value;

/// How often the program asks for results.
pub const INTERVAL_S: f64 = 0.5;

/// Table, round and board.
pub type Place = (i64, i64, i64);

/// The vendor's client in a process of its own.
#[derive(Debug)]
pub struct Program {
    process: Child,
    orders: ChildStdin,
    lines: Receiver<Value>,
    /// What it got, in order.
    pub heard: Vec<Heard>,
}

/// A result as the program got it.
#[derive(Clone, Debug)]
pub struct Heard {
    /// Table, round and board.
    pub place: Place,
    /// All of it.
    pub score: Value,
    /// Seconds since 1970.
    pub at_s: f64,
    /// The program was told that it is accepted.
    pub accepted: bool,
}

impl Program {
    /// Starts; nothing is asked for yet.
    pub fn start(address: &str) -> Self {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut process = Command::new(here.join("../target/programs/venv/bin/python"))
            .arg(here.join("programs/data_connector.py"))
            .args([address, &INTERVAL_S.to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the client is installed");
        let orders = process.stdin.take().expect("piped");
        let said = BufReader::new(process.stdout.take().expect("piped"));
        let (tell, lines) = channel();
        std::thread::spawn(move || {
            for line in said.lines().map_while(Result::ok) {
                let line = serde_json::from_str(&line).expect("JSON");
                if tell.send(line).is_err() {
                    return;
                }
            }
        });
        Self {
            process,
            orders,
            lines,
            heard: Vec::new(),
        }
    }

    fn take(&mut self, line: &Value) {
        let score = line["result"].clone();
        assert_eq!(line["valid"], true, "the client's own check: {line}");
        let number = |name: &str| score[name].as_i64().expect("a number");
        self.heard.push(Heard {
            place: (
                number("TableNumber"),
                number("RoundNumber"),
                number("BoardNumber"),
            ),
            at_s: line["at"].as_f64().expect("a moment"),
            accepted: line["accepted"].as_bool().expect("yes or no"),
            score,
        });
    }

    /// Does something and answers with what came of it.
    pub fn ask(&mut self, wish: &Value) -> Value {
        writeln!(self.orders, "{wish}").expect("it listens");
        loop {
            let line = self.lines.recv_timeout(Duration::from_mins(1));
            let line = line.expect("the program answers");
            if line["did"] == wish["do"] {
                return line["answer"].clone();
            }
            self.take(&line);
        }
    }

    /// Takes in what has come within some time, or until it is enough.
    pub fn listen(&mut self, at_most: Duration, enough: impl Fn(&[Heard]) -> bool) {
        let until = Instant::now() + at_most;
        while !enough(&self.heard) {
            let left = until.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok(line) => self.take(&line),
                Err(RecvTimeoutError::Timeout) => return,
                Err(RecvTimeoutError::Disconnected) => panic!("the program ended"),
            }
        }
    }

    /// What came of one place, in order.
    pub fn of(&self, place: Place) -> Vec<&Heard> {
        let there = self.heard.iter().filter(|heard| heard.place == place);
        there.collect()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

/// A port that nobody has.
pub fn free_address() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("an address").to_string()
}
