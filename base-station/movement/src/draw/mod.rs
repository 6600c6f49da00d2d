//! Draws: who plays whom in which round, where boards and tables are arranged match by match.
//!
//! The round robins for teams and the interstate draws are charts with no rule behind them, so
//! they are kept as readable text beside this file. The Butler draws turn one round on like a
//! Howell, in an order of rounds that the regulations fix.

#[cfg(test)]
mod tests;

use protocol::words::{PairNumber, RoundNumber, TableNumber};
use serde::Serialize;

use super::Refused;
use super::generate::build::{around, pair, round, table};

const ROUND_ROBINS: &str = include_str!("round_robin.txt");
const INTERSTATE: &str = include_str!("interstate.txt");

/// One match of a round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Match {
    /// Two contestants; the first sits NS (or at home) where that matters.
    Versus(PairNumber, PairNumber),
    /// Three teams play each other over two rounds.
    Troika([PairNumber; 3]),
}

/// The matches of one round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DrawRound {
    /// Which draw it belongs to, where there are several.
    pub draw: Option<String>,
    /// The round in which it is played.
    pub round: RoundNumber,
    /// The later round with the same matches.
    pub repeated: Option<RoundNumber>,
    /// Table (or pair of tables) 1 first.
    pub matches: Vec<Match>,
}

/// A whole draw.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Draw {
    /// What the director calls it.
    pub name: String,
    /// Round by round.
    pub rounds: Vec<DrawRound>,
    /// What the director should know.
    pub notes: Vec<String>,
}

/// One table of a troika: two of three teams, and which of the three sets they play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct TroikaTable {
    /// The first or the second round.
    pub round: RoundNumber,
    /// Each team is at home at one table.
    pub table: TableNumber,
    /// The team at home.
    pub ns_team: PairNumber,
    /// The visitors.
    pub ew_team: PairNumber,
    /// A, B or C.
    pub board_set: char,
}

/// Every team plays every other once; an odd number of teams needs a troika in every round.
pub fn round_robin(teams: u16) -> Result<Draw, Refused> {
    let name = format!("Round robin of {teams} teams");
    if let Some(chart) = chart_lines(ROUND_ROBINS)
        .find_map(|(head, chart)| (head.parse() == Ok(teams)).then_some(chart))
    {
        let rounds = chart
            .split('|')
            .zip(1..)
            .map(|(matches, number)| read_round(matches, number))
            .collect::<Option<Vec<_>>>()
            .ok_or(Refused::ChartDamaged)?;
        let notes = round_robin_notes(teams);
        return Ok(Draw {
            name,
            rounds,
            notes,
        });
    }
    if !(4..=40).contains(&teams) || !teams.is_multiple_of(2) {
        return Err(Refused::NoRoundRobin { teams });
    }
    Ok(Draw {
        name,
        rounds: (1..teams)
            .map(|number| circle_round(teams, number))
            .collect(),
        notes: round_robin_notes(teams),
    })
}

/// Shorter matches say little about who is better.
const MATCH_BOARDS_MIN: u16 = 8;

/// Matches in a session, when each has that many boards.
const MATCHES_A_SESSION: u16 = 3;

/// What a full round robin takes.
fn round_robin_notes(teams: u16) -> Vec<String> {
    let sessions = (teams - 1).div_ceil(MATCHES_A_SESSION);
    vec![
        format!("At least {MATCH_BOARDS_MIN} boards a match, from two sets of boards."),
        format!(
            "With {MATCHES_A_SESSION} matches a session that is {sessions} sessions; with fewer play a Swiss."
        ),
    ]
}

/// One team sits, the others turn around it.
fn circle_round(teams: u16, number: u16) -> DrawRound {
    let movers = teams - 1;
    let turn = i32::from(number);
    let versus = |one: u16, other: u16| Some(Match::Versus(pair(one)?, pair(other)?));
    let sitter = versus(around(turn, movers), teams);
    let others = (1..=movers / 2).map(|away| {
        versus(
            around(turn + i32::from(away), movers),
            around(turn - i32::from(away), movers),
        )
    });
    DrawRound {
        draw: None,
        round: round(number),
        repeated: None,
        matches: sitter.into_iter().chain(others.flatten()).collect(),
    }
}

/// Two rounds in which three teams play each other, compared only after both.
pub fn troika() -> Vec<TroikaTable> {
    let spot = |number: u16, here: u16| {
        let first = number == 1;
        let ew = around(i32::from(here) + if first { -1 } else { 1 }, 3);
        let set = around(i32::from(here) + i32::from(!first), 3);
        Some(TroikaTable {
            round: round(number),
            table: table(here),
            ns_team: pair(here)?,
            ew_team: pair(ew)?,
            board_set: ['A', 'B', 'C'][usize::from(set) - 1],
        })
    };
    (1..=2)
        .flat_map(|number| (1..=3).filter_map(move |here| spot(number, here)))
        .collect()
}

/// The regulations' order of rounds, and how far from the round's own pair everybody sits.
struct ButlerChart {
    pairs: u16,
    /// The pair that meets the highest one in round 1, 2 and so on.
    order: &'static [u16],
    /// NS and EW of tables 2, 3 and so on, counted from that pair.
    tables: &'static [(i32, i32)],
    /// The pair number drawn for seed 1, 2 and so on.
    seeds: &'static [u16],
}

