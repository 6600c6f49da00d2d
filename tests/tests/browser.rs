//! The director's page in a real browser, from set-up to the released result.
//!
//! Screenshots of every step are kept in `tests/output/screenshots`.

use protocol::words::{BoardNumber, RoundNumber, Seat, Strain};
use tests::browser::{DESKTOP, PHONE, Page, Room, Size, TablePad};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_evening_from_set_up_to_the_released_result_on_a_laptop() {
    evening(DESKTOP).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_evening_from_set_up_to_the_released_result_on_a_phone() {
    evening(PHONE).await;
}

fn round(number: u8) -> RoundNumber {
    RoundNumber::new(number).expect("a round")
}

fn board(number: u8) -> BoardNumber {
    BoardNumber::new(number).expect("a board")
}

async fn evening(size: Size) {
    let room = Room::start().await;
    let mut page = Page::open("evening", size).await;
    page.go(&room.address).await;
    set_up(&mut page).await;
    let mut pads = log_on(&room, &mut page).await;
    play_round_one(&room, &mut page, &mut pads).await;
    page.close().await;
}

/// A Mitchell of five tables with the adviser's help, deals and names, then open.
async fn set_up(page: &mut Page) {
    page.sees("h2", "1. Event").await;
    page.screenshot("set-up-empty").await;
    page.fill("Event", "Monday pairs").await;
    page.click("Create").await;
    page.sees(".title", "Monday pairs").await;
    page.fill("Pairs in the room", "10").await;
    page.fill("Boards each, at least", "15").await;
    page.fill("at most", "15").await;
    page.click("Suggest movements").await;
    page.sees(".choices", "Play this").await;
    page.screenshot("set-up-movements").await;
    page.click("Play this").await;
    page.sees(".section-list", "5 tables").await;
    let deals = page.find("input[accept='.pbn']").await;
    deals.send_keys(Room::deal_file()).await.expect("a file");
    page.sees(".drop", "36 boards read").await;
    page.screenshot("set-up-ready").await;
    page.click("Open for log-on").await;
    page.sees(".grid", "A1").await;
    page.screenshot("room-open").await;
}

async fn log_on(room: &Room, page: &mut Page) -> Vec<TablePad> {
    let mut pads = Vec::new();
    for table in 1..=5_u32 {
        let pad = room.log_on(&format!("A{table}"), 0xA0 + table).await;
        pad.seat(table * 10).await;
        pads.push(pad);
    }
    page.until(
        "every table logs on",
        "return document.querySelectorAll('.table-head.LoggedOn').length === 5",
    )
    .await;
    page.screenshot("room-logged-on").await;
    pads
}

async fn play_round_one(room: &Room, page: &mut Page, pads: &mut [TablePad]) {
    for (table, pad) in (0_u8..).zip(pads.iter_mut()) {
        let first = table * 3 + 1;
        for number in first..first + 3 {
            let result = room.result(board(number), Strain::Spades, 4, Seat::South, 9 + table % 3);
            pad.enter(round(1), board(number), result).await;
        }
    }
    page.until(
        "round 1 is all in",
        "return document.querySelectorAll('.cell[data-key].AllIn').length === 5",
    )
    .await;
    page.screenshot("room-round-1-in").await;
    page.click_on("[data-key='A1.1']").await;
    page.sees("dialog", "Results of board 1").await;
    page.screenshot("cell-open").await;
}
