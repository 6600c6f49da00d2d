//! Pictures where people would rather look: percentage by round, and how far apart boards were.

use std::fmt::Write;

use maud::{Markup, PreEscaped, html};
use protocol::words::{RoundNumber, Side};

use super::Sheet;
use super::page::signed;
use super::sheets::{boards, lines_of};
use crate::session::{Cell, PairId};
use crate::view::{BoardView, RankingView};

/// Pairs in the chart of rounds; more lines than this can't be told apart.
const PAIRS_SHOWN: usize = 6;

/// A chart's width.
const WIDTH: f64 = 720.0;

/// A chart's height.
const HEIGHT: f64 = 300.0;

/// Room for the numbers at the left and below.
const MARGIN: f64 = 40.0;

/// Lines are told apart by colour and by dashes.
const STROKES: [(&str, &str); PAIRS_SHOWN] = [
    ("#14532d", "none"),
    ("#b3130b", "8 4"),
    ("#1d4ed8", "2 4"),
    ("#b45309", "12 4 2 4"),
    ("#6b21a8", "4 4"),
    ("#0f766e", "1 6"),
];

/// Both charts.
pub fn charts(sheet: &Sheet<'_>) -> Markup {
    let words = sheet.words;
    html! {
        (sheet.not_final())
        h2 { (words.text("chart_rounds")) }
        (rounds_chart(sheet))
        h2 { (words.text("chart_boards")) }
        p.quiet { (words.text("chart_boards_key")) }
        (boards_chart(sheet))
    }
}

fn rounds_chart(sheet: &Sheet<'_>) -> Markup {
    let (words, session) = (sheet.words, sheet.session);
    let ranking = RankingView::scored(&sheet.state.club, session, &sheet.scores);
    let mut leading: Vec<(PairId, f64)> = ranking
        .lists
        .iter()
        .flat_map(|list| &list.lines)
        .filter_map(|line| Some((line.pair, line.percent?)))
        .collect();
    leading.sort_by(|one, other| other.1.total_cmp(&one.1));
    leading.truncate(PAIRS_SHOWN);
    if leading.is_empty() {
        return html! { p { (words.text("chart_nothing")) } };
    }
    let courses: Vec<_> = leading
        .iter()
        .map(|(pair, _)| running(sheet, *pair))
        .collect();
    let last = session
        .sections
        .values()
        .map(|section| section.last_round().get())
        .max()
        .unwrap_or(1);
    let x = |round: u8| {
        let share = f64::from(round - 1) / f64::from(last.max(2) - 1);
        MARGIN + share * (WIDTH - 2.0 * MARGIN)
    };
    let (low, high) = tens_around(&courses);
    let y = |percent: f64| height(percent, low, high);
    let mut svg = frame(words.text("chart_rounds"));
    for percent in (0..=10_u8).map(|tens| f64::from(tens) * 10.0) {
        if (low..=high).contains(&percent) {
            level(&mut svg, y(percent), &format!("{percent:.0}%"));
        }
    }
    for round in 1..=last {
        label(&mut svg, x(round), HEIGHT - 5.0, &round.to_string());
    }
    for (course, (colour, dashes)) in courses.iter().zip(STROKES) {
        let points: Vec<String> = course
            .iter()
            .map(|(round, percent)| format!("{:.1},{:.1}", x(round.get()), y(*percent)))
            .collect();
        // Writing into a string can't fail.
        let _ = write!(
            svg,
            "<polyline fill='none' stroke='{colour}' stroke-width='3' stroke-dasharray='{dashes}' points='{}'/>",
            points.join(" ")
        );
    }
    svg.push_str("</svg>");
    html! {
        p.quiet { (words.text("chart_rounds_key")) }
        (to_scroll(words.text("chart_rounds"), svg))
        ul.keys { @for ((pair, percent), (colour, dashes)) in leading.iter().zip(STROKES) {
            li { (key(colour, dashes)) " " strong { (sheet.number(*pair)) } " " (sheet.names(*pair)) " " (words.decimal(*percent, 2)) "%" @if penalised(&ranking, *pair) { " " (words.text("chart_penalty")) } }
        } }
    }
}

fn penalised(ranking: &RankingView, pair: PairId) -> bool {
    let mut penalties = ranking.penalties.iter();
    penalties.any(|penalty| penalty.pair == pair && penalty.counts)
}

/// The lines fill the chart: from the full ten below the lowest point to that above the highest.
fn tens_around(courses: &[Vec<(RoundNumber, f64)>]) -> (f64, f64) {
    let all = || courses.iter().flatten().map(|(_, percent)| *percent);
    let low = all().fold(50.0, f64::min);
    let high = all().fold(50.0, f64::max);
    ((low / 10.0).floor() * 10.0, (high / 10.0).ceil() * 10.0)
}

fn key(colour: &str, dashes: &str) -> Markup {
    PreEscaped(format!(
        "<svg width='40' height='10' aria-hidden='true'><line x1='0' y1='5' x2='40' y2='5' stroke='{colour}' stroke-width='3' stroke-dasharray='{dashes}'/></svg>"
    ))
}

