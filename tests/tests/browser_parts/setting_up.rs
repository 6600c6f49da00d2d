//! "Twelve tables, phantom North-South at 12, 24 boards", and what can be done with a session
//! besides playing it.

use std::time::{Duration, Instant};

use tests::browser::{DESKTOP, Page, Room};

use super::evening::answer_pin;

/// What a director may take, of which the browser's part is the smallest.
const SET_UP_MAX: Duration = Duration::from_mins(2);

pub(crate) async fn twelve_tables() {
    let room = Room::start();
    let deals = std::fs::read_to_string(Room::deal_file()).expect("deals");
    let mut page = Page::open("setting-up", DESKTOP).await;
    let begun = Instant::now();
    page.go(&room.address).await;
    page.fill("Event", "Tuesday pairs").await;
    page.click("Create").await;
    page.sees(".title", "Tuesday pairs").await;
    page.fill("Tables", "12").await;
    page.fill("Is a pair missing?", "NS").await;
    page.fill("at table", "12").await;
    page.fill("Boards per pair", "24").await;
    page.click("Suggest movements").await;
    page.sees(".suggestion", "12 rounds of 2 boards").await;
    page.sees(".suggestion", "NS at table 12").await;
    page.sees(".suggestion", "Bye-stand between tables 6 and 7")
        .await;
    page.sees(".suggestion", "nobody sits out more than one round")
        .await;
    page.sees(".suggestion", "About 3:00 hours").await;
    page.shown("suggested").await;
    page.click("Play this").await;
    page.sees(".section-list", "12 tables, 24 boards").await;
    page.drop_file("body", "tuesday.pbn", &deals).await;
    page.sees("#setup-files", "36 boards read").await;
    let players = "number;name\n00101;Anna Berg\n00102;Karl Lind\n";
    page.drop_file("#setup-files", "players.csv", players).await;
    page.sees("#setup-files", "2 players in this list (CSV)")
        .await;
    page.sees("#setup-files", "Karl Lind").await;
    page.sees(".people-preview", "00102").await;
    page.shown("players-before-they-count").await;
    page.click("Take 2 players").await;
    page.sees("#setup-files", "2 players read").await;
    assert!(begun.elapsed() < SET_UP_MAX, "{:?}", begun.elapsed());
    another_section(&mut page).await;
    choose_pin_at_last(&mut page).await;
    page.click("Open for log-on").await;
    page.sees(".grid", "A12").await;
    page.shown("room").await;
    page.sees(".cell.SitOut", "–").await;
    page.click_on(".segments button:last-child").await;
    page.sees(".grid", "B5").await;
    page.sees("h1", "Section B").await;
    page.shown("room-of-section-b").await;
    page.click_on(".segments button:first-child").await;
    page.sees(".grid", "A12").await;
    keep_and_rename(&mut page, &room).await;
    names(&mut page, &room).await;
    change_the_movement(&mut page).await;
    hand_records(&page, &room).await;
    page.assert_no_barriers();
    page.close().await;
}

/// Twenty deals on every leaf, on either paper.
async fn hand_records(page: &Page, room: &Room) {
    for (paper, size) in [("a4", "595 x 842"), ("letter", "612 x 792")] {
        page.go(&format!("{}/print/records?paper={paper}", room.address))
            .await;
        let count = "return document.querySelectorAll('.record').length";
        let deals = page.script(count, vec![]).await;
        let deals = deals.as_u64().expect("a number");
        assert!(deals > 20, "{deals} deals");
        let leaves = page.printed().await;
        let expected = vec![size; usize::try_from(deals.div_ceil(20)).expect("few")];
        assert_eq!(leaves, expected, "{deals} deals on {paper}");
    }
}

