//! The centre that this base station has joined, with which it is one field with other clubs: sends
//! what is so at the tables, in order and until the centre has it, and hears how our pairs stand. The
//! session never waits for it.

mod client;
mod outbox;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use ::centre::{Field, Outcome, Refused};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ed25519_dalek::SigningKey;
use protocol::words::SessionId;
use telling::{Told, tell};
use tokio::sync::{mpsc, oneshot, watch};

use self::client::{Client, address};
use self::outbox::{Identity, Outbox, Spoiled, key_to_join};
use super::{Clock as _, HandleError, SessionHandle, SystemClock};
use crate::session::{LargeField, PairId, Stated};

/// The folder in the data folder.
const FOLDER: &str = "centre";

/// Results that come together are sent together.
const GATHER: Duration = Duration::from_millis(300);

/// How often the centre is asked how our pairs stand, and whether it is there again.
const ASK_EVERY: Duration = Duration::from_secs(3);

/// How often a centre is asked that did not answer, in the end.
const ASK_SILENT_EVERY: Duration = Duration::from_secs(30);

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
}

enum Wish {
    Join {
        address: String,
        code: String,
        names: bool,
    },
    Names(bool),
    Leave,
}

/// A wish and where its outcome goes.
type Asked = (Wish, oneshot::Sender<Result<(), Told>>);

/// A way to the centre.
#[derive(Clone, Debug)]
pub struct Centre {
    wishes: mpsc::Sender<Asked>,
    state: watch::Receiver<CentreState>,
}

impl Centre {
    /// How it stands.
    pub fn state(&self) -> CentreState {
        self.state.borrow().clone()
    }

    /// Joins a centre with a code from its organiser.
    pub async fn join(&self, address: String, code: String, names: bool) -> Result<(), Told> {
        let wish = Wish::Join {
            address,
            code,
            names,
        };
        self.ask(wish).await
    }

    /// Lets the centre know the players' names, or no longer.
    pub async fn tell_names(&self, names: bool) -> Result<(), Told> {
        self.ask(Wish::Names(names)).await
    }

    /// Leaves it: nothing is sent any more. What it has it keeps.
    pub async fn leave(&self) -> Result<(), Told> {
        self.ask(Wish::Leave).await
    }

    async fn ask(&self, wish: Wish) -> Result<(), Told> {
        let ending = || Told::as_written(HandleError::Ending.to_string());
        let (reply, answer) = oneshot::channel();
        let asked = self.wishes.send((wish, reply)).await;
        asked.map_err(|_| ending())?;
        answer.await.map_err(|_| ending())?
    }
}

/// Starts it, with the centre that was joined before.
pub(crate) fn start(session: SessionHandle, data: &Path) -> Centre {
    // A director joins once.
    let (wishes, waiting) = mpsc::channel(4);
    let (publish, state) = watch::channel(CentreState::default());
    let folder = data.join(FOLDER);
    let work = Work {
        session,
        folder,
        publish,
        outbox: None,
        state: CentreState::default(),
        stopped: false,
        confirmed: false,
        silent: 0,
        told: None,
    };
    tokio::spawn(work.run(waiting));
    Centre { wishes, state }
}

struct Work {
    session: SessionHandle,
    folder: PathBuf,
    publish: watch::Sender<CentreState>,
    outbox: Option<Box<Outbox>>,
    state: CentreState,
    /// The centre has refused for good: only a director can change that.
    stopped: bool,
    /// The centre has said how far it is since the start, and nothing was heard since that would put
    /// it in doubt.
    confirmed: bool,
    /// How many times in a row the centre did not answer.
    silent: u32,
    /// Of which moment of the field pads were told; none where they show our own ranking.
    told: Option<String>,
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
            }
        });
        self.publish.send_replace(self.state.clone());
    }

    /// Pads show our pairs' places in the large field while the centre answers, and else our own.
    async fn tell_pads(&mut self) {
        let field = self.state.field.as_ref();
        let field = field.filter(|_| self.state.problem.is_none());
        let stamp = field.map(|field| field.stamp.clone());
        if stamp == self.told {
            return;
        }
        let outbox = self.outbox.as_ref();
        let session = outbox.and_then(|it| SessionId::try_from(it.identity.session).ok());
        let large = session.zip(field).map(|(session, field)| {
            let places = field.pairs.iter();
            let places = places.filter_map(|own| {
                let pair = PairId {
                    section: own.pair.0.section,
                    side: own.pair.0.direction,
                    number: own.pair.0.number,
                };
                Some((pair, (own.rank?, own.percent?)))
            });
            Arc::new(LargeField {
                session,
                places: places.collect(),
            })
        });
        self.session.large_field(large).await;
        self.told = stamp;
    }

    async fn grant(&mut self, wish: Wish) -> Result<(), Told> {
        match wish {
            Wish::Join {
                address,
                code,
                names,
            } => self.join(&address, code, names).await,
            Wish::Names(names) => {
                let outbox = self.outbox.as_mut();
                let outbox = outbox.ok_or_else(|| tell!(Centre::NoCentre))?;
                outbox.identity.names = names;
                outbox.keep_identity().map_err(|fault| disk(&fault))
            }
            Wish::Leave => self.leave(),
        }
    }

    async fn join(&mut self, typed: &str, code: String, names: bool) -> Result<(), Told> {
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
        };
        let outbox = Outbox::begin(&self.folder, identity).map_err(|fault| disk(&fault))?;
        self.state = CentreState::default();
        self.outbox = Some(Box::new(outbox));
        (self.stopped, self.confirmed, self.silent) = (false, false, 0);
        Ok(())
    }

    /// What was said is put aside, not deleted: it may be wanted to find out what happened.
    fn leave(&mut self) -> Result<(), Told> {
        if !Outbox::is_there(&self.folder) {
            return Err(tell!(Centre::NoCentre));
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
        self.state.problem = None;
        if let Err(problem) = self.say() {
            self.state.problem = Some(problem);
            return;
        }
        match self.send().await {
            Ok(()) => self.silent = 0,
            Err(problem) => {
                self.state.problem = Some(problem);
                return;
            }
        }
        self.ask_field().await;
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
            outbox.identity.names,
        );
        let now = SystemClock.now();
        // The disk is waited for: what is sent is never forgotten.
        let said = tokio::task::block_in_place(|| outbox.say(&stated, state.seq, now));
        said.map_err(|fault| disk(&fault))
    }

    async fn send(&mut self) -> Result<(), Told> {
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
            let outcome = outcome.map_err(|why| self.is_silent(&why))?;
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
            Outcome::Final => tell!(Centre::EventFinal),
            Outcome::NotNow => {
                let away = tell!(Centre::DatabaseAway).to_string();
                return Err(self.is_silent(&away));
            }
        };
        self.stopped = true;
        Err(for_good)
    }

    fn is_silent(&mut self, why: &str) -> Told {
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
                self.state.problem = Some(self.is_silent(&why));
            }
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
