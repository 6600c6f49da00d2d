//! The director's password: made, checked, and required before phones are let in.

use std::net::IpAddr;

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};

use super::Access;
use crate::web::Problem;

/// The shortest password taken.
pub const PASSWORD_LEN_MIN: usize = 8;

/// Longer ones only cost time.
const PASSWORD_LEN_MAX: usize = 200;

/// The hash of a new password, for the journal.
pub fn hash_password(password: &str) -> Result<String, Problem> {
    if password.chars().count() < PASSWORD_LEN_MIN || password.len() > PASSWORD_LEN_MAX {
        return Err(Problem::unreadable(format!(
            "The password needs at least {PASSWORD_LEN_MIN} letters or digits (and at most {PASSWORD_LEN_MAX}). Two or three plain words are fine."
        )));
    }
    Argon2::default()
        .hash_password(password.as_bytes())
        .map(|hash| hash.to_string())
        .map_err(Problem::fault)
}

/// Whether this is the password. Takes a moment on purpose: call it off the async threads.
pub fn password_is(password: &str, hash: &str) -> bool {
    password.len() <= PASSWORD_LEN_MAX
        && PasswordHash::new(hash).is_ok_and(|hash| {
            Argon2::default()
                .verify_password(password.as_bytes(), &hash)
                .is_ok()
        })
}

/// Phones are let in only where a password keeps the director's buttons to the director.
pub fn may_listen(address: IpAddr, access: &Access) -> Result<(), String> {
    if address.is_loopback() || access.password.is_some() {
        Ok(())
    } else {
        Err("other machines are let in only with a director's password: set one on this laptop first (byestand password, or More on the page)".to_owned())
    }
}
