//! The slip of a match.

use core::fmt::{self, Display};

use protocol::message::SlipLine;
use protocol::words::Score;

use super::words::Signed;
use super::{App, Page};
use crate::RowStyle::{Inverse, Normal};
use crate::app::matches::SLIP_ROWS;
use crate::texts::{Text, fill};

/// A number of tenths, without the tenth where there is none.
struct Tenths(i16);

impl Display for Tenths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "+" };
        let (whole, tenth) = (self.0.unsigned_abs() / 10, self.0.unsigned_abs() % 10);
        match tenth {
            0 => write!(f, "{sign}{whole}"),
            _ => write!(f, "{sign}{whole}.{tenth}"),
        }
    }
}

/// A number of hundredths.
struct Hundredths(i16);

impl Display for Hundredths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let (whole, rest) = (self.0.unsigned_abs() / 100, self.0.unsigned_abs() % 100);
        write!(f, "{sign}{whole}.{rest:02}")
    }
}

/// A score, or that there is none.
struct Maybe(Option<Score>);

impl Display for Maybe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(score) => write!(f, "{}", Signed(score)),
            None => f.write_str("-"),
        }
    }
}

pub(super) fn page(app: &App, top: usize, ns: bool, page: &mut Page) {
    page.title(if ns { Text::SlipEw } else { Text::SlipNs }, &[]);
    let Some(slip) = app.slip() else {
        return;
    };
    let rows = usize::from(SLIP_ROWS);
    for line in slip.lines.iter().skip(top).take(rows) {
        page.plain(Normal, row(line));
    }
    match (slip.total, slip.vp) {
        (Some(total), Some([ns, ew])) => {
            let (total, ns, ew) = (Tenths(total), Hundredths(ns), Hundredths(ew));
            page.row(Inverse, Text::SlipTotal, &[&total, &ns, &ew]);
        }
        _ => page.row(Inverse, Text::SlipLater, &[]),
    }
    let more = (slip.lines.len() > rows).then_some(Text::HintScroll);
    page.hints([Some(Text::HintBack), more, Some(Text::HintAccept)]);
}

fn row(line: &SlipLine) -> crate::screen::RowText {
    let (here, there) = (Maybe(line.here), Maybe(line.there));
    match (line.there, line.points) {
        (Some(_), Some(points)) => fill(
            "{}: {} {}  {}",
            &[&line.board, &here, &there, &Tenths(points)],
        ),
        (None, Some(points)) => fill("{}: {}  {}", &[&line.board, &here, &Tenths(points)]),
        (_, None) => fill("{}: {}", &[&line.board, &here]),
    }
}
