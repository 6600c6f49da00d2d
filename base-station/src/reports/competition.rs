//! Competitions on the wall and on players' phones, and a player's year.

use std::fmt::Write;

use maud::{Markup, PreEscaped, html};

use super::page::{Paper, plain_page};
use super::{Words, charts};
use crate::session::{Club, Moment};
use crate::view::{CompetitionCell, CompetitionLine, CompetitionView, YearView};

/// Sessions that have a column of their own; with more a line would not fit on the paper.
const COLUMNS_MAX: usize = 12;

/// What a sheet is made with that belongs to no session.
#[derive(Clone, Copy, Debug)]
pub struct Notice<'a> {
    /// The club.
    pub club: &'a Club,
    /// The language.
    pub words: &'static Words,
    /// The paper; none for a page that is read on a phone.
    pub paper: Option<Paper>,
    /// When it is made.
    pub printed: Moment,
}

impl Notice<'_> {
    pub(super) fn page(&self, title: &str, below: &str, body: &Markup) -> String {
        let words = self.words;
        let size = self.paper.map(Paper::size);
        let size = size.map(|size| format!("@page {{ size: {size}; margin: 14mm; }}\n"));
        let moment = words.moment(self.printed, self.club.minutes_east);
        plain_page(
            words,
            title,
            &html! {
                @if let Some(size) = &size {
                    style { (PreEscaped(size)) }
                    link rel="stylesheet" href="/assets/css/sheet.css";
                    script type="module" src="/assets/js/sheet.js" {}
                }
            },
            &html! {
                @if size.is_some() { div.screen.tools { button type="button" data-print="" { (words.text("print_now")) } } }
                header { h1 { (title) } p { (below) } }
                main { (body) }
                footer { p { (words.with("sheet_foot", &[("moment", &moment)])) } }
            },
        )
    }
}

/// All competitions of a club, for everybody.
pub fn competitions_page(notice: &Notice<'_>) -> String {
    let words = notice.words;
    let shown = notice.club.competitions.iter().rev();
    let shown: Vec<_> = shown.filter(|(_, it)| !it.away).collect();
    let knock_outs = notice.club.knock_outs.iter().rev();
    let knock_outs: Vec<_> = knock_outs.filter(|(_, it)| !it.away).collect();
    let championships = notice.club.championships.iter().rev();
    let championships: Vec<_> = championships.filter(|(_, it)| !it.away).collect();
    let none = shown.is_empty() && knock_outs.is_empty() && championships.is_empty();
    let body = html! {
        @if none { p { (words.text("comp_none")) } }
        ul.choose { @for (number, championship) in championships {
            li { a href=(format!("/championships/{}", number.0)) { (championship.plan.name) } }
        } }
        ul.choose { @for (number, competition) in shown {
            li { a href=(format!("/competitions/{}", number.0)) { (competition.plan.name) } }
        } }
        ul.choose { @for (number, knock_out) in knock_outs {
            li { a href=(format!("/knockouts/{}", number.0)) { (knock_out.plan.name) } }
        } }
        @if !none { ul.choose { li { a href="/competitions/honours" { (words.text("honours")) } } } }
    };
    notice.page(words.text("page_competitions"), &notice.club.name, &body)
}

/// A competition as it stands.
pub fn competition_page(notice: &Notice<'_>, view: &CompetitionView) -> String {
    let words = notice.words;
    let body = html! {
        (standing(words, view))
        (groups(words, view))
        @if !view.problems.is_empty() { ul { @for problem in &view.problems { li { (words.say(problem)) } } } }
        (sessions(words, view))
        h2 { (words.text("comp_rules")) }
        ul { @for sentence in &view.says { li { (words.say(sentence)) } } }
        @if notice.paper.is_none() { p.screen { a.back href="/competitions" { (words.text("page_competitions")) } } }
    };
    notice.page(&view.name, &notice.club.name, &body)
}

