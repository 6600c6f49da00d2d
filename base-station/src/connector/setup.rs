//! Events, sessions, sections and their movements as a scoring program sets them up.

use std::collections::{BTreeMap, BTreeSet};

use connector::data::{self, AddSession, Init, ScoringGroup, commands};
use connector::movement::Seating;
use connector::{Answer, ErrorType, Fault, check, movement};
use protocol::words::SectionLetter;

use super::draft::Draft;
use crate::movement::BoardSet;
use crate::session::plan::{Method, Scoring, SectionPlan, Sitting};
use crate::session::{
    Command, ConnectorCommand, Link, LinkedSection, LinkedSession, Phase, Refused, State,
};
use telling::tell;

/// The name of a movement that a program sent.
pub(super) const MOVEMENT: &str = "as the scoring program says";

/// A new event.
pub(super) fn init(draft: &mut Draft, init: &Init) -> Result<Answer, Fault> {
    check::init(init)?;
    let mut link = Link {
        event: event_guid(&init.event_guid, &init.sessions),
        sessions: Vec::new(),
        digits: digits(&init.more.player_data),
    };
    let mut plans = Vec::new();
    link_sessions(&mut link, &init.sessions, &mut plans, draft)?;
    if plans.is_empty() {
        return Err(Fault::invalid("the event has no section"));
    }
    if is_there(draft.state(), &link, &plans) {
        // The answer was lost, and the program asks again.
        start_reading(draft, init.commands);
        return Ok(draft.answer("the event is there already"));
    }
    nobody_plays(draft.state())?;
    create(draft, init)?;
    for (letter, plan) in plans {
        draft.must(Command::PlanSection {
            section: letter,
            plan,
        })?;
    }
    draft.must(Command::Connector(ConnectorCommand::Link(link.clone())))?;
    score(draft, &link)?;
    super::puts::more(draft, &link, &init.more)?;
    start_reading(draft, init.commands);
    Ok(draft.answer("the event is set up"))
}

/// Without a name of its own an event is called by its only session.
fn event_guid(guid: &str, sessions: &[data::Session]) -> String {
    let first = || sessions.first().map(|session| session.session_guid.clone());
    if guid.is_empty() {
        first().unwrap_or_default()
    } else {
        guid.to_owned()
    }
}

/// Numbers that begin with zeros are all as long as each other.
fn digits(players: &[data::Player]) -> u8 {
    let numbers = || {
        let written = players.iter().map(|player| player.player_number.trim());
        written.filter(|number| connector::people::number(number).is_some())
    };
    let longest = numbers().map(str::len).max().unwrap_or(0);
    let padded = numbers().any(|number| number.starts_with('0'))
        && numbers().all(|number| number.len() == longest);
    u8::try_from(longest).ok().filter(|_| padded).unwrap_or(0)
}

fn create(draft: &mut Draft, init: &Init) -> Result<(), Fault> {
    let Some(first) = init.sessions.first() else {
        return Ok(());
    };
    let names: Vec<&str> = (init.sessions.iter())
        .map(|session| session.name.trim())
        .filter(|name| !name.is_empty())
        .collect();
    let name = names.first().copied().unwrap_or("Scoring program");
    let title: String = names.iter().skip(1).copied().collect::<Vec<_>>().join(", ");
    let title: String = title.chars().take(80).collect();
    let date = format!("{:04}-{:02}-{:02}", first.year, first.month, first.day);
    let club = &draft.state().club;
    let known = club.events.iter().find(|(_, known)| *known == name);
    if let Some((event, _)) = known.map(|(event, name)| (*event, name.clone())) {
        let session = club.next_session();
        draft.must(Command::AddSession { event, date, title })?;
        return draft.must(Command::ChooseSession { session });
    }
    let name = name.to_owned();
    draft.must(Command::CreateEvent { name, date, title })
}

/// Whether the chosen session is just that, and nothing was played yet.
fn is_there(state: &State, link: &Link, plans: &[(SectionLetter, SectionPlan)]) -> bool {
    let Some(session) = &state.session else {
        return false;
    };
    let linked = state.club.links.get(&session.id) == Some(link);
    let same = |(letter, plan): &(SectionLetter, SectionPlan)| {
        let known = session.sections.get(letter);
        let planned: BTreeMap<_, _> = (plan.sittings.iter())
            .map(|sitting| ((sitting.table, sitting.round), sitting))
            .collect();
        known.is_some_and(|known| {
            known.sittings.len() == planned.len()
                && (known.sittings.iter()).all(|(at, sitting)| planned.get(at) == Some(&sitting))
        })
    };
    let reading = matches!(session.phase, Phase::SettingUp | Phase::Open);
    linked && reading && session.lines.is_empty() && plans.iter().all(same)
}

