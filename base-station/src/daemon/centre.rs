//! The centre that this base station has joined, with which it is one field with other clubs: sends
//! what is so at the tables, in order and until the centre has it, and hears how our pairs stand. The
//! session never waits for it.

mod client;
mod copy;
mod field;
mod handle;
mod keeping;
mod led;
mod outbox;
mod restore;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use ::centre::{Outcome, Refused};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ed25519_dalek::SigningKey;
use protocol::words::SessionId;
use telling::{Told, tell};
use tokio::sync::{mpsc, watch};

use self::client::{Client, address};
use self::field::{categories, large_field};
use self::handle::{Asked, Granted, Wish};
use self::outbox::{Identity, Outbox, Spoiled, key_to_join};
use super::{Clock as _, HandleError, Keyring, SessionHandle, SystemClock};
use crate::session::{Released, Seq, Stated};
use crate::store::Restorable;

pub use self::handle::{AtCentre, Centre, CentreState};
pub(crate) use self::restore::restore;

/// The folder in the data folder.
const FOLDER: &str = "centre";

/// Results that come together are sent together.
const GATHER: Duration = Duration::from_millis(300);

/// How often the centre is asked how our pairs stand, and whether it is there again.
const ASK_EVERY: Duration = Duration::from_secs(3);

/// How often a centre is asked that did not answer, in the end.
const ASK_SILENT_EVERY: Duration = Duration::from_secs(30);

/// Starts it, with the centre that was joined before.
pub(crate) fn start(session: SessionHandle, data: &Path, keyring: Keyring) -> Centre {
    // A director joins once.
    let (wishes, waiting) = mpsc::channel(4);
    let (publish, state) = watch::channel(CentreState::default());
    let folder = data.join(FOLDER);
    let work = Work {
        session,
        keyring,
        data: data.to_owned(),
        folder,
        publish,
        outbox: None,
        state: CentreState::default(),
        stopped: false,
        closed: false,
        confirmed: false,
        silent: 0,
        told: None,
        copied: None,
        copy_looked: None,
    };
    tokio::spawn(work.run(waiting));
    Centre { wishes, state }
}

struct Work {
    session: SessionHandle,
    keyring: Keyring,
    data: PathBuf,
    folder: PathBuf,
    publish: watch::Sender<CentreState>,
    outbox: Option<Box<Outbox>>,
    state: CentreState,
    /// The centre has refused for good: only a director can change that.
    stopped: bool,
    /// The result is final: nothing is taken any more, and it can be read.
    closed: bool,
    /// The centre has said how far it is since the start, and nothing was heard since that would put
    /// it in doubt.
    confirmed: bool,
    /// How many times in a row the centre did not answer.
    silent: u32,
    /// Of which moment of the field pads were told; none where they show our own ranking.
    told: Option<String>,
    /// How far the copy at the centre is, once that is known.
    copied: Option<Seq>,
    /// When the copy was last looked after.
    copy_looked: Option<Instant>,
}

impl Work {
    async fn run(mut self, mut wishes: mpsc::Receiver<Asked>) {
        self.open();
        let mut views = self.session.watch();
        loop {
            views.borrow_and_update();
            self.go_on().await;
            self.show();
            self.tell_pads().await;
            let joined = self.outbox.is_some();
            tokio::select! {
                wish = wishes.recv() => {
                    let Some((wish, reply)) = wish else { return };
                    let done = self.grant(wish).await;
                    self.show();
                    let _ = reply.send(done);
                }
                changed = views.changed(), if joined && self.silent == 0 => {
                    if changed.is_err() { return }
                    tokio::time::sleep(GATHER).await;
                }
                () = tokio::time::sleep(self.rest()), if joined => {}
            }
        }
    }

    /// Longer and longer while nobody answers.
    fn rest(&self) -> Duration {
        let longer = ASK_EVERY.saturating_mul(1 << self.silent.min(4));
        longer.min(ASK_SILENT_EVERY)
    }

