//! Competitions over several sessions, for whoever looks at their pages.

use serde_json::Value;

/// Method, address and body of each; `tests/lighthouse` begins the same.
const COMPETITIONS: &str = include_str!("competitions.json");

/// A ladder that takes every session, a knock-out with one match settled, an event with stages: the
/// first of each at the base station of this address.
pub fn begin_competitions(address: &str) {
    let login = ureq::get(format!("{address}/api/login")).call();
    let login: Value = login
        .expect("an answer")
        .body_mut()
        .read_json()
        .expect("a token");
    let token = login["csrf"].as_str().unwrap_or_default();
    let all: Vec<(String, String, Value)> =
        serde_json::from_str(COMPETITIONS).expect("the competitions");
    for (method, path, body) in all {
        let place = format!("{address}/api/{path}");
        let asked = match method.as_str() {
            "POST" => ureq::post(place),
            _ => ureq::put(place),
        };
        let sent = asked.header("x-byestand-csrf", token).send_json(&body);
        sent.unwrap_or_else(|refused| panic!("{path}: {refused}"));
    }
}
