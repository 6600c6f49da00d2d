//! From the contacts of the matrix to keys: bounces, held keys and ghosts.

use protocol::time::{Instant, Span};

use crate::Key;

/// Contacts that are closed: bit `6 * row + column`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Matrix(pub u64);

/// A contact must rest this long after a change before it counts: membranes bounce for 5 to 10 ms.
const SETTLE: Span = Span::from_millis(20);

/// From one scan to the next while a finger is on the pad.
const SCAN_EVERY: Span = Span::from_millis(5);

/// The same under something that is no finger: a box that presses on a key for a week.
const SCAN_STUCK_EVERY: Span = Span::from_millis(100);

/// No finger rests this long.
const STUCK_AFTER: Span = Span::from_secs(5);

/// Turns scans into keys that went down. A key that is held, or stuck, says nothing more and
/// hinders no other.
#[derive(Clone, Copy, Debug, Default)]
pub struct Keypad {
    /// As seen in the last scan.
    seen: u64,
    /// Since when it is so.
    since: Instant,
    /// What has been taken for down.
    down: u64,
    /// Went down, and was not yet given out.
    fresh: u64,
}

impl Keypad {
    /// All keys up.
    pub const fn new() -> Self {
        Self {
            seen: 0,
            since: Instant::ZERO,
            down: 0,
            fresh: 0,
        }
    }

    /// Takes a scan, as often as [`Self::pause`] says while anything changes or is down.
    pub fn scan(&mut self, matrix: Matrix, now: Instant) {
        let closed = matrix.0 & ((1 << Key::ALL.len()) - 1);
        if closed != self.seen {
            self.seen = closed;
            self.since = now;
        } else if now.since(self.since) >= SETTLE && !is_ambiguous(closed) {
            self.fresh |= closed & !self.down;
            self.down = closed;
        }
    }

    /// The next key that went down.
    pub fn pressed(&mut self) -> Option<Key> {
        let index = self.fresh.trailing_zeros();
        let key = Key::ALL.get(usize::try_from(index).ok()?).copied()?;
        self.fresh &= self.fresh - 1;
        Some(key)
    }

    /// How long to wait for the next scan.
    pub fn pause(&self, now: Instant) -> Span {
        if self.seen != 0 && now.since(self.since) >= STUCK_AFTER {
            SCAN_STUCK_EVERY
        } else {
            SCAN_EVERY
        }
    }

    /// Whether scanning can stop until an edge wakes the pad.
    pub const fn is_idle(&self) -> bool {
        self.seen == 0 && self.down == 0 && self.fresh == 0
    }
}

/// Three corners of a rectangle close the fourth without a finger on it: nothing new is taken
/// from such a scan.
fn is_ambiguous(closed: u64) -> bool {
    let columns = Key::COLUMNS;
    let mask = (1 << columns) - 1;
    let row = |index: usize| closed >> (index * columns) & mask;
    (0..Key::ROWS)
        .any(|one| (one + 1..Key::ROWS).any(|other| (row(one) & row(other)).count_ones() > 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn closed(keys: &[Key]) -> Matrix {
        Matrix(keys.iter().fold(0, |bits, key| bits | 1 << *key as u64))
    }

    fn scan(keypad: &mut Keypad, keys: &[Key], from_ms: u64, to_ms: u64) {
        for ms in (from_ms..to_ms).step_by(5) {
            keypad.scan(closed(keys), Instant::from_millis(ms));
        }
    }

    #[test]
    fn a_bouncing_key_counts_once() {
        let mut keypad = Keypad::new();
        for ms in 0..10 {
            let keys: &[Key] = if ms % 2 == 0 { &[Key::Four] } else { &[] };
            keypad.scan(closed(keys), Instant::from_millis(ms));
        }
        scan(&mut keypad, &[Key::Four], 10, 100);
        assert_eq!(keypad.pressed(), Some(Key::Four));
        assert_eq!(keypad.pressed(), None);
    }

    #[test]
    fn a_coffee_cup_on_the_director_key_hinders_no_other_key() {
        let mut keypad = Keypad::new();
        scan(&mut keypad, &[Key::Director], 0, 60_000);
        assert_eq!(keypad.pressed(), Some(Key::Director));
        // It does not keep the pad awake, and a finger beside it does.
        let minute = Instant::from_millis(60_000);
        assert_eq!(keypad.pause(minute), SCAN_STUCK_EVERY);
        scan(&mut keypad, &[Key::Director, Key::Back], 60_000, 60_100);
        assert_eq!(keypad.pause(minute), SCAN_EVERY);
        assert_eq!(keypad.pressed(), Some(Key::Back));
        scan(&mut keypad, &[Key::Director], 60_100, 60_200);
        scan(&mut keypad, &[Key::Director, Key::Back], 60_200, 60_300);
        assert_eq!(keypad.pressed(), Some(Key::Back));
        assert_eq!(keypad.pressed(), None);
        scan(&mut keypad, &[], 60_300, 60_400);
        assert!(keypad.is_idle());
    }

    #[test]
    fn three_fingers_press_no_fourth_key() {
        let mut keypad = Keypad::new();
        // One, Two and Four are down; the matrix also closes Five.
        let ghost = [Key::One, Key::Two, Key::Four, Key::Five];
        scan(&mut keypad, &ghost, 0, 100);
        assert_eq!(keypad.pressed(), None);
    }
}
