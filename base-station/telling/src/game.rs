//! Cards, contracts and seats as players of a language write them.

use protocol::words::{Card, Contract, Doubling, Rank, Seat, Side, Strain, Suit};

use crate::{Catalogue, Language, Suits, Voice};

const fn symbol(suit: Suit) -> &'static str {
    match suit {
        Suit::Clubs => "♣",
        Suit::Diamonds => "♦",
        Suit::Hearts => "♥",
        Suit::Spades => "♠",
    }
}

/// `4SX` or `4♠×`.
pub(crate) fn contract(contract: Contract, voice: Voice) -> String {
    let strain = match (contract.strain, contract.strain.trumps(), voice.suits) {
        (_, Some(suit), Suits::Symbols) => symbol(suit).to_owned(),
        (Strain::NoTrump, ..) => Catalogue::of(voice.language).text("letter_nt").to_owned(),
        (strain, ..) => strain.to_string(),
    };
    let doubled = match (contract.doubling, voice.suits) {
        (Doubling::Undoubled, _) => "",
        (Doubling::Doubled, Suits::Letters) => "X",
        (Doubling::Redoubled, Suits::Letters) => "XX",
        (Doubling::Doubled, Suits::Symbols) => "×",
        (Doubling::Redoubled, Suits::Symbols) => "××",
    };
    format!("{}{strain}{doubled}", contract.level)
}

/// `HK` or `♥K`, with the honours of the language beside a symbol.
pub(crate) fn card(card: Card, voice: Voice) -> String {
    match voice.suits {
        Suits::Letters => card.to_string(),
        Suits::Symbols => format!("{}{}", symbol(card.suit), rank(card.rank, voice.language)),
    }
}

fn rank(rank: Rank, language: Language) -> String {
    let key = match rank {
        Rank::ACE => "honour_ace",
        Rank::KING => "honour_king",
        Rank::QUEEN => "honour_queen",
        Rank::JACK => "honour_jack",
        Rank::TEN => return "10".to_owned(),
        small => return small.letter().to_string(),
    };
    Catalogue::of(language).text(key).to_owned()
}

/// `N`, `E`, `S`, `W` in a language.
pub(crate) fn seat_letter(seat: Seat, language: Language) -> &'static str {
    Catalogue::of(language).text(match seat {
        Seat::North => "letter_north",
        Seat::East => "letter_east",
        Seat::South => "letter_south",
        Seat::West => "letter_west",
    })
}

/// `NS`, `EW` in a language.
pub(crate) fn side_letters(side: Side, language: Language) -> &'static str {
    Catalogue::of(language).text(match side {
        Side::NorthSouth => "letters_ns",
        Side::EastWest => "letters_ew",
    })
}
