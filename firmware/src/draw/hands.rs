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

/// Where the three columns begin: West, North and South, East.
const COLUMNS: [i32; 3] = [MARGIN, 136, 269];

/// The end of the last column.
const END: i32 = DISPLAY_WIDTH.cast_signed() - MARGIN;

/// Pixels between two suits in a row.
const GAP: i32 = 8;

/// Pixels that two cards of a suit may stand closer before the suit is set smaller.
const CLOSER_MAX: i32 = 4;

/// What the letter of a seat takes.
const LABEL_WIDTH: i32 = 28;

/// Where the left key ends, and where the right ones begin.
const LEFT_KEY: i32 = 100;
const RIGHT_KEY: i32 = 264;

/// The line between North's hand and South's.
const RULE_TOP: i32 = 118;

/// Where the letters of West and East stand: above their hands. Those of North and South stand
/// before their first suit and their third.
const fn label(seat: Seat) -> Option<Point> {
    match seat {
        Seat::West => Some(Point::new(COLUMNS[0], 4 + SUIT_HEIGHT)),
        Seat::East => Some(Point::new(COLUMNS[2] + 5, 4 + SUIT_HEIGHT)),
        Seat::North | Seat::South => None,
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
        if let Some(at) = label(seat) {
            seat_at(target, seat, at, language)?;
        }
    }
    for row in 0..ROWS {
        let placed = row_of(&deal, row, title);
        for suit in placed.iter().flatten() {
            let lower = (Type::Normal.capitals() - suit.size.capitals()) / 2;
            closer(target, suit, suit.at + Point::new(0, lower))?;
        }
        let before = placed[1]
            .as_ref()
            .map(|suit| suit.at - Point::new(LABEL_WIDTH, 0));
        let seat = match row {
            0 => Some(Seat::North),
            SOUTHS_LETTER => Some(Seat::South),
            _ => None,
        };
        if let Some((seat, at)) = seat.zip(before) {
            seat_at(target, seat, at, language)?;
        }
    }
    let rule = Rectangle::new(Point::new(136, RULE_TOP), Size::new(126, 2));
    fill(target, rule)?;
    let [left, middle, right] = &screen.hints;
    let bottom = DISPLAY_HEIGHT.cast_signed() - 34;
    let key = Rectangle::new(
        Point::new(0, bottom),
        Size::new(LEFT_KEY.cast_unsigned(), 34),
    );
    fill(target, key)?;
    text(
        target,
        left,
        Point::new(MARGIN, bottom + 4),
        Type::Normal,
        Ink::White,
    )?;
    let keys = Rectangle::new(Point::new(RIGHT_KEY, bottom), Size::new(136, 34));
    fill(target, keys)?;
    text(
        target,
        middle,
        Point::new(RIGHT_KEY + 3, bottom + 4),
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

/// A seat's letter, white on black.
fn seat_at<D>(target: &mut D, seat: Seat, at: Point, language: Language) -> Result<(), D::Error>
where
    D: DrawTarget<Color = BinaryColor>,
{
    fill(
        target,
        Rectangle::new(at - Point::new(2, 2), Size::new(26, 28)),
    )?;
    let letter: String<4> = crate::texts::fill("{}", &[&seat_letter(seat, language)]);
    let middle = (22 - width(&letter, Type::Normal)) / 2;
    let at = at + Point::new(middle, 0);
    text(target, &letter, at, Type::Normal, Ink::White)
}

/// Suits of North, then those of South.
const ROWS: i32 = 8;

/// The row before which South's letter stands: beside the last one are the keys.
const SOUTHS_LETTER: i32 = 6;

/// A suit of a hand, and where it stands.
struct Placed {
    line: String<32>,
    at: Point,
    /// The widest that it may be.
    room: i32,
    size: Type,
}

impl Placed {
    fn new(line: String<32>, at: Point, room: i32) -> Self {
        let size = if closest(&line) <= room {
            Type::Normal
        } else {
            Type::Small
        };
        Self {
            line,
            at,
            room,
            size,
        }
    }
}

/// What stands in a row: West's suit, North's or South's, East's. Every suit begins where its
/// column does, unless a long one needs room: that it takes from where its neighbours leave some.
fn row_of(deal: &Deal, row: i32, title: i32) -> [Option<Placed>; 3] {
    let (middle, suit) = if row < 4 {
        (Seat::North, row)
    } else {
        (Seat::South, row - 4)
    };
    let lower = if row < 4 { 4 } else { 8 };
    let middle = line(deal.hand(middle), suit);
    let top = lower + row * SUIT_HEIGHT;
    // West's and East's lie beside two of North's and two of South's.
    if !(2..6).contains(&row) {
        let (first, end) = match row {
            0 => (COLUMNS[0] + LABEL_WIDTH, title - GAP),
            1 => (COLUMNS[0] + LABEL_WIDTH + GAP, COLUMNS[2] - GAP),
            SOUTHS_LETTER => (COLUMNS[0] + LABEL_WIDTH, END),
            _ => (LEFT_KEY + GAP / 2, RIGHT_KEY - GAP / 2),
        };
        let left = COLUMNS[1].min(end - closest(&middle)).max(first);
        let middle = Placed::new(middle, Point::new(left, top), end - left);
        return [None, Some(middle), None];
    }
    let west = line(deal.hand(Seat::West), row - 2);
    let east = line(deal.hand(Seat::East), row - 2);
    let side = 4 + row * SUIT_HEIGHT;
    // Where all three are too long, the longest is set smaller.
    let lines = [&west, &middle, &east];
    let mut needs = lines.map(|line| closest(line));
    while needs.iter().sum::<i32>() > END - COLUMNS[0] - 2 * GAP {
        let all = needs.iter_mut().zip(lines);
        let large = all.filter(|(need, line)| **need == closest(line));
        let longest = large.max_by_key(|(need, line)| (gaps(line), **need));
        let Some((need, line)) = longest else {
            break;
        };
        *need = width(line, Type::Small) - 1;
    }
    let first = COLUMNS[0] + needs[0] + GAP;
    let right = COLUMNS[2].max(first + needs[1] + GAP).min(END - needs[2]);
    let left = COLUMNS[1].min(right - GAP - needs[1]).max(first);
    [
        Some(Placed::new(
            west,
            Point::new(COLUMNS[0], side),
            left - GAP - COLUMNS[0],
        )),
        Some(Placed::new(
            middle,
            Point::new(left, top),
            right - GAP - left,
        )),
        Some(Placed::new(east, Point::new(right, side), END - right)),
    ]
}

/// A suit of a hand, spades first, as it is printed on the cards.
fn line(hand: Hand, suit: i32) -> String<32> {
    let mut line: String<32> = String::new();
    let suits = Suit::ALL.into_iter().rev();
    let Some((_, suit)) = (0..).zip(suits).find(|(row, _)| *row == suit) else {
        return line;
    };
    // A suit has at most thirteen cards: the line always fits.
    let _ = write!(line, "{}", suit_symbol(suit));
    let mut cards = 0;
    for rank in hand.suit(suit) {
        let _ = match rank.get() {
            10 => write!(line, "10"),
            _ => write!(line, "{rank}"),
        };
        cards += 1;
    }
    if cards == 0 {
        let _ = line.push('–');
    }
    line
}

/// The least that a suit needs in letters as large as elsewhere.
fn closest(line: &str) -> i32 {
    width(line, Type::Normal) - gaps(line) * CLOSER_MAX
}

fn gaps(line: &str) -> i32 {
    i32::try_from(line.chars().count()).unwrap_or(1) - 1
}

/// A suit, its cards as close as they must stand.
fn closer<D>(target: &mut D, suit: &Placed, at: Point) -> Result<(), D::Error>
where
    D: DrawTarget<Color = BinaryColor>,
{
    let (gaps, size) = (gaps(&suit.line), suit.size);
    let squeeze = (width(&suit.line, size) - suit.room).max(0);
    let mut left = 0;
    for (index, letter) in (0..).zip(suit.line.chars()) {
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
#[expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "tests may fail"
)]
mod tests {
    use super::*;
    use protocol::words::Card;

    /// Where the title begins when it is as long as it gets.
    const TITLE: i32 = 290;

    /// Cards dealt by a seed.
    fn dealt(seed: u64) -> Deal {
        let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let mut cards: [u8; 52] = core::array::from_fn(|index| u8::try_from(index).unwrap_or(0));
        for last in (1..cards.len()).rev() {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let other = usize::try_from(state >> 33).unwrap_or(0) % (last + 1);
            cards.swap(last, other);
        }
        let mut hands = [Hand::default(); 4];
        for (place, card) in cards.into_iter().enumerate() {
            let card = Card::from_index(card).expect("one of 52");
            hands[place % 4].insert(card);
        }
        Deal::new(hands).expect("every card once")
    }

    #[test]
    fn point_13_the_cards_of_a_hand_are_as_large_as_what_else_is_read_and_never_overlap() {
        let (mut smaller, mut suits) = (0, 0);
        for seed in 1..=5_000 {
            let deal = dealt(seed);
            for row in 0..ROWS {
                let placed = row_of(&deal, row, TITLE);
                let mut end = 0;
                for suit in placed.iter().flatten() {
                    suits += 1;
                    assert!(suit.at.x >= end, "deal {seed}, row {row}: {}", suit.line);
                    let taken = width(&suit.line, suit.size).min(suit.room);
                    end = suit.at.x + taken;
                    assert!(end <= END, "deal {seed}, row {row}: {}", suit.line);
                    if suit.size != Type::Normal {
                        smaller += 1;
                    }
                }
            }
        }
        assert_eq!(suits, 5_000 * 16);
        // Long ones in a row of long ones: fewer than one suit in 800.
        assert!(smaller < suits / 800, "{smaller} of {suits}");
    }
}
