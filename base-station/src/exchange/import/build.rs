//! Plays a session of another program through in a journal of its own.

use std::collections::{BTreeMap, BTreeSet};

use protocol::message::HandRecord;
use protocol::words::{BoardNumber, RoundNumber, SectionLetter, Side, TableNumber};

use super::{NotTaken, PairKey, Taken, TakenLine, TakenSection};
use crate::movement::BoardSet;
use crate::session::plan::Method;
use crate::session::plan::{Partner, PenaltyAmount, Scoring, SectionPlan, Sitting};
use crate::session::{
    Cell, Command, Keeper, MemoryJournal, Moment, Outcome, PairId, Request, TableId, Who,
};
use crate::store::export_session;
use telling::tell;

/// The session as a file that any Byestand takes in.
pub fn session_file(taken: &Taken, now: Moment) -> Result<Vec<u8>, NotTaken> {
    let keeper = Keeper::open(MemoryJournal::new(), now);
    let keeper = keeper.map_err(|fault| NotTaken(fault.told()))?;
    let mut room = Room { keeper, now };
    room.set_up(taken)?;
    for (letter, section) in &taken.sections {
        room.play(*letter, section, taken.method)?;
    }
    room.tell(Command::EndPlay)?;
    let state = room.keeper.state();
    let session = state.club.chosen;
    let session = session.ok_or_else(|| NotTaken::because(tell!(Exchange::NoSession)))?;
    let mut file = Vec::new();
    export_session(room.keeper.journal(), &state.club, session, &mut file)
        .map_err(|fault| NotTaken(fault.told()))?;
    Ok(file)
}

struct Room {
    keeper: Keeper<MemoryJournal>,
    now: Moment,
}

/// Who met whom, where and when, and on which boards.
struct Meeting {
    table: TableNumber,
    round: RoundNumber,
    /// In the order of the sitting.
    ns: PairKey,
    ew: PairKey,
    lines: Vec<TakenLine>,
}

impl Room {
    fn tell(&mut self, command: Command) -> Result<(), NotTaken> {
        let request = Request::Command {
            command: Box::new(command),
            who: Who::Base,
        };
        match self.keeper.deal_with(request, self.now).outcomes.pop() {
            Some(Outcome::Refused(refused)) => Err(NotTaken(refused.0)),
            _ => Ok(()),
        }
    }

    fn set_up(&mut self, taken: &Taken) -> Result<(), NotTaken> {
        let name = if taken.event.trim().is_empty() {
            format!("Session from {}", taken.format)
        } else {
            taken.event.chars().take(60).collect()
        };
        self.tell(Command::CreateEvent {
            name,
            date: taken.date.clone(),
            title: String::new(),
        })?;
        for (letter, section) in &taken.sections {
            let sittings = meetings(section)?.iter().map(Meeting::sitting).collect();
            self.tell(Command::PlanSection {
                section: *letter,
                plan: SectionPlan {
                    colour: String::new(),
                    movement: format!("as in the {} file", taken.format),
                    one_winner: section.one_winner,
                    sittings,
                    announcements: Vec::new(),
                },
            })?;
        }
        self.tell(Command::ChooseScoring(Scoring {
            method: taken.method,
            single: taken.single,
            across_sections: taken.across_sections,
            ..Scoring::CLUB_EVENING
        }))?;
        if !taken.deals.is_empty() {
            self.tell(Command::AttachDeals {
                file: format!("the {} file", taken.format),
                deals: taken.deals.iter().map(HandRecord::from).collect(),
            })?;
        }
        // The session is put together in a journal of its own, which is thrown away afterwards; a
        // club's PIN is no part of what is taken out of it.
        self.tell(Command::SetDirectorPin {
            pin: protocol::message::Pin(7316),
        })?;
        self.tell(Command::Open)
    }

    fn play(
        &mut self,
        letter: SectionLetter,
        section: &TakenSection,
        method: Method,
    ) -> Result<(), NotTaken> {
        let id = |key: PairKey| PairId {
            section: letter,
            side: key.side,
            number: key.number,
        };
        for meeting in meetings(section)? {
            let table = TableId {
                section: letter,
                table: meeting.table,
            };
            for line in meeting.lines {
                let cell = Cell::new(table, meeting.round, line.board);
                self.tell(Command::Rule {
                    cell,
                    ruling: line.ruling,
                    why: "as in the file".to_owned(),
                })?;
                if (line.ns, line.ew) != (meeting.ns, meeting.ew) {
                    self.tell(Command::CorrectPairs {
                        cell,
                        ns: Some(id(line.ns)),
                        ew: Some(id(line.ew)),
                        why: "as in the file".to_owned(),
                    })?;
                }
            }
        }
        let played: BTreeSet<PairKey> = (section.lines.iter())
            .flat_map(|line| [line.ns, line.ew])
            .collect();
        for (key, pair) in section.pairs.iter().filter(|(key, _)| played.contains(key)) {
            let partners = [Partner::First, Partner::Second];
            for (partner, (name, number)) in partners.into_iter().zip(&pair.players) {
                if name.trim().is_empty() && number.is_none() {
                    continue;
                }
                self.tell(Command::NamePlayer {
                    pair: id(*key),
                    partner,
                    number: *number,
                    name: name.chars().take(60).collect(),
                    from: RoundNumber::FIRST,
                    digits: 0,
                })?;
            }
            // Other programs round: what is less than half an IMP is no penalty.
            let least = match method {
                Method::Matchpoints => 1,
                Method::CrossImps | Method::Butler => 50,
            };
            if -pair.adjustment >= least {
                let off = u32::try_from(-pair.adjustment).unwrap_or(u32::MAX);
                let amount = match method {
                    Method::Matchpoints => PenaltyAmount::Matchpoints(off),
                    Method::CrossImps | Method::Butler => {
                        PenaltyAmount::Imps(u16::try_from((off + 50) / 100).unwrap_or(u16::MAX))
                    }
                };
                self.tell(Command::Penalise {
                    pair: id(*key),
                    amount,
                    why: "as in the file".to_owned(),
                    public: false,
                })?;
            }
        }
        Ok(())
    }
}

