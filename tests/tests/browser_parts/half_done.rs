//! Somebody is in the middle of something while the room goes on: what is typed, unfolded, asked and
//! focused stays, on a laptop and on a phone, whose keyboard takes the focus away when it is shut.

use base_station::movement::Movement;
use base_station::session::Command;
use protocol::words::{BoardResult, RoundNumber};
use serde_json::json;
use tests::browser::{Page, Room, Size, TablePad};

/// Marks what is drawn anew with every change, to see that it was.
const MARK: &str = "document.querySelector(arguments[0]).dataset.before = 'yes'";

const SECOND: u8 = 2;

struct Evening {
    room: Room,
    movement: Movement,
    pads: Vec<TablePad>,
}

impl Evening {
    /// Five tables that have played a round, and their clock.
    async fn start() -> Self {
        let room = Room::start();
        let movement = room.open_mitchell("Half done", (5, 15), None).await;
        let pads = room.log_on_all(&movement).await;
        let round = RoundNumber::FIRST;
        room.direct(Command::StartClock { round }).await;
        let mut evening = Self {
            room,
            movement,
            pads,
        };
        for table in 1..=5 {
            for board in 0..3 {
                evening.sends_in(round, table, board, false).await;
            }
        }
        evening
    }

    /// A table sends its next board; with a lead that nobody can have made it is a warning.
    async fn sends(&mut self, table: usize, board: usize, wrong: bool) {
        let second = RoundNumber::new(SECOND).expect("a round");
        self.sends_in(second, table, board, wrong).await;
    }

    async fn sends_in(&mut self, round: RoundNumber, table: usize, board: usize, wrong: bool) {
        let planned = self.movement.round(round).expect("a planned round");
        let (_, seating) = planned.tables().nth(table - 1).expect("a table");
        let board = seating.boards.iter().nth(board).expect("a board");
        let mut result = self.room.fitting_result(board, 10);
        if let (BoardResult::Played(played), true) = (&mut result, wrong) {
            played.lead = self.room.card_of(board, played.contract.declarer);
        }
        let pad = self.pads.get_mut(table - 1).expect("a pad");
        pad.enter(round, board, result).await;
    }

    async fn says(&self, text: &str) {
        let text = text.to_owned();
        let tables = Vec::new();
        self.room.direct(Command::SendNotice { tables, text }).await;
    }
}

async fn at(page: &Page, evening: &Evening, name: &str) {
    page.go("about:blank").await;
    page.go(&format!("{}/#/{name}", evening.room.address)).await;
}

async fn drawn_anew(page: &Page, css: &str) {
    let gone = format!("return !document.querySelector(\"{css}\")?.dataset.before");
    page.until("the part is drawn anew", &gone).await;
}

pub(crate) async fn goes_on(size: Size) {
    let mut evening = Evening::start().await;
    let mut page = Page::open("half-done", size).await;
    a_pair_goes_home(&mut page, &mut evening).await;
    warnings(&mut page, &mut evening).await;
    a_stolen_pad(&mut page, &mut evening).await;
    the_clock(&page, &evening).await;
    the_display(&page, &mut evening).await;
    why_again(&mut page, &evening).await;
    page.assert_no_barriers();
    page.close().await;
}

/// Typed on a phone, the keyboard shut, and the base station away for a moment.
async fn a_pair_goes_home(page: &mut Page, evening: &mut Evening) {
    at(page, evening, "movement").await;
    page.fill("Pair", "NS 3").await;
    page.script("document.activeElement.blur()", vec![]).await;
    page.script(MARK, vec![json!(".choices > .card")]).await;
    evening.room.unplug();
    page.sees(".strip", "does not answer").await;
    evening.says("Coffee is ready").await;
    evening.room.plug_in().await;
    drawn_anew(page, ".choices > .card").await;
    let typed = "return [...document.querySelectorAll('.choices .field')].find((it) => it.textContent.startsWith('Pair')).querySelector('input').value";
    assert_eq!(page.script(typed, vec![]).await, json!("NS 3"));
    page.shown("a-pair-goes-home").await;
}

