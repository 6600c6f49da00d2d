//! The way in for phones that are pads: the codes that they scan, the keys that they are given,
//! and a line of its own for each.

use protocol::frame::{ClubKey, NetworkId, PadKeys};
use protocol::phone::{Code, CodeSecret, Grant};
use protocol::words::{PadId, SessionId};
use tokio::sync::mpsc;

use super::keyring::Keyring;
use crate::session::TableId;

/// Lines that may wait to be taken up by the radio task.
const NEW_LINES_WAITING_MAX: usize = 64;

/// Messages that may wait on one line, either way. A pad has one call open at a time; whoever sends
/// more waits.
const FRAMES_WAITING_MAX: usize = 16;

/// Instead of a frame: the base has something for this pad, which may call for it.
pub(super) const MAIL: &[u8] = &[];

/// A line as the radio task sees it: frames in, frames out. It ends with either end.
#[derive(Debug)]
pub struct Line {
    pub(super) received: mpsc::Receiver<Vec<u8>>,
    pub(super) send: mpsc::Sender<Vec<u8>>,
}

/// What the page needs to make a pad of a phone.
#[derive(Clone, Debug)]
pub struct Phones {
    keyring: Keyring,
    network: NetworkId,
    lines: mpsc::Sender<Line>,
}

impl Phones {
    /// Phones of this club, and where their lines come from for the radio task.
    pub fn new(keyring: &Keyring, network: NetworkId) -> (Self, mpsc::Receiver<Line>) {
        let (lines, new) = mpsc::channel(NEW_LINES_WAITING_MAX);
        let phones = Self {
            keyring: keyring.clone(),
            network,
            lines,
        };
        (phones, new)
    }

    /// The network that this base station and its pads speak in.
    pub const fn network(&self) -> NetworkId {
        self.network
    }

    /// A code and its secret.
    pub fn code(&self, session: SessionId, table: TableId, number: u16) -> (Code, CodeSecret) {
        let code = Code {
            session,
            section: table.section,
            table: table.table,
            number,
        };
        (code, CodeSecret::of(&self.key(), code))
    }

    /// The secret of a code for a pair's own phone, by the code's name.
    pub fn own_secret(&self, name: &str) -> CodeSecret {
        CodeSecret::of_own(&self.key(), name)
    }

    /// The keys that a phone may have: those of the club's present key, and while that is being
    /// renewed those of the old one.
    pub fn keys_of(&self, phone: PadId) -> Vec<PadKeys> {
        let keys = [Some(self.key()), self.keyring.old()];
        let keys = keys.into_iter().flatten();
        keys.map(|key| key.for_pad(phone)).collect()
    }

    fn key(&self) -> ClubKey {
        self.keyring.current()
    }

    /// What a phone with this identity is given.
    pub fn grant(&self, pad: PadId) -> Grant {
        Grant {
            pad,
            keys: self.key().for_pad(pad),
            network: self.network,
        }
    }

    /// A line to the base: where its frames go, and where the base's come from. None while the
    /// base station ends.
    pub async fn open(&self) -> Option<(mpsc::Sender<Vec<u8>>, mpsc::Receiver<Vec<u8>>)> {
        let (to_base, received) = mpsc::channel(FRAMES_WAITING_MAX);
        let (send, from_base) = mpsc::channel(FRAMES_WAITING_MAX);
        let taken = self.lines.send(Line { received, send }).await;
        taken.is_ok().then_some((to_base, from_base))
    }
}
