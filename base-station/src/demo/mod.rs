//! The demonstration evening: a whole session at speed, with the real base station and real pads
//! on a simulated radio.
//!
//! Nothing of it is staged inside the base station: the pads are the pad's own library, their
//! frames go over the simulated air at its own pace, and the players press keys. Some of them make
//! mistakes, and one pad dies.

mod director;
mod hold;
mod room;
mod table;

use std::io::Write;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;

use protocol::frame::{ClubKey, NetworkId};
use rand::RngExt;
use tokio::sync::mpsc;

use crate::daemon::{Clock, SessionHandle, SystemClock};
use crate::serve::{Beside, Options, ServeError, serve_beside};
use crate::session::{Command, Keeper, Request, Who};
use crate::store::Store;
use crate::web::auth::hash_password;
use room::{Room, Wish};

/// Tables of the demonstration.
const TABLES: u16 = 9;

/// Boards of the demonstration.
const BOARDS: u8 = 27;

/// The radio of the demonstration: the fastest of its class, because the players are, too.
const BAUD: u32 = 57_600;

/// The network of the demonstration.
const NETWORK: NetworkId = NetworkId::new(9);

/// Where the page is served, if nobody else is there.
const PORT: u16 = 7373;

/// What is played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Evening {
    /// A Mitchell of nine tables.
    #[default]
    Mitchell,
    /// A Swiss of eighteen pairs.
    Swiss,
}

/// Who can come to the page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Visitors {
    /// Whoever sits at this machine.
    #[default]
    Here,
    /// Phones in the same network, too. The director's page asks everybody for a password.
    WithPhones,
}

/// Who began it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Host {
    /// Somebody in front of a terminal, where there is one: then the page is opened.
    #[default]
    CommandLine,
    /// A click: what there is to see is the page, and the club's own may want the usual address.
    Menu,
    /// A base station, which shows the page and takes it along when it ends.
    BaseStation,
}

/// Plays the demonstration evening, and serves its results until Ctrl-C, until it is ended on its page,
/// or until the base station that began it is gone.
pub fn run(
    evening: Evening,
    visitors: Visitors,
    host: Host,
    out: &mut impl Write,
) -> Result<(), ServeError> {
    // A folder of its own, never the club's; it goes when the demonstration ends.
    let folder = tempfile::Builder::new()
        .prefix("byestand-demonstration-")
        .tempdir()?;
    let options = Options {
        data: folder.path().to_owned(),
        radios: Vec::new(),
        baud: BAUD,
        network: NETWORK,
        listen: free_address(visitors, host),
        listen_is_named: true,
        club_key_file: None,
        rescue: false,
        tls: false,
        new_club_key: false,
        restore_from: None,
        bws: None,
        new_journal: false,
        data_connector: None,
        cables: crate::daemon::Cables::Named(Vec::new()),
        modems: Vec::new(),
        set_pin: None,
        law: None,
    };
    let key = ClubKey::new(rand::rng().random());
    let (room, channel, hands) = Room::new(&key, rand::rng().random());
    let played = match evening {
        Evening::Mitchell => "play a session",
        Evening::Swiss => "play a Swiss in three rounds",
    };
    writeln!(
        out,
        "This is a demonstration: nine tables {played} of {BOARDS} boards in about three minutes.\n\
         The results stay on the page until you press Ctrl-C; then they are gone.\n\
         The director's menu of its pads opens with the PIN {:04}.\n\
         A real evening starts with: byestand serve",
        director::PIN.0
    )?;
    match visitors {
        Visitors::Here => writeln!(
            out,
            "To sit down at a table with your own phone, start with: byestand demo --phones"
        )?,
        Visitors::WithPhones => writeln!(
            out,
            "The director's page asks for this password: {}\n\
             There, More, Phones as pads shows each table's code for your phone.",
            lock(folder.path())?
        )?,
    }
    let beside = Beside {
        key: Some(key),
        channels: vec![channel],
        pages: hold::routes(hands.clone()),
        when_ready: Box::new(move |session, page| {
            let page = page.to_owned();
            tokio::spawn(make_room_for_phones(session.clone(), hands));
            tokio::spawn(async move {
                let deals = room.deals();
                match director::set_up(&session, &deals, evening).await {
                    Ok(()) => {
                        tokio::spawn(director::draws(session));
                        room.play().await;
                    }
                    Err(fault) => tracing::error!(%fault, "the demonstration could not be set up"),
                }
            });
            open_browser(host, &page);
        }),
        ends_with_input: host == Host::BaseStation,
        is_passing: true,
        ..Beside::nothing()
    };
    serve_beside(&options, beside, out)
}

/// A visitor who has scanned the code of a table gets it: its pad goes into the box, and the
/// director frees the table.
async fn make_room_for_phones(session: SessionHandle, hands: mpsc::Sender<Wish>) {
    let mut seen = std::collections::BTreeSet::new();
    let mut views = session.watch();
    while views.changed().await.is_ok() {
        let phones = views.borrow_and_update().state.club.phones.clone();
        for joined in phones.values().filter(|joined| seen.insert(joined.pad)) {
            let _ = hands.send(Wish::Take(joined.table.table)).await;
            let free = Command::FreeTable {
                table: joined.table,
            };
            let who = Who::Director("the demonstration".to_owned());
            // A table that nobody holds needs no freeing.
            let _ = session.command(free, who).await;
        }
    }
}

/// Other machines see the page, so it gets a password, drawn for this demonstration.
fn lock(data: &Path) -> Result<String, ServeError> {
    let password = format!("{:08}", rand::rng().random_range(0..100_000_000_u32));
    let hash = hash_password(&password);
    let hash = hash.map_err(|problem| std::io::Error::other(problem.sentence().to_string()))?;
    let now = SystemClock.now();
    let mut keeper = Keeper::open(Store::open(data)?, now)?;
    let request = Request::Command {
        command: Box::new(Command::SetPassword { hash }),
        who: Who::Base,
    };
    keeper.deal_with(request, now);
    Ok(password)
}

/// The usual address, or any that is free.
fn free_address(visitors: Visitors, host: Host) -> SocketAddr {
    let ip = match visitors {
        Visitors::Here => Ipv4Addr::LOCALHOST,
        Visitors::WithPhones => Ipv4Addr::UNSPECIFIED,
    };
    let usual = SocketAddr::from((ip, PORT));
    if host == Host::CommandLine && std::net::TcpListener::bind(usual).is_ok() {
        usual
    } else {
        SocketAddr::from((ip, 0))
    }
}

/// Only where somebody sits in front of it; no browser is not an error.
fn open_browser(host: Host, page: &str) {
    let wanted = match host {
        Host::CommandLine => std::io::IsTerminal::is_terminal(&std::io::stdout()),
        Host::Menu => true,
        Host::BaseStation => false,
    };
    if wanted {
        let _ = open::that_detached(page);
    }
}
