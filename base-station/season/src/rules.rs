//! What counts in a competition.

use serde::{Deserialize, Serialize};

use crate::Hundredths;

/// Sessions of one competition: a club that plays every day of a year.
const SESSIONS_MAX: u16 = 366;

/// Who competes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Contestants {
    /// Pairs that entered by name: others may have substitutes for them.
    NominatedPairs,
    /// Every two who play together.
    Pairs,
    /// Every player, with whomever.
    Players,
}

/// What of a session counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// The percentage.
    Percent,
    /// Victory points of its matches.
    VictoryPoints,
    /// Net IMPs of its boards.
    Imps,
}

/// What becomes of the sessions that count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Total {
    /// They are added up.
    Sum,
    /// Their mean.
    Mean,
}

/// What a competition of players says about their partners.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Partners {
    /// Nothing.
    #[default]
    Any,
    /// Only the best session with each partner counts.
    OnceEach,
    /// Whoever has one partner throughout is out.
    MustChange,
}

/// What counts of a session that a nominated pair played with a substitute.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Substitutes {
    /// No more than the pair's own average, and no less than nine tenths of it or 50%, whichever
    /// is less.
    #[default]
    Capped,
    /// What was scored.
    AsScored,
    /// Nothing.
    NotCounted,
}

/// How those who are level are separated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TieOrder {
    /// They share the place.
    #[default]
    Shared,
    /// Most sessions played, then most above 60%, above 55%, above 50%.
    SabfPairs,
    /// The best session, then the next best.
    BestSession,
    /// The last session, then the one before it.
    LastSession,
}

/// The rules of a competition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rules {
    /// Who competes.
    pub contestants: Contestants,
    /// What of a session counts.
    pub measure: Measure,
    /// What becomes of it.
    pub total: Total,
    /// Sessions in the competition, those to come included.
    pub sessions: u16,
    /// Whoever played fewer has no place.
    pub to_qualify: u16,
    /// The best so many count.
    pub to_count: u16,
    /// A nominated pair plays at least so many itself.
    #[serde(default)]
    pub own: u16,
    /// Whether players have to change partners.
    #[serde(default)]
    pub partners: Partners,
    /// What a session with a substitute counts.
    #[serde(default)]
    pub substitutes: Substitutes,
    /// Whether handicaps count.
    #[serde(default)]
    pub handicap: bool,
    /// Only players of the club's list.
    #[serde(default)]
    pub members_only: bool,
    /// Totals that are no further apart are level.
    #[serde(default)]
    pub level_within: Hundredths,
    /// What separates them.
    #[serde(default)]
    pub ties: TieOrder,
}

/// Why rules make no sense.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RulesRefused {
    /// A competition of nothing.
    #[error("a competition has 1 to {most} sessions")]
    Sessions {
        /// At most.
        most: u16,
    },
    /// Nothing would count, or more than there is.
    #[error("of {sessions} sessions 1 to {sessions} can count")]
    ToCount {
        /// There are so many.
        sessions: u16,
    },
    /// Nobody could qualify.
    #[error("of {sessions} sessions at most {sessions} can be asked for")]
    ToQualify {
        /// There are so many.
        sessions: u16,
    },
    /// More sessions of its own than sessions at all.
    #[error("a pair that needs {to_qualify} sessions can't need more with both its players")]
    Own {
        /// To qualify.
        to_qualify: u16,
    },
    /// Only players can change partners.
    #[error("only a competition of players can say something about partners")]
    Partners,
    /// Caps are shares of percentages.
    #[error("what a substitute may score is limited in percentages only")]
    Caps,
    /// So are handicaps.
    #[error("handicaps are for percentages only")]
    Handicap,
    /// A tie as wide as a session.
    #[error("totals are level within 0 to 1")]
    LevelWithin,
}

impl Rules {
    /// Refuses rules that make no sense.
    pub fn check(&self) -> Result<(), RulesRefused> {
        let sessions = self.sessions;
        let is_percent = self.measure == Measure::Percent;
        if !(1..=SESSIONS_MAX).contains(&sessions) {
            return Err(RulesRefused::Sessions { most: SESSIONS_MAX });
        }
        if !(1..=sessions).contains(&self.to_count) {
            return Err(RulesRefused::ToCount { sessions });
        }
        if self.to_qualify > sessions {
            return Err(RulesRefused::ToQualify { sessions });
        }
        if self.own > self.to_qualify {
            let to_qualify = self.to_qualify;
            return Err(RulesRefused::Own { to_qualify });
        }
        if self.partners != Partners::Any && self.contestants != Contestants::Players {
            return Err(RulesRefused::Partners);
        }
        let caps = self.contestants == Contestants::NominatedPairs
            && self.substitutes == Substitutes::Capped;
        if caps && !is_percent {
            return Err(RulesRefused::Caps);
        }
        if self.handicap && !is_percent {
            return Err(RulesRefused::Handicap);
        }
        if !(0..=100).contains(&self.level_within.0) {
            return Err(RulesRefused::LevelWithin);
        }
        Ok(())
    }

    /// SABF's championship of pairs: the sum of so many sessions, three quarters of them played,
    /// more than half by the pair itself, level within 0.03.
    pub const fn sabf_pairs(sessions: u16) -> Self {
        Self {
            contestants: Contestants::NominatedPairs,
            measure: Measure::Percent,
            total: Total::Sum,
            sessions,
            to_qualify: (sessions * 3).div_ceil(4),
            to_count: sessions,
            own: sessions / 2 + 1,
            partners: Partners::Any,
            substitutes: Substitutes::Capped,
            handicap: false,
            members_only: false,
            level_within: Hundredths(3),
            ties: TieOrder::SabfPairs,
        }
    }

    /// A club's ladder: the mean of the best so many of whoever played enough.
    pub const fn ladder(
        contestants: Contestants,
        sessions: u16,
        to_qualify: u16,
        to_count: u16,
    ) -> Self {
        Self {
            contestants,
            measure: Measure::Percent,
            total: Total::Mean,
            sessions,
            to_qualify,
            to_count,
            own: 0,
            partners: Partners::Any,
            substitutes: Substitutes::AsScored,
            handicap: false,
            members_only: false,
            level_within: Hundredths(0),
            ties: TieOrder::Shared,
        }
    }
}
