//! A record as a row of the table, with its checksum.

use protocol::words::SessionId;

use crate::session::{JournalError, Moment, NewRecord, Record, Seq};

/// How the event is written in its column. A journal may hold several versions.
const EVENT_VERSION: i64 = 1;

const CRC: crc::Crc<u32> = crc::Crc::<u32>::new(&crc::CRC_32_ISO_HDLC);

/// A row as it stands in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) seq: i64,
    pub(super) session: Option<u32>,
    pub(super) at_ms: i64,
    pub(super) who: String,
    pub(super) version: i64,
    pub(super) event: String,
    stored_checksum: Option<i64>,
}

impl Row {
    pub(super) fn of(record: &NewRecord, seq: Seq) -> Result<Self, JournalError> {
        let text = |value: Result<String, serde_json::Error>| {
            value.map_err(|fault| JournalError::Disk(format!("can't be put into words: {fault}")))
        };
        Ok(Self {
            seq: seq.0.cast_signed(),
            session: record.session.map(SessionId::get),
            at_ms: record.at.0.cast_signed(),
            who: text(serde_json::to_string(&record.who))?,
            version: EVENT_VERSION,
            event: text(serde_json::to_string(&record.event))?,
            stored_checksum: None,
        })
    }

    pub(super) fn read(row: &rusqlite::Row<'_>) -> Result<Self, JournalError> {
        let read = || -> rusqlite::Result<Self> {
            Ok(Self {
                seq: row.get(0)?,
                session: row.get(1)?,
                at_ms: row.get(2)?,
                who: row.get(3)?,
                version: row.get(4)?,
                event: row.get(5)?,
                stored_checksum: Some(row.get(6)?),
            })
        };
        read().map_err(|fault| JournalError::Damaged(fault.to_string()))
    }

    pub(super) fn checksum(&self) -> i64 {
        let mut digest = CRC.digest();
        digest.update(&self.seq.to_le_bytes());
        digest.update(&self.session.map_or(-1, i64::from).to_le_bytes());
        digest.update(&self.at_ms.to_le_bytes());
        digest.update(&self.version.to_le_bytes());
        digest.update(self.who.as_bytes());
        digest.update(self.event.as_bytes());
        i64::from(digest.finalize())
    }

    pub(super) fn into_record(self) -> Result<Record, JournalError> {
        let damaged = |what: &str| {
            JournalError::Damaged(format!("record {} of the journal {what}", self.seq))
        };
        if self.stored_checksum != Some(self.checksum()) {
            return Err(damaged("is damaged: its checksum does not fit"));
        }
        if self.version != EVENT_VERSION {
            return Err(damaged(
                "was written by a newer Byestand: install that version",
            ));
        }
        let unreadable = |fault: serde_json::Error| damaged(&format!("can't be read: {fault}"));
        Ok(Record {
            seq: Seq(self.seq.cast_unsigned()),
            at: Moment(self.at_ms.cast_unsigned()),
            who: serde_json::from_str(&self.who).map_err(unreadable)?,
            session: self.session.and_then(SessionId::new),
            event: serde_json::from_str(&self.event).map_err(unreadable)?,
        })
    }
}
