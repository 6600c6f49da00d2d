//! A table's score sheet in the words of pads: schedule, history, traveller, clock.

use protocol::message::{
    Clock, ClockState, Down, EntryNumber, Feedback, HISTORY_LINES_MAX, Name, Recorded,
    SCHEDULE_ROUNDS_MAX, Source, TRAVELLER_LINES_MAX, TravellerLine,
};
use protocol::words::{Award, BoardNumber, BoardResult, Outcome, PadId, Percentage, RoundNumber};

use super::plan::{Ruling, SideAward};
use super::schedule::in_a_row;
use super::{Cell, ClockUntil, Club, Line, Moment, Session, TableId};

/// A text cut to what a pad's line holds; a full stop says that there was more.
pub(super) fn cut(text: &str) -> Name {
    let mut name = Name::new();
    for letter in text.chars() {
        if name.push(letter).is_err() {
            while name.push('.').is_err() {
                name.pop();
            }
            break;
        }
    }
    name
}

/// Hundredths of a percent as pads know them.
pub(super) fn percentage(hundredths: i32) -> Percentage {
    u16::try_from(hundredths.clamp(0, 10_000))
        .ok()
        .and_then(Percentage::new)
        .unwrap_or(Percentage::MIN)
}

const fn award_in_words(award: &SideAward) -> Award {
    match award {
        SideAward::Score(score) => Award::Score(*score),
        SideAward::Weighted(_) => Award::Weighted,
        SideAward::Percent(share) => Award::Percentage(*share),
        SideAward::AveragePlus => Award::AveragePlus,
        SideAward::Average => Award::Average,
        SideAward::AverageMinus => Award::AverageMinus,
    }
}

impl Session {
    /// The lines that a table has, oldest round first, as messages.
    pub(super) fn history(&self, table: TableId) -> Vec<Down> {
        self.history_but(table, |_| false)
    }

    /// The same without some of them.
    pub(super) fn history_but(&self, table: TableId, known: impl Fn(&Line) -> bool) -> Vec<Down> {
        let mut cells: Vec<Cell> = self
            .lines
            .iter()
            .filter(|(cell, line)| cell.table_id() == table && line.is_in() && !known(line))
            .map(|(cell, _)| *cell)
            .collect();
        cells.sort_by_key(|cell| (cell.round, cell.board));
        let lines = cells
            .into_iter()
            .filter_map(|cell| self.recorded_line(cell));
        // Pads from before there were awards would not understand the others beside them.
        let (awarded, lines): (Vec<_>, Vec<_>) =
            lines.partition(|line| matches!(line.result, Some(Outcome::Awarded { .. })));
        // As many in a message as a frame holds: a new pad has them all within seconds.
        lines
            .chunks(HISTORY_LINES_MAX)
            .map(|part| Down::History(part.iter().copied().collect()))
            .chain(awarded.into_iter().map(Down::Recorded))
            .collect()
    }

    /// How many lines a table has.
    pub(super) fn lines_in(&self, table: TableId) -> usize {
        let lines = self.lines.iter();
        lines
            .filter(|(cell, line)| cell.table_id() == table && line.is_in())
            .count()
    }

    /// A line as a message.
    pub(super) fn recorded(&self, cell: Cell) -> Option<Down> {
        self.recorded_line(cell).map(Down::Recorded)
    }

    /// The same, and that nothing stands there where there is no line.
    pub(super) fn recorded_or_empty(&self, cell: Cell) -> Down {
        let empty = Recorded {
            round: cell.round,
            board: cell.board,
            result: None,
            source: Source::Director,
        };
        Down::Recorded(self.recorded_line(cell).unwrap_or(empty))
    }

    fn recorded_line(&self, cell: Cell) -> Option<Recorded> {
        let line = self.lines.get(&cell)?;
        let result = match &line.ruling {
            Ruling::Result(result) => Some(Outcome::Result(*result)),
            Ruling::LatePlay => Some(Outcome::Result(BoardResult::NotPlayed)),
            Ruling::TakenAway => None,
            Ruling::Award { ns, ew } => Some(self.awarded_for_pads(cell, ns, ew)),
            Ruling::Written(score) => Some(Outcome::Awarded {
                ns: Award::Score(*score),
                ew: Award::Score(*score),
            }),
        };
        Some(Recorded {
            round: cell.round,
            board: cell.board,
            result,
            source: line.source,
        })
    }

    /// What an award is worth so far, as on every sheet; where nothing is worth a percentage (at
    /// IMPs, or not yet), what was awarded.
    fn awarded_for_pads(&self, cell: Cell, ns: &SideAward, ew: &SideAward) -> Outcome {
        let traveller = self.traveller(cell.section, cell.board);
        let worth = traveller.lines.iter().find(|line| line.cell == cell);
        let shares = worth.and_then(|line| line.ns_percent.zip(line.ew_percent));
        let (ns, ew) = match shares {
            Some((ns, ew)) => (percentage(ns.0), percentage(ew.0)),
            None => match (award_in_words(ns), award_in_words(ew)) {
                (Award::Percentage(ns), Award::Percentage(ew)) => (ns, ew),
                (ns, ew) => return Outcome::Awarded { ns, ew },
            },
        };
        Outcome::Result(BoardResult::Adjusted { ns, ew })
    }

