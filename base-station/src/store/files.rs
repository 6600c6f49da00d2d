//! Files that we make in the data folder: for this user only.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

/// Options with which every file of ours is made: readable and writable by its user alone.
pub fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    options
}

/// Writes a small file whole or not at all: under another name first, then under its own.
pub fn write_whole(path: &Path, content: &[u8]) -> io::Result<()> {
    use io::Write;
    let unfinished = path.with_extension("unfinished");
    let mut file = private().create(true).truncate(true).open(&unfinished)?;
    file.write_all(content)?;
    file.sync_all()?;
    drop(file);
    std::fs::rename(&unfinished, path)?;
    sync_folder(path);
    Ok(())
}

/// A renamed or new file is found after a power cut only when its folder is on disk, too. Where a
/// platform can't do that it does it by itself.
pub(super) fn sync_folder(path: &Path) {
    if let Some(folder) = path.parent()
        && let Ok(folder) = File::open(folder)
    {
        let _ = folder.sync_all();
    }
}
