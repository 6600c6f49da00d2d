//! Everything that a director can do in an opened cell, one thing after the other.

use base_station::session::Command;
use protocol::message::{Down, RefusalReason, Up};
use protocol::words::{BoardNumber, PadId, RoundNumber, Strain};
use serde_json::json;
use tests::browser::{DESKTOP, Page, Room, TablePad};

const FIRST: RoundNumber = RoundNumber::FIRST;

/// Five and a half hours ahead of universal time, which is all that this machine may know.
const CLUB: &str = "Asia/Kolkata";

fn board(number: u8) -> BoardNumber {
    BoardNumber::new(number).expect("a board")
}

pub(crate) async fn do_everything() {
    let room = Room::start();
    let movement = room.open_mitchell("Friday pairs", (5, 15), None).await;
    let mut pads = room.log_on_all(&movement).await;
    room.play_round(&movement, FIRST, &mut pads).await;
    let mut page = Page::open("actions", DESKTOP).await;
    page.travel_to(CLUB).await;
    page.go(&room.address).await;
    on_the_wall(&page).await;
    wait_visibly(&mut page).await;
    rule(&mut page).await;
    people_and_places(&mut page).await;
    penalise(&mut page, &room).await;
    another_board(&mut page, &mut pads).await;
    replaced_pad(&mut page, &room, &mut pads).await;
    ring(&mut page, &pads).await;
    page.assert_no_barriers();
    page.close().await;
}

