//! What a base has said to its centre, on disk before it is sent: who it is there, and every record
//! in order. The file is added to and never changed, so it proves itself as the centre's copy does.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use ::centre::{Batch, Head, Joined, Record, Said};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};

use crate::session::{Moment, Seq, Stated};
use crate::store::{private, write_whole};

/// Who this base is at the centre.
const IDENTITY: &str = "joined.json";

/// The key with which it is about to join.
const JOINING: &str = "joining.json";

/// What it has said.
const RECORDS: &str = "records";

/// Who this base is at its centre. Whoever has the file can speak for the club: it is as private as
/// the club's key.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Identity {
    /// The centre, with a slash at its end.
    pub(super) address: String,
    /// The base's secret key in base64.
    pub(super) key: String,
    pub(super) joined: Joined,
    /// The session that is played there.
    pub(super) session: u32,
    /// Whether the centre is told the players' names.
    pub(super) names: bool,
    /// Whether the centre keeps a sealed copy of the journal.
    #[serde(default)]
    pub(super) copy: bool,
    /// Whether it wants to know how far the tables are.
    #[serde(default)]
    pub(super) tables: bool,
    /// Categories as the director typed them.
    #[serde(default)]
    pub(super) categories: String,
}

impl Identity {
    /// The key itself.
    pub(super) fn key(&self) -> Option<[u8; 32]> {
        read_key(&self.key)
    }
}

/// The folder of a centre.
pub(super) struct Outbox {
    folder: PathBuf,
    pub(super) identity: Identity,
    file: File,
    /// Where the chain stood after every record; the first is before any.
    heads: Vec<Head>,
    texts: Vec<String>,
    /// What the centre knows once it has all of it.
    pub(super) stated: Stated,
    /// How far the journal was when the last record was written.
    journal: Seq,
}

/// Why what was said can't be read again.
#[derive(Debug)]
pub(super) enum Spoiled {
    /// The disk refuses.
    Disk(io::Error),
    /// It is not what was written.
    File(PathBuf),
}

impl From<io::Error> for Spoiled {
    fn from(fault: io::Error) -> Self {
        Self::Disk(fault)
    }
}

/// A key on its way to a centre.
#[derive(Serialize, Deserialize)]
struct Joining {
    code: String,
    key: String,
}

/// The key to join with, on disk before anybody is asked: whoever loses the answer asks again with
/// the same key and is the same base.
pub(super) fn key_to_join(folder: &Path, code: &str) -> io::Result<[u8; 32]> {
    let path = folder.join(JOINING);
    let before = std::fs::read(&path).unwrap_or_default();
    let before = serde_json::from_slice::<Joining>(&before).ok();
    let before = before.filter(|before| before.code == code);
    if let Some(key) = before.and_then(|before| read_key(&before.key)) {
        return Ok(key);
    }
    let key: [u8; 32] = rand::random();
    let joining = Joining {
        code: code.to_owned(),
        key: URL_SAFE_NO_PAD.encode(key),
    };
    std::fs::create_dir_all(folder)?;
    write_whole(&path, &serde_json::to_vec(&joining)?)?;
    Ok(key)
}

fn read_key(text: &str) -> Option<[u8; 32]> {
    URL_SAFE_NO_PAD.decode(text).ok()?.try_into().ok()
}

impl Outbox {
    /// Whether a centre was joined.
    pub(super) fn is_there(folder: &Path) -> bool {
        folder.join(IDENTITY).exists()
    }

    /// Begins, in a folder of its own.
    pub(super) fn begin(folder: &Path, identity: Identity) -> io::Result<Self> {
        std::fs::create_dir_all(folder)?;
        let file = private()
            .create(true)
            .truncate(true)
            .open(folder.join(RECORDS))?;
        let outbox = Self {
            folder: folder.to_owned(),
            heads: vec![identity.joined.head],
            identity,
            file,
            texts: Vec::new(),
            stated: Stated::default(),
            journal: Seq(0),
        };
        outbox.keep_identity()?;
        Ok(outbox)
    }

