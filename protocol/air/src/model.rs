//! What a modem, its adapter and the host behind it do to the moments of bytes.
//!
//! Nobody has measured ours yet: the figures are from makers' manuals and from what users saw.
//! `byestand radio test` measures them between two modems on a desk.

use protocol::link::Timing;
use protocol::time::Span;

/// From and to.
pub type Range = (Span, Span);

/// How modems behave besides what the link reckons with. [`Model::exact`] does nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Model {
    /// From the hand-over of a frame to its first bit on the air, drawn for each frame.
    pub delay: Range,
    /// Half of that range belongs to the moment, the other half drifts up and down over this
    /// time, each modem in its own step; no time means that nothing drifts.
    pub drift: Span,
    /// Bytes are sent in packets of so many; nothing sends a frame as one.
    pub packet: Option<usize>,
    /// The pause between two packets of a frame.
    pub gap: Range,
    /// Bits a second on the air; nothing is the rate of the serial line, bit by bit. With a rate
    /// of its own the modem collects a packet, sends it, and the other one hands it out.
    pub air_rate: Option<u32>,
    /// How often the base's adapter hands over what it has.
    pub adapter: Span,
    /// How often of a thousand times the base's host is late, both ways.
    pub host_late_permille: u32,
    /// And by how much at most.
    pub host_late: Span,
    /// A frame next door (one channel up or down) spoils so many of a thousand.
    pub neighbour_permille: u32,
    /// Of two frames at once the stronger survives if it is so many dB stronger.
    pub capture_db: Option<u32>,
    /// Clocks are off by at most so many millionths.
    pub crystal_ppm: u32,
}

impl Model {
    /// A modem that is exactly what the link reckons with: every figure before there was this
    /// model stands on it.
    pub const fn exact(timing: Timing) -> Self {
        Self {
            delay: (timing.turnaround, timing.turnaround),
            drift: Span::ZERO,
            packet: None,
            gap: (Span::ZERO, Span::ZERO),
            air_rate: None,
            adapter: Span::ZERO,
            host_late_permille: 0,
            host_late: Span::ZERO,
            neighbour_permille: 0,
            capture_db: None,
            crystal_ppm: 0,
        }
    }

    /// An HC-12 in FU3 behind an FT232 as it is sold, on an ordinary laptop: 4 to 80 ms, packets
    /// of 16 bytes with pauses of up to 3 ms, the air rate of the manual, 16 ms in the adapter,
    /// half a percent of everything late by up to 40 ms, crystals of 20 millionths.
    pub const fn hc12(timing: Timing) -> Self {
        Self {
            delay: (Span::from_millis(4), Span::from_millis(80)),
            drift: Span::from_secs(120),
            packet: Some(16),
            gap: (Span::ZERO, Span::from_millis(3)),
            air_rate: Some(hc12_air_rate(timing.baud)),
            adapter: Span::from_millis(16),
            host_late_permille: 5,
            host_late: Span::from_millis(40),
            neighbour_permille: 100,
            capture_db: Some(6),
            crystal_ppm: 20,
        }
    }
}

/// The air rate that an HC-12 takes for a baud rate in FU3, in bits a second (manual).
pub const fn hc12_air_rate(baud: u32) -> u32 {
    match baud {
        0..=2_400 => 5_000,
        2_401..=9_600 => 15_000,
        9_601..=38_400 => 58_000,
        _ => 236_000,
    }
}
