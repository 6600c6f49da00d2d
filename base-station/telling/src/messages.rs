//! One enum for every group of messages, made of the English catalogue by `build.rs`.

include!(concat!(env!("OUT_DIR"), "/messages.rs"));
