//! The session: one owner of the game's state, told by a journal of events.
//!
//! [`Event`]s are what happened; [`State`] is a fold over them that can't fail. A [`Command`] of
//! the director is judged against the state and gives events or a refusal in words; what a pad
//! says is judged the same way and also gives answers for pads, which are released only when the
//! events are on disk. Nothing here does any IO or looks at a clock.

#![expect(
    clippy::unnested_or_patterns,
    reason = "groups of commands and events are patterns of their own, see `session::concerns`"
)]

mod admission;
mod announce;
mod answer;
mod called;
mod checklist;
mod club;
mod club_pads;
mod command;
mod competition;
mod concerns;
mod connector;
mod contest;
mod cores;
mod decide;
mod director_pin;
mod event;
mod fold;
mod ids;
mod interclub;
mod journal;
mod keeper;
mod kept_words;
mod large_field;
mod led;
mod line;
mod pad_says;
mod paper;
pub mod plan;
mod posts;
mod presence;
mod preview;
mod rehearsal;
mod repair;
mod roster;
mod salvage;
mod schedule;
mod sheets;
mod standings;
mod state;
mod stated;
mod stored;
mod trust;
mod warning;
mod worth;

pub use admission::Admission;
pub use checklist::{OpenPoint, OpenPointKind, checklist};
pub use club::{Club, Scheduled};
pub use club_pads::{ClubPad, ClubPads};
pub use command::{Command, Refused};
pub use competition::{
    Championship, ChampionshipCommand, ChampionshipEvent, ChampionshipId, ChampionshipPlan,
    Competition, CompetitionCommand, CompetitionEvent, CompetitionId, CompetitionPlan, FieldAt,
    FromStage, KnockOut, KnockOutCommand, KnockOutEvent, KnockOutId, KnockOutPlan, MatchPart,
    Meeting, NightPlayed, People, PlayedAt, StageAt, StagePlan, Taken, Takes, seeds_by_lot,
};
pub(crate) use concerns::{club_events, evening_events, pad_events, result_events};
pub use connector::{ConnectorCommand, ConnectorEvent, Link, LinkedSection, LinkedSession};
pub use contest::{
    Appeal, AtTables, ByHand, Contest, ContestCommand, ContestEvent, ContestMatch, ContestPlan,
    ContestantPlan, DrawAsked, DrawProposal, DrawWish, DrawnRound, Earlier, EarlierMatch,
    EarlyDraw, Format, LostMatch, MatchFinding, MatchOver, MatchSheet, NextStep, PlayerLine,
    TieBreak, WithdrawnMatches,
};
pub use cores::{
    of_apart, of_criterion, of_decided_by, of_instruction, of_movement_file, of_reason_of_draw,
    of_reason_of_movement, of_refused_movement,
};
pub use decide::{can_be_undone, check_name, is_printable};
pub use event::Event;
pub use ids::{Cell, EventId, Moment, PairId, Seq, TableId, Who};
pub use journal::{Journal, JournalError, MemoryJournal, NewRecord, Record};
pub use keeper::{Batch, Keeper, Outcome, Request};
pub use kept_words::{kept_answer, kept_outcome, kept_reasons, movement_name};
pub use large_field::{LargeBoard, LargeField};
pub use led::{Led, LedRound, RoundTaken};
pub use line::{EntryKey, Fate, KeptEntry, Line};
pub use pad_says::{Decision, Reply};
pub use presence::{Heard, Presence, SILENT_AFTER_MS};
pub use preview::{Preview, SittingChange};
pub use protocol::both_ends::BATTERY_LOW_20_MV;
pub use rehearsal::Rehearsal;
pub use repair::{Repair, RepairChoice};
pub use roster::{Player, Roster};
pub use salvage::Salvage;
pub use schedule::{Lateness, MISSING_TO_REPLACE};
pub use standings::{
    Below, PenaltyEffect, RankingList, RankingPlace, Scores, Standings, Traveller, TravellerLine,
};
pub use state::{
    Clock, ClockUntil, Lost, Pad, Penalty, Phase, Section, Session, Standing, State, Table,
};
pub use stated::{Released, Stated};
pub use trust::{DeviceKind, GivenEpoch, Joined, OwnPhone, Replacing, Trust};
pub use warning::{MatchTrouble, Settled, WarningId};

#[cfg(test)]
mod tests;
