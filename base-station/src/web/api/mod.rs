//! The HTTP/JSON interface: everything a director can do and see, one handler each.
//!
//! Bodies are written as people write (`4SX`, `HK`, `A7`) and parsed into the words of the game
//! here; what to do about them is the session's to decide. The description at
//! `/api/openapi.json` is generated from these handlers.

mod advice;
mod bws_file;
mod cable;
mod centre;
mod chosen;
mod club;
mod club_pads;
pub(super) mod competition;
mod connector;
mod contest;
mod deals;
mod evening;
mod exchange;
mod export;
mod house;
mod input;
mod keep;
mod lines;
mod movement;
mod names;
mod pads;
pub(crate) mod phones;
mod programs;
mod radio;
mod results;
mod setup;
mod statuses;
mod typed;
mod warnings;

use std::sync::{Arc, LazyLock};

use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::response::Html;
use axum::routing::get;
use axum::{Json, Router};
use serde::Serialize;
use serde::de::DeserializeOwned;
use utoipa::{OpenApi, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::{Body, Director, Problem, Web, auth, live};
use crate::session::{Command, Seq};

/// A change was made and is in the journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Done {
    /// The place of its last record.
    #[schema(value_type = u64)]
    pub seq: Seq,
}

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Byestand",
        description = "Table scoring for duplicate bridge: the base station's interface. Everything that changes something needs the header x-byestand-csrf with the token from GET /api/login, and where a password is set the cookie from POST /api/login. What is refused is answered with 4xx and one sentence (`problem`), and has changed nothing. Two things end with 429: more than 200 requests a second, and many wrong passwords.",
        license(name = "MIT OR Apache-2.0")
    ),
    components(schemas(
        crate::view::View,
        crate::view::Change,
        crate::view::ChangeView,
        super::ProblemBody
    ))
)]
struct Description;

/// All routes under `/api`.
pub(super) fn routes() -> Router<Web> {
    let (router, mut description) = handlers().split_for_parts();
    // Hardly anybody asks for the description, so nobody waits for it when the base starts.
    let described = Arc::new(LazyLock::new(move || {
        statuses::complete(&mut description);
        let openapi = description.to_pretty_json().unwrap_or_default();
        (super::pages::api_page(&description), openapi)
    }));
    let (page, openapi) = (Arc::clone(&described), described);
    router
        .route(
            "/api/openapi.json",
            get(move || {
                let openapi = openapi.1.clone();
                async move { ([("content-type", "application/json")], openapi) }
            }),
        )
        .route(
            "/api/docs",
            get(move || {
                let page = page.0.clone();
                async move { Html(page) }
            }),
        )
}

fn documented() -> OpenApiRouter<Web> {
    let mut router = handlers();
    statuses::complete(router.get_openapi_mut());
    router
}

fn handlers() -> OpenApiRouter<Web> {
    OpenApiRouter::with_openapi(Description::openapi())
        .routes(routes!(live::events))
        .merge(auth::routes())
        .merge(results::routes())
        .merge(evening::routes())
        .merge(pads::routes())
        .merge(radio::routes())
        .merge(phones::routes())
        .merge(cable::routes())
        .merge(centre::routes())
        .merge(programs::routes())
        .merge(club_pads::routes())
        .merge(house::routes())
        .merge(lines::routes())
        .merge(warnings::routes())
        .merge(advice::routes())
        .merge(chosen::routes())
        .merge(setup::routes())
        .merge(deals::routes())
        .merge(movement::routes())
        .merge(contest::routes())
        .merge(competition::routes())
        .merge(competition::players_routes())
        .merge(competition::honours_routes())
        .merge(competition::knockout::routes())
        .merge(competition::play::routes())
        .merge(competition::drop_in::routes())
        .merge(competition::championship::routes())
        .merge(club::routes())
        .merge(names::routes())
        .merge(export::routes())
        .merge(exchange::routes())
        .merge(bws_file::routes())
        .merge(connector::routes())
        .merge(keep::routes())
}

/// The interface's description, for tests that try every endpoint.
pub fn description() -> utoipa::openapi::OpenApi {
    documented().into_openapi()
}

/// What a director asks for, and everything that it takes to do it.
struct Order<T> {
    web: Web,
    director: Director,
    asked: T,
}

impl<T: DeserializeOwned> FromRequest<Web> for Order<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, web: &Web) -> Result<Self, Problem> {
        let (mut parts, body) = request.into_parts();
        let director = Director::from_request_parts(&mut parts, web).await?;
        let Body(asked) = Body::from_request(Request::from_parts(parts, body), web).await?;
        let web = web.clone();
        Ok(Self {
            web,
            director,
            asked,
        })
    }
}

impl<T> Order<T> {
    /// Does the command that it means.
    async fn done(self, meant: impl FnOnce(T) -> Result<Command, Problem>) -> Answer {
        let command = meant(self.asked)?;
        self.web.desk().done(&self.director, command).await
    }
}

/// The answer of every handler that changes something.
type Answer = Result<Json<Done>, Problem>;
