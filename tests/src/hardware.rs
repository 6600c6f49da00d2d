//! The pad as one can build it, from `firmware/hardware/pad.toml`: the wiring diagram, the table of
//! parts with what they cost, and what the image says about its pins.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Parts and nets.
#[derive(Debug)]
pub struct Hardware {
    parts: Vec<Part>,
    nets: Vec<Net>,
    light: Light,
}

#[derive(Debug)]
struct Part {
    name: String,
    what: String,
    count: i64,
    cents: i64,
    cents_of_ten: i64,
    source: String,
}

#[derive(Debug)]
struct Net {
    /// What the image uses the pin for, or which supply it is.
    role: String,
    chip: Option<String>,
    header: String,
    to: Vec<String>,
}

#[derive(Debug)]
struct Light {
    milliampere: f64,
    cells: f64,
    hours: f64,
}

/// Where the pad's hardware is described.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../firmware/hardware")
}

fn text(table: &toml::Value, key: &str) -> Option<String> {
    table.get(key)?.as_str().map(str::to_owned)
}

#[expect(clippy::cast_possible_truncation, reason = "prices are small")]
fn cents(table: &toml::Value, key: &str) -> Option<i64> {
    let euro = table.get(key)?.as_float()?;
    Some((euro * 100.0).round() as i64)
}

impl Hardware {
    /// Reads the file.
    pub fn read() -> Self {
        let file = std::fs::read_to_string(folder().join("pad.toml")).expect("the file is there");
        let file: toml::Table = file.parse().expect("TOML");
        let list = |key: &str| file[key].as_array().cloned().expect("a list");
        let number = |key: &str| {
            let value = &file["light"][key];
            let whole = value.as_integer().and_then(|it| i32::try_from(it).ok());
            value.as_float().or(whole.map(f64::from)).expect("a number")
        };
        let parts = list("part").iter().map(Part::of).collect();
        let nets = list("net").iter().map(Net::of).collect();
        let light = Light {
            milliampere: number("milliampere"),
            cells: number("cells_milliampere_hours"),
            hours: number("evening_hours"),
        };
        Self { parts, nets, light }
    }

    /// The chip's pin of every role.
    pub fn pins(&self) -> BTreeMap<String, String> {
        let of_chip = |net: &Net| Some((net.role.clone(), net.chip.clone()?));
        self.nets.iter().filter_map(of_chip).collect()
    }

    /// What is wrong with the file itself: a pin that two nets have, a part that nobody joins.
    pub fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        let mut taken: BTreeMap<&str, &str> = BTreeMap::new();
        for net in &self.nets {
            let headers = [net.header.as_str()].into_iter().filter(|it| {
                let shared = ["on the board", "USB socket", "none"];
                !shared.contains(it)
            });
            let pins = net.to.iter().map(String::as_str);
            for pin in pins.chain(net.chip.as_deref()).chain(headers) {
                if let Some(other) = taken.insert(pin, &net.role) {
                    faults.push(format!("{pin} is in {other} and in {}", net.role));
                }
            }
        }
        for part in &self.parts {
            let plural = format!("{}s ", part.name);
            let single = format!("{} ", part.name);
            let joined = |pin: &&str| pin.starts_with(&single) || pin.starts_with(&plural);
            let outside = ["board", "case", "diode"];
            if !outside.contains(&part.name.as_str()) && !taken.keys().any(joined) {
                faults.push(format!("nothing leads to the {}", part.name));
            }
        }
        faults
    }

    /// Cents for one pad, and for one of a set of ten.
    pub fn cost(&self) -> (i64, i64) {
        let sum = |cents: fn(&Part) -> i64| self.parts.iter().map(|it| it.count * cents(it)).sum();
        (sum(|part| part.cents), sum(|part| part.cents_of_ten))
    }

    /// The page about the pad one can build.
    pub fn page(&self) -> String {
        let mut page = String::from(
            "# A pad one can build\n\nMade from [pad.toml](pad.toml) by `cargo run -p tests --bin \
             hardware`; a test holds the pins of the image against it. **Nobody has built one from \
             this page yet**: the chip runs in the emulator only.\n\n![Wiring](wiring.svg)\n\n\
             ## Wires\n\n| for | chip | header | to |\n|---|---|---|---|\n",
        );
        for net in &self.nets {
            let chip = net.chip.as_deref().unwrap_or("–");
            let to = if net.to.is_empty() {
                "on the board".to_owned()
            } else {
                net.to.join(", ")
            };
            let _ = writeln!(page, "| {} | {chip} | {} | {to} |", net.role, net.header);
        }
        page.push_str(
            "\nEach key joins its row to its column through a diode, cathode to the row. The \
             columns' pull-ups are in the chip.\n\n## Parts\n\nPrices in euro with tax and without \
             postage, as we expect them; no shop was asked. *Of ten*: each, in a set of ten pads.\n\n\
             | part | pieces | each | of ten | bought at |\n|---|---|---|---|---|\n",
        );
        for part in &self.parts {
            let _ = writeln!(
                page,
                "| {} | {} | {} | {} | {} |",
                part.what,
                part.count,
                euro(part.cents),
                euro(part.cents_of_ten),
                bought_at(&part.source),
            );
        }
        let (one, of_ten) = self.cost();
        let _ = writeln!(
            page,
            "\nOne pad costs about {} euro, a set of ten {} ({} each).\n",
            euro(one),
            euro(10 * of_ten),
            euro(of_ten)
        );
        let evenings = self.light.cells / (self.light.milliampere * self.light.hours);
        let _ = writeln!(
            page,
            "## In a dark room\n\nThe display has no light of its own: it shows what falls on it, \
             which is why two cells last for years. Where the room is dark, two LEDs under the upper \
             edge of the case shine across the glass. They have a switch of their own and no pin of \
             the chip: {:.0} mA, so that burning all evening they empty fresh cells in {evenings:.0} \
             evenings; most clubs will leave them off.",
            self.light.milliampere,
        );
        page
    }

    /// The wiring as a picture: the board's headers at the left, the other parts at the right.
    pub fn diagram(&self) -> String {
        const ROW: usize = 22;
        let height = 60 + ROW * self.nets.len();
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 900 {height}\" \
             font-family=\"sans-serif\" font-size=\"13\">\n<rect width=\"900\" height=\"{height}\" \
             fill=\"white\"/>\n<rect x=\"20\" y=\"20\" width=\"250\" height=\"{}\" fill=\"none\" \
             stroke=\"black\" stroke-width=\"2\"/>\n<text x=\"30\" y=\"38\" \
             font-weight=\"bold\">B-L475E-IOT01A</text>\n",
            height - 40
        );
        for (row, net) in self.nets.iter().enumerate() {
            let y = 62 + ROW * row;
            let chip = net.chip.as_deref().unwrap_or("");
            let at_board = match net.header.as_str() {
                "none" => String::new(),
                header => format!("{header} {chip}"),
            };
            let _ = writeln!(
                svg,
                "<text x=\"262\" y=\"{y}\" text-anchor=\"end\">{at_board}</text>"
            );
            let to = net.to.join(", ");
            if to.is_empty() {
                continue;
            }
            let line = y - 5;
            let start = if at_board.is_empty() { 300 } else { 270 };
            let _ = writeln!(
                svg,
                "<line x1=\"{start}\" y1=\"{line}\" x2=\"480\" y2=\"{line}\" stroke=\"black\"/>\n\
                 <text x=\"300\" y=\"{}\" font-size=\"10\" fill=\"#444\">{}</text>\n\
                 <text x=\"490\" y=\"{y}\">{to}</text>",
                line - 3,
                net.role,
            );
        }
        svg.push_str("</svg>\n");
        svg
    }
}

