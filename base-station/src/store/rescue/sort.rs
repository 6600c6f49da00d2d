//! Which of the rows that were found are the journal: those that fit the ones before and after
//! them, and, where something is missing in between, those that are whole by their own checksum.

use std::collections::BTreeMap;

use super::super::KeyMark;
use super::super::chain::{JournalId, Link};
use super::super::head::Witness;
use super::super::row::Row;
use super::runs::{Versions, leave_out_strangers};

/// Rows as they come from the files.
pub(super) struct Sorter {
    witness: Witness,
    /// What the journal's own file may be called, the likeliest first.
    names: Vec<JournalId>,
    sources: Vec<String>,
    rows: Versions,
    /// What the club's key looked like, in the first file that knows.
    key_mark: Option<KeyMark>,
}

/// For every version of a record: whether the chain leads from it to the head, and how far it goes.
type Reach = BTreeMap<(i64, usize), (bool, i64)>;

/// The journal as far as it was found.
pub(super) struct Sorted {
    pub(super) rows: Vec<Row<'static>>,
    pub(super) id: Option<JournalId>,
    /// Nothing is missing and everything is chained: it is the very same journal.
    pub(super) is_whole: bool,
    pub(super) sources: Vec<(String, u64)>,
    pub(super) lost: Vec<u64>,
    pub(super) strange: u64,
}

impl Sorter {
    pub(super) fn new(witness: Witness) -> Self {
        let names = match witness {
            Witness::Knows(head) => vec![head.id],
            Witness::Missing | Witness::Unreadable => Vec::new(),
        };
        Self {
            witness,
            names,
            sources: Vec::new(),
            rows: BTreeMap::new(),
            key_mark: None,
        }
    }

    /// A file has noted that the club's key looked like one of these, the latest first.
    pub(super) fn may_know_key(&mut self, marks: &[KeyMark]) {
        self.key_mark = self.key_mark.or_else(|| marks.first().copied());
    }

    pub(super) const fn key_mark(&self) -> Option<KeyMark> {
        self.key_mark
    }

    /// The next file says that it is one of these journals. Whether it may be ours: a copy that
    /// names itself must be of the same journal.
    pub(super) fn begins(&mut self, names: &[JournalId], is_copy: bool) -> bool {
        if is_copy && !names.is_empty() && !self.names.is_empty() {
            return names.iter().any(|name| self.names.contains(name));
        }
        for name in names {
            if !self.names.contains(name) {
                self.names.push(*name);
            }
        }
        true
    }

