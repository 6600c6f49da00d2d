//! Four teams whose evening goes wrong in every way: line-ups, a spoiled board, wrong opponents, a
//! late arrival, an appeal, a match that is not finished, and a team that goes home.

use base_station::session::Command;
use serde_json::json;
use tests::browser::{Page, Room, Size};

use super::match_steps::{close, fill, first_draw, new_event, open, open_match, opened, type_one};

const TEAMS: &str = "Eagles: Ann Ace, Bob Bee, Cleo Cox, Dan Dee, Pat Pye\n\
    Owls: Eve Eck, Fay Fox, Gus Gill, Hal Hunt\n\
    Kites: Ida Ives, Jon Joss, Kim Kerr, Leo Lund\n\
    Hawks: Mia Moss, Ned Nash, Ora Odd, Paul Poe";

/// What the director decides, on the sheet of a match.
const DECIDING: &str = "dialog details:last-of-type";

pub(crate) async fn teams(size: Size) {
    let room = Room::start();
    let mut page = Page::open("irregular", size).await;
    set_up(&mut page, &room.address).await;
    line_up(&mut page).await;
    // Match 1: a card of board 1 was face up, so board 20 is played.
    open_match(&page, 1).await;
    page.click("Play another board").await;
    fill(&page, "dialog", "Spoiled board", "1").await;
    fill(&page, "dialog", "Play instead", "2").await;
    fill(&page, "dialog", "Reason", "a card was face up").await;
    page.click("Replace").await;
    page.sees("dialog .refusal", "is played tonight already")
        .await;
    page.shown("spoiled-board").await;
    fill(&page, "dialog", "Play instead", "20").await;
    page.click("Replace").await;
    page.sees("dialog tbody tr td:first-child", "20").await;
    page.click("Type it from paper").await;
    for (board, table, typed) in [
        (2, 1, "4SS="),
        (2, 2, "4SS-1"),
        (20, 1, "3NN="),
        (20, 2, "3NN-1"),
    ] {
        type_one(&page, board, table, typed).await;
    }
    page.click("Add it up").await;
    page.sees("dialog", "VP").await;
    page.shown("typed").await;
    page.click_on("dialog .close").await;
    page.sees("#matches-A details:not([id]) tbody tr:nth-child(1)", "✓")
        .await;
    not_finished(&mut page).await;
    wrong_opponents(&mut page).await;
    offence_and_appeal(&mut page).await;
    // Somebody is ill.
    open(&page, "withdraw_title-A").await;
    fill(&page, "#withdraw_title-A", "Who", "4").await;
    fill(&page, "#withdraw_title-A", "Reason", "ill").await;
    the_room_goes_on(&page, &room).await;
    page.click_on("#withdraw_title-A .buttons button").await;
    page.sees("#matches-A", "gone home").await;
    page.shown("at-the-end").await;
    page.assert_no_barriers();
    page.close().await;
}

async fn set_up(page: &mut Page, address: &str) {
    new_event(page, address, "Tuesday Teams").await;
    page.fill("Scoring", "teams-imps").await;
    page.fill("Rounds tonight", "3").await;
    page.fill("Boards a match", "2").await;
    page.fill("Pairs or teams, one a line (may stay empty)", TEAMS)
        .await;
    first_draw(page, "Owls").await;
    opened(page, address, "Swiss Teams").await;
}

/// The fifth of the Eagles plays, and nobody sits in two places.
async fn line_up(page: &mut Page) {
    open(page, "line_ups-A").await;
    fill(page, "#line_ups-A", "Team", "1").await;
    fill(page, "#line_ups-A", "South", "Ann Ace").await;
    page.click_on("#line_ups-A .buttons button").await;
    page.sees("#matches-A .refusal", "can't sit in two places")
        .await;
    fill(page, "#line_ups-A", "South", "Pat Pye").await;
    page.click_on("#line_ups-A .buttons button").await;
    page.sees("body", "Done.").await;
    close(page, "line_ups-A").await;
}

