//! Wire version 2 as it was released. If a test in this module fails, do not change the test:
//! change the code, or add a variant and raise the version.
//!
//! Messages are those of version 1 and what was appended since; frames differ in their headers.
//! Whole frames with their keys are the worked example of the README (`tests/link/readme.rs`).

use protocol::frame::{
    AssociationNumber, BaseNonce, Header, KeyCheck, NetworkId, PadKeys, Phase, Version,
};
use protocol::message::*;
use protocol::wire::Message;
use protocol::words::*;

fn unhex(text: &str) -> Vec<u8> {
    let digit = |at: usize| u8::from_str_radix(&text[at..at + 2], 16).unwrap();
    (0..text.len()).step_by(2).map(digit).collect()
}

fn pad() -> PadId {
    PadId::new(0x00C0_FFEE).unwrap()
}

fn headers(wire: Version, association: u32) -> [Header; 4] {
    let network = NetworkId::new(1);
    let address = pad().into();
    [
        Header::Call {
            wire,
            address,
            network,
            counter: 0x0201,
        },
        Header::Answer {
            wire,
            address,
            network,
            counter: 3,
            phase: Phase(0xCC),
        },
        Header::Open {
            wire,
            network,
            counter: 4,
            pad: pad(),
            association: AssociationNumber(association),
        },
        Header::Stranger {
            wire,
            address,
            network,
            version_min: 2,
            check: KeyCheck([0x89, 0x7e]),
            base: BaseNonce([1, 2, 3, 4, 5, 6, 7, 8]),
            floor: AssociationNumber(association),
            slot: 9,
            phase: Phase(0xCC),
        },
    ]
}

fn check_headers(headers: [Header; 4], literal: [&str; 4]) {
    for (header, literal) in headers.into_iter().zip(literal) {
        assert_eq!(header.encode().as_slice(), unhex(literal), "{header:?}");
        let read = Header::decode(&unhex(literal)).map(|(header, _)| header);
        assert_eq!(read, Some(header), "{literal}");
    }
}

#[test]
fn headers_of_version_2() {
    check_headers(
        headers(Version::Two, 0x0807_0605),
        [
            "83e1010102",
            "93e10103cc",
            "a3e10104eeffc00005060708",
            "f3e10102897e01020304050607080506070809cc",
        ],
    );
}

#[test]
fn headers_of_version_1() {
    check_headers(
        headers(Version::One, 0x0605),
        [
            "03e1010102",
            "13e10103cc",
            "23e10104eeffc0000506",
            "73e10102897e0102030405060708050609cc",
        ],
    );
}

#[test]
fn the_hello_says_its_version_itself() {
    let hello = Header::Hello {
        network: NetworkId::new(1),
        version: 2,
        check: KeyCheck([0x89, 0x7e]),
        pad: pad(),
        salt: [1, 2, 3, 4, 5, 6, 7, 8],
    };
    let literal = unhex("43e10102897eeeffc0000102030405060708");
    assert_eq!(hello.encode().as_slice(), literal);
    assert_eq!(Header::decode(&literal).map(|(it, _)| it), Some(hello));
    let mut with_the_bit = literal;
    with_the_bit[0] |= 0x80;
    assert_eq!(Header::decode(&with_the_bit), None);
}

#[test]
fn messages_that_were_appended() {
    let asking = Down::Refused {
        number: None,
        reason: RefusalReason::AskingDirector,
    };
    let alone = Down::Feedback(Feedback::Traveller {
        board: BoardNumber::new(5).unwrap(),
        lines: [TravellerLine {
            score: Score(-620),
            times: 1,
            ns_percentage: None,
            own: true,
            played: None,
        }]
        .into_iter()
        .collect(),
    });
    for (message, literal) in [(asking, "02000d"), (alone, "07000501d70901ff7f0100")] {
        assert_eq!(message.encode().unwrap().as_slice(), unhex(literal));
        assert_eq!(Down::decode(&unhex(literal)), Some(message), "{literal}");
    }
}

