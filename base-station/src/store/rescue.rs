//! What can be saved of a damaged journal: every record that proves itself, from the journal's
//! file, its log, what an earlier rescue put aside, and the copies. Then the pads are asked.

mod runs;
mod sort;

use std::path::{Path, PathBuf};

use super::chain::{JournalId, Link};
use super::head::{self, HEAD_NAME, Witness};
use super::open::{copies, damaged_copies, trust};
use super::pages::Pages;
use super::row::{Appender, Row};
use super::{FILE_NAME, KeyMark, Store, StoreError, explain, files};
use crate::session::{
    ConnectorEvent, Event, Journal, Moment, NewRecord, Record, Salvage, Seq, Who,
};
use sort::{Sorted, Sorter};
use telling::{Part, Tells, Told, tell};

/// While this file is there, the files of the journal are being exchanged.
const UNDERWAY_NAME: &str = "rescue.underway";

/// Where the new journal is made before it takes the old one's place.
const WORKSHOP_NAME: &str = "rescue.new";

/// Rows that share a commit of the new journal.
const WRITTEN_AT_ONCE: usize = 4_096;

/// What came of a rescue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rescued {
    /// Records that were saved.
    pub saved: u64,
    /// How many of them each file gave, in the order in which they were asked.
    pub sources: Vec<(String, u64)>,
    /// Places of records that are known to have been there and were found nowhere.
    pub lost: Vec<u64>,
    /// Records of another line of history (a copy that went on elsewhere), left where they are.
    pub strange: u64,
    /// Places of records that fit those before them and not those behind them, and were left out:
    /// from somewhere in them on it is another line of history.
    pub doubtful: Vec<u64>,
    /// Where the damaged files are kept.
    pub damaged: Vec<PathBuf>,
}

impl Rescued {
    /// The places of what was lost, in words.
    pub fn lost_places(&self) -> String {
        places_in_words(&self.lost)
    }
}

/// Places in rows: the first and the last of each.
fn rows_of_places(places: &[u64]) -> Vec<(u64, u64)> {
    let mut rows: Vec<(u64, u64)> = Vec::new();
    for seq in places {
        match rows.last_mut() {
            Some((_, last)) if *last + 1 == *seq => *last = *seq,
            _ => rows.push((*seq, *seq)),
        }
    }
    rows
}

fn places_in_words(places: &[u64]) -> String {
    let word = |(first, last): (u64, u64)| {
        if first == last {
            first.to_string()
        } else {
            format!("{first} to {last}")
        }
    };
    let rows = rows_of_places(places).into_iter();
    rows.map(word).collect::<Vec<_>>().join(", ")
}

fn places_told(places: &[u64]) -> Vec<Part> {
    let rows = rows_of_places(places).into_iter();
    rows.map(|(first, last)| {
        if first == last {
            first.tells()
        } else {
            tell!(Journal::PlacesRange { first, last }).into()
        }
    })
    .collect()
}

impl Rescued {
    /// What came of it, line by line.
    pub fn told(&self) -> Vec<Told> {
        let mut lines = vec![tell!(Journal::RecordsDamagedJournalWere { n: self.saved })];
        let from = self.sources.iter();
        lines.extend(from.map(|(file, n)| tell!(Journal::RescuedFrom { n, file })));
        lines.push(if self.lost.is_empty() {
            tell!(Journal::NoRecordKnownMissing)
        } else {
            tell!(Journal::RecordsWereFoundNowhere {
                n: self.lost.len(),
                places: places_told(&self.lost)
            })
        });
        if self.strange > 0 {
            lines.push(tell!(Journal::RescuedStrange { n: self.strange }));
        }
        if !self.doubtful.is_empty() {
            lines.push(tell!(Journal::RescuedDoubtful {
                places: places_told(&self.doubtful)
            }));
        }
        lines.push(tell!(Journal::DamagedFilesKept));
        let files = self.damaged.iter();
        lines.extend(files.map(|file| Told::as_written(file.display().to_string())));
        lines.push(tell!(Journal::PadsAskedSendEverything));
        lines
    }
}

