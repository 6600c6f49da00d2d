//! Sheets that a club pins up or hands out, as pages that print well, and files to keep.
//!
//! Every sheet is a pure function from the session to HTML ([`maud`] escapes what players typed)
//! or to CSV, and [`pdf`] lays the same HTML out on paper. Pages carry their own style and no script, so that each is also a file that can
//! be kept.

mod bracket;
mod cards;
mod championship;
mod charts;
mod competition;
mod files;
mod kinds;
mod language;
mod match_paper;
mod matches;
mod page;
mod pdf;
mod ranking;
mod records;
mod rescued;
mod results;
mod sheets;
mod winners;

#[cfg(test)]
mod tests;

pub use bracket::{bracket_picture, knock_out_page};
pub use cards::table_cards;
pub use championship::{championship_page, honours_page};
pub use charts::charts;
pub use competition::{Notice, competition_page, competitions_page, year_page};
pub(crate) use files::no_formula;
pub use files::{ranking_csv, results_csv};
pub use kinds::{SHEETS, SheetKind};
pub use language::{Language, Words};
pub use page::{Numbers, Paper, Sheet, apology, bare_page, plain};
pub use pdf::{PdfError, pdf, pdf_of};
pub use ranking::ranking;
pub use rescued::rescue_of;
use sheets::hands;
pub use sheets::{frequencies, scorecards, travellers};
