//! What a session brought, as competitions see it.

use std::collections::{BTreeMap, BTreeSet};

use protocol::words::{PairNumber, PlayerNumber, SectionLetter, SessionId, Side};
use season::{Hundredths, Night, NightLine, PlayerKey};

use crate::scoring::Points;
use crate::session::plan::Partner;
use crate::session::{Club, MatchOver, PairId, Phase, Player, Session};

/// What a session brought, before anybody looked its players up in the club's list: that list may
/// change without the session.
#[derive(Clone, Debug)]
pub struct NightPlayed {
    /// Whether players may know.
    pub released: bool,
    /// Play is over.
    pub ended: bool,
    night: Night,
    players: Vec<[Option<Player>; 2]>,
    matches: Vec<MatchPlayed>,
}

/// A match of a session.
#[derive(Clone, Copy, Debug)]
struct MatchPlayed {
    section: SectionLetter,
    contestants: [u16; 2],
    /// The first one's lead.
    margin: Points,
    /// What of it was brought along.
    brought: Points,
    /// What both of them scored.
    scored: [Points; 2],
    /// How it ended; `None` while something of it is to be played.
    over: Option<MatchOver>,
    /// The director decided it.
    decided: bool,
}

/// What a session says about a match of two, seen from the first of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchPart {
    /// The lead, with what was brought along.
    pub margin: Points,
    /// What of it was brought along.
    pub brought: Points,
    /// What both scored.
    pub scored: [Points; 2],
    /// How it ended there; `None` while something of it is to be played.
    pub over: Option<MatchOver>,
    /// The director decided it: the boards say nothing.
    pub decided: bool,
}

/// The club's players by name: one look at the list for many sessions.
#[derive(Debug)]
pub struct People {
    by_name: BTreeMap<String, Option<PlayerNumber>>,
}

impl People {
    /// Of a club.
    pub fn of(club: &Club) -> Self {
        let mut by_name = BTreeMap::new();
        for (number, name) in &club.members {
            by_name
                .entry(name.to_lowercase())
                // Two of one name are told apart by their numbers only.
                .and_modify(|known| *known = None)
                .or_insert(Some(*number));
        }
        Self { by_name }
    }

    fn key(&self, player: &Player) -> Option<PlayerKey> {
        if let Some(number) = player.number.filter(|it| *it != PlayerNumber::VISITOR) {
            return Some(PlayerKey::Number(number));
        }
        let name = player.name.as_ref()?;
        match self.by_name.get(&name.to_lowercase()) {
            Some(Some(number)) => Some(PlayerKey::Number(*number)),
            _ => name.parse().ok(),
        }
    }
}

impl NightPlayed {
    /// What a session brought so far.
    pub fn of(session: &Session) -> Self {
        let mut lines = Vec::new();
        let lists = session.standings().lists;
        for (list, places) in lists.iter().enumerate() {
            let ranked = places.places.iter().filter(|it| it.rank.is_some());
            let of = u32::try_from(ranked.clone().count()).unwrap_or(u32::MAX);
            lines.extend(ranked.map(|place| {
                let line = NightLine {
                    players: [None, None],
                    percent: place.percent.map(|it| Hundredths(it.0)),
                    vp: None,
                    imps: (!session.ranks_by_percent()).then(|| whole_hundredths(place.points)),
                    boards: place.boards,
                    list,
                    rank: place.rank,
                    of,
                };
                (place.pair, line)
            }));
        }
        session.victory_points_of_tonight(&mut lines, lists.len());
        let played = session.all_tables().collect::<BTreeSet<_>>();
        let players = lines.iter().map(|(pair, _)| session.players_of(*pair));
        let matches = session.contests.iter().flat_map(|(section, contest)| {
            let matches = session.contest_matches(*section).into_iter();
            matches.map(move |it| {
                let sides = [it.scored.home, it.scored.away];
                let [home, away] = sides.map(|number| contest.plan.brought_imps(number));
                MatchPlayed {
                    section: *section,
                    contestants: sides.map(PairNumber::get),
                    margin: it.lead(contest),
                    brought: home - away,
                    scored: it.scored.sides.map(|side| side.scored),
                    over: it.over(contest),
                    decided: it.scored.decision.is_some(),
                }
            })
        });
        Self {
            matches: matches.collect(),
            released: session.phase == Phase::Released,
            ended: matches!(session.phase, Phase::Ended | Phase::Released),
            players: players.collect(),
            night: Night {
                session: session.id,
                tables: played.len(),
                lines: lines.into_iter().map(|(_, line)| line).collect(),
            },
        }
    }

