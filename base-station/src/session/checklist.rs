//! What the director should settle before the result is released.

use protocol::message::RefusalReason;
use std::collections::{BTreeMap, BTreeSet};

use protocol::words::{BoardNumber, BoardResult, RoundNumber, Seat, SectionLetter, Side};

use super::plan::{Partner, Ruling};
use super::{Cell, Club, Fate, Moment, PairId, Seq, Session, Standing, TableId};
use telling::{All, Letter, Told, tell};

/// An open point.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct OpenPoint {
    /// What kind, for the page to offer the right action.
    pub kind: OpenPointKind,
    /// In words.
    pub sentence: Told,
}

/// The kinds of open points.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub enum OpenPointKind {
    /// A board has no result.
    Missing(Cell),
    /// Results of a section are on paper only.
    NotTyped(SectionLetter),
    /// A late play has not been played.
    LatePlay(Cell),
    /// A board was entered as not played: adjust it, or leave it.
    NotPlayed(Cell),
    /// A pad may still have results that were not received.
    Unsent(TableId),
    /// An entry waits for a decision.
    Kept(Seq),
    /// A pair has a player without a name.
    NoName(PairId),
    /// Two seats claim the same number.
    ClaimedTwice(protocol::words::PlayerNumber),
    /// A table waits for the director.
    Called(TableId),
    /// An appeal has not been heard.
    Appeal(Seq),
    /// A player typed a number that is not in the club's list, at this table.
    UnknownNumber(TableId, protocol::words::PlayerNumber),
}

/// Everything that is open, the most important first.
pub fn checklist(club: &Club, session: &Session, now: Moment) -> Vec<OpenPoint> {
    let mut points = Vec::new();
    let mut add = |kind, sentence| points.push(OpenPoint { kind, sentence });
    let mut on_paper: BTreeMap<SectionLetter, BTreeSet<BoardNumber>> = BTreeMap::new();
    let mut untyped: BTreeMap<SectionLetter, usize> = BTreeMap::new();
    for (cell, _) in session.missing(now) {
        if session.is_table_on_paper(cell.table_id()) {
            on_paper.entry(cell.section).or_default().insert(cell.board);
            *untyped.entry(cell.section).or_default() += 1;
            continue;
        }
        add(
            OpenPointKind::Missing(cell),
            tell!(Checklist::MissingAskTable { cell }),
        );
    }
    for (section, boards) in on_paper {
        let n = untyped.get(&section).copied().unwrap_or_default();
        let sentence = tell!(Checklist::NotTypedYet {
            n,
            section,
            boards: All(boards.into_iter().collect::<Vec<_>>())
        });
        add(OpenPointKind::NotTyped(section), sentence);
    }
    for (seq, kept) in &session.kept {
        if kept.fate == Fate::Waiting {
            let whose = match kept.reason {
                RefusalReason::Replaced => tell!(Checklist::ReplacedPad),
                _ => tell!(Checklist::Pad),
            };
            let sentence = tell!(Checklist::TableHoldsBoardUse {
                whose,
                table: kept.table,
                board: kept.entry.board
            });
            add(OpenPointKind::Kept(*seq), sentence);
        }
    }
    for (cell, line) in &session.lines {
        match line.ruling {
            Ruling::LatePlay => add(
                OpenPointKind::LatePlay(*cell),
                tell!(Checklist::LatePlayWithoutResult { cell }),
            ),
            Ruling::Result(BoardResult::NotPlayed) => add(
                OpenPointKind::NotPlayed(*cell),
                tell!(Checklist::NotPlayedAdjustIf { cell }),
            ),
            _ => {}
        }
    }
    for pad in session.pads.values() {
        if pad.standing == Standing::Holds && pad.silent.is_some() {
            let sentence = tell!(Checklist::PadTableSilentMay { table: pad.table });
            add(OpenPointKind::Unsent(pad.table), sentence);
        }
    }
    for (table, story) in &session.tables {
        if story.called.is_some() {
            let sentence = tell!(Checklist::TableCalledDirector { table });
            add(OpenPointKind::Called(*table), sentence);
        }
    }
    for contest in session.contests.values() {
        for (seq, (appeal, _, outcome)) in &contest.appeals {
            if outcome.is_none() {
                points.push(OpenPoint {
                    kind: OpenPointKind::Appeal(*seq),
                    sentence: tell!(Checklist::AppealOpen {
                        who: appeal.by,
                        round: appeal.round
                    }),
                });
            }
        }
    }
    names(session, &mut points);
    unknown_numbers(club, session, &mut points);
    let points = points.into_iter();
    let called = points.map(|OpenPoint { kind, sentence }| OpenPoint {
        kind,
        sentence: session.calling(club, sentence),
    });
    called.collect()
}

