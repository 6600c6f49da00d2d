//! An event with stages as it stands: what each stage came to, who goes on and with what, what comes
//! next, and who has won.

use std::collections::{BTreeMap, BTreeSet};

use contest::ContestantNumber;
use contest::qualifying::{CannotTake, Going, PassedOver, Taking, going_on};
use contest::stages::over_stages;
use contest::standing::Line;
use protocol::words::SessionId;
use telling::{Told, tell};

use super::stages::{
    ChampionshipView, ComingView, FinalPlace, FromView, StageField, StageLine, StageView,
};
use super::{Audience, KnockOutView};
use crate::session::{
    Championship, ChampionshipId, Club, FieldAt, FromStage, KnockOutId, Phase, Session, StageAt,
};
use crate::view::contest::contestant_name;

/// What a championship is shown from.
#[derive(Clone, Debug)]
pub struct Stages<'a> {
    /// The club.
    pub club: &'a Club,
    /// Its sessions.
    pub sessions: &'a BTreeMap<SessionId, Session>,
    /// Its knock-outs.
    pub knock_outs: &'a BTreeMap<KnockOutId, KnockOutView>,
    /// Who reads.
    pub audience: Audience,
}

/// Somebody, by the first stage it played there: field and number.
type Root = (usize, ContestantNumber);

/// A stage as it was played so far.
#[derive(Debug, Default)]
struct Played {
    over: bool,
    begun: bool,
    /// By field, the best first; those who went home are not among them.
    fields: Vec<(FieldAt, Vec<Line>)>,
    /// Names by field and number.
    names: BTreeMap<Root, String>,
    /// Of a knock-out: number and place.
    places: Vec<(u32, ContestantNumber)>,
}

impl ChampionshipView {
    /// A championship as it stands.
    pub fn of(stages: &Stages<'_>, number: ChampionshipId, own: &Championship) -> Self {
        let count = u8::try_from(own.plan.stages.len()).unwrap_or(u8::MAX);
        let played: Vec<Played> = (1..=count).map(|stage| stages.played(own, stage)).collect();
        let shape = Shown {
            own,
            played: &played,
        };
        let mut views: Vec<StageView> =
            (1..=count).filter_map(|stage| shape.stage(stage)).collect();
        Shown::mark(&mut views);
        Self {
            id: number.0,
            name: own.plan.name.clone(),
            away: own.away,
            next: next(&views),
            places: shape.places(),
            stages: views,
        }
    }

    /// A stage.
    pub fn stage(&self, number: u8) -> Option<&StageView> {
        self.stages.iter().find(|it| it.number == number)
    }
}

/// What the director does next.
fn next(stages: &[StageView]) -> Told {
    for own in stages {
        let name = &*own.name;
        match own.state {
            "over" => {}
            "playing" => return tell!(Championship::StepPlay { name }),
            "ready" if own.from.is_none() => return tell!(Championship::StepEntries { name }),
            "ready" => {
                return tell!(Championship::StepSetUp {
                    name,
                    n: own.coming.len()
                });
            }
            _ => {
                let waits = tell!(Championship::StepPlay { name });
                return own.cannot.clone().unwrap_or(waits);
            }
        }
    }
    tell!(Championship::StepOver)
}

