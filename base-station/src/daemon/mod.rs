//! The running base station: one thread owns the session and its journal, one task owns the
//! radio, and everybody else holds a [`SessionHandle`].
//!
//! ```text
//! serial threads -> radio task (the link's hub) -> owner thread (session, journal)
//!        ^                  |  ^                        |
//!        +------ frames ----+  +---- answers, news -----+
//! ```

pub(crate) mod analyst;
mod autostart;
pub mod cable;
pub(crate) mod centre;
pub(crate) mod coupling;
mod data_connector;
mod handle;
mod house;
pub(crate) mod key;
mod keyring;
mod law;
mod lines;
mod log_file;
mod modem;
mod modems;
pub(crate) mod owner;
mod ports;
mod private;
mod quality;
mod radio;
mod reading;
mod serial;
pub(crate) mod side_door;
mod tls;
pub(crate) mod wall_clock;

pub use autostart::Autostart;
pub use cable::{Cable, CableError, Cables, ProgramFile, UpdateState};
pub use centre::{AtCentre, Centre, CentreState};
pub use coupling::{Coupling, CouplingState};
pub use data_connector::{DataConnector, Status as ConnectorStatus, USUAL_ADDRESS};
pub use handle::{HandleError, Receiver, SessionHandle, View};
pub use house::{Door, House};
pub use key::{KEY_NAME, KeyError, Played, club_key, key_mark};
pub use keyring::{Keyring, Keys};
pub use law::Law;
pub use lines::{Line, Phones};
pub use log_file::{LOG_NAME, begin_log, last_lines};
pub use modem::{
    ChannelHeard, ModemKnown, ModemState, ModemWish, SetPin, open_modem, scan, set_modem,
};
pub use modems::{Modems, NotDone};
pub use owner::{Clock, Owner, SystemClock, start};
pub use ports::{Adapter, Found, Ports};
pub use private::{keep_private, raise_file_limit};
pub use quality::{Advice, Advised, Air, Qualities, Quarter};
pub use radio::{Channel, Heard, Radio};
pub use serial::{SerialError, Wanted, open_receivers};
pub use side_door::{
    FILE_NAME as SIDE_DOOR_FILE, Made, SideDoor, TakenIn, ToTake, Wish, known_session, take_in,
};
pub use tls::{
    CERTIFICATE_FILE, ClubCertificate, KEY_FILE as TLS_KEY_FILE, TlsError, club_certificate,
    fingerprint,
};
