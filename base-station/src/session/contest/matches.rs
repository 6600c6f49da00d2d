//! What matches come to, from the session's lines alone.

use std::collections::BTreeMap;

use contest::irregular::Decision;
use contest::pairs::PairsSheet;
use contest::standing::{
    Entry, Line as StandingLine, ScoredMatch, settle, standing, standing_for_draw,
};
use contest::teams::{Ending, TeamsSheet};
use protocol::words::{BoardNumber, RoundNumber, SectionLetter, TableNumber};

use super::Contest;
use super::added::Fields;
use super::fixtures::Part;
use crate::scoring::{Points, VictoryPoints};
use crate::session::{Cell, Session};

/// A match as it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct ContestMatch {
    /// The match's number in its round's draw.
    pub number: TableNumber,
    /// Where it is played.
    pub tables: Vec<TableNumber>,
    /// Boards and rooms, stanza by stanza.
    pub(in crate::session) parts: Vec<Part>,
    /// Round, sides, victory points.
    pub scored: ScoredMatch,
    /// They had met before.
    pub rematch: bool,
    /// Board by board.
    pub sheet: MatchSheet,
    /// Boards of it on the scale.
    pub length: u16,
    /// What the director said about it.
    pub decided: Option<Decision>,
    /// Boards without a result, by round and table.
    pub missing: Vec<(RoundNumber, TableNumber, BoardNumber)>,
    /// Both sides have accepted its slip at each of its tables.
    pub accepted: bool,
    /// Results at its tables that other pairs played: they don't count here.
    pub strangers: Vec<Cell>,
    /// More boards are lost than the regulation allows.
    pub spoiled: bool,
    /// How a match in stanzas ends whose boards left it level.
    pub ending: Option<Ending>,
    /// By how much home and away won the boards that were played because it was level.
    pub play_off: [Points; 2],
}

/// A match board by board.
#[derive(Clone, Debug, PartialEq)]
pub enum MatchSheet {
    /// Two tables.
    Teams(TeamsSheet),
    /// One table against the field.
    Pairs(PairsSheet),
}

/// What the director does next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NextStep {
    /// Draw this round.
    Draw(RoundNumber),
    /// Open the session for log-on.
    Open,
    /// Wait for these tables of a round: their boards are missing.
    Missing {
        /// Of this round.
        round: RoundNumber,
        /// Table and boards.
        tables: Vec<(TableNumber, Vec<BoardNumber>)>,
        /// The round that can be drawn already.
        draw: Option<RoundNumber>,
    },
    /// The match is level: play so many more boards.
    PlayOff(u8),
    /// The match is level, and only a lot is left.
    Lot,
    /// Everything is in.
    Release,
}

impl Session {
    /// All matches of a section, round by round.
    pub fn contest_matches(&self, section: SectionLetter) -> Vec<ContestMatch> {
        let contest = self.contests.get(&section);
        contest.map_or_else(Vec::new, |contest| {
            self.matches_before(section, contest, None)
        })
    }

    /// The matches of the rounds before one, or all.
    pub(super) fn matches_before(
        &self,
        section: SectionLetter,
        contest: &Contest,
        before: Option<RoundNumber>,
    ) -> Vec<ContestMatch> {
        let mut fields = Fields::new();
        let mut all = Vec::new();
        let fixtures = contest.fixtures().into_iter();
        for fixture in fixtures.filter(|it| before.is_none_or(|before| it.round < before)) {
            all.push(self.contest_match(section, contest, fixture, &mut fields));
        }
        // Forfeits and the like are settled by the means of everybody's other matches, of all nights;
        // until then, and for the draws, they have an interim score.
        let mut scored: Vec<ScoredMatch> = contest.earlier_matches(before).collect();
        let earlier = scored.len();
        scored.extend(all.iter().map(|it| it.scored));
        let last = before.is_none() && contest.is_settled();
        let scored = settle(&scored, &contest.plan.rules, last).into_iter();
        for (own, scored) in all.iter_mut().zip(scored.skip(earlier)) {
            own.scored = scored;
        }
        for own in &mut all {
            self.settle_mismatch(section, contest, own);
        }
        all
    }

