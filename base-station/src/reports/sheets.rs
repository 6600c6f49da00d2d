//! Travellers, frequencies, score cards, routes, names and hand records.

use std::collections::BTreeSet;

use maud::{Markup, html};
use protocol::words::{BoardNumber, RoundNumber, SectionLetter, Side};

use super::Words;
use super::page::{Sheet, declared, signed, symbols};
use super::ranking::{added_up, place_of};
use super::records::dealt;
use crate::session::{Cell, PairId, Session, movement_name};
use crate::view::{BoardView, HandView, LineView, ResultKind};

/// The boards of the evening with their sections.
pub(super) fn boards(session: &Session) -> Vec<(SectionLetter, BoardNumber)> {
    // Where all sections are one field, a board has one traveller.
    let first = session.sections.keys().next().copied();
    let of = |section: SectionLetter| {
        first
            .filter(|_| session.scoring.across_sections)
            .unwrap_or(section)
    };
    let mut boards: BTreeSet<(SectionLetter, BoardNumber)> = session
        .lines
        .keys()
        .map(|cell| (of(cell.section), cell.board))
        .collect();
    for (letter, section) in &session.sections {
        for sitting in section
            .sittings
            .values()
            .filter(|sitting| sitting.is_played())
        {
            boards.extend(sitting.boards.iter().map(|board| (of(*letter), board)));
        }
    }
    boards.into_iter().collect()
}

/// What became of a board, short.
fn result(sheet: &Sheet<'_>, line: &LineView) -> Markup {
    let result = &line.result;
    match result.kind {
        ResultKind::Played => html! {
            span.together {
                (symbols(sheet.words, result.contract.as_deref().unwrap_or_default())) " "
                @if let Some(declarer) = result.declarer { (sheet.words.seat(declarer)) } " "
                (result.made.as_deref().unwrap_or_default().replace('-', "−"))
            }
        },
        ResultKind::Nothing => html! { "–" },
        _ => html! { (sheet.words.say(&result.text)) },
    }
}

/// A traveller for every board.
pub fn travellers(sheet: &Sheet<'_>) -> Markup {
    html! { (sheet.not_final()) @for (section, board) in boards(sheet.session) { (traveller(sheet, section, board)) } }
}

/// "Board 7, section B, dealer S, vulnerable: both".
fn board_title(sheet: &Sheet<'_>, section: Option<SectionLetter>, board: BoardNumber) -> Markup {
    let words = sheet.words;
    let section = section.filter(|_| sheet.session.sections.len() > 1);
    let dealer = format!("seat_{}", board.dealer().letter());
    let dealer = words.text(&dealer);
    let vulnerable = sheet.vulnerable(board.vulnerability());
    html! {
        h2 {
            (words.with("board_n", &[("n", &board)]))
            @if let Some(section) = section { ", " (words.text("section")) " " (section) }
            " " span.quiet { (words.with("dealer_vulnerable", &[("dealer", &dealer), ("vulnerable", &vulnerable)])) }
        }
    }
}

fn traveller(sheet: &Sheet<'_>, section: SectionLetter, board: BoardNumber) -> Markup {
    let words = sheet.words;
    let view = BoardView::scored(sheet.session, &sheet.scores, section, board);
    let (ns, ew) = (words.text("ns"), words.text("ew"));
    html! {
        section.board {
            (board_title(sheet, (!sheet.session.scoring.across_sections).then_some(section), board))
            div.wide tabindex="0" role="group" aria-label=(words.with("traveller_of", &[("n", &board)])) {
            table {
                thead { tr { th { (ns) } th { (ew) } th { (words.text("contract")) } th { (words.text("lead")) } th.number { "+ " (ns) } th.number { "+ " (ew) } @for heading in sheet.points_of_both() { th.number { (words.text(heading)) } } } }
                tbody {
                    @for line in &view.lines {
                        tr {
                            td { (sheet.number_beside(Side::NorthSouth, line.ns)) } td { (sheet.number_beside(Side::EastWest, line.ew)) } td { (result(sheet, line)) (form(sheet, &view, line)) }
                            td { (symbols(words, line.result.lead.as_deref().unwrap_or_default())) }
                            td.number { @if line.score.is_some_and(|score| score >= 0) { (line.score.unwrap_or_default()) } }
                            td.number { @if line.score.is_some_and(|score| score < 0) { (line.score.unwrap_or_default().unsigned_abs()) } }
                            td.number { (sheet.points(line.ns_points)) } td.number { (sheet.points(line.ew_points)) }
                        }
                    }
                }
            } }
            @if let Some(datum) = view.datum { p { (words.text("datum")) ": " (datum_of(sheet, &view, datum)) } }
        }
    }
}