impl std::fmt::Display for Rescued {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let told = self.told();
        // The files are set in: those that gave something behind the first line, those that are
        // kept before the last.
        let last = told.len().saturating_sub(1);
        let kept = last.saturating_sub(self.damaged.len())..last;
        let is_file =
            |line: usize| (1..=self.sources.len()).contains(&line) || kept.contains(&line);
        let lines = told.iter().enumerate().map(|(line, told)| {
            let inset = if is_file(line) { "  " } else { "" };
            format!("{inset}{told}")
        });
        f.write_str(&lines.collect::<Vec<_>>().join("\n"))
    }
}

/// Whether a rescue was broken off while files were being exchanged.
pub(super) fn is_underway(folder: &Path) -> bool {
    folder.join(UNDERWAY_NAME).exists()
}

/// Puts every record that proves itself into a new journal, and keeps the damaged files under
/// other names. The new journal counts as a copy, so that pads send everything again. Nothing is
/// touched before the new journal is whole.
pub fn rescue(folder: &Path, now: Moment) -> Result<Rescued, StoreError> {
    let path = folder.join(FILE_NAME);
    let unusable = |fault: std::io::Error| StoreError::Unusable {
        path: path.clone(),
        what: fault.to_string(),
    };
    // A head that the disk does not give is one witness fewer.
    let witness = head::read(folder).unwrap_or(Witness::Unreadable);
    let found = gather(folder, &witness).map_err(unusable)?;
    let key_mark = found.key_mark();
    let sorted = found.sort();
    let workshop = folder.join(WORKSHOP_NAME);
    if !is_underway(folder) {
        // What a rescue that was broken off early has left. A later one is a source.
        let _ = std::fs::remove_dir_all(&workshop);
    }
    let new = workshop.join(format!("{}", now.0));
    let mut rescued = Rescued {
        saved: sorted.rows.len() as u64,
        sources: sorted.sources.clone(),
        lost: sorted.lost.clone(),
        strange: sorted.strange,
        doubtful: sorted.doubtful.clone(),
        damaged: Vec::new(),
    };
    rescued.damaged = of_journal(folder, now).map(|(_, kept)| kept).collect();
    write(&new, sorted, &rescued, key_mark, now)?;
    rescued.damaged = exchange(folder, &new, now).map_err(unusable)?;
    Ok(rescued)
}

/// Damaged journals that rescues have kept, the latest first.
fn kept_aside(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut aside: Vec<PathBuf> = std::fs::read_dir(folder)?
        .filter_map(|file| Some(file.ok()?.path()))
        .filter(|path| {
            let name = path.file_name().and_then(|name| name.to_str());
            name.is_some_and(|it| it.starts_with("damaged-") && it.ends_with(FILE_NAME))
        })
        .collect();
    aside.sort();
    aside.reverse();
    Ok(aside)
}

