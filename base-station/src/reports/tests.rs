use super::page::{declared, signed, symbols};
use super::{Language, Words};
use telling::tell;

use crate::session::{Moment, movement_name};

#[test]
fn contracts_are_printed_with_their_suits() {
    let told = [
        ("4S", "4<span class=\"s\">♠</span>"),
        ("3NT", "3NT"),
        ("5DX", "5<span class=\"d\">♦</span>×"),
        ("2HXX", "2<span class=\"h\">♥</span>××"),
        ("HK", "<span class=\"h\">♥</span>K"),
        ("CT", "<span class=\"c\">♣</span>10"),
        ("S9", "<span class=\"s\">♠</span>9"),
    ];
    for (written, printed) in told {
        let english = Words::of(Language::English);
        assert_eq!(
            symbols(english, written).into_string(),
            printed,
            "{written}"
        );
    }
    // Everybody reads seats, honours and no trump in letters of their own.
    let told = [
        (Language::French, "3NTX W", "3SA× O"),
        (Language::Dutch, "3NT S", "3SA Z"),
        (Language::German, "3NT E", "3NT O"),
        (Language::English, "4SX S", "4<span class=\"s\">♠</span>× S"),
    ];
    for (language, written, printed) in told {
        let printed_so = declared(Words::of(language), written).into_string();
        assert_eq!(printed_so, printed, "{written}");
    }
    let king = symbols(Words::of(Language::French), "HK").into_string();
    assert_eq!(king, "<span class=\"h\">♥</span>R");
}

#[test]
fn scores_carry_their_sign_and_points_two_decimals() {
    assert_eq!(signed(Some(620)), "+620");
    assert_eq!(signed(Some(-50)), "−50");
    assert_eq!(signed(Some(0)), "0");
    assert_eq!(signed(None), "");
    assert_eq!(Words::of(Language::English).two(Some(7.5)), "7.50");
    assert_eq!(Words::of(Language::German).two(Some(7.5)), "7,50");
}

#[test]
fn a_phone_gets_the_language_it_asks_for_first() {
    let told = [
        ("de-AT,de;q=0.9,en;q=0.5", Language::German),
        ("en-GB,en;q=0.9,de;q=0.8", Language::English),
        ("fr-FR,fr;q=0.9,de;q=0.6,en;q=0.3", Language::French),
        ("es-ES,es;q=0.9,nl;q=0.6,en;q=0.3", Language::Dutch),
        ("sv", Language::English),
        ("", Language::English),
        ("DE", Language::German),
        (";;q=x,é", Language::English),
    ];
    for (wishes, language) in told {
        assert_eq!(telling::understood(wishes), language, "{wishes}");
    }
}

#[test]
fn days_and_times_are_those_of_the_clubs_wall() {
    let (english, german) = (Words::of(Language::English), Words::of(Language::German));
    assert_eq!(english.day("2026-11-06"), "6 November 2026");
    assert_eq!(german.day("2026-11-06"), "6.11.2026");
    assert_eq!(german.day("soon"), "soon");
    // Half past eleven at night in universal time is the next day in Vienna.
    let moment = Moment(1_794_007_800_000);
    assert_eq!(english.moment(moment, 0), "6 November 2026, 23:30");
    assert_eq!(german.moment(moment, 60), "7.11.2026, 00:30");
}

#[test]
fn what_the_base_says_is_printed_in_the_readers_words() {
    let german = Words::of(Language::German);
    let section = protocol::words::SectionLetter::new('B').expect("a section");
    let title = tell!(Ranking::Section {
        section,
        side: protocol::words::Side::EastWest
    });
    assert_eq!(german.say(&title), "Sektion B, Ost-West");
    assert_eq!(
        Words::of(Language::English).say(&title),
        "Section B, East-West"
    );
    // The name of a movement stands in the journal in English.
    let movement = movement_name("Mitchell, 12 tables, 24 boards, 12 rounds of 2");
    assert_eq!(
        german.say(&movement),
        "Mitchell, 12 Tische, 24 Boards, 12 Runden zu 2"
    );
    assert_eq!(movement, "Mitchell, 12 tables, 24 boards, 12 rounds of 2");
    let unknown = movement_name("nobody has said this yet");
    assert_eq!(german.say(&unknown), "nobody has said this yet");
}
