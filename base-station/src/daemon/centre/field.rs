//! What a centre says of our pairs, as pads and pages show it, and what a director says of them.

use std::collections::BTreeMap;

use ::centre::Field;
use protocol::words::{BoardNumber, Score, SessionId};
use telling::{Told, tell};

use crate::session::{Cell, LargeBoard, LargeField, PairId};

/// The longest name of a category, as centres take it.
const CATEGORY_LEN_MAX: usize = 60;

/// Categories of pairs, one a line: the pair, and behind a blank or a semicolon its category.
pub(super) fn categories(typed: &str) -> Result<BTreeMap<PairId, String>, Told> {
    let lines = typed.lines().map(str::trim).filter(|line| !line.is_empty());
    let read = |line: &str| {
        let (pair, category) = line.split_once([';', ' ', '\t'])?;
        let category = category.trim_start_matches([';', ' ', '\t']).trim();
        let fits = !category.is_empty()
            && !category.contains(char::is_control)
            && category.chars().count() <= CATEGORY_LEN_MAX;
        let pair = pair.trim().parse().ok().filter(|_| fits)?;
        Some((pair, category.to_owned()))
    };
    lines
        .map(|line| read(line).ok_or_else(|| tell!(Centre::CategoryWanted { line })))
        .collect()
}

/// What pads and pages are told of a field.
pub(super) fn large_field(session: SessionId, field: &Field) -> LargeField {
    let places = field.pairs.iter().filter_map(|own| {
        let pair = PairId {
            section: own.pair.0.section,
            side: own.pair.0.direction,
            number: own.pair.0.number,
        };
        Some((pair, (own.rank?, own.percent?)))
    });
    let boards = field.boards.iter().filter_map(|own| {
        let scores = own.scores.iter();
        let scores = scores.filter_map(|it| Some((Score(it.score?), it.times, it.percent?)));
        let counted = own.lines.iter().map(|(place, _)| Cell {
            section: place.section,
            table: place.table,
            round: place.round,
            board: place.board,
        });
        let over = LargeBoard {
            scores: scores.collect(),
            counted: counted.collect(),
        };
        Some((BoardNumber::new(own.board)?, over))
    });
    LargeField {
        session,
        pairs_in_all: field.pairs_in_all,
        places: places.collect(),
        boards: boards.collect(),
    }
}
