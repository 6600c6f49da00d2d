//! Deal files as they come out of dealing programs, whole and damaged.

use std::fmt::Write as _;

use protocol::words::{BoardNumber, Score, Seat, Strain};

use super::{Deals, read_pbn};

const REAL: &[u8] = include_bytes!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../tests/real/club_session_deals.pbn"
));

fn board(number: u8) -> BoardNumber {
    BoardNumber::new(number).expect("a board number")
}

fn real_text() -> String {
    String::from_utf8(REAL.to_vec()).expect("plain text")
}

fn read(text: &str) -> Deals {
    read_pbn(text.as_bytes()).unwrap_or_else(|refusal| panic!("{refusal}"))
}

fn refusal(bytes: &[u8]) -> String {
    read_pbn(bytes).expect_err("a damaged file").to_string()
}

#[test]
fn the_real_evenings_36_deals_are_read_with_tricks_and_par() {
    let deals = read_pbn(REAL).expect("the real file");
    assert_eq!(deals.len(), 36);
    let first = deals.board(board(1)).expect("board 1");
    let tricks = first.tricks.expect("tricks");
    // The tag reads 2333223332aaaabaaaab: North's two no-trump tricks first, West's eleven in
    // clubs last.
    let taken = |seat, strain| tricks.get(seat, strain).map(u8::from);
    assert_eq!(taken(Seat::North, Strain::NoTrump), Some(2));
    assert_eq!(taken(Seat::South, Strain::NoTrump), Some(2));
    assert_eq!(taken(Seat::North, Strain::Clubs), Some(2));
    assert_eq!(taken(Seat::West, Strain::Clubs), Some(11));
    let par = |number| deals.board(board(number)).and_then(|dealt| dealt.par);
    assert_eq!(par(1).map(|par| par.score), Some(Score(-430)));
    assert_eq!(par(3).map(|par| par.score), Some(Score(-500)));
    assert_eq!(par(5).map(|par| par.score), Some(Score(100)));
}

#[test]
fn the_same_file_with_the_oddities_of_other_programs_gives_the_same_deals() {
    let plain = read_pbn(REAL).expect("the real file");
    let crlf = real_text().replace('\n', "\r\n");
    let old_mac = real_text().replace('\n', "\r");
    let with_mark = format!("\u{feff}{}", real_text());
    let no_gaps = real_text().replace("\n\n", "\n");
    let lower = real_text().replace("[Deal \"N:", "[Deal  \"n:");
    let ten_in_full = real_text()
        .lines()
        .map(|line| {
            let deal = line.starts_with("[Deal ");
            if deal {
                line.replace('T', "10")
            } else {
                line.to_owned()
            }
        })
        .collect::<Vec<_>>()
        .join("\n");
    let no_numbers = real_text()
        .lines()
        .filter(|line| !line.starts_with("[Board"))
        .collect::<Vec<_>>()
        .join("\n");
    let chatty = real_text().replace(
        "[Dealer",
        "{ a comment\nover [Board \"9\"] lines }\n[Event \"Club\"] ; late\n%export\n[Dealer",
    );
    for text in [
        crlf,
        old_mac,
        with_mark,
        no_gaps,
        lower,
        ten_in_full,
        no_numbers,
        chatty,
    ] {
        assert_eq!(read(&text), plain);
    }
}

#[test]
fn a_latin_1_event_name_and_an_auction_do_no_harm() {
    let mut bytes = b"[Event \"M\xFCnchner Klub\"]\r\n".to_vec();
    bytes.extend(
        real_text()
            .replace(
                "[OptimumScore",
                "[Auction \"N\"]\n1NT Pass [3NT] Pass\n[Note \"1:\\\"strong\\\"\"]\n[OptimumScore",
            )
            .into_bytes(),
    );
    assert_eq!(read_pbn(&bytes), read_pbn(REAL));
}

#[test]
fn tricks_are_also_read_from_an_optimum_result_table() {
    let plain = read_pbn(REAL).expect("the real file");
    let mut text = String::new();
    for dealt in plain.iter() {
        let number = dealt.board.get();
        let deal = real_text()
            .split("[Board \"")
            .find_map(|part| {
                let own = part.starts_with(&format!("{number}\""));
                own.then(|| part.lines().find(|line| line.starts_with("[Deal ")))
                    .flatten()
                    .map(str::to_owned)
            })
            .expect("the deal's line");
        writeln!(text, "[Board \"{number}\"]\n{deal}").expect("a string grows");
        text += "[OptimumResultTable \"Declarer;Denomination\\2R;Result\\2R\"]\n";
        for seat in Seat::ALL {
            for strain in Strain::ALL {
                let tricks = dealt.tricks.and_then(|table| table.get(seat, strain));
                writeln!(text, "{seat} {strain:>2} {}", tricks.expect("tricks"))
                    .expect("a string grows");
            }
        }
        text += "\n";
    }
    for (ours, theirs) in read(&text).iter().zip(plain.iter()) {
        assert_eq!((ours.board, ours.tricks), (theirs.board, theirs.tricks));
    }
}

