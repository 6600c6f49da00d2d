//! What the journal keeps in words, read back as the values that they were.
//!
//! A section's movement has a name for people, a revision a sentence that says what it came to, a
//! change a reason. Each is read here by the form that it was written in; what was written
//! otherwise, by a director or by another program, stays as it is.

use std::str::FromStr;

use protocol::words::{Card, Seat};
use telling::{Part, Told, tell};

use super::cores::{of_announcement, of_instruction, of_outcome};
use super::plan::Grounds;
use super::{Event, Settled, TableId};
use crate::movement::{Announcement, Instruction, Outcome};

/// The name of a section's movement, with what became of it.
pub fn movement_name(text: &str) -> Told {
    let words: Vec<&str> = text.split(", ").collect();
    let Some((name, taken)) = made_name(&words).or_else(|| drawn_name(&words)) else {
        return written_name(&words);
    };
    remarked(name, words.get(taken..).unwrap_or_default())
}

/// A name that somebody wrote, or one of a few that come with a file; what comes behind it is read
/// as far as it is ours.
fn written_name(words: &[&str]) -> Told {
    let mut own = words.len();
    while own > 1 && remark(words[own - 1]).is_some() {
        own -= 1;
    }
    let name = words.get(..own).unwrap_or_default().join(", ");
    let known = match name.as_str() {
        "Movement from a file" => tell!(Movement::FromFile),
        "as the scoring program has it" => tell!(Bws::AsScoringProgram),
        "as in the BWS file" => tell!(Bws::AsBwsFile),
        _ => {
            let format = name
                .strip_prefix("as in the ")
                .and_then(|rest| rest.strip_suffix(" file"))
                .filter(|format| !format.contains(' '));
            match format {
                Some(format) => tell!(Movement::AsInFile { format }),
                None => Told::as_written(name),
            }
        }
    };
    remarked(known, words.get(own..).unwrap_or_default())
}

fn remarked(name: Told, remarks: &[&str]) -> Told {
    remarks.iter().fold(name, |name, words| {
        let remark = remark(words).unwrap_or_else(|| Told::as_written((*words).to_owned()));
        tell!(Movement::Remarked { name, remark })
    })
}

/// `12 tables` as 12.
fn count(words: &str, of: &str) -> Option<u32> {
    words.strip_suffix(of)?.parse().ok()
}

/// `Mitchell, 12 tables, 24 boards, 12 rounds of 2`; answers with how many words it takes.
fn made_name(words: &[&str]) -> Option<(Told, usize)> {
    let [kind, tables, boards, rounds, rest @ ..] = words else {
        return None;
    };
    let table = count(tables, " tables")?;
    let board = count(boards, " boards")?;
    let (round, n) = rounds.split_once(" rounds of ")?;
    let (round, n): (u32, u32) = (round.parse().ok()?, n.parse().ok()?);
    Some(if rest.first() == Some(&"the last round left out") {
        let name = tell!(Movement::TablesBoardsRoundsLast {
            kind,
            table,
            board,
            round,
            n
        });
        (name, 5)
    } else {
        let name = tell!(Movement::TablesBoardsRounds {
            kind,
            table,
            board,
            round,
            n
        });
        (name, 4)
    })
}

