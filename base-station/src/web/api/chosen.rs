//! A section with a movement that the director chooses, whatever the adviser would say.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU8;

use axum::Json;
use axum::extract::State;
use protocol::words::{BoardNumber, PairNumber, RoundNumber, TableNumber};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Answer;
use super::advice::{place, without};
use super::input::section;
use crate::movement::{BoardSet, Kind, Movement, Setup, Variant, generate};
use crate::session::plan::{SectionPlan, Sitting};
use crate::session::{Command, movement_name, of_movement_file, of_refused_movement};
use crate::web::{Body, Director, Problem, Web};
use telling::{Told, tell};

pub(super) fn routes() -> OpenApiRouter<Web> {
    OpenApiRouter::new()
        .routes(routes!(plan_chosen))
        .routes(routes!(picture_chosen))
}

/// A kind of Mitchell.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum ChosenVariant {
    /// East-West miss a table half-way.
    Skip,
    /// A bye-stand in the middle, two tables share.
    Share,
    /// More sets than tables.
    FeedIn,
}

/// A section and its movement, as the director wants it.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ChosenSection {
    #[schema(example = "A")]
    section: String,
    /// The colour of its cards and boards.
    #[serde(default)]
    colour: String,
    /// `mitchell`, `howell`, `hesitation`, `fat-mitchell`, `web`, `bowman-ewing`, `rover` or
    /// `interclub`; `file` for one that is written out.
    #[schema(example = "mitchell")]
    kind: String,
    /// The movement itself where the kind is `file`, as `byestand movement --text` writes it.
    file: Option<String>,
    /// Tables, a half one counted.
    #[schema(example = 12)]
    tables: u16,
    /// Boards in play.
    #[schema(example = 24)]
    boards: u8,
    /// Boards a round, where it matters.
    per_round: Option<u8>,
    /// Which Mitchell, where it matters.
    variant: Option<ChosenVariant>,
    /// Play ends after this round; all of them where it is left out.
    rounds: Option<u8>,
    /// The number of the first board; 1 where it is left out.
    first_board: Option<u8>,
    /// Where the missing pair of a half table would start, as `NS 12`.
    #[schema(example = "NS 12")]
    phantom: Option<String>,
    /// How the tables are numbered in the room, in the order of the movement's: `5-16`, or
    /// `3,1,2,4-12`; 1, 2, 3 and so on where it is left out.
    #[schema(example = "5-16")]
    table_numbers: Option<String>,
}

/// Who sits where with which boards, to be drawn.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct PictureSeat {
    #[schema(value_type = u16)]
    table: TableNumber,
    #[schema(value_type = u8)]
    round: RoundNumber,
    #[schema(value_type = Option<u16>)]
    ns: Option<PairNumber>,
    #[schema(value_type = Option<u16>)]
    ew: Option<PairNumber>,
    #[schema(value_type = Vec<u8>)]
    boards: Vec<BoardNumber>,
}

/// The room, round by round: who sits where, and where everything goes.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct Picture {
    #[schema(value_type = String)]
    title: Told,
    tables: usize,
    rounds: u8,
    /// Boards in play.
    boards: usize,
    seats: Vec<PictureSeat>,
    /// The movement of the director's choice as a file has it, before it is cut short or
    /// renumbered: to be changed, and sent again as `file`.
    #[serde(skip_serializing_if = "Option::is_none")]
    written: Option<String>,
}

/// The seats of some rounds of a plan, from the first one on.
pub(super) fn seats(sittings: &[Sitting], rounds: u8) -> Vec<PictureSeat> {
    let first = sittings.iter();
    first
        .filter(|sitting| sitting.round.get() <= rounds)
        .map(|sitting| PictureSeat {
            table: sitting.table,
            round: sitting.round,
            ns: sitting.ns,
            ew: sitting.ew,
            boards: sitting.boards.iter().collect(),
        })
        .collect()
}

/// Shows the room that a movement of the director's choice makes, and changes nothing.
#[utoipa::path(post, path = "/api/setup/picture", tag = "set-up", request_body = ChosenSection, responses((status = 200, body = Picture), (status = 409, body = crate::web::ProblemBody)))]
async fn picture_chosen(
    _director: Director,
    Body(chosen): Body<ChosenSection>,
) -> Result<Json<Picture>, Problem> {
    let planned = tokio::task::spawn_blocking(move || -> Result<Picture, Problem> {
        Ok(Picture {
            written: Some(chosen.movement()?.to_text()),
            ..Picture::of(&chosen.plan()?)
        })
    });
    Ok(Json(planned.await.map_err(Problem::fault)??))
}

impl Picture {
    pub(super) fn of(plan: &SectionPlan) -> Self {
        let boards: BTreeSet<BoardNumber> = plan
            .sittings
            .iter()
            .flat_map(|sitting| sitting.boards.iter())
            .collect();
        let tables: BTreeSet<TableNumber> = plan.sittings.iter().map(|it| it.table).collect();
        let rounds = plan.sittings.iter().map(|sitting| sitting.round.get());
        Self {
            title: movement_name(&plan.movement),
            tables: tables.len(),
            rounds: rounds.max().unwrap_or_default(),
            boards: boards.len(),
            seats: seats(&plan.sittings, u8::MAX),
            written: None,
        }
    }
}