/// Ten files that something happened to. Each answer names the line and, where one is known,
/// the board, and says what was expected.
#[test]
fn ten_damaged_files_are_each_refused_with_place_and_reason() {
    let text = real_text();
    let change = |from: &str, to: &str| {
        let changed = text.replacen(from, to, 1);
        assert_ne!(changed, text, "the damage was done");
        changed.into_bytes()
    };
    let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let cut_at = text.find("J653.QJ8").expect("board 2's deal");
    let cases: [(&str, Vec<u8>, &str); 12] = [
        (
            "cut short in board 2",
            text.as_bytes()[..cut_at].to_vec(),
            "line 12, column 1, board 2: the file ends in the middle of a tag",
        ),
        (
            "14 cards in a hand",
            change("N:K843.T542.J6.863 AQJ7", "N:K843.T542.J6.863 AQJT7"),
            "line 5, column 27, board 1: E has 14 cards; expected 13",
        ),
        (
            "12 cards in a hand",
            change("962.AJ7.KT82.J75", "962.AJ7.KT8.J75"),
            "line 5, column 44, board 1: S has 12 cards; expected 13",
        ),
        (
            "one card in two hands",
            change("N:K843.T542.J6.863 AQJ7", "N:A843.T542.J6.863 AQJ7"),
            "line 5, column 27, board 1: SA is dealt twice, to N and to E",
        ),
        (
            "two boards 5",
            change(
                "[Board \"9\"]\n[Dealer \"N\"]\n[Vulnerable \"EW\"]",
                "[Board \"5\"]",
            ),
            "line 58, column 1, board 5: the board is in the file twice; it was first seen in line 30",
        ),
        (
            "UTF-16",
            utf16,
            "line 1, column 2: this is not a plain text file",
        ),
        (
            "a hand too few",
            change(" T5.Q9863.A943.KQ", ""),
            "line 5, column 8, board 1: the deal has 3 hands; expected four",
        ),
        (
            "a card that is none",
            change("K843.T542", "K8Z3.T542"),
            "line 5, column 12, board 1: 'Z' in the hand of N is not a card",
        ),
        (
            "the dealer of another board",
            change("[Dealer \"E\"]", "[Dealer \"S\"]"),
            "line 10, column 10, board 2: the file says that S deals, but on this board E does",
        ),
        (
            "the vulnerability of another board",
            change("[Vulnerable \"EW\"]", "[Vulnerable \"All\"]"),
            "line 18, column 14, board 3: the file says both vulnerable, but on this board it is EW",
        ),
        (
            "tricks cut off",
            change("2333223332aaaabaaaab", "2333223332aaaabaaaa"),
            "line 6, column 21, board 1: \"2333223332aaaabaaaa\" is not a list of double-dummy tricks",
        ),
        (
            "a results page saved under the wrong name",
            b"<!DOCTYPE html>\n<html><body>Results</body></html>\n".to_vec(),
            "line 1, column 1: there is no deal in this file",
        ),
    ];
    for (damage, bytes, expected) in cases {
        let refusal = refusal(&bytes);
        assert!(refusal.starts_with(expected), "{damage}: {refusal}");
    }
}

#[test]
fn a_file_of_24_boards_does_not_fit_a_session_of_27() {
    let deals: Deals = read_pbn(REAL)
        .expect("the real file")
        .iter()
        .filter(|dealt| dealt.board <= board(24))
        .copied()
        .collect();
    let session = (1..=27).map(board);
    assert_eq!(
        deals.fit(session).map_err(|refusal| refusal.to_string()),
        Err(
            "board 25 of this session is not in the deal file, which has boards 1 to 24; \
             choose the file that was dealt for tonight"
                .to_owned()
        )
    );
    assert_eq!(deals.fit((1..=24).map(board)), Ok(()));
}

mod anything {
    use proptest::prelude::*;

    use super::super::read_pbn;
    use super::REAL;

    proptest! {
        #[test]
        fn no_file_however_damaged_stops_the_reader(
            cut in 0..REAL.len(),
            length in 0..200usize,
            noise in proptest::collection::vec(any::<u8>(), 0..40),
        ) {
            let mut bytes = REAL.to_vec();
            let end = (cut + length).min(bytes.len());
            bytes.splice(cut..end, noise);
            // Either whole deals or a refusal; what matters is that it returns.
            if let Ok(deals) = read_pbn(&bytes) {
                prop_assert!(!deals.is_empty());
            }
        }
    }
}
