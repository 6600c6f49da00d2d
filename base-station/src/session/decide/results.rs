//! Commands about results: corrections, adjustments, penalties, undoing.

use std::sync::Arc;

use protocol::words::{BoardNumber, Percentage, Score, SectionLetter};

use super::evening::plays;
use super::{Decided, WHY_LEN_MAX, not_here, not_released, refuse, tidy, tidy_needed};
use crate::session::concerns::{
    club_commands, club_events, evening_commands, movement_commands, pad_commands,
};
use crate::session::plan::{Fault, Grounds, Method, PenaltyAmount, Ruling, SideAward};
use crate::session::{
    Cell, Command, ConnectorEvent, ContestEvent, Event, Fate, PairId, Record, Refused, Seq, Session,
};
use telling::{Decimal, tell};

pub(super) fn decide(session: &Session, command: &Command) -> Decided {
    let decided = match command {
        Command::Rule { cell, ruling, why } => rule(session, *cell, ruling, None, why),
        Command::ChangeResult {
            cell,
            ruling,
            grounds,
            why,
        } => rule(session, *cell, ruling, None, why).map(|events| on_grounds(events, *grounds)),
        Command::WriteIn {
            cell,
            result,
            stated,
        } => typed(session, *cell, &Ruling::Result(*result), Some(*stated)),
        Command::TypeIn { cell, ruling } => typed(session, *cell, ruling, None),
        Command::CorrectPairs { cell, ns, ew, why } => correct_pairs(session, *cell, *ns, *ew, why),
        Command::TurnLine { cell, why } => line_there(session, *cell)
            .and_then(|line| correct_pairs(session, *cell, line.ew, line.ns, why)),
        Command::MoveLine { from, to, why } => move_line(session, *from, *to, why),
        Command::SetFouled {
            section,
            board,
            groups,
            faults,
            why,
        } => set_fouled(session, (*section, *board), groups, faults, why),
        Command::Penalise {
            pair,
            amount,
            why,
            public,
        } => penalise(session, *pair, *amount, why, *public),
        Command::UseKept { kept } => {
            waiting(session, *kept).map(|()| vec![Event::KeptEntryUsed { kept: *kept }])
        }
        Command::IgnoreKept { kept } => {
            waiting(session, *kept).map(|()| vec![Event::KeptEntryIgnored { kept: *kept }])
        }
        Command::Undo { change, why } => undo(session, *change, why),
        club_commands!() | evening_commands!() | pad_commands!() | movement_commands!() => {
            not_here()
        }
    };
    not_released(session).and(decided)
}

fn line_there(session: &Session, cell: Cell) -> Result<&crate::session::Line, Refused> {
    session
        .lines
        .get(&cell)
        .filter(|line| line.is_in())
        .ok_or_else(|| Refused::because(tell!(Refused::NoResultYet { cell })))
}

fn known_place(session: &Session, cell: Cell) -> Result<(), Refused> {
    if session.sitting(cell.table_id(), cell.round).is_none() {
        return refuse(tell!(Refused::ThereNoTableRound {
            table: cell.table_id(),
            round: cell.round
        }));
    }
    let in_play = session.sections.get(&cell.section).is_some_and(|section| {
        section
            .sittings
            .values()
            .any(|sitting| sitting.boards.contains(cell.board))
    });
    if !in_play && !session.lines.contains_key(&cell) {
        return refuse(tell!(Refused::BoardNotPlaySection {
            board: cell.board,
            section: cell.section
        }));
    }
    Ok(())
}

fn rule(
    session: &Session,
    cell: Cell,
    ruling: &Ruling,
    stated: Option<Score>,
    why: &str,
) -> Decided {
    known_place(session, cell)?;
    let why = match ruling {
        Ruling::Award { .. } => tidy_needed(why, tell!(Refused::ReasonAdjustedScore), WHY_LEN_MAX)?,
        Ruling::Result(_) | Ruling::Written(_) | Ruling::LatePlay | Ruling::TakenAway => {
            tidy(why, tell!(Contest::Reason), WHY_LEN_MAX)?
        }
    };
    match ruling {
        Ruling::TakenAway => {
            line_there(session, cell)?;
        }
        Ruling::Award { ns, ew } => {
            check_award(ns)?;
            check_award(ew)?;
        }
        Ruling::Written(score) => possible_score(*score)?,
        Ruling::Result(_) | Ruling::LatePlay => {}
    }
    if session
        .lines
        .get(&cell)
        .is_some_and(|line| line.ruling == *ruling && line.stated == stated)
    {
        return refuse(tell!(Refused::StandsLikeAlready { cell }));
    }
    let ruling = ruling.clone();
    Ok(vec![Event::Ruled {
        cell,
        ruling,
        stated,
        grounds: None,
        why,
    }])
}

