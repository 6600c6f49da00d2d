//! Drawing a round while the last tables of the one before still play: which of its matches are the
//! same whatever the missing boards bring.
//!
//! Every score that a missing board can have is tried, and everything that follows from it: IMPs of
//! its own match, at Butler those of all others too, victory points, places, and the draw. A match
//! that is in all those draws is certain. What can't be tried to the end is not called so.

use std::collections::{BTreeMap, BTreeSet};

use contest::draw::{Draw, Pairing};
use contest::pairs::{PairsSheet, ScoredBoard};
use contest::standing::{ScoredMatch, standing_for_draw};
use contest::{Comparison, ContestantNumber};
use protocol::words::{BoardNumber, RoundNumber, SectionLetter, TableNumber};

use super::draws::found;
use super::{Contest, ContestMatch, DrawWish, Format, MatchSheet};
use crate::checks::possible_scores;
use crate::scoring::{Imps, Outcome, Points, Row};
use crate::session::{Cell, Session, TableId};

/// More boards than this are not looked at: they could end in too many ways.
const MISSING_MAX: usize = 4;

/// More ends than this are not tried.
const ENDS_MAX: usize = 3_000;

/// What is certain of a draw although tables still play.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EarlyDraw {
    /// Matches that every end of the unfinished ones leaves the same.
    pub certain: Vec<Pairing>,
    /// Who waits for the others.
    pub waiting: Vec<ContestantNumber>,
    /// In how many ways the unfinished matches can end, as far as the draw is concerned.
    pub ends: usize,
}

/// What home and away of each match get on a board, match by match.
type Gains = Vec<[Points; 2]>;

impl Session {
    /// Which matches of a proposed draw don't depend on what is missing; `None` where that can't be
    /// found out.
    pub(super) fn early(
        &self,
        section: SectionLetter,
        contest: &Contest,
        round: RoundNumber,
        wanted: &DrawWish,
        proposed: (&Draw, u64),
    ) -> Option<EarlyDraw> {
        let by_rule = matches!(contest.plan.format, Format::Swiss { .. })
            && wanted.by_hand.is_none()
            && !wanted.drop_ins
            && contest.plan.of_event(round) > 1;
        // Where sections are one field, another one that still plays a board changes its datum here.
        let with_others = !contest.plan.is_teams() && self.is_one_field();
        if !by_rule || with_others || contest.triangle_goes_on(round).is_some() {
            return None;
        }
        let matches = self.matches_before(section, contest, Some(round));
        let ends = self.ends(section, contest, &matches)?;
        let (draw, seed) = proposed;
        let mut certain: BTreeSet<(ContestantNumber, ContestantNumber)> =
            draw.matches.iter().map(met).collect();
        let entries = self.entries_before(section, contest, Some(round));
        let earlier: Vec<ScoredMatch> = contest.earlier_matches(None).collect();
        for end in &ends {
            let mut all = earlier.clone();
            all.extend(
                matches
                    .iter()
                    .zip(end)
                    .map(|(own, gains)| ended(contest, own, *gains)),
            );
            let standing = standing_for_draw(&entries, &all, &contest.plan.rules, false);
            let mut entrants = contest.entrants(round, &standing);
            entrants.retain(|it| contest.waits(round, it.number));
            let (drawn, ..) = found(contest, round, &entrants, wanted, seed, &[]).ok()?;
            let drawn: BTreeSet<_> = drawn.draw.matches.iter().map(met).collect();
            certain.retain(|pair| drawn.contains(pair));
        }
        let is_certain = |it: &&Pairing| certain.contains(&met(it));
        let certain: Vec<Pairing> = draw.matches.iter().filter(is_certain).cloned().collect();
        let plays = |number| {
            certain
                .iter()
                .any(|it| [it.home, it.away].contains(&number))
        };
        let everybody = contest.playing(round).map(|it| it.number);
        let waiting = everybody
            .filter(|number| contest.waits(round, *number) && !plays(*number))
            .collect();
        Some(EarlyDraw {
            certain,
            waiting,
            ends: ends.len(),
        })
    }

