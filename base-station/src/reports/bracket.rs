//! A knock-out as a picture: on the page, on the wall and on players' phones.

use std::collections::BTreeMap;
use std::fmt::Write;

use maud::{Markup, PreEscaped, html};

use super::{Notice, Words};
use crate::view::{KnockOutMatch, KnockOutView};

/// A box with two names.
const WIDTH: usize = 210;
/// Between two stages.
const GAP: usize = 34;
/// Two lines of names, and room around them.
const HEIGHT: usize = 62;
/// The two lines.
const BOX: usize = 46;
/// Above the first box.
const TOP: usize = 24;
/// Letters of a name that fit into a box.
const LETTERS_MAX: usize = 24;

/// A knock-out as it stands.
pub fn knock_out_page(notice: &Notice<'_>, view: &KnockOutView) -> String {
    let words = notice.words;
    let body = html! {
        @if !view.places.is_empty() {
            table { tbody { @for place in &view.places { tr { td { (place.place) } td { (place.name) } } } } }
        }
        div.wide.chart tabindex="0" role="group" aria-label=(view.name) { (PreEscaped(bracket_picture(words, view))) }
        (in_words(words, view))
    };
    notice.page(&view.name, &notice.club.name, &body)
}

/// The same for whoever can't look at a picture.
fn in_words(words: &Words, view: &KnockOutView) -> Markup {
    html! { ol { @for own in &view.matches { li value=(own.number) {
        (words.say(&own.sides[0].name)) " " span.quiet { (words.text("against")) } " " (words.say(&own.sides[1].name))
        @if let Some(winner) = own.winner.and_then(|it| own.sides.get(usize::from(it))) { ": " strong { (words.say(&winner.name)) } }
        @if let Some(margin) = own.margin.filter(|it| it.abs() > 0.0) { " (" (words.decimal(margin.abs(), 0)) " " (words.text("imps")) ")" }
        @if own.abandoned { ": " (words.text("ko_abandoned")) }
        @if let Some(otherwise) = &own.otherwise { " (" (words.say(otherwise)) ")" }
    } } } }
}

/// Where a match is drawn.
type Places = BTreeMap<u16, (usize, usize)>;

/// The picture: those who have not lost above, those who have below.
pub fn bracket_picture(words: &Words, view: &KnockOutView) -> String {
    let mut places = Places::new();
    let above = lay_out(view, false, TOP, &mut places);
    let has_losers = view.matches.iter().any(|own| own.of_losers);
    let gap = if has_losers { GAP } else { 0 };
    let below = lay_out(view, true, above + gap, &mut places);
    let right = places.values().map(|(x, _)| x + WIDTH).max().unwrap_or(0) + 4;
    let mut svg = format!(
        "<svg xmlns='http://www.w3.org/2000/svg' role='img' viewBox='0 0 {right} {below}' width='{right}' height='{below}'><title>{}</title><rect width='100%' height='100%' fill='#fff'/>",
        escaped(&view.name)
    );
    for own in &view.matches {
        let (Some(from), Some(to)) = (
            places.get(&own.number),
            own.next.and_then(|next| places.get(&next)),
        ) else {
            continue;
        };
        joined(&mut svg, *from, *to);
    }
    for own in &view.matches {
        if let Some(place) = places.get(&own.number) {
            boxed(&mut svg, words, own, *place);
        }
    }
    svg.push_str("</svg>");
    svg
}

/// Puts matches into columns by their stage; answers with the height that they need.
fn lay_out(view: &KnockOutView, of_losers: bool, top: usize, places: &mut Places) -> usize {
    let mut stages: BTreeMap<u16, Vec<u16>> = BTreeMap::new();
    for own in view.matches.iter().filter(|it| it.of_losers == of_losers) {
        stages.entry(own.stage).or_default().push(own.number);
    }
    let rows = stages.values().map(Vec::len).max().unwrap_or(0);
    for (column, matches) in stages.values().enumerate() {
        for (at, number) in matches.iter().enumerate() {
            // In the middle of the rows that it comes from.
            let y = top + (2 * at + 1) * rows * HEIGHT / (2 * matches.len());
            places.insert(*number, (2 + column * (WIDTH + GAP), y - HEIGHT / 2));
        }
    }
    top + rows * HEIGHT
}

fn joined(svg: &mut String, from: (usize, usize), to: (usize, usize)) {
    let (x, y) = (from.0 + WIDTH, from.1 + BOX / 2);
    let (right, down) = (to.0, to.1 + BOX / 2);
    let middle = right.saturating_sub(GAP / 2);
    // Writing into a string can't fail.
    let _ = write!(
        svg,
        "<path d='M{x} {y}H{middle}V{down}H{right}' fill='none' stroke='#888'/>"
    );
}

fn boxed(svg: &mut String, words: &Words, own: &KnockOutMatch, (x, y): (usize, usize)) {
    let _ = write!(
        svg,
        "<text x='{x}' y='{}' font-size='10' fill='#555'>{}</text><rect x='{x}' y='{y}' width='{WIDTH}' height='{BOX}' rx='4' fill='#fff' stroke='#111'/><line x1='{x}' x2='{}' y1='{}' y2='{}' stroke='#ccc'/>",
        y - 3,
        own.number,
        x + WIDTH,
        y + BOX / 2,
        y + BOX / 2
    );
    for (at, side) in own.sides.iter().enumerate() {
        let won = own.winner.map(usize::from) == Some(at);
        let name = words.say(&side.name);
        let short: String = name.chars().take(LETTERS_MAX).collect();
        let seed = side.seed.map_or_else(String::new, |seed| seed.to_string());
        let colour = if side.seed.is_some() { "#111" } else { "#666" };
        let weight = if won { "700" } else { "400" };
        let base = y + 16 + at * (BOX / 2);
        let _ = write!(
            svg,
            "<text x='{}' y='{base}' font-size='11' fill='#555'>{seed}</text><text x='{}' y='{base}' font-size='13' font-weight='{weight}' fill='{colour}'>{}{}</text>",
            x + 5,
            x + 26,
            escaped(&short),
            if won { " ✓" } else { "" }
        );
    }
}

/// What people typed, in a picture.
fn escaped(text: &str) -> String {
    html! { (text) }.into_string()
}
