//! Matches in a session: contestants, draws and what the director decided about them.
//!
//! A published draw is an event of its own; beside it stands the change of the movement that makes
//! it sittings, so that pads, grid, checks and corrections work as on any evening. What a match
//! comes to is derived from the session's lines and kept nowhere.
//!
//! # Evolution
//! As in [`super::Event`]: append variants, never change the meaning of a field, give new fields a
//! default.

mod added;
mod check;
mod decide;
mod draws;
mod earlier;
mod fixtures;
mod matches;
mod pads;
mod plan;
mod players;
mod watch;

use contest::ContestantNumber;
use contest::draw::{Draw, Wish};
use contest::irregular::Decision;
use contest::offence::Offence;
use imbl::{OrdMap, Vector};
use protocol::words::{RoundNumber, SectionLetter, TableNumber};
use serde::{Deserialize, Serialize};

use super::{Event, Record, Seq, Session};

pub use decide::ContestCommand;
pub(super) use decide::decide;
pub use draws::{ByHand, DrawProposal, DrawWish};
pub use matches::{ContestMatch, MatchSheet, NextStep};
pub use plan::{ContestPlan, ContestantPlan, Earlier, EarlierMatch, Format};
pub use players::PlayerLine;
pub use watch::MatchFinding;

/// What can happen to matches. Stored for ever inside [`super::Event::Contest`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ContestEvent {
    /// A section plays matches from now on.
    Planned {
        /// Which.
        section: SectionLetter,
        /// Who, what, how.
        plan: ContestPlan,
    },
    /// A round was drawn and published.
    Drawn {
        /// The section.
        section: SectionLetter,
        /// The round.
        round: RoundNumber,
        /// Who meets whom.
        draw: Draw,
        /// How it was made, with the seed of its lots; `None` by hand.
        wish: Option<Wish>,
        /// Why, where it replaces an earlier draw.
        why: String,
    },
    /// The director decided about a match that was not played properly.
    Decided {
        /// The section.
        section: SectionLetter,
        /// The round.
        round: RoundNumber,
        /// The match, by its number in the draw.
        table: TableNumber,
        /// What; `None` when its boards count after all.
        decision: Option<Decision>,
        /// Why.
        why: String,
    },
    /// A contestant plays no more.
    Withdrawn {
        /// The section.
        section: SectionLetter,
        /// Who.
        contestant: ContestantNumber,
        /// From this round on.
        from: RoundNumber,
        /// What becomes of its matches.
        matches: WithdrawnMatches,
        /// Why.
        why: String,
    },
    /// Both sides accepted the slip of their match on the pad.
    SlipAccepted {
        /// The section.
        section: SectionLetter,
        /// The round.
        round: RoundNumber,
        /// The table of the pad.
        table: TableNumber,
        /// What the slip said, in a number.
        check: u16,
    },
    /// Earlier nights were corrected, and this one goes by what they say now.
    EarlierTaken {
        /// The section.
        section: SectionLetter,
        /// What they say.
        earlier: Earlier,
    },
    /// Somebody came late, played slowly, or left a score out; the penalty stands beside it.
    Offended {
        /// The section.
        section: SectionLetter,
        /// Who.
        contestant: ContestantNumber,
        /// What.
        offence: Offence,
    },
    /// Somebody comes late, or drops in from a knock-out.
    Joined {
        /// The section.
        section: SectionLetter,
        /// Who, and what it brings along.
        contestant: ContestantPlan,
        /// From this round on.
        from: RoundNumber,
        /// Why.
        why: String,
    },
}

/// What becomes of the matches of a contestant that withdrew.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WithdrawnMatches {
    /// They stand.
    #[default]
    Stand,
    /// They are cancelled: its opponents get what the regulation gives for a match not played.
    Cancelled,
}

/// A stage of matches as it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contest {
    /// As it was set up.
    pub plan: ContestPlan,
    /// The rounds drawn so far.
    pub rounds: OrdMap<RoundNumber, DrawnRound>,
    /// Matches that the director decided, by round and number.
    pub decisions: OrdMap<(RoundNumber, TableNumber), (Decision, String)>,
    /// Who plays no more.
    pub withdrawn: OrdMap<ContestantNumber, (RoundNumber, WithdrawnMatches)>,
    /// Slips that both sides accepted, by round and table, with what they said.
    pub accepted: OrdMap<(RoundNumber, TableNumber), u16>,
    /// Who came later than the first round.
    pub joined: OrdMap<ContestantNumber, RoundNumber>,
    /// Offences of tonight.
    pub offences: Vector<(ContestantNumber, Offence)>,
}

/// A round that was drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawnRound {
    /// Who meets whom.
    pub draw: Draw,
    /// How it was made.
    pub wish: Option<Wish>,
    /// The record that published it.
    pub seq: Seq,
}

impl Contest {
    /// Who can still be drawn for a round.
    pub fn playing(&self, round: RoundNumber) -> impl Iterator<Item = &ContestantPlan> {
        let earlier = self.plan.earlier.as_ref();
        self.plan.contestants.iter().filter(move |it| {
            let gone = self.withdrawn.get(&it.number);
            let joined = self.joined.get(&it.number);
            gone.is_none_or(|(from, _)| *from > round)
                && joined.is_none_or(|from| *from <= round)
                && earlier.is_none_or(|earlier| !earlier.gone.contains(&it.number))
        })
    }

