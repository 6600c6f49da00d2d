//! Literal bytes of every released wire version.

#[path = "versions/v1.rs"]
mod v1;
#[path = "versions/v2.rs"]
mod v2;
