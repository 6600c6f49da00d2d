//! Where everybody is and goes, and what is missing: the movement beside what has come in.

use protocol::message::{NextPlace, RoundSheet};
use protocol::words::{BoardNumber, Epoch, PadId, RoundNumber, Side};

use super::plan::{Ruling, Sitting};
use super::{Cell, Moment, Phase, Session, TableId};
use crate::movement::BoardSet;

/// With this many boards missing at a table the director should replace its pad.
pub const MISSING_TO_REPLACE: usize = 3;

/// No board is dealt out, bid, played or passed out, and entered in less than this.
const QUICKEST_BOARD_MS: u64 = 90_000;

/// How late a table is with a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub enum Lateness {
    /// The table has gone on to a later round without it.
    TableMovedOn,
    /// The round's time is over.
    TimeOver,
}

impl Session {
    /// The tables of all sections.
    pub fn all_tables(&self) -> impl Iterator<Item = TableId> + '_ {
        self.sections.iter().flat_map(|(letter, section)| {
            section.tables().map(|table| TableId {
                section: *letter,
                table,
            })
        })
    }

    /// The round a table is in: it ends when the first result of the next one is agreed there,
    /// or when the director ends it.
    pub fn table_round(&self, table: TableId) -> RoundNumber {
        let last = self
            .sections
            .get(&table.section)
            .map_or(RoundNumber::FIRST, super::Section::last_round);
        let story = self.tables.get(&table);
        let agreed = story.and_then(|table| table.agreed_in);
        let after = story
            .and_then(|table| table.ended)
            .and_then(RoundNumber::next);
        agreed.max(after).unwrap_or(RoundNumber::FIRST).min(last)
    }

    /// The round the room is in: the clock's, or else the one that most tables are in.
    pub fn room_round(&self) -> RoundNumber {
        if let Some(clock) = self.clock {
            return clock.round;
        }
        let mut rounds: Vec<RoundNumber> = self
            .all_tables()
            .map(|table| self.table_round(table))
            .collect();
        rounds.sort_unstable();
        rounds
            .get(rounds.len() / 2)
            .copied()
            .unwrap_or(RoundNumber::FIRST)
    }

    /// The lines that a table is to fill in a round.
    pub fn expected(&self, table: TableId, round: RoundNumber) -> Vec<Cell> {
        self.sitting(table, round)
            .filter(|sitting| sitting.is_played())
            .map(|sitting| {
                let boards = sitting.boards.iter();
                boards.map(|board| Cell::new(table, round, board)).collect()
            })
            .unwrap_or_default()
    }

    /// Whether a result stands there.
    pub fn is_in(&self, cell: Cell) -> bool {
        self.lines.get(&cell).is_some_and(super::Line::is_in)
    }

    /// Whether nobody has still to play a board: every table that is to play it has its result in,
    /// or play is over and no table is to play it later. A board that is on no sheet may come into
    /// play with a change of the movement.
    pub fn everybody_has_played(&self, board: BoardNumber) -> bool {
        let of_board = self.lines.iter().filter(|(cell, _)| cell.board == board);
        let mut later = of_board.filter(|(_, line)| matches!(line.ruling, Ruling::LatePlay));
        match self.phase {
            Phase::Released => true,
            Phase::Ended => later.next().is_none(),
            Phase::SettingUp | Phase::Open => {
                let planned: Vec<Cell> = self.planned(board).collect();
                !planned.is_empty()
                    && planned.iter().all(|cell| self.is_in(*cell))
                    && later.next().is_none()
            }
        }
    }

    /// Where a board is to be played.
    fn planned(&self, board: BoardNumber) -> impl Iterator<Item = Cell> {
        self.sections.iter().flat_map(move |(&section, plan)| {
            let sittings = plan.sittings.values();
            sittings
                .filter(move |it| it.is_played() && it.boards.contains(board))
                .map(move |sitting| {
                    let table = TableId {
                        section,
                        table: sitting.table,
                    };
                    Cell::new(table, sitting.round, board)
                })
        })
    }

    /// Boards that should be in by now and are not, with the reason to think so.
    pub fn missing(&self, now: Moment) -> Vec<(Cell, Lateness)> {
        if self.phase == Phase::SettingUp {
            return Vec::new();
        }
        let over = self.rounds_over(now);
        let mut missing = Vec::new();
        for table in self.all_tables() {
            let at = self.table_round(table);
            let Some(section) = self.sections.get(&table.section) else {
                continue;
            };
            for sitting in section.sheets(table.table) {
                let lateness = if self.phase >= Phase::Ended || sitting.round < at {
                    Lateness::TableMovedOn
                } else if Some(sitting.round) <= over {
                    Lateness::TimeOver
                } else {
                    break;
                };
                missing.extend(
                    self.expected(table, sitting.round)
                        .into_iter()
                        .filter(|cell| !self.is_in(*cell))
                        .map(|cell| (cell, lateness)),
                );
            }
        }
        missing
    }

    /// Boards that a pad may hold which is being replaced now: those of the round in play that the
    /// table can have finished since the last one that came from it. A pad sends the oldest first
    /// and at once, so whatever was agreed before that has come.
    pub(super) fn may_have_held(&self, table: TableId, old: PadId, now: Moment) -> Vec<Cell> {
        let Some(pad) = self.pads.get(&old) else {
            return Vec::new();
        };
        let since = pad.entered.map_or(pad.since, |(at, _)| at.max(pad.since));
        let boards = usize::try_from(now.since_ms(since) / QUICKEST_BOARD_MS).unwrap_or(usize::MAX);
        let cells = self.expected(table, self.table_round(table));
        let last = pad.entered.map(|(_, cell)| cell);
        let from = cells.iter().position(|cell| Some(*cell) == last);
        let (before, behind) = cells.split_at(from.map_or(0, |at| at + 1));
        let open = behind.iter().chain(before).copied();
        open.filter(|cell| !self.is_in(*cell))
            .take(boards)
            .collect()
    }

    /// Boards that went with a pad that was replaced, as long as their round is being played and
    /// nobody has entered them again: nobody but the players knows whether they were agreed.
    pub fn lost_with_pads(&self) -> Vec<(TableId, Epoch, Vec<Cell>)> {
        let offered = |cell: &Cell| {
            let kept = |kept: &super::KeptEntry| {
                Cell::new(kept.table, kept.entry.round, kept.entry.board) == *cell
            };
            self.kept.values().any(kept)
        };
        let mut asked = Vec::new();
        for (table, story) in &self.tables {
            let Some(lost) = &story.lost else { continue };
            let round = self.table_round(*table);
            let open = lost
                .cells
                .iter()
                .filter(|cell| cell.round == round && !self.is_in(**cell) && !offered(cell));
            let open: Vec<Cell> = open.copied().collect();
            if !open.is_empty() {
                asked.push((*table, lost.epoch, open));
            }
        }
        asked
    }

    /// The last round whose time is over by the clock.
    fn rounds_over(&self, now: Moment) -> Option<RoundNumber> {
        let clock = self.clock?;
        let before = RoundNumber::new(clock.round.get() - 1);
        match clock.until {
            super::ClockUntil::Ends(end) if now > end => Some(clock.round),
            _ => before,
        }
    }

    /// The table's sheet for a round, as pads know it. Boards that do not follow each other are
    /// beyond a sheet's words: they come as boards allowed.
    pub fn round_sheet(&self, table: TableId, sitting: &Sitting) -> RoundSheet {
        let half = self.half_in_play(table, sitting);
        let (ns, ew, boards) = match &half {
            Some((half, boards)) => (Some(half.ns), Some(half.ew), boards),
            None if sitting.arrow_switched => (sitting.ew, sitting.ns, &sitting.boards),
            None => (sitting.ns, sitting.ew, &sitting.boards),
        };
        let (first, boards) = in_a_row(boards);
        RoundSheet {
            round: sitting.round,
            ns,
            ew,
            first_board: first.unwrap_or(BoardNumber::MIN),
            boards,
            ns_next: self.next_place(table, sitting, Side::NorthSouth),
            ew_next: self.next_place(table, sitting, Side::EastWest),
            boards_to: self.boards_go(table, sitting),
        }
    }

    fn next_place(&self, table: TableId, sitting: &Sitting, side: Side) -> NextPlace {
        let Some(section) = self.sections.get(&table.section) else {
            return NextPlace::Finished;
        };
        let Some(next) = sitting.round.next() else {
            return NextPlace::Finished;
        };
        let of_side = |sitting: &Sitting, side| {
            let (ns, ew) = self.pairs_at(table.section, sitting);
            match side {
                Side::NorthSouth => ns,
                Side::EastWest => ew,
            }
        };
        if let Some(pair) = of_side(sitting, side) {
            let sittings = section.sittings.values();
            for after in sittings.filter(|after| after.round == next) {
                for there in Side::BOTH {
                    if of_side(after, there) != Some(pair) {
                        continue;
                    }
                    return if after.table == table.table && there == side {
                        NextPlace::Stay
                    } else if after.is_played() {
                        NextPlace::Go(after.table, there)
                    } else {
                        NextPlace::SitOut
                    };
                }
            }
        }
        if next > section.last_round() {
            NextPlace::Finished
        } else {
            NextPlace::SitOut
        }
    }

    /// The table that plays these boards next; `None` for the bye-stand or the end.
    fn boards_go(&self, table: TableId, sitting: &Sitting) -> Option<protocol::words::TableNumber> {
        let section = self.sections.get(&table.section)?;
        let next = sitting.round.next()?;
        section
            .sittings
            .values()
            .find(|after| after.round == next && after.boards == sitting.boards)
            .map(|after| after.table)
    }
}

/// The boards that a sheet names, as its first one and how many follow each other from there.
pub(super) fn in_a_row(boards: &BoardSet) -> (Option<BoardNumber>, u8) {
    let mut boards: Vec<BoardNumber> = boards.iter().collect();
    // A set that a table begins in the middle is on its sheet as a whole: a pad would forget
    // boards that do not follow the sheet when the round ends before it has heard of them.
    let mut in_order = boards.clone();
    in_order.sort_unstable();
    if in_order.windows(2).all(|two| two[0].next() == Some(two[1])) {
        boards = in_order;
    }
    let follows = |two: &&[BoardNumber]| two[0].next() == Some(two[1]);
    let behind = boards.windows(2).take_while(follows).count();
    let first = boards.first().copied();
    let count = usize::from(first.is_some()) + behind;
    (first, u8::try_from(count).unwrap_or(u8::MAX))
}
