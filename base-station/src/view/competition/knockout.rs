//! A knock-out as it stands: who meets, who goes on, and what the boards of its sessions tell.

use std::collections::BTreeMap;

use season::{Bracket, BracketMatch, Ended, MatchNumber, Shape, Side, Source, Standing};
use serde::Serialize;
use telling::{Told, tell};
use utoipa::ToSchema;

use super::Nights;
use crate::scoring::Points;
use crate::session::{KnockOut, KnockOutId, MatchOver, Meeting};

/// A knock-out over sessions.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct KnockOutView {
    /// Its number.
    pub id: u32,
    /// What it is called.
    pub name: String,
    /// `single-knock-out`, `double-knock-out` or `final-five`.
    #[schema(value_type = String)]
    pub shape: Shape,
    /// It is put away.
    pub away: bool,
    /// Who, the strongest first.
    pub entrants: Vec<String>,
    /// In the order of play.
    pub matches: Vec<KnockOutMatch>,
    /// Who is out, and the winner.
    pub places: Vec<KnockOutPlace>,
}

/// A match of it.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a mark of its own in the picture"
)]
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct KnockOutMatch {
    /// From 1.
    pub number: u16,
    /// Matches of one stage can be played at the same time.
    pub stage: u16,
    /// Among those who have lost before.
    pub of_losers: bool,
    /// The match that its winner plays next.
    pub next: Option<u16>,
    /// Who.
    pub sides: [KnockOutSide; 2],
    /// Which side won: 0 or 1.
    pub winner: Option<u8>,
    /// Both are there and it has not ended.
    pub ready: bool,
    /// One side has nobody to play against.
    pub bye: bool,
    /// IMPs by which the first side leads on the boards.
    pub margin: Option<f64>,
    /// IMPs that both sides scored on the boards.
    pub scored: Option<[f64; 2]>,
    /// All its boards are in, and it is level by the rules of its stage.
    pub level: bool,
    /// A further part is to come in another session.
    pub goes_on: bool,
    /// The director decided it, and why.
    pub why: Option<String>,
    /// Neither side came.
    pub abandoned: bool,
    /// Who would play by the results as they are now.
    #[schema(value_type = Option<String>)]
    pub otherwise: Option<Told>,
    /// Where it is played.
    pub at: Vec<PlayedAtView>,
}

/// A side of a match.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct KnockOutSide {
    /// Its seed, once it is known.
    pub seed: Option<u16>,
    /// Its name, or where it comes from.
    #[schema(value_type = String)]
    pub name: Told,
}

/// Somebody's place.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct KnockOutPlace {
    /// `1`, `3=`.
    pub place: String,
    /// Its seed.
    pub seed: u16,
    /// Who.
    pub name: String,
}

/// Where a match, or a part of it, is played.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PlayedAtView {
    /// The session.
    pub session: u32,
    /// Its section.
    #[schema(example = "A")]
    pub section: String,
    /// The numbers of both sides there.
    pub contestants: [u16; 2],
    /// It began with what the parts before it came to.
    pub brings: bool,
}

/// What the boards of a match tell.
#[derive(Clone, Copy, Debug, Default)]
struct OnBoards {
    margin: Points,
    scored: [Points; 2],
    /// How it ended; `None` while something of it is to be played.
    over: Option<MatchOver>,
}

impl OnBoards {
    fn ended(self) -> Option<Ended> {
        match self.over? {
            MatchOver::Home => Some(Ended::Won(0)),
            MatchOver::Away => Some(Ended::Won(1)),
            MatchOver::Neither => Some(Ended::Abandoned),
            MatchOver::Level => None,
        }
    }
}

impl KnockOutView {
    /// A knock-out as it stands.
    pub fn of(nights: &Nights<'_>, number: KnockOutId, own: &KnockOut) -> Self {
        let told: BTreeMap<MatchNumber, OnBoards> = own
            .met
            .iter()
            .filter(|(_, meeting)| !meeting.at.is_empty())
            .map(|(number, meeting)| (*number, on_boards(nights, meeting)))
            .collect();
        let mut ended: BTreeMap<MatchNumber, Ended> = told
            .iter()
            .filter_map(|(number, it)| Some((*number, it.ended()?)))
            .collect();
        // The director's word counts before the boards'.
        ended.extend(own.decided.iter().map(|(number, (it, _))| (*number, *it)));
        let drawn = own.met.iter().map(|(number, it)| (*number, it.sides));
        let drawn = drawn.collect();
        let bracket = own.bracket();
        let standing = bracket.as_ref().map(|it| it.standing(&ended, &drawn));
        let standing = standing.unwrap_or_default();
        let shape = Shown {
            own,
            told: &told,
            ended: &ended,
            standing: &standing,
        };
        let bracket = bracket.as_ref();
        Self {
            id: number.0,
            name: own.plan.name.clone(),
            shape: own.plan.shape,
            away: own.away,
            entrants: own.plan.entrants.clone(),
            matches: bracket.map_or_else(Vec::new, |it| shape.matches(it)),
            places: bracket.map_or_else(Vec::new, |it| shape.places(it)),
        }
    }
}