/// Sets a section up with a movement of the director's choice.
#[utoipa::path(post, path = "/api/setup/chosen", tag = "set-up", request_body = ChosenSection, responses((status = 200, body = super::Done), (status = 409, body = crate::web::ProblemBody)))]
async fn plan_chosen(
    State(web): State<Web>,
    director: Director,
    Body(chosen): Body<ChosenSection>,
) -> Answer {
    let section = section(&chosen.section)?;
    // Some are sought for: off the async threads.
    let planned = tokio::task::spawn_blocking(move || chosen.plan());
    let plan = planned.await.map_err(Problem::fault)??;
    web.desk()
        .done(&director, Command::PlanSection { section, plan })
        .await
}

impl ChosenSection {
    fn plan(&self) -> Result<SectionPlan, Problem> {
        let movement = self.movement()?;
        let movement = match &self.phantom {
            None => movement,
            Some(missing) => without(&movement, place(missing)?)?,
        };
        let mut plan = SectionPlan::of(&movement, &self.colour);
        if let Some(last) = self.rounds.and_then(RoundNumber::new) {
            plan.sittings.retain(|sitting| sitting.round <= last);
            plan.announcements.retain(|call| call.after < last);
        }
        if let Some(first) = self.first_board.and_then(|first| first.checked_sub(1)) {
            for sitting in &mut plan.sittings {
                sitting.boards = moved(sitting, first)?;
            }
        }
        match self.table_numbers.as_deref().map(str::trim) {
            None | Some("") => Ok(plan),
            Some(numbers) => renumbered(plan, numbers),
        }
    }

    fn movement(&self) -> Result<Movement, Problem> {
        if let Some(text) = self.file.as_ref().filter(|_| self.kind == "file") {
            return Movement::from_text(text).map_err(|fault| {
                Problem::refused(tell!(Asked::MovementFileFault {
                    line: fault.line,
                    column: fault.column,
                    why: of_movement_file(&fault.problem)
                }))
            });
        }
        let mut kinds = Kind::ALL.into_iter();
        let kind = kinds
            .find(|kind| kind.name() == self.kind)
            .ok_or_else(|| Problem::unreadable(tell!(Asked::NoSuchKindMovement)))?;
        let setup = Setup {
            per_round: self.per_round.and_then(NonZeroU8::new),
            variant: self.variant.map(|variant| match variant {
                ChosenVariant::Skip => Variant::Skip,
                ChosenVariant::Share => Variant::Share,
                ChosenVariant::FeedIn => Variant::FeedIn,
            }),
            ..Setup::new(
                TableNumber::try_from(self.tables)?,
                BoardNumber::try_from(self.boards)?,
            )
        };
        generate(kind, setup).map_err(|refused| Problem::refused(of_refused_movement(&refused)))
    }
}

/// `5-16` or `3,1,2,4-12`, as table numbers.
fn numbers(text: &str) -> Option<Vec<TableNumber>> {
    let mut all = Vec::new();
    for part in text.split(',') {
        let (first, last) = part.split_once(['-', '–']).unwrap_or((part, part));
        let first: TableNumber = first.trim().parse().ok()?;
        let last: TableNumber = last.trim().parse().ok()?;
        all.extend((first.get()..=last.get()).filter_map(TableNumber::new));
    }
    Some(all)
}

/// The same movement at tables that have other numbers in the room.
fn renumbered(mut plan: SectionPlan, text: &str) -> Result<SectionPlan, Problem> {
    let tables: BTreeSet<TableNumber> = plan.sittings.iter().map(|it| it.table).collect();
    let expected = || Problem::unreadable(tell!(Asked::ExpectedTableNumbers { n: tables.len() }));
    let new = numbers(text).ok_or_else(expected)?;
    if new.len() != tables.len() || new.iter().collect::<BTreeSet<_>>().len() != new.len() {
        return Err(expected());
    }
    // What is called out counts tables upwards: that holds where they only begin later.
    let in_order = new.windows(2).all(|two| two[0].get() + 1 == two[1].get());
    if !in_order {
        plan.announcements.clear();
    }
    let of: BTreeMap<TableNumber, TableNumber> = tables.iter().copied().zip(new).collect();
    for sitting in &mut plan.sittings {
        if let Some(number) = of.get(&sitting.table) {
            sitting.table = *number;
        }
    }
    plan.sittings
        .sort_by_key(|sitting| (sitting.round, sitting.table));
    Ok(plan)
}

/// The same boards with numbers that begin later.
fn moved(sitting: &Sitting, by: u8) -> Result<BoardSet, Problem> {
    let boards = sitting.boards.iter().map(|board| {
        let number = board.get().checked_add(by).and_then(BoardNumber::new);
        number.ok_or_else(|| {
            Problem::refused(tell!(Asked::FirstBoardTooHigh {
                first: u32::from(by) + 1,
                most: u8::MAX
            }))
        })
    });
    boards.collect::<Result<Vec<_>, _>>().map(BoardSet::new)
}
