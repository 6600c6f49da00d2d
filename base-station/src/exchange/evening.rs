//! A session as other programs see it: sections, pairs with their names and places, and the
//! results of every board with what they are worth.

use std::collections::BTreeMap;

use protocol::words::{BoardNumber, PlayerNumber, RoundNumber, Score, SectionLetter, Side};

use super::contests::{self, ContestSheet};
use crate::deals::Deals;
use crate::scoring::{Datum, Percent, Points};
use crate::session::plan::{Method, Partner, PenaltyAmount, Ruling};
use crate::session::{Cell, Club, Moment, PairId, RankingPlace, Session};

/// A session.
#[derive(Clone, Debug, PartialEq)]
pub struct Evening {
    /// The event's name.
    pub event: String,
    /// The session's own name; may be empty.
    pub title: String,
    /// As 2026-11-16.
    pub date: String,
    /// How it is scored.
    pub method: Method,
    /// The matches of the sections that play some.
    pub contests: Vec<ContestSheet>,
    /// By letter.
    pub sections: Vec<SectionSheet>,
    /// The cards of the boards in play.
    pub deals: Deals,
    /// Pairs with a penalty, and what for.
    pub penalties: Vec<(PairId, PenaltyAmount)>,
    /// Where a result stands of which one pair is not known: no file has a place for it.
    pub without_a_pair: Vec<Cell>,
}

/// A section.
#[derive(Clone, Debug, PartialEq)]
pub struct SectionSheet {
    /// Its letter.
    pub letter: SectionLetter,
    /// Whether both directions are ranked together.
    pub one_winner: bool,
    /// Everybody who has a place, North-South before East-West, by number.
    pub pairs: Vec<PairSheet>,
    /// Boards with results, by number.
    pub boards: Vec<BoardSheet>,
}

/// A pair.
#[derive(Clone, Debug, PartialEq)]
pub struct PairSheet {
    /// The pair.
    pub id: PairId,
    /// North or East first.
    pub players: [PlayerSheet; 2],
    /// Somebody else played for one of them for a while.
    pub substituted: bool,
    /// From 1; 0 below the line, where it has none.
    pub rank: u32,
    /// Others have the same rank.
    pub shared: bool,
    /// Boards that counted.
    pub boards: u32,
    /// Matchpoints or IMPs, penalties taken off.
    pub points: Points,
    /// The most it could have had.
    pub top: Points,
    /// At matchpoints.
    pub percent: Option<Percent>,
}

/// A player.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayerSheet {
    /// As printed; empty where nobody knows it.
    pub name: String,
    /// In the club's or the national list.
    pub number: Option<PlayerNumber>,
    /// The same as that list writes it; empty where there is none.
    pub written: String,
}

/// A board.
#[derive(Clone, Debug, PartialEq)]
pub struct BoardSheet {
    /// Its number.
    pub board: BoardNumber,
    /// The best possible; nothing at IMPs.
    pub top: Points,
    /// What everybody is compared with at Butler.
    pub datum: Option<Datum>,
    /// Every result, by round and table.
    pub lines: Vec<LineSheet>,
}

/// What became of a board at a table.
#[derive(Clone, Debug, PartialEq)]
pub struct LineSheet {
    /// Where and when.
    pub cell: Cell,
    /// Who sat North-South.
    pub ns: PairId,
    /// Who sat East-West.
    pub ew: PairId,
    /// What it is.
    pub ruling: Ruling,
    /// The score at the table from North-South's view.
    pub score: Option<Score>,
    /// The form of the board, `A` unless it was fouled.
    pub form: char,
    /// When it was last changed.
    pub at: Moment,
    /// Worth to North-South.
    pub ns_points: Option<Points>,
    /// Worth to East-West.
    pub ew_points: Option<Points>,
    /// North-South's share of the top.
    pub ns_percent: Option<Percent>,
    /// East-West's.
    pub ew_percent: Option<Percent>,
}

