//! What the director writes about events with stages.

use season::{Choice, Shape};
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
    /// And who else, where they come from several stages.
    #[serde(default)]
    pub(super) also: Vec<FromInput>,
    /// A single knock-out is over when so many are left who have not lost: 2, and they and others play
    /// on in a stage behind it.
    #[serde(default = "one_of_all")]
    #[schema(example = 1)]
    pub(super) left: u16,
    /// The best choose their opponents before it is drawn.
    pub(super) choice: Option<ChoiceInput>,
    /// `single-knock-out`, `double-knock-out`, `final-five`, `one-round` (a match each); left out, matches
    /// in sessions.
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
    #[serde(default)]
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
    /// Instead of places: those who lose in this round of a knock-out.
    pub(super) losers_of: Option<u16>,
    /// In the order of what they did: by the size of their win or their loss in a knock-out, by their
    /// figures where they are the best of several fields.
    #[serde(default)]
    pub(super) ranked: bool,
}

/// Who chooses an opponent, and from whom.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ChoiceInput {
    /// The first so many; 0 where all meet best against worst.
    #[schema(example = 3)]
    choosers: u16,
    /// From this place on.
    #[schema(example = 4)]
    from: u16,
}

impl FromInput {
    const fn read(self) -> FromStage {
        FromStage {
            stage: self.stage,
            taking: Taking {
                first: self.first,
                take: self.take,
                each_field: self.each_field,
                carry: self.carry,
            },
            by_places: self.by_places,
            losers_of: self.losers_of,
            ranked: self.ranked,
        }
    }
}

/// How a knock-out of a stage is drawn.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct DrawStage {
    /// Who plays it, the strongest first, where it has entries of its own.
    #[serde(default)]
    pub(super) entrants: Vec<String>,
    /// The seed of the lot between those who have the same place; a new one where it is left out.
    pub(super) seed: Option<u64>,
    /// Where the best choose their opponents: whom each of them chose, by number; none where nobody was
    /// there to choose.
    #[serde(default)]
    pub(super) picks: Vec<Option<u16>>,
    /// By hand: everybody's number, the strongest first; in one round those who meet behind each other.
    #[serde(default)]
    pub(super) order: Vec<u16>,
}

/// Choices so far.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PicksInput {
    /// Whom each of them chose, by number; none where nobody was there to choose.
    #[serde(default)]
    pub(super) picks: Vec<Option<u16>>,
}

/// Who chooses now, or who meets whom.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct ChoosingView {
    /// Whose choice it is, by number; none where everybody has an opponent.
    pub(super) by: Option<u16>,
    /// Whom it may choose.
    pub(super) from: Vec<u16>,
    /// Everybody's opponent.
    pub(super) pairs: Vec<[u16; 2]>,
}

const fn one_of_all() -> u16 {
    1
}

impl ChampionshipInput {
    pub(super) fn plan(self) -> ChampionshipPlan {
        let stages = self.stages.into_iter().map(|it| StagePlan {
            name: it.name,
            from: it.from.map(FromInput::read),
            also: it.also.into_iter().map(FromInput::read).collect(),
            knock_out: it.knock_out,
            left: it.left,
            choice: it.choice.map(|choice| Choice {
                choosers: choice.choosers,
                from: choice.from,
            }),
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
    #[serde(default)]
    pub(super) fields: Vec<FieldInput>,
    /// Instead: it is a competition over several sessions of pairs that enter; its categories are the
    /// fields.
    pub(super) competition: Option<u32>,
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
