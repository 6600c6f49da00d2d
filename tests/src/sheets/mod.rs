//! Everything that shows a figure, read as somebody would who knows nothing but what is printed,
//! and added up.
//!
//! [`Papers`] are the sheets, the files and the answers of the interface; [`Papers::wrong`] adds
//! them up, in floating point and without a line of `base_station::scoring`, and compares with the
//! ranking that was published. `evening` plays random sessions with every kind of award, correction
//! and penalty.

mod adder;
pub mod evening;
mod html;
mod pads;
mod shares;

use base_station::exchange::{About, Evening, Format, export};
use base_station::reports::{self, Language, Sheet};
use base_station::session::{Moment, Session, State};
use base_station::view::{BoardView, LineView, RankingView};
use serde_json::{Value, json};

/// Files for other programs that are text, as commands and addresses call their formats.
pub const FORMATS: [&str; 6] = [
    "usebio",
    "usebio-myabf",
    "pbn",
    "nz-xml",
    "csv",
    "ranking-csv",
];

/// What is shown of a session.
#[derive(Clone, Debug, Default)]
pub struct Papers {
    /// The ranking as the interface tells it.
    pub ranking: Value,
    /// The ranking as a file.
    pub ranking_csv: String,
    /// All results as a file.
    pub results_csv: String,
    /// The boards as the interface tells them.
    pub boards: Vec<Value>,
    /// The lines of every table's rounds as the interface tells them.
    pub lines: Vec<Value>,
    /// The printed ranking.
    pub ranking_page: String,
    /// The printed travellers.
    pub travellers: String,
    /// The printed frequencies.
    pub frequencies: String,
    /// The printed score cards.
    pub scorecards: String,
    /// The printed charts.
    pub charts: String,
    /// The file for other programs; `None` where it says that results are not in it.
    pub usebio: Option<String>,
}

impl Papers {
    /// As a base station in this state would print and answer.
    pub fn of(state: &State, session: &Session) -> Self {
        let scores = session.scores();
        let about = About {
            club: "Club".to_owned(),
            club_number: String::new(),
            language: Language::English,
            made: Moment::default(),
            ..About::default()
        };
        let sheet = Sheet::on_paper(state, session, Language::English);
        let text =
            |csv: Option<Vec<u8>>| String::from_utf8(csv.unwrap_or_default()).unwrap_or_default();
        let mut boards: Vec<_> = session
            .lines
            .keys()
            .map(|cell| (cell.section, cell.board))
            .collect();
        boards.dedup();
        if session.scoring.across_sections {
            boards.sort_by_key(|(section, board)| (*board, *section));
            boards.dedup_by_key(|(_, board)| *board);
        }
        let board = |(section, board)| BoardView::scored(session, &scores, section, board);
        Self {
            ranking: json!(RankingView::scored(&state.club, session, &scores)),
            ranking_csv: text(reports::ranking_csv(&state.club, session).ok()),
            results_csv: text(reports::results_csv(&state.club, session).ok()),
            boards: boards.into_iter().map(|it| json!(board(it))).collect(),
            lines: session
                .lines
                .keys()
                .map(|cell| json!(LineView::now(session, &scores, *cell)))
                .collect(),
            ranking_page: reports::ranking(&sheet).into_string(),
            travellers: reports::travellers(&sheet).into_string(),
            frequencies: reports::frequencies(&sheet).into_string(),
            scorecards: reports::scorecards(&sheet).into_string(),
            charts: reports::charts(&sheet).into_string(),
            usebio: Evening::of(&state.club, session)
                .without_a_pair
                .is_empty()
                .then(|| text(export(Format::Usebio, state, session, &about).ok())),
        }
    }
}