/// What the scores were compared with; on a fouled board, form by form.
fn datum_of(sheet: &Sheet<'_>, view: &BoardView, datum: f64) -> String {
    if view.datums.is_empty() {
        return format!("{datum:+}");
    }
    let form = |(form, datum): (&char, &f64)| {
        let form = sheet.words.with("fouled_form", &[("form", form)]);
        format!("{form} {datum:+}")
    };
    view.datums.iter().map(form).collect::<Vec<_>>().join(", ")
}

/// On a fouled board, the form that the table played.
fn form(sheet: &Sheet<'_>, view: &BoardView, line: &LineView) -> Markup {
    let fouled = view
        .lines
        .iter()
        .any(|other| other.form != view.lines[0].form);
    html! { @if fouled { " " span.form { (sheet.words.with("fouled_form", &[("form", &line.form)])) } } }
}

/// How often each score came, board by board.
pub fn frequencies(sheet: &Sheet<'_>) -> Markup {
    let words = sheet.words;
    html! {
        (sheet.not_final())
        div.columns {
            @for (section, board) in boards(sheet.session) {
                @let view = BoardView::scored(sheet.session, &sheet.scores, section, board);
                @let counts = counted(sheet, &view);
                section.board {
                    h2 { (words.with("board_n", &[("n", &board)])) @if sheet.session.sections.len() > 1 && !sheet.session.scoring.across_sections { " " (section) } }
                    table {
                        thead { tr { @for heading in ["score_ns", "times"].into_iter().chain(sheet.points_of_both()) { th.number { (words.text(heading)) } } } }
                        tbody { @for (_, many) in &counts { tr { td.number { (many.what) } td.number { (many.times) } td.number { (sheet.points(many.ns)) } td.number { (sheet.points(many.ew)) } } } }
                    }
                }
            }
        }
    }
}

/// Tables with the same score and the same worth.
struct Many {
    /// The score, or what was awarded instead.
    what: String,
    times: usize,
    ns: Option<f64>,
    ew: Option<f64>,
}

/// The best score for North-South first, awards without one last. Forms of a fouled board and split
/// scores give the same score another worth: then it has several lines.
fn counted(sheet: &Sheet<'_>, view: &BoardView) -> Vec<(Option<i16>, Many)> {
    let mut counts: Vec<(Option<i16>, Many)> = Vec::new();
    for line in view.lines.iter().filter(|line| line.ns_points.is_some()) {
        let mut what = match line.score {
            Some(score) => signed(Some(score)),
            None => sheet.words.say(&line.result.text),
        };
        let form = form(sheet, view, line).into_string();
        if !form.is_empty() {
            what.push(' ');
            what.push_str(&sheet.words.with("fouled_form", &[("form", &line.form)]));
        }
        let same =
            |many: &Many| (&many.what, many.ns, many.ew) == (&what, line.ns_points, line.ew_points);
        match counts.iter_mut().find(|(_, many)| same(many)) {
            Some((_, many)) => many.times += 1,
            None => counts.push((
                line.score,
                Many {
                    what,
                    times: 1,
                    ns: line.ns_points,
                    ew: line.ew_points,
                },
            )),
        }
    }
    counts.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    counts
}

