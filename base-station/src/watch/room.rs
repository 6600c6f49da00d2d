//! The session as the checks see it: they know nothing of it but their own [`Room`].

use protocol::words::{BoardResult, Percentage, SectionLetter};

use crate::checks::{
    Attention, CheckSettings, FindingId, Kind, Line, LineId, Moment as CheckMoment, PairsSeen, Room,
};
use crate::deals::{Deals, DealtBoard};
use crate::session::plan::Ruling;
use crate::session::{self, Cell, Section, Session, Settled, WarningId};

/// What the checks know of a contract that nobody wrote down: they look at its score only.
const UNKNOWN_CONTRACT: BoardResult = BoardResult::Adjusted {
    ns: Percentage::MIN,
    ew: Percentage::MIN,
};

/// The session's cards as the checks and other programs know them.
pub fn deals(session: &Session) -> Deals {
    session
        .deals
        .values()
        .filter_map(|record| {
            Some(DealtBoard {
                board: record.board,
                deal: record.deal.try_into().ok()?,
                tricks: record.tricks,
                par: record.par,
            })
        })
        .collect()
}

/// Whether the deal file is not to be doubted in this section: the director has said that it
/// belongs there, or does not want to hear of it.
pub(super) fn deals_trusted(
    session: &Session,
    settings: &CheckSettings,
    section: SectionLetter,
) -> bool {
    let doubt = WarningId::Found(FindingId {
        kind: Kind::DealsDoNotFit,
        section,
        table: None,
        round: None,
        board: None,
    });
    session.answers.get(&doubt) == Some(&Settled::NothingWrong)
        || settings.of(Kind::DealsDoNotFit) == Attention::Off
}

/// One section of the session as the checks see it.
pub(super) fn room(
    session: &Session,
    letter: SectionLetter,
    section: &Section,
    deals: Deals,
) -> Room {
    let mut room = Room::new(letter, section.as_movement(), deals);
    for (cell, line) in session
        .lines
        .iter()
        .filter(|(cell, _)| cell.section == letter)
    {
        if let Some(line) = line_of(line) {
            room.put(line_id(*cell), line);
        }
    }
    for cell in session.wanted.keys().filter(|cell| cell.section == letter) {
        room.board_wanted(cell.table, cell.round, cell.board);
    }
    for (id, table) in session.tables.iter().filter(|(id, _)| id.section == letter) {
        for (&round, &(ns, ew)) in &table.seen {
            room.pairs_seen(id.table, round, PairsSeen { ns, ew });
        }
    }
    room
}

/// A line's name among the checks' lines.
pub(super) const fn line_id(cell: Cell) -> LineId {
    LineId {
        board: cell.board,
        round: cell.round,
        table: cell.table,
    }
}

/// A line as the checks see it; none where no result stands there.
pub(super) fn line_of(line: &session::Line) -> Option<Line> {
    // A score from paper has no contract, but a board, pairs, a sign and a vulnerability.
    let (result, stated) = match line.ruling {
        Ruling::Written(score) => (UNKNOWN_CONTRACT, Some(score)),
        _ => (line.result()?, line.stated),
    };
    Some(Line {
        ns: line.ns.map(|pair| pair.number),
        ew: line.ew.map(|pair| pair.number),
        result,
        stated,
        at: CheckMoment(line.at.0),
    })
}
