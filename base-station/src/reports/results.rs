//! The page for players' phones, and everything on one page to keep.

use maud::{Markup, html};

use super::page::Sheet;
use super::sheets::{scorecard, travellers};
use super::{Language, SheetKind, charts, hands, match_paper, matches, ranking, scorecards};
use crate::session::{PairId, Phase};
use telling::tell;

impl Sheet<'_> {
    /// What players see after the release: the ranking, and a way to their own score card.
    pub fn public_page(&self) -> String {
        let words = self.words;
        let body = html! {
            (self.other_languages("/results"))
            @if !self.session.contests.is_empty() {
                (matches::standing(self))
                details { summary { (words.text("print_crosstable")) } (match_paper::cross_table(self)) }
                details { summary { (words.text("print_matchsheets")) } (match_paper::match_sheets(self)) }
            }
            (ranking(self))
            (self.own_cards())
            h2 { (words.text("travellers")) }
            details { summary { (words.text("public_all_boards")) } (travellers(self)) }
            details { summary { (words.text("public_all_hands")) } (hands(self)) }
            details { summary { (words.text("public_all_charts")) } (charts(self)) }
        };
        self.page("public_title", &body)
    }

    /// What players of matches see before the release.
    pub fn live_page(&self) -> String {
        let body = html! { (self.other_languages("/results")) (matches::in_public(self)) };
        self.page("public_title", &body)
    }

    /// What players see before the release: that the result will come, and what they may read now.
    pub fn early_page(&self, sheets: &[&SheetKind]) -> String {
        let words = self.words;
        let language = words.language.code();
        let not_yet = words.say(&tell!(Asked::DirectorNotReleasedResultYet));
        let body = html! {
            (self.other_languages("/results"))
            p { (not_yet) }
            ul.choose { @for kind in sheets {
                li { a href={ "/results/sheets/" (kind.name) "?language=" (language) } { (words.text(kind.title)) } }
            } }
            p { a.back href="" { (words.text("look_again")) } }
        };
        self.page("public_title", &body)
    }

    /// The same page for somebody who reads another language than the browser says.
    fn other_languages(&self, page: &str) -> Markup {
        let others = Language::ALL.into_iter();
        let others = others.filter(|language| *language != self.words.language);
        html! { nav.screen.languages { @for language in others {
            a lang=(language.code()) hreflang=(language.code()) href={ (page) "?language=" (language.code()) } { (language.own_name()) }
        } } }
    }

    fn own_cards(&self) -> Markup {
        let language = self.words.language.code();
        html! {
            h2 { (self.words.text("public_own_card")) }
            ul.choose { @for pair in self.session.pairs() {
                li { a href={ "/results/pairs/" (pair) "?language=" (language) } { strong { (self.number(pair)) } " " (self.names(pair)) } }
            } }
        }
    }

    /// One pair's score card for its phone.
    pub fn public_scorecard(&self, pair: PairId) -> String {
        let body = html! {
            (scorecard(self, pair))
            (self.way_back())
        };
        self.page("sheet_scorecard", &body)
    }

    /// From a single sheet to the page with everything.
    pub fn way_back(&self) -> Markup {
        let language = self.words.language.code();
        html! { p.screen { a.back href={ "/results?language=" (language) } { (self.words.text(if self.session.phase == Phase::Released { "public_back" } else { "public_title" })) } } }
    }

    /// Ranking, score cards, travellers, charts and hands as one page that needs nothing else.
    pub fn whole_page(&self) -> String {
        let words = self.words;
        let body = html! {
            (ranking(self))
            h2 { (words.text("print_charts")) } (charts(self))
            h2 { (words.text("print_travellers")) } (travellers(self))
            h2 { (words.text("print_scorecards")) } (scorecards(self))
            h2 { (words.text("print_hands")) } (hands(self))
        };
        self.page("sheet_everything", &body)
    }
}
