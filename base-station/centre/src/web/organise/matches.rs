//! Matches over all rooms, for who organises them: the pairs, the draw of each round, and the next
//! session of the same pairs.

use axum::Router;
use axum::extract::{Form, Path, State};
use axum::http::HeaderMap;
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use contest::ContestantNumber;
use maud::{Markup, html};
use protocol::words::RoundNumber;
use serde::Deserialize;
use sha2::{Digest as _, Sha256};
use telling::{Told, tell};
use tokio_postgres::Transaction;

use super::door::{self, Organiser};
use super::event::{answer, event_page, may_change};
use super::named;
use crate::follow::read_whole;
use crate::snapshot::{About, Snapshot, Staged};
use crate::stage::{Proposal, Undrawn, is_begun};
use crate::web::bases::changed;
use crate::web::matches::{matches as shown_matches, pair, rounds};
use crate::web::page::frame;
use crate::web::secret::{code, hash_of_code};
use crate::web::{Reader, Refusal, Web};

pub(super) fn routes() -> Router<Web> {
    Router::new()
        .route("/organise/event/{event}/matches", get(page))
        .route("/organise/event/{event}/pairs", post(enter))
        .route("/organise/event/{event}/pairs/gone", post(gone))
        .route("/organise/event/{event}/draw", post(propose))
        .route("/organise/event/{event}/draw/publish", post(publish))
        .route("/organise/event/{event}/next", post(next))
}

async fn page(State(web): State<Web>, Path(event): Path<i32>, headers: HeaderMap) -> Response {
    let page = async {
        if Organiser::of(&web, &headers).await?.is_none() {
            return Ok(door::page(&web, Reader::of(&headers)).await);
        }
        let none = || Refusal::not_found(tell!(Centre::NoSuchEvent));
        let shown = web.follower().event(event).await.ok_or_else(none)?;
        let staged = shown.staged.as_ref().ok_or_else(no_matches)?;
        Ok(stage_page(Reader::of(&headers), &shown, staged, None))
    };
    answer(page.await, &headers)
}

fn no_matches() -> Refusal {
    Refusal::not_found(tell!(Centre::NotMatches))
}

fn stage_page(
    reader: Reader,
    shown: &Snapshot,
    staged: &Staged,
    proposed: Option<(&Proposal, u32)>,
) -> Html<String> {
    let here = format!("/organise/event/{}", shown.about.event);
    let stage = &staged.stage;
    let last = stage.drawn.keys().next_back().copied();
    let again = last.filter(|round| !is_begun(*round, &shown.sheets));
    let draw = |round: RoundNumber, text: &'static str| {
        html! { form.inline method="post" action={ (here) "/draw" } {
            input type="hidden" name="round" value=(round);
            button { (reader.with(text, &[("round", &round)])) }
        } }
    };
    let body = html! {
        p { a href=(here) { (shown.about.name) } " · " a href={ "/event/" (shown.about.event) } { (reader.text("centre_ranking")) } }
        (rounds(reader, shown.about.event, staged))
        @if let Some((proposal, seed)) = proposed { (proposal_of(reader, shown, staged, proposal, seed, &here)) }
        @if shown.about.is_final {
            h2 { (reader.text("centre_next_session")) }
            form method="post" action={ (here) "/next" } {
                p { (reader.text("centre_next_hint")) }
                label { (reader.text("centre_name")) input name="name" required; }
                button { (reader.text("centre_create")) }
            }
        } @else {
            p {
                @if let Some(round) = stage.next_round() { (draw(round, "centre_draw")) }
                @if let Some(round) = again { (draw(round, "centre_draw_again")) }
            }
            h2 { (reader.text("centre_pairs")) }
            (pairs(reader, staged, &here))
            form method="post" action={ (here) "/pairs" } {
                label { (reader.text("centre_pairs_hint")) textarea name="pairs" rows="6" required {} }
                button { (reader.text("centre_enter_pairs")) }
            }
        }
    };
    frame(reader, reader.text("centre_matches"), None, &body)
}

