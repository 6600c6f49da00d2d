//! What the rest of the program holds of the session: cheap to clone, never blocks the owner.

use std::path::PathBuf;
use std::sync::Arc;

use protocol::link::{Binding, Tally};
use protocol::message::{Down, Up};
use protocol::words::{PadId, SessionId};
use tokio::sync::{broadcast, mpsc, oneshot, watch};

use super::modem::ModemKnown;
use super::quality::Qualities;
use crate::session::{Command, LargeField, Moment, Presence, Record, Refused, Seq, State, Who};
use crate::store::{Archive, Checked, KeyMark, Piece};
use telling::Told;

/// Requests that may wait for the owner: a full burst of 256 pads and the director's clicks.
/// Who comes when it is full waits, which slows the radio down rather than losing anything.
pub(super) const REQUESTS_WAITING_MAX: usize = 512;

/// Records that a slow page may lag behind before it has to ask for what it missed.
pub(super) const RECORDS_LAG_MAX: usize = 4096;

/// Everything that can be looked at, as of one moment.
#[derive(Clone, Debug, Default)]
pub struct View {
    /// What is on disk.
    pub state: State,
    /// What was heard of pads since the start.
    pub presence: Presence,
    /// Why the journal could not be written last time; `None` while all is well.
    pub journal_fault: Option<Told>,
    /// What beside the records could not be written, so that damage might go unnoticed.
    pub journal_neglected: Option<Told>,
    /// Whether everything that stands in the journal fits together.
    pub journal_check: Checked,
    /// The receivers.
    pub receivers: Vec<Receiver>,
    /// Frames taken and turned away.
    pub tally: Tally,
    /// How often pads had to call.
    pub qualities: Qualities,
    /// How we stand in a larger field, while its centre answers.
    pub large_field: Option<Arc<LargeField>>,
}

/// A receiver of the base station.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receiver {
    /// Its number, by which its modem is set.
    pub port: u16,
    /// The name it was asked for under.
    pub name: String,
    /// Whether it is plugged in and open.
    pub connected: bool,
    /// Thousandths of the last hour in which the base was on the air there.
    pub share_permille: u16,
    /// How many of them the country's law allows; nothing is no limit.
    pub limit_permille: Option<u16>,
    /// Answers of the last hour that the law did not allow any more.
    pub held_back: u32,
    /// What is known of its modem; `None` where it was not asked.
    pub modem: Option<ModemKnown>,
}

/// Why a request got no outcome.
#[derive(Debug, thiserror::Error)]
pub enum HandleError {
    /// The base station is ending.
    #[error("the base station is ending")]
    Ending,
    /// No, and why.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// A file could not be written or read.
    #[error("{0}")]
    File(Told),
}

/// A request and where its outcome goes.
#[derive(Debug)]
pub(super) enum Job {
    Command {
        command: Box<Command>,
        who: Who,
        reply: oneshot::Sender<Result<Seq, Refused>>,
    },
    Pad {
        pad: PadId,
        binding: Option<Binding>,
        message: Box<Up>,
        reply: oneshot::Sender<Vec<Down>>,
    },
    LookRound,
    ForgetBackupMark,
    KeyMark {
        mark: KeyMark,
        reply: oneshot::Sender<Result<(), Told>>,
    },
    Receivers(Vec<Receiver>, Box<(Tally, Qualities)>),
    LargeField(Option<Arc<LargeField>>),
    Piece {
        after: Seq,
        reply: oneshot::Sender<Result<Piece, Told>>,
    },
    Backup {
        to: PathBuf,
        reply: oneshot::Sender<Result<(), Told>>,
    },
    Export {
        session: SessionId,
        reply: oneshot::Sender<Result<Vec<u8>, Told>>,
    },
    Records {
        session: SessionId,
        reply: oneshot::Sender<Result<Vec<Record>, Told>>,
    },
    Import {
        archive: Box<Archive>,
        who: Who,
        reply: oneshot::Sender<Result<SessionId, Told>>,
    },
}

/// A way to the session.
#[derive(Clone, Debug)]
pub struct SessionHandle {
    pub(super) jobs: mpsc::Sender<Job>,
    pub(super) view: watch::Receiver<Arc<View>>,
    pub(super) live: broadcast::Sender<Arc<Record>>,
}

impl SessionHandle {
    /// Does what a director asks for. It is on disk when this answers with its last record.
    pub async fn command(&self, command: Command, who: Who) -> Result<Seq, HandleError> {
        let command = Box::new(command);
        let outcome = self.ask(|reply| Job::Command {
            command,
            who,
            reply,
        });
        Ok(outcome.await??)
    }

