//! What the director does about rounds that went wrong: others met than were drawn, a board is
//! spoiled, somebody offends, somebody appeals.

use contest::ContestantNumber;
use contest::draw::{Draw, Pairing};
use contest::irregular::{Decision, mismatched};
use contest::offence::{Cost, Offence};
use protocol::message::Down;
use protocol::words::{BoardNumber, PadId, RoundNumber, SectionLetter, TableNumber};
use telling::tell;

use super::decide::contest_of;
use super::fixtures::Fixture;
use super::{Appeal, Contest, ContestEvent, ContestMatch};
use crate::movement::BoardSet;
use crate::scoring::VictoryPoints;
use crate::session::concerns::regular_contest_events;
use crate::session::decide::{Decided, WHY_LEN_MAX, refuse, tidy_needed};
use crate::session::plan::PenaltyAmount;
use crate::session::{Cell, ClockUntil, Event, Moment, Record, Refused, Seq, Session, TableId};

/// A match in the draw of its round.
pub(super) type MatchAt = (RoundNumber, TableNumber);

fn fixture_of(contest: &Contest, (round, table): MatchAt) -> Result<Fixture, Refused> {
    let mut fixtures = contest.fixtures().into_iter();
    let found = fixtures.find(|it| {
        let rooms = it.parts.iter().flat_map(|part| &part.rooms);
        let rounds = rooms.map(|(of, _)| *of);
        it.pairing.table == table && rounds.chain([it.round]).any(|of| of == round)
    });
    found.ok_or_else(|| Refused::because(tell!(Contest::ThereNoMatchRound { table, round })))
}

/// The penalty of the regulation for an offence, the first of its kind or not.
pub(super) fn fined(
    session: &Session,
    section: SectionLetter,
    contestant: ContestantNumber,
    offence: Offence,
    why: &str,
) -> Decided {
    let contest = contest_of(session, section)?;
    let why = tidy_needed(why, tell!(Contest::Reason), WHY_LEN_MAX)?;
    let pairs = contest.plan.pairs_of(section, contestant);
    let Some(pair) = pairs
        .first()
        .filter(|_| contest.plan.contestant(contestant).is_some())
    else {
        return refuse(tell!(Contest::ThereNoContestant { contestant }));
    };
    let before = contest.earlier_offences(contestant, offence);
    let amount = match offence.cost(&contest.plan.rules, contest.plan.in_match(), before) {
        Cost::Warning | Cost::SeatingRights => PenaltyAmount::Warning,
        Cost::Vp(points) => {
            PenaltyAmount::VictoryPoints(u32::try_from(points.0).unwrap_or_default())
        }
        Cost::Imps(imps) => {
            let whole = imps.ten_thousandths() / 10_000;
            PenaltyAmount::Imps(u16::try_from(whole).unwrap_or(u16::MAX))
        }
        Cost::Forfeit => {
            return refuse(tell!(Contest::SoLate));
        }
        Cost::ByHand => {
            return refuse(tell!(Contest::LeftToDirector));
        }
    };
    let offended = ContestEvent::Offended {
        section,
        contestant,
        offence,
    };
    Ok(vec![
        Event::Contest(offended),
        Event::Penalised {
            pair: *pair,
            amount,
            why,
            public: true,
        },
    ])
}

