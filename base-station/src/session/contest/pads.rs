//! What pads hear of matches: rounds that wait for their draw, who is at home, and the slip.

use protocol::message::{Down, MatchAtTable, SLIP_LINES_MAX, Slip, SlipLine};
use protocol::words::{BoardNumber, PadId, RoundNumber, Score, SectionLetter, Side, TableNumber};

use contest::draw::Half;

use super::fixtures::Part;
use super::{Contest, ContestEvent, ContestMatch, MatchSheet};
use crate::movement::BoardSet;
use crate::scoring::Points;
use crate::session::plan::Sitting;
use crate::session::sheets::cut;
use crate::session::{Cell, Event, Session, TableId};

impl Session {
    /// Whether a section plays matches whose players were entered with their names.
    pub(in crate::session) fn knows_players_of(&self, section: SectionLetter) -> bool {
        let contest = self.contests.get(&section);
        contest.is_some_and(|it: &Contest| {
            let least = if it.plan.is_teams() { 4 } else { 2 };
            let mut all = it.plan.contestants.iter();
            all.all(|entry| entry.players.len() >= least)
        })
    }

    /// What stands behind a table's schedule: the rounds to come, and whom it plays.
    pub(in crate::session) fn about_matches(&self, table: TableId) -> Vec<Down> {
        let Some(contest) = self.contests.get(&table.section) else {
            let led = self.led.get(&table.section);
            let waits = led.and_then(crate::session::Led::waits_for);
            let waits = waits.map(|(from, rounds_total)| Down::NotDrawn { from, rounds_total });
            return waits.into_iter().collect();
        };
        let mut downs = Vec::new();
        let last = RoundNumber::new(contest.plan.last_round());
        if let (Some(from), Some(rounds_total)) = (contest.next_round(), last) {
            downs.push(Down::NotDrawn { from, rounds_total });
        }
        let now = self.table_round(table);
        for round in [Some(now), now.next()].into_iter().flatten() {
            downs.extend(match_at(contest, table.table, round).map(Down::Match));
        }
        downs
    }

    /// Which half of a triangle in one round a table plays: the first until all its boards are in.
    pub(in crate::session) fn half_in_play(
        &self,
        table: TableId,
        sitting: &Sitting,
    ) -> Option<(Half, BoardSet)> {
        let contest = self.contests.get(&table.section)?;
        let drawn = contest.rounds.get(&sitting.round)?;
        let halves = drawn.draw.halves.iter();
        let mut halves = halves
            .filter(|half| half.boards.is_some() && half.table == table.table)
            .map(|half| (*half, contest.plan.boards_of_half(half)));
        let first = halves.next()?;
        let is_in = |board| self.is_in(Cell::new(table, sitting.round, board));
        if first.1.iter().all(is_in) {
            return halves.next().or(Some(first));
        }
        Some(first)
    }

    /// Whether a result ends the first half of a triangle in one round: other opponents come.
    pub(in crate::session) fn ends_a_half(&self, cell: Cell) -> bool {
        let contest = self.contests.get(&cell.section);
        let half = contest.and_then(|it| it.half_at(cell.round, cell.table, cell.board));
        let sitting = self.sitting(cell.table_id(), cell.round);
        let in_play = sitting.and_then(|it| self.half_in_play(cell.table_id(), it));
        half.zip(in_play)
            .is_some_and(|(half, (now, _))| *half != now)
    }

    /// The slip of the match that a table played in a round, once all its boards are in.
    pub(in crate::session) fn slip(&self, table: TableId, round: RoundNumber) -> Option<Slip> {
        let matches = self.contest_matches(table.section);
        // Of two short matches in a round the one that ended last.
        let here = |it: &&ContestMatch| it.is_at(round, table.table);
        let finished = matches.iter().rev().filter(here);
        let mut finished = finished.filter(|it| it.missing.is_empty());
        let own = finished.next().or_else(|| matches.iter().find(here))?;
        let contest = self.contests.get(&table.section)?;
        if !own.missing.is_empty() || own.parts.iter().all(|part| part.boards.is_empty()) {
            return None;
        }
        Some(self.slip_of(contest, own, table, round))
    }

    /// The same, for tests of what pads hear.
    #[cfg(test)]
    pub(crate) fn slip_for_tests(&self, table: TableId, round: RoundNumber) -> Option<Slip> {
        self.slip(table, round)
    }

