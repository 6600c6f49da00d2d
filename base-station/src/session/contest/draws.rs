//! Proposing the next draw from what is in.

use contest::draw::{
    Draw, Drawn, Entrant, FirstRound, Meeting, Method, OddField, Rematches, Stationary, Wish,
    by_hand, draw, first_round,
};
use contest::{ContestantNumber, Refused as NoDraw};
use protocol::words::{RoundNumber, SectionLetter, TableNumber};
use scoring::VictoryPoints;

use super::{Contest, Format};
use crate::movement::draw::{Match, round_robin};
use crate::scoring;
use crate::session::kept_words::{of_contest, of_movement};
use crate::session::{Refused, Session};
use telling::tell;

/// A draw that could be published, with its reasons.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawProposal {
    /// For this round.
    pub round: RoundNumber,
    /// Who meets whom, and why.
    pub drawn: Drawn,
    /// How it was made; `None` by hand and from a chart.
    pub wish: Option<Wish>,
    /// What the other method would have drawn, where it differs.
    pub otherwise: Option<(Method, Draw)>,
    /// Matches that are not finished, so that the standing may change.
    pub unfinished: Vec<TableNumber>,
}

/// What the director wants drawn; what is left out is as the plan says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DrawWish {
    /// The round; the next one where it is left out.
    pub round: Option<RoundNumber>,
    /// The method.
    pub method: Option<Method>,
    /// For the first round.
    pub first: Option<FirstRound>,
    /// An odd field.
    pub odd: Option<OddField>,
    /// Rematches.
    pub rematches: Option<Rematches>,
    /// Matches by hand, home first; and who has the bye.
    pub by_hand: Option<ByHand>,
}

/// Matches, home first, and who has the bye.
type ByHand = (
    Vec<(ContestantNumber, ContestantNumber)>,
    Option<ContestantNumber>,
);

impl Session {
    /// Draws a round of a section; nothing happens. The seed decides what only a lot can.
    pub fn propose_draw(
        &self,
        section: SectionLetter,
        wanted: &DrawWish,
        seed: u64,
    ) -> Result<DrawProposal, Refused> {
        let contest = self
            .contests
            .get(&section)
            .ok_or_else(|| Refused::because(tell!(Contest::SectionPlaysNoMatches { section })))?;
        let round = wanted.round.or_else(|| contest.next_round());
        let round = round
            .filter(|round| round.get() <= contest.plan.rounds)
            .ok_or_else(|| {
                Refused::because(tell!(Contest::AllRoundsDrawn {
                    rounds: contest.plan.rounds
                }))
            })?;
        let entrants = self.entrants(section, contest, round);
        let unfinished = self.unfinished_before(section, round);
        let proposal = |drawn, wish, otherwise| DrawProposal {
            round,
            drawn,
            wish,
            otherwise,
            unfinished,
        };
        let told = |refused: NoDraw| Refused::because(of_contest(&refused.0));
        let mut wish = Wish {
            round: u16::from(round.get()),
            method: wanted.method.unwrap_or_default(),
            rematches: wanted.rematches.unwrap_or_default(),
            odd: wanted.odd.unwrap_or_default(),
            seed,
        };
        if let Some((matches, bye)) = &wanted.by_hand {
            let drawn = by_hand(&entrants, matches, *bye, &wish).map_err(told)?;
            return Ok(proposal(drawn, None, None));
        }
        let Format::Swiss {
            first,
            method,
            rematches,
            odd,
        } = contest.plan.format
        else {
            let (matches, bye) = chart_round(contest, round)?;
            let drawn = by_hand(&entrants, &matches, bye, &wish).map_err(told)?;
            return Ok(proposal(drawn, None, None));
        };
        wish.method = wanted.method.unwrap_or(method);
        wish.rematches = wanted.rematches.unwrap_or(rematches);
        wish.odd = wanted.odd.unwrap_or(odd);
        let first = wanted.first.unwrap_or(first);
        let seeded = first == FirstRound::SeededStart && round.get() == 2;
        if round == RoundNumber::FIRST || seeded && wanted.method.is_none() {
            let drawn = first_round(&entrants, first, &wish).map_err(told)?;
            return Ok(proposal(drawn, Some(wish), None));
        }
        let drawn = draw(&entrants, &wish).map_err(told)?;
        let other = match wish.method {
            Method::Swiss => Method::Classical,
            Method::Classical | Method::Danish => Method::Swiss,
        };
        let otherwise = draw(
            &entrants,
            &Wish {
                method: other,
                ..wish
            },
        );
        let otherwise = otherwise
            .ok()
            .filter(|it| !same_opponents(&it.draw, &drawn.draw))
            .map(|it| (other, it.draw));
        Ok(proposal(drawn, Some(wish), otherwise))
    }

