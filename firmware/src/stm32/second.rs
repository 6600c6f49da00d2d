//! The pad's image once more: `build.rs` links it for the second slot.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
#[path = "image.rs"]
mod image;

#[cfg(not(target_os = "none"))]
fn main() {}