    /// Every way in which the unfinished matches can end: margins of all matches.
    fn ends(
        &self,
        section: SectionLetter,
        contest: &Contest,
        matches: &[ContestMatch],
    ) -> Option<Vec<Gains>> {
        let mut missing: BTreeMap<BoardNumber, Vec<Cell>> = BTreeMap::new();
        let open = matches.iter().filter(|it| it.scored.decision.is_none());
        for (round, table, board) in open.flat_map(|it| &it.missing) {
            let table = TableId {
                section,
                table: *table,
            };
            let cell = Cell::new(table, *round, *board);
            missing.entry(*board).or_default().push(cell);
        }
        if missing.values().map(Vec::len).sum::<usize>() > MISSING_MAX {
            return None;
        }
        let mut ends: BTreeSet<Gains> =
            BTreeSet::from([matches.iter().map(|it| margins(it, &missing)).collect()]);
        for (board, cells) in &missing {
            let outcomes = match contest.plan.rules.comparison {
                Comparison::TeamsImps => self.ends_of_teams(matches, *board, cells)?,
                Comparison::Butler | Comparison::CrossImps => {
                    self.ends_of_pairs(section, contest, matches, *board, cells)?
                }
                Comparison::BoardAMatch | Comparison::Matchpoints => return None,
            };
            let mut more = BTreeSet::new();
            for end in &ends {
                for outcome in &outcomes {
                    let sums = end.iter().zip(outcome);
                    more.insert(sums.map(|(one, other)| plus(*one, *other)).collect());
                    if more.len() > ENDS_MAX {
                        return None;
                    }
                }
            }
            ends = more;
        }
        Some(ends.into_iter().collect())
    }

    /// What a board of teams can bring: against the other table where that has it, any IMPs
    /// otherwise.
    fn ends_of_teams(
        &self,
        matches: &[ContestMatch],
        board: BoardNumber,
        cells: &[Cell],
    ) -> Option<BTreeSet<Gains>> {
        let mut outcomes = BTreeSet::from([vec![[Points::ZERO; 2]; matches.len()]]);
        for (at, own) in matches.iter().enumerate() {
            let mine = |cell: &&Cell| own.is_at(cell.round, cell.table);
            let open: Vec<&Cell> = cells.iter().filter(mine).collect();
            if !own.missing.iter().any(|(.., missing)| *missing == board) || open.is_empty() {
                continue;
            }
            let swings = self.swings(own, board, &open)?;
            let mut more = BTreeSet::new();
            for outcome in &outcomes {
                for swing in &swings {
                    let mut outcome = outcome.clone();
                    outcome[at] = [*swing, -*swing];
                    more.insert(outcome);
                }
            }
            outcomes = more;
        }
        Some(outcomes)
    }

    /// What home can win or lose on a board: against the score of the other table; any IMPs where
    /// neither has it.
    fn swings(
        &self,
        own: &ContestMatch,
        board: BoardNumber,
        open: &[&Cell],
    ) -> Option<BTreeSet<Points>> {
        let section = open.first()?.section;
        let [first, second] = [0, 1].map(|room| {
            let cell = own.cell(section, room, board)?;
            let line = self.lines.get(&cell).filter(|_| !open.contains(&&cell))?;
            line.score(board).map(|score| i32::from(score.0))
        });
        let imps = |difference: i32| Points::from(Imps::of_difference(difference));
        let scores = possible_scores(board.vulnerability()).iter();
        let scores = scores.map(|score| i32::from(score.0));
        Some(match (first, second) {
            (Some(_), Some(_)) => return None,
            (Some(home), None) => scores.map(|score| imps(home - score)).collect(),
            (None, Some(away)) => scores.map(|score| imps(score - away)).collect(),
            (None, None) => scores.flat_map(|it| [imps(it), imps(-it)]).collect(),
        })
    }

    /// What a board of pairs can bring: to those who play it, and through the datum to everybody.
    fn ends_of_pairs(
        &self,
        section: SectionLetter,
        contest: &Contest,
        matches: &[ContestMatch],
        board: BoardNumber,
        cells: &[Cell],
    ) -> Option<BTreeSet<Gains>> {
        let [missing] = cells else {
            // Two unknown scores on one board would be too many to try.
            return None;
        };
        let rules = &contest.plan.rules;
        let known = self.board_lines(section, board);
        let (mut places, mut rows): (Vec<Cell>, Vec<_>) = known
            .filter_map(|(cell, line)| Some((*cell, self.row_of(*cell, line)?)))
            .unzip();
        let (ns, ew) = self.pairs_by_movement(*missing);
        places.push(*missing);
        let mut outcomes = BTreeSet::new();
        for score in possible_scores(board.vulnerability()) {
            rows.truncate(places.len() - 1);
            let (ns, ew) = ns.zip(ew)?;
            rows.push(Row {
                table: Some(missing.table),
                round: Some(missing.round),
                form: self.form_of(*missing),
                ..Row::of(section, ns, ew, Outcome::Score(*score))
            });
            let field = ScoredBoard::of(&rows, rules)?;
            let gains = matches.iter().map(|own| {
                let cell = own.cell(section, 0, board);
                let at = places.iter().position(|place| Some(*place) == cell);
                let sheet = at.map(|at| PairsSheet::of(&[(board, Some((&field, at)))], rules));
                sheet.map_or([Points::ZERO; 2], |sheet| sheet.totals)
            });
            outcomes.insert(gains.collect());
        }
        Some(outcomes)
    }
}