/// `Swiss, 12 teams, 6 rounds of 8 boards`, as contests are called.
fn drawn_name(words: &[&str]) -> Option<(Told, usize)> {
    let [how, contestants, length, ..] = words else {
        return None;
    };
    let (rounds, boards) = length.strip_suffix(" boards")?.split_once(" rounds of ")?;
    let (rounds, boards): (u32, u32) = (rounds.parse().ok()?, boards.parse().ok()?);
    let teams = count(contestants, " teams");
    let n = teams.or_else(|| count(contestants, " pairs"))?;
    let name = match (*how, teams.is_some()) {
        ("Swiss", true) => tell!(Contest::SwissTeamsRoundsBoards { n, rounds, boards }),
        ("Swiss", false) => tell!(Contest::SwissPairsRoundsBoards { n, rounds, boards }),
        ("round robin", true) => tell!(Contest::RoundRobinTeamsRounds { n, rounds, boards }),
        ("round robin", false) => tell!(Contest::RoundRobinPairsRounds { n, rounds, boards }),
        ("round robin with troikas", true) => {
            tell!(Contest::RoundRobinTroikas { n, rounds, boards })
        }
        ("Butler chart", false) => tell!(Contest::SwissButlerChart { n, rounds, boards }),
        ("American Whist", true) => tell!(Contest::SwissWhist { n, rounds, boards }),
        ("match in stanzas", true) => tell!(Contest::SwissStanzas { n, rounds, boards }),
        ("two fields", false) => tell!(Contest::TwoFieldsOf { n, rounds, boards }),
        ("matches by movement", false) => tell!(Contest::ByMovementPairs { n, rounds, boards }),
        _ => return None,
    };
    Some((name, 3))
}

/// What a repair has added to a movement's name.
fn remark(words: &str) -> Option<Told> {
    let number = |before: &str| words.strip_prefix(before)?.parse::<u32>().ok();
    Some(match words {
        "with a late pair" => tell!(Refused::WithLatePair),
        "with a late table" => tell!(Refused::WithLateTable),
        "bye-stand put right" => tell!(Refused::ByeStandPutRight),
        _ => {
            if let Some(pair) = number("without pair ") {
                tell!(Refused::WithoutPair { pair })
            } else if let Some(table) = number("without the pairs of table ") {
                tell!(Refused::WithoutPairsTable { table })
            } else if let Some(after) = number("skip after round ") {
                tell!(Refused::SkipAfterRound { after })
            } else {
                let n = count(words, " rounds")?;
                tell!(Movement::RoundsOnly { n })
            }
        }
    })
}

/// What a revision of the movement came to.
pub fn kept_outcome(text: &str) -> Told {
    if let Ok(outcome) = text.parse::<Outcome>() {
        return of_outcome(&outcome);
    }
    let round = |before: &str, after: &str| {
        let number = text.strip_prefix(before)?.strip_suffix(after)?;
        number.parse::<u8>().ok()
    };
    if let Some(from) = round("From round ", " on the movement is another one.") {
        return tell!(Refused::FromRoundMovementAnother { from });
    }
    match round("Round ", " is drawn.") {
        Some(round) => tell!(Contest::RoundDrawn { round }),
        None => Told::as_written(text.to_owned()),
    }
}

/// What the director does in the room after a revision.
pub(super) fn kept_instruction(text: &str) -> Told {
    text.parse::<Instruction>().map_or_else(
        |_| Told::as_written(text.to_owned()),
        |instruction| of_instruction(&instruction),
    )
}

/// What is called out when a round ends.
pub(super) fn kept_announcement(text: &str) -> Told {
    if let Ok(call) = text.parse::<Announcement>() {
        return of_announcement(&call);
    }
    let number = |before: &str, after: &str| {
        let number = text.strip_prefix(before)?.strip_suffix(after)?;
        number.parse::<u16>().ok()
    };
    let skip = number(
        "East-West skip: go up ",
        " tables. Boards go down one table as usual.",
    );
    let subtract = number(
        "Special move: East-West subtract their table number from ",
        " and go to that table. Boards go down one table as usual.",
    );
    match (skip, subtract) {
        (Some(forward), _) => tell!(Refused::EastWestSkipGo { forward }),
        (None, Some(from)) => tell!(Refused::SpecialMoveEastWest { from }),
        (None, None) => Told::as_written(text.to_owned()),
    }
}

