//! Gives out cards one by one, and gathers boards into deals; what every format needs.

use std::collections::BTreeMap;

use protocol::words::{BoardNumber, Card, Deal, Hand, Rank, Seat, Suit, Vulnerability};

use super::error::{At, DealFileError, Place, Problem};
use super::{Deals, DealtBoard};

/// Suits in the order in which every deal file has them.
pub(super) const SUITS: [Suit; 4] = [Suit::Spades, Suit::Hearts, Suit::Diamonds, Suit::Clubs];

/// The card at 0 (ace of spades) to 51 (two of clubs): suits as above, high ranks first.
pub(super) fn card_from_top(index: u8) -> Option<Card> {
    let suit = *SUITS.get(usize::from(index / 13))?;
    let rank = Rank::new(14 - index % 13)?;
    Some(Card { suit, rank })
}

/// A board that is being dealt.
#[derive(Default)]
pub(super) struct Dealing([Hand; 4]);

impl Dealing {
    pub(super) fn give(&mut self, seat: Seat, card: Card) -> Result<(), Problem> {
        if let Some(first) = self.holder(card) {
            let second = seat;
            return Err(Problem::CardTwice {
                card,
                first,
                second,
            });
        }
        self.0[usize::from(seat.index())].insert(card);
        Ok(())
    }

    /// One suit of a hand, as letters: `AQT7`, `AQ107`, empty or a dash for a void.
    pub(super) fn give_suit(&mut self, seat: Seat, suit: Suit, ranks: &str) -> Result<(), Problem> {
        let ranks = ranks.trim();
        if matches!(ranks, "-" | "--" | "—") {
            return Ok(());
        }
        let mut letters = ranks.chars().peekable();
        while let Some(letter) = letters.next() {
            let rank = match letter {
                '1' if letters.next_if_eq(&'0').is_some() => Some(Rank::TEN),
                _ => Rank::from_char(letter),
            };
            let rank = rank.ok_or(Problem::BadRank { seat, letter })?;
            self.give(seat, Card { suit, rank })?;
        }
        Ok(())
    }

    /// A hand of four suits with dots between: `AK2.QJ3.T98.7654`.
    pub(super) fn give_hand(&mut self, seat: Seat, text: &str) -> Result<(), Problem> {
        let suits = text.split('.').count();
        if suits != SUITS.len() {
            return Err(Problem::Suits { seat, suits });
        }
        for (suit, ranks) in SUITS.into_iter().zip(text.split('.')) {
            self.give_suit(seat, suit, ranks)?;
        }
        Ok(())
    }

    /// Everything that nobody has yet.
    pub(super) fn give_rest(&mut self, seat: Seat) {
        for card in (0..52).filter_map(Card::from_index) {
            if self.holder(card).is_none() {
                self.0[usize::from(seat.index())].insert(card);
            }
        }
    }

    pub(super) fn whole(self) -> Result<Deal, Problem> {
        for seat in Seat::ALL {
            let cards = self.0[usize::from(seat.index())].len();
            if cards != 13 {
                return Err(Problem::CardCount { seat, cards });
            }
        }
        Deal::new(self.0).ok_or(Problem::Hands(4))
    }

    fn holder(&self, card: Card) -> Option<Seat> {
        Seat::ALL
            .into_iter()
            .find(|seat| self.0[usize::from(seat.index())].holds(card))
    }
}

/// Boards on their way into deals.
#[derive(Default)]
pub(super) struct Collector {
    deals: Deals,
    first_lines: BTreeMap<BoardNumber, usize>,
    last: Option<BoardNumber>,
}

impl Collector {
    /// The number of a board that has none in the file: one more than the board before.
    pub(super) fn next_number(&self, at: At) -> Result<BoardNumber, DealFileError> {
        match self.last {
            None => Ok(BoardNumber::MIN),
            Some(board) => board
                .next()
                .ok_or_else(|| refuse(at, None, Problem::BadBoard("256".to_owned()))),
        }
    }

    /// Takes a board. The same cards under the same number again are another table's copy.
    pub(super) fn take(
        &mut self,
        at: At,
        board: BoardNumber,
        deal: Deal,
    ) -> Result<(), DealFileError> {
        let line = match at {
            At::Text(Place { line, .. }) => line,
            At::Byte(byte) => byte,
            At::File => 0,
        };
        if let Some(&first_line) = self.first_lines.get(&board) {
            if self.deals.board(board).is_some_and(|it| it.deal == deal) {
                return Ok(());
            }
            return Err(refuse(at, Some(board), Problem::Twice { first_line }));
        }
        self.first_lines.insert(board, line);
        self.last = Some(board);
        self.deals.put(DealtBoard {
            board,
            deal,
            tricks: None,
            par: None,
        });
        Ok(())
    }

    pub(super) fn done(self) -> Result<Deals, DealFileError> {
        if self.deals.is_empty() {
            return Err(refuse(At::File, None, Problem::NoDeals));
        }
        Ok(self.deals)
    }
}

pub(super) fn refuse(at: At, board: Option<BoardNumber>, problem: Problem) -> DealFileError {
    DealFileError { at, board, problem }
}

/// A line of a text, from 1.
pub(super) const fn in_line(line: usize) -> At {
    At::Text(Place { line, column: 1 })
}

/// Refuses a dealer or a vulnerability that belongs to another board number.
pub(super) fn agree(
    board: BoardNumber,
    dealer: Option<Seat>,
    vulnerable: Option<Vulnerability>,
) -> Result<(), Problem> {
    if let Some(file) = dealer.filter(|file| *file != board.dealer()) {
        let board = board.dealer();
        return Err(Problem::Dealer { file, board });
    }
    if let Some(file) = vulnerable.filter(|file| *file != board.vulnerability()) {
        let board = board.vulnerability();
        return Err(Problem::Vulnerable { file, board });
    }
    Ok(())
}
