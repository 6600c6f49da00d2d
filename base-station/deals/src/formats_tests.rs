//! The same sixteen boards in twelve formats, whole and damaged.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use protocol::words::{BoardNumber, Deal};

use super::{Deals, FILE_LEN_MAX, Format, read, recognise, write_pbn};

macro_rules! sample {
    ($name:literal) => {
        include_bytes!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../tests/deals/",
            $name
        ))
    };
}

const SAMPLES: [(Format, &[u8]); 13] = [
    (Format::Pbn, sample!("test.pbn")),
    (Format::Pbn, sample!("test-jfr.pbn")),
    (Format::Lin, sample!("test.lin")),
    (Format::Rbn, sample!("own.rbn")),
    (Format::Dup, sample!("test.dup")),
    (Format::Dlm, sample!("test.dlm")),
    (Format::Bri, sample!("test.bri")),
    (Format::Dge, sample!("test.dge")),
    (Format::Csv, sample!("test.csv")),
    (Format::Ber, sample!("test.ber")),
    (Format::Bhg, sample!("test.bhg")),
    (Format::Cds, sample!("test.cds")),
    (Format::Rzd, sample!("test.rzd")),
];

fn cards(deals: &Deals) -> Vec<(BoardNumber, Deal)> {
    deals
        .iter()
        .map(|dealt| (dealt.board, dealt.deal))
        .collect()
}

fn sixteen() -> Vec<(BoardNumber, Deal)> {
    cards(&super::read_pbn(sample!("test.pbn")).expect("the sample"))
}

fn refusal(bytes: &[u8]) -> String {
    read(bytes).expect_err("a damaged file").to_string()
}

#[test]
fn the_same_sixteen_boards_come_out_of_every_format_whatever_the_file_is_called() {
    let expected = sixteen();
    assert_eq!(expected.len(), 16);
    let mut known = BTreeSet::new();
    for (format, bytes) in SAMPLES {
        let (found, deals) = read(bytes).unwrap_or_else(|refusal| panic!("{format}: {refusal}"));
        assert_eq!(found, format);
        assert!(cards(&deals) == expected, "{format}: other deals");
        known.insert(found);
    }
    assert_eq!(known, Format::ALL.into_iter().collect());
}

#[test]
fn what_was_read_from_any_file_is_written_as_pbn_and_read_again_with_tricks_and_par() {
    for (format, bytes) in SAMPLES {
        let (_, deals) = read(bytes).expect("a sample");
        let text = write_pbn(&deals);
        assert_eq!(super::read_pbn(text.as_bytes()), Ok(deals), "{format}");
    }
    let tables = [sample!("test.pbn").as_slice(), sample!("test-jfr.pbn")];
    let [long, short] = tables.map(|bytes| read(bytes).expect("a sample").1);
    assert_eq!(long, short, "both say the same tricks and the same par");
    assert!(
        long.iter()
            .all(|dealt| dealt.tricks.is_some() && dealt.par.is_some())
    );
}

#[test]
fn the_habits_of_other_programs_do_no_harm() {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("a text");
    let lin = text(sample!("test.lin"));
    let csv = text(sample!("test.csv"));
    let unnumbered: String = lin.replace("qx|o", "xx|o").replace("qx|c", "xx|c");
    let once: String = unnumbered
        .lines()
        .filter(|line| !line.contains("xx|c"))
        .flat_map(|line| [line, "\n"])
        .collect();
    let without_east: String = lin
        .lines()
        .map(|line| match line.rsplit_once(",S") {
            Some((before, east)) if line.contains("md|") => {
                let bar = east.find('|').unwrap_or(0);
                format!("{before},{}\n", &east[bar..])
            }
            _ => format!("{line}\n"),
        })
        .collect();
    let semicolons = csv.replace(',', ";");
    let headed =
        format!("n s,n h,n d,n c,e s,e h,e d,e c,s s,s h,s d,s c,w s,w h,w d,w c,no,what\n{csv}");
    let bare: String = csv
        .lines()
        .map(|line| line.split(',').take(16).collect::<Vec<_>>().join(",") + "\n")
        .collect();
    let wrapped: Vec<u8> = sample!("test.ber")
        .chunks(52)
        .collect::<Vec<_>>()
        .join(&b'\n');
    let mut padded = sample!("test.bri").to_vec();
    padded.extend([0x1A; 128]);
    let files: [(&str, Vec<u8>); 8] = [
        ("boards without numbers", once.into_bytes()),
        ("East left out", without_east.into_bytes()),
        ("a mark at the start", format!("\u{feff}{lin}").into_bytes()),
        ("semicolons", semicolons.into_bytes()),
        ("names of columns", headed.into_bytes()),
        ("cards alone", bare.into_bytes()),
        ("a line for each board", wrapped),
        ("a filled block", padded),
    ];
    let expected = sixteen();
    for (habit, bytes) in &files {
        let (_, deals) = read(bytes).unwrap_or_else(|refusal| panic!("{habit}: {refusal}"));
        assert!(cards(&deals) == expected, "{habit}: other deals");
    }
}

