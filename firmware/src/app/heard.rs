//! What the base says, and what the pad makes of it.

use protocol::message::{
    Down, EntryNumber, Feedback, FeedbackLevel, Question, Recorded, RefusalReason, RoundSheet,
};
use protocol::time::{Instant, Span};
use protocol::words::{BoardNumber, Percentage, RoundNumber};

use super::{App, Flow, Sound, Ticket, Typing};
use crate::game::Stage;
use crate::{LineState, RecordKey};

impl App {
    pub(super) fn heard(&mut self, message: &Down, now: Instant) {
        self.live.to_say.heard();
        match message {
            Down::Welcome(welcome) => self.welcomed(welcome, now),
            Down::Received { number, percentage } => self.received(*number, *percentage),
            Down::Refused { number, reason } => match number {
                Some(number) => self.entry_refused(*number, *reason, now),
                None => self.refused(*reason),
            },
            Down::BoardAllowed { round, board } => self.board_allowed(*round, *board),
            Down::Schedule {
                rounds_total,
                rounds,
            } => self.scheduled(*rounds_total, rounds),
            Down::Names(names) => {
                self.kept.names = Some(names.clone());
                self.persist(RecordKey::Names);
            }
            Down::Settings(settings) => {
                self.kept.settings = *settings;
                self.persist(RecordKey::Settings);
                self.refresh();
            }
            Down::Feedback(feedback) => self.answered(feedback),
            Down::Recorded(recorded) => self.record(recorded),
            Down::History(lines) => {
                for recorded in lines {
                    self.record(recorded);
                }
            }
            Down::Clock(clock) => self.live.clock = Some((*clock, now)),
            Down::Gate { open } => {
                self.live.gate_open = *open;
            }
            Down::Notice(notice) => {
                self.live.notice = notice.clone();
                self.attention(Flow::Notice);
            }
            Down::BoardRefused {
                round,
                board,
                reason,
            } => self.board_refused(*round, *board, *reason),
            Down::PinJudged { right, rest_s } => {
                self.pin_judged(*right, Span::from_secs(u64::from(*rest_s)), now);
            }
            Down::UnknownPlayers { round, seats } => self.players_unknown(*round, *seats),
            Down::CallSettled => self.live.called = false,
            Down::NotDrawn { from, rounds_total } => self.not_drawn(*from, *rounds_total),
            Down::Match(matching) => self.matched(matching),
            Down::Slip(slip) => self.slip_came(slip),
            Down::NewKey(keys) => self.renew(keys),
            Down::Replaced => self.replaced(),
            Down::PleaseResend => self.resend_everything(),
            Down::SessionOver => self.session_over(),
        }
    }

    /// A line of the score sheet as the base has it.
    fn record(&mut self, recorded: &Recorded) {
        let tag = self.tag();
        if let Some(slot) = self.kept.sheet.record(tag, recorded) {
            self.persist(RecordKey::Line(slot));
            self.refresh();
        }
    }

    fn received(&mut self, number: EntryNumber, percentage: Option<Percentage>) {
        let Some(slot) = self
            .kept
            .sheet
            .mark(number, LineState::Received(percentage))
        else {
            return;
        };
        self.persist(RecordKey::Line(slot));
        self.live.to_say.rest_no_longer();
        if self.kept.settings.feedback == FeedbackLevel::Traveller
            && let Some(line) = self.kept.sheet.slot(slot)
            && line.entry.round == self.kept.progress.round
            && self.kept.sheet.unsent() == 0
        {
            self.live
                .to_say
                .ask_unasked(Question::Traveller(line.entry.board));
        }
    }

    fn entry_refused(&mut self, number: EntryNumber, reason: RefusalReason, now: Instant) {
        match reason {
            // For the moment only: the entry stays where it is.
            RefusalReason::Stopped | RefusalReason::DiskFailed | RefusalReason::SessionNotOpen => {
                self.live.to_say.rest(now);
            }
            RefusalReason::Replaced => self.replaced(),
            _ => {
                if let Some(slot) = self.kept.sheet.mark(number, LineState::Refused(reason)) {
                    self.persist(RecordKey::Line(slot));
                    if let Some(line) = self.kept.sheet.slot(slot) {
                        let board = line.entry.board;
                        self.attention(Flow::EntryRefused { board, reason });
                    }
                }
            }
        }
    }

