//! How a change of movement changes a session: sheets, and who is booked on lines already in.

use protocol::message::Source;
use protocol::words::{BoardResult, RoundNumber, SectionLetter, Side, TableNumber};

use crate::session::plan::Ruling;
use crate::session::state::Section;
use crate::session::{Cell, Event, PairId, Record, Session, TableId};

impl Session {
    pub(super) fn revise_movement(&mut self, event: &Event, record: &Record) {
        let Event::MovementRevised {
            section: letter,
            from,
            movement,
            sittings,
            renumbered,
            not_played,
            gone,
            ..
        } = event
        else {
            return;
        };
        let Some(section) = self.sections.get_mut(letter) else {
            return;
        };
        let known: Vec<TableNumber> = section.tables().collect();
        section.change_movement(RoundNumber::MIN, movement, sittings);
        let new: Vec<TableNumber> = section.tables().filter(|it| !known.contains(it)).collect();
        // What was to be announced belonged to the movement as it was.
        section.announcements.retain(|call| call.after < *from);
        for table in new {
            // A table that is set up late begins with the round in which it first plays.
            let id = TableId {
                section: *letter,
                table,
            };
            self.table_mut(id).ended = RoundNumber::new(from.get().saturating_sub(1));
        }
        for (old, new) in renumbered {
            self.renumber(*old, *new);
        }
        self.book_anew(*letter, *from);
        // Whoever plays again has not gone home.
        let back: Vec<PairId> = self
            .gone
            .iter()
            .copied()
            .filter(|pair| self.plays_from(*pair, *from))
            .collect();
        for pair in back {
            self.gone.remove(&pair);
        }
        self.gone.extend(gone.iter().copied());
        for cell in not_played {
            let line = self.line_mut(*cell, record);
            line.ruling = Ruling::Result(BoardResult::NotPlayed);
            line.source = Source::Director;
        }
    }

    fn plays_from(&self, pair: PairId, from: RoundNumber) -> bool {
        let section = self.sections.get(&pair.section);
        let mut sittings = section.into_iter().flat_map(|it| it.sittings.values());
        sittings.any(|sitting| {
            let seated = [(Side::NorthSouth, sitting.ns), (Side::EastWest, sitting.ew)];
            sitting.round >= from
                && seated.into_iter().any(|(side, number)| {
                    number.is_some_and(|number| self.pair_id(pair.section, side, number) == pair)
                })
        })
    }

    /// Lines of these rounds belong to those whom the movement has there now, unless the
    /// director has said who played.
    pub(in crate::session) fn book_anew(&mut self, section: SectionLetter, from: RoundNumber) {
        let changed: Vec<Cell> = self
            .lines
            .iter()
            .filter(|(cell, line)| {
                cell.section == section && cell.round >= from && !line.pairs_corrected
            })
            .map(|(cell, _)| *cell)
            .filter(|cell| self.sitting(cell.table_id(), cell.round).is_some())
            .collect();
        for cell in changed {
            let (ns, ew) = self.pairs_by_movement(cell);
            if let Some(line) = self.lines.get_mut(&cell) {
                (line.ns, line.ew) = (ns, ew);
            }
        }
    }

    /// A pair goes by another number, in everything that is known of it.
    fn renumber(&mut self, old: PairId, new: PairId) {
        let cells: Vec<Cell> = self
            .lines
            .iter()
            .filter(|(_, line)| line.ns == Some(old) || line.ew == Some(old))
            .map(|(cell, _)| *cell)
            .collect();
        for cell in cells {
            if let Some(line) = self.lines.get_mut(&cell) {
                for pair in [&mut line.ns, &mut line.ew] {
                    if *pair == Some(old) {
                        *pair = Some(new);
                    }
                }
            }
        }
        let penalties: Vec<_> = self
            .penalties
            .iter()
            .filter(|(_, penalty)| penalty.pair == old)
            .map(|(seq, _)| *seq)
            .collect();
        for seq in penalties {
            if let Some(penalty) = self.penalties.get_mut(&seq) {
                penalty.pair = new;
            }
        }
        if self.gone.remove(&old).is_some() {
            self.gone.insert(new);
        }
        self.roster.renumber(old, new);
        let tables: Vec<_> = self.tables.keys().copied().collect();
        for id in tables.into_iter().filter(|id| id.section == old.section) {
            let Some(table) = self.tables.get_mut(&id) else {
                continue;
            };
            let rounds: Vec<RoundNumber> = table.seen.keys().copied().collect();
            for round in rounds {
                if let Some((ns, ew)) = table.seen.get_mut(&round) {
                    for pair in [ns, ew] {
                        if *pair == Some(old.number) {
                            *pair = Some(new.number);
                        }
                    }
                }
            }
        }
    }
}

impl Section {
    pub(super) fn change_movement(
        &mut self,
        from: RoundNumber,
        movement: &str,
        sittings: &[crate::session::plan::Sitting],
    ) {
        movement.clone_into(&mut self.movement);
        let earlier = self.sittings.iter().filter(|((_, round), _)| *round < from);
        self.sittings = earlier
            .map(|(key, sitting)| (*key, sitting.clone()))
            .collect();
        for sitting in sittings.iter().filter(|sitting| sitting.round >= from) {
            self.sittings
                .insert((sitting.table, sitting.round), sitting.clone());
        }
    }
}
