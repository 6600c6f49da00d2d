//! The cupboard with the club's pads: their flashes have seen many evenings, so that the journal
//! in them comes round within a night, now on one pad and now on another.

use std::sync::OnceLock;

use fastrand::Rng;
use pad::{RecordKey, Store};
use virtual_pad::{HostFlash, block_on};

/// How many flashes there are to choose from.
const FLASHES: usize = 16;

/// Records that bring the journal round twice: every page has been erased before tonight.
const RECORDS: u32 = 1_900;

/// Records from one flash to the next: together they are more than a page.
const RECORDS_APART: u32 = 9;

/// A flash that is about to come round, sooner or later.
pub(super) fn worn_flash(rng: &mut Rng) -> HostFlash {
    static WORN: OnceLock<Vec<HostFlash>> = OnceLock::new();
    let mut flash = WORN.get_or_init(wear)[rng.usize(..FLASHES)].clone();
    flash.tear_with(rng.u64(..));
    flash
}

fn wear() -> Vec<HostFlash> {
    let mut store = Store::new(HostFlash::new(1), 0).expect("the journal begins at the first page");
    let mut written = 0;
    let mut use_it = |store: &mut Store<HostFlash>, records: u32| {
        for _ in 0..records {
            // A few association numbers an evening, as the link's shell writes them.
            written += 16u32;
            let number = written.to_le_bytes();
            let put = store.put(RecordKey::Counter, &number);
            block_on(put).expect("a new flash takes everything");
        }
    };
    use_it(&mut store, RECORDS);
    let mut flashes = Vec::with_capacity(FLASHES);
    for _ in 0..FLASHES {
        flashes.push(store.flash().clone());
        use_it(&mut store, RECORDS_APART);
    }
    flashes
}
