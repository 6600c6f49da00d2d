//! Results under the wrong board number, or not at all.

use base_station::checks::{Kind, LineId, Moment, Remedy};
use protocol::words::{BoardNumber, RoundNumber, TableNumber};
use rand::seq::IndexedRandom;

use super::super::evening::News;
use super::{Entered, Made, Scene};

impl Scene<'_> {
    /// The table's results of a round in the order of their boards.
    fn round_of(&self, table: TableNumber, round: RoundNumber) -> Vec<Entered> {
        let mut results = self.results();
        results.retain(|entered| entered.id.table == table && entered.id.round == round);
        results.sort_by_key(|entered| entered.time);
        results
    }

    fn boards_of(&self, table: TableNumber, round: RoundNumber) -> Vec<BoardNumber> {
        let seating = self.evening.movement.seating(round, table);
        seating.map_or_else(Vec::new, |seating| seating.boards.iter().collect())
    }

    /// The players ask for a board of another round, and then enter the right one.
    pub(super) fn board_outside(&mut self) -> Option<Made> {
        let entered = self.any_result(|_| true)?;
        let id = entered.id;
        let own = self.boards_of(id.table, id.round);
        let far = |board: &BoardNumber| own.iter().all(|b| b.get().abs_diff(board.get()) > 2);
        let others: Vec<BoardNumber> = self.evening.movement.boards().into_iter().collect();
        let others: Vec<BoardNumber> = others.into_iter().filter(far).collect();
        let board = *others.choose(self.rng)?;
        let before = Moment(entered.time.0 - 60_000);
        let wanted = News::Wanted(id.table, id.round, board);
        self.evening.news.push((before, wanted));
        let id = LineId { board, ..id };
        Some(self.made(id, &[Kind::BoardNotHere], None))
    }

    pub(super) fn board_twice(&mut self) -> Option<Made> {
        let entered = self.any_result(|e| e.id.round.get() > 1)?;
        let id = entered.id;
        let earlier: Vec<BoardNumber> = self
            .results()
            .into_iter()
            .filter(|e| e.id.table == id.table && e.id.round < id.round)
            .map(|e| e.id.board)
            .collect();
        let id = LineId {
            board: *earlier.choose(self.rng)?,
            ..id
        };
        self.evening.news[entered.at].1 = News::Result(id, entered.line);
        Some(self.made(id, &[Kind::BoardTwice], None))
    }

    pub(super) fn boards_exchanged(&mut self) -> Option<Made> {
        let any = self.any_result(|_| true)?;
        let round = self.round_of(any.id.table, any.id.round);
        let [one, other]: [Entered; 2] = round.sample_array(self.rng)?;
        self.evening.news[one.at].1 = News::Result(other.id, one.line);
        self.evening.news[other.at].1 = News::Result(one.id, other.line);
        let (low, high) = (
            one.id.board.min(other.id.board),
            one.id.board.max(other.id.board),
        );
        let id = LineId {
            board: low,
            ..one.id
        };
        let answer = Remedy::ExchangeBoards { with: high };
        Some(self.made(id, &[Kind::BoardsExchanged], Some(answer)))
    }

    /// Every number of the round is one or two off, until the pad asks the base about one that
    /// is not on the sheet; then the players wait for the director.
    pub(super) fn boards_shifted(&mut self) -> Option<Made> {
        let any = self.any_result(|_| true)?;
        let (table, round) = (any.id.table, any.id.round);
        let own = self.boards_of(table, round);
        let by: i8 = *[1, -1, 2, -2].choose(self.rng)?;
        let mut asked = false;
        let mut waiting = Vec::new();
        for entered in self.round_of(table, round) {
            if asked {
                waiting.push(entered.at);
                continue;
            }
            let typed = entered.id.board.get().checked_add_signed(by);
            let board = typed.and_then(BoardNumber::new)?;
            let id = LineId {
                board,
                ..entered.id
            };
            asked = !own.contains(&board);
            self.evening.news[entered.at].1 = if asked {
                News::Wanted(table, round, board)
            } else {
                News::Result(id, entered.line)
            };
        }
        self.silence(&waiting);
        let answer = Remedy::ShiftBoards { by: -by };
        let kinds = [Kind::BoardsShifted, Kind::BoardNotHere];
        let mut made = self.made(any.id, &kinds, Some(answer));
        made.board = None;
        Some(made)
    }

    /// Something happens at a table that costs it two rounds.
    pub(super) fn table_behind(&mut self) -> Option<Made> {
        let rounds = self.evening.movement.round_count();
        let from = self.any_result(|e| usize::from(e.id.round.get()) <= rounds / 2)?;
        let per_round = self.evening.movement.boards_per_round();
        let lost_ms = 2 * u64::try_from(per_round).ok()? * 8 * 60_000 + 5 * 60_000;
        for (time, news) in &mut self.evening.news {
            let here = match news {
                News::Result(id, _) => id.table == from.id.table,
                News::Pairs(table, ..) => *table == from.id.table,
                News::Wanted(..) => false,
            };
            if here && *time >= from.time {
                time.0 += lost_ms;
                if let News::Result(_, line) = news {
                    line.at = *time;
                }
            }
        }
        let mut made = self.made(from.id, &[Kind::TableBehind], None);
        (made.round, made.board) = (None, None);
        Some(made)
    }

    fn silence(&mut self, at: &[usize]) {
        let mut index = 0;
        self.evening.news.retain(|_| {
            index += 1;
            !at.contains(&(index - 1))
        });
    }
}
