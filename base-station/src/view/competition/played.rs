//! The stages of an event as they were played: in sessions, or as a knock-out.

use std::collections::{BTreeMap, BTreeSet};

use contest::ContestantNumber;
use contest::qualifying::Going;
use contest::standing::Line;
use protocol::words::{SectionLetter, SessionId};

use super::{Audience, CompetitionLine, CompetitionView, KnockOutMatch, KnockOutView};
use crate::session::{
    Championship, Club, CompetitionId, FieldAt, Format, KnockOutId, Phase, Session, StageAt,
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
    /// Its competitions over several sessions.
    pub competitions: &'a BTreeMap<CompetitionId, CompetitionView>,
    /// Who reads.
    pub audience: Audience,
}

/// Somebody, by the first stage it played there: field and number.
pub(super) type Root = (usize, ContestantNumber);

/// Where a field is played.
#[derive(Clone, Debug)]
pub(super) enum FieldOf {
    /// In a section; of several nights on the last.
    Section(FieldAt),
    /// In a category of a competition; without a name the whole of it.
    Category(String),
}

impl FieldOf {
    /// The session of its last night.
    pub(super) const fn session(&self) -> Option<u32> {
        match self {
            Self::Section(place) => Some(place.session.get()),
            Self::Category(_) => None,
        }
    }

    /// Its section, or its category.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Section(place) => place.section.to_string(),
            Self::Category(name) => name.clone(),
        }
    }
}

/// A stage as it was played so far.
#[derive(Debug, Default)]
pub(super) struct Played {
    pub(super) over: bool,
    pub(super) begun: bool,
    /// By field, the best first; those who went home are not among them.
    pub(super) fields: Vec<(FieldOf, Vec<Line>)>,
    /// Names by field and number.
    pub(super) names: BTreeMap<Root, String>,
    /// Who is in no field: of a knock-out everybody who has a place, of a competition those without a
    /// category.
    pub(super) places: Vec<(u32, ContestantNumber)>,
    /// Of a knock-out: who lost in which round; nobody yet while one of its matches is open.
    losers: BTreeMap<u16, Option<Vec<ContestantNumber>>>,
    /// Of a knock-out: by how much everybody's last match was won or lost, in ten-thousandths.
    margins: BTreeMap<ContestantNumber, i64>,
    /// Who met whom in it, by name.
    pub(super) met: BTreeSet<(String, String)>,
}

impl Stages<'_> {
    pub(super) fn played(&self, own: &Championship, stage: u8) -> Played {
        match own.set.get(&stage) {
            None => Played::default(),
            Some((StageAt::Fields(fields), _)) => self.in_sessions(fields),
            Some((StageAt::KnockOut(number), _)) => self.knocked_out(*number),
            Some((StageAt::Competition(number), _)) => self.over_sessions(*number),
        }
    }

    fn in_sessions(&self, at: &[FieldAt]) -> Played {
        let mut all = Played {
            over: true,
            begun: true,
            ..Played::default()
        };
        for place in at {
            let session = self.sessions.get(&place.session);
            let shown = session
                .filter(|it| self.audience == Audience::Director || it.phase == Phase::Released);
            let Some(session) = shown else {
                all.over = false;
                all.fields.push((FieldOf::Section(*place), Vec::new()));
                continue;
            };
            let lines = session.contest_stage(place.section);
            let contest = session.contests.get(&place.section);
            all.over &= lines.is_ok() && contest.is_some_and(|it| it.plan.is_last_night());
            let lines = lines.unwrap_or_else(|_| session.contest_standing(place.section));
            let two = contest.filter(|it| it.plan.format == Format::TwoFields);
            let halves = match two {
                None => vec![lines],
                Some(contest) => {
                    let half = contest.plan.contestants.len() / 2;
                    let first = |line: &Line| {
                        let mut first = contest.plan.contestants.iter().take(half);
                        first.any(|it| it.number == line.contestant)
                    };
                    let (first, second) = lines.into_iter().partition(first);
                    vec![placed_anew(first), placed_anew(second)]
                }
            };
            let mut called: BTreeMap<ContestantNumber, String> = BTreeMap::new();
            // A section may have two fields.
            for (field, lines) in (all.fields.len()..).zip(&halves) {
                for line in lines {
                    let number = line.contestant;
                    let name = contestant_name(self.club, session, place.section, number);
                    let name = if name.is_empty() {
                        number.to_string()
                    } else {
                        name
                    };
                    called.insert(number, name.clone());
                    all.names.insert((field, number), name);
                }
            }
            let name = |number| called.get(&number).cloned();
            let met = opponents(session, place.section);
            all.met
                .extend(met.filter_map(|(one, other)| Some((name(one)?, name(other)?))));
            let place = FieldOf::Section(*place);
            all.fields
                .extend(halves.into_iter().map(|it| (place.clone(), it)));
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
        let ended = |it: &KnockOutMatch| it.winner.is_some() || it.abandoned || it.bye;
        let mut losers: BTreeMap<u16, Option<Vec<ContestantNumber>>> = BTreeMap::new();
        let mut met = BTreeSet::new();
        let mut margins = BTreeMap::new();
        for own in &view.matches {
            for who in own.sides.iter().filter_map(|side| seed(side.seed?)) {
                let margin = own.margin.unwrap_or_default().abs() * 10_000.0;
                #[expect(clippy::cast_possible_truncation, reason = "a few hundred IMPs")]
                margins.insert(who, margin.round() as i64);
            }
            let round = losers.entry(own.stage).or_insert_with(|| Some(Vec::new()));
            if !ended(own) {
                *round = None;
            }
            let loser = own
                .winner
                .and_then(|it| own.sides[usize::from(1 - it.min(1))].seed);
            if let (Some(round), Some(loser)) = (round, loser.and_then(seed)) {
                round.push(loser);
            }
            if !own.at.is_empty() || own.winner.is_some() {
                let [one, other] = own.sides.each_ref().map(|it| it.name.to_string());
                met.insert((one, other));
            }
        }
        let mut finals = view.matches.iter().filter(|it| it.next.is_none());
        Played {
            over: !view.matches.is_empty() && finals.all(ended),
            begun: true,
            fields: Vec::new(),
            names: names.collect(),
            places,
            losers,
            margins,
            met,
        }
    }
}

