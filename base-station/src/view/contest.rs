//! Matches for pages: standing, rounds, cross-table and the next step, as pure functions of the
//! state.

mod shapes;

use contest::ContestantNumber;
use contest::draw::Draw;
use contest::irregular::Decision;
use contest::standing::Line as StandingLine;
use protocol::words::{RoundNumber, SectionLetter};

use super::pair_names;
use crate::contest;
use crate::session::{
    Club, Contest, ContestMatch, DrawProposal, MatchSheet, NextStep, Session, State, of_contest,
};
use telling::{Told, tell};

pub use shapes::{
    ContestView, CrossLine, MatchSheetView, MatchView, PlaceView, ProposalView, RoundView, SideView,
};
use shapes::{CrossCell, ProposedMatch, SheetLineView, TieView};

impl ContestView {
    /// All sections that play matches.
    pub fn all(state: &State) -> Vec<Self> {
        let Some(session) = &state.session else {
            return Vec::new();
        };
        let sections = session.contests.iter();
        sections
            .map(|(section, contest)| Self::of(&state.club, session, *section, contest))
            .collect()
    }

    fn of(club: &Club, session: &Session, section: SectionLetter, contest: &Contest) -> Self {
        let names = Names {
            club,
            session,
            section,
            contest,
        };
        let matches = session.contest_matches(section);
        let plan = &contest.plan;
        Self {
            section: section.to_string(),
            name: plan.name.clone(),
            contestants_are: if plan.is_teams() { "teams" } else { "pairs" },
            rounds_planned: plan.rounds,
            boards: plan.boards,
            next_step: session
                .contest_next_step(section)
                .map_or_else(Told::nothing, |step| step_text(&step)),
            next_round: contest.next_round().map(RoundNumber::get),
            standing: session
                .contest_standing(section)
                .iter()
                .map(|line| names.place(line))
                .collect(),
            rounds: contest
                .rounds
                .iter()
                .map(|(round, drawn)| RoundView {
                    round: round.get(),
                    boards: plan.boards_of(*round).to_string(),
                    matches: matches
                        .iter()
                        .filter(|it| it.scored.round == u16::from(round.get()))
                        .map(|it| names.matching(it))
                        .collect(),
                    bye: drawn.draw.bye.map(|number| SideView {
                        contestant: number.get(),
                        name: names.name(number),
                        vp: Some(f64::from(plan.rules.bye) / 100.0),
                        margin: None,
                    }),
                    method: drawn.wish.map(|wish| wish.method),
                    seed: drawn.wish.map(|wish| wish.seed),
                })
                .collect(),
            cross_table: plan
                .contestants
                .iter()
                .map(|it| names.cross_line(it.number, &matches))
                .collect(),
        }
    }

    /// A match of a section, board by board.
    pub fn sheet(
        state: &State,
        section: SectionLetter,
        round: u8,
        number: u16,
    ) -> Option<MatchSheetView> {
        let session = state.session.as_ref()?;
        let names = Names {
            club: &state.club,
            session,
            section,
            contest: session.contests.get(&section)?,
        };
        let matches = session.contest_matches(section);
        let own = matches
            .iter()
            .find(|it| it.scored.round == u16::from(round) && it.number.get() == number)?;
        let lines = match &own.sheet {
            MatchSheet::Teams(sheet) => sheet
                .lines
                .iter()
                .map(|line| SheetLineView {
                    board: line.board,
                    open: line.open.map(|score| score.0),
                    closed: line.closed.map(|score| score.0),
                    datum: None,
                    home: line.home.map(crate::scoring::Points::to_f64),
                    away: line.away.map(crate::scoring::Points::to_f64),
                })
                .collect(),
            MatchSheet::Pairs(sheet) => sheet
                .lines
                .iter()
                .map(|line| SheetLineView {
                    board: line.board,
                    open: line.score.map(|score| score.0),
                    closed: None,
                    datum: line.datum,
                    home: line.home.map(crate::scoring::Points::to_f64),
                    away: line.away.map(crate::scoring::Points::to_f64),
                })
                .collect(),
        };
        Some(MatchSheetView {
            matching: names.matching(own),
            lines,
        })
    }
}

impl ProposalView {
    /// A proposal with names.
    pub fn of(state: &State, section: SectionLetter, proposal: &DrawProposal) -> Option<Self> {
        let session = state.session.as_ref()?;
        let names = Names {
            club: &state.club,
            session,
            section,
            contest: session.contests.get(&section)?,
        };
        let pairs = |draw: &Draw| {
            let matches = draw.matches.iter();
            matches
                .map(|it| format!("{}-{}", it.home, it.away))
                .collect()
        };
        let draw = &proposal.drawn.draw;
        Some(Self {
            round: proposal.round.get(),
            matches: draw
                .matches
                .iter()
                .map(|it| ProposedMatch {
                    table: it.table.get(),
                    home: it.home.get(),
                    home_name: names.name(it.home),
                    away: it.away.get(),
                    away_name: names.name(it.away),
                    rematch: it.rematch,
                })
                .collect(),
            bye: draw.bye.map(ContestantNumber::get),
            method: proposal.wish.map(|wish| wish.method),
            seed: proposal.wish.map(|wish| wish.seed),
            reasons: proposal
                .drawn
                .sentences(|number| number.to_string())
                .iter()
                .map(|reason| of_contest(reason))
                .collect(),
            otherwise: proposal
                .otherwise
                .as_ref()
                .map_or_else(Vec::new, |(_, draw)| pairs(draw)),
            other_method: proposal.otherwise.as_ref().map(|(method, _)| *method),
            unfinished: proposal.unfinished.iter().map(|it| it.get()).collect(),
        })
    }
}

