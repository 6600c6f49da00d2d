//! What a centre is told of a session: as it was stated, as it is, and what must be said for the
//! one to become the other. So it does not matter how something came about: a correction, an undo
//! and an older copy of the journal are differences like any other.

use std::collections::{BTreeMap, BTreeSet};

use ::centre::{Line, PairName, PairSaid, Penalty, Place, Said, TableName, TableSaid};
use protocol::words::RoundNumber;

use super::plan::Partner;
use super::{Club, PairId, Phase, Session};
use crate::scoring;

/// Everything that is stated of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stated {
    lines: BTreeMap<Place, Line>,
    pairs: BTreeMap<PairName, PairSaid>,
    phase: ::centre::Phase,
    tables: BTreeMap<TableName, TableSaid>,
}

/// What a centre may know besides results.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Released {
    /// The players' names.
    pub names: bool,
    /// How far tables are and which of them call, for the director of a congress.
    pub tables: bool,
    /// Lists of their own in which pairs are ranked, too.
    pub categories: BTreeMap<PairId, String>,
}

impl Stated {
    /// The session as it is, as far as the club has released it.
    pub fn of(session: &Session, club: &Club, released: &Released) -> Self {
        let mut lines = BTreeMap::new();
        let mut pairs = BTreeSet::new();
        for (cell, line) in &session.lines {
            let Some(row) = session.row_of(*cell, line) else {
                continue;
            };
            pairs.extend([row.ns, row.ew].into_iter().flatten());
            let place = Place {
                section: cell.section,
                board: cell.board,
                round: cell.round,
                table: cell.table,
            };
            let line = Line {
                place,
                ns: row.ns.map(named),
                ew: row.ew.map(named),
                became: (&row.outcome).into(),
                form: row.form.0,
                fault: row.fault,
            };
            lines.insert(place, line);
        }
        let pairs = pairs.into_iter();
        let pairs = pairs.map(|pair| (named(pair), about(session, club, pair, released)));
        Self {
            lines,
            pairs: pairs.collect(),
            phase: match session.phase {
                Phase::SettingUp | Phase::Open => ::centre::Phase::Playing,
                Phase::Ended => ::centre::Phase::Over,
                Phase::Released => ::centre::Phase::Released,
            },
            tables: if released.tables {
                tables(session)
            } else {
                BTreeMap::new()
            },
        }
    }

    /// One more thing was said.
    pub fn hear(&mut self, said: &Said) {
        match said {
            Said::Line(line) => drop(self.lines.insert(line.place, line.clone())),
            Said::Gone(place) => drop(self.lines.remove(place)),
            Said::Pair(pair) => drop(self.pairs.insert(pair.pair, pair.clone())),
            Said::PairGone(pair) => drop(self.pairs.remove(pair)),
            Said::Phase(phase) => self.phase = *phase,
            Said::OlderCopy { .. } => {}
            Said::Table(table) => drop(self.tables.insert(table.table, *table)),
            Said::TableGone(table) => drop(self.tables.remove(table)),
        }
    }

    /// What is to be said so that this becomes that. What is taken away comes first, so that no pair
    /// has two results on a board in between; a club that stands by its results says so last, and one
    /// that no longer does says so first.
    pub fn until(&self, wanted: &Self) -> Vec<Said> {
        let mut said = Vec::new();
        if wanted.phase < self.phase {
            said.push(Said::Phase(wanted.phase));
        }
        let gone = self.lines.keys();
        let gone = gone.filter(|place| !wanted.lines.contains_key(place));
        said.extend(gone.map(|place| Said::Gone(*place)));
        let lines = wanted.lines.iter();
        let lines = lines.filter(|(place, line)| self.lines.get(place) != Some(line));
        said.extend(lines.map(|(_, line)| Said::Line(line.clone())));
        let gone = self.pairs.keys();
        let gone = gone.filter(|pair| !wanted.pairs.contains_key(pair));
        said.extend(gone.map(|pair| Said::PairGone(*pair)));
        let pairs = wanted.pairs.iter();
        let pairs = pairs.filter(|(name, pair)| self.pairs.get(name) != Some(pair));
        said.extend(pairs.map(|(_, pair)| Said::Pair(pair.clone())));
        let gone = self.tables.keys();
        let gone = gone.filter(|table| !wanted.tables.contains_key(table));
        said.extend(gone.map(|table| Said::TableGone(*table)));
        let tables = wanted.tables.iter();
        let tables = tables.filter(|(name, table)| self.tables.get(name) != Some(table));
        said.extend(tables.map(|(_, table)| Said::Table(*table)));
        if wanted.phase > self.phase {
            said.push(Said::Phase(wanted.phase));
        }
        said
    }
}

/// How far every table is.
fn tables(session: &Session) -> BTreeMap<TableName, TableSaid> {
    let tables = session.all_tables().map(|at| {
        let round = session.table_round(at);
        let cells = session.expected(at, round);
        let played = cells.iter().filter(|cell| session.is_in(**cell)).count();
        let count = |boards: usize| u8::try_from(boards).unwrap_or(u8::MAX);
        let table = TableName {
            section: at.section,
            table: at.table,
        };
        let called = session.tables.get(&at).and_then(|it| it.called);
        let said = TableSaid {
            table,
            round,
            played: count(played),
            boards: count(cells.len()),
            calls: called.is_some(),
            called: called.map(|at| at.0),
        };
        (table, said)
    });
    tables.collect()
}

/// A pair as a centre knows it.
const fn named(pair: PairId) -> PairName {
    PairName(scoring::Pair {
        section: pair.section,
        direction: pair.side,
        number: pair.number,
    })
}

fn about(session: &Session, club: &Club, pair: PairId, released: &Released) -> PairSaid {
    let is_pair = |other: PairId| session.ranked_as(other) == pair;
    // The roster knows a pair by the name it has at the table.
    let sides = [pair.side, None];
    let known = sides.into_iter().map(|side| PairId { side, ..pair });
    let name = |partner: Partner| {
        let mut known = known.clone();
        let round = RoundNumber::FIRST;
        let name = |pair| session.roster.name(club, pair, partner, round);
        known.find_map(|pair| Some(name(pair)).filter(|name| !name.is_empty()))
    };
    let players = [Partner::First, Partner::Second].map(name);
    let is_named = players.iter().any(Option::is_some);
    let penalties = session.penalties.values();
    let penalties = penalties
        .filter(|penalty| is_pair(penalty.pair))
        .filter_map(|penalty| session.counted_amount(penalty.amount));
    PairSaid {
        pair: named(pair),
        players: (released.names && is_named).then(|| players.map(Option::unwrap_or_default)),
        category: released.categories.get(&pair).cloned(),
        gone: session.gone.iter().any(|gone| is_pair(*gone)),
        penalties: penalties.map(stated_penalty).collect(),
    }
}

fn stated_penalty(penalty: scoring::Penalty) -> Penalty {
    let hundredths = |percent: scoring::Percent| u16::try_from(percent.0).unwrap_or_default();
    match penalty {
        scoring::Penalty::OfATop(share) => Penalty::OfATop(hundredths(share)),
        scoring::Penalty::Points(points) => Penalty::Points(points.ten_thousandths()),
        scoring::Penalty::Percent(share) => Penalty::Percent(hundredths(share)),
    }
}
