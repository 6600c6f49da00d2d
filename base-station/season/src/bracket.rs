//! Knock-outs over sessions: who meets whom, who goes on, who is placed where.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// More would not fit on a wall.
const ENTRANTS_MAX: u16 = 256;

/// How contestants knock each other out. They are numbered by seeding: 1 is the strongest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shape {
    /// Whoever loses is out; the strongest have byes where the number is no power of two.
    SingleKnockOut,
    /// Whoever loses twice is out.
    DoubleKnockOut,
    /// The first five of a stage: 4 against 5 and 2 against 3, then three more rounds.
    FinalFive,
    /// Everybody plays one match: the first against the second, the third against the fourth.
    OneRound,
}

/// A match's number in its bracket.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct MatchNumber(pub u16);

/// Where a side of a match comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A seed.
    Seed(u16),
    /// Nobody: the other side has a bye.
    Bye,
    /// Whoever wins that match.
    WinnerOf(MatchNumber),
    /// Whoever loses it.
    LoserOf(MatchNumber),
}

/// A match of a bracket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BracketMatch {
    /// From 1, in the order of play.
    pub number: MatchNumber,
    /// Matches of one stage can be played at the same time.
    pub stage: u16,
    /// Among those who have lost before.
    pub of_losers: bool,
    /// Who meets.
    pub from: [Source; 2],
}

/// What became of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ended {
    /// The first or the second side won.
    Won(u8),
    /// Neither came: nobody goes on, and whoever would have met its winner or loser has a bye.
    Abandoned,
}

/// A side of a match, as things stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// By seed.
    Known(u16),
    /// It is not known yet.
    Waiting,
    /// Nobody.
    Nobody,
}

/// A match as things stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// Who plays.
    pub sides: [Side; 2],
    /// Who would play by the results as they are now, where others were drawn.
    pub otherwise: Option<[Side; 2]>,
    /// Who went on.
    pub winner: Side,
    /// Who did not.
    pub loser: Side,
}

/// A knock-out, drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bracket {
    /// In order of play.
    pub matches: Vec<BracketMatch>,
    entrants: u16,
}

/// Why there is no such bracket.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BracketRefused {
    /// One or nobody, or too many.
    #[error("a knock-out has 2 to {most} contestants")]
    Entrants {
        /// At most.
        most: u16,
    },
    /// Not five.
    #[error("a final five has five contestants")]
    Five,
    /// An odd number for one match each.
    #[error("for one match each there is an even number of contestants")]
    Odd,
    /// It can't end with so many left.
    #[error("a single knock-out of {entrants} ends with 1, 2, 4 or so left, fewer than begin")]
    Left {
        /// So many begin.
        entrants: u16,
    },
}

impl Bracket {
    /// A bracket for so many contestants.
    pub fn new(shape: Shape, entrants: u16) -> Result<Self, BracketRefused> {
        if !(2..=ENTRANTS_MAX).contains(&entrants) {
            return Err(BracketRefused::Entrants { most: ENTRANTS_MAX });
        }
        let mut drawing = Drawing::default();
        match shape {
            Shape::SingleKnockOut => {
                drawing.winners(entrants, |round| round);
            }
            Shape::DoubleKnockOut => drawing.double(entrants),
            Shape::FinalFive if entrants != 5 => return Err(BracketRefused::Five),
            Shape::FinalFive => drawing.final_five(),
            Shape::OneRound if entrants % 2 == 1 => return Err(BracketRefused::Odd),
            Shape::OneRound => {
                let seats: Vec<Source> = (1..=entrants).map(Source::Seed).collect();
                drawing.pair_off(&seats, 1, false);
            }
        }
        Ok(Self {
            matches: drawing.in_order(),
            entrants,
        })
    }

    /// The same, over when so many are left who have not lost.
    pub fn leaving(mut self, left: u16) -> Result<Self, BracketRefused> {
        let entrants = self.entrants;
        let last = self.matches.last().map_or(0, |it| it.stage);
        let of_stage = |stage: u16| self.matches.iter().filter(move |it| it.stage == stage);
        // Of a bracket in which everybody plays once a stage.
        let is_single = self.matches.iter().all(|it| !it.of_losers);
        let ends = |stage: &u16| of_stage(*stage).count() == usize::from(left);
        let ends = (1..=last).find(ends).filter(|_| is_single);
        let ends = ends.filter(|_| left < entrants);
        let ends = ends
            .filter(|_| left > 1)
            .or_else(|| (left == 1).then_some(last));
        let ends = ends.ok_or(BracketRefused::Left { entrants })?;
        self.matches.retain(|it| it.stage <= ends);
        Ok(self)
    }

