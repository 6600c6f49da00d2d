//! A page that loses its base station for a while.

use base_station::session::Command;
use protocol::words::{BoardNumber, RoundNumber};
use serde_json::json;
use tests::browser::{DESKTOP, Page, Room};

/// The grid as anybody would describe it.
const DESCRIBED: &str = "return [...document.querySelectorAll('.cell[data-key], .table-head')].map((it) => it.className + it.textContent + (it.getAttribute('aria-label') ?? '')).join('|')";

pub(crate) async fn come_back() {
    let mut room = Room::start();
    super::large_room::plan(&room, 5).await;
    let mut page = Page::open("offline", DESKTOP).await;
    page.go(&room.address).await;
    page.sees(".grid", "A5").await;
    let mut pad = room.log_on("A1", 0xA1).await;
    page.until(
        "table 1 logs on",
        "return document.querySelectorAll('.table-head.LoggedOn').length === 1",
    )
    .await;
    room.unplug();
    page.sees(".strip", "does not answer").await;
    page.screenshot("cut-off").await;
    // The evening goes on without the page.
    for number in 1..=3 {
        let board = BoardNumber::new(number).expect("a board");
        let result = room.four_spades(board);
        pad.enter(RoundNumber::FIRST, board, result).await;
    }
    room.log_on("A2", 0xA2).await;
    room.direct(Command::SetGate { open: false }).await;
    room.plug_in().await;
    page.until(
        "the page is back and right",
        "return !document.querySelector('.strip .offline') && document.querySelectorAll('.table-head.LoggedOn').length === 2",
    )
    .await;
    page.screenshot("back").await;
    let left_open = page.script(DESCRIBED, vec![]).await;
    let fresh = Page::open("offline", DESKTOP).await;
    fresh.go(&room.address).await;
    fresh.sees(".grid", "A5").await;
    assert_eq!(fresh.script(DESCRIBED, vec![]).await, left_open);
    assert_ne!(left_open, json!(""));
    fresh.close().await;
    page.close().await;
}