/// Why something was changed. The director's own words stay as they are; the base station's own
/// reasons are these.
fn kept_reason(text: &str) -> Told {
    let own = [
        tell!(Asked::TypedFromPaperSheet),
        tell!(Bws::AsScoringProgram),
        tell!(Bws::ScoringProgramChangedIts),
        tell!(Answer::MovementDoctorsRemedy),
        tell!(Answer::AsPlayersSaidAt),
        tell!(Preset::LateArrival),
        tell!(Preset::SlowPlay),
        tell!(Preset::ScoreNotEnteredOr),
        tell!(Preset::BoardFouledByTeam),
        tell!(Preset::CardsWrongPocket),
        tell!(Preset::PartnersHandsExchanged),
    ];
    let kept = own.into_iter().find(|reason| *reason == *text);
    kept.unwrap_or_else(|| Told::as_written(text.to_owned()))
}

/// Who was asked before a score was changed, and what the director wrote.
pub fn kept_reasons(event: &Event, why: &str) -> Told {
    let written = kept_reason(why);
    let Event::Ruled {
        grounds: Some(grounds),
        ..
    } = event
    else {
        return written;
    };
    let asked = match grounds {
        Grounds::BothAsked => tell!(History::BothWereAsked),
        Grounds::Impossible => tell!(History::ScoreWasImpossible),
        Grounds::Vulnerability => tell!(History::VulnerabilityWasWrong),
        Grounds::Ruling => tell!(History::DirectorDecided),
        Grounds::Paper => tell!(History::PaperHasItSo),
    };
    if written.is_empty() {
        asked
    } else {
        tell!(History::AskedAndWhy { asked, written })
    }
}

/// What the director said to a warning, in the words of the button.
pub fn kept_answer(settled: &Settled) -> Told {
    match settled {
        Settled::NothingWrong => tell!(Finding::RightAs),
        Settled::Said(words) => plain_answer(words)
            .or_else(|| answer_with_parts(words))
            .unwrap_or_else(|| Told::as_written(words.clone())),
    }
}

fn plain_answer(words: &str) -> Option<Told> {
    let plain = [
        tell!(Answer::LeaveLeadEmpty),
        tell!(Answer::Doubled),
        tell!(Answer::PassedOut),
        tell!(Answer::NotPlayed),
        tell!(Answer::TakeResultAway),
        tell!(Answer::RecordRoundThesePairs),
        tell!(Answer::TakeDealFileOff),
        tell!(Answer::No),
        tell!(Answer::NotPlayedLabel),
        tell!(Answer::LatePlayLabel),
        tell!(Finding::YesReplacePad),
        tell!(Finding::NoRevokePad),
        tell!(Finding::Seen),
        tell!(Finding::Use),
        tell!(Finding::Ignore),
        tell!(Finding::AllowBoard),
        tell!(Finding::RefuseBoard),
    ];
    plain.into_iter().find(|told| *told == *words)
}

fn answer_with_parts(words: &str) -> Option<Told> {
    fn part<T: FromStr>(words: &str, before: &str, after: &str) -> Option<T> {
        let part = words.strip_prefix(before)?.strip_suffix(after)?;
        part.parse().ok()
    }
    let seat = |words: &str| {
        let name = words.strip_suffix(" declared")?;
        Seat::ALL.into_iter().find(|seat| {
            let told = Part::from(*seat);
            told.in_words(telling::Voice::default()) == name
        })
    };
    let number = |before: &str, after: &str| part::<i64>(words, before, after);
    if let Some(seat) = seat(words) {
        return Some(tell!(Answer::Declared { seat }));
    }
    if let Some(card) = part::<Card>(words, "The lead was ", "") {
        return Some(tell!(Answer::Lead { card }));
    }
    if let Some(tricks) = number("Declarer took ", " tricks") {
        return Some(tell!(Answer::DeclarerTookTricks { tricks }));
    }
    if let Some(score) = number("The score is ", "") {
        return Some(tell!(Answer::Score { score }));
    }
    if let Some(board) = number("It belongs to board ", "") {
        return Some(tell!(Answer::BelongsBoard { board }));
    }
    if let Some(other) = number("Exchange with board ", "") {
        return Some(tell!(Answer::ExchangeWithBoard { other }));
    }
    if let Some(by) = number("Correct all numbers of this round by ", "") {
        return Some(tell!(Answer::CorrectAllNumbersRound {
            by: format!("{by:+}")
        }));
    }
    if let Some(board) = number("Allow board ", "") {
        return Some(tell!(Answer::AllowBoard { board }));
    }
    if let Some(from) = number("Change the movement from round ", "") {
        return Some(tell!(Answer::ChangeMovementFromRound { from }));
    }
    if let Some(other) = number("Swap the pads with table ", "") {
        return Some(tell!(Answer::SwapPadsWithTable { other }));
    }
    if let Some(table) = number("Seen to it at table ", "") {
        return Some(tell!(Answer::SeenAtTable { table }));
    }
    if let Some(other) = part::<TableId>(words, "Swap the pads with table ", "") {
        return Some(tell!(Answer::SwapPadsWithTable { other }));
    }
    let table = part::<TableId>(words, "Seen to it at table ", "")?;
    Some(tell!(Answer::SeenAtTable { table }))
}

