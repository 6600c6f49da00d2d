//! The club's key: read from its file, or drawn once and kept.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use protocol::frame::ClubKey;

/// Why there is no key.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// The file can't be read or made.
    #[error("the club key file {path} can't be read or made ({what}): check --club-key-file")]
    Unreadable {
        /// Which.
        path: PathBuf,
        /// What the system said.
        what: io::Error,
    },
    /// It holds something else.
    #[error(
        "the club key file {0} does not hold a key: expected 64 hexadecimal digits in one line"
    )]
    NoKey(PathBuf),
}

/// Reads the key; `draw` gives a new one where there is no file yet.
pub fn club_key(path: &Path, draw: impl FnOnce() -> [u8; 32]) -> Result<ClubKey, KeyError> {
    let unreadable = |what| KeyError::Unreadable {
        path: path.to_owned(),
        what,
    };
    match fs::read_to_string(path) {
        Ok(text) => parse(text.trim()).ok_or_else(|| KeyError::NoKey(path.to_owned())),
        Err(fault) if fault.kind() == io::ErrorKind::NotFound => {
            let key = draw();
            write_new(path, &key).map_err(unreadable)?;
            Ok(ClubKey::new(key))
        }
        Err(fault) if fault.kind() == io::ErrorKind::InvalidData => {
            Err(KeyError::NoKey(path.to_owned()))
        }
        Err(fault) => Err(unreadable(fault)),
    }
}

fn parse(text: &str) -> Option<ClubKey> {
    if text.len() != 64 || !text.is_ascii() {
        return None;
    }
    let mut key = [0; 32];
    for (at, byte) in key.iter_mut().enumerate() {
        let digits = text.get(2 * at..2 * at + 2)?;
        // `from_str_radix` would take a sign.
        if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return None;
        }
        *byte = u8::from_str_radix(digits, 16).ok()?;
    }
    Some(ClubKey::new(key))
}

/// On disk before it is used: a key that a pad has learned must never be lost again. A folder that
/// is not there is a mistyped path, and a new key there would turn the club's pads away.
fn write_new(path: &Path, key: &[u8; 32]) -> io::Result<()> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    let mut file = options.open(path)?;
    for byte in key {
        write!(file, "{byte:02x}")?;
    }
    writeln!(file)?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_club_gets_a_key_and_keeps_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("club.key");
        let drawn = club_key(&path, || [0xAB; 32]).expect("a key is made");
        let again = club_key(&path, || [0; 32]).expect("it is read");
        assert_eq!(drawn.bytes(), again.bytes());
        assert_eq!(again.bytes(), &[0xAB; 32]);
    }

    #[test]
    fn a_mistyped_folder_is_refused_instead_of_turning_the_clubs_pads_away() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("mistyped").join("club.key");
        let refused = club_key(&path, || [0xAB; 32]);
        assert!(matches!(refused, Err(KeyError::Unreadable { .. })));
        assert!(!path.exists());
    }

    #[test]
    fn a_file_that_holds_no_key_is_refused_and_left_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("club.key");
        for text in [
            "",
            "secret",
            &"g".repeat(64),
            &"+1".repeat(32),
            &"a".repeat(63),
        ] {
            fs::write(&path, text).expect("written");
            assert!(
                matches!(club_key(&path, || [0; 32]), Err(KeyError::NoKey(_))),
                "{text}"
            );
            assert_eq!(fs::read_to_string(&path).expect("still there"), text);
        }
    }
}
