//! Files that we make in the data folder: for this user only.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
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

/// What can be read at a time, and what is missing where the disk refuses.
const PIECE_LEN: usize = 4096;

/// The beginning of a file as far as the disk gives it, up to a length.
pub(super) fn begin_of(path: &Path, len_max: u64) -> Vec<u8> {
    let file = File::open(path);
    let len = |file: &File| file.metadata().map_or(0, |it| it.len()).min(len_max);
    file.map_or_else(|_| Vec::new(), |file| salvaged(&file, len(&file)).0)
}

/// A file as far as the disk gives it, with nothing but zeros where it refuses, and how many pieces
/// it refused. Empty if there is no such file.
pub(super) fn read_whatever(path: &Path) -> io::Result<(Vec<u8>, usize)> {
    match std::fs::read(path) {
        Err(fault) if fault.kind() == io::ErrorKind::NotFound => Ok((Vec::new(), 0)),
        Ok(bytes) => Ok((bytes, 0)),
        Err(_) => {
            let file = File::open(path)?;
            let len = file.metadata()?.len();
            Ok(salvaged(&file, len))
        }
    }
}

/// Reads piece by piece: one bad sector spoils one page.
fn salvaged(mut file: impl Read + Seek, len: u64) -> (Vec<u8>, usize) {
    let mut bytes = vec![0; usize::try_from(len).unwrap_or_default()];
    let mut refused = 0;
    for (at, piece) in (0..).step_by(PIECE_LEN).zip(bytes.chunks_mut(PIECE_LEN)) {
        let place = file.seek(SeekFrom::Start(at));
        if place.and_then(|_| file.read_exact(piece)).is_err() {
            piece.fill(0);
            refused += 1;
        }
    }
    (bytes, refused)
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A disk with one bad sector.
    struct BadDisk {
        disk: io::Cursor<Vec<u8>>,
        bad: std::ops::Range<u64>,
    }

    impl Read for BadDisk {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let end = self.disk.position() + into.len() as u64;
            if self.disk.position() < self.bad.end && self.bad.start < end {
                return Err(io::Error::other("input/output error"));
            }
            self.disk.read(into)
        }
    }

    impl Seek for BadDisk {
        fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
            self.disk.seek(to)
        }
    }

    #[test]
    fn a_bad_sector_costs_one_page_and_not_the_file() {
        let content: Vec<u8> = (0..20_000_u32).map(|it| (it % 251) as u8 + 1).collect();
        let disk = BadDisk {
            disk: io::Cursor::new(content.clone()),
            bad: 9_000..9_512,
        };
        let (read, refused) = salvaged(disk, 20_000);
        assert_eq!((read.len(), refused), (20_000, 1));
        for (at, (read, was)) in read.iter().zip(&content).enumerate() {
            let expected = if (8_192..12_288).contains(&at) {
                0
            } else {
                *was
            };
            assert_eq!(*read, expected, "byte {at}");
        }
    }
}
