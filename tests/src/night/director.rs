//! The director's part of the night: corrections, changes of the movement, second thoughts, and
//! what is asked for at the end.

use base_station::session::plan::Ruling;
use base_station::session::{Cell, Command, Event, Fate, PairId, Repair, Section, Seq, TableId};
use protocol::time::Span;
use protocol::words::{BoardResult, RoundNumber, SectionLetter, Side};
use virtual_pad::players;

use super::checkers;
use super::world::World;

impl World {
    pub(super) fn director_corrects(&mut self) {
        let Some(session) = self.session() else {
            return;
        };
        let cells: Vec<Cell> = session.lines.keys().copied().collect();
        let Some(cell) = self.rng.choice(&cells).copied() else {
            return;
        };
        let result = players::play(
            &self.deals[usize::from(cell.board.get() - 1)],
            &mut self.rng,
        );
        let why = "both pairs say so".to_owned();
        let command = Command::Rule {
            cell,
            ruling: Ruling::Result(result),
            why,
        };
        // The journal tells of it.
        self.laptop.command(command, self.now);
    }

    pub(super) fn director_drops_a_round(&mut self) {
        let section = SectionLetter::A;
        let last = self
            .session()
            .and_then(|session| session.sections.get(&section))
            .map(Section::last_round);
        let Some(last) = last.and_then(|last| RoundNumber::new(last.get() - 1)) else {
            return;
        };
        let dropped = Command::ReviseMovement {
            section,
            repair: Repair::CutShort { last },
            why: "the caretaker wants to go home".to_owned(),
        };
        self.laptop.command(dropped, self.now);
    }

    /// A pair that plays goes home after the rounds that have begun.
    pub(super) fn director_lets_a_pair_go(&mut self) {
        let section = SectionLetter::A;
        if self.options.evening != super::Evening::Mitchell {
            return self.director_lets_a_contestant_go();
        }
        let Some(session) = self.session() else {
            return;
        };
        let from = session.first_free_round(section);
        let sittings = session.sections.get(&section).map(|it| &it.sittings);
        let playing = sittings.into_iter().flatten().filter_map(|(_, sitting)| {
            let number = (sitting.round == from).then_some(sitting.ew)??;
            Some(PairId {
                section,
                side: Some(Side::EastWest),
                number,
            })
        });
        let pairs: Vec<PairId> = playing.collect();
        let Some(pair) = self.rng.choice(&pairs).copied() else {
            return;
        };
        let leaves = Command::ReviseMovement {
            section,
            repair: Repair::PairLeaves {
                pair,
                from: Some(from),
            },
            why: "does not feel well".to_owned(),
        };
        self.laptop.command(leaves, self.now);
    }

    /// Boards that are not on a table's sheet: the even ones are allowed, the others are not.
    pub(super) fn director_decides_about_boards(&mut self) {
        let wanted = self.session().map(|session| session.wanted.clone());
        for &cell in wanted.iter().flat_map(|wanted| wanted.keys()) {
            let says = if cell.board.get().is_multiple_of(2) {
                Command::AllowBoard { cell }
            } else {
                Command::RefuseBoard { cell }
            };
            self.laptop.command(says, self.now);
        }
    }

    /// The latest ruling or change of the movement, or one before it, is taken back.
    pub(super) fn director_takes_something_back(&mut self) {
        let records = self.laptop.records();
        let changes = records.iter().filter(|record| {
            matches!(
                record.event,
                Event::Ruled { .. } | Event::MovementRevised { .. } | Event::Undone { .. }
            )
        });
        let changes: Vec<Seq> = changes.map(|record| record.seq).collect();
        let Some(change) = self.rng.choice(&changes).copied() else {
            return;
        };
        let why = "on second thoughts".to_owned();
        self.laptop.command(Command::Undo { change, why }, self.now);
    }

    /// Boards that died with a pad: the director asks the players and enters what they say.
    pub(super) fn director_fills_gaps(&mut self) {
        let faults_end = self.now;
        self.heal();
        while self.now.since(faults_end) < Span::from_secs(240) {
            self.go_on_for(Span::from_secs(1));
            if !checkers::has_converged(self) {
                self.night.settled_after = self.now.since(faults_end);
            }
        }
        self.director_uses_what_was_kept();
        for (cell, result) in self.gaps() {
            self.night.gaps += 1;
            let why = "asked the table: its pad had died".to_owned();
            let command = Command::Rule {
                cell,
                ruling: Ruling::Result(result),
                why,
            };
            self.laptop.command(command, self.now);
        }
    }

    /// Results that replaced pads still held count where nothing else stands.
    fn director_uses_what_was_kept(&mut self) {
        let Some(session) = self.session() else {
            return;
        };
        let waiting = session.kept.iter().filter(|(_, kept)| {
            let cell = Cell::new(kept.table, kept.entry.round, kept.entry.board);
            let wanted = session.expected(kept.table, kept.entry.round);
            kept.fate == Fate::Waiting && wanted.contains(&cell) && !session.is_in(cell)
        });
        let waiting: Vec<Seq> = waiting.map(|(seq, _)| *seq).collect();
        for kept in waiting {
            self.laptop.command(Command::UseKept { kept }, self.now);
        }
    }

    /// Boards that have no result, and what the table remembers of them.
    fn gaps(&self) -> Vec<(Cell, BoardResult)> {
        let Some(session) = self.session() else {
            return Vec::new();
        };
        let mut gaps = Vec::new();
        for table in &self.tables {
            let id = TableId {
                section: SectionLetter::A,
                table: table.number,
            };
            let last = session.sections.get(&id.section).map(Section::last_round);
            for round in (1..=last.map_or(0, RoundNumber::get)).filter_map(RoundNumber::new) {
                let missing = session.expected(id, round).into_iter();
                for cell in missing.filter(|cell| !session.is_in(*cell)) {
                    let played = table.memory.get(&(round, cell.board)).copied();
                    gaps.push((cell, played.unwrap_or(BoardResult::NotPlayed)));
                }
            }
        }
        gaps
    }
}
