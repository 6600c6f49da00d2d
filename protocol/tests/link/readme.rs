//! The worked examples of `protocol/README.md`, read by a client that knows nothing but that page:
//! it derives keys, builds nonces and opens frames with the crypto crates alone.

use std::fmt::Write;

use crate::common::{self, Pair, entry, received};
use aes::Aes128;
use ccm::aead::array::Array;
use ccm::consts::{U8, U13};
use ccm::{AeadInOut, Ccm, KeyInit};
use hkdf::Hkdf;
use protocol::time::Span;
use protocol::words::Percentage;
use sha2::Sha256;

const README: &str = include_str!("../../README.md");
const CLUB: [u8; 32] = [7; 32];
const BASE: [u8; 8] = [1; 8];
const PAD: [u8; 4] = [0xee, 0xff, 0xc0, 0x00];

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    })
}

fn derive<const N: usize>(salt: &[u8], secret: &[u8], info: &[&[u8]]) -> [u8; N] {
    let mut key = [0; N];
    Hkdf::<Sha256>::new(Some(salt), secret)
        .expand(&info.concat(), &mut key)
        .unwrap();
    key
}

/// A frame taken apart: what is between the delimiters, without COBS.
fn body(frame: &[u8]) -> Vec<u8> {
    let mut body = vec![0; frame.len()];
    let length = cobs::decode(&frame[1..frame.len() - 1], &mut body).unwrap();
    body.truncate(length);
    body
}

fn open(key: [u8; 16], nonce: [u8; 13], body: &[u8], header: usize) -> Vec<u8> {
    let mut content = body[header..body.len() - 8].to_vec();
    let tag: [u8; 8] = body[body.len() - 8..].try_into().unwrap();
    Ccm::<Aes128, U8, U13>::new(&Array(key))
        .decrypt_inout_detached(
            &Array(nonce),
            &body[..header],
            content.as_mut_slice().into(),
            &Array(tag),
        )
        .expect("the tag is right");
    content
}

fn nonce(parts: &[&[u8]]) -> [u8; 13] {
    parts.concat().try_into().unwrap()
}

#[test]
fn the_examples_of_the_readme_are_true() {
    let mut pair = Pair::new(&common::CLUB);
    pair.send(&entry(1));
    pair.run_until_call();
    pair.answer(vec![received(1, None)]);
    pair.run_for(Span::from_secs(2));
    pair.send(&entry(2));
    pair.run_until_call();
    pair.answer(vec![received(2, Percentage::whole(62))]);
    pair.run_for(Span::from_secs(2));
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
    let stranger_key: [u8; 16] = derive(&[], &CLUB, &[b"byestand stranger"]);
    let check: [u8; 2] = derive(&[], &CLUB, &[b"byestand check"]);
    let hello_key: [u8; 16] = derive(&[], &pad_key, &[b"byestand hello"]);
    let association = [1, 0];
    let session = |name: &[u8]| derive(&BASE, &pad_key, &[name, &[1], &association]);
    let (up_key, down_key): ([u8; 16], [u8; 16]) =
        (session(b"byestand up"), session(b"byestand down"));

    let hello_body = body(hello);
    let hello_nonce = nonce(&[&[0x40], &PAD, &hello_body[10..18]]);
    assert_eq!(open(hello_key, hello_nonce, &hello_body, 18), []);
    let stranger_body = body(stranger);
    let hello_tag = &hello_body[hello_body.len() - 8..];
    let stranger_nonce = nonce(&[&[0x70], hello_tag, &BASE[..4]]);
    assert_eq!(open(stranger_key, stranger_nonce, &stranger_body, 18), []);
    assert_eq!(stranger_body[6..14], BASE);

    let of =
        |kind: u8, counter: u8| nonce(&[&[kind], &PAD, &association, &[0, 0], &[counter, 0, 0, 0]]);
    let first_content = open(up_key, of(0x20, 1), &body(first_call), 10);
    let first_answer_content = open(down_key, of(0x10, 1), &body(first_answer), 5);
    let content = open(up_key, of(0x00, 2), &body(call), 5);
    let answer_content = open(down_key, of(0x10, 3), &body(answer), 5);

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
        ("open nonce", hex(&of(0x20, 1))),
        ("open content", hex(&first_content)),
        ("first answer", hex(first_answer)),
        ("first answer content", hex(&first_answer_content)),
        ("call", hex(call)),
        ("call nonce", hex(&of(0x00, 2))),
        ("call content", hex(&content)),
        ("answer", hex(answer)),
        ("answer nonce", hex(&of(0x10, 3))),
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
