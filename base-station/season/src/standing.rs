//! Where everybody stands, and why.

use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BTreeSet};

use protocol::words::SessionId;
use serde::{Deserialize, Serialize};

use crate::cells::{self, pair_cells};
use crate::ties::{TieStep, apart};
use crate::{Contestants, Hundredths, Night, Partners, PlayerKey, Rules, Total};

pub use crate::cells::{Cell, Played};

/// A nominated pair's number in its competition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct EntryNumber(pub u16);

/// A nominated pair.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Its two players.
    pub players: [PlayerKey; 2],
    /// It plays no more.
    #[serde(default)]
    pub withdrawn: bool,
    /// It plays along and has no place.
    #[serde(default)]
    pub non_contending: bool,
}

/// Why a pair was away, and what it gets for that session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Absence {
    /// It represented its club or country: its average.
    Representing,
    /// It played another national championship: nine tenths of its average.
    OtherChampionship,
    /// It played on a play-offs day: its average, and at least 55%.
    PlayOffsDay,
}

/// What the director says about a nominated pair's session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Note {
    /// It was away with leave.
    Away(Absence),
    /// These two played for it.
    PlayedBy {
        /// As they stand in the session's ranking.
        players: [PlayerKey; 2],
        /// Both players were excused.
        excused: bool,
    },
    /// Nobody played for it.
    Nobody,
}

/// A competition and what it is played in.
#[derive(Clone, Copy, Debug)]
pub struct Competition<'a> {
    /// What counts.
    pub rules: &'a Rules,
    /// The sessions that were played, in order.
    pub nights: &'a [&'a Night],
    /// Nominated pairs.
    pub entries: &'a BTreeMap<EntryNumber, Entry>,
    /// What the director said about them.
    pub notes: &'a BTreeMap<(SessionId, EntryNumber), Note>,
    /// By player.
    pub handicaps: &'a BTreeMap<PlayerKey, Hundredths>,
}

/// A contestant's line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The nominated pair's number.
    pub entry: Option<EntryNumber>,
    /// One player or two.
    pub players: Vec<PlayerKey>,
    /// From 1; who shares it shares the number. `None` for who has no place, or none yet.
    pub place: Option<u32>,
    /// Whether it has one.
    pub status: Status,
    /// What it has, handicaps and all.
    pub total: Hundredths,
    /// What it has without handicaps, and its place by that.
    pub raw: (Hundredths, Option<u32>),
    /// Sessions that it played, substitutes included.
    pub sessions: u16,
    /// Of these without substitutes.
    pub own: u16,
    /// One for each session.
    pub cells: Vec<Cell>,
    /// What separates it from the one before, where both are level.
    pub decided_by: Option<TieStep>,
}

/// Whether a contestant has a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It meets every condition.
    Qualified,
    /// It still needs so many sessions.
    Needs(u16),
    /// It still needs another partner.
    NeedsPartner,
    /// It can have no place any more.
    Out(Why),
}

/// Why a contestant can have no place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// It played too few sessions.
    TooFew,
    /// It played too few without substitutes.
    TooFewOwn,
    /// One partner throughout.
    OnePartner,
    /// It plays no more.
    Withdrawn,
    /// It plays along only.
    NonContending,
}

