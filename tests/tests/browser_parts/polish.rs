//! What makes the page a finished one: a header that stays where it is, edges that tell that there
//! is more, calls as notifications, one hand on a phone, one type and one scale on every page.

use base_station::session::Command;
use protocol::message::Up;
use protocol::words::RoundNumber;
use serde_json::{Value, json};
use tests::browser::{DESKTOP, PAGES, PHONE, Page, Room, begin_competitions};

use super::large_room::println_measured;

/// Nobody waits longer for the page on the base's own laptop. Without optimisation, on a machine
/// that is busy with other tests, everything takes several times as long.
const SHOWN_MS_MAX: f64 = if cfg!(debug_assertions) {
    4_000.0
} else {
    1_000.0
};

async fn five_tables(name: &str) -> (Room, Vec<tests::browser::TablePad>) {
    let room = Room::start();
    let movement = room.open_mitchell(name, (5, 15), None).await;
    let mut pads = room.log_on_all(&movement).await;
    room.play_round(&movement, RoundNumber::FIRST, &mut pads)
        .await;
    (room, pads)
}

/// Where title, tabs and grid are.
async fn places(page: &Page) -> Value {
    let places = "return ['#top', '#tabs', '.grid-box'].map((css) => { const { top, height } = document.querySelector(css).getBoundingClientRect(); return css === '.grid-box' ? [top] : [top, height] })";
    page.script(places, vec![]).await
}

pub(crate) async fn nothing_jumps() {
    let (room, _pads) =
        five_tables("An evening with a very long name that says everything about it").await;
    for size in [DESKTOP, PHONE] {
        let mut page = Page::open("stays", size).await;
        page.go(&room.address).await;
        page.sees(".grid", "A5").await;
        let before = places(&page).await;
        room.direct(Command::StartClock {
            round: RoundNumber::FIRST,
        })
        .await;
        page.sees("#clock", ":").await;
        assert_eq!(places(&page).await, before, "the clock runs");
        room.direct(Command::SetGate { open: false }).await;
        page.sees("#top", "Start pads").await;
        assert_eq!(places(&page).await, before, "pads are stopped");
        room.direct(Command::HoldClock).await;
        page.sees("#clock", "held").await;
        assert_eq!(places(&page).await, before, "the clock is held");
        page.shown("stopped").await;
        room.direct(Command::SetGate { open: true }).await;
        page.sees("#top", "Stop pads").await;
        page.assert_no_barriers();
        page.close().await;
    }
    edges(&room).await;
}

/// The grid fades where more rounds are, until the last one is seen.
async fn edges(room: &Room) {
    let mut page = Page::open("edges", PHONE).await;
    page.go(&room.address).await;
    page.until(
        "there is more to the right",
        "return document.querySelector('.grid-box')?.classList.contains('more-right') ?? false",
    )
    .await;
    page.shown("more").await;
    page.script(
        "document.querySelector('.grid-box').scrollLeft = 9999",
        vec![],
    )
    .await;
    page.until(
        "there was more to the left",
        "const { classList } = document.querySelector('.grid-box'); return classList.contains('more-left') && !classList.contains('more-right')",
    )
    .await;
    page.shown("end").await;
    page.assert_no_barriers();
    page.close().await;
}

pub(crate) async fn one_hand() {
    let (room, pads) = five_tables("On the way").await;
    let mut page = Page::open("one-hand", PHONE).await;
    page.go(&room.address).await;
    page.sees(".grid", "A5").await;
    // Tabs and what closes a dialog are where the thumb is.
    let low = |css: &str| {
        format!(
            "const {{ top, bottom }} = document.querySelector(\"{css}\").getBoundingClientRect(); return top > innerHeight * .6 && bottom <= innerHeight + 1"
        )
    };
    assert_eq!(page.script(&low(".tabs"), vec![]).await, json!(true));
    page.click_on("[data-key='A1.1']").await;
    page.sees("dialog", "Results of board").await;
    assert_eq!(
        page.script(&low("dialog .close"), vec![]).await,
        json!(true)
    );
    // The traveller has round and pairs.
    let columns = "return [...document.querySelectorAll('dialog .board table thead th')].filter((cell) => cell.offsetParent).map((cell) => cell.textContent).slice(0, 4)";
    assert_eq!(
        page.script(columns, vec![]).await,
        json!(["NS", "EW", "Rd", "Contract"])
    );
    page.shown("cell").await;
    correct_and_undo(&mut page).await;
    called(&mut page, &room, &pads).await;
    full_screen(&mut page).await;
    page.assert_no_barriers();
    page.close().await;
}

