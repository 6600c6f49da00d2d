//! Proposing the next draw from what is in.

use contest::draw::{
    Draw, Drawn, Entrant, FirstRound, Meeting, Method, OddField, Rematches, Stationary, Wish,
    by_hand, draw, first_round, with_drop_ins,
};
use contest::{ContestantNumber, Lot};
use protocol::words::{RoundNumber, SectionLetter, TableNumber};
use scoring::regulations::{KnockOut, TeamNumber, rank_entering_swiss};
use scoring::{Points, VictoryPoints};

use contest::standing::Line as StandingLine;

use super::charts::chart_round;
use super::{Contest, ContestantPlan, EarlyDraw, Format};
use crate::scoring;
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
    /// What is certain of it all the same.
    pub early: Option<EarlyDraw>,
}

impl DrawProposal {
    /// The part of the draw that is certain, where somebody has to wait for the rest.
    pub fn certain(&self, contest: &Contest) -> Option<Draw> {
        let early = self.early.as_ref()?;
        let mut draw = Draw {
            matches: early.certain.clone(),
            waiting: early.waiting.clone(),
            ..Draw::default()
        };
        contest.completed(self.round, &mut draw);
        Some(draw)
    }
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
    /// Matches as the director wrote them down.
    pub by_hand: Option<ByHand>,
    /// Those who come new in this round meet the best of the others: the k-th of the Swiss the
    /// k-th dropping in.
    pub drop_ins: bool,
}

/// Matches as the director wrote them down.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ByHand {
    /// Home first.
    pub matches: Vec<(ContestantNumber, ContestantNumber)>,
    /// Who has no opponent.
    pub bye: Option<ContestantNumber>,
    /// Three who begin a triangle; one that goes on need not be named.
    pub triangle: Option<[ContestantNumber; 3]>,
}

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
            .filter(|round| round.get() <= contest.plan.last_round())
            .ok_or_else(|| {
                Refused::because(tell!(Contest::AllRoundsDrawn {
                    rounds: contest.plan.last_round()
                }))
            })?;
        let wanted = &contest.wished(round, wanted);
        let goes_on = contest.triangle_goes_on(round);
        let numbers = self.chart_numbers(section, contest, round);
        let standing = self.contest_standing_for_draw(section, contest, round);
        let mut entrants = contest.entrants(round, &standing);
        entrants.retain(|it| {
            goes_on.is_none_or(|three| !three.contains(&it.number))
                && contest.waits(round, it.number)
        });
        let again = self.play_on(section, contest, round);
        if let Some(again) = &again {
            entrants.retain(|it| again.iter().any(|two| [two.0, two.1].contains(&it.number)));
        }
        let wanted = &DrawWish {
            by_hand: wanted.by_hand.clone().or_else(|| {
                again.map(|matches| ByHand {
                    matches,
                    ..ByHand::default()
                })
            }),
            ..wanted.clone()
        };
        let (mut drawn, wish, otherwise) =
            found(contest, round, &entrants, wanted, seed, &numbers)?;
        if contest.is_renumbered_in(round) {
            drawn.draw.numbers.clone_from(&numbers);
        }
        drawn.draw.triangle = goes_on.or(drawn.draw.triangle);
        if contest.plan.format == Format::AmericanWhist {
            drawn.draw.halves = contest.whist_tables(round);
        } else if let Some(three) = drawn.draw.triangle {
            let planned = match contest.plan.format {
                Format::Swiss { odd, .. } => odd,
                Format::RoundRobin
                | Format::Troikas
                | Format::ButlerChart { .. }
                | Format::AmericanWhist
                | Format::HeadToHead
                | Format::Movement
                | Format::TwoFields => OddField::Triangle,
            };
            let short = wanted.odd.unwrap_or(planned) == OddField::ShortTriangle;
            if goes_on.is_none() && !short && round.get() == contest.plan.rounds {
                return Err(Refused::because(tell!(Contest::TriangleLast)));
            }
            drawn.draw.halves = if short {
                contest.short_triangle_tables(round, three, &drawn.draw)
            } else {
                contest.triangle_tables(round, three, &drawn.draw)
            };
        }
        let unfinished = self.unfinished_before(section, round);
        // Numbers by placing wait for every match.
        let early = if unfinished.is_empty() || contest.is_renumbered_in(round) {
            None
        } else {
            self.early(section, contest, round, wanted, (&drawn.draw, seed))
        };
        let new = drawn.draw.matches.len();
        contest.completed(round, &mut drawn.draw);
        drawn
            .passed_over
            .resize(drawn.draw.matches.len(), Vec::new());
        if drawn.draw.matches.len() > new {
            // The reasons belong to the part that is drawn now, whatever its tables are.
            drawn.passed_over.clear();
        }
        Ok(DrawProposal {
            round,
            drawn,
            wish,
            otherwise,
            unfinished,
            early,
        })
    }
}

