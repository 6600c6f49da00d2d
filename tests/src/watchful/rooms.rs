//! Whole rooms that move wrongly, for the movement doctor.
//!
//! The room is played with furniture: boards lie on tables, on a bye-stand and on a stack, and
//! are carried as the players would carry them. That the carrying is right is proven by the
//! rounds that it reproduces when nobody makes a mistake.

use std::collections::VecDeque;

use base_station::checks::doctor::{Mistake, diagnose};
use base_station::checks::{PairsSeen, Room};
use base_station::deals::Deals;
use base_station::movement::{BoardSet, Kind, Movement, Setup, SpecialMove, Variant, generate};
use protocol::words::{BoardNumber, PairNumber, RoundNumber, SectionLetter, TableNumber};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// Players who press OK although the screen shows another pair.
const OK_WITHOUT_READING: f64 = 0.05;

/// Tables at which somebody types a wrong board besides.
const SLIP: f64 = 0.02;

/// What was diagnosed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// How many tables the room has.
    pub tables: usize,
    /// The mistake that was made.
    pub made: Mistake,
    /// In the move to this round.
    pub round: RoundNumber,
    /// What the doctor said when all tables had begun the round.
    pub said: Option<Mistake>,
    /// What it said when half of them had.
    pub said_at_half: Option<Mistake>,
}

/// The Mitchells of 8 to 14 tables, of every kind that there is for so many.
pub fn movements() -> Vec<Movement> {
    let mut movements: Vec<Movement> = Vec::new();
    for tables in (8..=14).filter_map(TableNumber::new) {
        for variant in [
            None,
            Some(Variant::Skip),
            Some(Variant::Share),
            Some(Variant::FeedIn),
        ] {
            for boards in (20..=32).filter_map(BoardNumber::new) {
                let setup = Setup {
                    variant,
                    ..Setup::new(tables, boards)
                };
                let Ok(movement) = generate(Kind::Mitchell, setup) else {
                    continue;
                };
                let known = movements
                    .iter()
                    .any(|other| other.rounds == movement.rounds);
                if !known && movement.boards_per_round() > 1 {
                    movements.push(movement);
                }
            }
        }
    }
    movements
}

/// Every mistake at every round of a movement in which it can be made.
pub fn play_every_mistake(movement: &Movement, seed: u64) -> Vec<Verdict> {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut verdicts = Vec::new();
    for round in (2..=movement.round_count())
        .filter_map(|round| u8::try_from(round).ok().and_then(RoundNumber::new))
    {
        for mistake in possible(movement, round) {
            if let Some(room) = Carried::to(movement, round, Some(mistake)) {
                let evidence = room.evidence(movement, round, &mut rng);
                verdicts.push(Verdict {
                    tables: movement.table_count(),
                    made: mistake,
                    round,
                    said: ask(movement, round, &evidence),
                    said_at_half: ask(movement, round, &evidence[..evidence.len() / 2]),
                });
            }
        }
    }
    verdicts
}

/// What a doctor says of rooms in which everybody is where they should be but for slips.
pub fn imagined(movement: &Movement, seed: u64) -> usize {
    let mut rng = StdRng::seed_from_u64(seed);
    (2..=movement.round_count())
        .filter_map(|round| u8::try_from(round).ok().and_then(RoundNumber::new))
        .filter_map(|round| Some((round, Carried::to(movement, round, None)?)))
        .filter(|(round, room)| {
            let evidence = room.evidence(movement, *round, &mut rng);
            ask(movement, *round, &evidence).is_some()
        })
        .count()
}

fn special_after(movement: &Movement) -> Option<RoundNumber> {
    movement.special.map(|special| match special {
        SpecialMove::Skip { after_round, .. } | SpecialMove::Subtract { after_round, .. } => {
            after_round
        }
    })
}

fn possible(movement: &Movement, round: RoundNumber) -> Vec<Mistake> {
    let mut mistakes = vec![Mistake::BoardsWrongWay];
    let layout = &movement.layout;
    if !layout.bye_stands.is_empty() {
        mistakes.extend([Mistake::RelayTooLow, Mistake::RelayTooHigh]);
    }
    if !layout.feed_ins.is_empty() {
        mistakes.push(Mistake::FeedInsOutOfOrder);
    }
    if !layout.shares.is_empty() {
        mistakes.push(Mistake::ShareMissing);
    }
    let after = special_after(movement);
    let skip = matches!(movement.special, Some(SpecialMove::Skip { .. }));
    if after == Some(round) {
        mistakes.push(if skip {
            Mistake::SkipEarly
        } else {
            Mistake::SpecialMoveEarly
        });
    }
    if after.and_then(RoundNumber::next) == Some(round) {
        mistakes.push(if skip {
            Mistake::SkipLate
        } else {
            Mistake::SpecialMoveLate
        });
    }
    mistakes
}

/// Everything that is carried about.
#[derive(Clone)]
struct Carried {
    ew: Vec<Option<PairNumber>>,
    boards: Vec<BoardSet>,
    stand: VecDeque<BoardSet>,
    stack: VecDeque<BoardSet>,
}

impl Carried {
    /// The room at the start of a round, after a mistake in the last move.
    /// `None` if it can't be made there or changes nothing.
    fn to(movement: &Movement, round: RoundNumber, mistake: Option<Mistake>) -> Option<Self> {
        let mut room = Self::first_round(movement);
        for number in (2..=round.get()).filter_map(RoundNumber::new) {
            let now = mistake.filter(|_| number == round);
            room.next_round(movement, number, now)?;
            if now.is_none() {
                assert!(
                    room.is(movement, number),
                    "{}: round {number}",
                    movement.name
                );
            }
        }
        (mistake.is_none() || !room.is(movement, round)).then_some(room)
    }

