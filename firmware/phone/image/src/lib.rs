//! The pad for browsers as the base station serves it: the package `phone`, compiled to
//! WebAssembly by this package's build script.
//!
//! A machine without that target still builds the base station; then [`IMAGE`] is empty and
//! [`MISSING`] says what to do.

/// The WebAssembly; empty where it could not be built.
pub const IMAGE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/phone.wasm"));

/// Why it could not be built and what to do, in one sentence; empty where it is there.
pub const MISSING: &str = include_str!(concat!(env!("OUT_DIR"), "/missing.txt"));