impl Stages<'_> {
    fn played(&self, own: &Championship, stage: u8) -> Played {
        match own.set.get(&stage) {
            None => Played::default(),
            Some((StageAt::Fields(fields), _)) => self.in_sessions(fields),
            Some((StageAt::KnockOut(number), _)) => self.knocked_out(*number),
        }
    }

    fn in_sessions(&self, at: &[FieldAt]) -> Played {
        let mut all = Played {
            over: true,
            begun: true,
            ..Played::default()
        };
        for (field, place) in at.iter().enumerate() {
            let session = self.sessions.get(&place.session);
            let shown = session
                .filter(|it| self.audience == Audience::Director || it.phase == Phase::Released);
            let Some(session) = shown else {
                all.over = false;
                all.fields.push((*place, Vec::new()));
                continue;
            };
            let lines = session.contest_stage(place.section);
            let contest = session.contests.get(&place.section);
            all.over &= lines.is_ok() && contest.is_some_and(|it| it.plan.is_last_night());
            let lines = lines.unwrap_or_else(|_| session.contest_standing(place.section));
            for line in &lines {
                let number = line.contestant;
                let name = contestant_name(self.club, session, place.section, number);
                let name = if name.is_empty() {
                    number.to_string()
                } else {
                    name
                };
                all.names.insert((field, number), name);
            }
            all.fields.push((*place, lines));
        }
        all
    }

    fn knocked_out(&self, number: KnockOutId) -> Played {
        let Some(view) = self.knock_outs.get(&number) else {
            return Played::default();
        };
        let seed = |it: u16| ContestantNumber::new(it);
        let names = view.entrants.iter().zip(1..);
        let names = names.filter_map(|(name, at)| Some(((0, seed(at)?), name.clone())));
        let place = |text: &str| text.trim_end_matches('=').parse::<u32>().ok();
        let lines = view.places.iter();
        let places: Vec<_> = lines
            .filter_map(|it| Some((place(&it.place)?, seed(it.seed)?)))
            .collect();
        let final_match = view.matches.last();
        let over = final_match.is_some_and(|it| it.winner.is_some() || it.abandoned);
        Played {
            over,
            begun: true,
            fields: Vec::new(),
            names: names.collect(),
            places,
        }
    }
}

struct Shown<'a> {
    own: &'a Championship,
    played: &'a [Played],
}

