//! One modem on the channel, and what the model makes of its moments.

use protocol::time::{Instant, Span};

use super::{Air, CHUNK, Delivery, Event, Frame, Range, Station, received};

/// Bytes after which an adapter hands over at once.
const ADAPTER_FULL: usize = 62;

/// A USB host asks its adapters this often.
const USB_FRAME: Span = Span::from_millis(1);

/// A modem.
#[derive(Clone, Debug, Default)]
pub(super) struct Modem {
    pub(super) is_base: bool,
    pub(super) hears_from: Option<Instant>,
    pub(super) powered_at: Option<Instant>,
    /// Turning around or sending until then.
    pub(super) sends_until: Instant,
    /// Being set until then: neither hearing nor sending.
    pub(super) deaf_until: Instant,
    /// The channel that it is on.
    pub(super) channel: u8,
    /// In a dead spot: neither heard nor hearing.
    pub(super) dead_spot: bool,
    pub(super) loss_permille: Option<u32>,
    /// Frames on the air that this modem hears just now.
    pub(super) hearing: Vec<u64>,
    pub(super) on: Span,
    pub(super) sending: Span,
    /// Where its drift begins, in thousandths.
    step: u64,
    /// When its serial line is free to hand out more.
    line_free: Instant,
    /// What the base's adapter has and has not handed over.
    adapter: Vec<u8>,
}

impl Modem {
    pub(super) fn new(step: u64) -> Self {
        Self {
            step,
            ..Self::default()
        }
    }
}

impl Air {
    /// Puts a station's modem on a channel. It hears nothing while it is being set.
    pub fn tune(&mut self, station: Station, channel: u8, until: Instant) {
        let modem = &mut self.modems[station.0];
        modem.channel = channel;
        modem.deaf_until = modem.deaf_until.max(until);
        for frame in std::mem::take(&mut modem.hearing) {
            if let Some(frame) = self.frames.get_mut(&frame) {
                frame.copies.remove(&station);
            }
        }
    }

    /// The channel that a station's modem is on.
    pub fn channel_of(&self, station: Station) -> u8 {
        self.modems[station.0].channel
    }

    /// Any time within a range.
    pub(super) fn draw(&mut self, (from, to): Range) -> Span {
        from + Span::from_micros(self.quirks.below((to - from).as_micros()))
    }

    /// From the hand-over of this frame to its beginning.
    pub(super) fn delay(&mut self, station: Station, now: Instant) -> Span {
        let model = self.channel.model;
        let (from, to) = model.delay;
        let width = (to - from).as_micros();
        let own = self.quirks.below(1_001);
        let drift = model.drift.as_micros();
        let share = if drift == 0 {
            own
        } else {
            // Up and down, once in `drift`.
            let step = self.modems[station.0].step * drift / 1_000;
            let at = (now.as_micros() + step) % drift * 2_000 / drift;
            let slow = if at < 1_000 { at } else { 2_000 - at };
            u64::midpoint(own, slow)
        };
        let mut delay = from + Span::from_micros(width * share / 1_000);
        if self.modems[station.0].is_base && model.adapter > Span::ZERO {
            delay = delay + self.host_is_late();
            delay = delay + Span::from_micros(self.quirks.below(USB_FRAME.as_micros()));
        }
        delay
    }

    fn host_is_late(&mut self) -> Span {
        let model = self.channel.model;
        if self.quirks.permille(model.host_late_permille) {
            Span::from_micros(self.quirks.below(model.host_late.as_micros()))
        } else {
            Span::ZERO
        }
    }

    /// Bytes come out of a modem. The base's go through its adapter.
    pub(super) fn hand_over(
        &mut self,
        to: Station,
        at: Instant,
        bytes: Vec<u8>,
        deliveries: &mut Vec<Delivery>,
    ) {
        let latency = self.channel.model.adapter;
        if !self.modems[to.0].is_base || latency == Span::ZERO {
            deliveries.push(Delivery { to, at, bytes });
            return;
        }
        let modem = &mut self.modems[to.0];
        let waits = !modem.adapter.is_empty();
        modem.adapter.extend(bytes);
        if modem.adapter.len() >= ADAPTER_FULL {
            self.schedule(at, Event::Flush(to));
        } else if !waits {
            // The timer runs all the time.
            let timer = latency.as_micros();
            let step = self.modems[to.0].step * timer / 1_000;
            let into = (at.as_micros() + step) % timer;
            let flush = at + Span::from_micros(timer - into) + self.host_is_late();
            self.schedule(flush, Event::Flush(to));
        }
    }

