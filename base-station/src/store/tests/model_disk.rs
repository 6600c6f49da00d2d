//! A model of a disk whose power can be cut: what was not synchronised is gone, or half there.
//!
//! `SQLite` runs on it unchanged, through a file system of its own. A path is `number/name`; the
//! number picks the disk.

use std::collections::BTreeMap;
use std::ffi::CString;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError};

use rusqlite::{Connection, OpenFlags};
use sqlite_plugin::flags::{AccessFlags, LockLevel, OpenOpts};
use sqlite_plugin::vars;
use sqlite_plugin::vfs::{RegisterOpts, Vfs, VfsHandle, VfsResult, register_static};

use crate::store::{Durability, Store, StoreError};

/// What a disk holds when its power comes back.
pub(super) type Image = BTreeMap<String, Arc<Vec<u8>>>;

/// The state of the platters at one moment, and what had been promised by then.
#[derive(Clone, Debug)]
pub(super) struct Cut {
    /// Records that `append` had said were on disk.
    pub(super) promised: u64,
    /// Everything that was synchronised.
    pub(super) image: Image,
    /// Some of the writes that were not: file, place, data.
    torn: Vec<(String, usize, Arc<Vec<u8>>)>,
}

impl Cut {
    /// What is there when some writes made it to the platters although nobody waited for them.
    pub(super) fn torn(&self) -> Image {
        let mut image = self.image.clone();
        for (name, offset, data) in &self.torn {
            let file = image.entry(name.clone()).or_default();
            write_at(Arc::make_mut(file), *offset, data);
        }
        image
    }
}

#[derive(Debug, Default)]
struct File {
    durable: Arc<Vec<u8>>,
    now: Vec<u8>,
    /// Writes since the last synchronisation: where and what.
    pending: Vec<(usize, Arc<Vec<u8>>)>,
    /// Whether the file would be found after a power cut at all.
    entered: bool,
}

#[derive(Debug, Default)]
struct Disk {
    files: BTreeMap<String, File>,
    promised: u64,
    cuts: Vec<Cut>,
    seed: u64,
}

static DISKS: Mutex<BTreeMap<u64, Disk>> = Mutex::new(BTreeMap::new());
static REGISTER: Once = Once::new();

fn disks() -> MutexGuard<'static, BTreeMap<u64, Disk>> {
    DISKS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts a disk with these files on it and opens a journal there.
pub(super) fn open(image: &Image, durability: Durability) -> Result<(u64, Store), StoreError> {
    REGISTER.call_once(|| {
        let name = CString::new("model").expect("no zero in it");
        let opts = RegisterOpts {
            make_default: false,
        };
        register_static(name, ModelDisk, opts).expect("SQLite takes another file system");
    });
    let number = {
        let mut disks = disks();
        let number = disks.last_key_value().map_or(1, |(number, _)| number + 1);
        let files = image.iter().map(|(name, content)| {
            let file = File {
                durable: Arc::clone(content),
                now: content.to_vec(),
                pending: Vec::new(),
                entered: true,
            };
            (name.clone(), file)
        });
        let disk = Disk {
            files: files.collect(),
            seed: number,
            ..Disk::default()
        };
        disks.insert(number, disk);
        number
    };
    let path = format!("{number}/journal.sqlite");
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
    let connection =
        Connection::open_with_flags_and_vfs(&path, flags, c"model").map_err(|fault| {
            StoreError::Unusable {
                path: PathBuf::from(&path),
                what: fault.to_string(),
            }
        })?;
    Ok((
        number,
        Store::from_connection(connection, PathBuf::from(path), durability)?,
    ))
}

/// `append` has said that so many records are on disk.
pub(super) fn promise(disk: u64, records: u64) {
    if let Some(disk) = disks().get_mut(&disk) {
        disk.promised = records;
        disk.cut();
    }
}

/// Every moment at which the power could have been cut. The disk is scrapped.
pub(super) fn scrap(disk: u64) -> Vec<Cut> {
    disks()
        .remove(&disk)
        .map(|disk| disk.cuts)
        .unwrap_or_default()
}

impl Disk {
    /// Notes what a power cut right now would leave.
    fn cut(&mut self) {
        let mut image = Image::new();
        let mut torn = Vec::new();
        for (name, file) in self.files.iter().filter(|(_, file)| file.entered) {
            image.insert(name.clone(), Arc::clone(&file.durable));
            for (offset, data) in &file.pending {
                // A simple generator is random enough to lose some writes and keep others.
                self.seed = self
                    .seed
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                if self.seed >> 63 == 0 {
                    torn.push((name.clone(), *offset, Arc::clone(data)));
                }
            }
        }
        self.cuts.push(Cut {
            promised: self.promised,
            image,
            torn,
        });
    }
}

