//! The mistakes of players and pads, put into a clean evening, each with what the base should
//! say about it.

use std::collections::BTreeSet;

use base_station::checks::{Finding, Kind, Line, LineId, Moment, Remedy};
use protocol::words::{BoardNumber, BoardResult, Played, RoundNumber, TableNumber};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;

use super::evening::{Evening, News};

mod boards;
mod entries;
mod seats;

/// Every kind of mistake that is evaluated, in the order of the printed table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mistake {
    /// A card that the leader does not hold.
    WrongLead,
    /// The partner of the real declarer; the lead is right.
    DeclarersPartner,
    /// An opponent of the real declarer; the lead is right.
    DeclarersOpponent,
    /// An opponent of the real declarer, and no lead.
    WrongSideWithoutLead,
    /// The defenders' tricks.
    TricksOfOtherSide,
    /// A contract that was doubled and failed, entered without the double.
    MissingDouble,
    /// "Not played" for a board that was passed out.
    NotPlayedWasPassedOut,
    /// "Passed out" for a board that was not.
    PassedOutWasNotPlayed,
    /// A written score that no contract gives.
    ImpossibleScore,
    /// A written score for the other vulnerability.
    VulnerabilityError,
    /// A score typed alone from paper, for the other side.
    ScoreOfOtherSide,
    /// A board of another round typed.
    BoardOutsideTheRound,
    /// A board that this table had in an earlier round.
    BoardTwice,
    /// A board that East-West had at another table.
    PairPlayedAlready,
    /// Two boards of the round under each other's numbers.
    BoardsExchanged,
    /// All numbers of the round one or two off.
    BoardsShifted,
    /// A table that loses more than a round.
    TableBehind,
    /// Two tables with each other's pads.
    PadsSwapped,
    /// Two East-West pairs at each other's tables.
    EastWestElsewhere,
    /// Pairs that sit the other way round.
    ArrowSwitchMissed,
}

impl Mistake {
    /// All of them.
    pub const ALL: [Self; 20] = [
        Self::WrongLead,
        Self::DeclarersPartner,
        Self::DeclarersOpponent,
        Self::WrongSideWithoutLead,
        Self::TricksOfOtherSide,
        Self::MissingDouble,
        Self::NotPlayedWasPassedOut,
        Self::PassedOutWasNotPlayed,
        Self::ImpossibleScore,
        Self::VulnerabilityError,
        Self::ScoreOfOtherSide,
        Self::BoardOutsideTheRound,
        Self::BoardTwice,
        Self::PairPlayedAlready,
        Self::BoardsExchanged,
        Self::BoardsShifted,
        Self::TableBehind,
        Self::PadsSwapped,
        Self::EastWestElsewhere,
        Self::ArrowSwitchMissed,
    ];
}

/// A mistake that was made, and the finding it should lead to.
#[derive(Clone, Debug)]
pub struct Made {
    /// What.
    pub mistake: Mistake,
    /// Tables that are not clean any more.
    pub tables: Vec<TableNumber>,
    /// The finding must be one of these kinds.
    pub kinds: Vec<Kind>,
    /// In this round, where that is known.
    pub round: Option<RoundNumber>,
    /// On this board, where that is known.
    pub board: Option<BoardNumber>,
    /// And offer this answer.
    pub answer: Option<Remedy>,
}

/// How well a mistake was noticed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Noticed {
    /// Not at all.
    No,
    /// Found, with the right answer among others.
    Found,
    /// Found, with the right answer first.
    NamedFirst,
}

impl Made {
    /// What the base made of it, judged by the first finding that the director would have read.
    pub fn noticed(&self, raised: &[Finding]) -> Noticed {
        let fits = |finding: &&Finding| {
            let id = finding.id;
            self.kinds.contains(&id.kind)
                && id.table.is_some_and(|table| self.tables.contains(&table))
                && (self.round.is_none() || id.round.is_none() || id.round == self.round)
                && (self.board.is_none() || id.board == self.board)
        };
        let answered = |finding: &Finding| match &self.answer {
            None => true,
            Some(answer) => finding.remedies.contains(answer),
        };
        let Some(first) = raised.iter().find(fits) else {
            return Noticed::No;
        };
        let first_answer = first.remedies.first() == self.answer.as_ref();
        // A wrong lead is named first when the declarer is not.
        if self.answer.is_none() || first_answer != (self.mistake == Mistake::WrongLead) {
            Noticed::NamedFirst
        } else if raised.iter().filter(fits).any(answered) {
            Noticed::Found
        } else {
            Noticed::No
        }
    }
}

