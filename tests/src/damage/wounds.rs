//! What can happen to files.

use std::fs;
use std::os::unix::fs::FileExt;
use std::path::Path;

use base_station::daemon::{CERTIFICATE_FILE, KEY_NAME, TLS_KEY_FILE};
use base_station::store::{COPIES_FOLDER, FILE_NAME, HEAD_NAME};
use tempfile::TempDir;

use super::Plan;
use super::evening::Evening;

/// The club's key of the evening.
pub(super) const KEY: [u8; 32] = [0xAB; 32];

/// The same as it stands in its file.
pub(super) const KEY_TEXT: &str =
    "abababababababababababababababababababababababababababababababab";

const PAGE_LEN: u64 = 4096;

/// Which of the journal's moments is wounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum When {
    Killed,
    Closed,
}

/// What has become of a file that was not hit alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Also {
    Gone,
    Nonsense,
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
    /// The file is that of the day before (another club's, where it is the same every day).
    Older(When, &'static str),
    /// These files are those of the day before.
    Mixed(Vec<&'static str>),
    /// A page is that of the same journal as it went on elsewhere; and the copies are gone.
    Strange(u64, bool),
    /// A power cut came before the head was on disk, and one bit is another.
    Lagging(u64, u8),
    /// The first page holds nothing but this byte, and the head is lost as well.
    FirstPage(When, u8, Also),
    /// Another club's key, and the journal's head is lost: the journal is rescued first.
    OtherKey(Also),
    /// The file says that a check has found something, and it has not.
    Suspected(&'static [u8]),
    /// A rescue was broken off when it had renamed so many files, and its mark is there or not.
    BrokenOff(usize, Option<Also>),
}

pub(super) const LOG_NAME: &str = "journal.sqlite-wal";
const COPIES: [&str; 2] = ["backups/journal-00.sqlite", "backups/journal-01.sqlite"];
const KEY_COPY: &str = "backups/club.key";

/// Files of a killed base station.
const JOURNAL_FILES: [&str; 5] = [FILE_NAME, LOG_NAME, HEAD_NAME, COPIES[0], COPIES[1]];

/// Files beside the journal's.
const OTHER_FILES: [&str; 4] = [KEY_NAME, KEY_COPY, CERTIFICATE_FILE, TLS_KEY_FILE];

fn wounded(file: &str, verb: [&'static str; 6]) -> &'static str {
    let [main, log, head, copy, key, tls] = verb;
    match file {
        FILE_NAME => main,
        LOG_NAME => log,
        HEAD_NAME => head,
        KEY_NAME | KEY_COPY => key,
        CERTIFICATE_FILE | TLS_KEY_FILE => tls,
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
                    "bit of the key or its copy",
                    "bit of the certificate",
                ],
            ),
            Self::Cut(_, file, _) => wounded(
                file,
                [
                    "journal cut off",
                    "log cut off",
                    "head cut off",
                    "copy cut off",
                    "key or its copy cut off",
                    "certificate cut off",
                ],
            ),
            Self::Deleted(..) => "file deleted",
            Self::Older(..) => "older file",
            Self::Mixed(_) => "files of two days",
            Self::Strange(_, false) => "page from elsewhere",
            Self::Strange(_, true) => "the same without copies",
            Self::Lagging(..) => "bit, and the head lags",
            Self::FirstPage(..) => "first page and head",
            Self::OtherKey(_) => "another key and head",
            Self::Suspected(_) => "suspected without reason",
            Self::BrokenOff(..) => "rescue broken off",
        }
    }

    /// Whether it is one of the flips that the bench is asked for: journal, log, copies.
    pub(super) fn is_flip_of_records(&self) -> bool {
        matches!(self, Self::Flipped(_, file, ..) if JOURNAL_FILES.contains(file) && *file != HEAD_NAME)
    }

    /// Whether records of another journal are in play; else every record that is found is ours.
    pub(super) const fn brings_strangers(&self) -> bool {
        matches!(self, Self::Strange(..))
    }

    pub(super) fn snapshot<'a>(&self, evening: &'a Evening) -> &'a TempDir {
        match self {
            Self::Flipped(When::Closed, ..)
            | Self::Cut(When::Closed, ..)
            | Self::Deleted(When::Closed, _)
            | Self::Older(When::Closed, _)
            | Self::FirstPage(When::Closed, ..)
            | Self::Lagging(..)
            | Self::Strange(..) => &evening.closed,
            _ => &evening.killed,
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
            Self::Older(_, file) if [KEY_NAME, KEY_COPY].contains(file) => {
                fs::write(place.join(file), "07".repeat(32)).expect("exchanged");
            }
            Self::Older(_, file) => exchange(day_before, place, file),
            Self::Mixed(files) => {
                for file in files {
                    exchange(day_before, place, file);
                }
            }
            Self::Strange(page, alone) => {
                let other = page_of(&evening.elsewhere.path().join(FILE_NAME), *page);
                let own = fs::File::options().write(true).open(place.join(FILE_NAME));
                own.and_then(|file| file.write_all_at(&other, page * PAGE_LEN))
                    .expect("written");
                for copy in COPIES.into_iter().filter(|_| *alone) {
                    fs::remove_file(place.join(copy)).expect("deleted");
                }
            }
            Self::Lagging(at, bit) => {
                exchange(day_before, place, HEAD_NAME);
                change(&place.join(FILE_NAME), *at, |byte| *byte ^= 1 << bit);
            }
            Self::FirstPage(_, byte, head) => {
                overwrite(&place.join(FILE_NAME), &[*byte; 4096]);
                head.happens_to(&place.join(HEAD_NAME));
            }
            Self::OtherKey(head) => {
                fs::write(place.join(KEY_NAME), "07".repeat(32)).expect("exchanged");
                head.happens_to(&place.join(HEAD_NAME));
            }
            Self::Suspected(what) => {
                fs::write(place.join("journal.suspect"), what).expect("written");
            }
            Self::BrokenOff(renamed, mark) => {
                for name in [FILE_NAME, LOG_NAME, HEAD_NAME].iter().take(*renamed) {
                    let kept = place.join(format!("damaged-5-{name}"));
                    fs::rename(place.join(name), kept).expect("renamed");
                }
                let path = place.join("rescue.underway");
                fs::write(&path, "5").expect("written");
                if let Some(mark) = mark {
                    mark.happens_to(&path);
                }
            }
        }
    }
}