/// The clock on pads and sheets is right without anybody pressing a button.
async fn on_the_wall(page: &Page) {
    let rules = "
        const done = arguments[arguments.length - 1];
        fetch('/api/rules').then((answer) => answer.json()).then((rules) => done(rules.minutes_east))";
    for _ in 0..50 {
        let minutes = page.client.execute_async(rules, vec![]).await;
        if minutes.expect("the rules") == json!(330) {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    panic!("the base does not know what the clock on the wall says");
}

/// Whatever takes longer than half a second shows that it goes on.
async fn wait_visibly(page: &mut Page) {
    page.find("[data-key='A1.1']").await;
    let slow = "window.quick = window.fetch; window.fetch = (...about) => new Promise((done) => setTimeout(() => done(window.quick(...about)), 1500))";
    page.script(slow, vec![]).await;
    page.click_on("[data-key='A1.1']").await;
    page.until(
        "the page shows that it is busy",
        "return getComputedStyle(document.body, '::after').opacity === '1' && document.querySelector('dialog .busy') !== null",
    )
    .await;
    page.screenshot("busy").await;
    page.script("window.fetch = window.quick", vec![]).await;
    page.sees("dialog", "Results of board 1").await;
    page.until(
        "nothing is busy any more",
        "return !document.body.hasAttribute('data-busy')",
    )
    .await;
}

/// Opens a cell at one of its boards.
async fn open(page: &Page, cell: &str, board: u8) {
    page.script(
        "document.getElementById('dialog').open && document.getElementById('dialog').close(); location.hash = '#/room'",
        vec![],
    )
    .await;
    page.click_on(&format!("[data-key='{cell}']")).await;
    let choose = format!(
        "const button = [...document.querySelectorAll('dialog th button')].find((it) => it.textContent === '{board}'); button?.click(); return Boolean(button)"
    );
    page.until(&format!("board {board} can be chosen"), &choose)
        .await;
    page.sees("dialog h3", &format!("Board {board} ")).await;
    page.find("dialog [data-action]").await;
}

/// Chooses an action, fills its fields, saves, and waits for what the board then shows.
async fn act(page: &mut Page, action: &str, fields: &[(&str, &str)], then: &str) {
    page.choose_action(action).await;
    for (label, value) in fields {
        page.fill(label, value).await;
    }
    page.screenshot(&format!("{action}-form")).await;
    page.click_on("dialog form button.primary").await;
    page.sees("dialog tr.chosen", then).await;
    page.shown(action).await;
}

/// What became of a board, and the way back.
async fn rule(page: &mut Page) {
    open(page, "A1.1", 1).await;
    let fields = [
        ("Contract", "3NTX"),
        ("Declarer", "E"),
        ("Result", "-2"),
        ("Lead", ""),
    ];
    act(page, "correct", &fields, "3NT× E −2").await;
    open(page, "A1.1", 2).await;
    act(
        page,
        "late_play",
        &[("Reason", "the room waits")],
        "late play",
    )
    .await;
    open(page, "A1.1", 3).await;
    act(page, "not_played", &[], "not played").await;
    page.click_on("dialog details:not(.action-menu) button")
        .await;
    page.sees("#toast", "Taken back").await;
    page.sees("dialog tr.chosen", "4♠ S").await;
    page.shown("undone").await;
    act(page, "passed_out", &[], "passed out").await;
    open(page, "A1.1", 3).await;
    act(page, "take_away", &[], "not in").await;
    open(page, "A1.1", 3).await;
    page.choose_action("adjust").await;
    let choose = "
        const [ns, ew] = document.querySelectorAll('dialog form fieldset select');
        for (const [select, value] of [[ns, 'AveragePlus'], [ew, 'AverageMinus']]) {
            select.value = value;
            select.dispatchEvent(new Event('change', { bubbles: true }));
        }";
    page.script(choose, vec![]).await;
    page.fill("Reason", "North-South could not help it").await;
    page.click_on("dialog form button.primary").await;
    page.sees("dialog tr.chosen", "adjusted average plus / average minus")
        .await;
    page.sees("dialog", "North-South could not help it").await;
    page.shown("adjusted").await;
}

/// Who really played, which form of the board, and where a result belongs.
async fn people_and_places(page: &mut Page) {
    open(page, "A2.1", 4).await;
    act(page, "pairs", &[("EW", "A3EW")], "other pairs played").await;
    page.sees("dialog .board tr.chosen td:nth-child(2)", "3")
        .await;
    open(page, "A2.1", 5).await;
    page.choose_action("pairs").await;
    page.click("They sat the other way round").await;
    page.until(
        "the pairs have changed seats and the form is gone",
        "return !document.querySelector('dialog form') && [...document.querySelectorAll('dialog tr.chosen')].some((row) => row.cells[0].textContent === '2')",
    )
    .await;
    // A form is small, and fault counts, beside others that played the board as it was.
    let others = "
        const done = arguments[arguments.length - 1];
        (async () => {
            const { csrf } = await (await fetch('/api/login')).json();
            const headers = { 'content-type': 'application/json', 'x-byestand-csrf': csrf };
            for (const [table, round] of [['A2', 2], ['A5', 4], ['A4', 5]])
                await fetch('/api/lines/typed', { method: 'POST', headers, body: JSON.stringify({ table, round, board: 7, typed: '4SS=' }) });
        })().then(() => done(true))";
    let typed = page.client.execute_async(others, vec![]).await;
    assert_eq!(typed.expect("an answer"), json!(true));
    open(page, "A3.1", 7).await;
    page.choose_action("fouled").await;
    // Whose fault it is, and a table that has yet to play the board.
    let choose = "
        const row = (name) => [...document.querySelectorAll('dialog .fouled-table')].find((it) => it.textContent.startsWith(name));
        const fault = row('A3').querySelector('select');
        fault.value = 'NorthSouth';
        fault.dispatchEvent(new Event('change', { bubbles: true }));
        const later = [...document.querySelectorAll('dialog .fouled-table input')].find((it) => !it.checked);
        later.click();
        return later.closest('.fouled-table').querySelector('select').disabled";
    assert_eq!(page.script(choose, vec![]).await, json!(false));
    page.fill("Reason", "two cards exchanged").await;
    page.screenshot("fouled-form").await;
    page.click_on("dialog form button.primary").await;
    page.sees("dialog tr.chosen", "form B").await;
    page.shown("fouled").await;
    page.until(
        "the form stands alone, North-South at fault get the least and East-West the most",
        "return fetch('/api/sections/A/boards/7').then((it) => it.json()).then((board) => {
            const line = board.lines.find((it) => it.form === 'B');
            return line && line.ns_percent < 50 && line.ew_percent > 50 && board.lines.filter((it) => it.form === 'B').length === 1;
        })",
    )
    .await;
    open(page, "A3.1", 8).await;
    page.choose_action("move").await;
    page.fill("Board", "9").await;
    page.click_on("dialog form button.primary").await;
    page.sees("dialog .refusal", "has a result already").await;
    page.shown("move-refused").await;
}

