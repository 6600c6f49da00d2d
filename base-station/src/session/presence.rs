//! What is heard of pads from minute to minute. Not journalled: a restart begins with silence,
//! and every pad speaks again within its next check-in.

use imbl::OrdMap;
use protocol::both_ends::SILENT_AFTER;
use protocol::message::CheckIn;
use protocol::words::PadId;

use super::{Event, Moment, Session, Standing};

/// A pad of which nothing was heard for longer is silent.
pub const SILENT_AFTER_MS: u64 = SILENT_AFTER.as_millis();

/// The base station looks round several times a minute. When more time than this has passed by the
/// clock, or less than none, the clock was moved, or the laptop slept and could not hear anybody.
const LOOKS_APART_MAX_MS: u64 = 60_000;

/// What is known of each pad since the base station started.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Presence {
    /// By pad.
    pub pads: OrdMap<PadId, Heard>,
    /// When the base station began to listen, with a receiver: silence before that says nothing.
    listening_since: Moment,
    /// What the clock said last.
    looked_at: Moment,
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
    /// Nobody has been heard yet.
    pub fn new(now: Moment) -> Self {
        Self {
            pads: OrdMap::new(),
            listening_since: now,
            looked_at: now,
        }
    }

    /// To be told the time before anything else happens. If the clock was moved, whatever was
    /// heard moves with it: nobody has fallen silent by that, and nobody's silence starts again.
    pub fn time_is(&mut self, now: Moment) {
        let before = std::mem::replace(&mut self.looked_at, now);
        if before <= now && now.since_ms(before) <= LOOKS_APART_MAX_MS {
            return;
        }
        let moved = |at: Moment| Moment(now.0.saturating_sub(before.since_ms(at)));
        self.listening_since = moved(self.listening_since);
        let along = |(pad, heard): (&PadId, &Heard)| {
            let at = moved(heard.at);
            (*pad, Heard { at, ..*heard })
        };
        self.pads = self.pads.iter().map(along).collect();
    }

    /// Something was heard.
    pub fn heard(&mut self, pad: PadId, state: Option<CheckIn>, now: Moment) {
        let before = self.pads.get(&pad).and_then(|heard| heard.state);
        let heard = Heard {
            at: now,
            state: state.or(before),
        };
        self.pads.insert(pad, heard);
    }

    /// There has been no receiver until now. Whoever spoke meanwhile could not be heard, and is
    /// waited for as if the base station had just been started.
    pub fn cannot_hear(&mut self, now: Moment) {
        self.listening_since = now;
    }

    /// Pads that fell silent, for the journal.
    pub fn fallen_silent(&self, session: &Session) -> Vec<Event> {
        let mut events = Vec::new();
        for (id, pad) in &session.pads {
            if pad.standing != Standing::Holds || pad.silent.is_some() {
                continue;
            }
            let heard = self.pads.get(id);
            let last = heard.map_or(Moment(0), |heard| heard.at);
            let last = last.max(self.listening_since);
            if self.looked_at.since_ms(last) > SILENT_AFTER_MS {
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
