//! Where a pad called, and where it should: what is measured by that, and the slot that it gets.

use super::peer::Peer;
use super::{Hub, Port};
use crate::link::cycle::Place;
use crate::time::{Instant, Span};
use crate::words::PadId;

/// A pad that was not heard for this long is gone.
const SILENT_AFTER: Span = Span::from_secs(190);

impl Hub {
    /// Where a frame began tells something of the radio if it is known where it should have.
    pub(super) fn measure(&mut self, port: Port, pad: PadId, checks_in: bool, now: Instant) {
        let heard_at = self.heard_at;
        let met = self.strangers.remove(&pad);
        let pads = self.pads_on_channel_of(port, now);
        let Some(peer) = self.peers.get_mut(&pad) else {
            return;
        };
        let place = peer.place.filter(|_| checks_in && !peer.place_is_news);
        let follows = peer.understands_fits;
        let turnaround_ms = peer.told_turnaround_ms;
        let spread = core::mem::take(&mut peer.spread_is_news);
        let told = spread.then_some(peer.quality.last).flatten();
        let channel = self.channel(port);
        channel.meter.room(pads);
        if !follows && channel.is_wide() {
            return;
        }
        if let Some((meant, turnaround_ms)) = met {
            // A call that had to be repeated comes in a later cycle.
            let cycle = |at| channel.cycle.cycle_at(Instant::ZERO, at);
            if cycle(meant) == cycle(heard_at) {
                channel.arrived(meant, turnaround_ms, heard_at);
            }
        } else if let Some(place) = place {
            let meant = channel.cycle.nearest(place, heard_at);
            channel.arrived(meant, turnaround_ms, heard_at);
        }
        if let Some(told) = told {
            channel.meter.reported(pad, told, now);
        }
        if let Some(fit) = channel.meter.judge(now) {
            channel.refit(fit, now);
            let number = self.channel_of(port);
            let emptied = self.channel(port).places.is_empty();
            let ports = &self.ports;
            let here = |at: Port| ports.get(&at).map_or(0, |it| it.channel) == number;
            for peer in self.peers.values_mut().filter(|peer| here(peer.port)) {
                if emptied {
                    peer.place = None;
                }
            }
        }
    }

    /// Pads that were heard of late on the channel that a receiver is on.
    fn pads_on_channel_of(&self, port: Port, now: Instant) -> u64 {
        let number = self.channel_of(port);
        let here = |peer: &&Peer| {
            now.since(peer.heard) <= SILENT_AFTER && self.channel_of(peer.port) == number
        };
        let pads = self.peers.values().filter(here).count();
        u64::try_from(pads).unwrap_or_default()
    }

    /// Notes the slot in which the pad checks in, or finds one for it.
    pub(super) fn place(&mut self, port: Port, pad: PadId, now: Instant) {
        let (heard_in, heard_at) = (self.heard_in, self.heard_at);
        let Some(mut own) = self.peers.get(&pad).map(|peer| peer.place) else {
            return;
        };
        let channel = self.channel(port);
        if own.is_some_and(|place| channel.places.get(&place) != Some(&pad)) {
            // It had its slot on another channel, or before time was divided anew.
            own = None;
        }
        let is_near = own.is_some_and(|place| channel.is_near(place, heard_at));
        let heard_in = if is_near { own } else { heard_in };
        if own.is_some() && (own == heard_in || heard_in.is_none()) {
            if let Some(peer) = self.peers.get_mut(&pad) {
                // A pad that is in its slot knows it; one that calls outside may have been told.
                peer.place_is_news &= heard_in.is_none();
            }
            return;
        }
        let free = |place: &Place| !channel.places.contains_key(place);
        let at_once = channel.fit().at_once;
        // Where every call is answered as it comes, a slot that it happened to meet is not kept.
        let found = heard_in.filter(free).filter(|_| !at_once);
        let place = found
            .or(own)
            .or_else(|| channel.cycle.places(now, at_once).find(free));
        if let Some(place) = place {
            if let Some(old) = own {
                channel.places.remove(&old);
            }
            channel.places.insert(place, pad);
        }
        if let Some(peer) = self.peers.get_mut(&pad) {
            peer.place_is_news = found.is_none();
            if let Some(place) = place {
                peer.place = Some(place);
            }
        }
    }
}
