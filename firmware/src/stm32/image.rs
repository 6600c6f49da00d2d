//! What both images of the pad are made of: the board's devices, each with its task.

mod battery;
mod board;
mod channels;
mod clock;
mod conduct;
mod display;
mod executor;
mod identity;
mod idle;
mod keypad;
mod panic;
mod service;
mod sounds;
mod time_base;
mod torn;
mod update;
