//! Nights before this one: what they brought, and what is taken over from them.

use contest::ContestantNumber;
use contest::irregular::Decision;
use contest::standing::{ScoredMatch, SideScore};
use contest::stanzas::Stanzas;
use protocol::words::{RoundNumber, SectionLetter};

use super::plan::EarlierStanzas;
use super::{Contest, ContestMatch, ContestPlan, Earlier, EarlierMatch, Format, MatchSheet};
use crate::scoring::regulations::Rescored;
use crate::scoring::{Points, VictoryPoints};
use crate::session::{Refused, Session};
use telling::tell;

impl EarlierMatch {
    /// Whether two met in it.
    pub(super) fn is_between(&self, one: ContestantNumber, other: ContestantNumber) -> bool {
        [self.home, self.away] == [one, other] || [self.home, self.away] == [other, one]
    }

    /// What its boards came to.
    fn stanzas(&self) -> Stanzas {
        let points = |all: [i64; 2]| all.map(Points::from_ten_thousandths);
        let sums = Stanzas {
            scored: points(self.scored),
            margins: points(self.margin),
            ..Stanzas::default()
        };
        // Journals from before matches went on over nights say no more.
        self.stanzas.map_or(sums, |own| Stanzas {
            counted: own.counted,
            lost: own.lost,
            rescored: Rescored {
                won: own.won,
                points: own.points,
            },
            top: Points::from_ten_thousandths(own.top),
            ..sums
        })
    }
}

impl EarlierStanzas {
    fn of(sheet: &MatchSheet) -> Self {
        let (counted, lost, rescored, top) = match sheet {
            MatchSheet::Teams(own) => (own.counted, own.lost, own.rescored(), Points::ZERO),
            MatchSheet::Pairs(own) => (own.counted, own.lost, Rescored::default(), own.top),
        };
        Self {
            counted,
            lost,
            won: rescored.won,
            points: rescored.points,
            top: top.ten_thousandths(),
        }
    }
}

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
            // Journals from before decisions were handed on have the victory points of that night.
            decision: own.decision.or_else(|| {
                own.decided.then_some(Decision::Awarded {
                    home: own.vp[0],
                    away: own.vp[1],
                })
            }),
            complete: true,
            begun: true,
        })
    }

    /// The matches in stanzas that were begun on earlier nights and are not decided.
    pub(super) fn stanzas_before(&self) -> impl Iterator<Item = &EarlierMatch> + '_ {
        let earlier = self.earlier.iter().flat_map(|it| &it.matches);
        let in_stanzas = self.format == Format::HeadToHead;
        earlier.filter(move |it| in_stanzas && it.decision.is_none())
    }

    /// What the boards of two came to in stanzas of earlier nights, the first of them first.
    pub(super) fn begun_before(
        &self,
        home: ContestantNumber,
        away: ContestantNumber,
    ) -> Option<Stanzas> {
        let own = self.stanzas_before().filter(|it| it.is_between(home, away));
        own.map(|it| {
            let stanzas = it.stanzas();
            if it.home == home {
                stanzas
            } else {
                stanzas.turned()
            }
        })
        .reduce(Stanzas::with)
    }

    /// By how much home's margin is what the two brought along into their match.
    pub(super) fn brought_by(&self, home: ContestantNumber, away: ContestantNumber) -> Points {
        self.brought_imps(home) - self.brought_imps(away)
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

    /// How often a contestant played in a triangle on earlier nights.
    pub(super) fn earlier_triangles(&self, number: ContestantNumber) -> usize {
        let triangles = self.earlier.iter().flat_map(|it| &it.triangles);
        triangles.filter(|(_, who)| *who == number).count()
    }

    /// Penalties of earlier nights.
    pub(super) fn earlier_fines(&self, number: ContestantNumber) -> VictoryPoints {
        let fines = self.earlier.iter().flat_map(|it| &it.fines);
        let own = fines.filter(|(who, _)| *who == number);
        VictoryPoints(own.map(|(_, fine)| *fine).sum())
    }
}

impl Contest {
    /// Matches of earlier nights. Those of somebody who has gone home since, and whose matches don't
    /// stand, are forfeited as those of tonight are. A match in stanzas that goes on tonight, before
    /// this round, is one of tonight's.
    pub(super) fn earlier_matches(
        &self,
        before: Option<RoundNumber>,
    ) -> impl Iterator<Item = ScoredMatch> + '_ {
        let stanzas = self.plan.format == Format::HeadToHead;
        let tonight = if stanzas { self.fixtures() } else { Vec::new() };
        let goes_on = move |own: &ScoredMatch| {
            let mut tonight = tonight.iter();
            own.decision.is_none()
                && tonight.any(|it| {
                    before.is_none_or(|before| it.round < before)
                        && it.is_of(own.home)
                        && it.is_of(own.away)
                })
        };
        let earlier = self.plan.earlier_matches().map(move |mut own| {
            if stanzas && own.decision.is_none() {
                let brought = self.plan.brought_by(own.home, own.away);
                own.sides[0].margin += brought;
                own.sides[1].margin -= brought;
            }
            own
        });
        let earlier = earlier.filter(move |own| !goes_on(own));
        earlier.map(|own| ScoredMatch {
            decision: own
                .decision
                .or_else(|| self.cancelled_by_withdrawal([own.home, own.away])),
            ..own
        })
    }

    /// Whether forfeits and the like are settled: every round of the event is drawn.
    pub(super) fn is_settled(&self) -> bool {
        self.is_drawn() && self.plan.is_last_night()
    }
}