impl Meeting {
    fn sitting(&self) -> Sitting {
        let boards: BTreeSet<BoardNumber> = self.lines.iter().map(|line| line.board).collect();
        Sitting {
            round: self.round,
            table: self.table,
            ns: Some(self.ns.number),
            ew: Some(self.ew.number),
            boards: BoardSet::new(boards.into_iter().collect()),
            arrow_switched: false,
        }
    }
}

/// The pairs of a line as a sitting has them: in two lists, whoever belongs North-South first.
fn seated(line: &TakenLine) -> (PairKey, PairKey) {
    if line.ns.side == Some(Side::EastWest) && line.ew.side == Some(Side::NorthSouth) {
        (line.ew, line.ns)
    } else {
        (line.ns, line.ew)
    }
}

fn meetings(section: &TakenSection) -> Result<Vec<Meeting>, NotTaken> {
    if section.lines.iter().all(|line| line.place.is_some()) {
        Ok(as_placed(section))
    } else {
        where_free(section)
    }
}

/// Every line says its round and table.
fn as_placed(section: &TakenSection) -> Vec<Meeting> {
    let mut by_place: BTreeMap<(RoundNumber, TableNumber), Vec<TakenLine>> = BTreeMap::new();
    for line in &section.lines {
        if let Some((table, round)) = line.place {
            by_place
                .entry((round, table))
                .or_default()
                .push(line.clone());
        }
    }
    let meetings = by_place.into_iter().filter_map(|((round, table), lines)| {
        let (ns, ew) = usual(&lines)?;
        Some(Meeting {
            table,
            round,
            ns,
            ew,
            lines,
        })
    });
    meetings.collect()
}

/// Rounds and tables are not known: every meeting of two pairs gets the first round in which both
/// are free.
fn where_free(section: &TakenSection) -> Result<Vec<Meeting>, NotTaken> {
    let mut meetings: Vec<Meeting> = Vec::new();
    let mut busy = Busy::default();
    let mut by_pairs: BTreeMap<(PairKey, PairKey), Vec<TakenLine>> = BTreeMap::new();
    for line in &section.lines {
        by_pairs.entry(seated(line)).or_default().push(line.clone());
    }
    let mut order: Vec<_> = by_pairs.into_iter().collect();
    order.sort_by_key(|(_, lines)| lines.iter().map(|line| line.board).min());
    for ((ns, ew), lines) in order {
        let (round, table) = busy.seat(ns, ew)?;
        meetings.push(Meeting {
            table,
            round,
            ns,
            ew,
            lines,
        });
    }
    Ok(meetings)
}

/// Who sat there on most boards.
fn usual(lines: &[TakenLine]) -> Option<(PairKey, PairKey)> {
    let mut votes: BTreeMap<(PairKey, PairKey), usize> = BTreeMap::new();
    for line in lines {
        *votes.entry(seated(line)).or_default() += 1;
    }
    let most = votes.into_iter().max_by_key(|(_, votes)| *votes);
    most.map(|(pairs, _)| pairs)
}

#[derive(Default)]
struct Busy {
    pairs: BTreeSet<(u8, PairKey)>,
    tables: BTreeMap<u8, u16>,
}

impl Busy {
    fn seat(&mut self, ns: PairKey, ew: PairKey) -> Result<(RoundNumber, TableNumber), NotTaken> {
        for number in 1..=RoundNumber::MAX.get() {
            let taken = self.pairs.contains(&(number, ns)) || self.pairs.contains(&(number, ew));
            let Some(round) = RoundNumber::new(number).filter(|_| !taken) else {
                continue;
            };
            self.pairs.extend([(number, ns), (number, ew)]);
            let table = self.tables.entry(number).or_default();
            *table += 1;
            if let Some(table) = TableNumber::new(*table) {
                return Ok((round, table));
            }
        }
        Err(NotTaken::because(tell!(Exchange::TooManyRounds {
            ns: ns.number,
            ew: ew.number,
            most: RoundNumber::MAX
        })))
    }
}
