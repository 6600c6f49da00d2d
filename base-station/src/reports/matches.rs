//! The draw and the standing of matches, to be pinned up.

use maud::{Markup, html};

use super::page::Sheet;
use crate::view::{ContestView, PlaceView, RoundView};

/// The standing of every section that plays matches.
pub(super) fn standing(sheet: &Sheet<'_>) -> Markup {
    html! { (sheet.not_final()) (standing_of(sheet, &ContestView::all(sheet.state))) }
}

/// What players see while matches are played: where to go, and what complete rounds came to.
pub(super) fn in_public(sheet: &Sheet<'_>) -> Markup {
    let contests = ContestView::in_public(sheet.state);
    html! {
        p { (sheet.words.text("public_matches")) }
        (draw_of(sheet, &contests))
        (standing_of(sheet, &contests))
        (super::match_paper::cross_table_of(sheet, &contests))
        (super::match_paper::in_public(sheet, &contests))
    }
}

fn standing_of(sheet: &Sheet<'_>, contests: &[ContestView]) -> Markup {
    let words = sheet.words;
    html! {
        @for contest in contests {
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
                                td { (line.place) } td { (line.contestant) } td { (line.name) (reason(sheet, line)) }
                                td.number { strong { (words.two(Some(line.vp))) } } td.number.spare { (line.matches) }
                                td.number.spare { @if line.penalties > 0.0 { (words.two(Some(line.penalties))) } }
                                @for tie in &line.ties { td.number.spare { (tie.value) } }
                            }
                        }
                    }
                }
                @if !contest.players.is_empty() { (players(sheet, contest)) }
            }
        }
    }
}

/// What separates a place from the one before, where victory points don't.
fn reason(sheet: &Sheet<'_>, line: &PlaceView) -> Markup {
    let words = sheet.words;
    html! {
        @if let Some(by) = &line.decided_by {
            " " span.quiet { (words.with("decided_by", &[("what", &words.say(by))])) }
        }
    }
}

/// The players of a teams event by what they won against the field.
fn players(sheet: &Sheet<'_>, contest: &ContestView) -> Markup {
    let words = sheet.words;
    html! {
        h3 { (words.text("players_ranking")) }
        table {
            thead { tr {
                th.number { (words.text("place")) } th { (words.text("names")) } th.number { (words.text("team")) }
                th.number { (words.text("boards")) } th.number { (words.text("imps_a_board")) }
            } }
            tbody {
                @for (line, place) in contest.players.iter().zip(1..) {
                    tr {
                        td.number { (place) } td { (line.name) } td.number { (line.team) }
                        td.number { (line.boards) } td.number { (words.two(Some(line.imps_a_board))) }
                    }
                }
            }
        }
    }
}

/// The latest draw of every section that plays matches: by table, and by contestant.
pub(super) fn draw(sheet: &Sheet<'_>) -> Markup {
    draw_of(sheet, &ContestView::all(sheet.state))
}

fn draw_of(sheet: &Sheet<'_>, contests: &[ContestView]) -> Markup {
    let words = sheet.words;
    html! {
        @for contest in contests {
            @if let Some(round) = contest.rounds.last() {
                section.board {
                    h2 { (contest.section) " " (contest.name) ": " (words.text("round")) " " (round.round + contest.rounds_before) }
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
                        td { (own.home.contestant) " " (own.home.name) }
                        td { (own.away.contestant) " " (own.away.name) }
                    }
                }
                @for half in &round.halves {
                    tr {
                        td.number { (half.table) }
                        td { (half.ns) " " (half.ns_name) " (" (words.text("boards")) " " (half.boards) ")" }
                        td { (half.ew) " " (half.ew_name) }
                    }
                }
                @if let Some(bye) = &round.bye {
                    tr { td.number { "–" } td { (bye.contestant) " " (bye.name) } td { (words.text("bye")) } }
                }
            }
        }
    }
}

fn by_contestant(sheet: &Sheet<'_>, round: &RoundView) -> Markup {
    let words = sheet.words;
    let of_matches = round.matches.iter().flat_map(|own| {
        let at = tables(&own.tables);
        let (home, away) = (own.home.contestant, own.away.contestant);
        [(home, at.clone(), away), (away, at, home)]
    });
    let of_halves = round.halves.iter().flat_map(|half| {
        let at = half.table.to_string();
        [(half.ns, at.clone(), half.ew), (half.ew, at, half.ns)]
    });
    let mut lines: Vec<(u16, String, u16)> = of_matches.chain(of_halves).collect();
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