impl Also {
    fn happens_to(self, path: &Path) {
        match self {
            Self::Gone => fs::remove_file(path).expect("deleted"),
            Self::Nonsense => fs::write(path, [0xA5; 256]).expect("spoiled"),
        }
    }
}

fn page_of(path: &Path, number: u64) -> Vec<u8> {
    let mut page = vec![0; usize::try_from(PAGE_LEN).expect("a length")];
    let file = fs::File::open(path).expect("opens");
    file.read_exact_at(&mut page, number * PAGE_LEN)
        .expect("read");
    page
}

fn overwrite(path: &Path, content: &[u8]) {
    use std::io::Write;
    let file = fs::File::options().write(true).open(path);
    file.and_then(|mut file| file.write_all(content))
        .expect("written");
}

pub(super) fn change(path: &Path, at: u64, change: impl FnOnce(&mut u8)) {
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

/// Where bits are flipped and files end: the journal and its log get most of it.
const TARGETS: [(When, &str); 7] = [
    (When::Closed, FILE_NAME),
    (When::Killed, FILE_NAME),
    (When::Killed, LOG_NAME),
    (When::Killed, LOG_NAME),
    (When::Closed, FILE_NAME),
    (When::Killed, COPIES[0]),
    (When::Killed, COPIES[1]),
];

/// The small files, which bits are flipped in besides.
const SMALL_TARGETS: [(When, &str); 5] = [
    (When::Closed, HEAD_NAME),
    (When::Closed, KEY_NAME),
    (When::Closed, KEY_COPY),
    (When::Closed, CERTIFICATE_FILE),
    (When::Closed, TLS_KEY_FILE),
];

/// Every wound of a plan.
pub(super) fn all(evening: &Evening, plan: &Plan, random: &mut fastrand::Rng) -> Vec<Wound> {
    let len = |(when, file): (When, &str)| {
        let folder = match when {
            When::Killed => &evening.killed,
            When::Closed => &evening.closed,
        };
        fs::metadata(folder.path().join(file)).map_or(0, |file| file.len())
    };
    let mut wounds = Vec::new();
    let targets = TARGETS.into_iter().cycle().take(plan.flips);
    let small = SMALL_TARGETS.into_iter().cycle().take(plan.small_flips);
    for (when, file) in targets.chain(small) {
        let at = random.u64(0..len((when, file)));
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
    for _ in 0..plan.lagging {
        let at = random.u64(0..len((When::Closed, FILE_NAME)));
        wounds.push(Wound::Lagging(at, random.u8(0..8)));
    }
    let all_targets = TARGETS.into_iter().chain(SMALL_TARGETS);
    for (number, (when, file)) in all_targets.cycle().take(plan.cuts).enumerate() {
        let all = len((when, file));
        // Some at the edges of pages, some at nothing.
        let at = match number % 4 {
            0 => random.u64(0..all) / PAGE_LEN * PAGE_LEN,
            1 if number < 24 => 0,
            _ => random.u64(0..all),
        };
        wounds.push(Wound::Cut(when, file, at));
    }
    if plan.rest {
        wounds.extend(whole_files(len));
        wounds.extend(several_at_once());
    }
    // The first of them has the fork.
    let pages = strange_pages(evening).into_iter().take(plan.strange_pages);
    let wounded = |page| [false, true].map(|alone| Wound::Strange(page, alone));
    wounds.extend(pages.flat_map(wounded));
    wounds
}

/// Files deleted, older, and mixed from two days.
fn whole_files(len: impl Fn((When, &str)) -> u64) -> Vec<Wound> {
    let mut wounds = Vec::new();
    for when in [When::Killed, When::Closed] {
        for file in JOURNAL_FILES.into_iter().chain(OTHER_FILES) {
            if len((when, file)) > 0 {
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
    wounds
}

/// What goes wrong together.
fn several_at_once() -> Vec<Wound> {
    let mut wounds = Vec::new();
    for also in [Also::Gone, Also::Nonsense] {
        wounds.push(Wound::OtherKey(also));
        for when in [When::Killed, When::Closed] {
            for byte in [0, 0xA5] {
                wounds.push(Wound::FirstPage(when, byte, also));
            }
        }
    }
    let texts: [&[u8]; 3] = [b"record 7 is missing", b"", &[0xA5; 64]];
    wounds.extend(texts.map(Wound::Suspected));
    for renamed in 0..=3 {
        for mark in [None, Some(Also::Gone), Some(Also::Nonsense)] {
            wounds.push(Wound::BrokenOff(renamed, mark));
        }
    }
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
        .collect()
}

const _: () = assert!(COPIES_FOLDER.len() == "backups".len());