/// Every line a pair played, in order of rounds.
pub(super) fn lines_of(sheet: &Sheet<'_>, pair: PairId) -> Vec<(Side, LineView)> {
    let (session, scores) = (sheet.session, &sheet.scores);
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
        .map(|(side, cell)| (side, LineView::now(session, scores, cell)))
        .collect()
}

/// A score card for every pair, one to a page.
pub fn scorecards(sheet: &Sheet<'_>) -> Markup {
    html! { (sheet.not_final()) @for pair in sheet.session.pairs() { section.sheet { (sheet.again()) (scorecard(sheet, pair)) } } }
}

/// One pair's evening, round by round.
pub(super) fn scorecard(sheet: &Sheet<'_>, pair: PairId) -> Markup {
    let words = sheet.words;
    let lines = lines_of(sheet, pair);
    let rounds = lines.chunk_by(|(_, one), (_, other)| one.round == other.round);
    let title = words.with("pair_n", &[("pair", &sheet.number(pair))]);
    let numbers = ["sheet_score", "points", "percent"];
    html! {
        @let names = sheet.names(pair);
        // Nobody has given them a name: the number says it all.
        h2 { (title) @if names != title { ": " (names) } }
        (place_of(sheet, pair))
        div.wide tabindex="0" role="group" aria-label=(title) { table.scorecard {
            thead { tr {
                th { (words.text("board")) } th.spare { (words.text("sheet_vulnerable")) } th { (words.text("contract")) } th.spare { (words.text("lead")) }
                @for heading in numbers { th.number { (words.text(heading)) } }
            } }
            @for round in rounds { tbody {
                @if let Some((side, line)) = round.first() { tr { th colspan="7" { (against(sheet, *side, line)) } } }
                @for (side, line) in round { (scored(sheet, *side, line)) }
            } }
            tfoot { (added_up(sheet, pair)) }
        } }
    }
}

/// "Round 3, NS: Anna Berg – Karl Lind".
fn against(sheet: &Sheet<'_>, side: Side, line: &LineView) -> Markup {
    let words = sheet.words;
    let (sat, opponents) = match side {
        Side::NorthSouth => ("ns", line.ew),
        Side::EastWest => ("ew", line.ns),
    };
    let opponents = opponents.map(|pair| sheet.names_in(pair, line.round));
    html! {
        (words.with("round_n", &[("n", &line.round)])) ", " (words.text(sat)) " "
        span.quiet { (words.text("against")) " " (opponents.as_deref().unwrap_or("–")) }
    }
}

/// One board as the pair sees it.
fn scored(sheet: &Sheet<'_>, side: Side, line: &LineView) -> Markup {
    let words = sheet.words;
    let ns = side == Side::NorthSouth;
    let score = line.score.map(|score| if ns { score } else { -score });
    let points = if ns { line.ns_points } else { line.ew_points };
    let percent = if ns { line.ns_percent } else { line.ew_percent };
    html! { tr {
        td { (line.board) } td.quiet.spare { (sheet.vulnerable(line.board.vulnerability())) } td { (result(sheet, line)) } td.spare { (symbols(words, line.result.lead.as_deref().unwrap_or_default())) }
        td.number { (signed(score)) } td.number { (sheet.points(points)) } td.number { (words.two(percent)) }
    } }
}

/// Where each pair sits in each round.
pub(super) fn route(sheet: &Sheet<'_>) -> Markup {
    let words = sheet.words;
    html! {
        @for (letter, section) in &sheet.session.sections {
            @let title = format!("{} {letter}", words.text("section"));
            h2 { (title) ": " (words.say(&movement_name(&section.movement))) }
            div.wide tabindex="0" role="group" aria-label=(title) { table.route {
                thead { tr { th { (words.text("pair")) } @for round in 1..=section.last_round().get() { th { (words.text("sheet_round_letter")) (round) } } } }
                tbody {
                    @for pair in sheet.session.pairs().into_iter().filter(|pair| pair.section == *letter) {
                        tr { th { (sheet.number(pair)) br; span.quiet { (sheet.names(pair)) } }
                            @for round in (1..=section.last_round().get()).filter_map(RoundNumber::new) { td { (place(sheet, pair, round)) } } }
                    }
                }
            } }
        }
        p.quiet { (words.text("sheet_route_key")) }
    }
}

