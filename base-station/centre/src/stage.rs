//! Matches of pairs over all rooms of an event: who meets whom in which room, what a match comes to,
//! and where everybody stands. Pure: what the rooms have said comes in, and so does the seed of a
//! draw.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use contest::draw::{Entrant, FirstRound, Meeting, OddField, Wish, draw, first_round};
use contest::pairs::{OwnRow, PairsSheet, ScoredBoard};
use contest::standing::{Entry, Line as Standing, ScoredMatch, SideScore, standing};
use contest::{Comparison, ContestantNumber, Regulation, Rules};
use protocol::words::{BoardNumber, RoundNumber, SectionLetter, TableNumber};
use scoring::{Award, Outcome, Pair, Points, Row, VictoryPoints};
use serde::{Deserialize, Serialize};

use crate::field::{ClubNumber, Sheet};
use crate::said::{Line, PairName, Place};

/// Somebody who takes part: the same pair in whatever room it plays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Contestant {
    pub(crate) players: [String; 2],
    /// Where it comes from; two of one club are kept apart.
    pub(crate) home: String,
    /// It plays no more from this round on.
    pub(crate) gone: Option<u8>,
}

/// A match as it was drawn. Home sits North-South.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Seated {
    /// The room.
    pub(crate) club: ClubNumber,
    pub(crate) table: TableNumber,
    pub(crate) home: ContestantNumber,
    pub(crate) away: ContestantNumber,
}

/// A round as it was drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct DrawnRound {
    pub(crate) matches: Vec<Seated>,
    /// Who has no opponent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) bye: Option<ContestantNumber>,
}

/// What earlier sessions came to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Carried {
    pub(crate) rounds: u8,
    pub(crate) matches: Vec<CarriedMatch>,
    pub(crate) byes: Vec<(u16, ContestantNumber)>,
}

/// A match of an earlier session: hundredths of victory points, and ten-thousandths of IMPs or
/// matchpoints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct CarriedMatch {
    round: u16,
    home: ContestantNumber,
    away: ContestantNumber,
    boards: u16,
    vp: [i32; 2],
    scored: [i64; 2],
    margin: [i64; 2],
}

/// A stage of matches as the organiser has set it up and drawn it.
#[derive(Clone, Debug)]
pub(crate) struct Stage {
    pub(crate) rounds: u8,
    /// Of a match.
    pub(crate) boards: u8,
    pub(crate) rules: Rules,
    /// The rooms in their order, with their tables.
    pub(crate) rooms: Vec<(ClubNumber, u16)>,
    pub(crate) contestants: BTreeMap<ContestantNumber, Contestant>,
    /// The rounds drawn so far, with how often each was published.
    pub(crate) drawn: BTreeMap<RoundNumber, (u32, DrawnRound)>,
    pub(crate) carried: Carried,
}

/// A match with what it came to.
#[derive(Clone, Debug)]
pub(crate) struct Match {
    pub(crate) round: RoundNumber,
    pub(crate) seated: Seated,
    pub(crate) scored: ScoredMatch,
    /// Boards whose result is not in.
    pub(crate) missing: usize,
}

/// A draw that could be published.
#[derive(Clone, Debug)]
pub(crate) struct Proposal {
    pub(crate) round: RoundNumber,
    pub(crate) drawn: DrawnRound,
    /// Matches of earlier rounds that are not finished, so that the standing may change.
    pub(crate) unfinished: Vec<Match>,
}

/// Why a round can't be drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Undrawn {
    /// All are.
    All,
    /// One pair or none.
    TooFew,
    /// More matches than tables.
    Tables { matches: usize, tables: usize },
    /// The draw itself says why.
    Draw(contest::Refused),
}

/// How an event of matches is scored.
pub(crate) fn rules(method: &str) -> Rules {
    let comparison = match method {
        "cross_imps" => Comparison::CrossImps,
        "butler" => Comparison::Butler,
        _ => Comparison::Matchpoints,
    };
    Rules::of(Regulation::NewZealandClub, comparison)
}

