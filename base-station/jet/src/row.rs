//! A row as bytes.

use encoding_rs::{Encoding, WINDOWS_1252};

use super::{Column, Kind, Value, Version};

impl Kind {
    /// The type's number.
    pub(super) const fn code(self) -> u8 {
        match self {
            Self::Bit => 1,
            Self::Int => 3,
            Self::Long | Self::AutoNumber => 4,
            Self::Date => 8,
            Self::Binary => 9,
            Self::Text(_) => 10,
            Self::Object => 11,
            Self::Memo => 12,
        }
    }

    /// Bytes among the fixed columns; `None` for those of varying length.
    pub(super) const fn fixed_len(self) -> Option<usize> {
        match self {
            // Its value is in the bits at the end.
            Self::Bit => Some(0),
            Self::Int => Some(2),
            Self::Long | Self::AutoNumber => Some(4),
            Self::Date => Some(8),
            Self::Text(_) | Self::Binary | Self::Object | Self::Memo => None,
        }
    }
}

/// Text as this Jet has it. What the code page of Jet3 lacks becomes a question mark.
pub(super) fn text(version: Version, page: &'static Encoding, text: &str) -> Vec<u8> {
    match version {
        Version::Jet3 => text
            .chars()
            .flat_map(|letter| {
                let mut buffer = [0; 4];
                let (bytes, _, lacks) = page.encode(letter.encode_utf8(&mut buffer));
                if lacks {
                    vec![b'?']
                } else {
                    bytes.into_owned()
                }
            })
            .collect(),
        Version::Jet4 => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
    }
}

/// The row, or what is wrong with it.
pub(super) fn encode(
    version: Version,
    columns: &[Column],
    values: &[Value],
) -> Result<Vec<u8>, String> {
    if columns.len() != values.len() {
        let (expected, there) = (columns.len(), values.len());
        return Err(format!("it has {there} values; expected {expected}"));
    }
    let mut fixed = Vec::new();
    let mut varying: Vec<Vec<u8>> = Vec::new();
    let mut bits = vec![0_u8; columns.len().div_ceil(8)];
    for (at, (column, value)) in columns.iter().zip(values).enumerate() {
        let bytes = encode_value(version, column, value)?;
        let there = match value {
            Value::Bit(bit) => *bit,
            Value::Null => false,
            _ => true,
        };
        if there {
            bits[at / 8] |= 1 << (at % 8);
        }
        match column.kind.fixed_len() {
            Some(length) => {
                let mut bytes = bytes;
                bytes.resize(length, 0);
                fixed.extend(bytes);
            }
            None => varying.push(bytes),
        }
    }
    let row = pack(version, columns.len(), &fixed, &varying, &bits);
    if row.len() > version.row_len_max() {
        return Err(format!("its {} bytes do not fit on a page", row.len()));
    }
    Ok(row)
}

fn encode_value(version: Version, column: &Column, value: &Value) -> Result<Vec<u8>, String> {
    let wrong = || {
        let name = &column.name;
        Err(format!("{value:?} does not belong under {name}"))
    };
    match (column.kind, value) {
        (_, Value::Null) | (Kind::Bit, Value::Bit(_)) => Ok(Vec::new()),
        (Kind::Int, Value::Int(number)) => Ok(number.to_le_bytes().to_vec()),
        (Kind::Long | Kind::AutoNumber, Value::Long(number)) => Ok(number.to_le_bytes().to_vec()),
        (Kind::Date, Value::Date(days)) => Ok(days.to_le_bytes().to_vec()),
        (Kind::Binary, Value::Binary(bytes)) if bytes.len() <= 255 => Ok(bytes.clone()),
        (Kind::Text(length), Value::Text(said)) => {
            let letters = said.encode_utf16().count();
            if letters > usize::from(length) {
                let name = &column.name;
                return Err(format!("{said:?} is longer than the {length} of {name}"));
            }
            Ok(text(version, WINDOWS_1252, said))
        }
        _ => wrong(),
    }
}

fn low(number: usize) -> u8 {
    number.to_le_bytes()[0]
}

/// Puts the parts of a row together. A table without columns of varying length has no list of them,
/// either.
pub(super) fn pack(
    version: Version,
    columns: usize,
    fixed: &[u8],
    varying: &[Vec<u8>],
    bits: &[u8],
) -> Vec<u8> {
    let mut row = match version {
        Version::Jet3 => vec![low(columns)],
        Version::Jet4 => word(columns).to_vec(),
    };
    row.extend(fixed);
    if !varying.is_empty() {
        let mut offsets = Vec::new();
        for value in varying {
            offsets.push(row.len());
            row.extend(value);
        }
        offsets.push(row.len());
        match version {
            Version::Jet3 => list_jet3(&mut row, &offsets, bits.len()),
            Version::Jet4 => {
                row.extend(offsets.iter().rev().flat_map(|offset| word(*offset)));
                row.extend(word(varying.len()));
            }
        }
    }
    row.extend(bits);
    row
}

fn word(number: usize) -> [u8; 2] {
    u16::try_from(number).unwrap_or(u16::MAX).to_le_bytes()
}

/// Where the varying columns begin and the last one ends, in one byte each, and beyond which of
/// them another 256 is to be added.
fn list_jet3(row: &mut Vec<u8>, offsets: &[usize], bits: usize) {
    let before = row.len();
    // The jump table makes the row longer, which may ask for one more jump.
    let mut jumps = 0;
    while (before + offsets.len() + jumps + 1 + bits - 1) / 256 > jumps {
        jumps += 1;
    }
    row.extend(offsets.iter().rev().map(|offset| low(*offset)));
    for jump in (1..=jumps).rev() {
        let first = offsets.iter().position(|offset| *offset >= 256 * jump);
        row.push(first.map_or(0xFF, low));
    }
    row.push(low(offsets.len() - 1));
}
