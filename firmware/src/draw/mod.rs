//! Paints a [`Screen`] on a monochrome display of 400 x 240 pixels.
//!
//! Type is large: a row of the body is 30 pixels high, on a 2.7 inch display 4.4 mm, and the
//! smallest capitals are 2.6 mm. Ink is [`BinaryColor::On`].

mod hands;
mod letters;
mod suits;

use embedded_graphics::Drawable;
use embedded_graphics::pixelcolor::BinaryColor;
use embedded_graphics::prelude::{DrawTarget, Point, Primitive, Size};
use embedded_graphics::primitives::{PrimitiveStyle, Rectangle};

use crate::{Body, RowStyle, Screen};
use letters::{Ink, Type, text, width};

/// Pixels from left to right.
pub const DISPLAY_WIDTH: u32 = 400;

/// Pixels from top to bottom.
pub const DISPLAY_HEIGHT: u32 = 240;

/// The status line ends.
const STATUS_HEIGHT: u32 = 22;

/// The title begins.
const TITLE_TOP: i32 = 23;

/// The title ends and the body begins.
const BODY_TOP: i32 = 56;

/// The body ends and the hints begin.
const HINTS_TOP: i32 = 217;

/// Free at the left and right.
const MARGIN: i32 = 3;

/// Paints a screen over whatever was there.
pub fn draw<D>(screen: &Screen, target: &mut D) -> Result<(), D::Error>
where
    D: DrawTarget<Color = BinaryColor>,
{
    target.clear(BinaryColor::Off)?;
    status(screen, target)?;
    let title = Point::new(MARGIN, TITLE_TOP);
    text(target, &screen.title, title, Type::Normal, Ink::Black)?;
    bar(target, BODY_TOP - 3, 2)?;
    match &screen.body {
        Body::Rows(_) => rows(screen, target)?,
        Body::Hands(record) => hands::draw(record, target)?,
    }
    hints(screen, target)
}

fn status<D>(screen: &Screen, target: &mut D) -> Result<(), D::Error>
where
    D: DrawTarget<Color = BinaryColor>,
{
    let place = Point::new(MARGIN, 0);
    text(target, &screen.status.place, place, Type::Small, Ink::Black)?;
    let alert = &screen.status.alert;
    if !alert.is_empty() {
        let width = width(alert, Type::Small);
        let left = DISPLAY_WIDTH.cast_signed() - width - 2 * MARGIN;
        let size = Size::new((width + 2 * MARGIN).cast_unsigned(), STATUS_HEIGHT);
        fill(target, Rectangle::new(Point::new(left, 0), size))?;
        let at = Point::new(left + MARGIN, 0);
        text(target, alert, at, Type::Small, Ink::White)?;
    }
    bar(target, STATUS_HEIGHT.cast_signed(), 1)
}

fn rows<D>(screen: &Screen, target: &mut D) -> Result<(), D::Error>
where
    D: DrawTarget<Color = BinaryColor>,
{
    let mut top = BODY_TOP;
    for row in screen.rows() {
        let at = Point::new(MARGIN, top + 1);
        let height = row.style.height();
        match row.style {
            RowStyle::Small => text(target, &row.text, at, Type::Small, Ink::Black)?,
            RowStyle::Normal => text(target, &row.text, at, Type::Normal, Ink::Black)?,
            RowStyle::Large => text(target, &row.text, at, Type::Large, Ink::Black)?,
            RowStyle::Inverse => {
                let size = Size::new(DISPLAY_WIDTH, height - 1);
                fill(target, Rectangle::new(Point::new(0, top), size))?;
                text(target, &row.text, at, Type::Normal, Ink::White)?;
            }
        }
        top += height.cast_signed();
    }
    Ok(())
}

/// What the keys do: BACK at the left, OK or ACCEPT at the right, as the keys lie on the pad.
fn hints<D>(screen: &Screen, target: &mut D) -> Result<(), D::Error>
where
    D: DrawTarget<Color = BinaryColor>,
{
    let size = Size::new(DISPLAY_WIDTH, DISPLAY_HEIGHT - HINTS_TOP.cast_unsigned());
    fill(target, Rectangle::new(Point::new(0, HINTS_TOP), size))?;
    let [left, middle, right] = &screen.hints;
    let left_end = MARGIN + width(left, Type::Small);
    let right_start = DISPLAY_WIDTH.cast_signed() - width(right, Type::Small) - MARGIN;
    for (hint, x) in [
        (left, MARGIN),
        // In the middle of what the others leave.
        (
            middle,
            (left_end + right_start - width(middle, Type::Small)) / 2,
        ),
        (right, right_start),
    ] {
        let at = Point::new(x, HINTS_TOP);
        text(target, hint, at, Type::Small, Ink::White)?;
    }
    Ok(())
}

fn bar<D>(target: &mut D, top: i32, height: u32) -> Result<(), D::Error>
where
    D: DrawTarget<Color = BinaryColor>,
{
    let size = Size::new(DISPLAY_WIDTH, height);
    fill(target, Rectangle::new(Point::new(0, top), size))
}

fn fill<D>(target: &mut D, area: Rectangle) -> Result<(), D::Error>
where
    D: DrawTarget<Color = BinaryColor>,
{
    area.into_styled(PrimitiveStyle::with_fill(BinaryColor::On))
        .draw(target)
}
