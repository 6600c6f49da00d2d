//! Draws before they are published, and appeals, for pages.

use contest::ContestantNumber;
use contest::draw::{Draw, Pairing};
use protocol::words::{BoardNumber, SectionLetter};

use super::Names;
use super::shapes::{AppealView, ProposalView, ProposedMatch, StoodView};
use crate::contest;
use crate::session::{Contest, DrawProposal, State, of_reason_of_draw};

impl ProposalView {
    /// A proposal with names.
    pub fn of(state: &State, section: SectionLetter, proposal: &DrawProposal) -> Option<Self> {
        let names = Names::of(state, section)?;
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
            triangle: draw.triangle.iter().flatten().map(|it| it.get()).collect(),
            triangle_goes_on: draw.triangle.is_some()
                && names.contest.triangle_goes_on(proposal.round) == draw.triangle,
            halves: names.halves(draw),
            method: proposal.wish.map(|wish| wish.method),
            seed: proposal.wish.map(|wish| wish.seed),
            reasons: proposal
                .drawn
                .reasons()
                .iter()
                .map(of_reason_of_draw)
                .collect(),
            otherwise: proposal
                .otherwise
                .as_ref()
                .map_or_else(Vec::new, |(_, draw)| pairs(draw)),
            other_method: proposal.otherwise.as_ref().map(|(method, _)| *method),
            unfinished: proposal.unfinished.iter().map(|it| it.get()).collect(),
            certain: proposal.early.as_ref().map(|early| {
                let certain = early.certain.iter();
                let met = |it: &&Pairing| {
                    certain
                        .clone()
                        .any(|own| own.home == it.home && own.away == it.away)
                };
                draw.matches
                    .iter()
                    .filter(met)
                    .map(|it| it.table.get())
                    .collect()
            }),
            ends: proposal.early.as_ref().map(|early| early.ends),
            standing: proposal
                .drawn
                .standing
                .iter()
                .map(|it| StoodView {
                    place: it.place,
                    contestant: it.contestant.get(),
                    name: names.name(it.contestant),
                    vp: f64::from(it.vp.0) / 100.0,
                })
                .collect(),
        })
    }
}

pub(super) fn appeals_of(contest: &Contest) -> Vec<AppealView> {
    let appeals = contest.appeals.iter();
    appeals
        .map(|(seq, (appeal, at, outcome))| AppealView {
            appeal: seq.0,
            round: appeal.round.get(),
            number: appeal.table.get(),
            board: appeal.board.map(BoardNumber::get),
            by: appeal.by.get(),
            about: appeal.about.clone(),
            at_ms: at.0,
            until_ms: appeal.until.map(|until| until.0),
            outcome: outcome.clone(),
        })
        .collect()
}
