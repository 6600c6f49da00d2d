//! The worked examples of `protocol/README.md`, read by a client that knows nothing but that page:
//! it derives keys, builds nonces and opens frames with the crypto crates alone.

use std::fmt::Write;

use crate::client::{BASE, CLUB, body, derive, nonce, opened};
use crate::common::{self, Pair};

const README: &str = include_str!("../../README.md");
const PAD: [u8; 4] = [0xee, 0xff, 0xc0, 0x00];

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    })
}

fn open(key: [u8; 16], nonce: [u8; 13], body: &[u8], header: usize) -> Vec<u8> {
    opened(key, nonce, body, header).expect("the tag is right")
}

#[test]
fn point_16_the_examples_of_the_readme_are_true() {
    let mut pair = Pair::new(&common::CLUB);
    pair.two_results();
    let frames: Vec<Vec<u8>> = pair
        .frames
        .iter()
        .map(|frame| frame.bytes.clone())
        .collect();
    // The base sends an answer twice where it fits.
    let [
        hello,
        stranger,
        first_call,
        first_answer,
        _,
        call,
        answer,
        _,
    ] = &frames[..]
    else {
        panic!("eight frames expected: {frames:?}");
    };

    let pad_key: [u8; 32] = derive(&[], &CLUB, &[b"byestand pad", &PAD]);
    let check: [u8; 2] = derive(&[], &CLUB, &[b"byestand check"]);
    let hello_key: [u8; 16] = derive(&[], &pad_key, &[b"byestand hello"]);
    let association = [1, 0, 0, 0];
    let session = |name: &[u8]| derive(&BASE, &pad_key, &[name, &[1], &association]);
    let (up_key, down_key): ([u8; 16], [u8; 16]) =
        (session(b"byestand 2 up"), session(b"byestand 2 down"));

    let hello_body = body(hello);
    let hello_nonce = nonce(&[&[0x40], &PAD, &hello_body[10..18]]);
    assert_eq!(open(hello_key, hello_nonce, &hello_body, 18), []);
    let stranger_body = body(stranger);
    let hello_tag = &hello_body[hello_body.len() - 8..];
    let stranger_info: [&[u8]; 3] = [b"byestand 2 stranger", &[1], hello_tag];
    let stranger_key: [u8; 16] = derive(&BASE, &pad_key, &stranger_info);
    let (oldest, floor, slot_phase) = (
        &stranger_body[3..4],
        &stranger_body[14..18],
        &stranger_body[18..20],
    );
    let stranger_nonce = nonce(&[&[0xF0], &PAD, floor, slot_phase, oldest, &[0]]);
    assert_eq!(open(stranger_key, stranger_nonce, &stranger_body, 20), []);
    assert_eq!(stranger_body[6..14], BASE);

    let of = |kind: u8, counter: u8| nonce(&[&[kind], &PAD, &association, &[counter, 0, 0, 0]]);
    let first_content = open(up_key, of(0xA0, 1), &body(first_call), 12);
    let first_answer_content = open(down_key, of(0x90, 1), &body(first_answer), 5);
    let content = open(up_key, of(0x80, 2), &body(call), 5);
    let answer_content = open(down_key, of(0x90, 3), &body(answer), 5);

    let expected = [
        ("key check", hex(&check)),
        ("pad key", hex(&pad_key)),
        ("hello key", hex(&hello_key)),
        ("stranger key", hex(&stranger_key)),
        ("up key", hex(&up_key)),
        ("down key", hex(&down_key)),
        ("hello", hex(hello)),
        ("hello nonce", hex(&hello_nonce)),
        ("stranger", hex(stranger)),
        ("stranger nonce", hex(&stranger_nonce)),
        ("open", hex(first_call)),
        ("open nonce", hex(&of(0xA0, 1))),
        ("open content", hex(&first_content)),
        ("first answer", hex(first_answer)),
        ("first answer content", hex(&first_answer_content)),
        ("call", hex(call)),
        ("call nonce", hex(&of(0x80, 2))),
        ("call content", hex(&content)),
        ("answer", hex(answer)),
        ("answer nonce", hex(&of(0x90, 3))),
        ("answer content", hex(&answer_content)),
    ];
    let lines: Vec<String> = expected
        .iter()
        .map(|(name, hex)| format!("{name:<21} {hex}"))
        .collect();
    for line in &lines {
        assert!(
            README.contains(line.as_str()),
            "the README should have these lines:\n{}",
            lines.join("\n")
        );
    }
}
