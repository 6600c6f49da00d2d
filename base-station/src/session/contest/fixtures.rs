//! Which tables and boards make a match: two tables at the same time, two halves of a triangle or
//! an American Whist, or several stanzas.

use std::collections::BTreeMap;

use contest::ContestantNumber;
use contest::draw::{Draw, Half, Pairing};
use protocol::words::{BoardNumber, RoundNumber, TableNumber};

use super::{Contest, Format};
use crate::movement::draw::troika;

/// A match with the places where it is played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::session) struct Fixture {
    /// The round in which it ends.
    pub(in crate::session) round: RoundNumber,
    /// Number, sides.
    pub(in crate::session) pairing: Pairing,
    /// Part by part: a match in stanzas has several.
    pub(in crate::session) parts: Vec<Part>,
    /// Of these the last ones are played because the match was level.
    pub(in crate::session) play_offs: usize,
    /// One of two matches of a triangle in one round: half as long, and worth half as much.
    pub(in crate::session) is_short: bool,
}

/// Boards of a match and the rooms they are played in: the first has home North-South.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::session) struct Part {
    pub(in crate::session) boards: Vec<BoardNumber>,
    pub(in crate::session) rooms: Vec<(RoundNumber, TableNumber)>,
}

impl Part {
    /// The round in which it ends.
    pub(in crate::session) fn ends(&self) -> Option<RoundNumber> {
        self.rooms.iter().map(|(round, _)| *round).max()
    }
}

impl Fixture {
    /// Where a board is played.
    pub(in crate::session) fn part_of(&self, board: BoardNumber) -> Option<&Part> {
        self.parts.iter().find(|it| it.boards.contains(&board))
    }

    /// The parts that were planned.
    pub(in crate::session) fn planned(&self) -> &[Part] {
        let more = self.parts.len().min(self.play_offs);
        &self.parts[..self.parts.len() - more]
    }

    /// The parts that are played because it was level.
    pub(in crate::session) fn play_offs(&self) -> &[Part] {
        &self.parts[self.planned().len()..]
    }

    /// Whether somebody plays it.
    pub(in crate::session) fn is_of(&self, number: ContestantNumber) -> bool {
        [self.pairing.home, self.pairing.away].contains(&number)
    }

    /// Whether a part of it is played in a round.
    pub(in crate::session) fn is_in(&self, round: RoundNumber) -> bool {
        let mut rooms = self.parts.iter().flat_map(|it| &it.rooms);
        rooms.any(|(of, _)| *of == round)
    }

    /// Its tables, each once.
    pub(in crate::session) fn tables(&self) -> Vec<TableNumber> {
        let mut tables: Vec<TableNumber> = Vec::new();
        for (_, table) in self.parts.iter().flat_map(|it| &it.rooms) {
            if !tables.contains(table) {
                tables.push(*table);
            }
        }
        tables
    }

    /// Whether a table plays it in a round.
    pub(in crate::session) fn is_at(&self, table: TableNumber, round: RoundNumber) -> bool {
        let mut rooms = self.parts.iter().flat_map(|it| &it.rooms);
        rooms.any(|room| *room == (round, table))
    }
}

impl Contest {
    /// All matches that are drawn, round by round.
    pub(in crate::session) fn fixtures(&self) -> Vec<Fixture> {
        let mut all = Vec::new();
        if self.plan.format == Format::HeadToHead {
            all = self.stanzas();
        }
        let rounds = self.rounds.iter();
        let rounds = rounds.filter(|_| self.plan.format != Format::HeadToHead);
        let mut of_halves = Vec::new();
        let mut halves: BTreeMap<(ContestantNumber, ContestantNumber, u8), (RoundNumber, Half)> =
            BTreeMap::new();
        for (round, drawn) in rounds {
            for pairing in &drawn.draw.matches {
                all.push(Fixture {
                    round: *round,
                    pairing: pairing.clone(),
                    parts: vec![Part {
                        boards: self.plan.boards_of_match(*round, pairing).iter().collect(),
                        rooms: self.rooms(*round, pairing.table),
                    }],
                    play_offs: 0,
                    is_short: false,
                });
            }
            for half in &drawn.draw.halves {
                let mate = (half.ew, half.ns, half.first_board);
                let Some((earlier, first)) = halves.remove(&mate) else {
                    halves.insert((half.ns, half.ew, half.first_board), (*round, *half));
                    continue;
                };
                of_halves.push(all.len());
                all.push(Fixture {
                    round: *round,
                    pairing: Pairing {
                        table: half.table,
                        home: first.ns,
                        away: first.ew,
                        rematch: false,
                        first_board: None,
                    },
                    parts: vec![Part {
                        boards: self.plan.boards_of_half(half).iter().collect(),
                        rooms: vec![(earlier, first.table), (*round, half.table)],
                    }],
                    play_offs: 0,
                    is_short: half.boards.is_some(),
                });
            }
        }
        // The draw says it of whole matches.
        for at in of_halves {
            let [home, away] = [all[at].pairing.home, all[at].pairing.away];
            let met = |one, other| [one, other] == [home, away] || [one, other] == [away, home];
            let mut before = self.plan.earlier_matches();
            all[at].pairing.rematch = before.any(|it| met(it.home, it.away))
                || all[..at]
                    .iter()
                    .any(|it: &Fixture| met(it.pairing.home, it.pairing.away));
        }
        for fixture in &mut all {
            for part in &mut fixture.parts {
                let ends = part.ends().unwrap_or(fixture.round);
                for board in &mut part.boards {
                    let place = (ends, fixture.pairing.table, *board);
                    *board = self.replaced.get(&place).copied().unwrap_or(*board);
                }
            }
        }
        all
    }

