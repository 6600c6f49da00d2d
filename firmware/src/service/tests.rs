use protocol::message::FirmwareVersion;
use protocol::time::Instant;
use protocol::words::{PadId, Refusal};

use super::{COMMAND_LEN_MAX, Command, mirror};
use crate::app::Radio;
use crate::{App, Key};

const CLUB: &str = "club 00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff 12 100";

#[test]
fn what_is_printed_on_a_key_presses_it() {
    let cases = [
        ("press 4", Key::Four),
        ("press XX", Key::Redouble),
        ("press ACCEPT", Key::Accept),
        ("press DOWN", Key::Down),
        ("  press  NT  ", Key::NoTrump),
    ];
    for (line, key) in cases {
        assert!(line.parse() == Ok(Command::Press(key)), "{line}");
    }
}

#[test]
fn the_longest_command_makes_a_pad_one_of_the_club() {
    assert!(CLUB.len() <= COMMAND_LEN_MAX);
    let Ok(Command::Provision { club, radio }) = CLUB.parse() else {
        panic!("{CLUB} was refused");
    };
    assert_eq!(club.bytes()[..4], [0x00, 0x11, 0x22, 0x33]);
    let expected = Radio {
        network: 12,
        channel: 100,
        ..Radio::FACTORY
    };
    assert_eq!(radio, expected);
}

#[test]
fn what_is_no_command_is_refused_with_what_was_expected() {
    let cases = [
        ("hello", "expected press, club, modem, number"),
        ("test smell", "expected test keys, black"),
        ("language klingon", "expected a language"),
        ("press HOME", "expected what is printed on a key"),
        ("screen now", "expected nothing more"),
        (
            "club 00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff 300",
            "expected a number from 0 to 255",
        ),
    ];
    for (line, expected) in cases {
        match line.parse::<Command>() {
            Err(Refusal(text)) => assert!(text.starts_with(expected), "{line}: {text}"),
            Ok(_) => panic!("{line} was taken"),
        }
    }
}

#[test]
fn a_screen_is_mirrored_line_by_line() {
    let mut app = App::new(PadId::MIN, FirmwareVersion(0, 1, 0));
    app.resume(Instant::ZERO);
    let mut page = heapless::String::<1024>::new();
    assert!(mirror(&app.screen(Instant::ZERO), &mut page).is_ok());
    assert!(page.starts_with("screen Start\n"), "{page}");
    assert!(page.contains("\nGood evening\n"), "{page}");
    assert!(page.ends_with("\n[] [] [OK: start]\nend\n"), "{page}");
}