/// Reads every file that may hold records.
fn gather(folder: &Path, witness: &Witness) -> std::io::Result<Sorter> {
    let mut found = Sorter::new(*witness);
    // The journal itself first, then what a rescue that was broken off has put aside, then copies.
    let mut files = vec![folder.join(FILE_NAME)];
    if is_underway(folder) {
        files.extend(kept_aside(folder)?);
        if let Ok(made) = std::fs::read_dir(folder.join(WORKSHOP_NAME)) {
            files.extend(made.filter_map(|it| Some(it.ok()?.path().join(FILE_NAME))));
        }
    }
    let own = files.len();
    files.extend(copies(folder).into_iter().rev());
    if !folder.join(FILE_NAME).exists() && !is_underway(folder) {
        // What an earlier rescue has kept, or one whose mark is gone.
        files.extend(kept_aside(folder)?);
    }
    // Copies that were put aside: much of them may be whole.
    files.extend(damaged_copies(folder).into_iter().rev());
    for (at, path) in files.into_iter().enumerate() {
        let mut log_path = path.clone().into_os_string();
        log_path.push("-wal");
        let read = files::read_whatever(&path)
            .and_then(|file| Ok((file, files::read_whatever(Path::new(&log_path))?)));
        let ((file, bad), (log, bad_of_log)) = match read {
            Ok(read) => read,
            // A copy that the disk does not give is one copy fewer.
            Err(fault) if at >= own => {
                tracing::warn!(%fault, path = %path.display(), "a copy can't be read");
                continue;
            }
            Err(fault) => return Err(fault),
        };
        if bad + bad_of_log > 0 {
            let pages = bad + bad_of_log;
            tracing::warn!(pages, path = %path.display(), "the disk does not give all of it");
        }
        let name = path.strip_prefix(folder).unwrap_or(&path);
        let name = name.display().to_string();
        let pages = Pages::new(&file, &log);
        if found.begins(&pages.names(), at >= own) {
            found.may_know_key(&pages.key_marks());
            pages.rows_of_file(&mut |page, row| found.take((&name, page), row));
            let name = format!("{name}-wal");
            pages.rows_of_log(&mut |page, row| found.take((&name, page), row));
        }
    }
    Ok(found)
}

/// Makes the new journal in a folder of its own.
fn write(
    new: &Path,
    sorted: Sorted,
    rescued: &Rescued,
    key_mark: Option<KeyMark>,
    now: Moment,
) -> Result<(), StoreError> {
    let mut store = Store::open(new)?;
    let made = sorted
        .rows
        .last()
        .map_or(now.0, |row| row.at_ms.cast_unsigned());
    let (rows, id) = if sorted.is_whole {
        (sorted.rows, sorted.id)
    } else {
        // Another journal: places have changed, so that no copy of the old one may be taken for
        // its beginning.
        (renumbered_rows(sorted.rows), None)
    };
    store.write_rows(&rows, id)?;
    let told = NewRecord {
        at: now,
        who: Who::Base,
        session: None,
        event: Event::JournalRescued(Salvage {
            saved: rescued.saved,
            sources: rescued.sources.clone(),
            lost: rescued.lost_places(),
            strange: (rescued.strange > 0).then_some(rescued.strange),
            doubtful: places_in_words(&rescued.doubtful),
            damaged: rescued
                .damaged
                .iter()
                .filter_map(|it| name_of(it))
                .collect(),
        }),
    };
    store
        .append(&[told])
        .map_err(|fault| store.damaged(Told::as_written(fault.to_string())))?;
    store
        .connection
        .execute("INSERT INTO backup_mark VALUES (?1)", [made.cast_signed()])
        .map_err(|fault| explain(&store.path, &fault))?;
    if let Some(mark) = key_mark {
        store.set_key_mark(mark)?;
    }
    // One file: `SQLite` folds the log in when it closes.
    let path = store.path.clone();
    store
        .connection
        .close()
        .map_err(|(_, fault)| explain(&path, &fault))
}

fn name_of(path: &Path) -> Option<String> {
    Some(path.file_name()?.to_string_lossy().into_owned())
}

/// The journal's files that are there, each with the name under which it is kept.
fn of_journal(folder: &Path, now: Moment) -> impl Iterator<Item = (PathBuf, PathBuf)> {
    let ours = [
        FILE_NAME.to_owned(),
        format!("{FILE_NAME}-wal"),
        format!("{FILE_NAME}-shm"),
        HEAD_NAME.to_owned(),
    ];
    let folder = folder.to_owned();
    ours.into_iter()
        .map(move |name| {
            let kept = format!("damaged-{}-{name}", now.0);
            (folder.join(name), folder.join(kept))
        })
        .filter(|(file, _)| file.exists())
}

