//! Sessions of other evenings: taken in from a file, chosen, taken back and put right; and then
//! every page and every sheet of it in every size, colour and language.

use std::path::Path;

use base_station::session::Command;
use protocol::words::RoundNumber;
use serde_json::json;
use tests::browser::{DESKTOP, Looks, PAGES, PHONE, PROJECTOR, Page, Room, begin_competitions};

/// Every page that is made for paper or for players.
const SHEETS: [&str; 14] = [
    "print/ranking",
    "print/travellers",
    "print/frequencies",
    "print/scorecards",
    "print/route",
    "print/names",
    "print/hands",
    "print/records",
    "print/charts",
    "print/cards/A",
    "print/winners",
    "results",
    "results/pairs/A1NS",
    "results/sheets/travellers",
];

/// English words that no German sheet has.
const ENGLISH: &str = "return (document.body.innerText.match(/\\b(the|were|has|have|board by|please|with|place|round|score|stay|table|pair|lead)\\b/gi) ?? [])";

/// Words that neither French nor Dutch has.
const ENGLISH_ELSEWHERE: &str = "return (document.body.innerText.match(/\\b(the|were|has|have|board|boards|please|with|round|stay|pair|lead|by)\\b/gi) ?? [])";

/// An evening that was played and released, and tonight.
async fn played_and_released(room: &Room) {
    let movement = room.open_mitchell("Last Monday", (5, 15), None).await;
    let mut pads = room.log_on_all(&movement).await;
    for round in (1..=5).filter_map(RoundNumber::new) {
        room.play_round(&movement, round, &mut pads).await;
    }
    room.direct(Command::EndPlay).await;
    let despite_checklist = true;
    room.direct(Command::Release { despite_checklist }).await;
}

pub(crate) async fn take_in_and_reopen() {
    let room = Room::start();
    played_and_released(&room).await;
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("monday.jsonl");
    let saved = save(&room.address);
    std::fs::write(&file, saved).expect("the session's file");

    // Another laptop, which has an evening of its own.
    let other = Room::start();
    other.open_mitchell("Tonight", (6, 24), None).await;
    let mut page = Page::open("past", DESKTOP).await;
    page.go(&other.address).await;
    page.sees(".title", "Tonight").await;
    take_in(&mut page, &other.address, &file).await;
    reopen(&mut page).await;
    page.assert_no_barriers();
    page.close().await;
}

/// What "Save as a file" saves.
fn save(address: &str) -> String {
    let answer = ureq::get(format!("{address}/api/calendar/sessions/1/file")).call();
    let text = answer.expect("the file").body_mut().read_to_string();
    text.expect("a text")
}

async fn take_in(page: &mut Page, address: &str, file: &Path) {
    page.go(&format!("{address}/#/calendar")).await;
    page.sees(".sessions", "Tonight").await;
    let broken = file.with_file_name("broken.jsonl");
    std::fs::write(&broken, "no session").expect("a file");
    let input = page.find("input[accept='.jsonl']").await;
    let choose = async |path: &Path| {
        let path = path.to_str().expect("a path").to_owned();
        input.send_keys(&path).await.expect("a file is chosen");
    };
    choose(&broken).await;
    page.sees(".refusal", "").await;
    page.find(".refusal").await;
    page.shown("session-refused").await;
    choose(file).await;
    page.sees("#toast", "The session is in the list now").await;
    page.sees(".sessions", "Last Monday").await;
    page.shown("session-taken-in").await;
    let monday = "
        const line = [...document.querySelectorAll('.sessions li')].find((it) => it.textContent.includes('Last Monday'));
        [...line.querySelectorAll('button')].find((it) => it.textContent === 'Choose').click()";
    page.script(monday, vec![]).await;
    page.sees(".title", "Last Monday").await;
    page.script("location.hash = '#/room'", vec![]).await;
    page.until(
        "every result of that evening is there",
        "return document.querySelectorAll('.cell[data-key].AllIn').length === 25",
    )
    .await;
    page.shown("session-chosen").await;
}