    fn open(&mut self) {
        match Outbox::open(&self.folder) {
            Ok(outbox) => {
                self.outbox = outbox.map(Box::new);
                // The centre says where to go on, if this is not it.
                self.state.sent = outbox_len(self.outbox.as_deref());
            }
            Err(spoiled) => self.state.problem = Some(spoiled.told()),
        }
    }

    fn show(&mut self) {
        let outbox = self.outbox.as_deref();
        self.state.all = outbox.map_or(0, Outbox::len);
        self.state.joined = outbox.map(|outbox| {
            let identity = &outbox.identity;
            AtCentre {
                address: identity.address.clone(),
                event: identity.joined.event,
                event_name: identity.joined.event_name.clone(),
                club_name: identity.joined.club_name.clone(),
                session: identity.session,
                names: identity.names,
                copy: identity.copy,
                categories: identity.categories.clone(),
            }
        });
        self.publish.send_replace(self.state.clone());
    }

    /// Pads show our pairs' places in the large field while the centre answers, and else our own.
    async fn tell_pads(&mut self) {
        let field = self.state.field.as_ref();
        let counts = self.state.problem.is_none() || (self.closed && self.silent == 0);
        let field = field.filter(|_| counts);
        let stamp = field.map(|field| field.stamp.clone());
        if stamp == self.told {
            return;
        }
        let outbox = self.outbox.as_ref();
        let session = outbox.and_then(|it| SessionId::try_from(it.identity.session).ok());
        let large = session.zip(field);
        let large = large.map(|(session, field)| Arc::new(large_field(session, field)));
        self.session.large_field(large).await;
        self.told = stamp;
    }

    async fn grant(&mut self, wish: Wish) -> Granted {
        match wish {
            Wish::Join {
                address,
                code,
                names,
                copy,
            } => self.join(&address, code, names, copy).await?,
            Wish::Names(names) => self.change_identity(|identity| identity.names = names)?,
            Wish::Categories(typed) => {
                categories(&typed)?;
                self.change_identity(|identity| identity.categories = typed)?;
            }
            Wish::Copy(copy) => self.change_identity(|identity| identity.copy = copy)?,
            Wish::Leave { unsent } => self.leave(unsent).await?,
            Wish::Restore { address } => return self.restore(address).await.map(Some),
        }
        Ok(None)
    }

    fn change_identity(&mut self, change: impl FnOnce(&mut Identity)) -> Result<(), Told> {
        let outbox = self.outbox.as_mut();
        let outbox = outbox.ok_or_else(|| tell!(Centre::NoCentre))?;
        change(&mut outbox.identity);
        outbox.keep_identity().map_err(|fault| disk(&fault))
    }

    /// Nothing goes to a centre any more until the base station has started with the copy.
    async fn restore(&mut self, address: String) -> Result<Restorable, Told> {
        let (key, data) = (self.keyring.current(), self.data.clone());
        let now = SystemClock.now();
        let restored = blocking(move || restore(&address, &key, &data, now)).await?;
        self.outbox = None;
        self.state = CentreState::default();
        Ok(restored)
    }

    async fn join(
        &mut self,
        typed: &str,
        code: String,
        names: bool,
        copy: bool,
    ) -> Result<(), Told> {
        if Outbox::is_there(&self.folder) {
            return Err(tell!(Centre::JoinedAlready));
        }
        let address = address(typed).ok_or_else(|| tell!(Centre::AddressWrong))?;
        let state = self.session.view().state.clone();
        let session = state.session.ok_or_else(|| tell!(Centre::ChooseSession))?;
        let code = code.trim().to_owned();
        let key = key_to_join(&self.folder, &code).map_err(|fault| disk(&fault))?;
        let key = SigningKey::from_bytes(&key);
        let (client, own) = (Client::of(&address), key.clone());
        let joined = blocking(move || client.join(&code, &own)).await?;
        let identity = Identity {
            address,
            key: URL_SAFE_NO_PAD.encode(key.to_bytes()),
            joined,
            session: session.id.get(),
            names,
            copy,
            tables: false,
            categories: String::new(),
        };
        let outbox = Outbox::begin(&self.folder, identity).map_err(|fault| disk(&fault))?;
        self.state = CentreState::default();
        self.outbox = Some(Box::new(outbox));
        (self.stopped, self.closed) = (false, false);
        (self.confirmed, self.silent) = (false, 0);
        (self.copied, self.copy_looked) = (None, None);
        Ok(())
    }

