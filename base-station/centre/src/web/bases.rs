//! What bases ask: to join, to be heard, and how their pairs stand in the field.

use std::sync::Arc;

use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ed25519_dalek::VerifyingKey;
use protocol::words::{BoardNumber, PairNumber, RoundNumber, TableNumber};
use serde::{Deserialize, Serialize};
use telling::tell;
use tokio_postgres::{Row, Transaction};

use super::secret::{hash_of_code, hash_of_token, token};
use super::{Refusal, Web};
use crate::chain::{Batch, Head, SIGNATURE_HEADER, is_signed};
use crate::database::DatabaseError;
use crate::field::{EVERYWHERE, Entrant, Sheet};
use crate::said::{Became, PairName, Place, TableName};
use crate::snapshot::Snapshot;
use crate::stage::Stage;
use crate::taker::Outcome;

pub(super) fn routes() -> Router<Web> {
    Router::new()
        .route("/api/join", post(join))
        .route("/api/records", post(records))
        .route("/api/field", get(field))
        .route("/api/health", get(health))
}

/// What a base says to join.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Joining {
    /// The code from the organiser.
    pub code: String,
    /// Its public key in base64.
    pub key: String,
    /// The code signed with it, so that nobody joins with a key that is not theirs.
    pub signature: String,
}

/// What a base knows once it has joined.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Joined {
    /// Its number.
    pub base: u32,
    /// With it it reads how its pairs stand.
    pub token: String,
    /// The event's number.
    pub event: i32,
    /// The event's name.
    pub event_name: String,
    /// The club's number.
    pub club: i32,
    /// What the organiser calls the club.
    pub club_name: String,
    /// Where its chain begins.
    pub head: Head,
}

/// Takes a base in. Another one that the club had before is listened to no more. A base whose answer
/// was lost asks again with the same key.
async fn join(
    State(web): State<Web>,
    Json(joining): Json<Joining>,
) -> Result<Json<Joined>, Refusal> {
    let unfit = || Refusal::new(StatusCode::BAD_REQUEST, tell!(Centre::KeyUnfit));
    let key = URL_SAFE_NO_PAD.decode(&joining.key).ok();
    let key: [u8; 32] = key.and_then(|key| key.try_into().ok()).ok_or_else(unfit)?;
    let key = VerifyingKey::from_bytes(&key).map_err(|_| unfit())?;
    if !is_signed(&key, &joining.code, &joining.signature) {
        return Err(unfit());
    }
    let mut client = web.database().page().await?;
    let step = client.transaction().await?;
    let joined = match join_again(&step, &key).await? {
        Some(joined) => joined,
        None => join_anew(&step, &key, &joining.code).await?,
    };
    step.commit().await?;
    Ok(Json(joined))
}

/// The answer was lost.
pub(super) async fn join_again(
    step: &Transaction<'_>,
    key: &VerifyingKey,
) -> Result<Option<Joined>, Refusal> {
    let token = token();
    let row = step
        .query_opt(
            "UPDATE base SET token = $2 FROM club, event
             WHERE key = $1 AND retired IS NULL
               AND club.club = base.club AND event.event = base.event
             RETURNING club.club, club.name, event.event, event.name, base.base",
            &[&key.as_bytes().as_slice(), &hash_of_token(&token)],
        )
        .await?;
    Ok(row.map(|row| joined(&row, row.get(4), token, key)))
}

async fn join_anew(
    step: &Transaction<'_>,
    key: &VerifyingKey,
    code: &str,
) -> Result<Joined, Refusal> {
    let row = step
        .query_opt(
            "SELECT club, club.name, event, event.name, final IS NOT NULL
             FROM club JOIN event USING (event) WHERE code = $1 AND NOT withdrawn FOR UPDATE",
            &[&hash_of_code(code)],
        )
        .await?;
    let row = row.ok_or_else(|| Refusal::not_found(tell!(Centre::CodeUnknown)))?;
    if row.get(4) {
        return Err(Refusal::refused(tell!(Centre::EventFinal)));
    }
    take_in(step, &row, key).await
}

