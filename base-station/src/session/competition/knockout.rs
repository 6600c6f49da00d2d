//! Knock-outs over sessions: who was drawn, where matches were played, what the director decided.

use std::collections::{BTreeMap, BTreeSet};

use protocol::words::{SectionLetter, SessionId};
use season::{Bracket, BracketRefused, Ended, MatchNumber, Shape};
use serde::{Deserialize, Serialize};
use telling::{Told, tell};

use crate::session::decide::{NAME_LEN_MAX, WHY_LEN_MAX, refuse, tidy, tidy_needed};
use crate::session::{Club, Refused};

/// A knock-out's number in the club.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct KnockOutId(pub u32);

/// What a knock-out is, and who plays it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnockOutPlan {
    /// "Club Teams".
    pub name: String,
    /// How they knock each other out.
    pub shape: Shape,
    /// Who, the strongest first.
    pub entrants: Vec<String>,
    /// It is over when so many are left who have not lost.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub left: u16,
}

pub(super) const fn one() -> u16 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "what serde hands over")]
pub(super) const fn is_one(left: &u16) -> bool {
    *left == 1
}

/// Where a match, or a part of it, was played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayedAt {
    /// The session.
    pub session: SessionId,
    /// Its section.
    pub section: SectionLetter,
    /// The numbers that both sides had there.
    pub contestants: [u16; 2],
    /// It begins with what the parts before it came to: what was brought along there is theirs.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub brings: bool,
}

/// Two who meet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Meeting {
    /// Who, by seed.
    pub sides: [u16; 2],
    /// Where; the boards there say who wins.
    pub at: Vec<PlayedAt>,
    /// A further part is to come in another session: nobody has won yet.
    pub goes_on: bool,
}

/// What can happen to a knock-out. Stored for ever inside [`super::CompetitionEvent::KnockOut`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum KnockOutEvent {
    /// It was drawn.
    Drawn {
        /// Its number.
        knock_out: KnockOutId,
        /// What it is.
        plan: KnockOutPlan,
    },
    /// Two meet, and nothing that becomes of earlier results changes that.
    Met {
        /// Which knock-out.
        knock_out: KnockOutId,
        /// Which match.
        number: MatchNumber,
        /// Who, by seed.
        sides: [u16; 2],
        /// Where; the boards there say who wins.
        at: Vec<PlayedAt>,
        /// A further part is to come in another session.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        goes_on: bool,
    },
    /// The director says what became of a match.
    Decided {
        /// Which knock-out.
        knock_out: KnockOutId,
        /// Which match.
        number: MatchNumber,
        /// Who met, by seed.
        sides: [u16; 2],
        /// What; `None` where the boards tell after all.
        ended: Option<Ended>,
        /// Why.
        why: String,
    },
    /// A match is open again, as if nobody had met.
    Reopened {
        /// Which knock-out.
        knock_out: KnockOutId,
        /// Which match.
        number: MatchNumber,
    },
    /// It is put away, or back again.
    PutAway {
        /// Which.
        knock_out: KnockOutId,
        /// Whether it is.
        away: bool,
    },
}

impl KnockOutEvent {
    /// Which knock-out it is about.
    pub const fn knock_out(&self) -> KnockOutId {
        match self {
            Self::Drawn { knock_out, .. }
            | Self::Met { knock_out, .. }
            | Self::Decided { knock_out, .. }
            | Self::Reopened { knock_out, .. }
            | Self::PutAway { knock_out, .. } => *knock_out,
        }
    }

    /// For the club's history.
    pub(super) fn sentence(&self) -> Told {
        let n = self.knock_out().0;
        match self {
            Self::Drawn { plan, .. } => tell!(History::KnockOutDrawn { name: &*plan.name }),
            Self::Met { number, .. } => tell!(History::KnockOutMet {
                n,
                number: number.0
            }),
            Self::Decided { number, .. } => tell!(History::KnockOutDecided {
                n,
                number: number.0
            }),
            Self::Reopened { number, .. } => tell!(History::KnockOutReopened {
                n,
                number: number.0
            }),
            Self::PutAway { away: true, .. } => tell!(History::KnockOutPutAway { n }),
            Self::PutAway { away: false, .. } => tell!(History::KnockOutBroughtBack { n }),
        }
    }
}

