//! The BWS file that is played from: which one, and how it stands.

use std::path::{Path, PathBuf};

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::daemon::{Coupling, CouplingState};
use crate::web::{Body, Director, Problem, Web};
use telling::tell;

pub(super) fn routes() -> OpenApiRouter<Web> {
    OpenApiRouter::new()
        .routes(routes!(bws_state))
        .routes(routes!(choose))
        .routes(routes!(leave))
}

/// A file on the laptop.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct OnLaptop {
    /// Its whole path there, ending with `.bws`.
    path: String,
}

fn coupling(web: &Web) -> Result<&Coupling, Problem> {
    let coupling = web.desk().coupling();
    coupling.ok_or_else(|| Problem::refused(tell!(Bws::FilesScoringProgramsTaken)))
}

/// How the coupling with the scoring program's BWS file stands.
#[utoipa::path(get, path = "/api/bws", tag = "files", responses((status = 200, body = CouplingState)))]
async fn bws_state(
    State(web): State<Web>,
    _director: Director,
) -> Result<Json<CouplingState>, Problem> {
    Ok(Json(coupling(&web)?.state()))
}

/// Plays from a BWS file on the laptop: takes sections, movement, names, cards and settings, and puts
/// results into the same file.
#[utoipa::path(post, path = "/api/bws", tag = "files", request_body = OnLaptop, responses((status = 200, body = CouplingState), (status = 400, body = crate::web::ProblemBody)))]
async fn choose(
    State(web): State<Web>,
    _director: Director,
    Body(wanted): Body<OnLaptop>,
) -> Result<Json<CouplingState>, Problem> {
    let coupling = coupling(&web)?;
    let path = PathBuf::from(wanted.path.trim());
    let named = |path: &Path| {
        let ending = path.extension().map(std::ffi::OsStr::to_ascii_lowercase);
        ending.is_some_and(|ending| ending == "bws")
    };
    if !path.is_absolute() || !named(&path) {
        return Err(Problem::unreadable(tell!(Bws::ExpectedWholePathFile)));
    }
    if !path.is_file() {
        return Err(Problem::unreadable(tell!(Bws::ThereNoFileLaptop {
            file: path.display().to_string()
        })));
    }
    coupling.choose(Some(path.clone()));
    let state = coupling.looked_at(Some(&path)).await;
    Ok(Json(state))
}

/// Leaves the file as it is from now on. The session stays.
#[utoipa::path(delete, path = "/api/bws", tag = "files", responses((status = 200, body = CouplingState)))]
async fn leave(
    State(web): State<Web>,
    _director: Director,
) -> Result<Json<CouplingState>, Problem> {
    let coupling = coupling(&web)?;
    coupling.choose(None);
    Ok(Json(coupling.looked_at(None).await))
}
