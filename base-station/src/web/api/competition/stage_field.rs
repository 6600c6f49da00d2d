//! Who plays a stage of a championship: players, numbers, seeds, and what they bring along.

use std::collections::BTreeSet;

use protocol::words::SectionLetter;
use season::{Choice, Choosing, EntryNumber, NotChoosable, Shape, ToChoose};
use serde::Deserialize;
use telling::{Told, tell};
use utoipa::ToSchema;

use super::championship::{contestant, does, known, may_be_set, stage_of, view};
use super::stage_input::DrawStage;
use crate::session::{
    ChampionshipCommand, ChampionshipId, ContestantPlan, FieldAt, StageAt, Taken, seeds_by_lot,
};
use crate::view::{Audience, ChampionshipView, ComingView, StageView};
use crate::web::api::results;
use crate::web::{Director, Problem, Web};

/// A stage of a championship that a section plays.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::web::api) struct StageOf {
    championship: u32,
    /// From 1.
    stage: u8,
}

impl StageOf {
    /// Who plays this stage, as they go on from the one before; `None` where it has entries of its
    /// own. A stage that can't be set up now is refused.
    pub(in crate::web::api) async fn field(
        self,
        web: &Web,
        in_two_fields: bool,
    ) -> Result<Option<Vec<ContestantPlan>>, Problem> {
        let now = view(web, self.championship, Audience::Director).await?;
        let own = stage_of(&now, self.stage)?;
        if own.knock_out.is_some() {
            let n = self.stage;
            return Err(Problem::refused(tell!(Championship::IsAKnockOut { n })));
        }
        if own.from.is_none() {
            return Ok(None);
        }
        may_be_set(own)?;
        let plans = own.coming.iter().map(|it| {
            #[expect(clippy::cast_possible_truncation, reason = "a few hundred")]
            let [vp, imps] = [it.vp * 100.0, it.imps * 10_000.0].map(|it| it.round() as i64);
            Ok(ContestantPlan {
                name: it.name.clone(),
                carry_over: i32::try_from(vp).unwrap_or(i32::MAX),
                carry_imps: imps,
                ..ContestantPlan::numbered(contestant(it.number)?)
            })
        });
        let mut plans: Vec<ContestantPlan> = plans.collect::<Result<_, Problem>>()?;
        self.with_players(web, own, &mut plans).await?;
        if in_two_fields {
            // Those of the first field stay at their tables, the others move.
            let mut by_field: Vec<(u8, ContestantPlan)> =
                own.coming.iter().map(|it| it.field).zip(plans).collect();
            by_field.sort_by_key(|(field, _)| *field);
            plans = by_field.into_iter().map(|(_, plan)| plan).collect();
        }
        Ok(Some(plans))
    }

    /// Players and clubs stay as they were entered.
    async fn with_players(
        self,
        web: &Web,
        own: &StageView,
        plans: &mut [ContestantPlan],
    ) -> Result<(), Problem> {
        let state = web.desk().state();
        let (_, championship) = known(&state, self.championship)?;
        let mut places: Vec<(u8, Vec<FieldAt>)> = Vec::new();
        for (stage, (at, _)) in &championship.set {
            if let StageAt::Fields(fields) = at {
                places.push((*stage, fields.clone()));
            }
            if let StageAt::Competition(number) = at {
                let club = &state.club;
                let entries = club.competitions.get(number).map(|it| &it.entries);
                for (it, plan) in own.coming.iter().zip(plans.iter_mut()) {
                    let entry = entries.and_then(|all| all.get(&EntryNumber(it.contestant)));
                    if let Some(entry) = entry.filter(|_| it.stage == *stage) {
                        plan.players = entry.players.iter().map(|who| club.called(who)).collect();
                        plan.name = String::new();
                    }
                }
            }
        }
        for (stage, fields) in places {
            let mut first = 1;
            for place in fields {
                let (_, session) = web.desk().known_session(Some(place.session)).await?;
                let Some(before) = session.contests.get(&place.section) else {
                    first += 1;
                    continue;
                };
                // One section may have two fields.
                let end = first + before.plan.fields();
                let coming = own.coming.iter().zip(plans.iter_mut());
                let is_of = |it: &ComingView| it.stage == stage && (first..end).contains(&it.field);
                for (it, plan) in coming.filter(|(it, _)| is_of(it)) {
                    let known = before.plan.contestants.iter();
                    let mut known = known.filter(|known| known.number.get() == it.contestant);
                    if let Some(known) = known.next() {
                        plan.players.clone_from(&known.players);
                        plan.club.clone_from(&known.club);
                        plan.seats_first = known.seats_first;
                    }
                }
                first = end;
            }
        }
        Ok(())
    }

    /// Notes that a section of the chosen session plays it.
    pub(in crate::web::api) async fn is_played(
        self,
        web: &Web,
        director: &Director,
        section: SectionLetter,
    ) -> Result<(), Problem> {
        let now = view(web, self.championship, Audience::Director).await?;
        let state = web.desk().state();
        let session = results::session(&state)?.id;
        let (_, championship) = known(&state, self.championship)?;
        let own = stage_of(&now, self.stage)?;
        let place = FieldAt { session, section };
        let known = championship.set.get(&self.stage);
        let mut fields = match known {
            Some((StageAt::Fields(fields), _)) if own.from.is_none() => fields.clone(),
            _ => Vec::new(),
        };
        if !fields.contains(&place) {
            fields.push(place);
        }
        let command = ChampionshipCommand::SetStage {
            championship: ChampionshipId(self.championship),
            stage: self.stage,
            at: Some(StageAt::Fields(fields)),
            taken: taken_over(&own.coming)?,
        };
        does(web, director, command).await
    }
}

