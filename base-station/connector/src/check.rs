//! What sessions, sections and seats can't be, as sentences.

use std::collections::BTreeSet;

use crate::data::{Init, Participation, ScoringGroup, Section, Session};
use crate::{ErrorType, Fault};

/// Methods of scoring that are known: matchpoints, IMPs against a datum or the field, teams.
const METHODS: [i64; 16] = [
    10, 20, 21, 22, 25, 26, 27, 30, 31, 35, 36, 40, 50, 51, 60, 70,
];

/// The longest name that is taken.
const NAME_LEN_MAX: usize = 80;

/// 32 capital hexadecimal digits.
pub fn guid(guid: &str, what: &str) -> Result<(), Fault> {
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'A'..=b'F');
    if guid.len() == 32 && guid.bytes().all(is_digit) {
        return Ok(());
    }
    Err(Fault::invalid(format!(
        "{what} must be 32 digits and capital letters from A to F, without dashes"
    )))
}

/// One letter, up to three times.
pub fn letters(letters: &str) -> Result<(), Fault> {
    let mut bytes = letters.bytes();
    let first = bytes.next().filter(u8::is_ascii_uppercase);
    if first.is_some_and(|first| letters.len() <= 3 && bytes.all(|byte| byte == first)) {
        return Ok(());
    }
    Err(Fault::invalid(
        "a section is called by one letter, once to three times: A, AA, AAA",
    ))
}

/// A new event.
pub fn init(init: &Init) -> Result<(), Fault> {
    if init.sessions.is_empty() {
        return Err(Fault::invalid("an event needs at least one session"));
    }
    if !init.event_guid.is_empty() {
        guid(&init.event_guid, "EventGuid")?;
    } else if init.sessions.len() > 1 {
        return Err(Fault::invalid(
            "an event of several sessions needs an EventGuid",
        ));
    }
    let mut letters = BTreeSet::new();
    let mut groups = BTreeSet::new();
    let mut guids = BTreeSet::new();
    for one in &init.sessions {
        session(one)?;
        if !guids.insert(&one.session_guid) {
            return Err(Fault::invalid("two sessions have the same SessionGuid"));
        }
        for group in &one.scoring_groups {
            if !groups.insert(group.scoring_group_number) {
                return Err(Fault::invalid(format!(
                    "scoring group {} is there twice",
                    group.scoring_group_number
                )));
            }
            for section in &group.sections {
                if !letters.insert(&section.letters) {
                    return Err(Fault::invalid(format!(
                        "section {} is there twice",
                        section.letters
                    )));
                }
            }
        }
    }
    Ok(())
}

/// A session.
pub fn session(session: &Session) -> Result<(), Fault> {
    guid(&session.session_guid, "SessionGuid")?;
    if session.scoring_groups.is_empty() {
        return Err(Fault::invalid("a session needs at least one scoring group"));
    }
    if session.name.chars().count() > NAME_LEN_MAX {
        return Err(Fault::invalid(format!(
            "the session's name is too long: at most {NAME_LEN_MAX} characters"
        )));
    }
    let day = (session.year, session.month, session.day);
    if !matches!(day, (2000..=9999, 1..=12, 1..=31)) {
        return Err(Fault::invalid(
            "Year, Month and Day must be a day since 2000",
        ));
    }
    session
        .scoring_groups
        .iter()
        .try_for_each(|one| group(one, &session.session_guid))
}

/// A scoring group of a session.
pub fn group(group: &ScoringGroup, session: &str) -> Result<(), Fault> {
    let number = group.scoring_group_number;
    if number <= 0 {
        return Err(Fault::invalid("ScoringGroupNumber must be greater than 0"));
    }
    same(&group.session_guid, session, "a scoring group")?;
    if group.is_deleted {
        return Ok(());
    }
    method(group.scoring_method)?;
    if group.sections.is_empty() {
        return Err(Fault::invalid(format!(
            "scoring group {number} has no section"
        )));
    }
    for one in &group.sections {
        section(one, session)?;
        if one.scoring_group_number != 0 && one.scoring_group_number != number {
            return Err(Fault::invalid(format!(
                "section {} belongs to another scoring group than the one it stands in",
                one.letters
            )));
        }
    }
    Ok(())
}

/// A method of scoring.
pub fn method(method: i64) -> Result<(), Fault> {
    if METHODS.contains(&method) {
        return Ok(());
    }
    Err(Fault::invalid(format!(
        "there is no scoring method {method}; expected 10 to 70 as the vendor numbers them"
    )))
}

/// A section of a session.
pub fn section(section: &Section, session: &str) -> Result<(), Fault> {
    letters(&section.letters)?;
    same(&section.session_guid, session, "a section")?;
    if !(1..=2).contains(&section.winners) {
        return Err(Fault::invalid(format!(
            "section {}: Winners must be 1 or 2",
            section.letters
        )));
    }
    if ![10, 20, 30].contains(&section.game_type) {
        return Err(Fault::invalid(format!(
            "section {}: GameType must be 10, 20 or 30",
            section.letters
        )));
    }
    Ok(())
}

/// A seat.
pub fn participation(seat: &Participation) -> Result<(), Fault> {
    letters(&seat.section_letters)?;
    let wrong = |what: &str| {
        Err(Fault::invalid(format!(
            "the player at table {}{}: {what}",
            seat.section_letters, seat.table_number
        )))
    };
    if !(1..=4).contains(&seat.direction) {
        return wrong("Direction must be 1 to 4");
    }
    let nobody = seat.player_number.trim().is_empty() && seat.last_name.trim().is_empty();
    if nobody && !seat.is_removal {
        return wrong("PlayerNumber or LastName is needed");
    }
    Ok(())
}

/// What belongs to one session says so everywhere.
fn same(given: &str, session: &str, what: &str) -> Result<(), Fault> {
    if given.is_empty() || given == session {
        return Ok(());
    }
    Err(Fault::new(
        ErrorType::Validation,
        format!("{what} has another SessionGuid than the session it is in"),
    ))
}
