//! Nights before this one: what they brought, and what is taken over from them.

use contest::ContestantNumber;
use contest::irregular::Decision;
use contest::standing::{ScoredMatch, SideScore};
use protocol::words::SectionLetter;

use super::{ContestPlan, Earlier, EarlierMatch};
use crate::scoring::{Points, VictoryPoints};
use crate::session::{Refused, Session};
use telling::tell;

impl ContestPlan {
    /// Matches of earlier nights.
    pub(super) fn earlier_matches(&self) -> impl Iterator<Item = ScoredMatch> + '_ {
        let earlier = self.earlier.iter().flat_map(|it| &it.matches);
        earlier.map(|own| ScoredMatch {
            round: u16::from(own.round),
            home: own.home,
            away: own.away,
            boards: own.boards,
            sides: [0, 1].map(|side| SideScore {
                vp: VictoryPoints(own.vp[side]),
                scored: Points::from_ten_thousandths(own.scored[side]),
                margin: Points::from_ten_thousandths(own.margin[side]),
            }),
            // What was decided then is settled: these are the victory points.
            decision: own.decided.then_some(Decision::Awarded {
                home: own.vp[0],
                away: own.vp[1],
            }),
            complete: true,
            begun: true,
        })
    }

    /// The matches of earlier nights: round of the event, home, away, victory points.
    pub fn earlier_results(
        &self,
    ) -> impl Iterator<Item = (u16, ContestantNumber, ContestantNumber, [VictoryPoints; 2])> + '_
    {
        let earlier = self.earlier.iter().flat_map(|it| &it.matches);
        earlier.map(|it| {
            (
                u16::from(it.round),
                it.home,
                it.away,
                it.vp.map(VictoryPoints),
            )
        })
    }

    /// What a contestant had won, less its penalties, before tonight.
    pub fn won_before(&self, number: ContestantNumber) -> VictoryPoints {
        let won = self.earlier_results().map(|(_, home, away, [own, other])| {
            if home == number {
                own.0
            } else if away == number {
                other.0
            } else {
                0
            }
        });
        let byes = self.earlier_byes(number).map(|_| self.rules.bye);
        let won: i32 = won.chain(byes).sum();
        VictoryPoints(won) - self.earlier_fines(number)
    }

    /// Rounds of earlier nights in which a contestant had no opponent.
    pub fn byes_before(&self, number: ContestantNumber) -> impl Iterator<Item = u16> + '_ {
        self.earlier_byes(number)
    }

    /// Rounds of earlier nights in which a contestant had no opponent.
    pub(super) fn earlier_byes(&self, number: ContestantNumber) -> impl Iterator<Item = u16> + '_ {
        let byes = self.earlier.iter().flat_map(|it| &it.byes);
        byes.filter(move |(_, who)| *who == number)
            .map(|(round, _)| u16::from(*round))
    }

    /// Penalties of earlier nights.
    pub(super) fn earlier_fines(&self, number: ContestantNumber) -> VictoryPoints {
        let fines = self.earlier.iter().flat_map(|it| &it.fines);
        let own = fines.filter(|(who, _)| *who == number);
        VictoryPoints(own.map(|(_, fine)| *fine).sum())
    }
}

impl Session {
    /// What this night and those before it brought, for the next one.
    pub fn contest_for_next_night(&self, section: SectionLetter) -> Result<ContestPlan, Refused> {
        let contest = self
            .contests
            .get(&section)
            .ok_or_else(|| Refused::because(tell!(Contest::ThatSectionNone { section })))?;
        let plan = &contest.plan;
        let unfinished = self.contest_matches(section);
        if let Some(open) = unfinished.iter().find(|it| !it.scored.complete) {
            return Err(Refused::because(tell!(Contest::NotFinishedThere {
                n: open.number,
                round: open.scored.round
            })));
        }
        let before = plan.earlier.as_ref();
        let rounds = u8::try_from(contest.rounds.len()).unwrap_or(u8::MAX);
        let mut matches = before.map_or_else(Vec::new, |it| it.matches.clone());
        matches.extend(unfinished.iter().map(|own| {
            let scored = &own.scored;
            let round = scored.round + u16::from(plan.rounds_before());
            EarlierMatch {
                round: u8::try_from(round).unwrap_or(u8::MAX),
                home: scored.home,
                away: scored.away,
                boards: scored.boards,
                vp: scored.sides.map(|side| side.vp.0),
                scored: scored.sides.map(|side| side.scored.ten_thousandths()),
                margin: scored.sides.map(|side| side.margin.ten_thousandths()),
                decided: scored.decision.is_some(),
            }
        }));
        let mut byes = before.map_or_else(Vec::new, |it| it.byes.clone());
        for (round, drawn) in &contest.rounds {
            let round = u8::try_from(plan.of_event(*round)).unwrap_or(u8::MAX);
            byes.extend(drawn.draw.bye.map(|who| (round, who)));
        }
        let fines = plan.contestants.iter().map(|it| {
            let all = self.fines_in_vp(section, it.number) + plan.earlier_fines(it.number);
            (it.number, all.0)
        });
        let earlier = Earlier {
            session: self.id,
            section,
            rounds: plan.rounds_before().saturating_add(rounds),
            matches,
            byes,
            fines: fines.filter(|(_, fine)| *fine != 0).collect(),
            offences: before
                .into_iter()
                .flat_map(|it| it.offences.iter().copied())
                .chain(contest.offences.iter().copied())
                .collect(),
            gone: plan
                .contestants
                .iter()
                .map(|it| it.number)
                .filter(|number| contest.has_gone(*number))
                .collect(),
        };
        Ok(ContestPlan {
            earlier: Some(earlier),
            play_offs: Vec::new(),
            ..plan.clone()
        })
    }
}
