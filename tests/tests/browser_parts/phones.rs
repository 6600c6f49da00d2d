//! Phones as pads, in a real browser against the real daemon: each phone has a cable of its own and
//! so an address of its own, which a browser takes for another site with a storage of its own.

use std::io::Write;
use std::time::Duration;

use fantoccini::Locator;
use fantoccini::wd::WindowHandle;
use protocol::message::Settings;
use protocol::words::{
    BoardResult, Contract, Doubling, Level, OpeningLead, Played, Rank, Strain, Suit, Tricks,
};
use serde_json::{Value, json};
use tests::browser::{Looks, PHONE, Page, Size};
use tests::daemon::Daemon;
use tests::phones::{Cable, link, set_up};
use virtual_pad::fingers::keys_of;

/// A tablet on the table.
const TABLET: Size = Size {
    name: "tablet",
    width: 1024,
    height: 700,
};

/// Enters whatever the pad asks for until the round is over, with clicks.
const PLAY_ON: &str = "
    const [wanted, done = (result) => (window.played = result)] = arguments;
    const page = document.getElementById('page');
    const press = () => {
      const buttons = [...page.querySelectorAll('[data-key]')];
      const by = (test) => buttons.find(test);
      const strong = by((it) => it.dataset.label.startsWith('ACCEPT')) ?? by((it) => it.dataset.label.startsWith('OK'));
      const labelled = (label) => by((it) => it.dataset.label === label);
      const next = page.dataset.screen === 'Players' && !strong ? labelled('0')
        : strong ?? labelled('K') ?? labelled('S') ?? labelled('♠') ?? labelled('=') ?? labelled('4');
      next?.click();
    };
    let last = '';
    let still = 0;
    const step = () => {
      if (page.dataset.screen === wanted) return done(true);
      const now = page.innerHTML;
      still = now === last ? still + 1 : 0;
      if (still > 600) return done(page.innerText);
      if (now !== last || still % 60 === 59) { last = now; press(); }
      setTimeout(step, 25);
    };
    step();";

pub(crate) struct Seat {
    window: WindowHandle,
    pub(crate) cable: Cable,
}

/// The same code at the phone's own address.
pub(crate) fn through(cable: &Cable, link: &str) -> String {
    let code = link.split_once('#').expect("a code").1;
    format!("http://{}/phone#{code}", cable.address)
}

pub(crate) async fn sit_down(page: &Page, daemon: &Daemon, table: u8, first: bool) -> Seat {
    let cable = Cable::new(table + 100, daemon.address()).await;
    if !first {
        let new = page.client.new_window(true).await.expect("a window");
        page.client
            .switch_to_window(new.handle)
            .await
            .expect("another window");
    }
    let window = page.client.window().await.expect("a window");
    page.go(&through(&cable, &link(daemon, &format!("A{table}"))))
        .await;
    Seat { window, cable }
}

pub(crate) async fn turn_to(page: &Page, seat: &Seat) {
    let window = seat.window.clone();
    page.client
        .switch_to_window(window)
        .await
        .expect("the window is there");
}

pub(crate) async fn tap(page: &Page, label: &str) {
    page.click_on(&format!("[data-label^='{label}']")).await;
}

pub(crate) async fn screen(page: &Page, screen: &str) {
    page.find(&format!("#page[data-screen='{screen}']")).await;
}

pub(crate) async fn play_on(page: &Page, until: &str) {
    let done = page
        .client
        .execute_async(PLAY_ON, vec![json!(until)])
        .await
        .expect("it plays");
    assert_eq!(done, json!(true), "no {until}");
}

pub(crate) fn results(daemon: &Daemon) -> usize {
    let view = daemon.get("view");
    let cells = view["cells"].as_array().expect("cells");
    let results = cells.iter().filter_map(|cell| cell["in"].as_u64());
    usize::try_from(results.sum::<u64>()).expect("a few")
}

