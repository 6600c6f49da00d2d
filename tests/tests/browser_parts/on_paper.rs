//! A real evening that was scored on paper, typed in from its travellers by keys alone.

use std::collections::BTreeMap;
use std::time::Instant;

use base_station::movement::{Movement, Variant};
use base_station::session::Command;
use base_station::session::plan::{SectionPlan, Way};
use bench_parts::{real_movement_file, real_rows};
use protocol::words::SectionLetter;
use serde_json::{Value, json};
use tests::browser::{DESKTOP, PHONE, Page, Room};

use super::large_room::println_measured;

const ENTER: &str = "\u{e007}";
const ESCAPE: &str = "\u{e00c}";

/// More keys for a result than this are too many: a contract of four or five letters and Enter.
const KEYS_A_RESULT_MAX: f64 = 6.5;

fn number<T: std::str::FromStr<Err: std::fmt::Debug>>(text: &str) -> T {
    text.parse().expect("a number")
}

/// The club's movement, and a second section that plays the same.
async fn plan(room: &Room) {
    room.direct(Command::CreateEvent {
        name: "Paper night".to_owned(),
        date: "2026-11-16".to_owned(),
        title: String::new(),
    })
    .await;
    let movement = Movement::from_text(&real_movement_file()).expect("a movement");
    for (letter, colour, tables) in [("A", "Red", 11), ("B", "Blue", 2)] {
        let mut plan = SectionPlan::of(&movement, colour);
        plan.sittings.retain(|sitting| {
            sitting.table.get() <= tables && (tables > 2 || sitting.round.get() == 1)
        });
        let section: SectionLetter = letter.parse().expect("a section");
        room.direct(Command::PlanSection { section, plan }).await;
    }
}

/// What a scorer types for a line of the real evening.
fn typed(row: &[String]) -> String {
    if row[8] == "PASS" {
        return "0".to_owned();
    }
    let contract: String = row[8].split_whitespace().collect();
    let contract = contract.replace("NT", "N");
    format!("{contract}{}{}", row[7], row[9])
}

/// The travellers: the lines of each board in the order of North-South's numbers.
pub(crate) fn travellers() -> BTreeMap<u8, BTreeMap<u16, String>> {
    let mut boards: BTreeMap<u8, BTreeMap<u16, String>> = BTreeMap::new();
    for row in real_rows("club_session_results.csv") {
        let lines = boards.entry(number(&row[4])).or_default();
        lines.insert(number(&row[5]), typed(&row));
    }
    boards
}

pub(crate) async fn type_an_evening() {
    let room = Room::start();
    plan(&room).await;
    let mut page = Page::open("on-paper", DESKTOP).await;
    page.go(&format!("{}/#/setup", room.address)).await;
    page.sees("#setup-way", "How do results come in?").await;
    page.click_on("#setup-way input[value='Paper']").await;
    page.sees("#setup-open", "Begin the evening").await;
    page.shown("set-up").await;
    // No PIN was chosen: there is no pad whose menu it would open.
    page.click("Begin the evening").await;
    page.sees(".entry-title", "Board 1").await;
    page.sees(".tabs", "Type in").await;
    page.shown("first-traveller").await;
    stumble(&mut page).await;
    let evening = travellers();
    let results: usize = evening.values().map(BTreeMap::len).sum();
    let begun = Instant::now();
    let mut keys = 0;
    for (board, lines) in &evening {
        page.sees(".entry-title", &format!("Board {board} ")).await;
        let sheet: String = lines.values().flat_map(|line| [line, ENTER]).collect();
        keys += sheet.chars().count();
        page.keys(&sheet).await;
    }
    let progress = format!("{results} of 303 of the evening");
    page.sees(".entry-foot", &progress).await;
    let took = begun.elapsed();
    let a_result = f64::from(u32::try_from(keys).expect("few"))
        / f64::from(u32::try_from(results).expect("few"));
    println_measured(&format!(
        "an evening of {results} results typed from travellers: {keys} keys ({a_result:.1} a result), {:.1} s at the machine's speed, no mouse",
        took.as_secs_f64()
    ));
    assert!(a_result < KEYS_A_RESULT_MAX, "{a_result} keys a result");
    page.shown("typed").await;
    second_section(&mut page).await;
    quiet_room(&mut page).await;
    as_published(&mut page).await;
    leaves(&page, &room).await;
    page.assert_no_barriers();
    page.close().await;
}

