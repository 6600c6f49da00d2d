//! The running base station: one thread owns the session and its journal, everybody else holds a
//! [`SessionHandle`].

mod handle;
mod owner;

pub use handle::{HandleError, Receiver, SessionHandle, View};
pub use owner::{Clock, Owner, SystemClock, start};
