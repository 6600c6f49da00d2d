//! The same for a journal from before the chain, which has no head and no copies: only what is left
//! in its one file can be saved.

use std::collections::{BTreeMap, HashSet};
use std::fs;

use base_station::session::{Journal, Moment};
use base_station::store::{FILE_NAME, Store, StoreError, rescue};

use super::evening::{Said, everything, scratch};
use super::{Outcome, Tally};

/// An evening as the first version left it.
const JOURNAL: &[u8] = include_bytes!("../../../base-station/src/store/tests/first-layout.sqlite");

const PAGE_LEN: usize = 4096;

/// Flips so many bits, cuts it off so many times, and spoils its first page.
pub fn run(flips: usize, cuts: usize, seed: u64) -> Tally {
    let truth = truth();
    let mut random = fastrand::Rng::with_seed(seed);
    let mut tally = Tally {
        journal_len: JOURNAL.len() as u64,
        flips_of_records: flips,
        ..Tally::default()
    };
    for _ in 0..flips {
        let (at, bit) = (random.usize(..JOURNAL.len()), random.u8(0..8));
        let mut bytes = JOURNAL.to_vec();
        bytes[at] ^= 1 << bit;
        let (outcome, why) = outcome(&bytes, &truth);
        tally.note_kind("bit of an old journal", outcome, || {
            format!("byte {at}, bit {bit} of an old journal: {outcome:?} {why}")
        });
    }
    for _ in 0..cuts {
        let len = random.usize(1..JOURNAL.len());
        let (outcome, why) = outcome(&JOURNAL[..len], &truth);
        tally.note_kind("old journal cut off", outcome, || {
            format!("an old journal cut off at {len}: {outcome:?} {why}")
        });
    }
    for byte in [0, 0xA5] {
        let mut bytes = JOURNAL.to_vec();
        bytes[..PAGE_LEN].fill(byte);
        let (outcome, why) = outcome(&bytes, &truth);
        tally.note_kind("first page of an old journal", outcome, || {
            format!("first page {byte}: {outcome:?} {why}")
        });
    }
    tally
}

/// What it says while it is whole.
fn truth() -> BTreeMap<u64, Said> {
    let folder = scratch(0);
    fs::write(folder.path().join(FILE_NAME), JOURNAL).expect("written");
    let store = Store::open(folder.path()).expect("it is whole");
    let truth = everything(&store).expect("it is whole");
    assert_eq!(truth.len() as u64, store.last().0, "all of it");
    truth
}

fn outcome(bytes: &[u8], truth: &BTreeMap<u64, Said>) -> (Outcome, String) {
    let place = scratch(0);
    let path = place.path().join(FILE_NAME);
    fs::write(&path, bytes).expect("written");
    match Store::open(place.path()) {
        Ok(store) => match everything(&store) {
            Ok(all) if all == *truth => return (Outcome::Unharmed, String::new()),
            Ok(_) => return (Outcome::Silent, String::new()),
            Err(_) => {}
        },
        Err(StoreError::Damaged { .. }) if fs::read(&path).is_ok_and(|it| it == bytes) => {}
        Err(StoreError::Damaged { .. }) => return (Outcome::Touched, String::new()),
        // Cut off within its first page: there is no record in it.
        Err(StoreError::Foreign(_)) if bytes.len() <= PAGE_LEN => {
            return (Outcome::Found, String::new());
        }
        Err(other) => return (Outcome::NotOffered, other.to_string()),
    }
    let rescued = match rescue(place.path(), Moment(1_794_900_000_000)) {
        Ok(rescued) => rescued,
        Err(fault) => return (Outcome::NotRescued, fault.to_string()),
    };
    let all = Store::open(place.path())
        .map_err(|fault| fault.to_string())
        .and_then(|store| Ok((everything(&store)?, store.last().0)));
    let (all, told) = match all {
        Ok(all) => all,
        Err(fault) => return (Outcome::NotRescued, fault),
    };
    let known: HashSet<u64> = truth.values().filter_map(|it| it.content).collect();
    let found = || all.iter().filter(|(seq, _)| **seq != told);
    let mut contents = found().filter_map(|(_, said)| said.content);
    if contents.any(|content| !known.contains(&content)) {
        return (Outcome::Invented, rescued.to_string());
    }
    let is_whole = found().count() == truth.len();
    match rescued.strange {
        0 if is_whole => (Outcome::SavedWhole, String::new()),
        // No pad of that evening is in reach.
        0 => (Outcome::SavedInPart, String::new()),
        _ => (Outcome::ThrownAway, rescued.to_string()),
    }
}
