//! What is wrong with a deal file, as a value for people.

use telling::{Told, tell};

use crate::deals::{At, DealFileError, FILE_LEN_MAX, Place, Problem};

/// Where in the file, and what.
pub fn of_deal_file(fault: &DealFileError) -> Told {
    let problem = of_problem(&fault.problem);
    match (fault.at, fault.board) {
        (At::Text(Place { line, column }), None) => tell!(Deal::InLine {
            line,
            column,
            problem
        }),
        (At::Text(Place { line, column }), Some(board)) => tell!(Deal::InLineBoard {
            line,
            column,
            board,
            problem
        }),
        (At::Byte(byte), None) => tell!(Deal::InByte { byte, problem }),
        (At::Byte(byte), Some(board)) => tell!(Deal::InByteBoard {
            byte,
            board,
            problem
        }),
        (At::File, Some(board)) => tell!(Deal::InBoard { board, problem }),
        (At::File, None) => problem,
    }
}

fn of_problem(problem: &Problem) -> Told {
    match problem {
        Problem::NotText => tell!(Deal::NotText),
        Problem::UnknownFormat => tell!(Deal::UnknownFormat),
        Problem::TooLong(bytes) => tell!(Deal::TooLong {
            bytes: *bytes,
            most: FILE_LEN_MAX
        }),
        Problem::BoardCutShort => tell!(Deal::BoardCutShort),
        Problem::FewerBoards { said, there } => tell!(Deal::FewerBoards {
            said: *said,
            there: *there
        }),
        Problem::CheckNumber { file, cards } => tell!(Deal::CheckNumber {
            number: file,
            cards: *cards
        }),
        Problem::ListsDiffer => tell!(Deal::ListsDiffer),
        Problem::BadCard(text) => tell!(Deal::BadCard { text: *text }),
        Problem::Damaged(text) => tell!(Deal::Damaged { text: *text }),
        Problem::Backwards => tell!(Deal::Backwards),
        Problem::NoDeals => tell!(Deal::NoDeals),
        Problem::CutShort => tell!(Deal::CutShort),
        Problem::BadTag => tell!(Deal::BadTag),
        Problem::OpenComment => tell!(Deal::OpenComment),
        Problem::BadBoard(text) => tell!(Deal::BadBoard { text: *text }),
        Problem::NoDeal => tell!(Deal::NoDeal),
        Problem::Twice { first_line } => tell!(Deal::Twice { line: *first_line }),
        Problem::Hands(hands) => tell!(Deal::Hands { hands: *hands }),
        Problem::FirstSeat => tell!(Deal::FirstSeat),
        Problem::HandLeftOut(seat) => tell!(Deal::HandLeftOut { seat: *seat }),
        Problem::Suits { seat, suits } => tell!(Deal::Suits {
            seat: *seat,
            suits: *suits
        }),
        Problem::BadRank { seat, letter } => tell!(Deal::BadRank {
            letter: *letter,
            seat: *seat
        }),
        Problem::CardCount { seat, cards } => tell!(Deal::CardCount {
            seat: *seat,
            cards: *cards
        }),
        Problem::CardTwice {
            card,
            first,
            second,
        } => tell!(Deal::CardTwice {
            card: *card,
            first: *first,
            second: *second
        }),
        Problem::BadDealer(text) => tell!(Deal::BadDealer { text: *text }),
        Problem::Dealer { file, board } => tell!(Deal::Dealer {
            said: *file,
            right: *board
        }),
        Problem::BadVulnerability(text) => tell!(Deal::BadVulnerability { text: *text }),
        Problem::Vulnerable { file, board } => tell!(Deal::Vulnerable {
            said: *file,
            right: *board
        }),
        Problem::BadTricks(text) => tell!(Deal::BadTricks { text: *text }),
        Problem::BadPar(text) => tell!(Deal::BadPar { text: *text }),
    }
}

#[cfg(test)]
mod tests {
    use protocol::words::{Card, Seat, Vulnerability};
    use telling::{Language, Voice};

    use super::*;

    fn every_kind() -> Vec<Problem> {
        let text = || "?".to_owned();
        let (seat, first, second) = (Seat::West, Seat::North, Seat::East);
        let card: Card = "HK".parse().expect("a card");
        vec![
            Problem::NotText,
            Problem::UnknownFormat,
            Problem::TooLong(2_000_000),
            Problem::BoardCutShort,
            Problem::FewerBoards { said: 24, there: 3 },
            Problem::CheckNumber {
                file: text(),
                cards: 7,
            },
            Problem::ListsDiffer,
            Problem::BadCard(text()),
            Problem::Damaged(text()),
            Problem::Backwards,
            Problem::NoDeals,
            Problem::CutShort,
            Problem::BadTag,
            Problem::OpenComment,
            Problem::BadBoard(text()),
            Problem::NoDeal,
            Problem::Twice { first_line: 12 },
            Problem::Hands(3),
            Problem::FirstSeat,
            Problem::Suits { seat, suits: 3 },
            Problem::BadRank { seat, letter: 'x' },
            Problem::CardCount { seat, cards: 12 },
            Problem::CardTwice {
                card,
                first,
                second,
            },
            Problem::BadDealer(text()),
            Problem::BadVulnerability(text()),
            Problem::BadTricks(text()),
            Problem::BadPar(text()),
        ]
    }

    #[test]
    fn a_fault_in_a_deal_file_is_told_in_every_language_with_its_place() {
        for problem in every_kind() {
            for at in [
                At::Text(Place { line: 3, column: 9 }),
                At::Byte(77),
                At::File,
            ] {
                for board in [None, protocol::words::BoardNumber::new(5)] {
                    let problem = problem.clone();
                    let fault = DealFileError { at, board, problem };
                    let told = of_deal_file(&fault);
                    let english = told.in_words(Voice::plain(Language::English));
                    // The package says seats by their letters; people are told their names.
                    if !["West", "North"].iter().any(|seat| english.contains(seat)) {
                        assert_eq!(english, fault.to_string());
                    }
                    for language in [Language::German, Language::French, Language::Dutch] {
                        let words = told.in_words(Voice::plain(language));
                        assert_ne!(words, english, "{language:?}");
                        for part in ["3", "9"].iter().filter(|_| matches!(at, At::Text(_))) {
                            assert!(words.contains(part), "{words}");
                        }
                        assert_eq!(words.contains('5'), english.contains('5'), "{words}");
                    }
                }
            }
        }
        let vulnerable = Problem::Vulnerable {
            file: Vulnerability::Both,
            board: Vulnerability::None,
        };
        let said = of_problem(&vulnerable).in_words(Voice::plain(Language::Dutch));
        assert!(said.contains("allen") && said.contains("niemand"), "{said}");
    }
}
