//! How the journal writes down what pads said.
//!
//! Two ends evolve by two rules. On the air (`protocol::message`) the order of fields *is* the
//! format: nothing released is ever changed, something new is a new variant. In the journal fields
//! have names: a new one has a default, and what was written once is read for ever. So the journal
//! never relies on how a message is sent: for every message and word that an event holds, its stored
//! form is written out here, and serde makes the conversions of it. A field or variant that is added
//! on the air does not compile until somebody has said here how it is stored.
//!
//! `session/tests/stored.jsonl` has the literal text of every kind of event.

mod cards;
mod connector;
mod entry;
mod settings;

pub(in crate::session) use cards::{analysed, attached};
pub(in crate::session) use connector::QueueForm;
pub(in crate::session) use entry::{EntryForm, FirmwareForm, ReasonForm, ResultForm};
pub(in crate::session) use settings::{PinForm, SettingsForm};