    /// The standing of a section as it is now.
    pub fn contest_standing(&self, section: SectionLetter) -> Vec<StandingLine> {
        let contest = self.contests.get(&section);
        contest.map_or_else(Vec::new, |contest| {
            self.contest_standing_before(section, contest, None)
        })
    }

    /// The standing after the rounds that are complete, for eyes that still play; and the first
    /// round that is not.
    pub fn contest_standing_in_public(
        &self,
        section: SectionLetter,
    ) -> (Vec<StandingLine>, Option<RoundNumber>) {
        let Some(contest) = self.contests.get(&section) else {
            return (Vec::new(), None);
        };
        let open = self
            .contest_matches(section)
            .iter()
            .filter(|it| !it.scored.complete)
            .filter_map(|it| {
                u8::try_from(it.scored.round)
                    .ok()
                    .and_then(RoundNumber::new)
            })
            .min();
        let halves = self.halves_missing(section, contest);
        let halves = halves.iter().map(|(round, _, _)| *round).min();
        let open = [open, halves].into_iter().flatten().min();
        (self.contest_standing_before(section, contest, open), open)
    }

    /// The standing after the rounds before one.
    pub(super) fn contest_standing_before(
        &self,
        section: SectionLetter,
        contest: &Contest,
        before: Option<RoundNumber>,
    ) -> Vec<StandingLine> {
        let mut lines = self.standing_by_figures(section, contest, before);
        self.separate_level(section, contest, &mut lines);
        lines
    }

    /// The same where only figures count: who has the same ones shares a place.
    pub(super) fn standing_by_figures(
        &self,
        section: SectionLetter,
        contest: &Contest,
        before: Option<RoundNumber>,
    ) -> Vec<StandingLine> {
        let entries = self.entries_before(section, contest, before);
        let matches = self.scored_before(section, contest, before);
        let settled = before.is_none() && contest.is_settled();
        standing(&entries, &matches, &contest.plan.rules, settled)
    }

    /// The standing that the draw of a round goes by.
    pub(super) fn contest_standing_for_draw(
        &self,
        section: SectionLetter,
        contest: &Contest,
        round: RoundNumber,
    ) -> Vec<StandingLine> {
        let entries = self.entries_before(section, contest, Some(round));
        let matches = self.scored_before(section, contest, Some(round));
        standing_for_draw(&entries, &matches, &contest.plan.rules, false)
    }

    /// The matches of all nights before a round, or all.
    pub(super) fn scored_before(
        &self,
        section: SectionLetter,
        contest: &Contest,
        before: Option<RoundNumber>,
    ) -> Vec<ScoredMatch> {
        let tonight = self.matches_before(section, contest, before).into_iter();
        let tonight = tonight.map(|it| it.scored);
        let all: Vec<ScoredMatch> = contest.earlier_matches(before).chain(tonight).collect();
        let settled = before.is_none() && contest.is_settled();
        settle(&all, &contest.plan.rules, settled)
    }

    /// Everybody with what is not in matches, as it was before a round.
    pub(super) fn entries_before(
        &self,
        section: SectionLetter,
        contest: &Contest,
        before: Option<RoundNumber>,
    ) -> Vec<Entry> {
        let counts = |round: RoundNumber| before.is_none_or(|before| round < before);
        contest
            .plan
            .contestants
            .iter()
            .map(|plan| Entry {
                number: plan.number,
                carry_over: VictoryPoints(plan.carry_over),
                fines: self.fines_in_vp(section, plan.number)
                    + contest.plan.earlier_fines(plan.number),
                byes: contest
                    .rounds
                    .iter()
                    .filter(|(round, drawn)| counts(**round) && drawn.draw.bye == Some(plan.number))
                    .map(|(round, _)| contest.plan.of_event(*round))
                    .chain(contest.plan.earlier_byes(plan.number))
                    .collect(),
            })
            .collect()
    }