/// A penalty as a regulation has it, and where players will read it.
async fn penalise(page: &mut Page, room: &Room) {
    let named = "
        return (async () => {
            const { csrf } = await (await fetch('/api/login')).json();
            const headers = { 'content-type': 'application/json', 'x-byestand-csrf': csrf };
            for (const [partner, name] of [['First', 'Ada Winter'], ['Second', 'Bea Sommer']]) {
                const body = JSON.stringify({ pair: 'A3NS', partner, number: null, name });
                const said = await fetch('/api/names', { method: 'POST', headers, body });
                if (!said.ok) return await said.text();
            }
            return 'named';
        })()";
    assert_eq!(page.script(named, vec![]).await, json!("named"));
    open(page, "A3.1", 9).await;
    page.choose_action("penalty").await;
    page.sees("dialog form", "Ada Winter").await;
    page.until(
        "the regulations are there",
        "return document.querySelectorAll('dialog form optgroup').length >= 2",
    )
    .await;
    let choose = "
        const option = [...document.querySelectorAll('dialog form option')].find((it) => it.textContent.includes('5 to 10 minutes late') && it.textContent.includes('SABF pairs'));
        option.parentElement.parentElement.value = option.value;
        option.parentElement.parentElement.dispatchEvent(new Event('change', { bubbles: true }));
        return [...document.querySelectorAll('dialog form .field')].map((it) => it.querySelector('input, select').value).slice(-3)";
    let filled = page.script(choose, vec![]).await;
    assert_eq!(
        filled,
        json!(["PercentOfTop", "15", "late arrival: 5 to 10 minutes late"])
    );
    page.shown("penalty-by-regulation").await;
    page.click_on("dialog form button.primary").await;
    page.sees("#toast", "Saved").await;
    page.go(&format!("{}/print/ranking", room.address)).await;
    page.sees("main", "NS 3").await;
    page.sees("ul.penalties", "Ada Winter").await;
    page.sees("main", "minus 15% of a top = −").await;
    page.until(
        "why is not for everybody to read",
        "return !document.querySelector('main').textContent.includes('late arrival')",
    )
    .await;
    page.sees(".not-final", "has not released").await;
    let now = "
        const at = (minutes) => new Date(Date.now() - minutes * 60000).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
        return [at(0), at(1)].some((time) => document.querySelector('footer').textContent.includes(time))";
    page.until("the sheet has the time of the club's wall", now)
        .await;
    page.shown("ranking-with-penalty").await;
    page.go(&room.address).await;
}

