//! A program as a process of its own.

use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStdout, Command, Stdio};

/// A running program. A test that fails drops it, and it ends.
#[derive(Debug)]
pub struct Program {
    child: Child,
    /// Kept open, so that it can go on saying things.
    output: BufReader<ChildStdout>,
    said: String,
}

impl Program {
    /// Starts it.
    pub fn start(command: &mut Command) -> Self {
        let started = command.stdout(Stdio::piped()).spawn();
        let mut child = started.expect("the program starts");
        let output = BufReader::new(child.stdout.take().expect("its output is piped"));
        Self {
            child,
            output,
            said: String::new(),
        }
    }

    /// Waits for a line that begins like this and gives the rest of it. Lines before it may say
    /// whatever they like.
    pub fn wait_for(&mut self, beginning: &str) -> String {
        loop {
            let from = self.said.len();
            let read = self.output.read_line(&mut self.said).expect("a line");
            assert!(read > 0, "it ended without '{beginning}': {}", self.said);
            let line = self.said.get(from..).unwrap_or_default().trim();
            if let Some(rest) = line.strip_prefix(beginning) {
                return rest.to_owned();
            }
        }
    }

    /// Waits until a base station is ready, and gives the address of its page without a slash.
    pub fn wait_for_page(&mut self) -> String {
        let page = self.wait_for("Byestand is ready: ");
        page.trim_end_matches('/').to_owned()
    }

    /// What it has said, as far as somebody waited for it.
    pub fn said(&self) -> &str {
        &self.said
    }

    /// Its process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// What the system says of it in kilobytes: `VmHWM`, `VmRSS`.
    pub fn kilobytes(&self, what: &str) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.id()));
        let status = status.expect("it runs");
        let line = status.lines().find_map(|line| line.strip_prefix(what));
        let number = line.and_then(|line| line.trim_start_matches(':').split_whitespace().next());
        number.and_then(|it| it.parse().ok()).expect("a number")
    }

    /// Waits until it has ended by itself, and says whether it ended well.
    pub fn ended_well(&mut self) -> bool {
        self.child.wait().expect("our own process").success()
    }

    /// `kill -9`.
    pub fn kill(&mut self) {
        // It may be gone already: then there is nothing to kill.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.kill();
    }
}