/// An evening that a director set up here is not pushed aside by a program that starts.
fn nobody_plays(state: &State) -> Result<(), Fault> {
    let Some(session) = &state.session else {
        return Ok(());
    };
    let own = !state.club.links.contains_key(&session.id);
    if own && session.phase == Phase::Open && !session.lines.is_empty() {
        let why = "a session that was set up on the page of Byestand is being played: end play there first";
        return Err(Fault::new(ErrorType::Busy, why));
    }
    Ok(())
}

fn start_reading(draft: &mut Draft, wanted: i64) {
    let phase = draft.state().session.as_ref().map(|it| it.phase);
    if phase != Some(Phase::SettingUp) {
        return;
    }
    if wanted & commands::START_READING == 0 {
        draft.note(tell!(Connector::PadsCanLogWhen));
    } else if let Err(Refused(why)) = draft.try_to(Command::Open) {
        draft.note(tell!(Connector::PadsCantLogYet { why }));
    }
}

/// Adds sessions and their sections to what a program calls them.
pub(super) fn link_sessions(
    link: &mut Link,
    sessions: &[data::Session],
    plans: &mut Vec<(SectionLetter, SectionPlan)>,
    draft: &mut Draft,
) -> Result<(), Fault> {
    // Who can keep a letter keeps it; the others take what is left.
    let mut wanted: BTreeSet<SectionLetter> = link.sections().map(|it| it.section).collect();
    wanted.extend(sections_of(sessions).filter_map(|(_, section)| single(&section.letters)));
    for session in sessions {
        let mut linked = LinkedSession {
            guid: session.session_guid.clone(),
            sections: Vec::new(),
        };
        for group in &session.scoring_groups {
            for section in &group.sections {
                let taken: BTreeSet<SectionLetter> = (link.sections().chain(&linked.sections))
                    .map(|it| it.section)
                    .collect();
                let letter = single(&section.letters)
                    .filter(|letter| !taken.contains(letter))
                    .or_else(|| free_letter(&wanted, &taken));
                let letter = letter.ok_or_else(|| {
                    Fault::invalid("there are more sections than letters from A to Z")
                })?;
                if section.letters != letter.to_string() {
                    let there = &section.letters;
                    draft.note(tell!(Connector::SectionCalledPads { there, letter }));
                }
                linked.sections.push(linked_section(letter, section, group));
                plans.push((letter, plan(section, draft)?));
            }
        }
        link.sessions.push(linked);
    }
    Ok(())
}

fn sections_of(
    sessions: &[data::Session],
) -> impl Iterator<Item = (&ScoringGroup, &data::Section)> {
    let groups = sessions.iter().flat_map(|session| &session.scoring_groups);
    groups.flat_map(|group| group.sections.iter().map(move |section| (group, section)))
}

/// The letter of a section that has one.
fn single(letters: &str) -> Option<SectionLetter> {
    let mut all = letters.chars();
    let first = all.next().and_then(SectionLetter::new);
    first.filter(|_| all.next().is_none())
}

fn free_letter(
    wanted: &BTreeSet<SectionLetter>,
    taken: &BTreeSet<SectionLetter>,
) -> Option<SectionLetter> {
    let mut letters = ('A'..='Z').filter_map(SectionLetter::new);
    letters.find(|letter| !wanted.contains(letter) && !taken.contains(letter))
}

fn linked_section(
    section: SectionLetter,
    written: &data::Section,
    group: &ScoringGroup,
) -> LinkedSection {
    LinkedSection {
        section,
        letters: written.letters.clone(),
        group: u32::try_from(group.scoring_group_number).unwrap_or(u32::MAX),
        method: u8::try_from(group.scoring_method).unwrap_or(u8::MAX),
        game: u8::try_from(written.game_type).unwrap_or(u8::MAX),
    }
}

pub(super) fn plan(section: &data::Section, draft: &mut Draft) -> Result<SectionPlan, Fault> {
    let letters = &section.letters;
    let sittings: Vec<Sitting> = movement::read(section)?.iter().map(sitting).collect();
    if sittings.is_empty() {
        return Err(Fault::new(
            ErrorType::Movement,
            format!("section {letters} has no table with rounds"),
        ));
    }
    if section.game_type == data::game::TEAMS {
        draft.note(tell!(Connector::SectionScoredAsPairs { section: letters }));
    }
    if section.is_combi_section {
        draft.note(tell!(Connector::SectionJoinsPairsTwo { section: letters }));
    }
    if section
        .tables
        .iter()
        .any(|table| table.connection_mode != 0)
    {
        draft.note(tell!(Connector::SectionPadsByestandSend {
            section: letters
        }));
    }
    Ok(SectionPlan {
        colour: String::new(),
        movement: MOVEMENT.to_owned(),
        // Guests of two sections may have the same number.
        one_winner: section.winners == 1 && !section.is_combi_section,
        sittings,
        announcements: Vec::new(),
    })
}

