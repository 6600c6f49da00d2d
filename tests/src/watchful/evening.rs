//! Clean evenings: everything that the pads of a section say, in order of time.

use base_station::checks::{Line, LineId, Moment, PairsSeen};
use base_station::deals::{Deals, DealtBoard};
use base_station::movement::{Kind, Movement, Setup, generate};
use protocol::words::{
    BoardNumber, BoardResult, Card, Contract, Doubling, Level, Played, RoundNumber, Seat, Side,
    Strain, Suit, TableNumber, Tricks,
};
use rand::rngs::StdRng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};

use super::material::{hundred_deals, real_evening, real_results};

/// Results that come with a lead, in percent: it is optional in most clubs.
const LEADS_GIVEN: f64 = 0.85;

/// Rounds whose last board is not played for lack of time.
const OUT_OF_TIME: f64 = 0.015;

/// One thing that a pad says.
#[derive(Clone, Copy, Debug)]
pub enum News {
    /// A result.
    Result(LineId, Line),
    /// Who sits there.
    Pairs(TableNumber, RoundNumber, PairsSeen),
    /// A board that is not on the sheet.
    Wanted(TableNumber, RoundNumber, BoardNumber),
}

/// A section's evening.
#[derive(Clone, Debug)]
pub struct Evening {
    /// The plan.
    pub movement: Movement,
    /// The cards.
    pub deals: Deals,
    /// What the pads say, in order of time.
    pub news: Vec<(Moment, News)>,
}

/// The clean evening of a seed: a replay of the real one, or a generated one.
pub fn clean(seed: u64) -> Evening {
    let mut rng = StdRng::seed_from_u64(seed);
    match seed % 3 {
        0 => replay(&mut rng),
        1 => generated(&mut rng, Cards::OfTheRealEvening),
        _ => generated(&mut rng, Cards::Others),
    }
}

/// The real evening, with leads invented from its deals.
fn replay(rng: &mut StdRng) -> Evening {
    let real = real_evening();
    let mut evening = Evening {
        movement: real.movement.clone(),
        deals: real.deals.clone(),
        news: Vec::new(),
    };
    let mut last_round = std::collections::BTreeMap::new();
    // The times are those of the last change, so that some are later than the arrival.
    let mut times: Vec<u64> = real.results.iter().map(|result| result.at_ms).collect();
    for at in (1..times.len()).rev() {
        times[at - 1] = times[at - 1].min(times[at]);
    }
    for (result, at_ms) in real.results.iter().zip(times) {
        let id = LineId {
            board: result.board,
            round: result.round,
            table: result.table,
        };
        let at = Moment(at_ms);
        if last_round.insert(result.table, result.round) != Some(result.round) {
            evening.confirm(result.table, result.round, Moment(at_ms - 120_000));
        }
        let line = evening.line(
            id,
            with_lead(rng, &evening.deals, id.board, result.result),
            at,
        );
        evening.news.push((at, News::Result(id, line)));
    }
    evening.sort();
    evening
}

/// Whose cards are dealt.
#[derive(Clone, Copy)]
enum Cards {
    /// With results drawn from those of the real tables.
    OfTheRealEvening,
    /// With results made up from double-dummy tricks.
    Others,
}

fn generated(rng: &mut StdRng, cards: Cards) -> Evening {
    let movement = any_mitchell(rng, cards);
    let deals = match cards {
        Cards::OfTheRealEvening => real_evening().deals.clone(),
        Cards::Others => shuffled_deals(rng, &movement),
    };
    let mut evening = Evening {
        movement,
        deals,
        news: Vec::new(),
    };
    let usual = UsualContracts::of(rng, &evening.deals);
    let per_board_ms: u64 = 7 * 60_000 + 30_000;
    let rounds: Vec<_> = evening.movement.clone().rounds;
    let mut round_start_ms = 0;
    let mut finished_ms = std::collections::BTreeMap::new();
    for (round, planned) in (1..).filter_map(RoundNumber::new).zip(&rounds) {
        let mut longest_ms = 0;
        for (table, seating) in planned.tables().filter(|(_, seat)| seat.is_played()) {
            // A slow table begins when it has finished the round before.
            let free_ms = finished_ms.get(&table).copied().unwrap_or(0);
            let mut at_ms = free_ms.max(round_start_ms) + rng.random_range(20_000..150_000);
            evening.confirm(table, round, Moment(at_ms));
            for board in seating.boards.iter() {
                at_ms += rng.random_range(per_board_ms * 6 / 10..per_board_ms * 13 / 10);
                let id = LineId {
                    board,
                    round,
                    table,
                };
                let bare = match cards {
                    Cards::OfTheRealEvening => {
                        *real_results()[&board].choose(rng).expect("eleven results")
                    }
                    Cards::Others => usual.result(rng, &evening.deals, board),
                };
                let result =
                    if Some(board) == seating.boards.highest() && rng.random_bool(OUT_OF_TIME) {
                        BoardResult::NotPlayed
                    } else {
                        with_lead(rng, &evening.deals, board, bare)
                    };
                let line = evening.line(id, result, Moment(at_ms));
                evening.news.push((Moment(at_ms), News::Result(id, line)));
            }
            finished_ms.insert(table, at_ms);
            longest_ms = longest_ms.max(at_ms - round_start_ms);
        }
        // The room does not wait for its slowest table.
        round_start_ms += longest_ms * 9 / 10;
    }
    evening.sort();
    evening
}

