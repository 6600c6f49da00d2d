//! Which of the rows that were found are the journal: those that fit the ones before and after
//! them, and, where something is missing in between, those that are whole by their own checksum.

use std::collections::BTreeMap;

use super::super::KeyMark;
use super::super::chain::{JournalId, Link};
use super::super::head::Witness;
use super::super::row::Row;
use super::runs::{CLOCK_PUT_BACK_MS_MAX, Version, Versions, leave_out_strangers};

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
    /// Places of records that were left out because they do not lead to ours behind them.
    pub(super) doubtful: Vec<u64>,
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

    pub(super) fn take(&mut self, (source, page): (&str, usize), row: Row<'static>) {
        let known = self.sources.iter().position(|it| it == source);
        let source = known.unwrap_or_else(|| {
            self.sources.push(source.to_owned());
            self.sources.len() - 1
        });
        let place = (source, page);
        let versions = self.rows.entry(row.seq).or_default();
        let same = |known: &Row<'_>| {
            let link_is_no_news = row.link.is_none() || known.link == row.link;
            link_is_no_news && says_the_same(known, &row)
        };
        if let Some(known) = versions.iter_mut().find(|known| same(&known.row)) {
            known.is_confirmed |= known.place != place;
            return;
        }
        let is_confirmed = false;
        versions.push(Version {
            place,
            row,
            is_confirmed,
        });
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
        let mut journal: Vec<Version> = Vec::new();
        let (mut lost, mut doubtful) = (Vec::new(), Vec::new());
        let (mut strange, mut is_whole) = (strangers, id.is_some());
        // The link of the record before, where that is known, and whether it fits the one before.
        let mut link = id.map(Link::first);
        let mut was_proven = false;
        for seq in 1..=end {
            let chosen = self.choose(seq, link, head, &reach);
            let versions = self.rows.remove(&seq).unwrap_or_default();
            strange += different(&versions).saturating_sub(1);
            let Some((at, proven)) = chosen else {
                lost.push(seq.cast_unsigned());
                (link, is_whole) = (None, false);
                continue;
            };
            let leads_to_head = reach.get(&(seq, at)).is_some_and(|(to_head, _)| *to_head);
            let Some(version) = versions.into_iter().nth(at) else {
                continue;
            };
            if link.is_some() && was_proven && !proven && leads_to_head {
                let (foreign, unknown) = astray(&mut journal, &version.row);
                strange += foreign.len() as u64;
                doubtful.extend(&unknown);
                lost.extend(unknown.into_iter().chain(foreign));
            }
            was_proven = proven;
            is_whole &= proven;
            link = match link.filter(|_| proven) {
                Some(before) => Some(before.then(&version.row)),
                None => version.row.link,
            };
            journal.push(version);
        }
        let mut counts = vec![0; self.sources.len()];
        for version in &journal {
            if let Some(count) = counts.get_mut(version.place.0) {
                *count += 1;
            }
        }
        let sources = self.sources.into_iter().zip(counts);
        Sorted {
            rows: journal.into_iter().map(|version| version.row).collect(),
            id,
            is_whole,
            sources: sources.filter(|(_, count)| *count > 0).collect(),
            lost,
            strange,
            doubtful,
        }
    }

    /// The name under which the first record is chained, or else the likeliest.
    fn name(&self) -> Option<JournalId> {
        let first = self.rows.get(&1).map(Vec::as_slice).unwrap_or_default();
        let fits = |name: &&JournalId| {
            let start = Link::first(**name);
            let mut versions = first.iter();
            versions.any(|it| it.row.link == Some(start.then(&it.row)))
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
            |fits: &dyn Fn(&Row<'_>) -> bool| versions.iter().position(|it| fits(&it.row));
        if let Some(before) = before {
            // It fits what comes before; or its own link was hit, and what comes after fits.
            let fits = |row: &Row<'_>| row.link == Some(before.then(row));
            let is_followed = |row: &Row<'_>| self.continues(seq, before.then(row), head);
            // Where the journal went on elsewhere as well, two fit: ours leads to the head, or
            // further.
            let furthest = (0..)
                .zip(versions)
                .filter(|(_, version)| fits(&version.row))
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
            for (at, Version { row, .. }) in versions.iter().enumerate() {
                let Some(link) = row.link else { continue };
                let follows = (0..)
                    .zip(next.unwrap_or_default())
                    .filter(|(_, next)| next.row.link == Some(link.then(&next.row)))
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
            || self.rows.get(&(seq + 1)).is_some_and(|next| {
                let mut next = next.iter();
                next.any(|it| it.row.link == Some(link.then(&it.row)))
            })
    }
}

/// Takes the end of the journal off that leads to another record than the one that stands behind
/// it and leads to the head: a page of the same journal as it went on elsewhere, with the fork in
/// it. Where the moments tell, that is what lies too late; else it may have begun at any record of
/// the page, but not at one that stands elsewhere, too. Answers with the places of both kinds.
fn astray(journal: &mut Vec<Version>, behind: &Row<'_>) -> (Vec<u64>, Vec<u64>) {
    let Some(page) = journal.last().map(|version| version.place) else {
        return (Vec::new(), Vec::new());
    };
    let of_page = |version: &&Version| version.place == page && !version.is_confirmed;
    let suspected = journal.iter().rev().take_while(of_page).count();
    let from = journal.len() - suspected;
    let latest = behind.at_ms.saturating_add(CLOCK_PUT_BACK_MS_MAX);
    let mut places = journal.iter().skip(from);
    let too_late = places.position(|version| version.row.at_ms > latest);
    let off = journal.split_off(from + too_late.unwrap_or_default());
    let places = off.iter().map(|it| it.row.seq.cast_unsigned()).collect();
    match too_late {
        Some(_) => (places, Vec::new()),
        None => (Vec::new(), places),
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
fn different(versions: &[Version]) -> u64 {
    let mut said: Vec<&Row<'_>> = Vec::new();
    for Version { row, .. } in versions {
        if !said.iter().any(|known| says_the_same(known, row)) {
            said.push(row);
        }
    }
    said.len() as u64
}
