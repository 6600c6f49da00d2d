//! An event with stages: what each stage is, who goes on, and where it is played. What the stages
//! came to is read from their sessions and kept nowhere.

use std::collections::{BTreeMap, BTreeSet};

use contest::ContestantNumber;
use contest::qualifying::{Passed, PassedOver, Taking};
use protocol::words::{SectionLetter, SessionId};
use season::{Choice, Shape};
use serde::{Deserialize, Serialize};
use telling::{Told, tell};

use super::knockout::{is_one, one};
use super::{CompetitionId, KnockOutId};
use crate::session::decide::{NAME_LEN_MAX, WHY_LEN_MAX, refuse, tidy, tidy_needed};
use crate::session::{Club, Refused};

/// Stages of one event; nobody has more.
const STAGES_MAX: usize = 20;

/// A championship's number in the club.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ChampionshipId(pub u32);

/// What it is called, and its stages in the order in which they are played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChampionshipPlan {
    /// "State Teams".
    pub name: String,
    /// From the first to the last.
    pub stages: Vec<StagePlan>,
}

/// A stage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StagePlan {
    /// "Qualifying".
    pub name: String,
    /// Who plays it; `None` where it has entries of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<FromStage>,
    /// And who else: of a knock-out and of the Swiss of those who lost in it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<FromStage>,
    /// It is a knock-out of this shape; otherwise matches in sessions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub knock_out: Option<Shape>,
    /// The best of those who play it choose their opponents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub choice: Option<Choice>,
    /// The knock-out is over when so many are left who have not lost.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub left: u16,
}

impl StagePlan {
    /// Everybody who plays it, by the stages they come from.
    pub fn sources(&self) -> impl Iterator<Item = &FromStage> + '_ {
        self.from.iter().chain(&self.also)
    }

    /// The stage that somebody came from.
    pub fn stage_of(&self, taken: &Taken) -> u8 {
        match taken.stage {
            0 => self.from.map_or(0, |from| from.stage),
            stage => stage,
        }
    }
}

/// Those who come from an earlier stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FromStage {
    /// Which, from 1.
    pub stage: u8,
    /// Who of them, and with what.
    pub taking: Taking,
    /// By points for the places in this stage and all before it; nobody without a point.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_places: bool,
    /// Of a knock-out those who lose in this round of it, whatever their place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub losers_of: Option<u16>,
    /// In the order of what they did: winners of a knock-out by the size of their win, losers by that of
    /// their loss, the best of several fields by their figures.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ranked: bool,
}

/// A section of a session where a stage, or a field of it, is played; of several nights the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldAt {
    /// The session.
    pub session: SessionId,
    /// Its section.
    pub section: SectionLetter,
}

/// Where a stage is played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum StageAt {
    /// In sessions: one place a field.
    Fields(Vec<FieldAt>),
    /// As a knock-out.
    KnockOut(KnockOutId),
    /// As a competition over several sessions of pairs that enter; each of its categories is a field.
    Competition(CompetitionId),
}

/// Somebody who was taken over into a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Taken {
    /// The field of the stage before.
    pub field: u8,
    /// The number there.
    pub contestant: ContestantNumber,
    /// The number here.
    pub number: ContestantNumber,
    /// Victory points brought along, in hundredths.
    #[serde(default)]
    pub vp: i32,
    /// IMPs brought along, in ten-thousandths.
    #[serde(default)]
    pub imps: i64,
    /// From which stage, where they come from several; 0 from the one that is named first.
    #[serde(default, skip_serializing_if = "is_first")]
    pub stage: u8,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "what serde hands over")]
const fn is_first(stage: &u8) -> bool {
    *stage == 0
}

/// What can happen to a championship. Stored for ever inside
/// [`super::CompetitionEvent::Championship`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ChampionshipEvent {
    /// There is a new one.
    Begun {
        /// Its number.
        championship: ChampionshipId,
        /// What it is.
        plan: ChampionshipPlan,
    },
    /// It is called otherwise, or its stages are others.
    Changed {
        /// Which.
        championship: ChampionshipId,
        /// What it is from now on.
        plan: ChampionshipPlan,
    },
    /// A stage is played somewhere.
    StageSet {
        /// Which championship.
        championship: ChampionshipId,
        /// Which stage, from 1.
        stage: u8,
        /// Where; `None` nowhere any more.
        at: Option<StageAt>,
        /// Who came over from the stage before.
        taken: Vec<Taken>,
    },
    /// Somebody does not go on who would by the standing, or does after all.
    PassedOver {
        /// Which championship.
        championship: ChampionshipId,
        /// The stage it played.
        stage: u8,
        /// Its field, from 1.
        field: u8,
        /// Its number there.
        contestant: ContestantNumber,
        /// How; `None` it goes on after all.
        how: Option<Passed>,
        /// Why.
        why: String,
    },
    /// It is put away, or back again.
    PutAway {
        /// Which.
        championship: ChampionshipId,
        /// Whether it is.
        away: bool,
    },
}

