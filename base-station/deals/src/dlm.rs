//! DLM: the text file of a dealing machine. `Board 07=` and 26 letters, each of which says who
//! has the next two cards (ace of spades first), then a check number.

use protocol::words::{BoardNumber, Seat};

use super::Deals;
use super::collect::{Collector, Dealing, card_from_top, in_line, refuse};
use super::error::{At, DealFileError, Problem};

const LETTERS: usize = 26;

pub(super) fn is_one(head: &str) -> bool {
    let has = |words: &str| {
        head.lines()
            .any(|line| starts_with_ignoring_case(line.trim(), words))
    };
    has("[Document]") || has("From board=") && has("Board ")
}

fn starts_with_ignoring_case(line: &str, words: &str) -> bool {
    line.get(..words.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(words))
}

/// Only the boards of the set count: the file always has 99.
pub(super) fn read(text: &str) -> Result<Deals, DealFileError> {
    let first = number_of(text, "From board=")?;
    let last = number_of(text, "To board=")?;
    let mut boards = Collector::default();
    let mut there = 0;
    for (line, text) in (1..).zip(text.lines()) {
        let text = text.trim();
        if !starts_with_ignoring_case(text, "Board ") {
            continue;
        }
        let at = in_line(line);
        let damaged = || refuse(at, None, Problem::Damaged(text.chars().take(40).collect()));
        let (name, value) = text.split_once('=').ok_or_else(damaged)?;
        let digits = name.get("Board ".len()..).unwrap_or_default().trim();
        let board: BoardNumber = digits
            .parse()
            .map_err(|_| refuse(at, None, Problem::BadBoard(digits.to_owned())))?;
        let in_set = first.is_none_or(|(_, first)| board >= first)
            && last.is_none_or(|(_, last)| board <= last);
        if !in_set {
            continue;
        }
        let refuse = |problem| refuse(at, Some(board), problem);
        let deal = dealt(board, value.trim()).map_err(refuse)?.whole();
        boards.take(at, board, deal.map_err(refuse)?)?;
        there += 1;
    }
    if let (Some((at, first)), Some((_, last))) = (first, last) {
        let said = usize::from(last.get().saturating_sub(first.get())) + 1;
        if last < first || there < said {
            let problem = Problem::FewerBoards { said, there };
            return Err(refuse(at, None, problem));
        }
    }
    boards.done()
}

fn number_of(text: &str, name: &str) -> Result<Option<(At, BoardNumber)>, DealFileError> {
    let mut lines = (1..).zip(text.lines());
    let Some((line, found)) = lines.find(|(_, line)| starts_with_ignoring_case(line.trim(), name))
    else {
        return Ok(None);
    };
    let value = found.trim().get(name.len()..).unwrap_or_default().trim();
    let number = value.parse();
    let at = in_line(line);
    let number = number.map_err(|_| refuse(at, None, Problem::BadBoard(value.to_owned())))?;
    Ok(Some((at, number)))
}

fn dealt(board: BoardNumber, value: &str) -> Result<Dealing, Problem> {
    let (letters, check) = value
        .split_at_checked(LETTERS)
        .ok_or(Problem::BoardCutShort)?;
    let cards = letters.bytes().fold(board.get(), |sum, byte| sum ^ byte);
    if check.trim().parse() != Ok(cards) {
        let file = check.chars().take(8).collect();
        return Err(Problem::CheckNumber { file, cards });
    }
    let mut dealing = Dealing::default();
    for (letter, place) in letters.chars().zip(0..) {
        let owners = match letter {
            'a'..='p' => letter as u8 - b'a',
            _ => return Err(Problem::BadCard(letter.to_string())),
        };
        for (owner, index) in [owners >> 2, owners & 3].into_iter().zip(place * 2..) {
            if let Some(card) = card_from_top(index) {
                dealing.give(Seat::from_index(owner), card)?;
            }
        }
    }
    Ok(dealing)
}
