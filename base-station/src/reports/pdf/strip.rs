//! Strips of a sheet: what is not broken between two pages, and how strips become pages.

use std::rc::Rc;

use super::text::{Colour, LEADING, Line, Style};

/// What is drawn, from the upper left corner.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Mark {
    /// `y` is where the letters stand.
    Text {
        x: f32,
        y: f32,
        text: String,
        style: Style,
    },
    /// Lines from point to point.
    Path {
        points: Vec<(f32, f32)>,
        width: f32,
        colour: Colour,
        dashes: Vec<f32>,
    },
    Disc {
        x: f32,
        y: f32,
        radius: f32,
        colour: Colour,
    },
}

impl Mark {
    pub(super) fn rule(from: (f32, f32), to: (f32, f32), width: f32, colour: Colour) -> Self {
        Self::Path {
            points: vec![from, to],
            width,
            colour,
            dashes: Vec::new(),
        }
    }

    pub(super) fn frame(width: f32, height: f32, pen: f32, colour: Colour) -> Self {
        Self::Path {
            points: vec![
                (0.0, 0.0),
                (width, 0.0),
                (width, height),
                (0.0, height),
                (0.0, 0.0),
            ],
            width: pen,
            colour,
            dashes: Vec::new(),
        }
    }

    pub(super) fn moved(mut self, by: (f32, f32)) -> Self {
        match &mut self {
            Self::Text { x, y, .. } | Self::Disc { x, y, .. } => {
                *x += by.0;
                *y += by.1;
            }
            Self::Path { points, .. } => {
                for (x, y) in points {
                    *x += by.0;
                    *y += by.1;
                }
            }
        }
        self
    }
}

/// What stays on one page.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Strip {
    pub(super) height: f32,
    pub(super) marks: Vec<Mark>,
    /// The next one must be on the same page.
    pub(super) with_next: bool,
    /// A new page begins here.
    pub(super) new_page: bool,
    /// Comes again where a page begins with this: the headings of a table.
    pub(super) head: Option<Rc<Strip>>,
}

impl Strip {
    pub(super) fn space(height: f32) -> Self {
        Self {
            height,
            ..Self::default()
        }
    }

    /// Lines of text, in the room of `width` at the left, in the middle or at the right.
    pub(super) fn lines(lines: &[Line], width: f32, align: Align) -> Self {
        let mut strip = Self::default();
        for line in lines {
            let left = match align {
                Align::Left => 0.0,
                Align::Middle => (width - line.width).max(0.0) / 2.0,
                Align::Right => (width - line.width).max(0.0),
            };
            let y = strip.height + line.size * (LEADING + 0.72) / 2.0;
            for span in &line.spans {
                strip.marks.push(Mark::Text {
                    x: left + span.x,
                    y,
                    text: span.text.clone(),
                    style: span.style,
                });
            }
            for (x, width, colour, dashes) in &line.samples {
                let middle = y - line.size * 0.3;
                strip.marks.push(Mark::Path {
                    points: vec![(left + x, middle), (left + x + width, middle)],
                    width: 2.0,
                    colour: *colour,
                    dashes: dashes.clone(),
                });
            }
            strip.height += line.size * LEADING;
        }
        strip
    }

    /// Puts another one into it.
    pub(super) fn put(&mut self, other: Self, at: (f32, f32)) {
        let marks = other.marks.into_iter().map(|mark| mark.moved(at));
        self.marks.extend(marks);
        self.height = self.height.max(at.1 + other.height);
    }

    /// All of them below each other, as one.
    pub(super) fn stacked(strips: Vec<Self>) -> Self {
        let mut all = Self::default();
        for strip in strips {
            let below = all.height;
            all.put(strip, (0.0, below));
        }
        all
    }
}

/// Where text stands in its room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Align {
    Left,
    Middle,
    Right,
}

/// Keeps strips on one page, where a page is high enough for them.
pub(super) fn together(mut strips: Vec<Strip>, page: f32) -> Vec<Strip> {
    let height: f32 = strips.iter().map(|strip| strip.height).sum();
    let last = strips.len().saturating_sub(1);
    if height <= page {
        for strip in strips.iter_mut().take(last) {
            strip.with_next = true;
        }
    }
    strips
}

/// The pages of a sheet, each so high; the first begins `first` further down.
pub(super) fn pages(strips: &[Strip], first: f32, height: f32) -> Vec<Vec<Mark>> {
    let mut pages = vec![Vec::new()];
    let mut y = first;
    let mut fresh = true;
    for at in 0..strips.len() {
        let Some(strip) = strips.get(at) else { break };
        let chain = strips.get(at..).unwrap_or_default();
        let need = chain_height(chain);
        let need = if need > height { strip.height } else { need };
        if !fresh && (strip.new_page || y + need > height + 0.01) {
            pages.push(Vec::new());
            (y, fresh) = (0.0, true);
            if let Some(head) = &strip.head {
                put(&mut pages, head, &mut y);
            }
        }
        // Nothing begins with the space that was to be above it.
        if fresh && strip.marks.is_empty() {
            continue;
        }
        put(&mut pages, strip, &mut y);
        fresh = false;
    }
    pages
}

fn chain_height(strips: &[Strip]) -> f32 {
    let mut height = 0.0;
    for strip in strips {
        height += strip.height;
        if !strip.with_next {
            break;
        }
    }
    height
}

fn put(pages: &mut [Vec<Mark>], strip: &Strip, y: &mut f32) {
    if let Some(page) = pages.last_mut() {
        let marks = strip.marks.iter().cloned();
        page.extend(marks.map(|mark| mark.moved((0.0, *y))));
    }
    *y += strip.height;
}