fn proposal_of(
    reader: Reader,
    shown: &Snapshot,
    staged: &Staged,
    proposal: &Proposal,
    seed: u32,
    here: &str,
) -> Markup {
    let round = proposal.round;
    let unfinished = proposal.unfinished.len();
    html! { section.codes {
        h2 { (reader.with("centre_proposed", &[("round", &round)])) }
        @if unfinished > 0 { p.warning { "⚑ " (reader.with("centre_unfinished", &[("n", &unfinished)])) } }
        (shown_matches(reader, shown, staged, round, &proposal.drawn))
        form method="post" action={ (here) "/draw/publish" } {
            input type="hidden" name="round" value=(round);
            input type="hidden" name="seed" value=(seed);
            input type="hidden" name="stamp" value=(stamp(proposal));
            button { (reader.text("centre_publish")) }
        }
    } }
}

fn pairs(reader: Reader, staged: &Staged, here: &str) -> Markup {
    html! { table.clubs { tbody { @for (number, known) in &staged.stage.contestants { tr {
        td { (pair(staged, *number)) }
        td { (known.home) }
        td {
            @if let Some(round) = known.gone { (reader.with("centre_gone_from", &[("round", &round)])) }
            @else {
                form.inline method="post" action={ (here) "/pairs/gone" } {
                    input type="hidden" name="number" value=(number);
                    button { (reader.text("centre_plays_no_more")) }
                }
            }
        }
    } } } } }
}

#[derive(Deserialize)]
struct NewPairs {
    pairs: String,
}

/// A pair as it was typed: its number, where one is to be put right, its players and its club.
struct Typed<'a> {
    number: Option<ContestantNumber>,
    players: [&'a str; 2],
    home: &'a str,
}

fn typed(line: &str) -> Result<Typed<'_>, Refusal> {
    let wrong = || Refusal::refused(tell!(Centre::PairWanted { line }));
    let mut parts: Vec<&str> = line.split([';', '\t']).map(str::trim).collect();
    let number = parts.first().and_then(|it| it.parse().ok());
    if number.is_some() {
        parts.remove(0);
    }
    let (one, other, home) = match parts.as_slice() {
        [one, other] => (*one, *other, ""),
        [one, other, home] => (*one, *other, *home),
        _ => return Err(wrong()),
    };
    let number = match number {
        Some(number) => Some(ContestantNumber::new(number).ok_or_else(wrong)?),
        None => None,
    };
    let home = if home.is_empty() { "" } else { named(home)? };
    let players = [named(one)?, named(other)?];
    Ok(Typed {
        number,
        players,
        home,
    })
}

/// Enters pairs, one a line; one that begins with a number puts that pair right.
async fn enter(
    State(web): State<Web>,
    Path(event): Path<i32>,
    headers: HeaderMap,
    Form(new): Form<NewPairs>,
) -> Response {
    let done = async {
        Organiser::must(&web, &headers).await?;
        let mut client = web.database().page().await?;
        let step = client.transaction().await?;
        of_matches(&step, event).await?;
        let sql = "SELECT coalesce(max(number), 0) FROM contestant WHERE event = $1";
        let mut last: i32 = step.query_one(sql, &[&event]).await?.get(0);
        for line in new.pairs.lines().filter(|line| !line.trim().is_empty()) {
            let own = typed(line)?;
            let wrong = || Refusal::refused(tell!(Centre::PairWanted { line }));
            let number = own.number.map_or(last + 1, |it| it.get().into());
            let fits = u16::try_from(number).ok().and_then(ContestantNumber::new);
            let number = i16::try_from(fits.ok_or_else(wrong)?.get()).map_err(|_| wrong())?;
            last = last.max(number.into());
            step.execute(
                "INSERT INTO contestant (event, number, one, other, home)
                 VALUES ($1, $2, $3, $4, $5)
                 ON CONFLICT (event, number) DO UPDATE
                 SET one = excluded.one, other = excluded.other, home = excluded.home",
                &[&event, &number, &own.players[0], &own.players[1], &own.home],
            )
            .await?;
        }
        changed(&step, event).await?;
        step.commit().await?;
        Ok::<_, Refusal>(())
    };
    back_to(event, done.await, &headers)
}

