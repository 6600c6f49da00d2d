//! Sheets as PDF, to print or to mail.

use super::{About, ExportError};
use crate::reports::{self, SHEETS, SheetKind};
use crate::session::{Session, State};

/// One sheet, or everything that is known of the results.
pub(super) fn pdf(state: &State, session: &Session, about: &About) -> Result<Vec<u8>, ExportError> {
    let kinds = match about.sheet.as_str() {
        "" => SheetKind::results(session),
        name => {
            let kind = SheetKind::named(name);
            vec![kind.ok_or_else(|| ExportError::NoSheet(name.to_owned()))?]
        }
    };
    let sheet = about.sheet_of(state, session);
    Ok(reports::pdf(&sheet, &kinds)?)
}

/// What can be asked for.
pub(super) fn names() -> String {
    SHEETS.each_ref().map(|kind| kind.name).join(", ")
}
