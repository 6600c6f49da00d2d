//! What somebody saw who stood at the tables all night: the checkers believe this and nothing
//! else.

use std::collections::{BTreeMap, BTreeSet};

use base_station::session::{Cell, TableId};
use pad::app::Flow;
use pad::{App, LineState};
use protocol::message::{Entry, EntryNumber, RefusalReason};
use protocol::time::{Instant, Span};
use protocol::words::PadId;
use virtual_pad::VirtualPad;

/// An entry among all pads'.
pub type EntryName = (PadId, EntryNumber);

/// How long a result waited, and which one that was.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Wait {
    /// How long.
    pub span: Span,
    /// Which, in words.
    pub of: String,
}

/// What was seen.
#[derive(Clone, Debug, Default)]
pub struct Witness {
    /// East accepted and the pad said so.
    pub agreed: BTreeMap<EntryName, Entry>,
    /// The pad said that the base has it.
    pub received: BTreeSet<EntryName>,
    /// When that of those was seen which the base does not have yet.
    waiting: BTreeMap<EntryName, Instant>,
    /// The longest that an agreed result waited until its pad knew that the base has it.
    pub longest_wait: Span,
    /// The same, counted from the end of whatever stood in its way: a base that was down, full,
    /// unplugged or had stopped the pads, a pad out of reach or without its battery.
    pub longest_unhindered_wait: Wait,
    base_hindered: Instant,
    pads_hindered: BTreeMap<PadId, Instant>,
    /// Pads that no longer exist: what they had not sent may be lost.
    pub destroyed: BTreeSet<PadId>,
    /// Pads that were replaced and are around still.
    pub replaced: BTreeSet<PadId>,
    /// Boards of which a pad said that the director had refused them.
    pub refused: BTreeSet<Cell>,
    /// Boards beyond the sheet that a pad let its table enter.
    pub allowed: BTreeSet<Cell>,
    /// Something that must never be seen at a table, as it happened.
    pub outrages: Vec<String>,
}

impl Witness {
    /// What the pad says in the director's name about boards that are not on its sheet.
    fn look_for_answers(&mut self, app: &App) {
        let Some((game, sheet)) = app.game().zip(app.round_sheet()) else {
            return;
        };
        let table = TableId {
            section: game.tag.section,
            table: game.tag.table,
        };
        let of_board = |board| Cell::new(table, sheet.round, board);
        if let Flow::OutOfRange {
            board,
            refused: Some(RefusalReason::NotAllowed),
        } = *app.flow()
        {
            self.refused.insert(of_board(board));
        }
        self.allowed.extend(app.allowed_boards().map(of_board));
    }

    /// Looks at a pad's score sheet.
    pub fn look_at(&mut self, pad: &VirtualPad, now: Instant) {
        let session = pad.app().binding().map(|binding| binding.session);
        self.look_for_answers(pad.app());
        let mut unsent = BTreeSet::new();
        for line in pad.app().sheet().lines() {
            if Some(line.tag.session) != session || line.entry.number.0 == 0 {
                continue;
            }
            let name = (pad.app().pad(), line.entry.number);
            match line.state {
                LineState::Unsent | LineState::Again => {
                    self.agreed.insert(name, line.entry);
                    self.waiting.entry(name).or_insert(now);
                    unsent.insert(name);
                }
                // The base has an answer, if not the one that was hoped for.
                LineState::Refused(_) => {
                    self.agreed.insert(name, line.entry);
                    self.wait_is_over(name, &line.entry, now);
                }
                LineState::Received(_) => {
                    self.agreed.entry(name).or_insert(line.entry);
                    self.received.insert(name);
                    self.wait_is_over(name, &line.entry, now);
                }
                LineState::Directors
                | LineState::Withdrawn
                | LineState::Elsewhere
                | LineState::Awarded { .. } => {}
            }
        }
        // What was corrected before it was sent waits no more: the correction does.
        let here = pad.app().pad();
        self.waiting
            .retain(|name, _| name.0 != here || unsent.contains(name));
    }

    /// The night is over: what has not arrived by now has waited until now.
    pub fn end(&mut self, now: Instant) {
        for (name, since) in std::mem::take(&mut self.waiting) {
            let entry = self.agreed.get(&name).copied();
            if let Some(entry) = entry.filter(|_| !self.destroyed.contains(&name.0)) {
                self.note_wait(name.0, &entry, since, now);
            }
        }
    }

    /// Until this moment the base could take no result.
    pub fn base_is_hindered(&mut self, now: Instant) {
        self.base_hindered = now;
    }

    /// Until this moment the pad could send no result.
    pub fn pad_is_hindered(&mut self, pad: PadId, now: Instant) {
        self.pads_hindered.insert(pad, now);
    }

    /// Since when nothing has stood between this pad and the base; not before `since`.
    pub fn clear_since(&self, pad: PadId, since: Instant) -> Instant {
        let pad_hindered = self.pads_hindered.get(&pad).copied();
        since
            .max(self.base_hindered)
            .max(pad_hindered.unwrap_or(Instant::ZERO))
    }

    fn wait_is_over(&mut self, name: EntryName, entry: &Entry, now: Instant) {
        if let Some(since) = self.waiting.remove(&name) {
            self.note_wait(name.0, entry, since, now);
        }
    }

    fn note_wait(&mut self, pad: PadId, entry: &Entry, since: Instant, now: Instant) {
        self.longest_wait = self.longest_wait.max(now.since(since));
        let clear = self.clear_since(pad, since);
        if now.since(clear) > self.longest_unhindered_wait.span {
            let of = format!(
                "pad {:08X}, round {}, board {}, until {} minutes into the night",
                pad.get(),
                entry.round,
                entry.board,
                now.as_millis() / 60_000
            );
            let span = now.since(clear);
            self.longest_unhindered_wait = Wait { span, of };
        }
    }

    /// A pad has been started again: everything agreed on it must still be there.
    pub fn look_after_restart(&mut self, pad: &VirtualPad) {
        let reached = pad.app().sheet().number_reached();
        let missing = self
            .agreed
            .range((pad.app().pad(), EntryNumber(0))..=(pad.app().pad(), EntryNumber(u16::MAX)))
            .filter(|((_, number), entry)| {
                let line = pad.app().sheet().line(entry.round, entry.board);
                *number > reached || line.is_none_or(|line| line.entry.number < *number)
            })
            .map(|(name, entry)| {
                format!(
                    "pad {:08X} forgot entry {} (round {}, board {}) when it was restarted",
                    name.0.get(),
                    name.1.0,
                    entry.round,
                    entry.board
                )
            });
        self.outrages.extend(missing);
    }
}
