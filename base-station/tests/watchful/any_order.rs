//! Whatever happens and in whatever order: a watch that has followed the evening says what one says
//! that comes new to it, letter for letter. `PROPTEST_CASES=2000` plays the full number.

use base_station::checks::{Attention, Kind};
use base_station::session::plan::Ruling;
use base_station::session::{Cell, Command, Repair, Seq};
use base_station::watch::Settlement;
use fastrand::Rng;
use proptest::prelude::*;
use protocol::message::Up;
use protocol::words::{BoardNumber, BoardResult, Card, PairNumber, Score, Seat};

use super::room::{Room, SECTION, played, round, table};

const TABLES: u16 = 8;
const BOARDS: u8 = 24;

/// What can happen next; the number chooses where, who and what.
#[derive(Clone, Copy, Debug)]
enum Step {
    Enters(u64),
    SaysPairs(u64),
    Wants(u64),
    IsAnsweredAboutBoard(u64),
    Rules(u64),
    Undoes(u64),
    Settles(u64),
    SetsCheck(u64),
    ChangesDeals(u64),
    ShortensMovement(u64),
    Waits(u64),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let any = any::<u64>;
    let step = prop_oneof![
        8 => any().prop_map(Step::Enters),
        6 => any().prop_map(Step::SaysPairs),
        3 => any().prop_map(Step::Wants),
        2 => any().prop_map(Step::IsAnsweredAboutBoard),
        8 => any().prop_map(Step::Rules),
        3 => any().prop_map(Step::Undoes),
        4 => any().prop_map(Step::Settles),
        1 => any().prop_map(Step::SetsCheck),
        1 => any().prop_map(Step::ChangesDeals),
        1 => any().prop_map(Step::ShortensMovement),
        1 => any().prop_map(Step::Waits),
    ];
    proptest::collection::vec(step, 10..45)
}

/// Few boards and rounds, so that things meet.
fn somewhere(rng: &mut Rng) -> (u16, u8, BoardNumber) {
    let board = if rng.u8(0..10) == 0 {
        rng.u8(1..=BOARDS + 3)
    } else {
        rng.u8(1..=6)
    };
    let board = BoardNumber::new(board).expect("a board");
    (rng.u16(1..=TABLES), rng.u8(1..=3), board)
}

fn some_cell(rng: &mut Rng) -> Cell {
    let (at, number, board) = somewhere(rng);
    Cell::new(table(at), round(number), board)
}

fn some_result(rng: &mut Rng) -> BoardResult {
    match rng.u8(0..8) {
        0 => BoardResult::NotPlayed,
        1 => BoardResult::PassedOut,
        _ => {
            let contract = *rng.choice(["3NT", "4S", "4SX", "2H"].iter()).expect("one");
            let lead: Option<Card> = match rng.u8(0..3) {
                0 => "SA".parse().ok(),
                1 => "H4".parse().ok(),
                _ => None,
            };
            played(contract, Seat::ALL[rng.usize(0..4)], lead)
        }
    }
}

fn some_ruling(rng: &mut Rng) -> Ruling {
    match rng.u8(0..6) {
        0 => Ruling::TakenAway,
        1 => Ruling::Written(Score(
            *rng.choice([420, -420, 620, 50].iter()).expect("one"),
        )),
        2 => Ruling::LatePlay,
        _ => Ruling::Result(some_result(rng)),
    }
}

