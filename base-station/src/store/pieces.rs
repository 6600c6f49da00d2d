//! The journal piece by piece, on its way to a copy elsewhere, and a journal put together again from
//! all of them.

use std::path::Path;

use rusqlite::OptionalExtension as _;
use serde::{Deserialize, Serialize};

use super::row::{COLUMNS, Row};
use super::{FILE_NAME, JournalId, KeyMark, Store, StoreError, as_it_says, explain};
use crate::session::{Moment, Seq};

/// Records in one piece.
const RECORDS_MAX: u32 = 500;

/// A piece ends behind the record with which it is longer than this.
const LEN_MAX: usize = 256 * 1024;

/// Where a copy is put together.
const WORKSHOP: &str = "copy-workshop";

/// Records that follow each other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Piece {
    /// Whose.
    journal: String,
    /// The place before the first.
    pub after: Seq,
    /// The link there; none where the journal does not go so far, or begins.
    pub before: Option<String>,
    /// The place of the last one.
    pub to: Seq,
    /// Its link.
    pub link: Option<String>,
    rows: Vec<Written>,
}

/// A row without its place and its link, which follow from those before it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Written {
    session: Option<u32>,
    at_ms: i64,
    who: String,
    version: i64,
    event: String,
    checksum: i64,
}

impl Piece {
    /// Whether nothing follows.
    pub const fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

impl Store {
    /// What follows this place; not all of it at once.
    pub fn piece(&self, after: Seq) -> Result<Piece, StoreError> {
        let explained = |fault: rusqlite::Error| explain(&self.path, &fault);
        let before = self.link_at(after).map_err(explained)?;
        let mut piece = Piece {
            journal: self.id.to_string(),
            after,
            link: before.clone(),
            before,
            to: after,
            rows: Vec::new(),
        };
        let sql = format!(
            "SELECT {COLUMNS} FROM journal WHERE seq > ?1 ORDER BY seq LIMIT {RECORDS_MAX}"
        );
        let mut select = self.connection.prepare_cached(&sql).map_err(explained)?;
        let mut rows = select.query([after.0.cast_signed()]).map_err(explained)?;
        let mut len = 0;
        while len < LEN_MAX
            && let Some(row) = rows.next().map_err(explained)?
        {
            let row = Row::read(row).map_err(explained)?.into_owned();
            len += row.who.len() + row.event.len();
            piece.to = Seq(row.seq.cast_unsigned());
            piece.link = row.link.map(|link| link.to_string());
            piece.rows.push(Written {
                session: row.session,
                at_ms: row.at_ms,
                who: row.who.into_owned(),
                version: row.version,
                event: row.event.into_owned(),
                checksum: row.checksum,
            });
        }
        Ok(piece)
    }

