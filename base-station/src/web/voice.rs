//! In whose words a request is answered.
//!
//! What is told is a value until it is serialised; then it is said in the voice of the request: the
//! language that the page names (`?language=de`, or `Accept-Language`), English by default. Pages
//! for people ask for suits as symbols (`?suits=symbols`, or the header `x-byestand-suits`);
//! programs get letters.

use std::future::poll_fn;
use std::pin::pin;

use axum::extract::{Query, Request};
use axum::http::{HeaderMap, Uri, header};
use axum::middleware::Next;
use axum::response::Response;
use serde::Deserialize;
use telling::{Language, Suits, Voice, speaking, understood};

#[derive(Deserialize)]
struct Wish {
    language: Option<Language>,
    suits: Option<String>,
}

/// The voice that a request asks for.
pub(super) fn voice_of(uri: &Uri, headers: &HeaderMap) -> Voice {
    let wish = Query::<Wish>::try_from_uri(uri).map(|Query(wish)| wish);
    let (language, suits) = wish.map_or((None, None), |wish| (wish.language, wish.suits));
    let said = |name: &str| headers.get(name).and_then(|it| it.to_str().ok());
    let language = language
        .unwrap_or_else(|| understood(said(header::ACCEPT_LANGUAGE.as_str()).unwrap_or_default()));
    let symbols = suits.as_deref().or_else(|| said("x-byestand-suits")) == Some("symbols");
    Voice {
        language,
        suits: if symbols {
            Suits::Symbols
        } else {
            Suits::Letters
        },
    }
}

/// Answers in the reader's language.
pub(super) async fn speak(request: Request, next: Next) -> Response {
    let voice = voice_of(request.uri(), request.headers());
    let mut answer = pin!(next.run(request));
    poll_fn(|task| speaking(voice, || answer.as_mut().poll(task))).await
}