/// A new base of a club, given by its number and name and those of its event. Another one that the
/// club had is listened to no more.
pub(super) async fn take_in(
    step: &Transaction<'_>,
    row: &Row,
    key: &VerifyingKey,
) -> Result<Joined, Refusal> {
    let (club, event): (i32, i32) = (row.get(0), row.get(2));
    let token = token();
    let made = step
        .query_one(
            "INSERT INTO base (club, event, key, token, link) VALUES ($1, $2, $3, $4, $5)
             RETURNING base",
            &[
                &club,
                &event,
                &key.as_bytes().as_slice(),
                &hash_of_token(&token),
                &Head::of_key(key).link.0.as_slice(),
            ],
        )
        .await?;
    let base: i32 = made.get(0);
    step.execute(
        "UPDATE base SET retired = now() WHERE club = $1 AND base <> $2 AND retired IS NULL",
        &[&club, &base],
    )
    .await?;
    step.execute(
        "UPDATE club SET base = $2, code = NULL WHERE club = $1",
        &[&club, &base],
    )
    .await?;
    changed(step, event).await?;
    Ok(joined(row, base, token, key))
}

fn joined(row: &Row, base: i32, token: String, key: &VerifyingKey) -> Joined {
    Joined {
        base: base.unsigned_abs(),
        token,
        event: row.get(2),
        event_name: row.get(3),
        club: row.get(0),
        club_name: row.get(1),
        head: Head::of_key(key),
    }
}

/// Tells everybody who follows an event that its clubs are not as they were.
pub(super) async fn changed(step: &Transaction<'_>, event: i32) -> Result<(), Refusal> {
    step.execute(
        "UPDATE event SET edition = edition + 1 WHERE event = $1",
        &[&event],
    )
    .await?;
    step.execute("SELECT pg_notify('byestand', $1)", &[&event.to_string()])
        .await?;
    Ok(())
}

/// Takes records of a base, each once.
async fn records(State(web): State<Web>, headers: HeaderMap, body: String) -> Response {
    let batch = match Batch::read(&body) {
        Ok(batch) => batch,
        Err(fault) => {
            let problem = serde_json::json!({ "problem": fault.to_string() });
            return (StatusCode::BAD_REQUEST, Json(problem)).into_response();
        }
    };
    let signature = headers.get(SIGNATURE_HEADER);
    let signature = signature.and_then(|it| it.to_str().ok());
    let signature = signature.unwrap_or_default().to_owned();
    let outcome = web.inner.taker.take(batch, body, signature).await;
    let status = match outcome {
        Outcome::Taken(_) => StatusCode::OK,
        Outcome::Refused(_) => StatusCode::CONFLICT,
        Outcome::NotSigned => StatusCode::UNAUTHORIZED,
        Outcome::Retired => StatusCode::GONE,
        Outcome::Final => StatusCode::LOCKED,
        Outcome::NotNow => StatusCode::SERVICE_UNAVAILABLE,
    };
    (status, Json(outcome)).into_response()
}

/// How a club stands in the field, for its base.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Field {
    /// The moment; the base asks for what is later.
    pub stamp: String,
    /// The event's name.
    pub event: String,
    /// How many clubs there are.
    pub clubs: usize,
    /// How many pairs.
    pub pairs_in_all: usize,
    /// Whether the result is final.
    pub is_final: bool,
    /// The organiser has taken the club out of the event: what it says is kept, and counts if it
    /// takes part again.
    #[serde(default)]
    pub withdrawn: bool,
    /// Somebody looks after all rooms: the base says how far its tables are.
    #[serde(default)]
    pub rooms: bool,
    /// How the club's pairs stand.
    pub pairs: Vec<OwnPair>,
    /// The boards that the club has played.
    pub boards: Vec<OwnBoard>,
    /// Tables whose call was settled on the page of all rooms, with when they called.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub settled: Vec<(TableName, u64)>,
    /// Rounds that were drawn over all rooms, as far as they are played in this one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rounds: Vec<RoundHere>,
}

