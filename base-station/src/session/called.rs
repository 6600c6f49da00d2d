//! Pairs as people in the room call them: "NS 7 Cooper and Fisher", with the section where there is
//! more than one.

use protocol::words::{PlayerNumber, RoundNumber, Side};
use telling::{All, Pair, Part, Tells as _, Told, tell};

use super::plan::Partner;
use super::{Club, PairId, Session, State};

impl Session {
    /// `NS 7`, or `7` where there is one list; `NS A7` where there are several sections.
    pub fn number_of(&self, pair: PairId) -> Pair {
        let plain = self.sections.len() == 1 && self.sections.contains_key(&pair.section);
        Pair {
            section: (!plain).then_some(pair.section),
            side: pair.side,
            number: pair.number,
        }
    }

    /// The same in the column of a side, which need not be said once more: `7`.
    pub fn number_beside(&self, side: Side, pair: PairId) -> Pair {
        let called = self.number_of(pair);
        Pair {
            side: called.side.filter(|own| *own != side),
            ..called
        }
    }

    /// What is told with every pair as it is called: by its number and the names that are known.
    #[must_use]
    pub fn calling(&self, club: &Club, told: Told) -> Told {
        told.calling(&|pair| {
            // Without its section it has been called so already.
            let Some(section) = pair.section else {
                return pair.tells();
            };
            let pair = match pair.side {
                Some(side) => self.pair_id(section, side, pair.number),
                None => PairId {
                    section,
                    side: None,
                    number: pair.number,
                },
            };
            self.called(club, pair)
        })
    }

    fn called(&self, club: &Club, pair: PairId) -> Part {
        let number = self.number_of(pair);
        let name = |partner| self.roster.name(club, pair, partner, RoundNumber::FIRST);
        let names = [name(Partner::First), name(Partner::Second)];
        let names: Vec<String> = names.into_iter().filter(|name| !name.is_empty()).collect();
        if names.is_empty() {
            return number.tells();
        }
        let names = All(names);
        tell!(Game::PairCalled { number, names }).into()
    }

    /// A player's number as it is written: as the club's list has it, or as it was typed here.
    pub fn written(&self, club: &Club, number: PlayerNumber) -> String {
        let digits = self.roster.digits(number).filter(|_| !club.lists(number));
        digits.map_or_else(
            || club.written(number),
            |digits| format!("{:0>1$}", number.to_string(), usize::from(digits)),
        )
    }
}

impl State {
    /// What is told with every pair of the chosen session as it is called.
    #[must_use]
    pub fn calling(&self, told: Told) -> Told {
        match &self.session {
            Some(session) => session.calling(&self.club, told),
            None => told,
        }
    }
}
