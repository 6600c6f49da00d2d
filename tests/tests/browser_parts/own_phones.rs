//! Players' own phones in a real browser: the table's phone in one window, East-West's in another,
//! each with a cable and a storage of its own.

use std::time::Duration;

use fantoccini::wd::WindowHandle;
use serde_json::json;
use tests::browser::{Looks, PHONE, Page};
use tests::daemon::Daemon;
use tests::phones::{Cable, set_up};

use super::phones::{Seat, play_on, results, screen, sit_down, tap, through, turn_to};

const BOARD: [&str; 7] = ["4", "♠", "S", "♦", "K", "=", "OK"];

async fn until_results(daemon: &Daemon, count: usize) {
    for _ in 0..100 {
        if results(daemon) >= count {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(results(daemon), count);
}

async fn enter(page: &Page) {
    for label in BOARD {
        tap(page, label).await;
    }
    screen(page, "Check").await;
}

async fn to(page: &Page, window: &WindowHandle) {
    let turned = page.client.switch_to_window(window.clone()).await;
    turned.expect("the window is there");
}

/// East-West scan the code that the table's phone shows.
async fn join(page: &mut Page, daemon: &Daemon, table: &Seat) -> (WindowHandle, Cable) {
    turn_to(page, table).await;
    page.click_on("button.more").await;
    screen(page, "own-code").await;
    page.shown("code-for-east-west").await;
    page.look("code-for-east-west", Looks::Colours).await;
    let link = page
        .script(
            "return document.querySelector('.code').dataset.link",
            vec![],
        )
        .await;
    let link = link.as_str().expect("a link").to_owned();
    page.click_on(".keys.foot button").await;
    screen(page, "Entry").await;
    let cable = Cable::new(151, daemon.address()).await;
    let new = page.client.new_window(true).await.expect("a window").handle;
    to(page, &new).await;
    page.go(&through(&cable, &link)).await;
    screen(page, "own").await;
    (new, cable)
}

/// East-West accept on their own phone; where it is away, East accepts on the table's.
pub(crate) async fn accept_there_or_here() {
    let daemon = Daemon::start(&[], 19_200);
    set_up(&daemon, 4, 12);
    let mut settings = daemon.get("settings");
    settings["pads"]["feedback"] = json!("Traveller");
    settings["pads"]["hand_record"] = json!(true);
    let set = daemon.put("settings", &settings);
    assert!(set["problem"].is_null(), "{set}");
    let mut page = Page::open("own-phone", PHONE).await;
    let table = sit_down(&page, &daemon, 1, true).await;
    play_on(&page, "Entry").await;
    let (own, cable) = join(&mut page, &daemon, &table).await;
    page.sees("#page", "East-West").await;
    page.shown("waits").await;

    // Its network is away: after a while East can accept on the table's phone.
    cable.pull();
    turn_to(&page, &table).await;
    enter(&page).await;
    let here = "return document.querySelector('[data-label^=ACCEPT]') !== null";
    page.until("ACCEPT on the table's phone", here).await;
    page.shown("east-accepts-here").await;
    tap(&page, "ACCEPT").await;
    until_results(&daemon, 1).await;
    cable.plug();

    // Nobody presses ACCEPT for the others: it is not there, and Enter does nothing.
    play_on(&page, "Entry").await;
    to(&page, &own).await;
    page.until(
        "its line is back",
        "return document.getElementById('net').textContent === ''",
    )
    .await;
    turn_to(&page, &table).await;
    enter(&page).await;
    page.sees(".says", "on their own phone").await;
    page.shown("table-waits").await;
    let nowhere = "return document.querySelector('[data-label^=ACCEPT]') === null";
    page.until("no ACCEPT here", nowhere).await;
    let body = page.find("body").await;
    body.send_keys("\u{E007}").await.expect("a key");
    tokio::time::sleep(Duration::from_millis(300)).await;
    screen(&page, "Check").await;
    assert_eq!(results(&daemon), 1);
    to(&page, &own).await;
    screen(&page, "own-check").await;
    page.sees(".says", "4").await;
    page.shown("to-accept").await;
    page.look("to-accept", Looks::Colours).await;
    page.click_on("#accept").await;
    until_results(&daemon, 2).await;

    // The round is over: the pair's card, and a board at all tables.
    page.sees("table", "4♠").await;
    page.shown("score-card").await;
    page.look("score-card", Looks::Colours).await;
    page.click_on("tbody tr:last-child button").await;
    screen(&page, "own-board").await;
    page.sees("table", "4♠").await;
    let called = "
        const texts = (where) => [...document.querySelectorAll(where)].map((it) => it.textContent);
        return texts('#place').every((text) => /^Pair (EW )?[0-9]+$/.test(text)) &&
            texts('td.pair').every((text) => /^[0-9]+$/.test(text))";
    page.until("pairs as the room calls them", called).await;
    page.shown("all-tables").await;
    page.click_on(".keys.foot button").await;
    assert_eq!(results(&daemon), 2, "each once");

    // The director sees it and takes it off the list.
    let phones = daemon.get("phones");
    let mine = &phones["own"][0];
    let pad = mine["pad"].as_str().expect("a name");
    daemon.do_as_director(&format!("pads/{pad}/revoke"), &json!({}));
    screen(&page, "own-revoked").await;
    page.shown("revoked").await;
    page.assert_no_barriers();
}