impl ChampionshipEvent {
    /// Which championship it is about.
    pub const fn championship(&self) -> ChampionshipId {
        match self {
            Self::Begun { championship, .. }
            | Self::Changed { championship, .. }
            | Self::StageSet { championship, .. }
            | Self::PassedOver { championship, .. }
            | Self::PutAway { championship, .. } => *championship,
        }
    }

    /// For the club's history.
    pub(super) fn sentence(&self) -> Told {
        let n = self.championship().0;
        match self {
            Self::Begun { plan, .. } => tell!(History::ChampionshipBegun { name: &*plan.name }),
            Self::Changed { plan, .. } => tell!(History::ChampionshipChanged { name: &*plan.name }),
            Self::StageSet { stage, .. } => tell!(History::ChampionshipStage { n, stage: *stage }),
            Self::PassedOver {
                stage, contestant, ..
            } => tell!(History::ChampionshipPassed {
                n,
                stage: *stage,
                contestant: *contestant
            }),
            Self::PutAway { away: true, .. } => tell!(History::ChampionshipPutAway { n }),
            Self::PutAway { away: false, .. } => tell!(History::ChampionshipBroughtBack { n }),
        }
    }
}

/// What a director can ask for about championships.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ChampionshipCommand {
    /// A new one.
    Begin {
        /// What it is.
        plan: ChampionshipPlan,
    },
    /// Another name, or other stages.
    Change {
        /// Which.
        championship: ChampionshipId,
        /// What it is from now on.
        plan: ChampionshipPlan,
    },
    /// Say where a stage is played.
    SetStage {
        /// Which championship.
        championship: ChampionshipId,
        /// Which stage, from 1.
        stage: u8,
        /// Where; `None` nowhere any more.
        at: Option<StageAt>,
        /// Who came over from the stage before.
        taken: Vec<Taken>,
    },
    /// Say that somebody does not go on.
    PassOver {
        /// Which championship.
        championship: ChampionshipId,
        /// The stage it played.
        stage: u8,
        /// Its field, from 1.
        field: u8,
        /// Its number there.
        contestant: ContestantNumber,
        /// How; `None` it goes on after all.
        how: Option<Passed>,
        /// Why.
        why: String,
    },
    /// Put it away, or back.
    PutAway {
        /// Which.
        championship: ChampionshipId,
        /// Whether it is away.
        away: bool,
    },
}

/// A championship as its journal tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Championship {
    /// What it is.
    pub plan: ChampionshipPlan,
    /// Where stages are played, and who was taken over, by stage from 1.
    pub set: BTreeMap<u8, (StageAt, Vec<Taken>)>,
    /// Who does not go on, by stage from 1.
    pub passed: BTreeMap<u8, PassedOver>,
    /// It was put away.
    pub away: bool,
}

impl Championship {
    fn change(&mut self, event: &ChampionshipEvent) {
        match event {
            ChampionshipEvent::Begun { .. } => {}
            ChampionshipEvent::Changed { plan, .. } => self.plan = plan.clone(),
            ChampionshipEvent::StageSet {
                stage, at, taken, ..
            } => {
                match at {
                    Some(at) => self.set.insert(*stage, (at.clone(), taken.clone())),
                    None => self.set.remove(stage),
                };
            }
            ChampionshipEvent::PassedOver {
                stage,
                field,
                contestant,
                how,
                ..
            } => {
                let passed = self.passed.entry(*stage).or_default();
                let who = (usize::from(*field).saturating_sub(1), *contestant);
                match how {
                    Some(how) => passed.insert(who, *how),
                    None => passed.remove(&who),
                };
            }
            ChampionshipEvent::PutAway { away, .. } => self.away = *away,
        }
    }

    /// A stage's plan, by its number from 1.
    pub fn stage(&self, stage: u8) -> Option<&StagePlan> {
        self.plan.stages.get(usize::from(stage).checked_sub(1)?)
    }

    /// Its sessions.
    pub fn sessions(&self) -> BTreeSet<SessionId> {
        let set = self.set.values().flat_map(|(at, _)| match at {
            StageAt::Fields(fields) => fields.as_slice(),
            StageAt::KnockOut(_) | StageAt::Competition(_) => &[],
        });
        set.map(|field| field.session).collect()
    }

    /// Its knock-outs.
    pub fn knock_outs(&self) -> impl Iterator<Item = KnockOutId> + '_ {
        self.set.values().filter_map(|(at, _)| match at {
            StageAt::Fields(_) | StageAt::Competition(_) => None,
            StageAt::KnockOut(knock_out) => Some(*knock_out),
        })
    }

    /// Its competitions over several sessions.
    pub fn competitions(&self) -> impl Iterator<Item = CompetitionId> + '_ {
        self.set.values().filter_map(|(at, _)| match at {
            StageAt::Fields(_) | StageAt::KnockOut(_) => None,
            StageAt::Competition(competition) => Some(*competition),
        })
    }
}

