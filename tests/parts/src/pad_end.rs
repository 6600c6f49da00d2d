//! A pad without its application: its end of the link, and an outbox that survives everything, as
//! the pad's flash does.

use std::collections::VecDeque;

use protocol::frame::{AssociationNumber, ClubKey, NetworkId};
use protocol::link::{Binding, PadEvent, PadIdentity, PadLink, Timing};
use protocol::message::{Down, Entry, EntryNumber, LogOn, RefusalReason, Up};
use protocol::time::{Instant, Span};
use protocol::words::{PadId, SectionLetter, TableNumber};

use crate::{Antenna, claim};

/// After this time without a welcome a pad says again who it is.
const WELCOMED_WITHIN: Span = Span::from_secs(5);

/// A pad of section A.
#[derive(Debug)]
pub struct PadEnd {
    /// Its end of the link.
    pub link: PadLink,
    /// Where it lies.
    pub table: TableNumber,
    /// What East has accepted and the base has not received.
    pub outbox: VecDeque<Entry>,
    /// Other things to say.
    pub wishes: VecDeque<Up>,
    /// Everything that has left the outbox, should the base ask for it again.
    sent: VecDeque<Entry>,
    binding: Option<Binding>,
    /// The base has gone on from a backup: say again who we are, then everything.
    asked_to_resend: bool,
    times_asked: u32,
    /// When it last said who it is; the welcome takes a while.
    claimed_at: Option<Instant>,
}

/// What a pad does with its entries, and what becomes of them.
#[derive(Clone, Copy, Debug)]
pub enum Told {
    /// It begins to send the one at the front of its outbox, perhaps again.
    Sends,
    /// The base has received it.
    Received(Entry),
    /// The base does not take it.
    Refused(EntryNumber, RefusalReason),
}

impl PadEnd {
    /// A pad of the club that has never been at its table.
    pub fn new(club: &ClubKey, pad: PadId, table: TableNumber, baud: u32) -> Self {
        let identity = PadIdentity {
            pad,
            network: NetworkId::new(0),
            keys: club.for_pad(pad),
        };
        let seed = u64::from(table.get()) * 977;
        Self {
            link: PadLink::new(identity, Timing::at_baud(baud), AssociationNumber(0), seed),
            table,
            outbox: VecDeque::new(),
            wishes: VecDeque::new(),
            sent: VecDeque::new(),
            binding: None,
            asked_to_resend: false,
            times_asked: 0,
            claimed_at: None,
        }
    }

    /// Whether everything is at the base that it has, and that it was asked for.
    pub fn is_done(&self) -> bool {
        self.outbox.is_empty() && !self.asked_to_resend
    }

    /// Whether anything has left its outbox.
    pub fn has_sent(&self) -> bool {
        !self.sent.is_empty()
    }

    /// How often a base that went on from a backup has asked it for everything.
    pub const fn times_asked(&self) -> u32 {
        self.times_asked
    }

    /// Hears what the base has sent, does what is due, and says the next thing.
    pub fn step(&mut self, heard: &[u8], now: Instant) -> Vec<Told> {
        if !heard.is_empty() {
            self.link.handle_receive(heard, now);
        }
        self.link.handle_timeout(now);
        let mut told = Vec::new();
        while let Some(event) = self.link.poll_event() {
            match event {
                PadEvent::Message(message) => told.extend(self.hear(message)),
                PadEvent::Reserve(number) => self.link.reserved(number),
                _ => {}
            }
        }
        if self.link.is_ready() {
            told.extend(self.speak(now));
        }
        told
    }

    /// Puts its frames on the air; `heard` is told of each.
    pub fn send(&mut self, antenna: &mut Antenna, now: Instant, mut heard: impl FnMut(&[u8])) {
        while let Some(frame) = self.link.poll_transmit(now) {
            heard(&frame);
            antenna.send(&frame, self.link.timing(), now);
        }
    }

    fn hear(&mut self, message: Down) -> Option<Told> {
        match message {
            Down::Welcome(welcome) => {
                self.binding = Some(Binding {
                    session: welcome.session,
                    epoch: welcome.epoch,
                });
                self.link.bind(self.binding);
                if std::mem::take(&mut self.asked_to_resend) {
                    self.sent.append(&mut self.outbox);
                    std::mem::swap(&mut self.sent, &mut self.outbox);
                }
                None
            }
            Down::PleaseResend => {
                self.asked_to_resend = true;
                self.times_asked += 1;
                None
            }
            Down::Received { number, .. } => {
                self.outbox.front().filter(|it| it.number == number)?;
                let entry = self.outbox.pop_front()?;
                self.sent.push_back(entry);
                Some(Told::Received(entry))
            }
            Down::Refused {
                number: Some(number),
                reason,
            } => Some(Told::Refused(number, reason)),
            _ => None,
        }
    }

    fn speak(&mut self, now: Instant) -> Option<Told> {
        let claims = self.binding.is_none() || self.asked_to_resend;
        let waits = |at: Instant| now.since(at) < WELCOMED_WITHIN;
        if claims && self.claimed_at.is_some_and(waits) {
            return None;
        }
        let message = if self.binding.is_none() {
            Up::LogOn(self.claim())
        } else if self.asked_to_resend {
            Up::Recover(self.claim())
        } else if let Some(wish) = self.wishes.pop_front() {
            wish
        } else {
            Up::Entry(*self.outbox.front()?)
        };
        if claims {
            self.claimed_at = Some(now);
            // What is left for it in a contact that fails is fetched with the next check-in.
            self.link.report(Some(self.claim().state), now);
        }
        let _ = self.link.send(&message, now);
        matches!(message, Up::Entry(_)).then_some(Told::Sends)
    }

    fn claim(&self) -> LogOn {
        claim(SectionLetter::A, self.table)
    }
}
