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

use protocol::words::RoundNumber;
use serde::Serialize;
use utoipa::ToSchema;

use super::line::{percent_text, result_text, ruling_text};
use super::pads::pad_name;
use crate::session::plan::PenaltyAmount;
use crate::session::{
    Admission, Cell, ConnectorEvent, Event, GivenEpoch, Moment, PairId, Record, Replacing, Salvage,
    Seq, Session, TableId, Trust, can_be_undone, club_events, evening_events, pad_events,
    result_events,
};

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
    pub who: String,
    /// What, in a sentence.
    pub text: String,
    /// Why, where a reason was given.
    pub why: String,
    /// The board it is about, where it is about one.
    pub board: Option<u8>,
    /// Whether a director can take it back.
    pub can_undo: bool,
    /// Whether that has happened.
    pub undone: bool,
}

impl ChangeView {
    /// A record in words.
    pub fn of(session: Option<&Session>, record: &Record) -> Self {
        let (text, why) = sentence(&record.event);
        Self {
            seq: record.seq,
            at_ms: record.at,
            who: record.who.to_string(),
            text,
            why: why.to_owned(),
            board: cells_of(&record.event).last().map(|cell| cell.board.get()),
            can_undo: record.session.is_some() && can_be_undone(&record.event),
            undone: session.is_some_and(|session| session.undone.contains(&record.seq)),
        }
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
fn sentence(event: &Event) -> (String, &str) {
    match event {
        club_events!() => (club(event), ""),
        evening_events!() => evening(event),
        pad_events!() => (pads(event), ""),
        result_events!() => results(event),
    }
}

fn results(event: &Event) -> (String, &str) {
    match event {
        Event::Entered { table, entry, .. } => {
            let again = if entry.correction {
                "corrected to "
            } else {
                ""
            };
            let cell = Cell::new(*table, entry.round, entry.board);
            (format!("{cell}: {again}{}", result_text(entry.result)), "")
        }
        Event::EntryKept { table, entry, .. } => {
            let cell = Cell::new(*table, entry.round, entry.board);
            let result = result_text(entry.result);
            (format!("{cell}: {result} was kept for the director"), "")
        }
        Event::KeptEntryUsed { kept } => (format!("the kept result {kept} counts"), ""),
        Event::KeptEntryIgnored { kept } => (format!("the kept result {kept} is ignored"), ""),
        Event::Ruled {
            cell, ruling, why, ..
        } => {
            let text = match ruling_text(ruling) {
                text if text.is_empty() => "taken away".to_owned(),
                text => text,
            };
            (format!("{cell}: {text}"), why)
        }
        Event::PairsCorrected { cell, ns, ew, why } => {
            let name = |pair: &Option<PairId>| or_nobody(pair.as_ref());
            let text = format!("{cell}: played by {} and {}", name(ns), name(ew));
            (text, why)
        }
        Event::LineMoved { from, to, why } => {
            (format!("the result of {from} belongs to {to}"), why)
        }
        Event::FouledSet {
            board, groups, why, ..
        } => {
            let tables: Vec<String> = groups
                .iter()
                .map(|(cell, form)| format!("{} form {form}", cell.table_id()))
                .collect();
            (
                format!("board {board} was fouled: {}", tables.join(", ")),
                why,
            )
        }
        Event::Penalised {
            pair, amount, why, ..
        } => (format!("pair {pair}: {}", amount_text(*amount)), why),
        Event::Undone { change, why } => (format!("change {change} was taken back"), why),
        Event::WarningAnswered { answer, .. } => (format!("warning settled: {answer}"), ""),
        club_events!() | evening_events!() | pad_events!() => nothing(),
    }
}

fn or_nobody(somebody: Option<&impl ToString>) -> String {
    somebody.map_or_else(|| "nobody".to_owned(), ToString::to_string)
}

/// For the events of the other groups, which [`sentence`] never brings.
const fn nothing() -> (String, &'static str) {
    (String::new(), "")
}

/// What an offence costs, in words.
pub fn amount_text(amount: PenaltyAmount) -> String {
    let hundredths = |points: u32| format!("{}.{:02}", points / 100, points % 100);
    match amount {
        PenaltyAmount::Warning => "a warning".to_owned(),
        PenaltyAmount::PercentOfTop(share) => format!("minus {} of a top", percent_text(share)),
        PenaltyAmount::PercentOfSession(share) => {
            format!("minus {} of the session", percent_text(share))
        }
        PenaltyAmount::Matchpoints(points) => format!("minus {} matchpoints", hundredths(points)),
        PenaltyAmount::VictoryPoints(points) => {
            format!("minus {} victory points", hundredths(points))
        }
        PenaltyAmount::Imps(imps) => format!("minus {imps} IMPs"),
    }
}

fn pads(event: &Event) -> String {
    match event {
        Event::PadAdmitted { table, how, .. } => match how {
            Admission::LoggedOn => format!("a pad logged on at table {table}"),
            Admission::Replaced => format!("a new pad replaced the one of table {table}"),
            Admission::Recovered => format!("the pad of table {table} recovered its game"),
        },
        Event::PadLoggedOff { table, .. } => format!("the pad of table {table} logged off"),
        Event::TableFreed { table, .. } => format!("table {table} was freed of its pad"),
        Event::PadsSwapped { one, other, .. } => {
            format!("the pads of tables {one} and {other} were swapped")
        }
        Event::PadMoved { from, to, .. } => {
            format!("the pad of table {from} was moved to table {to}, with all that it had entered")
        }
        Event::PadSilent { table, .. } => format!("the pad of table {table} fell silent"),
        Event::PadHeardAgain { table, .. } => format!("the pad of table {table} is heard again"),
        Event::BatteryLow { table, .. } => format!("the pad of table {table} has low cells"),
        Event::DirectorCalled { table } => format!("table {table} called the director"),
        Event::CallSettled { table } => format!("the call of table {table} is settled"),
        Event::PlayersSeated { table, .. } => format!("player numbers came from table {table}"),
        Event::PairsSeen {
            table,
            round,
            ns,
            ew,
        } => {
            let (ns, ew) = (or_nobody(ns.as_ref()), or_nobody(ew.as_ref()));
            format!("table {table} says who plays there in round {round}: {ns} and {ew}")
        }
        Event::BoardWanted { cell } => format!("{cell} was wanted and is not on the sheet"),
        Event::BoardAllowed { cell } => format!("{cell} was allowed"),
        Event::Replacing(Replacing::Asked { pad, table }) => format!(
            "pad {} asks for table {table}, whose own pad was heard a moment ago",
            pad_name(*pad)
        ),
        Event::Replacing(Replacing::Answered {
            pad,
            table,
            allowed,
        }) => {
            let name = pad_name(*pad);
            if *allowed {
                format!("pad {name} may have table {table}")
            } else {
                format!("pad {name} may not have table {table}")
            }
        }
        Event::BoardRefused(cell) => format!("{cell} was refused"),
        club_events!() | evening_events!() | result_events!() => nothing().0,
    }
}

fn evening(event: &Event) -> (String, &str) {
    match event {
        Event::SectionPlanned { section, plan } => {
            (format!("section {section}: {}", plan.movement), "")
        }
        Event::SectionRemoved { section } => (format!("section {section} was removed"), ""),
        Event::DealsAttached { deals, .. } if deals.is_empty() => {
            ("the deal file was taken off".to_owned(), "")
        }
        Event::DealsAttached { file, deals } => {
            (format!("{} deals were read from {file}", deals.len()), "")
        }
        Event::DealAnalysed { record } => {
            let text = format!("tricks and par of board {} were worked out", record.board);
            (text, "")
        }
        Event::SettingsChanged(_) => ("the settings of the pads were changed".to_owned(), ""),
        Event::ScoringChosen(_) => ("the scoring was chosen".to_owned(), ""),
        Event::TimingChosen(_) => ("the timing was chosen".to_owned(), ""),
        Event::Opened => ("the session was opened for log-on".to_owned(), ""),
        Event::GateSet { open: true } => ("pads may send again".to_owned(), ""),
        Event::GateSet { open: false } => ("pads were stopped".to_owned(), ""),
        Event::PlayEnded => ("play is over".to_owned(), ""),
        Event::Released => ("the result was released".to_owned(), ""),
        Event::Reopened { why } => ("the result was taken back".to_owned(), why),
        Event::RoundEnded {
            section,
            table,
            round,
        } => {
            let place = table.map_or_else(
                || format!("section {section}"),
                |table| format!("table {table}"),
            );
            (format!("round {round} was ended at {place}"), "")
        }
        Event::ClockStarted { round, .. } => (format!("the clock of round {round} started"), ""),
        Event::ClockHeld { .. } => ("the clock was held".to_owned(), ""),
        Event::ClockGoesOn { .. } => ("the clock goes on".to_owned(), ""),
        Event::NoticeSent { text, .. } => (format!("message to the tables: {text}"), ""),
        Event::MovementChanged {
            section,
            from,
            movement,
            why,
            ..
        } => (
            format!("section {section} from round {from}: {movement}"),
            why,
        ),
        Event::MovementRevised {
            section, what, why, ..
        } => (format!("section {section}: {what}"), why),
        Event::Contest(event) => event.sentence(),
        Event::Connector(event @ ConnectorEvent::Accepted { .. }) => (event.sentence(), ""),
        Event::PlayerNamed { pair, name, .. } => (format!("pair {pair}: {name} plays"), ""),
        club_events!() | pad_events!() | result_events!() => nothing(),
    }
}

fn club(event: &Event) -> String {
    match event {
        Event::EventCreated { name, .. } => format!("event {name} was created"),
        Event::EventRenamed { name, .. } => format!("the event is now called {name}"),
        Event::SessionAdded { date, .. } => format!("a session on {date} was added"),
        Event::SessionRenamed { date, title, .. } => {
            format!("the session is now {title} on {date}")
        }
        Event::SessionChosen { .. } => "the director works with this session".to_owned(),
        Event::MembersListed { members } => format!("a list of {} players was read", members.len()),
        Event::MemberRenamed { name, .. } => format!("{name} is spelt right now"),
        Event::TrustChanged(trust) => match trust {
            Trust::PadRevoked { pad } => {
                format!("pad {} was revoked: nothing it says counts", pad_name(*pad))
            }
            Trust::PadRestored { pad } => format!("pad {} is trusted again", pad_name(*pad)),
            Trust::OldPads { allowed: true } => "pads of wire version 1 are taken".to_owned(),
            Trust::OldPads { allowed: false } => {
                "pads of wire version 1 are no longer taken".to_owned()
            }
            Trust::PadWelcomed { pad, number: 0 } => {
                format!("pad {} was given the club's key", pad_name(*pad))
            }
            Trust::PadWelcomed { pad, number } => format!(
                "pad {} was given the club's key and number {number}",
                pad_name(*pad)
            ),
            Trust::PadTested { pad, passed: true } => {
                format!("pad {} has passed its test", pad_name(*pad))
            }
            Trust::PadTested { pad, passed: false } => {
                format!("pad {} has failed its test", pad_name(*pad))
            }
            Trust::KeyRenewed => "the club has a new key".to_owned(),
            Trust::PadRenewed { pad } => format!("pad {} has the new key", pad_name(*pad)),
            Trust::OldKeyEnded => "the club's old key counts no more".to_owned(),
        },
        Event::EpochGiven(GivenEpoch { pad, table, .. }) => {
            format!("pad {pad} speaks for table {table} from now on")
        }
        Event::PasswordSet { .. } => "the director's password was set".to_owned(),
        Event::ClubNamed(name) => format!("the club is called {name}"),
        Event::DirectorPinSet(_) => "the director's PIN was chosen".to_owned(),
        Event::ReadingAllowed {
            without_password: true,
        } => "anyone may look at the director's page without the password".to_owned(),
        Event::ReadingAllowed {
            without_password: false,
        } => "nobody may look at the director's page without the password".to_owned(),
        Event::CheckSet { kind, attention } => {
            format!("the check {kind} is {attention} from now on")
        }
        Event::LocalTimeSet { minutes_east } => {
            let sign = if *minutes_east < 0 { '-' } else { '+' };
            let minutes = minutes_east.abs();
            let (hours, minutes) = (minutes / 60, minutes % 60);
            format!("the clock on the wall is {sign}{hours}:{minutes:02} from universal time")
        }
        Event::CorrectionPeriodSet { hours } => {
            format!("results can be put right for {hours} hours")
        }
        Event::BackupOpened { .. } => {
            "a backup goes on as the journal: results after it may be on the pads only".to_owned()
        }
        Event::OldEntryKept { table, board, .. } => {
            format!("a result of an earlier session was kept: table {table}, board {board}")
        }
        Event::Connector(
            event @ (ConnectorEvent::Linked { .. } | ConnectorEvent::Switched { .. }),
        ) => event.sentence(),
        Event::JournalRescued(Salvage { saved, .. }) => {
            format!("the journal was damaged, and {saved} records of it were saved")
        }
        evening_events!() | pad_events!() | result_events!() => nothing().0,
    }
}
