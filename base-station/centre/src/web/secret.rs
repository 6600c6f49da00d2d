//! Codes and tokens: made here, kept as hashes only.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rand::RngExt as _;
use sha2::{Digest as _, Sha256};

/// Letters and figures that nobody takes for another one.
const LETTERS: &[u8; 31] = b"23456789ABCDEFGHJKLMNPQRSTUVWXY";

/// Sixteen of them are more than anybody guesses.
const CODE_LEN: usize = 16;

/// A code for people to type: `K7QM-3XPA-9RTD-2WHY`.
pub(super) fn code() -> String {
    let mut random = rand::rng();
    let mut code = String::new();
    for place in 0..CODE_LEN {
        if place > 0 && place % 4 == 0 {
            code.push('-');
        }
        let letter = LETTERS.get(random.random_range(0..LETTERS.len()));
        code.push(letter.copied().map_or('2', char::from));
    }
    code
}

/// What of a code is kept. Hyphens, spaces and small letters make no difference.
pub(super) fn hash_of_code(code: &str) -> Vec<u8> {
    let letters = code.chars().filter(char::is_ascii_alphanumeric);
    let plain: String = letters.map(|it| it.to_ascii_uppercase()).collect();
    Sha256::digest(plain.as_bytes()).to_vec()
}

/// A token for a program to keep.
pub(super) fn token() -> String {
    let bytes: [u8; 32] = rand::rng().random();
    URL_SAFE_NO_PAD.encode(bytes)
}

/// What of a token is kept.
pub(super) fn hash_of_token(token: &str) -> Vec<u8> {
    Sha256::digest(token.as_bytes()).to_vec()
}
