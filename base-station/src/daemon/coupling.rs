//! A BWS file that a scoring program made, and the session that is played from it: reads the file
//! when it changes, puts into it what comes in, and says how it stands.

mod file;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use protocol::words::SessionId;
use serde::{Deserialize, Serialize};
use tokio::sync::watch;
use utoipa::ToSchema;

use self::file::{is_held, keep, keep_original, replace, write_all};
use super::{Clock, HandleError, SessionHandle, SystemClock};
use crate::exchange::coupling::{Ordered, missing, put};
use crate::session::{Command, Moment, Phase, Seq, State, Who};
use telling::{Told, tell};

/// How often somebody looks whether the scoring program has changed its file. It polls as often.
const LOOK_EVERY: Duration = Duration::from_secs(2);

/// Results that come together are written together.
const GATHER: Duration = Duration::from_millis(300);

/// How long the end of the base station may wait for the last results to stand in the file.
const FINISH_MAX: Duration = Duration::from_secs(5);

/// How many times the session is filled up before something must be wrong.
const STEPS_MAX: usize = 12;

/// The file in the data folder that says which BWS file belongs to which session.
const MEMORY: &str = "bws.json";

/// Which file belongs to which session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Memory {
    file: PathBuf,
    identity: String,
    session: u32,
    /// Whether the base station goes on with it by itself.
    active: bool,
}

/// How the coupling stands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct CouplingState {
    /// The file; nothing where there is none.
    pub file: Option<String>,
    /// The session that is played from it.
    pub session: Option<u32>,
    /// Its event's name.
    pub event: String,
    /// Its letters.
    pub sections: Vec<String>,
    /// How many tables.
    pub tables: usize,
    /// How many rounds.
    pub rounds: u8,
    /// Players that are named in it.
    pub names: usize,
    /// Boards whose cards are in it.
    pub deals: usize,
    /// Results of ours that stand in it.
    pub results: usize,
    /// When something was written last, in milliseconds since 1970.
    pub written: Option<u64>,
    /// Where results go while another program holds the file.
    pub beside: Option<String>,
    /// Why nothing goes on.
    #[schema(value_type = Option<String>)]
    pub problem: Option<Told>,
    /// What was left out, sentence by sentence.
    #[schema(value_type = Vec<String>)]
    pub notes: Vec<Told>,
    /// Both sides say the same up to this record.
    #[serde(skip)]
    seq: Seq,
}

/// A way to the coupling.
#[derive(Clone, Debug)]
pub struct Coupling {
    wanted: Arc<watch::Sender<Option<PathBuf>>>,
    state: watch::Receiver<CouplingState>,
}

impl Coupling {
    /// Plays from this file from now on, or from none.
    pub fn choose(&self, file: Option<PathBuf>) {
        self.wanted.send_replace(file);
    }

    /// How it stands.
    pub fn state(&self) -> CouplingState {
        self.state.borrow().clone()
    }

    /// Waits until everything up to a record stands in the file, as far as it can.
    pub(crate) async fn finish(&self, seq: Seq) {
        let mut state = self.state.clone();
        let done = state
            .wait_for(|state| state.file.is_none() || state.problem.is_some() || state.seq >= seq);
        let _ = tokio::time::timeout(FINISH_MAX, done).await;
    }

    /// Waits until it has looked at this file once.
    pub async fn looked_at(&self, file: Option<&Path>) -> CouplingState {
        let mut state = self.state.clone();
        let wanted = file.map(|file| file.display().to_string());
        let there = state.wait_for(|state| state.file == wanted).await;
        there.map_or_else(|_| self.state(), |state| state.clone())
    }
}

/// Reads a file once, to say before the start that it can't be.
pub(crate) fn check(file: &Path) -> Result<(), String> {
    let told = |fault: String| format!("{}: {fault}", file.display());
    let bytes = std::fs::read(file).map_err(|fault| told(fault.to_string()))?;
    Ordered::read(&bytes)
        .map(drop)
        .map_err(|refusal| told(refusal.to_string()))
}

/// Starts the coupling, with this file or the one that was coupled before.
pub(crate) fn start(session: SessionHandle, data: &Path, file: Option<PathBuf>) -> Coupling {
    let memory = data.join(MEMORY);
    let before = || read_memory(&memory).filter(|it| it.active);
    let file = file.or_else(|| before().map(|it| it.file));
    let (wanted, wishes) = watch::channel(file);
    let (publish, state) = watch::channel(CouplingState::default());
    let work = Work {
        session,
        memory,
        publish,
        seen: None,
    };
    tokio::spawn(work.run(wishes));
    Coupling {
        wanted: Arc::new(wanted),
        state,
    }
}

fn read_memory(path: &Path) -> Option<Memory> {
    serde_json::from_slice(&std::fs::read(path).ok()?).ok()
}