fn write_at(file: &mut Vec<u8>, offset: usize, data: &[u8]) {
    let end = offset + data.len();
    if file.len() < end {
        file.resize(end, 0);
    }
    file[offset..end].copy_from_slice(data);
}

#[derive(Debug)]
struct Handle {
    disk: u64,
    name: String,
    /// A scratch file of `SQLite`'s own, deleted when it is closed.
    scratch: bool,
}

impl VfsHandle for Handle {
    fn readonly(&self) -> bool {
        false
    }

    fn in_memory(&self) -> bool {
        false
    }
}

struct ModelDisk;

fn locate(path: &str) -> VfsResult<(u64, String)> {
    let (number, name) = path.split_once('/').ok_or(vars::SQLITE_CANTOPEN)?;
    let number = number.parse().map_err(|_| vars::SQLITE_CANTOPEN)?;
    Ok((number, name.to_owned()))
}

impl Handle {
    fn with<T>(&self, work: impl FnOnce(&mut File) -> T) -> VfsResult<T> {
        let mut disks = disks();
        let disk = disks.get_mut(&self.disk).ok_or(vars::SQLITE_IOERR)?;
        let file = disk.files.get_mut(&self.name).ok_or(vars::SQLITE_IOERR)?;
        Ok(work(file))
    }

    fn cut(&self) {
        if let Some(disk) = disks().get_mut(&self.disk) {
            disk.cut();
        }
    }
}

impl Vfs for ModelDisk {
    type Handle = Handle;

    fn open(&self, path: Option<&str>, opts: OpenOpts) -> VfsResult<Handle> {
        let (disk, name) = locate(path.unwrap_or("0/scratch"))?;
        let mut disks = disks();
        let files = &mut disks.entry(disk).or_default().files;
        files.entry(name.clone()).or_default();
        Ok(Handle {
            disk,
            name,
            scratch: opts.delete_on_close(),
        })
    }

    fn delete(&self, path: &str) -> VfsResult<()> {
        let (disk, name) = locate(path)?;
        if let Some(disk) = disks().get_mut(&disk) {
            disk.files.remove(&name);
        }
        Ok(())
    }

    fn access(&self, path: &str, _flags: AccessFlags) -> VfsResult<bool> {
        let (disk, name) = locate(path)?;
        Ok(disks()
            .get(&disk)
            .is_some_and(|disk| disk.files.contains_key(&name)))
    }

    fn file_size(&self, handle: &mut Handle) -> VfsResult<usize> {
        handle.with(|file| file.now.len())
    }

    fn truncate(&self, handle: &mut Handle, size: usize) -> VfsResult<()> {
        handle.with(|file| file.now.resize(size, 0))
    }

    fn write(&self, handle: &mut Handle, offset: usize, data: &[u8]) -> VfsResult<usize> {
        handle.with(|file| {
            write_at(&mut file.now, offset, data);
            file.pending.push((offset, Arc::new(data.to_vec())));
        })?;
        handle.cut();
        Ok(data.len())
    }

    fn read(&self, handle: &mut Handle, offset: usize, data: &mut [u8]) -> VfsResult<usize> {
        handle.with(|file| {
            let there = file.now.get(offset..).unwrap_or_default();
            let len = there.len().min(data.len());
            data[..len].copy_from_slice(&there[..len]);
            len
        })
    }

    fn lock(&self, _handle: &mut Handle, _level: LockLevel) -> VfsResult<()> {
        Ok(())
    }

    fn unlock(&self, _handle: &mut Handle, _level: LockLevel) -> VfsResult<()> {
        Ok(())
    }

    fn check_reserved_lock(&self, _handle: &mut Handle) -> VfsResult<bool> {
        Ok(false)
    }

    fn sync(&self, handle: &mut Handle) -> VfsResult<()> {
        handle.with(|file| {
            file.durable = Arc::new(file.now.clone());
            file.pending.clear();
            file.entered = true;
        })?;
        handle.cut();
        Ok(())
    }

    fn close(&self, handle: Handle) -> VfsResult<()> {
        if handle.scratch
            && let Some(disk) = disks().get_mut(&handle.disk)
        {
            disk.files.remove(&handle.name);
        }
        Ok(())
    }

    fn device_characteristics(&self, _handle: &mut Handle) -> VfsResult<i32> {
        // Nothing that a cheap disk could not break is promised.
        Ok(0)
    }
}
