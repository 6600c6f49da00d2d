//! Bad input to every endpoint, made from the interface's own description: every request is
//! answered with 4xx and a sentence, never with 5xx, and changes nothing.
//!
//! `BYESTAND_FUZZ=200 cargo test --release -p base-station every_endpoint` tries more seeds.

mod input;

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicU32, Ordering};

use axum::body::{Body, Bytes};
use axum::extract::ConnectInfo;
use axum::http::{Method, Request, StatusCode};
use fastrand::Rng;
use protocol::words::SessionId;
use serde_json::{Value, json};
use tower::ServiceExt;

use super::Site;
use crate::session::Seq;
use crate::web::api;
use input::{Description, Endpoint, Spoilt};

/// Bodies with one thing wrong that each endpoint gets with one seed from each visitor.
const BAD_EACH: usize = 25;

/// Odd requests that each endpoint gets with one seed.
const ODD_EACH: usize = 10;

const PASSWORD: &str = "three small clubs";

/// Who asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asking {
    /// The director at a base station without a password.
    Alone,
    /// The director with the cookie and the token.
    SignedIn,
    /// The director's cookie without the page's token.
    WithoutToken,
    /// Somebody in the same network.
    Stranger,
}

impl Asking {
    const ALL: [Self; 4] = [
        Self::Alone,
        Self::SignedIn,
        Self::WithoutToken,
        Self::Stranger,
    ];
}

fn seeds() -> u64 {
    let wanted = std::env::var("BYESTAND_FUZZ").ok();
    wanted.and_then(|text| text.parse().ok()).unwrap_or(1)
}

/// A session in play with some results, and a password where somebody must sign in.
async fn site_for(asking: Asking) -> Site {
    let mut site = Site::open().await;
    site.set_up().await;
    for (table, typed) in [("A1", "4SS="), ("A2", "3NN-1")] {
        let line = json!({"table": table, "round": 1, "board": if table == "A1" { 1 } else { 4 }, "typed": typed});
        site.does("/api/lines/typed", line).await;
    }
    if asking == Asking::Alone {
        return site;
    }
    site.does("/api/access/password", json!({"password": PASSWORD}))
        .await;
    site.token.clear();
    if asking != Asking::Stranger {
        let credentials = json!({"name": "Anna", "password": PASSWORD}).to_string();
        let request = site.request(&Method::POST, "/api/login", credentials.into());
        let answer = site.router.clone().oneshot(request).await.expect("answers");
        let cookie = answer.headers()["set-cookie"].to_str().expect("text");
        site.cookie = cookie.split(';').next().expect("a cookie").to_owned();
        let (_, me) = site.ask("GET", "/api/login", None).await;
        if asking == Asking::SignedIn {
            me["csrf"]
                .as_str()
                .expect("a token")
                .clone_into(&mut site.token);
        }
    }
    site
}

impl Site {
    /// A request from an address of its own, because many from one would be held back.
    fn request(&self, method: &Method, place: &str, body: Bytes) -> Request<Body> {
        static NEXT: AtomicU32 = AtomicU32::new(0x0A00_0000);
        let from = Ipv4Addr::from(NEXT.fetch_add(1, Ordering::Relaxed));
        let mut request = self.browser_asks(method.as_str(), place, body);
        let from = ConnectInfo(SocketAddr::from((from, 40_000)));
        request.extensions_mut().insert(from);
        request
    }

    async fn answer_to(&self, endpoint: &Endpoint, spoilt: &Spoilt) -> (StatusCode, Value) {
        let request = self.request(&endpoint.method, &spoilt.place, spoilt.body.clone());
        let answer = self.router.clone().oneshot(request).await.expect("answers");
        let status = answer.status();
        if !status.is_client_error() && !status.is_server_error() {
            // Files may be long, and the live stream has no end.
            return (status, Value::Null);
        }
        let body = axum::body::to_bytes(answer.into_body(), 1 << 20).await;
        let value = serde_json::from_slice(&body.expect("a body"));
        (status, value.unwrap_or_default())
    }

    /// The last record. The owner has published it by the time it deals with an errand.
    async fn seq(&self) -> Seq {
        let _ = self.session.export(SessionId::MAX).await;
        self.session.view().state.seq
    }
}