/// A round that was drawn over all rooms, at the tables of one of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoundHere {
    /// Which.
    pub round: RoundNumber,
    /// How many there will be.
    pub rounds_total: u8,
    /// How often the round was published: a draw that replaces another one has a higher number.
    pub version: u32,
    /// Its boards.
    pub boards: Vec<BoardNumber>,
    /// Every table of the room.
    pub tables: Vec<TableHere>,
}

/// Who sits at a table of a room in a round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableHere {
    /// Which.
    pub table: TableNumber,
    /// Who sits North-South; none where nobody plays.
    pub ns: Option<PairHere>,
    /// Who sits East-West.
    pub ew: Option<PairHere>,
}

/// A pair at a table, with its players as the organiser has entered them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairHere {
    /// Its number, the same in every room.
    pub number: PairNumber,
    /// Its players.
    pub players: [String; 2],
}

/// How a pair stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnPair {
    /// The pair as its base calls it.
    pub pair: PairName,
    /// Its place in the whole field; none below the line.
    pub rank: Option<u32>,
    /// Hundredths of a percent; none at IMPs.
    pub percent: Option<i32>,
    /// Ten-thousandths of a matchpoint or an IMP.
    pub points: i64,
}

/// A board that the club has played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnBoard {
    /// The board.
    pub board: u8,
    /// Every score of the field, the best for North-South first.
    pub scores: Vec<OwnScore>,
    /// What the club's own lines are worth to North-South, in hundredths of a percent.
    pub lines: Vec<(Place, i32)>,
}

/// A score of a board and how often it came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnScore {
    /// From North-South's view; none where the director awarded something.
    pub score: Option<i16>,
    /// So many tables.
    pub times: usize,
    /// Worth to North-South in hundredths of a percent.
    pub percent: Option<i32>,
}

#[derive(Deserialize)]
struct Asked {
    base: i32,
    #[serde(default)]
    after: String,
}