/// A Mitchell of 8 to 14 tables for an evening of the usual length.
fn any_mitchell(rng: &mut StdRng, cards: Cards) -> Movement {
    loop {
        let setup = Setup::new(
            TableNumber::new(rng.random_range(8..=14)).expect("8 to 14"),
            BoardNumber::new(rng.random_range(24..=28)).expect("24 to 28"),
        );
        let Ok(movement) = generate(Kind::Mitchell, setup) else {
            continue;
        };
        let known = |board| match cards {
            Cards::OfTheRealEvening => real_results().contains_key(&board),
            Cards::Others => true,
        };
        if movement.boards_per_round() > 1 && movement.boards().into_iter().all(known) {
            return movement;
        }
    }
}

fn shuffled_deals(rng: &mut StdRng, movement: &Movement) -> Deals {
    let mut deals = hundred_deals().to_vec();
    deals.shuffle(rng);
    let boards = movement.boards().into_iter();
    boards
        .zip(deals)
        .map(|(board, dealt)| DealtBoard { board, ..dealt })
        .collect()
}

impl Evening {
    /// A line by the pairs that the movement puts there.
    pub fn line(&self, id: LineId, result: BoardResult, at: Moment) -> Line {
        let seating = self.movement.seating(id.round, id.table);
        Line {
            ns: seating.and_then(|seat| seat.ns),
            ew: seating.and_then(|seat| seat.ew),
            result,
            stated: None,
            at,
        }
    }

    fn confirm(&mut self, table: TableNumber, round: RoundNumber, at: Moment) {
        if let Some(seating) = self.movement.seating(round, table) {
            let pairs = PairsSeen {
                ns: seating.ns,
                ew: seating.ew,
            };
            self.news.push((at, News::Pairs(table, round, pairs)));
        }
    }

    /// In order of time; what came first at a table stays first.
    pub fn sort(&mut self) {
        self.news.sort_by_key(|(at, _)| *at);
    }

    /// How many results come.
    pub fn results(&self) -> usize {
        let is_result = |news: &News| matches!(news, News::Result(..));
        self.news.iter().filter(|(_, news)| is_result(news)).count()
    }
}

/// Adds a card of the leader, most of the time.
fn with_lead(
    rng: &mut StdRng,
    deals: &Deals,
    board: BoardNumber,
    result: BoardResult,
) -> BoardResult {
    let BoardResult::Played(played) = result else {
        return result;
    };
    let lead = deals
        .board(board)
        .filter(|_| rng.random_bool(LEADS_GIVEN))
        .and_then(|dealt| {
            let cards = cards_of(dealt, played.contract.leader());
            cards.choose(rng).copied()
        });
    BoardResult::Played(Played { lead, ..played })
}

/// A hand as a list.
pub fn cards_of(dealt: &DealtBoard, seat: Seat) -> Vec<Card> {
    (0..52)
        .filter_map(Card::from_index)
        .filter(|card| dealt.deal.hand(seat).holds(*card))
        .collect()
}

/// What most tables play on each board: fields think alike.
struct UsualContracts(std::collections::BTreeMap<BoardNumber, Vec<(Seat, Strain)>>);

/// Tricks above double dummy on the real evening (295 contracts), by how often.
const TRICKS_AWAY: [(i8, u32); 7] = [
    (-3, 2),
    (-2, 10),
    (-1, 50),
    (0, 150),
    (1, 67),
    (2, 15),
    (3, 1),
];

/// Levels above double dummy on the real evening, by how often.
const BID_TOO_HIGH: [(i8, u32); 9] = [
    (-3, 3),
    (-2, 52),
    (-1, 83),
    (0, 70),
    (1, 53),
    (2, 18),
    (3, 10),
    (4, 4),
    (5, 2),
];

