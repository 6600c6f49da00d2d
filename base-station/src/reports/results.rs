//! The page for players' phones, and everything on one page to keep.

use maud::{Markup, html};
use protocol::words::RoundNumber;

use super::page::{Paper, page};
use super::sheets::{scorecard, travellers};
use super::{charts, hands, ranking, scorecards};
use crate::session::{PairId, Session, State};
use crate::view::pair_names;

/// What players see after the release: the ranking, and a way to their own score card.
pub fn public_page(state: &State, session: &Session) -> String {
    let body = html! {
        (ranking(state, session))
        (own_cards(state, session))
        h2 { "Board by board" }
        details { summary { "Show all boards" } (travellers(session)) }
        details { summary { "Show all hands" } (hands(session)) }
    };
    page(state, session, "Result", Paper::A4, &body)
}

fn own_cards(state: &State, session: &Session) -> Markup {
    html! {
        h2 { "Your own score card" }
        ul { @for pair in session.pairs() {
            li { a href={ "/results/pairs/" (pair) } { (pair) " " (pair_names(&state.club, session, pair, RoundNumber::FIRST)) } }
        } }
    }
}

/// One pair's score card for its phone.
pub fn public_scorecard(state: &State, session: &Session, pair: PairId) -> String {
    let body = html! {
        (scorecard(state, session, pair))
        p { a href="/results" { "Back to the ranking" } }
    };
    page(state, session, "Score card", Paper::A4, &body)
}

/// Ranking, score cards, travellers, charts and hands as one page that needs nothing else.
pub fn whole_page(state: &State, session: &Session, paper: Paper) -> String {
    let body = html! {
        (ranking(state, session))
        h2 { "Charts" } (charts(state, session))
        h2 { "Travellers" } (travellers(session))
        h2 { "Score cards" } (scorecards(state, session))
        h2 { "Hands" } (hands(session))
    };
    page(state, session, "Everything", paper, &body)
}
