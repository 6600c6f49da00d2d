//! The journal in sentences: what was changed, by whom, and whether it can be taken back.
//!
//! Every kind of event has its sentence: the compiler names one that has not.

#![deny(
    clippy::wildcard_enum_match_arm,
    clippy::match_wildcard_for_single_variants
)]
#![expect(
    clippy::unnested_or_patterns,
    reason = "groups of commands and events are patterns of their own, see `session::concerns`"
)]

use protocol::words::{RoundNumber, Side};
use serde::Serialize;
use utoipa::ToSchema;

use super::line::{amount_text, result_text, ruling_text};
use super::pads::pad_name;
use super::warning_words::or_nobody as seen;
use crate::checks::Attention;
use crate::session::plan::Way;
use crate::session::{
    Admission, Cell, Club, ConnectorEvent, Event, GivenEpoch, Moment, PairId, Record, Replacing,
    Salvage, Seq, Session, TableId, Trust, Who, can_be_undone, club_events, evening_events,
    kept_answer, kept_outcome, kept_reasons, movement_name, pad_events, result_events,
};
use telling::{Part, Tells, Told, tell};

/// One record of the journal, for people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ChangeView {
    /// Its place in the journal.
    #[schema(value_type = u64)]
    pub seq: Seq,
    /// When.
    #[schema(value_type = u64)]
    pub at_ms: Moment,
    /// Who.
    #[schema(value_type = String)]
    pub who: Told,
    /// What, in a sentence.
    #[schema(value_type = String)]
    pub text: Told,
    /// Why, where a reason was given.
    #[schema(value_type = String)]
    pub why: Told,
    /// The board it is about, where it is about one.
    pub board: Option<u8>,
    /// Whether no person did it here: a pad sent it, or a scoring program says how far it has read.
    pub by_machine: bool,
    /// Whether a director can take it back.
    pub can_undo: bool,
    /// Whether that has happened.
    pub undone: bool,
}

impl ChangeView {
    /// A record in words.
    pub fn of(club: &Club, session: Option<&Session>, record: &Record) -> Self {
        let (text, why) = sentence(&record.event);
        let text = taken_back(session, &record.event).unwrap_or(text);
        let text = match session {
            Some(session) => session.calling(club, text),
            None => text,
        };
        Self {
            seq: record.seq,
            at_ms: record.at,
            who: who_of(&record.who),
            text,
            why: kept_reasons(&record.event, why),
            board: cells_of(&record.event).last().map(|cell| cell.board.get()),
            by_machine: matches!(record.who, Who::Pad(_))
                || matches!(
                    record.event,
                    Event::Connector(ConnectorEvent::Accepted { .. })
                ),
            can_undo: record.session.is_some() && can_be_undone(&record.event),
            undone: session.is_some_and(|session| session.undone.contains(&record.seq)),
        }
    }
}

/// What was taken back, in its own words: nobody remembers which change had which number.
fn taken_back(session: Option<&Session>, event: &Event) -> Option<Told> {
    let Event::Undone { change, .. } = event else {
        return None;
    };
    let records = &session?.records;
    let at = records.binary_search_by_key(change, |record| record.seq);
    let (what, _) = sentence(&records.get(at.ok()?)?.event);
    Some(tell!(History::TakenBack { what }))
}

/// The base station's own names for whoever did something.
fn who_of(who: &Who) -> Told {
    match who {
        Who::Director(_) if who.is_program() => tell!(Connector::ScoringProgram),
        Who::Director(_) | Who::Base | Who::Pad(_) => who.told(),
    }
}

/// How loudly something is watched for.
fn of_attention(attention: Attention) -> Told {
    match attention {
        Attention::On => tell!(History::AttentionOn),
        Attention::Quiet => tell!(Finding::Quiet),
        Attention::Off => tell!(History::AttentionOff),
    }
}

/// Whether a record is part of the story of one table in one round.
pub fn concerns(event: &Event, table: TableId, round: RoundNumber) -> bool {
    cells_of(event)
        .iter()
        .any(|cell| cell.table_id() == table && cell.round == round)
}