/// What all rooms have said of a board.
struct Board<'a> {
    lines: Vec<(ClubNumber, &'a Line)>,
    scored: Option<ScoredBoard>,
    /// The same seen from the other side, for pairs that sat the wrong way round.
    turned: Option<ScoredBoard>,
}

/// Whether a room has a result of a round.
pub(crate) fn is_begun(round: RoundNumber, sheets: &BTreeMap<ClubNumber, Arc<Sheet>>) -> bool {
    let mut lines = sheets.values().flat_map(|sheet| sheet.lines.keys());
    lines.any(|place| place.round == round)
}

impl Stage {
    /// The boards of a round: each round has its own.
    pub(crate) fn boards_of(&self, round: RoundNumber) -> impl Iterator<Item = BoardNumber> {
        let first = u16::from(round.get() - 1) * u16::from(self.boards) + 1;
        let all = first..first + u16::from(self.boards);
        all.filter_map(|board| u8::try_from(board).ok().and_then(BoardNumber::new))
    }

    /// A round of this session as a round of all sessions.
    fn of_all(&self, round: RoundNumber) -> u16 {
        u16::from(self.carried.rounds) + u16::from(round.get())
    }

    /// The round that is drawn next.
    pub(crate) fn next_round(&self) -> Option<RoundNumber> {
        let last = self.drawn.keys().next_back();
        let next = last.map_or(Some(RoundNumber::FIRST), |last| last.next());
        next.filter(|round| round.get() <= self.rounds)
    }

    /// What every match of this session comes to.
    pub(crate) fn matches(&self, sheets: &BTreeMap<ClubNumber, Arc<Sheet>>) -> Vec<Match> {
        let mut boards: BTreeMap<BoardNumber, Board<'_>> = BTreeMap::new();
        for (&club, sheet) in sheets {
            for line in sheet.lines.values() {
                let board = boards.entry(line.place.board).or_insert(Board {
                    lines: Vec::new(),
                    scored: None,
                    turned: None,
                });
                board.lines.push((club, line));
            }
        }
        for board in boards.values_mut() {
            let rows: Vec<Row<Pair>> = board.lines.iter().map(|(_, it)| it.row(|it| it)).collect();
            board.scored = ScoredBoard::of(&rows, &self.rules);
            let turned: Vec<Row<Pair>> = rows.into_iter().map(turned).collect();
            board.turned = ScoredBoard::of(&turned, &self.rules);
        }
        let drawn = self.drawn.iter();
        let seated =
            drawn.flat_map(|(round, (_, drawn))| drawn.matches.iter().map(|it| (*round, *it)));
        seated
            .map(|(round, seated)| self.match_of(round, seated, &boards))
            .collect()
    }

