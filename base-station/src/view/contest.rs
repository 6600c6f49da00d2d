//! Matches for pages: standing, rounds, cross-table and the next step, as pure functions of the
//! state.

mod cross;
mod proposal;
mod regulation;
mod shapes;
mod words;

use contest::ContestantNumber;
use contest::draw::Draw;
use contest::standing::Line as StandingLine;
use contest::teams::Ending;
use protocol::words::{BoardNumber, RoundNumber, Score, SectionLetter, TableNumber};

use super::warning_words::in_match;
use super::{ResultView, pair_names};
use crate::contest;
use crate::scoring::Points;
use crate::session::{
    Club, Contest, ContestMatch, ContestantPlan, Format, MatchSheet, Session, State, of_criterion,
    of_decided_by,
};

use proposal::appeals_of;
pub use regulation::RegulationView;
pub use shapes::{
    ContestView, CrossLine, EntryView, HalfView, MatchSheetView, MatchView, PlaceView, PlayerView,
    ProposalView, RoomView, RoundView, SideView,
};
use shapes::{SheetLineView, TieView};
use telling::{Decimal, Told, tell};
use words::{decision_text, f64_of, step_text};

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

    /// The same for people who still play: draws, and what complete rounds came to.
    pub fn in_public(state: &State) -> Vec<Self> {
        let Some(session) = &state.session else {
            return Vec::new();
        };
        let mut all = Self::all(state);
        for (view, (section, contest)) in all.iter_mut().zip(&session.contests) {
            let names = Names {
                club: &state.club,
                session,
                section: *section,
                contest,
            };
            let (standing, open) = session.contest_standing_in_public(*section);
            view.standing = standing.iter().map(|line| names.place(line)).collect();
            let hidden = |round: u8| open.is_some_and(|open| round >= open.get());
            for round in view.rounds.iter_mut().filter(|it| hidden(it.round)) {
                for own in &mut round.matches {
                    (own.home.vp, own.home.margin) = (None, None);
                    (own.away.vp, own.away.margin) = (None, None);
                }
            }
            let before = view.rounds_before;
            for cell in view
                .cross_table
                .iter_mut()
                .flat_map(|line| &mut line.against)
            {
                if cell.round > before && hidden(cell.round - before) {
                    cell.vp = None;
                }
            }
            if open.is_some() {
                view.players.clear();
            }
        }
        all
    }

    fn of(club: &Club, session: &Session, section: SectionLetter, contest: &Contest) -> Self {
        let names = Names {
            club,
            session,
            section,
            contest,
        };
        let matches = session.contest_matches(section);
        let earlier = session.contest_earlier(section);
        let plan = &contest.plan;
        Self {
            section: section.to_string(),
            name: plan.name.clone(),
            contestants_are: if plan.is_teams() { "teams" } else { "pairs" },
            rounds_planned: plan.last_round(),
            boards: plan.boards,
            next_step: session
                .contest_next_step(section)
                .map(|step| step_text(&step, plan.rounds_before())),
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
                    triangle: drawn
                        .draw
                        .triangle
                        .iter()
                        .flatten()
                        .map(|it| it.get())
                        .collect(),
                    halves: names.halves(&drawn.draw),
                    waiting: drawn.draw.waiting.iter().map(|it| it.get()).collect(),
                    otherwise: drawn.drawn_as.is_some(),
                    can_be_redrawn: contest.plan.format != Format::Movement
                        && !session.lines.iter().any(|(cell, line)| {
                            cell.section == section && cell.round >= *round && line.is_in()
                        }),
                    method: drawn.wish.map(|wish| wish.method),
                    seed: drawn.wish.map(|wish| wish.seed),
                    by_hand: drawn.asked.by_hand,
                })
                .collect(),
            cross_table: plan
                .contestants
                .iter()
                .map(|it| names.cross_line(it.number, &earlier, &matches))
                .collect(),
            format: match plan.format {
                Format::Swiss { .. } => "swiss",
                Format::RoundRobin => "round-robin",
                Format::Troikas => "troikas",
                Format::ButlerChart { .. } => "butler-chart",
                Format::AmericanWhist => "american-whist",
                Format::HeadToHead => "head-to-head",
                Format::Movement => "movement",
                Format::TwoFields => "two-fields",
            },
            rounds_before: plan.rounds_before(),
            rounds_in_all: plan.rounds_in_all,
            goes_on_from: plan.earlier.as_ref().map(|it| it.session.get()),
            entries: plan.contestants.iter().map(|it| names.entry(it)).collect(),
            players: session
                .contest_players(club, section)
                .iter()
                .map(|it| PlayerView {
                    name: it.name.clone(),
                    team: it.team,
                    boards: it.boards,
                    imps: it.imps.to_f64(),
                    imps_a_board: f64_of(it.imps_a_board()),
                })
                .collect(),
            minutes: plan.time().minutes,
            no_new_board: plan.time().no_new_board,
            one_set: plan.at_tables.one_set,
            appeals: appeals_of(contest),
            play_off: matches.iter().filter_map(ContestMatch::plays_on).max(),
        }
    }

    /// A match of a section, board by board.
    pub fn sheet(
        state: &State,
        section: SectionLetter,
        round: u8,
        number: u16,
    ) -> Option<MatchSheetView> {
        let names = Names::of(state, section)?;
        let session = names.session;
        let matches = session.contest_matches(section);
        let own = matches
            .iter()
            .find(|it| it.scored.round == u16::from(round) && it.number.get() == number)?;
        let told = |room: usize, board: BoardNumber| {
            let cell = own.cell(section, room, board);
            let line = cell.and_then(|cell| session.lines.get(&cell));
            let line = line.filter(|line| line.is_in());
            line.map_or_else(
                || Told::as_written(String::new()),
                |line| ResultView::of(&line.ruling).text,
            )
        };
        let rooms = |board: BoardNumber| {
            let cells = [0, 1]
                .into_iter()
                .filter_map(|room| own.cell(section, room, board));
            let room = |cell: crate::session::Cell| RoomView {
                table: cell.table.get(),
                round: cell.round.get(),
            };
            cells.map(room).collect()
        };
        let one_room = |board: BoardNumber, score: Option<Score>, worth: [Option<Points>; 2]| {
            let [home, away] = worth.map(|points| points.map(Points::to_f64));
            SheetLineView {
                board,
                rooms: rooms(board),
                open_result: told(0, board),
                closed_result: Told::as_written(String::new()),
                open: score.map(|score| score.0),
                closed: None,
                datum: None,
                home,
                away,
            }
        };
        let lines = match &own.sheet {
            MatchSheet::Teams(sheet) => {
                let lines = sheet.lines.iter().map(|line| SheetLineView {
                    closed_result: told(1, line.board),
                    closed: line.closed.map(|score| score.0),
                    ..one_room(line.board, line.open, [line.home, line.away])
                });
                lines.collect()
            }
            MatchSheet::Pairs(sheet) => {
                let lines = sheet.lines.iter().map(|line| SheetLineView {
                    datum: line.datum,
                    ..one_room(line.board, line.score, [line.home, line.away])
                });
                lines.collect()
            }
        };
        Some(MatchSheetView {
            matching: names.matching(own),
            lines,
        })
    }
}