/// A line from paper. Over a result that stood there it is a change that the paper asks for.
fn typed(session: &Session, cell: Cell, ruling: &Ruling, stated: Option<Score>) -> Decided {
    let changes = line_there(session, cell).is_ok();
    let events = rule(session, cell, ruling, stated, "")?;
    Ok(if changes {
        on_grounds(events, Grounds::Paper)
    } else {
        events
    })
}

/// The same changes, with what they rest on.
fn on_grounds(mut events: Vec<Event>, rest_on: Grounds) -> Vec<Event> {
    for event in &mut events {
        if let Event::Ruled { grounds, .. } = event {
            *grounds = Some(rest_on);
        }
    }
    events
}

fn possible_score(score: Score) -> Result<(), Refused> {
    if score.0 % 10 == 0 && (-7_600..=7_600).contains(&score.0) {
        Ok(())
    } else {
        refuse(tell!(Refused::NotScoreContractCan { score }))
    }
}

fn check_award(award: &SideAward) -> Result<(), Refused> {
    match award {
        SideAward::Score(score) => possible_score(*score),
        SideAward::Weighted(outcomes) => {
            for outcome in outcomes {
                possible_score(outcome.score)?;
            }
            let sum: u32 = outcomes
                .iter()
                .map(|outcome| u32::from(outcome.weight.get()))
                .sum();
            if sum == u32::from(Percentage::MAX.get()) {
                Ok(())
            } else {
                refuse(tell!(Refused::SharesWeightedScoreAddUp {
                    sum: Decimal::new(f64::from(sum) / 100.0, 2)
                }))
            }
        }
        SideAward::Percent(_)
        | SideAward::AveragePlus
        | SideAward::Average
        | SideAward::AverageMinus => Ok(()),
    }
}

fn correct_pairs(
    session: &Session,
    cell: Cell,
    ns: Option<PairId>,
    ew: Option<PairId>,
    why: &str,
) -> Decided {
    known_place(session, cell)?;
    let why = tidy(why, tell!(Contest::Reason), WHY_LEN_MAX)?;
    if ns.is_some() && ns == ew {
        return refuse(tell!(Refused::PairCantPlayAgainst));
    }
    for pair in [ns, ew].into_iter().flatten() {
        known_pair(session, pair)?;
        if pair.section != cell.section {
            return refuse(tell!(Refused::PairPlaysSectionNot {
                pair,
                section: pair.section,
                earlier: cell.section
            }));
        }
    }
    Ok(vec![Event::PairsCorrected { cell, ns, ew, why }])
}

fn known_pair(session: &Session, pair: PairId) -> Result<(), Refused> {
    let one_winner = session
        .sections
        .get(&pair.section)
        .map(|section| section.one_winner);
    match (one_winner, pair.side) {
        (None, _) => refuse(tell!(Refused::ThereNoSection {
            section: pair.section
        })),
        (Some(true), Some(_)) => refuse(tell!(Refused::SectionOneListPairsWrite {
            section: pair.section,
            pair: format!("{}{}", pair.section, pair.number)
        })),
        (Some(false), None) => refuse(tell!(Refused::SectionTwoListsPairs {
            section: pair.section,
            pair
        })),
        (Some(true), None) | (Some(false), Some(_)) => {
            if plays(session, pair.section, pair.number) {
                Ok(())
            } else {
                refuse(tell!(Refused::PairDoesNotPlay { pair }))
            }
        }
    }
}

fn move_line(session: &Session, from: Cell, to: Cell, why: &str) -> Decided {
    line_there(session, from)?;
    known_place(session, to)?;
    if from == to {
        return refuse(tell!(Refused::NameAnotherPlace));
    }
    if session.is_in(to) {
        return refuse(tell!(Refused::ResultAlreadyTakeOne { cell: to }));
    }
    let why = tidy(why, tell!(Contest::Reason), WHY_LEN_MAX)?;
    Ok(vec![Event::LineMoved { from, to, why }])
}

