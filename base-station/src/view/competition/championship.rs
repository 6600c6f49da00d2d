//! An event with stages as it stands: what each stage came to, who goes on and with what, what comes
//! next, and who has won.

use std::collections::BTreeSet;

use contest::ContestantNumber;
use contest::qualifying::{CannotTake, Going, PassedOver, going_on};
use contest::stages::over_stages;
use contest::standing::Line;
use telling::{Told, tell};

use super::played::{Played, Root, Stages, figures};
use super::stages::{
    ChampionshipView, ChoiceView, ComingView, FinalPlace, FromView, StageField, StageLine,
    StageView,
};
use crate::session::{Championship, ChampionshipId, FromStage, StageAt, StagePlan, Taken};

/// Somebody who comes over: from which stage, from which place there, and with what.
struct Comes {
    stage: u8,
    place: u32,
    going: Going,
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
            met: played
                .iter()
                .flat_map(|it| it.met.iter().cloned())
                .collect(),
            stages: views,
        }
    }

    /// A stage.
    pub fn stage(&self, number: u8) -> Option<&StageView> {
        self.stages.iter().find(|it| it.number == number)
    }
}

/// Places in the order in which they stand; equals share one.
fn number_by(all: &mut [Comes], figure: impl Fn(&Comes) -> i64) {
    let mut last: Option<(i64, u32)> = None;
    for (own, at) in all.iter_mut().zip(1..) {
        let now = figure(own);
        own.place = match last {
            Some((before, place)) if before == now => place,
            Some(_) | None => at,
        };
        last = Some((now, own.place));
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

    /// Who comes over from earlier stages.
    fn coming(&self, plan: &StagePlan) -> Result<Vec<Comes>, Told> {
        let mut all = Vec::new();
        for from in plan.sources() {
            all.extend(self.coming_from(*from)?);
        }
        Ok(all)
    }

    fn coming_from(&self, from: FromStage) -> Result<Vec<Comes>, Told> {
        let name = self.name(from.stage);
        let waits = || tell!(Championship::NotOver { name });
        let stage = from.stage;
        if let Some(round) = from.losers_of {
            let played = self.played(stage).ok_or_else(waits)?;
            let losers = played.losers(round).ok_or_else(waits)?;
            let comes = |contestant| Comes {
                stage,
                place: 1,
                going: Going::with_nothing(contestant),
            };
            let mut all: Vec<Comes> = losers.into_iter().map(comes).collect();
            if from.ranked {
                let margin = |own: &Comes| played.margin(own.going.contestant);
                all.sort_by_key(margin);
                number_by(&mut all, margin);
            }
            return Ok(all);
        }
        let played = self.played(stage).filter(|it| it.over);
        let played = played.ok_or_else(waits)?;
        let mut fields = played.lines();
        if from.by_places {
            fields = vec![self.by_places(stage)?];
        }
        let none = PassedOver::new();
        let passed = self.own.passed.get(&stage).unwrap_or(&none);
        let going = going_on(&fields, from.taking, passed).map_err(|why| match why {
            CannotTake::TooFew { there } => tell!(Championship::TooFew { name, n: there }),
            CannotTake::Shared { place } => tell!(Championship::PlaceShared { name, place }),
        })?;
        let place = |own: &Going| {
            let lines = fields.get(own.field).into_iter().flatten();
            let mut own = lines.filter(|line| line.contestant == own.contestant);
            own.next().map_or(0, |line| line.place)
        };
        let mut all: Vec<Comes> = going
            .into_iter()
            .map(|going| Comes {
                stage,
                place: place(&going),
                going,
            })
            .collect();
        if from.ranked && played.fields.is_empty() {
            // Winners by the size of their win.
            let margin = |own: &Comes| -played.margin(own.going.contestant);
            all.sort_by_key(margin);
            number_by(&mut all, margin);
        } else if from.ranked {
            let figures = |own: &Comes| figures(&fields, &own.going);
            all.sort_by(|one, other| {
                let (one, other) = (figures(one), figures(other));
                let mut both = one.iter().zip(&other);
                both.find_map(|(one, other)| Some(other.total_cmp(one)).filter(|it| it.is_ne()))
                    .unwrap_or(std::cmp::Ordering::Equal)
            });
            for (own, at) in all.iter_mut().zip(1..) {
                own.place = at;
            }
        }
        Ok(all)
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
        let (coming, cannot) = match self.coming(plan) {
            Ok(coming) => (self.numbered(plan, &coming), None),
            Err(why) => (Vec::new(), Some(why)),
        };
        let state = match set {
            Some(_) if played.over => "over",
            Some(_) => "playing",
            None if plan.from.is_none() || cannot.is_none() => "ready",
            None => "to-come",
        };
        let otherwise = match (set, &cannot) {
            (Some((_, taken)), None) => self.otherwise(plan, taken, &coming),
            (None, _) | (Some(_), Some(_)) => Vec::new(),
        };
        Some(StageView {
            number,
            name: plan.name.clone(),
            from: plan.from.map(FromView::of),
            also: plan.also.iter().copied().map(FromView::of).collect(),
            left: plan.left,
            choice: plan.choice.map(|it| ChoiceView {
                choosers: it.choosers,
                from: it.from,
            }),
            knock_out: plan.knock_out,
            drawn: set.and_then(|(at, _)| match at {
                StageAt::KnockOut(number) => Some(number.0),
                StageAt::Fields(_) | StageAt::Competition(_) => None,
            }),
            competition: set.and_then(|(at, _)| match at {
                StageAt::Competition(number) => Some(number.0),
                StageAt::Fields(_) | StageAt::KnockOut(_) => None,
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
            .map(|(at, (field, lines))| StageField {
                session: field.session(),
                name: field.name(),
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
    fn numbered(&self, plan: &StagePlan, coming: &[Comes]) -> Vec<ComingView> {
        let several = coming.iter().any(|it| it.going.field > 0) || !plan.also.is_empty();
        let anew = several || plan.knock_out.is_some();
        coming
            .iter()
            .zip(1..)
            .map(
                |(
                    Comes {
                        stage,
                        place,
                        going,
                    },
                    at,
                )| ComingView {
                    stage: *stage,
                    field: u8::try_from(going.field + 1).unwrap_or(u8::MAX),
                    contestant: going.contestant.get(),
                    number: if anew { at } else { going.contestant.get() },
                    name: self.called(*stage, (going.field, going.contestant)),
                    place: *place,
                    vp: hundredths(going.vp.0),
                    imps: going.imps.to_f64(),
                    replaces: going.replaces,
                },
            )
            .collect()
    }

    /// What somebody of a stage is called there.
    fn called(&self, stage: u8, who: Root) -> String {
        let names = self.played(stage).and_then(|it| it.names.get(&who));
        names.cloned().unwrap_or_else(|| who.1.to_string())
    }

    /// Who would come over, or with what, by the results as they are now.
    fn otherwise(&self, plan: &StagePlan, taken: &[Taken], coming: &[ComingView]) -> Vec<Told> {
        let mut told = Vec::new();
        let is = |own: &Taken, it: &ComingView| {
            let stage = plan.stage_of(own);
            (stage, own.field, own.contestant.get()) == (it.stage, it.field, it.contestant)
        };
        let name = |own: &Taken| {
            let who = (usize::from(own.field).saturating_sub(1), own.contestant);
            self.called(plan.stage_of(own), who)
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
            .flat_map(|view| {
                let to = view.number;
                let coming = view.coming.iter();
                coming.map(move |it| (it.stage, to, it.field, it.contestant))
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
        let plan = self.own.stage(stage);
        let taken = self.own.set.get(&stage).map(|(_, taken)| taken);
        let found = taken.and_then(|all| all.iter().find(|it| it.number == who.1));
        match (plan, found) {
            (Some(plan), Some(own)) if plan.from.is_some() => {
                let field = usize::from(own.field).saturating_sub(1);
                self.root(plan.stage_of(own), (field, own.contestant))
            }
            _ => who,
        }
    }

    /// The order of a stage: those who went on by where they came to, then the others.
    fn order(&self, stage: u8, all: &mut Vec<(Root, FinalPlace, u32)>) {
        let mut later: Vec<(u16, u8)> = (self.own.plan.stages.iter().zip(1..))
            .filter_map(|(plan, at)| {
                let own = plan.sources().filter(|from| from.stage == stage);
                // The Swiss of those who lost comes behind the stages of those who won.
                let first = own.map(|from| match from.losers_of {
                    Some(_) => u16::MAX,
                    None => from.taking.first,
                });
                Some((first.min()?, at))
            })
            .collect();
        later.sort_unstable();
        for (first, at) in later {
            if first == u16::MAX {
                // Who has not lost comes before those who have, wherever they go on.
                self.order_of(stage, 1, all);
            }
            self.order(at, all);
        }
        self.order_of(stage, u32::MAX, all);
    }

    /// Those of a stage down to a place, without those who play in a later one.
    fn order_of(&self, stage: u8, until: u32, all: &mut Vec<(Root, FinalPlace, u32)>) {
        let Some(played) = self.played(stage).filter(|it| it.begun) else {
            return;
        };
        let later = self.played.iter().skip(usize::from(stage));
        let later: BTreeSet<&String> = later.flat_map(|it| it.names.values()).collect();
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
        own.retain(|(place, _)| *place <= until);
        for (place, who) in own {
            let root = self.root(stage, who);
            let name = played.names.get(&who).cloned().unwrap_or_default();
            // Who dropped into a Swiss has another number there: a name says who it is.
            let has_name = name != who.1.to_string();
            let listed = |it: &(Root, FinalPlace, u32)| {
                if has_name {
                    it.1.name == name
                } else {
                    it.0 == root
                }
            };
            if all.iter().any(listed) || has_name && later.contains(&name) {
                continue;
            }
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
