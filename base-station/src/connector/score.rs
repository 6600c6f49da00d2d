//! A line of a score sheet as a scoring program hears it, and back.

use connector::data::BoardScore;
use connector::result::{Average, Outcome, Pairs};
use protocol::words::BoardResult;

use crate::session::plan::{Ruling, SideAward};
use crate::session::{Cell, Line, LinkedSession, PairId, Session};

/// What can be said of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Said {
    /// This.
    Outcome(Outcome),
    /// There is nothing to say: no result, or a sit-out.
    Nothing,
    /// There is something, and no words for it there.
    NoWords,
}

impl Said {
    /// Of a line as it stands.
    pub(super) fn of(line: &Line) -> Self {
        let averages = |ns: Option<Average>, ew: Option<Average>| match (ns, ew) {
            (Some(ns), Some(ew)) => Self::Outcome(Outcome::Averages { ns, ew }),
            _ => Self::NoWords,
        };
        match &line.ruling {
            Ruling::Result(BoardResult::Played(played)) => Self::Outcome(Outcome::Played(*played)),
            Ruling::Result(BoardResult::PassedOut) => Self::Outcome(Outcome::PassedOut),
            Ruling::Result(BoardResult::NotPlayed) => Self::Outcome(Outcome::NotPlayed),
            Ruling::Result(BoardResult::Adjusted { ns, ew }) => {
                averages(Average::of(*ns), Average::of(*ew))
            }
            Ruling::Award { ns, ew } => averages(average(ns), average(ew)),
            Ruling::Written(_) => Self::NoWords,
            Ruling::Result(BoardResult::SitOut) | Ruling::LatePlay | Ruling::TakenAway => {
                Self::Nothing
            }
        }
    }
}

fn average(award: &SideAward) -> Option<Average> {
    match award {
        SideAward::AverageMinus => Some(Average::Minus),
        SideAward::Average => Some(Average::Even),
        SideAward::AveragePlus => Some(Average::Plus),
        SideAward::Percent(percent) => Average::of(*percent),
        SideAward::Score(_) | SideAward::Weighted(_) => None,
    }
}

/// What a program's result means for a line.
pub(super) fn ruling(outcome: Outcome) -> Ruling {
    let award = |average| match average {
        Average::Minus => SideAward::AverageMinus,
        Average::Even => SideAward::Average,
        Average::Plus => SideAward::AveragePlus,
    };
    match outcome {
        Outcome::Played(played) => Ruling::Result(BoardResult::Played(played)),
        Outcome::PassedOut => Ruling::Result(BoardResult::PassedOut),
        Outcome::NotPlayed => Ruling::Result(BoardResult::NotPlayed),
        Outcome::Averages { ns, ew } => Ruling::Award {
            ns: award(ns),
            ew: award(ew),
        },
    }
}

/// A line as the program hears it; `None` where there is nothing to say, or no words for it.
pub(super) fn of(session: &Session, part: &LinkedSession, cell: Cell) -> Option<BoardScore> {
    let line = session.lines.get(&cell)?;
    let Said::Outcome(outcome) = Said::of(line) else {
        return None;
    };
    let (sat_ns, sat_ew) = (line.ns?, line.ew?);
    let (meant_ns, meant_ew) = session.seated(cell.table_id(), cell.round);
    // Where both lists count from 1, equal numbers can't be told apart.
    let switched =
        meant_ns == Some(sat_ew) && meant_ew == Some(sat_ns) && sat_ns.number != sat_ew.number;
    let (ns, ew) = if switched {
        (sat_ew, sat_ns)
    } else {
        (sat_ns, sat_ew)
    };
    let pairs = Pairs {
        ns: ns.number.get(),
        ew: ew.number.get(),
        switched,
    };
    let mut score = empty(part, cell)?;
    connector::result::write(&mut score, Some(outcome), pairs);
    Some(score)
}

/// That there is no result on a line.
pub(super) fn nothing(session: &Session, part: &LinkedSession, cell: Cell) -> Option<BoardScore> {
    let (ns, ew) = session.seated(cell.table_id(), cell.round);
    let number = |pair: Option<PairId>| pair.map_or(0, |pair| pair.number.get());
    let pairs = Pairs {
        ns: number(ns),
        ew: number(ew),
        switched: false,
    };
    let mut score = empty(part, cell)?;
    connector::result::write(&mut score, None, pairs);
    Some(score)
}

/// The place alone.
fn empty(part: &LinkedSession, cell: Cell) -> Option<BoardScore> {
    Some(BoardScore {
        session_guid: part.guid.clone(),
        section_letters: part.letters(cell.section)?.letters.clone(),
        table_number: cell.table.get().into(),
        round_number: cell.round.get().into(),
        board_number: cell.board.get().into(),
        ..BoardScore::default()
    })
}

/// The same line without its result.
pub(super) fn deleted(told: BoardScore) -> BoardScore {
    BoardScore {
        session_guid: told.session_guid,
        section_letters: told.section_letters,
        table_number: told.table_number,
        round_number: told.round_number,
        board_number: told.board_number,
        scoring_direction: told.scoring_direction,
        is_deleted: true,
        pair_north_south: told.pair_north_south,
        pair_east_west: told.pair_east_west,
        declaring_pair: told.pair_north_south,
        ..BoardScore::default()
    }
}
