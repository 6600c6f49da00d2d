//! The link: messages between a pad and the base, each delivered once and in order.
//!
//! Sans-IO. Both ends take bytes and `now`, and say what to send and when to be asked again:
//! the pad's end is [`PadLink`], the base's end, with a conversation for each pad, is [`Hub`]
//! (feature `hub`). A shell owns the serial port and the clock and runs this loop:
//!
//! ```text
//! loop {
//!     while let Some(event) = link.poll_event() { ... }           // what happened
//!     set_modem_power(link.modem());                              // pad only
//!     while let Some(frame) = link.poll_transmit(now()) { write(frame) }
//!     match select(read_some_bytes(), sleep_until(link.poll_timeout())) {
//!         Bytes(bytes) => link.handle_receive(bytes, now()),      // as they come, even one
//!         Time => link.handle_timeout(now()),
//!     }
//! }
//! ```
//!
//! # One call, one answer
//! A pad hands its link one message at a time ([`PadLink::send`]). The link keeps it until the
//! base's *application* has answered, and only then says [`PadEvent::Answered`]. A short answer
//! ([`crate::message::Down::Received`] and the like) comes as [`PadEvent::Message`] just before;
//! a long one follows in fragments, which a result may overtake. So nothing is acknowledged that
//! is not on the base's disk. What the base has for a pad otherwise waits until the pad calls.

mod access;
mod association;
mod conversation;
mod cycle;
#[cfg(feature = "hub")]
mod hub;
mod pad;
mod tally;
mod timing;

#[cfg(feature = "hub")]
pub use hub::{Call, Hub, PadStatus, Policy, Port, Quality};
pub use pad::{Modem, PadEvent, PadIdentity, PadLink, Unsent};
pub use tally::Tally;
pub use timing::{Medium, Timing};

use serde::{Deserialize, Serialize};

use crate::time::Span;

use crate::words::{Epoch, SessionId};

/// How long an answer may take on a line: a base that is busy with its disk, and a slow network.
pub(crate) const LINE_ANSWER: Span = Span::from_millis(1_000);

/// The session and epoch that a pad believes to be in; it goes with everything the pad says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Binding {
    /// The session.
    pub session: SessionId,
    /// The pad's epoch at its table.
    pub epoch: Epoch,
}