    /// Whether somebody plays no more, since tonight or before.
    pub fn has_gone(&self, number: ContestantNumber) -> bool {
        let earlier = self.plan.earlier.as_ref();
        self.withdrawn.contains_key(&number)
            || earlier.is_some_and(|earlier| earlier.gone.contains(&number))
    }

    /// The round to be drawn next.
    pub fn next_round(&self) -> Option<RoundNumber> {
        let next = match self.rounds.keys().next_back() {
            None => Some(RoundNumber::FIRST),
            Some(last) => last.next(),
        };
        next.filter(|round| round.get() <= self.plan.rounds)
    }

    /// Whether nothing more is to be drawn.
    pub fn is_drawn(&self) -> bool {
        self.next_round().is_none()
    }
}

impl Session {
    /// Whether a record is the change of the movement that belongs to a published draw.
    pub(super) fn makes_a_draw(&self, record: &Record) -> bool {
        let sections = matches!(
            record.event,
            Event::SectionPlanned { .. } | Event::MovementRevised { .. }
        );
        let mut drawn = self.contests.values().flat_map(|it| it.rounds.values());
        sections && drawn.any(|it| it.seq.next() == record.seq)
    }

    pub(super) fn fold_contest(&mut self, event: &ContestEvent, record: &Record) {
        match event {
            ContestEvent::Planned { section, plan } => {
                let contest = Contest {
                    plan: plan.clone(),
                    rounds: OrdMap::new(),
                    decisions: OrdMap::new(),
                    withdrawn: OrdMap::new(),
                    accepted: OrdMap::new(),
                    joined: OrdMap::new(),
                    offences: Vector::new(),
                };
                self.contests.insert(*section, contest);
            }
            ContestEvent::Drawn {
                section,
                round,
                draw,
                wish,
                ..
            } => {
                if let Some(contest) = self.contests.get_mut(section) {
                    let drawn = DrawnRound {
                        draw: draw.clone(),
                        wish: *wish,
                        seq: record.seq,
                    };
                    contest.rounds.insert(*round, drawn);
                }
            }
            ContestEvent::Decided {
                section,
                round,
                table,
                decision,
                why,
            } => {
                if let Some(contest) = self.contests.get_mut(section) {
                    match decision {
                        Some(decision) => {
                            let decided = (*decision, why.clone());
                            contest.decisions.insert((*round, *table), decided);
                        }
                        None => {
                            contest.decisions.remove(&(*round, *table));
                        }
                    }
                }
            }
            ContestEvent::Withdrawn {
                section,
                contestant,
                from,
                matches,
                ..
            } => {
                if let Some(contest) = self.contests.get_mut(section) {
                    contest.withdrawn.insert(*contestant, (*from, *matches));
                }
            }
            ContestEvent::SlipAccepted {
                section,
                round,
                table,
                check,
            } => {
                if let Some(contest) = self.contests.get_mut(section) {
                    contest.accepted.insert((*round, *table), *check);
                }
            }
            ContestEvent::EarlierTaken { section, earlier } => {
                if let Some(contest) = self.contests.get_mut(section) {
                    contest.plan.earlier = Some(earlier.clone());
                }
            }
            ContestEvent::Offended {
                section,
                contestant,
                offence,
            } => {
                if let Some(contest) = self.contests.get_mut(section) {
                    contest.offences.push_back((*contestant, *offence));
                }
            }
            ContestEvent::Joined {
                section,
                contestant,
                from,
                ..
            } => {
                if let Some(contest) = self.contests.get_mut(section) {
                    contest.joined.insert(contestant.number, *from);
                    contest.plan.contestants.push(contestant.clone());
                }
            }
        }
    }
}

impl ContestEvent {
    /// What happened, in a sentence, and why.
    pub fn sentence(&self) -> (String, &str) {
        match self {
            Self::Planned { section, plan } => (
                format!(
                    "section {section} plays matches: {}, {} rounds of {} boards",
                    plan.name, plan.rounds, plan.boards
                ),
                "",
            ),
            Self::Drawn {
                section,
                round,
                why,
                ..
            } => (format!("section {section}: round {round} was drawn"), why),
            Self::Decided {
                section,
                round,
                table,
                why,
                ..
            } => (
                format!("section {section}: match {table} of round {round} was decided"),
                why,
            ),
            Self::Withdrawn {
                section,
                contestant,
                from,
                why,
                ..
            } => (
                format!("section {section}: {contestant} plays no more from round {from} on"),
                why,
            ),
            Self::SlipAccepted {
                section,
                round,
                table,
                ..
            } => (
                format!("both sides accepted the slip of table {section}{table}, round {round}"),
                "",
            ),
            Self::EarlierTaken { section, .. } => (
                format!("section {section} goes by what earlier nights say now"),
                "",
            ),
            Self::Offended {
                section,
                contestant,
                offence,
            } => (
                match offence {
                    Offence::Late { minutes } => {
                        format!("section {section}: {contestant} came {minutes} minutes late")
                    }
                    Offence::Slow { boards, .. } => format!(
                        "section {section}: {boards} boards of {contestant} were taken away for lack of time"
                    ),
                    Offence::Score => {
                        format!("section {section}: {contestant} left a score out or had it wrong")
                    }
                },
                "",
            ),
            Self::Joined {
                section,
                contestant,
                from,
                why,
            } => (
                format!(
                    "section {section}: {} plays from round {from} on",
                    contestant.number
                ),
                why,
            ),
        }
    }
}
