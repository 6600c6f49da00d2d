//! Matches as other programs see them: who took part, who met whom, and what every board came to.

use protocol::words::{BoardNumber, PairNumber, SectionLetter};

use super::evening::player;
use super::{LineSheet, PlayerSheet};
use crate::contest::rules::Comparison;
use crate::scoring::{Points, VictoryPoints};
use crate::session::plan::Partner;
use crate::session::{Club, Contest, ContestMatch, MatchSheet, Session};

/// The matches of a section.
#[derive(Clone, Debug, PartialEq)]
pub struct ContestSheet {
    /// The section.
    pub letter: SectionLetter,
    /// What it is called.
    pub name: String,
    /// What a match is won by.
    pub comparison: Comparison,
    /// In the order of the standing.
    pub contestants: Vec<ContestantSheet>,
    /// Round by round.
    pub matches: Vec<MatchOfTwo>,
    /// Who had no opponent, and when.
    pub byes: Vec<(u8, PairNumber)>,
}

/// A pair or a team.
#[derive(Clone, Debug, PartialEq)]
pub struct ContestantSheet {
    /// Its number.
    pub number: PairNumber,
    /// A team's name; may be empty.
    pub name: String,
    /// Its players.
    pub players: Vec<PlayerSheet>,
    /// From 1.
    pub place: u32,
    /// Others have the same place.
    pub shared: bool,
    /// Penalties taken off.
    pub vp: VictoryPoints,
}

/// A match.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchOfTwo {
    /// In which round.
    pub round: u16,
    /// Its number in the draw.
    pub number: u16,
    /// Home, which sits North-South in the open room, and away.
    pub sides: [PairNumber; 2],
    /// What each of them got.
    pub vp: [VictoryPoints; 2],
    /// IMPs or points, home's and away's.
    pub scored: [Points; 2],
    /// The director's word counts, not its boards.
    pub decided: bool,
    /// Boards that are in.
    pub boards: Vec<MatchBoard>,
}

/// A board of a match.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchBoard {
    /// Which.
    pub board: BoardNumber,
    /// What home and away got for it.
    pub points: [Option<Points>; 2],
    /// The open room's result, then the closed room's.
    pub lines: Vec<LineSheet>,
}

/// All matches of a session.
pub(super) fn all(club: &Club, session: &Session, lines: &[&LineSheet]) -> Vec<ContestSheet> {
    let contests = session.contests.iter();
    contests
        .map(|(letter, contest)| ContestSheet {
            letter: *letter,
            name: contest.plan.name.clone(),
            comparison: contest.plan.rules.comparison,
            contestants: contestants(club, session, *letter, contest),
            matches: session
                .contest_matches(*letter)
                .iter()
                .filter(|own| own.scored.begun || own.scored.decision.is_some())
                .map(|own| match_of_two(own, *letter, lines))
                .collect(),
            byes: contest
                .rounds
                .iter()
                .filter_map(|(round, drawn)| Some((round.get(), drawn.draw.bye?)))
                .collect(),
        })
        .collect()
}

fn contestants(
    club: &Club,
    session: &Session,
    letter: SectionLetter,
    contest: &Contest,
) -> Vec<ContestantSheet> {
    let standing = session.contest_standing(letter);
    let sheet = |line: &crate::contest::standing::Line| {
        let plan = &contest.plan;
        let own = plan
            .contestants
            .iter()
            .find(|it| it.number == line.contestant);
        let same = standing.iter().filter(|other| other.place == line.place);
        ContestantSheet {
            number: line.contestant,
            name: own.map(|own| own.name.clone()).unwrap_or_default(),
            players: players(club, session, letter, contest, line.contestant),
            place: line.place,
            shared: same.count() > 1,
            vp: line.vp,
        }
    };
    standing.iter().map(sheet).collect()
}

/// Those who sit at the tables; where nobody is named there, those of the entry.
fn players(
    club: &Club,
    session: &Session,
    letter: SectionLetter,
    contest: &Contest,
    number: PairNumber,
) -> Vec<PlayerSheet> {
    let pairs = contest.plan.pairs_of(letter, number);
    let seated: Vec<PlayerSheet> = pairs
        .into_iter()
        .flat_map(|pair| {
            [Partner::First, Partner::Second].map(|partner| player(club, session, pair, partner))
        })
        .collect();
    if seated.iter().any(|player| !player.name.is_empty()) {
        return seated;
    }
    let entered = contest.plan.contestants.iter();
    let entered = entered.filter(|it| it.number == number);
    let entered: Vec<PlayerSheet> = entered
        .flat_map(|it| &it.players)
        .map(|name| PlayerSheet {
            name: name.clone(),
            ..PlayerSheet::default()
        })
        .collect();
    if entered.is_empty() { seated } else { entered }
}

fn match_of_two(own: &ContestMatch, letter: SectionLetter, lines: &[&LineSheet]) -> MatchOfTwo {
    let scored = &own.scored;
    let points: Vec<(BoardNumber, [Option<Points>; 2])> = match &own.sheet {
        MatchSheet::Teams(sheet) => {
            let lines = sheet.lines.iter();
            lines.map(|it| (it.board, [it.home, it.away])).collect()
        }
        MatchSheet::Pairs(sheet) => {
            let lines = sheet.lines.iter();
            lines.map(|it| (it.board, [it.home, it.away])).collect()
        }
    };
    let at = |board: BoardNumber| {
        let rooms = [0, 1].into_iter();
        let cells = rooms.filter_map(|room| own.cell(letter, room, board));
        let found = cells
            .filter(|cell| !own.strangers.contains(cell))
            .filter_map(|cell| {
                let here = lines.iter().find(|line| line.cell == cell);
                here.map(|line| (*line).clone())
            });
        found.collect::<Vec<_>>()
    };
    let boards = points.into_iter().map(|(board, points)| MatchBoard {
        board,
        points,
        lines: at(board),
    });
    MatchOfTwo {
        round: scored.round,
        number: own.number.get(),
        sides: [scored.home, scored.away],
        vp: scored.sides.map(|side| side.vp),
        scored: scored.sides.map(|side| side.scored),
        decided: scored.decision.is_some(),
        boards: boards.filter(|board| !board.lines.is_empty()).collect(),
    }
}
