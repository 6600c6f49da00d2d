//! Promises about scores: what is in the journal, and what it is worth.

use std::collections::{BTreeMap, BTreeSet};

use base_station::session::{Event, Record, TableId};
use protocol::message::{Entry, EntryNumber};
use protocol::words::{Epoch, PadId, Side};

use crate::naive;
use crate::night::base::entries;
use crate::night::witness::Witness;
use crate::night::world::World;

pub(super) fn pads_forget_nothing(world: &World) -> Vec<String> {
    world.witness.outrages.clone()
}

fn name((pad, number): (PadId, EntryNumber), entry: &Entry) -> String {
    let (round, board) = (entry.round, entry.board);
    format!(
        "entry {} of pad {:08X} (round {round}, board {board})",
        number.0,
        pad.get()
    )
}

fn in_journal(records: &[Record]) -> BTreeMap<(PadId, EntryNumber), Entry> {
    entries(records)
        .filter_map(|event| match event {
            Event::Entered { pad, entry, .. } | Event::EntryKept { pad, entry, .. } => {
                Some(((*pad, entry.number), *entry))
            }
            _ => None,
        })
        .collect()
}

pub(super) fn received_is_kept(world: &World) -> Vec<String> {
    let (witness, journal) = (&world.witness, in_journal(&world.laptop.records()));
    let missing = |name: &&(PadId, EntryNumber)| {
        witness
            .agreed
            .get(*name)
            .is_some_and(|entry| journal.get(*name) != Some(entry))
    };
    let missing = witness.received.iter().filter(missing);
    missing
        .map(|key| {
            format!(
                "{} was shown as received and is not in the journal",
                name(*key, &witness.agreed[key])
            )
        })
        .collect()
}

pub(super) fn agreed_arrives(world: &World) -> Vec<String> {
    let (witness, journal) = (&world.witness, in_journal(&world.laptop.records()));
    let is_there = |key: &(PadId, EntryNumber), entry: &Entry| {
        // A correction that was agreed before the first version was sent takes its place.
        journal.iter().any(|((pad, number), other)| {
            *pad == key.0
                && *number >= key.1
                && (other.round, other.board) == (entry.round, entry.board)
        })
    };
    witness
        .agreed
        .iter()
        .filter(|(key, _)| !witness.destroyed.contains(&key.0))
        .filter(|(key, entry)| !is_there(key, entry))
        .map(|(key, entry)| {
            format!(
                "{} was agreed and never reached the base",
                name(*key, entry)
            )
        })
        .collect()
}

pub(super) fn nothing_counts_twice(world: &World) -> Vec<String> {
    let records = world.laptop.records();
    let mut seen = BTreeSet::new();
    let mut last: BTreeMap<(PadId, TableId), Entry> = BTreeMap::new();
    let mut wrong = Vec::new();
    for event in entries(&records) {
        let (Event::Entered {
            pad, entry, table, ..
        }
        | Event::EntryKept {
            pad, entry, table, ..
        }) = event
        else {
            continue;
        };
        if !seen.insert((*pad, entry.number)) {
            wrong.push(format!(
                "{} is in the journal twice",
                name((*pad, entry.number), entry)
            ));
        }
        // The same entry under another number is the same entry.
        let same = |other: &Entry| {
            Entry {
                number: entry.number,
                ..*other
            } == *entry
        };
        if last
            .insert((*pad, *table), *entry)
            .is_some_and(|other| same(&other))
        {
            wrong.push(format!(
                "{} was counted again",
                name((*pad, entry.number), entry)
            ));
        }
    }
    wrong
}

/// What counts as a pad's is what was agreed there, to the last card.
pub(super) fn nothing_is_invented(world: &World) -> Vec<String> {
    let records = world.laptop.records();
    let invented = misattributed(&world.witness, &records);
    invented
        .map(|(pad, entry)| {
            format!(
                "{} counts, and nobody agreed it",
                name((pad, entry.number), &entry)
            )
        })
        .collect()
}

/// Entries that count for a pad on which nobody agreed them.
fn misattributed<'a>(
    witness: &'a Witness,
    records: &'a [Record],
) -> impl Iterator<Item = (PadId, Entry)> + 'a {
    entries(records).filter_map(|event| match event {
        Event::Entered { pad, entry, .. } => {
            let agreed = witness.agreed.get(&(*pad, entry.number));
            (agreed != Some(entry)).then_some((*pad, *entry))
        }
        _ => None,
    })
}