struct Work {
    session: SessionHandle,
    memory: PathBuf,
    publish: watch::Sender<CouplingState>,
    /// What file and journal were when both said the same.
    seen: Option<Seen>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Seen {
    file: PathBuf,
    changed: Option<SystemTime>,
    len: u64,
    held: bool,
    seq: Seq,
}

fn who() -> Who {
    Who::Director("scoring program".to_owned())
}

/// Why a round of the coupling ended early, as a sentence.
type Stop = Told;

impl Work {
    async fn run(mut self, mut wishes: watch::Receiver<Option<PathBuf>>) {
        let mut views = self.session.watch();
        loop {
            let wanted = wishes.borrow_and_update().clone();
            views.borrow_and_update();
            match &wanted {
                Some(file) => self.look(file).await,
                None => self.forget(),
            }
            tokio::select! {
                changed = wishes.changed() => if changed.is_err() { return },
                changed = views.changed(), if wanted.is_some() => {
                    if changed.is_err() { return }
                    tokio::time::sleep(GATHER).await;
                }
                () = tokio::time::sleep(LOOK_EVERY), if wanted.is_some() => {}
            }
        }
    }

    fn forget(&mut self) {
        if let Some(memory) = read_memory(&self.memory).filter(|it| it.active) {
            let memory = Memory {
                active: false,
                ..memory
            };
            self.remember(&memory);
        }
        self.seen = None;
        self.publish.send_replace(CouplingState::default());
    }

    fn remember(&self, memory: &Memory) {
        let bytes = serde_json::to_vec(memory).unwrap_or_default();
        if let Err(fault) = replace(&self.memory, None, &bytes, write_all) {
            tracing::warn!(%fault, "which BWS file is played from could not be kept");
        }
    }

    /// Looks at both sides, and makes them say the same.
    async fn look(&mut self, file: &Path) {
        let now = self.seen_now(file);
        if now.is_some() && now == self.seen {
            return;
        }
        let before = self.publish.borrow().clone();
        let mut state = CouplingState {
            file: Some(file.display().to_string()),
            written: before.written,
            ..CouplingState::default()
        };
        let done = self.make_same(file, &mut state).await;
        self.seen = None;
        match done {
            // What was written is looked at once more: somebody else may have been there since.
            Ok(wrote) => {
                state.seq = now.as_ref().map_or(before.seq, |now| now.seq);
                self.seen = now.filter(|_| !wrote);
            }
            Err(stop) => state.problem = Some(stop),
        }
        if before != state {
            self.publish.send_replace(state);
        }
    }

    fn seen_now(&self, file: &Path) -> Option<Seen> {
        let about = std::fs::metadata(file).ok()?;
        Some(Seen {
            file: file.to_owned(),
            changed: about.modified().ok(),
            len: about.len(),
            held: is_held(file),
            seq: self.session.view().state.seq,
        })
    }

    /// Answers whether something was written into the file.
    async fn make_same(&mut self, file: &Path, state: &mut CouplingState) -> Result<bool, Stop> {
        let unreadable = |fault: io::Error| of_fault(file, &fault);
        let bytes = std::fs::read(file).map_err(unreadable)?;
        let ordered = read(bytes.clone()).await?;
        tell(&ordered, state);
        let session = self.settle(file, &ordered, &bytes).await?;
        state.session = Some(session.get());
        state.notes.extend(self.fill(&ordered).await?);
        let known = self.session.view().state.clone();
        let Some(played) = known.session.clone().filter(|it| it.id == session) else {
            return Err(not_chosen(session));
        };
        let phase = played.phase;
        let (old, now) = (bytes.clone(), SystemClock.now());
        let working =
            tokio::task::spawn_blocking(move || put(bytes, &ordered, &known.club, &played, now));
        let put = working.await.map_err(|fault| as_it_says(&fault))?;
        let put = put.map_err(|fault| of_put(file, &fault))?;
        state.results = put.results;
        state.notes.extend(put.notes.iter().cloned());
        if phase == Phase::SettingUp {
            state.notes.push(tell!(Bws::ChooseDirectorsPinOpen));
        }
        keep(file, &old, put, state).map_err(unreadable)
    }

    /// The session that belongs to the file: the one that was coupled before, an empty one that is
    /// chosen, or a new one.
    async fn settle(
        &self,
        file: &Path,
        ordered: &Ordered,
        bytes: &[u8],
    ) -> Result<SessionId, Stop> {
        let state = self.session.view().state.clone();
        let memory = read_memory(&self.memory);
        let known = (memory.iter())
            .filter(|it| it.file == file && it.identity == ordered.identity)
            .find_map(|it| SessionId::try_from(it.session).ok())
            .filter(|session| state.club.sessions.contains_key(session));
        let chosen = state.session.as_ref();
        let being_played =
            chosen.is_some_and(|session| session.phase == Phase::Open && !session.lines.is_empty());
        let session = match (known, chosen) {
            (Some(known), Some(chosen)) if chosen.id == known => known,
            (Some(known), _) if being_played => return Err(not_chosen(known)),
            (Some(known), _) => {
                self.does(Command::ChooseSession { session: known }).await?;
                known
            }
            (None, Some(chosen)) if chosen.sections.is_empty() => chosen.id,
            (None, _) if being_played => {
                return Err(tell!(Bws::AnotherSessionBeingPlayed));
            }
            (None, _) => {
                self.does(new_event(&state, file, ordered, SystemClock.now()))
                    .await?;
                let state = self.session.view().state.clone();
                state.club.chosen.ok_or_else(|| tell!(Bws::NoSession))?
            }
        };
        let new = Memory {
            file: file.to_owned(),
            identity: ordered.identity.clone(),
            session: session.get(),
            active: true,
        };
        if memory.as_ref() != Some(&new) {
            if known.is_none() {
                keep_original(file, bytes).map_err(|fault| no_copy(&fault))?;
            }
            self.remember(&new);
        }
        Ok(session)
    }