impl Contest {
    /// Everybody who can be drawn for a round, as they stand after the rounds before it.
    pub(super) fn entrants(&self, round: RoundNumber, standing: &[StandingLine]) -> Vec<Entrant> {
        let contest = self;
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
                    vp,
                    place: if contest.plan.of_event(round) == 1 {
                        seed
                    } else {
                        line.map_or(seed, |line| line.place)
                    },
                    byes: u16::try_from(contest.plan.earlier_byes(plan.number).count())
                        .unwrap_or(u16::MAX),
                    forbidden: contest.kept_apart(round, plan),
                    triangles: u16::try_from(contest.plan.earlier_triangles(plan.number))
                        .unwrap_or(u16::MAX),
                    stationary: plan.stationary.map_or(Stationary::No, Stationary::At),
                    club: (!plan.club.is_empty()).then(|| plan.club.clone()),
                    ..Entrant::new(plan.number)
                }
            })
            .collect();
        let meetings = contest
            .plan
            .earlier_matches()
            .map(|it| (it.round, it.home, it.away));
        let fixtures = contest.fixtures();
        let tonight = fixtures.iter().filter(|it| it.round < round).map(|it| {
            let pairing = &it.pairing;
            (contest.plan.of_event(it.round), pairing.home, pairing.away)
        });
        for (earlier, home, away) in meetings.chain(tonight) {
            for entrant in &mut entrants {
                let (opponent, at_home) = match entrant.number {
                    number if number == home => (away, 1),
                    number if number == away => (home, -1),
                    _ => continue,
                };
                entrant.home += at_home;
                entrant.met.push(Meeting {
                    opponent,
                    round: earlier,
                });
            }
        }
        for (_, drawn) in contest.rounds.iter().filter(|(it, _)| **it < round) {
            for entrant in &mut entrants {
                entrant.byes += u16::from(drawn.draw.bye == Some(entrant.number));
                let three = drawn.draw.triangle.iter().flatten();
                entrant.triangles += u16::from(three.into_iter().any(|it| *it == entrant.number));
            }
        }
        entrants
    }
}

impl Contest {
    /// Whom somebody may not meet in a round.
    fn kept_apart(&self, round: RoundNumber, own: &ContestantPlan) -> Vec<ContestantNumber> {
        let comes = |it: &ContestantPlan| it.apart && self.joined.get(&it.number) == Some(&round);
        let with_it = self.plan.contestants.iter().filter(|it| comes(it));
        let with_it = with_it.filter(|it| comes(own) && it.number != own.number);
        let forbidden = own.forbidden.iter().copied();
        forbidden.chain(with_it.map(|it| it.number)).collect()
    }

    /// Those who come new in a round: by the knock-out matches that they lost, with a lot where those
    /// say nothing, then everybody else in the order in which they came.
    fn dropping_in(&self, round: RoundNumber, seed: u64) -> Vec<ContestantNumber> {
        let new = self.plan.contestants.iter();
        let new: Vec<_> = new
            .filter(|it| self.joined.get(&it.number) == Some(&round))
            .collect();
        let beaten = new.iter().filter_map(|it| Some((it.number, it.lost?)));
        let ended: Vec<KnockOut> = beaten
            .map(|(number, own)| KnockOut {
                team: TeamNumber(number.get()),
                scored: Points::whole(own.scored.into()),
                conceded: Points::whole(own.conceded.into()),
                play_off: (own.scored == own.conceded).then_some(false),
            })
            .collect();
        let mut ranked = rank_entering_swiss(&ended);
        let mut lot = Lot::new(seed);
        for level in ranked.chunk_by_mut(|one, other| one.0 == other.0) {
            lot.shuffle(level);
        }
        let by_matches = ranked
            .iter()
            .filter_map(|(_, team)| ContestantNumber::new(team.0));
        let others = new.iter().filter(|it| it.lost.is_none());
        by_matches.chain(others.map(|it| it.number)).collect()
    }
}

