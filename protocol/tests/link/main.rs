//! Both ends of the link, without a channel between them that could do harm.

mod client;
mod common;
mod effects;
mod readme;
mod thief;
mod truths;
