//! How events change lines of score sheets.

use imbl::Vector;
use protocol::message::{Entry, Source};
use protocol::words::{BoardNumber, Epoch, PadId, RoundNumber, SectionLetter, Side};

use crate::session::concerns::{club_events, evening_events, pad_events};
use crate::session::plan::{Fault, Ruling, Sitting};
use crate::session::{
    Cell, EntryKey, Event, Fate, KeptEntry, Line, PairId, Penalty, Record, Session, TableId,
};

impl Session {
    pub(super) fn fold_result(&mut self, record: &Record) {
        match &record.event {
            Event::Entered {
                table,
                epoch,
                entry,
                pad,
            } => {
                self.entries.insert((*pad, entry.number));
                if let Some(pad) = self.pads.get_mut(pad) {
                    let cell = Cell::new(*table, entry.round, entry.board);
                    pad.entered = Some((record.at, cell));
                }
                self.enter(*table, (*pad, *epoch), entry, record);
            }
            Event::EntryKept {
                table,
                epoch,
                entry,
                pad,
                reason,
            } => {
                let known = self.kept.values().any(|kept| {
                    kept.pad == *pad && kept.entry.number == entry.number && kept.epoch == *epoch
                });
                if known || self.entries.contains(&(*pad, entry.number)) {
                    return;
                }
                let kept = KeptEntry {
                    table: *table,
                    pad: *pad,
                    epoch: *epoch,
                    entry: *entry,
                    reason: *reason,
                    at: record.at,
                    fate: Fate::Waiting,
                };
                self.kept.insert(record.seq, kept);
            }
            Event::KeptEntryUsed { kept } => {
                if let Some(found) = self.kept.get_mut(kept) {
                    found.fate = Fate::Used;
                    let found = found.clone();
                    self.entries.insert((found.pad, found.entry.number));
                    self.enter(found.table, (found.pad, found.epoch), &found.entry, record);
                }
            }
            Event::KeptEntryIgnored { kept } => {
                if let Some(kept) = self.kept.get_mut(kept) {
                    kept.fate = Fate::Ignored;
                }
            }
            Event::Ruled {
                cell,
                ruling,
                stated,
                ..
            } => {
                let line = self.line_mut(*cell, record);
                line.ruling = ruling.clone();
                line.stated = *stated;
                line.source = Source::Director;
            }
            Event::PairsCorrected { cell, ns, ew, .. } => {
                let line = self.line_mut(*cell, record);
                line.ns = *ns;
                line.ew = *ew;
                line.pairs_corrected = true;
                line.source = Source::Director;
            }
            Event::LineMoved { from, to, .. } => self.move_line(*from, *to, record),
            Event::FouledSet {
                section,
                board,
                groups,
                faults,
                ..
            } => self.foul(*section, *board, groups, faults, record),
            Event::Penalised {
                pair,
                amount,
                why,
                public,
            } => {
                let penalty = Penalty {
                    pair: *pair,
                    amount: *amount,
                    why: why.clone(),
                    public: *public,
                    who: record.who.clone(),
                    at: record.at,
                };
                self.penalties.insert(record.seq, penalty);
            }
            Event::WarningAnswered { warning, answer } => {
                self.answers.insert(warning.clone(), answer.clone());
            }
            // What is taken back is left out of the fold, see `apply`.
            Event::Undone { .. } | club_events!() | evening_events!() | pad_events!() => {}
        }
    }

    /// Which tables play which form of a board from now on; the others play the usual one.
    fn foul(
        &mut self,
        section: SectionLetter,
        board: BoardNumber,
        groups: &[(Cell, char)],
        faults: &[(Cell, Fault, Fault)],
        record: &Record,
    ) {
        self.fouled = std::mem::take(&mut self.fouled)
            .into_iter()
            .filter(|(cell, _)| (cell.section, cell.board) != (section, board))
            .collect();
        let usual = (Line::USUAL_FORM, [Fault::None; 2]);
        for (cell, form) in groups {
            self.fouled.entry(*cell).or_insert(usual).0 = *form;
        }
        for (cell, ns, ew) in faults {
            self.fouled.entry(*cell).or_insert(usual).1 = [*ns, *ew];
        }
        let cells: Vec<Cell> = self.board_cells(section, board).collect();
        for cell in cells {
            let (form, fault) = self.form_at(cell);
            let line = self.line_mut(cell, record);
            (line.form, line.fault) = (form, fault);
        }
    }

    /// The form of its board that a table plays, and who is to blame for it.
    pub(in crate::session) fn form_at(&self, cell: Cell) -> (char, [Fault; 2]) {
        let usual = (Line::USUAL_FORM, [Fault::None; 2]);
        self.fouled.get(&cell).copied().unwrap_or(usual)
    }

