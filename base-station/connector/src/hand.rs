//! The cards of a board, and back.

use protocol::message::{HandRecord, TricksTable};
use protocol::words::{BoardNumber, Card, Deal, Hand, Rank, Seat, Strain, Suit, Tricks};

use crate::Fault;
use crate::data::Handrecord;

/// Reads the cards of a board.
pub fn read(written: &Handrecord) -> Result<HandRecord, Fault> {
    let number = written.board_number;
    let wrong = |why: &str| Fault::invalid(format!("the cards of board {number}: {why}"));
    let board = u8::try_from(number).ok().and_then(BoardNumber::new);
    let board = board.ok_or_else(|| wrong("BoardNumber must be 1 to 255"))?;
    let mut copy = written.clone();
    let mut hands = [Hand::EMPTY; 4];
    for (hand, suits) in hands.iter_mut().zip(copy.suits_mut()) {
        for (suit, cards) in Suit::ALL.into_iter().zip(suits) {
            for letter in cards.chars() {
                let rank = Rank::from_char(letter).filter(|_| !letter.is_lowercase());
                let rank = rank.ok_or_else(|| wrong("cards are written AKQJT98765432"))?;
                if !hand.insert(Card { suit, rank }) {
                    return Err(wrong("a card is there twice"));
                }
            }
        }
    }
    let deal = Deal::new(hands);
    let deal = deal.ok_or_else(|| wrong("expected 13 different cards in each of four hands"))?;
    let tricks = if written.has_hand_evaluation_data {
        Some(read_tricks(&mut copy).ok_or_else(|| wrong("tricks are 0 to 13"))?)
    } else {
        None
    };
    Ok(HandRecord {
        board,
        deal: (&deal).into(),
        tricks,
        par: None,
    })
}

fn read_tricks(written: &mut Handrecord) -> Option<TricksTable> {
    let mut all = Vec::with_capacity(20);
    for tricks in written.tricks_mut().into_iter().flatten() {
        all.push(u8::try_from(*tricks).ok().and_then(Tricks::new)?);
    }
    let mut all = all.into_iter();
    Some(TricksTable::from_fn(|_, _| {
        all.next().unwrap_or(Tricks::MIN)
    }))
}

/// Writes the cards of a board into a record that has its place already.
pub fn write(written: &mut Handrecord, record: &HandRecord) {
    written.board_number = record.board.get().into();
    let Ok(deal) = Deal::try_from(record.deal) else {
        return;
    };
    for (seat, suits) in Seat::ALL.into_iter().zip(written.suits_mut()) {
        for (suit, cards) in Suit::ALL.into_iter().zip(suits) {
            *cards = deal.hand(seat).suit(suit).map(Rank::letter).collect();
        }
    }
    let Some(table) = record.tricks else { return };
    written.has_hand_evaluation_data = true;
    for (seat, row) in Seat::ALL.into_iter().zip(written.tricks_mut()) {
        for (strain, tricks) in Strain::ALL.into_iter().zip(row) {
            *tricks = table.get(seat, strain).map_or(0, |it| it.get().into());
        }
    }
}
