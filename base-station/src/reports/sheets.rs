//! Ranking, travellers, frequencies, score cards, routes, names and hand records.

use std::collections::{BTreeMap, BTreeSet};

use maud::{Markup, html};
use protocol::words::{BoardNumber, RoundNumber, SectionLetter, Side};

use super::page::{signed, symbols, two};
use crate::session::{Cell, PairId, Session, State};
use crate::view::{BoardView, HandView, LineView, RankingView, ResultKind, pair_names};

/// The ranking lists.
pub fn ranking(state: &State, session: &Session) -> Markup {
    let ranking = RankingView::of(&state.club, session);
    let imps = ranking.points_name == "imps";
    html! {
        (clubs(&ranking, imps))
        @for list in &ranking.lists {
            h2 { (list.title) }
            div.wide tabindex="0" role="group" aria-label=(list.title) {
            table {
                thead { tr { th { "Place" } th { "Pair" } th { "Names" } th.number { "Boards" } th.number { @if imps { "IMPs" } @else { "Points" } } @if !imps { th.number { "%" } } } }
                tbody {
                    @for line in &list.lines {
                        tr { td { (line.place) } td { (line.pair) } td { (line.names) } td.number { (line.boards) } td.number { (two(Some(line.points))) } @if !imps { td.number { (two(line.percent)) } } }
                    }
                }
            } }
        }
        @if !ranking.problems.is_empty() { ul { @for problem in &ranking.problems { li { (problem) } } } }
        (penalties(session))
    }
}

/// The two clubs of a match between them.
fn clubs(ranking: &RankingView, imps: bool) -> Markup {
    html! {
        @if !ranking.clubs.is_empty() {
            h2 { "The clubs" }
            table {
                tbody {
                    @for club in &ranking.clubs {
                        tr { td { (club.name) } td.number { @if imps { (two(Some(club.points))) " IMPs" } @else { (two(club.percent)) "%" } } }
                    }
                }
            }
        }
    }
}

fn penalties(session: &Session) -> Markup {
    html! {
        @if !session.penalties.is_empty() {
            h3 { "Penalties and warnings" }
            ul { @for penalty in session.penalties.values() { li { "Pair " (penalty.pair) ": " (crate::view::amount_text(penalty.amount)) " (" (penalty.why) ")" } } }
        }
    }
}

/// The boards of the evening with their sections.
pub(super) fn boards(session: &Session) -> Vec<(SectionLetter, BoardNumber)> {
    let mut boards: BTreeSet<(SectionLetter, BoardNumber)> = session
        .lines
        .keys()
        .map(|cell| (cell.section, cell.board))
        .collect();
    for (letter, section) in &session.sections {
        for sitting in section
            .sittings
            .values()
            .filter(|sitting| sitting.is_played())
        {
            boards.extend(sitting.boards.iter().map(|board| (*letter, board)));
        }
    }
    boards.into_iter().collect()
}

/// What became of a board, short.
pub(super) fn result(line: &LineView) -> Markup {
    let result = &line.result;
    match result.kind {
        ResultKind::Played => html! {
            (symbols(result.contract.as_deref().unwrap_or_default())) " "
            @if let Some(declarer) = result.declarer { (declarer) } " "
            (result.made.as_deref().unwrap_or_default().replace('-', "−"))
        },
        ResultKind::Nothing => html! { "–" },
        _ => html! { (result.text) },
    }
}

/// A traveller for every board.
pub fn travellers(session: &Session) -> Markup {
    html! { @for (section, board) in boards(session) { (traveller(session, section, board)) } }
}

