//! What the page holds of the centre: how it stands, and what a director wishes of it.

use std::sync::Arc;

use ::centre::Field;
use telling::{Told, tell};
use tokio::sync::{mpsc, oneshot, watch};

use crate::session::Moment;
use crate::store::Restorable;

/// How it stands with the centre.
#[derive(Clone, Debug, Default)]
pub struct CentreState {
    /// Who this base is there; `None` where no centre was joined.
    pub joined: Option<AtCentre>,
    /// Records that the centre has.
    pub sent: usize,
    /// Records that there are.
    pub all: usize,
    /// Why nothing goes on.
    pub problem: Option<Told>,
    /// How our pairs stood when the centre was last heard.
    pub field: Option<Arc<Field>>,
    /// When the centre's copy was last known to be all that there is.
    pub copied: Option<Moment>,
}

/// Who this base is at the centre.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AtCentre {
    /// The centre, with a slash at its end.
    pub address: String,
    /// Its event's number.
    pub event: i32,
    /// What the event is called.
    pub event_name: String,
    /// What the organiser calls the club.
    pub club_name: String,
    /// The session that is played there.
    pub session: u32,
    /// Whether the centre is told the players' names.
    pub names: bool,
    /// Whether it keeps a sealed copy of the journal.
    pub copy: bool,
    /// Categories as the director typed them.
    pub categories: String,
}

pub(super) enum Wish {
    Join {
        address: String,
        code: String,
        names: bool,
        copy: bool,
    },
    Names(bool),
    Copy(bool),
    Categories(String),
    Restore {
        address: String,
    },
    Leave {
        /// Also with something that the centre has not got.
        unsent: bool,
    },
}

/// What came of a wish; a copy that was brought back, where that was it.
pub(super) type Granted = Result<Option<Restorable>, Told>;

/// A wish and where its outcome goes.
pub(super) type Asked = (Wish, oneshot::Sender<Granted>);

/// A way to the centre.
#[derive(Clone, Debug)]
pub struct Centre {
    pub(super) wishes: mpsc::Sender<Asked>,
    pub(super) state: watch::Receiver<CentreState>,
}

impl Centre {
    /// How it stands.
    pub fn state(&self) -> CentreState {
        self.state.borrow().clone()
    }

    /// Joins a centre with a code from its organiser; `copy` has it keep a sealed copy of the
    /// journal.
    pub async fn join(
        &self,
        address: String,
        code: String,
        names: bool,
        copy: bool,
    ) -> Result<(), Told> {
        let wish = Wish::Join {
            address,
            code,
            names,
            copy,
        };
        self.ask(wish).await.map(drop)
    }

    /// Ranks pairs in lists of their own as well: a pair and its category on each line.
    pub async fn categories(&self, typed: String) -> Result<(), Told> {
        self.ask(Wish::Categories(typed)).await.map(drop)
    }

    /// Has the centre keep a sealed copy of the journal, or no longer.
    pub async fn keep_copy(&self, copy: bool) -> Result<(), Told> {
        self.ask(Wish::Copy(copy)).await.map(drop)
    }

    /// Fetches the copy that a centre has of the club; it is the journal at the next start, which is
    /// the caller's to bring about.
    pub async fn restore(&self, address: String) -> Result<Restorable, Told> {
        let found = self.ask(Wish::Restore { address }).await?;
        found.ok_or_else(|| tell!(Centre::NoCopy))
    }

    /// Lets the centre know the players' names, or no longer.
    pub async fn tell_names(&self, names: bool) -> Result<(), Told> {
        self.ask(Wish::Names(names)).await.map(drop)
    }

    /// Leaves it: what waits is sent first, and nothing any more after that. `unsent` leaves also
    /// where something can't be sent. What the centre has it keeps.
    pub async fn leave(&self, unsent: bool) -> Result<(), Told> {
        self.ask(Wish::Leave { unsent }).await.map(drop)
    }

    async fn ask(&self, wish: Wish) -> Granted {
        let ending = || tell!(Centre::Ending);
        let (reply, answer) = oneshot::channel();
        let asked = self.wishes.send((wish, reply)).await;
        asked.map_err(|_| ending())?;
        answer.await.map_err(|_| ending())?
    }
}