/// Table 5 has boards that it should not have. The director looks, allows one and refuses the
/// other; of a board that nobody plays tonight the director hears nothing.
async fn another_board(page: &mut Page, pads: &mut [TablePad]) {
    let fifth = pads.get_mut(4).expect("five pads");
    let want = |number| Up::BoardWanted {
        round: FIRST,
        board: board(number),
    };
    let answers = fifth.say(want(20)).await;
    let reason = RefusalReason::BoardNotOfSession;
    assert!(
        matches!(answers[..], [Down::BoardRefused { reason: said, .. }] if said == reason),
        "{answers:?}"
    );
    for number in [10, 11] {
        assert!(
            fifth.say(want(number)).await.is_empty(),
            "nobody has decided"
        );
    }
    open(page, "A5.1", 13).await;
    page.sees("dialog .flagged", "wants to enter board 10")
        .await;
    page.sees("dialog .flagged", "wants to enter board 11")
        .await;
    page.shown("board-wanted").await;
    for (number, answer) in [(10, "Allow the board"), (11, "Refuse the board")] {
        page.click(answer).await;
        let answered = format!(
            "return ![...document.querySelectorAll('dialog .flagged')].some((it) => it.textContent.includes('board {number}'))"
        );
        page.until(
            &format!("the question of board {number} is answered"),
            &answered,
        )
        .await;
    }
    open(page, "A4.1", 10).await;
    page.choose_action("allow").await;
    page.fill("Board", "19").await;
    page.click_on("dialog form button.primary").await;
    page.sees("dialog .refusal", "plays board 19 in this session")
        .await;
    page.shown("allow-refused").await;
    page.fill("Board", "9").await;
    page.click_on("dialog form button.primary").await;
    page.until(
        "the board is allowed and the form is gone",
        "return !document.querySelector('dialog form')",
    )
    .await;
}

/// A replaced pad still held two results: one is used, one ignored.
async fn replaced_pad(page: &mut Page, room: &Room, pads: &mut [TablePad]) {
    let second = RoundNumber::new(2).expect("a round");
    let old = pads.get_mut(3).expect("five pads");
    room.ask_to_replace("A4", 0xF4).await;
    room.direct(Command::AnswerReplace {
        table: old.table,
        pad: PadId::new(0xF4).expect("a pad"),
        allowed: true,
    })
    .await;
    let spare = room.replace("A4", 0xF4).await;
    for number in [13, 14] {
        let held = room.result(
            board(number),
            Strain::Hearts,
            2,
            protocol::words::Seat::East,
            8,
        );
        old.hold(second, board(number), held).await;
    }
    open(page, "A4.2", 13).await;
    page.sees("dialog .flagged", "the pad that was replaced still held it")
        .await;
    page.shown("held-by-the-old-pad").await;
    page.click_on("dialog .flagged button.primary").await;
    page.sees("dialog tr.chosen", "2♥ E =").await;
    open(page, "A4.2", 14).await;
    page.sees("dialog .flagged", "board 14").await;
    page.click("Ignore it").await;
    page.until(
        "nothing waits any more",
        "return ![...document.querySelectorAll('dialog .flagged')].some((it) => it.textContent.includes('still held it'))",
    )
    .await;
    page.sees("dialog tr.chosen", "not in").await;
    page.shown("used-and-ignored").await;
    *old = spare;
}

/// A table calls: a bell that can be muted, and words that stand until somebody goes there.
async fn ring(page: &mut Page, pads: &[TablePad]) {
    page.script("document.getElementById('dialog').close(); window.rung = 0; const start = OscillatorNode.prototype.start; OscillatorNode.prototype.start = function (...at) { window.rung += 1; return start.apply(this, at); }", vec![]).await;
    let first = pads.first().expect("five pads");
    first.say(Up::CallDirector).await;
    page.sees(".strip .call strong", "table A1").await;
    page.until("the bell rings", "return window.rung >= 2")
        .await;
    page.until(
        "the window is named after the call",
        "return document.title.startsWith('‼ A1')",
    )
    .await;
    page.shown("called").await;
    page.click("Turn the bell off").await;
    page.sees(".strip .call", "Turn the bell on").await;
    page.script("window.rung = 0", vec![]).await;
    pads.get(1).expect("five pads").say(Up::CallDirector).await;
    page.sees(".strip .call strong", "A1, A2").await;
    page.shown("called-muted").await;
    assert_eq!(page.script("return window.rung", vec![]).await, json!(0));
    page.click("Table A1 seen to").await;
    page.click("Table A2 seen to").await;
    page.until(
        "nobody calls",
        "return !document.querySelector('.strip .call') && !document.title.startsWith('‼')",
    )
    .await;
}
