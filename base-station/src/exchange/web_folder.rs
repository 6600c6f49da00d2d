//! A folder of plain pages with everything of a session, to put on any server: no script, no
//! request to anywhere.

use std::io::{Cursor, Write as _};

use maud::html;

use super::{About, ExportError};
use crate::reports::SheetKind;
use crate::session::{Session, State};

/// The sheets of the folder; the first is the page it opens with.
const PAGES: [&str; 7] = [
    "ranking",
    "travellers",
    "frequencies",
    "scorecards",
    "hands",
    "records",
    "charts",
];

/// The name of a sheet's file.
fn file(kind: &SheetKind) -> String {
    match kind.name {
        "ranking" => "index.html".to_owned(),
        name => format!("{name}.html"),
    }
}

/// The pages, each with its name.
pub fn pages(state: &State, session: &Session, about: &About) -> Vec<(String, Vec<u8>)> {
    let sheet = about.sheet_of(state, session);
    let dealt = !session.deals.is_empty();
    let shown: Vec<&SheetKind> = PAGES
        .into_iter()
        .filter(|name| dealt || !matches!(*name, "hands" | "records"))
        .filter_map(SheetKind::named)
        .collect();
    shown
        .iter()
        .map(|kind| {
            let others = shown.iter().filter(|other| other.name != kind.name);
            let body = html! {
                nav.screen.languages { @for other in others {
                    a href=(file(other)) { (sheet.words.text(other.title)) }
                } }
                ((kind.body)(&sheet))
            };
            (file(kind), kind.page_with(&sheet, &body).into_bytes())
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
