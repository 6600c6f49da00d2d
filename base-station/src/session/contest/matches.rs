//! What matches come to, from the session's lines alone.

use std::collections::BTreeMap;

use contest::ContestantNumber;
use contest::draw::Pairing;
use contest::irregular::{Decision, is_spoiled};
use contest::pairs::{PairsSheet, ScoredBoard};
use contest::standing::{Entry, Line as StandingLine, ScoredMatch, SideScore, settle, standing};
use contest::teams::{Room, TeamsSheet, TwoTables};
use protocol::words::{BoardNumber, RoundNumber, SectionLetter, Side, TableNumber};

use super::{Contest, WithdrawnMatches};
use crate::scoring::{Outcome, Points, VictoryPoints};
use crate::session::plan::PenaltyAmount;
use crate::session::{Cell, Line, PairId, Session, TableId};

/// A match as it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct ContestMatch {
    /// The match's number in its round's draw.
    pub number: TableNumber,
    /// Where it is played.
    pub tables: Vec<TableNumber>,
    /// Round, sides, victory points.
    pub scored: ScoredMatch,
    /// They had met before.
    pub rematch: bool,
    /// Board by board.
    pub sheet: MatchSheet,
    /// Boards without a result, by table.
    pub missing: Vec<(TableNumber, BoardNumber)>,
    /// Results at its tables that other pairs played: they don't count here.
    pub strangers: Vec<Cell>,
    /// More boards are lost than the regulation allows.
    pub spoiled: bool,
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
    /// Everything is in.
    Release,
}

