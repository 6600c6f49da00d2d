//! Who goes on from a stage into the next one, and with what.

use contest::carried::Carried;
use protocol::words::SectionLetter;
use telling::tell;

use super::ContestantPlan;
use super::decide::contest_of;
use crate::session::decide::refuse;
use crate::session::{Refused, Session};

impl Session {
    /// The best so many of a stage that has been played, with what a rule lets them bring along.
    pub fn contest_field(
        &self,
        section: SectionLetter,
        take: usize,
        carried: Carried,
    ) -> Result<Vec<ContestantPlan>, Refused> {
        let contest = contest_of(self, section)?;
        if let Some(round) = contest.next_round() {
            return refuse(tell!(Contest::RoundNotDrawn { round }));
        }
        let matches = self.contest_matches(section);
        if let Some(open) = matches.iter().find(|it| !it.scored.complete) {
            return refuse(tell!(Contest::NotFinishedThere {
                n: open.number,
                round: open.scored.round
            }));
        }
        let standing = self.contest_standing(section);
        let mut lines: Vec<_> = standing
            .iter()
            .filter(|line| !contest.has_gone(line.contestant))
            .collect();
        if !(2..=lines.len()).contains(&take) {
            return refuse(tell!(Contest::CannotGoOn { n: lines.len() }));
        }
        let shared = lines.get(take).map(|line| line.place);
        if shared == Some(lines[take - 1].place) {
            return refuse(tell!(Contest::LastPlaceShared {
                place: lines[take - 1].place
            }));
        }
        lines.truncate(take);
        let brought = carried.brought(&lines).into_iter();
        let plans = brought.filter_map(|it| {
            let plan = contest.plan.contestant(it.contestant)?.clone();
            Some(ContestantPlan {
                carry_over: it.vp.0,
                carry_imps: it.imps.ten_thousandths(),
                // Tables are given anew.
                stationary: None,
                lost: None,
                ..plan
            })
        });
        Ok(plans.collect())
    }
}
