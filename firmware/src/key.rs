//! The keys of the pad: six rows of six, what is printed on them, and what they mean where a
//! letter, a digit or a rank is asked for.

use protocol::words::{Rank, Seat, SectionLetter, Strain, Suit};

/// One key. The order is the order on the keypad, row by row from the top left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the name of a key is what is printed on it")]
#[rustfmt::skip]
pub enum Key {
    One,   Two,   Three, Spades,   North, Double,
    Four,  Five,  Six,   Hearts,   East,  Redouble,
    Seven, Eight, Nine,  Diamonds, South, Pass,
    Plus,  Zero,  Minus, Clubs,    West,  NotPlayed,
    Equal, Clear, Back,  NoTrump,  Up,    Call,
    Director, Left, Right, Ok,     Down,  Accept,
}

impl Key {
    /// Rows and columns of the matrix.
    pub const ROWS: usize = 6;
    /// Keys in a row.
    pub const COLUMNS: usize = 6;

    /// All keys, row by row from the top left.
    #[rustfmt::skip]
    pub const ALL: [Self; Self::ROWS * Self::COLUMNS] = [
        Self::One,   Self::Two,   Self::Three, Self::Spades,   Self::North, Self::Double,
        Self::Four,  Self::Five,  Self::Six,   Self::Hearts,   Self::East,  Self::Redouble,
        Self::Seven, Self::Eight, Self::Nine,  Self::Diamonds, Self::South, Self::Pass,
        Self::Plus,  Self::Zero,  Self::Minus, Self::Clubs,    Self::West,  Self::NotPlayed,
        Self::Equal, Self::Clear, Self::Back,  Self::NoTrump,  Self::Up,    Self::Call,
        Self::Director, Self::Left, Self::Right, Self::Ok,     Self::Down,  Self::Accept,
    ];

    /// The key at a place of the matrix.
    pub fn at(row: usize, column: usize) -> Option<Self> {
        if column >= Self::COLUMNS {
            return None;
        }
        Self::ALL.get(row * Self::COLUMNS + column).copied()
    }

    /// Row and column, from the top left.
    pub const fn place(self) -> (usize, usize) {
        let index = self as usize;
        (index / Self::COLUMNS, index % Self::COLUMNS)
    }

