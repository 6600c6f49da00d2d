//! One evening of five tables, as a director lives it.

use protocol::message::Up;
use protocol::words::{BoardNumber, BoardResult, RoundNumber, Seat, Strain};
use tests::browser::{Page, Room, Size, TablePad};

fn round(number: u8) -> RoundNumber {
    RoundNumber::new(number).expect("a round")
}

fn board(number: u8) -> BoardNumber {
    BoardNumber::new(number).expect("a board")
}

pub(crate) async fn play(size: Size) {
    let room = Room::start();
    let mut page = Page::open("evening", size).await;
    page.go(&room.address).await;
    set_up(&mut page).await;
    let mut pads = log_on(&room, &mut page).await;
    round_one(&room, &mut page, &mut pads).await;
    correct_and_adjust(&mut page).await;
    call_and_clock(&mut page, &pads).await;
    replace(&room, &mut page, &mut pads).await;
    enter_by_hand(&mut page).await;
    release(&mut page, &room.address).await;
    page.assert_no_barriers();
    page.close().await;
}

/// A Mitchell of five tables with the adviser's help, deals and names, then open.
async fn set_up(page: &mut Page) {
    page.sees("h2", "1. Event").await;
    page.sees("#setup-pin", "No session with pads opens without it")
        .await;
    page.shown("set-up-empty").await;
    choose_pin(page).await;
    page.fill("Event", "Monday pairs").await;
    page.click("Create").await;
    page.sees(".title", "Monday pairs").await;
    page.fill("Tables", "5").await;
    page.fill("Boards per pair", "15").await;
    page.click("Suggest movements").await;
    page.sees(".suggestion", "Play this").await;
    page.shown("set-up-movements").await;
    page.script(
        "[...document.querySelectorAll('.suggestion')].find((card) => card.textContent.includes('5 rounds')).querySelector('button').click()",
        vec![],
    )
    .await;
    page.sees(".section-list", "5 tables").await;
    let deals = page.find("#setup-files input[accept*='.pbn']").await;
    deals.send_keys(Room::deal_file()).await.expect("a file");
    page.sees(".drop", "36 boards read").await;
    page.click("4. Settings").await;
    page.sees("details", "Opening lead").await;
    page.shown("set-up-settings").await;
    page.click("Open for log-on").await;
    page.sees(".grid", "A1").await;
    page.shown("room-open").await;
}

/// The first question of a new club. The number that everybody tries first is no answer.
async fn choose_pin(page: &mut Page) {
    page.fill("Director's PIN", "1234").await;
    page.click("Choose this PIN").await;
    page.sees("#setup-pin .refusal", "choose another PIN").await;
    page.shown("set-up-pin-refused").await;
    answer_pin(page).await;
}

/// Chooses a PIN that the page takes.
pub(crate) async fn answer_pin(page: &mut Page) {
    page.fill("Director's PIN", "7316").await;
    page.click("Choose this PIN").await;
    page.until(
        "the question is answered",
        "return document.querySelector('#setup-pin').hidden",
    )
    .await;
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
    page.shown("room-logged-on").await;
    pads
}

/// Every result comes in, and one of them has a lead that declarer's partner holds.
async fn round_one(room: &Room, page: &mut Page, pads: &mut [TablePad]) {
    for (table, pad) in (0_u8..).zip(pads.iter_mut()) {
        let first = table * 3 + 1;
        for number in first..first + 3 {
            let tricks = 9 + table % 3;
            let mut result = if number == 1 {
                room.result(board(number), Strain::Spades, 4, Seat::South, tricks)
            } else {
                room.fitting_result(board(number), tricks)
            };
            if let (BoardResult::Played(played), 1) = (&mut result, number) {
                played.lead = room.card_of(board(number), Seat::North);
            }
            pad.enter(round(1), board(number), result).await;
        }
    }
    page.until(
        "round 1 is all in",
        "return document.querySelectorAll('.cell[data-key].AllIn').length === 5",
    )
    .await;
    page.shown("room-round-1-in").await;
    page.click_on("[data-key='A2.1']").await;
    page.sees("dialog", "Results of board 4").await;
    page.shown("cell-open").await;
}

/// Four spades by South was three no-trumps by North, and another board is adjusted.
async fn correct_and_adjust(page: &mut Page) {
    page.choose_action("correct").await;
    page.fill("Contract", "3NT").await;
    page.fill("Declarer", "N").await;
    page.fill("Result", "+1").await;
    page.fill("Reason", "both pairs agree").await;
    page.screenshot("cell-correct").await;
    page.click("Save").await;
    page.sees("dialog", "both pairs agree").await;
    page.sees("dialog tr.chosen", "3NT").await;
    page.shown("cell-corrected").await;
    page.choose_action("adjust").await;
    page.sees("form", "Percentage").await;
    page.fill("Reason", "the board came without one card").await;
    page.shown("cell-adjust").await;
    page.click("Save").await;
    page.sees("dialog tr.chosen", "adjusted 60% / 40%").await;
    page.choose_action("penalty").await;
    page.fill("Kind", "Warning").await;
    page.fill("Reason", "slow play").await;
    page.shown("cell-penalty").await;
    page.click("Save").await;
    page.sees("#toast", "Saved").await;
    page.click("Close").await;
    page.until(
        "the cell is marked as changed",
        "return document.querySelector(\"[data-key='A2.1']\").classList.contains('changed')",
    )
    .await;
    page.shown("room-changed").await;
}