    pub(super) fn flush(&mut self, to: Station, at: Instant, deliveries: &mut Vec<Delivery>) {
        let bytes = std::mem::take(&mut self.modems[to.0].adapter);
        if !bytes.is_empty() {
            deliveries.push(Delivery { to, at, bytes });
        }
    }

    /// A packet has come as a whole: each receiver's modem hands it out over its serial line.
    pub(super) fn hand_out(&mut self, frame: &Frame, at: Instant) {
        let timing = self.channel.timing;
        let mut receivers: Vec<Station> = frame.copies.keys().copied().collect();
        receivers.sort_unstable();
        for to in receivers {
            let copy = &frame.copies[&to];
            if copy.lost {
                continue;
            }
            let whole = 0..frame.bytes.len();
            let bytes = received(&mut self.random, &self.channel, frame, copy, whole);
            if self.random.permille(self.channel.repeat_permille) {
                let again = at + self.channel.repeat_after;
                self.schedule(again, Event::Late(to, bytes.clone()));
            }
            let mut line = self.modems[to.0].line_free.max(at + copy.late);
            for piece in bytes.chunks(CHUNK) {
                line += timing.bytes(piece.len());
                self.schedule(line, Event::Late(to, piece.to_vec()));
            }
            self.modems[to.0].line_free = line;
        }
    }

    /// How much stronger the first is heard than the second, as far as that makes a difference: 1,
    /// 0 or -1.
    pub(super) fn stronger(&self, one: Station, other: Station, to: Station) -> i32 {
        let Some(enough) = self.channel.model.capture_db else {
            return 0;
        };
        let (one, other) = (strength(one, to), strength(other, to));
        if one >= other + enough {
            1
        } else if other >= one + enough {
            -1
        } else {
            0
        }
    }

    /// A frame begins on a channel: those who hear something next door may lose it.
    pub(super) fn disturb_neighbours(&mut self, channel: u8) {
        let chance = self.channel.model.neighbour_permille;
        if chance == 0 {
            return;
        }
        let mut ids: Vec<u64> = self.frames.keys().copied().collect();
        ids.sort_unstable();
        for id in ids {
            let Some(frame) = self.frames.get_mut(&id) else {
                continue;
            };
            if frame.begun && frame.channel.abs_diff(channel) == 1 {
                let mut receivers: Vec<Station> = frame.copies.keys().copied().collect();
                receivers.sort_unstable();
                for to in receivers {
                    let hit = self.quirks.permille(chance);
                    if let Some(copy) = frame.copies.get_mut(&to) {
                        copy.destroyed |= hit;
                    }
                }
            }
        }
    }

    /// Whether a frame on this channel is spoiled by one next door.
    pub(super) fn is_disturbed(&mut self, channel: u8) -> bool {
        let chance = self.channel.model.neighbour_permille;
        if chance == 0 {
            return false;
        }
        let next_door = |frame: &Frame| frame.begun && frame.channel.abs_diff(channel) == 1;
        self.frames.values().any(next_door) && self.quirks.permille(chance)
    }
}

/// How strongly a station is heard at another, in dB above what can be heard at all: the same at
/// every moment, since nobody moves.
fn strength(from: Station, to: Station) -> u32 {
    let mut mixed = (from.0 as u64) << 32 | to.0 as u64;
    mixed = (mixed ^ mixed >> 15).wrapping_mul(0x2C1B_3C6D_2C1B_3C6D);
    mixed = (mixed ^ mixed >> 29).wrapping_mul(0x297A_2D39_297A_2D39);
    ((mixed >> 32) % 40) as u32
}
