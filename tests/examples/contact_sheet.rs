//! Every page before and after, beside each other in one picture.
//!
//! `cargo run -p tests --features browser --example contact_sheet -- BEFORE AFTER` starts both
//! programs (`byestand` of an earlier commit and of this one), gives each the kept evening, and
//! looks at every page on a laptop and on a phone. The picture is `base-station/docs/before-and-after.png`.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use tests::browser::{DESKTOP, PAGES, PHONE, Page, Size, begin_competitions};

/// What is made for paper and for players.
const SHEETS: [&str; 4] = [
    "print/ranking",
    "print/scorecards",
    "print/records",
    "results",
];

/// A program with the kept evening, which ends with this one.
struct Base {
    daemon: Child,
    address: String,
    _data: tempfile::TempDir,
}

impl Base {
    fn start(program: &str) -> Self {
        let data = tempfile::tempdir().expect("a folder");
        let mut daemon = Command::new(program)
            .args(["serve", "--radio", "none", "--listen", "127.0.0.1:0"])
            .arg("--data")
            .arg(data.path())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let said = daemon.stdout.take().expect("its output");
        let ready = |line: String| {
            let (_, address) = line.split_once("ready: ")?;
            Some(address.trim_end_matches('/').to_owned())
        };
        let mut lines = BufReader::new(said).lines().map_while(Result::ok);
        let address = lines.find_map(ready).expect("its address");
        let base = Self {
            daemon,
            address,
            _data: data,
        };
        let kept = tests::kept::unpacked(tests::kept::SESSION);
        let text = String::from_utf8(kept).expect("a session file");
        let taken = base.tell("calendar/import", &json!({ "text": text }));
        base.tell("calendar/choose", &json!({ "session": taken["session"] }));
        base
    }

    fn tell(&self, path: &str, body: &Value) -> Value {
        let login = ureq::get(format!("{}/api/login", self.address)).call();
        let mut login = login.expect("an answer");
        let login: Value = login.body_mut().read_json().expect("a token");
        let token = login["csrf"].as_str().unwrap_or_default();
        let sent = ureq::post(format!("{}/api/{path}", self.address))
            .header("x-byestand-csrf", token)
            .send_json(body);
        let mut answer = sent.expect("the base station takes it");
        answer.body_mut().read_json().expect("an answer")
    }

    /// Pictures of some pages in a window of this size.
    async fn pictures(&self, size: Size, folder: &Path, names: &[String]) {
        let page = Page::open("contact-sheet", size).await;
        for name in names {
            // A page that an earlier program does not have shows its room.
            page.go("about:blank").await;
            page.go(&format!("{}/{name}", self.address)).await;
            page.find("h1").await;
            tokio::time::sleep(Duration::from_millis(700)).await;
            // An earlier page holds its stream as long as the browser keeps the page for "back".
            page.script("addEventListener('unload', () => {})", vec![])
                .await;
            let picture = page.client.screenshot().await.expect("a picture");
            let file = folder.join(format!("{}-{}.png", size.name, plain(name)));
            std::fs::write(file, picture).expect("kept");
        }
        page.close().await;
    }
}

impl Drop for Base {
    fn drop(&mut self) {
        let _ = self.daemon.kill();
        let _ = self.daemon.wait();
    }
}

/// Every page, that of the first start among them.
fn pages() -> Vec<String> {
    let names = PAGES.into_iter().chain(["welcome"]);
    names.map(|name| format!("#/{name}")).collect()
}

/// A page and a sheet may have the same name.
fn plain(name: &str) -> String {
    match name.strip_prefix("#/") {
        Some(page) => page.replace('/', "-"),
        None => format!("sheet-{}", name.replace('/', "-")),
    }
}

#[tokio::main]
async fn main() {
    let programs: Vec<String> = std::env::args().skip(1).collect();
    let [before, after] = programs.as_slice() else {
        panic!("expected two programs: byestand before and byestand after");
    };
    let folder = tempfile::tempdir().expect("a folder");
    for (name, program) in [("before", before), ("after", after)] {
        let base = Base::start(program);
        if name == "after" {
            begin_competitions(&base.address);
        }
        let there = folder.path().join(name);
        std::fs::create_dir(&there).expect("a folder");
        for size in [DESKTOP, PHONE] {
            base.pictures(size, &there, &pages()).await;
        }
        // Players see the result when it is released.
        base.tell("end-play", &json!({}));
        base.tell("release", &json!({ "despite_checklist": true }));
        for size in [DESKTOP, PHONE] {
            let sheets = SHEETS.map(str::to_owned);
            base.pictures(size, &there, &sheets).await;
        }
    }
    let sheet = folder.path().join("sheet.html");
    let (html, height) = contact_sheet();
    std::fs::write(&sheet, html).expect("kept");
    let size = Size {
        name: "sheet",
        width: 1660,
        height,
    };
    let page = Page::open("contact-sheet", size).await;
    page.go(&format!("file://{}", sheet.display())).await;
    page.find("main").await;
    tokio::time::sleep(Duration::from_secs(2)).await;
    let picture = page.client.screenshot().await.expect("a picture");
    let kept = PathBuf::from(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../base-station/docs/before-and-after.png"
    ));
    std::fs::write(kept, picture).expect("kept");
    page.close().await;
}

/// Two pages in each row, each before and after, laptop and phone; and how high that is.
fn contact_sheet() -> (String, u32) {
    let names: Vec<String> = pages()
        .iter()
        .map(|name| plain(name))
        .chain(SHEETS.map(plain))
        .collect();
    let mut html = String::from(
        "<!doctype html><style>body{margin:8px;font:15px sans-serif;background:#ddd}main{display:grid;grid-template-columns:1fr 1fr;gap:8px}section{background:#fff;padding:6px}h2{font-size:15px;margin:0 0 4px}div{display:flex;gap:6px}img{height:150px;border:1px solid #888}</style><main>",
    );
    for name in &names {
        let _ = write!(html, "<section><h2>{name}: before, after</h2><div>");
        for when in ["before", "after"] {
            for size in ["desktop", "phone"] {
                let _ = write!(html, "<img src='{when}/{size}-{name}.png'>");
            }
        }
        html.push_str("</div></section>");
    }
    html.push_str("</main>");
    let rows = u32::try_from(names.len().div_ceil(2)).unwrap_or(1);
    (html, rows * 196 + 16)
}
