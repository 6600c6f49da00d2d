//! Matches between two clubs, known by how their section sits: which pairs are the visitors.

use std::collections::BTreeSet;

use protocol::words::{PairNumber, RoundNumber};

use super::Section;

impl Section {
    /// The visitors of an inter-club match: they keep the NS seats of odd tables and the EW seats
    /// of even ones for the whole session, and nobody else ever sits there. `None` in every other
    /// movement.
    pub fn visitors(&self) -> Option<BTreeSet<PairNumber>> {
        let mut visitors = BTreeSet::new();
        let mut home = BTreeSet::new();
        for ((table, _), sitting) in &self.sittings {
            let even = table.get().is_multiple_of(2);
            let (sits, moves) = if even {
                (sitting.ew, sitting.ns)
            } else {
                (sitting.ns, sitting.ew)
            };
            let first = self.sittings.get(&(*table, RoundNumber::FIRST))?;
            let first = if even { first.ew } else { first.ns };
            if sits != first {
                return None;
            }
            visitors.extend(sits);
            home.extend(moves);
        }
        let tables = self.sittings.keys().map(|(table, _)| table).max()?.get();
        (self.one_winner && tables > 2 && visitors.is_disjoint(&home)).then_some(visitors)
    }
}

#[cfg(test)]
mod tests {
    use protocol::words::{BoardNumber, TableNumber};

    use super::*;
    use crate::movement::{Kind, Setup, generate};
    use crate::session::plan::SectionPlan;

    fn section(kind: Kind, tables: u16, boards: u8) -> Section {
        let setup = Setup::new(
            TableNumber::new(tables).unwrap(),
            BoardNumber::new(boards).unwrap(),
        );
        Section::planned(&SectionPlan::of(&generate(kind, setup).unwrap(), "red"))
    }

    #[test]
    fn only_an_inter_club_match_has_visitors() {
        let visitors = section(Kind::Interclub, 21, 21).visitors().unwrap();
        assert_eq!(visitors.len(), 21);
        assert_eq!(visitors.last(), PairNumber::new(21).as_ref());
        for (kind, tables, boards) in [
            (Kind::Howell, 5, 27),
            (Kind::Hesitation, 7, 24),
            (Kind::Mitchell, 9, 27),
        ] {
            assert_eq!(section(kind, tables, boards).visitors(), None, "{kind:?}");
        }
    }
}