    /// A table's schedule from a round on, as messages.
    pub(super) fn schedule(&self, table: TableId, from: RoundNumber) -> Vec<Down> {
        let Some(section) = self.sections.get(&table.section) else {
            return Vec::new();
        };
        let sheets: Vec<_> = section
            .sheets(table.table)
            .filter(|sitting| sitting.round >= from)
            .collect();
        let rounds_total = section.last_round();
        let mut downs: Vec<Down> = sheets
            .chunks(SCHEDULE_ROUNDS_MAX)
            .map(|part| Down::Schedule {
                rounds_total,
                rounds: part
                    .iter()
                    .map(|sitting| self.round_sheet(table, sitting))
                    .collect(),
            })
            .collect();
        if downs.is_empty() {
            // Nothing is left to play from that round on; the pad must know how many there are.
            downs.push(Down::Schedule {
                rounds_total,
                rounds: [].into_iter().collect(),
            });
        }
        downs.extend(self.loose_boards(table, &sheets));
        downs.extend(self.about_matches(table));
        downs
    }

    /// Boards of a sheet that do not follow its first one, and those that the director allowed.
    fn loose_boards(&self, table: TableId, sheets: &[&super::plan::Sitting]) -> Vec<Down> {
        let mut downs = Vec::new();
        for sitting in sheets {
            // Boards of a half that is not in play are not there yet.
            let half = self.half_in_play(table, sitting);
            let own = half.map_or_else(|| sitting.boards.clone(), |(_, boards)| boards);
            let (first, boards) = in_a_row(&own);
            let first = first.unwrap_or(BoardNumber::MIN);
            let on_sheet = |board: BoardNumber| {
                let offset = board.get().checked_sub(first.get());
                offset.is_some_and(|offset| offset < boards)
            };
            let allowed = self
                .allowed
                .iter()
                .filter(|cell| cell.table_id() == table && cell.round == sitting.round)
                .map(|cell| cell.board);
            for board in own.iter().chain(allowed) {
                if !on_sheet(board) {
                    let round = sitting.round;
                    downs.push(Down::BoardAllowed { round, board });
                }
            }
        }
        downs
    }

    /// A pad takes boards that do not follow its sheet only while it is in their round: it hears of
    /// them again with its first result there.
    pub(super) fn post_loose_boards(&self, cell: Cell, posts: &mut Vec<(PadId, Down)>) {
        let table = cell.table_id();
        let expected = self.expected(table, cell.round);
        let results = expected.iter().filter(|it| self.is_in(**it)).count();
        let place = self.sitting(table, cell.round).zip(self.holder(table));
        if let Some((sitting, pad)) = place.filter(|_| results == 1) {
            let loose = self.loose_boards(table, &[sitting]).into_iter();
            posts.extend(loose.map(|down| (pad, down)));
        }
    }

    /// The round clock, where it has been started.
    /// Pads show the time of day that the clock on the wall shows.
    pub(super) fn clock_for_pads(&self, now: Moment, club: &Club) -> Option<Down> {
        let clock = self.clock?;
        let (remaining_ms, state) = match clock.until {
            ClockUntil::Ends(end) => (
                i64::try_from(end.0).unwrap_or(i64::MAX) - i64::try_from(now.0).unwrap_or(0),
                ClockState::Running,
            ),
            ClockUntil::HeldWith(left) => {
                (i64::try_from(left).unwrap_or(i64::MAX), ClockState::Held)
            }
        };
        let left_s = (remaining_ms / 1000).clamp(i16::MIN.into(), i16::MAX.into());
        Some(Down::Clock(Clock {
            time_of_day_s: now.time_of_day_s(club.minutes_east),
            round: clock.round,
            left_s: i16::try_from(left_s).unwrap_or_default(),
            state,
        }))
    }

    /// The number after all that the base knows of this pad.
    pub(super) fn next_entry(&self, pad: PadId) -> EntryNumber {
        let all = (pad, EntryNumber(0))..=(pad, EntryNumber(u16::MAX));
        let counted = self
            .entries
            .range(all)
            .next_back()
            .map(|(_, number)| *number);
        let kept = self
            .kept
            .values()
            .filter(|kept| kept.pad == pad)
            .map(|kept| kept.entry.number)
            .max();
        counted
            .max(kept)
            .map_or(EntryNumber::FIRST, EntryNumber::next)
    }

    /// The line of a board that this table has finished.
    pub(super) fn finished(&self, table: TableId, board: BoardNumber) -> Option<Cell> {
        self.board_lines(table.section, board)
            .find(|(cell, line)| cell.table == table.table && line.is_in())
            .map(|(cell, _)| *cell)
    }

    /// A board's results as a pad shows them: best for North-South first, equal scores together.
    pub(super) fn pad_traveller(&self, own: Cell) -> Feedback {
        let traveller = self.board_so_far(own.section, own.board);
        let compared = traveller.has_a_field();
        let mut lines: Vec<TravellerLine> = Vec::new();
        let with = self.compared_with(own);
        let of_match = |cell: &Cell| with.as_ref().is_none_or(|with| with.contains(cell));
        for line in traveller.lines.iter().filter(|line| of_match(&line.cell)) {
            let Some(score) = line.line.score(own.board) else {
                continue;
            };
            let is_own = line.cell == own;
            let percent = line.ns_percent.filter(|_| compared);
            let ns_percentage = percent.map(|percent| percentage(percent.0));
            // On a fouled board the same score may be worth something else.
            let same = |last: &&mut TravellerLine| {
                last.score == score && last.ns_percentage == ns_percentage
            };
            if let Some(same) = lines.last_mut().filter(same) {
                same.times = same.times.saturating_add(1);
                same.own |= is_own;
                same.played = None;
            } else if lines.len() < TRAVELLER_LINES_MAX {
                lines.push(TravellerLine {
                    score,
                    times: 1,
                    ns_percentage,
                    own: is_own,
                    played: match line.line.result() {
                        Some(BoardResult::Played(played)) => Some((played.contract, played.tricks)),
                        _ => None,
                    },
                });
            }
        }
        Feedback::Traveller {
            board: own.board,
            lines: lines.into_iter().collect(),
        }
    }
}
