//! Competitions for pages and sheets, as pure functions of the club and of what its sessions
//! brought.

mod championship;
mod honours;
mod knockout;
mod played;
mod players;
mod shapes;
mod stages;
mod words;

use std::collections::BTreeMap;
use std::sync::Arc;

use protocol::words::SessionId;
use season::{Cell, Line, Measure, Night, Played, PlayerKey, Rules, Status, Total, group_lists};
use telling::{Told, tell};

use crate::session::{Club, Competition, CompetitionId, MatchPart, NightPlayed, People, PlayedAt};

pub use honours::{HonouredEvent, HonoursView};
pub use knockout::{KnockOutMatch, KnockOutView};
pub use played::Stages;
pub use players::{PlayersView, YearView};
pub use shapes::{CompetitionCell, CompetitionLine};
pub use shapes::{CompetitionView, RulesForm, SessionLine, TakesForm};
use shapes::{EntryLine, GroupView, HandicapLine, PlaceInGroup};
pub use stages::{ChampionshipView, ComingView, StageField, StageView};

/// Who reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// The director: everything that is over.
    Director,
    /// Everybody: what is released.
    Everybody,
}

/// What sessions brought, with their players as the club knows them.
#[derive(Clone, Debug)]
pub struct Nights<'a> {
    club: &'a Club,
    audience: Audience,
    of: BTreeMap<SessionId, (Night, bool)>,
    begun: Vec<SessionId>,
    played: BTreeMap<SessionId, Arc<NightPlayed>>,
}

impl<'a> Nights<'a> {
    /// Of these sessions.
    pub fn of(club: &'a Club, played: &[Arc<NightPlayed>], audience: Audience) -> Self {
        let people = People::of(club);
        let mut nights = Self {
            club,
            audience,
            of: BTreeMap::new(),
            begun: Vec::new(),
            played: BTreeMap::new(),
        };
        for night in played.iter().filter(|night| !night.is_empty()) {
            // What a director left without an end is over once another session is chosen.
            let over = night.ended || club.chosen != Some(night.session());
            let shown = match audience {
                Audience::Director => over,
                Audience::Everybody => night.released,
            };
            // A match of a knock-out tells the director who leads while it is played.
            if audience == Audience::Director || night.released {
                nights.played.insert(night.session(), Arc::clone(night));
            }
            if shown {
                let of = (night.with(&people), night.released);
                nights.of.insert(night.session(), of);
            } else {
                nights.begun.push(night.session());
            }
        }
        nights
    }

    /// Those that may be shown, in the order of these sessions.
    pub(super) fn shown(&self, sessions: &[SessionId]) -> Vec<&Night> {
        let known = sessions.iter().filter_map(|session| self.of.get(session));
        known.map(|(night, _)| night).collect()
    }

    /// What became of a match where it was played.
    fn meeting(&self, at: PlayedAt) -> Option<MatchPart> {
        let night = self.played.get(&at.session)?;
        night.meeting(at.section, at.contestants)
    }

    /// A session as people call it: day, event, title.
    fn session_name(&self, session: SessionId) -> String {
        let scheduled = self.club.sessions.get(&session);
        let event = self.club.event_name(session).unwrap_or_default();
        let date = scheduled.map_or("", |it| it.date.as_str());
        let title = scheduled.map_or("", |it| it.title.as_str());
        let parts = [date, event, title].into_iter().filter(|it| !it.is_empty());
        parts.collect::<Vec<_>>().join(", ")
    }
}

