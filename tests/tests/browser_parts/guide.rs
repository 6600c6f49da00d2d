//! Somebody new to it scores a real evening with the guide and nothing else: every label that the
//! guide names is there, every step leads to the page on which it is done.

use std::time::Instant;

use bench_parts::real_movement_file;
use fantoccini::Locator;
use serde_json::json;
use tests::browser::{DESKTOP, PHONE, Page, Room};

use super::large_room::println_measured;
use super::on_paper::{as_published, travellers};

const ENTER: &str = "\u{e007}";

/// Opens the guide as it is found, and goes where one of its steps leads.
async fn step(page: &mut Page, number: usize, picture: bool) {
    page.script("location.hash = '#/guide'", vec![]).await;
    page.sees("main h1", "Your first evening").await;
    if page.text(".guide").await.contains("Give out the pads") {
        page.click("On paper").await;
    }
    page.sees(".guide", "Type the results").await;
    if picture {
        page.shown("guide").await;
    }
    page.click_on(&format!(".guide li:nth-child({number}) a"))
        .await;
}

pub(crate) async fn follow() {
    let room = Room::start();
    let mut page = Page::open("guide", DESKTOP).await;
    let begun = Instant::now();
    page.go(&room.address).await;
    // Set-up is where a new club lands, and the guide is the first thing on it.
    page.click("Your first evening").await;
    page.sees("main", "Nine steps").await;
    let leaves = page.printed().await;
    assert!(leaves.len() <= 2, "one leaf, both sides: {leaves:?}");
    step(&mut page, 1, true).await;
    page.fill("Event", "Our first evening").await;
    page.click("Create").await;
    page.sees(".title", "Our first evening").await;
    club_movement(&mut page).await;
    page.sees(".section-list", "A Red").await;
    page.click("Picture of the room").await;
    page.find(".section-list .room-drawing").await;
    page.shown("step-1").await;
    step(&mut page, 2, false).await;
    page.click_on("#setup-way input[value='Paper']").await;
    step(&mut page, 3, false).await;
    page.click("Begin the evening").await;
    page.sees(".entry-title", "Board 1").await;
    step(&mut page, 5, false).await;
    page.sees(".entry-title", "Board 1").await;
    page.shown("step-5").await;
    let mut keys = 0;
    for (board, lines) in &travellers() {
        page.sees(".entry-title", &format!("Board {board} ")).await;
        let sheet: String = lines.values().flat_map(|line| [line, ENTER]).collect();
        keys += sheet.chars().count();
        page.keys(&sheet).await;
    }
    page.sees(".entry-foot", "Every result is in").await;
    step(&mut page, 4, false).await;
    page.sees(".room-says", "every result is in").await;
    page.click("Play is over").await;
    page.sees("main", "Before you release").await;
    step(&mut page, 8, false).await;
    page.sees("main", "Before you release").await;
    page.shown("step-8").await;
    release(&mut page).await;
    as_published(&mut page).await;
    step(&mut page, 9, false).await;
    page.sees("main", "The result is out").await;
    page.sees("main", "On phones").await;
    page.shown("step-9").await;
    println_measured(&format!(
        "the same evening by somebody new, with the guide only: {keys} keys, {:.1} s at the machine's speed",
        begun.elapsed().as_secs_f64()
    ));
    page.resize(PHONE).await;
    page.darken().await;
    page.script("location.hash = '#/guide'", vec![]).await;
    page.sees("main h1", "Your first evening").await;
    page.shown("guide-on-a-phone").await;
    page.assert_no_barriers();
    page.close().await;
}

/// The adviser's first movement is not what this club played: it has its own, and the guide says
/// where that goes.
async fn club_movement(page: &mut Page) {
    page.fill("Tables", "11").await;
    page.fill("Boards per pair", "27").await;
    page.click("Suggest movements").await;
    page.sees(".suggestion", "9 rounds of 3 boards").await;
    page.click("Choose any movement yourself").await;
    page.fill("Movement", "file").await;
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("ours.txt");
    std::fs::write(&file, real_movement_file()).expect("a file");
    let input = page
        .client
        .find(Locator::Css(".own-movement input[type=file]"))
        .await
        .expect("a place for the file");
    let path = file.to_string_lossy();
    input.send_keys(&path).await.expect("the file is chosen");
    page.click("Show me the room").await;
    page.sees(".own-movement", "11 tables, 9 rounds, 27 boards")
        .await;
    page.shown("own-movement").await;
    page.click_on(".own-movement button.primary").await;
}

/// Releases, whatever is still open.
async fn release(page: &mut Page) {
    let label = "return [...document.querySelectorAll('main button')].map((it) => it.textContent.trim()).find((it) => it.startsWith('Release')) ?? ''";
    let label = page.script(label, vec![]).await;
    assert_ne!(label, json!(""));
    page.click(label.as_str().unwrap_or_default()).await;
    page.sees("main", "The result is out").await;
}