    /// Who meets in the first match of each side, by seed, where both are known from the beginning.
    pub fn first_meetings(&self) -> impl Iterator<Item = [u16; 2]> + '_ {
        self.matches.iter().filter_map(|it| match it.from {
            [Source::Seed(one), Source::Seed(other)] => Some([one, other]),
            _ => None,
        })
    }

    /// Whether nobody goes on from a match by winning it: a final.
    fn is_last(&self, number: MatchNumber) -> bool {
        let mut sources = self.matches.iter().flat_map(|it| it.from);
        !sources.any(|source| source == Source::WinnerOf(number))
    }

    /// Every match as things stand: `ended` has what was decided, `drawn` who met where that stays
    /// whatever becomes of earlier results.
    pub fn standing(
        &self,
        ended: &BTreeMap<MatchNumber, Ended>,
        drawn: &BTreeMap<MatchNumber, [u16; 2]>,
    ) -> BTreeMap<MatchNumber, Standing> {
        let mut known: BTreeMap<MatchNumber, Standing> = BTreeMap::new();
        for own in &self.matches {
            let by_results = own.from.map(|source| side_of(source, &known));
            let fixed = drawn.get(&own.number);
            let sides = fixed.map_or(by_results, |drawn| drawn.map(Side::Known));
            let (winner, loser) = outcome(sides, ended.get(&own.number).copied());
            let standing = Standing {
                sides,
                otherwise: (sides != by_results).then_some(by_results),
                winner,
                loser,
            };
            known.insert(own.number, standing);
        }
        known
    }

    /// The place of everybody who is out, and of the winner; who goes out at the same time shares
    /// the place.
    pub fn places(&self, standing: &BTreeMap<MatchNumber, Standing>) -> BTreeMap<u16, u32> {
        let has_next_match = |number: MatchNumber| {
            let mut sources = self.matches.iter().flat_map(|it| it.from);
            sources.any(|source| source == Source::LoserOf(number))
        };
        let last = self.matches.last().map_or(0, |it| it.stage);
        let mut left = u32::from(self.entrants);
        let mut places = BTreeMap::new();
        for stage in 1..=last {
            let of_stage = self.matches.iter().filter(|it| it.stage == stage);
            let mut out = Vec::new();
            for own in of_stage.filter(|it| !has_next_match(it.number)) {
                let Some(now) = standing.get(&own.number) else {
                    continue;
                };
                let abandoned = now.winner == Side::Nobody;
                let sides = now.sides.into_iter().filter(|it| *it != Side::Nobody);
                let leaving = match sides.clone().count() {
                    2 if abandoned => 2,
                    2 => 1,
                    _ => 0,
                };
                left = left.saturating_sub(leaving);
                out.extend(match (now.loser, abandoned) {
                    (Side::Known(seed), _) => vec![seed],
                    (_, true) => sides.filter_map(known_seed).collect(),
                    _ => Vec::new(),
                });
            }
            // Where nobody won a final there is no first place.
            places.extend(out.into_iter().map(|seed| (seed, (left + 1).max(2))));
        }
        let finals = self.matches.iter().filter(|it| self.is_last(it.number));
        let winners = finals.filter_map(|it| standing.get(&it.number));
        places.extend(winners.filter_map(|it| Some((known_seed(it.winner)?, 1))));
        places
    }
}

const fn known_seed(side: Side) -> Option<u16> {
    match side {
        Side::Known(seed) => Some(seed),
        Side::Waiting | Side::Nobody => None,
    }
}

fn side_of(source: Source, known: &BTreeMap<MatchNumber, Standing>) -> Side {
    match source {
        Source::Seed(seed) => Side::Known(seed),
        Source::Bye => Side::Nobody,
        Source::WinnerOf(number) => known.get(&number).map_or(Side::Waiting, |it| it.winner),
        Source::LoserOf(number) => known.get(&number).map_or(Side::Waiting, |it| it.loser),
    }
}

/// Who goes on and who does not.
const fn outcome(sides: [Side; 2], ended: Option<Ended>) -> (Side, Side) {
    match (sides, ended) {
        ([Side::Nobody, other] | [other, Side::Nobody], _) => (other, Side::Nobody),
        ([Side::Known(_), Side::Known(_)], Some(Ended::Abandoned)) => (Side::Nobody, Side::Nobody),
        ([one, other], Some(Ended::Won(side))) => match (one, other) {
            (Side::Known(_), Side::Known(_)) if side == 0 => (one, other),
            (Side::Known(_), Side::Known(_)) => (other, one),
            _ => (Side::Waiting, Side::Waiting),
        },
        _ => (Side::Waiting, Side::Waiting),
    }
}

/// Matches as they come, before they are put in the order of play.
#[derive(Default)]
struct Drawing {
    matches: Vec<BracketMatch>,
}

impl Drawing {
    fn put(&mut self, stage: u16, of_losers: bool, from: [Source; 2]) -> MatchNumber {
        let number = MatchNumber(u16::try_from(self.matches.len() + 1).unwrap_or(u16::MAX));
        self.matches.push(BracketMatch {
            number,
            stage,
            of_losers,
            from,
        });
        number
    }

