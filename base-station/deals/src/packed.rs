//! The files of dealing machines, in records of one length: BRI, DGE, DUP, CDS and RZD.
//!
//! | format | bytes a board | what is in them |
//! |---|---|---|
//! | BRI | 128 | 39 numbers of two digits: the cards of North, East and South; spaces and zeros |
//! | DGE | 128 | 68 characters: North to West, ranks behind marks of suits; zeros |
//! | DUP | 156 | BRI's 78 digits, DGE's 68 characters, 10 about the set |
//! | CDS | 14 | the board's number; two bits a card, all aces first: West 0, North 1, East 2, South 3 |
//! | RZD | 13 | after a head of 13 with the number of boards: two bits a card, North 0 to West 3 |

use protocol::words::{BoardNumber, Card, Deal, Rank, Seat, Suit};

use super::collect::{Collector, Dealing, SUITS, card_from_top, refuse};
use super::error::{At, DealFileError, Problem};
use super::{Deals, Format};

const BRI_LEN: usize = 128;
const DGE_LEN: usize = 128;
const DUP_LEN: usize = 156;
const CDS_LEN: usize = 14;
const RZD_LEN: usize = 13;
const RZD_HEAD_LEN: usize = 13;
const DIGITS: usize = 78;
const MARKED: usize = 68;

pub(super) fn recognise(bytes: &[u8]) -> Option<Format> {
    let count = |range: std::ops::Range<usize>, like: fn(&u8) -> bool| {
        let part = bytes.get(range.start.min(bytes.len())..range.end.min(bytes.len()));
        part.map_or(0, |part| part.iter().filter(|byte| like(byte)).count())
    };
    if count(0..DIGITS, u8::is_ascii_digit) >= 70
        && count(0..bytes.len(), |byte| *byte == 0 || *byte == b' ') > 0
    {
        let spaces = count(DIGITS..110, |byte| *byte == b' ');
        return Some(if spaces >= 24 {
            Format::Bri
        } else {
            Format::Dup
        });
    }
    if count(0..MARKED, |byte| suit_of_mark(*byte).is_some()) >= 12
        && count(0..MARKED, |byte| {
            Rank::from_char(char::from(*byte)).is_some()
        }) >= 40
    {
        return Some(Format::Dge);
    }
    let said = rzd_boards(bytes)?;
    let there = bytes.len().checked_sub(RZD_HEAD_LEN)?;
    let spaces = count(2..RZD_HEAD_LEN, |byte| *byte == b' ');
    (said > 0 && said * RZD_LEN == there || spaces >= 9 && there > 0).then_some(Format::Rzd)
}

/// CDS has no sign of its own: boards in records whose numbers follow each other.
pub(super) fn is_cds(bytes: &[u8]) -> bool {
    let numbers: Vec<u8> = (bytes.chunks(CDS_LEN))
        .filter_map(|record| record.first().copied())
        .collect();
    let first = |record: &[u8]| two_bits(record, CDS_SEATS).is_ok();
    if numbers.len() < 4 {
        return bytes.len().is_multiple_of(CDS_LEN)
            && bytes
                .chunks(CDS_LEN)
                .all(|record| record.first() != Some(&0) && record.get(1..).is_some_and(first))
            && !bytes.is_empty();
    }
    let follow = numbers
        .iter()
        .zip(numbers.iter().skip(1))
        .filter(|(one, next)| one.checked_add(1) == Some(**next));
    follow.count() * 2 >= numbers.len()
}

pub(super) fn read_bri(bytes: &[u8]) -> Result<Deals, DealFileError> {
    in_order(bytes, BRI_LEN, DIGITS, BoardNumber::MIN, numbers)
}

pub(super) fn read_dge(bytes: &[u8]) -> Result<Deals, DealFileError> {
    in_order(bytes, DGE_LEN, MARKED, BoardNumber::MIN, marked)
}

pub(super) fn read_dup(bytes: &[u8]) -> Result<Deals, DealFileError> {
    let first = first_of_set(bytes)?;
    in_order(bytes, DUP_LEN, DIGITS + MARKED, first, |record| {
        let (digits, rest) = record.split_at_checked(DIGITS).unwrap_or((record, &[]));
        let deal = numbers(digits)?;
        // The same cards again: a damaged byte in either half is noticed.
        match marked(rest.get(..MARKED).unwrap_or(rest)) {
            Ok(again) if again == deal => Ok(deal),
            Ok(_) => Err(Problem::ListsDiffer),
            Err(problem) => Err(problem),
        }
    })
}

pub(super) fn read_rzd(bytes: &[u8]) -> Result<Deals, DealFileError> {
    let said = rzd_boards(bytes).unwrap_or_default();
    let body = bytes.get(RZD_HEAD_LEN..).unwrap_or_default();
    let there = body.len() / RZD_LEN;
    if there < said {
        return Err(refuse(At::File, None, Problem::FewerBoards { said, there }));
    }
    let body = body.get(..said * RZD_LEN).unwrap_or(body);
    in_order(body, RZD_LEN, RZD_LEN, BoardNumber::MIN, |record| {
        two_bits(record, Seat::ALL)
    })
    .map_err(|mut refusal| {
        if let At::Byte(byte) = &mut refusal.at {
            *byte += RZD_HEAD_LEN;
        }
        refusal
    })
}

pub(super) fn read_cds(bytes: &[u8]) -> Result<Deals, DealFileError> {
    let mut boards = Collector::default();
    for (record, index) in bytes.chunks(CDS_LEN).zip(0..) {
        let at = At::Byte(index * CDS_LEN + 1);
        let number = record.first().copied().unwrap_or_default();
        let board = BoardNumber::new(number)
            .ok_or_else(|| refuse(at, None, Problem::BadBoard(number.to_string())))?;
        let cards = record.get(1..CDS_LEN).ok_or(Problem::BoardCutShort);
        let deal = cards.and_then(|cards| two_bits(cards, CDS_SEATS));
        let deal = deal.map_err(|problem| refuse(at, Some(board), problem))?;
        boards.take(at, board, deal)?;
    }
    boards.done()
}

