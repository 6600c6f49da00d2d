//! Table cards: what lies on each table so that nobody has to ask.

use maud::{Markup, html};
use protocol::message::NextPlace;
use protocol::words::{PairNumber, SectionLetter, TableNumber};

use crate::session::{Section, Session, TableId};

/// A card for every table of a section, one to a page.
pub fn table_cards(session: &Session, letter: SectionLetter, section: &Section) -> Markup {
    html! { @for table in section.tables() { section.sheet { (card(session, TableId { section: letter, table }, section)) } } }
}

fn card(session: &Session, id: TableId, section: &Section) -> Markup {
    html! {
        h2 { "Table " (id) " · " (section.movement) }
        table {
            thead { tr { th { "Round" } th { "NS" } th { "EW" } th { "Boards" } th { "NS go to" } th { "EW go to" } th { "Boards go to" } } }
            tbody { @for sitting in section.sheets(id.table) {
                @let sheet = session.round_sheet(id, sitting);
                tr {
                    td { (sitting.round) } td { (pair(sheet.ns)) } td { (pair(sheet.ew)) }
                    td { @if let (Some(first), Some(last)) = (sitting.boards.lowest(), sitting.boards.highest()) { (first) "–" (last) } @else { "–" } }
                    td { (goes(sheet.ns_next)) } td { (goes(sheet.ew_next)) } td { @if sitting.round == section.last_round() { "finished" } @else { (boards_go(sheet.boards_to)) } }
                }
            } }
        }
    }
}

fn pair(pair: Option<PairNumber>) -> String {
    pair.map_or_else(|| "–".to_owned(), |pair| pair.to_string())
}

fn goes(next: NextPlace) -> String {
    match next {
        NextPlace::Stay => "stay".to_owned(),
        NextPlace::Go(table, side) => format!("table {table} {side}"),
        NextPlace::SitOut => "sit out".to_owned(),
        NextPlace::Finished => "finished".to_owned(),
    }
}

fn boards_go(table: Option<TableNumber>) -> String {
    table.map_or_else(|| "bye-stand".to_owned(), |table| format!("table {table}"))
}
