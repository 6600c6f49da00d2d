//! Knows the format of a deal file by what is in it.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::error::{At, DealFileError, Problem};
use super::{Deals, FILE_LEN_MAX, dlm, letters, lin, packed, pbn, rbn, table};

/// What dealing programs and dealing machines write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Format {
    /// Portable Bridge Notation.
    Pbn,
    /// Bridge Base's notation.
    Lin,
    /// Richard Pavlicek's notation.
    Rbn,
    /// Duplimate: BRI and DGE in one.
    Dup,
    /// Duplimate's newer text.
    Dlm,
    /// 39 numbers a board.
    Bri,
    /// Ranks with suit marks.
    Dge,
    /// Sixteen suits a line, for spreadsheets.
    Csv,
    /// The owner of each card, a digit each.
    Ber,
    /// The cards of each hand, a letter each.
    Bhg,
    /// Two bits a card, with a number for each board.
    Cds,
    /// Two bits a card, with a head that counts the boards.
    Rzd,
}

impl Format {
    /// All that are read.
    pub const ALL: [Self; 12] = [
        Self::Pbn,
        Self::Lin,
        Self::Rbn,
        Self::Dup,
        Self::Dlm,
        Self::Bri,
        Self::Dge,
        Self::Csv,
        Self::Ber,
        Self::Bhg,
        Self::Cds,
        Self::Rzd,
    ];
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Pbn => "PBN",
            Self::Lin => "LIN",
            Self::Rbn => "RBN",
            Self::Dup => "DUP",
            Self::Dlm => "DLM",
            Self::Bri => "BRI",
            Self::Dge => "DGE",
            Self::Csv => "CSV",
            Self::Ber => "BER",
            Self::Bhg => "BHG",
            Self::Cds => "CDS",
            Self::Rzd => "RZD",
        })
    }
}

/// Reads a deal file of any format.
pub fn read(bytes: &[u8]) -> Result<(Format, Deals), DealFileError> {
    let refuse = |problem| DealFileError {
        at: At::File,
        board: None,
        problem,
    };
    if bytes.len() > FILE_LEN_MAX {
        return Err(refuse(Problem::TooLong(bytes.len())));
    }
    let format = recognise(bytes).ok_or_else(|| refuse(Problem::UnknownFormat))?;
    let deals = match format {
        Format::Pbn => pbn::read_pbn(bytes)?,
        Format::Lin => lin::read(&text(bytes)?)?,
        Format::Rbn => rbn::read(&text(bytes)?)?,
        Format::Dlm => dlm::read(&text(bytes)?)?,
        Format::Csv => table::read(&text(bytes)?)?,
        Format::Ber => letters::read_owners(bytes)?,
        Format::Bhg => letters::read_hands(bytes)?,
        Format::Dup => packed::read_dup(bytes)?,
        Format::Bri => packed::read_bri(bytes)?,
        Format::Dge => packed::read_dge(bytes)?,
        Format::Cds => packed::read_cds(bytes)?,
        Format::Rzd => packed::read_rzd(bytes)?,
    };
    Ok((format, deals))
}

fn text(bytes: &[u8]) -> Result<String, DealFileError> {
    pbn::decode(bytes).map_err(|place| DealFileError {
        at: place.into(),
        board: None,
        problem: Problem::NotText,
    })
}

/// The format of a file, also of one that is a little damaged, so that the sentence about the
/// damage is about the right format. `None` if it is no deal file.
pub fn recognise(bytes: &[u8]) -> Option<Format> {
    if let Some(format) = packed::recognise(bytes) {
        return Some(format);
    }
    if let Some(format) = letters::recognise(bytes) {
        return Some(format);
    }
    // Enough for any head; a whole file is not turned into text twice.
    let head = &bytes[..bytes.len().min(64 * 1024)];
    let head = String::from_utf8_lossy(head);
    if dlm::is_one(&head) {
        return Some(Format::Dlm);
    }
    if is_pbn(&head) {
        return Some(Format::Pbn);
    }
    if lin::is_one(&head) {
        return Some(Format::Lin);
    }
    if rbn::is_one(&head) {
        return Some(Format::Rbn);
    }
    if table::is_one(&head) {
        return Some(Format::Csv);
    }
    packed::is_cds(bytes).then_some(Format::Cds)
}

/// A line that begins like `[Board "1"]`.
fn is_pbn(head: &str) -> bool {
    head.split(['\r', '\n']).any(|line| {
        let line = line.trim_start_matches('\u{feff}').trim_start();
        let Some(tag) = line.strip_prefix('[') else {
            return false;
        };
        let name = tag.trim_start();
        let value = name.trim_start_matches(|letter: char| letter.is_ascii_alphanumeric());
        value.len() < name.len() && value.trim_start().starts_with('"')
    })
}
