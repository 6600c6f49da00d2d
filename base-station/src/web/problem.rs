//! Why a request was not done: one sentence for the person at the page, and the status code.

use std::fmt::Display;
use telling::{Told, tell};

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
    sentence: Told,
}

impl Problem {
    /// What was written cannot be read.
    pub fn unreadable(why: impl Into<Told>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, why.into().whole())
    }

    /// It can be read, but not be done as things stand.
    pub fn refused(why: impl Into<Told>) -> Self {
        Self::new(StatusCode::CONFLICT, why.into().whole())
    }

    /// There is no such thing.
    pub fn not_found(why: impl Into<Told>) -> Self {
        Self::new(StatusCode::NOT_FOUND, why.into().whole())
    }

    /// Nobody has signed in.
    pub fn sign_in_first() -> Self {
        Self::new(StatusCode::UNAUTHORIZED, tell!(Asked::OnlyDirectorMayDo))
    }

    /// Somebody else's page tried to act in the director's name, or the page is stale.
    pub fn forbidden(why: impl Into<Told>) -> Self {
        Self::new(StatusCode::FORBIDDEN, why)
    }

    /// Too many in too short a time.
    pub fn too_many() -> Self {
        Self::new(
            StatusCode::TOO_MANY_REQUESTS,
            tell!(Asked::TooManyTriesShort),
        )
    }

    /// Too many passwords are being looked at.
    pub fn queue_is_full() -> Self {
        Self::new(
            StatusCode::TOO_MANY_REQUESTS,
            tell!(Asked::TooManyPeopleSign),
        )
    }

    /// Too slow.
    pub fn too_slow() -> Self {
        Self::new(
            StatusCode::REQUEST_TIMEOUT,
            tell!(Asked::RequestTookTooLong),
        )
    }

    /// Something is broken here, not at the caller's.
    pub fn fault(cause: impl Display) -> Self {
        let cause = cause.to_string();
        tracing::error!(%cause, "a request failed");
        Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            tell!(Asked::BaseStationCouldNot { cause }),
        )
    }

    /// The status code.
    pub const fn status(&self) -> StatusCode {
        self.status
    }

    /// The sentence.
    pub const fn sentence(&self) -> &Told {
        &self.sentence
    }

    pub(crate) fn new(status: StatusCode, sentence: impl Into<Told>) -> Self {
        Self {
            status,
            sentence: sentence.into(),
        }
    }
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        Self::unreadable(refusal)
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let body = ProblemBody {
            problem: self.sentence.to_string(),
        };
        (self.status, Json(body)).into_response()
    }
}