/// Others met in a round than were drawn: the same contestants, each still in one match.
pub(super) fn played_otherwise(
    session: &Session,
    section: SectionLetter,
    round: RoundNumber,
    matches: &[(TableNumber, ContestantNumber, ContestantNumber)],
    why: &str,
) -> Decided {
    let contest = contest_of(session, section)?;
    let why = tidy_needed(why, tell!(Contest::Reason), WHY_LEN_MAX)?;
    let Some(drawn) = contest.rounds.get(&round) else {
        return refuse(tell!(Contest::RoundNotDrawn { round }));
    };
    let known = |it: &Pairing| {
        let mut others = matches.iter();
        others.find(|(table, ..)| *table == it.table)
    };
    let pairings: Vec<Pairing> = drawn
        .draw
        .matches
        .iter()
        .map(|it| match known(it) {
            Some(&(_, home, away)) => Pairing {
                home,
                away,
                rematch: contest.have_met(home, away, round),
                ..it.clone()
            },
            None => it.clone(),
        })
        .collect();
    let everybody = |all: &[Pairing]| {
        let mut all: Vec<ContestantNumber> = all.iter().flat_map(|it| [it.home, it.away]).collect();
        all.sort_unstable();
        all
    };
    if everybody(&pairings) != everybody(&drawn.draw.matches) {
        return refuse(tell!(Contest::SameContestantsOtherwise { round }));
    }
    if pairings == drawn.draw.matches {
        return refuse(tell!(Contest::AsDrawn { round }));
    }
    Ok(vec![Event::Contest(ContestEvent::PlayedOtherwise {
        section,
        round,
        draw: Draw {
            matches: pairings,
            ..drawn.draw.clone()
        },
        why,
    })])
}

/// Another board for a spoiled one, at both tables of a match.
pub(super) fn replaced(
    session: &Session,
    section: SectionLetter,
    at: MatchAt,
    (board, with): (BoardNumber, BoardNumber),
    why: &str,
) -> Decided {
    let contest = contest_of(session, section)?;
    let why = tidy_needed(why, tell!(Contest::Reason), WHY_LEN_MAX)?;
    let fixture = fixture_of(contest, at)?;
    if !contest.plan.is_teams() {
        return refuse(tell!(Contest::OnlyTeamsReplace));
    }
    if fixture.part_of(board).is_none() {
        return refuse(tell!(Contest::NotOfThisMatch { board }));
    }
    // Rounds that are not drawn yet have their boards already.
    let plan = &contest.plan;
    let planned = u16::from(plan.boards) * plan.sets();
    let planned = u16::from(plan.first_board)..u16::from(plan.first_board) + planned;
    if planned.contains(&u16::from(with.get())) || in_use(session, section, contest, board, with) {
        return refuse(tell!(Contest::InUse { board: with }));
    }
    Ok(vec![Event::Contest(ContestEvent::BoardReplaced {
        section,
        round: at.0,
        table: at.1,
        board,
        with,
        why,
    })])
}

/// Whether a board is played already, and not as the one for the same spoiled board in other matches.
fn in_use(
    session: &Session,
    section: SectionLetter,
    contest: &Contest,
    board: BoardNumber,
    with: BoardNumber,
) -> bool {
    let of_others = contest.replaced.iter();
    let (same, others): (Vec<_>, Vec<_>) = of_others
        .filter(|(_, now)| **now == with)
        .partition(|((.., spoiled), _)| *spoiled == board);
    let known = session.sections.get(&section).into_iter();
    let mut sittings = known.flat_map(|it| it.sittings.values());
    !others.is_empty() || same.is_empty() && sittings.any(|it| it.boards.contains(with))
}

/// Notes an appeal; one that comes too late only where the director says so.
pub(super) fn appealed(
    session: &Session,
    section: SectionLetter,
    appeal: &Appeal,
    despite_deadline: bool,
    now: Moment,
) -> Decided {
    let contest = contest_of(session, section)?;
    let about = tidy_needed(&appeal.about, tell!(Contest::AppealAbout), WHY_LEN_MAX)?;
    let fixture = fixture_of(contest, (appeal.round, appeal.table))?;
    let Appeal { by, board, .. } = *appeal;
    if ![fixture.pairing.home, fixture.pairing.away].contains(&by) {
        let (table, round) = (appeal.table, appeal.round);
        return refuse(tell!(Contest::DoesNotPlayMatch { by, table, round }));
    }
    if let Some(board) = board.filter(|board| fixture.part_of(*board).is_none()) {
        return refuse(tell!(Contest::NotOfThisMatch { board }));
    }
    let until = session.appeals_until(section, contest, &fixture);
    if let Some(until) = until.filter(|until| now > *until && !despite_deadline) {
        let minutes = now.since_ms(until) / 60_000;
        return refuse(tell!(Contest::AppealTooLate { n: minutes }));
    }
    Ok(vec![Event::Contest(ContestEvent::Appealed {
        section,
        appeal: Appeal {
            about,
            until,
            ..appeal.clone()
        },
    })])
}