    /// Everybody who can be drawn for a round, as they stand after the rounds before it.
    fn entrants(
        &self,
        section: SectionLetter,
        contest: &Contest,
        round: RoundNumber,
    ) -> Vec<Entrant> {
        let standing = self.contest_standing_before(section, contest, Some(round));
        let penalties = contest.plan.rules.penalties_in_draw;
        let playing = contest.playing(round).zip(1_u32..);
        let mut entrants: Vec<Entrant> = playing
            .map(|(plan, seed)| {
                let line = standing.iter().find(|it| it.contestant == plan.number);
                let vp = line.map_or(VictoryPoints(0), |line| {
                    if penalties {
                        line.vp
                    } else {
                        line.vp + line.fines
                    }
                });
                Entrant {
                    number: plan.number,
                    vp,
                    place: if round == RoundNumber::FIRST {
                        seed
                    } else {
                        line.map_or(seed, |line| line.place)
                    },
                    met: Vec::new(),
                    byes: 0,
                    triangles: 0,
                    forbidden: Vec::new(),
                    stationary: plan.stationary.map_or(Stationary::No, Stationary::At),
                    club: (!plan.club.is_empty()).then(|| plan.club.clone()),
                    home: 0,
                }
            })
            .collect();
        for (earlier, drawn) in contest.rounds.iter().filter(|(it, _)| **it < round) {
            for entrant in &mut entrants {
                entrant.byes += u16::from(drawn.draw.bye == Some(entrant.number));
                for pairing in &drawn.draw.matches {
                    let (opponent, home) = if pairing.home == entrant.number {
                        (pairing.away, 1)
                    } else if pairing.away == entrant.number {
                        (pairing.home, -1)
                    } else {
                        continue;
                    };
                    entrant.home += home;
                    entrant.met.push(Meeting {
                        opponent,
                        round: u16::from(earlier.get()),
                    });
                }
            }
        }
        entrants
    }
}

/// The matches of a round of everybody against everybody. In an odd field the place of the last
/// one, who is not there, is a bye.
fn chart_round(contest: &Contest, round: RoundNumber) -> Result<ByHand, Refused> {
    let field = contest.plan.contestants.len();
    let even = u16::try_from(field + field % 2).unwrap_or(u16::MAX);
    if even == 2 {
        let both = [0, 1].map(|at| contest.plan.contestants[at].number);
        return Ok((vec![(both[0], both[1])], None));
    }
    let chart =
        round_robin(even).map_err(|refused| Refused::because(of_movement(&refused.to_string())))?;
    let drawn = chart.rounds.get(usize::from(round.get()) - 1);
    let number = |place: ContestantNumber| {
        let at = usize::from(place.get()) - 1;
        let plan = contest.plan.contestants.get(at)?;
        let gone = contest.withdrawn.get(&plan.number);
        gone.is_none_or(|(from, _)| *from > round)
            .then_some(plan.number)
    };
    let mut matches = Vec::new();
    let mut byes = Vec::new();
    for contest in drawn.into_iter().flat_map(|it| &it.matches) {
        let Match::Versus(one, other) = contest else {
            continue;
        };
        match (number(*one), number(*other)) {
            (Some(home), Some(away)) => matches.push((home, away)),
            (Some(alone), None) | (None, Some(alone)) => byes.push(alone),
            (None, None) => {}
        }
    }
    // Two whose opponents have gone home meet: better than two byes, if they have not met yet.
    let bye = byes.pop();
    if let Some(other) = byes.first() {
        return Err(Refused::because(tell!(Contest::NoOpponentsRoundDraw {
            other,
            what: bye.map_or_else(String::new, |it| it.to_string()),
            round
        })));
    }
    Ok((matches, bye))
}

fn same_opponents(one: &Draw, other: &Draw) -> bool {
    let pairs = |draw: &Draw| {
        let matches = draw.matches.iter();
        let pairs = matches.map(|it| (it.home.min(it.away), it.home.max(it.away)));
        pairs.collect::<std::collections::BTreeSet<_>>()
    };
    pairs(one) == pairs(other)
}