/// The history on a phone has its buttons, and says what was taken back.
async fn correct_and_undo(page: &mut Page) {
    page.choose_action("correct").await;
    page.fill("Contract", "3NT").await;
    page.click_on("dialog form button.primary").await;
    page.sees("#toast", "3NT").await;
    page.click_on("dialog .close").await;
    page.script("location.hash = '#/history'", vec![]).await;
    page.sees("main", "3NT").await;
    let button = "const button = [...document.querySelectorAll('main tbody button')].find((it) => it.textContent.includes('Undo')); const { left, right } = button.getBoundingClientRect(); return left >= 0 && right <= innerWidth";
    assert_eq!(page.script(button, vec![]).await, json!(true), "in reach");
    page.shown("history").await;
    page.click("Undo").await;
    page.sees("#toast", "Taken back").await;
    page.sees("main", "taken back: table A1 round 1 board")
        .await;
    page.shown("history-after").await;
}

/// A call is a notification of the phone while the page is open, until it is seen to.
async fn called(page: &mut Page, room: &Room, pads: &[tests::browser::TablePad]) {
    let allowed = json!({ "permissions": ["notifications"], "origin": room.address });
    page.devtools("Browser.grantPermissions", allowed).await;
    page.script("location.hash = '#/more'", vec![]).await;
    page.sees("main", "Also as a notification").await;
    page.script(
        "[...document.querySelectorAll('label.choice')].find((it) => it.textContent.includes('notification')).querySelector('input').click()",
        vec![],
    )
    .await;
    shown_notes(page, "Calls to the director are shown like this.").await;
    let pad = pads.get(2).expect("five pads");
    pad.say(Up::CallDirector).await;
    page.sees("#strip", "table A3").await;
    shown_notes(page, "Table A3 calls the director").await;
    page.shown("called").await;
    page.click("Table A3 seen to").await;
    shown_notes(page, "").await;
}

