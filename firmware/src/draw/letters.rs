//! Type: the letters of embedded-graphics, doubled with their corners smoothed, and our own suit
//! symbols and arrows between them.

use embedded_graphics::Pixel;
use embedded_graphics::image::GetPixel;
use embedded_graphics::mono_font::MonoFont;
use embedded_graphics::mono_font::iso_8859_1::{FONT_6X13, FONT_9X15_BOLD, FONT_10X20};
use embedded_graphics::pixelcolor::BinaryColor;
use embedded_graphics::prelude::{DrawTarget, OriginDimensions, Point};

use super::suits;

/// How large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Type {
    /// 12 x 26, of which capitals take 18: 2.6 mm on a 2.7 inch display.
    Small,
    /// 18 x 30.
    Normal,
    /// 20 x 40.
    Large,
}

/// Black on white, or white on black.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ink {
    Black,
    White,
}

impl Type {
    const fn font(self) -> &'static MonoFont<'static> {
        match self {
            Self::Small => &FONT_6X13,
            Self::Normal => &FONT_9X15_BOLD,
            Self::Large => &FONT_10X20,
        }
    }

    /// Pixels from one letter to the next.
    const fn advance(self) -> i32 {
        match self {
            Self::Small => 12,
            Self::Normal => 18,
            Self::Large => 20,
        }
    }

    /// Pixels from a suit symbol to the next letter.
    const fn symbol_advance(self) -> i32 {
        match self {
            Self::Small => 20,
            // Two letters wide, so that columns of figures stay in line.
            Self::Normal => 36,
            Self::Large => 40,
        }
    }

    /// Empty pixels above the capitals that a line does without, so that small type fits between
    /// the bars.
    const fn rise(self) -> i32 {
        match self {
            Self::Small => 3,
            Self::Normal | Self::Large => 0,
        }
    }
}

/// Paints a line of text; its top left corner is `at`.
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
            let edge = size.advance();
            let top = Point::new(0, letter_middle(size) - edge / 2);
            paint(target, at + top, edge, edge, ink, |x, y| {
                arrow.covers(x, y, edge)
            })?;
        } else {
            glyph(target, letter, at, size, ink)?;
        }
        at.x += advance(letter, size);
    }
    Ok(())
}

/// How many pixels a line takes.
pub(super) fn width(line: &str, size: Type) -> i32 {
    line.chars().map(|letter| advance(letter, size)).sum()
}

fn advance(letter: char, size: Type) -> i32 {
    match suit_index(letter) {
        Some(_) => size.symbol_advance(),
        None => size.advance(),
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

/// The middle of capital letters below the top of the line.
const fn letter_middle(size: Type) -> i32 {
    match size {
        Type::Small => 10,
        Type::Normal => 14,
        Type::Large => 20,
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
    let corner = at + Point::new(left, letter_middle(size) - edge / 2);
    paint(target, corner, edge, edge, ink, |x, y| {
        let row = usize::try_from(y).ok().and_then(|y| rows.get(y));
        row.is_some_and(|row| row >> (edge - 1 - x) & 1 == 1)
    })
}

fn glyph<D>(target: &mut D, letter: char, at: Point, size: Type, ink: Ink) -> Result<(), D::Error>
where
    D: DrawTarget<Color = BinaryColor>,
{
    let font = size.font();
    let cell = font.character_size;
    let per_row = font.image.size().width / cell.width;
    let index = u32::try_from(font.glyph_mapping.index(letter)).unwrap_or(0);
    let corner = Point::new(
        (index % per_row * cell.width).cast_signed(),
        (index / per_row * cell.height).cast_signed(),
    );
    let (columns, rows) = (cell.width.cast_signed(), cell.height.cast_signed());
    let thin = |x: i32, y: i32| {
        let inside = (0..columns).contains(&x) && (0..rows).contains(&y);
        inside && font.image.pixel(corner + Point::new(x, y)) == Some(BinaryColor::On)
    };
    // This font has no bold face: for the largest type each stroke is made twice as wide.
    let source = |x: i32, y: i32| thin(x, y) || size == Type::Large && thin(x - 1, y);
    let corner = at - Point::new(0, size.rise());
    paint(target, corner, columns * 2, rows * 2, ink, |x, y| {
        doubled(&source, x, y)
    })
}

/// A pixel of a letter twice as large: corners of staircases are filled, so that slanted strokes
/// stay smooth.
fn doubled(source: &impl Fn(i32, i32) -> bool, x: i32, y: i32) -> bool {
    let (column, row) = (x / 2, y / 2);
    let here = source(column, row);
    let side = source(column + if x % 2 == 0 { -1 } else { 1 }, row);
    let other_side = source(column + if x % 2 == 0 { 1 } else { -1 }, row);
    let end = source(column, row + if y % 2 == 0 { -1 } else { 1 });
    let other_end = source(column, row + if y % 2 == 0 { 1 } else { -1 });
    if side == end && side != other_end && end != other_side {
        side
    } else {
        here
    }
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
