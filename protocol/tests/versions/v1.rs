//! Wire version 1 as it was released. If a test in this module fails, do not change the test:
//! change the code, or add a variant and raise the version.

use std::fmt::Write;

use protocol::frame::ClubKey;
use protocol::message::*;
use protocol::wire::Message;
use protocol::words::*;

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    })
}

fn unhex(text: &str) -> Vec<u8> {
    let digit = |at: usize| u8::from_str_radix(&text[at..at + 2], 16).unwrap();
    (0..text.len()).step_by(2).map(digit).collect()
}

/// Both ways: the message gives these bytes, and these bytes give the message.
fn check<M: Message + PartialEq + std::fmt::Debug>(cases: &[(M, &str)]) {
    for (message, bytes) in cases {
        assert_eq!(&hex(&message.encode().unwrap()), bytes, "{message:?}");
        assert_eq!(M::decode(&unhex(bytes)).as_ref(), Some(message), "{bytes}");
    }
}

fn round(number: u8) -> RoundNumber {
    RoundNumber::new(number).unwrap()
}

fn board(number: u8) -> BoardNumber {
    BoardNumber::new(number).unwrap()
}

fn pair(number: u16) -> Option<PairNumber> {
    PairNumber::new(number)
}

fn table(number: u16) -> TableNumber {
    TableNumber::new(number).unwrap()
}

fn percent(whole: u8) -> Percentage {
    Percentage::whole(whole).unwrap()
}

fn contract(text: &str, declarer: Seat) -> Contract {
    Contract::parse(text, declarer).unwrap()
}

fn played(lead: Option<&str>) -> BoardResult {
    BoardResult::Played(Played {
        contract: contract("4SX", Seat::North),
        tricks: Tricks::new(10).unwrap(),
        lead: lead.map(|lead| lead.parse().unwrap()),
    })
}

fn entry(result: BoardResult) -> Entry {
    Entry {
        number: EntryNumber(300),
        round: round(2),
        agreed_in: round(3),
        board: board(7),
        result,
        correction: true,
        by_director: false,
    }
}

const STATE: CheckIn = CheckIn {
    battery_20_mv: 150,
    signal_minus_dbm: 70,
    unsent: 2,
    round: RoundNumber::FIRST,
};

fn log_on() -> LogOn {
    LogOn {
        section: SectionLetter::A,
        table: table(12),
        wire_version: 1,
        firmware: FirmwareVersion(0, 1, 0),
        state: STATE,
    }
}

/// A club evening with the director's number of those days.
const SETTINGS: Settings = Settings {
    director_pin: Pin(2580),
    ..Settings::CLUB_EVENING
};

#[test]
fn what_a_pad_says() {
    check(&[
        (Up::LogOn(log_on()), "00410c0100010096460201"),
        (Up::Replace(log_on()), "01410c0100010096460201"),
        (Up::Recover(log_on()), "02410c0100010096460201"),
        (Up::CheckIn(STATE), "0396460201"),
        (
            Up::Players(Players {
                round: round(1),
                seats: [None, PlayerNumber::new(0), PlayerNumber::new(12345), None],
            }),
            "040100010001b96000",
        ),
        (
            Up::PairsSeen {
                round: round(4),
                ns: pair(3),
                ew: None,
            },
            "0504010300",
        ),
        (
            Up::BoardWanted {
                round: round(4),
                board: board(30),
            },
            "06041e",
        ),
        (
            Up::BoardAllowedHere {
                round: round(4),
                board: board(30),
            },
            "07041e",
        ),
        (Up::Entry(entry(played(Some("HK")))), "802c01820307e1424b"),
        (Up::Held(entry(played(None))), "812c01820307e04201"),
        (Up::Entry(entry(BoardResult::PassedOut)), "802c0182030702"),
        (Up::Entry(entry(BoardResult::NotPlayed)), "802c0182030703"),
        (Up::Entry(entry(BoardResult::SitOut)), "802c0182030704"),
        (
            Up::Entry(entry(BoardResult::Adjusted {
                ns: percent(60),
                ew: percent(40),
            })),
            "802c0182030785bb401f",
        ),
        (Up::CallDirector, "0a"),
        (Up::CancelCall, "0b"),
        (Up::Ask(Question::Traveller(board(5))), "0c0005"),
        (Up::Ask(Question::HandRecord(board(5))), "0c0105"),
        (Up::Ask(Question::Ranking), "0c02"),
        (Up::Ask(Question::History), "0c03"),
        (Up::ResendingEverything { entries: 24 }, "0d18"),
        (Up::LogOff, "0e"),
    ]);
}

