//! A Swiss of four pairs on two nights: a draw changed by hand, the second night gone on with from the
//! first, a match that may not be repeated until somebody says so, and a correction taken over.

use serde_json::json;
use tests::browser::{Page, Room, Size};

use super::match_steps::{fill, new_event, open, open_match, opened, type_one};

const PAIRS: &str =
    "Ann Ace, Bob Bee\nCleo Cox, Dan Dee\nEve Eck, Fay Fox\nGus Gill, Hal Hunt (table 2)";

/// Chooses the session that is not chosen.
const OTHER_SESSION: &str = ".sessions li:not(:has(.tag)) .buttons button";

pub(crate) async fn two_nights(size: Size) {
    let room = Room::start();
    let mut page = Page::open("nights", size).await;
    new_event(&mut page, &room.address, "Swiss, first night").await;
    page.fill("Event", "Swiss Pairs on Tuesdays").await;
    page.fill("Rounds tonight", "1").await;
    page.fill("On how many nights", "2").await;
    page.fill("Boards a match", "2").await;
    page.fill("Pairs or teams, one a line (may stay empty)", PAIRS)
        .await;
    page.shown("set-up").await;
    page.click_on("#matches-setup button.primary").await;
    page.sees("#matches-A .next-step", "Draw round 1.").await;
    page.click("Draw round 1").await;
    page.sees("dialog", "Gus Gill").await;
    page.click("Change it by hand").await;
    sits(&page, 1, "home", "1").await;
    sits(&page, 1, "away", "3").await;
    // Who can't move stays at the table, whoever is chosen.
    let kept = "return [...document.querySelectorAll('dialog select[aria-label^=\"Table 2\"]')].some((one) => one.value === '4')";
    assert_eq!(page.script(kept, vec![]).await, json!(true));
    page.shown("by-hand").await;
    page.click("Publish").await;
    page.sees("#matches-A .next-step", "Open the session for log-on.")
        .await;
    opened(&mut page, &room.address, "Swiss Pairs on Tuesdays").await;
    plays(&mut page, [1, 2], "4SS=").await;
    page.sees("#matches-A .next-step", "All matches are in.")
        .await;
    page.shown("first-night").await;
    second_night(&mut page, &room.address).await;
    repeats(&mut page, &room.address).await;
    plays(&mut page, [1, 2], "3NN=").await;
    page.sees("#matches-A .next-step", "All matches are in.")
        .await;
    corrected(&mut page, &room.address).await;
    page.assert_no_barriers();
    page.close().await;
}

/// The event goes on in another session.
async fn second_night(page: &mut Page, address: &str) {
    page.go(&format!("{address}/#/setup")).await;
    page.click("Another event").await;
    page.fill("Event", "Swiss, second night").await;
    page.click("Create").await;
    page.click("Yes, begin another event").await;
    page.sees(".title", "Swiss, second night").await;
    page.go(&format!("{address}/#/matches")).await;
    page.click("Go on with an event of an earlier night").await;
    let there = "return document.querySelector('#matches-setup > details:nth-of-type(2) select').options.length > 0";
    page.until("the night before", there).await;
    page.shown("going-on").await;
    page.click_on("#matches-setup > details:nth-of-type(2) .buttons button")
        .await;
    page.sees("#matches-A .next-step", "Draw round 2.").await;
    page.sees("#matches-A", "1 rounds were played on earlier nights")
        .await;
}

/// Who met on the first night may not meet again, until somebody says so.
async fn repeats(page: &mut Page, address: &str) {
    page.click("Draw round 2").await;
    page.sees("dialog", "Gus Gill").await;
    page.click("Change it by hand").await;
    sits(page, 1, "home", "1").await;
    sits(page, 1, "away", "3").await;
    page.click("Publish").await;
    page.sees("dialog .refusal", "met").await;
    page.shown("repeated").await;
    page.click_on("dialog input[type=checkbox]").await;
    page.click("Publish").await;
    page.sees("#matches-A", "Round 2, boards").await;
    // Drawn again by its rule, with a reason: nothing is in yet.
    page.click("Draw this round again").await;
    page.sees("dialog", "Gus Gill").await;
    fill(page, "dialog", "Why is it drawn again?", "it was a mistake").await;
    page.click("Publish").await;
    page.sees("#matches-A .next-step", "Open the session for log-on.")
        .await;
    page.go(&format!("{address}/#/setup")).await;
    page.click("Open for log-on").await;
    page.sees(".grid", "A2").await;
    page.go(&format!("{address}/#/matches")).await;
    page.sees("#matches-A h2", "Swiss Pairs on Tuesdays").await;
}

/// A board of the first night is corrected there, and taken over here.
async fn corrected(page: &mut Page, address: &str) {
    let before = page.text("#matches-A table").await;
    page.go(&format!("{address}/#/calendar")).await;
    page.click_on(OTHER_SESSION).await;
    page.sees(".title", "first night").await;
    page.go(&format!("{address}/#/matches")).await;
    page.sees("#matches-A h2", "Swiss Pairs on Tuesdays").await;
    open_match(page, 1).await;
    page.click("Type it from paper").await;
    type_one(page, 1, 1, "7SS-4").await;
    page.click_on("dialog .close").await;
    page.go(&format!("{address}/#/calendar")).await;
    page.click_on(OTHER_SESSION).await;
    page.sees(".title", "second night").await;
    page.go(&format!("{address}/#/matches")).await;
    page.sees("#matches-A h2", "Swiss Pairs on Tuesdays").await;
    assert_eq!(page.text("#matches-A table").await, before);
    open(page, "earlier_nights-A").await;
    page.click("Take corrections over").await;
    let shown = json!(before);
    let other =
        format!("return document.querySelector('#matches-A table').textContent !== {shown}");
    page.until("another standing", &other).await;
    page.shown("taken-over").await;
}

/// Somebody is chosen for a place of the draw.
async fn sits(page: &Page, table: u8, side: &str, who: &str) {
    let script = "
        const [label, who] = arguments;
        const select = [...document.querySelectorAll('dialog select')].find((one) => one.getAttribute('aria-label')?.toLowerCase() === label);
        if (!select) return `no place ${label}`;
        select.value = who;
        select.dispatchEvent(new Event('change', { bubbles: true }));
        return select.value;";
    let label = format!("table {table}, {side}");
    let seated = page.script(script, vec![json!(label), json!(who)]).await;
    assert_eq!(seated, json!(who));
}

/// Both matches are typed from paper, the second with a trick more.
async fn plays(page: &mut Page, [first, last]: [u8; 2], typed: &str) {
    for table in 1..=2 {
        open_match(page, table).await;
        page.click("Type it from paper").await;
        for board in first..=last {
            let more = table == 2 && board == first;
            let typed = if more { "4SS+1" } else { typed };
            type_one(page, board, table, typed).await;
        }
        page.click("Add it up").await;
        page.sees("dialog", "VP").await;
        page.click_on("dialog .close").await;
    }
}