fn back_to(event: i32, done: Result<(), Refusal>, headers: &HeaderMap) -> Response {
    match done {
        Ok(()) => Redirect::to(&format!("/organise/event/{event}/matches")).into_response(),
        Err(refusal) => refusal.page(headers),
    }
}

/// Locks an event of matches that is not final.
async fn of_matches(step: &Transaction<'_>, event: i32) -> Result<About, Refusal> {
    let about = may_change(step, event).await?;
    if about.matches.is_none() {
        return Err(no_matches());
    }
    Ok(about)
}

#[derive(Deserialize)]
struct Gone {
    number: i16,
}

/// A pair plays no more from the first round on that is not drawn.
async fn gone(
    State(web): State<Web>,
    Path(event): Path<i32>,
    headers: HeaderMap,
    Form(Gone { number }): Form<Gone>,
) -> Response {
    let done = async {
        Organiser::must(&web, &headers).await?;
        let mut client = web.database().page().await?;
        let step = client.transaction().await?;
        of_matches(&step, event).await?;
        step.execute(
            "UPDATE contestant SET gone =
                 (SELECT coalesce(max(round), 0) + 1 FROM draw WHERE event = $1)
             WHERE event = $1 AND number = $2 AND gone IS NULL",
            &[&event, &number],
        )
        .await?;
        changed(&step, event).await?;
        step.commit().await?;
        Ok::<_, Refusal>(())
    };
    back_to(event, done.await, &headers)
}

#[derive(Deserialize)]
struct Wanted {
    round: u8,
}

/// What identifies a draw: who looks at it publishes this one and no other.
fn stamp(proposal: &Proposal) -> String {
    let text = serde_json::to_string(&proposal.drawn).unwrap_or_default();
    URL_SAFE_NO_PAD.encode(Sha256::digest(text))
}

/// A draw of this round from what is in; nothing happens yet. Only a round that nobody has begun can
/// be drawn, and no round is left out.
fn proposed(shown: &Snapshot, staged: &Staged, round: u8, seed: u32) -> Result<Proposal, Refusal> {
    let stage = &staged.stage;
    let all = || {
        tell!(Centre::AllDrawn {
            rounds: stage.rounds
        })
    };
    let round = RoundNumber::new(round).filter(|round| {
        let last = stage.drawn.keys().next_back();
        stage.next_round() == Some(*round) || last == Some(round)
    });
    let round = round.ok_or_else(|| Refusal::refused(all()))?;
    if is_begun(round, &shown.sheets) {
        return Err(Refusal::refused(tell!(Centre::RoundBegun { round })));
    }
    let told = |why: Undrawn| match why {
        Undrawn::All => all(),
        Undrawn::TooFew => tell!(Centre::TooFewPairs),
        Undrawn::Tables { matches, tables } => tell!(Centre::TooFewTables { matches, tables }),
        Undrawn::Draw(why) => Told::as_written(why.to_string()),
    };
    let drawn = stage.propose(Some(round), &staged.matches, seed.into());
    drawn.map_err(|why| Refusal::refused(told(why)))
}

async fn propose(
    State(web): State<Web>,
    Path(event): Path<i32>,
    headers: HeaderMap,
    Form(Wanted { round }): Form<Wanted>,
) -> Response {
    let page = async {
        Organiser::must(&web, &headers).await?;
        let none = || Refusal::not_found(tell!(Centre::NoSuchEvent));
        let shown = web.follower().event(event).await.ok_or_else(none)?;
        if shown.about.is_final {
            return Err(Refusal::refused(tell!(Centre::EventFinal)));
        }
        let staged = shown.staged.as_ref().ok_or_else(no_matches)?;
        let seed = rand::random();
        let proposal = proposed(&shown, staged, round, seed)?;
        let reader = Reader::of(&headers);
        Ok(stage_page(reader, &shown, staged, Some((&proposal, seed))))
    };
    answer(page.await, &headers)
}

#[derive(Deserialize)]
struct Published {
    round: u8,
    seed: u32,
    stamp: String,
}