/// Neither under its own name nor under that of the pad that has its table now.
pub(super) fn replaced_pads_change_nothing(world: &World) -> Vec<String> {
    let records = world.laptop.records();
    let mut holders: BTreeMap<TableId, (PadId, Epoch)> = BTreeMap::new();
    let mut wrong = Vec::new();
    for record in &records {
        match &record.event {
            Event::PadAdmitted {
                pad, table, epoch, ..
            } => {
                holders.insert(*table, (*pad, *epoch));
            }
            Event::Entered {
                table,
                epoch,
                pad,
                entry,
            } if holders.get(table) != Some(&(*pad, *epoch)) => {
                let key = (*pad, entry.number);
                wrong.push(format!(
                    "{} counted although another pad held the table",
                    name(key, entry)
                ));
            }
            _ => {}
        }
    }
    let witness = &world.witness;
    // Whatever number it counts under.
    let same = |one: &Entry, other: &Entry| {
        (one.round, one.board, one.result) == (other.round, other.board, other.result)
    };
    let of_replaced = |entry: &Entry| {
        let agreed = witness.agreed.iter();
        let mut agreed = agreed.filter(|((pad, _), _)| witness.replaced.contains(pad));
        agreed.any(|(_, other)| same(entry, other))
    };
    let disguised = misattributed(witness, &records).filter(|(_, entry)| of_replaced(entry));
    wrong.extend(disguised.map(|(pad, entry)| {
        let said = name((pad, entry.number), &entry);
        format!("{said} counted, and was agreed on a pad that had been replaced")
    }));
    wrong
}

pub(super) fn replay_equals_live(world: &World) -> Vec<String> {
    let live = world.laptop.state();
    let differs = live.is_some_and(|live| *live != world.laptop.replayed());
    let wrong = differs.then(|| "replaying the journal gives another state".to_owned());
    wrong.into_iter().collect()
}

/// The session's ranking against the naive scorer's.
pub(super) fn ranking_is_right(world: &World) -> Vec<String> {
    // Matches have a standing, and a promise of their own about it.
    let Some(session) = world.session().filter(|it| it.contests.is_empty()) else {
        return Vec::new();
    };
    // A pair has one result on a board, the first of the evening; what is entered beside it counts
    // for nobody.
    let mut had = BTreeSet::new();
    let lines: Vec<naive::Line> = session
        .lines
        .iter()
        .filter_map(|(cell, line)| {
            let score = line.score(cell.board)?;
            let pairs = [line.ns, line.ew].into_iter().flatten();
            if pairs.clone().any(|pair| had.contains(&(cell.board, pair))) {
                return None;
            }
            had.extend(pairs.map(|pair| (cell.board, pair)));
            Some(naive::Line {
                board: cell.board.get(),
                ns: line.ns.map(|pair| pair.number.get()),
                ew: line.ew.map(|pair| pair.number.get()),
                happened: naive::Happened::Scored(i32::from(score.0)),
            })
        })
        .collect();
    let expected = naive::percentages(&lines, false);
    let mut wrong = Vec::new();
    let mut ranked = 0;
    for list in world.laptop.standings().unwrap_or_default().lists {
        for place in list.places {
            let key = (list.side != Some(Side::EastWest), place.pair.number.get());
            let (Some(percent), Some(right)) = (place.percent, expected.get(&key)) else {
                continue;
            };
            ranked += 1;
            if (percent.to_f64() - right).abs() > 0.011 {
                wrong.push(format!(
                    "{} has {}%, should have {right:.2}%",
                    place.pair,
                    percent.to_f64()
                ));
            }
        }
    }
    if ranked != expected.len() {
        wrong.push(format!(
            "{ranked} pairs are ranked, should be {}",
            expected.len()
        ));
    }
    wrong
}

/// What an outsider gets who adds up everything that is printed and answered.
pub(super) fn sheets_add_up(world: &World) -> Vec<String> {
    if world.session().is_some_and(|it| !it.contests.is_empty()) {
        return Vec::new();
    }
    // Points are rounded to hundredths.
    world
        .laptop
        .papers()
        .map_or_else(Vec::new, |papers| papers.wrong(0.005))
}
