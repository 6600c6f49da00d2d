//! The draw and the standing of matches, to be pinned up.

use maud::{Markup, html};

use super::page::Sheet;
use crate::view::{ContestView, RoundView};

/// The standing of every section that plays matches.
pub(super) fn standing(sheet: &Sheet<'_>) -> Markup {
    let words = sheet.words;
    let contests = ContestView::all(sheet.state);
    html! {
        (sheet.not_final())
        @for contest in &contests {
            section.board {
                h2 { (contest.section) " " (contest.name) }
                table.ranking {
                    thead { tr {
                        th { (words.text("place")) } th { (words.text("number")) } th { (words.text("names")) }
                        th.number { (words.text("vps")) } th.number.spare { (words.text("matches_played")) } th.number.spare { (words.text("penalties_vp")) }
                        @if let Some(first) = contest.standing.first() { @for tie in &first.ties { th.number.spare { (words.say(&tie.name)) } } }
                    } }
                    tbody {
                        @for line in &contest.standing {
                            tr {
                                td { (line.place) } td { (line.contestant) } td { (words.say(&line.name)) }
                                td.number { strong { (words.two(Some(line.vp))) } } td.number.spare { (line.matches) }
                                td.number.spare { @if line.penalties > 0.0 { (words.two(Some(line.penalties))) } }
                                @for tie in &line.ties { td.number.spare { (tie.value) } }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The latest draw of every section that plays matches: by table, and by contestant.
pub(super) fn draw(sheet: &Sheet<'_>) -> Markup {
    let words = sheet.words;
    html! {
        @for contest in &ContestView::all(sheet.state) {
            @if let Some(round) = contest.rounds.last() {
                section.board {
                    h2 { (contest.section) " " (contest.name) ": " (words.text("round")) " " (round.round) }
                    p { (words.text("boards")) " " (round.boards) }
                    (by_table(sheet, round))
                    (by_contestant(sheet, round))
                }
            }
        }
    }
}

fn by_table(sheet: &Sheet<'_>, round: &RoundView) -> Markup {
    let words = sheet.words;
    html! {
        table {
            thead { tr { th.number { (words.text("tables")) } th { (words.text("home")) } th { (words.text("away")) } } }
            tbody {
                @for own in &round.matches {
                    tr {
                        td.number { (tables(&own.tables)) }
                        td { (own.home.contestant) " " (words.say(&own.home.name)) }
                        td { (own.away.contestant) " " (words.say(&own.away.name)) }
                    }
                }
                @if let Some(bye) = &round.bye {
                    tr { td.number { "–" } td { (bye.contestant) " " (words.say(&bye.name)) } td { (words.text("bye")) } }
                }
            }
        }
    }
}

fn by_contestant(sheet: &Sheet<'_>, round: &RoundView) -> Markup {
    let words = sheet.words;
    let mut lines: Vec<(u16, String, u16)> = round
        .matches
        .iter()
        .flat_map(|own| {
            let at = tables(&own.tables);
            let (home, away) = (own.home.contestant, own.away.contestant);
            [(home, at.clone(), away), (away, at, home)]
        })
        .collect();
    lines.sort_unstable();
    html! {
        table {
            thead { tr { th.number { (words.text("number")) } th.number { (words.text("tables")) } th.number { (words.text("opponent")) } } }
            tbody { @for (own, at, other) in &lines { tr { td.number { (own) } td.number { (at) } td.number { (other) } } } }
        }
    }
}

fn tables(tables: &[u16]) -> String {
    let tables: Vec<String> = tables.iter().map(u16::to_string).collect();
    tables.join(", ")
}
