//! The daemon: opens everything, says that it is ready, and ends cleanly. It stands above the base
//! station's parts and its page, and is the only one that knows them all.

mod question;
mod settle;

use std::io::Write;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use protocol::frame::{BaseNonce, ClubKey, NetworkId};
use protocol::link::{Hub, Timing};
use rand::RngExt;
use tokio::net::TcpListener;
use tokio::sync::mpsc;

use self::settle::{Settled, settle_journal, settle_key};
use crate::connections::{self, Bounds};
use crate::daemon::analyst::analyse;
use crate::daemon::owner::start_keeper;
use crate::daemon::{
    Channel, Clock, DataConnector, KeyError, Owner, Ports, Radio, SerialError, SessionHandle,
    SystemClock, TlsError, View, Wanted, club_certificate, coupling, keep_private, open_receivers,
    raise_file_limit, side_door, wall_clock,
};
use crate::session::{Command, JournalError, Keeper, Moment, Who};
use crate::store::{COPIES_FOLDER, Checked, FILE_NAME, StoreError, put_damaged_copies_aside};
use crate::web::{self, Reach};

pub use settle::key_of_club;

/// How often the owner looks who has fallen silent.
const LOOK_ROUND_EVERY: Duration = Duration::from_secs(10);

/// How often the journal is copied beside itself.
const BACKUP_EVERY: Duration = Duration::from_mins(10);

/// How many copies are kept, the oldest is written over: two hours.
const BACKUPS_KEPT: u64 = 12;

/// The fewest that are kept of a journal so long that more would fill the disk.
const BACKUPS_KEPT_MIN: u64 = 3;

/// What all copies together should not exceed.
const BACKUPS_LEN_MAX: u64 = 1_000_000_000;

/// Open files that are asked for: all connections that are taken, and as much again.
const OPEN_FILES_WANTED: u64 = 4_096;

/// How long pages may take to hang up when the base station ends.
const GOODBYE_MAX: Duration = Duration::from_secs(1);

/// What the daemon is started with.
#[derive(Clone, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a switch of the command line"
)]
pub struct Options {
    /// The folder with the journal and the club's key.
    pub data: PathBuf,
    /// The receivers.
    pub radios: Vec<Wanted>,
    /// Their baud rate.
    pub baud: u32,
    /// Tells two events in one room apart.
    pub network: NetworkId,
    /// Where the page is served.
    pub listen: SocketAddr,
    /// The club's key; `None` for the one in the data folder.
    pub club_key_file: Option<PathBuf>,
    /// Go on with what can be saved of a damaged journal, without asking.
    pub rescue: bool,
    /// Encrypt the page with the club's own certificate.
    pub tls: bool,
    /// Go on with another club key than before.
    pub new_club_key: bool,
    /// The file of a scoring program that is played from.
    pub bws: Option<PathBuf>,
    /// Begin an empty journal where there is none beside the club's key.
    pub new_journal: bool,
    /// Where scoring programs find a Data Connector; `None` until it is switched on on the page.
    pub data_connector: Option<SocketAddr>,
}

/// Why the daemon can't start, as a sentence that says what to do.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The journal.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// What stands in the journal.
    #[error(
        "{0}: start once with --rescue to go on with what can be saved; the damaged file is kept"
    )]
    Journal(#[from] JournalError),
    /// The key.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// The certificate.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// The scoring program's file.
    #[error("{0}")]
    Bws(String),
    /// A receiver.
    #[error(transparent)]
    Serial(#[from] SerialError),
    /// The page's address.
    #[error("the page can't be served at {address} ({what}): choose another address with --listen")]
    Listen {
        /// Where.
        address: SocketAddr,
        /// What the system said.
        what: String,
    },
    /// Others would get in.
    #[error(
        "--listen {0} lets other machines in, and there is no director's password yet: set one \
         with byestand password, then start again"
    )]
    NoPassword(SocketAddr),
    /// The address for scoring programs.
    #[error(
        "scoring programs can't be served at {address} ({what}): if another Data Connector runs \
         on this machine, end it, or choose another address with --data-connector"
    )]
    Programs {
        /// Where.
        address: SocketAddr,
        /// What the system said.
        what: String,
    },
    /// Others would get in.
    #[error(
        "--data-connector {0} lets programs on other machines in, and there is no director's \
         password yet: set one with byestand password, then start again"
    )]
    NoPasswordForPrograms(SocketAddr),
    /// The director was asked on the page, and ended the base station instead.
    #[error("{0}")]
    Unanswered(String),
    /// The session's owner is gone, and with it whoever could take a score.
    #[error(
        "the base station met a fault of its own and has ended; everything received is on disk: \
         start it again"
    )]
    OwnerGone,
    /// The system gives no threads, or standard output is gone.
    #[error("the base station can't run here: {0}")]
    System(#[from] std::io::Error),
}

