//! Tables: columns as wide as they need to be, headings again on every page.

use std::rc::Rc;

use super::flow::Flow;
use super::strip::{Align, Mark, Strip};
use super::text::{Atom, BLACK, PALE, Style};
use super::tree::Element;

/// Smaller letters than this share can't be read on the wall.
const SMALLEST: f32 = 0.55;

/// Room at both sides of a cell, in sizes of its letters.
const BESIDE: f32 = 0.4;

struct Cell {
    atoms: Vec<Atom>,
    columns: usize,
    right: bool,
}

struct Row {
    cells: Vec<Cell>,
    heading: bool,
}

impl Flow<'_> {
    pub(super) fn table(&self, element: &Element, width: f32, style: Style) -> Vec<Strip> {
        let small = element.is("makes");
        let mut style = if small {
            Style {
                size: style.size * 0.82,
                ..style
            }
        } else {
            style
        };
        let width = if element.is("tricks") {
            width.min(220.0)
        } else {
            width
        };
        let smallest = style.size * SMALLEST;
        // A wide table gets smaller letters until its longest words fit.
        let (rows, columns) = loop {
            let rows = rows(element, style);
            let beside = if small { 0.2 } else { BESIDE } * style.size;
            let fit = self.columns(&rows, width, beside);
            match fit {
                Fit::Columns(columns) => break (rows, columns),
                Fit::TooWide(columns) if style.size <= smallest => break (rows, columns),
                Fit::TooWide(_) => style.size *= 0.94,
            }
        };
        let mut strips = Vec::new();
        for caption in element.elements().filter(|child| child.name == "caption") {
            let lines = self.faces.wrap(&Self::atoms(caption, style), width);
            let mut strip = Strip::lines(&lines, width, Align::Left);
            strip.with_next = true;
            strips.push(strip);
        }
        let mut head: Option<Rc<Strip>> = None;
        for row in &rows {
            let mut strip = self.row(row, &columns, style, small);
            if row.heading {
                strip.with_next = true;
                head = Some(Rc::new(strip.clone()));
            } else {
                strip.head.clone_from(&head);
            }
            strips.push(strip);
        }
        if !small {
            strips.push(Strip::space(8.0));
        }
        strips
    }

    fn row(&self, row: &Row, columns: &[f32], style: Style, small: bool) -> Strip {
        let beside = if small { 0.2 } else { BESIDE } * style.size;
        let above = if small { 0.0 } else { style.size * 0.14 };
        let mut strip = Strip::default();
        let (mut at, mut x) = (0, 0.0);
        for cell in &row.cells {
            let own = columns.get(at..(at + cell.columns).min(columns.len()));
            let width: f32 = own.unwrap_or_default().iter().sum();
            let room = (width - 2.0 * beside).max(1.0);
            let lines = self.faces.wrap(&cell.atoms, room);
            let align = if cell.right {
                Align::Right
            } else {
                Align::Left
            };
            let text = Strip::lines(&lines, room, align);
            strip.put(text, (x + beside, above));
            x += width;
            at += cell.columns;
        }
        strip.height += above;
        if !small {
            let (pen, colour) = if row.heading {
                (1.2, BLACK)
            } else {
                (0.5, PALE)
            };
            let whole: f32 = columns.iter().sum();
            let y = strip.height;
            strip
                .marks
                .push(Mark::rule((0.0, y), (whole, y), pen, colour));
        }
        strip
    }

    /// How wide each column is, in this room.
    fn columns(&self, rows: &[Row], width: f32, beside: f32) -> Fit {
        let count = rows
            .iter()
            .map(|row| row.cells.iter().map(|cell| cell.columns).sum());
        let count: usize = count.max().unwrap_or_default();
        let mut least = vec![0.0_f32; count];
        let mut most = vec![0.0_f32; count];
        for row in rows {
            let mut at = 0;
            for cell in &row.cells {
                // What spans several columns takes the room they have.
                if let (1, Some(least), Some(most)) =
                    (cell.columns, least.get_mut(at), most.get_mut(at))
                {
                    let (own_least, own_most) = self.faces.natural(&cell.atoms);
                    *least = least.max(own_least + 2.0 * beside + 0.1);
                    *most = most.max(own_most + 2.0 * beside + 0.1);
                }
                at += cell.columns;
            }
        }
        let (sum_least, sum_most): (f32, f32) = (least.iter().sum(), most.iter().sum());
        if sum_most <= width {
            let larger = width / sum_most.max(1.0);
            return Fit::Columns(most.iter().map(|own| own * larger).collect());
        }
        if sum_least > width {
            let smaller = width / sum_least;
            return Fit::TooWide(least.iter().map(|own| own * smaller).collect());
        }
        let share = (width - sum_least) / (sum_most - sum_least).max(0.001);
        let columns = least.iter().zip(&most);
        Fit::Columns(
            columns
                .map(|(least, most)| least + (most - least) * share)
                .collect(),
        )
    }
}

enum Fit {
    Columns(Vec<f32>),
    TooWide(Vec<f32>),
}

fn rows(table: &Element, style: Style) -> Vec<Row> {
    let mut rows = Vec::new();
    for group in table.elements() {
        for row in group.elements().filter(|row| row.name == "tr") {
            let cells = row.elements().map(|cell| {
                let bold = Style {
                    bold: cell.name == "th",
                    ..style
                };
                let columns = cell.attribute("colspan").and_then(|text| text.parse().ok());
                Cell {
                    atoms: Flow::atoms(cell, bold),
                    columns: columns.unwrap_or(1),
                    right: cell.is("number"),
                }
            });
            rows.push(Row {
                cells: cells.collect(),
                heading: group.name == "thead",
            });
        }
    }
    rows
}
