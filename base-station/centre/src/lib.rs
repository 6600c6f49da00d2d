//! One field over any number of base stations.
//!
//! A base says what is so at its tables as *records* ([`Said`]): numbered without gaps, each linked
//! to all before it, every request signed with the base's own key ([`Batch`], [`sign`]). The centre
//! takes each once ([`Outcome`]), notices gaps, two histories and records that are no longer what
//! they were, folds what all bases said and scores it as one field. Everything that it knows is in
//! `PostgreSQL` ([`serve`]): processes beside each other share nothing else.

mod chain;
mod database;
mod encrypted;
mod entered;
mod field;
mod follow;
mod said;
mod server;
mod snapshot;
mod stage;
mod take;
mod taker;
mod web;

pub use chain::{BATCH_MAX, Batch, Head, Link, Record, SIGNATURE_HEADER, sign};
pub use database::DatabaseError;
pub use said::{
    Awarded, Became, Line, PairName, PairSaid, Penalty, Phase, Place, Said, TableName, TableSaid,
};
pub use server::{CentreError, serve, set_password};
pub use take::Refused;
pub use taker::Outcome;
pub use web::{
    CopyHeading, CopyState, Field, Joined, Joining, OwnBoard, OwnPair, OwnScore, PairHere,
    PasswordUnfit, Restored, Restoring, RoundHere, TableHere, restoring,
};
