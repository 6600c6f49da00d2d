//! What the director asks for about one match or contestant, as the command that it means.

use protocol::words::TableNumber;

use super::input::{FineInput, LineUpInput, MatchDecision, Withdrawal};
use crate::contest::ContestantNumber;
use crate::session::{Command, ContestCommand};
use crate::web::Problem;
use crate::web::api::input::{round, section};

pub(super) fn contestant(number: u16) -> Result<ContestantNumber, Problem> {
    ContestantNumber::try_from(number).map_err(Problem::from)
}

impl MatchDecision {
    pub(super) fn command(self) -> Result<Command, Problem> {
        Ok(Command::Contest(ContestCommand::Decide {
            section: section(&self.section)?,
            round: round(self.round)?,
            table: TableNumber::try_from(self.number).map_err(Problem::from)?,
            decision: self.decision,
            why: self.why,
        }))
    }
}

impl Withdrawal {
    pub(super) fn command(self) -> Result<Command, Problem> {
        Ok(Command::Contest(ContestCommand::Withdraw {
            section: section(&self.section)?,
            contestant: contestant(self.contestant)?,
            from: self.from.map(round).transpose()?,
            matches: self.matches,
            why: self.why,
        }))
    }
}

impl LineUpInput {
    pub(super) fn command(self) -> Result<Command, Problem> {
        Ok(Command::Contest(ContestCommand::LineUp {
            section: section(&self.section)?,
            contestant: contestant(self.contestant)?,
            round: round(self.round)?,
            players: self.players,
        }))
    }
}

impl FineInput {
    pub(super) fn command(self) -> Result<Command, Problem> {
        Ok(Command::Contest(ContestCommand::Fine {
            section: section(&self.section)?,
            contestant: contestant(self.contestant)?,
            offence: self.offence,
            why: self.why,
        }))
    }
}
