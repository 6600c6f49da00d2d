use protocol::message::HandRecord;
use protocol::words::{
    BoardNumber, Card, Contract, Deal, Doubling, Hand, Level, Played, Rank, Seat, Strain, Suit,
    Tricks,
};

use crate::data::{BoardScore, Handrecord, Round, Section, Table, game};
use crate::result::{Average, Outcome, Pairs};
use crate::{Command, ErrorType, Queue, Request, check, hand, movement, people, result};

const AVERAGES: [Average; 3] = [Average::Minus, Average::Even, Average::Plus];

#[test]
fn every_outcome_is_read_as_it_was_written() {
    let lead = Card {
        suit: Suit::Hearts,
        rank: Rank::KING,
    };
    let mut outcomes = vec![Outcome::PassedOut, Outcome::NotPlayed];
    for ns in AVERAGES {
        outcomes.extend(AVERAGES.map(|ew| Outcome::Averages { ns, ew }));
    }
    for level in 1..=7 {
        for strain in Strain::ALL {
            for doubling in [Doubling::Undoubled, Doubling::Doubled, Doubling::Redoubled] {
                for declarer in Seat::ALL {
                    let contract = Contract {
                        level: Level::new(level).expect("a level"),
                        strain,
                        doubling,
                        declarer,
                    };
                    outcomes.push(Outcome::Played(Played {
                        contract,
                        tricks: Tricks::new(level + 6).expect("tricks"),
                        lead: (level % 2 == 0).then_some(lead),
                    }));
                }
            }
        }
    }
    for outcome in outcomes {
        for switched in [false, true] {
            let pairs = Pairs {
                ns: 3,
                ew: 8,
                switched,
            };
            let mut score = BoardScore::default();
            result::write(&mut score, Some(outcome), pairs);
            assert_eq!(
                (score.pair_north_south, score.pair_east_west),
                (3, 8),
                "pairs stand as the movement has them"
            );
            let (read, turned) = result::read(&score).expect("it can be read");
            match outcome {
                Outcome::Played(_) => assert_eq!((read, turned), (Some(outcome), switched)),
                // Averages belong to the pairs, wherever they sat.
                Outcome::Averages { ns, ew } if switched => {
                    assert_eq!(read, Some(Outcome::Averages { ns: ew, ew: ns }));
                }
                Outcome::PassedOut | Outcome::Averages { .. } | Outcome::NotPlayed => {
                    assert_eq!(read, Some(outcome));
                }
            }
        }
    }
}

#[test]
fn averages_have_the_vendors_numbers() {
    let level = |ns, ew| {
        let mut score = BoardScore::default();
        let pairs = Pairs {
            ns: 1,
            ew: 2,
            switched: false,
        };
        result::write(&mut score, Some(Outcome::Averages { ns, ew }), pairs);
        score.level
    };
    let all: Vec<i64> = (AVERAGES.iter())
        .flat_map(|ns| AVERAGES.map(|ew| level(*ns, ew)))
        .collect();
    assert_eq!(all, [-1, -2, -3, -4, -5, -6, -7, -8, -9]);
    // Given for East-West, the first one is theirs.
    let score = BoardScore {
        level: -3,
        scoring_direction: 2,
        ..BoardScore::default()
    };
    let (outcome, _) = result::read(&score).expect("it can be read");
    let (ns, ew) = (Average::Plus, Average::Minus);
    assert_eq!(outcome, Some(Outcome::Averages { ns, ew }));
}

#[test]
fn cards_are_read_as_they_were_written() {
    let mut hands = [Hand::EMPTY; 4];
    for index in 0..52 {
        let card = Card::from_index(index).expect("a card");
        hands[usize::from(index) * 7 % 4].insert(card);
    }
    let record = HandRecord {
        board: BoardNumber::new(9).expect("a board"),
        deal: (&Deal::new(hands).expect("a deal")).into(),
        tricks: None,
        par: None,
    };
    let mut written = Handrecord::default();
    hand::write(&mut written, &record);
    assert_eq!(hand::read(&written).expect("it can be read"), record);
    written.has_hand_evaluation_data = true;
    written.double_dummy_west_no_trump = 11;
    let read = hand::read(&written).expect("it can be read");
    let tricks = read.tricks.expect("tricks");
    assert_eq!(tricks.get(Seat::West, Strain::NoTrump), Tricks::new(11));
    written.double_dummy_west_no_trump = 14;
    assert_eq!(
        hand::read(&written).map_err(|it| it.kind),
        Err(ErrorType::Validation)
    );
    written.has_hand_evaluation_data = false;
    written.north_clubs.push('2');
    assert!(hand::read(&written).is_err());
}

