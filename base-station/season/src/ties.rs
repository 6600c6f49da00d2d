//! Who is level, and what separates them.

use std::cmp::Ordering;

use serde::Serialize;

use crate::{Cell, Hundredths, TieOrder};

/// A step that separates contestants who are level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TieStep {
    /// Who played more sessions.
    MostSessions,
    /// Who has more sessions above so many percent.
    Above(i32),
    /// Who has the better of their best sessions, then of the next.
    BestSession,
    /// Who did better in the last session, then in the one before it.
    LastSession,
}

impl TieOrder {
    pub(crate) const fn steps(self) -> &'static [TieStep] {
        match self {
            Self::Shared => &[],
            Self::SabfPairs => &[
                TieStep::MostSessions,
                TieStep::Above(60),
                TieStep::Above(55),
                TieStep::Above(50),
            ],
            Self::BestSession => &[TieStep::BestSession],
            Self::LastSession => &[TieStep::LastSession],
        }
    }
}

impl TieStep {
    /// What it measures, compared item by item: the greater is the better.
    fn figures(self, cells: &[Cell]) -> Vec<i32> {
        let played = cells.iter().filter(|cell| cell.played.is_represented());
        match self {
            Self::MostSessions => vec![count(played)],
            Self::Above(percent) => {
                let limit = Hundredths::whole(percent);
                vec![count(
                    played.filter(|cell| cell.counted.is_some_and(|it| it > limit)),
                )]
            }
            Self::BestSession => {
                let mut scores: Vec<i32> = cells
                    .iter()
                    .filter_map(|cell| cell.counted)
                    .map(|it| it.0)
                    .collect();
                scores.sort_unstable_by_key(|score| std::cmp::Reverse(*score));
                scores
            }
            Self::LastSession => {
                let last_first = cells.iter().rev();
                last_first
                    .map(|cell| cell.counted.map_or(i32::MIN, |it| it.0))
                    .collect()
            }
        }
    }

    fn better(self, one: &[Cell], other: &[Cell]) -> Ordering {
        self.figures(other).cmp(&self.figures(one))
    }
}

fn count<'a>(cells: impl Iterator<Item = &'a Cell>) -> i32 {
    i32::try_from(cells.count()).unwrap_or(i32::MAX)
}

/// The first step that tells two apart, and which of them goes first.
pub(crate) fn apart(order: TieOrder, one: &[Cell], other: &[Cell]) -> (Ordering, Option<TieStep>) {
    for step in order.steps() {
        let ordering = step.better(one, other);
        if ordering.is_ne() {
            return (ordering, Some(*step));
        }
    }
    (Ordering::Equal, None)
}