/// A team's name, or a pair's players.
pub fn contestant_name(
    club: &Club,
    session: &Session,
    section: SectionLetter,
    number: ContestantNumber,
) -> String {
    let Some(contest) = session.contests.get(&section) else {
        return String::new();
    };
    let names = Names {
        club,
        session,
        section,
        contest,
    };
    names.name(number)
}

/// Who is who in a section.
struct Names<'a> {
    club: &'a Club,
    session: &'a Session,
    section: SectionLetter,
    contest: &'a Contest,
}

impl<'a> Names<'a> {
    /// Of the session's contest there; `None` where none is played.
    fn of(state: &'a State, section: SectionLetter) -> Option<Self> {
        let session = state.session.as_ref()?;
        Some(Self {
            club: &state.club,
            session,
            section,
            contest: session.contests.get(&section)?,
        })
    }
}

impl Names<'_> {
    fn entry(&self, own: &ContestantPlan) -> EntryView {
        EntryView {
            contestant: own.number.get(),
            name: self.name(own.number),
            players: own.players.clone(),
            club: own.club.clone(),
            stationary: own.stationary.map(TableNumber::get),
            forbidden: own.forbidden.iter().map(|it| it.get()).collect(),
        }
    }

    /// A team's name, or a pair's players.
    fn name(&self, number: ContestantNumber) -> String {
        let plan = &self.contest.plan;
        let own = plan.contestants.iter().find(|it| it.number == number);
        if let Some(own) = own.filter(|own| !own.name.is_empty()) {
            return own.name.clone();
        }
        if plan.is_teams() {
            return tell!(Contest::TeamNumber {
                number: number.get()
            })
            .to_string();
        }
        let pairs = plan.pairs_of(self.section, number);
        let named = pairs.first().map(|pair| {
            let round = RoundNumber::FIRST;
            pair_names(self.club, self.session, *pair, round)
        });
        let players = own.map(|own| own.players.join(" – ")).unwrap_or_default();
        match named {
            Some(name) if players.is_empty() => name.to_string(),
            // Names typed tonight come before those of the entry.
            Some(name) if name.id().is_none() => name.to_string(),
            _ => players,
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
                    name: of_criterion(tie.name),
                    value: tie.value.clone(),
                })
                .collect(),
            decided_by: line.decided_by.map(of_decided_by),
            withdrawn: self.contest.has_gone(line.contestant),
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
        for (_, table, board) in &own.missing {
            let boards = missing.entry(table.get()).or_default();
            boards.push(board.to_string());
        }
        let found = self.session.match_findings(self.section, own);
        let mut remarks: Vec<Told> = found.iter().map(in_match).collect();
        if own.spoiled {
            remarks.push(tell!(Contest::MoreThanHalfBoards));
        }
        let earlier = own.led_before(self.contest).map(|imps| {
            let who = self.name(own.scored.home);
            let imps = Decimal::as_it_is(imps.to_f64());
            tell!(Contest::FromEarlierNights { who, imps })
        });
        remarks.extend(earlier.clone());
        remarks.extend(own.ending.and_then(|ending| self.ending_text(own, ending)));
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
            decision: own.decided.map(decision_text),
            remarks,
            earlier,
            accepted: own.accepted,
            seats_first: self.seats_first(own),
        }
    }

    /// How a match ends that its boards left level.
    fn ending_text(&self, own: &ContestMatch, ending: Ending) -> Option<Told> {
        match ending {
            Ending::Won { by_home, by } => {
                let winner = if by_home {
                    own.scored.home
                } else {
                    own.scored.away
                };
                let (who, what) = (self.name(winner), of_decided_by(by));
                Some(tell!(Contest::LevelWon { who, what }))
            }
            Ending::PlayOff(boards) => Some(tell!(Contest::StepPlayOff { n: boards })),
            Ending::Lot => Some(tell!(Contest::StepLot)),
            Ending::Level => None,
        }
    }

    /// Who posts the line-up first: home in odd stanzas, the visitors in even ones; a team with a
    /// pair of highly unusual methods always does.
    fn seats_first(&self, own: &ContestMatch) -> Option<u16> {
        let plan = &self.contest.plan;
        if !plan.is_teams() {
            return None;
        }
        let (home, away) = (own.scored.home, own.scored.away);
        let round = u8::try_from(own.scored.round)
            .ok()
            .and_then(RoundNumber::new);
        let lost =
            |number| round.is_some_and(|round| self.contest.unseated.contains(&(round, number)));
        let unusual =
            |number| plan.contestant(number).is_some_and(|it| it.seats_first) || lost(number);
        let first = match (unusual(home), unusual(away)) {
            (true, false) => home,
            (false, true) => away,
            _ if plan.format == Format::HeadToHead
                && (own.scored.round + u16::from(plan.rounds_before())).is_multiple_of(2) =>
            {
                away
            }
            _ => home,
        };
        Some(first.get())
    }

    /// Tables that play half a match.
    fn halves(&self, draw: &Draw) -> Vec<HalfView> {
        let halves = draw.halves.iter();
        halves
            .map(|it| HalfView {
                table: it.table.get(),
                ns: it.ns.get(),
                ns_name: self.name(it.ns),
                ew: it.ew.get(),
                ew_name: self.name(it.ew),
                boards: self.contest.plan.boards_of_half(it).to_string(),
            })
            .collect()
    }
}
