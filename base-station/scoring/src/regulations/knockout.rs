//! Matches that end level, and the order of teams that knock each other out.
//!
//! A regulation may ask for more boards or for a lot: then the answer says so, and the director
//! comes back with the boards that were played.

use std::cmp::{Ordering, Reverse};

use super::ties::{Measure, TeamNumber};
use crate::{MatchResult, Points, TeamsBoard};

/// Whose rule settles a match that ended level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LevelMatch {
    /// SABF, finals: four more boards, as often as it takes.
    SabfFinal,
    /// SABF, the grand final: six more boards, as often as it takes.
    SabfGrandFinal,
    /// GNOT 2006, knock-out, repechage, semi-final and final: two boards, then one at a time.
    Gnot2006,
    /// GNOT 2012, 14 boards in the first half, and for the second place of a pool: won boards, total
    /// points, a lot.
    Gnot2012Rescored,
    /// GNOT 2012, 14 boards in the second half: one board, then all 15 rescored.
    Gnot2012SecondHalf,
    /// GNOT 2012, 28 boards but not for the national final, and for the first place of a pool: two
    /// boards, then all 30 rescored.
    Gnot2012Long,
    /// GNOT 2012, for a place in the final: four boards, then one at a time.
    Gnot2012FinalPlace,
}

/// How a level match goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Settled {
    /// The first team has won.
    First,
    /// The second team has won.
    Second,
    /// So many boards are to be played.
    PlayOff(u8),
    /// The director draws a lot.
    Lot,
}

impl LevelMatch {
    /// What settles a match of these boards after these play-offs.
    ///
    /// A match that is not level has a winner already.
    pub fn settle(self, boards: &[TeamsBoard], play_offs: &[&[TeamsBoard]]) -> Settled {
        let imps = |boards: &[TeamsBoard]| MatchResult::of(boards).margins[0].cmp(&Points::ZERO);
        let decided = std::iter::once(&boards).chain(play_offs);
        if let Some(winner) = decided.map(|boards| imps(boards)).find(|it| it.is_ne()) {
            return Settled::by(winner);
        }
        self.go_on(Rescored::default(), boards, play_offs)
    }

    /// How a match goes on that is level still, whatever its boards came to by themselves: a fine or a
    /// carry-over may have made it so. `before` is what its boards of earlier nights come to when
    /// they are counted again.
    pub fn go_on(
        self,
        before: Rescored,
        boards: &[TeamsBoard],
        play_offs: &[&[TeamsBoard]],
    ) -> Settled {
        let (lengths, then) = self.play_offs();
        match (lengths.get(play_offs.len()), then) {
            (Some(&boards), _) | (None, Then::Again(boards)) => Settled::PlayOff(boards),
            (None, Then::Rescore) => {
                let tonight = std::iter::once(&boards).chain(play_offs);
                let all = tonight.fold(before, |sum, boards| sum.with(Rescored::of(boards)));
                Settled::by(all.cmp(&Rescored::default()))
            }
        }
    }

    /// The lengths of the first play-offs, and what follows them.
    const fn play_offs(self) -> (&'static [u8], Then) {
        match self {
            Self::SabfFinal => (&[], Then::Again(4)),
            Self::SabfGrandFinal => (&[], Then::Again(6)),
            Self::Gnot2006 => (&[2], Then::Again(1)),
            Self::Gnot2012Rescored => (&[], Then::Rescore),
            Self::Gnot2012SecondHalf => (&[1], Then::Rescore),
            Self::Gnot2012Long => (&[2], Then::Rescore),
            Self::Gnot2012FinalPlace => (&[4], Then::Again(1)),
        }
    }
}

#[derive(Clone, Copy)]
enum Then {
    /// One more play-off of that length.
    Again(u8),
    /// Boards won, then total points.
    Rescore,
}

impl Settled {
    const fn by(order: Ordering) -> Self {
        match order {
            Ordering::Greater => Self::First,
            Ordering::Less => Self::Second,
            Ordering::Equal => Self::Lot,
        }
    }
}

/// Boards counted again, for the first team: those it won less those it lost, then total points. Who
/// is above nothing is ahead.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rescored {
    /// Boards won less boards lost.
    pub won: i32,
    /// Total points.
    pub points: i32,
}

