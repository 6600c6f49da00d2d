//! Reads the cards of a deal: `N:AK2.QJ3.T98.7654 ...`, hands clockwise, spades first.

use protocol::words::{Card, Deal, Hand, Rank, Seat, Suit};

use super::error::Problem;

/// Suits in the order in which a deal file writes them.
const SUITS: [Suit; 4] = [Suit::Spades, Suit::Hearts, Suit::Diamonds, Suit::Clubs];

/// The deal, or what is wrong and at which character of the text.
pub(super) fn deal(text: &str) -> Result<Deal, (usize, Problem)> {
    let first = text
        .chars()
        .next()
        .filter(|_| text.chars().nth(1) == Some(':'))
        .and_then(|letter| letter.to_string().parse::<Seat>().ok())
        .ok_or((0, Problem::FirstSeat))?;
    let hands: Vec<(usize, &str)> = words(text).collect();
    if hands.len() != 4 {
        return Err((0, Problem::Hands(hands.len())));
    }
    let mut seat = first;
    let mut dealt = [Hand::EMPTY; 4];
    for (offset, hand) in hands {
        if hand == "-" {
            return Err((offset, Problem::HandLeftOut(seat)));
        }
        read_hand(seat, hand, offset, &mut dealt)?;
        seat = seat.left();
    }
    Deal::new(dealt).ok_or((0, Problem::Hands(4)))
}

/// The words behind the seat's colon, each with its offset in characters.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let body = text.get(2..).unwrap_or_default();
    body.split_whitespace().map(move |word| {
        let bytes = word.as_ptr() as usize - body.as_ptr() as usize;
        let before = body.get(..bytes).unwrap_or_default();
        (2 + before.chars().count(), word)
    })
}

fn read_hand(
    seat: Seat,
    text: &str,
    offset: usize,
    dealt: &mut [Hand; 4],
) -> Result<(), (usize, Problem)> {
    let suits = text.split('.').count();
    if suits != 4 {
        return Err((offset, Problem::Suits { seat, suits }));
    }
    let mut at = offset;
    let mut cards = 0;
    for (suit, ranks) in SUITS.into_iter().zip(text.split('.')) {
        let mut letters = ranks.chars().peekable();
        while let Some(letter) = letters.next() {
            let rank = match letter {
                // Some programs write the ten as on the card.
                '1' if letters.next_if_eq(&'0').is_some() => {
                    at += 1;
                    Some(Rank::TEN)
                }
                _ => Rank::from_char(letter),
            };
            let rank = rank.ok_or((at, Problem::BadRank { seat, letter }))?;
            let card = Card { suit, rank };
            if let Some(first) = Seat::ALL
                .into_iter()
                .find(|other| dealt[usize::from(other.index())].holds(card))
            {
                // A hand of the wrong length explains more than the card that made it so.
                let cards = u32::try_from(count_cards(text)).unwrap_or(u32::MAX);
                return Err(if cards == 13 {
                    let second = seat;
                    (
                        at,
                        Problem::CardTwice {
                            card,
                            first,
                            second,
                        },
                    )
                } else {
                    (offset, Problem::CardCount { seat, cards })
                });
            }
            dealt[usize::from(seat.index())].insert(card);
            cards += 1;
            at += 1;
        }
        at += 1;
    }
    if cards == 13 {
        Ok(())
    } else {
        Err((offset, Problem::CardCount { seat, cards }))
    }
}

fn count_cards(text: &str) -> usize {
    text.replace("10", "T").replace('.', "").chars().count()
}
