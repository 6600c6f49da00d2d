//! The daemon: opens everything, says that it is ready, and ends cleanly. It stands above the base
//! station's parts and its page, and is the only one that knows them all.

mod copies;
mod greeting;
mod question;
mod settle;

use std::io::Write;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use protocol::frame::{BaseNonce, ClubKey, NetworkId};
use protocol::link::{Hub, Timing};
use rand::RngExt;
use tokio::net::TcpListener;
use tokio::sync::mpsc;

use self::greeting::{tell_of_phones, tell_of_tls};
use self::settle::{Settled, key_file, settle_journal, settle_key};
use crate::connections::{self, Bounds};
use crate::daemon::analyst::analyse;
use crate::daemon::cable::OnAir;
use crate::daemon::owner::start_keeper;
use crate::daemon::{
    Cable, Cables, Channel, Clock, DataConnector, Door, House, KeyError, Keyring, Law, ModemWish,
    Modems, Owner, Phones, Ports, Radio, SerialError, SessionHandle, SetPin, SystemClock, TlsError,
    Wanted, centre, club_certificate, coupling, keep_private, open_receivers, raise_file_limit,
    side_door, wall_clock,
};
use crate::session::{Command, JournalError, Keeper, Moment, Trust, Who};
use crate::store::StoreError;
use crate::web::{self, Reach};
use telling::Told;

pub use settle::key_of_club;

/// How often the owner looks who has fallen silent.
const LOOK_ROUND_EVERY: Duration = Duration::from_secs(10);

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
    /// That was said on the command line; otherwise the director's choice on the page counts.
    pub listen_is_named: bool,
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
    /// Bring the club back from the copy that this centre has, before anything else.
    pub restore_from: Option<String>,
    /// Where scoring programs find a Data Connector; `None` until it is switched on on the page.
    pub data_connector: Option<SocketAddr>,
    /// Where pads are plugged in.
    pub cables: Cables,
    /// What the receivers' modems are set to, in the order of the receivers; none is left as it is.
    pub modems: Vec<ModemWish>,
    /// What their SET pins are connected to; `None` for whichever line of the adapter they answer to.
    pub set_pin: Option<SetPin>,
    /// What the country allows on the air; `None` limits nothing.
    pub law: Option<Law>,
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
    /// The copy at a centre.
    #[error("{0}")]
    Restore(Told),
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
    /// Ends when nobody can write to its input any more: who started it is gone, however that came.
    pub ends_with_input: bool,
    /// Its data goes when it ends: nothing of this machine is changed for it.
    pub is_passing: bool,
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
            ends_with_input: false,
            is_passing: false,
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
    let (mut options, mut beside) = (options.clone(), beside);
    let (ends_with_input, is_passing) = (beside.ends_with_input, beside.is_passing);
    loop {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()?;
        let served = runtime.block_on(run(&through_the_door(&options), beside, out));
        // Threads that wait for a serial port or a page are not waited for.
        runtime.shutdown_timeout(GOODBYE_MAX);
        let (owner, again) = served?;
        // The journal is closed when the owner has done everything that was asked for.
        drop(owner.join());
        let Some(address) = again else {
            return Ok(());
        };
        // Whoever looks at the page sees it come back at the same address.
        options.listen = address;
        options.restore_from = None;
        beside = Beside {
            ends_with_input,
            is_passing,
            ..Beside::nothing()
        };
    }
}

/// Serves the page to other machines where the director has said so on the page.
fn through_the_door(options: &Options) -> Options {
    let mut options = options.clone();
    if options.listen_is_named {
        return options;
    }
    let door = Door::of(&options.data);
    let ip = match door {
        Door::Shut => Ipv4Addr::LOCALHOST,
        Door::Encrypted | Door::Plain => Ipv4Addr::UNSPECIFIED,
    };
    options.listen.set_ip(ip.into());
    options.tls |= door == Door::Encrypted;
    options
}

