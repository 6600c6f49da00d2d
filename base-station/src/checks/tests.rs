//! Stories of the room. How well the checks do on many evenings is measured by the `watchful`
//! program of the system tests.

use protocol::words::{
    BoardNumber, BoardResult, Card, Contract, PairNumber, Played, RoundNumber, Score, Seat,
    SectionLetter, Side, TableNumber, Tricks,
};

use super::{
    Finding, Kind, Line, LineId, Mistake, Moment, PairsSeen, Remedy, Room, Watch, What,
    WrittenFault, doctor, judge_contract, judge_score,
};
use crate::deals::read_pbn;
use crate::movement::{self, PairId, Setup, Variant, generate};

const DEALS: &[u8] = include_bytes!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../tests/real/club_session_deals.pbn"
));

fn board(number: u8) -> BoardNumber {
    BoardNumber::new(number).expect("a board")
}

fn table(number: u16) -> TableNumber {
    TableNumber::new(number).expect("a table")
}

fn round(number: u8) -> RoundNumber {
    RoundNumber::new(number).expect("a round")
}

fn watch(tables: u16, boards: u8, variant: Option<Variant>) -> Watch {
    let setup = Setup {
        variant,
        ..Setup::new(table(tables), board(boards))
    };
    let movement = generate(movement::Kind::Mitchell, setup).expect("a Mitchell");
    let deals = read_pbn(DEALS).expect("the real deals");
    let room = Room::new(SectionLetter::A, movement, deals);
    Watch::new(room)
}

fn played(contract: &str, declarer: Seat, result: &str, lead: Option<&str>) -> BoardResult {
    let contract = Contract::parse(contract, declarer).expect("a contract");
    BoardResult::Played(Played {
        contract,
        tricks: contract.level.tricks_from_text(result).expect("tricks"),
        lead: lead.map(|card| card.parse::<Card>().expect("a card")),
    })
}

/// Enters a result at table 1 in round 1, where boards 1 to 3 are due.
fn enter(watch: &mut Watch, number: u8, result: BoardResult) -> Vec<Finding> {
    let id = LineId {
        board: board(number),
        round: round(1),
        table: table(1),
    };
    let line = Line {
        ns: PairNumber::new(1),
        ew: PairNumber::new(1),
        result,
        stated: None,
        at: Moment(1000),
    };
    watch.line(id, Some(line));
    watch.look()
}

#[test]
fn a_lead_from_the_other_defender_names_the_other_declarer_and_goes_when_put_right() {
    // Board 1: North holds HT, South, who leads against East, does not.
    let mut watch = watch(9, 27, None);
    let wrong = enter(&mut watch, 1, played("3NT", Seat::East, "=", Some("HT")));
    let [finding] = wrong.as_slice() else {
        panic!("one finding, not {wrong:?}");
    };
    assert_eq!(finding.id.to_string(), "lead-not-held.A1.r1.b1");
    let What::LeadNotHeld {
        contract, holder, ..
    } = &finding.what
    else {
        panic!("it is about the lead: {finding:?}");
    };
    assert_eq!((contract.leader(), *holder), (Seat::South, Seat::North));
    assert_eq!(
        finding.remedies.first(),
        Some(&Remedy::ChangeDeclarer {
            declarer: Seat::West
        })
    );
    let right = enter(&mut watch, 1, played("3NT", Seat::West, "=", Some("HT")));
    assert_eq!(right, []);
    assert_eq!(watch.findings().count(), 0);
}

#[test]
fn a_contract_that_only_the_other_side_can_make_is_asked_about() {
    // Board 1 is East-West's: ten tricks in spades.
    let mut watch = watch(9, 27, None);
    let raised = enter(&mut watch, 1, played("4S", Seat::North, "=", None));
    assert_eq!(raised[0].id.kind, Kind::WrongSide);
    let raised = enter(&mut watch, 1, played("4S", Seat::East, "-7", None));
    assert_eq!(raised[0].id.kind, Kind::TricksOfOtherSide);
    assert_eq!(
        raised[0].remedies[0],
        Remedy::ChangeTricks {
            tricks: Tricks::new(10).expect("ten")
        }
    );
}

