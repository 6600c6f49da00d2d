//! A record as a row of the table, with its checksum.

use std::borrow::Cow;
use std::collections::HashMap;

use protocol::words::SessionId;
use rusqlite::types::ValueRef;
use rusqlite::{CachedStatement, Connection, params};

use super::chain::{LINK_LEN, Link};
use crate::session::{JournalError, Moment, NewRecord, Record, Seq, Who};
use telling::{Told, tell};

/// How the event is written in its column. A journal may hold several versions.
const EVENT_VERSION: i64 = 1;

/// Sixteen bytes at a time: a whole evening is summed up whenever it is opened.
static CRC: crc::Crc<u32, crc::Table<16>> =
    crc::Crc::<u32, crc::Table<16>>::new(&crc::CRC_32_ISO_HDLC);

/// The columns that [`Row::read`] wants, in its order.
pub(super) const COLUMNS: &str = "seq, session, at_ms, who, version, event, checksum, link";

/// Who has spoken in the rows that were read: a few people and pads, each in many rows.
#[derive(Default)]
pub(super) struct Speakers(HashMap<String, Who>);

impl Speakers {
    fn who(&mut self, text: &str) -> serde_json::Result<Who> {
        if let Some(known) = self.0.get(text) {
            return Ok(known.clone());
        }
        let who: Who = serde_json::from_str(text)?;
        self.0.insert(text.to_owned(), who.clone());
        Ok(who)
    }
}

/// Writes rows to a journal: a group of them with one statement.
pub(super) struct Appender<'a>(CachedStatement<'a>);

impl<'a> Appender<'a> {
    pub(super) fn to(journal: &'a Connection) -> rusqlite::Result<Self> {
        let insert = journal.prepare_cached(
            "INSERT INTO journal (seq, session, at_ms, who, version, event, checksum, link)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        )?;
        Ok(Self(insert))
    }

    /// The next row, with its place in the chain.
    pub(super) fn append(&mut self, row: &Row<'_>, link: Link) -> rusqlite::Result<usize> {
        self.0.execute(params![
            row.seq,
            row.session,
            row.at_ms,
            row.who,
            row.version,
            row.event,
            row.checksum,
            link.0
        ])
    }
}

/// A row as it stands in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Row<'a> {
    pub(super) seq: i64,
    pub(super) session: Option<u32>,
    pub(super) at_ms: i64,
    pub(super) who: Cow<'a, str>,
    pub(super) version: i64,
    pub(super) event: Cow<'a, str>,
    pub(super) checksum: i64,
    /// `None` in a journal that was never chained.
    pub(super) link: Option<Link>,
}

impl<'a> Row<'a> {
    pub(super) fn of(record: &NewRecord, seq: Seq) -> Result<Row<'static>, JournalError> {
        let text = |value: Result<String, serde_json::Error>| {
            value.map_err(|fault| {
                JournalError::Disk(Told::as_written(format!(
                    "can't be put into words: {fault}"
                )))
            })
        };
        let mut row = Row {
            seq: seq.0.cast_signed(),
            session: record.session.map(SessionId::get),
            at_ms: record.at.0.cast_signed(),
            who: text(serde_json::to_string(&record.who))?.into(),
            version: EVENT_VERSION,
            event: text(serde_json::to_string(&record.event))?.into(),
            checksum: 0,
            link: None,
        };
        row.checksum = row.sum();
        Ok(row)
    }

    /// Reads the columns named by [`COLUMNS`], without copying texts.
    pub(super) fn read(row: &'a rusqlite::Row<'_>) -> rusqlite::Result<Self> {
        let text = |at: usize| -> rusqlite::Result<Cow<'a, str>> {
            Ok(Cow::Borrowed(row.get_ref(at)?.as_str()?))
        };
        let link = match row.get_ref(7)? {
            ValueRef::Null => None,
            value => Some(Link(<[u8; LINK_LEN]>::try_from(value.as_blob()?).map_err(
                |_| rusqlite::Error::InvalidColumnType(7, "link".to_owned(), value.data_type()),
            )?)),
        };
        Ok(Self {
            seq: row.get(0)?,
            session: row.get(1)?,
            at_ms: row.get(2)?,
            who: text(3)?,
            version: row.get(4)?,
            event: text(5)?,
            checksum: row.get(6)?,
            link,
        })
    }

    pub(super) fn into_owned(self) -> Row<'static> {
        Row {
            seq: self.seq,
            session: self.session,
            at_ms: self.at_ms,
            who: Cow::Owned(self.who.into_owned()),
            version: self.version,
            event: Cow::Owned(self.event.into_owned()),
            checksum: self.checksum,
            link: self.link,
        }
    }

    /// What the checksum has to be.
    pub(super) fn sum(&self) -> i64 {
        let session = self.session.map_or(-1, i64::from);
        let mut fixed = [0; 4 * 8];
        let numbers = [self.seq, session, self.at_ms, self.version];
        for (place, number) in fixed.chunks_exact_mut(8).zip(numbers) {
            place.copy_from_slice(&number.to_le_bytes());
        }
        let mut digest = CRC.digest();
        // All of them in one go: the sum is quick with many bytes and slow with few.
        digest.update(&fixed);
        digest.update(self.who.as_bytes());
        digest.update(self.event.as_bytes());
        i64::from(digest.finalize())
    }

    /// Whether it says what was written, as far as its own checksum tells.
    pub(super) fn is_whole(&self) -> bool {
        self.checksum == self.sum()
    }

    pub(super) fn into_record(self, speakers: &mut Speakers) -> Result<Record, JournalError> {
        if !self.is_whole() {
            let what = tell!(Journal::RecordChecksum { n: self.seq });
            return Err(JournalError::Damaged(what));
        }
        if self.version != EVENT_VERSION {
            return Err(JournalError::TooNew(Seq(self.seq.cast_unsigned())));
        }
        // It says what was written, and we do not know the words: a later version's are more.
        let unreadable = |_: serde_json::Error| JournalError::TooNew(Seq(self.seq.cast_unsigned()));
        Ok(Record {
            seq: Seq(self.seq.cast_unsigned()),
            at: Moment(self.at_ms.cast_unsigned()),
            who: speakers.who(&self.who).map_err(unreadable)?,
            session: self.session.and_then(SessionId::new),
            event: serde_json::from_str(&self.event).map_err(unreadable)?,
        })
    }
}
