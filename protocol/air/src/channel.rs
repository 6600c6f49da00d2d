//! The knobs of the simulated channel, all in one place.

use protocol::link::Timing;
use protocol::time::Span;

use crate::Model;

/// How the channel behaves. Probabilities are in thousandths.
#[derive(Clone, Copy, Debug)]
pub struct Channel {
    /// Baud rate, preamble, turn-around, wake-up: the same as the link reckons with.
    pub timing: Timing,
    /// A frame that one receiver does not hear at all.
    pub loss_permille: u32,
    /// A frame with one flipped bit.
    pub flip_permille: u32,
    /// A frame that is heard again, unchanged, after [`Self::repeat_after`].
    pub repeat_permille: u32,
    /// When repeated frames are heard again.
    pub repeat_after: Span,
    /// A frame that a receiver's modem hands over late, by at most [`Self::delay_max`].
    pub delay_permille: u32,
    /// The most that a frame is late.
    pub delay_max: Span,
    /// Pairs of pads that do not hear each other; everybody hears the base.
    pub hidden_permille: u32,
    /// The modems spoil the first byte of every frame.
    pub garbles_first_byte: bool,
    /// What modems, adapter and host do besides.
    pub model: Model,
}

impl Channel {
    /// Nothing ever goes wrong but collisions.
    pub const fn clear(timing: Timing) -> Self {
        Self {
            timing,
            loss_permille: 0,
            flip_permille: 0,
            repeat_permille: 0,
            repeat_after: Span::from_millis(400),
            delay_permille: 0,
            delay_max: Span::from_millis(30),
            hidden_permille: 0,
            garbles_first_byte: false,
            model: Model::exact(timing),
        }
    }
}

/// What a modem draws from the cells, for the energy figures.
#[derive(Clone, Copy, Debug)]
pub struct Currents {
    /// While it hears or wakes up, in milliamps.
    pub receive_ma: f64,
    /// While it sends, in milliamps.
    pub send_ma: f64,
}

impl Currents {
    /// A common 433 MHz UART modem at 3 V and 20 dBm, as its makers state it.
    pub const COMMON: Self = Self {
        receive_ma: 16.0,
        send_ma: 100.0,
    };
}
