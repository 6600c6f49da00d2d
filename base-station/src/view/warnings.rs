//! What needs the director, as the page shows it: words and buttons for the values of the watch.

use protocol::words::{BoardNumber, RoundNumber};
use serde::Serialize;
use telling::{Told, Voice};
use utoipa::ToSchema;

use super::warning_words::{label, sentence};
use crate::checks::{Attention, What};
use crate::session::{Moment, Presence, Settled, State, TableId};
use crate::watch::{self, Cause, Offer, Warning, Watchful};

/// Something that needs the director.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct WarningView {
    /// Its own key: the same warning has the same key all evening.
    pub key: String,
    /// What it is about.
    pub kind: WarningKind,
    /// Where.
    #[schema(value_type = Option<String>, example = "A7")]
    pub table: Option<TableId>,
    /// When.
    #[schema(value_type = Option<u8>)]
    pub round: Option<RoundNumber>,
    /// Which board.
    #[schema(value_type = Option<u8>)]
    pub board: Option<BoardNumber>,
    /// What is wrong and what to do, in words.
    #[schema(value_type = String)]
    pub text: Told,
    /// One-click answers, the likeliest first.
    pub answers: Vec<AnswerView>,
    /// The director has dealt with it.
    pub answered: bool,
    /// The check that found it, by its name in the settings.
    #[schema(example = "lead-not-held")]
    pub check: Option<String>,
    /// How sure the base is, in percent.
    pub confidence: Option<u8>,
    /// The director wants it listed only: no sound, no box.
    pub quiet: bool,
    /// Whether anyone may read it while boards are in play.
    #[serde(skip)]
    #[schema(ignore)]
    pub(super) for_everybody: bool,
}

/// What a warning is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, ToSchema)]
pub enum WarningKind {
    /// A pad wants to replace one that works.
    ReplaceAsked,
    /// Three or more boards of a table are missing.
    ReplaceAdvised,
    /// A pad has not been heard.
    PadSilent,
    /// A board's time is over and it is not in.
    BoardMissing,
    /// A replaced or late pad still held a result.
    EntryKept,
    /// A table wants to enter a board that is not on its sheet.
    BoardWanted,
    /// The players say they are other pairs than the movement says.
    OtherPairs,
    /// The whole room has moved otherwise than planned.
    Movement,
    /// A result looks wrong.
    Result,
    /// Two players have the same number.
    SamePlayer,
    /// A pad's cells need changing.
    BatteryLow,
    /// The deal file is that of other boards.
    DealsDoNotFit,
    /// A match looks wrong.
    InMatch,
}

/// An answer: a button, and what the page asks the base to do for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct AnswerView {
    /// What the button says.
    #[schema(value_type = String)]
    pub label: Told,
    /// What pressing it does: posted to `/api/warnings/answer` together with the key.
    pub answer: String,
    /// It changes the movement: ask `/api/warnings/preview` what that means before.
    pub changes_movement: bool,
    /// It changes a score: who was asked can be said with it.
    pub changes_score: bool,
    /// It says that nothing was wrong.
    pub false_alarm: bool,
}

/// Everything that needs the director now, looked at anew in every respect.
pub fn warnings(state: &State, presence: &Presence, now: Moment) -> Vec<WarningView> {
    shown(state, &watch::warnings(state, presence, now))
}

/// Warnings as the page lists them: what waits first, what is listed only behind the rest.
pub fn shown(state: &State, warnings: &[Warning]) -> Vec<WarningView> {
    let shown = warnings
        .iter()
        .map(|warning| WarningView::of(state, warning));
    let mut shown: Vec<WarningView> = shown.collect();
    shown.sort_by(|one, other| {
        (one.answered, one.quiet, one.kind, one.table, &one.key).cmp(&(
            other.answered,
            other.quiet,
            other.kind,
            other.table,
            &other.key,
        ))
    });
    shown
}

impl Watchful {
    /// Everything that needs the director now, as the page lists it.
    pub fn shown(&mut self, state: &State, presence: &Presence, now: Moment) -> Vec<WarningView> {
        shown(state, &self.warnings(state, presence, now))
    }
}

/// How an answer is noted in the journal.
pub fn settled(offer: &Offer) -> Settled {
    // The journal keeps it in English.
    offer
        .answer
        .settles(label(&offer.answer).in_words(Voice::default()))
}

impl WarningView {
    fn of(state: &State, warning: &Warning) -> Self {
        let place = warning.cause.place();
        Self {
            key: warning.id.to_string(),
            kind: WarningKind::of(&warning.cause),
            table: place.table,
            round: place.round,
            board: place.board,
            text: state.calling(sentence(&warning.cause)),
            answers: warning.offers.iter().map(AnswerView::of).collect(),
            answered: warning.is_settled(),
            check: warning.id.check().map(|kind| kind.to_string()),
            confidence: match &warning.cause {
                Cause::Found(finding) => Some(finding.confidence.get()),
                _ => None,
            },
            quiet: warning.attention == Attention::Quiet,
            for_everybody: warning.cause.says_nothing_of_cards(),
        }
    }

    /// Answers name contracts, and are for the director to give.
    pub(super) fn without_answers(mut self) -> Self {
        self.answers.clear();
        self
    }
}

impl AnswerView {
    fn of(offer: &Offer) -> Self {
        Self {
            label: label(&offer.answer),
            answer: offer.answer.name(),
            changes_movement: offer.answer.changes_movement(),
            changes_score: offer.answer.changes_score(),
            false_alarm: offer.answer.is_false_alarm(),
        }
    }
}

impl WarningKind {
    const fn of(cause: &Cause) -> Self {
        match cause {
            Cause::ReplaceAsked { .. } => Self::ReplaceAsked,
            Cause::ReplaceAdvised { .. } => Self::ReplaceAdvised,
            Cause::PadSilent { .. } => Self::PadSilent,
            Cause::BoardMissing(_) | Cause::LostWithPad { .. } => Self::BoardMissing,
            Cause::EntryKept { .. } => Self::EntryKept,
            Cause::BoardWanted(_) => Self::BoardWanted,
            Cause::OtherPairs { .. } => Self::OtherPairs,
            Cause::SamePlayer { .. } => Self::SamePlayer,
            Cause::BatteryLow { .. } => Self::BatteryLow,
            Cause::InMatch(_) => Self::InMatch,
            Cause::Found(finding) => match finding.what {
                What::OtherPairs { .. } => Self::OtherPairs,
                What::MovementMistake { .. } => Self::Movement,
                What::DealsDoNotFit { .. } => Self::DealsDoNotFit,
                _ => Self::Result,
            },
        }
    }
}
