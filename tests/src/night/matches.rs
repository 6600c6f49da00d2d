//! Nights of matches: the director draws each round when the one before it is in.

use std::collections::{BTreeMap, BTreeSet};

use base_station::contest::draw::{Draw, FirstRound, Method, OddField, Rematches};
use base_station::contest::rules::Column;
use base_station::contest::{Comparison, Regulation, Rules};
use base_station::scoring::VpScale;
use base_station::session::{
    AtTables, Command, ContestCommand, ContestEvent, ContestPlan, ContestantPlan, DrawAsked,
    DrawWish, Event, Format, NextStep, Record, WithdrawnMatches,
};
use pad::app::Flow;
use protocol::time::Span;
use protocol::words::{PairNumber, RoundNumber, SectionLetter, SessionId};

use super::agenda::Mishap;
use super::checkers;
use super::disk::Disk;
use super::options::Evening;
use super::world::World;
use super::{Broken, Options};

/// Rounds of a night of matches.
pub(super) fn rounds(options: &Options) -> u8 {
    match options.evening {
        Evening::RoundRobin => {
            let others = options.tables.saturating_sub(1);
            u8::try_from(others).unwrap_or(u8::MAX) | 1
        }
        Evening::Mitchell | Evening::Swiss | Evening::Teams => 3,
    }
}

/// What a night leaves to the next one of its event.
#[derive(Debug)]
pub(super) struct NightBefore {
    pub(super) disk: Disk,
    plan: ContestPlan,
    /// Victory points so far, the long way.
    points: BTreeMap<u16, f64>,
    met: BTreeSet<(u16, u16)>,
}

impl NightBefore {
    /// Tables that those who still play need.
    pub(super) fn tables(&self) -> u16 {
        let gone = self.plan.earlier.as_ref().map_or(0, |it| it.gone.len());
        let playing = self.plan.contestants.len() - gone;
        let tables = if self.plan.is_teams() {
            playing - playing % 2
        } else {
            playing / 2
        };
        u16::try_from(tables).unwrap_or(u16::MAX)
    }
}

/// How many results came, and how many were corrected, when the next round was drawn already.
pub(super) fn after_the_draw(records: &[Record], session: Option<SessionId>) -> (usize, usize) {
    let mut drawn = None;
    let (mut late, mut corrected) = (0, 0);
    for record in records.iter().filter(|it| it.session == session) {
        match &record.event {
            Event::Contest(ContestEvent::Drawn { round, .. }) => drawn = Some(*round),
            Event::Entered { entry, .. } => late += usize::from(Some(entry.round) < drawn),
            Event::Ruled { cell, .. } => corrected += usize::from(Some(cell.round) < drawn),
            _ => {}
        }
    }
    (late, corrected)
}

/// How often the director looks whether a round can be drawn.
const LOOKS_EVERY: Span = Span::from_secs(60);

/// What was published, as the director saw it.
#[derive(Debug, Default)]
pub(super) struct Published {
    pub(super) draws: BTreeMap<RoundNumber, Draw>,
    /// Who met whom on earlier nights.
    pub(super) met: BTreeSet<(u16, u16)>,
    /// Victory points of earlier nights, the long way.
    pub(super) points: BTreeMap<u16, f64>,
    /// How the event goes on.
    plan: Option<ContestPlan>,
    /// Standing as a base would have it that does not work it out again.
    pub(super) remembered: Option<Vec<(u16, i32)>>,
}

impl Published {
    /// What the night is called: the second one of an event is another one than the first.
    pub(super) fn event_name(&self) -> String {
        let plan = self.plan.as_ref();
        match plan.map_or(0, ContestPlan::rounds_before) {
            0 => "Club night".to_owned(),
            rounds => format!("Club night after {rounds} rounds"),
        }
    }

    pub(super) fn after(before: Option<NightBefore>) -> Self {
        before.map_or_else(Self::default, |before| Self {
            met: before.met,
            points: before.points,
            plan: Some(before.plan),
            ..Self::default()
        })
    }
}

/// The stage that a room of this size plays.
pub(super) fn plan(options: &Options) -> ContestPlan {
    let teams = options.evening != Evening::Swiss;
    let field = if teams {
        options.tables
    } else {
        options.tables * 2
    };
    let comparison = if teams {
        Comparison::TeamsImps
    } else {
        Comparison::Butler
    };
    ContestPlan {
        name: "Matches".to_owned(),
        colour: String::new(),
        contestants: (1..=field)
            .filter_map(PairNumber::new)
            .map(ContestantPlan::numbered)
            .collect(),
        format: if options.evening == Evening::RoundRobin {
            Format::RoundRobin
        } else {
            Format::Swiss {
                first: FirstRound::Random,
                method: Method::Swiss,
                rematches: Rematches::Avoided,
                odd: OddField::Bye,
            }
        },
        rounds: rounds(options),
        boards: options.boards / rounds(options),
        first_board: 1,
        rules: Rules {
            scale: VpScale::WbfFormula,
            column: Column::Boards,
            ..Rules::of(Regulation::NewZealandClub, comparison)
        },
        other_table_shown: false,
        earlier: None,
        play_offs: Vec::new(),
        rounds_in_all: None,
        at_tables: AtTables {
            one_set: options.evening == Evening::Teams && options.seed.is_multiple_of(2),
            ..AtTables::default()
        },
    }
}