fn standing(words: &Words, view: &CompetitionView) -> Markup {
    let played: Vec<u32> = view
        .lines
        .first()
        .map(|line| line.cells.iter().map(|cell| cell.session).collect())
        .unwrap_or_default();
    if view.lines.is_empty() {
        return html! { p { (words.text("comp_nobody_yet")) } };
    }
    let columns = if played.len() > COLUMNS_MAX {
        &[]
    } else {
        played.as_slice()
    };
    let total = words.text(if view.is_mean() {
        "comp_mean"
    } else {
        "comp_total"
    });
    html! {
        div.wide tabindex="0" role="group" aria-label=(view.name) { table {
            thead { tr {
                th { (words.text("place")) } th { (words.text("names")) }
                @for number in 1..=columns.len() { th.number { (number) } }
                th.number { (words.text("comp_played")) } th.number { (total) }
                @if view.rules.handicap { th.number { (words.text("comp_raw")) } }
            } }
            tbody { @for line in &view.lines { (row(words, view, line, columns.len())) } }
        } }
        p.quiet { (words.text("comp_legend")) }
    }
}

fn row(words: &Words, view: &CompetitionView, line: &CompetitionLine, columns: usize) -> Markup {
    let place = if line.place.is_empty() {
        "–"
    } else {
        &line.place
    };
    html! { tr {
        td { (place) }
        td {
            (line.names)
            @if let Some(why) = &line.why { " " span.quiet { "(" (words.say(why)) ")" } }
            @if let Some(what) = &line.decided_by { " " span.quiet { "(" (words.say(what)) ")" } }
        }
        @for cell in line.cells.iter().take(columns) { td.number { (figure(words, cell)) } }
        td.number { (line.sessions) }
        td.number { strong { (words.decimal(line.total, 2)) } }
        @if view.rules.handicap { td.number { (words.decimal(line.raw_total, 2)) @if !line.raw_place.is_empty() { " (" (line.raw_place) ")" } } }
    } }
}

/// A session's figure: in brackets where it is not one of those that count, with a star where
/// somebody else played.
fn figure(words: &Words, cell: &CompetitionCell) -> Markup {
    let star = match cell.played {
        "substitute" | "by-others" => "*",
        "away" => "†",
        _ => "",
    };
    let figure = cell.counted.map(|it| words.decimal(it, 2));
    html! {
        @match figure {
            Some(figure) if cell.in_total => { (figure) (star) },
            Some(figure) => { "(" (figure) ")" (star) },
            None if matches!(cell.played, "unclear") => "?",
            None if matches!(cell.played, "unexcused") => "0*",
            None => "–",
        }
    }
}

fn groups(words: &Words, view: &CompetitionView) -> Markup {
    html! { @for group in view.groups.iter().filter(|it| !it.places.is_empty()) {
        section.board {
            h2 { (group.name) }
            table { tbody { @for place in &group.places {
                tr { td { (place.place) } td { (place.names) } td.number { (words.decimal(place.total, 2)) } }
            } } }
        }
    } }
}

fn sessions(words: &Words, view: &CompetitionView) -> Markup {
    let counted = view.sessions.iter().filter(|it| it.state == "counts");
    let others = view.sessions.iter().filter(|it| it.state != "counts");
    let name = |it: &crate::view::SessionLine| {
        let parts = [words.day(&it.date), it.event.clone(), it.title.clone()];
        let parts: Vec<String> = parts.into_iter().filter(|it| !it.is_empty()).collect();
        parts.join(" · ")
    };
    html! {
        h2 { (words.with("comp_sessions_of", &[("n", &counted.clone().count()), ("planned", &view.rules.sessions)])) }
        ol { @for session in counted { li { (name(session)) } } }
        @for session in others { p.quiet { (name(session)) ": " (words.text(match session.state {
            "no-figures" => "comp_state_no_figures",
            "being-played" => "comp_state_being_played",
            _ => "comp_state_to_come",
        })) } }
    }
}