/// Match 2 has one board at both tables, and no more will come.
async fn not_finished(page: &mut Page) {
    open_match(page, 2).await;
    page.click("Type it from paper").await;
    for table in [3, 4] {
        type_one(page, 1, table, "4SS=").await;
    }
    page.click("Add it up").await;
    page.sees("dialog", "VP").await;
    page.click("It was not played properly").await;
    fill(page, DECIDING, "Decision", "boards-in").await;
    fill(page, DECIDING, "Reason", "the caretaker").await;
    page.shown("not-finished").await;
    page.click_on("dialog details:last-of-type .buttons button")
        .await;
    page.sees("#matches-A .next-step", "Draw round 2.").await;
}

/// Two sat down with others than were drawn, and it stands.
async fn wrong_opponents(page: &mut Page) {
    open(page, "otherwise_title-A").await;
    let swap = "
        const select = document.querySelector('#otherwise_title-A .fields:nth-of-type(2) .field:nth-child(2) select');
        const other = document.querySelector('#otherwise_title-A .fields:nth-of-type(2) .field:nth-child(4) select');
        select.value = other.value;
        select.dispatchEvent(new Event('change', { bubbles: true }));
        return true;";
    page.script(swap, vec![]).await;
    fill(page, "#otherwise_title-A", "Reason", "read the wrong line").await;
    page.shown("wrong-opponents").await;
    page.click_on("#otherwise_title-A .buttons button").await;
    page.sees("body", "Done.").await;
    close(page, "otherwise_title-A").await;
    open_match(page, 1).await;
    page.click("It was not played properly").await;
    fill(page, DECIDING, "Decision", "mismatch").await;
    page.shown("mismatch").await;
    fill(page, DECIDING, "Reason", "nobody's fault").await;
    page.click_on("dialog details:last-of-type .buttons button")
        .await;
    page.sees(
        "#matches-A details:not([id]) tbody tr:nth-child(1)",
        "others met than were drawn",
    )
    .await;
}

/// Something happens elsewhere while a form is half filled in: the page shows it, and the form stays.
async fn the_room_goes_on(page: &Page, room: &Room) {
    let title = "document.querySelector('#matches-A h2')";
    page.script(&format!("{title}.dataset.before = ''"), vec![])
        .await;
    room.direct(Command::SetGate { open: false }).await;
    let drawn = format!("return {title}.dataset.before === undefined");
    page.until("the page shows that the pads are stopped", &drawn)
        .await;
    let typed = "return [...document.querySelectorAll('#withdraw_title-A input')].some((one) => one.value === 'ill')";
    assert_eq!(page.script(typed, vec![]).await, json!(true));
}

async fn offence_and_appeal(page: &mut Page) {
    open(page, "fine_title-A").await;
    fill(page, "#fine_title-A", "What", "fouled").await;
    fill(
        page,
        "#fine_title-A",
        "Reason",
        "put back in the wrong slot",
    )
    .await;
    page.click_on("#fine_title-A .buttons button").await;
    page.sees("#matches-A table", "0.5").await;
    close(page, "fine_title-A").await;
    open(page, "appeal_title-A").await;
    fill(page, "#appeal_title-A", "About", "a hesitation").await;
    // The first of the list need not play the match that stands first.
    let by = page
        .script(
            "return document.querySelector('#appeal_title-A select').selectedOptions[0].textContent.match(/: (\\d+) /)[1]",
            vec![],
        )
        .await;
    fill(
        page,
        "#appeal_title-A",
        "Who appeals",
        by.as_str().unwrap_or_default(),
    )
    .await;
    page.click_on("#appeal_title-A > .buttons button").await;
    page.sees("#appeal_title-A table", "a hesitation").await;
    page.sees("#appeal_title-A table", "until").await;
    page.shown("appeal").await;
    let outcome = "
        const input = document.querySelector('#appeal_title-A table input');
        input.value = 'the ruling stands';
        input.dispatchEvent(new Event('input', { bubbles: true }));
        return true;";
    page.script(outcome, vec![]).await;
    page.click_on("#appeal_title-A table button").await;
    page.sees("#appeal_title-A table", "the ruling stands")
        .await;
    close(page, "appeal_title-A").await;
}
