//! The damage bench: every kind of file of a data folder cut off, flipped, deleted, exchanged with
//! an older one and mixed from two days, one at a time and several at once. Damage must be found (nothing that differs from the truth
//! is opened in silence), and healed (no result is lost that a copy or a pad still has).

mod evening;
mod first_layout;
mod wounds;

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::fs;
use std::path::Path;

use base_station::daemon::{KEY_NAME, club_certificate};
use base_station::serve::{ServeError, key_of_club};
use base_station::session::{Journal, Moment, State};
use base_station::store::{Checked, FILE_NAME, Guards, Store, StoreError, rescue, was_here};

use evening::{Evening, Said, copy_folder, everything};
pub use first_layout::run as run_first_layout;
use wounds::Wound;

/// What became of one wound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// It hit nothing that means anything: opened, and every record is as it was.
    Unharmed,
    /// Found; nobody tried to heal it.
    Found,
    /// Found, and every record was saved.
    SavedWhole,
    /// Found; records are missing, and every result is there when the pads have been asked.
    SavedWithPads,
    /// Found, records are missing, and nobody else has them (a journal without copies and pads).
    SavedInPart,
    /// Found, and the director is asked (the club's key).
    Asked,
    /// Opened in silence with other records than were written.
    Silent,
    /// Found, and not offered to be rescued.
    NotOffered,
    /// Found, and the files were changed before anybody said yes.
    Touched,
    /// Found, and the rescue failed.
    NotRescued,
    /// The rescue has records that nobody wrote.
    Invented,
    /// A result is missing although a pad holds it.
    ResultLost,
    /// Records of our own were taken for another journal's and left out.
    ThrownAway,
    /// Another key or certificate than the club's was taken in silence.
    OtherKey,
}

impl Outcome {
    /// Whether it breaks the promise.
    pub const fn is_bad(self) -> bool {
        !matches!(
            self,
            Self::Unharmed
                | Self::Found
                | Self::SavedWhole
                | Self::SavedWithPads
                | Self::SavedInPart
                | Self::Asked
        )
    }
}

/// How many wounds are made.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Bytes of earlier years in the journal.
    pub earlier_len: u64,
    /// Tables of the evening.
    pub tables: u16,
    /// Flipped bits, over main file, log and copies.
    pub flips: usize,
    /// Flipped bits in the head, the key and its copy, and the certificate.
    pub small_flips: usize,
    /// Flipped bits where the head lags behind the journal.
    pub lagging: usize,
    /// Pages of the same journal as it went on elsewhere.
    pub strange_pages: usize,
    /// Files deleted, exchanged, mixed, and several damaged at once.
    pub rest: bool,
    /// Flipped bits in the index alone.
    pub index_flips: usize,
    /// Files cut off.
    pub cuts: usize,
    /// What is compared at opening.
    pub guards: Guards,
    /// Whether what is found is healed as well.
    pub heals: bool,
}

/// What a bench found.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Wounds by kind and outcome.
    pub outcomes: BTreeMap<(&'static str, Outcome), usize>,
    /// What went wrong, in words that play it again.
    pub bad: Vec<String>,
    /// The size of the journal's file and its log.
    pub journal_len: u64,
    /// Flipped bits of the journal, its log and its copies.
    pub flips_of_records: usize,
}

impl Tally {
    /// All wounds.
    pub fn places(&self) -> usize {
        self.outcomes.values().sum()
    }

    /// Wounds with an outcome.
    pub fn count(&self, outcome: Outcome) -> usize {
        let with = self.outcomes.iter().filter(|((_, it), _)| *it == outcome);
        with.map(|(_, count)| count).sum()
    }

    /// One more.
    fn note(&mut self, wound: &Wound, outcome: Outcome, why: &str) {
        self.note_kind(wound.kind(), outcome, || {
            format!("{wound:?}: {outcome:?} {why}")
        });
    }

    fn note_kind(&mut self, kind: &'static str, outcome: Outcome, told: impl FnOnce() -> String) {
        *self.outcomes.entry((kind, outcome)).or_default() += 1;
        if outcome.is_bad() {
            self.bad.push(told());
        }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "journal of {} kB: {} places",
            self.journal_len / 1000,
            self.places()
        )?;
        for ((kind, outcome), count) in &self.outcomes {
            writeln!(f, "  {kind:<28} {outcome:?}: {count}")?;
        }
        for bad in self.bad.iter().take(20) {
            writeln!(f, "  {bad}")?;
        }
        Ok(())
    }
}

/// Wounds a journal again and again.
pub fn run(plan: &Plan, seed: u64) -> Tally {
    let evening = Evening::play(plan.tables, plan.earlier_len);
    let mut random = fastrand::Rng::with_seed(seed);
    let mut tally = Tally {
        journal_len: ["", "-wal"]
            .iter()
            .filter_map(|ending| {
                fs::metadata(evening.killed.path().join(format!("{FILE_NAME}{ending}"))).ok()
            })
            .map(|file| file.len())
            .sum(),
        ..Tally::default()
    };
    let workplace = evening::scratch(plan.earlier_len);
    for wound in wounds::all(&evening, plan, &mut random) {
        let place = workplace.path().join("data");
        let _ = fs::remove_dir_all(&place);
        copy_folder(wound.snapshot(&evening).path(), &place);
        wound.make(&evening, &place);
        let (outcome, why) = of_folder(&evening, &place, plan, &wound);
        tally.flips_of_records += usize::from(wound.is_flip_of_records());
        tally.note(&wound, outcome, &why);
    }
    tally
}

