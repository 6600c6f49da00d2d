//! Signing in and out, and the password itself.

use axum::Json;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::{HeaderMap, header};
use axum::response::{AppendHeaders, IntoResponse};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::{COOKIE, Visitor, check_origin};
use crate::session::Command;
use crate::web::api::Done;
use crate::web::{Body, Director, Problem, ProblemBody, Web, address_of};
use telling::tell;

/// The longest name that stands beside a change.
const NAME_LEN_MAX: usize = 40;

/// The longest request to sign in, in bytes.
const CREDENTIALS_LEN_MAX: usize = 4 * 1024;

/// Who is asking.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct Me {
    /// May change things.
    signed_in: bool,
    /// May look.
    may_read: bool,
    /// Under this name.
    name: Option<String>,
    /// Must be repeated as `x-byestand-csrf` on everything that changes something.
    csrf: String,
    /// What browsers call the SHA-256 fingerprint of the club's certificate; none without TLS.
    fingerprint: Option<String>,
    /// Whether this is the demonstration, whose pads can be held in the browser at
    /// `/demo/pads/{table}`.
    pads_in_hand: bool,
}

/// Name and password.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Credentials {
    /// The director's name; it stands beside every change.
    #[schema(max_length = 40)]
    name: String,
    /// The director's password.
    password: String,
}

/// A new password.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewPassword {
    /// At least eight letters or digits.
    #[schema(min_length = 8, max_length = 200)]
    password: String,
}

/// Whether anyone may look.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Reading {
    /// Without the password.
    without_password: bool,
}

/// Who may use the page, and where it is.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct AccessView {
    /// Whether a password is set.
    password_set: bool,
    /// Whether anyone may look.
    reading_without_password: bool,
    /// Where the page can be reached.
    addresses: Vec<String>,
    /// What browsers call the SHA-256 fingerprint of the club's certificate; none without TLS.
    fingerprint: Option<String>,
}

pub(crate) fn routes() -> OpenApiRouter<Web> {
    OpenApiRouter::new()
        .routes(routes!(who_am_i, sign_in))
        // Anybody may send this one: a name and a password are not long.
        .layer(DefaultBodyLimit::max(CREDENTIALS_LEN_MAX))
        .routes(routes!(sign_out))
        .routes(routes!(access))
        .routes(routes!(set_password))
        .routes(routes!(allow_reading))
}

/// Who is asking.
#[utoipa::path(get, path = "/api/login", tag = "access", responses((status = 200, body = Me)))]
async fn who_am_i(State(web): State<Web>, request: Request) -> Result<Json<Me>, Problem> {
    let access = web.access();
    let (visitor, csrf) = web.door().visitor(&access, request.headers());
    // The token is what forged pages lack: it is told only to pages of our own address.
    check_origin(&access, request.method(), request.headers(), &csrf)?;
    Ok(Json(Me::new(&web, visitor, csrf)))
}

/// Signs a director in.
#[utoipa::path(post, path = "/api/login", tag = "access", request_body = Credentials,
    responses((status = 200, body = Me), (status = 401, body = ProblemBody), (status = 409, body = ProblemBody)))]
async fn sign_in(
    State(web): State<Web>,
    extensions: axum::http::Extensions,
    Body(given): Body<Credentials>,
) -> Result<impl IntoResponse, Problem> {
    let Some(hash) = web.access().password else {
        return Err(Problem::refused(tell!(Asked::NoDirectorsPasswordSet)));
    };
    let name = given.name.trim().to_owned();
    if name.is_empty() || name.chars().count() > NAME_LEN_MAX {
        return Err(Problem::unreadable(tell!(Asked::GiveYourNameAt {
            n: NAME_LEN_MAX
        })));
    }
    let from = address_of(&extensions);
    web.limits().password(from)?;
    let right = web.bench().is_it(from, given.password, hash).await?;
    if !right {
        return Err(Problem::new(
            axum::http::StatusCode::UNAUTHORIZED,
            tell!(Asked::NotDirectorsPassword),
        ));
    }
    let (key, token) = web.door().let_in(name.clone());
    // Strict: no other site's link or form carries the cookie.
    let secure = web.secure();
    let cookie =
        format!("{COOKIE}={key}; Path=/; HttpOnly; SameSite=Strict; Max-Age=57600{secure}");
    let me = Me::new(&web, Visitor::Director(name), token);
    Ok((AppendHeaders([(header::SET_COOKIE, cookie)]), Json(me)))
}

/// Signs out.
#[utoipa::path(post, path = "/api/logout", tag = "access", responses((status = 204)))]
async fn sign_out(
    State(web): State<Web>,
    _director: Director,
    headers: HeaderMap,
) -> impl IntoResponse {
    web.door().let_out(&headers);
    let secure = web.secure();
    let cookie = format!("{COOKIE}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0{secure}");
    (
        axum::http::StatusCode::NO_CONTENT,
        AppendHeaders([(header::SET_COOKIE, cookie)]),
    )
}

/// Who may use the page, and where it is.
#[utoipa::path(get, path = "/api/access", tag = "access", responses((status = 200, body = AccessView)))]
async fn access(State(web): State<Web>, _director: Director) -> Json<AccessView> {
    let access = web.access();
    Json(AccessView {
        password_set: access.password.is_some(),
        reading_without_password: access.reading_without_password,
        addresses: web.addresses().to_vec(),
        fingerprint: web.fingerprint().map(str::to_owned),
    })
}

/// Sets or changes the director's password. Everybody has to sign in again.
#[utoipa::path(post, path = "/api/access/password", tag = "access", request_body = NewPassword,
    responses((status = 200, body = Done), (status = 400, body = ProblemBody)))]
async fn set_password(
    State(web): State<Web>,
    director: Director,
    extensions: axum::http::Extensions,
    Body(new): Body<NewPassword>,
) -> Result<Json<Done>, Problem> {
    let from = address_of(&extensions);
    let hash = web.bench().hash(from, new.password).await?;
    let done = web
        .desk()
        .act(&director, Command::SetPassword { hash })
        .await?;
    web.door().let_everybody_out();
    Ok(Json(done))
}

/// Lets anyone look without the password, or not.
#[utoipa::path(post, path = "/api/access/reading", tag = "access", request_body = Reading,
    responses((status = 200, body = Done)))]
async fn allow_reading(
    State(web): State<Web>,
    director: Director,
    Body(Reading { without_password }): Body<Reading>,
) -> Result<Json<Done>, Problem> {
    let command = Command::AllowReading { without_password };
    Ok(Json(web.desk().act(&director, command).await?))
}

impl Me {
    fn new(web: &Web, visitor: Visitor, csrf: String) -> Self {
        let may_read = visitor != Visitor::Stranger;
        let name = match visitor {
            Visitor::Director(name) => Some(name),
            Visitor::Reader | Visitor::Stranger => None,
        };
        Self {
            signed_in: name.is_some(),
            may_read,
            name,
            csrf,
            fingerprint: web.fingerprint().map(str::to_owned),
            pads_in_hand: web.pads_in_hand(),
        }
    }
}
