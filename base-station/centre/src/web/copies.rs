//! The sealed copy of a club's journal: kept for its base, and given to whoever has the club's key
//! when the laptop is gone.

use axum::extract::{DefaultBodyLimit, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ed25519_dalek::VerifyingKey;
use serde::{Deserialize, Serialize};
use telling::tell;
use tokio_postgres::{Row, Transaction};

use super::bases::{Joined, club_of_token, join_again, take_in};
use super::{Refusal, Web};
use crate::chain::{SIGNATURE_HEADER, is_signed};

/// The longest piece: a record may hold a whole file of deals.
const PIECE_LEN_MAX: usize = 16 * 1024 * 1024;

/// Pieces of one club. A club that plays every night needs years for as many.
const PIECES_MAX: i32 = 1_000_000;

/// Pieces that are given at once have no more letters than that, unless it is a single one.
const GIVEN_MAX: i64 = 4 * 1024 * 1024;

pub(super) fn routes() -> Router<Web> {
    Router::new()
        .route("/api/copy", post(keep).get(give))
        .route("/api/copy/state", get(state))
        .route("/api/restore", post(restore))
        .layer(DefaultBodyLimit::max(PIECE_LEN_MAX))
}

/// The first line of a request with a piece; the second is the piece, sealed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CopyHeading {
    /// Whose.
    pub base: u32,
    /// With this public key the copy may be asked for, in base64.
    pub reader: String,
    /// How far the journal was before the piece; 0 begins a new copy.
    pub after: u64,
    /// What that place is known by.
    pub before: Option<String>,
    /// How far it is after the piece.
    pub to: u64,
    /// What that place is known by.
    pub mark: String,
}

/// How far a copy is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CopyState {
    /// Who may ask for it, in base64.
    pub reader: String,
    /// How far the journal was.
    pub to: u64,
    /// What that place is known by.
    pub mark: String,
    /// In so many pieces.
    pub pieces: i32,
    /// When the last one came, in milliseconds since 1970.
    pub made: u64,
}

/// What a new base says to be made from a copy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Restoring {
    /// The public key of whoever may have it, in base64.
    pub reader: String,
    /// The new base's public key in base64.
    pub key: String,
    /// [`restoring`] of that key, signed by the reader.
    pub signature: String,
    /// Which room's, where several rooms of an event share the club's key.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub room: String,
}

/// Who the new base is, and what there is for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Restored {
    /// Who it is from now on.
    pub joined: Joined,
    /// How far the copy is.
    pub copy: CopyState,
}

/// What whoever has the club's key signs, so that the base with this key takes the club over.
pub fn restoring(key: &str) -> String {
    format!("restore\n{key}")
}

fn key_of(text: &str) -> Result<VerifyingKey, Refusal> {
    let unfit = || Refusal::new(StatusCode::BAD_REQUEST, tell!(Centre::KeyUnfit));
    let bytes = URL_SAFE_NO_PAD.decode(text).ok();
    let bytes: [u8; 32] = bytes
        .and_then(|bytes| bytes.try_into().ok())
        .ok_or_else(unfit)?;
    VerifyingKey::from_bytes(&bytes).map_err(|_| unfit())
}

async fn state_of(step: &Transaction<'_>, club: i32) -> Result<Option<CopyState>, Refusal> {
    let row = step
        .query_opt(
            "SELECT reader, upto, mark, pieces, (extract(epoch FROM made) * 1000)::int8
             FROM copy WHERE club = $1",
            &[&club],
        )
        .await?;
    Ok(row.map(|row| CopyState {
        reader: URL_SAFE_NO_PAD.encode(row.get::<_, &[u8]>(0)),
        to: row.get::<_, i64>(1).unsigned_abs(),
        mark: row.get(2),
        pieces: row.get(3),
        made: row.get::<_, i64>(4).unsigned_abs(),
    }))
}

/// Keeps a piece behind those that are there, or as the first of a new copy. One that does not fit
/// is answered with how far the copy is.
async fn keep(
    State(web): State<Web>,
    headers: HeaderMap,
    body: String,
) -> Result<Response, Refusal> {
    let unknown = || Refusal::new(StatusCode::UNAUTHORIZED, tell!(Centre::BaseUnknown));
    let (heading, sealed) = body.split_once('\n').ok_or_else(unknown)?;
    let heading: CopyHeading = serde_json::from_str(heading).map_err(|_| unknown())?;
    let reader = key_of(&heading.reader)?;
    let base = i32::try_from(heading.base).map_err(|_| unknown())?;
    let mut client = web.database().page().await?;
    let step = client.transaction().await?;
    let row = step
        .query_opt(
            "SELECT key, retired IS NOT NULL, club FROM base JOIN club USING (club)
             WHERE base.base = $1 FOR UPDATE OF club",
            &[&base],
        )
        .await?;
    let row = row.ok_or_else(unknown)?;
    let key: Option<[u8; 32]> = row.get::<_, &[u8]>(0).try_into().ok();
    let key = key.and_then(|key| VerifyingKey::from_bytes(&key).ok());
    let signature = headers.get(SIGNATURE_HEADER);
    let signature = signature.and_then(|it| it.to_str().ok());
    let signature = signature.unwrap_or_default();
    if !key.is_some_and(|key| is_signed(&key, &body, signature)) {
        return Err(unknown());
    }
    if row.get(1) {
        return Err(Refusal::new(StatusCode::GONE, tell!(Centre::Replaced)));
    }
    let club: i32 = row.get(2);
    let there = state_of(&step, club).await?;
    let goes_on = |there: &CopyState| {
        there.reader == heading.reader
            && there.to == heading.after
            && Some(&there.mark) == heading.before.as_ref()
            && there.pieces < PIECES_MAX
    };
    if heading.after == 0 {
        step.execute("DELETE FROM copy WHERE club = $1", &[&club])
            .await?;
    } else if !there.as_ref().is_some_and(goes_on) {
        return Ok((StatusCode::CONFLICT, Json(there)).into_response());
    }
    let upto = i64::try_from(heading.to).unwrap_or(i64::MAX);
    let row = step
        .query_one(
            "INSERT INTO copy (club, reader, upto, mark, pieces) VALUES ($1, $2, $3, $4, 1)
             ON CONFLICT (club) DO UPDATE SET upto = excluded.upto, mark = excluded.mark,
                 pieces = copy.pieces + 1, made = now()
             RETURNING pieces",
            &[&club, &reader.as_bytes().as_slice(), &upto, &heading.mark],
        )
        .await?;
    let n: i32 = row.get(0);
    step.execute(
        "INSERT INTO copy_piece VALUES ($1, $2, $3)",
        &[&club, &n, &sealed],
    )
    .await?;
    let now = state_of(&step, club).await?;
    step.commit().await?;
    Ok(Json(now).into_response())
}

