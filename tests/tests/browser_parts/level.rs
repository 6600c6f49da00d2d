//! A match of two teams that ends level: it is played on, then a lot decides, and the better one goes
//! on into the next stage.

use serde_json::json;
use tests::browser::{Page, Room, Size};

use super::match_steps::{draws, fill, first_draw, new_event, open, open_match, opened, type_one};

const TEAMS: &str = "Eagles: Ann Ace, Bob Bee, Cleo Cox, Dan Dee\n\
    Owls: Eve Eck, Fay Fox, Gus Gill, Hal Hunt";

pub(crate) async fn ends_level(size: Size) {
    let room = Room::start();
    let mut page = Page::open("level", size).await;
    new_event(&mut page, &room.address, "The Final").await;
    page.fill("Scoring", "teams-imps").await;
    page.fill("How opponents are found", "head-to-head").await;
    page.fill("Rounds tonight", "1").await;
    page.fill("Boards a match", "2").await;
    page.fill("Pairs or teams, one a line (may stay empty)", TEAMS)
        .await;
    page.click_on("#matches-rules > summary").await;
    let rules = "#matches-rules";
    fill(
        &page,
        rules,
        "A match in stanzas that ends level",
        "gnot2012-second-half",
    )
    .await;
    page.shown("rules").await;
    first_draw(&mut page, "Owls").await;
    opened(&mut page, &room.address, "Teams Match").await;
    // Both tables do the same on every board.
    plays(&mut page, [1, 2]).await;
    page.sees(
        "#matches-A .next-step",
        "The match is level: play one more board",
    )
    .await;
    open(&page, "play_off_title-A").await;
    fill(&page, "#play_off_title-A", "Reason", "level").await;
    page.shown("play-off").await;
    page.click_on("#play_off_title-A .buttons button").await;
    page.sees("#matches-A .next-step", "Draw round 2.").await;
    draws(&mut page, 2, "Owls").await;
    page.sees("#matches-A", "Round 2").await;
    plays(&mut page, [3, 3]).await;
    page.sees("#matches-A .next-step", "draw a lot").await;
    open(&page, "tie_title-A").await;
    fill(&page, "#tie_title-A", "What decides", "play-off").await;
    page.shown("shared-place").await;
    fill(&page, "#tie_title-A", "What decides", "lot").await;
    page.click_on("#tie_title-A .buttons button").await;
    page.sees("#matches-A .refusal", "reason").await;
    fill(&page, "#tie_title-A", "Reason", "nothing else is left").await;
    page.click_on("#tie_title-A .buttons button").await;
    page.sees("#matches-A", "wins by a lot").await;
    page.sees("#matches-A .next-step", "All matches are in.")
        .await;
    page.shown("separated").await;
    // Both go on into a second match, with what they have.
    page.click_on("#matches-setup > details > summary").await;
    page.fill("Scoring", "teams-imps").await;
    page.fill("How opponents are found", "head-to-head").await;
    page.click_on("#matches-stage > summary").await;
    fill(&page, "#matches-stage", "How many go on", "2").await;
    fill(&page, "#matches-stage", "What they bring along", "all").await;
    // Places of an earlier stage count as well: here the same one, so that everything counts twice.
    let also = "const also = document.querySelectorAll('#matches-stage select')[3]; also.selectedIndex = 1; also.dispatchEvent(new Event('input', { bubbles: true })); return also.value !== ''";
    assert_eq!(page.script(also, vec![]).await, json!(true));
    page.click("Show the order over both").await;
    page.sees("#matches-stage", "6 + 6 = 12").await;
    page.sees("#matches-stage", "4 + 4 = 8").await;
    page.shown("next-stage").await;
    page.click_on("#matches-setup button.primary").await;
    page.sees("#matches-B .next-step", "Draw round 1.").await;
    page.assert_no_barriers();
    page.close().await;
}

/// Types the match from paper, with the same result at both tables.
async fn plays(page: &mut Page, [first, last]: [u8; 2]) {
    open_match(page, 1).await;
    page.click("Type it from paper").await;
    for board in first..=last {
        for table in [1, 2] {
            type_one(page, board, table, "4SS=").await;
        }
    }
    page.click("Add it up").await;
    page.sees("dialog", "VP").await;
    page.click_on("dialog .close").await;
}