impl Club {
    pub(super) fn championship(&mut self, event: &ChampionshipEvent) {
        let number = event.championship();
        if let ChampionshipEvent::Begun { plan, .. } = event {
            let begun = Championship {
                plan: plan.clone(),
                set: BTreeMap::new(),
                passed: BTreeMap::new(),
                away: false,
            };
            self.championships.insert(number, begun);
        }
        if let Some(known) = self.championships.get_mut(&number) {
            known.change(event);
        }
    }
}

pub(super) fn decide(
    club: &Club,
    command: &ChampionshipCommand,
) -> Result<ChampionshipEvent, Refused> {
    Ok(match command {
        ChampionshipCommand::Begin { plan } => {
            let last = club.championships.get_max().map_or(0, |(last, _)| last.0);
            ChampionshipEvent::Begun {
                championship: ChampionshipId(last + 1),
                plan: checked(club, None, plan)?,
            }
        }
        ChampionshipCommand::Change { championship, plan } => {
            known(club, *championship)?;
            ChampionshipEvent::Changed {
                championship: *championship,
                plan: checked(club, Some(*championship), plan)?,
            }
        }
        ChampionshipCommand::SetStage {
            championship,
            stage,
            at,
            taken,
        } => {
            has_stage(known(club, *championship)?, *stage)?;
            if let Some(StageAt::Fields(fields)) = at {
                let mut fields = fields.iter();
                if let Some(at) = fields.find(|it| !club.sessions.contains_key(&it.session)) {
                    let session = at.session;
                    return refuse(tell!(Refused::ThereNoSessionCalendar { session }));
                }
            }
            ChampionshipEvent::StageSet {
                championship: *championship,
                stage: *stage,
                at: at.clone(),
                taken: taken.clone(),
            }
        }
        ChampionshipCommand::PassOver {
            championship,
            stage,
            field,
            contestant,
            how,
            why,
        } => {
            has_stage(known(club, *championship)?, *stage)?;
            ChampionshipEvent::PassedOver {
                championship: *championship,
                stage: *stage,
                field: *field,
                contestant: *contestant,
                how: *how,
                why: tidy(why, tell!(Knockout::TheReason), WHY_LEN_MAX)?,
            }
        }
        ChampionshipCommand::PutAway { championship, away } => {
            if !club.championships.contains_key(championship) {
                return refuse(tell!(Championship::NoSuch { n: championship.0 }));
            }
            ChampionshipEvent::PutAway {
                championship: *championship,
                away: *away,
            }
        }
    })
}

fn known(club: &Club, number: ChampionshipId) -> Result<&Championship, Refused> {
    match club.championships.get(&number) {
        None => refuse(tell!(Championship::NoSuch { n: number.0 })),
        Some(known) if known.away => refuse(tell!(Championship::IsAway {
            name: &*known.plan.name
        })),
        Some(known) => Ok(known),
    }
}

fn has_stage(known: &Championship, stage: u8) -> Result<(), Refused> {
    if known.stage(stage).is_none() {
        return refuse(tell!(Championship::NoSuchStage { n: stage }));
    }
    Ok(())
}

fn checked(
    club: &Club,
    own: Option<ChampionshipId>,
    plan: &ChampionshipPlan,
) -> Result<ChampionshipPlan, Refused> {
    let name = tidy_needed(&plan.name, tell!(Championship::ItsName), NAME_LEN_MAX)?;
    let mut others = club.championships.iter();
    if others.any(|(number, it)| Some(*number) != own && !it.away && it.plan.name == name) {
        return refuse(tell!(Championship::NameTaken { name }));
    }
    if !(1..=STAGES_MAX).contains(&plan.stages.len()) {
        return refuse(tell!(Championship::StagesFrom1 { most: STAGES_MAX }));
    }
    let mut stages = Vec::new();
    for (at, stage) in (1_u8..).zip(&plan.stages) {
        for from in stage.sources() {
            if from.stage == 0 || from.stage >= at {
                return refuse(tell!(Championship::TakesFromEarlier { n: at }));
            }
            let of_losers = from.losers_of.is_some();
            let alone = stage.also.is_empty() && !from.taking.each_field && from.taking.take < 2;
            if !of_losers && (alone || from.taking.take == 0 || from.taking.first == 0) {
                return refuse(tell!(Championship::TakesAtLeast2 { n: at }));
            }
            if of_losers && !is_knock_out(plan, from.stage) {
                return refuse(tell!(Championship::LosersOfKnockOut { n: at }));
            }
        }
        if stage.from.is_none() && !stage.also.is_empty() {
            return refuse(tell!(Championship::TakesFromEarlier { n: at }));
        }
        stages.push(StagePlan {
            name: tidy_needed(&stage.name, tell!(Championship::StageName), NAME_LEN_MAX)?,
            ..stage.clone()
        });
    }
    Ok(ChampionshipPlan { name, stages })
}

fn is_knock_out(plan: &ChampionshipPlan, stage: u8) -> bool {
    let before = usize::from(stage) - 1;
    let stage = plan.stages.get(before);
    stage.is_some_and(|it| it.knock_out.is_some())
}
