//! Commands from setting up to releasing the result.

use protocol::message::{HandRecord, NOTICE_LEN_MAX, Settings};
use protocol::words::{PairNumber, RoundNumber, SectionLetter};

use super::{
    Decided, MOVEMENT_LEN_MAX, NAME_LEN_MAX, WHY_LEN_MAX, not_here, refuse, tidy, tidy_needed,
};
use crate::session::concerns::{club_commands, movement_commands, pad_commands, result_commands};
use crate::session::director_pin::may_be_chosen;
use crate::session::plan::{Method, Scoring, SectionPlan, Sitting, Timing};
use crate::session::{
    ClockUntil, Command, Event, Moment, Phase, Refused, Session, State, TableId, checklist,
};

/// Both directions of a two-winner movement must fit into one list of numbers when scoring.
pub(in crate::session) const PAIR_NUMBER_MAX: u16 = 9_999;

/// An hour of the laptop's clock.
const HOUR_MS: u64 = 3_600_000;

pub(super) fn decide(state: &State, session: &Session, command: &Command, now: Moment) -> Decided {
    match command {
        Command::PlanSection { section, plan } => plan_section(session, *section, plan),
        Command::RemoveSection { section } => remove_section(session, *section),
        Command::ChooseScoring(scoring) => choose_scoring(*scoring),
        Command::ChangeSettings(settings) => change_settings(state, *settings),
        Command::ChooseTiming(timing) => choose_timing(*timing),
        Command::AttachDeals { file, deals } => {
            tidy(file, "the file's name", NAME_LEN_MAX).map(|file| {
                let deals = deals.clone();
                vec![Event::DealsAttached { file, deals }]
            })
        }
        Command::AnalyseDeal { record } => analyse(session, record),
        Command::Open => open(state, session),
        Command::SetGate { open } if *open == session.gate_open => Ok(Vec::new()),
        Command::SetGate { open } => Ok(vec![Event::GateSet { open: *open }]),
        Command::EndPlay => match session.phase {
            Phase::Open => Ok(vec![Event::PlayEnded]),
            Phase::SettingUp => refuse("the session has not been opened yet"),
            Phase::Ended | Phase::Released => refuse("play is over already"),
        },
        Command::Release { despite_checklist } => release(state, session, *despite_checklist, now),
        Command::Reopen { why } => reopen(session, why, state.club.correction_hours, now),
        Command::EndRound {
            section,
            table,
            round,
        } => end_round(session, *section, *table, *round),
        Command::StartClock { round } => start_clock(session, *round, now),
        Command::HoldClock => hold_clock(session, now),
        Command::ResumeClock => match session.clock.map(|clock| clock.until) {
            Some(ClockUntil::HeldWith(left)) => Ok(vec![Event::ClockGoesOn {
                ends: now.plus_ms(left),
            }]),
            Some(ClockUntil::Ends(_)) => refuse("the clock is running"),
            None => refuse("the clock has not been started"),
        },
        Command::AddMinutes { minutes } => add_minutes(session, *minutes),
        Command::SendNotice { tables, text } => send_notice(session, tables, text),
        Command::AnswerWarning { warning, answer } => {
            let told =
                |text: &dyn ToString, what| tidy_needed(&text.to_string(), what, WHY_LEN_MAX);
            told(warning, "the warning").and_then(|warning| {
                let answer = told(answer, "the answer")?.into();
                let warning = warning.into();
                Ok(vec![Event::WarningAnswered { warning, answer }])
            })
        }
        club_commands!() | pad_commands!() | result_commands!() | movement_commands!() => {
            not_here()
        }
    }
}

/// The director's number among the settings is the club's: changing it here changes it for good.
fn change_settings(state: &State, settings: Settings) -> Decided {
    let mut events = Vec::new();
    let pin = settings.director_pin;
    if pin.is_chosen() && state.director_pin() != Some(pin) {
        may_be_chosen(pin)?;
        events.push(Event::DirectorPinSet(pin));
    }
    events.push(Event::SettingsChanged(settings));
    Ok(events)
}