    fn slip_of(
        &self,
        contest: &Contest,
        own: &ContestMatch,
        table: TableId,
        round: RoundNumber,
    ) -> Slip {
        // Whether home sits North-South at this table.
        let rooms = own.parts.iter().filter_map(|part| part.rooms.first());
        let open = rooms.into_iter().any(|room| *room == (round, table.table));
        let is_final = contest.plan.is_teams() || self.field_is_in(own, table);
        let lines: Vec<SlipLine> = match &own.sheet {
            MatchSheet::Teams(sheet) => sheet
                .lines
                .iter()
                .map(|line| {
                    let (here, there) = if open {
                        (line.open, line.closed)
                    } else {
                        (line.closed, line.open)
                    };
                    // What a room sees as its own is the other's loss.
                    let points = if open { line.home } else { line.away };
                    let other = if open { line.away } else { line.home };
                    let net = points.zip(other).map(|(own, other)| own - other);
                    slip_line(line.board, here, there, net)
                })
                .collect(),
            MatchSheet::Pairs(sheet) => sheet
                .lines
                .iter()
                .map(|line| slip_line(line.board, line.score, None, line.home.filter(|_| is_final)))
                .collect(),
        };
        let (ns, ew) = if open { (0, 1) } else { (1, 0) };
        let sides = &own.scored.sides;
        let hundredths = |side: usize| i16::try_from(sides[side].vp.0).unwrap_or(i16::MAX);
        let check = self.slip_check(table.section, &own.parts);
        Slip {
            round,
            check,
            lines: lines.into_iter().take(SLIP_LINES_MAX).collect(),
            total: is_final.then(|| tenths(sides[ns].margin + own.play_off[ns])),
            vp: is_final.then(|| [hundredths(ns), hundredths(ew)]),
            accepted: contest.accepted.get(&(round, table.table)) == Some(&check),
        }
    }

    /// Whether every table of the field has finished the boards of a pairs match.
    fn field_is_in(&self, own: &ContestMatch, table: TableId) -> bool {
        let Some(section) = self.sections.get(&table.section) else {
            return false;
        };
        let boards: Vec<BoardNumber> = own.parts.iter().flat_map(|it| it.boards.clone()).collect();
        section.sittings.values().all(|sitting| {
            let at = TableId {
                section: table.section,
                table: sitting.table,
            };
            let mut own = sitting.boards.iter().filter(|board| boards.contains(board));
            !sitting.is_played() || own.all(|board| self.is_in(Cell::new(at, sitting.round, board)))
        })
    }

    /// A number that changes with every result of the match.
    pub(super) fn slip_check(&self, section: SectionLetter, parts: &[Part]) -> u16 {
        let mut check = 0x5EED_u32;
        for part in parts {
            for (round, table) in &part.rooms {
                let table = TableId {
                    section,
                    table: *table,
                };
                for board in &part.boards {
                    let line = self.lines.get(&Cell::new(table, *round, *board));
                    let score = line.and_then(|line| line.score(*board));
                    let score = score.map_or(0x4000, |score| u32::from(score.0.cast_unsigned()));
                    check = check.rotate_left(5).wrapping_mul(0x9E37_79B1) ^ score;
                }
            }
        }
        u16::try_from((check ^ (check >> 16)) & 0xFFFF).unwrap_or_default()
    }

    /// The slips that tables get because something of their match has come in.
    pub(in crate::session) fn post_slips(&self, cell: Cell, posts: &mut Vec<(PadId, Down)>) {
        let Some(contest) = self.contests.get(&cell.section) else {
            return;
        };
        let done = |table: TableId| {
            let expected = self.expected(table, cell.round);
            expected.into_iter().all(|cell| self.is_in(cell))
        };
        if !done(cell.table_id()) {
            return;
        }
        // A pairs match hears of the last board of the field, too: only then are its IMPs known.
        let section = cell.section;
        let tables = self.sections.get(&section).into_iter();
        let mut tables = tables.flat_map(crate::session::state::Section::tables);
        let all = !contest.plan.is_teams() && tables.all(|table| done(TableId { section, table }));
        for own in self.contest_matches(section) {
            let in_round = own.scored.round == u16::from(cell.round.get());
            if own.missing.is_empty() && (own.is_at(cell.round, cell.table) || all && in_round) {
                self.post_slip(contest, &own, section, posts);
            }
        }
    }

