//! One order over several stages of an event: points for the place in each of them.

use std::collections::BTreeMap;

use scoring::{Points, VictoryPoints};

use crate::ContestantNumber;
use crate::points::ForPlaces;
use crate::standing::Line;

/// Somebody over several stages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OverStages {
    /// The place over all stages, and their victory points, penalties and net IMPs together; what was
    /// brought along from one to the next counts once.
    pub line: Line,
    /// Hundredths of a point for the place in each stage; none where it did not play.
    pub points: Vec<Option<i32>>,
}

impl OverStages {
    /// All points, in hundredths.
    pub fn total(&self) -> i32 {
        self.points.iter().flatten().sum()
    }

    /// What decides, the weightiest first: points, victory points, the same without penalties, net
    /// IMPs.
    fn figures(&self) -> (i32, VictoryPoints, VictoryPoints, Points) {
        let line = &self.line;
        (self.total(), line.vp, line.vp + line.fines, line.net)
    }
}

/// Everybody who played in one of the stages, the best first. Who is level in everything shares a
/// place; who shared one in a stage shares the points of the places.
pub fn over_stages(stages: &[Vec<Line>]) -> Vec<OverStages> {
    let mut all: BTreeMap<ContestantNumber, OverStages> = BTreeMap::new();
    for (at, stage) in stages.iter().enumerate() {
        for own in stage {
            let known = all.entry(own.contestant).or_insert_with(|| OverStages {
                line: Line {
                    place: 0,
                    contestant: own.contestant,
                    vp: VictoryPoints::default(),
                    fines: VictoryPoints::default(),
                    carry_over: VictoryPoints::default(),
                    matches: 0,
                    net: Points::ZERO,
                    ties: Vec::new(),
                    decided_by: None,
                },
                points: vec![None; stages.len()],
            });
            known.line.vp = known.line.vp + (own.vp - own.carry_over);
            known.line.fines = known.line.fines + own.fines;
            known.line.matches += own.matches;
            known.line.net += own.net;
            if let Some(points) = known.points.get_mut(at) {
                *points = Some(for_place(stage, own.place));
            }
        }
    }
    let mut all: Vec<OverStages> = all.into_values().collect();
    all.sort_by_key(|own| std::cmp::Reverse(own.figures()));
    let mut last = None;
    for (own, at) in all.iter_mut().zip(1..) {
        let figures = own.figures();
        own.line.place = match last {
            Some((known, place)) if known == figures => place,
            _ => at,
        };
        last = Some((figures, own.line.place));
    }
    all
}

/// The points of a place, shared by those who share it.
fn for_place(stage: &[Line], place: u32) -> i32 {
    let sharing = stage.iter().filter(|line| line.place == place).count();
    ForPlaces::StateTeamsStage.of(place, sharing)
}
