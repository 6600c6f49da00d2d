//! A certificate for the winners of the night, to be framed or to be laughed about.

use maud::{Markup, html};

use super::page::Sheet;
use crate::view::{AnnouncedLine, AnnouncedList, CountedIn, RankingView};

/// A leaf for the winners of each list, all of them where they tie.
pub(super) fn winners(sheet: &Sheet<'_>) -> Markup {
    let ranking = RankingView::scored(&sheet.state.club, sheet.session, &sheet.scores);
    let lists = ranking.announced.iter();
    let winners: Vec<_> = lists
        .flat_map(|list| list.lines.iter().map(move |line| (list, line)))
        .filter(|(_, line)| line.is_first())
        .collect();
    html! {
        (sheet.not_final())
        @if winners.is_empty() { p { (sheet.words.text("certificate_not_yet")) } }
        @for (list, line) in &winners { section.sheet.certificate { (certificate(sheet, list, line)) } }
    }
}

fn certificate(sheet: &Sheet<'_>, list: &AnnouncedList, line: &AnnouncedLine) -> Markup {
    let words = sheet.words;
    let worth = words.decimal(line.worth, list.decimals.into());
    let points = match list.counted_in {
        CountedIn::Percent => format!("{worth}%"),
        CountedIn::Imps => format!("{worth} {}", words.text("imps")),
        CountedIn::Vps => format!("{worth} {}", words.text("vps")),
    };
    let names = line
        .pair
        .map_or_else(|| words.say(&line.names), |pair| sheet.names(pair));
    html! {
        h2.great { (words.text("certificate_title")) }
        p { (sheet.state.club.name) }
        h2 { (names) }
        @if !line.players.is_empty() { p { (line.players.join(", ")) } }
        p { strong { (words.text("certificate_first")) } " · " (words.say(&list.title)) }
        p { (words.with("certificate_with", &[("points", &points)])) }
        p { (sheet.whose()) }
        p.sign { (words.text("certificate_director")) ": ______________________" }
    }
}
