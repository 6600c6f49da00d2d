//! Who may organise: one password, of which only a hash is kept, and who is signed in with it.

use std::time::Duration;

use argon2::Argon2;
use argon2::password_hash::{PasswordHasher as _, PasswordVerifier as _, phc::PasswordHash};
use axum::extract::{Form, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse as _, Redirect, Response};
use maud::html;
use serde::Deserialize;
use telling::tell;

use crate::web::page::frame;
use crate::web::secret::{hash_of_token, token};
use crate::web::{Reader, Refusal, Web};

/// The cookie of whoever is signed in.
const COOKIE: &str = "byestand-centre";

/// The shortest password taken.
const PASSWORD_LEN_MIN: usize = 8;

/// Longer ones only cost time.
const PASSWORD_LEN_MAX: usize = 200;

/// How long whoever guessed wrong waits, and everybody behind them.
const AFTER_A_WRONG_ONE: Duration = Duration::from_secs(1);

/// Somebody who has signed in.
pub(super) struct Organiser(());

impl Organiser {
    /// Whoever asks, if they have signed in.
    pub(super) async fn of(web: &Web, headers: &HeaderMap) -> Result<Option<Self>, Refusal> {
        let Some(token) = cookie(headers) else {
            return Ok(None);
        };
        let client = web.database().page().await?;
        let row = client
            .query_opt(
                "SELECT 1 FROM sign_in WHERE hash = $1 AND until > now()",
                &[&hash_of_token(token)],
            )
            .await?;
        Ok(row.map(|_| Self(())))
    }

    /// The same for what changes something: it must come from our own page.
    pub(super) async fn must(web: &Web, headers: &HeaderMap) -> Result<Self, Refusal> {
        is_from_our_page(headers)?;
        let refusal = || Refusal::new(StatusCode::UNAUTHORIZED, tell!(Centre::SignInFirst));
        Self::of(web, headers).await?.ok_or_else(refusal)
    }
}

/// Browsers say which page a form was on.
fn is_from_our_page(headers: &HeaderMap) -> Result<(), Refusal> {
    let says = |name: &str| headers.get(name).and_then(|it| it.to_str().ok());
    let site = says("sec-fetch-site");
    let origin = says("origin").and_then(|it| it.split_once("://"));
    let host = says("host");
    let other_site = site.is_some_and(|site| site != "same-origin");
    let other_origin = origin.is_some_and(|(_, place)| Some(place) != host);
    // Behind a proxy the host may be another one; then the browser's own word counts.
    if other_site || (site.is_none() && other_origin) {
        return Err(Refusal::new(
            StatusCode::FORBIDDEN,
            tell!(Centre::OtherPage),
        ));
    }
    Ok(())
}

fn cookie(headers: &HeaderMap) -> Option<&str> {
    let cookies = headers.get(header::COOKIE)?.to_str().ok()?;
    let mut cookies = cookies.split(';').map(str::trim);
    cookies.find_map(|it| it.strip_prefix(COOKIE)?.strip_prefix('='))
}

/// Where one signs in.
pub(super) async fn page(web: &Web, reader: Reader) -> Html<String> {
    let has_password = password(web).await.is_ok_and(|it| it.is_some());
    let body = html! {
        @if has_password {
            form method="post" action="/organise/sign-in" {
                label { (reader.text("centre_password"))
                    input type="password" name="password" required autocomplete="current-password"; }
                button { (reader.text("centre_sign_in")) }
            }
        } @else {
            p { (reader.text("centre_no_password")) }
            pre { "byestand centre --database … --set-password" }
        }
    };
    frame(reader, reader.text("centre_organise"), None, &body)
}

async fn password(web: &Web) -> Result<Option<String>, Refusal> {
    let client = web.database().page().await?;
    let row = client
        .query_opt("SELECT value FROM setting WHERE name = 'password'", &[])
        .await?;
    Ok(row.map(|row| row.get(0)))
}

#[derive(Deserialize)]
pub(super) struct SignIn {
    password: String,
}

pub(super) async fn sign_in(
    State(web): State<Web>,
    headers: HeaderMap,
    Form(given): Form<SignIn>,
) -> Response {
    match admit(&web, &headers, given.password).await {
        Ok(token) => {
            let scheme = headers.get("x-forwarded-proto");
            let secure = if scheme.is_some_and(|it| it == "https") {
                "; Secure"
            } else {
                ""
            };
            let cookie = format!(
                "{COOKIE}={token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=43200{secure}"
            );
            with_cookie(&cookie)
        }
        Err(refusal) => refusal.page(&headers),
    }
}

fn with_cookie(cookie: &str) -> Response {
    let mut response = Redirect::to("/organise").into_response();
    if let Ok(value) = HeaderValue::from_str(cookie) {
        response.headers_mut().insert(header::SET_COOKIE, value);
    }
    response
}

async fn admit(web: &Web, headers: &HeaderMap, given: String) -> Result<String, Refusal> {
    is_from_our_page(headers)?;
    let wrong = || Refusal::new(StatusCode::UNAUTHORIZED, tell!(Centre::WrongPassword));
    let known = password(web).await?.ok_or_else(wrong)?;
    let turn = web.inner.guesses.acquire().await;
    let guess = tokio::task::spawn_blocking(move || is_password(&given, &known));
    if !guess.await.unwrap_or(false) {
        tokio::time::sleep(AFTER_A_WRONG_ONE).await;
        return Err(wrong());
    }
    drop(turn);
    let token = token();
    let client = web.database().page().await?;
    client
        .execute("DELETE FROM sign_in WHERE until < now()", &[])
        .await?;
    client
        .execute(
            "INSERT INTO sign_in VALUES ($1, now() + interval '12 hours')",
            &[&hash_of_token(&token)],
        )
        .await?;
    Ok(token)
}

fn is_password(given: &str, known: &str) -> bool {
    let known = PasswordHash::new(known);
    let fits = |known: &PasswordHash| Argon2::default().verify_password(given.as_bytes(), known);
    given.len() <= PASSWORD_LEN_MAX && known.is_ok_and(|known| fits(&known).is_ok())
}

pub(super) async fn sign_out(State(web): State<Web>, headers: HeaderMap) -> Response {
    let forgotten = async {
        Organiser::must(&web, &headers).await?;
        let client = web.database().page().await?;
        let hash = hash_of_token(cookie(&headers).unwrap_or_default());
        client
            .execute("DELETE FROM sign_in WHERE hash = $1", &[&hash])
            .await?;
        Ok::<_, Refusal>(())
    };
    match forgotten.await {
        Ok(()) => with_cookie(&format!("{COOKIE}=; Path=/; Max-Age=0")),
        Err(refusal) => refusal.page(&headers),
    }
}

/// A password that can't be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a password needs at least {PASSWORD_LEN_MIN} characters, and at most {PASSWORD_LEN_MAX}")]
pub struct PasswordUnfit;

/// What of a new password is kept.
pub(crate) fn new_password(password: &str) -> Result<String, PasswordUnfit> {
    if password.chars().count() < PASSWORD_LEN_MIN || password.len() > PASSWORD_LEN_MAX {
        return Err(PasswordUnfit);
    }
    let hash = Argon2::default().hash_password(password.as_bytes());
    hash.map(|hash| hash.to_string()).map_err(|_| PasswordUnfit)
}