    fn match_of(
        &self,
        round: RoundNumber,
        seated: Seated,
        boards: &BTreeMap<BoardNumber, Board<'_>>,
    ) -> Match {
        let own = self.boards_of(round).map(|board| -> OwnRow<'_> {
            let place = Place {
                section: SectionLetter::A,
                board,
                round,
                table: seated.table,
            };
            let row = boards.get(&board).and_then(|over| {
                let mut lines = over.lines.iter();
                let at =
                    lines.position(|(club, line)| *club == seated.club && line.place == place)?;
                let (_, line) = over.lines.get(at)?;
                let scored = if is_played_by(line, seated.home, seated.away) {
                    over.scored.as_ref()
                } else if is_played_by(line, seated.away, seated.home) {
                    over.turned.as_ref()
                } else {
                    None
                };
                Some((scored?, at))
            });
            (board, row)
        });
        let own: Vec<OwnRow<'_>> = own.collect();
        let sheet = PairsSheet::of(&own, &self.rules);
        let boards = u16::from(self.boards);
        let begun = sheet.missing.len() < own.len();
        let vp = sheet.victory_points(&self.rules, boards);
        let vp = vp.ok().filter(|_| begun).unwrap_or_default();
        let missing = sheet.missing.len();
        Match {
            round,
            seated,
            scored: ScoredMatch {
                round: self.of_all(round),
                home: seated.home,
                away: seated.away,
                boards,
                sides: [0, 1].map(|side| SideScore {
                    vp: vp[side],
                    scored: sheet.totals[side].max(Points::ZERO),
                    margin: sheet.totals[side],
                }),
                decision: None,
                complete: missing == 0,
                begun,
            },
            missing,
        }
    }

    /// The standing after these matches and those of earlier sessions.
    pub(crate) fn standing(&self, matches: &[Match]) -> Vec<Standing> {
        let byes = self.byes();
        let entries: Vec<Entry> = self
            .contestants
            .keys()
            .map(|&number| Entry {
                number,
                carry_over: VictoryPoints(0),
                fines: VictoryPoints(0),
                byes: byes
                    .iter()
                    .filter(|it| it.1 == number)
                    .map(|it| it.0)
                    .collect(),
            })
            .collect();
        let earlier = self.carried.matches.iter().map(CarriedMatch::scored);
        let all: Vec<ScoredMatch> = earlier.chain(matches.iter().map(|it| it.scored)).collect();
        standing(&entries, &all, &self.rules, false)
    }

    /// Rounds without an opponent, of all sessions.
    fn byes(&self) -> Vec<(u16, ContestantNumber)> {
        let drawn = self.drawn.iter();
        let tonight =
            drawn.filter_map(|(round, (_, drawn))| Some((self.of_all(*round), drawn.bye?)));
        self.carried.byes.iter().copied().chain(tonight).collect()
    }

    /// Draws a round: the next one, or the last one again.
    pub(crate) fn propose(
        &self,
        round: Option<RoundNumber>,
        matches: &[Match],
        seed: u64,
    ) -> Result<Proposal, Undrawn> {
        let round = round.or_else(|| self.next_round()).ok_or(Undrawn::All)?;
        let before: Vec<Match> = matches
            .iter()
            .filter(|it| it.round < round)
            .cloned()
            .collect();
        let lines = self.standing(&before);
        let entrants = self.entrants(round, &before, &lines);
        if entrants.len() < 2 {
            return Err(Undrawn::TooFew);
        }
        let wish = Wish {
            round: self.of_all(round),
            odd: OddField::Bye,
            seed,
            ..Wish::default()
        };
        let drawn = if wish.round == 1 {
            first_round(&entrants, FirstRound::Random, &wish)
        } else {
            draw(&entrants, &wish)
        };
        let drawn = drawn.map_err(Undrawn::Draw)?.draw;
        let places: Vec<(ClubNumber, TableNumber)> = self.tables().collect();
        let short = || Undrawn::Tables {
            matches: drawn.matches.len(),
            tables: places.len(),
        };
        let seated = drawn.matches.iter().map(|pairing| {
            let (club, table) = *places.get(usize::from(pairing.table.get()) - 1)?;
            Some(Seated {
                club,
                table,
                home: pairing.home,
                away: pairing.away,
            })
        });
        let matches: Option<Vec<Seated>> = seated.collect();
        Ok(Proposal {
            round,
            drawn: DrawnRound {
                matches: matches.ok_or_else(short)?,
                bye: drawn.bye,
            },
            unfinished: before.into_iter().filter(|it| it.missing > 0).collect(),
        })
    }

    /// All tables, those of the first room first: the best meet there.
    fn tables(&self) -> impl Iterator<Item = (ClubNumber, TableNumber)> {
        let rooms = self.rooms.iter();
        rooms.flat_map(|&(club, tables)| {
            let tables = (1..=tables).filter_map(TableNumber::new);
            tables.map(move |table| (club, table))
        })
    }

    fn entrants(&self, round: RoundNumber, before: &[Match], lines: &[Standing]) -> Vec<Entrant> {
        let byes = self.byes();
        let playing = self.contestants.iter().zip(1_u32..);
        let playing = playing.filter(|((_, it), _)| it.gone.is_none_or(|gone| gone > round.get()));
        let mut entrants: Vec<Entrant> = playing
            .map(|((&number, contestant), seed)| {
                let line = lines.iter().find(|it| it.contestant == number);
                let byes = byes.iter();
                let byes = byes
                    .filter(|it| it.1 == number && it.0 < self.of_all(round))
                    .count();
                Entrant {
                    vp: line.map_or(VictoryPoints(0), |line| line.vp),
                    place: line.map_or(seed, |line| line.place),
                    byes: u16::try_from(byes).unwrap_or(u16::MAX),
                    club: Some(contestant.home.clone()).filter(|home| !home.is_empty()),
                    ..Entrant::new(number)
                }
            })
            .collect();
        let earlier = self.carried.matches.iter().map(CarriedMatch::scored);
        for met in earlier.chain(before.iter().map(|it| it.scored)) {
            for entrant in &mut entrants {
                let (opponent, at_home) = match entrant.number {
                    number if number == met.home => (met.away, 1),
                    number if number == met.away => (met.home, -1),
                    _ => continue,
                };
                entrant.home += at_home;
                let round = met.round;
                entrant.met.push(Meeting { opponent, round });
            }
        }
        entrants
    }

    /// What the next session goes on from.
    pub(crate) fn carry_on(&self, matches: &[Match]) -> Carried {
        let tonight = matches.iter().map(|it| CarriedMatch::of(&it.scored));
        let played: BTreeSet<RoundNumber> = self.drawn.keys().copied().collect();
        let rounds = u8::try_from(played.len()).unwrap_or(u8::MAX);
        Carried {
            rounds: self.carried.rounds.saturating_add(rounds),
            matches: self
                .carried
                .matches
                .iter()
                .copied()
                .chain(tonight)
                .collect(),
            byes: self.byes(),
        }
    }
}

