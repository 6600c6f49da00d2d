//! Keeps the findings of a section: new ones as news come in, gone when put right.
//!
//! Findings are derived. After a restart the same events give the same findings, and the
//! director's answers, which are events, silence the same ones.

use std::collections::{BTreeMap, BTreeSet};

use protocol::words::{BoardNumber, RoundNumber, TableNumber};
use serde::Serialize;

use super::belonging::Belonging;
use super::finding::{Finding, FindingId, Kind};
use super::room::{Line, LineId, PairsSeen, Room};
use super::settings::{Attention, CheckSettings, Count};
use super::{check_board, check_clock, check_exchanged, check_round, check_table};

/// What changed by one piece of news.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Change {
    /// New, or with other answers than before.
    pub raised: Vec<Finding>,
    /// Put right.
    pub cleared: Vec<FindingId>,
}

/// One section under watch.
#[derive(Clone, Debug)]
pub struct Watch {
    room: Room,
    settings: CheckSettings,
    findings: BTreeMap<FindingId, Finding>,
    answered: BTreeSet<FindingId>,
    counts: BTreeMap<Kind, Count>,
    belonging: Belonging,
}

impl Watch {
    /// Watches a section, which may have results already.
    pub fn new(room: Room, settings: CheckSettings) -> Self {
        Self {
            room,
            settings,
            findings: BTreeMap::new(),
            answered: BTreeSet::new(),
            counts: BTreeMap::new(),
            belonging: Belonging::default(),
        }
    }

    /// The section as it is known here.
    pub fn room(&self) -> &Room {
        &self.room
    }

    /// A result came or was changed.
    pub fn result(&mut self, id: LineId, line: Line) -> Change {
        self.room.put(id, line);
        self.look_at_line(id)
    }

    /// A result was taken away.
    pub fn taken_away(&mut self, id: LineId) -> Change {
        self.room.take_away(id);
        self.look_at_line(id)
    }

    /// The players of a table said which pairs they are.
    pub fn pairs_seen(
        &mut self,
        table: TableNumber,
        round: RoundNumber,
        pairs: PairsSeen,
    ) -> Change {
        self.room.pairs_seen(table, round, pairs);
        // Who has played a board before is told by who sat there.
        self.look_at_place(round, self.room.boards_seen(table, round))
    }

    /// The players of a table wanted a board that is not on its sheet.
    pub fn board_wanted(
        &mut self,
        table: TableNumber,
        round: RoundNumber,
        board: BoardNumber,
    ) -> Change {
        self.room.board_wanted(table, round, board);
        self.look_at_place(round, self.offering_boards(table, round))
    }

    /// The director has dealt with a board that was wanted.
    pub fn want_settled(
        &mut self,
        table: TableNumber,
        round: RoundNumber,
        board: BoardNumber,
    ) -> Change {
        self.room.want_settled(table, round, board);
        self.look_at_place(round, self.offering_boards(table, round))
    }

    /// Time has passed.
    pub fn tick(&mut self) -> Change {
        self.replace(&Scope::Clock, check_clock(&self.room))
    }

    /// The movement or the deals are other ones: everything is looked at again.
    pub fn change_room(&mut self, change: impl FnOnce(&mut Room)) -> Change {
        change(&mut self.room);
        self.belonging = Belonging::of(&self.room);
        self.look_at_everything()
    }

    fn look_at_everything(&mut self) -> Change {
        let misfit = self.misfit();
        self.room.deals_doubted = misfit.is_some();
        let mut found: Vec<Finding> = misfit.into_iter().collect();
        for board in self.room.movement.boards() {
            found.extend(check_board(&self.room, board));
        }
        for (round, planned) in self.room.movement.numbered_rounds() {
            found.extend(check_round(&self.room, round));
            for (table, _) in planned.tables() {
                found.extend(check_table(&self.room, table, round));
            }
        }
        self.replace(&Scope::Everything, found)
    }

    /// The director answered a finding: it is not raised again for the same cause. If the answer
    /// was that nothing is wrong, the check has raised a false alarm.
    pub fn answered(&mut self, id: FindingId, nothing_wrong: bool) -> Change {
        self.answered.insert(id);
        let Some(finding) = self.findings.remove(&id) else {
            return Change::default();
        };
        let count = self.counts.entry(finding.id.kind).or_default();
        if nothing_wrong {
            count.false_alarms += 1;
        } else {
            count.put_right += 1;
        }
        Change {
            raised: Vec::new(),
            cleared: vec![id],
        }
    }

    /// The director took the answer back.
    pub fn answer_undone(&mut self, id: FindingId) {
        self.answered.remove(&id);
    }

    /// Other settings; findings of checks that are off now go away.
    pub fn choose(&mut self, settings: CheckSettings) {
        self.settings = settings;
        self.findings
            .retain(|id, _| self.settings.of(id.kind) != Attention::Off);
    }

    /// Everything that waits for the director, with how loudly it does.
    pub fn findings(&self) -> impl Iterator<Item = (&Finding, Attention)> {
        self.findings
            .values()
            .map(|finding| (finding, self.settings.of(finding.id.kind)))
    }