/// Five more tables next door.
async fn another_section(page: &mut Page) {
    page.click("Add another section").await;
    page.fill("Tables", "5").await;
    page.fill("Is a pair missing?", "").await;
    page.fill("Boards per pair", "15").await;
    page.fill("Colour of cards", "Blue").await;
    page.click("Suggest movements").await;
    page.sees(".suggestion", "5 rounds of 3 boards").await;
    page.click("Play this").await;
    page.sees(".section-list", "B Blue").await;
    page.shown("two-sections").await;
}

/// Whoever passes over the first question is told of it when the session should open.
async fn choose_pin_at_last(page: &mut Page) {
    page.click("Open for log-on").await;
    page.sees("#setup-open .refusal", "the director's PIN first")
        .await;
    page.shown("no-pin-yet").await;
    answer_pin(page).await;
}

/// The table cards are there to print; a session can be renamed and saved.
async fn keep_and_rename(page: &mut Page, room: &Room) {
    page.go(&format!("{}/print/cards/A", room.address)).await;
    page.sees("main", "Table A12").await;
    page.shown("table-cards").await;
    page.go(&format!("{}/#/calendar", room.address)).await;
    page.sees("main", "Tuesday pairs").await;
    page.click("Rename").await;
    page.fill("Event", "Thursday pairs").await;
    page.fill("Session", "first of two").await;
    page.click_on("dialog button.primary").await;
    page.sees(".title", "Thursday pairs").await;
    page.sees("main", "first of two").await;
    page.shown("renamed").await;
    let saved = "
        const done = arguments[arguments.length - 1];
        const file = (path) => fetch(path).then((answer) => answer.text());
        Promise.all([file('/api/calendar/sessions/1/file'), file('/api/backup')]).then(([session, backup]) => done([session.split('\\n')[0], backup.slice(0, 13)]))";
    let saved = page.client.execute_async(saved, vec![]).await;
    let saved = saved.expect("both files").to_string();
    assert!(saved.contains("Thursday pairs"), "{saved}");
    assert!(saved.contains("SQLite format"), "{saved}");
}

/// Numbers typed at a table become names of the club's list; the office has others in a list.
async fn names(page: &mut Page, room: &Room) {
    room.log_on("A2", 0xA2).await.seat(101).await;
    page.script("location.hash = '#/names'", vec![]).await;
    page.sees("main", "Karl Lind").await;
    // As the club's list writes it, zeros included.
    page.sees("main", "00102").await;
    page.click("Names of many pairs at once").await;
    let list = "A1NS; Anna Berg; Karl Lind\nA1EW, Ida Holm, Per Dahl";
    page.fill("A line for each pair", list).await;
    page.fill(
        "A line for each pair",
        "A1NS; Anna Berg; Karl Lind\nnobody, Ida Holm",
    )
    .await;
    page.click("Take these names").await;
    page.sees("main .refusal", "Line 2").await;
    page.fill("A line for each pair", list).await;
    page.click("Take these names").await;
    page.sees("main", "Per Dahl").await;
    page.shown("names").await;
}

/// A pair comes late and takes the phantom's place, after the director has seen what changes.
async fn change_the_movement(page: &mut Page) {
    page.script("location.hash = '#/movement'", vec![]).await;
    page.sees("main", "A pair comes late").await;
    page.shown("movement").await;
    page.fill("Pair", "A3EW").await;
    page.click_on("main section:has(input[maxlength='6']) button.primary")
        .await;
    page.sees("dialog", "What changes for whom").await;
    page.shown("movement-preview").await;
    page.fill("Reason", "taken ill").await;
    page.click("Change it so").await;
    page.sees("#toast", "The movement is changed").await;
    page.script("location.hash = '#/history'", vec![]).await;
    page.sees("main", "taken ill").await;
    page.shown("movement-changed").await;
    let undo = "
        const row = [...document.querySelectorAll('main tbody tr')].find((it) => it.textContent.includes('taken ill'));
        row.querySelector('button').click()";
    page.script(undo, vec![]).await;
    page.sees("#toast", "Taken back").await;
    page.find("main tbody s").await;
    page.shown("movement-undone").await;
}