/// Makes the mistake at tables that are still clean, if the evening has a place for it.
pub fn make(
    mistake: Mistake,
    evening: &mut Evening,
    rng: &mut StdRng,
    spoiled: &BTreeSet<TableNumber>,
) -> Option<Made> {
    let mut scene = Scene {
        evening,
        rng,
        spoiled,
        mistake,
    };
    let made = match mistake {
        Mistake::WrongLead => scene.wrong_lead(),
        Mistake::DeclarersPartner => scene.wrong_declarer(true, true),
        Mistake::DeclarersOpponent => scene.wrong_declarer(false, true),
        Mistake::WrongSideWithoutLead => scene.wrong_declarer(false, false),
        Mistake::TricksOfOtherSide => scene.tricks_of_other_side(),
        Mistake::MissingDouble => scene.missing_double(),
        Mistake::NotPlayedWasPassedOut => scene.not_played(),
        Mistake::PassedOutWasNotPlayed => scene.passed_out(),
        Mistake::ImpossibleScore => scene.written(false),
        Mistake::VulnerabilityError => scene.written(true),
        Mistake::ScoreOfOtherSide => scene.score_of_other_side(),
        Mistake::BoardOutsideTheRound => scene.board_outside(),
        Mistake::BoardTwice => scene.board_twice(),
        Mistake::PairPlayedAlready => scene.pair_played_already(),
        Mistake::BoardsExchanged => scene.boards_exchanged(),
        Mistake::BoardsShifted => scene.boards_shifted(),
        Mistake::TableBehind => scene.table_behind(),
        Mistake::PadsSwapped => scene.pads_swapped(),
        Mistake::EastWestElsewhere => scene.east_west_elsewhere(),
        Mistake::ArrowSwitchMissed => scene.arrow_switch_missed(),
    };
    evening.sort();
    made
}

/// An evening in which one mistake is about to be made.
struct Scene<'a> {
    evening: &'a mut Evening,
    rng: &'a mut StdRng,
    spoiled: &'a BTreeSet<TableNumber>,
    mistake: Mistake,
}

/// A result in the evening's news.
#[derive(Clone, Copy)]
struct Entered {
    at: usize,
    time: Moment,
    id: LineId,
    line: Line,
}

impl Scene<'_> {
    /// The results of clean tables.
    fn results(&self) -> Vec<Entered> {
        self.evening
            .news
            .iter()
            .enumerate()
            .filter_map(|(at, (time, news))| match news {
                News::Result(id, line) if !self.spoiled.contains(&id.table) => Some(Entered {
                    at,
                    time: *time,
                    id: *id,
                    line: *line,
                }),
                _ => None,
            })
            .collect()
    }

    fn any_result(&mut self, fits: impl Fn(&Entered) -> bool) -> Option<Entered> {
        let results: Vec<Entered> = self.results().into_iter().filter(|e| fits(e)).collect();
        results.choose(self.rng).copied()
    }

    fn any_played(&mut self, fits: impl Fn(&Entered, Played) -> bool) -> Option<(Entered, Played)> {
        let played = |entered: &Entered| match entered.line.result {
            BoardResult::Played(played) => Some(played),
            _ => None,
        };
        let entered = self.any_result(|e| played(e).is_some_and(|played| fits(e, played)))?;
        Some((entered, played(&entered)?))
    }

    fn set_result(&mut self, entered: Entered, result: BoardResult) {
        let line = Line {
            result,
            ..entered.line
        };
        self.evening.news[entered.at].1 = News::Result(entered.id, line);
    }

    fn made(&self, id: LineId, kinds: &[Kind], answer: Option<Remedy>) -> Made {
        Made {
            mistake: self.mistake,
            tables: vec![id.table],
            kinds: kinds.to_vec(),
            round: Some(id.round),
            board: Some(id.board),
            answer,
        }
    }
}