/// The platform's usual folder for our data.
pub fn default_data_folder() -> Option<PathBuf> {
    directories::ProjectDirs::from("", "", "byestand").map(|dirs| dirs.data_dir().to_owned())
}

/// Called with the address of a page on which the director is asked something.
pub type WhenAsking = Box<dyn Fn(&str) + Send + Sync>;

/// Called with the session and the page's address.
pub type WhenReady = Box<dyn FnOnce(SessionHandle, &str) + Send>;

/// What runs beside the daemon: nothing in real life, a room full of players in the demonstration.
pub struct Beside {
    /// The club's key; `None` for the one in the file.
    pub key: Option<ClubKey>,
    /// Receivers besides those that the options name.
    pub channels: Vec<Channel>,
    /// Pages besides the director's.
    pub pages: axum::Router,
    /// Called once the page is served, with its address.
    pub when_ready: WhenReady,
    /// Called with the page's address when the director is asked something before the start.
    pub when_asking: WhenAsking,
}

impl Beside {
    /// Real life.
    pub fn nothing() -> Self {
        Self {
            key: None,
            channels: Vec::new(),
            pages: axum::Router::new(),
            when_ready: Box::new(|_, _| {}),
            when_asking: Box::new(|_| {}),
        }
    }
}

/// Runs the base station until it is told to end.
pub fn serve(options: &Options, out: &mut impl Write) -> Result<(), ServeError> {
    serve_beside(options, Beside::nothing(), out)
}

/// Runs the base station with something beside it, until it is told to end.
pub fn serve_beside(
    options: &Options,
    beside: Beside,
    out: &mut impl Write,
) -> Result<(), ServeError> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    let served = runtime.block_on(run(options, beside, out));
    // Threads that wait for a serial port or a page are not waited for.
    runtime.shutdown_timeout(GOODBYE_MAX);
    let owner = served?;
    // The journal is closed when the owner has done everything that was asked for.
    drop(owner.join());
    Ok(())
}