const BUTLER_CHARTS: [ButlerChart; 2] = [
    ButlerChart {
        pairs: 12,
        order: &[6, 4, 10, 3, 5, 9, 1, 11, 7, 8, 2],
        tables: &[(1, -1), (-2, 2), (3, -3), (4, -4), (5, -5)],
        seeds: &[1, 7, 2, 3, 10, 12, 11, 5, 4, 9, 8, 6],
    },
    ButlerChart {
        pairs: 14,
        order: &[2, 5, 13, 12, 6, 7, 3, 8, 9, 11, 10, 4, 1],
        tables: &[(5, 4), (7, 1), (8, 12), (2, 10), (6, 3), (11, 9)],
        seeds: &[10, 8, 11, 3, 6, 4, 14, 1, 5, 9, 7, 13, 12, 2],
    },
];

fn butler_chart(pairs: u16) -> Result<&'static ButlerChart, Refused> {
    BUTLER_CHARTS
        .iter()
        .find(|chart| chart.pairs == pairs)
        .ok_or(Refused::NoButlerDraw { pairs })
}

/// The Butler round robin of 12 or 14 pairs.
pub fn butler_draw(pairs: u16) -> Result<Draw, Refused> {
    let chart = butler_chart(pairs)?;
    let rounds = chart
        .order
        .iter()
        .zip(1..)
        .map(|(&centre, number)| {
            let seat = |away: i32| pair(around(i32::from(centre) + away, pairs - 1));
            let top = Some((pair(pairs), pair(centre)));
            let others = chart.tables.iter().map(|&(ns, ew)| (seat(ns), seat(ew)));
            DrawRound {
                draw: None,
                round: round(number),
                repeated: None,
                matches: top
                    .into_iter()
                    .chain(others)
                    .filter_map(|(ns, ew)| Some(Match::Versus(ns?, ew?)))
                    .collect(),
            }
        })
        .collect();
    Ok(Draw {
        name: format!("Butler draw of {pairs} pairs"),
        rounds,
        notes: Vec::new(),
    })
}

/// The pair numbers that seeds 1, 2 and so on get in a Butler draw.
pub fn butler_seeds(pairs: u16) -> Result<Vec<PairNumber>, Refused> {
    Ok(butler_chart(pairs)?
        .seeds
        .iter()
        .filter_map(|&number| pair(number))
        .collect())
}

/// The interstate teams draws of 6 or 8 teams, which repeat some of their rounds.
pub fn interstate_draw(teams: u16) -> Result<Draw, Refused> {
    let rounds: Vec<DrawRound> = chart_lines(INTERSTATE)
        .filter_map(|(head, chart)| {
            let [size, draw, number, repeated] = head.split(' ').collect::<Vec<_>>()[..] else {
                return None;
            };
            let read = read_round(chart, number.parse().ok()?)?;
            (size.parse() == Ok(teams)).then_some(DrawRound {
                draw: Some(draw.to_owned()),
                repeated: repeated.parse().ok(),
                ..read
            })
        })
        .collect();
    if rounds.is_empty() {
        return Err(Refused::NoInterstateDraw { teams });
    }
    Ok(Draw {
        name: format!("Interstate draw of {teams} teams"),
        rounds,
        notes: Vec::new(),
    })
}

/// `head: chart` for every line that is not a comment.
fn chart_lines(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once(": "))
}

/// Reads `1-6 2-5 3-4-7`.
fn read_round(matches: &str, number: u16) -> Option<DrawRound> {
    let matches = matches
        .split_whitespace()
        .map(|text| {
            let teams: Option<Vec<PairNumber>> =
                text.split('-').map(|team| team.parse().ok()).collect();
            match teams?[..] {
                [one, other] => Some(Match::Versus(one, other)),
                [one, two, three] => Some(Match::Troika([one, two, three])),
                _ => None,
            }
        })
        .collect::<Option<Vec<_>>>()?;
    Some(DrawRound {
        draw: None,
        round: round(number),
        repeated: None,
        matches,
    })
}

impl Draw {
    /// The first two contestants who meet twice, or a round in which somebody plays twice.
    ///
    /// A draw that repeats its rounds on purpose is judged draw by draw; a troika spans two rounds
    /// and counts once.
    pub fn fault(&self) -> Option<String> {
        let mut met = std::collections::BTreeMap::new();
        for entry in &self.rounds {
            let mut playing = std::collections::BTreeSet::new();
            for contest in &entry.matches {
                let (teams, share): (&[PairNumber], usize) = match contest {
                    Match::Versus(one, other) => (&[*one, *other], 2),
                    Match::Troika(three) => (three, 1),
                };
                for (index, &one) in teams.iter().enumerate() {
                    if !playing.insert(one) {
                        return Some(format!("{one} plays twice in round {}", entry.round));
                    }
                    for &other in &teams[index + 1..] {
                        let key = (entry.draw.clone(), one.min(other), one.max(other));
                        let halves: &mut usize = met.entry(key).or_default();
                        *halves += share;
                        if *halves > 2 {
                            return Some(format!("{one} and {other} meet twice"));
                        }
                    }
                }
            }
        }
        None
    }
}
