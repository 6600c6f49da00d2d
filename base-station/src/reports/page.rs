//! The paper: size, head and style that all sheets share.

use std::collections::BTreeMap;
use std::sync::Arc;

use maud::{DOCTYPE, Markup, PreEscaped, html};
use protocol::words::{RoundNumber, Side, Vulnerability};

use super::{Language, Words};
use telling::Told;

use crate::session::plan::Method;
use crate::session::{LargeField, Moment, PairId, Phase, Scores, Session, State, TableId};
use crate::view::{decimals, pair_names};

/// The paper in the club's printer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Paper {
    /// Most of the world.
    #[default]
    A4,
    /// North America.
    Letter,
}

impl Paper {
    /// As style sheets and addresses call it.
    pub const fn size(self) -> &'static str {
        match self {
            Self::A4 => "a4",
            Self::Letter => "letter",
        }
    }

    /// Width and height in points, 72 to the inch.
    pub(super) const fn points(self) -> (f32, f32) {
        match self {
            Self::A4 => (595.28, 841.89),
            Self::Letter => (612.0, 792.0),
        }
    }
}

/// Which numbers stand on lists of results, as the director has chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbers {
    /// Pairs' own.
    pub pairs: bool,
    /// Players' of the club or the federation, beside their names.
    pub players: bool,
}

impl Default for Numbers {
    fn default() -> Self {
        Self {
            pairs: true,
            players: false,
        }
    }
}

/// What every sheet is made from.
#[derive(Clone, Debug)]
pub struct Sheet<'a> {
    /// The club.
    pub state: &'a State,
    /// The session.
    pub session: &'a Session,
    /// What its results are worth: worked out once for everything on the sheet.
    pub scores: Scores,
    /// The language.
    pub words: &'static Words,
    /// The paper.
    pub paper: Paper,
    /// When it is printed.
    pub printed: Moment,
    /// What a phone opens to be the pad of a table, where the cards show that.
    pub codes: BTreeMap<TableId, String>,
    /// Which numbers stand on lists of results.
    pub numbers: Numbers,
    /// How the session stands in a larger field, while its centre answers.
    pub field: Option<Arc<LargeField>>,
    /// Shown by the base station itself: in its own type, with a button that prints.
    pub on_site: bool,
}

const STYLE: &str = include_str!("sheet.css");

impl<'a> Sheet<'a> {
    /// For a printer or a file: on the usual paper, written at no particular time, without codes.
    pub fn on_paper(state: &'a State, session: &'a Session, language: Language) -> Self {
        Self {
            state,
            session,
            scores: session.scores(),
            words: Words::of(language),
            paper: Paper::default(),
            printed: Moment::default(),
            codes: BTreeMap::new(),
            numbers: Numbers::default(),
            field: None,
            on_site: false,
        }
    }
}

impl Sheet<'_> {
    /// A whole page with the session's head. `title` is the key of its text.
    pub fn page(&self, title: &str, body: &Markup) -> String {
        self.page_within(title, 14, body)
    }

    /// The same with so much paper left free around it.
    pub(super) fn page_within(&self, title: &str, margin_mm: u8, body: &Markup) -> String {
        let size = self.paper.size();
        let size = format!("@page {{ size: {size}; margin: {margin_mm}mm; }}\n");
        let full_title = format!("{} · {}", self.words.text(title), self.event());
        plain_page(
            self.words,
            &full_title,
            &html! {
                style { (PreEscaped(size)) }
                @if self.on_site {
                    link rel="stylesheet" href="/assets/css/sheet.css";
                    script type="module" src="/assets/js/sheet.js" {}
                }
            },
            &html! {
                @if self.on_site { div.screen.tools { button type="button" data-print="" { (self.words.text("print_now")) } } }
                header { (self.head(title)) }
                main { (body) }
                footer { p { (self.foot()) } }
            },
        )
    }

    /// The event's name.
    pub(super) fn event(&self) -> &str {
        let name = self.state.club.event_name(self.session.id);
        name.unwrap_or_default()
    }

    /// What is above every sheet.
    pub(super) fn head(&self, title: &str) -> Markup {
        let words = self.words;
        let scheduled = self.state.club.sessions.get(&self.session.id);
        html! {
            h1 { (self.event()) }
            p {
                strong { (words.text(title)) }
                @if let Some(scheduled) = scheduled {
                    " · " (words.day(&scheduled.date))
                    @if !scheduled.title.is_empty() { " · " (scheduled.title) }
                }
            }
        }
    }

    /// What is below it.
    pub(super) fn foot(&self) -> String {
        let printed = self
            .words
            .moment(self.printed, self.state.club.minutes_east);
        self.words.with("sheet_foot", &[("moment", &printed)])
    }

    /// Event and day, for every further leaf of paper.
    pub(super) fn whose(&self) -> String {
        let scheduled = self.state.club.sessions.get(&self.session.id);
        let day = scheduled.map(|scheduled| format!(" · {}", self.words.day(&scheduled.date)));
        format!("{}{}", self.event(), day.unwrap_or_default())
    }

    /// The session's name on every further leaf of paper: cards are cut apart and handed out.
    pub(super) fn again(&self) -> Markup {
        html! { p.again { (self.whose()) } }
    }

    /// A word for whoever takes a result of the second round for the final one.
    pub(super) fn not_final(&self) -> Markup {
        html! { @if self.session.phase != Phase::Released { p.not-final { (self.words.text("sheet_not_final")) } } }
    }

    /// A pair's number as the room calls it: `NS 7`.
    pub(super) fn number(&self, pair: PairId) -> String {
        self.words.pair(self.session.number_of(pair))
    }

    /// The same under the heading of a side; a dash for nobody.
    pub(super) fn number_beside(&self, side: Side, pair: Option<PairId>) -> String {
        pair.map_or_else(
            || "–".to_owned(),
            |pair| self.words.pair(self.session.number_beside(side, pair)),
        )
    }

    /// The names of a pair at the beginning.
    pub(super) fn names(&self, pair: PairId) -> String {
        self.names_in(pair, RoundNumber::FIRST)
    }

    /// The names of a pair in a round.
    pub(super) fn names_in(&self, pair: PairId, round: RoundNumber) -> String {
        let names = pair_names(&self.state.club, self.session, pair, round);
        // Where nobody gave a name, the pair's number stands for it.
        if names.id().is_some() {
            self.words.with("pair_n", &[("pair", &self.number(pair))])
        } else {
            self.words.say(&names)
        }
    }

    /// Points with as many decimals as they are rounded to.
    pub(super) fn points(&self, points: Option<f64>) -> String {
        let places = usize::from(decimals(self.session));
        points.map_or_else(String::new, |points| self.words.decimal(points, places))
    }

    /// What the points of North-South and of East-West are called.
    pub(super) const fn points_of_both(&self) -> [&'static str; 2] {
        match self.session.scoring.method {
            Method::Matchpoints => ["points_ns", "points_ew"],
            Method::CrossImps | Method::Butler => ["imps_ns", "imps_ew"],
        }
    }

    /// Who is vulnerable.
    pub(super) fn vulnerable(&self, vulnerability: Vulnerability) -> &'static str {
        self.words.text(match vulnerability {
            Vulnerability::None => "vulnerable_None",
            Vulnerability::NorthSouth => "vulnerable_NorthSouth",
            Vulnerability::EastWest => "vulnerable_EastWest",
            Vulnerability::Both => "vulnerable_Both",
        })
    }
}