impl World {
    /// The director sets the matches up and draws the first round.
    pub(super) fn set_up_matches(&mut self) {
        let section = SectionLetter::A;
        let plan = self
            .published
            .plan
            .take()
            .unwrap_or_else(|| plan(&self.options));
        let planned = Command::Contest(ContestCommand::Plan { section, plan });
        assert!(
            self.laptop.command(planned, self.now),
            "the stage is refused"
        );
        assert!(
            self.director_publishes(RoundNumber::FIRST),
            "the first draw is refused"
        );
        self.agenda
            .add(self.now + LOOKS_EVERY, Mishap::DirectorDraws);
    }

    /// Draws the next round where it is time: everything is in, or every table waits for it.
    pub(super) fn director_draws(&mut self) {
        let section = SectionLetter::A;
        let step = self.session().and_then(|it| it.contest_next_step(section));
        let waits = |flow: Option<Flow>| {
            matches!(
                flow,
                None | Some(Flow::RoundStart | Flow::RoundEnd | Flow::SessionEnd)
            )
        };
        let everybody_waits = self.tables.iter().all(|table| waits(table.flow()));
        let round = match step {
            Some(NextStep::Draw(round)) => Some(round),
            Some(NextStep::Missing {
                draw: Some(round), ..
            }) if everybody_waits => Some(round),
            _ => None,
        };
        if let Some(round) = round {
            self.director_publishes(round);
        }
        let drawn = self.session().is_some_and(|session| {
            let contest = session.contests.get(&section);
            contest.is_some_and(|contest| contest.next_round().is_none())
        });
        if !drawn {
            self.agenda
                .add(self.now + LOOKS_EVERY, Mishap::DirectorDraws);
        }
    }

    fn director_publishes(&mut self, round: RoundNumber) -> bool {
        let section = SectionLetter::A;
        let seed = self.rng.u64(1..1 << 53);
        let wish = DrawWish {
            round: Some(round),
            ..DrawWish::default()
        };
        let proposed = self
            .session()
            .map(|it| it.propose_draw(section, &wish, seed));
        let Some(Ok(proposal)) = proposed else {
            return false;
        };
        let draw = proposal.drawn.draw;
        let publish = |draw: Draw, why: &str| {
            Command::Contest(ContestCommand::Publish {
                section,
                round,
                draw,
                wish: proposal.wish,
                asked: DrawAsked::default(),
                rematches: true,
                why: why.to_owned(),
            })
        };
        if !self.laptop.command(publish(draw.clone(), ""), self.now) {
            return false;
        }
        self.published.draws.insert(round, draw.clone());
        if self.options.broken == Broken::ChangesADraw {
            let mut other = draw;
            for pairing in &mut other.matches {
                std::mem::swap(&mut pairing.home, &mut pairing.away);
            }
            self.laptop.command(publish(other, "by itself"), self.now);
        }
        if self.published.remembered.is_none() && round > RoundNumber::FIRST {
            self.published.remembered = self.standing_of_matches();
        }
        for table in &mut self.tables {
            table.drawn = Some(round);
        }
        self.tell(&format!("Round {round} was drawn."));
        true
    }

    /// Somebody goes home after the rounds that are drawn.
    pub(super) fn director_lets_a_contestant_go(&mut self) {
        let section = SectionLetter::A;
        let Some(session) = self.session() else {
            return;
        };
        let Some(contest) = session.contests.get(&section) else {
            return;
        };
        let numbers: Vec<PairNumber> = contest
            .plan
            .contestants
            .iter()
            .map(|it| it.number)
            .collect();
        let Some(contestant) = self.rng.choice(&numbers).copied() else {
            return;
        };
        let leaves = ContestCommand::Withdraw {
            section,
            contestant,
            from: None,
            matches: WithdrawnMatches::Stand,
            why: "does not feel well".to_owned(),
        };
        self.laptop.command(Command::Contest(leaves), self.now);
    }

    /// What the next night of the event goes on from.
    pub(super) fn hands_on(&self) -> Option<NightBefore> {
        let session = self.session()?;
        let plan = session.contest_for_next_night(SectionLetter::A).ok()?;
        let mut met = self.published.met.clone();
        for own in self.published.draws.values().flat_map(|draw| &draw.matches) {
            let (home, away) = (own.home.get(), own.away.get());
            met.insert((home.min(away), home.max(away)));
        }
        Some(NightBefore {
            disk: self.laptop.disk(),
            plan,
            points: checkers::points_of_matches(self, session),
            met,
        })
    }

    /// Contestants and hundredths of a victory point, as the base has them.
    pub(super) fn standing_of_matches(&self) -> Option<Vec<(u16, i32)>> {
        if self.options.broken == Broken::RemembersAStanding
            && let Some(old) = &self.published.remembered
        {
            return Some(old.clone());
        }
        let standing = self.session()?.contest_standing(SectionLetter::A);
        let lines = standing
            .iter()
            .map(|line| (line.contestant.get(), line.vp.0));
        Some(lines.collect())
    }
}
