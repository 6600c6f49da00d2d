//! Plays evenings to the base and counts.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use base_station::checks::{Finding, Kind, Moment, Room, Watch};
use protocol::words::SectionLetter;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

use super::evening::{Evening, News, clean};
use super::mistakes::{Made, Mistake, Noticed, make};

/// The base looks at its clock this often.
const TICK_MS: u64 = 2 * 60_000;

/// Mistakes that an evening has at most.
const MISTAKES_MAX: usize = 5;

/// What became of the mistakes of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// How many were made.
    pub made: usize,
    /// How many were noticed, with the right answer offered.
    pub found: usize,
    /// How many of these with the right answer first.
    pub named_first: usize,
}

/// What the base found in many evenings.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// By mistake.
    pub shares: BTreeMap<Mistake, Share>,
    /// Findings on clean evenings, by kind.
    pub alarms: BTreeMap<Kind, usize>,
    /// Results of clean evenings.
    pub clean_results: usize,
    /// Findings at tables of spoiled evenings at which nothing went wrong.
    pub alarms_beside: BTreeMap<Kind, usize>,
    /// Results at these tables.
    pub results_beside: usize,
    /// Time that the checks took for all results.
    pub spent: Duration,
    /// The most that one result took.
    pub slowest: Duration,
    /// Results that were looked at.
    pub looked_at: usize,
}

impl Tally {
    /// Plays clean evenings, from this seed on, until so many results have come.
    pub fn play_clean(&mut self, seed: u64, results: usize) {
        let mut seed = seed;
        while self.clean_results < results {
            let evening = clean(seed);
            seed += 1;
            self.clean_results += evening.results();
            // A finding that comes again with another sentence is still one.
            let raised = self.play(&evening, true);
            let once: BTreeSet<_> = raised.iter().map(|finding| finding.id).collect();
            for id in once {
                *self.alarms.entry(id.kind).or_default() += 1;
            }
        }
    }

    /// Plays evenings with one to five mistakes until there are so many of each of these.
    pub fn play_spoiled(
        &mut self,
        seed: u64,
        mistakes: &[Mistake],
        each: usize,
        confirmation: bool,
    ) {
        let mut seed = seed;
        while let wanting = self.wanting(mistakes, each)
            && !wanting.is_empty()
        {
            let (evening, made) = spoil(seed, wanting);
            seed += 1;
            let raised = self.play(&evening, confirmation);
            for made in &made {
                let share = self.shares.entry(made.mistake).or_default();
                share.made += 1;
                let noticed = made.noticed(&raised);
                share.found += usize::from(noticed >= Noticed::Found);
                share.named_first += usize::from(noticed == Noticed::NamedFirst);
            }
            self.count_beside(&evening, &made, &raised);
        }
    }

    fn wanting(&self, mistakes: &[Mistake], each: usize) -> Vec<Mistake> {
        let made = |mistake: &Mistake| self.shares.get(mistake).map_or(0, |share| share.made);
        let mut wanting = mistakes.to_vec();
        wanting.retain(|mistake| made(mistake) < each);
        wanting
    }

    fn count_beside(&mut self, evening: &Evening, made: &[Made], raised: &[Finding]) {
        let spoiled: BTreeSet<_> = made.iter().flat_map(|made| made.tables.clone()).collect();
        self.results_beside += evening
            .news
            .iter()
            .filter(|(_, news)| match news {
                News::Result(id, _) => !spoiled.contains(&id.table),
                _ => false,
            })
            .count();
        let seen: BTreeSet<_> = raised.iter().map(|finding| finding.id).collect();
        for id in seen {
            if id.table.is_none_or(|table| !spoiled.contains(&table)) {
                *self.alarms_beside.entry(id.kind).or_default() += 1;
            }
        }
    }

    /// Everything that the director would have been told, in order.
    pub fn play(&mut self, evening: &Evening, confirmation: bool) -> Vec<Finding> {
        self.play_and_watch(evening, confirmation).0
    }

    /// The same, and what stands at the end.
    pub fn play_and_watch(
        &mut self,
        evening: &Evening,
        confirmation: bool,
    ) -> (Vec<Finding>, Watch) {
        let room = Room::new(
            SectionLetter::A,
            evening.movement.clone(),
            evening.deals.clone(),
        );
        let mut watch = Watch::new(room);
        watch.look();
        let mut raised = Vec::new();
        let mut ticked = Moment(0);
        for (at, news) in &evening.news {
            if at.since_ms(ticked) >= TICK_MS {
                ticked = *at;
                raised.extend(watch.tick());
            }
            let started = Instant::now();
            match *news {
                News::Result(id, line) => watch.line(id, Some(line)),
                News::Pairs(table, round, pairs) if confirmation => {
                    watch.pairs(table, round, Some(pairs));
                }
                News::Wanted(table, round, board) => watch.wanted(table, round, board, true),
                News::Pairs(..) => continue,
            }
            raised.extend(watch.look());
            if matches!(news, News::Result(..)) {
                let spent = started.elapsed();
                self.spent += spent;
                self.slowest = self.slowest.max(spent);
                self.looked_at += 1;
            }
        }
        (raised, watch)
    }

    /// What became of the mistakes of one kind.
    pub fn share(&self, mistake: Mistake) -> Share {
        self.shares.get(&mistake).copied().unwrap_or_default()
    }

    /// Findings on clean evenings, each counted once.
    pub fn false_alarms(&self) -> usize {
        self.alarms.values().sum()
    }
}

/// An evening with one to five of these mistakes, each at tables of its own.
fn spoil(seed: u64, mut wanting: Vec<Mistake>) -> (Evening, Vec<Made>) {
    let mut evening = clean(seed);
    let mut rng = StdRng::seed_from_u64(seed ^ 0x5EED);
    wanting.shuffle(&mut rng);
    let count = rng.random_range(1..=MISTAKES_MAX);
    let mut spoiled = BTreeSet::new();
    let mut made = Vec::new();
    for mistake in wanting.into_iter().cycle().take(MISTAKES_MAX * 4) {
        if made.len() == count {
            break;
        }
        if let Some(one) = make(mistake, &mut evening, &mut rng, &spoiled) {
            spoiled.extend(one.tables.iter().copied());
            made.push(one);
        }
    }
    (evening, made)
}