fn set_fouled(
    session: &Session,
    (section, board): (SectionLetter, BoardNumber),
    groups: &[(Cell, char)],
    faults: &[(Cell, Fault, Fault)],
    why: &str,
) -> Decided {
    let why = tidy_needed(why, tell!(Contest::Reason), WHY_LEN_MAX)?;
    if groups.iter().any(|(_, form)| !form.is_ascii_uppercase()) {
        return refuse(tell!(Refused::FormsFouledBoardCalled));
    }
    let to_blame = faults.iter().map(|(cell, ..)| *cell);
    for cell in groups.iter().map(|(cell, _)| *cell).chain(to_blame) {
        if cell.section != section || cell.board != board {
            return refuse(tell!(Refused::NotLineBoardSection {
                cell,
                board,
                section
            }));
        }
        // A table that has yet to play the board can be named in advance.
        let planned = session.sitting(cell.table_id(), cell.round);
        if !planned.is_some_and(|sitting| sitting.boards.contains(board)) {
            line_there(session, cell)?;
        }
    }
    Ok(vec![Event::FouledSet {
        section,
        board,
        groups: groups.to_vec(),
        faults: faults.to_vec(),
        why,
    }])
}

fn penalise(
    session: &Session,
    pair: PairId,
    amount: PenaltyAmount,
    why: &str,
    public: bool,
) -> Decided {
    known_pair(session, pair)?;
    let why = tidy_needed(why, tell!(Contest::Reason), WHY_LEN_MAX)?;
    let nothing = match amount {
        PenaltyAmount::Warning => false,
        PenaltyAmount::PercentOfTop(share) | PenaltyAmount::PercentOfSession(share) => {
            share.get() == 0
        }
        PenaltyAmount::Matchpoints(points) | PenaltyAmount::VictoryPoints(points) => points == 0,
        PenaltyAmount::Imps(imps) => imps == 0,
    };
    if nothing {
        return refuse(tell!(Refused::PenaltyNothingWarningGive));
    }
    if !session.can_count(pair.section, amount) {
        return refuse(match session.scoring.method {
            Method::Matchpoints => {
                tell!(Refused::SessionScoredByMatchpoints)
            }
            Method::CrossImps | Method::Butler => {
                tell!(Refused::SessionScoredByImps)
            }
        });
    }
    Ok(vec![Event::Penalised {
        pair,
        amount,
        why,
        public,
    }])
}

fn waiting(session: &Session, kept: Seq) -> Result<(), Refused> {
    match session.kept.get(&kept).map(|kept| kept.fate) {
        Some(Fate::Waiting) => Ok(()),
        Some(Fate::Used) => refuse(tell!(Refused::EntryUsedAlreadyUndo)),
        Some(Fate::Ignored) => refuse(tell!(Refused::EntryIgnoredUndoUse)),
        None => refuse(tell!(Refused::ThereNoSuchEntry)),
    }
}

fn undo(session: &Session, change: Seq, why: &str) -> Decided {
    let why = tidy(why, tell!(Contest::Reason), WHY_LEN_MAX)?;
    let record = session
        .record(change)
        .ok_or_else(|| Refused::because(tell!(Refused::ThereNoChangeSession { change })))?;
    if session.undone.contains(&change) {
        return refuse(tell!(Refused::ChangeBeenTakenBack));
    }
    if let Event::SectionPlanned { section, .. } = &record.event
        && session.lines.keys().any(|cell| cell.section == *section)
    {
        return refuse(tell!(Refused::SectionResultsChangeIts { section }));
    }
    if session.makes_a_draw(record) || session.seats_a_led_round(record) {
        return refuse(tell!(Refused::PublishedDrawDrawRound));
    }
    if !can_be_undone(&record.event) || session.is_drawn_on(record) {
        return refuse(tell!(Refused::CantTakenBackBecause));
    }
    let undone = Event::Undone { change, why };
    if is_about_the_movement(session, record) {
        everybody_keeps_what_they_played(session, record, &undone)?;
    }
    Ok(vec![undone])
}