#[test]
fn what_the_base_answers() {
    let recorded = |result: Option<BoardResult>, source| {
        Down::Recorded(Recorded {
            round: round(2),
            board: board(7),
            result: result.map(Outcome::Result),
            source,
        })
    };
    let history = |results: &[Option<BoardResult>]| {
        let lines = results.iter().map(|result| Recorded {
            round: round(2),
            board: board(7),
            result: result.map(Outcome::Result),
            source: Source::Table,
        });
        Down::History(lines.collect())
    };
    check(&[
        (
            Down::Received {
                number: EntryNumber(300),
                percentage: None,
            },
            "802c01",
        ),
        (
            Down::Received {
                number: EntryNumber(300),
                percentage: Some(percent(62)),
            },
            "812c013818",
        ),
        (
            Down::Refused {
                number: Some(EntryNumber(300)),
                reason: RefusalReason::RoundOver,
            },
            "0201ac0206",
        ),
        (
            Down::Refused {
                number: None,
                reason: RefusalReason::TableInUse,
            },
            "020001",
        ),
        (
            Down::BoardAllowed {
                round: round(4),
                board: board(30),
            },
            "03041e",
        ),
        (
            recorded(Some(played(Some("HK"))), Source::Table),
            "820207e1424b",
        ),
        (
            history(&[Some(BoardResult::PassedOut), None]),
            "83020702020707",
        ),
        (recorded(None, Source::Director), "82820707"),
        (Down::Gate { open: false }, "0a00"),
        (Down::Notice("Tea!".try_into().unwrap()), "0b0454656121"),
        (Down::Replaced, "0c"),
        (Down::PleaseResend, "0d"),
        (Down::SessionOver, "0e"),
        (
            Down::Clock(Clock {
                time_of_day_s: 70_000,
                round: round(3),
                left_s: -30,
                state: ClockState::Running,
            }),
            "09f0a204033b01",
        ),
        (Down::Settings(SETTINGS), "06000100000101000001941400"),
    ]);
}

#[test]
fn what_the_base_tells_at_length() {
    let sheet = RoundSheet {
        round: round(1),
        ns: pair(1),
        ew: pair(9),
        first_board: board(3),
        boards: 2,
        ns_next: NextPlace::Stay,
        ew_next: NextPlace::Go(table(2), Side::EastWest),
        boards_to: None,
    };
    let line = TravellerLine {
        score: Score(-620),
        times: 3,
        ns_percentage: Some(percent(20)),
        own: true,
        played: None,
    };
    let single = TravellerLine {
        score: Score(170),
        times: 1,
        ns_percentage: Some(percent(80)),
        own: false,
        played: Some((contract("3S", Seat::West), Tricks::new(10).unwrap())),
    };
    let ranked = RankingLine {
        rank: 1,
        pair: pair(9).unwrap(),
        side: Some(Side::EastWest),
        percentage: percent(61),
        name: "Ash".try_into().unwrap(),
    };
    check(&[
        (
            Down::Welcome(Welcome {
                session: SessionId::new(77).unwrap(),
                epoch: Epoch::new(2).unwrap(),
                section: SectionLetter::A,
                table: table(12),
                event: "Pairs".try_into().unwrap(),
                round: round(1),
                rounds_total: round(9),
                next_entry: EntryNumber::FIRST,
                recorded: 0,
                settings: SETTINGS,
            }),
            "004d02410c05506169727301090100000100000101000001941400",
        ),
        (
            Down::Schedule {
                rounds_total: round(9),
                rounds: [sheet].into_iter().collect(),
            },
            "040901010101010903020001020100",
        ),
        (
            Down::Names(PairNames {
                round: round(1),
                seats: ["N", "", "S", "W"].map(|name| name.try_into().unwrap()),
            }),
            "0501014e0001530157",
        ),
        (
            Down::Feedback(Feedback::Traveller {
                board: board(5),
                lines: [single, line].into_iter().collect(),
            }),
            "07000502d40201c03e0001030300030ad70903d00f0100",
        ),
        (
            Down::Feedback(Feedback::HandRecord(HandRecord {
                board: board(5),
                deal: PackedDeal([0x1b; 13]),
                tricks: None,
                par: Some(Par {
                    score: Score(420),
                    contract: Some(contract("4H", Seat::South)),
                }),
            })),
            "0701051b1b1b1b1b1b1b1b1b1b1b1b1b0001c8060104020002",
        ),
        (
            Down::Feedback(Feedback::Ranking {
                lines: [ranked].into_iter().collect(),
            }),
            "07020101090101d42f03417368",
        ),
    ]);
}

