//! Table cards: what lies on each table so that nobody has to ask.

use std::fmt::Write;

use protocol::words::{PairNumber, Side, TableNumber};
use serde::Serialize;

use super::{BoardsGo, Movement, PairGoes};

/// One line of a table card.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CardLine {
    /// The round.
    pub round: String,
    /// Who sits NS, or `-`.
    pub ns: String,
    /// Who sits EW, or `-`.
    pub ew: String,
    /// Which boards.
    pub boards: String,
    /// With which tables they are shared.
    pub share: String,
    /// Where NS go.
    pub ns_goes: String,
    /// Where EW go.
    pub ew_goes: String,
    /// Where the boards go.
    pub boards_go: String,
}

/// The card of one table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TableCard {
    /// Which table.
    pub table: TableNumber,
    /// Round by round.
    pub lines: Vec<CardLine>,
}

impl Movement {
    /// The card of every table.
    pub fn table_cards(&self) -> Vec<TableCard> {
        let tables = u16::try_from(self.table_count()).unwrap_or(u16::MAX);
        (1..=tables)
            .filter_map(TableNumber::new)
            .map(|table| self.table_card(table))
            .collect()
    }

    fn table_card(&self, table: TableNumber) -> TableCard {
        let lines = self
            .numbered_rounds()
            .filter_map(|(number, round)| {
                let seating = round.at(table)?;
                let next = self.next_move(number, table)?;
                let tables = |tables: &[TableNumber]| {
                    let words: Vec<String> = tables.iter().map(ToString::to_string).collect();
                    words.join(" and ")
                };
                let goes = |from: Side, goes: Option<PairGoes>| match goes {
                    None => String::new(),
                    Some(PairGoes::To(place)) if place.table != table => {
                        format!("{} {}", place.table, place.side)
                    }
                    Some(PairGoes::To(place)) if place.side != from => {
                        format!("here, {}", place.side)
                    }
                    Some(PairGoes::To(_)) => "stay".to_owned(),
                    Some(other) => other.to_string(),
                };
                let missing = |pair: Option<PairNumber>| {
                    pair.map_or_else(|| "-".to_owned(), |pair| pair.to_string())
                };
                Some(CardLine {
                    round: number.to_string(),
                    ns: missing(seating.ns),
                    ew: missing(seating.ew),
                    boards: seating.boards.to_string(),
                    share: tables(&self.shares_with(number, table)),
                    ns_goes: goes(Side::NorthSouth, next.ns),
                    ew_goes: goes(Side::EastWest, next.ew),
                    boards_go: match &next.boards {
                        BoardsGo::To(to) => format!("to {}", tables(to)),
                        BoardsGo::Rest { until } => format!("rest until round {until}"),
                        BoardsGo::Done => "done".to_owned(),
                    },
                })
            })
            .collect();
        TableCard { table, lines }
    }
}

impl TableCard {
    /// The card as plain text of fixed columns.
    pub fn to_text(&self) -> String {
        let mut text = format!("Table {}\n", self.table);
        let head = [
            "round",
            "NS",
            "EW",
            "boards",
            "share",
            "NS go",
            "EW go",
            "boards go",
        ];
        let mut rows = vec![head.map(str::to_owned)];
        rows.extend(self.lines.iter().cloned().map(|line| {
            [
                line.round,
                line.ns,
                line.ew,
                line.boards,
                line.share,
                line.ns_goes,
                line.ew_goes,
                line.boards_go,
            ]
        }));
        let widths: Vec<usize> = (0..head.len())
            .map(|column| rows.iter().map(|row| row[column].len()).max().unwrap_or(0))
            .collect();
        for row in &rows {
            let mut line = String::new();
            for (field, width) in row.iter().zip(&widths) {
                // Writing to a string cannot fail.
                let _ = write!(line, "{field:<width$}  ");
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }
}