impl CompetitionView {
    /// A competition as it stands.
    pub fn of(nights: &Nights<'_>, number: CompetitionId, competition: &Competition) -> Self {
        let club = nights.club;
        let rules = &competition.plan.rules;
        let sessions = club.sessions_of(competition);
        let played: Vec<&Night> = nights
            .shown(&sessions)
            .into_iter()
            .filter(|night| has_figures(night, rules))
            .collect();
        let lines = season::Competition {
            rules,
            nights: &played,
            entries: &competition.entries,
            notes: &competition.notes,
            handicaps: &competition.handicaps,
        }
        .standing();
        let shape = Shape {
            club,
            rules,
            lines: &lines,
        };
        let groups = group_lists(&lines, &competition.groups).into_iter();
        Self {
            id: number.0,
            name: competition.plan.name.clone(),
            away: competition.away,
            says: words::rules(rules, !competition.notes.is_empty()),
            rules: (*rules).into(),
            takes: (&competition.plan.takes).into(),
            sessions: sessions
                .iter()
                .map(|session| session_line(nights, &played, *session, competition))
                .collect(),
            left_out: left_out(club, competition),
            lines: lines.iter().map(|line| shape.line(line)).collect(),
            groups: groups
                .map(|list| GroupView {
                    name: list.name,
                    places: shape.in_group(&list.places),
                })
                .collect(),
            grouping: (&competition.groups).into(),
            entries: competition
                .entries
                .iter()
                .map(|(number, entry)| EntryLine {
                    number: number.0,
                    players: entry.players.clone().map(|it| it.to_string()),
                    names: names(club, &entry.players),
                    withdrawn: entry.withdrawn,
                    non_contending: entry.non_contending,
                })
                .collect(),
            handicaps: competition
                .handicaps
                .iter()
                .map(|(player, handicap)| HandicapLine {
                    player: player.to_string(),
                    name: club.called(player),
                    handicap: handicap.to_f64(),
                })
                .collect(),
            problems: problems(nights, competition, &sessions, &played, &lines),
        }
    }
}

/// What the standing of one competition is shown with.
struct Shape<'a> {
    club: &'a Club,
    rules: &'a Rules,
    lines: &'a [Line],
}

impl Shape<'_> {
    fn line(&self, line: &Line) -> CompetitionLine {
        let level = |place: Option<u32>, of: fn(&Line) -> Option<u32>| {
            self.lines.iter().filter(|it| of(it) == place).count() > 1
        };
        let written = |place: Option<u32>, of| {
            place.map_or_else(String::new, |number| {
                format!("{number}{}", if level(place, of) { "=" } else { "" })
            })
        };
        let (raw, raw_place) = line.raw;
        CompetitionLine {
            place: written(line.place, |it| it.place),
            entry: line.entry.map(|it| it.0),
            players: line.players.iter().map(PlayerKey::to_string).collect(),
            names: names(self.club, &line.players),
            total: line.total.to_f64(),
            raw_total: raw.to_f64(),
            raw_place: written(raw_place, |it| it.raw.1),
            sessions: line.sessions,
            own: line.own,
            standing: match line.status {
                Status::Qualified => "qualified",
                Status::Needs(_) | Status::NeedsPartner => "on-the-way",
                Status::Out(_) => "out",
            },
            why: words::status(line, self.rules),
            decided_by: line.decided_by.map(words::step),
            cells: line.cells.iter().map(|cell| self.cell(cell)).collect(),
        }
    }

    fn cell(&self, cell: &Cell) -> CompetitionCell {
        CompetitionCell {
            session: cell.session.get(),
            played: match &cell.played {
                Played::Own => "own",
                Played::WithSubstitute(_) => "substitute",
                Played::ByOthers => "by-others",
                Played::ByOthersUnexcused => "unexcused",
                Played::SamePartner => "same-partner",
                Played::Away(_) => "away",
                Played::Missed => "missed",
                Played::Unclear => "unclear",
            },
            scored: cell.scored.map(season::Hundredths::to_f64),
            counted: cell.counted.map(season::Hundredths::to_f64),
            in_total: cell.in_total,
            partner: cell.partner.as_ref().map(|it| self.club.called(it)),
            note: words::played(self.club, cell),
        }
    }

    fn in_group(&self, places: &[(u32, usize)]) -> Vec<PlaceInGroup> {
        let shared = |place: u32| places.iter().filter(|it| it.0 == place).count() > 1;
        places
            .iter()
            .filter_map(|(place, at)| {
                let line = self.lines.get(*at)?;
                Some(PlaceInGroup {
                    place: format!("{place}{}", if shared(*place) { "=" } else { "" }),
                    names: names(self.club, &line.players),
                    total: line.total.to_f64(),
                })
            })
            .collect()
    }
}

