//! Sheets as PDF, made here and not by a browser, so that results can be mailed.
//!
//! A sheet's markup is made once, by the function that also feeds the page; this is another reader
//! of it, who knows paper instead of screens. `tree` reads the markup, `flow`, `table` and `picture`
//! lay it out in strips, `strip` deals them out to pages.

mod flow;
mod picture;
mod strip;
mod table;
mod text;
mod tree;

#[cfg(test)]
mod tests;

use krilla::Document;
use krilla::color::rgb;
use krilla::destination::XyzDestination;
use krilla::geom::{Path, PathBuilder, Point};
use krilla::metadata::Metadata;
use krilla::num::NormalizedF32;
use krilla::outline::{Outline, OutlineNode};
use krilla::page::PageSettings;
use krilla::paint::{Fill, Stroke, StrokeDash};
use krilla::surface::Surface;
use maud::Markup;

use super::{Sheet, SheetKind};
use flow::{Flow, usual};
use strip::{Align, Mark, Strip};
use text::{BLACK, Colour, Faces, QUIET, Style};

/// A millimetre in points.
const MM: f32 = 72.0 / 25.4;

/// Room above what is on a page, for whose it is.
const HEAD: f32 = 20.0;

/// Room below, for the number of the page.
const FOOT: f32 = 18.0;

/// Why there is no PDF.
#[derive(Debug, thiserror::Error)]
pub enum PdfError {
    /// A mistake of ours: a sheet that can't be read again.
    #[error("the sheet can't be laid out: {0}")]
    Markup(String),
    /// The fonts in the program are damaged.
    #[error("the letters in the program can't be read")]
    Letters,
    /// The file could not be put together.
    #[error("the PDF could not be made: {0}")]
    File(String),
}

impl PdfError {
    fn markup(fault: impl std::fmt::Display) -> Self {
        Self::Markup(fault.to_string())
    }
}

/// A page that waits for its number.
struct Leaf {
    marks: Vec<Mark>,
    /// Whether a sheet begins here, which has a larger head.
    first: bool,
    title: &'static str,
    margin: f32,
}

/// Sheets as one file, each beginning on a new page.
pub fn pdf(sheet: &Sheet<'_>, kinds: &[&SheetKind]) -> Result<Vec<u8>, PdfError> {
    let bodies: Vec<_> = kinds
        .iter()
        .map(|kind| (*kind, (kind.body)(sheet)))
        .collect();
    let parts: Vec<_> = bodies.iter().map(|(kind, body)| (*kind, body)).collect();
    pdf_of(sheet, &parts)
}

/// The same with what is on each of them.
pub fn pdf_of(sheet: &Sheet<'_>, parts: &[(&SheetKind, &Markup)]) -> Result<Vec<u8>, PdfError> {
    let faces = Faces::new()?;
    let mut leaves = Vec::new();
    for (kind, body) in parts {
        leaves.extend(laid_out(sheet, &faces, kind, body)?);
    }
    written(sheet, &faces, &leaves)
}

fn laid_out(
    sheet: &Sheet<'_>,
    faces: &Faces,
    kind: &SheetKind,
    body: &Markup,
) -> Result<Vec<Leaf>, PdfError> {
    let (width, height) = sheet.paper.points();
    let margin = f32::from(kind.margin_mm) * MM;
    let (width, height) = (width - 2.0 * margin, height - 2.0 * margin - HEAD - FOOT);
    let flow = Flow {
        faces,
        page: height,
    };
    let head = tree::parse(&sheet.head(kind.title).0)?;
    let mut head = Strip::stacked(flow.inside(&head, width, usual()));
    let below = head.height + 2.0;
    let line = Mark::rule((0.0, below), (width, below), 1.4, BLACK);
    head.marks.push(line);
    let first = (below + 8.0 - HEAD).max(0.0);
    let strips = flow.inside(&tree::parse(&body.0)?, width, usual());
    let mut leaves: Vec<Leaf> = strip::pages(&strips, first, height)
        .into_iter()
        .map(|marks| Leaf {
            marks,
            first: false,
            title: kind.title,
            margin,
        })
        .collect();
    if let Some(leaf) = leaves.first_mut() {
        leaf.first = true;
        let head = head.marks.into_iter();
        leaf.marks.extend(head.map(|mark| mark.moved((0.0, -HEAD))));
    }
    Ok(leaves)
}