async fn call_and_clock(page: &mut Page, pads: &[TablePad]) {
    let third = pads.get(2).expect("five pads");
    third.say(Up::CallDirector).await;
    page.sees(".strip", "A3").await;
    page.shown("director-called").await;
    page.click("Table A3 seen to").await;
    page.until(
        "the call is settled",
        "return !document.querySelector('.strip .call')",
    )
    .await;
    page.script("location.hash = '#/clock'", vec![]).await;
    page.click("Start round 1").await;
    page.sees(".big-clock", "Round 1").await;
    page.until(
        "the clock runs",
        "return /\\d:\\d\\d/.test(document.querySelector('.big-clock').textContent)",
    )
    .await;
    page.shown("clock").await;
    page.script("location.hash = '#/pads'", vec![]).await;
    page.sees("main", "at the table").await;
    page.shown("pads").await;
}

/// The pad of table 4 has just died, which nobody can know yet: the director lets a spare one take
/// its place, and it has every score.
async fn replace(room: &Room, page: &mut Page, pads: &mut [TablePad]) {
    page.script("location.hash = '#/replace/A4'", vec![]).await;
    page.sees(".steps", "Waiting for the new pad").await;
    page.shown("replace-waiting").await;
    room.ask_to_replace("A4", 0xF4).await;
    page.sees(".steps .warning", "wants to take the place of table A4")
        .await;
    page.shown("replace-asked").await;
    page.click("Yes, replace the pad").await;
    page.until(
        "the director has answered",
        "return !document.querySelector('.steps .warning')",
    )
    .await;
    let spare = room.replace("A4", 0xF4).await;
    page.sees(".steps", "has its new pad").await;
    page.sees(".steps", "3 results").await;
    page.shown("replace-done").await;
    *pads.get_mut(3).expect("five pads") = spare;
}

/// The rest of the evening is typed in from paper.
async fn enter_by_hand(page: &mut Page) {
    page.script("location.hash = '#/traveller/board-4'", vec![])
        .await;
    page.sees(".entry", "Type here").await;
    // The first open line has the focus, and the hands never leave the keyboard: a contract, past
    // the line that is in, a score, Enter alone for the same again, all in one go.
    let lines = page.find(".entry input.open-line").await;
    let keys = "3NE-1\u{e007}\u{e007}650\u{e007}\u{e007}";
    lines.send_keys(keys).await.expect("keys");
    let typed = "
        const rows = [...document.querySelectorAll('.entry tbody tr')].map((row) => row.cells[3].textContent + row.cells[4].textContent);
        return rows.length === 5 && rows[1].includes('60%') && ['3NT E −1+100', '', '+650+650', '+650+650'].every((result, at) => rows[at].endsWith(result))";
    page.until("four lines of the traveller are typed", typed)
        .await;
    // A line that can't be is called back, and Enter behind the last one brings the next board.
    let last = page.client.active_element().await.expect("a focused line");
    last.send_keys("7NE+9\u{e007}").await.expect("keys");
    page.sees(".entry .problem", "more than 13 tricks").await;
    page.screenshot("traveller-refused").await;
    let last = page.client.active_element().await.expect("a focused line");
    last.send_keys("\u{e00c}4SS=/620\u{e007}")
        .await
        .expect("keys");
    page.sees(".entry-title", "Board 5").await;
    page.shown("traveller-next").await;
    let first = page.client.active_element().await.expect("a focused line");
    first.send_keys("\u{e00e}").await.expect("page up");
    page.sees(".entry-title", "Board 4").await;
    page.sees(".entry tbody tr:last-child", "4♠ S =").await;
    page.shown("traveller-typed").await;
    page.script("location.hash = '#/warnings'", vec![]).await;
    page.sees("h1", "Warnings").await;
    page.sees(".warning", "♠K was entered as the lead against 4♠ by South")
        .await;
    page.shown("warnings").await;
    page.click("Leave the lead empty").await;
    page.until(
        "the wrong lead is resolved",
        "return ![...document.querySelectorAll('.warning')].some((it) => it.textContent.includes('♠K was entered'))",
    )
    .await;
    page.shown("warnings-resolved").await;
    page.click("What is watched for").await;
    page.sees("main", "an opening lead that is not in the leader's hand")
        .await;
    page.shown("checks").await;
    page.script("location.hash = '#/names'", vec![]).await;
    page.sees("main", "NS 1").await;
    page.shown("names").await;
    page.script("location.hash = '#/history'", vec![]).await;
    page.sees("main", "both pairs agree").await;
    page.sees("main", "a warning").await;
    page.shown("history").await;
    page.script("location.hash = '#/more'", vec![]).await;
    page.sees("main", "Who may use this page").await;
    page.shown("more").await;
}

async fn release(page: &mut Page, address: &str) {
    page.script("location.hash = '#/results'", vec![]).await;
    page.sees("main", "Before you release").await;
    page.sees("main", "North-South").await;
    page.shown("results").await;
    page.click("Play is over").await;
    page.click("Release in spite of open points").await;
    page.sees("main", "page for players' phones").await;
    // A page for this machine only has no code that would lead phones to themselves.
    page.sees("main", "Phones can't reach this page yet").await;
    page.shown("results-released").await;
    page.go(&format!("{address}/results")).await;
    page.sees("main", "Your own score card").await;
    page.shown("public-results").await;
    for sheet in [
        "ranking",
        "travellers",
        "scorecards",
        "route",
        "hands",
        "charts",
    ] {
        page.go(&format!("{address}/print/{sheet}")).await;
        page.sees("footer", "Byestand").await;
        page.shown(&format!("print-{sheet}")).await;
    }
    page.go(&format!("{address}/print/cards/A")).await;
    page.sees("main", "Table A1").await;
    page.shown("print-table-cards").await;
}
