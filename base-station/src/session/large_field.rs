//! How our pairs and boards stand in a larger field, as its centre says. Pads and pages show it in
//! place of, or beside, the club's own while the centre answers. It is somebody else's figure, so it
//! is never in the journal.

use std::collections::{BTreeMap, BTreeSet};

use protocol::message::{Down, Feedback, FeedbackLevel, TRAVELLER_LINES_MAX, TravellerLine};
use protocol::words::{BoardNumber, PadId, Percentage, Score, SessionId};

use super::sheets::percentage;
use super::{Cell, PairId, Reply, Session, State};

/// Places in a larger field, and boards over all of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LargeField {
    /// The session that is part of it.
    pub session: SessionId,
    /// How many pairs there are.
    pub pairs_in_all: usize,
    /// The place of every pair, and its hundredths of a percent.
    pub places: BTreeMap<PairId, (u32, i32)>,
    /// The boards that the club has played.
    pub boards: BTreeMap<BoardNumber, LargeBoard>,
}

/// A board over the whole field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LargeBoard {
    /// Every score of North-South, at how many tables, and its hundredths of a percent; the best
    /// first.
    pub scores: Vec<(Score, usize, i32)>,
    /// Lines of ours that are among them.
    pub counted: BTreeSet<Cell>,
}

impl LargeBoard {
    /// What a score is worth to North-South. One that is not among them yet is compared with all of
    /// them; nothing where there is nothing to compare it with.
    fn percentage(&self, cell: Cell, score: Score) -> Option<Percentage> {
        let mut scores = self.scores.iter();
        let same = scores.find(|(other, _, _)| *other == score);
        if self.counted.contains(&cell)
            && let Some((_, _, percent)) = same
        {
            return Some(percentage(*percent));
        }
        let times = |is: fn(Score, Score) -> bool| -> usize {
            let alike = self.scores.iter().filter(|(other, _, _)| is(*other, score));
            alike.map(|(_, times, _)| times).sum()
        };
        let all = times(|_, _| true);
        // Two for each that is worse and one for each that is equal, of two for each there is.
        let won = 2 * times(|other, own| other < own) + times(|other, own| other == own);
        let hundredths = (won * 10_000 + all).checked_div(2 * all)?;
        Some(percentage(i32::try_from(hundredths).unwrap_or_default()))
    }

    /// As many of its scores as a pad shows, around its own.
    fn lines(&self, own: Score, of_club: &[TravellerLine]) -> Vec<TravellerLine> {
        let at = self.scores.iter().position(|(score, _, _)| *score == own);
        let most = self.scores.len().saturating_sub(TRAVELLER_LINES_MAX);
        let first = at.map_or(0, |at| at.saturating_sub(TRAVELLER_LINES_MAX / 2));
        let shown = self.scores.iter().skip(first.min(most));
        let lines = shown.take(TRAVELLER_LINES_MAX);
        let lines = lines.map(|(score, times, percent)| TravellerLine {
            score: *score,
            times: u8::try_from(*times).unwrap_or(u8::MAX),
            ns_percentage: Some(percentage(*percent)),
            own: *score == own,
            played: of_club
                .iter()
                .find(|line| line.score == *score && *times == 1)
                .and_then(|line| line.played),
        });
        lines.collect()
    }
}

impl LargeField {
    /// The place and the hundredths of a percent of a pair of this session.
    pub fn place(&self, session: &Session, pair: PairId) -> Option<(u32, i32)> {
        let is_part = self.session == session.id;
        self.places.get(&pair).copied().filter(|_| is_part)
    }

    /// Puts its figures into what a pad is told. What it does not know stays the club's own.
    pub(super) fn put_into(
        &self,
        state: &State,
        pad: PadId,
        replies: &[Reply],
        downs: &mut [Down],
    ) {
        let session = state.session.as_ref();
        let Some(session) = session.filter(|session| session.id == self.session) else {
            return;
        };
        for down in downs {
            match down {
                Down::Received { number, percentage } => {
                    let mut cells = replies.iter().filter_map(|reply| match reply {
                        Reply::Received(entry, cell) if entry == number => *cell,
                        _ => None,
                    });
                    let own = cells.next().and_then(|cell| self.worth(session, cell));
                    *percentage = own.or(*percentage);
                }
                Down::Feedback(Feedback::Ranking { .. }) => self.rank(session, pad, down),
                Down::Feedback(Feedback::Traveller { board, lines }) => {
                    let own = lines.iter().find(|line| line.own);
                    let over = self.boards.get(board).zip(own.map(|own| own.score));
                    if let Some((over, own)) = over
                        && over.scores.iter().any(|(score, _, _)| *score == own)
                    {
                        *lines = over.lines(own, lines).into_iter().collect();
                    }
                }
                _ => {}
            }
        }
    }

    /// North-South's percentage of a line over the field, where the club shows that on pads.
    fn worth(&self, session: &Session, cell: Cell) -> Option<Percentage> {
        let shown = session.settings.feedback >= FeedbackLevel::Percentage;
        if !shown || !session.may_compare(cell) {
            return None;
        }
        let score = session.lines.get(&cell)?.score(cell.board)?;
        self.boards.get(&cell.board)?.percentage(cell, score)
    }

    /// Puts these places into a ranking on its way to a pad, if it has them for all its pairs: places
    /// of two fields in one list would mean nothing.
    fn rank(&self, session: &Session, pad: PadId, down: &mut Down) {
        let Some(table) = session.pads.get(&pad).map(|pad| pad.table) else {
            return;
        };
        let Down::Feedback(Feedback::Ranking { lines }) = down else {
            return;
        };
        let mut placed = lines.clone();
        let known = placed.iter_mut().map(|line| {
            let pair = PairId {
                section: table.section,
                side: line.side,
                number: line.pair,
            };
            let (rank, percent) = self.places.get(&pair)?;
            line.rank = u16::try_from(*rank).unwrap_or(u16::MAX);
            line.percentage = percentage(*percent);
            Some(())
        });
        if known.collect::<Option<Vec<()>>>().is_some() {
            placed.sort_by_key(|line| (line.side, line.rank));
            *lines = placed;
        }
    }
}
