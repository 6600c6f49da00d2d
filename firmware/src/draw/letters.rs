//! Type: letters made for weak eyes as bitmaps, and our own suit symbols and arrows between them.

use embedded_graphics::Pixel;
use embedded_graphics::pixelcolor::BinaryColor;
use embedded_graphics::prelude::{DrawTarget, Point};

use super::faces::{Face, Glyph, LARGE, NORMAL, SMALL};
use super::suits;

/// How large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    /// Capitals of 18 pixels, 2.6 mm: the cards of a suit that is too long otherwise, nothing else.
    Small,
    /// Capitals of 24 pixels, 3.5 mm: what is to be read.
    Normal,
    /// Capitals of 34 pixels, 5 mm: what is typed, and what East checks.
    Large,
}

/// Black on white, or white on black.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ink {
    Black,
    White,
}

impl Type {
    const fn face(self) -> &'static Face {
        match self {
            Self::Small => &SMALL,
            Self::Normal => &NORMAL,
            Self::Large => &LARGE,
        }
    }

    /// Pixels of a capital.
    pub(crate) const fn capitals(self) -> i32 {
        match self {
            Self::Small => 18,
            Self::Normal => 24,
            Self::Large => 34,
        }
    }

    /// Pixels from a suit symbol to the next letter.
    const fn symbol_advance(self) -> i32 {
        match self {
            Self::Small => 20,
            Self::Normal => 28,
            Self::Large => 40,
        }
    }
}

/// Paints a line of text; `at` is the top left corner of its capitals.
pub(super) fn text<D>(
    target: &mut D,
    line: &str,
    mut at: Point,
    size: Type,
    ink: Ink,
) -> Result<(), D::Error>
where
    D: DrawTarget<Color = BinaryColor>,
{
    for letter in line.chars() {
        if let Some(suit) = suit_index(letter) {
            symbol(target, suit, at, size, ink)?;
        } else if let Some(arrow) = Arrow::from_char(letter) {
            let edge = arrow_edge(size);
            let top = Point::new(2, (size.capitals() - edge) / 2);
            paint(target, at + top, edge, edge, ink, |x, y| {
                arrow.covers(x, y, edge)
            })?;
        } else if let Some(found) = size.face().glyph(letter) {
            glyph(target, found, at, size, ink)?;
        }
        at.x += advance(letter, size);
    }
    Ok(())
}

/// How many pixels a line takes.
pub(crate) fn width(line: &str, size: Type) -> i32 {
    line.chars().map(|letter| advance(letter, size)).sum()
}

fn advance(letter: char, size: Type) -> i32 {
    if suit_index(letter).is_some() {
        size.symbol_advance()
    } else if Arrow::from_char(letter).is_some() {
        arrow_edge(size) + 4
    } else {
        let glyph = size.face().glyph(letter);
        glyph.map_or(0, |glyph| i32::from(glyph.advance))
    }
}

const fn arrow_edge(size: Type) -> i32 {
    match size {
        Type::Small => 13,
        Type::Normal => 19,
        Type::Large => 25,
    }
}

const fn suit_index(letter: char) -> Option<usize> {
    match letter {
        '♣' => Some(0),
        '♦' => Some(1),
        '♥' => Some(2),
        '♠' => Some(3),
        _ => None,
    }
}

fn symbol<D>(target: &mut D, suit: usize, at: Point, size: Type, ink: Ink) -> Result<(), D::Error>
where
    D: DrawTarget<Color = BinaryColor>,
{
    let rows: &[u64] = match size {
        Type::Small => suits::SMALL.get(suit).map_or(&[], |rows| rows),
        Type::Normal => suits::NORMAL.get(suit).map_or(&[], |rows| rows),
        Type::Large => suits::LARGE.get(suit).map_or(&[], |rows| rows),
    };
    let edge = i32::try_from(rows.len()).unwrap_or(0);
    let left = (size.symbol_advance() - edge) / 2;
    let corner = at + Point::new(left, (size.capitals() - edge) / 2);
    paint(target, corner, edge, edge, ink, |x, y| {
        let row = usize::try_from(y).ok().and_then(|y| rows.get(y));
        row.is_some_and(|row| row >> (edge - 1 - x) & 1 == 1)
    })
}

fn glyph<D>(target: &mut D, glyph: &Glyph, at: Point, size: Type, ink: Ink) -> Result<(), D::Error>
where
    D: DrawTarget<Color = BinaryColor>,
{
    let mut corner = at + Point::new(glyph.left.into(), glyph.top.into());
    for row in size.face().rows(glyph) {
        paint(target, corner, glyph.width.into(), 1, ink, |x, _| {
            row << x >> 63 == 1
        })?;
        corner.y += 1;
    }
    Ok(())
}

/// Paints the pixels of a box that a shape covers.
fn paint<D>(
    target: &mut D,
    corner: Point,
    width: i32,
    height: i32,
    ink: Ink,
    covers: impl Fn(i32, i32) -> bool,
) -> Result<(), D::Error>
where
    D: DrawTarget<Color = BinaryColor>,
{
    let color = match ink {
        Ink::Black => BinaryColor::On,
        Ink::White => BinaryColor::Off,
    };
    let covers = &covers;
    target.draw_iter((0..height).flat_map(move |y| {
        (0..width)
            .filter(move |&x| covers(x, y))
            .map(move |x| Pixel(corner + Point::new(x, y), color))
    }))
}

/// The four arrow keys.
#[derive(Clone, Copy, Debug)]
enum Arrow {
    Up,
    Down,
    Left,
    Right,
}

impl Arrow {
    const fn from_char(letter: char) -> Option<Self> {
        match letter {
            '▲' => Some(Self::Up),
            '▼' => Some(Self::Down),
            '◄' => Some(Self::Left),
            '►' => Some(Self::Right),
            _ => None,
        }
    }

    /// A triangle in a square of this edge.
    const fn covers(self, x: i32, y: i32, edge: i32) -> bool {
        // Along the arrow from its tip, and across from its axis, in half pixels.
        let (along, across) = match self {
            Self::Up => (y, 2 * x - edge + 1),
            Self::Down => (edge - 1 - y, 2 * x - edge + 1),
            Self::Left => (x, 2 * y - edge + 1),
            Self::Right => (edge - 1 - x, 2 * y - edge + 1),
        };
        across.abs() <= along + 1
    }
}
