//! Why a text or a number is not a word of the game.

use core::fmt;

/// A sentence for the person who wrote the text: what was expected.
///
/// It names no input (the caller knows where it stood and adds line and column).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusal(pub &'static str);

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl core::error::Error for Refusal {}
