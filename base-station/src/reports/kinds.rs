//! Every sheet by its name: for the printer, for PDF files and for the folder of pages.

use maud::{Markup, html};

use super::{
    Sheet, cards, charts, match_paper, matches, ranking, records, rescued, sheets, winners,
};
use crate::session::Session;

/// A sheet that a club pins up or hands out.
#[derive(Debug)]
pub struct SheetKind {
    /// As it is called in addresses.
    pub name: &'static str,
    /// The key of its title.
    pub title: &'static str,
    /// Around what is printed.
    pub margin_mm: u8,
    /// What is on it.
    pub body: fn(&Sheet<'_>) -> Markup,
}

const fn kind(
    name: &'static str,
    title: &'static str,
    body: fn(&Sheet<'_>) -> Markup,
) -> SheetKind {
    SheetKind {
        name,
        title,
        margin_mm: 14,
        body,
    }
}

/// All sheets.
pub static SHEETS: [SheetKind; 17] = [
    kind("ranking", "print_ranking", ranking::ranking),
    kind("standing", "print_standing", matches::standing),
    kind("draw", "print_draw", matches::draw),
    kind("crosstable", "print_crosstable", match_paper::cross_table),
    kind(
        "matchsheets",
        "print_matchsheets",
        match_paper::match_sheets,
    ),
    kind("slips", "print_slips", match_paper::slips),
    kind("travellers", "print_travellers", sheets::travellers),
    kind("frequencies", "print_frequencies", sheets::frequencies),
    kind("scorecards", "print_scorecards", sheets::scorecards),
    kind("route", "print_route", sheets::route),
    kind("names", "print_names", sheets::names),
    kind("hands", "print_hands", sheets::hands),
    SheetKind {
        margin_mm: 8,
        ..kind("records", "print_records", records::records)
    },
    kind("charts", "print_charts", charts::charts),
    kind("cards", "print_cards", all_cards),
    kind("rescue", "print_rescue", rescued::rescued),
    kind("winners", "print_winners", winners::winners),
];

/// What a club mails after the evening, in this order.
const RESULTS: [&str; 9] = [
    "ranking",
    "standing",
    "crosstable",
    "matchsheets",
    "scorecards",
    "travellers",
    "frequencies",
    "records",
    "charts",
];

impl SheetKind {
    /// The sheet of this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        SHEETS.iter().find(|kind| kind.name == name)
    }

    /// Everything that is known of this session's results.
    pub fn results(session: &Session) -> Vec<&'static Self> {
        let kinds = RESULTS.into_iter().filter(|name| match *name {
            "standing" | "crosstable" | "matchsheets" => !session.contests.is_empty(),
            "records" => !session.deals.is_empty(),
            _ => true,
        });
        kinds.filter_map(Self::named).collect()
    }

    /// The sheet as a page.
    pub fn page(&self, sheet: &Sheet<'_>) -> String {
        self.page_with(sheet, &(self.body)(sheet))
    }

    /// The same with something else on it.
    pub fn page_with(&self, sheet: &Sheet<'_>, body: &Markup) -> String {
        sheet.page_within(self.title, self.margin_mm, body)
    }
}

/// A card for every table of every section.
fn all_cards(sheet: &Sheet<'_>) -> Markup {
    html! { @for (letter, section) in &sheet.session.sections { (cards::table_cards(sheet, *letter, section)) } }
}