impl Shown<'_> {
    fn played(&self, stage: u8) -> Option<&Played> {
        self.played.get(usize::from(stage).checked_sub(1)?)
    }

    fn name(&self, stage: u8) -> &str {
        self.own.stage(stage).map_or("", |it| it.name.as_str())
    }

    /// Who comes over from an earlier stage.
    fn coming(&self, from: FromStage) -> Result<Vec<Going>, Told> {
        let name = self.name(from.stage);
        let waits = || tell!(Championship::NotOver { name });
        let played = self.played(from.stage).filter(|it| it.over);
        let played = played.ok_or_else(waits)?;
        let mut fields: Vec<Vec<Line>> = played
            .fields
            .iter()
            .map(|(_, lines)| lines.clone())
            .collect();
        if from.by_places {
            fields = vec![self.by_places(from.stage)?];
        }
        let none = PassedOver::new();
        let passed = self.own.passed.get(&from.stage).unwrap_or(&none);
        going_on(&fields, from.taking, passed).map_err(|why| match why {
            CannotTake::TooFew { there } => tell!(Championship::TooFew { name, n: there }),
            CannotTake::Shared { place } => tell!(Championship::PlaceShared { name, place }),
        })
    }

    /// The first field of a stage by points for the places in all stages so far: whoever plays it and
    /// has a point.
    fn by_places(&self, stage: u8) -> Result<Vec<Line>, Told> {
        let mut standings = Vec::new();
        for before in 1..=stage {
            let own = self.played(before).filter(|it| it.over);
            let own = own.ok_or_else(|| {
                tell!(Championship::NotOver {
                    name: self.name(before)
                })
            })?;
            standings.push(
                own.fields
                    .first()
                    .map(|(_, lines)| lines.clone())
                    .unwrap_or_default(),
            );
        }
        let plays: BTreeSet<ContestantNumber> = standings
            .last()
            .into_iter()
            .flatten()
            .map(|it| it.contestant)
            .collect();
        let all = over_stages(&standings).into_iter();
        let there = all.filter(|it| it.total() > 0 && plays.contains(&it.line.contestant));
        Ok(there.map(|it| it.line).collect())
    }

    fn stage(&self, number: u8) -> Option<StageView> {
        let plan = self.own.stage(number)?;
        let played = self.played(number)?;
        let set = self.own.set.get(&number);
        let coming = plan.from.map(|from| self.coming(from));
        let (coming, cannot) = match coming {
            None => (Vec::new(), None),
            Some(Ok(coming)) => (coming, None),
            Some(Err(why)) => (Vec::new(), Some(why)),
        };
        let from_stage = plan.from.map_or(0, |from| from.stage);
        let coming = self.numbered(from_stage, &coming, plan.knock_out.is_some());
        let state = match set {
            Some(_) if played.over => "over",
            Some(_) => "playing",
            None if plan.from.is_none() || cannot.is_none() => "ready",
            None => "to-come",
        };
        let otherwise = match (set, &cannot) {
            (Some((_, taken)), None) if plan.from.is_some() => {
                self.otherwise(from_stage, taken, &coming)
            }
            _ => Vec::new(),
        };
        Some(StageView {
            number,
            name: plan.name.clone(),
            from: plan.from.map(|from| {
                let Taking {
                    first,
                    take,
                    each_field,
                    carry,
                } = from.taking;
                FromView {
                    stage: from.stage,
                    first,
                    take,
                    each_field,
                    carry,
                    by_places: from.by_places,
                }
            }),
            knock_out: plan.knock_out,
            drawn: set.and_then(|(at, _)| match at {
                StageAt::KnockOut(number) => Some(number.0),
                StageAt::Fields(_) => None,
            }),
            state,
            fields: self.fields(number, played),
            coming,
            cannot,
            otherwise,
        })
    }

    fn fields(&self, stage: u8, played: &Played) -> Vec<StageField> {
        let passed = self.own.passed.get(&stage);
        let fields = played.fields.iter().enumerate();
        fields
            .map(|(at, (place, lines))| StageField {
                session: place.session.get(),
                section: place.section.to_string(),
                lines: lines
                    .iter()
                    .map(|line| {
                        let who = (at, line.contestant);
                        StageLine {
                            place: line.place,
                            contestant: line.contestant.get(),
                            name: played.names.get(&who).cloned().unwrap_or_default(),
                            vp: hundredths(line.vp.0),
                            carry_over: hundredths(line.carry_over.0),
                            goes_to: None,
                            passed: passed.and_then(|it| it.get(&who)).copied(),
                        }
                    })
                    .collect(),
            })
            .collect()
    }

    /// Numbers in the new stage: their own where they come from one field; in the order in which they
    /// come where two could have the same, and in a knock-out, where they are seeds.
    fn numbered(&self, from: u8, coming: &[Going], as_seeds: bool) -> Vec<ComingView> {
        let several = coming.iter().any(|it| it.field > 0);
        let played = self.played(from);
        coming
            .iter()
            .zip(1..)
            .map(|(own, at)| ComingView {
                field: u8::try_from(own.field + 1).unwrap_or(u8::MAX),
                contestant: own.contestant.get(),
                number: if several || as_seeds {
                    at
                } else {
                    own.contestant.get()
                },
                name: played
                    .and_then(|it| it.names.get(&(own.field, own.contestant)))
                    .cloned()
                    .unwrap_or_default(),
                vp: hundredths(own.vp.0),
                imps: own.imps.to_f64(),
                replaces: own.replaces,
            })
            .collect()
    }

    /// Who would come over, or with what, by the results as they are now.
    fn otherwise(
        &self,
        from: u8,
        taken: &[crate::session::Taken],
        coming: &[ComingView],
    ) -> Vec<Told> {
        let mut told = Vec::new();
        let is = |own: &crate::session::Taken, it: &ComingView| {
            (own.field, own.contestant.get()) == (it.field, it.contestant)
        };
        let played = self.played(from);
        let name = |own: &crate::session::Taken| {
            let who = (usize::from(own.field).saturating_sub(1), own.contestant);
            let names = played.and_then(|it| it.names.get(&who));
            names.cloned().unwrap_or_else(|| own.contestant.to_string())
        };
        let mut out = taken
            .iter()
            .filter(|own| !coming.iter().any(|it| is(own, it)));
        for new in coming
            .iter()
            .filter(|it| !taken.iter().any(|own| is(own, it)))
        {
            let instead = out.next().map(name).unwrap_or_default();
            let who = new.name.as_str();
            told.push(tell!(Championship::WouldGoOn { who, instead }));
        }
        for own in taken {
            let now = coming.iter().find(|it| is(own, it));
            let vp = hundredths(own.vp);
            let Some(now) = now.filter(|it| (it.vp - vp).abs() > 0.001) else {
                continue;
            };
            told.push(tell!(Championship::WouldBring {
                who: now.name.as_str(),
                vp: telling::Decimal::new(now.vp, 2),
                instead: telling::Decimal::new(vp, 2)
            }));
        }
        told
    }

    /// Says beside each line of a stage to which later stage it goes.
    fn mark(views: &mut [StageView]) {
        let going: Vec<(u8, u8, u8, u16)> = views
            .iter()
            .filter_map(|view| Some((view, view.from?.stage)))
            .flat_map(|(view, from)| {
                let to = view.number;
                let coming = view.coming.iter();
                coming.map(move |it| (from, to, it.field, it.contestant))
            })
            .collect();
        for (from, to, field, contestant) in going {
            let stage = views.iter_mut().find(|it| it.number == from);
            let at = usize::from(field).saturating_sub(1);
            let field = stage.and_then(|it| it.fields.get_mut(at));
            let mut lines = field.into_iter().flat_map(|it| &mut it.lines);
            if let Some(line) = lines.find(|it| it.contestant == contestant) {
                line.goes_to.get_or_insert(to);
            }
        }
    }

    /// Who somebody of a stage was in the first one.
    fn root(&self, stage: u8, who: Root) -> Root {
        let from = self.own.stage(stage).and_then(|it| it.from);
        let taken = self.own.set.get(&stage).map(|(_, taken)| taken);
        let found = taken.and_then(|all| all.iter().find(|it| it.number == who.1));
        match (from, found) {
            (Some(from), Some(own)) => {
                let field = usize::from(own.field).saturating_sub(1);
                self.root(from.stage, (field, own.contestant))
            }
            _ => who,
        }
    }

    /// The order of a stage: those who went on by where they came to, then the others.
    fn order(&self, stage: u8, all: &mut Vec<(Root, FinalPlace, u32)>) {
        let mut later: Vec<(u16, u8)> = (self.own.plan.stages.iter().zip(1..))
            .filter_map(|(plan, at)| Some((plan.from?, at)))
            .filter(|(from, _)| from.stage == stage)
            .map(|(from, at)| (from.taking.first, at))
            .collect();
        later.sort_unstable();
        for (_, at) in later {
            self.order(at, all);
        }
        let Some(played) = self.played(stage).filter(|it| it.begun) else {
            return;
        };
        let of_fields = played
            .fields
            .iter()
            .enumerate()
            .flat_map(|(at, (_, lines))| {
                // Fields stand side by side: those with the same place share it.
                let of_field = move |line: &Line| (line.place, (at, line.contestant));
                lines.iter().map(of_field)
            });
        let of_knock_out = played.places.iter().map(|(place, who)| (*place, (0, *who)));
        let mut own: Vec<(u32, Root)> = of_fields.chain(of_knock_out).collect();
        own.sort_unstable();
        for (place, who) in own {
            let root = self.root(stage, who);
            if all.iter().any(|(known, ..)| *known == root) {
                continue;
            }
            let name = played.names.get(&who).cloned().unwrap_or_default();
            let shown = FinalPlace {
                place: String::new(),
                name,
                stage,
            };
            all.push((root, shown, if played.over { place } else { 0 }));
        }
    }

    fn places(&self) -> Vec<FinalPlace> {
        let mut all = Vec::new();
        let last = u8::try_from(self.own.plan.stages.len()).unwrap_or(u8::MAX);
        // A stage with entries of its own goes before those that were played earlier.
        for stage in (1..=last).rev() {
            if self.own.stage(stage).is_some_and(|it| it.from.is_none()) {
                self.order(stage, &mut all);
            }
        }
        let key = |own: &(Root, FinalPlace, u32)| (own.1.stage, own.2);
        let mut told = Vec::new();
        let mut at = 1;
        for level in all.chunk_by(|one, other| key(one) == key(other)) {
            let shared = if level.len() > 1 { "=" } else { "" };
            for (_, own, place) in level {
                let place = if *place == 0 {
                    String::new()
                } else {
                    format!("{at}{shared}")
                };
                told.push(FinalPlace {
                    place,
                    ..own.clone()
                });
            }
            at += level.len();
        }
        told
    }
}

fn hundredths(points: i32) -> f64 {
    f64::from(points) / 100.0
}
