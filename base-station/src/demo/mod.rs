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
use std::net::SocketAddr;

use protocol::frame::{ClubKey, NetworkId};
use rand::RngExt;

use crate::serve::{Beside, Options, ServeError, serve_beside};
use room::Room;

/// Tables of the demonstration.
const TABLES: u16 = 9;

/// Boards of the demonstration.
const BOARDS: u8 = 27;

/// The radio of the demonstration: the fastest of its class, because the players are, too.
const BAUD: u32 = 57_600;

/// The network of the demonstration.
const NETWORK: NetworkId = NetworkId::new(9);

/// Where the page is served, if nobody else is there.
const ADDRESS: SocketAddr =
    SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 7373);

/// What is played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Evening {
    /// A Mitchell of nine tables.
    #[default]
    Mitchell,
    /// A Swiss of eighteen pairs.
    Swiss,
}

/// Plays the demonstration evening, and serves its results until Ctrl-C.
pub fn run(evening: Evening, out: &mut impl Write) -> Result<(), ServeError> {
    // A folder of its own, never the club's; it goes when the demonstration ends.
    let folder = tempfile::Builder::new()
        .prefix("byestand-demonstration-")
        .tempdir()?;
    let options = Options {
        data: folder.path().to_owned(),
        radios: Vec::new(),
        baud: BAUD,
        network: NETWORK,
        listen: free_address(),
        club_key_file: None,
        rescue: false,
        tls: false,
        new_club_key: false,
        bws: None,
        new_journal: false,
        data_connector: None,
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
    let beside = Beside {
        key: Some(key),
        channels: vec![channel],
        pages: hold::routes(hands),
        when_ready: Box::new(move |session, page| {
            let page = page.to_owned();
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
            open_browser(&page);
        }),
        ..Beside::nothing()
    };
    serve_beside(&options, beside, out)
}

/// The usual address, or any that is free.
fn free_address() -> SocketAddr {
    match std::net::TcpListener::bind(ADDRESS) {
        Ok(_) => ADDRESS,
        Err(_) => SocketAddr::new(ADDRESS.ip(), 0),
    }
}

/// Only where somebody sits in front of it; no browser is not an error.
fn open_browser(page: &str) {
    if std::io::IsTerminal::is_terminal(&std::io::stdout()) {
        let _ = open::that_detached(page);
    }
}
