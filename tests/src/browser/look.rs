//! Looking at a page: pictures of it, and with eyes that see badly or not at all.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::{Page, Size};

/// Where `tests/install browser` puts axe-core.
const AXE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../target/browser/node_modules/axe-core/axe.min.js"
);

/// Everything that keeps people who see or move badly from using the page, as sentences.
const BARRIERS: &str = "
    const [looks, done] = arguments;
    const large = { 'target-size': { enabled: true } };
    const options = { Everything: { rules: large }, Structure: { rules: { ...large, 'color-contrast': { enabled: false } } }, Colours: { runOnly: ['color-contrast'] } }[looks];
    axe.run(document, { resultTypes: ['violations'], ...options }).then((found) =>
        done(found.violations.map((it) => `${it.id}: ${it.help}: ${it.nodes.map((node) => node.html).slice(0, 3).join(' ; ')}`)))";

/// What is looked for. Colours take the longest.
#[derive(Clone, Copy, Debug)]
pub enum Looks {
    /// Both of the others.
    Everything,
    /// Names, roles, order, size.
    Structure,
    /// Whether texts stand out from what is behind them.
    Colours,
}

/// Whatever the page has asked another machine for, or has run out of the window's width, or of its
/// own button, heading or label.
const STRAY: &str = "
    const cut = [...document.querySelectorAll('button, .button, .tabs a, .tag, label, legend, h1, h2, h3, .top .clock')]
        .filter((it) => it.offsetParent && it.clientWidth > 1 && it.scrollWidth > it.clientWidth + 2 && getComputedStyle(it).display !== 'inline')
        .map((it) => `cut off: ${it.textContent.trim()} (${it.scrollWidth} in ${it.clientWidth})`);
    const away = performance.getEntriesByType('resource').map((it) => it.name).filter((name) => !name.startsWith(location.origin) && !name.startsWith('data:'));
    const wide = document.documentElement.scrollWidth > window.innerWidth + 1 ? [`the page is ${document.documentElement.scrollWidth} wide in a window of ${window.innerWidth}`] : [];
    return [...away.map((name) => `a request left the machine: ${name}`), ...wide, ...cut]";

impl Page {
    /// Keeps a picture, and looks for barriers with axe-core, for requests to other machines and
    /// for what does not fit into the window. [`Page::assert_no_barriers`] tells of all of it in
    /// the end.
    pub async fn shown(&mut self, step: &str) {
        self.screenshot(step).await;
        // The story of every page looks at the colours on a phone.
        let looks = if self.size.width > 600 {
            Looks::Everything
        } else {
            Looks::Structure
        };
        self.look(step, looks).await;
    }

    /// Looks for barriers without keeping a picture.
    pub async fn look(&mut self, step: &str, looks: Looks) {
        if self.script("return !window.axe", vec![]).await == json!(true) {
            let axe = std::fs::read_to_string(AXE).expect("axe-core (tests/install browser)");
            self.script(&axe, vec![]).await;
        }
        let found = self
            .client
            .execute_async(BARRIERS, vec![json!(format!("{looks:?}"))]);
        let mut found = sentences(found.await.expect("axe-core runs"));
        found.extend(sentences(self.script(STRAY, vec![]).await));
        let told = found
            .into_iter()
            .map(|barrier| format!("{step}: {barrier}"));
        self.barriers.extend(told);
    }

    /// Looks whether everything fits, in a window of this size.
    pub async fn fits(&mut self, step: &str, size: Size) {
        self.resize(size).await;
        let found = sentences(self.script(STRAY, vec![]).await);
        let told = found
            .into_iter()
            .map(|stray| format!("{step}, {}: {stray}", size.name));
        self.barriers.extend(told);
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

    /// Drops a file on an element, as from the desktop.
    pub async fn drop_file(&self, css: &str, name: &str, text: &str) {
        let script = "
            const [css, name, text] = arguments;
            const carried = new DataTransfer();
            carried.items.add(new File([text], name));
            const place = document.querySelector(css);
            for (const kind of ['dragenter', 'dragover', 'drop'])
                place.dispatchEvent(new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer: carried }));";
        self.script(script, vec![json!(css), json!(name), json!(text)])
            .await;
    }

    /// The evening of somebody whose machine is set to dark colours.
    pub async fn darken(&self) {
        self.colours("dark").await;
    }

    /// `light` or `dark`.
    pub async fn colours(&self, scheme: &str) {
        // Without motion: a colour on its way to another is neither.
        let features = json!({ "features": [
            { "name": "prefers-color-scheme", "value": scheme },
            { "name": "prefers-reduced-motion", "value": "reduce" }
        ] });
        self.devtools("Emulation.setEmulatedMedia", features).await;
    }

    /// A browser somewhere else in the world.
    pub async fn travel_to(&self, zone: &str) {
        self.devtools(
            "Emulation.setTimezoneOverride",
            json!({ "timezoneId": zone }),
        )
        .await;
    }

    /// The same window in another size.
    pub async fn resize(&mut self, size: Size) {
        self.size = size;
        let metrics = json!({ "width": size.width, "height": size.height, "deviceScaleFactor": 1, "mobile": size.width < 600 });
        self.devtools("Emulation.setDeviceMetricsOverride", metrics)
            .await;
    }

    /// The sizes of the leaves of paper that the page takes when it is printed, in points.
    pub async fn printed(&self) -> Vec<String> {
        let options = json!({ "preferCSSPageSize": true });
        let printed = self.devtools("Page.printToPDF", options).await;
        let data = printed["value"]["data"].clone();
        assert!(data.is_string(), "nothing was printed: {printed}");
        let leaves = "return [...atob(arguments[0]).matchAll(/MediaBox \\[0 0 ([\\d.]+) ([\\d.]+)\\]/g)].map(([, width, height]) => `${Math.round(width)} x ${Math.round(height)}`)";
        sentences(self.script(leaves, vec![data]).await)
    }

    /// Puts the page to sleep as a phone does with a page that nobody looks at, or wakes it.
    pub async fn freeze(&self, asleep: bool) {
        let state = if asleep { "frozen" } else { "active" };
        self.devtools("Page.setWebLifecycleState", json!({ "state": state }))
            .await;
    }

    /// A command of the browser's own tools.
    pub async fn devtools(&self, command: &str, parameters: Value) -> Value {
        let session = self.client.session_id().await.expect("a session");
        let session = session.expect("an open window");
        let address = format!(
            "http://127.0.0.1:{}/session/{session}/goog/cdp/execute",
            self.port
        );
        let body = json!({ "cmd": command, "params": parameters });
        let sent = tokio::task::spawn_blocking(move || {
            ureq::post(address)
                .send_json(body)
                .and_then(|mut answer| answer.body_mut().read_json::<Value>())
        });
        sent.await.expect("it is sent").expect("the tools answer")
    }
}

/// A list of sentences that a script answered.
fn sentences(found: Value) -> Vec<String> {
    serde_json::from_value(found).expect("a list of sentences")
}

/// Where screenshots are kept.
fn folder() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/output/screenshots"))
}