impl Competition<'_> {
    /// Where everybody stands: those with a place first, then those who still need something, then
    /// those who can have none.
    pub fn standing(&self) -> Vec<Line> {
        let mut lines = match self.rules.contestants {
            Contestants::NominatedPairs => self.nominated(),
            Contestants::Pairs => self.pairs(),
            Contestants::Players => self.players(),
        };
        self.give_raw_places(&mut lines);
        lines.sort_by(|one, other| self.order(one, other));
        self.give_places(&mut lines);
        lines
    }

    /// Sessions still to come.
    fn sessions_left(&self) -> u16 {
        let played = u16::try_from(self.nights.len()).unwrap_or(u16::MAX);
        self.rules.sessions.saturating_sub(played)
    }

    fn nominated(&self) -> Vec<Line> {
        let entries = self.entries.iter();
        entries
            .map(|(number, entry)| {
                let cells = pair_cells(self, *number, entry);
                let mut line = self.line(entry.players.to_vec(), cells);
                line.entry = Some(*number);
                if entry.non_contending {
                    line.status = Status::Out(Why::NonContending);
                } else if entry.withdrawn && line.status != Status::Qualified {
                    line.status = Status::Out(Why::Withdrawn);
                }
                line
            })
            .collect()
    }

    fn pairs(&self) -> Vec<Line> {
        let all = self.nights.iter().flat_map(|night| &night.lines);
        let pairs: BTreeSet<[PlayerKey; 2]> = all
            .filter_map(|line| {
                let [Some(one), Some(other)] = line.players.clone() else {
                    return None;
                };
                let mut pair = [one, other];
                pair.sort();
                pair.iter().all(|it| self.may_play(it)).then_some(pair)
            })
            .collect();
        let lines = pairs.into_iter().map(|pair| {
            let cells = cells::open_pair(self, &pair);
            self.line(pair.to_vec(), cells)
        });
        lines.filter(|line| line.sessions > 0).collect()
    }

    fn players(&self) -> Vec<Line> {
        let all = self.nights.iter().flat_map(|night| &night.lines);
        let players: BTreeSet<PlayerKey> = all
            .flat_map(|line| line.players.iter().flatten().cloned())
            .filter(|player| self.may_play(player))
            .collect();
        let lines = players.into_iter().map(|player| {
            let cells = cells::player(self, &player);
            self.line(vec![player], cells)
        });
        lines.filter(|line| line.sessions > 0).collect()
    }

    fn may_play(&self, player: &PlayerKey) -> bool {
        !self.rules.members_only || matches!(player, PlayerKey::Number(_))
    }

    /// A contestant's line, without its place.
    fn line(&self, players: Vec<PlayerKey>, mut cells: Vec<Cell>) -> Line {
        let status = self.status(&cells);
        if matches!(status, Status::Out(_)) {
            // What a pair gets for a session that it missed is for those who can have a place.
            for cell in &mut cells {
                if matches!(cell.played, Played::Away(_)) {
                    (cell.counted, cell.raw_counted) = (None, None);
                }
            }
        }
        let total = self.added(&mut cells);
        let raw = self.added_up(cells.iter().filter_map(|cell| cell.raw_counted).collect());
        Line {
            entry: None,
            players,
            place: None,
            status,
            total,
            raw: (raw, None),
            sessions: played(&cells, Played::is_represented),
            own: played(&cells, |it| matches!(it, Played::Own)),
            cells,
            decided_by: None,
        }
    }

    fn status(&self, cells: &[Cell]) -> Status {
        let rules = self.rules;
        let lacks = rules
            .to_qualify
            .saturating_sub(played(cells, Played::is_represented));
        let lacks_own = rules
            .own
            .saturating_sub(played(cells, |it| matches!(it, Played::Own)));
        if lacks > self.sessions_left() {
            return Status::Out(Why::TooFew);
        }
        if lacks_own > self.sessions_left() {
            return Status::Out(Why::TooFewOwn);
        }
        if lacks.max(lacks_own) > 0 {
            return Status::Needs(lacks.max(lacks_own));
        }
        let partners: BTreeSet<&PlayerKey> =
            cells.iter().filter_map(|it| it.partner.as_ref()).collect();
        if rules.partners == Partners::MustChange && partners.len() < 2 {
            return if self.sessions_left() == 0 {
                Status::Out(Why::OnePartner)
            } else {
                Status::NeedsPartner
            };
        }
        Status::Qualified
    }

    /// Adds the best sessions up, and marks them.
    fn added(&self, cells: &mut [Cell]) -> Hundredths {
        let mut best: Vec<(Hundredths, usize)> = cells
            .iter()
            .enumerate()
            .filter_map(|(at, cell)| Some((cell.counted?, at)))
            .collect();
        // Of equal ones the earlier counts.
        best.sort_by_key(|(counted, at)| (Reverse(*counted), *at));
        best.truncate(self.rules.to_count.into());
        for (_, at) in &best {
            cells[*at].in_total = true;
        }
        self.added_up(best.into_iter().map(|(counted, _)| counted).collect())
    }

    fn added_up(&self, mut scores: Vec<Hundredths>) -> Hundredths {
        scores.sort_by_key(|score| Reverse(*score));
        scores.truncate(self.rules.to_count.into());
        match self.rules.total {
            Total::Sum => scores.into_iter().sum(),
            Total::Mean => Hundredths::mean(&scores).unwrap_or_default(),
        }
    }

    /// Whether a contestant has a place. A sum tells who leads while sessions are to come; a mean
    /// of the few that somebody played would not.
    fn is_placed(&self, line: &Line) -> bool {
        match line.status {
            Status::Qualified => true,
            Status::Needs(_) => self.rules.total == Total::Sum && line.sessions > 0,
            Status::NeedsPartner | Status::Out(_) => false,
        }
    }

    fn order(&self, one: &Line, other: &Line) -> Ordering {
        let key = |line: &Line| {
            let out = matches!(line.status, Status::Out(_));
            (!self.is_placed(line), out, Reverse(line.total))
        };
        key(one)
            .cmp(&key(other))
            .then_with(|| one.players.cmp(&other.players))
    }

    /// A tie reaches down from the best of its group and no further, so that nobody shares a place
    /// with somebody who is further ahead than that.
    fn give_places(&self, lines: &mut [Line]) {
        let placed = lines.partition_point(|line| self.is_placed(line));
        let lines = &mut lines[..placed];
        let mut at = 0;
        while at < lines.len() {
            let best = lines[at].total;
            let level = lines[at..].partition_point(|it| {
                i64::from(best.0) - i64::from(it.total.0) <= i64::from(self.rules.level_within.0)
            });
            let group = &mut lines[at..at + level];
            group.sort_by(|one, other| apart(self.rules.ties, &one.cells, &other.cells).0);
            let mut place = at;
            for index in 0..group.len() {
                if let Some(before) = index.checked_sub(1) {
                    let (_, step) =
                        apart(self.rules.ties, &group[before].cells, &group[index].cells);
                    if step.is_some() {
                        place = at + index;
                    }
                    group[index].decided_by = step;
                }
                group[index].place = Some(number(place + 1));
            }
            at += level;
        }
    }

    /// Places by what was scored, without handicaps.
    fn give_raw_places(&self, lines: &mut [Line]) {
        let mut totals: Vec<Hundredths> = lines
            .iter()
            .filter(|line| self.is_placed(line))
            .map(|line| line.raw.0)
            .collect();
        totals.sort_by_key(|total| Reverse(*total));
        for line in lines.iter_mut() {
            if self.is_placed(line) {
                let ahead = totals.partition_point(|total| *total > line.raw.0);
                line.raw.1 = Some(number(ahead + 1));
            }
        }
    }
}

fn played(cells: &[Cell], is_counted: impl Fn(&Played) -> bool) -> u16 {
    let count = cells.iter().filter(|cell| is_counted(&cell.played)).count();
    u16::try_from(count).unwrap_or(u16::MAX)
}

fn number(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}