impl Session {
    /// All matches of a section, round by round.
    pub fn contest_matches(&self, section: SectionLetter) -> Vec<ContestMatch> {
        let Some(contest) = self.contests.get(&section) else {
            return Vec::new();
        };
        let mut fields = Fields::new();
        let mut all = Vec::new();
        for (round, drawn) in &contest.rounds {
            for pairing in &drawn.draw.matches {
                all.push(self.contest_match(section, contest, *round, pairing, &mut fields));
            }
        }
        // Forfeits and the like are settled by the means of everybody's other matches.
        let scored: Vec<ScoredMatch> = all.iter().map(|it| it.scored).collect();
        let last = contest.is_drawn();
        for (own, scored) in all
            .iter_mut()
            .zip(settle(&scored, &contest.plan.rules, last))
        {
            own.scored = scored;
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

    /// The standing after the rounds before one.
    pub(super) fn contest_standing_before(
        &self,
        section: SectionLetter,
        contest: &Contest,
        before: Option<RoundNumber>,
    ) -> Vec<StandingLine> {
        let counts = |round: RoundNumber| before.is_none_or(|before| round < before);
        let matches: Vec<ScoredMatch> = self
            .contest_matches(section)
            .into_iter()
            .map(|it| it.scored)
            .filter(|it| before.is_none_or(|before| it.round < u16::from(before.get())))
            .collect();
        let entries: Vec<Entry> = contest
            .plan
            .contestants
            .iter()
            .map(|plan| Entry {
                number: plan.number,
                carry_over: VictoryPoints(plan.carry_over),
                fines: self.fines_in_vp(section, plan.number),
                byes: contest
                    .rounds
                    .iter()
                    .filter(|(round, drawn)| counts(**round) && drawn.draw.bye == Some(plan.number))
                    .map(|(round, _)| u16::from(round.get()))
                    .collect(),
            })
            .collect();
        standing(&entries, &matches, &contest.plan.rules, contest.is_drawn())
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
        for own in self.contest_matches(section) {
            if own.scored.decision.is_some() {
                continue;
            }
            let round = u8::try_from(own.scored.round)
                .ok()
                .and_then(RoundNumber::new);
            let round = round.unwrap_or(RoundNumber::FIRST);
            for (table, board) in own.missing {
                missing.entry((round, table)).or_default().push(board);
            }
        }
        let Some(&(round, _)) = missing.keys().next() else {
            return Some(next.map_or(NextStep::Release, NextStep::Draw));
        };
        Some(NextStep::Missing {
            round,
            draw: next.filter(|_| round == *last),
            tables: missing
                .into_iter()
                .filter(|((of, _), _)| *of == round)
                .map(|((_, table), boards)| (table, boards))
                .collect(),
        })
    }

    fn contest_match(
        &self,
        section: SectionLetter,
        contest: &Contest,
        round: RoundNumber,
        pairing: &Pairing,
        fields: &mut Fields,
    ) -> ContestMatch {
        let plan = &contest.plan;
        let length = u16::from(plan.boards);
        let own = Own {
            section,
            contest,
            round,
            pairing,
            boards: plan.boards_of(round).iter().collect(),
            tables: plan.tables_of(pairing.table),
            fines: [pairing.home, pairing.away]
                .map(|number| self.fines_in_imps(section, contest, number, round)),
        };
        let added = if plan.is_teams() {
            self.teams_match(&own)
        } else {
            self.pairs_match(&own, fields)
        };
        let decision = contest
            .decisions
            .get(&(round, pairing.table))
            .map(|(decision, _)| *decision)
            .or_else(|| cancelled_by_withdrawal(contest, pairing));
        ContestMatch {
            number: pairing.table,
            scored: ScoredMatch {
                round: u16::from(round.get()),
                home: pairing.home,
                away: pairing.away,
                boards: length,
                sides: if added.begun {
                    added.sides
                } else {
                    Default::default()
                },
                decision,
                complete: added.missing.is_empty() && added.begun,
                begun: added.begun,
            },
            rematch: pairing.rematch,
            spoiled: is_spoiled(&plan.rules, added.lost, length),
            strangers: self.strangers(&own),
            tables: own.tables,
            sheet: added.sheet,
            missing: added.missing,
        }
    }

    fn teams_match(&self, own: &Own<'_>) -> Added {
        let rules = &own.contest.plan.rules;
        let (open, closed) = (own.tables[0], own.tables[own.tables.len() - 1]);
        let outcome = |table, board, home| {
            let (cell, line, turned) = self.found(own, table, board, home)?;
            // Team mates who sat the same way have nothing to compare.
            (!turned).then(|| self.row_of(cell, line).map(|row| row.outcome))?
        };
        let two: Vec<TwoTables> = own
            .boards
            .iter()
            .map(|&board| TwoTables {
                board,
                open: outcome(open, board, Side::NorthSouth),
                closed: outcome(closed, board, Side::EastWest),
            })
            .collect();
        let mut sheet = TeamsSheet::of(&two, rules);
        for (margin, fine) in sheet.result.margins.iter_mut().zip(own.fines) {
            *margin -= fine;
        }
        let vp = sheet
            .victory_points(rules, own.length())
            .unwrap_or_default();
        let gained = [sheet.result.first, sheet.result.second];
        Added {
            sides: [0, 1].map(|side| SideScore {
                vp: vp[side],
                scored: gained[side],
                margin: sheet.result.margins[side],
            }),
            missing: sheet
                .missing
                .iter()
                .map(|&(board, room)| match room {
                    Room::Open => (open, board),
                    Room::Closed => (closed, board),
                })
                .collect(),
            begun: sheet.counted > 0,
            lost: sheet.lost,
            sheet: MatchSheet::Teams(sheet),
        }
    }

    fn pairs_match(&self, own: &Own<'_>, fields: &mut Fields) -> Added {
        let rules = &own.contest.plan.rules;
        let table = own.tables[0];
        for &board in &own.boards {
            fields
                .entry(board)
                .or_insert_with(|| self.scored_field(own.section, own.contest, board));
        }
        let rows: Vec<_> = own
            .boards
            .iter()
            .map(|&board| {
                let found = self.found(own, table, board, Side::NorthSouth);
                let row = found.and_then(|(cell, _, turned)| {
                    let field = fields.get(&board)?.as_ref()?;
                    let at = field.cells.iter().position(|known| *known == cell)?;
                    let scored = if turned { &field.turned } else { &field.scored };
                    Some((scored, at))
                });
                (board, row)
            })
            .collect();
        let mut sheet = PairsSheet::of(&rows, rules);
        for (total, fine) in sheet.totals.iter_mut().zip(own.fines) {
            *total -= fine;
        }
        let vp = sheet
            .victory_points(rules, own.length())
            .unwrap_or_default();
        Added {
            sides: [0, 1].map(|side| SideScore {
                vp: vp[side],
                scored: sheet.totals[side].max(Points::ZERO),
                margin: sheet.totals[side],
            }),
            missing: sheet.missing.iter().map(|&board| (table, board)).collect(),
            begun: sheet.counted > 0,
            lost: sheet.lost,
            sheet: MatchSheet::Pairs(sheet),
        }
    }

    /// A line of a match, and whether its sides sat the other way round; `None` where nothing is
    /// in, or others played it.
    fn found(
        &self,
        own: &Own<'_>,
        table: TableNumber,
        board: BoardNumber,
        home: Side,
    ) -> Option<(Cell, &Line, bool)> {
        let (cell, line) = self.line_at(own, table, board)?;
        played_by(line, own.pairing, home).map(|turned| (cell, line, turned))
    }

    fn line_at(
        &self,
        own: &Own<'_>,
        table: TableNumber,
        board: BoardNumber,
    ) -> Option<(Cell, &Line)> {
        let section = own.section;
        let cell = Cell::new(TableId { section, table }, own.round, board);
        let line = self.lines.get(&cell).filter(|line| line.is_in())?;
        Some((cell, line))
    }

    /// Results at the tables of a match that are not those of its two sides.
    fn strangers(&self, own: &Own<'_>) -> Vec<Cell> {
        let tables = own.tables.iter();
        let cells = tables.flat_map(|table| own.boards.iter().map(|board| (*table, *board)));
        cells
            .filter_map(|(table, board)| self.line_at(own, table, board))
            .filter(|(_, line)| played_by(line, own.pairing, Side::NorthSouth).is_none())
            .map(|(cell, _)| cell)
            .collect()
    }

    /// A board of the field, scored; and the same seen from the other side, for pairs that sat the
    /// wrong way round.
    fn scored_field(
        &self,
        section: SectionLetter,
        contest: &Contest,
        board: BoardNumber,
    ) -> Option<ScoredField> {
        let lines = self.board_lines(section, board);
        let (cells, rows): (Vec<Cell>, Vec<_>) = lines
            .filter_map(|(cell, line)| Some((*cell, self.row_of(*cell, line)?)))
            .unzip();
        let turned = rows
            .iter()
            .cloned()
            .map(|mut row| {
                std::mem::swap(&mut row.ns, &mut row.ew);
                row.outcome = match row.outcome {
                    Outcome::Score(score) => Outcome::Score(-score),
                    other => other,
                };
                row
            })
            .collect::<Vec<_>>();
        Some(ScoredField {
            cells,
            scored: ScoredBoard::of(&rows, &contest.plan.rules)?,
            turned: ScoredBoard::of(&turned, &contest.plan.rules)?,
        })
    }

    fn fined(
        &self,
        section: SectionLetter,
        number: ContestantNumber,
    ) -> impl Iterator<Item = (super::super::Seq, PenaltyAmount)> + '_ {
        self.penalties
            .iter()
            .filter(move |(_, it)| it.pair.section == section && it.pair.number == number)
            .map(|(seq, it)| (*seq, it.amount))
    }

    fn fines_in_vp(&self, section: SectionLetter, number: ContestantNumber) -> VictoryPoints {
        let fines = self.fined(section, number).map(|(_, amount)| match amount {
            PenaltyAmount::VictoryPoints(hundredths) => i32::try_from(hundredths).unwrap_or(0),
            _ => 0,
        });
        VictoryPoints(fines.sum())
    }

    /// IMPs off a match: those of penalties given after its draw and before the next one.
    fn fines_in_imps(
        &self,
        section: SectionLetter,
        contest: &Contest,
        number: ContestantNumber,
        round: RoundNumber,
    ) -> Points {
        let of_round = |seq| {
            let drawn = contest.rounds.iter().rev();
            let current = drawn.into_iter().find(|(_, drawn)| drawn.seq < seq);
            current.is_some_and(|(of, _)| *of == round)
        };
        self.fined(section, number)
            .filter(|(seq, _)| of_round(*seq))
            .map(|(_, amount)| match amount {
                PenaltyAmount::Imps(imps) => Points::whole(i64::from(imps)),
                _ => Points::ZERO,
            })
            .sum()
    }
}

/// The boards of a field, as they are needed; a board of teams has none.
type Fields = BTreeMap<BoardNumber, Option<ScoredField>>;

/// A match that is to be added up.
struct Own<'a> {
    section: SectionLetter,
    contest: &'a Contest,
    round: RoundNumber,
    pairing: &'a Pairing,
    boards: Vec<BoardNumber>,
    tables: Vec<TableNumber>,
    /// IMPs off home and away.
    fines: [Points; 2],
}