#[derive(Deserialize)]
struct Asked {
    base: i32,
    /// The first piece that is wanted.
    #[serde(default)]
    from: i32,
}

/// How far the copy of a base's club is.
async fn state(
    State(web): State<Web>,
    Query(asked): Query<Asked>,
    headers: HeaderMap,
) -> Result<Json<Option<CopyState>>, Refusal> {
    let (club, _) = club_of_token(&web, asked.base, &headers).await?;
    let mut client = web.database().page().await?;
    let step = client.transaction().await?;
    Ok(Json(state_of(&step, club).await?))
}

/// Pieces from one on, each in a line of its own.
async fn give(
    State(web): State<Web>,
    Query(asked): Query<Asked>,
    headers: HeaderMap,
) -> Result<String, Refusal> {
    let (club, _) = club_of_token(&web, asked.base, &headers).await?;
    let client = web.database().page().await?;
    let rows = client
        .query(
            "SELECT sealed FROM (
                 SELECT n, sealed, sum(length(sealed)) OVER (ORDER BY n) AS letters
                 FROM copy_piece WHERE club = $1 AND n BETWEEN $2 AND $2 + 9999) AS pieces
             WHERE n = $2 OR letters <= $3 ORDER BY n",
            &[&club, &asked.from, &GIVEN_MAX],
        )
        .await?;
    let lines = rows.iter().map(|row| row.get::<_, &str>(0));
    Ok(lines.collect::<Vec<_>>().join("\n"))
}

/// Makes a new base of the club whose key somebody has. The one that the club had is listened to no
/// more. A base whose answer was lost asks again with the same key.
async fn restore(
    State(web): State<Web>,
    Json(restoring_base): Json<Restoring>,
) -> Result<Json<Restored>, Refusal> {
    let reader = key_of(&restoring_base.reader)?;
    let key = key_of(&restoring_base.key)?;
    let said = restoring(&restoring_base.key);
    if !is_signed(&reader, &said, &restoring_base.signature) {
        let unfit = tell!(Centre::KeyUnfit);
        return Err(Refusal::new(StatusCode::BAD_REQUEST, unfit));
    }
    let mut client = web.database().page().await?;
    let step = client.transaction().await?;
    let none = || Refusal::not_found(tell!(Centre::NoCopy));
    let joined = if let Some(joined) = join_again(&step, &key).await? {
        joined
    } else {
        let rows = step
            .query(
                "SELECT club.club, club.name, event.event, event.name
                 FROM copy JOIN club USING (club) JOIN event ON event.event = club.event
                 WHERE reader = $1 ORDER BY made DESC FOR UPDATE",
                &[&reader.as_bytes().as_slice()],
            )
            .await?;
        let row = of_room(&rows, &restoring_base.room).ok_or_else(none)?;
        let which = |rooms| Refusal::refused(tell!(Centre::WhichRoom { rooms }));
        take_in(&step, row.map_err(which)?, &key).await?
    };
    let copy = state_of(&step, joined.club).await?.ok_or_else(none)?;
    step.commit().await?;
    Ok(Json(Restored { joined, copy }))
}

/// The copy that is meant, of those with the same key, the latest one first: that of the latest event.
/// Where several of its rooms have one, the room must be named; which there are is the answer else.
fn of_room<'a>(rows: &'a [Row], room: &str) -> Option<Result<&'a Row, String>> {
    let latest = rows.first()?;
    let name = |row: &Row| row.get::<_, String>(1);
    let of_event = rows
        .iter()
        .filter(|row| row.get::<_, i32>(2) == latest.get::<_, i32>(2));
    let rooms: Vec<&Row> = of_event.collect();
    let meant = rooms.iter().copied().find(|row| name(row) == room.trim());
    Some(match (meant, rooms.as_slice()) {
        (Some(row), _) => Ok(row),
        (None, [only]) if room.is_empty() => Ok(*only),
        (None, _) => {
            let names: Vec<String> = rooms.iter().map(|row| name(row)).collect();
            Err(names.join(", "))
        }
    })
}
