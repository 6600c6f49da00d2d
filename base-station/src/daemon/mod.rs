//! The running base station: one thread owns the session and its journal, one task owns the
//! radio, and everybody else holds a [`SessionHandle`].
//!
//! ```text
//! serial threads -> radio task (the link's hub) -> owner thread (session, journal)
//!        ^                  |  ^                        |
//!        +------ frames ----+  +---- answers, news -----+
//! ```

mod analyst;
mod handle;
mod key;
mod owner;
mod ports;
mod radio;
mod serial;
mod serve;
mod wall_clock;

pub use handle::{HandleError, Receiver, SessionHandle, View};
pub use key::{KeyError, club_key};
pub use owner::{Clock, Owner, SystemClock, start};
pub use ports::{Adapter, Found, Ports};
pub use radio::{Channel, Heard, Radio};
pub use serial::{SerialError, Wanted, open_receivers};
pub use serve::{Beside, Options, ServeError, WhenReady, default_data_folder, serve, serve_beside};
