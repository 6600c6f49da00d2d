//! From the tree to strips: what a browser does with our style sheet, for what sheets are made of.

use super::strip::{Align, Mark, Strip, together};
use super::text::{Atom, BLACK, Colour, Faces, PALE, QUIET, RED, Style};
use super::tree::{Element, Node};

/// Letters of the usual text, in points.
pub(super) const SIZE: f32 = 9.5;

/// Letters of hand records, twenty to a leaf.
const RECORD_SIZE: f32 = 7.8;

/// What the head of the first page takes more than those of others, and that it is not final.
const FIRST: f32 = 62.0;

/// Smaller letters than this share are no help.
const SMALLEST: f32 = 0.72;

/// Between columns.
const GAP: f32 = 18.0;

/// Around what stands in a frame.
const PAD: f32 = 4.0;

/// Lays a sheet out.
pub(super) struct Flow<'a> {
    pub(super) faces: &'a Faces,
    /// The room of a page.
    pub(super) page: f32,
}

/// The usual letters.
pub(super) const fn usual() -> Style {
    Style {
        size: SIZE,
        bold: false,
        colour: BLACK,
        together: false,
    }
}

/// Whether the element is part of a line of text.
fn is_inline(element: &Element) -> bool {
    matches!(
        element.name.as_str(),
        "span" | "strong" | "em" | "a" | "br" | "small"
    ) || (element.name == "svg" && element.attribute("viewBox").is_none())
}

/// What is for screens only; pages have a head of their own.
fn is_left_out(element: &Element) -> bool {
    element.is("screen") || element.is("again") || matches!(element.name.as_str(), "style" | "nav")
}