/// How the pairs of a base's club stand in the field, and the boards that it has played.
async fn field(
    State(web): State<Web>,
    Query(asked): Query<Asked>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let (club, event) = club_of_token(&web, asked.base, &headers).await?;
    let shown = web.follower().event(event).await;
    let away = || Refusal::new(StatusCode::SERVICE_UNAVAILABLE, tell!(Centre::DatabaseAway));
    let shown = shown.ok_or_else(away)?;
    if shown.stamp() == asked.after {
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    Ok(Json(field_of(&shown, club)).into_response())
}

/// The club and the event of a base that shows its token.
pub(super) async fn club_of_token(
    web: &Web,
    base: i32,
    headers: &HeaderMap,
) -> Result<(i32, i32), Refusal> {
    let token = headers.get(header::AUTHORIZATION);
    let token = token.and_then(|it| it.to_str().ok()?.strip_prefix("Bearer "));
    let client = web.database().page().await?;
    let row = client
        .query_opt(
            "SELECT club, event FROM base WHERE base = $1 AND token = $2 AND retired IS NULL",
            &[&base, &hash_of_token(token.unwrap_or_default())],
        )
        .await?;
    let unknown = || Refusal::new(StatusCode::UNAUTHORIZED, tell!(Centre::BaseUnknown));
    let row = row.ok_or_else(unknown)?;
    Ok((row.get(0), row.get(1)))
}

fn field_of(shown: &Snapshot, club: i32) -> Field {
    let standings = shown.ranking.standings.iter();
    let sheet = shown.sheets.get(&club);
    let is_own = |entrant: Entrant| {
        let here = |sheet: &Arc<Sheet>| sheet.pairs.contains_key(&PairName(entrant.pair));
        entrant.club == club || (entrant.club == EVERYWHERE && sheet.is_some_and(here))
    };
    let own = standings.filter(|it| is_own(it.contestant));
    let pairs = own.map(|standing| OwnPair {
        pair: PairName(standing.contestant.pair),
        rank: standing.rank,
        percent: standing.percent.map(|percent| percent.0),
        points: standing.points.ten_thousandths(),
    });
    let mut boards: std::collections::BTreeMap<_, Vec<(Place, i32)>> =
        std::collections::BTreeMap::new();
    let lines = sheet.map(|sheet| sheet.lines.values());
    for line in lines.into_iter().flatten() {
        let lines = boards.entry(line.place.board).or_default();
        if let Became::Score(score) = line.became
            && let Some(percent) = shown.percent(line.place.board, score)
        {
            lines.push((line.place, percent.0));
        }
    }
    let boards = boards.into_iter().filter_map(|(board, lines)| {
        let over = shown.boards.get(&board)?;
        let scores = over.scores.iter().map(|it| OwnScore {
            score: it.score,
            times: it.times,
            percent: it.percent_of(over.top).map(|percent| percent.0),
        });
        Some(OwnBoard {
            board: board.get(),
            scores: scores.collect(),
            lines,
        })
    });
    Field {
        stamp: shown.stamp(),
        event: shown.about.name.clone(),
        clubs: shown.clubs.len(),
        pairs_in_all: shown.ranking.standings.len(),
        is_final: shown.about.is_final,
        withdrawn: !shown.clubs.contains_key(&club),
        rooms: shown.about.rooms,
        pairs: pairs.collect(),
        boards: boards.collect(),
        settled: settled_calls(shown, club),
        rounds: shown
            .staged
            .iter()
            .flat_map(|it| rounds_here(&it.stage, club))
            .collect(),
    }
}

/// Calls of a room that still stand and were settled elsewhere.
fn settled_calls(shown: &Snapshot, club: i32) -> Vec<(TableName, u64)> {
    let known = shown.clubs.get(&club).zip(shown.sheets.get(&club));
    known.map_or_else(Vec::new, |(room, sheet)| {
        let calls = sheet.tables.values();
        let calls = calls.filter_map(|it| Some((it.table, it.called?)));
        calls.filter(|call| room.settled.contains(call)).collect()
    })
}

/// The rounds that were drawn so far, at the tables of a room.
fn rounds_here(stage: &Stage, club: i32) -> Vec<RoundHere> {
    let rooms = stage.rooms.iter();
    let tables = rooms.filter(|it| it.0 == club).map(|it| it.1).sum::<u16>();
    let drawn = stage.drawn.iter();
    let rounds = drawn.map(|(&round, (version, drawn))| {
        let tables = (1..=tables).filter_map(TableNumber::new).map(|table| {
            let mut here = drawn.matches.iter();
            let here = here.find(|it| it.club == club && it.table == table);
            let pair = |number| PairHere {
                number,
                players: (stage.contestants.get(&number))
                    .map_or_else(Default::default, |it| it.players.clone()),
            };
            TableHere {
                table,
                ns: here.map(|it| pair(it.home)),
                ew: here.map(|it| pair(it.away)),
            }
        });
        RoundHere {
            round,
            rounds_total: stage.rounds,
            version: *version,
            boards: stage.boards_of(round).collect(),
            tables: tables.collect(),
        }
    });
    rounds.collect()
}

/// How this process is.
#[derive(Serialize)]
struct Health {
    /// The database answers.
    database: bool,
    /// How many records were scored within so many milliseconds (none: later) of being taken.
    scored_within_ms: Vec<(Option<u64>, u64)>,
    /// How long it took to rank an event the last time that something was new.
    ranking_ms: f64,
}

async fn health(State(web): State<Web>) -> Response {
    let database = answers(&web).await.is_ok();
    let status = if database {
        StatusCode::OK
    } else {
        StatusCode::SERVICE_UNAVAILABLE
    };
    let health = Health {
        database,
        scored_within_ms: web.follower().late(),
        ranking_ms: web.follower().ranking_took().as_secs_f64() * 1000.0,
    };
    (status, Json(health)).into_response()
}

async fn answers(web: &Web) -> Result<(), DatabaseError> {
    let client = web.database().page().await?;
    client.execute("SELECT 1", &[]).await?;
    Ok(())
}
