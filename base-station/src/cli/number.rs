//! Decimal numbers as people write them, read without floating point.

/// Hundredths of a number with up to two decimals: `56.25` is 5625. More decimals are rounded
/// half up; the decimal sign may be a comma.
pub(super) fn hundredths(text: &str) -> Option<i32> {
    let text = text.trim();
    let text = text.strip_suffix('%').unwrap_or(text);
    let (negative, digits) = match text.strip_prefix(['-', '\u{2212}']) {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (whole, parts) = digits.split_once(['.', ',']).unwrap_or((digits, ""));
    if whole.is_empty() && parts.is_empty() {
        return None;
    }
    if !whole
        .bytes()
        .chain(parts.bytes())
        .all(|digit| digit.is_ascii_digit())
    {
        return None;
    }
    let whole: i32 = if whole.is_empty() {
        0
    } else {
        whole.parse().ok()?
    };
    let digit = |at: usize| {
        parts
            .as_bytes()
            .get(at)
            .map_or(0, |digit| i32::from(digit - b'0'))
    };
    let number = whole
        .checked_mul(100)?
        .checked_add(digit(0) * 10 + digit(1) + i32::from(digit(2) >= 5))?;
    Some(if negative { -number } else { number })
}
