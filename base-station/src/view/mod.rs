//! What the page shows, as values: pure functions from the session's state to serialisable views.
//!
//! A page gets the whole [`View`] once, then [`Change`]s that hold only what differs.

mod announced;
mod board;
mod checks;
mod competition;
mod contest;
mod deal_words;
mod grid;
mod history;
mod line;
mod pads;
mod presets;
mod public;
mod ranking;
mod warning_words;
mod warnings;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use serde::Serialize;
use telling::Told;
use utoipa::ToSchema;

pub use announced::{AnnouncedLine, AnnouncedList, CountedIn};
pub use board::{BoardView, HandView, ParView, decimals};
pub use checks::{CheckView, checks};
pub use competition::{
    Audience, ChampionshipView, ComingView, CompetitionCell, CompetitionLine, CompetitionView,
    HonouredEvent, HonoursView, KnockOutMatch, KnockOutView, Nights, PlayersView, RulesForm,
    SessionLine, StageField, StageView, Stages, TakesForm, YearView,
};
pub use contest::{
    ContestView, CrossLine, EntryView, HalfView, MatchSheetView, MatchView, PlaceView, PlayerView,
    ProposalView, RegulationView, RoomView, RoundView, SideView, contestant_name,
};
pub use deal_words::of_deal_file;
pub use grid::{CellState, CellView, TableState, TableView};
pub use history::{ChangeView, concerns};
pub use line::{LineView, ResultKind, ResultView, amount_text, made, result_text, ruling_text};
pub use pads::{PadView, pad_name};
pub use presets::{PenaltyPreset, penalty_kinds, penalty_presets};
pub use ranking::{
    ListView, PenaltyView, RankingLineView, RankingStanding, RankingView, pair_names,
};
pub use warnings::{AnswerView, WarningKind, WarningView, settled, shown, warnings};

use crate::session::{
    ClockUntil, Moment, Phase, Presence, Seq, Session, State, TableId, movement_name,
};

/// Everything the director's page keeps in its head.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct View {
    /// The journal's last record that is in this picture.
    #[schema(value_type = u64)]
    pub seq: Seq,
    /// The base station's clock.
    #[schema(value_type = u64)]
    pub now_ms: Moment,
    /// The session being worked with.
    pub session: Option<SessionView>,
    /// Receiver and journal.
    pub lamps: Lamps,
    /// The round clock.
    pub clock: ClockView,
    /// Table by table.
    pub tables: Vec<TableView>,
    /// Cell by cell.
    pub cells: Vec<CellView>,
    /// What needs the director.
    pub warnings: Vec<WarningView>,
    /// Pads by table.
    pub pads: Vec<PadView>,
}

/// What differs from an earlier picture. Absent parts are as they were.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Change {
    /// The journal's last record that is in it.
    #[schema(value_type = u64)]
    pub seq: Seq,
    /// The base station's clock.
    #[schema(value_type = u64)]
    pub now_ms: Moment,
    /// Tables that differ.
    pub tables: Vec<TableView>,
    /// Cells that differ.
    pub cells: Vec<CellView>,
    /// Other parts that differ, whole.
    pub parts: Parts,
}

/// The parts of a picture that are small enough to send whole.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub struct Parts {
    /// The session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionView>,
    /// The lamps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lamps: Option<Lamps>,
    /// The clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock: Option<ClockView>,
    /// The warnings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warnings: Option<Vec<WarningView>>,
    /// The pads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pads: Option<Vec<PadView>>,
}

/// The session in words.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct SessionView {
    /// Its number.
    pub id: u32,
    /// The event's name.
    pub event: String,
    /// What people call the session.
    pub title: String,
    /// The day.
    pub date: String,
    /// `SettingUp`, `Open`, `Ended` or `Released`.
    #[schema(value_type = String)]
    pub phase: Phase,
    /// Whether pads may send.
    pub gate_open: bool,
    /// Whether results come on paper: chosen so, or found out.
    pub on_paper: bool,
    /// What the director last said to all tables.
    pub announced: Option<AnnouncedView>,
    /// Section by section.
    pub sections: Vec<SectionView>,
    /// How many boards have their cards attached.
    pub deals: usize,
    /// How many of them have double-dummy tricks and par, from the file or found here.
    pub deals_analysed: usize,
    /// Whether this program finds tricks by itself.
    pub finds_tricks: bool,
}

