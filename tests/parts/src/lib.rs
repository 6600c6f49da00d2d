//! Parts of a test bench, for every test that needs more than a function: a serial line, the same
//! line in the network, a program that does not outlive its test, a request without a client, a
//! pad's claim to a table, a pad's end of the link, the real evening, a `PostgreSQL` of its own, an
//! organiser at a centre's pages. Never part of a program.

#[cfg(unix)]
mod antenna;
mod claim;
mod organiser;
#[cfg(unix)]
mod pad_end;
mod played;
#[cfg(unix)]
mod postgres;
mod program;
mod real;
mod relay;
mod request;
#[cfg(unix)]
mod wire;

#[cfg(unix)]
pub use antenna::Antenna;
pub use claim::claim;
pub use organiser::Organiser;
#[cfg(unix)]
pub use pad_end::{PadEnd, Told};
pub use played::played;
#[cfg(unix)]
pub use postgres::Postgres;
pub use program::Program;
pub use real::{real_movement_file, real_result, real_rows};
pub use relay::Relay;
pub use request::{body_of, open_request, request};
#[cfg(unix)]
pub use wire::Wire;
