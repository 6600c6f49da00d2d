//! Players over many sessions: everybody's year in a line, and one player's session by session.

use std::collections::{BTreeMap, BTreeSet};

use protocol::words::SessionId;
use season::{Hundredths, Night, PlayerKey, Scale, club_points, worked_out, year};
use serde::Serialize;
use utoipa::ToSchema;

use super::Nights;
use super::shapes::HandicapLine;
use crate::session::Club;

/// Everybody who played in a period.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PlayersView {
    /// Sessions in it.
    pub sessions: usize,
    /// Those with most club points first.
    pub players: Vec<PlayerTotals>,
}

/// A player's period in a line.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PlayerTotals {
    /// Number, or name of who has none.
    pub player: String,
    /// As printed.
    pub name: String,
    /// Sessions played.
    pub sessions: usize,
    /// The mean of the percentages.
    pub mean: Option<f64>,
    /// Club points.
    pub points: u32,
}

/// A player's results session by session.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct YearView {
    /// Number, or name of who has none.
    pub player: String,
    /// As printed.
    pub name: String,
    /// In order of their days.
    pub lines: Vec<YearSession>,
    /// The mean of the percentages.
    pub mean: Option<f64>,
    /// The best of them.
    pub best: Option<f64>,
    /// Club points.
    pub points: u32,
    /// With whom, those most played with first.
    pub partners: Vec<PartnerTotals>,
}

/// A session of a player.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct YearSession {
    /// Its number in the calendar.
    pub session: u32,
    /// Its day.
    pub date: String,
    /// The event it belongs to.
    pub event: String,
    /// What people call it.
    pub title: String,
    /// With whom.
    pub partner: Option<String>,
    /// At matchpoints.
    pub percent: Option<f64>,
    /// In matches.
    pub vp: Option<f64>,
    /// The place.
    pub place: Option<u32>,
    /// Of so many.
    pub of: u32,
    /// Club points.
    pub points: u32,
}

/// What a player did with one partner.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PartnerTotals {
    /// As printed.
    pub name: String,
    /// Sessions together.
    pub sessions: usize,
    /// The mean of the percentages.
    pub mean: Option<f64>,
}

impl PlayersView {
    /// Everybody who played in these sessions.
    pub fn of(nights: &Nights<'_>, sessions: &[SessionId]) -> Self {
        let shown = nights.shown(sessions);
        let mut totals: BTreeMap<&PlayerKey, (usize, i64, i64, u32)> = BTreeMap::new();
        for night in &shown {
            for (player, percent) in players_of(night) {
                let total = totals.entry(player).or_default();
                total.0 += 1;
                if let Some(percent) = percent {
                    total.1 += i64::from(percent.0);
                    total.2 += 1;
                }
            }
        }
        let awarded: Vec<_> = shown.iter().flat_map(|night| club_points(night)).collect();
        for own in &awarded {
            if let Some(total) = totals.get_mut(&own.player) {
                total.3 += own.points;
            }
        }
        let mut players: Vec<PlayerTotals> = totals
            .into_iter()
            .map(|(player, (sessions, sum, count, points))| PlayerTotals {
                player: player.to_string(),
                name: nights.club.called(player),
                sessions,
                mean: mean(sum, count),
                points,
            })
            .collect();
        players.sort_by(|one, other| {
            let key = |it: &PlayerTotals| (std::cmp::Reverse(it.points), it.name.clone());
            key(one).cmp(&key(other))
        });
        Self {
            sessions: shown.len(),
            players,
        }
    }

    /// Everybody's handicap from these sessions.
    pub fn handicaps(
        nights: &Nights<'_>,
        sessions: &[SessionId],
        scale: Scale,
    ) -> Vec<(HandicapLine, u16, f64)> {
        let worked = worked_out(&nights.shown(sessions), scale).into_iter();
        worked
            .map(|own| {
                let line = HandicapLine {
                    player: own.player.to_string(),
                    name: nights.club.called(&own.player),
                    handicap: own.handicap.to_f64(),
                };
                (line, own.sessions, own.mean.to_f64())
            })
            .collect()
    }
}

/// Each player of a session once, with the percentage.
fn players_of(night: &Night) -> Vec<(&PlayerKey, Option<Hundredths>)> {
    let mut seen = BTreeSet::new();
    let mut lines: Vec<_> = night.lines.iter().collect();
    // Who moved counts where more boards were played.
    lines.sort_by_key(|line| std::cmp::Reverse(line.boards));
    let players = lines.into_iter().flat_map(|line| {
        let players = line.players.iter().flatten();
        players.map(|player| (player, line.percent))
    });
    players.filter(|(player, _)| seen.insert(*player)).collect()
}

fn mean(sum: i64, count: i64) -> Option<f64> {
    (count > 0).then(|| {
        let mean = (2 * sum + count).div_euclid(2 * count);
        Hundredths(i32::try_from(mean).unwrap_or_default()).to_f64()
    })
}

impl YearView {
    /// A player's results in these sessions.
    pub fn of(nights: &Nights<'_>, sessions: &[SessionId], player: &PlayerKey) -> Self {
        let club: &Club = nights.club;
        let own = year(player, &nights.shown(sessions));
        let mut with: BTreeMap<&PlayerKey, (usize, i64, i64)> = BTreeMap::new();
        for line in &own.lines {
            if let Some(partner) = &line.partner {
                let total = with.entry(partner).or_default();
                total.0 += 1;
                if let Some(percent) = line.percent {
                    total.1 += i64::from(percent.0);
                    total.2 += 1;
                }
            }
        }
        let mut partners: Vec<PartnerTotals> = with
            .into_iter()
            .map(|(partner, (sessions, sum, count))| PartnerTotals {
                name: club.called(partner),
                sessions,
                mean: mean(sum, count),
            })
            .collect();
        partners.sort_by_key(|it| std::cmp::Reverse(it.sessions));
        let session = |line: &season::YearLine| {
            let scheduled = club.sessions.get(&line.session);
            YearSession {
                session: line.session.get(),
                date: scheduled.map(|it| it.date.clone()).unwrap_or_default(),
                event: club.event_name(line.session).unwrap_or_default().to_owned(),
                title: scheduled.map(|it| it.title.clone()).unwrap_or_default(),
                partner: line.partner.as_ref().map(|it| club.called(it)),
                percent: line.percent.map(Hundredths::to_f64),
                vp: line.vp.map(Hundredths::to_f64),
                place: line.rank,
                of: line.of,
                points: line.points,
            }
        };
        Self {
            player: player.to_string(),
            name: club.called(player),
            lines: own.lines.iter().map(session).collect(),
            mean: own.mean.map(Hundredths::to_f64),
            best: own.best.map(Hundredths::to_f64),
            points: own.points,
            partners,
        }
    }
}
