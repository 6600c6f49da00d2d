//! The four hands of a board: North and South at the left, East and West at the right.

use core::fmt::Write;

use embedded_graphics::pixelcolor::BinaryColor;
use embedded_graphics::prelude::{DrawTarget, Point, Size};
use embedded_graphics::primitives::Rectangle;
use heapless::String;
use protocol::message::HandRecord;
use protocol::words::{Deal, Seat, Suit};

use super::letters::{Ink, Type, text};
use super::{BODY_TOP, fill};

/// Where a hand begins.
const fn corner(seat: Seat) -> Point {
    match seat {
        Seat::North => Point::new(0, BODY_TOP),
        Seat::East => Point::new(200, BODY_TOP),
        Seat::South => Point::new(0, BODY_TOP + 80),
        Seat::West => Point::new(200, BODY_TOP + 80),
    }
}

/// Pixels from one suit to the next.
const SUIT_HEIGHT: i32 = 20;

pub(super) fn draw<D>(record: &HandRecord, target: &mut D) -> Result<(), D::Error>
where
    D: DrawTarget<Color = BinaryColor>,
{
    let Ok(deal) = Deal::try_from(record.deal) else {
        return Ok(());
    };
    for seat in Seat::ALL {
        let at = corner(seat);
        fill(target, Rectangle::new(at, Size::new(20, 78)))?;
        let letter: String<4> = crate::texts::fill("{}", &[&seat]);
        text(
            target,
            &letter,
            at + Point::new(1, 20),
            Type::Normal,
            Ink::White,
        )?;
        for (row, suit) in (0..).zip(Suit::ALL.into_iter().rev()) {
            let mut line: String<32> = String::new();
            // A suit has at most thirteen cards: the line always fits.
            let _ = write!(line, "{}", suit_symbol(suit));
            for rank in deal.hand(seat).suit(suit) {
                let _ = write!(line, "{rank}");
            }
            let top = at + Point::new(24, row * SUIT_HEIGHT);
            text(target, &line, top, Type::Small, Ink::Black)?;
        }
    }
    Ok(())
}

const fn suit_symbol(suit: Suit) -> char {
    match suit {
        Suit::Clubs => '♣',
        Suit::Diamonds => '♦',
        Suit::Hearts => '♥',
        Suit::Spades => '♠',
    }
}
