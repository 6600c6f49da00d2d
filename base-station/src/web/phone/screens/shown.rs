//! What a pair reads on its own phone: where it sits, and the boards of rounds that it has played.

use protocol::message::FeedbackLevel;
use protocol::words::{BoardNumber, RoundNumber, Side};
use serde::Serialize;
use telling::{Pair, Told};

use super::room::{Check, Known};
use crate::session::plan::Sitting;
use crate::session::{Cell, PairId, Scores, Session, TableId};
use crate::view::{BoardView, HandView, LineView, pair_names};

/// Everything on its first page.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Now {
    pair: Pair,
    names: Told,
    /// Where it plays now; none after the last round.
    place: Option<Place>,
    /// What waits for it.
    check: Option<Check>,
    /// Rounds that are over, the last board first.
    card: Vec<CardLine>,
}

/// Where a pair plays.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Place {
    round: RoundNumber,
    table: TableId,
    /// It sits East-West: results come here to be accepted.
    east_west: bool,
    against: Option<Told>,
    first: Option<BoardNumber>,
    last: Option<BoardNumber>,
}

/// A board as the pair sees it.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct CardLine {
    round: RoundNumber,
    board: BoardNumber,
    against: Option<PairId>,
    result: Told,
    score: Option<i16>,
    percent: Option<f64>,
    /// The other tables can be looked at.
    others: bool,
}

/// A board at the other tables.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Other {
    board: BoardNumber,
    lines: Vec<OtherLine>,
    hand: Option<HandView>,
}

/// A result there.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct OtherLine {
    ns: Option<Pair>,
    ew: Option<Pair>,
    result: Told,
    score: Option<i16>,
    ns_percent: Option<f64>,
    mine: bool,
}

pub(super) fn now(known: Known<'_>, pair: PairId, check: Option<Check>) -> Option<Now> {
    let (session, scores) = (known.state.session.as_ref()?, known.scores?);
    let club = &known.state.club;
    let all = sittings(session, pair).into_iter();
    let (over, ahead): (Vec<_>, Vec<_>) = all.partition(|it| is_over(session, pair, it));
    let place = ahead.first().map(|sitting| {
        let table = table_of(pair, sitting);
        let (ns, ew) = session.seated(table, sitting.round);
        let east_west = ew == Some(pair);
        let against = if east_west { ns } else { ew };
        Place {
            round: sitting.round,
            table,
            east_west,
            against: against.map(|it| pair_names(club, session, it, sitting.round)),
            first: sitting.boards.lowest(),
            last: sitting.boards.highest(),
        }
    });
    let mut card: Vec<CardLine> = over
        .iter()
        .flat_map(|sitting| card_lines(session, scores, pair, sitting))
        .collect();
    card.reverse();
    let first = place
        .as_ref()
        .map_or(RoundNumber::FIRST, |place| place.round);
    Some(Now {
        pair: session.number_of(pair),
        names: pair_names(club, session, pair, first),
        place,
        check,
        card,
    })
}

/// A board of a round that is over, as far as the club shows it on pads.
pub(super) fn other_tables(known: Known<'_>, pair: PairId, board: BoardNumber) -> Option<Other> {
    let (session, scores) = (known.state.session.as_ref()?, known.scores?);
    let over = sittings(session, pair);
    let played = over
        .iter()
        .any(|it| it.boards.contains(board) && is_over(session, pair, it));
    if !played || !shows_others(session) {
        return None;
    }
    let view = BoardView::scored(session, scores, pair.section, board);
    let counted = view.lines.into_iter().filter(|line| line.at_ms.is_some());
    Some(Other {
        board,
        lines: counted
            .map(|line| OtherLine {
                mine: line.ns == Some(pair) || line.ew == Some(pair),
                ns: (line.ns).map(|it| session.number_beside(Side::NorthSouth, it)),
                ew: (line.ew).map(|it| session.number_beside(Side::EastWest, it)),
                result: line.result.text,
                score: line.score,
                ns_percent: line.ns_percent,
            })
            .collect(),
        hand: view.hand.filter(|_| session.settings.hand_record),
    })
}

fn shows_others(session: &Session) -> bool {
    session.settings.feedback >= FeedbackLevel::Traveller
}

/// Where a pair plays, round by round.
fn sittings(session: &Session, pair: PairId) -> Vec<Sitting> {
    let section = session.sections.get(&pair.section);
    let sittings = section.into_iter().flat_map(|it| it.sittings.values());
    let mut here: Vec<Sitting> = sittings
        .filter(|sitting| sitting.is_played())
        .filter(|sitting| {
            let (ns, ew) = session.seated(table_of(pair, sitting), sitting.round);
            ns == Some(pair) || ew == Some(pair)
        })
        .cloned()
        .collect();
    here.sort_by_key(|sitting| sitting.round);
    here
}

const fn table_of(pair: PairId, sitting: &Sitting) -> TableId {
    TableId {
        section: pair.section,
        table: sitting.table,
    }
}

/// A round is over for a pair when all its boards are in, or its table has gone on.
fn is_over(session: &Session, pair: PairId, sitting: &Sitting) -> bool {
    let table = table_of(pair, sitting);
    let expected = session.expected(table, sitting.round);
    expected.iter().all(|cell| session.is_in(*cell)) || session.table_round(table) > sitting.round
}

fn card_lines(
    session: &Session,
    scores: &Scores,
    pair: PairId,
    sitting: &Sitting,
) -> Vec<CardLine> {
    let table = table_of(pair, sitting);
    let shown = session.settings.feedback >= FeedbackLevel::Percentage;
    let cells = sitting.boards.iter();
    let cells = cells.map(|board| Cell::new(table, sitting.round, board));
    cells
        .map(|cell| {
            let line = LineView::now(session, scores, cell);
            let ns = line.ns == Some(pair);
            let percent = if ns { line.ns_percent } else { line.ew_percent };
            CardLine {
                round: sitting.round,
                board: cell.board,
                against: if ns { line.ew } else { line.ns },
                result: line.result.text,
                score: line.score.map(|score| if ns { score } else { -score }),
                percent: percent.filter(|_| shown),
                others: shows_others(session),
            }
        })
        .collect()
}
