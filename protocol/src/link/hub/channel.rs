//! One radio channel: its check-in slots, and how long the base is on the air there. All channels
//! have the same cycles.

use alloc::collections::BTreeMap;

use super::airtime::Airtime;
use super::peer::Peer;
use super::{Hub, Port};
use crate::both_ends::SILENT_AFTER;
use crate::link::cycle::{Cycle, Place};
use crate::time::{Instant, Span};
use crate::words::PadId;

/// How often a pad calls at the end of a round: a result and a check-in a minute, and some again.
const CALLS_OF_A_PAD_MILLIHERTZ: u64 = 48;

/// Bytes of an answer.
const ANSWER_LEN: usize = 26;

/// For how much of a second the base may be deaf because it answers calls as they come. With more
/// (tried: 75 ms, with a fifth of the frames lost) one result in a hundred waits twice as long as it
/// would for the window.
const DEAF_MAX: Span = Span::from_millis(60);

/// One channel.
#[derive(Debug, Default)]
pub(super) struct Channel {
    /// The slots that are taken for check-ins.
    places: BTreeMap<Place, PadId>,
    /// The slot that the last stranger was given, and in which cycle.
    strangers_slot: (Instant, u8),
    /// Of the base's receivers on this channel together.
    pub(super) airtime: Airtime,
}

impl Channel {
    /// Strangers of one window get slots of their own in the next cycle.
    pub(super) fn slot_for_stranger(&mut self, cycle: Instant) -> u8 {
        let slot = match self.strangers_slot {
            (other, last) if other == cycle => Cycle::message_slot_after(last),
            _ => 0,
        };
        self.strangers_slot = (cycle, slot);
        slot
    }
}

impl Hub {
    /// This receiver is on that channel from now on. Receivers on one channel share its time; all
    /// are on channel 0 until somebody says otherwise.
    pub fn set_channel(&mut self, port: Port, channel: u8) {
        let receiver = self.receiver(port);
        receiver.channel = channel;
        receiver.deframer.clear();
    }

    /// So many thousandths of an hour may the base be on the air on each channel: the law of the
    /// country. Nothing is no limit.
    pub fn set_share(&mut self, permille: Option<u16>) {
        self.share_permille = permille;
        for channel in self.channels.values_mut() {
            channel.airtime.set_limit(permille);
        }
    }

    /// The limit.
    pub const fn share_limit(&self) -> Option<u16> {
        self.share_permille
    }

    /// How many answers of the last hour were not sent on a receiver's channel because of it. The
    /// pads call again.
    pub fn held_back(&self, port: Port, now: Instant) -> u32 {
        let channel = self.channels.get(&self.channel_of(port));
        channel.map_or(0, |it| it.airtime.held_back(now))
    }

    /// How many thousandths of the last hour the base was on the air on a receiver's channel.
    pub fn share(&self, port: Port, now: Instant) -> u16 {
        let channel = self.channels.get(&self.channel_of(port));
        channel.map_or(0, |it| it.airtime.share_permille(now))
    }

    /// Whether so few pads are on a receiver's channel that each call is answered as it comes, and
    /// again in the window. Then nobody waits for that; what it costs is that the base is deaf for
    /// other calls meanwhile. Pads listen from the end of their call, so they need not know.
    pub(super) fn is_small_room(&self, port: Port, now: Instant) -> bool {
        let number = self.channel_of(port);
        let here = |peer: &&Peer| {
            now.since(peer.heard) <= SILENT_AFTER && self.channel_of(peer.port) == number
        };
        // Pads that had a table before our start come back all at once, on whichever channel.
        let met = |pad: &&PadId| {
            let peer = self.peers.get(pad);
            peer.is_some_and(|peer| peer.association.is_some())
        };
        let awaited = self.expected.iter().filter(|pad| !met(pad)).count();
        let awaited = awaited / self.channels.len().max(1);
        let pads = self.peers.values().filter(here).count() + awaited;
        let answer = self.timing.turnaround + self.timing.airtime(ANSWER_LEN);
        let pads = u64::try_from(pads).unwrap_or(u64::MAX);
        let deaf = answer.times(pads).as_micros() * CALLS_OF_A_PAD_MILLIHERTZ / 1_000;
        deaf <= DEAF_MAX.as_micros()
    }

    fn channel_of(&self, port: Port) -> u8 {
        self.ports.get(&port).map_or(0, |it| it.channel)
    }

    pub(super) fn channel(&mut self, port: Port) -> &mut Channel {
        let number = self.channel_of(port);
        let share = self.share_permille;
        self.channels.entry(number).or_insert_with(|| {
            let mut channel = Channel::default();
            channel.airtime.set_limit(share);
            channel
        })
    }

    /// A pad that has a line needs no slot.
    pub(super) fn unplace(&mut self, pad: PadId) {
        let peer = self.peers.get_mut(&pad);
        if let Some(place) = peer.and_then(|peer| peer.place.take()) {
            for channel in self.channels.values_mut() {
                channel.places.retain(|at, of| (*at, *of) != (place, pad));
            }
        }
    }

    /// Notes the slot in which the pad checks in, or finds one for it.
    pub(super) fn place(&mut self, port: Port, pad: PadId, now: Instant) {
        let (heard_in, cycle) = (self.heard_in, self.cycle);
        let Some(own) = self.peers.get(&pad).map(|peer| peer.place) else {
            return;
        };
        let channel = self.channel(port);
        // What it had on another channel is of no use here, and is free there.
        let here = own.filter(|place| channel.places.get(place) == Some(&pad));
        if own != here {
            self.unplace(pad);
        }
        let channel = self.channel(port);
        if here.is_some() && (here == heard_in || heard_in.is_none()) {
            if let Some(peer) = self.peers.get_mut(&pad) {
                // A pad that is in its slot knows it; one that calls outside may have been told.
                peer.place_is_news &= heard_in.is_none();
            }
            return;
        }
        let free = |place: &Place| !channel.places.contains_key(place);
        let found = heard_in.filter(free);
        let place = found.or(here).or_else(|| cycle.places(now).find(free));
        if let Some(place) = place {
            if let Some(old) = here {
                channel.places.remove(&old);
            }
            channel.places.insert(place, pad);
        }
        if let Some(peer) = self.peers.get_mut(&pad) {
            peer.place_is_news = found.is_none();
            peer.place = place;
        }
    }
}
