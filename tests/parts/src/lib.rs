//! Parts of a test bench, for every test that needs more than a function: a serial line, a program
//! that does not outlive its test, a request without a client, a pad's claim to a table, a `PostgreSQL` of its own, an organiser at a centre's pages. Never part of a program.

mod claim;
mod organiser;
mod postgres;
mod program;
mod request;
mod wire;

pub use claim::claim;
pub use organiser::Organiser;
pub use postgres::Postgres;
pub use program::Program;
pub use request::{body_of, open_request, request};
pub use wire::Wire;
