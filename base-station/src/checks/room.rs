//! What the checks look at: a section's movement, deals and results, and what its pads said.
//!
//! The session keeps one [`Room`] for each section up to date as events come in, or builds it
//! anew from its state; nothing in it is truth.

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

/// Everything known about one table besides its results.
#[derive(Clone, Debug, Default)]
pub(super) struct TableNews {
    /// By round.
    pub(super) pairs: BTreeMap<RoundNumber, PairsSeen>,
    /// Boards that its players wanted to enter and that are not on its sheet, until the director
    /// has dealt with it: also those that have a result meanwhile.
    pub(super) wanted: BTreeSet<(RoundNumber, BoardNumber)>,
    /// The boards it has entered.
    pub(super) entered: BTreeSet<(RoundNumber, BoardNumber)>,
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
    /// The director says that the deal file belongs here, whatever the results look like.
    pub deals_trusted: bool,
    /// The deal file does not seem to belong here: nothing is compared with it.
    pub(super) deals_doubted: bool,
    lines: BTreeMap<LineId, Line>,
    tables: BTreeMap<TableNumber, TableNews>,
}

impl Room {
    /// Before the first result.
    pub fn new(section: SectionLetter, movement: Movement, deals: Deals) -> Self {
        Self {
            section,
            movement,
            deals,
            deals_trusted: false,
            deals_doubted: false,
            lines: BTreeMap::new(),
            tables: BTreeMap::new(),
        }
    }

    /// A result came, or the one that stood there was changed.
    pub fn put(&mut self, id: LineId, line: Line) {
        self.lines.insert(id, line);
        let news = self.tables.entry(id.table).or_default();
        news.entered.insert((id.round, id.board));
    }

    /// A result was taken away or moved elsewhere.
    pub fn take_away(&mut self, id: LineId) {
        self.lines.remove(&id);
        let news = self.tables.entry(id.table).or_default();
        news.entered.remove(&(id.round, id.board));
    }

    /// The players of a table said which pairs they are.
    pub fn pairs_seen(&mut self, table: TableNumber, round: RoundNumber, pairs: PairsSeen) {
        self.tables
            .entry(table)
            .or_default()
            .pairs
            .insert(round, pairs);
    }

    /// The players of a table wanted to enter a board that is not on its sheet.
    pub fn board_wanted(&mut self, table: TableNumber, round: RoundNumber, board: BoardNumber) {
        let news = self.tables.entry(table).or_default();
        news.wanted.insert((round, board));
    }

    /// They don't want it any more: the director has dealt with it.
    pub fn want_settled(&mut self, table: TableNumber, round: RoundNumber, board: BoardNumber) {
        let news = self.tables.entry(table).or_default();
        news.wanted.remove(&(round, board));
    }

    /// The cards of a board, where they are known and believed.
    pub fn dealt(&self, board: BoardNumber) -> Option<&DealtBoard> {
        self.deals.board(board).filter(|_| !self.deals_doubted)
    }

    /// Whether there are cards to compare with.
    pub(super) fn has_deals(&self) -> bool {
        !self.deals_doubted && !self.deals.is_empty()
    }

    /// The result that stands there.
    pub fn line(&self, id: LineId) -> Option<&Line> {
        self.lines.get(&id)
    }

    /// All results of a board.
    pub fn traveller(&self, board: BoardNumber) -> impl Iterator<Item = (LineId, &Line)> {
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

    pub(super) fn news(&self, table: TableNumber) -> Option<&TableNews> {
        self.tables.get(&table)
    }

    pub(super) fn all_news(&self) -> impl Iterator<Item = (TableNumber, &TableNews)> {
        self.tables.iter().map(|(table, news)| (*table, news))
    }

    /// The boards a table has entered or wanted in a round, in their order.
    pub(super) fn boards_seen(
        &self,
        table: TableNumber,
        round: RoundNumber,
    ) -> BTreeSet<BoardNumber> {
        let of_round = (round, BoardNumber::MIN)..=(round, BoardNumber::MAX);
        self.news(table)
            .into_iter()
            .flat_map(|news| {
                let entered = news.entered.range(of_round.clone());
                entered.chain(news.wanted.range(of_round.clone()))
            })
            .map(|(_, board)| *board)
            .collect()
    }

    pub(super) fn pairs_at(&self, table: TableNumber, round: RoundNumber) -> Option<PairsSeen> {
        self.news(table)?.pairs.get(&round).copied()
    }

    /// The full name of a pair that sits this way.
    pub(super) fn pair(&self, side: Side, number: PairNumber) -> PairId {
        self.movement.pair_id(side, number)
    }
}
