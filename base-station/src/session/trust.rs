//! Which pads the club listens to, and who may take a table from a pad that works.

#![deny(
    clippy::wildcard_enum_match_arm,
    clippy::match_wildcard_for_single_variants
)]

use protocol::link::Policy;
use protocol::message::{FirmwareVersion, WIRE_VERSION};
use protocol::words::{Epoch, PadId, SessionId};
use serde::{Deserialize, Serialize};

use super::{Club, Moment, PairId, Table, TableId};

/// Whom the club listens to, as far as it changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Trust {
    /// A pad was stolen or lost: nothing it says has an effect any more.
    PadRevoked {
        /// Which.
        pad: PadId,
    },
    /// It has been found again.
    PadRestored {
        /// Which.
        pad: PadId,
    },
    /// Whether pads that speak wire version 1 are taken.
    OldPads {
        /// They are.
        allowed: bool,
    },
    /// A phone has scanned the code of a table and is a pad of this session.
    PhoneJoined(Joined),
    /// A pair's own phone has scanned its code.
    OwnPhoneJoined(OwnPhone),
    /// A pad was given the club's key by cable.
    PadWelcomed {
        /// Which.
        pad: PadId,
        /// The number on its sticker; 0 for none.
        number: u8,
        /// The channel of its modem.
        #[serde(default, skip_serializing_if = "is_first_channel")]
        channel: u8,
    },
    /// A pad went through the factory's test, by cable.
    PadTested {
        /// Which.
        pad: PadId,
        /// Everything was as it should be.
        passed: bool,
    },
    /// The club has a new key. Pads that come with the old one are given it over the air.
    KeyRenewed,
    /// A pad has come with the new key.
    PadRenewed {
        /// Which.
        pad: PadId,
    },
    /// The old key has no effect any more.
    OldKeyEnded,
}

/// A phone that has joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Joined {
    /// Who it is from now on.
    pub pad: PadId,
    /// In this session.
    pub session: SessionId,
    /// With the code of this table.
    pub table: TableId,
    /// The code's number, counted from 0 for each table.
    pub number: u16,
    /// Tells the phone that asks a second time from another one that has read the same code.
    pub device: u64,
    /// What it is.
    pub kind: DeviceKind,
}

/// A pair's own phone: it accepts where the pair sits East-West, and reads what the pair may know. It
/// is no pad.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnPhone {
    /// Who it is from now on.
    pub phone: PadId,
    /// In this session.
    pub session: SessionId,
    /// Whose it is.
    pub pair: PairId,
    /// The code's number, counted from 0 for each pair.
    pub number: u16,
    /// Tells the phone that asks a second time from another one that has read the same code.
    pub device: u64,
    /// What it is.
    pub kind: DeviceKind,
}

/// What a pad in a browser is, as far as the browser says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub enum DeviceKind {
    /// In a hand.
    Phone,
    /// On the table.
    Tablet,
    /// A laptop, or anything else.
    Computer,
}

/// An epoch that a pad was given, and for what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GivenEpoch {
    /// To this pad.
    pub pad: PadId,
    /// The epoch.
    pub epoch: Epoch,
    /// For this session.
    pub session: SessionId,
    /// And table.
    pub table: TableId,
    /// The wire version that the pad speaks.
    #[serde(default = "version_untold", skip_serializing_if = "is_version_untold")]
    pub wire: u8,
    /// What the pad runs, where it has said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub firmware: Option<FirmwareVersion>,
    /// Its cells, in units of 20 mV, where it has said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub battery_20_mv: Option<u8>,
}

/// A pad wants a table whose own pad is there and talks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Replacing {
    /// The director is asked.
    Asked {
        /// The pad that wants the table.
        pad: PadId,
        /// The table.
        table: TableId,
    },
    /// The director has answered.
    Answered {
        /// The pad that wants the table.
        pad: PadId,
        /// The table.
        table: TableId,
        /// Yes or no.
        allowed: bool,
    },
}

/// The wire version of pads from before journals told it.
pub(super) const fn version_untold() -> u8 {
    1
}

/// Whether a wire version need not be written down.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
pub(super) const fn is_version_untold(version: &u8) -> bool {
    *version == version_untold()
}

/// Whether a channel need not be written down.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
const fn is_first_channel(channel: &u8) -> bool {
    *channel == 0
}

impl Club {
    pub(super) fn trust(&mut self, trust: Trust, at: Moment) {
        match trust {
            Trust::PadWelcomed {
                pad,
                number,
                channel,
            } => self.pads.welcomed(pad, number, channel, at),
            Trust::PadTested { pad, passed } => self.pads.tested(pad, passed, at),
            Trust::KeyRenewed => self.pads.key_renewed(at),
            Trust::PadRenewed { pad } => self.pads.renewed(pad, at),
            Trust::OldKeyEnded => self.pads.old_key_ended(),
            Trust::PadRevoked { pad } => {
                self.revoked.insert(pad);
            }
            Trust::PadRestored { pad } => {
                self.revoked.remove(&pad);
            }
            Trust::OldPads { allowed } => self.old_pads = Some(allowed),
            Trust::PhoneJoined(joined) => {
                self.phones.insert(joined.pad, joined);
            }
            Trust::OwnPhoneJoined(own) => {
                self.own_phones.insert(own.phone, own);
            }
        }
    }

    /// A pad that speaks this version has been given a table.
    pub(super) fn saw_version(&mut self, version: u8) {
        self.old_pads_seen |= version < WIRE_VERSION;
    }

    /// Whether pads that speak wire version 1 are taken: as the director said, and until then
    /// where the club has such pads.
    pub fn takes_old_pads(&self) -> bool {
        self.old_pads.unwrap_or(self.old_pads_seen)
    }

    /// The phones that joined with codes of a table, in the order of their numbers.
    pub fn phones_of(&self, session: SessionId, table: TableId) -> Vec<Joined> {
        let phones = self.phones.values();
        let mut here: Vec<Joined> = phones
            .filter(|phone| (phone.session, phone.table) == (session, table))
            .copied()
            .collect();
        here.sort_by_key(|phone| phone.number);
        here
    }

    /// The number of the code that the next phone at this table scans.
    pub fn next_code(&self, session: SessionId, table: TableId) -> u16 {
        let used = self.phones_of(session, table);
        used.last()
            .map_or(0, |phone| phone.number.saturating_add(1))
    }

    /// The phones that a pair has joined with, in the order of their numbers.
    pub fn own_phones_of(&self, session: SessionId, pair: PairId) -> Vec<OwnPhone> {
        let phones = self.own_phones.values();
        let mut here: Vec<OwnPhone> = phones
            .filter(|phone| (phone.session, phone.pair) == (session, pair))
            .copied()
            .collect();
        here.sort_by_key(|phone| phone.number);
        here
    }

    /// The number of the code that the next phone of this pair scans.
    pub fn next_own_code(&self, session: SessionId, pair: PairId) -> u16 {
        let used = self.own_phones_of(session, pair);
        used.last()
            .map_or(0, |phone| phone.number.saturating_add(1))
    }

    /// Whom the link listens to.
    pub fn policy(&self) -> Policy {
        Policy {
            version_1: self.takes_old_pads(),
            revoked: self.revoked.iter().copied().collect(),
            renewed: self.pads.with_new_key(),
        }
    }
}

impl Table {
    pub(super) fn replacing(&mut self, replacing: Replacing) {
        match replacing {
            Replacing::Asked { pad, .. } => self.asking.insert(pad, None),
            Replacing::Answered { pad, allowed, .. } => self.asking.insert(pad, Some(allowed)),
        };
    }
}
