//! Chromium, driven through its own driver: open, find, click, type, look.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use fantoccini::elements::Element;
use fantoccini::wd::Capabilities;
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};

/// How long a page may take to show something before the test gives up.
const PATIENCE: Duration = Duration::from_secs(20);

/// Where `tests/install browser` puts axe-core.
const AXE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../target/browser/node_modules/axe-core/axe.min.js"
);

/// A window.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// In the names of screenshots.
    pub name: &'static str,
    /// In CSS pixels.
    pub width: u32,
    /// In CSS pixels.
    pub height: u32,
}

/// A club's laptop.
pub const DESKTOP: Size = Size {
    name: "desktop",
    width: 1366,
    height: 768,
};

/// A small phone.
pub const PHONE: Size = Size {
    name: "phone",
    width: 360,
    height: 740,
};

/// A page in a real browser.
#[derive(Debug)]
pub struct Page {
    /// The driver's client, for what has no word here.
    pub client: Client,
    size: Size,
    story: &'static str,
    step: u32,
    driver: Child,
    barriers: Vec<String>,
}

impl Page {
    /// Opens an empty window. `story` begins the names of its screenshots.
    pub async fn open(story: &'static str, size: Size) -> Self {
        let port = free_port();
        let driver = Command::new("chromedriver")
            .arg(format!("--port={port}"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver is installed (tests/install browser)");
        let client = connect(port, size).await;
        Self {
            client,
            size,
            story,
            step: 0,
            driver,
            barriers: Vec::new(),
        }
    }

    /// Goes to an address.
    pub async fn go(&self, address: &str) {
        self.client.goto(address).await.expect("the page opens");
    }

    /// Waits for an element.
    pub async fn find(&self, css: &str) -> Element {
        let found = self
            .client
            .wait()
            .at_most(PATIENCE)
            .for_element(Locator::Css(css));
        match found.await {
            Ok(element) => element,
            Err(error) => panic!(
                "{css} does not appear: {error}\n{}",
                self.text("body").await
            ),
        }
    }

    /// Waits for a button or link with this text, and clicks it.
    pub async fn click(&self, text: &str) {
        let path = format!(
            "//*[self::button or self::a or self::summary][contains(normalize-space(.), \"{text}\")][not(ancestor-or-self::*[@hidden])]"
        );
        let found = self
            .client
            .wait()
            .at_most(PATIENCE)
            .for_element(Locator::XPath(&path));
        let element = match found.await {
            Ok(element) => element,
            Err(error) => panic!("no button \"{text}\": {error}\n{}", self.text("body").await),
        };
        self.press(&element).await;
    }

    /// Waits for an element and clicks it.
    pub async fn click_on(&self, css: &str) {
        let element = self.find(css).await;
        self.press(&element).await;
    }

    async fn press(&self, element: &Element) {
        let into_view = "arguments[0].scrollIntoView({block: 'center', inline: 'center'})";
        let argument = serde_json::to_value(element).expect("an element");
        self.client
            .execute(into_view, vec![argument])
            .await
            .expect("it scrolls");
        element.click().await.expect("it can be clicked");
    }

    /// Puts a text into the field with this label.
    pub async fn fill(&self, label: &str, text: &str) {
        let script = "
            const [label, text] = arguments;
            const found = [...document.querySelectorAll('.field')].find((field) => field.querySelector('label')?.textContent.trim() === label && field.offsetParent);
            if (!found) return false;
            const control = found.querySelector('input, select, textarea');
            control.value = text;
            control.dispatchEvent(new Event('input', { bubbles: true }));
            control.dispatchEvent(new Event('change', { bubbles: true }));
            return control.value === text;";
        let until = Instant::now() + PATIENCE;
        loop {
            let done = self.script(script, vec![json!(label), json!(text)]).await;
            if done == json!(true) {
                return;
            }
            assert!(
                Instant::now() < until,
                "no field \"{label}\" takes \"{text}\""
            );
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Runs a script in the page.
    pub async fn script(&self, script: &str, arguments: Vec<Value>) -> Value {
        self.client
            .execute(script, arguments)
            .await
            .expect("the script runs")
    }

    /// Waits until a script answers true.
    pub async fn until(&self, what: &str, script: &str) {
        let until = Instant::now() + PATIENCE;
        while self.script(script, vec![]).await != json!(true) {
            assert!(
                Instant::now() < until,
                "{what} does not happen\n{}",
                self.text("body").await
            );
            tokio::time::sleep(Duration::from_millis(30)).await;
        }
    }

    /// Waits until an element's text contains this.
    pub async fn sees(&self, css: &str, text: &str) {
        let css = json!(css);
        let text = json!(text);
        let script = format!(
            "return [...document.querySelectorAll({css})].some((element) => element.textContent.includes({text}))"
        );
        self.until(&format!("{text} in {css}"), &script).await;
    }

    /// What stands in an element.
    pub async fn text(&self, css: &str) -> String {
        let script = "return document.querySelector(arguments[0])?.innerText ?? ''";
        let text = self.script(script, vec![json!(css)]).await;
        text.as_str().unwrap_or_default().to_owned()
    }

    /// Keeps a picture, and looks with axe-core for what keeps people who see or move badly from
    /// using the page. [`Page::assert_no_barriers`] tells of all of it in the end.
    pub async fn shown(&mut self, step: &str) {
        self.screenshot(step).await;
        let axe = std::fs::read_to_string(AXE).expect("axe-core (tests/install browser)");
        self.script(&axe, vec![]).await;
        let script = "const done = arguments[arguments.length - 1]; axe.run(document, { resultTypes: ['violations'] }).then((found) => done(found.violations.map((it) => `${it.id}: ${it.help}: ${it.nodes.map((node) => node.html).slice(0, 3).join(' ; ')}`)))";
        let found = self
            .client
            .execute_async(script, vec![])
            .await
            .expect("axe-core runs");
        let found: Vec<String> = serde_json::from_value(found).expect("a list of sentences");
        self.barriers.extend(
            found
                .into_iter()
                .map(|barrier| format!("{step}: {barrier}")),
        );
    }

    /// Fails if any page that was shown had a barrier.
    pub fn assert_no_barriers(&self) {
        assert!(self.barriers.is_empty(), "{:#?}", self.barriers);
    }

    /// Keeps a picture of what is seen now.
    pub async fn screenshot(&mut self, name: &str) {
        self.step += 1;
        let folder = folder();
        std::fs::create_dir_all(&folder).expect("a folder for screenshots");
        let file = folder.join(format!(
            "{}-{}-{:02}-{name}.png",
            self.story, self.size.name, self.step
        ));
        let picture = self.client.screenshot().await.expect("a screenshot");
        std::fs::write(file, picture).expect("the screenshot is kept");
    }

    /// Closes the window.
    pub async fn close(mut self) {
        // A browser that is gone already needs no closing.
        let _ = self.client.clone().close().await;
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        // A failed test must not leave a browser behind.
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// Where screenshots are kept.
fn folder() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/output/screenshots"))
}

fn free_port() -> u16 {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("an address").port()
}

async fn connect(port: u16, size: Size) -> Client {
    let mut capabilities = Capabilities::new();
    let options = json!({
        "args": [
            "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--no-first-run",
            "--disable-background-networking", "--disable-component-update", "--disable-sync",
            "--hide-scrollbars", "--lang=en-GB",
            format!("--window-size={},{}", size.width, size.height)
        ],
        "mobileEmulation": { "deviceMetrics": {
            "width": size.width, "height": size.height, "pixelRatio": 1.0, "mobile": size.width < 600, "touch": size.width < 600
        } }
    });
    capabilities.insert("goog:chromeOptions".to_owned(), options);
    let address = format!("http://127.0.0.1:{port}");
    let until = Instant::now() + PATIENCE;
    loop {
        let mut builder = ClientBuilder::new(HttpConnector::new());
        match builder
            .capabilities(capabilities.clone())
            .connect(&address)
            .await
        {
            Ok(client) => return client,
            Err(error) => assert!(Instant::now() < until, "chromium does not start: {error}"),
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}
