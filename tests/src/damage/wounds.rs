//! What can happen to files.

use std::fs;
use std::path::{Path, PathBuf};

use base_station::daemon::KEY_NAME;
use base_station::store::{COPIES_FOLDER, FILE_NAME, HEAD_NAME};
use tempfile::TempDir;

use super::Plan;
use super::evening::Evening;

/// The club's key of the evening.
pub(super) const KEY: [u8; 32] = [0xAB; 32];

const PAGE_LEN: u64 = 4096;

/// Which of the journal's moments is wounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum When {
    Killed,
    Closed,
}

/// What happens.
#[derive(Clone, Debug)]
pub(super) enum Wound {
    /// One bit is another.
    Flipped(When, &'static str, u64, u8),
    /// The file ends here.
    Cut(When, &'static str, u64),
    /// The file is gone.
    Deleted(When, &'static str),
    /// The file is that of the day before.
    Older(When, &'static str),
    /// These files are those of the day before.
    Mixed(Vec<&'static str>),
    /// A page is that of the same journal as it went on elsewhere.
    Strange(u64),
}

const LOG_NAME: &str = "journal.sqlite-wal";
const COPIES: [&str; 2] = ["backups/journal-00.sqlite", "backups/journal-01.sqlite"];

/// Files of a killed base station, with what a wound to them is called.
const JOURNAL_FILES: [&str; 5] = [FILE_NAME, LOG_NAME, HEAD_NAME, COPIES[0], COPIES[1]];

fn wounded(file: &str, verb: [&'static str; 5]) -> &'static str {
    let [main, log, head, copy, key] = verb;
    match file {
        FILE_NAME => main,
        LOG_NAME => log,
        HEAD_NAME => head,
        KEY_NAME => key,
        _ => copy,
    }
}

impl Wound {
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Self::Flipped(_, file, ..) => wounded(
                file,
                [
                    "bit of the journal",
                    "bit of the log",
                    "bit of the head",
                    "bit of a copy",
                    "bit of the key",
                ],
            ),
            Self::Cut(_, file, _) => wounded(
                file,
                [
                    "journal cut off",
                    "log cut off",
                    "head cut off",
                    "copy cut off",
                    "key cut off",
                ],
            ),
            Self::Deleted(..) => "file deleted",
            Self::Older(..) => "older file",
            Self::Mixed(_) => "files of two days",
            Self::Strange(_) => "page from elsewhere",
        }
    }

    pub(super) fn snapshot<'a>(&self, evening: &'a Evening) -> &'a TempDir {
        match self {
            Self::Flipped(When::Closed, ..)
            | Self::Cut(When::Closed, ..)
            | Self::Deleted(When::Closed, _)
            | Self::Older(When::Closed, _)
            | Self::Strange(_) => &evening.closed,
            _ => &evening.killed,
        }
    }

    pub(super) fn is_of_key(&self) -> bool {
        match self {
            Self::Flipped(_, file, ..)
            | Self::Cut(_, file, _)
            | Self::Deleted(_, file)
            | Self::Older(_, file) => *file == KEY_NAME,
            Self::Mixed(_) | Self::Strange(_) => false,
        }
    }

    pub(super) fn make(&self, evening: &Evening, place: &Path) {
        let day_before = evening.day_before.path();
        match self {
            Self::Flipped(_, file, at, bit) => change(&place.join(file), *at, |byte| {
                *byte ^= 1 << bit;
            }),
            Self::Cut(_, file, len) => {
                let file = fs::File::options().write(true).open(place.join(file));
                file.and_then(|file| file.set_len(*len)).expect("cut off");
            }
            Self::Deleted(_, file) => fs::remove_file(place.join(file)).expect("deleted"),
            Self::Older(_, file) if *file == KEY_NAME => {
                fs::write(place.join(file), "07".repeat(32)).expect("exchanged");
            }
            Self::Older(_, file) => exchange(day_before, place, file),
            Self::Mixed(files) => {
                for file in files {
                    exchange(day_before, place, file);
                }
            }
            Self::Strange(page) => {
                let other = fs::read(evening.elsewhere.path().join(FILE_NAME)).expect("read");
                let path = place.join(FILE_NAME);
                let mut own = fs::read(&path).expect("read");
                let at = usize::try_from(page * PAGE_LEN).expect("a place");
                let page = at..at + usize::try_from(PAGE_LEN).expect("a length");
                own[page.clone()].copy_from_slice(&other[page]);
                fs::write(path, own).expect("written");
            }
        }
    }
}

fn change(path: &Path, at: u64, change: impl FnOnce(&mut u8)) {
    use std::io::{Read, Seek, SeekFrom, Write};
    let mut file = fs::File::options()
        .read(true)
        .write(true)
        .open(path)
        .expect("opens");
    let mut byte = [0];
    file.seek(SeekFrom::Start(at)).expect("a place");
    file.read_exact(&mut byte).expect("read");
    change(&mut byte[0]);
    file.seek(SeekFrom::Start(at)).expect("a place");
    file.write_all(&byte).expect("written");
}

fn exchange(from: &Path, to: &Path, file: &str) {
    let (from, to) = (from.join(file), to.join(file));
    if from.exists() {
        fs::copy(from, to).expect("exchanged");
    } else {
        let _ = fs::remove_file(to);
    }
}

/// Every wound of a plan.
pub(super) fn all(evening: &Evening, plan: &Plan, random: &mut fastrand::Rng) -> Vec<Wound> {
    let len = |when: When, file: &str| {
        let folder: PathBuf = match when {
            When::Killed => evening.killed.path().join(file),
            When::Closed => evening.closed.path().join(file),
        };
        fs::metadata(folder).map_or(0, |file| file.len())
    };
    // The journal and its log get most of it.
    let targets = [
        (When::Closed, FILE_NAME),
        (When::Killed, FILE_NAME),
        (When::Killed, LOG_NAME),
        (When::Killed, LOG_NAME),
        (When::Closed, FILE_NAME),
        (When::Killed, COPIES[0]),
        (When::Killed, COPIES[1]),
        (When::Closed, HEAD_NAME),
        (When::Closed, KEY_NAME),
    ];
    let mut wounds = Vec::new();
    for number in 0..plan.flips {
        let (when, file) = targets[number % targets.len()];
        let at = random.u64(0..len(when, file));
        wounds.push(Wound::Flipped(when, file, at, random.u8(0..8)));
    }
    // The index is small: chance alone hits it rarely.
    let index = index_pages(evening);
    for _ in 0..plan.index_flips {
        let page = index[random.usize(..index.len())];
        let at = page * PAGE_LEN + random.u64(0..PAGE_LEN);
        let bit = random.u8(0..8);
        wounds.push(Wound::Flipped(When::Closed, FILE_NAME, at, bit));
    }
    for number in 0..plan.cuts {
        let (when, file) = targets[number % targets.len()];
        let all = len(when, file);
        // Some at the edges of pages, some at nothing.
        let at = match number % 4 {
            0 => random.u64(0..all) / PAGE_LEN * PAGE_LEN,
            1 if number < targets.len() * 2 => 0,
            _ => random.u64(0..all),
        };
        wounds.push(Wound::Cut(when, file, at));
    }
    for when in [When::Killed, When::Closed] {
        for file in JOURNAL_FILES.into_iter().chain([KEY_NAME]) {
            if len(when, file) > 0 {
                wounds.push(Wound::Deleted(when, file));
                wounds.push(Wound::Older(when, file));
            }
        }
    }
    // Every mixture of two days but the whole folder of one.
    let parts: [&[&'static str]; 4] = [&[FILE_NAME], &[LOG_NAME], &[HEAD_NAME], &COPIES];
    for mixture in 1..(1_u8 << parts.len()) - 1 {
        let old = (0..parts.len()).filter(|part| mixture >> part & 1 == 1);
        wounds.push(Wound::Mixed(
            old.flat_map(|part| parts[part]).copied().collect(),
        ));
    }
    wounds.extend(strange_pages(evening).into_iter().map(Wound::Strange));
    wounds
}

/// Pages that list the records of a session: the leaves of an index, as `SQLite` marks them.
fn index_pages(evening: &Evening) -> Vec<u64> {
    const INDEX_LEAF: u8 = 10;
    let file = fs::read(evening.closed.path().join(FILE_NAME)).expect("read");
    let pages = file.chunks(usize::try_from(PAGE_LEN).expect("a length"));
    let leaves = (0..).zip(pages).skip(1);
    leaves
        .filter(|(_, page)| page.first() == Some(&INDEX_LEAF))
        .map(|(number, _)| number)
        .collect()
}

/// Pages in which the journal and the one that went on elsewhere differ.
fn strange_pages(evening: &Evening) -> Vec<u64> {
    let read = |folder: &TempDir| fs::read(folder.path().join(FILE_NAME)).expect("read");
    let (own, other) = (read(&evening.closed), read(&evening.elsewhere));
    let page = usize::try_from(PAGE_LEN).expect("a length");
    let pairs = own.chunks(page).zip(other.chunks(page));
    (0..)
        .zip(pairs)
        .filter(|(_, (own, other))| own != other && own.len() == other.len())
        .map(|(number, _)| number)
        // A long journal has thousands; the first and the last ones show it.
        .take(40)
        .collect()
}

const _: () = assert!(COPIES_FOLDER.len() == "backups".len());
