//! The director's way to the receivers' modems: set again, put on another channel, and listened
//! with. What is done is done by the thread that reads the receiver.

use std::collections::BTreeMap;
use std::sync::mpsc;
use std::time::Duration;

use protocol::modem::{ModemSettings, RadioChannel};
use tokio::sync::oneshot;

use super::law::Law;
use super::modem::{ChannelHeard, ModemKnown, ModemWish, SetPin};
use super::radio::Channel;

/// How long each channel is listened to.
const LISTEN: Duration = Duration::from_secs(5);

/// What a receiver's thread is asked to do.
#[derive(Debug)]
pub struct Errand {
    pub(super) what: What,
    pub(super) reply: oneshot::Sender<Result<Done, NotDone>>,
}

#[derive(Debug)]
pub(super) enum What {
    Set(ModemWish),
    Scan {
        wish: ModemWish,
        channels: Vec<RadioChannel>,
        listen: Duration,
    },
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Done {
    /// How the modem is now.
    pub known: ModemKnown,
    /// What was heard on each channel, where it was listened.
    pub heard: Vec<ChannelHeard>,
}

/// Why nothing was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotDone {
    /// The base station was started without a country: nobody knows what is lawful.
    NoCountry,
    /// The country does not allow this channel.
    Unlawful(RadioChannel),
    /// There is no such receiver, or it is not plugged in.
    Gone,
    /// It stands in the network, and only its bytes come here.
    InTheNetwork,
    /// A person holds SET, and can't let go of it for each channel.
    ByHand,
}

/// The modems of this base station's receivers.
#[derive(Clone, Debug)]
pub struct Modems {
    lines: BTreeMap<u16, mpsc::Sender<Errand>>,
    law: Option<Law>,
    baud: u32,
    pin: Option<SetPin>,
}

impl Modems {
    /// Those of these receivers.
    pub fn of(channels: &[Channel], law: Option<Law>, baud: u32, pin: Option<SetPin>) -> Self {
        let lines = (0..).zip(channels);
        let lines = lines.filter_map(|(port, it)| Some((port, it.errands.clone()?)));
        Self {
            lines: lines.collect(),
            law,
            baud,
            pin,
        }
    }

    /// The channels that the country allows; none without a country.
    pub fn channels(&self) -> Vec<RadioChannel> {
        self.law.map_or_else(Vec::new, |law| law.channels())
    }

    /// Whether a person connects SET.
    pub fn is_by_hand(&self) -> bool {
        self.pin == Some(SetPin::Hand)
    }

    /// The baud rate that modems have here.
    pub const fn baud(&self) -> u32 {
        self.baud
    }

    /// Sets a receiver's modem, and has it set so whenever it is plugged in until the base station
    /// ends.
    pub async fn set(&self, receiver: u16, channel: RadioChannel) -> Result<Done, NotDone> {
        let wish = self.wish(channel)?;
        self.ask(receiver, What::Set(wish)).await
    }

    /// Listens on each channel that is allowed, then goes to `home`. Pads wait meanwhile.
    pub async fn scan(&self, receiver: u16, home: RadioChannel) -> Result<Done, NotDone> {
        let wish = self.wish(home)?;
        if self.is_by_hand() {
            return Err(NotDone::ByHand);
        }
        let what = What::Scan {
            wish,
            channels: self.channels(),
            listen: LISTEN,
        };
        self.ask(receiver, what).await
    }

    fn wish(&self, channel: RadioChannel) -> Result<ModemWish, NotDone> {
        let law = self.law.ok_or(NotDone::NoCountry)?;
        law.wish(channel, self.baud, self.pin)
            .ok_or(NotDone::Unlawful(channel))
    }

    async fn ask(&self, receiver: u16, what: What) -> Result<Done, NotDone> {
        let (reply, done) = oneshot::channel();
        let line = self.lines.get(&receiver).ok_or(NotDone::Gone)?;
        line.send(Errand { what, reply })
            .map_err(|_| NotDone::Gone)?;
        done.await.map_err(|_| NotDone::Gone)?
    }
}

impl Law {
    /// What a modem should have on a channel; nothing where the channel is not allowed.
    pub fn wish(self, channel: RadioChannel, baud: u32, pin: Option<SetPin>) -> Option<ModemWish> {
        let settings = ModemSettings {
            channel,
            baud,
            mode: 3,
            power: self.power(),
        };
        self.allows(channel).then_some(ModemWish { settings, pin })
    }
}