    fn rooms(&self, round: RoundNumber, number: TableNumber) -> Vec<(RoundNumber, TableNumber)> {
        let tables = self.plan.tables_of(number).into_iter();
        tables.map(|table| (round, table)).collect()
    }

    /// The matches of contestants in twos, stanza by stanza.
    fn stanzas(&self) -> Vec<Fixture> {
        let mut all: Vec<Fixture> = Vec::new();
        for (round, drawn) in &self.rounds {
            for pairing in &drawn.draw.matches {
                let mut rooms = self.rooms(*round, pairing.table);
                let boards = self.plan.boards_of(*round).iter().collect();
                let more = usize::from(self.plan.is_play_off(*round));
                let both = |it: &&mut Fixture| it.is_of(pairing.home) && it.is_of(pairing.away);
                if let Some(known) = all.iter_mut().find(both) {
                    if known.pairing.home != pairing.home {
                        // The room in which home sits North-South comes first.
                        rooms.reverse();
                    }
                    known.round = *round;
                    known.pairing.table = pairing.table;
                    known.play_offs += more;
                    known.parts.push(Part { boards, rooms });
                    continue;
                }
                all.push(Fixture {
                    round: *round,
                    pairing: Pairing {
                        rematch: false,
                        ..pairing.clone()
                    },
                    parts: vec![Part { boards, rooms }],
                    play_offs: more,
                    is_short: false,
                });
            }
        }
        all
    }

    /// Who met in stanzas in the first of the rounds that are drawn, home first; that may have been on
    /// an earlier night.
    pub(super) fn in_twos(&self) -> Vec<(ContestantNumber, ContestantNumber)> {
        let mut before: Vec<_> = Vec::new();
        for own in self.plan.stanzas_before() {
            let known = |(home, away): &(_, _)| own.is_between(*home, *away);
            if !before.iter().any(known) {
                before.push((own.home, own.away));
            }
        }
        if !before.is_empty() {
            return before;
        }
        let first = self.rounds.values().next().into_iter();
        let matches = first.flat_map(|drawn| &drawn.draw.matches);
        matches.map(|it| (it.home, it.away)).collect()
    }

    /// Those of them who both play in a round.
    pub(super) fn still_in_twos(
        &self,
        round: RoundNumber,
    ) -> Vec<(ContestantNumber, ContestantNumber)> {
        let plays = |number| self.playing(round).any(|it| it.number == number);
        let mut known = self.in_twos();
        known.retain(|(home, away)| plays(*home) && plays(*away));
        known
    }

    /// The three whose triangle began in the round before this one.
    pub fn triangle_goes_on(&self, round: RoundNumber) -> Option<[ContestantNumber; 3]> {
        let mut open = None;
        for (_, drawn) in self.rounds.iter().filter(|(it, _)| **it < round) {
            let short = drawn.draw.halves.iter().any(|half| half.boards.is_some());
            open = match (open, drawn.draw.triangle) {
                // The second round of the one before, or all of it in one round.
                (Some(_), _) | (None, None) => None,
                (None, Some(_)) if short => None,
                (None, Some(three)) => Some(three),
            };
        }
        open
    }

