//! Reads bodies, paths and queries so that whatever does not parse is answered with a sentence.

use std::time::Duration;

use axum::Json;
use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::Problem;
use crate::reports::Language;
use telling::tell;

/// Letters of a cause that are told.
const CAUSE_LEN_MAX: usize = 240;

/// How long a body may take to arrive: two megabytes over a poor Wi-Fi.
const BODY_TIME_MAX: Duration = Duration::from_secs(30);

/// A JSON body.
#[derive(Clone, Copy, Debug)]
pub struct Body<T>(pub T);

/// The names in the address.
#[derive(Clone, Copy, Debug)]
pub struct Named<T>(pub T);

/// What stands behind the question mark.
#[derive(Clone, Copy, Debug)]
pub struct Asked<T>(pub T);

/// The reader's language: what the address asks for (`?language=de`), else what the browser says.
#[derive(Clone, Copy, Debug)]
pub struct Reads(pub Language);

impl<S: Send + Sync> FromRequestParts<S> for Reads {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, Self::Rejection> {
        #[derive(Deserialize)]
        struct Wish {
            language: Language,
        }
        if let Ok(Query(Wish { language })) = Query::try_from_uri(&parts.uri) {
            return Ok(Self(language));
        }
        let wishes = parts.headers.get(header::ACCEPT_LANGUAGE);
        let wishes = wishes.and_then(|wishes| wishes.to_str().ok());
        Ok(Self(telling::understood(wishes.unwrap_or_default())))
    }
}

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        read_body(request, state, BODY_TIME_MAX).await.map(Self)
    }
}

/// Reads a body that arrives in time.
pub(crate) async fn read_body<T: DeserializeOwned, S: Send + Sync>(
    request: Request,
    state: &S,
    patience: Duration,
) -> Result<T, Problem> {
    let Json(body) = tokio::time::timeout(patience, Json::from_request(request, state))
        .await
        .map_err(|_| Problem::too_slow())?
        .map_err(|rejection| of_body(&rejection))?;
    Ok(body)
}

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Named<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let Path(names) =
            Path::from_request_parts(parts, state)
                .await
                .map_err(|rejection: PathRejection| {
                    Problem::not_found(tell!(Asked::ThereNoSuchPage {
                        what: inner(&rejection)
                    }))
                })?;
        Ok(Self(names))
    }
}

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Asked<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let Query(asked) = Query::from_request_parts(parts, state).await.map_err(
            |rejection: QueryRejection| {
                Problem::unreadable(tell!(Asked::AddressCantRead {
                    rejection: inner(&rejection)
                }))
            },
        )?;
        Ok(Self(asked))
    }
}

fn of_body(rejection: &JsonRejection) -> Problem {
    match rejection {
        JsonRejection::JsonDataError(error) => Problem::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            tell!(Asked::RequestDoesNotSay { what: inner(error) }),
        ),
        JsonRejection::JsonSyntaxError(error) => {
            Problem::unreadable(tell!(Asked::RequestNotJson {
                error: inner(error)
            }))
        }
        JsonRejection::MissingJsonContentType(_) => Problem::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            tell!(Asked::ExpectedRequestWithContent),
        ),
        other if other.status() == StatusCode::PAYLOAD_TOO_LARGE => Problem::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            tell!(Asked::RequestTooLongBase),
        ),
        other => Problem::new(
            other.status(),
            tell!(Asked::RequestCantRead {
                error: inner(other)
            }),
        ),
    }
}

/// The innermost cause says what was expected; the outer ones only that something was.
fn inner(error: &dyn std::error::Error) -> String {
    let mut innermost = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    let cause = innermost.to_string();
    let cause = cause.trim_end_matches('.');
    // The cause quotes what was sent, however long that was: the end of it says what was expected.
    let letters = cause.chars().count();
    if letters <= CAUSE_LEN_MAX {
        return cause.to_owned();
    }
    let begin: String = cause.chars().take(CAUSE_LEN_MAX / 2).collect();
    let end: String = cause.chars().skip(letters - CAUSE_LEN_MAX / 2).collect();
    format!("{begin} ... {end}")
}
