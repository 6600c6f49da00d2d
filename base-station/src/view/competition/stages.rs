//! The shapes in which events with stages reach pages.

use std::collections::BTreeSet;

use contest::carried::Carried;
use contest::qualifying::{Passed, Taking};
use season::Shape;
use serde::Serialize;
use telling::Told;
use utoipa::ToSchema;

use crate::session::FromStage;

/// An event with stages.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ChampionshipView {
    /// Its number.
    pub id: u32,
    /// What it is called.
    pub name: String,
    /// It is put away.
    pub away: bool,
    /// What comes next.
    #[schema(value_type = String)]
    pub next: Told,
    /// From the first to the last.
    pub stages: Vec<StageView>,
    /// Everybody, as far as stages are over; the winner first.
    pub places: Vec<FinalPlace>,
    /// Who has met whom in it, by name: a lot keeps them apart.
    #[serde(skip)]
    pub met: BTreeSet<(String, String)>,
}

/// A stage of it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct StageView {
    /// From 1.
    pub number: u8,
    /// "Qualifying".
    pub name: String,
    /// Who plays it; none where it has entries of its own.
    pub from: Option<FromView>,
    /// And who else plays it.
    pub also: Vec<FromView>,
    /// A knock-out is over when so many are left who have not lost.
    pub left: u16,
    /// The best of those who play it choose their opponents.
    pub choice: Option<ChoiceView>,
    /// The shape of a knock-out.
    #[schema(value_type = Option<String>)]
    pub knock_out: Option<Shape>,
    /// The knock-out that was drawn for it.
    pub drawn: Option<u32>,
    /// The competition over several sessions as which it is played.
    pub competition: Option<u32>,
    /// `to-come`, `ready` (its field is known, and it is not set up), `playing` or `over`.
    pub state: &'static str,
    /// Its fields, each with its standing.
    pub fields: Vec<StageField>,
    /// Who comes over from the stage before, by the results as they are now.
    pub coming: Vec<ComingView>,
    /// Why that can't be said.
    #[schema(value_type = Option<String>)]
    pub cannot: Option<Told>,
    /// What would be different by the results as they are now, where it was set up already.
    #[schema(value_type = Vec<String>)]
    pub otherwise: Vec<Told>,
}

/// Who chooses an opponent, and from whom.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct ChoiceView {
    /// The first so many.
    pub choosers: u16,
    /// From this place on.
    pub from: u16,
}

/// Where a stage takes its contestants from.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct FromView {
    /// The stage.
    pub stage: u8,
    /// From this place on.
    pub first: u16,
    /// So many.
    pub take: u16,
    /// So many of each field.
    pub each_field: bool,
    /// What they bring along.
    #[schema(value_type = String)]
    pub carry: Carried,
    /// By points for the places in all stages so far.
    pub by_places: bool,
    /// Of a knock-out those who lose in this round.
    pub losers_of: Option<u16>,
    /// In the order of what they did.
    pub ranked: bool,
}

impl FromView {
    pub(super) fn of(from: FromStage) -> Self {
        let Taking {
            first,
            take,
            each_field,
            carry,
        } = from.taking;
        Self {
            stage: from.stage,
            first,
            take,
            each_field,
            carry,
            by_places: from.by_places,
            losers_of: from.losers_of,
            ranked: from.ranked,
        }
    }
}

/// A field of a stage.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct StageField {
    /// The session of its last night; none of a competition over several sessions.
    pub session: Option<u32>,
    /// Its section there, or the category of a competition.
    #[schema(example = "A")]
    pub name: String,
    /// The best first.
    pub lines: Vec<StageLine>,
}

/// Somebody in a stage.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct StageLine {
    /// From 1; shared by equals.
    pub place: u32,
    /// Its number there.
    pub contestant: u16,
    /// A team's name, or a pair's players.
    pub name: String,
    /// Victory points.
    pub vp: f64,
    /// What of it was brought along.
    pub carry_over: f64,
    /// The later stage to which it goes.
    pub goes_to: Option<u8>,
    /// `not-contending` or `withdrawn`.
    #[schema(value_type = Option<String>)]
    pub passed: Option<Passed>,
}

/// Somebody who comes over into a stage.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct ComingView {
    /// The stage that it comes from.
    pub stage: u8,
    /// Its field there, from 1.
    pub field: u8,
    /// Its number there.
    pub contestant: u16,
    /// Its number here.
    pub number: u16,
    /// A team's name, or a pair's players.
    pub name: String,
    /// Its place there; who has the same one has been no better.
    pub place: u32,
    /// Victory points brought along.
    pub vp: f64,
    /// IMPs brought along.
    pub imps: f64,
    /// For somebody who withdrew.
    pub replaces: bool,
}

/// Somebody's place in the whole event.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct FinalPlace {
    /// `1`, `3=`; nothing while the stage is not over.
    pub place: String,
    /// A team's name, or a pair's players.
    pub name: String,
    /// The last stage that it played.
    pub stage: u8,
}
