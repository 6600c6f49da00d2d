//! Fourteen tables on a club's laptop, the cell that a flag is on, and what hangs in the room.

use base_station::movement::Variant;
use base_station::session::Command;
use protocol::words::{BoardResult, RoundNumber};
use serde_json::json;
use tests::browser::{DESKTOP, PHONE, PROJECTOR, Page, Room};

fn round(number: u8) -> RoundNumber {
    RoundNumber::new(number).expect("a round")
}

pub(crate) async fn fourteen_tables() {
    let room = Room::start();
    let movement = room
        .open_mitchell("Full house", (14, 28), Some(Variant::Skip))
        .await;
    let mut pads = room.log_on_all(&movement).await;
    // Results that fit the cards, or the deal file itself would be doubted.
    for played in 1..=2 {
        let planned = movement.round(round(played)).expect("a round");
        for ((_, seating), pad) in planned.tables().zip(&mut pads) {
            for board in seating.boards.iter() {
                let tricks = 9 + board.get() % 3;
                let result = room.fitting_result(board, tricks);
                pad.enter(round(played), board, result).await;
            }
        }
    }
    let mut page = Page::open("glance", DESKTOP).await;
    page.go(&room.address).await;
    page.until(
        "two rounds are in",
        "return document.querySelectorAll('.cell[data-key].AllIn').length === 28",
    )
    .await;
    // Every table is there without scrolling, and the page does not scroll either.
    let fits = "
        const rows = [...document.querySelectorAll('.grid tbody tr')];
        const box = document.querySelector('.grid-box');
        const last = rows.at(-1).getBoundingClientRect();
        return [rows.length, last.bottom <= window.innerHeight, last.bottom <= box.getBoundingClientRect().bottom]";
    assert_eq!(page.script(fits, vec![]).await, json!([14, true, true]));
    page.shown("room").await;
    // What is over is quiet.
    let loud =
        "return document.querySelectorAll(\".cell[data-key$='.1']:not(.past, .flagged)\").length";
    assert_eq!(page.script(loud, vec![]).await, json!(0));
    flagged(&mut page, &room, &mut pads).await;
    page.darken().await;
    page.shown("room-in-the-dark").await;
    page.assert_no_barriers();
    page.close().await;
}

/// A lead that nobody can have made: the cell opens at its board, and the answer can be undone.
async fn flagged(page: &mut Page, room: &Room, pads: &mut [tests::browser::TablePad]) {
    let third = round(3);
    let movement_board = "
        const done = arguments[arguments.length - 1];
        fetch('/api/view').then((answer) => answer.json()).then((view) => done(view.cells.find((cell) => cell.table === 'A5' && cell.round === 3).boards))";
    let boards = page.client.execute_async(movement_board, vec![]).await;
    let boards: Vec<u8> = serde_json::from_value(boards.expect("boards")).expect("boards");
    for (at, number) in boards.iter().enumerate() {
        let board = protocol::words::BoardNumber::new(*number).expect("a board");
        let mut result = room.fitting_result(board, 10);
        if let (BoardResult::Played(played), 1) = (&mut result, at) {
            played.lead = room.card_of(board, played.contract.declarer);
        }
        let pad = pads.get_mut(4).expect("fourteen pads");
        pad.enter(third, board, result).await;
    }
    page.until(
        "the cell has its flag",
        "return document.querySelector(\"[data-key='A5.3']\").classList.contains('flagged')",
    )
    .await;
    page.shown("flag").await;
    page.click_on("[data-key='A5.3']").await;
    let guilty = boards.get(1).expect("two boards");
    page.sees("dialog h3", &format!("Board {guilty} ")).await;
    page.sees("dialog", "NS 5").await;
    page.shown("cell").await;
    let offered = "return [...document.querySelectorAll('dialog .actions > [data-action]')].map((it) => it.dataset.action)";
    assert_eq!(
        page.script(offered, vec![]).await,
        json!(["correct", "adjust", "not_played"])
    );
    page.click("More …").await;
    page.shown("menu").await;
    page.choose_action("correct").await;
    page.fill("Contract", "3NT").await;
    page.fill("Declarer", "N").await;
    page.fill("Result", "+1").await;
    page.fill("Lead", "").await;
    page.fill("Who was asked?", "both").await;
    page.click_on("dialog form button.primary").await;
    page.sees("#toast", &format!("Table A5, board {guilty}: 3NT N +1"))
        .await;
    page.sees("dialog details", "Both sides were asked").await;
    page.shown("saved").await;
    page.click_on("#toast button").await;
    page.sees("#toast", "Taken back").await;
    page.sees("dialog tr.chosen", "4").await;
    page.resize(PHONE).await;
    page.shown("cell-on-a-phone").await;
    page.resize(DESKTOP).await;
    page.click("Close").await;
    // What to do about it is one click away from the warning.
    page.script("location.hash = '#/warnings'", vec![]).await;
    page.click("What do I do?").await;
    page.sees(".help .chosen", "A score is wrong").await;
    page.script("location.hash = '#/room'", vec![]).await;
    page.sees(".grid", "A14").await;
}

