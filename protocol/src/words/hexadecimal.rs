//! Bytes as people and pages write them.

/// The bytes that pairs of hexadecimal digits stand for; `None` in the place of what is none.
///
/// ```
/// let read = |text| protocol::words::from_hexadecimal(text).collect::<Option<Vec<u8>>>();
/// assert_eq!(read("00fF"), Some(vec![0, 255]));
/// assert_eq!(read("00f"), None);
/// assert_eq!(read("+1"), None);
/// ```
pub fn from_hexadecimal(text: &str) -> impl Iterator<Item = Option<u8>> {
    let digit = |byte: u8| {
        let value = char::from(byte).to_digit(16)?;
        u8::try_from(value).ok()
    };
    text.as_bytes().chunks(2).map(move |pair| match *pair {
        [high, low] => Some(digit(high)? << 4 | digit(low)?),
        _ => None,
    })
}