    /// What was said is put aside, not deleted: it may be wanted to find out what happened. What
    /// waits is sent before, if the centre would take it at all.
    async fn leave(&mut self, unsent: bool) -> Result<(), Told> {
        if !Outbox::is_there(&self.folder) {
            return Err(tell!(Centre::NoCentre));
        }
        if !unsent && self.outbox.is_some() {
            self.go_on().await;
            let waiting = outbox_len(self.outbox.as_deref()).saturating_sub(self.state.sent);
            if waiting > 0 && !self.stopped && !self.closed {
                return Err(tell!(Centre::LeaveWaiting { n: waiting }));
            }
        }
        let now = SystemClock.now().0;
        let aside = self.folder.with_file_name(format!("{FOLDER}-left-{now}"));
        std::fs::rename(&self.folder, aside).map_err(|fault| disk(&fault))?;
        self.outbox = None;
        self.state = CentreState::default();
        Ok(())
    }

    /// Says what is new, sends what waits, and asks how our pairs stand.
    async fn go_on(&mut self) {
        if self.outbox.is_none() || self.stopped {
            return;
        }
        let said = self.say();
        // What waits is sent even where nothing more can be said: another session is being played.
        let problem = match self.send().await {
            Ok(()) => said.err(),
            Err(problem) if self.closed => Some(problem),
            Err(problem) => {
                self.state.problem = Some(problem);
                return;
            }
        };
        self.silent = 0;
        self.state.problem = problem;
        self.ask_field().await;
        self.look_after_copy().await;
    }

    /// Writes down what the centre has yet to be told.
    fn say(&mut self) -> Result<(), Told> {
        let Some(outbox) = self.outbox.as_mut() else {
            return Ok(());
        };
        let state = &self.session.view().state;
        let session = outbox.identity.session;
        let wanted = SessionId::try_from(session).ok();
        let played = state.session.as_ref();
        let played = played.filter(|played| Some(played.id) == wanted);
        let other = || tell!(Centre::OtherSession { session });
        let stated = Stated::of(
            played.ok_or_else(other)?,
            &state.club,
            &Released {
                names: outbox.identity.names,
                tables: outbox.identity.tables,
                categories: categories(&outbox.identity.categories)?,
            },
        );
        let now = SystemClock.now();
        // The disk is waited for: what is sent is never forgotten.
        let said = tokio::task::block_in_place(|| outbox.say(&stated, state.seq, now));
        said.map_err(|fault| disk(&fault))
    }

    async fn send(&mut self) -> Result<(), Told> {
        if self.closed {
            let all = outbox_len(self.outbox.as_deref());
            let waits = self.state.sent < all;
            return if waits {
                Err(tell!(Centre::EventFinal))
            } else {
                Ok(())
            };
        }
        loop {
            let Some(outbox) = self.outbox.as_ref() else {
                return Ok(());
            };
            // An empty request asks how far the centre is.
            if self.confirmed && self.state.sent >= outbox.len() {
                return Ok(());
            }
            let (Some(batch), Some(key)) = (outbox.batch(self.state.sent), outbox.identity.key())
            else {
                return Err(spoiled(&self.folder));
            };
            let client = Client::of(&outbox.identity.address);
            let key = SigningKey::from_bytes(&key);
            let outcome = blocking(move || client.send(&key, &batch)).await;
            let outcome = outcome.map_err(|why| self.is_silent(&Told::as_written(why)))?;
            self.heard(outcome)?;
        }
    }