/// 27 boards of a pair fit on one leaf, whatever paper the club has; so does the ranking.
async fn leaves(page: &Page, room: &Room) {
    for (paper, size) in [("a4", "595 x 842"), ("letter", "612 x 792")] {
        for (sheet, expected) in [("scorecards", 26), ("ranking", 1)] {
            page.go(&format!("{}/print/{sheet}?paper={paper}", room.address))
                .await;
            page.sees("footer", "Byestand").await;
            let printed = page.printed().await;
            assert_eq!(printed, vec![size; expected], "{sheet} on {paper}");
        }
    }
}

/// Twelve tables of 24 boards: the first sheets of tables, then travellers, without the mouse.
pub(crate) async fn type_twelve_tables() {
    let room = Room::start();
    room.open_mitchell("Twelve on paper", (12, 24), Some(Variant::Skip))
        .await;
    room.direct(Command::ChooseWay(Way::Paper)).await;
    let mut page = Page::open("twelve-on-paper", DESKTOP).await;
    page.go(&format!("{}/#/traveller/A1", room.address)).await;
    page.sees(".entry-title", "Table A1").await;
    let begun = Instant::now();
    let mut keys = 0;
    // Round 1 of table 1, then its neighbour; whoever comes back goes on with round 2.
    for sheet in ["4SS=", "3NE-1"] {
        keys += type_line(&page, sheet).await;
    }
    page.keys("\u{e00f}").await;
    page.sees(".entry-title", "Table A2").await;
    page.keys("\u{e00e}").await;
    page.sees(".entry-title", "Table A1").await;
    let follows = "return document.activeElement.closest('tr').dataset.line.startsWith('A1.2.')";
    page.until("the sheet follows the round", follows).await;
    keys += 2;
    page.shown("table-sheet").await;
    by_rounds(&mut page).await;
    page.script("location.hash = '#/traveller/A-1'", vec![])
        .await;
    for board in 1..=24_u8 {
        page.sees(".entry-title", &format!("Board {board} ")).await;
        let missing = if board <= 2 { 11 } else { 12 };
        let mut sheet = String::new();
        for line in 0..missing {
            let results = [
                "4SS=", "3NE-1", "2HW+1", "110", "-100", "0", "5DXN-2", "1NS+2",
            ];
            let at = (usize::from(board) * 5 + line * 3) % results.len();
            sheet.push_str(results[at]);
            sheet.push_str(ENTER);
        }
        keys += sheet.chars().count();
        page.keys(&sheet).await;
    }
    page.sees(".entry-foot", "Every result is in").await;
    let took = begun.elapsed().as_secs_f64();
    println_measured(&format!(
        "an evening of 12 tables and 288 results typed without the mouse: {keys} keys, {took:.1} s at the machine's speed"
    ));
    page.shown("all-typed").await;
    page.assert_no_barriers();
    page.close().await;
}

async fn type_line(page: &Page, line: &str) -> usize {
    let keys = format!("{line}{ENTER}");
    page.keys(&keys).await;
    keys.chars().count()
}

/// A traveller in the order of rounds, for who wants it so, and back.
async fn by_rounds(page: &mut Page) {
    page.script("location.hash = '#/traveller/A-1'", vec![])
        .await;
    page.sees(".entry-title", "Board 1 ").await;
    let column = |at: usize| {
        format!(
            "const numbers = [...document.querySelectorAll('.entry tbody tr')].map((row) => Number(row.cells[{at}].textContent)); return numbers.length === 12 && numbers.every((one, at) => at === 0 || numbers[at - 1] <= one)"
        )
    };
    page.until("in the order of pairs", &column(0)).await;
    page.fill("Lines in the order of", "rounds").await;
    page.until("in the order of rounds", &column(5)).await;
    page.shown("by-rounds").await;
    page.fill("Lines in the order of", "pairs").await;
    page.until("in the order of pairs again", &column(0)).await;
}

/// What goes wrong when people type: spaces, half a line, another page, a wrong pair.
async fn stumble(page: &mut Page) {
    // A space in an empty field is none, a space in a score is one.
    page.keys(" 4 S S").await;
    let value = "return document.activeElement.value";
    assert_eq!(page.script(value, vec![]).await, json!("4 S S"));
    // Half a line is not dropped by going elsewhere and coming back.
    page.script("location.hash = '#/room'", vec![]).await;
    page.sees(".room-says", "0 of 303 results").await;
    page.shown("room-before").await;
    page.script("location.hash = '#/traveller'", vec![]).await;
    page.sees(".entry .problem", "Not saved yet").await;
    assert_eq!(page.script(value, vec![]).await, json!("4 S S"));
    page.shown("half-typed").await;
    // Nor by loading the page again.
    page.client.refresh().await.expect("the page again");
    page.sees(".entry .problem", "Not saved yet").await;
    page.until("the line is there again", &format!("{value} === '4 S S'"))
        .await;
    // Nor by turning the sheet: the line calls back.
    page.keys("\u{e00f}").await;
    page.sees(".entry .problem", "Expected the result behind the contract")
        .await;
    page.sees(".entry-title", "Board 1").await;
    page.keys(ESCAPE).await;
    // Other pairs played this line; then it is put back.
    for (typed, there) in [("2", "2"), ("1", "1")] {
        page.keys("e").await;
        page.keys(&format!("{ENTER}{typed}{ENTER}")).await;
        let pairs = format!(
            "const row = document.activeElement.closest('tr'); return row?.cells[1].textContent.trim() === '{there}' && document.activeElement.classList.contains('typed')"
        );
        page.until("the pair is changed where it is typed", &pairs)
            .await;
        page.screenshot("pairs").await;
    }
}