/// The cells that an event is about; the one it leads to last.
fn cells_of(event: &Event) -> Vec<Cell> {
    match event {
        Event::Entered { table, entry, .. } | Event::EntryKept { table, entry, .. } => {
            vec![Cell::new(*table, entry.round, entry.board)]
        }
        Event::Ruled { cell, .. } | Event::PairsCorrected { cell, .. } => vec![*cell],
        Event::LineMoved { from, to, .. } => vec![*from, *to],
        Event::FouledSet { groups, .. } => groups.iter().map(|(cell, _)| *cell).collect(),
        pad_events!() => {
            if let Event::BoardAllowed { cell }
            | Event::BoardRefused(cell)
            | Event::BoardWanted { cell } = event
            {
                vec![*cell]
            } else {
                Vec::new()
            }
        }
        club_events!()
        | evening_events!()
        | Event::KeptEntryUsed { .. }
        | Event::KeptEntryIgnored { .. }
        | Event::Penalised { .. }
        | Event::Undone { .. }
        | Event::WarningAnswered { .. } => Vec::new(),
    }
}

/// What happened, and why, where a reason was given.
fn sentence(event: &Event) -> (Told, &str) {
    match event {
        club_events!() => (club(event), ""),
        evening_events!() => evening(event),
        pad_events!() => (pads(event), ""),
        result_events!() => results(event),
    }
}

fn results(event: &Event) -> (Told, &str) {
    match event {
        Event::Entered { table, entry, .. } => {
            let cell = Cell::new(*table, entry.round, entry.board);
            let what = result_text(entry.result);
            let text = if entry.correction {
                tell!(History::CellCorrected { cell, what })
            } else {
                tell!(History::Cell { cell, what })
            };
            (text, "")
        }
        Event::EntryKept { table, entry, .. } => {
            let cell = Cell::new(*table, entry.round, entry.board);
            let result = result_text(entry.result);
            (tell!(History::KeptDirector { cell, result }), "")
        }
        Event::KeptEntryUsed { kept } => (tell!(History::KeptResultCounts { kept }), ""),
        Event::KeptEntryIgnored { kept } => (tell!(History::KeptResultIgnored { kept }), ""),
        Event::Ruled {
            cell, ruling, why, ..
        } => {
            let what = match ruling_text(ruling) {
                text if text.is_empty() => tell!(History::TakenAway),
                text => text,
            };
            (tell!(History::Cell { cell, what }), why)
        }
        Event::PairsCorrected { cell, ns, ew, why } => {
            let name = |pair: &Option<PairId>| or_nobody(pair.as_ref());
            let (ns, ew) = (name(ns), name(ew));
            (tell!(History::CellPlayedBy { cell, ns, ew }), why)
        }
        Event::LineMoved { from, to, why } => (tell!(History::ResultBelongs { from, to }), why),
        Event::FouledSet {
            board, groups, why, ..
        } => {
            let tables: Vec<Told> = groups
                .iter()
                .map(|(cell, form)| {
                    tell!(History::Form {
                        cell: cell.table_id(),
                        form
                    })
                })
                .collect();
            (
                tell!(History::BoardFouled {
                    board,
                    rest: tables
                }),
                why,
            )
        }
        Event::Penalised {
            pair, amount, why, ..
        } => (
            tell!(History::PairIs {
                pair,
                what: amount_text(*amount)
            }),
            why,
        ),
        Event::Undone { change, why } => (tell!(History::ChangeTakenBack { change }), why),
        Event::WarningAnswered { answer, .. } => (
            tell!(History::WarningSettled {
                answer: kept_answer(answer)
            }),
            "",
        ),
        club_events!() | evening_events!() | pad_events!() => nothing(),
    }
}

fn or_nobody(somebody: Option<&impl Tells<Part>>) -> Part {
    somebody.map_or_else(|| tell!(Game::Nobody).into(), Tells::tells)
}

/// For the events of the other groups, which [`sentence`] never brings.
const fn nothing() -> (Told, &'static str) {
    (Told::nothing(), "")
}

