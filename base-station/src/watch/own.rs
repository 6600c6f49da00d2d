//! What the session itself knows: pads, boards that are missing, questions that wait.

use std::collections::BTreeMap;

use protocol::message::RefusalReason;
use protocol::words::{BoardNumber, PairNumber, RoundNumber};

use super::follow::Found;
use super::offers::{Answer, offers};
use super::{Cause, KeptBecause, Offer, explains_pairs};
use crate::session::{
    BATTERY_LOW_20_MV, Fate, MISSING_TO_REPLACE, MatchFinding, MatchTrouble, Moment, Presence,
    Session, Standing, State, TableId, WarningId,
};

/// A warning before anybody has heard or settled it.
pub(super) type Raised = (WarningId, Cause, Vec<Offer>);

fn raise(id: WarningId, cause: Cause, answers: &[Answer]) -> Raised {
    let offers = offers(&id, &cause, answers);
    (id, cause, offers)
}

/// Everything but what the checks find.
pub(super) fn raised(
    state: &State,
    session: &Session,
    presence: &Presence,
    now: Moment,
) -> Vec<Raised> {
    let mut all = asking_pads(state, session);
    all.extend(silent_pads(session, presence, now));
    all.extend(missing_boards(session, now));
    all.extend(lost_with_pads(session));
    all.extend(kept_entries(session));
    all.extend(wanted_boards(session));
    all.extend(same_players(state, session));
    all.extend(low_batteries(session, presence));
    all
}

fn asking_pads(state: &State, session: &Session) -> Vec<Raised> {
    let tables = session.tables.iter();
    let asking = tables.flat_map(|(&table, story)| {
        let open = story.asking.iter().filter(|(_, answer)| answer.is_none());
        open.map(move |(&pad, _)| (table, pad))
    });
    asking
        .filter(|(_, pad)| !state.club.revoked.contains(pad))
        .map(|(table, pad)| {
            raise(
                WarningId::ReplaceAsked { table, pad },
                Cause::ReplaceAsked { table, pad },
                &[Answer::Replace, Answer::Keep, Answer::Revoke],
            )
        })
        .collect()
}

fn silent_pads(session: &Session, presence: &Presence, now: Moment) -> Vec<Raised> {
    let silent = session.pads.iter().filter_map(|(id, pad)| {
        let since = pad.silent.filter(|_| pad.standing == Standing::Holds)?;
        let heard = presence.pads.get(id);
        let unsent = heard.and_then(|heard| heard.state);
        Some(raise(
            WarningId::PadSilent { pad: *id, since },
            Cause::PadSilent {
                table: pad.table,
                minutes: now.since_ms(heard.map_or(since, |heard| heard.at)) / 60_000,
                unsent: unsent.map_or(0, |state| state.unsent),
            },
            &[Answer::Noted],
        ))
    });
    silent.collect()
}

fn missing_boards(session: &Session, now: Moment) -> Vec<Raised> {
    let mut all = Vec::new();
    let mut by_table: BTreeMap<TableId, Vec<BoardNumber>> = BTreeMap::new();
    let missing = session.missing(now).into_iter();
    // What is not typed yet is no fault of a table: the checklist counts it.
    for (cell, _) in missing.filter(|(cell, _)| !session.is_table_on_paper(cell.table_id())) {
        let missing = by_table.entry(cell.table_id()).or_default();
        missing.push(cell.board);
        all.push(raise(
            WarningId::BoardMissing(cell),
            Cause::BoardMissing(cell),
            &[Answer::NotPlayed, Answer::LatePlay, Answer::Noted],
        ));
    }
    for (table, boards) in by_table {
        if boards.len() >= MISSING_TO_REPLACE {
            let missing = boards.len();
            all.push(raise(
                WarningId::ReplaceAdvised { table, missing },
                Cause::ReplaceAdvised { table, boards },
                &[Answer::Noted],
            ));
        }
    }
    all
}

fn lost_with_pads(session: &Session) -> Vec<Raised> {
    let lost = session.lost_with_pads().into_iter();
    lost.filter_map(|(table, epoch, open)| {
        let round = open.first()?.round;
        let boards = open.iter().map(|cell| cell.board).collect();
        Some(raise(
            WarningId::LostWithPad { table, epoch },
            Cause::LostWithPad {
                table,
                round,
                boards,
            },
            &[Answer::Noted],
        ))
    })
    .collect()
}

fn kept_entries(session: &Session) -> Vec<Raised> {
    let waiting = session.kept.iter();
    waiting
        .filter(|(_, kept)| kept.fate == Fate::Waiting)
        .map(|(seq, kept)| {
            let entry = &kept.entry;
            raise(
                WarningId::EntryKept(*seq),
                Cause::EntryKept {
                    cell: crate::session::Cell::new(kept.table, entry.round, entry.board),
                    result: entry.result,
                    why: KeptBecause::of(kept.reason),
                },
                &[Answer::Use, Answer::Ignore],
            )
        })
        .collect()
}