impl CarriedMatch {
    fn of(scored: &ScoredMatch) -> Self {
        let [home, away] = scored.sides;
        Self {
            round: scored.round,
            home: scored.home,
            away: scored.away,
            boards: scored.boards,
            vp: [home.vp.0, away.vp.0],
            scored: [home, away].map(|it| it.scored.ten_thousandths()),
            margin: [home, away].map(|it| it.margin.ten_thousandths()),
        }
    }

    fn scored(&self) -> ScoredMatch {
        ScoredMatch {
            round: self.round,
            home: self.home,
            away: self.away,
            boards: self.boards,
            sides: [0, 1].map(|side| SideScore {
                vp: VictoryPoints(self.vp[side]),
                scored: Points::from_ten_thousandths(self.scored[side]),
                margin: Points::from_ten_thousandths(self.margin[side]),
            }),
            decision: None,
            complete: true,
            begun: true,
        }
    }
}

/// A row seen by those who sat East-West.
fn turned(mut row: Row<Pair>) -> Row<Pair> {
    std::mem::swap(&mut row.ns, &mut row.ew);
    row.fault.swap(0, 1);
    row.outcome = match row.outcome {
        Outcome::Score(score) => Outcome::Score(-score),
        Outcome::Adjusted(adjusted) => {
            let (ns, ew) = (turned_award(adjusted.ew), turned_award(adjusted.ns));
            Outcome::adjusted(ns, ew)
        }
        other @ (Outcome::NotPlayed | Outcome::SitOut) => other,
    };
    row
}

/// Scores that were assigned are written from North-South's view.
fn turned_award(award: Award) -> Award {
    match award {
        Award::Assigned(mut scores) => {
            for own in &mut scores {
                own.score = -own.score;
            }
            Award::Assigned(scores)
        }
        Award::Percentage(_) | Award::AveragePlus | Award::Average | Award::AverageMinus => award,
    }
}

fn is_played_by(line: &Line, ns: ContestantNumber, ew: ContestantNumber) -> bool {
    let number = |pair: Option<PairName>| pair.map(|pair| pair.0.number);
    number(line.ns) == Some(ns) && number(line.ew) == Some(ew)
}

#[cfg(test)]
mod tests;
