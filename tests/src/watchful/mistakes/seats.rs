//! Pads and pairs at the wrong table.

use base_station::checks::{Kind, LineId, Moment, PairsSeen, Remedy};
use protocol::words::{RoundNumber, TableNumber};
use rand::RngExt;
use rand::seq::IndexedRandom;

use super::super::evening::News;
use super::{Entered, Made, Scene};

/// North-South read the screen and correct it, where it is wrong.
const NS_CORRECT: f64 = 0.8;

/// East-West type their own number, so that few miss it.
const EW_CORRECT: f64 = 0.95;

/// The players ask for the board in front of them rather than enter it under the number shown.
const ASKS_FOR_BOARD: f64 = 0.85;

impl Scene<'_> {
    /// Two clean tables that play different boards and pairs in a round.
    fn two_tables(&mut self) -> Option<(RoundNumber, TableNumber, TableNumber)> {
        let any = self.any_result(|_| true)?;
        let round = any.id.round;
        let planned = self.evening.movement.round(round)?;
        let here = planned.at(any.id.table)?;
        let others: Vec<TableNumber> = planned
            .tables()
            .filter(|(table, there)| {
                *table != any.id.table
                    && there.is_played()
                    && there.boards != here.boards
                    && !self.spoiled.contains(table)
            })
            .map(|(table, _)| table)
            .collect();
        let other = *others.choose(self.rng)?;
        Some((round, any.id.table.min(other), any.id.table.max(other)))
    }

    fn say(&mut self, table: TableNumber, round: RoundNumber, pairs: PairsSeen) {
        for (_, news) in &mut self.evening.news {
            if matches!(news, News::Pairs(t, r, _) if *t == table && *r == round) {
                *news = News::Pairs(table, round, pairs);
            }
        }
    }

    fn results_at(&self, table: TableNumber, round: RoundNumber) -> Vec<Entered> {
        let mut results = self.results();
        results.retain(|e| e.id.table == table && e.id.round == round);
        results.sort_by_key(|e| e.time);
        results
    }

    pub(super) fn pads_swapped(&mut self) -> Option<Made> {
        let (round, one, other) = self.two_tables()?;
        let (here, there) = (self.results_at(one, round), self.results_at(other, round));
        for (pad, room, own, theirs) in [(one, other, &here, &there), (other, one, &there, &here)] {
            let shown = self.evening.movement.seating(round, pad)?.clone();
            let real = self.evening.movement.seating(round, room)?.clone();
            let ns_corrects = self.rng.random_bool(NS_CORRECT);
            let ew_corrects = self.rng.random_bool(EW_CORRECT);
            let pairs = PairsSeen {
                ns: if ns_corrects { real.ns } else { shown.ns },
                ew: if ew_corrects { real.ew } else { shown.ew },
            };
            self.say(pad, round, pairs);
            if self.rng.random_bool(ASKS_FOR_BOARD) {
                // The director comes, and the pads go back to where they belong.
                let board = real.boards.iter().next()?;
                let at = Moment(own.first()?.time.0 - 60_000);
                self.evening
                    .news
                    .push((at, News::Wanted(pad, round, board)));
            } else {
                for (entered, played_there) in own.iter().zip(theirs) {
                    self.set_result(*entered, played_there.line.result);
                }
            }
        }
        let answer = Remedy::SwapPads { with: other };
        let id = LineId {
            board: here.first()?.id.board,
            round,
            table: one,
        };
        let mut made = self.made(id, &[Kind::PadsSwapped], Some(answer));
        made.tables.push(other);
        made.board = None;
        Some(made)
    }

    pub(super) fn east_west_elsewhere(&mut self) -> Option<Made> {
        let (round, one, other) = self.two_tables()?;
        let here = self.evening.movement.seating(round, one)?.clone();
        let there = self.evening.movement.seating(round, other)?.clone();
        for (table, ns, ew) in [(one, here.ns, there.ew), (other, there.ns, here.ew)] {
            self.say(table, round, PairsSeen { ns, ew });
        }
        let id = LineId {
            board: here.boards.iter().next()?,
            round,
            table: one,
        };
        let mut made = self.made(id, &[Kind::EastWestElsewhere], None);
        made.tables.push(other);
        made.board = None;
        Some(made)
    }

    /// An East-West pair sits down where the boards are those it had before. (In a Mitchell a
    /// board that East-West had elsewhere has always been at the table itself, so that only
    /// pairs astray bring this about.)
    pub(super) fn pair_played_already(&mut self) -> Option<Made> {
        let entered = self.any_result(|e| e.id.round.get() > 1)?;
        let (id, time) = (entered.id, entered.time);
        let before: Vec<_> = self
            .results()
            .into_iter()
            .filter(|e| e.id.board == id.board && e.id.round < id.round && e.time < time)
            .filter(|e| e.line.ew != entered.line.ew)
            .map(|e| e.line.ew)
            .collect();
        let pairs = PairsSeen {
            ns: entered.line.ns,
            ew: *before.choose(self.rng)?,
        };
        self.say(id.table, id.round, pairs);
        Some(self.made(id, &[Kind::PairPlayedAlready], None))
    }

    pub(super) fn arrow_switch_missed(&mut self) -> Option<Made> {
        let any = self.any_result(|e| e.line.ns != e.line.ew)?;
        let pairs = PairsSeen {
            ns: any.line.ew,
            ew: any.line.ns,
        };
        self.say(any.id.table, any.id.round, pairs);
        let mut made = self.made(any.id, &[Kind::ArrowSwitchMissed], None);
        made.board = None;
        Some(made)
    }
}
