//! The director's password: made, checked, and required before phones are let in.

use std::net::IpAddr;

use argon2::password_hash::PasswordHasher;
use argon2::password_hash::phc::{Output, PasswordHash};
use argon2::{Algorithm, Argon2, Block, Params, Version};

use super::Access;
use crate::web::Problem;
use telling::tell;

/// The shortest password taken.
pub const PASSWORD_LEN_MIN: usize = 8;

/// Longer ones only cost time.
const PASSWORD_LEN_MAX: usize = 200;

/// The hash of a new password, for the journal.
pub fn hash_password(password: &str) -> Result<String, Problem> {
    if password.chars().count() < PASSWORD_LEN_MIN || password.len() > PASSWORD_LEN_MAX {
        return Err(Problem::unreadable(tell!(Asked::PasswordNeedsAtLeast {
            n: PASSWORD_LEN_MIN,
            most: PASSWORD_LEN_MAX
        })));
    }
    Argon2::default()
        .hash_password(password.as_bytes())
        .map(|hash| hash.to_string())
        .map_err(Problem::fault)
}

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

/// Phones are let in only where a password keeps the director's buttons to the director.
pub fn may_listen(address: IpAddr, access: &Access) -> Result<(), String> {
    if address.is_loopback() || access.password.is_some() {
        Ok(())
    } else {
        Err(tell!(Asked::OtherMachinesLetOnly).to_string())
    }
}
