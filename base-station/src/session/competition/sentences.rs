//! What happened to competitions, in words.

use telling::{Told, tell};

use super::CompetitionEvent;

impl CompetitionEvent {
    /// For the club's history.
    pub fn sentence(&self) -> Told {
        let n = self.competition().map_or(0, |it| it.0);
        match self {
            Self::KnockOut(event) => event.sentence(),
            Self::Championship(event) => event.sentence(),
            Self::Begun { plan, .. } => tell!(History::CompetitionBegun { name: &*plan.name }),
            Self::Changed { plan, .. } => tell!(History::CompetitionChanged { name: &*plan.name }),
            Self::SessionSet {
                session, counts, ..
            } => {
                let session = session.get();
                match counts {
                    Some(true) => tell!(History::CompetitionSessionIn { n, session }),
                    Some(false) => tell!(History::CompetitionSessionOut { n, session }),
                    None => tell!(History::CompetitionSessionUsual { n, session }),
                }
            }
            Self::Entered { entry, pair, .. } if pair.withdrawn => {
                tell!(History::CompetitionWithdrawn { n, entry: entry.0 })
            }
            Self::Entered { entry, pair, .. } => tell!(History::CompetitionEntered {
                n,
                entry: entry.0,
                one: pair.players[0].to_string(),
                other: pair.players[1].to_string()
            }),
            Self::Noted { session, entry, .. } => tell!(History::CompetitionNoted {
                n,
                session: session.get(),
                entry: entry.0
            }),
            Self::HandicapsSet { handicaps, .. } => tell!(History::CompetitionHandicaps {
                n,
                players: handicaps.len()
            }),
            Self::Grouped { .. } => tell!(History::CompetitionGrouped { n }),
            Self::PutAway { away: true, .. } => tell!(History::CompetitionPutAway { n }),
            Self::PutAway { away: false, .. } => tell!(History::CompetitionBroughtBack { n }),
        }
    }
}