    /// One of them.
    pub fn finding(&self, id: FindingId) -> Option<&Finding> {
        self.findings.get(&id)
    }

    /// How often each check spoke tonight, and how often in vain.
    pub fn counts(&self) -> impl Iterator<Item = (Kind, Count)> {
        self.counts.iter().map(|(kind, count)| (*kind, *count))
    }

    /// What there is to say of the deal file, unless the director trusts it or does not want to
    /// hear of it.
    fn misfit(&self) -> Option<Finding> {
        let heeded =
            !self.room.deals_trusted && self.settings.of(Kind::DealsDoNotFit) != Attention::Off;
        heeded.then(|| self.belonging.finding(&self.room)).flatten()
    }

    fn look_at_line(&mut self, id: LineId) -> Change {
        self.belonging.look_at(&self.room, id.board);
        let misfit = self.misfit();
        if misfit.is_some() != self.room.deals_doubted {
            // From now on the cards count for nothing, or they count again.
            return self.look_at_everything();
        }
        let mut found: Vec<Finding> = misfit.into_iter().collect();
        let mut boards = self.offering_boards(id.table, id.round);
        boards.insert(id.board);
        found.extend(self.check_boards(&boards));
        found.extend(check_round(&self.room, id.round));
        // A new result changes the field by which every other table's is judged.
        let others = self.room.traveller(id.board);
        let mut places: BTreeSet<_> = others.map(|(it, _)| (it.table, it.round)).collect();
        places.insert((id.table, id.round));
        found.extend(check_exchanged(&self.room, &places));
        self.replace(&Scope::Line(id.round, boards, places), found)
    }

    /// What a table said in a round, and what that means for these boards.
    fn look_at_place(&mut self, round: RoundNumber, boards: BTreeSet<BoardNumber>) -> Change {
        let mut found = self.check_boards(&boards);
        found.extend(check_round(&self.room, round));
        self.replace(&Scope::Place(round, boards), found)
    }

    fn check_boards(&self, boards: &BTreeSet<BoardNumber>) -> Vec<Finding> {
        let all = boards.iter();
        all.flat_map(|board| check_board(&self.room, *board))
            .collect()
    }

    /// Boards of a table with a finding that offers the boards which are still missing there: it
    /// has other answers when one of those comes or goes.
    fn offering_boards(&self, table: TableNumber, round: RoundNumber) -> BTreeSet<BoardNumber> {
        let here = |id: &&FindingId| {
            matches!(id.kind, Kind::BoardTwice | Kind::PairPlayedAlready)
                && id.table == Some(table)
                && id.round == Some(round)
        };
        let ids = self.findings.keys().filter(here);
        ids.filter_map(|id| id.board).collect()
    }

    /// Puts what was found now in the place of what was found before in the same scope.
    fn replace(&mut self, scope: &Scope, found: Vec<Finding>) -> Change {
        let mut change = Change::default();
        let mut gone: BTreeSet<FindingId> = self
            .findings
            .keys()
            .filter(|id| scope.covers(id))
            .copied()
            .collect();
        for finding in found {
            let id = finding.id;
            gone.remove(&id);
            if self.settings.of(id.kind) == Attention::Off || self.answered.contains(&id) {
                continue;
            }
            match self.findings.insert(id, finding.clone()) {
                None => self.counts.entry(id.kind).or_default().raised += 1,
                Some(before) if before == finding => continue,
                Some(_) => {}
            }
            change.raised.push(finding);
        }
        for id in gone {
            self.findings.remove(&id);
            self.counts.entry(id.kind).or_default().put_right += 1;
            change.cleared.push(id);
        }
        change
    }
}

/// Which findings one look decides about.
enum Scope {
    /// A result of this round: its board and those whose findings it changes, and the places at
    /// which its board was played.
    Line(
        RoundNumber,
        BTreeSet<BoardNumber>,
        BTreeSet<(TableNumber, RoundNumber)>,
    ),
    /// What a table said in a round, and the boards whose findings it changes.
    Place(RoundNumber, BTreeSet<BoardNumber>),
    Clock,
    Everything,
}

impl Scope {
    fn covers(&self, id: &FindingId) -> bool {
        let of_clock = id.kind == Kind::TableBehind;
        let of_table = id.kind == Kind::BoardsExchanged;
        let is_of =
            |boards: &BTreeSet<BoardNumber>| id.board.is_some_and(|it| boards.contains(&it));
        match self {
            Self::Everything => !of_clock,
            Self::Clock => of_clock,
            Self::Place(_, boards) if id.kind.is_about_a_result() => is_of(boards),
            Self::Place(round, _) => !of_clock && !of_table && id.round == Some(*round),
            Self::Line(round, boards, places) => match id.kind {
                kind if kind.is_about_a_result() => is_of(boards),
                Kind::DealsDoNotFit => true,
                Kind::BoardsExchanged => id
                    .table
                    .zip(id.round)
                    .is_some_and(|place| places.contains(&place)),
                _ => !of_clock && id.round == Some(*round),
            },
        }
    }
}