/// What is settled was unfolded, and a warning is being answered while the next one comes.
async fn warnings(page: &mut Page, evening: &mut Evening) {
    evening.sends(1, 0, true).await;
    evening.sends(2, 0, true).await;
    at(page, evening, "warnings").await;
    let many = |open: usize| {
        format!(
            "return document.querySelectorAll(\"[data-key='open-list'] > .warning\").length === {open}"
        )
    };
    page.until("two warnings", &many(2)).await;
    page.click("It is right as it is").await;
    page.until("one is settled", &many(1)).await;
    // What was answered is said, and taken back beside it.
    page.sees("#toast", "Table A1, board 4: It is right as it is")
        .await;
    page.click_on("#toast button").await;
    page.until("it waits again", &many(2)).await;
    page.click("It is right as it is").await;
    page.until("one is settled again", &many(1)).await;
    page.click("Settled").await;
    let open = "[data-key='open-list'] > .warning";
    page.script(
        "const card = document.querySelector(arguments[0]); card.before = true; card.querySelector('button').focus()",
        vec![json!(open)],
    )
    .await;
    evening.sends(3, 0, true).await;
    page.until("a third one", &many(2)).await;
    let stays = "const all = [...document.querySelectorAll(arguments[0])]; const mine = all.find((it) => it.before); return [Boolean(mine), Boolean(mine?.contains(document.activeElement)), document.querySelector(\"[data-key='settled']\").open]";
    assert_eq!(
        page.script(stays, vec![json!(open)]).await,
        json!([true, true, true]),
        "the card, the keyboard and the fold stay"
    );
    page.shown("warnings").await;
}

/// The second question stays while pads are heard.
async fn a_stolen_pad(page: &mut Page, evening: &mut Evening) {
    at(page, evening, "pads").await;
    page.click("Revoke").await;
    page.sees("#page table", "Cancel").await;
    page.script(MARK, vec![json!("#page .scroll table")]).await;
    evening.sends(4, 0, false).await;
    drawn_anew(page, "#page .scroll table").await;
    page.sees("#page table", "Cancel").await;
    let focused = "return document.activeElement.textContent";
    let text = page.script(focused, vec![]).await;
    assert!(
        text.as_str().is_some_and(|text| text.contains("Revoke")),
        "the keyboard is at the question: {text}"
    );
    page.shown("a-stolen-pad").await;
    page.click("Cancel").await;
}

/// Three minutes more are three presses of one key.
async fn the_clock(page: &Page, evening: &Evening) {
    at(page, evening, "clock").await;
    page.sees(".clock-page", "+1 min").await;
    let buttons = "[...document.querySelectorAll('.clock-page button')]";
    let focus = format!(
        "{buttons}.find((it) => it.textContent === '+1 min').focus(); window.drawn = 0; new MutationObserver(() => (window.drawn += 1)).observe(document.querySelector('.clock-page .buttons'), {{ childList: true }})"
    );
    page.script(&focus, vec![]).await;
    for more in 1..=3 {
        page.keys("\u{e007}").await;
        page.until(
            "the clock is drawn anew",
            &format!("return window.drawn >= {more}"),
        )
        .await;
        let focused = "return document.activeElement.textContent";
        assert_eq!(page.script(focused, vec![]).await, json!("+1 min"));
    }
}

/// The clock in the room never stands empty, however often results come in.
async fn the_display(page: &Page, evening: &mut Evening) {
    at(page, evening, "display").await;
    page.sees(".display-clock", ":").await;
    let watch = "
        window.seen = [];
        new MutationObserver(() => window.seen.push(document.querySelector('.display-clock')?.textContent ?? '')).observe(document.querySelector('.display-body'), { childList: true })";
    page.script(watch, vec![]).await;
    for board in 1..3 {
        evening.sends(4, board, false).await;
        page.until(
            "the display is drawn anew",
            &format!("return window.seen.length >= {board}"),
        )
        .await;
    }
    let empty = "return window.seen.filter((it) => !it.includes(':')).length";
    assert_eq!(page.script(empty, vec![]).await, json!(0));
}

/// Why a released result must be put right is typed while something else changes.
async fn why_again(page: &mut Page, evening: &Evening) {
    evening.room.direct(Command::EndPlay).await;
    let despite_checklist = true;
    evening
        .room
        .direct(Command::Release { despite_checklist })
        .await;
    at(page, evening, "results").await;
    page.fill("Why must it be put right?", "Board 4 was").await;
    page.script("document.activeElement.blur()", vec![]).await;
    page.script(MARK, vec![json!("#page .card ul")]).await;
    evening.says("The result is on the wall").await;
    drawn_anew(page, "#page .card ul").await;
    let typed = "return [...document.querySelectorAll('.field')].find((it) => it.textContent.startsWith('Why')).querySelector('input').value";
    assert_eq!(page.script(typed, vec![]).await, json!("Board 4 was"));
    page.shown("why-again").await;
}
