//! What a director does in an evening, in every language: each step on a laptop, a phone and a
//! television, light and dark in turn, without a barrier and with nothing cut off.

use base_station::session::Command;
use protocol::message::Up;
use protocol::words::{BoardNumber, BoardResult, RoundNumber};
use serde_json::json;
use tests::browser::{DESKTOP, PHONE, PROJECTOR, Page, Room, Size};

const ENTER: &str = "\u{e007}";
const ESCAPE: &str = "\u{e00c}";
const LANGUAGES: [&str; 4] = ["en", "de", "fr", "nl"];
const SIZES: [Size; 3] = [DESKTOP, PHONE, PROJECTOR];

/// Words that are in no sentence of the other languages.
const ENGLISH: &str = "return (document.body.innerText.match(/\\b(the|were|has|have|been|please|with|from round|which|your)\\b/gi) ?? [])";

/// How a step is looked at: three windows, two sets of colours, the next ones each time.
#[derive(Default)]
struct Eyes {
    looks: usize,
    language: &'static str,
}

impl Eyes {
    /// Fits every window; one of them, light or dark, is searched for barriers.
    async fn see(&mut self, page: &mut Page, step: &str) {
        let step = format!("{}-{step}", self.language);
        if self.language != "en" {
            let english = page.script(ENGLISH, vec![]).await;
            assert_eq!(english, json!([]), "{step}");
        }
        for size in SIZES {
            page.fits(&step, size).await;
        }
        let size = SIZES[self.looks % SIZES.len()];
        let colours = ["light", "dark"][self.looks / SIZES.len() % 2];
        page.resize(size).await;
        page.colours(colours).await;
        page.screenshot(&format!("{step}-{}-{colours}", size.name))
            .await;
        page.look(&step, tests::browser::Looks::Everything).await;
        page.resize(DESKTOP).await;
        page.colours("light").await;
        self.looks += 1;
    }
}

pub(crate) async fn walk_through() {
    let room = Room::start();
    let movement = room.open_mitchell("Monday pairs", (5, 15), None).await;
    let mut pads = room.log_on_all(&movement).await;
    // Results that fit the cards, or the deal file itself would be doubted.
    let first = movement.round(RoundNumber::FIRST).expect("a round");
    for ((_, seating), pad) in first.tables().zip(&mut pads) {
        for board in seating.boards.iter() {
            let result = room.fitting_result(board, 9 + board.get() % 3);
            pad.enter(RoundNumber::FIRST, board, result).await;
        }
    }
    let mut page = Page::open("every-language", DESKTOP).await;
    page.go(&room.address).await;
    let mut eyes = Eyes::default();
    for language in LANGUAGES {
        eyes.language = language;
        // Each language begins with another window.
        eyes.looks += 1;
        let choose = format!("localStorage.setItem('language', '{language}')");
        page.script(&choose, vec![]).await;
        open(&mut page, &room, "setup").await;
        page.client.refresh().await.expect("it comes again");
        set_up(&mut page, &room, &mut eyes).await;
        in_the_room(&mut page, &room, &mut eyes, &mut pads).await;
        on_paper(&mut page, &room, &mut eyes).await;
        names(&mut page, &room, &mut eyes).await;
        for (name, css) in [
            ("clock", ".clock-page"),
            ("display", ".display-lists"),
            ("help/fouled", ".help .chosen"),
            ("guide", ".guide"),
        ] {
            open(&mut page, &room, name).await;
            page.find(css).await;
            eyes.see(&mut page, &name.replace('/', "-")).await;
        }
        open(&mut page, &room, "results").await;
        page.click_on("ul.sheets li button:last-child").await;
        page.find("dialog[open] .centred-text").await;
        eyes.see(&mut page, "on-phones").await;
    }
    page.assert_no_barriers();
    page.close().await;
}

async fn open(page: &mut Page, room: &Room, name: &str) {
    page.script(
        &format!("location.href = '{}/#/{name}'", room.address),
        vec![],
    )
    .await;
    let there = format!(
        "return document.querySelector('main').dataset.page === '{}' && !!document.querySelector('main h1')",
        name.split('/').next().unwrap_or_default()
    );
    page.until(name, &there).await;
}