    fn post_slip(
        &self,
        contest: &Contest,
        own: &ContestMatch,
        section: SectionLetter,
        posts: &mut Vec<(PadId, Down)>,
    ) {
        for (round, table) in own.parts.iter().flat_map(|it| &it.rooms) {
            let table = TableId {
                section,
                table: *table,
            };
            // A table that has gone on to the next round is not disturbed with the last one.
            if self.table_round(table) == *round
                && let Some(pad) = self.holder(table)
            {
                let slip = self.slip_of(contest, own, table, *round);
                posts.push((pad, Down::Slip(slip)));
            }
        }
    }

    /// Both sides accept a slip. Nothing happens where it is another one by now: they read it again.
    pub(in crate::session) fn slip_accepted(
        &self,
        table: TableId,
        round: RoundNumber,
        check: u16,
    ) -> (Option<Event>, Option<Down>) {
        let Some(slip) = self.slip(table, round) else {
            return (None, None);
        };
        if slip.accepted && slip.check == check {
            return (None, None);
        }
        if slip.check != check {
            return (None, Some(Down::Slip(slip)));
        }
        let event = ContestEvent::SlipAccepted {
            section: table.section,
            round,
            table: table.table,
            check,
        };
        (Some(Event::Contest(event)), None)
    }

    /// Whether the players can't change a board any more because they accepted the slip.
    pub(in crate::session) fn slip_is_accepted(&self, cell: Cell) -> bool {
        let contest = self.contests.get(&cell.section);
        contest.is_some_and(|it| it.accepted.contains_key(&(cell.round, cell.table)))
    }

    /// Whether a table of a teams match may see what others did on a board: its match has it from
    /// both tables, and the club shows that before the end; or the match is over.
    pub(in crate::session) fn may_compare(&self, cell: Cell) -> bool {
        let Some(contest) = self
            .contests
            .get(&cell.section)
            .filter(|it| it.plan.is_teams())
        else {
            return true;
        };
        let matches = self.contest_matches(cell.section);
        let Some(own) = matches.iter().find(|it| it.is_at(cell.round, cell.table)) else {
            return false;
        };
        let missing = |board: BoardNumber| own.missing.iter().any(|(_, _, it)| *it == board);
        own.missing.is_empty() || contest.plan.other_table_shown && !missing(cell.board)
    }

    /// Where the other results of a teams match are: pads compare with them alone.
    pub(in crate::session) fn compared_with(&self, cell: Cell) -> Option<Vec<Cell>> {
        let contest = self
            .contests
            .get(&cell.section)
            .filter(|it| it.plan.is_teams())?;
        let fixtures = contest.fixtures();
        let own = fixtures
            .iter()
            .find(|it| it.is_at(cell.table, cell.round))?;
        let rooms = own.part_of(cell.board)?.rooms.iter();
        let section = cell.section;
        let at = rooms.map(|(round, table)| {
            let table = TableId {
                section,
                table: *table,
            };
            Cell::new(table, *round, cell.board)
        });
        Some(at.collect())
    }
}

fn match_at(contest: &Contest, table: TableNumber, round: RoundNumber) -> Option<MatchAtTable> {
    let drawn = &contest.rounds.get(&round)?.draw;
    let name = |number: super::ContestantNumber| {
        let plan = contest.plan.contestant(number);
        let name = plan.map_or_else(String::new, |it| it.name.clone());
        if name.is_empty() {
            // Pads speak the club's language; a number is the same in all of them.
            number.to_string()
        } else {
            name
        }
    };
    let found = drawn.matches.iter().find_map(|it| {
        let tables = contest.plan.tables_of(it.table);
        let room = tables.iter().position(|at| *at == table)?;
        Some(if room == 0 {
            (Side::NorthSouth, it.home, it.away)
        } else {
            (Side::EastWest, it.away, it.home)
        })
    });
    let of_halves = drawn.halves.iter().find(|it| it.table == table);
    let (home, ns, ew) = found.or(of_halves.map(|it| (Side::NorthSouth, it.ns, it.ew)))?;
    let names = if contest.plan.is_teams() {
        [ns, ew].map(|number| cut(&name(number)))
    } else {
        Default::default()
    };
    Some(MatchAtTable { round, home, names })
}

fn slip_line(
    board: BoardNumber,
    here: Option<Score>,
    there: Option<Score>,
    points: Option<Points>,
) -> SlipLine {
    SlipLine {
        board,
        here,
        there,
        points: points.map(tenths),
    }
}

/// As pads show it: to the nearest tenth.
fn tenths(points: Points) -> i16 {
    let tenths = (points.ten_thousandths() + 500).div_euclid(1_000);
    i16::try_from(tenths).unwrap_or(i16::MAX)
}