/// A draw, how it was made, and what the other method would have drawn.
pub(super) type Found = (Drawn, Option<Wish>, Option<(Method, Draw)>);

/// The draw of those who are not in a triangle already.
pub(super) fn found(
    contest: &Contest,
    round: RoundNumber,
    entrants: &[Entrant],
    wanted: &DrawWish,
    seed: u64,
    numbers: &[ContestantNumber],
) -> Result<Found, Refused> {
    let mut wish = Wish {
        round: contest.plan.of_event(round),
        method: wanted.method.unwrap_or_default(),
        rematches: wanted.rematches.unwrap_or_default(),
        odd: wanted.odd.unwrap_or_default(),
        seed,
    };
    if let Some(by) = &wanted.by_hand {
        return Ok((written(entrants, by, &wish)?, None, None));
    }
    if entrants.is_empty() && contest.triangle_goes_on(round).is_some() {
        // Three are the whole field.
        return Ok((Drawn::default(), None, None));
    }
    let Format::Swiss {
        first,
        method,
        rematches,
        odd,
    } = contest.plan.format
    else {
        if contest.plan.format == Format::AmericanWhist {
            return Ok((Drawn::default(), None, None));
        }
        let mut charted = chart_round(contest, round, numbers)?;
        if contest.triangle_goes_on(round).is_some() {
            // The three have been taken out already.
            charted.triangle = None;
        }
        return Ok((written(entrants, &charted, &wish)?, None, None));
    };
    wish.method = wanted.method.unwrap_or(method);
    wish.rematches = wanted.rematches.unwrap_or(rematches);
    wish.odd = wanted.odd.unwrap_or(odd);
    if contest.triangle_goes_on(round).is_some() {
        // One triangle at a time.
        wish.odd = OddField::Bye;
    }
    let first = wanted.first.unwrap_or(first);
    let seeded = first == FirstRound::SeededStart && wish.round == 2;
    if wish.round == 1 || seeded && wanted.method.is_none() {
        return Ok((first_round(entrants, first, &wish)?, Some(wish), None));
    }
    if wanted.drop_ins {
        let new = contest.dropping_in(round, seed);
        return Ok((with_drop_ins(entrants, &new, &wish)?, Some(wish), None));
    }
    let drawn = draw(entrants, &wish)?;
    let method = match wish.method {
        Method::Swiss => Method::Classical,
        Method::Classical | Method::Danish => Method::Swiss,
    };
    let otherwise = draw(entrants, &Wish { method, ..wish })
        .ok()
        .filter(|it| !same_opponents(&it.draw, &drawn.draw))
        .map(|it| (method, it.draw));
    Ok((drawn, Some(wish), otherwise))
}

/// Matches that a director or a chart wrote down.
fn written(entrants: &[Entrant], by: &ByHand, wish: &Wish) -> Result<Drawn, Refused> {
    let three = by.triangle;
    let mut playing = entrants.to_vec();
    playing.retain(|it| three.is_none_or(|three| !three.contains(&it.number)));
    if three.is_some() && playing.len() + 3 != entrants.len() {
        return Err(Refused::because(tell!(Contest::TriangleThree)));
    }
    let mut drawn = if playing.is_empty() {
        Drawn::default()
    } else {
        by_hand(&playing, &by.matches, by.bye, wish)?
    };
    drawn.draw.triangle = three;
    Ok(drawn)
}

fn same_opponents(one: &Draw, other: &Draw) -> bool {
    let pairs = |draw: &Draw| {
        let matches = draw.matches.iter();
        let pairs = matches.map(|it| (it.home.min(it.away), it.home.max(it.away)));
        pairs.collect::<std::collections::BTreeSet<_>>()
    };
    pairs(one) == pairs(other)
}
