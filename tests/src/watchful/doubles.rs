//! How well a forgotten double can be told at all by a detector that knows the tricks, double dummy,
//! the vulnerability, the lead and the whole field.
//!
//! Contracts that failed are sorted into classes by all of that. Within a class a forgotten double
//! and a contract that nobody doubled look the same, so at a given number of false alarms the best
//! detector flags whole classes in order of their share of doubled contracts (the lemma of Neyman
//! and Pearson). The order is learned on some evenings and judged on others: judged on its own
//! evenings, a detector with so many classes would know each of their contracts by heart.
//!
//! That holds for the evenings that [`clean`] makes up: their doubles are drawn by how far a
//! contract is overbid and by nothing else, so nothing else can tell them. In a real room a double
//! may show in more. What the rule of the base finds is asked of the base's own checks.

use std::collections::BTreeMap;

use base_station::checks::{Kind, Line, LineId, Room, check_board};
use protocol::words::{BoardNumber, BoardResult, Doubling, Played, SectionLetter};

use super::evening::{Evening, News, clean};

/// What is known of a failed contract but whether it was doubled.
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
    /// Whether declarer's side was vulnerable.
    vulnerable: bool,
    /// Whether a trump was led, where the lead was entered: a double often asks for one.
    trump_led: Option<bool>,
}

/// What was counted.
#[derive(Clone, Debug, Default)]
pub struct Doubles {
    /// Results that were played.
    pub results: usize,
    /// Contracts that failed doubled, and undoubled.
    pub failed: [usize; 2],
    /// Doubles that the base finds when they are forgotten, and its false alarms.
    pub rule: [usize; 2],
    classes: BTreeMap<Class, [usize; 2]>,
}

impl Doubles {
    /// Counts on clean evenings, from this seed on, until so many results have come.
    pub fn count(seed: u64, results: usize) -> Self {
        let mut all = Self::default();
        // Every third seed is the real evening again, whose doubles would be learned by heart.
        for seed in (seed..).filter(|seed| seed % 3 != 0) {
            if all.results >= results {
                break;
            }
            all.add(&clean(seed));
        }
        all
    }

    /// Counts one evening.
    pub fn add(&mut self, evening: &Evening) {
        let (movement, deals) = (evening.movement.clone(), evening.deals.clone());
        let mut room = Room::new(SectionLetter::A, movement, deals);
        let mut boards: BTreeMap<BoardNumber, Vec<(LineId, Line, Played)>> = BTreeMap::new();
        for (_, news) in &evening.news {
            if let News::Result(id, line) = news {
                self.results += 1;
                room.put(*id, *line);
                if let BoardResult::Played(played) = line.result {
                    boards
                        .entry(id.board)
                        .or_default()
                        .push((*id, *line, played));
                }
            }
        }
        for (board, field) in &boards {
            let played: Vec<Played> = field.iter().map(|(_, _, played)| *played).collect();
            self.rule[1] += asked_for(&room, *board).count();
            for (at, (id, line, own)) in field.iter().enumerate() {
                let Some(class) = class(evening, *board, &played, at) else {
                    continue;
                };
                let undoubled = own.contract.doubling == Doubling::Undoubled;
                self.failed[usize::from(undoubled)] += 1;
                self.classes.entry(class).or_default()[usize::from(undoubled)] += 1;
                if !undoubled {
                    room.put(*id, forgotten(line, *own));
                    let found = asked_for(&room, *board).any(|its| its == *id);
                    self.rule[0] += usize::from(found);
                    room.put(*id, *line);
                }
            }
        }
    }

    /// What a detector finds with so many false alarms that flags whole classes in the order of
    /// their share of doubled contracts on other evenings, in thousandths of all doubles.
    pub fn best(&self, learned: &Self, alarms: usize) -> usize {
        let mut classes: Vec<([usize; 2], [usize; 2])> = self
            .classes
            .iter()
            .map(|(class, counts)| (learned.seen(*class), *counts))
            .collect();
        // The largest share first. One of each more than was seen: a class that was never seen,
        // or once, proves little.
        classes.sort_by(|(one, _), (other, _)| {
            let (one, other) = (one.map(|it| it + 1), other.map(|it| it + 1));
            (other[0] * (one[0] + one[1])).cmp(&(one[0] * (other[0] + other[1])))
        });
        let (mut found, mut left) = (0, alarms);
        for (_, [doubled, undoubled]) in classes {
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

    fn seen(&self, class: Class) -> [usize; 2] {
        // Most failed contracts were not doubled: so it is with a class that nobody has seen.
        let [doubled, undoubled] = self.failed;
        let usual = [0, undoubled / doubled.max(1)];
        self.classes.get(&class).copied().unwrap_or(usual)
    }

    /// False alarms that finding this many thousandths of all doubles costs it.
    pub fn alarms_for(&self, learned: &Self, thousandths: usize) -> usize {
        let (mut low, mut high) = (0, self.failed[1]);
        while low < high {
            let middle = usize::midpoint(low, high);
            if self.best(learned, middle) >= thousandths {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        low
    }
}

/// The lines of a board that the base asks about because of their double.
fn asked_for(room: &Room, board: BoardNumber) -> impl Iterator<Item = LineId> {
    let findings = check_board(room, board).into_iter();
    findings.filter_map(move |finding| {
        let id = finding.id;
        let of_double = id.kind == Kind::MissingDouble;
        let line = LineId {
            board,
            round: id.round?,
            table: id.table?,
        };
        of_double.then_some(line)
    })
}

/// The same result as it stands if nobody enters the double.
fn forgotten(line: &Line, mut played: Played) -> Line {
    played.contract.doubling = Doubling::Undoubled;
    Line {
        result: BoardResult::Played(played),
        ..*line
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
        vulnerable: board.vulnerability().of(contract.declarer.side()),
        trump_led: played
            .lead
            .map(|card| contract.strain.trumps() == Some(card.suit)),
    })
}