/// A message to the whole room.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct AnnouncedView {
    /// When it was sent.
    #[schema(value_type = u64)]
    pub at_ms: Moment,
    /// The director's own words.
    pub text: String,
}

/// A section in words.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct SectionView {
    /// Its letter.
    #[schema(value_type = String, example = "A")]
    pub letter: char,
    /// Its colour.
    pub colour: String,
    /// Its movement.
    #[schema(value_type = String)]
    pub movement: Told,
    /// Whether its tables may log on.
    pub open: bool,
    /// One ranking list or two.
    pub one_winner: bool,
    /// How many tables.
    pub tables: usize,
    /// How many rounds.
    pub rounds: u8,
    /// The round most tables are in.
    pub room_round: u8,
}

/// Good, bad or off, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Lamp {
    /// The colour, as a word.
    pub state: LampState,
    /// The sentence behind it.
    #[schema(value_type = String)]
    pub text: Told,
}

/// The colour of a lamp, as a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub enum LampState {
    /// Works.
    Good,
    /// Does not.
    Bad,
    /// Not wanted.
    Off,
}

/// The lamps of the page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Lamps {
    /// The radio receiver.
    pub receiver: Lamp,
    /// The journal on disk.
    pub journal: Lamp,
    /// The watchful base.
    pub watch: Lamp,
}

/// The round clock and what to say next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ClockView {
    /// Whether it runs.
    pub state: ClockState,
    /// The round.
    pub round: Option<u8>,
    /// When the round ends.
    #[schema(value_type = Option<u64>)]
    pub ends_ms: Option<Moment>,
    /// What was left when it was held.
    pub left_ms: Option<u64>,
    /// The room is warned this long before the end.
    pub warning_ms: u64,
    /// No board of a match is begun this long before the end.
    pub no_new_board_ms: u64,
    /// What the director announces at the end of this round.
    #[schema(value_type = Option<String>)]
    pub announce: Option<Told>,
    /// It is time to say so: the warning has sounded, or the time is over.
    pub announce_now: bool,
}

/// Whether the clock runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub enum ClockState {
    /// Not started.
    Off,
    /// Counting down.
    Running,
    /// Held by the director.
    Held,
}

impl View {
    /// The whole picture. `warnings` are those of [`warnings`], which take longer than all the
    /// rest: a page that is drawn many times a second is given the latest there are.
    pub fn of(
        state: &State,
        presence: &Presence,
        lamps: Lamps,
        warnings: Vec<WarningView>,
        now: Moment,
    ) -> Self {
        let mut view = Self {
            seq: state.seq,
            now_ms: now,
            session: None,
            lamps,
            clock: ClockView::off(),
            tables: Vec::new(),
            cells: Vec::new(),
            warnings: Vec::new(),
            pads: Vec::new(),
        };
        let Some(session) = &state.session else {
            return view;
        };
        view.warnings = warnings;
        let flagged = flagged_cells(&view.warnings);
        let mut shown = SessionView::of(state, session);
        view.clock = ClockView::of(session, now);
        view.pads = pads::pads(session, &state.club, presence);
        for (&letter, section) in &session.sections {
            let rounds = grid::table_rounds(session, letter, section);
            let pace = grid::Pace::of(session, &rounds, now);
            shown.sections.push(SectionView {
                letter: letter.letter(),
                colour: section.colour.clone(),
                movement: movement_name(&section.movement),
                open: !session.closed.contains(&letter),
                one_winner: section.one_winner,
                tables: rounds.len(),
                rounds: section.last_round().get(),
                room_round: grid::room_round(&rounds).get(),
            });
            for (&table, &round) in &rounds {
                let id = TableId {
                    section: letter,
                    table,
                };
                view.tables
                    .push(grid::table(&state.club, session, id, round));
                let sheets = section.sheets(table);
                view.cells.extend(
                    sheets.map(|sitting| grid::cell(session, id, sitting, round, pace, &flagged)),
                );
            }
        }
        view.session = Some(shown);
        view
    }

