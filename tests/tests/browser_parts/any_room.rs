//! Every movement can be chosen on the page, is drawn before it is played, and several sections and
//! evenings do not get in each other's way.

use base_station::session::Command;
use fantoccini::Locator;
use serde_json::json;
use tests::browser::{DESKTOP, PHONE, Page, Room};

const ENTER: &str = "\u{e007}";

/// A movement that a club has written down.
const OWN: &str = "name: Three of ours\nlists: two\n\nround 1\n1: 1 1 1-2\n2: 2 2 3-4\n3: 3 3 5-6\n\nround 2\n1: 1 3 3-4\n2: 2 1 5-6\n3: 3 2 1-2\n";

pub(crate) async fn choose_any() {
    let room = Room::start();
    let mut page = Page::open("any-room", DESKTOP).await;
    page.go(&room.address).await;
    page.fill("Event", "Winter pairs").await;
    // Enter does what the button below does.
    page.script(
        "[...document.querySelectorAll('#setup-event input')][0].focus()",
        vec![],
    )
    .await;
    page.keys(ENTER).await;
    page.sees(".title", "Winter pairs").await;
    shared_boards(&mut page).await;
    curtailed(&mut page).await;
    from_a_file(&mut page).await;
    written_here(&mut page).await;
    game_options(&mut page).await;
    one_after_the_other(&mut page, &room).await;
    another_event(&mut page, &room).await;
    page.assert_no_barriers();
    page.close().await;
}

/// The adviser's room with a bye-stand and two tables that share is drawn before it is taken.
async fn shared_boards(page: &mut Page) {
    page.fill("Tables", "12").await;
    page.script(
        "[...document.querySelectorAll('#setup-sections input')][0].focus()",
        vec![],
    )
    .await;
    page.keys(ENTER).await;
    page.sees(".suggestion", "12 rounds of 2 boards").await;
    page.sees(".suggestion", "what most clubs play").await;
    for jargon in ["phantom", "manual", "twosome", "displaced"] {
        let text = page.text("#setup-sections").await;
        assert!(!text.contains(jargon), "{jargon} in {text}");
    }
    page.click("Picture of the room").await;
    page.find(".suggestion .room-drawing").await;
    let drawn = "
        const picture = document.querySelector('.suggestion .room-drawing');
        const count = (css) => picture.querySelectorAll(css).length;
        return [count('rect.table'), count('rect.shared'), count('rect.stand') > 0, count('.way.ew'), count('.way.moved') > 8]";
    let drawn = page.script(drawn, vec![]).await;
    assert_eq!(
        drawn,
        json!([12, 2, true, 12, true]),
        "tables, sharing, bye-stand, moves"
    );
    page.script(
        "document.querySelector('.suggestion .room-drawing').scrollIntoView({ block: 'center' })",
        vec![],
    )
    .await;
    page.shown("picture").await;
    page.resize(PHONE).await;
    page.shown("picture-on-a-phone").await;
    page.resize(DESKTOP).await;
    page.darken().await;
    page.shown("picture-in-the-dark").await;
    page.colours("light").await;
    // Every other round is a click away, up to the last one.
    for round in 2..=12 {
        page.click_on(".suggestion .picture-turn button:last-of-type")
            .await;
        page.sees(
            ".suggestion .picture-turn b",
            &format!("Round {round} of 12"),
        )
        .await;
        if round == 4 {
            page.shown("picture-of-round-4").await;
        }
    }
    page.sees(".suggestion .room-picture", "Round 12, the last one.")
        .await;
    let ways = "return document.querySelectorAll('.suggestion .room-drawing .way').length";
    assert_eq!(page.script(ways, vec![]).await, json!(0));
}

