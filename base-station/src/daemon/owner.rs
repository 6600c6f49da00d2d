//! The owner's thread: takes what waits, commits it in one go, answers.

use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::SystemTime;

use protocol::message::Down;
use protocol::words::PadId;
use tokio::sync::{broadcast, mpsc, oneshot, watch};

use super::handle::{Job, RECORDS_LAG_MAX, REQUESTS_WAITING_MAX, SessionHandle, View};
use crate::session::{
    Batch, Journal as _, JournalError, Keeper, Moment, Outcome, Record, Refused, Request, Seq,
};
use crate::store::{Checked, Store, export_session, import_session};
use telling::Told;

#[cfg(test)]
mod tests;

/// Requests that share one commit. More would keep the first of them waiting for no gain: the
/// disk's own pause is already spread over them.
const BATCH_MAX: usize = 256;

/// How many looks round lie between two checks of the whole journal: half an hour.
const LOOKS_BETWEEN_CHECKS: u32 = 180;

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
    pub posts: Posts,
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
    start_keeper(keeper, clock)
}

/// Starts the thread that owns a journal whose state was read already.
pub(crate) fn start_keeper(
    keeper: Keeper<Store>,
    clock: impl Clock,
) -> Result<Owner, JournalError> {
    let (desk, handle, posts, waiting) = Desk::new(keeper, clock);
    let thread = std::thread::Builder::new()
        .name("session".to_owned())
        .spawn(move || desk.work(waiting))
        .map_err(|fault| JournalError::Disk(Told::as_written(fault.to_string())))?;
    Ok(Owner {
        handle,
        posts,
        thread,
    })
}

struct Desk<C> {
    keeper: Keeper<Store>,
    clock: C,
    publish: watch::Sender<Arc<View>>,
    live: broadcast::Sender<Arc<Record>>,
    posts: mpsc::UnboundedSender<(PadId, Down)>,
    /// Looks round since the journal was checked.
    looks: u32,
    /// The log is to be folded as soon as nobody waits.
    rest_is_due: bool,
}

/// Where the outcome of a request goes.
enum Reply {
    Command(oneshot::Sender<Result<Seq, Refused>>),
    Pad(oneshot::Sender<Vec<Down>>),
    Nobody,
}

/// News for pads.
type Posts = mpsc::UnboundedReceiver<(PadId, Down)>;

impl<C: Clock> Desk<C> {
    /// With a way to it, the news that it will have, and what will wait for it.
    fn new(keeper: Keeper<Store>, clock: C) -> (Self, SessionHandle, Posts, mpsc::Receiver<Job>) {
        let (jobs, waiting) = mpsc::channel(REQUESTS_WAITING_MAX);
        let (publish, view) = watch::channel(Arc::new(View {
            state: keeper.state().clone(),
            journal_check: keeper.journal().checked().clone(),
            ..View::default()
        }));
        let (live, _) = broadcast::channel(RECORDS_LAG_MAX);
        // Unbounded because the owner must never wait for the link: what waits is bounded by what
        // happens in a session.
        let (posts, news) = mpsc::unbounded_channel();
        let desk = Self {
            keeper,
            clock,
            publish,
            live: live.clone(),
            posts,
            looks: 0,
            rest_is_due: false,
        };
        (desk, SessionHandle { jobs, view, live }, news, waiting)
    }

    fn work(mut self, mut waiting: mpsc::Receiver<Job>) -> Store {
        let mut jobs = Vec::with_capacity(BATCH_MAX);
        loop {
            if !self.wait_for(&mut waiting, &mut jobs) {
                return self.keeper.into_journal();
            }
            let looks = jobs.iter().any(|job| matches!(job, Job::LookRound));
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
                        requests.push(Request::of_pad(pad, binding, message));
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
            if looks {
                if self.rest_is_due {
                    // Nobody has paused since the last look: the head must go to disk all the same.
                    self.rest();
                }
                self.rest_is_due = true;
            }
        }
    }

    /// Waits for jobs; meanwhile does what nobody waits for, a little at a time. `false` when nobody
    /// is left to ask for anything.
    fn wait_for(&mut self, waiting: &mut mpsc::Receiver<Job>, jobs: &mut Vec<Job>) -> bool {
        while self.rest_is_due || self.is_checking() {
            match waiting.try_recv() {
                Ok(job) => {
                    jobs.push(job);
                    while jobs.len() < BATCH_MAX
                        && let Ok(job) = waiting.try_recv()
                    {
                        jobs.push(job);
                    }
                    return true;
                }
                Err(mpsc::error::TryRecvError::Disconnected) => return false,
                Err(mpsc::error::TryRecvError::Empty) if self.rest_is_due => self.rest(),
                Err(mpsc::error::TryRecvError::Empty) => {
                    self.keeper.journal_mut().check_on();
                    self.tell_of_check();
                }
            }
        }
        waiting.blocking_recv_many(jobs, BATCH_MAX) > 0
    }

