//! Who may look and who may act: the director's password, the session cookie, the token against
//! forged requests, and limits on trying.

mod bench;
mod limit;
mod password;
mod sign_in;

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use axum::http::{HeaderMap, Method, header};
use rand::RngExt;
use tokio::sync::watch;

pub use bench::Bench;
pub use limit::Limits;
pub use password::{PASSWORD_LEN_MIN, hash_password, may_listen, password_is};
pub(super) use sign_in::routes;

use super::Problem;
use telling::tell;

/// The cookie that carries a signed-in director's key.
pub const COOKIE: &str = "byestand";

/// The header that must repeat the token on everything that changes something.
pub const CSRF_HEADER: &str = "x-byestand-csrf";

/// A signed-in browser stays so for a long day at the club, and not for ever.
const SIGNED_IN_FOR: Duration = Duration::from_hours(16);

/// Browsers signed in at the same time; the oldest is forgotten first. A club has a handful.
const SIGNED_IN_MAX: usize = 64;

/// Who is asking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Visitor {
    /// May do everything, under this name.
    Director(String),
    /// May look.
    Reader,
    /// May see what is public, and sign in.
    Stranger,
}

/// What the club has decided about access.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Access {
    /// The password's hash; without one the page works on the laptop only.
    pub password: Option<String>,
    /// Whether anyone may look.
    pub reading_without_password: bool,
}

/// Who has signed in since the base station started.
#[derive(Debug)]
pub struct Door {
    signed_in: Mutex<HashMap<String, SignedIn>>,
    /// The token where no password is set: a page of another site can't read it.
    open_token: String,
    /// Tells that somebody was let out.
    changes: watch::Sender<()>,
}

#[derive(Clone, Debug)]
struct SignedIn {
    name: String,
    token: String,
    since: Instant,
}

impl Default for Door {
    fn default() -> Self {
        Self {
            signed_in: Mutex::default(),
            open_token: secret(),
            changes: watch::Sender::new(()),
        }
    }
}

impl Door {
    /// Who is asking, and the token their changes must carry.
    pub fn visitor(&self, access: &Access, headers: &HeaderMap) -> (Visitor, String) {
        if access.password.is_none() {
            let name = "Director".to_owned();
            return (Visitor::Director(name), self.open_token.clone());
        }
        if let Some(signed_in) = cookie(headers).and_then(|key| self.find(&key)) {
            return (Visitor::Director(signed_in.name), signed_in.token);
        }
        if access.reading_without_password {
            (Visitor::Reader, String::new())
        } else {
            (Visitor::Stranger, String::new())
        }
    }

    /// Tells whenever somebody is let out.
    pub fn changes(&self) -> watch::Receiver<()> {
        self.changes.subscribe()
    }

    /// Lets a director in; gives the cookie's key and the token.
    pub fn let_in(&self, name: String) -> (String, String) {
        let (key, token) = (secret(), secret());
        let mut signed_in = self.lock();
        if signed_in.len() >= SIGNED_IN_MAX {
            let oldest = signed_in.iter().min_by_key(|(_, who)| who.since);
            if let Some(key) = oldest.map(|(key, _)| key.clone()) {
                signed_in.remove(&key);
                self.changes.send_replace(());
            }
        }
        let entry = SignedIn {
            name,
            token: token.clone(),
            since: Instant::now(),
        };
        signed_in.insert(key.clone(), entry);
        (key, token)
    }

    /// Forgets the browser that is asking.
    pub fn let_out(&self, headers: &HeaderMap) {
        if let Some(key) = cookie(headers) {
            self.lock().remove(&key);
            self.changes.send_replace(());
        }
    }

    /// Forgets everybody: the password was changed.
    pub fn let_everybody_out(&self) {
        self.lock().clear();
        self.changes.send_replace(());
    }

    fn find(&self, key: &str) -> Option<SignedIn> {
        let signed_in = self.lock();
        let found = signed_in.get(key)?;
        (found.since.elapsed() < SIGNED_IN_FOR).then(|| found.clone())
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, SignedIn>> {
        self.signed_in
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

/// Refuses requests that another site's page could have sent in the director's name.
pub fn check_origin(
    access: &Access,
    method: &Method,
    headers: &HeaderMap,
    token: &str,
) -> Result<(), Problem> {
    let host = text(headers, header::HOST.as_str()).unwrap_or_default();
    if access.password.is_none() && !is_this_machine(host) {
        // A page whose name was pointed at this machine would otherwise pass as our own.
        return Err(Problem::forbidden(tell!(
            Asked::WithoutDirectorsPasswordPage
        )));
    }
    if matches!(*method, Method::GET | Method::HEAD) {
        return Ok(());
    }
    let from_elsewhere = text(headers, header::ORIGIN.as_str())
        .is_some_and(|origin| origin.split("://").nth(1).is_none_or(|from| from != host));
    let carries_token = text(headers, CSRF_HEADER).is_some_and(|given| equal(given, token));
    if from_elsewhere || !carries_token {
        return Err(Problem::forbidden(tell!(Asked::PageOutDateOr)));
    }
    Ok(())
}

pub(crate) fn is_this_machine(host: &str) -> bool {
    let name = host.rsplit_once(':').map_or(host, |(name, port)| {
        // An IPv6 address has colons of its own and stands in brackets.
        if port.ends_with(']') { host } else { name }
    });
    let name = name.trim_start_matches('[').trim_end_matches(']');
    name.eq_ignore_ascii_case("localhost")
        || name
            .parse::<IpAddr>()
            .is_ok_and(|address| address.is_loopback())
}

/// Takes the same time wherever the first difference is.
fn equal(given: &str, expected: &str) -> bool {
    let differences = given
        .bytes()
        .zip(expected.bytes())
        .fold(0, |sum, (one, other)| sum | (one ^ other));
    !expected.is_empty() && given.len() == expected.len() && differences == 0
}

fn cookie(headers: &HeaderMap) -> Option<String> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(name, _)| *name == COOKIE)
        .map(|(_, value)| value.to_owned())
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// 256 random bits.
fn secret() -> String {
    let (one, other): (u128, u128) = rand::rng().random();
    format!("{one:032x}{other:032x}")
}