/// Publishes the draw that was looked at; where results came in since that change it, it is looked
/// at again first.
async fn publish(
    State(web): State<Web>,
    Path(event): Path<i32>,
    headers: HeaderMap,
    Form(wanted): Form<Published>,
) -> Response {
    let done = async {
        Organiser::must(&web, &headers).await?;
        let mut client = web.database().page().await?;
        let step = client.transaction().await?;
        // Nothing is taken while this event is locked.
        let about = of_matches(&step, event).await?;
        let shown = read_whole(&step, about).await?;
        let staged = shown.staged.as_ref().ok_or_else(no_matches)?;
        let proposal = proposed(&shown, staged, wanted.round, wanted.seed)?;
        if stamp(&proposal) != wanted.stamp {
            return Err(Refusal::refused(tell!(Centre::DrawStale)));
        }
        let before = staged.stage.drawn.get(&proposal.round);
        let version = before.map_or(1, |(version, _)| version.saturating_add(1));
        let version = i32::try_from(version).unwrap_or(i32::MAX);
        let text = serde_json::to_string(&proposal.drawn).unwrap_or_default();
        step.execute(
            "INSERT INTO draw (event, round, version, seed, text) VALUES ($1, $2, $3, $4, $5)",
            &[
                &event,
                &i16::from(proposal.round.get()),
                &version,
                &i64::from(wanted.seed),
                &text,
            ],
        )
        .await?;
        changed(&step, event).await?;
        step.commit().await?;
        Ok::<_, Refusal>(())
    };
    back_to(event, done.await, &headers)
}

#[derive(Deserialize)]
struct NextSession {
    name: String,
}

/// The next session of the same pairs in the same rooms: an event of its own that goes on from this
/// one's final result.
async fn next(
    State(web): State<Web>,
    Path(event): Path<i32>,
    headers: HeaderMap,
    Form(new): Form<NextSession>,
) -> Response {
    let page = async {
        Organiser::must(&web, &headers).await?;
        let name = named(&new.name)?;
        let mut client = web.database().page().await?;
        let step = client.transaction().await?;
        let about = crate::entered::about(&step, event).await?;
        let about = about.ok_or_else(|| Refusal::not_found(tell!(Centre::NoSuchEvent)))?;
        if !about.is_final {
            return Err(Refusal::refused(tell!(Centre::NextWhenFinal)));
        }
        let shown = read_whole(&step, about).await?;
        let staged = shown.staged.as_ref().ok_or_else(no_matches)?;
        let carried = staged.stage.carry_on(&staged.matches);
        let carried = serde_json::to_string(&carried).unwrap_or_default();
        let made = step
            .query_one(
                "INSERT INTO event (name, method, rooms, rounds, boards, carried)
                 SELECT $2, method, rooms, rounds, boards, $3 FROM event WHERE event = $1
                 RETURNING event",
                &[&event, &name, &carried],
            )
            .await?;
        let next: i32 = made.get(0);
        step.execute(
            "INSERT INTO contestant (event, number, one, other, home, gone)
             SELECT $2, number, one, other, home, CASE WHEN gone IS NULL THEN NULL ELSE 1 END
             FROM contestant WHERE event = $1",
            &[&event, &next],
        )
        .await?;
        let rooms = step
            .query(
                "SELECT name, region, tables FROM club
                 WHERE event = $1 AND NOT withdrawn ORDER BY club",
                &[&event],
            )
            .await?;
        let mut codes = Vec::new();
        for room in &rooms {
            let (name, region, tables): (String, String, i16) =
                (room.get(0), room.get(1), room.get(2));
            let code = code();
            step.execute(
                "INSERT INTO club (event, name, region, tables, code) VALUES ($1, $2, $3, $4, $5)",
                &[&next, &name, &region, &tables, &hash_of_code(&code)],
            )
            .await?;
            codes.push((name, code));
        }
        step.commit().await?;
        drop(client);
        event_page(&web, next, Reader::of(&headers), &codes).await
    };
    answer(page.await, &headers)
}
