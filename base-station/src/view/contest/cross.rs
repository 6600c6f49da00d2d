//! What everybody got against everybody, on all nights.

use contest::ContestantNumber;
use contest::standing::ScoredMatch;

use super::Names;
use super::shapes::{CrossCell, CrossLine};
use crate::contest;
use crate::session::ContestMatch;

impl Names<'_> {
    pub(super) fn cross_line(
        &self,
        number: ContestantNumber,
        earlier: &[ScoredMatch],
        matches: &[ContestMatch],
    ) -> CrossLine {
        let plan = &self.contest.plan;
        let bye_vp = f64::from(plan.rules.bye) / 100.0;
        let short = |round: u16| u8::try_from(round).unwrap_or(u8::MAX);
        let mut against = Vec::new();
        for own in earlier {
            let (side, opponent) = match number {
                number if number == own.home => (0, own.away),
                number if number == own.away => (1, own.home),
                _ => continue,
            };
            against.push(CrossCell {
                round: short(own.round),
                opponent: Some(opponent.get()),
                vp: Some(f64::from(own.sides[side].vp.0) / 100.0),
            });
        }
        let bye = |round: u16| CrossCell {
            round: short(round),
            opponent: None,
            vp: Some(bye_vp),
        };
        against.extend(plan.byes_before(number).map(bye));
        for own in matches {
            let (side, opponent) = match number {
                number if number == own.scored.home => (0, own.scored.away),
                number if number == own.scored.away => (1, own.scored.home),
                _ => continue,
            };
            against.push(CrossCell {
                round: short(own.scored.round + u16::from(plan.rounds_before())),
                opponent: Some(opponent.get()),
                vp: self.side(own, side).vp,
            });
        }
        let drawn = self.contest.rounds.iter();
        let drawn = drawn.filter(|(_, drawn)| drawn.draw.bye == Some(number));
        against.extend(drawn.map(|(round, _)| bye(plan.of_event(*round))));
        against.sort_by_key(|cell| cell.round);
        CrossLine {
            contestant: number.get(),
            name: self.name(number),
            against,
        }
    }
}
