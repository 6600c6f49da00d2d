//! Table cards: what lies on each table so that nobody has to ask.

use maud::{Markup, html};
use protocol::message::NextPlace;
use protocol::words::{PairNumber, SectionLetter, Side, TableNumber};
use qrcode::{Color, QrCode};

use super::{Sheet, Words};
use crate::session::{Section, TableId, movement_name};

/// A card for every table of a section, one to a page.
pub fn table_cards(sheet: &Sheet<'_>, letter: SectionLetter, section: &Section) -> Markup {
    html! { @for table in section.tables() { section.sheet { (sheet.again()) (card(sheet, TableId { section: letter, table }, section)) } } }
}

fn card(sheet: &Sheet<'_>, id: TableId, section: &Section) -> Markup {
    let words = sheet.words;
    let headings = [
        "round",
        "ns",
        "ew",
        "boards",
        "card_ns_go",
        "card_ew_go",
        "card_boards_go",
    ];
    let title = words.with("table_n", &[("table", &id)]);
    html! {
        h2.table-number { (title) }
        @if let Some(link) = sheet.codes.get(&id) {
            (code(link))
            p.quiet { (words.text("card_phone")) }
        }
        p.quiet { (words.say(&movement_name(&section.movement))) }
        div.wide tabindex="0" role="group" aria-label=(title) { table.card {
            thead { tr { @for heading in headings { th { (words.text(heading)) } } } }
            tbody { @for sitting in section.sheets(id.table) {
                @let round = sheet.session.round_sheet(id, sitting);
                tr {
                    td { strong { (sitting.round) } } td { (pair(round.ns)) } td { (pair(round.ew)) }
                    td { span.together { @if let (Some(first), Some(last)) = (sitting.boards.lowest(), sitting.boards.highest()) { (first) "–" (last) } @else { "–" } } }
                    td { (goes(words, round.ns_next)) } td { (goes(words, round.ew_next)) } td { @if sitting.round == section.last_round() { (words.text("card_finished")) } @else { (boards_go(words, round.boards_to)) } }
                }
            } }
        } }
    }
}

/// Wide enough for a phone at arm's length.
const MODULE: usize = 4;

/// A QR code in the shapes that sheets on paper know: a line for each run of dark modules.
fn code(link: &str) -> Markup {
    let Ok(code) = QrCode::new(link) else {
        return html! {};
    };
    // Scanners want four modules of white around it.
    let side = (code.width() + 8) * MODULE;
    let colours = code.to_colors();
    let rows = colours.chunks(code.width().max(1)).enumerate();
    let runs = rows.flat_map(|(row, modules)| {
        let mut runs: Vec<(usize, usize, usize)> = Vec::new();
        for (column, module) in modules.iter().enumerate() {
            match runs.last_mut() {
                _ if *module == Color::Light => {}
                Some((_, _, end)) if *end == column => *end = column + 1,
                _ => runs.push((row, column, column + 1)),
            }
        }
        runs
    });
    let at = |module: usize| (module + 4) * MODULE;
    html! {
        svg.code width=(side) height=(side) viewBox={ "0 0 " (side) " " (side) } role="img" aria-label=(link.split('#').next().unwrap_or_default()) {
            @for (row, from, to) in runs {
                line x1=(at(from)) y1=(at(row) + MODULE / 2) x2=(at(to)) y2=(at(row) + MODULE / 2) stroke="#000000" stroke-width=(MODULE) {}
            }
        }
    }
}

fn pair(pair: Option<PairNumber>) -> String {
    pair.map_or_else(|| "–".to_owned(), |pair| pair.to_string())
}

fn goes(words: &Words, next: NextPlace) -> String {
    match next {
        NextPlace::Stay => words.text("card_stay").to_owned(),
        NextPlace::Go(table, side) => {
            let side = words.text(match side {
                Side::NorthSouth => "ns",
                Side::EastWest => "ew",
            });
            words.with("card_go", &[("table", &table), ("side", &side)])
        }
        NextPlace::SitOut => words.text("card_sit_out").to_owned(),
        NextPlace::Finished => words.text("card_finished").to_owned(),
    }
}

fn boards_go(words: &Words, table: Option<TableNumber>) -> String {
    table.map_or_else(
        || words.text("card_bye_stand").to_owned(),
        |table| words.with("table_n", &[("table", &table)]),
    )
}