    /// What differs from an earlier picture; `None` where that is not worth telling apart (the
    /// room has other tables or rounds): then the whole picture is sent.
    pub fn since(&self, earlier: &Self) -> Option<Change> {
        let same_shape = self.tables.len() == earlier.tables.len()
            && self.cells.len() == earlier.cells.len()
            && self.session.is_some() == earlier.session.is_some()
            && self.session.as_ref().map(|session| session.id)
                == earlier.session.as_ref().map(|session| session.id)
            && (self.cells.iter().zip(&earlier.cells))
                .all(|(new, old)| (new.table, new.round) == (old.table, old.round));
        same_shape.then(|| Change {
            seq: self.seq,
            now_ms: self.now_ms,
            tables: differing(&self.tables, &earlier.tables),
            cells: differing(&self.cells, &earlier.cells),
            parts: Parts {
                session: (self.session != earlier.session)
                    .then(|| self.session.clone())
                    .flatten(),
                lamps: (self.lamps != earlier.lamps).then(|| self.lamps.clone()),
                clock: (self.clock != earlier.clock).then(|| self.clock.clone()),
                warnings: (self.warnings != earlier.warnings).then(|| self.warnings.clone()),
                pads: (self.pads != earlier.pads).then(|| self.pads.clone()),
            },
        })
    }
}

impl Change {
    /// Whether a page would look the same after it.
    pub const fn is_empty(&self) -> bool {
        self.tables.is_empty() && self.cells.is_empty() && self.parts.is_empty()
    }
}

impl Parts {
    const fn is_empty(&self) -> bool {
        self.session.is_none()
            && self.lamps.is_none()
            && self.clock.is_none()
            && self.warnings.is_none()
            && self.pads.is_none()
    }
}

fn differing<T: Clone + PartialEq>(new: &[T], old: &[T]) -> Vec<T> {
    let pairs = new.iter().zip(old);
    pairs
        .filter(|(new, old)| new != old)
        .map(|(new, _)| new.clone())
        .collect()
}

fn flagged_cells(warnings: &[WarningView]) -> BTreeSet<(TableId, protocol::words::RoundNumber)> {
    warnings
        .iter()
        .filter(|warning| !warning.answered)
        .filter_map(|warning| Some((warning.table?, warning.round?)))
        .collect()
}

impl SessionView {
    fn of(state: &State, session: &Session) -> Self {
        let scheduled = state.club.sessions.get(&session.id);
        Self {
            id: session.id.get(),
            event: state
                .club
                .event_name(session.id)
                .unwrap_or_default()
                .to_owned(),
            title: scheduled.map_or_else(String::new, |scheduled| scheduled.title.clone()),
            date: scheduled.map_or_else(String::new, |scheduled| scheduled.date.clone()),
            phase: session.phase,
            gate_open: session.gate_open,
            on_paper: session.is_on_paper(),
            announced: session.announced.as_ref().map(|(at, text)| AnnouncedView {
                at_ms: *at,
                text: text.clone(),
            }),
            sections: Vec::new(),
            deals: session.deals.len(),
            deals_analysed: session
                .deals
                .values()
                .filter(|deal| deal.tricks.is_some() && deal.par.is_some())
                .count(),
            finds_tricks: crate::double_dummy::IS_BUILT_IN,
        }
    }
}

impl ClockView {
    const fn off() -> Self {
        Self {
            state: ClockState::Off,
            round: None,
            ends_ms: None,
            left_ms: None,
            warning_ms: 0,
            no_new_board_ms: 0,
            announce: None,
            announce_now: false,
        }
    }

    fn of(session: &Session, now: Moment) -> Self {
        let Some(clock) = session.clock else {
            return Self::off();
        };
        let (state, ends_ms, left_ms) = match clock.until {
            ClockUntil::Ends(ends) => (ClockState::Running, Some(ends), None),
            ClockUntil::HeldWith(left) => (ClockState::Held, None, Some(left)),
        };
        let mut announcements: Vec<Told> = Vec::new();
        for call in session
            .sections
            .values()
            .flat_map(|section| section.calls_after(clock.round))
        {
            if !announcements.contains(&call) {
                announcements.push(call);
            }
        }
        let warning_ms = u64::from(session.timing.warning_minutes) * 60_000;
        let plays = |it: &&crate::session::Contest| it.rounds.contains_key(&clock.round);
        let contests = session.contests.values().filter(plays);
        let no_new_board = contests.map(|it| u64::from(it.plan.time().no_new_board));
        let is_near = ends_ms.is_some_and(|ends| now.plus_ms(warning_ms) >= ends);
        Self {
            state,
            round: Some(clock.round.get()),
            ends_ms,
            left_ms,
            warning_ms,
            no_new_board_ms: no_new_board.max().unwrap_or(0) * 60_000,
            announce_now: is_near && !announcements.is_empty(),
            announce: (!announcements.is_empty()).then(|| Told::sentences(announcements)),
        }
    }
}