fn names(session: &Session, points: &mut Vec<OpenPoint>) {
    for (number, pairs) in session.roster.claimed_twice() {
        points.push(OpenPoint {
            kind: OpenPointKind::ClaimedTwice(number),
            sentence: tell!(Checklist::PlayerNumberPlaysPairs {
                number,
                pair: pairs
            }),
        });
    }
    for pair in session.pairs() {
        let nameless = [Partner::First, Partner::Second]
            .into_iter()
            .any(|partner| {
                let player = session.roster.at(pair, partner, RoundNumber::FIRST);
                player.is_none()
            });
        if nameless {
            points.push(OpenPoint {
                kind: OpenPointKind::NoName(pair),
                sentence: tell!(Checklist::PairPlayerWithoutName { pair }),
            });
        }
    }
}

/// Numbers that nobody of the club has and that no name was given for.
fn unknown_numbers(club: &Club, session: &Session, points: &mut Vec<OpenPoint>) {
    for (pair, partner, from, player) in session.roster.iter() {
        let Some(number) = player.number.filter(|number| !club.may_know(*number)) else {
            continue;
        };
        let Some((table, seat)) = session.seat_of(pair, partner, from) else {
            continue;
        };
        // Typed again meanwhile, or named by the director.
        let now = session.roster.at(pair, partner, from);
        if player.name.is_some() || now.and_then(|now| now.number) != Some(number) {
            continue;
        }
        points.push(OpenPoint {
            kind: OpenPointKind::UnknownNumber(table, number),
            sentence: tell!(Checklist::TablePlayerNumberNot {
                table,
                place: Letter(seat),
                number
            }),
        });
    }
}

impl Session {
    /// Where half of a pair sits in a round.
    fn seat_of(
        &self,
        pair: PairId,
        partner: Partner,
        round: RoundNumber,
    ) -> Option<(TableId, Seat)> {
        let section = self.sections.get(&pair.section)?;
        section.sittings.values().find_map(|sitting| {
            let sits = |side, number: Option<_>| {
                number.is_some_and(|number| self.pair_id(pair.section, side, number) == pair)
            };
            let seat = match partner {
                _ if sitting.round != round => return None,
                Partner::First if sits(Side::NorthSouth, sitting.ns) => Seat::North,
                Partner::Second if sits(Side::NorthSouth, sitting.ns) => Seat::South,
                Partner::First if sits(Side::EastWest, sitting.ew) => Seat::East,
                Partner::Second if sits(Side::EastWest, sitting.ew) => Seat::West,
                _ => return None,
            };
            let table = TableId {
                section: pair.section,
                table: sitting.table,
            };
            Some((table, seat))
        })
    }

    /// Every pair of the field, in order.
    pub fn pairs(&self) -> std::collections::BTreeSet<PairId> {
        let mut pairs = std::collections::BTreeSet::new();
        for (letter, section) in &self.sections {
            for sitting in section.sittings.values() {
                let sides = [(Side::NorthSouth, sitting.ns), (Side::EastWest, sitting.ew)];
                for (side, number) in sides {
                    pairs.extend(number.map(|number| self.pair_id(*letter, side, number)));
                }
            }
        }
        // Who has a bye sits nowhere and is there all the same.
        for (letter, contest) in &self.contests {
            let all = contest.plan.contestants.iter();
            pairs.extend(all.flat_map(|it| contest.plan.pairs_of(*letter, it.number)));
        }
        pairs
    }
}