    /// Hands over what a pad said. What it led to is on disk when this answers.
    pub async fn pad_says(
        &self,
        pad: PadId,
        binding: Option<Binding>,
        message: Up,
    ) -> Result<Vec<Down>, HandleError> {
        let message = Box::new(message);
        self.ask(|reply| Job::Pad {
            pad,
            binding,
            message,
            reply,
        })
        .await
    }

    /// The state as it is now. Never waits.
    pub fn view(&self) -> Arc<View> {
        Arc::clone(&self.view.borrow())
    }

    /// Tells of every new view, the last one only where several came at once.
    pub fn watch(&self) -> watch::Receiver<Arc<View>> {
        self.view.clone()
    }

    /// Records after a place, of the club and of the session being worked with.
    pub fn records_since(&self, seq: Seq) -> Vec<Arc<Record>> {
        self.view().state.records_since(seq)
    }

    /// Every record from now on. One that lags asks [`Self::records_since`] for what it missed.
    pub fn live(&self) -> broadcast::Receiver<Arc<Record>> {
        self.live.subscribe()
    }

    /// Copies the journal while it is in use.
    pub async fn backup(&self, to: PathBuf) -> Result<(), HandleError> {
        let done = self.ask(|reply| Job::Backup { to, reply });
        done.await?.map_err(HandleError::File)
    }

    /// What follows a place in the journal, for a copy elsewhere; not all of it at once.
    pub(crate) async fn piece(&self, after: Seq) -> Result<Piece, HandleError> {
        let read = self.ask(|reply| Job::Piece { after, reply });
        read.await?.map_err(HandleError::File)
    }

    /// A whole session as one file.
    pub async fn export(&self, session: SessionId) -> Result<Vec<u8>, HandleError> {
        let done = self.ask(|reply| Job::Export { session, reply });
        done.await?.map_err(HandleError::File)
    }

    /// A session's history as it is on disk.
    pub async fn records(&self, session: SessionId) -> Result<Vec<Record>, HandleError> {
        let done = self.ask(|reply| Job::Records { session, reply });
        done.await?.map_err(HandleError::File)
    }

    /// Takes in a session from such a file; answers with its new number. The file is read, checked
    /// and tried out here, and the owner only writes it down: pads don't wait for it.
    pub async fn import(
        &self,
        file: Vec<u8>,
        who: Who,
        now: Moment,
    ) -> Result<SessionId, HandleError> {
        let read = move || Archive::read(&mut file.as_slice(), now);
        let archive = tokio::task::spawn_blocking(read)
            .await
            .map_err(|fault| HandleError::File(Told::as_written(fault.to_string())))?
            .map_err(|fault| HandleError::File(fault.told()))?;
        let archive = Box::new(archive);
        let done = self.ask(|reply| Job::Import {
            archive,
            who,
            reply,
        });
        done.await?.map_err(HandleError::File)
    }

    /// Notes in the journal what the club's key looks like from now on.
    pub async fn note_key(&self, mark: KeyMark) -> Result<(), HandleError> {
        let noted = self.ask(|reply| Job::KeyMark { mark, reply }).await?;
        noted.map_err(HandleError::File)
    }

    /// The copy that was opened is the real journal now.
    pub(crate) async fn forget_backup_mark(&self) {
        let _ = self.jobs.send(Job::ForgetBackupMark).await;
    }

    /// Time has passed.
    pub(crate) async fn look_round(&self) {
        let _ = self.jobs.send(Job::LookRound).await;
    }

    /// How the receivers are.
    pub(crate) async fn receivers(&self, receivers: Vec<Receiver>, known: (Tally, Qualities)) {
        let job = Job::Receivers(receivers, Box::new(known));
        let _ = self.jobs.send(job).await;
    }

    /// How our pairs stand in a larger field.
    pub(crate) async fn large_field(&self, field: Option<Arc<LargeField>>) {
        let _ = self.jobs.send(Job::LargeField(field)).await;
    }

    async fn ask<T>(&self, job: impl FnOnce(oneshot::Sender<T>) -> Job) -> Result<T, HandleError> {
        let (reply, answer) = oneshot::channel();
        self.jobs
            .send(job(reply))
            .await
            .map_err(|_| HandleError::Ending)?;
        answer.await.map_err(|_| HandleError::Ending)
    }
}