/// Who is who in a section.
struct Names<'a> {
    club: &'a Club,
    session: &'a Session,
    section: SectionLetter,
    contest: &'a Contest,
}

impl Names<'_> {
    /// A team's name, or a pair's players.
    fn name(&self, number: ContestantNumber) -> Told {
        let plan = &self.contest.plan;
        let own = plan.contestants.iter().find(|it| it.number == number);
        if let Some(own) = own.filter(|own| !own.name.is_empty()) {
            return Told::as_written(own.name.clone());
        }
        if plan.is_teams() {
            return tell!(Contest::TeamNumber { number });
        }
        let pairs = plan.pairs_of(self.section, number);
        let named = pairs.first().map(|pair| {
            let round = RoundNumber::FIRST;
            pair_names(self.club, self.session, *pair, round)
        });
        let players = own.map(|own| own.players.join(" – ")).unwrap_or_default();
        match named {
            Some(name) if players.is_empty() => name,
            // Names typed tonight come before those of the entry.
            Some(name) if name.id().is_none() => name,
            _ => Told::as_written(players),
        }
    }

    fn place(&self, line: &StandingLine) -> PlaceView {
        let vp = |points: crate::scoring::VictoryPoints| f64::from(points.0) / 100.0;
        PlaceView {
            place: line.place,
            contestant: line.contestant.get(),
            name: self.name(line.contestant),
            vp: vp(line.vp),
            penalties: vp(line.fines),
            carry_over: vp(line.carry_over),
            matches: line.matches,
            net: line.net.to_f64(),
            ties: line
                .ties
                .iter()
                .map(|tie| TieView {
                    name: of_contest(tie.name),
                    value: tie.value.clone(),
                })
                .collect(),
            decided_by: line.decided_by.as_deref().map(of_contest),
            withdrawn: self.contest.withdrawn.contains_key(&line.contestant),
        }
    }

    fn side(&self, own: &ContestMatch, side: usize) -> SideView {
        let scored = &own.scored;
        let number = [scored.home, scored.away][side];
        let score = scored.sides[side];
        SideView {
            contestant: number.get(),
            name: self.name(number),
            vp: scored.begun.then(|| f64::from(score.vp.0) / 100.0),
            margin: scored.begun.then(|| score.margin.to_f64()),
        }
    }

    fn matching(&self, own: &ContestMatch) -> MatchView {
        let mut missing: std::collections::BTreeMap<u16, Vec<String>> =
            std::collections::BTreeMap::new();
        for (table, board) in &own.missing {
            let boards = missing.entry(table.get()).or_default();
            boards.push(board.to_string());
        }
        let mut remarks: Vec<Told> = own
            .strangers
            .iter()
            .map(|cell| tell!(Contest::NotPlayedByTwo { cell }))
            .collect();
        if own.spoiled {
            remarks.push(tell!(Contest::MoreThanHalfBoards));
        }
        MatchView {
            number: own.number.get(),
            tables: own.tables.iter().map(|it| it.get()).collect(),
            home: self.side(own, 0),
            away: self.side(own, 1),
            rematch: own.rematch,
            complete: own.scored.complete,
            missing: missing
                .into_iter()
                .map(|(table, boards)| format!("{table}: {}", boards.join(", ")))
                .collect(),
            decision: own
                .scored
                .decision
                .map_or_else(Told::nothing, decision_text),
            remarks,
        }
    }

    fn cross_line(&self, number: ContestantNumber, matches: &[ContestMatch]) -> CrossLine {
        let against = self.contest.rounds.iter().filter_map(|(round, drawn)| {
            let round = round.get();
            if drawn.draw.bye == Some(number) {
                return Some(CrossCell {
                    round,
                    opponent: None,
                    vp: Some(f64::from(self.contest.plan.rules.bye) / 100.0),
                });
            }
            let own = matches.iter().find(|it| {
                let sides = [it.scored.home, it.scored.away];
                it.scored.round == u16::from(round) && sides.contains(&number)
            })?;
            let (side, opponent) = if own.scored.home == number {
                (0, own.scored.away)
            } else {
                (1, own.scored.home)
            };
            Some(CrossCell {
                round,
                opponent: Some(opponent.get()),
                vp: self.side(own, side).vp,
            })
        });
        CrossLine {
            contestant: number.get(),
            name: self.name(number),
            against: against.collect(),
        }
    }
}

/// What to do next.
fn step_text(step: &NextStep) -> Told {
    match step {
        NextStep::Draw(round) => tell!(Contest::DrawRound { round }),
        NextStep::Open => tell!(Contest::OpenSessionLog),
        NextStep::Release => tell!(Contest::AllMatchesReleaseResult),
        NextStep::Missing {
            round,
            tables,
            draw,
        } => {
            let missing = match tables.as_slice() {
                [(table, boards)] => {
                    tell!(Contest::RoundTableMissingBoards {
                        round,
                        table,
                        boards
                    })
                }
                _ => tell!(Contest::RoundTablesPlaying {
                    round,
                    n: tables.len()
                }),
            };
            match draw {
                Some(next) => {
                    let then = tell!(Contest::ThenDrawRound { round: next });
                    Told::sentences([missing, then])
                }
                None => missing,
            }
        }
    }
}

/// What the director decided.
fn decision_text(decision: Decision) -> Told {
    match decision {
        Decision::Forfeit { by } => tell!(Contest::ForfeitBy { who: by }),
        Decision::BothForfeit => tell!(Contest::ForfeitByBoth),
        Decision::SameDirection => tell!(Contest::BothPairsSatSame),
        Decision::Cancelled => tell!(Contest::Cancelled),
        Decision::Awarded { .. } => tell!(Contest::AwardedByDirector),
    }
}
