//! How phones get in: what the window says where Byestand was started, and what it never says.

use std::net::{Ipv4Addr, SocketAddr};
use std::process::Command;

use bench_parts::Program;

use crate::daemon::{Daemon, ask};

#[test]
fn the_window_shows_phones_the_way_in_and_never_sends_them_to_themselves() {
    for way in ["--plain-http", "--tls"] {
        let tls = way == "--tls";
        let daemon = Daemon::start(&[way]);
        let said = daemon.first_words();
        let lines: Vec<&str> = said.lines().collect();
        let at = lines.iter().position(|line| line.starts_with("Phones"));
        let at = at.unwrap_or_else(|| panic!("nothing about phones: {said}"));
        let Some(outside) = daemon.address_outside() else {
            assert!(lines[at].contains("in no network"), "{said}");
            continue;
        };
        let scheme = if tls { "https" } else { "http" };
        let address = format!("{scheme}://{outside}/phone");
        assert!(lines[at].contains(&address), "{said}");
        assert!(lines[at].contains("without a password"), "{said}");
        assert_eq!(lines[at].contains("certificate"), tls);
        assert!(!lines[at].contains("127.0.0.1"), "{said}");
        let picture = lines[at + 1..].iter().filter(|line| line.contains('█'));
        assert!(picture.count() > 10, "and the same as a picture: {said}");
    }
}

#[test]
fn the_demonstration_lets_phones_in_and_asks_directors_for_its_password() {
    let program = env!("CARGO_BIN_EXE_byestand");
    let mut program = Program::start(Command::new(program).args(["demo", "--phones"]));
    let page = program.wait_for_page();
    let port = page.rsplit(':').next().and_then(|port| port.parse().ok());
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port.expect("a port")));
    let said = program.said();
    let line = said.lines().find(|line| line.contains("this password: "));
    let line = line.unwrap_or_else(|| panic!("no password: {said}"));
    let password = line.rsplit(' ').next().expect("a password");
    let status = |answer: String| answer.split(' ').nth(1).map(str::to_owned);
    let asked = |path| status(ask(address, "GET", path, ""));
    assert_eq!(asked("/phone").as_deref(), Some("200"));
    assert_eq!(asked("/api/phones").as_deref(), Some("401"));
    let sign_in = |password: &str| {
        let body = format!(r#"{{"name":"Visitor","password":"{password}"}}"#);
        status(ask(address, "POST", "/api/login", &body))
    };
    assert_eq!(sign_in(password).as_deref(), Some("200"));
    assert_ne!(sign_in("not the one").as_deref(), Some("200"));
}