    fn is_checking(&self) -> bool {
        matches!(self.keeper.journal().checked(), Checked::Underway(_))
    }

    /// A quiet moment every now and then: the log goes into the file, and twice an hour everything
    /// is checked again.
    fn rest(&mut self) {
        self.rest_is_due = false;
        if let Err(fault) = self.keeper.journal_mut().fold() {
            tracing::warn!(%fault, "the journal could not be kept in order");
        }
        self.tell_of_neglect();
        self.looks += 1;
        if self.looks >= LOOKS_BETWEEN_CHECKS {
            self.looks = 0;
            self.keeper.journal_mut().check_again();
        }
    }

    fn tell_of_neglect(&self) {
        let now = self.keeper.journal().neglected();
        if self.publish.borrow().journal_neglected.as_ref() != now {
            let now = now.cloned();
            self.publish
                .send_modify(|view| Arc::make_mut(view).journal_neglected = now);
        }
    }

    /// Pages hear of a check when it has come a tenth further, and of its end. One that is done
    /// again keeps the lamp as it was until it has found something.
    fn tell_of_check(&self) {
        let told = self.publish.borrow().journal_check.clone();
        let now = self.keeper.journal().checked();
        let is_news = match (&told, now) {
            (Checked::Sound, Checked::Underway(_)) => false,
            (Checked::Underway(told), Checked::Underway(now)) => told / 10 != now / 10,
            (told, now) => told != now,
        };
        if is_news {
            self.publish
                .send_modify(|view| Arc::make_mut(view).journal_check = now.clone());
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
            failure.told()
        });
        self.publish.send_modify(|view| {
            let view = Arc::make_mut(view);
            view.state = self.keeper.state().clone();
            view.presence = self.keeper.presence().clone();
            view.journal_fault = fault;
            view.journal_neglected = self.keeper.journal().neglected().cloned();
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
            Job::Receivers(receivers, known) => self.publish.send_modify(|view| {
                let view = Arc::make_mut(view);
                view.receivers = receivers;
                (view.tally, view.qualities) = *known;
            }),
            Job::LargeField(field) => {
                self.keeper.hear_of_field(field.clone());
                self.publish
                    .send_modify(|view| Arc::make_mut(view).large_field = field);
            }
            Job::ForgetBackupMark => {
                if let Err(fault) = self.keeper.journal_mut().clear_backup_mark() {
                    tracing::warn!(%fault, "the copy is still marked as one");
                }
            }
            Job::KeyMark { mark, reply } => {
                let noted = self.keeper.journal_mut().set_key_mark(mark);
                let _ = reply.send(noted.map_err(|fault| fault.told()));
            }
            Job::Piece { after, reply } => {
                let piece = self.keeper.journal().piece(after);
                let _ = reply.send(piece.map_err(|fault| fault.told()));
            }
            Job::Backup { to, reply } => {
                let done = self.keeper.journal().backup(&to, self.clock.now());
                let _ = reply.send(done.map(drop).map_err(|fault| fault.told()));
            }
            Job::Export { session, reply } => {
                let mut file = Vec::new();
                let club = &self.keeper.state().club;
                let done = export_session(self.keeper.journal(), club, session, &mut file);
                let _ = reply.send(done.map(|_| file).map_err(|fault| fault.told()));
            }
            Job::Records { session, reply } => {
                let records = self.keeper.journal().read(Some(session));
                let _ = reply.send(records.map_err(|fault| fault.told()));
            }
            Job::Import {
                archive,
                who,
                reply,
            } => {
                let (state, last) = (self.keeper.state(), self.keeper.journal().last());
                let done = import_session(last, state, *archive, &who, self.clock.now())
                    .and_then(|(session, records)| {
                        self.keeper.take_in(records)?;
                        Ok(session)
                    })
                    .map_err(|fault| fault.told());
                // Published first: whoever looks at the calendar next finds the session in it.
                self.publish.send_modify(|view| {
                    Arc::make_mut(view).state = self.keeper.state().clone();
                });
                let _ = reply.send(done);
            }
            Job::Command { .. } | Job::Pad { .. } | Job::LookRound => {}
        }
    }
}
