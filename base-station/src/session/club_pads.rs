//! The club's pads, from evening to evening: whose sticker is which, when each was here last, what
//! it runs, and how its cells have been.

use std::collections::BTreeSet;

use imbl::{OrdMap, Vector};
use protocol::message::FirmwareVersion;
use protocol::words::PadId;

use super::{GivenEpoch, Moment};

/// Evenings of which a pad's cells are remembered: more than a set of cells lasts most clubs.
const BATTERIES_REMEMBERED: usize = 60;

/// Every pad that was ever given the club's key by cable, or a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClubPads {
    /// By their names for life.
    pub known: OrdMap<PadId, ClubPad>,
    /// Since when the club has its present key, while the old one still counts.
    pub renewing: Option<Moment>,
}

/// One of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClubPad {
    /// The number on its sticker; 0 for none.
    pub number: u8,
    /// The channel that its modem was given with the key.
    pub channel: u8,
    /// When it was given the club's key by cable.
    pub welcomed: Option<Moment>,
    /// When it was last given a table.
    pub seen: Option<Moment>,
    /// What it ran then.
    pub firmware: Option<FirmwareVersion>,
    /// How its cells were at each log-on, in units of 20 mV, the latest last.
    pub batteries: Vector<(Moment, u8)>,
    /// When it came with the club's new key.
    pub renewed: Option<Moment>,
    /// When it was tested by cable, and whether all was well.
    pub tested: Option<(Moment, bool)>,
}

impl ClubPads {
    /// The pad whose sticker has this number.
    pub fn of_number(&self, number: u8) -> Option<PadId> {
        let mut known = self.known.iter();
        let found = known.find(|(_, pad)| number != 0 && pad.number == number);
        found.map(|(pad, _)| *pad)
    }

    /// The lowest number that no sticker has; 0 when all are given away.
    pub fn free_number(&self) -> u8 {
        let free = |number: &u8| self.of_number(*number).is_none();
        (1..=u8::MAX).find(free).unwrap_or_default()
    }

    /// The channel that a new pad is offered: that of the pad which was given the key last.
    pub fn usual_channel(&self) -> u8 {
        let last = self.known.values().max_by_key(|pad| pad.welcomed);
        last.map_or(0, |pad| pad.channel)
    }

    /// The channel of a pad: its own where it was given the key before, or the usual one.
    pub fn channel_for(&self, pad: PadId) -> u8 {
        let own = self.known.get(&pad).filter(|pad| pad.welcomed.is_some());
        own.map_or_else(|| self.usual_channel(), |pad| pad.channel)
    }

    /// Whether a pad is known to have the present key, while the old one still counts.
    pub fn has_new_key(&self, pad: PadId) -> bool {
        let pad = self.known.get(&pad);
        let since = self.renewing.unwrap_or(Moment(0));
        pad.is_some_and(|pad| pad.renewed.max(pad.welcomed).is_some_and(|at| at >= since))
    }

    /// Pads that are known to have the new key, while the old one still counts.
    pub(super) fn with_new_key(&self) -> BTreeSet<PadId> {
        let known = self.known.keys().copied();
        let renewing = self.renewing.is_some();
        known
            .filter(|pad| renewing && self.has_new_key(*pad))
            .collect()
    }

    pub(super) fn welcomed(&mut self, pad: PadId, number: u8, channel: u8, at: Moment) {
        // A sticker that is given again has come off the other pad.
        if let Some(other) = self.of_number(number).filter(|other| *other != pad) {
            self.of(other).number = 0;
        }
        let pad = self.of(pad);
        pad.number = number;
        pad.channel = channel;
        pad.welcomed = Some(at);
    }

    pub(super) fn tested(&mut self, pad: PadId, passed: bool, at: Moment) {
        self.of(pad).tested = Some((at, passed));
    }

    pub(super) fn renewed(&mut self, pad: PadId, at: Moment) {
        self.of(pad).renewed = Some(at);
    }

    pub(super) fn key_renewed(&mut self, at: Moment) {
        self.renewing = Some(at);
    }

    pub(super) fn old_key_ended(&mut self) {
        self.renewing = None;
    }

    pub(super) fn seen(&mut self, given: &GivenEpoch, at: Moment) {
        let pad = self.of(given.pad);
        pad.seen = Some(at);
        pad.firmware = given.firmware.or(pad.firmware);
        if let Some(battery) = given.battery_20_mv.filter(|battery| *battery > 0) {
            pad.batteries.push_back((at, battery));
            if pad.batteries.len() > BATTERIES_REMEMBERED {
                pad.batteries.pop_front();
            }
        }
    }

    fn of(&mut self, pad: PadId) -> &mut ClubPad {
        self.known.entry(pad).or_default()
    }
}