/// Waits until the machine shows these notifications.
async fn shown_notes(page: &Page, wanted: &str) {
    let ask = "
        const done = arguments[arguments.length - 1];
        navigator.serviceWorker.getRegistration('/assets/js/').then((it) => it?.getNotifications() ?? []).then((all) => done(all.map((note) => note.title).join()))";
    let until = std::time::Instant::now() + std::time::Duration::from_secs(15);
    loop {
        let shown = page.client.execute_async(ask, vec![]).await;
        let shown = shown.expect("notifications");
        if shown == json!(wanted) {
            return;
        }
        assert!(std::time::Instant::now() < until, "{shown}, not {wanted}");
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
}

async fn full_screen(page: &mut Page) {
    page.script("location.hash = '#/clock'", vec![]).await;
    page.sees("main", "Start round").await;
    page.shown("clock").await;
    page.click("Full screen").await;
    page.until(
        "the clock has the whole screen",
        "return document.fullscreenElement !== null",
    )
    .await;
    page.script("return document.exitFullscreen()", vec![])
        .await;
}

/// Texts that are not of the page's type, or of a size or a corner beside the scale of DESIGN.md.
const BESIDE_THE_SCALE: &str = "
    const root = parseFloat(getComputedStyle(document.documentElement).fontSize);
    const sizes = [.8, .9, 1, 1.15, 1.4], corners = [0, .3, .5, .8, 1];
    const near = (list, value) => list.some((one) => Math.abs(one - value) < .012);
    const own = '.display, .big-clock, .big-say, svg, .device, input[type=checkbox], input[type=radio], .busy, .visually-hidden, .qr';
    const found = new Set();
    for (const element of document.querySelectorAll('#top *, #tabs *, #strip *, main *, dialog *')) {
        if (!element.offsetParent || element.closest(own)) continue;
        const style = getComputedStyle(element);
        const name = `${element.tagName.toLowerCase()}.${element.className}`;
        if ([...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim())) {
            if (!style.fontFamily.startsWith('\"Noto Sans\"') && !element.closest('code, pre')) found.add(`${name}: ${style.fontFamily}`);
            if (!near(sizes, parseFloat(style.fontSize) / root)) found.add(`${name}: ${(parseFloat(style.fontSize) / root).toFixed(3)} rem`);
        }
        const corner = style.borderTopLeftRadius;
        if (!corner.endsWith('%') && !near(corners, parseFloat(corner) / root)) found.add(`${name}: corner ${(parseFloat(corner) / root).toFixed(3)} rem`);
    }
    return [...found].slice(0, 12)";

pub(crate) async fn one_look() {
    let (room, _pads) = five_tables("Last Monday").await;
    begin_competitions(&room.address);
    let mut page = Page::open("look", DESKTOP).await;
    // The components have an address of their own.
    page.go(&format!("{}/styleguide", room.address)).await;
    page.sees("main h1", "Components").await;
    page.until(
        "the type has come with the program",
        "return [...document.fonts].filter((font) => font.status === 'loaded').length === 2",
    )
    .await;
    page.until(
        "the icons are drawn",
        "return [...document.querySelectorAll('main .icon')].every((it) => it.getBoundingClientRect().width > 8)",
    )
    .await;
    page.shown("styleguide").await;
    page.darken().await;
    page.shown("styleguide-dark").await;
    page.colours("light").await;
    let mut beside = Vec::new();
    for name in PAGES.iter().filter(|name| **name != "display") {
        let go =
            format!("document.querySelector('main').replaceChildren(); location.hash = '#/{name}'");
        page.script(&go, vec![]).await;
        let there = format!(
            "return document.querySelector('main').dataset.page === '{}' && !!document.querySelector('main h1') && !document.body.hasAttribute('data-busy')",
            name.split('/').next().unwrap_or_default()
        );
        page.until(&format!("page {name}"), &there).await;
        page.shown(&name.replace('/', "-")).await;
        let found = page.script(BESIDE_THE_SCALE, vec![]).await;
        if found != json!([]) {
            beside.push(format!("{name}: {found}"));
        }
    }
    assert!(beside.is_empty(), "{beside:#?}");
    // Whoever leaves the scale is found.
    let strange = "document.querySelector('main').insertAdjacentHTML('beforeend', '<p id=strange>x</p>'); Object.assign(document.getElementById('strange').style, { font: '13.7px serif', borderRadius: '7px' })";
    page.script(strange, vec![]).await;
    let found = page.script(BESIDE_THE_SCALE, vec![]).await;
    assert_eq!(found.as_array().map(Vec::len), Some(3), "{found}");
    page.assert_no_barriers();
    page.close().await;
}

pub(crate) async fn first_load() {
    let (room, _pads) = five_tables("First load").await;
    let page = Page::open("first-load", DESKTOP).await;
    page.go(&room.address).await;
    page.sees(".grid", "A5").await;
    page.until(
        "the type is there",
        "return [...document.fonts].filter((font) => font.status === 'loaded').length === 2",
    )
    .await;
    let load = "
        const all = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].filter((it) => !it.name.includes('/api/events'));
        const bytes = (of) => of.reduce((sum, it) => sum + it.transferSize, 0);
        const fonts = all.filter((it) => it.name.includes('/fonts/'));
        return [all.length, bytes(all), bytes(fonts), performance.getEntriesByName('shown')[0].startTime, performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0]";
    let load = page.script(load, vec![]).await;
    let load: Vec<f64> = serde_json::from_value(load).expect("numbers");
    let [requests, bytes, fonts, shown, painted] = load[..] else {
        panic!("{load:?}");
    };
    println_measured(&format!(
        "first load of the page: {requests} requests, {bytes} bytes ({fonts} of them the type); painted after {painted:.0} ms, interactive after {shown:.0} ms"
    ));
    assert!(shown < SHOWN_MS_MAX, "{shown} ms");
    assert!(fonts < 120_000.0, "the usual letters alone: {fonts} bytes");
    // A second visit brings what has changed, and not the type again.
    page.go(&room.address).await;
    page.sees(".grid", "A5").await;
    let again = "return performance.getEntriesByType('resource').filter((it) => it.name.includes('/fonts/')).reduce((sum, it) => sum + it.transferSize, 0)";
    assert_eq!(page.script(again, vec![]).await, json!(0));
    // A browser has six connections for one base station, and keeps pages for "back".
    for _ in 0..7 {
        page.go(&format!("{}/print/names", room.address)).await;
        page.go(&room.address).await;
        page.sees(".grid", "A5").await;
    }
    page.close().await;
}