    /// Matches of earlier rounds that are not finished.
    pub(super) fn unfinished_before(
        &self,
        section: SectionLetter,
        round: RoundNumber,
    ) -> Vec<TableNumber> {
        self.contest_matches(section)
            .iter()
            .filter(|it| it.scored.round < u16::from(round.get()) && !it.scored.complete)
            .map(|it| it.number)
            .collect()
    }

    /// Halves of a round whose other half is yet to come, with their missing boards.
    fn halves_missing(
        &self,
        section: SectionLetter,
        contest: &Contest,
    ) -> Vec<(RoundNumber, TableNumber, BoardNumber)> {
        let mut missing = Vec::new();
        for (round, drawn) in &contest.rounds {
            for half in &drawn.draw.halves {
                let table = super::super::TableId {
                    section,
                    table: half.table,
                };
                for board in contest.plan.boards_of_half(half).iter() {
                    if !self.is_in(Cell::new(table, *round, board)) {
                        missing.push((*round, half.table, board));
                    }
                }
            }
        }
        missing
    }

    /// What comes next in a section's matches.
    pub fn contest_next_step(&self, section: SectionLetter) -> Option<NextStep> {
        let contest = self.contests.get(&section)?;
        let next = contest.next_round();
        let Some(last) = contest.rounds.keys().next_back() else {
            return next.map(NextStep::Draw);
        };
        if self.phase == super::super::Phase::SettingUp {
            return Some(NextStep::Open);
        }
        let mut missing: BTreeMap<(RoundNumber, TableNumber), Vec<BoardNumber>> = BTreeMap::new();
        let matches = self.contest_matches(section);
        let decided = |round: RoundNumber, table: TableNumber| {
            let mut decided = matches.iter().filter(|it| it.scored.decision.is_some());
            decided.any(|it| it.is_at(round, table))
        };
        let of_matches = matches.iter().flat_map(|it| it.missing.iter().copied());
        let of_halves = self.halves_missing(section, contest);
        for (round, table, board) in of_matches.chain(of_halves) {
            let boards = missing.entry((round, table)).or_default();
            if !decided(round, table) && !boards.contains(&board) {
                boards.push(board);
            }
        }
        missing.retain(|_, boards| !boards.is_empty());
        // A round of which a part is published is drawn to its end before it is waited for.
        let half_drawn = next.filter(|next| next == last);
        if let Some(round) = half_drawn
            && !missing.keys().any(|(of, _)| *of < round)
        {
            return Some(NextStep::Draw(round));
        }
        let Some(&(round, _)) = missing.keys().next() else {
            let settled = || {
                let endings = || matches.iter().filter_map(|own| own.ending);
                let more = endings().find_map(|ending| match ending {
                    Ending::PlayOff(boards) => Some(boards),
                    Ending::Lot | Ending::Level | Ending::Won { .. } => None,
                });
                match more {
                    Some(boards) => NextStep::PlayOff(boards),
                    None if endings().any(|it| it == Ending::Lot) => NextStep::Lot,
                    None => NextStep::Release,
                }
            };
            return Some(next.map_or_else(settled, NextStep::Draw));
        };
        Some(NextStep::Missing {
            round,
            draw: next.filter(|_| round == *last || half_drawn.is_some()),
            tables: missing
                .into_iter()
                .filter(|((of, _), _)| *of == round)
                .map(|((_, table), boards)| (table, boards))
                .collect(),
        })
    }
}

impl ContestMatch {
    /// Whether a table plays it in a round.
    pub fn is_at(&self, round: RoundNumber, table: TableNumber) -> bool {
        let mut rooms = self.parts.iter().flat_map(|it| &it.rooms);
        rooms.any(|room| *room == (round, table))
    }

    /// The line of a board in the open room (0) or the closed one (1).
    pub fn cell(&self, section: SectionLetter, room: usize, board: BoardNumber) -> Option<Cell> {
        let part = self.parts.iter().find(|it| it.boards.contains(&board))?;
        let (round, table) = part.rooms.get(room).copied()?;
        let table = super::super::TableId { section, table };
        Some(Cell::new(table, round, board))
    }
}
