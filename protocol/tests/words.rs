//! The words of the game against the golden tables, and as people write them.

use protocol::words::{
    BoardNumber, Card, Contract, Level, PlayerNumber, Refusal, Seat, SectionLetter, Side, Strain,
    TableNumber, Tricks, Vulnerability, score_of,
};

fn golden(name: &str) -> String {
    let path = format!("{}/../tests/golden/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|fault| panic!("{path}: {fault}"))
}

#[test]
fn point_15_a_player_number_has_at_most_nine_digits_as_the_page_says() {
    let largest = PlayerNumber::new(999_999_999).expect("nine digits");
    assert_eq!(largest.get(), 999_999_999);
    assert_eq!(PlayerNumber::new(1_000_000_000), None);
    assert_eq!(PlayerNumber::new(u32::MAX), None);
    let page = include_str!("../README.md");
    assert!(page.contains("999,999,999"), "the page says so");
}

#[test]
fn every_contract_is_worth_what_the_law_says() {
    let table = golden("contract_scores.tsv");
    let mut cases = 0;
    for line in table.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [level, strain, doubled, vulnerable, tricks, result, score] = fields[..] else {
            panic!("seven fields expected: {line}");
        };
        let text = format!("{level}{strain}{}", doubled.trim_matches('-'));
        let south = Contract::parse(&text, Seat::South).expect(&text);
        let west = Contract::parse(&text, Seat::West).expect(&text);
        let tricks = Tricks::new(tricks.parse().unwrap()).unwrap();
        let (for_south, for_west) = match vulnerable {
            "0" => (Vulnerability::EastWest, Vulnerability::NorthSouth),
            _ => (Vulnerability::NorthSouth, Vulnerability::EastWest),
        };
        let score: i16 = score.parse().unwrap();
        assert_eq!(score_of(south, tricks, for_south).0, score, "{line}");
        assert_eq!(score_of(west, tricks, for_west).0, -score, "{line}");
        assert_eq!(south.level.tricks_from_text(result), Ok(tricks), "{line}");
        cases += 1;
    }
    assert_eq!(cases, 2940);
}

#[test]
fn every_board_says_who_deals_and_who_is_vulnerable() {
    let table = golden("board_dealer_vul.tsv");
    let mut boards = 0;
    for line in table.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let board: BoardNumber = fields[0].parse().unwrap();
        assert_eq!(board.dealer(), fields[1].parse().unwrap(), "{line}");
        let expected = match fields[2] {
            "NIL" => Vulnerability::None,
            "ALL" | "BOTH" => Vulnerability::Both,
            side => side.parse().unwrap(),
        };
        assert_eq!(board.vulnerability(), expected, "{line}");
        boards += 1;
    }
    assert!(boards >= 16);
}

#[test]
fn contracts_are_read_as_the_field_writes_them() {
    for (text, printed) in [
        ("4SX", "4SX"),
        ("4sx", "4SX"),
        (" 3 nt ", "3NT"),
        ("1nxx", "1NTXX"),
        ("2♥", "2H"),
        ("7c**", "7CXX"),
    ] {
        let contract = Contract::parse(text, Seat::East).expect(text);
        assert_eq!(contract.to_string(), printed);
    }
    let expected = Refusal("expected a contract such as 4S, 3NT, 4SX or PASS");
    for text in ["", "8S", "0NT", "4", "4Z", "4SXXX", "4SY", "S4", "44S"] {
        assert_eq!(Contract::parse(text, Seat::North), Err(expected), "{text}");
    }
}

#[test]
fn results_are_read_relative_to_what_was_bid() {
    let four = Level::new(4).unwrap();
    for (text, tricks) in [
        ("=", 10),
        ("+1", 11),
        ("-2", 8),
        ("0", 10),
        ("\u{2212}10", 0),
        ("+3", 13),
    ] {
        let tricks = Tricks::new(tricks).unwrap();
        assert_eq!(four.tricks_from_text(text), Ok(tricks), "{text}");
    }
    for text in ["+4", "-11", "", "made", "+"] {
        assert!(four.tricks_from_text(text).is_err(), "{text}");
    }
}

#[test]
fn cards_are_read_both_ways_round() {
    for (text, printed) in [
        ("HK", "HK"),
        ("kh", "HK"),
        ("D10", "DT"),
        ("10d", "DT"),
        ("♠A", "SA"),
    ] {
        assert_eq!(text.parse::<Card>().expect(text).to_string(), printed);
    }
    let expected = Refusal("expected a card such as HK, S10 or DT");
    for text in ["", "H", "HH", "1H", "H1", "H11", "XK", "HK2", "10"] {
        assert_eq!(text.parse::<Card>(), Err(expected), "{text}");
    }
}

#[test]
fn numbers_outside_their_range_do_not_exist() {
    assert!(BoardNumber::new(0).is_none());
    assert!(TableNumber::new(0).is_none());
    assert!("256".parse::<BoardNumber>().is_err());
    assert!("1".parse::<SectionLetter>().is_err());
    assert_eq!("a".parse::<SectionLetter>().unwrap().to_string(), "A");
    assert!("NE".parse::<Seat>().is_err());
    assert_eq!("NS".parse::<Side>(), Ok(Side::NorthSouth));
    assert_eq!(Strain::NoTrump.to_string(), "NT");
}
