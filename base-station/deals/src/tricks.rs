//! Reads what a deal file knows of double-dummy tricks and par.

use std::str::FromStr;

use protocol::message::{Par, TricksTable};
use protocol::words::{Score, Seat, Side, Strain, Tricks};

/// Declarers in the order of the `DoubleDummyTricks` tag.
const DECLARERS: [Seat; 4] = [Seat::North, Seat::South, Seat::East, Seat::West];

/// Strains in the order of the `DoubleDummyTricks` tag.
const STRAINS: [Strain; 5] = [
    Strain::NoTrump,
    Strain::Spades,
    Strain::Hearts,
    Strain::Diamonds,
    Strain::Clubs,
];

/// `DoubleDummyTricks`: twenty digits from 0 to d. `None` if it is anything else.
pub(super) fn from_digits(text: &str) -> Option<TricksTable> {
    let digits: Vec<Tricks> = text
        .chars()
        .map(|digit| digit.to_digit(16).and_then(|n| u8::try_from(n).ok()))
        .map(|number| number.and_then(Tricks::new))
        .collect::<Option<_>>()?;
    if digits.len() != DECLARERS.len() * STRAINS.len() {
        return None;
    }
    Some(TricksTable::from_fn(|declarer, strain| {
        let row = DECLARERS.iter().position(|seat| *seat == declarer);
        let column = STRAINS.iter().position(|other| *other == strain);
        let at = row.unwrap_or_default() * STRAINS.len() + column.unwrap_or_default();
        digits[at]
    }))
}

/// `OptimumResultTable`: lines such as `N NT 7`. `None` unless all twenty are there, since many
/// programs leave the table empty or in part.
pub(super) fn from_lines(lines: &[String]) -> Option<TricksTable> {
    let mut table = [[None; 5]; 4];
    for line in lines {
        let mut words = line.split_whitespace();
        let (Some(declarer), Some(strain), Some(tricks)) =
            (words.next(), words.next(), words.next())
        else {
            continue;
        };
        let declarer = Seat::from_str(declarer).ok()?;
        let strain = STRAINS
            .into_iter()
            .find(|known| known.to_string().eq_ignore_ascii_case(strain))?;
        let tricks = Tricks::from_str(tricks).ok()?;
        table[usize::from(declarer.index())][strain as usize] = Some(tricks);
    }
    if table.iter().flatten().any(Option::is_none) {
        return None;
    }
    Some(TricksTable::from_fn(|declarer, strain| {
        table[usize::from(declarer.index())][strain as usize].unwrap_or(Tricks::MIN)
    }))
}

/// `Ability`: `N:63456 E:7A986 S:63456 W:7A986`, no-trump first. `None` unless all four are there.
pub(super) fn from_ability(text: &str) -> Option<TricksTable> {
    let mut table = [[None; 5]; 4];
    for word in text.split_whitespace() {
        let (seat, digits) = word.split_once(':')?;
        let seat = Seat::from_str(seat).ok()?;
        if digits.chars().count() != STRAINS.len() {
            return None;
        }
        for (strain, digit) in STRAINS.into_iter().zip(digits.chars()) {
            let tricks = u8::try_from(digit.to_digit(16)?).ok()?;
            table[usize::from(seat.index())][strain as usize] = Some(Tricks::new(tricks)?);
        }
    }
    if table.iter().flatten().any(Option::is_none) {
        return None;
    }
    Some(TricksTable::from_fn(|declarer, strain| {
        table[usize::from(declarer.index())][strain as usize].unwrap_or(Tricks::MIN)
    }))
}

/// `Minimax`: a contract, its declarer and North-South's score, as in `4SW-420`.
pub(super) fn minimax(text: &str) -> Option<Par> {
    let at = text.rfind(['N', 'E', 'S', 'W'])?;
    let points: i16 = text.get(at + 1..)?.parse().ok()?;
    let points = Some(points).filter(|points| (-7600..=7600).contains(points))?;
    Some(Par {
        score: Score(points),
        contract: None,
    })
}

/// The twenty digits of `DoubleDummyTricks`.
pub(super) fn to_digits(table: &TricksTable) -> Option<String> {
    DECLARERS
        .into_iter()
        .flat_map(|declarer| STRAINS.map(|strain| table.get(declarer, strain)))
        .map(|tricks| char::from_digit(u32::from(tricks?.get()), 16))
        .collect()
}

/// `OptimumScore`: `NS 420` or `EW -100`, also `NS 420; EW -420` and a bare `0` for a board that
/// is passed out.
pub(super) fn score(text: &str) -> Option<Score> {
    let first = text.split([';', ',']).next().unwrap_or_default();
    let mut words = first.split_whitespace();
    match (words.next()?, words.next()) {
        ("0", None) => Some(Score(0)),
        (side, Some(points)) => {
            let points: i16 = points.trim_start_matches('+').parse().ok()?;
            let points = Some(points).filter(|points| (-7600..=7600).contains(points))?;
            match Side::from_str(side).ok()? {
                Side::NorthSouth => Some(Score(points)),
                Side::EastWest => Some(Score(-points)),
            }
        }
        _ => None,
    }
}