fn is_sentence(text: &str) -> bool {
    let words = text.split_whitespace().count();
    let letters = text.chars().count();
    let begins = text
        .chars()
        .next()
        .is_some_and(|first| !first.is_lowercase());
    begins && text.ends_with(['.', '!', '?', ')']) && words >= 3 && letters <= 500
}

/// What must hold for any answer; true if it was refused.
fn judge(told: &str, status: StatusCode, answer: &Value, before: Seq, after: Seq) -> bool {
    assert!(!status.is_server_error(), "{told}: {status} {answer}");
    if status.is_client_error() {
        let sentence = answer["problem"].as_str().unwrap_or_default();
        assert!(
            is_sentence(sentence),
            "no sentence: {told}: {status} {answer}"
        );
        assert_eq!(after, before, "refused and yet changed: {told}: {answer}");
        assert_ne!(status, StatusCode::TOO_MANY_REQUESTS, "{told}");
    }
    status.is_client_error()
}

#[tokio::test]
async fn bad_input_to_every_endpoint_is_refused_with_a_sentence_and_changes_nothing() {
    let description = Description::read(&api::description());
    assert!(description.endpoints.len() > 60, "few endpoints");
    let (mut tried, mut refused) = (0, 0);
    for seed in 1..=seeds() {
        for asking in Asking::ALL {
            let site = site_for(asking).await;
            let mut rng = Rng::with_seed(seed * 4 + asking as u64);
            let before = site.seq().await;
            for endpoint in &description.endpoints {
                for spoilt in description.surely_bad(endpoint, BAD_EACH, &mut rng) {
                    let (status, answer) = site.answer_to(endpoint, &spoilt).await;
                    let told = format!("seed {seed} {asking:?} {endpoint} {spoilt}");
                    let after = site.seq().await;
                    let was_refused = judge(&told, status, &answer, before, after);
                    assert!(was_refused, "taken: {told}: {status}");
                    tried += 1;
                    refused += usize::from(was_refused);
                }
            }
        }
    }
    measured(&format!(
        "{tried} bad requests to {} endpoints, {refused} refused with a sentence, nothing changed",
        description.endpoints.len()
    ));
}

#[tokio::test]
async fn odd_input_to_every_endpoint_never_breaks_it_and_what_is_refused_changes_nothing() {
    let description = Description::read(&api::description());
    let (mut tried, mut refused) = (0, 0);
    for seed in 1..=seeds() {
        let mut rng = Rng::with_seed(0x0DD + seed);
        for endpoint in &description.endpoints {
            // What is taken changes the evening, so each endpoint gets one of its own.
            let site = site_for(Asking::Alone).await;
            for spoilt in description.odd(endpoint, ODD_EACH, &mut rng) {
                let before = site.seq().await;
                let (status, answer) = site.answer_to(endpoint, &spoilt).await;
                let told = format!("seed {seed} {endpoint} {spoilt}");
                let after = site.seq().await;
                refused += usize::from(judge(&told, status, &answer, before, after));
                tried += 1;
            }
        }
    }
    measured(&format!(
        "{tried} odd requests to {} endpoints, {refused} of them refused, none broke anything",
        description.endpoints.len()
    ));
}

#[tokio::test]
async fn whoever_is_not_signed_in_changes_nothing_even_with_a_perfect_request() {
    let description = Description::read(&api::description());
    let mut rng = Rng::with_seed(7);
    for asking in [Asking::Stranger, Asking::WithoutToken] {
        let site = site_for(asking).await;
        let before = site.seq().await;
        // Signing in is for strangers.
        let closed = description
            .endpoints
            .iter()
            .filter(|endpoint| endpoint.method != Method::GET && endpoint.path != "/api/login");
        for endpoint in closed {
            let perfect = description.perfect(endpoint, &mut rng);
            let (status, answer) = site.answer_to(endpoint, &perfect).await;
            let told = format!("{asking:?} {endpoint} {perfect}");
            judge(&told, status, &answer, before, site.seq().await);
            let closed = [StatusCode::UNAUTHORIZED, StatusCode::FORBIDDEN];
            assert!(closed.contains(&status), "{told}: {status} {answer}");
        }
    }
}

/// A figure for the report of the tests.
pub(super) fn measured(figure: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stdout().lock(), "measured: {figure}");
}
