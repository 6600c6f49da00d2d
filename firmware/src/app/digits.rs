//! A number while it is being typed.

use core::fmt;

/// Digits from the left, with leading zeros kept: a PIN of 0042 is four digits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Digits {
    value: u32,
    len: u8,
}

impl Digits {
    /// Nothing typed.
    pub const NONE: Self = Self { value: 0, len: 0 };

    /// The number; `None` where nothing was typed.
    pub const fn value(self) -> Option<u32> {
        if self.len == 0 {
            None
        } else {
            Some(self.value)
        }
    }

    /// How many digits.
    pub const fn len(self) -> u8 {
        self.len
    }

    /// Whether nothing was typed.
    pub const fn is_empty(self) -> bool {
        self.len == 0
    }

    /// Adds a digit unless there are `max` already; nine digits always fit.
    pub const fn push(&mut self, digit: u8, max: u8) {
        if self.len < max && self.len < 9 {
            self.value = self.value * 10 + digit as u32;
            self.len += 1;
        }
    }

    /// Takes the last digit back; false if there was none.
    pub const fn pop(&mut self) -> bool {
        if self.len == 0 {
            return false;
        }
        self.value /= 10;
        self.len -= 1;
        true
    }
}

impl fmt::Display for Digits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.len > 0 {
            write!(f, "{:0width$}", self.value, width = usize::from(self.len))?;
        }
        f.write_str("_")
    }
}