impl UsualContracts {
    /// Two or three ways to play each board, by high cards and length with a grain of chance.
    fn of(rng: &mut StdRng, deals: &Deals) -> Self {
        let boards = deals.iter().map(|dealt| {
            let mut ways: Vec<(f64, Seat, Strain)> = Side::BOTH
                .into_iter()
                .flat_map(|side| Strain::ALL.map(|strain| (side, strain)))
                .map(|(side, strain)| {
                    let seat = declarer(dealt, side, strain);
                    let worth = worth(dealt, seat, strain) + rng.random_range(-0.8..0.8);
                    (worth, seat, strain)
                })
                .collect();
            ways.sort_by(|one, other| other.0.total_cmp(&one.0));
            let best = ways[0].0;
            let kept = ways.iter().filter(|way| way.0 > best - 1.5).take(3);
            (dealt.board, kept.map(|way| (way.1, way.2)).collect())
        });
        Self(boards.collect())
    }

    fn result(&self, rng: &mut StdRng, deals: &Deals, board: BoardNumber) -> BoardResult {
        let cards = deals.board(board).expect("every board is dealt");
        let weak = strongest(cards);
        if weak < 20 && rng.random_bool(0.5) || weak < 22 && rng.random_bool(0.05) {
            return BoardResult::PassedOut;
        }
        let ways = &self.0[&board];
        // Most tables find the usual contract, and sometimes the other partner plays it.
        let way = rng
            .random_range(0..ways.len() * 2)
            .saturating_sub(ways.len());
        let (mut declarer, strain) = ways[way];
        if rng.random_bool(0.15) {
            declarer = declarer.partner();
        }
        let possible = tricks(cards, declarer, strain).cast_signed();
        let too_high = weighted(rng, &BID_TOO_HIGH);
        // Overbidding ends at the five level; slams are bid on the cards.
        let highest = (possible - 6).max(5);
        let level = (possible - 6 + too_high).clamp(1, highest).cast_unsigned();
        let doubled = rng.random_bool(match too_high {
            3.. => 0.2,
            1..3 => 0.06,
            _ => 0.005,
        });
        let taken = possible + weighted(rng, &TRICKS_AWAY);
        BoardResult::Played(Played {
            contract: Contract {
                level: Level::new(level).expect("1 to 7"),
                strain,
                doubling: if doubled {
                    Doubling::Doubled
                } else {
                    Doubling::Undoubled
                },
                declarer,
            },
            tricks: Tricks::new(taken.clamp(0, 13).cast_unsigned()).expect("0 to 13"),
            lead: None,
        })
    }
}

fn weighted(rng: &mut StdRng, table: &[(i8, u32)]) -> i8 {
    let total = table.iter().map(|(_, weight)| weight).sum();
    let mut at = rng.random_range(0..total);
    for (value, weight) in table {
        match at.checked_sub(*weight) {
            None => return *value,
            Some(rest) => at = rest,
        }
    }
    0
}

fn tricks(dealt: &DealtBoard, seat: Seat, strain: Strain) -> u8 {
    let table = dealt.tricks.expect("the stored deals have tricks");
    table.get(seat, strain).expect("a whole table").get()
}

fn length(dealt: &DealtBoard, seat: Seat, suit: Suit) -> usize {
    dealt.deal.hand(seat).suit(suit).count()
}

fn declarer(dealt: &DealtBoard, side: Side, strain: Strain) -> Seat {
    let [first, second] = match side {
        Side::NorthSouth => [Seat::North, Seat::South],
        Side::EastWest => [Seat::East, Seat::West],
    };
    match strain.trumps() {
        Some(suit) if length(dealt, second, suit) > length(dealt, first, suit) => second,
        None if tricks(dealt, second, strain) > tricks(dealt, first, strain) => second,
        _ => first,
    }
}

/// Roughly what a side would rather play.
fn worth(dealt: &DealtBoard, seat: Seat, strain: Strain) -> f64 {
    let fit = strain.trumps().map_or(8, |suit| {
        length(dealt, seat, suit) + length(dealt, seat.partner(), suit)
    });
    let bonus = match strain {
        Strain::Clubs | Strain::Diamonds => -0.8,
        Strain::Hearts | Strain::Spades => 0.3,
        Strain::NoTrump => 0.0,
    };
    let short = u8::try_from(8_usize.saturating_sub(fit)).unwrap_or(8);
    f64::from(tricks(dealt, seat, strain)) + bonus - f64::from(short) * 1.5
}

/// The best opening at the table: high cards and the two longest suits.
pub fn strongest(dealt: &DealtBoard) -> usize {
    let strength = |seat| {
        let mut lengths = Suit::ALL.map(|suit| length(dealt, seat, suit));
        lengths.sort_unstable();
        let points: usize = cards_of(dealt, seat)
            .iter()
            .map(|card| usize::from(card.rank.get().saturating_sub(10)))
            .sum();
        points + lengths[3] + lengths[2]
    };
    Seat::ALL.map(strength).into_iter().max().unwrap_or(0)
}