fn take(room: &mut Room, step: Step) {
    match step {
        Step::Enters(seed) => {
            let mut rng = Rng::with_seed(seed);
            let (at, number, board) = somewhere(&mut rng);
            room.tries_to_enter(at, number, board, some_result(&mut rng));
        }
        Step::SaysPairs(seed) => {
            let mut rng = Rng::with_seed(seed);
            let (at, number, _) = somewhere(&mut rng);
            let like = rng.u16(1..=TABLES);
            let (ns, ew) = room.planned(like, number);
            let own = room.planned(at, number).0;
            let ns = if rng.bool() { own } else { ns };
            let ew = if rng.u8(0..8) == 0 { None } else { ew };
            room.pairs_seen(at, number, (ns, ew));
        }
        Step::Wants(seed) => {
            let (at, number, board) = somewhere(&mut Rng::with_seed(seed));
            let round = round(number);
            room.tells(at, Up::BoardWanted { round, board });
        }
        Step::IsAnsweredAboutBoard(seed) => {
            let wanted: Vec<Cell> = room.session().wanted.keys().copied().collect();
            let mut rng = Rng::with_seed(seed);
            if let Some(cell) = rng.choice(wanted) {
                room.try_direct(if rng.bool() {
                    Command::AllowBoard { cell }
                } else {
                    Command::RefuseBoard { cell }
                });
            }
        }
        Step::Rules(seed) => {
            let mut rng = Rng::with_seed(seed);
            room.try_direct(Command::Rule {
                cell: some_cell(&mut rng),
                ruling: some_ruling(&mut rng),
                why: String::new(),
            });
        }
        Step::Undoes(seed) => {
            let records = room.session().records.clone();
            let last: Vec<Seq> = records.iter().rev().take(12).map(|it| it.seq).collect();
            if let Some(change) = Rng::with_seed(seed).choice(last) {
                let why = String::new();
                room.try_direct(Command::Undo { change, why });
            }
        }
        Step::Settles(seed) => settle(room, &mut Rng::with_seed(seed)),
        Step::SetsCheck(seed) => {
            let mut rng = Rng::with_seed(seed);
            let all = [Attention::On, Attention::Quiet, Attention::Off];
            room.try_direct(Command::SetCheck {
                kind: rng.choice(Kind::ALL).expect("a check"),
                attention: rng.choice(all).expect("a way"),
            });
        }
        Step::ChangesDeals(seed) => room.attach_deals_from(seed % 3),
        Step::ShortensMovement(seed) => {
            let last = round(5 + u8::try_from(seed % 3).expect("small"));
            room.try_direct(Command::ReviseMovement {
                section: SECTION,
                repair: Repair::CutShort { last },
                why: String::new(),
            });
        }
        Step::Waits(seed) => room.wait_minutes(seed % 20),
    }
}

/// One of the warnings gets one of its answers, as on the page.
fn settle(room: &mut Room, rng: &mut Rng) {
    let warnings = room.warned();
    let Some(warning) = rng.choice(warnings.iter()) else {
        return;
    };
    let Some(offer) = rng.choice(warning.offers.iter()) else {
        return;
    };
    let settlement = Settlement::of(&warnings, &warning.id, &offer.answer.name());
    let settlement = settlement.expect("it is offered");
    if let Some(command) = settlement.command() {
        room.try_direct(command.clone());
    }
    room.look_both_ways();
    let said = offer.answer.settles("done".to_owned());
    if let Some(note) = settlement.note_if_left(&room.warned(), said) {
        room.direct(note);
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: std::env::var("PROPTEST_CASES").ok().and_then(|it| it.parse().ok()).unwrap_or(24),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn who_followed_and_who_comes_new_see_the_same(steps in steps()) {
        let mut room = Room::skip_mitchell(TABLES, BOARDS);
        room.attach_deals_from(1);
        for step in steps {
            take(&mut room, step);
            room.look_both_ways();
        }
    }
}

#[test]
fn pairs_that_are_told_after_the_results_count_as_much_as_before() {
    // Table 2 has East-West pair 4; that pair has played board 4 at another table before.
    let mut room = Room::skip_mitchell(TABLES, BOARDS);
    for at in 1..=TABLES {
        room.enter_round(at, 1);
    }
    room.look_both_ways();
    for at in 1..=TABLES {
        let (ns, _) = room.planned(at, 1);
        room.pairs_seen(at, 1, (ns, PairNumber::new(4)));
        room.look_both_ways();
    }
}