const CDS_SEATS: [Seat; 4] = [Seat::West, Seat::North, Seat::East, Seat::South];

fn rzd_boards(bytes: &[u8]) -> Option<usize> {
    let count = bytes.first_chunk::<2>()?;
    Some(usize::from(u16::from_le_bytes(*count)))
}

/// Records that hold a board each, numbered one after the other. The last one may lack what is
/// behind its cards.
fn in_order(
    bytes: &[u8],
    length: usize,
    needed: usize,
    first: BoardNumber,
    read: impl Fn(&[u8]) -> Result<Deal, Problem>,
) -> Result<Deals, DealFileError> {
    let mut boards = Collector::default();
    let mut number = Some(first);
    for (record, index) in bytes.chunks(length).zip(0..) {
        let at = At::Byte(index * length + 1);
        // Old disk systems filled the last block with zeros or with their sign of the end.
        if record.iter().all(|byte| matches!(byte, 0 | 0x1A)) {
            continue;
        }
        let board = number.ok_or_else(|| refuse(at, None, Problem::BadBoard("256".to_owned())))?;
        let deal = if record.len() < needed {
            Err(Problem::BoardCutShort)
        } else {
            read(record)
        };
        let deal = deal.map_err(|problem| refuse(at, Some(board), problem))?;
        boards.take(at, board, deal)?;
        number = board.next();
    }
    boards.done()
}

/// BRI's numbers: 1 is the ace of spades, 52 the two of clubs. West has what is left.
fn numbers(record: &[u8]) -> Result<Deal, Problem> {
    let mut dealing = Dealing::default();
    let digits = record.get(..DIGITS).unwrap_or(record);
    for (pair, place) in digits.chunks(2).zip(0..) {
        let text = String::from_utf8_lossy(pair);
        let number: Option<u8> = text.trim().parse().ok();
        let card = number
            .and_then(|number| number.checked_sub(1))
            .and_then(card_from_top)
            .ok_or_else(|| Problem::BadCard(text.into_owned()))?;
        dealing.give(Seat::from_index(place / 13), card)?;
    }
    dealing.give_rest(Seat::West);
    dealing.whole()
}

/// DGE's ranks behind marks: each hand begins with its spades.
fn marked(record: &[u8]) -> Result<Deal, Problem> {
    let mut dealing = Dealing::default();
    let mut seats = Seat::ALL.into_iter();
    let mut hand: Option<(Seat, Suit)> = None;
    let mut marks = 0;
    for byte in record.get(..MARKED).unwrap_or(record) {
        let bad = || Problem::BadCard(char::from(*byte).to_string());
        if let Some(suit) = suit_of_mark(*byte) {
            // Marks stand in one order, so that a mark out of place is a damaged one.
            if SUITS.get(marks % SUITS.len()) != Some(&suit) {
                return Err(bad());
            }
            let seat = match hand {
                Some((seat, _)) if suit != Suit::Spades => seat,
                _ => seats.next().ok_or_else(bad)?,
            };
            hand = Some((seat, suit));
            marks += 1;
        } else {
            let rank = Rank::from_char(char::from(*byte)).ok_or_else(bad)?;
            let (seat, suit) = hand.ok_or_else(bad)?;
            dealing.give(seat, Card { suit, rank })?;
        }
    }
    dealing.whole()
}

const fn suit_of_mark(byte: u8) -> Option<Suit> {
    match byte {
        0x06 => Some(Suit::Spades),
        0x03 => Some(Suit::Hearts),
        0x04 => Some(Suit::Diamonds),
        0x05 => Some(Suit::Clubs),
        _ => None,
    }
}

/// Two bits a card, the high ones first: the four aces from spades down, the four kings, and on.
fn two_bits(record: &[u8], seats: [Seat; 4]) -> Result<Deal, Problem> {
    let mut dealing = Dealing::default();
    for (byte, pips) in record.iter().zip((2..=14).rev()) {
        let Some(rank) = Rank::new(pips) else {
            continue;
        };
        for (suit, shift) in SUITS.into_iter().zip([6, 4, 2, 0]) {
            let seat = seats[usize::from(byte >> shift & 3)];
            dealing.give(seat, Card { suit, rank })?;
        }
    }
    dealing.whole()
}

/// The lowest board, from the last ten bytes of the first record: `YN1  1 32 `.
fn first_of_set(bytes: &[u8]) -> Result<BoardNumber, DealFileError> {
    let about = bytes.get(DIGITS + MARKED..DUP_LEN).unwrap_or_default();
    let number = |range: std::ops::Range<usize>| {
        let text = String::from_utf8_lossy(about.get(range)?);
        text.trim_matches([' ', '\0']).parse::<usize>().ok()
    };
    if about.get(1) == Some(&b'Y') {
        return Err(refuse(At::File, None, Problem::Backwards));
    }
    let first = number(2..5).unwrap_or(1).max(1);
    // Some write the highest board there, some how many there are.
    let said = number(7..10).map_or(0, |last| {
        if last >= first {
            last.min(last + 1 - first)
        } else {
            last
        }
    });
    let there = bytes.len().div_ceil(DUP_LEN);
    if there < said {
        let problem = Problem::FewerBoards { said, there };
        return Err(refuse(At::File, None, problem));
    }
    u8::try_from(first)
        .ok()
        .and_then(BoardNumber::new)
        .ok_or_else(|| refuse(At::Byte(149), None, Problem::BadBoard(first.to_string())))
}