impl Rescored {
    /// Of these boards.
    pub fn of(boards: &[TeamsBoard]) -> Self {
        let each = boards.iter().map(|board| match *board {
            TeamsBoard::Played { home, away } => {
                let points = i32::from(home.0) + i32::from(away.0);
                let won = points.signum();
                Self { won, points }
            }
            TeamsBoard::Awarded { first, second } | TeamsBoard::Assigned { first, second } => {
                let won = match first.cmp(&second) {
                    Ordering::Greater => 1,
                    Ordering::Equal => 0,
                    Ordering::Less => -1,
                };
                Self { won, points: 0 }
            }
            TeamsBoard::Cancelled => Self::default(),
        });
        each.fold(Self::default(), Self::with)
    }

    /// Both together.
    #[must_use]
    pub const fn with(self, more: Self) -> Self {
        Self {
            won: self.won + more.won,
            points: self.points + more.points,
        }
    }
}

/// How a knock-out match ended for one team (GNOT 2012).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnockOut {
    /// Who.
    pub team: TeamNumber,
    /// IMPs it scored.
    pub scored: Points,
    /// IMPs it conceded.
    pub conceded: Points,
    /// The match was level and it won (`Some(true)`) or lost the play-off.
    pub play_off: Option<bool>,
}

impl KnockOut {
    fn margin(&self) -> Points {
        self.scored - self.conceded
    }

    /// The winner's IMPs for each one of the loser's.
    fn quotient(&self) -> Measure {
        let (scored, conceded) = (
            self.scored.ten_thousandths(),
            self.conceded.ten_thousandths(),
        );
        Measure {
            whole: scored.max(conceded),
            of: scored.min(conceded),
        }
    }
}

/// The order in which losers of a knock-out enter the Swiss (GNOT 2012): who lost a play-off first, then
/// the smallest margin, then the smallest quotient of winner and loser. Who shares a rank draws
/// lots.
pub fn rank_entering_swiss(losers: &[KnockOut]) -> Vec<(u32, TeamNumber)> {
    ranked(
        losers,
        |loser| loser.team,
        |first, second| {
            let key = |loser: &KnockOut| (Reverse(loser.play_off.is_some()), -loser.margin());
            let by_margin = key(first).cmp(&key(second));
            by_margin.then_with(|| first.quotient().compare(second.quotient()))
        },
    )
}

/// The order of the teams of a double knock-out (GNOT 2012): the largest winning margin first, then the
/// larger quotient. Who shares a rank draws lots.
pub fn rank_double_knock_out(winners: &[KnockOut]) -> Vec<(u32, TeamNumber)> {
    ranked(
        winners,
        |winner| winner.team,
        |first, second| {
            let by_margin = second.margin().cmp(&first.margin());
            by_margin.then_with(|| second.quotient().compare(first.quotient()))
        },
    )
}

/// The order of the teams of a single knock-out (GNOT 2012): losers with the smallest losing margin come
/// first (a lost play-off is the smallest of all), then winners with the largest margin; equal
/// margins are separated by the quotient. Who shares a rank draws lots.
pub fn rank_single_knock_out(teams: &[KnockOut]) -> Vec<(u32, TeamNumber)> {
    let lost = |team: &KnockOut| match team.play_off {
        Some(won) => !won,
        None => team.margin() < Points::ZERO,
    };
    let (losers, winners): (Vec<KnockOut>, Vec<KnockOut>) =
        teams.iter().copied().partition(|team| lost(team));
    let mut order = rank_entering_swiss(&losers);
    let before = u32::try_from(order.len()).unwrap_or(u32::MAX);
    let after = rank_double_knock_out(&winners);
    order.extend(after.into_iter().map(|(rank, team)| (rank + before, team)));
    order
}

/// Sorts the best first; equals share a rank, in the order of their numbers.
fn ranked<T: Clone>(
    all: &[T],
    team: impl Fn(&T) -> TeamNumber,
    compare: impl Fn(&T, &T) -> Ordering,
) -> Vec<(u32, TeamNumber)> {
    let mut sorted = all.to_vec();
    sorted.sort_by(|first, second| compare(first, second).then(team(first).cmp(&team(second))));
    let rank_of = |own: &T| {
        let better = sorted.iter().filter(|other| compare(other, own).is_lt());
        u32::try_from(better.count() + 1).unwrap_or(u32::MAX)
    };
    sorted.iter().map(|own| (rank_of(own), team(own))).collect()
}
