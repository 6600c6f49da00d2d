//! A hall of tables with phones, as the director sets it up and as its codes are scanned.

use std::net::SocketAddr;

use protocol::words::SectionLetter;
use serde_json::{Value, json};

use crate::daemon::Daemon;

/// A larger hall is several sections: so many tables have a sound movement for an evening of 24 boards.
const SECTION_TABLES_MAX: u16 = 24;

/// A session of so many tables, set up through the page's own interface, with names and leads off.
pub fn set_up(daemon: &Daemon, tables: u16, boards: u8) {
    let event = json!({"name": "Phones", "date": "2026-11-17"});
    daemon.do_as_director("calendar/events", &event);
    let mut left = tables;
    for section in 'A'..='Z' {
        let here = left.min(SECTION_TABLES_MAX);
        let section = json!({
            "section": section,
            "pairs": here * 2,
            "boards_min": boards.saturating_sub(3).max(1),
            "boards_max": boards + 3,
        });
        daemon.do_as_director("setup/sections", &section);
        left -= here;
        if left == 0 {
            break;
        }
    }
    daemon.choose_pin();
    daemon.do_as_director("open", &json!({}));
}

/// Where the table with this number of the hall is.
pub fn place(table: u16) -> (SectionLetter, u16) {
    let at = table.saturating_sub(1);
    let section = ('A'..='Z').nth(usize::from(at / SECTION_TABLES_MAX));
    let section = section.and_then(SectionLetter::new).expect("a section");
    (section, at % SECTION_TABLES_MAX + 1)
}

/// The link behind a table's code, as the director's page has it now.
pub fn link(daemon: &Daemon, table: &str) -> String {
    let phones = daemon.get("phones");
    let tables = phones["tables"].as_array().expect("tables");
    let found = tables.iter().find(|it| it["table"] == json!(table));
    let link = found.unwrap_or_else(|| panic!("table {table} in {phones}"));
    link["link"].as_str().expect("a link").to_owned()
}

/// What the base answers a phone that has scanned a code.
pub fn join(daemon: SocketAddr, link: &str, device: &str) -> Value {
    let (code, secret) = link
        .split_once('#')
        .expect("a code")
        .1
        .rsplit_once('-')
        .expect("a secret");
    let proof = phone::proof(secret, device).expect("a proof");
    let request = ureq::post(format!("http://{daemon}/phone/join"))
        .config()
        .http_status_as_error(false)
        .build();
    let body = json!({"code": code, "device": device, "proof": proof});
    let answer = request.send_json(body).expect("an answer");
    answer.into_body().read_json().expect("JSON")
}