/// A pair's percentage over all boards so far, after each round, as the ranking adds it up;
/// penalties have no round, so they are not in it.
fn running(sheet: &Sheet<'_>, pair: PairId) -> Vec<(RoundNumber, f64)> {
    let mut after: Vec<(RoundNumber, f64)> = Vec::new();
    let (mut points, mut tops) = (0.0, 0.0);
    for (side, line) in lines_of(sheet, pair) {
        let own = match side {
            Side::NorthSouth => line.ns_points,
            Side::EastWest => line.ew_points,
        };
        let top = sheet
            .scores
            .top(Cell::new(line.table, line.round, line.board));
        let Some(own) = own.filter(|_| top.to_f64() > 0.0) else {
            continue;
        };
        points += own;
        tops += top.to_f64();
        let percent = 100.0 * points / tops;
        match after.last_mut() {
            Some((round, so_far)) if *round == line.round => *so_far = percent,
            _ => after.push((line.round, percent)),
        }
    }
    after
}

fn boards_chart(sheet: &Sheet<'_>) -> Markup {
    let (words, session) = (sheet.words, sheet.session);
    let spreads: Vec<(String, Vec<i16>)> = boards(session)
        .into_iter()
        .map(|(section, board)| {
            let view = BoardView::scored(session, &sheet.scores, section, board);
            let mut scores: Vec<i16> = view.lines.iter().filter_map(|line| line.score).collect();
            scores.sort_unstable();
            (board.to_string(), scores)
        })
        .filter(|(_, scores)| !scores.is_empty())
        .collect();
    let Some(largest) = spreads
        .iter()
        .flat_map(|(_, scores)| scores)
        .map(|score| score.unsigned_abs())
        .max()
    else {
        return html! { p { (words.text("chart_nothing")) } };
    };
    let largest = f64::from(largest.max(100));
    let y = |score: i16| {
        MARGIN / 2.0 + (1.0 - f64::from(score) / largest) / 2.0 * (HEIGHT - 1.5 * MARGIN)
    };
    #[expect(clippy::cast_precision_loss, reason = "boards are few")]
    let step = (WIDTH - 2.0 * MARGIN) / spreads.len() as f64;
    let mut svg = frame(words.text("chart_boards"));
    for score in [-2000, -1000, -500, 0, 500, 1000, 2000] {
        if f64::from(score).abs() <= largest {
            level(&mut svg, y(score), &signed(Some(score)));
        }
    }
    for (index, (board, scores)) in (0_u16..).zip(&spreads) {
        let x = MARGIN + (f64::from(index) + 0.5) * step;
        let (Some(low), Some(high)) = (scores.first(), scores.last()) else {
            continue;
        };
        let middle = scores.get(scores.len() / 2).unwrap_or(low);
        let _ = write!(
            svg,
            "<line x1='{x:.1}' x2='{x:.1}' y1='{:.1}' y2='{:.1}' stroke='#14532d' stroke-width='{:.1}'/><circle cx='{x:.1}' cy='{:.1}' r='4' fill='#b45309'/>",
            y(*low),
            y(*high),
            (step / 2.0).min(10.0),
            y(*middle)
        );
        label(&mut svg, x, HEIGHT - 5.0, board);
    }
    svg.push_str("</svg>");
    to_scroll(words.text("chart_boards"), svg)
}

/// A phone shows a part of the chart that can be read rather than all of it too small.
pub(super) fn to_scroll(title: &str, svg: String) -> Markup {
    html! { div.wide.chart tabindex="0" role="group" aria-label=(title) { (PreEscaped(svg)) } }
}

pub(super) fn frame(title: &str) -> String {
    format!(
        "<svg role='img' viewBox='0 0 {WIDTH} {HEIGHT}' width='{WIDTH}' height='{HEIGHT}'><title>{title}</title>"
    )
}

pub(super) fn level(svg: &mut String, y: f64, text: &str) {
    let _ = write!(
        svg,
        "<line x1='{MARGIN}' x2='{:.1}' y1='{y:.1}' y2='{y:.1}' stroke='#ccc'/><text x='2' y='{:.1}'>{text}</text>",
        WIDTH - MARGIN,
        y + 4.0
    );
}

/// How far to the right the one of so many stands.
pub(super) fn along(at: usize, of: usize) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "a few hundred")]
    let share = at as f64 / of.saturating_sub(1).max(1) as f64;
    MARGIN + share * (WIDTH - 2.0 * MARGIN)
}

/// How far from the top a percentage stands between two others.
pub(super) fn height(percent: f64, low: f64, high: f64) -> f64 {
    MARGIN / 2.0 + (high - percent) / (high - low).max(1.0) * (HEIGHT - 1.5 * MARGIN)
}

fn label(svg: &mut String, x: f64, y: f64, text: &str) {
    let _ = write!(
        svg,
        "<text x='{x:.1}' y='{y:.1}' text-anchor='middle'>{text}</text>"
    );
}
