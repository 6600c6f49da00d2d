//! How a phone looks: in every language, upright and on its side, on a small phone and on a 10-inch
//! tablet, light and dark; and what it says before play where the browser can't do everything.

use serde_json::{Value, json};
use tests::browser::{DESKTOP, Looks, PHONE, Page, Size};
use tests::daemon::Daemon;
use tests::phones::{Cable, link, set_up};

use super::phones::{play_on, results, screen, sit_down, tap, through};

/// Phones and tablets, each both ways.
const SIZES: [Size; 4] = [
    PHONE,
    size("phone-on-its-side", 740, 360),
    size("tablet-upright", 800, 1_280),
    size("tablet", 1_280, 800),
];

const fn size(name: &'static str, width: u32, height: u32) -> Size {
    Size {
        name,
        width,
        height,
    }
}

/// Keys that are too small for a finger or for their text, or not to be seen without scrolling.
const OUT_OF_REACH: &str = "
    const shown = [...document.querySelectorAll('[data-key]')].map((key) => [key, key.getBoundingClientRect()]);
    const small = shown.filter(([, { width, height }]) => width < 44 || height < 44);
    const hidden = shown.filter(([, { left, top, right, bottom }]) => left < 0 || top < 0 || right > innerWidth + 1 || bottom > innerHeight + 1);
    const full = shown.filter(([key]) => key.scrollWidth > key.clientWidth + 1);
    return [...full.map(([key]) => `${key.dataset.label} does not fit`), ...small.map(([key]) => `${key.dataset.label} is small`), ...hidden.map(([key]) => `${key.dataset.label} is outside`)]";

/// A browser that speaks another language.
async fn speak(page: &Page, language: &str) {
    let agent = page.script("return navigator.userAgent", vec![]).await;
    let agent = agent
        .as_str()
        .expect("a text")
        .replace("X11; Linux x86_64", "Linux; Android 14");
    let agent = json!({ "userAgent": agent.replace("Safari/", "Mobile Safari/"), "acceptLanguage": language });
    page.devtools("Emulation.setUserAgentOverride", agent).await;
}

/// A script that runs before those of every page from now on.
async fn beforehand(page: &Page, source: &str) -> Value {
    let added = page.devtools(
        "Page.addScriptToEvaluateOnNewDocument",
        json!({ "source": source }),
    );
    added.await["value"]["identifier"].clone()
}

/// Every page that a phone shows, in every language, searched for barriers.
pub(crate) async fn in_every_language() {
    let daemon = Daemon::start(&[], 19_200);
    set_up(&daemon, 4, 12);
    let mut page = Page::open("phone-languages", PHONE).await;
    let cables = [
        Cable::new(161, daemon.address()).await,
        Cable::new(162, daemon.address()).await,
        Cable::new(163, daemon.address()).await,
        Cable::new(164, daemon.address()).await,
    ];
    let languages = [
        ("en", "Scan a code", "A1", "English"),
        ("fr", "Scannez", "A2", "French"),
        ("nl", "Scan", "A3", "Dutch"),
        ("de", "Code", "A4", "German"),
    ];
    let plain = "Object.defineProperty(window, 'isSecureContext', { value: false });
        delete Navigator.prototype.wakeLock;";
    for ((language, scan, table, pads), cable) in languages.into_iter().zip(&cables) {
        let mut settings = daemon.get("settings");
        settings["pads"]["language"] = json!(pads);
        let set = daemon.put("settings", &settings);
        assert!(set["problem"].is_null(), "{set}");
        speak(&page, language).await;
        let name = |step: &str| format!("{language}-{step}");
        page.go(&format!("http://{}/phone", cable.address)).await;
        page.sees("h1", scan).await;
        page.shown(&name("scan")).await;
        let script = beforehand(&page, plain).await;
        page.go("about:blank").await;
        page.go(&through(cable, &link(&daemon, table))).await;
        page.find("#understood").await;
        page.shown(&name("before-play")).await;
        page.look(&name("before-play"), Looks::Colours).await;
        page.click_on("#understood").await;
        screen(&page, "Players").await;
        let lang = page.script("return document.documentElement.lang", vec![]);
        assert_eq!(lang.await, json!(language), "the pad's own language");
        page.shown(&name("players")).await;
        play_on(&page, "RoundStart").await;
        page.shown(&name("round-start")).await;
        play_on(&page, "Entry").await;
        page.shown(&name("entry")).await;
        play_on(&page, "Check").await;
        page.shown(&name("check")).await;
        page.look(&name("check"), Looks::Colours).await;
        let remove = json!({ "identifier": script });
        page.devtools("Page.removeScriptToEvaluateOnNewDocument", remove)
            .await;
        own_phone(&mut page, &daemon, table, language).await;
    }
    page.assert_no_barriers();
    directors(&daemon).await;
}

/// East-West's own phone in the same language: its card, and the code that brought it here.
async fn own_phone(page: &mut Page, daemon: &Daemon, table: &str, language: &str) {
    tap(page, "BACK").await;
    screen(page, "Entry").await;
    tap(page, "CLEAR").await;
    screen(page, "Entry").await;
    page.click_on("button.more").await;
    screen(page, "own-code").await;
    page.shown(&format!("{language}-own-code")).await;
    let code = "return document.querySelector('.code').dataset.link";
    let code = page.script(code, vec![]).await;
    let number = 170
        + table
            .trim_start_matches('A')
            .parse::<u8>()
            .expect("a table");
    let cable = Cable::new(number, daemon.address()).await;
    page.go(&through(&cable, code.as_str().expect("a link")))
        .await;
    screen(page, "own").await;
    let lang = page.script("return document.documentElement.lang", vec![]);
    assert_eq!(lang.await, json!(language), "whoever's phone it is");
    page.shown(&format!("{language}-own")).await;
    page.look(&format!("{language}-own"), Looks::Colours).await;
}