/// Twelve tables of browsers play a round; every step of the first one is looked at.
pub(crate) async fn play_a_round() {
    let daemon = Daemon::start(&[], 19_200);
    set_up(&daemon, 12, 24);
    let mut page = Page::open("phones", PHONE).await;
    let first = sit_down(&page, &daemon, 1, true).await;
    by_taps(&mut page).await;
    let second = sit_down(&page, &daemon, 2, false).await;
    by_keyboard(&page).await;
    let mut seats = vec![first, second];
    for table in 3..=12 {
        seats.push(sit_down(&page, &daemon, table, false).await);
    }
    // Everybody plays at once, in windows of which only one is looked at.
    for seat in &seats {
        turn_to(&page, seat).await;
        page.script(PLAY_ON, vec![json!("RoundEnd")]).await;
    }
    for seat in &seats {
        turn_to(&page, seat).await;
        let over = "return (window.played ?? null) === true";
        page.until("the end of the round", over).await;
    }
    turn_to(&page, &seats[0]).await;
    page.shown("round-end").await;
    let view = daemon.get("view");
    let cells = view["cells"].as_array().expect("cells");
    let first = cells.iter().filter(|cell| cell["round"] == json!(1));
    let boards = first.filter_map(|cell| Some(cell["boards"].as_array()?.len()));
    let expected: usize = boards.sum();
    assert!(expected >= 24, "two boards at each of twelve tables");
    for _ in 0..100 {
        if results(&daemon) >= expected {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(
        results(&daemon),
        expected,
        "every table's boards, each once"
    );
    page.assert_no_barriers();
    directors_pages(&daemon).await;
}

async fn by_taps(page: &mut Page) {
    screen(page, "Players").await;
    page.shown("players").await;
    for _ in 0..4 {
        tap(page, "0").await;
        tap(page, "OK").await;
    }
    screen(page, "RoundStart").await;
    page.shown("round-start").await;
    tap(page, "OK").await;
    screen(page, "Entry").await;
    page.shown("level").await;
    page.look("level", Looks::Colours).await;
    let steps = [
        ("4", "strain"),
        ("♠", "declarer"),
        ("S", "lead-suit"),
        ("♦", "lead-rank"),
        ("K", "tricks"),
        ("=", "typed"),
    ];
    let pad_keys = keys_of(&four_spades(), &Settings::CLUB_EVENING);
    assert!(steps.len() <= pad_keys.len(), "no more than on the pad");
    for (label, step) in steps {
        tap(page, label).await;
        tokio::time::sleep(Duration::from_millis(150)).await;
        page.shown(step).await;
    }
    tap(page, "OK").await;
    screen(page, "Check").await;
    page.shown("east-checks").await;
    page.look("east-checks", Looks::Colours).await;
    tap(page, "ACCEPT").await;
    screen(page, "Entry").await;
    page.sees(".says", "received").await;
    page.shown("received").await;
    page.click_on("#larger").await;
    page.shown("large-type").await;
    page.click_on("#larger").await;
    page.darken().await;
    page.shown("dark").await;
    page.look("dark", Looks::Colours).await;
    page.colours("light").await;
}

/// What is tapped there, as a pad would be told: four spades by South, king of diamonds, made.
fn four_spades() -> BoardResult {
    BoardResult::Played(Played {
        contract: Contract {
            level: Level::new(4).expect("a level"),
            strain: Strain::Spades,
            doubling: Doubling::Undoubled,
            declarer: protocol::words::Seat::South,
        },
        tricks: Tricks::new(10).expect("tricks"),
        lead: Some(OpeningLead {
            suit: Suit::Diamonds,
            rank: Rank::KING,
        }),
    })
}

async fn by_keyboard(page: &Page) {
    screen(page, "Players").await;
    let body = page.find("body").await;
    let mut keys: Vec<&str> = Vec::new();
    for _ in 0..4 {
        keys.extend(["0", "\u{E007}"]);
    }
    keys.extend([
        "\u{E007}", "3", "n", "e", "h", "q", "=", "\u{E007}", "\u{E007}",
    ]);
    for key in keys {
        let before = page
            .script("return document.getElementById('page').innerHTML", vec![])
            .await;
        body.send_keys(key).await.expect("a key");
        let unchanged = format!("return document.getElementById('page').innerHTML !== {before}");
        page.until(&format!("something after {key}"), &unchanged)
            .await;
    }
    page.sees(".says", "3NT").await;
    page.sees(".says", "received").await;
}

/// What the director sees of it.
async fn directors_pages(daemon: &Daemon) {
    let mut page = Page::open("phones-director", tests::browser::DESKTOP).await;
    page.go(&format!("http://{}/#/phones", daemon.address()))
        .await;
    // A code of this laptop's own address would lead every phone to itself.
    page.sees("#codes", "There is no code as long as phones")
        .await;
    let code = "return document.querySelector('#codes img') === null";
    assert_eq!(page.script(code, vec![]).await, json!(true));
    page.shown("codes").await;
    page.go(&format!("http://{}/#/pads", daemon.address()))
        .await;
    page.sees("table", "computer").await;
    page.shown("pads").await;
    page.assert_no_barriers();
}

/// Everything that happens to phones, with nothing agreed lost and nothing twice.
pub(crate) async fn lose_everything_but_results() {
    let mut daemon = Daemon::start(&[], 19_200);
    set_up(&daemon, 4, 12);
    let used = link(&daemon, "A1");
    let mut page = Page::open("phone-faults", PHONE).await;
    let seat = sit_down(&page, &daemon, 1, true).await;
    play_on(&page, "Entry").await;
    page.until(
        "a service worker",
        "return !!navigator.serviceWorker?.controller",
    )
    .await;

    // The network goes in the middle of a board; East accepts all the same.
    tap(&page, "1").await;
    seat.cable.pull();
    for label in ["♣", "N", "♥", "2", "=", "OK", "ACCEPT"] {
        tap(&page, label).await;
    }
    page.sees("#alert", "1 to send").await;
    page.shown("no-network").await;
    assert_eq!(results(&daemon), 0);

    // The tab is killed while the result waits, and opened again: the storage has it.
    let address = format!("http://{}/phone", seat.cable.address);
    let again = tokio::time::timeout(Duration::from_secs(30), page.client.refresh()).await;
    again
        .expect("the page is kept on the phone")
        .expect("it comes again");
    page.sees("#alert", "1 to send").await;
    seat.cable.plug();
    page.go(&address).await;
    page.sees(".says", "received").await;
    assert_eq!(results(&daemon), 1);

    // A second tab of the same table takes over, and the first one says so.
    let old = page.client.window().await.expect("a window");
    let new = page.client.new_window(true).await.expect("a window").handle;
    page.client
        .switch_to_window(new.clone())
        .await
        .expect("there");
    page.go(&address).await;
    screen(&page, "Entry").await;
    page.client.switch_to_window(old).await.expect("there");
    page.sees("h1", "another window").await;
    page.shown("two-windows").await;
    page.client.switch_to_window(new).await.expect("there");

    // The base is killed with the result on its way, and comes back.
    daemon.kill();
    for label in ["2", "♦", "W", "♠", "A", "=", "OK", "ACCEPT"] {
        tap(&page, label).await;
    }
    page.sees("#alert", "1 to send").await;
    daemon.start_again();
    seat.cable.lead_to(daemon.address());
    page.until(
        "the base has it",
        "return document.getElementById('alert').textContent === ''",
    )
    .await;
    assert_eq!(results(&daemon), 2, "each once");

    // The code is used up: another phone is told what to do.
    let spent = Cable::new(121, daemon.address()).await;
    page.go(&through(&spent, &used)).await;
    page.sees("#page", "has been used").await;
    page.shown("code-is-used").await;

    // A browser that keeps nothing says so before anybody plays.
    let forgetful = "Object.defineProperty(window, 'indexedDB', { value: { open() { throw new Error('no'); } } })";
    page.devtools(
        "Page.addScriptToEvaluateOnNewDocument",
        json!({ "source": forgetful }),
    )
    .await;
    let other = Cable::new(122, daemon.address()).await;
    page.go(&through(&other, &link(&daemon, "A2"))).await;
    page.sees("h1", "keeps nothing").await;
    page.shown("keeps-nothing").await;
    let phones = daemon.get("phones");
    assert_eq!(
        phones["phones"].as_array().map(Vec::len),
        Some(1),
        "{phones}"
    );
    page.assert_no_barriers();
}

/// What a phone loads, and how soon somebody can press a key: a processor four times slower, and
/// 1.6 Mbit/s with 150 ms there and back.
pub(crate) async fn first_key_on_a_slow_phone() {
    let daemon = Daemon::start(&[], 19_200);
    set_up(&daemon, 4, 12);
    let page = Page::open("slow-phone", TABLET).await;
    page.go("about:blank").await;
    let slow = json!({ "offline": false, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 93_750 });
    page.devtools("Network.enable", json!({})).await;
    page.devtools("Network.emulateNetworkConditions", slow)
        .await;
    page.devtools("Emulation.setCPUThrottlingRate", json!({ "rate": 4 }))
        .await;
    let cable = Cable::new(131, daemon.address()).await;
    page.go(&through(&cable, &link(&daemon, "A1"))).await;
    let look = "
        const done = arguments[arguments.length - 1];
        const look = () => {
          if (!document.querySelector('[data-key]')) return setTimeout(look, 20);
          const loaded = performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation'));
          done([performance.now(), loaded.reduce((all, it) => all + it.transferSize, 0)]);
        };
        look();";
    let seen: Value = page.client.execute_async(look, vec![]).await.expect("keys");
    let (ms, bytes) = (
        seen[0].as_f64().expect("ms"),
        seen[1].as_f64().expect("bytes"),
    );
    let _ = writeln!(
        std::io::stdout().lock(),
        "measured: first key of a slow phone after {ms:.0} ms, {bytes:.0} bytes loaded"
    );
    assert!(bytes < 500_000.0, "{bytes} bytes");
    assert!(page.client.find(Locator::Css("[data-key]")).await.is_ok());
    // The promise is 3 s; a machine that is busy with other things gets some more.
    assert!(ms < 6_000.0, "{ms} ms");
}
