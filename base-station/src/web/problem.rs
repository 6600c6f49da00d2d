//! Why a request was not done: one sentence for the person at the page, and the status code.

use std::fmt::Display;

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use protocol::words::Refusal;
use serde::Serialize;
use utoipa::ToSchema;

/// What the page shows when something was refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ProblemBody {
    /// What is wrong, what was expected, what to do.
    pub problem: String,
}

/// A refused or failed request. The caller's mistakes are 4xx; only a broken disk or a broken
/// program is 5xx.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    status: StatusCode,
    sentence: String,
}

impl Problem {
    /// What was written cannot be read.
    pub fn unreadable(sentence: impl Display) -> Self {
        Self::new(StatusCode::BAD_REQUEST, sentence_of(&sentence.to_string()))
    }

    /// A file that can't be taken in.
    pub fn unreadable_file(why: &str) -> Self {
        Self::new(StatusCode::BAD_REQUEST, sentence_of(why))
    }

    /// It can be read, but not be done as things stand.
    pub fn refused(sentence: impl Display) -> Self {
        Self::new(StatusCode::CONFLICT, sentence_of(&sentence.to_string()))
    }

    /// There is no such thing.
    pub fn not_found(sentence: impl Display) -> Self {
        Self::new(StatusCode::NOT_FOUND, sentence)
    }

    /// Nobody has signed in.
    pub fn sign_in_first() -> Self {
        Self::new(
            StatusCode::UNAUTHORIZED,
            "Only the director may do that. Sign in with the director's password first.",
        )
    }

    /// Somebody else's page tried to act in the director's name, or the page is stale.
    pub fn forbidden(sentence: impl Display) -> Self {
        Self::new(StatusCode::FORBIDDEN, sentence)
    }

    /// Too many in too short a time.
    pub fn too_many() -> Self {
        Self::new(
            StatusCode::TOO_MANY_REQUESTS,
            "Too many tries in a short time. Wait a minute and try again.",
        )
    }

    /// Too many passwords are being looked at.
    pub fn queue_is_full() -> Self {
        Self::new(
            StatusCode::TOO_MANY_REQUESTS,
            "Too many people sign in at the same time. Wait a few seconds and try again.",
        )
    }

    /// Too slow.
    pub fn too_slow() -> Self {
        Self::new(
            StatusCode::REQUEST_TIMEOUT,
            "The request took too long to arrive and was not done. Try again nearer to the base station.",
        )
    }

    /// Something is broken here, not at the caller's.
    pub fn fault(cause: impl Display) -> Self {
        let cause = cause.to_string();
        tracing::error!(%cause, "a request failed");
        Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            format!("The base station could not do that: {cause}"),
        )
    }

    /// The status code.
    pub const fn status(&self) -> StatusCode {
        self.status
    }

    /// The sentence.
    pub fn sentence(&self) -> &str {
        &self.sentence
    }

    pub(crate) fn new(status: StatusCode, sentence: impl Display) -> Self {
        Self {
            status,
            sentence: sentence.to_string(),
        }
    }
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        Self::unreadable(refusal.0)
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let body = ProblemBody {
            problem: self.sentence,
        };
        (self.status, Json(body)).into_response()
    }
}

/// Cores refuse in half a sentence ("expected ..."): make it a whole one.
fn sentence_of(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| {
        let end = if words.ends_with(['.', '!', '?']) {
            ""
        } else {
            "."
        };
        format!("{}{}{end}", first.to_uppercase(), letters.as_str())
    })
}
