//! The director's password: made.

use argon2::Argon2;
use argon2::password_hash::PasswordHasher;

use crate::password::PASSWORD_LEN_MAX;
use crate::web::Problem;
use telling::tell;

/// The shortest password taken.
pub const PASSWORD_LEN_MIN: usize = 8;

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