impl Own<'_> {
    fn length(&self) -> u16 {
        u16::from(self.contest.plan.boards)
    }
}

/// A match added up.
struct Added {
    sheet: MatchSheet,
    sides: [SideScore; 2],
    missing: Vec<(TableNumber, BoardNumber)>,
    begun: bool,
    lost: u16,
}

/// A board of the field with the cells of its rows.
struct ScoredField {
    cells: Vec<Cell>,
    scored: ScoredBoard,
    turned: ScoredBoard,
}

/// Whether a line was played by the two sides of a match: `Some(false)` as drawn, `Some(true)` the
/// other way round. `home` is where the home side is to sit.
fn played_by(line: &Line, pairing: &Pairing, home: Side) -> Option<bool> {
    let number = |pair: Option<PairId>| pair.map(|pair| pair.number);
    let (ns, ew) = match home {
        Side::NorthSouth => (pairing.home, pairing.away),
        Side::EastWest => (pairing.away, pairing.home),
    };
    match (number(line.ns), number(line.ew)) {
        (Some(one), Some(other)) if (one, other) == (ns, ew) => Some(false),
        (Some(one), Some(other)) if (one, other) == (ew, ns) => Some(true),
        _ => None,
    }
}

/// A match against somebody who went home and whose matches don't stand.
fn cancelled_by_withdrawal(contest: &Contest, pairing: &Pairing) -> Option<Decision> {
    [pairing.home, pairing.away].into_iter().find_map(|number| {
        let (_, matches) = contest.withdrawn.get(&number)?;
        (*matches == WithdrawnMatches::Cancelled).then_some(Decision::Forfeit { by: number })
    })
}
