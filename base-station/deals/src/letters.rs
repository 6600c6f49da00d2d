//! BER and BHG: a character for each card.

use protocol::words::Seat;

use super::collect::{Collector, Dealing, card_from_top, in_line, refuse};
use super::error::{At, DealFileError, Problem};
use super::{Deals, Format};

const CARDS: usize = 52;

/// A few wrong characters don't make it another format.
pub(super) fn recognise(bytes: &[u8]) -> Option<Format> {
    let head = &bytes[..bytes.len().min(1024)];
    let signs: Vec<u8> = head
        .iter()
        .copied()
        .filter(|byte| !byte.is_ascii_whitespace())
        .collect();
    if signs.len() + 8 < CARDS {
        return None;
    }
    let most = |like: fn(&u8) -> bool| signs.iter().filter(|byte| like(byte)).count() * 10;
    if most(|byte| matches!(byte, b'1'..=b'4')) >= signs.len() * 9 {
        return Some(Format::Ber);
    }
    // Letters alone, in long words: no language has them.
    let words = head
        .split(u8::is_ascii_whitespace)
        .filter(|word| !word.is_empty())
        .count();
    (most(u8::is_ascii_alphabetic) >= signs.len() * 9 && words * 40 <= signs.len())
        .then_some(Format::Bhg)
}

/// BER: who has the ace of spades, the king, and so on down to the two of clubs.
pub(super) fn read_owners(bytes: &[u8]) -> Result<Deals, DealFileError> {
    let signs: Vec<(usize, u8)> = (1..)
        .zip(bytes.iter().copied())
        .filter(|(_, byte)| !byte.is_ascii_whitespace())
        .collect();
    let mut boards = Collector::default();
    for signs in signs.chunks(CARDS) {
        let first = At::Byte(signs.first().map_or(0, |(at, _)| *at));
        let number = boards.next_number(first)?;
        if signs.len() != CARDS {
            return Err(refuse(first, Some(number), Problem::BoardCutShort));
        }
        let mut dealing = Dealing::default();
        for ((at, sign), index) in signs.iter().zip(0..) {
            let seat = match sign {
                b'1' => Seat::North,
                b'2' => Seat::East,
                b'3' => Seat::South,
                b'4' => Seat::West,
                _ => return Err(refuse(At::Byte(*at), Some(number), bad_card(*sign))),
            };
            if let Some(card) = card_from_top(index) {
                let given = dealing.give(seat, card);
                given.map_err(|problem| refuse(At::Byte(*at), Some(number), problem))?;
            }
        }
        let deal = dealing.whole();
        let deal = deal.map_err(|problem| refuse(first, Some(number), problem))?;
        boards.take(first, number, deal)?;
    }
    boards.done()
}

/// BHG: a line a board, thirteen letters for each hand, the dealer's first and then clockwise.
pub(super) fn read_hands(bytes: &[u8]) -> Result<Deals, DealFileError> {
    let mut boards = Collector::default();
    for (line, text) in (1..).zip(bytes.split(|byte| *byte == b'\n')) {
        let text = text.trim_ascii();
        if text.is_empty() {
            continue;
        }
        let at = in_line(line);
        let number = boards.next_number(at)?;
        let refuse = |problem| refuse(at, Some(number), problem);
        let mut dealing = Dealing::default();
        for (letter, place) in text.iter().zip(0_usize..) {
            let turns = u8::try_from(place / 13).unwrap_or(u8::MAX);
            let seat = (turns < 4).then(|| Seat::from_index(number.dealer().index() + turns));
            let index = match letter {
                b'A'..=b'Z' => Some(letter - b'A'),
                b'a'..=b'z' => Some(letter - b'a' + 26),
                _ => None,
            };
            let card = index.and_then(card_from_top);
            let card = card.ok_or_else(|| refuse(bad_card(*letter)))?;
            let seat = seat.ok_or_else(|| refuse(bad_card(*letter)))?;
            dealing.give(seat, card).map_err(refuse)?;
        }
        if text.len() < CARDS {
            return Err(refuse(Problem::BoardCutShort));
        }
        boards.take(at, number, dealing.whole().map_err(refuse)?)?;
    }
    boards.done()
}

fn bad_card(sign: u8) -> Problem {
    Problem::BadCard(char::from(sign).to_string())
}
