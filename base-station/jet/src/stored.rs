//! A row of somebody else's table: taken apart, changed, put together again. Values of kinds that we
//! don't know are carried as they are.

use encoding_rs::{Encoding, UTF_16LE};

use super::database::{damaged, u16_at};
use super::definition::{Definition, StoredColumn};
use super::row::{pack, text};
use super::{JetError, Value, Version};

const BIT: u8 = 1;
const BYTE: u8 = 2;
const INT: u8 = 3;
const LONG: u8 = 4;
const DATE: u8 = 8;
const BINARY: u8 = 9;
const TEXT: u8 = 10;

/// The parts of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RawRow {
    fixed: Vec<u8>,
    varying: Vec<Vec<u8>>,
    /// For each column by its number: there is something, or for yes/no the value itself.
    bits: Vec<bool>,
}

impl RawRow {
    /// A row in which nothing stands.
    pub(super) fn empty(definition: &Definition) -> Self {
        Self {
            fixed: vec![0; definition.fixed_len],
            varying: vec![Vec::new(); definition.varying],
            bits: vec![false; definition.width],
        }
    }

    /// Takes a row apart. One that was written before columns were added to its table is filled up.
    pub(super) fn unpack(
        version: Version,
        definition: &Definition,
        row: &[u8],
    ) -> Result<Self, JetError> {
        let broken = || damaged("a row ends too early");
        let (columns, head) = match version {
            Version::Jet3 => (usize::from(*row.first().ok_or_else(broken)?), 1),
            Version::Jet4 => (usize::from(u16_at(row, 0)?), 2),
        };
        let bits_at = row.len().checked_sub(columns.div_ceil(8));
        let bits_at = bits_at.filter(|at| *at >= head).ok_or_else(broken)?;
        let offsets = if definition.varying == 0 {
            vec![bits_at]
        } else {
            match version {
                Version::Jet3 => offsets_jet3(row, bits_at)?,
                Version::Jet4 => offsets_jet4(row, bits_at)?,
            }
        };
        let begin = offsets.first().copied().unwrap_or(bits_at);
        let mut raw = Self::empty(definition);
        let fixed = row.get(head..begin).ok_or_else(broken)?;
        let known = fixed.len().min(raw.fixed.len());
        raw.fixed[..known].copy_from_slice(&fixed[..known]);
        for (at, ends) in offsets.windows(2).enumerate() {
            let bytes = row.get(ends[0]..ends[1]).ok_or_else(broken)?;
            if let Some(value) = raw.varying.get_mut(at) {
                *value = bytes.to_vec();
            }
        }
        for (number, bit) in raw.bits.iter_mut().enumerate().take(columns) {
            *bit = row[bits_at + number / 8] >> (number % 8) & 1 == 1;
        }
        Ok(raw)
    }

    pub(super) fn pack(&self, version: Version) -> Vec<u8> {
        let mut bits = vec![0_u8; self.bits.len().div_ceil(8)];
        for (number, bit) in self.bits.iter().enumerate() {
            bits[number / 8] |= u8::from(*bit) << (number % 8);
        }
        pack(version, self.bits.len(), &self.fixed, &self.varying, &bits)
    }

    /// Puts a value under a column, or says why it can't stand there.
    pub(super) fn put(
        &mut self,
        version: Version,
        page: &'static Encoding,
        column: &StoredColumn,
        value: &Value,
    ) -> Result<(), String> {
        let bytes = encode(version, page, column, value)?;
        let there = match value {
            Value::Bit(bit) => *bit,
            Value::Null => false,
            _ => true,
        };
        let lost = || format!("{} has no place in a row", column.name);
        *self.bits.get_mut(column.number).ok_or_else(lost)? = there;
        if column.code == BIT {
            return Ok(());
        }
        if column.is_fixed {
            let place = self
                .fixed
                .get_mut(column.offset..column.offset + column.len);
            let place = place.ok_or_else(lost)?;
            place.fill(0);
            place[..bytes.len()].copy_from_slice(&bytes);
        } else {
            *self.varying.get_mut(column.place).ok_or_else(lost)? = bytes;
        }
        Ok(())
    }
}

fn offsets_jet4(row: &[u8], bits_at: usize) -> Result<Vec<usize>, JetError> {
    let broken = || damaged("a row has no list of its texts");
    let count_at = bits_at.checked_sub(2).ok_or_else(broken)?;
    let count = usize::from(u16_at(row, count_at)?);
    (0..=count)
        .map(|at| {
            let at = count_at.checked_sub(2 + 2 * at).ok_or_else(broken)?;
            Ok(usize::from(u16_at(row, at)?))
        })
        .collect()
}

