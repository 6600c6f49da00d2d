//! What is heard of pads from minute to minute. Not journalled: a restart begins with silence,
//! and every pad speaks again within its next check-in.

use imbl::OrdMap;
use protocol::message::CheckIn;
use protocol::words::PadId;

use super::{Event, Moment, Session, Standing};

/// Pads check in at least this often while they are logged on.
pub const CHECK_IN_MS: u64 = 60_000;

/// Three missed check-ins and a little: a pad is silent.
pub const SILENT_AFTER_MS: u64 = 3 * CHECK_IN_MS + 10_000;

/// Two AA cells below this (in units of 20 mV: 2.2 V) may not last the evening.
pub const BATTERY_LOW_20_MV: u8 = 110;

/// What is known of each pad since the base station started.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Presence {
    /// By pad.
    pub pads: OrdMap<PadId, Heard>,
}

/// The last that was heard of a pad.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Heard {
    /// When.
    pub at: Moment,
    /// How it was, where it has said so.
    pub state: Option<CheckIn>,
}

impl Presence {
    /// Something was heard.
    pub fn heard(&mut self, pad: PadId, state: Option<CheckIn>, now: Moment) {
        let before = self.pads.get(&pad).and_then(|heard| heard.state);
        let heard = Heard {
            at: now,
            state: state.or(before),
        };
        self.pads.insert(pad, heard);
    }

    /// Pads that fell silent, for the journal. `started` is when this base station began to
    /// listen: silence before that says nothing.
    pub fn fallen_silent(&self, session: &Session, started: Moment, now: Moment) -> Vec<Event> {
        let mut events = Vec::new();
        for (id, pad) in &session.pads {
            if pad.standing != Standing::Holds || pad.silent.is_some() {
                continue;
            }
            let heard = self.pads.get(id);
            let last = heard
                .map_or(started, |heard| heard.at)
                .max(pad.since.min(now));
            if now.since_ms(last) > SILENT_AFTER_MS {
                let unsent = heard.and_then(|heard| heard.state).map_or(0, |s| s.unsent);
                events.push(Event::PadSilent {
                    pad: *id,
                    table: pad.table,
                    unsent,
                });
            }
        }
        events
    }
}