/// A page with our style and nothing else, in a language.
pub(super) fn plain_page(words: &Words, title: &str, head: &Markup, body: &Markup) -> String {
    let head = html! {
        meta name="color-scheme" content="light dark";
        title { (title) }
        style { (PreEscaped(STYLE)) }
        (head)
    };
    bare_page(words, &head, body)
}

/// A page with a style of its own, in a language.
pub fn bare_page(words: &Words, head: &Markup, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang=(words.language.code()) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                (head)
            }
            body { (body) }
        }
    };
    page.into_string()
}

/// A page of its own with our style.
pub fn plain(words: &Words, title: &str, body: &Markup) -> String {
    plain_page(words, title, &html! {}, body)
}

/// What a browser shows instead of a page that can't be shown.
pub fn apology(words: &Words, sentence: &Told) -> String {
    let body = html! { main {
        h1 { "Byestand" }
        p { (words.say(sentence)) }
        p { a.back href="" { (words.text("look_again")) } " · " a.back href="/" { (words.text("first_page")) } }
    } };
    plain_page(words, "Byestand", &html! {}, &body)
}

/// `4♠×` from `4SX` and `♥R` from `HK` in French: with red suits marked, in the reader's letters.
pub(super) fn symbols(words: &Words, text: &str) -> Markup {
    // The S of SA is no spade.
    if let Some((level, doubled)) = text.split_once("NT") {
        return html! { (level) (words.text("letter_nt")) (symbols(words, doubled)) };
    }
    let mut last = ' ';
    let parts: Vec<Markup> = text
        .chars()
        .map(|letter| {
            let ranked = "SHDC".contains(last);
            let suit = match letter {
                'S' if last.is_ascii_digit() || last == ' ' => Some(("s", "♠")),
                'H' => Some(("h", "♥")),
                'D' => Some(("d", "♦")),
                'C' => Some(("c", "♣")),
                _ => None,
            };
            last = letter;
            match suit {
                Some((class, symbol)) => html! { span class=(class) { (symbol) } },
                None if letter == 'X' => html! { "×" },
                None if ranked => html! { (words.rank(letter)) },
                None => html! { (letter) },
            }
        })
        .collect();
    html! { @for part in &parts { (part) } }
}

/// `4♠× S` from `4SX S`: a contract with its declarer.
pub(super) fn declared(words: &Words, text: &str) -> Markup {
    let (contract, declarer) = text.split_once(' ').unwrap_or((text, ""));
    let declarer = declarer.chars().next();
    html! { (symbols(words, contract)) @if let Some(seat) = declarer { " " (words.seat(seat)) } }
}

/// `+620`, `−50`.
pub(super) fn signed(points: Option<i16>) -> String {
    match points {
        None => String::new(),
        Some(0) => "0".to_owned(),
        Some(points) if points > 0 => format!("+{points}"),
        Some(points) => format!("−{}", points.unsigned_abs()),
    }
}
