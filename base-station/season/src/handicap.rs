//! Handicaps from the results of a period.

use std::collections::BTreeMap;

use crate::{Hundredths, Night, PlayerKey};

/// How far handicaps reach, and in which steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale {
    /// Nobody has more, or less than minus as much.
    pub most: Hundredths,
    /// Multiples of this.
    pub step: Hundredths,
    /// Whoever has played fewer sessions gets none.
    pub sessions: u16,
}

/// A player's handicap, and what it rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Worked {
    /// Whose.
    pub player: PlayerKey,
    /// Sessions in the period.
    pub sessions: u16,
    /// Their mean.
    pub mean: Hundredths,
    /// 50 less the mean, on the scale; strong players have less than 0.
    pub handicap: Hundredths,
}

/// Everybody's handicap from these sessions.
pub fn worked_out(nights: &[&Night], scale: Scale) -> Vec<Worked> {
    let mut scores: BTreeMap<&PlayerKey, Vec<Hundredths>> = BTreeMap::new();
    for night in nights {
        for line in &night.lines {
            for player in line.players.iter().flatten() {
                let own = night.line_of(player).and_then(|own| own.percent);
                // Somebody who moved is in two lines, and counts once.
                if let Some(percent) = own.filter(|_| night.line_of(player) == Some(line)) {
                    scores.entry(player).or_default().push(percent);
                }
            }
        }
    }
    let worked = scores.into_iter().filter_map(|(player, scores)| {
        let sessions = u16::try_from(scores.len()).unwrap_or(u16::MAX);
        let mean = Hundredths::mean(&scores)?;
        (sessions >= scale.sessions).then(|| Worked {
            player: player.clone(),
            sessions,
            mean,
            handicap: scale.handicap(mean),
        })
    });
    worked.collect()
}

impl Scale {
    fn handicap(self, mean: Hundredths) -> Hundredths {
        let step = self.step.0.max(1);
        let exact = Hundredths::whole(50).0 - mean.0;
        // The nearest step, halves up.
        let steps = (2 * exact + step).div_euclid(2 * step);
        Hundredths((steps * step).clamp(-self.most.0, self.most.0))
    }
}