    /// Rounds of those who have not lost; answers with the matches of each.
    fn winners(&mut self, entrants: u16, stage: impl Fn(u16) -> u16) -> Vec<Vec<MatchNumber>> {
        let seat = |seed| {
            if seed > entrants {
                Source::Bye
            } else {
                Source::Seed(seed)
            }
        };
        let seats: Vec<Source> = seeding(entrants).into_iter().map(seat).collect();
        let mut round = 1;
        let mut rounds = vec![self.pair_off(&seats, stage(round), false)];
        while let Some(before) = rounds.last().filter(|it| it.len() > 1) {
            let seats: Vec<Source> = before.iter().map(|it| Source::WinnerOf(*it)).collect();
            round += 1;
            let matches = self.pair_off(&seats, stage(round), false);
            rounds.push(matches);
        }
        rounds
    }

    fn pair_off(&mut self, seats: &[Source], stage: u16, of_losers: bool) -> Vec<MatchNumber> {
        let pairs = seats.chunks_exact(2);
        pairs
            .map(|pair| self.put(stage, of_losers, [pair[0], pair[1]]))
            .collect()
    }

    /// Those who have lost once meet each other, and then those who lose in the next round. Whoever
    /// comes in meets those of the neighbouring part of the draw, so that nobody meets a former
    /// opponent at once: three stages lie between, but for the last two matches.
    fn double(&mut self, entrants: u16) {
        let rounds = self.winners(entrants, |round| if round == 1 { 1 } else { 2 * round - 2 });
        let lost = |number: &MatchNumber| Source::LoserOf(*number);
        let first: Vec<Source> = rounds[0].iter().map(lost).collect();
        let mut left: Vec<Source> = if first.len() == 1 {
            first
        } else {
            let matches = self.pair_off(&first, 2, true);
            matches.into_iter().map(Source::WinnerOf).collect()
        };
        for (round, matches) in (2_u16..).zip(rounds.iter().skip(1)) {
            let coming = (0..matches.len()).map(|at| {
                let neighbour = matches.get(at ^ 1).or_else(|| matches.get(at));
                neighbour.map_or(Source::Bye, lost)
            });
            let meet: Vec<[Source; 2]> = left.into_iter().zip(coming).map(Into::into).collect();
            let winners: Vec<Source> = meet
                .into_iter()
                .map(|pair| Source::WinnerOf(self.put(2 * round - 1, true, pair)))
                .collect();
            left = if winners.len() == 1 {
                winners
            } else {
                let matches = self.pair_off(&winners, 2 * round, true);
                matches.into_iter().map(Source::WinnerOf).collect()
            };
        }
        let unbeaten = rounds.last().and_then(|it| it.first()).copied();
        if let (Some(unbeaten), Some(other)) = (unbeaten, left.first().copied()) {
            let stages = self.matches.iter().map(|it| it.stage).max();
            self.put(
                stages.unwrap_or_default() + 1,
                false,
                [Source::WinnerOf(unbeaten), other],
            );
        }
    }

    fn final_five(&mut self) {
        let seed = Source::Seed;
        let low = self.put(1, true, [seed(4), seed(5)]);
        let high = self.put(1, false, [seed(2), seed(3)]);
        let (won, lost) = (Source::WinnerOf, Source::LoserOf);
        let second = self.put(2, true, [won(low), lost(high)]);
        let first = self.put(2, false, [seed(1), won(high)]);
        let preliminary = self.put(3, true, [lost(first), won(second)]);
        self.put(4, false, [won(first), won(preliminary)]);
    }

    /// Numbered from 1 in the order of play.
    fn in_order(mut self) -> Vec<BracketMatch> {
        self.matches
            .sort_by_key(|it| (it.stage, it.of_losers, it.number));
        let new: BTreeMap<MatchNumber, MatchNumber> = (1..)
            .zip(&self.matches)
            .map(|(at, it)| (it.number, MatchNumber(at)))
            .collect();
        let called = |number: MatchNumber| new.get(&number).copied().unwrap_or(number);
        for own in &mut self.matches {
            own.number = called(own.number);
            own.from = own.from.map(|source| match source {
                Source::WinnerOf(number) => Source::WinnerOf(called(number)),
                Source::LoserOf(number) => Source::LoserOf(called(number)),
                Source::Seed(_) | Source::Bye => source,
            });
        }
        self.matches
    }
}

/// The seats of the first round from top to bottom: 1 and 2 meet in the final if nobody surprises
/// them, and in the first round the seeds of a match add up to one more than the seats.
fn seeding(entrants: u16) -> Vec<u16> {
    let mut seats = vec![1];
    while seats.len() < usize::from(entrants) {
        let all = u16::try_from(2 * seats.len() + 1).unwrap_or(u16::MAX);
        seats = seats
            .into_iter()
            .enumerate()
            .flat_map(|(at, seed)| {
                // Every other pair is turned, so that the weaker halves are spread as well.
                if at % 2 == 0 {
                    [seed, all - seed]
                } else {
                    [all - seed, seed]
                }
            })
            .collect();
    }
    seats
}