    fn refused(&mut self, reason: RefusalReason) {
        // No refusal: the claim goes on asking until the director has answered.
        if reason == RefusalReason::AskingDirector && self.live.to_say.claim_waits() {
            return;
        }
        // An answer to the claim, and not to what the pad said before the players asked for it.
        if self.live.carried == Some(Ticket::Claim) && self.claim_refused(Some(reason)) {
            self.effects.sound = Some(Sound::Attention);
            return;
        }
        match reason {
            RefusalReason::Replaced => self.replaced(),
            RefusalReason::SessionOver => self.session_over(),
            _ => match self.live.flow {
                Flow::Traveller { .. }
                | Flow::HandRecord { .. }
                | Flow::Par { .. }
                | Flow::Ranking { .. } => self.live.feedback_refused = Some(reason),
                _ => {}
            },
        }
    }

    /// The base did not give the table that was asked for; false if none was.
    pub(super) fn claim_refused(&mut self, reason: Option<RefusalReason>) -> bool {
        let Some((claim, section, table)) = self.live.to_say.forget_claim() else {
            return false;
        };
        self.live.flow = Flow::LogOnRefused {
            claim,
            section,
            table,
            reason,
        };
        self.live.under = self.live.flow;
        true
    }

    /// The director lets the table enter a board that is not on its sheet.
    pub(super) fn board_allowed(&mut self, round: RoundNumber, board: BoardNumber) {
        if self.playing().is_none() || round != self.kept.progress.round {
            return;
        }
        if !self.round_boards().any(|one| one == board) {
            if self.kept.progress.allowed.is_full() {
                self.kept.progress.allowed.remove(0);
            }
            // There is room now.
            let _ = self.kept.progress.allowed.push(board);
        }
        let entry = Flow::Entry(Typing::new(round, board));
        // Something may lie over the players' waiting, a notice or the director's PIN.
        if waits_for(&self.live.under, board) {
            self.kept.progress.board = Some(board);
            self.live.under = entry;
        }
        if waits_for(&self.live.flow, board) {
            self.kept.progress.board = Some(board);
            self.live.flow = entry;
            self.effects.sound = Some(Sound::Attention);
        }
        self.persist(RecordKey::Progress);
    }

    /// The director has said no to a board, or it can't be.
    fn board_refused(&mut self, round: RoundNumber, board: BoardNumber, reason: RefusalReason) {
        if round != self.kept.progress.round {
            return;
        }
        self.kept
            .progress
            .allowed
            .retain(|allowed| *allowed != board);
        self.persist(RecordKey::Progress);
        let answer = Flow::OutOfRange {
            board,
            refused: Some(reason),
        };
        if waits_for(&self.live.under, board) {
            self.live.under = answer;
        }
        if waits_for(&self.live.flow, board) {
            self.live.flow = answer;
            self.effects.sound = Some(Sound::Attention);
        }
    }

    fn players_unknown(&mut self, round: RoundNumber, seats: [bool; 4]) {
        let typed = self
            .kept
            .players
            .as_ref()
            .map(|stored| stored.players.round);
        if self.playing().is_some() && typed == Some(round) {
            self.attention(Flow::UnknownPlayers { seats });
        }
    }

    fn scheduled(&mut self, rounds_total: RoundNumber, rounds: &[RoundSheet]) {
        if self.kept.game.is_none() {
            return;
        }
        self.rounds_are(rounds_total);
        for sheet in rounds {
            if let Some(slot) = self.kept.schedule.put(*sheet) {
                self.persist(RecordKey::Round(slot));
                if sheet.round == self.kept.progress.round {
                    self.round_changed(sheet);
                }
            }
        }
    }

    /// A round that had been dropped comes back: whoever reads that the evening is over reads where
    /// it goes on.
    pub(super) fn go_on(&mut self) {
        if self.playing().is_none() {
            return;
        }
        let home = self.home();
        for flow in [&mut self.live.flow, &mut self.live.under] {
            if matches!(flow, Flow::SessionEnd) {
                *flow = home;
            }
        }
    }

