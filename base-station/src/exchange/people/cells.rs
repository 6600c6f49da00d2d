//! The rows of a file, whatever it is.

use std::io::Cursor;

use calamine::{Data, Reader as _, Sheets, open_workbook_auto_from_rs};
use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

use super::{COLUMNS_MAX, Cells, NotAList, Row};
use crate::exchange::import::{is_bws, player_names};
use telling::tell;

/// How an office file of today begins: it is a ZIP archive.
const ZIP: &[u8] = b"PK\x03\x04";

/// And one of the nineties.
const OLE: &[u8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";

/// What a spreadsheet may hold when it is unpacked: a list of a hundred thousand has a tenth.
const UNPACKED_MAX: u64 = 128 * 1024 * 1024;

pub(super) fn read(bytes: &[u8], encoding: &str) -> Result<Cells, NotAList> {
    if is_bws(bytes) {
        let names = player_names(bytes).map_err(|refusal| NotAList(refusal.0))?;
        let heading = ["Number", "Name"].map(str::to_owned).to_vec();
        let rows = std::iter::once(heading).chain(names.into_iter().map(Vec::from));
        return Ok(Cells {
            kind: "BWS".to_owned(),
            encoding: None,
            rows: numbered(rows),
        });
    }
    if bytes.starts_with(ZIP) || bytes.starts_with(OLE) {
        return spreadsheet(bytes);
    }
    let (text, encoding) = decode(bytes, encoding)?;
    Ok(Cells {
        kind: "CSV".to_owned(),
        encoding: Some(encoding.name().to_owned()),
        rows: text_rows(&text)?,
    })
}

fn numbered(rows: impl Iterator<Item = Vec<String>>) -> Vec<Row> {
    let rows = (1..).zip(rows);
    rows.map(|(line, cells)| Row { line, cells }).collect()
}

fn spreadsheet(bytes: &[u8]) -> Result<Cells, NotAList> {
    let unreadable = || NotAList::because(tell!(People::NoSpreadsheetCanRead));
    if bytes.starts_with(ZIP) {
        let mut packed = zip::ZipArchive::new(Cursor::new(bytes)).map_err(|_| unreadable())?;
        let sizes = (0..packed.len()).map(|at| packed.by_index_raw(at).map_or(0, |it| it.size()));
        if sizes.fold(0, u64::saturating_add) > UNPACKED_MAX {
            return Err(unreadable());
        }
    }
    let mut book = open_workbook_auto_from_rs(Cursor::new(bytes)).map_err(|_| unreadable())?;
    let kind = match &book {
        Sheets::Xls(_) => "XLS",
        Sheets::Xlsx(_) => "XLSX",
        Sheets::Xlsb(_) => "XLSB",
        Sheets::Ods(_) => "ODS",
    };
    // Whoever keeps notes beside the list does so on another sheet, with fewer rows.
    let longest = book
        .worksheets()
        .into_iter()
        .map(|(_, cells)| cells)
        .max_by_key(calamine::Range::height)
        .ok_or_else(unreadable)?;
    let first = longest.start().map_or(0, |(row, _)| row);
    let first = usize::try_from(first).unwrap_or_default();
    let rows = longest.rows().enumerate().map(|(at, cells)| Row {
        line: first + at + 1,
        cells: cells.iter().take(COLUMNS_MAX).map(cell).collect(),
    });
    Ok(Cells {
        kind: kind.to_owned(),
        encoding: None,
        rows: rows.collect(),
    })
}

fn cell(data: &Data) -> String {
    match data {
        Data::Error(_) | Data::Empty => String::new(),
        other => other.to_string(),
    }
}

/// The text of a file, and in which encoding it was written.
fn decode(bytes: &[u8], wanted: &str) -> Result<(String, &'static Encoding), NotAList> {
    let encoding = if wanted.is_empty() {
        recognise(bytes)
    } else {
        Encoding::for_label(wanted.as_bytes()).ok_or_else(|| {
            let wanted: String = wanted.chars().take(40).collect();
            let given = format!("\"{wanted}\"");
            NotAList::because(tell!(People::ThereNoEncodingExpected { given }))
        })?
    };
    let (text, encoding, _) = encoding.decode(bytes);
    if text.contains('\0') {
        return Err(NotAList::because(tell!(People::NoListPlayersExpected)));
    }
    Ok((text.into_owned(), encoding))
}

fn recognise(bytes: &[u8]) -> &'static Encoding {
    if let Some((marked, _)) = Encoding::for_bom(bytes) {
        return marked;
    }
    // Without a mark: every other byte of most letters is nothing.
    let begin = bytes.get(..bytes.len().min(4096)).unwrap_or_default();
    let zeros = |odd: usize| {
        let places = begin.iter().skip(odd).step_by(2);
        places.filter(|byte| **byte == 0).count()
    };
    let (even, odd) = (zeros(0), zeros(1));
    if odd * 4 > begin.len() && odd > even * 4 {
        return UTF_16LE;
    }
    if even * 4 > begin.len() && even > odd * 4 {
        return UTF_16BE;
    }
    if std::str::from_utf8(bytes).is_ok() {
        return UTF_8;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    detector.guess(None, Utf8Detection::Deny)
}

fn list_fault(fault: &csv::Error) -> NotAList {
    NotAList::because(tell!(People::ListFault {
        fault: fault.to_string()
    }))
}

fn text_rows(text: &str) -> Result<Vec<Row>, NotAList> {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(separator(text))
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let rows = reader.records().map(|record| {
        let record = record.map_err(|fault| list_fault(&fault))?;
        let line = record.position().map_or(0, csv::Position::line);
        Ok(Row {
            line: usize::try_from(line).unwrap_or_default(),
            cells: record.iter().take(COLUMNS_MAX).map(str::to_owned).collect(),
        })
    });
    rows.collect()
}

/// What most lines have most of.
fn separator(text: &str) -> u8 {
    let lines: Vec<&str> = text
        .lines()
        .filter(|it| !it.trim().is_empty())
        .take(20)
        .collect();
    let count = |separator: u8| -> usize {
        let mut quoted = false;
        let bytes = lines.iter().flat_map(|line| line.bytes());
        bytes
            .filter(|byte| {
                quoted ^= *byte == b'"';
                !quoted && *byte == separator
            })
            .count()
    };
    // A comma also stands between surname and first name: it is the last that is believed.
    let steady = |separator: u8| count(separator) >= lines.len();
    [b'\t', b';', b'|', b',']
        .into_iter()
        .find(|separator| steady(*separator))
        .unwrap_or(b',')
}
