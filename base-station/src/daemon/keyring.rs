//! The club's keys while the base station runs: the present one, and the one before while pads that
//! were away may still come with it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use protocol::frame::ClubKey;
use tokio::sync::watch;

use super::key::{keep_copy, old_file, read_key, replace_key};

/// What opens the club's frames.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keys {
    /// What pads are given.
    pub current: ClubKey,
    /// What pads may still come with.
    pub old: Option<ClubKey>,
}

/// The club's keys, and where they are kept.
#[derive(Clone, Debug)]
pub struct Keyring {
    keys: watch::Sender<Keys>,
    places: Option<Arc<Places>>,
}

#[derive(Debug)]
struct Places {
    data: PathBuf,
    file: PathBuf,
}

impl Keyring {
    /// A key that is kept nowhere: the demonstration's.
    pub fn of(key: ClubKey) -> Self {
        let keys = Keys {
            current: key,
            old: None,
        };
        Self {
            keys: watch::Sender::new(keys),
            places: None,
        }
    }

    /// The key of a file, and the old one beside it, if the club is renewing its key.
    pub fn at(key: ClubKey, data: &Path, file: &Path) -> Self {
        let old = read_key(&old_file(file)).ok();
        let keys = Keys {
            old: old.filter(|old| *old != key),
            current: key,
        };
        let places = Places {
            data: data.to_owned(),
            file: file.to_owned(),
        };
        Self {
            keys: watch::Sender::new(keys),
            places: Some(Arc::new(places)),
        }
    }

    /// What pads are given.
    pub fn current(&self) -> ClubKey {
        self.keys.borrow().current.clone()
    }

    /// What pads may still come with.
    pub fn old(&self) -> Option<ClubKey> {
        self.keys.borrow().old.clone()
    }

    /// Tells of new keys.
    pub fn watch(&self) -> watch::Receiver<Keys> {
        self.keys.subscribe()
    }

    /// The present key as its file has it.
    pub fn line(&self) -> String {
        super::key::line(self.current().bytes())
    }

    /// Takes the key of a club that comes from another laptop. The one that was drawn here goes:
    /// nobody was given it.
    pub fn take(&self, key: ClubKey) -> io::Result<()> {
        if let Some(places) = &self.places {
            replace_key(&places.file, &key)?;
            if let Err(fault) = keep_copy(&places.data, &key) {
                tracing::warn!(%fault, "no copy of the club's key could be kept");
            }
        }
        self.keys.send_replace(Keys {
            current: key,
            old: None,
        });
        Ok(())
    }

    /// Puts this key in the place of the present one, which counts on until [`Self::end_old`].
    /// Whatever happens in between, one of the two files has each key: the old key is written
    /// beside first.
    pub fn renew(&self, key: ClubKey) -> io::Result<()> {
        let current = self.current();
        if let Some(places) = &self.places {
            replace_key(&old_file(&places.file), &current)?;
            replace_key(&places.file, &key)?;
            if let Err(fault) = keep_copy(&places.data, &key) {
                tracing::warn!(%fault, "no copy of the club's new key could be kept");
            }
        }
        self.keys.send_replace(Keys {
            current: key,
            old: Some(current),
        });
        Ok(())
    }

    /// The old key has no effect from now on.
    pub fn end_old(&self) -> io::Result<()> {
        if let Some(places) = &self.places {
            match fs::remove_file(old_file(&places.file)) {
                Err(fault) if fault.kind() != io::ErrorKind::NotFound => return Err(fault),
                _ => {}
            }
        }
        self.keys.send_modify(|keys| keys.old = None);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_old_key_counts_until_the_director_ends_it_also_after_a_restart() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("club.key");
        let (first, second) = (ClubKey::new([1; 32]), ClubKey::new([2; 32]));
        let ring = Keyring::at(first.clone(), folder.path(), &file);
        assert_eq!(ring.old(), None);
        ring.renew(second.clone()).expect("renewed");
        assert_eq!(
            (ring.current(), ring.old()),
            (second.clone(), Some(first.clone()))
        );
        let again = Keyring::at(read_key(&file).expect("written"), folder.path(), &file);
        assert_eq!(
            (again.current(), again.old()),
            (second.clone(), Some(first))
        );
        again.end_old().expect("ended");
        let last = Keyring::at(second, folder.path(), &file);
        assert_eq!(last.old(), None);
    }
}