#[test]
fn a_message_has_one_form_and_nothing_behind_it() {
    let mut buffer = [0; 64];
    let packed = Up::Entry(entry(BoardResult::PassedOut));
    let plain = postcard::to_slice(&packed, &mut buffer).unwrap();
    assert_eq!(Up::decode(plain), None, "the packed form is the only one");
    for bytes in [
        "",
        "0a00",
        "0f",
        "7f",
        "ff",
        "80",
        "8300",
        "802c0182030702ff",
    ] {
        assert_eq!(Up::decode(&unhex(bytes)), None, "{bytes}");
    }
    // Bits that mean nothing must be zero: rank 7 of a result, an eighth strain, card 52.
    for bytes in ["802c0182030706", "802c018203070a", "802c01820307e10169"] {
        assert_eq!(Up::decode(&unhex(bytes)), None, "{bytes}");
    }
}

#[test]
fn the_longest_messages_fit() {
    let line = TravellerLine {
        score: Score(i16::MIN),
        times: 255,
        ns_percentage: Some(percent(100)),
        own: true,
        played: Some((contract("7NTXX", Seat::West), Tricks::new(13).unwrap())),
    };
    let lines = std::iter::repeat_n(line, TRAVELLER_LINES_MAX).collect();
    let traveller = Down::Feedback(Feedback::Traveller {
        board: board(255),
        lines,
    });
    let name: Name = "WWWWWWWWWWWWWWWWWWWWWWWW".try_into().unwrap();
    let ranked = RankingLine {
        rank: u16::MAX,
        pair: PairNumber::MAX,
        side: Some(Side::EastWest),
        percentage: percent(100),
        name,
    };
    let lines = std::iter::repeat_n(ranked, RANKING_LINES_MAX).collect();
    let ranking = Down::Feedback(Feedback::Ranking { lines });
    for message in [traveller, ranking] {
        let bytes = message.encode().expect("fits");
        assert_eq!(Down::decode(&bytes), Some(message));
    }
}

#[test]
fn what_was_added_for_the_director() {
    check(&[(Up::DirectorPin(Pin(7316)), "0f9439")]);
    let (round, board) = (round(4), board(30));
    check(&[
        (
            Down::BoardRefused {
                round,
                board,
                reason: RefusalReason::NotAllowed,
            },
            "10041e0b",
        ),
        (
            Down::PinJudged {
                right: false,
                rest_s: 10,
            },
            "11000a",
        ),
        (
            Down::UnknownPlayers {
                round,
                seats: [false, true, false, false],
            },
            "120400010000",
        ),
        (Down::CallSettled, "13"),
        (
            Down::NewKey(ClubKey::new([7; 32]).for_pad(PadId::new(0x00C0_FFEE).unwrap())),
            "17d0c1124b64fcfaee83688e823d182f78b38cfec40b90b3f42f7ca6db1f6c9d9b\
             00000000000000000000000000000000897e",
        ),
    ]);
}