/// Who comes over, as it is written down.
pub(super) fn taken_over(coming: &[ComingView]) -> Result<Vec<Taken>, Problem> {
    let taken = coming.iter().map(|it| {
        #[expect(clippy::cast_possible_truncation, reason = "a few hundred")]
        let [vp, imps] = [it.vp * 100.0, it.imps * 10_000.0].map(|it| it.round() as i64);
        Ok(Taken {
            field: it.field,
            contestant: contestant(it.contestant)?,
            number: contestant(it.number)?,
            vp: i32::try_from(vp).unwrap_or(i32::MAX),
            imps,
            stage: it.stage,
        })
    });
    taken.collect()
}

/// The seeds of a knock-out: those who have the same place of the same stage in the order of a lot that
/// lets as few as can be meet again in their first match.
fn by_lot(now: &ChampionshipView, own: &StageView, shape: Shape, seed: u64) -> Vec<ComingView> {
    let equals: Vec<usize> = (own.coming)
        .chunk_by(|one, other| (one.stage, one.place) == (other.stage, other.place))
        .scan(0, |begin, level| {
            let at = *begin;
            *begin += level.len();
            Some(vec![at; level.len()])
        })
        .flatten()
        .collect();
    let order = seeds_by_lot(shape, &equals, have_met(now, own), seed);
    let own = |at: &usize| own.coming.get(*at).cloned();
    order.iter().filter_map(own).collect()
}

/// Whether two who come into a stage have met before in this event.
fn have_met<'a>(
    now: &'a ChampionshipView,
    own: &'a StageView,
) -> impl Fn(usize, usize) -> bool + 'a {
    let name = |at: usize| own.coming.get(at).map_or("", |it| it.name.as_str());
    move |one, other| {
        let pair = |one: usize, other: usize| (name(one).to_owned(), name(other).to_owned());
        now.met.contains(&pair(one, other)) || now.met.contains(&pair(other, one))
    }
}

/// The number of whoever comes in at a place from 0.
pub(super) fn number_at(own: &StageView, at: usize) -> Option<u16> {
    own.coming.get(at).map(|it| it.number)
}

/// How far the choice of opponents is.
pub(super) fn chosen(
    now: &ChampionshipView,
    own: &StageView,
    picks: &[Option<u16>],
) -> Result<Choosing, Problem> {
    let n = own.number;
    let choice = own
        .choice
        .ok_or_else(|| Problem::refused(tell!(Championship::NobodyChooses { n })))?;
    let choice = Choice {
        choosers: choice.choosers,
        from: choice.from,
    };
    let picks = picks.iter().map(|pick| {
        let known = |number: u16| own.coming.iter().position(|it| it.number == number);
        match pick {
            None => Ok(None),
            Some(number) => known(*number).map(Some).ok_or_else(|| {
                Problem::refused(tell!(Championship::NoSuchContestant {
                    n: *number,
                    stage: n
                }))
            }),
        }
    });
    let picks = picks.collect::<Result<Vec<_>, Problem>>()?;
    let found = choice.choosing(own.coming.len(), have_met(now, own), &picks);
    found.map_err(|why| {
        Problem::refused(match why {
            NotChoosable::Contestants { most } => tell!(Championship::ChoiceOfEven { n, most }),
            NotChoosable::NotThatOne(next) => choose(own, &next),
        })
    })
}

/// Whose choice it is, and from whom.
fn choose(own: &StageView, next: &ToChoose) -> Told {
    let name = |at: &usize| own.coming.get(*at).map_or("", |it| it.name.as_str());
    let names: Vec<&str> = next.from.iter().map(name).collect();
    tell!(Championship::ChoosesNow {
        who: name(&next.by),
        names: names.join(", ")
    })
}

/// Who plays a knock-out in the order of its seeds: by hand, by the choices that were made, or by place
/// with a lot between equals.
pub(super) fn seeded(
    now: &ChampionshipView,
    own: &StageView,
    shape: Shape,
    input: &DrawStage,
) -> Result<Vec<ComingView>, Problem> {
    let n = own.number;
    let mut coming = if !input.order.is_empty() {
        let at = |number: &u16| own.coming.iter().find(|it| it.number == *number).cloned();
        let order: Option<Vec<ComingView>> = input.order.iter().map(at).collect();
        let different: BTreeSet<&u16> = input.order.iter().collect();
        order
            .filter(|it| it.len() == own.coming.len() && different.len() == it.len())
            .ok_or_else(|| Problem::refused(tell!(Championship::OrderOfAll { n })))?
    } else if own.choice.is_some() {
        match chosen(now, own, &input.picks)? {
            Choosing::Next(next) => return Err(Problem::refused(choose(own, &next))),
            Choosing::Paired(pairs) => {
                let both = pairs.into_iter().flatten();
                both.filter_map(|at| own.coming.get(at).cloned()).collect()
            }
        }
    } else {
        let seed = input.seed.unwrap_or_else(|| fastrand::u64(1..1 << 53));
        by_lot(now, own, shape, seed)
    };
    for (own, at) in coming.iter_mut().zip(1..) {
        own.number = at;
    }
    Ok(coming)
}