pub(super) fn sitting(seating: &Seating) -> Sitting {
    let boards = seating.boards;
    Sitting {
        round: seating.round,
        table: seating.table,
        ns: seating.ns,
        ew: seating.ew,
        boards: boards.map_or_else(BoardSet::default, |(low, high)| BoardSet::range(low, high)),
        arrow_switched: false,
    }
}

/// How the session is scored: as the program's scoring groups are, as far as one session can be.
pub(super) fn score(draft: &mut Draft, link: &Link) -> Result<(), Fault> {
    let methods: BTreeSet<u8> = link.sections().map(|section| section.method).collect();
    let first = methods.first().copied().unwrap_or(10);
    if methods.len() > 1 {
        let why = tell!(Connector::SectionsScoredByDifferent);
        draft.note(why);
    }
    let method = match first {
        10 => Method::Matchpoints,
        20..=27 => Method::Butler,
        _ => Method::CrossImps,
    };
    let groups: BTreeSet<u32> = link.sections().map(|section| section.group).collect();
    let sections = link.sections().count();
    let across = groups.len() == 1 && sections > 1;
    if groups.len() > 1 && groups.len() < sections {
        draft.note(tell!(Connector::EachSectionRankingIts));
    }
    let before = draft.state().session.as_ref().map(|it| it.scoring);
    let before = before.unwrap_or(Scoring::CLUB_EVENING);
    let scoring = Scoring {
        method,
        single: before.single && method == Method::Matchpoints,
        across_sections: across,
        ..before
    };
    if scoring == before {
        return Ok(());
    }
    if let Err(Refused(why)) = draft.try_to(Command::ChooseScoring(scoring)) {
        draft.note(tell!(Connector::SectionsNotOneField { why }));
        let alone = Scoring {
            across_sections: false,
            ..scoring
        };
        draft.must(Command::ChooseScoring(alone))?;
    }
    Ok(())
}

/// One more session of the event that is being played.
pub(super) fn add_session(
    draft: &mut Draft,
    guid: &str,
    add: &AddSession,
) -> Result<Answer, Fault> {
    let Some(session) = &add.session else {
        return Err(Fault::new(ErrorType::NoData, "there is no session to add"));
    };
    check::session(session)?;
    let event = [&add.event_guid, &session.event_guid]
        .into_iter()
        .find(|guid| !guid.is_empty())
        .map_or(guid, String::as_str);
    let mut link = draft.link()?.clone();
    if link.event != event {
        return Err(unknown("event"));
    }
    if link.session(&session.session_guid).is_some() {
        return Ok(draft.answer("the session is there already"));
    }
    let mut plans = Vec::new();
    link_sessions(&mut link, std::slice::from_ref(session), &mut plans, draft)?;
    for (section, plan) in plans {
        draft.must(Command::PlanSection { section, plan })?;
    }
    draft.must(Command::Connector(ConnectorCommand::Link(link.clone())))?;
    score(draft, &link)?;
    super::puts::more(draft, &link, &add.more)?;
    Ok(draft.answer("the session is added"))
}

pub(super) fn unknown(what: &str) -> Fault {
    Fault::new(
        ErrorType::EntryUnknown,
        format!("this {what} is not the one that Byestand plays: continue it, or set it up"),
    )
}

/// Which sections are scored together.
pub(super) fn groups(
    draft: &mut Draft,
    guid: &str,
    groups: &[ScoringGroup],
) -> Result<Answer, Fault> {
    let mut link = draft.link()?.clone();
    let session = link.sessions.iter_mut().find(|it| it.guid == guid);
    let session = session.ok_or_else(|| unknown("session"))?;
    for group in groups {
        let number = group.scoring_group_number;
        if number <= 0 {
            return Err(Fault::invalid("ScoringGroupNumber must be greater than 0"));
        }
        if group.is_deleted {
            continue;
        }
        check::method(group.scoring_method)?;
        for section in &group.sections {
            let known = (session.sections.iter_mut()).find(|it| it.letters == section.letters);
            let known = known.ok_or_else(|| no_section(&section.letters))?;
            known.group = u32::try_from(number).unwrap_or(u32::MAX);
            known.method = u8::try_from(group.scoring_method).unwrap_or(u8::MAX);
        }
    }
    if link != *draft.link()? {
        draft.must(Command::Connector(ConnectorCommand::Link(link.clone())))?;
    }
    score(draft, &link)?;
    Ok(draft.answer("the scoring groups are taken"))
}

pub(super) fn no_section(letters: &str) -> Fault {
    Fault::new(
        ErrorType::Movement,
        format!("there is no section {letters} in this session"),
    )
}
