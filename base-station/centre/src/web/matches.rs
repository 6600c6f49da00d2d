//! What readers see of matches over all rooms: where everybody stands, and who sits where.

use axum::Router;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Response;
use axum::routing::get;
use contest::ContestantNumber;
use maud::{Markup, html};
use protocol::words::{RoundNumber, Side};
use scoring::VictoryPoints;
use serde::Serialize;
use telling::{Decimal, Part, tell};

use super::page::frame;
use super::pages::{HTML, kept, shown};
use super::{Reader, Refusal, Web};
use crate::snapshot::{Snapshot, Staged};
use crate::stage::{DrawnRound, Match};

pub(super) fn routes() -> Router<Web> {
    Router::new().route("/event/{event}/round/{round}", get(round))
}

/// Victory points as the reader's language writes them.
fn points(reader: Reader, vp: VictoryPoints) -> String {
    let number = f64::from(vp.0) / 100.0;
    Part::Decimal(Decimal::new(number, 2)).in_words(reader.voice)
}

/// A pair by its number, and its players.
pub(super) fn pair(staged: &Staged, number: ContestantNumber) -> String {
    let known = staged.stage.contestants.get(&number);
    let players = known.map(|known| known.players.join(" – "));
    players.map_or_else(
        || number.to_string(),
        |players| format!("{number} · {players}"),
    )
}

/// Where everybody stands, and the rounds drawn so far.
pub(super) fn standing(reader: Reader, shown: &Snapshot, staged: &Staged) -> Markup {
    let event = shown.about.event;
    html! {
        (rounds(reader, event, staged))
        @if staged.standing.is_empty() { p { (reader.text("centre_no_results")) } }
        @else { table.ranking {
            thead { tr {
                th.number { (reader.text("centre_place")) }
                th { (reader.text("centre_pair_heading")) }
                th.number { (reader.text("centre_matches_played")) }
                th.number { (reader.text("centre_vp")) }
            } }
            tbody { @for line in &staged.standing { tr {
                td.number { (line.place) }
                td { (pair(staged, line.contestant)) }
                td.number { (line.matches) }
                td.number { (points(reader, line.vp)) }
            } } }
        } }
    }
}

/// Links to every round.
pub(super) fn rounds(reader: Reader, event: i32, staged: &Staged) -> Markup {
    html! { nav.regions { @for round in staged.stage.drawn.keys() {
        a href={ "/event/" (event) "/round/" (round) } { (reader.with("centre_round", &[("round", round)])) } " "
    } } }
}

/// The standing for programs, and for the signature under the final result.
#[derive(Debug, Serialize)]
pub(super) struct StandingView<'a> {
    place: u32,
    pair: ContestantNumber,
    players: &'a [String; 2],
    matches: usize,
    /// Hundredths of a victory point.
    vp: i32,
}

impl<'a> StandingView<'a> {
    pub(super) fn all(staged: &'a Staged) -> Vec<Self> {
        let lines = staged.standing.iter();
        let lines = lines.filter_map(|line| {
            let known = staged.stage.contestants.get(&line.contestant)?;
            Some(Self {
                place: line.place,
                pair: line.contestant,
                players: &known.players,
                matches: line.matches,
                vp: line.vp.0,
            })
        });
        lines.collect()
    }
}

async fn round(
    State(web): State<Web>,
    Path((event, number)): Path<(i32, u8)>,
    headers: HeaderMap,
) -> Result<Response, Response> {
    let shown = shown(&web, event, &headers).await?;
    let none = || Refusal::not_found(tell!(Centre::NoSuchPage)).page(&headers);
    let staged = shown.staged.as_ref().ok_or_else(none)?;
    let round = RoundNumber::new(number).ok_or_else(none)?;
    let (_, drawn) = staged.stage.drawn.get(&round).ok_or_else(none)?;
    Ok(kept(
        &shown,
        &headers,
        &format!("round {number}"),
        HTML,
        |reader| {
            let title = reader.with("centre_round", &[("round", &round)]);
            let body = html! {
                p { a href={ "/event/" (event) } { (shown.about.name) } }
                div #live {
                    (matches(reader, &shown, staged, round, drawn))
                    h2 { (reader.text("centre_where")) }
                    (seats(reader, &shown, staged, drawn))
                }
            };
            frame(reader, &title, Some(&shown), &body).0
        },
    ))
}

/// The matches of a round, room by room, with what they came to.
pub(super) fn matches(
    reader: Reader,
    shown: &Snapshot,
    staged: &Staged,
    round: RoundNumber,
    drawn: &DrawnRound,
) -> Markup {
    let room = |club| shown.clubs.get(&club).map_or("", |it| it.name.as_str());
    let came_to = |own: &Match| {
        let [home, away] = own.scored.sides;
        if own.scored.complete {
            format!("{} : {}", points(reader, home.vp), points(reader, away.vp))
        } else {
            "…".to_owned()
        }
    };
    let played = |seated| {
        let mut own = staged.matches.iter();
        own.find(|it| it.round == round && it.seated == seated)
            .map_or_else(String::new, came_to)
    };
    html! { table.ranking {
        thead { tr {
            th { (reader.text("centre_room_table")) }
            th { (side(reader, Side::NorthSouth)) }
            th { (side(reader, Side::EastWest)) }
            th.number { (reader.text("centre_vp")) }
        } }
        tbody {
            @for seated in &drawn.matches { tr {
                td { (room(seated.club)) " " (seated.table) }
                td { (pair(staged, seated.home)) }
                td { (pair(staged, seated.away)) }
                td.number { (played(*seated)) }
            } }
            @if let Some(bye) = drawn.bye { tr {
                td { (reader.text("centre_bye")) }
                td colspan="3" { (pair(staged, bye)) }
            } }
        }
    } }
}

/// Where each pair sits, by its number: what hangs on the wall.
fn seats(reader: Reader, shown: &Snapshot, staged: &Staged, drawn: &DrawnRound) -> Markup {
    let room = |club| shown.clubs.get(&club).map_or("", |it| it.name.as_str());
    let both = drawn.matches.iter().flat_map(|it| {
        [
            (it.home, it, Side::NorthSouth),
            (it.away, it, Side::EastWest),
        ]
    });
    let mut all: Vec<_> = both.collect();
    all.sort_by_key(|(number, _, _)| *number);
    html! { table.ranking { tbody { @for (number, seated, sits) in all { tr {
        td { (pair(staged, number)) }
        td { (room(seated.club)) " " (seated.table) }
        td { (side(reader, sits)) }
    } } } } }
}

fn side(reader: Reader, side: Side) -> &'static str {
    reader.text(match side {
        Side::NorthSouth => "centre_ns",
        Side::EastWest => "centre_ew",
    })
}
