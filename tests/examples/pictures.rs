//! Takes the pictures of the README: plays the demonstration evening and looks at it.
//!
//! `cargo build -p base-station && cargo run -p tests --example pictures` takes about four
//! minutes, and needs Chromium (`tests/install browser`). The pictures are in
//! `base-station/docs`.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tests::browser::{DESKTOP, Looks, PHONE, Page};

/// The evening is over after about three minutes.
const EVENING_MAX: Duration = Duration::from_mins(6);

/// The demonstration, which ends with this program.
struct Demonstration {
    daemon: Child,
    address: String,
}

impl Demonstration {
    fn start() -> Self {
        let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/debug/byestand");
        let mut daemon = Command::new(program)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program is built (cargo build -p base-station)");
        let said = daemon.stdout.take().expect("its output");
        let address = BufReader::new(said)
            .lines()
            .map_while(Result::ok)
            .find_map(|line| {
                Some(
                    line.split_once("ready: ")?
                        .1
                        .trim_end_matches('/')
                        .to_owned(),
                )
            })
            .expect("its address");
        Self { daemon, address }
    }
}

impl Drop for Demonstration {
    fn drop(&mut self) {
        let _ = self.daemon.kill();
        let _ = self.daemon.wait();
    }
}

#[tokio::main]
async fn main() {
    let demonstration = Demonstration::start();
    let address = demonstration.address.as_str();
    let desktop = Page::open("pictures", DESKTOP).await;
    let mut phone = Page::open("pictures", PHONE).await;
    for page in [&desktop, &phone] {
        page.go(address).await;
        page.sees(".grid", "A9").await;
    }
    until_round(&desktop, 5).await;
    keep(&desktop, "room.png").await;
    keep(&phone, "phone.png").await;
    // The flagged cell is the one worth opening.
    let flagged = "(document.querySelector('.cell[data-key].flagged') ?? document.querySelector('.cell.AllIn[data-key]')).click()";
    desktop.script(flagged, vec![]).await;
    desktop.sees("dialog", "Results of board").await;
    keep(&desktop, "cell.png").await;
    phone.go(&format!("{address}/demo/pads/3")).await;
    phone.find(".keypad").await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    keep(&phone, "pad.png").await;
    for colours in ["light", "dark"] {
        phone.colours(colours).await;
        let what = format!("a pad in the hand, {colours}");
        phone.look(&what, Looks::Everything).await;
    }
    phone.assert_no_barriers();
    all_in(&desktop).await;
    release(&desktop, address).await;
    desktop.go(&format!("{address}/print/ranking")).await;
    desktop.sees("footer", "Byestand").await;
    keep(&desktop, "ranking.png").await;
    desktop.close().await;
    phone.close().await;
}

/// What hangs on the wall is the released result.
async fn release(page: &Page, address: &str) {
    page.go(&format!("{address}/#/results")).await;
    page.click("Play is over").await;
    page.find("button.danger").await;
    page.click_on("button.danger").await;
    page.sees("main", "The result is out").await;
}

async fn keep(page: &Page, name: &str) {
    let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../base-station/docs"));
    let picture = page.client.screenshot().await.expect("a screenshot");
    std::fs::write(folder.join(name), picture).expect("the picture is kept");
}

async fn until_round(page: &Page, round: u8) {
    let script =
        format!("return document.querySelector('.grid-bar').textContent.includes('round {round}')");
    wait(page, &script).await;
}

async fn all_in(page: &Page) {
    let script = "return document.querySelectorAll('.cell[data-key].AllIn, .cell[data-key].Missing').length === 81";
    wait(page, script).await;
}

async fn wait(page: &Page, script: &str) {
    let until = Instant::now() + EVENING_MAX;
    while page.script(script, vec![]).await != true {
        assert!(Instant::now() < until, "the evening does not go on");
        tokio::time::sleep(Duration::from_millis(300)).await;
    }
}