    /// Reads again what was said; `None` where no centre was joined.
    pub(super) fn open(folder: &Path) -> Result<Option<Self>, Spoiled> {
        let path = folder.join(IDENTITY);
        let identity = match std::fs::read(&path) {
            Err(fault) if fault.kind() == io::ErrorKind::NotFound => return Ok(None),
            read => read?,
        };
        let identity: Identity =
            serde_json::from_slice(&identity).map_err(|_| Spoiled::File(path))?;
        let path = folder.join(RECORDS);
        let said = std::fs::read_to_string(&path)?;
        let file = private().append(true).open(&path)?;
        let mut outbox = Self {
            folder: folder.to_owned(),
            heads: vec![identity.joined.head],
            identity,
            file,
            texts: Vec::new(),
            stated: Stated::default(),
            journal: Seq(0),
        };
        // A line that a power cut left half written was never sent.
        let whole = said.rfind('\n').map_or(0, |end| end + 1);
        for line in said[..whole].lines() {
            outbox
                .read(line)
                .ok_or_else(|| Spoiled::File(path.clone()))?;
        }
        if whole < said.len() {
            outbox
                .file
                .set_len(u64::try_from(whole).unwrap_or_default())?;
        }
        Ok(Some(outbox))
    }

    /// One line: how far the journal was, the link, and the record.
    fn read(&mut self, line: &str) -> Option<()> {
        let mut parts = line.splitn(3, ' ');
        let journal = parts.next()?.parse().ok()?;
        let written = parts.next()?;
        let text = parts.next()?;
        let head = self.head().with(text);
        if written != URL_SAFE_NO_PAD.encode(head.link.0) {
            return None;
        }
        let record: Record = serde_json::from_str(text).ok()?;
        self.stated.hear(&record.said);
        self.heads.push(head);
        self.texts.push(text.to_owned());
        self.journal = Seq(journal);
        Some(())
    }

    /// Where the chain stands.
    pub(super) fn head(&self) -> Head {
        self.heads
            .last()
            .copied()
            .unwrap_or(self.identity.joined.head)
    }

    /// How many records there are.
    pub(super) const fn len(&self) -> usize {
        self.texts.len()
    }

    /// Writes down what is to be said, and waits for the disk. A journal that has fewer records than
    /// before is an older copy, and that is said first.
    pub(super) fn say(&mut self, wanted: &Stated, journal: Seq, now: Moment) -> io::Result<()> {
        let mut said = Vec::new();
        if journal < self.journal {
            said.push(Said::OlderCopy {
                had: self.journal.0,
                has: journal.0,
            });
        }
        said.extend(self.stated.until(wanted));
        if said.is_empty() {
            return Ok(());
        }
        let mut head = self.head();
        let mut lines = String::new();
        let mut new = Vec::with_capacity(said.len());
        for said in said {
            let record = Record {
                n: head.seq + 1,
                at: now.0,
                said,
            };
            let text = serde_json::to_string(&record)?;
            head = head.with(&text);
            let link = URL_SAFE_NO_PAD.encode(head.link.0);
            let _ = writeln!(lines, "{} {link} {text}", journal.0);
            new.push((head, text, record.said));
        }
        let before = self.file.metadata()?.len();
        let written = self.file.write_all(lines.as_bytes());
        if let Err(fault) = written.and_then(|()| self.file.sync_data()) {
            // Half a record would spoil the next one.
            let _ = self.file.set_len(before);
            return Err(fault);
        }
        for (head, text, said) in new {
            self.stated.hear(&said);
            self.heads.push(head);
            self.texts.push(text);
        }
        self.journal = journal;
        Ok(())
    }

    /// The next records after this one, as one request.
    pub(super) fn batch(&self, sent: usize) -> Option<Batch> {
        let to = self.texts.len().min(sent + ::centre::BATCH_MAX);
        Some(Batch {
            base: self.identity.joined.base,
            from: *self.heads.get(sent)?,
            to: *self.heads.get(to)?,
            texts: self.texts.get(sent..to)?.to_vec(),
        })
    }

    /// Keeps who this base is.
    pub(super) fn keep_identity(&self) -> io::Result<()> {
        let bytes = serde_json::to_vec(&self.identity)?;
        write_whole(&self.folder.join(IDENTITY), &bytes)
    }
}
