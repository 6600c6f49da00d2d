//! What the director writes about events with stages.

use season::Shape;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::contest::carried::Carried;
use crate::contest::qualifying::{Passed, Taking};
use crate::session::{ChampionshipPlan, FromStage, StagePlan};

/// All championships.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct Championships {
    /// The latest first.
    pub(super) championships: Vec<ChampionshipLine>,
}

/// A championship in a line.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct ChampionshipLine {
    pub(super) id: u32,
    pub(super) name: String,
    /// How many stages it has.
    pub(super) stages: usize,
    /// It is put away.
    pub(super) away: bool,
}

/// A championship and its stages.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ChampionshipInput {
    #[schema(example = "State Teams")]
    pub(super) name: String,
    pub(super) stages: Vec<StageInput>,
}

/// A stage.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct StageInput {
    #[schema(example = "Final")]
    pub(super) name: String,
    /// Who plays it; left out, it has entries of its own.
    pub(super) from: Option<FromInput>,
    /// `single-knock-out`, `double-knock-out`, `final-five`; left out, matches in sessions.
    #[schema(value_type = Option<String>)]
    pub(super) knock_out: Option<Shape>,
}

/// Who goes on.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct FromInput {
    /// The stage they come from.
    pub(super) stage: u8,
    /// From this place on.
    #[serde(default = "one_of_all")]
    pub(super) first: u16,
    /// How many.
    #[schema(example = 5)]
    pub(super) take: u16,
    /// So many of each field, where the stage has several.
    #[serde(default)]
    pub(super) each_field: bool,
    /// What they bring along: `nothing`, `all`, `difference`, `wide-spread`, `itc-final`,
    /// `open-pairs`, `mixed-pairs`.
    #[serde(default)]
    #[schema(value_type = String, example = "mixed-pairs")]
    pub(super) carry: Carried,
    /// By points for the places in that stage and all before it.
    #[serde(default)]
    pub(super) by_places: bool,
}

const fn one_of_all() -> u16 {
    1
}

impl ChampionshipInput {
    pub(super) fn plan(self) -> ChampionshipPlan {
        let stages = self.stages.into_iter().map(|it| StagePlan {
            name: it.name,
            from: it.from.map(|from| FromStage {
                stage: from.stage,
                taking: Taking {
                    first: from.first,
                    take: from.take,
                    each_field: from.each_field,
                    carry: from.carry,
                },
                by_places: from.by_places,
            }),
            knock_out: it.knock_out,
        });
        ChampionshipPlan {
            name: self.name,
            stages: stages.collect(),
        }
    }
}

/// The championship that was begun.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub(super) struct BegunChampionship {
    /// Its number.
    pub(super) championship: u32,
}

/// Where a stage is played.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PlayedInput {
    /// One for each field, of several nights the last; empty: nowhere any more.
    pub(super) fields: Vec<FieldInput>,
}

/// A section of a session.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct FieldInput {
    pub(super) session: u32,
    #[schema(example = "A")]
    pub(super) section: String,
}

/// Somebody does not go on, or does after all.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PassedInput {
    /// Its field, from 1.
    #[serde(default = "first_field")]
    pub(super) field: u8,
    pub(super) contestant: u16,
    /// `not-contending`, `withdrawn`; left out, it goes on after all.
    #[schema(value_type = Option<String>)]
    pub(super) how: Option<Passed>,
    #[serde(default)]
    pub(super) why: String,
}

const fn first_field() -> u8 {
    1
}
