//! What looks wrong about a match.

use protocol::words::{BoardNumber, SectionLetter};

use super::fixtures::Part;
use super::{ContestMatch, MatchSheet};
use crate::scoring::Points;
use crate::session::{Cell, Line, Session, TableId};

/// A swing above this is worth a look at the board: a slam on the wrong side is 17.
const LARGE_SWING: Points = Points::whole(17);

/// What looks wrong about a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MatchFinding {
    /// Others than the two sides played here; it does not count.
    Strangers(Cell),
    /// Both pairs of a team sat the same way: there is nothing to compare.
    SameWay(Cell),
    /// More IMPs than a slam on the wrong side.
    Swing(Cell, Points),
    /// All is in but this.
    Half(Cell),
    /// A board that does not belong to the match.
    OtherSet(Cell),
}

impl MatchFinding {
    /// Where to look: in the open room where both are meant.
    pub const fn cell(&self) -> Cell {
        match self {
            Self::Strangers(cell)
            | Self::SameWay(cell)
            | Self::Swing(cell, _)
            | Self::Half(cell)
            | Self::OtherSet(cell) => *cell,
        }
    }
}

impl Session {
    /// What looks wrong about a match, the worst first.
    pub fn match_findings(&self, section: SectionLetter, own: &ContestMatch) -> Vec<MatchFinding> {
        let mut findings: Vec<MatchFinding> = own
            .strangers
            .iter()
            .map(|cell| MatchFinding::Strangers(*cell))
            .collect();
        if let MatchSheet::Teams(sheet) = &own.sheet {
            for line in &sheet.lines {
                let Some(cell) = own.cell(section, 0, line.board) else {
                    continue;
                };
                if self.sat_the_same_way(section, own, line.board) {
                    findings.push(MatchFinding::SameWay(cell));
                }
                let net = line.home.zip(line.away).map(|(home, away)| home - away);
                let swing = net.map(|net| if net < Points::ZERO { -net } else { net });
                if let Some(swing) = swing.filter(|swing| *swing > LARGE_SWING) {
                    findings.push(MatchFinding::Swing(cell, swing));
                }
            }
        }
        // A board that can't be compared is named already.
        let named = |board| {
            let mut same_way = findings.iter();
            same_way.any(|it| matches!(it, MatchFinding::SameWay(cell) if cell.board == board))
        };
        let mut missing = own.missing.iter().filter(|(.., board)| !named(*board));
        let only = (missing.next(), missing.next());
        if let (Some(&(round, table, board)), None) = only
            && own.scored.begun
        {
            let table = TableId { section, table };
            findings.push(MatchFinding::Half(Cell::new(table, round, board)));
        }
        findings.extend(self.of_other_sets(section, own));
        findings
    }

    fn sat_the_same_way(
        &self,
        section: SectionLetter,
        own: &ContestMatch,
        board: BoardNumber,
    ) -> bool {
        let sits = |room: usize| -> Option<&Line> {
            let line = self.lines.get(&own.cell(section, room, board)?)?;
            line.is_in().then_some(line)
        };
        let Some((open, closed)) = sits(0).zip(sits(1)) else {
            return false;
        };
        let ns = |line: &Line| line.ns.map(|pair| pair.number);
        ns(open).is_some() && ns(open) == ns(closed)
    }

    /// Results at the tables of a match, in its round, of boards that are not its.
    fn of_other_sets(&self, section: SectionLetter, own: &ContestMatch) -> Vec<MatchFinding> {
        let mut found = Vec::new();
        for part in &own.parts {
            for (round, table) in &part.rooms {
                let table = TableId {
                    section,
                    table: *table,
                };
                let first = Cell::new(table, *round, BoardNumber::MIN);
                let last = Cell::new(table, *round, BoardNumber::MAX);
                let lines = self.lines.range(first..=last);
                let other = lines.filter(|(cell, line)| {
                    line.is_in()
                        && cell.table_id() == table
                        && cell.round == *round
                        && !part.boards.contains(&cell.board)
                        && !self.is_replaced(section, own, part, cell.board)
                });
                found.extend(other.map(|(cell, _)| MatchFinding::OtherSet(*cell)));
            }
        }
        found
    }
    /// Whether another board is played for this one: what was entered of it before is of no interest.
    fn is_replaced(
        &self,
        section: SectionLetter,
        own: &ContestMatch,
        part: &Part,
        board: BoardNumber,
    ) -> bool {
        let replaced = self.contests.get(&section).map(|it| &it.replaced);
        let place = part.ends().map(|ends| (ends, own.number, board));
        replaced
            .zip(place)
            .is_some_and(|(replaced, place)| replaced.contains_key(&place))
    }
}