    /// The sheet of the round being played is new, or another one than before.
    fn round_changed(&mut self, sheet: &RoundSheet) {
        if self.kept.progress.ns != sheet.ns || self.kept.progress.ew != sheet.ew {
            self.kept.progress.ns = sheet.ns;
            self.kept.progress.ew = sheet.ew;
            self.persist(RecordKey::Progress);
        }
        self.refresh();
    }

    /// Puts the players at the right board, unless they are in the middle of something.
    fn refresh(&mut self) {
        let resting = |flow: &Flow| match flow {
            Flow::Entry(typing) => typing.is_empty() && !typing.by_director,
            Flow::BoardTyped { typed } => typed.is_empty(),
            Flow::RoundEnd | Flow::SitOut | Flow::Slip { .. } => true,
            _ => false,
        };
        if resting(&self.live.under) {
            let home = self.home();
            if resting(&self.live.flow) {
                self.live.flow = home;
            }
            self.live.under = home;
        } else if resting(&self.live.flow) {
            self.live.flow = self.home();
        }
    }

    fn answered(&mut self, feedback: &Feedback) {
        let board = match feedback {
            Feedback::Traveller { board, .. } => Some(*board),
            Feedback::HandRecord(record) => Some(record.board),
            Feedback::Ranking { .. } => None,
        };
        // Never about a board that this table has not finished, whatever the base says.
        if board.is_some_and(|board| self.finished_in(board).is_none()) {
            return;
        }
        self.live.feedback = Some(feedback.clone());
        self.live.feedback_refused = None;
        let resting = match &self.live.flow {
            Flow::Entry(typing) => typing.is_empty(),
            Flow::RoundEnd => true,
            _ => false,
        };
        if let (Feedback::Traveller { board, lines }, true, true) =
            (feedback, resting, self.live.to_say.unasked)
        {
            let top = super::over::top_of_own(lines);
            self.lay_over(Flow::Traveller { board: *board, top });
        } else if let (Flow::Traveller { board: shown, top }, Feedback::Traveller { board, lines }) =
            (&mut self.live.flow, feedback)
            && shown == board
        {
            *top = super::over::top_of_own(lines);
        }
    }

    /// Something that the players must read; it lies over what they do.
    fn attention(&mut self, flow: Flow) {
        if self.live.flow.is_directors() {
            // The director is not interrupted; it is read when the menu closes.
            self.live.waiting_over = Some(flow);
        } else {
            self.lay_over(flow);
        }
        self.effects.sound = Some(Sound::Attention);
    }

    fn replaced(&mut self) {
        if let Some(game) = &mut self.kept.game
            && matches!(game.stage, Stage::Playing | Stage::Over)
        {
            game.stage = Stage::Replaced;
            self.persist(RecordKey::Game);
            self.live.flow = Flow::Replaced;
            self.live.under = self.live.flow;
            self.effects.sound = Some(Sound::Attention);
        }
    }

    /// Marks everything for sending once more.
    pub(super) fn resend_everything(&mut self) {
        if self.kept.sheet.resend() == 0 {
            return;
        }
        for slot in 0..self.kept.sheet.slots() {
            self.persist(RecordKey::Line(slot));
        }
        self.live.to_say.resend();
    }

    fn session_over(&mut self) {
        if let Some(game) = &mut self.kept.game
            && game.stage == Stage::Playing
        {
            game.stage = Stage::Over;
            self.persist(RecordKey::Game);
            // A result that is being typed can still be agreed.
            let typing = |flow: &Flow| {
                matches!(flow, Flow::Check { .. } | Flow::AcceptPin { .. })
                    || matches!(flow, Flow::Entry(typing) if !typing.is_resting())
                    // Somebody is already logging on to the next one.
                    || matches!(
                        flow,
                        Flow::Section { .. }
                            | Flow::Table { .. }
                            | Flow::LoggingOn { .. }
                            | Flow::LogOnRefused { .. }
                            | Flow::OldResults
                    )
            };
            if !self.live.flow.is_over() && !typing(&self.live.flow) {
                self.live.flow = Flow::SessionEnd;
            }
            if !typing(&self.live.under) {
                self.live.under = Flow::SessionEnd;
            }
        }
    }
}

/// Whether the players wait for the director's word about this board.
fn waits_for(flow: &Flow, board: BoardNumber) -> bool {
    matches!(flow, Flow::OutOfRange { board: wanted, .. } if *wanted == board)
}