#[test]
fn a_result_of_a_pair_that_was_thought_to_have_left_asks_who_played() {
    let mut room = watch(9, 27, None).room().clone();
    let left = PairId {
        line: Some(Side::EastWest),
        number: PairNumber::new(1).expect("one"),
    };
    let without = room.movement.with_withdrawn_pair(left, RoundNumber::FIRST);
    room.movement = without.expect("it may go").movement;
    let mut watch = Watch::new(room);
    watch.look();
    // East-West pair 1 would have been at table 2.
    let seating = watch.room().seating(table(2), round(2)).cloned();
    let seating = seating.expect("a table");
    assert_eq!(seating.ew, None);
    let id = LineId {
        board: seating.boards.iter().next().expect("a board"),
        round: round(2),
        table: table(2),
    };
    let line = |ew| Line {
        ns: seating.ns,
        ew,
        result: BoardResult::NotPlayed,
        stated: None,
        at: Moment(1000),
    };
    watch.line(id, Some(line(None)));
    let raised = watch.look();
    assert!(raised.iter().all(|it| it.id.kind != Kind::PairMissing));
    let played = |ew| Line {
        result: played("1NT", Seat::North, "=", None),
        ..line(ew)
    };
    watch.line(id, Some(played(None)));
    let raised = watch.look();
    let missing = raised.iter().find(|it| it.id.kind == Kind::PairMissing);
    let missing = missing.expect("somebody is missing");
    let free = Some(left.number);
    let side = Side::EastWest;
    assert_eq!(missing.what, What::PairMissing { side, free });
    let seat = Remedy::SeatPairs {
        ns: seating.ns,
        ew: Some(left.number),
    };
    assert_eq!(missing.remedies.first(), Some(&seat));
    watch.line(id, Some(played(Some(left.number))));
    watch.look();
    assert!(watch.findings().all(|it| it.id != missing.id));
}

#[test]
fn written_scores_are_judged_by_the_vulnerability_of_the_board() {
    let cases = [
        // Board 1: nobody is vulnerable. 620 is a vulnerable game.
        (1, 620, Some(WrittenFault::Vulnerability)),
        (1, 420, None),
        (2, 620, None),
        (1, -50, None),
        (1, 430, None),
        (1, 30, Some(WrittenFault::Impossible)),
        (1, 0, None),
    ];
    for (number, score, expected) in cases {
        let fault = judge_score(board(number), Score(score));
        assert_eq!(fault, expected, "board {number}: {score}");
    }
    let game = Contract::parse("4S", Seat::North).expect("a contract");
    let ten = Tricks::new(10).expect("ten");
    assert_eq!(
        judge_contract(board(1), game, ten, Score(620)),
        Some(WrittenFault::NotThisContract {
            gives: Score(420),
            other_vulnerability: true
        })
    );
}

#[test]
fn pads_of_two_tables_that_were_mixed_up_are_told_to_be_swapped() {
    let mut watch = watch(9, 27, None);
    let seen = |ns, ew| PairsSeen {
        ns: PairNumber::new(ns),
        ew: PairNumber::new(ew),
    };
    watch.pairs(table(3), round(1), Some(seen(5, 5)));
    watch.look();
    watch.pairs(table(5), round(1), Some(seen(3, 3)));
    let change = watch.look();
    let found: Vec<_> = watch.findings().collect();
    assert_eq!(found.len(), 1, "{change:?}");
    assert_eq!(found[0].id.kind, Kind::PadsSwapped);
    assert_eq!(found[0].remedies[0], Remedy::SwapPads { with: table(5) });
}

/// Enters a result of board 1 at a table of a room without deals.
fn at_table(watch: &mut Watch, number: u16, result: BoardResult, stated: Option<i16>) {
    let id = LineId {
        board: board(1),
        round: round(1),
        table: table(number),
    };
    let line = Line {
        ns: PairNumber::new(number),
        ew: PairNumber::new(number),
        result,
        stated: stated.map(Score),
        at: Moment(1000),
    };
    watch.line(id, Some(line));
    watch.look();
}

fn signs(watch: &Watch) -> Vec<(u16, Remedy)> {
    let all = watch.findings();
    all.filter(|finding| finding.id.kind == Kind::SignAlone)
        .map(|finding| {
            let table = finding.id.table.expect("a table").get();
            (table, finding.remedies[0].clone())
        })
        .collect()
}

