//! The paper: size, head and style that all sheets share.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::session::{Session, State};

/// The paper in the club's printer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Paper {
    /// Most of the world.
    #[default]
    A4,
    /// North America.
    Letter,
}

impl Paper {
    const fn size(self) -> &'static str {
        match self {
            Self::A4 => "A4",
            Self::Letter => "letter",
        }
    }
}

const STYLE: &str = include_str!("sheet.css");

/// A whole page with the session's head.
pub fn page(state: &State, session: &Session, title: &str, paper: Paper, body: &Markup) -> String {
    let scheduled = state.club.sessions.get(&session.id);
    let event = state.club.event_name(session.id).unwrap_or_default();
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) " · " (event) }
                style { (PreEscaped(format!("@page {{ size: {}; margin: 14mm; }}\n{STYLE}", paper.size()))) }
            }
            body {
                header {
                    h1 { (event) }
                    p { (title)
                        @if let Some(scheduled) = scheduled { " · " (scheduled.date) @if !scheduled.title.is_empty() { " · " (scheduled.title) } }
                    }
                }
                main { (body) }
                footer { p { "Scored with Byestand" } }
            }
        }
    };
    page.into_string()
}

/// `4♠×` from `4SX`, with red suits marked.
pub(super) fn symbols(text: &str) -> Markup {
    let mut last = ' ';
    let parts: Vec<Markup> = text
        .chars()
        .map(|letter| {
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
                None => html! { (letter) },
            }
        })
        .collect();
    html! { @for part in &parts { (part) } }
}

/// A number with two decimals, or nothing.
pub(super) fn two(number: Option<f64>) -> String {
    number.map_or_else(String::new, |number| format!("{number:.2}"))
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
