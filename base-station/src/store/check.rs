//! The check: whether table, index and chain of a journal agree, a slice at a time, so that a
//! room that plays on does not notice.

use std::collections::BTreeSet;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use rusqlite::{Connection, params};

use super::chain::{JournalId, Link};
use super::row::{COLUMNS, Row};
use telling::{Told, tell};

/// Rows of a slice while others wait: about two milliseconds.
pub(super) const SLICE_ROWS: u32 = 1_000;

/// How far a check has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Checked {
    /// Not through yet: so many percent.
    Underway(u8),
    /// Everything fits together.
    Sound,
    /// It does not; this is what was found first.
    Damaged(Told),
}

impl Default for Checked {
    fn default() -> Self {
        Self::Underway(0)
    }
}

/// A walk through the whole journal: the table first, then its index.
#[derive(Clone, Debug)]
pub(super) struct Check {
    /// The walk goes up to this record; what comes later is chained as it is written.
    until: i64,
    /// Where only the newest records are walked through: their sessions.
    newest: Option<BTreeSet<Option<u32>>>,
    seq: i64,
    link: Link,
    /// Whether links are compared at all. Always, but for the test that shows what it is for.
    chained: bool,
    /// The same for the index.
    indexed: bool,
    table: Pairs,
    index: Pairs,
    /// The last entry of the index that was seen.
    entry: Option<(Option<u32>, i64)>,
    phase: Phase,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Table,
    Index,
    Done,
}

/// A set of pairs, as far as it can be compared with another in any order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Pairs {
    count: u64,
    sum: u64,
}

impl Pairs {
    fn add(&mut self, session: Option<u32>, seq: i64) {
        self.count += 1;
        let hasher = BuildHasherDefault::<DefaultHasher>::default();
        self.sum = self.sum.wrapping_add(hasher.hash_one((session, seq)));
    }
}

impl Check {
    pub(super) fn new(id: JournalId, until: u64, chained: bool, indexed: bool) -> Self {
        Self {
            until: until.cast_signed(),
            newest: None,
            seq: 0,
            link: Link::first(id),
            chained,
            indexed,
            table: Pairs::default(),
            index: Pairs::default(),
            entry: None,
            phase: Phase::Table,
        }
    }

    /// Walks through the records behind one of them only, whose link is believed.
    pub(super) fn only_behind(&mut self, seq: u64, link: Link) {
        self.seq = seq.cast_signed();
        self.link = link;
        self.newest = Some(BTreeSet::new());
    }

    /// The link of the last record of the table, when the walk is through.
    pub(super) const fn link(&self) -> Link {
        self.link
    }

    /// Goes on for so many rows.
    pub(super) fn step(&mut self, connection: &Connection, rows: u32) -> Checked {
        let done = match self.phase {
            Phase::Table => self.step_table(connection, rows),
            Phase::Index => self.step_index(connection, rows),
            Phase::Done => Ok(()),
        };
        match done {
            Err(what) => Checked::Damaged(what),
            Ok(()) if self.phase == Phase::Done => Checked::Sound,
            Ok(()) => {
                let all = self.until.cast_unsigned().max(1) * 2;
                let percent = (self.table.count + self.index.count) * 100 / all;
                Checked::Underway(u8::try_from(percent.min(99)).unwrap_or(99))
            }
        }
    }

    /// To the end in one go.
    pub(super) fn run(&mut self, connection: &Connection) -> Checked {
        loop {
            let checked = self.step(connection, u32::MAX);
            if !matches!(checked, Checked::Underway(_)) {
                return checked;
            }
        }
    }

