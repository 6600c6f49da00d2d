//! Another movement for a section while the evening goes on, as a scoring program sends it.

use std::collections::{BTreeMap, BTreeSet};

use connector::data::{self, ScoringGroup, SectionUpdate};
use connector::movement::Seating;
use connector::{Answer, DataType, ErrorType, Fault, check, movement};
use protocol::words::{RoundNumber, SectionLetter, TableNumber};

use super::draft::Draft;
use super::movement::written;
use super::setup::{MOVEMENT, link_sessions, no_section, plan, score, sitting, unknown};
use crate::session::plan::{SectionPlan, Sitting};
use crate::session::{Command, ConnectorCommand, Link, Phase, Section, Session};

/// Another movement for a section, a new section, or none.
pub(super) fn update(
    draft: &mut Draft,
    guid: &str,
    update: &SectionUpdate,
) -> Result<Answer, Fault> {
    let wanted = &update.section;
    check::letters(&wanted.letters)?;
    let mut link = draft.link()?.clone();
    let session = link.sessions.iter_mut().find(|it| it.guid == guid);
    let session = session.ok_or_else(|| unknown("session"))?;
    let known = session.section(&wanted.letters).cloned();
    if update.is_deleted {
        let known = known.ok_or_else(|| no_section(&wanted.letters))?;
        let section = known.section;
        session.sections.retain(|it| *it != known);
        draft.must(Command::RemoveSection { section })?;
        draft.must(Command::Connector(ConnectorCommand::Link(link)))?;
        return Ok(draft.answer("the section is removed"));
    }
    check::section(wanted, guid)?;
    let changed = if let Some(known) = known {
        if known.game != u8::try_from(wanted.game_type).unwrap_or(u8::MAX) {
            return Err(Fault::invalid("a section can't change its GameType"));
        }
        change(draft, known.section, wanted)?
    } else {
        add(draft, link, guid, update)?
    };
    let link = draft.link()?.clone();
    super::puts::players(draft, &update.added_players)?;
    super::puts::participations(draft, &link, guid, &update.participations)?;
    let part = link.session(guid).ok_or_else(|| unknown("session"))?;
    let linked = part.section(&wanted.letters);
    let linked = linked.ok_or_else(|| no_section(&wanted.letters))?;
    let session = draft.state().session.as_ref();
    let session = session.ok_or_else(|| unknown("session"))?;
    let mut section = written(session, part, linked);
    for table in &mut section.tables {
        table.rounds.retain_mut(|round| {
            let table = u16::try_from(round.table_number).ok();
            let at = table.and_then(TableNumber::new).zip(
                u8::try_from(round.round_number)
                    .ok()
                    .and_then(RoundNumber::new),
            );
            round.updated = at.is_some_and(|at| changed.contains(&at));
            round.updated
        });
    }
    section.tables.retain(|table| !table.rounds.is_empty());
    Ok(Answer::with(DataType::Movement, 0, &section))
}

type Places = BTreeSet<(TableNumber, RoundNumber)>;

/// One more section of a session.
fn add(
    draft: &mut Draft,
    mut link: Link,
    guid: &str,
    update: &SectionUpdate,
) -> Result<Places, Fault> {
    check::method(update.scoring_group_scoring_method)?;
    let group = ScoringGroup {
        scoring_group_number: update.section.scoring_group_number,
        scoring_method: update.scoring_group_scoring_method,
        sections: vec![update.section.clone()],
        ..ScoringGroup::default()
    };
    let session = data::Session {
        session_guid: guid.to_owned(),
        scoring_groups: vec![group],
        ..data::Session::default()
    };
    // Linked behind all others, so that letters which are taken stay taken.
    let mut plans = Vec::new();
    link_sessions(&mut link, &[session], &mut plans, draft)?;
    let sections = link.sessions.pop().map(|it| it.sections);
    if let Some(linked) = link.sessions.iter_mut().find(|it| it.guid == guid) {
        linked.sections.extend(sections.unwrap_or_default());
    }
    let mut places = Places::new();
    for (section, plan) in plans {
        places.extend(plan.sittings.iter().map(|it| (it.table, it.round)));
        draft.must(Command::PlanSection { section, plan })?;
    }
    draft.must(Command::Connector(ConnectorCommand::Link(link.clone())))?;
    score(draft, &link)?;
    Ok(places)
}

/// Rounds before the first that is listed for a table stay, those behind the last one go.
fn change(
    draft: &mut Draft,
    letter: SectionLetter,
    wanted: &data::Section,
) -> Result<Places, Fault> {
    let session = draft.session()?;
    let section = session.sections.get(&letter);
    let section = section.ok_or_else(|| no_section(&wanted.letters))?;
    let one_winner = wanted.winners == 1 && !wanted.is_combi_section;
    if one_winner != section.one_winner && session.phase != Phase::SettingUp {
        return Err(Fault::new(
            ErrorType::Movement,
            "one ranking or two can't be changed while the section plays",
        ));
    }
    let merged = merged(session, letter, section, &movement::read(wanted)?);
    let places: Places = (section.sittings.keys().copied())
        .chain(merged.keys().copied())
        .collect();
    let differs = |at: &(TableNumber, RoundNumber)| section.sittings.get(at) != merged.get(at);
    let changed: Places = places.into_iter().filter(differs).collect();
    let phase = session.phase;
    let Some(from) = changed.iter().map(|(_, round)| *round).min() else {
        return Ok(changed);
    };
    if phase == Phase::SettingUp {
        let plan = SectionPlan {
            one_winner,
            sittings: merged.into_values().collect(),
            ..plan(wanted, draft)?
        };
        let section = letter;
        draft.must(Command::PlanSection { section, plan })?;
    } else {
        let sittings = merged.into_values().filter(|it| it.round >= from);
        draft.must(Command::ChangeMovement {
            section: letter,
            from,
            movement: MOVEMENT.to_owned(),
            sittings: sittings.collect(),
            instructions: Vec::new(),
            why: "sent by the scoring program".to_owned(),
        })?;
    }
    Ok(changed)
}

fn merged(
    session: &Session,
    letter: SectionLetter,
    section: &Section,
    listed: &[Seating],
) -> BTreeMap<(TableNumber, RoundNumber), Sitting> {
    let mut first: BTreeMap<TableNumber, RoundNumber> = BTreeMap::new();
    for seating in listed {
        let begin = first.entry(seating.table).or_insert(seating.round);
        *begin = (*begin).min(seating.round);
    }
    // Whoever has played has played: a table that is gone keeps its rounds with results.
    let played = |table: TableNumber| {
        let lines = session.lines.iter();
        let here = lines
            .filter(|(cell, line)| cell.section == letter && cell.table == table && line.is_in());
        here.map(|(cell, _)| cell.round).max()
    };
    let stays = |(table, round): (TableNumber, RoundNumber)| match first.get(&table) {
        Some(begin) => round < *begin,
        None => played(table).is_some_and(|last| round <= last),
    };
    let earlier = section.sittings.iter().filter(|(at, _)| stays(**at));
    let mut merged: BTreeMap<_, _> = earlier.map(|(at, it)| (*at, it.clone())).collect();
    merged.extend((listed.iter()).map(|it| ((it.table, it.round), sitting(it))));
    merged
}
