//! A folder of plain pages with everything of a session, to put on any server: no script, no
//! request to anywhere.

use std::io::{Cursor, Write as _};

use maud::{Markup, html};

use super::{About, ExportError};
use crate::reports::{self, Paper, Sheet};
use crate::session::{Session, State};

/// A page: its file, the key of its title, what is on it.
type Page = (&'static str, &'static str, fn(&Sheet<'_>) -> Markup);

const PAGES: [Page; 6] = [
    ("index.html", "print_ranking", reports::ranking),
    ("travellers.html", "print_travellers", reports::travellers),
    (
        "frequencies.html",
        "print_frequencies",
        reports::frequencies,
    ),
    ("scorecards.html", "print_scorecards", reports::scorecards),
    ("hands.html", "print_hands", reports::hands),
    ("charts.html", "print_charts", reports::charts),
];

/// The pages, each with its name.
pub fn pages(state: &State, session: &Session, about: &About) -> Vec<(String, Vec<u8>)> {
    let sheet = Sheet {
        state,
        session,
        scores: session.scores(),
        words: about.language.words(),
        paper: Paper::default(),
        printed: about.made,
    };
    let dealt = !session.deals.is_empty();
    let shown = || {
        PAGES
            .iter()
            .filter(|(file, ..)| dealt || *file != "hands.html")
    };
    shown()
        .map(|(file, title, body)| {
            let others = shown().filter(|(other, ..)| other != file);
            let body = html! {
                nav.screen.languages { @for (other, title, _) in others {
                    a href=(other) { (sheet.words.text(title)) }
                } }
                (body(&sheet))
            };
            ((*file).to_owned(), sheet.page(title, &body).into_bytes())
        })
        .collect()
}

/// All of them in one file.
pub(super) fn zip(pages: &[(String, Vec<u8>)]) -> Result<Vec<u8>, ExportError> {
    let broken = |fault: zip::result::ZipError| std::io::Error::other(fault);
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    // The same content gives the same file, so that no time is put in.
    let options = zip::write::SimpleFileOptions::default()
        .compression_method(zip::CompressionMethod::Stored)
        .last_modified_time(zip::DateTime::default());
    for (name, content) in pages {
        zip.start_file(name.as_str(), options).map_err(broken)?;
        zip.write_all(content)?;
    }
    Ok(zip.finish().map_err(broken)?.into_inner())
}