/// The adviser's room, drawn; a movement of one's own; the game's options.
async fn set_up(page: &mut Page, room: &Room, eyes: &mut Eyes) {
    open(page, room, "setup").await;
    page.find("#setup-sections details").await;
    let unfold = "for (const fold of document.querySelectorAll('#setup-sections > details, .own-movement, #setup-settings details')) fold.open = true";
    page.script(unfold, vec![]).await;
    page.click_on("#setup-sections > details > .buttons button.primary")
        .await;
    page.find(".suggestion").await;
    let draw = "document.querySelector('.suggestion .section-picture').open = true";
    page.script(draw, vec![]).await;
    page.find(".suggestion .room-drawing").await;
    eyes.see(page, "set-up").await;
}

/// A flag, a call, a message to the room; the flagged cell, its menu and the form of a correction.
async fn in_the_room(
    page: &mut Page,
    room: &Room,
    eyes: &mut Eyes,
    pads: &mut [tests::browser::TablePad],
) {
    if eyes.language == "en" {
        let board = BoardNumber::new(4).expect("a board");
        let mut result = room.fitting_result(board, 10);
        if let BoardResult::Played(played) = &mut result {
            played.lead = room.card_of(board, played.contract.declarer);
        }
        let second = RoundNumber::new(2).expect("a round");
        pads[0].enter(second, board, result).await;
        pads[2].say(Up::CallDirector).await;
        room.direct(Command::StartClock { round: second }).await;
    }
    open(page, room, "room").await;
    page.find("[data-key='A1.2'].flagged").await;
    page.find("#strip .call").await;
    eyes.see(page, "room").await;
    page.click_on("[data-key='A1.2']").await;
    page.find("dialog .action-menu > summary").await;
    page.click_on("dialog .action-menu > summary").await;
    eyes.see(page, "menu").await;
    page.choose_action("pairs").await;
    page.find("dialog form.open").await;
    eyes.see(page, "who-really-played").await;
    page.click_on("dialog .close").await;
    open(page, room, "warnings").await;
    page.find(".warning, main .card").await;
    eyes.see(page, "warnings").await;
}

/// Half a line on a traveller is called back, not dropped. Every language has a board of its own:
/// behind the last open line of one the next board's traveller comes.
async fn on_paper(page: &mut Page, room: &Room, eyes: &mut Eyes) {
    let board = match eyes.language {
        "de" => 8,
        "fr" => 9,
        "nl" => 10,
        _ => 7,
    };
    open(page, room, &format!("traveller/A-{board}")).await;
    page.find(".entry-title").await;
    page.until(
        "a line is open",
        "return document.activeElement.classList.contains('typed')",
    )
    .await;
    page.keys(&format!("4 s s{ENTER}")).await;
    page.find(".entry .problem:not(:empty)").await;
    eyes.see(page, "half-a-line").await;
    page.keys(ESCAPE).await;
    // A result stands there as it is written in the reader's language.
    page.keys(&format!("3ne={ENTER}")).await;
    let written = match eyes.language {
        "de" => "3NT O =",
        "fr" => "3SA E =",
        "nl" => "3SA O =",
        _ => "3NT E =",
    };
    page.sees(".entry tbody", written).await;
}

/// A line of names that nobody understands is named; both players of a pair are saved at once.
async fn names(page: &mut Page, room: &Room, eyes: &mut Eyes) {
    open(page, room, "names").await;
    page.find("main tbody button").await;
    let typed = "
        const fold = document.querySelector('main details'); fold.open = true;
        fold.querySelector('textarea').value = '1 NS, Anna Berg, Karl Lind\\nAnna Berg';
        fold.querySelector('button').click()";
    page.script(typed, vec![]).await;
    page.find("main .refusal:not(:empty)").await;
    eyes.see(page, "names").await;
    page.click_on("main tbody tr:nth-child(2) button").await;
    page.find("dialog fieldset").await;
    let two = format!(
        "
        const [one, , , other] = document.querySelectorAll('dialog fieldset input');
        one.value = 'Anna {0}'; other.value = 'Karl {0}';
        other.focus()",
        eyes.language
    );
    page.script(&two, vec![]).await;
    page.keys(ENTER).await;
    let kept = format!(
        "const row = document.querySelector('main tbody tr:nth-child(2)').textContent; return !document.querySelector('dialog[open]') && row.includes('Anna {0}') && row.includes('Karl {0}')",
        eyes.language
    );
    page.until("both names are kept", &kept).await;
}