impl Evening {
    /// The session as it stands.
    pub fn of(club: &Club, session: &Session) -> Self {
        let scheduled = club.sessions.get(&session.id);
        let mut places: BTreeMap<PairId, (RankingPlace, bool)> = BTreeMap::new();
        for list in session.standings().lists {
            for place in &list.places {
                let same = list.places.iter().filter(|it| it.rank == place.rank);
                places.insert(place.pair, (place.clone(), same.count() > 1));
            }
        }
        let sections: Vec<SectionSheet> = session
            .sections
            .iter()
            .map(|(letter, section)| SectionSheet {
                letter: *letter,
                one_winner: section.one_winner,
                pairs: pairs(club, session, *letter, &places),
                boards: boards(session, *letter),
            })
            .collect();
        let in_play = |board: BoardNumber| {
            let mut boards = sections.iter().flat_map(|section| &section.boards);
            boards.any(|sheet| sheet.board == board)
        };
        let lines: Vec<&LineSheet> = (sections.iter())
            .flat_map(|section| &section.boards)
            .flat_map(|board| &board.lines)
            .collect();
        let contests = contests::all(club, session, &lines);
        let deals = crate::watch::deals(session);
        let deals = deals.iter().filter(|dealt| in_play(dealt.board)).copied();
        let without_a_pair = session.lines.iter().filter(|(_, line)| {
            let known = line.ns.is_some() && line.ew.is_some();
            line.is_in() && !known
        });
        Self {
            without_a_pair: without_a_pair.map(|(cell, _)| *cell).collect(),
            event: club.event_name(session.id).unwrap_or_default().to_owned(),
            title: scheduled.map(|it| it.title.clone()).unwrap_or_default(),
            date: scheduled.map(|it| it.date.clone()).unwrap_or_default(),
            method: session.scoring.method,
            contests,
            deals: deals.collect(),
            sections,
            penalties: session
                .penalties
                .values()
                .map(|penalty| (penalty.pair, penalty.amount))
                .collect(),
        }
    }

    /// Every line of every board.
    pub fn lines(&self) -> impl Iterator<Item = &LineSheet> {
        let boards = self.sections.iter().flat_map(|section| &section.boards);
        boards.flat_map(|board| &board.lines)
    }

    /// What is played as pairs against the field, without the sections that play matches.
    pub fn without_matches(&self) -> Self {
        let matched = |section: &SectionSheet| {
            let mut contests = self.contests.iter();
            contests.any(|contest| contest.letter == section.letter)
        };
        let mut pairs = self.clone();
        pairs.sections.retain(|section| !matched(section));
        pairs
    }

    /// Every pair.
    pub fn pairs(&self) -> impl Iterator<Item = &PairSheet> {
        self.sections.iter().flat_map(|section| &section.pairs)
    }

    /// Whether any section has two winners.
    pub fn two_winners(&self) -> bool {
        self.sections.iter().any(|section| !section.one_winner)
    }

    /// What penalties take off a pair's points, less than nothing.
    pub fn taken_off(&self, pair: &PairSheet) -> Points {
        let own = self.penalties.iter();
        let own =
            own.filter(|(other, amount)| *other == pair.id && amount.has_an_effect_in(self.method));
        // A total is rounded once and lines each: what was said in points is not to be found again
        // in the difference of the two.
        let said = own.map(|(_, amount)| match amount {
            PenaltyAmount::Imps(imps) => Some(i64::from(*imps) * 10_000),
            PenaltyAmount::Matchpoints(hundredths) => Some(i64::from(*hundredths) * 100),
            PenaltyAmount::Warning => Some(0),
            PenaltyAmount::PercentOfTop(_)
            | PenaltyAmount::PercentOfSession(_)
            | PenaltyAmount::VictoryPoints(_) => None,
        });
        let said: Option<Vec<i64>> = said.collect();
        match said {
            Some(parts) if parts.is_empty() => Points::ZERO,
            Some(parts) => Points::from_ten_thousandths(-parts.iter().sum::<i64>()),
            None => pair.points - self.earned(pair),
        }
    }

    /// The pair's points without its penalties, which programs have in a place of their own.
    pub fn earned(&self, pair: &PairSheet) -> Points {
        self.lines().fold(Points::ZERO, |sum, line| {
            let own = if line.ns == pair.id {
                line.ns_points
            } else if line.ew == pair.id {
                line.ew_points
            } else {
                None
            };
            sum + own.unwrap_or(Points::ZERO)
        })
    }
}

fn pairs(
    club: &Club,
    session: &Session,
    letter: SectionLetter,
    places: &BTreeMap<PairId, (RankingPlace, bool)>,
) -> Vec<PairSheet> {
    let of_section = places
        .values()
        .filter(|(place, _)| place.pair.section == letter);
    let mut pairs: Vec<PairSheet> = of_section
        .map(|(place, shared)| PairSheet {
            id: place.pair,
            players: [Partner::First, Partner::Second]
                .map(|partner| player(club, session, place.pair, partner)),
            substituted: [Partner::First, Partner::Second]
                .iter()
                .any(|partner| session.roster.all_of(place.pair, *partner).count() > 1),
            rank: place.rank.unwrap_or_default(),
            shared: *shared,
            boards: place.boards,
            points: place.points,
            top: place.top,
            percent: place.percent,
        })
        .collect();
    let side = |pair: &PairSheet| pair.id.side == Some(Side::EastWest);
    pairs.sort_by_key(|pair| (side(pair), pair.id.number));
    pairs
}