#[cfg(test)]
mod tests {
    use telling::{Language, Voice};

    use super::*;

    fn german(told: &Told) -> String {
        told.in_words(Voice::plain(Language::German))
    }

    /// Whatever the journal keeps comes out in English as it was written.
    #[test]
    fn what_the_journal_keeps_is_read_back_and_told_in_the_readers_language() {
        for kept in [
            "Mitchell, 12 tables, 24 boards, 12 rounds of 2",
            "Howell, 6 tables, 27 boards, 9 rounds of 3, with a late pair, 7 rounds",
            "Howell, 6 tables, 30 boards, 10 rounds of 3, the last round left out",
            "Swiss, 12 teams, 6 rounds of 8 boards",
            "two fields, 20 pairs, 10 rounds of 12 boards",
        ] {
            let name = movement_name(kept);
            assert_eq!(name, kept);
            assert!(german(&name).contains("Runde"), "{}", german(&name));
        }
        for kept in [
            "The late pair joins as pair 2 after round 3; the old pair 2 stays at table 4 EW.",
            "The pairs of table 3 (NS 3 and EW 7) leave after round 4.",
            "The movement becomes: Mitchell, 9 tables, 27 boards, 9 rounds of 3.",
            "From round 3 on the movement is another one.",
            "Round 2 is drawn.",
        ] {
            let outcome = kept_outcome(kept);
            assert_eq!(outcome, kept);
            assert_ne!(german(&outcome), kept);
        }
        let skip = "East-West skip: go up 2 tables. Boards go down one table as usual.";
        assert_eq!(kept_announcement(skip), skip);
        assert_ne!(german(&kept_announcement(skip)), skip);
    }

    #[test]
    fn what_a_director_wrote_stays_as_it_is_in_every_language() {
        let written = [
            "North",
            "J. Smith",
            "North asked for it. No boards left.",
            "J. Smith, 3 tables, tea and cake",
            "The movement of North, with a late pair of shoes",
        ];
        for text in written {
            let settled = Settled::from(text.to_owned());
            for told in [
                movement_name(text),
                kept_outcome(text),
                kept_instruction(text),
                kept_announcement(text),
                kept_reason(text),
                kept_answer(&settled),
            ] {
                for language in Language::ALL {
                    assert_eq!(told.in_words(Voice::plain(language)), text);
                }
            }
        }
    }

    #[test]
    fn answers_in_old_journals_are_told_in_the_readers_language() {
        for kept in [
            "North declared",
            "The lead was HQ",
            "Declarer took 9 tricks",
            "The score is -620",
            "Correct all numbers of this round by +1",
            "Seen to it at table A7",
            "It is right as it is",
            "It was passed out",
        ] {
            let told = kept_answer(&Settled::from(kept.to_owned()));
            assert_eq!(told, kept);
            assert_ne!(german(&told), kept);
        }
    }
}
