//! Matches in a session: contestants, draws and what the director decided about them.
//!
//! A published draw is an event of its own; beside it stands the change of the movement that makes
//! it sittings, so that pads, grid, checks and corrections work as on any evening. What a match
//! comes to is derived from the session's lines and kept nowhere.
//!
//! # Evolution
//! As in [`super::Event`]: append variants, never change the meaning of a field, give new fields a
//! default.

mod decide;
mod draws;
mod matches;

use contest::draw::{Draw, FirstRound, Method, OddField, Rematches, Wish};
use contest::irregular::Decision;
use contest::{ContestantNumber, Rules};
use imbl::OrdMap;
use protocol::words::{BoardNumber, RoundNumber, SectionLetter, Side, TableNumber};
use serde::{Deserialize, Serialize};

use super::plan::Sitting;
use super::{Event, PairId, Record, Seq, Session};
use crate::movement::BoardSet;
use telling::{Told, tell};

pub use decide::ContestCommand;
pub(super) use decide::decide;
pub use draws::{DrawProposal, DrawWish};
pub use matches::{ContestMatch, MatchSheet, NextStep};

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

/// A stage of matches as the director set it up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContestPlan {
    /// "Tuesday Swiss Pairs".
    pub name: String,
    /// The colour of its cards and boards.
    pub colour: String,
    /// Pairs or teams.
    pub contestants: Vec<ContestantPlan>,
    /// Swiss, round robin.
    pub format: Format,
    /// How many rounds.
    pub rounds: u8,
    /// Boards of a match.
    pub boards: u8,
    /// The first board of round 1.
    pub first_board: u8,
    /// How it is scored.
    pub rules: Rules,
}

/// A pair or a team.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContestantPlan {
    /// Its number.
    pub number: ContestantNumber,
    /// A team's name; empty where a pair goes by its players.
    #[serde(default)]
    pub name: String,
    /// Where it comes from; two of one club are kept apart.
    #[serde(default)]
    pub club: String,
    /// The players of a team, its captain first.
    #[serde(default)]
    pub players: Vec<String>,
    /// The table it keeps, because somebody can't move.
    #[serde(default)]
    pub stationary: Option<TableNumber>,
    /// What it brings along, in hundredths of a victory point.
    #[serde(default)]
    pub carry_over: i32,
}

/// How rounds are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Format {
    /// By standing.
    Swiss {
        /// The first round.
        first: FirstRound,
        /// The others.
        method: Method,
        /// What may be repeated.
        rematches: Rematches,
        /// What becomes of an odd field.
        odd: OddField,
    },
    /// Everybody against everybody.
    RoundRobin,
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

impl ContestPlan {
    /// Whether a contestant has two pairs.
    pub const fn is_teams(&self) -> bool {
        self.rules.comparison.is_teams()
    }

    /// The boards of a round: each round has its own.
    pub fn boards_of(&self, round: RoundNumber) -> BoardSet {
        let before = u16::from(round.get() - 1) * u16::from(self.boards);
        let first = u16::from(self.first_board) + before;
        let boards = first..first + u16::from(self.boards);
        BoardSet::new(
            boards
                .filter_map(|number| u8::try_from(number).ok())
                .filter_map(BoardNumber::new)
                .collect(),
        )
    }

    /// The tables of a match: one of pairs; two of teams, the open room first.
    pub fn tables_of(&self, number: TableNumber) -> Vec<TableNumber> {
        if !self.is_teams() {
            return vec![number];
        }
        let second = number.get().saturating_mul(2);
        [second - 1, second]
            .into_iter()
            .filter_map(TableNumber::new)
            .collect()
    }

    /// Who sits where when a draw is played.
    pub fn sittings_of(&self, round: RoundNumber, draw: &Draw) -> Vec<Sitting> {
        let boards = self.boards_of(round);
        let mut sittings = Vec::new();
        for pairing in &draw.matches {
            let sides = [(pairing.home, pairing.away), (pairing.away, pairing.home)];
            for (table, (ns, ew)) in self.tables_of(pairing.table).into_iter().zip(sides) {
                sittings.push(Sitting {
                    round,
                    table,
                    ns: Some(ns),
                    ew: Some(ew),
                    boards: boards.clone(),
                    arrow_switched: false,
                });
            }
        }
        sittings
    }

    /// The pairs of a contestant as the session knows them.
    pub fn pairs_of(&self, section: SectionLetter, number: ContestantNumber) -> Vec<PairId> {
        let sides: &[Option<Side>] = if self.is_teams() {
            &[Some(Side::NorthSouth), Some(Side::EastWest)]
        } else {
            &[None]
        };
        let pair = |side: &Option<Side>| PairId {
            section,
            side: *side,
            number,
        };
        sides.iter().map(pair).collect()
    }
}

impl Contest {
    /// Who can still be drawn for a round.
    pub fn playing(&self, round: RoundNumber) -> impl Iterator<Item = &ContestantPlan> {
        self.plan.contestants.iter().filter(move |it| {
            let gone = self.withdrawn.get(&it.number);
            gone.is_none_or(|(from, _)| *from > round)
        })
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
        }
    }
}

impl ContestEvent {
    /// What happened, in a sentence, and why.
    pub fn sentence(&self) -> (Told, &str) {
        match self {
            Self::Planned { section, plan } => (
                tell!(Contest::SectionPlaysMatchesRounds {
                    section,
                    name: plan.name,
                    rounds: plan.rounds,
                    boards: plan.boards
                }),
                "",
            ),
            Self::Drawn {
                section,
                round,
                why,
                ..
            } => (tell!(Contest::SectionRoundDrawn { section, round }), why),
            Self::Decided {
                section,
                round,
                table,
                why,
                ..
            } => (
                tell!(Contest::SectionMatchRoundDecided {
                    section,
                    table,
                    round
                }),
                why,
            ),
            Self::Withdrawn {
                section,
                contestant,
                from,
                why,
                ..
            } => (
                tell!(Contest::SectionPlaysNoMore {
                    section,
                    who: contestant,
                    round: from
                }),
                why,
            ),
        }
    }
}
