//! Who comes into a stage from elsewhere: those who go on from an earlier one, and those who drop in.

use std::collections::BTreeMap;

use protocol::words::SectionLetter;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::input::NewContestant;
use crate::contest::carried::Carried;
use crate::contest::stages::over_stages;
use crate::contest::standing::Line;
use crate::scoring::VictoryPoints;
use crate::scoring::regulations::EntryScore;
use crate::session::{Club, ContestantPlan, LostMatch, Refused, Session};
use crate::view::contestant_name;
use crate::web::api::input::section;
use crate::web::{Problem, Web};

/// A stage whose best go on.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct FromStage {
    /// The session it was played in; this one where it is left out.
    pub(super) session: Option<u32>,
    /// Its section there.
    #[schema(example = "A")]
    pub(super) section: String,
    /// How many go on.
    #[schema(example = 4)]
    pub(super) take: u16,
    /// What they bring along: `nothing`, `all`, `difference`, `wide-spread`, `itc-final`,
    /// `open-pairs`, `mixed-pairs`.
    #[serde(default)]
    #[schema(value_type = String, example = "difference")]
    pub(super) carry: Carried,
    /// Stages before it whose places count as well.
    #[serde(default)]
    also: Vec<StageName>,
}

/// A stage, by where it was played.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct StageName {
    /// The session; this one where it is left out.
    session: Option<u32>,
    /// Its section there.
    #[schema(example = "A")]
    section: String,
}

/// Stages of one event.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Stages {
    /// The session that the last one was played in; this one where it is left out.
    session: Option<u32>,
    /// Its section there.
    #[schema(example = "B")]
    section: String,
    /// Those before it, in the order in which they were played.
    also: Vec<StageName>,
}

/// Where everybody stands over several stages.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct OverAll {
    /// The best first.
    lines: Vec<OverAllLine>,
}

/// Somebody over several stages.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct OverAllLine {
    place: u32,
    contestant: u16,
    name: String,
    /// For the place in each stage; none where it did not play.
    points: Vec<Option<f64>>,
    total: f64,
    vp: f64,
    /// Without penalties.
    vp_played: f64,
    net: f64,
}

/// A stage as it ended.
pub(super) struct Ended {
    pub(super) standing: Vec<Line>,
    /// The names of those who played.
    names: BTreeMap<u16, String>,
    /// Their players.
    people: BTreeMap<u16, Vec<String>>,
}

impl Ended {
    /// The players of somebody in the standing.
    pub(super) fn people(&self, line: &Line) -> Vec<String> {
        let own = self.people.get(&line.contestant.get());
        own.cloned().unwrap_or_default()
    }
}

impl StageName {
    pub(super) const fn new(session: Option<u32>, section: String) -> Self {
        Self { session, section }
    }

    pub(super) async fn ended(&self, web: &Web) -> Result<Ended, Problem> {
        let (club, session) = known(web, self.session).await?;
        let letter = section(&self.section)?;
        let ended = tokio::task::spawn_blocking(move || {
            let standing = session.contest_stage(letter)?;
            let name = |line: &Line| contestant_name(&club, &session, letter, line.contestant);
            let names = standing
                .iter()
                .map(|line| (line.contestant.get(), name(line)))
                .collect();
            let people = |line: &Line| session.contest_people(&club, letter, line.contestant);
            let people = standing
                .iter()
                .map(|line| (line.contestant.get(), people(line)))
                .collect();
            Ok(Ended {
                standing,
                names,
                people,
            })
        });
        let ended: Result<Ended, Refused> = ended.await.map_err(Problem::fault)?;
        ended.map_err(|refused| Problem::refused(refused.0))
    }
}

async fn known(web: &Web, session: Option<u32>) -> Result<(Club, Session), Problem> {
    let wanted = session.map(protocol::words::SessionId::try_from);
    let wanted = wanted.transpose().map_err(Problem::from)?;
    let (state, session) = web.desk().known_session(wanted).await?;
    Ok((state.club, session))
}

impl Stages {
    /// Points for places, and what separates those who have as many.
    pub(super) async fn over_all(&self, web: &Web) -> Result<OverAll, Problem> {
        let mut names = BTreeMap::new();
        let mut standings = Vec::new();
        let last = StageName {
            session: self.session,
            section: self.section.clone(),
        };
        for stage in self.also.iter().chain([&last]) {
            let ended = stage.ended(web).await?;
            names.extend(ended.names);
            standings.push(ended.standing);
        }
        let hundredths = |number: i32| f64::from(number) / 100.0;
        let lines = over_stages(&standings).into_iter().map(|own| OverAllLine {
            place: own.line.place,
            contestant: own.line.contestant.get(),
            name: names.remove(&own.line.contestant.get()).unwrap_or_default(),
            points: own.points.iter().map(|it| it.map(hundredths)).collect(),
            total: hundredths(own.total()),
            vp: hundredths(own.line.vp.0),
            vp_played: hundredths((own.line.vp + own.line.fines).0),
            net: own.line.net.to_f64(),
        });
        Ok(OverAll {
            lines: lines.collect(),
        })
    }
}

impl FromStage {
    /// Those who go on, the best first.
    pub(super) async fn field(&self, web: &Web) -> Result<Vec<ContestantPlan>, Problem> {
        let (_, stage) = known(web, self.session).await?;
        let mut before = Vec::new();
        for earlier in &self.also {
            before.push(earlier.ended(web).await?.standing);
        }
        let letter = section(&self.section)?;
        let (take, carry) = (usize::from(self.take), self.carry);
        let field =
            tokio::task::spawn_blocking(move || stage.contest_field(letter, take, carry, before));
        let field = field.await.map_err(Problem::fault)?;
        field.map_err(|refused| Problem::refused(refused.0))
    }
}

/// Somebody who comes late, or drops in from a knock-out.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Latecomer {
    #[schema(example = "A")]
    pub(super) section: String,
    pub(super) contestant: NewContestant,
    /// Instead of `carry_over`: what the rule of a knock-out gives who drops in from it, by the
    /// leader's score: `gnot2006`, `gnot2012`.
    pub(super) entry: Option<EntryRule>,
    pub(super) why: String,
}

/// IMPs of a knock-out match that was lost; of one that was level, in a play-off.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct LostInput {
    /// What it scored.
    #[schema(example = 38)]
    pub(super) scored: u16,
    /// What its opponents did.
    #[schema(example = 41)]
    pub(super) conceded: u16,
}

impl LostInput {
    pub(super) const fn read(self) -> LostMatch {
        LostMatch {
            scored: self.scored,
            conceded: self.conceded,
        }
    }
}

/// What somebody who drops into a Swiss starts with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(in crate::web::api) enum EntryRule {
    /// The leader's score, but at most 20 a round.
    Gnot2006,
    /// Four fifths of what could be had, or the leader's score; at most five above the leader.
    Gnot2012,
}

impl EntryRule {
    /// Its victory points in hundredths, where somebody drops in now.
    pub(in crate::web::api) fn carry_over(self, session: &Session, section: SectionLetter) -> i32 {
        let (rounds, leader) = session.contest_entry(section);
        let rule = match self {
            Self::Gnot2006 => EntryScore::Gnot2006 { rounds },
            Self::Gnot2012 => EntryScore::Gnot2012 {
                available: VictoryPoints::whole(25 * i32::from(rounds)),
            },
        };
        rule.victory_points(leader).0
    }
}
