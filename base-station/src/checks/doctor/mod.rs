//! The movement doctor: from boards and pairs at unexpected tables over the whole room, the
//! mistake that explains them, and what to do about it.
//!
//! Each mistake that a room can make is played out on paper and gives a [`World`]: which
//! East-West pair and which boards every table has now. The world that explains what the pads
//! say best wins, if it does so clearly better than the plan with a few slips at single tables.
//!
//! Skips, special moves and all other moves of East-West leave the boards where they should be:
//! with pair confirmation off they can't be seen. Mistakes with boards are seen either way.

mod flow;
mod recognise;
mod remedy;
mod worlds;

use protocol::words::{RoundNumber, TableNumber};
use serde::{Deserialize, Serialize};

use super::finding::{Confidence, Finding, Remedy};
use super::room::{PairsSeen, Room};
use super::what::What;
use crate::movement::Movement;
use worlds::World;

pub use recognise::recognised;

/// What a room can do wrong between two rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mistake {
    /// East-West skipped a table a round before they should.
    SkipEarly,
    /// East-West did not skip when they should.
    SkipLate,
    /// The special move was made a round before it should.
    SpecialMoveEarly,
    /// The special move was not made when it should.
    SpecialMoveLate,
    /// East-West went two tables without a skip being due.
    EastWestTooFar,
    /// East-West stayed where they were.
    EastWestStayed,
    /// East-West went down instead of up.
    EastWestWrongWay,
    /// The bye-stand is one table too low.
    RelayTooLow,
    /// The bye-stand is one table too high.
    RelayTooHigh,
    /// The sets are fed in in the wrong order.
    FeedInsOutOfOrder,
    /// The boards went up instead of down.
    BoardsWrongWay,
    /// The boards stayed where they were.
    BoardsStayed,
    /// The table that should share has kept the boards of the round before.
    ShareMissing,
}

impl Mistake {
    /// Whether it moves only pairs, so that without pair confirmation nothing shows it.
    pub const fn needs_pair_confirmation(self) -> bool {
        matches!(
            self,
            Self::SkipEarly
                | Self::SkipLate
                | Self::SpecialMoveEarly
                | Self::SpecialMoveLate
                | Self::EastWestTooFar
                | Self::EastWestStayed
                | Self::EastWestWrongWay
        )
    }
}

/// What the doctor thinks has happened.
#[derive(Clone, Debug)]
pub struct Diagnosis {
    /// The mistake.
    pub mistake: Mistake,
    /// The round that began with it.
    pub since: RoundNumber,
    /// The round in which the room is.
    pub round: RoundNumber,
    /// Tables whose oddities it explains.
    pub explained: Vec<TableNumber>,
    /// The logarithm of its odds against the plan.
    log_odds: f64,
    /// What to do about it.
    remedies: Vec<Remedy>,
}

/// What one table being otherwise than expected costs, before the choice of where else it is.
const SLIP: f64 = -3.5;

/// What a mistake of the whole room costs before there is evidence.
const MISTAKE: f64 = -4.0;

/// The odds from which the director hears about it.
const TELL_FROM: f64 = 0.5;

/// The mistake that explains what this round's pads say, if there is one.
pub fn diagnose(room: &Room, round: RoundNumber) -> Option<Diagnosis> {
    let plan = worlds::planned(&room.movement, round)?;
    let evidence = Evidence::of(room, round);
    let as_planned = evidence.fits(&plan);
    let (mistake, since, world, fit) = worlds::all(&room.movement, round)
        .into_iter()
        .map(|(mistake, since, world)| {
            let fit = evidence.fits(&world);
            (mistake, since, world, fit)
        })
        .max_by(|one, other| one.3.total_cmp(&other.3).then(one.1.cmp(&other.1)))?;
    let log_odds = fit + MISTAKE - as_planned;
    if log_odds < TELL_FROM {
        return None;
    }
    let explained = evidence
        .tables
        .iter()
        .filter(|seen| seen.fit(&world, evidence.choices) > seen.fit(&plan, evidence.choices))
        .map(|seen| seen.table)
        .collect();
    Some(Diagnosis {
        mistake,
        since,
        round,
        explained,
        log_odds,
        remedies: remedy::remedies(room, round, (mistake, since), &world),
    })
}

/// The diagnosis as the director reads it.
pub(super) fn finding(room: &Room, diagnosis: &Diagnosis) -> Finding {
    let mut remedies = diagnosis.remedies.clone();
    remedies.push(Remedy::ItIsRight);
    Finding::at(
        room,
        (None, Some(diagnosis.round), None),
        What::MovementMistake {
            mistake: diagnosis.mistake,
            since: diagnosis.since,
            stand: stand(&room.movement),
            tables: diagnosis.explained.clone(),
        },
        Confidence::from_log_odds(diagnosis.log_odds),
        remedies,
    )
}

/// The tables between which the bye-stand belongs.
fn stand(movement: &Movement) -> Option<(TableNumber, TableNumber)> {
    let stand = movement.layout.bye_stands.first()?;
    Some(stand.between)
}

/// What the pads of a round say.
struct Evidence {
    tables: Vec<Seen>,
    /// How many places a board or a pair can be in by a slip: the more, the less likely one
    /// explains a particular place.
    choices: f64,
}

struct Seen {
    table: TableNumber,
    index: usize,
    pairs: Option<PairsSeen>,
    boards: Vec<protocol::words::BoardNumber>,
}

impl Evidence {
    fn of(room: &Room, round: RoundNumber) -> Self {
        let tables: Vec<Seen> = room
            .tables_heard()
            .filter_map(|table| {
                let seen = Seen {
                    table,
                    index: usize::from(table.get()) - 1,
                    pairs: room.pairs_at(table, round),
                    boards: room.boards_seen(table, round).into_iter().collect(),
                };
                (seen.pairs.is_some() || !seen.boards.is_empty()).then_some(seen)
            })
            .collect();
        let places = u32::try_from(room.movement.table_count()).unwrap_or(u32::MAX);
        Self {
            tables,
            choices: f64::from(places.max(2)).ln(),
        }
    }

    fn fits(&self, world: &World) -> f64 {
        self.tables
            .iter()
            .map(|seen| seen.fit(world, self.choices))
            .sum()
    }
}

impl Seen {
    /// How well what a table says fits a world: 0 if it does, negative if slips are needed.
    fn fit(&self, world: &World, choices: f64) -> f64 {
        let slip = SLIP - choices;
        let pairs = match self.pairs {
            Some(seen) if world.ew.get(self.index) != Some(&seen.ew) => slip,
            _ => 0.0,
        };
        let boards = world.boards.get(self.index);
        // One table with another set is one slip, however many of its boards it shows.
        let strange = self
            .boards
            .iter()
            .any(|board| boards.is_none_or(|due| !due.contains(*board)));
        pairs + if strange { slip } else { 0.0 }
    }
}
