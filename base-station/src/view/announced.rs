//! Who came where, as it is announced in the room, on the television and on certificates: by victory
//! points or IMPs where matches are played, and by the ranking elsewhere.

use protocol::words::SectionLetter;
use serde::Serialize;
use utoipa::ToSchema;

use super::{RankingStanding, RankingView, contestant_name};
use crate::session::{Club, Contest, Format, PairId, Session};
use telling::Told;

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum CountedIn {
    /// Per cent of the matchpoints.
    Percent,
    /// IMPs.
    Imps,
    /// Victory points.
    Vps,
}

/// One list of places.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct AnnouncedList {
    /// `Section A, North-South`, or the name of an event of matches.
    #[schema(value_type = String)]
    pub title: Told,
    /// Whether matches were played.
    pub matches: bool,
    /// What is counted.
    pub counted_in: CountedIn,
    /// With how many decimals it is shown.
    pub decimals: u8,
    /// The best first.
    pub lines: Vec<AnnouncedLine>,
}

/// A pair or a team.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct AnnouncedLine {
    /// `1`, `2=`; empty without a place.
    pub place: String,
    /// Both players of a pair, or the name of a team.
    #[schema(value_type = String)]
    pub names: Told,
    /// The pair, where it is one of the ranking.
    #[schema(value_type = Option<String>, example = "A7NS")]
    pub pair: Option<PairId>,
    /// The players of a team.
    pub players: Vec<String>,
    /// What it has.
    pub worth: f64,
}

impl AnnouncedLine {
    /// Whether it has won, alone or with others.
    pub fn is_first(&self) -> bool {
        self.place.trim_end_matches('=') == "1"
    }
}

/// Every list of a session: a section's matches are announced by their standing, everybody else by
/// the ranking.
pub(super) fn announced(
    club: &Club,
    session: &Session,
    ranking: &RankingView,
) -> Vec<AnnouncedList> {
    let contests = session.contests.iter();
    let of_matches =
        contests.map(|(section, contest)| of_contest(club, session, *section, contest));
    of_matches
        .chain(of_ranking(session, ranking))
        .filter(|list| !list.lines.is_empty())
        .collect()
}

fn of_contest(
    club: &Club,
    session: &Session,
    section: SectionLetter,
    contest: &Contest,
) -> AnnouncedList {
    let plan = &contest.plan;
    // A match in stanzas is one match: what its boards came to is what everybody wants to know.
    let by_imps = plan.format == Format::HeadToHead;
    let standing = session.contest_standing(section);
    let plays = |number| !contest.withdrawn.contains_key(&number);
    let lines: Vec<_> = standing.iter().filter(|it| plays(it.contestant)).collect();
    let shared = |place| lines.iter().filter(|it| it.place == place).count() > 1;
    let players = |number| {
        let entered = plan.contestant(number).filter(|_| plan.is_teams());
        entered.map_or_else(Vec::new, |it| it.players.clone())
    };
    AnnouncedList {
        title: Told::as_written(if session.sections.len() > 1 {
            format!("{section} {}", plan.name)
        } else {
            plan.name.clone()
        }),
        matches: true,
        counted_in: if by_imps {
            CountedIn::Imps
        } else {
            CountedIn::Vps
        },
        // Teams win whole IMPs.
        decimals: if by_imps && plan.is_teams() { 0 } else { 2 },
        lines: lines
            .iter()
            .map(|it| AnnouncedLine {
                place: format!("{}{}", it.place, if shared(it.place) { "=" } else { "" }),
                names: Told::as_written(contestant_name(club, session, section, it.contestant)),
                pair: None,
                players: players(it.contestant),
                worth: if by_imps {
                    it.net.to_f64()
                } else {
                    f64::from(it.vp.0) / 100.0
                },
            })
            .collect(),
    }
}

fn of_ranking<'a>(
    session: &'a Session,
    ranking: &'a RankingView,
) -> impl Iterator<Item = AnnouncedList> + 'a {
    let by_imps = ranking.points_name == "imps";
    ranking.lists.iter().map(move |list| AnnouncedList {
        title: list.title.clone(),
        matches: false,
        counted_in: if by_imps {
            CountedIn::Imps
        } else {
            CountedIn::Percent
        },
        decimals: if by_imps { ranking.decimals } else { 2 },
        lines: list
            .lines
            .iter()
            // Who plays matches has a standing of its own.
            .filter(|line| !session.contests.contains_key(&line.pair.section))
            .map(|line| AnnouncedLine {
                place: match line.standing {
                    RankingStanding::Ranked => line.place.clone(),
                    RankingStanding::WentHome | RankingStanding::FewBoards => String::new(),
                },
                names: line.names.clone(),
                pair: Some(line.pair),
                players: Vec::new(),
                worth: line.percent.unwrap_or(line.points),
            })
            .collect(),
    })
}
