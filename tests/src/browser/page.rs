//! Chromium, driven through its own driver: open, find, click, type, look.

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use fantoccini::elements::Element;
use fantoccini::wd::Capabilities;
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};

/// How long a page may take to show something before the test gives up.
const PATIENCE: Duration = Duration::from_secs(20);

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

/// What hangs in the playing room.
pub const PROJECTOR: Size = Size {
    name: "projector",
    width: 1920,
    height: 1080,
};

/// A page in a real browser.
#[derive(Debug)]
pub struct Page {
    /// The driver's client, for what has no word here.
    pub client: Client,
    pub(super) size: Size,
    pub(super) story: &'static str,
    pub(super) step: u32,
    pub(super) barriers: Vec<String>,
    /// The driver's own port, for what the client has no word for.
    pub(super) port: u16,
    session: Option<String>,
    driver: Child,
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
        let session = client.session_id().await.ok().flatten();
        Self {
            client,
            size,
            story,
            step: 0,
            barriers: Vec::new(),
            port,
            session,
            driver,
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
        self.press(Locator::XPath(&path)).await;
    }

    /// Waits for an element and clicks it.
    pub async fn click_on(&self, css: &str) {
        self.press(Locator::Css(css)).await;
    }

    /// Chooses what is to be done in an opened cell, from the menu where it is there.
    pub async fn choose_action(&self, name: &str) {
        let css = format!("dialog [data-action='{name}']");
        self.find(&css).await;
        let open = "const menu = document.querySelector(arguments[0]).closest('details'); if (menu) menu.open = true";
        self.script(open, vec![json!(css)]).await;
        self.click_on(&css).await;
    }

    /// Types on the keyboard, wherever the focus is.
    pub async fn keys(&self, keys: &str) {
        let focused = self.client.active_element().await.expect("a focus");
        focused.send_keys(keys).await.expect("keys");
    }

    /// A page that redraws a part between the look and the click is looked at again.
    async fn press(&self, locator: Locator<'_>) {
        let into_view = "arguments[0].scrollIntoView({block: 'center', inline: 'center'})";
        let until = Instant::now() + PATIENCE;
        loop {
            let waiting = self.client.wait().at_most(PATIENCE);
            let pressed = async {
                let element = waiting.for_element(locator).await?;
                let argument = serde_json::to_value(&element).expect("an element");
                self.client.execute(into_view, vec![argument]).await?;
                element.click().await
            };
            match pressed.await {
                Ok(()) => return,
                Err(error) if error.is_stale_element_reference() && Instant::now() < until => {}
                Err(error) => panic!("{locator:?}: {error}\n{}", self.text("body").await),
            }
        }
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
        // A failed test must not leave a browser behind: the driver alone does not take it along.
        if let Some(session) = &self.session {
            let address = format!("http://127.0.0.1:{}/session/{session}", self.port);
            let _ = ureq::delete(address).call();
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
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
            // Whatever is not the base station can't be reached, and a page that tries is found out.
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.*",
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
