//! An event with stages, and the honours of a year: on the wall and on players' phones.

use std::collections::BTreeMap;

use maud::{Markup, PreEscaped, html};

use super::bracket::bracket_picture;
use super::{Notice, Words};
use crate::view::{ChampionshipView, HonoursView, KnockOutView, StageField, StageView};

/// An event with stages as it stands: the places, and each stage with its standing or its picture.
pub fn championship_page(
    notice: &Notice<'_>,
    view: &ChampionshipView,
    knock_outs: &BTreeMap<u32, KnockOutView>,
) -> String {
    let words = notice.words;
    let body = html! {
        @if view.places.iter().any(|it| !it.place.is_empty()) {
            h2 { (words.text("champ_places")) }
            table { tbody { @for place in view.places.iter().filter(|it| !it.place.is_empty()) {
                tr { td.number { (place.place) } td { (place.name) } td.quiet { (stage_name(view, place.stage)) } }
            } } }
        }
        @for stage in view.stages.iter().rev() { (of_stage(words, view, stage, knock_outs)) }
        @if notice.paper.is_none() { p.screen { a.back href="/competitions" { (words.text("page_competitions")) } } }
    };
    notice.page(&view.name, &notice.club.name, &body)
}

fn stage_name(view: &ChampionshipView, number: u8) -> &str {
    view.stage(number).map_or("", |it| it.name.as_str())
}

fn of_stage(
    words: &Words,
    view: &ChampionshipView,
    stage: &StageView,
    knock_outs: &BTreeMap<u32, KnockOutView>,
) -> Markup {
    let tag = format!("champ_is_{}", stage.state);
    let picture = stage.drawn.and_then(|it| knock_outs.get(&it));
    html! { section.board {
        h2 { (stage.number) ". " (stage.name) " " span.quiet { (words.text(&tag)) } }
        @if let Some(knock_out) = picture {
            div.wide.chart tabindex="0" role="group" aria-label=(knock_out.name) { (PreEscaped(bracket_picture(words, knock_out))) }
        }
        @if stage.state == "ready" && !stage.coming.is_empty() {
            p { (words.text("champ_coming")) ":" }
            ol { @for one in &stage.coming { li value=(one.number) { (one.name) } } }
        }
        @for field in stage.fields.iter().filter(|it| !it.lines.is_empty()) { (standing(words, view, field)) }
    } }
}

fn standing(words: &Words, view: &ChampionshipView, field: &StageField) -> Markup {
    let brought = field.lines.iter().any(|it| it.carry_over.abs() > 0.0);
    html! {
        @if field.session.is_none() && !field.name.is_empty() { h3 { (field.name) } }
        div.wide tabindex="0" role="group" aria-label=(words.text("standing")) { table {
        thead { tr {
            th.number { (words.text("place")) } th { (words.text("names")) } th.number { (words.text("vps")) }
            @if brought { th.number { (words.text("champ_brings")) } }
        } }
        tbody { @for line in &field.lines { tr {
            td.number { (line.place) }
            td {
                (line.name)
                @if let Some(later) = line.goes_to { " " span.quiet { "→ " (stage_name(view, later)) } }
            }
            td.number { strong { (words.decimal(line.vp, 2)) } }
            @if brought { td.number { (words.decimal(line.carry_over, 2)) } }
        } } }
    } } }
}

/// Who won what in a year.
pub fn honours_page(notice: &Notice<'_>, view: &HonoursView) -> String {
    let words = notice.words;
    let body = html! {
        @if view.events.is_empty() { p { (words.text("honours_none")) } }
        @for event in &view.events { section.board {
            h2 { (event.name) " " span.quiet { (words.day(&event.date)) } }
            table { tbody { @for place in &event.places {
                tr { td.number { (place.place) } td { (place.names) } }
            } } }
        } }
        @if notice.paper.is_none() { p.screen { a.back href="/competitions" { (words.text("page_competitions")) } } }
    };
    let title = words.with("honours_of", &[("year", &view.year)]);
    notice.page(&title, &notice.club.name, &body)
}
