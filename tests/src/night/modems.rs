//! What happens to the settings of radio modems: one forgets them, or the room goes to another
//! channel, the receiver first and each pad when somebody comes by.

use protocol::time::{Instant, Span};

use super::agenda::Mishap;
use super::world::{World, handhelds};

/// The channel of a modem that has forgotten what it was set to. Nobody else is there.
const FACTORY_CHANNEL: u8 = 99;

/// A modem hears nothing while it is set and for 80 ms after it.
const SETTING_TAKES: Span = Span::from_millis(400);

/// Whoever goes round the tables has set the last modem within this time.
const ROUND_OF_TABLES_S: u64 = 600;

impl World {
    pub(super) fn modem_forgets(&mut self, at: usize) {
        let station = self.tables[at].handheld.station;
        self.air.tune(station, FACTORY_CHANNEL, self.now);
        self.tell_of(at, "has a modem that forgot its channel.");
        let until = self.soon();
        self.agenda.add(until, Mishap::ModemIsSet(station));
    }

    /// Puts a modem on the receiver's channel.
    pub(super) fn set_modem(&mut self, station: air::Station) {
        let channel = self.air.channel_of(self.antenna);
        self.air.tune(station, channel, self.now + SETTING_TAKES);
    }

    pub(super) fn room_changes_channel(&mut self) {
        let channel = self.air.channel_of(self.antenna) + 2;
        self.air
            .tune(self.antenna, channel, self.now + SETTING_TAKES);
        if let Some(thief) = &self.thief {
            self.air.tune(thief.station, channel, self.now);
        }
        self.tell("The room goes to another channel.");
        let stations: Vec<_> = handhelds(&mut self.tables, &mut self.rivals, &mut self.ghosts)
            .map(|handheld| handheld.station)
            .collect();
        for station in stations {
            let until = self.soon();
            self.agenda.add(until, Mishap::ModemIsSet(station));
        }
    }

    /// Whether a pad's modem is on another channel than the receiver's.
    pub(super) fn is_elsewhere(&self, station: air::Station) -> bool {
        self.air.channel_of(station) != self.air.channel_of(self.antenna)
    }

    fn soon(&mut self) -> Instant {
        self.now + Span::from_secs(self.rng.u64(10..ROUND_OF_TABLES_S))
    }
}
