//! Writes the file without damage: as a whole, never while somebody holds it.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::CouplingState;
use crate::daemon::{Clock, SystemClock};
use crate::exchange::coupling::Put;
use telling::tell;

/// Where Jet writes down who has a database open.
fn lock_file(file: &Path) -> PathBuf {
    file.with_extension("ldb")
}

/// Whether another program has the file open, as far as its format says so.
pub(super) fn is_held(file: &Path) -> bool {
    lock_file(file).exists()
}

/// Where results go while another program holds the file.
fn second_file(file: &Path) -> PathBuf {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    file.with_file_name(format!("{stem}-byestand.bws"))
}

/// Keeps the file as it was when it was taken.
pub(super) fn keep_original(file: &Path, bytes: &[u8]) -> io::Result<()> {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    for number in 1..100 {
        let number = if number == 1 {
            String::new()
        } else {
            format!("-{number}")
        };
        let copy = file.with_file_name(format!("{name}.original{number}"));
        match std::fs::read(&copy) {
            Ok(there) if there == bytes => return Ok(()),
            Ok(_) => {}
            Err(_) => return replace(&copy, None, bytes, write_all),
        }
    }
    Err(io::Error::other("there are a hundred copies already"))
}

/// Writes what was put, into the file or beside it.
pub(super) fn keep(
    file: &Path,
    old: &[u8],
    put: Put,
    state: &mut CouplingState,
) -> io::Result<bool> {
    let second = second_file(file);
    let Some(new) = put.file else {
        return Ok(false);
    };
    if !is_held(file) {
        match replace(file, Some(old), &new, write_all) {
            Ok(()) => {
                state.written = Some(SystemClock.now().0);
                // It has said what it had to say.
                let _ = std::fs::remove_file(second);
                return Ok(true);
            }
            Err(fault) if !is_sharing(&fault) => return Err(fault),
            Err(_) => {}
        }
    }
    replace(&second, None, &new, write_all)?;
    state.written = Some(SystemClock.now().0);
    state.beside = Some(second.display().to_string());
    Ok(false)
}

/// Windows lets nobody replace a file that another program has open.
fn is_sharing(fault: &io::Error) -> bool {
    const SHARING_VIOLATION: i32 = 32;
    const LOCK_VIOLATION: i32 = 33;
    cfg!(windows)
        && (fault.kind() == io::ErrorKind::PermissionDenied
            || matches!(
                fault.raw_os_error(),
                Some(SHARING_VIOLATION | LOCK_VIOLATION)
            ))
}

pub(super) fn write_all(file: &mut File, bytes: &[u8]) -> io::Result<()> {
    file.write_all(bytes)
}

/// Replaces a file as a whole: whatever happens in between, there is the old one or the new one. If
/// it is not the `old` one any more, nothing is done.
pub(super) fn replace(
    path: &Path,
    old: Option<&[u8]>,
    new: &[u8],
    write: impl FnOnce(&mut File, &[u8]) -> io::Result<()>,
) -> io::Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let draft = path.with_file_name(format!(".{name}.byestand-new"));
    let mut file = File::create(&draft)?;
    if let Ok(about) = std::fs::metadata(path) {
        file.set_permissions(about.permissions())?;
    }
    write(&mut file, new)?;
    file.sync_all()?;
    drop(file);
    if let Some(old) = old
        && std::fs::read(path)? != old
    {
        std::fs::remove_file(&draft)?;
        return Err(io::Error::other(tell!(Bws::ScoringProgramChangedFile {
            file: path.display().to_string()
        })));
    }
    std::fs::rename(&draft, path)?;
    #[cfg(unix)]
    if let Some(folder) = path.parent().filter(|it| !it.as_os_str().is_empty()) {
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}
