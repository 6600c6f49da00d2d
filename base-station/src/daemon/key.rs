//! The club's key: read from its file, or drawn once and kept.
//!
//! Pads know the club by it, so a new one is drawn in silence only for a club that has never
//! played. A copy is kept with the journal's, because a key that is gone costs every pad a visit
//! with a cable.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use protocol::frame::ClubKey;
use sha2::{Digest, Sha256};

use crate::store::{COPIES_FOLDER, KeyMark, private, write_whole};

/// The key's file in the data folder, and its copy's in the folder of copies.
pub const KEY_NAME: &str = "club.key";

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
    /// It is gone.
    #[error(
        "the club key file {0} is gone, and this club has played with it: put the file back, or \
         start once with --new-club-key; every pad must then be given the new key by cable"
    )]
    Lost(PathBuf),
    /// It is another one.
    #[error(
        "the club key file {0} holds another key than this club has played with: put the right \
         file back, or start once with --new-club-key; every pad that has the old key must then be \
         given the new one by cable"
    )]
    Changed(PathBuf),
}

impl KeyError {
    /// Whether the director can answer it: put the file back, or have a new key.
    pub const fn is_question(&self) -> bool {
        !matches!(self, Self::Unreadable { .. })
    }
}

/// What the journal knows of the key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played {
    /// Whether the club has played at all.
    pub before: bool,
    /// What its key looks like, where that was noted.
    pub mark: Option<KeyMark>,
}

/// What a key looks like, without giving it away.
pub fn key_mark(key: &ClubKey) -> KeyMark {
    let mut hash = Sha256::new();
    hash.update(b"byestand club key mark");
    hash.update(key.bytes());
    let mut mark = KeyMark::default();
    mark.iter_mut()
        .zip(hash.finalize())
        .for_each(|(place, byte)| *place = byte);
    mark
}

/// Reads the key; `draw` gives a new one for a club that has not played yet, or where the director
/// wants one (`anew`).
pub fn club_key(
    path: &Path,
    played: Played,
    anew: bool,
    draw: impl FnOnce() -> [u8; 32],
) -> Result<ClubKey, KeyError> {
    let unreadable = |what| KeyError::Unreadable {
        path: path.to_owned(),
        what,
    };
    match read(path) {
        Ok(key) => {
            let is_another = played.mark.is_some_and(|mark| mark != key_mark(&key));
            // A renewal that was cut off before the journal knew of it.
            let old = read(&old_file(path)).ok().map(|old| key_mark(&old));
            if is_another && played.mark != old && !anew {
                return Err(KeyError::Changed(path.to_owned()));
            }
            Ok(key)
        }
        Err(KeyError::Lost(_)) if anew || !played.before => {
            let key = draw();
            write_new(path, &key).map_err(unreadable)?;
            Ok(ClubKey::new(key))
        }
        Err(KeyError::NoKey(_)) if anew => {
            put_aside(path).map_err(unreadable)?;
            let key = draw();
            write_new(path, &key).map_err(unreadable)?;
            Ok(ClubKey::new(key))
        }
        Err(fault) => Err(fault),
    }
}

fn read(path: &Path) -> Result<ClubKey, KeyError> {
    match fs::read_to_string(path) {
        Ok(text) => parse(text.trim()).ok_or_else(|| KeyError::NoKey(path.to_owned())),
        Err(fault) if fault.kind() == io::ErrorKind::NotFound => {
            Err(KeyError::Lost(path.to_owned()))
        }
        Err(fault) if fault.kind() == io::ErrorKind::InvalidData => {
            Err(KeyError::NoKey(path.to_owned()))
        }
        Err(what) => Err(KeyError::Unreadable {
            path: path.to_owned(),
            what,
        }),
    }
}

/// Where the key from before a renewal is, beside the present one.
pub(super) fn old_file(file: &Path) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".old");
    PathBuf::from(name)
}

/// The key in a file.
pub(crate) fn read_key(path: &Path) -> Result<ClubKey, KeyError> {
    read(path)
}

/// Puts a key into a file, whole or not at all.
pub(super) fn replace_key(path: &Path, key: &ClubKey) -> io::Result<()> {
    write_whole(path, line(key.bytes()).as_bytes())
}

/// Where the copy of the key is.
fn copy_of_key(data: &Path) -> PathBuf {
    data.join(COPIES_FOLDER).join(KEY_NAME)
}

/// Keeps a copy of the key that is in use.
pub(crate) fn keep_copy(data: &Path, key: &ClubKey) -> io::Result<()> {
    let copy = copy_of_key(data);
    if read(&copy).is_ok_and(|kept| kept.bytes() == key.bytes()) {
        return Ok(());
    }
    fs::create_dir_all(data.join(COPIES_FOLDER))?;
    if copy.exists() {
        // It may be the last one of a key that pads still know.
        put_aside(&copy)?;
    }
    write_whole(&copy, line(key.bytes()).as_bytes())
}

/// What the key looks like of which a copy is kept.
pub(crate) fn mark_of_copy(data: &Path) -> Option<KeyMark> {
    read(&copy_of_key(data)).ok().map(|key| key_mark(&key))
}

/// Whether the club has a key here: in its file, or a copy of it.
pub(crate) fn has_key(data: &Path, path: &Path) -> bool {
    path.exists() || copy_of_key(data).exists()
}

/// Whether there is a copy of the key that the club has played with.
pub(crate) fn has_copy(data: &Path, played: Played) -> bool {
    read(&copy_of_key(data)).is_ok_and(|key| played.mark.is_none_or(|mark| mark == key_mark(&key)))
}

