//! Hand records as they are handed out: twenty deals on a leaf, with points and what can be made.

use std::collections::BTreeSet;

use maud::{Markup, html};
use protocol::words::BoardNumber;

use super::Words;
use super::page::{Sheet, declared, signed, symbols};
use super::sheets::boards;
use crate::view::HandView;

/// Four beside each other and five below, on A4 as on Letter.
const LEAF: usize = 20;

/// The cards of the boards in play. A deal file often holds more, and those may be for another
/// evening.
pub(super) fn dealt(sheet: &Sheet<'_>) -> Vec<(BoardNumber, HandView)> {
    let boards: BTreeSet<BoardNumber> = boards(sheet.session)
        .into_iter()
        .map(|(_, board)| board)
        .collect();
    let deals = &sheet.session.deals;
    boards
        .into_iter()
        .filter_map(|board| Some((board, deals.get(&board).and_then(HandView::of)?)))
        .collect()
}

/// Hand records, twenty on a leaf.
pub(super) fn records(sheet: &Sheet<'_>) -> Markup {
    let dealt = dealt(sheet);
    html! {
        @if dealt.is_empty() { p { (sheet.words.text("no_hand_record")) } }
        @for leaf in dealt.chunks(LEAF) { section.sheet {
            (sheet.again())
            div.records { @for (board, hand) in leaf { (record(sheet, *board, hand)) } }
        } }
    }
}

fn record(sheet: &Sheet<'_>, board: BoardNumber, hand: &HandView) -> Markup {
    let words = sheet.words;
    let cards = |seat: char| {
        html! { div class=(seat) { @for suit in ['S', 'H', 'D', 'C'] {
            @let ranks = hand.seats.get(&seat).and_then(|suits| suits.get(&suit));
            div.suit { (symbols(words, &suit.to_string())) " " (close(words, ranks.map_or("", String::as_str))) }
        } } }
    };
    html! {
        section.record { div.deal.small {
            div.nw { strong { (board) } br; (words.seat(board.dealer().letter())) " / " (sheet.vulnerable(board.vulnerability())) }
            (cards('N'))
            div.ne { @if let Some(par) = &hand.par { (words.text("par")) br; (signed(Some(par.score))) @if let Some(contract) = &par.contract { br; span.together { (declared(words, contract)) } } } }
            (cards('W'))
            div.middle { div { (points(hand, 'N')) } div { (points(hand, 'W')) " · " (points(hand, 'E')) } div { (points(hand, 'S')) } }
            (cards('E'))
            (cards('S'))
            div.se { (makes(sheet, hand)) }
        } }
    }
}

/// `AJ109` from `AJT9`, with the honours of the language.
fn close(words: &Words, ranks: &str) -> String {
    if ranks.is_empty() {
        return "–".to_owned();
    }
    ranks.chars().map(|rank| words.rank(rank)).collect()
}

/// High-card points: four for an ace down to one for a jack.
pub(super) fn points(hand: &HandView, seat: char) -> u8 {
    let suits = hand.seats.get(&seat).into_iter().flatten();
    let ranks = suits.flat_map(|(_, ranks)| ranks.chars());
    ranks
        .map(|rank| match rank {
            'A' => 4,
            'K' => 3,
            'Q' => 2,
            'J' => 1,
            _ => 0,
        })
        .sum()
}

/// How high each seat can play in each strain, where the tricks are known.
fn makes(sheet: &Sheet<'_>, hand: &HandView) -> Markup {
    let Some(tricks) = &hand.tricks else {
        return html! {};
    };
    let words = sheet.words;
    let level = |seat: char, strain: &str| {
        let tricks = tricks.get(&seat).and_then(|row| row.get(strain))?;
        let level = tricks.checked_sub(6).filter(|level| *level > 0);
        Some(level.map_or_else(|| "–".to_owned(), |level| level.to_string()))
    };
    html! {
        table.makes {
            thead { tr { td {} @for strain in ["C", "D", "H", "S"] { th.number { (symbols(words, strain)) } } th.number { (words.text("letter_nt")) } } }
            tbody { @for seat in ['N', 'S', 'E', 'W'] { tr {
                th { (words.seat(seat)) }
                @for strain in ["C", "D", "H", "S", "NT"] { td.number { (level(seat, strain).unwrap_or_default()) } }
            } } }
        }
    }
}
