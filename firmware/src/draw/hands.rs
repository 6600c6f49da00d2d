//! The four hands of a board as a compass: North above, South below, West at the left and East at
//! the right. The title stands in the free corner above East, the keys in those below.

use core::fmt::Write;

use embedded_graphics::pixelcolor::BinaryColor;
use embedded_graphics::prelude::{DrawTarget, Point, Size};
use embedded_graphics::primitives::Rectangle;
use heapless::String;
use protocol::message::{HandRecord, Language};
use protocol::words::{Deal, Hand, Seat, Suit};

use super::letters::{Ink, Type, text, width};
use super::{DISPLAY_HEIGHT, DISPLAY_WIDTH, MARGIN, fill};
use crate::Screen;
use crate::texts::seat_letter;

/// Pixels from one suit to the next.
const SUIT_HEIGHT: i32 = 29;

/// The widest that a hand may be, so that the next one has room.
const HAND_WIDTH: i32 = 124;

/// Pixels that two cards of a suit may stand closer before the suit is set smaller.
const CLOSER_MAX: i32 = 4;

/// The line between North's hand and South's.
const RULE_TOP: i32 = 118;

/// Where a hand begins: two suits of West and East lie beside North's, two beside South's.
const fn corner(seat: Seat) -> Point {
    match seat {
        Seat::North => Point::new(136, 4),
        Seat::West => Point::new(MARGIN, 4 + 2 * SUIT_HEIGHT),
        Seat::East => Point::new(269, 4 + 2 * SUIT_HEIGHT),
        Seat::South => Point::new(136, 8 + 4 * SUIT_HEIGHT),
    }
}

/// Where the seat's letter stands: on the side from which the player looks.
const fn label(seat: Seat) -> Point {
    match seat {
        Seat::North => Point::new(108, 4),
        Seat::West => Point::new(MARGIN, 4 + SUIT_HEIGHT),
        Seat::East => Point::new(274, 4 + SUIT_HEIGHT),
        Seat::South => Point::new(108, 8 + 7 * SUIT_HEIGHT),
    }
}

pub(super) fn draw<D>(
    screen: &Screen,
    record: &HandRecord,
    language: Language,
    target: &mut D,
) -> Result<(), D::Error>
where
    D: DrawTarget<Color = BinaryColor>,
{
    let Ok(deal) = Deal::try_from(record.deal) else {
        return Ok(());
    };
    let title = DISPLAY_WIDTH.cast_signed() - width(&screen.title, Type::Normal) - MARGIN;
    let title_at = Point::new(title, 4);
    text(target, &screen.title, title_at, Type::Normal, Ink::Black)?;
    for seat in Seat::ALL {
        let at = label(seat);
        let size = Size::new(26, 28);
        fill(target, Rectangle::new(at - Point::new(2, 2), size))?;
        let letter: String<4> = crate::texts::fill("{}", &[&seat_letter(seat, language)]);
        let middle = (22 - width(&letter, Type::Normal)) / 2;
        let at = at + Point::new(middle, 0);
        text(target, &letter, at, Type::Normal, Ink::White)?;
        hand(target, deal.hand(seat), corner(seat))?;
    }
    let rule = Rectangle::new(Point::new(136, RULE_TOP), Size::new(126, 2));
    fill(target, rule)?;
    let [left, middle, right] = &screen.hints;
    let bottom = DISPLAY_HEIGHT.cast_signed() - 34;
    let key = Rectangle::new(Point::new(0, bottom), Size::new(100, 34));
    fill(target, key)?;
    text(
        target,
        left,
        Point::new(MARGIN, bottom + 4),
        Type::Normal,
        Ink::White,
    )?;
    let keys = Rectangle::new(Point::new(264, bottom), Size::new(136, 34));
    fill(target, keys)?;
    text(
        target,
        middle,
        Point::new(267, bottom + 4),
        Type::Normal,
        Ink::White,
    )?;
    let end = DISPLAY_WIDTH.cast_signed() - width(right, Type::Normal) - MARGIN;
    text(
        target,
        right,
        Point::new(end, bottom + 4),
        Type::Normal,
        Ink::White,
    )
}

fn hand<D>(target: &mut D, hand: Hand, corner: Point) -> Result<(), D::Error>
where
    D: DrawTarget<Color = BinaryColor>,
{
    for (row, suit) in (0..).zip(Suit::ALL.into_iter().rev()) {
        let mut line: String<32> = String::new();
        // A suit has at most thirteen cards: the line always fits.
        let _ = write!(line, "{}", suit_symbol(suit));
        let mut cards = 0;
        for rank in hand.suit(suit) {
            // As it is printed on the card.
            let _ = match rank.get() {
                10 => write!(line, "10"),
                _ => write!(line, "{rank}"),
            };
            cards += 1;
        }
        if cards == 0 {
            let _ = line.push('–');
        }
        let top = corner + Point::new(0, row * SUIT_HEIGHT);
        let size = size_of(&line);
        let top = top + Point::new(0, (Type::Normal.capitals() - size.capitals()) / 2);
        closer(target, &line, top, size)?;
    }
    Ok(())
}

/// What is to be read is as large as elsewhere as long as the cards can stand closer.
fn size_of(line: &str) -> Type {
    let gaps = i32::try_from(line.chars().count()).unwrap_or(1) - 1;
    if width(line, Type::Normal) - HAND_WIDTH <= gaps * CLOSER_MAX {
        Type::Normal
    } else {
        Type::Small
    }
}

/// A suit, its cards as close as they must stand.
fn closer<D>(target: &mut D, line: &str, at: Point, size: Type) -> Result<(), D::Error>
where
    D: DrawTarget<Color = BinaryColor>,
{
    let gaps = i32::try_from(line.chars().count()).unwrap_or(1) - 1;
    let squeeze = (width(line, size) - HAND_WIDTH).max(0);
    let mut left = 0;
    for (index, letter) in (0..).zip(line.chars()) {
        let mut one: String<4> = String::new();
        let _ = one.push(letter);
        let place = left - (index * squeeze + gaps - 1) / gaps.max(1);
        text(target, &one, at + Point::new(place, 0), size, Ink::Black)?;
        left += width(&one, size);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn point_13_a_suit_of_five_cards_is_as_large_as_what_else_is_read() {
        for suit in ["♥AKQ83", "♦76432", "♣AKQJ9"] {
            let wide = width(suit, Type::Normal);
            assert_eq!(size_of(suit), Type::Normal, "{suit} is {wide} wide");
        }
        assert_eq!(size_of("♦AKQJ10987"), Type::Small);
    }
}
