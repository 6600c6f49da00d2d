//! Tables and homes of the matches that were found.

use std::collections::BTreeMap;

use protocol::words::TableNumber;

use super::{Draw, Drawn, Field, Found, Pairing, Stationary};

impl Field<'_> {
    /// The matches with their tables: the highest at table 1, but who can't move stays.
    pub(super) fn told(&self, found: &Found, triangle: Option<[usize; 3]>) -> Drawn {
        let mut pairs = found.pairs.clone();
        pairs.sort_by_key(|(one, other)| (one.min(other).to_owned(), one.max(other).to_owned()));
        let tables = self.tables(&pairs);
        let mut lot = self.lot.clone();
        let mut seated: Vec<(Pairing, (usize, usize))> = pairs
            .iter()
            .zip(tables)
            .map(|(&(one, other), table)| (self.seated(one, other, table, &mut lot), (one, other)))
            .collect();
        seated.sort_by_key(|(pairing, _)| pairing.table);
        let found = Found {
            pairs: seated.iter().map(|(_, pair)| *pair).collect(),
            bye: found.bye,
        };
        let draw = Draw {
            matches: seated.into_iter().map(|(pairing, _)| pairing).collect(),
            bye: found.bye.map(|it| self.ranked[it].number),
            triangle: triangle.map(|three| three.map(|it| self.ranked[it].number)),
            ..Draw::default()
        };
        self.explained(draw, &found, triangle)
    }

    /// One table a match, in the order of the matches.
    pub(super) fn tables(&self, pairs: &[(usize, usize)]) -> Vec<TableNumber> {
        let kept = |place: usize| match self.ranked[place].stationary {
            Stationary::At(table) => Some(table),
            Stationary::No | Stationary::Anywhere => None,
        };
        let mut taken = BTreeMap::new();
        for (index, &(one, other)) in pairs.iter().enumerate() {
            // Two who keep different tables can't both: the higher one does.
            for table in [kept(one), kept(other)].into_iter().flatten() {
                if !taken.contains_key(&table) && !taken.values().any(|&it| it == index) {
                    taken.insert(table, index);
                }
            }
        }
        let mut free = (1..=u16::MAX)
            .filter_map(TableNumber::new)
            .filter(|table| !taken.contains_key(table));
        let own: BTreeMap<usize, TableNumber> = taken
            .iter()
            .map(|(&table, &index)| (index, table))
            .collect();
        (0..pairs.len())
            .filter_map(|index| own.get(&index).copied().or_else(|| free.next()))
            .collect()
    }

    /// Who was at home less often is now; a lot decides where that is nobody.
    fn seated(
        &self,
        one: usize,
        other: usize,
        table: TableNumber,
        lot: &mut crate::Lot,
    ) -> Pairing {
        let (first, second) = (self.ranked[one], self.ranked[other]);
        let first_at_home = match first.home.cmp(&second.home) {
            std::cmp::Ordering::Less => true,
            std::cmp::Ordering::Greater => false,
            std::cmp::Ordering::Equal => lot.below(2) == 0,
        };
        let (home, away) = if first_at_home {
            (first, second)
        } else {
            (second, first)
        };
        let ever = |it: &super::Entrant, number| it.met.iter().any(|met| met.opponent == number);
        Pairing {
            table,
            home: home.number,
            away: away.number,
            rematch: ever(home, away.number) || ever(away, home.number),
            first_board: None,
        }
    }
}
