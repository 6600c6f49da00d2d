//! The adviser: which movement suits a room, with reasons and timing.

use std::ops::RangeInclusive;

use protocol::words::{BoardNumber, Side, TableNumber};
use serde::Serialize;

use super::generate::{Kind, Setup, exact};
use super::{Family, Lists, Movement, PhantomAdvice, Place, Reason, Refused, Report, SpecialMove};

/// What the director has tonight.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Room {
    /// Pairs in the room; an odd number leaves a half table.
    pub pairs: u16,
    /// How many boards a pair should play.
    pub boards: RangeInclusive<u8>,
    /// Where the missing pair of a half table starts; the adviser's place where it is left out.
    pub phantom: Option<Place>,
}

/// A movement the room could play.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Choice {
    /// What it is called.
    pub name: String,
    /// The rule.
    pub family: Family,
    /// Tables, a half one counted.
    pub tables: usize,
    /// Boards in play.
    pub boards: usize,
    /// Boards a pair plays when it never sits out.
    pub boards_played: usize,
    /// Rounds.
    pub rounds: usize,
    /// Boards a round.
    pub per_round: usize,
    /// One or two winners.
    pub lists: u8,
    /// Where the missing pair would start, in a room with a half table.
    pub phantom: Option<String>,
    /// Playing time.
    pub minutes: f64,
    /// Higher is better; 100 has no drawback at all.
    pub score: i32,
    /// What speaks for it.
    pub reasons: Vec<Reason>,
    /// What speaks against it.
    pub drawbacks: Vec<Reason>,
    /// The movement itself.
    #[serde(skip)]
    pub movement: Movement,
}

/// More boards than this in a round and a pair that sits out has time to go home.
const PHANTOM_BOARDS_MAX: usize = 3;

/// The manual's limit: up to here a Howell, above it a Mitchell.
const HOWELL_TABLES_MAX: usize = 7;

/// How long a round of so many boards takes: seven minutes for a single board, six and a half
/// for each when there are more.
#[expect(clippy::cast_precision_loss, reason = "boards in a round are few")]
pub fn minutes_of_round(boards: usize) -> f64 {
    if boards == 1 {
        7.0
    } else {
        6.5 * boards as f64
    }
}

/// The movements that fit the room, best first.
pub fn suggest(room: &Room) -> Result<Vec<Choice>, Refused> {
    let (fewest, most) = (*room.boards.start(), *room.boards.end());
    if fewest == 0 || fewest > most {
        return Err(Refused::ExpectedRange { fewest, most });
    }
    let half = !room.pairs.is_multiple_of(2);
    let Some(tables) = TableNumber::new(room.pairs.div_ceil(2)).filter(|tables| tables.get() >= 3)
    else {
        return Err(Refused::TooFewTables);
    };
    let mut choices: Vec<Choice> = candidates(tables, &room.boards)
        .into_iter()
        .filter(|movement| {
            let wanted = room.phantom.filter(|_| half);
            wanted.is_none_or(|place| movement.starts_at(place).is_some())
        })
        .map(|movement| judge(movement, half, room.phantom))
        .collect();
    choices.sort_by(|one, other| {
        (other.score, other.boards_played, &one.name).cmp(&(
            one.score,
            one.boards_played,
            &other.name,
        ))
    });
    // A session of two or three rounds is a match, not a movement.
    choices.retain(|choice| choice.rounds > 3);
    choices.dedup_by(|one, other| one.name == other.name);
    if choices.is_empty() {
        return Err(Refused::NoSoundMovement {
            tables,
            fewest,
            most,
        });
    }
    Ok(choices)
}

fn candidates(tables: TableNumber, boards: &RangeInclusive<u8>) -> Vec<Movement> {
    let kinds = [
        Kind::Mitchell,
        Kind::Howell,
        Kind::Hesitation,
        Kind::FatMitchell,
        Kind::Web,
        Kind::BowmanEwing,
        Kind::Rover,
    ];
    let mut found = Vec::new();
    // Boards of one more round than fits may be in play when the last round is left out.
    let longest = boards.end().saturating_add(boards.end() / 8);
    for board_count in (*boards.start()..=longest).filter_map(BoardNumber::new) {
        for kind in kinds {
            let Ok(movement) = exact(kind, Setup::new(tables, board_count)) else {
                continue;
            };
            if boards.contains(&board_count.get()) {
                found.push(movement);
            } else if let Some(shorter) = without_last_round(movement, boards) {
                found.push(shorter);
            }
        }
    }
    found
}