/// Notes what came of an appeal.
pub(super) fn appeal_settled(
    session: &Session,
    section: SectionLetter,
    appeal: Seq,
    outcome: &str,
) -> Decided {
    let contest = contest_of(session, section)?;
    let outcome = tidy_needed(outcome, tell!(Contest::AppealOutcome), WHY_LEN_MAX)?;
    match contest.appeals.get(&appeal) {
        None => refuse(tell!(Contest::NoSuchAppeal)),
        Some((_, _, Some(_))) => refuse(tell!(Contest::AppealSettledAlready)),
        Some(_) => Ok(vec![Event::Contest(ContestEvent::AppealSettled {
            section,
            appeal,
            outcome,
        })]),
    }
}

impl Contest {
    /// Whether two have met before a round.
    pub(super) fn have_met(
        &self,
        one: ContestantNumber,
        other: ContestantNumber,
        before: RoundNumber,
    ) -> bool {
        let both = |home, away| [home, away] == [one, other] || [home, away] == [other, one];
        let mut earlier = self.plan.earlier_matches();
        earlier.any(|it| both(it.home, it.away))
            || self
                .fixtures()
                .iter()
                .any(|it| it.round < before && both(it.pairing.home, it.pairing.away))
    }
}

impl Session {
    pub(super) fn fold_irregular(&mut self, event: &ContestEvent, record: &Record) {
        match event {
            ContestEvent::PlayedOtherwise {
                section,
                round,
                draw,
                ..
            } => {
                let Some(contest) = self.contests.get_mut(section) else {
                    return;
                };
                if let Some(drawn) = contest.rounds.get_mut(round) {
                    let as_drawn = std::mem::replace(&mut drawn.draw, draw.clone());
                    drawn.drawn_as.get_or_insert(as_drawn);
                }
                let sittings = contest.plan.sittings_of(*round, draw);
                if let Some(known) = self.sections.get_mut(section) {
                    for sitting in sittings {
                        known.sittings.insert((sitting.table, *round), sitting);
                    }
                }
                self.book_anew(*section, *round);
            }
            ContestEvent::BoardReplaced {
                section,
                round,
                table,
                board,
                with,
                ..
            } => self.replace_board(*section, (*round, *table), *board, *with),
            ContestEvent::Appealed { section, appeal } => {
                if let Some(contest) = self.contests.get_mut(section) {
                    let noted = (appeal.clone(), record.at, None);
                    contest.appeals.insert(record.seq, noted);
                }
            }
            ContestEvent::AppealSettled {
                section,
                appeal,
                outcome,
            } => {
                let contest = self.contests.get_mut(section);
                let known = contest.and_then(|it| it.appeals.get_mut(appeal));
                if let Some((_, _, settled)) = known {
                    *settled = Some(outcome.clone());
                }
            }
            // The others are folded where all of them are.
            regular_contest_events!() => {}
        }
    }

    fn replace_board(
        &mut self,
        section: SectionLetter,
        (round, table): MatchAt,
        board: BoardNumber,
        with: BoardNumber,
    ) {
        let Some(contest) = self.contests.get_mut(&section) else {
            return;
        };
        let Ok(fixture) = fixture_of(contest, (round, table)) else {
            return;
        };
        let Some(part) = fixture.part_of(board) else {
            return;
        };
        // A stanza's boards are known by the round of the stanza.
        let round = part.ends().unwrap_or(fixture.round);
        // A board that stands for another one already is replaced in its turn.
        let stands_for = contest
            .replaced
            .iter()
            .find(|((of, at, _), now)| (*of, *at) == (round, table) && **now == board)
            .map(|((_, _, first), _)| *first);
        let first = stands_for.unwrap_or(board);
        contest.replaced.insert((round, table, first), with);
        let Some(known) = self.sections.get_mut(&section) else {
            return;
        };
        for (of, at) in &part.rooms {
            if let Some(sitting) = known.sittings.get_mut(&(*at, *of)) {
                // It is played last.
                let others = sitting.boards.iter().filter(|it| *it != board);
                sitting.boards = BoardSet::new(others.chain([with]).collect());
            }
        }
    }