async fn run(options: &Options, beside: Beside, out: &mut impl Write) -> Result<Owner, ServeError> {
    keep_private(&options.data)?;
    if let Some(file) = &options.bws {
        coupling::check(file).map_err(ServeError::Bws)?;
    }
    let mut settled = settle_journal(options, &beside.when_asking, out).await?;
    let made = settled.store.backup_mark()?;
    let key = match beside.key {
        Some(key) => key,
        None => settle_key(options, &mut settled, &beside.when_asking, out).await?,
    };
    let mut channels = open_radios(options).await?;
    channels.extend(beside.channels);
    let certificate = if options.tls {
        Some(club_certificate(&options.data, web::local_network())?)
    } else {
        None
    };
    let listener = listen(options.listen).await?;
    let address = listener.local_addr()?;

    let Settled { store, state } = settled;
    let keeper = Keeper::with_state(state, store, SystemClock.now());
    let mut owner = start_keeper(keeper, SystemClock)?;
    go_on_from_backup(&owner.handle, made).await;
    let has_password = owner.handle.view().state.club.password.is_some();
    if !address.ip().is_loopback() && !has_password {
        return Err(ServeError::NoPassword(options.listen));
    }

    let programs = match options.data_connector {
        Some(address) => Some(listen_for_programs(address, has_password).await?),
        None => None,
    };

    let nonce = BaseNonce(rand::rng().random());
    let mut hub = Hub::new(key, options.network, Timing::at_baud(options.baud), nonce);
    hub.expect(owner.handle.view().state.pads_of_the_evening());
    let (_, closed) = mpsc::unbounded_channel();
    let posts = std::mem::replace(&mut owner.posts, closed);
    let (stop_radio, stopped) = mpsc::channel(1);
    let radio = Radio::new(hub, owner.handle.clone(), posts);
    let mut radio = tokio::spawn(radio.run(channels, stopped));
    let rounds = tokio::spawn(look_round(owner.handle.clone()));
    let analyst = tokio::spawn(analyse(owner.handle.clone()));
    let wall = tokio::spawn(wall_clock::follow(owner.handle.clone()));
    let copies = tokio::spawn(copy(owner.handle.clone(), options.data.clone()));

    let bounds = Bounds::within(raise_file_limit(OPEN_FILES_WANTED));
    let connector = DataConnector::new(owner.handle.clone(), options.data_connector);
    let connector = Arc::new(connector);
    if let Some(programs) = &programs {
        let address = programs.local_addr()?;
        writeln!(
            out,
            "Scoring programs find a Data Connector at http://{address}"
        )?;
    }
    let programs = tokio::spawn(Arc::clone(&connector).run(programs, bounds));
    let reach = Reach {
        connector: Some(connector),
        addresses: web::addresses(address, options.tls),
        fingerprint: certificate.as_ref().map(|it| it.fingerprint.clone()),
    };
    let page = reach.addresses.last().cloned().unwrap_or_default();
    tell_of_tls(address, reach.fingerprint.as_deref(), out)?;
    let coupling = coupling::start(owner.handle.clone(), &options.data, options.bws.clone());
    let desk = web::Desk::from(owner.handle.clone()).with_coupling(coupling.clone());
    let router = web::router_beside(desk, reach, beside.pages);
    let (say_goodbye, goodbye) = tokio::sync::oneshot::channel::<()>();
    let acceptor = certificate.map(|it| it.acceptor);
    let pages = tokio::spawn(async move {
        let goodbye = async {
            let _ = goodbye.await;
        };
        connections::serve(listener, acceptor, router, bounds, goodbye).await;
    });
    // Kept until the end, when the sign is taken down.
    let _sign = side_door::open(&options.data, owner.handle.clone()).await?;
    writeln!(out, "Byestand is ready: {page}/")?;
    out.flush()?;
    (beside.when_ready)(owner.handle.clone(), &page);

    tokio::select! {
        told = told_to_end() => told?,
        // The radio ends by itself only without an owner. A base station that stayed would look
        // alive and take nothing.
        _ = &mut radio => return Err(ServeError::OwnerGone),
    }
    let _ = say_goodbye.send(());
    drop(stop_radio);
    let _ = tokio::time::timeout(GOODBYE_MAX, pages).await;
    let _ = radio.await;
    coupling.finish(owner.handle.view().state.seq).await;
    rounds.abort();
    copies.abort();
    analyst.abort();
    wall.abort();
    programs.abort();
    Ok(owner)
}

/// What the director must know of the way to the page before the address.
fn tell_of_tls(
    address: SocketAddr,
    fingerprint: Option<&str>,
    out: &mut impl Write,
) -> std::io::Result<()> {
    match fingerprint {
        Some(fingerprint) => writeln!(
            out,
            "The page is encrypted with the club's own certificate, which browsers do not know. \
             Its SHA-256 fingerprint is\n{fingerprint}"
        ),
        None if address.ip().is_loopback() => Ok(()),
        None => writeln!(
            out,
            "Other machines get in with the director's password, and whoever is in the same network \
             can read along: the page is plain HTTP. Start with --tls to encrypt it."
        ),
    }
}

/// Some ports take seconds to open, so they are opened beside the runtime.
async fn open_radios(options: &Options) -> Result<Vec<Channel>, ServeError> {
    let (radios, baud) = (options.radios.clone(), options.baud);
    let ports = Arc::new(Ports::of_this_machine());
    let opening = move || open_receivers(&radios, baud, &ports);
    let opened = tokio::task::spawn_blocking(opening).await;
    Ok(opened.map_err(std::io::Error::other)??)
}

