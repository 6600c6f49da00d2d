//! In which language, and with which signs, words are made at an edge.

use std::cell::Cell;

use crate::Language;

/// How suits are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Suits {
    /// `4SX`, `HK`: for programs and terminals.
    #[default]
    Letters,
    /// `4♠×`, `♥K`: for people.
    Symbols,
}

/// How somebody is spoken to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Voice {
    /// The reader's language.
    pub language: Language,
    /// How suits are written.
    pub suits: Suits,
}

impl Voice {
    /// With letters for suits.
    pub const fn plain(language: Language) -> Self {
        Self {
            language,
            suits: Suits::Letters,
        }
    }

    /// With symbols for suits.
    pub const fn with_symbols(language: Language) -> Self {
        Self {
            language,
            suits: Suits::Symbols,
        }
    }

    /// The voice of the edge that is speaking now: English and plain unless one has chosen
    /// another with [`speaking`].
    pub fn now() -> Self {
        SPEAKING.get()
    }
}

thread_local! {
    static SPEAKING: Cell<Voice> = const { Cell::new(Voice::plain(Language::English)) };
}

/// Does something with this voice: what is told is displayed and serialised in it meanwhile. Only
/// edges call it (an answer to a request, a picture for a page): nothing inside depends on it.
pub fn speaking<T>(voice: Voice, what: impl FnOnce() -> T) -> T {
    /// Puts the voice back, whatever happens.
    struct Before(Voice);
    impl Drop for Before {
        fn drop(&mut self) {
            SPEAKING.set(self.0);
        }
    }
    let _before = Before(SPEAKING.replace(voice));
    what()
}