fn offsets_jet3(row: &[u8], bits_at: usize) -> Result<Vec<usize>, JetError> {
    let broken = || damaged("a row has no list of its texts");
    let byte = |at: Option<usize>| at.and_then(|at| row.get(at).copied()).ok_or_else(broken);
    let count_at = bits_at.checked_sub(1);
    let count = usize::from(byte(count_at)?);
    let mut jumps = (row.len() - 1) / 256;
    let first = count_at.and_then(|at| at.checked_sub(1 + jumps));
    let first = first.ok_or_else(broken)?;
    // The last jump may be there for the length of the list alone.
    if first.saturating_sub(count) / 256 < jumps {
        jumps -= 1;
    }
    let mut jumped = 0;
    let mut offsets = Vec::new();
    for at in 0..=count {
        while jumped < jumps
            && usize::from(byte(count_at.and_then(|it| it.checked_sub(1 + jumped)))?) == at
        {
            jumped += 1;
        }
        offsets.push(usize::from(byte(first.checked_sub(at))?) + 256 * jumped);
    }
    Ok(offsets)
}

/// What stands under a column.
pub(super) fn value(
    version: Version,
    page: &'static Encoding,
    column: &StoredColumn,
    raw: &RawRow,
) -> Value {
    let there = raw.bits.get(column.number).copied().unwrap_or(false);
    if column.code == BIT {
        return Value::Bit(there);
    }
    if !there {
        return Value::Null;
    }
    let bytes = if column.is_fixed {
        raw.fixed.get(column.offset..column.offset + column.len)
    } else {
        raw.varying.get(column.place).map(Vec::as_slice)
    };
    let bytes = bytes.unwrap_or_default();
    match (column.code, bytes) {
        (BYTE, [byte]) => Value::Int(i16::from(*byte)),
        (INT, [one, two]) => Value::Int(i16::from_le_bytes([*one, *two])),
        (LONG, bytes) if bytes.len() == 4 => {
            Value::Long(bytes.try_into().map_or(0, i32::from_le_bytes))
        }
        (DATE, bytes) if bytes.len() == 8 => {
            Value::Date(bytes.try_into().map_or(0.0, f64::from_le_bytes))
        }
        (TEXT, bytes) => Value::Text(said(version, page, bytes)),
        (_, bytes) => Value::Binary(bytes.to_vec()),
    }
}

/// A text. Jet4 may have pressed its letters into one byte each, and a zero begins and ends a
/// stretch that is not pressed.
fn said(version: Version, page: &'static Encoding, bytes: &[u8]) -> String {
    let wide = |bytes: &[u8]| UTF_16LE.decode_without_bom_handling(bytes).0.into_owned();
    match (version, bytes.strip_prefix(&[0xFF, 0xFE])) {
        (Version::Jet3, _) => page.decode_without_bom_handling(bytes).0.into_owned(),
        (Version::Jet4, None) => wide(bytes),
        (Version::Jet4, Some(pressed)) => (pressed.split(|byte| *byte == 0).enumerate())
            .map(|(at, part)| match at % 2 {
                0 => part.iter().copied().map(char::from).collect(),
                _ => wide(part),
            })
            .collect(),
    }
}

fn encode(
    version: Version,
    page: &'static Encoding,
    column: &StoredColumn,
    value: &Value,
) -> Result<Vec<u8>, String> {
    let name = &column.name;
    let wrong = || format!("{value:?} does not belong under {name}");
    let number = match value {
        Value::Int(number) => Some(i32::from(*number)),
        Value::Long(number) => Some(*number),
        _ => None,
    };
    let fits = match (column.code, value, number) {
        (_, Value::Null, _) | (BIT, Value::Bit(_), _) => Some(Vec::new()),
        (BYTE, _, Some(number)) => u8::try_from(number).ok().map(|it| vec![it]),
        (INT, _, Some(number)) => i16::try_from(number)
            .ok()
            .map(|it| it.to_le_bytes().to_vec()),
        (LONG, _, Some(number)) => Some(number.to_le_bytes().to_vec()),
        (DATE, Value::Date(days), _) => Some(days.to_le_bytes().to_vec()),
        (BINARY, Value::Binary(bytes), _) if bytes.len() <= column.len => Some(bytes.clone()),
        (TEXT, Value::Text(said), _) => {
            let bytes = text(version, page, said);
            if bytes.len() > column.len {
                let letters = column.letters;
                return Err(format!("{said:?} is longer than the {letters} of {name}"));
            }
            Some(bytes)
        }
        _ => None,
    };
    let fits = fits.filter(|bytes| !column.is_fixed || bytes.len() <= column.len);
    fits.ok_or_else(wrong)
}
