//! A Swiss of four pairs over two rounds, typed from paper: set-up, draws, standing, release.

use std::time::{Duration, Instant};

use serde_json::json;
use tests::browser::{Page, Room, Size};

use super::match_steps::{draws, first_draw, new_event, open_match, opened, type_one};

/// What a director may take, of which the browser's part is the smallest.
const SET_UP_MAX: Duration = Duration::from_mins(2);

const PAIRS: &str =
    "Ann Ace, Bob Bee\nCleo Cox, Dan Dee\nEve Eck, Fay Fox\nGus Gill, Hal Hunt (table 2)";

pub(crate) async fn swiss(size: Size) {
    let room = Room::start();
    let mut page = Page::open("matches", size).await;
    let begun = Instant::now();
    new_event(&mut page, &room.address, "Tuesday Swiss").await;
    page.shown("set-up").await;
    page.fill("Rounds tonight", "2").await;
    page.fill("Boards a match", "2").await;
    page.fill("Pairs or teams, one a line (may stay empty)", PAIRS)
        .await;
    first_draw(&mut page, "Gus Gill").await;
    assert!(begun.elapsed() < SET_UP_MAX, "{:?}", begun.elapsed());
    opened(&mut page, &room.address, "Swiss Pairs").await;
    for round in 1..=2_u8 {
        page.go(&format!("{}/#/matches", room.address)).await;
        page.sees("#matches-A h2", "Swiss Pairs").await;
        if round == 2 {
            draws(&mut page, 2, "Gus Gill").await;
            page.sees("#matches-A", "Round 2").await;
            // The draw hangs in the room at once.
            page.go(&format!("{}/#/display", room.address)).await;
            page.sees(".display-lists", "Table").await;
            let drawn = "return document.querySelectorAll('.display-lists tbody tr').length";
            assert_eq!(page.script(drawn, vec![]).await, json!(2));
            page.shown("draw-in-the-room").await;
            page.go(&format!("{}/#/matches", room.address)).await;
            page.sees("#matches-A h2", "Swiss Pairs").await;
        }
        type_round(&mut page, round).await;
    }
    page.sees("#matches-A .next-step", "All matches are in.")
        .await;
    page.shown("standing").await;
    page.go(&format!("{}/results", room.address)).await;
    page.sees("main", "results when a round is complete").await;
    page.sees("main", "Cleo Cox").await;
    page.shown("players-page").await;
    publish(&mut page, &room.address).await;
    for sheet in ["standing", "draw", "crosstable", "matchsheets", "slips"] {
        page.go(&format!("{}/print/{sheet}", room.address)).await;
        page.sees("main", "Ann Ace").await;
        page.shown(sheet).await;
    }
    page.assert_no_barriers();
    page.close().await;
}

/// The result is released, and players read the standing: on their phones, on the television, and on
/// the winners' certificate, by victory points.
async fn publish(page: &mut Page, address: &str) {
    // Who meets whom is no secret before.
    page.go(&format!("{address}/results/sheets/draw")).await;
    page.sees("main", "Cleo Cox").await;
    page.go(&format!("{address}/#/results")).await;
    page.sees("main", "Swiss Pairs · VPs").await;
    page.sees("main", "Before you release").await;
    page.click("Play is over").await;
    page.click("Release ").await;
    page.sees("main", "page for players' phones").await;
    page.shown("released").await;
    page.go(&format!("{address}/results")).await;
    page.sees("main", "Cleo Cox").await;
    let interim = "return !document.body.textContent.includes('results when a round is complete')";
    page.until("the final standing", interim).await;
    page.shown("published-standing").await;
    let first = "return document.querySelector('table.ranking tbody tr').textContent";
    let first = page.script(first, vec![]).await;
    let first = first.as_str().expect("the best pair").to_owned();
    let name = ["Ann Ace", "Cleo Cox", "Eve Eck", "Gus Gill"];
    let name = name.into_iter().find(|name| first.contains(name));
    let name = name.expect("a pair that is known");
    page.go(&format!("{address}/results/sheets/winners")).await;
    page.sees(".certificate", name).await;
    page.sees(".certificate", " VPs").await;
    page.shown("certificate").await;
    page.go(&format!("{address}/#/display")).await;
    page.sees(".display-lists caption", "Swiss Pairs · VPs")
        .await;
    page.sees(".display-lists tbody tr:first-child", name).await;
    page.shown("winners-in-the-room").await;
}

/// Types both matches of a round from their paper slips.
async fn type_round(page: &mut Page, round: u8) {
    for table in 1..=2 {
        open_match(page, table).await;
        page.click_on("dialog details:nth-of-type(1) summary").await;
        for (at, typed) in ["4SS=", "3NE-1"].into_iter().enumerate() {
            let board = (round - 1) * 2 + u8::try_from(at).expect("two boards") + 1;
            let typed = if table == 2 && at == 0 {
                "2HS+1"
            } else {
                typed
            };
            type_one(page, board, table, typed).await;
        }
        page.click("Add it up").await;
        page.sees("dialog", "VP").await;
        if table == 1 {
            page.shown(&format!("typed-{round}")).await;
        }
        page.click_on("dialog .close").await;
    }
}
