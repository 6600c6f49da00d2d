//! What the checks look at: a section's movement, deals and results, and what its pads said.
//!
//! Nothing in it is truth: it is built from the session's state, and kept up with it. Every look at
//! something that can change is noted as a [`Fact`] while somebody is [`reading`](Room::reading), so
//! that it is known what each finding rests on.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use protocol::words::{
    BoardNumber, BoardResult, PairNumber, RoundNumber, Score, SectionLetter, Side, TableNumber,
};

use crate::deals::{Deals, DealtBoard};
use crate::movement::{Movement, PairId, Seating};

/// Milliseconds on the base's clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Moment(pub u64);

impl Moment {
    /// How long ago that was, in milliseconds; 0 where the clock was set back meanwhile.
    pub const fn since_ms(self, earlier: Self) -> u64 {
        self.0.saturating_sub(earlier.0)
    }
}

/// Names a line. The board comes first, so that the lines of a traveller lie together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LineId {
    /// The board.
    pub board: BoardNumber,
    /// The round it belongs to.
    pub round: RoundNumber,
    /// The table.
    pub table: TableNumber,
}

/// A result as it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// Who sat North-South.
    pub ns: Option<PairNumber>,
    /// Who sat East-West.
    pub ew: Option<PairNumber>,
    /// What became of the board.
    pub result: BoardResult,
    /// The score that somebody wrote down beside it (a paper slip, an import), from
    /// North-South's view. Pads write none: they compute it.
    pub stated: Option<Score>,
    /// When it came.
    pub at: Moment,
}

/// Who the players of a table said they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairsSeen {
    /// North-South.
    pub ns: Option<PairNumber>,
    /// East-West.
    pub ew: Option<PairNumber>,
}

/// Something in a room that can change, as a check looks at it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fact {
    /// The results of a board.
    Traveller(BoardNumber),
    /// The boards that a table has entered or wanted in a round.
    Boards(TableNumber, RoundNumber),
    /// The pairs that its players say they are.
    Pairs(TableNumber, RoundNumber),
    /// Which tables have been heard at all.
    Tables,
    /// How many boards each table has entered.
    Progress,
    /// Whether the cards are believed.
    Doubt,
}

/// Everything known about one table besides its results.
#[derive(Clone, Debug, Default)]
struct TableNews {
    /// By round.
    pairs: BTreeMap<RoundNumber, PairsSeen>,
    /// Boards that its players wanted to enter and that are not on its sheet, until the director
    /// has dealt with it: also those that have a result meanwhile.
    wanted: BTreeSet<(RoundNumber, BoardNumber)>,
    /// The boards it has entered.
    entered: BTreeSet<(RoundNumber, BoardNumber)>,
}

/// One section as the checks see it.
#[derive(Clone, Debug)]
pub struct Room {
    /// Its letter.
    pub section: SectionLetter,
    /// Where everybody should be.
    pub movement: Movement,
    /// The cards, where there is a deal file.
    pub deals: Deals,
    /// The deal file does not seem to belong here: nothing is compared with it.
    doubted: bool,
    lines: BTreeMap<LineId, Line>,
    tables: BTreeMap<TableNumber, TableNews>,
    /// What was looked at, while somebody wants to know.
    read: RefCell<Option<Vec<Fact>>>,
}

impl Room {
    /// Before the first result.
    pub fn new(section: SectionLetter, movement: Movement, deals: Deals) -> Self {
        Self {
            section,
            movement,
            deals,
            doubted: false,
            lines: BTreeMap::new(),
            tables: BTreeMap::new(),
            read: RefCell::new(None),
        }
    }

    /// A result came, or the one that stood there was changed.
    pub fn put(&mut self, id: LineId, line: Line) {
        self.lines.insert(id, line);
        let news = self.tables.entry(id.table).or_default();
        news.entered.insert((id.round, id.board));
    }

    /// A result was taken away or moved elsewhere.
    pub(super) fn take_away(&mut self, id: LineId) {
        self.lines.remove(&id);
        if let Some(news) = self.tables.get_mut(&id.table) {
            news.entered.remove(&(id.round, id.board));
        }
    }

    /// The players of a table said which pairs they are.
    pub fn pairs_seen(&mut self, table: TableNumber, round: RoundNumber, pairs: PairsSeen) {
        let news = self.tables.entry(table).or_default();
        news.pairs.insert(round, pairs);
    }

    /// They have not said it after all.
    pub(super) fn pairs_unsaid(&mut self, table: TableNumber, round: RoundNumber) {
        if let Some(news) = self.tables.get_mut(&table) {
            news.pairs.remove(&round);
        }
    }

    /// The players of a table wanted to enter a board that is not on its sheet.
    pub fn board_wanted(&mut self, table: TableNumber, round: RoundNumber, board: BoardNumber) {
        let news = self.tables.entry(table).or_default();
        news.wanted.insert((round, board));
    }

