//! How well a forgotten double can be told at all: the best that any detector could do that knows
//! the tricks, double dummy and the whole field (the lemma of Neyman and Pearson).
//!
//! Contracts that failed are sorted into classes by everything that is known of them but the
//! double itself. Within a class a forgotten double and a contract that nobody doubled look the
//! same. No detector finds more, at a given number of false alarms, than the one that flags whole
//! classes in order of their share of doubled contracts. The classes are judged by the evenings
//! they were counted on, which flatters it.

use std::collections::BTreeMap;

use protocol::words::{BoardNumber, BoardResult, Doubling, Played};

use super::evening::{Evening, News, clean};

/// Everything known of a failed contract but whether it was doubled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Class {
    /// Tricks down, four or more as four.
    down: u8,
    /// Tricks bid above double dummy, from 0 to 4.
    too_high: u8,
    /// Tables at which the same side was doubled and failed in these trumps, two or more as two.
    doubled_elsewhere: u8,
    /// That was so at more than half of the tables at which it played them.
    usual: bool,
}

/// What was counted.
#[derive(Clone, Debug, Default)]
pub struct Doubles {
    /// Results that were played.
    pub results: usize,
    /// Contracts that failed doubled, and undoubled.
    pub failed: [usize; 2],
    classes: BTreeMap<Class, [usize; 2]>,
}

impl Doubles {
    /// Counts on clean evenings, from this seed on, until so many results have come.
    pub fn count(seed: u64, results: usize) -> Self {
        let mut all = Self::default();
        for seed in seed.. {
            if all.results >= results {
                break;
            }
            all.add(&clean(seed));
        }
        all
    }

    fn add(&mut self, evening: &Evening) {
        let mut boards: BTreeMap<BoardNumber, Vec<Played>> = BTreeMap::new();
        for (_, news) in &evening.news {
            if let News::Result(id, line) = news {
                self.results += 1;
                if let BoardResult::Played(played) = line.result {
                    boards.entry(id.board).or_default().push(played);
                }
            }
        }
        for (board, field) in &boards {
            for (at, played) in field.iter().enumerate() {
                let Some(class) = class(evening, *board, field, at) else {
                    continue;
                };
                let undoubled = usize::from(played.contract.doubling == Doubling::Undoubled);
                self.failed[undoubled] += 1;
                self.classes.entry(class).or_default()[undoubled] += 1;
            }
        }
    }

    /// Doubles that the base's rule would find, and its false alarms: more than half of the
    /// others were doubled in these trumps.
    pub fn rule(&self) -> [usize; 2] {
        let usual = self.classes.iter().filter(|(class, _)| class.usual);
        usual.fold([0, 0], |[found, alarms], (_, [doubled, undoubled])| {
            [found + doubled, alarms + undoubled]
        })
    }

    /// The most that can be found with so many false alarms, in thousandths of all doubles.
    pub fn best(&self, alarms: usize) -> usize {
        let mut classes: Vec<[usize; 2]> = self.classes.values().copied().collect();
        // By the share of doubled ones, the largest first.
        classes.sort_by(|one, other| {
            (other[0] * (one[0] + one[1])).cmp(&(one[0] * (other[0] + other[1])))
        });
        let (mut found, mut left) = (0, alarms);
        for [doubled, undoubled] in classes {
            if undoubled > left {
                // A part of the class, as a coin would choose it.
                found += doubled * left / undoubled;
                break;
            }
            found += doubled;
            left -= undoubled;
        }
        found * 1000 / self.failed[0].max(1)
    }

    /// False alarms that finding this many thousandths of all doubles costs.
    pub fn alarms_for(&self, thousandths: usize) -> usize {
        (0..=self.failed[1])
            .find(|alarms| self.best(*alarms) >= thousandths)
            .unwrap_or(self.failed[1])
    }
}

fn class(evening: &Evening, board: BoardNumber, field: &[Played], at: usize) -> Option<Class> {
    let played = field[at];
    let contract = played.contract;
    let down = u8::try_from(-contract.over(played.tricks))
        .ok()
        .filter(|down| *down > 0)?;
    let tricks = evening.deals.board(board)?.tricks?;
    let possible = tricks.get(contract.declarer, contract.strain)?.get();
    let same = |other: &Played| {
        other.contract.strain == contract.strain
            && other.contract.declarer.side() == contract.declarer.side()
    };
    let others = field
        .iter()
        .enumerate()
        .filter(|(its, it)| *its != at && same(it));
    let others: Vec<&Played> = others.map(|(_, it)| it).collect();
    let doubled = others.iter().filter(|it| {
        it.contract.doubling != Doubling::Undoubled
            && it.contract.over(it.tricks) < 0
            && it.contract.level <= contract.level
    });
    let doubled = doubled.count();
    Some(Class {
        down: down.min(4),
        too_high: contract
            .level
            .tricks_needed()
            .saturating_sub(possible)
            .min(4),
        doubled_elsewhere: u8::try_from(doubled.min(2)).ok()?,
        usual: doubled * 2 > others.len(),
    })
}
