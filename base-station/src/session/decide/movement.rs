//! Commands that change who sits where, and who they are.

use protocol::words::{PairNumber, RoundNumber, SectionLetter, Side};

use super::evening::check_sittings;
use super::{
    Decided, MOVEMENT_LEN_MAX, NAME_LEN_MAX, WHY_LEN_MAX, not_released, refuse, tidy, tidy_needed,
};
use crate::session::late_pair::seat_late_pair;
use crate::session::plan::Sitting;
use crate::session::{Command, Event, PairId, Phase, Refused, Section, Session};

pub(super) fn decide(session: &Session, command: &Command) -> Option<Decided> {
    let decided = match command {
        Command::ChangeMovement {
            section,
            from,
            movement,
            sittings,
            why,
        } => change(session, *section, *from, movement, sittings, why),
        Command::SeatLatePair {
            section,
            from,
            pair,
        } => late_pair(session, *section, *from, *pair),
        Command::WithdrawPair { pair, from, why } => withdraw(session, *pair, *from, why),
        Command::CutShort { section, last, why } => cut_short(session, *section, *last, why),
        Command::NamePlayer {
            pair,
            partner,
            number,
            name,
            from,
        } => tidy(name, "the name", NAME_LEN_MAX).and_then(|name| {
            if number.is_none() && name.is_empty() {
                return refuse("give a name or a number");
            }
            Ok(vec![Event::PlayerNamed {
                pair: *pair,
                partner: *partner,
                number: *number,
                name,
                from: *from,
            }])
        }),
        _ => return None,
    };
    Some(not_released(session).and(decided))
}

fn section_of(session: &Session, letter: SectionLetter) -> Result<&Section, Refused> {
    session
        .sections
        .get(&letter)
        .ok_or_else(|| Refused::because(format!("there is no section {letter}")))
}

fn change(
    session: &Session,
    letter: SectionLetter,
    from: RoundNumber,
    movement: &str,
    sittings: &[Sitting],
    why: &str,
) -> Decided {
    section_of(session, letter)?;
    if session.phase == Phase::SettingUp {
        return refuse("the session is not open yet: set the section up anew instead");
    }
    if let Some(early) = sittings.iter().find(|sitting| sitting.round < from) {
        return refuse(format!(
            "rounds before {from} stay as they were, but round {} is to change",
            early.round
        ));
    }
    check_sittings(sittings)?;
    Ok(vec![Event::MovementChanged {
        section: letter,
        from,
        movement: tidy_needed(movement, "the movement's name", MOVEMENT_LEN_MAX)?,
        sittings: sittings.to_vec(),
        why: tidy(why, "the reason", WHY_LEN_MAX)?,
    }])
}

/// The sittings of a round and later, as they are.
fn rest(section: &Section, from: RoundNumber) -> Vec<Sitting> {
    let later = section.sittings.values();
    later
        .filter(|sitting| sitting.round >= from)
        .cloned()
        .collect()
}

fn late_pair(
    session: &Session,
    letter: SectionLetter,
    from: RoundNumber,
    pair: PairNumber,
) -> Decided {
    let section = section_of(session, letter)?;
    let (sittings, how) = seat_late_pair(section, from, pair)?;
    let movement = format!("{} with late pair {pair}", section.movement);
    change(session, letter, from, &movement, &sittings, &how)
}

fn withdraw(session: &Session, pair: PairId, from: RoundNumber, why: &str) -> Decided {
    let section = section_of(session, pair.section)?;
    let mut sittings = rest(section, from);
    let mut found = false;
    for sitting in &mut sittings {
        for side in Side::BOTH {
            let seat = match side {
                Side::NorthSouth => &mut sitting.ns,
                Side::EastWest => &mut sitting.ew,
            };
            let named = pair.side.is_none_or(|named| named == side);
            if named && *seat == Some(pair.number) {
                *seat = None;
                found = true;
            }
        }
    }
    if !found {
        return refuse(format!("pair {pair} does not play from round {from} on"));
    }
    let movement = format!("{} without pair {}", section.movement, pair.number);
    change(session, pair.section, from, &movement, &sittings, why)
}

fn cut_short(session: &Session, letter: SectionLetter, last: RoundNumber, why: &str) -> Decided {
    let section = section_of(session, letter)?;
    let Some(from) = last.next().filter(|from| *from <= section.last_round()) else {
        return refuse(format!(
            "section {letter} ends with round {} anyway",
            section.last_round()
        ));
    };
    if let Some(cell) = session
        .lines
        .keys()
        .find(|cell| cell.section == letter && cell.round >= from && session.is_in(**cell))
    {
        return refuse(format!("{cell} has a result: that round has begun"));
    }
    let movement = format!("{}, {last} rounds", section.movement);
    change(session, letter, from, &movement, &[], why)
}
