//! Programs for pads: the file that the director chooses, and the update of a pad at the cable.

use axum::Json;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, State};
use serde::{Deserialize, Serialize};
use telling::{Told, tell};
use utoipa::ToSchema;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouterExt};
use utoipa_axum::routes;

use super::cable::{problem, told, version};
use super::pads::pad;
use crate::daemon::{CableError, ProgramFile, UpdateState};
use crate::web::{Body, Director, Named, Problem, Web};

/// Two programs fill the chip.
const PROGRAM_LEN_MAX: usize = 1024 * 1024;

pub(super) fn routes() -> OpenApiRouter<Web> {
    OpenApiRouter::new()
        .routes(routes!(take_program).layer(DefaultBodyLimit::max(PROGRAM_LEN_MAX)))
        .routes(routes!(update))
}

/// A program for pads.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct ProgramView {
    #[schema(example = "0.2.0")]
    version: String,
    /// The wire version that it speaks.
    wire: u8,
}

/// How far the update of a pad is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
enum UpdateStep {
    /// The program is on its way.
    Sending,
    /// The pad looks through it and starts it.
    Starting,
    /// It runs, and has to reach the base station.
    Proving,
    /// It is kept.
    Kept,
    /// The pad runs the old program.
    Failed,
}

/// The update of a pad.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct UpdateView {
    step: UpdateStep,
    /// Hundredths of the program that have arrived.
    percent: u8,
    /// Why it failed.
    #[schema(value_type = Option<String>)]
    why: Option<Told>,
}

/// Whether a program may be older than the one that the pad runs.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct UpdateWanted {
    #[serde(default)]
    older: bool,
}

/// The update has begun.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct UpdateBegun {
    /// To this version.
    version: String,
}

pub(super) fn update_view(state: UpdateState) -> UpdateView {
    let (step, percent, why) = match state {
        UpdateState::Sending { percent } => (UpdateStep::Sending, percent, None),
        UpdateState::Starting => (UpdateStep::Starting, 100, None),
        UpdateState::Proving => (UpdateStep::Proving, 100, None),
        UpdateState::Kept => (UpdateStep::Kept, 100, None),
        UpdateState::Failed(fault) => (UpdateStep::Failed, 0, Some(told(fault))),
    };
    UpdateView { step, percent, why }
}

pub(super) fn program_view(program: &ProgramFile) -> ProgramView {
    ProgramView {
        version: version(program.version),
        wire: program.wire,
    }
}

/// Takes a file with a program for pads, as releases have it.
#[utoipa::path(post, path = "/api/cable/program", tag = "pads", request_body(content = Vec<u8>, content_type = "application/octet-stream"), responses((status = 200, body = ProgramView), (status = 404, body = crate::web::ProblemBody), (status = 400, body = crate::web::ProblemBody)))]
async fn take_program(
    State(web): State<Web>,
    _director: Director,
    content: Bytes,
) -> Result<Json<ProgramView>, Problem> {
    let cable = web.desk().cable()?;
    let program = ProgramFile::read(&content).map_err(|why| {
        let why = why.to_string();
        Problem::unreadable(tell!(Asked::PadProgramUnfit { why }))
    })?;
    let view = program_view(&program);
    cable.set_program(program);
    Ok(Json(view))
}

/// Begins to update a pad at the cable. It goes on with the old program until the new one is there,
/// tries the new one, and keeps it once it has reached this base station.
#[utoipa::path(post, path = "/api/cable/{pad}/update", tag = "pads", params(("pad" = String, Path, example = "00C0FFEE")), request_body = UpdateWanted, responses((status = 200, body = UpdateBegun), (status = 404, body = crate::web::ProblemBody), (status = 409, body = crate::web::ProblemBody)))]
async fn update(
    State(web): State<Web>,
    _director: Director,
    Named(name): Named<String>,
    Body(UpdateWanted { older }): Body<UpdateWanted>,
) -> Result<Json<UpdateBegun>, Problem> {
    let pad = pad(&name)?;
    let cable = web.desk().cable()?;
    let plugged = cable.pad(pad).map_err(problem)?;
    let program = cable.program().ok_or(CableError::NoProgram);
    let program = program.map_err(problem)?;
    if !cable.is_ours(&plugged) || web.desk().state().club.revoked.contains(&pad) {
        return Err(Problem::refused(tell!(Asked::PadUpdateNotOurs)));
    }
    let wanted = version(program.version);
    match plugged.firmware {
        Some(runs) if runs == program.version => {
            return Err(Problem::refused(tell!(Asked::PadUpdateSame {
                version: wanted
            })));
        }
        Some(runs) if runs > program.version && !older => {
            return Err(Problem::refused(tell!(Asked::PadUpdateOlder {
                version: wanted
            })));
        }
        _ => {}
    }
    cable.begin_update(pad).map_err(problem)?;
    Ok(Json(UpdateBegun { version: wanted }))
}
