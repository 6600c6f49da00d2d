//! How phones get in: what the window says where Byestand was started, and what it never says.

use crate::daemon::Daemon;

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
