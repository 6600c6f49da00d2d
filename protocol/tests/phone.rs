//! What a phone scans, asks for and is given.

use protocol::frame::{ClubKey, NetworkId};
use protocol::phone::{Code, CodeSecret, Grant};
use protocol::words::PadId;

const CLUB: ClubKey = ClubKey::new([9; 32]);

fn code(text: &str) -> Code {
    text.parse().expect("a code")
}

fn grant() -> Grant {
    let pad = PadId::new(0x0102_0304).unwrap();
    Grant {
        pad,
        keys: CLUB.for_pad(pad),
        network: NetworkId::new(5),
    }
}

#[test]
fn a_phone_that_has_read_the_code_gets_its_keys_and_nobody_else_can_read_them() {
    let secret = CodeSecret::of(&CLUB, code("77-A-12-0"));
    let read: CodeSecret = secret.to_string().parse().expect("what the address says");
    let (device, other) = ([1; 16], [2; 16]);
    assert!(secret.is_proven(&device, &read.proof(&device)));
    assert!(!secret.is_proven(&other, &read.proof(&device)));
    let sealed = secret.seal(&device, &grant()).expect("sealed");
    assert_eq!(read.open(&device, &sealed), Some(grant()));
    assert_eq!(read.open(&other, &sealed), None, "another phone's answer");
    for bit in 0..sealed.len() * 8 {
        let mut changed = sealed;
        changed[bit / 8] ^= 1 << (bit % 8);
        assert_eq!(read.open(&device, &changed), None, "bit {bit}");
    }
}

#[test]
fn every_session_table_and_number_has_a_secret_of_its_own() {
    let names = [
        "77-A-12-0",
        "77-A-12-1",
        "77-A-13-0",
        "77-B-12-0",
        "78-A-12-0",
    ];
    let secrets = names.map(|name| CodeSecret::of(&CLUB, code(name)).to_string());
    for (at, secret) in secrets.iter().enumerate() {
        assert!(!secrets[..at].contains(secret), "{}", names[at]);
    }
    let elsewhere = CodeSecret::of(&ClubKey::new([8; 32]), code("77-A-12-0"));
    assert_ne!(elsewhere.to_string(), secrets[0], "another club");
}

#[test]
fn a_code_says_its_name_and_rubbish_is_none() {
    assert_eq!(code("77-A-12-3").to_string(), "77-A-12-3");
    for rubbish in [
        "",
        "77-A-12",
        "77-A-12-3-4",
        "77-1-12-0",
        "A-77-0-0",
        "77-A-12-99999",
    ] {
        assert!(rubbish.parse::<Code>().is_err(), "{rubbish}");
    }
    for rubbish in ["", "00", &"0".repeat(31), &"0".repeat(33), &"g".repeat(32)] {
        assert!(rubbish.parse::<CodeSecret>().is_err(), "{rubbish}");
    }
}
