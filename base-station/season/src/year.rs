//! One player's results.

use protocol::words::SessionId;

use crate::{Hundredths, Night, PlayerKey, club_points};

/// A player's results over some sessions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Year {
    /// One for each session played, in order.
    pub lines: Vec<YearLine>,
    /// The mean of the percentages.
    pub mean: Option<Hundredths>,
    /// The best of them.
    pub best: Option<Hundredths>,
    /// Club points in all.
    pub points: u32,
}

/// A session of a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct YearLine {
    /// Which.
    pub session: SessionId,
    /// With whom.
    pub partner: Option<PlayerKey>,
    /// At matchpoints.
    pub percent: Option<Hundredths>,
    /// In matches.
    pub vp: Option<Hundredths>,
    /// The place.
    pub rank: Option<u32>,
    /// Of so many.
    pub of: u32,
    /// Club points of the session.
    pub points: u32,
}

/// A player's results over these sessions.
pub fn year(player: &PlayerKey, nights: &[&Night]) -> Year {
    let line = |night: &&Night| {
        let own = night.line_of(player)?;
        let awarded = club_points(night).into_iter();
        Some(YearLine {
            session: night.session,
            partner: own.partner_of(player).cloned(),
            percent: own.percent,
            vp: own.vp,
            rank: own.rank,
            of: own.of,
            points: awarded
                .filter(|it| it.player == *player)
                .map(|it| it.points)
                .sum(),
        })
    };
    let lines: Vec<YearLine> = nights.iter().filter_map(line).collect();
    let percents: Vec<Hundredths> = lines.iter().filter_map(|line| line.percent).collect();
    Year {
        mean: Hundredths::mean(&percents),
        best: percents.iter().max().copied(),
        points: lines.iter().map(|line| line.points).sum(),
        lines,
    }
}
