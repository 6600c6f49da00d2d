//! Both ends of the link, without a channel between them that could do harm.

mod client;
mod common;
mod effects;
mod line;
mod readme;
mod renewal;
mod thief;
mod truths;
