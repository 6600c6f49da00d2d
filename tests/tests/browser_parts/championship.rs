//! A championship of pairs over two evenings on paper, then a knock-out of its best four: from set-up
//! to the bracket with its winner.

use serde_json::{Value, json};
use tests::browser::{Page, Room, Size};

use super::match_steps::fill;

const PAIRS: [[&str; 2]; 6] = [
    ["Ann Ace", "Bob Bee"],
    ["Cleo Cox", "Dan Dee"],
    ["Eve Eck", "Fay Fox"],
    ["Gus Gill", "Hal Hunt"],
    ["Ina Ivy", "Jon Jay"],
    ["Kit Kay", "Leo Lamb"],
];

pub(crate) async fn to_the_bracket(size: Size) {
    let room = Room::start();
    let address = &room.address;
    let mut page = Page::open("championship", size).await;
    page.go(address).await;
    page.fill("Event", "Championship, first night").await;
    page.click("Create").await;
    evening(&mut page, address).await;
    begins(&mut page, address).await;
    page.sees("#competition-sessions", "Sessions: 1 of 2").await;
    page.go(&format!("{address}/#/setup")).await;
    page.click("Another event").await;
    page.fill("Event", "Championship, second night").await;
    page.click("Create").await;
    page.sees(".title", "second night").await;
    evening(&mut page, address).await;
    let best = stands(&mut page, address).await;
    knock_out(&mut page, address, &best).await;
    page.assert_no_barriers();
    page.close().await;
}

/// An evening of three tables, set up, typed and released on the page.
async fn evening(page: &mut Page, address: &str) {
    page.fill("Tables", "3").await;
    page.click("Choose any movement yourself").await;
    page.fill("Movement", "howell").await;
    page.fill("Boards in play", "10").await;
    page.click_on(".own-movement button.primary").await;
    page.sees(".section-list", "Howell").await;
    let on_paper = "document.querySelector('input[name=way][value=Paper]').click()";
    page.script(on_paper, vec![]).await;
    page.click("Begin the evening").await;
    page.find("table.entry").await;
    page.go(&format!("{address}/#/names")).await;
    let names = (1..).zip(PAIRS);
    let names: Vec<String> = names
        .map(|(number, [one, other])| format!("{number}, {one}, {other}"))
        .collect();
    page.click("Names of many pairs at once").await;
    page.fill("A line for each pair", &names.join("\n")).await;
    page.click("Take these names").await;
    page.sees("main", "Leo Lamb").await;
    // The lower its number, the better a pair plays.
    let typed = "
        const done = arguments[arguments.length - 1];
        const { get, post } = await import('/assets/js/api.js');
        const { cells } = await get('view');
        const score = ({ ns, ew }) => String((Number(ew) - Number(ns)) * 100);
        for (const cell of cells)
            for (const board of cell.boards)
                await post('lines/typed', { table: cell.table, round: cell.round, board, typed: score(cell) });
        done(cells.length);";
    let typed = format!("(async (...arguments) => {{ {typed} }})(...arguments)");
    let cells = page.client.execute_async(&typed, vec![]).await;
    assert_eq!(
        cells.expect("typed"),
        json!(15),
        "three tables, five rounds"
    );
    page.go(&format!("{address}/#/results")).await;
    page.click("Play is over").await;
    page.click("Release ").await;
    page.sees("main", "page for players' phones").await;
}

/// The championship begins: its rules, and who enters.
async fn begins(page: &mut Page, address: &str) {
    page.go(&format!("{address}/#/competitions")).await;
    page.click_on("#competition-begin summary").await;
    page.fill("What is it?", "championship").await;
    fill(page, "#competition-begin", "Its name", "Pairs of the year").await;
    page.fill("Sessions in all, those to come included", "2")
        .await;
    page.fill("Sessions needed for a place", "2").await;
    page.fill("The best so many count", "2").await;
    page.fill("Of these without a substitute, at least", "1")
        .await;
    page.fill("Sessions that belong to it by themselves", "all")
        .await;
    page.shown("set-up").await;
    page.click_on("#competition-begin button.primary").await;
    page.sees("main h1", "Pairs of the year").await;
    page.click("Pairs that entered").await;
    for (at, [one, other]) in (1..).zip(PAIRS) {
        page.fill("One player", one).await;
        page.fill("The other player", other).await;
        page.click_on("#comp_entries button.primary").await;
        page.until(
            other,
            &format!("return document.querySelectorAll('#comp_entries li').length === {at}"),
        )
        .await;
    }
    page.shown("entered").await;
}