fn plan_section(session: &Session, section: SectionLetter, plan: &SectionPlan) -> Decided {
    let tables_in_play = session.lines.keys().any(|cell| cell.section == section);
    if tables_in_play {
        return refuse(format!(
            "section {section} has results already: change its movement from a round on instead"
        ));
    }
    check_sittings(&plan.sittings)?;
    if plan.sittings.is_empty() {
        return refuse("a section needs at least one table");
    }
    let plan = SectionPlan {
        colour: tidy(&plan.colour, "the colour", NAME_LEN_MAX)?,
        movement: tidy_needed(&plan.movement, "the movement's name", MOVEMENT_LEN_MAX)?,
        ..plan.clone()
    };
    Ok(vec![Event::SectionPlanned { section, plan }])
}

/// What no movement can have.
pub(super) fn check_sittings(sittings: &[Sitting]) -> Result<(), Refused> {
    let mut places = std::collections::BTreeSet::new();
    let mut pairs = std::collections::BTreeSet::new();
    for sitting in sittings {
        let (round, table) = (sitting.round, sitting.table);
        if !places.insert((round, table)) {
            return refuse(format!("table {table} is there twice in round {round}"));
        }
        for (side, pair) in [("NS", sitting.ns), ("EW", sitting.ew)] {
            let Some(pair) = pair else { continue };
            if pair.get() > PAIR_NUMBER_MAX {
                return refuse(format!(
                    "pair numbers go up to {PAIR_NUMBER_MAX}, not {pair}"
                ));
            }
            if !pairs.insert((round, side, pair)) {
                return refuse(format!(
                    "pair {pair} {side} sits at two tables in round {round}"
                ));
            }
        }
    }
    Ok(())
}

fn remove_section(session: &Session, section: SectionLetter) -> Decided {
    if !session.sections.contains_key(&section) {
        return refuse(format!("there is no section {section}"));
    }
    if session.lines.keys().any(|cell| cell.section == section) {
        return refuse(format!(
            "section {section} has results and can't be dropped"
        ));
    }
    Ok(vec![Event::SectionRemoved { section }])
}

fn choose_scoring(scoring: Scoring) -> Decided {
    if scoring.single && scoring.method != Method::Matchpoints {
        return refuse("single points are a way of counting matchpoints, not IMPs");
    }
    if scoring.least_share_percent > 100 {
        return refuse("the share of boards for a place is 0 to 100 percent");
    }
    Ok(vec![Event::ScoringChosen(scoring)])
}

fn choose_timing(timing: Timing) -> Decided {
    if !(1..=60).contains(&timing.minutes_a_board) {
        return refuse("expected 1 to 60 minutes a board");
    }
    Ok(vec![Event::TimingChosen(timing)])
}

fn open(state: &State, session: &Session) -> Decided {
    match session.phase {
        Phase::SettingUp => {}
        Phase::Open => return refuse("the session is open already"),
        Phase::Ended | Phase::Released => {
            return refuse("play is over: add another session for the next one");
        }
    }
    if session.sections.is_empty() {
        return refuse("choose a movement first: the session has no tables yet");
    }
    let Some(pin) = state.director_pin() else {
        return refuse(
            "choose the director's PIN first: four digits that open the director's menu on every pad, the same every evening",
        );
    };
    let kept = state.club.director_pin.is_none();
    let kept = kept.then_some(Event::DirectorPinSet(pin));
    Ok(kept.into_iter().chain([Event::Opened]).collect())
}

fn release(state: &State, session: &Session, despite_checklist: bool, now: Moment) -> Decided {
    match session.phase {
        Phase::Ended => {}
        Phase::Open => return refuse("end play first, then release the result"),
        Phase::SettingUp => return refuse("nothing has been played yet"),
        Phase::Released => return refuse("the result is released already"),
    }
    let open_points = checklist(&state.club, session, now);
    if let Some(first) = open_points.first()
        && !despite_checklist
    {
        let more = open_points.len() - 1;
        let more = if more == 0 {
            String::new()
        } else {
            format!(" (and {more} more)")
        };
        return refuse(format!(
            "{}{more}: settle that, or release in spite of it",
            first.sentence
        ));
    }
    Ok(vec![Event::Released])
}

