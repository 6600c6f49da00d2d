//! Parts of a test bench, for every test that needs more than a function: a serial line, the same line
//! in the network, a program
//! that does not outlive its test, a request without a client, a pad's claim to a table. Never part of a program.

mod claim;
mod program;
mod relay;
mod request;
mod wire;

pub use claim::claim;
pub use program::Program;
pub use relay::Relay;
pub use request::{body_of, open_request, request};
pub use wire::Wire;