    /// The three tables of a triangle in one round: North-South stay, East-West change after half
    /// the time, and every board is played both ways.
    pub(super) fn short_triangle_tables(
        &self,
        round: RoundNumber,
        three: [ContestantNumber; 3],
        draw: &Draw,
    ) -> Vec<Half> {
        let length = self.plan.boards / 2;
        let own = self.plan.first_of_set(u16::from(round.get()) - 1);
        // The third set belongs to this round alone.
        let extra = self.plan.first_of_set(u16::from(self.plan.rounds));
        let sets = [
            own,
            own.saturating_add(length),
            extra.saturating_add((round.get() - 1).saturating_mul(length)),
        ];
        let [one, two, three] = three;
        let tables = behind(draw);
        let chart = [
            (0, one, two, 0),
            (1, three, one, 1),
            (2, two, three, 2),
            (0, one, three, 1),
            (1, three, two, 2),
            (2, two, one, 0),
        ];
        let half = |(table, ns, ew, set): (usize, _, _, usize)| {
            Some(Half {
                table: tables.get(table).copied()?,
                ns,
                ew,
                first_board: sets[set],
                boards: Some(length),
            })
        };
        chart.into_iter().filter_map(half).collect()
    }

    /// Who sits at a table for a board of a triangle in one round: opponents change within it.
    pub(in crate::session) fn half_at(
        &self,
        round: RoundNumber,
        table: TableNumber,
        board: BoardNumber,
    ) -> Option<&Half> {
        let halves = &self.rounds.get(&round)?.draw.halves;
        halves.iter().find(|half| {
            half.boards.is_some()
                && half.table == table
                && self.plan.boards_of_half(half).contains(board)
        })
    }

    /// The tables of a triangle in its first or second round.
    pub(super) fn triangle_tables(
        &self,
        round: RoundNumber,
        three: [ContestantNumber; 3],
        draw: &Draw,
    ) -> Vec<Half> {
        let second = self.triangle_goes_on(round) == Some(three);
        let before = RoundNumber::new(round.get() - 1);
        let first_round = if second {
            before.unwrap_or(round)
        } else {
            round
        };
        let tables: Vec<TableNumber> = if second {
            let drawn = self.rounds.get(&first_round);
            drawn.map_or_else(Vec::new, |it| {
                it.draw.halves.iter().map(|half| half.table).collect()
            })
        } else {
            behind(draw)
        };
        let leg = if second { 2 } else { 1 };
        let round_set = u16::from(first_round.get()) - 1;
        // The third set belongs to no round, and to this triangle alone.
        let third = u16::from(self.plan.rounds) + round_set / 2;
        let sets = [round_set, round_set + 1, third];
        troika()
            .into_iter()
            .filter(|it| it.round.get() == leg)
            .zip(tables)
            .map(|(spot, table)| {
                let team = |number: ContestantNumber| three[usize::from(number.get()) - 1];
                let set = match spot.board_set {
                    'A' => sets[0],
                    'B' => sets[1],
                    _ => sets[2],
                };
                Half {
                    table,
                    ns: team(spot.ns_team),
                    ew: team(spot.ew_team),
                    first_board: self.plan.first_of_set(set),
                    boards: None,
                }
            })
            .collect()
    }

    /// The tables of a round of American Whist. The first and the last rounds of the chart are left
    /// out where fewer are played, or come on a further night.
    pub(super) fn whist_tables(&self, round: RoundNumber) -> Vec<Half> {
        let teams = i32::try_from(self.plan.contestants.len()).unwrap_or(i32::MAX);
        let before = i32::from(self.plan.rounds_before());
        let tonight = i32::from(self.plan.rounds);
        let skipped = (teams - 1 - before - tonight) / 2;
        // The two halves of a match are as far from the middle of the chart; its middle was played on
        // earlier nights.
        let own = i32::from(round.get());
        let chart = skipped + own + if own > tonight / 2 { before } else { 0 };
        let around = |number: i32| (number - 1).rem_euclid(teams) + 1;
        let team = |place: i32| {
            let at = usize::try_from(place - 1).unwrap_or_default();
            self.plan.contestants.get(at).map(|it| it.number)
        };
        let half = |table: i32| {
            let set = u16::try_from(around(table - chart) - 1).ok()?;
            Some(Half {
                table: u16::try_from(table).ok().and_then(TableNumber::new)?,
                ns: team(table)?,
                ew: team(around(table - 2 * chart))?,
                first_board: self.plan.first_of_set(set),
                boards: None,
            })
        };
        (1..=teams).filter_map(half).collect()
    }
}

/// Three tables behind those of the matches.
fn behind(draw: &Draw) -> Vec<TableNumber> {
    let last = draw.matches.iter().map(|it| it.table.get()).max();
    let behind = last.unwrap_or(0).saturating_mul(2);
    (1..=3)
        .filter_map(|at| TableNumber::new(behind + at))
        .collect()
}