impl Flow<'_> {
    /// Everything in an element, in so much room.
    pub(super) fn inside(&self, element: &Element, width: f32, style: Style) -> Vec<Strip> {
        let mut strips = Vec::new();
        let mut line: Vec<&Node> = Vec::new();
        let mut leaves = 0;
        for child in &element.children {
            match child {
                Node::Element(block) if !is_inline(block) => {
                    self.paragraph(&mut line, width, style, &mut strips);
                    if is_left_out(block) {
                        continue;
                    }
                    let mut own = self.block(block, width, style);
                    // What is handed out begins on a page of its own.
                    if block.is("sheet") {
                        leaves += 1;
                        if let Some(first) = own.first_mut() {
                            first.new_page = leaves > 1;
                        }
                    }
                    strips.extend(own);
                }
                _ => line.push(child),
            }
        }
        self.paragraph(&mut line, width, style, &mut strips);
        strips
    }

    fn paragraph(&self, line: &mut Vec<&Node>, width: f32, style: Style, strips: &mut Vec<Strip>) {
        let atoms = atoms(line, style);
        line.clear();
        if !atoms.is_empty() {
            let lines = self.faces.wrap(&atoms, width);
            strips.push(Strip::lines(&lines, width, Align::Left));
        }
    }

    /// The text of an element.
    pub(super) fn atoms(element: &Element, style: Style) -> Vec<Atom> {
        let nodes: Vec<&Node> = element.children.iter().collect();
        atoms(&nodes, style)
    }

    fn block(&self, element: &Element, width: f32, style: Style) -> Vec<Strip> {
        match element.name.as_str() {
            "h1" => self.heading(element, width, (1.5, 0.0), style),
            "h2" if element.is("table-number") => self.heading(element, width, (2.0, 0.0), style),
            "h2" => self.heading(element, width, (1.15, 9.0), style),
            "h3" => self.heading(element, width, (1.0, 7.0), style),
            "p" if element.is("not-final") => self.framed(element, width, style),
            "p" | "li" => self.text(element, width, style),
            "ul" => self.list(element, width, style),
            "table" => self.table(element, width, style),
            "svg" => vec![super::picture::picture(self.faces, element, width)],
            _ if element.is("columns") => self.beside(element, 2, width, style),
            _ if element.is("records") => self.records(element, width, style),
            _ if element.is("deal") => vec![self.deal(element, width, style)],
            _ if element.is("board") || element.is("record") => {
                together(self.inside(element, width, style), self.page)
            }
            _ if element.is("sheet") => self.leaf(element, width, style),
            _ => self.inside(element, width, coloured(element, style)),
        }
    }

    /// Five rows of four deals come on one leaf, with smaller letters where they must.
    fn records(&self, element: &Element, width: f32, style: Style) -> Vec<Strip> {
        let mut size = RECORD_SIZE;
        loop {
            let rows = self.beside(element, 4, width, Style { size, ..style });
            let height: f32 = rows.iter().take(5).map(|row| row.height).sum();
            if height <= self.page - FIRST || size < RECORD_SIZE * SMALLEST {
                return rows;
            }
            size *= 0.98;
        }
    }

    /// What is handed out comes on one leaf, with smaller letters where it must.
    fn leaf(&self, element: &Element, width: f32, style: Style) -> Vec<Strip> {
        let mut size = style.size;
        loop {
            let strips = self.inside(element, width, Style { size, ..style });
            let height: f32 = strips.iter().map(|strip| strip.height).sum();
            if height <= self.page - FIRST || size < style.size * SMALLEST {
                return strips;
            }
            size *= 0.96;
        }
    }

    fn heading(
        &self,
        element: &Element,
        width: f32,
        (larger, above): (f32, f32),
        style: Style,
    ) -> Vec<Strip> {
        let style = Style {
            size: style.size * larger,
            bold: true,
            ..style
        };
        let lines = self.faces.wrap(&Self::atoms(element, style), width);
        let mut text = Strip::lines(&lines, width, Align::Left);
        text.height += 2.0;
        text.with_next = true;
        let mut space = Strip::space(above);
        space.with_next = true;
        vec![space, text]
    }

    fn text(&self, element: &Element, width: f32, style: Style) -> Vec<Strip> {
        let lines = self
            .faces
            .wrap(&Self::atoms(element, coloured(element, style)), width);
        let mut strip = Strip::lines(&lines, width, Align::Left);
        strip.height += 3.0;
        vec![strip]
    }

    fn framed(&self, element: &Element, width: f32, style: Style) -> Vec<Strip> {
        let bold = Style {
            bold: true,
            ..style
        };
        let room = width - 2.0 * PAD;
        let lines = self.faces.wrap(&Self::atoms(element, bold), room);
        let text = Strip::lines(&lines, room, Align::Left);
        let mut strip = Strip::default();
        let high = text.height + 2.0 * PAD;
        strip.put(text, (PAD, PAD));
        strip.marks.push(Mark::frame(width, high, 1.4, BLACK));
        strip.height = high + 4.0;
        vec![strip]
    }

    fn list(&self, element: &Element, width: f32, style: Style) -> Vec<Strip> {
        let dotted = !element.is("keys");
        let items = element.elements().map(|item| {
            let lines = self.faces.wrap(&Self::atoms(item, style), width - 12.0);
            let mut strip = Strip::default();
            strip.put(Strip::lines(&lines, width, Align::Left), (12.0, 0.0));
            if dotted {
                strip.marks.push(Mark::Disc {
                    x: 5.0,
                    y: style.size * 0.65,
                    radius: 1.4,
                    colour: style.colour,
                });
            }
            strip.height += 2.0;
            strip
        });
        items.collect()
    }

    /// Children beside each other, so many in a row.
    fn beside(&self, element: &Element, columns: u8, width: f32, style: Style) -> Vec<Strip> {
        let dense = columns > 2;
        let gap = if dense { 0.0 } else { GAP };
        let step = (width + gap) / f32::from(columns);
        let pad = if dense { PAD } else { 0.0 };
        let room = step - gap - 2.0 * pad;
        let cells: Vec<Strip> = element
            .elements()
            .map(|child| Strip::stacked(self.block(child, room, style)))
            .collect();
        let highest = cells.iter().map(|cell| cell.height).fold(0.0, f32::max);
        let rows = cells.chunks(usize::from(columns)).map(|row| {
            let high = row.iter().map(|cell| cell.height).fold(0.0, f32::max);
            // Records are as high as the highest, so that leaves look alike.
            let high = if dense { highest } else { high } + 2.0 * pad;
            let mut strip = Strip::space(high);
            for (at, cell) in (0_u8..).zip(row) {
                let x = step * f32::from(at);
                strip.put(cell.clone(), (x + pad, pad));
                if dense {
                    let frame = Mark::frame(step, high, 0.5, PALE);
                    strip.marks.push(frame.moved((x, 0.0)));
                }
            }
            strip
        });
        rows.collect()
    }

    /// Four hands around the table, and what is in the corners.
    fn deal(&self, element: &Element, width: f32, style: Style) -> Strip {
        let small = element.is("small");
        let width = if small { width } else { width.min(250.0) };
        let step = width / 3.0;
        let mut rows = [(); 3].map(|()| Strip::default());
        for child in element.elements() {
            let places = [
                ("nw", 0, 0.0),
                ("N", 0, 1.0),
                ("ne", 0, 2.0),
                ("W", 1, 0.0),
                ("middle", 1, 1.0),
                ("E", 1, 2.0),
                ("sw", 2, 0.0),
                ("S", 2, 1.0),
                ("se", 2, 2.0),
            ];
            let place = places.into_iter().find(|(class, ..)| child.is(class));
            let Some((class, row, column)) = place else {
                continue;
            };
            let content = if class == "middle" {
                self.middle(child, step, small, style)
            } else {
                Strip::stacked(self.inside(child, step, style))
            };
            if let Some(row) = rows.get_mut(row) {
                row.put(content, (column * step, 0.0));
            }
        }
        Strip::stacked(rows.into())
    }

    fn middle(&self, element: &Element, width: f32, small: bool, style: Style) -> Strip {
        let bold = Style {
            bold: true,
            ..style
        };
        let line = |element: &Element| {
            let lines = self.faces.wrap(&Self::atoms(element, bold), width);
            Strip::lines(&lines, width, Align::Middle)
        };
        if small {
            // Three lines beside hands of four.
            let lines = element.elements().map(line);
            let above = Strip::space(style.size * 0.6);
            return Strip::stacked(std::iter::once(above).chain(lines).collect());
        }
        let high = style.size * 3.0;
        let lines = self.faces.wrap(&Self::atoms(element, bold), high);
        let mut strip = Strip::default();
        strip.put(
            Strip::lines(&lines, high, Align::Middle),
            (0.0, high * 0.28),
        );
        strip.marks.push(Mark::frame(high, high, 0.8, BLACK));
        strip.height = high + 6.0;
        strip
    }
}

