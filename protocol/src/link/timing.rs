//! What a radio modem needs, and what follows from it for both ends.

use crate::time::Span;

/// What carries frames between a pad and the base.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Medium {
    /// One radio channel for everybody: who speaks when is agreed in slots.
    Air,
    /// A connection of the pad's own, such as a phone's through the local network: nobody else is
    /// on it, and whoever is asked answers at once.
    Line,
}

/// The modem and its baud rate. Both ends of a channel use the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Timing {
    /// On the air and on the serial line.
    pub baud: u32,
    /// Bits that a byte takes: start, eight, stop.
    pub bits_per_byte: u32,
    /// What the modem sends before the first byte, counted in bytes.
    pub preamble_bytes: u32,
    /// From hearing to sending and back.
    pub turnaround: Span,
    /// From power to hearing.
    pub wake_up: Span,
    /// What it is for.
    pub medium: Medium,
}

impl Timing {
    /// A common 433 MHz class modem at 19,200 baud.
    pub const COMMON: Self = Self::at_baud(19_200);

    /// A connection of the pad's own. It costs no airtime.
    pub const LINE: Self = Self {
        baud: 10_000_000,
        // A browser's clock may stand still between a call and its answer.
        bits_per_byte: 0,
        preamble_bytes: 0,
        turnaround: Span::ZERO,
        wake_up: Span::ZERO,
        medium: Medium::Line,
    };

    /// A common modem at this baud rate.
    pub const fn at_baud(baud: u32) -> Self {
        Self {
            baud,
            bits_per_byte: 10,
            preamble_bytes: 8,
            turnaround: Span::from_millis(15),
            wake_up: Span::from_millis(100),
            medium: Medium::Air,
        }
    }

    /// How long so many bytes are on the air, without preamble.
    pub const fn bytes(&self, count: usize) -> Span {
        let baud = if self.baud == 0 { 1 } else { self.baud };
        Span::from_micros(count as u64 * self.bits_per_byte as u64 * 1_000_000 / baud as u64)
    }

    /// How long a frame of so many bytes is on the air, with preamble.
    pub const fn airtime(&self, count: usize) -> Span {
        self.bytes(count + self.preamble_bytes as usize)
    }
}
