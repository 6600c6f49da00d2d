//! Matches on paper: the cross-table, every match board by board, and blank slips to fill in.

use maud::{Markup, html};

use super::Words;
use super::page::Sheet;
use crate::view::{ContestView, CrossLine, MatchSheetView, MatchView, RoundView};

/// What everybody got against everybody, round by round.
pub(super) fn cross_table(sheet: &Sheet<'_>) -> Markup {
    html! { (sheet.not_final()) (cross_table_of(sheet, &ContestView::all(sheet.state))) }
}

pub(super) fn cross_table_of(sheet: &Sheet<'_>, contests: &[ContestView]) -> Markup {
    let words = sheet.words;
    html! {
        @for contest in contests {
            @let rounds = 1..=last_round(contest);
            section.board {
                h2 { (contest.section) " " (contest.name) }
                table {
                    thead { tr {
                        th.number { (words.text("number")) } th { (words.text("names")) }
                        @for round in rounds.clone() { th.number { (words.text("round")) " " (round) } }
                    } }
                    tbody {
                        @for line in &contest.cross_table {
                            tr {
                                td.number { (line.contestant) } td { (line.name) }
                                @for round in rounds.clone() { td.number { (cells(sheet, line, round)) } }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn last_round(contest: &ContestView) -> u8 {
    let cells = contest.cross_table.iter().flat_map(|line| &line.against);
    cells.map(|cell| cell.round).max().unwrap_or(0)
}

fn cells(sheet: &Sheet<'_>, line: &CrossLine, round: u8) -> Markup {
    let words = sheet.words;
    let own = line.against.iter().filter(|cell| cell.round == round);
    html! {
        @for (at, cell) in own.enumerate() {
            @if at > 0 { br; }
            @match cell.opponent { Some(opponent) => { (opponent) }, None => { (words.text("bye")) } }
            ": " (words.two(cell.vp))
        }
    }
}

/// Every match of the latest round in which something is in, board by board.
pub(super) fn match_sheets(sheet: &Sheet<'_>) -> Markup {
    html! {
        (sheet.not_final())
        (each_match(sheet, |contest| &contest.rounds, one_match))
    }
}

/// The matches of complete rounds, for people who still play.
pub(super) fn in_public(sheet: &Sheet<'_>, contests: &[ContestView]) -> Markup {
    let complete = |own: &RoundView| own.matches.iter().all(|it| it.home.vp.is_some());
    let shown = |drawn: &Drawn<'_>| html! { @if complete(drawn.round) { (one_match(drawn)) } };
    of_contests(sheet, contests, |contest| &contest.rounds, shown)
}

/// What the sheet of a match is made from.
struct Drawn<'a> {
    words: &'static Words,
    contest: &'a ContestView,
    round: &'a RoundView,
    found: MatchSheetView,
}

impl Drawn<'_> {
    fn of_teams(&self) -> bool {
        self.contest.contestants_are == "teams"
    }

    /// Of the event, which may have begun on another night.
    fn round(&self) -> String {
        (self.round.round + self.contest.rounds_before).to_string()
    }
}

/// Every match of some rounds of every event, drawn one after the other.
fn each_match(
    sheet: &Sheet<'_>,
    rounds: impl Fn(&ContestView) -> &[RoundView],
    draw: impl Fn(&Drawn<'_>) -> Markup,
) -> Markup {
    of_contests(sheet, &ContestView::all(sheet.state), rounds, draw)
}

fn of_contests(
    sheet: &Sheet<'_>,
    contests: &[ContestView],
    rounds: impl Fn(&ContestView) -> &[RoundView],
    draw: impl Fn(&Drawn<'_>) -> Markup,
) -> Markup {
    html! {
        @for letter in sheet.session.contests.keys() {
            @for contest in contests.iter().filter(|it| it.section == letter.to_string()) {
                @for round in rounds(contest) {
                    @for own in &round.matches {
                        @if let Some(found) = ContestView::sheet(sheet.state, *letter, round.round, own.number) {
                            (draw(&Drawn { words: sheet.words, contest, round, found }))
                        }
                    }
                }
            }
        }
    }
}

fn one_match(drawn: &Drawn<'_>) -> Markup {
    let (words, found, teams) = (drawn.words, &drawn.found, drawn.of_teams());
    let places = places(found);
    let points =
        |value: Option<f64>| value.map_or_else(String::new, |it| words.decimal(it, places));
    let datum = |it: f64| words.decimal(it, if it.fract() == 0.0 { 0 } else { 2 });
    html! {
        section.board {
            h2 { (words.text("round")) " " (drawn.round()) ": " (title(words, &found.matching)) }
            table {
                thead { tr {
                    th.number { (words.text("board")) }
                    th { (words.text(if teams { "room_open" } else { "contract" })) }
                    th.number { (words.text("score")) }
                    @if teams { th { (words.text("room_closed")) } th.number { (words.text("score")) } }
                    @else { th.number { (words.text("datum")) } }
                    th.number { (words.text("home")) } th.number { (words.text("away")) }
                } }
                tbody {
                    @for line in &found.lines {
                        tr {
                            td.number { (line.board) }
                            td { (words.say(&line.open_result)) } td.number { (score(line.open)) }
                            @if teams { td { (words.say(&line.closed_result)) } td.number { (score(line.closed)) } }
                            @else { td.number { (line.datum.map_or_else(String::new, datum)) } }
                            td.number { (points(line.home)) } td.number { (points(line.away)) }
                        }
                    }
                }
            }
            p {
                strong { (found.matching.home.contestant) ": " (words.two(found.matching.home.vp)) " " (words.text("vps")) }
                ", "
                strong { (found.matching.away.contestant) ": " (words.two(found.matching.away.vp)) " " (words.text("vps")) }
            }
            @for remark in found.matching.earlier.iter() { p { (words.say(remark)) } }
        }
    }
}

/// IMPs are whole unless an average or the whole field says otherwise.
fn places(found: &MatchSheetView) -> usize {
    let mut points = found
        .lines
        .iter()
        .flat_map(|line| [line.home, line.away])
        .flatten();
    if points.all(|it| it.fract() == 0.0) {
        0
    } else {
        2
    }
}

/// Names have dashes of their own.
fn title(words: &Words, own: &MatchView) -> Markup {
    html! {
        (own.home.contestant) " " (own.home.name)
        " " span.quiet { (words.text("against")) } " "
        (own.away.contestant) " " (own.away.name)
    }
}

fn score(score: Option<i16>) -> String {
    score.map_or_else(String::new, |score| format!("{score:+}"))
}

/// A blank slip for every match of the latest round: both tables of a teams match on one, and room
/// for both signatures.
pub(super) fn slips(sheet: &Sheet<'_>) -> Markup {
    each_match(
        sheet,
        |contest| contest.rounds.last().map_or(&[], std::slice::from_ref),
        blank,
    )
}

fn blank(drawn: &Drawn<'_>) -> Markup {
    let (words, found, teams) = (drawn.words, &drawn.found, drawn.of_teams());
    let tables: Vec<String> = found.matching.tables.iter().map(u16::to_string).collect();
    html! {
        section.board {
            h2 { (words.text("round")) " " (drawn.round()) ", " (words.text("table")) " " (tables.join(", ")) }
            p { (words.text("home")) ": " (found.matching.home.contestant) " " (found.matching.home.name)
                " – " (words.text("away")) ": " (found.matching.away.contestant) " " (found.matching.away.name) }
            table {
                thead { tr {
                    th.number { (words.text("board")) }
                    th { (words.text(if teams { "room_open" } else { "contract" })) }
                    @if teams { th { (words.text("room_closed")) } }
                    th.number { (words.text("slip_carried")) } th.number { (words.text("slip_against")) }
                } }
                tbody {
                    @for line in &found.lines {
                        tr { td.number { (line.board) } td { "\u{a0}" } @if teams { td { } } td { } td { } }
                    }
                    tr { td { (words.text("slip_total")) } td { } @if teams { td { } } td { } td { } }
                }
            }
            p { (words.text("vps")) ": ________ – ________" }
            p { (words.text("slip_captain")) " (" (words.text("home")) "): ____________________  "
                (words.text("slip_captain")) " (" (words.text("away")) "): ____________________" }
        }
    }
}