    fn link_at(&self, seq: Seq) -> rusqlite::Result<Option<String>> {
        let sql = format!("SELECT {COLUMNS} FROM journal WHERE seq = ?1");
        let mut select = self.connection.prepare_cached(&sql)?;
        let link = select.query_row([seq.0.cast_signed()], |row| Ok(Row::read(row)?.link));
        let link = link.optional()?.flatten();
        Ok(link.map(|link| link.to_string()))
    }
}

/// A copy of a journal from all its pieces, as a file that can be brought back: every record where
/// it was, and the chain ends where the last piece says.
pub fn put_together(
    folder: &Path,
    pieces: &[Piece],
    key: KeyMark,
    made: Moment,
) -> Result<Vec<u8>, StoreError> {
    let workshop = folder.join(WORKSHOP);
    let _ = std::fs::remove_dir_all(&workshop);
    let made = write(&workshop, pieces, key, made);
    let _ = std::fs::remove_dir_all(&workshop);
    made
}

fn write(
    workshop: &Path,
    pieces: &[Piece],
    key: KeyMark,
    made: Moment,
) -> Result<Vec<u8>, StoreError> {
    let path = workshop.join(FILE_NAME);
    let unusable = |fault: std::io::Error| StoreError::Unusable {
        path: path.clone(),
        what: fault.to_string(),
    };
    let misfit = |at: Seq| StoreError::Damaged {
        path: path.clone(),
        what: telling::tell!(Journal::RecordChecksum { n: at.0 }),
    };
    std::fs::create_dir_all(workshop).map_err(unusable)?;
    let mut store = Store::open(workshop)?;
    let mut id = pieces
        .first()
        .and_then(|piece| piece.journal.parse::<JournalId>().ok());
    for piece in pieces {
        if piece.after != store.last {
            return Err(misfit(store.last.next()));
        }
        let mut rows = Vec::with_capacity(piece.rows.len());
        for (row, seq) in piece.rows.iter().zip(piece.after.0 + 1..) {
            let row = Row {
                seq: seq.cast_signed(),
                session: row.session,
                at_ms: row.at_ms,
                who: row.who.as_str().into(),
                version: row.version,
                event: row.event.as_str().into(),
                checksum: row.checksum,
                link: None,
            };
            if !row.is_whole() {
                return Err(misfit(Seq(seq)));
            }
            rows.push(row);
        }
        store.write_rows(&rows, id.take())?;
        if Some(store.link.to_string()) != piece.link || piece.journal != store.id.to_string() {
            return Err(misfit(piece.to));
        }
    }
    store.set_key_mark(key)?;
    store
        .connection
        .execute(
            "INSERT INTO backup_mark VALUES (?1)",
            [made.0.cast_signed()],
        )
        .map_err(|fault| explain(&path, &fault))?;
    // One file: `SQLite` folds the log in when it closes.
    store
        .connection
        .pragma_update(None, "journal_mode", "DELETE")
        .map_err(|fault| explain(&path, &fault))?;
    store
        .connection
        .close()
        .map_err(|(_, fault)| StoreError::Unusable {
            path: path.clone(),
            what: as_it_says(&fault).to_string(),
        })?;
    std::fs::read(&path).map_err(unusable)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::{Journal as _, NewRecord, Who};
    use crate::store::{finish_restore, prepare_restore};

    #[test]
    fn a_journal_from_its_pieces_is_the_same_word_for_word_and_a_piece_that_lacks_is_noticed() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut store = Store::open(&folder.path().join("first")).expect("it opens");
        let record = |n: u64| NewRecord {
            at: Moment(n),
            who: Who::Base,
            session: None,
            event: crate::session::Event::ClubNamed(format!("Club {n}")),
        };
        for n in 0..1_200 {
            store.append(&[record(n)]).expect("written");
        }
        let mut pieces = Vec::new();
        let mut after = Seq(0);
        loop {
            let piece = store.piece(after).expect("read");
            if piece.is_empty() {
                break;
            }
            after = piece.to;
            pieces.push(piece);
        }
        assert_eq!(pieces.len(), 3);
        assert_eq!(pieces[1].before, pieces[0].link);
        let text = serde_json::to_string(&pieces).expect("written");
        let pieces: Vec<Piece> = serde_json::from_str(&text).expect("read");
        let second = folder.path().join("second");
        std::fs::create_dir_all(&second).expect("a folder");
        let made = put_together(&second, &pieces, [7; 8], Moment(5)).expect("whole");
        let found = prepare_restore(&second, &made, |_| Ok(())).expect("sound");
        assert_eq!((found.records, found.made), (1_200, Some(Moment(5))));
        finish_restore(&second, Moment(6)).expect("moved");
        let again = Store::open(&second).expect("it opens");
        assert_eq!(again.id(), store.id());
        assert_eq!(
            again.read(None).expect("read"),
            store.read(None).expect("read")
        );
        assert_eq!(
            again.piece(Seq(1_000)).expect("read"),
            store.piece(Seq(1_000)).expect("read")
        );

        let lacks = [pieces[0].clone(), pieces[2].clone()];
        put_together(&second, &lacks, [7; 8], Moment(5)).expect_err("a hole");
        let mut other = pieces.clone();
        other[1].rows.swap(3, 4);
        put_together(&second, &other, [7; 8], Moment(5)).expect_err("another order");
    }
}
