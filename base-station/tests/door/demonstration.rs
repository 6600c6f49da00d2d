//! The demonstration's second evening.

use std::net::{Ipv4Addr, SocketAddr};
use std::process::Command;
use std::time::{Duration, Instant};

use bench_parts::Program;

use crate::daemon::ask;

/// The first results come within seconds; a busy machine may take longer.
const PATIENCE: Duration = Duration::from_mins(2);

#[test]
fn a_swiss_can_be_watched_and_its_first_round_is_drawn_and_played() {
    let program = env!("CARGO_BIN_EXE_byestand");
    let mut program = Program::start(Command::new(program).args(["demo", "--evening", "swiss"]));
    let page = program.wait_for_page();
    let port = page.rsplit(':').next().and_then(|port| port.parse().ok());
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port.expect("a port")));
    let until = Instant::now() + PATIENCE;
    loop {
        let answer = ask(address, "GET", "/api/contest", "");
        let body = answer.split("\r\n\r\n").nth(1).unwrap_or_default();
        let now: serde_json::Value = serde_json::from_str(body).unwrap_or_default();
        let matches = now["contests"][0]["rounds"][0]["matches"].as_array();
        let begun = |own: &serde_json::Value| own["home"]["vp"].is_f64();
        if let Some(matches) = matches.filter(|all| all.iter().any(begun)) {
            assert_eq!(matches.len(), 9, "eighteen pairs");
            let next = now["contests"][0]["next_step"].as_str();
            assert!(next.is_some_and(|it| it.contains("ound 1")), "{next:?}");
            return;
        }
        assert!(Instant::now() < until, "nothing is played: {answer}");
        std::thread::sleep(Duration::from_millis(200));
    }
}