fn traveller(session: &Session, section: SectionLetter, board: BoardNumber) -> Markup {
    let view = BoardView::of(session, section, board);
    html! {
        section.board {
            h2 { "Board " (board) @if session.sections.len() > 1 { ", section " (section) } " " span.quiet { "dealer " (view.dealer) ", vulnerable: " (board.vulnerability()) } }
            div.wide tabindex="0" role="group" aria-label=(format!("Results of board {board}")) {
            table {
                thead { tr { th { "NS" } th { "EW" } th { "Contract" } th { "Lead" } th.number { "NS" } th.number { "EW" } th.number { "Points NS" } th.number { "Points EW" } } }
                tbody {
                    @for line in &view.lines {
                        tr {
                            td { (pair_or_dash(line.ns)) } td { (pair_or_dash(line.ew)) } td { (result(line)) }
                            td { (symbols(line.result.lead.as_deref().unwrap_or_default())) }
                            td.number { @if line.score.is_some_and(|score| score >= 0) { (line.score.unwrap_or_default()) } }
                            td.number { @if line.score.is_some_and(|score| score < 0) { (line.score.unwrap_or_default().unsigned_abs()) } }
                            td.number { (two(line.ns_points)) } td.number { (two(line.ew_points)) }
                        }
                    }
                }
            } }
        }
    }
}

fn pair_or_dash(pair: Option<PairId>) -> String {
    pair.map_or_else(|| "–".to_owned(), |pair| pair.to_string())
}

/// How often each score came, board by board.
pub fn frequencies(session: &Session) -> Markup {
    html! {
        div.columns {
            @for (section, board) in boards(session) {
                @let view = BoardView::of(session, section, board);
                @let counts = counted(&view);
                section.board {
                    h2 { "Board " (board) @if session.sections.len() > 1 { " " (section) } }
                    table {
                        thead { tr { th.number { "NS score" } th.number { "Times" } th.number { "Points NS" } th.number { "Points EW" } } }
                        tbody { @for (score, (times, ns, ew)) in counts.iter().rev() { tr { td.number { (signed(Some(*score))) } td.number { (times) } td.number { (two(*ns)) } td.number { (two(*ew)) } } } }
                    }
                }
            }
        }
    }
}

type Counted = BTreeMap<i16, (usize, Option<f64>, Option<f64>)>;

fn counted(view: &BoardView) -> Counted {
    let mut counts = Counted::new();
    for line in &view.lines {
        if let Some(score) = line.score {
            let entry = counts
                .entry(score)
                .or_insert((0, line.ns_points, line.ew_points));
            entry.0 += 1;
        }
    }
    counts
}

/// Every line a pair played, in order of rounds.
pub(super) fn lines_of(session: &Session, pair: PairId) -> Vec<(Side, LineView)> {
    let mut cells: Vec<(Side, Cell)> = session
        .lines
        .iter()
        .filter_map(|(cell, line)| {
            let side = if line.ns == Some(pair) {
                Side::NorthSouth
            } else if line.ew == Some(pair) {
                Side::EastWest
            } else {
                return None;
            };
            Some((side, *cell))
        })
        .collect();
    cells.sort_by_key(|(_, cell)| (cell.round, cell.board));
    cells
        .into_iter()
        .map(|(side, cell)| {
            let traveller = session.traveller(cell.section, cell.board);
            let scored = traveller.lines.iter().find(|line| line.cell == cell);
            let view = scored.map_or_else(
                || LineView::of(session, cell),
                |line| LineView::scored(session, line),
            );
            (side, view)
        })
        .collect()
}

/// A score card for every pair, one to a page.
pub fn scorecards(state: &State, session: &Session) -> Markup {
    html! { @for pair in session.pairs() { section.sheet { (scorecard(state, session, pair)) } } }
}

/// One pair's evening.
pub(super) fn scorecard(state: &State, session: &Session, pair: PairId) -> Markup {
    let lines = lines_of(session, pair);
    html! {
        h2 { "Pair " (pair) ": " (pair_names(&state.club, session, pair, RoundNumber::FIRST)) }
        div.wide tabindex="0" role="group" aria-label=(format!("Pair {pair}")) { table {
            thead { tr { th { "Round" } th { "Board" } th { "Sat" } th { "Against" } th { "Contract" } th { "Lead" } th.number { "Score" } th.number { "Points" } th.number { "%" } } }
            tbody {
                @for (side, line) in &lines {
                    @let ns = *side == Side::NorthSouth;
                    @let opponents = if ns { line.ew } else { line.ns };
                    @let score = line.score.map(|score| if ns { score } else { -score });
                    @let points = if ns { line.ns_points } else { line.ew_points };
                    @let percent = line.ns_percent.map(|percent| if ns { percent } else { 100.0 - percent });
                    tr {
                        td { (line.round) } td { (line.board) } td { (side) }
                        td { @if let Some(opponents) = opponents { (pair_names(&state.club, session, opponents, line.round)) } @else { "–" } }
                        td { (result(line)) } td { (symbols(line.result.lead.as_deref().unwrap_or_default())) }
                        td.number { (signed(score)) } td.number { (two(points)) } td.number { (two(percent)) }
                    }
                }
            }
        } }
    }
}