/// A match's boards, over all sessions in which it was played, by the rules of its stages.
fn on_boards(nights: &Nights<'_>, meeting: &Meeting) -> OnBoards {
    let parts: Vec<_> = (meeting.at.iter())
        .filter_map(|at| Some((nights.meeting(*at)?, at.brings)))
        .collect();
    // What was brought into a further part are the boards of those before it.
    let own = parts.iter().map(|(part, brings)| {
        if *brings {
            part.margin - part.brought
        } else {
            part.margin
        }
    });
    let margin: Points = own.sum();
    let scored = [0, 1].map(|side| parts.iter().map(|(part, _)| part.scored[side]).sum());
    let decided = parts.iter().rev().find(|(part, _)| part.decided);
    if let Some((part, _)) = decided {
        let over = part.over;
        return OnBoards {
            margin,
            scored,
            over,
        };
    }
    let there = parts.len() == meeting.at.len() && !meeting.goes_on;
    let played = there && parts.iter().all(|(part, _)| part.over.is_some());
    let by_all = MatchOver::by_lead(margin);
    let over = match parts.last() {
        // Its last part knows how a level match was decided.
        Some((last, _)) if by_all == MatchOver::Level || parts.len() == 1 => last.over,
        Some(_) => Some(by_all),
        None => None,
    };
    OnBoards {
        margin,
        scored,
        over: over.filter(|_| played),
    }
}

struct Shown<'a> {
    own: &'a KnockOut,
    told: &'a BTreeMap<MatchNumber, OnBoards>,
    ended: &'a BTreeMap<MatchNumber, Ended>,
    standing: &'a BTreeMap<MatchNumber, Standing>,
}

impl Shown<'_> {
    fn name(&self, seed: u16) -> String {
        let at = usize::from(seed).saturating_sub(1);
        self.own.plan.entrants.get(at).cloned().unwrap_or_default()
    }

    fn side(&self, side: Side, from: Source) -> KnockOutSide {
        let name = match (side, from) {
            (Side::Known(seed), _) => Told::as_written(self.name(seed)),
            (Side::Nobody, _) => tell!(Knockout::Bye),
            (Side::Waiting, Source::LoserOf(number)) => {
                tell!(Knockout::LoserOf { number: number.0 })
            }
            (Side::Waiting, Source::WinnerOf(number)) => {
                tell!(Knockout::WinnerOf { number: number.0 })
            }
            (Side::Waiting, Source::Seed(_) | Source::Bye) => Told::nothing(),
        };
        let seed = match side {
            Side::Known(seed) => Some(seed),
            Side::Waiting | Side::Nobody => None,
        };
        KnockOutSide { seed, name }
    }

    fn matches(&self, bracket: &Bracket) -> Vec<KnockOutMatch> {
        let next = |number: MatchNumber| {
            let mut all = bracket.matches.iter();
            let next = all.find(|it| it.from.contains(&Source::WinnerOf(number)));
            next.map(|it| it.number.0)
        };
        let shown = |own: &BracketMatch| {
            let now = self.standing.get(&own.number)?;
            Some(KnockOutMatch {
                next: next(own.number),
                ..self.one(own, now)
            })
        };
        bracket.matches.iter().filter_map(shown).collect()
    }

    fn one(&self, own: &BracketMatch, now: &Standing) -> KnockOutMatch {
        let both = now.sides.iter().all(|it| matches!(it, Side::Known(_)));
        let ended = self.ended.get(&own.number).copied().filter(|_| both);
        let told = self.told.get(&own.number);
        let decided = self.own.decided.get(&own.number);
        let met = self.own.met.get(&own.number);
        let side = |at: usize| self.side(now.sides[at], own.from[at]);
        KnockOutMatch {
            number: own.number.0,
            stage: own.stage,
            of_losers: own.of_losers,
            next: None,
            sides: [side(0), side(1)],
            winner: match ended {
                Some(Ended::Won(side)) => Some(side.min(1)),
                Some(Ended::Abandoned) | None => None,
            },
            ready: both && ended.is_none(),
            bye: now.sides.contains(&Side::Nobody),
            margin: told.map(|it| it.margin.to_f64()),
            scored: told.map(|it| it.scored.map(Points::to_f64)),
            level: told.is_some_and(|it| it.over == Some(MatchOver::Level)),
            goes_on: met.is_some_and(|it| it.goes_on),
            why: decided.map(|(_, why)| why.clone()),
            abandoned: ended == Some(Ended::Abandoned),
            otherwise: now.otherwise.map(|sides| {
                let side = |at: usize| self.side(sides[at], own.from[at]).name;
                tell!(Knockout::WouldMeet {
                    one: side(0),
                    other: side(1)
                })
            }),
            at: met
                .iter()
                .flat_map(|it| &it.at)
                .map(|at| PlayedAtView {
                    session: at.session.get(),
                    section: at.section.to_string(),
                    contestants: at.contestants,
                    brings: at.brings,
                })
                .collect(),
        }
    }

    fn places(&self, bracket: &Bracket) -> Vec<KnockOutPlace> {
        let mut places: Vec<(u32, u16)> = bracket
            .places(self.standing)
            .into_iter()
            .map(|(seed, place)| (place, seed))
            .collect();
        places.sort_unstable();
        let shared = |place: u32| places.iter().filter(|it| it.0 == place).count() > 1;
        places
            .iter()
            .map(|(place, seed)| KnockOutPlace {
                place: format!("{place}{}", if shared(*place) { "=" } else { "" }),
                seed: *seed,
                name: self.name(*seed),
            })
            .collect()
    }
}
