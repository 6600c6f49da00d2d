//! Paints a [`Screen`] on a monochrome display of 400 x 240 pixels, 58.8 mm wide.
//!
//! Nothing that is to be read has capitals below 24 pixels, which are 3.5 mm; what is typed and
//! what East checks has 34, which are 5 mm. Ink is [`BinaryColor::On`].

mod faces;
mod hands;
mod letters;
mod rows;
mod suits;

use embedded_graphics::pixelcolor::BinaryColor;
use embedded_graphics::prelude::{DrawTarget, Point, PointsIter, Primitive, Size};
use embedded_graphics::primitives::{PrimitiveStyle, Rectangle};
use embedded_graphics::{Drawable, Pixel};

use crate::{Body, Picture, RowStyle, Screen};
use letters::{Ink, text};
pub(crate) use letters::{Type, width};

/// Pixels from left to right.
pub const DISPLAY_WIDTH: u32 = 400;

/// Pixels from top to bottom.
pub const DISPLAY_HEIGHT: u32 = 240;

/// The status line ends.
const STATUS_HEIGHT: u32 = 27;

/// From the top of a title's capitals to the body.
const TITLE_HEIGHT: i32 = 34;

/// The body ends and the hints begin.
const HINTS_TOP: i32 = 206;

/// Free at the left and right.
const MARGIN: i32 = 3;

/// Pixels that a line may take.
pub(crate) const LINE_WIDTH: i32 = 400 - 2 * MARGIN;

/// Between two hints, or the two ends of a line, at least.
pub(crate) const GAP: i32 = 9;

/// Paints a screen over whatever was there.
pub fn draw<D>(screen: &Screen, target: &mut D) -> Result<(), D::Error>
where
    D: DrawTarget<Color = BinaryColor>,
{
    target.clear(BinaryColor::Off)?;
    if let Body::Hands(record, language) = &screen.body {
        return hands::draw(screen, record, *language, target);
    }
    if let Body::Picture(picture) = &screen.body {
        return draw_picture(*picture, target);
    }
    let mut top = 3;
    if !screen.id.is_tall() {
        status(screen, target)?;
        top = STATUS_HEIGHT.cast_signed() + 4;
    }
    let title = Point::new(MARGIN, top);
    text(target, &screen.title, title, Type::Normal, Ink::Black)?;
    bar(target, top + TITLE_HEIGHT - 3, 2)?;
    rows(screen, top + TITLE_HEIGHT, target)?;
    hints(screen, target)
}

fn draw_picture<D>(picture: Picture, target: &mut D) -> Result<(), D::Error>
where
    D: DrawTarget<Color = BinaryColor>,
{
    let is_ink = move |point: &Point| match picture {
        Picture::Black => true,
        Picture::White => false,
        Picture::Chequers => (point.x + point.y) % 2 == 0,
    };
    let inked = target.bounding_box().points().filter(is_ink);
    target.draw_iter(inked.map(|point| Pixel(point, BinaryColor::On)))
}

/// Where the rows of a screen begin.
pub(crate) const fn body_height(tall: bool) -> u32 {
    let top = if tall { 3 } else { 31 };
    HINTS_TOP.cast_unsigned() - top - TITLE_HEIGHT.cast_unsigned()
}

fn status<D>(screen: &Screen, target: &mut D) -> Result<(), D::Error>
where
    D: DrawTarget<Color = BinaryColor>,
{
    let place = Point::new(MARGIN, 2);
    text(
        target,
        &screen.status.place,
        place,
        Type::Normal,
        Ink::Black,
    )?;
    let alert = &screen.status.alert;
    if !alert.is_empty() {
        let width = width(alert, Type::Normal);
        let left = DISPLAY_WIDTH.cast_signed() - width - 2 * MARGIN;
        let size = Size::new((width + 2 * MARGIN).cast_unsigned(), STATUS_HEIGHT);
        fill(target, Rectangle::new(Point::new(left, 0), size))?;
        let at = Point::new(left + MARGIN, 2);
        text(target, alert, at, Type::Normal, Ink::White)?;
    }
    bar(target, STATUS_HEIGHT.cast_signed(), 1)
}

fn rows<D>(screen: &Screen, mut top: i32, target: &mut D) -> Result<(), D::Error>
where
    D: DrawTarget<Color = BinaryColor>,
{
    for row in screen.rows() {
        let height = row.style.height();
        let ink = match row.style {
            RowStyle::Normal | RowStyle::Large => Ink::Black,
            RowStyle::Inverse => {
                let size = Size::new(DISPLAY_WIDTH, height - 1);
                fill(target, Rectangle::new(Point::new(0, top), size))?;
                Ink::White
            }
        };
        cells(target, &row.text, top + 3, row.style.size(), ink)?;
        top += height.cast_signed();
    }
    Ok(())
}

/// A row: one text; two, the second at the right end; or columns of the same width.
fn cells<D>(target: &mut D, row: &str, top: i32, size: Type, ink: Ink) -> Result<(), D::Error>
where
    D: DrawTarget<Color = BinaryColor>,
{
    let count = i32::try_from(row.split('\t').count()).unwrap_or(1);
    for (index, cell) in (0..).zip(row.split('\t')) {
        let wide = width(cell, size);
        let left = match (count, index) {
            (_, 0) => MARGIN,
            (2, _) => MARGIN + LINE_WIDTH - wide,
            _ => MARGIN + (2 * index + 1) * LINE_WIDTH / (2 * count) - wide / 2,
        };
        text(target, cell, Point::new(left, top), size, ink)?;
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
    let left_end = MARGIN + width(left, Type::Normal);
    let right_start = DISPLAY_WIDTH.cast_signed() - width(right, Type::Normal) - MARGIN;
    for (hint, x) in [
        (left, MARGIN),
        // In the middle of what the others leave.
        (
            middle,
            (left_end + right_start - width(middle, Type::Normal)) / 2,
        ),
        (right, right_start),
    ] {
        let at = Point::new(x, HINTS_TOP + 3);
        text(target, hint, at, Type::Normal, Ink::White)?;
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
