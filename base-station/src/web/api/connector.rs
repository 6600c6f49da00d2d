//! Scoring programs that work with a Bridgemate Data Connector: whether they may come, whether one
//! is there, and what waits for it.

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Answer;
use crate::connector::{Memory, losses, waiting};
use crate::daemon::{DataConnector, USUAL_ADDRESS};
use crate::session::{Command, ConnectorCommand};
use crate::web::{Body, Director, Problem, Web};
use telling::{Told, tell};

pub(super) fn routes() -> OpenApiRouter<Web> {
    OpenApiRouter::new()
        .routes(routes!(state))
        .routes(routes!(switch))
}

/// The door for scoring programs.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct ConnectorView {
    /// Whether they may come.
    on: bool,
    /// Whether the command line said so: then the page can't change it.
    by_command_line: bool,
    /// Where a program finds it.
    address: String,
    /// Why it can't be opened, where it should be.
    #[schema(value_type = Option<String>)]
    fault: Option<Told>,
    /// When a program was last heard.
    contact_ms: Option<u64>,
    /// What club it named.
    club: String,
    /// Whether a program has set the session up that is being played.
    linked: bool,
    /// What waits until the program asks for it.
    waiting: Vec<Waiting>,
    /// What the program was told besides when it last changed something.
    #[schema(value_type = Vec<String>)]
    notes: Vec<Told>,
    /// What it can't be told.
    #[schema(value_type = Vec<String>)]
    losses: Vec<Told>,
}

/// What waits in one queue.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct Waiting {
    /// `Results`, `PlayerData`, `Participations`, `Handrecords` or `TdCalls`.
    queue: String,
    items: usize,
}

/// Whether scoring programs may come.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Switch {
    on: bool,
}

/// The door for scoring programs: whether it is open, who came, what waits.
#[utoipa::path(get, path = "/api/data-connector", tag = "files", responses((status = 200, body = ConnectorView)))]
async fn state(State(web): State<Web>, _director: Director) -> Json<ConnectorView> {
    let known = web.desk().state();
    let status = web.connector().map(DataConnector::status);
    let status = status.unwrap_or_default();
    let counted = match web.connector() {
        Some(connector) => {
            let mut memory = connector.memory().lock().await;
            waiting(&known, &mut memory)
        }
        None => waiting(&known, &mut Memory::default()),
    };
    let counted = counted.into_iter().map(|(queue, items)| Waiting {
        queue: format!("{queue:?}"),
        items,
    });
    let by_command_line = web.connector().is_some_and(DataConnector::is_named);
    let session = known.session.as_ref();
    Json(ConnectorView {
        on: by_command_line || known.club.connector_on,
        by_command_line,
        address: format!("http://{}", status.address.unwrap_or(USUAL_ADDRESS)),
        fault: status.fault,
        contact_ms: status.contact.as_ref().map(|(at, _)| at.0),
        club: status.contact.map(|(_, club)| club).unwrap_or_default(),
        linked: session.is_some_and(|session| known.club.links.contains_key(&session.id)),
        waiting: counted.collect(),
        notes: status.notes,
        losses: losses(&known),
    })
}

/// Lets scoring programs in, or not.
#[utoipa::path(put, path = "/api/data-connector", tag = "files", request_body = Switch, responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn switch(
    State(web): State<Web>,
    director: Director,
    Body(Switch { on }): Body<Switch>,
) -> Answer {
    if !on && web.connector().is_some_and(DataConnector::is_named) {
        return Err(Problem::refused(tell!(Asked::DataConnectorSwitchedWhen)));
    }
    let command = Command::Connector(ConnectorCommand::Switch { on });
    web.desk().done(&director, command).await
}
