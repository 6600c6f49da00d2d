//! What the director calls out when a round ends, told by where everybody goes next.

use std::collections::BTreeMap;

use protocol::words::{PairNumber, RoundNumber, TableNumber};

use super::Section;
use super::cores::of_announcement;
use super::kept_words::kept_announcement;
use crate::movement::Announcement;
use telling::{Told, tell};

/// A move of East-West that is not up one table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OddMove {
    Skip,
    Stay,
    Subtract,
}

impl Section {
    /// Everything to be called when a round is over, in words.
    pub fn calls_after(&self, round: RoundNumber) -> Vec<Told> {
        let tables = self.tables().count();
        let mut calls: Vec<Told> = match self.odd_move(round, tables) {
            Some(OddMove::Skip) => vec![of_announcement(&Announcement::Skip { forward: 2 })],
            Some(OddMove::Stay) => vec![tell!(Call::EastWestStayAt)],
            Some(OddMove::Subtract) => u16::try_from(tables + 1)
                .ok()
                .and_then(TableNumber::new)
                .map(|from| of_announcement(&Announcement::Subtract { from }))
                .into_iter()
                .collect(),
            None => self
                .announcements
                .iter()
                .filter(|call| call.after == round)
                .map(|call| kept_announcement(&call.text))
                .collect(),
        };
        let last = self.last_round();
        if round.next() == Some(last) {
            calls.push(of_announcement(&Announcement::LastRound));
        } else if round >= last {
            calls.push(of_announcement(&Announcement::GameOver));
        }
        calls
    }

    /// How all of East-West go after a round, where that is not the usual way. Only a movement in
    /// which they go up one table otherwise has a usual way.
    fn odd_move(&self, round: RoundNumber, tables: usize) -> Option<OddMove> {
        if self.one_winner || tables < 3 {
            return None;
        }
        let up = |by: usize| move |from: usize| (from - 1 + by) % tables + 1;
        let odd = if self.all_go(round, &up(2)) {
            OddMove::Skip
        } else if self.all_go(round, &up(0)) {
            OddMove::Stay
        } else if self.all_go(round, &|from| tables + 1 - from) {
            OddMove::Subtract
        } else {
            return None;
        };
        let usual =
            |after: Option<RoundNumber>| after.is_some_and(|after| self.all_go(after, &up(1)));
        (usual(RoundNumber::new(round.get() - 1)) || usual(round.next())).then_some(odd)
    }

    /// Whether every East-West pair goes from its table to the one named.
    fn all_go(&self, round: RoundNumber, to: &dyn Fn(usize) -> usize) -> bool {
        let Some(next) = round.next() else {
            return false;
        };
        let seats = |round: RoundNumber| -> BTreeMap<PairNumber, usize> {
            self.sittings
                .values()
                .filter(|sitting| sitting.round == round)
                .filter_map(|sitting| Some((sitting.ew?, usize::from(sitting.table.get()))))
                .collect()
        };
        let (before, after) = (seats(round), seats(next));
        before.len() > 1
            && before.len() == after.len()
            && before
                .iter()
                .all(|(pair, from)| after.get(pair) == Some(&to(*from)))
    }
}

#[cfg(test)]
mod tests {
    use protocol::words::BoardNumber;

    use super::*;
    use crate::movement::{Kind, Setup, Variant, generate};
    use crate::session::plan::SectionPlan;

    fn section(kind: Kind, tables: u16, boards: u8, variant: Option<Variant>) -> Section {
        let setup = Setup {
            variant,
            ..Setup::new(
                TableNumber::new(tables).expect("a table"),
                BoardNumber::new(boards).expect("a board"),
            )
        };
        let movement = generate(kind, setup).expect("the movement exists");
        let mut section = Section::planned(&SectionPlan::of(&movement, "red"));
        // What is called out is told by the schedule, not by what was noted at set-up.
        section.announcements.clear();
        section
    }

    fn calls(section: &Section) -> Vec<(u8, Told)> {
        (1..=section.last_round().get())
            .filter_map(RoundNumber::new)
            .flat_map(|round| {
                let calls = section.calls_after(round).into_iter();
                calls.map(move |call| (round.get(), call))
            })
            .collect()
    }

    #[test]
    fn the_skip_and_the_last_round_are_called_when_they_are_due() {
        let calls = calls(&section(Kind::Mitchell, 10, 30, Some(Variant::Skip)));
        let [(5, skip), (last, words), (over, _)] = calls.as_slice() else {
            panic!("three calls, not {calls:?}");
        };
        assert!(skip.to_string().starts_with("Skip now"), "{skip}");
        assert_eq!(
            (*over - *last, words.to_string().as_str()),
            (1, "This is the last round.")
        );
    }

    #[test]
    fn movements_without_an_odd_move_have_only_the_last_round_called() {
        for section in [
            section(Kind::Howell, 6, 27, None),
            section(Kind::Mitchell, 9, 27, None),
            section(Kind::Mitchell, 10, 30, Some(Variant::Share)),
        ] {
            assert_eq!(calls(&section).len(), 2, "{}", section.movement);
        }
    }
}