    /// What the centre says.
    fn heard(&mut self, outcome: Outcome) -> Result<(), Told> {
        let for_good = match outcome {
            Outcome::Taken(head) => {
                self.state.sent = usize::try_from(head.seq).unwrap_or(usize::MAX);
                let all = outbox_len(self.outbox.as_deref());
                if self.state.sent <= all {
                    self.confirmed = true;
                    return Ok(());
                }
                // The centre has more of us than we have ourselves.
                self.state.sent = all;
                tell!(Centre::Forked { at: all + 1 })
            }
            Outcome::Refused(Refused::Gap { have }) => {
                self.state.sent = usize::try_from(have.seq).unwrap_or_default();
                return Ok(());
            }
            Outcome::Refused(Refused::Fork { at }) => tell!(Centre::Forked { at }),
            Outcome::Refused(Refused::Changed { .. }) => spoiled(&self.folder),
            Outcome::Refused(Refused::NotUnderstood { .. }) => tell!(Centre::Older),
            Outcome::NotSigned => tell!(Centre::BaseUnknown),
            Outcome::Retired => tell!(Centre::Replaced),
            Outcome::Final => {
                self.closed = true;
                return Err(tell!(Centre::EventFinal));
            }
            Outcome::NotNow => return Err(self.is_silent(&tell!(Centre::DatabaseAway))),
        };
        self.stopped = true;
        Err(for_good)
    }

    fn is_silent(&mut self, why: &Told) -> Told {
        self.silent = self.silent.saturating_add(1);
        tell!(Centre::Silent { why })
    }

    async fn ask_field(&mut self) {
        let Some(outbox) = self.outbox.as_ref() else {
            return;
        };
        let client = Client::of(&outbox.identity.address);
        let joined = outbox.identity.joined.clone();
        let known = self.state.field.as_ref();
        let known = known.map_or_else(String::new, |field| field.stamp.clone());
        match blocking(move || client.field(&joined, &known)).await {
            Ok(Some(field)) => self.state.field = Some(Arc::new(field)),
            Ok(None) => {}
            Err(why) => {
                // Perhaps it listens to us no more: the next request with records tells.
                self.confirmed = false;
                self.state.problem = Some(self.is_silent(&Told::as_written(why)));
                return;
            }
        }
        let field = self.state.field.clone();
        if let (Some(field), Some(outbox)) = (&field, &self.outbox)
            && field.rooms != outbox.identity.tables
        {
            let rooms = field.rooms;
            if let Err(problem) = self.change_identity(|identity| identity.tables = rooms) {
                self.state.problem = Some(problem);
            }
        }
        if let Some(field) = &field
            && let Err(problem) = self.do_as_told(field).await
        {
            self.state.problem.get_or_insert(problem);
        }
        if field.is_some_and(|field| field.withdrawn) {
            self.state.problem = Some(tell!(Centre::Withdrawn));
        }
    }
}

fn outbox_len(outbox: Option<&Outbox>) -> usize {
    outbox.map_or(0, Outbox::len)
}

/// Requests block a thread of their own, never the tasks beside them.
async fn blocking<T: Send + 'static, E: From<Lost> + Send + 'static>(
    what: impl FnOnce() -> Result<T, E> + Send + 'static,
) -> Result<T, E> {
    let done = tokio::task::spawn_blocking(what).await;
    done.unwrap_or_else(|fault| Err(Lost(fault.to_string()).into()))
}

/// A request broke off.
struct Lost(String);

impl From<Lost> for String {
    fn from(lost: Lost) -> Self {
        lost.0
    }
}

impl From<Lost> for Told {
    fn from(lost: Lost) -> Self {
        Self::as_written(lost.0)
    }
}

fn disk(fault: &std::io::Error) -> Told {
    tell!(Refused::NothingChanged {
        failure: fault.to_string()
    })
}

/// Why the session did not do something.
fn not_done(fault: HandleError) -> Told {
    match fault {
        HandleError::Ending => tell!(Centre::Ending),
        HandleError::Refused(refused) => refused.0,
        HandleError::File(why) => why,
    }
}

fn spoiled(file: &Path) -> Told {
    tell!(Centre::Spoiled {
        file: file.display().to_string()
    })
}

impl Spoiled {
    fn told(&self) -> Told {
        match self {
            Self::Disk(fault) => disk(fault),
            Self::File(file) => spoiled(file),
        }
    }
}