fn pads(event: &Event) -> Told {
    match event {
        Event::PadAdmitted { table, how, .. } => match how {
            Admission::LoggedOn => tell!(History::PadLoggedAtTable { table }),
            Admission::Replaced => tell!(History::NewPadReplacedOne { table }),
            Admission::Recovered => tell!(History::PadTableRecoveredIts { table }),
        },
        Event::PadLoggedOff { table, .. } => tell!(History::PadTableLoggedOff { table }),
        Event::TableFreed { table, .. } => tell!(History::TableFreedItsPad { table }),
        Event::PadsSwapped { one, other, .. } => {
            tell!(History::PadsTablesWereSwapped { one, other })
        }
        Event::PadMoved { from, to, .. } => {
            tell!(History::PadTableMovedTable { from, to })
        }
        Event::PadSilent { table, .. } => tell!(History::PadTableFellSilent { table }),
        Event::PadHeardAgain { table, .. } => tell!(History::PadTableHeardAgain { table }),
        Event::BatteryLow { table, .. } => tell!(History::PadTableLowCells { table }),
        Event::DirectorCalled { table } => tell!(History::TableCalledDirector { table }),
        Event::CallSettled { table } => tell!(History::CallTableSettled { table }),
        Event::PlayersSeated { table, .. } => tell!(History::PlayerNumbersCameFrom { table }),
        Event::PairsSeen {
            table,
            round,
            ns,
            ew,
        } => {
            let ns = seen(table.section, Side::NorthSouth, *ns);
            let ew = seen(table.section, Side::EastWest, *ew);
            tell!(History::TableSaysWhoPlays {
                table,
                round,
                ns,
                ew
            })
        }
        Event::BoardWanted { cell } => tell!(History::WantedNotSheet { cell }),
        Event::BoardAllowed { cell } => tell!(History::Allowed { cell }),
        Event::Replacing(Replacing::Asked { pad, table }) => tell!(History::PadAsksTableWhose {
            pair: pad_name(*pad),
            table
        }),
        Event::Replacing(Replacing::Answered {
            pad,
            table,
            allowed,
        }) => {
            let name = pad_name(*pad);
            if *allowed {
                tell!(History::PadMayTable { name, table })
            } else {
                tell!(History::PadMayNotTable { name, table })
            }
        }
        Event::BoardRefused(cell) => tell!(History::Refused { cell }),
        club_events!() | evening_events!() | result_events!() => nothing().0,
    }
}

fn evening(event: &Event) -> (Told, &str) {
    match event {
        Event::RoundTaken(taken) => (tell!(History::RoundTaken { round: taken.round }), ""),
        Event::SectionPlanned { section, plan } => (
            tell!(History::SectionIs {
                section,
                what: movement_name(&plan.movement)
            }),
            "",
        ),
        Event::SectionRemoved { section } => (tell!(History::SectionRemoved { section }), ""),
        Event::DealsAttached { deals, .. } if deals.is_empty() => {
            (tell!(History::DealFileTakenOff), "")
        }
        Event::DealsAttached { file, deals } => (
            tell!(History::DealsWereReadFrom {
                n: deals.len(),
                file
            }),
            "",
        ),
        Event::DealAnalysed { record } => {
            let text = tell!(History::TricksParBoardWere {
                board: record.board
            });
            (text, "")
        }
        Event::SettingsChanged(_) => (tell!(History::SettingsPadsWereChanged), ""),
        Event::ScoringChosen(_) => (tell!(History::ScoringChosen), ""),
        Event::TimingChosen(_) => (tell!(History::TimingChosen), ""),
        Event::SectionGateSet { section, open } => {
            let may = tell!(History::SectionMayLogOn { section });
            let not = tell!(History::SectionMayNotLogOn { section });
            (if *open { may } else { not }, "")
        }
        Event::WayChosen(Way::Paper) => (tell!(History::PlayedOnPaper), ""),
        Event::WayChosen(Way::Pads) => (tell!(History::PlayedWithPads), ""),
        Event::Opened => (tell!(History::SessionOpenedLog), ""),
        Event::GateSet { open: true } => (tell!(History::PadsMaySendAgain), ""),
        Event::GateSet { open: false } => (tell!(History::PadsWereStopped), ""),
        Event::PlayEnded => (tell!(History::PlayOver), ""),
        Event::Released => (tell!(History::ResultReleased), ""),
        Event::Reopened { why } => (tell!(History::ResultTakenBack), why),
        Event::RoundEnded {
            section,
            table,
            round,
        } => {
            let place = table.map_or_else(
                || tell!(History::Section { section }),
                |table| tell!(History::Table { table }),
            );
            (tell!(History::RoundEndedAt { round, place }), "")
        }
        Event::ClockStarted { round, .. } => (tell!(History::ClockRoundStarted { round }), ""),
        Event::ClockHeld { .. } => (tell!(History::ClockHeld), ""),
        Event::ClockGoesOn { .. } => (tell!(History::ClockGoes), ""),
        Event::NoticeSent { text, .. } => (tell!(History::MessageTables { text }), ""),
        Event::MovementChanged {
            section,
            from,
            movement,
            why,
            ..
        } => (
            tell!(History::SectionFromRound {
                section,
                from,
                movement: movement_name(movement)
            }),
            why,
        ),
        Event::MovementRevised {
            section, what, why, ..
        } => (
            tell!(History::SectionIs {
                section,
                what: kept_outcome(what)
            }),
            why,
        ),
        Event::Contest(event) => event.sentence(),
        Event::Connector(event @ ConnectorEvent::Accepted { .. }) => (event.sentence(), ""),
        Event::PlayerNamed { pair, name, .. } => (tell!(History::PairPlays { pair, name }), ""),
        club_events!() | pad_events!() | result_events!() => nothing(),
    }
}

