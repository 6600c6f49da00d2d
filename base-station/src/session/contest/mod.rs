//! Matches in a session: contestants, draws and what the director decided about them.
//!
//! A published draw is an event of its own; beside it stands the change of the movement that makes
//! it sittings, so that pads, grid, checks and corrections work as on any evening. What a match
//! comes to is derived from the session's lines and kept nowhere.
//!
//! # Evolution
//! As in [`super::Event`]: append variants, never change the meaning of a field, give new fields a
//! default.

#![deny(
    clippy::wildcard_enum_match_arm,
    clippy::match_wildcard_for_single_variants
)]

mod added;
mod asked;
mod charts;
mod check;
mod decide;
mod draws;
mod earlier;
mod early;
mod fixtures;
mod irregular;
mod level;
mod matches;
mod over;
mod pads;
mod plan;
mod players;
mod qualified;
mod seating;
mod sentences;
mod watch;

use contest::ContestantNumber;
use contest::draw::{Draw, Wish};
use contest::irregular::Decision;
use contest::offence::{Cost, Offence};
use contest::standing::Separated;
use imbl::{OrdMap, OrdSet, Vector};
use protocol::words::{BoardNumber, RoundNumber, SectionLetter, TableNumber};
use serde::{Deserialize, Serialize};

use super::{Event, Moment, Record, Seq, Session};

pub use asked::DrawAsked;
pub use decide::ContestCommand;
pub(super) use decide::decide;
pub use draws::{ByHand, DrawProposal, DrawWish};
pub use early::EarlyDraw;
pub use level::TieBreak;
pub use matches::{ContestMatch, MatchSheet, NextStep};
pub use over::MatchOver;
pub use plan::{AtTables, ContestPlan, ContestantPlan, Earlier, EarlierMatch, Format, LostMatch};
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
        /// What the director wished of it.
        #[serde(default, skip_serializing_if = "DrawAsked::is_nothing")]
        asked: DrawAsked,
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
    /// Others met in a round than were drawn, and that stands.
    PlayedOtherwise {
        /// The section.
        section: SectionLetter,
        /// The round.
        round: RoundNumber,
        /// Who met whom.
        draw: Draw,
        /// Why.
        why: String,
    },
    /// A board of a match is spoiled; another one is played instead at both tables.
    BoardReplaced {
        /// The section.
        section: SectionLetter,
        /// The round.
        round: RoundNumber,
        /// The match's number.
        table: TableNumber,
        /// The spoiled one.
        board: BoardNumber,
        /// The other.
        with: BoardNumber,
        /// Why.
        why: String,
    },
    /// A side appeals against a ruling.
    Appealed {
        /// The section.
        section: SectionLetter,
        /// Who, about what, until when it could.
        appeal: Appeal,
    },
    /// An appeal was heard, or taken back.
    AppealSettled {
        /// The section.
        section: SectionLetter,
        /// The record of the appeal.
        appeal: Seq,
        /// What came of it.
        outcome: String,
    },
    /// Contestants who were level by every figure have places of their own.
    TieBroken {
        /// The section.
        section: SectionLetter,
        /// The first of them first.
        order: Vec<ContestantNumber>,
        /// What decided.
        by: TieBreak,
        /// Why.
        why: String,
    },
    /// A match that is level goes on with another stanza.
    PlayOff {
        /// The section.
        section: SectionLetter,
        /// The first board of it.
        first_board: u8,
        /// How many.
        boards: u8,
        /// Why.
        why: String,
    },
}

/// An appeal against a ruling.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Appeal {
    /// The round.
    pub round: RoundNumber,
    /// The match's number.
    pub table: TableNumber,
    /// The board, where it is about one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board: Option<BoardNumber>,
    /// Who appeals.
    pub by: ContestantNumber,
    /// What it is about.
    pub about: String,
    /// Until when it could be made, where that is known: the end of the match, and the minutes of
    /// the regulation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Moment>,
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
    /// Who has no say in a round in who meets whom.
    pub unseated: OrdSet<(RoundNumber, ContestantNumber)>,
    /// Boards of matches that others are played for, by round and match.
    pub replaced: OrdMap<(RoundNumber, TableNumber, BoardNumber), BoardNumber>,
    /// Appeals, with when they were made and what came of them.
    pub appeals: OrdMap<Seq, (Appeal, Moment, Option<String>)>,
    /// Who was level and has been separated, the last word last.
    pub separated: Vector<Separated>,
}

