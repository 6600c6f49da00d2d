//! Records in flash that survive a power cut at any byte.
//!
//! A log of key and value in flash pages (sequential-storage): a write appends, and the newest
//! whole record of a key counts. Nothing is ever removed, because that would write a word twice,
//! which the STM32L4's flash does not allow.

use embedded_storage_async::nor_flash::NorFlash;
use protocol::time::Instant;
use sequential_storage::cache::page_pointers::ArrayPagePointers;
use sequential_storage::cache::page_states::ArrayPageStates;
use sequential_storage::cache::{Cache, Uncached};
use sequential_storage::map::{MapConfig, MapStorage};

use crate::erase::WholeErasures;
use crate::{App, RECORD_LEN_MAX, RecordKey, RecordSet};

/// The journal at the end of the flash in bytes: eight pages of 2 KiB.
pub const JOURNAL_LEN: u32 = 16 * 1024;

const PAGE_LEN: u32 = 2 * 1024;
/// The last page holds the announcements of erasures.
const LOG_LEN: u32 = JOURNAL_LEN - PAGE_LEN;
const PAGES: usize = (LOG_LEN / PAGE_LEN) as usize;

/// A record, its key, and the padding to a whole number of flash words.
const BUFFER_LEN: usize = RECORD_LEN_MAX + 32;

/// The flash could not be read or written. The pad goes on without it and says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoreError;

type PageCache = Cache<ArrayPageStates<PAGES>, ArrayPagePointers<PAGES>, Uncached, u8>;

/// The pad's records in a flash.
pub struct Store<S: NorFlash> {
    map: MapStorage<u8, WholeErasures<S>, PageCache>,
    buffer: [u8; BUFFER_LEN],
}

impl<S: NorFlash> Store<S> {
    /// The journal that begins at this address of the flash. `Err` if that is not a page.
    pub fn new(flash: S, start: u32) -> Result<Self, StoreError> {
        let config = MapConfig::try_new(start..start + LOG_LEN).map_err(|_| StoreError)?;
        let cache = Cache::new(ArrayPageStates::new(), ArrayPagePointers::new(), Uncached);
        Ok(Self {
            map: MapStorage::new(WholeErasures::new(flash, start + LOG_LEN), config, cache),
            buffer: [0; BUFFER_LEN],
        })
    }

    /// Puts everything back into a new pad, and the players where they were. Comes before any other
    /// use of the store.
    ///
    /// A record that can't be read is left out; the error is reported at the end, so that the
    /// rest of the evening is not lost with it.
    pub async fn load(&mut self, app: &mut App, now: Instant) -> Result<(), StoreError> {
        let mut outcome = self.map.flash().take_up().await.map_err(|_| StoreError);
        for key in RecordKey::in_order() {
            match self
                .map
                .fetch_item::<&[u8]>(&mut self.buffer, &key.number())
                .await
            {
                Ok(Some(record)) => app.restore(key, record),
                Ok(None) => {}
                Err(_) => outcome = Err(StoreError),
            }
        }
        app.resume(now);
        outcome
    }

    /// Writes what [`crate::Effects::persist`] names. When it returns `Ok`, no power cut loses it.
    pub async fn save(&mut self, app: &App, records: RecordSet) -> Result<(), StoreError> {
        let mut outcome = Ok(());
        for key in records.iter() {
            let mut record = [0; RECORD_LEN_MAX];
            let Some(record) = app.encode(key, &mut record) else {
                continue;
            };
            if self.put(key, record).await.is_err() {
                outcome = Err(StoreError);
            }
        }
        outcome
    }

    /// Writes one record: for what the application does not own, such as [`RecordKey::Counter`].
    pub async fn put(&mut self, key: RecordKey, record: &[u8]) -> Result<(), StoreError> {
        self.map
            .store_item(&mut self.buffer, &key.number(), &record)
            .await
            .map_err(|_| StoreError)
    }

    /// Reads one record.
    pub async fn get(&mut self, key: RecordKey) -> Result<Option<&[u8]>, StoreError> {
        self.map
            .fetch_item::<&[u8]>(&mut self.buffer, &key.number())
            .await
            .map_err(|_| StoreError)
    }

    /// Makes the flash as new. Everything is lost: for a journal that can't be read any more.
    pub async fn erase(&mut self) -> Result<(), StoreError> {
        self.map.erase_all().await.map_err(|_| StoreError)
    }

    /// The flash itself.
    pub fn flash(&mut self) -> &mut S {
        self.map.flash().flash()
    }

    /// The flash itself, for good.
    pub fn into_flash(self) -> S {
        self.map.destroy().0.into_flash()
    }
}