/// What a director can ask for about knock-outs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum KnockOutCommand {
    /// Draw a new one.
    Draw {
        /// What it is.
        plan: KnockOutPlan,
    },
    /// Say where two meet.
    Meet {
        /// Which knock-out.
        knock_out: KnockOutId,
        /// Which match.
        number: MatchNumber,
        /// Who, by seed.
        sides: [u16; 2],
        /// Where.
        at: Vec<PlayedAt>,
        /// A further part is to come in another session.
        #[serde(default)]
        goes_on: bool,
    },
    /// Say what became of a match.
    Decide {
        /// Which knock-out.
        knock_out: KnockOutId,
        /// Which match.
        number: MatchNumber,
        /// Who met, by seed.
        sides: [u16; 2],
        /// What; `None` where the boards tell after all.
        ended: Option<Ended>,
        /// Why.
        why: String,
    },
    /// Open a match again.
    Reopen {
        /// Which knock-out.
        knock_out: KnockOutId,
        /// Which match.
        number: MatchNumber,
    },
    /// Put it away, or back.
    PutAway {
        /// Which.
        knock_out: KnockOutId,
        /// Whether it is away.
        away: bool,
    },
}

/// A knock-out as its journal tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnockOut {
    /// What it is.
    pub plan: KnockOutPlan,
    /// Who met, and where.
    pub met: BTreeMap<MatchNumber, Meeting>,
    /// What the director said, and why.
    pub decided: BTreeMap<MatchNumber, (Ended, String)>,
    /// It was put away.
    pub away: bool,
}

impl KnockOut {
    /// Its bracket. One that makes no sense was refused when it was drawn.
    pub fn bracket(&self) -> Option<Bracket> {
        let entrants = u16::try_from(self.plan.entrants.len()).ok()?;
        let bracket = Bracket::new(self.plan.shape, entrants).ok()?;
        bracket.leaving(self.plan.left).ok()
    }

    fn change(&mut self, event: &KnockOutEvent) {
        match event {
            KnockOutEvent::Drawn { .. } => {}
            KnockOutEvent::Met {
                number,
                sides,
                at,
                goes_on,
                ..
            } => {
                let meeting = Meeting {
                    sides: *sides,
                    at: at.clone(),
                    goes_on: *goes_on,
                };
                self.met.insert(*number, meeting);
            }
            KnockOutEvent::Decided {
                number,
                sides,
                ended,
                why,
                ..
            } => {
                self.met.entry(*number).or_default().sides = *sides;
                match ended {
                    Some(ended) => self.decided.insert(*number, (*ended, why.clone())),
                    None => self.decided.remove(number),
                };
            }
            KnockOutEvent::Reopened { number, .. } => {
                self.met.remove(number);
                self.decided.remove(number);
            }
            KnockOutEvent::PutAway { away, .. } => self.away = *away,
        }
    }
}

impl Club {
    pub(super) fn knock_out(&mut self, event: &KnockOutEvent) {
        let number = event.knock_out();
        if let KnockOutEvent::Drawn { plan, .. } = event {
            let drawn = KnockOut {
                plan: plan.clone(),
                met: BTreeMap::new(),
                decided: BTreeMap::new(),
                away: false,
            };
            self.knock_outs.insert(number, drawn);
        }
        if let Some(known) = self.knock_outs.get_mut(&number) {
            known.change(event);
        }
    }
}