/// A movement of too many boards, one round short; only where that costs nobody an opponent
/// more than the rest.
fn without_last_round(mut movement: Movement, boards: &RangeInclusive<u8>) -> Option<Movement> {
    let cuttable = matches!(
        movement.family,
        Family::Of(Kind::Mitchell | Kind::Howell) | Family::ShareAndRelay
    );
    movement.rounds.pop();
    let played = movement.round_count() * movement.boards_per_round();
    let fits = u8::try_from(played).is_ok_and(|played| boards.contains(&played));
    movement.name = format!("{}, the last round left out", movement.name);
    (cuttable && fits && movement.round_count() > 2).then_some(movement)
}

fn judge(movement: Movement, half: bool, wanted: Option<Place>) -> Choice {
    let report = movement.check();
    let mut opinion = Opinion {
        score: 100,
        ..Opinion::default()
    };
    opinion.on_custom(&movement);
    opinion.on_opponents(&movement, &report);
    opinion.on_bother(&movement);
    let phantom = half
        .then(|| opinion.on_phantom(&movement, wanted))
        .flatten();
    let (rounds, per_round) = (movement.round_count(), movement.boards_per_round());
    #[expect(clippy::cast_precision_loss, reason = "rounds are few")]
    let minutes = minutes_of_round(per_round) * rounds as f64;
    Choice {
        name: movement.name.clone(),
        family: movement.family,
        tables: movement.table_count(),
        boards: movement.boards().len(),
        boards_played: rounds * per_round,
        rounds,
        per_round,
        lists: if movement.lists == Lists::One { 1 } else { 2 },
        phantom: phantom.map(|place| format!("{} at table {}", place.side, place.table)),
        minutes,
        score: opinion.score,
        reasons: opinion.reasons,
        drawbacks: opinion.drawbacks,
        movement,
    }
}

#[derive(Default)]
struct Opinion {
    score: i32,
    reasons: Vec<Reason>,
    drawbacks: Vec<Reason>,
}

impl Opinion {
    fn against(&mut self, cost: i32, drawback: Reason) {
        self.score -= cost;
        self.drawbacks.push(drawback);
    }

    /// What the manual plays in a room of this size.
    fn on_custom(&mut self, movement: &Movement) {
        let small = movement.table_count() <= HOWELL_TABLES_MAX;
        match (movement.family, small) {
            (Family::Of(Kind::Howell), true) => self.reasons.push(Reason::ClubsPlayUpTo {
                tables: HOWELL_TABLES_MAX,
            }),
            (Family::Of(Kind::Howell), false) => {
                self.against(15, Reason::EverybodyMoves);
            }
            (
                Family::Of(Kind::Mitchell)
                | Family::SkipMitchell
                | Family::ShareAndRelay
                | Family::FeedInMitchell,
                false,
            ) => self.reasons.push(Reason::ClubsPlayAbove {
                tables: HOWELL_TABLES_MAX,
            }),
            (Family::Of(Kind::FatMitchell), _) => {
                self.against(15, Reason::WanderingSet);
            }
            (Family::Of(Kind::Rover), _) => self.against(8, Reason::LookForATable),
            (_, true) if movement.lists == Lists::Two => {
                self.against(12, Reason::ShortLists);
            }
            _ => {}
        }
        if movement.lists == Lists::One {
            self.reasons.push(Reason::OneWinner);
        }
    }