fn written(sheet: &Sheet<'_>, faces: &Faces, leaves: &[Leaf]) -> Result<Vec<u8>, PdfError> {
    let (width, height) = sheet.paper.points();
    let words = sheet.words;
    let mut document = Document::new();
    let mut outline = Outline::new();
    for (at, leaf) in leaves.iter().enumerate() {
        let settings = PageSettings::from_wh(width, height)
            .ok_or_else(|| PdfError::File("the paper has no size".to_owned()))?;
        let mut page = document.start_page_with(settings);
        let mut surface = page.surface();
        let origin = (leaf.margin, leaf.margin + HEAD);
        for mark in &leaf.marks {
            draw(&mut surface, faces, mark.clone().moved(origin));
        }
        for mark in around(sheet, faces, leaf, (at + 1, leaves.len())) {
            draw(&mut surface, faces, mark);
        }
        surface.finish();
        page.finish();
        if leaf.first {
            let place = XyzDestination::new(at, Point::from_xy(0.0, 0.0));
            let title = words.text(leaf.title).to_owned();
            outline.push_child(OutlineNode::new(title, place));
        }
    }
    document.set_outline(outline);
    let title = sheet.event().to_owned();
    let about = Metadata::new()
        .title(title)
        .language(words.language.code().to_owned())
        .creator("Byestand".to_owned());
    document.set_metadata(about);
    document
        .finish()
        .map_err(|fault| PdfError::File(format!("{fault:?}")))
}

/// Whose the page is, where its sheet does not begin on it, and its number.
fn around(
    sheet: &Sheet<'_>,
    faces: &Faces,
    leaf: &Leaf,
    (number, of): (usize, usize),
) -> Vec<Mark> {
    let (width, height) = sheet.paper.points();
    let room = width - 2.0 * leaf.margin;
    let style = Style {
        size: 8.0,
        colour: QUIET,
        ..usual()
    };
    let place = |text: &str, align: Align, y: f32| {
        let word = text::Atom::Word {
            text: text.to_owned(),
            style,
            spaced: false,
        };
        let strip = Strip::lines(&faces.wrap(&[word], f32::INFINITY), room, align);
        let marks = strip.marks.into_iter();
        marks.map(move |mark| mark.moved((leaf.margin, y)))
    };
    let foot = height - leaf.margin - FOOT + 6.0;
    let pages = sheet
        .words
        .with("page_of", &[("page", &number), ("pages", &of)]);
    let mut marks: Vec<Mark> = place(&sheet.foot(), Align::Left, foot).collect();
    marks.extend(place(&pages, Align::Right, foot));
    if !leaf.first {
        marks.extend(place(&sheet.whose(), Align::Left, leaf.margin));
        let title = sheet.words.text(leaf.title);
        marks.extend(place(title, Align::Right, leaf.margin));
        let y = leaf.margin + 12.0;
        let line = Mark::rule((leaf.margin, y), (leaf.margin + room, y), 0.8, BLACK);
        marks.push(line);
    }
    marks
}

fn paint(colour: Colour) -> rgb::Color {
    let [red, green, blue] = colour;
    rgb::Color::new(red, green, blue)
}

fn fill(colour: Colour) -> Fill {
    Fill {
        paint: paint(colour).into(),
        opacity: NormalizedF32::ONE,
        ..Fill::default()
    }
}

fn draw(surface: &mut Surface<'_>, faces: &Faces, mark: Mark) {
    match mark {
        Mark::Text { x, y, text, style } => {
            surface.set_stroke(None);
            surface.set_fill(Some(fill(style.colour)));
            let glyphs = faces.glyphs(&text, style);
            let start = Point::from_xy(x, y);
            surface.draw_glyphs(start, &glyphs, faces.font(style), &text, style.size, false);
        }
        Mark::Path {
            points,
            width,
            colour,
            dashes,
        } => {
            surface.set_fill(None);
            surface.set_stroke(Some(Stroke {
                paint: paint(colour).into(),
                width,
                dash: (!dashes.is_empty()).then_some(StrokeDash {
                    array: dashes,
                    offset: 0.0,
                }),
                ..Stroke::default()
            }));
            let mut builder = PathBuilder::new();
            for (at, (x, y)) in points.into_iter().enumerate() {
                if at == 0 {
                    builder.move_to(x, y);
                } else {
                    builder.line_to(x, y);
                }
            }
            if let Some(path) = builder.finish() {
                surface.draw_path(&path);
            }
        }
        Mark::Disc {
            x,
            y,
            radius,
            colour,
        } => {
            surface.set_stroke(None);
            surface.set_fill(Some(fill(colour)));
            if let Some(path) = disc(x, y, radius) {
                surface.draw_path(&path);
            }
        }
    }
}

fn disc(x: f32, y: f32, r: f32) -> Option<Path> {
    // Where a curve through four points comes closest to a circle.
    let k = r * 0.552;
    let mut path = PathBuilder::new();
    path.move_to(x + r, y);
    path.cubic_to(x + r, y + k, x + k, y + r, x, y + r);
    path.cubic_to(x - k, y + r, x - r, y + k, x - r, y);
    path.cubic_to(x - r, y - k, x - k, y - r, x, y - r);
    path.cubic_to(x + k, y - r, x + r, y - k, x + r, y);
    path.close();
    path.finish()
}