pub(super) fn decide(club: &Club, command: &KnockOutCommand) -> Result<KnockOutEvent, Refused> {
    Ok(match command {
        KnockOutCommand::Draw { plan } => {
            let last = club.knock_outs.get_max().map_or(0, |(last, _)| last.0);
            KnockOutEvent::Drawn {
                knock_out: KnockOutId(last + 1),
                plan: checked(club, plan)?,
            }
        }
        KnockOutCommand::Meet {
            knock_out,
            number,
            sides,
            at,
            goes_on,
        } => {
            may_meet(known(club, *knock_out)?, *number, *sides)?;
            for part in at {
                if !club.sessions.contains_key(&part.session) {
                    let session = part.session;
                    return refuse(tell!(Refused::ThereNoSessionCalendar { session }));
                }
            }
            KnockOutEvent::Met {
                knock_out: *knock_out,
                number: *number,
                sides: *sides,
                at: at.clone(),
                goes_on: *goes_on,
            }
        }
        KnockOutCommand::Decide {
            knock_out,
            number,
            sides,
            ended,
            why,
        } => {
            may_meet(known(club, *knock_out)?, *number, *sides)?;
            KnockOutEvent::Decided {
                knock_out: *knock_out,
                number: *number,
                sides: *sides,
                ended: *ended,
                why: tidy(why, tell!(Knockout::TheReason), WHY_LEN_MAX)?,
            }
        }
        KnockOutCommand::Reopen { knock_out, number } => {
            if !known(club, *knock_out)?.met.contains_key(number) {
                return refuse(tell!(Knockout::NothingToOpen { number: number.0 }));
            }
            KnockOutEvent::Reopened {
                knock_out: *knock_out,
                number: *number,
            }
        }
        KnockOutCommand::PutAway { knock_out, away } => {
            if !club.knock_outs.contains_key(knock_out) {
                return refuse(tell!(Knockout::NoSuchKnockOut { n: knock_out.0 }));
            }
            KnockOutEvent::PutAway {
                knock_out: *knock_out,
                away: *away,
            }
        }
    })
}

fn known(club: &Club, number: KnockOutId) -> Result<&KnockOut, Refused> {
    match club.knock_outs.get(&number) {
        None => refuse(tell!(Knockout::NoSuchKnockOut { n: number.0 })),
        Some(known) if known.away => refuse(tell!(Knockout::IsAway {
            name: &*known.plan.name
        })),
        Some(known) => Ok(known),
    }
}

fn may_meet(known: &KnockOut, number: MatchNumber, sides: [u16; 2]) -> Result<(), Refused> {
    let bracket = known.bracket();
    let there = bracket.is_some_and(|it| it.matches.iter().any(|it| it.number == number));
    if !there {
        return refuse(tell!(Knockout::NoSuchMatch { number: number.0 }));
    }
    let entrants = known.plan.entrants.len();
    let is_seed = |seed: &u16| (1..=entrants).contains(&usize::from(*seed));
    if sides[0] == sides[1] || !sides.iter().all(is_seed) {
        return refuse(tell!(Knockout::TwoDifferentSides));
    }
    Ok(())
}

fn checked(club: &Club, plan: &KnockOutPlan) -> Result<KnockOutPlan, Refused> {
    let name = tidy_needed(&plan.name, tell!(Knockout::ItsName), NAME_LEN_MAX)?;
    let mut others = club.knock_outs.values();
    if others.any(|it| !it.away && it.plan.name == name) {
        return refuse(tell!(Knockout::NameTaken { name }));
    }
    let entrants = plan
        .entrants
        .iter()
        .map(|name| tidy_needed(name, tell!(Knockout::EntrantsName), NAME_LEN_MAX))
        .collect::<Result<Vec<_>, _>>()?;
    let mut seen = BTreeSet::new();
    if let Some(twice) = entrants.iter().find(|name| !seen.insert(*name)) {
        return refuse(tell!(Knockout::EntrantTwice { name: &**twice }));
    }
    let count = u16::try_from(entrants.len()).unwrap_or(u16::MAX);
    let bracket = Bracket::new(plan.shape, count).and_then(|it| it.leaving(plan.left));
    bracket.map_err(|refused| Refused::because(of_bracket(refused)))?;
    Ok(KnockOutPlan {
        name,
        entrants,
        ..plan.clone()
    })
}

fn of_bracket(refused: BracketRefused) -> Told {
    match refused {
        BracketRefused::Entrants { most } => tell!(Knockout::EntrantsFrom2 { most }),
        BracketRefused::Five => tell!(Knockout::FinalFiveOfFive),
        BracketRefused::Odd => tell!(Knockout::OneRoundEven),
        BracketRefused::Left { entrants } => tell!(Knockout::EndsWithLeft { entrants }),
    }
}