#[test]
fn a_set_that_begins_with_board_17_keeps_its_numbers() {
    let mut dup = sample!("test.dup").to_vec();
    dup.splice(148..156, *b"17 1 32 ");
    let (_, deals) = read(&dup).expect("a set");
    let numbers: Vec<u8> = deals.iter().map(|dealt| dealt.board.get()).collect();
    assert_eq!(numbers, (17..=32).collect::<Vec<_>>());
}

#[test]
fn each_damaged_file_is_refused_with_a_sentence_that_names_the_place() {
    let change = |bytes: &[u8], at: usize, byte: u8| {
        let mut bytes = bytes.to_vec();
        bytes[at] = byte;
        bytes
    };
    let text = |bytes: &[u8], from: &str, to: &str| {
        let text = String::from_utf8(bytes.to_vec()).expect("a text");
        assert!(text.contains(from), "{from} is in the file");
        text.replacen(from, to, 1).into_bytes()
    };
    let cases: [(Vec<u8>, &str); 14] = [
        (
            sample!("test.dup")[..2400].to_vec(),
            "byte 2341, board 16: the file ends in the middle of a board",
        ),
        (
            sample!("test.dup")[..2340].to_vec(),
            "the file says that it has 16 boards, but there are only 15",
        ),
        (change(sample!("test.dup"), 80, b'8'), "byte 1, board 1:"),
        (change(sample!("test.bri"), 1, b'1'), "byte 1, board 1: "),
        (
            change(sample!("test.dge"), 128, 0x04),
            "byte 129, board 2: ",
        ),
        (
            change(sample!("test.ber"), 0, b'3'),
            "byte 1, board 1: E has 12 cards; expected 13",
        ),
        (change(sample!("test.cds"), 15, 0xFF), "byte 15, board 2: "),
        (
            sample!("test.rzd")[..200].to_vec(),
            "the file says that it has 16 boards, but there are only 14",
        ),
        (
            text(sample!("test.dlm"), "fokfapm", "fokfapn"),
            "line 12, column 1, board 1: the check number of the board is 022, but its cards give 21",
        ),
        (
            text(sample!("test.lin"), "SJT9H982", "SJT9H98"),
            "line 4, column 1, board 1: S has 12 cards",
        ),
        (
            text(sample!("test.lin"), "md|4", "md|3"),
            "line 6, column 1, board 2: the file says that N deals",
        ),
        (
            text(sample!("own.rbn"), "B 2\n", "B 1\n"),
            "line 15, column 1, board 1: the file says that E deals",
        ),
        (
            text(sample!("test.csv"), "\"1\",\"N/-\"", "\"1\",\"N/All\""),
            "line 1, column 1, board 1: the file says both vulnerable",
        ),
        (
            b"Dear members,\nthe summer party is on Friday.\n".to_vec(),
            "this is no deal file that Byestand knows",
        ),
    ];
    for (bytes, expected) in cases {
        let refusal = refusal(&bytes);
        assert!(
            refusal.starts_with(expected),
            "expected {expected:?}: {refusal}"
        );
    }
    assert_eq!(recognise(b""), None);
}

/// How many damaged files of each sample: `BYESTAND_MUTATIONS=10000` for the full number.
fn mutations() -> u64 {
    let wanted = std::env::var("BYESTAND_MUTATIONS").ok();
    wanted.and_then(|number| number.parse().ok()).unwrap_or(200)
}

