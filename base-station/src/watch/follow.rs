//! Keeps what the checks have found while the session goes on, and looks only at what is new.
//!
//! Two states of a session share what is equal, so the difference is found without looking at every
//! line again. It goes into each section's room as it is; the checks' own [`Watch`] knows which of
//! its findings rest on what, so that following and beginning anew find the same.

use std::collections::{BTreeMap, BTreeSet};

use imbl::ordmap::DiffItem;
use protocol::words::SectionLetter;

use super::Subject;
use super::offers::{Offer, of_finding};
use super::room::{deals, deals_trusted, line_id, line_of, room};
use crate::checks::{Attention, CheckSettings, Finding, Kind, PairsSeen, Watch};
use crate::session::{Session, Table, TableId};

/// Watches over the session being worked with.
#[derive(Clone, Debug, Default)]
pub struct Watchful {
    seen: Option<Seen>,
}

/// The session as it was last looked at, and what was found.
#[derive(Clone, Debug)]
struct Seen {
    session: Session,
    sections: BTreeMap<SectionLetter, Watch>,
}

/// A finding with what can be done about it.
pub(super) struct Found {
    pub(super) finding: Finding,
    pub(super) offers: Vec<Offer>,
}

impl Watchful {
    /// Looks at the session as it stands.
    pub(super) fn look(&mut self, session: &Session, settings: &CheckSettings) {
        let seen = match self.seen.take() {
            Some(mut seen) if seen.can_follow(session) => {
                seen.follow(session);
                seen
            }
            _ => Seen::of(session),
        };
        for (letter, watch) in &mut self.seen.insert(seen).sections {
            watch.trust_deals(deals_trusted(session, settings, *letter));
            watch.look();
            watch.tick();
        }
    }

    /// What the checks have found and the director wants to hear of, each thing once.
    pub(super) fn found(&self, session: &Session, settings: &CheckSettings) -> Vec<Found> {
        let mut told = BTreeSet::new();
        let mut all = Vec::new();
        for watch in self.seen.iter().flat_map(|seen| seen.sections.values()) {
            for finding in watch.findings() {
                let subject = Subject::of(session, finding);
                let by_the_table = matches!(subject, Subject::Asked(_));
                // Typed from paper, a table is as far as its sheet was brought.
                let told_by_time = finding.id.kind == Kind::TableBehind && session.is_on_paper();
                let heeded = settings.of(finding.id.kind) != Attention::Off && !told_by_time;
                if heeded && !by_the_table && told.insert(subject) {
                    all.push(Found {
                        finding: finding.clone(),
                        offers: of_finding(session, watch.room(), finding),
                    });
                }
            }
        }
        all
    }

    /// There is nothing to watch.
    pub(super) fn rest(&mut self) {
        self.seen = None;
    }
}

impl Seen {
    fn of(session: &Session) -> Self {
        let deals = deals(session);
        let sections = session.sections.iter().map(|(&letter, section)| {
            let room = room(session, letter, section, deals.clone());
            (letter, Watch::new(room))
        });
        Self {
            sections: sections.collect(),
            session: session.clone(),
        }
    }

    /// Whether the rooms are the same ones, with the same movement and cards.
    fn can_follow(&self, session: &Session) -> bool {
        let before = &self.session;
        let sections =
            before.sections.ptr_eq(&session.sections) || before.sections == session.sections;
        let deals = before.deals.ptr_eq(&session.deals) || before.deals == session.deals;
        before.id == session.id && sections && deals
    }

    fn follow(&mut self, session: &Session) {
        for item in self.session.wanted.diff(&session.wanted) {
            let (cell, wanted) = match item {
                DiffItem::Add(cell, _) => (*cell, true),
                DiffItem::Remove(cell, _) => (*cell, false),
                DiffItem::Update { .. } => continue,
            };
            if let Some(watch) = self.sections.get_mut(&cell.section) {
                watch.wanted(cell.table, cell.round, cell.board, wanted);
            }
        }
        for item in self.session.tables.diff(&session.tables) {
            let (id, before, after) = match item {
                DiffItem::Add(id, table) => (id, None, Some(table)),
                DiffItem::Update { old, new } => (new.0, Some(old.1), Some(new.1)),
                DiffItem::Remove(id, table) => (id, Some(table), None),
            };
            if let Some(watch) = self.sections.get_mut(&id.section) {
                tell_pairs(watch, *id, before, after);
            }
        }
        for item in self.session.lines.diff(&session.lines) {
            let (cell, line) = match item {
                DiffItem::Add(cell, line)
                | DiffItem::Update {
                    new: (cell, line), ..
                } => (*cell, line_of(line)),
                DiffItem::Remove(cell, _) => (*cell, None),
            };
            if let Some(watch) = self.sections.get_mut(&cell.section) {
                watch.line(line_id(cell), line);
            }
        }
        self.session = session.clone();
    }
}

/// What the players of a table said otherwise than before, or no longer.
fn tell_pairs(watch: &mut Watch, id: TableId, before: Option<&Table>, after: Option<&Table>) {
    let rounds: BTreeSet<_> = [before, after]
        .into_iter()
        .flatten()
        .flat_map(|table| table.seen.keys().copied())
        .collect();
    for round in rounds {
        let said = |table: Option<&Table>| table.and_then(|it| it.seen.get(&round).copied());
        let now = said(after);
        if said(before) != now {
            let pairs = now.map(|(ns, ew)| PairsSeen { ns, ew });
            watch.pairs(id.table, round, pairs);
        }
    }
}