fn met(pairing: &Pairing) -> (ContestantNumber, ContestantNumber) {
    let (home, away) = (pairing.home, pairing.away);
    (home.min(away), home.max(away))
}

fn plus(one: [Points; 2], other: [Points; 2]) -> [Points; 2] {
    [one[0] + other[0], one[1] + other[1]]
}

/// What a match has without the boards that are missing somewhere: those may come out otherwise.
fn margins(own: &ContestMatch, missing: &BTreeMap<BoardNumber, Vec<Cell>>) -> [Points; 2] {
    let mut margins = own.scored.sides.map(|side| side.margin);
    if let MatchSheet::Pairs(sheet) = &own.sheet {
        for line in sheet
            .lines
            .iter()
            .filter(|it| missing.contains_key(&it.board))
        {
            margins[0] -= line.home.unwrap_or_default();
            margins[1] -= line.away.unwrap_or_default();
        }
    }
    margins
}

/// A match with these margins.
fn ended(contest: &Contest, own: &ContestMatch, margins: [Points; 2]) -> ScoredMatch {
    let mut scored = own.scored;
    if scored.decision.is_some() {
        return scored;
    }
    let rules = &contest.plan.rules;
    let length = own.length;
    let vp = match &own.sheet {
        MatchSheet::Teams(sheet) => {
            let mut sheet = sheet.clone();
            sheet.result.margins = margins;
            sheet.victory_points(rules, length)
        }
        MatchSheet::Pairs(sheet) => {
            let mut sheet = sheet.clone();
            sheet.totals = margins;
            sheet.victory_points(rules, length)
        }
    };
    for (side, (vp, margin)) in scored
        .sides
        .iter_mut()
        .zip(vp.unwrap_or_default().into_iter().zip(margins))
    {
        side.vp = vp;
        side.margin = margin;
    }
    (scored.complete, scored.begun) = (true, true);
    scored
}

impl Contest {
    /// Whether somebody has no match of a round yet.
    pub(super) fn waits(&self, round: RoundNumber, number: ContestantNumber) -> bool {
        self.half_drawn(round)
            .is_none_or(|draw| draw.waiting.contains(&number))
    }

    /// A round of which a part is published.
    pub fn half_drawn(&self, round: RoundNumber) -> Option<&Draw> {
        let draw = &self.rounds.get(&round)?.draw;
        (!draw.waiting.is_empty()).then_some(draw)
    }

    /// The rest of a draw beside the part that is published, at the tables that are left.
    pub(super) fn completed(&self, round: RoundNumber, draw: &mut Draw) {
        let Some(known) = self.half_drawn(round) else {
            return;
        };
        let mut taken: BTreeSet<TableNumber> = known.matches.iter().map(|it| it.table).collect();
        // Who can't move keeps the table here, too.
        let keeps = |number| self.plan.contestant(number).and_then(|it| it.stationary);
        let kept: Vec<Option<TableNumber>> = draw
            .matches
            .iter()
            .map(|it| {
                let mut tables = [it.home, it.away].into_iter().filter_map(keeps);
                tables.find(|table| taken.insert(*table))
            })
            .collect();
        let mut free = (1..=u16::MAX)
            .filter_map(TableNumber::new)
            .filter(|table| !taken.contains(table));
        for (pairing, kept) in draw.matches.iter_mut().zip(kept) {
            if let Some(table) = kept.or_else(|| free.next()) {
                pairing.table = table;
            }
        }
        draw.matches.extend(known.matches.iter().cloned());
        draw.matches.sort_by_key(|it| it.table);
    }
}
