//! Runs of records that are chained to each other, and which of them are another journal's.
//!
//! A page of another journal holds records that are whole and fit each other. That they are not
//! ours shows where they stand beside records that are: there the chain does not fit. Where nothing
//! is left beside them, the moments tell: ours lie between those of our records around them.
//!
//! That a run begins behind the head says nothing: after a power cut the head lags behind.

use std::collections::BTreeMap;

use super::super::chain::{JournalId, Link};
use super::super::row::Row;

/// The versions of each record.
pub(super) type Versions = BTreeMap<i64, Vec<Version>>;

/// What a record is by one of the files.
pub(super) struct Version {
    /// The file that had it first, and the page there.
    pub(super) place: (usize, usize),
    pub(super) row: Row<'static>,
    /// Another page has it as well.
    pub(super) is_confirmed: bool,
}

/// A laptop's clock is put right by so much without anybody noticing.
pub(super) const CLOCK_PUT_BACK_MS_MAX: i64 = 120_000;

/// Records that follow each other without a gap.
struct Run {
    first: i64,
    last: i64,
    /// It begins with the journal's own name, or leads to its head.
    is_ours: bool,
}

/// Takes out the runs of other journals, and says how many records that were.
///
/// One record alone is left in: it may be ours with a damaged link.
pub(super) fn leave_out_strangers(
    rows: &mut Versions,
    id: Option<JournalId>,
    head: Option<(i64, Link)>,
) -> u64 {
    let (runs, of_row) = runs(rows, id, head);
    let ours = |seq: i64| {
        runs.iter()
            .any(|run| run.is_ours && run.first <= seq && seq <= run.last)
    };
    let times = Times::new(rows, &runs, &of_row);
    let is_strange: Vec<bool> = (0..)
        .zip(&runs)
        .map(|(number, run)| {
            let is_alone = run.first == run.last;
            let beside_ours = (run.first - 1..=run.last + 1).any(ours);
            let contradicted = beside_ours || times.contradict(number, run);
            !run.is_ours && !is_alone && contradicted
        })
        .collect();
    let mut left_out = 0;
    for (seq, versions) in rows.iter_mut() {
        let mut at = 0;
        versions.retain(|_| {
            let run = of_row.get(&(*seq, at)).copied();
            at += 1;
            let is_stranger = run.and_then(|run| is_strange.get(run)) == Some(&true);
            left_out += u64::from(is_stranger);
            !is_stranger
        });
    }
    rows.retain(|_, versions| !versions.is_empty());
    left_out
}

/// When our own records were written, and those of every run.
struct Times {
    ours: BTreeMap<i64, i64>,
    /// The earliest and the latest moment of every other run.
    of_runs: BTreeMap<usize, (i64, i64)>,
}

impl Times {
    fn new(rows: &Versions, runs: &[Run], of_row: &BTreeMap<(i64, usize), usize>) -> Self {
        let (mut ours, mut of_runs) = (BTreeMap::new(), BTreeMap::new());
        for ((seq, at), number) in of_row {
            let row = rows.get(seq).and_then(|versions| versions.get(*at));
            let (Some(Version { row, .. }), Some(run)) = (row, runs.get(*number)) else {
                continue;
            };
            if run.is_ours {
                ours.insert(*seq, row.at_ms);
            } else {
                let own = (row.at_ms, row.at_ms);
                let (first, last) = of_runs.entry(*number).or_insert(own);
                *first = row.at_ms.min(*first);
                *last = row.at_ms.max(*last);
            }
        }
        Self { ours, of_runs }
    }

    /// Whether a run was written before our record before it, or after our record behind it. Where
    /// those two contradict each other the clock was put back in between, and nothing is known.
    fn contradict(&self, number: usize, run: &Run) -> bool {
        let Some((first, last)) = self.of_runs.get(&number) else {
            return false;
        };
        let before = self.ours.range(..run.first).next_back().map(|(_, at)| *at);
        let behind = self.ours.range(run.last + 1..).next().map(|(_, at)| *at);
        let was_put_back = before.zip(behind).is_some_and(|(one, two)| one > two);
        let too_early = before.is_some_and(|at| first + CLOCK_PUT_BACK_MS_MAX < at);
        let too_late = behind.is_some_and(|at| *last > at + CLOCK_PUT_BACK_MS_MAX);
        !was_put_back && (too_early || too_late)
    }
}

/// What a record may be chained to: a link of the record before it, and the run of that.
struct End {
    link: Link,
    run: usize,
    /// The link that is stored there is another one: this is what it was, if the next record fits.
    /// It is the version with this number.
    mended: Option<usize>,
}

/// All runs, and for each version of a record the one it belongs to. Records without a link
/// belong to none.
fn runs(
    rows: &Versions,
    id: Option<JournalId>,
    head: Option<(i64, Link)>,
) -> (Vec<Run>, BTreeMap<(i64, usize), usize>) {
    let mut runs: Vec<Run> = Vec::new();
    let mut of_row = BTreeMap::new();
    let mut before: (i64, Vec<End>) = (0, Vec::new());
    if let Some(id) = id {
        // Empty until the first record joins it.
        runs.push(Run {
            first: 1,
            last: 0,
            is_ours: true,
        });
        before.1.push(End {
            link: Link::first(id),
            run: 0,
            mended: None,
        });
    }
    for (&seq, versions) in rows {
        if before.0 + 1 != seq {
            before.1.clear();
        }
        let mut ends = Vec::new();
        for (at, Version { row, .. }) in versions.iter().enumerate() {
            let Some(link) = row.link else { continue };
            let fits = |end: &&End| end.link.then(row) == link;
            let run = if let Some(end) = before.1.iter().find(fits) {
                if let Some(hit) = end.mended {
                    // The record before is what it says; only its link was hit.
                    of_row.insert((seq - 1, hit), end.run);
                }
                end.run
            } else {
                ends.extend(
                    before
                        .1
                        .iter()
                        .filter(|end| end.mended.is_none())
                        .map(|end| End {
                            link: end.link.then(row),
                            run: end.run,
                            mended: Some(at),
                        }),
                );
                runs.push(Run {
                    first: seq,
                    last: seq,
                    is_ours: false,
                });
                runs.len() - 1
            };
            if let Some(run) = runs.get_mut(run) {
                run.last = seq;
                run.is_ours |= head == Some((seq, link));
            }
            of_row.insert((seq, at), run);
            let mended = None;
            ends.push(End { link, run, mended });
        }
        before = (seq, ends);
    }
    (runs, of_row)
}