    fn first_round(movement: &Movement) -> Self {
        let seatings = &movement.rounds[0].seatings;
        let layout = &movement.layout;
        let stand = layout.bye_stands.iter().flat_map(|stand| &stand.boards);
        let stack = layout.feed_ins.iter().flat_map(|feed| &feed.boards);
        Self {
            ew: seatings.iter().map(|seat| seat.ew).collect(),
            boards: seatings.iter().map(|seat| seat.boards.clone()).collect(),
            stand: stand.cloned().collect(),
            stack: stack.cloned().collect(),
        }
    }

    fn is(&self, movement: &Movement, round: RoundNumber) -> bool {
        let planned = movement.round(round).expect("the round");
        let seats = planned.seatings.iter().zip(&self.ew).zip(&self.boards);
        seats
            .into_iter()
            .all(|((seat, ew), boards)| seat.ew == *ew && seat.boards == *boards)
    }

    fn next_round(
        &mut self,
        movement: &Movement,
        round: RoundNumber,
        mistake: Option<Mistake>,
    ) -> Option<()> {
        self.move_pairs(movement, round, mistake);
        self.move_boards(movement, mistake)
    }

    fn move_pairs(&mut self, movement: &Movement, round: RoundNumber, mistake: Option<Mistake>) {
        let due = special_after(movement).and_then(RoundNumber::next) == Some(round);
        let late = matches!(mistake, Some(Mistake::SkipLate | Mistake::SpecialMoveLate));
        let early = matches!(
            mistake,
            Some(Mistake::SkipEarly | Mistake::SpecialMoveEarly)
        );
        match movement.special.filter(|_| due && !late || early) {
            Some(SpecialMove::Skip { forward, .. }) => {
                self.ew.rotate_right(usize::from(forward));
            }
            // From table t to table N + 1 - t.
            Some(SpecialMove::Subtract { .. }) => self.ew.reverse(),
            None => self.ew.rotate_right(1),
        }
    }

    fn move_boards(&mut self, movement: &Movement, mistake: Option<Mistake>) -> Option<()> {
        let layout = &movement.layout;
        let top = self.boards.len() - 1;
        if mistake == Some(Mistake::BoardsWrongWay) {
            self.boards.rotate_right(1);
            return Some(());
        }
        let shared = !layout.shares.is_empty();
        let kept = self.boards[top].clone();
        // Everybody hands the boards down; table 1's come free. Where two tables share, table
        // 1's are the same boards that the highest table hands down.
        self.boards.rotate_left(1);
        let freed = self.boards[top].clone();
        if let Some(stand) = layout.bye_stands.first() {
            let mut takes = usize::from(stand.between.0.get()) - 1;
            match mistake {
                Some(Mistake::RelayTooLow) => takes = takes.checked_sub(1)?,
                Some(Mistake::RelayTooHigh) => takes += 1,
                _ => {}
            }
            if takes >= top {
                return None;
            }
            // What was handed to this table goes on the stand, and it takes the oldest set.
            self.stand.push_back(self.boards[takes].clone());
            self.boards[takes] = self.stand.pop_front()?;
        }
        if shared {
            self.boards[top] = if mistake == Some(Mistake::ShareMissing) {
                kept
            } else {
                self.boards[0].clone()
            };
        } else if !layout.feed_ins.is_empty() {
            self.stack.push_back(freed);
            if mistake == Some(Mistake::FeedInsOutOfOrder) {
                let second = self.stack.remove(1)?;
                self.stack.push_front(second);
            }
            self.boards[top] = self.stack.pop_front()?;
        }
        Some(())
    }

    /// What the pads say as tables begin the round, one after the other.
    fn evidence(&self, movement: &Movement, round: RoundNumber, rng: &mut StdRng) -> Vec<Says> {
        let planned = movement.round(round).expect("the round");
        let all: Vec<BoardNumber> = movement.boards().into_iter().collect();
        let mut says: Vec<Says> = planned
            .tables()
            .zip(self.ew.iter().zip(&self.boards))
            .map(|((table, seat), (ew, boards))| {
                let pressed_ok = rng.random_bool(OK_WITHOUT_READING);
                let slip = rng.random_bool(SLIP);
                let any = all[rng.random_range(0..all.len())];
                Says {
                    table,
                    pairs: PairsSeen {
                        ns: seat.ns,
                        ew: if pressed_ok { seat.ew } else { *ew },
                    },
                    board: boards
                        .iter()
                        .next()
                        .map(|first| if slip { any } else { first }),
                }
            })
            .collect();
        // Tables don't begin in the order of their numbers.
        for at in (1..says.len()).rev() {
            says.swap(at, rng.random_range(0..=at));
        }
        says
    }
}

/// What a table says when it begins a round: its pairs and its first board.
#[derive(Clone, Copy)]
struct Says {
    table: TableNumber,
    pairs: PairsSeen,
    board: Option<BoardNumber>,
}

fn ask(movement: &Movement, round: RoundNumber, evidence: &[Says]) -> Option<Mistake> {
    let mut room = Room::new(SectionLetter::A, movement.clone(), Deals::default());
    for says in evidence {
        room.pairs_seen(says.table, round, says.pairs);
        if let Some(board) = says.board {
            room.board_wanted(says.table, round, board);
        }
    }
    diagnose(&room, round).map(|diagnosis| diagnosis.mistake)
}