fn place(sheet: &Sheet<'_>, pair: PairId, round: RoundNumber) -> Markup {
    let (words, session) = (sheet.words, sheet.session);
    let Some(section) = session.sections.get(&pair.section) else {
        return html! {};
    };
    for sitting in section
        .sittings
        .values()
        .filter(|sitting| sitting.round == round)
    {
        let sides = [
            (Side::NorthSouth, "ns", sitting.ns),
            (Side::EastWest, "ew", sitting.ew),
        ];
        for (side, name, number) in sides {
            let Some(number) = number else { continue };
            if session.pair_id(pair.section, side, number) != pair {
                continue;
            }
            return html! {
                @if sitting.is_played() {
                    span.together { "T" (sitting.table) " " (words.text(name)) } br;
                    span.quiet.together { @if let (Some(first), Some(last)) = (sitting.boards.lowest(), sitting.boards.highest()) { (first) "–" (last) } }
                } @else { (words.text("state_SitOut")) }
            };
        }
    }
    html! { "–" }
}

/// Who plays, to be checked against the table slips.
pub(super) fn names(sheet: &Sheet<'_>) -> Markup {
    let words = sheet.words;
    html! {
        table {
            thead { tr { th { (words.text("pair")) } th { (words.text("names")) } } }
            tbody { @for pair in sheet.session.pairs() { tr { td { (sheet.number(pair)) } td { (sheet.names(pair)) } } } }
        }
    }
}

/// The cards of every board in play.
pub(super) fn hands(sheet: &Sheet<'_>) -> Markup {
    let dealt = dealt(sheet);
    html! {
        @if dealt.is_empty() { p { (sheet.words.text("no_hand_record")) } }
        div.columns { @for (board, hand) in &dealt { (hand_record(sheet, *board, hand)) } }
    }
}

/// `A J 10 9` from `AJT9`, with the honours of the language.
fn spaced(words: &Words, ranks: &str) -> String {
    if ranks.is_empty() {
        return "–".to_owned();
    }
    let ranks: Vec<String> = ranks.chars().map(|rank| words.rank(rank)).collect();
    ranks.join(" ")
}

/// The cards of one board.
fn hand_record(sheet: &Sheet<'_>, board: BoardNumber, hand: &HandView) -> Markup {
    let words = sheet.words;
    let seat = |name: char| {
        html! { div class=(name) { @for suit in ['S', 'H', 'D', 'C'] {
            div.suit { (symbols(words, &suit.to_string())) " " @let ranks = hand.seats.get(&name).and_then(|suits| suits.get(&suit)); (spaced(words, ranks.map_or("", String::as_str))) }
        } } }
    };
    html! {
        section.board {
            (board_title(sheet, None, board))
            div.deal { (seat('N')) (seat('W')) div.middle { (board) } (seat('E')) (seat('S')) }
            @if let Some(tricks) = &hand.tricks {
                table.tricks {
                    caption { (words.text("tricks_possible")) }
                    thead { tr { td {} @for strain in ["C", "D", "H", "S"] { th.number { (symbols(words, strain)) } } th.number { (words.text("letter_nt")) } } }
                    tbody { @for seat in ['N', 'S', 'E', 'W'] { tr { th { (words.text(&format!("seat_{seat}"))) } @for strain in ["C", "D", "H", "S", "NT"] { td.number { @if let Some(number) = tricks.get(&seat).and_then(|row| row.get(strain)) { (number) } } } } } }
                }
            }
            @if let Some(par) = &hand.par { p.quiet { (words.text("par")) " " (signed(Some(par.score))) @if let Some(contract) = &par.contract { " " (declared(words, contract)) } } }
        }
    }
}