/// Puts the copy of the key in its place; what stood there is kept beside it.
pub(crate) fn use_copy(data: &Path, path: &Path) -> Result<(), KeyError> {
    let key = read(&copy_of_key(data))?;
    let put = || {
        if path.exists() {
            put_aside(path)?;
        }
        write_new(path, key.bytes())
    };
    put().map_err(|what| KeyError::Unreadable {
        path: path.to_owned(),
        what,
    })
}

/// A file that holds no key or another one gets another name, beside those that were put aside
/// before: nothing of the club's is thrown away.
fn put_aside(path: &Path) -> io::Result<()> {
    let name = |ending: String| {
        let mut aside = path.as_os_str().to_owned();
        aside.push(ending);
        PathBuf::from(aside)
    };
    let numbered = (2..).map(|number| name(format!(".damaged-{number}")));
    let mut names = std::iter::once(name(".damaged".to_owned())).chain(numbered);
    let aside = names.find(|name| !name.exists());
    fs::rename(path, aside.unwrap_or_default())
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

pub(super) fn line(key: &[u8; 32]) -> String {
    use std::fmt::Write;
    let mut line = String::with_capacity(65);
    for byte in key {
        // Writing to a string can't fail.
        let _ = write!(line, "{byte:02x}");
    }
    line.push('\n');
    line
}

/// On disk before it is used: a key that a pad has learned must never be lost again. A folder that
/// is not there is a mistyped path, and a new key there would turn the club's pads away.
fn write_new(path: &Path, key: &[u8; 32]) -> io::Result<()> {
    use io::Write;
    let mut file = private().create_new(true).open(path)?;
    file.write_all(line(key).as_bytes())?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEW_CLUB: Played = Played {
        before: false,
        mark: None,
    };

    fn played_with(key: &ClubKey) -> Played {
        Played {
            before: true,
            mark: Some(key_mark(key)),
        }
    }

    #[test]
    fn a_new_club_gets_a_key_and_keeps_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(KEY_NAME);
        let drawn = club_key(&path, NEW_CLUB, false, || [0xAB; 32]).expect("a key is made");
        let again = club_key(&path, played_with(&drawn), false, || [0; 32]).expect("it is read");
        assert_eq!(drawn.bytes(), again.bytes());
        assert_eq!(again.bytes(), &[0xAB; 32]);
    }

    #[test]
    fn a_key_that_is_gone_or_another_is_asked_about_and_never_drawn_in_silence() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(KEY_NAME);
        let key = club_key(&path, NEW_CLUB, false, || [0xAB; 32]).expect("a key is made");
        keep_copy(folder.path(), &key).expect("kept");
        let played = played_with(&key);
        fs::remove_file(&path).expect("lost");
        for known in [
            played,
            Played {
                before: true,
                mark: None,
            },
        ] {
            let refused = club_key(&path, known, false, || [1; 32]);
            assert!(matches!(refused, Err(KeyError::Lost(_))));
            assert!(!path.exists(), "nothing was drawn");
        }
        fs::write(&path, "00".repeat(32)).expect("an older one");
        let refused = club_key(&path, played, false, || [1; 32]);
        assert!(matches!(refused, Err(KeyError::Changed(_))));
        // The copy that was kept is the right one.
        assert!(has_copy(folder.path(), played));
        use_copy(folder.path(), &path).expect("put back");
        let back = club_key(&path, played, false, || [1; 32]).expect("it is back");
        assert_eq!(back.bytes(), key.bytes());
        // The director wants a new one.
        fs::remove_file(&path).expect("lost again");
        let new = club_key(&path, played, true, || [7; 32]).expect("as the director said");
        assert_eq!(new.bytes(), &[7; 32]);
        assert!(!has_copy(folder.path(), played_with(&new)));
        // The old one may be the last that some pads know.
        keep_copy(folder.path(), &new).expect("kept");
        keep_copy(folder.path(), &ClubKey::new([8; 32])).expect("kept");
        let copies = folder.path().join(COPIES_FOLDER);
        let aside = |name: &str| read(&copies.join(name)).map(|key| *key.bytes());
        assert_eq!(aside("club.key.damaged").expect("kept"), [0xAB; 32]);
        assert_eq!(aside("club.key.damaged-2").expect("kept"), [7; 32]);
    }

    #[test]
    fn a_mistyped_folder_is_refused_instead_of_turning_the_clubs_pads_away() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("mistyped").join(KEY_NAME);
        let refused = club_key(&path, NEW_CLUB, false, || [0xAB; 32]);
        assert!(matches!(refused, Err(KeyError::Unreadable { .. })));
        assert!(!path.exists());
    }

    #[test]
    fn a_file_that_holds_no_key_is_refused_and_left_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(KEY_NAME);
        for text in [
            "",
            "secret",
            &"g".repeat(64),
            &"+1".repeat(32),
            &"a".repeat(63),
        ] {
            fs::write(&path, text).expect("written");
            let refused = club_key(&path, NEW_CLUB, false, || [0; 32]);
            assert!(matches!(refused, Err(KeyError::NoKey(_))), "{text}");
            assert_eq!(fs::read_to_string(&path).expect("still there"), text);
        }
        club_key(&path, NEW_CLUB, true, || [3; 32]).expect("the director wants a new one");
        assert!(folder.path().join("club.key.damaged").exists());
    }
}
