//! A page that loses its base station for a while, and a page that sleeps.
//!
//! What matters is not how long the page was away but how much it missed: more changes than the
//! stream keeps for a page that lags behind. So the evening goes on at speed, 75 results and
//! what a director does besides, instead of for five minutes. `BYESTAND_AWAY_SECONDS=300` in front
//! of the command makes it five minutes all the same.

use base_station::session::Command;
use protocol::message::Up;
use protocol::words::{BoardNumber, RoundNumber};
use serde_json::json;
use std::time::Duration;
use tests::browser::{DESKTOP, PHONE, Page, Room, TablePad};

/// The grid as anybody would describe it.
const DESCRIBED: &str = "return [...document.querySelectorAll('.cell[data-key], .table-head, .strip > div, .count')].map((it) => it.className + it.textContent + (it.getAttribute('aria-label') ?? '')).join('|')";

/// Everything the page has in its head, but for the moments at which pads were heard.
const REMEMBERED: &str = "
    const done = arguments[arguments.length - 1];
    import('/assets/js/live.js').then(({ room }) => {
        const { now_ms, ...view } = room.view;
        const sorted = (all) => [...all].sort((one, other) => JSON.stringify(one).localeCompare(JSON.stringify(other)));
        done(JSON.stringify({ ...view, cells: sorted(room.cells.values()), tables: sorted(room.tables.values()) }, (key, value) => (['heard_ms', 'seq'].includes(key) ? undefined : value)));
    })";

/// The stream keeps 64 changes for a page that lags behind, and makes one every 50 ms at most.
const BETWEEN_RESULTS: Duration = Duration::from_millis(60);

pub(crate) async fn come_back() {
    let mut room = Room::start();
    super::large_room::plan(&room, 5).await;
    let mut page = Page::open("offline", DESKTOP).await;
    page.go(&room.address).await;
    page.sees(".grid", "A5").await;
    let mut pads = vec![room.log_on("A1", 0xA1).await];
    page.until(
        "table 1 logs on",
        "return document.querySelectorAll('.table-head.LoggedOn').length === 1",
    )
    .await;
    room.unplug();
    page.sees(".strip", "does not answer").await;
    page.screenshot("cut-off").await;
    for table in 2..=5_u32 {
        pads.push(room.log_on(&format!("A{table}"), 0xA0 + table).await);
    }
    evening_goes_on(&room, &mut pads).await;
    room.plug_in().await;
    page.until(
        "the page is back",
        "return !document.querySelector('.strip .offline')",
    )
    .await;
    same_as_fresh(&room, &mut page, "back").await;
    page.close().await;
}

pub(crate) async fn wake_up() {
    let room = Room::start();
    super::large_room::plan(&room, 5).await;
    let mut page = Page::open("asleep", PHONE).await;
    page.go(&room.address).await;
    page.sees(".grid", "A5").await;
    let mut pads = Vec::new();
    for table in 1..=5_u32 {
        pads.push(room.log_on(&format!("A{table}"), 0xA0 + table).await);
    }
    page.freeze(true).await;
    evening_goes_on(&room, &mut pads).await;
    page.freeze(false).await;
    same_as_fresh(&room, &mut page, "awake").await;
    page.close().await;
}

/// Every result of the evening but one, and a director who stops the pads.
async fn evening_goes_on(room: &Room, pads: &mut [TablePad]) {
    for round in 1..=5_u8 {
        for (table, pad) in (0_u8..).zip(pads.iter_mut()) {
            let first = (table + round - 1) % 5 * 3 + 1;
            for number in first..first + 3 {
                if (round, number) == (3, first) && table == 4 {
                    continue;
                }
                let board = BoardNumber::new(number).expect("a board");
                let round = RoundNumber::new(round).expect("a round");
                pad.enter(round, board, room.four_spades(board)).await;
                tokio::time::sleep(BETWEEN_RESULTS).await;
            }
        }
    }
    let away = std::env::var("BYESTAND_AWAY_SECONDS").ok();
    let away = away.and_then(|seconds| seconds.parse().ok());
    tokio::time::sleep(Duration::from_secs(away.unwrap_or_default())).await;
    pads.first().expect("a pad").say(Up::CallDirector).await;
    room.direct(Command::SetGate { open: false }).await;
}

async fn same_as_fresh(room: &Room, page: &mut Page, name: &str) {
    let mut fresh = Page::open("fresh", DESKTOP).await;
    fresh.go(&room.address).await;
    fresh.sees(".gate-lamp", "Pads are stopped").await;
    page.until(
        "the page is right",
        "return document.querySelectorAll('.cell[data-key].AllIn').length === 24",
    )
    .await;
    page.screenshot(name).await;
    fresh.screenshot("fresh").await;
    // Warnings come half a second after what they warn of: both pages get them when they come.
    let until = std::time::Instant::now() + Duration::from_secs(20);
    loop {
        let (left_open, new) = (described(page).await, described(&fresh).await);
        if left_open == new && left_open.0 != json!("") {
            break;
        }
        assert!(
            std::time::Instant::now() < until,
            "left open: {left_open:?}\nfresh: {new:?}"
        );
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    fresh.close().await;
}

async fn described(page: &Page) -> (serde_json::Value, serde_json::Value) {
    let remembered = page.client.execute_async(REMEMBERED, vec![]).await;
    (
        page.script(DESCRIBED, vec![]).await,
        remembered.expect("the page's memory"),
    )
}