    /// The lines of one board in one section.
    pub fn board_cells(
        &self,
        section: SectionLetter,
        board: BoardNumber,
    ) -> impl Iterator<Item = Cell> + '_ {
        self.board_lines(section, board).map(|(cell, _)| *cell)
    }

    /// The lines of one board in one section, by round and table.
    pub fn board_lines(
        &self,
        section: SectionLetter,
        board: BoardNumber,
    ) -> impl Iterator<Item = (&Cell, &Line)> {
        let first = Cell {
            section,
            board,
            round: RoundNumber::MIN,
            table: protocol::words::TableNumber::MIN,
        };
        let last = Cell {
            round: RoundNumber::MAX,
            table: protocol::words::TableNumber::MAX,
            ..first
        };
        self.lines.range(first..=last)
    }

    fn enter(
        &mut self,
        table: TableId,
        (pad, epoch): (PadId, Epoch),
        entry: &Entry,
        record: &Record,
    ) {
        let cell = Cell::new(table, entry.round, entry.board);
        let line = self.line_mut(cell, record);
        line.ruling = Ruling::Result(entry.result);
        line.stated = None;
        line.source = if entry.by_director {
            Source::Director
        } else {
            Source::Table
        };
        line.agreed_in = entry.agreed_in;
        line.entry = Some(EntryKey {
            pad,
            epoch,
            number: entry.number,
        });
        self.wanted.remove(&cell);
        let seat = self.table_mut(table);
        seat.agreed_in = seat.agreed_in.max(Some(entry.agreed_in.max(entry.round)));
    }

    /// The pairs that the movement puts there.
    pub(in crate::session) fn pairs_by_movement(
        &self,
        cell: Cell,
    ) -> (Option<PairId>, Option<PairId>) {
        let contest = self.contests.get(&cell.section);
        if let Some(half) = contest.and_then(|it| it.half_at(cell.round, cell.table, cell.board)) {
            let name = |side, pair| Some(self.pair_id(cell.section, side, pair));
            return (
                name(Side::NorthSouth, half.ns),
                name(Side::EastWest, half.ew),
            );
        }
        self.seated(cell.table_id(), cell.round)
    }

    /// The pairs that a sheet's first board brings together.
    pub(in crate::session) fn pairs_at(
        &self,
        section: SectionLetter,
        sitting: &Sitting,
    ) -> (Option<PairId>, Option<PairId>) {
        if self.contests.contains_key(&section) {
            let table = TableId {
                section,
                table: sitting.table,
            };
            let board = sitting.boards.lowest().unwrap_or(BoardNumber::MIN);
            return self.pairs_by_movement(Cell::new(table, sitting.round, board));
        }
        self.in_chairs(section, sitting)
    }

    /// The pairs in the chairs of North-South and of East-West.
    pub fn seated(&self, table: TableId, round: RoundNumber) -> (Option<PairId>, Option<PairId>) {
        let sitting = self.sitting(table, round);
        sitting.map_or((None, None), |it| self.in_chairs(table.section, it))
    }

    fn in_chairs(
        &self,
        section: SectionLetter,
        sitting: &Sitting,
    ) -> (Option<PairId>, Option<PairId>) {
        let name = |side, pair: Option<_>| pair.map(|pair| self.pair_id(section, side, pair));
        let ns = name(Side::NorthSouth, sitting.ns);
        let ew = name(Side::EastWest, sitting.ew);
        // The pairs keep their names and change chairs.
        if sitting.arrow_switched {
            (ew, ns)
        } else {
            (ns, ew)
        }
    }

    pub(super) fn line_mut(&mut self, cell: Cell, record: &Record) -> &mut Line {
        let (ns, ew) = self.pairs_by_movement(cell);
        let (form, fault) = self.form_at(cell);
        let line = self.lines.entry(cell).or_insert_with(|| Line {
            ns,
            ew,
            pairs_corrected: false,
            ruling: Ruling::TakenAway,
            stated: None,
            source: Source::Table,
            entry: None,
            agreed_in: cell.round,
            form,
            fault,
            at: record.at,
            history: Vector::new(),
        });
        line.at = record.at;
        line.history.push_back(record.seq);
        line
    }

    fn move_line(&mut self, from: Cell, to: Cell, record: &Record) {
        let Some(moved) = self.lines.get(&from).cloned() else {
            return;
        };
        let emptied = self.line_mut(from, record);
        emptied.ruling = Ruling::TakenAway;
        emptied.stated = None;
        emptied.source = Source::Director;
        emptied.entry = None;
        let line = self.line_mut(to, record);
        line.ruling = moved.ruling;
        line.stated = moved.stated;
        line.entry = moved.entry;
        line.agreed_in = moved.agreed_in;
        line.source = Source::Director;
    }

    /// What a pad entered at the wrong table belongs to another one.
    pub(super) fn move_lines(&mut self, pad: PadId, from: TableId, to: TableId) {
        let taken = self.take_lines(pad, from);
        self.put_lines(taken, to);
    }

    pub(super) fn swap_lines(&mut self, one: (PadId, TableId), other: (PadId, TableId)) {
        let first = self.take_lines(one.0, one.1);
        let second = self.take_lines(other.0, other.1);
        self.put_lines(first, other.1);
        self.put_lines(second, one.1);
    }

    fn take_lines(&mut self, pad: PadId, table: TableId) -> Vec<(Cell, Line)> {
        let of_pad = |(cell, line): &(&Cell, &Line)| {
            cell.table_id() == table && line.entry.is_some_and(|entry| entry.pad == pad)
        };
        let taken: Vec<(Cell, Line)> = self
            .lines
            .iter()
            .filter(of_pad)
            .map(|(cell, line)| (*cell, line.clone()))
            .collect();
        for (cell, _) in &taken {
            self.lines.remove(cell);
        }
        taken
    }

    fn put_lines(&mut self, lines: Vec<(Cell, Line)>, table: TableId) {
        for (cell, mut line) in lines {
            let cell = Cell::new(table, cell.round, cell.board);
            if !line.pairs_corrected {
                (line.ns, line.ew) = self.pairs_by_movement(cell);
            }
            (line.form, line.fault) = self.form_at(cell);
            self.lines.insert(cell, line);
        }
    }
}
