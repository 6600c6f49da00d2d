//! After damage: what was saved, from where, and what is still missing, board by board.

use maud::{Markup, html};

use super::{Sheet, Words};
use crate::session::{Cell, Club, Event, Record, Salvage, Session, State, TableId};

/// The one page about a rescue, as it stands now that pads answer.
pub(super) fn rescued(sheet: &Sheet<'_>) -> Markup {
    rescue_of(sheet.state, sheet.words)
}

/// The same for a club that has not chosen a session: there are no boards to miss.
pub fn rescue_of(state: &State, words: &Words) -> Markup {
    let club = &state.club;
    let is_rescue =
        |record: &&std::sync::Arc<Record>| matches!(record.event, Event::JournalRescued { .. });
    let Some(rescue) = club.records.iter().rev().find(is_rescue) else {
        return html! { p { (words.text("rescue_never")) } };
    };
    let Event::JournalRescued(Salvage {
        saved,
        sources,
        lost,
        strange,
        doubtful,
        damaged,
    }) = &rescue.event
    else {
        return html! {};
    };
    let moment = words.moment(rescue.at, club.minutes_east);
    html! {
        p { (words.with("rescue_saved", &[("saved", saved), ("moment", &moment)])) }
        table {
            thead { tr { th { (words.text("rescue_file")) } th { (words.text("rescue_records")) } } }
            tbody { @for (file, records) in sources { tr { td { (file) } td { (records) } } } }
        }
        @if lost.is_empty() {
            p { (words.text("rescue_nothing_lost")) }
        } @else {
            p { (words.with("rescue_lost", &[("places", lost)])) }
        }
        @if let Some(strange) = strange {
            p { (words.with("rescue_strange", &[("strange", strange)])) }
        }
        @if !doubtful.is_empty() {
            p { (words.with("rescue_doubtful", &[("places", doubtful)])) }
        }
        @if !damaged.is_empty() {
            p { (words.with("rescue_kept", &[("files", &damaged.join(", "))])) }
        }
        // Whether there ever was one is not known where records are missing.
        @if club.password.is_none() && !(lost.is_empty() && doubtful.is_empty()) {
            p { (words.text("rescue_no_password")) }
        }
        @if let Some(session) = &state.session { (still_missing(club, session, words)) }
    }
}

/// Which pads have not answered yet, and which boards have no result.
fn still_missing(club: &Club, session: &Session, words: &Words) -> Markup {
    let waiting: Vec<String> = session
        .holders()
        .filter(|(_, pad)| !club.has_answered(*pad))
        .map(|(table, _)| table.to_string())
        .collect();
    let missing = missing(session);
    html! {
        @if waiting.is_empty() {
            p { (words.text("rescue_pads_answered")) }
        } @else {
            p { (words.with("rescue_pads_waiting", &[("tables", &waiting.join(", "))])) }
        }
        @if missing.is_empty() {
            p { (words.text("rescue_all_boards")) }
        } @else {
            p { (words.text("rescue_boards_missing")) }
            table {
                thead { tr { th { (words.text("table")) } th { (words.text("round")) } th { (words.text("boards")) } } }
                tbody { @for (table, round, boards) in missing {
                    tr { td { (table) } td { (round) } td { (boards) } }
                } }
            }
        }
    }
}

/// Boards without a result in the rounds that a table has begun: table, round, boards.
fn missing(session: &Session) -> Vec<(TableId, u8, String)> {
    let mut rows = Vec::new();
    for (letter, section) in &session.sections {
        for table in section.tables() {
            let table = TableId {
                section: *letter,
                table,
            };
            let at = session.table_round(table);
            for sitting in section.sheets(table.table) {
                if sitting.round > at {
                    break;
                }
                let boards: Vec<String> = session
                    .expected(table, sitting.round)
                    .into_iter()
                    .filter(|cell| !session.is_in(*cell))
                    .map(|cell: Cell| cell.board.get().to_string())
                    .collect();
                if !boards.is_empty() {
                    rows.push((table, sitting.round.get(), boards.join(", ")));
                }
            }
        }
    }
    rows
}