pub(super) fn player(
    club: &Club,
    session: &Session,
    pair: PairId,
    partner: Partner,
) -> PlayerSheet {
    let round = RoundNumber::FIRST;
    let player = session.roster.at(pair, partner, round);
    let number = player
        .and_then(|player| player.number)
        .filter(|number| *number != PlayerNumber::VISITOR);
    PlayerSheet {
        name: session.roster.name(club, pair, partner, round),
        number,
        written: number.map_or_else(String::new, |number| session.written(club, number)),
    }
}

fn boards(session: &Session, letter: SectionLetter) -> Vec<BoardSheet> {
    let of_section = session.lines.keys().filter(|cell| cell.section == letter);
    let numbers: std::collections::BTreeSet<_> = of_section.map(|cell| cell.board).collect();
    numbers
        .into_iter()
        .map(|board| {
            let traveller = session.traveller(letter, board);
            let lines = traveller.lines.into_iter();
            let mut lines: Vec<LineSheet> = lines
                .filter(|line| line.cell.section == letter)
                .filter_map(|line| {
                    Some(LineSheet {
                        cell: line.cell,
                        ns: line.line.ns?,
                        ew: line.line.ew?,
                        score: line.line.score(board),
                        form: line.line.form,
                        at: line.line.at,
                        ruling: line.line.ruling,
                        ns_points: line.ns,
                        ew_points: line.ew,
                        ns_percent: line.ns_percent,
                        ew_percent: line.ew_percent,
                    })
                })
                .collect();
            lines.sort_by_key(|line| (line.cell.round, line.cell.table));
            BoardSheet {
                board,
                top: traveller.top,
                datum: session.datum(letter, board),
                lines,
            }
        })
        .filter(|sheet| !sheet.lines.is_empty())
        .collect()
}

impl PairSheet {
    /// `1`, `2=`.
    pub fn place(&self) -> String {
        if self.rank == 0 {
            return String::new();
        }
        format!("{}{}", self.rank, if self.shared { "=" } else { "" })
    }

    /// Both names, with this between them.
    pub fn names(&self, between: &str) -> String {
        let names: Vec<&str> = (self.players.iter())
            .map(|player| player.name.as_str())
            .filter(|name| !name.is_empty())
            .collect();
        names.join(between)
    }
}

/// What a line says in the words of other programs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Said {
    /// A contract.
    Played(protocol::words::Played),
    /// Four passes.
    PassedOut,
    /// A score without a contract.
    Score(Score),
    /// Percentages that the director awarded, in hundredths; nothing where they are unknown.
    Awarded([Option<u16>; 2]),
}

impl LineSheet {
    /// What can be said of it; nothing of a board that was not played.
    pub(super) fn said(&self) -> Option<Said> {
        use crate::session::plan::SideAward;
        use protocol::words::BoardResult;

        let came_to = |percent: Option<Percent>| {
            let hundredths = percent.map(|percent| percent.0.clamp(0, 10_000));
            hundredths.and_then(|it| u16::try_from(it).ok())
        };
        let awarded = |award: &SideAward, percent: Option<Percent>| match award {
            SideAward::Percent(percent) => Some(percent.get()),
            SideAward::AveragePlus => Some(6_000),
            SideAward::Average => Some(5_000),
            SideAward::AverageMinus => Some(4_000),
            SideAward::Score(_) | SideAward::Weighted(_) => came_to(percent),
        };
        match &self.ruling {
            Ruling::Result(BoardResult::Played(played)) => Some(Said::Played(*played)),
            Ruling::Result(BoardResult::PassedOut) => Some(Said::PassedOut),
            Ruling::Result(BoardResult::Adjusted { ns, ew }) => {
                Some(Said::Awarded([Some(ns.get()), Some(ew.get())]))
            }
            Ruling::Result(BoardResult::NotPlayed | BoardResult::SitOut)
            | Ruling::LatePlay
            | Ruling::TakenAway => None,
            Ruling::Written(score) => Some(Said::Score(*score)),
            Ruling::Award {
                ns: SideAward::Score(one),
                ew: SideAward::Score(other),
            } if one == other => Some(Said::Score(*one)),
            Ruling::Award { ns, ew } => Some(Said::Awarded([
                awarded(ns, self.ns_percent),
                awarded(ew, self.ew_percent),
            ])),
        }
    }
}

/// `12.5`, `11`: as many decimals as there are.
pub(super) fn plain(points: Points) -> String {
    let parts = points.ten_thousandths();
    let sign = if parts < 0 { "-" } else { "" };
    let (whole, rest) = (parts.unsigned_abs() / 10_000, parts.unsigned_abs() % 10_000);
    if rest == 0 {
        return format!("{sign}{whole}");
    }
    let decimals = format!("{rest:04}");
    format!("{sign}{whole}.{}", decimals.trim_end_matches('0'))
}

/// `62.5`.
pub(super) fn plain_percent(percent: Percent) -> String {
    plain(Points::from_ten_thousandths(i64::from(percent.0) * 100))
}
