//! A centre in a thread of the test, with a `PostgreSQL` of its own.

use std::io::Write;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use bench_parts::{Organiser, Postgres};
use ed25519_dalek::SigningKey;
use serde_json::Value;

use super::base::{Base, agent, join};
use super::{PASSWORD, PATIENCE};

/// A centre in a thread of this test.
pub(super) struct Centre {
    pub(super) postgres: Postgres,
    pub(super) address: String,
    pub(super) agent: ureq::Agent,
    pub(super) organiser: Organiser,
    pub(super) event: i32,
    pub(super) codes: Vec<String>,
}

/// Hands lines over.
struct Lines(mpsc::Sender<u8>);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        for byte in bytes {
            let _ = self.0.send(*byte);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

pub(super) fn serve(database: String) -> String {
    let (says, said) = mpsc::channel();
    std::thread::spawn(move || {
        let here = ([127, 0, 0, 1], 0).into();
        centre::serve(&database, here, &mut Lines(says)).expect("it serves");
    });
    let line: Vec<u8> = said.iter().take_while(|byte| *byte != b'\n').collect();
    let line = String::from_utf8(line).expect("a line");
    let address = line.strip_prefix("The centre is ready: ");
    address.expect("an address").to_owned()
}

impl Centre {
    /// With an event of these clubs.
    pub(super) fn with(clubs: &str) -> Self {
        let postgres = Postgres::start();
        centre::set_password(&postgres.address(), PASSWORD).expect("the password is set");
        let address = serve(postgres.address());
        let organiser = Organiser::sign_in(&address, PASSWORD).expect("the password is right");
        let event = organiser.event("Simultaneous pairs");
        let codes = organiser.clubs(event, clubs);
        Self {
            postgres,
            address,
            agent: agent(),
            organiser,
            event,
            codes,
        }
    }

    pub(super) fn join(&self, code: &str, key: u8) -> Base {
        let key = SigningKey::from_bytes(&[key; 32]);
        join(&self.agent, &self.address, code, key).expect("it joins")
    }

    pub(super) fn get(&self, path: &str) -> (u16, String) {
        let asked = self.agent.get(format!("{}{path}", self.address)).call();
        let mut answer = asked.expect("the centre answers");
        let body = answer.body_mut().read_to_string().expect("a text");
        (answer.status().as_u16(), body)
    }

    pub(super) fn ranking(&self) -> Value {
        let (_, text) = self.get(&format!("event/{}/ranking.json", self.event));
        serde_json::from_str(&text).expect("a ranking")
    }

    /// Waits until the ranking reads like this: pair, place and percentage.
    pub(super) fn ranks(&self, expected: &[(&str, u64, f64)]) {
        let begun = Instant::now();
        loop {
            let ranking = self.ranking();
            let pairs = ranking["pairs"].as_array().expect("pairs");
            let told: Vec<(String, u64, f64)> = pairs.iter().map(of_pair).collect();
            let told: Vec<_> = told.iter().map(|it| (it.0.as_str(), it.1, it.2)).collect();
            if told == expected {
                return;
            }
            assert!(begun.elapsed() < PATIENCE, "{told:?}");
            std::thread::sleep(Duration::from_millis(100));
        }
    }
}

fn of_pair(pair: &Value) -> (String, u64, f64) {
    let (club, name) = (pair["club_name"].as_str(), pair["pair"].as_str());
    let (rank, percent) = (pair["rank"].as_u64(), pair["percent"].as_f64());
    let name = format!("{} {}", club.unwrap_or_default(), name.unwrap_or_default());
    (name, rank.unwrap_or_default(), percent.unwrap_or_default())
}