/// Two names as on a ranking.
pub(super) fn names(club: &Club, players: &[PlayerKey]) -> String {
    let names: Vec<String> = players.iter().map(|it| club.called(it)).collect();
    names.join(" – ")
}

fn has_figures(night: &Night, rules: &Rules) -> bool {
    night.lines.iter().any(|line| match rules.measure {
        Measure::Percent => line.percent.is_some(),
        Measure::VictoryPoints => line.vp.is_some(),
        Measure::Imps => line.imps.is_some(),
    })
}

fn session_line(
    nights: &Nights<'_>,
    played: &[&Night],
    session: SessionId,
    competition: &Competition,
) -> SessionLine {
    let club = nights.club;
    let scheduled = club.sessions.get(&session);
    SessionLine {
        id: session.get(),
        date: scheduled.map(|it| it.date.clone()).unwrap_or_default(),
        event: club.event_name(session).unwrap_or_default().to_owned(),
        title: scheduled.map(|it| it.title.clone()).unwrap_or_default(),
        state: if played.iter().any(|night| night.session == session) {
            "counts"
        } else if nights.of.contains_key(&session) {
            "no-figures"
        } else if nights.begun.contains(&session) {
            "being-played"
        } else {
            "to-come"
        },
        by_hand: competition.sessions.contains_key(&session),
    }
}

/// Sessions that were taken out one by one.
fn left_out(club: &Club, competition: &Competition) -> Vec<SessionLine> {
    let out = competition.sessions.iter().filter(|(_, counts)| !**counts);
    out.filter_map(|(session, _)| {
        let scheduled = club.sessions.get(session)?;
        Some(SessionLine {
            id: session.get(),
            date: scheduled.date.clone(),
            event: club.event_name(*session).unwrap_or_default().to_owned(),
            title: scheduled.title.clone(),
            state: "left-out",
            by_hand: true,
        })
    })
    .collect()
}

/// What the director should look at.
fn problems(
    nights: &Nights<'_>,
    competition: &Competition,
    sessions: &[SessionId],
    played: &[&Night],
    lines: &[Line],
) -> Vec<Told> {
    let rules = &competition.plan.rules;
    if nights.audience == Audience::Everybody {
        return Vec::new();
    }
    let name = |session| nights.session_name(session);
    let mut told = Vec::new();
    if sessions.len() > rules.sessions.into() {
        told.push(tell!(Competition::ProblemMoreSessions {
            n: sessions.len(),
            planned: rules.sessions
        }));
    }
    for line in lines {
        let unclear = line.cells.iter().filter(|it| it.played == Played::Unclear);
        told.extend(unclear.map(|cell| {
            tell!(Competition::ProblemUnclear {
                pair: names(nights.club, &line.players),
                session: name(cell.session)
            })
        }));
    }
    for session in sessions {
        let Some((night, released)) = nights.of.get(session) else {
            continue;
        };
        let session = name(*session);
        if !played.iter().any(|it| it.session == night.session) {
            told.push(tell!(Competition::ProblemNoFigures { session }));
            continue;
        }
        if !released {
            let session = session.clone();
            told.push(tell!(Competition::ProblemNotReleased { session }));
        }
        if night.lines.iter().any(|line| line.players.contains(&None)) {
            told.push(tell!(Competition::ProblemNamesMissing { session }));
        }
    }
    told
}

impl CompetitionView {
    /// Whether the mean counts and not the sum.
    pub fn is_mean(&self) -> bool {
        self.rules.total == Total::Mean
    }
}