/// The director's list of phones, in every language.
async fn directors(daemon: &Daemon) {
    let mut page = Page::open("phones-director-languages", DESKTOP).await;
    page.go(&format!("http://{}/#/phones", daemon.address()))
        .await;
    for language in ["en", "de", "fr", "nl"] {
        let choose = format!("localStorage.setItem('language', '{language}')");
        page.script(&choose, vec![]).await;
        page.script("location.hash = '#/phones'", vec![]).await;
        page.client.refresh().await.expect("it comes again");
        page.find("#codes a").await;
        page.shown(language).await;
        page.script("location.hash = '#/room'", vec![]).await;
        page.find(".table-head .device").await;
        page.shown(&format!("{language}-room")).await;
    }
    page.assert_no_barriers();
}

/// A board on every kind of device: nobody has to scroll for a key.
pub(crate) async fn in_every_size() {
    let daemon = Daemon::start(&[], 19_200);
    set_up(&daemon, 4, 12);
    let mut page = Page::open("phone-sizes", PHONE).await;
    let _seat = sit_down(&page, &daemon, 1, true).await;
    let mut found = Vec::new();
    let steps = [
        ("players", "Players", &[] as &[&str]),
        ("level", "Entry", &[]),
        ("strain", "Entry", &["4"]),
        ("declarer", "Entry", &["♠"]),
        ("lead-suit", "Entry", &["S"]),
        ("lead-rank", "Entry", &["♦"]),
        ("tricks", "Entry", &["K"]),
        ("typed", "Entry", &["="]),
        ("check", "Check", &["OK"]),
        ("next", "Entry", &["ACCEPT"]),
    ];
    for (step, wanted, keys) in steps {
        play_or_type(&page, wanted, keys).await;
        for size in SIZES {
            page.resize(size).await;
            page.shown(step).await;
            let there = page.script(OUT_OF_REACH, vec![]).await;
            let there = there.as_array().expect("a list").clone();
            found.extend(
                there
                    .iter()
                    .map(|it| format!("{step}, {}: {it}", size.name)),
            );
        }
        page.resize(PHONE).await;
        page.darken().await;
        page.shown(&format!("{step}-dark")).await;
        page.look(&format!("{step}-dark"), Looks::Colours).await;
        page.colours("light").await;
        page.click_on("#larger").await;
        page.shown(&format!("{step}-large")).await;
        page.click_on("#larger").await;
    }
    page.assert_no_barriers();
    assert!(found.is_empty(), "{found:#?}");
}

async fn play_or_type(page: &Page, wanted: &str, keys: &[&str]) {
    if keys.is_empty() {
        screen_or_play(page, wanted).await;
    }
    for key in keys {
        tap(page, key).await;
        tokio::time::sleep(std::time::Duration::from_millis(150)).await;
    }
    screen(page, wanted).await;
}

async fn screen_or_play(page: &Page, wanted: &str) {
    if wanted == "Players" {
        screen(page, wanted).await;
    } else {
        play_on(page, wanted).await;
    }
}

/// A phone whose memory is full says so before play; one that fills up in mid-board calls nothing
/// agreed, and goes on when there is room.
pub(crate) async fn with_a_full_memory() {
    let daemon = Daemon::start(&[], 19_200);
    set_up(&daemon, 4, 12);
    let mut page = Page::open("phone-full", PHONE).await;
    let full = "
        const put = IDBObjectStore.prototype.put;
        window.full = arguments[0] ?? true;
        IDBObjectStore.prototype.put = function (...given) {
          if (window.full) throw new DOMException('full', 'QuotaExceededError');
          return put.apply(this, given);
        };";
    let script = beforehand(&page, &full.replace("arguments[0] ?? true", "true")).await;
    let cable = Cable::new(181, daemon.address()).await;
    let code = through(&cable, &link(&daemon, "A1"));
    page.go(&code).await;
    page.sees("h1", "keeps nothing").await;
    page.shown("before-play").await;
    let remove = json!({ "identifier": script });
    page.devtools("Page.removeScriptToEvaluateOnNewDocument", remove)
        .await;
    page.go("about:blank").await;

    // Somebody makes room, and the code still counts.
    page.go(&code).await;
    play_on(&page, "Check").await;
    page.script(full, vec![json!(true)]).await;
    tap(&page, "ACCEPT").await;
    page.sees("#alert", "CANNOT SAVE").await;
    page.sees("#full", "memory is full").await;
    page.shown("in-mid-board").await;
    tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    assert_eq!(results(&daemon), 0, "what is not kept is not sent");
    page.script("window.full = false", vec![]).await;
    play_on(&page, "RoundEnd").await;
    page.until(
        "everything is there",
        "return document.getElementById('alert').textContent === ''",
    )
    .await;
    assert!(results(&daemon) > 0);
    page.assert_no_barriers();
}