    /// What is printed large on the key.
    pub const fn legend(self) -> &'static str {
        match self {
            Self::Zero => "0",
            Self::One => "1",
            Self::Two => "2",
            Self::Three => "3",
            Self::Four => "4",
            Self::Five => "5",
            Self::Six => "6",
            Self::Seven => "7",
            Self::Eight => "8",
            Self::Nine => "9",
            Self::Spades => "\u{2660}",
            Self::Hearts => "\u{2665}",
            Self::Diamonds => "\u{2666}",
            Self::Clubs => "\u{2663}",
            Self::NoTrump => "NT",
            Self::North => "N",
            Self::East => "E",
            Self::South => "S",
            Self::West => "W",
            Self::Double => "X",
            Self::Redouble => "XX",
            Self::Pass => "PASS",
            Self::NotPlayed => "NP",
            Self::Call => "CALL",
            Self::Plus => "+",
            Self::Minus => "-",
            Self::Equal => "=",
            Self::Clear => "CLEAR",
            Self::Back => "BACK",
            Self::Up => "\u{25b2}",
            Self::Down => "\u{25bc}",
            Self::Left => "\u{25c4}",
            Self::Right => "\u{25ba}",
            Self::Director => "DIRECTOR",
            Self::Ok => "OK",
            Self::Accept => "ACCEPT",
        }
    }

    /// What is printed small on the key: a rank in the right-hand column, else a letter.
    ///
    /// Where a letter is asked for the small legend counts, so that every letter has one key.
    pub const fn small_legend(self) -> Option<char> {
        Some(match self {
            Self::Double => 'A',
            Self::Redouble => 'K',
            Self::Pass => 'Q',
            Self::NotPlayed => 'J',
            Self::Call => 'T',
            Self::Hearts => 'H',
            Self::Diamonds => 'D',
            Self::Clubs => 'C',
            Self::NoTrump => 'Z',
            // B and F are not on digits, so that a club key can be typed in hexadecimal.
            Self::Plus => 'B',
            Self::Minus => 'F',
            Self::Equal => 'Y',
            Self::One => 'G',
            Self::Two => 'I',
            Self::Three => 'L',
            Self::Four => 'M',
            Self::Five => 'O',
            Self::Six => 'P',
            Self::Seven => 'R',
            Self::Eight => 'U',
            Self::Nine => 'V',
            Self::Zero => 'X',
            _ => return None,
        })
    }

    /// The digit, 0 to 9.
    pub const fn digit(self) -> Option<u8> {
        Some(match self {
            Self::Zero => 0,
            Self::One => 1,
            Self::Two => 2,
            Self::Three => 3,
            Self::Four => 4,
            Self::Five => 5,
            Self::Six => 6,
            Self::Seven => 7,
            Self::Eight => 8,
            Self::Nine => 9,
            _ => return None,
        })
    }

    /// The letter where a section is asked for.
    pub fn letter(self) -> Option<SectionLetter> {
        self.small_legend()
            .or_else(|| self.seat().map(Seat::letter))
            .and_then(SectionLetter::new)
    }

    /// The value where a hexadecimal digit is asked for: digits, and the letters A to F.
    pub fn hexadecimal(self) -> Option<u8> {
        self.digit().or_else(|| {
            let value = self.letter()?.letter().to_digit(16)?;
            u8::try_from(value).ok()
        })
    }

    /// The suit.
    pub const fn suit(self) -> Option<Suit> {
        Some(match self {
            Self::Spades => Suit::Spades,
            Self::Hearts => Suit::Hearts,
            Self::Diamonds => Suit::Diamonds,
            Self::Clubs => Suit::Clubs,
            _ => return None,
        })
    }

    /// The strain: a suit or no-trump.
    pub fn strain(self) -> Option<Strain> {
        match self {
            Self::NoTrump => Some(Strain::NoTrump),
            _ => self.suit().map(Strain::from),
        }
    }

    /// The seat.
    pub const fn seat(self) -> Option<Seat> {
        Some(match self {
            Self::North => Seat::North,
            Self::East => Seat::East,
            Self::South => Seat::South,
            Self::West => Seat::West,
            _ => return None,
        })
    }

    /// The rank where a card is asked for: 2 to 9, the small legends A K Q J T, and 1 for the
    /// ten (a 0 typed behind it is swallowed).
    pub fn rank(self) -> Option<Rank> {
        match self {
            Self::One => Some(Rank::TEN),
            Self::Double | Self::Redouble | Self::Pass | Self::NotPlayed | Self::Call => {
                self.small_legend().and_then(Rank::from_char)
            }
            _ => self.digit().and_then(Rank::new),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_letter_of_the_alphabet_has_exactly_one_key() {
        for letter in 'A'..='Z' {
            let keys = Key::ALL
                .into_iter()
                .filter(|key| key.letter().map(SectionLetter::letter) == Some(letter));
            assert_eq!(keys.count(), 1, "{letter}");
        }
    }

    #[test]
    fn every_rank_and_every_hexadecimal_digit_has_a_key() {
        for rank in (2..=14).filter_map(Rank::new) {
            assert!(
                Key::ALL.into_iter().any(|key| key.rank() == Some(rank)),
                "{rank}"
            );
        }
        for value in 0..16 {
            let keys = Key::ALL
                .into_iter()
                .filter(|key| key.hexadecimal() == Some(value));
            assert_eq!(keys.count(), 1, "{value:X}");
        }
    }

    #[test]
    fn keys_are_where_the_matrix_says() {
        for key in Key::ALL {
            let (row, column) = key.place();
            assert_eq!(Key::at(row, column), Some(key));
        }
        assert_eq!(Key::at(0, 6), None);
        assert_eq!(Key::at(6, 0), None);
    }
}
