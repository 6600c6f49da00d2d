//! What a club awards for places, as the club manual counts it.

use scoring::regulations::ClubPoints;

use crate::{Night, PlayerKey};

/// A night of one table awards nothing.
const TABLES_LEAST: usize = 2;

/// Points of one session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Awarded {
    /// Whose.
    pub player: PlayerKey,
    /// How many.
    pub points: u32,
}

/// What a session awards. Each ranking list is ranked apart, and who played more than half of a
/// pair's boards gets what the pair earned.
pub fn club_points(night: &Night) -> Vec<Awarded> {
    if night.tables < TABLES_LEAST {
        return Vec::new();
    }
    let mut awarded = Vec::new();
    for line in &night.lines {
        let Some(rank) = line.rank else { continue };
        let level = night.lines.iter();
        let level = level.filter(|it| it.list == line.list && it.rank == Some(rank));
        let shared_by = u32::try_from(level.count()).unwrap_or(u32::MAX);
        let rule = ClubPoints {
            contestants: line.of,
            deals: line.boards,
        };
        let points = rule.award(rank, shared_by);
        if points > 0 {
            let players = line.players.iter().flatten().cloned();
            awarded.extend(players.map(|player| Awarded { player, points }));
        }
    }
    awarded
}
