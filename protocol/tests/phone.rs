//! What a phone scans, asks for and is given.

use protocol::frame::{ClubKey, NetworkId};
use protocol::phone::{Code, CodeSecret, End, Grant, Notes};
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

#[test]
fn a_note_is_read_once_in_its_order_on_its_line_and_by_nobody_else() {
    let keys = grant().keys;
    let ends = |base: u8, phone: u8| {
        let (base, phone) = ([base; 16], [phone; 16]);
        (
            Notes::new(&keys, &base, &phone, End::Base),
            Notes::new(&keys, &base, &phone, End::Phone),
        )
    };
    let (mut base, mut phone) = ends(1, 2);
    let mut sealed = |text: &[u8; 6]| {
        let mut note = *text;
        let tag = phone.seal(&mut note).expect("sealed");
        assert_ne!(&note, text);
        (note, tag)
    };
    let (first, second) = (sealed(b"accept"), sealed(b"accept"));
    assert_ne!(first.0, second.0, "each has a number of its own");
    let read = |end: &mut Notes, (note, tag): &([u8; 6], [u8; 8])| {
        let mut note = *note;
        end.open(&mut note, tag).map(|()| note)
    };
    assert_eq!(read(&mut base, &second), None, "not before the first");
    assert_eq!(read(&mut base, &first), Some(*b"accept"));
    assert_eq!(read(&mut base, &first), None, "not twice");
    assert_eq!(read(&mut base, &second), Some(*b"accept"));
    let (mut elsewhere, mut itself) = ends(1, 3);
    assert_eq!(read(&mut elsewhere, &first), None, "another line");
    assert_eq!(read(&mut itself, &first), None, "the wrong way round");
    let stranger = CLUB.for_pad(PadId::new(9).unwrap());
    let mut stranger = Notes::new(&stranger, &[1; 16], &[2; 16], End::Base);
    assert_eq!(read(&mut stranger, &first), None, "another phone's keys");
}

#[test]
fn a_pairs_code_has_a_secret_of_its_own() {
    let secret = |name: &str| CodeSecret::of_own(&CLUB, name).to_string();
    assert_ne!(secret("P77-A12EW-0"), secret("P77-A12EW-1"));
    assert_ne!(secret("P77-A12EW-0"), secret("P77-A12NS-0"));
    let table = CodeSecret::of(&CLUB, code("77-A-12-0")).to_string();
    assert_ne!(
        secret("77-A-12-0"),
        table,
        "a table's code is none of these"
    );
}