/// Runs until it is told to end; answers with the page's address if it is to start again.
async fn run(
    options: &Options,
    beside: Beside,
    out: &mut impl Write,
) -> Result<(Owner, Option<SocketAddr>), ServeError> {
    let ways_in = tokio::task::spawn_blocking(web::Routes::all);
    keep_private(&options.data)?;
    if let Some(file) = &options.bws {
        coupling::check(file).map_err(ServeError::Bws)?;
    }
    let mut settled = settle_journal(options, &beside.when_asking, out).await?;
    let made = settled.store.backup_mark()?;
    let keyring = if let Some(key) = beside.key {
        Keyring::of(key)
    } else {
        let key = settle_key(options, &mut settled, &beside.when_asking, out).await?;
        Keyring::at(key, &options.data, &key_file(options))
    };
    let ports = Arc::new(Ports::of_this_machine());
    let mut channels = open_radios(options, &ports).await?;
    channels.extend(beside.channels);
    let certify = || club_certificate(&options.data, web::local_network());
    let certificate = options.tls.then(certify).transpose()?;
    let listener = listen(options.listen).await?;
    let address = listener.local_addr()?;

    let Settled { store, state } = settled;
    let keeper = Keeper::with_state(state, store, SystemClock.now());
    let mut owner = start_keeper(keeper, SystemClock)?;
    go_on_from_backup(&owner.handle, made).await;
    go_on_with_renewal(&owner.handle, &keyring).await;
    let has_password = owner.handle.view().state.club.password.is_some();
    if !address.ip().is_loopback() && !has_password {
        return Err(ServeError::NoPassword(options.listen));
    }

    let programs = listen_for_programs(options.data_connector, has_password, out).await?;

    let (phones, lines) = Phones::new(&keyring, options.network);
    let (stop_radio, stopped) = mpsc::channel(1);
    let radio = radio(options, &mut owner, &keyring);
    let modems = Modems::of(&channels, options.law, options.baud, options.set_pin);
    let mut radio = tokio::spawn(radio.run(channels, lines, stopped));
    let rounds = tokio::spawn(look_round(owner.handle.clone()));
    let analyst = tokio::spawn(analyse(owner.handle.clone()));
    let wall = tokio::spawn(wall_clock::follow(owner.handle.clone()));

    let bounds = Bounds::within(raise_file_limit(OPEN_FILES_WANTED));
    let connector = DataConnector::new(owner.handle.clone(), options.data_connector);
    let connector = Arc::new(connector);
    let programs = tokio::spawn(Arc::clone(&connector).run(programs, bounds));
    let reach = Reach {
        connector: Some(connector),
        addresses: web::addresses(address, options.tls),
        fingerprint: certificate.as_ref().map(|it| it.fingerprint.clone()),
        phones: Some(phones),
    };
    let page = reach.addresses.last().cloned().unwrap_or_default();
    tell_of_tls(address, reach.fingerprint.as_deref(), out)?;
    tell_of_phones(address, reach.phone_address(), options.tls, out)?;
    let house = House::new(&options.data, options.listen_is_named, beside.is_passing);
    let centre = centre::start(owner.handle.clone(), &options.data, keyring.clone());
    let cables = options.cables.clone();
    let cable = Cable::start(ports, cables, keyring, on_air(options))?;
    let coupling = coupling::start(owner.handle.clone(), &options.data, options.bws.clone());
    let desk = web::Desk::from(owner.handle.clone())
        .with_coupling(coupling.clone())
        .with_cable(cable)
        .with_centre(centre)
        .with_modems(modems)
        .with_house(house.clone());
    let ways_in = ways_in.await.map_err(std::io::Error::other)?;
    let router = web::router_beside(ways_in, desk, reach, beside.pages);
    let (say_goodbye, goodbye) = tokio::sync::oneshot::channel::<()>();
    let acceptor = certificate.map(|it| it.acceptor);
    let pages = tokio::spawn(async move {
        let goodbye = async { drop(goodbye.await) };
        connections::serve(listener, acceptor, router, bounds, goodbye).await;
    });
    // Kept until the end, when the sign is taken down.
    let _sign = side_door::open(&options.data, owner.handle.clone()).await?;
    writeln!(out, "Byestand is ready: {page}/")?;
    out.flush()?;
    // Reading every copy takes as long as the start: the director need not wait for it.
    let copies = tokio::spawn(copies::keep(owner.handle.clone(), options.data.clone()));
    (beside.when_ready)(owner.handle.clone(), &page);

    let mut again = None;
    tokio::select! {
        told = told_to_end(beside.ends_with_input) => told?,
        () = house.wants_to_start_again() => again = Some(address),
        () = house.wants_to_end() => {}
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
    Ok((owner, again))
}

/// What pads at the cable are told of their modems.
fn on_air(options: &Options) -> OnAir {
    OnAir {
        network: options.network.get(),
        baud: options.baud,
        power: options.law.map(|law| law.power()),
    }
}

/// What speaks with the pads. It takes the owner's posts.
fn radio(options: &Options, owner: &mut Owner, keyring: &Keyring) -> Radio {
    let (nonce, timing) = (
        BaseNonce(rand::rng().random()),
        Timing::at_baud(options.baud),
    );
    let mut hub = Hub::new(keyring.current(), options.network, timing, nonce);
    hub.expect(owner.handle.view().state.pads_of_the_evening());
    hub.set_share(options.law.as_ref().and_then(|law| law.share_permille));
    let (_, closed) = mpsc::unbounded_channel();
    let posts = std::mem::replace(&mut owner.posts, closed);
    Radio::new(hub, owner.handle.clone(), posts, keyring)
}

/// Some ports take seconds to open, so they are opened beside the runtime.
async fn open_radios(options: &Options, ports: &Arc<Ports>) -> Result<Vec<Channel>, ServeError> {
    let (radios, baud) = (options.radios.clone(), options.baud);
    let (modems, ports) = (options.modems.clone(), Arc::clone(ports));
    let opening = move || open_receivers(&radios, baud, &modems, &ports);
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

/// A renewal of the key that was cut off, or that a copy does not know of, goes on.
async fn go_on_with_renewal(session: &SessionHandle, keyring: &Keyring) {
    if keyring.old().is_some() && session.view().state.club.pads.renewing.is_none() {
        let renewed = Command::ChangeTrust(Trust::KeyRenewed);
        let _ = session.command(renewed, Who::Base).await;
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

/// Where scoring programs find a Data Connector, if they are to.
async fn listen_for_programs(
    address: Option<SocketAddr>,
    has_password: bool,
    out: &mut impl Write,
) -> Result<Option<TcpListener>, ServeError> {
    let Some(address) = address else {
        return Ok(None);
    };
    if !address.ip().is_loopback() && !has_password {
        return Err(ServeError::NoPasswordForPrograms(address));
    }
    let programs = TcpListener::bind(address).await;
    let programs = programs.map_err(|fault| ServeError::Programs {
        address,
        what: fault.to_string(),
    })?;
    let at = programs.local_addr()?;
    writeln!(out, "Scoring programs find a Data Connector at http://{at}")?;
    Ok(Some(programs))
}

async fn look_round(session: SessionHandle) {
    let mut every = tokio::time::interval(LOOK_ROUND_EVERY);
    loop {
        every.tick().await;
        session.look_round().await;
    }
}

/// Never, where the input is nobody's word.
async fn input_ended(counts: bool) {
    if !counts {
        return std::future::pending().await;
    }
    let (gone, ended) = tokio::sync::oneshot::channel();
    // A thread of its own: reading can't be broken off, and the runtime would wait for it.
    std::thread::spawn(move || {
        let _ = std::io::copy(&mut std::io::stdin().lock(), &mut std::io::sink());
        let _ = gone.send(());
    });
    let _ = ended.await;
}

/// Ctrl-C, the system's polite request, or the end of the input where that counts.
async fn told_to_end(by_input: bool) -> std::io::Result<()> {
    tokio::select! {
        told = interrupted() => told,
        () = input_ended(by_input) => Ok(()),
    }
}

async fn interrupted() -> std::io::Result<()> {
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
