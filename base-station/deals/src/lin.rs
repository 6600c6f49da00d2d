//! LIN: two-letter commands and their values between bars. `md` has the dealer and the hands of
//! South, West, North and East; `sv` who is vulnerable; `qx` or `ah` the number of the board.

use protocol::words::{BoardNumber, Seat, Suit, Vulnerability};

use super::Deals;
use super::collect::{Collector, Dealing, agree, in_line, refuse};
use super::error::{DealFileError, Problem};

/// `md`'s digits and hands begin with South.
const SEATS: [Seat; 4] = [Seat::South, Seat::West, Seat::North, Seat::East];

pub(super) fn is_one(head: &str) -> bool {
    head.starts_with("md|") || head.contains("|md|") || head.contains("\nmd|")
}

/// What the file says of one board at one table.
#[derive(Default)]
struct Game<'a> {
    line: usize,
    number: Option<&'a str>,
    hands: Option<&'a str>,
    vulnerable: Option<&'a str>,
}

pub(super) fn read(text: &str) -> Result<Deals, DealFileError> {
    let mut boards = Collector::default();
    let mut game = Game::default();
    let mut line = 1;
    let mut pieces = text.split('|');
    let mut seen = 0;
    while let (Some(command), Some(value)) = (pieces.next(), pieces.next()) {
        line += command.matches('\n').count();
        let name = command.trim();
        if (name == "qx" || name == "md") && game.hands.is_some() {
            take(&mut boards, &std::mem::take(&mut game))?;
        }
        match name {
            "qx" => game.number = Some(value),
            "ah" if game.number.is_none() => game.number = value.split_whitespace().nth(1),
            "sv" => game.vulnerable = Some(value),
            "md" => {
                game.hands = Some(value);
                game.line = line;
                seen += 1;
            }
            _ => {}
        }
        line += value.matches('\n').count();
    }
    if game.hands.is_some() {
        take(&mut boards, &game)?;
    }
    // A lost bar turns commands into values and values into commands, and boards would be lost.
    if seen != text.matches("md|").count() {
        let problem = Problem::Damaged("md".to_owned());
        return Err(refuse(in_line(line), None, problem));
    }
    boards.done()
}

fn take(boards: &mut Collector, game: &Game<'_>) -> Result<(), DealFileError> {
    let at = in_line(game.line);
    let board = match game.number {
        Some(text) => number(text).ok_or_else(|| {
            let text = text.chars().take(20).collect();
            refuse(at, None, Problem::BadBoard(text))
        })?,
        None => boards.next_number(at)?,
    };
    let refuse = |problem| refuse(at, Some(board), problem);
    let (dealer, hands) = dealer(game.hands.unwrap_or_default());
    let vulnerable = game.vulnerable.map(vulnerability).transpose();
    agree(board, dealer, vulnerable.map_err(refuse)?.flatten()).map_err(refuse)?;
    let mut dealing = Dealing::default();
    let hands: Vec<&str> = hands.split(',').map(str::trim).collect();
    if hands.len() > 4 || hands.len() < 3 {
        return Err(refuse(Problem::Hands(hands.len())));
    }
    for (seat, hand) in SEATS.into_iter().zip(&hands) {
        give(&mut dealing, seat, hand).map_err(refuse)?;
    }
    // East has what is left, and most programs leave her out.
    if hands.get(3).is_none_or(|hand| hand.is_empty()) {
        dealing.give_rest(Seat::East);
    }
    boards.take(at, board, dealing.whole().map_err(refuse)?)
}

/// `o12`, `c12` or `12`, whatever follows.
fn number(text: &str) -> Option<BoardNumber> {
    let text = text.trim().trim_start_matches(['o', 'c', 'O', 'C']);
    let end = text.find(|letter: char| !letter.is_ascii_digit());
    text.get(..end.unwrap_or(text.len()))?.parse().ok()
}

fn dealer(text: &str) -> (Option<Seat>, &str) {
    let text = text.trim();
    let dealer = match text.as_bytes().first() {
        Some(b'1') => Some(Seat::South),
        Some(b'2') => Some(Seat::West),
        Some(b'3') => Some(Seat::North),
        Some(b'4') => Some(Seat::East),
        _ => None,
    };
    let hands = text.trim_start_matches(|letter: char| letter.is_ascii_digit());
    (dealer, hands)
}

fn vulnerability(text: &str) -> Result<Option<Vulnerability>, Problem> {
    match text.trim() {
        "" | "?" => Ok(None),
        "0" | "o" | "O" | "-" => Ok(Some(Vulnerability::None)),
        "n" | "N" => Ok(Some(Vulnerability::NorthSouth)),
        "e" | "E" => Ok(Some(Vulnerability::EastWest)),
        "b" | "B" => Ok(Some(Vulnerability::Both)),
        other => Err(Problem::BadVulnerability(other.chars().take(20).collect())),
    }
}

/// `SJT9H982DQ532CQ83`: every suit once, in any order.
fn give(dealing: &mut Dealing, seat: Seat, hand: &str) -> Result<(), Problem> {
    let mut suits = 0;
    let mut rest = hand;
    while let Some(letter) = rest.chars().next() {
        let suit = Suit::from_char(letter).ok_or(Problem::BadRank { seat, letter })?;
        let ranks = rest.get(letter.len_utf8()..).unwrap_or_default();
        let end = ranks.find(|letter| Suit::from_char(letter).is_some());
        let (ranks, after) = ranks.split_at(end.unwrap_or(ranks.len()));
        dealing.give_suit(seat, suit, ranks)?;
        suits += 1;
        rest = after;
    }
    if suits > 4 {
        return Err(Problem::Suits { seat, suits });
    }
    Ok(())
}