pub(crate) async fn room_display() {
    let room = Room::start();
    let movement = room.open_mitchell("Monday pairs", (5, 15), None).await;
    let mut pads = room.log_on_all(&movement).await;
    let mut page = Page::open("display", PROJECTOR).await;
    page.go(&format!("{}/#/display", room.address)).await;
    page.sees(".display", "Round 1 of 5").await;
    page.sees(".display", "After this round").await;
    room.direct(Command::StartClock { round: round(1) }).await;
    page.until(
        "the clock runs",
        "return /\\d:\\d\\d/.test(document.querySelector('.display-clock')?.textContent ?? '')",
    )
    .await;
    room.direct(Command::SendNotice {
        tables: Vec::new(),
        text: "Coffee after this round".to_owned(),
    })
    .await;
    page.sees(".display-news", "Coffee after this round").await;
    page.shown("playing").await;
    for played in 1..=5 {
        room.play_round(&movement, round(played), &mut pads).await;
    }
    let mut director = Page::open("display", DESKTOP).await;
    director.go(&room.address).await;
    director.sees(".room-says", "every result is in").await;
    director.shown("last-round-over").await;
    director.click("Play is over").await;
    page.sees(".display", "as soon as it is checked").await;
    page.shown("play-is-over").await;
    room.direct(Command::Release {
        despite_checklist: true,
    })
    .await;
    page.sees(".display-lists caption", "North-South").await;
    page.shown("ranking").await;
    page.darken().await;
    page.shown("ranking-in-the-dark").await;
    // Paper for the wall: one leaf for each pair, a certificate for each list's winners.
    page.go(&format!("{}/print/scorecards", room.address)).await;
    assert_eq!(page.printed().await.len(), 10, "one score card a leaf");
    page.go(&format!("{}/print/winners", room.address)).await;
    page.sees("main", "First place").await;
    page.shown("certificate").await;
    on_the_wall(&mut page, &room).await;
    help(&mut director, &room).await;
    director.assert_no_barriers();
    page.assert_no_barriers();
    director.close().await;
    page.close().await;
}

/// A sheet prints itself, has numbers where they are wanted, and is on phones where nobody has a
/// printer.
async fn on_the_wall(page: &mut Page, room: &Room) {
    page.colours("light").await;
    page.go(&format!("{}/print/ranking", room.address)).await;
    page.sees("main", "NS 1").await;
    let text = page.text("main").await;
    assert!(!text.contains("(10, 11)"), "nobody asked for numbers");
    page.script("window.print = () => (window.printed = true)", vec![])
        .await;
    page.click_on("[data-print]").await;
    page.until("the sheet prints itself", "return window.printed === true")
        .await;
    for (paper, size) in [("a4", "595 x 842"), ("letter", "612 x 792")] {
        page.go(&format!(
            "{}/print/ranking?numbers=true&paper={paper}",
            room.address
        ))
        .await;
        page.sees("main", "10, 12").await;
        assert_eq!(page.printed().await, vec![size], "the ranking is one leaf");
    }
    page.shown("ranking-with-numbers").await;
    page.resize(PHONE).await;
    for sheet in ["ranking", "travellers", "scorecards", "records", "winners"] {
        page.go(&format!("{}/results/sheets/{sheet}", room.address))
            .await;
        page.sees("main", "Back to the ranking").await;
        page.shown(&format!("{sheet}-on-a-phone")).await;
    }
    page.resize(DESKTOP).await;
    page.go(&format!("{}/#/results", room.address)).await;
    numbers_on_choice(page).await;
    page.click("On phones").await;
    // This base station is for its own laptop: a code of its address would lead phones nowhere.
    page.sees("dialog", "Phones can't reach this page yet")
        .await;
    let code = "return document.querySelector('dialog img') === null";
    assert_eq!(page.script(code, vec![]).await, json!(true));
    page.shown("on-phones").await;
    page.click("Close").await;
    for_phones_that_come_in(page).await;
    page.resize(PROJECTOR).await;
}

/// Which numbers stand on the printed result is chosen beside the sheets, and kept.
async fn numbers_on_choice(page: &mut Page) {
    let link = "return document.querySelector('.sheets a[href^=\"/print/ranking?\"]').href";
    let ticks = "for (const label of document.querySelectorAll('label')) if (/with (pair|player) numbers/.test(label.textContent)) label.querySelector('input').click()";
    page.sees(".sheets", "Ranking").await;
    let before = page.script(link, vec![]).await;
    assert!(!before.to_string().contains("pairs=false"), "{before}");
    page.script(ticks, vec![]).await;
    let chosen = page.script(link, vec![]).await;
    let chosen = chosen.as_str().expect("an address").to_owned();
    assert!(chosen.contains("numbers=true&pairs=false"), "{chosen}");
    page.client.refresh().await.expect("the page again");
    page.sees(".sheets", "Ranking").await;
    let kept = page.script(link, vec![]).await;
    assert_eq!(kept, json!(chosen), "the choice is kept");
    page.script(ticks, vec![]).await;
    assert_eq!(page.script(link, vec![]).await, before);
}

/// As on a laptop that phones can reach: the address beside the code is the one of the sheet.
async fn for_phones_that_come_in(page: &mut Page) {
    let reached = "
        window.reallyFetch = window.fetch;
        window.fetch = async (path, options) => {
            const answer = await window.reallyFetch(path, options);
            if (path !== '/api/phones') return answer;
            return new Response(JSON.stringify({ ...(await answer.json()), address: 'http://192.0.2.7:7373/phone' }));
        }";
    page.script(reached, vec![]).await;
    page.click("On phones").await;
    page.sees("dialog a", "http://192.0.2.7:7373/results/sheets/ranking")
        .await;
    page.script("window.fetch = window.reallyFetch", vec![])
        .await;
    page.click("Close").await;
}

/// The card for the cupboard opens where it is needed, and fits on paper.
async fn help(page: &mut Page, room: &Room) {
    page.go(&format!("{}/#/help/fouled", room.address)).await;
    page.sees(".help .chosen", "A board was fouled").await;
    page.shown("help").await;
    let leaves = page.printed().await;
    assert!(leaves.len() <= 2, "{leaves:?}");
}