/// Damages a file as disks, mails and people do.
fn damage(bytes: &mut Vec<u8>, random: &mut fastrand::Rng) {
    let at = random.usize(..bytes.len().max(1)).min(bytes.len());
    let end = (at + random.usize(1..40)).min(bytes.len());
    match random.u8(..8) {
        0 => bytes.truncate(at),
        1 => drop(bytes.drain(at..end)),
        2 => bytes.insert(at, random.u8(..)),
        3 => bytes.extend_from_within(at..end),
        4 => bytes[at..end].reverse(),
        5 => bytes[at..end].fill(random.u8(..)),
        6 => {
            let other = random.usize(..bytes.len().max(1));
            if at < bytes.len() {
                bytes.swap(at, other);
            }
        }
        _ => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte = random.u8(..);
            }
        }
    }
}

/// One byte lost, added or changed, or the end missing.
fn damage_a_byte(bytes: &mut Vec<u8>, random: &mut fastrand::Rng) {
    let at = random.usize(..bytes.len());
    match random.u8(..4) {
        0 => bytes.truncate(at),
        1 => drop(bytes.remove(at)),
        2 => bytes.insert(at, random.u8(..)),
        _ => bytes[at] = random.u8(..),
    }
}

/// Formats that leave no trace of some damaged bytes: two bits a card, or a fourth hand that has
/// what the others leave.
const SAY_TOO_LITTLE: [Format; 4] = [Format::Cds, Format::Rzd, Format::Bri, Format::Rbn];

#[test]
fn thousands_of_damaged_files_end_with_a_sentence_or_with_the_right_deals() {
    let right: BTreeSet<String> = sixteen()
        .iter()
        .map(|(_, deal)| format!("{deal:?}"))
        .collect();
    for ((format, sample), seed) in SAMPLES.into_iter().zip(0_u64..) {
        let (mut taken, mut refused) = (0, 0);
        for round in 0..mutations() {
            let seed = seed << 32 | round;
            let mut random = fastrand::Rng::with_seed(seed);
            let mut bytes = sample.to_vec();
            let a_byte = round % 2 == 0;
            if a_byte {
                damage_a_byte(&mut bytes, &mut random);
            } else {
                for _ in 0..random.u8(1..6) {
                    damage(&mut bytes, &mut random);
                }
            }
            let begun = Instant::now();
            match read(&bytes) {
                Err(refusal) => {
                    let sentence = refusal.to_string();
                    assert!(sentence.len() < 400, "{format}, seed {seed}: {sentence}");
                    refused += 1;
                }
                Ok((_, deals)) => {
                    // After one damaged byte, what is taken is as it was dealt; where the cards
                    // are said twice, after any damage.
                    let known = |deal: &Deal| right.contains(&format!("{deal:?}"));
                    let noticed = a_byte && !SAY_TOO_LITTLE.contains(&format);
                    assert!(
                        !(noticed || format == Format::Dup)
                            || deals.iter().all(|dealt| known(&dealt.deal)),
                        "{format}, seed {seed}: a deal that nobody dealt"
                    );
                    let again = super::read_pbn(write_pbn(&deals).as_bytes());
                    assert_eq!(again, Ok(deals), "{format}, seed {seed}");
                    taken += 1;
                }
            }
            assert!(
                begun.elapsed() < Duration::from_secs(5),
                "{format}, seed {seed}"
            );
        }
        println_in_tests(&format!("{format}: {taken} taken, {refused} refused"));
        assert!(refused > 0, "{format}: nothing was refused");
    }
}

#[expect(
    clippy::print_stdout,
    reason = "the named command shows what was tried"
)]
fn println_in_tests(line: &str) {
    println!("{line}");
}

#[test]
fn a_huge_file_of_any_format_is_read_or_refused_in_a_moment() {
    // The longest file with all mutations; a small part of it is quicker without optimisation.
    let whole = std::env::var_os("BYESTAND_MUTATIONS").is_some();
    let length = if whole {
        FILE_LEN_MAX
    } else {
        FILE_LEN_MAX / 8
    };
    for (format, sample) in SAMPLES {
        let huge: Vec<u8> = sample.iter().copied().cycle().take(length).collect();
        let begun = Instant::now();
        // Either is right: the same boards again and again, or one cut short at the end.
        let _ = read(&huge);
        let took = begun.elapsed();
        println_in_tests(&format!("{format}: {took:?}"));
        assert!(took < Duration::from_secs(20), "{format}: {took:?}");
    }
    let more = vec![b'1'; FILE_LEN_MAX + 1];
    assert!(refusal(&more).starts_with("the file has 8388609 bytes"));
}
