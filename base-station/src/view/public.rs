//! What anyone may see while boards are in play: who plays where and what has arrived, and nothing
//! from which a card, a contract or a score could be read before everybody has played the board.

#![deny(
    clippy::wildcard_enum_match_arm,
    clippy::match_wildcard_for_single_variants
)]

use protocol::words::BoardNumber;

use super::{
    BoardView, ChangeView, LineView, ResultKind, ResultView, View, WarningView, flagged_cells,
};
use crate::session::plan::PenaltyAmount;
use crate::session::{Club, Event, Phase, Record, Session};
use telling::{Told, tell};

impl View {
    /// The picture for somebody who has not signed in.
    pub fn for_everybody(&self) -> Self {
        let released = self
            .session
            .as_ref()
            .is_some_and(|session| session.phase == Phase::Released);
        let warnings: Vec<WarningView> = self
            .warnings
            .iter()
            .filter(|warning| released || warning.for_everybody)
            .cloned()
            .map(WarningView::without_answers)
            .collect();
        // A flag is a hint as well.
        let flagged = flagged_cells(&warnings);
        let mut cells = self.cells.clone();
        for cell in &mut cells {
            cell.flagged = flagged.contains(&(cell.table, cell.round));
        }
        Self {
            cells,
            warnings,
            ..self.clone()
        }
    }
}

impl LineView {
    /// The line for somebody who has not signed in.
    pub fn for_everybody(self, session: &Session) -> Self {
        if session.everybody_has_played(self.board) {
            return self;
        }
        let result = match self.result.kind {
            ResultKind::Nothing | ResultKind::SitOut | ResultKind::LatePlay => self.result,
            ResultKind::Played
            | ResultKind::PassedOut
            | ResultKind::NotPlayed
            | ResultKind::Adjusted
            | ResultKind::Hidden
            | ResultKind::Written => ResultView {
                kind: ResultKind::Hidden,
                text: tell!(Ranking::ShownWhenEverybodyPlayed),
                ..ResultView::default()
            },
        };
        Self {
            result,
            score: None,
            ns_points: None,
            ew_points: None,
            ns_percent: None,
            ew_percent: None,
            ..self
        }
    }
}

impl BoardView {
    /// The board for somebody who has not signed in.
    pub fn for_everybody(mut self, session: &Session) -> Self {
        if session.everybody_has_played(self.board) {
            return self;
        }
        let lines = self.lines.into_iter();
        let mut lines: Vec<LineView> = lines.map(|line| line.for_everybody(session)).collect();
        // They came with the best result first.
        lines.sort_by_key(|line| (line.round, line.table));
        self.lines = lines;
        self.datum = None;
        self.datums.clear();
        self.hand = None;
        self
    }
}

impl ChangeView {
    /// A record in words for somebody who has not signed in; `None` where it is not theirs.
    pub fn for_everybody(club: &Club, session: &Session, record: &Record) -> Option<Self> {
        let change = Self::of(club, Some(session), record);
        if session.phase == Phase::Released {
            let Event::Penalised {
                amount,
                public: false,
                ..
            } = &record.event
            else {
                return Some(change);
            };
            // A warning is between the director and a pair, as on the ranking.
            let is_warning = matches!(amount, PenaltyAmount::Warning);
            return (!is_warning).then(|| change.without_reason());
        }
        match about(&record.event) {
            About::Boards(boards) => boards
                .iter()
                .all(|board| session.everybody_has_played(*board))
                .then(|| change.without_reason()),
            About::Room => Some(change.without_reason()),
            About::Private => None,
        }
    }

    /// What a director typed as a reason may name cards of any board.
    fn without_reason(mut self) -> Self {
        self.why = Told::nothing();
        self
    }
}

/// What a record tells about.
enum About {
    /// The results of boards.
    Boards(Vec<BoardNumber>),
    /// Pads, tables, movement, names: what everybody in the room sees anyway.
    Room,
    /// Words that may tell of a board which others have still to play.
    Private,
}

/// Whoever adds a kind of event says here who hears of it; in doubt nobody does.
fn about(event: &Event) -> About {
    match event {
        Event::Entered { entry, .. } | Event::EntryKept { entry, .. } => {
            About::Boards(vec![entry.board])
        }
        Event::Ruled { cell, .. } | Event::PairsCorrected { cell, .. } => {
            About::Boards(vec![cell.board])
        }
        Event::LineMoved { from, to, .. } => About::Boards(vec![from.board, to.board]),
        Event::FouledSet { board, .. } => About::Boards(vec![*board]),
        Event::PadAdmitted { .. }
        | Event::PadLoggedOff { .. }
        | Event::TableFreed { .. }
        | Event::PadsSwapped { .. }
        | Event::PadMoved { .. }
        | Event::PadSilent { .. }
        | Event::PadHeardAgain { .. }
        | Event::BatteryLow { .. }
        | Event::DirectorCalled { .. }
        | Event::CallSettled { .. }
        | Event::PlayersSeated { .. }
        | Event::BoardWanted { .. }
        | Event::BoardAllowed { .. }
        | Event::SectionPlanned { .. }
        | Event::SectionRemoved { .. }
        | Event::Opened
        | Event::GateSet { .. }
        | Event::SectionGateSet { .. }
        | Event::WayChosen(_)
        | Event::PlayEnded
        | Event::Released
        | Event::Reopened { .. }
        | Event::RoundEnded { .. }
        | Event::ClockStarted { .. }
        | Event::ClockHeld { .. }
        | Event::ClockGoesOn { .. }
        | Event::MovementChanged { .. }
        | Event::MovementRevised { .. }
        | Event::RoundTaken(_)
        | Event::PlayerNamed { .. }
        | Event::Undone { .. } => About::Room,
        Event::EventCreated { .. }
        | Event::EventRenamed { .. }
        | Event::SessionAdded { .. }
        | Event::SessionRenamed { .. }
        | Event::SessionChosen { .. }
        | Event::MembersListed { .. }
        | Event::MemberRenamed { .. }
        | Event::EpochGiven(_)
        | Event::PasswordSet { .. }
        | Event::ReadingAllowed { .. }
        | Event::CheckSet { .. }
        | Event::LocalTimeSet { .. }
        | Event::CorrectionPeriodSet { .. }
        | Event::BackupOpened { .. }
        | Event::OldEntryKept { .. }
        | Event::ScoringChosen(_)
        | Event::SettingsChanged(_)
        | Event::TimingChosen(_)
        | Event::DealsAttached { .. }
        | Event::DealAnalysed { .. }
        | Event::NoticeSent { .. }
        | Event::PairsSeen { .. }
        | Event::KeptEntryUsed { .. }
        | Event::KeptEntryIgnored { .. }
        | Event::Penalised { .. }
        | Event::WarningAnswered { .. }
        | Event::TrustChanged(_)
        | Event::Replacing(_)
        | Event::Contest(_)
        | Event::JournalRescued(_)
        | Event::BoardRefused(_)
        | Event::DirectorPinSet(_)
        | Event::Connector(_)
        | Event::ClubNamed(_)
        | Event::Competition(_) => About::Private,
    }
}
