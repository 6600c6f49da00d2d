//! The head of the chain in a second place: a small file beside the journal that knows how far the
//! journal goes.
//!
//! It is written after every commit and not waited for, so it may lag behind the journal (a power
//! cut), but is never ahead of it: a journal that is shorter than its head has lost records. Two
//! lines are written in turn, so that a write that was torn leaves the other one.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::chain::{JournalId, Link};
use super::files;

/// The file beside the journal.
pub const HEAD_NAME: &str = "journal.head";

/// Every line has this many bytes, its line end included.
const LINE_LEN: usize = 128;

const CRC: crc::Crc<u32> = crc::Crc::<u32>::new(&crc::CRC_32_ISO_HDLC);

/// Where a journal ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Head {
    /// The layout of the journal.
    pub(super) schema: i32,
    pub(super) id: JournalId,
    pub(super) seq: u64,
    pub(super) link: Link,
}

/// What the file says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Witness {
    /// There is no such file.
    Missing,
    /// It holds no line that can be believed.
    Unreadable,
    /// The journal goes at least so far.
    Knows(Head),
}

impl Witness {
    /// Whether the journal had records.
    pub(super) const fn knows_records(&self) -> bool {
        match self {
            Self::Missing => false,
            Self::Unreadable => true,
            Self::Knows(head) => head.seq > 0,
        }
    }
}

impl Head {
    fn line(&self) -> [u8; LINE_LEN] {
        let text = format!(
            "byestand-head {} {} {} {}",
            self.schema, self.id, self.seq, self.link
        );
        let sum = CRC.checksum(text.as_bytes());
        let width = LINE_LEN - 10;
        let line = format!("{text:<width$} {sum:08x}\n");
        let mut bytes = [b' '; LINE_LEN];
        bytes.copy_from_slice(line.as_bytes());
        bytes
    }

    fn parse(line: &[u8]) -> Option<Self> {
        let line = std::str::from_utf8(line).ok()?;
        let (text, sum) = line.trim_end().rsplit_once(' ')?;
        let text = text.trim_end();
        if sum != format!("{:08x}", CRC.checksum(text.as_bytes())) {
            return None;
        }
        let mut words = text.split(' ');
        if words.next() != Some("byestand-head") {
            return None;
        }
        let head = Self {
            schema: words.next()?.parse().ok()?,
            id: words.next()?.parse().ok()?,
            seq: words.next()?.parse().ok()?,
            link: words.next()?.parse().ok()?,
        };
        words.next().is_none().then_some(head)
    }
}

/// Reads what the file in a folder says.
pub(super) fn read(folder: &Path) -> io::Result<Witness> {
    let mut bytes = Vec::new();
    let file = match File::open(folder.join(HEAD_NAME)) {
        Err(fault) if fault.kind() == io::ErrorKind::NotFound => return Ok(Witness::Missing),
        opened => opened?,
    };
    if let Err(fault) = file.take(4 * LINE_LEN as u64).read_to_end(&mut bytes) {
        // A bad sector: as good as a file that holds nonsense.
        tracing::warn!(%fault, "journal.head can't be read");
        return Ok(Witness::Unreadable);
    }
    let lines = bytes.chunks(LINE_LEN).take(2).map(Head::parse);
    Ok(latest(lines).map_or(Witness::Unreadable, |(_, head)| Witness::Knows(head)))
}

fn latest(lines: impl Iterator<Item = Option<Head>>) -> Option<(usize, Head)> {
    lines
        .enumerate()
        .filter_map(|(at, line)| line.map(|head| (at, head)))
        .max_by_key(|(_, head)| head.seq)
}

/// The file while the journal is open.
#[derive(Debug)]
pub(super) struct HeadFile {
    file: File,
    /// Which line is written next.
    second: bool,
    /// Whether the disk has not been waited for since the last write.
    waits: bool,
    /// Whether the last write failed.
    failed: bool,
}

impl HeadFile {
    /// Makes the file, or opens it, and has it say where the journal ends.
    pub(super) fn open(folder: &Path, head: &Head) -> io::Result<Self> {
        let path = folder.join(HEAD_NAME);
        let known = path.exists();
        let mut file = files::private().create(true).truncate(false).open(&path)?;
        let mut bytes = Vec::new();
        (&mut file)
            .take(2 * LINE_LEN as u64)
            .read_to_end(&mut bytes)?;
        let lines = bytes.chunks(LINE_LEN).map(Head::parse);
        let said = latest(lines).filter(|_| bytes.len() == 2 * LINE_LEN);
        let mut it = Self {
            file,
            second: said.is_some_and(|(at, _)| at == 0),
            waits: false,
            failed: false,
        };
        if said.is_none_or(|(_, said)| said != *head) {
            // Both lines: one of them may be of another journal, or nonsense.
            it.write(head)?;
            it.write(head)?;
            it.file.set_len(2 * LINE_LEN as u64)?;
            it.sync()?;
        }
        if !known {
            files::sync_folder(&path);
        }
        Ok(it)
    }

    /// Writes the line whose turn it is. It is in the system's hands afterwards, which is enough
    /// if we are killed; [`Self::keep`] puts it on disk.
    pub(super) fn write(&mut self, head: &Head) -> io::Result<()> {
        let place = if self.second { LINE_LEN as u64 } else { 0 };
        self.failed = true;
        self.file.seek(SeekFrom::Start(place))?;
        self.file.write_all(&head.line())?;
        self.failed = false;
        self.second = !self.second;
        self.waits = true;
        Ok(())
    }

    /// Puts it on disk; a line that could not be written is tried again first.
    pub(super) fn keep(&mut self, head: &Head) -> io::Result<()> {
        if self.failed {
            self.write(head)?;
        }
        self.sync()
    }

    fn sync(&mut self) -> io::Result<()> {
        if self.waits {
            self.file.sync_data()?;
            self.waits = false;
        }
        Ok(())
    }

    /// From now on it is written to another file: one that refuses, for instance.
    #[cfg(test)]
    pub(super) fn written_to(&mut self, file: File) {
        self.file = file;
    }
}