    pub(super) fn take(&mut self, source: &str, row: Row<'static>) {
        let known = self.sources.iter().position(|it| it == source);
        let place = known.unwrap_or_else(|| {
            self.sources.push(source.to_owned());
            self.sources.len() - 1
        });
        let versions = self.rows.entry(row.seq).or_default();
        let same = |known: &Row<'_>| {
            let link_is_no_news = row.link.is_none() || known.link == row.link;
            link_is_no_news && says_the_same(known, &row)
        };
        if versions.iter().any(|(_, known)| same(known)) {
            return;
        }
        versions.push((place, row));
    }

    /// Chooses among the rows.
    pub(super) fn sort(mut self) -> Sorted {
        let id = self.name();
        let head = match self.witness {
            Witness::Knows(head) if id == Some(head.id) => {
                Some((head.seq.cast_signed(), head.link))
            }
            _ => None,
        };
        let strangers = leave_out_strangers(&mut self.rows, id, head);
        let end = head.map_or(0, |(seq, _)| seq);
        let end = end.max(self.rows.last_key_value().map_or(0, |(seq, _)| *seq));
        let reach = self.reach(head);
        let mut counts = vec![0; self.sources.len()];
        let (mut rows, mut lost) = (Vec::new(), Vec::new());
        let (mut strange, mut is_whole) = (strangers, id.is_some());
        // The link of the record before, where that is known.
        let mut link = id.map(Link::first);
        for seq in 1..=end {
            let chosen = self.choose(seq, link, head, &reach);
            let versions = self.rows.remove(&seq).unwrap_or_default();
            strange += different(&versions).saturating_sub(1);
            let Some((at, proven)) = chosen else {
                lost.push(seq.cast_unsigned());
                (link, is_whole) = (None, false);
                continue;
            };
            let Some((source, row)) = versions.into_iter().nth(at) else {
                continue;
            };
            is_whole &= proven;
            link = match link.filter(|_| proven) {
                Some(before) => Some(before.then(&row)),
                None => row.link,
            };
            if let Some(count) = counts.get_mut(source) {
                *count += 1;
            }
            rows.push(row);
        }
        let sources = self.sources.into_iter().zip(counts);
        Sorted {
            rows,
            id,
            is_whole,
            sources: sources.filter(|(_, count)| *count > 0).collect(),
            lost,
            strange,
        }
    }

    /// The name under which the first record is chained, or else the likeliest.
    fn name(&self) -> Option<JournalId> {
        let first = self.rows.get(&1).map(Vec::as_slice).unwrap_or_default();
        let fits = |name: &&JournalId| {
            let start = Link::first(**name);
            let mut versions = first.iter();
            versions.any(|(_, row)| row.link == Some(start.then(row)))
        };
        let known = self.names.iter().find(fits);
        known.or_else(|| self.names.first()).copied()
    }

    /// The version of a record that belongs to the journal, and whether the chain proves it.
    fn choose(
        &self,
        seq: i64,
        before: Option<Link>,
        head: Option<(i64, Link)>,
        reach: &Reach,
    ) -> Option<(usize, bool)> {
        let versions = self.rows.get(&seq)?;
        let position =
            |fits: &dyn Fn(&Row<'_>) -> bool| versions.iter().position(|(_, row)| fits(row));
        if let Some(before) = before {
            // It fits what comes before; or its own link was hit, and what comes after fits.
            let fits = |row: &Row<'_>| row.link == Some(before.then(row));
            let is_followed = |row: &Row<'_>| self.continues(seq, before.then(row), head);
            // Where the journal went on elsewhere as well, two fit: ours leads to the head, or
            // further.
            let furthest = (0..)
                .zip(versions)
                .filter(|(_, (_, row))| fits(row))
                .max_by_key(|(at, _)| (reach.get(&(seq, *at)).copied(), std::cmp::Reverse(*at)))
                .map(|(at, _)| at);
            if let Some(at) = furthest.or_else(|| position(&is_followed)) {
                return Some((at, true));
            }
        }
        let is_followed =
            |row: &Row<'_>| row.link.is_some_and(|link| self.continues(seq, link, head));
        position(&is_followed).or(Some(0)).map(|at| (at, false))
    }

    /// How far the chain goes on from every version of a record.
    fn reach(&self, head: Option<(i64, Link)>) -> Reach {
        let mut reach = Reach::new();
        for (&seq, versions) in self.rows.iter().rev() {
            let next = self.rows.get(&(seq + 1)).map(Vec::as_slice);
            for (at, (_, row)) in versions.iter().enumerate() {
                let Some(link) = row.link else { continue };
                let follows = (0..)
                    .zip(next.unwrap_or_default())
                    .filter(|(_, (_, next))| next.link == Some(link.then(next)))
                    .filter_map(|(at, _)| reach.get(&(seq + 1, at)).copied())
                    .max();
                let (to_head, last) = follows.unwrap_or((false, seq));
                reach.insert((seq, at), (to_head || head == Some((seq, link)), last));
            }
        }
        reach
    }

    /// Whether this link of a record leads on: to the next record, or to the head.
    fn continues(&self, seq: i64, link: Link, head: Option<(i64, Link)>) -> bool {
        head == Some((seq, link))
            || self
                .rows
                .get(&(seq + 1))
                .is_some_and(|next| next.iter().any(|(_, row)| row.link == Some(link.then(row))))
    }
}

fn says_the_same(one: &Row<'_>, other: &Row<'_>) -> bool {
    one.checksum == other.checksum
        && one.session == other.session
        && one.at_ms == other.at_ms
        && one.who == other.who
        && one.event == other.event
}

/// How many different things the versions of a record say.
fn different(versions: &[(usize, Row<'static>)]) -> u64 {
    let mut said: Vec<&Row<'_>> = Vec::new();
    for (_, row) in versions {
        if !said.iter().any(|known| says_the_same(known, row)) {
            said.push(row);
        }
    }
    said.len() as u64
}