    /// The pads of a match forget a board for which another one is played; where that was taken back,
    /// the other one.
    pub(in crate::session) fn post_replaced(
        &self,
        event: &ContestEvent,
        taken_back: bool,
        posts: &mut Vec<(PadId, Down)>,
    ) {
        let ContestEvent::BoardReplaced {
            section,
            round,
            table,
            board,
            with,
            ..
        } = event
        else {
            return;
        };
        let (on, off) = if taken_back {
            (*board, *with)
        } else {
            (*with, *board)
        };
        let contest = self.contests.get(section);
        let fixture = contest.and_then(|it| fixture_of(it, (*round, *table)).ok());
        let rooms = fixture.and_then(|it| it.part_of(on).map(|part| part.rooms.clone()));
        for (of, at) in rooms.into_iter().flatten() {
            let table = TableId {
                section: *section,
                table: at,
            };
            self.post_refused(Cell::new(table, of, off), posts);
        }
    }

    /// Until when a ruling in a match can be appealed against: so long after the end of its round by
    /// the clock, or after its last result.
    fn appeals_until(
        &self,
        section: SectionLetter,
        contest: &Contest,
        fixture: &Fixture,
    ) -> Option<Moment> {
        let plan = &contest.plan;
        let minutes = plan.at_tables.appeal_minutes;
        let minutes = u64::from(minutes.unwrap_or_else(|| plan.rules.appeal_minutes()));
        let by_clock = self.clock.filter(|clock| clock.round == fixture.round);
        let end = match by_clock.map(|clock| clock.until) {
            Some(ClockUntil::Ends(end)) => Some(end),
            _ => fixture
                .parts
                .iter()
                .flat_map(|part| part.rooms.iter().map(move |room| (part, room)))
                .flat_map(|(part, (round, table))| {
                    let table = TableId {
                        section,
                        table: *table,
                    };
                    let cells = part.boards.iter();
                    cells.map(move |board| Cell::new(table, *round, *board))
                })
                .filter_map(|cell| self.lines.get(&cell).map(|line| line.at))
                .max(),
        };
        end.map(|end| end.plus_ms(minutes * 60_000))
    }

    /// What the sides of a match keep of it that met others than were drawn.
    pub(super) fn settle_mismatch(
        &self,
        section: SectionLetter,
        contest: &Contest,
        own: &mut ContestMatch,
    ) {
        let Some(Decision::Mismatch {
            home_at_fault,
            away_at_fault,
        }) = own.decided
        else {
            return;
        };
        let round = u8::try_from(own.scored.round)
            .ok()
            .and_then(RoundNumber::new);
        let Some(round) = round else { return };
        let drawn = contest
            .rounds
            .get(&round)
            .and_then(|it| it.drawn_as.as_ref());
        let Some(drawn) = drawn else { return };
        let before = self.contest_standing_before(section, contest, Some(round));
        let had = |number: ContestantNumber| {
            let line = before.iter().find(|line| line.contestant == number);
            line.map_or(VictoryPoints(0), |line| line.vp)
        };
        let sides = [
            (own.scored.home, own.scored.away, home_at_fault),
            (own.scored.away, own.scored.home, away_at_fault),
        ];
        for (at, (number, met, at_fault)) in sides.into_iter().enumerate() {
            let correct = drawn.matches.iter().find_map(|it| match number {
                number if number == it.home => Some(it.away),
                number if number == it.away => Some(it.home),
                _ => None,
            });
            let Some(correct) = correct else { continue };
            let stronger_by = had(met) - had(correct);
            let got = own.scored.sides[at].vp;
            own.scored.sides[at].vp = mismatched(got, stronger_by, at_fault, &contest.plan.rules);
        }
    }
}