/// A result can be taken back as long as the correction period lasts.
fn reopen(session: &Session, why: &str, hours: u16, now: Moment) -> Decided {
    let Some(released) = session
        .released
        .filter(|_| session.phase == Phase::Released)
    else {
        return refuse("the result has not been released: it can be corrected as it is");
    };
    let over = now.since_ms(released) / HOUR_MS;
    if over >= u64::from(hours) {
        return refuse(format!(
            "the correction period of {hours} hours is over: the result was released {over} hours \
             ago and stands"
        ));
    }
    let why = tidy_needed(why, "the reason", WHY_LEN_MAX)?;
    Ok(vec![Event::Reopened { why }])
}

/// What was found about a board is kept once, and only for the cards that are attached.
fn analyse(session: &Session, record: &HandRecord) -> Decided {
    match session.deals.get(&record.board) {
        Some(known) if known.deal != record.deal => {
            refuse(format!("board {} has other cards now", record.board))
        }
        Some(known) if known == record => Ok(Vec::new()),
        Some(_) => Ok(vec![Event::DealAnalysed {
            record: record.clone(),
        }]),
        None => refuse(format!("board {} has no cards", record.board)),
    }
}

fn end_round(
    session: &Session,
    section: SectionLetter,
    table: Option<TableId>,
    round: RoundNumber,
) -> Decided {
    let Some(found) = session.sections.get(&section) else {
        return refuse(format!("there is no section {section}"));
    };
    if round > found.last_round() {
        return refuse(format!(
            "section {section} plays {} rounds",
            found.last_round()
        ));
    }
    if table
        .is_some_and(|table| table.section != section || session.sitting(table, round).is_none())
    {
        return refuse("that table is not in the section");
    }
    Ok(vec![Event::RoundEnded {
        section,
        table,
        round,
    }])
}

fn start_clock(session: &Session, round: RoundNumber, now: Moment) -> Decided {
    let boards = session
        .sections
        .values()
        .flat_map(|section| section.sittings.values())
        .filter(|sitting| sitting.round == round)
        .map(|sitting| sitting.boards.len())
        .max();
    let Some(boards) = boards else {
        return refuse(format!("there is no round {round} tonight"));
    };
    let timing = session.timing;
    let minutes =
        boards as u64 * u64::from(timing.minutes_a_board) + u64::from(timing.minutes_to_move);
    Ok(vec![Event::ClockStarted {
        round,
        ends: now.plus_ms(minutes * 60_000),
    }])
}

fn hold_clock(session: &Session, now: Moment) -> Decided {
    match session.clock.map(|clock| clock.until) {
        Some(ClockUntil::Ends(end)) => Ok(vec![Event::ClockHeld {
            left_ms: end.since_ms(now),
        }]),
        Some(ClockUntil::HeldWith(_)) => refuse("the clock is held already"),
        None => refuse("the clock has not been started"),
    }
}

fn add_minutes(session: &Session, minutes: i8) -> Decided {
    let changed = |ms: u64| ms.saturating_add_signed(i64::from(minutes) * 60_000);
    match session.clock.map(|clock| clock.until) {
        Some(ClockUntil::Ends(Moment(end))) => Ok(vec![Event::ClockGoesOn {
            ends: Moment(changed(end)),
        }]),
        Some(ClockUntil::HeldWith(left)) => Ok(vec![Event::ClockHeld {
            left_ms: changed(left),
        }]),
        None => refuse("the clock has not been started"),
    }
}

fn send_notice(session: &Session, tables: &[TableId], text: &str) -> Decided {
    let text = tidy_needed(text, "the message", NOTICE_LEN_MAX)?;
    if text.len() > NOTICE_LEN_MAX {
        return refuse("the message is too long for the pads' display");
    }
    if let Some(unknown) = tables
        .iter()
        .find(|table| !session.all_tables().any(|known| known == **table))
    {
        return refuse(format!("there is no table {unknown} tonight"));
    }
    Ok(vec![Event::NoticeSent {
        tables: tables.to_vec(),
        text,
    }])
}

/// Whether a pair plays tonight.
pub(super) fn plays(session: &Session, section: SectionLetter, pair: PairNumber) -> bool {
    session.sections.get(&section).is_some_and(|section| {
        section
            .sittings
            .values()
            .any(|sitting| sitting.ns == Some(pair) || sitting.ew == Some(pair))
    })
}
