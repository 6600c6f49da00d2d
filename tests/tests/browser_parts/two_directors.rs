//! Two directors at once, the second one in German on a dark screen.

use protocol::words::{BoardNumber, RoundNumber, Seat};
use serde_json::json;
use tests::browser::{DESKTOP, PAGES, PHONE, PROJECTOR, Page, Room, begin_competitions};

/// English words that no German sentence has.
const ENGLISH: &str = "return (document.querySelector('main').innerText.match(/\\b(the|were|has|have|been|board is|please|with|from round)\\b/gi) ?? [])";

pub(crate) async fn see_each_other() {
    let room = Room::start();
    super::large_room::plan(&room, 5).await;
    begin_competitions(&room.address);
    let deals = std::fs::read_to_string(Room::deal_file()).expect("deals");
    let one = Page::open("two-directors", DESKTOP).await;
    one.go(&format!("{}/#/setup", room.address)).await;
    one.sees("#setup-files", "Deal file").await;
    one.drop_file("#setup-files .drop", "tonight.pbn", &deals)
        .await;
    one.sees("#setup-files", "36 boards read").await;
    let mut other = Page::open("dark-german", DESKTOP).await;
    other.darken().await;
    other.go(&room.address).await;
    other
        .script("localStorage.setItem('language', 'de')", vec![])
        .await;
    other.go(&room.address).await;
    other.sees(".legend", "wird gespielt").await;
    let mut pad = room.log_on("A1", 0xA1).await;
    let board = BoardNumber::new(1).expect("a board");
    let mut result = room.four_spades(board);
    if let protocol::words::BoardResult::Played(played) = &mut result {
        played.lead = room.card_of(board, Seat::North);
    }
    pad.enter(RoundNumber::FIRST, board, result).await;

    one.click("Room").await;
    for page in [&one, &other] {
        page.click_on("[data-key='A1.1']").await;
        page.sees("dialog tr.chosen", "4♠ S =").await;
    }
    one.choose_action("correct").await;
    one.fill("Contract", "3NT").await;
    one.fill("Reason", "both pairs agree").await;
    one.click("Save").await;
    // The other director has the same cell open and sees it change without touching anything.
    other.sees("dialog tr.chosen", "3NT S").await;
    other.sees("dialog", "both pairs agree").await;
    other.shown("cell").await;
    other.click("Schließen").await;
    other
        .until(
            "the cell is marked as changed",
            "return document.querySelector(\"[data-key='A1.1']\").classList.contains('changed')",
        )
        .await;
    other.click("Geräte anhalten").await;
    one.sees(".gate-lamp", "Pads are stopped").await;
    in_german_and_dark(&mut other).await;
    for (language, heading) in [("fr", "Section A"), ("nl", "Lijn A")] {
        let choose = format!("localStorage.setItem('language', '{language}')");
        other.script(&choose, vec![]).await;
        other.go(&room.address).await;
        other.sees("h1", heading).await;
        without_english(&mut other, language).await;
    }
    one.assert_no_barriers();
    other.assert_no_barriers();
    other.close().await;
    one.close().await;
}

/// Every page is dark, German, and has no barrier.
async fn in_german_and_dark(page: &mut Page) {
    page.sees("h1", "Sektion A").await;
    assert_eq!(
        page.script("return document.documentElement.lang", vec![])
            .await,
        json!("de")
    );
    let brightness = "return Math.max(...getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number))";
    let brightness = page.script(brightness, vec![]).await;
    assert!(
        brightness.as_u64().is_some_and(|value| value < 60),
        "{brightness}"
    );
    without_english(page, "de").await;
}

/// No page has a sentence that was not translated.
async fn without_english(page: &mut Page, language: &str) {
    for name in PAGES {
        let go =
            format!("document.querySelector('main').replaceChildren(); location.hash = '#/{name}'");
        page.script(&go, vec![]).await;
        let script = format!(
            "return document.querySelector('main').dataset.page === '{}' && !!document.querySelector('main h1') && !document.querySelector('main .empty .busy')",
            name.split('/').next().unwrap_or_default()
        );
        page.until(&format!("page {name}"), &script).await;
        page.shown(&format!("{}-{language}", name.replace('/', "-")))
            .await;
        let english = page.script(ENGLISH, vec![]).await;
        assert_eq!(english, json!([]), "on the page {name} in {language}");
        // Words of other languages are longer.
        for size in [PHONE, PROJECTOR, DESKTOP] {
            page.fits(&format!("{name} in {language}"), size).await;
        }
    }
}
