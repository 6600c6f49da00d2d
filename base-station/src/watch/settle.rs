//! What follows when the director answers a warning.

use super::{Offer, Warning};
use crate::session::{Command, Settled, WarningId};

/// Why an answer leads to nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotOffered {
    /// There is no such warning any more.
    Gone,
    /// It has no such answer.
    NoSuchAnswer,
}

/// One of the answers that a warning offers, given.
#[derive(Clone, Debug, PartialEq)]
pub struct Settlement<'a> {
    warning: &'a WarningId,
    offer: &'a Offer,
}

impl<'a> Settlement<'a> {
    /// The answer of this name to the warning of this name.
    pub fn of(
        warnings: &'a [Warning],
        warning: &WarningId,
        answer: &str,
    ) -> Result<Self, NotOffered> {
        let mut all = warnings.iter();
        let warning = all.find(|it| it.id == *warning).ok_or(NotOffered::Gone)?;
        let mut offers = warning.offers.iter();
        let offer = offers.find(|offer| offer.answer.name() == answer);
        Ok(Self {
            warning: &warning.id,
            offer: offer.ok_or(NotOffered::NoSuchAnswer)?,
        })
    }

    /// What the director said.
    pub const fn offer(&self) -> &'a Offer {
        self.offer
    }

    /// What the base does.
    pub const fn command(&self) -> Option<&'a Command> {
        self.offer.command.as_ref()
    }

    /// What the movement would be, to look at before it is changed.
    pub fn changes_movement(&self) -> Option<&'a Command> {
        self.command()
            .filter(|_| self.offer.answer.changes_movement())
    }

    /// The note that the warning is settled.
    pub fn note(&self, settled: Settled) -> Command {
        Command::AnswerWarning {
            warning: self.warning.clone(),
            answer: settled,
        }
    }

    /// The same after something was done, if the warning has not gone by that: what was put right
    /// needs no note that it was.
    pub fn note_if_left(&self, left: &[Warning], settled: Settled) -> Option<Command> {
        let stays = left.iter().any(|left| left.id == *self.warning);
        stays.then(|| self.note(settled))
    }
}
