//! The frame of every page, and the tables that several of them have.

use axum::response::Html;
use maud::{DOCTYPE, Markup, html};
use protocol::words::BoardNumber;
use scoring::{Method, Rules, Standing};
use telling::{Decimal, Pair, Part};

use super::Reader;
use crate::field::Entrant;
use crate::said::Place;
use crate::snapshot::Snapshot;

/// A page with its title; `live` is the event whose changes it follows, from that moment on.
pub(super) fn frame(
    reader: Reader,
    title: &str,
    live: Option<&Snapshot>,
    body: &Markup,
) -> Html<String> {
    let event = live.map(|shown| shown.about.event);
    let stamp = live.map(Snapshot::stamp);
    let page = html! {
        (DOCTYPE)
        html lang=(reader.voice.language.code()) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) " – Byestand" }
                link rel="stylesheet" href="/centre.css";
                @if live.is_some() { script src="/centre.js" defer {} }
            }
            body data-event=[event] data-stamp=[stamp] {
                header { a href="/" { "Byestand" } }
                main { h1 { (title) } (body) }
            }
        }
    };
    Html(page.into_string())
}

/// A sentence on a page of its own.
pub(super) fn apology(reader: Reader, sentence: &str) -> Html<String> {
    let title = reader.text("centre_sorry");
    let body = html! {
        p { (sentence) }
        p { a href="/" { (reader.text("centre_all_events")) } }
    };
    frame(reader, title, None, &body)
}

/// What a pair is called: its players where they may be known, else its number.
pub(super) fn pair(reader: Reader, shown: &Snapshot, entrant: Entrant) -> String {
    if let Some([one, other]) = shown.players(entrant)
        && !(one.is_empty() && other.is_empty())
    {
        return format!("{one} – {other}");
    }
    let pair = Part::Pair(Pair {
        section: Some(entrant.pair.section),
        side: entrant.pair.direction,
        number: entrant.pair.number,
    });
    let number = pair.in_words(reader.voice);
    reader.with("centre_pair", &[("pair", &number)])
}

/// A number as the reader's language writes it.
pub(super) fn decimal(reader: Reader, number: f64) -> String {
    Part::Decimal(Decimal::new(number, 2)).in_words(reader.voice)
}

/// What a pair is ranked by.
pub(super) fn result(reader: Reader, rules: &Rules, standing: &Standing<Entrant>) -> String {
    match (rules.method, standing.percent) {
        (_, Some(percent)) => format!("{} %", decimal(reader, percent.to_f64())),
        // Nobody else has played any of its boards.
        (Method::Matchpoints, None) => "–".to_owned(),
        (Method::Butler(_) | Method::CrossImps, None) => decimal(reader, standing.points.to_f64()),
    }
}

/// Where a line stands, in words.
pub(super) fn place(reader: Reader, place: Place) -> String {
    let table = format!("{}{}", place.section, place.table);
    let parts: [(&str, &dyn std::fmt::Display); 3] = [
        ("table", &table),
        ("round", &place.round),
        ("board", &place.board),
    ];
    reader.with("game-table-round-board", &parts)
}

/// A link to a board.
pub(super) fn board_link(event: i32, board: BoardNumber) -> Markup {
    html! { a href={ "/event/" (event) "/board/" (board) } { (board) } }
}
