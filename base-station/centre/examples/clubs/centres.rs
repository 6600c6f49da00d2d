//! The machines of the evening, and what is counted there.

use std::collections::BTreeSet;
use std::fmt;
use std::process::Command;

use bench_parts::{Postgres, Program};
use serde_json::Value;

use super::base::agent;

/// Two centres and their database.
pub(crate) struct Centres {
    pub(crate) postgres: Postgres,
    running: [Option<Program>; 2],
    ports: [u16; 2],
}

impl Centres {
    pub(crate) fn start(postgres: Postgres) -> Self {
        let mut centres = Self {
            postgres,
            running: [None, None],
            ports: [free_port(), free_port()],
        };
        centres.restart_all();
        centres
    }

    pub(crate) fn addresses(&self) -> [String; 2] {
        self.ports.map(|port| format!("http://127.0.0.1:{port}/"))
    }

    pub(crate) fn restart_all(&mut self) {
        for which in 0..2 {
            self.kill(which);
            self.start_one(which);
        }
    }

    pub(crate) fn kill(&mut self, which: usize) {
        self.running[which] = None;
    }

    pub(crate) fn start_one(&mut self, which: usize) {
        let program = std::env::current_exe().expect("this program");
        let mut command = Command::new(program);
        command.arg("--centre").arg(self.postgres.address());
        command.arg(self.ports[which].to_string());
        let mut process = Program::start(&mut command);
        process.wait_for("The centre is ready: ");
        self.running[which] = Some(process);
    }

    pub(crate) fn memory_mb(&self) -> f64 {
        let running = self.running.iter().flatten();
        let largest = running.map(|it| it.kilobytes("VmHWM")).max().unwrap_or(0);
        f64::from(u32::try_from(largest / 1024).expect("small"))
    }
}

fn free_port() -> u16 {
    let place = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    place.local_addr().expect("a port").port()
}

/// How it went.
#[derive(Clone, Debug, Default)]
pub(crate) struct Played {
    pub(crate) results: usize,
    pub(crate) seconds: f64,
    pub(crate) after: f64,
    pub(crate) faults: Faults,
    pub(crate) late: Vec<(Option<u64>, u64)>,
    pub(crate) memory_mb: f64,
    pub(crate) connections: u32,
}

/// What went wrong, and was told so.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Faults {
    pub(crate) repeated: usize,
    pub(crate) reordered: usize,
    pub(crate) forgotten: usize,
    pub(crate) silent: usize,
    pub(crate) corrected: usize,
    pub(crate) cut_off: usize,
    pub(crate) forged: usize,
    pub(crate) forks: usize,
    pub(crate) replaced: usize,
}

impl fmt::Display for Played {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rate = f64::from(u32::try_from(self.results).expect("small")) / self.seconds;
        writeln!(
            f,
            "{} results in {:.0} s: {rate:.0} a second; the last was taken {:.1} s after the end",
            self.results, self.seconds, self.after
        )?;
        let all: u64 = self.late.iter().map(|(_, times)| times).sum();
        let within = |share: u64| {
            let mut sum = 0;
            let bucket = self.late.iter().find(|(_, times)| {
                sum += times;
                sum * 100 >= all * share
            });
            match bucket {
                Some((Some(ms), _)) => format!("{ms} ms"),
                _ => "more".to_owned(),
            }
        };
        writeln!(
            f,
            "scored and shown after being taken: 50% within {}, 99% within {} ({all} records at the two centres)",
            within(50),
            within(99)
        )?;
        write!(f, "{:?}", self.faults)
    }
}

/// How late records were scored, at some centres.
pub(crate) fn late_of(addresses: &[String]) -> Vec<(Option<u64>, u64)> {
    let agent = agent();
    let mut all = Vec::new();
    for address in addresses {
        let asked = agent.get(format!("{address}api/health")).call();
        let told: Option<Value> = asked.ok().and_then(|mut it| it.body_mut().read_json().ok());
        let buckets = told
            .as_ref()
            .and_then(|it| it["scored_within_ms"].as_array());
        let buckets = buckets.into_iter().flatten();
        let buckets: Vec<_> = buckets
            .map(|it| (it[0].as_u64(), it[1].as_u64().unwrap_or_default()))
            .collect();
        add(&mut all, &buckets);
    }
    all
}

/// How long the last ranking took at the slowest of some centres, in milliseconds.
pub(crate) fn ranking_of(addresses: &[String]) -> f64 {
    let agent = agent();
    let took = addresses.iter().filter_map(|address| {
        let asked = agent.get(format!("{address}api/health")).call().ok();
        let told: Option<Value> = asked?.body_mut().read_json().ok();
        told?["ranking_ms"].as_f64()
    });
    took.fold(0.0, f64::max)
}

pub(crate) fn add(all: &mut Vec<(Option<u64>, u64)>, more: &[(Option<u64>, u64)]) {
    if all.is_empty() {
        *all = more.to_vec();
        return;
    }
    let known: BTreeSet<_> = all.iter().map(|(bound, _)| *bound).collect();
    debug_assert!(
        more.iter().all(|(bound, _)| known.contains(bound)),
        "the same bounds"
    );
    for ((_, times), (_, other)) in all.iter_mut().zip(more) {
        *times += other;
    }
}
