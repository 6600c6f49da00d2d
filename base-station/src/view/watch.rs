//! Keeps what the checks have found while the session goes on, and looks only at what is new.
//!
//! Two states of a session share what is equal, so that the difference is found without looking
//! at every line again. After a restart the same state gives the same findings.

use std::collections::{BTreeMap, BTreeSet};

use imbl::ordmap::DiffItem;
use protocol::words::{RoundNumber, SectionLetter};

use super::findings::{deals, deals_trusted, line_id, line_of, room, told_otherwise, warning};
use super::warnings::WarningView;
use crate::checks::{Attention, CheckSettings, FindingId, Kind, PairsSeen, Watch};
use crate::session::{Cell, Session, Table, TableId};

/// Watches over the session being worked with.
#[derive(Clone, Debug, Default)]
pub struct Watchful {
    seen: Option<Seen>,
}

/// The session as it was last looked at, and what was found.
#[derive(Clone, Debug)]
struct Seen {
    session: Session,
    settings: CheckSettings,
    sections: BTreeMap<SectionLetter, Watch>,
}

/// What the findings explain, so that the session need not warn of it once more.
#[derive(Debug, Default)]
pub(super) struct Explained {
    tables: BTreeSet<(TableId, RoundNumber)>,
    rounds: BTreeSet<(SectionLetter, RoundNumber)>,
}

impl Explained {
    /// Whether a finding speaks of the pairs at this table.
    pub(super) fn pairs_at(&self, table: TableId, round: RoundNumber) -> bool {
        self.tables.contains(&(table, round)) || self.rounds.contains(&(table.section, round))
    }

    fn note(&mut self, id: FindingId) {
        let Some(round) = id.round else {
            return;
        };
        match (id.kind, id.table) {
            (Kind::MovementMistake, _) => {
                self.rounds.insert((id.section, round));
            }
            (
                Kind::EastWestElsewhere | Kind::ArrowSwitchMissed | Kind::PadsSwapped,
                Some(table),
            ) => {
                let section = id.section;
                self.tables.insert((TableId { section, table }, round));
            }
            _ => {}
        }
    }
}

impl Watchful {
    /// Everything that the checks find in the session as it stands.
    pub(super) fn look(
        &mut self,
        session: &Session,
        settings: &CheckSettings,
    ) -> (Vec<WarningView>, Explained) {
        match &mut self.seen {
            Some(seen) if seen.can_follow(session, settings) => seen.follow(session),
            _ => self.seen = Some(Seen::of(session, settings)),
        }
        let mut warnings = Vec::new();
        let mut explained = Explained::default();
        for watch in self
            .seen
            .iter_mut()
            .flat_map(|seen| seen.sections.values_mut())
        {
            watch.tick();
            for (finding, attention) in watch.findings() {
                explained.note(finding.id);
                let once_more = finding.id.kind == Kind::DealsDoNotFit
                    && is_told(&warnings, Kind::DealsDoNotFit);
                if !once_more && !told_otherwise(session, finding) {
                    let mut found = warning(session, watch.room(), finding);
                    found.quiet = attention == Attention::Quiet;
                    warnings.push(found);
                }
            }
        }
        (warnings, explained)
    }

    /// There is nothing to watch.
    pub(super) fn rest(&mut self) {
        self.seen = None;
    }
}

impl Seen {
    fn of(session: &Session, settings: &CheckSettings) -> Self {
        let deals = deals(session);
        let sections = session.sections.iter().map(|(&letter, section)| {
            let room = room(session, letter, section, deals.clone());
            let mut watch = Watch::new(room, settings.clone());
            watch.change_room(|_| {});
            (letter, watch)
        });
        Self {
            sections: sections.collect(),
            session: session.clone(),
            settings: settings.clone(),
        }
    }

    /// Whether what has happened since can be told result by result.
    fn can_follow(&self, session: &Session, settings: &CheckSettings) -> bool {
        let before = &self.session;
        let sections =
            before.sections.ptr_eq(&session.sections) || before.sections == session.sections;
        let deals = before.deals.ptr_eq(&session.deals) || before.deals == session.deals;
        before.id == session.id
            && self.settings == *settings
            && sections
            && deals
            && self.sections.iter().all(|(letter, watch)| {
                watch.room().deals_trusted == deals_trusted(session, *letter)
            })
            && !forgotten(before, session)
    }

    fn follow(&mut self, session: &Session) {
        for item in self.session.wanted.diff(&session.wanted) {
            let (cell, wanted) = match item {
                DiffItem::Add(cell, _) => (*cell, true),
                DiffItem::Remove(cell, _) => (*cell, false),
                DiffItem::Update { .. } => continue,
            };
            if let Some(watch) = self.sections.get_mut(&cell.section) {
                if wanted {
                    watch.board_wanted(cell.table, cell.round, cell.board);
                } else {
                    watch.want_settled(cell.table, cell.round, cell.board);
                }
            }
        }
        for (id, before, table) in tables_changed(&self.session, session) {
            let Some(watch) = self.sections.get_mut(&id.section) else {
                continue;
            };
            for (round, pairs) in &table.seen {
                if before.and_then(|before| before.seen.get(round)) != Some(pairs) {
                    let (ns, ew) = *pairs;
                    watch.pairs_seen(id.table, *round, PairsSeen { ns, ew });
                }
            }
        }
        for cell in lines_changed(&self.session, session) {
            let Some(watch) = self.sections.get_mut(&cell.section) else {
                continue;
            };
            match session.lines.get(&cell).and_then(line_of) {
                Some(line) => watch.result(line_id(cell), line),
                None => watch.taken_away(line_id(cell)),
            };
        }
        self.session = session.clone();
    }
}

/// A file is one for all sections: it is doubted once.
fn is_told(warnings: &[WarningView], kind: Kind) -> bool {
    let name = kind.to_string();
    warnings
        .iter()
        .any(|warning| warning.check.as_ref() == Some(&name))
}

/// Lines that differ between two states.
fn lines_changed(before: &Session, after: &Session) -> Vec<Cell> {
    before
        .lines
        .diff(&after.lines)
        .map(|item| match item {
            DiffItem::Add(cell, _)
            | DiffItem::Remove(cell, _)
            | DiffItem::Update { new: (cell, _), .. } => *cell,
        })
        .collect()
}

/// Tables that differ, with their story before and now.
fn tables_changed<'a>(
    before: &'a Session,
    after: &'a Session,
) -> Vec<(TableId, Option<&'a Table>, &'a Table)> {
    before
        .tables
        .diff(&after.tables)
        .filter_map(|item| match item {
            DiffItem::Add(id, table) => Some((*id, None, table)),
            DiffItem::Update { old, new } => Some((*new.0, Some(old.1), new.1)),
            DiffItem::Remove(..) => None,
        })
        .collect()
}

/// Whether something that players said has been taken back: then everything is looked at anew.
fn forgotten(before: &Session, after: &Session) -> bool {
    before.tables.diff(&after.tables).any(|item| match item {
        DiffItem::Add(..) => false,
        DiffItem::Remove(..) => true,
        DiffItem::Update { old, new } => {
            let mut rounds = old.1.seen.keys();
            rounds.any(|round| !new.1.seen.contains_key(round))
        }
    })
}
