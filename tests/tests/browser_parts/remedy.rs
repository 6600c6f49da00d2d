//! The room moves otherwise than planned: the doctor's remedy is looked at, applied and taken
//! back, and the director is told what to announce.

use base_station::checks::{Attention, Kind};
use base_station::session::Command;
use protocol::message::Up;
use protocol::words::RoundNumber;
use serde_json::json;
use tests::browser::{DESKTOP, Page, Room};

pub(crate) async fn skip_too_early() {
    let room = Room::start();
    let skip = base_station::movement::Variant::Skip;
    let movement = room
        .open_mitchell("Skip Mitchell", (8, 24), Some(skip))
        .await;
    let mut pads = room.log_on_all(&movement).await;
    let mut page = Page::open("remedy", DESKTOP).await;
    page.go(&room.address).await;
    // Four spades at every table look odd; only the doctor may speak aloud here.
    for kind in Kind::ALL {
        let attention = Attention::Quiet;
        if kind != Kind::MovementMistake {
            room.direct(Command::SetCheck { kind, attention }).await;
        }
    }
    for number in 1..=3 {
        let round = RoundNumber::new(number).expect("a round");
        room.play_round(&movement, round, &mut pads).await;
    }
    announce(&mut page).await;
    // The skip is due after round 4; in round 4 everybody is a table too high already.
    let fourth = RoundNumber::new(4).expect("a round");
    let planned = movement.round(fourth).expect("round 4");
    for (pad, (table, seating)) in pads.iter().zip(planned.tables()) {
        let lower = usize::from(table.get() + 6) % 8;
        let (ns, ew) = (seating.ns, planned.seatings[lower].ew);
        let round = fourth;
        pad.say(Up::PairsSeen { round, ns, ew }).await;
    }
    apply(&mut page).await;
    take_back(&mut page).await;
    page.assert_no_barriers();
    page.close().await;
}

/// What to say at the end of a round stands on every page, and large at its end.
async fn announce(page: &mut Page) {
    page.sees(".cell.AllIn", "✓").await;
    page.script("location.hash = '#/clock'", vec![]).await;
    for round in 3..=4 {
        page.click(&format!("Start round {round}")).await;
        page.sees(".big-clock", &format!("Round {round}")).await;
    }
    page.sees(".strip .announce", "Say at the end of this round:")
        .await;
    page.sees(".strip .announce", "East-West go up 2 tables")
        .await;
    page.shown("announcement").await;
    for _ in 0..6 {
        page.click("−1 min").await;
    }
    let over = "document.querySelectorAll('main .buttons button').forEach((button) => button.textContent.includes('−1') && button.click()); return /over|soon/.test(document.querySelector('.big-clock').className)";
    page.until("the round's time is nearly over", over).await;
    page.shown("announcement-soon").await;
    page.script("location.hash = '#/room'", vec![]).await;
}

async fn apply(page: &mut Page) {
    page.sees(".tabs .count", "1").await;
    page.click("Warnings").await;
    page.sees(
        ".warning",
        "East-West have skipped a table one round too early",
    )
    .await;
    page.sees(".warning .tag", "movement").await;
    page.shown("diagnosis").await;
    page.click("Change the movement from round 4").await;
    page.sees("dialog", "What would change").await;
    page.sees("dialog", "What changes for whom").await;
    page.shown("remedy-preview").await;
    page.click("Change it so").await;
    page.sees("#toast", "The movement is changed").await;
    // Round 4 is now as the room sits: pair 5 East-West was due at table 8, and sits at table 1.
    page.until(
        "the grid shows who meets whom now",
        "return /pairs .* and .*/.test(document.querySelector(\"[data-key='A1.4']\")?.title ?? '')",
    )
    .await;
    page.shown("remedy-applied").await;
}

async fn take_back(page: &mut Page) {
    let pairs = "return document.querySelector(\"[data-key='A1.4']\").title";
    let changed = page.script(pairs, vec![]).await;
    page.script("location.hash = '#/history'", vec![]).await;
    page.sees("main tbody tr", "the movement doctor's remedy")
        .await;
    let undo = "
        const row = [...document.querySelectorAll('main tbody tr')].find((it) => it.textContent.includes('remedy'));
        row.querySelector('button').click()";
    page.script(undo, vec![]).await;
    page.sees("#toast", "Taken back").await;
    page.shown("remedy-undone").await;
    page.script("location.hash = '#/room'", vec![]).await;
    page.find("[data-key='A1.4']").await;
    page.until(
        "the grid is as it was planned",
        &format!(
            "return document.querySelector(\"[data-key='A1.4']\").title !== {}",
            json!(changed)
        ),
    )
    .await;
}
