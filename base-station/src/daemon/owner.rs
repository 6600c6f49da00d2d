//! The owner's thread: takes what waits, commits it in one go, answers.

use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::SystemTime;

use protocol::message::Down;
use protocol::words::PadId;
use tokio::sync::{broadcast, mpsc, oneshot, watch};

use super::handle::{Job, RECORDS_LAG_MAX, REQUESTS_WAITING_MAX, SessionHandle, View};
use crate::session::{Batch, JournalError, Keeper, Moment, Outcome, Record, Refused, Request, Seq};
use crate::store::{Store, export_session, import_session};

/// Requests that share one commit. More would keep the first of them waiting for no gain: the
/// disk's own pause is already spread over them.
const BATCH_MAX: usize = 256;

/// Where the time comes from.
pub trait Clock: Send + 'static {
    /// The moment it is.
    fn now(&self) -> Moment;
}

/// The laptop's clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Moment {
        let since = SystemTime::now()
            .duration_since(SystemTime::UNIX_EPOCH)
            .unwrap_or_default();
        Moment(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
    }
}

/// The running owner.
#[derive(Debug)]
pub struct Owner {
    /// A way to it.
    pub handle: SessionHandle,
    /// News for pads, to be left at the link.
    pub posts: mpsc::UnboundedReceiver<(PadId, Down)>,
    thread: JoinHandle<Store>,
}

impl Owner {
    /// Waits until everything that was asked for is done, and gives the journal back. Every
    /// handle must be gone by then.
    pub fn join(self) -> Option<Store> {
        drop(self.handle);
        self.thread.join().ok()
    }
}

/// Opens the journal's state and starts the thread that owns it from now on.
pub fn start(store: Store, clock: impl Clock) -> Result<Owner, JournalError> {
    let keeper = Keeper::open(store, clock.now())?;
    let (jobs, waiting) = mpsc::channel(REQUESTS_WAITING_MAX);
    let (publish, view) = watch::channel(Arc::new(View {
        state: keeper.state().clone(),
        ..View::default()
    }));
    let (live, _) = broadcast::channel(RECORDS_LAG_MAX);
    // Unbounded because the owner must never wait for the link: what waits is bounded by what
    // happens in a session.
    let (posts, news) = mpsc::unbounded_channel();
    let desk = Desk {
        keeper,
        clock,
        publish,
        live: live.clone(),
        posts,
    };
    let thread = std::thread::Builder::new()
        .name("session".to_owned())
        .spawn(move || desk.work(waiting))
        .map_err(|fault| JournalError::Disk(fault.to_string()))?;
    Ok(Owner {
        handle: SessionHandle { jobs, view, live },
        posts: news,
        thread,
    })
}

struct Desk<C> {
    keeper: Keeper<Store>,
    clock: C,
    publish: watch::Sender<Arc<View>>,
    live: broadcast::Sender<Arc<Record>>,
    posts: mpsc::UnboundedSender<(PadId, Down)>,
}

/// Where the outcome of a request goes.
enum Reply {
    Command(oneshot::Sender<Result<Seq, Refused>>),
    Pad(oneshot::Sender<Vec<Down>>),
    Nobody,
}

impl<C: Clock> Desk<C> {
    fn work(mut self, mut waiting: mpsc::Receiver<Job>) -> Store {
        let mut jobs = Vec::with_capacity(BATCH_MAX);
        loop {
            let taken = waiting.blocking_recv_many(&mut jobs, BATCH_MAX);
            if taken == 0 {
                return self.keeper.into_journal();
            }
            let mut requests = Vec::new();
            let mut replies = Vec::new();
            let mut errands = Vec::new();
            for job in jobs.drain(..) {
                match job {
                    Job::Command {
                        command,
                        who,
                        reply,
                    } => {
                        requests.push(Request::Command { command, who });
                        replies.push(Reply::Command(reply));
                    }
                    Job::Pad {
                        pad,
                        binding,
                        message,
                        reply,
                    } => {
                        requests.push(Request::Pad {
                            pad,
                            binding,
                            message,
                        });
                        replies.push(Reply::Pad(reply));
                    }
                    Job::LookRound => {
                        requests.push(if self.can_hear() {
                            Request::LookRound
                        } else {
                            Request::CannotHear
                        });
                        replies.push(Reply::Nobody);
                    }
                    errand => errands.push(errand),
                }
            }
            if !requests.is_empty() {
                let batch = self.keeper.deal_with_all(&requests, self.clock.now());
                self.release(batch, replies);
            }
            for errand in errands {
                self.run(errand);
            }
        }
    }

    /// Everything is on disk (or nothing is): answer, then publish.
    fn release(&self, batch: Batch, replies: Vec<Reply>) {
        for (outcome, reply) in batch.outcomes.into_iter().zip(replies) {
            // Whoever asked may have gone away; what was asked for has happened all the same.
            match (reply, outcome) {
                (Reply::Command(reply), Outcome::Done(seq)) => {
                    let _ = reply.send(Ok(seq));
                }
                (Reply::Command(reply), Outcome::Refused(refused)) => {
                    let _ = reply.send(Err(refused));
                }
                (Reply::Pad(reply), Outcome::Answer(downs)) => {
                    let _ = reply.send(downs);
                }
                _ => {}
            }
        }
        for post in batch.posts {
            let _ = self.posts.send(post);
        }
        let fault = batch.failure.map(|failure| {
            tracing::error!(%failure, "the journal could not be written");
            failure.to_string()
        });
        self.publish.send_modify(|view| {
            let view = Arc::make_mut(view);
            view.state = self.keeper.state().clone();
            view.presence = self.keeper.presence().clone();
            view.journal_fault = fault;
        });
        for record in batch.records {
            let _ = self.live.send(record);
        }
    }

    /// Whether a receiver is there. Without one that was asked for, pads come some other way (the
    /// demonstration's air).
    fn can_hear(&self) -> bool {
        let receivers = &self.publish.borrow().receivers;
        receivers.is_empty() || receivers.iter().any(|it| it.connected)
    }

    fn run(&mut self, errand: Job) {
        match errand {
            Job::Receivers(receivers, tally) => self.publish.send_modify(|view| {
                let view = Arc::make_mut(view);
                view.receivers = receivers;
                view.tally = tally;
            }),
            Job::ForgetBackupMark => {
                if let Err(fault) = self.keeper.journal_mut().clear_backup_mark() {
                    tracing::warn!(%fault, "the copy is still marked as one");
                }
            }
            Job::Backup { to, reply } => {
                let done = self.keeper.journal().backup(&to, self.clock.now());
                let _ = reply.send(done.map(drop).map_err(|fault| fault.to_string()));
            }
            Job::Export { session, reply } => {
                let mut file = Vec::new();
                let club = &self.keeper.state().club;
                let done = export_session(self.keeper.journal(), club, session, &mut file);
                let _ = reply.send(done.map(|_| file).map_err(|fault| fault.to_string()));
            }
            Job::Import { file, who, reply } => {
                let state = self.keeper.state().clone();
                let now = self.clock.now();
                let journal = self.keeper.journal_mut();
                let done = import_session(journal, &state, &mut file.as_slice(), &who, now)
                    .map_err(|fault| fault.to_string())
                    .and_then(|session| {
                        self.keeper.reload().map_err(|fault| fault.to_string())?;
                        Ok(session)
                    });
                let _ = reply.send(done);
                self.publish.send_modify(|view| {
                    Arc::make_mut(view).state = self.keeper.state().clone();
                });
            }
            Job::Command { .. } | Job::Pad { .. } | Job::LookRound => {}
        }
    }
}
