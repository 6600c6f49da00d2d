//! Commands from setting up to releasing the result.

use protocol::message::{HandRecord, NOTICE_LEN_MAX, Settings};
use protocol::words::{PairNumber, RoundNumber, SectionLetter, Side};

use super::{
    Decided, MOVEMENT_LEN_MAX, NAME_LEN_MAX, WHY_LEN_MAX, not_here, refuse, tidy, tidy_needed,
};
use crate::session::concerns::{club_commands, movement_commands, pad_commands, result_commands};
use crate::session::director_pin::may_be_chosen;
use crate::session::plan::{Method, Scoring, SectionPlan, Sitting, Timing};
use crate::session::{
    ClockUntil, Command, Event, Moment, Phase, Refused, Session, State, TableId, checklist,
};
use telling::{Letter, Told, tell};

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
        Command::SetSectionGate { section, open } => section_gate(session, *section, *open),
        Command::ChooseWay(way) if session.way == Some(*way) => Ok(Vec::new()),
        Command::ChooseWay(way) => Ok(vec![Event::WayChosen(*way)]),
        Command::AttachDeals { file, deals } => tidy(file, tell!(Refused::FilesName), NAME_LEN_MAX)
            .map(|file| {
                let deals = deals.clone();
                vec![Event::DealsAttached { file, deals }]
            }),
        Command::AnalyseDeal { record } => analyse(session, record),
        Command::Open => open(state, session),
        Command::SetGate { open } if *open == session.gate_open => Ok(Vec::new()),
        Command::SetGate { open } => Ok(vec![Event::GateSet { open: *open }]),
        Command::EndPlay => match session.phase {
            Phase::Open => Ok(vec![Event::PlayEnded]),
            Phase::SettingUp => refuse(tell!(Refused::SessionNotBeenOpened)),
            Phase::Ended | Phase::Released => refuse(tell!(Refused::PlayOverAlready)),
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
            Some(ClockUntil::Ends(_)) => refuse(tell!(Refused::ClockRunning)),
            None => refuse(tell!(Refused::ClockNotBeenStarted)),
        },
        Command::AddMinutes { minutes } => add_minutes(session, *minutes),
        Command::SendNotice { tables, text } => send_notice(session, tables, text),
        Command::AnswerWarning { warning, answer } => {
            let told =
                |text: &dyn ToString, what: Told| tidy_needed(&text.to_string(), what, WHY_LEN_MAX);
            told(warning, tell!(Refused::Warning)).and_then(|warning| {
                let answer = told(answer, tell!(Refused::Answer))?.into();
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
        return refuse(tell!(Refused::SectionResultsAlreadyChange { section }));
    }
    check_sittings(&plan.sittings)?;
    if plan.sittings.is_empty() {
        return refuse(tell!(Refused::SectionNeedsAtLeast));
    }
    let plan = SectionPlan {
        colour: tidy(&plan.colour, tell!(Contest::Colour), NAME_LEN_MAX)?,
        movement: tidy_needed(
            &plan.movement,
            tell!(Refused::MovementsName),
            MOVEMENT_LEN_MAX,
        )?,
        ..plan.clone()
    };
    Ok(vec![Event::SectionPlanned { section, plan }])
}

/// What no movement can have.
pub(in crate::session) fn check_sittings(sittings: &[Sitting]) -> Result<(), Refused> {
    let mut places = std::collections::BTreeSet::new();
    let mut pairs = std::collections::BTreeSet::new();
    for sitting in sittings {
        let (round, table) = (sitting.round, sitting.table);
        if !places.insert((round, table)) {
            return refuse(tell!(Refused::TableThereTwiceRound { table, round }));
        }
        for (side, pair) in [(Side::NorthSouth, sitting.ns), (Side::EastWest, sitting.ew)] {
            let Some(pair) = pair else { continue };
            if pair.get() > PAIR_NUMBER_MAX {
                return refuse(tell!(Refused::PairNumbersGoUp {
                    pair_number_max: PAIR_NUMBER_MAX,
                    pair
                }));
            }
            if !pairs.insert((round, side, pair)) {
                return refuse(tell!(Refused::PairSitsAtTwo {
                    pair,
                    side: Letter(side),
                    round
                }));
            }
        }
    }
    Ok(())
}

fn remove_section(session: &Session, section: SectionLetter) -> Decided {
    if !session.sections.contains_key(&section) {
        return refuse(tell!(Refused::ThereNoSection { section }));
    }
    if session.lines.keys().any(|cell| cell.section == section) {
        return refuse(tell!(Refused::SectionResultsCantDropped { section }));
    }
    Ok(vec![Event::SectionRemoved { section }])
}

fn choose_scoring(scoring: Scoring) -> Decided {
    if scoring.single && scoring.method != Method::Matchpoints {
        return refuse(tell!(Refused::SinglePointsWayCounting));
    }
    if scoring.least_share_percent > 100 {
        return refuse(tell!(Refused::ShareBoardsPlace0));
    }
    Ok(vec![Event::ScoringChosen(scoring)])
}

fn choose_timing(timing: Timing) -> Decided {
    if !(1..=60).contains(&timing.minutes_a_board) {
        return refuse(tell!(Refused::Expected160Minutes));
    }
    Ok(vec![Event::TimingChosen(timing)])
}

fn section_gate(session: &Session, section: SectionLetter, open: bool) -> Decided {
    if !session.sections.contains_key(&section) {
        return refuse(tell!(Refused::ThereNoSection { section }));
    }
    if session.closed.contains(&section) != open {
        return Ok(Vec::new());
    }
    Ok(vec![Event::SectionGateSet { section, open }])
}

fn open(state: &State, session: &Session) -> Decided {
    match session.phase {
        Phase::SettingUp => {}
        Phase::Open => return refuse(tell!(Refused::SessionOpenAlready)),
        Phase::Ended | Phase::Released => {
            return refuse(tell!(Refused::PlayOverAddAnother));
        }
    }
    if session.sections.is_empty() {
        return refuse(tell!(Refused::ChooseMovementFirstSession));
    }
    let Some(pin) = state.director_pin() else {
        // Who plays on paper has no pad whose menu needs guarding.
        if session.is_on_paper() {
            return Ok(vec![Event::Opened]);
        }
        return refuse(tell!(Refused::ChooseDirectorsPinFirst));
    };
    let kept = state.club.director_pin.is_none();
    let kept = kept.then_some(Event::DirectorPinSet(pin));
    Ok(kept.into_iter().chain([Event::Opened]).collect())
}

fn release(state: &State, session: &Session, despite_checklist: bool, now: Moment) -> Decided {
    match session.phase {
        Phase::Ended => {}
        Phase::Open => return refuse(tell!(Refused::EndPlayFirstThen)),
        Phase::SettingUp => return refuse(tell!(Refused::NothingBeenPlayedYet)),
        Phase::Released => return refuse(tell!(Refused::ResultReleasedAlready)),
    }
    let open_points = checklist(&state.club, session, now);
    if let Some(first) = open_points.first()
        && !despite_checklist
    {
        let more = open_points.len() - 1;
        let point = &first.sentence;
        return refuse(if more == 0 {
            tell!(Refused::SettleOrReleaseSpite { point })
        } else {
            tell!(Refused::SettleOrReleaseSpiteAgain { point, n: more })
        });
    }
    Ok(vec![Event::Released])
}

/// A result can be taken back as long as the correction period lasts.
fn reopen(session: &Session, why: &str, hours: u16, now: Moment) -> Decided {
    let Some(released) = session
        .released
        .filter(|_| session.phase == Phase::Released)
    else {
        return refuse(tell!(Refused::ResultNotBeenReleased));
    };
    let over = now.since_ms(released) / HOUR_MS;
    if over >= u64::from(hours) {
        return refuse(tell!(Refused::CorrectionPeriodHoursOver { hours, over }));
    }
    let why = tidy_needed(why, tell!(Contest::Reason), WHY_LEN_MAX)?;
    Ok(vec![Event::Reopened { why }])
}

/// What was found about a board is kept once, and only for the cards that are attached.
fn analyse(session: &Session, record: &HandRecord) -> Decided {
    match session.deals.get(&record.board) {
        Some(known) if known.deal != record.deal => refuse(tell!(Refused::BoardOtherCardsNow {
            board: record.board
        })),
        Some(known) if known == record => Ok(Vec::new()),
        Some(_) => Ok(vec![Event::DealAnalysed {
            record: record.clone(),
        }]),
        None => refuse(tell!(Refused::BoardNoCards {
            board: record.board
        })),
    }
}

fn end_round(
    session: &Session,
    section: SectionLetter,
    table: Option<TableId>,
    round: RoundNumber,
) -> Decided {
    let Some(found) = session.sections.get(&section) else {
        return refuse(tell!(Refused::ThereNoSection { section }));
    };
    if round > found.last_round() {
        return refuse(tell!(Refused::SectionPlaysRounds {
            section,
            last_round: found.last_round()
        }));
    }
    if table
        .is_some_and(|table| table.section != section || session.sitting(table, round).is_none())
    {
        return refuse(tell!(Refused::TableNotSection));
    }
    Ok(vec![Event::RoundEnded {
        section,
        table,
        round,
    }])
}

fn start_clock(session: &Session, round: RoundNumber, now: Moment) -> Decided {
    let timing = session.timing;
    let minutes = session.sections.iter().filter_map(|(letter, section)| {
        let here = section.sittings.values().filter(|it| it.round == round);
        let boards = here.map(|sitting| sitting.boards.len()).max()?;
        // Matches take as long as their regulation says.
        let of_match = session
            .contests
            .get(letter)
            .map(|it| it.plan.time().minutes);
        Some(of_match.map_or_else(
            || {
                let boards = boards as u64;
                boards * u64::from(timing.minutes_a_board) + u64::from(timing.minutes_to_move)
            },
            u64::from,
        ))
    });
    let Some(minutes) = minutes.max() else {
        return refuse(tell!(Refused::ThereNoRoundTonight { round }));
    };
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
        Some(ClockUntil::HeldWith(_)) => refuse(tell!(Refused::ClockHeldAlready)),
        None => refuse(tell!(Refused::ClockNotBeenStarted)),
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
        None => refuse(tell!(Refused::ClockNotBeenStarted)),
    }
}

fn send_notice(session: &Session, tables: &[TableId], text: &str) -> Decided {
    let text = tidy_needed(text, tell!(Refused::Message), NOTICE_LEN_MAX)?;
    if text.len() > NOTICE_LEN_MAX {
        return refuse(tell!(Refused::MessageTooLongPads));
    }
    if let Some(unknown) = tables
        .iter()
        .find(|table| !session.all_tables().any(|known| known == **table))
    {
        return refuse(tell!(Refused::ThereNoTableTonight { table: unknown }));
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