/// The colour of what an element says.
fn coloured(element: &Element, style: Style) -> Style {
    let colour: Option<Colour> = if element.is("h") || element.is("d") {
        Some(RED)
    } else if element.is("quiet") {
        Some(QUIET)
    } else {
        None
    };
    let light = element.is("quiet") && element.name == "span";
    Style {
        colour: colour.unwrap_or(style.colour),
        bold: (style.bold && !light) || element.name == "strong",
        together: style.together || element.is("together") || element.is("suit"),
        ..style
    }
}

fn atoms(nodes: &[&Node], style: Style) -> Vec<Atom> {
    let mut all = Vec::new();
    let mut spaced = false;
    for node in nodes {
        gather(node, style, &mut spaced, &mut all);
    }
    all
}

fn gather(node: &Node, style: Style, spaced: &mut bool, all: &mut Vec<Atom>) {
    match node {
        Node::Text(text) => words(text, style, spaced, all),
        Node::Element(element) if element.name == "br" => {
            *spaced = false;
            all.push(Atom::Break);
        }
        Node::Element(element) if element.name == "svg" => {
            all.extend(super::picture::sample(element));
        }
        Node::Element(element) if is_left_out(element) => {}
        Node::Element(element) => {
            let style = coloured(element, style);
            for child in &element.children {
                gather(child, style, spaced, all);
            }
        }
    }
}

fn words(text: &str, style: Style, spaced: &mut bool, all: &mut Vec<Atom>) {
    let mut word = String::new();
    let mut end = |word: &mut String, spaced: &mut bool| {
        if !word.is_empty() {
            all.push(Atom::Word {
                text: std::mem::take(word),
                style,
                spaced: *spaced,
            });
            *spaced = false;
        }
    };
    for letter in text.chars() {
        if !letter.is_whitespace() || letter == '\u{a0}' {
            word.push(letter);
        } else {
            end(&mut word, spaced);
            *spaced = true;
        }
    }
    end(&mut word, spaced);
}
