//! Every screen there is, in every language: it is reached, it fits, and it can be left.

mod room;

use protocol::message::Language;
use room::gallery::{gallery, missing};
use virtual_pad::Pixels;

#[test]
fn every_screen_is_reached_by_keys_and_fits_the_display() {
    for language in Language::ALL {
        let screens = gallery(language);
        assert_eq!(missing(&screens), []);
        for (name, screen) in &screens {
            assert_eq!(screen.overflow(), None, "{name} in {language:?}");
            assert!(!screen.title.is_empty(), "{name}");
        }
    }
}

#[test]
fn no_two_screens_look_the_same() {
    let screens = gallery(Language::English);
    let painted: Vec<Pixels> = screens
        .iter()
        .map(|(_, screen)| Pixels::of(screen))
        .collect();
    for (one, (name, _)) in screens.iter().enumerate() {
        for (other, (other_name, _)) in screens.iter().enumerate().skip(one + 1) {
            assert!(painted[one] != painted[other], "{name} and {other_name}");
        }
    }
}