/// A Mitchell that ends early, begins with board 9, at tables 5 to 12.
async fn curtailed(page: &mut Page) {
    page.fill("Tables", "8").await;
    page.click("Choose any movement yourself").await;
    page.fill("With an even number of tables", "skip").await;
    page.fill("Boards in play", "24").await;
    page.fill("Stop after round", "6").await;
    page.fill("First board", "9").await;
    page.fill("Table numbers in the room", "5-11").await;
    page.click("Show me the room").await;
    page.sees("#setup-sections .refusal", "8 different table numbers")
        .await;
    page.fill("Table numbers in the room", "5-12").await;
    page.click("Show me the room").await;
    page.sees(".own-movement", "8 tables, 6 rounds, 24 boards")
        .await;
    page.find(".own-movement .room-drawing").await;
    page.shown("own-choice").await;
    page.click_on(".own-movement button.primary").await;
    page.sees(".section-list", "A Red").await;
    let cells = "
        const done = arguments[arguments.length - 1];
        fetch('/api/view').then((answer) => answer.json()).then((view) => done([
            view.tables.map((table) => table.table),
            Math.max(...view.cells.map((cell) => cell.round)),
            Math.min(...view.cells.flatMap((cell) => cell.boards)),
            Math.max(...view.cells.flatMap((cell) => cell.boards))]))";
    let cells = page.client.execute_async(cells, vec![]).await;
    assert_eq!(
        cells.expect("the picture"),
        json!([
            ["A5", "A6", "A7", "A8", "A9", "A10", "A11", "A12"],
            6,
            9,
            32
        ])
    );
}

/// The next section has a colour of its own by itself, and plays what the club has written down.
async fn from_a_file(page: &mut Page) {
    page.click("Add another section").await;
    let proposed = "return [...document.querySelectorAll('#setup-sections .field')].find((field) => field.textContent.startsWith('Colour')).querySelector('input').value";
    assert_eq!(page.script(proposed, vec![]).await, json!("Blue"));
    page.fill("Movement", "file").await;
    for field in ["Stop after round", "Table numbers in the room"] {
        page.fill(field, "").await;
    }
    page.fill("First board", "1").await;
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text, seen) in [
        (
            "wrong.txt",
            "name: Ours\n\nround 2\n1: 1 1 1-2\n",
            "Line 3, column 7",
        ),
        ("ours.txt", OWN, "Three of ours"),
    ] {
        let file = folder.path().join(name);
        std::fs::write(&file, text).expect("a file");
        let input = page
            .client
            .find(Locator::Css(".own-movement input[type=file]"));
        let input = input.await.expect("a place for the file");
        input
            .send_keys(&file.to_string_lossy())
            .await
            .expect("the file is chosen");
        page.click("Show me the room").await;
        page.sees("#setup-sections", seen).await;
        page.shown(name.trim_end_matches(".txt")).await;
    }
    page.click_on(".own-movement button.primary").await;
    page.sees(".section-list", "B Blue").await;
    page.sees(".section-list", "Three of ours").await;
}

/// A movement written here: one that is nearly right is written out, a line is typed wrongly and
/// put right, and the third section plays it.
async fn written_here(page: &mut Page) {
    const WRITTEN: &str = "The movement, a line for each table in each round";
    page.click("Add another section").await;
    page.fill("Movement", "mitchell").await;
    page.fill("With an even number of tables", "").await;
    page.fill("Tables", "3").await;
    page.fill("Boards in play", "9").await;
    page.click("Show me the room").await;
    page.sees(".own-movement", "3 tables, 3 rounds, 9 boards")
        .await;
    page.click("Write it out, to change it").await;
    let lines = "return document.querySelector('.own-movement textarea').value";
    let lines = page.script(lines, vec![]).await;
    let lines = lines.as_str().expect("the movement").to_owned();
    assert!(lines.contains("round 3\n1: 1 "), "{lines}");
    page.shown("written-out").await;
    // The club's own: the third round is not played, and the evening has a name.
    let end = lines.find("round 3").expect("three rounds");
    let first = lines.find("lists:").expect("one list or two");
    let ours = format!("name: Short and ours\n{}", &lines[first..end]);
    page.fill(WRITTEN, &ours.replace("round 2\n1: 1 ", "round 2\n1: X "))
        .await;
    page.click("Show me the room").await;
    page.sees("#setup-sections .refusal", "pair's number or -, not `X`")
        .await;
    page.shown("written-wrongly").await;
    page.fill(WRITTEN, &ours).await;
    page.click("Show me the room").await;
    page.sees(".own-movement", "Short and ours 3 tables, 2 rounds")
        .await;
    page.resize(PHONE).await;
    page.shown("written-here-on-a-phone").await;
    page.resize(DESKTOP).await;
    page.click_on(".own-movement button.primary").await;
    page.sees(".section-list", "Short and ours").await;
    page.click_on(".section-line:last-of-type button").await;
    page.sees("#toast", "Saved").await;
}

