//! What a centre answers: to bases, to readers, and to those who organise an event.

mod bases;
mod board;
mod copies;
mod live;
mod matches;
mod organise;
mod page;
mod pages;
mod secret;
mod usebio;

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use telling::{Catalogue, Told, Voice, tell};
use tower_http::compression::CompressionLayer;
use tower_http::set_header::SetResponseHeaderLayer;

use crate::database::{Database, DatabaseError};
use crate::follow::Follower;
use crate::taker::Taker;

pub use bases::{
    Field, Joined, Joining, OwnBoard, OwnPair, OwnScore, PairHere, RoundHere, TableHere,
};
pub use copies::{CopyHeading, CopyState, Restored, Restoring, restoring};
pub use organise::PasswordUnfit;
pub(crate) use organise::new_password;

/// A request has at most 500 records, and the longest, with two long names, has half a kilobyte.
const BODY_LEN_MAX: usize = 1024 * 1024;

/// Only our own files, and nothing from anywhere else.
const CONTENT_POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'";

/// What every handler shares.
#[derive(Clone)]
pub(crate) struct Web {
    inner: Arc<Inner>,
}

struct Inner {
    database: Database,
    taker: Taker,
    follower: Follower,
    /// One guess of a password at a time.
    guesses: tokio::sync::Semaphore,
}

impl Web {
    pub(crate) fn new(database: Database) -> Self {
        Self {
            inner: Arc::new(Inner {
                taker: Taker::start(database.clone()),
                follower: Follower::start(database.clone()),
                database,
                guesses: tokio::sync::Semaphore::new(1),
            }),
        }
    }

    fn database(&self) -> &Database {
        &self.inner.database
    }

    fn follower(&self) -> &Follower {
        &self.inner.follower
    }
}

/// The whole site.
pub(crate) fn router(web: Web) -> Router {
    let fixed = |name: HeaderName, value: &'static str| {
        SetResponseHeaderLayer::overriding(name, HeaderValue::from_static(value))
    };
    Router::new()
        .merge(bases::routes())
        .merge(pages::routes())
        .merge(board::routes())
        .merge(matches::routes())
        .merge(live::routes())
        .merge(organise::routes())
        .route("/centre.css", get(style))
        .route("/centre.js", get(script))
        .fallback(async |headers: HeaderMap| {
            Refusal::not_found(tell!(Centre::NoSuchPage)).page(&headers)
        })
        .layer(DefaultBodyLimit::max(BODY_LEN_MAX))
        // Pieces of copies may be longer.
        .merge(copies::routes())
        .layer(CompressionLayer::new())
        .layer(SetResponseHeaderLayer::if_not_present(
            header::CACHE_CONTROL,
            HeaderValue::from_static("no-store"),
        ))
        .layer(fixed(header::CONTENT_SECURITY_POLICY, CONTENT_POLICY))
        .layer(fixed(header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .layer(fixed(header::REFERRER_POLICY, "no-referrer"))
        .with_state(web)
}

const KEPT: (HeaderName, &str) = (header::CACHE_CONTROL, "max-age=3600");

async fn style() -> impl IntoResponse {
    let kind = (header::CONTENT_TYPE, "text/css; charset=utf-8");
    ([kind, KEPT], include_str!("../../assets/centre.css"))
}

async fn script() -> impl IntoResponse {
    let kind = (header::CONTENT_TYPE, "text/javascript; charset=utf-8");
    ([kind, KEPT], include_str!("../../assets/centre.js"))
}

/// Whoever asks, in the language that the browser says.
#[derive(Clone, Copy, Debug)]
struct Reader {
    voice: Voice,
}

impl Reader {
    fn of(headers: &HeaderMap) -> Self {
        let wishes = headers.get(header::ACCEPT_LANGUAGE);
        let wishes = wishes.and_then(|it| it.to_str().ok()).unwrap_or_default();
        Self {
            voice: Voice::with_symbols(telling::understood(wishes)),
        }
    }

    /// A text of the page.
    fn text(self, id: &'static str) -> &'static str {
        Catalogue::of(self.voice.language).text(id)
    }

    /// The same with its parts.
    fn with(self, id: &str, parts: &[(&str, &dyn std::fmt::Display)]) -> String {
        Catalogue::of(self.voice.language).with(id, parts)
    }
}

/// Why something is not done, in one sentence.
#[derive(Debug)]
struct Refusal {
    status: StatusCode,
    told: Told,
}

impl Refusal {
    const fn new(status: StatusCode, told: Told) -> Self {
        Self { status, told }
    }

    const fn not_found(told: Told) -> Self {
        Self::new(StatusCode::NOT_FOUND, told)
    }

    const fn refused(told: Told) -> Self {
        Self::new(StatusCode::CONFLICT, told)
    }

    /// As a page for people.
    fn page(&self, headers: &HeaderMap) -> Response {
        let reader = Reader::of(headers);
        let sentence = self.told.clone().whole().in_words(reader.voice);
        (self.status, page::apology(reader, &sentence)).into_response()
    }
}

/// As bases read it.
impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let message = self.told.message_id();
        let problem = self.told.whole().to_string();
        let body = serde_json::json!({ "problem": problem, "message": message });
        let body = axum::Json(body);
        (self.status, body).into_response()
    }
}

impl<E: Into<DatabaseError>> From<E> for Refusal {
    fn from(fault: E) -> Self {
        let fault = fault.into();
        tracing::warn!(%fault, "the database could not be asked");
        Self::new(StatusCode::SERVICE_UNAVAILABLE, tell!(Centre::DatabaseAway))
    }
}
