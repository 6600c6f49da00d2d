//! The missing pair: where it should be, and a movement without it.

use protocol::words::{PairNumber, RoundNumber, Side, TableNumber};
use serde::Serialize;

use super::{Family, Kind, Movement, PairId, Place, Refused};

/// Where a pair can be missing without spoiling anybody's evening.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum PhantomAdvice {
    /// At any table, either way.
    Anywhere {
        /// Always true.
        any: bool,
    },
    /// At one of these tables.
    At {
        /// Best ones only.
        tables: Vec<TableNumber>,
        /// The direction that should be missing there in round 1.
        #[serde(rename = "dirs", serialize_with = "as_words")]
        sides: Vec<Side>,
    },
}

#[expect(clippy::ptr_arg, reason = "serde passes the field as it is")]
fn as_words<S: serde::Serializer>(sides: &Vec<Side>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(sides.iter().map(ToString::to_string))
}

/// Nobody should sit out more often than this.
const SIT_OUTS_MAX: usize = 2;

impl Movement {
    /// The tables at which a missing pair of this side would leave an opponent out three times.
    pub fn phantom_met_three_times(&self, side: Side) -> Vec<TableNumber> {
        let between = self.meetings().between;
        let met_thrice = |place: Place| {
            self.starts_at(place).is_some_and(|pair| {
                between.iter().any(|(&(one, other), &times)| {
                    times > SIT_OUTS_MAX && (one == pair || other == pair)
                })
            })
        };
        self.all_tables()
            .filter(|&table| met_thrice(Place { table, side }))
            .collect()
    }

    /// Where a missing pair does the least harm.
    pub fn phantom_advice(&self) -> PhantomAdvice {
        let at = |tables: Vec<TableNumber>, sides: &[Side]| PhantomAdvice::At {
            tables,
            sides: sides.to_vec(),
        };
        let top = self.all_tables().last();
        let north_south = [Side::NorthSouth];
        match self.family {
            // The table that shares or has its own copy falls away, and with it the bother.
            Family::ShareAndRelay | Family::Of(Kind::BowmanEwing | Kind::Rover) => {
                at(top.into_iter().collect(), &north_south)
            }
            Family::Of(Kind::Hesitation) if !self.layout.shares.is_empty() => {
                at(vec![TableNumber::MIN], &north_south)
            }
            Family::FeedInMitchell => self.feed_in_advice(),
            _ => PhantomAdvice::Anywhere { any: true },
        }
    }

    /// Half the extra sets away from the first or the last table, where nobody meets the phantom
    /// three times; where that rule fails, the outermost tables that are right, for both sides if
    /// there are such tables, else for NS.
    fn feed_in_advice(&self) -> PhantomAdvice {
        let tables = self.table_count();
        let half = (self.round_count() - tables) / 2;
        let good = |side: Side| -> Vec<TableNumber> {
            let bad = self.phantom_met_three_times(side);
            self.all_tables()
                .filter(|table| !bad.contains(table))
                .collect()
        };
        let (ns, ew) = (good(Side::NorthSouth), good(Side::EastWest));
        let both: Vec<TableNumber> = ns
            .iter()
            .copied()
            .filter(|table| ew.contains(table))
            .collect();
        let (right, sides): (_, &[Side]) = if both.is_empty() {
            (ns, &[Side::NorthSouth])
        } else {
            (both, &Side::BOTH)
        };
        let by_rule = |place: usize| {
            right
                .iter()
                .copied()
                .find(|table| usize::from(table.get()) == place)
        };
        let low = by_rule(half).or(right.first().copied());
        let high = by_rule(tables + 1 - half).or(right.last().copied());
        let mut chosen: Vec<TableNumber> = low.into_iter().chain(high).collect();
        chosen.dedup();
        PhantomAdvice::At {
            tables: chosen,
            sides: sides.to_vec(),
        }
    }

    /// The movement with nobody in the seats of one pair.
    pub fn without_pair(&self, missing: PairId) -> Result<Self, Refused> {
        if !self.pairs().contains(&missing) {
            return Err(self.no_such_pair(missing));
        }
        let mut movement = self.clone();
        for round in &mut movement.rounds {
            for seating in &mut round.seatings {
                for side in Side::BOTH {
                    let seat = seating.pair_mut(side);
                    if seat.map(|number| self.pair_id(side, number)) == Some(missing) {
                        *seat = None;
                    }
                }
            }
        }
        movement.layout.shares.retain(|share| {
            let (one, other) = share.tables;
            movement.rounds.iter().any(|round| {
                [one, other]
                    .iter()
                    .all(|&table| round.at(table).is_some_and(super::Seating::is_played))
            })
        });
        Ok(movement)
    }

    /// Who sits at a place in round 1.
    pub fn starts_at(&self, place: Place) -> Option<PairId> {
        self.seating(RoundNumber::FIRST, place.table)?
            .pair(place.side)
            .map(|number: PairNumber| self.pair_id(place.side, number))
    }

    fn all_tables(&self) -> impl Iterator<Item = TableNumber> + use<> {
        let tables = u16::try_from(self.table_count()).unwrap_or(u16::MAX);
        (1..=tables).filter_map(TableNumber::new)
    }

    fn no_such_pair(&self, pair: PairId) -> Refused {
        let pairs = self.pairs();
        match (pairs.first(), pairs.last()) {
            (Some(&first), Some(&last)) => Refused::NoSuchPair { pair, first, last },
            _ => Refused::NoPairs,
        }
    }
}

impl std::fmt::Display for PhantomAdvice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Anywhere { .. } => f.write_str("anywhere"),
            Self::At { tables, sides } => {
                let join = |words: Vec<String>| words.join(" or ");
                write!(
                    f,
                    "{} at table {}",
                    join(sides.iter().map(ToString::to_string).collect()),
                    join(tables.iter().map(ToString::to_string).collect())
                )
            }
        }
    }
}
