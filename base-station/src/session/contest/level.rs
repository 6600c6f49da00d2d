//! Contestants who end level: a lot, a play-off, or the boards of their match counted again.

use std::collections::BTreeSet;

use contest::standing::{DecidedBy, Line as StandingLine, Separated, separate};
use contest::teams::Ending;
use contest::{ContestantNumber, Lot};
use protocol::words::{BoardNumber, RoundNumber, SectionLetter};
use serde::{Deserialize, Serialize};
use telling::tell;

use super::decide::contest_of;
use super::{Contest, ContestEvent, ContestMatch, ContestPlan, Format};
use crate::session::decide::{Decided, WHY_LEN_MAX, refuse, tidy_needed};
use crate::session::{Event, Session};

/// What decides between contestants who are level by every figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum TieBreak {
    /// A lot, which its seed gives again.
    Lot {
        /// The seed.
        seed: u64,
    },
    /// Boards that they played for it.
    PlayOff,
}

impl From<TieBreak> for DecidedBy {
    fn from(by: TieBreak) -> Self {
        match by {
            TieBreak::Lot { .. } => Self::Lot,
            TieBreak::PlayOff => Self::PlayOff,
        }
    }
}

/// Separates everybody who shares a place.
pub(super) fn tie_broken(
    session: &Session,
    section: SectionLetter,
    order: &[ContestantNumber],
    by: TieBreak,
    why: &str,
) -> Decided {
    let contest = contest_of(session, section)?;
    let why = tidy_needed(why, tell!(Contest::Reason), WHY_LEN_MAX)?;
    if let Some(&contestant) = order
        .iter()
        .find(|it| contest.plan.contestant(**it).is_none())
    {
        return refuse(tell!(Contest::ThereNoContestant { contestant }));
    }
    let named: BTreeSet<ContestantNumber> = order.iter().copied().collect();
    let mut level = session.level(section).into_iter();
    let shared = level.any(|place| place.into_iter().collect::<BTreeSet<_>>() == named);
    if !shared || named.len() != order.len() {
        return refuse(tell!(Contest::NotAllLevel));
    }
    let order = match by {
        TieBreak::PlayOff => order.to_vec(),
        // From their numbers, so that the seed alone says who is first.
        TieBreak::Lot { seed } => {
            let mut drawn: Vec<ContestantNumber> = named.into_iter().collect();
            Lot::new(seed).shuffle(&mut drawn);
            drawn
        }
    };
    Ok(vec![Event::Contest(ContestEvent::TieBroken {
        section,
        order,
        by,
        why,
    })])
}

/// Adds a stanza to a match that is level.
pub(super) fn play_off(
    session: &Session,
    section: SectionLetter,
    boards: Option<u8>,
    why: &str,
) -> Decided {
    let contest = contest_of(session, section)?;
    let why = tidy_needed(why, tell!(Contest::Reason), WHY_LEN_MAX)?;
    let plan = &contest.plan;
    if plan.format != Format::HeadToHead {
        return refuse(tell!(Contest::PlayOffStanzas));
    }
    if let Some(round) = contest.next_round() {
        return refuse(tell!(Contest::PlayOffTooEarly { round }));
    }
    let endings = session.endings(section, contest);
    let level = endings
        .iter()
        .map(|(_, ending)| *ending)
        .find(|it| !it.is_won());
    let more = endings.iter().find_map(|(_, ending)| match ending {
        Ending::PlayOff(boards) => Some(*boards),
        Ending::Lot | Ending::Level | Ending::Won { .. } => None,
    });
    let boards = match (level, boards.or(more)) {
        (None | Some(Ending::Won { .. }), _) => return refuse(tell!(Contest::NotLevel)),
        (Some(_), Some(boards)) => boards,
        (Some(Ending::Lot), None) => return refuse(tell!(Contest::LotDecides)),
        (Some(Ending::Level | Ending::PlayOff(_)), None) => {
            return refuse(tell!(Contest::PlayOffHowMany));
        }
    };
    // Behind every board of tonight, those that were played for others included.
    let sittings = session.sections.get(&section).into_iter();
    let sittings = sittings.flat_map(|it| it.sittings.values());
    let last = sittings
        .flat_map(|it| it.boards.iter())
        .max()
        .map_or(0, BoardNumber::get);
    let most = BoardNumber::MAX.get();
    let fits = boards > 0 && last.checked_add(boards).is_some_and(|end| end <= most);
    if !fits || RoundNumber::new(plan.last_round().saturating_add(1)).is_none() {
        return refuse(tell!(Contest::PlayOffTooLong { boards, last, most }));
    }
    Ok(vec![Event::Contest(ContestEvent::PlayOff {
        section,
        first_board: last + 1,
        boards,
        why,
    })])
}