/// A round that was drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawnRound {
    /// Who meets whom.
    pub draw: Draw,
    /// How it was made.
    pub wish: Option<Wish>,
    /// What the director wished of it.
    pub asked: DrawAsked,
    /// The record that published it.
    pub seq: Seq,
    /// As it was drawn, where others met.
    pub drawn_as: Option<Draw>,
}

impl DrawnRound {
    const fn new(draw: Draw, wish: Option<Wish>, asked: DrawAsked, seq: Seq) -> Self {
        Self {
            draw,
            wish,
            asked,
            seq,
            drawn_as: None,
        }
    }
}

impl Contest {
    /// Before its first round.
    fn new(plan: ContestPlan) -> Self {
        Self {
            plan,
            rounds: OrdMap::new(),
            decisions: OrdMap::new(),
            withdrawn: OrdMap::new(),
            accepted: OrdMap::new(),
            joined: OrdMap::new(),
            offences: Vector::new(),
            unseated: OrdSet::new(),
            replaced: OrdMap::new(),
            appeals: OrdMap::new(),
            separated: Vector::new(),
        }
    }

    fn offend(&mut self, contestant: ContestantNumber, offence: Offence) {
        let before = self.earlier_offences(contestant, offence);
        let cost = offence.cost(&self.plan.rules, self.plan.in_match(), before);
        if let (Cost::SeatingRights, Some(round)) = (cost, self.rounds.keys().next_back()) {
            self.unseated.insert((*round, contestant));
        }
        self.offences.push_back((contestant, offence));
    }

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
        let next = match self.rounds.iter().next_back() {
            None => Some(RoundNumber::FIRST),
            Some((last, drawn)) if !drawn.draw.waiting.is_empty() => Some(*last),
            Some((last, _)) => last.next(),
        };
        next.filter(|round| round.get() <= self.plan.last_round())
    }

    /// How often somebody has offended in this way, tonight and on earlier nights.
    pub(super) fn earlier_offences(&self, who: ContestantNumber, offence: Offence) -> usize {
        let earlier = self.plan.earlier.iter().flat_map(|it| &it.offences);
        let known = earlier.chain(&self.offences);
        known
            .filter(|(other, what)| *other == who && what.is_like(offence))
            .count()
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

    /// Whether a later draw has written down what a record changed about the tables of a match.
    pub(super) fn is_drawn_on(&self, record: &Record) -> bool {
        let Event::Contest(
            ContestEvent::BoardReplaced { section, .. } | ContestEvent::PlayOff { section, .. },
        ) = &record.event
        else {
            return false;
        };
        let contest = self.contests.get(section).into_iter();
        let mut drawn = contest.flat_map(|it| it.rounds.values());
        drawn.any(|it| it.seq > record.seq)
    }

    pub(super) fn fold_contest(&mut self, event: &ContestEvent, record: &Record) {
        match event {
            ContestEvent::Planned { section, plan } => {
                self.contests.insert(*section, Contest::new(plan.clone()));
            }
            ContestEvent::Drawn {
                section,
                round,
                draw,
                wish,
                asked,
                ..
            } => {
                if let Some(contest) = self.contests.get_mut(section) {
                    let drawn = DrawnRound::new(draw.clone(), *wish, *asked, record.seq);
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
                    contest.offend(*contestant, *offence);
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
            ContestEvent::TieBroken {
                section, order, by, ..
            } => self.fold_tie_broken(*section, order, *by),
            ContestEvent::PlayOff {
                section,
                first_board,
                boards,
                ..
            } => self.fold_play_off(*section, (*first_board, *boards)),
            ContestEvent::PlayedOtherwise { .. }
            | ContestEvent::BoardReplaced { .. }
            | ContestEvent::Appealed { .. }
            | ContestEvent::AppealSettled { .. } => self.fold_irregular(event, record),
        }
    }
}
