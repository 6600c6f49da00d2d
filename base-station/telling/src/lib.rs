//! What people are told, as values.
//!
//! Whoever refuses, warns or reports makes a [`Told`]: a message by its name in the catalogue, and
//! its parts. Words are made of it at the edge, in the language of whoever reads. The catalogues
//! are `lang/*.ftl` (Project Fluent), one file a language; every group of messages in the English
//! one (`refused-no-such-table`) is an enum here (`Refused::NoSuchTable { .. }`), so the compiler
//! knows which messages there are and which parts they have.
//!
//! ```
//! use telling::{Language, Suits, Voice, tell};
//!
//! let told = tell!(Game::TableRoundBoard { table: "A3", round: 2, board: 7 });
//! assert_eq!(told.to_string(), "table A3 round 2 board 7");
//! assert_eq!(told.in_words(Voice::plain(Language::German)), "Tisch A3 Runde 2 Board 7");
//! ```

mod catalogue;
mod expected;
mod game;
mod language;
#[expect(
    clippy::too_many_lines,
    clippy::doc_markdown,
    reason = "one arm for every message and its English words, made by build.rs"
)]
mod messages;
mod part;
mod told;
mod voice;

pub use catalogue::{Catalogue, Shape};
pub use language::understood;
pub use messages::*;
pub use part::{All, Count, Decimal, Letter, Pair, Part, Tells};
pub use protocol::message::Language;
pub use told::Told;
pub use voice::{Suits, Voice, speaking};

/// Makes a [`Told`] of a message and its parts, as `format!` makes a text:
/// `tell!(Refused::NoSuchTable { table, n: tables.len() })`. Parts are borrowed.
#[macro_export]
macro_rules! tell {
    ($kind:ident :: $which:ident) => {
        $crate::Told::from($crate::$kind::$which)
    };
    ($kind:ident :: $which:ident { $($name:ident $(: $value:expr)?),* $(,)? }) => {
        $crate::Told::from($crate::$kind::$which {
            $($name: $crate::tell!(@part $name $(, $value)?)),*
        })
    };
    (@part $name:ident) => {
        $crate::Tells::tells(&$name)
    };
    (@part $name:ident, $value:expr) => {
        $crate::Tells::tells(&$value)
    };
}
