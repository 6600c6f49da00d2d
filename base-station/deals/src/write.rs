//! Writes deals as PBN, whatever they were read from.

use std::fmt::Write as _;

use protocol::words::{Deal, Seat, Side, Suit, Vulnerability};

use super::collect::SUITS;
use super::{Deals, DealtBoard, tricks};

/// PBN 2.1 with what is known of each board: cards, tricks and par.
pub fn write_pbn(deals: &Deals) -> String {
    let mut text = "% PBN 2.1\n% EXPORT\n".to_owned();
    for dealt in deals.iter() {
        text.push('\n');
        for (name, value) in tags(dealt) {
            // A string grows.
            let _ = writeln!(text, "[{name} \"{value}\"]");
        }
    }
    text
}

/// The tags of a board that have to do with its cards.
fn tags(dealt: &DealtBoard) -> Vec<(&'static str, String)> {
    let board = dealt.board;
    let mut tags = vec![
        ("Board", board.to_string()),
        ("Dealer", board.dealer().to_string()),
        ("Vulnerable", vulnerable(board.vulnerability()).to_owned()),
        ("Deal", dealt.deal_text()),
    ];
    if let Some(digits) = dealt.tricks.as_ref().and_then(tricks::to_digits) {
        tags.push(("DoubleDummyTricks", digits));
    }
    if let Some(par) = dealt.par {
        tags.push((
            "OptimumScore",
            format!("{} {}", Side::NorthSouth, par.score.0),
        ));
    }
    tags
}

const fn vulnerable(sides: Vulnerability) -> &'static str {
    match sides {
        Vulnerability::None => "None",
        Vulnerability::NorthSouth => "NS",
        Vulnerability::EastWest => "EW",
        Vulnerability::Both => "All",
    }
}

impl DealtBoard {
    /// The board's tags as PBN has them, each with its value.
    pub fn pbn_tags(&self) -> Vec<(&'static str, String)> {
        tags(self)
    }

    /// `N:AK2.QJ3.T98.7654 ...`, as deal files write all four hands.
    pub fn deal_text(&self) -> String {
        let hands = Seat::ALL.map(|seat| hand_text(&self.deal, seat));
        format!("N:{}", hands.join(" "))
    }
}

/// `AK2.QJ3.T98.7654`.
pub(super) fn hand_text(deal: &Deal, seat: Seat) -> String {
    SUITS.map(|suit| suit_text(deal, seat, suit)).join(".")
}

fn suit_text(deal: &Deal, seat: Seat, suit: Suit) -> String {
    let ranks = deal.hand(seat).suit(suit);
    ranks.map(protocol::words::Rank::letter).collect()
}