/// Both nights count; answers with the best four, as the standing has them.
async fn stands(page: &mut Page, address: &str) -> Vec<String> {
    page.go(&format!("{address}/#/competitions")).await;
    page.click("Pairs of the year").await;
    page.sees("#competition-sessions", "Sessions: 2 of 2").await;
    page.sees("#competition-standing", "Ann Ace").await;
    page.shown("standing").await;
    let names = "return [...document.querySelectorAll('#competition-standing tbody tr')].map((row) => row.querySelector('td:nth-child(2)').firstChild.textContent)";
    let names = page.script(names, vec![]).await;
    let all: Vec<String> = serde_json::from_value(names).expect("names");
    assert_eq!(all.len(), PAIRS.len(), "{all:?}");
    let [one, other] = PAIRS[0];
    assert!(all[0].contains(one) && all[0].contains(other), "{all:?}");
    all[..4].to_vec()
}

/// The best four meet: a bracket, two matches and the final.
async fn knock_out(page: &mut Page, address: &str, best: &[String]) {
    page.go(&format!("{address}/#/competitions")).await;
    page.sees("#knock-out-draw", "Draw a knock-out").await;
    page.click_on("#knock-out-draw summary").await;
    fill(page, "#knock-out-draw", "Its name", "The final four").await;
    page.fill(
        "Who plays: one a line, the strongest first",
        &best.join("\n"),
    )
    .await;
    page.click_on("#knock-out-draw button.primary").await;
    page.sees("main h1", "The final four").await;
    page.sees("#knock-out-next", "Match 2").await;
    page.shown("bracket").await;
    page.click_on("#match-2 > summary").await;
    fill(page, "#match-2", "Why", "by 12 IMPs").await;
    won(page, 1, 1).await;
    // The wrong button: it is taken back where it was said.
    page.sees("#toast", "Match 1: ").await;
    page.click_on("#toast button").await;
    page.sees("#toast", "Taken back").await;
    page.until(
        "match 1 is open again",
        "return document.querySelector('#match-1 summary .tag') === null",
    )
    .await;
    won(page, 1, 1).await;
    // What was begun about the other match is still there.
    let why = "return [...document.querySelectorAll('#match-2 .field input')][0].value";
    assert_eq!(page.script(why, vec![]).await, json!("by 12 IMPs"));
    won(page, 2, 1).await;
    page.sees("#knock-out-next", "Match 3").await;
    won(page, 3, 1).await;
    page.sees("#knock-out-next", "Every match is settled.")
        .await;
    let drawn = "
        const picture = document.querySelector('main img[src*=\"picture.svg\"]');
        return picture.complete && picture.naturalWidth > 0";
    page.until("the picture of the bracket", drawn).await;
    page.shown("decided").await;
    for place in ["print/knockouts/1", "knockouts/1"] {
        page.go(&format!("{address}/{place}")).await;
        page.sees("main", "Ann Ace").await;
        page.shown(&place.replace('/', "-")).await;
    }
}

/// One side of a match has won.
async fn won(page: &Page, number: u8, side: u8) {
    let open = "document.getElementById(arguments[0]).open = true";
    let name = format!("match-{number}");
    page.script(open, vec![json!(name)]).await;
    page.click_on(&format!("#{name} .buttons button:nth-child({side})"))
        .await;
    let settled = format!(
        "return document.querySelector('#{name} summary .tag')?.textContent.includes('won') ?? false"
    );
    page.until(&format!("match {number} is settled"), &settled)
        .await;
    let seen: Value = page.script("return location.hash", vec![]).await;
    assert!(seen.as_str().is_some_and(|hash| hash.contains("knockout")));
}