/// Where each pair sits in each round.
pub fn route(state: &State, session: &Session) -> Markup {
    html! {
        @for (letter, section) in &session.sections {
            h2 { "Section " (letter) ": " (section.movement) }
            div.wide tabindex="0" role="group" aria-label=(format!("Section {letter}")) { table {
                thead { tr { th { "Pair" } @for round in 1..=section.last_round().get() { th { "R" (round) } } } }
                tbody {
                    @for pair in session.pairs().into_iter().filter(|pair| pair.section == *letter) {
                        tr { th { (pair) br; span.quiet { (pair_names(&state.club, session, pair, RoundNumber::FIRST)) } }
                            @for round in (1..=section.last_round().get()).filter_map(RoundNumber::new) { td { (place(session, pair, round)) } } }
                    }
                }
            } }
        }
    }
}

fn place(session: &Session, pair: PairId, round: RoundNumber) -> Markup {
    let Some(section) = session.sections.get(&pair.section) else {
        return html! {};
    };
    for sitting in section
        .sittings
        .values()
        .filter(|sitting| sitting.round == round)
    {
        for (side, number) in [(Side::NorthSouth, sitting.ns), (Side::EastWest, sitting.ew)] {
            let Some(number) = number else { continue };
            if session.pair_id(pair.section, side, number) != pair {
                continue;
            }
            return html! {
                @if sitting.is_played() {
                    "T" (sitting.table) " " (side) br;
                    span.quiet { @if let (Some(first), Some(last)) = (sitting.boards.lowest(), sitting.boards.highest()) { (first) "–" (last) } }
                } @else { "sits out" }
            };
        }
    }
    html! { "–" }
}

/// Who plays, to be checked against the table slips.
pub fn names(state: &State, session: &Session) -> Markup {
    html! {
        table {
            thead { tr { th { "Pair" } th { "Names" } } }
            tbody { @for pair in session.pairs() { tr { td { (pair) } td { (pair_names(&state.club, session, pair, RoundNumber::FIRST)) } } } }
        }
    }
}

/// The cards of every board.
pub fn hands(session: &Session) -> Markup {
    html! {
        @if session.deals.is_empty() { p { "No deal file was attached." } }
        div.columns { @for (board, record) in &session.deals { @if let Some(hand) = HandView::of(record) { (hand_record(*board, &hand)) } } }
    }
}

/// The cards of one board.
pub(super) fn hand_record(board: BoardNumber, hand: &HandView) -> Markup {
    let seat = |name: char| {
        html! { div class=(name) { @for suit in ['S', 'H', 'D', 'C'] {
            div.suit { (symbols(&suit.to_string())) " " @let ranks = hand.seats.get(&name).and_then(|suits| suits.get(&suit)); (ranks.map_or("–", |ranks| if ranks.is_empty() { "–" } else { ranks.as_str() })) }
        } } }
    };
    html! {
        section.board {
            h2 { "Board " (board) " " span.quiet { "dealer " (board.dealer()) ", vulnerable: " (board.vulnerability()) } }
            div.deal { (seat('N')) (seat('W')) div.middle { (board) } (seat('E')) (seat('S')) }
            @if let Some(tricks) = &hand.tricks {
                table {
                    thead { tr { td {} @for strain in ["C", "D", "H", "S"] { th.number { (symbols(strain)) } } th.number { "NT" } } }
                    tbody { @for seat in ['N', 'S', 'E', 'W'] { tr { th { (seat) } @for strain in ["C", "D", "H", "S", "NT"] { td.number { @if let Some(number) = tricks.get(&seat).and_then(|row| row.get(strain)) { (number) } } } } } }
                }
            }
            @if let Some(par) = &hand.par { p.quiet { "Par " (signed(Some(par.score))) @if let Some(contract) = &par.contract { " " (contract) } } }
        }
    }
}