impl Part {
    fn of(table: &toml::Value) -> Self {
        let cents_of_one = cents(table, "euro").expect("a price");
        Self {
            name: text(table, "name").expect("a name"),
            what: text(table, "what").expect("words"),
            count: table["count"].as_integer().expect("a count"),
            cents: cents_of_one,
            cents_of_ten: cents(table, "euro_of_ten").unwrap_or(cents_of_one),
            source: text(table, "source").expect("a source"),
        }
    }
}

impl Net {
    fn of(table: &toml::Value) -> Self {
        let to = table["to"].as_array().cloned().unwrap_or_default();
        Self {
            role: text(table, "role")
                .or_else(|| text(table, "power"))
                .expect("a role or a supply"),
            chip: text(table, "chip"),
            header: text(table, "header").expect("a header"),
            to: to
                .iter()
                .filter_map(|pin| pin.as_str().map(str::to_owned))
                .collect(),
        }
    }
}

fn euro(cents: i64) -> String {
    format!("{}.{:02}", cents / 100, cents % 100)
}

fn bought_at(source: &str) -> &'static str {
    match source {
        "distributor" => "electronics distributor",
        "hobby" => "shop for makers",
        "market" => "online market place",
        _ => "any shop",
    }
}

/// What the image's source says about its pins, by the same roles.
pub fn pins_of_the_image() -> BTreeMap<String, String> {
    let board = folder().join("../src/stm32/board.rs");
    let source = std::fs::read_to_string(board).expect("the image's source");
    let code: String = source
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect::<Vec<_>>()
        .join(" ");
    let mut pins = BTreeMap::new();
    let mut take = |begin: &str, end: &str, roles: &[&str]| {
        let from = code.find(begin).unwrap_or_else(|| panic!("no {begin}"));
        let rest = &code[from + begin.len()..];
        let body = &rest[..rest.find(end).expect("an end")];
        let found: Vec<&str> = body
            .split(|letter: char| !letter.is_ascii_alphanumeric())
            .filter(|word| is_pin(word))
            .collect();
        assert_eq!(found.len(), roles.len(), "{begin}: {found:?}");
        for (role, pin) in roles.iter().zip(found) {
            pins.insert((*role).to_owned(), pin.to_owned());
        }
    };
    take(
        "BufferedUart::new(p.UART4",
        ")",
        &["radio receive", "radio transmit"],
    );
    take(
        "BufferedUart::new(p.USART1",
        ")",
        &["service receive", "service transmit"],
    );
    let numbered = |what: &str| -> Vec<String> {
        (1..=6)
            .map(|number| format!("keypad {what} {number}"))
            .collect()
    };
    let (rows, columns) = (numbered("row"), numbered("column"));
    take("AnyPin>; 6] = [", "];", &borrowed(&rows));
    take("columns: [", "],", &borrowed(&columns));
    take(
        "Spi::new_blocking_txonly(",
        ")",
        &["display clock", "display data"],
    );
    take(
        "MemoryLcd::new(bus,",
        ";",
        &["display select", "display on"],
    );
    take("modem: output(", ")", &["modem supply on"]);
    take("modem_set: OutputOpenDrain::new(", ",", &["modem set"]);
    take("display::alternate(output(", ")", &["display polarity"]);
    take("sounds::play(output(", ".map", &["buzzer", "lamp"]);
    pins
}

fn borrowed(names: &[String]) -> Vec<&str> {
    names.iter().map(String::as_str).collect()
}

/// `PA0` to `PH15`.
fn is_pin(word: &str) -> bool {
    let number = word
        .strip_prefix('P')
        .and_then(|rest| rest.strip_prefix(|port: char| ('A'..='H').contains(&port)));
    number.is_some_and(|number| number.parse::<u8>().is_ok_and(|number| number < 16))
}