#[test]
fn what_the_director_gave_in_place_of_a_result() {
    let score = |points| Award::Score(Score(points));
    let sixty = Award::Percentage(Percentage::new(6000).unwrap());
    for (ns, ew, literal) in [
        (score(620), score(620), "828207f6783d5e"),
        (Award::AveragePlus, Award::AverageMinus, "828207f6fff97f"),
        (Award::Average, sixty, "828207eeffe12e"),
        (Award::Weighted, score(-110), "828207deffab5d"),
        (score(7600), score(-7600), "828207c68ed157"),
    ] {
        let recorded = Down::Recorded(Recorded {
            round: RoundNumber::new(2).unwrap(),
            board: BoardNumber::new(7).unwrap(),
            result: Some(Outcome::Awarded { ns, ew }),
            source: Source::Director,
        });
        assert_eq!(recorded.encode().unwrap().as_slice(), unhex(literal));
        assert_eq!(Down::decode(&unhex(literal)), Some(recorded), "{literal}");
        // No pad can say it.
        let entry = format!("800100010107{}", &literal[6..]);
        assert_eq!(Up::decode(&unhex(&entry)), None);
    }
    // No contract gives it, and numbers that mean nothing.
    for award in [score(625), score(7610), score(-7610)] {
        let odd = Down::Recorded(Recorded {
            round: RoundNumber::FIRST,
            board: BoardNumber::MIN,
            result: Some(Outcome::Awarded {
                ns: award,
                ew: award,
            }),
            source: Source::Director,
        });
        assert_eq!(odd.encode(), None, "{award:?}");
    }
    for half in [10_001_u32, 11_239, 12_761, 16_378, 16_383] {
        let bits = (6 | half << 3 | half << 17).to_le_bytes();
        let message = [&[0x82, 0x82, 0x07], &bits[..]].concat();
        assert_eq!(Down::decode(&message), None, "{half}");
    }
}

#[test]
fn messages_about_matches() {
    let round = RoundNumber::new(3).unwrap();
    let line = SlipLine {
        board: BoardNumber::new(21).unwrap(),
        here: Some(Score(620)),
        there: Some(Score(-100)),
        points: Some(120),
    };
    let open = SlipLine {
        board: BoardNumber::new(22).unwrap(),
        here: None,
        there: None,
        points: None,
    };
    let not_drawn = Down::NotDrawn {
        from: round,
        rounds_total: RoundNumber::new(9).unwrap(),
    };
    let matching = Down::Match(MatchAtTable {
        round,
        home: Side::EastWest,
        names: ["Ace".try_into().unwrap(), Name::new()],
    });
    let slip = Down::Slip(Slip {
        round,
        check: 0x1234,
        lines: [line, open].into_iter().collect(),
        total: Some(-5),
        vp: Some([1_472, 528]),
        accepted: false,
    });
    for (message, literal) in [
        (not_drawn, "140309"),
        (matching, "1503010341636500"),
        (
            slip,
            "1603b424021501d80901c70101f001160000000109018017a00800",
        ),
    ] {
        assert_eq!(message.encode().unwrap().as_slice(), unhex(literal));
        assert_eq!(Down::decode(&unhex(literal)), Some(message), "{literal}");
    }
    let accepted = Up::SlipAccepted {
        round,
        check: 0x1234,
    };
    assert_eq!(accepted.encode().unwrap().as_slice(), unhex("1003b424"));
    assert_eq!(Up::decode(&unhex("1003b424")), Some(accepted));
}

#[test]
fn what_a_pad_of_version_1_kept_is_read_and_the_shared_key_is_forgotten() {
    let kept: Vec<u8> = (0..50).collect();
    let (keys, rest): (PadKeys, &[u8]) = postcard::take_from_bytes(&kept).unwrap();
    assert_eq!((keys.check(), rest), (KeyCheck([48, 49]), &[][..]));
    let mut written = [0xFF; 64];
    let written = postcard::to_slice(&keys, &mut written).unwrap();
    let mut forgotten = kept;
    forgotten[32..48].fill(0);
    assert_eq!(*written, *forgotten);
}