    /// They don't want it any more: the director has dealt with it.
    pub(super) fn want_settled(
        &mut self,
        table: TableNumber,
        round: RoundNumber,
        board: BoardNumber,
    ) {
        if let Some(news) = self.tables.get_mut(&table) {
            news.wanted.remove(&(round, board));
        }
    }

    /// The cards are believed or not; whether that is news.
    pub(super) fn doubt(&mut self, doubted: bool) -> bool {
        std::mem::replace(&mut self.doubted, doubted) != doubted
    }

    /// What a look at the room gives, and the facts that it rests on: as long as none of them
    /// changes, the same look gives the same.
    pub(super) fn reading<T>(&self, look: impl FnOnce(&Self) -> T) -> (T, Vec<Fact>) {
        self.read.replace(Some(Vec::new()));
        let seen = look(self);
        let mut facts = self.read.take().unwrap_or_default();
        facts.sort_unstable();
        facts.dedup();
        (seen, facts)
    }

    /// Somebody looks at this.
    pub(super) fn note(&self, fact: Fact) {
        if let Some(facts) = self.read.borrow_mut().as_mut()
            && facts.last() != Some(&fact)
        {
            facts.push(fact);
        }
    }

    /// The cards of a board, where they are known and believed.
    pub fn dealt(&self, board: BoardNumber) -> Option<&DealtBoard> {
        self.note(Fact::Doubt);
        self.deals.board(board).filter(|_| !self.doubted)
    }

    /// Whether there are cards to compare with.
    pub(super) fn has_deals(&self) -> bool {
        self.note(Fact::Doubt);
        !self.doubted && !self.deals.is_empty()
    }

    /// The result that stands there.
    pub fn line(&self, id: LineId) -> Option<&Line> {
        self.note(Fact::Traveller(id.board));
        self.lines.get(&id)
    }

    /// Every line that has a result.
    pub(super) fn lines(&self) -> impl Iterator<Item = LineId> {
        self.lines.keys().copied()
    }

    /// All results of a board.
    pub fn traveller(&self, board: BoardNumber) -> impl Iterator<Item = (LineId, &Line)> {
        self.note(Fact::Traveller(board));
        let from = LineId {
            board,
            round: RoundNumber::MIN,
            table: TableNumber::MIN,
        };
        let to = LineId {
            board,
            round: RoundNumber::MAX,
            table: TableNumber::MAX,
        };
        self.lines.range(from..=to).map(|(id, line)| (*id, line))
    }

    /// Who and what should be at a table.
    pub fn seating(&self, table: TableNumber, round: RoundNumber) -> Option<&Seating> {
        self.movement.seating(round, table)
    }

    /// Whether a table has been heard at all.
    pub(super) fn has_heard(&self, table: TableNumber) -> bool {
        self.tables.contains_key(&table)
    }

    /// The tables that have been heard.
    pub(super) fn tables_heard(&self) -> impl Iterator<Item = TableNumber> {
        self.note(Fact::Tables);
        self.tables.keys().copied()
    }

    /// How many boards a table has entered.
    pub(super) fn entered_count(&self, table: TableNumber) -> usize {
        self.note(Fact::Progress);
        self.tables.get(&table).map_or(0, |news| news.entered.len())
    }

    /// The boards a table has entered in a round, in their order.
    pub(super) fn boards_entered(
        &self,
        table: TableNumber,
        round: RoundNumber,
    ) -> impl Iterator<Item = BoardNumber> {
        self.boards_of(table, round, |news| &news.entered)
    }

    fn boards_of(
        &self,
        table: TableNumber,
        round: RoundNumber,
        which: impl Fn(&TableNews) -> &BTreeSet<(RoundNumber, BoardNumber)>,
    ) -> impl Iterator<Item = BoardNumber> {
        self.note(Fact::Boards(table, round));
        let of_round = (round, BoardNumber::MIN)..=(round, BoardNumber::MAX);
        let news = self.tables.get(&table).into_iter();
        news.flat_map(move |news| which(news).range(of_round.clone()))
            .map(|(_, board)| *board)
    }

    /// The boards a table has entered or wanted in a round, in their order.
    pub(super) fn boards_seen(
        &self,
        table: TableNumber,
        round: RoundNumber,
    ) -> BTreeSet<BoardNumber> {
        let wanted = self.boards_of(table, round, |news| &news.wanted);
        self.boards_entered(table, round).chain(wanted).collect()
    }

    /// The pairs that the players of a table say they are.
    pub(super) fn pairs_at(&self, table: TableNumber, round: RoundNumber) -> Option<PairsSeen> {
        self.note(Fact::Pairs(table, round));
        self.tables.get(&table)?.pairs.get(&round).copied()
    }

    /// The full name of a pair that sits this way.
    pub(super) fn pair(&self, side: Side, number: PairNumber) -> PairId {
        self.movement.pair_id(side, number)
    }
}