/// The result is taken back, a score put right, and released once more.
async fn reopen(page: &mut Page) {
    page.script("location.hash = '#/results'", vec![]).await;
    page.sees("main", "It can be put right until").await;
    page.fill("Why must it be put right?", "board 1 was typed wrongly")
        .await;
    page.click("Take the result back").await;
    page.sees("main", "Release in spite of open points").await;
    page.shown("reopened").await;
    page.script("location.hash = '#/room'", vec![]).await;
    page.click_on("[data-key='A1.1']").await;
    page.choose_action("correct").await;
    page.fill("Contract", "2S").await;
    page.click_on("dialog form button.primary").await;
    page.sees("dialog tr.chosen", "2♠ S").await;
    page.click("Close").await;
    page.script("location.hash = '#/results'", vec![]).await;
    page.click("Release in spite of open points").await;
    page.sees("main", "page for players' phones").await;
    page.script("location.hash = '#/history'", vec![]).await;
    page.sees("main", "board 1 was typed wrongly").await;
    page.shown("released-again").await;
}

pub(crate) async fn every_page() {
    let room = Room::start();
    played_and_released(&room).await;
    begin_competitions(&room.address);
    let mut page = Page::open("every-page", PHONE).await;
    for name in PAGES {
        page.resize(PHONE).await;
        page.colours("light").await;
        page.go(&format!("{}/#/{name}", room.address)).await;
        let there = "return !!document.querySelector('main h1') && !document.querySelector('main .empty .busy') && !document.body.hasAttribute('data-busy')";
        page.until(&format!("page {name}"), there).await;
        in_every_way(&mut page, &name.replace('/', "-")).await;
    }
    for name in SHEETS {
        page.resize(PHONE).await;
        page.colours("light").await;
        page.go(&format!("{}/{name}?language=de", room.address))
            .await;
        page.sees("footer", "Gerechnet mit Byestand").await;
        let english = page.script(ENGLISH, vec![]).await;
        assert_eq!(english, json!([]), "on the sheet {name}");
        in_every_way(&mut page, &name.replace('/', "-")).await;
    }
    page.resize(PHONE).await;
    for language in ["fr", "nl"] {
        for name in SHEETS {
            page.go(&format!("{}/{name}?language={language}", room.address))
                .await;
            page.sees("footer", "Byestand").await;
            let english = page.script(ENGLISH_ELSEWHERE, vec![]).await;
            assert_eq!(english, json!([]), "on the sheet {name} in {language}");
        }
    }
    page.resize(PHONE).await;
    page.go(&format!("{}/api/docs", room.address)).await;
    page.sees("main", "The API of Byestand").await;
    in_every_way(&mut page, "api-docs").await;
    page.resize(PHONE).await;
    page.go(&format!("{}/results/pairs/A9NS?language=de", room.address))
        .await;
    page.sees("main", "Ein Paar NS A9 gibt es heute nicht")
        .await;
    in_every_way(&mut page, "no-such-pair").await;
    on_paper(&page, &room.address).await;
    players_language(&page, &room.address).await;
    page.assert_no_barriers();
    page.close().await;
}

/// On a phone, light and dark, and on the projector.
async fn in_every_way(page: &mut Page, name: &str) {
    page.screenshot(&format!("{name}-light")).await;
    page.look(name, Looks::Everything).await;
    page.colours("dark").await;
    page.screenshot(&format!("{name}-dark")).await;
    page.look(&format!("{name} in the dark"), Looks::Colours)
        .await;
    page.resize(PROJECTOR).await;
    page.screenshot(&format!("{name}-dark")).await;
    page.look(&format!("{name} on the projector"), Looks::Structure)
        .await;
}

/// A4 and Letter, and a leaf of its own for each pair and each table.
async fn on_paper(page: &Page, address: &str) {
    let (a4, letter) = ("595 x 842", "612 x 792");
    let leaves = [
        ("ranking?paper=a4", a4, 1),
        ("ranking?paper=letter", letter, 1),
        ("scorecards?paper=a4", a4, 10),
        ("cards/A?paper=letter", letter, 5),
        ("travellers?paper=a4", a4, 2),
    ];
    for (sheet, size, least) in leaves {
        page.go(&format!("{address}/print/{sheet}")).await;
        let printed = page.printed().await;
        assert!(printed.len() >= least, "{sheet}: {printed:?}");
        assert!(
            printed.iter().all(|leaf| leaf == size),
            "{sheet}: {printed:?}"
        );
    }
}

/// A phone that speaks English gets English, and a German reader one tap away from German.
async fn players_language(page: &Page, address: &str) {
    page.go(&format!("{address}/results")).await;
    page.sees("main", "Your own score card").await;
    page.click("Deutsch").await;
    page.sees("main", "Ihr eigener Zettel").await;
    page.click("NS 1").await;
    page.sees("main", "Platz").await;
    page.click("Zurück zur Rangliste").await;
    page.sees("main", "Ihr eigener Zettel").await;
}
