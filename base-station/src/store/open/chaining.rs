//! Chaining a journal that has no chain yet: a new one, or one from before there was a chain.

use rusqlite::params;

use super::super::chain::{JournalId, Link};
use super::super::head::{HEAD_NAME, Head, HeadFile, Witness};
use super::super::row::{COLUMNS, Row};
use super::super::{StoreError, explain};
use super::{APPLICATION_ID, Opening, SCHEMA_VERSION, first_page, layout, layouts};
use telling::{Told, tell};

/// What the first version of the file was made with.
pub(super) const FIRST_LAYOUT: &str = "
    CREATE TABLE journal (
        seq      INTEGER PRIMARY KEY,
        session  INTEGER,
        at_ms    INTEGER NOT NULL,
        who      TEXT NOT NULL,
        version  INTEGER NOT NULL,
        event    TEXT NOT NULL,
        checksum INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX journal_by_session ON journal (session, seq);
    CREATE TABLE backup_mark (made_ms INTEGER NOT NULL) STRICT;
";

/// What the second one adds: the chain, and what the club's key looks like.
pub(super) const CHAINED_LAYOUT: &str = "
    ALTER TABLE journal ADD COLUMN link BLOB;
    CREATE TABLE chain (id BLOB NOT NULL) STRICT;
    CREATE TABLE key_mark (mark BLOB NOT NULL) STRICT;
";

/// Records that are chained at a time when an old journal is opened for the first time.
const CHAINED_AT_ONCE: u32 = 4_096;

impl Opening<'_> {
    /// Chains a journal that has no chain yet, in one transaction.
    pub(super) fn chain(&self, version: i32) -> Result<JournalId, StoreError> {
        let explained = |fault: rusqlite::Error| explain(&self.path, &fault);
        if version == 0 && (self.witness.knows_records() || self.has_records) {
            return Err(self.damaged(tell!(Journal::EmptyOnceNot)));
        }
        let id = match self.witness {
            // Chaining was broken off before it was on disk, or it is an older journal that was put
            // here; the head tells.
            Witness::Knows(head) => head.id,
            Witness::Missing | Witness::Unreadable => JournalId::random(),
        };
        let transaction = self.connection.unchecked_transaction().map_err(explained)?;
        if version == 0 {
            self.connection
                .execute_batch(FIRST_LAYOUT)
                .map_err(explained)?;
        } else {
            self.check_unchained()?;
        }
        self.connection
            .execute_batch(CHAINED_LAYOUT)
            .map_err(explained)?;
        self.connection
            .execute("INSERT INTO chain VALUES (?1)", [id.0])
            .map_err(explained)?;
        let head = self.chain_rows(id)?;
        self.connection
            .execute_batch(&format!(
                "PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {SCHEMA_VERSION};"
            ))
            .map_err(explained)?;
        // The head comes first: a journal with a chain and without a head has lost its head.
        if let Some(folder) = self.folder {
            HeadFile::open(folder, &head).map_err(|fault| StoreError::Unusable {
                path: folder.join(HEAD_NAME),
                what: fault.to_string(),
            })?;
        }
        transaction.commit().map_err(explained)?;
        Ok(id)
    }

    /// What can be told of a journal without a chain. What is damaged is not chained: it would
    /// look sound ever after.
    fn check_unchained(&self) -> Result<(), StoreError> {
        let explained = |fault: rusqlite::Error| explain(&self.path, &fault);
        if layout(&self.connection).map_err(explained)? != layouts().map_err(explained)?.0 {
            return Err(self.damaged(first_page()));
        }
        let verdict: String = self
            .connection
            .query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))
            .map_err(|fault| explain(&self.path, &fault))?;
        if verdict == "ok" {
            Ok(())
        } else {
            Err(self.damaged(Told::as_written(verdict.replace('\n', " "))))
        }
    }

    fn chain_rows(&self, id: JournalId) -> Result<Head, StoreError> {
        let mut head = Head {
            schema: SCHEMA_VERSION,
            id,
            seq: 0,
            link: Link::first(id),
        };
        loop {
            let links = self.next_links(&head)?;
            let Some((seq, link)) = links.last() else {
                break;
            };
            (head.seq, head.link) = (seq.cast_unsigned(), *link);
            for (seq, link) in &links {
                self.connection
                    .prepare_cached("UPDATE journal SET link = ?2 WHERE seq = ?1")
                    .and_then(|mut update| update.execute(params![seq, link.0]))
                    .map_err(|fault| explain(&self.path, &fault))?;
            }
        }
        if let Witness::Knows(known) = self.witness {
            let there = if known.seq == 0 {
                Some(Link::first(id))
            } else {
                self.stored_link(known.seq)?
            };
            if there != Some(known.link) {
                return Err(self.damaged(tell!(Journal::NotJournalHereBefore)));
            }
        }
        Ok(head)
    }

    fn next_links(&self, head: &Head) -> Result<Vec<(i64, Link)>, StoreError> {
        let explained = |fault: rusqlite::Error| explain(&self.path, &fault);
        let sql = format!("SELECT {COLUMNS} FROM journal WHERE seq > ?1 ORDER BY seq LIMIT ?2");
        let mut select = self.connection.prepare_cached(&sql).map_err(explained)?;
        let mut rows = select
            .query(params![head.seq.cast_signed(), CHAINED_AT_ONCE])
            .map_err(explained)?;
        let (mut seq, mut link) = (head.seq.cast_signed(), head.link);
        let mut links = Vec::new();
        while let Some(row) = rows.next().map_err(explained)? {
            let row = Row::read(row).map_err(explained)?;
            if row.seq != seq + 1 {
                return Err(self.damaged(tell!(Journal::RecordMissing { n: seq + 1 })));
            }
            if !row.is_whole() {
                return Err(self.damaged(tell!(Journal::RecordChanged { n: row.seq })));
            }
            seq = row.seq;
            link = link.then(&row);
            links.push((seq, link));
        }
        Ok(links)
    }
}