#[test]
fn point_17_a_score_whose_sign_stands_alone_is_flagged_without_any_cards() {
    let mut room = watch(9, 27, None).room().clone();
    room.deals = crate::deals::Deals::default();
    let mut watch = Watch::new(room);
    for number in 1..=4 {
        at_table(
            &mut watch,
            number,
            played("4S", Seat::North, "=", None),
            None,
        );
    }
    // A contract that failed has a sign of its own, and nothing is wrong with it.
    at_table(&mut watch, 5, played("4S", Seat::South, "-1", None), None);
    assert_eq!(signs(&watch), []);
    at_table(&mut watch, 5, played("4S", Seat::East, "=", None), None);
    let declarer = Seat::North;
    assert_eq!(signs(&watch), [(5, Remedy::ChangeDeclarer { declarer })]);
    // Put right, it goes.
    at_table(&mut watch, 5, played("4S", Seat::North, "=", None), None);
    assert_eq!(signs(&watch), []);
    // A score from paper has no contract, only a sign.
    let unknown = BoardResult::Adjusted {
        ns: protocol::words::Percentage::MIN,
        ew: protocol::words::Percentage::MIN,
    };
    at_table(&mut watch, 6, unknown, Some(-420));
    assert_eq!(signs(&watch), [(6, Remedy::Visit { table: table(6) })]);
    at_table(&mut watch, 6, unknown, Some(420));
    assert_eq!(signs(&watch), []);
}

#[test]
fn a_skip_a_round_early_is_named_and_can_be_played_on() {
    let watch = watch(8, 24, Some(Variant::Skip));
    let mut room = watch.room().clone();
    let movement = room.movement.clone();
    // The skip is due after round 4; in round 4 everybody is a table too high.
    let skipped = round(4);
    let planned = movement.round(skipped).expect("round 4");
    for (at, seating) in planned.tables() {
        let lower = usize::from(at.get() + 6) % 8;
        let seen = PairsSeen {
            ns: seating.ns,
            ew: planned.seatings[lower].ew,
        };
        room.pairs_seen(at, skipped, seen);
    }
    let diagnosis = doctor::diagnose(&room, skipped).expect("a diagnosis");
    assert_eq!(diagnosis.mistake, Mistake::SkipEarly);
    let finding = &super::check_round(&room, skipped)[0];
    assert!(
        matches!(
            finding.what,
            What::MovementMistake {
                mistake: Mistake::SkipEarly,
                ..
            }
        ),
        "{finding:?}"
    );
    assert!(matches!(finding.remedies[0], Remedy::Tell { .. }));
}

/// One piece of news of a small room in which anything may be entered anywhere.
fn some_news(watch: &mut Watch, random: &mut fastrand::Rng) {
    let (at, when) = (table(random.u16(1..=4)), round(random.u8(1..=4)));
    let id = LineId {
        board: board(random.u8(1..=12)),
        round: when,
        table: at,
    };
    let pair = |random: &mut fastrand::Rng| PairNumber::new(random.u16(0..=4));
    match random.u8(0..10) {
        0 => watch.wanted(at, when, id.board, true),
        1 => watch.wanted(at, when, id.board, false),
        2 => watch.line(id, None),
        3 => {
            let (ns, ew) = (pair(random), pair(random));
            watch.pairs(at, when, Some(PairsSeen { ns, ew }));
        }
        _ => {
            let contract = ["4S", "3NT", "2HX", "5C"][random.usize(..4)];
            let declarer = Seat::from_index(random.u8(..4));
            let result = match random.u8(0..8) {
                0 => BoardResult::NotPlayed,
                1 => BoardResult::PassedOut,
                made => played(
                    contract,
                    declarer,
                    ["=", "-1", "-3"][usize::from(made % 3)],
                    None,
                ),
            };
            let line = Line {
                ns: pair(random),
                ew: pair(random),
                result,
                stated: None,
                at: Moment(random.u64(..5000)),
            };
            watch.line(id, Some(line));
        }
    }
}

#[test]
fn who_watched_all_night_sees_what_somebody_sees_who_has_just_come() {
    for seed in 0..60 {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut watch = watch(4, 12, None);
        for news in 0..60 {
            some_news(&mut watch, &mut random);
            watch.look();
            watch.tick();
            let mut fresh = Watch::new(watch.room().clone());
            fresh.look();
            fresh.tick();
            let all = |watch: &Watch| -> Vec<Finding> { watch.findings().cloned().collect() };
            assert_eq!(all(&watch), all(&fresh), "seed {seed}, news {news}");
        }
    }
}
