//! An evening whose results are written on paper and typed in by the director.

use super::plan::Way;
use super::{Line, Session, TableId};

/// So many results, and no pad yet: nobody plays with pads tonight.
const FOUND_OUT_AFTER: usize = 3;

impl Session {
    /// Whether the evening is scored on paper: as the director has said, or as it looks.
    pub fn is_on_paper(&self) -> bool {
        self.way.map_or_else(
            || {
                let typed = self.lines.values().filter(|line| line.is_in());
                self.pads.is_empty() && typed.take(FOUND_OUT_AFTER).count() == FOUND_OUT_AFTER
            },
            |way| way == Way::Paper,
        )
    }

    /// Whether a table's results come on paper. A pad that logs on there is a pad all the same.
    pub fn is_table_on_paper(&self, table: TableId) -> bool {
        let story = self.tables.get(&table);
        self.is_on_paper() && story.is_none_or(|table| table.last_epoch.is_none())
    }

    /// Whether the director made something else of a line than it was at first. On paper it is the
    /// director who types every line, so only the second time tells.
    pub fn is_changed(&self, table: TableId, line: &Line) -> bool {
        let by_director = line.source == protocol::message::Source::Director;
        line.pairs_corrected
            || (by_director && (line.history.len() > 1 || !self.is_table_on_paper(table)))
    }
}