/// The damaged files get other names, and the new ones take theirs. A start in between finds the
/// file that says so, and all of them are read again.
fn exchange(folder: &Path, new: &Path, now: Moment) -> std::io::Result<Vec<PathBuf>> {
    files::write_whole(&folder.join(UNDERWAY_NAME), now.0.to_string().as_bytes())?;
    let mut damaged = Vec::new();
    for (file, kept) in of_journal(folder, now) {
        std::fs::rename(file, &kept)?;
        damaged.push(kept);
    }
    for name in [FILE_NAME, HEAD_NAME] {
        std::fs::rename(new.join(name), folder.join(name))?;
    }
    files::sync_folder(&folder.join(FILE_NAME));
    trust(folder);
    std::fs::remove_file(folder.join(UNDERWAY_NAME))?;
    let _ = std::fs::remove_dir_all(folder.join(WORKSHOP_NAME));
    Ok(damaged)
}

impl Store {
    /// Fills an empty journal with rows as they are, under the name that they were chained with.
    pub(super) fn write_rows(
        &mut self,
        rows: &[Row<'_>],
        id: Option<JournalId>,
    ) -> Result<(), StoreError> {
        let explained = |fault: rusqlite::Error| explain(&self.path, &fault);
        if let Some(id) = id {
            self.connection
                .execute("UPDATE chain SET id = ?1", [id.0])
                .map_err(explained)?;
            self.id = id;
            self.link = Link::first(id);
        }
        for part in rows.chunks(WRITTEN_AT_ONCE) {
            let transaction = self.connection.unchecked_transaction().map_err(explained)?;
            let mut appender = Appender::to(&self.connection).map_err(explained)?;
            for row in part {
                self.link = self.link.then(row);
                self.last = self.last.next();
                appender.append(row, self.link).map_err(explained)?;
            }
            transaction.commit().map_err(explained)?;
        }
        Ok(())
    }
}

/// Rows without gaps; references between them follow them to their new places.
fn renumbered_rows(rows: Vec<Row<'static>>) -> Vec<Row<'static>> {
    let old: Vec<Seq> = rows
        .iter()
        .map(|row| Seq(row.seq.cast_unsigned()))
        .collect();
    rows.into_iter()
        .zip(1..)
        .map(|(mut row, seq)| {
            if let Ok(event) = serde_json::from_str(&row.event)
                && let Some(event) = refers_elsewhere(event, &old, Seq(0))
                && let Ok(text) = serde_json::to_string(&event)
            {
                row.event = text.into();
            }
            row.seq = seq;
            row.checksum = row.sum();
            row
        })
        .collect()
}

/// An event that names another record names it by its new place: `None` if it names none.
fn refers_elsewhere(event: Event, old: &[Seq], last: Seq) -> Option<Event> {
    let place = |seq: Seq| {
        old.binary_search(&seq)
            .map_or(Seq(0), |at| Seq(last.0 + at as u64 + 1))
    };
    match event {
        Event::Undone { change, why } => Some(Event::Undone {
            change: place(change),
            why,
        }),
        Event::KeptEntryUsed { kept } => Some(Event::KeptEntryUsed { kept: place(kept) }),
        Event::KeptEntryIgnored { kept } => Some(Event::KeptEntryIgnored { kept: place(kept) }),
        Event::Connector(ConnectorEvent::Accepted { guid, queue, upto }) => {
            let upto = Seq(last.0 + old.partition_point(|seq| *seq <= upto) as u64);
            let accepted = ConnectorEvent::Accepted { guid, queue, upto };
            Some(Event::Connector(accepted))
        }
        _ => None,
    }
}

/// Records behind a journal that already has some: references between them follow them to their
/// new places.
pub(super) fn renumbered_from(records: Vec<Record>, last: Seq) -> Vec<NewRecord> {
    let old: Vec<Seq> = records.iter().map(|record| record.seq).collect();
    records
        .into_iter()
        .map(|record| NewRecord {
            at: record.at,
            who: record.who,
            session: record.session,
            event: refers_elsewhere(record.event.clone(), &old, last).unwrap_or(record.event),
        })
        .collect()
}
