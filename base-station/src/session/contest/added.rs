//! Adding matches up, board by board, from the session's lines.

use std::collections::BTreeMap;

use contest::ContestantNumber;
use contest::draw::Pairing;
use contest::irregular::{Decision, is_spoiled};
use contest::pairs::{PairsSheet, ScoredBoard};
use contest::standing::{ScoredMatch, SideScore};
use contest::stanzas::Stanzas;
use contest::teams::{Ending, Room, TeamsSheet, TwoTables};
use protocol::words::{BoardNumber, RoundNumber, SectionLetter, Side, TableNumber};

use super::fixtures::Fixture;
use super::{Contest, ContestMatch, Format, MatchSheet, WithdrawnMatches};
use crate::scoring::{Outcome, Points, VictoryPoints};
use crate::session::plan::PenaltyAmount;
use crate::session::{Cell, Line, PairId, Session, TableId};

impl Session {
    pub(super) fn contest_match(
        &self,
        section: SectionLetter,
        contest: &Contest,
        fixture: Fixture,
        fields: &mut Fields,
    ) -> ContestMatch {
        let plan = &contest.plan;
        let (round, pairing) = (fixture.round, fixture.pairing.clone());
        let own = Own {
            section,
            contest,
            fines: self.fines_of(section, contest, &fixture),
            before: plan.begun_before(pairing.home, pairing.away),
            boards: fixture
                .planned()
                .iter()
                .flat_map(|part| part.boards.iter().copied())
                .collect(),
            fixture: &fixture,
        };
        let added = if plan.is_teams() {
            self.teams_match(&own)
        } else {
            self.pairs_match(&own, fields)
        };
        let decided = contest
            .decisions
            .get(&(round, pairing.table))
            .map(|(decision, _)| *decision)
            .or_else(|| contest.cancelled_by_withdrawal([pairing.home, pairing.away]));
        let mut added = added;
        if decided == Some(Decision::BoardsIn) {
            added.missing.clear();
        }
        let length = own.length();
        // The slip is read where the match ends.
        let check = self.slip_check(section, &fixture.parts);
        let rooms = fixture.parts.iter().flat_map(|it| &it.rooms);
        let mut last = rooms.filter(|(at, _)| *at == round);
        let accepted = last.all(|room| contest.accepted.get(room) == Some(&check));
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
                decision: decided.filter(|it| it.is_instead_of_boards()),
                complete: added.missing.is_empty() && added.begun,
                begun: added.begun,
            },
            rematch: pairing.rematch,
            spoiled: is_spoiled(&plan.rules, added.lost, length),
            length,
            decided,
            strangers: self.strangers(&own),
            tables: fixture.tables(),
            sheet: added.sheet,
            missing: added.missing,
            accepted,
            ending: added
                .ending
                // While a stanza is to come, tonight or later, the match is not over.
                .filter(|_| contest.plan.format == Format::HeadToHead && contest.is_settled())
                .filter(|_| decided.is_none_or(|it| !it.is_instead_of_boards()))
                .map(|ending| contest.ended(ending, [pairing.home, pairing.away])),
            play_off: added.play_off,
            parts: fixture.parts,
        }
    }

    fn teams_match(&self, own: &Own<'_>) -> Added {
        let rules = &own.contest.plan.rules;
        let outcome = |room, board, home| {
            let (cell, line, turned) = self.found(own, room, board, home)?;
            // Team mates who sat the same way have nothing to compare.
            (!turned).then(|| self.row_of(cell, line).map(|row| row.outcome))?
        };
        let compared = |boards: &[BoardNumber]| {
            let two = boards.iter().map(|&board| TwoTables {
                board,
                open: outcome(0, board, Side::NorthSouth),
                closed: outcome(1, board, Side::EastWest),
            });
            TeamsSheet::of(&two.collect::<Vec<_>>(), rules)
        };
        let mut sheet = compared(&own.boards);
        if let Some(before) = &own.before {
            sheet.goes_on_from(before);
        }
        for (margin, fine) in sheet.result.margins.iter_mut().zip(own.fines) {
            *margin -= fine;
        }
        let vp = own.share(
            sheet
                .victory_points(rules, own.length())
                .unwrap_or_default(),
        );
        let gained = [sheet.result.first, sheet.result.second];
        let margins = sheet.result.margins;
        let play_offs = own.fixture.play_offs();
        let play_offs: Vec<TeamsSheet> = play_offs.iter().map(|it| compared(&it.boards)).collect();
        let ending = sheet.ending(&play_offs, rules);
        let mut play_off = [Points::ZERO; 2];
        for more in play_offs {
            for (sum, margin) in play_off.iter_mut().zip(more.result.margins) {
                *sum += margin;
            }
            sheet.lines.extend(more.lines);
            sheet.missing.extend(more.missing);
        }
        Added {
            sides: [0, 1].map(|side| SideScore {
                vp: vp[side],
                scored: gained[side],
                margin: margins[side],
            }),
            ending,
            play_off,
            missing: sheet
                .missing
                .iter()
                .filter_map(|&(board, room)| {
                    let room = match room {
                        Room::Open => 0,
                        Room::Closed => 1,
                    };
                    let (round, table) = own.room(room, board)?;
                    Some((round, table, board))
                })
                .collect(),
            begun: sheet.counted > 0,
            lost: sheet.lost,
            sheet: MatchSheet::Teams(sheet),
        }
    }

    fn pairs_match(&self, own: &Own<'_>, fields: &mut Fields) -> Added {
        let rules = &own.contest.plan.rules;
        for &board in &own.boards {
            fields
                .entry(board)
                .or_insert_with(|| self.scored_field(own.section, own.contest, board));
        }
        let rows: Vec<_> = own
            .boards
            .iter()
            .map(|&board| {
                let found = self.found(own, 0, board, Side::NorthSouth);
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
        if let Some(before) = &own.before {
            sheet.goes_on_from(before, rules);
        }
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
            ending: None,
            play_off: [Points::ZERO; 2],
            missing: sheet
                .missing
                .iter()
                .filter_map(|&board| {
                    let (round, table) = own.room(0, board)?;
                    Some((round, table, board))
                })
                .collect(),
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
        room: usize,
        board: BoardNumber,
        home: Side,
    ) -> Option<(Cell, &Line, bool)> {
        let (cell, line) = self.line_at(own, room, board)?;
        played_by(line, &own.fixture.pairing, home).map(|turned| (cell, line, turned))
    }

    fn line_at(&self, own: &Own<'_>, room: usize, board: BoardNumber) -> Option<(Cell, &Line)> {
        let section = own.section;
        let (round, table) = own.room(room, board)?;
        let cell = Cell::new(TableId { section, table }, round, board);
        let line = self.lines.get(&cell).filter(|line| line.is_in())?;
        Some((cell, line))
    }

    /// Results at the tables of a match that are not those of its two sides.
    fn strangers(&self, own: &Own<'_>) -> Vec<Cell> {
        let boards = own.fixture.parts.iter().flat_map(|part| &part.boards);
        let cells = boards.flat_map(|board| [(0, *board), (1, *board)]);
        cells
            .filter_map(|(room, board)| self.line_at(own, room, board))
            .filter(|(_, line)| played_by(line, &own.fixture.pairing, Side::NorthSouth).is_none())
            .map(|(cell, _)| cell)
            .collect()
    }

    /// A board of the field, which is all sections where they are compared as one, scored; and the same seen from the other side, for pairs that sat the
    /// wrong way round.
    fn scored_field(
        &self,
        section: SectionLetter,
        contest: &Contest,
        board: BoardNumber,
    ) -> Option<ScoredField> {
        let lines = self.lines_beside(section, board);
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
                    other @ (Outcome::NotPlayed | Outcome::SitOut | Outcome::Adjusted(_)) => other,
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

    pub(super) fn fines_in_vp(
        &self,
        section: SectionLetter,
        number: ContestantNumber,
    ) -> VictoryPoints {
        let fines = self.fined(section, number).map(|(_, amount)| match amount {
            PenaltyAmount::VictoryPoints(hundredths) => i32::try_from(hundredths).unwrap_or(0),
            PenaltyAmount::Warning
            | PenaltyAmount::PercentOfTop(_)
            | PenaltyAmount::PercentOfSession(_)
            | PenaltyAmount::Matchpoints(_)
            | PenaltyAmount::Imps(_) => 0,
        });
        VictoryPoints(fines.sum())
    }

    /// IMPs off home's and away's margin.
    fn fines_of(
        &self,
        section: SectionLetter,
        contest: &Contest,
        fixture: &Fixture,
    ) -> [Points; 2] {
        let pairing = &fixture.pairing;
        let [home, away] = [pairing.home, pairing.away]
            .map(|number| self.fines_in_imps(section, contest, number, fixture));
        if contest.plan.format == Format::HeadToHead {
            // What one side loses of a match that IMPs decide the other has won, and so it is with
            // what one side brought along.
            let off = home - away - contest.plan.brought_by(pairing.home, pairing.away);
            return [off, -off];
        }
        [home, away]
    }

    /// IMPs off a match: those of penalties given after the draw of one of its rounds and before the
    /// next one. Who plays several matches in a round pays in the first of them.
    fn fines_in_imps(
        &self,
        section: SectionLetter,
        contest: &Contest,
        number: ContestantNumber,
        own: &Fixture,
    ) -> Points {
        let imps = self.fined(section, number).filter_map(|(seq, amount)| {
            let PenaltyAmount::Imps(imps) = amount else {
                return None;
            };
            let mut drawn = contest.rounds.iter().rev();
            let (round, _) = drawn.find(|(_, drawn)| drawn.seq < seq)?;
            let mut fixtures = contest.fixtures().into_iter();
            let paid = fixtures.find(|it| it.is_of(number) && it.is_in(*round))?;
            (paid == *own).then(|| Points::whole(i64::from(imps)))
        });
        imps.sum()
    }
}

/// The boards of a field, as they are needed; a board of teams has none.
pub(super) type Fields = BTreeMap<BoardNumber, Option<ScoredField>>;

/// A match that is to be added up.
struct Own<'a> {
    section: SectionLetter,
    contest: &'a Contest,
    fixture: &'a Fixture,
    boards: Vec<BoardNumber>,
    /// IMPs off home and away.
    fines: [Points; 2],
    /// What its stanzas of earlier nights came to.
    before: Option<Stanzas>,
}

impl Own<'_> {
    fn length(&self) -> u16 {
        if self.fixture.is_short {
            return u16::try_from(self.boards.len()).unwrap_or(u16::MAX);
        }
        self.contest.plan.match_length()
    }

    /// Two short matches of a round are worth a whole one together.
    fn share(&self, vp: [VictoryPoints; 2]) -> [VictoryPoints; 2] {
        if !self.fixture.is_short {
            return vp;
        }
        let [home, away] = vp;
        // Half a hundredth goes to home, so that nothing is lost.
        let half = VictoryPoints((home.0 + 1).div_euclid(2));
        [
            half,
            VictoryPoints((home.0 + away.0).div_euclid(2) - half.0),
        ]
    }

    /// Where a board is played: in the open room (0) or the closed one (1).
    fn room(&self, room: usize, board: BoardNumber) -> Option<(RoundNumber, TableNumber)> {
        self.fixture.part_of(board)?.rooms.get(room).copied()
    }
}

/// A match added up.
struct Added {
    sheet: MatchSheet,
    sides: [SideScore; 2],
    missing: Vec<(RoundNumber, TableNumber, BoardNumber)>,
    begun: bool,
    lost: u16,
    ending: Option<Ending>,
    play_off: [Points; 2],
}

/// A board of the field with the cells of its rows.
pub(super) struct ScoredField {
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

impl Contest {
    /// A match against somebody who went home and whose matches don't stand.
    pub(super) fn cancelled_by_withdrawal(&self, sides: [ContestantNumber; 2]) -> Option<Decision> {
        sides.into_iter().find_map(|number| {
            let (_, matches) = self.withdrawn.get(&number)?;
            (*matches == WithdrawnMatches::Cancelled).then_some(Decision::Forfeit { by: number })
        })
    }
}