impl KeptBecause {
    const fn of(reason: RefusalReason) -> Self {
        match reason {
            RefusalReason::Replaced => Self::Replaced,
            RefusalReason::RoundOver => Self::RoundOver,
            RefusalReason::BoardOutOfRange => Self::NotOnSheet,
            RefusalReason::SessionNotOpen
            | RefusalReason::TableInUse
            | RefusalReason::NoSuchSection
            | RefusalReason::NoSuchTable
            | RefusalReason::Stopped
            | RefusalReason::Impossible
            | RefusalReason::SessionOver
            | RefusalReason::VersionTooOld
            | RefusalReason::NotAllowed
            | RefusalReason::DiskFailed
            | RefusalReason::AskingDirector
            | RefusalReason::BoardNotOfSession
            | RefusalReason::BoardOfEarlierRound
            | RefusalReason::NoDealFile => Self::Otherwise,
        }
    }
}

fn wanted_boards(session: &Session) -> Vec<Raised> {
    let wanted = session.wanted.keys();
    wanted
        // Nobody asks any more when the result is in or the table has gone on.
        .filter(|cell| !session.is_in(**cell))
        .filter(|cell| session.table_round(cell.table_id()) <= cell.round)
        .map(|cell| {
            raise(
                WarningId::BoardWanted(*cell),
                Cause::BoardWanted(*cell),
                &[Answer::Allow, Answer::Refuse],
            )
        })
        .collect()
}

/// Tables at which other pairs sit than planned, where no finding tells why.
pub(super) fn other_pairs(session: &Session, found: &[Found]) -> Vec<Raised> {
    let explained = |table: TableId, round: RoundNumber| {
        let mut findings = found.iter().map(|found| &found.finding);
        findings.any(|finding| explains_pairs(finding, table, round))
    };
    let mut all = Vec::new();
    for (&table, story) in &session.tables {
        for (&round, &(ns, ew)) in &story.seen {
            let Some(sitting) = session.sitting(table, round) else {
                continue;
            };
            let planned: [Option<PairNumber>; 2] = [sitting.ns, sitting.ew];
            let said = [ns, ew];
            if planned != said && !explained(table, round) {
                all.push(raise(
                    WarningId::OtherPairs {
                        table,
                        round,
                        ns,
                        ew,
                    },
                    Cause::OtherPairs {
                        table,
                        round,
                        said,
                        planned,
                    },
                    &[Answer::Noted, Answer::Right],
                ));
            }
        }
    }
    all
}

/// What looks wrong about matches, where no finding and no table tells of the same. A board that is
/// missing is a missing board like any other.
pub(super) fn in_matches(session: &Session, found: &[Found]) -> Vec<Raised> {
    let told = |finding: &MatchFinding| {
        let cell = finding.cell();
        let mut others = found.iter().map(|found| &found.finding);
        others.any(|other| {
            let id = other.id;
            explains_pairs(other, cell.table_id(), cell.round)
                || (id.section, id.table, id.round, id.board)
                    == (
                        cell.section,
                        Some(cell.table),
                        Some(cell.round),
                        Some(cell.board),
                    )
        })
    };
    let mut all = Vec::new();
    for &section in session.contests.keys() {
        for own in session.contest_matches(section) {
            // What the director has decided needs no second look.
            if own.scored.decision.is_some() {
                continue;
            }
            for finding in session.match_findings(section, &own) {
                let (trouble, once) = match finding {
                    MatchFinding::Strangers(_) => (MatchTrouble::Strangers, true),
                    MatchFinding::OtherSet(_) => (MatchTrouble::OtherSet, true),
                    MatchFinding::SameWay(_) => (MatchTrouble::SameWay, false),
                    MatchFinding::Swing(..) => (MatchTrouble::Swing, false),
                    MatchFinding::Half(_) => continue,
                };
                if once && told(&finding) {
                    continue;
                }
                all.push(raise(
                    WarningId::InMatch(trouble, finding.cell()),
                    Cause::InMatch(finding),
                    &[Answer::Noted, Answer::Right],
                ));
            }
        }
    }
    all
}

fn same_players(state: &State, session: &Session) -> Vec<Raised> {
    let twice = session.roster.claimed_twice().into_iter();
    twice
        .map(|(number, pairs)| {
            let pairs: Vec<_> = pairs.into_iter().collect();
            raise(
                WarningId::SamePlayer {
                    number,
                    pairs: pairs.clone(),
                },
                Cause::SamePlayer {
                    number,
                    name: state.club.members.get(&number).cloned(),
                    pairs,
                },
                &[Answer::Noted],
            )
        })
        .collect()
}

/// Cells that were changed meanwhile are no warning any more: the pad says so when it calls.
fn low_batteries(session: &Session, presence: &Presence) -> Vec<Raised> {
    let low = session.pads.iter().filter(|(id, pad)| {
        let last = presence.pads.get(*id).and_then(|heard| heard.state);
        let changed = last.is_some_and(|state| state.battery_20_mv >= BATTERY_LOW_20_MV);
        pad.battery_low && !changed && pad.standing == Standing::Holds
    });
    low.map(|(id, pad)| {
        raise(
            WarningId::BatteryLow(*id),
            Cause::BatteryLow { table: pad.table },
            &[Answer::Noted],
        )
    })
    .collect()
}
