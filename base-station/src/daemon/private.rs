//! What the data folder holds is for the user only: names, the club's key, a password's hash.
//!
//! On Unix files are made with mode 0600 in a folder with 0700, and what an earlier version made
//! more open is mended at every start. On Windows the usual data folder is the user's own, and what
//! is made in it inherits that.

use std::io;
use std::path::Path;

/// Names of what we keep, by their beginning. A folder that holds other things besides is somebody
/// else's, and stays as open as it is.
const OURS: [&str; 9] = [
    "journal", "club", "centre", "damaged", "backups", "tls-", "rescue", "chain", "byestand",
];

/// Makes the folder if it is not there, mends what is too open, and sees to it that whatever this
/// process makes from now on is private from the beginning.
pub fn keep_private(folder: &Path) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt;
        rustix::process::umask(rustix::fs::Mode::from_bits_truncate(0o077));
        std::fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(folder)?;
        mend(folder)?;
    }
    #[cfg(not(unix))]
    std::fs::create_dir_all(folder)?;
    Ok(())
}

/// Takes everybody else's rights away from our files, and from the folder where it is ours alone.
#[cfg(unix)]
fn mend(folder: &Path) -> io::Result<()> {
    let mut ours_alone = true;
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let is_ours = name
            .to_str()
            .is_some_and(|name| OURS.iter().any(|begin| name.starts_with(begin)));
        // A link may lead anywhere: it is left alone.
        let kind = entry.file_type()?;
        if is_ours && kind.is_file() {
            close(&entry.path());
        } else if is_ours && kind.is_dir() {
            mend(&entry.path())?;
        }
        ours_alone &= is_ours;
    }
    if ours_alone {
        close(folder);
    }
    Ok(())
}

/// What is another user's can't be changed, and is said in the log.
#[cfg(unix)]
fn close(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    let closed = std::fs::symlink_metadata(path).and_then(|found| {
        let mode = found.permissions().mode();
        let private = mode & 0o700;
        if mode & 0o777 == private {
            return Ok(());
        }
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(private))
    });
    if let Err(fault) = closed {
        tracing::warn!(path = %path.display(), %fault, "others may read this file");
    }
}

/// The open files that the system lets us have, as many as it lets us ask for up to what the
/// connections need; none where the system has no such limit.
pub fn raise_file_limit(wanted: u64) -> Option<u64> {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let limit = getrlimit(Resource::Nofile);
        let now = limit.current?;
        let possible = limit.maximum.map_or(wanted, |most| most.min(wanted));
        if now >= possible {
            return Some(now);
        }
        let raised = Rlimit {
            current: Some(possible),
            maximum: limit.maximum,
        };
        let done = setrlimit(Resource::Nofile, raised);
        Some(if done.is_ok() { possible } else { now })
    }
    #[cfg(not(unix))]
    {
        let _ = wanted;
        None
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn mode(path: &Path) -> u32 {
        let found = fs::symlink_metadata(path).expect("there");
        found.permissions().mode() & 0o777
    }

    fn open_to_all(path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("set");
    }

    #[test]
    fn files_are_for_the_user_only_and_existing_ones_are_mended_at_start() {
        let folder = tempfile::tempdir().expect("a folder");
        let data = folder.path().join("data");
        fs::create_dir_all(data.join("backups")).expect("made");
        let files = ["journal.sqlite", "club.key", "backups/journal-00.sqlite"];
        for file in files {
            fs::write(data.join(file), "x").expect("written");
            open_to_all(&data.join(file), 0o644);
        }
        open_to_all(&data.join("backups"), 0o755);
        open_to_all(&data, 0o755);
        keep_private(&data).expect("mended");
        for file in files {
            assert_eq!(mode(&data.join(file)), 0o600, "{file}");
        }
        assert_eq!(mode(&data.join("backups")), 0o700);
        assert_eq!(mode(&data), 0o700);
        fs::write(data.join("journal.sqlite-wal"), "x").expect("written");
        assert_eq!(mode(&data.join("journal.sqlite-wal")), 0o600, "a new one");
        let new = folder.path().join("new");
        keep_private(&new).expect("made");
        assert_eq!(mode(&new), 0o700);
    }

    #[test]
    fn a_folder_with_other_peoples_files_in_it_stays_as_it_is() {
        let folder = tempfile::tempdir().expect("a folder");
        let (theirs, ours) = (
            folder.path().join("holiday.jpg"),
            folder.path().join("club.key"),
        );
        for file in [&theirs, &ours] {
            fs::write(file, "x").expect("written");
            open_to_all(file, 0o755);
        }
        open_to_all(folder.path(), 0o755);
        keep_private(folder.path()).expect("mended");
        assert_eq!(mode(&theirs), 0o755);
        assert_eq!(mode(folder.path()), 0o755);
        assert_eq!(mode(&ours), 0o700, "only the user's own rights are left");
    }
}
