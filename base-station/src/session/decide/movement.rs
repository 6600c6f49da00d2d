//! Commands that change who sits where, and who they are.

use protocol::words::{RoundNumber, SectionLetter};

use super::evening::check_sittings;
use super::{
    Decided, MOVEMENT_LEN_MAX, NAME_LEN_MAX, WHY_LEN_MAX, not_here, not_released, refuse, tidy,
    tidy_needed,
};
use crate::movement::change::Change;
use crate::session::concerns::{club_commands, evening_commands, pad_commands, result_commands};
use crate::session::plan::Sitting;
use crate::session::{Command, Event, Moment, Phase, Refused, Section, Session};
use telling::{Voice, tell};

pub(super) fn decide(session: &Session, command: &Command, now: Moment) -> Decided {
    if let Command::ChangeMovement { section, .. } | Command::ReviseMovement { section, .. } =
        command
        && session.contests.contains_key(section)
    {
        return refuse(tell!(Contest::SectionPlaysMatches { section }));
    }
    let decided = match command {
        Command::ChangeMovement {
            section,
            from,
            movement,
            sittings,
            instructions,
            why,
        } => change(session, *section, *from, movement, sittings)
            .map(|event| with_instructions(event, instructions))
            .and_then(|event| with_reason(event, why)),
        Command::ReviseMovement {
            section,
            repair,
            why,
        } => session
            .revised_by(*section, *repair)
            .and_then(|event| with_reason(event, why)),
        Command::NamePlayer {
            pair,
            partner,
            number,
            name,
            from,
            digits,
        } => tidy(name, tell!(Contest::Name), NAME_LEN_MAX).and_then(|name| {
            if number.is_none() && name.is_empty() {
                return refuse(tell!(Refused::GiveNameOrNumber));
            }
            if !session.pairs().contains(pair) {
                return refuse(tell!(Refused::ThereNoPairSession { pair }));
            }
            Ok(vec![Event::PlayerNamed {
                pair: *pair,
                partner: *partner,
                number: *number,
                name,
                from: *from,
                digits: *digits,
            }])
        }),
        Command::TakeRound(led) => crate::session::led::taken(session, led),
        Command::Contest(command) => crate::session::contest::decide(session, command, now),
        club_commands!() | evening_commands!() | pad_commands!() | result_commands!() => not_here(),
    };
    not_released(session).and(decided)
}

fn section_of(session: &Session, letter: SectionLetter) -> Result<&Section, Refused> {
    session
        .sections
        .get(&letter)
        .ok_or_else(|| Refused::because(tell!(Refused::ThereNoSection { section: letter })))
}

fn change(
    session: &Session,
    letter: SectionLetter,
    from: RoundNumber,
    movement: &str,
    sittings: &[Sitting],
) -> Result<Event, Refused> {
    let section = section_of(session, letter)?;
    if session.phase == Phase::SettingUp {
        return refuse(tell!(Refused::SessionNotOpenYet));
    }
    if let Some(early) = sittings.iter().find(|sitting| sitting.round < from) {
        return refuse(tell!(Refused::RoundsBeforeStayAs {
            from,
            round: early.round
        }));
    }
    check_sittings(sittings)?;
    let earlier = section.sittings.values();
    let all = earlier
        .filter(|sitting| sitting.round < from)
        .chain(sittings)
        .cloned()
        .collect();
    let movement = tidy_needed(movement, tell!(Refused::MovementsName), MOVEMENT_LEN_MAX)?;
    Ok(session.revised_to(letter, section, movement, all, Change::default()))
}

fn with_instructions(mut event: Event, words: &[String]) -> Event {
    if let Event::MovementRevised {
        from,
        what,
        instructions,
        ..
    } = &mut event
    {
        *what = tell!(Refused::FromRoundMovementAnother { from: *from }).in_words(Voice::default());
        words.clone_into(instructions);
    }
    event
}

/// A revision with its reason, and with a name that is not too long.
fn with_reason(mut event: Event, reason: &str) -> Decided {
    if let Event::MovementRevised {
        movement,
        sittings,
        why,
        ..
    } = &mut event
    {
        check_sittings(sittings)?;
        // A name that has grown with every repair is cut rather than refused.
        *movement = movement.chars().take(MOVEMENT_LEN_MAX).collect();
        *why = tidy(reason, tell!(Contest::Reason), WHY_LEN_MAX)?;
    }
    Ok(vec![event])
}
