//! The board's clock in the words of the cores.
use protocol::time::Instant;

/// Now, counted from the start of the pad.
pub(crate) fn now() -> Instant {
    Instant::from_micros(embassy_time::Instant::now().as_micros())
}

/// The same moment for the board's timers.
pub(crate) fn at(moment: Instant) -> embassy_time::Instant {
    embassy_time::Instant::from_micros(moment.as_micros())
}