    fn on_opponents(&mut self, movement: &Movement, report: &Report) {
        let met = report.meetings.between.len();
        let again: usize = report
            .meetings
            .histogram
            .iter()
            .filter(|&(&times, _)| times > 1)
            .map(|(&times, &count)| (times - 1) * count)
            .sum();
        let cost = |share: usize| i32::try_from(share).unwrap_or(i32::MAX);
        if again == 0 && report.meetings.never == 0 {
            self.reasons.push(Reason::AllMeetOnce);
        }
        if again > 0 {
            let per_pair = 2 * again / report_pairs(movement);
            self.against(
                4 + cost(40 * again / met.max(1)),
                match per_pair {
                    0 | 1 => Reason::SomeMetTwice,
                    rounds => Reason::MetBefore { rounds },
                },
            );
        }
        if report.meetings.never > 0 {
            let never = report.meetings.never;
            self.against(
                2 + cost(20 * never / (met + never)),
                Reason::NeverMeet { never },
            );
        }
        if report.balance.deviation > 0.0 && movement.lists == Lists::One {
            let spread = report.balance.deviation / report.balance.mean.abs().max(1.0);
            if spread > 0.25 {
                self.against(5, Reason::UnevenField);
            }
        }
    }

    /// What makes work for the director and the players.
    fn on_bother(&mut self, movement: &Movement) {
        match movement.special {
            Some(SpecialMove::Skip { .. }) => self.against(6, Reason::CallASkip),
            Some(SpecialMove::Subtract { .. }) => {
                self.against(6, Reason::CallASpecialMove);
            }
            None if movement.layout.bye_stands.is_empty()
                && movement.family == Family::Of(Kind::Mitchell) =>
            {
                self.reasons.push(Reason::Simple);
            }
            None => {}
        }
        if !movement.layout.shares.is_empty() {
            self.against(5, Reason::Sharing);
        }
        if movement.board_copies() > 1 {
            self.against(15, Reason::SecondCopy);
        }
        let rested = movement.layout.bye_stands.len() + movement.layout.feed_ins.len();
        self.score -= i32::try_from(rested).unwrap_or(0);
        match movement.boards_per_round() {
            1 => self.against(12, Reason::MoveEveryBoard),
            2 | 3 => {}
            4 => self.score -= 3,
            many => self.against(
                i32::try_from(4 * (many - 2)).unwrap_or(100),
                Reason::FewOpponents { boards: many },
            ),
        }
        let played = movement.boards_per_round() * movement.round_count();
        let unplayed = movement.boards().len().saturating_sub(played);
        if unplayed > 0 {
            self.against(7, Reason::BoardsLeftOut { boards: unplayed });
        }
    }

    fn on_phantom(&mut self, movement: &Movement, wanted: Option<Place>) -> Option<Place> {
        if movement.boards_per_round() > PHANTOM_BOARDS_MAX {
            self.against(
                10,
                Reason::SitsOutBoards {
                    boards: movement.boards_per_round(),
                },
            );
        }
        if movement.family == Family::SkipMitchell {
            self.against(10, Reason::SkipWithHalfTable);
        }
        let advised = match movement.phantom_advice() {
            PhantomAdvice::Anywhere { .. } => Place {
                table: TableNumber::new(u16::try_from(movement.table_count()).ok()?)?,
                side: Side::NorthSouth,
            },
            PhantomAdvice::At { tables, sides } => Place {
                table: *tables.last()?,
                side: *sides.first()?,
            },
        };
        let place = wanted.unwrap_or(advised);
        let missing = movement.starts_at(place)?;
        let without = movement.without_pair(missing).ok()?;
        let (_, most) = without.check().sit_outs;
        if most > 1 {
            self.against(
                i32::try_from(5 * (most - 1)).unwrap_or(50),
                Reason::SitOutRounds { rounds: most },
            );
        } else {
            self.reasons.push(Reason::SitOutOnce);
        }
        if without.layout.shares.is_empty() && !movement.layout.shares.is_empty() {
            self.score += 5;
            self.drawbacks
                .retain(|drawback| *drawback != Reason::Sharing);
            self.reasons.push(Reason::NoSharingThen);
        }
        Some(place)
    }
}

fn report_pairs(movement: &Movement) -> usize {
    movement.pairs().len().max(1)
}
