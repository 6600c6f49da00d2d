//! The laptop loses power: whatever was promised is there when it comes back.

use super::model_disk::{Cut, Image, open, promise, scrap};
use super::*;
use crate::store::Durability;

/// Appends records one, two and three at a time, and notes every moment at which the power could
/// have been cut.
fn lived_through(durability: Durability) -> Vec<Cut> {
    let (disk, mut store) = open(&Image::new(), durability).expect("opens");
    promise(disk, 0);
    // The log is folded into the file often, so that the cuts hit that, too.
    store
        .connection
        .pragma_update(None, "wal_autocheckpoint", 12)
        .expect("set");
    let mut written = 0;
    for turn in 0..APPENDS {
        let batch: Vec<NewRecord> = (1..=turn % 3 + 1).map(|n| record(written + n)).collect();
        let last = store.append(&batch).expect("written");
        written += batch.len() as u64;
        assert_eq!(last, Seq(written));
        promise(disk, written);
    }
    drop(store);
    scrap(disk)
}

/// Enough that the log is folded into the file a dozen times.
const APPENDS: u64 = 90;

/// Records that are there after a cut; `None` where the journal can't be read.
fn surviving(image: &Image) -> Option<u64> {
    let (disk, store) = open(image, Durability::Full).ok()?;
    let records = store.read(SessionId::new(3)).ok()?;
    drop(store);
    scrap(disk);
    let found = numbered(&records);
    (found == expected(found.len() as u64)).then_some(found.len() as u64)
}

#[test]
fn a_power_cut_at_any_write_loses_nothing_that_was_promised() {
    let cuts = lived_through(Durability::Full);
    assert!(cuts.len() > 500, "only {} moments", cuts.len());
    for (at, cut) in cuts.iter().enumerate() {
        // Before the very first promise the file may not even exist yet.
        for image in [cut.image.clone(), cut.torn()] {
            match surviving(&image) {
                Some(found) => assert!(
                    found >= cut.promised,
                    "moment {at}: {} were promised, {found} are there",
                    cut.promised
                ),
                None => assert_eq!(cut.promised, 0, "moment {at}: the journal can't be read"),
            }
        }
    }
}

#[test]
fn without_synchronising_the_same_cuts_lose_records_so_the_test_would_notice() {
    let cuts = lived_through(Durability::Off);
    let lost = cuts
        .iter()
        .filter(|cut| surviving(&cut.image) < Some(cut.promised));
    assert!(lost.count() > 10);
}