/// Section B's sheets are typed like those of A, by table as well.
async fn second_section(page: &mut Page) {
    page.click("B Blue").await;
    page.sees(".entry-title", "Section B").await;
    page.sees(".entry-title", "Board 1").await;
    // A space before anything is typed is nothing; on an empty line two end a board that was begun,
    // and one alone says so.
    page.keys(&format!(" 4SS={ENTER}")).await;
    page.sees(".entry-title", "Board 2").await;
    page.keys("\u{e00e}").await;
    page.sees(".entry-title", "Board 1").await;
    page.sees(".entry tbody", "4").await;
    page.keys(" ").await;
    page.sees(".problem", "Press space again").await;
    page.sees(".entry-title", "Board 1").await;
    page.keys(" ").await;
    page.sees(".entry-title", "Board 2").await;
    page.click("Table sheets").await;
    page.sees(".entry-title", "Table B1").await;
    page.keys(&format!("620{ENTER}-50{ENTER}")).await;
    page.sees(".entry-title", "Table B2").await;
    page.keys(&format!("0{ENTER}NP{ENTER}A60/40{ENTER}")).await;
    page.sees(".entry-foot", "Every result is in").await;
    page.shown("all-typed").await;
}

/// No red tables, no marks everywhere, no warning about pads that are not there.
async fn quiet_room(page: &mut Page) {
    page.script("location.hash = '#/room'", vec![]).await;
    page.sees(".room-says", "every result is in").await;
    page.shown("room-after").await;
    let loud = "return document.querySelectorAll('.table-head.NotLoggedOn, .cell.NotLoggedOn, .cell[data-key].Missing, .gate-lamp, .lamp.bad').length";
    assert_eq!(page.script(loud, vec![]).await, json!(0));
    // Only what was changed after it was typed is marked: the line whose pairs were corrected.
    let marked = "return [...document.querySelectorAll('.cell[data-key].changed')].map((it) => it.dataset.key)";
    assert_eq!(page.script(marked, vec![]).await, json!(["A1.1"]));
    page.click("Play is over").await;
    page.sees("main", "Before you release").await;
    let view = "const done = arguments[arguments.length - 1]; fetch('/api/view').then((answer) => answer.json()).then((view) => done(view.warnings.map((it) => it.kind)))";
    let warnings = page.client.execute_async(view, vec![]).await;
    let warnings = warnings.expect("the picture");
    for kind in ["BoardMissing", "ReplaceAdvised", "PadSilent"] {
        let told = warnings.as_array().expect("a list");
        assert!(!told.contains(&json!(kind)), "{warnings}");
    }
    page.shown("results").await;
    page.resize(PHONE).await;
    page.script("location.hash = '#/traveller/A-3'", vec![])
        .await;
    page.sees(".entry-title", "Board 3").await;
    page.shown("traveller-on-a-phone").await;
    page.resize(DESKTOP).await;
}

/// The ranking is the one that the club published.
pub(crate) async fn as_published(page: &mut Page) {
    let ask = "const done = arguments[arguments.length - 1]; fetch('/api/ranking').then((answer) => answer.json()).then((ranking) => done(ranking.lists.flatMap((list) => list.lines.map((line) => [line.pair, line.points, line.percent]))))";
    let ranking = page.client.execute_async(ask, vec![]).await;
    let ranking = ranking.expect("the ranking");
    for row in real_rows("club_session_ranking.csv") {
        let pair = format!("A{}{}", row[1], row[0]);
        let lines = ranking.as_array().expect("a list");
        let line = lines.iter().find(|line| line[0] == json!(pair));
        let line = line.unwrap_or(&Value::Null);
        assert_eq!(line[1].as_f64(), Some(number(&row[2])), "{pair}");
    }
}
