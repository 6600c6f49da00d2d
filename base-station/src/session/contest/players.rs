//! The players of a teams event, ranked by what they won against the field: IMPs a board.

use std::collections::BTreeMap;

use contest::pairs::{PairsSheet, ScoredBoard};
use contest::{Comparison, ContestantNumber, Rules};
use protocol::words::{BoardNumber, RoundNumber, SectionLetter};

use super::Contest;
use crate::scoring::Points;
use crate::session::plan::Partner;
use crate::session::{Club, Session};

/// A player of a teams event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerLine {
    /// The name.
    pub name: String,
    /// The number of the team.
    pub team: u16,
    /// Boards that count.
    pub boards: u32,
    /// IMPs against the datum.
    pub imps: Points,
}

impl PlayerLine {
    /// In hundredths, to the nearest.
    pub fn imps_a_board(&self) -> i64 {
        let boards = i64::from(self.boards.max(1));
        (2 * self.imps.ten_thousandths() + 100 * boards).div_euclid(200 * boards)
    }
}

impl Session {
    /// The Butler ranking of a teams event, the best first; empty for pairs.
    pub fn contest_players(&self, club: &Club, section: SectionLetter) -> Vec<PlayerLine> {
        let contests = self.contests.get(&section);
        let Some(contest) = contests.filter(|it| it.plan.is_teams()) else {
            return Vec::new();
        };
        let mut lines: BTreeMap<(u16, String), PlayerLine> = BTreeMap::new();
        for board in self.boards_played(section) {
            self.add_board(club, section, contest, board, &mut lines);
        }
        let mut lines: Vec<PlayerLine> = lines.into_values().collect();
        lines.sort_by(|one, other| {
            let by = other.imps_a_board().cmp(&one.imps_a_board());
            by.then_with(|| one.name.cmp(&other.name))
        });
        lines
    }

    /// Who plays for a contestant: the players of its entry, or those who sat down for it.
    pub fn contest_people(
        &self,
        club: &Club,
        section: SectionLetter,
        number: ContestantNumber,
    ) -> Vec<String> {
        let Some(contest) = self.contests.get(&section) else {
            return Vec::new();
        };
        let entered = contest.plan.contestant(number);
        if let Some(entry) = entered.filter(|it| !it.players.is_empty()) {
            return entry.players.clone();
        }
        let pairs = contest.plan.pairs_of(section, number).into_iter();
        let names = pairs.flat_map(|pair| {
            [Partner::First, Partner::Second]
                .map(|partner| self.name_at(club, pair, partner, RoundNumber::FIRST))
        });
        names.filter(|name| !name.is_empty()).collect()
    }

    fn boards_played(&self, section: SectionLetter) -> Vec<BoardNumber> {
        let mut boards: Vec<BoardNumber> = self
            .lines
            .iter()
            .filter(|(cell, line)| cell.section == section && line.is_in())
            .map(|(cell, _)| cell.board)
            .collect();
        boards.sort_unstable();
        boards.dedup();
        boards
    }

    fn add_board(
        &self,
        club: &Club,
        section: SectionLetter,
        contest: &Contest,
        board: BoardNumber,
        lines: &mut BTreeMap<(u16, String), PlayerLine>,
    ) {
        let rules = Rules {
            comparison: Comparison::Butler,
            ..contest.plan.rules
        };
        let known: Vec<_> = self
            .lines_beside(section, board)
            .filter_map(|(cell, line)| Some((*cell, line, self.row_of(*cell, line)?)))
            .collect();
        let rows = known
            .iter()
            .map(|(_, _, row)| row.clone())
            .collect::<Vec<_>>();
        let Some(field) = ScoredBoard::of(&rows, &rules) else {
            return;
        };
        // Players of other sections have their own list.
        let own = known.iter().enumerate();
        for (at, (cell, line, _)) in own.filter(|(_, it)| it.0.section == section) {
            let sheet = PairsSheet::of(&[(board, Some((&field, at)))], &rules);
            let Some(scored) = sheet.lines.first() else {
                continue;
            };
            for (pair, points) in [(line.ns, scored.home), (line.ew, scored.away)] {
                let Some((pair, points)) = pair.zip(points) else {
                    continue;
                };
                for partner in [Partner::First, Partner::Second] {
                    let name = self.name_at(club, pair, partner, cell.round);
                    if name.is_empty() {
                        continue;
                    }
                    let team = pair.number.get();
                    let own = lines.entry((team, name.clone())).or_insert(PlayerLine {
                        name,
                        team,
                        boards: 0,
                        imps: Points::ZERO,
                    });
                    own.boards += 1;
                    own.imps += points;
                }
            }
        }
    }

    fn name_at(
        &self,
        club: &Club,
        pair: crate::session::PairId,
        partner: Partner,
        round: RoundNumber,
    ) -> String {
        self.roster.name(club, pair, partner, round)
    }
}