    /// Which session.
    pub const fn session(&self) -> SessionId {
        self.night.session
    }

    /// Whether anything came of it.
    pub fn is_empty(&self) -> bool {
        self.night.lines.is_empty() && self.matches.is_empty()
    }

    /// Whether a section plays matches.
    pub fn plays_matches(&self, section: SectionLetter) -> bool {
        self.matches.iter().any(|it| it.section == section)
    }

    /// What became of the matches of two in a section; `None` where they did not meet.
    pub fn meeting(&self, section: SectionLetter, between: [u16; 2]) -> Option<MatchPart> {
        let [first, second] = between;
        let met = self.matches.iter().filter(|it| it.section == section);
        let met = met.filter_map(|it| match it.contestants {
            [home, away] if [home, away] == [first, second] => Some(MatchPart {
                margin: it.margin,
                brought: it.brought,
                scored: it.scored,
                over: it.over,
                decided: it.decided,
            }),
            [home, away] if [home, away] == [second, first] => Some(MatchPart {
                margin: -it.margin,
                brought: -it.brought,
                scored: [it.scored[1], it.scored[0]],
                over: it.over.map(MatchOver::turned),
                decided: it.decided,
            }),
            _ => None,
        });
        // Where they met several times the boards of all meetings count.
        met.reduce(|sum, one| {
            let margin = sum.margin + one.margin;
            MatchPart {
                margin,
                brought: sum.brought + one.brought,
                scored: [0, 1].map(|side| sum.scored[side] + one.scored[side]),
                over: sum.over.and(one.over).map(|_| MatchOver::by_lead(margin)),
                decided: false,
            }
        })
    }

    /// The session with its players as the club knows them.
    pub fn with(&self, people: &People) -> Night {
        let mut night = self.night.clone();
        for (line, players) in night.lines.iter_mut().zip(&self.players) {
            line.players = players
                .each_ref()
                .map(|player| player.as_ref().and_then(|it| people.key(it)));
        }
        night
    }
}

impl Session {
    /// Adds what pairs won in tonight's matches; those have a ranking of their own.
    fn victory_points_of_tonight(&self, lines: &mut [(PairId, NightLine)], lists: usize) {
        let contests = self.contests.iter().filter(|it| !it.1.plan.is_teams());
        for (list, (section, _)) in (lists..).zip(contests) {
            let standing = self.contest_standing(*section);
            let of = u32::try_from(standing.len()).unwrap_or(u32::MAX);
            for place in standing {
                let own = lines
                    .iter_mut()
                    .find(|(pair, _)| pair.section == *section && pair.number == place.contestant);
                let Some((_, line)) = own else { continue };
                let before = self.contest_won_before(*section, place.contestant) + place.carry_over;
                line.vp = Some(Hundredths((place.vp - before).0));
                (line.list, line.rank, line.of) = (list, Some(place.place), of);
            }
        }
    }

    /// Who played the most of a pair's boards.
    fn players_of(&self, pair: PairId) -> [Option<Player>; 2] {
        [Partner::First, Partner::Second].map(|partner| {
            let all: Vec<&Player> = self
                .roster
                .all_of(pair, partner)
                .map(|(_, it)| it)
                .collect();
            match all.as_slice() {
                [] => None,
                [one] => Some((*one).clone()),
                several => self.mostly(pair, partner, several),
            }
        })
    }

    fn mostly(&self, pair: PairId, partner: Partner, several: &[&Player]) -> Option<Player> {
        let section = self.sections.get(&pair.section)?;
        let mut boards = vec![0_usize; several.len()];
        for sitting in section.sittings.values().filter(|it| it.is_played()) {
            let sides = [(Side::NorthSouth, sitting.ns), (Side::EastWest, sitting.ew)];
            let plays = sides.into_iter().any(|(side, number)| {
                number.is_some_and(|number| self.pair_id(pair.section, side, number) == pair)
            });
            let player = self.roster.at(pair, partner, sitting.round);
            let place = player.and_then(|player| several.iter().position(|it| *it == player));
            if let Some(count) = place.filter(|_| plays).and_then(|at| boards.get_mut(at)) {
                *count += sitting.boards.iter().count();
            }
        }
        // Of equals the one who began.
        let most = boards.iter().max()?;
        let at = boards.iter().position(|it| it == most)?;
        several.get(at).map(|it| (*it).clone())
    }
}

/// IMPs in hundredths, halves up.
fn whole_hundredths(points: Points) -> Hundredths {
    let hundredths = (points.ten_thousandths() + 50).div_euclid(100);
    Hundredths(i32::try_from(hundredths).unwrap_or(i32::MAX))
}