/// The journal's own files, and what stands in them.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = fs::read_dir(folder).expect("a folder").flatten();
    files
        .filter(|file| file.path().is_file())
        .filter_map(|file| {
            let name = file.file_name().into_string().ok()?;
            Some((name, fs::read(file.path()).ok()?))
        })
        // Looking makes an empty log.
        .filter(|(_, content)| !content.is_empty())
        .collect()
}

/// What a start makes of a folder: its journal first, then key and certificate.
fn of_folder(evening: &Evening, place: &Path, plan: &Plan, wound: &Wound) -> (Outcome, String) {
    let (outcome, why) = of_journal(evening, place, plan, wound);
    if outcome.is_bad() || outcome == Outcome::Found {
        return (outcome, why);
    }
    match (of_key(place), of_certificate(evening, place)) {
        // The journal alone says what became of it.
        (Outcome::Unharmed, Outcome::Unharmed) => (outcome, why),
        (Outcome::Unharmed, other) | (other, _) => (other, why),
    }
}

fn of_journal(evening: &Evening, place: &Path, plan: &Plan, wound: &Wound) -> (Outcome, String) {
    let guards = plan.guards;
    let heal = |evening: &Evening, place: &Path| {
        if plan.heals {
            heal(evening, place, wound)
        } else {
            (Outcome::Found, String::new())
        }
    };
    let before = files(place);
    if !was_here(place) {
        // Beside the club's key that is a question.
        return (Outcome::NotOffered, "nothing is left".to_owned());
    }
    match Store::open_guarded(place, guards) {
        Ok(mut store) => {
            while matches!(store.checked(), Checked::Underway(_)) {
                store.check_on();
            }
            if let Checked::Damaged(what) = store.checked() {
                // Found while the room plays; the lamp is red, and the next start asks.
                let what = what.to_string();
                drop(store);
                return match Store::open_guarded(place, guards) {
                    Err(StoreError::Damaged { .. }) => heal(evening, place),
                    _ => (Outcome::NotOffered, what),
                };
            }
            match everything(&store) {
                Ok(all) if all == evening.truth => (Outcome::Unharmed, String::new()),
                Ok(_) => (Outcome::Silent, String::new()),
                // The start reads all this, and asks about what it can't read.
                Err(_) => {
                    drop(store);
                    heal(evening, place)
                }
            }
        }
        Err(StoreError::Damaged { .. }) => {
            if files(place) == before {
                heal(evening, place)
            } else {
                (Outcome::Touched, String::new())
            }
        }
        Err(other) => (Outcome::NotOffered, other.to_string()),
    }
}

fn heal(evening: &Evening, place: &Path, wound: &Wound) -> (Outcome, String) {
    let rescued = match rescue(place, Moment(1_794_900_000_000)) {
        Ok(rescued) => rescued,
        Err(fault) => return (Outcome::NotRescued, fault.to_string()),
    };
    let store = match Store::open(place) {
        Ok(store) => store,
        Err(fault) => return (Outcome::NotRescued, fault.to_string()),
    };
    let all = match everything(&store) {
        Ok(all) => all,
        Err(fault) => return (Outcome::NotRescued, fault),
    };
    let known: HashSet<u64> = evening.truth.values().filter_map(|it| it.content).collect();
    // The last record tells of the rescue itself.
    let told = store.last().0;
    let unknown = |said: &Said| said.content.is_some_and(|it| !known.contains(&it));
    let invented: Vec<u64> = all
        .iter()
        .filter(|(seq, said)| **seq != told && unknown(said))
        .map(|(seq, _)| *seq)
        .collect();
    if !invented.is_empty() {
        let of = evening.truth.len();
        return (
            Outcome::Invented,
            format!("{invented:?} of {of} records; {rescued}"),
        );
    }
    if rescued.strange > 0 && !wound.brings_strangers() {
        return (Outcome::ThrownAway, rescued.to_string());
    }
    let whole = evening
        .truth
        .iter()
        .all(|(seq, said)| all.get(seq) == Some(said));
    match evening.ask_pads(store) {
        Ok(0) if whole => (Outcome::SavedWhole, String::new()),
        Ok(0) => (Outcome::SavedWithPads, String::new()),
        Ok(missing) => (Outcome::ResultLost, format!("{missing} results; {rescued}")),
        Err(fault) => (Outcome::NotRescued, fault),
    }
}

/// The key as the start settles it, with what the journal and the copy know of it.
fn of_key(place: &Path) -> Outcome {
    let settled = || -> Result<_, ServeError> {
        let mut store = Store::open(place)?;
        let state = State::replay(&store)?;
        key_of_club(place, &place.join(KEY_NAME), &mut store, &state, false)
    };
    match settled() {
        Ok(key) if key.bytes() == &wounds::KEY => Outcome::Unharmed,
        Ok(_) => Outcome::OtherKey,
        Err(ServeError::Key(fault)) if fault.is_question() => Outcome::Asked,
        Err(_) => Outcome::NotOffered,
    }
}

/// The certificate: the club's own, a sentence that says what to do, or a new one where both of its
/// files are gone.
fn of_certificate(evening: &Evening, place: &Path) -> Outcome {
    match club_certificate(place, None) {
        Ok(made) if made.fingerprint == evening.fingerprint => Outcome::Unharmed,
        Ok(_) => Outcome::OtherKey,
        Err(_) => Outcome::Asked,
    }
}

/// What is shown when the whole folder is exchanged with an older one and no pad is in reach: the
/// number of records it opens with, and of those it had.
pub fn whole_older_folder() -> (u64, u64) {
    let evening = Evening::play(12, 0);
    let place = tempfile::tempdir().expect("a folder");
    copy_folder(evening.day_before.path(), place.path());
    let store = Store::open(place.path()).expect("nothing in it contradicts it");
    (store.last().0, evening.truth.len() as u64)
}