impl Session {
    pub(super) fn fold_tie_broken(
        &mut self,
        section: SectionLetter,
        order: &[ContestantNumber],
        by: TieBreak,
    ) {
        if let Some(contest) = self.contests.get_mut(&section) {
            let (order, by) = (order.to_vec(), by.into());
            contest.separated.push_back(Separated { order, by });
        }
    }

    pub(super) fn fold_play_off(&mut self, section: SectionLetter, boards: (u8, u8)) {
        if let Some(contest) = self.contests.get_mut(&section) {
            contest.plan.play_offs.push(boards);
        }
    }

    /// Those who share a place after everything that is in, place by place.
    pub fn level(&self, section: SectionLetter) -> Vec<Vec<ContestantNumber>> {
        let Some(contest) = self.contests.get(&section) else {
            return Vec::new();
        };
        let lines = self.standing_by_figures(section, contest, None);
        let places = lines.chunk_by(|one, other| one.place == other.place);
        places
            .filter(|place| place.len() > 1)
            .map(|place| place.iter().map(|it| it.contestant).collect())
            .collect()
    }

    /// How the matches in stanzas end whose boards left them level.
    fn endings(&self, section: SectionLetter, contest: &Contest) -> Vec<(ContestMatch, Ending)> {
        if contest.plan.format != Format::HeadToHead || !contest.is_settled() {
            return Vec::new();
        }
        let matches = self.matches_before(section, contest, None).into_iter();
        let ended = matches.filter_map(|own| own.ending.map(|ending| (own, ending)));
        ended.collect()
    }

    /// Who plays on in a later stanza: those who met in the first, on an earlier night perhaps, and are
    /// still there, or where it was added because matches were level those of these matches. `None`
    /// in every other round.
    pub(super) fn play_on(
        &self,
        section: SectionLetter,
        contest: &Contest,
        round: RoundNumber,
    ) -> Option<Vec<(ContestantNumber, ContestantNumber)>> {
        let first = contest.rounds.keys().next();
        let begins = first.is_none_or(|first| *first >= round)
            && contest.plan.stanzas_before().next().is_none();
        if contest.plan.format != Format::HeadToHead || begins {
            return None;
        }
        if !contest.plan.is_play_off(round) {
            return Some(contest.still_in_twos(round));
        }
        if let Some(known) = contest.rounds.get(&round) {
            let matches = known.draw.matches.iter();
            return Some(matches.map(|it| (it.home, it.away)).collect());
        }
        let before = Contest {
            plan: ContestPlan {
                play_offs: contest.plan.play_offs
                    [..usize::from(round.get() - contest.plan.rounds) - 1]
                    .to_vec(),
                ..contest.plan.clone()
            },
            ..contest.clone()
        };
        let level = self.endings(section, &before).into_iter();
        let level = level.filter(|(_, ending)| !ending.is_won());
        Some(
            level
                .map(|(own, _)| (own.scored.home, own.scored.away))
                .collect(),
        )
    }

    /// Puts those into an order who share a place and have been separated.
    pub(super) fn separate_level(
        &self,
        section: SectionLetter,
        contest: &Contest,
        lines: &mut [StandingLine],
    ) {
        let mut separated: Vec<Separated> = contest.separated.iter().cloned().collect();
        for (own, ending) in self.endings(section, contest) {
            if let Ending::Won { by_home, by } = ending {
                separated.push(own.won(by_home, by));
            }
        }
        separate(lines, &separated);
    }
}

impl Contest {
    /// How a match ends, with a lot that was drawn for it or boards that were played elsewhere.
    pub(super) fn ended(&self, ending: Ending, [home, away]: [ContestantNumber; 2]) -> Ending {
        let place = |own: &Separated, who| own.order.iter().position(|it| *it == who);
        let decided = self.separated.iter().rev().find_map(|own| {
            let (home, away) = (place(own, home)?, place(own, away)?);
            Some((home < away, own.by))
        });
        match (ending, decided) {
            (Ending::Won { .. }, _) | (_, None) => ending,
            (Ending::PlayOff(_) | Ending::Lot | Ending::Level, Some((by_home, by))) => {
                Ending::Won { by_home, by }
            }
        }
    }
}

impl ContestMatch {
    /// How many more boards it needs, as it is level; none by the regulation where a lot decides, or
    /// nothing does.
    pub fn plays_on(&self) -> Option<u8> {
        match self.ending? {
            Ending::PlayOff(boards) => Some(boards),
            Ending::Lot | Ending::Level => Some(0),
            Ending::Won { .. } => None,
        }
    }

    fn won(&self, by_home: bool, by: DecidedBy) -> Separated {
        let (home, away) = (self.scored.home, self.scored.away);
        let order = if by_home {
            vec![home, away]
        } else {
            vec![away, home]
        };
        Separated { order, by }
    }
}