/// PIN, feedback, rankings and hand records stand together, and are saved before anybody logs on.
async fn game_options(page: &mut Page) {
    page.click("4. Settings").await;
    let card = "const text = document.querySelector('#setup-settings').textContent; return ['East accepts with', 'After a board show', 'Director\\'s PIN', 'Show the cards after a board', 'Show the ranking on pads'].filter((name) => !text.includes(name))";
    assert_eq!(page.script(card, vec![]).await, json!([]));
    page.fill("After a board show", "Percentage").await;
    page.fill("East accepts with", "Pin").await;
    page.sees("#toast", "East accepts with: ").await;
    page.click_on("#toast button").await;
    page.sees("#toast", "Taken back").await;
    let plain = "return [...document.querySelectorAll('#setup-settings .field')].find((it) => it.textContent.startsWith('East accepts')).querySelector('select').value";
    assert_eq!(page.script(plain, vec![]).await, json!("Plain"));
    page.fill("East accepts with", "Pin").await;
    page.sees("#toast", "East accepts with: ").await;
    page.shown("game-options").await;
    let saved = "const done = arguments[arguments.length - 1]; fetch('/api/settings').then((answer) => answer.json()).then((it) => done([it.pads.feedback, it.pads.acceptance]))";
    let saved = page.client.execute_async(saved, vec![]).await;
    assert_eq!(saved.expect("settings"), json!(["Percentage", "Pin"]));
    // A PIN keeps the zeros that it begins with.
    page.fill("Director's PIN", "0042").await;
    page.click("Choose this PIN").await;
    let kept = "return [...document.querySelectorAll('#setup-settings input')].some((input) => input.value === '0042')";
    page.until("the PIN with its zeros", kept).await;
}

/// Section A is let in first; B's tables wait until it is their turn.
async fn one_after_the_other(page: &mut Page, room: &Room) {
    let tick = |letter: &str| {
        format!(
            "document.querySelector('#toast').replaceChildren(); [...document.querySelectorAll('.section-line')].find((line) => line.textContent.startsWith('{letter} ')).querySelector('label.choice input').click()"
        )
    };
    page.script(&tick("B"), vec![]).await;
    page.sees("#toast", "Saved").await;
    page.shown("sections").await;
    page.click("Open for log-on").await;
    page.sees(".grid", "A5").await;
    room.log_on("A5", 0xA5).await;
    assert!(!room.may_log_on("B1", 0xB1).await, "B has to wait");
    page.go(&format!("{}/#/setup", room.address)).await;
    page.sees(".section-list", "B Blue").await;
    page.script(&tick("B"), vec![]).await;
    page.sees("#toast", "Saved").await;
    assert!(room.may_log_on("B1", 0xB1).await, "now B is let in");
}

/// Whoever begins another event leaves the room that plays, and is asked.
async fn another_event(page: &mut Page, room: &Room) {
    page.click("Another event").await;
    page.fill("Event", "By mistake").await;
    page.click("Create").await;
    page.sees("#setup-event .refusal", "Winter pairs is still open")
        .await;
    page.shown("leave-the-room").await;
    page.go(&format!("{}/#/room", room.address)).await;
    page.sees(".title", "Winter pairs").await;
    room.direct(Command::EndPlay).await;
}
