//! How deeply the pad may sleep.
//!
//! In STOP 2 the chip takes a few microamperes, but every clock except the crystal's stands still:
//! no byte is sent or received, and flash can't tell that it is done. In sleep only the processor
//! stands still, at several hundred microamperes.

use core::fmt::{self, Write};

use protocol::link::Modem;
use protocol::time::{Instant, Span};

use crate::ticks::Beat;

/// A line that was high a moment ago is a cable: a byte on it is low for less than 0.1 ms at a
/// time.
const CABLE_LINGERS: Span = Span::from_secs(2);

/// How the processor sleeps while no task has anything to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// Its clocks run on, and so does everything around it.
    Sleep,
    /// STOP 2: only the crystal, its counter and the watchdog run; a key or the counter wakes it.
    Stop,
}

/// What the flash does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flash {
    /// Nothing.
    Idle,
    /// It writes or erases, and reports with an interrupt.
    AtWork,
}

/// Whether somebody is at the service port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cable {
    /// The line is low: nothing at the other end drives it.
    Unplugged,
    /// The line rests high.
    Plugged,
}

/// What decides about the depth of sleep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Needs {
    /// A modem that is on may send or hear a byte at any moment.
    pub modem: Modem,
    /// Flash at work ends with an interrupt that can't wake a stopped chip.
    pub flash: Flash,
    /// Whoever plugs a cable in wants every key echoed and every command obeyed; and the first
    /// byte would be lost in waking up.
    pub cable: Cable,
    /// Without a crystal nothing would count the time.
    pub beat: Beat,
}

/// The deepest sleep in which nothing that is needed stands still.
pub const fn depth(needs: Needs) -> Depth {
    match needs {
        Needs {
            modem: Modem::Off,
            flash: Flash::Idle,
            cable: Cable::Unplugged,
            beat: Beat::Crystal,
        } => Depth::Stop,
        _ => Depth::Sleep,
    }
}

/// Tells from the level of the service port's receiving line whether a cable is plugged in.
#[derive(Debug, Default)]
pub struct CableWatch {
    last_high: Option<Instant>,
}

impl CableWatch {
    /// Nobody has looked yet.
    pub const fn new() -> Self {
        Self { last_high: None }
    }

    /// Takes a look at the line. A byte that passes is low for a moment and is no unplugged cable.
    pub fn look(&mut self, is_high: bool, now: Instant) -> Cable {
        if is_high {
            self.last_high = Some(now);
        }
        match self.last_high {
            Some(at) if now.since(at) < CABLE_LINGERS => Cable::Plugged,
            _ => Cable::Unplugged,
        }
    }
}

/// Writes how the pad sleeps when the cable is out, for the service port.
pub fn tell(beat: Beat, out: &mut impl Write) -> fmt::Result {
    match beat {
        Beat::Crystal => writeln!(out, "sleep stop"),
        Beat::Oscillator => writeln!(out, "sleep light, the crystal does not run yet"),
    }
}

#[cfg(test)]
mod tests {
    use super::{Beat, Cable, CableWatch, Depth, Flash, Modem, Needs, depth};
    use protocol::time::{Instant, Span};

    const NOTHING: Needs = Needs {
        modem: Modem::Off,
        flash: Flash::Idle,
        cable: Cable::Unplugged,
        beat: Beat::Crystal,
    };

    #[test]
    fn the_pad_stops_only_while_nothing_needs_a_clock() {
        assert_eq!(depth(NOTHING), Depth::Stop);
        let needs = [
            Needs {
                modem: Modem::On,
                ..NOTHING
            },
            Needs {
                flash: Flash::AtWork,
                ..NOTHING
            },
            Needs {
                cable: Cable::Plugged,
                ..NOTHING
            },
            Needs {
                beat: Beat::Oscillator,
                ..NOTHING
            },
        ];
        for need in needs {
            assert_eq!(depth(need), Depth::Sleep, "{need:?}");
        }
    }

    #[test]
    fn a_byte_that_passes_does_not_look_like_a_pulled_cable() {
        let mut watch = CableWatch::new();
        let mut now = Instant::from_millis(1);
        assert_eq!(watch.look(false, now), Cable::Unplugged);
        assert_eq!(watch.look(true, now), Cable::Plugged);
        for _ in 0..1_000 {
            now += Span::from_millis(1_900);
            assert_eq!(watch.look(false, now), Cable::Plugged, "a start bit");
            now += Span::from_millis(99);
            assert_eq!(watch.look(true, now), Cable::Plugged);
        }
        now += Span::from_millis(2_000);
        assert_eq!(watch.look(false, now), Cable::Unplugged);
        assert_eq!(watch.look(true, now), Cable::Plugged, "plugged in again");
    }
}