    fn step_table(&mut self, connection: &Connection, rows: u32) -> Result<(), Told> {
        let sql = format!(
            "SELECT {COLUMNS} FROM journal NOT INDEXED WHERE seq > ?1 AND seq <= ?2 \
             ORDER BY seq LIMIT ?3"
        );
        let mut select = connection
            .prepare_cached(&sql)
            .map_err(|fault| text(&fault))?;
        let mut found = select
            .query(params![self.seq, self.until, rows])
            .map_err(|fault| text(&fault))?;
        let mut taken = 0;
        while let Some(row) = found.next().map_err(|fault| text(&fault))? {
            taken += 1;
            let row = Row::read(row).map_err(|fault| text(&fault))?;
            if row.seq != self.seq + 1 {
                return Err(tell!(Journal::RecordMissing { n: self.seq + 1 }));
            }
            if self.chained {
                self.link = self.link.then(&row);
                if row.link != Some(self.link) {
                    return Err(tell!(Journal::RecordDoesNotFit { n: self.seq + 1 }));
                }
            } else if let Some(link) = row.link {
                self.link = link;
            }
            self.seq = row.seq;
            self.table.add(row.session, row.seq);
            if let Some(sessions) = &mut self.newest {
                sessions.insert(row.session);
            }
        }
        if self.seq == self.until {
            self.phase = Phase::Index;
        } else if taken < rows {
            // The table ends here. Waiting for the rest would last for ever.
            return Err(tell!(Journal::RecordMissing { n: self.seq + 1 }));
        }
        Ok(())
    }

    fn step_index(&mut self, connection: &Connection, rows: u32) -> Result<(), Told> {
        if let Some(sessions) = self.newest.take() {
            return self.take_newest(connection, &sessions);
        }
        let from = "SELECT session, seq FROM journal INDEXED BY journal_by_session";
        let mut left = rows;
        // Records without a session stand before all others.
        if self.entry.is_none_or(|(session, _)| session.is_none()) {
            let sql = format!("{from} WHERE session IS NULL AND seq > ?1 ORDER BY seq LIMIT ?2");
            let after = self.entry.map_or(i64::MIN, |(_, seq)| seq);
            left -= self.take_entries(connection, &sql, params![after, left])?;
            if left == 0 {
                return Ok(());
            }
        }
        let sql = format!("{from} WHERE (session, seq) > (?1, ?2) ORDER BY session, seq LIMIT ?3");
        let (session, after) = match self.entry {
            Some((Some(session), seq)) => (i64::from(session), seq),
            _ => (i64::MIN, i64::MIN),
        };
        left -= self.take_entries(connection, &sql, params![session, after, left])?;
        if left > 0 {
            self.compare(connection)?;
        }
        Ok(())
    }

    /// What the index knows of the newest records, session by session.
    fn take_newest(
        &mut self,
        connection: &Connection,
        sessions: &BTreeSet<Option<u32>>,
    ) -> Result<(), Told> {
        let behind = self.until - self.table.count.cast_signed();
        let sql = "SELECT session, seq FROM journal INDEXED BY journal_by_session \
                   WHERE session IS ?1 AND seq > ?2 ORDER BY seq";
        for session in sessions {
            self.take_entries(connection, sql, params![session, behind])?;
        }
        self.compare(connection)
    }

    /// Everything was walked through: whether table and index say the same.
    fn compare(&mut self, connection: &Connection) -> Result<(), Told> {
        if self.indexed && self.index != self.table {
            return Err(tell!(Journal::ItsIndexDoesNot));
        }
        // The way that the next record takes into the tree.
        let sql = "SELECT seq FROM journal NOT INDEXED WHERE seq = ?1";
        let found: rusqlite::Result<i64> =
            connection.query_row(sql, [self.until], |row| row.get(0));
        if self.until > 0 && found.ok() != Some(self.until) {
            return Err(tell!(Journal::RecordNotFound { n: self.until }));
        }
        self.phase = Phase::Done;
        Ok(())
    }

    /// Takes entries of the index; answers with how many.
    fn take_entries(
        &mut self,
        connection: &Connection,
        sql: &str,
        place: impl rusqlite::Params,
    ) -> Result<u32, Told> {
        let mut select = connection
            .prepare_cached(sql)
            .map_err(|fault| text(&fault))?;
        let mut found = select.query(place).map_err(|fault| text(&fault))?;
        let mut taken = 0;
        while let Some(row) = found.next().map_err(|fault| text(&fault))? {
            let entry: (Option<u32>, i64) = (
                row.get(0).map_err(|fault| text(&fault))?,
                row.get(1).map_err(|fault| text(&fault))?,
            );
            if self.indexed && self.entry.is_some_and(|last| last >= entry) {
                return Err(tell!(Journal::ItsIndexOutOrder));
            }
            self.entry = Some(entry);
            taken += 1;
            if entry.1 <= self.until {
                self.index.add(entry.0, entry.1);
            }
        }
        Ok(taken)
    }
}

fn text(fault: &rusqlite::Error) -> Told {
    Told::as_written(fault.to_string())
}