/// A player's results over a period.
pub fn year_page(notice: &Notice<'_>, year: &YearView) -> String {
    let words = notice.words;
    let percent = |it: Option<f64>| it.map_or_else(String::new, |it| words.decimal(it, 2));
    let body = html! {
        p {
            (words.with("comp_year_says", &[("n", &year.lines.len()), ("mean", &percent(year.mean)), ("best", &percent(year.best)), ("points", &year.points)]))
        }
        (plot(words, year))
        div.wide tabindex="0" role="group" aria-label=(words.text("comp_year")) { table {
            thead { tr { th { (words.text("date")) } th { (words.text("comp_event")) } th { (words.text("comp_partner")) } th.number { (words.text("percent")) } th.number { (words.text("vps")) } th.number { (words.text("place")) } th.number { (words.text("comp_points")) } } }
            tbody { @for line in &year.lines { tr {
                td.together { (words.day(&line.date)) } td { (line.event) } td { (line.partner.as_deref().unwrap_or_default()) }
                td.number { (percent(line.percent)) } td.number { (percent(line.vp)) }
                td.number { @if let Some(place) = line.place { (place) " / " (line.of) } }
                td.number { @if line.points > 0 { (line.points) } }
            } } }
        } }
        @if !year.partners.is_empty() {
            h2 { (words.text("comp_partners")) }
            table { tbody { @for partner in &year.partners {
                tr { td { (partner.name) } td.number { (partner.sessions) } td.number { (percent(partner.mean)) } }
            } } }
        }
    };
    notice.page(&year.name, &notice.club.name, &body)
}

/// The percentages one after the other, with the mean as a line.
fn plot(words: &Words, year: &YearView) -> Markup {
    let percents: Vec<f64> = year.lines.iter().filter_map(|line| line.percent).collect();
    let (Some(mean), 2..) = (year.mean, percents.len()) else {
        return html! {};
    };
    let title = words.text("comp_year");
    let low = percents.iter().copied().fold(50.0, f64::min);
    let high = percents.iter().copied().fold(50.0, f64::max);
    let (low, high) = ((low / 10.0).floor() * 10.0, (high / 10.0).ceil() * 10.0);
    let high = if high > low { high } else { low + 10.0 };
    let mut svg = charts::frame(title);
    for ten in (0..=10_u8).map(|tens| f64::from(tens) * 10.0) {
        if (low..=high).contains(&ten) {
            charts::level(
                &mut svg,
                charts::height(ten, low, high),
                &format!("{ten:.0}%"),
            );
        }
    }
    let points: Vec<(f64, f64)> = percents
        .iter()
        .enumerate()
        .map(|(at, percent)| {
            (
                charts::along(at, percents.len()),
                charts::height(*percent, low, high),
            )
        })
        .collect();
    let line: Vec<String> = points
        .iter()
        .map(|(x, y)| format!("{x:.1},{y:.1}"))
        .collect();
    // Writing into a string can't fail.
    let _ = write!(
        svg,
        "<polyline fill='none' stroke='#14532d' stroke-width='2' points='{}'/>",
        line.join(" ")
    );
    for (x, y) in points {
        let _ = write!(
            svg,
            "<circle cx='{x:.1}' cy='{y:.1}' r='4' fill='#14532d'/>"
        );
    }
    let y = charts::height(mean, low, high);
    let _ = write!(
        svg,
        "<line x1='40' x2='680' y1='{y:.1}' y2='{y:.1}' stroke='#b3130b' stroke-width='2' stroke-dasharray='8 4'/>"
    );
    svg.push_str("</svg>");
    html! {
        h2 { (title) }
        (charts::to_scroll(title, svg))
        p.quiet { (words.with("comp_plot_key", &[("mean", &words.decimal(mean, 2))])) }
    }
}