    /// Takes what the session lacks; answers with what could not be taken.
    async fn fill(&self, ordered: &Ordered) -> Result<Vec<Told>, Stop> {
        for _ in 0..STEPS_MAX {
            let state = self.session.view().state.clone();
            let found = missing(ordered, &state, &who(), SystemClock.now());
            if found.commands.is_empty() {
                return Ok(found.refused);
            }
            for command in found.commands {
                self.does(command).await?;
            }
        }
        Err(tell!(Bws::FileChangesWhileBeing))
    }

    async fn does(&self, command: Command) -> Result<(), Stop> {
        let done = self.session.command(command, who()).await;
        let seq = done.map_err(|fault| match fault {
            HandleError::Refused(refused) => refused.0,
            HandleError::File(why) => why,
            HandleError::Ending => as_it_says(&fault),
        })?;
        let mut views = self.session.watch();
        let shown = views.wait_for(|view| view.state.seq >= seq).await;
        shown.map(drop).map_err(|fault| as_it_says(&fault))
    }
}

/// What the system says, as it says it.
fn as_it_says(fault: &impl std::fmt::Display) -> Told {
    Told::as_written(fault.to_string())
}

fn of_file(file: &Path, fault: &impl std::fmt::Display) -> Told {
    let (file, fault) = (file.display().to_string(), fault.to_string());
    tell!(Bws::FileFault { file, fault })
}

/// What we say ourselves, or what the system says of the file.
fn of_fault(file: &Path, fault: &io::Error) -> Told {
    let own = fault.get_ref().and_then(|it| it.downcast_ref::<Told>());
    own.map_or_else(|| of_file(file, fault), Clone::clone)
}

fn of_put(file: &Path, fault: &jet::JetError) -> Told {
    match fault {
        jet::JetError::Damaged(what) => {
            let file = file.display().to_string();
            tell!(Bws::DatabaseDamaged { file, what })
        }
        other => of_file(file, other),
    }
}

fn no_copy(fault: &io::Error) -> Told {
    let fault = fault.to_string();
    tell!(Bws::NoCopyFileCould { fault })
}

fn not_chosen(session: SessionId) -> Stop {
    tell!(Bws::SessionBelongsFileChoose { session })
}

async fn read(bytes: Vec<u8>) -> Result<Ordered, Stop> {
    let reading = tokio::task::spawn_blocking(move || Ordered::read(&bytes));
    let read = reading.await.map_err(|fault| as_it_says(&fault))?;
    read.map_err(|refusal| refusal.0)
}

fn tell(ordered: &Ordered, state: &mut CouplingState) {
    state.event.clone_from(&ordered.event);
    state.sections = ordered.sections.keys().map(ToString::to_string).collect();
    state.tables = ordered.tables();
    state.rounds = ordered.rounds();
    state.names = ordered.sections.values().map(|it| it.players.len()).sum();
    state.deals = ordered.deals.iter().count();
    state.notes.clone_from(&ordered.notes);
}

/// The file's own name for the event, or the file's; with a number where there is one of that name.
fn new_event(state: &State, file: &Path, ordered: &Ordered, now: Moment) -> Command {
    let stem = file.file_stem().map(std::ffi::OsStr::to_string_lossy);
    let name = match ordered.event.trim() {
        "" => stem.unwrap_or_default().into_owned(),
        name => name.to_owned(),
    };
    let taken = |name: &String| state.club.events.values().any(|known| known == name);
    let numbered = (2..).map(|number| format!("{name} ({number})"));
    let name = std::iter::once(name.clone())
        .chain(numbered)
        .find(|name| !taken(name));
    let seconds = i64::try_from(now.0 / 1000).unwrap_or_default();
    let today = jiff::Timestamp::from_second(seconds).unwrap_or_default();
    let today = today.to_zoned(jiff::tz::TimeZone::UTC).date().to_string();
    Command::CreateEvent {
        name: name.unwrap_or_default(),
        date: ordered.date.clone().unwrap_or(today),
        title: String::new(),
    }
}

#[cfg(test)]
mod tests;
