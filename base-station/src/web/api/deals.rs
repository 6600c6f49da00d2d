//! Deal files of any format in, PBN out.

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use base64::Engine as _;
use protocol::message::HandRecord;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::deals::{recognise, write_pbn};
use crate::session::Command;
use crate::view::of_deal_file;
use crate::web::{Body, Director, Problem, Web};
use telling::tell;

pub(super) fn routes() -> OpenApiRouter<Web> {
    OpenApiRouter::new()
        .routes(routes!(attach))
        .routes(routes!(look))
        .routes(routes!(as_pbn))
}

/// A deal file.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct DealFile {
    /// Its name.
    #[schema(example = "monday.pbn")]
    file: String,
    /// Its text, if it is one.
    #[serde(default)]
    pbn: String,
    /// Or its bytes in Base64, whatever it is.
    #[serde(default)]
    base64: Option<String>,
}

/// What was read from a deal file.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct DealsRead {
    boards: usize,
    /// `1-24`.
    range: String,
    /// `PBN`, `LIN`, `DUP` and so on.
    format: String,
}

/// What a file is.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct Looked {
    /// The format of a deal file; nothing if it is none.
    format: Option<String>,
}

impl DealFile {
    fn bytes(&self) -> Result<Vec<u8>, Problem> {
        let Some(base64) = &self.base64 else {
            return Ok(self.pbn.clone().into_bytes());
        };
        base64::engine::general_purpose::STANDARD
            .decode(base64)
            .map_err(|_| Problem::unreadable(tell!(Asked::ExpectedBytesFileBase64)))
    }
}

/// Takes a deal file: PBN, LIN, RBN, DUP, DLM, BRI, DGE, CSV, BER, BHG, CDS or RZD, known by its
/// content.
#[utoipa::path(post, path = "/api/deals", tag = "set-up", request_body = DealFile, responses((status = 200, body = DealsRead), (status = 400, body = crate::web::ProblemBody)))]
async fn attach(
    State(web): State<Web>,
    director: Director,
    Body(file): Body<DealFile>,
) -> Result<Json<DealsRead>, Problem> {
    let (format, deals) = crate::deals::read(&file.bytes()?)
        .map_err(|fault| Problem::unreadable(of_deal_file(&fault)))?;
    let records: Vec<_> = deals.iter().map(HandRecord::from).collect();
    let boards = records.len();
    let range = match (records.first(), records.last()) {
        (Some(first), Some(last)) => format!("{}-{}", first.board, last.board),
        _ => String::new(),
    };
    let command = Command::AttachDeals {
        file: file.file,
        deals: records,
    };
    web.desk().act(&director, command).await?;
    let format = format.to_string();
    Ok(Json(DealsRead {
        boards,
        range,
        format,
    }))
}

/// Says whether a file is a deal file, and of which format. Changes nothing.
#[utoipa::path(post, path = "/api/deals/look", tag = "set-up", request_body = DealFile, responses((status = 200, body = Looked), (status = 400, body = crate::web::ProblemBody)))]
async fn look(
    State(_web): State<Web>,
    _director: Director,
    Body(file): Body<DealFile>,
) -> Result<Json<Looked>, Problem> {
    let format = recognise(&file.bytes()?).map(|format| format.to_string());
    Ok(Json(Looked { format }))
}

/// The session's deals as PBN, with tricks and par as far as they are known.
#[utoipa::path(get, path = "/api/export/deals.pbn", tag = "files", responses((status = 200, body = String, content_type = "text/plain"), (status = 409, body = crate::web::ProblemBody)))]
async fn as_pbn(State(web): State<Web>, _director: Director) -> Result<Response, Problem> {
    let state = web.desk().state();
    let deals = crate::watch::deals(super::results::session(&state)?);
    if deals.is_empty() {
        return Err(Problem::refused(tell!(Asked::ThereNoDealsSession)));
    }
    let text = write_pbn(&deals);
    Ok(super::export::file(
        "text/plain; charset=utf-8",
        "deals.pbn",
        text.into_bytes(),
    ))
}
