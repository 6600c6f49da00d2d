//! Who goes on from a stage into the next one, and with what.

use contest::carried::Carried;
use contest::stages::over_stages;
use contest::standing::Line;
use protocol::words::SectionLetter;
use telling::tell;

use super::ContestantPlan;
use super::decide::contest_of;
use crate::session::decide::refuse;
use crate::session::{Refused, Session};

impl Session {
    /// The standing of a stage that has been played to its end, without those who went home.
    pub fn contest_stage(&self, section: SectionLetter) -> Result<Vec<Line>, Refused> {
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
        let mut lines = self.contest_standing(section);
        lines.retain(|line| !contest.has_gone(line.contestant));
        Ok(lines)
    }

    /// The best so many of a stage that has been played, with what a rule lets them bring along. Where
    /// stages before it count as well, by their places in all of them.
    pub fn contest_field(
        &self,
        section: SectionLetter,
        take: usize,
        carried: Carried,
        mut before: Vec<Vec<Line>>,
    ) -> Result<Vec<ContestantPlan>, Refused> {
        let contest = contest_of(self, section)?;
        let own = self.contest_stage(section)?;
        let mut lines = if before.is_empty() {
            own
        } else {
            let here = |line: &Line| own.iter().any(|it| it.contestant == line.contestant);
            before.push(own.clone());
            let all = over_stages(&before).into_iter().map(|it| it.line);
            all.filter(here).collect()
        };
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
        let lines: Vec<&Line> = lines.iter().collect();
        let brought = carried.brought(&lines).into_iter();
        let plans = brought.filter_map(|it| {
            let plan = contest.plan.contestant(it.contestant)?.clone();
            Some(ContestantPlan {
                carry_over: it.vp.0,
                carry_imps: it.imps.ten_thousandths(),
                // Tables are given anew.
                stationary: None,
                lost: None,
                apart: false,
                ..plan
            })
        });
        Ok(plans.collect())
    }
}
