//! Steps that stories of matches share: an event, log-on, the sheet of a match, a slip.

use std::time::Duration;

use serde_json::json;
use tests::browser::Page;

/// The page on which matches are set up, in a new event.
pub(crate) async fn new_event(page: &mut Page, address: &str, event: &str) {
    page.go(address).await;
    page.fill("Event", event).await;
    page.click("Create").await;
    page.sees(".title", event).await;
    page.go(&format!("{address}/#/matches")).await;
    page.sees("#matches-setup", "Set matches up").await;
}

/// What is filled in is set up, its first round is drawn with somebody in it, and published.
pub(crate) async fn first_draw(page: &mut Page, with: &str) {
    page.click_on("#matches-setup button.primary").await;
    page.sees("#matches-A .next-step", "Draw round 1.").await;
    draws(page, 1, with).await;
    page.sees("#matches-A .next-step", "Open the session for log-on.")
        .await;
}

/// A round is drawn and published.
pub(crate) async fn draws(page: &mut Page, round: u8, with: &str) {
    page.click(&format!("Draw round {round}")).await;
    page.sees("dialog", with).await;
    page.shown(&format!("proposal-{round}")).await;
    page.click("Publish").await;
}

/// The session is open, and the page is that of matches again.
pub(crate) async fn opened(page: &mut Page, address: &str, name: &str) {
    page.go(&format!("{address}/#/setup")).await;
    page.fill("Director's PIN", "7316").await;
    page.click("Choose this PIN").await;
    page.click("Open for log-on").await;
    page.sees(".grid", "A2").await;
    page.go(&format!("{address}/#/matches")).await;
    page.sees("#matches-A h2", name).await;
}

/// The sheet of a match of the round that is open. Whoever clicks just when the page is drawn anew
/// clicks again.
pub(crate) async fn open_match(page: &Page, number: u8) {
    let row = format!("#matches-A details:not([id]) tbody tr:nth-child({number}) button");
    let is_open = "return document.querySelector('dialog')?.textContent.includes('Type it from paper') ?? false";
    for _ in 0..3 {
        page.click_on(&row).await;
        for _ in 0..60 {
            if page.script(is_open, vec![]).await == json!(true) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
    page.sees("dialog", "Type it from paper").await;
}

pub(crate) async fn open(page: &Page, id: &str) {
    page.click_on(&format!("#{id} > summary")).await;
}

pub(crate) async fn close(page: &Page, id: &str) {
    let shut = "document.getElementById(arguments[0]).open = false";
    page.script(shut, vec![json!(id)]).await;
}

/// The field with this label, inside something.
pub(crate) async fn fill(page: &Page, inside: &str, label: &str, text: &str) {
    let script = "
        const [inside, label, text] = arguments;
        const fields = [...document.querySelectorAll(`${inside} .field`)];
        const found = fields.find((field) => field.querySelector('label')?.textContent.trim() === label && field.offsetParent);
        if (!found) return `no field ${label}`;
        const control = found.querySelector('input, select, textarea');
        control.value = text;
        control.dispatchEvent(new Event('input', { bubbles: true }));
        control.dispatchEvent(new Event('change', { bubbles: true }));
        return control.value;";
    let arguments = vec![json!(inside), json!(label), json!(text)];
    assert_eq!(page.script(script, arguments).await, json!(text));
}

/// A result of a table, typed from its slip.
pub(crate) async fn type_one(page: &Page, board: u8, table: u8, typed: &str) {
    let label = format!("Board {board}, Table {table}");
    let script = "
        const [label, text] = arguments;
        const input = [...document.querySelectorAll('dialog input')].find((one) => one.getAttribute('aria-label') === label);
        input.value = text;
        input.dispatchEvent(new Event('change', { bubbles: true }));
        return true;";
    page.script(script, vec![json!(label), json!(typed)]).await;
    let seen = json!(label);
    let told = format!(
        "return [...document.querySelectorAll('dialog input')].find((one) => one.getAttribute('aria-label') === {seen}).parentElement.textContent.includes('✓')"
    );
    page.until(&label, &told).await;
}
