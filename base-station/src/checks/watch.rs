//! Keeps the findings of a section: new ones as news come in, gone when put right.
//!
//! What there is to look at is cut into [`Part`]s, and for each it is known on which facts of the
//! room its findings rest ([`Room::reading`]). News mark the parts that rest on what has changed;
//! only these are looked at again. So whoever follows the evening finds what somebody finds who
//! comes new to it.

use std::collections::{BTreeMap, BTreeSet};

use protocol::words::{BoardNumber, RoundNumber, TableNumber};

use super::belonging::Belonging;
use super::exchanged::{self, Fields};
use super::finding::{Finding, FindingId};
use super::room::{Fact, Line, LineId, PairsSeen, Room};
use super::{check_board, check_round, clock};

/// One section under watch.
#[derive(Clone, Debug)]
pub struct Watch {
    room: Room,
    parts: BTreeMap<Part, Looked>,
    /// Which parts rest on a fact.
    resting: BTreeMap<Fact, BTreeSet<Part>>,
    stale: BTreeSet<Part>,
    /// What the results say about the deal file, and the boards whose results say something else
    /// now.
    belonging: Belonging,
    unweighed: BTreeSet<BoardNumber>,
    deals_trusted: bool,
    misfit: Option<Finding>,
    behind: Vec<Finding>,
}

/// A part of a section that is looked at as a whole. Later ones go before where two find the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    /// Every result of a board: a new one can make an old one look odd, or explain it.
    Board(BoardNumber),
    /// Boards and pairs that are not where they should be in a round.
    Round(RoundNumber),
    /// A table's own order of boards in a round.
    Table(TableNumber, RoundNumber),
}

/// What was found in a part, and what that rests on.
#[derive(Clone, Debug, Default)]
struct Looked {
    facts: Vec<Fact>,
    found: Vec<Finding>,
}

impl Watch {
    /// Watches a section, which may have results already. Nothing has been looked at yet.
    pub fn new(room: Room) -> Self {
        let mut stale = BTreeSet::new();
        for (round, planned) in room.movement.numbered_rounds() {
            stale.insert(Part::Round(round));
            let tables = planned.tables();
            stale.extend(tables.map(|(table, _)| Part::Table(table, round)));
        }
        stale.extend(room.movement.boards().into_iter().map(Part::Board));
        stale.extend(room.lines().flat_map(Part::of_line));
        Self {
            unweighed: room.lines().map(|id| id.board).collect(),
            room,
            parts: BTreeMap::new(),
            resting: BTreeMap::new(),
            stale,
            belonging: Belonging::default(),
            deals_trusted: false,
            misfit: None,
            behind: Vec::new(),
        }
    }

    /// The section as it is known here.
    pub const fn room(&self) -> &Room {
        &self.room
    }

    /// A result came, was changed or was taken away.
    pub fn line(&mut self, id: LineId, line: Option<Line>) {
        self.heard(id.table);
        match line {
            Some(line) => self.room.put(id, line),
            None => self.room.take_away(id),
        }
        self.stale.extend(Part::of_line(id));
        self.unweighed.insert(id.board);
        self.changed(Fact::Traveller(id.board));
        self.changed(Fact::Boards(id.table, id.round));
        self.changed(Fact::Progress);
    }

    /// The players of a table said which pairs they are, or that was taken back.
    pub fn pairs(&mut self, table: TableNumber, round: RoundNumber, pairs: Option<PairsSeen>) {
        self.heard(table);
        match pairs {
            Some(pairs) => self.room.pairs_seen(table, round, pairs),
            None => self.room.pairs_unsaid(table, round),
        }
        self.changed(Fact::Pairs(table, round));
    }

    /// The players of a table want a board that is not on its sheet, or that is settled.
    pub fn wanted(
        &mut self,
        table: TableNumber,
        round: RoundNumber,
        board: BoardNumber,
        wanted: bool,
    ) {
        self.heard(table);
        if wanted {
            self.room.board_wanted(table, round, board);
        } else {
            self.room.want_settled(table, round, board);
        }
        self.changed(Fact::Boards(table, round));
    }

    /// Whether the deal file belongs here whatever the results look like.
    pub const fn trust_deals(&mut self, trusted: bool) {
        self.deals_trusted = trusted;
    }

    fn heard(&mut self, table: TableNumber) {
        if !self.room.has_heard(table) {
            self.changed(Fact::Tables);
        }
    }

    fn changed(&mut self, fact: Fact) {
        if let Some(parts) = self.resting.get(&fact) {
            self.stale.extend(parts);
        }
    }

    /// Looks at everything that may be otherwise than before; what is new, or says something else.
    pub fn look(&mut self) -> Vec<Finding> {
        let mut raised = self.look_at_deals();
        let mut fields = Fields::default();
        for part in std::mem::take(&mut self.stale) {
            let (found, facts) = self.room.reading(|room| part.look(room, &mut fields));
            let before = self.parts.insert(part, Looked::default());
            let before = before.unwrap_or_default();
            if before.facts != facts {
                for fact in &before.facts {
                    self.resting.entry(*fact).or_default().remove(&part);
                }
                for fact in &facts {
                    self.resting.entry(*fact).or_default().insert(part);
                }
            }
            let new = found.iter().filter(|it| !before.found.contains(it));
            raised.extend(new.cloned());
            self.parts.insert(part, Looked { facts, found });
        }
        raised
    }

    /// Whether the deal file belongs here. While it does not seem to, no card is compared.
    fn look_at_deals(&mut self) -> Vec<Finding> {
        for board in std::mem::take(&mut self.unweighed) {
            self.belonging.look_at(&self.room, board);
        }
        let misfit = (!self.deals_trusted)
            .then(|| self.belonging.finding(&self.room))
            .flatten();
        if self.room.doubt(misfit.is_some()) {
            self.changed(Fact::Doubt);
        }
        let raised = misfit.clone().filter(|_| misfit != self.misfit);
        self.misfit = misfit;
        raised.into_iter().collect()
    }

    /// Looks at what only time tells; what is new, or says something else.
    pub fn tick(&mut self) -> Vec<Finding> {
        let behind = clock::behind(&self.room);
        let before = std::mem::replace(&mut self.behind, behind);
        let new = self.behind.iter().filter(|it| !before.contains(it));
        new.cloned().collect()
    }

    /// Everything that was found, each once.
    pub fn findings(&self) -> impl Iterator<Item = &Finding> {
        let parts = self.parts.values().flat_map(|looked| &looked.found);
        let all = self.misfit.iter().chain(parts).chain(&self.behind);
        let by_name: BTreeMap<FindingId, &Finding> = all.map(|it| (it.id, it)).collect();
        by_name.into_values()
    }
}

impl Part {
    /// Where a line is looked at whatever the movement says.
    const fn of_line(id: LineId) -> [Self; 2] {
        [Self::Board(id.board), Self::Table(id.table, id.round)]
    }

    fn look(self, room: &Room, fields: &mut Fields) -> Vec<Finding> {
        match self {
            Self::Board(board) => check_board(room, board),
            Self::Round(round) => check_round(room, round),
            Self::Table(table, round) => exchanged::check(room, table, round, fields),
        }
    }
}
