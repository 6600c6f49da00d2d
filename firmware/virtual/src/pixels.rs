//! The display in memory, pixel for pixel.

use std::convert::Infallible;

use ::pad::{DISPLAY_HEIGHT, DISPLAY_WIDTH, Screen};
use embedded_graphics::Pixel;
use embedded_graphics::pixelcolor::BinaryColor;
use embedded_graphics::prelude::{DrawTarget, OriginDimensions, Size};

/// Bytes of a row.
const ROW_LEN: usize = DISPLAY_WIDTH as usize / 8;

/// 400 x 240 pixels, one bit each, rows from the top, the leftmost pixel in the highest bit; a one
/// is ink.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pixels(Vec<u8>);

impl Pixels {
    /// A painted screen.
    pub fn of(screen: &Screen) -> Self {
        let mut pixels = Self(vec![0; ROW_LEN * DISPLAY_HEIGHT as usize]);
        match ::pad::draw(screen, &mut pixels) {
            Ok(()) => pixels,
            Err(never) => match never {},
        }
    }

    /// The packed rows: 12,000 bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// Whether there is ink.
    pub fn is_ink(&self, x: usize, y: usize) -> bool {
        let byte = self.0.get(y * ROW_LEN + x / 8);
        byte.is_some_and(|byte| byte >> (7 - x % 8) & 1 == 1)
    }
}

impl OriginDimensions for Pixels {
    fn size(&self) -> Size {
        Size::new(DISPLAY_WIDTH, DISPLAY_HEIGHT)
    }
}

impl DrawTarget for Pixels {
    type Color = BinaryColor;
    type Error = Infallible;

    fn draw_iter<I>(&mut self, pixels: I) -> Result<(), Infallible>
    where
        I: IntoIterator<Item = Pixel<BinaryColor>>,
    {
        for Pixel(at, color) in pixels {
            let (Ok(x), Ok(y)) = (usize::try_from(at.x), usize::try_from(at.y)) else {
                continue;
            };
            if x >= DISPLAY_WIDTH as usize {
                continue;
            }
            if let Some(byte) = self.0.get_mut(y * ROW_LEN + x / 8) {
                let bit = 0x80 >> (x % 8);
                match color {
                    BinaryColor::On => *byte |= bit,
                    BinaryColor::Off => *byte &= !bit,
                }
            }
        }
        Ok(())
    }
}