/// A change of the movement, or one that was taken back, again and again.
fn is_about_the_movement(session: &Session, record: &Record) -> bool {
    if let Event::Undone { change, .. } = &record.event {
        return session
            .record(*change)
            .is_some_and(|earlier| is_about_the_movement(session, earlier));
    }
    matches!(
        record.event,
        Event::MovementChanged { .. } | Event::MovementRevised { .. }
    )
}

/// Whoever has played a board since the change has played it, whatever the movement was before.
fn everybody_keeps_what_they_played(
    session: &Session,
    change: &Record,
    undone: &Event,
) -> Result<(), Refused> {
    let last = session.records.last().map_or(change.seq, |last| last.seq);
    let mut after = session.clone();
    after.apply(&Arc::new(Record {
        seq: last.next(),
        event: undone.clone(),
        ..change.clone()
    }));
    let left_alone = after.lines.iter().find(|(cell, line)| {
        let before = session.lines.get(*cell).filter(|_| line.is_in());
        before.is_some_and(|before| {
            (before.ns.is_some() && line.ns.is_none()) || (before.ew.is_some() && line.ew.is_none())
        })
    });
    match left_alone {
        None => Ok(()),
        Some((cell, _)) => refuse(tell!(Refused::BeenPlayedSinceBy { cell })),
    }
}

/// Whether taking an event back leaves pads and people where they are.
pub const fn can_be_undone(event: &Event) -> bool {
    match event {
        Event::SectionPlanned { .. }
        | Event::SectionRemoved { .. }
        | Event::ScoringChosen(_)
        | Event::SettingsChanged(_)
        | Event::TimingChosen(_)
        | Event::WayChosen(_)
        | Event::SectionGateSet { .. }
        | Event::DealsAttached { .. }
        | Event::RoundEnded { .. }
        | Event::PlayEnded
        | Event::PlayersSeated { .. }
        | Event::BoardAllowed { .. }
        | Event::BoardRefused(_)
        | Event::Entered { .. }
        | Event::KeptEntryUsed { .. }
        | Event::KeptEntryIgnored { .. }
        | Event::Ruled { .. }
        | Event::PairsCorrected { .. }
        | Event::LineMoved { .. }
        | Event::FouledSet { .. }
        | Event::Penalised { .. }
        | Event::MovementChanged { .. }
        | Event::MovementRevised { .. }
        | Event::PlayerNamed { .. }
        | Event::WarningAnswered { .. }
        | Event::Contest(
            ContestEvent::Decided { .. }
            | ContestEvent::Withdrawn { .. }
            | ContestEvent::BoardReplaced { .. }
            | ContestEvent::TieBroken { .. }
            | ContestEvent::PlayOff { .. },
        )
        | Event::Undone { .. } => true,
        club_events!()
        | Event::RoundTaken(_)
        | Event::Contest(
            ContestEvent::Planned { .. }
            | ContestEvent::Drawn { .. }
            | ContestEvent::SlipAccepted { .. }
            | ContestEvent::EarlierTaken { .. }
            | ContestEvent::Joined { .. }
            | ContestEvent::Offended { .. }
            | ContestEvent::PlayedOtherwise { .. }
            | ContestEvent::Appealed { .. }
            | ContestEvent::AppealSettled { .. },
        )
        | Event::DealAnalysed { .. }
        | Event::Connector(ConnectorEvent::Accepted { .. })
        | Event::Opened
        | Event::GateSet { .. }
        | Event::Released
        | Event::Reopened { .. }
        | Event::ClockStarted { .. }
        | Event::ClockHeld { .. }
        | Event::ClockGoesOn { .. }
        | Event::NoticeSent { .. }
        | Event::PadAdmitted { .. }
        | Event::PadLoggedOff { .. }
        | Event::TableFreed { .. }
        | Event::PadsSwapped { .. }
        | Event::PadMoved { .. }
        | Event::PadSilent { .. }
        | Event::PadHeardAgain { .. }
        | Event::BatteryLow { .. }
        | Event::DirectorCalled { .. }
        | Event::CallSettled { .. }
        | Event::PairsSeen { .. }
        | Event::BoardWanted { .. }
        | Event::Replacing(_)
        | Event::EntryKept { .. } => false,
    }
}
