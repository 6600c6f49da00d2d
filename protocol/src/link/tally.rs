//! What a receiver turned away, counted for the director.

/// Frames without effect, by reason. Numbers only grow while the link lives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Tally {
    /// Frames that were taken.
    pub accepted: u32,
    /// Bytes between two delimiters that are no frame: noise, collisions.
    pub garbled: u32,
    /// Frames whose tag is wrong: a flipped bit, or somebody without the key.
    pub forged: u32,
    /// Frames heard before.
    pub replayed: u32,
    /// Frames of another network on the same channel.
    pub other_network: u32,
    /// Frames of our network under another club's key.
    pub other_club: u32,
    /// Frames of an association, or of an epoch at a table, that is over.
    pub old_epoch: u32,
    /// Frames with a message that this version does not know.
    pub unknown: u32,
    /// Pads that called without being known: after a restart of the base, all of them once.
    pub strangers: u32,
    /// Frames of another base station on our network.
    pub other_base: u32,
    /// Frames of pads that the director has revoked.
    pub revoked: u32,
    /// Frames of wire version 1 where the club no longer allows it.
    pub old_version: u32,
    /// Messages for pads that are too long for the air: dropped, because they never could be sent.
    pub unsendable: u32,
}

/// What became of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Accepted,
    /// For somebody else.
    Foreign,
    Garbled,
    Forged,
    Replayed,
    OtherNetwork,
    OtherClub,
    OldEpoch,
    Unknown,
    #[cfg(feature = "hub")]
    Stranger,
    #[cfg(feature = "hub")]
    OtherBase,
    #[cfg(feature = "hub")]
    Revoked,
    #[cfg(feature = "hub")]
    OldVersion,
    #[cfg(feature = "hub")]
    Unsendable,
}

impl Tally {
    /// A frame that was taken turned out to be of an epoch that is over.
    #[cfg(feature = "hub")]
    pub(super) fn recount_as_old(&mut self) {
        self.accepted = self.accepted.saturating_sub(1);
        self.count(Verdict::OldEpoch);
    }

    pub(super) fn count(&mut self, verdict: Verdict) {
        let number = match verdict {
            Verdict::Foreign => return,
            Verdict::Accepted => &mut self.accepted,
            Verdict::Garbled => &mut self.garbled,
            Verdict::Forged => &mut self.forged,
            Verdict::Replayed => &mut self.replayed,
            Verdict::OtherNetwork => &mut self.other_network,
            Verdict::OtherClub => &mut self.other_club,
            Verdict::OldEpoch => &mut self.old_epoch,
            Verdict::Unknown => &mut self.unknown,
            #[cfg(feature = "hub")]
            Verdict::Stranger => &mut self.strangers,
            #[cfg(feature = "hub")]
            Verdict::OtherBase => &mut self.other_base,
            #[cfg(feature = "hub")]
            Verdict::Revoked => &mut self.revoked,
            #[cfg(feature = "hub")]
            Verdict::OldVersion => &mut self.old_version,
            #[cfg(feature = "hub")]
            Verdict::Unsendable => &mut self.unsendable,
        };
        *number = number.saturating_add(1);
    }
}