impl Session {
    /// The matches of earlier nights as they count now.
    pub fn contest_earlier(&self, section: SectionLetter) -> Vec<ScoredMatch> {
        let Some(contest) = self.contests.get(&section) else {
            return Vec::new();
        };
        let earlier = contest.earlier_matches(None).count();
        if earlier == 0 {
            return Vec::new();
        }
        let mut all = self.scored_before(section, contest, None);
        all.truncate(earlier);
        all
    }

    /// By what the score of somebody who drops in now is found: the rounds of the event that it did not
    /// play, and what the best of those has who did.
    pub fn contest_entry(&self, section: SectionLetter) -> (u16, VictoryPoints) {
        let Some(contest) = self.contests.get(&section) else {
            return (0, VictoryPoints::default());
        };
        let Some(next) = contest.next_round() else {
            return (0, VictoryPoints::default());
        };
        let standing = self.contest_standing_before(section, contest, Some(next));
        let mut played = standing.iter().filter(|line| line.matches > 0);
        let leader = played.next().map(|line| line.vp).unwrap_or_default();
        (contest.plan.of_event(next) - 1, leader)
    }

    /// What a contestant had won, less its penalties, before tonight.
    pub fn contest_won_before(
        &self,
        section: SectionLetter,
        number: ContestantNumber,
    ) -> VictoryPoints {
        let Some(contest) = self.contests.get(&section) else {
            return VictoryPoints::default();
        };
        let plan = &contest.plan;
        let earlier: Vec<ScoredMatch> = if plan.format == Format::HeadToHead {
            // A match that goes on is worth tonight what it is worth more than then.
            plan.earlier_matches().collect()
        } else {
            self.contest_earlier(section)
        };
        let won = earlier.into_iter().flat_map(|it| {
            let [home, away] = it.sides.map(|side| side.vp.0);
            [(it.home, home), (it.away, away)]
        });
        let won = won.filter(|(who, _)| *who == number).map(|(_, vp)| vp);
        let byes = plan.earlier_byes(number).map(|_| plan.rules.bye);
        VictoryPoints(won.chain(byes).sum()) - plan.earlier_fines(number)
    }

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
        // A match in stanzas is one match: what tonight says of it is all of it.
        let stanzas = plan.format == Format::HeadToHead;
        let tonight = |it: &EarlierMatch| {
            let mut tonight = unfinished.iter().map(|own| &own.scored);
            tonight.any(|own| it.is_between(own.home, own.away))
        };
        matches.retain(|it| !stanzas || it.decision.is_some() || !tonight(it));
        matches.extend(unfinished.iter().map(|own| plan.handed_on(own)));
        let mut byes = before.map_or_else(Vec::new, |it| it.byes.clone());
        let mut triangles = before.map_or_else(Vec::new, |it| it.triangles.clone());
        for (round, drawn) in &contest.rounds {
            let round = u8::try_from(plan.of_event(*round)).unwrap_or(u8::MAX);
            byes.extend(drawn.draw.bye.map(|who| (round, who)));
            let three = drawn.draw.triangle.into_iter().flatten();
            triangles.extend(three.map(|who| (round, who)));
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
            triangles,
            fines: fines.filter(|(_, fine)| *fine != 0).collect(),
            offences: before
                .into_iter()
                .flat_map(|it| it.offences.iter().copied())
                .chain(contest.offences.iter().copied())
                .collect(),
            numbers: contest.numbers_drawn(),
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

impl Session {
    /// The same where the nights before say something else than they did. Where they have other rounds
    /// than it knows of, it stays as it is.
    #[must_use]
    pub fn with_earlier(mut self, section: SectionLetter, earlier: Earlier) -> Self {
        let contest = self.contests.get_mut(&section);
        let known = contest.and_then(|it| it.plan.earlier.as_mut());
        if let Some(known) = known.filter(|it| it.rounds == earlier.rounds) {
            *known = earlier;
        }
        self
    }
}

impl ContestPlan {
    /// A match of tonight for the nights to come.
    fn handed_on(&self, own: &ContestMatch) -> EarlierMatch {
        let scored = &own.scored;
        let round = scored.round + u16::from(self.rounds_before());
        let goes_on = self.format == Format::HeadToHead && scored.decision.is_none();
        let mut margins = scored.sides.map(|side| side.margin);
        if goes_on {
            // What was brought along is with the contestants.
            let brought = self.brought_by(scored.home, scored.away);
            margins[0] -= brought;
            margins[1] += brought;
        }
        EarlierMatch {
            round: u8::try_from(round).unwrap_or(u8::MAX),
            home: scored.home,
            away: scored.away,
            boards: scored.boards,
            vp: scored.sides.map(|side| side.vp.0),
            scored: scored.sides.map(|side| side.scored.ten_thousandths()),
            margin: margins.map(Points::ten_thousandths),
            decided: scored.decision.is_some(),
            decision: scored.decision,
            stanzas: goes_on.then(|| EarlierStanzas::of(&own.sheet)),
        }
    }
}
