//! The image that would be flashed, on an emulated chip.

mod board;
mod evening;
mod sleep;
