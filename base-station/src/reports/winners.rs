//! A certificate for the winners of the night, to be framed or to be laughed about.

use maud::{Markup, html};

use super::page::Sheet;
use crate::view::{ListView, RankingLineView, RankingStanding, RankingView};

/// A leaf for the winners of each list, all of them where they tie.
pub(super) fn winners(sheet: &Sheet<'_>) -> Markup {
    let ranking = RankingView::scored(&sheet.state.club, sheet.session, &sheet.scores);
    let best = |list: &ListView| -> Vec<RankingLineView> {
        let first = |line: &&RankingLineView| {
            line.standing == RankingStanding::Ranked && line.place.trim_end_matches('=') == "1"
        };
        list.lines.iter().filter(first).cloned().collect()
    };
    let winners: Vec<_> = ranking
        .lists
        .iter()
        .flat_map(|list| best(list).into_iter().map(move |line| (list, line)))
        .collect();
    html! {
        (sheet.not_final())
        @if winners.is_empty() { p { (sheet.words.text("certificate_not_yet")) } }
        @for (list, line) in &winners { section.sheet.certificate { (certificate(sheet, list, line)) } }
    }
}

fn certificate(sheet: &Sheet<'_>, list: &ListView, line: &RankingLineView) -> Markup {
    let words = sheet.words;
    let points = line.percent.map_or_else(
        || format!("{} {}", sheet.points(Some(line.points)), words.text("imps")),
        |percent| format!("{}%", words.decimal(percent, 2)),
    );
    html! {
        h2.great { (words.text("certificate_title")) }
        p { (sheet.state.club.name) }
        h2 { (sheet.names(line.pair)) }
        p { strong { (words.text("certificate_first")) } " · " (words.say(&list.title)) }
        p { (words.with("certificate_with", &[("points", &points)])) }
        p { (sheet.whose()) }
        p.sign { (words.text("certificate_director")) ": ______________________" }
    }
}