/// A copy that was opened says so in its history, once: pads are asked for what came after it.
async fn go_on_from_backup(session: &SessionHandle, made: Option<Moment>) {
    if let Some(made) = made {
        let _ = session
            .command(Command::OpenBackup { made }, Who::Base)
            .await;
        session.forget_backup_mark().await;
    }
}

async fn listen(address: SocketAddr) -> Result<TcpListener, ServeError> {
    TcpListener::bind(address)
        .await
        .map_err(|fault| ServeError::Listen {
            address,
            what: fault.to_string(),
        })
}

/// Scoring programs that come from other machines need the director's password.
async fn listen_for_programs(
    address: SocketAddr,
    has_password: bool,
) -> Result<TcpListener, ServeError> {
    if !address.ip().is_loopback() && !has_password {
        return Err(ServeError::NoPasswordForPrograms(address));
    }
    TcpListener::bind(address)
        .await
        .map_err(|fault| ServeError::Programs {
            address,
            what: fault.to_string(),
        })
}

async fn look_round(session: SessionHandle) {
    let mut every = tokio::time::interval(LOOK_ROUND_EVERY);
    loop {
        every.tick().await;
        session.look_round().await;
    }
}

/// Copies the journal every ten minutes, but not the same state twice.
async fn copy(session: SessionHandle, data: PathBuf) {
    let is_checked = |view: &Arc<View>| !matches!(view.journal_check, Checked::Underway(_));
    if session.watch().wait_for(is_checked).await.is_err() {
        return;
    }
    if session.view().journal_check == Checked::Sound {
        let folder = data.clone();
        let _ = tokio::task::spawn_blocking(move || put_damaged_copies_aside(&folder)).await;
    }
    let mut every = tokio::time::interval(BACKUP_EVERY);
    let mut copied = None;
    for turn in 0.. {
        every.tick().await;
        let view = session.view();
        let seq = view.state.seq;
        // A damaged journal must not take the place of a copy that may be whole.
        let is_damaged = matches!(view.journal_check, Checked::Damaged(_));
        if copied == Some(seq) || seq.0 == 0 || is_damaged {
            continue;
        }
        let journal = std::fs::metadata(data.join(FILE_NAME));
        let kept = backups_kept(journal.map_or(0, |file| file.len()));
        let folder = data.join(COPIES_FOLDER);
        for beyond in kept..BACKUPS_KEPT {
            // Made while the journal was shorter, if at all.
            let _ = std::fs::remove_file(backup_file(&folder, beyond));
        }
        match session.backup(backup_file(&folder, turn % kept)).await {
            Ok(()) => copied = Some(seq),
            Err(fault) => tracing::warn!(%fault, "the journal could not be copied"),
        }
    }
}

fn backup_file(folder: &Path, place: u64) -> PathBuf {
    folder.join(format!("journal-{place:02}.sqlite"))
}

/// How many copies are kept of a journal of so many bytes.
fn backups_kept(journal_len: u64) -> u64 {
    (BACKUPS_LEN_MAX / journal_len.max(1)).clamp(BACKUPS_KEPT_MIN, BACKUPS_KEPT)
}

/// Ctrl-C, or the system's polite request.
async fn told_to_end() -> std::io::Result<()> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut terminate = signal(SignalKind::terminate())?;
        tokio::select! {
            pressed = tokio::signal::ctrl_c() => pressed,
            _ = terminate.recv() => Ok(()),
        }
    }
    #[cfg(not(unix))]
    tokio::signal::ctrl_c().await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_journal_does_not_fill_the_disk_with_its_copies() {
        // A new club, a club after a year, a hall of 256 tables after a year and after ten.
        let lengths = [0, 28_000_000, 638_000_000, 6_380_000_000];
        assert_eq!(lengths.map(backups_kept), [12, 12, 3, 3]);
        assert_eq!(backups_kept(200_000_000), 5);
    }
}
