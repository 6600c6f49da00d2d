//! The image that would be flashed, on an emulated chip.

mod board;
mod cable;
mod evening;
mod modem;
mod renewal;
mod sleep;
mod update;
