//! Contracts, cards and results in the words and symbols of the display.

use core::fmt;

use protocol::message::Language;
use protocol::words::{
    Award, BoardNumber, BoardResult, Card, Contract, Outcome, Percentage, Score, Seat, Strain, Suit,
};

use crate::screen::RowText;
use crate::texts::{Text, fill, seat_letter};

/// The symbol of a suit.
pub(super) const fn symbol(suit: Suit) -> char {
    match suit {
        Suit::Clubs => '♣',
        Suit::Diamonds => '♦',
        Suit::Hearts => '♥',
        Suit::Spades => '♠',
    }
}

/// A strain with its symbol.
pub(super) struct StrainSymbol(pub(super) Strain);

impl fmt::Display for StrainSymbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.trumps() {
            Some(suit) => write!(f, "{}", symbol(suit)),
            None => f.write_str("NT"),
        }
    }
}

/// Level, strain and doubling.
pub(super) struct ContractSymbols<'a>(pub(super) &'a Contract);

impl fmt::Display for ContractSymbols<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let contract = self.0;
        write!(
            f,
            "{}{}{}",
            contract.level,
            StrainSymbol(contract.strain),
            contract.doubling
        )
    }
}

/// A seat's letter as the language writes it. Where a key is meant it is what is printed on the key.
pub(super) struct SeatLetter(pub(super) Seat, pub(super) Language);

impl fmt::Display for SeatLetter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", seat_letter(self.0, self.1))
    }
}

/// A card as players say it: the suit, then 10 rather than T.
pub(super) struct CardSymbols(pub(super) Card);

impl fmt::Display for CardSymbols {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.rank.get() {
            10 => write!(f, "{}10", symbol(self.0.suit)),
            _ => write!(f, "{}{}", symbol(self.0.suit), self.0.rank),
        }
    }
}

/// A score with its sign.
pub(super) struct Signed(pub(super) Score);

impl fmt::Display for Signed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.0 {
            0 => f.write_str("0"),
            score => write!(f, "{score:+}"),
        }
    }
}

/// `=`, `+1`, `-2`.
pub(super) struct Over(pub(super) i8);

impl fmt::Display for Over {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => f.write_str("="),
            over => write!(f, "{over:+}"),
        }
    }
}

/// A percentage: `62.5`, `50`, `33.33`.
pub(super) struct Percent(pub(super) Percentage);

impl fmt::Display for Percent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, hundredths) = (self.0.get() / 100, self.0.get() % 100);
        match (hundredths, hundredths % 10) {
            (0, _) => write!(f, "{whole}"),
            (_, 0) => write!(f, "{whole}.{}", hundredths / 10),
            _ => write!(f, "{whole}.{hundredths:02}"),
        }
    }
}

/// A result in one line: `4♠X S +1`.
pub(super) fn result_line(result: BoardResult, language: Language) -> RowText {
    let word = |text: Text| text.in_language(language);
    match result {
        BoardResult::Played(played) => fill(
            "{} {} {}",
            &[
                &ContractSymbols(&played.contract),
                &SeatLetter(played.contract.declarer, language),
                &Over(played.contract.over(played.tricks)),
            ],
        ),
        BoardResult::PassedOut => fill(word(Text::PassedOutShort), &[]),
        BoardResult::NotPlayed => fill(word(Text::NotPlayedShort), &[]),
        BoardResult::SitOut => fill(word(Text::SitOut), &[]),
        BoardResult::Adjusted { ns, ew } => fill("{}%/{}%", &[&Percent(ns), &Percent(ew)]),
    }
}

/// The same where the director may have given each side its own: `+620`, `avg+/avg-`.
pub(super) fn outcome_line(outcome: Outcome, language: Language) -> RowText {
    match outcome {
        Outcome::Result(result) => result_line(result, language),
        Outcome::Awarded { ns, ew } if ns == ew && !matches!(ns, Award::Percentage(_)) => {
            award_word(ns, language)
        }
        Outcome::Awarded { ns, ew } => {
            let (ns, ew) = (award_word(ns, language), award_word(ew, language));
            fill("{}/{}", &[&ns, &ew])
        }
    }
}

fn award_word(award: Award, language: Language) -> RowText {
    let word = |text: Text| fill(text.in_language(language), &[]);
    match award {
        Award::Percentage(share) => fill("{}%", &[&Percent(share)]),
        Award::AveragePlus => word(Text::AveragePlus),
        Award::Average => word(Text::Average),
        Award::AverageMinus => word(Text::AverageMinus),
        Award::Score(score) => fill("{}", &[&Signed(score)]),
        Award::Weighted => word(Text::Weighted),
    }
}

/// A line and its score, where it has one: `4♠ S = +420`.
pub(super) fn scored_line(outcome: Outcome, board: BoardNumber, language: Language) -> RowText {
    let line = outcome_line(outcome, language);
    match (outcome, outcome.score(board)) {
        (Outcome::Result(BoardResult::Played(_)), Some(score)) => {
            fill("{} {}", &[&line, &Signed(score)])
        }
        _ => line,
    }
}