impl Stages<'_> {
    /// A competition of pairs that enter, with its categories as fields.
    fn over_sessions(&self, number: CompetitionId) -> Played {
        let Some(view) = self.competitions.get(&number) else {
            return Played::default();
        };
        let counted = view.sessions.iter().filter(|it| it.state == "counts");
        let mut all = Played {
            over: counted.count() >= usize::from(view.rules.sessions),
            begun: true,
            ..Played::default()
        };
        let line = |own: &CompetitionLine| {
            let number = ContestantNumber::new(own.entry?)?;
            let place = own.place.trim_end_matches('=').parse().ok()?;
            Some(Line::with_total(place, number, own.total))
        };
        let mut fields: Vec<(String, Vec<Line>)> = Vec::new();
        if view.groups.is_empty() {
            fields.push((String::new(), view.lines.iter().filter_map(line).collect()));
        }
        for group in &view.groups {
            let is_in =
                |own: &&CompetitionLine| group.places.iter().any(|it| it.names == own.names);
            let lines = view.lines.iter().filter(is_in).filter_map(line);
            fields.push((group.name.clone(), placed_anew(lines.collect())));
        }
        let mut left: Vec<&CompetitionLine> = view.lines.iter().collect();
        for (at, (name, lines)) in fields.into_iter().enumerate() {
            for own in &lines {
                let who = left
                    .iter()
                    .position(|it| it.entry == Some(own.contestant.get()));
                if let Some(own_line) = who.map(|it| left.remove(it)) {
                    let names = own_line.names.clone();
                    all.names.insert((at, own.contestant), names);
                }
            }
            all.fields.push((FieldOf::Category(name), lines));
        }
        for own in left {
            if let Some(line) = line(own) {
                all.names
                    .entry((0, line.contestant))
                    .or_insert_with(|| own.names.clone());
                all.places.push((line.place, line.contestant));
            }
        }
        all
    }
}

/// The same lines with places from 1; who shared one still does.
fn placed_anew(mut lines: Vec<Line>) -> Vec<Line> {
    let mut last: Option<(u32, u32)> = None;
    for (line, at) in lines.iter_mut().zip(1..) {
        let before = line.place;
        line.place = match last {
            Some((shared, place)) if shared == before => place,
            Some(_) | None => at,
        };
        last = Some((before, line.place));
    }
    lines
}

impl Played {
    /// Who lost in a round of a knock-out; `None` while somebody still plays it.
    pub(super) fn losers(&self, round: u16) -> Option<Vec<ContestantNumber>> {
        self.losers.get(&round).cloned().flatten()
    }

    /// By how much somebody's last match of a knock-out was won or lost.
    pub(super) fn margin(&self, who: ContestantNumber) -> i64 {
        self.margins.get(&who).copied().unwrap_or_default()
    }

    /// The standing of every field; of a knock-out by its places.
    pub(super) fn lines(&self) -> Vec<Vec<Line>> {
        if !self.fields.is_empty() {
            return self.fields.iter().map(|(_, lines)| lines.clone()).collect();
        }
        let line = |(place, who): &(u32, ContestantNumber)| Line::placed(*place, *who);
        vec![self.places.iter().map(line).collect()]
    }
}

/// What separates somebody in its field, as numbers: wins, IMPs and so on.
pub(super) fn figures(fields: &[Vec<Line>], own: &Going) -> Vec<f64> {
    let lines = fields.get(own.field).into_iter().flatten();
    let mut own = lines.filter(|line| line.contestant == own.contestant);
    let ties = own.next().map_or(&[][..], |line| line.ties.as_slice());
    let number = |text: &str| match text {
        // Nothing was conceded.
        "∞" => f64::INFINITY,
        text => text.parse().unwrap_or_default(),
    };
    ties.iter().map(|tie| number(&tie.value)).collect()
}

/// Who met whom in a stage, on all its nights.
fn opponents(
    session: &Session,
    section: SectionLetter,
) -> impl Iterator<Item = (ContestantNumber, ContestantNumber)> {
    let tonight = session.contest_matches(section).into_iter();
    let tonight = tonight.map(|it| it.scored);
    let all = tonight.chain(session.contest_earlier(section));
    all.map(|it| (it.home, it.away))
}