fn of_trust(trust: &Trust) -> Told {
    match trust {
        Trust::PadRevoked { pad } => {
            tell!(History::PadRevokedNothingSays {
                pair: pad_name(*pad)
            })
        }
        Trust::PadRestored { pad } => tell!(History::PadTrustedAgain {
            pair: pad_name(*pad)
        }),
        Trust::OldPads { allowed: true } => tell!(History::PadsWireVersion1),
        Trust::OldPads { allowed: false } => {
            tell!(History::PadsWireVersion1No)
        }
        Trust::OwnPhoneJoined(own) => tell!(History::OwnPhoneJoined {
            pair: own.pair,
            phone: pad_name(own.phone)
        }),
        Trust::PhoneJoined(joined) => tell!(History::PhoneJoinedAtTable {
            table: joined.table,
            pad: pad_name(joined.pad)
        }),
        Trust::PadWelcomed { pad, number: 0, .. } => {
            tell!(History::PadGivenClubsKey {
                pad: pad_name(*pad)
            })
        }
        Trust::PadWelcomed { pad, number, .. } => tell!(History::PadGivenClubsKeyNumber {
            pad: pad_name(*pad),
            number
        }),
        Trust::PadTested { pad, passed: true } => {
            tell!(History::PadPassedItsTest {
                pad: pad_name(*pad)
            })
        }
        Trust::PadTested { pad, passed: false } => {
            tell!(History::PadFailedItsTest {
                pad: pad_name(*pad)
            })
        }
        Trust::KeyRenewed => tell!(History::ClubNewKey),
        Trust::PadRenewed { pad } => tell!(History::PadHasNewKey {
            pad: pad_name(*pad)
        }),
        Trust::OldKeyEnded => tell!(History::ClubsOldKeyEnded),
    }
}

fn club(event: &Event) -> Told {
    match event {
        Event::EventCreated { name, .. } => tell!(History::EventCreated { name }),
        Event::EventRenamed { name, .. } => tell!(History::EventNowCalled { name }),
        Event::SessionAdded { date, .. } => tell!(History::SessionAdded { date }),
        Event::SessionRenamed { date, title, .. } => {
            tell!(History::SessionNow { title, date })
        }
        Event::SessionChosen { .. } => tell!(History::DirectorWorksWithSession),
        Event::MembersListed { members, .. } => {
            tell!(History::ListPlayersRead { n: members.len() })
        }
        Event::MemberRenamed { name, .. } => tell!(History::SpeltRightNow { name }),
        Event::TrustChanged(trust) => of_trust(trust),
        Event::EpochGiven(GivenEpoch { pad, table, .. }) => {
            tell!(History::PadSpeaksTableFrom {
                pad: pad.get(),
                table
            })
        }
        Event::PasswordSet { .. } => tell!(History::DirectorsPasswordSet),
        Event::DirectorPinSet(_) => tell!(History::DirectorsPinChosen),
        Event::ClubNamed(name) => tell!(History::ClubIsCalled { name }),
        Event::ReadingAllowed {
            without_password: true,
        } => tell!(History::AnyoneMayLookAt),
        Event::ReadingAllowed {
            without_password: false,
        } => tell!(History::NobodyMayLookAt),
        Event::CheckSet { kind, attention } => {
            tell!(History::CheckFromNow {
                kind: kind.to_string(),
                attention: of_attention(*attention)
            })
        }
        Event::LocalTimeSet { minutes_east } => {
            let sign = if *minutes_east < 0 { '-' } else { '+' };
            let minutes = minutes_east.abs();
            let (hours, minutes) = (minutes / 60, minutes % 60);
            tell!(History::ClockWallFromUniversal {
                time: format!("{sign}{hours}:{minutes:02}")
            })
        }
        Event::CorrectionPeriodSet { hours } => {
            tell!(History::ResultsCanPutRight { hours })
        }
        Event::BackupOpened { .. } => {
            tell!(History::BackupGoesAsJournal)
        }
        Event::OldEntryKept { table, board, .. } => {
            tell!(History::ResultEarlierSessionKept { table, board })
        }
        Event::Connector(
            event @ (ConnectorEvent::Linked { .. } | ConnectorEvent::Switched { .. }),
        ) => event.sentence(),
        Event::Competition(event) => event.sentence(),
        Event::JournalRescued(Salvage { saved, .. }) => {
            tell!(History::JournalDamagedRecordsWere { saved })
        }
        evening_events!() | pad_events!() | result_events!() => nothing().0,
    }
}
