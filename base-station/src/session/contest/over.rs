//! Who has won a match that is over, by the rules of its own stage.

use contest::Comparison;
use contest::irregular::Decision;
use contest::teams::Ending;

use super::{Contest, ContestMatch, Format};
use crate::scoring::{Percent, Points, Rounding};

/// How a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchOver {
    /// Home has won.
    Home,
    /// Away has won.
    Away,
    /// Neither side came.
    Neither,
    /// It is level, and nothing has decided it.
    Level,
}

impl MatchOver {
    /// By who is ahead.
    pub fn by_lead(lead: Points) -> Self {
        match lead.cmp(&Points::ZERO) {
            std::cmp::Ordering::Greater => Self::Home,
            std::cmp::Ordering::Less => Self::Away,
            std::cmp::Ordering::Equal => Self::Level,
        }
    }

    /// The same where the other side is called home.
    pub const fn turned(self) -> Self {
        match self {
            Self::Home => Self::Away,
            Self::Away => Self::Home,
            Self::Neither | Self::Level => self,
        }
    }
}

impl ContestMatch {
    /// By how much home leads; penalties and what was brought along included.
    pub fn lead(&self, contest: &Contest) -> Points {
        let [home, away] = self.scored.sides;
        if contest.plan.format == Format::HeadToHead {
            return home.margin;
        }
        if contest.plan.is_teams() {
            // Each side has its own penalties: both count here.
            return home.margin - away.margin - (home.scored - away.scored);
        }
        (home.margin - away.margin).share(Percent::whole(50), Rounding::TenThousandth)
    }

    /// By how many IMPs home led after the stanzas of earlier nights; `None` where there were none, or
    /// matchpoints count.
    pub fn led_before(&self, contest: &Contest) -> Option<Points> {
        let (home, away) = (self.scored.home, self.scored.away);
        let before = contest.plan.begun_before(home, away);
        let imps = contest.plan.rules.comparison != Comparison::Matchpoints;
        before.filter(|_| imps).map(|it| it.margins[0])
    }

    /// How it ended; `None` while something of it is to be played.
    pub fn over(&self, contest: &Contest) -> Option<MatchOver> {
        let home = self.scored.home;
        match self.decided {
            Some(Decision::Forfeit { by }) if by == home => return Some(MatchOver::Away),
            Some(Decision::Forfeit { .. }) => return Some(MatchOver::Home),
            Some(Decision::BothForfeit) => return Some(MatchOver::Neither),
            Some(Decision::Awarded { home, away }) => {
                let lead = Points::whole(i64::from(home) - i64::from(away));
                return Some(MatchOver::by_lead(lead));
            }
            Some(Decision::SameDirection | Decision::Cancelled) => return Some(MatchOver::Level),
            Some(Decision::BoardsIn | Decision::Mismatch { .. }) | None => {}
        }
        let to_come = contest.plan.format == Format::HeadToHead && !contest.is_settled();
        if to_come || !self.scored.complete {
            return None;
        }
        let by_boards = MatchOver::by_lead(self.lead(contest));
        if by_boards != MatchOver::Level {
            return Some(by_boards);
        }
        let sides = [home, self.scored.away];
        let ending = contest.ended(self.ending.unwrap_or(Ending::Level), sides);
        Some(match ending {
            Ending::Won { by_home: true, .. } => MatchOver::Home,
            Ending::Won { by_home: false, .. } => MatchOver::Away,
            Ending::PlayOff(_) | Ending::Lot | Ending::Level => MatchOver::Level,
        })
    }
}
