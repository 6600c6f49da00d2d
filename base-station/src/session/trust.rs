//! Which pads the club listens to, and who may take a table from a pad that works.

use protocol::link::Policy;
use protocol::message::WIRE_VERSION;
use protocol::words::{Epoch, PadId, SessionId};
use serde::{Deserialize, Serialize};

use super::{Club, Table, TableId};

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

impl Club {
    pub(super) fn trust(&mut self, trust: Trust) {
        match trust {
            Trust::PadRevoked { pad } => {
                self.revoked.insert(pad);
            }
            Trust::PadRestored { pad } => {
                self.revoked.remove(&pad);
            }
            Trust::OldPads { allowed } => self.old_pads = Some(allowed),
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

    /// Whom the link listens to.
    pub fn policy(&self) -> Policy {
        Policy {
            version_1: self.takes_old_pads(),
            revoked: self.revoked.iter().copied().collect(),
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
