//! The codes with which phones join, and how phones get here.

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use qrcode::QrCode;
use qrcode::render::svg;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use telling::tell;

use super::input::table;
use crate::session::{DeviceKind, PairId, TableId};
use crate::view::pad_name;
use crate::web::{Director, Named, Problem, Web};

pub(super) fn routes() -> OpenApiRouter<Web> {
    OpenApiRouter::new()
        .routes(routes!(phones))
        .routes(routes!(code))
}

/// How phones get in, and the codes of all tables.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct PhonesView {
    /// The address for phones; none where the page is for this machine only.
    address: Option<String>,
    /// The page is encrypted.
    encrypted: bool,
    /// What the program lacks for phones, in one sentence; empty where nothing.
    missing: String,
    /// Every table of the session.
    tables: Vec<TableCode>,
    /// Every phone that has joined this session.
    phones: Vec<PhoneView>,
    /// Every player's own phone of this session.
    own: Vec<OwnPhoneView>,
}

/// The code of a table.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct TableCode {
    /// The table.
    #[schema(value_type = String, example = "A7")]
    table: TableId,
    /// How many phones have joined here.
    used: u16,
    /// What the next phone opens.
    link: String,
}

/// A phone that is a pad.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct PhoneView {
    /// Who it is.
    pad: String,
    /// With the code of this table.
    #[schema(value_type = String, example = "A7")]
    table: TableId,
    /// What it is.
    kind: DeviceKind,
    /// Nothing it says counts any more.
    revoked: bool,
}

/// A pair's own phone.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct OwnPhoneView {
    /// Who it is.
    pad: String,
    /// Whose it is.
    #[schema(value_type = String, example = "A12EW")]
    pair: PairId,
    /// What it is.
    kind: DeviceKind,
    /// Nothing it says counts any more.
    revoked: bool,
}

/// How phones get in, the codes of all tables, and the phones that have joined.
#[utoipa::path(get, path = "/api/phones", tag = "pads", responses((status = 200, body = PhonesView)))]
async fn phones(State(web): State<Web>, _director: Director) -> Json<PhonesView> {
    let state = web.desk().state();
    let club = &state.club;
    let (mut tables, mut joined, mut own) = (Vec::new(), Vec::new(), Vec::new());
    if let Some(session) = &state.session {
        let phones = club.own_phones.values();
        own.extend(phones.filter(|it| it.session == session.id).map(|phone| {
            let revoked = club.revoked.contains(&phone.phone);
            OwnPhoneView {
                pad: pad_name(phone.phone),
                pair: phone.pair,
                kind: phone.kind,
                revoked,
            }
        }));
        own.sort_by_key(|phone| phone.pair);
        for table in session.all_tables() {
            let used = club.next_code(session.id, table);
            if let Some(link) = web.phone_link(table) {
                tables.push(TableCode { table, used, link });
            }
            for phone in club.phones_of(session.id, table) {
                joined.push(PhoneView {
                    pad: pad_name(phone.pad),
                    table,
                    kind: phone.kind,
                    revoked: club.revoked.contains(&phone.pad),
                });
            }
        }
    }
    Json(PhonesView {
        address: web.phone_address().map(|it| format!("{it}/phone")),
        encrypted: web.fingerprint().is_some(),
        missing: phone_image::MISSING.to_owned(),
        tables,
        phones: joined,
        own,
    })
}

/// The code of a table as a picture.
#[utoipa::path(get, path = "/api/phones/{table}/code.svg", tag = "pads", params(("table" = String, Path, example = "A7")), responses((status = 200, content_type = "image/svg+xml", body = String), (status = 404, body = crate::web::ProblemBody)))]
async fn code(
    State(web): State<Web>,
    _director: Director,
    Named(name): Named<String>,
) -> Result<impl IntoResponse, Problem> {
    let table = table(&name)?;
    let state = web.desk().state();
    let session = state.session.as_ref();
    let known = session.is_some_and(|session| session.all_tables().any(|it| it == table));
    let link = web.phone_link(table).filter(|_| known);
    let link =
        link.ok_or_else(|| Problem::not_found(tell!(Refused::ThereNoTableTonight { table })))?;
    let kind = [(header::CONTENT_TYPE, "image/svg+xml")];
    Ok((kind, picture(&link)?))
}

/// A link as a QR code.
pub(crate) fn picture(link: &str) -> Result<String, Problem> {
    let code = QrCode::new(link).map_err(Problem::fault)?;
    let mut picture = code.render::<svg::Color<'_>>();
    Ok(picture.min_dimensions(200, 200).build())
}
