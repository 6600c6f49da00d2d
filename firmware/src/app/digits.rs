//! A number while it is being typed.

use core::fmt;

use protocol::message::Pin;
use protocol::words::BoardNumber;

use crate::Key;

/// Digits of a PIN.
pub(super) const PIN_DIGITS: u8 = 4;

/// Digits of a board number.
pub(super) const BOARD_DIGITS_MAX: u8 = 3;

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

/// What a key did to a number that is being typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Typed {
    /// A digit more or less, or none any more.
    Digits(Digits),
    /// BACK where nothing was typed: the players leave.
    Left,
    /// Not a key for typing.
    Other,
}

impl Digits {
    /// Takes a key on a screen where a number of at most `max` digits is typed.
    pub(super) const fn press(mut self, key: Key, max: u8) -> Typed {
        match (key, key.digit()) {
            (Key::Back, _) if !self.pop() => return Typed::Left,
            (Key::Back, _) => {}
            (Key::Clear, _) => self = Self::NONE,
            (_, Some(digit)) => self.push(digit, max),
            (_, None) => return Typed::Other,
        }
        Typed::Digits(self)
    }

    /// The digits of a board's number.
    pub(super) fn of_board(board: BoardNumber) -> Self {
        let mut typed = Self::NONE;
        let number = board.get();
        for digit in [number / 100, number / 10 % 10, number % 10] {
            if digit > 0 || !typed.is_empty() {
                typed.push(digit, BOARD_DIGITS_MAX);
            }
        }
        typed
    }

    /// The board whose number was typed.
    pub(super) fn board(self) -> Option<BoardNumber> {
        self.value()
            .and_then(|board| u8::try_from(board).ok())
            .and_then(BoardNumber::new)
    }

    /// The PIN, once all its digits are typed.
    pub(super) fn pin(self) -> Option<Pin> {
        let pin = self.value().and_then(|pin| u16::try_from(pin).ok());
        pin.filter(|_| self.len == PIN_DIGITS).map(Pin)
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
