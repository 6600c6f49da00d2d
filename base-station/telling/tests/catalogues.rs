//! Every language says everything, and with the same parts.

use std::collections::BTreeSet;

use telling::{Catalogue, Language, Voice, speaking, tell};

#[test]
fn every_catalogue_is_readable_to_its_end() {
    for language in Language::ALL {
        let catalogue = Catalogue::of(language);
        assert_eq!(catalogue.language(), language);
        assert_eq!(catalogue.unreadable(), Vec::<&str>::new(), "{language:?}");
        let ids: Vec<&str> = catalogue.ids().collect();
        let once: BTreeSet<&str> = ids.iter().copied().collect();
        assert_eq!(ids.len(), once.len(), "{language:?} has a message twice");
    }
}

#[test]
fn no_message_is_missing_or_left_over_and_all_parts_are_there() {
    let english = Catalogue::of(Language::English).shapes();
    let mut wrong = Vec::new();
    for language in Language::ALL {
        let own = Catalogue::of(language).shapes();
        for id in english.keys().filter(|id| !own.contains_key(**id)) {
            wrong.push(format!("{}: {id} is missing", language.code()));
        }
        for (id, shape) in &own {
            match english.get(id) {
                None => wrong.push(format!("{}: {id} is not in English", language.code())),
                Some(known) if known.parts != shape.parts => {
                    let (code, parts) = (language.code(), &shape.parts);
                    wrong.push(format!("{code}: {id} has {parts:?}, not {:?}", known.parts));
                }
                Some(_) => {}
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// All our languages have a form for one and a form for all the rest; a number that chooses
/// anywhere chooses in English too, where the compiler then asks for a number.
#[test]
fn every_number_that_chooses_has_both_forms() {
    let english = Catalogue::of(Language::English).shapes();
    let mut wrong = Vec::new();
    for language in Language::ALL {
        for (id, shape) in Catalogue::of(language).shapes() {
            for (by, forms) in &shape.forms {
                let code = language.code();
                if !forms.contains("one") || !forms.contains("other") {
                    wrong.push(format!("{code}: {id} by {by} has only {forms:?}"));
                }
                if !english.get(id).is_some_and(|it| it.forms.contains_key(by)) {
                    wrong.push(format!("{code}: {id} chooses by {by}, English does not"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_player_called_north_stays_north() {
    let told = tell!(Lamp::NotConnectedPlugAgain {
        names: "J. Smith and North"
    });
    for language in Language::ALL {
        let words = told.in_words(Voice::plain(language));
        assert!(words.contains("J. Smith and North"), "{words}");
        let seat = tell!(Game::North).in_words(Voice::plain(language));
        assert!(!seat.is_empty());
    }
    assert_eq!(
        tell!(Game::North).in_words(Voice::plain(Language::German)),
        "Nord"
    );
}

#[test]
fn an_edge_speaks_its_readers_language_and_only_while_it_speaks() {
    let told = tell!(Game::North);
    let german = Voice::plain(Language::German);
    assert_eq!(told.to_string(), "North");
    assert_eq!(speaking(german, || told.to_string()), "Nord");
    assert_eq!(told.to_string(), "North");
}

#[test]
fn cards_and_contracts_are_written_as_the_reader_knows_them() {
    use protocol::words::{Card, Contract, Rank, Seat, Suit};
    let contract = Contract::parse("4SX", Seat::East).expect("a contract");
    let lead = Card {
        suit: Suit::Hearts,
        rank: Rank::QUEEN,
    };
    let told = tell!(Game::ResultWithLead {
        contract,
        declarer: telling::Letter(Seat::East),
        made: "=",
        lead
    });
    assert_eq!(told.to_string(), "4SX by E =, lead HQ");
    let told_in = |language| told.in_words(Voice::with_symbols(language));
    assert_eq!(told_in(Language::German), "4♠× von O =, Ausspiel ♥D");
    assert_eq!(told_in(Language::French), "4♠× par E =, entame ♥D");
    assert_eq!(told_in(Language::Dutch), "4♠× door O =, uitkomst ♥V");
}

#[test]
fn a_number_chooses_its_form_in_every_language() {
    let told = |boards: u8, language| {
        let told = tell!(Preset::BoardsNotPlayed { boards });
        told.in_words(Voice::plain(language))
    };
    assert_eq!(told(1, Language::English), "1 board not played");
    assert_eq!(told(2, Language::English), "2 boards not played");
    assert_eq!(told(2, Language::German), "2 Boards nicht gespielt");
    assert_eq!(told(1, Language::French), "1 donne non jouée");
    assert_eq!(told(3, Language::Dutch), "3 spellen niet gespeeld");
}

/// Every word of the game says what was expected in every language.
#[test]
fn what_was_expected_of_a_word_is_told_in_the_readers_language() {
    use protocol::words::{
        BoardNumber, Card, Contract, PairNumber, PlayerNumber, Refusal, RoundNumber, Seat,
        SectionLetter, Side, TableNumber, Vulnerability,
    };
    fn refused<T: std::str::FromStr<Err = Refusal>>() -> Option<Refusal> {
        "J. Smith".parse::<T>().err()
    }
    let refusals = [
        refused::<BoardNumber>(),
        refused::<Card>(),
        Contract::parse("J. Smith", Seat::North).err(),
        refused::<PairNumber>(),
        refused::<PlayerNumber>(),
        refused::<RoundNumber>(),
        refused::<Seat>(),
        refused::<SectionLetter>(),
        refused::<Side>(),
        refused::<TableNumber>(),
        refused::<Vulnerability>(),
    ];
    for refusal in refusals {
        let refusal = refusal.expect("J. Smith is no word of the game");
        let told = telling::Told::from(refusal);
        assert_eq!(told, refusal.0);
        for language in [Language::German, Language::French, Language::Dutch] {
            let words = told.in_words(Voice::plain(language));
            assert_ne!(words, refusal.0, "{language:?}");
        }
    }
    let expected = Refusal("expected a seat: N, E, S or W");
    assert_eq!(
        telling::Told::from(expected).in_words(Voice::plain(Language::Dutch)),
        "verwacht wordt een plaats: N, E, S of W"
    );
}
