//! How many results each board has: what a pad is told of a board depends on the boards played
//! most, and a full evening must not be counted again for every result.

use std::collections::BTreeMap;

use protocol::words::{BoardNumber, SectionLetter};

use crate::session::concerns::{club_events, evening_events, pad_events, result_events};
use crate::session::{Cell, Event, Line, PairId, Session};

/// What an event may change about the number of results.
#[derive(Clone, Copy)]
pub(super) enum Counted {
    Nothing,
    /// One line, as it was before.
    Line(Cell, Option<Was>),
    Everything,
}

/// A line that counted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Was {
    ns: Option<PairId>,
    ew: Option<PairId>,
}

/// The one line that an event is about.
const fn one_line(event: &Event) -> Option<Cell> {
    if let Event::Entered { table, entry, .. } = event {
        Some(Cell::new(*table, entry.round, entry.board))
    } else if let Event::Ruled { cell, .. } | Event::PairsCorrected { cell, .. } = event {
        Some(*cell)
    } else {
        None
    }
}

/// Whether results go to other tables or pairs.
const fn moves_lines(event: &Event) -> bool {
    matches!(
        event,
        Event::PadsSwapped { .. } | Event::PadMoved { .. } | Event::MovementRevised { .. }
    )
}

impl Was {
    fn of(line: &Line) -> Option<Self> {
        line.counts().then_some(Self {
            ns: line.ns,
            ew: line.ew,
        })
    }

    fn shares_a_pair_with(self, line: &Line) -> bool {
        let has = |pair: Option<PairId>| pair.is_some() && (pair == line.ns || pair == line.ew);
        has(self.ns) || has(self.ew)
    }
}

/// The pairs of a line.
fn pairs_of(line: &Line) -> impl Iterator<Item = PairId> {
    let other = line.ew.filter(|ew| line.ns != Some(*ew));
    [line.ns, other].into_iter().flatten()
}

fn is_any_twice(mut pairs: Vec<PairId>) -> bool {
    pairs.sort_unstable();
    pairs.windows(2).any(|two| two[0] == two[1])
}

impl Session {
    pub(super) fn about_to_change(&self, event: &Event) -> Counted {
        let cell = match event {
            result_events!() => match one_line(event) {
                Some(cell) => cell,
                None => return Counted::Everything,
            },
            pad_events!() | evening_events!() | club_events!() => {
                return if moves_lines(event) {
                    Counted::Everything
                } else {
                    Counted::Nothing
                };
            }
        };
        Counted::Line(cell, self.lines.get(&cell).and_then(Was::of))
    }

    pub(super) fn count_results(&mut self, counted: Counted) {
        match counted {
            Counted::Nothing => {}
            Counted::Line(cell, before) => self.count_line(cell, before),
            Counted::Everything => {
                let mut boards: BTreeMap<_, (u32, Vec<PairId>)> = BTreeMap::new();
                for (cell, line) in self.lines.iter().filter(|(_, line)| line.counts()) {
                    let (results, pairs) = boards.entry((cell.section, cell.board)).or_default();
                    *results = results.saturating_add(1);
                    pairs.extend(pairs_of(line));
                }
                self.results.clear();
                self.doubled.clear();
                for (board, (results, pairs)) in boards {
                    self.results.insert(board, results);
                    if is_any_twice(pairs) {
                        self.doubled.insert(board);
                    }
                }
            }
        }
    }

    fn count_line(&mut self, cell: Cell, before: Option<Was>) {
        let now = self.lines.get(&cell).and_then(Was::of);
        if before == now {
            return;
        }
        let key = (cell.section, cell.board);
        let known = self.results.get(&key).copied().unwrap_or_default();
        let results = match (before, now) {
            (None, Some(_)) => known.saturating_add(1),
            (Some(_), None) => known.saturating_sub(1),
            (None, None) | (Some(_), Some(_)) => known,
        };
        if results > 0 {
            self.results.insert(key, results);
        } else {
            self.results.remove(&key);
        }
        if self.doubled.contains(&key) {
            self.look_for_a_double(cell.section, cell.board);
        } else if let Some(now) = now {
            let twice = self
                .counting(cell.section, cell.board)
                .any(|(other, line)| *other != cell && now.shares_a_pair_with(line));
            if twice {
                self.doubled.insert(key);
            }
        }
    }

    fn look_for_a_double(&mut self, section: SectionLetter, board: BoardNumber) {
        let lines = self.counting(section, board);
        let twice = is_any_twice(lines.flat_map(|(_, line)| pairs_of(line)).collect());
        if twice {
            self.doubled.insert((section, board));
        } else {
            self.doubled.remove(&(section, board));
        }
    }

    fn counting(
        &self,
        section: SectionLetter,
        board: BoardNumber,
    ) -> impl Iterator<Item = (&Cell, &Line)> {
        let lines = self.board_lines(section, board);
        lines.filter(|(_, line)| line.counts())
    }
}