#[test]
fn a_missing_pair_and_a_sit_out_have_no_boards() {
    let round = |ns, ew, low, high| Round {
        round_number: 1,
        pair_ns: ns,
        pair_ew: ew,
        low_board_number: low,
        high_board_number: high,
        ..Round::default()
    };
    let section = |winners, missing_pair, round| Section {
        letters: "A".to_owned(),
        winners,
        missing_pair,
        game_type: game::PAIRS,
        tables: vec![Table {
            table_number: 1,
            rounds: vec![round],
            ..Table::default()
        }],
        ..Section::default()
    };
    let read = |section: &Section| movement::read(section).expect("it can be read")[0];
    let plays = read(&section(1, 0, round(1, 8, 3, 4)));
    assert_eq!(
        plays.boards.map(|(low, high)| (low.get(), high.get())),
        Some((3, 4))
    );
    let misses = read(&section(1, 8, round(1, 8, 3, 4)));
    assert_eq!((misses.ew, misses.boards), (None, None));
    // With two lists a minus is East-West, and North-South 8 plays.
    let east_west = read(&section(2, -8, round(8, 8, 3, 4)));
    assert!(east_west.ns.is_some() && east_west.ew.is_none());
    for wrong in [round(1, 2, 9, 4), round(1, 2, 0, 300), round(-1, 2, 1, 2)] {
        assert!(movement::read(&section(1, 0, wrong)).is_err());
    }
}

#[test]
fn requests_are_read_with_and_without_what_may_be_missing() {
    let body = br#"{"Command":27,"ClubId":null,"SessionGuid":"X","SerializedData":"42"}"#;
    let request = Request::read(body).expect("it can be read");
    assert_eq!(request.command, Command::Accept(Queue::Results));
    assert_eq!(request.data::<i64>(), Ok(42));
    assert_eq!(
        request.data::<Vec<i64>>().map_err(|it| it.kind),
        Err(ErrorType::WrongDataType)
    );
    let empty = Request::read(br#"{"Command":10}"#).expect("it can be read");
    assert_eq!(
        empty.data::<Vec<BoardScore>>().map_err(|it| it.kind),
        Err(ErrorType::NoData)
    );
    for wrong in [
        "",
        "[]",
        "{}",
        "7",
        "{\"Command\":\"x\"}",
        "{\"Command\":1.5}",
    ] {
        let answer = Request::read(wrong.as_bytes()).expect_err("it can't be read");
        assert_eq!(answer.error(), ErrorType::Validation, "{wrong}");
    }
}

#[test]
fn names_numbers_and_letters() {
    assert_eq!(people::name(" Ada ", "de  West"), "Ada de West");
    let (first, last) = people::split("Ada de West");
    assert_eq!((first.as_str(), last.as_str()), ("Ada de", "West"));
    assert_eq!(people::split("Ada").1, "Ada");
    assert_eq!(
        people::number("0017").map(protocol::words::PlayerNumber::get),
        Some(17)
    );
    for wrong in ["", "12a", "-3", "1234567890"] {
        assert_eq!(people::number(wrong), None, "{wrong}");
    }
    for right in ["A", "ZZ", "CCC"] {
        assert!(check::letters(right).is_ok(), "{right}");
    }
    for wrong in ["", "a", "AB", "AAAA", "Ä"] {
        assert!(check::letters(wrong).is_err(), "{wrong}");
    }
    assert!(check::guid("0123456789ABCDEF0123456789ABCDEF", "it").is_ok());
    assert!(check::guid("0123456789abcdef0123456789abcdef", "it").is_err());
}
