//! Whether somebody knows the password.

use argon2::password_hash::phc::{Output, PasswordHash};
use argon2::{Algorithm, Argon2, Block, Params, Version};

/// Longer ones only cost time.
pub const PASSWORD_LEN_MAX: usize = 200;

/// Blocks of one kilobyte that are asked for together. The system's allocator keeps smaller pieces
/// for later; a piece of more than 32 MB it takes from the system and gives back to it. Only what
/// is needed of it is ever touched.
const BLOCKS_ASKED_FOR: usize = 40 * 1024;

/// Whether this is the password. Takes a moment on purpose: call it off the async threads.
pub fn password_is(password: &str, hash: &str) -> bool {
    password.len() <= PASSWORD_LEN_MAX && fits(password, hash).unwrap_or(false)
}

/// The password worked out with the salt and the cost that the hash names, and compared with it in
/// a time that says nothing.
fn fits(password: &str, hash: &str) -> Option<bool> {
    let hash = PasswordHash::new(hash).ok()?;
    let algorithm = Algorithm::try_from(hash.algorithm.as_str()).ok()?;
    let version = Version::try_from(hash.version?).ok()?;
    let params = Params::try_from(&hash).ok()?;
    let (salt, expected) = (hash.salt.as_ref()?, hash.hash?);
    let blocks = params.block_count();
    let mut memory = Vec::with_capacity(blocks.max(BLOCKS_ASKED_FOR));
    memory.resize(blocks, Block::new());
    let mut output = vec![0; expected.len()];
    Argon2::new(algorithm, version, params)
        .hash_password_into_with_memory(password.as_bytes(), salt, &mut output, &mut memory)
        .ok()?;
    Some(Output::new(&output).ok()? == expected)
}
